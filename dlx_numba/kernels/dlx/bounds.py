"""The records of what a search with multiplicities knows: bounds, owners, totals and supports."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Owners(NamedTuple):
    """Items whose options exclude each other; see `branching_m.exclusive_items`.

    Each option of an owner contains one of its exclusive items, which are covered at most once.
    """

    item: NDArray[np.uint32]  # (owners,)
    start: NDArray[np.uint32]  # (owners + 1,) the range of each in `exclusive`
    exclusive: NDArray[np.uint32]  # (start[-1],)


class Totals(NamedTuple):
    """Limits of sums of weights over the chosen options; see the module `totals`.

    An entry is the weight of an option in a total. The entry belongs to the option's carrier, one
    of its primary items. A slot is a pair of a total and a carrier; slots are in ascending order,
    and entries in the order of their slots.
    """

    low: NDArray[np.int64]  # (totals,) the least sum
    high: NDArray[np.int64]  # (totals,) the largest sum
    spread: NDArray[np.int64]  # (totals,) two contributions of a carrier differ by no more
    weight: NDArray[np.int64]  # (entries,)
    option: NDArray[np.uint32]  # (nodes,) the option of a node
    start: NDArray[np.uint32]  # (options + 1,) the range of an option in `by_option`
    by_option: NDArray[np.uint32]  # (entries,) entries in the order of the options
    total: NDArray[np.uint32]  # (entries,)
    node: NDArray[np.uint32]  # (entries,) the node of the option in its carrier
    slot_start: NDArray[np.uint32]  # (totals + 1,) the slots of a total
    slot_item: NDArray[np.uint32]  # (slots,) the carrier
    entry_start: NDArray[np.uint32]  # (slots + 1,) the entries of a slot
    slot_total: NDArray[np.uint32]  # (slots,) the total
    item_start: NDArray[np.uint32]  # (items + 2,) the range of an item in `by_item`
    by_item: NDArray[np.uint32]  # (slots,) slots in the order of their carriers
    # What the search writes: the sums of the chosen options; the least and the largest contribution
    # of each slot, 0 if it is inactive, then the sum of each total; and whether to measure it again
    sums: NDArray[np.int64]  # (totals,)
    least: NDArray[np.int64]  # (slots + totals,)
    most: NDArray[np.int64]  # (slots + totals,)
    is_old: NDArray[np.uint8]  # (slots + totals,)


class Supports(NamedTuple):
    """Supports of colors, which are counted; see the module `supports`.

    The counters come in this order: one for each support (a pair of items and a color of the second
    one), one for each pair, and one for each group (the options that give an item the same color).
    """

    start: NDArray[np.uint32]  # (nodes + 1,) the range of a node in `counter`
    counter: NDArray[np.uint32]  # (entries,) the counters that include the node
    initial: NDArray[np.int32]  # (counters,) the values if nothing is hidden
    item_start: NDArray[np.uint32]  # (primary items + 2,) the pairs of an item
    pair_item: NDArray[np.uint32]  # (pairs,) the second item
    pair_start: NDArray[np.uint32]  # (pairs + 1,) the supports of a pair
    group: NDArray[np.uint32]  # (supports,) the counter of the group
    color: NDArray[np.int32]  # (supports,) the color
    # What the search writes: the nodes that are not hidden, and a queue of items to examine
    counts: NDArray[np.int32]  # (counters,)
    is_queued: NDArray[np.uint8]  # (1 + primary items,)
    queue: NDArray[np.uint32]  # (primary items + 1,)


_NO_NUMBERS = np.zeros(0, np.uint32)
_NO_SUMS = np.zeros(0, np.int64)
_NO_COUNTS = np.zeros(0, np.int32)
_NO_MARKS = np.zeros(0, np.uint8)
NO_OWNERS = Owners(_NO_NUMBERS, np.zeros(1, np.uint32), _NO_NUMBERS)
NO_TOTALS = Totals._make([*[_NO_SUMS] * 4, *[_NO_NUMBERS] * 11, *[_NO_SUMS] * 3, _NO_MARKS])
NO_SUPPORTS = Supports._make(
    [
        *[_NO_NUMBERS] * 2,
        _NO_COUNTS,
        *[_NO_NUMBERS] * 4,
        *[_NO_COUNTS] * 2,
        _NO_MARKS,
        _NO_NUMBERS,
    ]
)

# The indices of `Bounds.known`: the levels and the part of the trail that the totals and supports
# reflect, and the length of the queue
N_ADDED, N_MARKED, N_QUEUED = range(3)


class Bounds(NamedTuple):
    """The remaining bounds of the primary items, and what else limits the covers."""

    need: NDArray[np.int32]  # (1 + primary items,) options still needed; negative for a surplus
    capacity: NDArray[np.int32]  # (1 + primary items,) options that an item can still have
    owners: Owners = NO_OWNERS
    totals: Totals = NO_TOTALS
    supports: Supports = NO_SUPPORTS
    known: NDArray[np.uint32] = _NO_NUMBERS  # (3,) unless there are neither totals nor supports


def copy_bounds(bounds: Bounds) -> Bounds:
    """Return bounds that share what no search modifies."""
    totals = bounds.totals
    supports = bounds.supports
    return bounds._replace(
        need=bounds.need.copy(),
        capacity=bounds.capacity.copy(),
        totals=totals._replace(
            sums=totals.sums.copy(),
            least=totals.least.copy(),
            most=totals.most.copy(),
            is_old=totals.is_old.copy(),
        ),
        supports=supports._replace(
            counts=supports.counts.copy(),
            is_queued=supports.is_queued.copy(),
            queue=supports.queue.copy(),
        ),
        known=bounds.known.copy(),
    )
