"""Read whatever people bring: detect the kind of a file, and return the puzzles in it."""

import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from itertools import chain
from math import inf
from typing import IO, Any, NamedTuple

import numpy as np

from ..cover.encode import Statement
from ..cover.rows import LongForm
from ..kernels.problem import Problem
from ..runtime.arrays import looks_like_arrays, plain_line
from ..runtime.errors import AmbiguousError, FormatError, UnreadableError
from ..runtime.json import looks_like_json
from ..runtime.source import HEAD_BYTES, Source, decode_text, named_stream, peek
from ..sudoku.box import Box
from ..sudoku.io.apps import complete_link
from ..sudoku.io.json import has_board_lists
from ..sudoku.io.lines import UNKNOWN_LINE
from ..sudoku.io.read import read_records
from ..sudoku.io.records import Records
from ..sudoku.io.sniff import oversized_side, sides_of
from ..sudoku.io.symbols import BLANKS
from ..variants.fpuzzles import is_link
from ..variants.read import find_reader
from .exact.read import ProblemFile, find_formats, is_trivial, parse_file
from .exact.table import has_digit_rows, is_cost
from .exact.width import looks_like_width
from .foreign import GAME_ID, ROSTER, describe_table, describe_text, resembles_roster
from .kind import COVER_FORMATS, KINDS, load_kind, readers
from .logic.boards import COLLECTION_NAME, blank_comments
from .logic.game_ids import parse as parse_ids
from .logic.game_ids import starts_with_id
from .parameters import with_parameters
from .puzzle import EXACT_COVER, Puzzle
from .sudoku import state_boards

_ON_ONE_LINE = rf"[0-9.*_]{{16,}}|[0-9]+[xj]\w*:\S+|{GAME_ID}"  # boards and game IDs

_ZEROS = re.compile(rb"(?m)^(?=.*0)(?=.*[._*x])[01._*x| \t-]+\r?$")  # beside blanks
_SIGNS = re.compile(rb"[(){}=;,]")  # that items in Knuth's format rarely have
_CELL = re.compile(r"\(?(\d{1,3}), ?(\d{1,3})\)?")
# A list of rows after a declaration, with single spaces
_LIST_OF_ROWS = re.compile(
    rb"(?:[\w\[\] ]*= ?)?[\[{(]((?: ?[\[{(][-\w .,\"'?]+[\]})](?: ?,)?)+) ?[\]})] ?;?"
)
NO_VALUE = dict.fromkeys((b"", b"null", b"None", b"-1"), b".")
GRIDS = "takuzu", "hashiwokakero", "dominosa"  # kinds whose puzzles may be such lists
TWO_SYMBOLS = "rows of two symbols are no Sudoku"
HEAD_LINES = 300  # in which some board is sought
MIN_FOREIGN = 2  # lines for each board
UNMISTAKABLE = "lp", "mps", "yaml", "routes", "weighted"  # formats


class Reading(NamedTuple):
    """The content of a file: puzzles of one kind.

    Attributes
    ----------
    kind : str
        The name of the kind.
    puzzles : iterator of (Puzzle or FormatError)
        The puzzles, and exceptions in place of those that cannot be read.
    format : str
        The name of the format of an exact cover problem, for people.
    chunks : iterator of Records, optional
        Of Sudoku boards: the boards in chunks, as an alternative to `puzzles`. The first chunk is
        not empty.
    is_ambiguous : bool
        Whether the file is also a valid exact cover problem.
    statement : Statement, optional
        The exact cover problem, if it is one without a kind of its own.
    """

    kind: str
    puzzles: Iterator[Puzzle | FormatError]
    format: str = ""
    chunks: Iterator[Records] | None = None
    is_ambiguous: bool = False
    statement: Statement | None = None


