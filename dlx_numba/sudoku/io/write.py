"""Records and what was found of them as text: one output record for each record read, in order."""

import json
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .grid import draw
from .records import BadRecord, Records
from .status import MULTIPLE, NONE, STATUSES, UNFINISHED, UNREADABLE, status_codes
from .symbols import Values

Counts = npt.NDArray[np.int64]
Rows = npt.NDArray[np.uint8]  # (N, length) text of N records; 0 stands for nothing

STYLES = ("line", "csv", "grid", "json")

_HEADER, _RATED = b"puzzle,solution,count,status,line", b",difficulty"

_LINE_REMARKS = {
    MULTIPLE: " # {} solutions",
    NONE: " # no solution",
    UNFINISHED: " # unfinished",
}
_GRID_REMARKS = {  # in qqwing's words: whoever reads its output can read this
    MULTIPLE: "There are {} solutions to the puzzle.\n",
    NONE: "There are no solutions to the puzzle.\n",
    UNFINISHED: "# unfinished\n",
}


class Writer:
    """Formats chunks of records, one after another, in one of the `STYLES`.

    Solutions were counted up to `limit` (None: all of them); `checked` tells whether one that was
    found is known to be the only one. A CSV table has a column of difficulties if its first chunk
    has any. Raises ValueError where there is no such style.

    >>> import io
    >>> from .read import read_boards
    >>> [records] = read_boards(io.BytesIO(b"1.3.34..2..4..1.\\n"))
    >>> solution = np.array([[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]], np.uint8)
    >>> print(Writer("csv", limit=2).format(records, solution, np.array([1])).decode(), end="")
    puzzle,solution,count,status,line
    1.3.34..2..4..1.,1234341221434321,1,unique,1
    """

    def __init__(self, style: str, *, limit: int | None, checked: bool = True) -> None:
        if style not in STYLES:
            raise ValueError(f"style {style!r}: expected one of {', '.join(STYLES)}")
        self.style, self.limit, self.checked = style, limit, checked
        self._rated: bool | None = None  # whether the CSV table has a column of difficulties
        self._room = np.empty((0, 0), np.uint8)

    def format(self, records: Records, solutions: Values, counts: Counts) -> bytes | memoryview:
        """The text of `records` with their `solutions` (N, cells) uint8 and `counts` (N,) int64.

        A count is -1 where the search was stopped before its end. A memoryview is good until the
        next call: where every board is solved and on a line of its own, its memory is used again.
        """
        if self.style == "line" and not records.bad and self._need_no_remark(counts):
            return self._bare_lines(records, solutions)
        codes = status_codes(counts, self.limit, self.checked)
        found = _Found(records, solutions, counts, self.limit, codes)
        if self.style == "line":
            return _weave(_lines(found), records, _bad_comment)
        if self.style == "grid":
            return _weave(_drawings(found), records, _bad_comment)
        if self.style == "json":
            return _weave(_objects(found), records, _bad_object)
        header = b""
        if self._rated is None:
            self._rated = records.difficulties is not None
            header = _HEADER + _RATED * self._rated + b"\n"
        if self._rated:
            return header + _weave(_rated_rows(found), records, _bad_rated_row)
        return header + _weave(_rows(found), records, _bad_row)

    def _need_no_remark(self, counts: Counts) -> bool:
        return len(counts) > 0 and bool(counts.min() == 1 == counts.max())

    def _bare_lines(self, records: Records, solutions: Values) -> memoryview:
        height, cells = solutions.shape
        if len(self._room) < height or self._room.shape[1] != cells + 1:
            self._room = np.empty((height, cells + 1), np.uint8)
            self._room[:, cells] = ord("\n")
        lines = self._room[:height]
        records.alphabet.symbols_of(solutions, out=lines[:, :cells])
        return lines.data.cast("B")


def format_records(
    records: Records,
    solutions: Values,
    counts: Counts,
    style: str,
    *,
    limit: int | None,
    checked: bool = True,
) -> bytes:
    """One chunk as a text of its own: that which a new `Writer` makes of it."""
    return bytes(Writer(style, limit=limit, checked=checked).format(records, solutions, counts))


