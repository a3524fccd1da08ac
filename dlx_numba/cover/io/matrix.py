"""Exact cover problems as a matrix of 0 and 1: a column an item, a row an option."""

import re

import numpy as np
import numpy.typing as npt

from ...runtime.errors import FormatError

_BETWEEN = str.maketrans("", "", " \t,;")
_COMMENT = ("#", "|")


def looks_like_matrix(text: str) -> bool:
    r"""Whether every line but comments consists of 0, 1, blanks and commas, and one has a digit.

    >>> looks_like_matrix("# a matrix\n1 0 1\n0 1 0\n"), looks_like_matrix("a b\na\nb\n")
    (True, False)
    """
    lines = "".join(line for line in text.splitlines() if not line.lstrip().startswith(_COMMENT))
    digits = "".join(lines.translate(_BETWEEN).split())
    return bool(digits) and not digits.strip("01")


def parse_matrix(text: str, source: str = "<text>") -> npt.NDArray[np.uint8]:
    r"""The matrix (rows, columns) uint8 in `text`; digits may have spaces or commas between them.

    Lines that start with `#` or `|` are comments, and empty lines are passed over. Raises
    FormatError, which names the line.

    >>> parse_matrix("101\n0,1,0\n")
    array([[1, 0, 1],
           [0, 1, 0]], dtype=uint8)
    """
    rows: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        row = line.translate(_BETWEEN)
        if not row or row.startswith(_COMMENT):
            continue
        if (wrong := re.search(r"[^01 \t,;]", line)) is not None:
            reason = f"{wrong[0]!r} in column {wrong.start() + 1}; a matrix consists of 0 and 1"
            raise FormatError(source, number, reason)
        if rows and len(row) != len(rows[0]):
            reason = f"a row of {len(row)} columns; the first has {len(rows[0])}"
            raise FormatError(source, number, reason)
        rows.append(row)
    if not rows:
        raise FormatError(source, 1, "no row of 0 and 1")
    flat = np.frombuffer("".join(rows).encode(), np.uint8) - ord("0")
    return flat.reshape(len(rows), -1)


def format_matrix(matrix: npt.NDArray[np.integer]) -> str:
    r"""The matrix (rows, columns) of 0 and 1 as `parse_matrix` reads it.

    >>> format_matrix(np.eye(2, dtype=int))
    '10\n01\n'
    """
    lines = np.full((matrix.shape[0], matrix.shape[1] + 1), ord("\n"), np.uint8)
    lines[:, :-1] = matrix + ord("0")
    return lines.tobytes().decode()
