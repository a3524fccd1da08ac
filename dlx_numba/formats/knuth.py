"""Exact cover problems in the text format of Knuth's programs DLX1 and DLX2."""

import re
from collections import Counter
from typing import NamedTuple

from .errors import FormatError


class KnuthProblem(NamedTuple):
    primary: list[str]
    secondary: list[str]
    options: list[list[str]]
    lines: list[int]  # the line of each option, from 1


def parse_knuth(text: str, source: str = "<text>") -> KnuthProblem:
    r"""The problem in `text`: a line of items, then a line of items for each option.

    `|` stands before the secondary items; lines that start with `|` are comments, and empty lines
    are passed over. Raises FormatError, which names the line.

    >>> parse_knuth("| a comment\na b | c\na c\nb")
    KnuthProblem(primary=['a', 'b'], secondary=['c'], options=[['a', 'c'], ['b']], lines=[3, 4])
    """
    numbered = (
        (number, names)
        for number, line in enumerate(text.splitlines(), 1)
        if (names := line.split()) and not line.startswith("|")
    )
    number, heads = next(numbered, (1, None))
    if heads is None:
        raise FormatError(source, number, "no line of items")
    primary, secondary = _split_items(heads, source, number)
    items = {*primary, *secondary}
    options, lines = [], []
    for number, option in numbered:
        # Sets compare an option at the speed of C; only a wrong one is looked at name by name.
        if not items.issuperset(option) or len(set(option)) < len(option):
            raise FormatError(source, number, _option_fault(option, items))
        options.append(option)
        lines.append(number)
    return KnuthProblem(primary, secondary, options, lines)


def _split_items(names: list[str], source: str, line: int) -> tuple[list[str], list[str]]:
    if names.count("|") > 1:
        raise FormatError(source, line, "more than one '|' among the items")
    seen: set[str] = set()
    for name in names:
        if fault := _extension(name):
            raise FormatError(source, line, fault)
        if name in seen:
            raise FormatError(source, line, f"item {name!r} is named twice")
        seen.add(name)
    if "|" not in names:
        return names, []
    bar = names.index("|")
    return names[:bar], names[bar + 1 :]


def _option_fault(option: list[str], items: set[str]) -> str:
    unknown = next((name for name in option if name not in items), None)
    if unknown is not None:
        return _extension(unknown) or f"unknown item {unknown!r}"
    return f"item {Counter(option).most_common(1)[0][0]!r} is twice in the option"


def _extension(name: str) -> str | None:
    """What of Knuth's later programs this name needs, if it does."""
    if re.fullmatch(r"\|\S+", name):
        return f"costs are not supported: {name!r}"
    if re.fullmatch(r"\d+(:\d+)?\|\S+", name):
        return f"multiplicities are not supported: {name!r}"
    if ":" in name:
        return f"colours are not supported: {name!r}"
    return None
