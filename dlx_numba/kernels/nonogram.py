"""Find what the cells of a nonogram are in all solutions, by narrowing lines and probing cells.

What a cell may be is a set of two bits, `BLACK` and `WHITE`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit import njit

BLACK = 1
WHITE = 2
BOTH = 3
IS_START = 2  # the bit of `forward` that says that a run may start in a place
# Rows of `NonogramLines.row`
KNOWN = 0  # what each cell may be before the line is narrowed
REACH = 1  # the number of cells from each one that may be black
NARROWED = 2  # what each cell may be
FITS_BELOW = 3  # these two change places: see `narrow_line`
FITS_ABOVE = 4
N_ROWS = 5
# Rows of `queue`. The last entries are the first place of the ring, and the number of lines in it.
RING = 0  # the lines to be narrowed
WAITS = 1  # whether each line is in the ring
# Rows of `common`: a code is 4 times a number plus a value
FIRST_FOUND = 0  # the supposition with which each cell was decided last, and its value there
FOLLOWING = 1  # a list of the cells that have the same value with both suppositions
# Rows of `levels`
LENGTH = 0  # that of the trail
CHOICE = 1  # 4 times the cell chosen plus its value

MAX_WORK = 20_000_000  # cells of narrowed lines, counted once more for every four runs: 0.2 s


class NonogramLines(NamedTuple):
    """The lines of a nonogram, first the rows, then the columns, and the state of the search.

    A line has one more cell at its end, which is white, so that a white cell follows each run.
    """

    runs: NDArray[np.int64]  # (lines, most runs + 1) the number of runs, and their lengths
    size: NDArray[np.int64]  # (lines,) the number of cells
    cell: NDArray[np.int64]  # (lines, most cells) the cells of each line
    crossing: NDArray[np.int64]  # (cells, 2) the lines of each cell
    values: NDArray[np.uint8]  # (cells,) what each cell may be
    seen: NDArray[np.uint8]  # (cells,) what it is in the solutions found so far; zeros at first
    forward: NDArray[np.uint8]  # (lines, most runs + 1, most cells + 2) see `narrow_line`
    row: NDArray[np.int64]  # (N_ROWS, most cells + 2)
    trail: NDArray[np.int64]  # (cells + 1,) the cells decided; the last entry is their number
    queue: NDArray[np.int64]  # (2, lines + 1) RING and WAITS
    effects: NDArray[np.int64]  # (2, cells) see `probe_cells`
    implied: NDArray[np.int64]  # (2, cells) when a supposition decided that a cell has value v + 1
    common: NDArray[np.int64]  # (2, cells) FIRST_FOUND and FOLLOWING
    levels: NDArray[np.int64]  # (2, cells) LENGTH and CHOICE, before each choice


def narrow_nonogram(
    rows: list[list[int]], columns: list[list[int]]
) -> tuple[NDArray[np.uint8], list[list[list[int]]]] | None:
    """Return what remains possible: values of each cell, and starts of each run of each line.

    This is what solutions have, unless the search exceeds its limit; otherwise, it is what each
    line, and each supposition about a single cell, leaves possible. The result is None if there is
    no solution.

    Examples
    --------
    >>> cells, starts = narrow_nonogram([[1], [1]], [[1], [1]])
    >>> cells.tolist(), starts[0]
    ([[3, 3], [3, 3]], [[0, 1]])
    """
    shape = height, width = len(rows), len(columns)
    clues = [*rows, *columns]
    most = max(map(len, clues))
    size = max(shape)
    runs = np.zeros((len(clues), most + 1), np.int64)
    for line_runs, line in zip(runs, clues, strict=True):
        line_runs[: len(line) + 1] = [len(line), *line]
    row, column = np.indices(shape)
    cell = np.zeros((len(clues), size), np.int64)
    cell[row, column] = cell[height + column, row] = row * width + column
    crossing = np.stack([row.ravel(), height + column.ravel()], axis=1)
    n_cells = height * width
    # Those of `row`, `trail`, `queue`, and the four fields of `NonogramLines` that follow
    shapes = (N_ROWS, size + 2), (n_cells + 1,), (2, len(clues) + 1), *[(2, n_cells)] * 4
    lines = NonogramLines(
        runs,
        np.repeat([width, height], shape),
        cell,
        crossing,
        np.full(n_cells, BOTH, np.uint8),
        np.zeros(n_cells, np.uint8),
        np.zeros((len(clues), most + 1, size + 2), np.uint8),
        *(np.zeros(dimensions, np.int64) for dimensions in shapes),
    )
    limit = MAX_WORK if hasattr(find_values, "py_func") else MAX_WORK // 100  # plain Python
    if not find_values(lines, limit):
        return None
    starts: list[list[list[int]]] = [[[] for _ in line] for line in clues]
    first = np.cumsum(runs[:, 1:] + 1, axis=1) - runs[:, 1:] - 1  # the first place of each run
    numbers, run_numbers, places = np.nonzero(lines.forward[:, :-1] & IS_START)
    places += first[numbers, run_numbers]
    found = numbers.tolist(), run_numbers.tolist(), places.tolist()
    for number, run, place in zip(*found, strict=True):
        starts[number][run].append(place)
    return lines.values.reshape(shape), starts


@njit
def fit_runs(line, lines):
    """Find where the first runs of a line fit. Return how many cells the last one can move, or -1.

    Writes bit 0 of `forward[line]`, and KNOWN and REACH of `row`; clears NARROWED. See
    `narrow_line`.
    """
    runs = lines.runs[line]
    forward = lines.forward[line]
    row = lines.row
    size = lines.size[line]
    # The sum is that of the number of runs and of their lengths: a white cell follows each run.
    slack = size + 1 - runs.sum()
    if slack < 0:
        return slack
    row[KNOWN, size] = WHITE
    row[REACH, size] = 0
    row[NARROWED] = 0
    for place in range(size - 1, -1, -1):
        row[KNOWN, place] = lines.values[lines.cell[line, place]]
        row[REACH, place] = row[REACH, place + 1] + 1 if row[KNOWN, place] & BLACK else 0
    forward[0, 0] = 1
    for t in range(1, slack + 1):  # if all cells before may be white, which is bit 1
        forward[0, t] = forward[0, t - 1] & row[KNOWN, t - 1] >> 1
    offset = 0
    for k in range(runs[0]):
        length = runs[k + 1]
        fits = 0
        for t in range(slack + 1):
            # The cell before place t of the next run is white, wherever this run is before it.
            if not row[KNOWN, offset + t + length] & WHITE:
                fits = 0
            elif forward[k, t] and row[REACH, offset + t] >= length:
                fits = 1
            forward[k + 1, t] = fits
        offset += length + 1
    return slack if forward[runs[0], slack] else np.int64(-1)


@njit
def narrow_line(line, lines):
    """Find what each cell of a line may be. Return whether the line can be completed.

    Written are NARROWED of `row` and `forward[line]`: bit 0 of entry (k, t) says
    that the runs before k fit before the place that is t cells behind the first one of run k, and
    `IS_START` that run k may start there. The other rows of `row` are overwritten.
    """
    slack = fit_runs(line, lines)
    if slack < 0:
        return False
    runs = lines.runs[line]
    forward = lines.forward[line]
    row = lines.row
    size = lines.size[line]
    offset = size + 1 - slack  # the first place behind all runs; below, that of run k
    # Entry t of these rows says whether runs fit if the first of them is at its place t or later.
    # Behind run k at its place t, run k + 1 is at its own place t or later.
    below = FITS_BELOW  # the runs from k + 1
    above = FITS_ABOVE  # the runs from k
    row[below, slack] = 1
    for t in range(slack - 1, -1, -1):
        row[below, t] = row[below, t + 1] & row[KNOWN, offset + t] >> 1
        if row[below, t] and forward[runs[0], t]:
            row[NARROWED, offset + t] |= WHITE
    for k in range(runs[0] - 1, -1, -1):
        length = runs[k + 1]
        offset -= length + 1
        lowest = size  # the first cell that this run is known to cover in some place
        fits = 0  # whether the runs from k fit behind the place, if this is white
        for t in range(slack, -1, -1):
            place = offset + t
            end = place + length
            if not row[KNOWN, place] & WHITE:
                fits = 0
            is_run = row[below, t] and row[REACH, place] >= length and row[KNOWN, end] & WHITE
            if forward[k, t]:
                if fits:
                    row[NARROWED, place] |= WHITE
                if is_run:
                    forward[k, t] |= IS_START
                    row[NARROWED, end] |= WHITE
                    for black in range(place, min(end, lowest)):
                        row[NARROWED, black] |= BLACK
                    lowest = place
            if is_run:
                fits = 1
            row[above, t] = fits
        below, above = above, below
    return True


@njit
def wait(line, queue):
    """Add a line to the queue."""
    n_lines = queue.shape[1] - 1
    if not queue[WAITS, line]:
        queue[WAITS, line] = 1
        queue[RING, (queue[RING, n_lines] + queue[WAITS, n_lines]) % n_lines] = line
        queue[WAITS, n_lines] += 1


@njit
def decide(cell, value, lines):
    """Set what a cell is, so that its lines are narrowed again."""
    lines.values[cell] = value
    lines.trail[lines.trail[-1]] = cell
    lines.trail[-1] += 1
    for line in lines.crossing[cell]:
        wait(line, lines.queue)


@njit
def undo(length, lines):
    """Forget the cells that were decided since the trail had this length."""
    trail = lines.trail
    while trail[-1] > length:
        trail[-1] -= 1
        lines.values[trail[trail[-1]]] = BOTH


@njit
def propagate(lines):
    """Narrow the lines of the queue until none of them excludes more.

    Returns the work for these lines, see `MAX_WORK`, or -1 minus it if they contradict each other.
    After a contradiction, the queue is only emptied.
    """
    queue = lines.queue
    row = lines.row
    n_lines = len(lines.size)
    work = 0
    is_possible = True
    while queue[WAITS, n_lines]:
        line = queue[RING, queue[RING, n_lines]]
        queue[RING, n_lines] = (queue[RING, n_lines] + 1) % n_lines
        queue[WAITS, n_lines] -= 1
        if is_possible:
            size = lines.size[line]
            work += size * (1 + lines.runs[line, 0] // 4)
            is_possible = narrow_line(line, lines)
            for place in range(size if is_possible else 0):
                if row[NARROWED, place] != row[KNOWN, place]:
                    decide(lines.cell[line, place], row[NARROWED, place], lines)
        queue[WAITS, line] = 0  # last, so that its own cells do not add it again
    return work if is_possible else -1 - work


@njit
def probe_cells(lines, limit):
    """Suppose that each open cell is black, then white, and decide what follows.

    If a value leads to a contradiction, the cell has the other one; and so have cells that are the
    same with both. A value that follows from another one without a contradiction is not supposed.
    `effects[v]`, written, has how many cells are decided if each one has the value v + 1. `implied`
    and `common` are overwritten. Returns the work, or -1 minus it if there is a contradiction. If
    it reaches `limit`, not all cells are probed.
    """
    values = lines.values
    trail = lines.trail
    implied = lines.implied
    common = lines.common
    n_cells = len(values)
    work = 0
    cell = 0
    n_probed = 0
    n_supposed = 0
    n_changes = 1
    implied[:] = 0
    common[:] = 0
    # Until no cell has changed since it was probed
    while n_probed < n_cells and work < limit:
        if values[cell] == BOTH:
            n_before = trail[-1]
            n_common = 0
            n_supposed += 1
            for value in (BLACK, WHITE):
                # The value followed from a supposition without a contradiction, so it has none,
                # either, if nothing has been decided since.
                if implied[value - 1, cell] == n_changes:
                    continue
                decide(cell, value, lines)
                outcome = propagate(lines)  # the work, or -1 minus it if there is a contradiction
                work += max(outcome, -1 - outcome)
                lines.effects[value - 1, cell] = trail[-1] - n_before
                if outcome < 0:  # the other value follows
                    undo(n_before, lines)
                    common[FOLLOWING, 0] = 4 * cell + BOTH - value
                    n_common = 1
                    break
                for position in range(n_before, trail[-1]):
                    decided = trail[position]
                    decided_value = values[decided]
                    implied[decided_value - 1, decided] = n_changes
                    # With the other value of the cell, this one is the same.
                    if common[FIRST_FOUND, decided] == 4 * n_supposed + decided_value:
                        common[FOLLOWING, n_common] = 4 * decided + decided_value
                        n_common += 1
                    common[FIRST_FOUND, decided] = 4 * n_supposed + decided_value
                undo(n_before, lines)
            if n_common:
                for position in range(n_common):
                    decide(common[FOLLOWING, position] // 4, common[FOLLOWING, position] % 4, lines)
                outcome = propagate(lines)
                work += max(outcome, -1 - outcome)
                if outcome < 0:
                    return -1 - work
                n_changes += 1
                n_probed = 0
        n_probed += 1
        cell = (cell + 1) % n_cells
    return work


@njit
def find_values(lines, limit):
    """Restrict cells to their values in solutions. Return whether there may be a solution.

    If the work reaches `limit`, cells lose only values that `probe_cells` excludes. At the end,
    `forward` belongs to the cells.
    """
    values = lines.values
    seen = lines.seen
    effects = lines.effects
    levels = lines.levels
    n_cells = len(values)
    n_lines = len(lines.size)
    for line in range(n_lines):
        wait(line, lines.queue)
    work = depth = 0
    while True:
        done = propagate(lines)
        if done >= 0:
            work += done
            done = probe_cells(lines, limit - work)
        work += max(done, -1 - done)  # the work, also if there is a contradiction
        if work >= limit:
            if depth:
                undo(levels[LENGTH, 0], lines)
            for cell in range(n_cells):  # the solutions found may have other values
                values[cell] |= seen[cell]
            break
        # Solutions with these cells are new only if some value is not that of a known solution.
        best = -1
        most = -1
        is_new = False
        for cell in range(n_cells if done >= 0 else 0):
            if values[cell] & ~seen[cell]:
                is_new = True
            if values[cell] == BOTH:
                black = effects[BLACK - 1, cell]
                white = effects[WHITE - 1, cell]
                # The smaller effect decides, and between equal ones the larger effect.
                effect = min(black, white) * n_cells + max(black, white)
                if effect > most:
                    best = cell
                    most = effect
        if is_new and best >= 0:
            value = BOTH - seen[best]  # the one that no known solution has, if there is only one
            if value == 0 or value == BOTH:
                value = BLACK if effects[BLACK - 1, best] >= effects[WHITE - 1, best] else WHITE
            levels[LENGTH, depth] = lines.trail[-1]
            levels[CHOICE, depth] = 4 * best + value
            depth += 1
            decide(best, value, lines)
            continue
        if is_new:  # all cells are decided: a solution
            for cell in range(n_cells):
                seen[cell] |= values[cell]
        if depth == 0:  # all solutions are covered: cells have the values of those found
            for cell in range(n_cells):
                values[cell] = seen[cell]
            break
        depth -= 1  # the cell of the last level has its other value
        undo(levels[LENGTH, depth], lines)
        decide(levels[CHOICE, depth] // 4, BOTH - levels[CHOICE, depth] % 4, lines)
    is_possible = True
    for line in range(n_lines):
        is_possible &= narrow_line(line, lines)
    return is_possible
