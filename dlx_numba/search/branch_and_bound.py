"""Branch and bound for the cheapest covers of a problem that does not fall apart.

A node of the tree is a set of chosen and of removed options; `node_search.py` examines it. The best
covers have a cost from above, the open nodes a bound from below. Some nodes are examined only to
find better covers. Nodes can be examined in any number of threads with the same result.
"""

import heapq
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.multipliers import Certificate
from ..kernels.problem import Problem, select_options
from ..kernels.subtree import Counters
from ..runtime.archive import check_integers
from ..runtime.interrupts import Stop
from .node_search import (
    FIRST,
    GUESS,
    NEIGHBORHOOD,
    NO_LIMIT,
    NODE_STEPS,
    PROOF,
    BestCovers,
    Node,
    Outcome,
    examine,
)

ROOT_STEPS = 600  # of the ascent
FIRST_UPDATES, ROOT_UPDATES = 1 << 19, 1 << 18
MIN_UPDATES, MAX_UPDATES = 1 << 16, 1 << 22
UPDATES_SHARE = 1 << 8  # the budget of a node is this part of the updates so far
MAX_DIVES = 8
# Every third node is not examined for a proof. In a neighborhood of the best cover, a part of its
# options is free. The part shrinks if the search takes too long, and grows otherwise.
GUESS_PERIOD, NEIGHBORHOODS_PER_GUESS = 3, 4
FREE_SHARE, MIN_FREE, SHRINKING = 0.2, 3, 0.9


