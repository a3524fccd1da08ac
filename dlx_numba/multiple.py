"""The dance with multiplicities: each item is covered between `low` and `high` times (MCC).

Step names are those of TAOCP 7.2.2.1, Algorithm M. The size of an item means more here: it is
the number of options left, plus 1, minus the number of options that the item still needs. That is
the number of ways to go on with the item (Knuth's θ): at 0 it cannot be had any more, at 1 there
is no choice. An item that needs one option has its plain size, so `cover` and `commit` serve both.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .choice import LAST, prefers, rank
from .dance import (
    BUDGET,
    ENTER,
    EXHAUSTED,
    LEAVE,
    LEVEL,
    NODES,
    RESUME,
    SOLUTION,
    SOLUTIONS,
    TAIL,
    UPDATES,
    WANTED,
    attach,
    commit,
    cover,
    detach,
    uncommit,
    uncover,
)
from .links import COVERED, Links
from .policy import kernel


class Bounds(NamedTuple):
    """What a problem with multiplicities has beside its links; both of shape (1 + primary,)."""

    need: NDArray[np.int32]  # how many options an item still needs; below 0 if it has more
    room: NDArray[np.int32]  # how many it may still have

    def copy(self) -> "Bounds":
        return Bounds(*(array.copy() for array in self))


class Trail(NamedTuple):
    """The stacks of a search with multiplicities, beside those of `Dance`."""

    item: NDArray[np.uint32]  # (levels,) the item of a level
    height: NDArray[np.int64]  # (levels,) that of the next stack when the level was entered
    tweaked: NDArray[np.uint32]  # (options,) nodes whose options were taken out of all lists


def bound_links(links: Links, low: NDArray[np.int64], high: NDArray[np.int64]) -> Bounds:
    """The bounds of a problem, from those of its primary items; `links` get the sizes for it."""
    size = links.size[1 : len(low) + 1]
    # An item with too few options from the start has size 0, however many it lacks.
    size[:] = np.maximum(size + 1 - low, 0)
    need, room = np.zeros((2, len(low) + 1), np.int32)
    beyond = 1 << 30  # more than any item can have
    need[1:], room[1:] = np.minimum(low, beyond), np.minimum(high, beyond)
    return Bounds(need, room)


def allocate_trail(levels: int, n_options: int) -> Trail:
    return Trail(
        np.zeros(levels, np.uint32),
        np.zeros(levels, np.int64),
        np.zeros(n_options, np.uint32),
    )


@kernel
def ways(links, item):
    """The size of an active item, which may lack more than one option, as a signed number."""
    size = np.int64(links.size[item])
    return size if size < 1 << 31 else size - (1 << 32)


@kernel
def choose_item(links, bounds, register):
    """M3 [Choose i.] The root stands for none: each item has what it needs, and no option left."""
    R, D = links.R, links.D
    need, room = bounds
    best = np.uint32(0)
    least, ties = np.int64(4 * LAST), 0
    item = R[best]
    while item:
        if D[item] != item or need[item] > 0:
            its_ways = ways(links, item)
            its_rank = rank(register, item, its_ways)
            if need[item] <= 0 and its_ways <= room[item] + 1:
                its_rank += 2 * LAST  # its options may be taken or left, just as one likes
            if its_rank <= least:
                ties = ties + 1 if its_rank == least else 1
                if prefers(register, ties):
                    best = item
                least = its_rank
        item = R[item]
    return best


@kernel
def tweak(links, colors, option):
    """Take the option of that node out of the lists of all of its items."""
    _, R, U, D, column, size = links
    node = option
    while True:
        if colors is None or colors.purifier[column[node]] == 0:
            D[U[node]], U[D[node]] = D[node], U[node]
            size[column[node]] -= np.uint32(1)
        node = R[node]
        if node == option:
            break


@kernel
def untweak(links, colors, option):
    """Undo `tweak`, in the opposite order."""
    L, _, U, D, column, size = links
    node = option
    while True:
        node = L[node]
        if colors is None or colors.purifier[column[node]] == 0:
            D[U[node]] = U[D[node]] = node
            size[column[node]] += np.uint32(1)
        if node == option:
            break


@kernel
def use(links, bounds, item):
    """One option more for a primary item. Returns whether the item has room for another."""
    need, room = bounds
    if need[item] > 0:
        links.size[item] += np.uint32(1)
    need[item] -= 1
    room[item] -= 1
    return room[item] > 0


@kernel
def unuse(links, bounds, item):
    """Undo `use`."""
    need, room = bounds
    need[item] += 1
    room[item] += 1
    if need[item] > 0:
        links.size[item] -= np.uint32(1)


@kernel
def take(links, colors, bounds, option, forced):
    """Use the other items of the option of that node, and cover those that it fills.

    As in `search`, all items are detached before one is covered. Returns how many nodes that
    unlinked, the node that it came to, and whether no item has too few options left.
    """
    R, column = links.R, links.column
    n_primary = len(bounds.room) - 1
    node = R[option]
    while node != option:
        item = column[node]
        if item <= n_primary:
            if not use(links, bounds, item):
                detach(links, item)
        elif colors is None or colors.of[node] == 0:
            detach(links, item)
        node = R[node]
    updates = 0
    smallest = COVERED
    node = R[option]
    while node != option and smallest:
        if column[node] > n_primary or bounds.room[column[node]] == 0:
            unlinked, _, smallest = commit(links, colors, node, forced, np.uint32(0))
            updates += unlinked + 1
        node = R[node]
    return updates, node, smallest != 0


@kernel
def untake(links, colors, bounds, option, node):
    """Undo `take`, which came to `node`."""
    L, column = links.L, links.column
    n_primary = len(bounds.room) - 1
    while True:
        node = L[node]
        if node == option:
            break
        if column[node] > n_primary or bounds.room[column[node]] == 0:
            uncommit(links, colors, node)
    node = L[option]
    while node != option:
        item = column[node]
        if item <= n_primary:
            if bounds.room[item] == 0:
                attach(links, item)
            unuse(links, bounds, item)
        elif colors is None or colors.of[node] == 0:
            attach(links, item)
        node = L[node]


@kernel
def retract(links, colors, bounds, item, option, node):
    """Undo `take`, which came to `node`, at the level of an item. Returns what to try next."""
    untake(links, colors, bounds, option, node)
    if links.size[item] >= COVERED:
        return links.D[option]
    unuse(links, bounds, item)
    return links.D[item]  # for `option` was tweaked


@kernel
def search_multiple(links, colors, bounds, trail, dance, budget):
    """Go on with a search, just as `search` does, where items have multiplicities.

    An item with room for one option is covered first, as in Algorithm X. Of an item with more
    room, each option is taken out of the lists when it is tried, and stays out at this level:
    whichever options follow it, the same set of options cannot come up again.
    """
    D, size = links.D, links.size
    need, room = bounds
    items, heights, tweaked = trail
    choice, forced, register = dance.choice, dance.forced, dance.register
    root = np.uint32(0)
    n_items = np.uint32(len(size) - 1)
    level = np.uint32(register[LEVEL])
    resume = register[RESUME]
    top = register[TAIL]
    solutions, nodes, updates = register[SOLUTIONS], register[NODES], register[UPDATES]
    status = BUDGET
    while updates < budget:
        if resume == ENTER:
            # M2 [Enter level l.]
            resume = LEAVE
            item = choose_item(links, bounds, register)
            if item == root:
                solutions += 1
                if solutions >= register[WANTED]:
                    status = SOLUTION
                    break
                continue
            nodes += 1
            if ways(links, item) <= 0:
                continue
            # M4 [Prepare to branch on i.]
            items[level], heights[level] = item, top
            if room[item] == 1:
                detach(links, item)
                unlinked, _, _ = cover(links, colors, item, root, forced, root)
                updates += unlinked + 1
            option = D[item]
        else:
            # M9 [Leave level l.]
            if level == 0:
                status = EXHAUSTED
                break
            level = np.uint32(level - 1)
            # M7 [Try again.]
            item, option = items[level], choice[level]
            if option != root:
                option = retract(links, colors, bounds, item, option, option)
        resume = LEAVE
        while option > n_items and size[item] > 0:
            # M5 [Possibly tweak x_l.]
            if size[item] < COVERED:
                tweak(links, colors, option)
                tweaked[top] = option
                top += 1
                use(links, bounds, item)
            # M6 [Try x_l.]
            unlinked, node, possible = take(links, colors, bounds, option, forced)
            updates += unlinked + 1
            if possible:
                resume = ENTER
                break
            option = retract(links, colors, bounds, item, option, node)
        if option == item and need[item] <= 0:
            # Its options are through, and it can do without: try none. The root stands for that.
            option = root
            resume = ENTER
        if resume == ENTER:
            choice[level] = option
            level = np.uint32(level + 1)
            continue
        # M8 [Restore i.]
        if size[item] >= COVERED:
            uncover(links, colors, item, root)
            attach(links, item)
        while top > heights[level]:
            top -= 1
            untweak(links, colors, tweaked[top])
    register[LEVEL], register[RESUME], register[TAIL] = level, resume, top
    register[SOLUTIONS], register[NODES], register[UPDATES] = solutions, nodes, updates
    return status
