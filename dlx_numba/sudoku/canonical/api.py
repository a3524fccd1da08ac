"""Canonical (minlex) forms and automorphisms under the Sudoku symmetry group."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, Literal, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from ...runtime.batches import (
    WorkerThreads,
    check_complete,
    check_threads,
    check_workers,
    fill_by_tasks,
    n_leading,
    split_rows,
)
from ...runtime.interrupts import Stop, StopEvent
from ..box import Box, BoxLike
from ..convert import ErrorHandling, Puzzles, convert_entries
from .minimal_form import MANY, CanonicalWorkspace, minimize_forms
from .segment import MAX_BOX_SIDE

# Boards that a thread takes at a time
MIN_SLICE_BOARDS = 64
MAX_SLICE_BOARDS = 4096
PARTS_PER_THREAD = 4  # if there are enough boards: this balances the load

# Segments per call of the kernel, which cannot be interrupted: about 20 ms. A regular board of
# 16×16 takes twice as many.
SEGMENTS_PER_CALL = 1 << 18

# The memory for the partial transformations that `minimal_form` keeps. It grows for the few boards
# that need more. The 3,359,232 transformations of 9×9 boards fit into the maximum.
MIN_MAPS = 1 << 10
GROWTH = 4
MAX_BYTES = 1 << 29

TOO_SYMMETRIC = "too symmetric: too many transformations lead to the same first rows"


@overload
def canonical(  # type: ignore[overload-overlap]  # a string is also an iterable
    puzzles: str,
    threads: int | None = ...,
    *,
    box: BoxLike = ...,
    alphabet: str = ...,
    executor: Executor | None = ...,
    errors: Literal["raise"] = ...,
    seconds: float | None = ...,
    stop: StopEvent | None = ...,
) -> str: ...
@overload
def canonical(
    puzzles: Puzzles,
    threads: int | None = ...,
    *,
    box: BoxLike = ...,
    alphabet: str = ...,
    executor: Executor | None = ...,
    errors: Literal["raise"] = ...,
    seconds: float | None = ...,
    stop: StopEvent | None = ...,
) -> NDArray[np.uint8]: ...
@overload
def canonical(
    puzzles: Puzzles,
    threads: int | None = ...,
    *,
    box: BoxLike = ...,
    alphabet: str = ...,
    executor: Executor | None = ...,
    errors: Literal["mark"],
    seconds: float | None = ...,
    stop: StopEvent | None = ...,
) -> tuple[NDArray[np.uint8], dict[int, str]]: ...
def canonical(
    puzzles: Puzzles,
    threads: int | None = None,
    *,
    box: BoxLike = None,
    alphabet: str = "auto",
    executor: Executor | None = None,
    errors: ErrorHandling = "raise",
    seconds: float | None = None,
    stop: StopEvent | None = None,
) -> Any:
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
    puzzles : array_like, str, bytes, path-like or file
        Boards in one of the forms that `solve_batch` accepts: puzzles, complete boards, and boards
        with contradictory givens.
    threads : int, optional
        The number of threads; None for one per available processor. It does not change the result.
    box, alphabet
        As for `solve_batch`. Boxes have up to 8 rows and 8 columns.
    executor : concurrent.futures.Executor, optional
        The executor that finds the forms instead of threads of this process, as in `solve_batch`.
    errors : {"raise", "mark"}, default: "raise"
        How to handle entries that are not boards (see `solve_batch`) or are too symmetric: "raise"
        raises ValueError; "mark" gives them zeros and reports them in the result.
    seconds : float, optional
        The time limit.
    stop : StopEvent, optional
        An object with a method `is_set`, such as `threading.Event`. The call ends soon after it is
        set.

    Returns
    -------
    boards : ndarray of uint8, shape (N, cells), or str
        The canonical forms, 0 for an empty cell; for a string, a line for each board.
    errors : dict of int to str
        Only if `errors` is "mark": the reasons why entries are marked, by their indices.

    Raises
    ------
    ValueError
        If `puzzles` has the wrong shape or type or a value out of range, if another argument is
        invalid, if both `threads` and `executor` are given, or if a board is too symmetric: too
        many transformations lead to the same first rows. This happens only for boards of 16×16 and
        more that are nearly complete and either regular or contradictory.
    TypeError
        If `threads` is not an integer, `executor` is not an executor, `seconds` is not a
        number, or `stop` has no method `is_set`.
    Stopped
        If `seconds` or `stop` ends the call; `partial` is the result for the first boards.
    Exception
        Any exception of the executor, such as `BrokenProcessPool`.

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
    entries = convert_entries(puzzles, box, alphabet, errors)
    boards = entries.boards[entries.readable]
    shape = entries.box
    threads = check_workers(threads, executor)
    condition = Stop(seconds, stop)
    if executor is None:
        forms = find_forms(boards, shape, threads, condition)
    else:
        forms = Forms.allocate(boards)

        def send(part: slice) -> Future[Forms]:
            return executor.submit(find_forms, boards[part], shape)

        fill_by_tasks(executor, send, forms, condition)
    forms = Forms(entries.expand(forms.boards), entries.expand(forms.automorphisms, -1))
    size = len(entries.boards)
    n_done = n_leading(forms.automorphisms != 0)
    without_form = np.flatnonzero(~forms.is_known[:n_done]).tolist()
    reasons = {number: entries.errors.get(number, TOO_SYMMETRIC) for number in without_form}
    result: Any = entries.as_given(forms.boards[:n_done])
    if errors == "mark":
        result = result, reasons
    elif reasons:
        number = min(reasons)
        raise entries.error(number, reasons[number])
    return check_complete(result, n_done, size, "board")


def automorphisms(
    boards: Puzzles,
    threads: int | None = None,
    *,
    box: BoxLike = None,
    alphabet: str = "auto",
    seconds: float | None = None,
    stop: StopEvent | None = None,
) -> NDArray[np.int64]:
    """Return the number of symmetries of Sudoku that map each board to itself.

    An automorphism is a permutation of the cells, composed of permutations of the bands, of the
    rows of a band, of the stacks, and of the columns of a stack, and the transposition if boxes are
    square, together with a permutation of the values that occur on the board, such that the board
    remains the same. The permutation of the cells determines that of the values. Values that do not
    occur are not permuted, so an empty board has one automorphism for each permutation of the
    cells: 3,359,232 at 9×9.

    Let g be the number of permutations of the cells and k the number of values that occur. A board
    with a automorphisms is equivalent to g · n! / (a · (n - k)!) boards, including itself. At 9×9,
    a complete board is equivalent to 3,359,232 · 362,880 / a boards.

    Parameters
    ----------
    boards : array_like, str, bytes, path-like or file
        Boards in one of the forms that `solve_batch` accepts: puzzles, complete boards, and boards
        with contradictory givens.
    threads : int, optional
        The number of threads; None for one per available processor. It does not change the result.
    box, alphabet
        As for `solve_batch`. Boxes have up to 8 rows and 8 columns.
    seconds : float, optional
        The time limit.
    stop : StopEvent, optional
        An object with a method `is_set`, such as `threading.Event`. The call ends soon after it is
        set.

    Returns
    -------
    ndarray of int64, shape (N,)
        The number of automorphisms of each board, at least 1.

    Raises
    ------
    ValueError
        If an argument is invalid, or if a board is too symmetric: as for `canonical`, or because
        the number exceeds 2⁶³ - 1, which happens only on boards of 25×25 and more.
    TypeError
        If `threads` is not an integer, `seconds` is not a number, or `stop` has no
        method `is_set`.
    Stopped
        If `seconds` or `stop` ends the call; `partial` has the results for the first boards.

    Examples
    --------
    >>> automorphisms(["1234" "3412" "2143" "4321", "1....2....3....4", "." * 16])
    array([ 32,  16, 128])

    The complete 9×9 board with the most automorphisms:

    >>> automorphisms(
    ...     "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
    ... )
    array([648])
    """
    entries = convert_entries(boards, box, alphabet)
    forms = find_forms(entries.boards, entries.box, check_threads(threads), Stop(seconds, stop))
    n_done = n_leading(forms.automorphisms != 0)
    is_known = forms.is_known & (forms.automorphisms < MANY)
    if not is_known[:n_done].all():
        raise entries.error(int(np.argmin(is_known)), TOO_SYMMETRIC)
    return check_complete(forms.automorphisms[:n_done], n_done, len(is_known))


def find_forms(
    boards: NDArray[np.uint8], box: Box, threads: int = 1, stop: Stop | None = None
) -> Forms:
    """Return the canonical forms of `boards` (N, cells), whose values are valid."""
    with WorkerThreads(threads, stop or Stop()) as workers:
        return start_forms(workers, np.require(boards, np.uint8, ["C", "W"]), box)()


class Forms(NamedTuple):
    """The canonical forms of a batch.

    Attributes
    ----------
    boards : ndarray of uint8, shape (N, cells)
        The forms.
    automorphisms : ndarray of int64, shape (N,)
        The number of automorphisms of each board, up to `MANY`; -1 if the board is too symmetric,
        and 0 if the threads were stopped before its form was found.
    """

    boards: NDArray[np.uint8]
    automorphisms: NDArray[np.int64]

    @classmethod
    def allocate(cls, boards: NDArray[np.uint8]) -> Forms:
        """Return zeros for the forms of `boards` (N, cells), none of which is known."""
        return cls(np.zeros_like(boards), np.zeros(len(boards), np.int64))

    @property
    def is_known(self) -> NDArray[np.bool_]:
        """Whether the form of each board was found."""
        return np.asarray(self.automorphisms > 0)


def start_forms(workers: WorkerThreads, boards: NDArray[np.uint8], box: Box) -> Callable[[], Forms]:
    """Start on the forms of `boards` (N, cells); return a function that waits for them.

    Raises ValueError if boxes are too large. A small batch is computed in the calling thread.
    """
    if max(box) > MAX_BOX_SIDE:
        raise ValueError(
            f"box {box}: canonical forms need boxes of up to {MAX_BOX_SIDE} rows and columns"
        )
    forms = Forms.allocate(boards)

    def find_slice(rows: slice) -> None:
        """Find the forms of some rows, until the workers stop, with more memory where needed."""
        work = CanonicalWorkspace.allocate(box, MIN_MAPS)
        start = rows.start
        while start < rows.stop and not workers.stop():
            left = slice(start, rows.stop)
            results = [array[left] for array in forms]
            n_found = minimize_forms(boards[left], *results, work, SEGMENTS_PER_CALL)
            start += n_found
            if n_found == 0:  # the next board needs more memory
                capacity = len(work.maps) * GROWTH  # of each of two arrays of maps
                if 2 * capacity * work.maps.shape[1] > MAX_BYTES:  # it is marked as too symmetric
                    forms.boards[start] = 0
                    forms.automorphisms[start] = -1
                    start += 1
                    capacity = MIN_MAPS
                work = CanonicalWorkspace.allocate(box, capacity)

    n_parts = max(PARTS_PER_THREAD * workers.n_workers, -(-len(boards) // MAX_SLICE_BOARDS))
    parts = split_rows(len(boards), n_parts, MIN_SLICE_BOARDS)
    if len(parts) < 2:
        workers.run_parts(find_slice, parts)
        return lambda: forms
    return workers.start_parts(find_slice, parts, forms)
