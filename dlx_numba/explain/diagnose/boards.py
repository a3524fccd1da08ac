"""Explain why a Sudoku puzzle has no solution: the givens and the rules that exclude each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...cover.counting import ThreadStatistics
from ...cover.named_problem import NamedProblem, named_problem
from ...cover.names import label
from ...cover.solutions import iterate_covers
from ...kernels.problem import select_options
from ...pictures.board import sudoku_picture
from ...pictures.grid import Grid
from ...puzzles.puzzle import Puzzle
from ...puzzles.sudoku import PLAIN, BoardPuzzle
from ...puzzles.variants.expand import find_clash, list_requirements
from ...puzzles.variants.rules import SudokuRules
from ...puzzles.variants.units import check_units, unit_words
from ...runtime.errors import Stopped
from ...runtime.interrupts import Stop, StopEvent
from ...runtime.showing import Display, showing
from ...runtime.text import plural
from ...sudoku.board import Board
from ...sudoku.box import Box, BoxLike, units
from ...sudoku.convert import convert_puzzle
from ...sudoku.engines.base import EngineResult
from ...sudoku.engines.registry import choose_engine, run_engine
from ...sudoku.io.board import format_cells
from ...sudoku.io.strings import parse_board
from ...sudoku.io.symbols import Alphabet
from ...sudoku.verify import find_conflicts
from . import MAX_REASONS, Diagnosis, combine, find_diagnosis
from .conflict import MAX_RATIO, Condition, find_smallest, without

MAX_CELLS = 625  # of a board whose options are made again for a diagnosis
MIN_POLLS = 100  # of a search for a conflict, at least, before it ends early


def diagnose_sudoku(
    puzzle: Any,
    *,
    box: BoxLike = None,
    alphabet: str = "auto",
    seconds: float | None = None,
    stop: StopEvent | None = None,
    rules: SudokuRules | None = None,
    progress: Display = False,
) -> Diagnosis:
    """Explain why a Sudoku puzzle has no solution.

    The reason is a minimal conflict: a few givens, and rules of a variant, that exclude each other.
    If any one of them is left out, the others have a solution. Further conflicts that share no
    given or rule with it follow.

    Parameters
    ----------
    puzzle, box, alphabet
        As for `solve_sudoku`.
    seconds : float, optional
        The time limit. The smallest conflict found in time is returned.
    stop : StopEvent, optional
        An object with a method `is_set`, such as `threading.Event`. The call ends soon after it is
        set, as after the time limit.
    rules : SudokuRules, optional
        The rules of a variant.
    progress : bool or callable, default: False
        Whether to show the current step, or a function; as for `ExactCover`.

    Returns
    -------
    Diagnosis
        Its kind is "conflict", "solvable" or "unknown". Its `conditions` are pairs of "given" and
        a name such as "r1c4=7", or of "rule" and a `SudokuRules` with that rule only. Those whose
        removal alone is enough for a solution are also in `helpful`. Its `text` has the symbols of
        the puzzle, and `svg` draws the givens in conflict. Its `others` are the further conflicts.

    Raises
    ------
    ValueError
        If `puzzle` is not a valid board, or a rule does not exist on boards of its size.

    Examples
    --------
    >>> diagnosis = diagnose_sudoku("12.." "..4." "...." "...3")
    >>> print(diagnosis)
    The puzzle has no solution: 3 givens exclude each other.
    To blame: `r1c1=1`, `r1c2=2`, `r2c3=4`.
    There is a solution without any one of these: `r1c1=1`, `r1c2=2`, `r2c3=4`.
    >>> diagnosis.conditions[0]
    ('given', 'r1c1=1')
    """
    values, shape, _ = convert_puzzle(puzzle, box, alphabet)
    choose_engine("auto", rules)  # raises TypeError if these are no rules
    if isinstance(puzzle, Board):
        symbols = puzzle._alphabet
    elif isinstance(puzzle, str):
        _, symbols, _ = parse_board(puzzle, shape, alphabet)
    else:
        symbols = Alphabet("numbers", shape.n)
    board = np.frombuffer(values, np.uint8)
    condition = Stop(seconds, stop)
    steps = [""]
    with showing(progress, lambda: (None, steps[-1])):
        return diagnose_board(board, shape, symbols, rules, condition, steps.append)


def diagnose_puzzle(
    puzzle: Puzzle, stop: Stop, report: Callable[[str], None], named: NamedProblem | None = None
) -> Diagnosis:
    """Explain why a puzzle has no solution, or why the problem that stands for it has no cover.

    `named` is that problem, if it is known; a board is diagnosed without one.
    """
    if not isinstance(puzzle, BoardPuzzle):
        named = named or named_problem(with_options(puzzle).problem)
        diagnosis = find_diagnosis(named, stop, report)
        if diagnosis.kind == "solvable" and puzzle.condition is not None:
            return _diagnose_condition(named, puzzle.condition, stop)
        return diagnosis
    board = np.array(puzzle.values, np.uint8)
    rules = puzzle.rules
    diagnosis = diagnose_board(
        board, puzzle.box, puzzle.alphabet, None if rules == PLAIN else rules, stop, report
    )
    if puzzle.candidates and diagnosis.kind == "solvable":  # the board has no candidates
        return find_diagnosis(_without_excluded(named_problem(puzzle.problem)), stop, report)
    return diagnosis


def with_options(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with all options if it has none, because a short search has refuted it.

    That of a large board is returned as it is, because its options would take long.
    """
    if puzzle.whole is None or puzzle.statement.options:
        return puzzle
    is_small = isinstance(puzzle.picture, Grid) and len(puzzle.picture.cells) <= MAX_CELLS
    return puzzle.with_all_options() if is_small else puzzle


