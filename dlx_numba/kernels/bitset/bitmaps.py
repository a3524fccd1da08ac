"""Bitmaps of an exact cover problem: the tables that `algorithm` searches.

A bitmap of options is a row of vectors (`jit.simd`): bit b of lane i of vector k is option
16 (32 k + i) + b of the table. A table has the options that are available and the items that are
not covered at the node of the search for which it was built. The options keep the order of the
problem, and so do the items, each of which has a number in the table, its lane.

The search counts the options of 32 items at a time, so the table also stores the bitmaps
transposed: vector c of a group of 32 items has, in the lane of each item, its options among those
from 16 c to 16 c + 15.

Secondary items and colors affect `compatible` only. Two options are compatible if they share no
item, except for secondary items to which both give the same color.
"""

import os
from collections.abc import Iterable
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...jit.namespaces import plain_python
from ...jit.simd import N_LANES, allocate_rows, load, read_lane, splat, store, write_lane
from ..csr import row_range
from ..problem import Problem

LANE_BITS = 16
VECTOR_BITS = N_LANES * LANE_BITS  # options in a vector
MAX_BYTES = 10**9  # the maximum size of the tables of a problem
VECTORS_PER_SLICE = 1 << 15  # of a bitmap of options, for each step of building tables
# 2**16 - 1 marks covered items (IS_COVERED), so an item has at most 2**16 - 2 branches, one of
# which may be to choose no further option.
MAX_OPTIONS_PER_ITEM = 2**LANE_BITS - 3

Vectors = NDArray[np.uint16]  # (rows, N_LANES)


class Tables(NamedTuple):
    """The tables of one problem, or of several smaller ones that a search has built, on a stack."""

    counted: Vectors  # for each group of 32 items and each 16 options: the transposed bitmap
    containing: Vectors  # for each item: the options that contain it
    compatible: Vectors  # for each option: the options that are compatible with it
    covered: NDArray[np.uint32]  # for each option and each group of items: a bit for each item
    n_covered: NDArray[np.uint32]  # for each option: the number of its primary items
    option: NDArray[np.uint32]  # the number of each option in the problem
    item: NDArray[np.uint32]  # the number of each item in the problem


class Shape(NamedTuple):
    """The sizes of a table, and its start in each array of `Tables`."""

    level: int  # the level of the node for which the table was built
    n_options: int
    n_items: int
    n_chunks: int  # the number of lanes in a bitmap of options
    n_vectors: int  # the number of vectors in a bitmap of options
    n_groups: int  # the number of groups of 32 items
    counted: int
    containing: int
    compatible: int
    covered: int
    option: int
    item: int


class Entries(NamedTuple):
    """The items of all options. An entry consists of two rows of `Scratch.bitmaps`.

    Row 0 is always empty, row 1 + i has the options with item i. The other rows have the options
    that give an item a certain color.
    """

    indptr: NDArray[np.int64]  # (options + 1,) the start of each option, and the end of the last
    item_row: NDArray[np.uint32]  # (entries,) options with this item
    # (entries,) those that give it the same color; 0 without color. Options with an item that is
    # covered several times do not exclude each other, as if all gave it the same color.
    color_row: NDArray[np.uint32]


class Scratch(NamedTuple):
    """Memory for building a table."""

    bitmaps: Vectors  # (rows of `Entries`) × (vectors in a bitmap)
    lane: NDArray[np.uint32]  # (items,) the number of an item in the table


