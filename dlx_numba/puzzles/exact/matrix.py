"""Exact cover problems as 0/1 matrices in text form: one row per option, one column per item."""

import re
import warnings
from json import JSONDecodeError
from typing import Any

import numpy as np

from ...cover.encode import Statement
from ...cover.encode_matrix import encode_matrix
from ...runtime.arrays import looks_like_arrays, plain_line, without_declaration
from ...runtime.batched import batched
from ...runtime.json import load_json
from .notation import COMMENT_MARKS, HEAD_LENGTH, Lines, check_distinct
from .numbered import MAX_ITEMS

N_EXAMINED = 8  # lines that show whether rows are lists
MAX_SINGLE_ROW = 12  # a longer row without others may be a matrix that lost its line ends

_SEPARATORS = str.maketrans("", "", " \t,;\r\n")
_ELEMENT = re.compile(r"[^01 \t,;\r\n]+")
_COMMENT = re.compile(r"\s#.*")  # after a row
_SIZES = re.compile(r"\s*([0-9]{1,9})(?:\s+([0-9]{1,9}))?\s*")
_NUMBER = re.compile("0|[1-9][0-9]{0,8}")  # of a column
_WORDS = {"{": "[", "}": "]", "'": '"', "True": "true", "False": "false"}
_WORD = re.compile(r"[{}']|True|False|,(?=\s*[]}])")  # of a program, which JSON has not

_Row = tuple[int, str]  # its line and its digits


def is_rectangle(text: str) -> bool:
    r"""Return whether a text, or its beginning, has only rows of 0 and 1 that are equally long.

    >>> [is_rectangle(text) for text in ("1 0\n01\n", "10\n1\n", "1 2\n")]
    [True, False, False]
    """
    is_cut = len(text) > HEAD_LENGTH
    lines = Lines(text[:HEAD_LENGTH], "", COMMENT_MARKS)
    rows = [_COMMENT.sub("", line).translate(_SEPARATORS) for line in lines]
    complete = rows[: len(rows) - is_cut]
    return len(set(map(len, complete))) == 1 and not "".join(rows).strip("01")


def parse_matrix(text: str, source: str = "<text>", columns: int | None = None) -> Statement:
    r"""Parse a 0/1 matrix.

    Digits may be separated by spaces, tabs, commas or semicolons. Lines that start with ``#`` or
    ``|`` are comments, as is what follows ``#`` after a row; empty lines are ignored. Rows may also
    be lists or strings in a list, as in JSON or in a program; there, false and true stand for 0 and
    1.

    A first line may give the number of columns, and of those at the left that are secondary items.
    Rows then have a digit for each of at least three columns, or the numbers of their columns,
    counted from 0. If this line could be a row of 0 and 1 itself, all others have as many digits as
    it gives.

    Parameters
    ----------
    text : str
        The matrix, one row per line, or as lists.
    source : str, optional
        Name of the text for error messages.
    columns : int, optional
        The length of a row, if the rows need not be on lines of their own.

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
    >>> parse_matrix("101\n0,1,0\n").options.items
    array([0, 2, 1])
    >>> parse_matrix("101010", columns=3).options.indptr
    array([0, 2, 3])
    >>> parse_matrix("3 1\n0 1 1\n")[:3]
    ([[1, 2]], range(1, 3), range(0, 1))
    >>> parse_matrix("4\n0 3\n1 2\n").options
    [[0, 3], [1, 2]]
    """
    with Lines(text, source, COMMENT_MARKS) as lines:
        numbered = [(lines.number, _COMMENT.sub("", line)) for line in lines]
        head = "".join(line for _, line in numbered[:N_EXAMINED])
        if looks_like_arrays(head.encode()):
            rows = _rows_of_list(numbered, lines)
        elif columns is None and (sizes := _find_sizes(numbered)) is not None:
            return _parse_rows(numbered, lines, *sizes)
        else:
            rows = [(number, line.translate(_SEPARATORS)) for number, line in numbered]
            for (lines.number, digits), (_, line) in zip(rows, numbered, strict=True):
                if digits.strip("01"):
                    raise ValueError(f"expected 0 or 1, not {_ELEMENT.findall(line)[0][:40]!r}")
        if columns is not None:
            digits = "".join(row for _, row in rows)
            if len(digits) % columns:
                raise ValueError(f"{len(digits):,} digits do not make rows of {columns:,} columns")
            rows = [(1, row) for row in batched(digits, columns)]
        return Statement(encode_matrix(_as_array(rows, lines, columns is not None)))


