"""The rules of deductions, each as a scan from a cursor that stops after a slice of work.

The rules share these parameters: `first`, whether to stop at the first step found, instead of
finding all; `cursor` int64, where to begin; `levels`, see `steps`, to whose `marked` they add the
options that a step chooses or removes, and whose `reason` receives the items of the last step;
`tables` and `remaining`, see the module of that name. They return the cursor, which is the number
of candidates after the last slice; the number of steps found; and the number of items of the
reason.
"""

import numpy as np

from ...jit import njit
from ...jit.intrinsics import count_bits, lowest_bit
from .remaining import ONE, follow, lowest_option, undo

SLICE = 1 << 22  # words of bitmaps

# Rows of `Grids.masks`, by the rows of a table: the columns with options, and the item
CROSSINGS = 0
BASE = 1
# By the number of chosen rows: the last of them, and the columns of all
POSITION = 2
UNION = 3
N_MASKS = 4


@njit
def find_only(first, cursor, classes, levels, tables, remaining):
    """Find items that need all of their available options; `classes` has a bit for each class.

    Items of other classes are passed over. Each of the options, which are chosen, is a step.
    """
    n_found = 0
    item_class = levels.item_class
    marked = levels.marked
    while cursor < len(remaining.need):
        item = np.uint32(cursor)
        cursor += 1
        if (
            remaining.need[item] > 0
            and remaining.slack[item] == 0
            and classes >> item_class[item] & 1
        ):
            levels.reason[0] = item
            n_left = np.int64(1 if first else remaining.need[item])
            for word in range(len(marked)):
                options = remaining.available[word] & tables.containing[item, word]
                while options and n_left > 0:
                    bit = options & (~options + ONE)
                    n_found += not marked[word] & bit  # another item may have marked it
                    marked[word] |= bit
                    options ^= bit
                    n_left -= 1
            if first:
                return cursor, n_found, 1
    return cursor, n_found, 1


@njit
def find_conflicts(first, cursor, classes, levels, tables, remaining):
    """Find items whose options all exclude an option that does not contain the item.

    `classes` and `item_class` as for `find_only`.
    """
    marked = levels.marked
    item_class = levels.item_class
    n_found = 0
    work = 0
    n_words = len(marked)
    while cursor < len(remaining.need) and work < SLICE:
        item = np.uint32(cursor)
        cursor += 1
        if remaining.need[item] <= 0 or not classes >> item_class[item] & 1:
            continue
        has_effect = False
        # Of the options without the item, keep those that each of its own options excludes.
        for word in range(n_words):
            excluded = remaining.available[word] & ~tables.containing[item, word]
            for other_word in range(n_words):
                options = remaining.available[other_word] & tables.containing[item, other_word]
                while options and excluded:
                    option = lowest_option(other_word, options)
                    options &= options - ONE
                    excluded &= ~tables.compatible[option, word]
                    work += 1
                if not excluded:
                    break
            if excluded:
                marked[word] |= excluded
                has_effect = True
        work += n_words
        if has_effect:
            n_found += 1
            levels.reason[0] = item
            if first:
                break
    return cursor, n_found, 1


@njit
def mark_rest(size, n_reason, levels, tables, remaining):
    """Mark the options of a set that contain one of the items it uses up, but none of its items.

    `reason` has `size` items, and then those they use up. Returns whether there are any.
    """
    has_effect = False
    marked = levels.marked
    reason = levels.reason
    for word in range(len(marked)):
        removed = np.uint64(0)
        for position in range(size, n_reason):
            removed |= tables.containing[reason[position], word]
        removed &= remaining.available[word]
        for position in range(size):
            removed &= ~tables.containing[reason[position], word]
        marked[word] |= removed
        has_effect |= removed != 0
    return has_effect


