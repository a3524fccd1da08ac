"""Examine a node of a branch and bound for the cheapest covers.

`examine` tightens the multipliers of what remains of the problem, removes the options that are in
no cover of low cost, and searches the rest with a budget of updates: for covers that are cheaper
than the best, and for all covers close to the bound. If the budget does not suffice, the node is
divided by a pair of items, or by the options of one. An examination takes a limited time, and
depends only on its arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.algorithms import linked_class
from ..kernels.cheapest.min_cost import AffordableSubtree
from ..kernels.cheapest.multipliers import (
    MAX_BUDGET,
    NOTHING_REMOVED,
    ROOT_STEPS,
    DualBound,
    exact_bound,
    relax,
)
from ..kernels.cheapest.pairs import divide_by_pair, find_pairs
from ..kernels.cheapest.subgradients import LinearProgram, approach_relaxation, formulate, is_small
from ..kernels.cover_array import Translation
from ..kernels.csr import row_of
from ..kernels.dlx.branching import BranchingRule
from ..kernels.problem import Problem, count_items, select_options
from ..kernels.reduce import reduce_problem
from ..kernels.subtree import CounterArray, Subtree
from ..runtime.interrupts import UPDATES_PER_SLICE, Steps, Stop, complete
from .core import core_size
from .node import CHILD_ASCENT, BestCovers, CostedCover, Node
from .tighten import NODE_GAP, TOLERANCE, tighten

# Steps of the ascent in a neighborhood, and in each node of a dive: few, as these only seek covers
NEAR_STEPS = 40
DIVE_STEPS = 100
N_EARLY_EXAMINATIONS = 2  # of the root, without an ascent
CLOSER_STEPS = 200  # of the ascent, after the root has approached the relaxation
# A pair of items divides a node if its bound and the cost to beat differ by at most 1/NARROW of the
# bound. Otherwise, the options of an item do, as children are then searched rather than excluded.
NARROW = 8
# The pair is the best of N_TRIALS, for each of which both children take TRIAL_STEPS of the ascent.
# The child whose bound rises less counts LOW_GAIN_FACTOR times, because it has more left to search.
N_TRIALS = 8
TRIAL_STEPS = 60
LOW_GAIN_FACTOR = 10
# A dive chooses the options whose values are at least DIVE_VALUE, up to this share of a cover.
DIVE_VALUE = 0.8
MAX_DIVE_SHARE = 0.5
CLOSE = 4  # covers in the lowest 1/CLOSE of the range up to the cost to beat are close to the bound
URGENCY = 4  # multiplies the budgets of the first proof, and of a search while covers are missing
MAX_COVERS_PER_CALL = 64  # of a kernel
START_VALUE = 0.5  # a cover is sought near the options that have at least this value
# Random numbers are added to the costs, up to this share of the mean cost of an option in a cover.
# Then the relaxation has a single solution.
SPREAD = 0.1
# In a problem of LARGE or more nodes, updates take longer, because the caches are too small.
LARGE = 1 << 18
UPDATES_PER_LARGE_SLICE = 1 << 18
MAX_REMOVED = 4  # it is not copied without up to 1/MAX_REMOVED of its options


class Outcome(NamedTuple):
    """The result of examining a node."""

    nodes: list[Node]  # what remains to be examined
    found: list[CostedCover]
    counters: CounterArray
    dual: DualBound | None = None  # of the root
    start: tuple[int, ...] = ()  # most options of a cover near the linear relaxation
    n_visits: int = 0  # of nodes of the problem by the ascent
    dead_end: tuple[int, ...] = ()  # the options that a dive chose before it failed


NOTHING = Outcome([], [], np.zeros(3, np.int64))
Examination = Steps[Outcome]


def examine(
    problem: Problem, numbers: NDArray[np.int64], node: Node, best: BestCovers, n_updates: int
) -> Examination:
    """Examine a node, and if it is a dive, each narrower node to which it leads, to the end.

    Pauses between all steps.

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
    outcome = yield from _examine(problem, numbers, node, best, n_updates)
    if not node.is_dive:
        return outcome
    best = replace(best, covers=best.covers.copy())  # the caller merges outcomes in their order
    found = outcome.found
    n_visits = outcome.n_visits
    counters = outcome.counters
    while outcome.nodes:
        (node,) = outcome.nodes  # of a dive: see `_Remainder._deeper`
        for cover in outcome.found:
            best.add(cover)
        yield
        outcome = yield from _examine(problem, numbers, node, best, n_updates)
        found = found + outcome.found
        counters = counters + outcome.counters
        n_visits += outcome.n_visits
    return Outcome([], found, counters, n_visits=n_visits, dead_end=node.chosen)


