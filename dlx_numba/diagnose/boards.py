"""Explain why a Sudoku puzzle has no solution: the givens and the rules that exclude each other."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..runtime.interrupts import Stop, StopEvent
from ..runtime.showing import Progress, showing
from ..runtime.text import plural
from ..sudoku.board import Board
from ..sudoku.box import Box, BoxLike, units
from ..sudoku.convert import convert_puzzle
from ..sudoku.engines.base import EngineResult
from ..sudoku.engines.registry import borrowed_engine, choose_engine
from ..sudoku.io.board import format_cells
from ..sudoku.io.strings import parse_board
from ..sudoku.io.symbols import Alphabet
from ..sudoku.verify import find_conflicts
from ..svg.board import sudoku_picture
from ..variants.rules import SudokuRules
from . import Diagnosis
from .conflict import MAX_RATIO, Condition
from .phrases import label
from .quickxplain import find_smallest

RequirementT = TypeVar("RequirementT")


def diagnose_sudoku(
    puzzle: Any,
    *,
    box: BoxLike = None,
    alphabet: str = "auto",
    seconds: float | None = None,
    stop: StopEvent | None = None,
    rules: SudokuRules | None = None,
    progress: Progress = False,
) -> Diagnosis:
    """Explain why a Sudoku puzzle has no solution.

    The reason is a minimal conflict: a few givens, and rules of a variant, that exclude each other.
    If any one of them is left out, the others have a solution.

    Parameters
    ----------
    puzzle, box, alphabet
        As for `solve_sudoku`.
    seconds
        The time limit. The smallest conflict found in time is returned.
    stop
        An object with a method `is_set`, such as `threading.Event`. The call ends soon after it is
        set, as after the time limit.
    rules
        The rules of a variant.
    progress
        Whether to show the current step, or a function; as for `ExactCover.solve`.

    Returns
    -------
    Diagnosis
        Its kind is "conflict", "solvable" or "unknown". Its `conditions` are pairs of "given" and
        a name such as "r1c4=7", or of "rule" and a `SudokuRules` with that rule only. Those whose
        removal alone is enough for a solution are also in `helpful`. Its `text` has the symbols of
        the puzzle, and `svg` draws the givens in conflict.

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
    if isinstance(puzzle, Board):
        symbols = puzzle._alphabet
    elif isinstance(puzzle, str):
        _, symbols, _ = parse_board(puzzle, shape, alphabet)
    else:
        symbols = Alphabet("numbers", shape.n)
    board, condition = np.frombuffer(values, np.uint8), Stop(seconds, stop)
    steps = [""]
    with showing(progress, lambda: (None, steps[-1])):
        return diagnose_board(board, shape, symbols, rules, condition, steps.append)


def diagnose_board(
    board: NDArray[np.uint8],
    box: Box,
    alphabet: Alphabet,
    rules: SudokuRules | None,
    stop: Stop,
    report: Callable[[str], None],
) -> Diagnosis:
    """Explain why a board (cells,) has no solution, and report each step by a line of text."""
    puzzle = _Puzzle(board, box, rules, stop)
    report("search for a solution")
    solvable = puzzle.has_solution(puzzle.givens, puzzle.rules)
    if solvable:
        return Diagnosis("solvable", [], "The puzzle has a solution.")
    if solvable is None:
        text = "It is not known whether there is a solution: the call was stopped before the end."
        return Diagnosis("unknown", [], text, is_minimal=False)
    puzzle.limit_searches(MAX_RATIO)

    def smallest(
        requirements: list[RequirementT], exclude: Callable[[list[RequirementT]], bool]
    ) -> list[RequirementT]:
        def test(chosen: list[RequirementT]) -> bool:
            is_proven = exclude(chosen)
            if is_proven:
                report(f"{len(chosen):,} of {len(requirements):,} exclude each other")
            return is_proven

        return [] if not requirements or test([]) else find_smallest(requirements, test, stop)

    givens = smallest(puzzle.givens, lambda chosen: puzzle.excludes(chosen, puzzle.rules))
    singles = smallest(puzzle.rules, lambda chosen: puzzle.excludes(givens, chosen))
    puzzle.limit_searches(math.inf)
    requirements: list[int | SudokuRules] = [*givens, *singles]
    for requirement in requirements:  # some searches may have ended early
        fewer = puzzle.without(requirement, givens, singles)
        if puzzle.excludes(*fewer):
            givens, singles = fewer
    givens.sort()
    singles.sort(key=puzzle.rules.index)
    helpful_givens = [cell for cell in givens if puzzle.is_solvable_without(cell)]
    helpful_rules = [rule for rule in singles if puzzle.is_solvable_without(rule)]
    is_minimal = not stop()
    blamed, texts = puzzle.describe(givens, singles, alphabet)
    helpful, helpful_texts = puzzle.describe(helpful_givens, helpful_rules, alphabet)
    conflict = np.zeros_like(board)
    conflict[givens] = board[givens]
    _, repeated = next(find_conflicts(conflict[np.newaxis], box, alphabet), (0, ""))
    lines = [f"The puzzle has no solution: {repeated or _state(len(givens), len(singles))}."]
    lines.append(f"To blame: {', '.join(texts)}.")
    if not is_minimal:
        lines.append("Fewer may suffice: the search for them was stopped.")
    if helpful:
        which = "this" if len(helpful) == 1 else "any one of these"
        lines.append(f"There is a solution without {which}: {', '.join(helpful_texts)}.")
    elif is_minimal and blamed:
        lines.append("Leaving out one of them is not enough.")
    stated = None if rules is None else rules.stated()
    symbols, all_symbols = (format_cells(values, alphabet) for values in (conflict, board))
    return Diagnosis(
        "conflict",
        [],
        "\n".join(lines),
        conditions=blamed,
        helpful=helpful,
        is_minimal=is_minimal,
        _draw=partial(sudoku_picture, lines[0], symbols, *box, all_symbols, rules=stated),
    )


