"""Place boards beside each other on a terminal."""

import textwrap
from itertools import chain, zip_longest

from .columns import UNREADABLE

BOARD_GAP = "   "  # between boards


def lay_out(text: str, width: int) -> str:
    """Place boards, which blank lines separate, in rows of as many as the width allows.

    Remarks under a board are wrapped. A line that reports unreadable text stays between the rows.
    """
    lines: list[str] = []
    row: list[list[str]] = []

    def end_row() -> None:
        for cells in zip_longest(*row, fillvalue=""):
            padded = [cell.ljust(len(max(row[k], key=len))) for k, cell in enumerate(cells)]
            lines.append(BOARD_GAP.join(padded).rstrip())
        lines.extend([""] * bool(row))
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
    return "".join(f"{line}\n" for line in lines)
