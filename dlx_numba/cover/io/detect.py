"""Select the format of a text: by the extension of its file, or by one look at its first lines."""

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
from .mps import parse_mps
from .notation import content_lines
from .numbered import has_cost, parse_counted, parse_ec, parse_orlib
from .table import COMMENT_MARKS, SET, looks_like_table, parse_sets, parse_table

# A function of a text and of the name of its source
Parser = Callable[[str, str], Statement | NDArray[np.uint8]]

_OF_SUFFIX: dict[str, Parser] = {".dlx": parse_knuth, ".ec": parse_ec, ".mps": parse_mps}
N_LINES = 3  # of Knuth's format; the first two lines of a list may be single brackets

_REMOVE_BRACKETS = str.maketrans("", "", "[]{}")
_NAME = re.compile(r"[\s\[{]*[\"'][01 ,;]*[^01 ,;\"']")  # a string in a list that is not digits
_EC = re.compile(r"\s*p\s+ec\s+\S.*\s*")
_ROWS, _COLUMNS = (re.compile(rf"^{each}[^\S\n]*$", re.MULTILINE) for each in ("ROWS", "COLUMNS"))
_TWO_INTEGERS = re.compile(r"\s*-?[0-9]+\s+-?[0-9]+\s*")


def find_parser(text: str, suffix: str = "") -> Parser:
    r"""Return the parser of a text.

    The formats are tried in order: one that could be mistaken for another comes after it. A text
    that no format claims has an error in Knuth's format.

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
    if (rows := _ROWS.search(text)) and _COLUMNS.search(text, rows.end()):
        return parse_mps
    if suffix != ".csv" and looks_like_drawing(text):  # a name may consist of digits
        return parse_drawing
    lines = [line for _, line in islice(content_lines(text, COMMENT_MARKS), 2)]
    if lines and lines[0][0] not in ",;\t":
        if all(map(is_digits, lines)):
            return parse_matrix
        if all(is_digits(line.translate(_REMOVE_BRACKETS)) for line in lines):
            return parse_rows
    if suffix == ".csv":
        return parse_table
    numbered = (line for _, line in content_lines(text) if line.split()[0] != "c")
    if _EC.fullmatch(next(numbered, "")):
        return parse_ec
    knuth_lines = (line for _, line in islice(content_lines(text, "|"), N_LINES))
    if _is_valid(parse_knuth, "".join(knuth_lines)):
        return parse_knuth
    if lines and SET.fullmatch(lines[0]):
        return parse_sets
    if looks_like_arrays(text.encode()) and _NAME.match(text) is None:
        return parse_rows
    if text.lstrip().startswith(("{", "[")):
        return parse_json
    is_table = looks_like_table(text)
    first, *others = [line for _, line in islice(content_lines(text), 3)] or [""]
    if _TWO_INTEGERS.fullmatch(first):
        is_counted = _is_valid(parse_counted, text)
        has_costs = bool(others) and all(has_cost(line.split()) for line in others)
        if not is_counted and (has_costs or _is_valid(parse_orlib, text)):
            return parse_orlib
        if is_counted or not is_table:
            return parse_counted
    return parse_table if is_table else parse_knuth


def _is_valid(parse: Callable[[str], Statement], text: str) -> bool:
    """Return whether a text is valid in a format, and has options."""
    try:
        return bool(parse(text).options)
    except FormatError:
        return False
