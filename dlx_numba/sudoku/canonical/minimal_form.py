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

The kernels share these parameters: `work`, a `CanonicalWorkspace`, whose arrays may be written;
`board` (cells,) uint8; `line` and `grid`, a row (n,) and a board (n, n) of uint8; `current` and
`extended` (5 n + 2,) uint8, maps, of which the second is written; `maps` and `next_maps`, rows of
maps; `first` (n,) int64, as in `CanonicalWorkspace`. Rows, columns, positions, sides and numbers
are int64.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..box import Box
from ..engines.board_links import mark_givens, unit_numbers
from .segment import (
    HAS_REPEATS,
    LABEL_BITS,
    LABEL_MASK,
    LABELED_COLUMNS,
    LABELED_ROWS,
    LAST_ROW,
    N_LABELS,
    N_SEGMENTS,
    NONE,
    POSITIONS,
    TRANSPOSED,
    USED_ROWS,
    encode_segment,
    label_segment,
    next_order,
)

MANY = np.int64(2**63 - 1)


class CanonicalWorkspace(NamedTuple):
    """The arrays of the kernel for the boards of one box.

    A map is a row of 5 n + 2 bytes: the column at each position; the position of each column;
    whether each row is used; for each digit, the column and then the row of the form in which it
    received its label; whether the board is transposed; the current row. `segment` has the names of
    these parts.
    """

    maps: NDArray[np.uint8]  # (capacity, 5 n + 2)
    next_maps: NDArray[np.uint8]  # (capacity, 5 n + 2) the maps after the next segment
    grids: NDArray[np.uint8]  # (2, n, n) the board and its transpose
    previous_row: NDArray[np.uint8]  # (2, n) the previous equal row of the same band, or NONE
    previous_band: NDArray[np.uint8]  # (2, n) the previous equal band, or NONE
    n_orders: NDArray[np.int64]  # (2,) of the rows and bands that are equal, up to `MANY`
    first: NDArray[np.int64]  # (n,) the first position of the group of each position
    stack_ends: NDArray[np.int64]  # (height,) the end of the group of each stack
    keys: NDArray[np.int64]  # (height,) the segments of this row; -1 if one ends its group
    label_positions: NDArray[np.int64]  # (n + 1,) the position at which each label first appears
    columns: NDArray[np.int64]  # (width,) the columns of a segment, as many as a box has
    codes: NDArray[np.int64]  # (width,) see `encode_segment`
    labels: NDArray[np.int64]  # (width,) the labels of a segment, 0 for an empty cell
    used_values: NDArray[np.uint64]  # (3 n,) for `mark_givens`
    unit_of: NDArray[np.uint32]  # (cells, 3) see `unit_numbers`
    register: NDArray[np.int64]  # (3,) `N_SEGMENTS`, `N_LABELS` and `HAS_REPEATS`

    @classmethod
    def allocate(cls, box: Box, capacity: int) -> "CanonicalWorkspace":
        """Return arrays for up to `capacity` maps at a time."""
        n = box.n
        arrays = [  # in the order of the fields
            *np.zeros((2, capacity, 5 * n + 2), np.uint8),
            np.zeros((2, n, n), np.uint8),
            *np.zeros((2, 2, n), np.uint8),
            np.zeros(2, np.int64),
            np.zeros(n, np.int64),
            *np.zeros((2, box.rows), np.int64),
            np.zeros(n + 1, np.int64),
            *np.zeros((3, box.columns), np.int64),
            np.zeros(3 * n, np.uint64),
            unit_numbers(box),
            np.zeros(3, np.int64),
        ]
        return cls._make(arrays)


@njit
def minimize_forms(boards, forms, automorphisms, work, budget):
    """Write the minimal form of each board of `boards` (N, cells) to `forms` (N, cells).

    The numbers of their automorphisms, see `count_automorphisms`, are written to `automorphisms`
    (N,), int64. Return the number of forms. It is less than N after `budget` segments have been
    tried, or if the next board needs more maps at a time than `work`, a `CanonicalWorkspace`, can
    hold; so it is 0 only in the latter case.
    """
    work.register[N_SEGMENTS] = 0
    for number in range(len(boards)):
        if work.register[N_SEGMENTS] > budget:
            return number
        automorphisms[number] = minimize_form(boards[number], forms[number], work)
        if automorphisms[number] == 0:
            return number
    return len(boards)


