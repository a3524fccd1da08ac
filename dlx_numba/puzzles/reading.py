"""Read puzzles and problems, whose kind is named, marked or plain; otherwise, ask for it."""

import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import IO, Any, NamedTuple

from ..cover.demand import NO_DEMAND, Demand
from ..cover.rows import LongForm
from ..runtime.errors import FormatError
from ..runtime.json import looks_like_json
from ..runtime.source import HEAD_BYTES, HeadedFile, Source, named_stream, open_head
from ..sudoku.box import Box
from ..sudoku.io.apps import complete_link
from ..sudoku.io.plain import NO_SUDOKU, Verdict, examine
from ..sudoku.io.read import read_records
from ..sudoku.io.records import Records
from .codes import find_code
from .exact.matrix import MatrixForm
from .exact.read import parse_file, plain_format
from .kind import load_kind
from .marks import describe_foreign, find_mark, is_table
from .parameters import parameters, with_parameters
from .puzzle import EXACT_COVER, Puzzle
from .question import ask
from .records import blank_comments, decode_records, parse_all
from .registry import COVER_FORMATS, KINDS
from .sudoku import board_puzzles
from .variants.fpuzzles import is_link
from .variants.read import find_reader

_BOARD_OR_LINK = r"[0-9.*_]{16,}|https?://\S+|[0-9]+[xj]\w*:\S+"  # on one line
SUDOKU = "sudoku"
COVER = "cover"
TABLE = "table"


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
    """

    kind: str
    puzzles: Iterator[Puzzle | FormatError]
    format: str = ""
    chunks: Iterator[Records] | None = None


class BoardOptions(NamedTuple):
    """Options for reading boards; each one other than the default says that a text has boards.

    Attributes
    ----------
    box, alphabet, blank
        As for `read_records`.
    """

    box: Box | None = None
    alphabet: str = "auto"
    blank: str = ""


class ReadingOptions(NamedTuple):
    """Options for reading exact cover problems.

    Attributes
    ----------
    columns : MatrixForm, optional
        The form of a matrix, if the text is one.
    form : LongForm, optional
        The meanings of columns. The text is then a table with one option a row.
    sheet : str, optional
        The sheet of a workbook, by default the first one.
    demand : Demand, optional
        What is demanded of the items of the puzzles.
    """

    columns: MatrixForm | None = None
    form: LongForm | None = None
    sheet: str = ""
    demand: Demand = NO_DEMAND

    @property
    def is_problem(self) -> bool:
        """Whether the file has an exact cover problem."""
        return self.columns is not None or self.form is not None


PLAIN_BOARDS = BoardOptions()
PLAIN_PROBLEMS = ReadingOptions()


def read_any(
    source: str | os.PathLike[str] | IO[Any],
    kind: str | None = None,
    boards: BoardOptions = PLAIN_BOARDS,
    problems: ReadingOptions = PLAIN_PROBLEMS,
    max_bytes: int | None = None,
) -> Reading:
    """Read the puzzles, boards or exact cover problem in a file, or on standard input (`-`).

    Parameters
    ----------
    source
        The path or the file; `-` is standard input, and `queens:n=12` is an example, unless there
        is a file of this name.
    kind
        One of `KINDS` or of `COVER_FORMATS`. By default, a mark decides, or the text is plainly
        Sudoku or an exact cover problem: see `find_kind`.
    boards, problems
        How boards and problems are read.
    max_bytes
        The maximum size of the file, after decompression. Boards are read in chunks, and their size
        is not limited.

    Raises
    ------
    UnreadableError, FormatError
        If the file cannot be read: see `read_records` and `parse_file`.
    KindError
        If the text does not say what it is.
    ValueError
        If the file is not of the kind.
    """
    if kind is not None and kind not in COVER_FORMATS:
        load_kind(kind)  # raises ValueError if there is no such kind
    is_problem = problems.is_problem
    if any(problems.demand):  # it is added to what is read without it
        plain = read_any(source, kind, boards, problems._replace(demand=NO_DEMAND), max_bytes)
        return _with_demand(plain, problems.demand)
    if is_example(source):
        example = _read_example(str(source))
        if kind not in (None, example.kind) or is_problem:
            raise ValueError(f"{source}: an example has the kind {example.kind!r}, and no columns")
        return example
    if problems.form is not None and kind not in (None, COVER, TABLE):
        raise ValueError(f"a table with one option a row is not of the kind {kind!r}")
    if kind is None and boards != PLAIN_BOARDS:  # only boards have these options
        kind = SUDOKU
    if kind is None and not is_problem:
        kind, source = find_kind(source)
    if kind == SUDOKU:
        return _read_boards(source, boards)
    with Source(source) as opened:
        data = _with_line_feeds(opened.read_all(max_bytes=max_bytes))
        name = opened.name
    if kind in (None, COVER, *COVER_FORMATS):
        chosen = None if kind == COVER else kind
        file = parse_file(data, name, problems.columns, chosen, problems.form, problems.sheet)
        puzzle = Puzzle(EXACT_COVER, file.formulation, place=name, answer=file.answer)
        return Reading(COVER, iter([puzzle]), file.format)
    reader = load_kind(kind)
    if not hasattr(reader, "parse"):
        raise ValueError(f"the kind {kind!r} reads no files, and has examples only")
    return Reading(kind, parse_all(reader, decode_records(reader, data, name), name))


def find_kind(source: Any) -> tuple[str, Any]:
    """Return the kind or the format of a text, and the source from which the text is read.

    The beginning of the text decides. It is marked, or it is plainly Sudoku or an exact cover
    problem. The source is another one if it had to be opened, or read, such as
    a pipe.

    Raises
    ------
    KindError
        If the text does not say what it is.
    UnreadableError
        If the source cannot be read.
    """
    if isinstance(source, str | os.PathLike | HeadedFile):
        head, source = open_head(source if isinstance(source, HeadedFile) else str(source))
        name = str(getattr(source, "name", source)) if source != "-" else "<stdin>"
        is_whole = len(head) < HEAD_BYTES and source != "-"
        found, _ = _decide(head, name, is_whole) if head else (None, NO_SUDOKU)
        if found is not None:
            return found, source
    with Source(source) as opened:
        data = opened.read_all()
        name = opened.name
    head = data[:HEAD_BYTES]
    if looks_like_json(head.decode("utf-8-sig", "ignore")):
        head = data  # the keys of an object are in any order
    found, verdict = _decide(head, name, len(data) == len(head))
    if found is not None:
        return found, named_stream(data, name)
    raise ask(_with_line_feeds(data), name, verdict.doubt, is_sudoku=verdict.is_sudoku)


def _with_line_feeds(data: bytes) -> bytes:
    """Return a content without a byte order mark, and with the line ends of today."""
    data = data.removeprefix(BOM_UTF8)
    if b"\n" not in data:  # files of old systems; arrays of NumPy contain this byte
        data = data.replace(b"\r", b"\n")
    return data


def _decide(head: bytes, name: str, is_whole: bool) -> tuple[str | None, Verdict]:
    """Return the kind or the format that the beginning of a text is marked as, or plainly is.

    The second value says whether it is Sudoku, if that had to be examined.
    """
    if not is_whole:  # without the last line, which may be cut
        head = head[: head.rfind(b"\n") + 1] or head
    text = head.decode("utf-8-sig", "ignore").replace("\r\n", "\n")
    try:
        marked = find_mark(text, name) or find_code(blank_comments(text))
    except ValueError as error:
        raise FormatError(name, None, str(error)) from None
    if marked is None and find_reader(head) is not None:
        marked = SUDOKU
    if marked is not None or describe_foreign(head):
        return marked, NO_SUDOKU
    verdict = examine(head)
    if verdict.is_sudoku and not verdict.doubt:
        return SUDOKU, verdict
    return plain_format(text) or (TABLE if is_table(name) else None), verdict


def _read_boards(source: Any, options: BoardOptions) -> Reading:
    """Return the boards in a source, which has nothing else."""
    chunks = read_records(source, **options._asdict(), find_reader=find_reader)
    first = next(chunks, None)
    if first is None or not len(first):
        name = "<stdin>" if source == "-" else str(getattr(source, "name", source))
        reason = f" ({first.bad[0].at(name)})" if first is not None and first.bad else ""
        raise FormatError(name, None, f"no puzzle found{reason}")
    all_chunks = chain([first], chunks)  # which are read once: as chunks or as puzzles
    return Reading(SUDOKU, board_puzzles(all_chunks), chunks=all_chunks)


def is_example(source: Any) -> bool:
    """Return whether a source, such as `queens:n=12`, names an example and no file."""
    if not isinstance(source, str) or os.path.exists(source):
        return False
    name = source.partition(":")[0]
    return name in KINDS and hasattr(load_kind(name), "example")


def _read_example(source: str) -> Reading:
    """Return an example. Parameters follow the name of the kind, each after a colon.

    Raises ValueError if one is invalid.
    """
    name, *assignments = source.split(":")
    create = load_kind(name).example
    try:
        puzzle = with_parameters(create, assignments)
    except ValueError as error:
        form = ":".join([name, *parameters(create)])
        raise ValueError(f"{error}; a colon precedes each parameter, as in `{form}`") from None
    return Reading(name, iter([puzzle]), "an example of its kind")


def _with_demand(reading: Reading, demand: Demand) -> Reading:
    """Return puzzles with a demand on their items. Raises ValueError if these have no items."""
    if reading.chunks is not None:
        raise ValueError("Sudoku boards have no items of which something can be demanded")

    def change(puzzle: Puzzle) -> Puzzle:
        """Return the puzzle with the demand, and with all options, which it may need."""
        if puzzle.condition is not None or puzzle.counts_classes:
            raise ValueError("items do not express all conditions of the puzzle")
        whole = puzzle.with_all_options()
        return replace(whole, statement=demand.apply(whole.statement))

    puzzles = (each if isinstance(each, FormatError) else change(each) for each in reading.puzzles)
    return reading._replace(puzzles=puzzles)


def open_text(source: Any) -> Any:
    """Return a source, as a file if it is the text or the link itself."""
    if isinstance(source, bytes):
        return named_stream(source, "<text>")
    if not isinstance(source, str) or source == "-" or os.path.exists(source):
        return source
    source = source.removeprefix("\ufeff")  # a byte order mark
    link = complete_link(source)
    source = link or source
    is_line = is_link(source) or re.fullmatch(_BOARD_OR_LINK, source.strip())
    is_text = "\n" in source or looks_like_json(source) or is_line or find_code(source)
    return named_stream(source.encode(), "<link>" if link else "<text>") if is_text else source