class _Found(NamedTuple):
    records: Records
    solutions: Values
    counts: Counts
    limit: int | None
    codes: npt.NDArray[np.uint8]  # of STATUSES

    @property
    def puzzles(self) -> Rows:
        return self.records.alphabet.symbols_of(self.records.boards)

    @property
    def solved(self) -> Rows:
        """The solutions, and nothing where none was found."""
        symbols = self.records.alphabet.symbols_of(self.solutions)
        symbols[self.counts <= 0] = 0
        return symbols

    @property
    def boards(self) -> Rows:
        """The solutions, and the puzzle where none was found."""
        symbols = self.records.alphabet.symbols_of(self.solutions)
        unsolved = self.counts <= 0
        if unsolved.any():
            boards = self.records.boards[unsolved]
            symbols[unsolved] = self.records.alphabet.symbols_of(boards)
        return symbols

    @property
    def statuses(self) -> Rows:
        return _texts(STATUSES)[self.codes]

    def remarks(self, words: dict[str, str]) -> Rows:
        """The words for each status, with the count of solutions in them; mostly there are none."""
        if not np.isin(self.codes, [STATUSES.index(status) for status in words]).any():
            return np.empty((len(self.codes), 0), np.uint8)
        texts = []
        for code, count in zip(self.codes.tolist(), self.counts.tolist(), strict=True):
            number = f"{count} or more" if count == self.limit else count
            texts.append(words.get(STATUSES[code], "").format(number))
        return _texts(texts)


def _lines(found: _Found) -> Rows:
    return _columns(found.boards, found.remarks(_LINE_REMARKS), b"\n")


def _drawings(found: _Found) -> Rows:
    drawings = draw(found.boards, found.records.box)
    return _columns(drawings, found.remarks(_GRID_REMARKS), b"\n")


def _rows(found: _Found, *more: Rows | bytes) -> Rows:
    return _columns(
        *(found.puzzles, b",", found.solved, b",", _numbers(found.counts)),
        *(b",", found.statuses, b",", _numbers(found.records.lines)),
        *(*more, b"\n"),
    )


def _rated_rows(found: _Found) -> Rows:
    difficulties = found.records.difficulties or [""] * len(found.records)
    return _rows(found, b",", _mapped(_quoted, difficulties))


def _objects(found: _Found) -> Rows:
    records = found.records
    solutions = _columns(b'"', found.solved, b'"')
    solutions[found.counts <= 0] = _texts(["null".ljust(solutions.shape[1], "\0")])
    difficulty: tuple[Rows | bytes, ...] = ()
    if records.difficulties is not None:
        difficulty = b', "difficulty": ', _mapped(json.dumps, records.difficulties)
    source = json.dumps(records.source).encode()
    return _columns(
        *(b'{"source": %b, "line": ' % source, _numbers(records.lines)),
        *(b', "puzzle": "', found.puzzles, b'", "solution": ', solutions),
        *(b', "count": ', _numbers(found.counts, "null"), b', "status": "', found.statuses, b'"'),
        *(*difficulty, b"}\n"),
    )


def _bad_comment(source: str, bad: BadRecord) -> str:
    return f"# {UNREADABLE}: {bad.at(source)}\n"


def _bad_row(source: str, bad: BadRecord) -> str:
    return f",{_quoted(bad.reason)},,{UNREADABLE},{bad.line}\n"


def _bad_rated_row(source: str, bad: BadRecord) -> str:
    return _bad_row(source, bad).replace("\n", ",\n")


def _bad_object(source: str, bad: BadRecord) -> str:
    told = {"source": source, "line": bad.line, "puzzle": None, "solution": None, "count": None}
    return json.dumps({**told, "status": UNREADABLE, "reason": bad.reason}) + "\n"


def _weave(rows: Rows, records: Records, bad_text: Callable[[str, BadRecord], str]) -> bytes:
    """The rows as bytes, each bad record where it belongs among them."""
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


def _columns(*columns: Rows | bytes) -> Rows:
    """Columns side by side; bytes are the same text in every row."""
    height = next(len(column) for column in columns if isinstance(column, np.ndarray))
    parts = [np.frombuffer(c, np.uint8)[None] if isinstance(c, bytes) else c for c in columns]
    rows = np.empty((height, sum(part.shape[1] for part in parts)), np.uint8)
    start = 0
    for part in parts:
        end = start + part.shape[1]
        rows[:, start:end] = part
        start = end
    return rows


def _texts(texts: Iterable[str]) -> Rows:
    return _as_rows(np.array([text.encode() for text in texts], np.bytes_))


def _numbers(numbers: Counts, negative: str = "") -> Rows:
    """Numbers in decimal, and `negative` for those below 0."""
    width = max(len(str(numbers.max(initial=0))), len(negative))
    texts = np.maximum(numbers, 0).astype(f"S{width}")
    texts[numbers < 0] = negative.encode()
    return _as_rows(texts)


def _as_rows(texts: npt.NDArray[np.bytes_]) -> Rows:
    return texts.view(np.uint8).reshape(len(texts), texts.itemsize)


def _mapped(function: Callable[[str], str], texts: list[str]) -> Rows:
    """`function` of each text; there are few different ones."""
    results = {text: function(text) for text in set(texts)}
    return _texts(results[text] for text in texts)


def _quoted(text: str) -> str:
    """A field of a CSV table."""
    quoted = text.replace('"', '""')
    return f'"{quoted}"' if set(text) & set(',"\r\n') else text