def read_any(
    source: str | os.PathLike[str] | IO[Any],
    kind: str | None = None,
    box: Box | None = None,
    alphabet: str = "auto",
    blank: str = "",
    max_bytes: int | None = None,
    columns: int | None = None,
    form: LongForm | None = None,
) -> Reading:
    """Read the puzzles, boards or exact cover problem in a file, or on standard input (`-`).

    Parameters
    ----------
    source
        The path or the file; `-` is standard input, and `queens:n=12` is an example, unless there
        is a file of this name.
    kind
        One of `KINDS` or of `COVER_FORMATS`, or None to detect it: a kind that recognizes the text;
        otherwise, matrices of 0 and 1, numbered items, options with names and binary files are
        exact cover problems. Any other file contains boards if all of its first records are boards,
        or if some are and it is not a valid problem.
    box, alphabet, blank
        As for `read_records`. Any of them implies that the file contains boards.
    max_bytes
        The maximum size of the file, after decompression. If `kind` is "sudoku", the file is read
        in chunks, and its size is not limited.
    columns
        The length of a row. The file is then a matrix of digits, in lines of any length.
    form
        The meanings of columns. The file is then a table with one option a row.

    Raises
    ------
    UnreadableError, FormatError
        If the file cannot be read: see `read_records` and `parse_file`.
    ValueError
        If the file contains neither boards nor a problem, or not the given kind.
    """
    if kind is not None and kind not in COVER_FORMATS:
        load_kind(kind)  # raises ValueError if there is no such kind
    if (example := _find_example(source)) is not None:
        if kind not in (None, example.kind) or columns is not None or form is not None:
            raise ValueError(f"{source}: an example has the kind {example.kind!r}, and no columns")
        return example
    if form is not None and kind not in (None, "cover", "table"):
        raise ValueError(f"a table with one option a row is not of the kind {kind!r}")
    if form is None is kind and (box is not None or alphabet != "auto" or blank):
        kind = "sudoku"
    if kind == "sudoku":
        return _read_sudoku(source, box=box, alphabet=alphabet, blank=blank)
    with Source(source) as opened:
        data, name = opened.read_all(max_bytes=max_bytes).removeprefix(BOM_UTF8), opened.name
    if b"\n" not in data:  # files of old systems; arrays of NumPy contain this byte
        data = data.replace(b"\r", b"\n")
    if kind in ("cover", *COVER_FORMATS) or columns is not None or form is not None:
        kind = None if kind == "cover" else kind
        try:
            return _problem(parse_file(data, name, columns, kind, form), name)
        except UnreadableError:
            _reject_foreign(data, name)
            raise
    if starts_with_id(blank_comments(data[:HEAD_BYTES].decode("utf-8-sig", "ignore"))):
        game, puzzles = parse_ids(blank_comments(decode_text(data, name)), name)
        if kind in (None, game):
            return Reading(game, puzzles)
    found = kind or recognize(data, name)
    if found in (None, *GRIDS) and (rows := _list_as_rows(data)) is not None:
        fitting = [each for each in GRIDS if load_kind(each).recognize(rows.decode())]
        if found or (len(fitting) == 1 and rows.strip(b"01 \n")):
            found, data = found or fitting[0], rows
    if found is not None:
        reader = load_kind(found)
        if not hasattr(reader, "parse"):
            raise ValueError(f"the kind {found!r} reads no files, and has examples only")
        if errors := getattr(reader, "decoding", ""):
            text = data.decode("utf-8-sig", errors)
        else:
            text = decode_text(data, name).replace("\r\n", "\n")
        return Reading(found, reader.parse(blank_comments(text), name))
    try:
        file = parse_file(data, name)
    except (ValueError, UnreadableError) as error:
        return _read_no_problem(data, name, error)
    return _read_problem_or_boards(file, data, name)


