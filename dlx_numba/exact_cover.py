"""Exact cover problems, and their solutions."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .choice import LEFTMOST, SMALLEST
from .dance import BUDGET, NODES, SOLUTIONS, UNLIMITED, UPDATES, WANTED
from .drive import SLICE, Stop
from .formats.knuth import parse_knuth
from .gather import covers
from .links import Links, OptionError
from .naming import Names, number_multiplicity, number_options
from .problem import Problem, build_instance
from .searching import Search, advance, start_search

CHOICES = {"smallest": SMALLEST, "leftmost": LEFTMOST}


Multiplicity = Mapping[Hashable, int | tuple[int, int]]


class Statistics(NamedTuple):
    """What a search did: covers found, nodes entered, links removed (Knuth's updates)."""

    solutions: int
    nodes: int
    updates: int


class ExactCover:
    """An exact cover problem: choose options such that each primary item is in just one of them.

    With a multiplicity, a primary item is in as many options as that says.
    A secondary item may be in one of the chosen options or in none; or in several, if all give it
    the same colour.

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
    choose
        How the search chooses the next item to cover: "smallest", the one with the fewest options
        left, or "leftmost".

    Raises
    ------
    ValueError
        Where an option names an item twice or an unknown one, or gives a primary item a colour;
        where an item is listed twice; where the nodes are more than int32 can index.

    Notes
    -----
    Solutions are lists of option numbers, from 0, in rising order. They come in the order of the
    search, which is the same at each run. A problem without any primary item has one solution,
    the empty one. Algorithm X, with dancing links: Knuth, TAOCP 7.2.2.1.

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
        choose: str = "smallest",
    ) -> None:
        problem, names = number_options(options, items, secondary)
        self._set_up(problem, names, multiplicity=multiplicity, choose=choose)

    def _set_up(
        self,
        problem: Problem,
        names: Names,
        *,
        multiplicity: Multiplicity | None = None,
        choose: str = "smallest",
    ) -> None:
        if multiplicity:
            problem = number_multiplicity(problem, names, multiplicity)
        if choose not in CHOICES:
            raise ValueError(f"choose must be one of {', '.join(CHOICES)}, not {choose!r}")
        try:
            self._instance = build_instance(problem)
        except OptionError as bad:
            known = 0 <= bad.item < len(names.items)
            name = names.items[bad.item] if known else bad.item
            raise ValueError(f"option {bad.option}: item {name!r} {bad.reason}") from None
        self.items = names.items
        self.n_options = problem.n_options
        self.choose = choose
        self.statistics = Statistics(0, 0, 0)
        self._problem, self._names = problem, names

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
        how.setdefault("multiplicity", problem.multiplicity)
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
        self._note(search)
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
        try:
            yield from covers(search, self._problem.indptr, limit, Stop())
        finally:
            self._note(search)

    def _begin(self) -> Search:
        return start_search(self._instance, CHOICES[self.choose], 0, 0)

    def _note(self, search: Search) -> None:
        self.statistics = Statistics(*search.dance.register[[SOLUTIONS, NODES, UPDATES]].tolist())


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
