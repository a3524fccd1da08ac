"""Exact cover problems as 0/1 matrices in text form: one row per option, one column per item."""

import re
import warnings
from json import JSONDecodeError
from typing import Any, NamedTuple

import numpy as np

from ...cover.encode import Formulation, encode_problem
from ...cover.encode_matrix import encode_matrix
from ...kernels.problem import Problem
from ...runtime.arrays import looks_like_arrays, plain_line, without_declaration
from ...runtime.batched import batched
from ...runtime.json import load_json
from .notation import COMMENT_MARKS, HEAD_LENGTH, TextLines, check_distinct
from .numbered import MAX_ITEMS

N_EXAMINED = 8  # lines that show whether rows are lists
MAX_SINGLE_ROW = 12  # a longer row without others may be a matrix that lost its line ends
NUMBERS = "the matrix has other numbers than 0 and 1; all but 0 are read as 1"

_SEPARATORS = str.maketrans("", "", " \t,;\r\n")
_CELL = re.compile(r"[^\s,;]+")
_COMMENT = re.compile(r"\s#.*")  # after a row
_NUMBER = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,2})?")
# A title at the beginning of a line, with the separator after it: in a table, between spaces, or in
# a row of digits
_TITLE = re.compile(r" *(?:\"[^\"]*\"|'[^']*'|[^\t,;]*) *[\t,;]|\s*\S+\s+|\s*\S")
_SIZES = re.compile(r"\s*([0-9]{1,9})(?:\s+([0-9]{1,9}))?\s*")
_COLUMN = re.compile("0|[1-9][0-9]{0,8}")
_WORDS = {"{": "[", "}": "]", "'": '"', "True": "true", "False": "false"}
_WORD = re.compile(r"[{}']|True|False|,(?=\s*[]}])")  # of a program, which JSON has not

_Row = tuple[int, str]  # its line and its digits


def is_rectangle(text: str) -> bool:
    r"""Return whether a text, or its beginning, has only rows of 0 and 1 that are equally long.

    >>> [is_rectangle(text) for text in ("1 0\n01\n", "10\n1\n", "1 2\n")]
    [True, False, False]
    """
    is_cut = len(text) > HEAD_LENGTH
    lines = TextLines(text[:HEAD_LENGTH], "", COMMENT_MARKS)
    rows = [_COMMENT.sub("", line).translate(_SEPARATORS) for line in lines]
    complete = rows[: len(rows) - is_cut]
    return len(set(map(len, complete))) == 1 and not "".join(rows).strip("01")


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

    def parse(self, text: str, source: str = "<text>") -> Formulation:
        r"""Parse a matrix, in which all numbers but 0 are 1.

        Cells may be separated by spaces, tabs, commas or semicolons; a row without separators
        consists of digits. Lines that start with ``#`` or ``|`` are comments, as is what follows
        ``#`` after a row; empty lines are ignored. Rows may also be lists or strings in a list, as
        in JSON or in a program; there, false and true stand for 0 and 1.

        A first line may give the number of columns, and of those at the left that are secondary
        items. Rows then have a digit for each of at least three columns, or the numbers of their
        columns, counted from 0. If this line could be a row of 0 and 1 itself, all others have as
        many digits as it gives.

        Parameters
        ----------
        text : str
            The matrix, one row per line, or as lists.
        source : str, optional
            Name of the text for error messages.

        Raises
        ------
        FormatError
            If the text is not a matrix; names the source and the line.

        Warns
        -----
        UserWarning
            If the matrix has other numbers than 0 and 1, or a single row of more than
            `MAX_SINGLE_ROW` digits without a given length.

        Examples
        --------
        >>> MatrixForm().parse("101\n0,1,0\n").options.items
        array([0, 2, 1])
        >>> MatrixForm(columns=3).parse("101010").options.indptr
        array([0, 2, 3])
        >>> MatrixForm().parse("3 1\n0 1 1\n")[:3]
        ([[1, 2]], range(1, 3), range(0, 1))
        >>> MatrixForm().parse("4\n0 3\n1 2\n").options
        [[0, 3], [1, 2]]
        >>> MatrixForm(is_transposed=True).parse("1 1 0\n0 1 1\n").options.indptr
        array([0, 1, 3, 4])
        """
        with TextLines(text, source, COMMENT_MARKS) as lines:
            numbered = [(lines.number, _COMMENT.sub("", line).rstrip()) for line in lines]
            head = "\n".join(line for _, line in numbered[:N_EXAMINED])
            is_list = looks_like_arrays(head.encode())
            if self.has_titles:
                if is_list:
                    raise ValueError("titles need rows on lines, not in lists")
                numbered = [
                    (number, _TITLE.sub("", line, count=1)) for number, line in numbered[1:]
                ]
            sizes = None if is_list or self.columns is not None else _find_sizes(numbered)
            if sizes is not None:
                try:
                    formulation = _parse_rows(numbered, lines, *sizes)
                except ValueError:
                    if len({len(_cells(line)) for _, line in numbered}) > 1:
                        raise
                    sizes = None  # the first line is a row of numbers
            if sizes is None:
                rows, has_numbers = (_rows_of_list if is_list else _rows_of_lines)(numbered, lines)
                formulation = Formulation(encode_matrix(self._as_array(rows, lines)))
                if has_numbers:
                    warnings.warn(f"{source}: {NUMBERS}", stacklevel=2)
            return _transposed(formulation) if self.is_transposed else formulation

    def _as_array(self, rows: list[_Row], lines: TextLines) -> Any:
        """Return rows of digits as an array, or raise ValueError."""
        if self.columns is not None:
            digits = "".join(row for _, row in rows)
            if len(digits) % self.columns:
                raise ValueError(
                    f"{len(digits):,} digits do not make rows of {self.columns:,} columns"
                )
            rows = [(1, row) for row in batched(digits, self.columns)]
        if not rows or not rows[0][1]:
            raise ValueError("the matrix is empty")
        n_columns = len(rows[0][1])
        for k, (lines.number, row) in enumerate(rows, 1):
            if len(row) != n_columns:
                reason = f"has {len(row)} columns, but the first row has {n_columns}"
                raise ValueError(f"row {k} {reason}")
        if len(rows) == 1 and n_columns > MAX_SINGLE_ROW and self.columns is None:
            reason = f"a single row of {n_columns:,} digits is a single option"
            warnings.warn(
                f"{lines.source}: {reason}; --columns N makes rows of N digits", stacklevel=3
            )
        digits = "".join(row for _, row in rows)
        array = np.frombuffer(digits.encode(), np.uint8) - ord("0")
        return array.reshape(len(rows), n_columns)


