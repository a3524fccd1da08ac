"""A file of boards or of an exact cover problem: which of them it is, is known by its content."""

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


class Boards(NamedTuple):
    """Chunks of boards; the first of them has a board."""

    chunks: Iterator[Records]
    ambiguous: bool  # whether the file could be read as an exact cover problem, too


def read_instance(
    source: str | os.PathLike[str],
    kind: str | None = None,
    box: Box | None = None,
    alphabet: str = "auto",
) -> Boards | AnyProblem:
    """The boards or the exact cover problem in a file, or on standard input (`-`).

    `kind`, one of KINDS, decides which; a `box` or an `alphabet`, as for `read_boards`, are of
    boards. Else a file is one of boards if all of its first lines are, or if it has some and is
    no problem; but a matrix of 0 and 1, JSON and binary data are problems always.

    Raises what `read_boards` and `read_problem` do, and ValueError where the file is neither.
    """
    if kind not in (None, *KINDS):
        raise ValueError(f"a file is read as one of {', '.join(KINDS)}, not {kind!r}")
    if kind is None and (box is not None or alphabet != "auto"):
        kind = "sudoku"
    with Source(source) as opened:
        data, name = opened.read_all(decompress=False), opened.name
    if kind == "cover":
        return read_problem(_stream(data, name))
    if kind == "sudoku":
        boards = _boards(data, name, box, alphabet)
        if boards is None:
            raise ValueError(f"{name}: no puzzle in it")
        return Boards(boards, ambiguous=False)
    problem, fault = None, ""
    try:
        problem = read_problem(_stream(data, name))
    except (ValueError, UnreadableError) as error:
        fault = str(error)
    if isinstance(problem, Problem) or (problem is not None and problem.lines is None):
        return problem  # only Knuth's format, which has line numbers, may also be boards
    try:
        boards = _boards(data, name, box, alphabet)
    except (ValueError, UnreadableError):
        boards = None
    if boards is None:
        if problem is None:
            raise ValueError(f"{fault} (and no Sudoku in it)")
        return problem
    first = next(boards)
    if problem is not None and problem.options and first.bad:
        return problem
    return Boards(chain([first], boards), ambiguous=bool(problem is not None and problem.options))


def _boards(data: bytes, name: str, box: Box | None, alphabet: str) -> Iterator[Records] | None:
    """The boards in a file of that content, or None where its first chunk has none."""
    chunks = read_boards(_stream(data, name), box=box, alphabet=alphabet)
    first = next(chunks, None)
    return None if first is None or not len(first) else chain([first], chunks)


def _stream(data: bytes, name: str) -> io.BytesIO:
    """Return the data as a binary file with a name for messages."""
    stream = io.BytesIO(data)
    stream.name = name
    return stream
