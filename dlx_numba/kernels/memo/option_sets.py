"""The options of a problem as sets of bits, for the search with a memo."""

import numpy as np
from numpy.typing import NDArray

from ..problem import Problem
from .explore import Bitsets, Branches, Words

WORD_BITS = 64
MAX_COMPATIBLE_BYTES = 1 << 28


def encode_options(
    problem: Problem, rank: NDArray[np.int64], needs_bitsets: bool
) -> tuple[Branches, Bitsets | None, NDArray[np.int64]]:
    """Return the options as bits; `rank` is the new number of each item.

    Options without primary items are left out. The last array has the original number of each
    option that remains.
    """
    option_of, is_primary = problem.option_of_node(), problem.items < problem.n_primary
    ranks = rank[problem.items]
    first = np.full(problem.n_options, problem.n_items)
    np.minimum.at(first, option_of[is_primary], ranks[is_primary])
    numbers = np.flatnonzero(first < problem.n_items)
    if not needs_bitsets:
        numbers = numbers[np.argsort(first[numbers], kind="stable")]
    position = np.full(problem.n_options, len(numbers))
    position[numbers] = np.arange(len(numbers))
    positions = position[option_of]
    n_words = max(1, -(-problem.n_primary // WORD_BITS))
    items = np.zeros((len(numbers), n_words), np.uint64)
    set_bits(items, positions[is_primary], ranks[is_primary])
    start = np.searchsorted(first[numbers], np.arange(problem.n_primary + 1)).astype(np.uint32)
    bitsets = None
    if needs_bitsets:
        is_used = positions < len(numbers)
        color = None if problem.color is None else problem.color[is_used]
        bitsets = build_bitsets(
            positions[is_used], ranks[is_used], color, problem.n_primary, len(numbers)
        )
    return Branches(start, items), bitsets, numbers


def build_bitsets(
    options: NDArray[np.int64],
    items: NDArray[np.int64],
    color: NDArray[np.int32] | None,
    n_primary: int,
    n_options: int,
) -> Bitsets:
    """Return the sets of options; the first arrays have the option, item and color of each node."""
    n_words = max(1, -(-n_options // WORD_BITS))
    if 8 * n_options * n_words > MAX_COMPATIBLE_BYTES:
        raise ValueError(
            f"the sets of compatible options of {n_options:,} options need too much memory"
        )
    colors = np.zeros(len(items), np.int64) if color is None else color.astype(np.int64)
    # A group consists of the options that give an item the same color.
    # Pairs are encoded as integers: comparing rows, NumPy replaces exceptions of signal handlers.
    n_colors = int(colors.max(initial=0)) + 1
    codes, group_of_node = np.unique(items * n_colors + colors, return_inverse=True)
    groups = np.stack(np.divmod(codes, n_colors))
    members = np.zeros((len(codes), n_words), np.uint64)
    set_bits(members, group_of_node, options)
    containing = np.zeros((int(items.max(initial=0)) + 1 + n_primary, n_words), np.uint64)
    np.bitwise_or.at(containing, groups[0], members)
    everything = np.zeros((1, n_words), np.uint64)
    set_bits(everything, np.zeros(n_options, np.int64), np.arange(n_options))
    compatible = np.repeat(everything, n_options, axis=0)
    by_group = np.argsort(group_of_node, kind="stable")
    bounds = np.searchsorted(group_of_node[by_group], np.arange(len(members) + 1))
    for group, (item, its_color) in enumerate(groups.T.tolist()):
        same = options[by_group[bounds[group] : bounds[group + 1]]]
        excluded = containing[item] & ~members[group] if its_color else containing[item]
        compatible[same] &= ~excluded
    return Bitsets(np.ascontiguousarray(containing[:n_primary]), compatible)


def set_bits(sets: Words, rows: NDArray[np.int64], bits: NDArray[np.int64]) -> None:
    """Set bit `bits[k]` of `sets[rows[k]]` for each k."""
    values = np.left_shift(np.uint64(1), (bits % WORD_BITS).astype(np.uint64))
    np.bitwise_or.at(sets, (rows, bits // WORD_BITS), values)
