"""The steps of a search on bitmaps at a node.

The functions share these parameters:

- `tables`: `Tables`, which are read; `shape`: the `Shape` of the current one of them.
- `bounds`: `LaneBounds` or None; `need` and `capacity` are written.
- `state`: `BitsetState`; the rows of the level or levels in question are written.
- `level`: int64, and `row`: int64, the first row (of `N_LANES` elements, uint16) of the level in
  `state.available` and `state.untried`. Those of the level to be written are `new_level` and
  `new_row`.
- `group`: int64, 32 items; `lane`: the number of an item in its group, and `lanes`: uint32, a bit
  for each item of a group. `item` and `option`: int64, their positions in the table.
"""

import numpy as np

from ...jit import inlined
from ...jit.intrinsics import count_bits, lowest_bit
from ...jit.simd import (
    N_LANES,
    lanes_equal,
    load,
    minimum,
    popcount_lanes,
    read_lane,
    smallest_lane,
    splat,
    store,
    where_bits,
    write_lane,
)
from ...runtime.arguments import UNLIMITED
from ..dlx.branching import LOW_PRIORITY, Branching, item_rank, wins_tie
from ..dlx.state import Register
from .bitmaps import LANE_BITS
from .state import COUNTS, IS_COVERED, NO_OPTION, bounds_row, row_vectors

# The outcomes of `propagate`
DEAD_END = 0
ALL_COVERED = 1
OPEN = 2
ALL_LANES = np.uint32(2**N_LANES - 1)


@inlined
def count_options(tables, bounds, shape, state, level, row):
    """Count the available options of each item, in `state.n_options`. Return the outcome.

    With `bounds`, what counts is the number of branches for the item, as in Algorithm M: the number
    of its options, plus 1, minus the number of options that it still needs. An item that needs no
    option and has none is regarded as covered. `row` is the row of the level in `state.available`.
    """
    has_branches = np.uint32(0)
    for group in range(shape.n_groups):
        uncovered = state.uncovered[level, group]
        first = shape.counted + group * shape.n_chunks
        total = splat(0)
        if uncovered != 0:
            if shape.n_vectors == 1:
                for chunk in range(shape.n_chunks):
                    bits = read_lane(state.available, row, chunk)
                    counted = load(tables.counted, first + chunk)
                    total = total + popcount_lanes(counted & splat(bits))
            else:  # skip lanes without options; in a small table, this would take longer
                for k in range(shape.n_vectors):
                    lanes = lanes_equal(load(state.available, row + k), splat(0)) ^ ALL_LANES
                    while lanes:
                        lane = lowest_bit(lanes)
                        lanes = np.uint32(lanes & (lanes - 1))
                        bits = read_lane(state.available, row + k, lane)
                        counted = load(tables.counted, first + k * N_LANES + lane)
                        total = total + popcount_lanes(counted & splat(bits))
        if bounds is not None:
            need = load(bounds.need, bounds_row(bounds, level) + group)
            # The lanes of items that have fewer options than they need
            is_missing = lanes_equal(minimum(need, total), need) ^ ALL_LANES
            if is_missing & uncovered:
                return DEAD_END
            uncovered &= lanes_equal(total, splat(0)) ^ ALL_LANES
            total = total + splat(1) - need
        total = where_bits(uncovered, total, splat(IS_COVERED))
        store(state.n_options, group, total)
        if lanes_equal(total, splat(0)):  # an item has no branch
            return DEAD_END
        has_branches |= uncovered
    return OPEN if has_branches else ALL_COVERED


@inlined
def position(k, lane, bits):
    """Return the position of the lowest of the bits in a lane of vector `k` of a bitmap."""
    return (N_LANES * k + lane) * LANE_BITS + lowest_bit(bits)


