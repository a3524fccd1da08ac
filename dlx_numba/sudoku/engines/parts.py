"""Lanes that search parts of the same board, for the engine `lanes`.

When no board is left to load, an idle lane takes over an unexplored branch of a busy lane: the one
that was saved first, because it is the largest. In a depth-first search, that branch comes after
everything else the busy lane has left. So the lanes that search a board are linked in the order in
which one lane would have searched their parts, and the results of parts are combined in this order:
the solutions found and the guesses are those of a search in one lane, whatever the timing. What one
lane would not have searched, because the limit was reached before, is discarded.

A result consists of the number of solutions, the number of guesses, and the number of guesses
before the first solution. This suffices for limits up to `MAX_SPLIT_LIMIT`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import inlined

MAX_SPLIT_LIMIT = 2

# Rows of `lanes`, the state of each lane
BOARD = 0  # the board in the lane
BASE = 1  # the saved boards that other lanes have taken over
DEPTH = 2  # the saved boards, including those
FOUND = 3  # the result of this part so far; three rows
GUESSES = 4
FIRST_GUESSES = 5
LATER = 6  # the result of the finished parts between this one and the following one; three rows
PREVIOUS = 9  # the lanes with the previous and with the following part, or NONE
FOLLOWING = 10
N_LANE_ROWS = 11

NONE = -1


@inlined
def start_part(lanes: NDArray[Any], lane: int, board: int) -> None:
    """Initialize a lane for the first part of a board."""
    for row in range(N_LANE_ROWS):
        lanes[row, lane] = 0
    lanes[BOARD, lane] = board
    lanes[PREVIOUS, lane] = NONE
    lanes[FOLLOWING, lane] = NONE


@inlined
def split_part(lanes: NDArray[Any], busy: int, lane: int) -> None:
    """Initialize an idle lane for the part that begins with the first saved board of `busy`."""
    start_part(lanes, lane, lanes[BOARD, busy])
    lanes[BASE, busy] += 1
    for row in range(LATER, LATER + 3):
        lanes[row, lane] = lanes[row, busy]
        lanes[row, busy] = 0
    following = lanes[FOLLOWING, busy]
    lanes[FOLLOWING, lane] = following
    if following != NONE:
        lanes[PREVIOUS, following] = lane
    lanes[PREVIOUS, lane] = busy
    lanes[FOLLOWING, busy] = lane


@inlined
def append_result(
    lanes: NDArray[Any], row: int, lane: int, other_row: int, other: int, limit: int
) -> None:
    """Append a result, stored at `other_row` of lane `other`, to the one at `row` of `lane`."""
    found = lanes[row, lane]
    if found >= limit:
        return
    if found == 0:
        lanes[row + 2, lane] = lanes[row + 1, lane] + lanes[other_row + 2, other]
    if found > 0 and found + lanes[other_row, other] >= limit:
        lanes[row, lane] = limit  # it is reached by the first solution of the other part
        lanes[row + 1, lane] += lanes[other_row + 2, other]
    else:
        lanes[row, lane] += lanes[other_row, other]
        lanes[row + 1, lane] += lanes[other_row + 1, other]


@inlined
def has_earlier_solution(lanes: NDArray[Any], lane: int) -> bool:
    """Return whether a solution was found in a part that comes before this one."""
    previous = lanes[PREVIOUS, lane]
    while previous != NONE:
        if lanes[FOUND, previous] > 0 or lanes[LATER, previous] > 0:
            return True
        previous = lanes[PREVIOUS, previous]
    return False


@inlined
def busiest_lane(lanes: NDArray[Any]) -> int:
    """Return the lane with the most saved boards, or NONE if no lane has any.

    The saved boards of idle lanes must have been removed.
    """
    busiest, most = NONE, 0
    for lane in range(lanes.shape[1]):
        n_saved = lanes[DEPTH, lane] - lanes[BASE, lane]
        if n_saved > most:
            busiest, most = lane, n_saved
    return busiest


@inlined
def _release(lanes: NDArray[Any], lane: int) -> Any:
    """Remove the saved boards of a lane; return the set of this lane."""
    lanes[BASE, lane] = lanes[DEPTH, lane] = 0
    return np.uint64(1) << np.uint64(lane)


@inlined
def finish_part(
    lanes: NDArray[Any], lane: int, limit: int, counts: NDArray[Any], nodes: NDArray[Any]
) -> Any:
    """Combine the result of a finished part with the others of its board.

    If no part is left, the result of the board is written. Returns the set of the lanes that become
    idle: this one, and those whose parts are not needed because the limit was reached before them.
    """
    idle = np.uint64(0)
    while True:
        idle |= _release(lanes, lane)
        append_result(lanes, FOUND, lane, LATER, lane, limit)
        previous, following = lanes[PREVIOUS, lane], lanes[FOLLOWING, lane]
        if lanes[FOUND, lane] >= limit:
            while following != NONE:
                idle |= _release(lanes, following)
                following = lanes[FOLLOWING, following]
        if previous != NONE:
            append_result(lanes, LATER, previous, FOUND, lane, limit)
            lanes[FOLLOWING, previous] = following
            if following != NONE:
                lanes[PREVIOUS, following] = previous
            break
        if following == NONE:
            board = lanes[BOARD, lane]
            counts[board] = lanes[FOUND, lane]
            nodes[board] = lanes[GUESSES, lane]
            break
        append_result(lanes, FOUND, lane, FOUND, following, limit)
        for row in range(FOUND, FOUND + 3):
            lanes[row, following] = lanes[row, lane]
        lanes[PREVIOUS, following] = NONE
        if lanes[FOUND, following] < limit:
            break
        lane = following
    return idle
