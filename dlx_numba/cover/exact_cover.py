"""Exact cover problems, and their solutions."""

import heapq
from collections.abc import Iterator
from concurrent.futures import Executor
from itertools import islice
from operator import index
from typing import NamedTuple

from ..kernels.algorithm_x import NODES, SOLUTIONS, UPDATES
from ..kernels.searching import start_search
from ..runtime.interrupts import Stop
from ..search.limits import checked
from ..search.search import Search
from ..search.spec import Task
from ..search.subtree import Part
from .problem import CoverProblem


class Statistics(NamedTuple):
    """What a search did: covers found, nodes entered, links removed (Knuth's updates)."""

    solutions: int
    nodes: int
    updates: int


class ExactCover(CoverProblem):
    """An exact cover problem: choose options such that each primary item is in just one of them.

    A primary item with a multiplicity is in as many of them as that says. A secondary item may be
    in one of the chosen options or in none; or in several, if all give it the same colour.

    Parameters
    ----------
    options
        Iterables of hashable item names. A 2-tuple that is no item name itself, but whose first
        element is a secondary item, is that item in a colour, the second element. An option
        without any primary item is never chosen.
    items
        The primary items, in the order in which "leftmost" takes them. None takes all items that
        the options name, in order of appearance, but for the secondary ones. An item that no
        option has makes the problem unsolvable.
    secondary
        The items that need not be covered. (They may stand among `items`, too.)
    multiplicity
        How often primary items are to be covered: a number or a pair (low, high) by item. An item
        that is not among them is to be covered once.
    costs
        What each option costs: whole numbers from 0 on. See `cheapest` and `cost`.
    choose
        The next item to cover: "smallest", the one with the fewest options left; "leftmost", the
        first one; "random", the smallest, or at random one of several such, with the options in a
        random order, too; "sharp", the smallest whose name begins with "#", while there is one
        and no item has just one option left; or a list of primary items, to be taken in that
        order, the others behind them.
    seed
        Of the random choices, which are the same at each run with the same seed. None draws one.
    presolve
        Remove beforehand what cannot be in any cover. `presolved` then tells the numbers of the
        `options` removed, of those that are `forced` into each cover, and the `items` removed.
    given, forbidden
        The numbers of options that each solution is to have, and of those that none may have.

    Raises
    ------
    ValueError
        Where an option names an item twice or an unknown one, or gives a primary item a colour;
        where an item is listed twice; where the nodes are more than int32 can index. Where a
        multiplicity, a cost, `choose`, or an option given or forbidden makes no sense, or given
        options are at odds with each other.

    Notes
    -----
    Solutions are lists of option numbers, from 0, in rising order. They come in the order of the
    search, which is the same at each run with the same seed. A problem without any primary item
    has one solution, the empty one. Knuth, TAOCP 7.2.2.1: Algorithms X, C and M with dancing
    links, the cheapest covers as in his DLX5, presolving by Algorithm P.

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

    Three cells in a line, to be filled by a domino and a single cell; the single cell may stay
    away where a primary item does not ask for it:

    >>> options = [["domino", 0, 1], ["domino", 1, 2], ["single", 0], ["single", 2]]
    >>> ExactCover(options).solve()
    [[0, 3], [1, 2]]
    >>> ExactCover(options, items=["domino"], secondary=["single", 0, 1, 2]).solve()
    [[0], [1]]

    Two letters that cross in a cell, in each of two words, agree where their colours do:

    >>> options = [["across", ("cell", "A")], ["across", ("cell", "B")],
    ...            ["down", ("cell", "B")], ["down", ("cell", "C")]]
    >>> ExactCover(options, secondary=["cell"]).solve()
    [[1, 2]]

    Two or three of four helpers, where Ann and Bob do not work together:

    >>> options = [["help", "ann or bob"], ["help", "ann or bob"], ["help"], ["help"]]
    >>> ExactCover(options, multiplicity={"help": (2, 3), "ann or bob": (0, 1)}).count()
    7
    """

    statistics = Statistics(0, 0, 0)  # of the search that ended last

    def first(self) -> list[int] | None:
        """One solution, or None where there is none.

        >>> ExactCover([["a"], ["b"]]).first(), ExactCover([["a"]], items=["a", "b"]).first()
        ([0, 1], None)
        """
        return next(iter(self.solve(limit=1)), None)

    def search(self) -> Search:
        """A search that can be run for a while, looked at, saved, split, and gone on with.

        >>> search = ExactCover([["a"], ["a"], ["b"]]).search()
        >>> search.run(solutions=1), search.done
        ([[0, 2]], False)
        """
        return Search(self._task, [Part(start_search(self._instance, self._task.begin))])

    def solve(
        self, limit: int | None = None, *, threads: int = 1, executor: Executor | None = None
    ) -> list[list[int]]:
        """All solutions, or the first `limit`, in the order of the search.

        The order is the same for any number of threads, but for random choices. `executor` is any
        of `concurrent.futures`: see `Search.run`.

        >>> ExactCover([["a"], ["a"], ["b"]]).solve()
        [[0, 2], [1, 2]]
        """
        search = self.search()
        limit = checked(limit, "limit")
        try:
            return search.run(solutions=limit, threads=threads, executor=executor)
        finally:
            self._end(search)

    def count(
        self, limit: int | None = None, *, threads: int = 1, executor: Executor | None = None
    ) -> int:
        """The number of solutions, or `limit` where there are more.

        >>> cover = ExactCover([["a"], ["a"], ["b"]])
        >>> cover.count(), cover.count(limit=1)
        (2, 1)
        """
        search = self.search()
        limit = checked(limit, "limit")
        try:
            return min(limit, search.count(solutions=limit, threads=threads, executor=executor))
        finally:
            self._end(search)

    def __iter__(self) -> Iterator[list[int]]:
        """The solutions, one after the other, as they are found.

        >>> list(islice(ExactCover([["a"], ["a"], ["b"]]), 1))
        [[0, 2]]
        """
        return self.iterate()

    def iterate(self, limit: int | None = None) -> Iterator[list[int]]:
        """The solutions, or the first `limit`, as they are found."""
        search = self.search()
        try:
            yield from islice(search, checked(limit, "limit"))
        finally:
            self._end(search)

    def cheapest(self, k: int = 1) -> list[tuple[int, list[int]]]:
        """The `k` solutions of lowest cost, with their costs, which rise.

        Of several solutions of the same cost, those that the search comes to first are taken.
        With multiplicities, all solutions are looked at; else branch and bound spares most.

        >>> cover = ExactCover([["a"], ["a", "b"], ["b"], ["b"]], costs=[1, 5, 2, 7])
        >>> cover.cheapest(2)
        [(3, [0, 2]), (5, [1])]
        """
        if index(k) < 1:
            raise ValueError(f"k must be 1 or more, not {k}")
        problem = self._prepared.problem
        if problem.low is not None:
            return heapq.nsmallest(k, ((self.cost(options), options) for options in self))
        from ..kernels.min_cost import cheapest_covers  # few need it; the import would be for all

        found, dance = cheapest_covers(problem, k, self._task.begin, Stop())
        self.statistics = Statistics(*dance.register[[SOLUTIONS, NODES, UPDATES]].tolist())
        solutions = [self._task.numbered(options) for options in found]
        return sorted((self.cost(options), options) for options in solutions)

    @property
    def _task(self) -> Task:
        problem, numbers, given, _ = self._prepared
        return Task(problem, numbers, given, self._code, self._sharps, self.seed)

    def _end(self, search: Search) -> None:
        search.come_home()
        self.statistics = Statistics(*search.counters())
