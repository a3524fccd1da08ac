"""The search for covers of low cost: Algorithm M within a budget of reduced costs."""

from typing import Any

import numpy as np

from ..dlx.algorithm_m import SubtreeM
from ..dlx.branching import BranchingRule
from ..dlx.branching_m import (
    DUAL_BOUND,
    MAX_COST,
    MAX_ITEMS,
    MAX_REDUCED,
    N_LIMITS,
    ONLY_CHEAPEST,
    SCALE,
    Costs,
)
from ..problem import Problem
from .multipliers import DualBound


class AffordableSubtree(SubtreeM):
    """The covers of a problem within a budget of reduced costs, as lists of option numbers."""

    @classmethod
    def within(
        cls, problem: Problem, dual: DualBound, max_cost: int, *, only_cheapest: bool
    ) -> "AffordableSubtree":
        """Return the search for covers that cost at most `max_cost`, unexplored.

        Parameters
        ----------
        problem : Problem
            With costs and bounds, and the options in the order of their reduced costs.
        dual : DualBound
            The bound and the reduced costs.
        max_cost : int
        only_cheapest : bool
            Whether each cover that is found must cost less than the one before.
        """
        option_of = problem.option_of_node()
        links, colors, bounds, _, state = cls.start(problem, BranchingRule()).groups
        reduced, cost = np.zeros((2, len(links.column)), np.int64)
        # The nodes of options follow the root and the items, which have no costs.
        reduced[len(links.size) :] = dual.reduced[option_of]
        cost[len(links.size) :] = problem.costs[option_of]
        reduced_sum, cost_sum = np.zeros((2, len(state.choice) + 1), np.int64)
        sizes = np.bincount(option_of[problem.items < problem.n_primary], minlength=1)
        limits = np.zeros(N_LIMITS, np.int64)
        limits[MAX_ITEMS] = max(1, int(sizes.max()))
        limits[SCALE] = dual.scale
        limits[DUAL_BOUND] = dual.bound
        limits[ONLY_CHEAPEST] = only_cheapest
        costs = Costs(reduced, cost, reduced_sum, cost_sum, limits)
        groups: Any = links, colors, bounds, costs, state
        subtree = cls(groups, problem)
        subtree.limit(dual, max_cost)
        return subtree

    def limit(self, dual: DualBound, max_cost: int) -> None:
        """Lower the limit on the cost of the covers that the search still has to find."""
        costs: Any = self.groups[3]
        costs.limits[MAX_REDUCED] = dual.budget(max_cost)
        costs.limits[MAX_COST] = max_cost
