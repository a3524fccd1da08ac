"""The difficulty of 9×9 puzzles, in the classes of qqwing.

qqwing solves a puzzle with techniques, and guesses if none applies. A puzzle is *simple* if naked
singles solve it, *easy* if hidden singles are needed as well, *intermediate* if pairs, pointing or
box/line are needed, and *expert* if it guesses. Steps of further levels, such as X-wings, and what
two rules of a variant exclude together, belong to *expert*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.deduce.rate import GUESS, HARDEST, SCORE, USED
from ..runtime.batches import (
    WorkerThreads,
    check_complete,
    check_workers,
    fill_by_tasks,
    n_leading,
    split_rows,
)
from ..runtime.choices import CLASSES
from ..runtime.interrupts import Stop
from ..runtime.tables import RowTable
from ..runtime.text import plural
from .backends import ThreadBackend
from .board import Board
from .box import Box
from .convert import ErrorHandling, Puzzles, convert_entries
from .engines import classify
from .engines.base import EngineResult
from .engines.classify import EXPERT, INTERMEDIATE, INVALID
from .engines.registry import run_engine
from .io.columns import UNREADABLE
from .levels import NAMES, name_levels, score_boards
from .results import MAX_SHOWN, boards_as_html, format_boards

BOX = Box(3, 3)
# Boards per call of a kernel, which cannot be interrupted
MIN_BLOCK_BOARDS = 256
MAX_BLOCK_BOARDS = 2048
STEP_BLOCK_BOARDS = 64  # whose steps are found in one call: a hard board takes some milliseconds


@dataclass(frozen=True)
class RatedStep:
    """A step of a puzzle: its technique, the digits that it places or else removes, and why.

    Parameters
    ----------
    name : str
        The technique, as of the steps of `dlx_numba.deduce`.
    cells : tuple of (int, int)
        The row and the column of each digit, from 1.
    digits : tuple of int
        The digits.
    text : str
        The step in a sentence or two.
    """

    name: str
    cells: tuple[tuple[int, int], ...]
    digits: tuple[int, ...]
    text: str

    def __str__(self) -> str:
        return self.text


class Ratings(RowTable):
    """The ratings of N puzzles; row k belongs to puzzle k.

    `solutions`, and what steps tell (`hardest`, `scores`, `strings`), are computed at the first
    access. The latter take much longer than the classes. Ratings are equal if they rate equal
    puzzles; they are not hashable, because arrays can change.

    Attributes
    ----------
    codes : ndarray of uint8, shape (N,)
        The class of each puzzle: 0 for "invalid", then 1 to 4 for "simple" to "expert", and 5 for
        "unreadable".
    counts : ndarray of int64, shape (N,)
        The number of solutions: 0, 1, or 2 if there are several; -1 if the puzzle is unreadable.
    errors : dict of int to str
        Why puzzles are unreadable, by their indices; see the parameter `errors` of `rate`.
    steps : list of tuple of RatedStep, or None
        The steps of each puzzle, none for invalid ones, if they were requested.
    """

    steps: list[tuple[RatedStep, ...]] | None = None
    level_names: Sequence[str] = NAMES
    _box = BOX

    def __init__(
        self,
        boards: NDArray[np.uint8],
        codes: NDArray[np.uint8],
        counts: NDArray[np.int64],
        threads: int = 1,
        errors: dict[int, str] | None = None,
    ) -> None:
        self.codes = codes
        self.counts = counts
        self.errors = errors or {}
        self._boards = boards
        self._threads = threads

    @cached_property
    def difficulty(self) -> NDArray[np.str_]:
        """The class of each puzzle, from "simple" to "expert"; or "invalid", or "unreadable"."""
        return np.array((*CLASSES, UNREADABLE))[self.codes]

    @property
    def _is_valid(self) -> NDArray[np.bool_]:
        return np.asarray((self.codes != INVALID) & (self.codes < len(CLASSES)))

    @cached_property
    def givens(self) -> NDArray[np.int64]:
        """The number of givens of each puzzle."""
        return np.asarray(np.count_nonzero(self._boards, axis=1))

    @cached_property
    def solutions(self) -> NDArray[np.uint8]:
        """The solution of each puzzle, shape (N, 81); zeros for an invalid one."""
        solutions = np.zeros_like(self._boards)
        rows = np.flatnonzero(self._is_valid)
        with ThreadBackend("auto", 1, self._threads, Stop()) as backend:
            solutions[rows] = backend.solve(self._boards[rows], BOX).solutions
        return solutions

    @cached_property
    def _steps(self) -> NDArray[np.int64]:
        """The numbers that `score_boards` finds, shape (N, 3); -1, -1 and 0 for invalid boards.

        The columns are HARDEST, SCORE and USED, a set of levels as bits.
        """
        return self._find_steps(Stop())

    def _find_steps(self, stop: Stop) -> NDArray[np.int64]:
        """Return `_steps`, with scores of -1 for boards that are unfinished."""
        # HARDEST, SCORE and USED of boards without exactly one solution
        steps = np.tile(np.array([-1, -1, 0]), (len(self), 1))
        rows = np.flatnonzero(self._is_valid)
        boards = self._boards[rows]
        found = np.full((len(rows), 3), -1)

        def work_on(block: slice) -> None:
            score_boards(boards[block], found[block])

        _for_blocks(work_on, len(rows), self._threads, stop, STEP_BLOCK_BOARDS)
        steps[rows] = found
        return steps

    @property
    def hardest(self) -> NDArray[np.str_]:
        """The hardest step that each puzzle needs if each step is the simplest one.

        These are the names of `dlx_numba.deduce`, such as "X-wing" and "forcing chain of 2". It is
        "guess" if a puzzle needs more than chains, and "" for a complete or invalid one.
        """
        return np.array(name_levels(self._steps[:, HARDEST], self.level_names), np.str_)

    @property
    def scores(self) -> NDArray[np.int64]:
        """The sum of the weights of all steps of each puzzle; -1 for an invalid one.

        All steps of the simplest technique that applies are taken at once, so equivalent puzzles
        of plain Sudoku have the same score.
        """
        return self._steps[:, SCORE]

    def strings(self, separator: str = ", ") -> list[str]:
        """Return the names of the steps of each puzzle, by their levels; "" if there are none.

        Parameters
        ----------
        separator : str, optional
            The text between the names.

        Returns
        -------
        list of str
        """
        names = [*self.level_names, "guess"]
        # A set of levels as bits, and above them a bit for a guess
        used = self._steps[:, USED] | (self._steps[:, HARDEST] == GUESS) << len(self.level_names)
        masks, inverse = np.unique(used, return_inverse=True)  # few sets occur
        texts = [
            separator.join(dict.fromkeys(name for k, name in enumerate(names) if mask >> k & 1))
            for mask in masks.tolist()
        ]
        return [texts[index] for index in inverse.tolist()]

    def take(self, rows: NDArray[np.int64]) -> Ratings:
        """Return the ratings of some puzzles.

        Parameters
        ----------
        rows : ndarray of int64
            The rows of the puzzles.

        Returns
        -------
        Ratings
        """
        boards = self._boards[rows]
        errors = {k: self.errors[row] for k, row in enumerate(rows.tolist()) if row in self.errors}
        taken = Ratings(boards, self.codes[rows], self.counts[rows], self._threads, errors)
        taken.level_names = self.level_names
        taken._box = self._box
        if self.steps is not None:
            taken.steps = [self.steps[row] for row in rows.tolist()]
        for name in ("_steps", "solutions"):  # if they have been computed
            if name in vars(self):
                vars(taken)[name] = vars(self)[name][rows]
        return taken

    def count_classes(self) -> dict[str, int]:
        """Count the puzzles of each class.

        Returns
        -------
        dict
            The number of puzzles of each class that occurs, from "simple" to "unreadable".
        """
        names = (*CLASSES, UNREADABLE)
        numbers = np.bincount(self.codes, minlength=len(names)).tolist()
        # The valid classes from easy to hard, then invalid puzzles, and unreadable ones last
        codes = (*range(1, len(CLASSES)), INVALID, len(CLASSES))
        return {names[code]: numbers[code] for code in codes if numbers[code]}

    def _columns(self) -> dict[str, Any]:
        """Return the ratings as columns of a table, such as a data frame."""
        columns = {
            "puzzle": format_boards(self._boards, self._box),
            "difficulty": self.difficulty,
            "techniques": self.strings(),
            "count": self.counts,
            "givens": self.givens,
            "hardest": self.hardest,
            "score": self.scores,
        }
        columns |= self.step_columns()
        if self.errors:
            columns["error"] = [self.errors.get(row, "") for row in range(len(self))]
        return columns

    def add_steps(
        self, find: Callable[[NDArray[np.uint8], Stop], tuple[RatedStep, ...]], stop: Stop
    ) -> None:
        """Find the steps of each puzzle with one solution, or of the first ones if it is stopped.

        Parameters
        ----------
        find : callable
            Returns the steps of a board.
        stop : Stop
            Ends the call.
        """
        self.steps = []
        for board, is_valid in zip(self._boards, self._is_valid.tolist(), strict=True):
            steps = find(board, stop) if is_valid else ()
            if stop():
                return
            self.steps.append(steps)

    def step_columns(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return the columns `steps` and `used`, how often each technique is used, if requested.

        Returns
        -------
        dict
        """
        if self.steps is None:
            return {}
        counts = [Counter(step.name for step in steps) for steps in self.steps]
        used = [tuple(f"{n} {name}" for name, n in each.most_common()) for each in counts]
        return {"used": used, "steps": [*self.steps]}

    def __len__(self) -> int:
        """Return the number of puzzles."""
        return len(self.codes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ratings):
            return NotImplemented
        return self.errors == other.errors and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("_boards", "codes", "counts")
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        counts = ", ".join(f"{number:,} {name}" for name, number in self.count_classes().items())
        parts = [plural(len(self), "puzzle"), counts]
        return f"<Ratings of {': '.join(filter(None, parts))}>"

    def _repr_html_(self) -> str:
        """Return the classes with their shares, and the first boards."""
        from ..pictures.html import table  # only notebooks need HTML

        rows = [
            (name, f"{number:,}", f"{100 * number / len(self):.1f} %")
            for name, number in self.count_classes().items()
        ]
        boards = [Board(board, self._box) for board in self._boards[:MAX_SHOWN]]
        captions = self.difficulty[:MAX_SHOWN].tolist()
        pictures = boards_as_html(boards, captions, len(self), plural(len(self), "puzzle"))
        return table(["class", "puzzles", "share"], rows) + pictures


