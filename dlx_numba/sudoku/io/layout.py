"""Place boards beside each other on a terminal."""

import re
import textwrap
from itertools import chain, zip_longest

from ...runtime.text import Paint, unpainted
from .columns import UNREADABLE
from .symbols import Values

BOARD_GAP = "   "  # between boards
MARK = 0xE000  # added to the code points of givens, in an area for private use
_MARKED = {code: MARK + code for code in range(128)}


def mark_givens(text: str, boards: Values) -> str:
    """Return grids of solved boards with private characters for their givens.

    >>> import numpy as np
    >>> mark_givens("1 2", np.array([[1, 0]])) == chr(MARK + ord("1")) + " 2"
    True
    """
    symbol = r"[^\s|-]+"
    is_given = iter((boards != 0).ravel().tolist())
    if len(re.findall(symbol, text)) != boards.size:  # some boards have no solution
        return text
    return re.sub(symbol, lambda m: m[0].translate(_MARKED) if next(is_given) else m[0], text)


def lay_out(text: str, width: int, paint: Paint = unpainted) -> str:
    """Place boards, which blank lines separate, in rows of as many as the width allows.

    Remarks under a board are wrapped. A line that reports unreadable text stays between the rows.
    Givens that are marked are painted.
    """
    lines: list[str] = []
    row: list[list[str]] = []

    def end_row() -> None:
        for cells in zip_longest(*row, fillvalue=""):
            padded = [cell.ljust(len(max(row[k], key=len))) for k, cell in enumerate(cells)]
            lines.append(BOARD_GAP.join(padded).rstrip())
        lines.extend([""] if row else [])
        row.clear()

    for block in text.split("\n\n"):
        board = block.splitlines()
        while board and board[0].startswith(f"# {UNREADABLE}"):
            end_row()
            lines.append(board.pop(0))
        if board:
            side = max(len(line) for line in board if line[0] in " -")  # others are remarks
            rows = [[line] if len(line) <= side else textwrap.wrap(line, side) for line in board]
            if sum(len(max(each, key=len)) + len(BOARD_GAP) for each in row) + side > width:
                end_row()
            row.append(list(chain.from_iterable(rows)))
    end_row()
    drawn = "".join(f"{line}\n" for line in lines)
    return re.sub(
        f"[{chr(MARK)}-{chr(MARK + 127)}]+",
        lambda m: paint("".join(chr(ord(c) - MARK) for c in m[0]), "given"),
        drawn,
    )
