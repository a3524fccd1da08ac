"""The public functions: `solve_batch` for many puzzles, `solve_sudoku` and `iter_solutions`."""

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from operator import index
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..jit.compile import default_threads
from ..kernels.state import UNLIMITED
from ..runtime.interrupts import Stop
from .backends import Backend, ExecutorBackend, ThreadBackend
from .box import Box
from .engines.base import BatchResult
from .engines.enumerate import iterate_solutions
from .io.board import format_board, parse_board
from .io.symbols import Alphabet, select_alphabet
from .verify import check_values

BoxLike = Box | tuple[int, int] | str | None


class NoSolution(ValueError):
    """The puzzle has no solution."""


def solve_batch(
    puzzles: ArrayLike | Sequence[str],
    limit: int | None = 1,
    engine: str = "auto",
    threads: int | None = None,
    *,
    box: BoxLike = None,
    alphabet: str = "auto",
    seconds: float | None = None,
    executor: Executor | None = None,
) -> BatchResult:
    """Solve many Sudoku puzzles of the same size.

    Parameters
    ----------
    puzzles
        An array of integers of shape (N, cells) or (N, n, n), 0 for an empty cell; or N strings.
    limit
        The number of solutions at which the search for a puzzle ends: 1 solves it, 2 determines
        whether its solution is unique, None counts all solutions.
    engine
        The solver. "auto" selects the fastest: "lanes" for 9×9 boards (many boards at once in the
        lanes of vector registers), "dlx" (Dancing Links) for all others. For comparison:
        "dlx-leftmost" (branches on the first item instead of the smallest), "elimination" (does not
        guess, and leaves most puzzles unfinished), "naive", "very-naive", "naive-python" and
        "very-naive-python".
    threads
        The number of threads; None for one per processor. It does not change the result.
    box
        The rows and columns of a box, such as (2, 3) or "2x3"; None for the standard box.
    alphabet
        The symbols in strings of boards larger than 9×9: "1-9A-", "0-9A-" or "A-" (at 16×16:
        1-9A-G, 0-9A-F, A-P). "auto" determines it from all puzzles together; if the first two fit,
        it is "1-9A-".
    seconds
        The time limit. Puzzles that are not finished then have the count -1.
    executor
        The executor that solves the puzzles instead of threads of this process: any executor with
        the interface of `concurrent.futures`, such as a `ProcessPoolExecutor` or Dask's
        `client.get_executor()`. The puzzles are sent in chunks, one per task. The result is the
        same as with threads. The executor is not shut down.

    Returns
    -------
    BatchResult
        The arrays `solutions` (N, cells) uint8, `counts` (N,) int64 and `nodes` (N,) int64. A
        puzzle with contradictory givens has the count 0. A puzzle that "elimination" cannot finish
        has the count -1 and the partially filled board in `solutions`; one that it completes has
        the count 1 for any limit, because its solution is unique.

    Raises
    ------
    ValueError
        If `puzzles` has the wrong shape or type or a value out of range, if another argument is
        invalid, or if both `threads` and `executor` are given.
    Exception
        Any exception of the executor, such as `BrokenProcessPool`.

    Examples
    --------
    >>> result = solve_batch(["1..." "..3." ".4.." "...2", "1..." "1..." "...." "...."], limit=2)
    >>> result.counts
    array([1, 0])
    >>> result.solutions[0].reshape(4, 4)
    array([[1, 3, 2, 4],
           [4, 2, 3, 1],
           [2, 4, 1, 3],
           [3, 1, 4, 2]], dtype=uint8)

    On an executor:

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as executor:
    ...     solve_batch(["1..." "..3." ".4.." "...2"] * 5, executor=executor).counts
    array([1, 1, 1, 1, 1])
    """
    boards, box = _as_boards(puzzles, _as_box(box), alphabet)
    limit = UNLIMITED if limit is None else min(index(limit), UNLIMITED)
    if limit < 1:
        raise ValueError(f"limit must be at least 1, or None to count all solutions, not {limit}")
    if executor is not None and threads is not None:
        raise ValueError("threads and executor cannot be combined")
    threads = default_threads() if threads is None else index(threads)
    if threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    stop = Stop(seconds)
    backend: Backend
    if executor is None:
        backend = ThreadBackend(engine, limit, min(threads, max(1, len(boards))), stop)
    else:
        backend = ExecutorBackend(engine, limit, stop, executor)
    with backend:
        return backend.solve(boards, box)


