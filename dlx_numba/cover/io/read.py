"""Read exact cover problems from files, whose format is detected from the content."""

import os
from collections.abc import Callable
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ...runtime.errors import UnreadableError
from ...runtime.source import Source
from ..encode import Statement, encode_matrix
from .drawing import looks_like_drawing, parse_drawing
from .json import looks_like_json, parse_json
from .knuth import parse_knuth
from .matrix import looks_like_matrix, looks_like_rows, parse_matrix, parse_rows
from .npz import BINARY_PREFIXES, looks_like_numpy, parse_numpy
from .numbered import looks_like_counted, looks_like_ec, parse_counted, parse_ec
from .table import looks_like_sets, looks_like_table, parse_sets, parse_table

# A function of a text and of the name of its source
Parser = Callable[[str, str], Statement | NDArray[np.uint8]]

# The first format that a text looks like; otherwise, it is Knuth's.
_FORMATS: tuple[tuple[Callable[[str], bool], Parser], ...] = (
    (looks_like_sets, parse_sets),
    (looks_like_rows, parse_rows),
    (looks_like_json, parse_json),
    (looks_like_drawing, parse_drawing),
    (looks_like_ec, parse_ec),
    (looks_like_counted, parse_counted),
    (looks_like_table, parse_table),
    (looks_like_matrix, parse_matrix),
)


def read_problem(
    source: str | os.PathLike[str] | BinaryIO,
    max_bytes: int | None = None,
    columns: int | None = None,
) -> Statement:
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
        name = opened.name
        content = opened.read_all(max_bytes=max_bytes, binary_prefixes=BINARY_PREFIXES)
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
    parse = next((parse for looks_like, parse in _FORMATS if looks_like(text)), parse_knuth)
    parsed = parse(text, name)
    return parsed if isinstance(parsed, Statement) else Statement(encode_matrix(parsed))
