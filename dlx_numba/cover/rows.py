"""Problems in long form: tables with one option a row, which data frames and CSV files have."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from .encode import Statement
from .iterables import as_list
from .names import as_integer, find_duplicate
from .spelling import simplify_names, suggest

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


class LongForm(NamedTuple):
    """The meanings of the columns of a table; see `ExactCover.from_frame`."""

    items: Any
    optional: Any = ()
    cost: Any = None
    name: Any = None

    def read(self, frame: Any) -> Statement:
        """Return the problem in a data frame."""
        if any(name is not None for name in getattr(getattr(frame, "index", None), "names", ())):
            frame = frame.reset_index()  # pandas, whose names of rows are columns
        check_titles(list(frame.columns))
        columns = {name: list(frame[name]) for name in frame.columns}
        return self.state(columns, type(frame).__module__.partition(".")[0])

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
                        option.append((role, *values))
                        items[option[-1]] = None
            listed.append([*items])
        options.table = LongTable(columns, roles[0] | roles[1], library, self.cost)
        return Statement(options, listed[0], listed[1], costs=columns.get(self.cost))

    @staticmethod
    def _reject_empty_cells(columns: Mapping[Any, Sequence[Any]]) -> None:
        """Raise an error for the first row with an empty cell, if there is one."""
        for row, cells in enumerate(zip(*columns.values(), strict=True)):
            for column, cell in zip(columns, cells, strict=True):
                if is_missing(cell):
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
