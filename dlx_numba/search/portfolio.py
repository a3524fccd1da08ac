"""Find a few covers soon, in any order, by several methods that take turns until one succeeds.

A search in one order may take hours although covers are easy to find elsewhere. So it alternates
with restarts, with searches without symmetries and with consistent colors, with one that is guided
by prices of the items, and with a memo. The search is never given up, so there is always an answer.
Turns depend on the work, not on the time, so the same method finds the same cover for any number of
threads.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, count, islice, pairwise, product
from typing import Literal, NamedTuple, get_args

import numpy as np

from ..kernels.algorithms import linked_class
from ..kernels.dlx.branching import Branching, BranchingRule
from ..kernels.dlx.linked_subtree import LinkedSubtree
from ..kernels.dlx.restarts import restart, shuffle_options
from ..kernels.dlx.supports import MAX_ROWS, count_support_rows
from ..kernels.memo.explore import TRUE
from ..kernels.memo.search import MemoryLimitError
from ..kernels.problem import select_options
from ..kernels.subtree import Counters, Subtree
from ..kernels.symmetry.breaking import break_symmetries
from ..runtime.batches import POLL_SECONDS, WorkerThreads
from ..runtime.interrupts import ResultT, Steps, Stop
from ..runtime.resources import default_threads
from ..runtime.text import plural
from ..runtime.workers import call_in_thread
from .branch_and_bound import ComponentOptimizer
from .level_diagram import diagram_memo
from .node_search import LARGE
from .prepared import PreparedProblem
from .sat import SatProcess, has_sat
from .search import Search
from .subproblems import preparation_work
from .unshared import run_unshared

# The search is alone for FIRST_UPDATES, which suffice for most problems. Then, in each round, each
# method does SLICE_UPDATES of work, except that it pauses while it is ahead. The budgets of
# restarts are multiples of a slice, by Luby's sequence.
FIRST_UPDATES = 1 << 21
SLICE_UPDATES = 1 << 18
RESTART_UPDATES = 4  # the work of a restart itself, for each node of the problem
SHORT_STEPS = 8  # pauses of an examination in a turn of "prices"; 1 if a problem has LARGE nodes
MAX_COST = 99  # of the random costs, without which prices would not guide a search
# With multiplicities, prices are better than a search, so they begin earlier, and get eight times
# as much work.
BOUNDED_BITS = 3
MEMO_BYTES = 1 << 28
# Symmetries are sought when the other methods have done SYMMETRY_DELAY of work, unless the problem
# has so many nodes that it takes long. A search without symmetries gets four times as much work.
SYMMETRY_DELAY = 1 << 20
SYMMETRY_BITS = 2
MAX_SYMMETRY_NODES = 1 << 16
SYMMETRY_UPDATES = 8  # the work of a step that breaks symmetries, for each node of the problem
CONSISTENCY_BITS = 2  # a search with consistent colors also gets four times as much work
# In the order in which the covers of a round are taken; `Statistics.method` has these names.
METHODS = ("search", "restarts", "symmetry", "consistency", "prices", "memo")
Engine = Literal["auto", "own", "sat", "both"]
ENGINES: tuple[Engine, ...] = get_args(Engine)


class Slice(NamedTuple):
    """The outcome of some work, measured in updates of a search with links."""

    covers: Sequence[list[int]]
    work: int
    is_complete: bool = False  # whether there are no other covers than those of all slices
    counters: Counters | int = 0  # 0 for the method "search": `Search` has its own


# Of one method; it ends when the method cannot find more covers
Slices = Generator[Slice, None, None]


def methods_of(engine: Engine, n_threads: int | None = None) -> tuple[str, ...]:
    """Return the methods of an engine: "auto" is "both" if CaDiCaL is installed, and may run."""
    if engine == "auto":
        engine = "both" if has_sat() and n_threads != 1 else "own"
    own = METHODS if engine != "sat" else ()
    return own if engine == "own" else (*own, "sat")


def luby(k: int) -> int:
    """Return the k-th number, from 1, of the sequence 1, 1, 2, 1, 1, 2, 4, 1, …

    Examples
    --------
    >>> list(map(luby, range(1, 16)))
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    while k & (k + 1):
        k -= (1 << k.bit_length() - 1) - 1
    return (k + 1) >> 1


def bits_of_prices(spec: PreparedProblem) -> int:
    """Return the binary logarithm of the factor by which prices get more work."""
    return 0 if spec.problem.low is None else BOUNDED_BITS


def updates_alone(spec: PreparedProblem) -> int:
    """Return the updates of the search before other methods begin."""
    return FIRST_UPDATES >> bits_of_prices(spec)


