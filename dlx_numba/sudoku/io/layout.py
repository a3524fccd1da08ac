"""Place boards beside each other on a terminal."""

import re
import textwrap
from itertools import chain, groupby, zip_longest

from ...runtime.batched import batched
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
    # A line that reports unreadable text is a block of its own.
    apart = re.sub(rf"(?m)^(# {UNREADABLE}.*\n)", r"\1\n", text)
    blocks = filter(None, map(str.splitlines, apart.split("\n\n")))
    for is_bad, group in groupby(blocks, lambda block: block[0].startswith(f"# {UNREADABLE}")):
        boards = [*group]
        if is_bad:
            lines += chain.from_iterable(boards)
            continue
        side = max(len(line) for line in boards[0] if line[0] in " -")  # others are remarks
        n_beside = max(1, (width + len(BOARD_GAP)) // (side + len(BOARD_GAP)))
        for row in batched(boards, n_beside):
            wrapped = [[part for line in board for part in _wrap(line, side)] for board in row]
            for cells in zip_longest(*wrapped, fillvalue=""):
                lines.append(BOARD_GAP.join(cell.ljust(side) for cell in cells).rstrip())
            lines.append("")
    drawn = "".join(f"{line}\n" for line in lines)
    # Marked givens have characters from `MARK` on.
    return re.sub(
        f"[{chr(MARK)}-{chr(MARK + 127)}]+",
        lambda m: paint("".join(chr(ord(c) - MARK) for c in m[0]), "given"),
        drawn,
    )


def _wrap(line: str, width: int) -> list[str]:
    return [line] if len(line) <= width else textwrap.wrap(line, width)
