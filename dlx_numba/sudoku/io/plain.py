"""Whether a text is plainly Sudoku."""

import io
import re
from codecs import BOM_UTF8
from itertools import groupby
from typing import NamedTuple

from ...runtime.arrays import looks_like_arrays
from ...runtime.errors import UnreadableError
from ..box import SIDE_OF_CELLS, Box
from ..verify import find_conflicts
from .apps import is_of_app
from .cells import is_rule, plain_line, read_cells, split_cells
from .json import looks_like_objects
from .lines import SIZE
from .qqwing import read_remark
from .read import read_records
from .records import Records
from .sniff import any_symbols
from .symbols import INVALID, MAX_SYMBOLS
from .table import NO_BOARD, read_header, read_object

COMPACT_SIDES = 4, 6, 8, 9, 12, 16, 25  # of boards whose rows stand alone
MAX_BOARDS = 1024  # of a text that are examined
MAX_BLANKS = 2  # symbols of empty cells in a text
MIN_CERTAIN = 36  # symbols of a board on a line that is nothing else
MAX_DIGITS = 9  # the side of the largest boards without letters
_DIGITS = b"0123456789.*_xX?-"
_BLANKS = set(b".0*_xX?")
_OF_MATRIX = set(b"01 ,;\t[]{}\"'")
_CROSSES = set(b"xX \t")


class Verdict(NamedTuple):
    """Whether a text is Sudoku.

    Attributes
    ----------
    is_sudoku : bool
        Whether boards can be read from it.
    doubt : str
        What else it looks like, or why it is probably no Sudoku; "" if it is plainly Sudoku.
    """

    is_sudoku: bool
    doubt: str = ""


NO_SUDOKU = Verdict(False)
PLAIN = Verdict(True)


def examine(head: bytes) -> Verdict:
    r"""Return whether a text that starts with some whole lines is Sudoku.

    Plain are boards on single lines; drawings with rules, bars or blank lines between the boxes; n
    rows of n symbols for n in `COMPACT_SIDES`, below no line with their size; and texts with a mark
    of Sudoku, such as a column or a key `puzzle`. Drawn boards are doubtful if their givens
    contradict each other, and so is a text of which most lines cannot be read as boards.

    Parameters
    ----------
    head
        The lines.

    Examples
    --------
    >>> examine(b"12...34..1..4..2\n"), examine(b"1 0\n0 1\n").is_sudoku
    (Verdict(is_sudoku=True, doubt=''), False)
    >>> examine(b"1..4\n..1.\n.1..\n4..1\n"), examine(b"4 4\n1..4\n..1.\n.1..\n...1\n").doubt
    (Verdict(is_sudoku=True, doubt=''), 'this has rows of 4 symbols after a line `4 4`')
    >>> examine(b"2 2 1 1\n1 1 2 2\n1 1 2 2\n2 2 1 1\n").doubt
    'these rows could be a Sudoku with two 1s in row 1'
    """
    head = head.removeprefix(BOM_UTF8)
    lines = head.splitlines()
    first = next((line for line in lines if _is_content(line)), b"")
    if len(first) >= MIN_CERTAIN and first.strip(b"01xX") and _is_board(first):
        return PLAIN
    content = [plain_line(line) for line in lines if not line.strip() or _is_content(line)]
    rows = [line for line in content if line.strip()]
    symbols = set(b"".join(rows))
    if not rows or (b"1"[0] in symbols and symbols <= _OF_MATRIX) or symbols <= _CROSSES:
        return NO_SUDOKU
    try:
        chunks = read_records(io.BytesIO(b"\n".join(lines)), chunk_boards=MAX_BOARDS)
        records = next(chunks, None)
    except UnreadableError:  # its boards are too large
        return PLAIN
    except ValueError as error:
        return Verdict(True, str(error))
    if records is None or not len(records):
        is_table = records is not None and records.columns is not None and not records.bad
        record = read_object(rows[0].decode("utf-8", "replace"), 1)
        has_error = record is not None and record.error not in ("", NO_BOARD)
        return PLAIN if is_table or has_error or _is_nearly_board(rows[0]) else NO_SUDOKU
    if len(records.bad) > 2 * len(records):
        return NO_SUDOKU
    return Verdict(True, _find_doubt(records, content, _is_marked(head, rows)))


def _is_content(line: bytes) -> bool:
    return line.lstrip()[:1] not in (b"", b"#")


def _is_board(line: bytes) -> bool:
    """Return whether a line starts with a board, whose symbols nothing separates."""
    field = re.split(rb"[\s,;#]", line.lstrip(), maxsplit=1)[0]
    side = SIDE_OF_CELLS.get(len(field), 0)
    if side <= MAX_DIGITS and field.translate(None, _DIGITS):
        return False
    return 0 < side <= MAX_SYMBOLS and INVALID not in field.translate(
        any_symbols(side).decode_table
    )


