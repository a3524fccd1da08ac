"""Writing records and their results as text: one output record per input record, in order."""

import json
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...jit.compile import kernel, without_delay
from ...runtime.arguments import check_choice
from .board import draw_grids
from .columns import (
    UNREADABLE,
    Counts,
    Rows,
    bad_comment,
    file_field,
    insert_bad,
    join_columns,
    mapped_column,
    number_column,
    quote_field,
    text_column,
)
from .records import BadRecord, Numbering, Records
from .symbols import Alphabet, Values

SOLVED, UNIQUE, MULTIPLE, NONE, UNFINISHED, _ = STATUSES = (
    "solved",  # there is a solution; whether there are others is unknown
    "unique",
    "multiple",
    "none",
    "unfinished",  # the search was stopped, or the engine could not continue
    UNREADABLE,
)

MAX_PYTHON_LINES = 32  # more lines are worth compiling the kernel

_ONE, _NEWLINE = ord("1"), ord("\n")

STYLES = ("line", "csv", "grid", "json")
BOARDS = ("solutions", "puzzles", "both")  # the boards that the styles "line" and "grid" contain

# Remarks by status. The text in braces is the count, or the state of an unfinished board.
_LINE_REMARKS = {
    MULTIPLE: " # {} solutions",
    NONE: " # no solution",
    UNFINISHED: " # unfinished{}",
}
_NUMBERED_LINE_REMARKS = {NONE: ", no solution", UNFINISHED: ", unfinished{}"}
_GRID_REMARKS = {  # as qqwing prints them, for programs that read its output
    MULTIPLE: "There are {} solutions to the puzzle.\n",
    NONE: "There are no solutions to the puzzle.\n",
    UNFINISHED: "# unfinished{}\n",
}
_NUMBERED_GRID_REMARKS = {status: _GRID_REMARKS[status] for status in (NONE, UNFINISHED)}


def status_codes(counts: Counts, limit: int | None, checked: bool = True) -> npt.NDArray[np.uint8]:
    """Return the status of each puzzle.

    Parameters
    ----------
    counts
        The number of solutions found for each puzzle, shape (N,), -1 if it is unfinished.
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


def count_statuses(counts: Counts, limit: int | None, checked: bool = True) -> dict[str, int]:
    """Return the number of puzzles of each status; the parameters are those of `status_codes`.

    Examples
    --------
    >>> count_statuses(np.array([1, 1]), limit=1), count_statuses(np.array([1, 3, 0]), limit=None)
    ({'solved': 2}, {'unique': 1, 'multiple': 1, 'none': 1})
    """
    if len(counts) == np.count_nonzero(counts == 1):  # nearly always, and faster
        codes = status_codes(counts[:1], limit, checked)
        return {STATUSES[code]: len(counts) for code in codes}
    numbers = np.bincount(status_codes(counts, limit, checked)).tolist()
    return {STATUSES[code]: number for code, number in enumerate(numbers) if number}


class Writer:
    """A formatter for the chunks of one output, in order.

    Parameters
    ----------
    style
        One of `STYLES`. The columns of a CSV table are determined by its first chunk.
    limit, checked
        The parameters of `status_codes`.
    boards
        One of `BOARDS`: what the styles "line" and "grid" contain. If "both", each puzzle is
        followed by its solution. The other styles always contain both.
    has_file
        Whether a CSV table has a column with the source. JSON objects always contain it.

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

    def __init__(
        self,
        style: str,
        *,
        limit: int | None,
        checked: bool = True,
        boards: str = "solutions",
        has_file: bool = False,
    ) -> None:
        check_choice("style", style, STYLES)
        self.style, self.limit, self.checked, self.boards = style, limit, checked, boards
        self.has_file = has_file
        self._table: _Table | None = None  # unknown before the first chunk

    def format(
        self,
        records: Records,
        solutions: Values,
        counts: Counts,
        nodes: Counts | None = None,
        *,
        work_unit: str = "nodes",
        numbering: Numbering | None = None,
    ) -> bytes | memoryview:
        """Format a chunk.

        Parameters
        ----------
        records
            The chunk.
        solutions
            The first solution of each puzzle, shape (N, cells); with a count of -1, it may be a
            partially filled board.
        counts
            The number of solutions of each puzzle, shape (N,), -1 if it is unfinished.
        nodes
            The work for each puzzle, shape (N,). By default, it is not written.
        work_unit
            What `nodes` counts: the name of its column.
        numbering
            The numbers of the puzzles and solutions, if each row is one of several solutions of a
            puzzle. The number of solutions and the work are then omitted for puzzles that have
            several solutions.

        Returns
        -------
        bytes or memoryview
            The text.
        """
        has_equal_lines = not records.bad and not records.alphabet.has_numbers and numbering is None
        if self.writes_solutions_only and has_equal_lines and len(counts) and (counts == 1).all():
            return _solution_lines(solutions, records.alphabet)
        codes = status_codes(counts, self.limit, self.checked)
        results = _Results(
            records, solutions, counts, nodes, work_unit, numbering, self.limit, codes
        )
        if self.style in ("line", "grid"):
            if self.boards == "solutions":
                rows = _lines(results) if self.style == "line" else _grids(results)
            else:
                rows = _puzzles(results, self.style, has_solutions=self.boards == "both")
            return insert_bad(rows, records, bad_comment)
        if self.style == "json":
            return insert_bad(_objects(results), records, partial(_bad_object, results))
        header = b""
        if self._table is None:
            self._table = _Table.of(results, self.has_file)
            header = self._table.header.encode() + b"\n"
        rows = _rows(results, self._table)
        return header + insert_bad(rows, records, partial(_bad_row, self._table))

    @property
    def writes_solutions_only(self) -> bool:
        """Whether the record of a puzzle with exactly one solution is the line of the solution."""
        return self.style == "line" and self.boards == "solutions"