parse_matrix = MatrixForm().parse


def _rows_of_lines(numbered: list[_Row], lines: TextLines) -> tuple[list[_Row], bool]:
    """Return the rows, and whether they have other numbers than 0 and 1."""
    rows = [(number, line.translate(_SEPARATORS)) for number, line in numbered]
    has_numbers = any(row.strip("01") for _, row in rows)
    if has_numbers:
        rows = []
        for lines.number, line in numbered:
            rows.append((lines.number, _as_digits(line)))
    return rows, has_numbers


def _as_digits(line: str) -> str:
    """Return 1 for each number of a row but 0, or raise ValueError if it has others."""
    cells = _cells(line)
    for word in cells:
        if _NUMBER.fullmatch(word) is None:
            raise ValueError(f"expected 0 or 1, not {word[:40]!r}")
    return "".join("1" if float(word) else "0" for word in cells)


def _cells(line: str) -> list[str]:
    """Return the numbers of a row, which are its digits if they are not separated."""
    words = _CELL.findall(line)
    return [*words[0]] if len(words) == 1 else words


def _rows_of_list(numbered: list[_Row], lines: TextLines) -> tuple[list[_Row], bool]:
    """Return the rows in lists as in JSON, or in a program, and whether they have other numbers."""
    plain = b"\n".join(without_declaration(plain_line(line.encode())) for _, line in numbered)
    text = _WORD.sub(lambda word: _WORDS.get(word[0], ""), plain.decode().rstrip(",; \n"))
    try:
        value = load_json(text)
    except JSONDecodeError as error:
        lines.number = numbered[error.lineno - 1][0]
        raise
    rows: list[_Row] = []
    has_numbers = False
    for k, row in enumerate(value if isinstance(value, list) else [], 1):
        is_row = isinstance(row, list | str) and row
        if not is_row or not all(c in ("0", "1") or isinstance(c, int | float) for c in row):
            raise ValueError(f"row {k} must be a list of 0 and 1")
        cells = [float(cell) for cell in row]
        has_numbers |= not {0, 1}.issuperset(cells)
        rows.append((lines.number, "".join("1" if cell else "0" for cell in cells)))
    return rows, has_numbers


def _find_sizes(rows: list[_Row]) -> tuple[int, int] | None:
    """Return the numbers of columns and of secondary items in the first line, if any."""
    first, second = ([line for _, line in rows] + ["", ""])[:2]
    if (match := _SIZES.fullmatch(first)) is None or not second:
        return None
    digits = first.translate(_SEPARATORS)
    width = int(match[1])
    n_secondary = int(match[2] or 0)
    is_row = not digits.strip("01")
    are_rows = all(len(_digits(line)) == width != len(digits) for _, line in rows[1:])
    if width < 2 or n_secondary >= width or (is_row and not are_rows):
        return None
    return width, n_secondary


def _digits(line: str) -> str:
    """Return a row of 0 and 1 without separators; "" for others."""
    digits = line.translate(_SEPARATORS)
    return "" if digits.strip("01") else digits


def _parse_rows(rows: list[_Row], lines: TextLines, width: int, n_secondary: int) -> Formulation:
    """Return the problem in the rows after a line with sizes, or raise ValueError."""
    lines.number = rows[0][0]
    if width > MAX_ITEMS:
        raise ValueError(f"{width:,} columns are more than the maximum of {MAX_ITEMS:,}")
    # From 3 columns on, a digit for each column repeats the number of one.
    is_dense = width == 2 or len(_digits(rows[1][1])) == width
    options: list[list[int]] = []
    for lines.number, line in rows[1:]:
        if is_dense:
            digits = _digits(line)
            if len(digits) != width:
                raise ValueError(f"expected {width} digits 0 or 1, not {line.strip()[:40]!r}")
            options.append([k for k, digit in enumerate(digits) if digit == "1"])
            continue
        words = line.replace(",", " ").split()
        for word in words:
            if _COLUMN.fullmatch(word) is None or int(word) >= width:
                raise ValueError(f"expected columns from 0 to {width - 1}, not {word[:40]!r}")
        options.append([*map(int, words)])
        check_distinct(options[-1], "column")
    return Formulation(options, range(n_secondary, width), range(n_secondary))


def _transposed(formulation: Formulation) -> Formulation:
    """Return the problem whose options are the items of another one."""
    problem, _ = encode_problem(formulation)
    order = np.argsort(problem.items, kind="stable")
    sizes = np.bincount(problem.items, minlength=problem.n_items)
    indptr = np.concatenate([[0], np.cumsum(sizes)])
    items = problem.option_of_node()[order].astype(np.int32)
    return Formulation(Problem(indptr, items, problem.n_options, 0))
