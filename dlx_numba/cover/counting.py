"""Count the covers of a problem, component by component, in runs that can be resumed."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..kernels.subtree import Subtree
from ..runtime.arguments import UNLIMITED, check_choice
from ..runtime.choices import METHODS, Method
from ..runtime.job import Counters, Work
from ..runtime.resources import memory_limit
from ..runtime.tables import Table
from ..runtime.text import format_count, plural
from ..search.prepared import PreparedProblem
from ..search.progress import Progress
from ..search.race import COUNT_UPDATES
from ..search.resumable import Computation
from ..search.thread_runner import choose_workers
from .prepare import Settings
from .product import multiply

if TYPE_CHECKING:
    from .component_counter import ComponentCounter


class Statistics(Counters, Table):
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
        What found the last solution, or the proof that there is none: "search"; for `first` and for
        solutions in any order, also "restarts", "symmetry", "consistency", "prices", "memo" or
        "sat"; for `count`, also "memo" or "planar"; for `cheapest`, also "highs"; or "distinct" or
        "orbits".
    levels : list of int or None
        The number of nodes of each level, if the search is literal.

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
    levels: list[int] | None = None

    def _columns(self) -> dict[str, Any]:
        return {name: [value] for name, value in self._asdict().items()}

    def __repr__(self) -> str:
        facts = (f"{name}={format_count(n, '')}" for name, n in self._asdict().items())
        return f"Statistics({', '.join(facts)})"

    def _repr_html_(self) -> str:
        from ..pictures.html import facts  # only notebooks need HTML

        return facts((name, format_count(n)) for name, n in self._asdict().items())


class _Thread(threading.local):
    """Has a `key` for each thread, as a later thread may have the number of one that has ended."""

    def __init__(self) -> None:
        self.key = object()


_thread = _Thread()


class ThreadStatistics:
    """The work of the last call in each thread, for `ExactCover.statistics`.

    Copies and pickles contain none.
    """

    __slots__ = ("_works",)

    def __init__(self) -> None:
        self._works: dict[int, tuple[object, Sequence[int]]] = {}  # by the number of the thread

    @property
    def value(self) -> Statistics:
        """The work; counters that were set become `Statistics` here."""
        key, work = self._works.get(threading.get_ident(), (None, ()))
        if key is not _thread.key:
            return Statistics(0, 0, 0)
        if not isinstance(work, Statistics):
            self.value = work = Statistics(*work)
        return work

    @value.setter
    def value(self, work: Sequence[int]) -> None:
        self._works[threading.get_ident()] = _thread.key, work

    def __reduce__(self) -> tuple[Any, ...]:
        return ThreadStatistics, ()


class CoverCounter(Computation):
    """A resumable count of the covers of a problem, created by `ExactCover.counter`.

    One thread at a time can run a counter; its other methods and its properties may be used from
    any thread. An exception that interrupts a run loses nothing: the next run continues.

    Parameters
    ----------
    spec : PreparedProblem
        The problem.
    method : str
        As for `ExactCover.count`.
    settings : Settings
        The threads or the executor, and the memory.
    limit : int, optional
        The largest number of covers of each component to count, and the result if it is larger.
    begun : Subtree, optional
        The tree of the only component after the beginning of its search.
    folder : path-like, optional
        As for `ExactCover.count`.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> counter = ExactCover([["a"], ["a"], ["b"]]).counter()
    >>> counter.run(), counter.result
    (True, 2)
    """

    def __init__(
        self,
        spec: PreparedProblem,
        method: Method,
        settings: Settings,
        limit: int = UNLIMITED,
        begun: Subtree | None = None,
        folder: str | os.PathLike[str] | None = None,
    ) -> None:
        check_choice("method", method, METHODS)
        memory = settings.memory
        executor = settings.executor
        if folder is not None and (method != "memo" or executor is not None):
            raise ValueError("a folder needs the method 'memo', and no executor")
        super().__init__("counter")
        if method == "memo":
            spec.reject_literal("count with a memo")
            memory = memory_limit(memory)  # ask the system once, not for each component
        self._spec = spec
        self._limit = limit
        workers = choose_workers(settings.threads, executor, spec)
        self._arguments = method, memory, workers, limit  # of each `ComponentCounter`
        # There may be thousands of components: each is started when its turn comes, and only the
        # results are kept of those that are done.
        self._counts = list[int]()
        self._past = (0, 0)  # the nodes and updates of the components that are done
        self._methods: set[str] = set()  # of the components that are done
        self._is_zero = limit == 0  # or a component has no cover: then nothing else matters
        # The components that are not done, and the work until which each of them has its next turn
        self._open: dict[ComponentCounter, float] = {}
        self.folder = None if folder is None else os.path.abspath(folder)
        self._newest = self._start_next(begun)

    @property
    def done(self) -> bool:
        """Whether the covers have been counted."""
        return self._is_zero or len(self._counts) == len(self._spec.components)

    @property
    def result(self) -> int:
        """The number of covers; before the end, the largest number found so far."""
        with self._use.data_lock:
            counts = self._counts.copy()
            components = [*self._open]
        if self._is_zero or len(counts) + len(components) < len(self._spec.components):
            return 0
        counts += (component.count for component in components)
        n_covers = multiply(counts)
        return n_covers if self._limit == UNLIMITED else min(n_covers, self._limit)

    @property
    def method(self) -> str:
        """The method that produced the result, or is preferred so far.

        It is "memo" if a memo counts any of the independent components of the problem, "planar" if
        determinants count one, and otherwise "search".
        """
        with self._use.data_lock:
            methods = self._methods.union(component.method for component in self._open)
        return next((method for method in ("memo", "planar") if method in methods), "search")

    @property
    def technique(self) -> str:
        """The method of the next step: "search", "memo", "planar", or "isomorphism classes"."""
        return self._current.technique

    def counters(self) -> Counters:
        """Return the number of covers and the work: nodes and updates, as in `Statistics`.

        With a memo, the nodes are the distinct subproblems, and the updates are the lookups; with
        determinants, the pivots, and the changes of entries.

        Returns
        -------
        tuple of int
            The fields `solutions`, `nodes` and `updates`.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> counter = ExactCover([["a"], ["a"], ["b"], ["b"]]).counter("memo")
        >>> counter.run(), counter.counters()
        (True, Counters(solutions=4, nodes=2, updates=2))
        """
        with self._use.data_lock:
            work = [self._past, *(component.counters()[1:] for component in self._open)]
        nodes, updates = map(sum, zip(*work, strict=True))
        return Counters(self.result, nodes, updates)

    @property
    def levels(self) -> list[int] | None:
        """The number of nodes of each level, if a literal search counts."""
        return self._current.search.levels

    @property
    def _order(self) -> str:
        """The rule by which the memo chooses items, see `ExactCover.diagram`; "" without a memo."""
        memo = self._current.memo
        return "" if memo is None else memo.order

    @property
    def _fraction(self) -> float:
        """The explored fraction, assuming that all branches of a node are equally large."""
        with self._use.data_lock:
            fractions = [len(self._counts), *(component.fraction for component in self._open)]
        return math.fsum(fractions) / len(self._spec.components)

    @property
    def progress(self) -> Progress:
        """The progress of the count; the fraction is None unless a search counts."""
        fraction = self._fraction if self.technique == "search" else None
        text = str(self)
        # A progress writes its fraction itself, so that of the current component is left out.
        _, separator, after = text.partition(" % explored, ")
        if fraction is not None and separator:
            text = after
        return Progress(fraction, text, *self.counters(), self.clock.seconds)

    @property
    def _current(self) -> ComponentCounter:
        """The first component that is not done, or the last one."""
        with self._use.data_lock:
            return next(iter(self._open), self._newest)

    def __repr__(self) -> str:
        if self.done:
            return f"<CoverCounter: {plural(self.result, 'cover')}>"
        return f"<CoverCounter: {self}>"

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        current = str(self._current)
        n_components = len(self._spec.components)
        if n_components == 1:
            return current
        return f"{len(self._counts):,} of {n_components:,} components, the next one: {current}"

    def leave_folder(self) -> None:
        """Let other counters use the folder."""
        for component in self._open:
            component.leave_folder()

    def step(self, work: Work) -> None:
        """Run the component whose turn it is.

        First, each component seeks a cover, with more work in each round: one that has none makes
        all others superfluous. The next component is started when all that are open have had a
        turn. One that has a cover is counted to its end after all others that seek theirs.
        """
        is_started = len(self._counts) + len(self._open) == len(self._spec.components)
        if not is_started and min(self._open.values(), default=math.inf) > COUNT_UPDATES:
            self._newest = self._start_next()
        component = min(self._open, key=self._open.__getitem__)
        until = self._open[component]
        component.advance(work.up_to(until))
        if component.done:
            self._finish(component)
        elif not work.stop():
            self._open[component] = math.inf if component.count else 2 * until

    def _start_next(self, begun: Subtree | None = None) -> ComponentCounter:
        """Start the count of the next component, whose search may have begun."""
        from .component_counter import ComponentCounter  # slow

        number = len(self._counts) + len(self._open)
        folder = None if self.folder is None else os.path.join(self.folder, f"{number}")
        spec = self._spec.components[number]
        component = ComponentCounter(spec, *self._arguments, begun=begun, folder=folder)
        with self._use.data_lock:
            self._open[component] = COUNT_UPDATES
        return component

    def _finish(self, component: ComponentCounter) -> None:
        """Keep the results of a component only."""
        component.leave_folder()
        count, nodes, updates = component.counters()
        with self._use.data_lock:
            self._counts.append(count)
            past_nodes, past_updates = self._past
            self._past = past_nodes + nodes, past_updates + updates
            self._methods.add(component.method)
            self._is_zero |= not count
            del self._open[component]