def _list_as_rows(data: bytes) -> bytes | None:
    """Return the rows of a list of lists of equal length, in JSON or in a program, as lines.

    None if the text has another form. Words that stand for no value become dots.

    >>> _list_as_rows(b"board = [[1, None],\\n  ['', 0]]\\n"), _list_as_rows(b"[[1], [2, 3]]")
    (b'1 .\\n. 0\\n', None)
    """
    if len(data) > HEAD_BYTES or not looks_like_arrays(data):
        return None
    lines = (line for line in data.splitlines() if not line.lstrip().startswith(b"#"))
    text = b" ".join(b" ".join(map(plain_line, lines)).split())
    if (found := _LIST_OF_ROWS.fullmatch(text)) is None:
        return None
    lists = re.findall(rb"[\[{(]([^][{}()]+)[\]})]", found[1])
    rows = [[word.strip(b" \"'") for word in row.strip(b" ,").split(b",")] for row in lists]
    if len({*map(len, rows)}) != 1 or len(rows[0]) < 2:
        return None
    return b"".join(b" ".join(NO_VALUE.get(word, word) for word in row) + b"\n" for row in rows)


def _read_sudoku(source: Any, **symbols: Any) -> Reading:
    """Return the boards in a source, which has nothing else."""
    chunks = read_records(source, **symbols, find_reader=find_reader)
    first = next(chunks, None)
    if first is None or not len(first):
        name = "<stdin>" if source == "-" else str(getattr(source, "name", source))
        reason = f" ({first.bad[0].at(name)})" if first is not None and first.bad else ""
        raise ValueError(f"{name}: no puzzle found{reason}")
    return _boards(first, chunks)


def _read_no_problem(data: bytes, name: str, error: ValueError | UnreadableError) -> Reading:
    """Return the boards in a text that is no exact cover problem, by this error, or raise it."""
    is_ambiguous = isinstance(error, AmbiguousError)
    if (boards := find_boards(data, name, 0 if is_ambiguous else inf)) is not None:
        return boards
    if is_ambiguous:
        raise error
    head = data[:HEAD_BYTES]
    # The head says what the records should be, so the error is that of their reader.
    is_sudoku = b'"puzzle"' in head or b"<opensudoku" in head or find_reader(head)
    if is_sudoku or oversized_side(head.splitlines()):
        return _read_sudoku(named_stream(data, name))
    _reject_foreign(data, name)
    if isinstance(error, UnreadableError) or _is_unmistakable(head):
        raise error
    table = "" if "--items" in str(error) else describe_table(head)
    other = f"this may be {table}" if table else "and no Sudoku puzzle was found"
    raise ValueError(f"{error} ({other})") from None


def _read_problem_or_boards(file: ProblemFile, data: bytes, name: str) -> Reading:
    """Return the exact cover problem in a text, unless the text rather consists of boards."""
    problem = file.statement
    if _are_shapes(problem):
        reason = "the lists of cells could be options, or pieces that can be moved"
        raise AmbiguousError(f"{name}: {reason}; use --kind cover, or draw the pieces")
    if file.format == "a table" and resembles_roster(problem.options, problem.items or ()):
        reason = "the table could have an option in each row, or the days of people"
        raise AmbiguousError(f"{name}: {reason}; use --kind table, or {ROSTER}")
    if file.format == "a table" and (costs := [x for x in problem.items or () if is_cost(x)]):
        reason = f"{costs[0]!r} could be an item, or the title of the costs of the options"
        raise AmbiguousError(f"{name}: {reason}; use --kind table, or write | for costs")
    # Only the items of a text that may also consist of boards have names.
    is_plain = isinstance(problem.items, list) and isinstance(problem.options, list)
    is_plain = is_plain or has_board_lists(data[:HEAD_BYTES])
    if not (is_trivial(problem) or is_plain) or _has_coordinates(problem):
        return _problem(file, name)
    boards = find_boards(data, name, 0 if problem.options else inf)
    if boards is not None:
        return boards._replace(is_ambiguous=bool(problem.options))
    if not problem.options:
        _reject_foreign(data, name)
        is_line = file.format == "Knuth's format" and _SIGNS.search(data)
        if is_line and ".dlx" not in name.lower():
            advice = "for items, use --kind knuth"
            raise ValueError(f"{name}: this is a line that no kind reads; {advice}")
    return _problem(file, name)


