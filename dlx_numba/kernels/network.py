"""Networks of cells with values: their candidates, and a search that propagates constraints.

A cell has one of n values, and the set of its *candidates* is a bit for each value. A constraint
removes candidates, which concerns the other constraints of these cells, until nothing changes.
Then the search tries a value of a cell. There are four forms of constraints:

RELATED
    Each value of the first cell has a set of values that the others may have.
DISTINCT
    The values of cells differ, and they are one of some *sets*: all n values for a row of a Sudoku,
    and the sets with one sum for the cage of a killer.
CHOICE
    One of some alternatives holds, each of which is a set of candidates for each cell.
SUM
    The sum of the values, each times the coefficient of its cell, is within bounds.

The kernels share these parameters: `network`, a `Network`; `search`, a `NetworkSearch`, which is
written; `candidates` (cells,) uint64, those at the current level, which are written; and `number`,
that of a constraint, int64.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit import inlined, njit
from ..jit.intrinsics import lowest_bit
from .csr import group, row_range

RELATED, DISTINCT, CHOICE, SUM = range(4)

ONE = np.uint64(1)
CONFLICT_WEIGHT = 32  # which the cells of a constraint share: few cells say more about each

# Columns of `Network.bounds`
LOW = 0
HIGH = 1

# Fields of `NetworkSearch.register`
LEVEL = 0  # the level of the search; -1 if it has ended
N_NODES = 1  # choices
N_FOUND = 2  # solutions
WORK = 3  # about the number of masks that constraints have read
HEAD = 4  # of the queue of constraints
N_QUEUED = 5
BOARD = 6  # the board that is being searched
IS_STARTED = 7
N_REGISTERS = 8


class Constraint(NamedTuple):
    """A constraint; the module describes its forms."""

    form: int
    cells: Sequence[int]
    masks: Sequence[int] = ()  # the sets of each value, the sets, or the alternatives one by one
    bounds: tuple[int, int] = (0, 0)  # of a sum
    coefficients: Sequence[int] = ()


class Network(NamedTuple):
    """The constraints of cells in arrays."""

    n: int  # the number of values
    form: NDArray[np.int64]  # (constraints,)
    start: NDArray[np.int64]  # (constraints + 1,) the start of each constraint in `cells`
    cells: NDArray[np.uint32]
    coefficient: NDArray[np.int64]  # of each element of `cells`
    bounds: NDArray[np.int64]  # (constraints, 2) LOW and HIGH of a sum, or of a range in `masks`
    masks: NDArray[np.uint64]
    cell_start: NDArray[np.int64]  # (cells + 1,) the start of each cell in `of_cell`
    of_cell: NDArray[np.uint32]  # the constraints that its candidates concern

    @classmethod
    def build(cls, n: int, n_cells: int, constraints: Sequence[Constraint]) -> "Network":
        """Return the network of `n_cells` cells with `n` values."""
        # The cells and the masks of all constraints, one after the other, and where each begins
        form = np.array([each.form for each in constraints], np.int64)
        sizes = np.array([len(each.cells) for each in constraints], np.int64)
        n_masks = np.array([0, *(len(each.masks) for each in constraints)], np.int64).cumsum()
        cells = np.array([cell for each in constraints for cell in each.cells], np.uint32)
        coefficient = np.ones(len(cells), np.int64)
        start = np.append(0, sizes.cumsum())
        bounds = np.array([n_masks[:-1], n_masks[1:]]).T.copy()
        for number in np.flatnonzero(form == SUM).tolist():
            bounds[number] = constraints[number].bounds
            coefficient[start[number] : start[number + 1]] = constraints[number].coefficients
        masks = np.array([mask for each in constraints for mask in each.masks], np.uint64)
        # The constraint of each element of `cells`. One of the form RELATED reads only the first.
        constraint_of = np.arange(len(constraints), dtype=np.uint32).repeat(sizes)
        is_read = form[constraint_of] != RELATED
        is_read[start[:-1]] = True
        constraint_of, read = constraint_of[is_read], cells[is_read]
        by_cell, cell_start = group(read, n_cells)
        constraint_of = constraint_of[by_cell]
        return cls(n, form, start, cells, coefficient, bounds, masks, cell_start, constraint_of)


class NetworkSearch(NamedTuple):
    """The state of a search."""

    register: NDArray[np.int64]  # (N_REGISTERS,)
    candidates: NDArray[np.uint64]  # (cells + 1, cells) at each level
    cell: NDArray[np.int64]  # (cells + 1,) the cell of which each level tries a value
    value: NDArray[np.uint64]  # (cells + 1,) this value, as a bit
    weight: NDArray[np.int64]  # (cells,) grows with each conflict of a constraint of the cell
    queue: NDArray[np.int64]  # (constraints,) a ring
    is_queued: NDArray[np.uint8]  # (constraints,)
    kept: NDArray[np.uint64]  # (cells,) what a constraint has found
    random: NDArray[np.uint64]  # (1,) the last random number; 0 to try the least values

    @classmethod
    def allocate(cls, network: Network, seed: int = 0) -> "NetworkSearch":
        """Return the memory of a search; with a seed from 1 to 2**64 - 1, choices are random."""
        n_cells = len(network.cell_start) - 1
        n_constraints = len(network.form)
        integers = ((N_REGISTERS,), (n_cells + 1,), (n_cells,), (n_constraints,))
        register, cell, weight, queue = (np.zeros(shape, np.int64) for shape in integers)
        masks = ((n_cells + 1, n_cells), (n_cells + 1,), (n_cells,))
        candidates, value, kept = (np.zeros(shape, np.uint64) for shape in masks)
        is_queued = np.zeros(n_constraints, np.uint8)
        random = np.array([seed], np.uint64)
        return cls(register, candidates, cell, value, weight, queue, is_queued, kept, random)


@njit
def restrict(network, search, candidates, cell, left, number):
    """Set the candidates of a cell, and queue its constraints other than `number`; -1 for none."""
    candidates[cell] = left
    register = search.register
    size = len(search.queue)  # a ring: positions from `size` on wrap around
    for i in row_range(network.cell_start, cell):
        constraint = network.of_cell[i]
        if constraint != number and not search.is_queued[constraint]:
            search.is_queued[constraint] = 1
            end = register[HEAD] + register[N_QUEUED]
            search.queue[end - size if end >= size else end] = constraint
            register[N_QUEUED] += 1


@njit
def _keep(network, search, candidates, cell, kept, number):
    """Remove the candidates of a cell other than `kept`, uint64. Return whether some are left."""
    left = candidates[cell] & kept
    if left != 0 and left != candidates[cell]:
        restrict(network, search, candidates, cell, left, number)
    return left != 0


@njit
def _propagate_related(network, search, candidates, number):
    """Propagate a constraint of the form RELATED. Return whether it can be satisfied.

    The other cells keep the values that some candidate of the first cell allows.
    """
    start = network.start[number]
    first_mask = network.bounds[number, LOW]
    all_values = (ONE << network.n) - ONE
    allowed = np.uint64(0)
    values = candidates[network.cells[start]]
    search.register[WORK] += 1
    while values and allowed != all_values:  # if each value is allowed, none is removed
        allowed |= network.masks[first_mask + lowest_bit(values)]
        values &= values - ONE
    if allowed != all_values:
        search.register[WORK] += network.start[number + 1] - start
        for i in range(start + 1, network.start[number + 1]):
            if not _keep(network, search, candidates, network.cells[i], allowed, number):
                return False
    return True


@njit
def _propagate_distinct(network, search, candidates, number):
    """Propagate a constraint of the form DISTINCT. Return whether it can be satisfied.

    A set of values is possible if each of them is a candidate, it has all fixed values, and each
    cell has a candidate in it. Cells keep the values of possible sets; a fixed value is removed
    from other cells; and a value of all possible sets that has one place is fixed there. Without a
    possible set, nothing is allowed, so the first cell fails.
    """
    start = np.uint64(network.start[number])
    end = np.uint64(network.start[number + 1])
    first_set = network.bounds[number, LOW]
    end_set = network.bounds[number, HIGH]
    is_changed = True
    while is_changed:
        is_changed = False
        union = np.uint64(0)  # candidates of a cell
        twice = np.uint64(0)  # of several cells
        fixed = np.uint64(0)  # the only candidates of a cell
        for i in range(start, end):
            before = candidates[network.cells[i]]
            twice |= union & before
            union |= before
            if before & (before - ONE) == 0:
                if fixed & before:
                    return False
                fixed |= before
        search.register[WORK] += 2 * np.int64(end - start) + end_set - first_set
        allowed = np.uint64(0)
        needed = ~np.uint64(0)
        for j in range(first_set, end_set):
            values = network.masks[j]
            is_possible = values & ~union == 0 and fixed & ~values == 0
            # If there is only one set, a cell without a candidate in it fails below.
            if is_possible and end_set > first_set + 1:
                for i in range(start, end):
                    is_possible = candidates[network.cells[i]] & values != 0
                    if not is_possible:
                        break
            if is_possible:
                allowed |= values
                needed &= values
        hidden = needed & ~twice  # values that have one place
        # No such value is to be fixed, no fixed value is elsewhere, and all values are allowed.
        if (hidden & ~fixed) | (twice & fixed) | (union & ~allowed) == 0:
            break
        for i in range(start, end):
            cell = network.cells[i]
            before = candidates[cell]
            kept = before & allowed
            if before & (before - ONE):
                kept &= ~fixed
            if kept & hidden:
                kept &= hidden
                if kept & (kept - ONE):  # two values have no other place
                    return False
            if not _keep(network, search, candidates, cell, kept, number):
                return False
            is_changed |= kept != before
    return True


@njit
def _propagate_choice(network, search, candidates, number):
    """Propagate a constraint of the form CHOICE. Return whether it can be satisfied.

    Each cell keeps the candidates that it has in any alternative that is possible: in which each
    cell has a candidate.
    """
    start = network.start[number]
    kept = search.kept
    size = network.start[number + 1] - start
    kept[:size] = 0
    for j in range(network.bounds[number, LOW], network.bounds[number, HIGH], size):
        is_possible = True
        for i in range(size):
            is_possible = candidates[network.cells[start + i]] & network.masks[j + i] != 0
            if not is_possible:
                break
        search.register[WORK] += 2 + size
        if is_possible:
            for i in range(size):
                kept[i] |= network.masks[j + i]
    for i in range(size):
        if not _keep(network, search, candidates, network.cells[start + i], kept[i], number):
            return False
    return True


@inlined
def _values_between(low, high, n):
    """Return the values from `low` to `high`, as bits."""
    low, high = max(low, 1), min(high, n)
    if low > high:
        return np.uint64(0)
    return (ONE << np.uint64(high)) - (ONE << np.uint64(low - 1))


@inlined
def _extremes(mask):
    """Return the least and the largest value of a mask that is not 0."""
    low = lowest_bit(mask) + 1
    high = low
    mask >>= low
    while mask:
        step = lowest_bit(mask) + 1
        high += step
        mask >>= step
    return low, high


@njit
def _propagate_sum(network, search, candidates, number):
    """Propagate a constraint of the form SUM. Return whether it can be satisfied.

    Each cell keeps the values with which the sum can be within its bounds, if the other cells have
    those that contribute least, or most.
    """
    start = network.start[number]
    end = network.start[number + 1]
    is_changed = True
    while is_changed:
        is_changed = False
        least = most = 0
        for i in range(start, end):
            factor = network.coefficient[i]
            low, high = _extremes(candidates[network.cells[i]])
            least += factor * (low if factor > 0 else high)
            most += factor * (high if factor > 0 else low)
        # By how much a product may exceed its least value, or be below its most
        up = network.bounds[number, HIGH] - least
        down = most - network.bounds[number, LOW]
        search.register[WORK] += 8 * (end - start)
        if up < 0 or down < 0:
            return False
        for i in range(start, end):
            cell = network.cells[i]
            factor = network.coefficient[i]
            size = abs(factor)
            low, high = _extremes(candidates[cell])
            if size * (high - low) <= min(up, down):  # all values between them are possible
                continue
            # By how much a value may exceed the least one, or be below the greatest one: with a
            # negative coefficient, the product decreases as the value grows.
            above = up // size
            below = down // size
            if factor < 0:
                above, below = below, above
            before = candidates[cell]
            kept = _values_between(high - below, low + above, network.n)
            if not _keep(network, search, candidates, cell, kept, number):
                return False
            is_changed |= candidates[cell] != before
    return True


@njit
def propagate(network, search, candidates):
    """Remove candidates until no queued constraint removes more. Return whether none is violated.

    After a conflict, the queue is empty, and the cells of the constraint have a larger weight.
    """
    register = search.register
    size = len(search.queue)
    is_possible = True
    while register[N_QUEUED]:
        number = search.queue[register[HEAD]]
        register[HEAD] = 0 if register[HEAD] + 1 == size else register[HEAD] + 1
        register[N_QUEUED] -= 1
        search.is_queued[number] = 0
        if not is_possible:
            continue
        if network.form[number] == RELATED:
            is_possible = _propagate_related(network, search, candidates, number)
        elif network.form[number] == DISTINCT:
            is_possible = _propagate_distinct(network, search, candidates, number)
        elif network.form[number] == CHOICE:
            is_possible = _propagate_choice(network, search, candidates, number)
        else:
            is_possible = _propagate_sum(network, search, candidates, number)
        if not is_possible:
            start = network.start[number]
            end = network.start[number + 1]
            for i in range(start, end):
                search.weight[network.cells[i]] += 1 + CONFLICT_WEIGHT // (end - start)
    return is_possible
