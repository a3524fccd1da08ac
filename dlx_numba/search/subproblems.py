"""Choose an item order for a memoized search."""

import math
from abc import abstractmethod
from collections.abc import Iterator
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from ..kernels.memo.item_order import (
    ItemOrder,
    estimated_bits,
    narrow_order,
    narrow_tree,
    pause_if_large,
)
from ..kernels.memo.option_sets import count_words, encode_as_bits, require_small_sets
from ..kernels.memo.search import NOTHING_OBSERVED, MemoSearch, Observation
from ..kernels.memo.tree_search import TreeSearch
from ..kernels.problem import Problem
from ..runtime.arguments import UNLIMITED
from ..runtime.interrupts import Steps
from ..runtime.job import Counters, Job, Work
from ..runtime.text import plural
from .race import (
    MAX_BITS_APART,
    MAX_BITS_FIRST,
    MAX_ORDER_RATIO,
    MIN_EXPLORED,
    ROUNDS,
    SMALLEST_FACTOR,
)

TREE = "tree"  # by components, only to count covers
ORDERS = ("auto", "smallest", "given", "bandwidth")

# Beyond these limits, a narrow order is only found if the caller requests it.
MAX_ORDERED_ITEMS = 5000
MAX_ORDER_SLICES = 32
MAX_TREE_ITEMS = 1 << 10
MAX_TREE_SUBPROBLEMS = 1 << 28
MAX_SET_WORK = 1 << 25  # of the preparation of `smallest`, if no other order needs it as well
PREPARATION_UPDATES = 256  # the work for each node of the problem; that for a word of a set is 1


class NamedOrder(NamedTuple):
    """An order of items; None stands for branching on the smallest item."""

    name: str
    items: ItemOrder | None


class FixedOrder(NamedTuple):
    """A fixed order of items."""

    name: str
    items: ItemOrder


class Candidate(NamedTuple):
    """A search in one of the orders to compare."""

    name: str  # of the order
    search: MemoSearch

    @property
    def score(self) -> float:
        """The fraction that it has explored, weighted by its expected speed."""
        factor = SMALLEST_FACTOR if self.name == "smallest" else 1.0
        return self.search.observation.explored * factor


class Memo(Job):
    """The base of memos whose preparation takes many steps, and begins again in a copy."""

    _steps: Iterator[None] | None = None

    @property
    @abstractmethod
    def observation(self) -> Observation:
        """The progress."""

    def counters(self) -> Counters:
        """Return the numbers of covers so far, distinct subproblems, and lookups."""
        observation = self.observation
        return Counters(observation.covers, observation.subproblems, observation.lookups)

    def __str__(self) -> str:
        return describe_memo(self.observation)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_steps": None}

    @abstractmethod
    def _prepare(self) -> Iterator[None]:
        """Prepare in small steps."""

    def _take_step(self) -> bool:
        """Take a step of the preparation. Returns whether it is over.

        An exception ends the preparation, so that the next call begins another one.
        """
        # `self` is what `next` returns at the end of the generator, which yields None.
        steps, self._steps = self._steps or self._prepare(), None
        is_over = next(steps, self) is self
        self._steps = steps
        return is_over


