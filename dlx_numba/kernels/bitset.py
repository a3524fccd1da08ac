"""Algorithm X (and C) on bitmaps of options, resumable at any node.

The state of a node is the bitmap of available options and the set of items that are not covered.
Choosing an option is one AND with the bitmap of the compatible options, and backtracking needs no
undoing, because each level has its own row. A node counts the available
options of all its items, 32 items at a time (`jit.simd`), and then does one of four things:

- if no item is left, it has found a cover;
- if an item has no option left, it is a dead end;
- if items have one option left, it chooses these options, and counts again, at the same level;
- otherwise it branches on an item, and each option leads to a node of the next level.

Dancing links choose the same items at the branching nodes, so both find the same covers in the same
order. If a single item is left and covers are only counted, its options are counted, not tried.

Most nodes are deep in the tree, where few options are left. So a node can move to new, smaller
tables (`bitmaps`) that have only its options and items; all nodes below it use them. Building them
pays off if the subtree is large enough. It is expected to be as large as the previous ones with
equally many items. The tables form a stack. They affect neither the order nor the counters.

An update is an item whose options are counted.
"""

import numpy as np

from ..jit.compile import inlined, kernel
from ..jit.intrinsics import count_bits, lowest_bit
from ..jit.simd import (
    N_LANES,
    align_stack,
    lanes_equal,
    load,
    popcount_lanes,
    read_lane,
    smallest_lane,
    splat,
    store,
    where_bits,
    write_lane,
)
from .bitmaps import LANE_BITS, NO_TABLE, build_table, stacked_shape
from .bitset_state import N_SIZE_CLASSES, fill_level, row_vectors, table_shape
from .branching import Branching, item_rank, wins_tie
from .state import BUDGET, ENTER, EXHAUSTED, LEAVE, SOLUTION, UNLIMITED, Register

DEAD_END, COVERED, OPEN = 0, 1, 2  # the outcomes of `propagate`
SHRINK = 3  # another return value of `search_table`: build smaller tables for this node
IS_COVERED = 2**LANE_BITS - 1  # in place of the number of options of an item that is covered
ALL_LANES = np.uint32(2**N_LANES - 1)

# The expected benefit of smaller tables, in the time that counting takes for one vector.
VECTORS_PER_TABLE = 400  # the time to build a table without options
VECTORS_PER_OPTION = 80  # the additional time for each option
LEARNING_RATE = 1 / 16  # the weight of the last subtree in the expected size


@inlined
def count_options(tables, shape, state, level, row):
    """Count the available options of each item. Return whether all uncovered items have any.

    `row` is the row of the level in `state.available`.
    """
    for group in range(shape.n_groups):
        uncovered = state.uncovered[np.uint64(level), np.uint64(group)]
        first = shape.counted + group * shape.n_chunks
        total = splat(0)
        if uncovered == 0:
            pass
        elif shape.n_vectors == 1:
            for chunk in range(shape.n_chunks):
                bits = read_lane(state.available, row, chunk)
                total = total + popcount_lanes(load(tables.counted, first + chunk) & splat(bits))
        else:  # skip lanes without options; in a small table, this would take longer
            for k in range(shape.n_vectors):
                lanes = lanes_equal(load(state.available, row + k), splat(0)) ^ ALL_LANES
                while lanes:
                    lane = lowest_bit(lanes)
                    lanes = np.uint32(lanes & (lanes - 1))
                    bits = read_lane(state.available, row + k, lane)
                    chunk = first + k * N_LANES + lane
                    total = total + popcount_lanes(load(tables.counted, chunk) & splat(bits))
        total = where_bits(uncovered, total, splat(IS_COVERED))
        store(state.n_options, group, total)
        if lanes_equal(total, splat(0)):
            return False
    return True


@inlined
def position(k, lane, bits):
    """Return the position of the lowest of the bits in a lane of vector `k` of a bitmap."""
    return (N_LANES * k + np.int64(lane)) * LANE_BITS + np.int64(lowest_bit(bits))


