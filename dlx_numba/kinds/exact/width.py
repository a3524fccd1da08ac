"""Matrices after a line that states their width, dense or sparse."""

import re

from ...cover.encode import Statement
from .notation import COMMENT_MARKS, Lines, check_distinct, first_lines
from .numbered import MAX_ITEMS

_N_LINES = 6  # that recognition examines
_NUMBER = re.compile("0|[1-9][0-9]{0,8}")  # of a column


def looks_like_width(text: str) -> bool:
    r"""Return whether the first lines are a width and rows that fit it, perhaps but for one.

    >>> texts = "3\n0 2\n", "3\n1 0 1\n", "5 2\n0 1\n", "3 1\n3 2\n", "11\n10\n", "3\n0\n1\n3\n"
    >>> [looks_like_width(text) for text in texts]
    [True, True, True, False, False, True]
    """
    first, *rows = first_lines(text, _N_LINES, COMMENT_MARKS) or [""]
    sizes = _split(first) or ["0"]
    width = sizes[0 if len(sizes) == 3 else -1]
    is_width = len(sizes) <= 3 and re.fullmatch("[0-9]{1,9}", width)
    split = list(map(_split, rows))
    if is_width and _are_dense(split, int(width)):
        first = width  # not all rows are here
    elif len(sizes) == 1 and _are_dense([sizes, *split], len(width)):
        return False  # the first row of a matrix
    some = [rows]
    # One bad row of several is an error that names its line; 0 and 1 alone are a plain matrix.
    if len(sizes) == 1 and len(rows) > 2 and "".join([first, *rows]).strip("01 ,\t\n"):
        some += [rows[:k] + rows[k + 1 :] for k in range(len(rows))]
    return any(_fit(first, each) for each in some)


def _fit(first: str, rows: list[str]) -> bool:
    try:
        return bool(parse_width("\n".join([first, *rows])).options)
    except ValueError:
        return False


def parse_width(text: str, source: str = "<text>") -> Statement:
    r"""Parse a matrix whose first line states its width.

    The first line has the number of columns, and perhaps the number of secondary items, which are
    the leftmost columns; or the numbers of rows and columns; or those of columns and rows, and
    another one, which is ignored. A row has a digit 0 or 1 for each column, or the numbers of its
    columns, counted from 0. Lines that start with ``#`` or ``|`` are comments; empty lines are
    ignored.

    Parameters
    ----------
    text : str
        The matrix.
    source : str, optional
        Name of the text for error messages.

    Raises
    ------
    FormatError
        If the text is not such a matrix; names the source and the line.

    Examples
    --------
    >>> parse_width("3 1\n0 1 1\n")[:3]
    ([[1, 2]], range(1, 3), range(0, 1))
    >>> parse_width("4\n0 3\n1 2\n")[:3]
    ([[0, 3], [1, 2]], range(0, 4), range(0, 0))
    """
    options: list[list[int]] = []
    with Lines(text, source, COMMENT_MARKS) as lines:
        split = [(lines.number, _split(line)) for line in lines]
        (lines.number, first), *numbered = split or [(1, [])]
        rows = [row for _, row in numbered]
        if len(first) not in (1, 2, 3) or not "".join(first).isdecimal():
            raise ValueError("expected the number of columns")
        width, n_secondary = [*map(int, first), 0][:2]
        if width == len(rows) and _are_dense(rows, n_secondary):  # the numbers of rows and columns
            width, n_secondary = n_secondary, 0
        elif len(first) == 3 and n_secondary == len(rows):
            n_secondary = 0
        elif 1 < len(rows) == n_secondary < width and _are_dense(rows, width):
            both = f"{n_secondary} could be the number of rows or of optional columns"
            raise ValueError(f"{both}: state rows before columns, or optional items as Knuth does")
        elif len(first) == 3:
            raise ValueError(f"expected the numbers of columns and of the {len(rows):,} rows")
        if width < 2 or n_secondary >= width:
            raise ValueError(f"{n_secondary} of {width} columns cannot be optional")
        if width > MAX_ITEMS:
            raise ValueError(f"{width:,} columns are more than the maximum of {MAX_ITEMS:,}")
        n_dense = sum(_are_dense([row], width) for row in rows)
        # From 3 columns on, a digit for each column repeats the number of one.
        is_dense = n_dense == len(rows) or (width > 2 and 2 * n_dense > len(rows))
        for lines.number, row in numbered:
            if is_dense and not _are_dense([row], width):
                found = " ".join(row)[:40]
                raise ValueError(f"expected {width} digits 0 or 1, not {found!r}")
            ones = [k for k, digit in enumerate(_digits(row)) if digit == "1"]
            options.append(ones if is_dense else [])
            for word in () if is_dense else row:
                if _NUMBER.fullmatch(word) is None or int(word) >= width:
                    raise ValueError(f"expected columns from 0 to {width - 1}, not {word[:40]!r}")
                options[-1].append(int(word))
            check_distinct(options[-1], "column")
    return Statement(options, range(n_secondary, width), range(n_secondary))


def _split(line: str) -> list[str]:
    return line.replace(",", " ").split()


def _digits(row: list[str]) -> list[str]:
    """Return the words of a row, or the symbols of its only word."""
    return list(row[0]) if len(row) == 1 else row


def _are_dense(rows: list[list[str]], width: int) -> bool:
    """Return whether each row has a digit 0 or 1 for each column."""
    digits = map(_digits, rows)
    return bool(rows) and all(len(row) == width and {"0", "1"}.issuperset(row) for row in digits)
