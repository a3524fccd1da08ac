"""Writing records and boards that are derived from them: one output record per input record."""

import json
from functools import partial

from ...runtime.arguments import check_choice
from .board import draw_grids
from .columns import (
    UNREADABLE,
    Rows,
    bad_comment,
    file_field,
    insert_bad,
    join_columns,
    number_column,
    quote_field,
)
from .records import BadRecord, Records
from .symbols import Values
from .write import STYLES


class BoardWriter:
    """A formatter for the chunks of one output, in order.

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

    def __init__(self, style: str, name: str, *, has_file: bool = False) -> None:
        check_choice("style", style, STYLES)
        self.style, self.name, self.has_file = style, name, has_file
        file = ",file" * has_file
        self._header = f"puzzle,{name},status{file},line\n".encode() if style == "csv" else b""

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
        if self.style == "line":
            return insert_bad(join_columns(derived, b"\n"), records, bad_comment)
        if self.style == "grid":
            grids = join_columns(draw_grids(derived, records.box), b"\n")
            return insert_bad(grids, records, bad_comment)
        puzzles = records.alphabet.symbols_of(records.boards)
        lines = number_column(records.lines)
        if self.style == "json":
            objects = self._objects(records.source, puzzles, derived, lines)
            return insert_bad(objects, records, self._bad_object)
        header, self._header = self._header, b""
        file = file_field(records.source, self.has_file)
        rows = join_columns(puzzles, b",", derived, f",{file},".encode(), lines, b"\n")
        return header + insert_bad(rows, records, partial(_bad_row, file))

    def _objects(self, source: str, puzzles: Rows, derived: Rows, lines: Rows) -> Rows:
        return join_columns(
            *(b'{"source": %b, "line": ' % json.dumps(source).encode(), lines),
            *(b', "puzzle": "', puzzles, b'", "%b": "' % self.name.encode(), derived, b'"}\n'),
        )

    def _bad_object(self, source: str, bad: BadRecord) -> str:
        record = {"source": source, "line": bad.line, "puzzle": None, self.name: None}
        return json.dumps({**record, "status": UNREADABLE, "reason": bad.reason}) + "\n"


def _bad_row(file: str, source: str, bad: BadRecord) -> str:
    return f",{quote_field(bad.reason)},{UNREADABLE}{file},{bad.line}\n"
