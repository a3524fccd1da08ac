"""Writing records and their results as text: one output record per input record, in order."""

import json
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .board import draw_grids
from .records import BadRecord, Records
from .symbols import Values

Counts = npt.NDArray[np.int64]
Rows = npt.NDArray[np.uint8]  # (N, length) the texts of N records; zeros are padding

SOLVED, UNIQUE, MULTIPLE, NONE, UNFINISHED, UNREADABLE = STATUSES = (
    "solved",  # there is a solution; whether there are others is unknown
    "unique",
    "multiple",
    "none",
    "unfinished",  # the search was stopped
    "unreadable",  # the text is not a board
)

STYLES = ("line", "csv", "grid", "json")

_HEADER, _DIFFICULTY_HEADER = b"puzzle,solution,count,status,line", b",difficulty"

_LINE_REMARKS = {
    MULTIPLE: " # {} solutions",
    NONE: " # no solution",
    UNFINISHED: " # unfinished",
}
_GRID_REMARKS = {  # as qqwing prints them, for programs that read its output
    MULTIPLE: "There are {} solutions to the puzzle.\n",
    NONE: "There are no solutions to the puzzle.\n",
    UNFINISHED: "# unfinished\n",
}


def status_codes(counts: Counts, limit: int | None, checked: bool = True) -> npt.NDArray[np.uint8]:
    """Return the status of each puzzle.

    Parameters
    ----------
    counts
        The number of solutions found for each puzzle, shape (N,), -1 if the search was stopped.
    limit
        The limit of the counts; None for no limit.
    checked
        Whether a single solution is known to be unique, unless the limit is 1.

    Returns
    -------
    ndarray of uint8, shape (N,)
        Indices of `STATUSES`.

    Examples
    --------
    >>> [STATUSES[code] for code in status_codes(np.array([1, 2, 0, -1]), limit=2)]
    ['unique', 'multiple', 'none', 'unfinished']
    >>> [STATUSES[code] for code in status_codes(np.array([1]), limit=1)]
    ['solved']
    """
    one = UNIQUE if checked and limit != 1 else SOLVED
    of_count = [STATUSES.index(status) for status in (UNFINISHED, NONE, one, MULTIPLE)]
    return np.take(np.array(of_count, np.uint8), np.minimum(counts, 2) + 1)


class Writer:
    """A formatter for the chunks of one output, in order.

    Parameters
    ----------
    style
        One of `STYLES`. A CSV table has a column of difficulties if its first chunk has any.
    limit, checked
        The parameters of `status_codes`.

    Raises
    ------
    ValueError
        If there is no such style.

    Examples
    --------
    >>> import io
    >>> from .read import read_boards
    >>> [records] = read_boards(io.BytesIO(b"1.3.34..2..3..2.\\n"))
    >>> solution = np.array([[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]], np.uint8)
    >>> print(Writer("csv", limit=2).format(records, solution, np.array([1])).decode(), end="")
    puzzle,solution,count,status,line
    1.3.34..2..3..2.,1234341221434321,1,unique,1
    """

    def __init__(self, style: str, *, limit: int | None, checked: bool = True) -> None:
        if style not in STYLES:
            raise ValueError(f"style {style!r}: expected one of {', '.join(STYLES)}")
        self.style, self.limit, self.checked = style, limit, checked
        self._has_difficulties: bool | None = None  # in the CSV table; unknown before its header
        self._line_buffer = np.empty((0, 0), np.uint8)

    def format(self, records: Records, solutions: Values, counts: Counts) -> bytes | memoryview:
        """Format a chunk.

        Parameters
        ----------
        records
            The chunk.
        solutions
            The first solution of each puzzle, shape (N, cells).
        counts
            The number of solutions of each puzzle, shape (N,), -1 if the search was stopped.

        Returns
        -------
        bytes or memoryview
            The text. A memoryview is valid until the next call, which may reuse its memory.
        """
        has_numbers = records.alphabet.has_numbers  # of different lengths
        if self.style == "line" and not (records.bad or has_numbers) and _have_no_remarks(counts):
            return self._bare_lines(records, solutions)
        codes = status_codes(counts, self.limit, self.checked)
        results = _Results(records, solutions, counts, self.limit, codes)
        if self.style == "line":
            return _insert_bad(_lines(results), records, _bad_comment)
        if self.style == "grid":
            return _insert_bad(_grids(results), records, _bad_comment)
        if self.style == "json":
            return _insert_bad(_objects(results), records, _bad_object)
        header = b""
        if self._has_difficulties is None:
            self._has_difficulties = records.difficulties is not None
            header = _HEADER + _DIFFICULTY_HEADER * self._has_difficulties + b"\n"
        if self._has_difficulties:
            rows = _rows_with_difficulties(results)
            return header + _insert_bad(rows, records, _bad_row_with_difficulty)
        return header + _insert_bad(_rows(results), records, _bad_row)

    def _bare_lines(self, records: Records, solutions: Values) -> memoryview:
        height, cells = solutions.shape
        if len(self._line_buffer) < height or self._line_buffer.shape[1] != cells + 1:
            self._line_buffer = np.empty((height, cells + 1), np.uint8)
            self._line_buffer[:, cells] = ord("\n")
        lines = self._line_buffer[:height]
        records.alphabet.symbols_of(solutions, out=lines[:, :cells])
        return lines.data.cast("B")


