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

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import inlined, kernel
from ...jit.intrinsics import count_bits, lowest_bit
from ...jit.simd import N_LANES, align_stack, read_lane
from ..branching import Branching, BranchingRule
from ..problem import Problem
from ..state import (
    BUDGET,
    ENTER,
    EXHAUSTED,
    LEAVE,
    SOLUTION,
    UNLIMITED,
    Register,
    store_cover,
)
from ..subtree import Subtree
from .bitmaps import (
    LANE_BITS,
    NO_TABLE,
    Entries,
    Scratch,
    Shape,
    Tables,
    Vectors,
    allocate_scratch,
    allocate_tables,
    array_sizes,
    build_root,
    build_table,
    encode_entries,
    smaller_sizes,
    stack_shapes,
    stacked_shape,
)
from .nodes import (
    ALL_COVERED,
    DEAD_END,
    N_SIZE_CLASSES,
    OPEN,
    BitsetRegister,
    BitsetState,
    aligned_copy,
    choose_item,
    choose_option,
    fill_level,
    find_untried,
    next_option,
    propagate,
    row_vectors,
    start_bitset,
    table_shape,
)

if TYPE_CHECKING:
    from typing_extensions import Self

SHRINK = 3  # a further return value of `search_table`: build smaller tables for this node
NO_OPTION = np.uint32(2**32 - 1)

# The expected benefit of smaller tables, in the time that counting takes for one vector.
VECTORS_PER_TABLE = 400  # the time to build a table without options
VECTORS_PER_OPTION = 80  # the additional time for each option
LEARNING_RATE = 1 / 16  # the weight of the last subtree in the expected size


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
        if register[Register.INTERRUPT] != 0:
            budget = 0  # ends the search after this step
        row = level * stride
        if resume == ENTER:
            # X2 [Enter level l.]
            outcome, n_uncovered, n_forced, n_updates = propagate(tables, shape, state, level, row)
            nodes += n_forced
            updates += n_updates
            resume = LEAVE
            if outcome == DEAD_END:
                continue
            if outcome == ALL_COVERED:
                n_chosen = state.n_chosen[np.uint64(level)]
                store_cover(state.found, target - solutions, state.choice, n_chosen, NO_OPTION)
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
            is_counting = len(state.found) == 0
            if is_counting and n_uncovered == 1 and solutions + n_branches < target:
                solutions += n_branches
                continue
            # X4 [Cover i.]
            find_untried(tables, shape, state, row, item)
            at = np.uint64(level)
            state.item[at] = tables.item[np.uint64(shape.item + item)]
            state.n_tried[at], state.n_branches[at] = 0, n_branches
            state.first_count[at] = register[BitsetRegister.COUNTS]
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
            size = max(0, register[BitsetRegister.COUNTS] - state.first_count[np.uint64(level)])
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
    level, table = register[Register.LEVEL], register[BitsetRegister.TABLE]
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
    register[BitsetRegister.TABLE] = table + 1


@kernel
def search_bitset(entries, root, smaller, scratch, state, budget):
    """Search until the budget is spent, the target is reached, or the tree is exhausted.

    Parameters: `entries`; `root`, the tables of the problem, which are not modified; `smaller`, the
    tables that the search builds; `scratch`; `state`; `budget` int64, the value of
    Register.UPDATES at which to stop. Returns EXHAUSTED, SOLUTION or BUDGET.
    """
    register = state.register
    while True:
        table = register[BitsetRegister.TABLE]
        tables = smaller if table else root
        status = search_table(tables, table, state, budget)
        if status == SHRINK:
            shrink(entries, tables, smaller, scratch, state)
        elif status == EXHAUSTED and table:
            register[BitsetRegister.TABLE] -= 1
        else:
            return status


