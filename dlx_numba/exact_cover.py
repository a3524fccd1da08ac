"""Exact cover problems, and their solutions."""

import heapq
import secrets
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .cheapest import cheapest_covers
from .choice import RANDOM
from .dance import BUDGET, NODES, SOLUTIONS, UNLIMITED, UPDATES, WANTED, Dance, start
from .drive import SLICE, Stop
from .formats.knuth import parse_knuth
from .gather import covers
from .links import Links, OptionError
from .naming import Names, check_costs, number_multiplicity, number_options
from .prepare import Choose, order_items, prepare
from .problem import Problem, build_instance
from .searching import Search, advance, start_search

Multiplicity = Mapping[Hashable, int | tuple[int, int]]


class Statistics(NamedTuple):
    """What a search did: covers found, nodes entered, links removed (Knuth's updates)."""

    solutions: int
    nodes: int
    updates: int


class ExactCover:
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

    def __init__(
        self,
        options: Iterable[Iterable[Hashable]],
        items: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] = (),
        *,
        multiplicity: Multiplicity | None = None,
        costs: ArrayLike | None = None,
        choose: Choose = "smallest",
        seed: int | None = None,
        presolve: bool = False,
        given: Iterable[int] = (),
        forbidden: Iterable[int] = (),
    ) -> None:
        problem, names = number_options(options, items, secondary)
        self._set_up(
            problem,
            names,
            multiplicity=multiplicity,
            costs=costs,
            choose=choose,
            seed=seed,
            presolve=presolve,
            given=given,
            forbidden=forbidden,
        )

    def _set_up(
        self,
        problem: Problem,
        names: Names,
        *,
        multiplicity: Multiplicity | None = None,
        costs: ArrayLike | None = None,
        choose: Choose = "smallest",
        seed: int | None = None,
        presolve: bool = False,
        given: Iterable[int] = (),
        forbidden: Iterable[int] = (),
    ) -> None:
        if multiplicity:
            problem = number_multiplicity(problem, names, multiplicity)
        if costs is not None:
            problem = check_costs(problem, costs)
        try:
            self._instance = build_instance(problem)
        except OptionError as bad:
            known = 0 <= bad.item < len(names.items)
            name = names.items[bad.item] if known else bad.item
            raise ValueError(f"option {bad.option}: item {name!r} {bad.reason}") from None
        self.items = names.items
        self.n_options = problem.n_options
        self.choose = choose
        self.seed = secrets.randbits(31) if seed is None else index(seed)
        self.statistics = Statistics(0, 0, 0)
        self._problem, self._names = problem, names
        ordered, names, self._code, self._sharps = order_items(problem, names, choose)
        shuffle = abs(self.seed) if self._code == RANDOM else None
        self._prepared = prepare(ordered, names, given, forbidden, presolve, shuffle)
        if self._prepared.problem is not problem:
            self._instance = build_instance(self._prepared.problem)
        self.presolved = self._prepared.presolved

    @property
    def links(self) -> Links:
        return self._instance.links

    @classmethod
    def from_matrix(cls, matrix: ArrayLike, **how: Any) -> "ExactCover":
        """A problem from a 0/1 array of shape (options, items). Items are named by their number.

        The keyword arguments are those of `from_csr`.

        Raises ValueError where it is no such array.

        >>> ExactCover.from_matrix([[1, 0, 1], [0, 1, 0], [1, 1, 0]]).solve()
        [[0, 1]]
        """
        array = np.asarray(matrix)
        if array.ndim != 2:
            raise ValueError(f"the matrix must have 2 dimensions, not {array.ndim}")
        if not np.all((array == 0) | (array == 1)):
            row, column = np.argwhere((array != 0) & (array != 1))[0]
            value = array[row, column]
            raise ValueError(f"the matrix must hold 0 and 1: [{row}, {column}] is {value}")
        rows, columns = np.nonzero(array)
        indptr = np.zeros(len(array) + 1, np.int64)
        np.cumsum(np.bincount(rows, minlength=len(array)), out=indptr[1:])
        return cls.from_csr(indptr, columns, array.shape[1], **how)

    @classmethod
    def from_csr(
        cls,
        indptr: ArrayLike,
        indices: ArrayLike,
        n_items: int,
        secondary: ArrayLike = (),
        **how: Any,
    ) -> "ExactCover":
        """A problem from the row pointers and column indices of a sparse matrix (SciPy's CSR).

        `indptr`, of shape (options + 1,), cuts `indices` into options, whose items are numbers
        from 0 to `n_items` - 1. `secondary` lists those that need not be covered. The keyword
        arguments are those of the constructor; items are named by their number.

        Raises ValueError where the arrays are no such layout, and as the constructor does.

        >>> ExactCover.from_csr([0, 2, 3, 5], [0, 2, 1, 0, 1], 3).solve()
        [[0, 1]]
        """
        indptr, indices = _whole_numbers(indptr, "indptr"), _whole_numbers(indices, "indices")
        is_secondary = np.zeros(n_items, np.bool_)
        chosen = _whole_numbers(secondary, "secondary")
        if np.any((chosen < 0) | (chosen >= n_items)):
            raise ValueError(f"secondary items must be from 0 to {n_items - 1}")
        is_secondary[chosen] = True
        names: Sequence[int] = range(n_items)
        if len(chosen):
            order = np.argsort(is_secondary, kind="stable")  # the primary items first
            number = np.empty(n_items, np.int64)
            number[order] = names
            in_range = (indices >= 0) & (indices < n_items)
            indices = np.where(in_range, number[np.where(in_range, indices, 0)], indices)
            names = order.tolist()
        cover = cls.__new__(cls)
        n_secondary = int(is_secondary.sum())
        problem = Problem(indptr, indices, n_items - n_secondary, n_secondary)
        cover._set_up(problem, Names(names, ()), **how)
        return cover

    @classmethod
    def from_knuth(cls, text: str, source: str = "<text>", **how: Any) -> "ExactCover":
        """A problem from Knuth's text form: a line of items, then a line an option.

        `|` stands before the secondary items; a line that starts with `|` is a comment. An item
        `item:colour` has a colour; `low:high|item` among the items tells its multiplicity. The
        keyword arguments are those of the constructor.

        Raises FormatError (a ValueError), which names `source` and the line.

        >>> ExactCover.from_knuth("a b c | d\\na b\\nc d\\nb c d\\na d").solve()
        [[0, 1]]
        """
        problem = parse_knuth(text, source)
        how = {"multiplicity": problem.multiplicity, "costs": problem.costs, **how}
        return cls(problem.options, problem.primary, problem.secondary, **how)

    def __repr__(self) -> str:
        return f"<ExactCover: {len(self.items):,} items, {self.n_options:,} options>"

    def first(self) -> list[int] | None:
        """One solution, or None where there is none.

        >>> ExactCover([["a"], ["b"]]).first(), ExactCover([["a"]], items=["a", "b"]).first()
        ([0, 1], None)
        """
        return next(iter(self.solve(limit=1)), None)

    def solve(self, limit: int | None = None) -> list[list[int]]:
        """All solutions, or the first `limit`.

        >>> ExactCover([["a"], ["a"], ["b"]]).solve()
        [[0, 2], [1, 2]]
        """
        return list(self._covers(limit))

    def count(self, limit: int | None = None) -> int:
        """The number of solutions, or `limit` where there are more.

        >>> cover = ExactCover([["a"], ["a"], ["b"]])
        >>> cover.count(), cover.count(limit=1)
        (2, 1)
        """
        limit = _checked(limit)
        search = self._begin()
        register = search.dance.register
        register[WANTED] = limit
        status = BUDGET
        while limit and status == BUDGET:
            status = advance(*search, register[UPDATES] + SLICE)
        self._note(search.dance)
        return self.statistics.solutions

    def __iter__(self) -> Iterator[list[int]]:
        """The solutions, one after the other, as they are found.

        >>> from itertools import islice
        >>> list(islice(ExactCover([["a"], ["a"], ["b"]]), 1))
        [[0, 2]]
        """
        return self._covers(None)

    def _covers(self, limit: int | None) -> Iterator[list[int]]:
        limit = _checked(limit)
        search = self._begin()
        indptr = self._prepared.problem.indptr
        try:
            for options in covers(search, indptr, limit, Stop()):
                yield self._numbered(options)
        finally:
            self._note(search.dance)

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
        found, dance = cheapest_covers(problem, k, self._start, Stop())
        self._note(dance)
        solutions = [self._numbered(options) for options in found]
        return sorted((self.cost(options), options) for options in solutions)

    def cost(self, solution: Iterable[int]) -> int:
        """What the options of a solution cost together; 0 where the problem has no costs.

        >>> ExactCover([["a"], ["b"]], costs=[3, 4]).cost([0, 1])
        7
        """
        if self._problem.cost is None:
            return 0
        return int(self._problem.cost[list(solution)].sum())

    def _numbered(self, options: list[int]) -> list[int]:
        """A cover of what is searched as a solution of the problem as it was stated."""
        _, numbers, given, _ = self._prepared
        if numbers is not None:
            options = numbers[options].tolist() + given
        return sorted(options)

    def _start(self, links: Links) -> Dance:
        return start(links, self._code, self._sharps, self.seed)

    def _begin(self) -> Search:
        return start_search(self._instance, self._start)

    def _note(self, dance: Dance) -> None:
        self.statistics = Statistics(*dance.register[[SOLUTIONS, NODES, UPDATES]].tolist())


def _checked(limit: int | None) -> int:
    if limit is None:
        return UNLIMITED
    if limit < 0:
        raise ValueError(f"limit must be 0 or more, or None for all, not {limit}")
    return limit


def _whole_numbers(values: ArrayLike, name: str) -> NDArray[np.int64]:
    array = np.asarray(values)
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name} must hold whole numbers, not {array.dtype}")
    return array.astype(np.int64, copy=False)
