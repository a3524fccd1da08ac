"""Find the cheapest covers: a resumable branch and bound with bounds from both sides."""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic

import numpy as np
from numpy.typing import NDArray

from ..kernels.problem import Problem, ProblemPart
from ..runtime.archive import check_integers, check_number
from ..runtime.arguments import UNLIMITED, check_choice, check_integer
from ..runtime.choices import OPTIMIZER_ENGINES, OptimizerEngine
from ..runtime.clock import Clock
from ..runtime.interrupts import Stop
from ..runtime.job import Counters, Work
from ..runtime.lazy import LazySequence
from ..runtime.log import logger
from ..runtime.resources import default_threads
from ..search.branch_and_bound import ComponentOptimizer
from ..search.checkpoint import Saveable
from ..search.division import divide_cover, divide_problem
from ..search.node import ComponentResult, CostedCover
from ..search.node_tasks import NodeQueue, examine_by_tasks
from ..search.prepared import DEFAULT_RULE, PreparedProblem
from ..search.race import MIN_NODES, PLAN_NODES
from ..search.resumable import Computation
from ..search.thread_runner import choose_workers
from .covers import Best, Covers, as_cheapest
from .name_types import NameT
from .named_problem import NamedProblem, without_names
from .names import Cost, CostScale
from .product import bound_of_others, cheapest_unions

if TYPE_CHECKING:
    from .highs import HighsResult, HighsThread
    from .opening import Opening

PricedCover = tuple[int, list[int]]  # the cost and the options