def _solution_lines(solutions: Values, alphabet: Alphabet) -> memoryview:
    """Return solutions as lines of equal length."""
    height, cells = solutions.shape
    lines = np.empty((height, cells + 1), np.uint8)
    encode = without_delay(encode_lines) if height <= MAX_PYTHON_LINES else encode_lines
    encode(solutions, alphabet.encode, lines)
    return lines.data.cast("B")


@kernel
def encode_lines(values: Any, symbols: Any, lines: Any) -> None:
    """Write boards as lines.

    Parameters
    ----------
    values : ndarray of uint8, shape (N, cells)
        The values of complete boards.
    symbols : ndarray of uint8, shape (n + 1,)
        The symbol of each value: see `Alphabet.encode`.
    lines : ndarray of uint8, shape (N, cells + 1)
        The lines with their line feeds. Written.
    """
    cells = values.shape[1]
    are_digits = len(symbols) <= 10 and symbols[1] == _ONE
    for row in range(len(values)):
        board, line = values[row], lines[row]
        if are_digits:
            for cell in range(cells):  # arithmetic is vectorized, unlike table lookup
                line[cell] = np.uint8((np.int64(board[cell]) + _ONE - 1) & 255)
        else:
            for cell in range(cells):
                line[cell] = symbols[board[cell]]
        line[cells] = _NEWLINE


