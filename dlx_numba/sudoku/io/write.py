"""Write records and their results as text: one output record per input record, in order."""

import json
import warnings
from collections.abc import Collection, Sequence
from functools import lru_cache, partial
from itertools import chain, compress
from typing import Any

import numpy as np
import numpy.typing as npt

from ...runtime.choices import CANDIDATES
from .board import draw_grids, format_board, format_cells
from .columns import (
    UNREADABLE,
    Columns,
    Counts,
    Rows,
    csv_column,
    csv_field,
    insert_bad,
    join_columns,
    json_columns,
    number_column,
    text_column,
)
from .records import BadRecord, Numbering, Records
from .symbols import Values
from .table import OTHER, SOLUTION_NAME

SOLVED, UNIQUE, MULTIPLE, NONE, UNFINISHED, _ = STATUSES = (
    "solved",  # there is a solution; whether there are others is unknown
    "unique",
    "multiple",
    "none",
    "unfinished",  # the search was stopped, or the engine could not continue
    UNREADABLE,
)

BOARDS = ("solutions", "puzzles", "both")  # the boards that the styles "line" and "grid" contain


def status_codes(counts: Counts, limit: int | None) -> npt.NDArray[np.uint8]:
    """Return the status of each puzzle.

    Parameters
    ----------
    counts
        The number of solutions found for each puzzle, shape (N,), -1 if it is unfinished.
    limit
        The limit of the counts; None for no limit. If it is 1, a single solution may not be unique.

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
    one = SOLVED if limit == 1 else UNIQUE
    of_count = [STATUSES.index(status) for status in (UNFINISHED, NONE, one, MULTIPLE)]
    return np.take(np.array(of_count, np.uint8), np.minimum(counts, 2) + 1)


def count_statuses(counts: Counts, limit: int | None) -> dict[str, int]:
    """Return the number of puzzles of each status; the parameters are those of `status_codes`.

    Examples
    --------
    >>> count_statuses(np.array([1, 1]), limit=1), count_statuses(np.array([1, 3, 0]), limit=None)
    ({'solved': 2}, {'unique': 1, 'multiple': 1, 'none': 1})
    """
    numbers = np.bincount(status_codes(counts, limit)).tolist()
    return {STATUSES[code]: number for code, number in enumerate(numbers) if number}


class Writer:
    """A formatter for the chunks of one output with solutions, in order.

    Parameters
    ----------
    style
        One of `STYLES`, or `CANDIDATES`.
    limit
        The parameter of `status_codes`.
    boards
        One of `BOARDS`: what the styles "line" and "grid" contain. If "both", each puzzle is
        followed by its solution. The other styles always contain both.

    Attributes
    ----------
    names
        Names of other fields, which follow those of the first record as columns of a CSV table. If
        `OTHER` is among them, its column has the fields without a column.
    header
        The columns of a CSV table: ours, the others, and the names that these have in the input;
        empty before the first chunk.

    Examples
    --------
    >>> import io
    >>> from .read import read_records
    >>> [records] = read_records(io.BytesIO(b"1.3.34..2..3..2.\\n"))
    >>> solution = np.array([[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]], np.uint8)
    >>> print(Writer("csv", limit=2).format(records, solution, np.array([1])).decode(), end="")
    puzzle,solution,count,status,file,line
    1.3.34..2..3..2.,1234341221434321,1,unique,<stream>,1
    """

    def __init__(
        self,
        style: str,
        *,
        limit: int | None = None,
        boards: str = "solutions",
    ) -> None:
        self.style = style
        self.limit = limit
        self.boards = boards
        self.names: Sequence[str] = ()
        self.header: tuple[list[str], list[str], list[str]] = ([], [], [])

    def format(
        self,
        records: Records,
        solutions: Values,
        counts: Counts,
        nodes: Counts | None = None,
        *,
        numbering: Numbering | None = None,
        candidates: npt.NDArray[np.bool_] | None = None,
    ) -> bytes:
        """Format a chunk.

        Parameters
        ----------
        records
            The chunk.
        solutions
            The first solution of each puzzle, shape (N, cells).
        counts
            The number of solutions of each puzzle, shape (N,), -1 if it is unfinished.
        nodes
            The work for each puzzle, shape (N,). By default, it is not written.
        numbering
            The numbers of the puzzles and solutions, if each row is one of several solutions of a
            puzzle. The number of solutions and the work are then omitted for puzzles that have
            several solutions.
        candidates
            The candidates of each cell, shape (N, cells, n), which the style "candidates" needs.
            Cells are separated by spaces, and numbers in a cell by commas.

        Returns
        -------
        bytes
            The text.
        """
        is_solved = len(counts) == np.count_nonzero(counts == 1)
        if self.style == "line" and self.boards == "solutions" and is_solved and numbering is None:
            return insert_bad(records.alphabet.lines_of(solutions), records)
        symbols = records.alphabet.symbols_of(solutions)
        if self.style not in ("csv", "json"):
            if candidates is None:
                rows = self._boards(records, symbols, counts, numbering)
            else:
                lines = _candidate_lines(candidates, records, counts)
                rows = join_columns(lines, self._remarks(counts), b"\n")
            return insert_bad(rows, records)
        symbols[counts <= 0] = 0  # an empty text: see `Rows`
        statuses = text_column(STATUSES)[status_codes(counts, self.limit)]
        columns: Columns = {}
        if numbering is not None:  # counts are unknown, because solutions are written one by one
            numbers = np.where(numbering.solutions == 0, -1, numbering.solutions)
            columns |= {"puzzle_number": numbering.puzzles, "solution_number": numbers}
            counts = np.where(counts > 1, -1, counts)
        columns |= {"puzzle": records.alphabet.symbols_of(records.boards), "solution": symbols}
        columns |= {"count": counts, "status": statuses}
        work: Columns = {} if nodes is None else {"nodes": np.where(counts < 0, -1, nodes)}
        return self.format_table(records, columns, work)

    def format_boards(self, records: Records, boards: Values, name: str) -> bytes:
        """Format a chunk with boards (N, cells) that are derived from its boards.

        The styles "csv" and "json" contain both; `name` is that of the derived board. Solutions in
        the source are kept as another field.
        """
        derived = records.alphabet.symbols_of(boards)
        if self.style in ("line", "grid"):
            rows = derived if self.style == "line" else draw_grids(derived, records.box)
            return insert_bad(join_columns(rows, b"\n"), records)
        puzzles = records.alphabet.symbols_of(records.boards)
        if records.solutions is not None:
            known = zip(records.solutions, records.others or [{}] * len(records), strict=True)
            extra = [
                {SOLUTION_NAME: format_board(board, records.alphabet), **fields}
                if board.any()
                else fields
                for board, fields in known
            ]
            records = records.replace(others=extra)
        return self.format_table(records, {"puzzle": puzzles, name: derived, "status": None})

    def format_table(
        self, records: Records, columns: Columns, more: Columns | None = None
    ) -> bytes:
        """Format a chunk.

        Parameters
        ----------
        records
            The chunk, whose other fields are the last ones.
        columns
            The columns. A column whose values are None is empty in CSV, and missing in JSON.
        more
            Further columns, which follow the source and the line.
        """
        is_json = self.style == "json"
        write = json.dumps if is_json else csv_field
        source = write(records.source).encode(errors="replace")
        columns = {**columns, "file": source, "line": records.lines, **(more or {})}
        origins = [  # those of the records of an earlier command are kept
            _origin(fields, records.source, line)
            for fields, line in zip(records.others or (), records.lines.tolist(), strict=False)
        ]
        if {file for file, _ in origins} - {records.source}:
            columns["file"] = [file for file, _ in origins]
            columns["line"] = np.array([line for _, line in origins], np.int64)
        return self._objects(records, columns) if is_json else self._rows(records, columns)

    def _rows(self, records: Records, columns: Columns) -> bytes:
        """Return the records as rows of CSV, after the titles if these are the first ones."""
        header = b""
        if not self.header[0]:
            # The only source is a table, and has no fields without a column.
            is_closed = records.columns is not None and [*self.names] == [OTHER]
            names = {**records.first_names, **dict.fromkeys(() if is_closed else self.names)}
            others = [name for name in names if name not in columns and name != OTHER]
            if OTHER in names:
                others.append(OTHER)
            # Ours, the others, and the names of the others in the input
            self.header = [*columns], _rename((*columns,), (*others,)), others
            header = ",".join(map(csv_field, chain(*self.header[:2]))).encode() + b"\n"
        parts: list[Rows | bytes] = []
        for column in columns.values():
            if column is not None:
                parts.append(csv_column(column))
            parts.append(b",")
        end = b"," * len(self.header[1]) + b"\n"
        tails = None
        if records.others is not None:
            end = b""  # the tail of each row ends its line
            known = zip(records.others, records.lines.tolist(), strict=True)
            tails = [
                f"{self._other_fields(fields, line, records)}\n".encode() for fields, line in known
            ]
        rows = join_columns(*parts[:-1], end)
        return header + insert_bad(rows, records, partial(self._bad_row, records), tails)

    def _other_fields(self, fields: dict[str, Any], line: int, records: Records) -> str:
        """Return the cells of further fields of a record.

        Fields without a column are JSON in the column `OTHER`, or raise ValueError if there is
        none.
        """
        own, _, names = self.header  # our columns, and the others by their names in the input
        known = {*own, *names} - {OTHER}
        unplaced = {name: value for name, value in fields.items() if name not in known}
        if unplaced.keys() - names:
            if OTHER not in names:
                place = f"{records.source}:{line}"
                unplaced_names = ", ".join(unplaced)
                raise ValueError(f"{place}: the output has no column {unplaced_names}; use json")
            fields = {**fields, OTHER: unplaced}
        return "".join("," + csv_field(_as_text(fields.get(name))) for name in names)

    def _bad_row(self, records: Records, source: str, bad: BadRecord) -> str:
        """Return the row of a record that cannot be read."""
        own = self.header[0]
        remark = own[own.index("puzzle") + 1]  # the reason is in the column after the puzzle
        file, line = _origin(bad.others, source, bad.line)
        values = {"file": file, "line": str(line), remark: bad.reason}
        values[_status_column(own)] = UNREADABLE
        fields = ",".join(csv_field(values.get(name, "")) for name in own)
        return f"{fields}{self._other_fields(bad.others, bad.line, records)}\n"

    def _objects(self, records: Records, columns: Columns) -> bytes:
        """Return the records as objects of JSON, one a line."""
        parts: list[Rows | bytes] = [b"{"]
        for name, values in columns.items():
            if values is not None:
                parts += [f'"{name}": '.encode(), *json_columns(values), b", "]
        rules = records.rules
        extra: dict[str, Any] = {}  # without which it has other solutions
        if rules is not None or not records.box.is_standard:
            extra = {"box": str(records.box), **(rules.stated() if rules is not None else {})}
            parts += [json.dumps(extra)[1:-1].encode(), b", "]
        tails = None
        if records.others is not None:
            own = {*columns, *extra}
            others = [_without(fields, own) for fields in records.others]
            # Without the brace that opens each object, its members follow the others.
            tails = [
                ((", " if fields else "") + json.dumps(fields)[1:] + "\n").encode()
                for fields in others
            ]
        rows = join_columns(*parts[:-1], b"}\n" if tails is None else b"")
        return insert_bad(rows, records, partial(_bad_object, [*columns]), tails)

    def _boards(
        self, records: Records, solved: Rows, counts: Counts, numbering: Numbering | None
    ) -> Rows:
        """Return lines or grids of boards, with remarks; puzzles instead of missing solutions."""
        symbols_of = records.alphabet.symbols_of
        is_grid = self.style == "grid"
        draw = partial(draw_grids, box=records.box) if is_grid else np.asarray
        is_unsolved = counts <= 0
        if self.boards == "solutions":
            solved[is_unsolved] = symbols_of(records.boards[is_unsolved])
            first = draw(solved)
        else:
            first = draw(symbols_of(records.boards))
        if numbering is not None:
            title = _titles(numbering)
            first = join_columns(
                *((b"# ", title, b"\n", first) if is_grid else (first, b" # ", title))
            )
        rows = join_columns(first, self._remarks(counts, numbering is not None), b"\n")
        if self.boards != "both":
            return rows
        solutions = join_columns(draw(solved), b"\n")
        solutions[is_unsolved] = 0  # no text: the first column has the puzzle alone
        return join_columns(rows, solutions)

    def _remarks(self, counts: Counts, is_numbered: bool = False) -> Rows:
        """Return the remark on each puzzle, which depends on its number of solutions."""
        remarks = {count: self._remark(count, is_numbered) for count in set(counts.tolist())}
        if not any(remarks.values()):
            return np.empty((len(counts), 0), np.uint8)
        return text_column(remarks[count] for count in counts.tolist())

    def _remark(self, count: int, is_numbered: bool) -> str:
        """Return what follows a board whose number of solutions is not 1, or ""."""
        if count == 1 or (count > 1 and (is_numbered or self.style == CANDIDATES)):
            return ""
        number = f"{count} or more" if count == self.limit else f"{count or 'no'}"
        if self.style == "grid":  # as qqwing prints it, for programs that read its output
            text = "# unfinished" if count < 0 else f"There are {number} solutions to the puzzle."
            return f"{text}\n"
        text = f"{number} solutions" if count else "no solution"
        if count < 0:
            text = "unfinished"
        return f", {text}" if is_numbered else f" # {text}"


def _bad_object(names: list[str], source: str, bad: BadRecord) -> str:
    """Return the object of a record that cannot be read, with its other fields."""
    record: dict[str, Any] = dict.fromkeys(names)
    file, line = _origin(bad.others, source, bad.line)
    record |= {"file": file, "line": line, _status_column(names): UNREADABLE}
    record |= {"reason": bad.reason}
    return json.dumps(record | _without(bad.others, record)) + "\n"


def _origin(fields: dict[str, Any], file: str, line: int) -> tuple[str, int]:
    """Return the file and the line that a record of an earlier command has, or these."""
    earlier = fields.get("file")
    number = str(fields.get("line", ""))
    is_known = isinstance(earlier, str) and earlier and number.isdecimal()
    return (str(earlier), int(number)) if is_known else (file, line)


def _without(fields: dict[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Return the fields that have none of some names, with names that differ in more than case."""
    others = {name: value for name, value in fields.items() if name not in names}
    return dict(zip(_rename((*names,), (*others,)), others.values(), strict=True))


