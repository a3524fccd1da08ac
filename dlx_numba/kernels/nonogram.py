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
    row: NDArray[np.int64]  # (5, most cells + 2) see `narrow_line`
    trail: NDArray[np.int64]  # (cells + 1,) the cells decided; the last entry is their number
    # (2, lines + 1) a ring of the lines to be narrowed, which ends with its first place and its
    # length, and whether each line is in it
    queue: NDArray[np.int64]
    effects: NDArray[np.int64]  # (2, cells) these three: see `probe_cells`
    implied: NDArray[np.int64]  # (2, cells)
    common: NDArray[np.int64]  # (2, cells)
    levels: NDArray[np.int64]  # (2, cells) the trail, and the cell and value chosen at each level


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
    for each, line in zip(runs, clues, strict=True):
        each[: len(line) + 1] = [len(line), *line]
    row, column = np.indices(shape)
    cell = np.zeros((len(clues), size), np.int64)
    cell[row, column] = cell[height + column, row] = row * width + column
    crossing = np.stack([row.ravel(), height + column.ravel()], axis=1)
    n_cells = height * width
    shapes = (5, size + 2), (n_cells + 1,), (2, len(clues) + 1), *[(2, n_cells)] * 4
    lines = NonogramLines(
        runs,
        np.repeat([width, height], shape),
        cell,
        crossing,
        np.full(n_cells, BOTH, np.uint8),
        np.zeros(n_cells, np.uint8),
        np.zeros((len(clues), most + 1, size + 2), np.uint8),
        *(np.zeros(each, np.int64) for each in shapes),
    )
    limit = MAX_WORK if hasattr(find_values, "py_func") else MAX_WORK // 100  # plain Python
    if not find_values(lines, limit):
        return None
    starts: list[list[list[int]]] = [[[] for _ in line] for line in clues]
    first = np.cumsum(runs[:, 1:] + 1, axis=1) - runs[:, 1:] - 1
    numbers, run_numbers, places = np.nonzero(lines.forward[:, :-1] & IS_START)
    places += first[numbers, run_numbers]
    found = numbers.tolist(), run_numbers.tolist(), places.tolist()
    for number, run, place in zip(*found, strict=True):
        starts[number][run].append(place)
    return lines.values.reshape(shape), starts


@njit
def fit_runs(line, lines):
    """Find where the first runs of a line fit. Return how many cells the last one can move, or -1.

    Writes bit 0 of `forward[line]`, what is known of each cell to `row[0]`, and the number of cells
    from each one that may be black to `row[1]`; clears `row[2]`. See `narrow_line`.
    """
    runs = lines.runs[line]
    forward = lines.forward[line]
    row = lines.row
    size = lines.size[line]
    slack = size + 1 - runs.sum()
    if slack < 0:
        return slack
    row[0, size] = WHITE
    row[1, size] = 0
    row[2] = 0
    for place in range(size - 1, -1, -1):
        row[0, place] = lines.values[lines.cell[line, place]]
        row[1, place] = row[1, place + 1] + 1 if row[0, place] & BLACK else 0
    forward[0, 0] = 1
    for t in range(1, slack + 1):
        forward[0, t] = forward[0, t - 1] & row[0, t - 1] >> 1
    offset = 0
    for k in range(runs[0]):
        length = runs[k + 1]
        fits = 0
        for t in range(slack + 1):
            if not row[0, offset + t + length] & WHITE:
                fits = 0
            elif forward[k, t] and row[1, offset + t] >= length:
                fits = 1
            forward[k + 1, t] = fits
        offset += length + 1
    return slack if forward[runs[0], slack] else np.int64(-1)


