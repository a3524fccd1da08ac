"""The dance: Knuth's Algorithm X on links, as kernels that can be stopped at any node.

Step names are those of TAOCP 7.2.2.1, Algorithm X. Three things differ from the book, and none
changes which covers are found:

- An item that is left with one option is put into a queue when that happens, so that step X3
  looks through the active items only where there is a real choice.
- While an option's items are covered (X5), an item that runs empty ends the attempt at once.
- A search that has no untried option left ends without undoing (X6) its way to the root.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from .branching import CHOOSE, DRAW, LEFTMOST, PRIME, SHARPS, SMALLEST, preferred_item
from .links import COVERED, Links

# What `search` returns.
EXHAUSTED = 0  # no further cover
SOLUTION = 1  # the wanted number of covers is reached; `choice[:level]` holds the last one
BUDGET = 2  # the budget of updates is used up

# The registers of a search, in `Dance.register`; those of X3 stand in choice.py.
LEVEL = 0  # options chosen so far
RESUME = 1  # where to go on: ENTER or LEAVE
HEAD = 2  # the next forced item in the queue
TAIL = 3  # the end of that queue
HIDDEN = 4  # how many nodes are hidden now: the end of the trail
OPEN = 5  # levels that have an untried option
WANTED = 6  # return SOLUTION when so many covers have been found
SOLUTIONS = 7  # covers found
NODES = 8  # nodes of the search tree that were entered
UPDATES = 9  # Knuth's measure of work: how often a node was unlinked
FLOOR = 13  # with multiplicities, the levels above which all is left to other searches
REGISTERS = 14

ENTER, LEAVE = 0, 1

UNLIMITED = 2**62


class Dance(NamedTuple):
    """The whole state of a search, but for the links: hold both, and it can go on at any time."""

    choice: NDArray[np.uint32]  # (levels,) the node by which the option of a level was chosen
    head: NDArray[np.uint32]  # (levels,) HEAD after X3; with multiplicities, the item chosen
    tail: NDArray[np.uint32]  # (levels,) TAIL after that was covered; or how many ways there are
    before: NDArray[np.uint32]  # (levels,) HIDDEN before that item was covered
    after: NDArray[np.uint32]  # (levels,) and after
    forced: NDArray[np.uint32]  # (primary items + 1,) the queue
    trail: NDArray[np.uint32]  # (nodes,) the nodes that are hidden, in the order of hiding
    register: NDArray[np.int64]  # (REGISTERS,)


def allocate_dance(n_primary: int, nodes: int) -> Dance:
    """Room for a search over links with so many primary items, and nodes in all."""
    levels = n_primary + 1  # each level covers one primary item or more
    choice, head, tail, before, after = np.zeros((5, levels), np.uint32)
    forced, trail = np.zeros(n_primary + 1, np.uint32), np.zeros(nodes, np.uint32)
    return Dance(choice, head, tail, before, after, forced, trail, np.zeros(REGISTERS, np.int64))


@kernel
def begin(links, dance, choose):
    """X1 [Initialize.] Items that have one option from the start, or none, are forced."""
    register, forced, size = dance.register, dance.forced, links.size
    for i in range(REGISTERS):
        register[i] = 0
    register[CHOOSE] = choose
    register[WANTED] = UNLIMITED
    tail = np.uint32(0)
    item = links.R[np.uint32(0)]
    while item:
        forced[tail] = item
        tail = np.uint32(tail + (size[item] <= 1))
        item = links.R[item]
    register[TAIL] = tail


@kernel
def detach(links, item):
    """Take an item out of the list of active ones."""
    L, R = links.L, links.R
    left, right = L[item], R[item]
    R[left], L[right] = right, left
    links.size[item] += COVERED


@kernel
def attach(links, item):
    """Undo `detach`."""
    L, R = links.L, links.R
    R[L[item]] = L[R[item]] = item
    links.size[item] -= COVERED


@kernel
def detach_option(links, colors, option):
    """Detach the items of an option, but for that of the node `option` itself and coloured ones."""
    R, column = links.R, links.column
    node = R[option]
    while node != option:
        if colors is None or colors.of[node] == 0:
            detach(links, column[node])
        node = R[node]


@kernel
def attach_option(links, colors, option):
    """Undo `detach_option`, and take the colours away that items got by this option."""
    L, column = links.L, links.column
    node = L[option]
    while node != option:
        item = column[node]
        if colors is None or colors.of[node] == 0:
            attach(links, item)
        elif colors.purifier[item] == node:
            colors.purifier[item] = 0
        node = L[node]


@kernel
def cover(links, colors, item, color, least, forced, tail, trail, hidden):
    """Hide each option of an item from the other items, but for those that give it `color`.

    Returns the ends of the queue and of the trail, and the smallest size that an active item
    came down to. It stops where that is less than `least`.
    """
    _, R, U, D, column, size = links
    smallest = COVERED
    row = D[item]
    while row != item and smallest >= least:
        node = R[row]
        if colors is not None and color != 0 and colors.of[row] == color:
            node = row
        while node != row:
            up, down, c = U[node], D[node], column[node]
            # What is left of a purified item has its colour already, and is skipped.
            if colors is not None and colors.purifier[c] != 0:
                node = R[node]
                continue
            D[up], U[down] = down, up
            left_over = np.uint32(size[c] - 1)
            size[c] = left_over
            # No branch: it could not be predicted. What stands behind the tail does not count.
            forced[tail] = c
            tail = np.uint32(tail + (left_over == 1))
            smallest = min(smallest, left_over)
            trail[hidden] = node
            hidden = np.uint32(hidden + 1)
            node = R[node]
        row = D[row]
    return tail, hidden, smallest


@kernel
def commit(links, colors, node, forced, tail, trail, hidden):
    """Cover the detached item of a chosen node; purify it, if the node gives it a colour.

    Returns what `cover` does, which stops where an active item runs empty.
    """
    item = links.column[node]
    if colors is None:
        return cover(links, None, item, np.uint32(0), 1, forced, tail, trail, hidden)
    color = colors.of[node]
    if color != 0 and colors.purifier[item] != 0:  # it has this colour already
        return tail, hidden, COVERED
    covered = cover(links, colors, item, color, 1, forced, tail, trail, hidden)
    if color != 0:
        colors.purifier[item] = node
    return covered


@kernel
def uncover(links, trail, start, hidden):
    """Undo `cover` and `commit`: bring back what was hidden since the trail ended at `start`.

    To follow a trail takes half as long as to find the nodes once more, from row to row.
    """
    _, _, U, D, column, size = links
    while hidden > start:
        hidden = np.uint32(hidden - 1)
        node = trail[hidden]
        D[U[node]] = U[D[node]] = node
        size[column[node]] += np.uint32(1)


@kernel
def smallest_item(links):
    """The first active item with the fewest options, where none has less than two."""
    R, size = links.R, links.size
    best = item = R[np.uint32(0)]
    while item and size[best] > 2:
        if size[item] < size[best]:
            best = item
        item = R[item]
    return best


@kernel
def choose_item(links, dance, head, tail):
    """X3 [Choose i.] The item, the new head of the queue, and whether all items were looked at.

    Of the items of the queue, those that were covered since have a size that tells it.
    """
    size, forced, register = links.size, dance.forced, dance.register
    if register[CHOOSE] == LEFTMOST:
        return links.R[np.uint32(0)], head, False
    while head < tail:
        item = forced[head]
        head = np.uint32(head + 1)
        if size[item] <= 1:
            return item, head, False
    if register[CHOOSE] == SMALLEST:
        return smallest_item(links), head, True
    return preferred_item(links, register), head, True


@kernel
def search(links, colors, dance, budget):
    """Go on with a search, until UPDATES reaches `budget` or there is something to tell.

    `colors` is None for a problem without: that is known when the kernel is compiled, so the plain
    search has no trace of them.

    Returns EXHAUSTED, SOLUTION or BUDGET. The links stay as the search left them: call again to
    go on, or `unwind` to have them as they were.
    """
    _, R, U, D, _, size = links
    choice, heads, tails, befores, afters, forced, trail, register = dance
    root = np.uint32(0)
    n_items = np.uint32(len(size) - 1)
    level = np.uint32(register[LEVEL])
    head, tail = np.uint32(register[HEAD]), np.uint32(register[TAIL])
    hidden = np.uint32(register[HIDDEN])
    resume = register[RESUME]
    untried = register[OPEN]
    solutions, nodes, updates = register[SOLUTIONS], register[NODES], register[UPDATES]
    status = BUDGET
    looked = 0  # an eighth of the items that X3 looked through: that takes its time, too
    while updates + looked < budget:
        if resume == ENTER:
            # X2 [Enter level l.]
            if R[root] == root:
                resume = LEAVE
                solutions += 1
                if solutions >= register[WANTED]:
                    status = SOLUTION
                    break
                continue
            nodes += 1
            # X3 [Choose i.]
            item, head, is_looked_for = choose_item(links, dance, head, tail)
            if is_looked_for:
                looked += int(n_items) >> 3
            if size[item] == 0:
                resume = LEAVE
                continue
            untried += size[item] > 1
            # X4 [Cover i.]
            heads[level], befores[level] = head, hidden
            detach(links, item)
            tail, hidden, _ = cover(links, colors, item, root, 0, forced, tail, trail, hidden)
            tails[level], afters[level] = tail, hidden
            updates += hidden - befores[level] + 1
            option = D[item]
        else:
            # X8 [Leave level l.]
            if untried == 0:
                status = EXHAUSTED
                break
            level = np.uint32(level - 1)
            # X6 [Try again.]
            option = choice[level]
            uncover(links, trail, afters[level], hidden)
            attach_option(links, colors, option)
            head, tail, hidden = heads[level], tails[level], afters[level]
            option = D[option]
        resume = LEAVE
        while option > n_items:
            untried -= D[option] <= n_items and U[option] > n_items
            # X5 [Try x_l.] All of the option's items are detached before the first is covered,
            # so that no item of the option itself seems to run empty.
            detach_option(links, colors, option)
            smallest = COVERED
            node = R[option]
            while node != option and smallest:
                updates += 1
                tail, hidden, smallest = commit(links, colors, node, forced, tail, trail, hidden)
                node = R[node]
            updates += hidden - afters[level]
            if smallest:
                choice[level] = option
                level = np.uint32(level + 1)
                resume = ENTER
                break
            # X6 [Try again.]
            uncover(links, trail, afters[level], hidden)
            attach_option(links, colors, option)
            head, tail, hidden = heads[level], tails[level], afters[level]
            option = D[option]
        if resume == LEAVE:
            # X7 [Backtrack.] Here `option` is the item, for its list of options is through.
            uncover(links, trail, befores[level], hidden)
            hidden = befores[level]
            attach(links, option)
    register[LEVEL], register[RESUME] = level, resume
    register[HEAD], register[TAIL], register[HIDDEN] = head, tail, hidden
    register[OPEN] = untried
    register[SOLUTIONS], register[NODES], register[UPDATES] = solutions, nodes, updates
    return status


@kernel
def retreat(links, colors, dance, base):
    """Undo the choices of the levels from `base` on: what comes next is to leave level `base`."""
    column, choice, register = links.column, dance.choice, dance.register
    level, hidden = register[LEVEL], np.uint32(register[HIDDEN])
    while level > base:
        level -= 1
        at = np.uint32(level)
        uncover(links, dance.trail, dance.before[at], hidden)
        hidden = dance.before[at]
        attach_option(links, colors, choice[at])
        attach(links, column[choice[at]])
    register[LEVEL], register[HIDDEN], register[RESUME] = level, hidden, LEAVE


@kernel
def unwind(links, colors, dance):
    """Undo all choices: the links are again what they were before `search`; `begin` starts anew."""
    retreat(links, colors, dance, 0)
    dance.register[OPEN] = 0


def start(links: Links, choose: int = SMALLEST, sharps: int = 0, seed: int = 0) -> Dance:
    """A search over `links` (unsigned views) that has not yet taken a step.

    Items up to `sharps` are sharp; `seed` is for random choices.
    """
    n_primary = int(np.count_nonzero(links.size[1:] < COVERED))
    dance = allocate_dance(n_primary, len(links.L))
    begin(links, dance, choose)
    dance.register[SHARPS] = sharps
    dance.register[DRAW] = 1 + seed % (PRIME - 1)
    return dance
