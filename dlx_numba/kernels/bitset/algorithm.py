"""Algorithms X, C and M on bitmaps of options, resumable at any node.

The state of a node is the bitmap of available options and the set of items that are not covered.
Choosing an option is one AND with the bitmap of the compatible options, and backtracking needs no
undoing, because each level has its own row. A node counts the available options of all its items,
32 items at a time (`jit.simd`), and then does one of four things:

- if no item is left, it has found a cover;
- if an item has no option left, it is a dead end;
- if items have one option left, it chooses these options, and counts again, at the same level;
- otherwise it branches on an item, and each option leads to a node of the next level.

Dancing links choose the same items at the branching nodes, so both find the same covers in the same
order. If a single item is left and covers are only counted, its options are counted, not tried.

With multiplicities, an item has the branches of Algorithm M: one of its options, which the
following branches exclude, or no further option. A search without multiplicities is compiled
without these steps.

Most nodes are deep in the tree, where few options are left. So a node can move to new, smaller
tables (`bitmaps`) that have only its options and items; all nodes below it use them. Building them
pays off if the subtree is large enough. It is expected to be as large as the previous ones with
equally many items. The tables form a stack. They affect neither the order nor the counters.

An update is an item whose options are counted.

The parameters of small functions are those of `nodes`; `entries`, `scratch` and the tables are
those of `bitmaps`, all of whose arrays are written when a table is built.
"""

import numpy as np

from ...jit import inlined, njit
from ...jit.intrinsics import count_bits, lowest_bit
from ...jit.simd import N_LANES, align_stack, read_lane, write_lane
from ...runtime.arguments import UNLIMITED
from ..dlx.branching import Branching
from ..dlx.state import (
    COVERS,
    ENTER,
    EXHAUSTED,
    LEAVE,
    NODES,
    OUT_OF_BUDGET,
    PATHS,
    TARGET_REACHED,
    UPDATES,
    Register,
    store_cover,
)
from .bitmaps import LANE_BITS, NO_TABLE, build_table, count_steps, stacked_shape
from .nodes import (
    ALL_COVERED,
    DEAD_END,
    OPEN,
    choose_item,
    choose_none,
    choose_option,
    clear_bit,
    find_untried,
    next_option,
    propagate,
)
from .state import (
    COUNTS,
    N_SIZE_CLASSES,
    NO_OPTION,
    TABLE,
    bounds_row,
    fill_level,
    fill_root,
    row_vectors,
    table_shape,
)

SHRINK = 3  # a further return value of `search_table`: build smaller tables for this node

# The expected benefit of smaller tables, in the time that counting takes for one vector.
VECTORS_PER_TABLE = 400  # the time to build a table without options
VECTORS_PER_OPTION = 80  # the additional time for each option
VECTORS_PER_UPDATE = 32  # the time of an update, as budgets assume
LEARNING_RATE = 1 / 16  # the share of the last subtree in the expected size


@inlined
def size_class(state, n_uncovered):
    """Return the index in `state.subtree_size` of nodes with `n_uncovered` items left.

    There are more levels, the length of `choice`, than items, so it is less than N_SIZE_CLASSES.
    """
    return n_uncovered * (N_SIZE_CLASSES - 1) // len(state.choice)


