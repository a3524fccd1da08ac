"""The dance with multiplicities: each item is covered between `low` and `high` times (MCC).

Step names are those of TAOCP 7.2.2.1, Algorithm M. The size of an item means more here: it is
the number of options left, plus 1, minus the number of options that the item still needs. That is
the number of ways to go on with the item (Knuth's θ): at 0 it cannot be had any more, at 1 there
is no choice. An item that needs one option has its plain size, so `cover` and `commit` serve both.

Every set of options counts as a cover of its own, also where sets differ in options only that may
be taken or left at will. (Knuth's DLX3 tells such sets in one go.)
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from .algorithm_x import (
    BUDGET,
    ENTER,
    EXHAUSTED,
    FLOOR,
    HIDDEN,
    LEAVE,
    LEVEL,
    NODES,
    RESUME,
    SOLUTION,
    SOLUTIONS,
    UPDATES,
    WANTED,
    attach,
    commit,
    cover,
    detach,
    uncover,
)
from .branching import LAST, prefers, rank
from .links import COVERED, Links


class Bounds(NamedTuple):
    """What a problem with multiplicities has beside its links; both of shape (1 + primary,)."""

    need: NDArray[np.int32]  # how many options an item still needs; below 0 if it has more
    room: NDArray[np.int32]  # how many it may still have

    def copy(self) -> "Bounds":
        return Bounds(*(array.copy() for array in self))


def bound_links(links: Links, low: NDArray[np.int64], high: NDArray[np.int64]) -> Bounds:
    """The bounds of a problem, from those of its primary items; `links` get the sizes for it."""
    size = links.size[1 : len(low) + 1]
    # An item with too few options from the start has size 0, however many it lacks.
    size[:] = np.maximum(size + 1 - low, 0)
    need, room = np.zeros((2, len(low) + 1), np.int32)
    beyond = 1 << 30  # more than any item can have
    need[1:], room[1:] = np.minimum(low, beyond), np.minimum(high, beyond)
    return Bounds(need, room)


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
def tweak(links, colors, option, trail, hidden):
    """Hide the option of that node from all of its items. Returns the end of the trail."""
    _, R, U, D, column, size = links
    node = option
    while True:
        if colors is None or colors.purifier[column[node]] == 0:
            D[U[node]], U[D[node]] = D[node], U[node]
            size[column[node]] -= np.uint32(1)
            trail[hidden] = node
            hidden = np.uint32(hidden + 1)
        node = R[node]
        if node == option:
            return hidden


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
def take(links, colors, bounds, option, forced, trail, hidden):
    """Use the other items of the option of that node, and cover those that it fills.

    As in `search`, all items are detached before one is covered. Returns the end of the trail, and
    whether no item was left with too few options.
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
    smallest = COVERED
    node = R[option]
    while node != option and smallest:
        if column[node] > n_primary or bounds.room[column[node]] == 0:
            _, hidden, smallest = commit(links, colors, node, forced, np.uint32(0), trail, hidden)
        node = R[node]
    return hidden, smallest != 0


@kernel
def untake(links, colors, bounds, option, trail, start, hidden):
    """Undo `take`, before which the trail ended at `start`."""
    L, column = links.L, links.column
    n_primary = len(bounds.room) - 1
    uncover(links, trail, start, hidden)
    node = L[option]
    while node != option:
        item = column[node]
        if item <= n_primary:
            if bounds.room[item] == 0:
                attach(links, item)
            unuse(links, bounds, item)
        elif colors is None or colors.of[node] == 0:
            attach(links, item)
        elif colors.purifier[item] == node:
            colors.purifier[item] = 0
        node = L[node]


@kernel
def retract(links, colors, bounds, item, option, trail, start, hidden):
    """Undo `take` at the level of an item. Returns what to try next."""
    untake(links, colors, bounds, option, trail, start, hidden)
    if links.size[item] >= COVERED:
        return links.D[option]
    unuse(links, bounds, item)
    return links.D[item]  # for `option` was tweaked


