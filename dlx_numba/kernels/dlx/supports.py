"""Consistent colors: hide each option that no option of some primary item supports.

If each option left of a primary item p contains a secondary item s, the next option of p gives s
one of the colors that these options give it: the *supports* of that color for p. When a color has
none left, the other options that give it to s are hidden. This is Knuth's domain consistency of
colors. Supports are counted, as in the algorithm AC-4 for constraint networks, so the work is
proportional to the nodes that are hidden, and to the supports of the items that lose options.

The search calls `apply_supports` when it enters a node. The counts reflect a part of the trail:
nodes are subtracted when they are hidden, and added again when they are restored. A call of the
kernel begins with `count_again`.
"""

import numpy as np

from ...jit import njit
from ..consistency import MAX_ROWS, count_support_rows, find_support_rows
from ..problem import Problem
from .links import INACTIVE
from .moves import Bounds, Supports, tweak
from .totals import is_needed


def with_supports(bounds: Bounds, problem: Problem) -> Bounds:
    """Return bounds with the supports of a problem.

    Raises ValueError if there are too many.
    """
    rows = find_support_rows(problem)
    if rows is None:
        n_rows = count_support_rows(problem)
        if n_rows == 0:
            return bounds
        raise ValueError(
            f"{n_rows:,} pairs of a primary and a secondary item in an option are too many for "
            f"consistent colors; {MAX_ROWS:,} are possible"
        )
    first_node, n_supports = 1 + problem.n_items, len(rows.group_of)
    first_group = n_supports + len(rows.pair_item)
    node = np.concatenate([rows.node, rows.node, rows.shared])
    counter = np.concatenate([rows.support, n_supports + rows.pair, first_group + rows.group])
    order = np.argsort(node, kind="stable")
    n_counters = first_group + len(rows.group_color)
    initial = np.bincount(counter, minlength=n_counters).astype(np.int32)
    n_entries = np.bincount(node, minlength=len(problem.items))
    start = np.concatenate([np.zeros(first_node + 1, np.int64), np.cumsum(n_entries)])
    item_start, pair_item, pair_start, group = (
        each.astype(np.uint32)
        for each in (
            np.searchsorted(rows.pair_primary + 1, np.arange(problem.n_primary + 2)),
            1 + problem.n_primary + rows.pair_item,
            rows.first_support,
            first_group + rows.group_of,
        )
    )
    supports = Supports(
        start.astype(np.uint32),
        counter[order].astype(np.uint32),
        initial,
        item_start,
        pair_item,
        pair_start,
        group,
        rows.group_color[rows.group_of].astype(np.int32),
    )
    return bounds._replace(
        counts=initial.copy(),
        is_queued=np.zeros(problem.n_primary + 1, np.uint8),
        queue=np.zeros(problem.n_primary + 1, np.uint32),
        supports=supports,
    )


@njit
def queue_item(bounds, item, n_queued):
    """Queue a primary item, unless it is queued. Returns the new length of the queue."""
    if item < len(bounds.is_queued) and not bounds.is_queued[item]:
        bounds.is_queued[item] = 1
        bounds.queue[n_queued] = item
        n_queued = np.uint32(n_queued + 1)
    return n_queued


@njit
def count_hidden(links, bounds, trail, start, trail_end, n_queued):
    """Subtract the nodes on the trail from `start` to `trail_end` from the counts.

    The primary items that lose options are queued. Writes `counts`, `is_queued` and `queue` of
    `bounds`. Returns the new length of the queue, and the number of subtractions.
    """
    supports, counts, n_changes = bounds.supports, bounds.counts, 0
    for i in range(start, trail_end):
        node = trail[np.uint32(i)]
        for k in range(supports.start[node], supports.start[node + 1]):
            counts[supports.counter[np.uint32(k)]] -= 1
        n_changes += supports.start[node + 1] - supports.start[node]
        n_queued = queue_item(bounds, links.column[node], n_queued)
    return n_queued, n_changes


@njit
def count_restored(bounds, trail, start, trail_end):
    """Add the nodes on the trail from `start` to `trail_end` to the counts."""
    supports, counts = bounds.supports, bounds.counts
    for i in range(start, trail_end):
        node = trail[np.uint32(i)]
        for k in range(supports.start[node], supports.start[node + 1]):
            counts[supports.counter[np.uint32(k)]] += 1


@njit
def count_again(links, bounds, trail, trail_end):
    """Determine the counts, and queue all primary items. Returns the length of the queue."""
    none = np.uint32(0)
    bounds.is_queued[:] = 0
    for i in range(len(bounds.counts)):
        bounds.counts[i] = bounds.supports.initial[i]
    count_hidden(links, bounds, trail, none, trail_end, none)
    bounds.is_queued[:] = 0
    n_queued = none
    for i in range(1, len(bounds.queue)):
        n_queued = queue_item(bounds, np.uint32(i), n_queued)
    return n_queued


@njit
def hide_color(links, colors, item, color, trail, trail_end):
    """Hide the options that give a secondary item a color.

    Returns the new end of the trail, which is written, and whether each item still has a branch.
    """
    D = links.D
    node = D[item]
    while node != item:
        if colors.color[node] == color:
            if is_needed(links, node):
                return trail_end, False
            trail_end = tweak(links, colors, node, trail, trail_end)
        node = D[node]
    return trail_end, True


@njit
def examine_item(links, colors, bounds, item, trail, trail_end, n_queued):
    """Hide the options that no option of a primary item supports.

    Returns the new ends of the trail and of the queue, whether each item still has a branch, and
    the number of supports that were read or changed.
    """
    supports, counts, n_read = bounds.supports, bounds.counts, 0
    need, n_supports = bounds.need[item], len(supports.color)
    if need <= 0 or links.size[item] >= INACTIVE:
        return trail_end, n_queued, True, n_read
    n_left = np.int64(links.size[item]) - 1 + need
    for i in range(supports.item_start[item], supports.item_start[item + 1]):
        pair = np.uint32(i)
        shared = supports.pair_item[pair]
        is_active = colors.purifier[shared] == 0 and links.size[shared] < 2 * INACTIVE
        if not is_active or counts[n_supports + i] != n_left:
            continue
        for k in range(supports.pair_start[pair], supports.pair_start[pair + 1]):
            n_read += 1
            support = np.uint32(k)
            if counts[support] == 0 and counts[supports.group[support]] > 0:
                before = trail_end
                trail_end, is_possible = hide_color(
                    links, colors, shared, supports.color[support], trail, trail_end
                )
                n_queued, n_changes = count_hidden(
                    links, bounds, trail, before, trail_end, n_queued
                )
                n_read += n_changes
                if not is_possible:
                    return trail_end, n_queued, False, n_read
    return trail_end, n_queued, True, n_read


@njit
def apply_supports(links, colors, bounds, trail, trail_end, n_queued, is_possible):
    """Hide the options without support until all colors are consistent, and empty the queue.

    Parameters: `links`, `colors` and `bounds`, which are written; `trail`, which is written from
    `trail_end` on, uint32; `n_queued` uint32, the length of the queue; `is_possible`, or else only
    the queue is emptied. Returns the new end of the trail, whether each item still has a branch,
    and the number of supports that were read or changed.
    """
    queue, is_queued, n_read = bounds.queue, bounds.is_queued, 0
    while n_queued > 0:
        n_queued = np.uint32(n_queued - 1)
        item = queue[n_queued]
        is_queued[item] = 0
        if is_possible:
            trail_end, n_queued, is_possible, n_examined = examine_item(
                links, colors, bounds, item, trail, trail_end, n_queued
            )
            n_read += n_examined
    return trail_end, is_possible, n_read
