"""Ratings of boards with the steps of each."""

from __future__ import annotations

from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

from ...kernels.deduce.remaining import choose_option
from ...runtime.errors import Stopped
from ...runtime.interrupts import Stop, StopEvent
from ...sudoku.convert import ErrorHandling, Puzzles
from ...sudoku.rating import RatedStep, Ratings, rate_puzzles
from . import Step
from .boards import empty_deduction
from .cases import CaseSearch


def rate(
    puzzles: Puzzles,
    threads: int | None = None,
    *,
    executor: Executor | None = None,
    errors: ErrorHandling = "raise",
    seconds: float | None = None,
    stop: StopEvent | None = None,
    with_steps: bool = False,
) -> Ratings:
    """Rate the difficulty of many 9×9 puzzles.

    The classes are exactly those of qqwing. They do not depend on its random choices.

    Parameters
    ----------
    puzzles : array_like, str, bytes, path-like or file
        The puzzles, in the forms that `solve_batch` accepts.
    threads : int, optional
        The number of threads; None for one per available processor. It does not change the result.
    executor : concurrent.futures.Executor, optional
        The executor that rates the puzzles instead of threads of this process, as in `solve_batch`.
    errors : {"raise", "mark"}, default: "raise"
        How to handle entries that are not 9×9 puzzles: "raise" raises ValueError; "mark" gives them
        the difficulty "unreadable" and rates the others; see `solve_batch`.
    seconds : float, optional
        The time limit.
    stop : StopEvent, optional
        An object with a method `is_set`, such as `threading.Event`. The call ends soon after it is
        set.
    with_steps : bool, default: False
        Whether to find the steps of each puzzle, as `deduce` does, in one thread: `steps` of the
        result.

    Returns
    -------
    Ratings
        The class of each puzzle in `difficulty`: "simple" (naked singles solve it), "easy" (with
        hidden singles), "intermediate" (with pairs, pointing and box/line), "expert" (with
        guesses), or "invalid" if it does not have exactly one solution. A complete board is simple.
        The attribute `errors` maps the indices of marked entries to their reasons.

    Raises
    ------
    ValueError
        If `puzzles` are invalid or not of 9×9 cells, if another argument is invalid, or if both
        `threads` and `executor` are given.
    TypeError
        If `threads` is not an integer, `executor` is not an executor, `seconds` is not a
        number, or `stop` has no method `is_set`.
    Stopped
        If `seconds` or `stop` ends the call; `partial` has the ratings of the first puzzles.
    Exception
        Any exception of the executor, such as `BrokenProcessPool`.

    Examples
    --------
    >>> ratings = rate([
    ...     "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    ...     ".." + 79 * ".",
    ... ])
    >>> ratings.difficulty.tolist(), ratings.counts.tolist()
    (['expert', 'invalid'], [1, 2])
    >>> ratings.hardest.tolist(), ratings.scores.tolist()
    (['guess', ''], [1000, -1])
    >>> board = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> [steps] = rate([board], with_steps=True).steps
    >>> len(steps), steps[0].name, steps[0].cells, steps[0].digits
    (51, 'naked single', ((5, 5),), (5,))
    """
    condition = Stop(seconds, stop)
    ratings = rate_puzzles(puzzles, threads, executor, errors, condition)
    if with_steps:
        ratings.add_steps(StepFinder().find, condition)
        if (n_done := len(ratings.steps or ())) < len(ratings):
            first = ratings.take(np.arange(n_done))
            raise Stopped(f"stopped after the steps of {n_done:,} puzzles", first)
    return ratings


class StepFinder:
    """The deduction on an empty board of 9×9, which begins again with the givens of each board."""

    def __init__(self) -> None:
        source = empty_deduction().source
        assert source is not None
        self._source = source
        self._initial: list[NDArray[np.generic]] = [
            array.copy() for array in source.reasoner.remaining
        ]

    def find(self, board: NDArray[np.uint8], stop: Stop) -> tuple[RatedStep, ...]:
        """Return the steps of a board with one solution."""
        reasoner = self._source.reasoner
        for array, initial in zip(reasoner.remaining, self._initial, strict=True):
            np.copyto(np.asarray(array), initial)
        reasoner.chosen.clear()
        reasoner.case_search = CaseSearch(reasoner.tables, reasoner.remaining)
        zero = np.int64(0)
        for cell in np.flatnonzero(board).tolist():
            option = np.uint32(9 * cell + int(board[cell]) - 1)
            choose_option(option, reasoner.tables, reasoner.remaining, zero, zero)
        reasoner.lacking = -1
        if reasoner.is_solved:
            return ()
        steps = (Step(self._source, found) for found in reasoner.run(stop))
        return tuple(
            RatedStep(step.name, tuple(step.cells), tuple(step.digits), step.text) for step in steps
        )
