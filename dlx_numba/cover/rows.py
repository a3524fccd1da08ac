"""Problems in long form: tables with one option a row, which data frames and CSV files have."""

from __future__ import annotations

import shlex
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from ..runtime.errors import AmbiguousError, DlxError
from .encode import Statement
from .iterables import as_list
from .names import as_integer, find_duplicate
from .spelling import simplify_names, suggest

SEPARATORS = "+;,|/"  # of several items in a cell
MISSING = "", "nan", "NaT", "<NA>", "None"  # values as texts


class LongTable(NamedTuple):
    """A table whose rows are the options of a problem."""

    columns: Mapping[Any, Sequence[Any]]
    roles: Mapping[str, tuple[Any, ...]]  # the columns of items, by the first element of these
    library: str = "pandas"  # that has the frame
    cost: Any = None  # the column of costs


class Rows(dict[Hashable, list[Hashable]]):
    """Options by name or number, and the table of which they are the rows."""

    table: LongTable


class EmptyCellError(ValueError):
    """A cell of costs, or of primary items, is empty."""

    def __init__(self, row: int, column: Any) -> None:
        super().__init__(f"row {row} has no {column}")
        self.row = row


class SeparatorError(DlxError, AmbiguousError):
    """Cells may have one item or several."""

    def __init__(
        self, source: str, column: Any, separator: str, form: LongForm, where: str
    ) -> None:
        reason = f"{column} has `{separator}` in {where}"
        super().__init__(
            f"{source}{': ' * bool(source)}{reason}; say whether a cell has several items, "
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
        advice = "`--separator ''` if a cell is one item"
        return f"{source}: {self.reason}: `{shlex.join([*words, file])}`, or {advice}"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._values


class LongForm(NamedTuple):
    """The meanings of the columns of a table; see `ExactCover.from_frame`."""

    items: Any
    optional: Any = ()
    cost: Any = None
    name: Any = None
    separator: str | None = None

    def read(self, frame: Any) -> Statement:
        """Return the problem in a data frame."""
        if any(name is not None for name in getattr(getattr(frame, "index", None), "names", ())):
            frame = frame.reset_index()  # pandas, whose names of rows are columns
        check_titles(list(frame.columns))
        columns = {name: list(frame[name]) for name in frame.columns}
        statement = self.state(columns, type(frame).__module__.partition(".")[0])
        self.check_separator(columns)
        return statement

    def check_separator(self, columns: Mapping[Any, Sequence[Any]], source: str = "") -> None:
        """Raise SeparatorError if cells look like several items.

        That is, all cells have a separator, and none occurs twice; or a part of one is another one.
        """
        listed = as_list(self.items, "items", "columns") if self.separator is None else []
        for column, separator in product(listed, SEPARATORS):
            cells = columns.get(column, ())
            texts = {cell for cell in cells if isinstance(cell, str)}
            divided = {text for text in texts if separator in text}
            parts = {part.strip() for text in divided for part in text.split(separator)}
            if divided == texts and 1 < len(texts) == len(cells):
                where = "every cell, and each cell occurs once"
                raise SeparatorError(source, column, separator, self, where)
            if whole := sorted(texts.intersection(parts)):
                where = f"some cells, of which {whole[0]} is a part and a cell, too"
                raise SeparatorError(source, column, separator, self, where)

    def words(self) -> list[str]:
        """Return the options of a command that say the same."""
        words = list[str]()
        for option, value in self._asdict().items():
            listed = [value] if option in ("cost", "name") else value or ()
            texts = ["+".join(x) if isinstance(x, tuple) else x for x in listed if x is not None]
            if option != "separator" and texts:
                words += [f"--{option}", ",".join(map(str, texts))]
        return words

    def _listed(self, cell: Any) -> list[Hashable]:
        """Return the items in a cell."""
        if isinstance(cell, str) and self.separator:
            return [part for part in map(str.strip, cell.split(self.separator)) if part]
        is_list = isinstance(cell, Iterable) and not isinstance(cell, str | bytes | tuple)
        return [*cell] if is_list else [cell]

    def state(self, columns: Mapping[Any, Sequence[Any]], library: str = "pandas") -> Statement:
        roles = list[dict[str, tuple[Any, ...]]]()
        for argument in ("items", "optional"):
            listed = as_list(getattr(self, argument), argument, "columns")
            parts = [part if isinstance(part, tuple) else (part,) for part in listed]
            roles.append({"+".join(map(str, part)): part for part in parts})
        used = [column for kind in roles for part in kind.values() for column in part]
        for column in [*used, *(each for each in (self.cost, self.name) if each is not None)]:
            if column not in columns:
                hint = suggest(column, simplify_names(columns))
                known = f"; there are {', '.join(map(str, columns))}"
                raise ValueError(f"there is no column {column!r}{hint or known}")
        names = [*range(len(next(iter(columns.values()), ())))]
        if self.name is not None:
            names = [each if as_integer(each) is None else str(each) for each in columns[self.name]]
        if (duplicate := find_duplicate(names)) is not None:
            reason = f"two options have the name {names[duplicate]!r}; each row is an option"
            grouped = f"dict(frame.groupby({self.name!r})[column].agg(list))"
            raise ValueError(f"{reason}, so group rows with one item each: {grouped}")
        required = [column for part in roles[0].values() for column in part]
        self._reject_empty_cells({k: columns[k] for k in (*required, self.cost) if k in columns})
        options = Rows((name, []) for name in names)
        listed = []
        for kind in roles:
            items = dict[Hashable, None]()
            for role, part in kind.items():
                cells = zip(*(columns[column] for column in part), strict=True)
                for option, values in zip(options.values(), cells, strict=True):
                    if not any(map(is_missing, values)):
                        for each in product(*map(self._listed, values)):
                            option.append((role, *each))
                            items[option[-1]] = None
            listed.append([*items])
        options.table = LongTable(columns, roles[0] | roles[1], library, self.cost)
        return Statement(options, listed[0], listed[1], costs=columns.get(self.cost))

    def _reject_empty_cells(self, columns: Mapping[Any, Sequence[Any]]) -> None:
        """Raise an error for the first row with an empty cell, if there is one."""
        for row, cells in enumerate(zip(*columns.values(), strict=True)):
            for column, cell in zip(columns, cells, strict=True):
                if is_missing(cell) or not self._listed(cell):
                    raise EmptyCellError(row, column)


def check_titles(titles: Sequence[Any]) -> None:
    """Raise ValueError if there are no columns, or two with the same name."""
    named = [title for title in titles if title != ""]
    if not named:
        raise ValueError("the table is empty")
    if (duplicate := find_duplicate(named)) is not None:
        raise ValueError(f"two columns have the name {named[duplicate]!r}")


def is_missing(value: Any) -> bool:
    """Return whether a cell of a table is empty."""
    return (value == "") if isinstance(value, str) else str(value) in MISSING
