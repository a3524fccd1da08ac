"""Detection of the content of a file: Sudoku boards or an exact cover problem."""

import io
import os
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from ..cover.io.read import AnyProblem, read_problem
from ..kernels.problem import Problem
from ..runtime.errors import UnreadableError
from ..runtime.source import Source
from ..sudoku.box import Box
from ..sudoku.io.read import read_boards
from ..sudoku.io.records import Records

KINDS = ("sudoku", "cover")


class BoardFile(NamedTuple):
    """The boards of a file, in chunks; the first chunk is not empty."""

    chunks: Iterator[Records]
    is_ambiguous: bool  # whether the file is also a valid exact cover problem


def read_any(
    source: str | os.PathLike[str],
    kind: str | None = None,
    box: Box | None = None,
    alphabet: str = "auto",
) -> BoardFile | AnyProblem:
    """Read the boards or the exact cover problem in a file, or on standard input (`-`).

    Parameters
    ----------
    source
        The file; `-` is standard input.
    kind
        One of KINDS, or None to detect it: matrices of 0 and 1, JSON and binary files are exact
        cover problems. Any other file contains boards if all of its first records are boards, or if
        some are and it is not a valid problem.
    box, alphabet
        As for `read_boards`. Either one implies that the file contains boards.

    Raises
    ------
    UnreadableError, FormatError
        If the file cannot be read: see `read_boards` and `read_problem`.
    ValueError
        If the file contains neither boards nor a problem, or not the given kind.
    """
    if kind not in (None, *KINDS):
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
    if kind is None and (box is not None or alphabet != "auto"):
        kind = "sudoku"
    with Source(source) as opened:
        data, name = opened.read_all(decompress=False), opened.name
    if kind == "cover":
        return read_problem(_stream(data, name))
    if kind == "sudoku":
        chunks = _read_chunks(data, name, box, alphabet)
        if chunks is None:
            raise ValueError(f"{name}: no puzzle found")
        return BoardFile(chunks, is_ambiguous=False)
    problem, problem_error = None, ""
    try:
        problem = read_problem(_stream(data, name))
    except (ValueError, UnreadableError) as error:
        problem_error = str(error)
    if isinstance(problem, Problem) or (problem is not None and problem.lines is None):
        return problem  # only lines of text with names can look like boards
    try:
        chunks = _read_chunks(data, name, box, alphabet)
    except (ValueError, UnreadableError):
        chunks = None
    if chunks is None:
        if problem is None:
            raise ValueError(f"{problem_error} (and no Sudoku puzzle was found)")
        return problem
    first = next(chunks)
    is_problem = problem is not None and bool(problem.options)
    if problem is not None and is_problem and first.bad:
        return problem
    return BoardFile(chain([first], chunks), is_ambiguous=is_problem)


def read_cover(source: str | os.PathLike[str]) -> AnyProblem:
    """Read the exact cover problem in a file, or on standard input (`-`).

    Raises
    ------
    UnreadableError, FormatError
        If the file cannot be read: see `read_problem`.
    ValueError
        If the file contains Sudoku boards; the message names the commands that read them.
    """
    with Source(source) as opened:
        data, name = opened.read_all(decompress=False), opened.name
    error: ValueError | None = None
    try:
        problem = read_problem(_stream(data, name))
        if not _is_trivial(problem):
            return problem
    except ValueError as raised:
        error = raised
    if _contains_boards(data, name):
        file = os.fspath(source)
        raise ValueError(
            f"{name}: a Sudoku file, not an exact cover problem; run `solve {file}` to solve it, "
            "or `show --matrix` or `explain` to convert a board to an exact cover problem"
        )
    if error is not None:
        raise error
    return problem


def advise_cover(file: str) -> str:
    """Return what to add to a message about a file without puzzles: the command that reads it.

    The result is empty unless the file is an exact cover problem that can be read again.
    """
    if file == "-" or not os.path.isfile(file):  # reading a pipe again could wait forever
        return ""
    try:
        problem = read_problem(file)
    except (OSError, ValueError):
        return ""
    if _is_trivial(problem):
        return ""
    return f" (this is an exact cover problem; `cover {file}` solves it)"


def _is_trivial(problem: AnyProblem) -> bool:
    """Return whether a problem has so little structure that its text may have another meaning."""
    if isinstance(problem, Problem):
        return len(problem.items) == 0
    if problem.lines is None:
        return False
    n_items = len(problem.primary or ()) + len(problem.secondary)
    return n_items <= 1 or not any(problem.options)


def _contains_boards(data: bytes, name: str) -> bool:
    """Return whether the first lines of a file have boards, and not more unreadable records."""
    try:
        chunks = _read_chunks(data, name, None, "auto")
    except (ValueError, UnreadableError):
        return False
    first = None if chunks is None else next(chunks)
    return first is not None and len(first) >= len(first.bad)


def _read_chunks(
    data: bytes, name: str, box: Box | None, alphabet: str
) -> Iterator[Records] | None:
    """Return the boards in the content of a file, or None if its first chunk has none."""
    chunks = read_boards(_stream(data, name), box=box, alphabet=alphabet)
    first = next(chunks, None)
    return None if first is None or not len(first) else chain([first], chunks)


def _stream(data: bytes, name: str) -> io.BytesIO:
    """Return data as a binary file with a name for error messages."""
    stream = io.BytesIO(data)
    stream.name = name
    return stream
