"""The moves of searches with links: steps that hide options and items, and those that undo them.

Algorithms X, C and M share them. A problem without multiplicities has None instead of `bounds`, and
each of its primary items has capacity for one option. None is a type of its own for Numba, so a
search without colors or bounds is compiled without the steps for them.

The functions share these parameters:

- `links`: `Links`; all of them but `column` are written.
- `colors`: `Colors` or None; `purifier` is written.
- `bounds`: `Bounds` or None; `need` and `capacity` are written.
- `item`, `node`, `color`: uint32. An `option` is given by one of its nodes, uint32.
- `forced`: (primary items + 1,) uint32, the queue of items with one option; written from `tail`
  on, which is uint32, the end of the queue.
- `trail`: (nodes,) uint32, the nodes that are hidden, in this order; written from `trail_end` on,
  which is uint32, the end of the trail. What is undone begins at `start`, uint32.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from .links import INACTIVE


class Totals(NamedTuple):
    """Limits of sums of weights over the chosen options; see the module `totals`.

    An entry is the weight of an option in a total. The entry belongs to the option's carrier, one
    of its primary items. A slot is a pair of a total and a carrier; slots are in ascending order,
    and entries in the order of their slots.
    """

    low: NDArray[np.int64]  # (totals,) the least sum
    high: NDArray[np.int64]  # (totals,) the largest sum
    spread: NDArray[np.int64]  # (totals,) no carrier contributes more than another amount by more
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


_NO_NUMBERS = np.zeros(0, np.uint32)
_NO_SUMS = np.zeros(0, np.int64)
_NO_COUNTS = np.zeros(0, np.int32)
NO_TOTALS = Totals._make([*[_NO_SUMS] * 4, *[_NO_NUMBERS] * 11])
NO_SUPPORTS = Supports._make([*[_NO_NUMBERS] * 2, _NO_COUNTS, *[_NO_NUMBERS] * 4, _NO_COUNTS])


# The indices of `Bounds.known`: the levels and the part of the trail that the totals and supports
# reflect, and the length of the queue
N_ADDED, N_MARKED, N_QUEUED = range(3)


class Bounds(NamedTuple):
    """The remaining bounds of the primary items, and what their options exclude each other by."""

    need: NDArray[np.int32]  # (1 + primary items,) options still needed; negative for a surplus
    capacity: NDArray[np.int32]  # (1 + primary items,) options that an item can still have
    # Each option of an owner contains one of its exclusive items, which are covered at most once
    owner: NDArray[np.uint32] = np.zeros(0, np.uint32)  # (owners,)
    start: NDArray[np.uint32] = np.zeros(1, np.uint32)  # (owners + 1,) the range of `exclusive`
    exclusive: NDArray[np.uint32] = np.zeros(0, np.uint32)  # (start[-1],)
    sums: NDArray[np.int64] = _NO_SUMS  # (totals,) of the chosen options
    # What is known of the totals; see the module `totals`
    # The least contribution of each slot, 0 if inactive, and the sum of each total
    least: NDArray[np.int64] = _NO_SUMS  # (slots + totals,)
    most: NDArray[np.int64] = _NO_SUMS  # (slots + totals,)
    is_old: NDArray[np.uint8] = np.zeros(0, np.uint8)  # (slots + totals,) whether to measure again
    totals: Totals = NO_TOTALS
    # What is known of the supports; see the module `supports`
    counts: NDArray[np.int32] = _NO_COUNTS  # (counters,) nodes that are not hidden
    is_queued: NDArray[np.uint8] = np.zeros(0, np.uint8)  # (1 + primary items,)
    queue: NDArray[np.uint32] = _NO_NUMBERS  # (primary items + 1,) items to examine
    supports: Supports = NO_SUPPORTS
    known: NDArray[np.uint32] = _NO_NUMBERS  # (3,) unless there are neither totals nor supports


@njit
def detach(links, item):
    """Remove an item from the list of active items, and add INACTIVE to its size.

    This is the first half of covering an item. It is a step of its own, because an option's other
    items are all removed before the options of the first one are hidden: see `try_option`. Returns
    the number of options in its list.
    """
    L = links.L
    R = links.R
    left = L[item]
    right = R[item]
    R[left] = right
    L[right] = left
    size = links.size[item]
    links.size[item] = size + INACTIVE
    return size % INACTIVE


@njit
def attach(links, item):
    """Undo `detach`."""
    L = links.L
    R = links.R
    R[L[item]] = L[R[item]] = item
    links.size[item] -= INACTIVE


@njit
def cover(links, colors, item, forced, tail, trail, trail_end):
    """Cover an item: remove it from the list of active items, and hide its options.

    Parameters: `links`, written; `colors` or None, read; `item` uint32; `forced` (primary items +
    1,) uint32, the queue, written from `tail` on, uint32; `trail` (nodes,) uint32, written from
    `trail_end` on, uint32. Returns the new ends of the queue and of the trail.
    """
    detach(links, item)
    none = np.uint32(0)
    tail, trail_end, _ = hide_options(links, colors, item, none, 0, forced, tail, trail, trail_end)
    return tail, trail_end


@njit
def uncover(links, item, trail, start, trail_end):
    """Undo `cover`, before which the trail ended at `start`."""
    restore(links, trail, start, trail_end)
    attach(links, item)


@njit
def hide_options(links, colors, item, color, min_size, forced, tail, trail, trail_end):
    """Hide the options of a detached item from the lists of their other items.

    Options that give the item the color `color` stay; 0 is no color. An item whose size drops to
    one is appended to `forced`, and hidden nodes are appended to `trail`. Stops after an option
    that makes the size of an active item less than `min_size`.

    Parameters: `links`, written; `colors` or None, read; `item` and `color` uint32; `min_size`, 0
    or 1; `forced`, `tail`, `trail` and `trail_end` as for `cover`. Returns the new ends of the
    queue and of the trail, and the smallest size that an active item dropped to, or INACTIVE if
    there is no such item.
    """
    _, R, U, D, column, size = links
    smallest = INACTIVE
    option = D[item]
    while option != item and smallest >= min_size:
        node = R[option]
        if colors is not None and color != 0 and colors.color[option] == color:
            node = option  # the option stays: skip the loop over its nodes
        while node != option:
            up = U[node]
            down = D[node]
            other = column[node]
            # The remaining options of a purified item all have its color: skip it.
            if colors is not None and colors.purifier[other] != 0:
                node = R[node]
                continue
            D[up] = down
            U[down] = up
            new_size = np.uint32(size[other] - 1)
            size[other] = new_size
            # Append without a branch, which could not be predicted: always write, but advance the
            # end of the queue only if the item is forced.
            forced[tail] = other
            tail = np.uint32(tail + (new_size == 1))
            smallest = min(smallest, new_size)
            trail[trail_end] = node
            trail_end = np.uint32(trail_end + 1)
            node = R[node]
        option = D[option]
    return tail, trail_end, smallest


@njit
def commit(links, colors, node, forced, tail, trail, trail_end):
    """Cover the detached item of a node of the chosen option; purify it if the node has a color.

    Parameters: `links` and `colors.purifier`, written; `node` uint32; `forced`, `tail`, `trail` and
    `trail_end` as for `cover`. Stops at an active item that has no option left. Returns the same as
    `hide_options`.
    """
    item = links.column[node]
    if colors is None:
        none = np.uint32(0)
        return hide_options(links, None, item, none, 1, forced, tail, trail, trail_end)
    color = colors.color[node]
    if color != 0 and colors.purifier[item] != 0:  # the item has this color already
        return tail, trail_end, INACTIVE
    ends = hide_options(links, colors, item, color, 1, forced, tail, trail, trail_end)
    if color != 0:
        colors.purifier[item] = node
    return ends


@njit
def restore(links, trail, start, trail_end):
    """Undo `hide_options` and `commit`: restore the nodes on the trail from `start`, in reverse.

    Following the trail is faster than finding the nodes again, option by option.
    """
    _, _, U, D, column, size = links
    while trail_end > start:
        trail_end = np.uint32(trail_end - 1)
        node = trail[trail_end]
        D[U[node]] = U[D[node]] = node
        size[column[node]] += np.uint32(1)


@njit
def tweak(links, colors, option, trail, trail_end):
    """Hide the option of a node from all of its items. Returns the new end of the trail."""
    _, R, U, D, column, size = links
    node = option
    while True:
        if colors is None or colors.purifier[column[node]] == 0:
            D[U[node]] = D[node]
            U[D[node]] = U[node]
            size[column[node]] -= np.uint32(1)
            trail[trail_end] = node
            trail_end = np.uint32(trail_end + 1)
        node = R[node]
        if node == option:
            return trail_end


@njit
def is_needed(links, option):
    """Return whether an item would have no branch left without the option of a node."""
    node = option
    while links.size[links.column[node]] > 1:
        node = links.R[node]
        if node == option:
            return False
    return True


@njit
def use(links, bounds, item):
    """Record that an option of a primary item is chosen. Returns whether it can have another."""
    need = bounds.need
    capacity = bounds.capacity
    if need[item] > 0:
        links.size[item] += np.uint32(1)
    need[item] -= 1
    capacity[item] -= 1
    return capacity[item] > 0


@njit
def unuse(links, bounds, item):
    """Undo `use`."""
    need = bounds.need
    capacity = bounds.capacity
    need[item] += 1
    capacity[item] += 1
    if need[item] > 0:
        links.size[item] -= np.uint32(1)


@inlined
def try_option(links, colors, bounds, option, forced, tail, trail, trail_end):
    """X5 [Try x_l.] Commit to the other items of an option; the item of `option` is covered.

    With `bounds`, this is step M6: the items use the option, and those that reach their capacity
    are committed to. All of them are detached before the first is covered, so that no item of the
    option itself is mistaken for an active item without options.

    Parameters: `links`, `colors.purifier`, and `need` and `capacity` of `bounds`, written; `option`
    uint32, one of its nodes; `forced`, `tail`, `trail` and `trail_end` as for `commit`.
    Returns the new ends of the queue and of the trail, the number of items committed to, that of
    the options in their lists, and the smallest size that an active item dropped to: 0 is a dead
    end.
    """
    R = links.R
    column = links.column
    n_visited = np.uint32(0)
    node = R[option]
    while node != option:
        item = column[node]
        if bounds is not None and item < len(bounds.capacity):
            if not use(links, bounds, item):
                n_visited = np.uint32(n_visited + detach(links, item))
        elif colors is None or colors.color[node] == 0:
            n_visited = np.uint32(n_visited + detach(links, item))
        elif colors.purifier[item] == 0:
            n_visited = np.uint32(n_visited + links.size[item] % INACTIVE)
        node = R[node]
    n_committed = 0
    smallest = INACTIVE
    node = R[option]
    while node != option and smallest:
        item = column[node]
        if bounds is None or item >= len(bounds.capacity) or bounds.capacity[item] == 0:
            n_committed += 1
            tail, trail_end, smallest = commit(links, colors, node, forced, tail, trail, trail_end)
        node = R[node]
    return tail, trail_end, n_committed, n_visited, smallest


@inlined
def undo_option(links, colors, bounds, option, trail, start, trail_end):
    """X6 [Try again.] Undo `try_option`, before which the trail ended at `start`.

    Parameters: `links`, `colors.purifier`, and `need` and `capacity` of `bounds`, written;
    `option` uint32, one of its nodes; `trail` (nodes,) uint32, read from `start` to `trail_end`,
    uint32.
    """
    L = links.L
    column = links.column
    restore(links, trail, start, trail_end)
    node = L[option]
    while node != option:
        item = column[node]
        if bounds is not None and item < len(bounds.capacity):
            if bounds.capacity[item] == 0:
                attach(links, item)
            unuse(links, bounds, item)
        elif colors is None or colors.color[node] == 0:
            attach(links, item)
        elif colors.purifier[item] == node:
            colors.purifier[item] = 0
        node = L[node]


@njit
def retract(links, colors, bounds, item, option, trail, start, trail_end):
    """M7 [Try again.] Undo `try_option` at the level of an item. Returns the node to try next.

    Parameters: `item` uint32, the item of the level; `links`, `colors`, `bounds`, `option`,
    `trail`, `start` and `trail_end` as for `undo_option`.
    """
    undo_option(links, colors, bounds, option, trail, start, trail_end)
    if links.size[item] >= INACTIVE:
        return links.D[option]
    unuse(links, bounds, item)
    return links.D[item]  # because `option` was tweaked
