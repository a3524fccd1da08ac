"""Covers that know their problem, so that they have names, costs and pictures."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from copy import copy
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from ..kernels.cover_array import CoverArray, as_array, join_covers
from ..kernels.problem import Problem
from ..pictures.document import Svg
from ..runtime.tables import Table
from ..runtime.text import plural, shorten
from .name_types import NameT as NameT
from .named_problem import NamedProblem
from .names import Cost, CostScale, Names, Numbers, as_text, list_option, names_of
from .penalties import Missing, list_missing
from .picture import draw, tabulate
from .text import format_cover

if TYPE_CHECKING:
    from .diagram_file import DiagramFacts
    from .plan import Columns

Start = Iterable[Hashable] | None  # the options of an earlier plan

# Covers that a notebook shows, as a table and as pictures
MAX_SHOWN = 20
MAX_PICTURES = 6
WIDTH = 240  # of a picture, in pixels
MAX_MAPS = 40  # heat maps of frequencies
MAP_SCALE = 0.9  # of heat maps in notebooks


def as_cover(named: NamedProblem, options: list[int]) -> Cover:
    """Return a list of option numbers as a cover of a problem."""
    if named.plain is None:  # a plain problem is no variation, and has no fixed symmetries
        if named.fixed is not None:
            [options] = named.fixed.expand([options])
        named = named.cover_problem.shared
    cover = Cover(options)
    cover._problem = named
    return cover


def as_covers(named: NamedProblem, found: Iterable[list[int]], done: bool | None = None) -> Covers:
    """Return an array or lists of option numbers as covers of a problem."""
    if named.fixed is not None:
        found = named.fixed.expand(found)
    covers = Covers(found, done=done)
    covers._problem = named.cover_problem.shared
    return covers


def number_items(facts: DiagramFacts) -> NamedProblem:
    """Return the problem of a diagram whose names are unknown: items and options are numbers."""
    n_items = int(facts.items.max(initial=-1)) + 1
    n_options = facts.n_options
    problem = Problem(facts.indptr, facts.items, n_items, 0, cost=facts.cost)
    scale = CostScale(facts.factor, facts.error)
    lacks_costs = facts.cost is None
    names = Names(range(n_items), (), range(n_options), scale, lacks_costs=lacks_costs)
    return NamedProblem(problem, names)


class Cover(Numbers, Generic[NameT]):
    """A cover: the sorted list of the numbers of its options, with their names, items and cost.

    It equals a list of the same numbers, and can be used wherever a list is expected. `ExactCover`
    and `CoverDiagram` create covers. One that is made by hand is a list of numbers and no more: its
    other members raise ValueError.

    Parameters
    ----------
    iterable : iterable of int
        The numbers.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> cover = ExactCover({"S1": ["A"], "S2": ["A", "B"], "S3": ["B", "C"]}).first()
    >>> cover, cover.names, cover.items
    ([0, 2], ['S1', 'S3'], [['A'], ['B', 'C']])
    >>> print(cover)
    S1 S3
    """

    __slots__ = ("_problem",)
    _problem: NamedProblem

    @property
    def _named(self) -> NamedProblem:
        try:
            return self._problem
        except AttributeError:
            raise ValueError(
                "a cover that is made by hand has no problem, which has the names and costs"
            ) from None

    def __reduce__(self) -> tuple[Any, ...]:
        if not hasattr(self, "_problem"):
            return Cover, (list(self),)
        return as_cover, (self._problem, list(self))

    def __deepcopy__(self, memo: object) -> Cover[NameT]:
        return copy(self)  # the problem is immutable

    @property
    def names(self) -> list[NameT]:
        """The names of the options; their items as text if no option of the problem has a name.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["mon", "ann"], ["tue", "bob"]]).first().names
        ['mon ann', 'tue bob']
        """
        names: list[Any] = names_of(self._named.problem, self._named.names, self)
        return names

    @property
    def items(self) -> list[list[Hashable]]:
        """The items of each option; an item with a color is a pair (item, color)."""
        return [list_option(self._named.problem, self._named.names, option) for option in self]

    @property
    def uncovered(self) -> list[Hashable]:
        """The items that the cover leaves uncovered, as often as they are missing.

        Each time costs the penalty of the item.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> roster = ExactCover({"Ann": ["mon"]}, ["mon", "tue"], penalty={"mon": 9, "tue": 7.5})
        >>> [cover] = roster.cheapest()
        >>> cover.cost, cover.names, cover.uncovered
        (7.5, ['Ann', 'uncovered tue'], ['tue'])
        """
        return [item for item, number, _ in self._missing for _ in range(number)]

    @property
    def _missing(self) -> list[Missing]:
        return list_missing(self._named.problem, self._named.names, self)

    @property
    def relaxed(self) -> dict[tuple[str, Hashable], int]:
        """Requirements that `ExactCover.relax` has dropped: how much of each, by kind and name.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> plan = ExactCover([["Ann", "mon"], ["Bob", "mon"]]).relax({"uncovered": 2})
        >>> plan.relaxed, plan.uncovered
        ({('capacity', 'mon'): 1}, [])
        """
        return {}

    @property
    def totals(self) -> dict[Hashable, int]:
        """The sum of the weights of the options in each total of the problem.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a"], ["b"]], totals={"hours": ([3, 4], 0, 9)}).first().totals
        {'hours': 7}
        """
        sums = self._named.problem.sum_weights(self).tolist()
        return dict(zip(self._named.names.totals, sums, strict=True))

    @property
    def cost(self) -> Cost:
        """The total cost or value of the options; 0 if the problem has no costs."""
        return self._named.cost(self)

    def to_frame(self, start: Start = None) -> Any:
        """Return the plan as a data frame: one row for each option, its items by role as columns.

        If the problem was made by `ExactCover.from_frame`, these are rows of its table. Otherwise,
        the role of an item such as ``("room", 3)`` is its first element. Items left uncovered have
        rows, too, whose costs are the penalties.

        Parameters
        ----------
        start : iterable of hashable, optional
            The options of an earlier plan. The column "change" then says whether an option is kept,
            new or dropped. Without `start`, the frame has this column only if items are uncovered.

        Returns
        -------
        DataFrame
            A frame of the library whose frame the problem was made from, by default of pandas.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> roster = ExactCover({"A": [("shift", "early")], "B": [("shift", "early")]})
        >>> roster.first().to_frame(start=["B"]).to_dict("list")
        {'option': ['A', 'B'], 'shift': ['early', 'early'], 'change': ['new', 'dropped']}
        """
        table = self._named.names.table
        library: Any = import_module("pandas" if table is None else table.library)
        make = library.table if library.__name__ == "pyarrow" else library.DataFrame
        return make(self.columns(start))

    def to_csv(self, path: str | os.PathLike[str], start: Start = None) -> None:
        """Write what `to_frame` returns as a CSV file.

        An apostrophe precedes a text that spreadsheets would take for a formula, such as ``=1+1``.
        Lists in cells are joined by the `separator` of `ExactCover.from_frame`, or by the first of
        ``+;,|/`` that is in no text.

        Parameters
        ----------
        path : str or path-like
            The file, which is replaced.
        start
            As for `to_frame`.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        self._write(path, ".csv", start)

    def to_excel(self, path: str | os.PathLike[str], start: Start = None) -> None:
        """Write what `to_frame` returns as an Excel workbook, by the package openpyxl.

        Parameters
        ----------
        path : str or path-like
            The file, which is replaced.
        start
            As for `to_frame`.

        Raises
        ------
        ImportError
            If openpyxl is not installed.
        OSError
            If the file cannot be written.
        """
        self._write(path, ".xlsx", start)

    def to_parquet(self, path: str | os.PathLike[str], start: Start = None) -> None:
        """Write what `to_frame` returns as a file of Parquet, by the package pyarrow.

        Parameters
        ----------
        path : str or path-like
            The file, which is replaced.
        start
            As for `to_frame`.

        Raises
        ------
        ImportError
            If pyarrow, the extra `arrow`, is not installed.
        OSError
            If the file cannot be written.
        """
        self._write(path, ".parquet", start)

    def to_ics(self, path: str | os.PathLike[str], start: Start = None) -> None:
        """Write the plan as a calendar in the iCalendar format, by the package icalendar.

        Its events are the options that have a time: a cell with a date, such as ``2026-11-30``, a
        date and a time, or a weekday and a time, such as ``Mon 9:00-9:45``, which is repeated each
        week. A second column of times has the ends. A date and its times may be in two columns.

        Parameters
        ----------
        path : str or path-like
            The file, which is replaced.
        start
            As for `to_frame`; dropped options are not events.

        Raises
        ------
        ValueError
            If no column has dates, or weekdays with times.
        ImportError
            If icalendar is not installed.
        OSError
            If the file cannot be written.
        """
        self._write(path, ".ics", start)

    def _write(self, path: str | os.PathLike[str], kind: str, start: Start = None) -> None:
        from .plan import write_plan  # most covers are not written

        table = self._named.names.table
        write_plan(path, kind, self.columns(start), None if table is None else table.separator)

    def columns(self, start: Start = None) -> Columns:
        """Return the columns of the plan, as its files and data frames have them.

        Parameters
        ----------
        start : iterable of hashable, optional
            The options of an earlier plan, as for `to_frame`.

        Returns
        -------
        dict
            The columns by their names.
        """
        from .plan import tabulate_plan  # most covers are not written

        return tabulate_plan(self._named, self, self._missing, start)

    def svg(self) -> str:
        """Return a picture of the solved puzzle or the plan; see `view` of `ExactCover`.

        Returns
        -------
        str
            An SVG document.

        Raises
        ------
        ValueError
            If the view is a matrix, which has too many entries for a picture.

        Examples
        --------
        >>> import dlx_numba as dlx
        >>> "Q: b4" in dlx.example("queens", n=4).cover().first().svg()
        True
        """
        return draw(self._named, self)

    def _picture(self) -> str | None:
        """Return the picture of the solved puzzle, or None if the problem has no picture."""
        picture = self._named.drawing
        return None if picture is None else picture.svg(self)

    def __str__(self) -> str:
        if not hasattr(self, "_problem"):
            return repr(self)
        problem = self._named.problem
        names = self._named.names
        return format_cover(problem, names, self, "names", is_for_people=True)

    def _repr_html_(self) -> str | None:
        """Return the picture of the cover, or else its table."""
        from ..pictures.html import figures, table  # only notebooks need HTML

        if not hasattr(self, "_problem"):
            return None
        if picture := self._picture():
            return figures([(picture, "")], WIDTH)
        return table(*tabulate(self._named, self))


