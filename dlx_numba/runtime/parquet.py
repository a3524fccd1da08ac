"""Files of Parquet, whose package is optional, from tables in CSV."""

import csv
import io
from collections.abc import Callable, Collection, Iterator
from importlib import import_module
from typing import Any

from .extras import import_extra

# The texts that are numbers, as Python prints them: a board of digits has too many
_INTEGER = "-?(0|[1-9][0-9]{0,17})"
_NUMBER = r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,17})?(e[-+][0-9]{2,3})?"
_APOSTROPHE = r"^'([=@\t\r]|[+-])"  # before a text that spreadsheets would take for a formula


def is_parquet(path: str) -> bool:
    """Return whether a file is one of Parquet, by its name."""
    return path.lower().endswith(".parquet")


def import_parquet() -> Any:
    """Return the module that writes Parquet. Raises ImportError if it is not installed."""
    return import_extra("pyarrow.parquet", "a Parquet file needs pyarrow", "'dlx-numba[arrow]'")


def convert_csv(open_table: Callable[[], Any], target: Any, texts: Collection[str]) -> None:
    """Write a table in CSV, whose first line has titles, to a file of Parquet.

    A column of numbers, as Python prints them, has numbers, and empty cells are null.

    Parameters
    ----------
    open_table
        Opens the table, which is read twice, in parts.
    target
        The path or the file that is written.
    texts
        The titles of columns whose cells are texts, whatever they look like.
    """
    parquet = import_parquet()
    arrow = import_module("pyarrow")
    compute = import_module("pyarrow.compute")
    reader = import_module("pyarrow.csv")
    text = arrow.string()
    with open_table() as file:
        titles = next(csv.reader(io.TextIOWrapper(file, "utf-8", newline="")), [])
    as_texts = reader.ConvertOptions(
        column_types=dict.fromkeys(titles, text),
        strings_can_be_null=True,
        quoted_strings_can_be_null=True,
        null_values=[""],
    )
    layout = reader.ParseOptions(newlines_in_values=True)

    def batches() -> Iterator[Any]:
        """Yield the rows in batches, whose columns are texts; none without titles."""
        if not titles:
            return
        with (
            open_table() as file,
            reader.open_csv(file, parse_options=layout, convert_options=as_texts) as rows,
        ):
            yield from rows

    types = _find_types(titles, batches(), texts)
    schema = arrow.schema(list(zip(titles, types, strict=True)))
    with parquet.ParquetWriter(target, schema) as writer:
        for batch in batches():
            columns = [
                compute.replace_substring_regex(column, _APOSTROPHE, r"\1")  # only CSV needs them
                if kind == text
                else column.cast(kind)
                for column, kind in zip(batch.columns, types, strict=True)
            ]
            writer.write_batch(arrow.record_batch(columns, schema=schema))


def _find_types(titles: list[str], batches: Iterator[Any], texts: Collection[str]) -> list[Any]:
    """Return the Arrow type of each column: a number if all of its cells are, otherwise a text.

    So are columns without any filled cell, and those with the titles `texts`.
    """
    arrow = import_module("pyarrow")
    compute = import_module("pyarrow.compute")
    numbers = [(arrow.int64(), _INTEGER), (arrow.float64(), _NUMBER)]
    # The types that the cells of a column so far permit; the first one is preferred.
    permitted = {title: [] if title in texts else numbers for title in titles}
    filled: set[str] = set()
    for batch in batches:
        for title, column in zip(titles, batch.columns, strict=True):
            if column.null_count == len(column):
                continue
            filled.add(title)
            # Each batch rules out types by itself: an integer may be too long for a float.
            permitted[title] = [
                (kind, pattern)
                for kind, pattern in permitted[title]
                if compute.all(compute.match_substring_regex(column, f"^({pattern})$")).as_py()
            ]
    return [
        permitted[title][0][0] if title in filled and permitted[title] else arrow.string()
        for title in titles
    ]


def as_parquet(content: bytes, texts: Collection[str] = ()) -> bytes:
    """Return a table in CSV as the content of a file of Parquet; see `convert_csv`."""
    target = io.BytesIO()
    convert_csv(lambda: io.BytesIO(content), target, texts)
    return target.getvalue()
