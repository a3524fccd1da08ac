"""Exact cover problems as sets by name, such as `S1 = {A, B}`."""

import re

from ...runtime.errors import FormatError
from ..encode import Statement
from .knuth import looks_like_knuth
from .notation import content_lines, name_options

_COMMENT_MARKS = ("#", "|")
_SET = re.compile(r"\s*([^\s={}\[\]]+)\s*=\s*\{([^{}]*)\}\s*[,;]?\s*")


def looks_like_sets(text: str) -> bool:
    r"""Return whether the first line of the text, without comments, is a set.

    This is false for all valid problems in Knuth's format that have options.

    Examples
    --------
    >>> looks_like_sets("S1 = {A, B}\n"), looks_like_sets("int[][] c = {{1}}")
    (True, False)
    """
    _, first = next(content_lines(text, _COMMENT_MARKS), (1, ""))
    return _SET.fullmatch(first) is not None and not looks_like_knuth(text)


def parse_sets(text: str, source: str = "<text>") -> Statement:
    r"""Parse a problem with an option on each line: its name, and the set of its items.

    Lines that start with ``#`` or ``|`` are comments; empty lines are ignored.

    Raises FormatError, which names the source and the line, if the text is not valid.

    Examples
    --------
    >>> parse_sets("S1 = {A}\nS2 = {A, B}\n")
    {'options': {'S1': ['A'], 'S2': ['A', 'B']}}
    """
    lines: list[int] = []
    names: list[str] = []
    options: list[list[str]] = []
    for number, line in content_lines(text, _COMMENT_MARKS):
        if (match := _SET.fullmatch(line)) is None:
            raise FormatError(source, number, "expected a set such as S1 = {A, B}")
        items = [item.strip() for item in match[2].split(",")] if match[2].strip() else []
        if "" in items:
            raise FormatError(source, number, "the name of an item is missing")
        lines.append(number)
        names.append(match[1])
        options.append(items)
    return {"options": name_options(options, names, lines, source)}
