"""The examination of a node of a branch and bound for the cheapest covers.

It tightens the multipliers of what remains of the problem, removes the options that no cover of low
cost contains, and searches the rest with a budget of updates: first for covers that are cheaper
than the best, then for covers close to the bound. If that is not enough, the node gets a child for
each option of an item. What an examination does depends on nothing but its arguments.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.min_cost import AffordableSubtree
from ..kernels.multipliers import (
    BOUND,
    GAP,
    Ascent,
    Certificate,
    ascend,
    find_certificate,
    relax,
    start_ascent,
)
from ..kernels.problem import Problem, restrict, select_options
from ..kernels.reduce import reduce_problem
from ..kernels.subtree import Counters
from ..runtime.interrupts import Stop

NO_LIMIT = 2**62  # more than any cover costs
NO_PRICES = np.zeros(0)
NODE_STEPS = 40  # of the ascent
MIN_RELATIVE_GAP = 1e-5  # an ascent ends when its steps aim at so small an improvement
WORK_PER_SLICE = 1 << 23  # visits of nodes in an ascent between two checks whether to stop
MAX_COVERS_PER_CALL = 64
# The root is first searched for any better cover, then for covers close to the bound
ROOT_ATTEMPTS = ((0, 0), (6, 2), (4, 2), (3, 2), (2, 2), (1, 2))
DISTANCE_WEIGHT = 6.0  # how much options at the end of the budget count less for branching
# The search without multipliers goes on for some time after the first cover: at least for so many
# updates, and for a multiple of those before.
UPDATES_AFTER_FIRST, IMPROVEMENT = 1 << 14, 32
GUESSED_SHARE = 0.15  # of the options that a cover needs that a guess chooses

# What a node is searched for: a proof, together with its siblings; or only better covers, by
# leaving a part of a cover free, or by choosing several cheap options at once. The root is first
# searched without multipliers, which solves small problems.
PROOF, NEIGHBORHOOD, GUESS, FIRST = range(4)

Cover = tuple[int, tuple[int, ...]]  # a cost and sorted options


class BestCovers:
    """The `k` cheapest covers found so far."""

    def __init__(self, k: int, covers: Sequence[Cover] = ()) -> None:
        self.k, self.covers = k, list(covers)
        self._known = set(self.covers)

    @property
    def limit(self) -> int:
        """The highest cost of a cover that would be among the best."""
        return self.covers[-1][0] - 1 if len(self.covers) == self.k else NO_LIMIT

    def copy(self) -> BestCovers:
        """Return a copy."""
        return BestCovers(self.k, self.covers)

    def add(self, cover: Cover) -> bool:
        """Add a cover unless it is known or too expensive. Returns whether it was added."""
        if cover in self._known or cover[0] > self.limit:
            return False
        insort(self.covers, cover)
        self._known.add(cover)
        if len(self.covers) > self.k:
            self._known.remove(self.covers.pop())
        return True


@dataclass(slots=True)
class Node:
    """A part of the tree: the covers that contain some options, and others not."""

    chosen: tuple[int, ...]
    removed: tuple[int, ...]
    bound: int  # no cover in it that is not known costs less
    price: NDArray[np.float64]  # (items,) with which its ascent starts
    n_steps: int  # of the ascent that remain
    ascent: Ascent | None = None
    kind: int = PROOF
    seed: int = 0  # of random choices

    @property
    def is_root(self) -> bool:
        """Whether it stands for all covers."""
        return not (self.chosen or self.removed)


class Outcome(NamedTuple):
    """The result of examining a node."""

    bound: int  # NO_LIMIT if nothing remains
    best: BestCovers | None  # with the covers found, if any
    children: list[Node]
    counters: Counters | int
    certificate: Certificate | None = None
    price: NDArray[np.float64] = NO_PRICES  # (items,) with which children start


NOTHING = Outcome(NO_LIMIT, None, [], 0)


def examine(
    problem: Problem,
    numbers: NDArray[np.int64],
    node: Node,
    best: BestCovers,
    n_updates: int,
    stop: Stop,
) -> Outcome | None:
    """Examine a node.

    Parameters
    ----------
    problem : Problem
        The options that may be in a cover that is better than the best ones.
    numbers : ndarray of int64, shape (options,)
        Their numbers in the covers and nodes.
    node : Node
        Its ascent is modified.
    best : BestCovers
        The best covers known.
    n_updates : int
        The budget of a search.
    stop : Stop

    Returns
    -------
    Outcome or None
        None if that is stopped. It continues with the next call.
    """
    if node.kind == FIRST:
        unpriced = Certificate(1, 0, problem.costs_and_bounds[0])
        remaining = problem, numbers, 0, unpriced
        search = _NodeSearch(node, *remaining, best.copy(), n_updates, 0, np.zeros(3, np.int64))
        search.run()
        children = [] if search.is_tightened else [replace(node, kind=PROOF)]
        found = search.best if search.has_found else None
        return Outcome(NO_LIMIT, found, children, search.counters)
    positions = np.searchsorted(numbers, node.chosen)
    chosen = numbers[positions[positions < len(numbers)]]
    if chosen.tolist() != list(node.chosen):
        return NOTHING  # one of them has been removed
    paid = int(problem.costs_and_bounds[0][positions].sum())
    removed = np.flatnonzero(np.isin(numbers, node.removed))
    problem, options, items = reduce_problem(problem, positions, removed)
    n_options = np.bincount(problem.items, minlength=problem.n_items)
    if np.any(n_options[: problem.n_primary] < problem.costs_and_bounds[1]):
        return NOTHING
    if np.any(n_options == 0):
        every = np.ones(problem.n_options, np.bool_)
        has_options = n_options > 0
        problem, _, kept = restrict(problem, every, has_options[problem.items], has_options)
        items = items[kept]
    best = best.copy()
    if problem.n_options == 0:
        best.add((paid, node.chosen))
        return NOTHING._replace(best=best)
    relaxation = relax(problem)
    if node.ascent is None:
        node.ascent = start_ascent(relaxation, problem.n_items, node.price[items])
    n_steps = max(1, WORK_PER_SLICE // len(relaxation.items))
    while node.n_steps > 0 and paid + node.ascent.scalars[BOUND] <= best.limit + 1e-3:
        ascend(relaxation, node.ascent, min(n_steps, node.n_steps))
        node.n_steps -= n_steps
        if node.ascent.scalars[GAP] < MIN_RELATIVE_GAP * abs(node.ascent.scalars[BOUND]):
            break
        if stop():
            return None
    certificate = find_certificate(relaxation, node.ascent.best)
    bound, counters = max(node.bound, paid + certificate.lowest_cost), np.zeros(3, np.int64)
    remaining = problem, numbers[options], paid, certificate
    search = _NodeSearch(node, *remaining, best, n_updates, bound, counters)
    search.run()
    price = node.price.copy()
    price[items] = node.ascent.best[: len(items)]
    children = list[Node]()
    if search.bound > best.limit:
        search.bound = NO_LIMIT
    elif node.kind != PROOF:
        children = search.guess(price)
    elif not search.is_tightened:
        children = list(search.children(price))
        search.bound = NO_LIMIT
    found = best if search.has_found else None
    return Outcome(search.bound, found, children, search.counters, certificate, price)


@dataclass(slots=True)
class _NodeSearch:
    """The search of what remains of a problem at a node."""

    node: Node
    problem: Problem
    numbers: NDArray[np.int64]  # (options,) in the whole problem
    paid: int  # the cost of the chosen options
    certificate: Certificate
    best: BestCovers
    n_updates: int
    bound: int
    counters: Counters
    is_tightened: bool = False  # whether all covers up to some cost were found
    has_found: bool = False  # whether covers were found

    def run(self) -> None:
        """Search for covers that are cheaper than the best, or for those close to the bound."""
        for shift, share in self._attempts():
            if self.bound > self.best.limit:
                return
            width = self.best.limit - self.bound
            if self.best.limit == NO_LIMIT:
                width = max(abs(self.bound), 1)
            limit = self.bound + (width >> shift) if shift else self.best.limit
            if self._is_exhausted(limit, self.n_updates >> share):
                self.bound = min(limit, self.best.limit) + 1
                self.is_tightened = True
            elif self.is_tightened:
                return

    def _attempts(self) -> Sequence[tuple[int, int]]:
        """Return parts, 2**-shift, of the range from bound to cost, and of the budget."""
        if self.node.kind != PROOF:
            return ((0, 0),)
        return ROOT_ATTEMPTS if self.node.is_root else ((0, 0), (2, 0))

    def _is_exhausted(self, limit: int, n_left: int) -> bool:
        """Search for covers that cost at most `limit`. Returns whether all of them were found."""
        k, reduced = self.best.k, self.certificate.reduced
        options = np.flatnonzero(reduced <= self.certificate.budget(limit - self.paid))
        options = options[np.argsort(reduced[options], kind="stable")]
        problem, numbers = select_options(self.problem, options), self.numbers[options]
        certificate = self.certificate._replace(reduced=reduced[options])
        subtree = AffordableSubtree.within(
            problem, certificate, limit - self.paid, only_cheapest=k == 1
        )
        n_per_call = MAX_COVERS_PER_CALL if k == 1 else min(k, MAX_COVERS_PER_CALL)
        while not subtree.is_done and n_left > 0:
            is_first = self.node.kind == FIRST and not self.has_found
            n_wanted = 1 if is_first else n_per_call
            n_found, n_updates = subtree.explore(n_left, n_wanted, lambda cover: cover)
            n_left = n_left - n_updates if n_found else 0  # the budget includes choices of items
            if is_first:
                n_left = min(n_left, max(IMPROVEMENT * n_updates, UPDATES_AFTER_FIRST))
            while subtree.found:
                cover = subtree.found.popleft()
                total = self.paid + int(problem.costs_and_bounds[0][cover].sum())
                solution = tuple(sorted([*self.node.chosen, *numbers[cover].tolist()]))
                self.has_found |= self.best.add((total, solution))
            if not subtree.is_done:
                subtree.limit(certificate, min(limit, self.best.limit) - self.paid)
        self.counters += subtree.counters
        return subtree.is_done

    def children(self, price: NDArray[np.float64]) -> Iterator[Node]:
        """Yield a node for each option of an item that seems to have the fewest good ones."""
        problem, certificate = self.problem, self.certificate
        n_primary, reduced = problem.n_primary, certificate.reduced
        _, low, high = problem.costs_and_bounds
        budget = certificate.budget(self.best.limit - self.paid)
        is_affordable = reduced <= budget
        distance = np.minimum(reduced, budget) / max(1, min(budget, int(reduced.max())))
        weight = np.where(is_affordable, np.exp(-DISTANCE_WEIGHT * distance), 0.0)
        option_of = problem.option_of_node()
        score = np.bincount(problem.items, weight[option_of], problem.n_items)[:n_primary]
        score[low == 0] += len(weight)  # which may be covered by nothing at all
        item = int(np.argmin(score))
        options = option_of[problem.items == item]
        assert self.node.ascent is not None
        options = options[np.lexsort((reduced[options], -self.node.ascent.primal[options]))]
        removed = list(self.node.removed)
        for option in options[is_affordable[options]].tolist():
            lowest = -(-(certificate.bound + int(reduced[option])) // certificate.scale)
            number = int(self.numbers[option])
            chosen = tuple(sorted((*self.node.chosen, number)))
            bound = max(self.bound, self.paid + lowest)
            yield Node(chosen, tuple(removed), bound, price, NODE_STEPS)
            if not low[item] == high[item] == 1:
                removed.append(number)
        if low[item] == 0:
            removed = [*self.node.removed, *self.numbers[options].tolist()]
            yield Node(self.node.chosen, tuple(removed), self.bound, price, NODE_STEPS)

    def guess(self, price: NDArray[np.float64]) -> list[Node]:
        """Return a node in which some options of low reduced cost are chosen, if there is one."""
        problem, rng = self.problem, np.random.default_rng([self.node.seed, len(self.node.chosen)])
        assert self.node.ascent is not None
        primal = self.node.ascent.primal * rng.uniform(0.5, 1.0, problem.n_options)
        order = np.lexsort((self.certificate.reduced, -primal))
        mean_length = max(1.0, np.count_nonzero(problem.items < problem.n_primary) / len(order))
        n_wanted = max(1, int(GUESSED_SHARE * problem.costs_and_bounds[1].sum() / mean_length))
        is_used, chosen = np.zeros(problem.n_items, np.bool_), list[int]()
        for option in order.tolist():
            items = problem.items[problem.indptr[option] : problem.indptr[option + 1]]
            if not is_used[items].any():
                is_used[items] = True
                chosen.append(int(self.numbers[option]))
                if len(chosen) == n_wanted:
                    break
        numbers = tuple(sorted([*self.node.chosen, *chosen]))
        return [Node(numbers, (), self.bound, price, NODE_STEPS, None, GUESS, self.node.seed)]
