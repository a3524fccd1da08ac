"""Classify boards by the techniques that solve them, 32 boards at once.

Each lane starts with naked singles alone. If they do not solve its board, hidden singles are added,
and then all other techniques. The candidates that were removed before stay removed, because the
result of the techniques does not depend on their order (see `techniques`). A lane whose board is
solved, or no longer changes, loads the next board, so no lane waits for another.
"""

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ...jit.intrinsics import count_bits
from ...jit.simd import N_LANES, allocate_rows, lanes_equal, load, splat, store, write_lane
from .lanes import ALL_LANES, ONE, load_board, pop_lane
from .propagate import ALL_DIGITS
from .techniques import (
    ALLOWS_ALL,
    ALLOWS_HIDDEN,
    DECIDED,
    N_SCRATCH_ROWS,
    PREVIOUS_TOTAL,
    TOTAL,
    eliminate,
    eliminate_x_wings,
    place_singles,
)

INVALID, SIMPLE, EASY, INTERMEDIATE, EXPERT = range(5)  # also the stages of a board in a lane

# Rows of `lanes`
BOARD = 0
STAGE = 1

# One call of `eliminate` serves all lanes that need it, so they wait for others until the sweeps
# that they have missed, added up, cost about as much as the call.
MAX_MISSED_SWEEPS = 120


def allocate_workspace() -> tuple[NDArray[np.uint16], NDArray[np.uint16], NDArray[np.int64]]:
    """Return the arrays `cells`, `scratch` and `lanes` of `classify_lanes`, without a state."""
    return allocate_rows(81), allocate_rows(N_SCRATCH_ROWS), np.zeros((2, N_LANES), np.int64)


@njit
def classify_lanes(boards, hardest, cells, scratch, lanes, classes):
    """Classify boards by the techniques that solve them.

    Parameters
    ----------
    boards : ndarray of uint8, shape (N, 81)
        The boards, 0 for an empty cell. Values above 9 are not detected.
    hardest : int
        The last class to try: `SIMPLE`, `EASY` or `INTERMEDIATE`; or `EXPERT` to try X-wings, too,
        so that boards that need them have the class `INTERMEDIATE`.
    cells : ndarray of uint16, shape (81, 32)
        The candidates of each cell in each lane. Written.
    scratch : ndarray of uint16, shape (N_SCRATCH_ROWS, 32)
        The rows of `techniques`. Written.
    lanes : ndarray of int64, shape (2, 32)
        BOARD and STAGE of each lane. Written.
    classes : ndarray of uint8, shape (N,)
        The class of each board that the techniques solve; `EXPERT` for all others, which may have
        any number of solutions. Written.
    """
    n_boards = len(boards)
    next_board = 0
    active = np.uint64(0)
    idle = ALL_LANES
    waiting = np.uint64(0)  # lanes that singles no longer change, until `eliminate` is called
    tried = np.uint64(0)  # lanes that have not changed since `eliminate`
    missed_sweeps = 0  # of all lanes that wait, added up
    store(scratch, ALLOWS_ALL, splat(0))
    while True:
        while idle != 0 and next_board < n_boards:
            lane, idle = pop_lane(idle)
            load_board(cells, scratch, lane, boards[next_board])
            write_lane(scratch, ALLOWS_HIDDEN, lane, 0)
            lanes[BOARD, lane] = next_board
            lanes[STAGE, lane] = SIMPLE
            next_board += 1
            active |= ONE << lane
        if active == 0:
            break
        place_singles(cells, scratch)
        total = load(scratch, TOTAL)
        unchanged = lanes_equal(total, load(scratch, PREVIOUS_TOTAL)) & active
        store(scratch, PREVIOUS_TOTAL, total)
        solved = lanes_equal(load(scratch, DECIDED), splat(ALL_DIGITS)) & active
        tried &= unchanged
        given_up = tried & ~solved  # no technique has changed these since `eliminate`
        # Singles no longer change these: their boards need the techniques of the next stage.
        promoted = unchanged & ~(solved | given_up | waiting)
        while promoted != 0:
            lane, promoted = pop_lane(promoted)
            bit = ONE << lane
            stage = lanes[STAGE, lane]
            if stage == hardest and stage != INTERMEDIATE:
                given_up |= bit
            elif stage == SIMPLE:
                lanes[STAGE, lane] = EASY
                write_lane(scratch, ALLOWS_HIDDEN, lane, 0xFFFF)
            else:  # for the first time, or again after `eliminate` and singles
                lanes[STAGE, lane] = INTERMEDIATE
                write_lane(scratch, ALLOWS_ALL, lane, 0xFFFF)
                waiting |= bit
        ended = solved | given_up
        waiting &= ~ended
        while ended != 0:
            lane, ended = pop_lane(ended)
            bit = ONE << lane
            stage = EXPERT if given_up & bit else lanes[STAGE, lane]
            classes[lanes[BOARD, lane]] = stage
            active ^= bit
            idle |= bit
            tried &= ~bit
        missed_sweeps += count_bits(waiting)
        if waiting != 0 and (missed_sweeps >= MAX_MISSED_SWEEPS or waiting == active):
            eliminate(cells, scratch)
            if hardest == EXPERT:
                eliminate_x_wings(cells, scratch)
            tried = waiting
            waiting = np.uint64(0)
            missed_sweeps = 0
            store(scratch, ALLOWS_ALL, splat(0))
