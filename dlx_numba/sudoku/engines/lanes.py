"""The Sudoku engine `lanes`: a depth-first search on 32 boards at once, each in a SIMD lane.

A sweep propagates constraints in all lanes at once. Then the lanes that need it are handled one
by one: a lane that no longer changes guesses, a lane without a solution returns to its last guess,
and a lane whose search has ended writes its result and loads the next board of the batch, so no
lane waits for the slowest board. When no board is left, idle lanes take over branches of the busy
ones (see `parts`). The result depends on the board only, not on the other lanes or on the timing.

The functions share these parameters: `cells`, `scratch` and `guesses`, arrays of the
`LaneWorkspace`, which may be written; `lane`, the number of a lane, uintp; `saved` (96,) uint16, a
saved board.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...jit.calling import LayoutError, PreparedCall
from ...jit.compile import prepare_call
from ...jit.intrinsics import count_bits, lowest_bit
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
from .base import Boards, EngineResult, StopCheck
from .guess import (
    DIGIT,
    IS_FIRST,
    IS_HARD,
    N_FREE,
    N_GUESS_ROWS,
    OTHER_CELLS,
    TRIAD,
    TRIADS,
    choose_cell,
    choose_guesses,
)
from .parts import (
    BASE,
    BOARD,
    CAREFUL,
    DEPTH,
    FIRST_GUESSES,
    FOUND,
    GUESSES,
    MAX_GUESSES,
    MAX_SPLIT_LIMIT,
    N_LANE_FIELDS,
    NONE,
    ORDINARY,
    STAGE,
    TRIAL,
    busiest_lane,
    finish_part,
    has_earlier_solution,
    split_part,
    start_part,
    takes_too_long,
)
from .propagate import N_SCRATCH_ROWS, ONES, PREVIOUS_TOTAL, SOLVED_TOTAL, TOTAL, propagate

# The candidates of a cell by its value: 0 is an empty cell, and `EXCLUDED` + d one that does not
# contain d. The other entries are not used; a table of this size needs no conversion of indices.
EXCLUDED = 9
CANDIDATES = np.zeros(256, np.uint16)
CANDIDATES[:10] = [511, *(1 << digit for digit in range(9))]
CANDIDATES[EXCLUDED + 1 : EXCLUDED + 10] = 511 - CANDIDATES[1:10]

# The value of a decided cell by its candidates. A table is faster than the position of the bit.
VALUES = np.zeros(512, np.uint8)
VALUES[CANDIDATES[:10]] = range(10)

# Fields of `LaneWorkspace.register`
NEXT = 0  # the first board that is not loaded yet
ACTIVE = 1  # the set of lanes that contain a board
RESTORING = 2  # the set of lanes whose saved board is not restored yet

SWEEPS_PER_SLICE = 1 << 14  # sweeps between two calls of `stop`: about 25 ms

# One call of `choose_guesses` serves all stuck lanes, so they wait for others until the sweeps that
# they have missed, added up, cost about as much as the call.
MAX_MISSED_SWEEPS = 20

# A board is hard if it has this number of free digits (see `choose_guesses`), and if after this
# number of guesses there was a contradiction, but no solution. Its search then starts again. Boards
# with few givens have many free digits, too, but most of them need fewer guesses, or have several
# solutions, the first of which is found without a contradiction.
MIN_FREE = 11
TRIAL_GUESSES = 7

# Each branch of a guess excludes one of the six patterns of a digit in a chute, and one remains.
MAX_DEPTH = 6 * 9 * 5  # the saved boards of a lane

ONE = np.uint64(1)
ALL_LANES = np.uint64(2**N_LANES - 1)
SAVED_TOTAL = 81  # the index of the sum of the cells in a saved board
SAVED_SIZE = 82


class LaneWorkspace(NamedTuple):
    """The arrays of `solve_lanes`, which contain its state between two calls."""

    cells: NDArray[np.uint16]  # (81, 32) the candidates of each cell in each lane
    scratch: NDArray[np.uint16]  # (N_SCRATCH_ROWS, 32) the sums of `propagate`
    guesses: NDArray[np.uint16]  # (N_GUESS_ROWS, 32) the rows of `choose_guesses`
    saved: NDArray[np.uint16]  # (32, MAX_DEPTH, 96) the other branches, by lane and depth
    lanes: NDArray[np.int64]  # (32, N_LANE_FIELDS) the state of each lane
    register: NDArray[np.int64]  # (3,) the state of the batch


def allocate_workspace() -> LaneWorkspace:
    """Return a workspace in the initial state."""
    scratch = allocate_rows(N_SCRATCH_ROWS)
    scratch[ONES] = 1
    return LaneWorkspace(
        allocate_rows(81),
        scratch,
        allocate_rows(N_GUESS_ROWS),
        allocate_rows(N_LANES * MAX_DEPTH * 3).reshape(N_LANES, MAX_DEPTH, 3 * N_LANES),
        np.zeros((N_LANES, N_LANE_FIELDS), np.int64),
        np.zeros(3, np.int64),
    )


@inlined
def pop_lane(lanes):
    """Return the first lane of a set of bits, uint64, and the set without it."""
    return lowest_bit(lanes), lanes & (lanes - ONE)


@inlined
def load_board(cells, scratch, lane, board):
    """Write the candidates of a board (81,) to a lane, which then differs from before."""
    for cell in range(81):
        write_lane(cells, cell, lane, CANDIDATES[board[cell]])
    write_lane(scratch, PREVIOUS_TOTAL, lane, 0)


@inlined
def _load_puzzle(cells, scratch, guesses, lane, puzzle, is_hard):
    """Load `puzzle` (81,) uint8 into a lane, before its first guess; `is_hard` is 0 or 1."""
    load_board(cells, scratch, lane, puzzle)
    write_lane(guesses, IS_FIRST, lane, 1)
    write_lane(guesses, IS_HARD, lane, is_hard)


@inlined
def write_values(cells, lane, values):
    """Write the values of the board in a lane, 0 for an undecided cell, to `values` (81,)."""
    for cell in range(81):
        values[cell] = VALUES[read_lane(cells, cell, lane)]


@inlined
def _restore(cells, scratch, lane_1, saved_1, lane_2, saved_2):
    """Load saved boards into two lanes, or into one if they are equal.

    Processors write two numbers of one cache line at once, so two lanes take as long as one.
    """
    for cell in range(81):
        write_lane(cells, cell, lane_1, saved_1[cell])
        write_lane(cells, cell, lane_2, saved_2[cell])
    write_lane(scratch, PREVIOUS_TOTAL, lane_1, saved_1[SAVED_TOTAL])
    write_lane(scratch, PREVIOUS_TOTAL, lane_2, saved_2[SAVED_TOTAL])


@inlined
def _guess(cells, scratch, guesses, lane, saved):
    """Place the digit of the guess in its triad; save the board without the digit in the triad.

    The previous totals are set to those of the two boards, so if nothing follows from either, a
    single sweep shows that it is stuck.
    """
    digit = np.int64(read_lane(guesses, DIGIT, lane))
    triad = read_lane(guesses, TRIAD, lane)
    total = np.int64(read_lane(scratch, TOTAL, lane))
    for cell in range(81):
        saved[cell] = read_lane(cells, cell, lane)
    saved_total = total
    for k in range(3):
        cell = TRIADS[triad, k]
        candidates = np.int64(saved[cell])
        saved[cell] = candidates & ~digit
        saved_total -= candidates & digit
    saved[SAVED_TOTAL] = saved_total
    for k in range(6):
        cell = OTHER_CELLS[triad, k]
        candidates = np.int64(read_lane(cells, cell, lane))
        write_lane(cells, cell, lane, candidates & ~digit)
        total -= candidates & digit
    write_lane(scratch, PREVIOUS_TOTAL, lane, total)
    write_lane(guesses, IS_FIRST, lane, 0)


@inlined
def _guess_cell(cells, scratch, lane, saved):
    """Place the digit that `choose_cell` returns; save the board without it in this cell."""
    chosen, digit = choose_cell(cells, lane)
    total = np.int64(read_lane(scratch, TOTAL, lane))
    for cell in range(81):
        saved[cell] = read_lane(cells, cell, lane)
    others = np.int64(saved[chosen]) & ~digit
    write_lane(cells, chosen, lane, digit)
    write_lane(scratch, PREVIOUS_TOTAL, lane, total - others)
    saved[chosen] = others
    saved[SAVED_TOTAL] = total - digit


@inlined
def _load_puzzles(cells, scratch, guesses, lanes, puzzles, next_board, idle):
    """Load `puzzles` from `next_board` on into `idle` lanes.

    Returns the next board, and the lanes that stay idle.
    """
    while idle != 0 and next_board < puzzles.shape[0]:
        lane, idle = pop_lane(idle)
        _load_puzzle(cells, scratch, guesses, lane, puzzles[next_board], np.int64(0))
        start_part(lanes, lane, next_board, TRIAL)
        next_board += 1
    return next_board, idle


@inlined
def _share_parts(guesses, saved, lanes, idle):
    """Give parts of the work of busy lanes to idle ones, and return these.

    Each of them gets the saved board with which its part begins. It is not in `cells` yet, so the
    caller has it restored.
    """
    sharing = np.uint64(0)
    while idle != 0:
        busy = busiest_lane(lanes)
        if busy == NONE:
            break
        lane, idle = pop_lane(idle)
        board = saved[busy, lanes[busy, BASE]]  # the first one that no lane has taken over
        for index in range(SAVED_SIZE):
            saved[lane, 0, index] = board[index]
        for row in range(IS_FIRST, N_GUESS_ROWS):  # the properties of the board
            kept = read_lane(guesses, row, busy)
            write_lane(guesses, row, lane, kept)
        split_part(lanes, busy, lane)
        sharing |= ONE << lane
    return sharing


@inlined
def _restore_boards(cells, scratch, saved, lanes, restoring):
    """Load the last saved board of each of the lanes."""
    while restoring != 0:
        lane, restoring = pop_lane(restoring)
        other = lane
        if restoring != 0:
            other, restoring = pop_lane(restoring)
        board = saved[lane, lanes[lane, DEPTH]]
        other_board = saved[other, lanes[other, DEPTH]]
        _restore(cells, scratch, lane, board, other, other_board)


@inlined
def _guess_boards(cells, scratch, guesses, saved, lanes, puzzles, stuck):
    """Guess in each of the `stuck` lanes.

    After some guesses of a trial, the board begins again, as `puzzles` has it.
    """
    choose_guesses(cells, guesses)
    while stuck != 0:
        lane, stuck = pop_lane(stuck)
        # If there are more guesses than saved boards, some branch has ended; without a solution, by
        # a contradiction.
        n_guesses = lanes[lane, GUESSES]
        stage = lanes[lane, STAGE]
        if stage == TRIAL and n_guesses >= max(TRIAL_GUESSES, lanes[lane, DEPTH] + 1):
            lanes[lane, STAGE] = ORDINARY
            if lanes[lane, FOUND] == 0 and read_lane(guesses, N_FREE, lane) >= MIN_FREE:
                puzzle = puzzles[lanes[lane, BOARD]]
                _load_puzzle(cells, scratch, guesses, lane, puzzle, np.int64(1))
                lanes[lane, DEPTH] = 0
                continue
        board = saved[lane, lanes[lane, DEPTH]]
        if stage == CAREFUL:
            _guess_cell(cells, scratch, lane, board)
        else:
            _guess(cells, scratch, guesses, lane, board)
        lanes[lane, DEPTH] += 1
        lanes[lane, GUESSES] += 1


@inlined
def _end_branches(
    cells, scratch, guesses, lanes, puzzles, limit, failed, solved, solutions, counts, nodes
):
    """Count solutions, and return the lanes that go back to a saved board, and those without work.

    `failed` and `solved` are the lanes whose branches end. The search for a board ends at `limit`
    solutions; then its results are written to `solutions`, `counts` and `nodes`. A board for which
    it takes too long starts again, as `puzzles` has it.
    """
    restoring = np.uint64(0)
    unneeded = np.uint64(0)
    ended = failed | solved
    while ended != 0:
        lane, ended = pop_lane(ended)
        bit = ONE << lane
        if solved & bit != 0:
            lanes[lane, FOUND] += 1
            if lanes[lane, FOUND] == 1:
                lanes[lane, FIRST_GUESSES] = lanes[lane, GUESSES]
                if not has_earlier_solution(lanes, lane):
                    write_values(cells, lane, solutions[lanes[lane, BOARD]])
        is_left = lanes[lane, DEPTH] > lanes[lane, BASE] and lanes[lane, FOUND] < limit
        if is_left and not takes_too_long(lanes, lane, limit):
            lanes[lane, DEPTH] -= 1
            restoring |= bit
        else:
            # The limit may end the search for later parts of the board, too.
            done, again = finish_part(lanes, lane, limit, counts, nodes)
            unneeded |= done
            ended &= ~done
            restoring &= ~done
            if again != NONE:
                board = lanes[again, BOARD]
                _load_puzzle(cells, scratch, guesses, again, puzzles[board], np.int64(0))
                start_part(lanes, again, board, CAREFUL)
                lanes[again, GUESSES] = MAX_GUESSES  # those of the first attempt count
                unneeded ^= ONE << np.uint64(again)
    return restoring, unneeded


@njit
def solve_lanes(workspace, max_sweeps, puzzles, limit, solutions, counts, nodes):
    """Solve puzzles, starting at the state in `workspace`, until all are done.

    Parameters
    ----------
    workspace : LaneWorkspace
        The state of the search. Written. The next call with the same arguments resumes from it; if
        all puzzles are done, it is the initial state.
    max_sweeps : int
        The number of sweeps after which to return.
    puzzles : ndarray of uint8, shape (N, 81)
        The values of the cells; see `CANDIDATES`. Other numbers are not detected.
    limit : int
        The number of solutions, at least 1, at which the search for a puzzle ends.
    solutions, counts, nodes : ndarray
        The arrays of an `EngineResult`; `nodes` counts guesses. Written.

    Returns
    -------
    bool
        Whether all puzzles are done.
    """
    cells, scratch, guesses, saved, lanes, register = workspace
    next_board = register[NEXT]
    idle = np.uint64(register[ACTIVE]) ^ ALL_LANES
    restoring = np.uint64(register[RESTORING])
    sweeps = 0
    missed_sweeps = 0  # of all lanes that wait for a guess, added up
    while sweeps < max_sweeps:
        next_board, idle = _load_puzzles(cells, scratch, guesses, lanes, puzzles, next_board, idle)
        if idle != 0 and limit <= MAX_SPLIT_LIMIT:
            sharing = _share_parts(guesses, saved, lanes, idle)
            idle ^= sharing
            restoring |= sharing
        active = idle ^ ALL_LANES
        if active == 0:
            break
        _restore_boards(cells, scratch, saved, lanes, restoring)
        # A lane that propagation no longer changes is solved, or must guess.
        failed = propagate(cells, scratch) & active
        sweeps += 1
        total = load(scratch, TOTAL)
        unchanged = lanes_equal(total, load(scratch, PREVIOUS_TOTAL)) & active & ~failed
        store(scratch, PREVIOUS_TOTAL, total)
        solved = unchanged & lanes_equal(total, splat(SOLVED_TOTAL))
        stuck = unchanged ^ solved
        missed_sweeps += count_bits(stuck)
        if stuck != 0 and (missed_sweeps >= MAX_MISSED_SWEEPS or stuck == active):
            missed_sweeps = 0
            _guess_boards(cells, scratch, guesses, saved, lanes, puzzles, stuck)
        restoring, unneeded = _end_branches(
            cells,
            scratch,
            guesses,
            lanes,
            puzzles,
            limit,
            failed,
            solved,
            solutions,
            counts,
            nodes,
        )
        idle |= unneeded
    is_done = idle == ALL_LANES and next_board == puzzles.shape[0]
    register[NEXT] = 0 if is_done else next_board
    register[ACTIVE] = np.int64(idle ^ ALL_LANES)
    register[RESTORING] = np.int64(restoring)
    return is_done


class LanesEngine:
    """The engine `lanes`, for 9×9 boards with 3×3 boxes."""

    def __init__(self) -> None:
        self.workspace = allocate_workspace()
        # `solve_lanes` with these arguments; None before the first call, or without machine code
        self._call: PreparedCall | None = None

    def solve(self, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
        """Solve `boards` (N, 81) into `result`; see `Engine.solve`."""
        if self._call is None:
            # Any arrays prepare a call, which is repeated with others by their addresses.
            empty = np.zeros((1, 81), np.uint8)
            self._call = self._prepare(empty, 1, *EngineResult.allocate(empty))
        solutions, counts, nodes = result
        # The prepared call takes the arrays by their addresses.
        words = id(boards), limit, id(solutions), id(counts), id(nodes)
        try:
            if self._call is not None:
                if not self._call.repeat(*words):
                    self._continue(partial(self._call.repeat, *words), stop)
                return
        except LayoutError:  # the boards are read-only
            pass
        solve_slice = partial(solve_lanes, self.workspace, SWEEPS_PER_SLICE, boards, limit, *result)
        if not solve_slice():
            self._continue(solve_slice, stop)

    def prepare(self, boards: Boards, result: EngineResult) -> Callable[[StopCheck], None]:
        """Return a function that finds the first solution of `boards` (N, 81) at each call.

        Its argument is the parameter `stop` of `solve`.
        """
        call = self._prepare(boards, 1, *result)
        if call is None:
            return lambda stop: self.solve(boards, 1, result, stop)
        return lambda stop: None if call() else self._continue(call, stop)

    def _prepare(self, *arguments: Any) -> PreparedCall | None:
        return prepare_call(solve_lanes, self.workspace, SWEEPS_PER_SLICE, *arguments)

    def _continue(self, solve_slice: Callable[[], bool], stop: StopCheck) -> None:
        """Solve further slices until all boards are done or `stop` ends the search."""
        while not stop():
            if solve_slice():
                return
        self.workspace.lanes.fill(0)  # what is unfinished must not continue
        self.workspace.register.fill(0)
