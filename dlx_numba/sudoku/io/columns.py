"""Fixed-width byte columns for vectorized output."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from .records import BadRecord, Records

Counts = npt.NDArray[np.int64]
Rows = npt.NDArray[np.uint8]  # (N, length) the texts of N records; zeros are padding
# The values of a column by its name: numbers (N,), boards or words (N, length), other texts, or
# bytes, the same field in every row.
Columns = dict[str, Counts | Rows | Sequence[str | tuple[object, ...]] | bytes | None]

_SPECIAL = re.compile('[,"\r\n]')  # in quotes in CSV
UNREADABLE = "unreadable"  # the status of text that is not a board


def _bad_comment(source: str, bad: BadRecord) -> str:
    """Return the line for text that is not a board, in formats with comments."""
    return f"# {UNREADABLE}: {bad.at(source)}\n"


def insert_bad(
    rows: Rows,
    records: Records,
    bad_text: Callable[[str, BadRecord], str] = _bad_comment,
    tails: Iterable[bytes] | None = None,
) -> bytes:
    """Return the rows as bytes, with the bad records inserted in order.

    `bad_text` returns the text for a bad record, given the name of the source and the record. Each
    row may have a tail, of any length.
    """
    text = rows.tobytes()
    if b"\0" in text:
        text = text.translate(None, b"\0")  # which fills texts that are shorter than their column
    if not records.bad and tails is None:
        return text
    # Where each row ends in the text, which lacks the zero bytes
    ends = [0, *np.cumsum(np.count_nonzero(rows, axis=1)).tolist()]
    if tails is not None:
        parts = zip(pairwise(ends), tails, strict=True)
        lines = [text[start:end] + tail for (start, end), tail in parts]
        text = b"".join(lines)
        ends = [0, *accumulate(map(len, lines))]
    pieces = []
    start = 0
    for bad in records.bad:
        end = ends[bad.index]
        pieces += [text[start:end], bad_text(records.source, bad).encode(errors="replace")]
        start = end
    return b"".join((*pieces, text[start:]))


def join_columns(*columns: Rows | bytes) -> Rows:
    """Join columns horizontally; bytes are a column with the same text in every row."""
    height = next(len(column) for column in columns if isinstance(column, np.ndarray))
    parts = [np.frombuffer(c, np.uint8)[None] if isinstance(c, bytes) else c for c in columns]
    return np.hstack([np.broadcast_to(part, (height, part.shape[1])) for part in parts])


def text_column(texts: Iterable[str]) -> Rows:
    """Return a column of texts."""
    column = np.array([text.encode() for text in texts], np.bytes_)
    return column.view(np.uint8).reshape(len(column), column.itemsize)


def number_column(numbers: Counts, negative: str = "") -> Rows:
    """Return a column of decimal numbers, with `negative` for those below 0."""
    values, inverse = np.unique(numbers, return_inverse=True)
    texts = (negative if value < 0 else str(value) for value in values.tolist())
    return text_column(texts)[inverse]


def csv_column(values: Any) -> Rows | bytes:
    """Return the values as fields of a CSV table."""
    if isinstance(values, bytes):
        return values
    if not isinstance(values, np.ndarray):
        return _mapped_column(csv_field, values)
    return number_column(values) if values.ndim == 1 else values


def json_columns(values: Any) -> list[Rows | bytes]:
    """Return the values as columns of JSON; negative numbers and empty symbols are null.

    Objects among other values, such as `RatedStep`, become the dictionaries of their attributes.
    """
    if isinstance(values, bytes):
        return [values]
    if not isinstance(values, np.ndarray):
        return [_mapped_column(partial(json.dumps, default=vars), values)]
    if values.ndim == 1:
        return [number_column(values, "null")]
    # Numbers have two characters: in front of a single digit, there is a zero byte. So two zero
    # bytes begin a missing board.
    is_empty = ~values[:, :2].any(axis=1)
    if not is_empty.any():
        return [b'"', values, b'"']
    # Rows have room for null, which has no quotes; zero bytes are removed when they are joined.
    missing = max(0, len("null") - 2 - values.shape[1])
    column = join_columns(b'"', values, b'"' + missing * b"\0")
    column[is_empty] = text_column(["null".ljust(column.shape[1], "\0")])
    return [column]


def _mapped_column(function: Callable[[Any], str], values: Sequence[object]) -> Rows:
    """Return a column with `function(value)`, called once for each distinct value."""
    results = {value: function(value) for value in set(values)}
    return text_column(results[value] for value in values)


def csv_field(value: str | tuple[object, ...]) -> str:
    """Return a field of a CSV table, in quotes if necessary. Parts of a value are joined."""
    text = value if isinstance(value, str) else " + ".join(map(str, value))
    if _SPECIAL.search(text) is None:
        return text
    quoted = text.replace('"', '""')
    return f'"{quoted}"'
