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
written; `candidates` (cells,) uint64, those at the current level, which are written; and `k`, the
number of a constraint, int64.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit import inlined, njit
from ..jit.intrinsics import count_bits, lowest_bit
from .csr import group

RELATED, DISTINCT, CHOICE, SUM = range(4)

ONE = np.uint64(1)
WORK_PER_SLICE = 1 << 23  # some 20 ms
RANDOM_WEIGHTS = 16  # of cells, besides their constraints, before a search; random ones vary it
CONFLICT_WEIGHT = 32  # which the cells of a constraint share: few cells say more about each

# Fields of `NetworkSearch.register`
LEVEL = 0  # the level of the search; -1 if it has ended
N_NODES, N_FOUND = 1, 2  # the numbers of choices and of solutions
WORK = 3  # the number of masks that constraints have read
HEAD, N_QUEUED = 4, 5  # of the queue of constraints
BOARD, IS_STARTED = 6, 7  # the board that is being searched
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
    bounds: NDArray[np.int64]  # (constraints, 2) of a sum, or the range in `masks`
    masks: NDArray[np.uint64]
    cell_start: NDArray[np.int64]  # (cells + 1,) the start of each cell in `of_cell`
    of_cell: NDArray[np.uint32]  # the constraints that its candidates concern

    @classmethod
    def build(cls, n: int, n_cells: int, stated: Sequence[Constraint]) -> "Network":
        """Return the network of `n_cells` cells with `n` values."""
        form = np.array([each.form for each in stated], np.int64)
        sizes = np.array([len(each.cells) for each in stated], np.int64)
        n_masks = np.array([0, *(len(each.masks) for each in stated)], np.int64).cumsum()
        cells = np.array([cell for each in stated for cell in each.cells], np.uint32)
        coefficient = np.ones(len(cells), np.int64)
        start = np.append(0, sizes.cumsum())
        bounds = np.array([n_masks[:-1], n_masks[1:]]).T.copy()
        for k in np.flatnonzero(form == SUM).tolist():
            bounds[k] = stated[k].bounds
            coefficient[start[k] : start[k + 1]] = stated[k].coefficients
        masks = np.array([mask for each in stated for mask in each.masks], np.uint64)
        of_cell = np.arange(len(stated), dtype=np.uint32).repeat(sizes)
        is_read = form[of_cell] != RELATED
        is_read[start[:-1]] = True
        of_cell, read = of_cell[is_read], cells[is_read]
        by_cell, cell_start = group(read, n_cells)
        of_cell = of_cell[by_cell]
        return cls(n, form, start, cells, coefficient, bounds, masks, cell_start, of_cell)


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
    random: NDArray[np.uint64]  # (1,) the state of random choices; 0 to try the least values

    @classmethod
    def allocate(cls, network: Network, seed: int = 0) -> "NetworkSearch":
        """Return the memory of a search; with a seed from 1 to 2**64 - 1, choices are random."""
        n_cells, n_constraints = len(network.cell_start) - 1, len(network.form)
        integers = ((N_REGISTERS,), (n_cells + 1,), (n_cells,), (n_constraints,))
        register, cell, weight, queue = (np.zeros(shape, np.int64) for shape in integers)
        masks = ((n_cells + 1, n_cells), (n_cells + 1,), (n_cells,))
        candidates, value, kept = (np.zeros(shape, np.uint64) for shape in masks)
        is_queued, random = np.zeros(n_constraints, np.uint8), np.array([seed], np.uint64)
        return cls(register, candidates, cell, value, weight, queue, is_queued, kept, random)


@njit
def _restrict(network, search, candidates, cell, left, k):
    """Set the candidates of a cell, and queue its constraints other than `k`."""
    candidates[cell] = left
    register, size = search.register, len(search.queue)
    for i in range(network.cell_start[cell], network.cell_start[cell + 1]):
        other = network.of_cell[i]
        if other != k and not search.is_queued[other]:
            search.is_queued[other] = 1
            end = register[HEAD] + register[N_QUEUED]
            search.queue[end - size if end >= size else end] = other
            register[N_QUEUED] += 1


@njit
def _keep(network, search, candidates, cell, kept, k):
    """Remove the candidates of a cell other than `kept`, uint64. Return whether some are left."""
    left = candidates[cell] & kept
    if left != 0 and left != candidates[cell]:
        _restrict(network, search, candidates, cell, left, k)
    return left != 0


@njit
def _propagate_related(network, search, candidates, k):
    """Propagate a constraint of the form RELATED. Return whether it can be satisfied."""
    start, first = network.start[k], network.bounds[k, 0]
    all_values, allowed = (ONE << np.uint64(network.n)) - ONE, np.uint64(0)
    values = candidates[network.cells[start]]
    search.register[WORK] += 1
    while values and allowed != all_values:
        allowed |= network.masks[first + lowest_bit(values)]
        values &= values - ONE
    if allowed != all_values:
        search.register[WORK] += network.start[k + 1] - start
        for i in range(start + 1, network.start[k + 1]):
            if not _keep(network, search, candidates, network.cells[i], allowed, k):
                return False
    return True