class Covers(CoverArray[Cover[NameT]], Table, Generic[NameT]):
    """A sequence of covers, which notebooks show as pictures or as a table of names.

    The option numbers of all covers are in two arrays, and an element becomes a `Cover` when it is
    accessed, so a million covers take little time and memory. The sequence is immutable, and equals
    a list of the same lists of numbers.

    Parameters
    ----------
    iterable : iterable of Cover
        The covers.
    done : bool, optional
        Whether nothing is missing: these are all covers that were requested, and, as the result of
        `cheapest`, proven to be the cheapest. None if that is unknown.
    bound : int or float, optional
        No cover that is not in the sequence costs less, or has a higher value if values are
        maximized. None if no bound is known, or there is no cover.
    gap : float, optional
        If one cheapest cover was requested, the fraction of its cost that might be saved.
    tolerance : float
        By how much rounding may change the bound, or another cover may be better: 0 unless costs
        have so many digits that 64 bits, or HiGHS, cannot represent them exactly.

    Attributes
    ----------
    options : ndarray of int32
        The numbers of the options of all covers, one cover after another.
    indptr : ndarray of int64, shape (covers + 1,)
        Cover `k` consists of `options[indptr[k] : indptr[k + 1]]`, in ascending order.
    done, bound, gap, tolerance
        The parameters.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> covers = ExactCover({"S1": ["A"], "S2": ["A", "B"], "S3": ["B"]}).solve()
    >>> covers
    [[0, 2], [1]]
    >>> covers.options, covers.indptr
    (array([0, 2, 1], dtype=int32), array([0, 2, 3]))
    >>> print(covers)
    S1 S3
    S2
    >>> covers = ExactCover([["a"], ["a"], ["b"]], costs=[3, 2, 2]).cheapest()
    >>> covers, covers[0].cost, covers.bound, covers.gap, covers.done
    ([[1, 2]], 4, 4, 0.0, True)
    """

    __slots__ = "_problem", "bound", "done", "gap", "tolerance"
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        iterable: Iterable[list[int]] = (),
        *,
        done: bool | None = None,
        bound: Cost | None = None,
        gap: float | None = None,
        tolerance: float = 0.0,
    ) -> None:
        source: object = iterable  # from which the problem is taken, if it has one
        if not isinstance(iterable, CoverArray):
            covers = list(iterable)
            source = covers[0] if covers else None
            iterable = as_array(covers)
        self._problem: NamedProblem | None = getattr(source, "_problem", None)
        self.options = iterable.options
        self.indptr = iterable.indptr
        self.done = done
        self.bound = bound
        self.gap = gap
        self.tolerance = tolerance

    @overload
    def __getitem__(self, k: SupportsIndex) -> Cover[NameT]: ...
    @overload
    def __getitem__(self, k: slice[Any, Any, Any]) -> Covers[NameT]: ...
    def __getitem__(self, k: object) -> Any:
        """Return a cover, or for a slice, covers that share the arrays of these."""
        chosen = super().__getitem__(k)
        if isinstance(chosen, list):
            return self._as_cover(chosen)
        covers = copy(self)
        joined = join_covers([chosen])
        covers.options = joined.options
        covers.indptr = joined.indptr
        return covers

    def _as_cover(self, options: list[int]) -> Cover[NameT]:
        cover: Cover[NameT] = Cover(options)
        if self._problem is not None:
            cover._problem = self._problem
        return cover

    def __iter__(self) -> Iterator[Cover[NameT]]:
        return map(self._as_cover, super().__iter__())

    def __eq__(self, other: object) -> bool:
        """Return whether the other sequence has the same covers in the same order."""
        if isinstance(other, Covers):
            pairs = (self.options, other.options), (self.indptr, other.indptr)
            return all(np.array_equal(*pair) for pair in pairs)
        return self.tolist() == other if isinstance(other, list) else NotImplemented

    def __repr__(self) -> str:
        return repr(self.tolist())

    def to_numpy(self) -> NDArray[np.int32]:
        """Return the covers as an array, with -1 after the options of those that have fewer.

        Returns
        -------
        ndarray of int32, shape (covers, options of the longest cover)

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["A"], ["A", "B"], ["B"]]).solve().to_numpy()
        array([[ 0,  2],
               [ 1, -1]], dtype=int32)
        """
        lengths = np.diff(self.indptr)
        is_option = np.arange(lengths.max(initial=0)) < lengths[:, None]
        rows = np.full(is_option.shape, -1, np.int32)
        rows[is_option] = self.options
        return rows

    def __str__(self) -> str:
        is_partial = self.done is False and (self.bound is not None or not self)
        lines = [*map(str, self)]
        if is_partial:
            lines.append(self._summary())
        return "\n".join(lines) if lines else "no covers"

    def _columns(self) -> dict[str, Any]:
        """Return the covers as columns of a table, with names and costs if the problem has them."""
        columns: dict[str, Any] = {"cover": self.tolist()}
        if self._problem is None:
            return columns
        problem = self._problem.problem
        names = self._problem.names
        # Each option is named once; `places` are indices into `used`.
        used, places = np.unique(self.options, return_inverse=True)
        used_names = names_of(problem, names, used.tolist())
        covers = CoverArray(places.astype(np.int32), self.indptr)
        columns["names"] = [[used_names[place] for place in cover] for cover in covers]
        if problem.cost is not None:
            columns = {"cost": self._costs(problem.cost), **columns}
        return columns

    def _costs(self, cost: NDArray[np.int64]) -> list[Cost]:
        """Return the cost of each cover, given the costs of options.

        It is not a sum of integers if there are penalties, or if costs were rounded.
        """
        named: Any = self._problem
        if (named.names.penalties, named.names.exact_costs) != (None, None):
            return [*map(named.cost, self.tolist())]
        # The sum of the costs before each cover, and of all; the differences are those of covers.
        sums = np.append(0, np.cumsum(cost[self.options]))[self.indptr]
        return [*map(named.names.scale.unscale, np.diff(sums).tolist())]

    def _repr_html_(self) -> str:
        """Return pictures of the first covers, or else their names, and the summary."""
        from ..pictures.html import figures, paragraph, table  # only notebooks need HTML

        covers = [*self[:MAX_SHOWN]]
        summary = paragraph(self._summary())
        has_costs = bool(covers) and covers[0]._named.problem.cost is not None
        captions = [f"cost {cover.cost:,}" if has_costs else "" for cover in covers[:MAX_PICTURES]]
        pictures = [cover._picture() for cover in covers[:MAX_PICTURES]]
        drawn = [(svg, text) for svg, text in zip(pictures, captions, strict=True) if svg]
        if drawn:
            return figures(drawn, WIDTH) + summary
        rows = []
        for cover in covers:
            names = cover._named.names.join(shorten(as_text(name)) for name in cover.names)
            rows.append([*([f"{cover.cost:,}"] if has_costs else []), names])
        return (table((["cost"] if has_costs else []) + ["cover"], rows) if rows else "") + summary

    def _summary(self) -> str:
        """Return the number of covers, and whether they are the cheapest."""
        number = plural(len(self), "cover")
        # Not the result of `cheapest`, unless that was stopped before it knew a cover or a bound.
        if self.bound is None and not (self.done is False and not self):
            return number
        if self.done:
            return f"{number}, the cheapest"
        bound = "" if self.bound is None else f"; bound of the others: {self.bound:,}"
        return f"{number}{', the best known' if self else ' so far'}{bound}"