@njit
def minimize_form(board, form, work):
    """Write the minimal form of `board` (cells,) to `form` (cells,).

    For each segment, in reading order, extend the maps, write the labels of the smallest segment to
    the form, and split the groups that it distinguishes. Return the number of automorphisms of the
    board; 0 if there are more maps than `work` can hold.
    """
    first = work.first
    stack_ends = work.stack_ends
    keys = work.keys
    register = work.register
    n = len(first)
    height = len(stack_ends)
    width = len(work.columns)
    register[HAS_REPEATS] = not mark_givens(board, work.used_values, work.unit_of)
    register[N_LABELS] = 0
    for position in range(n):
        first[position] = position // width * width
    stack_ends[:] = height
    maps = work.maps
    next_maps = work.next_maps
    n_maps = start_maps(board, work)
    for depth in range(n):
        for stack in range(height):
            n_maps, key = extend_maps(depth, stack, n_maps, maps, next_maps, form, work)
            if n_maps == 0:
                return 0
            maps, next_maps = next_maps, maps
            start = stack * width
            for index in range(width):
                shift = LABEL_BITS * (width - 1 - index)  # the first label has the highest bits
                form[depth * n + start + index] = (key >> shift) & LABEL_MASK
            is_bound = split_groups(form, depth, start, work)
            keys[stack] = -1 if is_bound else key
        # Stacks that differ in this row, or end their group (-1), are no longer in one group.
        for stack in range(height - 1, -1, -1):
            if stack + 1 < stack_ends[stack] and 0 <= keys[stack] == keys[stack + 1]:
                stack_ends[stack] = stack_ends[stack + 1]
            else:
                stack_ends[stack] = stack + 1
        # At the end of a band, each label gets its column: of the columns of a group, each one in
        # turn takes the first position, which splits it off.
        if (depth + 1) % height == 0 and depth + 1 < n and not register[HAS_REPEATS]:
            for label in range(1, register[N_LABELS] + 1):
                position = work.label_positions[label]
                while position + 1 < n and first[position + 1] == first[position]:
                    n_maps = place_column(first[position], first, n_maps, maps, next_maps)
                    if n_maps == 0:
                        return 0
                    maps, next_maps = next_maps, maps
    return count_automorphisms(maps[:n_maps], work)


@njit
def count_automorphisms(maps, work):
    """Return the number of transformations of the cells that produce the form of a board.

    These are as many as those that map the board to itself. `maps` (M, 5 n + 2) are all that
    produce the form; each stands for all orders of the rows and bands that are equal, and of the
    columns and stacks that still form a group. Return `MANY` if the number is at least as large.
    """
    n = len(work.first)
    height = len(work.stack_ends)
    n_orders = np.int64(1)
    for position in range(n):  # a group of k columns has the factors 1 to k, so k! orders
        n_orders = multiply(n_orders, position + 1 - work.first[position])
    end = 0
    for stack in range(height):
        if stack == end:
            start = stack
            end = work.stack_ends[stack]
        n_orders = multiply(n_orders, stack + 1 - start)
    # Those of equal rows and bands differ between the board and its transpose.
    total = np.int64(0)
    for transposed in range(2):
        n_maps = np.int64(0)
        for number in range(len(maps)):
            n_maps += maps[number, TRANSPOSED] == transposed
        total += min(multiply(n_maps, work.n_orders[transposed]), MANY - total)
    return multiply(total, n_orders)


@njit
def multiply(one, other):
    """Return the product of two nonnegative numbers, or `MANY` if it is larger."""
    return one * other if other == 0 or one <= MANY // other else MANY


@njit
def start_maps(board, work):
    """Initialize the arrays for a board. Return the number of maps: 2 if it can be transposed."""
    grids = work.grids
    maps = work.maps
    n = grids.shape[1]
    height = len(work.stack_ends)
    n_maps = 2 if height == len(work.columns) else 1
    for transposed in range(n_maps):
        grid = grids[transposed]
        for row in range(n):
            for column in range(n):
                cell = column * n + row if transposed else row * n + column
                grid[row, column] = board[cell]
        row_orders = mark_equal_lines(grid, 1, height, work.previous_row[transposed])
        band_orders = mark_equal_lines(grid, height, n, work.previous_band[transposed])
        work.n_orders[transposed] = multiply(row_orders, band_orders)
        for index in range(n):
            maps[transposed, index] = index
            maps[transposed, POSITIONS * n + index] = index
            maps[transposed, USED_ROWS * n + index] = 0
            maps[transposed, LABELED_ROWS * n + index] = NONE
        maps[transposed, TRANSPOSED] = transposed
    return n_maps