def _state(n_givens: int, n_rules: int) -> str:
    """Return the numbers of givens and rules in a conflict, as a clause."""
    counts = ((n_givens, "given"), (n_rules, "rule"))
    parts = " and ".join(plural(number, noun) for number, noun in counts if number)
    if n_givens + n_rules > 1:
        return f"{parts} exclude each other"
    return f"{parts} excludes all solutions" if parts else "the regions admit none"


class _Puzzle:
    """Searches of a puzzle with some of its givens and some of its rules.

    Attributes
    ----------
    givens : list of int
        The cells of the givens, first those that repeat a value of their row, column or box: the
        smallest conflicts consist of them.
    rules : list of SudokuRules
        Each rule by itself.
    """

    def __init__(
        self, board: NDArray[np.uint8], box: Box, rules: SudokuRules | None, stop: Stop
    ) -> None:
        self._board, self._box, self._all_rules, self._stop = board, box, rules, stop
        of_unit = ((cell, board[unit] == board[cell]) for unit in units(box) for cell in unit)
        repeated = {cell for cell, is_equal in of_unit if is_equal.sum() > 1}
        self.givens: list[int] = np.flatnonzero(board).tolist()
        self.givens.sort(key=lambda cell: cell not in repeated)
        self.rules = [] if rules is None else rules.single_rules()
        self._max_polls, self._n_polls = math.inf, 0

    def limit_searches(self, max_ratio: float) -> None:
        """Limit further searches to a multiple of the work of the last one."""
        self._max_polls = max_ratio * (self._n_polls + 1)

    def has_solution(self, givens: list[int], rules: list[SudokuRules]) -> bool | None:
        """Return whether there is a solution; None if the search ends early."""
        if not givens and self._all_rules is None:
            return True
        if self._stop():
            return None
        boards = np.zeros((1, len(self._board)), np.uint8)
        boards[0, givens] = self._board[givens]
        chosen = self._all_rules and self._all_rules.with_rules(rules)
        if chosen is not None and not chosen.engine(self._box).prepare(self._stop):
            return None
        result = EngineResult.allocate(boards)
        self._n_polls = 0
        with borrowed_engine(choose_engine("auto", chosen), self._box) as engine:
            engine.solve(boards, 1, result, self._is_over)
        return None if result.counts[0] < 0 else bool(result.counts[0])

    def _is_over(self) -> bool:
        """Count how often an engine asks this, which it does after a number of steps."""
        self._n_polls += 1
        return self._stop() or self._n_polls > self._max_polls

    def excludes(self, givens: list[int], rules: list[SudokuRules]) -> bool:
        """Return whether it is proven that there is no solution."""
        return self.has_solution(givens, rules) is False

    def is_solvable_without(self, requirement: int | SudokuRules) -> bool:
        """Return whether there is a solution without a single given or rule."""
        return bool(self.has_solution(*self.without(requirement, self.givens, self.rules)))

    @staticmethod
    def without(
        requirement: int | SudokuRules, givens: list[int], rules: list[SudokuRules]
    ) -> tuple[list[int], list[SudokuRules]]:
        """Return givens and rules without one of them."""
        return (
            [cell for cell in givens if cell != requirement],
            [rule for rule in rules if rule is not requirement],
        )

    def describe(
        self, givens: list[int], rules: list[SudokuRules], alphabet: Alphabet
    ) -> tuple[list[Condition], list[str]]:
        """Return givens and rules as conditions, and as words of a sentence."""
        cells = [f"r{cell // self._box.n + 1}c{cell % self._box.n + 1}=" for cell in givens]
        values = self._board[givens]
        conditions: list[Condition] = [
            ("given", f"{cell}{value}") for cell, value in zip(cells, values, strict=True)
        ]
        symbols = format_cells(values, alphabet) if givens else []
        texts = [label(cell + symbol) for cell, symbol in zip(cells, symbols, strict=True)]
        texts += [label(repr(rule).partition("(")[2][:-1]) for rule in rules]
        return [*conditions, *(("rule", rule) for rule in rules)], texts
