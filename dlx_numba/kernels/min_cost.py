"""The search for covers of low cost: Algorithm M within a budget of reduced costs."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .algorithm_m import SubtreeM
from .branching import BranchingRule
from .branching_m import MAX_ITEMS, Costs
from .problem import Problem

if TYPE_CHECKING:
    from typing_extensions import Self


class AffordableSubtree(SubtreeM):
    """The covers of a problem within a budget of reduced costs, as lists of option numbers."""

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
        links, colors, bounds, _, state = cls.start(problem, BranchingRule()).groups
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