class Component:
    """A problem that does not fall apart, and the tree of its branch and bound.

    Parameters
    ----------
    problem : Problem
        Each option has a primary item.
    k : int
        The number of covers to find.

    Attributes
    ----------
    best : BestCovers
        Costs are divided by `unit`.
    n_examined : int
        The number of nodes examined.
    counters : ndarray of int64, shape (3,)
        The covers found, nodes and updates of all searches.
    """

    def __init__(self, problem: Problem, k: int) -> None:
        problem = complete(problem)
        cost, _, _ = problem.costs_and_bounds
        self.unit = max(1, int(np.gcd.reduce(cost)))
        self.problem = problem._replace(cost=cost // self.unit)
        self.numbers = np.arange(problem.n_options)  # of the options that remain
        self.best = BestCovers(k)
        self.certificate: Certificate | None = None  # of the root
        self.counters: Counters = np.zeros(3, np.int64)
        self.n_examined = self._n_pushed = 0
        # Open nodes: a heap, and those from which the search goes on in depth
        self._open: list[tuple[int, int, int, Node]] = []
        self._dives: list[Node] = []
        self._stated, self._price = self.problem, np.zeros(problem.n_items)
        self._free_share, self._n_popped = FREE_SHARE, 0
        self._guess: Node | None = None  # which continues a guess
        self.push(Node((), (), 0, self._price, ROOT_STEPS, None, FIRST))

    @property
    def bound(self) -> int | None:
        """No cover that is not known costs less; None if all are known."""
        bounds = [*(each[0] for each in self._open[:1]), *(each.bound for each in self._dives)]
        if self.best.limit < NO_LIMIT:
            bounds.append(self.best.covers[-1][0])
        return min(bounds, default=None)

    @property
    def is_done(self) -> bool:
        """Whether the best covers are known to be the cheapest."""
        return not (self._open or self._dives)

    def push(self, node: Node) -> None:
        """Add an open node, unless it has no cover that is cheap enough."""
        if node.bound <= self.best.limit:
            heapq.heappush(self._open, (node.bound, -len(node.chosen), self._n_pushed, node))
            self._n_pushed += 1

    def pop(self) -> Node:
        """Return a node to examine next: an open node, or one that may have better covers.

        Open nodes are taken by their bounds and depth first in turn.
        """
        self._n_popped += 1
        if self._n_popped % GUESS_PERIOD == 0:
            guess, self._guess = self._guess, None
            _, best = self.best.covers[0] if self.best.covers else (0, ())
            if guess is not None:
                return guess
            if best and self._n_popped % (GUESS_PERIOD * NEIGHBORHOODS_PER_GUESS):
                return self._neighborhood(np.array(best))
            return Node((), (), 0, self._price, NODE_STEPS, None, GUESS, self._n_popped)
        if self._dives and (self._n_popped % 2 or not self._open):
            return self._dives.pop()
        return heapq.heappop(self._open)[-1]

    def _neighborhood(self, cover: NDArray[np.int64]) -> Node:
        """Return the node of the covers that differ from a given one in a few close options."""
        rng = np.random.default_rng(self._n_popped)
        problem = self.problem
        owner = np.full(problem.n_items, -1)
        chosen = select_options(self._stated, cover)
        owner[chosen.items] = chosen.option_of_node()
        is_free = ~np.isin(cover, self.numbers)
        is_free[rng.integers(len(cover))] = True
        n_free = max(MIN_FREE, int(self._free_share * len(cover)))
        owners, option_of = owner[problem.items], problem.option_of_node()
        while np.count_nonzero(is_free) < min(n_free, len(cover)):
            touches = np.zeros(problem.n_options, np.bool_)
            touches[option_of[(owners >= 0) & is_free[owners]]] = True
            is_near = np.zeros(len(cover), np.bool_)
            is_near[owners[touches[option_of] & (owners >= 0)]] = True
            near = np.flatnonzero(is_near & ~is_free)
            if not len(near):
                near = np.flatnonzero(~is_free)
            n_missing = n_free - np.count_nonzero(is_free)
            is_free[rng.permutation(near)[:n_missing]] = True
        kept = tuple(cover[~is_free].tolist())
        return Node(kept, (), 0, self._price, NODE_STEPS, None, NEIGHBORHOOD, self._n_popped)

    def merge(self, node: Node, outcome: Outcome) -> bool:
        """Add the outcome of a node. Returns whether a better cover was found."""
        self.n_examined += 1
        self.counters = self.counters + outcome.counters
        is_better = False
        if outcome.best is not None:
            is_better = sum(map(self.best.add, outcome.best.covers)) > 0
        if is_better:
            self._open = [each for each in self._open if each[0] <= self.best.limit]
            heapq.heapify(self._open)
            self._dives = [each for each in self._dives if each.bound <= self.best.limit]
        if node.kind == NEIGHBORHOOD:
            self._free_share *= SHRINKING if outcome.bound < NO_LIMIT else 1 / SHRINKING
        elif node.kind == PROOF and outcome.bound < NO_LIMIT:
            node.bound, node.price = outcome.bound, outcome.price
            node.ascent, node.n_steps = None, NODE_STEPS
            self.push(node)
        certificate = outcome.certificate
        # Another node of the batch may have removed options, so that the certificate is outdated.
        if node.is_root and certificate and len(certificate.reduced) == len(self.numbers):
            self.certificate, self._price = certificate, outcome.price
        if is_better or node.is_root:
            self._fix()
        for position, child in enumerate(outcome.children):
            if child.kind == GUESS:
                self._guess = child
            elif position or len(self._dives) == MAX_DIVES or child.bound > self.best.limit:
                self.push(child)
            else:
                self._dives.append(child)
        return is_better

    def _fix(self) -> None:
        """Remove the options that no cover contains that is better than those known."""
        certificate = self.certificate
        if certificate is not None and self.best.limit < NO_LIMIT:
            keep = np.flatnonzero(certificate.reduced <= certificate.budget(self.best.limit))
            self.problem = select_options(self.problem, keep)
            self.numbers = self.numbers[keep]
            self.certificate = certificate._replace(reduced=certificate.reduced[keep])

    def examine(self, node: Node, stop: Stop) -> Outcome | None:
        """Examine a node. Returns None if that is stopped; it continues with the next call."""
        n_updates = FIRST_UPDATES if node.kind == FIRST else ROOT_UPDATES
        if not node.is_root:
            n_updates = min(max(MIN_UPDATES, int(self.counters[2]) // UPDATES_SHARE), MAX_UPDATES)
        return examine(self.problem, self.numbers, node, self.best, n_updates, stop)

    def content(self, pending: Sequence[Node]) -> dict[str, Any]:
        """Return the tree as JSON values, with nodes that have been removed to be examined."""
        nodes = [*(each[-1] for each in self._open), *self._dives, *pending]
        nodes = [node for node in nodes if node.kind in (FIRST, PROOF)]
        return {
            "nodes": [[node.chosen, node.removed, node.bound] for node in nodes],
            "best": self.best.covers,
            "n_examined": self.n_examined,
            "counters": self.counters.tolist(),
        }

    def restore(self, content: Mapping[str, Any]) -> None:
        """Restore the tree from `content()`. Raises an exception if it is invalid."""
        n_options = self.problem.n_options
        covers = [(cost, options) for cost, options in content["best"]]
        self.problem.check_covers([options for _, options in covers])
        all_costs, _, _ = self.problem.costs_and_bounds
        for cost, options in covers:
            if cost != all_costs[options].sum() or options != sorted(options):
                raise ValueError("a cover is inconsistent")
            self.best.add((cost, tuple(options)))
        self._open.clear()
        for chosen, removed, bound in content["nodes"]:
            check_integers([*chosen, *removed], 0, n_options - 1)
            check_integers([bound], 0, NO_LIMIT)
            self.push(Node(tuple(chosen), tuple(removed), bound, self._price, ROOT_STEPS))
        self.counters[:] = check_integers(content["counters"], 0, NO_LIMIT)
        self.n_examined = int(check_integers([content["n_examined"]], 0, NO_LIMIT)[0])
        self._guess = Node((), (), 0, self._price, ROOT_STEPS, None, GUESS)  # for a certificate


def complete(problem: Problem) -> Problem:
    """Return a problem with costs and bounds, and with the primary items first in each option."""
    is_secondary = problem.items >= problem.n_primary
    order = np.argsort(2 * problem.option_of_node() + is_secondary, kind="stable")
    color = None if problem.color is None else problem.color[order]
    ones = np.ones(problem.n_primary, np.int64)
    return problem._replace(
        items=problem.items[order],
        color=color,
        low=ones if problem.low is None else problem.low,
        high=ones if problem.high is None else problem.high,
        cost=np.zeros(problem.n_options, np.int64) if problem.cost is None else problem.cost,
    )