@inlined
def stacked_shape(below, level, n_options, n_items):
    """Return the shape of a table that follows the one with the shape `below` in all arrays.

    The other parameters are the first fields of `Shape`, int64.
    """
    return Shape(
        level,
        n_options,
        n_items,
        (n_options + LANE_BITS - 1) // LANE_BITS,  # n_chunks
        max(1, (n_options + VECTOR_BITS - 1) // VECTOR_BITS),  # n_vectors
        max(1, (n_items + N_LANES - 1) // N_LANES),  # n_groups
        below.counted + below.n_groups * below.n_chunks,
        below.containing + below.n_items * below.n_vectors,
        below.compatible + below.n_options * below.n_vectors,
        below.covered + below.n_options * below.n_groups,
        below.option + below.n_options,
        below.item + below.n_items,
    )


NO_TABLE = Shape(*[0] * len(Shape._fields))


def stack_shapes(sizes: Iterable[tuple[int, int]]) -> list[Shape]:
    """Return the shapes of tables on a stack, given their numbers of options and items.

    Their levels, which do not matter here, are 0.
    """
    shapes = [NO_TABLE]
    for n_options, n_items in sizes:
        shapes.append(plain_python(stacked_shape)(shapes[-1], 0, n_options, n_items))
    return shapes[1:]


def array_sizes(top: Shape) -> list[int]:
    """Return the length of each array of `Tables` for a stack whose last table has this shape."""
    end = plain_python(stacked_shape)(top, 0, 0, 0)
    vectors = [end.counted, end.containing, end.compatible]
    return [*vectors, end.covered, end.option, end.option, end.item]


def smaller_sizes(shape: Shape) -> list[tuple[int, int]]:
    """Return the largest numbers of options and items of each table that a search stacks.

    `shape` is that of the first table. Another one is built when half of the options of the one
    below are left, at most; all items may be left.
    """
    n_options = shape.n_options
    return [(n_options >> k, shape.n_items) for k in range(1, n_options.bit_length())]


def encode_entries(problem: Problem) -> tuple[Entries, int]:
    """Return the entries of a problem, and the number of rows that they refer to.

    The rows: an empty one, one for each item, and one for each color of an item.
    """
    item_row = problem.items.astype(np.uint32) + np.uint32(1)
    color_row = np.zeros(len(item_row), np.uint32)
    n_rows = 1 + problem.n_items
    colored, pair, colored_items, _ = problem.color_pairs()
    color_row[colored] = n_rows + pair
    n_rows += len(colored_items)
    color_row = np.where(problem.item_high[problem.items] > 1, item_row, color_row)
    return Entries(problem.indptr.astype(np.int64), item_row, color_row), n_rows


def allocate_scratch(n_rows: int, shape: Shape) -> Scratch:
    """Allocate the memory for building tables up to a shape."""
    return Scratch(allocate_rows(n_rows * shape.n_vectors), np.zeros(shape.n_items, np.uint32))


def allocate_tables(sizes: Iterable[tuple[int, int]]) -> Tables:
    """Allocate a stack of tables, given their numbers of options and items.

    There is a last one even without sizes: an empty one, which needs no memory.
    """
    lengths = array_sizes(stack_shapes([*sizes, (0, 0)])[-1])
    vectors = lengths[:3]
    numbers = lengths[3:]
    return Tables(
        *map(allocate_rows, vectors), *(np.zeros(length, np.uint32) for length in numbers)
    )


class RootBuilder:
    """The first tables of a problem, which its searches share, built in slices.

    Options without primary items are left out, because they are never chosen. Raises ValueError if
    the tables would take more than MAX_BYTES, or an item has too many options. The tables are
    complete as soon as `build` returns False.
    """

    def __init__(self, problem: Problem) -> None:
        options = problem.usable_options()
        n_primary = problem.n_primary
        n_options = len(options)
        size = n_options, n_primary
        [shape] = stack_shapes([size])
        self.shape = shape
        # A bitmap of options for each option, and two for each item; then `covered`
        bitmap_bytes = shape.n_vectors * VECTOR_BITS // 8
        n_bytes = bitmap_bytes * (n_options + 2 * n_primary) + 4 * n_options * shape.n_groups
        if problem.low is not None:
            # The state has two bitmaps for each level, and there may be as many levels as options.
            n_bytes *= 3
        if n_bytes > MAX_BYTES:
            raise ValueError(
                f"bitmaps of {n_options:,} options and {n_primary:,} items take "
                f"{n_bytes / 1e9:,.1f} GB, more than {MAX_BYTES / 1e9:g} GB; use links"
            )
        most = problem.primary_sizes.max(initial=0)
        if most > MAX_OPTIONS_PER_ITEM:
            raise ValueError(
                f"an item has {most:,} options, more than {MAX_OPTIONS_PER_ITEM:,}; use links"
            )
        self.tables = allocate_tables([size])
        self.tables.option[:] = options
        self.tables.item[:] = np.arange(n_primary)
        self.entries, self.n_rows = encode_entries(problem)
        self._scratch: Scratch | None = allocate_scratch(self.n_rows, shape)
        self._n_steps: int = plain_python(count_steps)(shape)
        self._n_done = 0
        self._process = os.getpid()
        self._lock = Lock()

    def build(self) -> bool:
        """Do a slice of the work, and return whether some is left."""
        if self._process != os.getpid():  # after a fork, no thread would release the lock
            self._lock = Lock()
            self._process = os.getpid()
        with self._lock:
            if self._scratch is None:
                return False
            begin = self._n_done
            end = min(begin + max(1, VECTORS_PER_SLICE // self.shape.n_vectors), self._n_steps)
            build_table(self.entries, self.tables, self.shape, self._scratch, begin, end)
            self._n_done = end  # if an exception precedes this, the slice is repeated
            if end == self._n_steps:
                self._scratch = None
            return self._scratch is not None


@inlined
def count_steps(shape):
    """Return the number of steps in which `build_table` builds a table of this shape."""
    return shape.n_items + 3 * shape.n_options + shape.n_groups


@inlined
def clear_row(bitmaps, row, vectors):
    """Clear a row, int64, of bitmaps, which has `vectors` vectors."""
    for k in range(vectors):
        store(bitmaps, row * vectors + k, splat(0))


@njit
def describe_option(entries, tables, shape, scratch, position):
    """Write what option `position`, int64, of a table is compatible with, and what it covers.

    It conflicts with the options that share an item with it, itself among them, except for those
    that give the item the same color.

    Parameters: as for `build_table`; the bitmaps of `scratch` are complete. Modifies `tables`.
    """
    indptr, item_row, color_row = entries
    bitmaps, lane_of = scratch
    vectors = shape.n_vectors
    option = tables.option[shape.option + position]
    first_entry = indptr[option]
    end_entry = indptr[option + 1]
    for k in range(vectors):  # of a row: a bit for each option
        conflicts = splat(0)
        for entry in range(first_entry, end_entry):
            same_item = load(bitmaps, item_row[entry] * vectors + k)
            if color_row[entry] != 0:
                same_color = load(bitmaps, color_row[entry] * vectors + k)
                same_item = same_item & ~same_color
            conflicts = conflicts | same_item
        store(tables.compatible, shape.compatible + position * vectors + k, ~conflicts)
    first_group = shape.covered + position * shape.n_groups
    for k in range(shape.n_groups):
        tables.covered[first_group + k] = 0
    n_covered = 0
    for entry in range(first_entry, end_entry):
        item = item_row[entry] - 1
        if item < len(lane_of):  # a primary item; the others have no lane
            lane = lane_of[item]
            group = first_group + lane // N_LANES
            tables.covered[group] |= np.uint32(1 << (lane % N_LANES))
            n_covered += 1
    tables.n_covered[shape.option + position] = n_covered


@njit
def build_table(entries, tables, shape, scratch, begin, end):
    """Build the table of the options and items that `tables.option` and `tables.item` list.

    Parameters: `entries`; `tables`, whose other arrays are written; its `Shape`; `scratch`, which
    is written; `begin` and `end` int64, the steps to do, of those that `count_steps` counts: for
    each item, to clear its bitmap; for each option, to clear those of its secondary items and
    colors, then to set its bits, then to compare it with the others; and for each group of items,
    to store its bitmaps. Before each loop, `begin` and `end` become relative to its first step. The
    items must include all primary items of the options.
    """
    indptr, item_row, color_row = entries
    bitmaps, lane_of = scratch
    n_options = shape.n_options
    n_items = shape.n_items
    vectors = shape.n_vectors
    groups = shape.n_groups
    first_option = shape.option
    first_item = shape.item
    for lane in range(begin, min(end, n_items)):
        item = tables.item[first_item + lane]
        lane_of[item] = lane
        clear_row(bitmaps, item + 1, vectors)
    begin, end = begin - n_items, end - n_items
    for position in range(max(begin, 0), min(end, n_options)):
        option = tables.option[first_option + position]
        for entry in row_range(indptr, option):
            for row in (item_row[entry], color_row[entry]):  # row 0 is always empty
                # The rows of primary items, from 1 to len(lane_of), are cleared above.
                if row > len(lane_of):
                    clear_row(bitmaps, row, vectors)
    begin, end = begin - n_options, end - n_options
    for position in range(max(begin, 0), min(end, n_options)):
        option = tables.option[first_option + position]
        bit = 1 << (position % LANE_BITS)
        chunk = position // LANE_BITS
        vector = chunk // N_LANES
        lane = chunk % N_LANES
        for entry in row_range(indptr, option):
            for row in (item_row[entry], color_row[entry]):
                if row != 0:  # 0 stands for no color
                    place = row * vectors + vector
                    write_lane(bitmaps, place, lane, read_lane(bitmaps, place, lane) | bit)
    begin, end = begin - n_options, end - n_options
    for position in range(max(begin, 0), min(end, n_options)):
        describe_option(entries, tables, shape, scratch, position)
    begin, end = begin - n_options, end - n_options
    for group in range(max(begin, 0), min(end, groups)):
        for lane in range(group * N_LANES, min((group + 1) * N_LANES, n_items)):
            source = (tables.item[first_item + lane] + 1) * vectors
            for k in range(vectors):
                target = shape.containing + lane * vectors + k
                store(tables.containing, target, load(bitmaps, source + k))
        transpose(tables, shape, group)


@njit
def transpose(tables, shape, group):
    """Fill a group, int64, of `tables.counted` from `tables.containing`, both (rows, N_LANES).

    `shape` is the `Shape` of the table.
    """
    vectors = shape.n_vectors
    chunks = shape.n_chunks
    first_lane = group * N_LANES
    n_lanes = min(N_LANES, shape.n_items - first_lane)
    for chunk in range(chunks):
        to = shape.counted + group * chunks + chunk
        row = shape.containing + first_lane * vectors + chunk // N_LANES
        for lane in range(n_lanes):
            bits = read_lane(tables.containing, row + lane * vectors, chunk % N_LANES)
            write_lane(tables.counted, to, lane, bits)
