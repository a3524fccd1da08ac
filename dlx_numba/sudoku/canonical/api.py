"""`canonical`: a form that is the same for all boards that the symmetries of Sudoku relate."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import without_delay
from ...runtime.errors import Stopped
from ...runtime.interrupts import Stop, StopEvent
from ...runtime.text import plural
from ..backends import WorkerThreads, check_threads, n_leading
from ..box import Box
from ..convert import BoxLike, Puzzles, convert_puzzles
from ..verify import check_values
from .minimal_form import Workspace, minimize_forms
from .segment import MAX_BOX_SIDE

MAX_PYTHON_BOARDS = 32  # boards for which the kernel is not compiled; this takes up to a second
MIN_SLICE_BOARDS, MAX_SLICE_BOARDS = 64, 4096  # that a thread takes at a time

# Segments per call of the kernel, which cannot be interrupted: about 20 ms, and in plain Python 50.
# A regular board of 16×16 takes twice as many.
SEGMENTS_PER_CALL = 1 << 18
PYTHON_SEGMENTS_PER_CALL = 1 << 8

# The memory for the partial transformations that `minimal_form` keeps. It grows for the few boards
# that need more. The 3,359,232 transformations of 9×9 boards fit into the maximum.
MIN_MAPS = 1 << 10
GROWTH = 4
MAX_BYTES = 1 << 29

TOO_SYMMETRIC = "too symmetric: too many transformations lead to the same first rows"


def canonical(
    puzzles: Puzzles,
    threads: int | None = None,
    *,
    box: BoxLike = None,
    alphabet: str = "auto",
    stop: StopEvent | None = None,
) -> NDArray[np.uint8]:
    """Return the canonical forms of boards: the smallest boards that are equivalent to them.

    Two boards are equivalent if one results from the other by the symmetries of Sudoku: any
    permutation of the values, of the bands, of the rows of a band, of the stacks, and of the
    columns of a stack, and the transposition if boxes are square. At 9×9, these are
    9! · 3,359,232 transformations.

    The canonical form is the board, among all that are equivalent, whose cells, read row by row
    with 0 for an empty cell, are the smallest sequence in lexicographic order. So two boards are
    equivalent if and only if their canonical forms are equal.

    Parameters
    ----------
    puzzles
        Boards in one of the forms that `solve_batch` accepts: puzzles, complete boards, and boards
        with contradictory givens.
    threads
        The number of threads; None for one per processor. It does not change the result.
    box, alphabet
        The parameters of `solve_batch`. Boxes have up to 8 rows and 8 columns.
    stop
        A `threading.Event`, or another object with a method `is_set`: if it is set, the call ends
        soon.

    Returns
    -------
    ndarray of uint8, shape (N, cells)
        The canonical forms, 0 for an empty cell.

    Raises
    ------
    ValueError
        If `puzzles` has the wrong shape or type or a value out of range, if another argument is
        invalid, or if a board is too symmetric: too many transformations lead to the same first
        rows. This happens only for boards of 16×16 and more that are nearly complete and either
        regular or contradictory.
    TypeError
        If `threads` is not an integer, or `stop` has no method `is_set`.
    Stopped
        If `stop` is set before all forms are found; its `partial` has those of the first boards.

    Examples
    --------
    >>> forms = canonical(["1.....3..4.....2", "2.....4..3.....1", "4......2.1..3..."])
    >>> forms[0].reshape(4, 4)
    array([[0, 0, 0, 1],
           [0, 2, 0, 0],
           [0, 0, 3, 0],
           [4, 0, 0, 0]], dtype=uint8)
    >>> (forms == forms[0]).all(axis=1)
    array([ True,  True, False])

    The number of boards that are not equivalent:

    >>> len(np.unique(forms, axis=0))
    2
    """
    if isinstance(puzzles, str):
        raise ValueError("puzzles must be a sequence; pass a single puzzle as [puzzle]")
    boards, shape = convert_puzzles(puzzles, box, alphabet)
    check_values(boards, shape.n)
    with FormThreads(check_threads(threads), Stop(event=stop)) as workers:
        forms = workers.submit(boards, shape)()
    n_done = n_leading(forms.is_done)
    n_known = n_leading(forms.is_known[:n_done])
    if n_known < n_done:
        raise ValueError(f"puzzle {n_known}: {TOO_SYMMETRIC}")
    if n_done < len(boards):
        message = f"stopped after {n_done:,} of {plural(len(boards), 'board')}"
        raise Stopped(message, forms.boards[:n_done])
    return forms.boards


class Forms(NamedTuple):
    """The canonical forms of a batch.

    Attributes
    ----------
    boards : ndarray of uint8, shape (N, cells)
        The forms.
    is_known : ndarray of bool, shape (N,)
        Whether the form was found; otherwise, the board is too symmetric.
    is_done : ndarray of bool, shape (N,)
        Whether the form was found or not; False if the threads were stopped before.
    """

    boards: NDArray[np.uint8]
    is_known: NDArray[np.bool_]
    is_done: NDArray[np.bool_]


class FormThreads(WorkerThreads):
    """Threads that find canonical forms."""

    def submit(self, boards: NDArray[np.uint8], box: Box) -> Callable[[], Forms]:
        """Start on the forms of `boards` (N, cells); return a function that waits for them.

        Raises ValueError if boxes are too large. A small batch is computed in the calling thread.
        """
        if max(box) > MAX_BOX_SIDE:
            raise ValueError(
                f"box {box}: canonical forms need boxes of up to {MAX_BOX_SIDE} rows and columns"
            )
        size = len(boards)
        forms = Forms(np.zeros_like(boards), np.zeros(size, np.bool_), np.zeros(size, np.bool_))

        def find_slice(rows: slice) -> None:
            self._find(boards, box, forms, rows)

        wait_for_slices = self.start_slices(find_slice, size, MIN_SLICE_BOARDS, MAX_SLICE_BOARDS)

        def wait_for_result() -> Forms:
            wait_for_slices()
            return forms

        return wait_for_result

    def _find(self, boards: NDArray[np.uint8], box: Box, forms: Forms, rows: slice) -> None:
        """Find the forms of some rows, with more memory for boards that need it."""
        work = Workspace.allocate(box, MIN_MAPS)
        minimize, budget = minimize_forms, SEGMENTS_PER_CALL
        if len(boards) <= MAX_PYTHON_BOARDS and box.n <= 9 and _have_puzzle_clues(boards):
            minimize = without_delay(minimize)
            if minimize is not minimize_forms:
                budget = PYTHON_SEGMENTS_PER_CALL
        start = rows.start
        while start < rows.stop and not self.stop():
            left = slice(start, rows.stop)
            n_found = minimize(boards[left], box.rows, forms.boards[left], work, budget)
            found = slice(start, start + n_found)
            forms.is_known[found] = forms.is_done[found] = True
            start += n_found
            if n_found == 0:
                capacity = len(work.maps) * GROWTH
                if 2 * capacity * work.maps.shape[1] > MAX_BYTES:
                    forms.boards[start] = 0
                    forms.is_done[start] = True
                    start += 1
                    capacity = MIN_MAPS
                work = Workspace.allocate(box, capacity)


def _have_puzzle_clues(boards: NDArray[np.uint8]) -> bool:
    """Return whether all boards have clues in a fifth of the cells; others may be symmetric."""
    return bool((5 * np.count_nonzero(boards, axis=1) >= boards.shape[1]).all())


class DistinctBoards:
    """The set of the boards that were added so far.

    Boards are compared completely. Each is stored in 4 bits per cell, or in 8 if values exceed 15.

    Examples
    --------
    >>> seen = DistinctBoards()
    >>> boards = np.array([[1, 2, 3, 4] * 4, [0] * 16, [1, 2, 3, 4] * 4], np.uint8)
    >>> seen.add(boards, Box(2, 2))
    array([ True,  True, False])
    >>> seen.add(boards[1:], Box(2, 2)), len(seen)
    (array([False, False]), 2)
    """

    def __init__(self) -> None:
        self._keys: set[bytes] = set()  # boards of different sizes have keys of different lengths

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, boards: NDArray[np.uint8], box: Box) -> NDArray[np.bool_]:
        """Add `boards` (N, cells). Return which of them were not in the set, shape (N,)."""
        if box.n < 16:
            halves = np.zeros((len(boards), box.cells + box.cells % 2), np.uint8)
            halves[:, : box.cells] = boards
            boards = np.bitwise_or(halves[:, ::2] << 4, halves[:, 1::2], dtype=np.uint8)
        data, length = boards.tobytes(), boards.shape[1]
        is_new = np.zeros(len(boards), np.bool_)
        for row in range(len(boards)):
            n_keys = len(self._keys)
            self._keys.add(data[row * length : (row + 1) * length])
            is_new[row] = len(self._keys) > n_keys
        return is_new
