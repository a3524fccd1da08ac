"""Select the format of a text: by the extension of its file, or by one look at its first lines."""

import csv
import re
from collections.abc import Callable
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ...runtime.arrays import looks_like_arrays
from ...runtime.errors import FormatError
from ..encode import Statement
from .drawing import looks_like_drawing, parse_drawing
from .json import parse_json
from .knuth import parse_knuth
from .matrix import is_digits, parse_matrix, parse_rows
from .notation import content_lines
from .numbered import parse_counted, parse_ec
from .table import (
    COMMENT_MARKS,
    SET,
    find_separator,
    is_bar_table,
    is_cell,
    is_row,
    parse_sets,
    parse_table,
    split_line,
)

# A function of a text and of the name of its source
Parser = Callable[[str, str], Statement | NDArray[np.uint8]]

_OF_SUFFIX: dict[str, Parser] = {".dlx": parse_knuth, ".ec": parse_ec}
N_LINES = 3  # of Knuth's format; the first two lines of a list may be single brackets

_OBJECT = re.compile(r'\s*(?:\{\s*["}]|\[\s*["\[{\]])')
_NAME = re.compile(r"[\s\[{]*[\"'][01 ,;]*[^01 ,;\"']")  # a string in a list that is not digits
_DIGIT_LIST = re.compile(r"\s*\[[01](?:, ?[01])+\],?\s*")  # a row on a line of its own
_TWO_INTEGERS = re.compile(r"\s*-?[0-9]+\s+-?[0-9]+\s*")


def find_parser(text: str, suffix: str = "") -> Parser:
    r"""Return the parser of a text.

    A text without a known extension whose first lines, without comments, are valid in Knuth's
    format is in this format, unless it is a drawing or consists of digits.

    Parameters
    ----------
    text : str
        The content of a file.
    suffix : str
        The extension of its name.

    Examples
    --------
    >>> texts = "a b\na\n", "101\n010\n", ",A,B\nS1,1,0\n", "S1 = {A}\n", "[[1, 0]]", "p ec 3\ns 1"
    >>> [find_parser(text).__name__.removeprefix("parse_") for text in texts]
    ['knuth', 'matrix', 'table', 'sets', 'rows', 'ec']
    """
    if suffix in _OF_SUFFIX:
        return _OF_SUFFIX[suffix]
    lines = [line for _, line in islice(content_lines(text, COMMENT_MARKS), 2)]
    if lines and lines[0][0] not in ",;\t" and all(map(is_digits, lines)):
        return parse_matrix
    if looks_like_drawing(text):
        return parse_drawing
    has_comments = lines != [] and lines[0].split()[0] == "c"
    tokens = (line.split()[:2] for _, line in content_lines(text))
    is_ec = next((pair for pair in tokens if pair[0] != "c"), []) == ["p", "ec"]
    if is_ec and has_comments:
        return parse_ec
    if len(lines) == 2 and all(map(_DIGIT_LIST.fullmatch, lines)):
        return parse_rows
    if _starts_like_knuth(text):
        return parse_knuth
    if lines and SET.fullmatch(lines[0]):
        return parse_sets
    if _NAME.match(text) is None and looks_like_arrays(text.encode()):
        return parse_rows
    if _OBJECT.match(text):
        return parse_json
    if is_ec:
        return parse_ec
    is_table = is_bar_table(text) or _starts_like_table(lines)
    first = next((line for _, line in content_lines(text)), "")
    if _TWO_INTEGERS.fullmatch(first) and not (is_table and not _is_counted(text)):
        return parse_counted
    return parse_table if is_table else parse_knuth


def _starts_like_knuth(text: str) -> bool:
    """Return whether the first lines are items and options of them."""
    lines = [line for _, line in islice(content_lines(text, "|"), N_LINES)]
    try:
        return bool(parse_knuth("".join(lines)).options)
    except FormatError:
        return False


def _is_counted(text: str) -> bool:
    try:
        parse_counted(text)
    except FormatError:
        return False
    return True


def _starts_like_table(lines: list[str]) -> bool:
    """Return whether these are the names of the items, and an option with its name or its cells."""
    if len(lines) < 2:
        return lines != [] and lines[0].startswith((",", ";"))
    separator = find_separator(lines[0])
    try:
        header, row = (split_line(line, separator) for line in lines)
    except csv.Error:
        return False
    if len(row) < 2 or (is_row(header) and is_cell(header[0])):
        return False
    n_cells = sum(map(is_cell, row[1:]))
    if separator is not None:
        return 2 * n_cells >= len(row) - 1
    if n_cells < len(row) - 1:
        return False
    if is_row(header):
        return len(row) == len(header)
    n_titles = len(header) + is_cell(row[0])  # a column of names need not have a title
    return len(row) in (len(header), n_titles + 1) and not any(map(is_cell, header))
