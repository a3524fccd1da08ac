"""Find the motions that place a shape in another one."""

from ..jit import njit


@njit
def place_shape(turns, points, low, high, period, step, strides, numbers, offsets, bounds, placed):
    """Find the placements of a shape that have only cells of another one.

    The cells of the other shape have places in a table of the box that contains it.

    Parameters, all of int64: `turns` (turns, 3, 3), matrices; `points` (cells, 3), those of the
    shape; `low` and `high` (3,), the bounds of the box; `period`, of which translations are
    multiples along each axis; `step`, 2 if only even sums of these multiples map the grid, or else
    1; `strides` (3,), how far apart neighbors along each axis are in the table; `numbers`
    (places,), the number of the cell in each place, -1 for none; `offsets` (turns, cells), written:
    the places of the cells after each turn, perhaps outside the table; `bounds` (2, 3), memory;
    `placed` (placements, 4), written: the turns, and the multiples. Returns the number of
    placements.
    """
    n_placed = 0
    n_cells = len(points)
    # The place of the origin, perhaps outside the table
    origin = -low[0] * strides[0] - low[1] * strides[1] - low[2] * strides[2]
    for turn in range(len(turns)):
        offsets[turn] = origin
        for axis in range(3):
            a = turns[turn, axis, 0]
            b = turns[turn, axis, 1]
            c = turns[turn, axis, 2]
            least = most = a * points[0, 0] + b * points[0, 1] + c * points[0, 2]
            for k in range(n_cells):
                point = a * points[k, 0] + b * points[k, 1] + c * points[k, 2]
                offsets[turn, k] += point * strides[axis]
                least, most = min(least, point), max(most, point)
            # The multiples with which all cells are in the box
            bounds[0, axis] = -((least - low[axis]) // period)
            bounds[1, axis] = (high[axis] - most) // period
        for z in range(bounds[0, 0], bounds[1, 0] + 1):
            for y in range(bounds[0, 1], bounds[1, 1] + 1):
                start = bounds[0, 2]
                if step == 2:  # z + y + x must be even
                    start += (z + y + start) % 2
                for x in range(start, bounds[1, 2] + 1, step):
                    shift = (z * strides[0] + y * strides[1] + x * strides[2]) * period
                    k = 0
                    while k < n_cells and numbers[shift + offsets[turn, k]] >= 0:
                        k += 1
                    if k == n_cells:
                        placed[n_placed, 0] = turn
                        placed[n_placed, 1] = z
                        placed[n_placed, 2] = y
                        placed[n_placed, 3] = x
                        n_placed += 1
    return n_placed
