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

import numpy as np

from ..kernels.algorithms import linked_class
from ..kernels.cover_array import CoverArray, as_array
from ..kernels.dlx.branching import Branching, BranchingRule
from ..kernels.dlx.linked_subtree import LinkedSubtree
from ..kernels.dlx.restarts import restart, shuffle_options
from ..kernels.dlx.supports import MAX_ROWS, count_support_rows
from ..kernels.memo.explore import TRUE
from ..kernels.memo.search import MemoryLimitError
from ..kernels.problem import select_options
from ..kernels.subtree import Subtree
from ..kernels.symmetry.breaking import break_symmetries
from ..runtime.batches import POLL_SECONDS
from ..runtime.choices import FirstEngine
from ..runtime.interrupts import ResultT, Steps, Stop
from ..runtime.job import Counters, Work, run
from ..runtime.text import plural
from .branch_and_bound import ComponentOptimizer
from .exploration import Exploration
from .finder import CoverFinder, n_wanted
from .level_diagram import diagram_memo
from .node_search import LARGE
from .prepared import PreparedProblem
from .race import (
    BOUNDED_BITS,
    CONSISTENCY_BITS,
    FIRST_UPDATES,
    MAX_COST,
    MAX_SYMMETRY_NODES,
    MEMO_BYTES,
    RESTART_UPDATES,
    SHORT_STEPS,
    SLICE_UPDATES,
    SYMMETRY_BITS,
    SYMMETRY_DELAY,
    SYMMETRY_UPDATES,
    Race,
    Turn,
    Turns,
)
from .sat import MAX_WANTED, SatProcess, has_sat
from .subproblems import preparation_work

# In the order in which the covers of a round are taken; `Statistics.method` has these names.
METHODS = ("search", "restarts", "symmetry", "consistency", "prices", "memo")


def methods_of(engine: FirstEngine, n_threads: int | None = None) -> tuple[str, ...]:
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
    # The first 2**n - 1 terms are the first 2**(n - 1) - 1 ones twice, and then 2**(n - 1). So a k
    # that is not the last of such a part has the term of a smaller one.
    while k & (k + 1):
        k -= (1 << k.bit_length() - 1) - 1
    return (k + 1) >> 1


def bits_of_prices(spec: PreparedProblem) -> int:
    """Return the binary logarithm of the factor by which the method "prices" gets more work."""
    return 0 if spec.problem.low is None else BOUNDED_BITS


def updates_alone(spec: PreparedProblem) -> int:
    """Return the updates of the search before other methods begin."""
    return FIRST_UPDATES >> bits_of_prices(spec)


def _take_steps(steps: Steps[ResultT], n_steps: int) -> Generator[Turn, None, ResultT]:
    """Take steps that find no covers, and return their result.

    A turn is `n_steps`, which should take as long as SLICE_UPDATES.
    """
    while True:
        try:
            for _ in range(n_steps):
                next(steps)
        except StopIteration as end:
            return end.value
        yield Turn([], SLICE_UPDATES)