def _is_nearly_board(line: bytes) -> bool:
    """Return whether a line may be a board of 9×9 or more with wrong or missing symbols.

    At most a tenth of its characters are neither digits nor empty cells nor separators. 729 digits
    are pencil marks.
    """
    n_cells = len(split_cells(line))
    n_symbols = len(line.translate(None, b" |"))
    number = n_cells if n_cells > 1 else n_symbols  # cells are separated, or single symbols
    n_others = len(line.translate(None, _DIGITS + b" ,;\t|"))
    sizes = (cells for cells, side in SIDE_OF_CELLS.items() if side >= MAX_DIGITS)
    is_near = any(abs(number - cells) <= 1 for cells in sizes) and n_symbols != 729
    return is_near and 10 * n_others <= len(line)


def _is_marked(head: bytes, rows: list[bytes]) -> bool:
    """Return whether a text has the form of an app, or names its puzzles in a table or in JSON."""
    has_names = looks_like_objects(head) or rows[0].lstrip()[:1] == b"{"
    texts = [line.decode("utf-8", "replace") for line in rows]
    has_remarks = any(read_remark(text) is not None for text in texts)
    return bool(is_of_app(head) or has_names or has_remarks or read_header(texts[0]) is not None)


def _find_doubt(records: Records, content: list[bytes], is_marked: bool) -> str:
    """Return why boards that can be read are not plainly Sudoku, or ""."""
    n = records.box.n
    cells = records.box.cells
    n_boards = len(records)
    n_bad = len(records.bad)
    rows = [line for line in content if line.strip()]
    values_of = {line: read_cells(line, any_symbols(n), n, cells) for line in rows}
    # The numbers of cells on the lines that are rows or boards; a drawing has rows of n cells.
    sizes = [len(values) for values in map(values_of.get, rows) if values is not None]
    is_drawn = not is_marked and sizes[:1] in ([], [n])
    if n_bad > n_boards or (is_drawn and n_bad == n_boards):
        first = records.bad[0]
        return (
            f"only {n_boards} of {n_boards + n_bad} lines or drawings can be read as "
            f"boards (line {first.line}: {first.reason})"
        )
    n_blank = n * sum(line.isspace() for line in content)
    # The rows have too few cells, even with blank lines as rows of empty cells.
    is_folded = is_drawn and sum(sizes) + n_blank < cells * n_boards
    if is_folded and not looks_like_arrays(b"\n".join(rows)):
        return f"these lines have {cells} symbols, but are not {n} rows"
    # Boards on lines are certain, unless their cells are separated, or they may be numbers: short
    # and without empty cells.
    has_boards = not is_drawn and len(split_cells(rows[0])) < cells
    is_number = cells < MIN_CERTAIN and records.boards.all()
    if is_marked or (has_boards and not is_number):
        return ""
    if len(sizes) == len(rows) == cells == sizes[0]:  # a square of numbers
        return f"this has {cells} rows of {cells} numbers"
    conflicts = [*find_conflicts(records.boards, records.box, records.alphabet)]
    if 2 * len(conflicts) >= n_boards:
        return f"these rows could be a Sudoku with {conflicts[0][1]}"
    blanks = set(b"".join(line for line, values in values_of.items() if values)) & _BLANKS
    highest = records.boards.max()
    has_several = len(blanks) > MAX_BLANKS or (not highest and len(blanks) > 1)
    # A drawing has too few symbols if its only value is 1, or if one of its boards is empty.
    if has_several or (is_drawn and (highest == 1 or not records.boards.any(axis=1).all())):
        return "these rows have too few symbols, or several for empty cells"
    if is_drawn and SIZE.fullmatch(rows[0]):
        return f"this has rows of {n} symbols after a line `{rows[0].strip().decode()}`"
    others = [line for line in rows if values_of[line] is None]
    if n not in COMPACT_SIDES and sizes[:1] == [n] and not _has_boxes(content, others, records.box):
        return f"this has rows of {n} symbols"
    return ""


def _has_boxes(content: list[bytes], others: list[bytes], box: Box) -> bool:
    """Return whether bars, rules or blank lines are between the boxes of drawings.

    `others` are the lines of `content` that are no rows: a row of empty cells may be hyphens, too.
    """
    if any(map(is_rule, others)) or any(b"|" in line for line in content):
        return True
    bands = [len([*group]) for is_row, group in groupby(content, _is_content) if is_row]
    return {*bands} == {box.rows}