@kernel
def search_multiple(links, colors, bounds, dance, budget):
    """Go on with a search, just as `search` does, where items have multiplicities.

    An item with room for one option is covered first, as in Algorithm X. Of an item with more
    room, each option is taken out of the lists when it is tried, and stays out at this level:
    whichever options follow it, the same set of options cannot come up again.
    """
    D, size = links.D, links.size
    need, room = bounds
    choice, items, its_ways = dance.choice, dance.head, dance.tail
    befores, afters = dance.before, dance.after
    forced, trail, register = dance.forced, dance.trail, dance.register
    root = np.uint32(0)
    n_items = np.uint32(len(size) - 1)
    level = np.uint32(register[LEVEL])
    hidden = np.uint32(register[HIDDEN])
    resume = register[RESUME]
    solutions, nodes, updates = register[SOLUTIONS], register[NODES], register[UPDATES]
    status = BUDGET
    looked = 0  # as in `search`
    while updates + looked < budget:
        if resume == ENTER:
            # M2 [Enter level l.]
            resume = LEAVE
            item = choose_item(links, bounds, register)
            looked += len(links.size) >> 3
            if item == root:
                solutions += 1
                if solutions >= register[WANTED]:
                    status = SOLUTION
                    break
                continue
            nodes += 1
            updates += 1
            if ways(links, item) <= 0:
                continue
            its_ways[level] = ways(links, item)
            # M4 [Prepare to branch on i.]
            items[level], befores[level] = item, hidden
            if room[item] == 1:
                detach(links, item)
                _, hidden, _ = cover(links, colors, item, root, 0, forced, root, trail, hidden)
                updates += hidden - befores[level]
            afters[level] = hidden
            option = D[item]
        else:
            # M9 [Leave level l.]
            if level == register[FLOOR]:
                status = EXHAUSTED
                break
            level = np.uint32(level - 1)
            # M7 [Try again.]
            item, option = items[level], choice[level]
            if option != root:
                start = afters[level]
                option = retract(links, colors, bounds, item, option, trail, start, hidden)
                hidden = start
        resume = LEAVE
        while option > n_items and size[item] > 0:
            # M5 [Possibly tweak x_l.]
            if size[item] < COVERED:
                hidden = tweak(links, colors, option, trail, hidden)
                afters[level] = hidden
                use(links, bounds, item)
            # M6 [Try x_l.]
            start = afters[level]
            hidden, possible = take(links, colors, bounds, option, forced, trail, hidden)
            updates += hidden - start + 1
            if possible:
                resume = ENTER
                break
            option = retract(links, colors, bounds, item, option, trail, start, hidden)
            hidden = start
        if option == item and need[item] <= 0:
            # Its options are through, and it can do without: try none. The root stands for that.
            option = root
            resume = ENTER
        if resume == ENTER:
            choice[level] = option
            level = np.uint32(level + 1)
            continue
        # M8 [Restore i.]
        uncover(links, trail, befores[level], hidden)
        hidden = befores[level]
        if size[item] >= COVERED:
            attach(links, item)
    register[LEVEL], register[RESUME], register[HIDDEN] = level, resume, hidden
    register[SOLUTIONS], register[NODES], register[UPDATES] = solutions, nodes, updates
    return status


@kernel
def retreat_multiple(links, colors, bounds, dance, base):
    """Undo the choices of the levels from `base` on, as `retreat` does."""
    choice, items, register = dance.choice, dance.head, dance.register
    level, hidden = register[LEVEL], np.uint32(register[HIDDEN])
    while level > base:
        level -= 1
        at = np.uint32(level)
        item, option = items[at], choice[at]
        if option != 0:
            retract(links, colors, bounds, item, option, dance.trail, dance.after[at], hidden)
            hidden = dance.after[at]
        uncover(links, dance.trail, dance.before[at], hidden)
        hidden = dance.before[at]
        if links.size[item] >= COVERED:
            attach(links, item)
    register[LEVEL], register[HIDDEN], register[RESUME] = level, hidden, LEAVE
