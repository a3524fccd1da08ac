"""A Sudoku board as a picture."""

from collections.abc import Sequence

from ..box import Box
from .svg import label, picture, tag

SIDE, MARGIN = 36, 8


def board_picture(
    title: str, symbols: Sequence[str], box: Box, solution: Sequence[str] | None = None
) -> str:
    """The board as SVG, with rules between its boxes.

    `symbols` has one for each cell, "" for an empty one; `solution`, if given, fills those in.
    """
    n = box.n
    end = MARGIN + n * SIDE
    parts = []
    for cell, symbol in enumerate(symbols):
        x, y = MARGIN + cell % n * SIDE, MARGIN + cell // n * SIDE
        text = symbol or (solution[cell] if solution else "")
        if symbol:
            parts.append(tag("rect", x=x, y=y, width=SIDE, height=SIDE, class_="band"))
        if text:
            kind = "strong" if symbol else "one"
            style = "font-size:18px"
            parts.append(label(text, x + SIDE / 2, y + SIDE / 2 + 6.5, kind, style=style))
    for thick in (False, True):
        kind = "rule" if thick else "thin"
        for k in range(n + 1):
            at = MARGIN + k * SIDE
            if (k % box.columns == 0) == thick:
                parts.append(tag("line", x1=at, y1=MARGIN, x2=at, y2=end, class_=kind))
            if (k % box.rows == 0) == thick:
                parts.append(tag("line", x1=MARGIN, y1=at, x2=end, y2=at, class_=kind))
    givens = sum(map(bool, symbols))
    said = f"A {n}×{n} board with {givens} givens"
    said += ", solved." if solution else "."
    return picture(end + MARGIN, end + MARGIN, title, said, parts)
