"""Rows of words, from codes of puzzles, and the texts of boards that they become."""

from collections.abc import Iterable

from ...runtime.batched import batched

Rows = list[list[str]]


def divide(words: list[str], n_columns: int, n_rows: int) -> Rows:
    """Return words as rows. Raises ValueError if they do not fit the size of the board.

    >>> divide([*"123456"], 3, 2)
    [['1', '2', '3'], ['4', '5', '6']]
    """
    if len(words) != n_columns * n_rows:
        raise ValueError(f"{len(words)} cells instead of {n_columns}×{n_rows}")
    return batched(words, n_columns)


def board_text(rows: Rows, *size: int) -> str:
    """Return a text of rows below their size, by default that of the rows.

    >>> board_text([["1", "2", "3"], ["4", "5", "6"]])
    '2 3\\n1 2 3\\n4 5 6'
    """
    numbers = size or (len(rows), len(rows[0]))
    return "\n".join([" ".join(map(str, numbers)), *map(" ".join, rows)])


def join_cells(n_cells: int, pairs: Iterable[tuple[int, int]]) -> list[str]:
    """Return the area of each cell if the cells of each pair are in the same one.

    >>> join_cells(4, [(2, 3), (1, 2)])
    ['0', '1', '1', '1']
    """
    areas = [*range(n_cells)]
    for first, second in pairs:
        old = areas[second]
        new = areas[first]
        areas = [new if area == old else area for area in areas]
    return [*map(str, areas)]