@inlined
def forced_option(tables, shape, state, row, item):
    """Return the first available option of an item, as a position, or -1 if there is none."""
    containing = shape.containing + item * shape.n_vectors
    for k in range(shape.n_vectors):
        bitmap = load(state.available, row + k) & load(tables.containing, containing + k)
        lanes = lanes_equal(bitmap, splat(0)) ^ ALL_LANES
        if lanes:
            lane = lowest_bit(lanes)
            bits = read_lane(state.available, row + k, lane)
            return position(k, lane, bits & read_lane(tables.containing, containing + k, lane))
    return -1


@inlined
def next_option(state, row, n_vectors):
    """Remove the first untried option of a level. Return its position, or -1 if there is none."""
    for k in range(n_vectors):
        lanes = lanes_equal(load(state.untried, row + k), splat(0)) ^ ALL_LANES
        if lanes:
            lane = lowest_bit(lanes)
            bits = read_lane(state.untried, row + k, lane)
            write_lane(state.untried, row + k, lane, bits & (bits - 1))
            return position(k, lane, bits)
    return -1


@inlined
def choose_option(tables, shape, state, option, level, row, new_level, new_row):
    """X5 [Try x_l.] Choose an option at a level, and write what remains to `new_level`.

    `option` is its position. `new_level` may be `level`.
    """
    compatible = shape.compatible + option * shape.n_vectors
    for k in range(shape.n_vectors):
        bitmap = load(state.available, row + k) & load(tables.compatible, compatible + k)
        store(state.available, new_row + k, bitmap)
    covered = shape.covered + option * shape.n_groups
    for group in range(shape.n_groups):
        at = np.uint64(group)
        uncovered = state.uncovered[np.uint64(level), at]
        uncovered &= ~tables.covered[np.uint64(covered + group)]
        state.uncovered[np.uint64(new_level), at] = uncovered
    at = np.uint64(shape.option + option)
    n_covered = np.int64(tables.n_covered[at])
    state.n_uncovered[np.uint64(new_level)] = state.n_uncovered[np.uint64(level)] - n_covered
    n_chosen = state.n_chosen[np.uint64(level)]
    state.choice[np.uint64(n_chosen)] = tables.option[at]
    state.n_chosen[np.uint64(new_level)] = n_chosen + 1


@inlined
def choose_forced(tables, shape, state, level, row):
    """Choose the options of all items that have one option, as just counted.

    Returns the number of options chosen, or -1 if they exclude each other.
    """
    n_forced = 0
    for group in range(shape.n_groups):
        lanes = lanes_equal(load(state.n_options, group), splat(1))
        while lanes:
            lane = lowest_bit(lanes)
            lanes = np.uint32(lanes & (lanes - 1))
            if (state.uncovered[np.uint64(level), np.uint64(group)] >> lane) & 1:
                item = group * N_LANES + np.int64(lane)
                option = forced_option(tables, shape, state, row, item)
                if option < 0:
                    return -1
                choose_option(tables, shape, state, option, level, row, level, row)
                n_forced += 1
    return n_forced


@inlined
def propagate(tables, shape, state, level, row):
    """Choose forced options until each item has at least two, or a cover or a dead end is found.

    Returns the outcome, the number of items left, and the numbers of nodes and updates.
    """
    nodes, updates = 0, 0
    n_uncovered = state.n_uncovered[np.uint64(level)]
    while n_uncovered:
        updates += n_uncovered
        state.register[Register.HEAD] += 1
        if not count_options(tables, shape, state, level, row):
            return DEAD_END, n_uncovered, nodes, updates
        n_forced = choose_forced(tables, shape, state, level, row)
        if n_forced < 0:
            return DEAD_END, n_uncovered, nodes, updates
        if n_forced == 0:
            return OPEN, n_uncovered, nodes, updates
        nodes += n_forced
        n_uncovered = state.n_uncovered[np.uint64(level)]
    return COVERED, n_uncovered, nodes, updates


