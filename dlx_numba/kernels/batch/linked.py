"""Conditions of a variation on links: moves, which are undone after its search.

Forbidden options and the options of covered items are hidden, and each given option is a level at
which no other option remains. The search is that of Algorithm X or M, started at the last of these
levels.

The functions share the parameters of `dlx.moves`, and `state`, a `SearchState`; `k` is the number
of a variation, int64.
"""

import numpy as np

from ...jit import njit
from ..csr import row_range
from ..dlx.algorithm_x import queue_forced
from ..dlx.branching import count_branches
from ..dlx.linked_subtree import retreat
from ..dlx.links import INACTIVE
from ..dlx.moves import attach, cover, restore, try_option, tweak, use
from ..dlx.state import Register
from .variations import CHOSEN, EXCLUDED, node_of


@njit
def is_detached(links, item):
    """Return whether an item is covered.

    Secondary items are in no list of items, but their sizes include INACTIVE, and twice while they
    are covered.
    """
    if links.L[item] == item:
        return links.size[item] >= 2 * INACTIVE
    return links.R[links.L[item]] != item


@njit
def is_available(links, colors, option):
    """Return whether the option of a node is compatible with all moves so far."""
    _, R, U, D, column, _ = links
    node = option
    is_possible = D[U[option]] == option  # the option is not hidden
    while is_possible:
        item = column[node]
        is_possible = not is_detached(links, item)
        if colors is not None and colors.purifier[item] != 0:
            color = colors.color[colors.purifier[item]]
            is_possible = is_possible and colors.color[node] == color
        node = R[node]
        if node == option:
            break
    return is_possible


@njit
def give_option(links, colors, bounds, state, option):
    """Choose the option of a node at a new level. Return whether a cover may contain it.

    The level is added even if the option leaves an item without options, but not if the option is
    incompatible with other moves. An option that was given before is not given again. The moves
    write to the queue of forced items, but its end stays 0 here, because `start_on_links` fills it
    after all moves. Writes all arrays but `column` and `color`.
    """
    register = state.register
    forced = state.forced
    trail = state.trail
    root = np.uint32(0)
    item = links.column[option]
    level = np.uint32(register[Register.LEVEL])
    trail_end = np.uint32(register[Register.TRAIL_END])
    if not is_available(links, colors, option):
        is_given = False
        for other in range(level):
            is_given |= state.choice[other] == option
        return is_given
    state.choice[level] = option
    state.item_mark[level] = trail_end
    if bounds is not None:
        if count_branches(links, item) <= 0:  # too few options are left for what the item needs
            return False
        state.item[level] = item
    if bounds is None or bounds.capacity[item] == 1:
        _, trail_end = cover(links, colors, item, forced, root, trail, trail_end)
    else:  # the item can have further options
        trail_end = tweak(links, colors, option, trail, trail_end)
        use(links, bounds, item)
    state.option_mark[level] = trail_end
    _, trail_end, _, _, smallest = try_option(
        links, colors, bounds, option, forced, root, trail, trail_end
    )
    register[Register.LEVEL] = level + 1
    register[Register.TRAIL_END] = trail_end
    return smallest > 0


@njit
def start_on_links(links, colors, bounds, state, numbering, variations, k, question):
    """Apply the conditions of a variation to links. Return whether a cover may satisfy them.

    Parameters: `links`, `colors` or None, `bounds` or None, and `state`, which are written;
    `numbering`; `variations`, of which number `k` (int64) applies; and `question` (int64), the node
    of an option that is given in addition, or CHOSEN.
    """
    _, _, U, D, _, _ = links
    register = state.register
    trail = state.trail
    forced = state.forced
    root = trail_end = np.uint32(0)
    is_possible = True
    # Hide forbidden options and covered items before given options are chosen.
    for i in row_range(variations.forbidden_start, k):
        node = node_of(numbering, np.int64(variations.forbidden[i]), EXCLUDED)
        if node == CHOSEN:  # each cover contains the option; if EXCLUDED, none does
            is_possible = False
        elif node != EXCLUDED and D[U[np.uint32(node)]] == node:  # not hidden yet
            trail_end = tweak(links, colors, np.uint32(node), trail, trail_end)
    for i in row_range(variations.covered_start, k):
        item = np.uint32(variations.covered[i])
        if item == 0:  # an option of each cover contains the item
            is_possible = False
        else:
            _, trail_end = cover(links, colors, item, forced, root, trail, trail_end)
    register[Register.TRAIL_END] = trail_end
    for i in row_range(variations.given_start, k):
        node = node_of(numbering, np.int64(variations.given[i]), CHOSEN)
        if is_possible and node != CHOSEN:
            is_possible = node != EXCLUDED and give_option(
                links, colors, bounds, state, np.uint32(node)
            )
    if question != CHOSEN and is_possible:
        is_possible = give_option(links, colors, bounds, state, np.uint32(question))
    if bounds is None:
        queue_forced(links, state)
    # Algorithm M does not leave this level. Algorithm X ends without it: Register.OPEN_LEVELS does
    # not count the levels of given options.
    register[Register.BASE_LEVEL] = register[Register.LEVEL]
    return is_possible


@njit
def end_on_links(links, colors, bounds, state, variations, k):
    """Undo the search of variation `k` and the moves of `start_on_links`, if there are links."""
    if links is not None:
        retreat(links, colors, bounds, state, np.int64(0))
        restore(links, state.trail, np.uint32(0), np.uint32(state.register[Register.TRAIL_END]))
        # The trail has only nodes of options: put the covered items back, in reverse order.
        first = variations.covered_start[k]
        end = variations.covered_start[k + 1]
        for i in range(end - first):
            item = np.uint32(variations.covered[end - 1 - i])
            if item != 0:
                attach(links, item)
