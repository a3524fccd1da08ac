"""Branch and bound for the cheapest covers of a connected problem.

A node of the tree is a set of chosen and of removed options; `node_search.py` examines it. The best
covers bound the lowest cost from above, the open nodes from below. Some nodes are examined only to
find better covers. Nodes can be examined in any number of threads with the same result.
"""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.cheapest.covering import (
    BEST_COST,
    Covering,
    is_covering,
    search_coverings,
    start_covering,
)
from ..kernels.cheapest.multipliers import ROOT_STEPS, DualBound
from ..kernels.problem import Problem, select_options, usable_by_kernels
from ..kernels.subtree import CounterArray, check_counters
from ..runtime.archive import MAX_COUNTER, check_integers
from ..runtime.interrupts import Stop
from .construction import constructions_for
from .core import Core, find_core
from .exploration import Exploration
from .node import NO_OPTIONS, BestCovers, ComponentResult, CostedCover, Node
from .node_search import (
    DIVE_STEPS,
    LARGE,
    N_EARLY_EXAMINATIONS,
    NEAR_STEPS,
    Examination,
    Outcome,
    examine,
    is_copied,
)
from .prepared import PreparedProblem

# The budget of the search in a node, in updates: those of all searches so far, divided by
# UPDATES_DIVISOR, within these limits
UPDATES_DIVISOR = 1 << 8
MIN_UPDATES = 1 << 16
MAX_UPDATES = 1 << 22
# The unit of work is a visit of a node of the problem by the ascent. An update of a search takes
# about as long as VISITS_PER_UPDATE, and an examination takes EXAMINATION_WORK besides both.
VISITS_PER_UPDATE = 16
EXAMINATION_WORK = 1 << 20
# Attempts to find better covers get FIRST_SHARE of the work until a cover is known, and then SHARE.
# Every DIVE_PERIOD-th attempt is a dive from the node with the lowest bound.
FIRST_SHARE = 0.8
SHARE = 0.2
LARGE_SHARE = 0.5  # of a LARGE problem, whose tree is seldom examined
DIVE_PERIOD = 2
# The other attempts are neighborhoods of the best cover, in which some of its options are free:
# first FREE_SHARE of them, but at least MIN_FREE. The share is multiplied by SHRINKING if a search
# takes too long, and divided by it otherwise. The free options are found around one of them, in up
# to MAX_ROUNDS rounds; if these do not suffice, the rest is random.
FREE_SHARE = 0.2
MIN_FREE = 3
SHRINKING = 0.9
MAX_ROUNDS = 64
# The local search for coverings visits each node of the problem COVERING_PASSES times at first, and
# then gets SHARE of the work. A call of it visits COVERING_VISITS.
COVERING_PASSES = 1 << 10
COVERING_VISITS = 1 << 20
MIN_FREE_SHARE = 0.001
MAX_FREE_SHARE = 0.5  # larger parts are as hard as the whole problem
SEEKER_PASSES = 16  # updates for each node of a LARGE problem before all of it is searched
TAIL_UPDATES = 1 << 21  # the budget for what a greedy construction leaves


