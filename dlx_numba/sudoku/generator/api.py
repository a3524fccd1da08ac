"""The public functions: `generate`, `minimize` and `is_minimal`."""

from __future__ import annotations

import secrets
from concurrent.futures import Executor
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from ...runtime.arguments import check_integer
from ...runtime.batches import (
    WorkerThreads,
    check_complete,
    check_threads,
    check_workers,
    n_leading,
    split_rows,
)
from ...runtime.choices import Difficulty, Symmetry
from ...runtime.interrupts import Stop, StopEvent
from ...runtime.showing import Display, counting
from ..box import Box, BoxLike, as_box
from ..convert import Puzzles, convert_entries
from ..engines.base import EngineResult, Pool, Rules
from ..engines.registry import choose_engine, run_engine
from ..results import GenerateResult
from .reduce import Reducer
from .request import make_request
from .stream import FIRST_BLOCK, block_size, generate_blocks, random_words

PARTS_PER_THREAD = 4  # of `minimize_boards`, if there are enough boards: this balances the load


def generate(
    n: int,
    *,
    difficulty: Difficulty | None = None,
    level: str | None = None,
    symmetry: Symmetry | None = None,
    clues: int | tuple[int, int] | None = None,
    minimal: bool | None = None,
    box: BoxLike = None,
    seed: int | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    seconds: float | None = None,
    stop: StopEvent | None = None,
    rules: Rules | None = None,
    progress: Display = False,
) -> GenerateResult:
    """Generate Sudoku puzzles with a single solution.

    Each puzzle is made from a random complete grid, by the removal of clues in random order.

    Parameters
    ----------
    n : int
        The number of puzzles.
    difficulty : {"simple", "easy", "intermediate", "expert"}, optional
        The class of the puzzles by qqwing's rules: "simple" (naked singles suffice), "easy" (hidden
        singles as well), "intermediate" (pairs, pointing, box/line) or "expert" (harder steps).
        Only for 9×9 boards with 3×3 boxes; None for any class.
    level : str, optional
        The hardest step that each puzzle needs, such as "X-wing", if each step is the simplest one:
        see `rate`. It fixes the class, too; puzzles with X-wings are class-minimal with these.
    symmetry : str, optional
        The symmetry of the cells with a clue: "none", "rotate90", "rotate180", "mirror" (left and
        right), "flip" (top and bottom), or "random", any of these but "none" for each puzzle.
    clues : int or (int, int), optional
        The number of clues, or the smallest and the largest number; None for any.
    minimal : bool, optional
        Whether each puzzle is minimal: no clue can be removed without a second solution; with a
        symmetry, no orbit of clues. True by default unless a difficulty is given or the board is
        larger than 16×16. With a difficulty, puzzles are by default *class-minimal*: no clue can be
        removed without a second solution or a harder class. If False, the removal ends at a random
        number of clues in the range `clues`, which is by default 35 to 50 % of the cells, or 48 to
        60 % beyond 16×16; with a difficulty and no `clues`, the puzzles are class-minimal.
    box : (int, int), str or Box, optional
        The rows and columns of a box, such as (2, 3) or "2x3"; None for 3×3. Boards can have up to
        25×25 cells; one of that size takes many seconds.
    seed : int, optional
        A nonnegative integer. The same seed gives the same puzzles, for any number of threads, and
        the first puzzles of a larger `n`. None for a random seed.
    threads : int, optional
        The number of threads; None for one per available processor.
    executor : concurrent.futures.Executor, optional
        The executor that makes the puzzles instead of threads, as in `solve_batch`: the same ones.
    seconds : float, optional
        The time limit.
    stop : StopEvent, optional
        An object with a method `is_set`, such as `threading.Event`. The call ends soon after it is
        set.
    rules : SudokuRules, optional
        The rules of a variant; not with a difficulty. If it has a number of cages,
        arrows or others, these are placed at random for each puzzle.
    progress : bool or callable, default: False
        Whether to show a bar, or a function; as for `ExactCover`.

    Returns
    -------
    GenerateResult
        The arrays `puzzles` and `solutions`, both (n, cells) uint8; its method `strings` returns
        the puzzles as strings. If rules are placed, its attribute `rules` has those of each puzzle.

    Raises
    ------
    ValueError
        If an argument is invalid or the request cannot be met. The latter is known at once for
        impossible numbers of clues; otherwise the search ends after many attempts without success,
        and the message says which puzzles were found. After 2 % of them, there is a warning.
    TypeError
        If a number is not an integer, `seconds` is not a number, or `stop` has no
        method `is_set`.
    Stopped
        If `seconds` or `stop` ends the call; `partial` is a `GenerateResult` of those found.

    Examples
    --------
    >>> result = generate(100, difficulty="easy", symmetry="rotate180", seed=1)
    >>> result.puzzles.shape
    (100, 81)
    >>> generate(1, clues=40)
    Traceback (most recent call last):
        ...
    ValueError: no minimal 9x9 puzzles with 40 clues found in ... attempts, which had ... clues...
    """
    n = check_integer(n, "n", minimum=0)
    choose_engine("auto", rules)  # raises an exception if the rules are invalid
    request = make_request(as_box(box), difficulty, symmetry, clues, minimal, rules, level)
    none = np.zeros((0, request.box.cells), np.uint8)
    # The first block is empty: arrays have the right shapes even if nothing is found.
    blocks = [GenerateResult(none, none)]
    condition = Stop(seconds, stop)
    try:
        workers = check_workers(threads, executor)
        stream = generate_blocks(request, n, check_seed(seed), workers, condition, executor)
        # Another thread counts the blocks while their list grows.
        with counting(progress, lambda: sum(map(len, list(blocks))), n, "puzzle"):
            blocks += (block.found for block in stream if len(block.found.puzzles))
    finally:
        # This ends threads that are still trying after an exception.
        condition.is_canceled = True  # another signal could interrupt a call of `cancel`
    puzzles, solutions = map(np.concatenate, zip(*blocks, strict=True))
    own_box = None if request.box.is_standard else request.box
    own_rules = [rules for block in blocks for rules in block.rules]
    result = GenerateResult(puzzles, solutions, rules=own_rules)._replace(_box=own_box)
    return check_complete(result, len(result), n)


