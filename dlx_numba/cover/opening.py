"""Find the plan from which the search for the cheapest covers begins, as `first` finds it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import isinf
from typing import Any, NamedTuple

import numpy as np

from ..kernels.problem import MAX_TOTAL_COST, Problem
from ..runtime.archive import check_integers
from ..runtime.arguments import check_integer
from ..runtime.choices import OptimizerEngine
from ..runtime.interrupts import Stop
from ..runtime.job import run
from ..runtime.resources import default_threads
from ..search.construction import constructions_for
from ..search.exploration import Exploration
from ..search.node_search import LARGE
from ..search.portfolio import CoverPortfolio, methods_of
from ..search.prepared import PreparedProblem
from ..search.race import SHORT_UPDATES, SLOW_BITS
from .highs import HighsResult, HighsThread
from .named_problem import NamedProblem
from .penalties import choose_units

TIME_SHARE = 5  # the search for a plan gets one of this many parts of the time limit
STEP_UPDATES = 1 << 10  # some 30 ms with hundreds of totals; `stop` is asked between two steps
MAX_STEPS = 64  # if there is no limit, and of restarts in a large problem


class Opening(NamedTuple):
    """The search for a plan from which a search for the cheapest covers begins.

    Plans consist of options of the prepared problem; `unit` divides all costs. With a time limit,
    `find` also uses CaDiCaL, if it is installed, unless the engine is "own" or there are
    constructions.
    """

    named: NamedProblem
    prepared: PreparedProblem
    k: int  # the number of covers that are wanted
    unit: int
    engine: OptimizerEngine

    @property
    def precedes_engines(self) -> bool:
        """Whether `find` comes before the engines, which may find a plan sooner elsewhere.

        It does in large problems with constructions, and if a plan may be the cheapest, so that no
        engine is needed.
        """
        return self._has_constructions or self._may_be_best

    def find_beside(self, highs: HighsThread | None, stop: Stop) -> HighsResult | None:
        """Return a plan that is found until HiGHS has one, and offer it to HiGHS."""
        limit = Stop(event=stop)
        limit.deadline = stop.deadline
        if highs is not None:
            highs.on_cover = limit.cancel
            if highs.result.covers:
                limit.cancel()
        plan = self.find(limit)
        if plan is not None and highs is not None and not highs.result.covers:
            highs.offered = plan.covers[0][1]
        return plan

    def find(self, stop: Stop) -> HighsResult | None:
        """Return a plan that the methods of `first` find, or None.

        If a packing or covering costs the same for each item of its options, a plan that covers
        each item exactly once is the cheapest. So such a plan is sought first, and if only one is
        wanted, the result is done.
        """
        named = self.named
        seconds = stop.seconds_left()
        n_threads = named.settings.threads
        # CaDiCaL has a process, which only a run ends.
        is_own = self.engine == "own" or isinf(seconds)
        methods = methods_of("own" if is_own else "auto", n_threads)
        n_most = MAX_STEPS if isinf(seconds) else None
        turns = [(methods, n_most)]  # one portfolio after the other: its methods, and most steps
        if self._has_constructions:
            # The branch and bound finds a plan soon by constructions, and all methods at once would
            # take much memory. HiGHS has no constructions, so that "prices", which begins with
            # them, takes part.
            turns = [(("search",), 1), (("restarts",), MAX_STEPS)]
            if self.engine == "highs":
                turns[1] = ("restarts", "prices"), n_most
        specs = [named.prepare(stop)]  # the problems in which a plan is sought, one after the other
        is_best = self._may_be_best
        if is_best:
            exact = named.selected.problem._replace(low=None, high=None, cost=None)
            specs.insert(0, replace(named.selected, problem=exact))
        for spec in specs:
            limit = Stop(None if isinf(seconds) else stop.seconds_left() / TIME_SHARE, stop)
            for methods, n_steps in turns:
                portfolio = CoverPortfolio(spec.components, methods, n_threads or default_threads())
                run(portfolio, limit, 1, max_steps=n_steps)
                portfolio.discard()
                if portfolio.n_found:
                    return self._as_result(portfolio.take()[0], is_best)
            is_best = False  # a plan of the second problem may leave items out, or cover them twice
        return None

    def find_soon(self, stop: Stop) -> HighsResult | None:
        """Return a plan that a short search finds, or None.

        There is none where constructions come first.
        """
        if self._has_constructions:
            return None
        spec = self.named.prepare(stop)
        # Updates with totals take long, as do those of the items that a covering covers often.
        is_slow = spec.problem.total_low is not None or self._may_be_best
        left = SHORT_UPDATES >> SLOW_BITS if is_slow else SHORT_UPDATES
        plan: list[int] = []
        for part in spec.components:
            search = Exploration(part)
            found = search.find_covers(stop, 1, min(left, STEP_UPDATES))
            while not found.is_complete and search.work < left and not stop():
                found = search.find_covers(stop, 1, min(left - search.work, STEP_UPDATES))
            left -= search.work
            if not len(found.covers):
                return None
            plan += found.covers[0]
        return self._as_result(plan)

    @property
    def _has_constructions(self) -> bool:
        """Whether the branch and bound begins with constructions."""
        problem = self.prepared.problem
        return len(problem.items) >= LARGE and constructions_for(problem) is not None

    @property
    def _may_be_best(self) -> bool:
        """Whether a plan that covers each item exactly once would be the cheapest."""
        return _is_even(self.named.selected.problem) and self.named.names.penalties is None

    def _as_result(self, plan: list[int], is_best: bool = False) -> HighsResult | None:
        """Return a plan of the original problem as a result of HiGHS, None if it is no cover.

        `is_best` says whether the plan is known to be the cheapest.
        """
        if self.named.names.penalties is not None:
            plan = choose_units(self.named.problem, self.named.names, plan)
        problem = self.prepared.problem
        options: list[int] = np.flatnonzero(np.isin(self.prepared.numbers, plan)).tolist()
        with suppress(ValueError):  # a presolved problem may have other covers
            problem.check_covers([options])
            cost = int(problem.costs[options].sum()) // self.unit
            found = HighsResult([(cost, options)], int(is_best), cost if is_best else None)
            return found._replace(done=is_best and self.k == 1)
        return None


def check_result(problem: Problem, facts: Any) -> HighsResult:
    """Return the result in a file. Raises an exception if it is invalid."""
    result = HighsResult(*facts)
    cost = problem.costs
    problem.check_covers([options for _, options in result.covers])
    if any(paid != cost[options].sum() for paid, options in result.covers):
        raise ValueError("a cover is inconsistent")
    check_integers([result.n_proven], max(0, len(result.covers) - 1), len(result.covers))
    if result.bound is not None:
        check_integer(result.bound, "bound")
    check_integer(result.error, "error", minimum=0)
    if not isinstance(result.done, bool):
        raise TypeError("expected whether the result is complete")
    return result._replace(covers=[(paid, options) for paid, options in result.covers])


def _is_even(problem: Problem) -> bool:
    """Return whether a packing or covering has costs in proportion to the items of options."""
    cost = problem.costs
    low = problem.lows
    high = problem.highs
    n_nodes = np.diff(problem.indptr)
    is_primary = problem.n_secondary == 0 and problem.total_low is None  # all items are
    if not is_primary or len(cost) == 0 or n_nodes[0] == 0:
        return False
    price = Fraction(int(cost[0]), int(n_nodes[0]))  # of an item
    times, rest = np.divmod(n_nodes, price.denominator)
    # The products below fit into 64 bits only if they are below MAX_TOTAL_COST, as costs are.
    is_small = int(times.max()) * abs(price.numerator) < MAX_TOTAL_COST
    if rest.any() or not is_small or np.any(times * price.numerator != cost):
        return False
    is_packing = cost[0] < 0 and bool(np.all(low == 0) and np.all(high == 1))
    return is_packing or bool(cost[0] > 0 and np.all(low == 1) and np.all(high >= problem.sizes))
