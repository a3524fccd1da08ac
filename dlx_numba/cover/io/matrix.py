"""Exact cover problems as 0/1 matrices in text form: one row per option, one column per item."""

import re
import warnings

import numpy as np
from numpy.typing import NDArray

from ...runtime.arrays import CLOSE, ELEMENTS, ERROR, OPEN, OUTSIDE, STRING, ArrayParser
from ...runtime.errors import FormatError, located
from ..encode import Statement
from .notation import content_lines

MAX_SINGLE_ROW = 12  # a longer row without others may be a matrix that lost its line ends

_REMOVE_SEPARATORS = str.maketrans("", "", " \t,;\r\n")
_COMMENT_MARKS = ("#", "|")
_DIGITS = {b"0": "0", b"1": "1", b"false": "0", b"true": "1", b"False": "0", b"True": "1"}


def is_digits(line: str) -> bool:
    """Return whether a line consists of zeros, ones and separators.

    Examples
    --------
    >>> is_digits("1, 0 1"), is_digits("10 20")
    (True, False)
    """
    digits = line.translate(_REMOVE_SEPARATORS)
    return digits != "" and not digits.strip("01")


def parse_matrix(
    text: str, source: str = "<text>", columns: int | None = None
) -> NDArray[np.uint8]:
    r"""Parse a 0/1 matrix.

    Digits may be separated by spaces, tabs, commas or semicolons. Lines that start with ``#`` or
    ``|`` are comments; empty lines are ignored.

    Parameters
    ----------
    text : str
        The matrix, one row per line.
    source : str, optional
        Name of the text for error messages.
    columns : int, optional
        The length of a row, if the rows need not be on lines of their own.

    Returns
    -------
    ndarray of uint8, shape (options, items)

    Raises
    ------
    FormatError
        If the text is not a 0/1 matrix; names the source and the line.

    Warns
    -----
    UserWarning
        If there is a single row of more than `MAX_SINGLE_ROW` digits, and `columns` is not given.

    Examples
    --------
    >>> parse_matrix("101\n0,1,0\n")
    array([[1, 0, 1],
           [0, 1, 0]], dtype=uint8)
    >>> parse_matrix("101010", columns=3)
    array([[1, 0, 1],
           [0, 1, 0]], dtype=uint8)
    """
    rows: list[tuple[int, str]] = []
    for number, line in content_lines(text, _COMMENT_MARKS):
        if (invalid := re.search(r"[^01 \t,;\r\n]", line)) is not None:
            reason = f"expected 0 or 1 in column {invalid.start() + 1}, not {invalid[0]!r}"
            raise FormatError(source, number, reason)
        if digits := line.translate(_REMOVE_SEPARATORS):
            rows.append((number, digits))
    if columns is not None:
        digits = "".join(row for _, row in rows)
        if len(digits) % columns:
            reason = f"{len(digits):,} digits do not make rows of {columns:,} columns"
            raise FormatError(source, 1, reason)
        rows = [(1, digits[k : k + columns]) for k in range(0, len(digits), columns)]
    elif len(rows) == 1 and (width := len(rows[0][1])) > MAX_SINGLE_ROW:
        reason = f"a single row of {width:,} digits is a single option"
        warnings.warn(f"{source}: {reason}; --columns N makes rows of N digits", stacklevel=2)
    return _join_rows(rows, source)


def parse_rows(text: str, source: str = "<text>") -> NDArray[np.uint8] | Statement:
    r"""Parse a 0/1 matrix that is a list of rows, as in JSON or in a program.

    A row is a list, or a string of digits. False and true stand for 0 and 1. A first row of 1 and 2
    is a header, in which 2 marks the columns of secondary items.

    Raises FormatError, which names the source and the line, if the text is not such a matrix.

    Examples
    --------
    >>> parse_rows("int[][] c = {\n  {1, 0, 1},\n  {0, 1, 0}};")
    array([[1, 0, 1],
           [0, 1, 0]], dtype=uint8)
    """
    parser = ArrayParser()
    rows: list[tuple[int, str]] = []
    digits, depth, previous = "", 0, ""  # `digits` are those of the innermost list
    for number, line in enumerate(text.encode().splitlines(), 1):
        with located(source, number):
            for part, value in parser.parse(line):
                if part in (ERROR, OUTSIDE):
                    raise ValueError(value)
                if part == OPEN and not digits:
                    depth += 1
                elif part == OPEN:
                    raise ValueError("the list contains both rows and numbers")
                elif part == CLOSE:
                    depth -= 1
                    if digits or (depth and previous == OPEN):
                        rows.append((number, digits))
                    digits = ""
                elif not depth:
                    raise ValueError(f"{value.decode(errors='replace')!r} is not in a list")
                elif part == STRING and len(value) > 1:
                    rows.append((number, _read_digits(re.findall(rb"[^ \t,;]", value), not rows)))
                else:
                    digits += _read_digits(value if part == ELEMENTS else [value], not rows)
                previous = part
    if depth:
        raise FormatError(source, number, "the list is not closed")
    matrix = _join_rows(rows, source)
    if not (matrix[0] == 2).any():
        return matrix
    if not matrix[0].all():
        reason = "marks items, 1 for a primary and 2 for a secondary one, not 0"
        raise FormatError(source, rows[0][0], f"a first row with a 2 {reason}")
    primary, secondary = (np.flatnonzero(matrix[0] == kind).tolist() for kind in (1, 2))
    return Statement([np.flatnonzero(row).tolist() for row in matrix[1:]], primary, secondary)


def _read_digits(elements: list[bytes], is_first: bool) -> str:
    """Return the elements as digits, or raise ValueError. The first row may contain a 2."""
    digits = ["2" if is_first and each == b"2" else _DIGITS.get(each, "") for each in elements]
    if "" in digits:
        element = elements[digits.index("")].decode(errors="replace")
        raise ValueError(f"expected 0 or 1, not {element[:40]!r}")
    return "".join(digits)


def _join_rows(rows: list[tuple[int, str]], source: str) -> NDArray[np.uint8]:
    """Return the matrix with these lines and digits, or raise FormatError."""
    if not rows:
        raise FormatError(source, 1, "the matrix has no rows")
    width = len(rows[0][1])
    for number, row in rows:
        if len(row) != width:
            reason = f"the row has {len(row)} columns, but the first row has {width}"
            raise FormatError(source, number, reason)
    digits = np.frombuffer("".join(row for _, row in rows).encode(), np.uint8) - ord("0")
    return digits.reshape(len(rows), -1)
