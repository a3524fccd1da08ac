"""Problems in long form: tables with one option a row, which data frames and CSV files have."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, product
from typing import Any, NamedTuple

from ..runtime.errors import AmbiguousError, DlxError
from .cells import cell_text, copy_lists, is_list, is_missing, list_cell, name_cell, title_text
from .encode import Formulation
from .iterables import as_list, is_hashable
from .lazy_names import LazyNames
from .names import as_integer, find_duplicate
from .option_table import Rows
from .spelling import simplify_names, suggest

SEPARATORS = "+;,|/"  # of several items in a cell


class LongTable(NamedTuple):
    """A table whose rows are the options of a problem."""

    columns: Mapping[Any, Sequence[Any]]
    roles: Mapping[str, tuple[Any, ...]]  # columns of items, by the first element of the items
    library: str = "pandas"  # that has the frame
    cost: Any = None  # the column of costs
    separator: str | None = None  # of several items in a cell

    @property
    def text_titles(self) -> list[Any]:
        """The titles of columns that have texts."""
        return [k for k, cells in self.columns.items() if any(isinstance(x, str) for x in cells)]

    def select(self, conditions: Sequence[str]) -> list[int]:
        """Return the rows that meet conditions such as ``slot=Mon``: the numbers of options.

        Raises ValueError if there is no such column, or no such row.

        >>> LongTable({"class": ["5a", "5b", "5a"], "hour": [1, 1, 2]}, {}).select(["class=5a"])
        [0, 2]
        """
        rows = [*range(len(next(iter(self.columns.values()))))]
        for condition in conditions:
            title, _, value = (part.strip() for part in condition.partition("="))
            named = {str(column): column for column in self.columns}
            check_column(title, named)
            cells = self.columns[named[title]]
            rows = [
                k
                for k in rows
                if value == cell_text(cells[k])
                or value in map(str, list_cell(cells[k], self.separator))
            ]
        if not rows:
            raise ValueError(f"no row has {', '.join(conditions)}")
        return rows


class RowError(DlxError, ValueError):
    """A row lacks a cell, or has what it must not have; the predicate says which.

    The advice is for those who have a frame.
    """

    def __init__(self, row: int, predicate: str, advice: str = "") -> None:
        super().__init__(f"row {row} {predicate}{advice}")
        self.row = row
        self.predicate = predicate


class SeparatorError(DlxError, AmbiguousError):
    """Cells may have one item or several."""

    def __init__(
        self, source: str, column: object, separator: str, form: LongForm, where: str
    ) -> None:
        reason = f"{column} has `{separator}` in {where}"
        place = f"{source}: " if source else ""
        super().__init__(
            f"{place}{reason}; say whether a cell has several items, "
            f"separator={separator!r}, or one, separator=''"
        )
        self._values = source, column, separator, form, where
        self.source = source
        self.reason = reason

    def describe_for(self, command: str) -> str:
        """Return the message of a command, with what to type."""
        source, _, separator, form, _ = self._values
        words = ["dlx-numba", command, "--separator", separator, *form.words()]
        file = "-" if source == "<stdin>" else source
        return (
            f"{source}: {self.reason}: `{shlex.join([*words, file])}`, or "
            "`--separator ''` if a cell is one item"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._values


class LongForm(NamedTuple):
    """The meanings of the columns of a table; see `ExactCover.from_frame`."""

    items: Any
    optional: Any = ()
    cost: Any = None
    name: Any = None
    separator: str | None = None

    def read(self, frame: Any) -> Formulation:
        """Return the problem in a data frame."""
        if any(name is not None for name in getattr(getattr(frame, "index", None), "names", ())):
            frame = frame.reset_index()  # pandas, whose names of rows are columns
        if hasattr(frame, "column_names"):  # pyarrow
            check_titles(frame.column_names)
            columns = {name: frame[name].to_pylist() for name in frame.column_names}
        else:
            check_titles(list(frame.columns))
            columns = {name: copy_lists(frame[name]) for name in frame.columns}
        formulation = self.formulate(columns, type(frame).__module__.partition(".")[0])
        self.check_separator(columns)
        warn_of_duplicates(columns, range(len(next(iter(columns.values())))), "rows")
        return formulation

    def check_separator(self, columns: Mapping[Any, Sequence[object]], source: str = "") -> None:
        """Raise SeparatorError if cells look like several items.

        That is, all cells of a column of items have a separator, and none occurs twice; or a part
        of a cell, also of optional items and of several columns together, is another cell.
        """
        if self.separator is not None:
            return
        listed = as_list(self.items, "items", "columns")
        parts = (*listed, *as_list(self.optional, "optional", "columns"))
        used = chain.from_iterable(_titles_of(part, columns) for part in parts)
        for column in dict.fromkeys(used):
            cells = columns[column]
            texts = {cell for cell in cells if isinstance(cell, str) and cell}
            for separator in SEPARATORS:
                divided = {text for text in texts if separator in text}
                if column in listed and divided == texts and 1 < len(texts) == len(cells):
                    where = "every cell, and each cell occurs once"
                    raise SeparatorError(source, column, separator, self, where)
                pieces = {piece.strip() for text in divided for piece in text.split(separator)}
                if whole := sorted(texts & pieces):
                    where = f"some cells, of which {whole[0]} is a part and a cell, too"
                    raise SeparatorError(source, column, separator, self, where)

    def words(self) -> list[str]:
        """Return the options of a command that say the same, without the separator."""
        words: list[str] = []
        for option, value in self._asdict().items():
            listed = [value] if option in ("cost", "name") else value or ()
            texts = ["+".join(x) if isinstance(x, tuple) else x for x in listed if x is not None]
            if option != "separator" and texts:
                words += [f"--{option}", ",".join(map(str, texts))]
        return words

    def formulate(
        self, columns: Mapping[Any, Sequence[Any]], library: str = "pandas"
    ) -> Formulation:
        """Return the problem in the columns of a table, each row of which is an option.

        The role of an item, its first element, is the title of its column, or titles joined by "+".
        """
        roles: list[dict[str, tuple[Any, ...]]] = []  # of primary, and of optional items
        all_roles: dict[str, tuple[Any, ...]] = {}
        for argument in ("items", "optional"):
            roles.append({})
            for part in as_list(getattr(self, argument), argument, "columns"):
                titles = _titles_of(part, columns)
                role = "+".join(map(title_text, titles))
                roles[-1][role] = titles
                if (earlier := all_roles.setdefault(role, titles)) != titles:
                    first, second = (" + ".join(map(repr, own)) for own in (earlier, titles))
                    raise ValueError(
                        f"the items in {first} and in {second} would both be called {role!r}; "
                        "rename a column"
                    )
        used = [title for kind in roles for titles in kind.values() for title in titles]
        others = (title for title in (self.cost, self.name) if title is not None)
        for title in (*used, *others):
            check_column(title, columns)
        n_rows = len(next(iter(columns.values())))
        # The column without a title may be the index of a frame that was written as CSV.
        named = {k: v for k, v in columns.items() if k not in (self.cost, "")} or columns
        names: Sequence[Hashable] = LazyNames(n_rows, partial(name_rows, named, roles))
        if self.name is not None:
            names = self._read_names(columns[self.name])
        primary_roles, _ = roles
        required = {self.cost, *chain.from_iterable(primary_roles.values())}
        self._check_cells({k: columns[k] for k in (*used, self.cost) if k in columns}, required)
        options: list[list[Hashable]] = [[] for _ in range(n_rows)]  # `_add_items` fills them
        items, optional = [self._add_items(options, kind, columns) for kind in roles]
        table = LongTable(columns, all_roles, library, self.cost, self.separator)
        rows = Rows(names, options, table)
        return Formulation(rows, items, optional, costs=columns.get(self.cost))

    def _add_items(
        self,
        options: list[list[Hashable]],
        roles: Mapping[str, tuple[Any, ...]],
        columns: Mapping[Any, Sequence[object]],
    ) -> list[Hashable]:
        """Add the items in the columns of some roles to the options. Return the distinct ones.

        If several columns together have an item, or a cell has a list, each combination is one.
        """
        items: dict[Hashable, None] = {}
        for role, titles in roles.items():
            cells = [columns[title] for title in titles]
            are_single = not (self.separator or any(map(is_list, chain(*cells))))
            for option, values in zip(options, zip(*cells, strict=True), strict=True):
                if any(map(is_missing, values)):
                    continue
                combinations: Iterable[tuple[Any, ...]] = [values]
                if not are_single:
                    combinations = product(*(list_cell(cell, self.separator) for cell in values))
                for combination in combinations:
                    option.append((role, *combination))
                    items[option[-1]] = None
        return [*items]

    def _read_names(self, cells: Sequence[object]) -> list[Hashable]:
        """Return the names in a column. Raises ValueError if they are none, or not distinct."""
        for row, name in enumerate(cells):
            if not is_hashable(name) or (is_missing(name) and name != ""):
                raise RowError(row, f"has {name!r} in {self.name}, which is no name")
        # An integer would be the number of an option.
        names = [name if as_integer(name) is None else str(name) for name in cells]
        if (duplicate := find_duplicate(names)) is not None:
            raise RowError(
                duplicate,
                f"has the name {names[duplicate]!r} of another one; each row is an option",
                ", so group rows with one item each: "
                f"dict(frame.groupby({self.name!r})[column].agg(list))",
            )
        return names

    def _check_cells(self, columns: Mapping[Any, Sequence[object]], required: set[Any]) -> None:
        """Raise an error for the first row with an empty cell, no item, or a repeated one."""
        for row, cells in enumerate(zip(*columns.values(), strict=True)):
            for column, cell in zip(columns, cells, strict=True):
                if isinstance(cell, str) and cell and not self.separator:
                    continue  # a text is one item, as in most tables
                if isinstance(cell, Mapping):
                    raise RowError(
                        row, f"has a struct in {column}: give each of its fields a column"
                    )
                items = [] if is_missing(cell) else list_cell(cell, self.separator)
                if column in required and not items:
                    raise RowError(row, f"has no {column}")
                for item in items if is_list(cell) else ():
                    if not is_hashable(item) or is_missing(item):
                        raise ValueError(f"row {row}: {column} has {item!r}, which is no item")
                if len(items) > 1 and (second := find_duplicate(items)) is not None:
                    raise RowError(row, f"has {items[second]!r} twice in {column}")


def _titles_of(part: Any, columns: Mapping[Any, object]) -> tuple[Any, ...]:
    """Return the titles of the columns that have an item together, mostly only one.

    A tuple is several columns, or a column whose title has several levels in pandas.
    """
    return part if isinstance(part, tuple) and part not in columns else (part,)


def warn_of_duplicates(
    columns: Mapping[Any, Sequence[object]], numbers: Sequence[int], where: str
) -> None:
    """Warn of rows that are equal, which are different options. `numbers` are what to call them."""
    rows: list[Hashable] = [*zip(*columns.values(), strict=True)]
    if not all(map(is_hashable, rows)):  # lists in cells
        rows = [*map(repr, rows)]
    if (second := find_duplicate(rows)) is not None:
        first = rows.index(rows[second])
        n_more = len(rows) - len({*rows}) - 1
        more = f" (and {n_more:,} more)" if n_more else ""
        warnings.warn(
            f"{where} {numbers[first]} and {numbers[second]}{more} are equal; each "
            "row is an option",
            stacklevel=4,
        )


def name_rows(
    columns: Mapping[Any, Sequence[object]], roles: Sequence[Mapping[str, tuple[Any, ...]]]
) -> list[str]:
    """Return a name for each row of a table: the cells that distinguish it from all others.

    What the row covers is a part of its name, and a number has the title of its column. `roles` are
    the columns of items, and of optional items.

    >>> table = {"class": ["5a", "5a"], "teacher": ["Ng", "Ng"], "hour": [1, 2]}
    >>> name_rows(table, [{"class": ("class",)}, {"teacher+hour": ("teacher", "hour")}])
    ['5a, hour 1', '5a, hour 2']
    """
    needed, usual = ([*chain.from_iterable(kind.values())] for kind in roles)
    texts = {title: [name_cell(title, cell) for cell in cells] for title, cells in columns.items()}

    def count(titles: Iterable[object]) -> int:
        """Return how many rows differ in some columns."""
        return len({*zip(*(texts[title] for title in titles), strict=True)})

    kept = [title for title in texts if title in needed or title in usual]
    if count(kept) < count(texts):
        kept = [*texts]
    n_distinct = count(kept)
    # Leave out columns without which as many rows differ: first those of no items, then those of
    # optional ones. Those of items to cover stay.
    order = sorted(kept, key=lambda title: (title in needed, title in usual))
    for title in order:
        fewer = [other for other in kept if other != title]
        if fewer and title not in needed and count(fewer) == n_distinct:
            kept = fewer
    names: dict[str, None] = {}
    for number, cells in enumerate(zip(*(texts[title] for title in kept), strict=True), 1):
        name = ", ".join(filter(None, cells))
        while name in names:
            name += f" (row {number})"
        names[name] = None
    return [*names]


def check_column(title: object, columns: Iterable[object]) -> None:
    """Raise ValueError if there is no column with a title."""
    known = [*columns]
    if title not in known:
        hint = suggest(title, simplify_names(known)) or f"; there are {', '.join(map(str, known))}"
        raise ValueError(f"there is no column {title!r}{hint}")


def check_titles(titles: Sequence[object]) -> None:
    """Raise ValueError if there are no columns, or two with the same name."""
    named = [title for title in titles if title != ""]
    if not named:
        raise ValueError("the table is empty")
    if (duplicate := find_duplicate(named)) is not None:
        raise ValueError(f"two columns have the name {named[duplicate]!r}")
