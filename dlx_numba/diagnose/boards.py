"""Explain why a Sudoku puzzle has no solution: the givens and the rules that exclude each other."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..pictures.board import sudoku_picture
from ..runtime.interrupts import Stop, StopEvent
from ..runtime.showing import Display, showing
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
from ..variants.rules import SudokuRules
from . import Diagnosis
from .conflict import MAX_RATIO, Condition, find_smallest, without
from .statement import label

MIN_POLLS = 100  # of a search for a conflict, at least, before it ends early
Requirement = int | SudokuRules  # the cell of a given, or a single rule


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
    solvable = puzzle.has_solution(puzzle.requirements)
    if solvable:
        return Diagnosis("solvable", [], "The puzzle has a solution.")
    if solvable is None:
        text = "It is not known whether there is a solution: the call was stopped before the end."
        return Diagnosis("unknown", [], text, is_minimal=False)
    puzzle.max_polls = max(MIN_POLLS, MAX_RATIO * puzzle.n_polls)
    few, is_minimal = find_smallest(puzzle.requirements, puzzle.has_solution, report, stop)
    few.sort(key=puzzle.position)
    puzzle.max_polls = math.inf
    useful = [each for each in few if puzzle.has_solution(without(puzzle.requirements, each))]
    blamed, texts = puzzle.describe(few, alphabet)
    helpful, helpful_texts = puzzle.describe(useful, alphabet)
    givens = [each for each in few if isinstance(each, int)]
    conflict = np.zeros_like(board)
    conflict[givens] = board[givens]
    _, repeated = next(find_conflicts(conflict[np.newaxis], box, alphabet), (0, ""))
    reason = repeated or _state(len(givens), len(few) - len(givens))
    lines = [f"The puzzle has no solution: {reason}."]
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
    requirements : list of int or SudokuRules
        The single rules, and the cells with givens, those first that repeat a value in a unit.
    n_polls : int
        The work of the last search.
    max_polls : float
        The limit of the work of a search.
    """

    def __init__(
        self, board: NDArray[np.uint8], box: Box, rules: SudokuRules | None, stop: Stop
    ) -> None:
        self._board, self._box, self._rules, self._stop = board, box, rules, stop
        of_unit = ((cell, board[unit] == board[cell]) for unit in units(box) for cell in unit)
        repeated = {cell for cell, is_equal in of_unit if is_equal.sum() > 1}
        givens: list[int] = np.flatnonzero(board).tolist()
        givens.sort(key=lambda cell: cell not in repeated)
        single_rules = [] if rules is None else rules.single_rules()
        self.requirements: list[Requirement] = [*single_rules, *givens]
        self._rule_number = {rule: number for number, rule in enumerate(single_rules)}
        self.max_polls, self.n_polls = math.inf, 0

    def position(self, requirement: Requirement) -> int:
        """Return the position of a requirement in sentences: cells by their numbers, then rules."""
        if isinstance(requirement, int):
            return requirement
        return len(self._board) + self._rule_number[requirement]

    def has_solution(self, requirements: list[Requirement]) -> bool | None:
        """Return whether there is a solution; None if the search ends early."""
        givens = [each for each in requirements if isinstance(each, int)]
        if not givens and self._rules is None:
            return True
        if self._stop():
            return None
        boards = np.zeros((1, len(self._board)), np.uint8)
        boards[0, givens] = self._board[givens]
        rules = [each for each in requirements if isinstance(each, SudokuRules)]
        chosen = self._rules and self._rules.with_rules(rules)
        if chosen is not None and not chosen.engine(self._box).prepare(self._stop):
            return None
        result = EngineResult.allocate(boards)
        self.n_polls = 0
        with borrowed_engine(choose_engine("auto", chosen), self._box) as engine:
            engine.solve(boards, 1, result, self._is_over)
        return None if result.counts[0] < 0 else bool(result.counts[0])

    def _is_over(self) -> bool:
        """Count how often an engine asks this, which it does after a number of steps."""
        self.n_polls += 1
        return self._stop() or self.n_polls > self.max_polls

    def describe(
        self, requirements: list[Requirement], alphabet: Alphabet
    ) -> tuple[list[Condition], list[str]]:
        """Return requirements as conditions, and as words of a sentence."""
        conditions, texts = list[Condition](), list[str]()
        for each in requirements:
            if isinstance(each, SudokuRules):
                conditions.append(("rule", each))
                texts.append(label(repr(each).partition("(")[2][:-1]))
            else:
                cell = f"r{each // self._box.n + 1}c{each % self._box.n + 1}="
                conditions.append(("given", f"{cell}{self._board[each]}"))
                texts.append(label(cell + format_cells(self._board[[each]], alphabet)[0]))
        return conditions, texts
