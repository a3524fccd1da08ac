"""The state of a search on bitmaps, with the bounds of a problem with multiplicities."""

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...jit.simd import N_LANES, allocate_rows, load, splat, store, write_lane
from ..dlx.branching import BranchingRule, set_rule
from ..dlx.state import N_REGISTERS, NO_COVERS
from ..problem import Problem
from .bitmaps import LANE_BITS, Shape, Vectors, smaller_sizes

IS_COVERED = 2**LANE_BITS - 1  # in place of the number of options of an item that is covered
MAX_BOUND = IS_COVERED - 1  # more options than any item has
NO_OPTION = np.uint32(2**32 - 1)  # the choice if an item gets no further options
N_SIZE_CLASSES = 64  # of nodes, by the number of items left

ArraysT = TypeVar("ArraysT", bound=tuple[NDArray[Any], ...])


# Indices into the array `register` of a search, in addition to those of `Register`: the number of
# times that options were counted, and the number of the last table on the stack
COUNTS = N_REGISTERS
TABLE = N_REGISTERS + 1


class BitsetState(NamedTuple):
    """The state of the search.

    The number of levels is that of primary items, plus 1; with multiplicities, it is the one that
    `start_bounds` derives. Bitmaps have a row of vectors for each level, with the options of the
    table of that level.
    """

    choice: NDArray[np.uint32]  # (levels,) the chosen options, by their numbers in the problem
    n_chosen: NDArray[np.int64]  # (levels,) how many of them precede the choice of a level
    available: Vectors  # the options that can still be chosen
    untried: Vectors  # the options of the branching item that are still to be tried
    uncovered: NDArray[np.uint32]  # (levels, groups) a bit for each item that is not covered
    n_uncovered: NDArray[np.int64]  # (levels,) the number of these items
    item: NDArray[np.uint32]  # (levels,) the item that is branched on
    n_tried: NDArray[np.int64]  # (levels,) the number of branches tried
    n_branches: NDArray[np.int64]  # (levels,) the number of branches in total
    first_count: NDArray[np.int64]  # (levels,) COUNTS when the level was entered
    shapes: NDArray[np.int64]  # (tables, fields of `Shape`) the shapes of the tables on the stack
    n_options: Vectors  # (groups, N_LANES) the number of options of each item
    subtree_size: NDArray[np.float64]  # (N_SIZE_CLASSES,) the expected number of counts
    found: NDArray[np.uint32]  # (covers, 1 + levels) see `store_cover`
    register: NDArray[np.int64]  # indexed by `Register`, COUNTS and TABLE


class LaneBounds(NamedTuple):
    """The bounds of a problem with multiplicities; a problem without them has None instead.

    Each group of 32 items has a vector: `low` and `high` of the problem, and what remains of them
    at each level.
    """

    low: Vectors  # (groups, N_LANES)
    high: Vectors  # (groups, N_LANES)
    need: Vectors  # (levels × groups, N_LANES) the number of options that an item still needs
    capacity: Vectors  # (levels × groups, N_LANES) the number of options that it can still have


def start_bounds(problem: Problem, shape: Shape) -> LaneBounds | None:
    """Return the bounds of a problem at the first level, given the shape of its table."""
    if problem.low is None or problem.high is None:
        return None
    # At each level, either an option is chosen, or an item gets no further options.
    n_chosen = min(shape.n_options, int(np.minimum(problem.high, shape.n_options).sum()))
    n_levels = n_chosen + shape.n_items + 1
    bounds = LaneBounds(*map(allocate_rows, [shape.n_groups] * 2 + [n_levels * shape.n_groups] * 2))
    for vectors, numbers in ((bounds.low, problem.low), (bounds.high, problem.high)):
        vectors.reshape(-1)[: shape.n_items] = np.minimum(numbers, MAX_BOUND)
    return bounds


def start_bitset(shape: Shape, bounds: LaneBounds | None, rule: BranchingRule) -> BitsetState:
    """X1 [Initialize.] Return a state without any choice, given the shape of the first table."""
    n_levels = shape.n_items + 1
    if bounds is not None:  # those for which `start_bounds` has allocated rows
        n_levels = len(bounds.need) // shape.n_groups
    shapes = np.zeros((1 + len(smaller_sizes(shape)), len(shape)), np.int64)
    shapes[0] = shape
    n_chosen, n_uncovered, n_tried, n_branches, first_count = np.zeros((5, n_levels), np.int64)
    register = np.zeros(N_REGISTERS + 2, np.int64)
    set_rule(register, rule)
    state = BitsetState(
        np.zeros(n_levels, np.uint32),  # choice
        n_chosen,
        allocate_rows(n_levels * shape.n_vectors),  # available
        allocate_rows(n_levels * shape.n_vectors),  # untried
        np.zeros((n_levels, shape.n_groups), np.uint32),  # uncovered
        n_uncovered,
        np.zeros(n_levels, np.uint32),  # item
        n_tried,
        n_branches,
        first_count,
        shapes,
        allocate_rows(shape.n_groups),  # n_options
        np.zeros(N_SIZE_CLASSES, np.float64),  # subtree_size
        NO_COVERS,
        register,
    )
    fill_root(bounds, state, shape)
    return state


def aligned_copy(arrays: ArraysT) -> ArraysT:
    """Return a copy of a named tuple of arrays whose vectors are aligned to cache lines."""
    copies = []
    for array in arrays:
        is_vectors = array.dtype == np.uint16
        copies.append(allocate_rows(len(array)) if is_vectors else np.empty_like(array))
        copies[-1][:] = array
    return type(arrays)(*copies)


@inlined
def table_shape(state, table):
    """Return the shape of a table (int64) on the stack, a row of `state.shapes`."""
    row = state.shapes[table]
    return Shape(
        *(row[0], row[1], row[2], row[3], row[4], row[5]),
        *(row[6], row[7], row[8], row[9], row[10], row[11]),
    )


@inlined
def row_vectors(state):
    """Return the number of vectors in each row of `state.available` and `state.untried`."""
    return len(state.available) // max(1, len(state.choice))


@njit
def fill_level(state, shape):
    """Make all options of a table available at its level, and none of its items covered.

    Writes the level in `available`, `uncovered` and `n_uncovered` of `state`.
    """
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


@njit
def fill_root(bounds, state, shape):
    """Undo all choices: write the first level, given the shape of the first table.

    Writes `need` and `capacity` of `bounds`, if there are any, and `state`.
    """
    state.n_chosen[0] = 0
    fill_level(state, shape)
    if bounds is not None:
        for group in range(shape.n_groups):
            store(bounds.need, group, load(bounds.low, group))
            store(bounds.capacity, group, load(bounds.high, group))


@inlined
def bounds_row(bounds, level):
    """Return the first row of a level (int64) in `bounds.need` and `bounds.capacity`."""
    return level * len(bounds.low)
