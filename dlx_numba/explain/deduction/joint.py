"""Find what a rule of a variant excludes by itself, or with another rule or a unit.

Only the relations, choices and totals of these rules count, and the digits that their cells have
left: any other rule may be broken. So a step names all that it depends on.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...cover.named_problem import NamedProblem
from ...kernels.deduce.part import Excerpt, remaining_part, take_part
from ...kernels.deduce.remaining import ProblemBitmaps, Remaining
from ...kernels.memo.explore import Words
from ...kernels.memo.item_order import set_bits as bits_of
from ...kernels.memo.option_sets import pack_bits, set_bits
from ...puzzles.variants.constraints import Constraints
from ...puzzles.variants.expand import list_entries
from ...puzzles.variants.requirements import (
    Choice,
    Different,
    Mask,
    Related,
    Requirement,
    Total,
    first_cells,
    is_single,
)
from ...puzzles.variants.units import check_units, unit_words
from ...runtime.interrupts import Stop
from ...sudoku.box import Box
from .cases import PartSearch
from .relations import WORDS, rule_of

CELL_ENDS = 4  # the most dead ends of an option that is excluded, for each cell of the board
Numbers = NDArray[np.int64]
PLAIN = "row", "column", "box"


class RuleName(NamedTuple):
    """The kind of a rule or a unit, what a sentence calls it, and an item with better words."""

    kind: str
    words: str
    item: int = -1


class JointRule(NamedTuple):
    """A rule, or a unit: the items that it covers, and what it excludes."""

    name: RuleName
    cells: frozenset[int]  # none of a rule about pairs on most of the board
    items: list[int]
    totals: list[int]
    options: Words  # (words,) of its items
    rows: Numbers  # the options that exclude others
    excluded: Words  # (rows, words)


class Joint(NamedTuple):
    """One rule or two, and their options, with those of other cells that they exclude."""

    rules: Sequence[JointRule]
    options: Words

    def totals(self) -> list[int]:
        """Return the numbers of the totals of the rules."""
        return [total for rule in self.rules for total in rule.totals]


class JointSearch:
    """The search for what one rule or two exclude.

    Parameters
    ----------
    named
        The problem with its names.
    numbers
        The number in `named` of each option of the deduction.
    tables
        The bitmaps of the deduction. All options below are their rows.
    rules, box
        Those of the board.
    """

    def __init__(
        self,
        named: NamedProblem,
        numbers: Numbers,
        tables: ProblemBitmaps,
        rules: Constraints,
        box: Box,
    ) -> None:
        self._n = box.n
        self._regions = rules.regions
        # Whether cells of a total differ may depend on another rule, so they may be equal here.
        own_totals = tables.totals._replace(gap=np.zeros_like(tables.totals.gap))
        self._tables = tables._replace(totals=own_totals)
        names = named.names.options
        # By names: the rows of options, items and totals in the bitmaps
        self._option_of = {str(names[k]): row for row, k in enumerate(numbers.tolist())}
        items: Sequence[Any] = named.items_left
        self._item_of = {item: row for row, item in enumerate(items)}
        self._total_of = {name: row for row, name in enumerate(named.names.totals)}
        entries = [*list_entries(rules, box)]  # each a parameter, an entry and its requirements
        requirements = [requirement for *_, own in entries for requirement in own]
        # The first one of the cells that must have the same value as each cell
        self._first: list[int] = first_cells(box.cells, requirements).tolist()
        places = product(self._first, range(1, box.n + 1))
        names_of_places = (f"{self._label(cell)}={value}" for cell, value in places)
        options = [self._option_of.get(name, -1) for name in names_of_places]
        self._at = np.array(options).reshape(-1, box.n)  # the option of each value in each cell
        self._is_placement = np.isin(np.arange(len(tables.compatible)), self._at)
        # Options of a cell or of a choice exclude each other by themselves. What rules exclude is
        # added for each part. Items are named like ("cell", 1, 2), ("row3", 5), and ("cage2",) for
        # a choice.
        self._compatible = np.full_like(tables.compatible, ~np.uint64(0))
        self._cells = [row for item, row in self._item_of.items() if item[0] == "cell"]
        choices = [row for item, row in self._item_of.items() if len(item) == 1]
        for row in (*self._cells, *choices):
            own = tables.containing[row]
            self._compatible[bits_of(own)] &= ~own
        units = [self._unit(name, cells) for name, cells in check_units(rules, box).items()]
        own_rules = [self._entry(*entry) for entry in entries]
        self._joined = _join(units, own_rules)
        # By the position in `_joined`: the part of the problem; what was left when nothing was
        # excluded, so that this need not be sought again
        self._parts: dict[int, Excerpt] = {}
        self._settled: dict[int, bytes] = {}

    def find(
        self, remaining: Remaining, stop: Stop
    ) -> tuple[list[RuleName], list[int], list[int]] | None:
        """Return the fewest rules that exclude placements, their open cells, and the placements.

        Return None if there are none, or `stop` is true.
        """
        for k, joint in enumerate(self._joined):
            totals = joint.totals()
            left = remaining.available & joint.options
            limits = remaining.low[totals], remaining.high[totals]
            # All that the search depends on: if it is what excluded nothing before, it does so now.
            inputs = b"".join(array.tobytes() for array in (left, *limits))
            if self._settled.get(k) == inputs:
                continue
            excluded = self.excluded_by(k, remaining, stop)
            if stop():
                return None
            if excluded:
                items = {item for rule in joint.rules for item in rule.items}
                cells = [item for item in self._cells if item in items and remaining.need[item] > 0]
                return [rule.name for rule in joint.rules], cells, excluded
            self._settled[k] = inputs
        return None

    def excluded_by(self, number: int, remaining: Remaining, stop: Stop) -> list[int]:
        """Return the placements that one rule or two exclude, those with a number in `_joined`."""
        if number not in self._parts:
            self._parts[number] = self._part(self._joined[number])
        part = self._parts[number]
        search = PartSearch(part, remaining_part(part, remaining), CELL_ENDS * len(self._first))
        [placements] = pack_bits(self._is_placement[np.newaxis, part.options])
        return [dead_end.option for dead_end in search.refuted(placements, stop)]

    def _part(self, joint: Joint) -> Excerpt:
        """Return the part of the problem that one rule or two make up."""
        options = np.array(bits_of(joint.options), np.int64)
        items = np.unique(np.concatenate([np.array(rule.items, int) for rule in joint.rules]))
        totals = np.array(joint.totals(), np.int64)
        compatible = self._compatible[options]
        for rule in joint.rules:
            is_own = np.isin(rule.rows, options)
            positions = np.searchsorted(options, rule.rows[is_own])
            compatible[positions] &= ~rule.excluded[is_own]
        return take_part(options, items, totals, compatible, self._tables)

    def _label(self, cell: int) -> str:
        return f"r{cell // self._n + 1}c{cell % self._n + 1}"

    def _unit(self, name: str, cells: Sequence[int]) -> JointRule:
        """Return the rule of a unit, such as "row3": its cells have different values, and each one.

        It is called by its own name, such as "row 3", and not by its first cell.
        """
        words = unit_words(name, self._regions)
        kind = rule_of(words) or name.rstrip("0123456789")
        values = [(name, value) for value in range(1, self._n + 1)]
        rule = self._rule(kind, [Different(name, tuple(cells))], values)
        return rule._replace(name=RuleName(kind, words))

    def _entry(self, name: str, entry: str, requirements: list[Requirement]) -> JointRule:
        """Return the rule of an entry, such as "cage2", of a parameter of the rules, "cages"."""
        rule = self._rule(WORDS.get(name, (rule_of(entry),))[0], requirements, [])
        return rule._replace(name=rule.name._replace(item=self._item_of.get((entry,), -1)))

    def _rule(
        self, kind: str, requirements: list[Requirement], items: Sequence[Hashable]
    ) -> JointRule:
        """Return a rule with some requirements, and further items; `kind` is what it is called.

        `items` are named as in the problem, such as ("row3", 5).
        """
        parts = [*_parts(requirements, self._n)]
        cells_of = [*map(_cells_of, parts)]
        cells = {self._first[cell] for own in cells_of for cell in own}
        choices = [part for part in parts if isinstance(part, Choice)]
        totals = [self._total_of[part.name] for part in parts if isinstance(part, Total)]
        words = f"the {kind} at {self._label(cells_of[-1][0])}" if cells else ""
        # A rule about pairs on most of the board, such as that of king's moves, has no own cells.
        if len(cells) > 2 * self._n and not (choices or totals):
            words = f"the {kind} rule"
            cells = set()
        cell_items = (("cell", cell // self._n + 1, cell % self._n + 1) for cell in sorted(cells))
        names = [*cell_items, *((choice.name,) for choice in choices), *items]
        covered = [self._item_of[item] for item in names if item in self._item_of]
        options = np.bitwise_or.reduce(self._tables.containing[covered], initial=np.uint64(0))
        excluded = np.zeros_like(self._compatible)  # by each option, the others
        for first, second in map(self._excluded_pairs, parts):
            set_bits(excluded, first, second)
            set_bits(excluded, second, first)
        rows = np.flatnonzero(excluded.any(axis=1))
        name = RuleName(kind, words)
        return JointRule(name, frozenset(cells), covered, totals, options, rows, excluded[rows])

    def _excluded_pairs(self, part: Related | Choice | Total) -> tuple[Numbers, Numbers]:
        """Return the pairs of options that exclude each other by a part of a rule.

        Totals exclude no pairs. An option of the choice or the cells may be missing, -1.
        """
        first = second = self._at[:0, :0]  # of a total, no pairs
        agrees: Mask = first > 0
        if isinstance(part, Choice):  # arrays (alternatives, cells, n)
            names = (f"{part.name}={label}" for label in part.labels)
            options = [self._option_of.get(name, -1) for name in names]
            first = np.array(options, np.int64)[:, np.newaxis, np.newaxis]
            second = self._at[[*part.cells]]
            agrees = part.allowed
        elif isinstance(part, Related):  # arrays (pairs, n, n)
            one, other = part.pairs.T
            first = self._at[one][:, :, np.newaxis]
            second = self._at[other][:, np.newaxis]
            agrees = part.agrees
        is_excluded = ~agrees & (first >= 0) & (second >= 0)
        first, second, is_excluded = np.broadcast_arrays(first, second, is_excluded)
        return first[is_excluded], second[is_excluded]


def _parts(requirements: Iterable[Requirement], n: int) -> Iterator[Related | Choice | Total]:
    """Yield requirements as relations, choices and totals.

    Relations of single cells are left out, and totals that the others imply.
    """
    for requirement in requirements:
        if isinstance(requirement, Different):
            pairs = np.array([*combinations(requirement.cells, 2)], np.int64).reshape(-1, 2)
            yield Related(pairs, ~np.eye(n, dtype=np.bool_))  # (n, n): values agree if they differ
            if requirement.sets is not None:
                yield requirement.choice(n)
        elif isinstance(requirement, Related):
            if not is_single(requirement):
                yield requirement
        elif isinstance(requirement, Choice) or (
            isinstance(requirement, Total) and not requirement.is_implied
        ):
            yield requirement


def _cells_of(part: Related | Choice | Total) -> list[int]:
    """Return the cells of a part of a rule."""
    if isinstance(part, Related):
        cells: list[int] = part.pairs.ravel().tolist()
        return cells
    return [*part.weights] if isinstance(part, Total) else [*part.cells]


def _join(units: list[JointRule], rules: list[JointRule]) -> list[Joint]:
    """Return rules by themselves, and two that concern the same cells, those of few cells first.

    Two that share only one cell are left out: what they exclude together, one excludes after the
    other.
    """
    plain = [unit for unit in units if unit.name.kind in PLAIN]
    own = [rule for rule in (*rules, *units) if rule.name.kind not in PLAIN]
    own = [rule for rule in own if rule.totals or len(rule.rows)]  # which exclude something
    singles = [Joint([rule], rule.options) for rule in own if rule.cells]
    # Plain units by themselves are left to the rules of the kernel, which come first.
    pairs = [*combinations(own, 2), *product(own, plain)]
    pairs = [(one, other) for one, other in pairs if _is_joint(one, other)]
    pairs.sort(key=lambda pair: len(pair[0].cells | pair[1].cells))
    return singles + [_join_two(one, other) for one, other in pairs]


def _is_joint(one: JointRule, other: JointRule) -> bool:
    """Return whether two rules have several cells in common.

    A rule without `cells`, which is about pairs on most of the board, is joined with any other.
    """
    if one.cells and other.cells:
        return len(one.cells & other.cells) > 1
    return bool(one.cells or other.cells)


def _join_two(one: JointRule, other: JointRule) -> Joint:
    """Return two rules with their options.

    One about pairs on most of the board adds those that exclude options of the other.
    """
    options = one.options | other.options
    for rule in (one, other):
        if not rule.cells:
            near = rule.rows[np.any(rule.excluded & options, axis=1)]
            options = options | _bitmap(near, len(options))
    return Joint([one, other], options)


def _bitmap(options: Numbers, n_words: int) -> Words:
    """Return a bitmap of options, of which -1 is none."""
    bitmap = np.zeros((1, n_words), np.uint64)
    bits = options[options >= 0]
    set_bits(bitmap, np.zeros_like(bits), bits)
    return bitmap.ravel()