@njit
def find_grid_sets(first, cursor, size, kind, levels, tables, remaining):
    """Find sets in tables of items: an option at each crossing of a row and a column, or none.

    Parameters: `size` int64; `kind` int64, the kind of tables to scan.
    """
    grids = levels.grids
    n_found = 0
    n_reason = 0
    n_lines = grids.option_at.shape[1]
    rows = np.uint64(0)
    while cursor < len(grids.kind):
        grid = cursor
        cursor += 1
        if grids.kind[grid] != kind:
            continue
        # The rows whose items still need an option: their columns with available options, as bits
        n_bases = 0
        for k in range(n_lines):
            base = grids.bases[grid, k]
            crossings = np.uint64(0)
            grids.masks[CROSSINGS, n_bases] = 0
            if base < 0 or remaining.need[base] <= 0:
                continue
            for column in range(n_lines):
                option = grids.option_at[grid, k, column]
                if option >= 0:
                    bit = remaining.available[option >> 6] >> np.uint64(option & 63) & ONE
                    crossings |= bit << column
            grids.masks[CROSSINGS, n_bases] = crossings
            grids.masks[BASE, n_bases] = base
            n_bases += 1
        if n_bases <= size:  # no row is left from which a set could remove options
            continue
        # Choose `size` rows with options in at most `size` columns, depth first. The chosen rows
        # are those of a stack, with POSITION and UNION; `position` is the next row to try.
        depth = 0
        position = 0
        while depth >= 0:
            union = grids.masks[UNION, depth - 1] if depth else np.uint64(0)
            if depth == size or position + size - depth > n_bases:  # or too few rows follow
                if depth == size:
                    rows = np.uint64(0)
                    for k in range(size):
                        rows |= ONE << grids.masks[POSITION, k]
                    has_effect = False
                    for k in range(n_bases):
                        is_other = not rows >> k & ONE
                        has_effect |= is_other and grids.masks[CROSSINGS, k] & union != 0
                    if has_effect:
                        n_found += 1
                        n_reason = _mark_set(rows, union, grid, levels, tables, remaining)
                        if first:
                            return cursor, n_found, n_reason
                depth -= 1
                position = np.int64(grids.masks[POSITION, depth]) + 1 if depth >= 0 else 0
                continue
            union |= grids.masks[CROSSINGS, position]
            if count_bits(union) <= size:
                grids.masks[POSITION, depth] = position
                grids.masks[UNION, depth] = union
                depth += 1
            position += 1
    return cursor, n_found, n_reason


@njit
def _mark_set(rows, columns, grid, levels, tables, remaining):
    """Mark what a set removes, and return the number of items of the reason.

    Parameters: `rows` and `columns` uint64, of table `grid`.
    """
    grids = levels.grids
    reason = levels.reason
    size = count_bits(rows)
    n_reason = 0
    while rows:
        reason[n_reason] = grids.masks[BASE, lowest_bit(rows)]
        rows &= rows - ONE
        n_reason += 1
    while columns:
        reason[n_reason] = grids.covers[grid, lowest_bit(columns)]
        columns &= columns - ONE
        n_reason += 1
    mark_rest(size, n_reason, levels, tables, remaining)
    return n_reason


@njit
def find_chains(first, cursor, n_found, n_rounds, levels, tables, remaining):
    """Find the options whose choice leaves an item with too few options after the fewest rounds.

    Parameters: `first`, whether one option suffices: the first with the fewest rounds, or the first
    found with one round at most; `n_found` int64, the number of options found by earlier slices;
    `n_rounds` int64, the number of rounds that each of them takes, or, without any, the most to
    try. Returns the cursor, the number of options found with the fewest rounds, which are those of
    `marked`, and this number of rounds.
    """
    work = 0
    marked = levels.marked
    while cursor < 64 * len(marked) and work < SLICE:
        word = cursor >> 6
        bit = ONE << np.uint64(cursor & 63)
        cursor += 1
        if not remaining.available[word] & bit or (first and n_found and n_rounds < 2):
            continue
        limit = n_rounds - (first and n_found > 0)  # fewer than those of the option found
        option = np.uint32(cursor - 1)
        rounds, lacking, n_trail = follow(option, limit, np.int64(0), tables, remaining)
        undo(np.int64(0), n_trail, tables, remaining)
        work += n_trail + len(marked)
        if lacking >= 0:
            if rounds < n_rounds or first:
                n_rounds = rounds
                n_found = 0
                marked[:] = 0
            marked[word] |= bit
            n_found += 1
    return cursor, n_found, n_rounds