def rate_puzzles(
    puzzles: Puzzles,
    threads: int | None,
    executor: Executor | None,
    errors: ErrorHandling,
    condition: Stop,
) -> Ratings:
    """Return the ratings of puzzles; the parameters are those of `dlx_numba.rate`."""
    # With "mark", boards of other sizes are unreadable; otherwise, `check_box` rejects them.
    entries = convert_entries(puzzles, BOX if errors == "mark" else None, "auto", errors)
    check_box(entries.box)
    threads = check_workers(threads, executor)
    boards = entries.boards[entries.readable]
    if executor is None:
        codes, counts = classify_boards(boards, threads, condition)
    else:
        codes = np.empty(len(boards), np.uint8)
        counts = np.full(len(boards), -1)  # that of unfinished boards
        fill_by_tasks(
            executor,
            lambda rows: executor.submit(classify_boards, boards[rows]),
            (codes, counts),
            copy(condition),  # it is canceled at the end, and the caller may need it for steps
        )
    size = len(entries.boards)
    n_done = n_leading(entries.expand(counts >= 0, True))  # unreadable puzzles are done
    codes, counts = entries.expand(codes, len(CLASSES)), entries.expand(counts, -1)
    reasons = {k: reason for k, reason in entries.errors.items() if k < n_done}
    ratings = Ratings(entries.boards[:n_done], codes[:n_done], counts[:n_done], threads, reasons)
    return check_complete(ratings, n_done, size)