def _without_excluded(named: NamedProblem) -> NamedProblem:
    """Return a problem without its forbidden options, whose reasons thus do not list them."""
    names = named.names
    forbidden = {*named.forbidden}
    kept = [k for k in range(named.problem.n_options) if k not in forbidden]
    problem = select_options(named.problem, np.array(kept, np.int64))
    view = replace(named.view, marks=[named.view.marks[k] for k in kept])
    given = [names.options[k] for k in named.selected.given]  # by name, as the numbers change
    settings = named.settings._replace(given=given, forbidden=())
    return NamedProblem(
        problem, names._replace(options=[names.options[k] for k in kept]), settings, view
    )


def _diagnose_condition(
    named: NamedProblem, condition: Callable[[list[int]], bool], stop: Stop
) -> Diagnosis:
    """Return whether a cover of a problem with covers satisfies the condition of a puzzle."""
    try:
        # No limit of covers, and no time limit besides that of `stop`
        if any(map(condition, iterate_covers(named, ThreadStatistics(), None, None, stop))):
            return Diagnosis("solvable", [], "The puzzle has a solution.")
    except Stopped:
        text = "It is not known whether there is a solution: the call was stopped before the end."
        return Diagnosis("unknown", [], text, is_minimal=False)
    text = "All covers violate a condition of the puzzle that is not about items."
    return Diagnosis("condition", [], text)


def diagnose_board(
    board: NDArray[np.uint8],
    box: Box,
    alphabet: Alphabet,
    rules: SudokuRules | None,
    stop: Stop,
    report: Callable[[str], None],
) -> Diagnosis:
    """Explain why a board (cells,) has no solution, and report each step by a line of text."""
    conflicts = _Conflicts(board, box, alphabet, rules, stop, report)
    report("search for a solution")
    has_solution = conflicts.has_solution(conflicts.conditions)  # None if that is unknown
    if has_solution:
        return Diagnosis("solvable", [], "The puzzle has a solution.")
    if has_solution is None:
        text = "It is not known whether there is a solution: the call was stopped before the end."
        return Diagnosis("unknown", [], text, is_minimal=False)
    reasons: list[Diagnosis] = []
    rest = conflicts.conditions  # without those of the reasons so far
    while has_solution is False and len(reasons) < MAX_REASONS:
        blamed = conflicts.explain(rest)
        reasons.append(blamed)
        rest = [condition for condition in rest if condition not in blamed.conditions]
        # A reason without conditions is that the regions alone admit none: then there is no other.
        has_solution = conflicts.has_solution(rest) if blamed.conditions else True
    reasons.sort(key=lambda reason: len(reason.conditions))
    return combine(reasons, is_complete=bool(has_solution))


