"""Choose an item order for a memoized search."""

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..jit.monitoring import working_time
from ..kernels.memo.item_order import ItemOrder, estimated_bits, find_narrow_order
from ..kernels.memo.search import MemoSearch, Observation
from ..kernels.problem import Problem
from ..runtime.text import plural

ORDERS = ("auto", "smallest", "given", "bandwidth")

# In each round, every candidate enters subproblems up to this number. These numbers do not depend
# on the time, so that each run chooses the same order.
ROUNDS = (1 << 15, 1 << 17, 1 << 19)
MAX_RATIO = 10  # a candidate that has explored 10 times less than the best one is dropped
SMALLEST_WEIGHT = 0.5  # branching on the smallest item takes about twice as long per subproblem
MAX_BITS_APART = 4.0  # a fixed order is not tried if it seems to have 16 times more subproblems
MAX_BITS_FIRST = 20.0  # fixed orders are tried first unless the given one seems to have more
MAX_ORDERED_ITEMS = 5000  # finding a narrow order takes quadratic time


class NamedOrder(NamedTuple):
    """An order of items; None stands for branching on the smallest item."""

    name: str
    items: ItemOrder | None


class MemoPortfolio:
    """A resumable memoized search that tries several item orders and keeps the best.

    Parameters
    ----------
    problem : Problem
        Without multiplicities.
    order : str
        One of ORDERS, or "items" for the order of the items of `problem`. "auto" explores a part of
        the problem in each order, and continues with the order that has explored most.
    memory : int
        The number of bytes that the memo may use.
    has_diagram : bool
        Whether to build a diagram.

    Raises
    ------
    ValueError
        If the problem is too large.
    """

    def __init__(
        self, problem: Problem, order: str, memory: int, has_diagram: bool = False
    ) -> None:
        start = working_time()
        self._problem, self._memory, self._has_diagram = problem, memory, has_diagram
        self._is_choice = order == "auto"
        self._orders = candidate_orders(problem, order)
        self._candidates: list[tuple[str, MemoSearch]] = []
        self._round = 0
        while not self._candidates:
            self._add_candidate(next(self._orders))
        self.seconds = working_time() - start  # the time spent, including preparations

    def __getstate__(self) -> dict[str, Any]:
        """Return the state with the remaining orders, which are otherwise found when needed."""
        orders = list(self._orders)
        self._orders = iter(orders)
        return {**self.__dict__, "_orders": iter(orders)}

    @property
    def best(self) -> MemoSearch:
        """The search that has explored most."""
        return max(self._candidates, key=_score)[1]

    @property
    def order(self) -> str:
        """The name of the order of the best search."""
        return max(self._candidates, key=_score)[0]

    @property
    def is_done(self) -> bool:
        """Whether one of the searches is done."""
        return any(search.is_done for _, search in self._candidates)

    def run(self, stop: Callable[[], bool], seconds: float = math.inf) -> None:
        """Explore until the problem is solved, for about `seconds`, or until `stop()`.

        Raises MemoryLimitError if a diagram needs more memory than allowed.
        """
        start = now = working_time()
        while not (self.is_done or stop() or now - start >= seconds):
            rest = seconds - (now - start)
            if self._is_choice:
                self._compare(stop, rest)
            else:
                self.best.run(stop, rest)
            now = working_time()
        self.seconds += now - start

    def _add_candidate(self, order: NamedOrder) -> None:
        name, items = order
        try:
            search = MemoSearch(self._problem, items, self._memory, self._has_diagram)
        except ValueError:
            if not self._is_choice or self._problem.n_secondary:
                raise
            return  # the other orders need no sets of options
        self._candidates.append((name, search))

    def _compare(self, stop: Callable[[], bool], seconds: float) -> None:
        """Run one of the candidates; drop some of them at the end of a round."""
        for name, search in self._candidates:
            if search.subproblems < ROUNDS[self._round]:
                search.run(stop, seconds, ROUNDS[self._round])
                if search.is_done:
                    self._candidates = [(name, search)]
                return
        if self._round == 0 and (order := next(self._orders, None)) is not None:
            self._add_candidate(order)
            return
        self._round += 1
        best = max(map(_score, self._candidates))
        self._candidates = [each for each in self._candidates if _score(each) * MAX_RATIO >= best]
        if self._round == len(ROUNDS):
            self._candidates = [max(self._candidates, key=_score)]
        self._is_choice = len(self._candidates) > 1


def candidate_orders(problem: Problem, order: str) -> Iterator[NamedOrder]:
    """Yield the orders to compare, the most promising one first."""
    given, smallest = np.arange(problem.n_primary), NamedOrder("smallest", None)
    if order in ("given", "items"):
        yield NamedOrder(order, given)
    elif order == "smallest":
        yield smallest
    elif order == "bandwidth":
        yield NamedOrder("bandwidth", find_narrow_order(problem))
    else:
        given_bits = estimated_bits(problem, given)
        if given_bits > MAX_BITS_FIRST:
            yield smallest
        fixed = [(given_bits, NamedOrder("given", given))]
        if problem.n_primary <= MAX_ORDERED_ITEMS:
            narrow = find_narrow_order(problem)
            narrow_bits = estimated_bits(problem, narrow)
            if narrow_bits < given_bits:
                fixed.insert(0, (narrow_bits, NamedOrder("bandwidth", narrow)))
        for bits, candidate in fixed:
            if bits <= fixed[0][0] + MAX_BITS_APART:
                yield candidate
        if given_bits <= MAX_BITS_FIRST:
            yield smallest


def _score(candidate: tuple[str, MemoSearch]) -> float:
    """Return the fraction that a candidate has explored, weighted by its expected speed."""
    name, search = candidate
    return search.observation.explored * (SMALLEST_WEIGHT if name == "smallest" else 1.0)


def describe_memo(observation: Observation, n_covers: int | None = None) -> str:
    """Return the progress of a memoized search, and the covers found, as a line of text."""
    lookups, subproblems = observation.lookups, observation.subproblems
    hits = 1 - subproblems / lookups if lookups > subproblems else 0.0
    full = ", memo full" if observation.is_frozen else ""
    percentage = 100 * observation.explored
    # A memo is fastest at the end, so the fraction is tiny for most of the time.
    explored = f"{percentage:.2f}" if percentage >= 0.01 else f"{percentage:.1g}"
    found = "" if n_covers is None else f"{plural(n_covers, 'cover')}, "
    return (
        f"{explored} % explored, {found}{plural(subproblems, 'subproblem')}, "
        f"{100 * hits:.0f} % of lookups known, {observation.nbytes / 2**20:,.0f} MB{full}"
    )
