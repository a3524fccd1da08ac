"""The public functions: `generate`, `minimize` and `is_minimal`."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...runtime.arguments import check_integer
from ...runtime.interrupts import Stop
from ..backends import WorkerThreads, check_threads
from ..box import Box
from ..convert import BoxLike, Puzzles, as_box, convert_puzzles
from ..engines.base import EngineResult
from ..engines.classify import Difficulty
from ..engines.registry import borrowed_engine
from ..verify import check_values
from .reduce import Reducer, UniqueSolution
from .request import make_request
from .result import GenerateResult
from .start import Symmetry
from .stream import GeneratedBoards, block_size, generate_blocks, random_states


def generate(
    n: int,
    *,
    difficulty: Difficulty | None = None,
    symmetry: Symmetry | None = None,
    clues: int | tuple[int, int] | None = None,
    minimal: bool | None = None,
    box: BoxLike = None,
    seed: int | None = None,
    threads: int | None = None,
) -> GenerateResult:
    """Generate Sudoku puzzles with a single solution.

    Each puzzle is made from a random complete grid, by the removal of clues in random order.

    Parameters
    ----------
    n
        The number of puzzles.
    difficulty
        The class of the puzzles by qqwing's rules: "simple" (naked singles suffice), "easy" (hidden
        singles as well), "intermediate" (pairs, pointing, box/line) or "expert" (guesses). Only for
        9×9 boards with 3×3 boxes; None for any class.
    symmetry
        The symmetry of the cells with a clue: "none", "rotate90", "rotate180", "mirror" (left and
        right), "flip" (top and bottom), or "random", which is one of these four for each puzzle.
    clues
        The number of clues, or the smallest and the largest number; None for any.
    minimal
        Whether each puzzle is minimal: no clue can be removed without a second solution; with a
        symmetry, no orbit of clues. True by default unless a difficulty is given. With one,
        puzzles are by default *irreducible*: no clue can be removed without a second solution or a
        harder class. If False, the removal ends at a random number of clues in the range `clues`,
        which is by default 35 to 50 % of the cells; with a difficulty and no `clues`, the puzzles
        are irreducible.
    box
        The rows and columns of a box, such as (2, 3) or "2x3"; None for 3×3. Boards can have up to
        16×16 cells.
    seed
        A nonnegative integer. The same seed gives the same puzzles, for any number of threads, and
        the first puzzles of a larger `n`. None for a random seed.
    threads
        The number of threads; None for one per processor.

    Returns
    -------
    GenerateResult
        The arrays `puzzles` and `solutions`, both (n, cells) uint8; its method `strings` returns
        the puzzles as strings.

    Raises
    ------
    ValueError
        If an argument is invalid or the request cannot be met. The latter is known at once for
        impossible numbers of clues; otherwise the search ends after many attempts without success,
        and the message states which puzzles were found.
    TypeError
        If a number is not an integer.

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
    if (n := check_integer(n, "n")) < 0:
        raise ValueError(f"n must be 0 or more, not {n}")
    request = make_request(as_box(box), difficulty, symmetry, clues, minimal)
    cells = request.box.cells
    result = GeneratedBoards(np.zeros((n, cells), np.uint8), np.zeros((n, cells), np.uint8))
    done = 0
    for block in generate_blocks(request, n, check_seed(seed), check_threads(threads), Stop()):
        rows = slice(done, done + len(block.puzzles))
        result.puzzles[rows], result.solutions[rows] = block
        done = rows.stop
    return GenerateResult._of(result, request.box)


def check_seed(seed: int | None) -> int:
    """Return a seed, which is random for None. Raises ValueError if it is negative."""
    if seed is None:
        return secrets.randbits(64)
    if (seed := check_integer(seed, "seed", "for a random one")) < 0:
        raise ValueError(f"seed must be 0 or more, not {seed}")
    return seed


