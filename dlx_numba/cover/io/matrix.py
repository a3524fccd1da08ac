"""Exact cover problems as 0/1 matrices in text form: one row per option, one column per item."""

import re

import numpy as np
from numpy.typing import NDArray

from ...runtime.errors import FormatError

_REMOVE_SEPARATORS = str.maketrans("", "", " \t,;")
_COMMENT_MARKS = ("#", "|")


def looks_like_matrix(text: str) -> bool:
    r"""Return whether the text, without comments, consists of 0, 1 and separators only.

    Examples
    --------
    >>> looks_like_matrix("# a matrix\n1 0 1\n0 1 0\n"), looks_like_matrix("a b\na\nb\n")
    (True, False)
    """
    lines = (line for line in text.splitlines() if not line.lstrip().startswith(_COMMENT_MARKS))
    digits = "".join("".join(lines).translate(_REMOVE_SEPARATORS).split())
    return bool(digits) and not digits.strip("01")


def parse_matrix(text: str, source: str = "<text>") -> NDArray[np.uint8]:
    r"""Parse a 0/1 matrix.

    Digits may be separated by spaces, tabs, commas or semicolons. Lines that start with ``#`` or
    ``|`` are comments; empty lines are ignored.

    Parameters
    ----------
    text : str
        The matrix, one row per line.
    source : str, optional
        Name of the text for error messages.

    Returns
    -------
    ndarray of uint8, shape (options, items)

    Raises
    ------
    FormatError
        If the text is not a 0/1 matrix; names the source and the line.

    Examples
    --------
    >>> parse_matrix("101\n0,1,0\n")
    array([[1, 0, 1],
           [0, 1, 0]], dtype=uint8)
    """
    rows: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        row = line.translate(_REMOVE_SEPARATORS)
        if not row or row.startswith(_COMMENT_MARKS):
            continue
        if (invalid := re.search(r"[^01 \t,;]", line)) is not None:
            reason = f"expected 0 or 1 in column {invalid.start() + 1}, not {invalid[0]!r}"
            raise FormatError(source, number, reason)
        if rows and len(row) != len(rows[0]):
            reason = f"the row has {len(row)} columns, but the first row has {len(rows[0])}"
            raise FormatError(source, number, reason)
        rows.append(row)
    if not rows:
        raise FormatError(source, 1, "the matrix has no rows")
    digits = np.frombuffer("".join(rows).encode(), np.uint8) - ord("0")
    return digits.reshape(len(rows), -1)


def format_matrix(matrix: NDArray[np.integer]) -> str:
    r"""Return a 0/1 matrix of shape (options, items) as text, as `parse_matrix` reads it.

    Examples
    --------
    >>> format_matrix(np.eye(2, dtype=int))
    '10\n01\n'
    """
    lines = np.full((matrix.shape[0], matrix.shape[1] + 1), ord("\n"), np.uint8)
    lines[:, :-1] = matrix + ord("0")
    return lines.tobytes().decode()
