"""Sudoku boards, plain or with the rules of a variant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ..cover.covers import Cover, as_cover
from ..cover.encode import Formulation
from ..cover.exact_cover import ExactCover
from ..cover.named_problem import named_problem
from ..cover.names import ContradictionError
from ..pictures.board import board_cells, board_grid
from ..pictures.grid import Grid, Mark
from ..runtime.errors import FormatError
from ..runtime.interrupts import Stop, StopEvent
from ..runtime.text import Paint
from ..search.thread_runner import check_limit
from ..sudoku.api import solve_batch
from ..sudoku.box import Box
from ..sudoku.engines.base import Boards
from ..sudoku.engines.dlx import iterate_blocks
from ..sudoku.io.board import format_cells
from ..sudoku.io.records import Records
from ..sudoku.io.symbols import Alphabet
from ..sudoku.io.table import SOLUTION_NAME
from ..sudoku.verify import are_solutions, find_conflicts
from .numbers.latin import SYMBOLS, parse_givens
from .puzzle import Puzzle
from .variants.contradiction import find_contradiction
from .variants.formulate import BoardFormulation, formulate
from .variants.rules import SudokuRules
from .variants.units import check_units

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..cover.prepare import SearchKeywords

formats = "boards as lines, drawings, tables and JSON, with rules, and links of f-puzzles"

STANDARD_BOX = Box(3, 3)
PLAIN = SudokuRules()
UNENCODED = Formulation([])  # `cover` encodes a board
DIGITS = Alphabet("1-9A-", STANDARD_BOX.n)
MAX_SEARCHED = 1 << 12  # solutions of a board that are found to count them


@dataclass(frozen=True, repr=False)
class BoardPuzzle(Puzzle):
    """A Sudoku puzzle.

    Boards of the same size and rules share one exact cover problem; the givens of a board are given
    options.

    Parameters
    ----------
    values : tuple of int
        The value of each cell, 0 for an empty one.
    box : Box
        The rows and columns of a box.
    alphabet : Alphabet
        The symbols of the values.
    rules : SudokuRules
        The rules of a variant.
    candidates : tuple of str, optional
        The digits that are possible in each cell, on a board of up to 9×9; by default, all.
    narrows : bool
        Whether to leave out what the rules exclude.
    """

    statement: Formulation = UNENCODED
    values: tuple[int, ...] = ()
    box: Box = STANDARD_BOX
    alphabet: Alphabet = DIGITS
    rules: SudokuRules = PLAIN
    candidates: tuple[str, ...] = ()
    narrows: bool = True

    def has_right_answer(self) -> bool:
        """Whether the answer is a solution of the board.

        Raises ValueError if the board itself is complete and wrong.
        """
        if self.rules != PLAIN or self.candidates or not isinstance(self.answer, str):
            return False
        values = {symbol: k for k, symbol in enumerate(self._symbols(range(self.box.n + 1)))}
        board = [values.get(word, 0) for word in self.answer.split()]
        if len(board) != self.box.cells:
            return False
        boards = np.array([board, self.values])
        is_right = bool(are_solutions(boards[:1], boards[1:], self.box))
        if not is_right and all(self.values):
            [(_, conflict)] = find_conflicts(boards[1:].astype(np.uint8), self.box, self.alphabet)
            raise ValueError(conflict)
        return is_right

    def with_all_options(self) -> BoardPuzzle:
        return replace(self, narrows=False)

    def cover(self, **keywords: Unpack[SearchKeywords]) -> ExactCover:
        """Return the problem of the empty board, with the givens and the excluded candidates.

        It is formulated once for all boards of the same rules.
        """
        empty, _ = self._empty
        givens = self._givens()
        keywords["given"] = [*givens, *keywords.get("given", ())]
        keywords["forbidden"] = [*self._excluded(), *keywords.get("forbidden", ())]
        names = named_problem(empty).names
        board = np.array(self.values, np.uint8)
        if not self.narrows:  # a given that breaks one of these rules then has an option, too
            rules = self.rules
            of_cells = SudokuRules(odd=rules.odd, even=rules.even, regions=rules.regions)
            if words := find_contradiction(board, self.box, self.alphabet, of_cells):
                raise ContradictionError(words, [], names)
        try:
            # `_givens` has a name, not a number, for a given that no option places.
            if excluded := [each for each in givens if isinstance(each, str)]:
                raise ContradictionError(f"the rules exclude the given {excluded[0]}", [], names)
            return empty.replace(**{**self.settings, **keywords}, view=self.picture)
        except ContradictionError as error:
            words = find_contradiction(board, self.box, self.alphabet, self.rules)
            raise ContradictionError(words or str(error), error.options, names) from None

    def count(
        self,
        limit: int | None = None,
        *,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> int:
        """Count the solutions: a few by an engine for boards, and more by a search."""
        condition = Stop(seconds, stop)
        most = min(check_limit(limit, "limit"), MAX_SEARCHED)
        # Few solutions are found before the problem is formulated. -1: this is not tried, or was
        # stopped, which the search then raises.
        n_found = -1
        if most and self.rules == PLAIN and not self.candidates:
            board = np.array([self.values], np.uint8)
            batch = solve_batch(board, most, threads=1, box=self.box, stop=condition)
            n_found = int(batch.counts[0])
        elif limit is None and self.rules != PLAIN:
            n_found = super().count(most, stop=condition)  # with a limit, an engine may do it
        if 0 <= n_found < most or n_found == limit:
            return n_found
        return super().count(limit, seconds=condition.seconds_left(), stop=stop)

    @cached_property
    def picture(self) -> Grid:
        """The givens, what each option writes, and the rules."""
        return self._picture(_board_marks(self.rules, self.box, self.narrows, self.alphabet))

    def _picture(self, marks: Sequence[tuple[Mark, ...]]) -> Grid:
        """Return the picture of the board with its givens, and what each option marks."""
        empty = _empty_picture(self.rules, self.box)
        symbols = self._symbols(range(self.box.n + 1))
        placed = zip(empty.cells, self.values, strict=True)
        given = [(cell, symbols[value]) for cell, value in placed if value]
        # Shapes of rules stay visible.
        shaded = [] if empty.rules else [cell for cell, _ in given]
        return replace(empty, title=self.title, marks=marks, givens=given, shaded=shaded)

    def _symbols(self, values: Iterable[int]) -> list[str]:
        return format_cells(np.array([*values], np.uint8), self.alphabet)

    @property
    def has_boards(self) -> bool:
        is_searched = self.order_seed is not None or "choose" in self.settings
        return bool(self.rules.stated()) and not self.candidates and not is_searched

    def boards(self, stop: Stop) -> Iterator[Boards] | None:
        if not self.has_boards:
            return None
        board = np.array(self.values, np.uint8)
        blocks = iterate_blocks(board, self.box, stop, rules=self.rules)
        return chain.from_iterable(blocks)

    def draw(self, board: Boards, paint: Paint) -> str:
        """Return a solution as lines of text."""
        marks = zip(board_cells(self.box.n), self._symbols(board.tolist()), strict=True)
        is_empty = [k for k, value in enumerate(self.values) if not value]
        return self._picture([(each,) for each in marks]).text(is_empty, paint)

    def solutions(
        self, *, seconds: float | None = None, stop: StopEvent | None = None
    ) -> Iterator[Cover]:
        boards = self.boards(Stop(seconds, stop))
        if boards is None:
            return super().solutions(seconds=seconds, stop=stop)
        return map(self._cover, boards)

    def first(self, *, seconds: float | None = None, stop: StopEvent | None = None) -> Cover | None:
        condition = Stop(seconds, stop)
        if (boards := self.boards(condition)) is None:
            return super().first(seconds=seconds, stop=stop)
        board = next(boards, None)
        return None if board is None else self._cover(board)

    def _cover(self, board: Boards) -> Cover:
        """Return the cover for a solution: its placements, and the options that fit them."""
        empty, option_of = self._empty
        problem = empty.problem
        is_chosen = np.zeros(empty.n_options, np.bool_)
        is_chosen[option_of[np.arange(self.box.cells), board - 1]] = True
        is_covered = np.zeros(problem.n_items, np.bool_)
        is_covered[problem.items[is_chosen[problem.option_of_node()]]] = True
        # The options of choices, such as sets of digits in cages: those that share no item with the
        # placements are chosen, too.
        n_shared = np.add.reduceat(is_covered[problem.items], problem.indptr[:-1])
        return as_cover(
            named_problem(self.problem), np.flatnonzero(is_chosen | (n_shared == 0)).tolist()
        )

    @property
    def _empty(self) -> BoardFormulation:
        """The problem of the empty board, and the option for each value in each cell."""
        return _empty_board(self.rules, self.box, self.narrows)

    def _givens(self) -> list[Any]:
        """Return the options of the givens: their numbers, the same for clones, or names."""
        _, option_of = self._empty
        # The options for each value in a cell, the cell, and its given, 0 for none
        rows = zip(option_of.tolist(), board_cells(self.box.n), self.values, strict=True)
        given = ((options[value - 1], *cell, value) for options, cell, value in rows if value)
        return [option if option >= 0 else f"r{r}c{c}={v}" for option, r, c, v in given]

    def _excluded(self) -> list[int]:
        """Return the options that the candidates of the cells exclude; clones have the same ones.

        Nothing is excluded if the puzzle has no candidates.
        """
        _, option_of = self._empty
        return [
            option
            for options, possible in zip(option_of.tolist(), self.candidates, strict=False)
            for digit, option in enumerate(options, 1)
            if option >= 0 and str(digit) not in possible
        ]


@lru_cache(maxsize=8)
def _empty_board(rules: SudokuRules, box: Box, narrows: bool) -> BoardFormulation:
    """Return the problem of an empty board, and the option for each value in each cell."""
    return formulate(rules, box, narrows=narrows)


@lru_cache(maxsize=8)
def _empty_picture(rules: SudokuRules, box: Box) -> Grid:
    """Return the picture of an empty board, on which options write nothing."""
    return board_grid("", [], [], *box, False, rules.stated())  # False: no cell is shaded


@lru_cache(maxsize=8)
def _board_marks(
    rules: SudokuRules, box: Box, narrows: bool, alphabet: Alphabet
) -> tuple[tuple[Mark, ...], ...]:
    """Return what each option writes."""
    empty, option_of = _empty_board(rules, box, narrows)
    symbols = format_cells(np.arange(1, box.n + 1, dtype=np.uint8), alphabet)
    marks = [list[Mark]() for _ in range(empty.n_options)]
    for cell, options in zip(board_cells(box.n), option_of.tolist(), strict=True):
        for option, symbol in zip(options, symbols, strict=True):
            if option >= 0:
                marks[option].append((cell, symbol))
    return tuple(map(tuple, marks))


def board_puzzles(chunks: Iterable[Records]) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles in chunks of boards, and an exception in place of each bad record."""
    for records in chunks:
        errors = errors_of(records)
        for index in range(len(records) + 1):
            for bad, error in zip(records.bad, errors, strict=True):
                if bad.index == index:
                    yield error
            if index < len(records):
                yield board_puzzle(records, index)