def _as_array(rows: list[_Row], lines: Lines, is_stated: bool) -> Any:
    """Return rows of digits as an array, or raise ValueError."""
    if not rows or not rows[0][1]:
        raise ValueError("the matrix is empty")
    n_columns = len(rows[0][1])
    for k, (lines.number, row) in enumerate(rows, 1):
        if len(row) != n_columns:
            reason = f"has {len(row)} columns, but the first row has {n_columns}"
            raise ValueError(f"row {k} {reason}")
    if len(rows) == 1 and n_columns > MAX_SINGLE_ROW and not is_stated:
        reason = f"a single row of {n_columns:,} digits is a single option"
        warnings.warn(f"{lines.source}: {reason}; --columns N makes rows of N digits", stacklevel=4)
    digits = np.frombuffer("".join(row for _, row in rows).encode(), np.uint8) - ord("0")
    return digits.reshape(len(rows), n_columns)


def _rows_of_list(numbered: list[_Row], lines: Lines) -> list[_Row]:
    """Return the rows in lists as in JSON, or in a program after a declaration."""
    plain = b"\n".join(without_declaration(plain_line(line.encode())) for _, line in numbered)
    text = _WORD.sub(lambda word: _WORDS.get(word[0], ""), plain.decode().rstrip(",; \n"))
    try:
        value = load_json(text)
    except JSONDecodeError as error:
        lines.number = numbered[error.lineno - 1][0]
        raise
    rows: list[_Row] = []
    for k, row in enumerate(value if isinstance(value, list) else [], 1):
        is_row = isinstance(row, list | str) and row
        if not is_row or any(cell not in (0, 1, "0", "1") for cell in row):
            raise ValueError(f"row {k} must be a list of 0 and 1")
        rows.append((lines.number, "".join(str(int(cell)) for cell in row)))
    return rows


def _find_sizes(rows: list[_Row]) -> tuple[int, int] | None:
    """Return the numbers of columns and of secondary items in the first line, if any."""
    first, second = ([line for _, line in rows] + ["", ""])[:2]
    if (match := _SIZES.fullmatch(first)) is None or not second:
        return None
    digits = first.translate(_SEPARATORS)
    width = int(match[1])
    is_row = not digits.strip("01")
    are_rows = all(len(_digits(line)) == width != len(digits) for _, line in rows[1:])
    if is_row and not are_rows:
        return None
    return width, int(match[2] or 0)


def _digits(line: str) -> str:
    """Return a row of 0 and 1 without separators; "" for others."""
    digits = line.translate(_SEPARATORS)
    return "" if digits.strip("01") else digits


def _parse_rows(rows: list[_Row], lines: Lines, width: int, n_secondary: int) -> Statement:
    """Return the problem in the rows after a line with sizes, or raise ValueError."""
    lines.number = rows[0][0]
    if width < 2 or n_secondary >= width:
        raise ValueError(f"{n_secondary} of {width} columns cannot be secondary")
    if width > MAX_ITEMS:
        raise ValueError(f"{width:,} columns are more than the maximum of {MAX_ITEMS:,}")
    # From 3 columns on, a digit for each column repeats the number of one.
    is_dense = width == 2 or len(_digits(rows[1][1])) == width
    options: list[list[int]] = []
    for lines.number, line in rows[1:]:
        digits = _digits(line)
        words = line.replace(",", " ").split()
        if is_dense and len(digits) != width:
            raise ValueError(f"expected {width} digits 0 or 1, not {line.strip()[:40]!r}")
        if is_dense:
            options.append([k for k, digit in enumerate(digits) if digit == "1"])
            continue
        for word in words:
            if _NUMBER.fullmatch(word) is None or int(word) >= width:
                raise ValueError(f"expected columns from 0 to {width - 1}, not {word[:40]!r}")
        options.append([*map(int, words)])
        check_distinct(options[-1], "column")
    return Statement(options, range(n_secondary, width), range(n_secondary))