def minimize(
    puzzles: Puzzles,
    *,
    seed: int | None = None,
    threads: int | None = None,
    box: BoxLike = None,
    alphabet: str = "auto",
) -> NDArray[np.uint8]:
    """Remove redundant clues from Sudoku puzzles, until each puzzle is minimal.

    Parameters
    ----------
    puzzles
        Puzzles with a single solution, in a form that `solve_batch` accepts. Complete boards are
        puzzles, too.
    seed
        A nonnegative integer, to consider the clues of each puzzle in a random order. None for the
        order of the cells. The result is the same for any number of threads.
    threads
        The number of threads; None for one per processor.
    box, alphabet
        The parameters of `solve_batch`.

    Returns
    -------
    ndarray of uint8, shape (N, cells)
        The minimal puzzles, 0 for an empty cell.

    Raises
    ------
    ValueError
        If a puzzle does not have exactly one solution, or an argument is invalid.

    Examples
    --------
    >>> minimize(["1.2." "..3." ".4.." "...2"])
    array([[1, 0, 0, 0, 0, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 2]], dtype=uint8)
    """
    boards, shape = convert_puzzles(puzzles, box, alphabet)
    order_seed = None if seed is None else check_seed(seed)
    minimized, counts, _ = minimize_boards(boards, shape, order_seed, check_threads(threads))
    invalid = np.flatnonzero(counts != 1)
    if len(invalid):
        number = "no solution" if counts[invalid[0]] == 0 else "several solutions"
        raise ValueError(f"puzzle {invalid[0]}: it has {number}")
    return minimized


def is_minimal(
    puzzles: Puzzles,
    *,
    threads: int | None = None,
    box: BoxLike = None,
    alphabet: str = "auto",
) -> NDArray[np.bool_]:
    """Return whether Sudoku puzzles are minimal: each has one solution and no redundant clue.

    Parameters
    ----------
    puzzles, threads, box, alphabet
        The parameters of `minimize`.

    Returns
    -------
    ndarray of bool, shape (N,)
        False for a puzzle without exactly one solution.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Examples
    --------
    >>> is_minimal(["1..." "..3." ".4.." "...2", "1.2." "..3." ".4.." "...2"])
    array([ True, False])
    """
    boards, shape = convert_puzzles(puzzles, box, alphabet)
    minimized, counts, _ = minimize_boards(boards, shape, None, check_threads(threads))
    minimal: NDArray[np.bool_] = (counts == 1) & (minimized == boards).all(axis=1)
    return minimal


def minimize_boards(
    boards: NDArray[np.uint8],
    box: Box,
    seed: int | None,
    threads: int,
    stop: Callable[[], bool] | None = None,
    first: int = 0,
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.uint8]]:
    """Remove redundant clues from boards.

    Parameters
    ----------
    boards
        The puzzles, shape (N, cells).
    box
        Their box.
    seed
        The seed of the order of the clues; None for the order of the cells.
    threads
        The number of threads.
    stop
        A function that is called at intervals. If it returns True, the result is incomplete.
    first
        The number of the first puzzle, on which its random order depends.

    Returns
    -------
    minimized : ndarray of uint8, shape (N, cells)
        The minimal puzzles. A puzzle that does not have one solution is unchanged.
    counts : ndarray of int64, shape (N,)
        The number of solutions of each puzzle up to 2.
    solutions : ndarray of uint8, shape (N, cells)
        The first solution of each puzzle.
    """
    minimized = boards.copy()
    result = EngineResult.allocate(boards)
    canceled = Stop()

    def is_stopped() -> bool:
        return canceled() or (stop is not None and stop())

    def minimize_rows(rows: slice) -> None:
        start = rows.start
        check_values(boards[rows], box.n, start)
        part = result.rows(rows)
        with borrowed_engine("auto", box) as engine:
            engine.solve(boards[rows], 2, part, is_stopped)
        unique = start + np.flatnonzero(part.counts == 1)
        if len(unique) == 0 or is_stopped():
            return
        random = np.zeros((len(unique), 2), np.uint64)
        if seed is not None:
            random = random_states(seed, first + start, rows.stop - start)[unique - start]
        reducer = idle.pop() if idle else Reducer(box, size)
        minimized[unique] = reducer.minimize(
            boards[unique], result.solutions[unique], random, UniqueSolution(box), is_stopped
        )
        idle.append(reducer)

    size = min(block_size(box), max(1, -(-len(boards) // threads)))
    idle: list[Reducer] = []
    parts = [slice(start, min(start + size, len(boards))) for start in range(0, len(boards), size)]
    with WorkerThreads(threads, canceled) as workers:
        workers.run_parts(minimize_rows, parts)
    return minimized, result.counts, result.solutions