def errors_of(records: Records) -> list[FormatError]:
    """Return the exceptions for the bad records of a chunk."""
    return [FormatError(records.source, bad.line, bad.reason) for bad in records.bad]


def board_puzzle(records: Records, index: int) -> BoardPuzzle:
    """Return one of the puzzles of a chunk."""
    answer = "" if records.others is None else records.others[index].get(SOLUTION_NAME, "")
    board = records.boards[index]
    solution = None if records.solutions is None else records.solutions[index]
    if board.all():  # a complete board is a claim to obey the rules
        solution = board
    if solution is not None and solution.any():
        rows = solution.reshape(-1, records.box.n)
        answer = "\n".join(" ".join(format_cells(row, records.alphabet)) for row in rows)
    rules: Any = records.rules or PLAIN
    return BoardPuzzle(
        "board",
        place=f"{records.source}:{records.lines[index]}",
        answer=answer,
        values=tuple(board.tolist()),
        box=records.box,
        alphabet=records.alphabet,
        rules=rules,
    )


def example(
    box: str = "3x3",
    givens: str = "",
    diagonals: bool = False,
    windows: bool = False,
    regions: str = "",
) -> Puzzle:
    """Solve a Sudoku: plain, diagonal, windoku or jigsaw.

    Items: each cell; each symbol in each unit, which is a row, a column, a box or a set of cells
    that a variant defines.
    Options: a symbol in a cell covers the cell, and the symbol in each unit of the cell.

    Parameters
    ----------
    box
        The numbers of rows and columns of a box, from `2x2` to `5x5`.
    givens
        A symbol for each cell, by rows, and `.` for an empty cell. If empty, no cell is given.
    diagonals
        Whether the two diagonals are units (Sudoku X).
    windows
        Whether squares of the size of a box, one cell apart from each other and from the frame,
        are units (windoku).
    regions
        The letter of each cell's region, by rows (jigsaw). The regions replace the boxes.

    Notes
    -----
    All variants have the same options; they differ only in the items. There are 288 boards of
    4×4 (OEIS A107739).

    >>> [example("2x2", diagonals=diagonals).count() for diagonals in (False, True)]
    [288, 48]
    """
    shape = Box.parse(box)
    if shape.n > len(SYMBOLS):
        raise ValueError(f"box {box}: there are only {len(SYMBOLS)} symbols for {shape.n} values")
    candidates = parse_givens(givens, shape.n)
    values = tuple(SYMBOLS.index(each) + 1 if len(each) == 1 else 0 for each in candidates)
    rules = SudokuRules(diagonals=diagonals, windows=windows, regions=regions or None)
    check_units(rules, shape)
    return BoardPuzzle(
        "Sudoku",
        values=values,
        box=shape,
        alphabet=Alphabet.named("auto", shape.n),
        rules=rules,
        order_seed=3,
    )