class Best(NamedTuple):
    """The cheapest covers that are known, with the integers that stand for their costs."""

    covers: Sequence[tuple[int, list[int]]] = ()  # in ascending order
    bound: int | None = None
    done: bool = False
    error: int = 0  # by how much another cover may cost less

    @property
    def lowest(self) -> int | None:
        """A lower bound on the cost of any cover; None if there is no cover or no bound yet."""
        costs = [cost for cost, _ in self.covers[:1]]
        return None if self.bound is None else min([self.bound, *costs])

    def merge(self, other: Best, k: int) -> Best:
        """Return the `k` cheapest covers of both, with the higher one of the bounds."""
        merged = {tuple(options): cost for cost, options in [*other.covers, *self.covers]}
        covers = sorted((cost, [*options]) for options, cost in merged.items())
        bounds = [best.bound for best in (self, other) if best.bound is not None]
        return Best(covers[:k], max(bounds, default=None))


def as_cheapest(named: NamedProblem, best: Best, k: int) -> Covers:
    """Return the `k` cheapest covers of a problem, with the user's costs, as covers with names.

    The integers in `best` become costs. They lack the offset, the sum of the rewards that
    `NamedProblem.reward` has subtracted, which is added here.
    """
    scale = named.names.scale
    offset = named.offset
    bound = None
    gap = None
    if best.bound is not None:
        bound = scale.unscale(best.bound + offset)
        if k == 1 and best.covers:
            cost = scale.unscale(best.covers[0][0] + offset)
            if cost:
                gap = abs((cost - bound) / cost)
            elif bound == 0:
                gap = 0.0
    found = [options for _, options in best.covers]
    # Rounding may change the order. With an offset, costs include rewards (`NamedProblem.reward`),
    # which exact costs do not, so the order stays.
    if named.names.exact_costs is not None and not offset:
        found.sort(key=named.cost, reverse=scale.factor < 0)
    covers = as_covers(named, found, best.done)
    covers.bound = bound
    covers.gap = gap
    covers.tolerance = scale.error + best.error / abs(scale.factor)
    return covers


