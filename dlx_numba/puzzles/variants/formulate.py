"""Formulate Sudoku variants as exact cover problems.

An option places a value in a cell. Besides the items of Sudoku, a unit of n cells has a primary
item for each value, and a smaller unit a secondary item. All rules about two cells, from knight's
moves to sums, exclude pairs of options. A secondary item that two options share does the same, and
one item excludes all pairs of a clique, so the items are chosen as cliques that have as many of the
excluded pairs as possible. This takes a fraction of the nodes that an item for each pair would
take. Pairs that share an item anyway are left out, as are options that exclude all options of an
item.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...cover.exact_cover import ExactCover
from ...jit import njit
from ...runtime.interrupts import raise_if_stopped
from ...sudoku.box import Box
from ...sudoku.engines.base import StopCheck
from .constraints import Constraints
from .expand import list_requirements
from .requirements import (
    Choice,
    Different,
    Mask,
    Related,
    Requirement,
    Total,
    first_cells,
    is_single,
)
from .units import check_units


class BoardFormulation(NamedTuple):
    """An exact cover problem, and the meaning of its options."""

    cover: ExactCover
    option_of: NDArray[np.int64]  # (cells, n) the option for each value in each cell; -1 for none


def formulate(
    rules: Constraints,
    box: Box,
    board: Iterable[int] = (),
    stop: StopCheck = lambda: False,
    narrows: bool = True,
) -> BoardFormulation:
    """Return the exact cover problem of a board, which has 0 for each empty cell.

    Without cells, the board is empty. Unless it `narrows`, the problem has options that the rules
    exclude. Raises ValueError if a rule or a given is impossible on the board, and Stopped if
    `stop` ends the call.
    """
    n = box.n
    units = check_units(rules, box)
    requirements = [*list_requirements(rules, box, stop)]
    sets = [each for each in requirements if isinstance(each, Different)]
    units = units | {each.name: [*each.cells] for each in sets}
    problem = _Candidates(box, units, requirements, stop)
    items = problem.items
    # In a unit of n cells, each of the n values appears; in a smaller one, at most once.
    primary = [item for item in items if item[0] == "cell" or len(units[item[0]]) == n]
    is_primary = {*primary}
    choices = [each for each in requirements if isinstance(each, Choice)]
    choices += [each.choice(n) for each in sets if each.sets is not None]
    if not narrows:  # conditions of single cells have items, so that steps can use them
        choices += [each.choice() for each in requirements if is_single(each)]
        # `exclude_pairs` then does not exclude what these items do.
        problem.requirements = [each for each in requirements if not is_single(each)]
    else:
        for choice in choices:  # leave out the values that no alternative allows
            candidates = problem.placements[[*choice.cells]]
            problem.is_possible[candidates[~choice.allowed.any(axis=0)]] = False
    alternatives: dict[str, list[Any]] = {}
    if rules.stated():  # plain boards, which exclude no pairs, may be too large for these matrices
        alternatives = problem.exclude_pairs(primary, choices, narrows)
    names = [f"r{k // n + 1}c{k % n + 1}={v}" for k in range(box.cells) for v in range(1, n + 1)]
    options = problem.options(names) | alternatives
    given = [names[problem.placements[k, value - 1]] for k, value in enumerate(board) if value]
    for name in given:
        if name not in options:
            raise ValueError(f"the rules exclude the given {name}")
    primary += [(choice.name,) for choice in choices]  # each takes one of its alternatives
    secondary = [item for item in items if item not in is_primary]
    option_of = problem.option_of
    totals = _totals_of(requirements, option_of, stop)
    cover = ExactCover(options, primary, secondary, given=given, totals=totals or None)
    return BoardFormulation(cover, option_of)


class _Candidates:
    """The candidates of a board, which are numbered n·cell + value, and the items that they have.

    Attributes
    ----------
    placements : ndarray of int64, shape (cells, n)
        The candidates of each cell; those of the first one of cells with the same value.
    items : dict
        The candidates that have each item.
    is_possible : ndarray of bool
        Whether a candidate is an option.
    """

    def __init__(
        self,
        box: Box,
        units: Mapping[str, Sequence[int]],
        requirements: Sequence[Requirement],
        stop: StopCheck,
    ) -> None:
        self.n = box.n
        self.requirements = requirements
        self._stop = stop
        # (cells,) the first one of the cells that must have the same value
        self._first_cell = first_cells(box.cells, requirements)
        self.placements = self.n * self._first_cell[:, np.newaxis] + np.arange(self.n)
        self.is_possible = np.isin(np.arange(self.n * box.cells), self.placements)
        self.items: dict[tuple[Any, ...], NDArray[np.int64]] = {
            ("cell", cell // self.n + 1, cell % self.n + 1): self.placements[cell]
            for cell in np.unique(self._first_cell).tolist()
        }
        for unit, cells in units.items():
            _check(stop)
            # Two cells of a unit that must be equal can have no value.
            repeated = np.bincount(self._first_cell[cells], minlength=box.cells) > 1
            self.is_possible &= ~repeated.repeat(self.n)
            for value in range(self.n):
                self.items[unit, value + 1] = self.placements[cells, value]

    @property
    def option_of(self) -> NDArray[np.int64]:
        """The option for each value in each cell, (cells, n); -1 for none."""
        number = np.cumsum(self.is_possible) - 1
        return np.where(self.is_possible, number, -1)[self.placements]

    def options(self, names: Sequence[str]) -> dict[str, list[Any]]:
        """Return the items of each option, by the names of the candidates."""
        options: dict[str, list[Any]] = {
            names[k]: [] for k in np.flatnonzero(self.is_possible).tolist()
        }
        for item, candidates in self.items.items():
            _check(self._stop)
            for candidate in candidates[self.is_possible[candidates]].tolist():
                options[names[candidate]].append(item)
        return options

    def exclude_pairs(
        self, primary: Sequence[tuple[Any, ...]], choices: Sequence[Choice], narrows: bool
    ) -> dict[str, list[Any]]:
        """Add items for the pairs that rules exclude. Return the options of the choices."""
        excludes = _excluded_pairs(self.n, self.requirements, self._first_cell)
        shares = np.zeros_like(excludes)  # which candidates exclude each other by a common item
        for candidates in self.items.values():
            _check(self._stop)
            shares[candidates[:, np.newaxis], candidates] = True
        self.is_possible &= ~excludes.diagonal()
        if narrows:
            required = np.array([self.items[item] for item in primary])
            _remove_impossible(self.is_possible, excludes | shares, required)
        excludes &= self.is_possible & self.is_possible[:, np.newaxis] & ~shares
        options: dict[str, list[Any]] = {}
        for choice in choices:
            _check(self._stop)
            options |= self._alternatives(choice, shares)
        cliques = _cover_pairs(excludes, shares, self._stop)
        self.items |= {("conflict", k): clique for k, clique in enumerate(cliques)}
        return options

    def _alternatives(self, choice: Choice, shares: Mask) -> dict[str, list[Any]]:
        """Return an option for each alternative of a choice, and add items to those of candidates.

        An alternative has an item for each group of candidates that it excludes. Candidates that
        exclude each other and are excluded by the same alternatives share an item.
        """
        candidates = self.placements[[*choice.cells]].ravel()
        is_excluded = ~choice.allowed.reshape(len(choice.allowed), len(candidates))
        # By the alternatives that exclude them, sets of candidates, each of which share an item
        groups: dict[bytes, list[list[int]]] = {}
        for k in np.flatnonzero(self.is_possible[candidates] & is_excluded.any(axis=0)).tolist():
            parts = groups.setdefault(is_excluded[:, k].tobytes(), [])
            # A part fits if the candidate shares an item with all of its candidates.
            with_item: Mask = shares[candidates[k]]
            fitting = (each for each in parts if with_item[candidates[each]].all())
            if (part := next(fitting, None)) is None:
                parts.append([k])
            else:
                part.append(k)
        options: list[list[Any]] = [[(choice.name,)] for _ in choice.labels]
        for part in chain.from_iterable(groups.values()):
            item = (choice.name, "not", len(self.items))
            self.items[item] = np.unique(candidates[part])
            # The alternatives that exclude these candidates: those of the first one
            for k in np.flatnonzero(is_excluded[:, part[0]]).tolist():
                options[k].append(item)
        names = (f"{choice.name}={label}" for label in choice.labels)
        return dict(zip(names, options, strict=True))


def _totals_of(
    requirements: Iterable[Requirement], option_of: NDArray[np.int64], stop: StopCheck
) -> dict[str, tuple[Counter[int], int | None, int | None]]:
    """Return the weights of options and the limits of each total, by its name."""
    totals = {}
    for total in requirements:
        if isinstance(total, Total) and not total.is_implied:
            _check(stop)
            weights: Counter[int] = Counter()
            for cell, coefficient in total.weights.items():
                for value, option in enumerate(option_of[cell].tolist(), 1):
                    weights[option] += coefficient * value
            del weights[-1]  # the values that a cell cannot have
            totals[total.name] = weights, total.low, total.high
    return totals


def _excluded_pairs(
    n: int, requirements: Iterable[Requirement], first_cell: NDArray[np.int64]
) -> Mask:
    """Return which candidates exclude each other by the rules about two cells.

    The diagonal has the candidates that are impossible by themselves.
    """
    n_cells = len(first_cell)
    excludes = np.zeros((n_cells, n, n_cells, n), np.bool_)
    for pairs, agrees, _ in (each for each in requirements if isinstance(each, Related)):
        first, second = first_cell[pairs].T
        excludes[first, :, second] |= ~agrees
        excludes[second, :, first] |= ~agrees.T
    return excludes.reshape(n * n_cells, n * n_cells)


def _check(stop: StopCheck) -> None:
    raise_if_stopped(stop, "the rules were formulated")


def _remove_impossible(is_possible: Mask, excludes: Mask, choices: NDArray[np.int64]) -> None:
    """Clear candidates that exclude all candidates of a primary item that does not contain them.

    `choices` (items, n) has the candidates of each item.
    """
    rows = np.packbits(excludes, axis=1)
    is_excluding = np.ones(1, np.bool_)
    while is_excluding.any():
        # A candidate that is impossible does not prevent exclusion by all others: it has all bits.
        excluded = np.where(is_possible[choices][:, :, np.newaxis], rows[choices], 255)
        by_all = np.bitwise_and.reduce(excluded, axis=1)
        is_excluded = np.unpackbits(by_all, axis=1, count=len(excludes)).view(np.bool_)
        is_excluded[np.arange(len(choices))[:, np.newaxis], choices] = False
        is_excluding = is_excluded.any(axis=0) & is_possible
        is_possible &= ~is_excluding


def _cover_pairs(excludes: Mask, shares: Mask, stop: StopCheck) -> list[NDArray[np.int64]]:
    """Return cliques of candidates such that each pair that excludes each other is in one.

    `excludes` is cleared.
    """
    neighbors = excludes | shares
    cliques: list[NDArray[np.int64]] = []
    gains, members = np.zeros((2, len(excludes)), np.int64)
    for candidate in np.flatnonzero(excludes.any(axis=1)).tolist():
        _check(stop)
        while size := grow_clique(candidate, excludes, neighbors, gains, members):
            cliques.append(np.sort(members[:size]))
    return cliques


@njit
def grow_clique(candidate, excludes, neighbors, gains, members):
    """Find a clique of candidates that exclude each other, and clear its pairs in `excludes`.

    It starts with `candidate`, and is extended by the candidate that excludes most of its members
    by rules that no clique has yet. Parameters: `excludes` and `neighbors` (n, n) bool, the former
    without the pairs that share an item; `gains`, scratch memory, and `members` (n,) int64, which
    receives the clique. Returns its size, or 0 if no pair with `candidate` is left.

    The gain of a candidate is the number of members that it excludes by such rules; -1 for members,
    and for candidates that do not exclude all of them.
    """
    size = 0
    added = np.int64(candidate)
    for k in range(len(gains)):
        gains[k] = 0
    while size == 0 or gains[added] > 0:
        members[size] = added
        size += 1
        gains[added] = -1
        best = added
        for k in range(len(gains)):
            if gains[k] >= 0:
                gains[k] = gains[k] + excludes[added, k] if neighbors[added, k] else -1
                if gains[k] > gains[best]:
                    best = k
        added = best
    for one in range(size):
        for other in range(size):
            excludes[members[one], members[other]] = False
    return size if size > 1 else 0
