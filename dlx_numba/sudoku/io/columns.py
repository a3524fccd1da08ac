"""Columns of texts: arrays of bytes with a row for each record, which are joined and written."""

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from .records import BadRecord, Records

Counts = npt.NDArray[np.int64]
Rows = npt.NDArray[np.uint8]  # (N, length) the texts of N records; zeros are padding

UNREADABLE = "unreadable"  # the status of text that is not a board


def bad_comment(source: str, bad: BadRecord) -> str:
    """Return the line for text that is not a board, in formats with comments."""
    return f"# {UNREADABLE}: {bad.at(source)}\n"


def insert_bad(rows: Rows, records: Records, bad_text: Callable[[str, BadRecord], str]) -> bytes:
    """Return the rows as bytes, with the bad records inserted in order."""
    text = rows.tobytes()
    if b"\0" in text:
        text = text.translate(None, b"\0")
    if not records.bad:
        return text
    ends = [0, *np.cumsum(np.count_nonzero(rows, axis=1)).tolist()]
    pieces, start = [], 0
    for bad in records.bad:
        end = ends[bad.index]
        pieces += [text[start:end], bad_text(records.source, bad).encode(errors="replace")]
        start = end
    return b"".join((*pieces, text[start:]))


def join_columns(*columns: Rows | bytes) -> Rows:
    """Join columns horizontally; bytes are a column with the same text in every row."""
    height = next(len(column) for column in columns if isinstance(column, np.ndarray))
    parts = [np.frombuffer(c, np.uint8)[None] if isinstance(c, bytes) else c for c in columns]
    rows = np.empty((height, sum(part.shape[1] for part in parts)), np.uint8)
    start = 0
    for part in parts:
        end = start + part.shape[1]
        rows[:, start:end] = part
        start = end
    return rows


def text_column(texts: Iterable[str]) -> Rows:
    """Return a column of texts."""
    return _as_rows(np.array([text.encode() for text in texts], np.bytes_))


def number_column(numbers: Counts, negative: str = "") -> Rows:
    """Return a column of decimal numbers, with `negative` for those below 0."""
    width = max(len(str(numbers.max(initial=0))), len(negative))
    texts = np.maximum(numbers, 0).astype(f"S{width}")
    texts[numbers < 0] = negative.encode()
    return _as_rows(texts)


def _as_rows(texts: npt.NDArray[np.bytes_]) -> Rows:
    return texts.view(np.uint8).reshape(len(texts), texts.itemsize)


def mapped_column(function: Callable[[str], str], texts: list[str]) -> Rows:
    """Return a column with `function(text)`, called once for each distinct text."""
    results = {text: function(text) for text in set(texts)}
    return text_column(results[text] for text in texts)


def file_field(source: str, has_file: bool) -> str:
    """Return a comma and the name of an input file for a CSV table; "" if it has no such column."""
    if not has_file:
        return ""
    return "," + quote_field(source).encode(errors="replace").decode()


def quote_field(text: str) -> str:
    """Return a field of a CSV table, in quotes if necessary."""
    quoted = text.replace('"', '""')
    return f'"{quoted}"' if set(text) & set(',"\r\n') else text