def check_seed(seed: int | None) -> int:
    """Return a seed, which is random for None. Raises ValueError if it is negative."""
    if seed is None:
        return secrets.randbits(64)
    return check_integer(seed, "seed", "for a random one", minimum=0)


@overload
def minimize(  # type: ignore[overload-overlap]  # a string is also an iterable
    puzzles: str,
    *,
    seed: int | None = None,
    threads: int | None = None,
    box: BoxLike = None,
    alphabet: str = "auto",
    seconds: float | None = None,
    stop: StopEvent | None = None,
    rules: Rules | None = None,
) -> str: ...
@overload
def minimize(
    puzzles: Puzzles,
    *,
    seed: int | None = None,
    threads: int | None = None,
    box: BoxLike = None,
    alphabet: str = "auto",
    seconds: float | None = None,
    stop: StopEvent | None = None,
    rules: Rules | None = None,
) -> NDArray[np.uint8]: ...
def minimize(
    puzzles: Puzzles,
    *,
    seed: int | None = None,
    threads: int | None = None,
    box: BoxLike = None,
    alphabet: str = "auto",
    seconds: float | None = None,
    stop: StopEvent | None = None,
    rules: Rules | None = None,
) -> Any:
    """Remove redundant clues from Sudoku puzzles, until each puzzle is minimal.

    Parameters
    ----------
    puzzles : array_like, str, bytes, path-like or file
        Puzzles with a single solution, in a form that `solve_batch` accepts. Complete boards are
        puzzles, too.
    seed : int, optional
        A nonnegative integer, to consider the clues of each puzzle in a random order. None for the
        order of the cells. The result is the same for any number of threads.
    threads : int, optional
        The number of threads; None for one per available processor.
    box, alphabet
        As for `solve_batch`.
    seconds : float, optional
        The time limit.
    stop : StopEvent, optional
        An object with a method `is_set`, such as `threading.Event`. The call ends soon after it is
        set.
    rules : SudokuRules, optional
        The rules of a variant.

    Returns
    -------
    ndarray of uint8, shape (N, cells), or str
        The minimal puzzles, 0 for an empty cell; for a string, a line for each puzzle.

    Raises
    ------
    ValueError
        If a puzzle does not have exactly one solution, or an argument is invalid.
    TypeError
        If a number is not an integer, `seconds` is not a number, or `stop` has no
        method `is_set`.
    Stopped
        If `seconds` or `stop` ends the call; `partial` has the first minimal puzzles.

    Examples
    --------
    >>> minimize(["1.2." "..3." ".4.." "...2"])
    array([[1, 0, 0, 0, 0, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 2]], dtype=uint8)
    """
    entries = convert_entries(puzzles, box, alphabet)
    order_seed = None if seed is None else check_seed(seed)
    boards, result, n_done = minimize_boards(
        entries.boards,
        entries.box,
        order_seed,
        check_threads(threads),
        Stop(seconds, stop),
        rules=rules,
    )
    for row in np.flatnonzero(result.counts[:n_done] != 1)[:1].tolist():  # the first one, if any
        solutions = "no solution" if result.counts[row] == 0 else "several solutions"
        raise entries.error(row, f"it has {solutions}")
    return check_complete(entries.as_given(boards[:n_done]), n_done, len(boards))