class MemoPortfolio(Memo):
    """A resumable memoized search that tries several item orders and keeps the best.

    Parameters
    ----------
    problem : Problem
        A problem without multiplicities and totals.
    memory : int
        The number of bytes that the memo may use.
    order : str
        One of ORDERS, or "items" for the order of the items of `problem`. "auto" explores a part of
        the problem in each order, and continues with the order that has explored most.
    has_diagram, has_dead_ends : bool
        As for `MemoSearch`.

    Attributes
    ----------
    max_subproblems : int
        The number of subproblems that the chosen order enters: then, steps do nothing.

    Raises
    ------
    ValueError
        If the problem is too large.
    """

    def __init__(
        self,
        problem: Problem,
        memory: int,
        order: str = "auto",
        has_diagram: bool = False,
        has_dead_ends: bool = False,
    ) -> None:
        require_small_sets(problem, order == "smallest" or has_set_keys(problem))
        self._problem = problem
        self._limits = (memory, has_diagram, has_dead_ends)  # of each search
        self._order = order
        self._is_choice = order == "auto"  # whether there may be several candidates
        self._candidates: list[Candidate] = []
        self._tried: list[str] = []  # the names of orders that are or were candidates
        self._is_prepared = False  # whether there are no further candidates
        self._round = 0  # that of ROUNDS in which candidates are compared
        self._past_work = 0  # of candidates that have been dropped
        self.max_subproblems = UNLIMITED

    @property
    def _first(self) -> Candidate:
        """The candidate that has explored most; there must be one."""
        return max(self._candidates, key=attrgetter("score"))

    @property
    def best(self) -> MemoSearch:
        """The search that has explored most; there must be one."""
        return self._first.search

    @property
    def order(self) -> str:
        """The name of the order of the best search; "" before its first step."""
        return self._first.name if self._candidates else ""

    @property
    def is_chosen(self) -> bool:
        """Whether there is only one search left."""
        return not self._is_choice and bool(self._candidates)

    @property
    def fixed_order(self) -> FixedOrder | None:
        """The order of the best search; None for "smallest"."""
        name, search = self._first
        return None if search.order is None or name == TREE else FixedOrder(name, search.order)

    @property
    def done(self) -> bool:
        """Whether one of the searches is done."""
        return any(search.is_done for _, search in self._candidates)

    @property
    def observation(self) -> Observation:
        """The progress of the best search."""
        return self.best.observation if self._candidates else NOTHING_OBSERVED

    @property
    def work(self) -> int:
        """The work of all searches so far, in updates of a search with links."""
        return self._past_work + sum(search.work for _, search in self._candidates)

    @property
    def expected_work(self) -> float:
        """The work that the best search is expected to need until the end."""
        explored = self.observation.explored
        return self.best.work * (1 - explored) / explored if explored > 0 else math.inf

    def step(self, work: Work) -> None:
        """Explore in the best order, or compare orders; preparations are not part of the work.

        Raises MemoryLimitError if a diagram needs more memory than allowed.
        """
        if self.is_chosen:
            self._explore(self.best, work, self.max_subproblems)
        else:
            self._compare(work)

    def _explore(self, search: MemoSearch, work: Work, max_subproblems: int) -> None:
        # The limit is for the work of all searches; that of `run` is for this search alone.
        search.run(work.stop, work.until - self.work + search.work, max_subproblems)

    def _prepare(self) -> Iterator[None]:
        """Add the candidates, the most promising one first, in small steps."""
        memory, has_diagram, _ = self._limits
        is_small = self._problem.n_primary <= MAX_TREE_ITEMS
        is_tree = self._order == "auto" and has_set_keys(self._problem) and not has_diagram
        # A preparation that was interrupted begins again: orders that were tried are left out.
        if is_small and is_tree and TREE not in self._tried:
            tree = yield from narrow_tree(self._problem, MAX_TREE_SUBPROBLEMS)
            if tree is not None and tree.is_branched:
                encoded = yield from encode_as_bits(self._problem, tree.order)
                components = TreeSearch(self._problem, tree, encoded, memory)
                self._candidates.append(Candidate(TREE, components))
            self._tried.append(TREE)
            yield
        for order in candidate_orders(self._problem, self._order):
            if order is not None and order.name not in self._tried:
                encoded = yield from encode_as_bits(self._problem, order.items)
                search = MemoSearch(self._problem, order.items, encoded, *self._limits)
                self._tried.append(order.name)
                self._candidates.append(Candidate(order.name, search))
            yield

    def _compare(self, work: Work) -> None:
        """Run or prepare one of the candidates; drop some of them at the end of a round.

        In a round, each candidate runs until it has as many subproblems as the round permits; for
        the tree, this is the number of the last round from the beginning. In the first round, the
        next candidate is prepared when those before it have run.
        """
        # The first candidate that has not reached the limit of the round runs, and nothing else.
        for candidate in self._candidates:
            limit = ROUNDS[-1 if candidate.name == TREE else self._round]
            if candidate.search.subproblems < limit:
                self._explore(candidate.search, work, limit)
                if candidate.search.is_done:
                    self._keep([candidate])
                return
        if not self._is_prepared:  # another candidate may follow
            self._is_prepared = self._take_step()
            return
        self._round += 1
        if self._first.score < MIN_EXPLORED:  # then scores say little, and rates of hits decide
            hits = {name: search.observation.hits for name, search in self._candidates}
            # Without the candidate "smallest", nothing is dropped: no rate is more than 1.
            if hits.get("smallest", 1) < max(hits.values()):
                self._keep([each for each in self._candidates if each.name != "smallest"])
        least = self._first.score / MAX_ORDER_RATIO
        self._keep([each for each in self._candidates if each.score >= least])
        if self._round == len(ROUNDS):
            self._keep([self._first])
        self._is_choice = len(self._candidates) > 1

    def _keep(self, candidates: list[Candidate]) -> None:
        """Drop all candidates but some."""
        kept = sum(search.work for _, search in candidates)
        self._past_work = self.work - kept
        self._candidates = candidates