class Frequencies(Table, list[int]):
    """A list with the number of covers that contain each option, in the order of the options.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> frequencies = ExactCover({"x": ["a"], "y": ["a"], "z": ["b"]}).diagram().frequencies()
    >>> frequencies
    [1, 1, 2]
    """

    _named: NamedProblem
    _n_covers = 1

    def _columns(self) -> dict[str, Any]:
        names = names_of(self._named.problem, self._named.names, range(len(self)))
        return {"option": names, "frequency": list(self)}

    def _repr_html_(self) -> str:
        """Return maps of the frequencies of cells, or else the most frequent options."""
        from ..pictures.html import figures, table  # only notebooks need HTML

        if maps := self._heat_maps():
            width = max(WIDTH // 2, min(2 * WIDTH, round(MAP_SCALE * maps[0][1].size[0])))
            return figures(((svg, caption) for caption, svg in maps), width)
        order = sorted(range(len(self)), key=self.__getitem__, reverse=True)[:MAX_SHOWN]
        names = names_of(self._named.problem, self._named.names, order)
        rows = [(shorten(as_text(n)), f"{self[k]:,}") for n, k in zip(names, order, strict=True)]
        return table(["option", "covers"], rows)

    def svg(self) -> Svg:
        """Draw heat maps on one sheet: what part of the covers has a label or a shape in each cell.

        Returns
        -------
        Svg
            An SVG document.

        Raises
        ------
        ValueError
            If the problem has no cells, or too many labels.

        Examples
        --------
        >>> from dlx_numba import example
        >>> ">33%</text>" in example("latin", n=3).cover().diagram().frequencies().svg()
        True
        """
        from ..pictures.sheet import svg_sheet  # most frequencies are not drawn

        if not (maps := self._heat_maps()):
            raise ValueError("only frequencies of options with cells are drawn, with few labels")
        return svg_sheet(f"Frequencies in {plural(self._n_covers, 'cover')}", maps)

    def _heat_maps(self) -> list[tuple[str, Svg]]:
        """Return captions and pictures: one for each label, or each shape of cells without labels.

        A picture shows which part of the covers has the label or shape in each cell. There are none
        without cells. A cell is the tuple of its corners.
        """
        from ..pictures.plane import heat_map  # most frequencies are not drawn

        problem = self._named.problem
        names = self._named.names
        for picture in (self._named.drawing, self._named.suggested):
            # The labels and the cells of each option
            marks = [] if picture is None else [picture.places(k) for k in range(len(self))]
            if any(marks):
                break
        # How many covers have a label or a shape in a cell
        totals: dict[Hashable, Counter[Any]] = defaultdict(Counter)
        captions: dict[Hashable, str] = {}
        for option, places in enumerate(marks):
            for label, corners in places:
                key = label or _shape([cell for _, cell in places])
                if key not in captions:
                    captions[key] = label or f"shape of {names_of(problem, names, [option])[0]}"
                totals[key][tuple(corners)] += self[option]
        highest = max((max(counts.values()) for counts in totals.values()), default=0)
        if not highest or len(totals) > MAX_MAPS:
            return []
        cells = dict.fromkeys(tuple(corners) for places in marks for _, corners in places)
        counts_of = {key: {cell: totals[key][cell] for cell in cells} for key in captions}
        return [
            (caption, heat_map(caption, counts_of[key], self._n_covers, highest))
            for key, caption in captions.items()
        ]


def _shape(cells: list[Any]) -> Hashable:
    """Return the corners of cells, relative to the first one: the same wherever the cells are."""
    left, top = cells[0][0]
    return tuple((x - left, y - top) for corners in cells for x, y in corners)
