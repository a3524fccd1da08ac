"""Propagation: hide the options that totals or colors exclude when the search enters a node.

What is known of totals and supports reflects the choices of some levels and a part of the trail.
`Bounds.known` has the numbers of both.
"""

from ...jit import inlined, njit
from .bounds import N_ADDED, N_MARKED
from .supports import apply_supports, change_counts, count_again, count_hidden, queue_item
from .totals import add_option, apply_totals, forget_totals, mark_hidden


@inlined
def has_propagation(bounds):
    """Return whether there are totals or supports, with which a node excludes options."""
    return len(bounds.totals.sums) > 0 or len(bounds.supports.counts) > 0


@njit
def start_propagation(bounds, trail, trail_end):
    """Reset what is known of totals and supports: no choice, and the hidden nodes on the trail.

    Reads the trail, (nodes,) uint32, up to `trail_end`, uint32. Writes all of `bounds` but the
    needs and capacities.
    """
    known = bounds.known
    known[N_ADDED] = 0
    known[N_MARKED] = trail_end
    if len(bounds.totals.sums):
        forget_totals(bounds)
    if len(bounds.supports.counts):
        count_again(bounds, trail, trail_end)


@njit
def propagate(links, colors, bounds, state, level, trail_end):
    """Hide options until the totals and the colors exclude no other.

    Parameters: `links`, `colors` or None, `bounds` and `state`, of which all but the choices are
    written; `level`, the number of choices, and the end of the trail, uint32. Returns the new end
    of the trail, whether a cover is still possible, and the number of weights and supports that
    were read or changed.
    """
    trail = state.trail
    known = bounds.known
    is_possible = True
    n_read = 0
    # The part of the trail that the counts of supports reflect. They count what `apply_totals`
    # hides afterward, while N_MARKED may advance at once: the totals have marked it already.
    n_counted = known[N_MARKED]
    is_changed = True
    while is_changed and is_possible:
        is_changed = False
        if len(bounds.totals.sums):
            trail_end, is_possible, n_weights = apply_totals(
                links, colors, bounds, state, level, trail_end
            )
            n_read += n_weights
        known[N_ADDED] = level
        known[N_MARKED] = trail_end
        if colors is not None and len(bounds.supports.counts):
            n_read += count_hidden(links, bounds, trail, n_counted, trail_end)
            trail_end, is_possible, n_supports = apply_supports(
                links, colors, bounds, trail, trail_end, is_possible
            )
            n_read += n_supports
            n_counted = trail_end
            # The totals are applied again if colors have hidden options.
            is_changed = len(bounds.totals.sums) > 0 and trail_end > known[N_MARKED]
    known[N_MARKED] = trail_end
    return trail_end, is_possible, n_read


@njit
def undo_marks(links, bounds, trail, start):
    """Forget that the nodes on the trail from `start`, uint32, on are hidden.

    Reads `links` and the trail, (nodes,) uint32.
    """
    n_marked = bounds.known[N_MARKED]
    if n_marked > start:
        if len(bounds.totals.sums):
            mark_hidden(links, bounds, trail, start, n_marked)
        if len(bounds.supports.counts):
            change_counts(bounds, trail, start, n_marked, 1)
        bounds.known[N_MARKED] = start


@njit
def forget_choice(links, bounds, state, level):
    """Forget the choice of a level, uint32, and what followed from it.

    The items that lost options when the item of the level was covered are queued: what followed
    from that for one option need not follow for the next one. Reads `links` and `state`.
    """
    mark = state.option_mark[level]
    if bounds.known[N_ADDED] > level:
        if len(bounds.totals.sums):
            add_option(links, bounds, state.item[level], state.choice[level], -1)
        bounds.known[N_ADDED] = level
    undo_marks(links, bounds, state.trail, mark)
    if len(bounds.supports.counts):
        for i in range(state.item_mark[level], mark):
            queue_item(bounds, links.column[state.trail[i]])