def _reject_foreign(data: bytes, name: str) -> None:
    """Raise ValueError if a text is known, and read by no kind."""
    if described := describe_text(data):
        raise ValueError(f"{name}: this is {described}") from None


def _find_example(source: Any) -> Reading | None:
    """Return the example that a source such as `queens:n=12` names, or None if it names none.

    Parameters follow the name of the kind, each after a colon. Raises ValueError if one is invalid.
    """
    if not isinstance(source, str) or os.path.exists(source):
        return None
    name, *assignments = source.split(":")
    if name not in KINDS or (create := getattr(load_kind(name), "example", None)) is None:
        return None
    puzzle = with_parameters(create, assignments)
    return Reading(name, iter([puzzle]), "an example of its kind")


def _is_unmistakable(head: bytes) -> bool:
    """Return whether a text is in a format that is not mistaken for boards."""
    text = head.decode("utf-8-sig", "replace")
    formats = (each.name in UNMISTAKABLE for each in find_formats(text))
    is_matrix = has_digit_rows(text) or looks_like_width(text)
    return is_matrix or starts_with_id(text) or any(formats)


def _problem(file: ProblemFile, name: str) -> Reading:
    puzzle = Puzzle(EXACT_COVER, file.statement, place=name, answer=file.answer)
    return Reading("cover", iter([puzzle]), file.format, statement=file.statement)


def _boards(first: Records, others: Iterator[Records]) -> Reading:
    """Return boards, which are read once: as chunks or as puzzles."""
    chunks = chain([first], others)
    return Reading("sudoku", state_boards(chunks), chunks=chunks)


def recognize(data: bytes, name: str) -> str | None:
    """Return the kind that recognizes a text, or None if none does.

    Raises ValueError if several kinds do, and the message names them; or if none does, but the text
    states another kind.
    """
    head = data[:HEAD_BYTES].decode("utf-8-sig", "ignore").replace("\r\n", "\n")
    head = blank_comments(head)
    if not head.strip("01 ,;\t\r\n"):
        return None  # a matrix
    found = [kind for kind, module in readers().items() if module.recognize(head)]
    if len(found) > 1:
        names = f"{', '.join(found[:-1])} or {found[-1]}"
        raise AmbiguousError(f"{name}: the text could be {names}; state which with --kind")
    if found:
        return found[0]
    if (named := COLLECTION_NAME.match(head)) is not None and '"problem":' in head:
        raise AmbiguousError(f"{name}: no kind reads the puzzles of {named[1][:40]!r}")
    if (place := _other_lines(head)) is not None:
        reason = "a board and then other numbers are no Sudoku; state the kind with --kind"
        raise AmbiguousError(f"{name}:{place}: {reason}")
    return None


def _other_lines(head: str) -> int | None:
    """Return the line of the numbers that follow a number n and n rows of n numbers, if any.

    >>> _other_lines("2\\n0 1\\n0 0\\n1 0 2\\n"), _other_lines("2\\n0 1\\n0 0\\n1 0\\n")
    (4, None)
    """
    lines = enumerate(head.split("\n"), 1)
    rows = [(k, re.split(r"[\s,;]+", line.strip())) for k, line in lines if line.strip()]
    n = int(rows[0][1][0]) if rows and re.fullmatch("[1-9][0-9]?", " ".join(rows[0][1])) else 0
    widths = [len(row) for _, row in rows[1 : n + 2]]
    if not n or len(widths) <= n or {*widths[:n]} != {n} or widths[n] in (1, n):
        return None
    number, row = rows[n + 1]
    return number if all(re.fullmatch("-?[0-9]+", word) for word in row) else None


