"""The class `ExactCover`: exact cover problems and their solutions."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.algorithms import AUTO, Algorithm
from ..kernels.state import UNLIMITED
from ..runtime.arguments import check_choice
from ..runtime.batches import check_workers
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop, StopEvent
from ..runtime.resources import memory_limit
from ..runtime.text import plural
from ..search.limits import check_limit
from ..search.search import MAX_ITERATED, Search, choose_threads, run_unshared
from .counting import CoverCounter, Method, PartCounter, Statistics, check_method
from .diagram import CoverDiagram
from .diagram_builder import DiagramBuilder
from .encode import (
    Costs,
    Multiplicity,
    Options,
    encode_problem,
)
from .explained import Explained
from .iterables import as_list
from .optimizer import CheapestCovers, CoverOptimizer
from .orbits import find_cheapest_representatives, find_representatives
from .prepare import (
    Choose,
    OptionNumbers,
    prepare,
    select,
    start,
)
from .product import CoverProduct
from .searchable_problem import SearchableProblem
from .subproblems import ORDERS
from .symmetry import SymmetryGroup

if TYPE_CHECKING:
    from ..kernels.batch.search import BatchSearch
    from .batch import BatchOptions, Conditions, CoverBatch


class ExactCover(Explained, SearchableProblem):
    """An exact cover problem: choose options such that each primary item is in exactly one.

    A multiplicity changes the number of chosen options that contain a primary item. A secondary
    item is in at most one chosen option, or in several that all give it the same color.

    Parameters
    ----------
    options : iterable of iterables of hashable, mapping, or DataFrame
        The items of each option. A pair (item, color) is a secondary item with a color, unless the
        pair itself is an item. An option without primary items is never chosen. The keys of a
        mapping are the names of the options; see `option_names` and `names`. A pandas DataFrame
        contains zeros and ones; its columns are the items, its rows are the options, and the labels
        of its rows are their names, unless these are integers.
    items : iterable of hashable, optional
        The primary items, in the order in which "leftmost" branches on them. By default, these are
        all items that appear in options and are not secondary, in order of appearance. An item
        without options makes the problem unsolvable.
    secondary : iterable of hashable, optional
        The items that need not be covered. They may also be listed in `items`.
    multiplicity : mapping, optional
        The number of chosen options that contain a primary item: for each item, an integer or a
        pair (low, high) of bounds. Items that are not listed are covered once.
    costs : array_like of int, shape (options,), or mapping, optional
        The nonnegative cost of each option; see `cheapest` and `cost`. A mapping lists options by
        number or name; all others cost 0.
    choose : str or sequence of hashable, default: "smallest"
        The branching rule, which determines the order of the solutions:

        - "smallest": the item with the fewest options left, the first one in case of a tie;
        - "leftmost": the first item that is not covered;
        - "random": as "smallest", with ties broken at random, and the options in random order;
        - "sharp": an item with one option if there is any, then the smallest item whose name
          begins with "#", then the smallest of the others;
        - a list of primary items: "leftmost" with these items first, in this order.
    seed : int, optional
        The seed for random choices. By default, it is drawn at random.
    presolve : bool, default: False
        Whether to remove options and items that cannot affect the covers before the search. The
        attribute `presolved` states what was removed.
    given, forbidden : iterable of hashable, optional
        The options that each solution must contain, and that no solution may contain. Integers are
        the numbers of options, anything else is a name.
    algorithm : {"auto", "links", "bitset", "dense", "dense-python"}, default: "auto"
        How to search. All algorithms find the same solutions in the same order. "links" uses
        dancing links, and "bitset" uses bitmaps of options, which are faster if the search is long
        and the problem dense. "auto" chooses one of these two. "dense" is Algorithm X on a dense
        array of options and items, and "dense-python" is the same program without compilation;
        they are slower, and serve as a comparison: without threads, executors, checkpoints,
        splitting and estimates. Only "links" and "auto" support multiplicities and `cheapest`.

    Attributes
    ----------
    problem : Problem
        The problem in numbers, as stated: its options, multiplicities and costs.
    items, colors : sequence of hashable
        The items, primary items first, and the colors in order of appearance.
    option_names : sequence of hashable
        The name of each option, or its number if it has none.
    n_items, n_options : int
        The numbers of items and options.
    choose, seed, algorithm
        The branching rule, the seed and the algorithm. If no seed was given, this is the one that
        was drawn. What "auto" chooses at the first search is `search().algorithm`.

    Raises
    ------
    ValueError
        If an option contains an item twice or an unknown item, or gives a primary item a color; if
        an item is listed twice; if the name of an option is the number of another one; if a
        multiplicity, a cost, `choose` or a given or forbidden option is invalid; if given options
        exclude each other; if the algorithm is unknown, does not support the problem or needs too
        much memory; or if int32 cannot index the nodes.
    TypeError
        If an argument or an option has a wrong type: a string instead of a list, an item that
        cannot be hashed, or a number that is not an integer.

    Notes
    -----
    If a problem of 16 or more items falls apart, because no option connects some items with others,
    then `first`, `solve`, `count` and iteration search its parts one by one, and combine their
    covers: the cover of the last part varies fastest. `search` searches the problem as a whole.

    Solutions are sorted lists of option numbers, from 0, in the order of the search, which is the
    same in each run with the same seed. A problem without primary items has one solution, the
    empty one.

    A problem is immutable. Any number of threads may use it at the same time: each call works on
    its own state.

    The algorithms are those of Knuth [1]_: X, C and M with dancing links, and P for presolving.

    References
    ----------
    .. [1] D. E. Knuth, The Art of Computer Programming, Volume 4B, Section 7.2.2.1.

    Examples
    --------
    >>> cover = ExactCover([["c", "e"], ["a", "d", "g"], ["b", "c", "f"], ["a", "d", "f"],
    ...                     ["b", "g"], ["d", "e", "g"]])
    >>> cover.first()
    [0, 3, 4]
    >>> cover.count()
    1
    >>> cover.statistics
    Statistics(solutions=1, nodes=4, updates=28)

    Options can have names:

    >>> cover = ExactCover({"S1": ["A"], "S2": ["A", "B"], "S3": ["B", "C"]})
    >>> cover.names(cover.first())
    ['S1', 'S3']

    Cover three cells in a row with a domino and a single cell. If the single cell is secondary, it
    may be omitted:

    >>> options = [["domino", 0, 1], ["domino", 1, 2], ["single", 0], ["single", 2]]
    >>> ExactCover(options).solve()
    [[0, 3], [1, 2]]
    >>> ExactCover(options, items=["domino"], secondary=["single", 0, 1, 2]).solve()
    [[0], [1]]

    Two words cross in a cell. The cell is a secondary item, the letters are its colors:

    >>> options = [["across", ("cell", "A")], ["across", ("cell", "B")],
    ...            ["down", ("cell", "B")], ["down", ("cell", "C")]]
    >>> ExactCover(options, secondary=["cell"]).solve()
    [[1, 2]]

    Choose two or three of four helpers, but not both Ann and Bob:

    >>> options = [["help", "ann or bob"], ["help", "ann or bob"], ["help"], ["help"]]
    >>> ExactCover(options, multiplicity={"help": (2, 3), "ann or bob": (0, 1)}).count()
    7
    """

    def __init__(
        self,
        options: Options,
        items: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] = (),
        *,
        multiplicity: Multiplicity | None = None,
        costs: Costs | None = None,
        choose: Choose = "smallest",
        seed: int | None = None,
        presolve: bool = False,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        algorithm: Algorithm = "auto",
    ) -> None:
        if not isinstance(choose, str):
            choose = as_list(choose, "choose", "items")
        problem, names = encode_problem(options, items, secondary, multiplicity, costs)
        self._store(problem, names)
        self._store_search(choose, seed, presolve, given, forbidden, algorithm)
        self._batch_searches: dict[bool, BatchSearch] = {}  # whether they are presolved
        self._statistics = threading.local()

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to be pickled, without those that searches recompute."""
        state = {**vars(self), "_prepared": None, "_whole": None, "_parts": None}
        state["_batch_searches"] = {}
        del state["_statistics"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._statistics = threading.local()

    @property
    def statistics(self) -> Statistics:
        """The work of the last call of `first`, `solve`, `count` or `cheapest` in this thread.

        An iteration counts as a call when it ends.

        Examples
        --------
        >>> cover = ExactCover([["a"], ["a"]])
        >>> cover.solve(), cover.statistics
        ([[0], [1]], Statistics(solutions=2, nodes=1, updates=1))
        """
        return getattr(self._statistics, "value", Statistics(0, 0, 0))

    def first(
        self, *, seconds: float | None = None, stop: StopEvent | None = None
    ) -> list[int] | None:
        """Return the first solution in the order of the search, or None if there is none.

        Parameters
        ----------
        seconds, stop
            As for `solve`.

        Returns
        -------
        list of int or None
            Sorted option numbers.

        Raises
        ------
        Stopped
            If the call ends before a solution is found; `partial` is None.

        Examples
        --------
        >>> ExactCover([["a"], ["b"]]).first(), ExactCover([["a"]], items=["a", "b"]).first()
        ([0, 1], None)
        """
        n_threads = choose_threads(None, self._prepare().spec)
        product = CoverProduct(self._start_parts())
        solution = next(product.covers(Stop(seconds, stop), 1, n_threads), None)
        self._statistics.value = Statistics(int(solution is not None), *product.counters()[1:])
        if solution is None and product.is_stopped:
            raise Stopped("stopped before a solution was found")
        return solution

    def solve(
        self,
        limit: int | None = None,
        *,
        threads: int | None = None,
        executor: Executor | None = None,
        seconds: float | None = None,
        stop: StopEvent | None = None,
        up_to_symmetry: bool | SymmetryGroup = False,
    ) -> list[list[int]]:
        """Return all solutions, or up to `limit`, in the order of the search.

        Parameters
        ----------
        limit : int, optional
            The largest number of solutions.
        threads : int, optional
            The number of threads, by default that of the processors; see `Search.run`. It does not
            affect the solutions or their order, except for random choices.
        executor : concurrent.futures.Executor, optional
            Search in tasks of this executor instead of threads; see `Search.run`.
        seconds : float, optional
            The time limit.
        stop : StopEvent, optional
            An object with a method `is_set`, such as `threading.Event`. The call ends soon after it
            is set.
        up_to_symmetry : bool or SymmetryGroup, default: False
            Whether to return only one of all solutions that are images of each other under a group:
            the lexicographically smallest list. True stands for all symmetries of the problem.

        Returns
        -------
        list of list of int
            Sorted option numbers for each solution.

        Raises
        ------
        Stopped
            If the time limit or `stop` ends the call; `partial` is a list of the solutions found.
        ValueError
            If `limit` is negative or `threads` is less than 1, or the group belongs to another
            problem or is too large; see `symmetries`.

        Examples
        --------
        >>> ExactCover([["a"], ["a"], ["b"]]).solve()
        [[0, 2], [1, 2]]
        """
        wanted = check_limit(limit, "limit")
        n_threads = choose_threads(threads, self._prepare().spec, executor)
        condition, group = Stop(seconds, stop), self._group(up_to_symmetry)
        workers = n_threads, executor
        search: Search | CoverProduct
        if group is not None:
            search, select_smallest = self._search_orbits(group)
            covers, is_complete = find_representatives(
                search, select_smallest, condition, wanted, *workers
            )
        elif len(self._prepare().parts) == 1:
            search = self.search()
            covers, _, is_complete = run_unshared(
                search, condition, wanted, collects=True, n_threads=n_threads, executor=executor
            )
        else:
            search = CoverProduct(self._start_parts())
            covers = list(islice(search.covers(condition, wanted, *workers), wanted))
            is_complete = not search.is_stopped
        self._statistics.value = Statistics(len(covers), *search.counters()[1:])
        if not is_complete:
            raise Stopped(f"stopped after {plural(len(covers), 'solution')}", covers)
        return covers

    def count(
        self,
        limit: int | None = None,
        *,
        threads: int | None = None,
        executor: Executor | None = None,
        method: Method = "auto",
        memory: int | None = None,
        seconds: float | None = None,
        stop: StopEvent | None = None,
        up_to_symmetry: bool | SymmetryGroup = False,
    ) -> int:
        """Return the number of solutions, or `limit` if there are more.

        To resume a count that was interrupted, use `counter` or `search`.

        Parameters
        ----------
        limit, threads, executor
            As for `solve`.
        method : {"auto", "search", "memo"}, default: "auto"
            "search" finds all solutions. "memo" enters each distinct subproblem once, which may be
            faster by orders of magnitude; `statistics` then has the numbers of distinct subproblems
            and of lookups. "auto" tries a memo if a search takes long, and continues with the
            faster one. A limit, several threads, an executor, multiplicities, and the algorithms
            "dense" and "dense-python" imply a search.
        memory : int, optional
            The number of bytes that the memo may use, by default half of the free memory. When it
            is full, counting continues with what is stored.
        seconds, stop
            As for `solve`.
        up_to_symmetry : bool or SymmetryGroup, default: False
            Whether solutions that are images of each other under a group count once, by Burnside's
            lemma. True stands for all symmetries of the problem.

        Returns
        -------
        int

        Raises
        ------
        Stopped
            If the time limit or `stop` ends the call; `partial` is the number of solutions found;
            up to symmetry, it is a lower bound.
        ValueError
            If `limit` or `memory` is negative, `threads` is less than 1, the method is unknown, or
            "memo" is requested together with anything that implies a search. Up to symmetry, if
            there is a limit, or as `solve` does.

        Examples
        --------
        >>> cover = ExactCover([["a"], ["a"], ["b"]])
        >>> cover.count(), cover.count(limit=1)
        (2, 1)
        """
        check_method(method)
        is_search = limit is not None or threads not in (None, 1) or executor is not None
        if method == "memo" and is_search:
            raise ValueError("the method 'memo' cannot have a limit, threads or an executor")
        condition = Stop(seconds, stop)
        if (group := self._group(up_to_symmetry)) is not None:
            if limit is not None:
                raise ValueError("a count up to symmetry cannot have a limit")
            arguments = "search" if is_search else method, memory, threads, executor
            orbit_counter = self._count_orbits(group, *arguments)
            orbit_counter._run(condition)
            self._statistics.value = Statistics(*orbit_counter.counters())
            if not orbit_counter.done:
                raise Stopped(f"stopped: {orbit_counter}", orbit_counter.count)
            return orbit_counter.count
        wanted = check_limit(limit, "limit")
        n_threads = choose_threads(threads, self._prepare().spec, executor)
        method = "search" if is_search else method
        counter = self._counter(method, memory, n_threads, executor, wanted)
        counter._run(condition)
        self._statistics.value = Statistics(*counter.counters())
        if not counter.done:
            raise Stopped(f"stopped after {plural(counter.count, 'solution')}", counter.count)
        return counter.count

    def counter(
        self, method: Method = "auto", memory: int | None = None, *, threads: int | None = None
    ) -> CoverCounter:
        """Create a counter of the solutions, which can be run for some time and resumed.

        Parameters
        ----------
        method, memory
            As for `count`.
        threads : int, optional
            The number of threads of a search, as for `count`. It does not imply a search.

        Returns
        -------
        CoverCounter

        Raises
        ------
        ValueError
            As `count` does.

        Examples
        --------
        >>> counter = ExactCover([["a"], ["a"], ["b"]]).counter("memo")
        >>> counter.run(seconds=1), counter.count
        (True, 2)
        """
        check_method(method)
        return self._counter(method, memory, choose_threads(threads, self._prepare().spec))

    def _counter(
        self,
        method: Method,
        memory: int | None,
        n_threads: int | None,
        executor: Executor | None = None,
        limit: int = UNLIMITED,
    ) -> CoverCounter:
        """Return a counter of up to `limit` solutions."""
        arguments = method, memory, n_threads, executor, limit
        return CoverCounter([PartCounter(part, *arguments) for part in self._start_parts()], limit)

    def solve_batch(
        self,
        *,
        given: BatchOptions | None = None,
        forbidden: BatchOptions | None = None,
        covered: Iterable[Iterable[Hashable]] | None = None,
        limit: int | None = 1,
        threads: int | None = None,
        executor: Executor | None = None,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> CoverBatch:
        """Solve variations of the problem, each with conditions of its own.

        The problem is prepared once, and thousands of variations are searched without returning to
        Python. This is much faster than a separate `ExactCover` for each of them.

        Parameters
        ----------
        given, forbidden : iterable or ndarray, optional
            For each variation, the options that its covers must contain, and those that they may
            not contain: an iterable of option numbers or names. An ndarray has the shape (N, k)
            with option numbers, where negative numbers are skipped, so that rows can be padded; or
            (N, options) with Booleans. Anything else is a sequence with an iterable for each
            variation, in which tuples are names.
        covered : iterable of iterables of hashable, optional
            For each variation, the items that are regarded as covered. This excludes all options
            that contain one of them.
        limit : int, optional
            The number of covers at which the search of a variation ends; None counts all covers.
        threads : int, optional
            The number of threads, by default that of the processors. It does not affect the result.
        executor : concurrent.futures.Executor, optional
            Search in tasks of this executor instead of threads. It is not shut down.
        seconds, stop
            As for `solve`. Variations that are not finished by then have the count -1.

        Returns
        -------
        CoverBatch
            The arrays `counts` (N,) and `nodes` (N,) of int64, and the sequence `covers`, which has
            the first cover of each variation. If the conditions of a variation contradict each
            other or those of the problem, its count is 0.

        Raises
        ------
        ValueError
            If an option or item does not exist, where the message has the number of the variation,
            from 0; if no argument has the conditions, or two have different lengths; if another
            argument is invalid; or if the algorithm is "dense" or "dense-python".
        TypeError
            If an argument has a wrong type.
        Exception
            Any exception of the executor, such as `BrokenProcessPool`.

        Notes
        -----
        With "auto", the problem determines the algorithm, not its variations. The first cover is
        that of an `ExactCover` with the same conditions, except for random choices: each variation
        starts with the same seed. Presolving applies if `covered` is None.

        Examples
        --------
        >>> cover = ExactCover({"S1": ["A"], "S2": ["A", "B"], "S3": ["B"], "S4": ["B"]})
        >>> batch = cover.solve_batch(given=[["S1"], ["S2"], ["S1", "S2"]], limit=None)
        >>> batch.counts, list(batch.covers)
        (array([2, 1, 0]), [[0, 2], [1], None])
        >>> cover.solve_batch(covered=[["A"], ["B"]]).covers[0]
        [2]
        """
        from .batch import run_batch  # loading the kernels takes some milliseconds

        wanted = check_limit(limit, "limit")
        if wanted < 1:
            raise ValueError("limit must be 1 or more, or None to count all covers, not 0")
        n_threads, condition = check_workers(threads, executor), Stop(seconds, stop)
        search, conditions = self._batch(given, forbidden, covered)
        return run_batch(search, conditions, wanted, n_threads, executor, condition)[0]

    def possible_options(
        self, *, seconds: float | None = None, stop: StopEvent | None = None
    ) -> NDArray[np.bool_]:
        """Return which options occur in at least one solution.

        Each search asks for a solution with an option that no solution so far contains, so the
        solutions are not enumerated.

        Parameters
        ----------
        seconds, stop
            As for `solve`.

        Returns
        -------
        ndarray of bool, shape (n_options,)

        Raises
        ------
        Stopped
            If the time limit or `stop` ends the call; `partial` is None.
        ValueError
            If the algorithm is "dense" or "dense-python".

        Examples
        --------
        >>> ExactCover([["a", "b"], ["a"], ["b"], ["b", "c"], ["c"]]).possible_options()
        array([ True,  True,  True,  True,  True])
        >>> ExactCover([["a", "b"], ["b"], ["b", "c"], ["c"]]).possible_options()
        array([ True, False, False,  True])
        """
        from .batch import run_batch

        search, conditions = self._batch([[]], None, None)
        limit = 2  # if there is only one solution, the first search is enough
        stopping = Stop(seconds, stop)
        batch, possible = run_batch(search, conditions, limit, 1, None, stopping, is_marking=True)
        if batch.counts[0] < 0:
            raise Stopped("stopped before the possible options were known")
        return possible.ravel()

    def _batch(self, given: Any, forbidden: Any, covered: Any) -> tuple[BatchSearch, Conditions]:
        """Return what searches the variations of a batch, and their conditions.

        The search for a batch with covered items cannot be presolved: they need not be covered.
        """
        from ..kernels.batch.search import BatchSearch
        from .batch import Conditions, encode_items, encode_options

        problem, names = self.problem, self._names
        self._selected._replace(algorithm=self.algorithm).require_support("batches")
        is_presolved = self._presolve and covered is None
        if is_presolved not in self._batch_searches:
            selected = self._selected, self._remaining_items
            spec, unstarted = start(prepare(*selected, self.algorithm, is_presolved).spec)
            numbers = problem.n_options, spec.option_numbers, spec.given
            self._batch_searches[is_presolved] = BatchSearch(spec.problem, unstarted, *numbers)
        search = self._batch_searches[is_presolved]
        items = None
        if covered is not None:
            nodes = np.isin(problem.option_of_node(), search.given)
            excluded = {names.items[item] for item in problem.items[nodes].tolist()}
            items = encode_items(covered, self._remaining_items, excluded)
        conditions = (
            None if given is None else encode_options(given, problem, names, "given"),
            None if forbidden is None else encode_options(forbidden, problem, names, "forbidden"),
            items,
        )
        return search, Conditions(*conditions)

    def diagram(
        self,
        *,
        order: str | Sequence[Hashable] = "auto",
        memory: int | None = None,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> CoverDiagram:
        """Return all solutions as a directed acyclic graph, without enumerating them.

        The graph has a node for each distinct subproblem, so it may be small even if the number of
        solutions is astronomical.

        Parameters
        ----------
        order : str or sequence of hashable, default: "auto"
            The item that subproblems branch on, which determines their number:

            - "smallest": the item with the fewest options left, the first one in case of a tie;
            - "given": the first item that is not covered, in the order of `items`;
            - "bandwidth": the first item in an order in which neighbors are close to each other;
            - "auto": the one of these three that explores a part of the problem fastest;
            - a list of primary items: the first item, with these items first, in this order.
        memory : int, optional
            The number of bytes that may be used, by default half of the free memory.
        seconds, stop
            As for `solve`.

        Returns
        -------
        CoverDiagram

        Raises
        ------
        Stopped
            If the time limit or `stop` ends the call; `partial` is None.
        MemoryError
            If the memory does not suffice.
        ValueError
            If the problem has multiplicities, or the order is invalid.

        Examples
        --------
        >>> diagram = ExactCover([["a"], ["b"], ["a", "b"]]).diagram()
        >>> diagram.count(), diagram.frequencies()
        (2, [1, 1, 1])
        """
        builder = self.diagram_builder(order=order, memory=memory)
        builder._run(Stop(seconds, stop))
        if not builder.done:
            raise Stopped(f"stopped before the diagram was complete: {builder}")
        return builder.diagram()

    def diagram_builder(
        self, *, order: str | Sequence[Hashable] = "auto", memory: int | None = None
    ) -> DiagramBuilder:
        """Create a builder of a diagram, which can be run for some time and resumed.

        Parameters
        ----------
        order, memory
            As for `diagram`.

        Returns
        -------
        DiagramBuilder

        Raises
        ------
        ValueError
            As `diagram` does.

        Examples
        --------
        >>> builder = ExactCover([["a"], ["a"], ["b"]]).diagram_builder()
        >>> builder.run(seconds=10), builder.diagram().count()
        (True, 2)
        """
        n_bytes, problem = memory_limit(memory), self.problem
        if problem.low is not None:
            raise ValueError("a problem with multiplicities has no diagram")
        if isinstance(order, str):
            check_choice("order", order, ORDERS, ", or a list of items")
            return DiagramBuilder(self._spec, problem, order, n_bytes)
        selected = select(problem, self._names, list(order), 0, *self._conditions, "order")
        spec = prepare(*selected, "links", self._presolve).spec
        return DiagramBuilder(spec, problem, "items", n_bytes)

    def __iter__(self) -> Iterator[list[int]]:
        """Iterate over the solutions as they are found.

        Examples
        --------
        >>> next(iter(ExactCover([["a"], ["a"], ["b"]])))
        [0, 2]
        """
        return self.iterate()

    def iterate(
        self,
        limit: int | None = None,
        *,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> Iterator[list[int]]:
        """Iterate over the solutions, or up to `limit`, as they are found.

        Parameters
        ----------
        limit : int, optional
            The largest number of solutions.
        seconds : float, optional
            The time limit, from the first solution that is requested.
        stop : StopEvent, optional
            As for `solve`.

        Yields
        ------
        list of int
            Sorted option numbers.

        Raises
        ------
        Stopped
            After the last solution found, if the time limit or `stop` ends the iteration.
        ValueError
            If `limit` is negative.

        Examples
        --------
        >>> list(ExactCover([["a"], ["a"], ["b"]]).iterate(limit=1))
        [[0, 2]]
        """
        n_wanted, n_found = check_limit(limit, "limit"), 0
        product = CoverProduct(self._start_parts())
        try:
            for solution in islice(product.covers(Stop(seconds, stop), MAX_ITERATED), n_wanted):
                n_found += 1
                yield solution
            if product.is_stopped:
                raise Stopped(f"stopped after {plural(n_found, 'solution')}")
        finally:
            self._statistics.value = Statistics(n_found, *product.counters()[1:])

    def cheapest(
        self,
        k: int = 1,
        *,
        seconds: float | None = None,
        threads: int | None = None,
        stop: StopEvent | None = None,
        up_to_symmetry: bool | SymmetryGroup = False,
    ) -> CheapestCovers:
        """Return the `k` solutions of lowest cost, or the best known if the time does not suffice.

        If several solutions have the same cost, those found first are returned.

        Parameters
        ----------
        k : int, default: 1
            The largest number of solutions.
        seconds : float, optional
            The time limit. The call then returns what is known, without an exception.
        threads : int, optional
            The number of threads, by default that of the processors.
        stop : StopEvent, optional
            Ends the call as the time limit does; see `solve`.
        up_to_symmetry : bool or SymmetryGroup, default: False
            As for `solve`.

        Returns
        -------
        CheapestCovers
            A list of pairs of a cost and a solution, in ascending order. Its attribute `done` tells
            whether they are known to be the cheapest, and `bound` what others cost at least.

        Raises
        ------
        ValueError
            If `k` or `threads` is less than 1, or the algorithm is neither "auto" nor "links".

        Examples
        --------
        >>> cover = ExactCover([["a"], ["a", "b"], ["b"], ["b"]], costs=[1, 5, 2, 7])
        >>> cover.cheapest(2)
        [(3, [0, 2]), (5, [1])]
        >>> covers = cover.cheapest(seconds=10)
        >>> covers, covers.bound, covers.done
        ([(3, [0, 2])], 3, True)
        """
        condition = Stop(seconds, stop)

        def find(number: int) -> CheapestCovers:
            optimizer = self.optimizer(number, threads=threads)
            optimizer._run(condition)
            self._statistics.value = Statistics(*optimizer.counters())
            return optimizer.best

        if (group := self._group(up_to_symmetry)) is None:
            return find(k)
        return find_cheapest_representatives(find, self._smallest_filter(group), k)

    def optimizer(self, k: int = 1, *, threads: int | None = None) -> CoverOptimizer:
        """Create a search for the cheapest solutions, which can be run for some time and resumed.

        Parameters
        ----------
        k, threads
            As for `cheapest`.

        Returns
        -------
        CoverOptimizer

        Raises
        ------
        ValueError
            As `cheapest` does.

        Examples
        --------
        >>> optimizer = ExactCover([["a"], ["a"], ["b"]], costs=[3, 1, 1]).optimizer()
        >>> optimizer.run(seconds=10), optimizer.best, optimizer.bound
        (True, [(2, [1, 2])], 2)
        """
        if self.algorithm not in (AUTO, "links"):
            raise ValueError(f"algorithm {self.algorithm!r} does not support cheapest; use links")
        return CoverOptimizer(self._spec, k, self.cost(self._spec.given), threads)
