"""Find solutions, count them, and find the cheapest, for the methods of `ExactCover`."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from ..kernels.algorithms import AUTO
from ..kernels.cover_array import join_covers
from ..kernels.dlx.state import UNLIMITED
from ..kernels.subtree import Subtree
from ..runtime.arguments import check_choice, check_integer
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop, StopEvent
from ..runtime.text import plural
from ..runtime.workers import call_until
from ..search.prepared import FIRST_COVERS, PreparedProblem
from ..search.resumable import Resumable
from ..search.search import MAX_ITERATED, Search
from ..search.thread_runner import check_limit
from ..search.unshared import run_unshared
from .counting import METHODS, ORDERS, CoverCounter, Method, Order, Statistics, ThreadStatistics
from .covers import Best, Cover, Covers, as_cheapest, as_cover, as_covers
from .named_problem import NamedProblem
from .penalties import plan_cost
from .product import CoverProduct
from .symmetry import SymmetryGroup, find_group

if TYPE_CHECKING:
    from ..search.portfolio import Engine as FirstEngine
    from .distinct import DistinctSearch
    from .optimizer import Engine

MAX_SMALL = 500  # options; of these, a slice of a search may find all solutions
FEW = 10  # solutions, which several methods seek by default


def find_covers(
    named: NamedProblem,
    statistics: ThreadStatistics,
    stop: Stop,
    limit: int | None,
    up_to_symmetry: bool | SymmetryGroup = False,
    order: Order | None = None,
    distinct: Iterable[Hashable] | None = None,
    engine: FirstEngine = "auto",
) -> Covers:
    """Return all solutions, as `ExactCover.solve` does, and store the statistics.

    In any order, which is the default for a few, they are sought by an engine, as in
    `ExactCover.first`.
    """
    check_choice("order", order or ORDERS[0], ORDERS)
    if engine != "auto":
        from ..search.portfolio import ENGINES

        check_choice("engine", engine, ENGINES)
    wanted = check_limit(limit, "limit")
    _check_distinct(distinct, up_to_symmetry)
    if distinct is not None:
        return _find_distinct(named, statistics, distinct, stop, wanted)
    if (group := find_group(named, up_to_symmetry, stop, [])) is not None:
        return _find_smallest(named, statistics, group, stop, wanted)
    begun = None
    prepared = named.prepare(stop)
    if engine != "sat" and named.is_plain and wanted and not stop():
        begun = prepared.begin(wanted, prepared.translation)
        if begun and (begun.is_done or len(begun.found) == wanted):  # as that of a small problem
            found = begun.found.take(wanted)
            counters = begun.counters.tolist()
            return _record(named, statistics, found, counters, levels=begun.levels)
    from ..search.portfolio import CoverPortfolio, methods_of, updates_alone  # slow

    components = (prepared,) if engine == "sat" else prepared.components
    chosen = named.workers
    is_any = order == "any" or (order is None and wanted <= FEW and len(components) == 1)
    takes_turns = is_any and bool(limit) and chosen.executor is None
    takes_turns &= not prepared.rule.is_literal
    search = None
    if len(components) == 1 and engine != "sat":
        search = Search(components[0], [begun] if begun else None)
    elif not takes_turns:
        return _find_combinations(named, statistics, components, stop, wanted)
    portfolio = None
    with named.showing(lambda: describe_progress(portfolio or search)):
        first: Sequence[list[int]] = ()
        if search is not None:
            own: dict[str, Any] = {"workers": chosen, "takes_all": chosen.executor is not None}
            if takes_turns:  # with one thread, whose work depends on nothing else
                own = {"updates": updates_alone(search._spec) - search.counters()[2]}
            first, _, is_complete = run_unshared(search, stop, wanted, collects=True, **own)
            if is_complete or not takes_turns:
                counters = search.counters()
                levels = search.levels
                return _record(named, statistics, first, counters, is_complete, levels=levels)
        methods = methods_of(engine, chosen.n_threads)
        portfolio = CoverPortfolio(components, wanted, stop, methods, search, first)
        portfolio.find(chosen.n_threads)
    return _record(
        named,
        statistics,
        portfolio.covers(),
        portfolio.counters(),
        portfolio.is_complete,
        portfolio.method,
    )


def _find_distinct(
    named: NamedProblem,
    statistics: ThreadStatistics,
    distinct: Iterable[Hashable],
    stop: Stop,
    wanted: int,
) -> Covers:
    """Return one solution of each class."""
    from .distinct import DistinctSearch  # slow

    search = DistinctSearch(named, distinct)
    with named.showing(lambda: describe_progress(search)):
        found = join_covers([*search.covers(stop, wanted)])
    return _record(named, statistics, found, search.counters(), not search.is_stopped)


def _find_smallest(
    named: NamedProblem, statistics: ThreadStatistics, group: SymmetryGroup, stop: Stop, wanted: int
) -> Covers:
    """Return the smallest solution of each orbit."""
    from .orbits import find_representatives, search_smallest  # slow

    search = search_smallest(named, group, stop)
    select = group.smallest_filter()
    with named.showing(lambda: describe_progress(search)):
        found, is_complete = find_representatives(search, select, stop, wanted, named.workers)
    return _record(named, statistics, found, search.counters(), is_complete)


def _find_combinations(
    named: NamedProblem,
    statistics: ThreadStatistics,
    components: Sequence[PreparedProblem],
    stop: Stop,
    wanted: int,
) -> Covers:
    """Return the combinations of the solutions of components."""
    search = CoverProduct(components, named.workers)
    with named.showing(lambda: describe_progress(search)):
        found = list(islice(search.covers(stop, wanted), wanted))
    return _record(
        named, statistics, found, search.counters(), not search.is_stopped, levels=search.levels
    )


def _check_distinct(distinct: Iterable[Hashable] | None, up_to_symmetry: object) -> None:
    if distinct is not None and up_to_symmetry is not False:
        raise ValueError(
            "distinct cannot be combined with up_to_symmetry: "
            "a symmetry may exchange items that matter with others"
        )


def _record(
    named: NamedProblem,
    statistics: ThreadStatistics,
    found: Iterable[list[int]],
    counters: Sequence[int],
    is_complete: bool = True,
    method: str = "search",
    levels: list[int] | None = None,
) -> Covers:
    """Return what was found as covers, and store the statistics.

    The last two of `counters` are the nodes and the updates. Raises Stopped unless the search is
    complete.
    """
    covers = as_covers(named, found, is_complete)
    work = Statistics(len(covers), *counters[-2:])
    statistics.value = work
    work.method = method
    work.levels = levels
    if not is_complete:
        raise Stopped(f"stopped after {plural(len(covers), 'solution')}", covers)
    return covers


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
    search: CoverProduct | DistinctSearch
    if distinct is None:
        search = CoverProduct(named.prepare(condition).components)
        covers = search.covers(condition, min(n_wanted, MAX_ITERATED))
    else:
        from .distinct import DistinctSearch  # slow

        search = DistinctSearch(named, distinct)
        covers = chain.from_iterable(search.covers(condition, n_wanted))
    try:
        for solution in islice(covers, n_wanted):
            n_found += 1
            yield as_cover(named, solution)
        if search.is_stopped:
            raise Stopped(f"stopped after {plural(n_found, 'solution')}")
    finally:
        statistics.value = Statistics(n_found, *search.counters()[1:])
        statistics.value.levels = getattr(search, "levels", None)


def count_covers(
    named: NamedProblem,
    statistics: ThreadStatistics,
    limit: int | None,
    method: Method,
    up_to_symmetry: bool | SymmetryGroup,
    stop: Stop,
    distinct: Iterable[Hashable] | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> int:
    """Return the number of solutions, as `ExactCover.count` does, and store the statistics."""
    wanted = check_limit(limit, "limit")
    check_choice("method", method, METHODS)
    _check_distinct(distinct, up_to_symmetry)
    if folder is not None and (method != "memo" or up_to_symmetry is not False):
        raise ValueError("a folder needs the method 'memo', and no symmetries")
    if distinct is not None:
        if method == "memo":
            raise ValueError("the method 'memo' does not count distinct solutions")
        return _count_distinct(named, statistics, distinct, stop, wanted)
    threads = named.settings.threads
    executor = named.settings.executor
    if method == "auto" and executor is None and up_to_symmetry is False and 0 < wanted <= FEW:
        try:
            return len(find_covers(named, statistics, stop, wanted, order="any"))
        except Stopped as stopped:
            raise Stopped(str(stopped), len(stopped.partial)) from None
    is_search = limit is not None or (threads not in (None, 1) and folder is None)
    if method == "memo" and is_search:
        raise ValueError("the method 'memo' cannot have a limit or threads")
    if is_search or (executor is not None and method == "auto"):
        method = "search"
    if up_to_symmetry is not False:
        if limit is not None:
            raise ValueError("a count up to symmetry cannot have a limit")
        return _count_orbits(named, statistics, method, up_to_symmetry, stop)
    begun = None
    prepared = named.prepare(stop)
    if named.is_plain and method != "memo" and wanted and not stop():
        begun = prepared.begin(wanted)
    if begun and (begun.is_done or begun.counters[0] == wanted):
        return _end_count(statistics, begun.counters.tolist(), True, begun.levels)
    counter = start_counter(named, method, stop, wanted, begun, folder)
    try:
        with named.showing(lambda: describe_progress(counter)):
            for component, work in counter._turns(stop):
                component.run(stop, work)
    finally:
        counter._leave_folder()
    n_found = _end_count(statistics, counter.counters(), counter.done, counter.levels)
    return n_found if limit is None else min(n_found, limit)


def _count_distinct(
    named: NamedProblem,
    statistics: ThreadStatistics,
    distinct: Iterable[Hashable],
    stop: Stop,
    wanted: int,
) -> int:
    """Return the number of classes of solutions, up to `wanted`."""
    from .distinct import DistinctSearch  # slow

    search = DistinctSearch(named, distinct)
    with named.showing(lambda: describe_progress(search)):
        for _ in search.covers(stop, wanted):
            pass
    return _end_count(statistics, search.counters(), not search.is_stopped)


def _count_orbits(
    named: NamedProblem,
    statistics: ThreadStatistics,
    method: Method,
    up_to_symmetry: bool | SymmetryGroup,
    stop: Stop,
) -> int:
    """Return the number of orbits of solutions."""
    from .orbits import OrbitCounter  # slow

    named.selected.reject_literal("count up to symmetry")
    group = None
    if up_to_symmetry is not True or named.names.penalties is not None:
        group = find_group(named, up_to_symmetry, stop, 0)
    divides = named.names.penalties is None  # which components do not have
    counter = OrbitCounter(
        named.problem, named.restriction, group, named.settings, method, divides=divides
    )
    with named.showing(lambda: describe_progress(counter)):
        counter._advance(stop)
    return _end_count(statistics, counter.counters(), counter.done)


def _end_count(
    statistics: ThreadStatistics,
    counters: Sequence[int],
    is_complete: bool,
    levels: list[int] | None = None,
) -> int:
    """Return the number of solutions, the first of the counters, and store the statistics.

    Raises Stopped unless the count is complete.
    """
    work = Statistics(*counters)
    work.levels = levels
    statistics.value = work
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
    return CoverCounter(named.prepare(stop), method, named.settings, limit, begun, folder)


def describe_progress(work: Any) -> tuple[float | None, str]:
    """Return the explored fraction of a computation, None if unknown, and its progress as text."""
    if not isinstance(work, Resumable):
        return None, str(work)
    return work.progress[:2]


def find_cheapest(
    named: NamedProblem,
    statistics: ThreadStatistics,
    k: int,
    up_to_symmetry: bool | SymmetryGroup,
    stop: Stop,
    start: Sequence[int] = (),
    engine: Engine = "auto",
) -> Covers:
    """Return the cheapest solutions, as `ExactCover.cheapest` does, and store the statistics."""
    from .engines import create_optimizer  # slow
    from .optimizer import ENGINES

    check_choice("engine", engine, ENGINES)
    k = check_integer(k, "k", minimum=1)

    def find(number: int) -> Best:
        uses_own = not start and engine != "highs"
        if uses_own and (small := _find_cheapest_of_all(named, statistics, number, stop)):
            return small
        penalties = named.names.penalties
        if penalties is not None and not call_until(named.priced, stop).has_ended:
            return Best()
        # First of all, because it rejects what has no optimizer
        optimizer = create_optimizer(named, number, stop, start, engine=engine)
        costs, *_ = named.problem.costs_and_bounds
        is_free = not costs.any() and penalties is None
        if uses_own and is_free:  # all are the cheapest
            is_complete = True
            try:
                covers = find_covers(named, statistics, stop, number, order="any")
            except Stopped as stopped:
                covers = stopped.partial
                is_complete = False
            pairs = [(0, options) for options in sorted(covers)]
            bound = None if is_complete and not pairs else 0  # None if there is no cover
            return Best(pairs, bound, is_complete)
        with named.showing(lambda: describe_progress(optimizer)):
            optimizer._advance(stop)
        statistics.value = Statistics(*optimizer.counters())
        statistics.value.method = optimizer.method
        return optimizer._best()

    if up_to_symmetry is False:
        found = find(k)
    else:
        from .orbits import find_cheapest_representatives  # slow

        found = find_cheapest_representatives(find, named, up_to_symmetry, stop, k)
    return as_cheapest(named, found, k)


def _find_cheapest_of_all(
    named: NamedProblem, statistics: ThreadStatistics, k: int, stop: Stop
) -> Best | None:
    """Return the cheapest solutions if a slice of a search finds all solutions, or else None.

    This takes less time than the first steps of an optimizer.
    """
    prepared = named.prepare(stop)
    is_small = prepared.problem.n_options <= MAX_SMALL and named.settings.algorithm == AUTO
    if not (is_small and named.is_plain) or stop():
        return None
    # A slice finds up to FIRST_COVERS, so it never ends because as many as are asked for are found.
    tree = prepared.begin(FIRST_COVERS + 1, prepared.translation)
    if not (tree and tree.is_done):
        return None
    problem = named.problem
    names = named.names
    found = tree.found.tolist()
    covers = sorted((plan_cost(problem, names, options), options) for options in found)[:k]
    _, nodes, updates = tree.counters.tolist()
    statistics.value = Statistics(len(covers), nodes, updates)
    return Best(covers, covers[-1][0] if covers else None, True)
