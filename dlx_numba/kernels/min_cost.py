"""The k covers of minimum cost, by branch and bound over the same links (Knuth's DLX5).

Each primary item is taxed with the cost of its cheapest option, and the tax is subtracted from the
cost of each of its options. The total tax is the same for all covers, so net costs rank covers as
costs do, but they give better lower bounds. The options are linked in the order of their net costs,
so that the list of an item need not be followed beyond the first option that is too expensive.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from ..runtime.interrupts import UPDATES_PER_SLICE, Stop
from .algorithm_x import attach, cover, detach, start, try_option, uncover, undo_option
from .branching import LOW_PRIORITY, BranchingRule, item_rank, wins_tie
from .problem import Problem, link_problem, select_options
from .state import BUDGET, COUNTERS, ENTER, EXHAUSTED, LEAVE, Register

INFINITE_COST = 2**62  # more than the total cost of all options
MAX_COUNTED_OPTIONS = 10  # affordable options of an item are counted up to this number


class CostState(NamedTuple):
    """The arrays of a search for the cheapest covers in addition to the links and the state."""

    cost: NDArray[np.int64]  # (nodes,) the net cost of a node's option
    spent: NDArray[np.int64]  # (levels,) the net cost of the options chosen before a level
    best: NDArray[np.int64]  # (k,) the lowest net costs, as a heap with the highest on top
    slot: NDArray[np.int64]  # (k,) the row of `covers` that belongs to an element of the heap
    covers: NDArray[np.uint32]  # (k, levels) the chosen nodes of the best covers
    length: NDArray[np.int64]  # (k,) the numbers of options in the best covers
    max_items: NDArray[np.int64]  # (1,) the largest number of primary items of an option


def allocate_cost_state(
    cost: NDArray[np.int64], max_items: int, n_levels: int, k: int
) -> CostState:
    """Allocate the state for the `k` cheapest covers, given the net costs of the nodes."""
    return CostState(
        cost,
        np.zeros(n_levels, np.int64),
        np.full(k, INFINITE_COST),
        np.arange(k),
        np.empty((k, n_levels), np.uint32),
        np.zeros(k, np.int64),
        np.array([max(max_items, 1)]),
    )


@kernel
def subtract_taxes(links, option_of, cost, n_primary):
    """Subtract the taxes of the primary items from the costs of their options.

    Parameters: `links`; `option_of` (option nodes,) int64, the option of each node; `cost`
    (options,) int64, which is modified; `n_primary`, the number of primary items.
    """
    D = links.D
    first_node = np.int64(len(links.size))
    for i in range(1, n_primary + 1):
        item = np.uint32(i)
        tax = np.int64(INFINITE_COST)
        node = D[item]
        while node != item:
            tax = min(tax, cost[option_of[node - first_node]])
            node = D[node]
        node = D[item]
        while node != item:
            cost[option_of[node - first_node]] -= tax
            node = D[node]


@kernel
def choose_affordable_item(links, costs, register, limit):
    """X3 [Choose i.] Return the item with the fewest options whose cost is below `limit`.

    Ties are won by the item whose cheapest option costs most. Returns the root if no cover costs
    less than `limit`.
    """
    R, D, size = links.R, links.D, links.size
    cost = costs.cost
    best = root = np.uint32(0)
    best_rank, highest, n_ties = 2 * LOW_PRIORITY, np.int64(0), 0
    total = np.int64(0)
    item = R[root]
    while item:
        node = D[item]
        lowest = limit if node == item else cost[node]
        if lowest >= limit:
            return root
        # An option covers at most `max_items` items, which gives a lower bound on the total cost.
        total = min(total + lowest, np.int64(INFINITE_COST))
        if total // costs.max_items[0] >= limit:
            return root
        n_affordable = np.int64(0)
        while node != item and n_affordable < MAX_COUNTED_OPTIONS and cost[node] < limit:
            n_affordable += 1
            node = D[node]
        if n_affordable == MAX_COUNTED_OPTIONS:
            n_affordable = np.int64(size[item])
        rank = item_rank(register, item, n_affordable)
        if rank < best_rank or (rank == best_rank and lowest >= highest):
            n_ties = n_ties + 1 if rank == best_rank and lowest == highest else 1
            if wins_tie(register, n_ties):
                best = item
            best_rank, highest = rank, lowest
        item = R[item]
    return best


@kernel
def record_cover(costs, choice, level):
    """Replace the most expensive of the best covers by the first `level` elements of `choice`."""
    best, slot = costs.best, costs.slot
    cost, row = costs.spent[level], slot[0]
    costs.length[row] = level
    for k in range(level):
        costs.covers[row, k] = choice[k]
    hole, child = 0, 1
    while child < len(best):
        if child + 1 < len(best) and best[child + 1] > best[child]:
            child += 1
        if best[child] <= cost:
            break
        best[hole], slot[hole] = best[child], slot[child]
        hole, child = child, 2 * child + 1
    best[hole], slot[hole] = cost, row


@kernel
def search_min_cost(links, colors, costs, state, budget):
    """Search for the cheapest covers until Register.UPDATES reaches `budget`.

    Parameters: as for `algorithm_x.search`, and `costs`, which receives the best covers. Returns
    EXHAUSTED or BUDGET.
    """
    R, D, column = links.R, links.D, links.column
    cost, spent, best = costs.cost, costs.spent, costs.best
    choice, item_marks, option_marks = state.choice, state.item_mark, state.option_mark
    forced, trail, register = state.forced, state.trail, state.register
    root = np.uint32(0)
    level = np.uint32(register[Register.LEVEL])
    trail_end = np.uint32(register[Register.TRAIL_END])
    resume = register[Register.RESUME]
    solutions, nodes = register[Register.SOLUTIONS], register[Register.NODES]
    updates = register[Register.UPDATES]
    status = BUDGET
    scanned = 0  # as in `search`
    while updates + scanned < budget:
        limit = best[0] - spent[level]
        if resume == ENTER:
            # X2 [Enter level l.]
            resume = LEAVE
            if R[root] == root:
                solutions += 1
                if limit > 0:
                    record_cover(costs, choice, level)
                continue
            nodes += 1
            updates += 1
            item = choose_affordable_item(links, costs, register, limit)
            scanned += len(links.size) >> 3
            if item == root:
                continue
            # X4 [Cover i.]
            item_marks[level] = trail_end
            detach(links, item)
            _, trail_end, _ = cover(links, colors, item, root, 0, forced, root, trail, trail_end)
            option_marks[level] = trail_end
            updates += trail_end - item_marks[level]
            option = D[item]
        else:
            # X8 [Leave level l.]
            if level == 0:
                status = EXHAUSTED
                break
            level = np.uint32(level - 1)
            # X6 [Try again.]
            option = choice[level]
            limit = best[0] - spent[level]
            undo_option(links, colors, option, trail, option_marks[level], trail_end)
            trail_end = option_marks[level]
            item = column[option]
            option = D[option]
        resume = LEAVE
        while option != item and cost[option] < limit:
            # X5 [Try x_l.]
            _, trail_end, _, smallest = try_option(
                links, colors, option, forced, root, trail, trail_end
            )
            updates += trail_end - option_marks[level] + 1
            if smallest:
                choice[level] = option
                level = np.uint32(level + 1)
                spent[level] = spent[np.uint32(level - 1)] + cost[option]
                resume = ENTER
                break
            # X6 [Try again.]
            undo_option(links, colors, option, trail, option_marks[level], trail_end)
            trail_end = option_marks[level]
            option = D[option]
        if resume == LEAVE:
            # X7 [Backtrack.]
            uncover(links, trail, item_marks[level], trail_end)
            trail_end = item_marks[level]
            attach(links, item)
    register[Register.LEVEL], register[Register.RESUME] = level, resume
    register[Register.TRAIL_END] = trail_end
    register[Register.SOLUTIONS], register[Register.NODES] = solutions, nodes
    register[Register.UPDATES] = updates
    return status


def net_costs(problem: Problem) -> NDArray[np.int64]:
    """Return the costs of the options (options,) after taxes."""
    cost = np.zeros(problem.n_options, np.int64) if problem.cost is None else problem.cost.copy()
    links, _ = link_problem(problem)
    subtract_taxes(links, problem.option_of_node(), cost, problem.n_primary)
    return cost


def min_cost_covers(
    problem: Problem, k: int, rule: BranchingRule, stop: Stop
) -> tuple[list[list[int]], list[int], bool]:
    """Find the `k` cheapest covers of a problem without multiplicities.

    Parameters
    ----------
    problem : Problem
        If it has no costs, all costs are 0.
    k : int
        The largest number of covers, at least 1.
    rule : BranchingRule
    stop : Stop
        Ends the search early; the covers are then the cheapest found so far.

    Returns
    -------
    covers : list of list of int
        Option numbers, in no particular order.
    counters : list of int
        The covers found, the nodes and the updates of the search.
    is_complete : bool
        Whether the search has reached its end.
    """
    net = net_costs(problem)
    order = np.argsort(net, kind="stable")
    problem = select_options(problem, order)
    links, colors = link_problem(problem)
    option_of = problem.option_of_node()
    max_items = np.bincount(option_of[problem.items < problem.n_primary], minlength=1).max()
    first_node = len(links.size)
    cost = np.zeros(len(links.column), np.int64)
    cost[first_node:] = net[order][option_of]
    state = start(links, rule)
    costs = allocate_cost_state(cost, max_items, len(state.choice), k)
    status = BUDGET
    while status == BUDGET and not stop():
        budget = state.register[Register.UPDATES] + UPDATES_PER_SLICE
        status = search_min_cost(links, colors, costs, state, budget)
    rows = costs.slot[costs.best < INFINITE_COST]
    chosen = [costs.covers[row, : costs.length[row]].astype(int) for row in rows]
    covers = [order[option_of[nodes - first_node]].tolist() for nodes in chosen]
    return covers, state.register[COUNTERS].tolist(), status != BUDGET
