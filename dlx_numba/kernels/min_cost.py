"""The k cheapest covers: branch and bound over the same links (Knuth's DLX5).

Each primary item is taxed with the cost of its cheapest option, and the tax taken off the cost of
each of its options. A cover pays all taxes, whatever it is, so net costs rank covers just as well,
and an option that is dear for all of its items shows it. Options are linked in the order of their
net costs: in each item's list, the first that costs too much ends the list.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from ..runtime.interrupts import SLICE, Stop
from .algorithm_x import (
    BUDGET,
    ENTER,
    EXHAUSTED,
    HIDDEN,
    LEAVE,
    LEVEL,
    NODES,
    RESUME,
    SOLUTIONS,
    UPDATES,
    Dance,
    attach,
    attach_option,
    commit,
    cover,
    detach,
    detach_option,
    uncover,
)
from .branching import LAST, prefers, rank
from .links import COVERED, Links
from .problem import Problem, build_instance, select_options

INFINITE = 2**62  # more than all options cost together
LOOK = 10  # options of an item that are looked at to see how many it can afford


class Purse(NamedTuple):
    """What a search for the cheapest covers has beside its links and its dance."""

    cost: NDArray[np.int64]  # (nodes,) the net cost of a node's option
    spent: NDArray[np.int64]  # (levels,) the net cost of the options above a level
    best: NDArray[np.int64]  # (k,) the lowest net costs, a heap with the highest of them on top
    place: NDArray[np.int64]  # (k,) where in `kept` the cover of that cost stands
    kept: NDArray[np.uint32]  # (k, levels) covers, as the nodes chosen
    length: NDArray[np.int64]  # (k,) their lengths
    share: NDArray[np.int64]  # (1,) the most primary items that an option has


def allocate_purse(cost: NDArray[np.int64], share: int, levels: int, k: int) -> Purse:
    return Purse(
        cost,
        np.zeros(levels, np.int64),
        np.full(k, INFINITE),
        np.arange(k),
        np.empty((k, levels), np.int32).view(np.uint32),
        np.zeros(k, np.int64),
        np.array([max(share, 1)]),
    )


@kernel
def levy(links, option_of, cost, n_primary):
    """Take the taxes off the costs (options,); `option_of` tells the option of each option node."""
    D = links.D
    first_node = np.int64(len(links.size))
    for i in range(1, n_primary + 1):
        item = np.uint32(i)
        tax = np.int64(INFINITE)
        node = D[item]
        while node != item:
            tax = min(tax, cost[option_of[node - first_node]])
            node = D[node]
        node = D[item]
        while node != item:
            cost[option_of[node - first_node]] -= tax
            node = D[node]


@kernel
def affordable_item(links, purse, register, left):
    """X3 [Choose i.] Of the items with the fewest options below the cost `left`, the dearest.

    Returns the root where there is no cover below that cost.
    """
    R, D, size = links.R, links.D, links.size
    cost = purse.cost
    best = root = np.uint32(0)
    least, dearest, ties = 2 * LAST, np.int64(0), 0
    total = np.int64(0)
    item = R[root]
    while item:
        node = D[item]
        cheapest = left if node == item else cost[node]
        if cheapest >= left:
            return root
        # No option of the cover to come serves more items than `share`: so much it has to cost.
        total = min(total + cheapest, np.int64(INFINITE))
        if total // purse.share[0] >= left:
            return root
        usable = np.int64(0)
        while node != item and usable < LOOK and cost[node] < left:
            usable += 1
            node = D[node]
        if usable == LOOK:
            usable = np.int64(size[item])
        its_rank = rank(register, item, usable)
        if its_rank < least or (its_rank == least and cheapest >= dearest):
            ties = ties + 1 if its_rank == least and cheapest == dearest else 1
            if prefers(register, ties):
                best = item
            least, dearest = its_rank, cheapest
        item = R[item]
    return best


@kernel
def keep(purse, choice, level):
    """Let the cover chosen take the place of the dearest that is kept."""
    best, place = purse.best, purse.place
    cost, where = purse.spent[level], place[0]
    purse.length[where] = level
    for k in range(level):
        purse.kept[where, k] = choice[k]
    hole, below = 0, 1
    while below < len(best):
        if below + 1 < len(best) and best[below + 1] > best[below]:
            below += 1
        if best[below] <= cost:
            break
        best[hole], place[hole] = best[below], place[below]
        hole, below = below, 2 * below + 1
    best[hole], place[hole] = cost, where


@kernel
def search_cheapest(links, colors, purse, dance, budget):
    """Go on with a search until UPDATES reaches `budget`; `purse` has the best covers so far.

    Returns EXHAUSTED or BUDGET.
    """
    R, D, column = links.R, links.D, links.column
    cost, spent, best = purse.cost, purse.spent, purse.best
    choice, befores, afters = dance.choice, dance.before, dance.after
    forced, trail, register = dance.forced, dance.trail, dance.register
    root = np.uint32(0)
    level = np.uint32(register[LEVEL])
    hidden = np.uint32(register[HIDDEN])
    resume = register[RESUME]
    solutions, nodes, updates = register[SOLUTIONS], register[NODES], register[UPDATES]
    status = BUDGET
    looked = 0  # as in `search`
    while updates + looked < budget:
        left = best[0] - spent[level]
        if resume == ENTER:
            # X2 [Enter level l.]
            resume = LEAVE
            if R[root] == root:
                solutions += 1
                if left > 0:
                    keep(purse, choice, level)
                continue
            nodes += 1
            updates += 1
            item = affordable_item(links, purse, register, left)
            looked += len(links.size) >> 3
            if item == root:
                continue
            # X4 [Cover i.]
            befores[level] = hidden
            detach(links, item)
            _, hidden, _ = cover(links, colors, item, root, 0, forced, root, trail, hidden)
            afters[level] = hidden
            updates += hidden - befores[level]
            option = D[item]
        else:
            # X8 [Leave level l.]
            if level == 0:
                status = EXHAUSTED
                break
            level = np.uint32(level - 1)
            # X6 [Try again.]
            option = choice[level]
            left = best[0] - spent[level]
            uncover(links, trail, afters[level], hidden)
            hidden = afters[level]
            attach_option(links, colors, option)
            item = column[option]
            option = D[option]
        resume = LEAVE
        while option != item and cost[option] < left:
            # X5 [Try x_l.]
            detach_option(links, colors, option)
            smallest = COVERED
            node = R[option]
            while node != option and smallest:
                _, hidden, smallest = commit(links, colors, node, forced, root, trail, hidden)
                node = R[node]
            updates += hidden - afters[level] + 1
            if smallest:
                choice[level] = option
                level = np.uint32(level + 1)
                spent[level] = spent[np.uint32(level - 1)] + cost[option]
                resume = ENTER
                break
            # X6 [Try again.]
            uncover(links, trail, afters[level], hidden)
            hidden = afters[level]
            attach_option(links, colors, option)
            option = D[option]
        if resume == LEAVE:
            # X7 [Backtrack.]
            uncover(links, trail, befores[level], hidden)
            hidden = befores[level]
            attach(links, item)
    register[LEVEL], register[RESUME], register[HIDDEN] = level, resume, hidden
    register[SOLUTIONS], register[NODES], register[UPDATES] = solutions, nodes, updates
    return status


def net_costs(problem: Problem) -> NDArray[np.int64]:
    """The costs of the options (options,) after taxes."""
    cost = np.zeros(problem.n_options, np.int64) if problem.cost is None else problem.cost.copy()
    links = build_instance(problem).links.unsigned()
    levy(links, problem.option_of_node(), cost, problem.n_primary)
    return cost


def cheapest_covers(
    problem: Problem, k: int, begin: Callable[[Links], Dance], stop: Stop
) -> tuple[list[list[int]], Dance]:
    """The `k` cheapest covers as lists of options, in no order, and the dance as it ended.

    `begin` makes a dance over links that has not yet taken a step.
    """
    net = net_costs(problem)
    order = np.argsort(net, kind="stable")
    problem = select_options(problem, order)
    links, colors, _, _ = build_instance(problem).copy()
    option_of = problem.option_of_node()
    share = np.bincount(option_of[problem.items < problem.n_primary], minlength=1).max()
    first_node = len(links.size)
    cost = np.zeros(len(links.column), np.int64)
    cost[first_node:] = net[order][option_of]
    dance = begin(links)
    purse = allocate_purse(cost, share, len(dance.choice), k)
    status = BUDGET
    while status == BUDGET and not stop():
        status = search_cheapest(links, colors, purse, dance, dance.register[UPDATES] + SLICE)
    found = np.flatnonzero(purse.best < INFINITE)
    rows = [purse.kept[row, : purse.length[row]] for row in purse.place[found]]
    return [order[option_of[row.astype(int) - first_node]].tolist() for row in rows], dance
