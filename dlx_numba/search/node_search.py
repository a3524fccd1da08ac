"""Examine a node of a branch and bound for the cheapest covers.

`examine` tightens the multipliers of what remains of the problem, removes the options that are in
no cover of low cost, and searches the rest with a budget of updates: for covers that are cheaper
than the best, and for all covers close to the bound. If the budget does not suffice, the node gets
a child for each option of an item. An examination takes a limited time, and depends only on its
arguments.
"""

from __future__ import annotations

from _thread import start_new_thread
from bisect import bisect_left
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.algorithms import subtree_class
from ..kernels.cheapest.linear import LinearSolution, has_solver, solve_relaxation
from ..kernels.cheapest.min_cost import AffordableSubtree
from ..kernels.cheapest.multipliers import GAP, Certificate, ascend, certify, relax, start_ascent
from ..kernels.dlx.branching import BranchingRule
from ..kernels.problem import Problem, select_options
from ..kernels.reduce import reduce_problem
from ..kernels.subtree import Counters, Subtree
from ..runtime.interrupts import UPDATES_PER_SLICE
from ..runtime.workers import Task

ROOT_STEPS, NODE_STEPS = 600, 40  # of the ascent
TOLERANCE = 1e-3  # of bounds in floating-point arithmetic
MAX_WORK = 1 << 23  # visits of nodes of the problem by the ascent in an examination
CLOSE = 4  # covers in the lowest 1/CLOSE of the range up to the cost to beat are close to the bound
URGENCY = 4  # the factor of the budgets of a search for any cover, and of the first proof
MAX_COVERS_PER_CALL = 64
MIN_PART = 0.5  # of the options near which a cover is sought
LARGE = 1 << 18  # nodes of a problem whose examination pauses, as it may take more than 0.2 s
UPDATES_PER_LARGE_SLICE = 1 << 18  # whose updates take longer, because the caches are too small

Cover = tuple[int, tuple[int, ...]]  # a cost and sorted options


@dataclass(slots=True)
class BestCovers:
    """The `k` cheapest covers found so far, in ascending order."""

    k: int
    max_cost: int  # of any cover
    covers: list[Cover] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        """Whether `k` covers are known."""
        return len(self.covers) == self.k

    @property
    def limit(self) -> int:
        """The highest cost of a cover that would be among the best."""
        return self.covers[-1][0] - 1 if self.is_full else self.max_cost

    def add(self, cover: Cover) -> bool:
        """Add a cover unless it is known or too expensive. Returns whether it was added."""
        position = bisect_left(self.covers, cover)
        if cover[0] > self.limit or self.covers[position : position + 1] == [cover]:
            return False
        self.covers.insert(position, cover)
        del self.covers[self.k :]
        return True


@dataclass(slots=True)
class Node:
    """A part of the tree: the covers that contain some options, and others not."""

    chosen: tuple[int, ...]
    removed: tuple[int, ...]
    bound: int  # no unknown cover in it costs less
    price: NDArray[np.float64]  # (items + totals,) from which its ascent continues, or (items,)
    n_steps: int = NODE_STEPS  # of the ascent that remain
    gap: float = 0.0  # of the ascent
    is_neighborhood: bool = False  # which is only searched for better covers
    is_relaxed: bool = False  # whether the solver of the linear relaxation was called

    @property
    def is_root(self) -> bool:
        """Whether it stands for all covers."""
        return not (self.chosen or self.removed)


class Outcome(NamedTuple):
    """The result of examining a node."""

    nodes: list[Node]  # what remains to be examined
    found: list[Cover]
    counters: Counters | int
    certificate: Certificate | None = None  # of the root
    start: tuple[int, ...] = ()  # most options of a cover near the linear relaxation


NOTHING = Outcome([], [], 0)
Examination = Generator[None, None, Outcome]


