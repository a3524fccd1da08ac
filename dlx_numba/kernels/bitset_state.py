"""The state of a search on bitmaps."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import inlined, kernel
from ..jit.simd import N_LANES, allocate_rows, splat, store, write_lane
from .bitmaps import LANE_BITS, Shape, Vectors
from .branching import PRIME, BranchingRule
from .state import N_REGISTERS, UNLIMITED, Register

N_SIZE_CLASSES = 64  # of nodes, by the number of items left


class BitsetState(NamedTuple):
    """The state of the search. The number of levels is that of primary items, plus 1.

    Bitmaps have a row of vectors for each level, with the options of the table of that level. There
    is no queue of forced items: Register.HEAD is the number of times that options were counted, and
    Register.TAIL the number of the last table on the stack.
    """

    choice: NDArray[np.uint32]  # (levels,) the chosen options, by their numbers in the problem
    n_chosen: NDArray[np.int64]  # (levels,) how many of them precede the choice of a level
    available: Vectors  # the options that can still be chosen
    untried: Vectors  # the options of the branching item that are still to be tried
    uncovered: NDArray[np.uint32]  # (levels, groups) a bit for each item that is not covered
    n_uncovered: NDArray[np.int64]  # (levels,) the number of these items
    item: NDArray[np.uint32]  # (levels,) the item that is branched on
    n_tried: NDArray[np.int64]  # (levels,) the number of options tried
    n_branches: NDArray[np.int64]  # (levels,) the number of options to try in total
    first_count: NDArray[np.int64]  # (levels,) Register.HEAD when the level was entered
    shapes: NDArray[np.int64]  # (tables, fields of `Shape`) the shapes of the tables on the stack
    n_options: Vectors  # (groups, N_LANES) the number of options of each item
    subtree_size: NDArray[np.float64]  # (N_SIZE_CLASSES,) the expected number of counts
    register: NDArray[np.int64]  # (N_REGISTERS,) indexed by `Register`


def start_bitset(shape: Shape, n_tables: int, rule: BranchingRule) -> BitsetState:
    """X1 [Initialize.] Return a state without any choice, given the shape of the first table."""
    n_levels = shape.n_items + 1
    shapes = np.zeros((n_tables, len(shape)), np.int64)
    shapes[0] = shape
    n_chosen, n_uncovered, n_tried, n_branches, first_count = np.zeros((5, n_levels), np.int64)
    register = np.zeros(N_REGISTERS, np.int64)
    register[Register.BRANCHING] = rule.branching
    register[Register.TARGET] = UNLIMITED
    register[Register.LAST_SHARP] = rule.last_sharp
    register[Register.RANDOM_STATE] = 1 + rule.seed % (PRIME - 1)
    state = BitsetState(
        np.zeros(n_levels, np.uint32),
        n_chosen,
        allocate_rows(n_levels * shape.n_vectors),
        allocate_rows(n_levels * shape.n_vectors),
        np.zeros((n_levels, shape.n_groups), np.uint32),
        n_uncovered,
        np.zeros(n_levels, np.uint32),
        n_tried,
        n_branches,
        first_count,
        shapes,
        allocate_rows(shape.n_groups),
        np.zeros(N_SIZE_CLASSES, np.float64),
        register,
    )
    fill_level(state, shape)
    return state


@inlined
def table_shape(state, table):
    """Return the shape of a table on the stack."""
    row = state.shapes[table]
    return Shape(
        *(row[0], row[1], row[2], row[3], row[4], row[5]),
        *(row[6], row[7], row[8], row[9], row[10], row[11]),
    )


@inlined
def row_vectors(state):
    """Return the number of vectors in each row of `state.available` and `state.untried`."""
    return len(state.available) // max(1, len(state.choice))


@kernel
def fill_level(state, shape):
    """Make all options of a table available at its level, and none of its items covered."""
    row = shape.level * row_vectors(state)
    for k in range(shape.n_vectors):
        store(state.available, row + k, splat(0))
    for chunk in range(shape.n_chunks):
        n_bits = min(LANE_BITS, shape.n_options - chunk * LANE_BITS)
        write_lane(state.available, row + chunk // N_LANES, chunk % N_LANES, (1 << n_bits) - 1)
    for group in range(shape.n_groups):
        n_bits = min(N_LANES, shape.n_items - group * N_LANES)
        state.uncovered[shape.level, group] = np.uint32((1 << n_bits) - 1)
    state.n_uncovered[shape.level] = shape.n_items