class ComponentPortfolio(Race):
    """The search for covers of one component of a problem by all methods.

    Parameters
    ----------
    search : Exploration
        The search of the component, which may have begun.
    stop : Stop
    methods : sequence of str
        Some of METHODS and "sat"; tests run each of them alone.
    """

    def __init__(self, search: Exploration, stop: Stop, methods: Sequence[str]) -> None:
        spec = search.spec
        self._search = search
        self._stop = stop
        self._seed = abs(spec.rule.seed) if spec.rule.branching == Branching.RANDOM else 0
        self._bits = bits_of_prices(spec)  # work of "prices" is divided by 2 to the power of these
        turns = {method: getattr(self, f"_run_{method}")() for method in methods}
        super().__init__(turns, SLICE_UPDATES)

    @property
    def _spec(self) -> PreparedProblem:
        return self._search.spec

    def counters(self) -> tuple[int, int]:
        """Return the numbers of nodes and updates so far."""
        _, nodes, updates = (self._search.counters() + self.past).tolist()
        return nodes, updates

    def close(self) -> None:
        """End the process of CaDiCaL, if there is one."""
        if "sat" in self.turns:
            with suppress(ValueError):  # another thread is in its turn, and drops it afterward
                self.turns.pop("sat").close()

    def _run_search(self) -> Turns:
        """Continue the search of the component by a slice in each turn.

        Its first turn, in which it is alone, is not counted as work.
        """
        work = 0
        limit = updates_alone(self._spec)
        while True:
            n_found, _, n_updates = self._search.counters()
            # The limits are absolute, as a run may exceed its own.
            wanted = max(1, self.wanted - n_found)
            updates = max(0, limit - n_updates)
            covers, _ = self._search.find_covers(self._stop, wanted, updates)
            yield Turn(covers, work, self._search.done)
            work = SLICE_UPDATES
            limit += SLICE_UPDATES

    def _run_restarts(self) -> Turns:
        """Restart with shuffled options and the weights so far, in a sequence of Luby.

        Each restart is a search from the root, with a budget of its own.
        """
        spec = self._spec  # which the search may replace
        problem = spec.problem
        rule = BranchingRule(Branching.WEIGHTED, seed=self._seed)
        subtree = linked_class(problem, rule).start(problem, rule)
        assert isinstance(subtree, LinkedSubtree)
        overhead = RESTART_UPDATES * len(problem.items)  # the work of a restart itself
        # The options of large problems are shuffled in chunks of items, with pauses between them.
        n_chunks = 1 + len(problem.items) // LARGE
        # The bounds of chunks of items, which are the nodes from 1 to n_items of the links
        bounds = [1 + problem.n_items * chunk // n_chunks for chunk in range(n_chunks + 1)]
        for number in count(1):
            links, _, _, state = path_groups = subtree.path_groups
            restart(*path_groups)
            for begin, end in pairwise(bounds):
                if n_chunks > 1:
                    yield Turn([], 0)
                shuffle_options(links, state, begin, end)
            budget = luby(number) * max(SLICE_UPDATES, overhead)
            yield from self._explore(spec, subtree, budget, work=overhead)

    def _explore(
        self,
        spec: PreparedProblem,
        subtree: Subtree,
        budget: float = math.inf,
        work: int = 0,
        bits: int = 0,
    ) -> Turns:
        """Explore a tree up to a budget of updates, in turns that report their work.

        `2 ** bits` updates count as one, and `work` is what the first turn has spent before.
        """
        while budget > 0 and not subtree.is_done:
            before = subtree.counters
            updates = int(min(budget, SLICE_UPDATES << bits))
            n_found, n_used = subtree.explore(updates, self.wanted, spec.translation)
            covers = subtree.found.take(n_found)
            # Without covers, the budget is spent: choices of items count in it, but are no updates.
            used = n_used if n_found else updates
            work += used >> bits
            yield Turn(covers, work, subtree.is_done, subtree.counters - before)
            work = 0
            budget -= used

    def _run_symmetry(self) -> Turns:
        """Search options that suffice for a first cover, with weights.

        They need not suffice for other covers, so the search proves something only if it ends
        without a cover: that there is none.
        """
        spec = self._spec
        has_covers = False
        n_nodes = len(spec.problem.items)
        if spec.problem.total_low is not None or not 0 < n_nodes <= MAX_SYMMETRY_NODES:
            return
        yield Turn([], SYMMETRY_DELAY)  # no work: it waits until the others have done as much
        n_steps = -(-SLICE_UPDATES // (SYMMETRY_UPDATES * n_nodes))  # of a turn, rounded up
        options = yield from _take_steps(break_symmetries(spec.problem), n_steps)
        if len(options) == spec.problem.n_options:  # there are no symmetries to use
            return
        problem = select_options(spec.problem, options)
        rule = BranchingRule(Branching.WEIGHTED)
        spec = PreparedProblem(problem, spec.numbers[options], spec.given, rule)
        for outcome in self._explore(spec, spec.start(), bits=SYMMETRY_BITS):
            has_covers |= bool(outcome.covers)
            yield outcome._replace(is_complete=outcome.is_complete and not has_covers)

    def _run_consistency(self) -> Turns:
        """Search with consistent colors, unless there are none, or too many."""
        spec = self._spec
        # The links and the supports are built without a pause: 0.1 seconds for MAX_ROWS // 2.
        if spec.rule.is_consistent or not 0 < count_support_rows(spec.problem) <= MAX_ROWS // 2:
            return
        spec = replace(spec, rule=BranchingRule(is_consistent=True), algorithm="links")
        try:
            tree = spec.start()
        except ValueError:  # there are too many colors
            return
        yield from self._explore(spec, tree, bits=CONSISTENCY_BITS)

    def _run_prices(self) -> Turns:
        """Search for the cheapest covers with random costs, whose bounds guide the search.

        A turn is a part of the examination of a node, or its end, which reports all covers so far.
        """
        spec = self._spec  # which the search may replace
        problem = spec.problem
        used = problem.usable_options()
        rng = np.random.default_rng(self._seed)
        costs = rng.integers(0, MAX_COST + 1, len(used))
        problem = select_options(problem, used)._replace(cost=costs)
        optimizer = ComponentOptimizer(problem, used, self.wanted)
        wanted = self.wanted
        n_steps = 1 if len(problem.items) >= LARGE else SHORT_STEPS
        while optimizer.is_open:
            node = optimizer.pop()
            outcome = yield from _take_steps(optimizer.examine(node), n_steps)
            optimizer.merge(node, outcome)
            covers = [spec.solution(list(cover)) for _, cover in optimizer.result.covers]
            work = (outcome.n_visits + int(np.sum(outcome.counters))) >> self._bits
            # With as many covers as are wanted, the optimizer has dropped the others.
            is_complete = not optimizer.is_open and len(covers) < wanted
            yield Turn(covers, work, is_complete, outcome.counters)

    def _run_memo(self) -> Turns:
        """Build the decision diagram of all covers, and take the first one."""
        spec = self._spec  # which the search may replace
        problem = spec.problem
        # No step is taken before the others have done the work of the preparation.
        yield Turn([], preparation_work(problem, True))
        try:
            memo = diagram_memo(problem, MEMO_BYTES)
            while not memo.done:
                before = memo.work
                run(memo, Stop(event=self._stop), before + SLICE_UPDATES)
                yield Turn([], memo.work - before)
        except (MemoryLimitError, ValueError):
            return  # too large
        # The first edge of each node has an option, and leads to a cover.
        node = memo.best.value
        options: list[int] = []
        edges = memo.best.edges
        while edges is not None and node > TRUE:
            options.append(int(memo.best.option_numbers[edges.option[edges.start[node]]]))
            node = int(edges.child[edges.start[node]])
        is_possible = node == TRUE
        yield Turn([spec.solution(options)] if is_possible else [], 0, not is_possible)

    def _run_sat(self) -> Turns:
        """Wait for the covers of CaDiCaL, which begins after the first turn of the search."""
        spec = self._spec
        covers: list[list[int]] = []
        is_alone = list(self.turns) == ["sat"]
        if is_alone:
            spec.problem.reject_totals("the engine 'sat'")
        elif spec.problem.total_low is not None:  # clauses have no totals
            return
        # More may be wanted later.
        while len(covers) < (wanted := min(self.wanted, MAX_WANTED)):
            with SatProcess(spec.problem, wanted) as process:
                while not process.wait(POLL_SECONDS if len(self.turns) == 1 else 0):
                    yield Turn([], SLICE_UPDATES)
            if process.covers is None:
                process.report_failure(is_alone)
                return
            covers = [*map(spec.solution, process.covers)]
            yield Turn(covers, 0, len(covers) < wanted)


class CoverPortfolio(CoverFinder):
    """The search for some covers of a problem, in any order.

    Parameters
    ----------
    components : sequence of PreparedProblem
        The independent components, each of which has a portfolio.
    methods : sequence of str
        As for `ComponentPortfolio`.
    n_threads : int, default: 1
    begun : Exploration, optional
        The search of the only component.
    """

    def __init__(
        self,
        components: Sequence[PreparedProblem],
        methods: Sequence[str] = METHODS,
        n_threads: int = 1,
        begun: Exploration | None = None,
    ) -> None:
        super().__init__()
        self._specs = components
        self._methods = methods
        self._n_threads = n_threads
        self._components: list[ComponentPortfolio] = []  # those that have been needed
        self._begun = begun
        self._alone: CoverArray | None = None  # the covers, if the search has found all of them

    @property
    def n_threads(self) -> int:
        """The number of threads for the other methods than "sat"."""
        has_process = "sat" in self._methods and self._specs[0].problem.total_low is None
        return max(1, self._n_threads - has_process)  # CaDiCaL has a processor of its own

    @property
    def done(self) -> bool:
        """Whether all covers are known."""
        if any(each.is_impossible for each in self._components):
            return True
        is_begun = len(self._components) == len(self._specs)
        return is_begun and all(each.is_complete for each in self._components)

    @property
    def method(self) -> str:
        """The method that found the last cover of a component, unless that was the search."""
        methods = dict.fromkeys(component.method for component in self._components)
        return next((method for method in methods if method != "search"), "search")

    def counters(self) -> Counters:
        """Return the numbers of covers, nodes and updates so far."""
        work = [(0, 0), *(each.counters() for each in self._components.copy())]
        nodes, updates = map(sum, zip(*work, strict=True))
        return Counters(self.n_found, nodes, updates)

    def take(self) -> Sequence[list[int]]:
        """Return the covers found so far."""
        if self._alone is not None:
            return self._alone
        lists = [component.covers for component in self._components]
        if len(lists) == 1:
            return as_array(islice(lists[0], self.n_found))
        # A cover of the problem is one of each component.
        return [sorted(chain(*covers)) for covers in islice(product(*lists), self.n_found)]

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        n_solved = sum(map(bool, (component.covers for component in self._components)))
        return (
            f"{n_solved:,} of {plural(len(self._specs), 'component')} have a cover, "
            f"{plural(self.counters().updates, 'update')}"
        )

    def advance(self, work: Work, max_steps: int | None = None) -> None:
        """Find covers until all are known, or as many as `work` permits."""
        try:
            super().advance(work, max_steps)
        finally:
            for component in self._components:
                component.close()

    def discard(self) -> None:
        """End all methods: their generators refer to the portfolio, and keep its memory."""
        for component in self._components:
            component.turns.clear()

    def step(self, work: Work) -> None:
        """Search a component alone, or give all methods a turn in each that has no cover.

        If all have a cover, the first of them seeks more.
        """
        wanted = n_wanted(work)
        components = self._components  # those that have begun
        n_all = len(self._specs)
        if len(components) < n_all:
            self._begin(work.stop, wanted)
        else:
            unsolved = [each for each in components if not each.covers]
            incomplete = [each for each in components if not each.is_complete]
            for component in unsolved or incomplete[:1]:
                # Each of its covers is combined with each combination of covers of the others. If
                # these have no combination so far, one cover is enough.
                n_combinations = math.prod(
                    len(other.covers) for other in components if other is not component
                )
                n_own = -(-wanted // n_combinations) if n_combinations else 1  # rounded up
                component.play(n_own, work.threads)
                if component.is_impossible or work.stop():
                    break
        if self._alone is None and len(components) == n_all:  # else `_begin` has set it
            self.n_found = min(math.prod(len(each.covers) for each in components), wanted)

    def _begin(self, stop: Stop, wanted: int) -> None:
        """Give the first method of the next component a turn.

        If the search finds all that is wanted of the only component, no other method is needed:
        then `_alone` has its covers.
        """
        spec = self._specs[len(self._components)]
        search = self._begun or Exploration(spec)
        component = ComponentPortfolio(search, stop, self._methods)
        self._components.append(component)
        is_whole = len(self._specs) == 1
        if is_whole and self._methods[0] == "search":  # as arrays, because there may be many
            found = search.find_covers(stop, wanted, updates_alone(spec) - search.work)
            if found.is_complete or stop():
                component.is_complete = search.done
                self._alone = found.covers
                self.n_found = len(found.covers)
                return
            component.covers.update(dict.fromkeys(map(tuple, found.covers)))
        component.begin(wanted if is_whole else 1)
