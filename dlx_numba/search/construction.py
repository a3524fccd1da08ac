"""Attempts to find a cover of a large set partitioning problem by greedy constructions."""

from dataclasses import dataclass, replace

import numpy as np

from ..kernels.cheapest.construction import construct, is_partition
from ..kernels.problem import Problem
from .core import MIN_CORE, Core
from .node import Node
from .node_search import NEAR_STEPS

# Every PERIOD-th attempt constructs most of a cover, and all but every DIVE_PERIOD-th until a cover
# is known. Up to TAIL_OPTIONS are left to be searched.
PERIOD = 2
DIVE_PERIOD = 32
TAIL_OPTIONS = 250
# At first, LIKELY options for each item are likely to be chosen. Until the first success, GROWTH
# multiplies the number; later, it differs from that of the last success by this factor at most.
LIKELY = 40
GROWTH = 1.5
MAX_ITEMS = 1 << 12  # of which a construction, which cannot be stopped, takes the square


@dataclass(slots=True)
class Constructions:
    """Constructions, which learn from each other how much costs may count.

    Parameters
    ----------
    n_likely : float
        The number of options that are likely to be chosen: the higher it is, the less costs count.
    """

    n_likely: float
    has_succeeded: bool = False  # whether one of them has led to a better cover

    def is_next(self, n_attempts: int, has_cover: bool) -> bool:
        """Return whether the attempt with this number should be a construction.

        The others are dives, or neighborhoods of a known cover.
        """
        return n_attempts % PERIOD == 0 if has_cover else n_attempts % DIVE_PERIOD > 0

    def begin(self, core: Core, root: Node, seed: int) -> Node:
        """Return the node of the covers that contain the options of a construction.

        It is searched for the rest of a cover. The node keeps the number of likely options, from
        which `learn` takes it.
        """
        n_likely = self.n_likely
        if self.has_succeeded:
            n_likely *= GROWTH ** np.random.default_rng(seed).uniform(-1, 1)
        options = construct(core.problem, core.reduced, n_likely, TAIL_OPTIONS, seed)
        chosen = np.sort(core.numbers[options]).tolist()
        node = replace(root, chosen=tuple(chosen), n_steps=NEAR_STEPS)
        return replace(node, is_neighborhood=True, n_likely=n_likely)

    def learn(self, node: Node, is_better: bool, is_searched: bool) -> None:
        """Note whether a node yielded a better cover, and whether it has been searched.

        After a success, other constructions have about as many likely options. Before the first
        one, each node that has been searched in vain increases their number for the next.
        """
        if is_better:
            self.n_likely = node.n_likely
            self.has_succeeded = True
        elif is_searched and not self.has_succeeded:
            self.n_likely *= GROWTH


def constructions_for(problem: Problem) -> Constructions | None:
    """Return the constructions for a problem; None unless it is a large set partitioning one.

    Where most items are secondary, as in timetables, dives find covers sooner.
    """
    is_suitable = problem.n_options > MIN_CORE and problem.n_items <= MAX_ITEMS
    is_suitable &= problem.n_secondary <= problem.n_primary
    return (
        Constructions(LIKELY * problem.n_items) if is_suitable and is_partition(problem) else None
    )
