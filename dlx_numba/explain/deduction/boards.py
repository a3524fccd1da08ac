"""Deductions on Sudoku boards, with the names that players use."""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ...cover.encode import Formulation
from ...cover.exact_cover import ExactCover
from ...cover.named_problem import named_problem
from ...cover.names import ContradictionError, Numbers, as_text, label
from ...pictures.grid import Grid
from ...puzzles.collection import Puzzles
from ...puzzles.logic.sukaku import parse as parse_marks
from ...puzzles.puzzle import Puzzle
from ...puzzles.records import Record
from ...puzzles.sudoku import PLAIN, BoardPuzzle
from ...puzzles.variants.rules import SudokuRules
from ...puzzles.variants.units import unit_words
from ...runtime.arguments import check_integer
from ...runtime.interrupts import Stop, StopEvent
from ...sudoku.api import NoSolution
from ...sudoku.box import Box, BoxLike, as_box
from ...sudoku.convert import convert_puzzle
from ...sudoku.engines.registry import choose_engine
from ...sudoku.io.symbols import Alphabet
from ...sudoku.levels import CHAIN_NAME, LEVELS, RULES, list_tables
from . import Deduction, deduce_steps, rules_of
from .reason import CASES, KINDS, FoundStep

MAX_SIZE = 4  # of a set
MAX_SIDE = 35  # of an empty board whose options can be compared
VIOLATED = "There is no solution: the only cover violates a condition that is not about items."
N_PENCIL_MARKS = 729  # of a board of 9×9
MARK_SHAPES = (N_PENCIL_MARKS,), (81, 9), (9, 9, 9)


def deduce(
    board: Any,
    rules: SudokuRules | None = None,
    *,
    box: BoxLike = None,
    limit: int | None = None,
    seconds: float | None = None,
    stop: StopEvent | None = None,
) -> Deduction:
    """Solve a Sudoku puzzle step by step, as players do.

    Each step is the simplest one: a naked or hidden single, pointing or claiming, a naked or hidden
    pair, an X-wing, then triples and swordfish, quadruples and jellyfish, forcing chains, and last
    candidates that lead to dead ends in all cases. The steps of variants name their rules. A board
    with one solution has a step, unless there are too many cases.

    Parameters
    ----------
    board : str, array_like, Board or Puzzle
        A board of any size, in a form that `solve_sudoku` accepts; pencil marks, as 729 symbols or
        integers of shape (729,), (81, 9) or (9, 9, 9), 0 for a digit that is not possible; or a
        puzzle of any kind that `read` returns.
    rules : SudokuRules, optional
        The rules of a variant. A `Puzzle` has its own.
    box : (int, int), str or Box, optional
        The rows and columns of a box, such as (3, 2) or "3x2"; by default, those that the board
        shows, or else the standard box.
    limit : int, optional
        Stop after this number of steps, such as 1 for the next one.
    seconds : float, optional
        The time limit. A call that is stopped returns the steps it has found.
    stop : StopEvent, optional
        An object with a method `is_set`, such as `threading.Event`, which ends the call.

    Returns
    -------
    Deduction
        A list of steps, as of `ExactCover.deduce`. `name` is the name of a step, and its items are
        named like `r1c1` and `5 in row 1`.

    Raises
    ------
    NoSolution
        If givens exclude each other, such as two 1s in a column.
    ValueError
        If `board` is not a valid board.

    Examples
    --------
    >>> steps = deduce("1..." "..3." ".4.." "...2")
    >>> print(steps[-1])
    Naked single: r4c3 can only be 4.
    >>> steps.done, len(steps), steps.end
    (True, 12, 'This is the only solution.')
    >>> [step] = deduce("1..." "..3." ".4.." "...2", limit=1)
    >>> step.cells, step.digits
    ([(1, 4)], [4])
    """
    puzzle = _as_puzzle(board, rules, box)
    most = None if limit is None else check_integer(limit, "limit", minimum=1)
    try:
        return deduce_puzzle(puzzle, puzzle.cover(), Stop(seconds, stop), most)
    except ContradictionError as error:
        raise NoSolution(str(error)) from None


def _as_puzzle(board: Any, rules: SudokuRules | None, box: BoxLike) -> Puzzle:
    """Return the puzzle that a caller of `deduce` passes, with all of its options."""
    choose_engine("auto", rules)  # raises TypeError if these are no rules
    if isinstance(board, Puzzle):
        if rules is not None or box is not None:
            raise ValueError("a Puzzle has its own rules and box")
        return board.with_all_options()
    if isinstance(board, Puzzles):
        raise ValueError("expected one puzzle, such as puzzles[0], not a list of puzzles")
    if (marks := _pencil_marks(board)) is not None:
        puzzle = parse_marks(Record("pencil marks", marks))
        if as_box(box) not in (None, puzzle.box):
            raise ValueError(f"the box of the candidates is {puzzle.box}, not {as_box(box)}")
        return replace(puzzle, narrows=False, rules=rules or PLAIN)
    values, found_box, _ = convert_puzzle(board, box, "auto")
    alphabet = Alphabet.named("auto", found_box.n)
    return BoardPuzzle(
        "board",
        Formulation([]),
        None,
        "",
        tuple(values),
        found_box,
        alphabet,
        rules or PLAIN,
        narrows=False,
    )


