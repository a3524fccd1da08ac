"""Count the steps that qqwing's solver takes before it guesses, for many boards."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...jit.intrinsics import count_bits
from ...jit.simd import (
    N_LANES,
    allocate_rows,
    lanes_equal,
    load,
    read_lane,
    splat,
    store,
    write_lane,
)
from .lanes import ALL_LANES, ONE, load_board, pop_lane
from .propagate import ALL_DIGITS
from .steps import (
    FREE,
    HIDDEN_SINGLES,
    N_COUNTERS,
    N_STEP_ROWS,
    place_hidden_single,
    take_elimination,
)
from .techniques import ALLOWS_HIDDEN, DECIDED, PREVIOUS_TOTAL, TOTAL, place_singles

N_COUNTS = N_COUNTERS + 1

# A step is taken in all lanes that need it at once. They wait for others until the sweeps that they
# have missed, added up, cost about as much as the step.
MAX_MISSED_SWEEPS = 12  # for a hidden single
MAX_MISSED_CALLS = 150  # for another technique


def allocate_workspace() -> tuple[NDArray[np.uint16], NDArray[np.uint16], NDArray[np.int64]]:
    """Return the arrays `cells`, `scratch` and `board_of_lane` of `count_steps`."""
    return allocate_rows(81), allocate_rows(N_STEP_ROWS), np.zeros(N_LANES, np.int64)


@inlined
def _set_free(scratch: NDArray[Any], lanes: Any) -> None:
    """Free the given lanes only."""
    store(scratch, FREE, splat(0))
    while lanes != 0:
        lane, lanes = pop_lane(lanes)
        write_lane(scratch, FREE, lane, np.int64(0xFFFF))


@njit
def count_steps(boards, cells, scratch, board_of_lane, counts):
    """Count the steps of each technique on each board, until it is solved or none applies.

    Parameters
    ----------
    boards : ndarray of uint8, shape (N, 81)
        Boards with a unique solution, 0 for an empty cell.
    cells : ndarray of uint16, shape (81, 32)
        The candidates of each cell in each lane. Written.
    scratch : ndarray of uint16, shape (N_STEP_ROWS, 32)
        The rows of `techniques` and `steps`. Written.
    board_of_lane : ndarray of int64, shape (32,)
        The board in each lane. Written.
    counts : ndarray of uint8, shape (N, N_COUNTS)
        The numbers of naked singles, hidden singles, naked pairs, hidden pairs, pointing and
        box/line. Written.
    """
    n_boards = len(boards)
    next_board = 0
    active = np.uint64(0)
    idle = ALL_LANES
    waiting = np.uint64(0)  # lanes without naked singles
    stuck = np.uint64(0)  # lanes without hidden singles
    missed, missed_by_stuck = 0, 0
    while True:
        while idle != 0 and next_board < n_boards:
            lane, idle = pop_lane(idle)
            load_board(cells, scratch, lane, boards[np.uintp(next_board)])
            write_lane(scratch, ALLOWS_HIDDEN, lane, np.int64(0))
            write_lane(scratch, FREE, lane, np.int64(0))
            for counter in range(N_COUNTERS):
                write_lane(scratch, HIDDEN_SINGLES + np.uintp(counter), lane, np.int64(0))
            board_of_lane[lane] = next_board
            next_board += 1
            active |= ONE << np.uint64(lane)
        if active == 0:
            break
        place_singles(cells, scratch)
        total = load(scratch, TOTAL)
        unchanged = np.uint64(lanes_equal(total, load(scratch, PREVIOUS_TOTAL)))
        store(scratch, PREVIOUS_TOTAL, total)
        ended = np.uint64(lanes_equal(load(scratch, DECIDED), splat(ALL_DIGITS))) & active
        waiting = unchanged & active & ~(ended | stuck)
        missed += np.int64(count_bits(waiting))
        missed_by_stuck += np.int64(count_bits(stuck))
        running = active & ~(ended | waiting | stuck)
        if waiting != 0 and (missed >= MAX_MISSED_SWEEPS or running == 0):
            _set_free(scratch, waiting)
            place_hidden_single(cells, scratch)
            stuck |= waiting & ~np.uint64(lanes_equal(load(scratch, FREE), splat(0)))
            running |= waiting & ~stuck
            waiting = np.uint64(0)
            missed = 0
        if stuck != 0 and (missed_by_stuck >= MAX_MISSED_CALLS or (running | waiting) == 0):
            _set_free(scratch, stuck)
            take_elimination(cells, scratch)
            ended |= stuck & ~np.uint64(lanes_equal(load(scratch, FREE), splat(0)))
            stuck = np.uint64(0)
            missed_by_stuck = 0
        active &= ~ended
        idle |= ended
        while ended != 0:
            lane, ended = pop_lane(ended)
            row = np.uintp(board_of_lane[lane])
            n_decided = 0
            for index in range(81):
                cell = np.uintp(index)
                candidates = np.int64(read_lane(cells, cell, lane))
                is_decided = candidates & (candidates - 1) == 0
                n_decided += np.int64(is_decided) - np.int64(boards[row, cell] != 0)
            for counter in range(N_COUNTERS):
                number = np.int64(read_lane(scratch, HIDDEN_SINGLES + np.uintp(counter), lane))
                counts[row, np.uintp(counter + 1)] = number
                if counter == 0:
                    counts[row, np.uintp(0)] = n_decided - number
