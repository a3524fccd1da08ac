"""Verify many boards at once: their givens, solutions, and the claims of a file."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..runtime.text import plural
from .box import Box, units
from .engines.base import Boards, EngineResult
from .io.board import format_board
from .io.records import Records
from .io.symbols import Alphabet
from .io.table import SOLUTION_NAME


def find_conflicts(
    boards: Boards,
    box: Box,
    alphabet: Alphabet | None = None,
    regions: Sequence[int] | None = None,
) -> Iterator[tuple[int, str]]:
    """Find the boards in which a row, a column or a box contains a value more than once.

    Parameters
    ----------
    boards
        The values of the cells, shape (N, cells), 0 for an empty cell.
    box
        The box of the boards.
    alphabet
        The symbols of the values; None for decimal numbers.
    regions
        The number of each cell's region, from 0, if regions replace the boxes.

    Yields
    ------
    row : int
        The index of the board.
    conflict : str
        The value, and the first row, column or box that contains it more than once.

    Examples
    --------
    >>> board = np.array([[0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2, 0, 0, 0, 0]], np.uint8)
    >>> list(find_conflicts(board, Box(2, 2)))
    [(0, 'two 2s in row 3')]
    """
    values = np.sort(boards[:, np.array(units(box, regions))], axis=2)
    is_repeated = (values[:, :, 1:] == values[:, :, :-1]) & (values[:, :, 1:] > 0)
    for row in np.flatnonzero(is_repeated.any(axis=(1, 2))).tolist():
        unit, position = np.argwhere(is_repeated[row])[0].tolist()
        value = values[row, unit, position]
        symbol = str(value) if alphabet is None else format_board(np.array([value]), alphabet)
        kind, number = divmod(unit, box.n)
        yield row, f"two {symbol}s in {('row', 'column', 'box')[kind]} {number + 1}"


def are_solutions(solutions: Boards, puzzles: Boards, box: Box) -> NDArray[np.bool_]:
    """Return whether each board is a solution of the corresponding puzzle.

    Parameters
    ----------
    solutions
        Boards of shape (N, cells).
    puzzles
        Puzzles of the same shape, 0 for an empty cell.
    box
        The box of the boards.

    Returns
    -------
    ndarray of bool, shape (N,)
        True if the board is complete and valid and agrees with the givens of the puzzle.

    Examples
    --------
    >>> board = np.array([[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]], np.uint8)
    >>> are_solutions(board, np.zeros_like(board), Box(2, 2))
    array([ True])
    """
    has_values = np.sort(solutions[:, np.array(units(box))], axis=2) == np.arange(1, box.n + 1)
    keeps_givens = (puzzles == 0) | (puzzles == solutions)
    return np.asarray(has_values.all(axis=(1, 2)) & keeps_givens.all(axis=1))


def verify_claims(records: Records, result: EngineResult, limit: int) -> list[tuple[int, str]]:
    """Compare the solutions and counts that a file gives with those that were found.

    Parameters
    ----------
    records
        The boards of the file and what it says about them.
    result
        The result of solving these boards.
    limit
        The limit up to which their solutions were counted.

    Returns
    -------
    list of (int, str)
        The line of each board with a wrong claim, and a description of the error.
    """
    wrong: list[tuple[int, str]] = []
    if records.solutions is not None:
        has_solution = records.solutions.any(axis=1)
        differs = (records.solutions != result.solutions).any(axis=1)
        rows = np.flatnonzero(has_solution & differs)
        # A solution that differs from the one that was found is right if it is another one.
        valid = _solve(records, records.solutions[rows], rows)
        wrong += [
            (int(records.lines[row]), "the solution given in the file does not solve the puzzle")
            for row in rows[~valid]
        ]
    for row, fields in enumerate(records.others or ()):
        if SOLUTION_NAME in fields:
            reason = "the solution given in the file cannot be read, or is not complete"
            wrong.append((int(records.lines[row]), reason))
    if records.counts is not None and limit > 1:  # with limit 1, others are not sought
        # The count after a complete board is that of its puzzle, which the file does not contain.
        is_puzzle = ~records.boards.all(axis=1)
        claimed = np.where(is_puzzle, np.minimum(records.counts, limit), -1)
        found = result.counts
        is_comparable = (claimed >= 0) & (found >= 0)  # -1: no claim, or unfinished
        for row in np.flatnonzero(is_comparable & (claimed != found)).tolist():
            reason = _count_mismatch(int(records.counts[row]), int(found[row]), limit)
            wrong.append((int(records.lines[row]), reason))
    return wrong


def _solve(records: Records, solutions: Boards, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether each board is a solution of the puzzle in a row of the records."""
    puzzles = records.boards[rows]
    if records.rules is None:
        return are_solutions(solutions, puzzles, records.box)
    result = EngineResult.allocate(solutions)
    records.rules.engine(records.box).solve(solutions, 1, result, lambda: False)
    keeps_givens = ((puzzles == 0) | (puzzles == solutions)).all(axis=1)
    return np.asarray((result.counts == 1) & keeps_givens)


def _count_mismatch(claimed: int, found: int, limit: int) -> str:
    verb = "was" if found == 1 else "were"
    at_least = "at least " if found == limit else ""
    return f"the file gives {plural(claimed, 'solution')}, but {at_least}{found:,} {verb} found"
