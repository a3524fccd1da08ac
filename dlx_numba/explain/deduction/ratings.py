"""Ratings of boards with the steps of each."""

from __future__ import annotations

from concurrent.futures import Executor
from functools import lru_cache
from threading import get_ident

import numpy as np
from numpy.typing import NDArray

from ...kernels.deduce.rate import CHAIN_WEIGHT, FIRST_CHAIN, GUESS, GUESS_WEIGHT, HARDEST
from ...kernels.deduce.remaining import choose_option
from ...puzzles.variants.expand import list_requirements
from ...puzzles.variants.requirements import first_cells
from ...puzzles.variants.rules import SudokuRules
from ...runtime.batches import check_complete
from ...runtime.choices import TECHNIQUES
from ...runtime.errors import Stopped
from ...runtime.interrupts import Stop, StopEvent
from ...sudoku.backends import ThreadBackend
from ...sudoku.box import Box, BoxLike, as_box
from ...sudoku.convert import ErrorHandling, Puzzles, convert_entries
from ...sudoku.engines.base import EngineResult
from ...sudoku.engines.classify import EXPERT, INTERMEDIATE, INVALID
from ...sudoku.levels import JOINT, JOINT_WEIGHT, LEVELS, RULE_NAMES, class_of, name_levels
from ...sudoku.rating import BOX, RatedStep, Ratings, check_box, rate_puzzles
from . import Step
from .boards import empty_deduction
from .cases import CaseSearch
from .reason import PLACEMENT, FoundStep, join_steps

MAX_FINDERS = 64  # that are kept