def is_minimal(
    puzzles: Puzzles,
    *,
    threads: int | None = None,
    box: BoxLike = None,
    alphabet: str = "auto",
    seconds: float | None = None,
    stop: StopEvent | None = None,
    rules: Rules | None = None,
) -> NDArray[np.bool_]:
    """Return whether Sudoku puzzles are minimal: each has one solution and no redundant clue.

    Parameters
    ----------
    puzzles, threads, box, alphabet, seconds, stop, rules
        As for `minimize`.

    Returns
    -------
    ndarray of bool, shape (N,)
        False for a puzzle without exactly one solution.

    Raises
    ------
    ValueError
        If an argument is invalid.
    TypeError
        If `threads` is not an integer, `seconds` is not a number, or `stop` has no
        method `is_set`.
    Stopped
        If `seconds` or `stop` ends the call; `partial` has the results for the first puzzles.

    Examples
    --------
    >>> is_minimal(["1..." "..3." ".4.." "...2", "1.2." "..3." ".4.." "...2"])
    array([ True, False])
    """
    entries = convert_entries(puzzles, box, alphabet)
    boards, result, n_done = minimize_boards(
        entries.boards, entries.box, None, check_threads(threads), Stop(seconds, stop), rules=rules
    )
    is_minimal = (boards == entries.boards).all(axis=1) & (result.counts == 1)
    return check_complete(is_minimal[:n_done], n_done, len(boards))


class MinimizedBoards(NamedTuple):
    """The result of `minimize_boards`."""

    boards: NDArray[np.uint8]  # (N, cells) minimal, or unchanged without exactly one solution
    result: EngineResult  # of the puzzles, with a limit of 2
    n_done: int  # the number of leading boards that are finished; less than N if stopped


def minimize_boards(
    boards: NDArray[np.uint8],
    box: Box,
    seed: int | None,
    threads: int,
    stop: Stop,
    first: int = 0,
    rules: Rules | None = None,
) -> MinimizedBoards:
    """Remove redundant clues from boards.

    Parameters
    ----------
    boards
        The puzzles, shape (N, cells), whose values are valid.
    box
        Their box.
    seed
        The seed of the order of the clues; None for the order of the cells.
    threads
        The number of threads.
    stop
        Ends the call early.
    first
        The number of the first puzzle, on which its random order depends.
    rules
        The rules of a variant; None for plain Sudoku.
    """
    solver = choose_engine("auto", rules)
    minimized = boards.copy()
    result = EngineResult.allocate(boards)
    is_done = np.zeros(len(boards), np.bool_)
    max_size = block_size(box)
    reducers = Pool(lambda: Reducer(box, min(max_size, len(boards)), rules=rules))

    def minimize_rows(rows: slice) -> None:
        """Remove clues of some boards that have one solution; note which rows are done."""
        start = rows.start
        part = result.rows(rows)
        run_engine(solver, box, boards[rows], 2, part, stop)
        if stop():  # the counts may be incomplete
            return
        unique = start + np.flatnonzero(part.counts == 1)
        random = np.zeros((len(unique), 2), np.uint64)  # see `shuffle_clues`: keeps the order
        if seed is not None:
            random = random_words(seed, first + start, rows.stop - start)[unique - start]
        # Each thread takes one from the pool, since it has much memory.
        reducer = reducers.take()
        reduced = reducer.minimize(boards[unique], result.solutions[unique], random, stop)
        if reduced is None:  # it was stopped
            return
        minimized[unique] = reduced
        is_done[rows] = True
        reducers.put(reducer)

    with WorkerThreads(threads, stop) as workers:
        n_parts = max(PARTS_PER_THREAD * workers.n_workers, -(-len(boards) // max_size))
        min_size = FIRST_BLOCK if box.n <= 9 else 1
        workers.run_parts(minimize_rows, split_rows(len(boards), n_parts, min_size))
    return MinimizedBoards(minimized, result, n_leading(is_done))