def examine_whole(
    problem: Problem, numbers: NDArray[np.int64], node: Node, best: BestCovers, n_updates: int
) -> Outcome:
    """Examine a node without pauses: the task of an executor; parameters as of `examine`."""
    return complete(examine(problem, numbers, node, best, n_updates), Stop())


def _examine(
    problem: Problem, numbers: NDArray[np.int64], node: Node, best: BestCovers, n_updates: int
) -> Examination:
    """Examine a single node, as `examine` does."""
    items = np.arange(problem.n_items)  # of what remains of the problem at the node
    removed = NOTHING_REMOVED  # of its options, those that are still to be left out
    paid = 0  # for the options that are chosen there
    if not node.is_root:
        chosen = np.searchsorted(numbers, node.chosen)
        if numbers[chosen[chosen < len(numbers)]].tolist() != list(node.chosen):
            return NOTHING  # a chosen option has been removed from the problem
        paid = int(problem.costs[chosen].sum())
        removed = np.flatnonzero(np.isin(numbers, node.removed))
        if len(chosen) or is_copied(problem, len(removed)):
            problem, options, items = reduce_problem(problem, chosen, removed)
            numbers = numbers[options]
            removed = NOTHING_REMOVED
    # The first two examinations of the root, each of which takes one of its steps, make no ascent:
    # they seek a first cover, and then a proof where that is easy.
    is_new = node.is_root and node.n_steps > ROOT_STEPS - N_EARLY_EXAMINATIONS
    n_steps = 0 if is_new else node.n_steps
    # A large root is divided by another examination than that which ends its ascent, because that
    # takes long: attempts to find covers come in between.
    may_divide = not node.is_root or node.n_steps == 0 or len(problem.items) < LARGE
    tightened = yield from tighten(problem, items, node, best, paid, n_steps, removed)
    if tightened is None:
        return NOTHING
    node, dual, value, n_visits = tightened
    if node.bound > best.limit:
        return NOTHING._replace(n_visits=n_visits)
    best = replace(best, covers=best.covers.copy())  # the search adds to them
    remainder = _Remainder(node, problem, numbers, items, paid, dual, value, best, n_visits)
    del tightened, dual, value  # `remainder` releases what it no longer needs
    yield
    is_final = node.n_steps == 0 and not node.is_neighborhood and may_divide
    return (yield from remainder.search(n_updates * URGENCY if is_new else n_updates, is_final))


def is_copied(problem: Problem, n_removed: int) -> bool:
    """Return whether a problem is copied without some options.

    A relaxation of the whole problem without them takes less memory, but as long as with them.
    """
    return len(problem.items) < LARGE or MAX_REMOVED * n_removed > problem.n_options


