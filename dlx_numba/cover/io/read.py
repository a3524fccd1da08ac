"""Read exact cover problems from files, whose format is detected from the content."""

import os
from typing import BinaryIO

from ...kernels.problem import Problem
from ...runtime.errors import UnreadableError
from ...runtime.source import Source
from ..encode import encode_matrix
from .drawing import looks_like_drawing, parse_drawing
from .json import looks_like_json, parse_json
from .knuth import parse_knuth
from .matrix import looks_like_matrix, looks_like_rows, parse_matrix, parse_rows
from .named import NamedProblem
from .npz import BINARY_PREFIXES, looks_like_numpy, parse_numpy
from .numbered import looks_like_counted, looks_like_ec, parse_counted, parse_ec
from .sets import looks_like_sets, parse_sets
from .table import looks_like_table, parse_table

AnyProblem = NamedProblem | Problem


def read_problem(
    source: str | os.PathLike[str] | BinaryIO, max_bytes: int | None = None
) -> AnyProblem:
    """Read a problem from a file, compressed by gzip or not.

    The format is detected: Knuth's text format, JSON, sets by name, a 0/1 matrix as text, as a list
    of lists or as a `.npy` file, a matrix with names as a table or as a drawing, a CSR matrix as a
    `.npz` file of SciPy, or one of the two formats with numbered items.

    Parameters
    ----------
    source : str, path-like or binary file
        A path, `-` for standard input, or a binary file object.
    max_bytes : int, optional
        The maximum size of the content, after decompression. By default there is no limit.

    Returns
    -------
    NamedProblem or Problem
        A `Problem` with primary items only from a matrix without names, otherwise a
        `NamedProblem`.

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
        name = opened.name
        content = opened.read_all(max_bytes=max_bytes, binary_prefixes=BINARY_PREFIXES)
    if looks_like_numpy(content):
        return parse_numpy(content, name)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise UnreadableError(name, "binary data, not text")
    if looks_like_sets(text):
        return parse_sets(text, name)
    if looks_like_rows(text):
        return encode_matrix(parse_rows(text, name))[0]
    if looks_like_json(text):
        return parse_json(text, name)
    if looks_like_drawing(text):
        return parse_drawing(text, name)
    if looks_like_ec(text):
        return parse_ec(text, name)
    if looks_like_counted(text):
        return parse_counted(text, name)
    if looks_like_table(text):
        return parse_table(text, name)
    if looks_like_matrix(text):
        return encode_matrix(parse_matrix(text, name))[0]
    return parse_knuth(text, name)