@inlined
def choose_item(tables, shape, state):
    """X3 [Choose i.] Return the item to branch on, by its number in the table, and its options."""
    register = state.register
    best, best_size = 0, np.int64(IS_COVERED)
    if register[Register.BRANCHING] == Branching.SMALLEST:
        for group in range(shape.n_groups):
            sizes = load(state.n_options, group)
            size = np.int64(smallest_lane(sizes))
            if size < best_size:
                lane = lowest_bit(lanes_equal(sizes, splat(size)))
                best, best_size = group * N_LANES + np.int64(lane), size
        return best, best_size
    best_rank, n_ties = UNLIMITED, 0
    for lane in range(shape.n_items):
        size = np.int64(read_lane(state.n_options, lane // N_LANES, lane % N_LANES))
        if size != IS_COVERED:
            item = tables.item[np.uint64(shape.item + lane)]
            rank = item_rank(register, item + 1, size)
            if rank <= best_rank:
                n_ties = n_ties + 1 if rank == best_rank else 1
                if wins_tie(register, n_ties):
                    best, best_size = lane, size
                best_rank = rank
    return best, best_size


@inlined
def find_untried(tables, shape, state, row, item):
    """Set the untried options of a level to the available options of an item."""
    containing = shape.containing + item * shape.n_vectors
    for k in range(shape.n_vectors):
        bitmap = load(state.available, row + k) & load(tables.containing, containing + k)
        store(state.untried, row + k, bitmap)


@inlined
def count_available(shape, state, row):
    """Return the number of available options at a level."""
    n = 0
    for chunk in range(shape.n_chunks):
        n += np.int64(count_bits(read_lane(state.available, row + (chunk >> 5), chunk & 31)))
    return n


@inlined
def size_class(state, n_uncovered):
    """Return the index of `state.subtree_size` for nodes with this number of items left."""
    return np.uint64(n_uncovered * (N_SIZE_CLASSES - 1) // len(state.choice))


@inlined
def is_shrinking_useful(shape, state, row, n_uncovered):
    """Return whether smaller tables are expected to save more time than it takes to build them."""
    n_counts = state.subtree_size[size_class(state, n_uncovered)]
    vectors = shape.n_chunks * shape.n_groups
    if n_counts * vectors < VECTORS_PER_TABLE:
        return False
    n_options = count_available(shape, state, row)
    if 2 * n_options > shape.n_options:
        return False
    remaining = ((n_options + 15) >> 4) * ((n_uncovered + 31) >> 5)
    cost = VECTORS_PER_TABLE + VECTORS_PER_OPTION * n_options
    return n_counts * (vectors - remaining) > cost


@kernel
def search_table(tables, table, state, budget):
    """Search as `search_bitset` does, but only below the node for which a table was built.

    Parameters: `tables`; `table` int64, the number of the table on the stack; `state`; `budget`
    int64. Returns EXHAUSTED, SOLUTION, BUDGET or SHRINK.
    """
    align_stack()
    register, shape, stride = state.register, table_shape(state, table), row_vectors(state)
    level, resume = register[Register.LEVEL], register[Register.RESUME]
    target, solutions = register[Register.TARGET], register[Register.SOLUTIONS]
    nodes, updates = register[Register.NODES], register[Register.UPDATES]
    status = BUDGET
    while updates < budget:
        row = level * stride
        if resume == ENTER:
            # X2 [Enter level l.]
            outcome, n_uncovered, n_forced, n_updates = propagate(tables, shape, state, level, row)
            nodes += n_forced
            updates += n_updates
            resume = LEAVE
            if outcome == DEAD_END:
                continue
            if outcome == COVERED:
                solutions += 1
                if solutions >= target:
                    status = SOLUTION
                    break
                continue
            # If the budget is spent, the search would stop with options chosen that are counted.
            is_affordable = updates - n_uncovered < budget
            if is_affordable and is_shrinking_useful(shape, state, row, n_uncovered):
                updates -= n_uncovered  # they are counted again with the new table
                resume, status = ENTER, SHRINK
                break
            # X3 [Choose i.]
            nodes += 1
            item, n_branches = choose_item(tables, shape, state)
            if n_uncovered == 1 and solutions + n_branches < target:
                solutions += n_branches
                continue
            # X4 [Cover i.]
            find_untried(tables, shape, state, row, item)
            at = np.uint64(level)
            state.item[at] = tables.item[np.uint64(shape.item + item)]
            state.n_tried[at], state.n_branches[at] = 0, n_branches
            state.first_count[at] = register[Register.HEAD]
        else:
            # X8 [Leave level l.]
            if level == shape.level:
                status = EXHAUSTED
                break
            level -= 1
            row -= stride
        # X6 [Try again.]
        option = next_option(state, row, shape.n_vectors)
        if option < 0:
            # X7 [Backtrack.]
            resume = LEAVE
            at = size_class(state, state.n_uncovered[np.uint64(level)])
            size = max(0, register[Register.HEAD] - state.first_count[np.uint64(level)])
            state.subtree_size[at] += LEARNING_RATE * (size - state.subtree_size[at])
            continue
        state.n_tried[np.uint64(level)] += 1
        choose_option(tables, shape, state, option, level, row, level + 1, row + stride)
        level += 1
        resume = ENTER
    register[Register.LEVEL], register[Register.RESUME] = level, resume
    register[Register.SOLUTIONS], register[Register.NODES] = solutions, nodes
    register[Register.UPDATES] = updates
    return status


@kernel
def shrink(entries, tables, smaller, scratch, state):
    """Build a table of the options and items that remain at the current level, and use it."""
    register = state.register
    level, table = register[Register.LEVEL], register[Register.TAIL]
    old = table_shape(state, table)
    first = stacked_shape(NO_TABLE if table == 0 else old, level, 0, 0)
    row = level * row_vectors(state)
    n_options = n_items = 0
    for chunk in range(old.n_chunks):
        bits = np.uint32(read_lane(state.available, row + chunk // N_LANES, chunk % N_LANES))
        while bits:
            option = old.option + chunk * LANE_BITS + lowest_bit(bits)
            smaller.option[first.option + n_options] = tables.option[option]
            n_options += 1
            bits = np.uint32(bits & (bits - 1))
    for group in range(old.n_groups):
        lanes = state.uncovered[level, group]
        while lanes:
            item = old.item + group * N_LANES + lowest_bit(lanes)
            smaller.item[first.item + n_items] = tables.item[item]
            n_items += 1
            lanes = np.uint32(lanes & (lanes - 1))
    shape = stacked_shape(NO_TABLE if table == 0 else old, level, n_options, n_items)
    build_table(entries, smaller, shape, scratch)
    for k in range(len(shape)):
        state.shapes[table + 1, k] = shape[k]
    fill_level(state, shape)
    register[Register.TAIL] = table + 1


@kernel
def search_bitset(entries, root, smaller, scratch, state, budget):
    """Search until the budget is spent, the target is reached, or the tree is exhausted.

    Parameters: `entries`; `root`, the tables of the problem, which are not modified; `smaller`, the
    tables that the search builds; `scratch`; `state`; `budget` int64, the value of
    Register.UPDATES at which to stop. Returns EXHAUSTED, SOLUTION or BUDGET.
    """
    register = state.register
    while True:
        table = register[Register.TAIL]
        tables = smaller if table else root
        status = search_table(tables, table, state, budget)
        if status == SHRINK:
            shrink(entries, tables, smaller, scratch, state)
        elif status == EXHAUSTED and table:
            register[Register.TAIL] -= 1
        else:
            return status
