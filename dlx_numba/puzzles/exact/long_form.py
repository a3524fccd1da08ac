"""Tables with one option a row as CSV files; data frames have this form, too."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ...cover.encode import Formulation
from ...cover.rows import LongForm, RowError, check_titles, warn_of_duplicates
from .notation import TextLines
from .table import Line, read_lines


def parse_long_form(form: LongForm, text: str, source: str) -> Formulation:
    """Return the problem in the text of a CSV file. Raises FormatError if it is not valid."""
    with TextLines(text, source, "#") as lines:
        (first, titles), *rows = read_lines(text, lines) or [Line(1, [])]
        check_titles(titles)
        table: list[list[Any]] = []
        for lines.number, fields in rows:
            if len(fields) != len(titles):
                raise ValueError(f"the row has {len(fields)} fields, not {len(titles)}")
            pairs = zip(titles, fields, strict=True)
            table.append([_as_number(f) if f and t == form.cost else f for t, f in pairs])
        lines.number = first
        cells = zip(*table, strict=True) if table else ((),) * len(titles)
        columns = dict(zip(titles, map(_convert, cells), strict=True))
        try:
            formulation = form.formulate(columns)
        except RowError as error:
            lines.number = rows[error.row].number
            raise ValueError(f"the row {error.predicate}") from None
    form.check_separator(columns, source)
    warn_of_duplicates(columns, [row.number for row in rows], f"{source}: lines")
    return formulation


def _as_number(text: str) -> int | float:
    """Return the number that a text is, as Python would print it, or raise ValueError."""
    try:
        return int(text) if text.removeprefix("-").isdecimal() else float(text)
    except ValueError:
        raise ValueError(f"a cost must be a number, such as 2.5, not {text!r}") from None


def _convert(cells: Sequence[Any]) -> Sequence[Any]:
    """Return a column as numbers if it consists of them, such as 12 and 2.5, but not of 007."""
    texts = [*map(str, cells)]
    with suppress(ValueError):
        numbers = [_as_number(text) if text else None for text in texts]
        if ["" if number is None else str(number) for number in numbers] == texts:
            return numbers
    return cells
