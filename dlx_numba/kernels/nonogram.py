"""Find what the cells of a nonogram are in all solutions, by narrowing lines and probing cells.

What a cell may be is a set of two bits, `BLACK` and `WHITE`. The kernels share these arrays:

- `runs` (lines, most runs + 1) int64: the number of runs of each row, then of each column, and
  their lengths.
- `cells` (height, width) uint8: what each cell may be.
- `trail` (cells + 1,) int64: the cells that were decided; the last entry is their number.
- `queue` (2, lines + 1) int64: a ring of the lines to be narrowed, which ends with its first place
  and its length, and whether each line is in it.
- `forward` (lines, most runs + 1, size + 2) uint8 and `row` (5, size + 2) int64: see `narrow_line`.
- `effects`, `implied` and `common` (2, cells) int64: see `probe_cells`.
"""

import numpy as np
from numpy.typing import NDArray

from ..jit import njit

BLACK = 1
WHITE = 2
BOTH = 3
IS_START = 2  # the bit of `forward` that says that a run may start in a place
MAX_WORK = 20_000_000  # cells of narrowed lines, counted once more for every four runs: 0.2 s


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
    height = len(rows)
    width = len(columns)
    lines = [*rows, *columns]
    n_lines = height + width
    most = max(map(len, lines))
    size = max(height, width)
    runs = np.zeros((n_lines, most + 1), np.int64)
    for each, line in zip(runs, lines, strict=True):
        each[: len(line) + 1] = [len(line), *line]
    cells = np.full((height, width), BOTH, np.uint8)
    seen = np.zeros_like(cells)
    forward = np.zeros((n_lines, most + 1, size + 2), np.uint8)
    shapes = (height * width + 1,), (2, n_lines + 1), (5, size + 2), *[(2, height * width)] * 4
    scratch = [np.zeros(shape, np.int64) for shape in shapes]
    limit = MAX_WORK if hasattr(find_values, "py_func") else MAX_WORK // 100  # plain Python
    if not find_values(runs, cells, seen, forward, *scratch, limit):
        return None
    starts: list[list[list[int]]] = [[[] for _ in line] for line in lines]
    first = np.cumsum(runs[:, 1:] + 1, axis=1) - runs[:, 1:] - 1
    numbers, run_numbers, places = np.nonzero(forward[:, :-1] & IS_START)
    places += first[numbers, run_numbers]
    found = numbers.tolist(), run_numbers.tolist(), places.tolist()
    for number, run, place in zip(*found, strict=True):
        starts[number][run].append(place)
    return cells, starts


@njit
def fit_runs(line, runs, cells, forward, row):
    """Find where the first runs of a line fit. Return how many cells the last one can move, or -1.

    Writes bit 0 of `forward[line]`, what is known of each cell to `row[0]`, and the number of cells
    from each one that may be black to `row[1]`; clears `row[2]`. See `narrow_line`.
    """
    height, width = cells.shape
    is_row = line < height
    size = width if is_row else height
    n_runs = runs[line, 0]
    slack = size + 1 - n_runs
    for k in range(1, n_runs + 1):
        slack -= runs[line, k]
    if slack < 0:
        return slack
    row[0, size] = WHITE
    row[1, size] = 0
    for place in range(size - 1, -1, -1):
        known = cells[line, place] if is_row else cells[place, line - height]
        row[0, place] = known
        row[1, place] = row[1, place + 1] + 1 if known & BLACK else 0
        row[2, place] = 0
    forward[line, 0, 0] = 1
    for t in range(1, slack + 1):
        forward[line, 0, t] = forward[line, 0, t - 1] & row[0, t - 1] >> 1
    offset = 0
    for k in range(n_runs):
        length = runs[line, k + 1]
        fits = 0
        for t in range(slack + 1):
            end = offset + t + length
            if not row[0, end] & WHITE:
                fits = 0
            elif forward[line, k, t] and row[1, offset + t] >= length:
                fits = 1
            forward[line, k + 1, t] = fits
        offset += length + 1
    return slack if forward[line, n_runs, slack] else np.int64(-1)