class ComponentOptimizer:
    """A connected problem, and the tree of its branch and bound.

    `pop` returns a node to examine, and `merge` takes its outcome. In between, a node of the tree
    is pending, and before, it is open. Other nodes that `pop` returns are attempts, outside the
    tree, to find better covers: near the start, a dive or the best cover, or by a construction.

    Parameters
    ----------
    problem : Problem
        Each option has a primary item.
    options : ndarray of int64, shape (options,)
        The numbers of its options in covers and nodes, in ascending order.
    k : int
        The number of covers to find.
    price : ndarray of float64, shape (items,), optional
        The prices from which the ascent of the root begins.
    start : sequence of int
        The numbers of options of a cover, or of a part of one, near which the first cover is
        sought. Those that exclude earlier ones are ignored.

    Attributes
    ----------
    result : ComponentResult
    n_examined : int
        The number of nodes examined.
    counters : ndarray of int64, shape (3,)
        The covers found, nodes and updates of all searches.
    """

    def __init__(
        self,
        problem: Problem,
        options: NDArray[np.int64],
        k: int,
        price: NDArray[np.float64] | None = None,
        start: Sequence[int] = (),
    ) -> None:
        self._original = problem
        self.options = options
        # What `_fix` leaves of it, with narrow numbers of items, which relaxations share
        self._problem = problem._replace(items=problem.items.astype(np.int32))
        self._numbers = options  # those of the options of `_problem`
        cost = problem.costs
        self._min_cost = int(np.minimum(cost, 0).sum())  # no cover costs less
        self._best = BestCovers(k, int(np.maximum(cost, 0).sum()))
        self._dual: DualBound | None = None  # of the root
        self._core: Core | None = None  # in which covers are sought, if it is known
        self._constructions = constructions_for(problem)
        price = np.zeros(problem.n_items) if price is None else price
        n_steps = ROOT_STEPS
        if self._constructions and len(problem.items) >= LARGE:
            # As if the early examinations were made, a step each: they take long, and find little.
            n_steps = max(1, n_steps - N_EARLY_EXAMINATIONS)
        self._root = Node((), NO_OPTIONS, self._min_cost, price, n_steps=n_steps)
        # A heap: the bound, minus the number of chosen options, a number of its own, and the node
        self._open: list[tuple[int, int, int, Node]] = []
        self._pending: list[Node] = []  # popped, but not merged yet
        self._n_pushed = self._n_popped = self.n_examined = 0
        self._work = self._attempt_work = self._n_attempts = 0  # the first includes the second
        self._free_share = FREE_SHARE
        self._covering_work = 0
        self._dived: Node | None = None  # where the last dive began
        self._dead_end = NO_OPTIONS  # the options chosen at the end of the longest dive
        self._n_back = 0  # how many of them the next attempt frees
        self._restart: Node | None = None  # the root, for its dual bound after `restore`
        self._seeker: Exploration | None = None  # of a first cover
        self.counters: CounterArray = np.zeros(3, np.int64)
        self._push(self._root)
        self._start = np.array(self._compatible(start), np.int64)
        self._n_freed = 0  # how many options of the start its next neighborhood frees
        self.result = self._current_result()

    def _compatible(self, numbers: Sequence[int]) -> list[int]:
        """Return those of some options, by number, that can be together in a cover, sorted.

        In ascending order, an option is left out if the ones before it exclude it. Several options
        can share a secondary item in one color; 0 is no color.
        """
        problem = self._original
        chosen: list[int] = []
        n_left = problem.item_high.tolist()
        color_of: dict[int, int] = {}
        for option, number in zip(self._find(sorted(numbers)), sorted(numbers), strict=True):
            entries = problem.entries(option)
            if all(n_left[item] > 0 or 0 < color == color_of.get(item) for item, color in entries):
                chosen.append(number)
                color_of.update(entries)
                for item, _ in entries:
                    n_left[item] -= 1
        return chosen

    def _current_result(self) -> ComponentResult:
        """Return the best covers so far, a lower bound of the costs of others, and one of all.

        Other covers are in nodes that are open or pending. If `k` covers are known, others may also
        have been in nodes that were dropped, and cost at least as much as the last of these.
        """
        covers = self._best.covers
        bounds = [bound for bound, *_ in self._open[:1]]  # the lowest one of a heap
        bounds += [node.bound for node in self._pending]
        if self._best.is_full:
            bounds.append(covers[-1][0])
        lowest = min([*bounds, *(cost for cost, _ in covers[:1])], default=0)
        is_done = not (self._open or self._pending)
        return ComponentResult(covers.copy(), min(bounds, default=None), lowest, is_done)

    @property
    def is_open(self) -> bool:
        """Whether there is a node to examine."""
        return bool(self._open)

    @property
    def is_starting(self) -> bool:
        """Whether the next node is a neighborhood of the start."""
        return self._n_freed < len(self._start)

    def _push(self, node: Node) -> None:
        """Add an open node, unless it has no cover that is cheap enough."""
        if node.bound <= self._best.limit:
            heapq.heappush(self._open, (node.bound, -len(node.chosen), self._n_pushed, node))
            self._n_pushed += 1

    def pop(self) -> Node:
        """Return a node to examine next: the open one of the lowest bound, or an attempt.

        At least one node must be open. Attempts come first while they have had less than their
        share of the work.
        """
        self._n_popped += 1
        if self._restart is not None:
            node, self._restart = self._restart, None
            return node
        if self._open and self._attempt_work < self._attempt_share * self._work:
            attempt = self._next_attempt()
            if attempt is not None:
                return attempt
        # Before the tree, seek a cover near the start: free more and more of its options.
        if self.is_starting:
            n_free, self._n_freed = self._n_freed, max(MIN_FREE, 2 * self._n_freed)
            return self._neighborhood(self._start, n_free, True)
        *_, node = heapq.heappop(self._open)
        self._pending.append(node)
        return node

    def _next_attempt(self) -> Node | None:
        """Return the next attempt to find better covers; None if there is nothing to attempt.

        It is, in this order: a neighborhood of the longest dive that has failed, until a cover is
        known; a construction; a dive from the open node of the lowest bound, unless that is where
        the last dive began; a neighborhood of the best cover.
        """
        self._n_attempts += 1
        has_cover = bool(self._best.covers)
        # Free more and more of the options that the longest dive has chosen in vain.
        if not has_cover and self._n_back < len(self._dead_end):
            n_free, self._n_back = self._n_back, 2 * self._n_back
            return replace(self._neighborhood(self._dead_end, n_free, True), is_dive=True)
        if self._constructions and self._constructions.is_next(self._n_attempts, has_cover):
            return self._constructions.begin(self._find_core(), self._root, self._n_popped)
        *_, lowest = self._open[0]
        is_turn_of_dive = self._n_attempts % DIVE_PERIOD == 0 or not has_cover
        if is_turn_of_dive and lowest is not self._dived:
            self._dived = lowest
            return replace(lowest, n_steps=DIVE_STEPS, is_neighborhood=True, is_dive=True)
        if has_cover:
            _, options = self._best.covers[0]
            cover = np.array(options, np.int64)
            n_free = max(MIN_FREE, int(self._free_share * len(cover)))
            if n_free < len(cover):  # otherwise, it would be the whole problem
                return self._neighborhood(cover, n_free)
        return None

    def _neighborhood(
        self, cover: NDArray[np.int64], n_free: int, is_partial: bool = False
    ) -> Node:
        """Return the node of the covers that keep all options of a cover but `n_free` close ones.

        Two options are close if an option of the problem has items of both. Those close to free
        ones become free, too, after a random one if no other is close. After MAX_ROUNDS of this,
        random ones become free, as many as are still missing. If the cover is only a part of one
        (`is_partial`), the first free ones are close to the items that it leaves uncovered.

        The options of the cover are counted from 0, in `owner` and `is_free`; the last number,
        `len(cover)`, stands for uncovered items, which are free if the cover is partial. Options
        that the core lacks are free as well, because nodes of the core cannot choose them.
        """
        rng = np.random.default_rng(self._n_popped)  # so that a run can be repeated
        problem, numbers, _ = self._find_core()
        owner = np.full(problem.n_items, len(cover))  # of each item: the option that covers it
        chosen = select_options(self._original, np.searchsorted(self.options, cover))
        owner[chosen.items] = chosen.option_of_node()
        is_free = np.append(~np.isin(cover, numbers), is_partial)
        n_free = min(len(cover), n_free) + is_free[-1]  # the last number is counted with the others
        owners = owner[problem.items]  # of each node of the problem
        option_of = problem.option_of_node()
        n_rounds = 0
        while (n_missing := n_free - np.count_nonzero(is_free)) > 0:
            n_rounds += 1
            # The options that have items of free ones, and those of the cover that have their items
            touches_free = np.zeros(problem.n_options, np.bool_)
            touches_free[option_of[is_free[owners]]] = True
            is_near = np.zeros(len(is_free), np.bool_)
            is_near[owners[touches_free[option_of]]] = True
            near = np.flatnonzero((is_near & ~is_free)[:-1])
            if not len(near) or n_rounds == MAX_ROUNDS:
                near = rng.permutation(np.flatnonzero(~is_free[:-1]))
                near = near[: n_missing if n_rounds == MAX_ROUNDS else 1]
            is_free[rng.permutation(near)[:n_missing]] = True
        kept = tuple(cover[~is_free[:-1]].tolist())
        return replace(self._root, chosen=kept, n_steps=NEAR_STEPS, is_neighborhood=True)

    @property
    def _attempt_share(self) -> float:
        """The share of the work for attempts to find better covers.

        Of a problem with constructions, attempts wait for the first ascent of the root in two
        cases: if no cover is known, so that most attempts are constructions, or if the problem is
        large. Before the ascent, which takes many of the root's steps, while an early examination
        takes one, the prices of the items are not good enough for constructions.
        """
        is_large = len(self._problem.items) >= LARGE
        is_priced = self._root.n_steps < ROOT_STEPS - N_EARLY_EXAMINATIONS
        if self._constructions and not is_priced and (is_large or not self._best.covers):
            return 0.0
        if not self._best.covers:
            return FIRST_SHARE
        return LARGE_SHARE if is_large else SHARE

    def _find_core(self) -> Core:
        """Return the core; the whole problem before its reduced costs are known.

        It is kept until `_fix` is called. Options of known covers, parts of covers and failed dives
        belong to it, so that neighborhoods can choose them.
        """
        dual = self._dual
        if dual is None:
            return Core(self._problem, self._numbers, np.zeros(len(self._numbers)))
        if self._core is None:
            covers = [np.array(cover, np.int64) for _, cover in self._best.covers]
            known = np.concatenate([self._start, self._dead_end, *covers])
            self._core = find_core(self._problem, self._numbers, dual, known)
        return self._core

    def arguments(self, node: Node) -> tuple[Problem, NDArray[np.int64], Node, BestCovers, int]:
        """Return the arguments of `examine` for a node.

        Attempts take place in the core. The root of `_restart`, a neighborhood without chosen
        options, is examined as a whole, because it is to yield the dual bound of all options.
        """
        _, _, n_done = self.counters.tolist()
        n_updates = min(max(MIN_UPDATES, n_done // UPDATES_DIVISOR), MAX_UPDATES)
        if node.n_likely:  # a construction chose its options
            n_updates = TAIL_UPDATES
        if node.is_neighborhood and (node.is_dive or node.chosen):
            problem, numbers, _ = self._find_core()
            return problem, numbers, node, self._best, n_updates
        return self._problem, self._numbers, node, self._best, n_updates

    def examine(self, node: Node) -> Examination:
        """Examine a node, with pauses."""
        return examine(*self.arguments(node))

    def merge(self, node: Node, outcome: Outcome) -> None:
        """Add the outcome of a node: its covers, what is left of it, and what attempts learn.

        If nodes of a neighborhood remain, its search took too long, so that fewer options are free
        in the next one. The nodes themselves are only pushed if they belong to the tree.
        """
        self._pending = [pending for pending in self._pending if pending is not node]
        self.n_examined += 1
        self.counters = self.counters + outcome.counters
        _, _, n_updates = outcome.counters.tolist()
        work = EXAMINATION_WORK + outcome.n_visits + VISITS_PER_UPDATE * n_updates
        self._work += work
        if node.is_neighborhood:
            self._attempt_work += work
        if outcome.start:  # options near the relaxation, whose neighborhoods are examined next
            self._start = np.array(self._compatible(outcome.start), np.int64)
            self._n_freed = 0
        is_better = self._add_covers(outcome.found)
        dual = outcome.dual
        # Another node of the batch may have removed options since these costs were computed.
        if dual is not None and len(dual.reduced) == len(self._numbers):
            self._dual = dual
        if is_better or dual is not None:
            self._fix()
        if node.n_likely and self._constructions:
            self._constructions.learn(node, is_better, not outcome.nodes)
        elif node.is_neighborhood and not node.is_dive:
            share = self._free_share * (SHRINKING if outcome.nodes else 1 / SHRINKING)
            self._free_share = min(max(share, MIN_FREE_SHARE), MAX_FREE_SHARE)
        if len(outcome.dead_end) > len(self._dead_end):
            self._dead_end = np.array(outcome.dead_end, np.int64)
            self._n_back = MIN_FREE
        for remaining in outcome.nodes:
            if not node.is_neighborhood:
                self._push(remaining)
            if remaining.is_root:  # attempts take its prices and remaining steps over from it
                self._root = replace(remaining, bound=self._min_cost, gap=0.0, n_likely=0.0)
        self.result = self._current_result()

    def _add_covers(self, covers: Sequence[CostedCover]) -> bool:
        """Add covers, and return whether one of them is among the best.

        Open nodes that then have no cover cheap enough are dropped.
        """
        is_better = sum(map(self._best.add, covers)) > 0
        if is_better:
            self._seeker = None  # which seeks a first cover
            self._open = [entry for entry in self._open if entry[-1].bound <= self._best.limit]
            heapq.heapify(self._open)
        return is_better

    def offer(self, cover: CostedCover) -> None:
        """Add a cover that another search has found."""
        if self._add_covers([cover]):
            self._fix()
            self.result = self._current_result()

    def seek(self, stop: Stop) -> None:
        """While no cover is known, search for one with as much work as the other searches took.

        A search of the whole problem may prove soon that there is none, where all nodes would be
        examined in vain: then no node stays open.
        """
        _, _, n_updates = self.counters.tolist()  # of the searches in nodes
        if self._seeker is None:
            n_nodes = len(self._original.items)
            is_late = self._constructions and n_nodes >= LARGE
            # Links would take longer to build, or more memory than constructions that succeed.
            if n_updates < (SEEKER_PASSES if is_late else 1) * n_nodes:
                return
            self._seeker = Exploration(PreparedProblem(self._original, self.options))
        seeker = self._seeker
        n_behind = n_updates - seeker.work
        if n_behind <= 0:
            return
        covers, is_complete = seeker.find_covers(stop, 1, n_behind)
        cost = self._original.costs
        for numbers in covers:
            self.offer((int(cost[self._find(numbers)].sum()), tuple(numbers)))
        if is_complete and not covers:
            self._open.clear()
            self.result = self._current_result()

    @cached_property
    def _covering(self) -> Covering | None:
        """The state of the local search; None unless the problem is a covering."""
        return start_covering(self._original) if is_covering(self._original) else None

    def improve(self, stop: Stop) -> None:
        """Search for cheaper coverings by a local search, which gets a share of the work.

        Does nothing unless the problem is a covering.
        """
        covering = self._covering = usable_by_kernels(self._covering)  # of a pickle
        work_limit = max(COVERING_PASSES * len(self._original.items), int(SHARE * self._work))
        while covering is not None and self._covering_work < work_limit and not stop():
            n_visits = min(COVERING_VISITS, work_limit - self._covering_work)
            self._covering_work += n_visits
            if self._best.is_full:  # only coverings that cost less than `best_cost` are of use
                best_cost = self._best.limit + 1
                covering.scalars[BEST_COST] = min(covering.scalars[BEST_COST], best_cost)
            if search_coverings(covering, n_visits):
                numbers = self.options[covering.best > 0].tolist()
                self.offer((int(covering.scalars[BEST_COST]), tuple(numbers)))

    def _fix(self) -> None:
        """Remove the options whose reduced costs at the root show that they are in no better cover.

        Called when a better cover or another bound of the root is known: both change the core. A
        large problem is only copied, which takes memory, if enough options are removed.
        """
        dual = self._dual
        self._core = None
        if dual is not None:
            keep = np.flatnonzero(dual.reduced <= dual.budget(self._best.limit))
            if not is_copied(self._problem, len(self._numbers) - len(keep)):
                return
            self._problem = select_options(self._problem, keep)
            self._numbers = self._numbers[keep]
            self._dual = dual._replace(reduced=dual.reduced[keep])

    def content(self) -> dict[str, Any]:
        """Return the tree as JSON values; its pending nodes will be examined again."""
        nodes = [*(node for *_, node in self._open), *self._pending]
        tree = [node for node in nodes if not node.is_neighborhood]
        return {
            "nodes": [[node.chosen, node.removed.tolist(), node.bound] for node in tree],
            "best": self._best.covers,
            "n_examined": self.n_examined,
            "counters": self.counters.tolist(),
        }

    def restore(self, content: Mapping[str, Any]) -> None:
        """Restore the tree from `content()`. Raises an exception if it is invalid.

        The root is examined once more for its dual bound. It has only half of the ROOT_STEPS, as
        with all of them, `_examine` would take it for a new root, and make no ascent. It is a
        neighborhood, so that it is not pushed: the restored nodes are the whole tree.
        """
        cost = self._original.costs
        for saved_cost, numbers in content["best"]:
            options = self._find(numbers)
            self._original.check_covers([options])
            if saved_cost != cost[options].sum() or options != sorted(options):
                raise ValueError("a cover is inconsistent")
            self._best.add((saved_cost, tuple(numbers)))
        self._open.clear()
        for chosen, removed, bound in content["nodes"]:
            self._find([*chosen, *removed])
            check_integers([bound], self._min_cost, self._best.max_cost)
            node = Node(tuple(chosen), np.array(removed, np.int64), bound, self._root.price)
            self._push(replace(node, n_steps=ROOT_STEPS))  # many: its own prices are not saved
        self.counters[:] = check_counters(content["counters"])
        self.n_examined = int(check_integers([content["n_examined"]], 0, MAX_COUNTER)[0])
        self._restart = replace(self._root, n_steps=ROOT_STEPS // 2, is_neighborhood=True)
        self.result = self._current_result()

    def _find(self, numbers: list[int]) -> list[int]:
        """Return the options that have these numbers. Raises an exception if they do not exist."""
        options = np.searchsorted(self.options, check_integers(numbers, 0, MAX_COUNTER))
        if self.options[options].tolist() != numbers:
            raise ValueError("an option does not exist")
        return options.tolist()