def check_box(box: Box) -> None:
    """Raise ValueError if boards with this box cannot be rated."""
    if box != BOX:
        raise ValueError(
            f"only 9x9 boards with 3x3 boxes have a difficulty, not {box.n}x{box.n} boards "
            f"with {box} boxes"
        )


def rate_boards(
    boards: NDArray[np.uint8], has_steps: bool = True, stop: Stop | None = None
) -> Ratings:
    """Return the ratings of `boards` (N, 81), whose values are valid, or of the first ones.

    If `has_steps`, steps and solutions are found now, not at the first access, and boards from the
    first one that `stop` leaves without steps are left out.
    """
    stop = stop or Stop()
    boards = np.require(boards, np.uint8, ["C", "W"])
    codes, counts = classify_boards(boards, 1, stop)
    ratings = Ratings(boards, codes, counts).take(np.arange(n_leading(counts >= 0)))
    if has_steps:
        vars(ratings)["_steps"] = ratings._find_steps(stop)
        is_rated = ~ratings._is_valid | (ratings.scores >= 0)
        ratings = ratings.take(np.arange(n_leading(is_rated)))
        _ = ratings.solutions  # this first access computes them
    return ratings


def classify_boards(
    boards: NDArray[np.uint8], threads: int = 1, stop: Stop | None = None
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the class and the number of solutions (at most 2) of each board.

    Parameters
    ----------
    boards : ndarray of uint8, shape (N, 81)
        The boards, 0 for an empty cell. The values must be valid; they are not checked.
    threads
        The number of threads.
    stop
        Ends the call if it returns True. The numbers of solutions of unfinished boards are -1, and
        their classes are undefined.

    Returns
    -------
    classes : ndarray of uint8, shape (N,)
        Indices of `CLASSES`: 0 for a board without exactly one solution, 1 for simple, 2 for easy,
        3 for intermediate, 4 for expert.
    counts : ndarray of int64, shape (N,)
        The numbers of solutions.

    Examples
    --------
    >>> classify_boards(np.zeros((1, 81), np.uint8))
    (array([0], dtype=uint8), array([2]))
    """
    stop = stop or Stop()
    boards = np.require(boards, np.uint8, ["C", "W"])
    codes = np.empty(len(boards), np.uint8)
    counts = np.full(len(boards), -1)

    def classify_block(block: slice) -> None:
        """Write the classes and the numbers of solutions of some boards."""
        workspace = classify.allocate_workspace()
        classify.classify_lanes(boards[block], INTERMEDIATE, *workspace, codes[block])
        # Boards that the techniques solve have one solution. The others are searched for two.
        counts[block] = 1
        rows = block.start + np.flatnonzero(codes[block] == EXPERT)
        result = EngineResult.allocate(boards[rows])
        run_engine("auto", BOX, boards[rows], 2, result, stop)
        counts[rows] = result.counts
        codes[rows[counts[rows] != 1]] = INVALID

    _for_blocks(classify_block, len(boards), threads, stop)
    return codes, counts


def _for_blocks(
    work_on: Callable[[slice], None],
    n_rows: int,
    threads: int,
    stop: Stop,
    max_block: int = MAX_BLOCK_BOARDS,
) -> None:
    """Call `work_on` for blocks of rows, which the threads share, until `stop` is set.

    A block has at most `max_block` rows.
    """
    with WorkerThreads(threads, stop) as workers:
        n_parts = max(workers.n_workers, -(-n_rows // max_block))
        parts = split_rows(n_rows, n_parts, min(max_block, MIN_BLOCK_BOARDS))
        workers.run_parts(work_on, parts)
