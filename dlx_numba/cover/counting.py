"""Count the covers of a problem, component by component, in runs that can be resumed."""

import math
import threading
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Any, Literal, NamedTuple, get_args

from ..kernels.dlx.state import UNLIMITED
from ..runtime.arguments import check_choice
from ..runtime.exclusive import Computation
from ..runtime.interrupts import Stop
from ..runtime.resources import memory_limit
from ..runtime.tables import Table
from ..runtime.text import plural
from ..search.prepared import PreparedProblem
from ..search.thread_runner import choose_workers
from .component_counter import FIRST_UPDATES, ComponentCounter

Method = Literal["auto", "search", "memo"]
Order = Literal["search", "any"]  # of the covers that are found
METHODS: tuple[Method, ...] = get_args(Method)


class _Counters(NamedTuple):
    solutions: int
    nodes: int
    updates: int


class Statistics(_Counters, Table):
    """The amount of work of a search.

    Attributes
    ----------
    solutions : int
        The number of covers found.
    nodes : int
        The number of nodes of the search tree entered: the number of times that the search has
        selected an item to cover. With bitmaps, it may differ slightly from that of links, which
        can notice a dead end a few forced choices earlier or later.
    updates : int
        The number of links removed (Knuth's measure of work); with bitmaps, the number of items
        whose options were counted.
    method : str
        What found the last solution, or the proof that there is none: "search", or, for `first`
        and for solutions in any order, "restarts", "symmetry", "consistency", "prices" or "memo".

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> cover = ExactCover([["a"], ["a"]])
    >>> cover.count()
    2
    >>> cover.statistics
    Statistics(solutions=2, nodes=1, updates=1)
    """

    method = "search"

    def _columns(self) -> dict[str, Any]:
        return {name: [value] for name, value in self._asdict().items()}

    def _repr_html_(self) -> str:
        from ..svg.html import facts  # only notebooks need HTML

        return facts((name, f"{value:,}") for name, value in self._asdict().items())


class ThreadStatistics(threading.local):
    """The work of the last call in each thread. Copies and pickles contain none."""

    value = Statistics(0, 0, 0)

    def __reduce__(self) -> tuple[Any, ...]:
        return ThreadStatistics, ()


class CoverCounter(Computation):
    """A resumable count of the covers of a problem, created by `ExactCover.counter`.

    One thread at a time can run a counter; its other methods and its properties may be used from
    any thread. An exception that interrupts a run loses nothing: the next run continues.

    Parameters
    ----------
    components : list of PreparedProblem
        The independent components of the problem.
    method, memory, threads, executor
        As for `ExactCover.count`.
    limit : int, optional
        The largest number of covers of each component to count, and the result if it is larger.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> counter = ExactCover([["a"], ["a"], ["b"]]).counter()
    >>> counter.run(), counter.count
    (True, 2)
    """

    def __init__(
        self,
        components: list[PreparedProblem],
        method: Method,
        memory: int | None = None,
        threads: int | None = None,
        executor: Executor | None = None,
        limit: int = UNLIMITED,
    ) -> None:
        check_choice("method", method, METHODS)
        super().__init__("counter")
        if method == "memo":  # ask the system once, not for each component
            memory = memory_limit(memory)
        arguments = method, memory, choose_workers(threads, executor, components[0]), limit
        self._components = [ComponentCounter(component, *arguments) for component in components]
        self._limit = limit

    @property
    def done(self) -> bool:
        """Whether the covers have been counted."""
        is_zero = any(each.done and not each.count for each in self._components)
        return is_zero or all(each.done for each in self._components)

    @property
    def count(self) -> int:
        """The number of covers; before the end, the largest number found so far."""
        count = math.prod(component.count for component in self._components)
        return count if self._limit == UNLIMITED else min(count, self._limit)

    @property
    def method(self) -> str:
        """The method that produced the result, or is preferred so far: "search" or "memo".

        It is "memo" if a memo counts any of the independent components of the problem.
        """
        return "memo" if any(each.method == "memo" for each in self._components) else "search"

    @property
    def technique(self) -> str:
        """The method of the next step: "search", "memo", or "isomorphism classes"."""
        return self._current.technique

    def counters(self) -> tuple[int, int, int]:
        """Return the number of covers and the work: nodes and updates, as in `Statistics`.

        With a memo, the nodes are the distinct subproblems, and the updates are the lookups.

        Returns
        -------
        n_covers, nodes, updates : int

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> counter = ExactCover([["a"], ["a"], ["b"], ["b"]]).counter("memo")
        >>> counter.run(), counter.counters()
        (True, (4, 2, 2))
        """
        nodes, updates = zip(*(component.counters for component in self._components), strict=True)
        return self.count, sum(nodes), sum(updates)

    @property
    def order(self) -> str:
        """The rule by which the memo chooses items, see `ExactCover.diagram`; "" without a memo."""
        return self._current.order

    @property
    def fraction(self) -> float:
        """The explored fraction, assuming that all branches of a node are equally large."""
        return sum(component.fraction for component in self._components) / len(self._components)

    @property
    def _current(self) -> ComponentCounter:
        """The component that a run continues, or the last one."""
        return next((each for each in self._components if not each.done), self._components[-1])

    def __repr__(self) -> str:
        if self.done:
            return f"<CoverCounter: {plural(self.count, 'cover')}>"
        return f"<CoverCounter: {self}>"

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        if (n_components := len(self._components)) == 1:
            return str(self._current)
        n_done = sum(component.done for component in self._components)
        return f"{n_done:,} of {n_components:,} components, the next one: {self._current}"

    def _repr_html_(self) -> str:
        from ..svg.html import paragraph  # only notebooks need HTML

        return paragraph(str(self))

    def _advance(self, stop: Stop) -> None:
        """Run as `run` does, without protection from exceptions and other threads."""
        with self._clock:
            for component, work in self._pending_components(stop):
                component.run(stop, work)

    def _pending_components(self, stop: Stop) -> Iterator[tuple[ComponentCounter, float]]:
        """Iterate over the components to run, until one of them is incomplete or has no covers.

        First, each component seeks a cover, with more work in each round: one that has none makes
        all others superfluous.

        Parameters
        ----------
        stop : Stop
            What ends the runs of the caller.

        Yields
        ------
        ComponentCounter
            A component, which the caller runs before it requests the next one.
        float
            The work until which to run it.
        """
        work = FIRST_UPDATES
        while (without := [each for each in self._components if not each.count]) and not stop():
            for component in without:
                yield component, work
                if component.done and not component.count:
                    return
            work *= 2
        for component in self._components:
            yield component, math.inf
            if not component.done:
                return