@njit
def narrow_line(line, runs, cells, forward, row):
    """Find what each cell of a line may be. Return whether the line can be completed.

    A line has one more cell at its end, which is white, so that a white cell follows each run.
    Written are `row[2]`, what each cell may be, and `forward[line]`: bit 0 of entry (k, t) says
    that the runs before k fit before the place that is t cells behind the first one of run k, and
    `IS_START` that run k may start there. The other rows of `row` are overwritten.
    """
    slack = fit_runs(line, runs, cells, forward, row)
    if slack < 0:
        return False
    height, width = cells.shape
    size = width if line < height else height
    n_runs = runs[line, 0]
    offset = size + 1 - slack
    below = 3  # the row that says whether the runs from k + 1 fit
    above = 4  # the row that says whether the runs from k fit
    row[below, slack] = 1
    for t in range(slack - 1, -1, -1):
        row[below, t] = row[below, t + 1] & row[0, offset + t] >> 1
        if row[below, t] and forward[line, n_runs, t]:
            row[2, offset + t] |= WHITE
    for k in range(n_runs - 1, -1, -1):
        length = runs[line, k + 1]
        offset -= length + 1
        lowest = size  # the first cell that this run is known to cover in some place
        fits = 0
        for t in range(slack, -1, -1):
            place = offset + t
            end = place + length
            if not row[0, place] & WHITE:
                fits = 0
            is_run = row[below, t] and row[1, place] >= length and row[0, end] & WHITE
            if forward[line, k, t]:
                if fits:
                    row[2, place] |= WHITE
                if is_run:
                    forward[line, k, t] |= IS_START
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
def decide(cell, value, cells, trail, queue):
    """Set what a cell is, so that its lines are narrowed again."""
    height, width = cells.shape
    cells.flat[cell] = value
    trail[trail[cells.size]] = cell
    trail[cells.size] += 1
    wait(cell // width, queue)
    wait(height + cell % width, queue)


@njit
def undo(length, cells, trail):
    """Forget the cells that were decided since the trail had this length."""
    while trail[cells.size] > length:
        trail[cells.size] -= 1
        cells.flat[trail[trail[cells.size]]] = BOTH


@njit
def propagate(runs, cells, forward, trail, queue, row):
    """Narrow the lines of the queue until none of them excludes more.

    Returns the work for these lines, see `MAX_WORK`, or -1 minus it if they contradict each other.
    """
    height, width = cells.shape
    n_lines = height + width
    work = 0
    is_possible = True
    while queue[1, n_lines]:
        line = queue[0, queue[0, n_lines]]
        queue[0, n_lines] = (queue[0, n_lines] + 1) % n_lines
        queue[1, n_lines] -= 1
        if is_possible:
            size = width if line < height else height
            work += size * (1 + runs[line, 0] // 4)
            is_possible = narrow_line(line, runs, cells, forward, row)
            for place in range(size if is_possible else 0):
                if row[2, place] != row[0, place]:
                    cell = line * width + place if line < height else place * width + line - height
                    decide(cell, row[2, place], cells, trail, queue)
        queue[1, line] = 0
    return work if is_possible else -1 - work


@njit
def probe_cells(runs, cells, forward, trail, queue, row, effects, implied, common, limit):
    """Suppose that each open cell is black, then white, and decide what follows.

    If a value leads to a contradiction, the cell has the other one; and so have cells that are the
    same with both. A value that follows from another one without a contradiction is not supposed.
    `effects[v]`, written, has how many cells are decided if each one has the value v + 1. `implied`
    and `common` are overwritten. Returns the work, or -1 minus it if there is a contradiction. If
    it reaches `limit`, not all cells are probed.
    """
    n_cells = cells.size
    work = 0
    cell = 0
    n_probed = 0
    n_supposed = 0
    n_changes = 1
    for k in range(n_cells):
        implied[BLACK - 1, k] = 0
        implied[WHITE - 1, k] = 0
        common[0, k] = 0
    while n_probed < n_cells and work < limit:
        if cells.flat[cell] == BOTH:
            length = trail[n_cells]
            n_common = 0
            n_supposed += 1
            for value in (BLACK, WHITE):
                if implied[value - 1, cell] == n_changes:
                    continue
                decide(cell, value, cells, trail, queue)
                done = propagate(runs, cells, forward, trail, queue, row)
                work += max(done, -1 - done)
                effects[value - 1, cell] = trail[n_cells] - length
                if done < 0:
                    undo(length, cells, trail)
                    common[1, 0] = 4 * cell + BOTH - value
                    n_common = 1
                    break
                for k in range(length, trail[n_cells]):
                    other = trail[k]
                    found = cells.flat[other]
                    implied[found - 1, other] = n_changes
                    if common[0, other] == 4 * n_supposed + found:
                        common[1, n_common] = 4 * other + found
                        n_common += 1
                    common[0, other] = 4 * n_supposed + found
                undo(length, cells, trail)
            if n_common:
                for k in range(n_common):
                    decide(common[1, k] // 4, common[1, k] % 4, cells, trail, queue)
                done = propagate(runs, cells, forward, trail, queue, row)
                work += max(done, -1 - done)
                if done < 0:
                    return -1 - work
                n_changes += 1
                n_probed = 0
        n_probed += 1
        cell = (cell + 1) % n_cells
    return work


@njit
def find_values(
    runs, cells, seen, forward, trail, queue, row, effects, implied, common, levels, limit
):
    """Restrict cells to their values in solutions. Return whether there may be a solution.

    `seen` (height, width) uint8, zeros at first, is what cells are in the solutions found so far.
    `levels` (2, cells) int64 is overwritten. If the work reaches `limit`, cells lose only values
    that `probe_cells` excludes. At the end, `forward` belongs to the cells.
    """
    height, width = cells.shape
    n_cells = height * width
    for line in range(height + width):
        wait(line, queue)
    work = depth = 0
    while True:
        done = propagate(runs, cells, forward, trail, queue, row)
        if done >= 0:
            work += done
            done = probe_cells(
                runs, cells, forward, trail, queue, row, effects, implied, common, limit - work
            )
        work += max(done, -1 - done)
        if work >= limit:
            if depth:
                undo(levels[0, 0], cells, trail)
            for cell in range(n_cells):  # the solutions found may have other values
                cells.flat[cell] |= seen.flat[cell]
            break
        # Solutions with these cells are new only if some value is not that of a known solution.
        best = -1
        most = -1
        is_new = False
        for cell in range(n_cells if done >= 0 else 0):
            value = cells.flat[cell]
            if value & ~seen.flat[cell]:
                is_new = True
            if value == BOTH:
                black = effects[0, cell]
                white = effects[1, cell]
                effect = min(black, white) * n_cells + max(black, white)
                if effect > most:
                    best = cell
                    most = effect
        if is_new and best >= 0:
            known = seen.flat[best]
            value = BOTH - known
            if value == 0 or value == BOTH:
                value = BLACK if effects[0, best] >= effects[1, best] else WHITE
            levels[0, depth] = trail[n_cells]
            levels[1, depth] = 4 * best + value
            depth += 1
            decide(best, value, cells, trail, queue)
            continue
        if is_new:
            for cell in range(n_cells):
                seen.flat[cell] |= cells.flat[cell]
        if depth == 0:
            for cell in range(n_cells):
                cells.flat[cell] = seen.flat[cell]
            break
        depth -= 1  # the cell of the last level has its other value
        undo(levels[0, depth], cells, trail)
        decide(levels[1, depth] // 4, BOTH - levels[1, depth] % 4, cells, trail, queue)
    is_possible = True
    for line in range(height + width):
        is_possible &= narrow_line(line, runs, cells, forward, row)
    return is_possible