@overload
def solve_sudoku(puzzle: str, *, box: BoxLike = ..., alphabet: str = ...) -> str: ...
@overload
def solve_sudoku(
    puzzle: NDArray[Any], *, box: BoxLike = ..., alphabet: str = ...
) -> NDArray[Any]: ...
@overload
def solve_sudoku(
    puzzle: Sequence[Any], *, box: BoxLike = ..., alphabet: str = ...
) -> list[Any]: ...
def solve_sudoku(puzzle: Any, *, box: BoxLike = None, alphabet: str = "auto") -> Any:
    """Solve one Sudoku puzzle.

    Parameters
    ----------
    puzzle
        A string, on one line or drawn as a grid; or an array or nested lists of integers of shape
        (cells,) or (n, n), 0 for an empty cell.
    box, alphabet
        The parameters of `solve_batch`.

    Returns
    -------
    str, ndarray or list
        The first solution found: a string of one line for a string, an array of the same shape and
        dtype for an array, lists for lists.

    Raises
    ------
    NoSolution
        If the puzzle has no solution.
    ValueError
        If `puzzle` is not a valid board.

    Examples
    --------
    >>> solve_sudoku("1..." "..3." ".4.." "...2")
    '1324423124133142'
    >>> solve_sudoku([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]])
    [[1, 3, 2, 4], [4, 2, 3, 1], [2, 4, 1, 3], [3, 1, 4, 2]]
    """
    board, shape, restore = _as_board(puzzle, box, alphabet)
    return restore(_solve_one(board, shape))


@overload
def iter_solutions(puzzle: str, *, box: BoxLike = ..., alphabet: str = ...) -> Iterator[str]: ...
@overload
def iter_solutions(
    puzzle: NDArray[Any], *, box: BoxLike = ..., alphabet: str = ...
) -> Iterator[NDArray[Any]]: ...
@overload
def iter_solutions(
    puzzle: Sequence[Any], *, box: BoxLike = ..., alphabet: str = ...
) -> Iterator[list[Any]]: ...
def iter_solutions(puzzle: Any, *, box: BoxLike = None, alphabet: str = "auto") -> Iterator[Any]:
    """Iterate over all solutions of one Sudoku puzzle.

    The solutions are found while they are requested, by Dancing Links, and are yielded in the
    order of the search. Memory does not grow with their number.

    Parameters
    ----------
    puzzle, box, alphabet
        The parameters of `solve_sudoku`.

    Returns
    -------
    iterator
        Each solution in the form in which `solve_sudoku` returns it. A puzzle without a solution
        yields nothing.

    Raises
    ------
    ValueError
        If `puzzle` is not a valid board.

    Examples
    --------
    >>> list(iter_solutions("1..." "..3." ".4.." "...."))
    ['1324423124133142', '1324423134122143', '1342423124133124']
    >>> sum(1 for _ in iter_solutions("." * 16))
    288
    """
    board, shape, restore = _as_board(puzzle, box, alphabet)
    return map(restore, iterate_solutions(board, shape))


