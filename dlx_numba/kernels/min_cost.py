"""Covers of low cost: Algorithm M within a budget of reduced costs.

Multipliers (`multipliers.py`) give reduced costs, none of which is negative, and a lower bound on
the cost of any cover. Only covers whose reduced costs sum up to at most a budget can be cheaper
than a given cost. The options are linked in the order of their reduced costs, so the list of an
item need not be followed beyond the first option that exceeds what is left of the budget.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from .algorithm_m import SubtreeM, count_branches, retract, take, tweak, use
from .algorithm_x import attach, cover, detach, uncover
from .branching import LOW_PRIORITY, BranchingRule
from .links import COVERED
from .problem import Problem
from .state import BUDGET, ENTER, EXHAUSTED, LEAVE, SOLUTION, Register, store_cover

if TYPE_CHECKING:
    from typing_extensions import Self

MAX_COUNTED_OPTIONS = 10  # affordable options of an item are counted up to this number
ROUNDING = 1 + 1e-9  # by which floating-point sums of reduced costs may be too large
MAX_REDUCED, MAX_COST, MAX_ITEMS, IS_MINIMAL = range(4)  # the indices of `Costs.limits`


class Costs(NamedTuple):
    """The arrays of a search for covers of low cost in addition to those of Algorithm M."""

    reduced: NDArray[np.int64]  # (nodes,) the reduced cost of a node's option
    cost: NDArray[np.int64]  # (nodes,) its cost
    spent: NDArray[np.int64]  # (levels + 1,) the reduced cost of the options before a level
    paid: NDArray[np.int64]  # (levels + 1,) their cost
    # (4,) of a cover; the largest number of items of an option; and whether to ignore covers that
    # remain covers without one of their options, since these cost less
    limits: NDArray[np.int64]


@kernel
def choose_affordable_item(links, bounds, costs, limit):
    """M3 [Choose i.] Return the item with the fewest branches whose reduced cost is within `limit`.

    Ties are won by the item whose cheapest option costs most. Returns the root if no item needs an
    option (and, unless the search is for minimal covers, none has one), and whether a cover within
    the limit seems possible.
    """
    R, D, reduced = links.R, links.D, costs.reduced
    best = root = np.uint32(0)
    best_rank, highest = 2 * LOW_PRIORITY, np.int64(0)
    # An option covers at most `max_items` items, which gives a lower bound on the sum.
    total, most = 0.0, ROUNDING * limit * costs.limits[MAX_ITEMS]
    item = R[root]
    while item:
        node = D[item]
        needed = max(np.int64(bounds.need[item]), 0)
        n_affordable, n_counted = np.int64(0), needed + MAX_COUNTED_OPTIONS
        while node != item and n_affordable < n_counted and reduced[node] <= limit:
            if n_affordable < needed:
                total += np.float64(reduced[node])
            n_affordable += 1
            node = D[node]
        if n_affordable < needed or total > most:
            return root, False
        if n_affordable > 0 and (needed > 0 or not costs.limits[IS_MINIMAL]):
            rank = n_affordable + 1 - needed
            if n_affordable == n_counted:
                rank = count_branches(links, item)
            if needed == 0 and rank <= bounds.capacity[item] + 1:
                rank += LOW_PRIORITY  # its options can be chosen or omitted freely
            lowest = reduced[D[item]]
            if rank < best_rank or (rank == best_rank and lowest > highest):
                best, best_rank, highest = item, rank, lowest
        item = R[item]
    return best, True


@kernel
def search_min_cost(links, colors, bounds, costs, state, budget):
    """Search as `algorithm_m.search_mcc` does, for covers within the limits in `costs.limits`.

    Parameters: as for `search_mcc`, and `costs`, whose `spent` and `paid` are modified. The limits
    may decrease between two calls.
    """
    D, size = links.D, links.size
    need, capacity = bounds
    reduced, cost, spent, paid, limits = costs
    choice, items, _, item_marks, option_marks, forced, trail, found, register = state
    root = np.uint32(0)
    n_items = np.uint32(len(size) - 1)
    level = np.uint32(register[Register.LEVEL])
    trail_end = np.uint32(register[Register.TRAIL_END])
    resume = register[Register.RESUME]
    solutions, nodes = register[Register.SOLUTIONS], register[Register.NODES]
    updates = register[Register.UPDATES]
    status = BUDGET
    scanned = 0  # as in `search_mcc`
    while updates + scanned < budget:
        if resume == ENTER:
            # M2 [Enter level l.]
            resume = LEAVE
            nodes += 1
            updates += 1
            limit = limits[MAX_REDUCED] - spent[level]
            if limit < 0:
                continue
            item, is_possible = choose_affordable_item(links, bounds, costs, limit)
            scanned += len(links.size) >> 3
            if not is_possible:
                continue
            if item == root:
                if paid[level] <= limits[MAX_COST]:
                    n_left = register[Register.TARGET] - solutions
                    store_cover(found, n_left, choice, level, root)
                    solutions += 1
                    if solutions >= register[Register.TARGET]:
                        status = SOLUTION
                        break
                continue
            # M4 [Prepare to branch on i.]
            items[level], item_marks[level] = item, trail_end
            if capacity[item] == 1:
                detach(links, item)
                _, trail_end, _ = cover(
                    links, colors, item, root, 0, forced, root, trail, trail_end
                )
                updates += trail_end - item_marks[level]
            option_marks[level] = trail_end
            option = D[item]
        else:
            # M9 [Leave level l.]
            if level == 0:
                status = EXHAUSTED
                break
            level = np.uint32(level - 1)
            # M7 [Try again.]
            item, option = items[level], choice[level]
            limit = limits[MAX_REDUCED] - spent[level]
            if option != root:
                start = option_marks[level]
                option = retract(links, colors, bounds, item, option, trail, start, trail_end)
                trail_end = start
        resume = LEAVE
        while option > n_items and size[item] > 0 and reduced[option] <= limit:
            # M5 [Possibly tweak x_l.]
            if size[item] < COVERED:
                trail_end = tweak(links, colors, option, trail, trail_end)
                option_marks[level] = trail_end
                use(links, bounds, item)
            # M6 [Try x_l.]
            start = option_marks[level]
            trail_end, is_possible = take(links, colors, bounds, option, forced, trail, trail_end)
            updates += trail_end - start + 1
            if is_possible:
                resume = ENTER
                break
            option = retract(links, colors, bounds, item, option, trail, start, trail_end)
            trail_end = start
        following = np.uint32(level + 1)
        spent[following], paid[following] = spent[level], paid[level]
        if resume == ENTER:
            spent[following] += reduced[option]
            paid[following] += cost[option]
        elif option != root and need[item] <= 0:
            # No other option is affordable and the item needs none: try to choose none of them.
            option = root
            resume = ENTER
        if resume == ENTER:
            choice[level] = option
            level = following
            continue
        # M8 [Restore i.]
        uncover(links, trail, item_marks[level], trail_end)
        trail_end = item_marks[level]
        if size[item] >= COVERED:
            attach(links, item)
    register[Register.LEVEL], register[Register.RESUME] = level, resume
    register[Register.TRAIL_END] = trail_end
    register[Register.SOLUTIONS], register[Register.NODES] = solutions, nodes
    register[Register.UPDATES] = updates
    return status


class AffordableSubtree(SubtreeM):
    """The covers of a problem within a budget of reduced costs, as lists of option numbers."""

    kernel = staticmethod(search_min_cost)

    @classmethod
    def within(
        cls,
        problem: Problem,
        reduced: NDArray[np.int64],
        limits: tuple[int, int],
        *,
        is_minimal: bool,
    ) -> "Self":
        """Return the search for covers within two limits, unexplored.

        Parameters
        ----------
        problem : Problem
            With costs and bounds, and the options in the order of their reduced costs.
        reduced : ndarray of int64, shape (options,)
        limits : (int, int)
            The largest reduced cost and the largest cost of a cover.
        is_minimal : bool
            Whether to ignore covers that remain covers without one of their options.
        """
        option_of = problem.option_of_node()
        links, colors, bounds, state = cls.start(problem, BranchingRule()).groups
        node_costs = np.zeros((2, len(links.column)), np.int64)
        node_costs[0, len(links.size) :] = reduced[option_of]
        node_costs[1, len(links.size) :] = problem.costs_and_bounds[0][option_of]
        spent, paid = np.zeros((2, len(state.choice) + 1), np.int64)
        sizes = np.bincount(option_of[problem.items < problem.n_primary], minlength=1)
        all_limits = np.array([*limits, max(1, sizes.max()), is_minimal])
        costs = Costs(node_costs[0], node_costs[1], spent, paid, all_limits)
        groups: Any = links, colors, bounds, costs, state
        return cls(groups, problem.indptr)

    def limit(self, max_reduced: int, max_cost: int) -> None:
        """Lower the limits of the covers that the search still has to find."""
        costs: Any = self.groups[3]
        costs.limits[:MAX_ITEMS] = max_reduced, max_cost
