"""Batches of variations of an exact cover problem: their conditions, and their results."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from copy import copy
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from typing import Any, Generic, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ..kernels.batch.search import POSSIBLE, BatchSearch, VariationResults
from ..kernels.batch.variations import Variations
from ..kernels.problem import Problem, select_options, usable_by_kernels
from ..runtime.arguments import check_choice
from ..runtime.batches import WorkerThreads, check_threads, run_tasks, split_rows
from ..runtime.choices import Order
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop
from ..runtime.job import run
from ..runtime.showing import counting
from ..runtime.tables import ArrayFields, RowTable
from ..runtime.text import plural, shorten
from ..search.branch_and_bound import ComponentOptimizer
from ..search.node_tasks import NodeTask
from ..search.portfolio import CoverPortfolio, updates_alone
from ..search.prepared import PreparedProblem
from ..search.thread_runner import check_limit
from .covers import MAX_SHOWN, Cover, as_cover
from .engines import create_optimizer
from .iterables import as_list, as_names, reject_mask
from .name_types import NameT
from .named_problem import NamedProblem
from .names import ContradictionError, Cost, Names, Numbers, option_numbers
from .spelling import simplify_names, suggest
from .subsets import easier

PARTS_PER_THREAD = 8  # balances the load
MAX_ROWS_PER_PART = 8192
# With order="any", a variation is first searched for 1 / 2 ** FIRST_TRY_BITS of the updates after
# which `first` has other methods take turns (`updates_alone`). If that does not suffice for some
# variations, a cover of the problem itself, the model, is sought in MODEL_ROUNDS of the portfolio,
# as covers of variations are mostly near it.
FIRST_TRY_BITS = 3
MODEL_ROUNDS = 32
# A plan of the problem itself, and a bound on the cost of any, are sought in about this number of
# nodes: most variations have a cover near that plan, and many have one of the same cost.
MODEL_NODES = 32

# Arrays of option numbers or Booleans; or for each variation, options by number or name
BatchOptions = NDArray[np.integer] | NDArray[np.bool_] | Iterable[Iterable[Hashable]]

# A list of numbers for each variation: the start (N + 1,) of each list, and all numbers
Lists = tuple[NDArray[np.int64], NDArray[np.int32]]


@dataclass(frozen=True, eq=False, repr=False)
class CoverBatch(ArrayFields, RowTable, Generic[NameT]):
    """The result for N variations of a problem; row k belongs to variation k.

    `ExactCover.solve_batch` and `ExactCover.cheapest_batch` create it.

    Parameters
    ----------
    counts : ndarray of int64, shape (N,)
        The number of covers, up to the limit; 1 for the cheapest cover. -1 if the search is
        unfinished.
    nodes : ndarray of int64, shape (N,)
        The number of nodes of the search tree; 0 if the conditions contradict each other.
    covers : list of (Cover or None)
        The first or the cheapest cover of each variation as sorted option numbers, given options
        included; None if there is none, or the search is unfinished. If the search for a cheapest
        cover is unfinished, it is the best cover known.
    bounds : list of (int, float or None), optional
        The bound on the cost of each variation, as `Covers.bound` of `cheapest`.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> batch = ExactCover([["a"], ["a"], ["b"]]).solve_batch(given=[[0], [0, 1]])
    >>> batch
    <CoverBatch: 2 variations, 1 with a cover, 1 without a cover>
    >>> len(batch), batch.counts, batch.covers[0]
    (2, array([1, 0]), [0, 2])
    """

    counts: NDArray[np.int64]
    nodes: NDArray[np.int64]
    covers: list[Cover[NameT] | None]
    bounds: list[Cost | None] | None = None

    def __len__(self) -> int:
        return len(self.counts)

    def _columns(self) -> dict[str, Any]:
        names = [None if cover is None else cover.names for cover in self.covers]
        columns = {"count": self.counts, "nodes": self.nodes, "cover": self.covers, "names": names}
        if self.bounds is None:
            return columns
        costs = [None if cover is None else cover.cost for cover in self.covers]
        return {**columns, "cost": costs, "bound": self.bounds}

    def _repr_html_(self) -> str:
        from ..pictures.html import paragraph, table  # only notebooks need HTML

        texts = ["unfinished" if n < 0 else f"{n:,}" for n in self.counts[:MAX_SHOWN].tolist()]
        covers = ["" if cover is None else shorten(str(cover)) for cover in self.covers[:MAX_SHOWN]]
        rows = zip(range(MAX_SHOWN), texts, covers, strict=False)
        return table(["variation", "covers", "first cover"], rows) + paragraph(self._summary())

    def __repr__(self) -> str:
        return f"<CoverBatch: {self._summary()}>"

    def _summary(self) -> str:
        signs = np.sign(self.counts)
        kinds = {1: "with a cover", 0: "without a cover", -1: "unfinished"}
        numbers = {kind: np.count_nonzero(signs == sign) for sign, kind in kinds.items()}
        parts = [f"{number:,} {kind}" for kind, number in numbers.items() if number]
        return ", ".join([plural(len(self), "variation"), *parts])


class Conditions(NamedTuple):
    """The conditions of all variations of a batch; None for those that are not given."""

    given: object
    forbidden: object
    covered: object = None
    costs: Any = None


def encode_option_lists(values: object, problem: Problem, names: Names, name: str) -> Lists:
    """Return the options of each variation, which `ExactCover.solve_batch` describes.

    Parameters
    ----------
    values : ndarray or iterable
        An array of numbers or a mask; or for each variation an iterable of numbers or names.
    problem : Problem
    names : Names
    name : str
        The name of the argument in error messages.

    Raises
    ------
    TypeError, ValueError
        If an array has a wrong type or shape, or an option does not exist. The message has the
        number of the variation.
    """
    if isinstance(values, np.ndarray):
        return _encode_array(values, problem, names, name)
    rows = _as_rows(values, name, "options")
    try:
        if names.has_integers:  # then the type of a row says whether its integers are numbers
            numbers = (option_numbers(row, problem, names) for row in rows)
            return _join_lists([*chain.from_iterable(numbers)], rows)
        return _join_lists(option_numbers(chain.from_iterable(rows), problem, names), rows)
    except ValueError:
        for k, row in enumerate(rows):  # again, one by one: a message with the variation's number
            option_numbers(row, problem, names, f"variation {k}: {name}: ")
        raise


def _encode_array(values: NDArray[Any], problem: Problem, names: Names, name: str) -> Lists:
    """Return the options in an array of numbers or a mask, as `encode_option_lists` does.

    Its rows are the variations. Negative numbers fill up rows with fewer options, and are kept:
    `Variations` skips them.
    """
    n_options = len(names.options)
    is_mask = values.dtype == np.bool_
    if not is_mask and values.dtype.kind not in "iu":
        raise TypeError(f"{name}: an array must have integers or Booleans, not {values.dtype}")
    reject_mask(values, name)
    if values.ndim != 2 or (is_mask and values.shape[1] != n_options):
        shape = f"(variations, {n_options:,})" if is_mask else "(variations, options)"
        raise ValueError(f"{name}: the array must have the shape {shape}, not {values.shape}")
    n_rows, length = values.shape
    if is_mask:
        row_of, options = np.nonzero(values)  # by row, so a search for a row returns its start
        return np.searchsorted(row_of, np.arange(n_rows + 1)), options.astype(np.int32)
    if values.size and values.max() >= n_options:
        k, column = np.argwhere(values >= n_options)[0].tolist()
        option_numbers([values[k, column]], problem, names, f"variation {k}: {name}: ")  # raises
    if values.dtype.kind == "i":  # negative numbers might not fit into int32
        values = np.maximum(values, -1)
    return np.arange(n_rows + 1) * length, values.astype(np.int32).ravel()


def encode_item_lists(
    values: object,
    items: Sequence[Hashable],
    items_left: Sequence[Hashable],
    excluded: Container[Hashable],
) -> Lists:
    """Return the items that each variation regards as covered, numbered as in `Variations`.

    Items that no longer remain in the problem are left out.

    Parameters
    ----------
    values : iterable
        For each variation an iterable of items.
    items, items_left : sequence of hashable
        All items, and those that remain in the problem.
    excluded : container of hashable
        The items of options that each cover contains. They are encoded as 0, and a variation that
        regards one as covered has no cover.

    Raises
    ------
    TypeError, ValueError
        If there is no such item. The message has the number of the variation.
    """
    number_of = dict[Hashable, int | None].fromkeys(items)  # None: no longer in the problem
    number_of |= {item: k for k, item in enumerate(items_left, 1)}
    numbers: list[list[int]] = []
    for k, row in enumerate(_as_rows(values, "covered", "items")):
        numbers.append([])
        for item in as_names(row, f"variation {k}: covered"):
            if item not in number_of:
                hint = suggest(item, simplify_names(items))
                raise ValueError(f"variation {k}: covered: there is no item named {item!r}{hint}")
            number = 0 if item in excluded else number_of[item]
            if number is not None:
                numbers[-1].append(number)
    return _join_lists(chain.from_iterable(numbers), numbers)


def _as_rows(values: object, name: str, elements: str) -> list[list[Any]]:
    """Return an iterable of iterables as lists."""
    rows = as_list(values, name, "variations")
    return [as_list(row, f"variation {k}: {name}", elements) for k, row in enumerate(rows)]


def _join_lists(numbers: Iterable[int], lists: Sequence[Sequence[object]]) -> Lists:
    """Return consecutive numbers as lists that have the same lengths as `lists`."""
    start = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return start, np.fromiter(numbers, np.int32, int(start[-1]))


def _start(
    named: NamedProblem, stop: Stop, conditions: Conditions
) -> tuple[BatchSearch, Variations]:
    """Return what searches the variations of a batch, and their conditions.

    If variations regard items as covered, the problem is not simplified, because simplifications
    assume that all items have to be covered.

    Raises ValueError if there are no conditions, or two have different lengths.
    """
    problem = named.problem
    covered_items = None
    covered = conditions.covered
    search = named.prepare(stop, simplifies=covered is None).batch_search(problem.n_options)
    if covered is not None:
        nodes = np.isin(problem.option_of_node(), search.given)  # of options in each cover
        excluded = {named.names.items[item] for item in problem.items[nodes].tolist()}
        items = named.names.items
        covered_items = encode_item_lists(covered, items, named.items_left, excluded)
    return search, encode_variations(named, conditions, "covered", covered_items)


def no_numbers(n_variations: int) -> Lists:
    """Return lists without numbers."""
    return np.zeros(n_variations + 1, np.int64), np.zeros(0, np.int32)


def encode_variations(
    named: NamedProblem, conditions: Conditions, third: str, covered: Lists | None
) -> Variations:
    """Return the conditions of variations as arrays.

    Parameters
    ----------
    named
        The problem.
    conditions
        Only the given and the forbidden options are read.
    third
        The name of the third condition in messages: "covered" or "costs".
    covered
        The items that each variation regards as covered. With "costs", empty lists, which only say
        how many variations there are.

    Raises
    ------
    ValueError
        If there are no conditions, or the numbers of variations differ.
    TypeError, ValueError
        As `encode_option_lists`.
    """
    lists: dict[str, Lists] = {}  # of the conditions that there are
    for name in ("given", "forbidden"):
        if (values := getattr(conditions, name)) is not None:
            lists[name] = encode_option_lists(values, named.problem, named.names, name)
    if covered is not None:
        lists[third] = covered
    if not lists:
        raise ValueError(f"a batch needs given, forbidden or {third}, one entry per variation")
    lengths = {name: len(start) - 1 for name, (start, _) in lists.items()}
    n_variations, *others = set(lengths.values())
    if others:
        numbers = ", ".join(f"{name} has {length:,}" for name, length in lengths.items())
        raise ValueError(f"the numbers of variations differ: {numbers}")
    names = ("given", "forbidden", third)
    first, second, last = (lists.get(name) or no_numbers(n_variations) for name in names)
    return Variations(*first, *second, *last)


def _unfinished(
    variations: Variations,
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[Cover | None]]:
    """Return the counts, nodes and covers of a batch before any search."""
    n = variations.n_variations
    return np.full(n, -1), np.zeros(n, np.int64), [None] * n


def _showing(named: NamedProblem, counts: NDArray[np.int64]) -> AbstractContextManager[None]:
    """Show how many variations are finished, as the settings say."""
    progress = named.settings.progress
    return counting(progress, lambda: int(np.count_nonzero(counts >= 0)), len(counts), "variation")


def find_possible(named: NamedProblem, stop: Stop) -> NDArray[np.bool_]:
    """Return which options occur in covers, as `ExactCover.possible_options` does."""
    named = easier(named, stop)
    search, variations = _start(named, stop, Conditions([[]], None))  # one, without conditions
    # If the first search, for up to two covers, finds only one, no further search is needed.
    result = search.search(2, is_marking=True, variations=variations, stop=stop)
    if result.counts[0] < 0:
        raise Stopped("stopped before the possible options were known")
    possible: NDArray[np.bool_] = result.possible[0] == POSSIBLE
    # With fixed symmetries, `possible` is that of rows. An option without a row has the row -1,
    # which is the element that is appended.
    return possible if named.fixed is None else np.append(possible, False)[named.fixed.row_of]


def solve_batch(
    named: NamedProblem,
    conditions: Conditions,
    limit: int | None,
    order: Order,
    stop: Stop,
) -> CoverBatch:
    """Find up to `limit` covers of each variation, as `ExactCover.solve_batch` does.

    Parameters
    ----------
    named
        The problem.
    conditions
        Without costs.
    limit, order, stop
        As for `ExactCover.solve_batch`.
    """
    check_choice("order", order, get_args(Order))
    wanted = check_limit(limit, "limit", minimum=1)
    batch = _Batch(named.unfixed("solve_batch"), conditions, wanted, stop)
    # `search_near_model` knows no covered items, and lists the covers of a variation one by one.
    is_any = order == "any" and limit is not None and conditions.covered is None
    max_updates = updates_alone(named.prepare(stop)) >> FIRST_TRY_BITS if is_any else None
    with _showing(named, batch.counts):
        batch.search_all(max_updates)
        late = np.flatnonzero(batch.counts < 0).tolist()  # unfinished after `max_updates`
        if is_any and late and not stop():
            batch.search_near_model(late)
    return CoverBatch(batch.counts, batch.nodes, batch.covers)


class _Batch:
    """The variations of a batch, the search for up to `wanted` covers of each, and its results."""

    def __init__(
        self, named: NamedProblem, conditions: Conditions, wanted: int, stop: Stop
    ) -> None:
        self.named = named
        self.wanted = wanted
        self.stop = stop
        self.n_threads = check_threads(named.settings.threads)
        self.search, self.variations = _start(named, stop, conditions)
        self.counts, self.nodes, self.covers = _unfinished(self.variations)

    def search_all(self, max_updates: int | None) -> None:
        """Search the variations, each up to a number of updates, in threads or by tasks.

        The positional False of the task is `is_marking`: only covers are needed.
        """
        task = partial(self.search.search, self.wanted, False, max_updates=max_updates)
        variations = self.variations
        stop = self.stop
        n_rows = variations.n_variations
        if (executor := self.named.settings.executor) is not None:

            def send(rows: slice) -> Future[VariationResults]:
                return executor.submit(_run_task, task, variations.part(rows), stop.seconds_left())

            # `run_tasks` cancels its stop at the end.
            for rows, result in run_tasks(executor, send, n_rows, copy(stop)):
                self._store(rows, result)
            return
        n_parts = max(PARTS_PER_THREAD * self.n_threads, -(-n_rows // MAX_ROWS_PER_PART))
        with WorkerThreads(self.n_threads, stop) as workers:
            workers.run_parts(
                lambda rows: self._store(rows, task(variations.part(rows), stop)),
                split_rows(n_rows, n_parts),
            )

    def _store(self, rows: slice, result: VariationResults) -> None:
        """Store the results of some variations, whose covers get the options given for all."""
        self.counts[rows] = result.counts
        self.nodes[rows] = result.nodes
        options = result.found.tolist()
        ends = np.cumsum(result.lengths).tolist()
        for k, bounds in enumerate(pairwise([0, *ends]), rows.start):
            if self.counts[k] > 0:
                cover = sorted(options[slice(*bounds)] + self.search.given)
                self.covers[k] = as_cover(self.named, cover)

    def search_near_model(self, rows: list[int]) -> None:
        """Find covers of variations near one of the problem itself, by the methods of `first`."""
        components = self.named.prepare(self.stop).components
        portfolio = CoverPortfolio(components, n_threads=self.n_threads)
        run(portfolio, self.stop, 1, max_steps=len(components) + MODEL_ROUNDS)
        models = portfolio.take()
        if portfolio.done and not models:  # without a cover of the problem, no variation has any
            self.counts[rows] = 0
        elif not self.stop():
            with WorkerThreads(self.n_threads, self.stop) as workers:
                workers.run_parts(partial(self._find_near, [*chain(*models)]), rows)

    def _find_near(self, model: list[int], k: int) -> None:
        """Find covers of a variation near a cover of the problem, and store them.

        The `model` is that cover, or empty if none is known. It is a cover of the variation itself
        if it meets its conditions. If the search is stopped, the variation stays unfinished.
        """
        given, forbidden = self.variations.options(k)
        covers = [model]
        n_nodes = 0
        is_met = set(given) <= set(model) and set(forbidden).isdisjoint(model)
        if self.wanted > 1 or not model or not is_met:
            given = Numbers([*self.search.given, *given])
            forbidden = Numbers([*self.named.forbidden, *forbidden])
            changed = self.named.changed(given=given, forbidden=forbidden, presolve=False)
            prepared = changed.prepare(self.stop)
            covers, n_nodes = _find_covers_near(prepared, model, self.wanted, self.stop)
            if len(covers) < self.wanted:  # there may be others, far from the model
                portfolio = CoverPortfolio(prepared.components)
                if not run(portfolio, self.stop, self.wanted):
                    return
                covers = [*portfolio.take()]
                n_nodes += portfolio.counters().nodes
        self.covers[k] = as_cover(self.named, covers[0]) if covers else None
        self.nodes[k] = n_nodes
        self.counts[k] = len(covers)


def _find_covers_near(
    prepared: PreparedProblem, model: list[int], wanted: int, stop: Stop
) -> tuple[list[list[int]], int]:
    """Return up to `wanted` covers near a model, and the number of nodes.

    The `model` is a cover of a similar problem. An optimizer seeks covers of any cost in growing
    neighborhoods of it, until all of its options but a few are free (`is_starting`), and may find
    none although there are some.
    """
    used = prepared.problem.usable_options()
    # The options of the model that remain
    start = used[np.isin(prepared.numbers[used], model)].tolist()
    problem = select_options(prepared.problem, used)._replace(cost=None)
    component = ComponentOptimizer(problem, used, wanted, start=start)
    while component.is_starting and len(component.result.covers) < wanted and not stop():
        task = NodeTask(component, component.pop())
        task.run(stop)
        task.merge()
    covers = [prepared.solution([*cover]) for _, cover in component.result.covers]
    _, n_nodes, _ = component.counters.tolist()
    return covers, n_nodes


def _run_task(
    task: Callable[[Variations, Stop], VariationResults], variations: Variations, seconds: float
) -> VariationResults:
    """Search variations in the worker of an executor that runs this task, and return the results.

    `seconds` are those that are left of the time limit.
    """
    return task(usable_by_kernels(variations), Stop(seconds))


def solve_variations(
    named: NamedProblem, conditions: Conditions, start: Sequence[int], stop: Stop
) -> CoverBatch:
    """Return the cheapest solution of each variation, as `ExactCover.cheapest_batch` does.

    `start` has the numbers of options near which solutions are sought. If it is empty, those of the
    best plan of the problem itself are taken.
    """
    costs = conditions.costs
    n_threads = check_threads(named.unfixed("cheapest_batch").settings.threads)
    empty_lists = None
    if costs is not None:
        costs = as_list(costs, "costs", "the costs of each variation")
        empty_lists = no_numbers(len(costs))  # their number is compared with those of conditions
    variations = encode_variations(named, conditions, "costs", empty_lists)
    counts, nodes, covers = _unfinished(variations)
    bounds: list[Cost | None] = [None] * len(counts)
    alone = named.replace(threads=1, executor=None)  # threads solve one variation each
    alone.find_prices(stop)  # computed once, before the threads need them
    optimizer = create_optimizer(named, 1, stop, start)
    run(optimizer, stop, MODEL_NODES)
    model = optimizer.best()  # no solution of the problem costs less than its bound
    plan = [*start] or [number for _, numbers in model.covers for number in numbers]

    def solve(k: int) -> None:
        """Find the cheapest cover of a variation, and store what is known of it."""
        its_costs = None if costs is None else costs[k]
        try:
            given, forbidden = map(Numbers, variations.options(k))
            varied = alone.vary(given, forbidden, None, its_costs, counts=costs is not None)
        except ContradictionError:  # the conditions exclude each other
            counts[k] = 0
        except (TypeError, ValueError) as error:  # invalid costs
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"variation {k}: {error}") from None
        else:
            known = model.lowest if costs is None else None  # with other costs, it is no bound
            optimizer = create_optimizer(varied, 1, stop, plan, known)
            run(optimizer, stop)
            best = optimizer.result
            nodes[k] = optimizer.counters().nodes
            covers[k] = next(iter(best), None)
            bounds[k] = best.bound
            counts[k] = len(best) if best.done else -1

    with _showing(named, counts), WorkerThreads(n_threads, stop) as workers:
        workers.run_parts(solve, range(len(counts)))
    return CoverBatch(counts, nodes, covers, bounds)
