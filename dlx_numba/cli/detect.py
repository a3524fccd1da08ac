"""Detect the content of a file: Sudoku boards or an exact cover problem."""

import os
import re
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from io import BufferedReader, RawIOBase
from itertools import chain
from typing import BinaryIO, NamedTuple, cast

from ..cover.encode import Statement
from ..cover.io.detect import find_parser
from ..cover.io.json import parse_json
from ..cover.io.matrix import is_digits
from ..cover.io.notation import content_lines
from ..cover.io.npz import BINARY_PREFIXES
from ..cover.io.read import has_names, is_trivial, parse_problem, read_problem
from ..runtime.arguments import check_choice
from ..runtime.arrays import looks_like_arrays
from ..runtime.errors import UnreadableError
from ..runtime.source import Source, named_stream, readable
from ..sudoku.box import Box
from ..sudoku.io.objects import looks_like_objects
from ..sudoku.io.read import read_records
from ..sudoku.io.records import Records
from ..sudoku.io.sniff import HEAD_BYTES
from ..sudoku.io.table import read_object
from ..variants.read import find_reader

KINDS = ("sudoku", "cover")
LONG_FILE_BYTES = 1 << 22  # larger files of boards are not read as a whole


class BoardFile(NamedTuple):
    """The boards of a file, in chunks; the first chunk is not empty."""

    chunks: Iterator[Records]
    is_ambiguous: bool  # whether the file is also a valid exact cover problem


class _Content(BufferedReader):
    """The content of a file after decompression, whose beginning can be examined before it is read.

    The exceptions are those of `Source.open_content`.
    """

    name = ""

    def __init__(self, source: Source) -> None:
        super().__init__(cast(RawIOBase, source.open_content()), LONG_FILE_BYTES + 1)
        self.name = source.name

    def is_long_board_file(self) -> bool:
        """Return whether the file is long, and all of its first lines are boards."""
        head = self.peek()  # fills the whole buffer
        if len(head) <= LONG_FILE_BYTES:
            return False
        lines = head[: head.rfind(b"\n") + 1]
        text = lines.decode(errors="replace")
        is_matrix = all(is_digits(line) for _, line in content_lines(text, ("#", "|")))
        return not is_matrix and all(
            len(records) and not records.bad
            for records in read_records(named_stream(lines, self.name))
        )


def read_any(
    source: str | os.PathLike[str] | BinaryIO,
    kind: str | None = None,
    box: Box | None = None,
    alphabet: str = "auto",
    blank: str = "",
    max_bytes: int | None = None,
) -> BoardFile | Statement:
    """Read the boards or the exact cover problem in a file, or on standard input (`-`).

    Parameters
    ----------
    source
        The path or the file; `-` is standard input.
    kind
        One of KINDS, or None to detect it: matrices of 0 and 1, JSON objects with options and
        binary files are exact cover problems. Lists and JSON objects that contain boards are
        boards. Any other file contains boards if all of its first records are boards, or if some
        are and it is not a valid problem.
    box, alphabet, blank
        As for `read_records`. Any of them implies that the file contains boards.
    max_bytes
        The maximum size of an exact cover problem, after decompression. Boards are read in chunks,
        so their number is not limited.

    Raises
    ------
    UnreadableError, FormatError
        If the file cannot be read: see `read_records` and `read_problem`.
    ValueError
        If the file contains neither boards nor a problem, or not the given kind.
    """
    if kind is not None:
        check_choice("kind", kind, KINDS)
    if kind is None and (box is not None or alphabet != "auto" or blank):
        kind = "sudoku"
    with ExitStack() as stack:
        opened = stack.enter_context(Source(source))
        stack.enter_context(readable(opened.name))
        content = _Content(opened)
        if kind == "sudoku" or (kind is None and content.is_long_board_file()):
            boards = read_records(
                content, box=box, alphabet=alphabet, blank=blank, find_reader=find_reader
            )
            chunks = _closing(stack.pop_all(), boards)
            first = next(chunks, None)  # from here on, the file is closed with the chunks
            if first is None or not len(first):
                chunks.close()
                raise ValueError(f"{content.name}: no puzzle found")
            return BoardFile(chain([first], chunks), is_ambiguous=False)
        data = Source(content).read_all(max_bytes=max_bytes, binary_prefixes=BINARY_PREFIXES)
    if kind == "cover":
        return parse_problem(data, opened.name)
    return _detect_content(data, opened.name)


