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
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..cover.exact_cover import ExactCover
from ..runtime.errors import Stopped
from ..sudoku.box import Box
from ..sudoku.engines.base import StopCheck
from .constraints import Constraints
from .units import check_units

Mask = NDArray[np.bool_]
Sum = tuple[str, int | None, int | None, dict[int, int]]  # name, bounds, and the weights of cells


class Formulation(NamedTuple):
    """An exact cover problem, and the meaning of its options."""

    cover: ExactCover
    option_of: NDArray[np.int64]  # (cells, n) the option for each value in each cell; -1 for none
    first_cell: NDArray[np.int64]  # (cells,) the first cell that must have the same value


def formulate(
    rules: Constraints,
    box: Box,
    board: Iterable[int] = (),
    stop: StopCheck = lambda: False,
    *,
    with_cages: bool = False,
    sums: Iterable[Sum] = (),
) -> Formulation:
    """Return the exact cover problem of a board, which has 0 for each empty cell.

    Without cells, the board is empty. `with_cages` states the sums of cages as totals, in addition
    to the sets of values; `sums` has further totals. Raises ValueError if a rule or a given is
    impossible on the board, and Stopped if `stop` ends the call.
    """
    n, units = box.n, check_units(rules, box)
    _check(stop)

    def option_name(cell: int, value: int) -> str:
        return f"r{cell // n + 1}c{cell % n + 1}={value + 1}"

    cages = {f"cage{k}": cage for k, cage in enumerate(rules.cages, 1)}
    first_cell = _first_cells(rules, box, stop)
    placements = n * first_cell[:, np.newaxis] + np.arange(n)  # (cells, n) the candidates, n·cell+v
    items: dict[tuple[Any, ...], NDArray[np.int64]] = {
        ("cell", cell // n + 1, cell % n + 1): placements[cell]
        for cell in range(box.cells)
        if first_cell[cell] == cell
    }
    is_possible = np.isin(np.arange(n * box.cells), placements)
    cage_cells = {name: list(cells) for name, (_, cells) in cages.items()}
    for unit, cells in (units | cage_cells).items():
        _check(stop)
        repeated = np.bincount(first_cell[cells], minlength=box.cells) > 1
        is_possible &= ~repeated.repeat(n)
        items |= {(unit, value + 1): placements[cells, value] for value in range(n)}
    primary = [item for item in items if item[0] == "cell" or len(units.get(item[0], ())) == n]
    with_sum: dict[tuple[int, int], list[tuple[int, ...]]] = {
        (len(cells), total): [] for total, cells in rules.cages if total is not None
    }
    for size in {size for size, _ in with_sum}:
        for values in combinations(range(1, n + 1), size):
            if (found := with_sum.get((size, sum(values)))) is not None:
                found.append(values)
            _check(stop)
    sets = {
        name: with_sum[len(cells), total]
        for name, (total, cells) in cages.items()
        if total is not None
    }
    for name, combined in sets.items():
        _check(stop)
        excluded = sorted({*range(1, n + 1)}.difference(*combined))
        is_possible[placements[cage_cells[name]][:, np.array(excluded, int) - 1]] = False

    excludes = _excluded_pairs(rules, box, first_cell, stop)
    shares = np.zeros_like(excludes)
    for candidates in items.values():
        _check(stop)
        shares[candidates[:, np.newaxis], candidates] = True
    is_possible &= ~excludes.diagonal()
    choices = [items[item] for item in primary]
    _remove_impossible(is_possible, excludes | shares, choices, stop)
    excludes &= is_possible & is_possible[:, np.newaxis] & ~shares
    cliques = _cover_pairs(excludes, shares, stop)
    items |= {("conflict", k): clique for k, clique in enumerate(cliques)}

    number = np.cumsum(is_possible) - 1
    options: dict[str, list[Any]] = {
        option_name(*divmod(candidate, n)): [] for candidate in np.flatnonzero(is_possible).tolist()
    }
    items_of = list(options.values())
    for item, candidates in items.items():
        _check(stop)
        for candidate in candidates[is_possible[candidates]].tolist():
            items_of[number[candidate]].append(item)
    for name, combined in sets.items():
        _check(stop)
        primary.append((name,))
        for values in combined:
            others = [(name, value) for value in range(1, n + 1) if value not in values]
            options[f"{name}={'+'.join(map(str, values))}"] = [(name,), *others]
    given = [option_name(first_cell[cell], value - 1) for cell, value in enumerate(board) if value]
    for name in given:
        if name not in options:
            raise ValueError(f"the rules exclude the given {name}")
    is_primary = {*primary}
    secondary = [item for item in items if item not in is_primary]
    option_of = np.where(is_possible, number, -1)[placements]
    placing = [[(v, k) for v, k in enumerate(row, 1) if k >= 0] for row in option_of.tolist()]
    totals = {}
    for name, low, high, coefficients in chain(weighted_cells(rules, with_cages), sums):
        _check(stop)
        weights = Counter[int]()
        for cell, coefficient in coefficients.items():
            for value, option in placing[cell]:
                weights[option] += coefficient * value
        totals[name] = weights, low, high
    cover = ExactCover(options, primary, secondary, given=given, totals=totals or None)
    return Formulation(cover, option_of, first_cell)


def weighted_cells(rules: Constraints, with_cages: bool = True) -> Iterator[Sum]:
    """Yield the sums that rules require."""
    for k, (total, cells) in enumerate(rules.cages if with_cages else (), 1):
        if total is not None:
            yield f"cage{k}", total, total, dict.fromkeys(cells, 1)
    for k, (circle, *cells) in enumerate(rules.arrows, 1):
        yield f"arrow{k}", 0, 0, {circle: -1, **dict.fromkeys(cells, 1)}
    for k, (total, cells) in enumerate(rules.little_killers, 1):
        yield f"little killer{k}", total, total, dict.fromkeys(cells, 1)


def _first_cells(rules: Constraints, box: Box, stop: StopCheck) -> NDArray[np.int64]:
    """Return the first cell of the clones of each cell, which is the cell itself for most."""
    first = np.arange(box.cells)
    for cells in rules.clones:
        _check(stop)
        for cell in cells:
            low, high = sorted((first[cells[0]], first[cell]))
            first[first == high] = low
    return first


def related_pairs(rules: Constraints, box: Box) -> Iterator[tuple[NDArray[np.int64], Mask]]:
    """Yield pairs of cells (pairs, 2) and whether their values, counted from 0, agree (n, n)."""
    n = box.n
    first = np.arange(n)[:, np.newaxis]
    second = first.T
    grid = np.arange(box.cells).reshape(n, n)

    def shifted(down: int, right: int) -> NDArray[np.int64]:
        """Return the pairs of cells at this distance."""
        left, start = max(0, -right), max(0, right)
        sources, targets = grid[: n - down, left : n - start], grid[down:, start : n - left]
        return np.stack([sources.ravel(), targets.ravel()], axis=1)

    if rules.anti_knight:
        for move in ((1, 2), (2, 1), (1, -2), (2, -1)):
            yield shifted(*move), first != second
    if rules.anti_king:
        for move in ((1, 1), (1, -1)):
            yield shifted(*move), first != second
    if rules.non_consecutive:
        for move in ((0, 1), (1, 0)):
            yield shifted(*move), abs(first - second) != 1
    gaps = _gaps(rules, box)
    for gap in range(1, int(gaps.max(initial=0)) + 1):
        yield np.argwhere(gaps == gap), second - first >= gap
    for pairs, relation in (
        (rules.differences, abs(first - second)),
        (rules.sums, first + second + 2),
    ):
        for *cells, number in pairs:
            yield np.array([cells]), relation == number
    for *cells, number in rules.ratios:
        low, high = np.minimum(first, second) + 1, np.maximum(first, second) + 1
        yield np.array([cells]), low * number == high


def _gaps(rules: Constraints, box: Box) -> NDArray[np.int64]:
    """Return how much the value of a cell is at least below that of another, (cells, cells).

    0 means unrelated. The gap of two cells is the length of the longest chain of cells between
    them whose values increase; it has more information than the steps of the chain. Up to n + 1.
    """
    gaps = np.zeros((box.cells, box.cells), np.int64)
    for cells in chain(rules.less_than, rules.thermometers):
        for low, high in pairwise(cells):
            gaps[low, high] = 1
    for cell in np.flatnonzero(gaps.any(axis=0) & gaps.any(axis=1)):
        before, after = gaps[:, cell], gaps[cell]
        through = np.add.outer(before, after) * np.logical_and.outer(before > 0, after > 0)
        gaps = np.minimum(np.maximum(gaps, through), box.n + 1)
    return gaps


def _excluded_pairs(
    rules: Constraints, box: Box, first_cell: NDArray[np.int64], stop: StopCheck
) -> Mask:
    """Return which candidates exclude each other by the rules about two cells.

    The diagonal has the candidates that are impossible because the two cells are clones.
    """
    n = box.n
    excludes = np.zeros((box.cells, n, box.cells, n), np.bool_)
    for pairs, agrees in related_pairs(rules, box):
        for first, second in first_cell[pairs].tolist():
            _check(stop)
            if first == second:
                excludes[first, range(n), first, range(n)] |= ~agrees.diagonal()
            else:
                excludes[first, :, second] |= ~agrees
                excludes[second, :, first] |= ~agrees.T
    return excludes.reshape(n * box.cells, n * box.cells)


def _check(stop: StopCheck) -> None:
    if stop():
        raise Stopped("stopped before the rules were formulated")


def _remove_impossible(
    is_possible: Mask, excludes: Mask, choices: list[NDArray[np.int64]], stop: StopCheck
) -> None:
    """Clear candidates that exclude all candidates of a primary item that does not contain them."""
    before = -1
    while before != (before := int(np.count_nonzero(is_possible))):
        for choice in choices:
            _check(stop)
            is_excluding: Mask = np.all(excludes[choice[is_possible[choice]]], axis=0)
            is_excluding[choice] = False
            is_possible &= ~is_excluding


def _cover_pairs(excludes: Mask, shares: Mask, stop: StopCheck) -> list[NDArray[np.int64]]:
    """Return cliques of candidates such that each pair that excludes each other is in one.

    Each clique starts with a pair that is in none, and is extended by the candidate that is in the
    most such pairs with it. `excludes` is cleared.
    """
    neighbors = excludes | shares
    cliques = []
    for candidate in range(len(excludes)):
        _check(stop)
        while excludes[candidate].any():
            members: list[int] = []
            eligible, gains = neighbors[candidate].copy(), np.zeros(len(excludes), np.int64)
            added = candidate
            while not members or gains[added]:
                members.append(added)
                eligible &= neighbors[added]
                eligible[added] = False
                gains = (gains + excludes[added]) * eligible
                added = int(gains.argmax())
            excludes[np.ix_(members, members)] = False
            cliques.append(np.sort(members))
    return cliques
