"""Work stealing between lanes.

When no board is left to load, an idle lane takes over an unexplored branch of a busy lane: the one
that was saved first, because it is the largest. In a depth-first search, that branch comes after
everything else the busy lane has left. So the lanes that search a board are linked in the order in
which one lane would have searched their parts, and the results of parts are combined in this order:
the solutions found and the guesses are those of a search in one lane, whatever the timing. What one
lane would not have searched, because the limit was reached before, is discarded.

A result consists of the number of solutions, the number of guesses, and the number of guesses
before the first solution. This suffices for limits up to `MAX_SPLIT_LIMIT`.

A board starts again, with guesses of another kind, if one lane would make too many guesses without
a solution. This, too, depends on the board only.

The functions share these parameters: `lanes` (32, N_LANE_FIELDS) int64, the state of each lane,
which may be written; `lane`, `busy` and `other`, numbers of lanes; `limit`, the number of solutions
at which the search for a board ends; `counts` and `nodes`, arrays of an `EngineResult`, written.
"""

import numpy as np

from ...jit import inlined

MAX_SPLIT_LIMIT = 2
MAX_GUESSES = 1024  # before the first solution, or on average; ordinary boards need up to 100

# Columns of `lanes`, the state of each lane. `FOUND` and `LATER` are arguments of functions, which
# would be compiled again for each literal without a type.
BOARD = 0  # the board in the lane
BASE = 1  # the saved boards that other lanes have taken over
DEPTH = 2  # the saved boards, including those
FOUND = np.int64(3)  # the result of this part so far, three columns
GUESSES = 4
FIRST_GUESSES = 5
LATER = np.int64(6)  # the result of the finished parts before the following one, three columns
PREVIOUS = 9  # the lanes with the previous and with the following part, or NONE
FOLLOWING = 10
STAGE = 11
N_LANE_FIELDS = 12

NONE = -1

# The stages of the search for a board
ORDINARY = np.int64(0)
TRIAL = np.int64(1)  # the board may start again as a hard one, so it is not split yet
CAREFUL = np.int64(2)  # the board has started again after too many guesses


@inlined
def start_part(lanes, lane, board, stage):
    """Initialize the state of a lane for the only part of a board."""
    lanes[lane] = 0
    lanes[lane, BOARD] = board
    lanes[lane, PREVIOUS] = NONE
    lanes[lane, FOLLOWING] = NONE
    lanes[lane, STAGE] = stage


@inlined
def split_part(lanes, busy, lane):
    """Initialize an idle lane for the part that begins with the first saved board of `busy`."""
    following = lanes[busy, FOLLOWING]
    start_part(lanes, lane, lanes[busy, BOARD], lanes[busy, STAGE])
    for field in range(LATER, LATER + 3):  # finished parts after `busy` also follow the new part
        lanes[lane, field] = lanes[busy, field]
        lanes[busy, field] = 0
    lanes[busy, BASE] += 1
    lanes[busy, FOLLOWING] = lane
    lanes[lane, PREVIOUS] = busy
    lanes[lane, FOLLOWING] = following
    if following != NONE:
        lanes[following, PREVIOUS] = lane


@inlined
def busiest_lane(lanes):
    """Return the lane with the most saved boards, or NONE if no lane that can be split has any."""
    busiest = NONE
    most = 0
    for lane in range(len(lanes)):
        n_saved = lanes[lane, DEPTH] - lanes[lane, BASE]
        if n_saved > most and lanes[lane, STAGE] != TRIAL:
            busiest = lane
            most = n_saved
    return busiest


@inlined
def has_earlier_solution(lanes, lane):
    """Return whether a solution was found in a part that comes before the one in this lane."""
    lane = lanes[lane, PREVIOUS]
    while lane != NONE and lanes[lane, FOUND] == 0 and lanes[lane, LATER] == 0:
        lane = lanes[lane, PREVIOUS]
    return lane != NONE


@inlined
def _append(lanes, lane, result, other, other_result, limit):
    """Append the result of another lane to the result of a lane, each given by its first field.

    The three fields of a result are the number of solutions, of guesses, and of the guesses before
    the first solution.
    """
    found = lanes[lane, result]
    other_found = lanes[other, other_result]
    if found == 0:  # one lane would have made all guesses of this part before those of the other
        lanes[lane, result + 2] = lanes[lane, result + 1] + lanes[other, other_result + 2]
    if found == 0 or found + other_found < limit:
        lanes[lane, result] += other_found
        lanes[lane, result + 1] += lanes[other, other_result + 1]
    elif found < limit:  # the first solution of the other part reaches the limit
        lanes[lane, result] = limit
        lanes[lane, result + 1] += lanes[other, other_result + 2]


@inlined
def takes_too_long(lanes, lane, limit):
    """Return whether the search for a board takes so long that it starts again, carefully.

    Only the lane with the first part decides, because one lane would have begun with its guesses.
    The search for a number of solutions may take that number times `MAX_GUESSES`.
    """
    if lanes[lane, PREVIOUS] != NONE or lanes[lane, STAGE] == CAREFUL:
        return False
    max_guesses = MAX_GUESSES * min(lanes[lane, FOUND] + 1, limit)
    return lanes[lane, GUESSES] > max_guesses or lanes[lane, FIRST_GUESSES] > MAX_GUESSES


@inlined
def finish_part(lanes, lane, limit, counts, nodes):
    """Combine the result of a finished part with the others of its board.

    If no part is left, the result of the board is written, unless the board starts again.

    Returns the set of lanes, as bits, that become idle, and the one among them in which the board
    starts again, or NONE. Idle are this lane, and those whose parts are not needed because the
    limit was reached before them, or the board starts again.
    """
    idle = np.uint64(0)
    again = NONE
    while True:
        _append(lanes, lane, FOUND, lane, LATER, limit)
        if takes_too_long(lanes, lane, limit):
            again = lane
        reached = lanes[lane, FOUND] >= limit or again != NONE
        # This lane is idle now; if the limit is reached, so are those of all following parts. Then
        # `following` is the next part that is still needed, or NONE.
        last = lane
        while True:
            idle |= np.uint64(1) << np.uint64(last)
            lanes[last, BASE] = lanes[last, DEPTH] = 0  # nothing to take over
            following = lanes[last, FOLLOWING]
            if following == NONE or not reached:
                break
            last = following
        previous = lanes[lane, PREVIOUS]
        if previous != NONE:  # a part before is still searched: it keeps the result
            _append(lanes, previous, LATER, lane, FOUND, limit)
            lanes[previous, FOLLOWING] = following
            if following != NONE:
                lanes[following, PREVIOUS] = previous
            break
        if again != NONE:
            break
        if following == NONE:  # this was the last part of the board
            counts[lanes[lane, BOARD]] = lanes[lane, FOUND]
            nodes[lanes[lane, BOARD]] = lanes[lane, GUESSES]
            break
        # The next part becomes the first one, and has its result. If that reaches the limit, it has
        # finished, too.
        _append(lanes, lane, FOUND, following, FOUND, limit)
        for field in range(FOUND, FOUND + 3):
            lanes[following, field] = lanes[lane, field]
        lanes[following, PREVIOUS] = NONE
        if lanes[following, FOUND] < limit:
            break
        lane = following
    return idle, again