def candidate_orders(problem: Problem, order: str) -> Iterator[NamedOrder | None]:
    """Yield the orders to compare, the most promising one first, and None between slices of work.

    An order that takes too much work to find or to use is left out, unless it is requested.
    """
    given = np.arange(problem.n_primary)
    smallest = NamedOrder("smallest", None)
    if order in ("given", "items"):
        yield NamedOrder(order, given)
    elif order == "smallest":
        yield smallest
    elif order == "bandwidth":
        yield NamedOrder("bandwidth", (yield from narrow_order(problem)))
    else:
        # The order of a search comes first if fixed ones are expected to have many subproblems.
        yield from pause_if_large(problem)
        given_bits = estimated_bits(problem, given)  # log2 of the subproblems to expect
        yield from pause_if_large(problem)
        # Only "smallest" always needs sets of options, which take much work to prepare.
        is_small = has_set_keys(problem) or preparation_work(problem, True) <= MAX_SET_WORK
        if is_small and given_bits > MAX_BITS_FIRST:
            yield smallest
        fixed = [(given_bits, NamedOrder("given", given))]  # the most promising one first
        narrow = None
        if problem.n_primary <= MAX_ORDERED_ITEMS:
            narrow = yield from narrow_order(problem, MAX_ORDER_SLICES)
        if narrow is not None:
            narrow_bits = estimated_bits(problem, narrow)
            yield from pause_if_large(problem)
            if narrow_bits < given_bits:
                fixed.insert(0, (narrow_bits, NamedOrder("bandwidth", narrow)))
        least_bits, _ = fixed[0]
        for bits, candidate in fixed:
            if bits <= least_bits + MAX_BITS_APART:
                yield candidate
        if is_small and given_bits <= MAX_BITS_FIRST:
            yield smallest


def first_order(problem: Problem, order: str = "auto") -> Steps[FixedOrder]:
    """Return the most promising fixed order of the items, and its name."""
    for candidate in candidate_orders(problem, "auto" if order == "smallest" else order):
        if candidate is not None and candidate.items is not None:
            return FixedOrder(candidate.name, candidate.items)
        yield
    raise AssertionError("there is always a fixed order")


def has_set_keys(problem: Problem) -> bool:
    """Return whether keys are sets of options, whatever the order."""
    return problem.n_secondary > 0


def preparation_work(problem: Problem, needs_bitsets: bool) -> int:
    """Return the work before a memo starts, in updates of a search with links."""
    n_words = count_words(problem.n_options) if needs_bitsets else 0
    return len(problem.items) * (PREPARATION_UPDATES + n_words)


def describe_memo(observation: Observation, n_covers: int | None = None) -> str:
    """Return the progress of a memoized search, and the covers found, as a line of text."""
    subproblems = observation.subproblems
    full = ", memo full" if observation.is_frozen else ""
    percentage = 100 * observation.explored
    hits = 100 * observation.hits
    # A memo is fastest at the end, so the fraction is tiny for most of the time.
    explored = f"{percentage:.2f}" if percentage >= 0.01 else f"{percentage:.1g}"
    found = "" if n_covers is None else f"{plural(n_covers, 'cover')}, "
    return (
        f"{explored} % explored, {found}{plural(subproblems, 'subproblem')}, "
        f"{hits:.0f} % of lookups known, {observation.nbytes / 2**20:,.0f} MB{full}"
    )