def _have_no_remarks(counts: Counts) -> bool:
    return len(counts) > 0 and bool(counts.min() == 1 == counts.max())


class _Results(NamedTuple):
    """A chunk with its results, and the columns of its output."""

    records: Records
    solutions: Values
    counts: Counts
    limit: int | None
    codes: npt.NDArray[np.uint8]  # indices of STATUSES

    @property
    def puzzles(self) -> Rows:
        return self.records.alphabet.symbols_of(self.records.boards)

    @property
    def solved(self) -> Rows:
        """The solutions; empty if there is none."""
        symbols = self.records.alphabet.symbols_of(self.solutions)
        symbols[self.counts <= 0] = 0
        return symbols

    @property
    def boards(self) -> Rows:
        """The solutions; the puzzle if there is none."""
        symbols = self.records.alphabet.symbols_of(self.solutions)
        unsolved = self.counts <= 0
        if unsolved.any():
            boards = self.records.boards[unsolved]
            symbols[unsolved] = self.records.alphabet.symbols_of(boards)
        return symbols

    @property
    def statuses(self) -> Rows:
        return _texts(STATUSES)[self.codes]

    def remarks(self, templates: dict[str, str]) -> Rows:
        """Return the remark on each puzzle: the template for its status with its count."""
        if not np.isin(self.codes, [STATUSES.index(status) for status in templates]).any():
            return np.empty((len(self.codes), 0), np.uint8)
        texts = []
        for code, count in zip(self.codes.tolist(), self.counts.tolist(), strict=True):
            number = f"{count} or more" if count == self.limit else count
            texts.append(templates.get(STATUSES[code], "").format(number))
        return _texts(texts)


def _lines(results: _Results) -> Rows:
    return _columns(results.boards, results.remarks(_LINE_REMARKS), b"\n")


def _grids(results: _Results) -> Rows:
    grids = draw_grids(results.boards, results.records.box)
    return _columns(grids, results.remarks(_GRID_REMARKS), b"\n")


def _rows(results: _Results, *more: Rows | bytes) -> Rows:
    return _columns(
        *(results.puzzles, b",", results.solved, b",", _numbers(results.counts)),
        *(b",", results.statuses, b",", _numbers(results.records.lines)),
        *(*more, b"\n"),
    )


def _rows_with_difficulties(results: _Results) -> Rows:
    difficulties = results.records.difficulties or [""] * len(results.records)
    return _rows(results, b",", _mapped(_quoted, difficulties))


def _objects(results: _Results) -> Rows:
    records = results.records
    solutions = _columns(b'"', results.solved, b'"')
    solutions[results.counts <= 0] = _texts(["null".ljust(solutions.shape[1], "\0")])
    difficulty: tuple[Rows | bytes, ...] = ()
    if records.difficulties is not None:
        difficulty = b', "difficulty": ', _mapped(json.dumps, records.difficulties)
    source = json.dumps(records.source).encode()
    return _columns(
        *(b'{"source": %b, "line": ' % source, _numbers(records.lines)),
        *(b', "puzzle": "', results.puzzles, b'", "solution": ', solutions),
        *(
            b', "count": ',
            _numbers(results.counts, "null"),
            b', "status": "',
            results.statuses,
            b'"',
        ),
        *(*difficulty, b"}\n"),
    )


def _bad_comment(source: str, bad: BadRecord) -> str:
    return f"# {UNREADABLE}: {bad.at(source)}\n"


def _bad_row(source: str, bad: BadRecord) -> str:
    return f",{_quoted(bad.reason)},,{UNREADABLE},{bad.line}\n"


def _bad_row_with_difficulty(source: str, bad: BadRecord) -> str:
    return _bad_row(source, bad).replace("\n", ",\n")


def _bad_object(source: str, bad: BadRecord) -> str:
    record = {"source": source, "line": bad.line, "puzzle": None, "solution": None, "count": None}
    return json.dumps({**record, "status": UNREADABLE, "reason": bad.reason}) + "\n"


def _insert_bad(rows: Rows, records: Records, bad_text: Callable[[str, BadRecord], str]) -> bytes:
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


def _columns(*columns: Rows | bytes) -> Rows:
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


def _texts(texts: Iterable[str]) -> Rows:
    return _as_rows(np.array([text.encode() for text in texts], np.bytes_))


def _numbers(numbers: Counts, negative: str = "") -> Rows:
    """Return a column of decimal numbers, with `negative` for those below 0."""
    width = max(len(str(numbers.max(initial=0))), len(negative))
    texts = np.maximum(numbers, 0).astype(f"S{width}")
    texts[numbers < 0] = negative.encode()
    return _as_rows(texts)


def _as_rows(texts: npt.NDArray[np.bytes_]) -> Rows:
    return texts.view(np.uint8).reshape(len(texts), texts.itemsize)


def _mapped(function: Callable[[str], str], texts: list[str]) -> Rows:
    """Return a column with `function(text)`, called once for each distinct text."""
    results = {text: function(text) for text in set(texts)}
    return _texts(results[text] for text in texts)


def _quoted(text: str) -> str:
    """Return a field of a CSV table, in quotes if necessary."""
    quoted = text.replace('"', '""')
    return f'"{quoted}"' if set(text) & set(',"\r\n') else text
