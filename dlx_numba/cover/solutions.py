"""Find solutions, count them, and find the cheapest, for the methods of `ExactCover`.

`routes.py` decides how. Here, each way is taken, and its statistics are stored.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..kernels.narrow import FirstSlice
from ..kernels.subtree import Subtree
from ..runtime.arguments import UNLIMITED, check_choice, check_integer
from ..runtime.choices import (
    FIRST_ENGINES,
    METHODS,
    OPTIMIZER_ENGINES,
    ORDERS,
    FirstEngine,
    Method,
    OptimizerEngine,
    Order,
)
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop, StopEvent
from ..runtime.job import run, working
from ..runtime.resources import default_threads
from ..runtime.text import plural
from ..runtime.workers import call_until
from ..search.exploration import Exploration
from ..search.finder import CoverFinder, TreeFinder
from ..search.search import MAX_ITERATED
from ..search.thread_runner import check_limit
from .counting import CoverCounter, Statistics, ThreadStatistics
from .covers import Best, Cover, Covers, as_cheapest, as_cover, as_covers
from .named_problem import NamedProblem
from .penalties import plan_cost
from .prepare import DEFAULTS
from .product import CoverProduct
from .routes import Route, Wanted, route
from .subsets import easier

if TYPE_CHECKING:
    from .symmetry import SymmetryGroup


def begin_plain(
    named: NamedProblem,
    statistics: ThreadStatistics,
    number: int | None,
    lists: bool,
    is_plain: bool,
) -> FirstSlice | None:
    """Begin to answer a question, and store the statistics if nothing remains to be done.

    The covers are listed, up to a `number`, or only counted. Return None if the question, of which
    `is_plain` says it, or the problem is not plain: see `cover/numbering.py`.
    """
    plain = named.plain
    if number is None:
        number = UNLIMITED
    # `check_limit` says later what is wrong with a number.
    if not is_plain or plain is None or type(number) is not int or number <= 0:
        return None
    if named.settings is not DEFAULTS and not named.is_plain:  # an executor, or a display
        return None
    begun = plain.narrow.search(number, lists, named)
    if begun is not None and begun.tree is None:
        statistics.value = begun.counters
    return begun


def find_covers(
    named: NamedProblem,
    statistics: ThreadStatistics,
    stop: Stop,
    limit: int | None,
    up_to_symmetry: bool | SymmetryGroup = False,
    order: Order | None = None,
    distinct: Iterable[Hashable] | None = None,
    engine: FirstEngine = "auto",
    begun: FirstSlice | None = None,
) -> Covers:
    """Return all solutions, as `ExactCover.solve` does, and store the statistics.

    The search may have `begun`. In any order, which is the default for a few, they are sought by
    an engine, as in `ExactCover.first`.
    """
    if engine != "auto":
        check_choice("engine", engine, FIRST_ENGINES)
    if order is not None:
        check_choice("order", order, ORDERS)
    number = check_limit(limit, "limit")
    wanted = Wanted("covers", stop, number, up_to_symmetry, distinct, order, engine)
    if distinct is not None:
        wanted.check()
    way, named, begun = taken = route(named, wanted, begun)
    if way == "small" and begun is not None:
        statistics.value = _statistics(begun.counters, levels=begun.levels)
        return as_covers(named, begun.covers, True)
    return _find(named, statistics, wanted, taken)


def _find(
    named: NamedProblem,
    statistics: ThreadStatistics,
    wanted: Wanted,
    taken: Route,
) -> Covers:
    """Return the covers that are wanted, by the way `taken`, and store the statistics.

    Raises Stopped, with the covers so far, if the search is stopped.
    """
    finder = _start_finder(named, wanted, taken)
    is_complete = run(finder, wanted.stop, wanted.number, named.settings.progress)
    covers = as_covers(named, finder.take(), is_complete)
    counters = finder.counters()._replace(solutions=len(covers))
    statistics.value = _statistics(counters, finder.method, finder.levels)
    if not is_complete:
        raise Stopped(f"stopped after {plural(len(covers), 'solution')}", covers)
    return covers


def _start_finder(named: NamedProblem, wanted: Wanted, taken: Route) -> CoverFinder:
    """Return what finds the covers that are wanted, by the way `taken`."""
    stop = wanted.stop
    workers = named.workers
    if wanted.distinct is not None:
        from .distinct import DistinctSearch  # slow

        return DistinctSearch(named, wanted.distinct)
    if wanted.up_to_symmetry is not False:
        from .orbits import SmallestFinder, smallest_problem  # slow
        from .symmetry import find_group

        group = find_group(named, wanted.up_to_symmetry, stop, as_covers(named, (), False))
        return SmallestFinder(smallest_problem(named, group, stop), workers, group)
    prepared = named.prepare(stop)
    # CaDiCaL gets the problem as a whole.
    components = (prepared,) if wanted.engine == "sat" else prepared.components
    subtrees = None if taken.tree is None else [taken.tree]
    if taken.way == "race":
        from ..search.portfolio import CoverPortfolio, methods_of  # slow

        methods = methods_of(wanted.engine, workers.n_threads)
        begun = None
        if len(components) == 1 and wanted.engine != "sat":
            begun = Exploration(components[0], subtrees)
        n_threads = workers.n_threads or default_threads()
        return CoverPortfolio(components, methods, n_threads, begun)
    if taken.way == "product":
        return CoverProduct(components, workers, wanted.number)
    return TreeFinder(components[0], subtrees, workers)


def _statistics(
    counters: Sequence[int], method: str = "search", levels: list[int] | None = None
) -> Statistics:
    """Return the numbers of covers, nodes and updates, and the method, as statistics."""
    work = Statistics(*counters)
    work.method = method
    work.levels = levels
    return work


def iterate_covers(
    named: NamedProblem,
    statistics: ThreadStatistics,
    limit: int | None,
    seconds: float | None,
    stop: StopEvent | None,
    distinct: Iterable[Hashable] | None = None,
) -> Iterator[Cover]:
    """Iterate over the solutions, as `ExactCover.iterate` does, and store the statistics.

    The time begins when the first solution is requested.
    """
    condition = Stop(seconds, stop)
    n_wanted = check_limit(limit, "limit")
    n_found = 0
    finder: CoverFinder
    if distinct is None:
        named = easier(named, condition)
        components = named.prepare(condition).components
        finder = CoverProduct(components, max_batch=min(n_wanted, MAX_ITERATED))
    else:
        from .distinct import DistinctSearch  # slow

        finder = DistinctSearch(named, distinct)
    try:
        with working(finder, condition, n_wanted) as work:
            while not (n_found >= n_wanted or finder.done):
                finder.step(work)
                for solution in finder.take():
                    if condition():
                        raise Stopped(f"stopped after {plural(n_found, 'solution')}")
                    n_found += 1
                    yield as_cover(named, solution)
                if not (n_found >= n_wanted or finder.done) and condition():
                    raise Stopped(f"stopped after {plural(n_found, 'solution')}")
    finally:
        counters = finder.counters()._replace(solutions=n_found)
        statistics.value = _statistics(counters, finder.method, finder.levels)


def count_covers(
    named: NamedProblem,
    statistics: ThreadStatistics,
    limit: int | None,
    method: Method,
    up_to_symmetry: bool | SymmetryGroup,
    stop: Stop,
    distinct: Iterable[Hashable] | None = None,
    folder: str | os.PathLike[str] | None = None,
    begun: FirstSlice | None = None,
) -> int:
    """Return the number of solutions, as `ExactCover.count` does, and store the statistics.

    The search may have `begun`.
    """
    number = check_limit(limit, "limit")
    wanted = Wanted("count", stop, number, up_to_symmetry, distinct, "any", "auto", method, folder)
    if method != "auto":
        check_choice("method", method, METHODS)
    if distinct is not None or folder is not None:
        wanted.check()
    way, named, begun = taken = route(named, wanted, begun)
    if way == "small" and begun is not None:
        return _end_count(statistics, begun.counters, True, levels=begun.levels)
    if way not in ("count", "orbits"):  # covers are found to be counted
        try:
            return len(_find(named, statistics, wanted, taken))
        except Stopped as stopped:
            raise Stopped(str(stopped), len(stopped.partial)) from None
    threads = named.settings.threads
    # A limit or threads imply a search; but with a folder, all threads count by the memo.
    is_search = limit is not None or (threads not in (None, 1) and folder is None)
    if method in ("memo", "planar") and is_search:
        raise ValueError(f"the method {method!r} cannot have a limit or threads")
    if is_search or (named.settings.executor is not None and method == "auto"):
        method = "search"
    if way == "orbits":
        if limit is not None:
            raise ValueError("a count up to symmetry cannot have a limit")
        return _count_orbits(named, statistics, method, wanted)
    counter = start_counter(named, method, stop, number, taken.tree, folder)
    try:
        is_complete = run(counter, stop, progress=named.settings.progress)
    finally:
        counter.leave_folder()
    counters = counter.counters()
    n_found = _end_count(statistics, counters, is_complete, counter.method, counter.levels)
    return n_found if limit is None else min(n_found, limit)


def _count_orbits(
    named: NamedProblem, statistics: ThreadStatistics, method: Method, wanted: Wanted
) -> int:
    """Return the number of orbits of solutions."""
    from .orbits import start_orbit_counter  # slow

    stop = wanted.stop
    counter = start_orbit_counter(named, method, wanted.up_to_symmetry, stop)
    is_complete = run(counter, stop, progress=named.settings.progress)
    return _end_count(statistics, counter.counters(), is_complete, counter.method)


def _end_count(
    statistics: ThreadStatistics,
    counters: Sequence[int],
    is_complete: bool,
    method: str = "search",
    levels: list[int] | None = None,
) -> int:
    """Return the number of solutions, the first of the counters, and store the statistics.

    Raises Stopped unless the count is complete.
    """
    work = statistics.value = _statistics(counters, method, levels)
    if not is_complete:
        raise Stopped(f"stopped after {plural(work.solutions, 'solution')}", work.solutions)
    return work.solutions


def start_counter(
    named: NamedProblem,
    method: Method,
    stop: Stop | None = None,
    limit: int = UNLIMITED,
    begun: Subtree | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> CoverCounter:
    """Return a counter, as `ExactCover.counter` does, that stops at a limit of covers.

    The search of the only component may have `begun`.
    """
    if method in ("auto", "search") and begun is None:
        named = easier(named, stop or Stop())
    return CoverCounter(named.prepare(stop), method, named.settings, limit, begun, folder)


def find_cheapest(
    named: NamedProblem,
    statistics: ThreadStatistics,
    k: int,
    up_to_symmetry: bool | SymmetryGroup,
    stop: Stop,
    start: Sequence[int] = (),
    engine: OptimizerEngine = "auto",
) -> Covers:
    """Return the cheapest solutions, as `ExactCover.cheapest` does, and store the statistics."""
    from .engines import create_optimizer  # slow

    check_choice("engine", engine, OPTIMIZER_ENGINES)
    k = check_integer(k, "k", minimum=1)
    wanted = Wanted("cheapest", stop, k, up_to_symmetry, optimizer=engine, start=start)

    def find(number: int) -> Best:
        """Return the cheapest covers, found by the way that the number of covers takes."""
        asked = wanted._replace(number=number, up_to_symmetry=False)
        way, _, begun = route(named, asked)
        if way == "small" and begun is not None:
            return _cheapest_of_all(named, statistics, number, begun)
        has_penalties = named.names.penalties is not None
        if has_penalties and not call_until(named.priced, stop).has_ended:
            return Best()
        # First of all, because it rejects what has no optimizer
        optimizer = create_optimizer(
            named, number, stop, start, engine=engine, deadline=stop.deadline
        )
        if way == "race":  # all are the cheapest
            is_complete = True
            rows = named.with_attributes(fixed=None)  # `as_cheapest` expands the covers
            try:
                covers = find_covers(rows, statistics, stop, number, order="any")
            except Stopped as stopped:
                covers = stopped.partial
                is_complete = False
            pairs = [(0, options) for options in sorted(covers)]
            bound = None if is_complete and not pairs else 0  # None if there is no cover
            return Best(pairs, bound, is_complete)
        run(optimizer, stop, progress=named.settings.progress)
        statistics.value = _statistics(optimizer.counters(), optimizer.method)
        return optimizer.best()

    if up_to_symmetry is False:
        best = find(k)
    else:
        from .orbits import find_cheapest_representatives  # slow

        best = find_cheapest_representatives(find, named, up_to_symmetry, stop, k)
        statistics.value = statistics.value._replace(solutions=len(best.covers))
    return as_cheapest(named, best, k)


def _cheapest_of_all(
    named: NamedProblem, statistics: ThreadStatistics, k: int, begun: FirstSlice
) -> Best:
    """Return the cheapest solutions of a search that has found all, and store the statistics."""
    covers = []
    for options in begun.covers:
        cost = len(options)  # if each option costs 1
        if named.plain is None:
            cost = plan_cost(named.problem, named.names, options)
        covers.append((cost, options))
    covers = sorted(covers)[:k]
    statistics.value = Statistics(len(covers), *begun.counters[1:])
    return Best(covers, covers[-1][0] if covers else None, True)