@njit
def narrow_line(line, lines):
    """Find what each cell of a line may be. Return whether the line can be completed.

    Written are `row[2]`, what each cell may be, and `forward[line]`: bit 0 of entry (k, t) says
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
    offset = size + 1 - slack
    below = 3  # the row that says whether the runs from k + 1 fit
    above = 4  # the row that says whether the runs from k fit
    row[below, slack] = 1
    for t in range(slack - 1, -1, -1):
        row[below, t] = row[below, t + 1] & row[0, offset + t] >> 1
        if row[below, t] and forward[runs[0], t]:
            row[2, offset + t] |= WHITE
    for k in range(runs[0] - 1, -1, -1):
        length = runs[k + 1]
        offset -= length + 1
        lowest = size  # the first cell that this run is known to cover in some place
        fits = 0
        for t in range(slack, -1, -1):
            place = offset + t
            end = place + length
            if not row[0, place] & WHITE:
                fits = 0
            is_run = row[below, t] and row[1, place] >= length and row[0, end] & WHITE
            if forward[k, t]:
                if fits:
                    row[2, place] |= WHITE
                if is_run:
                    forward[k, t] |= IS_START
                    row[2, end] |= WHITE
                    for black in range(place, min(end, lowest)):
                        row[2, black] |= BLACK
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
    if not queue[1, line]:
        queue[1, line] = 1
        queue[0, (queue[0, n_lines] + queue[1, n_lines]) % n_lines] = line
        queue[1, n_lines] += 1


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
    """
    queue = lines.queue
    row = lines.row
    n_lines = len(lines.size)
    work = 0
    is_possible = True
    while queue[1, n_lines]:
        line = queue[0, queue[0, n_lines]]
        queue[0, n_lines] = (queue[0, n_lines] + 1) % n_lines
        queue[1, n_lines] -= 1
        if is_possible:
            size = lines.size[line]
            work += size * (1 + lines.runs[line, 0] // 4)
            is_possible = narrow_line(line, lines)
            for place in range(size if is_possible else 0):
                if row[2, place] != row[0, place]:
                    decide(lines.cell[line, place], row[2, place], lines)
        queue[1, line] = 0
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
    while n_probed < n_cells and work < limit:
        if values[cell] == BOTH:
            length = trail[-1]
            n_common = 0
            n_supposed += 1
            for value in (BLACK, WHITE):
                if implied[value - 1, cell] == n_changes:
                    continue
                decide(cell, value, lines)
                done = propagate(lines)
                work += max(done, -1 - done)
                lines.effects[value - 1, cell] = trail[-1] - length
                if done < 0:
                    undo(length, lines)
                    common[1, 0] = 4 * cell + BOTH - value
                    n_common = 1
                    break
                for k in range(length, trail[-1]):
                    other = trail[k]
                    found = values[other]
                    implied[found - 1, other] = n_changes
                    if common[0, other] == 4 * n_supposed + found:
                        common[1, n_common] = 4 * other + found
                        n_common += 1
                    common[0, other] = 4 * n_supposed + found
                undo(length, lines)
            if n_common:
                for k in range(n_common):
                    decide(common[1, k] // 4, common[1, k] % 4, lines)
                done = propagate(lines)
                work += max(done, -1 - done)
                if done < 0:
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
        work += max(done, -1 - done)
        if work >= limit:
            if depth:
                undo(levels[0, 0], lines)
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
                black = effects[0, cell]
                white = effects[1, cell]
                effect = min(black, white) * n_cells + max(black, white)
                if effect > most:
                    best = cell
                    most = effect
        if is_new and best >= 0:
            value = BOTH - seen[best]
            if value == 0 or value == BOTH:
                value = BLACK if effects[0, best] >= effects[1, best] else WHITE
            levels[0, depth] = lines.trail[-1]
            levels[1, depth] = 4 * best + value
            depth += 1
            decide(best, value, lines)
            continue
        if is_new:
            for cell in range(n_cells):
                seen[cell] |= values[cell]
        if depth == 0:
            for cell in range(n_cells):
                values[cell] = seen[cell]
            break
        depth -= 1  # the cell of the last level has its other value
        undo(levels[0, depth], lines)
        decide(levels[1, depth] // 4, BOTH - levels[1, depth] % 4, lines)
    is_possible = True
    for line in range(n_lines):
        is_possible &= narrow_line(line, lines)
    return is_possible