def _rename(own: tuple[str, ...], names: tuple[str, ...]) -> list[str]:
    """Return what `_distinct_names` returns, with a notice of each name that changes."""
    distinct = _distinct_names(own, names)
    for name, new in zip(names, distinct, strict=True):
        if new != name:
            warnings.warn(f"{name!r} is called {new!r}, as another differs in case", stacklevel=1)
    return distinct


@lru_cache
def _distinct_names(own: tuple[str, ...], names: tuple[str, ...]) -> list[str]:
    """Return names of other fields, of which those that differ only in case have numbers.

    >>> _distinct_names(("givens",), ("id", "Givens", "ID"))
    ['id', 'Givens_2', 'ID_2']
    """
    used = {name.lower() for name in own}
    distinct: list[str] = []
    for name in names:
        new = name
        number = 1
        while new.lower() in used:
            number += 1
            new = f"{name}_{number}"
        used.add(new.lower())
        distinct.append(new)
    return distinct


def _as_text(value: object) -> str:
    """Return another field as text: that of a table as it is, and others as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _status_column(names: list[str]) -> str:
    """Return the column that marks text that is not a board; ratings have no status."""
    return "status" if "status" in names else "difficulty"


def _candidate_lines(candidates: npt.NDArray[np.bool_], records: Records, counts: Counts) -> Rows:
    """Return lines with the candidates of each cell, or the puzzle if it has no solution.

    These are two columns, of which each row uses one: the other one is zeros, which are padding
    that `insert_bad` removes.
    """
    alphabet = records.alphabet
    puzzles = records.alphabet.symbols_of(records.boards)
    separator = "," if alphabet.has_numbers else ""
    symbols = format_cells(np.arange(1, alphabet.n + 1, dtype=np.uint8), alphabet)
    puzzles[counts > 0] = 0
    texts = [
        " ".join(separator.join(compress(symbols, cell)) for cell in cells) if count > 0 else ""
        for cells, count in zip(candidates.tolist(), counts.tolist(), strict=True)
    ]
    return join_columns(text_column(texts), puzzles)


def _titles(numbering: Numbering) -> Rows:
    """Return titles such as "puzzle 3, solution 2", or "puzzle 3" if there is no solution."""
    solutions = join_columns(b", solution ", number_column(numbering.solutions))
    solutions[numbering.solutions == 0] = 0
    return join_columns(b"puzzle ", number_column(numbering.puzzles), solutions)