@inlined
def is_shrinking_useful(shape, state, row, n_uncovered):
    """Return whether smaller tables are expected to save more time than it takes to build them.

    The time of a count is that of the vectors of a table: 16 options (LANE_BITS) of 32 items
    (N_LANES) each.
    """
    n_counts = state.subtree_size[size_class(state, n_uncovered)]
    vectors = shape.n_chunks * shape.n_groups
    if n_counts * vectors < VECTORS_PER_TABLE:
        return False
    n_options = 0
    for chunk in range(shape.n_chunks):
        bits = read_lane(state.available, row + chunk // N_LANES, chunk % N_LANES)
        n_options += count_bits(bits)
    if 2 * n_options > shape.n_options:  # `smaller_sizes` provides memory for half of the options
        return False
    remaining = ((n_options + 15) >> 4) * ((n_uncovered + 31) >> 5)
    cost = VECTORS_PER_TABLE + VECTORS_PER_OPTION * n_options
    return n_counts * (vectors - remaining) > cost


@inlined
def is_covered_once(bounds, level, item):
    """Return whether an item needs exactly one option."""
    if bounds is None:
        return True
    row = bounds_row(bounds, level) + item // N_LANES
    lane = item % N_LANES
    return read_lane(bounds.need, row, lane) == 1 == read_lane(bounds.capacity, row, lane)


@njit
def search_table(tables, bounds, table, state, budget):
    """Search as `search_bitset` does, but only below the node for which a table was built.

    Parameters: `tables`; `bounds` or None; `table` int64, the number of the table on the stack;
    `state`; `budget` int64. Returns EXHAUSTED, TARGET_REACHED, OUT_OF_BUDGET or SHRINK.
    """
    align_stack()
    register = state.register
    shape = table_shape(state, table)
    stride = row_vectors(state)
    level = register[Register.LEVEL]
    resume = register[Register.RESUME]
    target = register[Register.TARGET]
    solutions = register[Register.SOLUTIONS]
    nodes = register[Register.NODES]
    updates = register[Register.UPDATES]
    status = OUT_OF_BUDGET
    while updates < budget:
        if register[Register.INTERRUPT] != 0:
            budget = 0  # ends the search after this step
        row = level * stride
        if resume == ENTER:
            # X2 [Enter level l.]
            outcome, n_uncovered, n_forced, n_updates = propagate(
                tables, bounds, shape, state, level, row
            )
            nodes += n_forced
            updates += n_updates
            resume = LEAVE
            if outcome == DEAD_END:
                continue
            if outcome == ALL_COVERED:
                n_chosen = state.n_chosen[level]
                store_cover(state.found, target - solutions, state.choice, n_chosen, NO_OPTION)
                solutions += 1
                if solutions >= target:
                    status = TARGET_REACHED
                    break
                continue
            # After SHRINK, the node is entered again, with the new table. The search must not stop
            # before: the forced options are chosen and counted, and a search that is restored from
            # its path would count them again. So the budget must exceed the updates without those
            # of the last count, one for each uncovered item.
            is_affordable = updates - n_uncovered < budget
            if is_affordable and is_shrinking_useful(shape, state, row, n_uncovered):
                updates -= n_uncovered  # the options are counted again with the new table
                resume = ENTER
                status = SHRINK
                break
            # X3 [Choose i.]
            nodes += 1
            item, n_branches = choose_item(tables, bounds, shape, state, level)
            is_last = n_uncovered == 1 and is_covered_once(bounds, level, item)
            # If covers are only counted, those of the last item's branches need not be visited.
            if len(state.found) == 0 and is_last and solutions + n_branches < target:
                solutions += n_branches
                continue
            # X4 [Cover i.]
            find_untried(tables, shape, state, row, item)
            state.item[level] = tables.item[shape.item + item]
            state.n_tried[level] = 0
            state.n_branches[level] = n_branches
            state.first_count[level] = register[COUNTS]
        else:
            # X8 [Leave level l.]
            if level == shape.level:
                status = EXHAUSTED
                break
            level -= 1
            row -= stride
        # X6 [Try again.]
        if state.n_tried[level] == state.n_branches[level]:
            # X7 [Backtrack.]
            resume = LEAVE
            # The counts below the level, from which `is_shrinking_useful` estimates such subtrees
            size = max(0, register[COUNTS] - state.first_count[level])
            index = size_class(state, state.n_uncovered[level])
            state.subtree_size[index] += LEARNING_RATE * (size - state.subtree_size[index])
            continue
        state.n_tried[level] += 1
        option = next_option(state, row, shape.n_vectors)
        if bounds is not None and option < 0:
            choose_none(bounds, shape, state, level, row)
        else:
            choose_option(tables, bounds, shape, state, option, level, row, level + 1, row + stride)
        level += 1
        resume = ENTER
    register[Register.LEVEL] = level
    register[Register.RESUME] = resume
    register[Register.SOLUTIONS] = solutions
    register[Register.NODES] = nodes
    register[Register.UPDATES] = updates
    return status


@inlined
def move_bounds(bounds, level, lane, new_lane):
    """Copy the bounds of an item at a level to another lane, counted from the first group."""
    row = bounds_row(bounds, level)
    old_row = row + lane // N_LANES
    new_row = row + new_lane // N_LANES
    for numbers in (bounds.need, bounds.capacity):
        number = read_lane(numbers, old_row, lane % N_LANES)
        write_lane(numbers, new_row, new_lane % N_LANES, number)


@njit
def shrink(entries, tables, smaller, scratch, bounds, state):
    """Build a table of the options and items that remain at the current level, and use it.

    It follows the current table in the arrays of `smaller`, unless that is the first one, which has
    arrays of its own. The bounds of the items move to their new lanes, which are never later ones.

    Reads `entries` and `tables`; writes `smaller`, `scratch`, `bounds` and `state`.
    """
    register = state.register
    level = register[Register.LEVEL]
    table = register[TABLE]
    old = table_shape(state, table)
    below = old if table else NO_TABLE
    first_option = below.option + below.n_options
    first_item = below.item + below.n_items
    row = level * row_vectors(state)
    n_options = n_items = 0
    # The new table lists what is available and uncovered, by the numbers in the problem.
    for chunk in range(old.n_chunks):
        bits = np.uint32(read_lane(state.available, row + chunk // N_LANES, chunk % N_LANES))
        while bits:
            option = old.option + chunk * LANE_BITS + lowest_bit(bits)
            smaller.option[first_option + n_options] = tables.option[option]
            n_options += 1
            bits = np.uint32(bits & (bits - 1))
    for group in range(old.n_groups):
        lanes = state.uncovered[level, group]
        while lanes:
            item = old.item + group * N_LANES + lowest_bit(lanes)
            smaller.item[first_item + n_items] = tables.item[item]
            if bounds is not None:
                move_bounds(bounds, level, item - old.item, n_items)
            n_items += 1
            lanes = np.uint32(lanes & (lanes - 1))
    shape = stacked_shape(below, level, n_options, n_items)
    build_table(entries, smaller, shape, scratch, 0, count_steps(shape))
    for k in range(len(shape)):
        state.shapes[table + 1, k] = shape[k]
    fill_level(state, shape)
    register[TABLE] = table + 1


@njit
def search_bitset(entries, root, smaller, scratch, bounds, state, budget):
    """Search until the budget is spent, the target is reached, or the tree is exhausted.

    Parameters: `entries`; `root`, the tables of the problem, which are not modified; `smaller`, the
    tables that the search builds; `scratch`; `bounds` or None; `state`; `budget` int64, the value
    of Register.UPDATES at which to stop. Returns EXHAUSTED, TARGET_REACHED or OUT_OF_BUDGET.
    """
    register = state.register
    while True:
        table = register[TABLE]
        tables = smaller if table else root
        status = search_table(tables, bounds, table, state, budget)
        if status == SHRINK:
            shrink(entries, tables, smaller, scratch, bounds, state)
            # Building the table is work, too, but the budget must not end before the node is
            # entered again: see `search_table`.
            n_options = table_shape(state, register[TABLE]).n_options
            work = (VECTORS_PER_TABLE + VECTORS_PER_OPTION * n_options) // VECTORS_PER_UPDATE
            budget = max(budget - work, register[Register.UPDATES] + 1)
        elif status == EXHAUSTED and table:
            register[TABLE] -= 1
        else:
            return status


@njit
def descend_bitset(root, bounds, state, items, options, draws, sums, budget):
    """Follow a path from the root, or resume it, as `descend` does, by steps of `search_bitset`.

    Parameters: `root`, the first table; `bounds` or None, and `state`, which are written; `items`
    and `options` (n,), the item of each level of a given path, and the option that is chosen there,
    NO_OPTION for none; `draws` (levels,) float64 in [0, 1) for a random path, or empty; `sums` and
    `budget` as for `descend`. A random path is undone at the end. Returns what `descend` returns:
    whether the search can take the whole given path, or whether a random path has ended.
    """
    align_stack()
    register = state.register
    shape = table_shape(state, 0)
    stride = row_vectors(state)
    level = register[Register.LEVEL]
    row = level * stride
    weight = sums[PATHS]
    is_given = len(draws) == 0
    outcome = OPEN
    while outcome == OPEN and budget > 0 and not (is_given and level == len(options)):
        outcome, _, n_forced, n_updates = propagate(root, bounds, shape, state, level, row)
        sums[NODES] += weight * n_forced
        sums[UPDATES] += weight * n_updates
        if outcome != OPEN:
            break
        sums[NODES] += weight
        item, n_branches = choose_item(root, bounds, shape, state, level)
        if is_given and items[level] != item:  # only a random search may choose among equal items
            lane = np.int64(items[level])  # the first table has the items by their own numbers
            if register[Register.BRANCHING] != Branching.RANDOM or lane >= shape.n_items:
                return False
            if read_lane(state.n_options, lane // N_LANES, lane % N_LANES) != n_branches:
                return False
            item = lane
        # Pass over the options before the one of the path, as if they had been tried.
        find_untried(root, shape, state, row, item)
        n_tried = 0
        n_to_try = UNLIMITED if is_given else 1 + int(draws[level] * n_branches)
        is_found = False
        while not is_found:
            if n_tried == n_branches:
                return False
            position = next_option(state, row, shape.n_vectors)
            option = NO_OPTION if position < 0 else root.option[position]
            n_tried += 1
            # With `bounds`, other options of the item are tried without it: see `choose_option`.
            if bounds is not None and position >= 0:
                clear_bit(state, row, position)
            is_found = option == options[level] if is_given else n_tried == n_to_try
        state.item[level] = item
        state.n_branches[level] = n_branches
        state.n_tried[level] = n_tried
        state.first_count[level] = register[COUNTS]
        if bounds is not None and position < 0:
            choose_none(bounds, shape, state, level, row)
        else:
            choose_option(root, bounds, shape, state, position, level, row, level + 1, row + stride)
        weight *= n_branches
        level, row = level + 1, row + stride
        budget -= 1 + n_updates
    if outcome == ALL_COVERED:
        sums[COVERS] += weight
    sums[PATHS] = weight
    register[Register.LEVEL] = level
    if is_given:
        return level == len(options)
    if outcome == OPEN:
        return False
    fill_root(bounds, state, shape)
    return True
