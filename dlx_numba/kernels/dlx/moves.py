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

import numpy as np

from ...jit import inlined, njit
from .links import INACTIVE

# An option uses an item, which is undone later, in the time of following a list of so many options.
USED = np.uint32(8)


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
        size[column[node]] += 1


@njit
def tweak(links, colors, option, trail, trail_end):
    """Hide the option of a node from all of its items. Returns the new end of the trail.

    As in `hide_options`, it stays in the lists of purified items.
    """
    _, R, U, D, column, size = links
    node = option
    while True:
        if colors is None or colors.purifier[column[node]] == 0:
            D[U[node]] = D[node]
            U[D[node]] = U[node]
            size[column[node]] -= 1
            trail[trail_end] = node
            trail_end = np.uint32(trail_end + 1)
        node = R[node]
        if node == option:
            return trail_end


@njit
def is_needed(links, option):
    """Return whether an item would have no branch left without the option of a node.

    The size of an item that is secondary or covered is more than 1, because it includes INACTIVE.
    """
    node = option
    while links.size[links.column[node]] > 1:
        node = links.R[node]
        if node == option:
            return False
    return True


@njit
def use(links, bounds, item):
    """Record that an option of a primary item is chosen. Returns whether it can have another.

    The size of an item is lower by the number of options that it needs, so it grows as the need
    falls.
    """
    need = bounds.need
    capacity = bounds.capacity
    if need[item] > 0:
        links.size[item] += 1
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
        links.size[item] -= 1


@inlined
def try_option(links, colors, bounds, option, forced, tail, trail, trail_end):
    """X5 [Try x_l.] Commit to the other items of an option; the item of `option` is covered.

    With `bounds`, this is step M6: the items use the option, and those that reach their capacity
    are committed to. All of them are detached before the first is covered, so that no item of the
    option itself is mistaken for an active item without options.

    Parameters: `links`, `colors.purifier`, and `need` and `capacity` of `bounds`, written; `option`
    uint32, one of its nodes; `forced`, `tail`, `trail` and `trail_end` as for `commit`.
    Returns the new ends of the queue and of the trail, the number of items committed to, that of
    the options in their lists, with USED for each other item, and the smallest size that an active
    item dropped to: 0 is a dead end.
    """
    R = links.R
    column = links.column
    n_visited = np.uint32(0)
    node = R[option]
    while node != option:
        item = column[node]
        if bounds is not None and item < len(bounds.capacity):
            n_options = USED if use(links, bounds, item) else detach(links, item)
            n_visited = np.uint32(n_visited + n_options)
        elif colors is None or colors.color[node] == 0:
            n_visited = np.uint32(n_visited + detach(links, item))
        elif colors.purifier[item] == 0:  # `commit` will purify it
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
    if links.size[item] >= INACTIVE:  # the item is covered, and its list is complete
        return links.D[option]
    unuse(links, bounds, item)
    return links.D[item]  # `option` and those tried before it were tweaked: the first that is left
