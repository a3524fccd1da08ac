"""Choose an item order for a memoized search, and build diagrams with it."""

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.monitoring import working_time
from ..kernels.memo.diagram import Diagram
from ..kernels.memo.explore import FALSE
from ..kernels.memo.item_order import ItemOrder, estimated_bits, find_narrow_order
from ..kernels.memo.search import MemoSearch, Observation
from ..kernels.problem import Problem
from ..runtime.exclusive import Resumable
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from ..search.spec import ExactCoverSpec
from .diagram import EMPTY, CoverDiagram
from .diagram_file import DiagramFacts

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


class DiagramBuilder(Resumable):
    """A resumable builder of a diagram, created by `ExactCover.diagram_builder`.

    One thread at a time can run a builder; `stop`, `done` and `str` may be called from any thread.

    Parameters
    ----------
    spec : ExactCoverSpec
        The search of the problem.
    stated : Problem
        The problem as stated, with the user's option numbers.
    order : str
        As for `MemoPortfolio`.
    memory : int
        The number of bytes that the diagram and the memo may use.

    Raises
    ------
    ValueError
        If the problem is too large.
    """

    def __init__(self, spec: ExactCoverSpec, stated: Problem, order: str, memory: int) -> None:
        super().__init__("diagram builder")
        self._spec, self._stated = spec, stated
        self._memo = MemoPortfolio(spec.problem, order, memory, has_diagram=True)

    @property
    def done(self) -> bool:
        """Whether the diagram is complete."""
        return self._memo.is_done

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        return describe_memo(self._memo.best.observation)

    def run(self, seconds: float | None = None) -> bool:
        """Explore until the end, for about `seconds`, or until `stop` is called.

        Parameters
        ----------
        seconds : float, optional
            The time limit.

        Returns
        -------
        bool
            Whether the diagram is complete.

        Raises
        ------
        MemoryError
            If the memory does not suffice.
        RuntimeError
            If another thread is using the builder.
        """
        stop = Stop(seconds, self._use.stop_request)
        return self._use.run(lambda: self._run(stop), stop, lambda: self.done)

    def _run(self, stop: Stop) -> None:
        """Run as `run` does, without protection from exceptions and other threads."""
        self._memo.run(stop)

    def diagram(self) -> CoverDiagram:
        """Return the diagram. Raises ValueError if it is not complete."""
        if not self.done:
            raise ValueError("the diagram is not complete: call run")
        stated, problem, best = self._stated, self._spec.problem, self._memo.best
        numbers = best.option_numbers
        if self._spec.option_numbers is not None:
            numbers = self._spec.option_numbers[numbers]
        levels = None
        if best.order is not None:
            rank = np.full(problem.n_items, problem.n_primary)
            rank[best.order] = np.arange(problem.n_primary)
            first = np.full(problem.n_options, problem.n_primary)
            np.minimum.at(first, problem.option_of_node(), rank[problem.items])
            level = np.full(stated.n_options, problem.n_primary + 1)
            level[numbers] = first[best.option_numbers]
            level[self._spec.given] = -1
            levels = np.argsort(level, kind="stable")
        is_primary = stated.items < stated.n_primary
        option_of = stated.option_of_node()[is_primary]
        items = stated.items[is_primary].astype(np.int64)
        first_items = np.full(stated.n_options, -1)
        first_items[option_of[::-1]] = items[::-1]
        facts = DiagramFacts(
            stated.n_options,
            list(self._spec.given),
            self._memo.order,
            levels,
            first_items,
            np.searchsorted(option_of, np.arange(stated.n_options + 1)),
            items,
            stated.cost,
        )
        return CoverDiagram(_graph(best, numbers), facts)


def _graph(search: MemoSearch, numbers: NDArray[np.int64]) -> Diagram:
    """Return the graph that a search has built, with the user's option numbers."""
    edges = search.edges
    assert edges is not None
    if search.value == FALSE:
        return EMPTY
    graph = Diagram(*edges).truncated(search.value + 1)
    return graph._replace(option=numbers.astype(np.uint32)[graph.option])


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
