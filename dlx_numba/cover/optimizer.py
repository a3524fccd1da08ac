"""Find the cheapest covers: a resumable branch and bound with bounds from both sides."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.components import split_problem
from ..kernels.problem import select_options
from ..kernels.state import UNLIMITED
from ..runtime.arguments import check_integer
from ..runtime.batches import WorkerThreads
from ..runtime.exclusive import Computation
from ..runtime.interrupts import Stop
from ..search.branch_and_bound import Component
from ..search.checkpoint import Saveable
from ..search.node_search import Cover, Node, Outcome
from ..search.search import choose_threads
from ..search.spec import ExactCoverSpec
from ..search.thread_runner import count_processors

# Nodes that are examined without knowing the results of each other, in any number of threads. Their
# number grows with the work so far.
MAX_BATCH, BATCH_SHARE = 32, 4
NO_OPTIONS = np.zeros(0, np.int64)


class CheapestCovers(list[tuple[int, list[int]]]):
    """The cheapest covers found: pairs of a cost and sorted option numbers, in ascending order.

    Parameters
    ----------
    covers : iterable of (int, list of int)
        The pairs.
    bound : int or None
        No cover that is not in the list costs less. If all covers are in the list, it is the
        highest cost. None if there is no cover, or no bound is known yet.
    done : bool
        Whether these are proven to be the cheapest covers. An empty list then means that there is
        no cover.
    k : int
        The number of covers that were requested.

    Attributes
    ----------
    bound, done, k
        The parameters.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> covers = ExactCover([["a"], ["a"], ["b"]], costs=[3, 2, 2]).cheapest()
    >>> covers, covers.bound, covers.gap, covers.done
    ([(4, [1, 2])], 4, 0.0, True)
    """

    def __init__(
        self,
        covers: Iterable[tuple[int, list[int]]] = (),
        bound: int | None = None,
        done: bool = False,
        k: int = 1,
    ) -> None:
        super().__init__(covers)
        self.bound, self.done, self.k = bound, done, k

    @property
    def gap(self) -> float | None:
        """The fraction of the cost that might be saved; None if unknown, or `k` is not 1."""
        if self.k != 1 or not self or self.bound is None:
            return None
        cost = self[0][0]
        return (cost - self.bound) / cost if cost else 0.0


class _Task:
    """A node to examine, and the outcome."""

    def __init__(self, component: Component, node: Node) -> None:
        self.component, self.node = component, node
        self.outcome: Outcome | None = None

    def run(self, stop: Stop) -> None:
        self.outcome = self.component.examine(self.node, stop)


class _State(NamedTuple):
    """The state that other threads see."""

    covers: list[Cover]
    outside: int | None  # no other cover costs less
    lowest: int | None  # no cover costs less
    done: bool


class CoverOptimizer(Saveable, Computation):
    """A resumable search for the cheapest covers, created by `ExactCover.optimizer`.

    One thread at a time can run an optimizer; its other methods and its properties may be used from
    any thread. An exception that interrupts a run loses nothing: the next run continues. The number
    of threads does not affect the result of a search that is done.

    Parameters
    ----------
    spec : ExactCoverSpec
        The problem.
    k : int
        The number of covers to find.
    base_cost : int
        The cost of the given options.
    threads : int or None
        As for `ExactCover.optimizer`.

    Raises
    ------
    ValueError
        If `k` or `threads` is less than 1, or the algorithm is neither "auto" nor "links".

    Attributes
    ----------
    seconds : float
        The time spent in runs.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> optimizer = ExactCover([["a"], ["a"], ["b"]], costs=[3, 2, 2]).optimizer()
    >>> optimizer.run(seconds=10), optimizer.best, optimizer.bound
    (True, [(4, [1, 2])], 4)
    """

    kind, version = b"dlx_numba optimizer", 1

    def __init__(
        self, spec: ExactCoverSpec, k: int = 1, base_cost: int = 0, threads: int | None = None
    ) -> None:
        super().__init__("optimizer")
        if check_integer(k, "k") < 1:
            raise ValueError(f"k must be 1 or more, not {k}")
        self.spec = spec._replace(algorithm="links")
        self._k, self._base_cost = min(int(k), UNLIMITED), base_cost
        self._n_threads = None if threads is None else choose_threads(threads, spec)
        self._components: list[tuple[Component, np.ndarray[Any, Any]]] | None = None
        self._batch: list[_Task] = []
        self._now = _State([], None, None, False)
        self.seconds = 0.0

    @property
    def done(self) -> bool:
        """Whether the cheapest covers are known."""
        return self._now.done

    @property
    def best(self) -> CheapestCovers:
        """The cheapest covers found so far, as a new list."""
        now = self._now
        covers = sorted((cost, self.spec.solution(list(cover))) for cost, cover in now.covers)
        return CheapestCovers(covers, now.outside, now.done, self._k)

    @property
    def bound(self) -> int | None:
        """No cover costs less; None if there is no cover, or no bound is known yet."""
        return self._now.lowest

    @property
    def gap(self) -> float | None:
        """The gap between the cost and the bound: see `CheapestCovers`."""
        return self.best.gap

    @property
    def seed(self) -> int:
        """The seed of the order of the options, if it is random."""
        return self.spec.rule.seed

    def __str__(self) -> str:
        """Return the lowest cost found, the bound, and the time of the runs."""
        covers, _, lowest, done = self._now
        cost = f"cost {covers[0][0]:,}" if covers else "no cover" if done else "no cover yet"
        bound = [] if lowest is None else [f"bound {lowest:,}"]
        seconds = f"{self.seconds:.0f} s" if self.seconds >= 10 else f"{self.seconds:.1f} s"
        return ", ".join([cost, *bound, seconds])

    def __repr__(self) -> str:
        return f"<CoverOptimizer: {'done, ' * self.done}{self}>"

    def counters(self) -> tuple[int, int, int]:
        """Return the numbers of covers, nodes and updates so far, as in `Statistics`.

        Returns
        -------
        n_covers, nodes, updates : int
        """
        total = np.zeros(3, np.int64)
        for component, _ in self._components or ():
            total = total + component.counters
        _, nodes, updates = total.tolist()
        return len(self._now.covers), nodes, updates

    def advance(self, stop: Stop) -> None:
        """Run as `run` does, without protection from exceptions and other threads."""
        before, start = self.seconds, time.perf_counter()
        with WorkerThreads(self._n_threads or count_processors(), stop) as workers:
            try:
                if self._components is None and not stop():
                    self._start()
                while not (self.done or stop()):
                    self._batch = self._batch or self._next_batch()
                    tasks = [task for task in self._batch if task.outcome is None]
                    workers.run_parts(lambda task: task.run(stop), tasks)
                    if all(task.outcome is not None for task in self._batch):
                        self._merge()
                    self.seconds = before + time.perf_counter() - start
            finally:
                self.seconds = before + time.perf_counter() - start

    def _start(self) -> None:
        """Split the problem into independent components."""
        problem = self.spec.problem
        is_primary = problem.items < problem.n_primary
        sizes = np.bincount(problem.option_of_node()[is_primary], minlength=problem.n_options)
        used = np.flatnonzero(sizes)  # no cover contains an option without primary items
        parts = split_problem(select_options(problem, used))
        self._components = [(Component(part, self._k), used[numbers]) for part, numbers, _ in parts]
        self._update()

    def _next_batch(self) -> list[_Task]:
        """Return nodes to examine: of each component that is not done, if there are many."""
        assert self._components is not None
        components = [each for each, _ in self._components if not each.is_done]
        components.sort(key=lambda each: each.n_examined)
        n_wanted = max(len(components), sum(each.n_examined for each in components) // BATCH_SHARE)
        n_wanted = min(n_wanted, MAX_BATCH)
        batch = list[_Task]()
        while components and len(batch) < n_wanted:
            batch += [_Task(each, each.pop()) for each in components[: n_wanted - len(batch)]]
            components = [each for each in components if not each.is_done]
        return batch

    def _merge(self) -> None:
        """Add the outcomes of the batch, in its order."""
        batch, is_better = self._batch, False
        for task in batch:
            assert task.outcome is not None
            is_better |= task.component.merge(task.node, task.outcome)
        self._batch = []
        self._update(is_better)

    def _update(self, is_better: bool = True) -> None:
        """Combine the covers and the bounds of all components."""
        assert self._components is not None
        components = [component for component, _ in self._components]
        if any(each.is_done and not each.best.covers for each in components):
            self._now = _State([], None, None, True)
            return
        covers = self._now.covers
        if is_better and all(each.best.covers for each in components):
            lists = [
                [(cost * each.unit, options) for cost, options in each.best.covers]
                for each in components
            ]
            covers = [
                (self._base_cost + cost, self._union(parts))
                for cost, parts in _cheapest_unions(self._k, lists)
            ]
        lows, others = [], []
        for each in components:
            bound = each.bound
            known = [each.best.covers[0][0]] if each.best.covers else []
            lows.append(min([*known, *([] if bound is None else [bound])]) * each.unit)
            if bound is not None:
                others.append(bound * each.unit - lows[-1])
        total = self._base_cost + sum(lows)
        outside = [total + min(others)] if others else []
        if covers and (len(covers) == self._k or not others):
            outside.append(covers[-1][0])
        done = all(each.is_done for each in components)
        self._now = _State(covers, min(outside), min(total, *outside), done)

    def _union(self, parts: list[Cover]) -> tuple[int, ...]:
        """Return the options of the covers of all components."""
        assert self._components is not None
        chosen = [
            numbers[list(options)]
            for (_, numbers), (_, options) in zip(self._components, parts, strict=True)
        ]
        return tuple(np.concatenate([NO_OPTIONS, *chosen]).tolist())

    def _content(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        spec_facts, arrays = self.spec.content()
        components = None
        if self._components is not None:
            components = [
                each.content([task.node for task in self._batch if task.component is each])
                for each, _ in self._components
            ]
        facts = {
            "problem": spec_facts,
            "k": self._k,
            "base_cost": self._base_cost,
            "seconds": self.seconds,
            "components": components,
        }
        return facts, arrays

    @classmethod
    def _from_content(
        cls, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> CoverOptimizer:
        spec = ExactCoverSpec.from_content(facts["problem"], arrays)
        loaded = cls(spec, facts["k"], check_integer(facts["base_cost"], "base_cost"))
        loaded.seconds = float(facts["seconds"])
        contents = facts["components"]
        if contents is not None:
            loaded._start()
            for (component, _), content in zip(loaded._components or (), contents, strict=True):
                component.restore(content)
            if loaded._components:
                loaded._update()
        return loaded

    def _hand_over(self, loaded: CoverOptimizer) -> str:
        is_same = (loaded._k, loaded._base_cost) == (self._k, self._base_cost)
        if not is_same or loaded.spec.fingerprint() != self.spec.fingerprint():
            return "an optimizer of another problem, or for another number of covers"
        loaded._n_threads = self._n_threads
        return ""


def _cheapest_unions(k: int, lists: Iterable[list[Cover]]) -> list[tuple[int, list[Cover]]]:
    """Return the costs and the parts of the `k` cheapest unions of a cover from each list.

    The lists are in the order of costs.
    """
    unions: list[tuple[int, Any]] = [(0, None)]  # each with the union that it extends, and a cover
    for covers in lists:
        # The pair of the n-th union and the m-th cover is one of the k cheapest only if n * m <= k
        pairs = [
            (union[0] + cover[0], (union, cover))
            for n, union in enumerate(unions, 1)
            for cover in covers[: k // n]
        ]
        unions = sorted(pairs, key=itemgetter(0))[:k]
    return [(cost, list(_parts(link))[::-1]) for cost, link in unions]


def _parts(link: Any) -> Iterator[Cover]:
    """Yield the covers of a union, the last one first."""
    while link is not None:
        (_, link), cover = link
        yield cover
