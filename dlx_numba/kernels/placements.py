"""Find the translations that place a shape in another one."""

from ..jit import njit


@njit
def place_shape(first, last, step, offsets, begin, strides, numbers, placed):
    """Find the placements of a shape that have only cells of another one.

    Cells have places in a table of the box that contains the other shape.

    Parameters: `first` and `last` (turns, 3) int64, the translations to try after each turn of the
    shape, along three axes; `step` int64, 2 to try only those with an even sum, otherwise 1;
    `offsets` (turns, cells) int64, the places of the turned shape, relative to `begin` int64;
    `strides` (3,) int64, by how many places a translation along each axis moves; `numbers`
    (places,) int64, the number of the cell in each place, -1 for none; `placed` (placements, 4)
    int64, written: the turns and the translations. Returns the number of placements.
    """
    n_placed, n_cells = 0, offsets.shape[1]
    for turn in range(len(offsets)):
        for z in range(first[turn, 0], last[turn, 0] + 1):
            for y in range(first[turn, 1], last[turn, 1] + 1):
                start = first[turn, 2]
                if step == 2:
                    start += (z + y + start) % 2
                for x in range(start, last[turn, 2] + 1, step):
                    place = begin + z * strides[0] + y * strides[1] + x * strides[2]
                    k = 0
                    while k < n_cells and numbers[place + offsets[turn, k]] >= 0:
                        k += 1
                    if k == n_cells:
                        placed[n_placed, 0], placed[n_placed, 1] = turn, z
                        placed[n_placed, 2], placed[n_placed, 3] = y, x
                        n_placed += 1
    return n_placed