def _take_steps(steps: Steps[ResultT], n_steps: int) -> Generator[Slice, None, ResultT]:
    """Take steps that find no covers, some in each turn, and return their result."""
    while True:
        try:
            for _ in range(n_steps):
                next(steps)
        except StopIteration as end:
            result: ResultT = end.value
            return result
        yield Slice([], SLICE_UPDATES)


class ComponentPortfolio:
    """The search for covers of one component of a problem by all methods.

    Parameters
    ----------
    search : Search
        The search of the component, which may have begun.
    found : list of list of int
        The covers that it has found.
    stop : Stop
    methods : sequence of str
        Some of METHODS and "sat"; tests run each of them alone.

    Attributes
    ----------
    covers : dict
        The covers found so far, as tuples, in the order of their discovery.
    is_complete : bool
        Whether there are no others.
    method : str
        The method that found the last cover, or the proof that there is none.
    """

    def __init__(
        self, search: Search, found: list[list[int]], stop: Stop, methods: Sequence[str]
    ) -> None:
        spec = search._spec
        self._search = search
        self._spec = spec
        self._stop = stop
        self._wanted = 1
        self._budget = 0
        self._seed = abs(spec.rule.seed) if spec.rule.branching == Branching.RANDOM else 0
        self._bits = bits_of_prices(spec)
        self._past: Counters = np.zeros(3, np.int64)  # of the other methods
        self._slices: dict[str, Slices] = {
            method: getattr(self, f"_run_{method}")() for method in methods
        }
        self._work = dict.fromkeys(methods, 0)
        self.covers: dict[tuple[int, ...], None] = dict.fromkeys(map(tuple, found))
        self.is_complete = False
        self.method = "search"

    def counters(self) -> tuple[int, int]:
        """Return the numbers of nodes and updates so far."""
        _, nodes, updates = (self._search.counters() + self._past).tolist()
        return nodes, updates

    def close(self) -> None:
        """End the process of CaDiCaL, if there is one."""
        if "sat" in self._slices:
            with suppress(ValueError):  # another thread is in its turn, and drops it afterward
                self._slices.pop("sat").close()

    @property
    def is_impossible(self) -> bool:
        """Whether it is proven that there is no cover."""
        return self.is_complete and not self.covers

    def advance(self, wanted: int, workers: WorkerThreads | None = None) -> None:
        """Give the first method a turn to find covers, or each method if there are workers."""
        self._wanted = wanted
        turns = [method for method in self._slices if self._work[method] <= self._budget]
        outcomes: dict[str, Slice | None] = {}

        def work(turn: int) -> None:
            for known in filter(None, map(outcomes.get, turns[:turn])):
                covers = {*self.covers, *map(tuple, known.covers)}
                if known.is_complete or len(covers) >= self._wanted:  # this turn is not needed
                    return
            outcomes[turns[turn]] = next(self._slices[turns[turn]], None)

        if workers is None:
            work(0)
        else:
            workers.run_parts(work, range(len(turns)))
            self._budget += SLICE_UPDATES
        for method in turns:
            if method not in outcomes or self.is_complete or len(self.covers) >= wanted:
                return
            outcome = outcomes[method]
            if outcome is None:
                del self._slices[method]
                continue
            self._work[method] += outcome.work
            self._past = self._past + outcome.counters
            n_known = len(self.covers)
            self.covers.update(dict.fromkeys(map(tuple, outcome.covers)))
            self.is_complete = outcome.is_complete
            if len(self.covers) > n_known or self.is_impossible:
                self.method = method

    def _run_search(self) -> Slices:
        work = 0
        limit = updates_alone(self._spec)
        while True:
            n_found, _, n_updates = self._search.counters()
            # The limits are absolute, as a run may exceed its own.
            wanted = max(1, self._wanted - n_found)
            updates = max(0, limit - n_updates)
            covers, _, _ = run_unshared(
                self._search, self._stop, wanted, collects=True, updates=updates
            )
            yield Slice(covers, work, self._search.done)
            work = SLICE_UPDATES
            limit += SLICE_UPDATES

    def _run_restarts(self) -> Slices:
        problem = self._spec.problem
        rule = BranchingRule(Branching.WEIGHTED, seed=self._seed)
        subtree = linked_class(problem, rule).start(problem, rule)
        assert isinstance(subtree, LinkedSubtree)
        overhead = RESTART_UPDATES * len(problem.items)
        n_chunks = 1 + len(problem.items) // LARGE
        bounds = [1 + problem.n_items * k // n_chunks for k in range(n_chunks + 1)]
        for k in count(1):
            restart(*subtree.path_groups)
            for begin, end in pairwise(bounds):
                if n_chunks > 1:
                    yield Slice([], 0)
                shuffle_options(subtree.links, subtree.groups[-1], begin, end)
            budget = luby(k) * max(SLICE_UPDATES, overhead)
            yield from self._explore(self._spec, subtree, budget, overhead)

    def _explore(
        self,
        spec: PreparedProblem,
        subtree: Subtree,
        budget: float = math.inf,
        work: int = 0,
        bits: int = 0,
    ) -> Slices:
        """Explore a tree up to a budget of updates, `2 ** bits` times as many in each turn."""
        while budget > 0 and not subtree.is_done:
            before = subtree.counters
            updates = int(min(budget, SLICE_UPDATES << bits))
            n_found, n_used = subtree.explore(updates, self._wanted, spec.translation)
            covers = subtree.found.take(n_found)
            # Choices of items are no updates, but part of the budget.
            used = n_used if n_found else updates
            work += used >> bits
            yield Slice(covers, work, subtree.is_done, subtree.counters - before)
            work = 0
            budget -= used

    def _run_symmetry(self) -> Slices:
        """Search options that suffice for a first cover, with weights.

        They need not suffice for other covers, so the search proves something only if it ends
        without a cover: that there is none.
        """
        spec = self._spec
        has_covers = False
        n_nodes = len(spec.problem.items)
        if spec.problem.total_low is not None or not 0 < n_nodes <= MAX_SYMMETRY_NODES:
            return
        yield Slice([], SYMMETRY_DELAY)
        n_steps = -(-SLICE_UPDATES // (SYMMETRY_UPDATES * n_nodes))
        options = yield from _take_steps(break_symmetries(spec.problem), n_steps)
        if len(options) == spec.problem.n_options:
            return
        problem = select_options(spec.problem, options)
        rule = BranchingRule(Branching.WEIGHTED)
        spec = PreparedProblem(problem, spec.numbers[options], spec.given, rule)
        for outcome in self._explore(spec, spec.start(), bits=SYMMETRY_BITS):
            has_covers |= bool(outcome.covers)
            yield outcome._replace(is_complete=outcome.is_complete and not has_covers)

    def _run_consistency(self) -> Slices:
        """Search with consistent colors."""
        spec = self._spec
        # The links and the supports are built without a pause: 0.1 seconds.
        if spec.rule.is_consistent or not 0 < count_support_rows(spec.problem) <= MAX_ROWS // 2:
            return
        spec = replace(spec, rule=BranchingRule(is_consistent=True), algorithm="links")
        try:
            tree = spec.start()
        except ValueError:  # there are too many colors
            return
        yield from self._explore(spec, tree, bits=CONSISTENCY_BITS)

    def _run_prices(self) -> Slices:
        problem = self._spec.problem
        used = problem.usable_options()
        rng = np.random.default_rng(self._seed)
        costs = rng.integers(0, MAX_COST + 1, len(used))
        problem = select_options(problem, used)._replace(cost=costs)
        optimizer = ComponentOptimizer(problem, used, self._wanted)
        wanted = self._wanted
        n_steps = 1 if len(problem.items) >= LARGE else SHORT_STEPS
        while optimizer.is_open:
            node = optimizer.pop()
            outcome = yield from _take_steps(optimizer.examine(node), n_steps)
            optimizer.merge(node, outcome)
            covers = [self._spec.solution(list(cover)) for _, cover in optimizer.result.covers]
            work = (outcome.n_visits + int(np.sum(outcome.counters))) >> self._bits
            is_complete = not optimizer.is_open and len(covers) < wanted
            yield Slice(covers, work, is_complete, outcome.counters)

    def _run_memo(self) -> Slices:
        problem = self._spec.problem
        yield Slice([], preparation_work(problem, True))
        try:
            memo = diagram_memo(problem, MEMO_BYTES)
            while not memo.is_done:
                before = memo.work
                memo.run(self._stop, before + SLICE_UPDATES)
                yield Slice([], memo.work - before)
        except (MemoryLimitError, ValueError):
            return  # too large
        node = memo.best.value
        options: list[int] = []
        edges = memo.best.edges
        while edges is not None and node > TRUE:
            options.append(int(memo.best.option_numbers[edges.option[edges.start[node]]]))
            node = int(edges.child[edges.start[node]])
        is_possible = node == TRUE
        yield Slice([self._spec.solution(options)] if is_possible else [], 0, not is_possible)

    def _run_sat(self) -> Slices:
        """Wait for the covers of CaDiCaL, which begins after the first turn of the search."""
        spec = self._spec
        covers: list[list[int]] = []
        is_alone = list(self._slices) == ["sat"]
        if is_alone:
            spec.problem.reject_totals("the engine 'sat'")
        elif spec.problem.total_low is not None:
            return
        while len(covers) < (wanted := self._wanted):  # more may be wanted later
            with SatProcess(spec.problem, wanted) as process:
                while not process.wait(POLL_SECONDS if len(self._slices) == 1 else 0):
                    yield Slice([], SLICE_UPDATES)
            if process.covers is None:
                process.report_failure(is_alone)
                return
            covers = [*map(spec.solution, process.covers)]
            yield Slice(covers, 0, len(covers) < wanted)


class CoverPortfolio:
    """The search for up to `wanted` covers of a problem, in any order.

    Parameters
    ----------
    components : sequence of PreparedProblem
        The independent components, each of which has a portfolio.
    wanted : int
    stop : Stop
    methods : sequence of str
        As for `ComponentPortfolio`.
    begun : Search, optional
        The search of the only component.
    found : list of list of int
        The covers that it has found.
    """

    def __init__(
        self,
        components: Sequence[PreparedProblem],
        wanted: int,
        stop: Stop,
        methods: Sequence[str] = METHODS,
        begun: Search | None = None,
        found: Sequence[list[int]] = (),
    ) -> None:
        self._specs = components
        self._wanted = wanted
        self._stop = stop
        self._methods = methods
        self._components: list[ComponentPortfolio] = []  # those that have been needed
        self._begun = begun
        self._found = [*found]

    @property
    def is_complete(self) -> bool:
        """Whether all covers are known, or as many as are wanted."""
        if any(each.is_impossible for each in self._components):
            return True
        if len(self._components) < len(self._specs):
            return False
        n_covers = math.prod(len(each.covers) for each in self._components)
        return n_covers >= self._wanted or all(each.is_complete for each in self._components)

    @property
    def method(self) -> str:
        """The method that found the last cover of a component, unless that was the search."""
        methods = dict.fromkeys(component.method for component in self._components)
        return next((method for method in methods if method != "search"), "search")

    def counters(self) -> tuple[int, int]:
        """Return the numbers of nodes and updates so far."""
        work = [(0, 0), *(each.counters() for each in self._components.copy())]
        nodes, updates = map(sum, zip(*work, strict=True))
        return nodes, updates

    def covers(self) -> list[list[int]]:
        """Return the covers found so far, up to `wanted`."""
        if len(self._components) < len(self._specs):
            return []
        combinations = product(*(component.covers for component in self._components))
        return [sorted(chain(*covers)) for covers in islice(combinations, self._wanted)]

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        n_solved = sum(map(bool, (component.covers for component in self._components)))
        return (
            f"{n_solved:,} of {plural(len(self._specs), 'component')} have a cover, "
            f"{plural(self.counters()[1], 'update')}"
        )

    def find(self, n_threads: int | None, max_rounds: int | None = None) -> None:
        """Find the covers, with a number of threads, None for that of the processors.

        Unless `max_rounds` is None, the call gives up after this number of turns of all methods.
        """
        try:
            for spec in self._specs:
                search = self._begun or Search(spec)
                component = ComponentPortfolio(search, self._found, self._stop, self._methods)
                self._components.append(component)
                component.advance(self._wanted if len(self._specs) == 1 else 1)
                if component.is_impossible or self._stop():
                    break
            if not (self.is_complete or self._stop()):
                n_workers = n_threads or default_threads()
                if "sat" in self._methods and self._specs[0].problem.total_low is None:
                    n_workers = max(1, n_workers - 1)  # CaDiCaL has a processor of its own
                call_in_thread(lambda: self._find_in_turns(n_workers, max_rounds))
        except BaseException:
            self._stop.cancel()
            raise
        finally:
            for component in self._components:
                component.close()

    def _find_in_turns(self, n_threads: int, max_rounds: int | None) -> None:
        """Find the covers by all methods: one of each component, then more of the first."""
        rounds = count() if max_rounds is None else range(max_rounds)
        with WorkerThreads(n_threads, self._stop) as workers:
            for _ in rounds:
                if self.is_complete or self._stop():
                    break
                unsolved = [each for each in self._components if not each.covers]
                incomplete = [each for each in self._components if not each.is_complete]
                for component in unsolved or incomplete[:1]:
                    n_others = math.prod(
                        len(other.covers) for other in self._components if other is not component
                    )
                    component.advance(-(-self._wanted // n_others) if n_others else 1, workers)
                    if component.is_impossible or self._stop():
                        break