@kernel
def descend_bitset(root, state, items, options, draws, sums):
    """Follow a path from the root down as `descend` does, with the steps of `search_bitset`.

    `options` has the options to choose. A random path is undone at the end.
    """
    align_stack()
    register, shape, stride = state.register, table_shape(state, 0), row_vectors(state)
    level, row = 0, 0
    weight = 1.0
    is_given = len(draws) == 0
    outcome = OPEN
    while outcome == OPEN and not (is_given and level == len(options)):
        outcome, _, n_forced, n_updates = propagate(root, shape, state, level, row)
        sums[1] += weight * n_forced
        sums[2] += weight * n_updates
        if outcome != OPEN:
            break
        sums[1] += weight
        item, n_branches = choose_item(root, shape, state)
        if is_given and items[level] != item:
            lane = np.int64(items[level])
            if register[Register.BRANCHING] != Branching.RANDOM or lane >= shape.n_items:
                return False
            if read_lane(state.n_options, lane // N_LANES, lane % N_LANES) != n_branches:
                return False
            item = lane
        find_untried(root, shape, state, row, item)
        option = next_option(state, row, shape.n_vectors)
        n_tried, n_to_try = 1, UNLIMITED if is_given else 1 + int(draws[level] * n_branches)
        while n_tried < n_to_try and not (is_given and root.option[option] == options[level]):
            option = next_option(state, row, shape.n_vectors)
            n_tried += 1
            if option < 0:
                return False
        state.item[level], state.n_branches[level] = item, n_branches
        state.n_tried[level], state.first_count[level] = n_tried, register[BitsetRegister.COUNTS]
        choose_option(root, shape, state, option, level, row, level + 1, row + stride)
        weight *= n_branches
        level, row = level + 1, row + stride
    if outcome == ALL_COVERED:
        sums[0] += weight
    if is_given:
        register[Register.LEVEL] = level
        return level == len(options)
    state.n_chosen[0] = 0
    fill_level(state, shape)
    return True


class SubtreeBitset(Subtree):
    """Algorithm X on bitmaps.

    Parameters
    ----------
    entries : Entries
    n_rows : int
        The number of rows of bitmaps that the entries refer to.
    root : Tables
        The tables of the problem, which its searches share and none of them modifies.
    state : BitsetState
    """

    groups: tuple[Entries, Tables, Tables, Scratch, BitsetState]
    kernel = staticmethod(search_bitset)

    def __init__(self, entries: Entries, n_rows: int, root: Tables, state: BitsetState) -> None:
        self.n_rows = n_rows
        super().__init__(self._with_memory(entries, root, None, state))

    @classmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "Self":
        """Return the whole tree, unexplored. Raises as `build_root` does.

        The options of the problem must be valid: `link_problem` checks them.
        """
        entries, n_rows = encode_entries(problem)
        root, shape = build_root(problem, entries, n_rows)
        return cls(entries, n_rows, root, start_bitset(shape, rule))

    def _with_memory(
        self, entries: Entries, root: Tables, used: Tables | None, state: BitsetState
    ) -> tuple[Entries, Tables, Tables, Scratch, BitsetState]:
        """Return groups with memory for smaller tables; `used` is the part that is in use."""
        shape = Shape(*state.shapes[0].tolist())
        sizes = smaller_sizes(shape)
        smaller = allocate_tables(sizes)
        if used is not None:
            for field in Tables._fields:
                begin = getattr(used, field)
                getattr(smaller, field)[: len(begin)] = begin
        [largest] = stack_shapes(sizes[:1] or [(0, 0)])
        return entries, root, smaller, allocate_scratch(self.n_rows, largest), state

    def _copy_groups(self) -> tuple[Any, ...]:
        entries, root, _, _, state = self.groups
        return self._with_memory(entries, root, self._used_tables(), aligned_copy(state))

    def __getstate__(self) -> dict[str, Any]:
        """Pickle only the tables that are in use."""
        if self.is_done:
            return self.__dict__
        entries, root, _, _, state = self.groups
        return self.__dict__ | {"groups": (entries, root, self._used_tables(), state)}

    def __setstate__(self, content: dict[str, Any]) -> None:
        self.__dict__.update(content)
        if not self.is_done:
            entries, root, used, state = content["groups"]
            self.groups = self._with_memory(entries, root, used, aligned_copy(state))

    def _options_of(self, choices: NDArray[np.integer]) -> NDArray[np.integer]:
        return choices

    def _list_branches(self, taken: NDArray[np.int64], branches: NDArray[np.int64]) -> None:
        state = self.groups[-1]
        taken[:] = state.n_tried[: len(taken)] - 1
        branches[:] = state.n_branches[: len(branches)]

    def undo_from(self, level: int) -> None:
        register, shapes = self.register, self.groups[-1].shapes
        register[Register.LEVEL] = min(level, register[Register.LEVEL])
        register[Register.RESUME] = LEAVE
        while Shape(*shapes[register[BitsetRegister.TABLE]]).level > level:
            register[BitsetRegister.TABLE] -= 1

    def _descend(self, *arrays: NDArray[Any]) -> bool:
        return bool(descend_bitset(self.groups[1], self.groups[4], *arrays))

    def _steps(self) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        state = self.groups[-1]
        levels = slice(self.register[Register.LEVEL])
        return state.item[levels], state.choice[state.n_chosen[levels]]

    def _untried(self, level: int) -> NDArray[np.integer]:
        options, bitmap = self._untried_bitmap(level)
        return options[np.flatnonzero(_unpack(bitmap))]

    def _keep_untried(self, level: int, begin: int, end: int) -> None:
        state = self.groups[-1]
        _, bitmap = self._untried_bitmap(level)
        bits = _unpack(bitmap)
        positions = np.flatnonzero(bits)
        bits[positions[:begin]] = bits[positions[end:]] = 0
        bitmap[:] = np.packbits(bits, bitorder="little").view("<u2").reshape(bitmap.shape)
        state.n_tried[level] += begin
        state.n_branches[level] = state.n_tried[level] + len(positions[begin:end])

    def _used_tables(self) -> Tables:
        """Return the part of the stack of smaller tables that is in use, as views."""
        _, _, smaller, _, state = self.groups
        top = self.register[BitsetRegister.TABLE]
        lengths = array_sizes(Shape(*state.shapes[top].tolist()) if top else NO_TABLE)
        fields = zip(Tables._fields, lengths, strict=True)
        return Tables(*(getattr(smaller, field)[:length] for field, length in fields))

    def _untried_bitmap(self, level: int) -> tuple[NDArray[np.uint32], Vectors]:
        """Return the options of the table of a level, and a view of those that are untried."""
        _, root, smaller, _, state = self.groups
        table = int(self.register[BitsetRegister.TABLE])
        while (shape := Shape(*state.shapes[table].tolist())).level > level:
            table -= 1
        first = level * (len(state.untried) // len(state.choice))
        options = (smaller if table else root).option[shape.option :]
        return options, state.untried[first : first + shape.n_vectors]


def _unpack(bitmap: Vectors) -> NDArray[np.integer]:
    """Return the bits of a bitmap as a new array, one element for each option of its table."""
    return np.unpackbits(bitmap.astype("<u2").view(np.uint8), axis=None, bitorder="little")
