"""The class `ExactCover`: exact cover problems and their solutions."""

# Arguments of several types are compared with None at once
# mypy: disable-error-code="comparison-overlap"

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from copy import copy
from typing import IO, TYPE_CHECKING, Any, Literal, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels.problem import Problem
from ..runtime.choices import Algorithm, FirstEngine, Method, OptimizerEngine, Order, WrittenKind
from ..runtime.errors import FormatError, Stopped
from ..runtime.frames import reject_query
from ..runtime.interrupts import Stop, StopEvent
from ..runtime.job import run
from ..runtime.resources import collector_paused
from ..runtime.showing import Display
from ..runtime.text import plural
from ..search.search import Search
from . import shelves
from .check import Check, check_cover
from .costs import OptionValues
from .counting import CoverCounter, Statistics, ThreadStatistics
from .covers import Cover, Covers, as_cover, as_covers
from .encode import BOUNDS, DataFrame, Formulation, Multiplicity, Numbers, encode_problem
from .encode_matrix import encode_csr, encode_matrix
from .name_types import NameT
from .named_problem import NamedProblem
from .names import Cost, check_numbers, list_option
from .numbering import PlainProblem, number_plain
from .prepare import (
    DEFAULTS,
    MAX_ORDER,
    Choose,
    Keywords,
    OptionNumbers,
    SearchKeywords,
    Settings,
    TableKeywords,
    VariedKeywords,
    View,
)
from .routes import FEW
from .shown import ShownProblem
from .solutions import (
    begin_plain,
    count_covers,
    find_cheapest,
    find_covers,
    iterate_covers,
    start_counter,
)
from .totals import Totals

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .batch import BatchOptions, CoverBatch
    from .certificate import Claim
    from .diagram import CoverDiagram
    from .diagram_builder import DiagramBuilder
    from .item_functions import ItemFunction
    from .name_types import Sets
    from .optimizer import CoverOptimizer
    from .relax import RelaxedCover
    from .shelves import Deduction, Diagnosis, Page
    from .symmetry import SymmetryGroup


NOTHING = DEFAULTS.given


