"""Queens on a chessboard, as text and as a picture."""

from collections.abc import Collection, Iterable

from ..svg.board import board_picture


def dark_cells(rows: int, columns: int) -> set[tuple[int, int]]:
    """Those of a chessboard, as (row, column).

    >>> sorted(dark_cells(2, 2))
    [(0, 1), (1, 0)]
    """
    return {(r, c) for r in range(rows) for c in range(columns) if (r + c) % 2}


def tell_cells(cells: Iterable[tuple[int, int]]) -> str:
    """Where they are, for people who cannot see them. Rows and columns count from 1.

    >>> tell_cells([(0, 0), (1, 2)])
    'row 1 column 1, row 2 column 3'
    """
    return ", ".join(f"row {r + 1} column {c + 1}" for r, c in cells)


def write_queens(n: int, cells: Collection[int]) -> str:
    """A board of n × n, with queens in these cells, which count by rows.

    >>> print(write_queens(2, [0]))
    Q .
    . .
    """
    signs = ["Q" if cell in cells else "." for cell in range(n * n)]
    return "\n".join(" ".join(signs[start : start + n]) for start in range(0, n * n, n))


def draw_queens(title: str, n: int, cells: Collection[int]) -> str:
    """The same as an SVG document.

    >>> draw_queens("One queen", 2, [0]).count("♛")
    1
    """
    places = sorted(divmod(cell, n) for cell in cells)
    signs = [["♛" if (r, c) in places else "" for c in range(n)] for r in range(n)]
    dark = dark_cells(n, n)
    return board_picture(title, f"Queens: {tell_cells(places)}.", signs, shaded=dark, size=0.8)