class _Results(NamedTuple):
    """A chunk with its results, and the columns of its output."""

    records: Records
    solutions: Values
    counts: Counts
    nodes: Counts | None
    work_unit: str
    numbering: Numbering | None
    limit: int | None
    codes: npt.NDArray[np.uint8]  # indices of STATUSES

    @property
    def puzzles(self) -> Rows:
        return self.records.alphabet.symbols_of(self.records.boards)

    @property
    def has_board(self) -> npt.NDArray[np.bool_]:
        """Whether there is a solution or a partially filled board.

        A complete board is not written if the search was stopped while it counted the others.
        """
        has_board = self.counts > 0
        unfinished = np.flatnonzero(self.counts < 0)
        boards = self.solutions[unfinished]
        has_board[unfinished] = boards.any(axis=1) & ~boards.all(axis=1)
        return has_board

    @property
    def solved(self) -> Rows:
        """The solutions and partially filled boards; empty if there is none."""
        symbols = self.records.alphabet.symbols_of(self.solutions)
        symbols[~self.has_board] = 0
        return symbols

    @property
    def boards(self) -> Rows:
        """The solutions and partially filled boards; the puzzle if there is none."""
        symbols = self.records.alphabet.symbols_of(self.solutions)
        unsolved = ~self.has_board
        if unsolved.any():
            boards = self.records.boards[unsolved]
            symbols[unsolved] = self.records.alphabet.symbols_of(boards)
        return symbols

    @property
    def stated_counts(self) -> Counts:
        """The counts; negative if they are unknown, because solutions are written one by one."""
        return self.counts if self.numbering is None else np.where(self.counts > 1, -1, self.counts)

    def stated_nodes(self, work_unit: str) -> Counts:
        """Return the work in a unit; negative if it is unknown, or was counted in another unit."""
        if self.nodes is None or work_unit != self.work_unit:
            return np.full_like(self.counts, -1)
        return np.where(self.stated_counts < 0, -1, self.nodes)

    @property
    def statuses(self) -> Rows:
        return text_column(STATUSES)[self.codes]

    def remarks(self, templates: dict[str, str]) -> Rows:
        """Return the remark on each puzzle: the template for its status, filled in."""
        if not np.isin(self.codes, [STATUSES.index(status) for status in templates]).any():
            return np.empty((len(self.codes), 0), np.uint8)
        return text_column(
            templates.get(STATUSES[code], "").format(self._detail(STATUSES[code], row))
            for row, code in enumerate(self.codes.tolist())
        )

    def _detail(self, status: str, row: int) -> str:
        if status == UNFINISHED:
            n_filled, n_cells = np.count_nonzero(self.solutions[row]), self.solutions.shape[1]
            return f": {n_filled} of {n_cells} cells" if 0 < n_filled < n_cells else ""
        if status == MULTIPLE:
            count = self.counts[row]
            return f"{count} or more" if count == self.limit else f"{count}"
        return ""


class _Table(NamedTuple):
    """The optional columns of a CSV table."""

    is_numbered: bool
    has_file: bool
    has_difficulties: bool
    work_unit: str | None  # the name of the last column; None if there is no column for the work

    @classmethod
    def of(cls, results: _Results, has_file: bool) -> "_Table":
        """Return the table for a first chunk."""
        return cls(
            results.numbering is not None,
            has_file,
            results.records.difficulties is not None,
            None if results.nodes is None else results.work_unit,
        )

    @property
    def header(self) -> str:
        numbers = "puzzle_number,solution_number," * self.is_numbered
        file = ",file" * self.has_file
        difficulty = ",difficulty" * self.has_difficulties
        work = f",{self.work_unit}" if self.work_unit else ""
        return f"{numbers}puzzle,solution,count,status{file},line{difficulty}{work}"


def _lines(results: _Results) -> Rows:
    if results.numbering is None:
        return join_columns(results.boards, results.remarks(_LINE_REMARKS), b"\n")
    remarks = results.remarks(_NUMBERED_LINE_REMARKS)
    return join_columns(results.boards, b" # ", _titles(results.numbering), remarks, b"\n")


def _grids(results: _Results) -> Rows:
    grids = draw_grids(results.boards, results.records.box)
    if results.numbering is None:
        return join_columns(grids, results.remarks(_GRID_REMARKS), b"\n")
    remarks = results.remarks(_NUMBERED_GRID_REMARKS)
    return join_columns(b"# ", _titles(results.numbering), b"\n", grids, remarks, b"\n")


