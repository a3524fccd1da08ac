"""The Sudoku engine `lanes`: depth-first search on many boards at once, each in a lane of its own.

All lanes reason at once (`sweep`). Then those that came to an end are looked after, one by one: a
lane that is stuck guesses, one without a solution goes back to its last guess, and one that is
done hands in its board and takes the next of the batch, so that no lane waits for another. What a
lane does depends on its board alone: neither on its neighbours nor on when it is looked after.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bits import count_bits, lowest_bit
from ...jit.compile import inlined, kernel
from ...jit.simd import WIDTH, empty_rows, lanes_equal, load, read, splat, store, write
from ..box import Box
from ..result import BatchResult
from .propagate import CHOICE, COMPLETE, NOTES, PREVIOUS, TOTAL, choose, sweep
from .registry import LANES_BOX

CANDIDATES = np.array([511] + [1 << digit for digit in range(9)], np.uint16)

# Rows of `lanes`: what each lane is at.
BOARD, DEPTH, FOUND, GUESSES = range(4)
# Fields of `state`: the first board that no lane has taken yet, and the set of lanes that have one.
NEXT, ACTIVE = range(2)
SLICE = 1 << 18  # sweeps between two looks at the clock: 100 ms or so

# Stuck lanes wait until there are so many, for one choice serves them all. None waits for ever:
# the others end or come to be stuck as well.
ENOUGH = 4

ONE = np.uint64(1)
ALL_LANES = np.uint64(2**WIDTH - 1)
SAVED_SUM = np.uintp(81)  # where a saved board has its sum, after its cells


class Workspace(NamedTuple):
    """The memory that `solve_lanes` works in, and where it keeps what it is at between calls."""

    cells: NDArray[np.uint16]  # (81, WIDTH) the candidates of each cell: see `sweep`
    notes: NDArray[np.uint16]  # (NOTES, WIDTH) what `sweep` and `choose` find
    saved: NDArray[np.uint16]  # (WIDTH, 81, 96) for each guess of a lane, the other way
    lanes: NDArray[np.int64]  # (4, WIDTH)
    state: NDArray[np.int64]  # (2,)


def allocate_workspace() -> Workspace:
    """The memory for a new batch. A guess decides a cell, so there are never more than 81."""
    return Workspace(
        empty_rows(81),
        empty_rows(NOTES),
        empty_rows(WIDTH * 81 * 3).reshape(WIDTH, 81, 3 * WIDTH),
        np.zeros((4, WIDTH), np.int64),
        np.zeros(2, np.int64),
    )


@inlined
def _put(cells: NDArray[Any], notes: NDArray[Any], lane: int, puzzle: NDArray[Any]) -> None:
    for cell in range(81):
        write(cells, np.uintp(cell), lane, CANDIDATES[np.uintp(puzzle[np.uintp(cell)])])
    write(notes, PREVIOUS, lane, 0)


@inlined
def _take(cells: NDArray[Any], lane: int, solution: NDArray[Any]) -> None:
    for cell in range(81):
        solution[np.uintp(cell)] = lowest_bit(read(cells, np.uintp(cell), lane)) + 1


@inlined
def _save(cells: NDArray[Any], lane: int, slot: NDArray[Any]) -> None:
    for cell in range(81):
        slot[np.uintp(cell)] = read(cells, np.uintp(cell), lane)


@inlined
def _restore(cells: NDArray[Any], notes: NDArray[Any], lane: int, slot: NDArray[Any]) -> None:
    for cell in range(81):
        write(cells, np.uintp(cell), lane, slot[np.uintp(cell)])
    write(notes, PREVIOUS, lane, slot[SAVED_SUM])


@inlined
def _guess(cells: NDArray[Any], notes: NDArray[Any], lane: int, slot: NDArray[Any]) -> None:
    """Go on with the lowest digit of the chosen cell, and save the board without it.

    The sums of both are known, so that one from which nothing follows is seen to be stuck after
    a single sweep.
    """
    cell = np.uintp(read(notes, CHOICE, lane) & 127)
    candidates = np.int64(read(cells, cell, lane))
    total = np.int64(read(notes, TOTAL, lane))
    digit = candidates & -candidates
    _save(cells, lane, slot)
    slot[cell] = candidates ^ digit
    slot[SAVED_SUM] = total - digit
    write(cells, cell, lane, digit)
    write(notes, PREVIOUS, lane, total - (candidates ^ digit))


@kernel
def solve_lanes(puzzles, limit, budget, workspace, solutions, counts, nodes):
    """Count the solutions of each of the `puzzles` (N, 81), up to `limit` (at least one).

    A puzzle is 81 digits, zero where there is none; that no number is above nine is not checked.
    For each, its count, its first solution (if it has one) and the number of guesses made are
    written. Returns whether all is done; if not, `budget` sweeps were made, and the next call
    with the same arguments goes on from there.
    """
    cells, notes, saved, lanes, state = workspace
    boards = puzzles.shape[0]
    following = state[NEXT]
    active = np.uint64(state[ACTIVE])
    idle = active ^ ALL_LANES
    sweeps = 0
    while sweeps < budget:
        while idle != 0 and following < boards:
            lane = np.uintp(lowest_bit(idle))
            idle &= idle - ONE
            _put(cells, notes, lane, puzzles[following])
            lanes[BOARD, lane] = following
            lanes[DEPTH, lane] = 0
            lanes[FOUND, lane] = 0
            lanes[GUESSES, lane] = 0
            following += 1
            active |= ONE << np.uint64(lane)
        if active == 0:
            break
        failed = np.uint64(sweep(cells, notes)) & active
        sweeps += 1
        total = load(notes, TOTAL)
        unchanged = np.uint64(lanes_equal(total, load(notes, PREVIOUS))) & active & ~failed
        store(notes, PREVIOUS, total)
        solved = unchanged & np.uint64(lanes_equal(total, splat(COMPLETE)))
        stuck = unchanged ^ solved
        if count_bits(stuck) < ENOUGH and stuck != active:
            stuck = np.uint64(0)
        if stuck != 0:
            choose(cells, notes)
        while stuck != 0:
            lane = np.uintp(lowest_bit(stuck))
            stuck &= stuck - ONE
            _guess(cells, notes, lane, saved[lane, np.uintp(lanes[DEPTH, lane])])
            lanes[DEPTH, lane] += 1
            lanes[GUESSES, lane] += 1
        ended = failed | solved
        while ended != 0:
            lane = np.uintp(lowest_bit(ended))
            bit = ONE << np.uint64(lane)
            ended ^= bit
            board = np.uintp(lanes[BOARD, lane])
            if solved & bit:
                lanes[FOUND, lane] += 1
                if lanes[FOUND, lane] == 1:
                    _take(cells, lane, solutions[board])
            if lanes[DEPTH, lane] > 0 and lanes[FOUND, lane] < limit:
                lanes[DEPTH, lane] -= 1
                _restore(cells, notes, lane, saved[lane, np.uintp(lanes[DEPTH, lane])])
            else:
                counts[board] = lanes[FOUND, lane]
                nodes[board] = lanes[GUESSES, lane]
                active ^= bit
                idle |= bit
    state[NEXT] = following
    state[ACTIVE] = np.int64(active)
    return active == 0 and following == boards


class LanesEngine:
    """Solves blocks of 9×9 boards; each thread has an engine of its own."""

    def __init__(self, box: Box) -> None:
        assert box == LANES_BOX
        self.workspace = allocate_workspace()

    def solve(
        self,
        boards: NDArray[np.uint8],
        limit: int,
        result: BatchResult,
        stop: Callable[[], bool],
    ) -> None:
        """Solve `boards` (N, 81) into `result`, until `stop()`, asked at intervals."""
        self.workspace.state[:] = 0
        while not solve_lanes(boards, limit, SLICE, self.workspace, *result):
            if stop():
                break
