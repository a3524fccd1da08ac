"""Exact cover problems as 0/1 matrices in text form: one row per option, one column per item."""

import re
import warnings
from collections.abc import Iterator

import numpy as np

from ...cover.encode import Statement, encode_matrix
from ...runtime.arrays import looks_like_arrays, plain_line, without_declaration
from .notation import COMMENT_MARKS, Lines, first_lines

MAX_SINGLE_ROW = 12  # a longer row without others may be a matrix that lost its line ends

_REMOVE_SEPARATORS = str.maketrans("", "", " \t,;\r\n\"'")
_REMOVE_BRACKETS = str.maketrans("", "", "[]{}")
_ELEMENT = re.compile(r"[^01 \t,;\r\n\"']+")
_COMMENT = re.compile(r"\s#.*")  # after a row
_NAME = re.compile(r"[\s\[{]*[\"'][01 ,;]*[^01 ,;\"']")  # a string in a list that is not digits
# A string of several digits, which is a row; a list of elements; other brackets; anything else
_TOKEN = re.compile(
    r"(\"[^\"]{2,}\"|'[^']{2,}')|[\[{]((?:[^\[\]{}\"']|\"[^\"]?\"|'[^']?')*)[\]}]"
    r"|([\[{])|([\]}])|([^\s,;])"
)
_BREAK = re.compile(r"(?<![,;\s])[ \t]*\n\s*(?![,\s])")  # after a row of a matrix in one list
_SPACED = re.compile(r"[01][ \t,]+[01]")  # so a semicolon ends a row
_STRINGS = re.compile(r"([\"'])[01]{2,}\1\s*,\s*[\"']")  # which are rows
_SIZE = re.compile(r"\]\s*\[\s*([0-9]+)\s*\]\s*=")  # the length of a row in a declaration
_TRUTH = re.compile(r"\b(?:([Tt]rue)|[Ff]alse)\b")


def looks_like_digits(text: str) -> bool:
    """Return whether the first lines consist of zeros, ones, separators and brackets.

    Examples
    --------
    >>> looks_like_digits("1, 0 1"), looks_like_digits("[[0, 1],"), looks_like_digits("10 20")
    (True, True, False)
    """
    lines = [_COMMENT.sub("", line) for line in first_lines(text, 2, COMMENT_MARKS)]
    digits = [line.translate(_REMOVE_SEPARATORS).translate(_REMOVE_BRACKETS) for line in lines]
    return "" not in digits and not "".join(digits or "-").strip("01") and lines[0][0] not in ",;\t"


def looks_like_lists(text: str) -> bool:
    """Return whether a text starts like lists, in JSON or in a program, of other than names."""
    head = "".join(first_lines(text, 8))
    return looks_like_arrays(head.encode()) and _NAME.match(head) is None


def parse_matrix(text: str, source: str = "<text>", columns: int | None = None) -> Statement:
    r"""Parse a 0/1 matrix.

    Digits may be separated by spaces, tabs, commas or semicolons. If spaces or commas separate
    them, a semicolon ends a row; in a single list, so does the end of a line without a comma. A
    list without rows is divided as its declaration states. Lines that start with ``#`` or ``|`` are
    comments, as is what follows ``#`` after a row; empty lines are ignored. Rows may also be lists
    or strings in a list, as in JSON or in a program. False and true stand for 0 and 1. A first row
    of 1 and 2 in a list is a header, in which 2 marks the columns of secondary items.

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
    >>> parse_matrix("int[][] c = {\n  {1, 2, 1},\n  {0, 1, 0}};")[:3]
    ([[1]], [0, 2], [1])
    """
    rows: list[tuple[int, str]] = []
    with Lines(text, source, COMMENT_MARKS) as lines:
        head = "".join(first_lines(text, 2, COMMENT_MARKS))
        is_list = re.search(r"[\[{]", head) is not None or _STRINGS.match(head) is not None
        plain = (_COMMENT.sub("", line) if "#" in line else line for line in lines)
        for line in _split_lists(lines) if is_list else plain:
            is_split = ";" in line and _SPACED.search(line)
            for row in filter(str.strip, line.split(";")) if is_split else (line,):
                digits = row.translate(_REMOVE_SEPARATORS)
                if digits.strip("012" if is_list and not rows else "01"):
                    raise ValueError(f"expected 0 or 1, not {_ELEMENT.findall(row)[0][:40]!r}")
                if digits or is_list:
                    rows.append((lines.number, digits))
        if is_list and len(rows) == 1 and (size := _SIZE.search(head)) and int(size[1]):
            columns = int(size[1]) if columns is None else columns
        if columns is not None:
            digits = "".join(row for _, row in rows)
            rows = [(1, digits[k : k + columns]) for k in range(0, len(digits), columns)]
        if not rows or not rows[0][1]:
            raise ValueError("the matrix is empty")
        n_columns = len(rows[0][1])
        for lines.number, row in rows:
            if columns is not None and len(row) < columns:
                raise ValueError(f"{len(digits):,} digits do not make rows of {columns:,} columns")
            if len(row) != n_columns:
                reason = f"the row has {len(row)} columns, but the first row has {n_columns}"
                raise ValueError(reason)
        if columns is None and len(rows) == 1 and n_columns > MAX_SINGLE_ROW:
            reason = f"a single row of {n_columns:,} digits is a single option"
            warnings.warn(f"{source}: {reason}; --columns N makes rows of N digits", stacklevel=2)
        array = np.frombuffer("".join(row for _, row in rows).encode(), np.uint8) - ord("0")
        matrix = array.reshape(len(rows), -1)
        if not (matrix[0] == 2).any():
            return Statement(encode_matrix(matrix))
        if not matrix[0].all():
            lines.number = rows[0][0]
            reason = "marks items, 1 for a primary and 2 for a secondary one, not 0"
            raise ValueError(f"a first row with a 2 {reason}")
    primary, secondary = (np.flatnonzero(matrix[0] == kind).tolist() for kind in (1, 2))
    return Statement([np.flatnonzero(row).tolist() for row in matrix[1:]], primary, secondary)


def _split_lists(lines: Lines) -> Iterator[str]:
    """Yield the rows in lists, which may extend over lines, or raise ValueError."""
    numbers: list[int] = []
    texts: list[str] = []
    for line in lines:
        numbers.append(lines.number)
        text = without_declaration(plain_line(line.encode())).decode()
        texts.append(_TRUTH.sub(lambda match: "1" if match[1] else "0", text.rstrip()))
    text = "\n".join(texts)
    depth = k = end = n_rows = 0
    for token in _TOKEN.finditer(text):
        k, end = k + text.count("\n", end, token.start()), token.start()
        lines.number = numbers[k]
        string, row, opening, closing, other = token.groups()
        depth += (opening is not None) - (closing is not None)
        if other or depth < 0 or (string and not depth):
            raise ValueError(f"expected a list of 0 and 1, not {other or closing or string!r}")
        if opening and n_rows:
            raise ValueError("a second matrix begins here")
        if string or row is not None:
            n_rows += bool(string or row.strip())
            if row and not depth:  # lines without commas at their ends are rows, as in MATLAB
                yield from _BREAK.split(row.strip())
            else:
                yield string or row
    if depth:
        raise ValueError("the list is not closed")