def _puzzles(results: _Results, style: str, *, has_solutions: bool) -> Rows:
    """Return puzzles with remarks, each followed by its solution if it has one."""
    puzzles, solutions, templates = results.puzzles, results.solved, _LINE_REMARKS
    if style == "grid":
        box = results.records.box
        puzzles, solutions = draw_grids(puzzles, box), draw_grids(solutions, box)
        templates = _GRID_REMARKS
    puzzles = join_columns(puzzles, results.remarks(templates), b"\n")
    if not has_solutions:
        return puzzles
    solutions = join_columns(solutions, b"\n")
    solutions[~results.has_board] = 0
    return join_columns(puzzles, solutions)


def _titles(numbering: Numbering) -> Rows:
    """Return titles such as "puzzle 3, solution 2", or "puzzle 3" if there is no solution."""
    solutions = join_columns(b", solution ", number_column(numbering.solutions))
    solutions[numbering.solutions == 0] = 0
    return join_columns(b"puzzle ", number_column(numbering.puzzles), solutions)


def _rows(results: _Results, table: _Table) -> Rows:
    records = results.records
    numbers: list[Rows | bytes] = []
    more: list[Rows | bytes] = []
    if results.numbering is not None:
        puzzles, solutions = results.numbering
        numbers = [number_column(puzzles), b",", number_column(_unless_zero(solutions)), b","]
    file = file_field(records.source, table.has_file)
    if table.has_difficulties:
        more += [b",", mapped_column(quote_field, records.difficulties or [""] * len(records))]
    if table.work_unit is not None:
        more += [b",", number_column(results.stated_nodes(table.work_unit))]
    return join_columns(
        *(
            *numbers,
            results.puzzles,
            b",",
            results.solved,
            b",",
            number_column(results.stated_counts),
        ),
        *(b",", results.statuses, f"{file},".encode(), number_column(records.lines), *more, b"\n"),
    )


def _objects(results: _Results) -> Rows:
    records = results.records
    numbers: list[Rows | bytes] = []
    more: list[Rows | bytes] = []
    if results.numbering is not None:
        puzzles, solutions = results.numbering
        numbers = [b'"puzzle_number": ', number_column(puzzles), b', "solution_number": ']
        numbers += [number_column(_unless_zero(solutions), "null"), b", "]
    if records.difficulties is not None:
        more += [b', "difficulty": ', mapped_column(json.dumps, records.difficulties)]
    if results.nodes is not None:
        nodes = results.stated_nodes(results.work_unit)
        more += [b', "%b": ' % results.work_unit.encode(), number_column(nodes, "null")]
    solved = join_columns(b'"', results.solved, b'"')
    solved[~results.has_board] = text_column(["null".ljust(solved.shape[1], "\0")])
    source = json.dumps(records.source).encode()
    return join_columns(
        *(b"{", *numbers, b'"source": %b, "line": ' % source, number_column(records.lines)),
        *(b', "puzzle": "', results.puzzles, b'", "solution": ', solved),
        *(b', "count": ', number_column(results.stated_counts, "null")),
        *(b', "status": "', results.statuses, b'"', *more, b"}\n"),
    )


def _unless_zero(numbers: Counts) -> Counts:
    """Return the numbers with -1, which is not written, instead of 0."""
    return np.where(numbers == 0, -1, numbers)


def _bad_row(table: _Table, source: str, bad: BadRecord) -> str:
    before = ",," * table.is_numbered
    file = file_field(source, table.has_file)
    after = "," * (table.has_difficulties + (table.work_unit is not None))
    return f"{before},{quote_field(bad.reason)},,{UNREADABLE}{file},{bad.line}{after}\n"


def _bad_object(results: _Results, source: str, bad: BadRecord) -> str:
    numbers = dict.fromkeys(("puzzle_number", "solution_number") * (results.numbering is not None))
    record = {"source": source, "line": bad.line, "puzzle": None, "solution": None, "count": None}
    outcome = {"status": UNREADABLE, "reason": bad.reason}
    work = {} if results.nodes is None else {results.work_unit: None}
    return json.dumps({**numbers, **record, **outcome, **work}) + "\n"
