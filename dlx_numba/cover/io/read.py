"""Read exact cover problems from files, whose format is detected from the content."""

import os
from typing import Any, BinaryIO

from ...kernels.problem import Problem
from ...runtime.errors import UnreadableError
from ...runtime.source import Source
from ..encode import Statement, encode_matrix
from .detect import find_parser
from .matrix import parse_matrix
from .npz import BINARY_PREFIXES, looks_like_numpy, parse_numpy


def read_problem(
    source: str | os.PathLike[str] | BinaryIO,
    max_bytes: int | None = None,
    columns: int | None = None,
) -> Statement:
    """Read a problem from a file, compressed by gzip or not.

    The extensions `.dlx`, `.ec` and `.mps` state the format. Otherwise, it is detected: Knuth's
    text format, JSON, sets by name, a 0/1 matrix as text, as a list of lists or as a `.npy` file, a
    matrix with names as a table or as a drawing, a CSR matrix as a `.npz` file of SciPy, an integer
    program in the MPS format, or one of the formats with numbered items.

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
        content = opened.read_all(max_bytes=max_bytes, binary_prefixes=BINARY_PREFIXES)
        return parse_problem(content, opened.name, columns)


def parse_problem(content: bytes, name: str, columns: int | None = None) -> Statement:
    """Return the problem in the content of a file, as `read_problem` does."""
    if looks_like_numpy(content) and columns is None:
        return Statement(parse_numpy(content, name))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise UnreadableError(name, "binary data, not text")
    if columns is not None:
        return Statement(encode_matrix(parse_matrix(text, name, columns)))
    suffix = os.path.splitext(name.lower().removesuffix(".gz"))[1]
    parsed = find_parser(text, suffix)(text, name)
    return parsed if isinstance(parsed, Statement) else Statement(encode_matrix(parsed))


def has_names(problem: Statement) -> bool:
    """Return whether a file lists the items by name; numbered items are a range."""
    return isinstance(problem.items, list)


def is_trivial(problem: Statement) -> bool:
    """Return whether a problem has so little structure that its text may have another meaning."""
    options = problem.options
    if isinstance(options, Problem):
        return len(options.items) == 0
    if not has_names(problem):
        return False
    n_items = len([*(problem.items or ()), *problem.secondary])
    rows: Any = options.values() if isinstance(options, dict) else options
    return n_items <= 1 or not any(rows)
