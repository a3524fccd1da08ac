"""Requirements: the few forms of all that rules say about the values of cells.

A rule is a function in `lines.py` or `clues.py` with the name of its parameter of `SudokuRules`. It
takes an entry of the parameter and a `RuleBoard`, and yields requirements. `formulate.py` turns
these into items, options and totals, and `redundancy.py` denies them, whatever the rule is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from ...runtime.batched import batched
from ...sudoku.box import Box, units
from .constraints import Constraints

Mask: TypeAlias = NDArray[np.bool_]
Cells: TypeAlias = tuple[int, ...]
Allowed: TypeAlias = Sequence[tuple[int, Mask]]  # cells, and which values (n,) they may have


class Equal(NamedTuple):
    """Cells that have the same value."""

    cells: Cells


class Different(NamedTuple):
    """Up to n cells in which no value appears twice."""

    name: str
    cells: Cells
    sets: Sequence[Cells] | None = None  # of values, one of which the cells have

    def choice(self, n: int) -> "Choice":
        """Return the choice between the sets."""
        sets = self.sets or ()
        allowed = np.zeros((len(sets), len(self.cells), n), np.bool_)
        for row, values in zip(allowed, sets, strict=True):
            row[:, np.array(values) - 1] = True
        return Choice(self.name, self.cells, allowed, ["+".join(map(str, each)) for each in sets])


class Less(NamedTuple):
    """A cell whose value is less than that of another; `list_requirements` combines these."""

    low: int
    high: int


class Related(NamedTuple):
    """Pairs of cells whose values agree; a pair of a cell with itself restricts its values."""

    pairs: NDArray[np.int64]  # (pairs, 2)
    agrees: Mask  # (n, n) whether two values, counted from 0, agree
    name: str = ""  # if the pair is a single cell

    def choice(self) -> "Choice":
        """Return the choice of a single cell, which has one alternative."""
        return Choice(self.name, (int(self.pairs[0, 0]),), self.agrees[np.newaxis, :1], ["1"])


class Choice(NamedTuple):
    """Alternatives, exactly one of which applies: each gives the possible values of cells."""

    name: str
    cells: Cells
    allowed: Mask  # (alternatives, cells, n)
    labels: list[str]  # of the alternatives


class Total(NamedTuple):
    """A weighted sum of the values of cells, and its bounds, None for none."""

    name: str
    low: int | None
    high: int | None
    weights: dict[int, int]  # by cell
    is_implied: bool = False  # by sets


Requirement: TypeAlias = Equal | Different | Less | Related | Choice | Total


def is_single(requirement: Requirement) -> TypeGuard[Related]:
    """Return whether a requirement is a condition of a single cell."""
    return isinstance(requirement, Related) and requirement.name != ""


class RuleBoard:
    """The board of some rules, and the name of the entry whose requirements are requested."""

    def __init__(self, rules: Constraints, box: Box) -> None:
        self.rules = rules
        self.box = box
        self.n = box.n
        self.name = ""
        self.grid = np.arange(box.cells).reshape(box.n, box.n)  # the numbers of the cells

    @cached_property
    def units(self) -> list[list[list[int]]]:
        """The cells of each row, each column and each region."""
        regions: Any = self.rules.regions
        return batched(units(self.box, regions), self.n)

    def shifted(self, down: int, right: int) -> NDArray[np.int64]:
        """Return the pairs of cells (pairs, 2) at a distance; `right` is negative to the left."""
        n = self.n
        left = max(0, -right)
        start = max(0, right)
        sources = self.grid[: n - down, left : n - start]
        targets = self.grid[down:, start : n - left]
        return np.stack([sources.ravel(), targets.ravel()], axis=1)

    def adjacent(self) -> NDArray[np.int64]:
        """Return the pairs of cells (pairs, 2) that share a side."""
        return np.concatenate([self.shifted(0, 1), self.shifted(1, 0)])

    def related(self, pairs: Iterable[Any], relation: Callable[[Any, Any], Any]) -> Related:
        """Return the requirement that the values of pairs of cells satisfy a relation of arrays."""
        values = np.arange(1, self.n + 1)
        agrees = np.broadcast_to(relation(values[:, np.newaxis], values), (self.n, self.n))
        return Related(np.array([*pairs], np.int64).reshape(-1, 2), agrees)

    def choice(self, cells: Cells, allowed: Mask, number: int | None = None) -> Choice:
        """Return a choice between alternatives; `number` distinguishes the choices of an entry."""
        name = self.name if number is None else f"{self.name}.{number}"
        return Choice(name, cells, allowed, [str(k) for k in range(1, len(allowed) + 1)])


def alternatives(n: int, n_cells: int, choices: Iterable[Mapping[int, Iterable[int]]]) -> Mask:
    """Return the alternatives of a choice: the values in the listed places, else any."""
    rows = [*choices]
    allowed = np.ones((len(rows), n_cells, n), np.bool_)
    for row, places in zip(allowed, rows, strict=True):
        for place, values in places.items():
            row[place] = False
            row[place, [value - 1 for value in values if value <= n]] = True
    return allowed


def first_cells(n_cells: int, requirements: Iterable[Requirement]) -> NDArray[np.int64]:
    """Return the first cell that must have the same value as each cell, mostly the cell itself."""
    first = np.arange(n_cells)
    for cells in (each.cells for each in requirements if isinstance(each, Equal)):
        for cell in cells:
            low, high = sorted((first[cells[0]], first[cell]))
            first[first == high] = low
    return first
