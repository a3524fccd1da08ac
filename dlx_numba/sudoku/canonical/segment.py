"""Segments of a row, the cells that it shares with a box, for the kernel of `canonical`.

A segment is extended in the order of its columns that gives the smallest labels; several orders can
give the same.

The kernels share these parameters: `work`, a `CanonicalWorkspace` of `minimal_form`, of which
`columns`, `codes` and `labels` may be written; `current` (5 n + 2,) uint8, a map, which is read.
All numbers are int64.
"""

import numpy as np

from ...jit import njit

MAX_BOX_SIDE = 8  # a segment is a number of 7 bits per cell
LABEL_BITS = 7
LABEL_MASK = (1 << LABEL_BITS) - 1
# Fields of `CanonicalWorkspace.register`
N_SEGMENTS = 0  # the number of segments tried, which measures the work
N_LABELS = 1  # the number of labels in the form before the current segment
HAS_REPEATS = 2  # whether a row, column or box of the board contains a digit twice

# The parts of a map, in multiples of n; see `CanonicalWorkspace`. The columns are the first part.
POSITIONS = 1
USED_ROWS = 2
LABELED_COLUMNS = 3
LABELED_ROWS = 4
# The last two bytes of a map
TRANSPOSED = -2
LAST_ROW = -1

NONE = 255  # instead of a row or band, or of the row of a digit without a label


@njit
def encode_segment(current, line, start, form, work):
    """Write the columns of a segment and their codes, sorted by the code in each of its groups.

    A code contains the digit in its last `LABEL_BITS` bits, and before them the smallest label that
    the digit can have, or n + 1 if it is new. Cells whose codes differ in the digit alone can have
    any order. An empty cell has the code 0. New digits have equal codes, so that their order
    remains open, unless the board repeats digits in a row.

    Parameters: `current` (5 n + 2,) uint8, a map, and `line` (n,) uint8, a row of the board, with
    the segment at `start`; `form` (n²,) uint8; `work`, a `CanonicalWorkspace`, of which `columns`
    and `codes` are written; its `first` has the first position of the group of each position.
    """
    n = len(line)
    first = work.first
    columns = work.columns
    codes = work.codes
    for index in range(len(columns)):
        column = np.int64(current[start + index])
        digit = np.int64(line[column])
        code = np.int64(0)
        if digit:
            depth = np.int64(current[LABELED_ROWS * n + digit - 1])
            if depth == NONE:
                code = np.int64(n + 1) << LABEL_BITS
                if work.register[HAS_REPEATS]:  # `label_segment` recognizes its other cells by it
                    code |= digit
            else:
                labeled = np.int64(current[LABELED_COLUMNS * n + digit - 1])
                # Its column may still move to the first position of its group, and take that label.
                position = first[np.int64(current[POSITIONS * n + labeled])]
                code = np.int64(form[depth * n + position]) << LABEL_BITS | digit
        place = index  # insert the column among those of its group before it
        while place > first[start + index] - start and codes[place - 1] > code:
            codes[place] = codes[place - 1]
            columns[place] = columns[place - 1]
            place -= 1
        codes[place] = code
        columns[place] = column


@njit
def label_segment(current, work):
    """Write the labels of a segment whose cells are in order.

    Return the labels as a number, the first one in its highest bits; whether the segment has new
    labels or labels whose order was open; and whether another order of its cells can have other
    labels.
    """
    first = work.first
    codes = work.codes
    labels = work.labels
    n = len(first)
    highest = work.register[N_LABELS]
    has_repeats = work.register[HAS_REPEATS] != 0
    key = np.int64(0)
    is_bound = False
    can_differ = has_repeats
    for index in range(len(codes)):
        label = codes[index] >> LABEL_BITS
        if label > n:  # the digit is new
            is_bound = True
            highest += 1
            label = highest
            if has_repeats:
                for other in range(index):
                    if codes[other] == codes[index]:  # it was labeled in this segment
                        highest -= 1
                        label = labels[other]
                        break
        elif label and not has_repeats:
            group = work.label_positions[label]
            # A group of several columns: the order of its labels is open.
            if group + 1 < n and first[group + 1] == group:
                if is_bound:  # digits before this one may have chosen positions of the group
                    position, is_shared = place_label(current, index, group, work)
                    can_differ |= is_shared
                    label += position - group
                is_bound = True
        labels[index] = label
        key = key << LABEL_BITS | label
    return key, is_bound, can_differ


@njit
def place_label(current, index, group, work):
    """Choose the position of a column whose digit, in cell `index` of a segment, has an open label.

    The position belongs to the `group` of the column. It is the first one, unless other digits of
    the segment have chosen positions of the group. If one of these digits, from another row, has
    the same column, the position is the same.

    Return the position, and whether there is a digit from another row.
    """
    n = len(work.first)
    codes = work.codes
    labeled_columns = current[LABELED_COLUMNS * n : LABELED_ROWS * n]
    column = labeled_columns[(codes[index] & LABEL_MASK) - 1]
    chosen = group
    is_shared = False
    for other in range(index):
        label = work.labels[other]
        if label == 0 or label > work.register[N_LABELS]:
            continue
        position = work.label_positions[label]
        if work.first[position] != group:
            continue
        is_shared |= codes[other] >> LABEL_BITS != codes[index] >> LABEL_BITS
        if labeled_columns[(codes[other] & LABEL_MASK) - 1] == column:
            return position, True
        chosen = max(chosen, position + 1)
    return chosen, is_shared


@njit
def next_order(start, work):
    """Advance to the next order of the cells of a segment. Return False after the last one.

    The runs of equal labels in each group are permuted, in lexicographic order of their codes.
    """
    first = work.first
    columns = work.columns
    codes = work.codes
    end = len(codes)
    while end > 0:  # the runs from the last to the first, until one has a next permutation
        begin = end - 1
        while (
            begin > first[start + end - 1] - start
            and codes[begin - 1] >> LABEL_BITS == codes[end - 1] >> LABEL_BITS
        ):
            begin -= 1
        pivot = end - 2  # becomes the last code that is less than the next one, if there is one
        while pivot >= begin and codes[pivot] >= codes[pivot + 1]:
            pivot -= 1
        if pivot >= begin:
            other = end - 1  # becomes the last greater code
            while codes[other] <= codes[pivot]:
                other -= 1
            swap_cells(codes, columns, pivot, other)
        # The codes after the pivot descend; the smallest order reverses them.
        low = pivot + 1
        high = end - 1
        while low < high:
            swap_cells(codes, columns, low, high)
            low += 1
            high -= 1
        if pivot >= begin:
            return True
        end = begin
    return False


@njit
def swap_cells(codes, columns, one, other):
    """Swap two cells of a segment."""
    codes[one], codes[other] = codes[other], codes[one]
    columns[one], columns[other] = columns[other], columns[one]