@dataclass(slots=True)
class _Remainder:
    """The remaining problem of a node, and its search."""

    node: Node
    problem: Problem
    numbers: NDArray[np.int64]  # (options,) in the whole problem
    items: NDArray[np.int64]  # (items,) in the whole problem
    paid: int  # the cost of the chosen options
    dual: DualBound
    value: NDArray[np.float64]  # (options,) an approximate solution of the relaxation
    best: BestCovers
    n_visits: int  # of nodes of the problem by the ascent
    start: tuple[int, ...] = ()  # most options of a cover near the linear relaxation
    found: list[CostedCover] = field(default_factory=list)
    counters: CounterArray = field(default_factory=lambda: np.zeros(3, np.int64))

    def search(self, n_updates: int, is_final: bool) -> Examination:
        """Search for better covers, and for those close to the bound, and divide the rest.

        Parameters
        ----------
        n_updates : int
            The budget of a search.
        is_final : bool
            Whether the node is divided if the searches prove nothing. Otherwise it remains, for
            further steps of the ascent, or is narrowed if it is a dive.
        """
        node = self.node
        best = self.best
        pairs: list[tuple[int, int]] = []
        # How far above the bound the costs of better covers can be. Until `k` covers are known, the
        # limit is that of all covers, so a distance beyond the bound itself says nothing.
        width = min(best.limit - node.bound, abs(node.bound) + 1)
        if is_final and width <= abs(node.bound) // NARROW:
            pairs = find_pairs(self.problem, self.value, self._is_affordable, N_TRIALS)
        if best.is_full:
            is_tightened = yield from self._search_up_to(best.limit, n_updates)
        else:
            n_most = URGENCY * max(n_updates, len(self.problem.items))
            is_tightened = yield from self._seek_any_covers(n_most)
        if is_final and (node.is_root or not pairs) and node.bound <= best.limit:
            max_cost = node.bound + width // CLOSE
            is_tightened |= yield from self._search_up_to(max_cost, n_updates)
        # What remains: nothing, the node itself with a better bound, or its children.
        nodes: list[Node] = []
        if node.bound > best.limit:
            pass
        elif is_tightened or not is_final:
            nodes = [node]  # with the prices and the bound that this examination has found
            if node.is_dive:
                nodes = yield from self._deeper()
        elif node.is_root and not node.is_close and is_small(self.problem):
            nodes = [(yield from self._approach_relaxation())]
        elif pairs:
            nodes = yield from self._children_of_pairs(pairs)
        else:
            nodes = list(self._children_of_item())
        dual = self.dual if node.is_root else None
        return Outcome(nodes, self.found, self.counters, dual, self.start, self.n_visits)

    def _seek_any_covers(self, n_updates: int) -> Steps[bool]:
        """Search for any covers until `best.k` are known. Returns whether there are no others.

        In that case, the bound of the node is set beyond the limit. Options of low reduced costs
        are tried first.
        """
        # Removed options have a reduced cost of more than MAX_BUDGET.
        n_possible = int(np.count_nonzero(self.dual.reduced <= MAX_BUDGET))
        order = self._likely(n_possible)
        problem = self._ordered(order)
        rule = BranchingRule()
        subtree = linked_class(problem, rule).start(problem, rule)
        yield
        while not (subtree.is_done or self.best.is_full) and n_updates > 0:
            n_updates = self._explore(subtree, order, n_updates, self.best.k)
            yield
        self.counters += subtree.counters
        is_proven = subtree.is_done and len(order) == n_possible
        if is_proven:
            self.node.bound = self.best.limit + 1
        return is_proven

    def _likely(self, n_affordable: int) -> NDArray[np.int64]:
        """Return the `n_affordable` options of the lowest reduced costs, in the order of these.

        Of a large problem, return only as many as its core has: a search of all would take much
        memory, and hardly end. A search of fewer options proves nothing.
        """
        reduced = self.dual.reduced
        n_most = n_affordable
        if len(self.problem.items) >= LARGE:
            n_most = min(n_most, core_size(self.problem))
        # Half of the options or more are sorted as they are. Otherwise, the lowest ones are found
        # first, and sorted by number, so that options of equal costs keep their order.
        if 2 * n_most < len(reduced):
            options = np.argpartition(reduced, n_most)[:n_most]
            options.sort()
            return options[np.argsort(reduced[options], kind="stable")]
        return np.argsort(reduced, kind="stable")[:n_most]

    def _ordered(self, order: NDArray[np.int64]) -> Problem:
        """Return the problem with these options only, in this order, to be searched."""
        problem = select_options(self.problem, order)
        return problem._replace(items=problem.items.astype(np.int64))

    def _search_up_to(self, max_cost: int, n_updates: int) -> Steps[bool]:
        """Search for the covers that cost at most `max_cost`, including the chosen options.

        Returns whether all were found, which raises the bound of the node: other covers cost more.
        """
        max_cost -= self.paid
        dual = self.dual
        # Whether each cover has to cost less than the one before. This is possible if a cover is
        # complete when its items are covered. If costs are negative or there are totals, further
        # options may improve it or be needed.
        only_cheapest = self.best.k == 1 and bool(
            np.all(self.problem.costs >= 0) or np.all(self.problem.lows == self.problem.highs)
        )
        only_cheapest &= self.problem.total_low is None
        n_affordable = int(np.count_nonzero(dual.reduced <= dual.budget(max_cost)))
        order = self._likely(n_affordable)
        dual = dual._replace(reduced=dual.reduced[order])
        problem = self._ordered(order)
        subtree = AffordableSubtree.within(problem, dual, max_cost, only_cheapest=only_cheapest)
        n_covers = MAX_COVERS_PER_CALL if only_cheapest else self.best.k
        yield
        while not subtree.is_done and n_updates > 0:
            n_updates = self._explore(subtree, order, n_updates, n_covers)
            yield
            max_cost = min(max_cost, self.best.limit - self.paid)  # lower after a better cover
            if not subtree.is_done:
                subtree.limit(dual, max_cost)
        self.counters += subtree.counters
        is_proven = subtree.is_done and len(order) == n_affordable  # no options were left out
        if is_proven:
            self.node.bound = self.paid + max_cost + 1
        return is_proven

    def _explore(
        self, subtree: Subtree, order: NDArray[np.int64], n_updates: int, n_covers: int
    ) -> int:
        """Explore a subtree for a slice, and add the covers found. Returns the updates that remain.

        `order` has the options of the subtree, by their numbers in the problem.
        """
        is_large = len(self.problem.items) >= LARGE
        n_slice = min(n_updates, UPDATES_PER_LARGE_SLICE if is_large else UPDATES_PER_SLICE)
        n_covers = min(n_covers, MAX_COVERS_PER_CALL)
        n_found, n_used = subtree.explore(n_slice, n_covers, Translation())
        cost = self.problem.costs
        for chosen in subtree.found.take(n_found):
            options = order[chosen]
            numbers = sorted([*self.node.chosen, *self.numbers[options].tolist()])
            cover = self.paid + int(cost[options].sum()), tuple(numbers)
            if self.best.add(cover):
                self.found.append(cover)
        # Without covers, the slice is spent: choices of items count in it, but are no updates.
        return n_updates - (n_used if n_found else max(n_used, n_slice))

    def _approach_relaxation(self) -> Steps[Node]:
        """Return the node, a root, with the prices of an approach if their bound is higher.

        The bound of the node itself stays as it is: `tighten` raises it in the next examination. If
        a better cover is possible, `start` becomes most options of a cover near the relaxation.
        """
        program = formulate(self.problem)
        node = self.node
        limit = self.best.limit - self.paid
        approach = yield from approach_relaxation(program, self._bound, limit + TOLERANCE)
        self.n_visits += approach.n_visits(program)
        price, total_price = np.split(approach.best, [self.problem.n_items])  # items come first
        dual = exact_bound(relax(self.problem, total_price), price)
        if dual.bound > self.dual.bound:
            node = replace(node, price=node.price.copy(), total_price=total_price)
            node.price[self.items] = price
        if dual.lowest_cost <= limit:
            value = yield from self._near_cover(program)
            self.start = tuple(self.numbers[value > START_VALUE].tolist())
        # The next ascent begins with a small gap, as that of a child, since its prices are close.
        gap = NODE_GAP * (self.best.limit - node.bound + 1)
        return replace(node, is_close=True, n_steps=CLOSER_STEPS, gap=gap)

    def _near_cover(self, program: LinearProgram) -> Steps[NDArray[np.float64]]:
        """Return a solution of the relaxation (options,) that nearly is a cover.

        Random costs are added, so that the relaxation has a single solution: see SPREAD.
        """
        bound = abs(self._bound)
        # The sum of the values is about the number of options in a cover.
        spread = SPREAD * bound / max(1.0, float(self.value.sum()))
        approach = yield from approach_relaxation(program, bound, np.inf, spread)
        self.n_visits += approach.n_visits(program)
        return approach.average

    @property
    def _bound(self) -> float:
        """The lower bound, in the unit of costs, for what remains when `paid` is subtracted."""
        return self.dual.bound / self.dual.scale

    @property
    def _is_affordable(self) -> NDArray[np.bool_]:
        """Whether each option (options,) can be in a cover that is better than those known."""
        return self.dual.reduced <= self.dual.budget(self.best.limit - self.paid)

    def _deeper(self) -> Steps[list[Node]]:
        """Return the node in which the options of largest value are chosen, if there is one.

        These are options that a solution of the relaxation nearly chooses: a dive to a cover. While
        no cover is known, `_near_cover` approaches the relaxation of a small problem again, with
        another result. The sum of the values is about the number of options in a cover.
        """
        value = self.value
        problem = self.problem
        if not self.best.covers and is_small(problem):
            value = yield from self._near_cover(formulate(problem))
        n_left = problem.item_high
        is_affordable = self._is_affordable
        chosen: list[int] = []
        n_most = max(1, int(MAX_DIVE_SHARE * value.sum()))
        for option in np.argsort(-value, kind="stable").tolist():
            if len(chosen) == n_most or (chosen and value[option] < DIVE_VALUE):
                break
            items = row_of(problem.items, problem.indptr, option)
            if is_affordable[option] and n_left[items].all():  # each item takes one more option
                n_left[items] -= 1
                chosen.append(int(self.numbers[option]))
        if not chosen:
            return []
        numbers = tuple(sorted((*self.node.chosen, *chosen)))
        return [replace(self.node, chosen=numbers, n_steps=DIVE_STEPS, gap=0.0)]

    def _children_of_pairs(self, pairs: list[tuple[int, int]]) -> Steps[list[Node]]:
        """Try to divide by each pair of items. Returns the children of the best pair.

        In one child, one option covers both items of the pair, and in the other, two options do.
        """
        best_score = -1.0
        best_children: list[Node] = []
        self.value = np.zeros(0)  # not needed any more; each trial takes much memory
        for pair in pairs:
            children: list[Node] = []
            gains: list[int] = []
            for is_excluded in divide_by_pair(self.problem, pair):
                child = yield from self._try_child(self._is_affordable & ~is_excluded)
                # A child without better covers raises the bound beyond the limit.
                gains.append(self.best.limit + 1 - self.node.bound)
                if child is not None:
                    gains[-1] = child.bound - self.node.bound
                    children.append(replace(child, **CHILD_ASCENT))
            # The best pair raises the bounds of both children.
            score = LOW_GAIN_FACTOR * min(gains) + max(gains)
            if score > best_score:
                best_score = score
                best_children = children
            if len(children) < 2:  # one side or both are excluded: no other pair is tried
                break
        return best_children

    def _try_child(self, is_kept: NDArray[np.bool_]) -> Steps[Node | None]:
        """Return a child after TRIAL_STEPS: the node with fewer options.

        Return None if it has no better cover.
        """
        removed = np.flatnonzero(~is_kept)
        child = replace(self.node, removed=self.numbers[removed], **CHILD_ASCENT)
        problem = self.problem
        if is_copied(problem, len(removed)):
            problem = select_options(problem, np.flatnonzero(is_kept))
            removed = NOTHING_REMOVED
        tightened = yield from tighten(
            problem, self.items, child, self.best, self.paid, TRIAL_STEPS, removed
        )
        yield
        if tightened is None:
            return None
        self.n_visits += tightened.n_visits
        if tightened.node.bound > self.best.limit:
            return None
        removed = np.union1d(self.node.removed, child.removed)  # after the peak of the memory
        return replace(tightened.node, removed=removed)

    def _children_of_item(self) -> Iterator[Node]:
        """Yield a node for each option of the item that has the fewest affordable ones.

        The node is divided: each of its covers is in one child. If the item may stay uncovered, the
        last child has none of its options.
        """
        problem = self.problem
        dual = self.dual
        node = self.node
        low = problem.lows
        high = problem.highs
        is_affordable = np.repeat(self._is_affordable, np.diff(problem.indptr))
        n_branches = count_items(problem.items[is_affordable], len(low))
        # An item that may stay uncovered is the last choice, because it has one more branch; after
        # all others, one without options, which would not divide the node.
        more = np.where(n_branches, problem.n_options, 2 * problem.n_options + 1)
        item = int(np.argmin(n_branches + more * (low == 0)))
        options = problem.options_with(item)
        options = options[dual.reduced[options] <= MAX_BUDGET]  # without those that are removed
        removed = node.removed
        for option in options[np.argsort(dual.reduced[options], kind="stable")].tolist():
            lowest = -(-(dual.bound + int(dual.reduced[option])) // dual.scale)  # rounded up
            number = int(self.numbers[option])
            bound = max(node.bound, self.paid + lowest)
            chosen = tuple(sorted((*node.chosen, number)))
            yield replace(node, chosen=chosen, removed=removed, bound=bound, **CHILD_ASCENT)
            # The other branches do without this option. If the item is covered exactly once, theirs
            # excludes it anyway.
            if not low[item] == high[item] == 1:
                removed = np.append(removed, number)
        if low[item] == 0:
            yield replace(node, removed=removed, **CHILD_ASCENT)
