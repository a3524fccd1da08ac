"""Exact cover problems as sets with names, such as `S1 = {A, B}`."""

import re
from collections import Counter
from collections.abc import Hashable
from itertools import chain, islice
from typing import Any
from unicodedata import normalize

from ...cover.encode import Formulation
from ...runtime.text import shorten
from .notation import (
    COMMENT_MARKS,
    HEAD_LENGTH,
    TextLines,
    add_option,
    find_universe,
    unless_numbered,
    unquote_name,
)

_SET = re.compile(
    r"\s*(?:(?P<word>(?i:universe))(?![^\s=])\s*)?"
    r"(?:(?P<name>\"[^\"\n]*\"|[^\s={}\[\]:;,]+)\s*)?=\s*"
    r"\{(?P<items>[^{}]*)\}\s*(?:[,;]\s*|\Z)"
)
_ELLIPSIS = re.compile(r"(?:-?\w+\s*)?(?:\.{2,}|…)(?:\s*-?\w+)?")
# Rather several items than a name. Alternatives that share digits would take exponential time.
_WORDS = re.compile(r"(?:[^\W0-9]|[0-9]+)(?:\s+(?:[^\W0-9]|[0-9]+))+")

_TITLE = re.compile(r"[^={}\[\]:]+:?")
_LETTER = re.compile(r"[^\W\d_]")

_Set = tuple[int, str, list[str]]  # its line, its name, and its elements


def parse_sets(text: str, source: str = "<text>") -> Formulation:
    r"""Parse a problem with options on each line: their names, and the sets of their items.

    The universe, if there is one, is the set of all items, after that word. So is a first set U or
    X that contains all others, which a notice says. Another set that contains all others and is
    named like a universe is an error, and so is one that consists of names of sets which are no
    items elsewhere. Names with commas or several words may be quoted. Lines that start
    with ``#`` or ``|`` are comments; empty lines are ignored, and so is a title above the sets.

    Raises FormatError, which names the source and the line, if the text is not valid.

    Examples
    --------
    >>> parse_sets("S1 = {A}\nS2 = {A, B}\n").options
    {'S1': ['A'], 'S2': ['A', 'B']}
    >>> parse_sets("universe = {A, B, C}\nS1 = {A}\nS2 = {A, B}\n").items
    ['A', 'B', 'C']
    """
    universe: list[str] | None = None
    sets: list[_Set] = []  # the line, the name and the items of each
    options: dict[Hashable, Any] = {}
    with TextLines(text, source, COMMENT_MARKS) as lines:
        title = ""
        for line in lines:
            if not (title or sets or universe) and _is_title(line):
                title = line.strip()
                continue
            for found in _match_sets(line):
                items = _split_elements(found["items"]) if found["items"].strip() else []
                if found["word"] is None:
                    sets.append((lines.number, found["name"], items))
                elif universe is not None:
                    raise ValueError("a second universe")
                else:
                    universe = items
        if not sets:
            raise ValueError("expected a set such as S1 = {A, B}")
        universe_index = find_universe([each[1:] for each in sets]) if universe is None else None
        if universe_index == 0 and len(sets) > 1 and normalize("NFKC", sets[0][1]) in ("U", "X"):
            _, name, universe = sets.pop(0)
            lines.warn(f"{name} contains all others, so it is the universe, and no option")
        elif universe_index is not None:
            lines.number, name, _ = sets[universe_index]  # the error names this line
            raise ValueError(
                f"is {name} the universe or an option? Write 'universe = {{...}}' for the "
                "set of all items, as the first line"
            )
        for _, name, items in lines.follow(sets):
            add_option(options, name, items)
        if title and not {*re.split(r"[\s,;]+", title)}.isdisjoint(chain(*options.values())):
            lines.number = sets[0][0]
            raise ValueError(f"is the line {title!r} above the sets a title, or a list of items?")
        n_uses = Counter(item for each in (universe or [], *options.values()) for item in each)
        for _, name, items in lines.follow(sets):
            # A set whose items are the names of all others is no option.
            is_new = all(n_uses[item] == 1 for item in items)
            if is_new and len(items) > 1 and options.keys() >= {*items}:
                raise ValueError(
                    f"{name} has names of sets: leave it out if it is their collection"
                )
    return Formulation(unless_numbered(options), universe)


def starts_with_set(text: str) -> bool:
    r"""Return whether the first line of a text, or the one below a title, consists of named sets.

    Comments are ignored.

    >>> texts = "# two\nA = {1}\n", "My sets\nA = {1}\n", "{1, 2}\n", "A = [1]\n"
    >>> [starts_with_set(text) for text in texts]
    [True, True, False, False]
    """
    lines = [*islice(TextLines(text[:HEAD_LENGTH], "", COMMENT_MARKS), 2)]
    if len(lines) == 2 and _is_title(lines[0]):
        lines = lines[1:]
    try:
        return bool(_match_sets(lines[0] if lines else ""))
    except ValueError:
        return False


def _is_title(line: str) -> bool:
    """Return whether a line has words, and nothing of sets."""
    text = line.strip()
    return _TITLE.fullmatch(text) is not None and _LETTER.search(text) is not None


def _match_sets(line: str) -> list[re.Match[str]]:
    """Return the sets on a line. Raises ValueError if it has none, or contains anything else."""
    matches: list[re.Match[str]] = []
    end = 0
    while match := _SET.match(line, end):
        if match["word"] is match["name"] is None:
            break
        matches.append(match)
        end = match.end()
    if end < len(line) or not matches:
        raise ValueError("expected a set such as S1 = {A, B}")
    return matches


def _split_elements(text: str) -> list[str]:
    """Return the elements of a set, or raise ValueError.

    A comma in brackets or quotes is a part of a name: `parts` has what is read of such a name, and
    `written` with blanks, which belong to names in quotes.
    """
    elements: list[str] = []
    parts: list[str] = []
    written: list[str] = []
    depth = 0
    for raw in text.split(","):
        part = raw.strip()
        parts.append(part)
        written.append(raw)
        depth += part.count("(") - part.count(")")
        quote = parts[0][:1]
        is_quoted = quote in ("'", '"')
        if depth > 0 or (is_quoted and not (part.endswith(quote) and parts != [quote])):
            continue
        element = ",".join(parts)
        if is_quoted:
            quoted = ",".join(written).strip()
            element = unquote_name(f'"{quoted[1:-1]}"')
        elif _ELLIPSIS.fullmatch(element):
            raise ValueError(f"{element!r} abbreviates a list: write all of its items")
        elif ";" in element or _WORDS.fullmatch(element):
            raise ValueError(f"separate the items in {element!r} with commas, or quote the name")
        if not element:
            raise ValueError("the name of an item is missing")
        elements.append(element)
        parts = []
        written = []
        depth = 0
    if parts:
        raise ValueError(f"a bracket or a quote is not closed: {shorten(','.join(parts))!r}")
    return elements