@njit
def mark_equal_lines(grid, height, group, previous):
    """Write the previous equal line of the same group, or NONE, for each line of `height` rows.

    A line is a row or a band, and `group` lines can be exchanged: the rows of a band; or all bands,
    of which there are no more than that. Other orders of equal lines produce the same forms, so
    `is_candidate` allows one order. Return the number of their orders.
    """
    n = len(grid)
    n_orders = np.int64(1)
    for line in range(n // height):
        previous[line] = NONE
        n_equal = 1
        for other in range(line // group * group, line):  # the lines of the group before this one
            is_equal = True
            for row in range(height):
                for column in range(n):
                    cell = grid[line * height + row, column]
                    is_equal &= cell == grid[other * height + row, column]
            if is_equal:
                previous[line] = other
                n_equal += 1
        n_orders = multiply(n_orders, n_equal)
    return n_orders


@njit
def extend_maps(depth, stack, n_maps, maps, next_maps, form, work):
    """Extend all maps by a segment, and keep those that produce the smallest one.

    Parameters
    ----------
    depth, stack : int
        The row and the stack of the segment in the form.
    n_maps : int
        The number of maps.
    maps, next_maps : ndarray of uint8, shape (capacity, 5 n + 2)
        The maps, and the extended ones; see `CanonicalWorkspace`. `next_maps` is written.
    form : ndarray of uint8, shape (n²,)
        The form so far.
    work : CanonicalWorkspace
        `columns`, `codes`, `labels` and `register` are written.

    Returns
    -------
    n_next : int
        The number of extended maps; 0 if `next_maps` is too small.
    best : int
        The labels of the segment as the digits of a number with `LABEL_BITS` bits each.

    Notes
    -----
    `is_bound` says that a segment has new labels or labels whose order was open: each order of its
    cells and each stack that gives the same labels is another map. Otherwise, one stands for all.
    """
    n = len(work.first)
    height = len(work.stack_ends)
    width = len(work.columns)
    best = np.int64(1) << 62  # above all keys, which have up to 56 bits
    n_next = 0
    n_segments = 0
    for number in range(n_maps):
        current = maps[number]
        transposed = np.int64(current[TRANSPOSED])
        # The rows that the segment can be in: any row, those of the band that was begun, or, after
        # the first segment of a row, the row of the last one.
        begin = np.int64(0)
        end = n
        if stack:
            begin = np.int64(current[LAST_ROW])
            end = begin + 1
        elif depth % height:
            begin = np.int64(current[LAST_ROW]) // height * height
            end = begin + height
        for row in range(begin, end):
            if stack == 0 and not is_candidate(current, row, transposed, work):
                continue
            line = work.grids[transposed, row]
            is_kept = False
            for source in range(stack, work.stack_ends[stack]):
                encode_segment(current, line, source * width, form, work)
                while True:
                    n_segments += 1
                    key, is_bound, can_differ = label_segment(current, work)
                    if key < best:  # all maps so far produce larger segments
                        best = key
                        n_next = 0
                        is_kept = False
                    # If it is not bound, the first map stands for other stacks with the same key,
                    # which can be chosen later.
                    if key == best and (is_bound or not is_kept):
                        if n_next == len(next_maps):
                            return 0, best
                        extended = next_maps[n_next]
                        append_map(current, extended, row, line, depth, stack, source, work)
                        n_next += 1
                        is_kept = True
                    elif not can_differ:  # other orders of the cells have the same labels
                        break
                    if not is_bound or not next_order(source * width, work):
                        break
    work.register[N_SEGMENTS] += n_segments
    return n_next, best


@njit
def is_candidate(current, row, transposed, work):
    """Return whether a row of the board can be the next one of the form.

    It is unused, and equal lines are chosen in their order: see `mark_equal_lines`. If a band was
    begun, the row is one of that band.
    """
    n = len(work.first)
    height = len(work.stack_ends)
    if current[USED_ROWS * n + row]:
        return False
    other = np.int64(work.previous_row[transposed, row])
    if other != NONE and not current[USED_ROWS * n + other]:
        return False
    # A band is completed before the next one begins, so its first row tells whether it is in use.
    other = np.int64(work.previous_band[transposed, row // height])
    return other == NONE or current[USED_ROWS * n + other * height] != 0


@njit
def append_map(current, extended, row, line, depth, stack, source, work):
    """Write the map `current`, extended by a segment, to `extended`.

    Parameters
    ----------
    current, extended : ndarray of uint8, shape (5 n + 2,)
        Maps; see `CanonicalWorkspace`. `extended` is written.
    row : int
        The row of the board that the segment is part of.
    line : ndarray of uint8, shape (n,)
        That row.
    depth, stack : int
        The row and the stack of the segment in the form.
    source : int
        The stack whose columns are moved to this one.
    work : CanonicalWorkspace
        Read.
    """
    columns = work.columns
    labels = work.labels
    n_labels = work.register[N_LABELS]
    n = len(line)
    width = len(columns)
    for index in range(len(current)):
        extended[index] = current[index]
    extended[LAST_ROW] = row
    extended[USED_ROWS * n + row] = 1
    for index in range(width):
        position = stack * width + index
        if source != stack:
            move_column(extended, n, np.int64(current[position]), source * width + index)
        move_column(extended, n, columns[index], position)
    for index in range(width):
        label = labels[index]
        digit = np.int64(line[columns[index]]) - 1
        if label > n_labels:
            if extended[LABELED_ROWS * n + digit] == NONE:
                extended[LABELED_COLUMNS * n + digit] = columns[index]
                extended[LABELED_ROWS * n + digit] = depth
        elif label and not work.register[HAS_REPEATS]:
            # If the order of the labels was open, this digit takes the first one.
            # Its column and the one at the position of the label change places.
            position = work.label_positions[label]
            column = np.int64(extended[LABELED_COLUMNS * n + digit])
            other = np.int64(extended[position])
            if other != column:
                move_column(extended, n, other, np.int64(extended[POSITIONS * n + column]))
                move_column(extended, n, column, position)


@njit
def move_column(extended, n, column, position):
    """Write the position of a column."""
    extended[position] = column
    extended[POSITIONS * n + column] = position


@njit
def split_groups(form, depth, start, work):
    """Split the groups of columns that the last segment of `form` distinguishes.

    Parameters: `form` (n²,) uint8; `depth` and `start`, the row of the segment and its first
    position; `work`, of which `first`, `label_positions` and the number of labels are written.
    Return whether the segment has new labels or labels whose order was open.
    """
    first = work.first
    label_positions = work.label_positions
    register = work.register
    n = len(first)
    end = start + len(work.columns)
    row = depth * n
    n_labels = highest = register[N_LABELS]
    changes_labels = False
    for position in range(start, end):
        label = np.int64(form[row + position])
        if label > highest:
            highest = label
            label_positions[label] = position
            changes_labels = True
        elif label and not register[HAS_REPEATS] and label <= n_labels:
            labeled = label_positions[label]
            # The column of the label is still in a group, of which it takes the first position.
            if labeled + 1 < n and first[labeled + 1] == labeled:
                changes_labels = True
                split_first(first, labeled, labeled + 1)
    for position in range(start + 1, end):
        label = form[row + position]
        before = form[row + position - 1]
        # Labels ascend, so both are new, and which digit gets which of them is open.
        is_open = before > n_labels and not register[HAS_REPEATS]
        if first[position] < position and label != before and not is_open:
            split_first(first, first[position], position)
    register[N_LABELS] = highest
    return changes_labels


@njit
def split_first(first, group, start):
    """Split the positions from `start` on from the others of a group, named by its first one."""
    end = start
    while end < len(first) and first[end] == group:
        first[end] = start
        end += 1


@njit
def place_column(position, first, n_maps, maps, next_maps):
    """Put each column of the group that starts at `position` there, in a copy of each map.

    The position then is a group of its own. Return the number of maps; 0 if `next_maps` is too
    small.
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
    split_first(first, position, position + 1)
    return n_next
