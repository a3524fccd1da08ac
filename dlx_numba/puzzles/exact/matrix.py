"""Exact cover problems as 0/1 matrices in text form: one row per option, one column per item."""

import re
from collections.abc import Hashable, Iterable, Sequence
from json import JSONDecodeError
from typing import Any, NamedTuple

import numpy as np

from ...cover.encode import Formulation, encode_problem
from ...cover.encode_matrix import encode_matrix
from ...cover.option_table import OptionTable
from ...kernels.problem import Problem
from ...runtime.arrays import looks_like_arrays, plain_line, without_declaration
from ...runtime.batched import batched
from ...runtime.json import load_json
from .notation import COMMENT_MARKS, HEAD_LENGTH, TextLines, check_distinct
from .numbered import check_count
from .table import CELL_VALUES
from .titles import read_titled

N_EXAMINED = 8  # lines that show whether rows are lists
MAX_SINGLE_ROW = 12  # a longer row without others may be a matrix that lost its line ends
NUMBERS = "the matrix has other numbers than 0 and 1; all but 0 are read as 1"

_SEPARATORS = str.maketrans("", "", " \t,;\r\n")
_CELL = re.compile(r"[^\s,;]+")
_COMMENT = re.compile(r"\s#.*")  # after a row
_NUMBER = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,2})?")
_SIZES = re.compile(r"\s*([0-9]{1,9})(?:\s+([0-9]{1,9}))?\s*")
_COLUMN = re.compile("0|[1-9][0-9]{0,8}")
_WORDS = {"{": "[", "}": "]", "'": '"', "True": "true", "False": "false"}
_WORD = re.compile(r"[{}']|True|False|,(?=\s*[]}])")  # of a program, which JSON has not

_ROW = re.compile(r"\[\s*(?:[01][\s,]*)+\]|\"[01]+\"")  # in a list

_Row = tuple[int, str]  # its line and its digits


def is_rectangle(text: str) -> bool:
    r"""Return whether a text, or its beginning, has only rows of 0 and 1 that are equally long.

    The rows are on lines, or in brackets as in JSON or in a program.

    >>> [is_rectangle(text) for text in ("1 0\n01\n", "10\n1\n", "1 2\n", "{{1,0},{0,1}}")]
    [True, False, False, True]
    """
    is_cut = len(text) > HEAD_LENGTH
    lines = TextLines(text[:HEAD_LENGTH], "", COMMENT_MARKS)
    if looks_like_arrays(text[:HEAD_LENGTH].encode()):
        return _has_rows_in_brackets([*lines])
    rows = [_COMMENT.sub("", line).translate(_SEPARATORS) for line in lines]
    complete = rows[: len(rows) - is_cut]  # the last row may be cut
    return len(set(map(len, complete))) == 1 and not "".join(rows).strip("01")


def _has_rows_in_brackets(lines: list[str]) -> bool:
    """Return whether lines are a list of lists or strings of 0 and 1 that are equally long."""
    text = _plain_lists(lines).replace("true", "1").replace("false", "0").lstrip()
    rows = [row.translate(_SEPARATORS).strip('[]"') for row in _ROW.findall(text)]
    is_nested = text.startswith("[") and _ROW.match(text) is None
    return is_nested and len(set(map(len, rows))) == 1 and not _ROW.sub("", text).strip("[], ;\n")


def _plain_lists(lines: Iterable[str]) -> str:
    """Return lines with lists of a program as JSON has them."""
    plain = b"\n".join(without_declaration(plain_line(line.encode())) for line in lines)
    return _WORD.sub(lambda word: _WORDS.get(word[0], ""), plain.decode().rstrip(",; \n"))


