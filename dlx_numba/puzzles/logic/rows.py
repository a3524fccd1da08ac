"""Rows of words, from codes of puzzles, and the texts of boards that they become."""

from collections.abc import Iterable
from typing import Any

from ...runtime.batched import batched

Rows = list[list[str]]


def as_word(value: Any) -> str:
    """Return a value in JSON as a word of a text. Raises ValueError if it is none.

    >>> as_word("A"), as_word(12)
    ('A', '12')
    """
    word = str(value)
    if not isinstance(value, str | int) or word.split() != [word]:
        raise ValueError(f"{word[:20]!r} must be a word or a number")
    return word


def divide(words: list[str], n_columns: int, n_rows: int) -> Rows:
    """Return words as rows. Raises ValueError if they do not fit the size of the board.

    >>> divide([*"123456"], 3, 2)
    [['1', '2', '3'], ['4', '5', '6']]
    """
    if len(words) != n_columns * n_rows:
        raise ValueError(f"{len(words)} cells instead of {n_columns}×{n_rows}")
    return batched(words, n_columns)


def board_text(rows: Rows, *size: int | str) -> str:
    """Return a text of rows below their size, by default that of the rows.

    >>> board_text([["1", "2", "3"], ["4", "5", "6"]])
    '2 3\\n1 2 3\\n4 5 6'
    """
    numbers = size or (len(rows), len(rows[0]))
    return "\n".join([" ".join(map(str, numbers)), *map(" ".join, rows)])


def find_areas(n_columns: int, across: str, down: str) -> list[str]:
    """Return the area of each cell of a board, from the borders between areas.

    A border is 1, no border is 0: `across` has those to the right of cells, `down` those below
    cells, by rows.

    >>> find_areas(2, "10", "10")
    ['0', '1', '1', '1']
    """
    # A row has a border less to the right of its cells than it has cells.
    right = ((k + k // (n_columns - 1), 1, border) for k, border in enumerate(across))
    below = ((k, n_columns, border) for k, border in enumerate(down))
    pairs = [(cell, cell + step) for cell, step, border in (*right, *below) if border == "0"]
    return join_cells(len(down) + n_columns, pairs)


def join_cells(n_cells: int, pairs: Iterable[tuple[int, int]]) -> list[str]:
    """Return the area of each cell if the cells of each pair are in the same one.

    Areas are joined as disjoint sets: each cell leads to one that represents its area.

    >>> join_cells(4, [(2, 3), (1, 2)])
    ['0', '1', '1', '1']
    """
    joined = [*range(n_cells)]

    def area(cell: int) -> int:
        while joined[cell] != cell:
            joined[cell] = joined[joined[cell]]
            cell = joined[cell]
        return cell

    for first, second in pairs:
        joined[area(second)] = area(first)
    return [str(area(cell)) for cell in range(n_cells)]
