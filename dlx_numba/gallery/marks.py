"""Elements of a picture at coordinates of one's own, in sides of a cell, for `picture.document`."""

from collections.abc import Collection, Sequence
from html import escape

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
