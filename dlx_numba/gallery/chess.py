"""Chessboards with queens, as text and as pictures."""

from collections.abc import Collection, Iterable

from ..svg.board import board_picture


def dark_cells(n_rows: int, n_columns: int) -> set[tuple[int, int]]:
    """Return the dark cells of a chessboard, as (row, column).

    >>> sorted(dark_cells(2, 2))
    [(0, 1), (1, 0)]
    """
    return {(r, c) for r in range(n_rows) for c in range(n_columns) if (r + c) % 2}


def describe_cells(cells: Iterable[tuple[int, int]]) -> str:
    """Return the positions of cells for screen readers; rows and columns count from 1.

    >>> describe_cells([(0, 0), (1, 2)])
    'row 1 column 1, row 2 column 3'
    """
    return ", ".join(f"row {r + 1} column {c + 1}" for r, c in cells)


def format_queens(n: int, cells: Collection[int]) -> str:
    """Return an n × n board with queens on the given cells, which are numbered by rows.

    >>> print(format_queens(2, [0]))
    Q .
    . .
    """
    symbols = ["Q" if cell in cells else "." for cell in range(n * n)]
    return "\n".join(" ".join(symbols[start : start + n]) for start in range(0, n * n, n))


def draw_queens(title: str, n: int, cells: Collection[int]) -> str:
    """Return an SVG document of the same board.

    >>> draw_queens("One queen", 2, [0]).count("♛")
    1
    """
    queens = sorted(divmod(cell, n) for cell in cells)
    texts = [["♛" if (r, c) in queens else "" for c in range(n)] for r in range(n)]
    description = f"Queens: {describe_cells(queens)}."
    return board_picture(title, description, texts, shaded=dark_cells(n, n), size=0.8)
