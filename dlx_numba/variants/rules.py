"""The class `SudokuRules`: the rules of a Sudoku variant."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..sudoku.box import Box, BoxLike, as_box
from .constraints import FLAGS, Constraints
from .puzzle import parse_puzzle

if TYPE_CHECKING:
    from ..cover.exact_cover import ExactCover
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
        Two cells that share a side do not have consecutive values.
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

    Raises
    ------
    ValueError
        If a parameter has another form, or a list has a cell twice.
    TypeError
        If a cell or another number is not an integer.

    Notes
    -----
    Exact cover does not reason about sums. A cage has an option for each set of values that has its
    sum; the option excludes all other values from the cage. This is exact, but it cannot combine
    cages. So a puzzle that consists of cages only may take long.

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
                raise ValueError(f"rules must be names from {known}, not {name.strip()!r}")
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
            ignored here. Or an object of f-puzzles and SudokuPad, or a link to one of their
            puzzles, which needs the package `lzstring`.

        Returns
        -------
        SudokuRules

        Raises
        ------
        ValueError
            If the text has another form, or contains a rule that is not supported.

        Examples
        --------
        >>> SudokuRules.from_json('{"diagonals": true}')
        SudokuRules(diagonals=True)
        """
        return cls(**parse_puzzle(text).constraints)

    def exact_cover(self, box: BoxLike = None) -> ExactCover:
        """Return the exact cover problem of these rules on an empty board.

        Its options place a value in a cell, and are named so: `r1c2=3`; cells with the same value
        have one option, named by the first of these cells. A cage has further options, the sets of
        values that have its sum.

        Parameters
        ----------
        box : Box, (int, int) or str, optional
            The rows and columns of a box, such as (2, 3) or "2x3". By default, the standard box of
            the size that `regions` has, otherwise 3×3.

        Returns
        -------
        ExactCover

        Raises
        ------
        ValueError
            If a rule does not exist on boards of this size.

        Examples
        --------
        >>> cover = SudokuRules(anti_king=True).exact_cover(box=(2, 2))
        >>> cover.option("r1c2=3")
        [('cell', 1, 2), ('row1', 3), ('column2', 3), ('box1', 3), ('conflict', 2)]
        >>> cover.count()
        0
        """
        shape = as_box(box)
        if shape is None:
            shape = Box(3, 3) if self.regions is None else Box.of_cells(np.size(self.regions))
        from .formulate import formulate  # the kernels are needed only to solve

        return formulate(self, shape).pictured(shape)

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
