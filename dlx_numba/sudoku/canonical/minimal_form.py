"""The kernel of `canonical`: the smallest board that the symmetries of Sudoku produce.

The form is built row by row, from left to right. A row consists of *segments*, one for each stack.
After each segment, the kernel keeps the partial transformations, or *maps*, that produce the
smallest form so far, and drops all others. A map consists of the rows chosen so far, an order of
the columns, and the digits that have labels.

Choices that do not affect the form yet are not made. Columns of a stack that are equal in the rows
chosen so far are a *group*; their order remains open until a later row distinguishes them. Stacks
that are equal so far are a group, too. Digits that are new in a segment, in columns of one group,
receive consecutive labels in the order of these columns, which remains open until one of the labels
is needed, or until the band is complete. The form so far determines the groups, so they are the
same for all maps.

If a row, column or box of the board contains a digit twice, new digits are labeled at once, in each
possible order.

The kernels share these parameters: `work`, a `Workspace`, whose arrays may be written; `board`
(cells,) uint8; `line` and `grid`, a row (n,) and a board (n, n) of uint8; `current` and `extended`
(5 n + 2,) uint8, maps, of which the second is written; `maps` and `next_maps`, rows of maps;
`first` (n,) int64, as in `Workspace`. Rows, columns, positions, sides and numbers are int64.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..box import Box
from ..engines.board_links import box_numbers, mark_givens
from .segment import (
    LABEL_BITS,
    LABEL_MASK,
    MAX_BOX_SIDE,
    NONE,
    encode_segment,
    label_segment,
    next_order,
)

MANY = np.int64(2**63 - 1)


class Workspace(NamedTuple):
    """The arrays of the kernel for the boards of one box.

    A map is a row of 5 n + 2 bytes: the column at each position; the position of each column;
    whether each row is used; for each digit, the column and then the row of the form in which it
    received its label; whether the board is transposed; the current row.
    """

    maps: NDArray[np.uint8]  # (capacity, 5 n + 2)
    next_maps: NDArray[np.uint8]  # (capacity, 5 n + 2) the maps after the next segment
    grids: NDArray[np.uint8]  # (2, n, n) the board and its transpose
    previous_row: NDArray[np.uint8]  # (2, n) the previous equal row of the same band, or NONE
    previous_band: NDArray[np.uint8]  # (2, n) the previous equal band, or NONE
    first: NDArray[np.int64]  # (n,) the first position of the group of each position
    stack_ends: NDArray[np.int64]  # (n,) the end of the group of each stack
    keys: NDArray[np.int64]  # (n,) the segments of the current row; -1 if one ends its group
    label_positions: NDArray[np.int64]  # (n + 1,) the position at which each label first appears
    columns: NDArray[np.int64]  # (MAX_BOX_SIDE,) the columns of a segment
    codes: NDArray[np.int64]  # (MAX_BOX_SIDE,) see `encode_segment`
    labels: NDArray[np.int64]  # (MAX_BOX_SIDE,) the labels of a segment, 0 for an empty cell
    used_values: NDArray[np.uint64]  # (3, n) for `mark_givens`
    box_of: NDArray[np.uint32]  # (cells,) the box of each cell
    n_segments: NDArray[np.int64]  # (1,) the number of segments tried, which measures the work

    @classmethod
    def allocate(cls, box: Box, capacity: int) -> "Workspace":
        """Return arrays for up to `capacity` maps at a time."""
        n = box.n
        return cls(
            maps=np.zeros((capacity, 5 * n + 2), np.uint8),
            next_maps=np.zeros((capacity, 5 * n + 2), np.uint8),
            grids=np.zeros((2, n, n), np.uint8),
            previous_row=np.zeros((2, n), np.uint8),
            previous_band=np.zeros((2, n), np.uint8),
            first=np.zeros(n, np.int64),
            stack_ends=np.zeros(n, np.int64),
            keys=np.zeros(n, np.int64),
            label_positions=np.zeros(n + 1, np.int64),
            columns=np.zeros(MAX_BOX_SIDE, np.int64),
            codes=np.zeros(MAX_BOX_SIDE, np.int64),
            labels=np.zeros(MAX_BOX_SIDE, np.int64),
            used_values=np.zeros((3, n), np.uint64),
            box_of=box_numbers(box),
            n_segments=np.zeros(1, np.int64),
        )


@njit
def minimize_forms(boards, height, forms, automorphisms, work, budget):
    """Write the minimal form of each board of `boards` (N, cells) to `forms` (N, cells).

    The numbers of their automorphisms, see `count_automorphisms`, are written to `automorphisms`
    (N,), int64. Return the number of forms. It is less than N after `budget` segments have been
    tried, or if the next board needs more maps at a time than `work`, a `Workspace`, can hold; so
    it is 0 only in the latter case. The boxes have `height` rows.
    """
    work.n_segments[0] = 0
    for number in range(len(boards)):
        if work.n_segments[0] > budget:
            return number
        has_repeats = not mark_givens(boards[number], work.used_values, work.box_of)
        automorphisms[number] = minimize_form(
            boards[number], height, has_repeats, forms[number], work
        )
        if automorphisms[number] == 0:
            return number
    return len(boards)


@njit
def minimize_form(board, height, has_repeats, form, work):
    """Write the minimal form of `board` (cells,) to `form` (cells,).

    Return the number of automorphisms of the board; 0 if there are more maps than `work` can hold.
    `has_repeats` states whether a row, column or box of the board contains a digit twice.
    """
    n = work.grids.shape[1]
    width = n // height
    first, stack_ends, keys = work.first, work.stack_ends, work.keys
    for position in range(n):
        first[position] = position // width * width
    for stack in range(height):
        stack_ends[stack] = height
    maps, next_maps = work.maps, work.next_maps
    n_maps = start_maps(board, height, work)
    n_labels = np.int64(0)
    for depth in range(n):
        for stack in range(height):
            n_maps, key = extend_maps(
                depth, stack, height, n_labels, has_repeats, n_maps, maps, next_maps, form, work
            )
            if n_maps == 0:
                return 0
            maps, next_maps = next_maps, maps
            start = stack * width
            for index in range(width):
                shift = LABEL_BITS * (width - 1 - index)
                form[depth * n + start + index] = (key >> shift) & LABEL_MASK
            n_labels, is_bound = split_groups(
                form, depth, start, width, n_labels, has_repeats, work
            )
            keys[stack] = -1 if is_bound else key
        for stack in range(height - 1, -1, -1):
            if stack + 1 < stack_ends[stack] and 0 <= keys[stack] == keys[stack + 1]:
                stack_ends[stack] = stack_ends[stack + 1]
            else:
                stack_ends[stack] = stack + 1
        if (depth + 1) % height == 0 and depth + 1 < n and not has_repeats:
            for label in range(1, n_labels + 1):
                position = work.label_positions[label]
                while position + 1 < n and first[position + 1] == first[position]:
                    n_maps = place_column(first[position], first, n_maps, maps, next_maps)
                    if n_maps == 0:
                        return 0
                    maps, next_maps = next_maps, maps
    return count_automorphisms(height, maps[:n_maps], work)


@njit
def count_automorphisms(height, maps, work):
    """Return the number of transformations of the cells that produce the form of a board.

    These are as many as those that map the board to itself. `maps` (M, 5 n + 2) are all that
    produce the form; each stands for all orders of the rows and bands that are equal, and of the
    columns and stacks that still form a group. Return `MANY` if the number is at least as large.
    """
    n = work.grids.shape[1]
    n_orders = np.int64(1)
    for position in range(n):
        n_orders = multiply(n_orders, position + 1 - work.first[position])
    end = 0
    for stack in range(height):
        if stack == end:
            start, end = stack, work.stack_ends[stack]
        n_orders = multiply(n_orders, stack + 1 - start)
    total = np.int64(0)
    for transposed in range(2):
        n_maps = np.int64(0)
        for number in range(len(maps)):
            n_maps += maps[number, 5 * n] == transposed
        for row in range(n if n_maps else 0):
            n_maps = multiply(n_maps, rank(row, work.previous_row[transposed]))
        for band in range(n // height if n_maps else 0):
            n_maps = multiply(n_maps, rank(band, work.previous_band[transposed]))
        total += min(n_maps, MANY - total)
    return multiply(total, n_orders)


@njit
def rank(line, previous):
    """Return the position of a row or band, from 1, among the equal ones that `previous` links."""
    position = 1
    while previous[line] != NONE:
        line = np.int64(previous[line])
        position += 1
    return position


@njit
def multiply(one, other):
    """Return the product of two nonnegative numbers, or `MANY` if it is larger."""
    return one * other if other == 0 or one <= MANY // other else MANY


@njit
def start_maps(board, height, work):
    """Initialize the arrays for a board. Return the number of maps: 2 if it can be transposed."""
    grids, maps = work.grids, work.maps
    n = grids.shape[1]
    n_maps = 2 if height * height == n else 1
    for transposed in range(n_maps):
        grid = grids[transposed]
        for row in range(n):
            for column in range(n):
                cell = column * n + row if transposed else row * n + column
                grid[row, column] = board[cell]
        mark_equal_lines(
            grid, height, work.previous_row[transposed], work.previous_band[transposed]
        )
        for index in range(n):
            maps[transposed, index] = index
            maps[transposed, n + index] = index
            maps[transposed, 2 * n + index] = 0
            maps[transposed, 4 * n + index] = NONE
        maps[transposed, 5 * n] = transposed
    return n_maps


@njit
def mark_equal_lines(grid, height, previous_row, previous_band):
    """Write the previous equal row of the same band, and the previous equal band, or NONE.

    It is enough to choose equal rows and bands in their order.
    """
    n = len(grid)
    for row in range(n):
        previous_row[row] = NONE
        for other in range(row // height * height, row):
            if are_equal_rows(grid, row, other):
                previous_row[row] = other
    for band in range(n // height):
        previous_band[band] = NONE
        for other in range(band):
            is_equal = True
            for row in range(height):
                is_equal &= are_equal_rows(grid, band * height + row, other * height + row)
            if is_equal:
                previous_band[band] = other


@njit
def are_equal_rows(grid, row, other):
    """Return whether two rows of a grid are equal."""
    is_equal = True
    for column in range(len(grid)):
        is_equal &= grid[row, column] == grid[other, column]
    return is_equal


@njit
def extend_maps(depth, stack, height, n_labels, has_repeats, n_maps, maps, next_maps, form, work):
    """Extend all maps by a segment, and keep those that produce the smallest one.

    Parameters
    ----------
    depth, stack : int
        The row and the stack of the segment in the form.
    height : int
        The number of rows of a box.
    n_labels : int
        The number of labels in the form so far.
    has_repeats : bool
        Whether a row, column or box of the board contains a digit twice.
    n_maps : int
        The number of maps.
    maps, next_maps : ndarray of uint8, shape (capacity, 5 n + 2)
        The maps, and the extended ones; see `Workspace`. `next_maps` is written.
    form : ndarray of uint8, shape (n²,)
        The form so far.
    work : Workspace
        `columns`, `codes`, `labels` and `n_segments` are written.

    Returns
    -------
    n_next : int
        The number of extended maps; 0 if `next_maps` is too small.
    best : int
        The labels of the segment as the digits of a number with `LABEL_BITS` bits each.
    """
    n = work.grids.shape[1]
    width = n // height
    best = np.int64(1) << 62
    n_next = 0
    n_segments = 0
    for number in range(n_maps):
        current = maps[number]
        transposed = np.int64(current[5 * n])
        begin, end = np.int64(0), n
        if stack:
            begin = np.int64(current[5 * n + 1])
            end = begin + 1
        elif depth % height:
            begin = np.int64(current[5 * n + 1]) // height * height
            end = begin + height
        for row in range(begin, end):
            if stack == 0 and not is_candidate(current, row, height, transposed, work):
                continue
            line = work.grids[transposed, row]
            is_kept = False
            for source in range(stack, work.stack_ends[stack]):
                encode_segment(current, line, source * width, width, has_repeats, form, work)
                while True:
                    n_segments += 1
                    key, is_bound, can_differ = label_segment(
                        current, width, n_labels, has_repeats, work
                    )
                    if key < best:
                        best = key
                        n_next = 0
                        is_kept = False
                    # Other stacks of the group that are equal can be chosen later.
                    if key == best and (is_bound or not is_kept):
                        if n_next == len(next_maps):
                            return 0, best
                        append_map(
                            current,
                            next_maps[n_next],
                            row,
                            line,
                            depth,
                            stack * width,
                            source * width,
                            width,
                            n_labels,
                            has_repeats,
                            work,
                        )
                        n_next += 1
                        is_kept = True
                    elif not can_differ:
                        break
                    if not is_bound or not next_order(source * width, width, work):
                        break
    work.n_segments[0] += n_segments
    return n_next, best


@njit
def is_candidate(current, row, height, transposed, work):
    """Return whether a row can be the next one, which is the first one of a band or in its band."""
    n = work.grids.shape[1]
    if current[2 * n + row]:
        return False
    other = np.int64(work.previous_row[transposed, row])
    if other != NONE and not current[2 * n + other]:
        return False
    # The previous equal band may be in use only if it is complete, or if it is this one.
    other = np.int64(work.previous_band[transposed, row // height])
    return other == NONE or current[2 * n + other * height] != 0


@njit
def append_map(
    current, extended, row, line, depth, start, source, width, n_labels, has_repeats, work
):
    """Write the map `current`, extended by a segment, to `extended`.

    Parameters
    ----------
    current, extended : ndarray of uint8, shape (5 n + 2,)
        Maps; see `Workspace`. `extended` is written.
    row : int
        The row of the board that the segment is part of.
    line : ndarray of uint8, shape (n,)
        That row.
    depth : int
        The row of the form.
    start, source, width : int
        The `width` positions from `source` are moved to those from `start`.
    n_labels, has_repeats
        As for `extend_maps`.
    work : Workspace
        Read.
    """
    n = len(line)
    columns, labels = work.columns, work.labels
    for index in range(5 * n + 1):
        extended[index] = current[index]
    extended[5 * n + 1] = row
    extended[2 * n + row] = 1
    for index in range(width):
        if source != start:
            move_column(extended, n, np.int64(current[start + index]), source + index)
        move_column(extended, n, columns[index], start + index)
    for index in range(width):
        label = labels[index]
        digit = np.int64(line[columns[index]]) - 1
        if label > n_labels:
            if extended[4 * n + digit] == NONE:
                extended[3 * n + digit] = columns[index]
                extended[4 * n + digit] = depth
        elif label and not has_repeats:
            # If the order of the labels was open, this digit takes the first one.
            position = work.label_positions[label]
            column = np.int64(extended[3 * n + digit])
            other = np.int64(extended[position])
            if other != column:
                move_column(extended, n, other, np.int64(extended[n + column]))
                move_column(extended, n, column, position)


@njit
def move_column(extended, n, column, position):
    """Write the position of a column."""
    extended[position] = column
    extended[n + column] = position


@njit
def split_groups(form, depth, start, width, n_labels, has_repeats, work):
    """Split the groups of columns that the last segment of `form` distinguishes.

    Parameters: `form` (n²,) uint8; `depth`, `start` and `width`, the row of the segment, its first
    position and its length; `n_labels` and `has_repeats` as for `extend_maps`; `work`, of which
    `first` and `label_positions` are written. Return the number of labels, and whether the segment
    has new labels or labels whose order was open.
    """
    first, label_positions = work.first, work.label_positions
    n = len(first)
    row = depth * n
    is_bound = False
    highest = n_labels
    for position in range(start, start + width):
        label = np.int64(form[row + position])
        if label > highest:
            highest = label
            label_positions[label] = position
            is_bound = True
        elif label and not has_repeats and label <= n_labels:
            labeled = label_positions[label]
            if labeled + 1 < n and first[labeled + 1] == labeled:
                is_bound = True
                split_first(first, labeled)
    for position in range(start + 1, start + width):
        label, before = form[row + position], form[row + position - 1]
        is_open = before > n_labels and not has_repeats
        if first[position] < position and label != before and not is_open:
            group = first[position]
            end = position
            while end < n and first[end] == group:
                first[end] = position
                end += 1
    return highest, is_bound


@njit
def split_first(first, position):
    """Split the first position of a group from the others."""
    end = position + 1
    while end < len(first) and first[end] == position:
        first[end] = position + 1
        end += 1


@njit
def place_column(position, first, n_maps, maps, next_maps):
    """Put each column of the group that starts at `position` there, in a copy of each map.

    Return the number of maps, 0 if `next_maps` is too small.
    """
    n = len(first)
    n_next = 0
    for number in range(n_maps):
        other = position
        while other < n and first[other] == position:
            if n_next == len(next_maps):
                return 0
            extended = next_maps[n_next]
            for index in range(maps.shape[1]):
                extended[index] = maps[number, index]
            move_column(extended, n, np.int64(maps[number, position]), other)
            move_column(extended, n, np.int64(maps[number, other]), position)
            n_next += 1
            other += 1
    split_first(first, position)
    return n_next