@njit
def _propagate_distinct(network, search, candidates, k):
    """Propagate a constraint of the form DISTINCT. Return whether it can be satisfied."""
    start, end = np.uint64(network.start[k]), np.uint64(network.start[k + 1])
    first, last = network.bounds[k, 0], network.bounds[k, 1]
    is_changed = True
    while is_changed:
        is_changed = False
        union = twice = fixed = np.uint64(0)
        for i in range(start, end):
            found = candidates[network.cells[i]]
            twice |= union & found
            union |= found
            if found & (found - ONE) == 0:
                if fixed & found:
                    return False
                fixed |= found
        search.register[WORK] += 2 * np.int64(end - start) + last - first
        allowed, needed = np.uint64(0), ~np.uint64(0)
        for j in range(first, last):
            values = network.masks[j]
            is_possible = values & ~union == 0 and fixed & ~values == 0
            if is_possible and last > first + 1:
                for i in range(start, end):
                    is_possible = candidates[network.cells[i]] & values != 0
                    if not is_possible:
                        break
            if is_possible:
                allowed |= values
                needed &= values
        hidden = needed & ~twice  # values that have one place
        if (hidden & ~fixed) | (twice & fixed) | (union & ~allowed) == 0:
            break
        for i in range(start, end):
            cell = network.cells[i]
            found = candidates[cell]
            left = found & allowed
            if found & (found - ONE):
                left &= ~fixed
            if left & hidden:
                left &= hidden
                if left & (left - ONE):
                    return False
            if not _keep(network, search, candidates, cell, left, k):
                return False
            is_changed |= left != found
    return True


@njit
def _propagate_choice(network, search, candidates, k):
    """Propagate a constraint of the form CHOICE. Return whether it can be satisfied."""
    start, kept = network.start[k], search.kept
    size = network.start[k + 1] - start
    for i in range(size):
        kept[i] = 0
    for j in range(network.bounds[k, 0], network.bounds[k, 1], size):
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
        if not _keep(network, search, candidates, network.cells[start + i], kept[i], k):
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
    mask >>= np.uint64(low)
    while mask:
        step = lowest_bit(mask) + 1
        high += step
        mask >>= np.uint64(step)
    return np.int64(low), np.int64(high)


@njit
def _propagate_sum(network, search, candidates, k):
    """Propagate a constraint of the form SUM. Return whether it can be satisfied."""
    start, end = network.start[k], network.start[k + 1]
    is_changed = True
    while is_changed:
        is_changed = False
        least = most = 0
        for i in range(start, end):
            factor = network.coefficient[i]
            low, high = _extremes(candidates[network.cells[i]])
            least += factor * (low if factor > 0 else high)
            most += factor * (high if factor > 0 else low)
        up, down = network.bounds[k, 1] - least, most - network.bounds[k, 0]  # what may be moved
        search.register[WORK] += 8 * (end - start)
        if up < 0 or down < 0:
            return False
        for i in range(start, end):
            cell, factor = network.cells[i], network.coefficient[i]
            size = abs(factor)
            low, high = _extremes(candidates[cell])
            if size * (high - low) <= min(up, down):
                continue
            above, below = up // size, down // size
            if factor < 0:
                above, below = below, above
            found, kept = candidates[cell], _values_between(high - below, low + above, network.n)
            if not _keep(network, search, candidates, cell, kept, k):
                return False
            is_changed |= candidates[cell] != found
    return True


@njit
def propagate(network, search, candidates):
    """Remove candidates until no queued constraint removes more. Return whether none is violated.

    After a conflict, the queue is empty, and the cells of the constraint have a larger weight.
    """
    register, size = search.register, len(search.queue)
    is_possible = True
    while register[N_QUEUED]:
        k = search.queue[register[HEAD]]
        register[HEAD] = 0 if register[HEAD] + 1 == size else register[HEAD] + 1
        register[N_QUEUED] -= 1
        search.is_queued[k] = 0
        if not is_possible:
            continue
        if network.form[k] == RELATED:
            is_possible = _propagate_related(network, search, candidates, k)
        elif network.form[k] == DISTINCT:
            is_possible = _propagate_distinct(network, search, candidates, k)
        elif network.form[k] == CHOICE:
            is_possible = _propagate_choice(network, search, candidates, k)
        else:
            is_possible = _propagate_sum(network, search, candidates, k)
        if not is_possible:
            start, end = network.start[k], network.start[k + 1]
            for i in range(start, end):
                search.weight[network.cells[i]] += 1 + CONFLICT_WEIGHT // (end - start)
    return is_possible


@inlined
def _next_random(random):
    """Advance the generator, xorshift with 64 bits (Marsaglia), and return its state."""
    state = random[0]
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    random[0] = state
    return state