def examine(
    problem: Problem, numbers: NDArray[np.int64], node: Node, best: BestCovers, n_updates: int
) -> Examination:
    """Examine a node. If the problem is large, pauses whenever that may have taken long.

    Parameters
    ----------
    problem : Problem
        The options that may be in a cover that is better than the best ones.
    numbers : ndarray of int64, shape (options,)
        Their numbers in the covers and nodes.
    node : Node
    best : BestCovers
        The best covers known.
    n_updates : int
        The budget of a search.

    Yields
    ------
    None

    Returns
    -------
    Outcome
    """
    is_large = len(problem.items) >= LARGE
    paid, options, items = 0, np.arange(problem.n_options), np.arange(problem.n_items)
    total_price = node.price[problem.n_items :]
    if not node.is_root:
        chosen = np.searchsorted(numbers, node.chosen)
        if numbers[chosen[chosen < len(numbers)]].tolist() != list(node.chosen):
            return NOTHING  # one of them has been removed
        paid = int(problem.costs_and_bounds[0][chosen].sum())
        removed = np.flatnonzero(np.isin(numbers, node.removed))
        problem, options, items = reduce_problem(problem, chosen, removed)
    n_options = np.bincount(problem.items, minlength=problem.n_items)[: problem.n_primary]
    if np.any(n_options < problem.costs_and_bounds[1]):
        return NOTHING
    if is_large:
        yield
    relaxation = relax(problem, total_price)
    if is_large:
        yield
    ascent = start_ascent(relaxation, node.price[items], node.gap)
    # At the root, a first cover is sought before the ascent, and a proof where that is easy.
    is_new, n_left = node.is_root and node.n_steps >= ROOT_STEPS - 1, node.n_steps - 1
    if not is_new:
        n_steps = min(node.n_steps, max(1, MAX_WORK // max(1, len(relaxation.items))))
        target = best.limit - paid - relaxation.constant / relaxation.scale + TOLERANCE
        has_converged = ascend(relaxation, ascent, n_steps, target)
        n_left = 0 if has_converged else node.n_steps - n_steps
    if is_large:
        yield
    price = node.price.copy()
    price[items] = ascent.best[: len(items)]
    certificate = certify(relaxation, ascent.best)
    bound = max(node.bound, paid + certificate.lowest_cost)
    if bound > best.limit:
        return NOTHING
    node = replace(node, bound=bound, price=price, n_steps=n_left, gap=ascent.scalars[GAP])
    best = replace(best, covers=best.covers.copy())
    remainder = _Remainder(node, problem, numbers[options], paid, certificate, best)
    if is_large:
        yield
    return (yield from remainder.search(n_updates * URGENCY if is_new else n_updates))


def _solve_relaxation(problem: Problem) -> Generator[None, None, LinearSolution | None]:
    """Solve the linear relaxation in a thread, as its solver cannot be interrupted. Pauses."""
    task = Task(lambda: solve_relaxation(problem))
    start_new_thread(task.run, ())
    while not task.has_ended:
        task.wait_a_moment()
        yield
    return task.result()


@dataclass(slots=True)
class _Remainder:
    """The remaining problem of a node, and its search."""

    node: Node
    problem: Problem
    numbers: NDArray[np.int64]  # (options,) in the whole problem
    paid: int  # the cost of the chosen options
    certificate: Certificate
    best: BestCovers
    found: list[Cover] = field(default_factory=list)
    counters: Counters = field(default_factory=lambda: np.zeros(3, np.int64))

    @property
    def is_large(self) -> bool:
        return len(self.problem.items) >= LARGE

    def search(self, n_updates: int) -> Examination:
        """Search for better covers, or for those close to the bound, and divide the rest."""
        node, best = self.node, self.best
        is_final = node.n_steps == 0 and not node.is_neighborhood
        if best.is_full:
            is_tightened = yield from self._is_exhausted(best.limit, n_updates)
        else:
            n_most = URGENCY * max(n_updates, len(self.problem.items))
            is_tightened = yield from self._has_no_others(n_most)
        if is_final and node.bound <= best.limit:
            width = min(best.limit - node.bound, abs(node.bound) + 1)
            max_cost = node.bound + width // CLOSE
            is_tightened |= yield from self._is_exhausted(max_cost, n_updates)
        nodes, start = list[Node](), tuple[int, ...]()
        if node.bound > best.limit:
            pass
        elif is_tightened or not is_final:
            nodes = [node]
        elif node.is_root and not node.is_relaxed and has_solver(self.problem):
            # All parts inherit the prices of the root, so they are worth an exact solution.
            nodes = [replace(node, is_relaxed=True)]
            if solution := (yield from _solve_relaxation(self.problem)):
                if solution.cost > node.bound + TOLERANCE:
                    nodes[0].price = solution.price
                start = tuple(self.numbers[solution.primal > MIN_PART].tolist())
        else:
            nodes = list(self._children())
        certificate = self.certificate if node.is_root else None
        return Outcome(nodes, self.found, self.counters, certificate, start)

    def _has_no_others(self, n_updates: int) -> Generator[None, None, bool]:
        """Search for any covers until `k` are known. Returns whether there are no others."""
        order = np.argsort(self.certificate.reduced, kind="stable")
        problem = select_options(self.problem, order)
        subtree = subtree_class("links", problem).start(problem, BranchingRule())
        if self.is_large:
            yield
        while not (subtree.is_done or self.best.is_full) and n_updates > 0:
            n_updates = self._explore(subtree, order, n_updates, self.best.k)
            if self.is_large:
                yield
        self.counters += subtree.counters
        if subtree.is_done:
            self.node.bound = self.best.limit + 1
        return subtree.is_done

    def _is_exhausted(self, max_cost: int, n_updates: int) -> Generator[None, None, bool]:
        """Search for the covers that cost at most `max_cost`. Returns whether it is complete."""
        max_cost -= self.paid
        certificate, (cost, low, high) = self.certificate, self.problem.costs_and_bounds
        # A cover with more options than necessary may be cheaper if costs are negative.
        only_cheapest = self.best.k == 1 and bool(np.all(cost >= 0) or np.all(low == high))
        only_cheapest &= self.problem.total_low is None  # which may need further options
        order = np.argsort(certificate.reduced, kind="stable")
        reduced = certificate.reduced[order]
        order = order[: np.searchsorted(reduced, certificate.budget(max_cost), "right")]
        certificate = certificate._replace(reduced=reduced[: len(order)])
        problem = select_options(self.problem, order)
        subtree = AffordableSubtree.within(
            problem, certificate, max_cost, only_cheapest=only_cheapest
        )
        n_covers = MAX_COVERS_PER_CALL if only_cheapest else self.best.k
        if self.is_large:
            yield
        while not subtree.is_done and n_updates > 0:
            n_updates = self._explore(subtree, order, n_updates, n_covers)
            if self.is_large:
                yield
            max_cost = min(max_cost, self.best.limit - self.paid)
            if not subtree.is_done:
                subtree.limit(certificate, max_cost)
        self.counters += subtree.counters
        if subtree.is_done:
            self.node.bound = self.paid + max_cost + 1
        return subtree.is_done

    def _explore(
        self, subtree: Subtree, order: NDArray[np.int64], n_updates: int, n_covers: int
    ) -> int:
        """Find covers of the options in some order. Returns the updates that remain."""
        n_slice = min(n_updates, UPDATES_PER_LARGE_SLICE if self.is_large else UPDATES_PER_SLICE)
        n_covers = min(n_covers, MAX_COVERS_PER_CALL)
        n_found, n_used = subtree.explore(n_slice, n_covers, lambda cover: cover)
        cost, _, _ = self.problem.costs_and_bounds
        while subtree.found:
            options = order[subtree.found.popleft()]
            numbers = sorted([*self.node.chosen, *self.numbers[options].tolist()])
            cover = self.paid + int(cost[options].sum()), tuple(numbers)
            if self.best.add(cover):
                self.found.append(cover)
        # The budget includes choices of items.
        return n_updates - (n_used if n_found else max(n_used, n_slice))

    def _children(self) -> Iterator[Node]:
        """Yield a node for each option of the item that has the fewest affordable ones."""
        problem, certificate, node = self.problem, self.certificate, self.node
        _, low, high = problem.costs_and_bounds
        is_affordable = certificate.reduced <= certificate.budget(self.best.limit - self.paid)
        option_of = problem.option_of_node()
        n_affordable = np.bincount(problem.items[is_affordable[option_of]], minlength=len(low))
        n_affordable = n_affordable[: len(low)]
        n_affordable[low == 0] += problem.n_options  # which may be covered by nothing at all
        item = int(np.argmin(n_affordable))
        options = option_of[problem.items == item]
        removed = list(node.removed)
        for option in options[np.argsort(certificate.reduced[options], kind="stable")].tolist():
            lowest = -(-(certificate.bound + int(certificate.reduced[option])) // certificate.scale)
            number, bound = int(self.numbers[option]), max(node.bound, self.paid + lowest)
            yield Node(tuple(sorted((*node.chosen, number))), tuple(removed), bound, node.price)
            if not low[item] == high[item] == 1:
                removed.append(number)
        if low[item] == 0:
            yield Node(node.chosen, tuple(removed), node.bound, node.price)