class MatrixForm(NamedTuple):
    """The form of a matrix in a text.

    Attributes
    ----------
    columns
        The length of a row, if the rows need not be on lines of their own.
    is_transposed
        Whether the rows are the items, and the columns the options.
    has_titles
        Whether a first row, a first column, or both are titles: the names of items and options.
    is_nonzero
        Whether all numbers but 0 are 1.
    """

    columns: int | None = None
    is_transposed: bool = False
    has_titles: bool = False
    is_nonzero: bool = False

    def parse(self, text: str, source: str = "<text>") -> Formulation:
        r"""Parse a matrix of 0 and 1.

        Cells may be separated by spaces, tabs, commas or semicolons; a row without separators
        consists of digits. Lines that start with ``#`` or ``|`` are comments, as is what follows
        ``#`` after a row; empty lines are ignored. Rows may also be lists or strings in a list, as
        in JSON or in a program; there, false and true stand for 0 and 1.

        A first line may give the number of columns, and of those at the left that are secondary
        items. Rows then have a digit for each of at least three columns, or the numbers of their
        columns, counted from 0. If this line could be a row of 0 and 1 itself, all others have as
        many digits as it gives. It may also give the numbers of rows and of columns.

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
            If other numbers than 0 and 1 are read as 1, if titles repeat, or if there is a single
            row of more than `MAX_SINGLE_ROW` digits without a given length.

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
        >>> dict(MatrixForm(has_titles=True).parse("  A B\nS1 1 0\nS2 1 1\n").options)
        {'S1': ['A'], 'S2': ['A', 'B']}
        """
        with TextLines(text, source, COMMENT_MARKS) as lines:
            numbered = [(lines.number, _COMMENT.sub("", line).rstrip()) for line in lines]
            head = "\n".join(line for _, line in numbered[:N_EXAMINED])
            is_list = looks_like_arrays(head.encode())
            if self.has_titles:
                if is_list or self.columns is not None:
                    raise ValueError("titles need rows on lines, not in lists")
                return self._parse_titled(text, lines)
            sizes = None
            if not is_list and self.columns is None:
                sizes = _find_sizes(numbered, lines, self.is_nonzero)
            if sizes is not None:
                try:
                    formulation = _parse_rows(numbered, lines, *sizes)
                except ValueError:
                    if len({len(_cells(line)) for _, line in numbered}) > 1:
                        raise
                    sizes = None  # the first line is a row of numbers
            if sizes is None:
                rows, other = (_rows_of_list if is_list else _rows_of_lines)(numbered, lines)
                formulation = Formulation(encode_matrix(self._as_array(rows, lines)))
                if other is not None:
                    lines.number, word = other
                    self._check_number(word)
                    lines.warn(NUMBERS)
            return _transposed(formulation) if self.is_transposed else formulation

    def _parse_titled(self, text: str, lines: TextLines) -> Formulation:
        """Return the problem of a matrix with titles, which are its names if they are distinct."""
        table = read_titled(text, lines, has_numbers=self.is_nonzero)
        titles = table.column_titles
        rows = [self._read_cells(fields, titles) for _, fields in lines.follow(table.rows)]
        if any(field not in CELL_VALUES for _, fields in table.rows for field in fields):
            lines.warn(NUMBERS)
        array = np.array(rows, np.uint8)
        option_titles = table.row_titles
        item_titles = table.column_titles
        if self.is_transposed:
            array = array.T
            option_titles, item_titles = item_titles, option_titles
        problem = encode_matrix(array)
        options = _distinct(option_titles, "options", lines)
        items = _distinct(item_titles, "items", lines)
        names = [*range(problem.n_items)] if items is None else items
        table_of = OptionTable(problem, names, options or range(problem.n_options))
        return Formulation(table_of, names)

    def _read_cells(self, fields: list[str], titles: list[str] | None) -> list[bool]:
        """Return whether each cell is 1, or raise ValueError with the title of its column."""
        row: list[bool] = []
        for k, field in enumerate(fields):
            try:
                row.append(self._read_cell(field))
            except ValueError as error:
                place = f"column {k + 1 if titles is None else titles[k]!r}"
                raise ValueError(f"{place}: {error}") from None
        return row

    def _read_cell(self, field: str) -> bool:
        """Return whether a cell is 1, or raise ValueError."""
        if field in CELL_VALUES:
            return CELL_VALUES[field]
        value = _as_number(field)
        self._check_number(field)
        return value != 0

    def _check_number(self, word: str) -> None:
        """Raise ValueError for a number other than 0 and 1, unless these are 1."""
        if not self.is_nonzero:
            reason = f"expected 0 or 1, not {word[:40]!r}"
            raise ValueError(f"{reason}; --nonzero reads all numbers but 0 as 1")

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
        # The loop sets `lines.number`, which is the line that an error names.
        for k, (lines.number, row) in enumerate(rows, 1):
            if len(row) != n_columns:
                reason = f"has {len(row)} columns, but the first row has {n_columns}"
                raise ValueError(f"row {k} {reason}")
        if len(rows) == 1 and n_columns > MAX_SINGLE_ROW and self.columns is None:
            reason = f"a single row of {n_columns:,} digits is a single option"
            lines.warn(f"{reason}; --columns N makes rows of N digits")
        digits = "".join(row for _, row in rows)
        array = np.frombuffer(digits.encode(), np.uint8) - ord("0")
        return array.reshape(len(rows), n_columns)


parse_matrix = MatrixForm().parse


def _distinct(titles: list[str] | None, noun: str, lines: TextLines) -> list[Hashable] | None:
    """Return titles as names, or None with a notice if one of them repeats or is empty."""
    # With "", distinct titles that are not empty are one more.
    if titles and len({*titles, ""}) <= len(titles):
        lines.warn(f"titles repeat, so {noun} have numbers")
        return None
    return None if titles is None else [*titles]