@inlined
def forced_option(tables, shape, state, row, item):
    """Return the first available option of an item, as a position, or -1 if there is none.

    It is forced where the item has no other option.
    """
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
def clear_bit(state, row, option):
    """Make an option unavailable in a row, given its position."""
    chunk = np.int64(option) // LANE_BITS
    bits = read_lane(state.available, row + chunk // N_LANES, chunk % N_LANES)
    bits &= ~(1 << (np.int64(option) % LANE_BITS))
    write_lane(state.available, row + chunk // N_LANES, chunk % N_LANES, bits)


@inlined
def use_bounds(bounds, group, lanes, level, new_level):
    """Write the need and the capacity of a group of items at `new_level`.

    They are those at `level`, less 1 for the items in `lanes`, which an option covers. Returns the
    lanes of those whose capacity becomes 0.
    """
    row = bounds_row(bounds, level) + group
    new_row = bounds_row(bounds, new_level) + group
    used = where_bits(lanes, splat(1), splat(0))
    need = load(bounds.need, row)
    capacity = load(bounds.capacity, row) - used
    store(bounds.need, new_row, need - minimum(need, used))
    store(bounds.capacity, new_row, capacity)
    return lanes & lanes_equal(capacity, splat(0))


@inlined
def hide_options(tables, shape, state, group, lanes, row):
    """Make the options of some items of a group unavailable in a row."""
    while lanes:
        item = group * N_LANES + lowest_bit(lanes)
        lanes = np.uint32(lanes & (lanes - 1))
        containing = shape.containing + item * shape.n_vectors
        for k in range(shape.n_vectors):
            bitmap = load(state.available, row + k) & ~load(tables.containing, containing + k)
            store(state.available, row + k, bitmap)


@inlined
def choose_none(bounds, shape, state, level, row):
    """Choose no further option of an item that has none left, and write the next level.

    The item stays uncovered: `count_options` regards it as covered, as it needs no option.
    """
    for k in range(shape.n_vectors):
        store(state.available, row + row_vectors(state) + k, load(state.available, row + k))
    for group in range(shape.n_groups):
        use_bounds(bounds, group, np.uint32(0), level, level + 1)
        state.uncovered[level + 1, group] = state.uncovered[level, group]
    state.n_uncovered[level + 1] = state.n_uncovered[level]
    state.choice[state.n_chosen[level]] = NO_OPTION
    state.n_chosen[level + 1] = state.n_chosen[level] + 1


@inlined
def choose_option(tables, bounds, shape, state, option, level, row, new_level, new_row):
    """X5 [Try x_l.] Choose an option at a level, and write what remains to `new_level`.

    Parameters: `tables` and their `shape`; `bounds` or None, and `state`, which are written;
    `option`, its position in the tables; `level`, and `row`, its first row of `state.available`;
    `new_level`, which may be `level`, and its first row `new_row`. With `bounds`, the option is no
    longer available at `level`, because other options of the same item are tried without it.
    """
    if bounds is not None:
        clear_bit(state, row, option)
    compatible = shape.compatible + option * shape.n_vectors
    for k in range(shape.n_vectors):
        bitmap = load(state.available, row + k) & load(tables.compatible, compatible + k)
        store(state.available, new_row + k, bitmap)
    covered = shape.covered + option * shape.n_groups
    at = shape.option + option
    n_covered = np.int64(tables.n_covered[at]) if bounds is None else 0
    for group in range(shape.n_groups):
        lanes = tables.covered[covered + group]
        if bounds is not None:  # only items whose capacity becomes 0 are covered
            lanes = use_bounds(bounds, group, lanes, level, new_level)
            n_covered += count_bits(lanes)
            hide_options(tables, shape, state, group, lanes, new_row)
        uncovered = state.uncovered[level, group] & ~lanes
        state.uncovered[new_level, group] = uncovered
    state.n_uncovered[new_level] = state.n_uncovered[level] - n_covered
    n_chosen = state.n_chosen[level]
    state.choice[n_chosen] = tables.option[at]
    state.n_chosen[new_level] = n_chosen + 1


@inlined
def is_needing(bounds, state, level, group, lane):
    """Return whether an item still needs an option."""
    if bounds is not None:
        return read_lane(bounds.need, bounds_row(bounds, level) + group, lane) != 0
    return (state.uncovered[level, group] >> lane) & 1 != 0


@inlined
def choose_forced(tables, bounds, shape, state, level, row):
    """Choose the options of all items that have one branch, as just counted.

    The option of one item may satisfy others of them, too. Returns the number of options chosen, or
    -1 if they exclude each other.
    """
    n_forced = 0
    if bounds is not None and state.register[Register.BRANCHING] == Branching.LEFTMOST:
        return 0  # Algorithm M takes the first item, forced or not
    for group in range(shape.n_groups):
        lanes = lanes_equal(load(state.n_options, group), splat(1))
        while lanes:
            lane = lowest_bit(lanes)
            lanes = np.uint32(lanes & (lanes - 1))
            while is_needing(bounds, state, level, group, lane):
                item = group * N_LANES + lane
                option = forced_option(tables, shape, state, row, item)
                if option < 0:
                    return -1
                choose_option(tables, bounds, shape, state, option, level, row, level, row)
                n_forced += 1
    return n_forced


@inlined
def propagate(tables, bounds, shape, state, level, row):
    """Choose forced options until each item has two branches, or a cover or a dead end is found.

    Returns the outcome, the number of items left, and the numbers of nodes and updates.
    """
    nodes = 0
    updates = 0
    n_uncovered = state.n_uncovered[level]
    while n_uncovered:
        updates += n_uncovered
        state.register[COUNTS] += 1
        outcome = count_options(tables, bounds, shape, state, level, row)
        if outcome != OPEN:
            return outcome, n_uncovered, nodes, updates
        n_forced = choose_forced(tables, bounds, shape, state, level, row)
        if n_forced < 0:
            return DEAD_END, n_uncovered, nodes, updates
        if n_forced == 0:
            return OPEN, n_uncovered, nodes, updates
        nodes += n_forced
        n_uncovered = state.n_uncovered[level]
    return ALL_COVERED, n_uncovered, nodes, updates


@inlined
def free_lanes(bounds, state, level, group):
    """Return the items of a group whose options can be chosen or omitted freely.

    They need no option, and have capacity for all that are left. One branch has no option, so there
    are up to capacity + 1 branches, which `state.n_options` counts. Returns a bit for each item.
    """
    if bounds is None:
        return np.uint32(0)
    row = bounds_row(bounds, level) + group
    sizes = load(state.n_options, group)
    most = load(bounds.capacity, row) + splat(1)
    return lanes_equal(load(bounds.need, row), splat(0)) & lanes_equal(minimum(sizes, most), sizes)


@inlined
def choose_item(tables, bounds, shape, state, level):
    """X3 [Choose i.] Return the item to branch on, by its number in the table, and its branches.

    Items whose options can be chosen or omitted freely are chosen last.
    IS_COVERED exceeds the size of any item that is not covered.
    """
    register = state.register
    best = 0
    best_size = np.int64(IS_COVERED)
    if register[Register.BRANCHING] == Branching.SMALLEST:  # 32 items at a time
        for skips_free in (True, False):
            for group in range(shape.n_groups):
                sizes = load(state.n_options, group)
                if bounds is not None and skips_free:
                    free = free_lanes(bounds, state, level, group)
                    sizes = where_bits(free, splat(IS_COVERED), sizes)
                size = np.int64(smallest_lane(sizes))
                if size < best_size:
                    lane = lowest_bit(lanes_equal(sizes, splat(size)))
                    best = group * N_LANES + lane
                    best_size = size
            if bounds is None or best_size != IS_COVERED:
                break
        return best, best_size
    # Other rules, item by item
    best_rank = UNLIMITED
    n_ties = 0
    for lane in range(shape.n_items):
        size = np.int64(read_lane(state.n_options, lane // N_LANES, lane % N_LANES))
        if size != IS_COVERED:
            item = tables.item[shape.item + lane]
            rank = item_rank(register, item + 1, size)
            free = free_lanes(bounds, state, level, lane // N_LANES)
            if (free >> (lane % N_LANES)) & 1:
                rank += 2 * LOW_PRIORITY  # `item_rank` adds it once to items that are not sharp
            if rank <= best_rank:
                n_ties = n_ties + 1 if rank == best_rank else 1
                if wins_tie(register, n_ties):
                    best = lane
                    best_size = size
                best_rank = rank
    return best, best_size


@inlined
def find_untried(tables, shape, state, row, item):
    """Set the untried options of a level to the available options of an item."""
    containing = shape.containing + item * shape.n_vectors
    for k in range(shape.n_vectors):
        bitmap = load(state.available, row + k) & load(tables.containing, containing + k)
        store(state.untried, row + k, bitmap)
