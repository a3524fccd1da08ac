"""Matrices in other forms than rows of 0 and 1: with titles, with numbers, column by column."""

import re
import warnings
from typing import NamedTuple

import numpy as np

from ...cover.encode import Statement, encode_problem
from ...kernels.problem import Problem
from ...runtime.arrays import looks_like_arrays
from .matrix import parse_matrix
from .notation import COMMENT_MARKS

_NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d*)?(?:\.\d*)?(?:[eE][-+]?\d{1,2})?")
_TOKEN = re.compile(r"[^\s,;\[\](){}\"']+")  # of a line, which may be a part of lists
# A title at the beginning of a line, with the separator after it: in a table, between spaces, or in
# a row of digits
_TITLE = re.compile(r" *(?:\"[^\"]*\"|'[^']*'|[^\t,;]*) *[\t,;]|\s*\S+\s+|\s*\S")


class MatrixForm(NamedTuple):
    """The form of a matrix in a text.

    Attributes
    ----------
    columns
        The length of a row, if the rows need not be on lines of their own.
    is_transposed
        Whether the rows are the items, and the columns the options.
    has_titles
        Whether a first row and a first column are titles, which are skipped.
    """

    columns: int | None = None
    is_transposed: bool = False
    has_titles: bool = False

    def parse(self, text: str, source: str = "<text>") -> Statement:
        r"""Parse a matrix, in which all numbers but 0 are 1.

        Raises FormatError if the text is no matrix. Warns if it has other numbers than 0 and 1.

        >>> form = MatrixForm(is_transposed=True, has_titles=True)
        >>> problem = form.parse("2 2 2\n2 1 0\n2 1 1\n").options
        >>> problem.indptr.tolist(), problem.items.tolist()
        ([0, 2, 3], [0, 1, 1])
        """
        if self.has_titles:
            if looks_like_arrays(text.encode()):
                raise ValueError(f"{source}: titles need rows on lines, not in lists")
            text = _without_titles(text)
        try:
            statement = parse_matrix(text, source, self.columns)
        except ValueError:
            binary = _as_binary(text)
            if binary == text:
                raise
            statement = parse_matrix(binary, source, self.columns)
            notice = "the matrix has other numbers than 0 and 1; all but 0 are read as 1"
            warnings.warn(f"{source}: {notice}", stacklevel=2)
        return _transposed(statement) if self.is_transposed else statement


def _without_titles(text: str) -> str:
    """Return a text whose first line, and the first cell of each line, are empty."""
    lines: list[str] = []
    is_first = True
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith(COMMENT_MARKS):
            lines.append(line)
            continue
        lines.append("" if is_first else _TITLE.sub("", line, count=1))
        is_first = False
    return "\n".join(lines)


def _as_binary(text: str) -> str:
    """Return a text with 1 for all numbers but 0; rows without separators consist of digits."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.lstrip().startswith(COMMENT_MARKS):
            lines.append(line)
        elif re.fullmatch(r"\s*\d+\s*", line):
            lines.append(re.sub("[2-9]", "1", line))
        elif '"' in line or "'" in line:  # strings are rows of digits
            lines.append(line)
        else:
            lines.append(_TOKEN.sub(_as_digit, line))
    return "\n".join(lines)


def _as_digit(token: re.Match[str]) -> str:
    if _NUMBER.fullmatch(token[0]) is None:
        return token[0]
    try:
        return "1" if float(token[0]) else "0"
    except ValueError:  # a sign or a point alone
        return token[0]


def _transposed(statement: Statement) -> Statement:
    """Return the problem whose options are the items of another one."""
    problem, _ = encode_problem(statement)
    order = np.argsort(problem.items, kind="stable")
    sizes = np.bincount(problem.items, minlength=problem.n_items)
    indptr = np.concatenate([[0], np.cumsum(sizes)])
    items = problem.option_of_node()[order].astype(np.int32)
    return Statement(Problem(indptr, items, problem.n_options, 0))
