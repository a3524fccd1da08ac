"""Exact cover problems in the text format of Knuth's programs DLX1, DLX2, DLX3 and DLX5."""

import re
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import NamedTuple

from ...runtime.errors import FormatError
from .named import Entry, NamedProblem, as_text, as_texts


class KnuthProblem(NamedTuple):
    """As `NamedProblem`, with lines."""

    primary: list[str]
    secondary: list[str]
    options: list[list[Entry]]
    lines: list[int]  # the line of each option, from 1
    multiplicity: Mapping[Hashable, tuple[int, int]]
    costs: list[int] | None


def parse_knuth(text: str, source: str = "<text>") -> KnuthProblem:
    r"""The problem in `text`: a line of items, then a line of items for each option.

    `|` stands before the secondary items; lines that start with `|` are comments, and empty lines
    are passed over. `item:colour` in an option gives a secondary item a colour, `|n` behind an
    item adds n to the option's cost; `low:high|item` or `high|item` in the line of items tells
    how often that item is to be covered. Raises FormatError, which names the line.

    >>> parse_knuth("| a comment\na b | c\na c\nb")[:4]
    (['a', 'b'], ['c'], [['a', 'c'], ['b']], [3, 4])
    >>> parse_knuth("1:2|a | c\na c:x |4\na c:y")[2:]
    ([['a', ('c', 'x')], ['a', ('c', 'y')]], [2, 3], {'a': (1, 2)}, [4, 0])
    """
    numbered = (
        (number, names)
        for number, line in enumerate(text.splitlines(), 1)
        if (names := line.split()) and not names[0].startswith("|")
    )
    number, heads = next(numbered, (1, None))
    if heads is None:
        raise FormatError(source, number, "no line of items")
    try:
        primary, secondary, multiplicity = _split_items(heads)
    except ValueError as fault:
        raise FormatError(source, number, str(fault)) from None
    items, optional = {*primary, *secondary}, set(secondary)
    options: list[list[Entry]] = []
    lines: list[int] = []
    costs: list[int | None] = []
    for number, words in numbered:
        # Sets compare an option at the speed of C; only an unusual one is looked at word by word.
        option, cost = list[Entry](words), None
        if not items.issuperset(words) or len(set(words)) < len(words):
            try:
                option, cost = _split_option(words, items, optional)
            except ValueError as fault:
                raise FormatError(source, number, str(fault)) from None
        options.append(option)
        lines.append(number)
        costs.append(cost)
    total = None if all(cost is None for cost in costs) else [cost or 0 for cost in costs]
    return KnuthProblem(primary, secondary, options, lines, multiplicity, total)


def _split_items(words: list[str]) -> tuple[list[str], list[str], dict[Hashable, tuple[int, int]]]:
    """The primary and secondary items, and the multiplicities. Raises ValueError."""
    names: list[str] = []
    multiplicity: dict[Hashable, tuple[int, int]] = {}
    n_primary = None
    for word in words:
        if word.startswith("|"):
            if n_primary is not None:
                raise ValueError("more than one '|' among the items")
            n_primary = len(names)
            word = word[1:]
            if not word:
                continue
        bounds, bar, name = word.rpartition("|")
        if bar:
            if n_primary is not None:
                raise ValueError(f"a secondary item has no multiplicity: {word!r}")
            multiplicity[name] = _bounds(bounds, word)
        if not name or ":" in name:
            raise ValueError(f"an item's name must not be empty nor have ':' in it: {word!r}")
        names.append(name)
    name, count = Counter(names).most_common(1)[0] if names else ("", 0)
    if count > 1:
        raise ValueError(f"item {name!r} is named twice")
    n_primary = len(names) if n_primary is None else n_primary
    return names[:n_primary], names[n_primary:], multiplicity


def _bounds(text: str, word: str) -> tuple[int, int]:
    match = re.fullmatch(r"(?:([0-9]+):)?([0-9]+)", text)
    if match is None:
        raise ValueError(f"a multiplicity is low:high|item or high|item, not {word!r}")
    high = int(match[2])
    low = high if match[1] is None else int(match[1])
    if high == 0:
        raise ValueError(f"the upper bound is 0: {word!r}")
    if low > high:
        raise ValueError(f"the lower bound is above the upper: {word!r}")
    return low, high


def _split_option(
    words: list[str], items: set[str], optional: set[str]
) -> tuple[list[Entry], int | None]:
    """The entries of an option, and its cost if it has any. Raises ValueError."""
    option: list[Entry] = []
    cost = None
    seen: set[str] = set()
    for word in words:
        if word.startswith("|"):
            if not re.fullmatch(r"\|[0-9]+", word):
                raise ValueError(f"a cost is '|' and a number, not {word!r}")
            cost = (cost or 0) + int(word[1:])
            continue
        item, colon, color = word.partition(":")
        if item not in items:
            raise ValueError(f"unknown item {item!r}")
        if item in seen:
            raise ValueError(f"item {item!r} is twice in the option")
        seen.add(item)
        if not colon:
            option.append(item)
            continue
        if item not in optional:
            raise ValueError(f"item {item!r} is primary, so it cannot have a colour: {word!r}")
        if not color:
            raise ValueError(f"no colour behind the colon: {word!r}")
        option.append((item, color))
    return option, cost


def format_knuth(problem: NamedProblem | KnuthProblem) -> str:
    """The problem as `parse_knuth` reads it. Names that are no strings are written by `as_text`.

    Raises ValueError where the format cannot hold it: an item without a proper name, a colour
    likewise, an empty option, no primary item.

    >>> options = [[("row", 1), ("s", "x")], ["b"]]
    >>> problem = NamedProblem([("row", 1), "b"], ["s"], options, {"b": (0, 1)}, [4, 0])
    >>> print(format_knuth(problem), end="")
    row,1 0:1|b | s
    row,1 s:x |4
    b
    """
    primary, secondary = list(problem.primary or ()), list(problem.secondary)
    if not primary:
        raise ValueError("a problem without primary items cannot be written as Knuth's text")
    names = [*primary, *secondary]
    written = dict(zip(names, as_texts(names), strict=True))
    for name, text in written.items():
        if not text or re.search(r"[\s:|]", text):
            raise ValueError(f"item {name!r} cannot be written: a name has no blank, ':' or '|'")
    heads = []
    for name in primary:
        low, high = problem.multiplicity.get(name, (1, 1))
        bounds = "" if low == high == 1 else f"{high}|" if low == high else f"{low}:{high}|"
        heads.append(bounds + written[name])
    if secondary:
        heads += ["|", *(written[name] for name in secondary)]
    lines = [" ".join(heads)]
    for number, option in enumerate(problem.options):
        if not option:
            raise ValueError(f"option {number} is empty, so it cannot be written as Knuth's text")
        parts = [
            written[entry] if entry in written else _colored(entry, written) for entry in option
        ]
        if problem.costs is not None and problem.costs[number]:
            parts.append(f"|{problem.costs[number]}")
        lines.append(" ".join(parts))
    return "\n".join(lines) + "\n"


def _colored(entry: Entry, written: dict[Hashable, str]) -> str:
    item, color = entry
    text = as_text(color)
    if not text or re.search(r"\s", text):
        raise ValueError(f"colour {color!r} cannot be written: it is empty or has a blank")
    return f"{written[item]}:{text}"
