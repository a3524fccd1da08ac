"""Conditions of a variation on bitmaps: they change the options available at the first level.

The functions share the parameters of `bitset.nodes`; a `position` is that of an option in the first
table, int64.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...jit.simd import N_LANES, align_stack, read_lane
from ..bitset.bitmaps import LANE_BITS, Entries, Scratch, Tables
from ..bitset.nodes import choose_option, clear_bit
from ..bitset.state import fill_root, table_shape
from ..csr import row_range
from .variations import CHOSEN, EXCLUDED, node_of


class Bitmaps(NamedTuple):
    """The bitmaps of a problem, and the memory of a search on them."""

    entries: Entries
    root: Tables
    smaller: Tables
    scratch: Scratch
    item_start: NDArray[np.int64]  # (items + 1,) the start of each item in `item_options`
    item_options: NDArray[np.int64]  # the positions in `root` of the options of each item


@inlined
def is_bit_set(state, position):
    """Return whether an option is available at level 0, given its position in the first table."""
    chunk = position // LANE_BITS
    bits = read_lane(state.available, chunk // N_LANES, chunk % N_LANES)
    return (bits >> (position % LANE_BITS)) & 1 != 0


@inlined
def give_position(root, bounds, shape, state, position):
    """Choose an option at level 0. Return whether it is compatible with those chosen before.

    An option that was chosen before is no longer available, but it may be given twice.
    """
    is_possible = is_bit_set(state, position)
    if is_possible:
        choose_option(root, bounds, shape, state, position, 0, 0, 0, 0)
    else:
        option = root.option[position]
        for other in range(state.n_chosen[0]):
            is_possible |= state.choice[other] == option
    return is_possible


@njit
def start_on_bitmaps(bitmaps, bounds, state, numbering, variations, k, question):
    """Apply the conditions of a variation to bitmaps. Return whether a cover may satisfy them.

    Parameters: `bitmaps`; `bounds` or None and `state`, which are written; `numbering`;
    `variations`, of which number `k` (int64) applies; and `question` (int64), 1 + the position of
    an option that is given in addition, or CHOSEN.
    """
    align_stack()
    shape = table_shape(state, 0)
    fill_root(bounds, state, shape)
    is_possible = True
    for i in row_range(variations.forbidden_start, k):
        node = node_of(numbering, np.int64(variations.forbidden[i]), EXCLUDED)
        if node == CHOSEN:  # each cover contains the option; if EXCLUDED, none does
            is_possible = False
        elif node != EXCLUDED:
            clear_bit(state, 0, node - 1)
    for i in row_range(variations.covered_start, k):
        item = np.int64(variations.covered[i]) - 1
        if item < 0:  # an option of each cover contains the item
            is_possible = False
            continue
        for j in row_range(bitmaps.item_start, item):
            clear_bit(state, 0, bitmaps.item_options[j])
        if item < shape.n_items:  # primary: no other item is in the tables
            state.uncovered[0, item // N_LANES] &= ~np.uint32(1 << (item % N_LANES))
            state.n_uncovered[0] -= 1
    for i in row_range(variations.given_start, k):
        node = node_of(numbering, np.int64(variations.given[i]), CHOSEN)
        if node == EXCLUDED:  # no cover contains the option; if CHOSEN, each one does
            is_possible = False
        elif node != CHOSEN and is_possible:
            is_possible = give_position(bitmaps.root, bounds, shape, state, node - 1)
    if question != CHOSEN and is_possible:
        is_possible = give_position(bitmaps.root, bounds, shape, state, question - 1)
    return is_possible
