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
from numpy.typing import NDArray

from ...jit import njit
from ..csr import renumber, row_range
from ..problem import Problem, pair_nodes
from .bounds import N_QUEUED, Bounds, Supports
from .links import INACTIVE
from .moves import is_needed, tweak

MAX_ROWS = 800_000  # pairs of a primary and a secondary item in an option: 0.2 seconds


def count_support_rows(problem: Problem) -> int:
    """Return the number of pairs of a primary item to cover and a secondary one in an option."""
    if problem.color is None:
        return 0
    needed, shared = _needed_and_shared(problem)
    option_of = problem.option_of_node()
    n_options = problem.n_options
    n_needed, n_shared = (np.bincount(option_of[k], minlength=n_options) for k in (needed, shared))
    return int(n_needed @ n_shared)


def _needed_and_shared(problem: Problem) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the nodes of primary items that must be covered, and those of secondary items."""
    needed = np.flatnonzero(np.isin(problem.items, np.flatnonzero(problem.lows > 0)))
    return needed, np.flatnonzero(problem.items >= problem.n_primary)


def with_supports(bounds: Bounds, problem: Problem) -> Bounds:
    """Return bounds with the supports of a problem.

    Raises ValueError if there are more than MAX_ROWS rows or supports.
    """
    # A row is a primary and a secondary node of an option; a pair, the two items of some rows; a
    # group, a secondary item with a color; a support, a pair with a color that its second item has
    # anywhere. There is a counter of each support, each pair and each group, in this order. A
    # primary node counts for its rows' supports and pairs, and a secondary one for its group.
    n_rows = count_support_rows(problem)
    if n_rows == 0 or problem.color is None:
        return bounds
    _require_few(n_rows, "pairs of a primary and a secondary item in an option")
    option_of = problem.option_of_node()
    needed, shared = _needed_and_shared(problem)
    n_needed = np.bincount(option_of[needed], minlength=problem.n_options)
    # Groups are numbered by item, then by color; `group_start` has the first one of each item.
    n_colors = int(problem.color.max()) + 1
    codes, group = renumber(
        (problem.items[shared] - problem.n_primary) * n_colors + problem.color[shared]
    )
    group_item, group_color = np.divmod(codes, n_colors)
    node, _ = pair_nodes(option_of, needed, shared)  # the primary node of each row
    row_group = np.repeat(group, n_needed[option_of[shared]])
    pairs, pair = renumber(
        problem.items[node].astype(np.int64) * problem.n_secondary + group_item[row_group]
    )
    pair_primary, pair_item = np.divmod(pairs, problem.n_secondary)
    group_start = np.searchsorted(group_item, np.arange(problem.n_secondary + 1))
    sizes = np.diff(group_start)[pair_item]
    pair_start = np.append(0, np.cumsum(sizes))
    n_supports = int(pair_start[-1])
    _require_few(n_supports, "colors that secondary items may have beside primary items")
    to_group = group_start[pair_item] - pair_start[:-1]  # group = support + to_group[pair]
    support_group = np.repeat(to_group, sizes) + np.arange(n_supports)
    group_counter = n_supports + len(pairs)
    nodes = np.concatenate([node, node, shared])
    counter = np.concatenate([row_group - to_group[pair], n_supports + pair, group_counter + group])
    n_entries = np.bincount(nodes, minlength=len(problem.items))
    initial = np.bincount(counter, minlength=group_counter + len(codes)).astype(np.int32)
    item_start = np.searchsorted(pair_primary + 1, np.arange(problem.n_primary + 2))
    # The first nodes are those of the root and of the items, which count nowhere.
    start = np.concatenate([np.zeros(2 + problem.n_items, np.int64), np.cumsum(n_entries)])
    supports = Supports(
        start.astype(np.uint32),
        counter[np.argsort(nodes, kind="stable")].astype(np.uint32),
        initial,
        item_start.astype(np.uint32),
        (1 + problem.n_primary + pair_item).astype(np.uint32),
        pair_start.astype(np.uint32),
        (group_counter + support_group).astype(np.uint32),
        group_color[support_group].astype(np.int32),
        counts=initial.copy(),
        is_queued=np.zeros(problem.n_primary + 1, np.uint8),
        queue=np.zeros(problem.n_primary + 1, np.uint32),
    )
    return bounds._replace(supports=supports, known=np.zeros(3, np.uint32))


def _require_few(number: int, what: str) -> None:
    if number > MAX_ROWS:
        raise ValueError(
            f"{number:,} {what} are too many for consistent colors; {MAX_ROWS:,} are possible"
        )


@njit
def queue_item(bounds, item):
    """Queue a primary item, uint32, unless it is queued. Other items are ignored."""
    supports = bounds.supports
    if item < len(supports.is_queued) and not supports.is_queued[item]:
        supports.is_queued[item] = 1
        supports.queue[bounds.known[N_QUEUED]] = item
        bounds.known[N_QUEUED] += 1


@njit
def count_hidden(links, bounds, trail, start, trail_end):
    """Subtract the nodes on the trail from `start` to `trail_end` from the counts.

    Parameters: `links` and `trail` (nodes,) uint32, which are read; `bounds`; the others uint32.
    The primary items that lose options are queued. Returns the number of subtractions.
    """
    for i in range(start, trail_end):
        queue_item(bounds, links.column[trail[i]])
    return change_counts(bounds, trail, start, trail_end, -1)


@njit
def change_counts(bounds, trail, start, trail_end, change):
    """Add `change`, 1 or -1, to the counts for each of the nodes; return the number of additions.

    The other parameters are as for `count_hidden`.
    """
    supports = bounds.supports
    counts = supports.counts
    n_changes = 0
    for i in range(start, trail_end):
        node = trail[i]
        for k in row_range(supports.start, node):
            counts[supports.counter[k]] += change
        n_changes += supports.start[node + 1] - supports.start[node]
    return n_changes


@njit
def count_again(bounds, trail, trail_end):
    """Determine the counts, and queue all primary items.

    Reads the trail, (nodes,) uint32, up to `trail_end`, uint32.
    """
    supports = bounds.supports
    for i in range(len(supports.counts)):
        supports.counts[i] = supports.initial[i]
    change_counts(bounds, trail, np.uint32(0), trail_end, -1)
    supports.is_queued[:] = bounds.known[N_QUEUED] = 0
    for i in range(1, len(supports.queue)):
        queue_item(bounds, np.uint32(i))


@njit
def hide_color(links, colors, item, color, trail, trail_end):
    """Hide the options that give a secondary item, uint32, a color.

    The others are as for `apply_supports`. Returns the new end of the trail, and whether each item
    still has a branch.
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
def examine_item(links, colors, bounds, item, trail, trail_end):
    """Hide the options that no option of a primary item, uint32, supports.

    The others are as for `apply_supports`. Returns the new end of the trail, whether each item
    still has a branch, and the number of supports that were read or changed.
    """
    supports = bounds.supports
    counts = supports.counts
    n_read = 0
    need = bounds.need[item]
    n_supports = len(supports.color)
    if need <= 0 or links.size[item] >= INACTIVE:
        return trail_end, True, n_read
    n_left = np.int64(links.size[item]) - 1 + need  # options: the size counts branches
    for pair in row_range(supports.item_start, item):
        shared = supports.pair_item[pair]
        is_active = colors.purifier[shared] == 0 and links.size[shared] < 2 * INACTIVE
        # Colors are consistent only if each option left of the item contains the secondary one.
        if not is_active or counts[n_supports + pair] != n_left:
            continue
        for support in row_range(supports.pair_start, pair):
            n_read += 1
            if counts[support] == 0 and counts[supports.group[support]] > 0:
                before = trail_end
                trail_end, is_possible = hide_color(
                    links, colors, shared, supports.color[support], trail, trail_end
                )
                n_read += count_hidden(links, bounds, trail, before, trail_end)
                if not is_possible:
                    return trail_end, False, n_read
    return trail_end, True, n_read


@njit
def apply_supports(links, colors, bounds, trail, trail_end, is_possible):
    """Hide the options without support until all colors are consistent, and empty the queue.

    Parameters: `links`, `colors` and `bounds`, which are written; `trail` (nodes,) uint32, which is
    written from `trail_end` on, uint32; `is_possible`, whether a cover is still possible: if not,
    this only empties the queue. Returns the new end of the trail, whether each item still has a
    branch, and the number of supports that were read or changed.
    """
    known = bounds.known
    supports = bounds.supports
    n_read = 0
    while known[N_QUEUED] > 0:
        known[N_QUEUED] -= 1
        item = supports.queue[known[N_QUEUED]]
        supports.is_queued[item] = 0
        if is_possible:
            trail_end, is_possible, n_examined = examine_item(
                links, colors, bounds, item, trail, trail_end
            )
            n_read += n_examined
    return trail_end, is_possible, n_read