def _closing(stack: ExitStack, chunks: Iterator[Records]) -> Generator[Records, None, None]:
    """Yield the chunks of a file, which the stack closes."""
    with stack:
        yield from chunks


def _detect_content(data: bytes, name: str) -> BoardFile | Statement:
    """Return the boards or the problem in the data. Raises as `read_any` does."""
    are_lists, list_error = looks_like_lists(data), ""
    if are_lists:
        chunks = read_records(named_stream(data, name), find_reader=find_reader)
        first = next(chunks, None)
        if first is not None and len(first):
            return BoardFile(chain([first], chunks), is_ambiguous=False)
        list_error = first.bad[0].at(name) if first is not None else f"{name}: no puzzle found"
    problem, problem_error = _read_problem(data, name)
    is_json = find_parser(data.decode("utf-8-sig", "replace")) is parse_json
    if problem is not None and (is_json or not has_names(problem)):
        return problem  # only lines of text with names can look like boards
    if are_lists and (problem is None or not problem.options):
        raise ValueError(list_error)
    first, chunks = _first_boards(data, name)
    if first is None:
        if problem is None:
            raise ValueError(f"{problem_error} (and no Sudoku puzzle was found)")
        return problem
    is_ambiguous = problem is not None and bool(problem.options)
    if problem is not None and is_ambiguous and (first.bad or _has_coordinates(problem)):
        return problem
    return BoardFile(chain([first], chunks), is_ambiguous)


def _read_problem(data: bytes, name: str) -> tuple[Statement | None, Exception | None]:
    """Return the problem in the data, or the reason that it has none."""
    try:
        return parse_problem(data, name), None
    except (ValueError, UnreadableError) as error:
        return None, error


def advise_cover(file: str) -> str:
    """Return what to add to a message about a file without puzzles: the command that reads it.

    The result is empty unless the file is an exact cover problem that can be read again.
    """
    if file == "-" or not os.path.isfile(file):  # reading a pipe again could wait forever
        return ""
    try:
        problem = read_problem(file, max_bytes=LONG_FILE_BYTES)
    except (OSError, ValueError):
        return ""
    if is_trivial(problem):
        return ""
    return f" (this is an exact cover problem; `cover {file}` solves it)"


def _has_coordinates(problem: Statement) -> bool:
    """Return whether all items are named by coordinates, such as `0,1`, unlike cells of a row."""
    items = list(problem.items or ())
    return len(items) > 1 and all(re.search(r"\w,\w", str(item)) for item in items)


def contains_boards(data: bytes, name: str) -> bool:
    """Return whether the first lines of a file have boards, and not more unreadable records."""
    first, _ = _first_boards(data, name)
    return first is not None and len(first) >= len(first.bad)


def _first_boards(data: bytes, name: str) -> tuple[Records | None, Iterator[Records]]:
    """Return the first chunk of the data and the others; None if the first has no boards."""
    chunks = read_records(named_stream(data, name), find_reader=find_reader)
    try:
        first = next(chunks, None)
    except (ValueError, UnreadableError):
        first = None
    return first if first is not None and len(first) else None, chunks


def looks_like_lists(data: bytes) -> bool:
    """Return whether a file starts like lists of cells or JSON objects with puzzles."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    head, first_line = data[:HEAD_BYTES], data.partition(b"\n")[0]
    starts_list = looks_like_arrays(head) or looks_like_objects(head)
    return starts_list or read_object(first_line.decode("utf-8", "replace")) is not None