@njit
def start_search(network, search, board):
    """Start the search for the values of a board.

    `board` (cells,) uint8 has 0 for an empty cell; a value above n excludes the value that is less
    by n. Other candidates at level 0 are possible if they are set after this call.
    """
    register, n = search.register, network.n
    for field in (LEVEL, N_NODES, N_FOUND, WORK, HEAD):
        register[field] = 0
    all_values = (ONE << np.uint64(n)) - ONE
    for k in range(len(network.form)):
        search.queue[k], search.is_queued[k] = k, 1
    register[N_QUEUED] = len(network.form)
    for cell in range(len(board)):
        value = np.int64(board[cell])
        search.candidates[0, cell] = all_values
        if value > n:
            search.candidates[0, cell] = all_values ^ (ONE << np.uint64(value - n - 1))
        elif value:
            search.candidates[0, cell] = ONE << np.uint64(value - 1)
        n_constraints = network.cell_start[cell + 1] - network.cell_start[cell]
        search.weight[cell] = RANDOM_WEIGHTS + n_constraints
        if search.random[0]:
            search.weight[cell] += np.int64(_next_random(search.random) % np.uint64(RANDOM_WEIGHTS))


def narrow(network: Network, board: NDArray[np.uint8]) -> NDArray[np.uint64] | None:
    """Return the candidates of each cell that propagation leaves, or None after a conflict."""
    search = NetworkSearch.allocate(network)
    start_search(network, search, board)
    candidates = search.candidates[0]
    return candidates if propagate(network, search, candidates) else None


@njit
def _choose(search, candidates):
    """Return a cell with few candidates and a large weight, or -1, and one of its candidates."""
    best, chosen, least, weight = -1, np.uint64(0), 0, 1
    for cell in range(len(candidates)):
        found = candidates[cell]
        if found & (found - ONE):
            size = count_bits(found)
            if best < 0 or size * weight < least * search.weight[cell]:
                best, least, weight, chosen = cell, size, search.weight[cell], found
    if best >= 0:
        if search.random[0]:
            for _ in range(_next_random(search.random) % np.uint64(least)):
                chosen &= chosen - ONE
        chosen &= ~(chosen - ONE)
    return best, chosen


@njit
def explore(network, search, limit, max_work, found):
    """Search until there are `limit` solutions in all, or `max_work` is done. Return if it ended.

    `found` (N, cells) uint8 is written: the first N solutions.
    """
    register = search.register
    while register[LEVEL] >= 0 and register[WORK] < max_work and register[N_FOUND] < limit:
        level = register[LEVEL]
        candidates = search.candidates[level]
        cell, value = -1, ONE
        is_possible = propagate(network, search, candidates)
        if is_possible:
            cell, value = _choose(search, candidates)
            register[WORK] += len(candidates)
        if cell >= 0:
            register[N_NODES] += 1
            search.cell[level], search.value[level] = cell, value
            register[LEVEL] = level + 1
            for other in range(len(candidates)):
                search.candidates[level + 1, other] = candidates[other]
            _restrict(network, search, search.candidates[level + 1], cell, value, -1)
            continue
        if is_possible:
            if register[N_FOUND] < len(found):
                for each in range(len(candidates)):
                    found[register[N_FOUND], each] = lowest_bit(candidates[each]) + 1
            register[N_FOUND] += 1
        level -= 1
        register[LEVEL] = level
        if level >= 0:
            cell, candidates = search.cell[level], search.candidates[level]
            left = candidates[cell] & ~search.value[level]
            _restrict(network, search, candidates, cell, left, -1)
    return register[LEVEL] < 0 or register[N_FOUND] >= limit


@njit
def search_boards(network, search, boards, limit, max_work, solutions, counts, nodes):
    """Search boards, from the one in the register on. Return whether all are searched.

    Parameters
    ----------
    network : Network
        The constraints.
    search : NetworkSearch
        The state of the search. Written.
    boards : ndarray of uint8, shape (N, cells)
        As for `start_search`.
    limit : int
        The number of solutions at which the search of a board ends.
    max_work : int
        The work after which to return.
    solutions : ndarray of uint8, shape (N, cells)
        The first solutions. Written.
    counts, nodes : ndarray of int64, shape (N,)
        The numbers of solutions, and of nodes. Written when the search of a board ends.
    """
    register = search.register
    board, done = register[BOARD], np.int64(0)
    while board < len(boards) and done < max_work:
        if not register[IS_STARTED]:
            start_search(network, search, boards[board])
            register[IS_STARTED] = 1
        before = register[WORK]
        found = solutions[board : board + 1]
        if explore(network, search, limit, before + max_work - done, found):
            counts[board], nodes[board] = register[N_FOUND], register[N_NODES]
            register[IS_STARTED] = 0
            board += 1
        done += register[WORK] - before + len(network.form)
    register[BOARD] = board
    return board == len(boards)
