"""Elements of a picture at coordinates of one's own, in sides of a cell, for `picture.document`."""

from collections.abc import Collection, Sequence
from html import escape
from itertools import product

from .picture import INK, PAPER, SHADE, SIDE, Corner, square


def area(corners: Sequence[Corner], colour: str) -> str:
    """A filled polygon.

    >>> area([(0, 0), (1, 0), (0, 1)], "#fff")
    '<path d="M0 0L48 0L0 48z" fill="#fff" stroke="#222"/>'
    """
    return f'<path d="{_path(corners)}z" fill="{colour}" stroke="{INK}"/>'


def squares(rows: int, columns: int, shaded: Collection[tuple[int, int]] = ()) -> list[str]:
    """The cells of a board, by rows; those of `shaded`, as (row, column), are darker.

    >>> len(squares(2, 3, {(0, 0)}))
    6
    """
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    return [area(square(*cell), SHADE if cell in shaded else PAPER) for cell in cells]


def grid(
    rows: Sequence[Sequence[str]],
    regions: Sequence[Sequence[str]],
    shaded: Collection[tuple[int, int]] = (),
) -> list[str]:
    """Signs in cells, with bold lines between cells of different regions, and round all.

    >>> len(grid(["ab"], ["xy"]))          # 2 cells, 2 signs, a line and the frame
    6
    """
    bottom, right = len(rows), len(rows[0])
    elements = squares(bottom, right, shaded)
    for r, c in product(range(bottom), range(right)):
        elements.append(word(rows[r][c], (c + 0.5, r + 0.5)))
        if r and regions[r][c] != regions[r - 1][c]:
            elements.append(line([(c, r), (c + 1, r)]))
        if c and regions[r][c] != regions[r][c - 1]:
            elements.append(line([(c, r), (c, r + 1)]))
    return [*elements, line([(0, 0), (right, 0), (right, bottom), (0, bottom), (0, 0)])]


def line(corners: Sequence[Corner], colour: str = INK, width: float = 0.06) -> str:
    """A line from corner to corner, with round ends."""
    pen = f'stroke="{colour}" stroke-width="{width * SIDE:g}"'
    return f'<path d="{_path(corners)}" fill="none" {pen} stroke-linecap="round"/>'


def word(text: str, middle: Corner, size: float = 0.5) -> str:
    """A word with its middle there."""
    x, y = (round(way * SIDE, 1) for way in middle)
    size_text = f'font-size="{size * SIDE:g}"'
    return f'<text x="{x:g}" y="{y:g}" dy=".35em" {size_text}>{escape(text)}</text>'


def _path(corners: Sequence[Corner]) -> str:
    return "M" + "L".join(f"{round(x * SIDE, 1):g} {round(y * SIDE, 1):g}" for x, y in corners)