class ExactCover(ShownProblem[NameT]):
    """An exact cover problem: choose options such that each primary item is in exactly one.

    A multiplicity changes the number of chosen options that contain a primary item. A secondary
    item is in at most one chosen option, or in several that all give it the same color.

    Parameters
    ----------
    options : iterable of iterables of hashable, mapping, or DataFrame
        The items of each option. A pair (item, color) is a secondary item with a color, unless the
        pair itself is an item. An option without primary items is never chosen. The keys of a
        mapping are the names of the options; see `option_names`. A pandas DataFrame contains zeros
        and ones; its columns are the items, its rows are the options, and the labels of its rows
        are their names, unless these are integers. A sparse matrix or array of SciPy contains zeros
        and ones, too; its items are the column numbers.
    items : iterable of hashable, optional
        The primary items, in the order in which "leftmost" branches on them. By default, these are
        all items that appear in options and are not secondary, in order of appearance. An item
        without options makes the problem unsolvable.
    secondary, optional : iterable of hashable, optional
        The items that need not be covered. The two parameters are synonyms. If `items` is not
        given, an item that is in no option is an error if there is an item with a similar name.
    multiplicity : mapping or (int, int or None), optional
        The number of chosen options that contain a primary item: for each item, an integer or a
        pair (low, high) of bounds, where `high` may be None. Items that are not listed are covered
        once. A pair instead of a mapping is the bounds of all items for which nothing else is
        given: (1, None) for covering problems, (0, 1) for packings.
    exactly, at_most, at_least : mapping, optional
        The same, as separate mappings from items to integers. An item may have both a lower and an
        upper bound. Bounds of 0 forbid the options with an item; an item that may be in 0 of them
        need not be in any option.
    costs : array_like, shape (options,), or mapping, optional
        The cost of each option; see `cheapest` and `Cover.cost`. A mapping lists options by number
        or name; all others cost 0, and an empty one is no costs. If options have names, a pandas
        Series is a mapping from its labels. A cost is an integer, a float, a `Fraction` or a
        `Decimal`, and may be negative. A float stands for the decimal fraction that Python prints,
        so that 0.1 + 0.2 is 0.3.
    maximize : array_like, shape (options,), or mapping, optional
        The value of each option, instead of costs: `cheapest` then returns the solutions of the
        highest total value.
    penalty : mapping, optional
        The penalties of primary items that may stay uncovered, or be covered less often than they
        must be. For each time that is missing, the penalty is added to the costs, or subtracted
        from the values; see `Cover.uncovered`. For an item that must be covered exactly once, it is
        the cost of an option after the listed ones, named "uncovered" and the item. For
        others, a cover contains no such options: what is missing follows from it. Diagrams support
        the penalties of the former items only.
    totals : mapping, optional
        Limits of sums over the chosen options, such as budgets and workloads. The value of a name
        is a tuple (weights, low, high): the sum of the weights of the chosen options is from `low`
        to `high`, where None is no limit. Weights are integers, one for each option or, as in
        costs, a mapping; options that it does not list have the weight 0. The value may also be a
        pair (low, high): then an option gives its weight by a pair (name, weight) among its items,
        which is not listed as an item. Certificates, presolving, the algorithm "bitset" and the
        formats of `write`, except JSON and integer programs, do not support totals.
    choose : str or sequence of hashable, default: "smallest"
        The branching rule, which determines the order of the solutions:

        - "smallest": the item with the fewest options left, the first one in case of a tie;
        - "leftmost": the first item that is not covered;
        - "random": as "smallest", with ties broken at random, and the options in random order;
        - "sharp": an item with one option if there is any, then the smallest item whose name
          begins with "#", then the smallest of the others;
        - a list of primary items: "leftmost" with these items first, in this order;
        - "literal-leftmost", "literal-smallest": as "leftmost" and "smallest", but as in programs
          of the literature, the search notices that an item has no option left only when it chooses
          that item. It takes one thread, and cannot have colors, multiplicities or an executor, or
          be saved, split or estimated. `statistics.levels` has the nodes of each level.
    seed : int, optional
        The seed for random choices. By default, it is drawn at random.
    presolve : bool, default: False
        Whether to remove options and items that cannot affect the covers before the search, which
        may change the order of the solutions. A search that takes long and has no solution yet, and
        a count without a limit, do so by themselves, and begin again if a quarter of the options is
        removed. Options whose colors are inconsistent with all options of some item are always
        removed, unless there are more than 800,000 pairs of a primary and a secondary item in an
        option.
    given, forbidden : iterable of hashable, optional
        The options that each solution must contain, and that no solution may contain. Integers are
        the numbers of options, anything else is a name, as in `Cover.names`. If options are named
        by integers other than their numbers, integers are names, and a `Cover`, such as
        ``Cover([0, 2])``, has numbers; so it is in all calls.
    algorithm : {"auto", "links", "bitset"}, default: "auto"
        How to search. All algorithms find the same solutions in the same order. "links" uses
        dancing links, and "bitset" uses bitmaps of options, which are faster if the search is long
        and the problem dense. "auto" chooses one of these two. Only "links" and "auto" support
        `cheapest`.
    consistency : {"colors"}, optional
        With "colors", the search keeps the colors consistent: at each node, it removes an option if
        some primary item has no remaining option that agrees with its colors. It visits fewer
        nodes, but takes longer for each of them. Only "links" and "auto" support this, and literal
        searches do not; problems without colors are searched as usual. `first` tries both in any
        case. It is an error if there are more than 800,000 pairs of items, as above.
    threads : int, optional
        The number of threads of each call, by default that of the processors. Random choices are
        made in one thread unless you give a number. Searches of less than about 100,000 updates
        start no threads. The number does not affect solutions or their order, except for random
        choices.
    executor : concurrent.futures.Executor, optional
        Submit the work of `solve`, `count`, `search`, `cheapest` and `solve_batch` to this executor
        instead of threads, in tasks of up to some seconds. It is not shut down. Tasks that have not
        returned when the run of a search ends are awaited by the next run.
    memory : int, optional
        The number of bytes that memos and diagrams may use, by default half of the free memory.
        When it is full, counting continues with what is stored.
    progress : bool or callable, default: False
        Whether to show a bar on a terminal or in a notebook. A function is called with the
        completed fraction, None if it is unknown, and a text; it must return soon.
    view : str, Picture or callable, optional
        How to draw covers, if the structure of the problem does not suggest a good picture, such
        as a board for items that are pairs of integers:

        - "grid": items, or else options, whose names have two numbers, or a letter and a number,
          are cells;
        - "timetable": items such as ``("Ann", "Mon")`` or ``("room", 1, "Mon")`` are rows and
          times, only optional ones if there are such;
        - "graph": items are points, which options join;
        - "table": a table of names; "matrix": the matrix of options and items;
        - a function from the items of an option to the cells that it occupies, such as ``(2, 3)``,
          or ``((2, 3), "a")`` with a text; or to its bars in a timetable, such as
          ``("Ann", "Mon", "late")``, or ``("Ann", 9, 10.5, "visit")`` with a start and an end;
        - a `Picture`, what each option writes and where; see `dlx_numba.pictures`.

    Attributes
    ----------
    problem : Problem
        The problem in numbers, before settings apply: its options, multiplicities and costs.
    items, colors : sequence of hashable
        The items, primary items first, and the colors in order of appearance.
    option_names : sequence of hashable
        The name of each option, or its number if it has none.
    n_items, n_options : int
        The numbers of items and options.
    choose, seed, algorithm
        The branching rule, the seed and the algorithm. The seed is the one that was given, or else
        drawn; 0 if choices are not random. `search().algorithm` is what "auto" chooses at the first
        search.

    Raises
    ------
    ValueError
        If an option contains an item twice or an unknown item, or gives a primary item a color; if
        an item is listed twice, or has several multiplicities; if the name of an option is the
        number of another one; if a multiplicity, a cost, `choose` or a given or forbidden option is
        invalid; if given options exclude each other; if the algorithm is unknown or needs too much
        memory; or if int32 cannot index the nodes.
    TypeError
        If an argument or an option has a wrong type: a string instead of a list, an item that
        cannot be hashed, or a number that is not an integer.

    Notes
    -----
    If a problem of 16 or more items consists of independent components, which share no item,
    then `first`, `solve`, `count` and iteration search these one by one, and combine their covers:
    the cover of the last component varies fastest. `search` searches the problem as a whole.

    Solutions are sorted lists of option numbers, from 0, in the order of the search, which is the
    same in each run with the same seed. A problem without primary items has one solution, the
    empty one.

    Four members are enough to begin with: `read`, `first`, `solve` and `count`. A solution knows
    its names and cost; see `Cover`. The others, by purpose:

    - Formulation: `read`, `write`, `from_matrix` and `from_frame`; `options`, `svg`, `check`; for
      other solvers, `to_cpsat`.
    - Many solutions: iteration and `iterate`, `diagram`, `possible_options`; `solve_batch` for
      variations of the problem; `symmetries`, `fixed_by`.
    - Plans: `packing` and `covering`; `cheapest`, and `cheapest_batch` for variations; `replace`.
    - Long calculations: `search`, `counter`, `optimizer` and `diagram_builder` are the resumable
      forms of `solve`, `count`, `cheapest` and `diagram`: they can be run for some time, inspected
      and resumed. Searches and optimizers can also be saved in files.
    - Puzzles for people: `puzzles`, `deduce`.
    - Reasons and proofs: `diagnose` explains why there is no solution, `relax` finds the cheapest
      requirements to drop, and `certify` writes a proof of the number of solutions or of the lowest
      cost.
    - How it works: `statistics`, `explain`.

    The parameters `threads`, `executor`, `memory` and `progress` affect no result: problems that
    differ only in them are equal, and pickles do not contain them. So a call on two threads is
    `problem.replace(threads=2).solve()`.

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
    >>> cover.first().names
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
    >>> ExactCover(options, at_least={"help": 2}, at_most={"help": 3, "ann or bob": 1}).count()
    7

    Ann works 12 hours at most. The options give their hours:

    >>> options = [["mon", ("Ann", 8)], ["mon", ("Bob", 8)], ["tue", ("Ann", 4)],
    ...            ["tue", ("Bob", 4)], ["wed", ("Ann", 8)]]
    >>> roster = ExactCover(options, totals={"Ann": (0, 12), "Bob": (0, None)})
    >>> [(cover, cover.totals) for cover in roster]
    [([1, 2, 4], {'Ann': 12, 'Bob': 8}), ([1, 3, 4], {'Ann': 8, 'Bob': 12})]
    """

    def __init__(
        self,
        options: Sets[NameT],
        items: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] = (),
        *,
        optional: Iterable[Hashable] | None = None,
        multiplicity: Multiplicity | None = None,
        exactly: Numbers | None = None,
        at_most: Numbers | None = None,
        at_least: Numbers | None = None,
        costs: OptionValues | None = None,
        maximize: OptionValues | None = None,
        penalty: Mapping[Any, object] | None = None,
        totals: Totals | None = None,
        choose: Choose = "smallest",
        seed: int | None = None,
        presolve: bool = False,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        algorithm: Algorithm = "auto",
        consistency: Literal["colors"] | None = None,
        threads: int | None = None,
        executor: Executor | None = None,
        memory: int | None = None,
        progress: Display = False,
        view: View | None = None,
    ) -> None:
        self._statistics = ThreadStatistics()
        numbered = None
        if (
            multiplicity is exactly is at_most is at_least is costs is maximize is penalty is None
            and totals is seed is consistency is threads is executor is memory is view is None
            and presolve is progress is False
            and given is forbidden is NOTHING
            and choose is DEFAULTS.choose
            and algorithm is DEFAULTS.algorithm
        ):
            plain = number_plain(options, items, secondary, optional)  # most problems are plain
            if isinstance(plain, PlainProblem):  # all else is computed when it is needed
                self._named = NamedProblem.of_plain(plain)
                return
            numbered = plain  # the numbers of the entries, or None
        encoded = encode_problem(
            Formulation(
                cast(Any, options),
                items,
                secondary,
                multiplicity,
                costs,
                maximize,
                penalty,
                totals,
                at_most,
                at_least,
                exactly,
            ),
            optional,
            numbered,
        )
        how = choose, seed, presolve, given, forbidden, algorithm, consistency
        settings = Settings(*how, threads, executor, memory, progress)
        named = NamedProblem(*encoded, settings.checked())
        self._named = named if view is None else named.viewed(view)

    def _with(self, named: NamedProblem) -> Self:
        """Return a problem of the same class with another content."""
        changed = copy(self)
        changed._named = named
        return changed

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return type(self).__qualname__, *self._named.content()

    def __eq__(self, other: object) -> bool:
        """Return whether two objects are the same problem, and search it in the same way.

        The seed matters only if choices are random.

        Examples
        --------
        >>> cover = ExactCover([["a"], ["b"]])
        >>> cover == ExactCover([["a"], ["b"]]), cover == ExactCover([["a"], ["c"]])
        (True, False)
        """
        if not isinstance(other, ExactCover):
            return NotImplemented
        return self._named.content() == other._named.content()

    def __hash__(self) -> int:
        return hash(self._named.content()[:2])

    @classmethod
    def packing(
        cls, options: Sets[NameT], weights: OptionValues | None = None, **keywords: Unpack[Keywords]
    ) -> Self:
        """Create a problem that covers each item at most once, with the largest total weight.

        `cheapest` returns a packing of the largest weight. The other methods find, count and list
        all packings, to which the empty one belongs: `first` may well return it.

        Parameters
        ----------
        options
            As for `ExactCover`.
        weights : array_like or mapping, optional
            The weight of each option, as `maximize` of `ExactCover`, by default 1.
        **keywords
            The keywords of `ExactCover`. `at_most` raises the limit of items, and `exactly` and
            `at_least` require some.

        Returns
        -------
        ExactCover

        Raises
        ------
        ValueError, TypeError
            As `ExactCover` does.

        Examples
        --------
        Pairs of a patient and a donor exchange kidneys in cycles:

        >>> cycles = {"Ann, Bob": ["Ann", "Bob"], "Bob, Cy, Di": ["Bob", "Cy", "Di"],
        ...           "Di, Eve": ["Di", "Eve"]}
        >>> exchange = ExactCover.packing(cycles, weights=[2, 3, 2])
        >>> packing = exchange.cheapest()[0]
        >>> packing.cost, packing.names
        (4, ['Ann, Bob', 'Di, Eve'])
        """
        values: dict[str, Any] = {"multiplicity": (0, 1), "maximize": weights}
        return cls(options, **values, **keywords)

    @classmethod
    def covering(  # type: ignore[misc]  # costs are a keyword, too
        cls, options: Sets[NameT], costs: OptionValues | None = None, **keywords: Unpack[Keywords]
    ) -> Self:
        """Create a problem that covers each item at least once, with the lowest total cost.

        `cheapest` returns a covering of the lowest cost, without costs one with the fewest options.
        The other methods find, count and list all coverings, also those with options that could be
        omitted.

        Parameters
        ----------
        options, costs
            As for `ExactCover`.
        **keywords
            The keywords of `ExactCover`. `at_least` raises the number of options
            for some items, `at_most` limits it, and `exactly` fixes it.

        Returns
        -------
        ExactCover

        Raises
        ------
        ValueError, TypeError
            As `ExactCover` does.

        Examples
        --------
        >>> stations = {"north": ["a", "b"], "center": ["b", "c", "d"], "south": ["c", "d", "e"]}
        >>> fire = ExactCover.covering(stations, {"north": 2.5, "center": 1.5, "south": 2})
        >>> fire.cheapest(), fire.cheapest()[0].cost
        ([[0, 2]], 4.5)
        """
        values: dict[str, Any] = {"multiplicity": (1, None), "costs": costs}
        return cls(options, **values, **keywords)

    @classmethod
    def from_matrix(
        cls,
        matrix: ArrayLike | tuple[Any, ...],
        secondary: Iterable[int] = (),
        **keywords: Unpack[Keywords],
    ) -> Self:
        """Create a problem from a matrix of zeros and ones. The items are the column numbers.

        Parameters
        ----------
        matrix : array_like, sparse matrix of SciPy, or tuple
            The options as rows, shape (rows, columns); 1 if the option contains the item. A tuple
            of arrays and an integer, (indptr, indices, columns), is a matrix in CSR format: option
            `k` consists of the items `indices[indptr[k] : indptr[k + 1]]`.
        secondary : iterable of int, optional
            The columns of secondary items.
        **keywords
            The keywords of `ExactCover`.

        Returns
        -------
        ExactCover

        Raises
        ------
        ValueError
            If `matrix` does not consist of zeros and ones or does not have two dimensions, and as
            `ExactCover` does.

        Examples
        --------
        >>> ExactCover.from_matrix([[1, 0, 1], [0, 1, 0], [1, 1, 0]]).solve()
        [[0, 1]]
        >>> ExactCover.from_matrix(([0, 2, 3, 5], [0, 2, 1, 0, 1], 3)).solve()
        [[0, 1]]
        """
        is_sparse = isinstance(matrix, tuple) and len(matrix) == 3 and np.ndim(matrix[2]) == 0
        named: Any = matrix
        encoded = encode_csr(*named) if is_sparse else encode_matrix(named)
        return cls(encoded, secondary=secondary, **keywords)

    @classmethod
    def from_frame(
        cls,
        frame: DataFrame | str | os.PathLike[str],
        items: Iterable[object],
        optional: Iterable[object] = (),
        cost: object = None,
        name: object = None,
        separator: str | None = None,
        **keywords: Unpack[TableKeywords],
    ) -> Self:
        """Create a problem from a table in long form: one option a row, its items in columns.

        Parameters
        ----------
        frame : DataFrame, str or path-like
            A data frame of pandas or polars, or a CSV file or a workbook with a header. If the
            index of a frame of pandas has a name, it is a column, too.
        items : iterable of column
            The columns with the primary items. A tuple of columns stands for the items that their
            values are together, such as a teacher at a time. An item is a tuple of the title and
            the values, such as ``("class", "5a")`` and ``("teacher+slot", "Ann", "Mon 9:00")``. No
            cell of these columns is empty.
        optional : iterable of column
            The columns with the secondary items, in the same way. An option has no item of a column
            where its cell is empty.
        cost : column, optional
            The column with the costs of the options, without empty cells.
        name : column, optional
            The column with the names of the options.
        separator : str, optional
            What separates several items in a cell, such as "+"; a cell of a frame may also be a
            list. By default, each text is one item, unless they look like several; "" is none.
        **keywords
            The keywords of `ExactCover`, such as `multiplicity` and `penalty`.

        Returns
        -------
        ExactCover

        Raises
        ------
        ValueError
            If there is no such column, two options have the same name, a cell of primary items or
            of costs is empty, or a row of a file is invalid; if it is not clear whether cells have
            several items; and as `ExactCover` does.

        See Also
        --------
        Cover.to_frame : The chosen rows.

        Examples
        --------
        >>> import pandas as pd
        >>> lessons = pd.DataFrame({"class": ["5a", "5a", "5b", "5b"], "teacher": list("AABB"),
        ...                         "slot": [1, 2, 1, 2], "cost": [0, 3, 1, 1]})
        >>> school = ExactCover.from_frame(lessons, ["class", "teacher", "slot"], cost="cost")
        >>> [plan] = school.cheapest()
        >>> plan.to_frame().to_dict("list")
        {'class': ['5a', '5b'], 'teacher': ['A', 'B'], 'slot': [1, 2], 'cost': [0, 1]}
        >>> crews = pd.DataFrame({"flights": ["F1+F2", "F2+F3", "F3", "F1"], "cost": [3, 5, 1, 4]})
        >>> airline = ExactCover.from_frame(crews, ["flights"], cost="cost", separator="+")
        >>> list(airline.cheapest()[0])
        [0, 2]
        """
        from .rows import LongForm  # few problems are frames

        form = LongForm(items, optional, cost, name, separator)
        reject_query(frame)
        if hasattr(frame, "columns"):
            return cls._of_file(form.read(frame), "", (), keywords)
        return cls._of_file(*shelves.read_content(frame, form=form), (), keywords)

    @classmethod
    def read(
        cls,
        source: str | bytes | os.PathLike[str] | IO[Any],
        kind: str | None = None,
        *,
        secondary: Iterable[int] = (),
        max_options: int | None = None,
        max_entries: int | None = None,
        **keywords: Unpack[Keywords],
    ) -> Self:
        """Create a problem from a file or text, in any of the formats of exact cover problems.

        Files may be compressed by gzip, up to 256 MB of content. A mark says the format: an
        extension, such as ``.dlx`` (Knuth's format), ``.ec`` (numbered items), ``.mps`` and ``.lp``
        (integer programs with binary variables) and ``.yaml``; a header that only one format has;
        an object in JSON; and the binary formats `.npy`, and `.npz` as SciPy's `save_npz` writes
        it. Plain are Knuth's format with names, sets such as ``S1 = {A, B}``, and a rectangle of
        zeros and ones. For other texts, such as tables with names, `kind` is necessary.

        Parameters
        ----------
        source : str, bytes, path-like or file
            A path, "-" for standard input, an open file, or the content of a file: bytes, or a text
            that has a line break or begins with a bracket.
        kind : str, optional
            The name of the format: "knuth", "sets", "matrix", "json", "table", "ec", "orlib",
            "routes", "yaml", "lp" or "mps". By default, a mark says it, or the text is plain.
        secondary : iterable of int, optional
            The columns of secondary items, if the file contains a matrix.
        max_options, max_entries : int, optional
            The largest number of options, and of entries in all options together, of a JSON object.
            A server thus rejects a problem that is too large before it takes time and memory.
        **keywords
            The keywords of `ExactCover`, which replace what the file says. `costs` also replaces
            `maximize` and vice versa, and one kind of multiplicities replaces all others.

        Returns
        -------
        ExactCover

        Raises
        ------
        UnreadableError
            If the file cannot be read. This OSError names the source.
        FormatError
            If the content is not a valid problem or is too large, or its format is unknown. The
            message names the source and, where it is known, the line.

        Examples
        --------
        >>> ExactCover.read("a b c | d\\na b\\nc d\\nb c d\\na d").solve()
        [[0, 1]]
        >>> text = '{"options": [["a", "b"], ["a"], ["b"]], "costs": [5, 2, 2]}'
        >>> ExactCover.read(text, "json").cheapest()
        [[1, 2]]
        """
        limits = max_options, max_entries
        with collector_paused():
            formulation, name = shelves.read_content(source, kind, limits)
            return cls._of_file(formulation, name, secondary, keywords)

    @classmethod
    def _of_file(
        cls, formulation: Formulation, name: str, secondary: Iterable[int], keywords: TableKeywords
    ) -> Self:
        """Create a problem from the arguments in a file, which keywords replace.

        `name` is what errors call the file; "" if they need no name of it. `secondary` are columns
        of a matrix; other formats say which items are secondary.
        """
        arguments = formulation._asdict()
        for alternatives in (("costs", "maximize"), BOUNDS):
            if not keywords.keys().isdisjoint(alternatives):
                arguments.update(dict.fromkeys(alternatives))  # to None: one replaces all
        try:
            if isinstance(formulation.options, Problem):
                arguments["secondary"] = secondary
            elif list(secondary):
                raise ValueError("this format names the secondary items itself")
            return cls(**arguments | dict(keywords))
        except ValueError as error:
            if not name:
                raise
            raise FormatError(name, None, str(error)) from None

    @overload
    def write(self, target: None = None, kind: WrittenKind | None = None) -> str: ...
    @overload
    def write(
        self, target: str | os.PathLike[str] | IO[Any], kind: WrittenKind | None = None
    ) -> None: ...
    def write(
        self,
        target: str | os.PathLike[str] | IO[Any] | None = None,
        kind: WrittenKind | None = None,
    ) -> str | None:
        """Write the problem in a format of this package or of other solvers.

        Parameters
        ----------
        target : str, path-like or file, optional
            A path, whose file is replaced, or an open file. By default, the text is returned.
        kind : {"knuth", "json", "mps", "cnf", "orlib"}, optional
            The format. By default, the extension of the file selects it:

            - "knuth" (`.dlx`): Knuth's text format, without the names of options;
            - "json" (`.json`): a JSON object with everything that is given;
            - "mps" (`.mps`): an integer program in the free MPS format. The first columns are the
              options, in their order, and the rows are the items and totals. A color of a secondary
              item that several options have is a column, too;
            - "cnf" (`.cnf`, `.wcnf`): clauses in the DIMACS format of SAT solvers, or with costs in
              the WCNF format of MaxSAT solvers. The variables from 1 to `n_options` are the
              options. Their values determine those of all others, so each solution is one model;
            - "orlib": a partitioning or covering problem with costs in the formats of the
              OR-Library, with numbers for items and options.

        Returns
        -------
        str or None
            The text, unless there is a target.

        Raises
        ------
        ValueError
            If the kind is unknown, or the format cannot express the problem: Knuth's format has no
            names with spaces, empty options, totals, given or forbidden options, or penalties of
            items with multiplicities, and its costs are nonnegative integers; that of the
            OR-Library has costs of this kind for all options, and only items that are all covered
            once, or all at least once; clauses have no totals.
        OSError
            If the file cannot be written.

        Notes
        -----
        In MPS files, given options are fixed to 1, and forbidden ones to 0; in clauses, they are
        true and false. A color of an item is a column, which `read` takes for an option; so is a
        time that an item is missing, at its penalty. Sequential counters express how often items
        are covered (C. Sinz, "Towards an Optimal CNF Encoding of Boolean Cardinality Constraints",
        2005).

        Examples
        --------
        >>> cover = ExactCover([["a", ("s", 1)], ["b"]], secondary=["s"])
        >>> print(cover.write(kind="knuth"), end="")
        a b | s
        a s:1
        b
        >>> print(ExactCover({"S1": ["A"], "S2": ["A"]}).write(kind="cnf"), end="")
        c 1 = S1
        c 2 = S2
        p cnf 2 2
        1 2 0
        -2 -1 0
        """
        kind = shelves.find_kind(target) if kind is None else kind
        text = shelves.format_problem(self._named.unfixed("write"), kind)
        if target is None:
            return text
        shelves.write_text(target, text)
        return None

    def to_cpsat(self) -> Any:
        """Return the problem as a model of CP-SAT, the constraint solver of OR-Tools.

        Variable `k` is option `k`: `model.get_bool_var_from_proto_index(k)` returns it, so that the
        model can be extended. After a solve, `solver.response_proto.solution[k]` is its value.

        Returns
        -------
        ortools.sat.python.cp_model.CpModel

        Raises
        ------
        ImportError
            If OR-Tools is not installed.

        Notes
        -----
        Given options are 1, and forbidden ones are 0. The objective is the cost, or the value that
        is maximized; a solver minimizes it in integers, so fractions are exact.
        """
        from .models import build_cpsat, build_model  # few programs need models

        named = self._named.unfixed("to_cpsat").priced()
        return build_cpsat(
            build_model(named.problem, named.names, named.selected.given, named.forbidden)
        )

    @property
    def options(self) -> list[list[Hashable]]:
        """The items of each option; an item with a color is a pair (item, color).

        Examples
        --------
        >>> ExactCover([["a", ("s", 1)], ["b"]], secondary=["s"]).options
        [['a', ('s', 1)], ['b']]
        """
        names = self._named.cover_problem.names
        return [list_option(self.problem, names, k) for k in range(self.n_options)]

    def svg(self, solution: Iterable[int] = ()) -> str:
        """Return a picture of the problem, with the options of a solution if there is one.

        The picture is what `view` says or the structure suggests: an empty board or
        timetable, which a solution fills, or points that it joins. Otherwise, it is a table of the
        first options.

        Parameters
        ----------
        solution : iterable of int, optional
            The numbers of options.

        Returns
        -------
        str
            An SVG document.

        Raises
        ------
        TypeError, ValueError
            If the number of an option is not an integer, or there is no such option, or the view is
            a matrix, which has too many entries for a picture.

        Examples
        --------
        >>> cover = ExactCover([[(0, 0), (0, 1)], [(0, 0)], [(0, 1)]])
        >>> "2 pieces" in cover.svg(cover.solve()[1])
        True
        >>> matrix = cover.replace(view="matrix")
        >>> "Marked options: 1, 2." in matrix.svg(matrix.solve()[1])
        True
        """
        from .picture import draw  # few programs draw

        drawn = self._named.cover_problem
        return draw(drawn, check_numbers(solution, drawn.names) or None)

    def __repr__(self) -> str:
        fixed = "" if self._named.fixed is None else ", fixed by symmetries"
        sizes = f"{plural(self.n_items, 'item')}, {plural(self.n_options, 'option')}"
        return f"<ExactCover: {sizes}{fixed}>"

    def _repr_html_(self) -> str:
        from .picture import describe  # only notebooks need HTML

        return describe(self._named.cover_problem)

    def first(
        self,
        *,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        seed: int | None = None,
        seconds: float | None = None,
        stop: StopEvent | None = None,
        engine: FirstEngine = "auto",
    ) -> Cover[NameT] | None:
        """Return a solution that is found soon, or None if there is none.

        If the search takes more than a few milliseconds, it alternates with other methods, such as
        restarts with random choices; `statistics.method` names the one that succeeds. With the
        engine "own", the same call returns the same solution, on any machine, for any number of
        threads.

        Parameters
        ----------
        given, forbidden : iterable of hashable, optional
            More options that the solution must or may not contain, by number or name.
        seed : int, optional
            Search with random choices, as with the branching rule "random" and this seed.
        seconds, stop
            As for `solve`.
        engine : {"auto", "own", "sat", "both"}, default: "auto"
            What seeks the solution: the methods of this package, or CaDiCaL, a solver of the
            satisfiability problem, in a separate process. "both" starts CaDiCaL beside the other
            methods if these take more than a fraction of a second, and leaves it a processor.
            "auto" is "both" if CaDiCaL is installed, by ``pip install "dlx-numba[sat]"``, and
            `threads` is not 1, or else "own". CaDiCaL does not support totals.

        Returns
        -------
        Cover or None
            The sorted list of its option numbers, with their names, items and cost.

        Raises
        ------
        Stopped
            If the call ends before a solution is found; `partial` is None.
        ValueError
            If a given or forbidden option is invalid, or given options exclude each other; or if
            the engine is unknown, or is "sat" for a problem with totals.
        ImportError
            If the engine needs CaDiCaL, which is not installed.

        Examples
        --------
        >>> ExactCover([["a"], ["b"]]).first(), ExactCover([["a"]], items=["a", "b"]).first()
        ([0, 1], None)
        >>> ExactCover([["a"], ["a", "b"], ["b"]]).first(forbidden=[1])
        [0, 2]
        """
        plain = seed is seconds is stop is None and given is forbidden is NOTHING  # the defaults
        begun = begin_plain(self._named, self._statistics, 1, True, plain and engine == "auto")
        if begun is not None and begun.tree is None:  # nothing remains to be searched
            return as_cover(self._named, begun.covers[0]) if begun.covers else None
        varied = self._named.vary(given, forbidden, seed)
        limit = Stop(seconds, stop)
        if varied.settings.executor is not None:
            varied = varied.replace(executor=None)
        try:
            covers = find_covers(
                varied, self._statistics, limit, 1, False, "any", None, engine, begun
            )
        except Stopped:
            raise Stopped("stopped before a solution was found") from None
        return covers[0] if covers else None

    def solve(
        self,
        limit: int | None = None,
        *,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        seed: int | None = None,
        seconds: float | None = None,
        stop: StopEvent | None = None,
        up_to_symmetry: bool | SymmetryGroup = False,
        order: Order | None = None,
        distinct: Iterable[Hashable] | None = None,
    ) -> Covers[NameT]:
        """Return all solutions in the order of the search, or up to `limit` of them.

        Parameters
        ----------
        limit : int, optional
            The largest number of solutions.
        given, forbidden, seed
            As for `first`.
        seconds : float, optional
            The time limit.
        stop : StopEvent, optional
            An object with a method `is_set`, such as `threading.Event`. The call ends soon after it
            is set.
        up_to_symmetry : bool or SymmetryGroup, default: False
            Whether to return only one of all solutions that are images of each other under a group:
            the lexicographically smallest list. True stands for all symmetries of the problem.
        order : {"search", "any"}, optional
            With "any", up to `limit` solutions are found as soon as possible, as by `first`. It is
            the default for a limit of up to 10, unless the problem has independent parts. Ignored
            without a limit, up to symmetry, and with an executor.
        distinct : iterable of hashable, optional
            Items, or pairs of an item and a color. Two solutions are the same if they contain the
            same of these items equally often, with the same colors; one of them is returned. The
            solutions come in another order, which does not depend on the number of threads.

        Returns
        -------
        Covers
            A sequence of covers; see `first`.

        Raises
        ------
        Stopped
            If the time limit or `stop` ends the call; `partial` is a list of the solutions found.
            With an executor, other solutions may precede them.
        ValueError
            If `limit` is negative, the group belongs to another problem or is too large (see
            `symmetries`), an item of `distinct` is unknown, or it is combined with a group; or as
            for `first`.

        Examples
        --------
        >>> ExactCover([["a"], ["a"], ["b"]]).solve()
        [[0, 2], [1, 2]]
        >>> ExactCover([["a"], ["a"], ["b"]]).solve(1, order="any")
        [[0, 2]]
        >>> options = [["a", "x"], ["b", "y"], ["a", "y"], ["b", "x"]]
        >>> pieces = ExactCover(options, optional=["x", "y"])
        >>> pieces.solve(), pieces.solve(distinct=["x", "y"])  # both contain x and y
        ([[0, 1], [2, 3]], [[0, 1]])
        """
        is_plain = seed is seconds is stop is order is distinct is None
        is_plain = is_plain and up_to_symmetry is False and given is forbidden is NOTHING
        begun = begin_plain(self._named, self._statistics, limit, True, is_plain)
        if begun is not None and begun.tree is None:  # nothing remains to be searched
            return as_covers(self._named, begun.covers, True)
        varied = self._named.vary(given, forbidden, seed)
        how = Stop(seconds, stop), limit, up_to_symmetry, order, distinct
        return find_covers(varied, self._statistics, *how, begun=begun)

    def __iter__(self) -> Iterator[Cover[NameT]]:
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
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        seconds: float | None = None,
        stop: StopEvent | None = None,
        distinct: Iterable[Hashable] | None = None,
    ) -> Iterator[Cover[NameT]]:
        """Iterate over the solutions, or up to `limit`, as they are found.

        Parameters
        ----------
        limit : int, optional
            The largest number of solutions.
        given, forbidden
            As for `first`.
        seconds : float, optional
            The time limit, from the first solution that is requested.
        stop, distinct
            As for `solve`.

        Returns
        -------
        iterator of Cover
            As `first` returns it.

        Raises
        ------
        Stopped
            After the last solution found, if the time limit or `stop` ends the iteration.
        ValueError
            If `limit` is negative, an item of `distinct` is unknown, or as for `first`.

        Examples
        --------
        >>> list(ExactCover([["a"], ["a"], ["b"]]).iterate(limit=1))
        [[0, 2]]
        """
        varied = self._named.vary(given, forbidden)
        return iterate_covers(varied, self._statistics, limit, seconds, stop, distinct)

    def count(
        self,
        limit: int | None = None,
        *,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        method: Method = "auto",
        seconds: float | None = None,
        stop: StopEvent | None = None,
        up_to_symmetry: bool | SymmetryGroup = False,
        distinct: Iterable[Hashable] | None = None,
        folder: str | os.PathLike[str] | None = None,
        memory: int | None = None,
    ) -> int:
        """Return the number of solutions, or `limit` if there are more.

        To resume a count that was interrupted, use `counter` or `search`.

        Parameters
        ----------
        limit
            As for `solve`.
        given, forbidden
            As for `first`.
        method : {"auto", "search", "memo", "planar"}, default: "auto"
            "search" finds all solutions. "memo" enters each distinct subproblem once, which may be
            faster by orders of magnitude; `statistics` then has the numbers of distinct subproblems
            and of lookups. "planar" counts by determinants, in polynomial time, if the options have
            two items each, and are the edges of a planar graph. If a search takes long, "auto" does
            that where it is possible; otherwise, it tries a memo, and continues with the faster
            one; it counts isomorphic subproblems once if that is faster still. With a limit
            of up to 10, it seeks solutions as `first` does. A larger limit or several threads imply
            a search. So do an executor, and a value of `choose` other than "smallest", unless the
            method is "memo".
        seconds, stop
            As for `solve`.
        up_to_symmetry : bool or SymmetryGroup, default: False
            Whether solutions that are images of each other under a group count once, by Burnside's
            lemma. True stands for all symmetries of the problem.
        distinct
            As for `solve`. It implies a search.
        folder : path-like, optional
            For the method "memo": where to keep subproblems that do not fit into the memory, and,
            about once a second and when the call is stopped, the state of the count. The next call
            for the same problem continues there, even if the process was killed. All `threads`
            count. After the end, the folder has the result only. Only one call, in any process, can
            use a folder at a time.
        memory : int, optional
            The number of bytes for subproblems; by default, the setting of the problem.

        Returns
        -------
        int

        Raises
        ------
        Stopped
            If the time limit or `stop` ends the call; `partial` is the number of solutions found;
            up to symmetry, it is a lower bound.
        ValueError
            If `limit` is negative, the method is unknown or does not apply, or one that does not
            search is requested together with anything that implies a search; if a folder is given
            for another method, or has the count of another problem. Up to symmetry, if there is a
            limit, or as `solve` does.

        Examples
        --------
        >>> cover = ExactCover([["a"], ["a"], ["b"]])
        >>> cover.count(), cover.count(limit=1)
        (2, 1)
        """
        is_plain = seconds is stop is distinct is folder is memory is None and method == "auto"
        is_plain = is_plain and up_to_symmetry is False and given is forbidden is NOTHING
        is_few = type(limit) is int and limit <= FEW  # these are listed, as `route` lists them
        begun = begin_plain(self._named, self._statistics, limit, is_few, is_plain)
        if begun is not None and begun.tree is None:  # nothing remains to be searched
            return begun.counters[0]
        arguments = limit, method, up_to_symmetry, Stop(seconds, stop), distinct, folder, begun
        named = self._named if memory is None else self._named.replace(memory=memory)
        return count_covers(named.vary(given, forbidden), self._statistics, *arguments)

    def counter(
        self,
        method: Method = "auto",
        *,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        seconds: float | None = None,
        stop: StopEvent | None = None,
        folder: str | os.PathLike[str] | None = None,
    ) -> CoverCounter:
        """Create a counter of the solutions, which can be run for some time and resumed.

        Parameters
        ----------
        method
            As for `count`. Several threads do not imply a search.
        given, forbidden
            As for `first`.
        seconds, stop
            As for `search`.
        folder
            As for `count`.

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
        >>> counter.run(seconds=1), counter.result
        (True, 2)
        """
        named = self._named.vary(given, forbidden)
        return start_counter(named, method, Stop(seconds, stop), folder=folder)

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
        return self._statistics.value

    def solve_batch(
        self,
        *,
        given: BatchOptions | None = None,
        forbidden: BatchOptions | None = None,
        covered: Iterable[Iterable[Hashable]] | None = None,
        limit: int | None = 1,
        seconds: float | None = None,
        stop: StopEvent | None = None,
        order: Order = "search",
    ) -> CoverBatch[NameT]:
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
        seconds, stop
            As for `solve`. Variations that are not finished by then have the count -1.
        order : {"search", "any"}, default: "search"
            With "any", if the search of a variation takes long, covers are sought near one of the
            problem itself, and then as by `first`, in threads of this process. Ignored without a
            limit, and with covered items.

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
            argument is invalid.
        TypeError
            If an argument has a wrong type.
        Exception
            Any exception of the executor, such as `BrokenProcessPool`.

        Notes
        -----
        With "auto", the problem determines the algorithm, not its variations. The first cover of a
        variation is that of an `ExactCover` with the same conditions, unless

        - the order is "any";
        - choices are random: each variation starts with the same seed;
        - simplifications, such as presolving, change the order of the covers: they apply to the
          problem without the conditions, and only if `covered` is None.

        Examples
        --------
        >>> cover = ExactCover({"S1": ["A"], "S2": ["A", "B"], "S3": ["B"], "S4": ["B"]})
        >>> batch = cover.solve_batch(given=[["S1"], ["S2"], ["S1", "S2"]], limit=None)
        >>> batch.counts, list(batch.covers)
        (array([2, 1, 0]), [[0, 2], [1], None])
        >>> cover.solve_batch(covered=[["A"], ["B"]]).covers[0]
        [2]
        """
        from .batch import Conditions, solve_batch  # loading kernels takes some milliseconds

        conditions = Conditions(given, forbidden, covered)
        return solve_batch(self._named, conditions, limit, order, Stop(seconds, stop))

    def cheapest(
        self,
        k: int = 1,
        *,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        costs: OptionValues | None = None,
        start: OptionNumbers | None = None,
        changes: Cost = 0,
        seed: int | None = None,
        seconds: float | None = None,
        stop: StopEvent | None = None,
        up_to_symmetry: bool | SymmetryGroup = False,
        engine: OptimizerEngine = "auto",
    ) -> Covers[NameT]:
        """Return the `k` solutions of lowest cost, or the best known when time runs out.

        If several solutions have the same cost, those found first are returned. With `maximize`,
        the solutions are those of the highest value. If no costs are given, each option costs 1:
        the solutions are those with the fewest options, or with the most in a packing, in which no
        item must be covered. With penalties, only these count then. A notice in the log says so.
        Large problems begin with a plan of a short search. If it finds none, the methods of `first`
        seek one, in up to a fifth of the time limit; they come before the engine if a plan that
        covers each item exactly once would be the best, or with constructions in large problems.

        Parameters
        ----------
        k : int, default: 1
            The largest number of solutions.
        given, forbidden
            As for `first`.
        costs : array_like or mapping, optional
            Other costs of all options for this call, or other values if these are maximized.
        start : iterable of hashable, optional
            The options of a solution, such as an earlier plan, or of a part of one, by number or
            name. They need not satisfy the conditions of the problem. The search begins near them,
            so it has a good solution early, which excludes most of the worse ones.
        changes : number, default: 0
            The cost of each option of `start` that the solution does not contain, so that a new
            plan differs little from `start`. It counts for the order of the solutions, for `bound`
            and `gap`. `Cover.cost` is the cost of the plan alone, without the changes.
        seed : int, optional
            As for `first`.
        seconds : float, optional
            The time limit. The call then returns what is known, without an exception.
        stop : StopEvent, optional
            Ends the call as the time limit does; see `solve`.
        up_to_symmetry : bool or SymmetryGroup, default: False
            As for `solve`.
        engine : {"auto", "own", "highs", "both"}, default: "auto"
            What seeks the solutions: the branch and bound of this package, which takes the same
            steps everywhere; HiGHS, a solver of integer programs, which must be installed; or both
            side by side, which exchange the best solution and the bound. The first one that proves
            its result ends the call; `statistics.method` is "highs" if it was HiGHS. "auto" is
            "both" for coverings and packings of 200 or more items if HiGHS is installed and
            `threads` is not 1, or else "own".

        Returns
        -------
        Covers
            The solutions in ascending order of their costs; see `Cover.cost`. The attribute `done`
            says whether they are known to be the cheapest, and `bound` is a lower bound on the
            cost of all others.

        Raises
        ------
        ValueError
            If `k` is less than 1, the algorithm is neither "auto" nor "links", the
            options or costs are invalid, as for `ExactCover`, or `changes` is negative or lacks
            `start`.

        Examples
        --------
        >>> cover = ExactCover([["a"], ["a", "b"], ["b"], ["b"]], costs=[1, 5, 2, 7])
        >>> [(found, found.cost) for found in cover.cheapest(2)]
        [([0, 2], 3), ([1], 5)]
        >>> covers = cover.cheapest(seconds=10)
        >>> covers, covers.bound, covers.done
        ([[0, 2]], 3, True)

        Option 2 is no longer available:

        >>> cover.cheapest(forbidden=[2], start=[0, 2])
        [[1]]

        A plan that keeps option 0 costs 8, and 4 for one change. The other one costs 5, and 8 for
        two changes:

        >>> cover.cheapest(2, forbidden=[2], start=[0, 2], changes=4)
        [[0, 3], [1]]
        """
        varied = self._named.vary(given, forbidden, seed, costs, counts=True)  # or each costs 1
        first = [] if start is None else self._named.numbers_of(start, "start")
        rewarded = varied.reward(start, changes)
        return find_cheapest(
            rewarded, self._statistics, k, up_to_symmetry, Stop(seconds, stop), first, engine
        )

    def cheapest_batch(
        self,
        *,
        given: BatchOptions | None = None,
        forbidden: BatchOptions | None = None,
        costs: Iterable[OptionValues] | None = None,
        start: OptionNumbers = (),
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> CoverBatch[NameT]:
        """Return the cheapest solution of each of many variations of the problem.

        Parameters
        ----------
        given, forbidden
            As for `solve_batch`.
        costs : iterable of (array_like or mapping), optional
            The costs of all options for each variation.
        start
            As for `cheapest`: options near which all variations seek their solutions, such as those
            of the cheapest solution of the problem itself.
        seconds, stop
            As for `cheapest`.

        Returns
        -------
        CoverBatch
            The cheapest cover of each variation, and the bound on its cost. The count is 1, or 0 if
            there is no cover, or -1 if the search is unfinished.

        Raises
        ------
        ValueError, TypeError
            As `solve_batch` does, and if costs are invalid.

        Examples
        --------
        >>> cover = ExactCover([["a"], ["a", "b"], ["b"], ["b"]], costs=[1, 5, 2, 7])
        >>> batch = cover.cheapest_batch(forbidden=[[0], [2], [0, 1]])
        >>> batch.covers, batch.counts
        ([[1], [1], None], array([1, 1, 0]))
        """
        from .batch import Conditions, solve_variations  # loading kernels takes some milliseconds

        conditions = Conditions(given, forbidden, costs=costs)
        first = self._named.numbers_of(start, "start")
        named = self._named.counted() if costs is None else self._named  # or each costs 1
        return solve_variations(named, conditions, first, Stop(seconds, stop))

    def optimizer(
        self,
        k: int = 1,
        *,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        start: OptionNumbers | None = None,
        changes: Cost = 0,
        seconds: float | None = None,
        stop: StopEvent | None = None,
        engine: OptimizerEngine = "auto",
    ) -> CoverOptimizer[NameT]:
        """Create a search for the cheapest solutions, which can be run for some time and resumed.

        Parameters
        ----------
        k, given, forbidden, start, changes
            As for `cheapest`.
        seconds, stop
            As for `search`.
        engine
            As for `cheapest`. HiGHS pauses between two runs.

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
        >>> optimizer.run(seconds=10), optimizer.result, optimizer.result.bound
        (True, [[1, 2]], 2)
        """
        from .engines import create_optimizer  # slow

        first = self._named.numbers_of(() if start is None else start, "start")
        varied = self._named.vary(given, forbidden, counts=True).reward(start, changes)
        condition = Stop(seconds, stop)
        return create_optimizer(varied, k, condition, first, engine=engine)

    def replace(self, **keywords: Unpack[VariedKeywords]) -> Self:
        """Return the same problem with other costs, conditions or settings.

        The two share what has not changed, so this is much faster than a new `ExactCover`.

        Parameters
        ----------
        **keywords
            `costs` or `maximize`, `multiplicity`, `exactly`, `at_most` and `at_least`, `penalty`,
            `given`, `forbidden`, `choose`, `seed`, `presolve`, `algorithm`, `consistency`,
            `threads`, `executor`, `memory`, `progress` and `view` as for `ExactCover`, instead of
            those of this problem. New multiplicities replace all of them, and so do costs and
            penalties; an empty mapping removes them, and None keeps them, as it keeps the seed and
            the view. A penalty of an item that need not be covered has no effect, and is not kept.

        Returns
        -------
        ExactCover

        Raises
        ------
        ValueError, TypeError
            As `ExactCover` does.

        Examples
        --------
        >>> plan = ExactCover([["a"], ["a", "b"], ["b"]], costs=[1, 3, 1])
        >>> plan.cheapest(), plan.replace(costs=[1, 1, 1], given=[1]).cheapest()
        ([[0, 2]], [[1]])
        """
        known = VariedKeywords.__annotations__.keys()
        if unknown := sorted(keywords.keys() - known):
            raise TypeError(f"replace() got an unexpected keyword argument {unknown[0]!r}")
        fields = Settings._fields
        settings = {key: value for key, value in keywords.items() if key in fields}
        changes = {k: v for k, v in keywords.items() if k not in fields and v is not None}
        view = changes.pop("view", None)
        names_items = not isinstance(settings.get("choose", ""), str)
        if settings.keys() & {"given", "forbidden"} or names_items or view is not None:
            self._named.unfixed("replace")
        named = self._named.replace(changes, **cast(SearchKeywords, settings))
        return self._with(named if view is None else named.viewed(view))

    def check(self, cover: OptionNumbers) -> Check:
        """Check a claimed cover, and name what is wrong with it.

        Parameters
        ----------
        cover : iterable of hashable
            The options of the claimed cover, by number or name; one that is listed twice counts
            once. An item with a penalty costs it for each option that is missing.

        Returns
        -------
        Check
            It is true if the claim is a cover. `problems` has a sentence for each item that is not
            covered or covered too often, and for each other violation; `cost` is the total cost.

        Raises
        ------
        ValueError
            If an option does not exist.

        Examples
        --------
        >>> problem = ExactCover({"S1": ["A"], "S2": ["A", "B"], "S3": ["B"]})
        >>> print(problem.check(["S1", "S2"]))
        not a cover: `A` is covered 2 times, by S1 and S2
        >>> bool(problem.check(["S2"]))
        True
        """
        return check_cover(self._named.unfixed("check"), cover)

    def possible_options(
        self,
        *,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> NDArray[np.bool_]:
        """Return which options occur in at least one solution.

        Each search asks for a solution with an option that no solution so far contains, so the
        solutions are not enumerated.

        Parameters
        ----------
        given, forbidden
            As for `first`.
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
            If a given or forbidden option is invalid, or given options exclude each other.

        Examples
        --------
        >>> ExactCover([["a", "b"], ["a"], ["b"], ["b", "c"], ["c"]]).possible_options()
        array([ True,  True,  True,  True,  True])
        >>> ExactCover([["a", "b"], ["b"], ["b", "c"], ["c"]]).possible_options()
        array([ True, False, False,  True])
        """
        from .batch import find_possible

        return find_possible(self._named.vary(given, forbidden), Stop(seconds, stop))

    def certify(
        self,
        path: str | os.PathLike[str],
        claim: Claim = "count",
        *,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> int | None:
        """Write a certificate of the number of solutions, or of the lowest cost of one.

        A certificate is a proof that others can verify by `dlx_numba.verify_certificate`, a short
        program that shares no code with the searches. It reads the problem in Knuth's format or as
        JSON; see `write`.

        Parameters
        ----------
        path : str or path-like
            The file, which is replaced when the certificate is complete.
        claim : {"count", "cost"}, default: "count"
            What to prove: "there are exactly n solutions", or "no solution costs less than c"; if
            no costs are given, options count. If there is no solution, either claim proves just
            that.
        given, forbidden
            As for `first`.
        seconds, stop
            As for `solve`.

        Returns
        -------
        int or None
            The number of solutions, or the lowest cost, which is None if there is no solution.

        Raises
        ------
        Stopped
            If the time limit or `stop` ends the call; `partial` is None, and the file is unchanged.
        MemoryError
            If the memory does not suffice.
        OSError
            If the file cannot be written.
        ValueError
            If the claim is invalid, or the problem has totals. For the claim "cost", if costs are
            negative or fractions, values are maximized, or items with multiplicities have
            penalties, and as `cheapest` does.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> cover = ExactCover([["a"], ["b"], ["a", "b"]])
        >>> with TemporaryDirectory() as directory:
        ...     path = Path(directory, "certificate")
        ...     print(cover.certify(path))
        ...     print(*path.read_text().splitlines()[1:], sep="\\n")
        2
        given
        forbidden
        graph
        0 1 *
        1 *
        covers 2
        """
        from .certificate import certify

        return certify(self._named.vary(given, forbidden), path, claim, Stop(seconds, stop))

    def diagram(
        self,
        *,
        order: str | Sequence[Hashable] = "auto",
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> CoverDiagram[NameT]:
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
        given, forbidden
            As for `first`.
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
            If the order is invalid, or the problem is too large for a memo.

        Examples
        --------
        >>> diagram = ExactCover([["a"], ["b"], ["a", "b"]]).diagram()
        >>> diagram.count(), diagram.frequencies()
        (2, [1, 1, 1])
        """
        limit = Stop(seconds, stop)
        builder = self.diagram_builder(order=order, given=given, forbidden=forbidden, stop=limit)
        run(builder, limit)
        if not builder.done:
            raise Stopped(f"stopped before the diagram was complete: {builder}")
        return builder.result

    def diagram_builder(
        self,
        *,
        order: str | Sequence[Hashable] = "auto",
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> DiagramBuilder[NameT]:
        """Create a builder of a diagram, which can be run for some time and resumed.

        Parameters
        ----------
        order
            As for `diagram`.
        given, forbidden
            As for `first`.
        seconds, stop
            As for `search`.

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
        >>> builder.run(seconds=10), builder.result.count()
        (True, 2)
        """
        from .diagram_builder import start_builder  # slow

        return start_builder(self._named.vary(given, forbidden), order, Stop(seconds, stop))

    def symmetries(
        self,
        functions: ItemFunction | Iterable[ItemFunction] | None = None,
        *,
        limit: int | None = MAX_ORDER,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> SymmetryGroup:
        """Return all symmetries of the problem, or those that some functions generate.

        A symmetry is a permutation of the items that maps the set of options to itself. It maps
        primary items to primary items with the same multiplicity, secondary items to secondary
        items, the colors of a secondary item one-to-one to those of its image, and options to
        options of the same cost and the same weights in totals. It maps given options to given
        ones, and forbidden options to forbidden ones; presolving does not affect it. Options with
        the same items, colors, costs and weights are distinct, and no symmetry exchanges them.

        Parameters
        ----------
        functions : callable, mapping, array or str, or iterable of them, optional
            Functions from items to items. Colors stay fixed, and so do items that a mapping omits,
            or for which a function returns None. An array of integers contains the number of the
            image of each item. The names "rotate90", "rotate180", "rotate270", "reflect" (left and
            right are exchanged), "flip" (top and bottom are exchanged), "transpose" and
            "antitranspose" apply to items that are pairs of integers, a row and a column, within
            their bounding box. Other texts have cycles of items, such as "(a b)(c d e)".
        limit : int or None, default: 100000
            The largest order of the group; None for any.
        given, forbidden
            As for `first`.
        seconds, stop
            As for `solve`.

        Returns
        -------
        SymmetryGroup

        Raises
        ------
        Stopped
            If the time limit or `stop` ends the call before the group is complete.
        ValueError
            If a function is not a symmetry; the message names the first option that is not mapped
            to an option. If a mapping has a key that is not an item. If the group is larger than
            `limit`; the message gives its order. If a group that functions generate needs too much
            memory.

        Examples
        --------
        >>> cells = [(row, column) for row in range(4) for column in range(4)]
        >>> pairs = [[(r, c), (r + d, c + 1 - d)] for r, c in cells for d in (0, 1)]
        >>> dominoes = ExactCover([pair for pair in pairs if set(pair) <= set(cells)])
        >>> dominoes.symmetries()
        <SymmetryGroup: order 8, 2 generators>
        >>> rotations = dominoes.symmetries(lambda cell: (cell[1], 3 - cell[0]))
        >>> rotations.order, dominoes.symmetries("rotate90") == rotations
        (4, True)
        >>> dominoes.count(), dominoes.count(up_to_symmetry=True)
        (36, 9)
        """
        varied = self._named.unfixed("symmetries").vary(given, forbidden)
        from .symmetry import find_symmetries  # few programs need groups

        return find_symmetries(varied, functions, limit, stop=Stop(seconds, stop))

    def fixed_by(
        self,
        symmetry: SymmetryGroup | ItemFunction | Iterable[ItemFunction],
        *,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> Self:
        """Return the problem of the covers that symmetries leave as they are.

        Its searches choose orbits of options, as the symmetries map them, so they are shorter. Its
        items, options and covers are those of this problem. Options that are given, forbidden or
        a start stand for their orbits.

        Parameters
        ----------
        symmetry : SymmetryGroup, callable, mapping, array or str, or iterable of them
            A group that `symmetries` returns, or functions from items to items as for `symmetries`,
            such as "rotate90" or a mapping. They need not respect costs and weights: those of an
            orbit are added. An orbit is given or forbidden if one of its options is.
        seconds, stop
            As for `solve`.

        Returns
        -------
        ExactCover

        Raises
        ------
        Stopped
            If the time limit or `stop` ends the call; `partial` is None.
        ValueError
            If a function is not a symmetry, or the group belongs to another problem; if no cover
            that the symmetries fix contains the given options. What is not supported raises
            ValueError, too: `search`, `symmetries`, variations in batches, certificates, `write`,
            `to_cpsat`, `relax`, `puzzles`, `check`, `explain`, `diagnose`, `deduce`, lists of items
            as an order, and the arguments `distinct`, `up_to_symmetry`, `costs` and `changes`.

        Examples
        --------
        >>> cells = [(row, column) for row in range(6) for column in range(6)]
        >>> pairs = [[(r, c), (r + d, c + 1 - d)] for r, c in cells for d in (0, 1)]
        >>> dominoes = ExactCover([pair for pair in pairs if set(pair) <= set(cells)])
        >>> dominoes.count(), dominoes.fixed_by("reflect").count()
        (6728, 296)
        >>> dominoes.fixed_by(["rotate90", "reflect"]).first() is None
        True
        """
        from .symmetry import find_fixed  # few programs need groups

        return self._with(find_fixed(self._named, symmetry, Stop(seconds, stop)))

    def search(
        self,
        *,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> Search:
        """Create a search, which can be run for some time, inspected, saved, split and resumed.

        Parameters
        ----------
        given, forbidden
            As for `first`.
        seconds, stop
            As for `solve`. They limit presolving, which then removes fewer options.

        Returns
        -------
        Search

        Raises
        ------
        ValueError
            If a given or forbidden option is invalid, or given options exclude each other.

        Examples
        --------
        >>> search = ExactCover([["a"], ["a"], ["b"]]).search()
        >>> search.run(solutions=1), search.done
        ([[0, 2]], False)
        """
        named = self._named.unfixed("search").vary(given, forbidden)
        return Search(named.prepare(Stop(seconds, stop)), workers=named.workers)

    def explain(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        steps: int = 1000,
        limit: int | None = None,
        title: str = "Exact cover",
        show_givens: bool = False,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> Page:
        """Record a search step by step, as a page that notebooks show.

        The search has the branching rule and the given and forbidden options of the problem.
        `presolve`, `algorithm` and costs do not affect it.

        Parameters
        ----------
        path : str or path-like, optional
            A file to which the page is also written.
        steps : int, default: 1000
            The largest number of steps. If the search takes more of them to find a cover, the page
            has its beginning and the path to the first cover; other branches are collapsed.
        limit : int, optional
            Stop after this number of covers.
        title : str
            The title of the page.
        show_givens : bool, default: False
            Whether the search chooses the given options first. By default, it starts after them.
        given, forbidden
            As for `first`.
        seconds, stop
            As for `solve`.

        Returns
        -------
        Page

        Raises
        ------
        Stopped
            If the call ends before the record is complete; `partial` is None.
        ValueError
            If the problem is too large for a page, the givens cannot be shown because it has
            multiplicities, or a given or forbidden option is invalid.

        Examples
        --------
        >>> cover = ExactCover([["a"], ["a", "b"], ["b"]])
        >>> cover.explain(limit=1)
        <Page: 8 steps, 1 cover>
        """
        return shelves.explain_cover(
            self._named.unfixed("explain").vary(given, forbidden),
            Stop(seconds, stop),
            path,
            steps,
            limit,
            title,
            show_givens,
        )

    def relax(
        self,
        weights: Mapping[Any, object] | None = None,
        *,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> RelaxedCover[NameT] | None:
        """Drop the cheapest set of requirements such that the problem has a solution.

        Items are left uncovered, or covered less often than they must be. Capacities are raised:
        those of multiplicities, and of secondary items that options share or give several colors.
        Totals leave their limits, given options are left out, and forbidden ones allowed. Options
        of penalties are options like others. Among the solutions that drop as little, the one of
        the lowest cost is returned.

        Parameters
        ----------
        weights : mapping, optional
            What it costs to drop a requirement, for each unit, by default 1. A key is the name of
            an item, an option or a total; a kind of requirements: "uncovered", "capacity",
            "total", "given" or "forbidden"; or a pair of a kind and a name. Requirements with the
            weight ``math.inf`` are not dropped.
        seconds, stop
            As for `solve`.

        Returns
        -------
        Cover or None
            The options chosen. `Cover.relaxed` has what is dropped, which `print` and `Cover.svg`
            show. If the time limit or `stop` ends the call, it is the best one known, whose
            attribute `done` is False, as it is if weights or costs have so many digits that sums
            are rounded. None if the requirements that may not be dropped exclude all solutions.

        Raises
        ------
        Stopped
            If the call ends before any relaxation is known.
        ValueError
            If there is no requirement with a name, or a weight is negative.

        Examples
        --------
        >>> shifts = {"Ann": ["mon"], "Bob": ["tue"], "Bob late": ["tue", "wed"]}
        >>> roster = ExactCover(shifts, ["mon", "tue", "wed", "thu"], forbidden=["Bob late"])
        >>> plan = roster.relax({"forbidden": 0.5})
        >>> print(plan)
        Ann, Bob late
        Given up: `thu` is not covered
        Given up: `Bob late` is chosen, but forbidden
        """
        from .relax import relax_problem  # most problems have solutions

        return relax_problem(self._named.unfixed("relax"), weights, Stop(seconds, stop))

    def diagnose(
        self,
        *,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> Diagnosis:
        """Explain why the problem has no cover.

        The reason is the first of these: items that too few options contain; a coloring, which is
        a number for each item, and proves by sums, or by counting, that no choice of options covers
        all items; or a few items that cannot all be covered. Then the requirements of these items
        are dropped, in order to find other, independent reasons.

        Parameters
        ----------
        given, forbidden
            As for `first`.
        seconds, stop
            As for `solve`, but a call that is stopped returns what it has found, and raises no
            exception.

        Returns
        -------
        Diagnosis

        Raises
        ------
        ValueError
            If a given or forbidden option is invalid, or given options exclude each other.

        Examples
        --------
        >>> print(ExactCover([["ann"], ["bob"]], items=["ann", "bob", "Bob"]).diagnose())
        `Bob` has no option; did you mean 'bob'?
        >>> diagnosis = ExactCover([["a", "b"], ["b", "c"], ["c", "a"]]).diagnose()
        >>> diagnosis.kind, diagnosis.values, diagnosis.modulus
        ('coloring', {'a': 1, 'b': 1, 'c': 1}, 2)
        """
        varied = self._named.unfixed("diagnose").vary(given, forbidden)
        return shelves.diagnose_cover(varied, Stop(seconds, stop))

    def deduce(
        self,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        max_size: int = 4,
        *,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> Deduction:
        """Find what follows from the problem, step by step, by rules that people can follow.

        Each step is the simplest one: an item has a single option left; the options of an item
        exclude another one; items use up others (a set); or a choice leads to a dead end (a chain).

        Parameters
        ----------
        given, forbidden
            As for `first`.
        max_size : int, default: 4
            The largest number of items of a set.
        seconds, stop
            As for `solve`, but a call that is stopped returns the steps it has found.

        Returns
        -------
        Deduction
            A list of steps. A step has the attributes `kind`, `size`, `items`, `chosen`, `removed`
            and `text`, and the method `svg`. The attribute `done` of the list says whether
            nothing simple is left, `cover` is the only cover if the steps find it, and `refuted`
            says whether they prove that there is none.

        Raises
        ------
        ValueError
            If `max_size` is less than 1, a given or forbidden option is invalid, or given options
            exclude each other.

        Notes
        -----
        The rules do not use costs and totals. A set uses up no item that several options may cover
        or color. Whatever is removed is in no cover.

        Examples
        --------
        >>> print(ExactCover([["a", "b"], ["b", "c"], ["c"], ["a"]]).deduce(given=[2]))
        1. For `b`, only `a b` is left. This excludes `a`.
        This is the only cover.
        """
        varied = self._named.unfixed("deduce").vary(given, forbidden)
        return shelves.deduce_cover(varied, max_size, Stop(seconds, stop))

    def puzzles(
        self,
        n: int = 1,
        clues: OptionNumbers | None = None,
        minimal: bool = True,
        level: str | None = None,
        *,
        seed: int | None = None,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> Covers[NameT]:
        """Make puzzles: sets of options, each of which is contained in exactly one cover.

        Each puzzle is made from a cover that is drawn at random. Its options are removed in random
        order while there is no other cover that contains the others.

        Parameters
        ----------
        n : int, default: 1
            The number of puzzles. No symmetry maps one to another, nor its solution, while there
            are others, unless the problem has too many symmetries; a log entry says if they repeat.
        clues : iterable of hashable, optional
            The options that puzzles may show, by number or name; by default, all.
        minimal : bool, default: True
            Whether no option can be left out, except those that the problem gives. If False, the
            removal ends at the first option that is needed, so there are more clues.
        level : str, optional
            The hardest step by which `deduce` solves each puzzle: "only", "conflict", "set" or
            "chain", or also its size, as in "set of 2". A puzzle that is too hard gets as many
            further clues as it needs.
        seed : int, optional
            The seed of the random choices. By default, it is drawn at random.
        seconds, stop
            As for `solve`.

        Returns
        -------
        Covers
            For each puzzle its clues, including given options, as a `Cover` that is incomplete.

        Raises
        ------
        Stopped
            If the time limit or `stop` ends the call; `partial` is a list of the puzzles found.
        ValueError
            If the problem has no cover, or 2,000 covers in succession give no puzzle that shows
            only `clues` and has the level.

        Warns
        -----
        UserWarning
            If the covers are not drawn uniformly, because a diagram of all covers does not fit into
            the memory of the problem, by default 64 MB and 128 kB for each puzzle, or does not
            support the problem. They are then found by searches with random choices.

        Examples
        --------
        >>> import dlx_numba as dlx
        >>> queens = dlx.example("queens", n=6).cover()
        >>> [puzzle] = queens.puzzles(seed=1)
        >>> puzzle.names, queens.count(given=puzzle)
        (['a2'], 1)
        """
        from .puzzles import make_puzzles  # most problems are only solved

        condition = Stop(seconds, stop)
        compare = None
        if level is not None:
            compare = shelves.level_comparison(self._named, level, condition)
        return make_puzzles(
            self._named.unfixed("puzzles"), n, clues, minimal, compare, seed, condition
        )


def with_named(cover: ExactCover, named: NamedProblem) -> ExactCover:
    """Return a problem of the same class with another content."""
    return cover._with(named)