def read_unless_boards(
    source: Any, kind: str | None = None, form: LongForm | None = None
) -> Reading | None:
    """Return the content of a file, or None if it contains boards, or of no kind; see `read_any`.

    The beginning of a file decides what it is: boards are not read, so that those of large files
    and of pipes can be read in chunks.
    """
    if kind is not None or form is not None:
        is_board = kind == "sudoku" and form is None
        return None if is_board else read_any(source, kind, form=form)
    if not isinstance(source, str):  # the text itself
        content = read_any(source)
        return content if content.chunks is None else None
    head, is_pipe = peek(source), source == "-"
    if not head:
        return _find_example(source)
    is_part = is_pipe or len(head) == HEAD_BYTES
    start = head[: head.rfind(b"\n") + 1] or head if is_part else head
    is_row = is_pipe and start.count(b"\n") < 2 and any(map(sides_of, start.split(b"\n")))
    try:
        found = None if is_row else read_any(named_stream(start, "<stdin>" if is_pipe else source))
    except (ValueError, UnreadableError) as error:
        if isinstance(error, AmbiguousError) or _is_unmistakable(head):
            return read_any(source)
        found = None
    if found is None and is_pipe:  # more may follow, but what is read cannot be read again
        is_board = (
            b'"puzzle"' in head or looks_like_arrays(head) or any(map(sides_of, head.split(b"\n")))
        )
        is_claimed = not is_board and find_formats(head.decode("utf-8-sig", "replace"))
        return read_any(source) if is_claimed else None
    if found is not None and (
        found.chunks is not None or (is_pipe and _may_be_boards(found, head))
    ):
        return None
    if is_part:
        try:
            found = read_any(source)
        except (ValueError, UnreadableError):
            if is_pipe:
                raise
            return None
    if found is None or (found.chunks is not None and not is_pipe) or _may_be_boards(found, head):
        return None
    return found


def _may_be_boards(found: Reading, head: bytes) -> bool:
    """Return whether a file is a problem so small that its text could be boards that follow."""
    stated = found.statement
    return stated is not None and is_trivial(stated) and not _is_unmistakable(head)


def read(
    source: str | bytes | os.PathLike[str] | IO[Any], kind: str | None = None
) -> Iterator[Puzzle]:
    """Iterate over the puzzles in a file or text of any kind.

    Parameters
    ----------
    source : str, bytes, path-like or file
        A path, "-" for standard input, an open file, the text itself, a link, or an example with
        its parameters, such as "queens:n=12". Bytes are the content of a file. Compressed content
        has at most 256 MB; with the kind "sudoku", it is read in chunks, and has no limit.
    kind : str, optional
        The name of the kind, such as "sudoku" or "cover", or of a format of exact cover problems,
        such as "knuth" or "matrix". By default, it is detected.

    Yields
    ------
    Puzzle

    Raises
    ------
    UnreadableError
        If the source cannot be opened, or is not text.
    ValueError
        If the kind is not known or cannot be detected, or two kinds fit. After the last puzzle,
        FormatError if some puzzles could not be read.

    Examples
    --------
    >>> [puzzle] = read("1......3..4.....")
    >>> print(puzzle.text(puzzle.first()))
     1 3 | 2 4
     2 4 | 1 3
    -----|-----
     3 1 | 4 2
     4 2 | 3 1
    """
    found = read_any(open_text(source), kind).puzzles
    errors = []
    for each in found:
        if isinstance(each, FormatError):
            errors.append(each)
        else:
            yield each
    if errors:
        first, others = errors[0], f" (and {len(errors) - 1} more)" if errors[1:] else ""
        raise FormatError(first.source, first.line, first.reason + others)


def open_text(source: Any) -> Any:
    """Return a source, as a file if it is the text or the link itself."""
    if isinstance(source, bytes):
        return named_stream(source, "<text>")
    if not isinstance(source, str) or source == "-" or os.path.exists(source):
        return source
    source = complete_link(source) or source
    is_line = is_link(source) or re.fullmatch(rf"{_ON_ONE_LINE}|https?://\S+", source.strip())
    is_list = "\n" in source or looks_like_json(source)
    is_text = is_list or is_line or starts_with_id(source)
    return named_stream(source.encode(), "<text>") if is_text else source


