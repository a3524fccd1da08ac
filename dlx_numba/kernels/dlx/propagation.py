"""Propagation: hide the options that totals or colors exclude when the search enters a node.

What is known of totals and supports reflects the choices of some levels and a part of the trail.
The search keeps the numbers of both, `n_added` and `n_marked`.
"""

import numpy as np

from ...jit import njit
from .supports import apply_supports, count_again, count_hidden, count_restored, queue_item
from .totals import add_option, apply_totals, forget_totals, mark_hidden


@njit
def start_propagation(links, bounds, trail, trail_end):
    """Forget what is known. Returns the number of primary items that `propagate` is to examine."""
    if len(bounds.sums):
        forget_totals(bounds)
    if len(bounds.counts):
        return count_again(links, bounds, trail, trail_end)
    return np.uint32(0)


@njit
def propagate(links, colors, bounds, state, n_added, level, n_marked, trail_end, n_queued):
    """Hide options until the totals and the colors exclude no other.

    Parameters: `links`, `colors` or None, `bounds` and `state`, of which all but the choices are
    written; uint32: the levels and the part of the trail that are known, the numbers of both, and
    what `start_propagation` returned, or 0. Returns the new end of the trail, whether there may be
    a cover, and the number of weights and supports that were read or changed.
    """
    trail, n_counted, is_possible, n_read = state.trail, n_marked, True, 0
    is_changed = True
    while is_changed and is_possible:
        is_changed = False
        if len(bounds.sums):
            trail_end, is_possible, n_weights = apply_totals(
                links, colors, bounds, state, n_added, level, n_marked, trail_end
            )
            n_read += n_weights
        n_added, n_marked = level, trail_end
        if colors is not None and len(bounds.counts):
            n_queued, n_changes = count_hidden(links, bounds, trail, n_counted, trail_end, n_queued)
            trail_end, is_possible, n_supports = apply_supports(
                links, colors, bounds, trail, trail_end, n_queued, is_possible
            )
            n_read += n_changes + n_supports
            n_counted, n_queued = trail_end, np.uint32(0)
            is_changed = len(bounds.sums) > 0 and trail_end > n_marked
    return trail_end, is_possible, n_read


@njit
def subtract_option(links, bounds, item, option):
    """Subtract the weights of the option of a level, 0 for none, at which `item` was covered."""
    if len(bounds.sums):
        add_option(links, bounds, item, option, -1)


@njit
def undo_marks(links, bounds, trail, start, n_marked):
    """Forget that nodes on the trail, from `start` to `n_marked`, are hidden."""
    if len(bounds.sums):
        mark_hidden(links, bounds, trail, start, n_marked)
    if len(bounds.counts):
        count_restored(bounds, trail, start, n_marked)


@njit
def queue_again(links, bounds, trail, start, trail_end, n_queued):
    """Queue the items that lost options when the item of a level was covered.

    What followed from that for one option of the level need not follow for the next one. Returns
    the new length of the queue.
    """
    if len(bounds.counts):
        for i in range(start, trail_end):
            n_queued = queue_item(bounds, links.column[trail[np.uint32(i)]], n_queued)
    return n_queued
