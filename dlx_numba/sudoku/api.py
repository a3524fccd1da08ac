"""The public functions: `solve_batch` for many puzzles, `solve_sudoku` and `iter_solutions`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ..runtime.arguments import UNLIMITED, check_integer
from ..runtime.batches import check_workers, fill_by_tasks
from ..runtime.choices import BoardRule, EngineName
from ..runtime.errors import DlxError
from ..runtime.interrupts import Stop, StopEvent
from ..runtime.showing import Display, counting
from .backends import ThreadBackend, solve_task
from .board import Board
from .box import Box, BoxLike
from .candidates import find_candidates
from .convert import ErrorHandling, Puzzles, convert_entries, convert_puzzle
from .engines.base import EngineResult, Rules
from .engines.dlx import iterate_blocks
from .engines.registry import (
    ENGINES,
    LANES_BOX,
    choose_engine,
    resolve_engine,
    run_engine,
    select_rule,
)
from .engines.single import solve_board
from .results import MAX_SHOWN, BatchResult
from .verify import find_conflicts

if TYPE_CHECKING:
    from typing_extensions import Unpack

_BYTES = np.dtype(np.uint8)
# The shapes of arrays that one call solves
_FEW_BOARDS = {(n, LANES_BOX.cells) for n in range(1, 1 + ENGINES["lanes"].boards_at_once)}
PuzzleT = TypeVar("PuzzleT", Board, str, NDArray[Any])


class Options(TypedDict, total=False):
    """The options of functions for one puzzle."""

    box: BoxLike
    alphabet: str
    seconds: float | None
    stop: StopEvent | None
    rules: Rules | None


class NoSolution(DlxError, ValueError):
    """The puzzle has no solution."""


def solve_batch(
    puzzles: Puzzles,
    limit: int | None = 1,
    engine: EngineName = "auto",
    threads: int | None = None,
    *,
    choose: BoardRule | None = None,
    box: BoxLike = None,
    alphabet: str = "auto",
    seconds: float | None = None,
    stop: StopEvent | None = None,
    executor: Executor | None = None,
    errors: ErrorHandling = "raise",
    rules: Rules | None = None,
    candidates: bool = False,
    progress: Display = False,
) -> BatchResult:
    """Solve many Sudoku puzzles of the same size; of several solutions, find any.

    Only a puzzle with a unique solution has *the* solution. Which one is found of several depends
    on the engine; `limit=2` counts them.

    Parameters
    ----------
    puzzles : array_like, str, bytes, path-like or file
        An array of integers of shape (N, cells) or (N, n, n), 0 for an empty cell; masked cells are
        empty. Or N strings of symbols, or of numbers separated by spaces or commas: a sequence of
        str or of bytes, a NumPy array of strings, a pandas column, or bytes with a puzzle on each
        line. Strings of one symbol per cell are read about as fast as arrays. Or a `pathlib.Path`,
        an open file, or a string with the content of a file, in any format that the command `solve`
        reads; the result of `generate`; a chunk of `read_boards`. A `Board`, or an array of shape
        (cells,) or (n, n), is one puzzle; the shape (16, 16) means 16 boards of 4×4, unless `box`
        is that of a 16×16 board.
    limit : int or None, default: 1
        The number of solutions at which the search for a puzzle ends: 1 solves it, 2 determines
        whether its solution is unique, None counts all solutions.
    engine : {"auto", "lanes", "dlx", "textbook", "portfolio", "sat"}, default: "auto"
        The solver. "auto" selects the fastest: "lanes" for 9×9 boards (many boards at once in the
        lanes of vector registers), "dlx" (Dancing Links) for others of up to 16×16, "portfolio"
        (several methods that take turns) for larger ones. "sat" is CaDiCaL, an extra.
    threads : int, optional
        The number of threads; None for one per available processor. It does not change the result.
    choose : {"smallest", "leftmost"}, optional
        How the engine "dlx", which "auto" then selects, chooses the next item: the one with the
        fewest options, its default, or the first one.
    box : (int, int), str or Box, optional
        The rows and columns of a box, such as (2, 3) or "2x3"; None for the one that the bars of a
        drawing show, or else the standard box.
    alphabet : str, default: "auto"
        The symbols in strings: "1-9A-", "0-9A-" or "A-" (at 9×9: 1-9, 0-8, A-I; at 16×16: 1-9A-G,
        0-9A-F, A-P), or "numbers". "auto" is 1 to n up to 9×9; for larger boards, it is determined
        from all puzzles together, and if the first two fit, it is "1-9A-". Boards larger than 25×25
        have numbers.
    seconds : float, optional
        The time limit. Unfinished puzzles then have the count -1.
    stop : StopEvent, optional
        An object with a method `is_set`, such as `threading.Event`. The call ends soon after it is
        set, as after the time limit.
    executor : concurrent.futures.Executor, optional
        The executor that solves the puzzles instead of threads of this process: any executor with
        the interface of `concurrent.futures`, such as a `ProcessPoolExecutor` or Dask's
        `client.get_executor()`. The puzzles are sent in chunks, one per task. The result is the
        same as with threads. The executor is not shut down. After `stop`, tasks that have started
        run to their end, but their results are ignored.
    errors : {"raise", "mark"}, default: "raise"
        How to handle entries that are not puzzles: None, NaN, text that is not a board, also in a
        file, a board of another size than the first one, and values out of range. "raise" raises
        ValueError; "mark" gives them the count -1 and zeros, and solves the others.
    rules : SudokuRules, optional
        The rules of a variant. The engine must be "auto".
    candidates : bool, default: False
        Whether to determine which values of a cell occur in at least one solution, without
        enumerating them: the result has the array `candidates`. A puzzle for which this is
        unfinished has the count -1.
    progress : bool or callable, default: False
        Whether to show a bar, or a function; as for `ExactCover`.

    Returns
    -------
    BatchResult
        The arrays `solutions` (N, cells) uint8, `counts` (N,) int64 and `nodes` (N,) int64; its
        method `strings` returns the solutions as strings, and its attribute `errors` maps the
        indices of marked entries to their reasons. A puzzle with contradictory givens has the count
        0.

    Raises
    ------
    ValueError
        If `puzzles` has the wrong shape or type or a value out of range, if another argument is
        invalid, or if both `threads` and `executor` are given.
    TypeError
        If `limit` or `threads` is not an integer, `seconds` is not a number, or `stop` has no
        method `is_set`.
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

    With the rules of Sudoku X, and all values that occur in solutions:

    >>> from dlx_numba import SudokuRules
    >>> rules = SudokuRules(diagonals=True)
    >>> puzzles = ["1..." "...." ".4.." "...."]
    >>> result = solve_batch(puzzles, rules=rules, limit=None, candidates=True)
    >>> result.counts, (1 + np.flatnonzero(result.candidates[0, 1])).tolist()
    (array([2]), [2, 3])

    With an entry that is not a puzzle:

    >>> result = solve_batch(["1..." "..3." ".4.." "...2", None], errors="mark")
    >>> result.counts, result.errors
    (array([ 1, -1]), {1: 'expected a string, not None'})
    """
    # A few boards in an array, without options, are solved sooner than they could be converted.
    is_plain = engine == alphabet == "auto" and choose is None and box is None and rules is None
    is_unlimited = seconds is None and stop is None and threads is None and executor is None
    is_usual = errors == "raise" and not candidates and progress is False
    if is_plain and is_unlimited and is_usual and type(limit) is int and 0 < limit <= UNLIMITED:
        few: Any = puzzles
        if _are_few(few):
            found = EngineResult.allocate(few)
            run_engine(engine, LANES_BOX, few, limit, found, _never)
            return _as_batch(few, found, {})
    entries = convert_entries(puzzles, box, alphabet, errors)
    boards = entries.boards[entries.readable]
    shape = entries.box
    if limit is None:
        limit = UNLIMITED
    limit = min(check_integer(limit, "limit", "to count all solutions", minimum=1), UNLIMITED)
    threads = check_workers(threads, executor)
    condition = Stop(seconds, stop)
    solver = choose_engine(select_rule(engine, choose), rules)
    finished: list[int] = []
    solve = partial(_solve_boards, shape, solver, threads, executor, condition, finished)
    with counting(progress, lambda: min(sum(finished), len(boards)), len(boards), "puzzle"):
        result = solve(boards, limit)
    in_solutions = None
    if candidates:
        in_solutions = entries.expand(
            find_candidates(boards, shape.n, limit, result, solve, condition)
        )
    expanded = EngineResult(
        entries.expand(result.solutions),
        entries.expand(result.counts, -1),
        entries.expand(result.nodes),
    )
    own_box = None if shape.is_standard else shape
    return _as_batch(entries.boards, expanded, entries.errors, in_solutions, own_box, alphabet)


def _solve_boards(
    box: Box,
    engine: str | Rules,
    threads: int,
    executor: Executor | None,
    stop: Stop,
    finished: list[int],
    boards: NDArray[np.uint8],
    limit: int,
) -> EngineResult:
    """Solve the readable boards of `solve_batch`, and the tests of `find_candidates`.

    An executor solves them by tasks; otherwise threads do, or this one if one call suffices.
    Without an executor, the sizes of the parts that are done are appended to `finished`, for the
    display.
    """
    spec = resolve_engine(engine, box)
    if executor is not None:
        result = EngineResult.allocate(boards)
        end = Stop(stop.seconds_left(), stop.event)  # `fill_by_tasks` cancels it at its end

        def send(rows: slice) -> Future[EngineResult]:
            return executor.submit(solve_task, boards[rows], box, engine, limit, end.seconds_left())

        fill_by_tasks(executor, send, result, end)
        return result
    if len(boards) <= spec.boards_at_once:  # no threads
        result = EngineResult.allocate(boards)
        if len(boards) and not stop():
            run_engine(engine, box, boards, limit, result, stop)
            finished.append(len(boards))
        return result
    with ThreadBackend(engine, limit, threads, stop) as backend:
        backend.finished = finished
        return backend.solve(boards, box)


def _never() -> bool:
    return False


def _are_few(puzzles: Any) -> bool:
    """Return whether puzzles are valid 9×9 boards that one call of a kernel solves."""
    return (
        type(puzzles) is np.ndarray
        and puzzles.dtype is _BYTES
        and puzzles.shape in _FEW_BOARDS
        and puzzles.flags.carray
        and puzzles.item(puzzles.argmax()) <= LANES_BOX.n
    )


def _as_batch(
    puzzles: NDArray[np.uint8],
    found: EngineResult,
    unreadable: dict[int, str],
    candidates: NDArray[np.bool_] | None = None,
    box: Box | None = None,
    alphabet: str = "auto",
) -> BatchResult:
    """Return what an engine has found as a result of `solve_batch`.

    `unreadable` has the reasons of marked entries, by their indices. The first puzzles, the box
    (None for the standard one) and the alphabet are kept for the display.
    """
    batch = BatchResult.__new__(BatchResult)
    vars(batch).update(  # the constructor of a frozen dataclass takes a microsecond longer
        solutions=found.solutions,
        counts=found.counts,
        nodes=found.nodes,
        errors=unreadable,
        candidates=candidates,
        _box=box,
        _alphabet=alphabet,
        _first_puzzles=puzzles[:MAX_SHOWN].copy(),
    )
    return batch


@overload
def solve_sudoku(puzzle: PuzzleT, **options: Unpack[Options]) -> PuzzleT: ...
@overload
def solve_sudoku(puzzle: Sequence[Any], **options: Unpack[Options]) -> list[Any]: ...
def solve_sudoku(
    puzzle: Any,
    *,
    box: BoxLike = None,
    alphabet: str = "auto",
    seconds: float | None = None,
    stop: StopEvent | None = None,
    rules: Rules | None = None,
) -> Any:
    """Return the solution of one Sudoku puzzle, or any one if its solution is not unique.

    Parameters
    ----------
    puzzle : str, array_like or Board
        A string, on one line or drawn as a grid; or an array or nested lists of integers of shape
        (cells,) or (n, n), 0 for an empty cell, masked cells are empty; or a `Board`.
    box, alphabet
        As for `solve_batch`. They cannot be given with a `Board`.
    seconds : float, optional
        The time limit.
    stop : StopEvent, optional
        An object with a method `is_set`, such as `threading.Event`. The call ends soon after it is
        set.
    rules : SudokuRules, optional
        The rules of a variant.

    Returns
    -------
    str, ndarray, list or Board
        The first solution found: a string of one line for a string, an array of the same shape and
        dtype for an array, lists for lists, a board for a board. The string has numbers separated
        by spaces if the alphabet is "numbers", otherwise symbols.

    Raises
    ------
    NoSolution
        If the puzzle has no solution.
    Stopped
        If `seconds` or `stop` ends the call before a solution is found.
    ValueError
        If `puzzle` is not a valid board, or a rule does not exist on boards of its size.

    Examples
    --------
    >>> solve_sudoku("1..." "..3." ".4.." "...2")
    '1324423124133142'
    >>> solve_sudoku([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]])
    [[1, 3, 2, 4], [4, 2, 3, 1], [2, 4, 1, 3], [3, 1, 4, 2]]
    """
    values, shape, restore = convert_puzzle(puzzle, box, alphabet)
    if rules is None:
        solution = solve_board(values, shape, Stop(seconds, stop))
        if solution is not None:
            return restore(solution)
    board = np.frombuffer(values, np.uint8)
    if rules is None:  # the rest finds the reason of the error
        conflict = next((text for _, text in find_conflicts(board[np.newaxis], shape)), None)
    else:
        settings: Any = {"box": box, "alphabet": alphabet, "seconds": seconds, "stop": stop}
        for found in iter_solutions(puzzle, rules=rules, **settings):
            return found  # the first one
        conflict = rules.find_contradiction(board, shape)
    reason = "; diagnose_sudoku explains why" if conflict is None else f": {conflict}"
    raise NoSolution(f"the puzzle has no solution{reason}")


@overload
def iter_solutions(puzzle: PuzzleT, **options: Unpack[Options]) -> Iterator[PuzzleT]: ...
@overload
def iter_solutions(puzzle: Sequence[Any], **options: Unpack[Options]) -> Iterator[list[Any]]: ...
def iter_solutions(
    puzzle: Any,
    *,
    box: BoxLike = None,
    alphabet: str = "auto",
    seconds: float | None = None,
    stop: StopEvent | None = None,
    rules: Rules | None = None,
) -> Iterator[Any]:
    """Iterate over all solutions of one Sudoku puzzle, in the order of the search.

    The solutions are found while they are requested, and memory does not grow with their number.
    `solve_sudoku` may find another one than the first one here.

    Parameters
    ----------
    puzzle, box, alphabet
        As for `solve_sudoku`.
    seconds : float, optional
        The time limit, from the first solution that is requested.
    stop : StopEvent, optional
        An object with a method `is_set`, such as `threading.Event`. The iteration ends soon after
        it is set.
    rules : SudokuRules, optional
        The rules of a variant.

    Returns
    -------
    iterator
        Each solution in the form that `solve_sudoku` returns. A puzzle without a solution
        yields nothing.

    Raises
    ------
    ValueError
        If `puzzle` is not a valid board.
    TypeError
        If `seconds` is not a number, or `stop` has no method `is_set`.
    Stopped
        By the iterator, after the last solution found, if `seconds` or `stop` ends the iteration.

    Examples
    --------
    >>> list(iter_solutions("1..." "..3." ".4.." "...."))
    ['1324423124133142', '1324423134122143', '1342423124133124']
    >>> sum(1 for _ in iter_solutions("." * 16))
    288
    """
    values, shape, restore = convert_puzzle(puzzle, box, alphabet)
    choose_engine("auto", rules)  # raises an exception if they are no rules
    board = np.frombuffer(values, np.uint8)
    condition = Stop(seconds, stop)

    def iterate() -> Iterator[Any]:
        condition.set_limit(seconds)  # the time begins with the first request
        blocks = iterate_blocks(board, shape, condition, rules=rules)
        for solution in chain.from_iterable(blocks):
            yield restore(solution.tobytes())

    return iterate()
