"""The class `SudokuRules`: the rules of a Sudoku variant."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...runtime.errors import FormatError, Stopped
from ...runtime.interrupts import Stop, StopEvent
from ...sudoku.box import Box, BoxLike, as_box
from ...sudoku.convert import convert_puzzle
from ...sudoku.engines.base import Boards, StopCheck
from ...sudoku.io.symbols import Alphabet
from ...sudoku.io.table import RULES
from .constraints import FLAGS, Constraints
from .puzzle import parse_puzzle

if TYPE_CHECKING:
    from ...cover.exact_cover import ExactCover
    from .engine import VariantEngine


@dataclass(frozen=True, kw_only=True, repr=False)
class SudokuRules(Constraints):
    """The rules of a Sudoku variant, in addition to those of Sudoku.

    The functions for boards accept rules, and `exact_cover` formulates them. Rules are immutable,
    and can be compared and hashed. They have no size: they apply to all boards from 4×4 to 16×16 on
    which they make sense.

    Cells are numbered from 0 by rows: on a 9×9 board, cell 9 is the first one of the second row.

    Parameters
    ----------
    diagonals : bool
        Each value appears once on each of the two diagonals (Sudoku X).
    windows : bool
        Each value appears once in each window: the squares of the size of a box, one cell apart
        from each other and from the frame (windoku). Only for boards with square boxes.
    disjoint_groups : bool
        Each value appears once among the cells that have the same place in their boxes.
    regions : array_like of shape (n, n) or (cells,), or str
        The region of each cell: a number or any other name. The n regions of n cells replace the
        boxes (jigsaw). A drawing has one symbol for each cell; spaces and line breaks are ignored.
    extra_regions : iterable of lists of cells
        Sets of up to n cells in which no value appears twice.
    anti_knight, anti_king : bool
        Two cells a knight's move or a king's move apart have different values.
    non_consecutive : bool
        Two cells that share a side do not have consecutive values, unless they are in `differences`
        or `ratios`.
    less_than : iterable of (int, int)
        Pairs of cells, the first of which has the smaller value (futoshiki).
    thermometers : iterable of lists of cells
        The values increase along the cells.
    differences, ratios, sums : iterable of (int, int, int)
        Two cells, and the difference, the ratio or the sum of their values (kropki, XV). Other
        pairs may have the same relation.
    clones : iterable of lists of cells
        The cells of a list have the same value.
    cages : iterable of (int or None, list of cells)
        The sum of the values of the cells, or None for any sum; no value appears twice (killer).
    arrows : iterable of lists of cells
        The value of the first cell, the circle, is the sum of the values of the others. In place of
        the first cell, a list of cells has the digits of the sum.
    little_killers : iterable of (int, list of cells)
        The sum of the values of the cells, in which values may appear twice, such as a diagonal, or
        a cage with repeats.
    odd, even : list of cells
        Cells with an odd or an even value.
    minimum, maximum : list of cells
        Cells with a smaller or greater value than those beside them that are not listed.
    negative : list of str
        "differences", "ratios" or "sums": cells that share a side and are not marked so do not have
        these relations, which are the numbers of the marks. Without marks, these are the difference
        1 and the ratio 2; the sums are always 5 and 10, too. A difference also marks cells for
        "ratios", and a ratio for "differences", because between 1 and 2, either dot may be shown.
    quadruples : iterable of (list of values, list of cells)
        All of the values appear in the cells, and as often as they are listed.
    between_lines : iterable of lists of cells
        The values are between those of the first and the last cell.
    sandwiches : iterable of (int, list of cells)
        The sum of the values between the least and the greatest value of a row or a column.
    renban : iterable of lists of cells
        The values are consecutive, in any order.
    whispers : iterable of (int or None, list of cells)
        Neighbors on the line differ by at least this number. None stands for half of the greatest
        value, rounded up: 5 on 9×9 (German whispers); Dutch whispers have 4.
    region_sum_lines : iterable of lists of cells
        The parts of the line in the boxes or regions have the same sum.
    indexers : iterable of (str, list of cells)
        "column": the row of each cell has the number of its column in the column that the value of
        the cell says. "row" exchanges rows and columns, "box" is about the places in a box.
    x_sums, skyscrapers, numbered_rooms : iterable of (int, list of cells)
        Numbers about the cells of a row or a column, from one of its ends: the sum of the first
        values, as many as the first value says; the number of values that exceed all values
        before them; the value in the place that the first value says.
    entropic_lines : iterable of lists of cells
        Any three cells in a row have a low, a middle and a high value, thirds of all values.
    zipper_lines : iterable of lists of cells
        Two cells at the same distance from the middle of the line have the same sum, which is the
        value of the cell in the middle, if there is one.
    slow_thermometers : iterable of lists of cells
        The values do not decrease along the cells.
    palindromes : iterable of lists of cells
        The values are the same from both ends.
    parity_lines : iterable of lists of cells
        The values are alternately odd and even.
    lockouts : iterable of lists of cells
        The first and the last value differ by at least half of the number of values, rounded down,
        and no value between them on the line is in the range of these two.

    Instead of a list, `cages`, `thermometers`, `arrows`, `differences`, `ratios` and `sums` may be
    the number of entries that `generate` places on each of its boards.

    Raises
    ------
    ValueError
        If a parameter has another form, or a list has a cell twice.
    TypeError
        If a cell or another number is not an integer.

    Notes
    -----
    Arrows and little killers are totals of the exact cover problem. A cage has an option for each
    set of values that has its sum; the option excludes all other values from the cage. Functions
    for boards search a network of constraints instead, which is made in less than a millisecond.

    Examples
    --------
    >>> rules = SudokuRules(diagonals=True, less_than=[(0, 1)])
    >>> rules
    SudokuRules(diagonals=True, less_than=((0, 1),))
    >>> rules.exact_cover(box=(2, 2)).count()
    24
    """

    @classmethod
    def parse(cls, names: str) -> SudokuRules:
        """Return the rules with these names.

        Parameters
        ----------
        names : str
            Parameters that are True, separated by commas, with hyphens or underscores.

        Returns
        -------
        SudokuRules

        Raises
        ------
        ValueError
            If there is no such rule, or it needs more than its name.

        Examples
        --------
        >>> SudokuRules.parse("diagonals,anti-knight")
        SudokuRules(diagonals=True, anti_knight=True)
        """
        rules: dict[str, Any] = {}
        for name in names.split(","):
            rule = name.strip().lower().replace("-", "_")
            if rule not in FLAGS:
                known = ", ".join(FLAGS).replace("_", "-")
                advice = "; write rules with cells as JSON" if rule in RULES else ""
                raise ValueError(f"rules must be names from {known}, not {name.strip()!r}{advice}")
            rules[rule] = True
        return cls(**rules)

    def to_json(self) -> str:
        """Return the rules as a JSON object, which `from_json` reads.

        Returns
        -------
        str
            The parameters that are not at their defaults.

        Examples
        --------
        >>> SudokuRules(anti_king=True, cages=[(5, [0, 1])]).to_json()
        '{"anti_king": true, "cages": [[5, [0, 1]]]}'
        """
        return json.dumps(self.stated())

    @classmethod
    def from_json(cls, text: str) -> SudokuRules:
        """Return the rules that a text describes.

        Parameters
        ----------
        text : str
            A JSON object with parameters of `SudokuRules`; it may also have a puzzle, which is
            ignored here. Or an object of f-puzzles and SudokuPad, or a link that contains one
            of their puzzles.

        Returns
        -------
        SudokuRules

        Raises
        ------
        FormatError
            If the text has another form, or contains a rule that is not supported.
        TypeError
            If it is not a text.

        Examples
        --------
        >>> SudokuRules.from_json('{"diagonals": true}')
        SudokuRules(diagonals=True)
        """
        if not isinstance(text, str):
            raise TypeError(f"rules must be a text, not {text!r}")
        try:
            return cls(**parse_puzzle(text).constraints)
        except ValueError as error:
            raise FormatError("<text>", None, str(error)) from None

    def exact_cover(
        self,
        box: BoxLike = None,
        *,
        puzzle: Any = None,
        alphabet: str = "auto",
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> ExactCover:
        """Return the exact cover problem of these rules on an empty board, or of a puzzle.

        Its options place a value in a cell, and have names such as `r1c2=3`; cells with the same
        value have one option, named by the first of these cells. A cage has further options, the
        sets of values that have its sum. Arrows and little killers are totals. The givens of a
        puzzle are given options.

        Parameters
        ----------
        box : Box, (int, int) or str, optional
            The rows and columns of a box, such as (2, 3) or "2x3". By default, the standard box of
            the size that the puzzle or `regions` has, otherwise 3×3.
        puzzle, alphabet
            A puzzle and its symbols, as for `solve_sudoku`.
        seconds, stop
            As for `possible`. Many rules on a large board take half a second.

        Returns
        -------
        ExactCover

        Raises
        ------
        ValueError
            If a rule does not exist on boards of this size, or givens contradict each other or a
            rule. `diagnose_sudoku` explains conflicts of more givens.
        Stopped
            If `seconds` or `stop` ends the call.

        Examples
        --------
        >>> cover = SudokuRules(anti_king=True).exact_cover(box=(2, 2))
        >>> cover.options[cover.option_names.index("r1c2=3")]
        [('cell', 1, 2), ('row1', 3), ('column2', 3), ('box1', 3), ('conflict', 2)]
        >>> cover.count()
        0
        >>> SudokuRules().exact_cover(puzzle="1..." "..3." ".4.." "...2").count()
        1
        """
        from .formulate import formulate  # the kernels are needed only to solve

        condition = Stop(seconds, stop)
        board, shape = self._board(puzzle, box, alphabet)
        return formulate(self, shape, board.tolist(), condition).cover

    def possible(
        self, box: BoxLike = None, *, seconds: float | None = None, stop: StopEvent | None = None
    ) -> bool:
        """Return whether any board satisfies these rules.

        If not, `diagnose_sudoku` with an empty board finds the rules that exclude each other.

        Parameters
        ----------
        box
            As for `exact_cover`.
        seconds
            The time limit.
        stop
            An object with a method `is_set`, such as `threading.Event`. The call ends soon after it
            is set.

        Returns
        -------
        bool

        Raises
        ------
        ValueError
            If a rule does not exist on boards of this size.
        Stopped
            If `seconds` or `stop` ends the call before the answer is known.

        Examples
        --------
        >>> SudokuRules(anti_king=True).possible(), SudokuRules(anti_king=True).possible("2x2")
        (True, False)
        """
        engine = self.engine(self._board(None, box)[1])
        condition = Stop(seconds, stop)
        grid = None
        if engine.prepare(condition):  # first, because it also raises ValueError
            try:
                grid = engine.random_grid(1, condition)
            except ValueError:
                return False
        if grid is None:
            raise Stopped("stopped before a board that satisfies the rules was found")
        return True

    def redundant(
        self,
        box: BoxLike = None,
        *,
        puzzle: Any = None,
        alphabet: str = "auto",
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> list[SudokuRules]:
        """Return the rules that follow from the others.

        Any one of them can be left out without a change of the solutions, but not always several of
        them. `regions` is never returned, because without it, there would be boxes.

        Parameters
        ----------
        box, puzzle, alphabet
            As for `exact_cover`. A rule may follow from the others and the givens of a puzzle.
        seconds, stop
            As for `possible`.

        Returns
        -------
        list of SudokuRules
            The redundant rules, each by itself: a parameter that is True, or an element of a list.

        Raises
        ------
        ValueError
            If a rule does not exist on boards of this size.
        Stopped
            If `seconds` or `stop` ends the call.

        Examples
        --------
        >>> SudokuRules(less_than=[(0, 1), (1, 2), (0, 2)], diagonals=True).redundant("2x2")
        [SudokuRules(less_than=((0, 2),))]
        """
        from .redundancy import find_redundant  # the kernels are needed only to solve

        condition = Stop(seconds, stop)
        board, shape = self._board(puzzle, box, alphabet)
        return find_redundant(self, shape, board, condition)

    def _board(self, puzzle: Any, box: BoxLike, alphabet: str = "auto") -> tuple[Boards, Box]:
        """Return a puzzle, or an empty board of the size of the regions, by default 9×9."""
        if puzzle is not None:
            values, shape, _ = convert_puzzle(puzzle, box, alphabet)
            return np.frombuffer(values, np.uint8), shape
        shape = as_box(box) or Box.of_cells(81 if self.regions is None else np.size(self.regions))
        return np.zeros(shape.cells, np.uint8), shape

    def engine(self, box: Box) -> VariantEngine:
        """Return the engine that solves boards, for the functions that accept rules.

        Parameters
        ----------
        box : Box
            The box of the boards.

        Returns
        -------
        VariantEngine
            An object with the interface of `sudoku.engines.base.RulesEngine`.

        Raises
        ------
        ValueError
            If a rule does not exist on boards of this size.
        """
        from .engine import variant_engine  # the kernels are needed only to solve

        return variant_engine(self, box)

    def find_contradiction(self, board: Boards, box: Box) -> str | None:
        """Return what givens of a board violate, with numbers for values.

        Parameters
        ----------
        board : ndarray of uint8
            The givens, 0 for an empty cell.
        box : Box
            The shape of the boxes.

        Returns
        -------
        str or None
            The givens and the rule; None if no rule is violated.
        """
        from .contradiction import find_contradiction  # only a few boards need it

        return find_contradiction(board, box, Alphabet("numbers", box.n), self)

    def place(self, box: Box, seed: int, stop: StopCheck) -> tuple[SudokuRules, Boards] | None:
        """Return rules with random entries, as many as are wanted of each, and a grid.

        Parameters
        ----------
        box : Box
            The shape of the boxes.
        seed : int
            Seed of the random choices.
        stop : callable
            Whether to end the attempt.

        Returns
        -------
        tuple or None
            The rules and a board that satisfies them; None if `stop` ends the attempt.

        Raises
        ------
        ValueError
            If there is no grid, or no room for the entries.
        """
        from .placing import place_rules  # the kernels are needed only to solve

        return place_rules(self, box, seed, stop)
