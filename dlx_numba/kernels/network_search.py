"""Search the networks of cells: try values, and propagate their consequences.

Parameters are named as in `network`.
"""

import numpy as np

from ..jit import inlined, njit
from ..jit.intrinsics import count_bits, lowest_bit
from .network import (
    BOARD,
    HEAD,
    IS_STARTED,
    LEVEL,
    N_FOUND,
    N_NODES,
    N_QUEUED,
    ONE,
    WORK,
    propagate,
    restrict,
)

WORK_PER_SLICE = 1 << 23  # some 20 ms
RANDOM_WEIGHTS = 16  # of cells, besides their constraints, before a search; random ones vary it


@inlined
def _next_random(random):
    """Return the next random number of the generator, xorshift with 64 bits (Marsaglia)."""
    number = random[0]
    number ^= number << 13
    number ^= number >> 7
    number ^= number << 17
    random[0] = number
    return number


@njit
def start_search(network, search, board):
    """Start the search for the values of a board.

    `board` (cells,) uint8 has 0 for an empty cell; a value above n excludes the value that is less
    by n. Other candidates at level 0 are possible if they are set after this call.
    """
    register = search.register
    n = network.n
    for field in (LEVEL, N_NODES, N_FOUND, WORK, HEAD):
        register[field] = 0
    all_values = (ONE << n) - ONE
    for number in range(len(network.form)):
        search.queue[number] = number
        search.is_queued[number] = 1
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


@njit
def _choose(search, candidates):
    """Return a cell with few candidates and a large weight, or -1, and one of its candidates.

    The cell has the lowest quotient of both, of those with several candidates; -1 stands for none
    of these. Quotients are compared without division.
    """
    best = -1
    chosen = np.uint64(0)  # the candidates of the cell, then one of them
    fewest = 0
    best_weight = 1
    for cell in range(len(candidates)):
        values = candidates[cell]
        if values & (values - ONE):
            size = count_bits(values)
            if best < 0 or size * best_weight < fewest * search.weight[cell]:
                best = cell
                fewest = size
                best_weight = search.weight[cell]
                chosen = values
    if best >= 0:
        if search.random[0]:
            for _ in range(_next_random(search.random) % np.uint64(fewest)):
                chosen &= chosen - ONE
        chosen &= ~(chosen - ONE)  # only the least one that is left
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
        cell = -1  # no cell is left to choose, or a constraint is violated
        value = ONE
        is_possible = propagate(network, search, candidates)
        if is_possible:
            cell, value = _choose(search, candidates)
            register[WORK] += len(candidates)
        if cell >= 0:  # choose a value of the cell, in a copy of the candidates
            register[N_NODES] += 1
            search.cell[level] = cell
            search.value[level] = value
            register[LEVEL] = level + 1
            for each_cell in range(len(candidates)):
                search.candidates[level + 1, each_cell] = candidates[each_cell]
            restrict(network, search, search.candidates[level + 1], cell, value, -1)
            continue
        if is_possible:  # a solution
            if register[N_FOUND] < len(found):
                for each_cell in range(len(candidates)):
                    found[register[N_FOUND], each_cell] = lowest_bit(candidates[each_cell]) + 1
            register[N_FOUND] += 1
        level -= 1
        register[LEVEL] = level
        if level >= 0:  # go back: the cell has one of its other values
            cell = search.cell[level]
            candidates = search.candidates[level]
            left = candidates[cell] & ~search.value[level]
            restrict(network, search, candidates, cell, left, -1)
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
    board = register[BOARD]
    done = np.int64(0)
    while board < len(boards) and done < max_work:
        if not register[IS_STARTED]:
            start_search(network, search, boards[board])
            register[IS_STARTED] = 1
        work_before = register[WORK]
        found = solutions[board : board + 1]
        if explore(network, search, limit, work_before + max_work - done, found):
            counts[board] = register[N_FOUND]
            nodes[board] = register[N_NODES]
            register[IS_STARTED] = 0
            board += 1
        done += register[WORK] - work_before + len(network.form)
    register[BOARD] = board
    return board == len(boards)