class CoverOptimizer(Saveable, Computation, Generic[NameT]):
    """A resumable search for the cheapest covers, created by `ExactCover.optimizer`.

    One thread at a time can run an optimizer; its other methods and its properties may be used from
    any thread. An exception that interrupts a run loses nothing: the next run continues. The number
    of threads does not affect the result of a search that is done.

    Parameters
    ----------
    spec : PreparedProblem
        The problem.
    k : int
        The number of covers to find.
    base_cost : int
        The cost of the given options.
    named : NamedProblem, optional
        The problem with its names. By default, options are numbers.
    price : ndarray of float64, optional
        The price of each item from which the search begins.
    start : sequence of int
        Options near which the first cover is sought, numbered as in `spec.problem`.
    lowest : int, optional
        A cost that no cover is below, if it is known. A cover of this cost is the cheapest.
    engine : {"own", "highs", "both"}
        As for `ExactCover.optimizer`, but "auto".
    deadline : float, optional
        The time, as `time.monotonic` returns it, after which there is no further run.

    Raises
    ------
    ValueError
        If `k` or `threads` is less than 1, or the algorithm is neither "auto" nor "links".

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> optimizer = ExactCover([["a"], ["a"], ["b"]], costs=[3, 2, 2]).optimizer()
    >>> optimizer.run(seconds=10), optimizer.result, optimizer.result.bound
    (True, [[1, 2]], 4)
    """

    _kind = "dlx_numba optimizer"
    _version = 3

    def __init__(
        self,
        spec: PreparedProblem,
        k: int = 1,
        base_cost: int = 0,
        named: NamedProblem | None = None,
        price: NDArray[np.float64] | None = None,
        start: Sequence[int] = (),
        lowest: int | None = None,
        engine: OptimizerEngine = "own",
        deadline: float | None = None,
    ) -> None:
        super().__init__("optimizer")
        check_choice("engine", engine, OPTIMIZER_ENGINES)
        self._engine: OptimizerEngine = engine
        self._highs: HighsThread | None = None
        self._known: HighsResult | None = None  # what was found before, or beside the engines
        # What the components will get of a cover found elsewhere; None before that
        self._offered: list[tuple[ComponentOptimizer, CostedCover]] | None = None
        self._opening: Opening | None = None  # while a longer search for a plan may follow
        # Branch and bound has no branching rule, and files have no literal ones.
        rule = DEFAULT_RULE if spec.rule.is_literal else spec.rule
        self._spec = replace(spec, algorithm="links", rule=rule)
        self._unit = max(1, int(np.gcd.reduce(spec.problem.costs)))  # of the costs
        self._named = named or without_names(spec, base_cost)
        self._n_numbers = self._named.problem.n_options  # higher numbers stand for what is missing
        self._price = price
        self._start = np.array(start, np.int64)
        self._k = min(check_integer(k, "k", minimum=1), UNLIMITED)
        self._base_cost = base_cost
        self._lowest = lowest
        self._deadline = deadline
        threads = self._named.settings.threads
        self._n_threads = None if threads is None else choose_workers(threads, None, spec)[0]
        self._components: list[ComponentOptimizer] | None = None
        self._created: list[ComponentOptimizer] = []  # the first ones, until all are created
        self._queue = NodeQueue(())

    @property
    def done(self) -> bool:
        """Whether the cheapest covers are known."""
        if self._highs_result is not None and self._highs_result.done:
            return True
        components = self._components
        return components is not None and self._is_complete([each.result for each in components])

    def _is_complete(self, results: list[ComponentResult]) -> bool:
        """Return whether the cheapest covers are known, given the results of all components."""
        is_impossible = any(result.is_done and not result.covers for result in results)
        if is_impossible or all(result.is_done for result in results):
            return True
        if self._lowest is None or self._k > 1 or not all(result.covers for result in results):
            return False
        cost = sum(result.covers[0][0] for result in results)
        return self._base_cost + self._unit * cost <= self._lowest  # so it is the lowest possible

    def _priced_covers(self, covers: Iterable[tuple[int, Iterable[int]]]) -> list[PricedCover]:
        """Return covers without slack options, by the user's numbers, and all that they cost."""
        n_options = self._spec.problem.n_options
        named: list[PricedCover] = []
        for cost, options in covers:
            numbers = self._spec.solution([k for k in options if k < n_options])
            found = [number for number in numbers if number < self._n_numbers]
            named.append((self._base_cost + self._unit * cost, found))
        return sorted(named)

    @property
    def result(self) -> Covers[NameT]:
        """The cheapest covers found so far, as a new list."""
        return as_cheapest(self._named, self.best(), self._k)

    @property
    def _highs_result(self) -> HighsResult | None:
        """The result of HiGHS; until it has proven one, with the cheapest cover that is known."""
        known = self._known
        result = known if self._highs is None else self._highs.result
        if known is None or result is None or result.n_proven or result.done:
            return result
        return result._replace(covers=sorted([*known.covers, *result.covers])[:1])

    def best(self) -> Best:
        """Return the cheapest covers found so far, with the integers that stand for their costs.

        Until an engine is done, these are the cheapest of both, with the higher one of the bounds.
        Only if HiGHS is done, they have its error; before, the bound says what may be missing.

        Returns
        -------
        Best
        """
        own = self._own_best()
        highs = self._highs_result
        if highs is None or own.done:
            return own
        bound = None if highs.bound is None else self._base_cost + self._unit * highs.bound
        theirs = Best(self._priced_covers(highs.covers), bound)
        if highs.done:
            return theirs._replace(done=True, error=self._unit * highs.error)
        return own.merge(theirs, self._k)

    @property
    def seed(self) -> int | None:
        """The seed of random choices."""
        return self._spec.rule.seed

    @property
    def method(self) -> str:
        """The method that has proven the result: "search" or "highs"."""
        is_searched = all(each.result.is_done for each in self._components or ())
        is_own = self._engine == "own" or (is_searched and self._engine != "highs")
        return "search" if is_own else "highs"

    def _own_best(self) -> Best:
        """Return the cheapest covers that the branch and bound has found."""
        if self._components is None:
            return Best()
        results = [each.result for each in self._components]
        if any(result.is_done and not result.covers for result in results):
            return Best(done=True)
        unions = cheapest_unions(self._k, [result.covers for result in results])
        bound = self._base_cost + self._unit * bound_of_others(self._k, unions, results)
        if self._lowest is not None:
            bound = max(bound, self._lowest)
        return Best(self._priced_covers(unions), bound, self._is_complete(results))

    def _number(self, cost: int) -> Cost:
        """Return the user's number for the integer that stands for a cost, with its offset."""
        return self._named.names.scale.unscale(cost + self._named.offset)

    def __str__(self) -> str:
        """Return the lowest cost found, the bound, and the time of the runs."""
        covers = self.result
        lowest = self.best().lowest
        cost = "no cover" if covers.done else "no cover yet"
        if covers:
            fixed = self._named.fixed
            plan = covers[0] if fixed is None else self.best().covers[0][1]
            cost = f"cost {self._named.cost(plan) + self._number(0):,}"
        bound = [] if lowest is None else [f"bound {self._number(lowest):,}"]
        seconds = self.clock.seconds
        time = f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
        return ", ".join([cost, *bound, time])

    def _repr_html_(self) -> str:
        covers = self.result
        return super()._repr_html_() + (covers._repr_html_() if covers else "")

    def counters(self) -> Counters:
        total = sum((each.counters for each in self._components or ()), np.zeros(3, np.int64))
        return Counters(*total.tolist())._replace(solutions=len(self.best().covers))

    @property
    def work(self) -> int:
        """The number of nodes examined."""
        return sum(each.n_examined for each in self._components or ())

    @property
    def n_threads(self) -> int:
        """The threads that examine nodes; HiGHS has one of its own."""
        return max(1, (self._n_threads or default_threads()) - (self._engine == "both"))

    def step(self, work: Work) -> None:
        """Take a step of the own engine, of HiGHS, or of both, until one of them is done."""
        self._seek_plan(work.stop)
        if self.done or work.stop():
            return
        if self._engine == "own":
            self._examine(work)
            return
        highs = self._start_highs()
        ends = Stop(event=work.stop)
        ends.deadline = work.stop.deadline
        with highs.running(ends.cancel):
            if self._engine == "highs":
                self._seek_longer(ends)
                highs.wait(ends)
            else:
                self._examine(Work(ends, work.threads))
        if self.done:
            highs.close()
        elif highs.has_failed:
            logger.info("HiGHS ended without a result, so the branch and bound goes on alone")
            self._engine = "own"

    def _start_highs(self) -> HighsThread:
        """Return the thread of HiGHS, which ends if the optimizer is no longer needed."""
        if self._highs is None:
            from .highs import HighsThread, smaller_form  # most optimizers do without it

            n_threads = 1 if self._engine == "both" else self._n_threads
            problem = self._divided(self._spec.problem)
            plans = smaller_form(self._named, self._spec, self._unit)
            known = self._known
            self._highs = HighsThread(problem, self._k, n_threads, known, plans, self._deadline)
            weakref.finalize(self, self._highs.close)
        return self._highs

    def _divided(self, problem: Problem) -> Problem:
        """Return a problem with costs in their largest common unit, so that these are small."""
        return problem if self._unit == 1 else problem._replace(cost=problem.costs // self._unit)

    def _seek_plan(self, stop: Stop) -> None:
        """Before the engines begin, seek a plan that is known to all of them.

        Of small problems, they find one soon.
        """
        has_begun = self._components is not None or self._highs_result is not None
        needs_plan = len(self._spec.problem.items) >= MIN_NODES and not len(self._start)
        if needs_plan and not has_begun and self._opening is None:
            from .opening import Opening

            opening = Opening(self._named, self._spec, self._k, self._unit, self._engine)
            self._known = opening.find_soon(stop)
            if opening.precedes_engines:
                self._known = opening.find(stop) or self._known
            elif self._known is None:
                self._opening = opening

    def _seek_longer(self, stop: Stop) -> None:
        """If there is no plan yet, seek one for longer, beside HiGHS if it runs."""
        if self._opening is not None and not (self.done or self.best().covers):
            plan = self._opening.find_beside(self._highs, stop)
            if plan is not None:  # HiGHS may have been saved with a bound
                self._known = (self._known or plan)._replace(covers=plan.covers)
            if plan is not None or not stop():
                self._opening = None

    def _exchange(self, highs: HighsThread, components: list[ComponentOptimizer]) -> None:
        """Exchange the cheapest cover and the bound with HiGHS, if only one cover is wanted."""
        if self._k > 1:
            return
        theirs = highs.result
        if theirs.bound is not None:
            bound = self._base_cost + self._unit * theirs.bound
            self._lowest = bound if self._lowest is None else max(bound, self._lowest)
        results = [each.result for each in components]
        has_cover = all(each.covers for each in results)
        own = sum(each.covers[0][0] for each in results) if has_cover else math.inf
        other = theirs.covers[0][0] if theirs.covers else math.inf
        # The plan that was known before HiGHS began is offered later, by `_examine`.
        is_plan = self._known is not None and theirs.covers == self._known.covers
        if other < own and (self._offered is not None or not is_plan):
            self._offer(theirs)
        elif own < other:  # without slack options, which HiGHS does not have
            options = (option for each in results for option in each.covers[0][1])
            highs.offered = [k for k in options if k < self._spec.problem.n_options]

    def _examine(self, work: Work) -> None:
        """Create the components, or examine a batch of nodes and merge the outcomes."""
        stop = work.stop
        if (components := self._components) is None:
            self._create_components(stop)
            return
        if not self._queue.fill(stop):
            return
        pending = [task for task in self._queue.batch if not task.outcome]
        executor = self._named.settings.executor
        if executor is None or len(self._queue.batch) == 1:
            work.threads.run_parts(lambda task: task.run(stop), pending)
        else:
            examine_by_tasks(executor, pending, stop)
        if self._queue.merge():  # the batch is done
            for component in components:
                if component.is_open:
                    component.improve(stop)
                if component.is_open and not component.result.covers:
                    component.seek(stop)
            if self.work >= PLAN_NODES:
                self._seek_longer(stop)
            known = self._known if self._offered is None else None
            if known is not None and (known.bound is not None or self.work >= PLAN_NODES):
                self._offer(known)
        if self._highs is not None:
            self._exchange(self._highs, components)
        self._pass_on(stop)

    @cached_property
    def _split(self) -> tuple[LazySequence[ProblemPart], NDArray[np.int64], NDArray[np.float64]]:
        """The independent components, the options that they number, and the prices of the items."""
        problem = self._divided(self._spec.problem)
        # Prices are those of the costs before they are divided by their unit.
        price = np.zeros(problem.n_items) if self._price is None else self._price
        return *divide_problem(problem), price / self._unit

    def _pickled(self) -> dict[str, Any]:
        """Return the attributes to be pickled; another process splits the problem again."""
        content = {**self.__dict__, "_highs": None, "_known": self._highs_result}
        content.pop("_split", None)
        return content

    def _create_components(self, stop: Stop) -> None:
        """Create the components until `stop` is set: there may be thousands."""
        parts, used, price = self._split
        is_start = np.isin(used, self._start)
        for number in range(len(self._created), len(parts)):
            if stop():
                return
            problem, numbers, items = parts[number]
            start = used[numbers[is_start[numbers]]].tolist()
            optimizer = ComponentOptimizer(problem, used[numbers], self._k, price[items], start)
            self._created.append(optimizer)
        del self._split  # the components have what they need of it
        self._components = self._created
        self._queue = NodeQueue(self._components)

    def _offer(self, known: HighsResult) -> None:
        """Note a cover that has been found elsewhere, for the components."""
        self._offered = []
        if known.covers:
            options = [component.options for component in self._created]
            parts = divide_cover(self._divided(self._spec.problem), options, known.covers[0][1])
            self._offered = [*zip(self._created, parts, strict=True)]

    def _pass_on(self, stop: Stop) -> None:
        """Give the components what is left of a cover found elsewhere."""
        while self._offered and not stop():
            component, cover = self._offered.pop()
            component.offer(cover)

    def _facts(self) -> dict[str, Any]:
        """Return what a file has: also the nodes that tasks examine, which are then still open."""
        has_begun = self._components is not None
        names = self._named.names
        # What the file lacks: the prices of plans, options of orbits, and items of given options
        is_complete = not (names.penalties or self._named.fixed or self._named.offset)
        is_complete &= max(self._spec.given, default=-1) < names.n_listed
        return {
            "k": self._k,
            "base_cost": self._base_cost,
            "scale": names.scale,
            "seconds": self.clock.seconds,
            "start": self._start.tolist(),
            "n_numbers": self._n_numbers,
            "n_listed": names.n_listed,
            "engine": self._engine,
            "lowest": self._lowest,
            "price": None if self._price is None else self._price.tolist(),
            "highs": self._highs_result,
            "is_complete": is_complete,
            "components": [each.content() for each in self._created] if has_begun else None,
        }

    @classmethod
    def _from_facts(cls, spec: PreparedProblem, facts: Mapping[str, Any]) -> CoverOptimizer:
        """Restore an optimizer from what `_facts` returned, which may come from a modified file.

        Files of earlier versions lack the facts that have a default here. The engine, prices and
        what is known must be restored before the components are created, which use them.
        """
        start = check_integers(facts["start"], 0, spec.problem.n_options - 1).tolist()
        base_cost = check_integer(facts["base_cost"], "base_cost")
        loaded = cls(spec, facts["k"], base_cost, start=start, engine=facts.get("engine", "own"))
        if (price := facts.get("price")) is not None:
            loaded._price = np.array(list(map(check_number, price)))
            if len(price) != spec.problem.n_items:
                raise ValueError("expected a price of each item")
        if (lowest := facts.get("lowest")) is not None:
            loaded._lowest = check_integer(lowest, "lowest")
        if (result := facts.get("highs")) is not None:
            from .opening import check_result  # most files have none

            loaded._known = check_result(loaded._divided(spec.problem), result)
        factor, error = facts.get("scale", CostScale())
        if check_integer(factor, "factor") == 0:
            raise ValueError("expected a unit of the costs")
        scale = CostScale(factor, check_number(error))
        names = loaded._named.names
        n_options = len(names.options)
        n_listed = check_integer(facts.get("n_listed", n_options), "n_listed", minimum=0)
        names = names._replace(scale=scale, n_uncovered=max(0, n_options - n_listed))
        loaded._named = replace(loaded._named, names=names)
        loaded._n_numbers = check_integer(facts.get("n_numbers", loaded._n_numbers), "n_numbers")
        if not facts.get("is_complete", True):
            loaded._lack = (
                "its plans, what they cost and lack follow from the problem: load needs it"
            )
        loaded.clock = Clock(check_number(facts["seconds"]))
        if facts["components"] is not None:
            loaded._create_components(Stop())
            for component, content in zip(loaded._created, facts["components"], strict=True):
                component.restore(content)
        return loaded

    def _hand_over(self, loaded: CoverOptimizer) -> str:
        """Give a loaded optimizer what its file lacks; return why this is impossible, or ""."""
        is_same = (loaded._k, loaded._base_cost) == (self._k, self._base_cost)
        if not is_same or loaded._spec.fingerprint() != self._spec.fingerprint():
            return "an optimizer of another problem, or for another number of covers"
        loaded._n_threads = self._n_threads
        loaded._named = self._named
        loaded._engine = self._engine
        return ""