class _Conflicts:
    """The search for conflicts among the givens and rules of a board.

    Parameters
    ----------
    board, box, alphabet, rules, stop, report
        As for `diagnose_board`.

    Attributes
    ----------
    conditions : list of Condition
        The rules and givens.
    regions : sequence of int, optional
        The region of each cell, if regions replace the boxes.
    """

    def __init__(
        self,
        board: NDArray[np.uint8],
        box: Box,
        alphabet: Alphabet,
        rules: SudokuRules | None,
        stop: Stop,
        report: Callable[[str], None],
    ) -> None:
        self.board = board
        self.box = box
        self.alphabet = alphabet
        self.rules = rules
        self.stop = stop
        self.report = report
        self.n_polls = 0  # the work of the last search
        self.max_polls = math.inf  # its limit
        # The names of the cells; the cells of the givens; and each rule by itself
        self.places = [f"r{cell // box.n + 1}c{cell % box.n + 1}" for cell in range(box.cells)]
        self.cell_of: dict[Condition, int] = {
            ("given", f"{self.places[cell]}={board[cell]}"): cell
            for cell in np.flatnonzero(board).tolist()
        }
        self.rule_of: dict[Condition, SudokuRules] = {}
        if rules is not None:
            self.rule_of = {("rule", rule): rule for rule in rules.single_rules()}
        self.conditions = [*self.rule_of, *self.cell_of]
        self.regions = None if rules is None else rules.stated().get("regions")

    def is_over(self) -> bool:
        """Count how often an engine asks this, which it does after a number of steps."""
        self.n_polls += 1
        return self.stop() or self.n_polls > self.max_polls

    def board_of(self, conditions: Sequence[Condition]) -> NDArray[np.uint8]:
        """Return the board with only those givens that are among some conditions."""
        givens = [self.cell_of[given] for given in conditions if given in self.cell_of]
        board = np.zeros_like(self.board)
        board[givens] = self.board[givens]
        return board

    def rules_of(self, conditions: Sequence[Condition]) -> SudokuRules | None:
        """Return those rules that are among some conditions; None if the board has none."""
        chosen = (self.rule_of[rule] for rule in conditions if rule in self.rule_of)
        return self.rules and self.rules.with_rules(chosen)

    def has_solution(self, conditions: Sequence[Condition]) -> bool | None:
        """Return whether there is a solution; None if the search ends early."""
        boards = self.board_of(conditions)[np.newaxis]
        if not boards.any() and self.rules is None:
            return True
        if self.stop():
            return None
        rules = self.rules_of(conditions)
        if rules is not None and not rules.engine(self.box).prepare(self.stop):
            return None
        result = EngineResult.allocate(boards)
        self.n_polls = 0
        # One solution is enough. The count is -1 if `is_over` ended the search.
        run_engine(choose_engine("auto", rules), self.box, boards, 1, result, self.is_over)
        return None if result.counts[0] < 0 else bool(result.counts[0])

    def equal_givens(self, conditions: Sequence[Condition]) -> list[Condition]:
        """Return two equal givens among some conditions in a row, column or box, if there are any.

        They take no search.
        """
        givens = {self.cell_of[given]: given for given in conditions if given in self.cell_of}
        for cells in units(self.box, self.regions):
            first: dict[int, int] = {}  # the cell with each value
            for cell in (cell for cell in cells if cell in givens):
                if (earlier := first.setdefault(int(self.board[cell]), cell)) != cell:
                    return [givens[earlier], givens[cell]]
        return []

    def explain(self, conditions: list[Condition]) -> Diagnosis:
        """Return a reason why some conditions have no solution, as the last search has shown.

        The searches for a smaller conflict are limited in proportion to this last one.
        """
        self.max_polls = max(MIN_POLLS, MAX_RATIO * self.n_polls)
        conditions = self.equal_givens(conditions) or conditions
        few, is_minimal = find_smallest(conditions, self.has_solution, self.report, self.stop)
        few.sort(key=[*self.cell_of, *self.rule_of].index)
        self.max_polls = math.inf
        # Whether it is enough to leave out one condition; None if that is unknown
        is_enough = [self.has_solution(without(self.conditions, blamed)) for blamed in few]
        helpful = [blamed for blamed, helps in zip(few, is_enough, strict=True) if helps]
        lines = [f"The puzzle has no solution: {self._summarize(few)}."]
        lines.append(f"To blame: {self._list(few)}.")
        if not is_minimal:
            lines.append("Fewer may suffice: the search for them was stopped.")
        if helpful:
            which = "this" if len(helpful) == 1 else "any one of these"
            lines.append(f"There is a solution without {which}: {self._list(helpful)}.")
        elif is_minimal and few and None not in is_enough:
            lines.append("Leaving out one of them is not enough.")
        boards = self.board_of(few), self.board
        symbols, all_symbols = (format_cells(board, self.alphabet) for board in boards)
        rules = {} if self.rules is None else self.rules.stated()
        return Diagnosis(
            "conflict",
            [],
            "\n".join(lines),
            conditions=few,
            helpful=helpful,
            is_minimal=is_minimal,
            _draw=partial(sudoku_picture, lines[0], symbols, *self.box, all_symbols, rules=rules),
        )

    def _summarize(self, conflict: Sequence[Condition]) -> str:
        """Return how some conditions exclude each other, as a clause."""
        board = self.board_of(conflict)
        rules = self.rules_of(conflict)
        repetitions = find_conflicts(board[np.newaxis], self.box, self.alphabet, self.regions)
        if (repetition := next(repetitions, None)) is not None:
            _, clause = repetition
            return clause
        if rules is not None and not board.any():
            clash = find_clash([*list_requirements(rules, self.box)], check_units(rules, self.box))
            if clash is not None:
                first, second, unit = clash
                return (
                    f"{self.places[first]} and {self.places[second]} have the same value, but "
                    f"are in {unit_words(unit)}"
                )
        n_givens = int(np.count_nonzero(board))
        return _phrase(n_givens, len(conflict) - n_givens)

    def _list(self, conditions: Sequence[Condition]) -> str:
        return ", ".join(map(self._describe, conditions))

    def _describe(self, condition: Condition) -> str:
        """Return a condition as a part of a sentence."""
        if condition in self.rule_of:
            rule = self.rule_of[condition]  # with a single entry, such as one cage
            for total, cells in rule.stated().get("cages", ()):
                sums_to = "" if total is None else f"of {total} "
                return f"the cage {sums_to}at {' '.join(self.places[cell] for cell in cells)}"
            return label(repr(rule).partition("(")[2][:-1])  # the argument of SudokuRules(...)
        cell = self.cell_of[condition]
        return label(f"{self.places[cell]}={format_cells(self.board[[cell]], self.alphabet)[0]}")


def _phrase(n_givens: int, n_rules: int) -> str:
    """Return the numbers of givens and rules in a conflict, as a clause."""
    counts = ((n_givens, "given"), (n_rules, "rule"))
    parts = " and ".join(plural(number, noun) for number, noun in counts if number)
    if n_givens + n_rules > 1:
        return f"{parts} exclude each other"
    return f"{parts} excludes all solutions" if parts else "the regions admit none"
