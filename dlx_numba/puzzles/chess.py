"""Chessboards: the names of their cells, and their pictures."""

from collections.abc import Iterable, Mapping
from string import ascii_lowercase

from ..pictures.board import board_cells
from ..pictures.grid import Grid


def queens_picture(title: str, n: int) -> Grid:
    """Return the picture of queens on an n × n board, whose options are its cells, row by row."""
    cells = board_cells(n)
    marks = [((cell, "Q"),) for cell in cells]
    names = [square_name(n, column, n) for column in range(1, n + 1)]  # such as "c1"
    return Grid(
        title,
        marks,
        shaded=dark_cells(cells),
        axes=(tuple(map(str, range(n, 0, -1))), tuple(name[:-1] for name in names)),
        size=0.8,
        glyphs=(("Q", "♛"),),
        words=(
            *((f"row,{n + 1 - k}", f"row {k}", f"row {k}") for k in range(1, n + 1)),
            *((f"column,{k}", f"column {name[:-1]}") for k, name in enumerate(names, 1)),
            (r"(up|down),\d+", "a diagonal", "on a diagonal"),
            ("[a-z]+[0-9]+", r"\g<0>"),
            *square_words({(r, c): square_name(r, c, n) for r, c in cells}),
        ),
    )


def square_name(row: int, column: int, n_rows: int) -> str:
    """Return the name of a cell of a chessboard, whose rows chess players count from the bottom.

    >>> square_name(1, 3, 8), square_name(30, 28, 30)
    ('c8', 'ab1')
    """
    lap, letter = divmod(column - 1, len(ascii_lowercase))  # after z come aa, ab, …
    return f"{ascii_lowercase[lap - 1] * (lap > 0)}{ascii_lowercase[letter]}{n_rows + 1 - row}"


def square_words(names: Mapping[tuple[int, int], str]) -> tuple[tuple[str, str], ...]:
    """Return what sentences call cells, from their names."""
    return tuple((f"{r},{c}", name) for (r, c), name in names.items())


def dark_cells(cells: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the dark cells of a chessboard, as (row, column).

    >>> dark_cells([(1, 1), (1, 2), (2, 1), (2, 2)])
    ((1, 2), (2, 1))
    """
    return tuple((r, c) for r, c in cells if (r + c) % 2)
