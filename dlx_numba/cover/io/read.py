"""Read exact cover problems from files, whose format is detected from the content."""

import os
from collections.abc import Callable
from itertools import chain
from typing import Any, BinaryIO, NamedTuple

from ...kernels.problem import Problem
from ...runtime.errors import UnreadableError
from ...runtime.source import Source, check_text
from ..encode import Statement
from . import drawing, json, knuth, matrix, mps, numbered, table
from .npz import BINARY_PREFIXES, parse_numpy

Parser = Callable[[str, str], Statement]  # of a text and of the name of its source


class Format(NamedTuple):
    """A text format: how a text is recognized, and how it is read."""

    is_own: Callable[[str], bool]  # whether the first lines of a text are in the format
    parse: Parser
    suffix: str = ""  # states the format


# A format that could be mistaken for another comes after it.
FORMATS = (
    Format(mps.looks_like_mps, mps.parse_mps, ".mps"),
    Format(drawing.looks_like_drawing, drawing.parse_drawing),
    Format(matrix.looks_like_digits, matrix.parse_matrix),
    Format(numbered.looks_like_ec, numbered.parse_ec, ".ec"),
    Format(knuth.looks_like_knuth, knuth.parse_knuth, ".dlx"),
    Format(table.looks_like_sets, table.parse_sets),
    Format(matrix.looks_like_lists, matrix.parse_matrix),
    Format(json.looks_like_json, json.parse_json),
    Format(numbered.looks_like_counted, numbered.parse_counted),
    Format(table.looks_like_table, table.parse_table, ".csv"),
    Format(numbered.looks_like_covering, numbered.parse_covering),
)


def find_parser(text: str, suffix: str = "") -> Parser:
    r"""Return the parser of a text: by the extension of its file, or by its first lines.

    A text that no format claims has an error in Knuth's format.

    Examples
    --------
    >>> texts = "a b\na\n", "101\n010\n", ",A,B\nS1,1,0\n", "S1 = {A}\n", "p ec 3\ns 1"
    >>> [find_parser(text).__name__.removeprefix("parse_") for text in texts]
    ['knuth', 'matrix', 'table', 'sets', 'ec']
    """
    stated = (each.parse for each in FORMATS if suffix and suffix == each.suffix)
    claimed = (each.parse for each in FORMATS if each.is_own(text))
    return next(chain(stated, claimed), knuth.parse_knuth)


def read_problem(
    source: str | os.PathLike[str] | BinaryIO,
    max_bytes: int | None = None,
    columns: int | None = None,
) -> Statement:
    """Read a problem from a file, compressed by gzip or not.

    The extensions `.dlx`, `.ec`, `.mps` and `.csv` state the format. Otherwise, it is detected:
    Knuth's text format, JSON, sets by name, a 0/1 matrix as text, as a list of lists or as a `.npy`
    file, a matrix with names as a table or as a drawing, a CSR matrix as a `.npz` file of SciPy, an
    integer program in the MPS format, or one of the formats with numbered items.

    Parameters
    ----------
    source : str, path-like or binary file
        A path, `-` for standard input, or a binary file object.
    max_bytes : int, optional
        The maximum size of the content, after decompression. By default there is no limit.
    columns : int, optional
        The length of a row. The file is then a matrix of digits, in lines of any length.

    Returns
    -------
    Statement
        The arguments of `ExactCover`. The options of a matrix without names are a `Problem`.

    Raises
    ------
    UnreadableError
        If the file cannot be opened, is damaged or too large, or is neither text nor an array.
    FormatError
        If a text violates the rules of its format; names the source and the line.
    ValueError
        If the content is not an exact cover problem; names the source.
    """
    with Source(source) as opened:
        return parse_problem(opened.read_all(max_bytes=max_bytes), opened.name, columns)


def parse_problem(content: bytes, name: str, columns: int | None = None) -> Statement:
    """Return the problem in the content of a file, as `read_problem` does."""
    if content.startswith(BINARY_PREFIXES) and columns is None:
        return Statement(parse_numpy(content, name))
    check_text(content, name)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableError(name, "binary data, not text") from None
    if columns is not None:
        return matrix.parse_matrix(text, name, columns)
    suffix = os.path.splitext(name.lower().removesuffix(".gz"))[1]
    return find_parser(text, suffix)(text, name)


def is_trivial(problem: Statement) -> bool:
    """Return whether a problem has so little structure that its text may have another meaning."""
    options: Any = problem.options
    if isinstance(options, Problem):
        return len(options.items) == 0
    rows = options.values() if isinstance(options, dict) else options
    is_named = isinstance(problem.items, list)
    n_items = len([*(problem.items or ()), *problem.secondary])
    return is_named and (n_items <= 1 or not any(rows))
