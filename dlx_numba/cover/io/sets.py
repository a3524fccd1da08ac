"""Exact cover problems as sets by name, such as `S1 = {A, B}`."""

import re

from ...runtime.errors import FormatError
from .knuth import looks_like_knuth
from .named import NamedProblem
from .notation import parse_option_names

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
    lines = (match[0] for match in re.finditer(r"[^\r\n]+", text))
    first = next((line for line in lines if _has_set(line)), "")
    return _SET.fullmatch(first) is not None and not looks_like_knuth(text)


def parse_sets(text: str, source: str = "<text>") -> NamedProblem:
    r"""Parse a problem with an option on each line: its name, and the set of its items.

    Lines that start with ``#`` or ``|`` are comments; empty lines are ignored.

    Raises FormatError, which names the source and the line, if the text is not valid.

    Examples
    --------
    >>> problem = parse_sets("S1 = {A}\nS2 = {A, B}\n")
    >>> problem.option_names, problem.options
    (['S1', 'S2'], [['A'], ['A', 'B']])
    """
    lines: list[int] = []
    names: list[str] = []
    options: list[list[str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if _has_set(line):
            if (match := _SET.fullmatch(line)) is None:
                raise FormatError(source, number, "expected a set such as S1 = {A, B}")
            items = [item.strip() for item in match[2].split(",")] if match[2].strip() else []
            if "" in items:
                raise FormatError(source, number, "the name of an item is missing")
            lines.append(number)
            names.append(match[1])
            options.append(items)
    option_names = parse_option_names(names, lines, source)
    return NamedProblem(None, (), options, {}, None, lines, option_names)


def _has_set(line: str) -> bool:
    return line.strip() != "" and not line.startswith(_COMMENT_MARKS)