def empty_deduction(box: Box, rules: SudokuRules | None = None) -> Deduction:
    """Return the deduction on an empty board before its first step."""
    puzzle = _as_puzzle(np.zeros(box.cells, np.uint8), rules, box)
    return deduce_puzzle(puzzle, puzzle.cover(), Stop(), 0)


def _pencil_marks(board: Any) -> str | None:
    """Return pencil marks as 729 symbols; None for what has another shape, such as a board."""
    text = ""
    if isinstance(board, str):
        text = board.strip()
    elif isinstance(board, np.ndarray | list | tuple):
        with suppress(ValueError):  # a list of lists of several lengths
            array = np.asarray(board)
            if array.dtype.kind in "iu" and array.shape in MARK_SHAPES:
                text = "".join(map(str, array.ravel().tolist()))
    return text if len(text) == N_PENCIL_MARKS and len(text.split()) == 1 else None


def deduce_puzzle(
    puzzle: Puzzle,
    cover: ExactCover,
    stop: Stop,
    limit: int | None = None,
    *,
    describes: bool = False,
) -> Deduction:
    """Deduce what follows from a puzzle that a problem encodes, by at most `limit` steps.

    `describes` is that of `deduce_steps`. Raises ContradictionError if givens exclude each other.
    """
    if not isinstance(puzzle, BoardPuzzle):
        named = named_problem(_with_givens(cover))
        rules = rules_of(named, MAX_SIZE)
        deduction = deduce_steps(named, rules, stop, limit, describes=describes)
        only = deduction.cover
        if only is not None and puzzle.condition is not None and not puzzle.condition([*only]):
            deduction.cover = None
            deduction.refuted = True
            deduction.end = VIOLATED
        return deduction
    named = named_problem(cover)
    tables = list_tables(named.selected.problem, named.items_left)
    variant = (puzzle.rules, puzzle.box) if puzzle.rules.stated() else None
    name_item = partial(_name_item, regions=puzzle.rules.regions)
    settings = _name_step, name_item, *tables, variant  # the last positional parameters
    rules = [*RULES, (CASES, 0, 0)]
    try:
        return deduce_steps(named, rules, stop, limit, *settings, describes=describes)
    except ValueError as error:
        raise ValueError(
            f"{error}; empty boards of up to {MAX_SIDE}×{MAX_SIDE} cells are small enough"
        ) from None


def _with_givens(cover: ExactCover) -> ExactCover:
    """Return the problem, in which options that write only givens of its picture are given, too."""
    grid = named_problem(cover).drawing
    selected = named_problem(cover).selected.given
    if not isinstance(grid, Grid) or not grid.givens:
        return cover
    givens = {*grid.givens}
    drawn = [k for k, marks in enumerate(grid.marks) if marks and givens.issuperset(marks)]
    try:
        return cover.replace(given=Numbers(dict.fromkeys([*selected, *drawn])))
    except ContradictionError as error:
        if error.item is None:  # no item that two givens share: the steps say why
            return cover
        words = grid.words_for(as_text(error.item)) or (label(error.item),)
        # ContradictionError replaces {} by the names of the options.
        reason = f"the givens {{}} exclude each other: they contain {words[0]}"
        raise ContradictionError(reason, error.options, named_problem(cover).names) from None


def _name_step(found: FoundStep) -> str:
    """Return what players call a step of a board."""
    if found.kind == KINDS[CASES]:
        return "nested forcing chain"
    if found.rules:
        return "rules"
    name = LEVELS[found.level].name
    # A chain without links: the rule for conflicts comes before it, and finds those without totals.
    if found.kind == "conflict" and found.case is not None:
        name = "total"
    return f"{name} of {found.size}" if name == CHAIN_NAME else name


def _name_item(item: Hashable, regions: object = None) -> Hashable:
    """Return how players refer to an item of a board.

    >>> _name_item(("cell", 1, 2)), _name_item(("row3", 5)), _name_item(("cage2",))
    ('r1c2', '5 in row 3', 'cage 2')
    """
    if isinstance(item, str):  # a total
        return unit_words(item)
    if not isinstance(item, tuple) or item[0] == "conflict":
        return item
    if item[0] == "cell":
        return f"r{item[1]}c{item[2]}"
    unit = unit_words(item[0], regions)
    return f"{item[1]} in {unit}" if len(item) > 1 else unit