def _as_board(
    puzzle: Any, box: BoxLike, alphabet: str
) -> tuple[NDArray[np.uint8], Box, Callable[[NDArray[np.uint8]], Any]]:
    """Return a puzzle as an array (cells,), its box, and a function that restores its type."""
    if isinstance(puzzle, str):
        board, symbols, shape = parse_board(puzzle, box=_as_box(box))
        if alphabet != "auto":
            symbols = Alphabet.named(alphabet, shape.n)
            board, _, _ = parse_board(puzzle, box=shape, alphabet=symbols)
        return board, shape, lambda solution: format_board(solution, symbols)
    array = np.asarray(puzzle)
    if array.dtype.kind == "U":
        raise ValueError("puzzle must be a string or integers; use solve_batch for many strings")
    boards, shape = _as_boards(array.reshape(1, -1), _as_box(box))
    check_values(boards, shape.n)

    def restore(solution: NDArray[np.uint8]) -> Any:
        restored = solution.reshape(array.shape).astype(array.dtype)
        return restored if isinstance(puzzle, np.ndarray) else restored.tolist()

    return boards[0].copy(), shape, restore


def _solve_one(board: NDArray[np.uint8], box: Box) -> NDArray[np.uint8]:
    with ThreadBackend("auto", limit=1, n_threads=1, stop=Stop()) as backend:
        result = backend.solve(board[np.newaxis], box)
    if result.counts[0] == 0:
        raise NoSolution("the puzzle has no solution")
    solution: NDArray[np.uint8] = result.solutions[0]
    return solution


def _as_box(box: BoxLike) -> Box | None:
    if box is None:
        return None
    if not isinstance(box, str | tuple):
        raise ValueError(f"box must be a pair or a string such as '2x3', not {box!r}")
    return Box.parse(box) if isinstance(box, str) else Box.checked(*box)


def _as_boards(
    puzzles: Any, box: Box | None, alphabet: str = "auto"
) -> tuple[NDArray[np.uint8], Box]:
    """Return the puzzles as a valid array (N, cells) of uint8, and their box."""
    if isinstance(puzzles, str):
        raise ValueError("puzzles must be a sequence; use solve_sudoku for a single puzzle")
    if isinstance(puzzles, Iterator):
        puzzles = list(puzzles)
    if isinstance(next(iter(puzzles), None), str):
        return _parse_strings(puzzles, box, alphabet)
    array = np.asarray(puzzles)
    if array.ndim == 1 and not len(array):  # no puzzles, of unknown size
        box = box or Box(3, 3)
        array = np.zeros((0, box.cells), np.uint8)
    if array.dtype.kind not in "iu":
        raise ValueError(f"puzzles must be integers or strings, not {array.dtype}")
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[1] != array.shape[2]):
        raise ValueError(f"puzzles must have the shape (N, cells) or (N, n, n), not {array.shape}")
    array = array.reshape(len(array), math.prod(array.shape[1:]))
    box = box or Box.of_cells(array.shape[1])
    if array.shape[1] != box.cells:
        raise ValueError(f"a board with box {box} has {box.cells} cells, not {array.shape[1]}")
    if array.dtype != np.uint8:  # the backend checks the values of uint8 arrays
        check_values(array, box.n)
    return np.require(array, np.uint8, ["C", "W"]), box  # kernels are compiled for such arrays


def _parse_strings(
    puzzles: Sequence[str], box: Box | None, alphabet: str
) -> tuple[NDArray[np.uint8], Box]:
    for number, puzzle in enumerate(puzzles):
        if not isinstance(puzzle, str):
            raise ValueError(f"puzzle {number}: expected a string, like puzzle 0")
    rows = []
    symbols = None
    if len(puzzles[0]) > 81:  # boards larger than 9×9 have letters; all share one alphabet
        n = box.n if box else parse_board(puzzles[0])[2].n
        symbols, _ = select_alphabet(alphabet, n, "".join(puzzles).encode())
    for number, puzzle in enumerate(puzzles):
        try:
            row, symbols, box = parse_board(puzzle, box=box, alphabet=symbols)
        except ValueError as error:
            raise ValueError(f"puzzle {number}: {error}") from None
        rows.append(row)
    assert box is not None
    return np.array(rows), box