def _rows_of_lines(numbered: list[_Row], lines: TextLines) -> tuple[list[_Row], _Row | None]:
    """Return the line and the digits 0 and 1 of each row.

    Numbers that are not 0 become 1. Also returns the line and the text of the first other number
    than 0 and 1, if any: the caller decides whether it is a mistake.
    """
    rows = [(number, line.translate(_SEPARATORS)) for number, line in numbered]
    if not any(row.strip("01") for _, row in rows):
        return rows, None
    words = ((number, _cells(line)) for number, line in lines.follow(numbered))
    return _as_digits((number, cells, [*map(_as_number, cells)]) for number, cells in words)


def _as_digits(
    read: Iterable[tuple[int, Sequence[Any], list[float]]],
) -> tuple[list[_Row], _Row | None]:
    """Return what `_rows_of_lines` does from the line, the cells and the values of each row."""
    rows: list[_Row] = []
    other = None
    for line, cells, values in read:
        rows.append((line, "".join("1" if value else "0" for value in values)))
        pairs = zip(cells, values, strict=True)
        others = ((line, str(cell)) for cell, value in pairs if value not in (0, 1))
        other = other or next(others, None)
    return rows, other


def _as_number(word: str) -> float:
    """Return a number, or raise ValueError if a word is none."""
    if _NUMBER.fullmatch(word) is None:
        raise ValueError(f"expected 0 or 1, not {word[:40]!r}")
    return float(word)


def _cells(line: str) -> list[str]:
    """Return the numbers of a row, which are its digits if they are not separated."""
    words = _CELL.findall(line)
    return [*words[0]] if len(words) == 1 else words


def _rows_of_list(numbered: list[_Row], lines: TextLines) -> tuple[list[_Row], _Row | None]:
    """Return what `_rows_of_lines` does for rows in lists, as in JSON or in a program."""
    try:
        value = load_json(_plain_lists(line for _, line in numbered))
    except JSONDecodeError as error:
        lines.number = numbered[error.lineno - 1][0]
        raise
    rows = value if isinstance(value, list) else []
    for k, row in enumerate(rows, 1):
        is_row = isinstance(row, list | str) and row
        if not is_row or not all(c in ("0", "1") or isinstance(c, int | float) for c in row):
            raise ValueError(f"row {k} must be a list of 0 and 1")
    return _as_digits((lines.number, row, [*map(float, row)]) for row in rows)


def _find_sizes(rows: list[_Row], lines: TextLines, is_nonzero: bool) -> tuple[int, int] | None:
    """Return the numbers of columns and of secondary items in the first line, if any.

    It may also be the numbers of rows and of columns. If other numbers than 0 and 1 are expected, a
    line that looks as all others do is a row unless it has these. Raises ValueError if the rows are
    as long as it says, and fewer or more.
    """
    first, second = ([line for _, line in rows] + ["", ""])[:2]
    if (match := _SIZES.fullmatch(first)) is None or not second:
        return None
    digits = first.translate(_SEPARATORS)
    width = int(match[1])
    n_secondary = int(match[2] or 0)
    widths = {len(_digits(line)) for _, line in rows[1:]}
    # With the numbers of rows and of columns, `width` is the former, and `n_secondary` the latter.
    is_size = width == len(rows) - 1 and widths == {n_secondary}
    if is_size and n_secondary and width + n_secondary > 2:  # `1 1` may be a row
        return n_secondary, 0
    are_alike = len({(len(_CELL.findall(line)), len(_cells(line))) for _, line in rows}) == 1
    if n_secondary > 1 and widths == {n_secondary} and not (is_nonzero and are_alike):
        lines.number = rows[0][0]
        reason = f"the first line says {width} rows of {n_secondary} columns, but there are"
        hint = "; --nonzero reads all numbers but 0 as 1" if are_alike else ""
        raise ValueError(f"{reason} {len(rows) - 1}{hint}")
    # A first line that could be a row of 0 and 1 has a size only if all others have as many digits
    # as it says, and it has not.
    is_row = not digits.strip("01")
    are_rows = all(len(_digits(line)) == width != len(digits) for _, line in rows[1:])
    if width < 2 or n_secondary >= width or (is_row and not are_rows):
        return None
    return None if is_nonzero and are_alike else (width, n_secondary)


def _digits(line: str) -> str:
    """Return a row of 0 and 1 without separators; "" for others."""
    digits = line.translate(_SEPARATORS)
    return "" if digits.strip("01") else digits


def _parse_rows(rows: list[_Row], lines: TextLines, width: int, n_secondary: int) -> Formulation:
    """Return the problem in the rows after a line with sizes, or raise ValueError."""
    lines.number = rows[0][0]
    check_count(width, "columns")
    # Rows are digits 0 and 1, or numbers of columns. 3 or more digits cannot be such numbers, which
    # would repeat; 2 digits could be both, and are read as digits.
    is_dense = width == 2 or len(_digits(rows[1][1])) == width
    options: list[list[int]] = []
    for _, line in lines.follow(rows[1:]):
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
    indptr = np.concatenate([[0], np.cumsum(problem.sizes)])
    items = problem.option_of_node()[order].astype(np.int32)
    return Formulation(Problem(indptr, items, problem.n_options, 0))
