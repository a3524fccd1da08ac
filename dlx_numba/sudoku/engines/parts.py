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

# Columns of `lanes`, the state of each lane
BOARD = 0  # the board in the lane
BASE = 1  # the saved boards that other lanes have taken over
DEPTH = 2  # the saved boards, including those
FOUND = 3  # the result of this part so far, three columns
GUESSES = 4
FIRST_GUESSES = 5
LATER = 6  # the result of the finished parts between this one and the following one, three columns
PREVIOUS = 9  # the lanes with the previous and with the following part, or NONE
FOLLOWING = 10
N_LANE_FIELDS = 11

NONE = -1


@inlined
def start_part(part: NDArray[Any], board: int) -> None:
    """Initialize the state of a lane for the only part of a board."""
    part[BOARD] = board
    for field in range(BASE, PREVIOUS):
        part[field] = 0
    part[PREVIOUS] = NONE
    part[FOLLOWING] = NONE


@inlined
def split_part(lanes: NDArray[Any], busy: int, idle: int) -> None:
    """Initialize an idle lane for the part that begins with the first saved board of `busy`."""
    old, new = lanes[busy], lanes[idle]
    start_part(new, old[BOARD])
    old[BASE] += 1
    for field in range(LATER, LATER + 3):
        new[field] = old[field]
        old[field] = 0
    new[PREVIOUS] = busy
    new[FOLLOWING] = old[FOLLOWING]
    old[FOLLOWING] = idle
    if new[FOLLOWING] != NONE:
        lanes[new[FOLLOWING], PREVIOUS] = idle


@inlined
def busiest_lane(lanes: NDArray[Any]) -> int:
    """Return the lane with the most saved boards, or NONE if no lane has any."""
    busiest, most = NONE, 0
    for lane in range(len(lanes)):
        n_saved = lanes[np.uintp(lane), DEPTH] - lanes[np.uintp(lane), BASE]
        if n_saved > most:
            busiest, most = lane, n_saved
    return busiest


@inlined
def has_earlier_solution(lanes: NDArray[Any], part: NDArray[Any]) -> bool:
    """Return whether a solution was found in a part that comes before this one."""
    previous = part[PREVIOUS]
    while previous != NONE:
        if lanes[previous, FOUND] > 0 or lanes[previous, LATER] > 0:
            return True
        previous = lanes[previous, PREVIOUS]
    return False


@inlined
def _append(result: NDArray[Any], other: NDArray[Any], limit: int) -> None:
    """Append another result to a result."""
    found, guesses, first_guesses = 0, 1, 2
    if result[found] == 0:
        result[first_guesses] = result[guesses] + other[first_guesses]
        result[found] = other[found]
        result[guesses] += other[guesses]
    elif result[found] < limit:
        if result[found] + other[found] < limit:
            result[found] += other[found]
            result[guesses] += other[guesses]
        else:  # the first solution of the other part reaches the limit
            result[found] = limit
            result[guesses] += other[first_guesses]


@inlined
def _release(lanes: NDArray[Any], lane: int) -> Any:
    """Remove the saved boards of a lane; return the set of this lane."""
    lanes[lane, BASE] = 0
    lanes[lane, DEPTH] = 0
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
        part = lanes[lane]
        result = part[FOUND : FOUND + 3]
        _append(result, part[LATER : LATER + 3], limit)
        previous, following = part[PREVIOUS], part[FOLLOWING]
        if part[FOUND] >= limit:
            while following != NONE:
                idle |= _release(lanes, following)
                following = lanes[following, FOLLOWING]
        if previous != NONE:
            _append(lanes[previous, LATER : LATER + 3], result, limit)
            lanes[previous, FOLLOWING] = following
            if following != NONE:
                lanes[following, PREVIOUS] = previous
            return idle
        if following == NONE:
            counts[np.uintp(part[BOARD])] = part[FOUND]
            nodes[np.uintp(part[BOARD])] = part[GUESSES]
            return idle
        _append(result, lanes[following, FOUND : FOUND + 3], limit)
        for field in range(FOUND, FOUND + 3):
            lanes[following, field] = part[field]
        lanes[following, PREVIOUS] = NONE
        if result[0] < limit:
            return idle
        lane = following