def _are_shapes(problem: Statement) -> bool:
    """Return whether the options are cells from the same first row and column, as of pieces.

    >>> _are_shapes(Statement([["(0,0)", "(0,1)"], ["(0,0)", "(1,0)"]]))
    True
    """
    stated: Any = problem.options
    options = stated.values() if isinstance(stated, dict) else stated
    if isinstance(stated, Problem) or len(stated) < 2:
        return False
    corners = set[tuple[int, int]]()
    for option in options:
        found = [_CELL.fullmatch(str(item)) for item in option]
        cells = [(int(cell[1]), int(cell[2])) for cell in found if cell is not None]
        if not cells or len(cells) < len(found):
            return False
        corners.add((min(r for r, _ in cells), min(c for _, c in cells)))
        if len(corners) > 1:
            return False
    return True


def _has_coordinates(problem: Statement) -> bool:
    """Return whether all items are named by coordinates, such as `0,1`, unlike cells of a row."""
    items = list(problem.items or ())
    return len(items) > 1 and all(re.search(r"\w,\w", str(item)) for item in items)


def find_boards(
    data: bytes, name: str, max_bad: float, *, is_beginning: bool = False
) -> Reading | None:
    """Return the boards in a file, or None if its first records have none.

    Also None if there are more than `max_bad` unreadable records for each of these boards. Raises
    AmbiguousError if a line before the first board, and `MIN_FOREIGN` for each board, do not
    resemble boards: such a file has another meaning.
    """
    if has_digit_rows(data[:HEAD_BYTES].decode("utf-8-sig", "replace")):
        return None
    # Without a board at the beginning, all lines would be examined one by one.
    beginning = b"".join(data[:HEAD_BYTES].splitlines(keepends=True)[:HEAD_LINES])
    is_cut = len(beginning) < len(data)
    if is_cut and find_boards(beginning, name, inf, is_beginning=True) is None:
        return None
    chunks = read_records(named_stream(data, name), chunk_boards=256, find_reader=find_reader)
    try:
        first = next(chunks, None)
    except AmbiguousError as error:
        is_binary = {*b"01"} <= {*beginning} and {*b"23456789"}.isdisjoint(beginning)
        reason = f"{TWO_SYMBOLS}; state the kind with --kind" if is_binary else error
        raise AmbiguousError(f"{name}: {reason}") from None
    except (ValueError, UnreadableError):
        return None
    if first is None or not len(first) or len(first.bad) > max_bad * len(first):
        return None
    symbols, reason = {*beginning}.difference(b" \t\r\n"), ""
    rows = np.sort(first.boards.reshape(-1, first.box.n, first.box.n))
    n_repeating = ((rows[:, :, 1:] == rows[:, :, :-1]) & (rows[:, :, 1:] > 0)).any(2).sum(1)
    highest = rows.max()
    is_binary = n_repeating.sum() > 1 or _ZEROS.search(beginning) is not None
    if (highest == 1 and is_binary) or (not highest and len(symbols) > 1 and symbols <= {*BLANKS}):
        reason = TWO_SYMBOLS
    elif (2 * n_repeating > first.box.n).all():
        reason = "most rows repeat a symbol, so this is no Sudoku"
    if reason:
        raise AmbiguousError(f"{name}: {reason}; state the kind with --kind")
    foreign = [each for each in first.bad if each.reason == UNKNOWN_LINE]
    is_foreign = len(foreign) >= MIN_FOREIGN * len(first) and foreign[0].line < first.lines[0]
    if is_foreign and not is_beginning:
        found = f"only {len(first)} of {len(first) + len(first.bad)} lines or drawings"
        where = f"line {foreign[0].line}: {UNKNOWN_LINE}"
        advice = "use --kind sudoku to read the boards"
        raise AmbiguousError(f"{name}: {found} can be read as boards ({where}); {advice}")
    return _boards(first, chunks)
