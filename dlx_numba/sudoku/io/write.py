"""Write records and their results as text: one output record per input record, in order."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ...jit.compile import kernel, without_delay
from .board import draw_grids
from .columns import (
    UNREADABLE,
    Columns,
    Counts,
    Rows,
    TableWriter,
    insert_bad,
    join_columns,
    number_column,
    text_column,
)
from .records import Numbering, Records
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

# Remarks by style and status. The text in braces is the count, or the state of an unfinished board.
_REMARKS = {
    "line": {
        MULTIPLE: " # {} solutions",
        NONE: " # no solution",
        UNFINISHED: " # unfinished{}",
    },
    "grid": {  # as qqwing prints them, for programs that read its output
        MULTIPLE: "There are {} solutions to the puzzle.\n",
        NONE: "There are no solutions to the puzzle.\n",
        UNFINISHED: "# unfinished{}\n",
    },
}
_NUMBERED_REMARKS = {
    "line": {NONE: ", no solution", UNFINISHED: ", unfinished{}"},
    "grid": {status: _REMARKS["grid"][status] for status in (NONE, UNFINISHED)},
}


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


class Writer(TableWriter):
    """A formatter for the chunks of one output with solutions, in order.

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

    styles = STYLES

    def __init__(
        self,
        style: str,
        *,
        limit: int | None,
        checked: bool = True,
        boards: str = "solutions",
        has_file: bool = False,
    ) -> None:
        super().__init__(style, has_file)
        self.limit, self.checked, self.boards = limit, checked, boards

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
        results = _Results(records, solutions, counts, numbering, self.limit, codes)
        if self.style in ("line", "grid"):
            return insert_bad(_boards(results, self.style, self.boards), records)
        columns: Columns = {}
        if numbering is not None:
            numbers = np.where(numbering.solutions == 0, -1, numbering.solutions)
            columns |= {"puzzle_number": numbering.puzzles, "solution_number": numbers}
        columns |= {"puzzle": results.puzzles, "solution": results.solved}
        columns |= {"count": results.stated_counts, "status": text_column(STATUSES)[codes]}
        more: Columns = {}
        if records.difficulties is not None:
            more["difficulty"] = records.difficulties
        if nodes is not None:
            more[work_unit] = np.where(results.stated_counts < 0, -1, nodes)
        return self.format_table(records, columns, more)

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


@dataclass(frozen=True)
class _Results:
    """A chunk with its results."""

    records: Records
    solutions: Values
    counts: Counts
    numbering: Numbering | None
    limit: int | None
    codes: npt.NDArray[np.uint8]  # indices of STATUSES

    @property
    def puzzles(self) -> Rows:
        return self.records.alphabet.symbols_of(self.records.boards)

    @cached_property
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
        symbols[unsolved] = self.records.alphabet.symbols_of(self.records.boards[unsolved])
        return symbols

    @property
    def stated_counts(self) -> Counts:
        """The counts; negative if they are unknown, because solutions are written one by one."""
        return self.counts if self.numbering is None else np.where(self.counts > 1, -1, self.counts)

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


def _boards(results: _Results, style: str, boards: str) -> Rows:
    """Return lines or grids of boards, with remarks."""

    def draw(symbols: Rows) -> Rows:
        return draw_grids(symbols, results.records.box) if style == "grid" else symbols

    if (numbering := results.numbering) is not None:
        title, remarks = _titles(numbering), results.remarks(_NUMBERED_REMARKS[style])
        if style == "grid":
            return join_columns(b"# ", title, b"\n", draw(results.boards), remarks, b"\n")
        return join_columns(results.boards, b" # ", title, remarks, b"\n")
    remarks = results.remarks(_REMARKS[style])
    first = results.boards if boards == "solutions" else results.puzzles
    records = join_columns(draw(first), remarks, b"\n")
    if boards != "both":
        return records
    solutions = join_columns(draw(results.solved), b"\n")
    solutions[~results.has_board] = 0
    return join_columns(records, solutions)


def _titles(numbering: Numbering) -> Rows:
    """Return titles such as "puzzle 3, solution 2", or "puzzle 3" if there is no solution."""
    solutions = join_columns(b", solution ", number_column(numbering.solutions))
    solutions[numbering.solutions == 0] = 0
    return join_columns(b"puzzle ", number_column(numbering.puzzles), solutions)


class BoardWriter(TableWriter):
    """A formatter for the chunks of one output with boards that are derived from others, in order.

    Parameters
    ----------
    style
        One of `STYLES`. The formats `csv` and `json` contain both boards of a record.
    name
        The name of the derived board in tables.
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
    >>> print(BoardWriter("csv", "copy").format(records, records.boards).decode(), end="")
    puzzle,copy,status,line
    1.3.34..2..3..2.,1.3.34..2..3..2.,,1
    """

    styles = STYLES

    def __init__(self, style: str, name: str, *, has_file: bool = False) -> None:
        super().__init__(style, has_file)
        self.remark = name

    def format(self, records: Records, boards: Values) -> bytes:
        """Return the text of a chunk.

        Parameters
        ----------
        records
            The chunk.
        boards
            The derived boards, shape (N, cells), 0 for an empty cell.
        """
        derived = records.alphabet.symbols_of(boards)
        if self.style in ("line", "grid"):
            rows = derived if self.style == "line" else draw_grids(derived, records.box)
            return insert_bad(join_columns(rows, b"\n"), records)
        puzzles = records.alphabet.symbols_of(records.boards)
        return self.format_table(records, {"puzzle": puzzles, self.remark: derived, "status": None})