def rate(
    puzzles: Puzzles,
    threads: int | None = None,
    *,
    executor: Executor | None = None,
    errors: ErrorHandling = "raise",
    seconds: float | None = None,
    stop: StopEvent | None = None,
    with_steps: bool = False,
    rules: SudokuRules | None = None,
    box: BoxLike = None,
) -> Ratings:
    """Rate the difficulty of many 9×9 puzzles, or of puzzles with the rules of a variant.

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
    rules : SudokuRules, optional
        The rules of a variant. Its puzzles, of any size, are rated in this thread by the steps of
        `deduce`. A step by a rule is as hard as pointing: a puzzle that needs one is intermediate;
        one that needs two rules together is expert.
    box : (int, int), str or Box, optional
        The rows and columns of a box of a variant; by default, as of `deduce`. Without rules, it is
        3x3.

    Returns
    -------
    Ratings
        The class of each puzzle in `difficulty`: "simple" (naked singles solve it), "easy" (with
        hidden singles), "intermediate" (with pairs, pointing and box/line), "expert" (with
        harder steps, where qqwing guesses), or "invalid" if it does not have exactly one solution.
        A complete board is simple. The attribute `errors` maps the indices of marked entries to
        their reasons.

    Raises
    ------
    ValueError
        If `puzzles` are invalid, or without rules not of 9×9 cells; if another argument is
        invalid; or if both `threads` and `executor`, or `rules` and one of `executor` and
        `errors="mark"` are given.
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
    if rules is not None:
        if executor is not None or errors != "raise":
            raise ValueError("puzzles with rules have neither an executor nor errors='mark'")
        entries = convert_entries(puzzles, as_box(box), "auto", errors)
        ratings = rate_variants(entries.boards, entries.box, rules, with_steps, stop=condition)
        return check_complete(ratings, len(ratings), len(entries.boards))
    check_box(as_box(box) or BOX)
    ratings = rate_puzzles(puzzles, threads, executor, errors, condition)
    if with_steps:
        ratings.add_steps(StepFinder().find, condition)
        if (n_done := len(ratings.steps or ())) < len(ratings):
            first = ratings.take(np.arange(n_done))
            raise Stopped(f"stopped after the steps of {n_done:,} puzzles", first)
    return ratings


def rate_variants(
    boards: NDArray[np.uint8],
    box: Box,
    rules: SudokuRules,
    with_steps: bool,
    seconds: float | None = None,
    stop: Stop | None = None,
) -> Ratings:
    """Return the ratings of boards (N, cells) with rules, or of the first ones if it is stopped."""
    stop = Stop(seconds, stop)
    finder = _finder(box, rules, get_ident())
    result = EngineResult.allocate(boards)
    # HARDEST, SCORE and USED of each board; at first, as of one without exactly one solution
    levels = np.tile(np.array([-1, -1, 0]), (len(boards), 1))
    codes = np.full(len(boards), INVALID, np.uint8)
    paths: list[tuple[RatedStep, ...]] = []
    # A second solution is enough to know that a board is invalid. One thread seeks it.
    with ThreadBackend(rules, 2, 1, stop) as backend:
        for row, board in enumerate(boards):
            solved = backend.solve(boards[row : row + 1], box)
            result.solutions[row] = solved.solutions[0]
            result.counts[row] = solved.counts[0]
            is_valid = bool(solved.counts[0] == 1)
            steps = finder.find(board, stop) if is_valid else ()
            if stop():  # the steps may be incomplete
                break
            paths.append(steps)
            if is_valid:
                levels[row] = finder.rating
                codes[row] = _class_of(finder.rating[HARDEST])
    ratings = Ratings(boards, codes, result.counts)
    ratings.level_names = RULE_NAMES
    ratings._box = box
    ratings.solutions = result.solutions
    vars(ratings)["_steps"] = levels  # a cached property, which would rate 9×9 boards
    ratings = ratings.take(np.arange(len(paths)))
    ratings.steps = paths if with_steps else None
    return ratings


@lru_cache(MAX_FINDERS)
def _finder(box: Box, rules: SudokuRules, thread: int) -> StepFinder:
    """Return the finder that a thread has for some rules: a command rates boards one by one."""
    return StepFinder(box, rules)


def _class_of(hardest: int) -> int:
    """Return the class of a puzzle with rules; `hardest` is the level, -1 if there is no step."""
    [name] = name_levels(np.array([hardest]), RULE_NAMES)
    if hardest >= JOINT:  # also chains and guesses, whose levels are greater
        return EXPERT
    return INTERMEDIATE if name == "rule" else class_of(name or TECHNIQUES[0])


class StepFinder:
    """The deduction on an empty board, which begins again with the givens of each board.

    Attributes
    ----------
    rating
        What `kernels.deduce.rate` finds for a board, of the steps of the last one.
    """

    def __init__(self, box: Box = BOX, rules: SudokuRules | None = None) -> None:
        source = empty_deduction(box, rules).source
        assert source is not None
        self._source = source
        names = source.named.names.options
        places = [PLACEMENT.fullmatch(str(names[k])) for k in source.reasoner.numbers.tolist()]
        # (cells, n + 1) the option of each value in each cell, or -1; the value 0 is an open cell
        self._options = np.full((box.cells, box.n + 1), -1)
        for option, place in enumerate(places):
            if place is not None:
                row, column, value = map(int, place.groups())
                self._options[box.n * (row - 1) + column - 1, value] = option
        if rules is not None:  # equal cells share the options of the first one
            self._options = self._options[first_cells(box.cells, list_requirements(rules, box))]
        self._initial: list[NDArray[np.generic]] = [  # what remains on the empty board
            array.copy() for array in source.reasoner.remaining
        ]
        self.rating = (-1, 0, 0)

    def find(self, board: NDArray[np.uint8], stop: Stop) -> tuple[RatedStep, ...]:
        """Return the steps of a board with one solution, and set `rating`.

        The deduction on the empty board is restored, and the givens are chosen first.
        """
        reasoner = self._source.reasoner
        for array, initial in zip(reasoner.remaining, self._initial, strict=True):
            np.copyto(np.asarray(array), initial)
        reasoner.chosen.clear()
        reasoner.levels.progress[:] = 0  # a board without a step left, or stopped, leaves its level
        reasoner.case_search = CaseSearch(reasoner.tables, reasoner.remaining)
        zero = np.int64(0)
        options = self._options[np.arange(len(board)), board]
        for option in np.unique(options[options >= 0]).tolist():
            choose_option(np.uint32(option), reasoner.tables, reasoner.remaining, zero, zero)
        reasoner.lacking = -1
        is_complete = bool(board.all())
        found_steps = [] if is_complete else [*reasoner.run(stop)]
        self.rating = _rate_steps(found_steps, is_complete or reasoner.is_solved)
        if self._source.relations is not None:
            found_steps = [*join_steps(self._source, found_steps)]
        steps = (Step(self._source, found) for found in found_steps)
        return tuple(
            RatedStep(step.name, tuple(step.cells), tuple(step.digits), step.text) for step in steps
        )


def _rate_steps(found: list[FoundStep], is_solved: bool) -> tuple[int, int, int]:
    """Return the hardest level of steps, the sum of their weights, and the levels as bits.

    The hardest level is -1 if a solved board needs no steps. There, a chain of k rounds counts as
    the level `FIRST_CHAIN + k - 1`, and cases or the lack of a solution as `GUESS`. The bits are
    those of the positions in `LEVELS`, and of `JOINT` for what the rules of a variant exclude;
    cases have none.
    """
    hardest = -1 if is_solved else GUESS
    score = 0 if is_solved else GUESS_WEIGHT
    used = 0
    for step in found:
        if step.kind == "cases":
            hardest = GUESS
            score += GUESS_WEIGHT
            continue
        level = step.level
        score += JOINT_WEIGHT if step.rules else LEVELS[level].weight
        used |= 1 << level
        if step.kind == "chain":
            score += CHAIN_WEIGHT * step.size
            level = FIRST_CHAIN + step.size - 1
        hardest = max(hardest, level)
    return hardest, score, used
