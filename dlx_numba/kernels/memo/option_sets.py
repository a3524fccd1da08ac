"""The options of a problem as sets of bits, for the search with a memo."""

from collections.abc import Generator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..csr import group, positions_in, row_of
from ..problem import Problem
from .explore import Bitsets, Branches, Words
from .item_order import ItemOrder, pause_if_large

WORD_BITS = 64
MAX_SET_BYTES = 1 << 28  # of the items of all options, or the options compatible with each
WORDS_PER_SLICE = 1 << 22  # of sets that are computed between two pauses
BITS_PER_SLICE = 1 << 15  # each may be the first in its page of memory


class EncodedOptions(NamedTuple):
    """The options of a problem as bits."""

    branches: Branches
    bitsets: Bitsets | None
    numbers: NDArray[np.int64]  # (options,) their numbers in the problem


def require_small_sets(problem: Problem, needs_bitsets: bool) -> None:
    """Raise ValueError if sets of options, or of their items, need too much memory."""
    n_bits = problem.n_options if needs_bitsets else problem.n_primary
    if 8 * problem.n_options * count_words(n_bits) > MAX_SET_BYTES:
        raise ValueError(f"sets of {n_bits:,} bits for {problem.n_options:,} options are too large")


def encode_as_bits(
    problem: Problem, order: ItemOrder | None
) -> Generator[None, None, EncodedOptions]:
    """Encode the options as bits, with the primary items in an order, or as they are.

    Options without primary items are left out. Yields after each slice of the work, and returns the
    result. Raises ValueError if it needs too much memory.
    """
    needs_bitsets = order is None or problem.n_secondary > 0
    require_small_sets(problem, needs_bitsets)
    option_of = problem.option_of_node()
    is_primary = problem.items < problem.n_primary
    yield from pause_if_large(problem)
    ranks, first = problem.rank_nodes(np.arange(problem.n_primary) if order is None else order)
    yield from pause_if_large(problem)
    # All secondary items have the same rank, but their own numbers, which are higher.
    item_of_node = np.where(is_primary, ranks, problem.items)
    numbers = np.flatnonzero(first < problem.n_primary)  # of the options, in the order of the rows
    if order is not None:
        numbers = numbers[np.argsort(first[numbers], kind="stable")]
    left_out = len(numbers)
    yield from pause_if_large(problem)
    row_of_node = positions_in(numbers, problem.n_options, left_out)[option_of]
    items = np.zeros((len(numbers), count_words(problem.n_primary)), np.uint64)
    yield from pause_if_large(problem)
    yield from set_bits_in_slices(items, row_of_node[is_primary], item_of_node[is_primary])
    # Without an order, `first` does not ascend, but then there are bitsets, and this is not read.
    start = np.searchsorted(first[numbers], np.arange(problem.n_primary + 1)).astype(np.uint32)
    bitsets = None
    if needs_bitsets:
        is_used = row_of_node != left_out
        nodes = row_of_node[is_used], item_of_node[is_used], problem.node_colors[is_used]
        bitsets = yield from build_bitsets(*nodes, problem.n_primary, len(numbers))
    return EncodedOptions(Branches(start, items), bitsets, numbers)


def build_bitsets(
    options: NDArray[np.int64],
    items: NDArray[np.int64],
    colors: NDArray[np.integer],
    n_primary: int,
    n_options: int,
) -> Generator[None, None, Bitsets]:
    """Build the sets of options; the first arrays have the option, item and color of each node.

    An option excludes all options that share an item with it, unless both give it the same color,
    which is not 0. Yields after each slice of the work.
    """
    n_words = count_words(n_options)
    n_left = WORDS_PER_SLICE
    # A group consists of the options that give an item the same color.
    # Pairs are encoded as integers: comparing rows, NumPy replaces exceptions of signal handlers.
    n_colors = int(colors.max(initial=0)) + 1
    codes, group_of_node = np.unique(items * n_colors + colors, return_inverse=True)
    # At least a row for each primary item, also for those without nodes
    containing = np.zeros((int(items.max(initial=0)) + 1 + n_primary, n_words), np.uint64)
    yield from set_bits_in_slices(containing, items, options)
    everything = np.zeros((1, n_words), np.uint64)
    set_bits(everything, np.zeros(n_options, np.int64), np.arange(n_options))
    compatible = np.empty((n_options, n_words), np.uint64)
    n_rows = max(1, WORDS_PER_SLICE // n_words)
    for begin in range(0, n_options, n_rows):
        compatible[begin : begin + n_rows] = everything
        if begin + n_rows <= n_options:
            yield
    by_group, bounds = group(group_of_node, len(codes))
    for k, (item, its_color) in enumerate(np.stack(np.divmod(codes, n_colors), axis=1).tolist()):
        same = options[row_of(by_group, bounds, k)]
        members = np.zeros((1, n_words), np.uint64)
        if its_color:
            set_bits(members, np.zeros(len(same), np.int64), same)
        compatible[same] &= ~containing[item] | members[0]
        n_left -= n_words * len(same)
        if n_left <= 0:
            n_left = WORDS_PER_SLICE
            yield
    return Bitsets(np.ascontiguousarray(containing[:n_primary]), compatible)


def count_words(n_bits: int) -> int:
    """Return the number of words of a set."""
    return max(1, -(-n_bits // WORD_BITS))


def set_bits(sets: Words, rows: NDArray[np.int64], bits: NDArray[np.int64]) -> None:
    """Set bit `bits[k]` of `sets[rows[k]]` for each k."""
    values = np.left_shift(np.uint64(1), (bits % WORD_BITS).astype(np.uint64))
    np.bitwise_or.at(sets, (rows, bits // WORD_BITS), values)


def bits_at(sets: Words, bits: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether each set (rows, words) has each bit, in the order of `bits`."""
    is_set = sets[:, bits // WORD_BITS] >> (bits % WORD_BITS).astype(np.uint64) & np.uint64(1)
    return is_set.astype(np.bool_)


def pack_bits(is_set: NDArray[np.bool_]) -> Words:
    """Return sets of the columns that are true, the reverse of `bits_at`."""
    width = WORD_BITS * count_words(is_set.shape[1])
    padded = np.zeros((len(is_set), width), np.bool_)
    padded[:, : is_set.shape[1]] = is_set
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def set_bits_in_slices(
    sets: Words, rows: NDArray[np.int64], bits: NDArray[np.int64]
) -> Generator[None, None, None]:
    """Set bits as `set_bits` does, and yield after each complete slice of the work."""
    for begin in range(0, len(rows), BITS_PER_SLICE):
        end = begin + BITS_PER_SLICE
        set_bits(sets, rows[begin:end], bits[begin:end])
        if end <= len(rows):
            yield
