"""Formulate rules as a network of constraints, which the engine searches."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.network import CHOICE, DISTINCT, RELATED, SUM, Constraint, Network
from ...kernels.sums import masks_of, sets_with_sum
from ...sudoku.box import Box
from ...sudoku.engines.base import StopCheck
from .constraints import Constraints
from .expand import find_clash, list_requirements
from .requirements import Choice, Different, Equal, Mask, Related, Requirement, Total
from .units import check_units

UNLIMITED = 1 << 40  # a bound of sums
MAX_REMAINDER = 4  # cells, of which a sum says more than their candidates


def build_network(
    rules: Constraints, box: Box, others: Iterable[Requirement], stop: StopCheck
) -> Network:
    """Return the network of rules and other requirements.

    Raises ValueError if a rule does not exist on the board, and Stopped if `stop` ends the call.
    """
    n = box.n
    bits = 1 << np.arange(box.n)
    named = check_units(rules, box)
    units = tuple(map(tuple, named.values()))
    requirements = [*list_requirements(rules, box, stop), *others]
    constraints: list[Constraint] = []
    full_units = tuple(cells for cells in units if len(cells) == n)
    is_equal = np.eye(n, dtype=np.bool_)
    related: list[tuple[Iterable[Any], Mask]] = []
    if find_clash(requirements, named):  # a cell without a value says that there is no solution
        constraints.append(Constraint(DISTINCT, [0], [0]))
    # Pairs of cells are collected first: `_relations` joins those of a cell with the same relation.
    for each in (*(Different("", cells) for cells in units), *requirements):
        match each:
            case Equal(cells):
                related.append((combinations(cells, 2), is_equal))
            case Different(_, cells, None) if len(cells) < n:
                related.append((combinations(cells, 2), ~is_equal))
            case Different(_, cells, sets):  # the sets of values as bits, or all n values
                masks = [(1 << n) - 1] if sets is None else masks_of(tuple(sets))
                constraints.append(Constraint(DISTINCT, cells, masks))
            case Related(pairs, agrees):
                related.append((pairs.tolist(), agrees))
            case Choice(_, cells, allowed):
                constraints.append(Constraint(CHOICE, cells, (allowed @ bits).ravel().tolist()))
            case Total(_, low, high, weights, False):
                bounds = -UNLIMITED if low is None else low, UNLIMITED if high is None else high
                constraints.append(Constraint(SUM, [*weights], (), bounds, [*weights.values()]))
    cages = [(total, cells) for total, cells in rules.cages if total is not None]
    if cages:
        constraints += _remainders(n, full_units, cages)
    constraints += _relations(n, related)
    return Network.build(n, box.cells, constraints)


def _relations(n: int, related: list[tuple[Iterable[Any], Mask]]) -> Iterator[Constraint]:
    """Yield a constraint for each cell and relation, with the cells that it relates to this one.

    Each relation has pairs of cells, and which values of the first agree with which of the second.
    """
    others: dict[tuple[int, bytes], list[int]] = {}
    for pairs, agrees in related:
        forward = agrees.tobytes()
        backward = agrees.T.tobytes()
        for first, second in pairs:
            others.setdefault((first, forward), []).append(second)
            others.setdefault((second, backward), []).append(first)
    for (cell, relation), cells in others.items():
        yield Constraint(RELATED, [cell, *cells], _allowed(n, relation))


@lru_cache
def _allowed(n: int, relation: bytes) -> list[int]:
    """Return the values that agree with each value, as bits."""
    agrees: Mask = np.frombuffer(relation, np.bool_).reshape(n, n)
    return (agrees @ (1 << np.arange(n))).tolist()


def _remainders(
    n: int, units: tuple[tuple[int, ...], ...], cages: list[tuple[int, Sequence[int]]]
) -> Iterator[Constraint]:
    """Yield the sums of the few cells that the cages in a unit lack, or have in addition.

    The sum of a unit is known, so these sums follow from those of cages, as solvers know by "45".
    """
    sizes = [len(cells) for _, cells in cages]
    is_unit = _incidence(n * n, units)
    is_in = np.zeros((len(cages), n * n), np.float32)  # whose products are fast
    is_in[np.arange(len(cages)).repeat(sizes), [cell for _, cells in cages for cell in cells]] = 1
    totals = np.array([total for total, _ in cages], np.float32)
    shared = is_unit @ is_in.T  # (units, cages) the cells of a cage in a unit
    # The cells that the cages within a unit lack, or those that the cages which meet it have beyond
    # it. `left` counts each cell. It is negative, and the sum not used, where cages within the unit
    # overlap, or those that meet it leave one of its cells.
    for sign, is_selected in ((1, shared == sizes), (-1, shared > 0)):
        selected = is_selected.astype(np.float32)
        left = sign * (is_unit - selected @ is_in)
        sums = sign * (n * (n + 1) // 2 - selected @ totals)
        n_left = left.sum(axis=1)
        is_known = (left.min(axis=1) == 0) & (n_left > 0) & (n_left <= MAX_REMAINDER)
        for k in is_known.nonzero()[0].tolist():
            cells = left[k].nonzero()[0].tolist()
            total = int(sums[k])
            if sign > 0:  # cells of the unit
                yield Constraint(DISTINCT, cells, masks_of(sets_with_sum(n, len(cells), total)))
            else:
                factors = left[k, cells].astype(np.int64).tolist()
                yield Constraint(SUM, cells, (), (total, total), factors)


@lru_cache
def _incidence(n_cells: int, units: tuple[tuple[int, ...], ...]) -> NDArray[np.float32]:
    """Return which units contain each cell, as 1."""
    is_in = np.zeros((len(units), n_cells), np.float32)
    for row, cells in zip(is_in, units, strict=True):
        row[[*cells]] = 1
    return is_in
