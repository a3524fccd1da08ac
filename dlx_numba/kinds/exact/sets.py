"""Exact cover problems as sets, with names, such as `S1 = {A, B}`, or without."""

import re
from collections import Counter
from collections.abc import Hashable
from typing import Any

from ...cover.encode import Statement
from ...runtime.errors import AmbiguousError
from ...runtime.text import shorten
from .notation import (
    COMMENT_MARKS,
    HEAD_LENGTH,
    Lines,
    add_option,
    find_universe,
    first_lines,
    is_universe,
    starts_with_all,
    unquote_name,
)

_NAME_OF_SET = r"(\"[^\"\n]*\"|'[^'\n]*'|[^\s={}\[\]:]+(?::[^\s={}\[\]:]+)*)\s*(?::?=|:)\s*"
_UNIVERSE = rf"((?i:universe)\b)\s*(?:[:=]\s*)?(?:{_NAME_OF_SET})?"
_ELLIPSIS = re.compile(r"(?:-?\w+\s*)?(?:\.{2,}|…)(?:\s*-?\w+)?")
_BRACES = str.maketrans("[]", "{}")
# Rather several items than a name. Alternatives that share digits would take exponential time.
_WORDS = re.compile(r"(?:[^\W0-9]|[0-9]+)(?:\s+(?:[^\W0-9]|[0-9]+))+")
_SET = re.compile(
    rf"\s*(?:[-*•]\s+)?(?:{_UNIVERSE}|{_NAME_OF_SET})?\{{([^{{}}]*)\}}\s*(?:[,;.]\s*)?(?:and\b\s*)?"
)
# A set without braces, which only follows a universe
_BARE = re.compile(
    rf"(?P<name>\s*(?:[-*•]\s+)?(?:{_UNIVERSE}|{_NAME_OF_SET}))"
    r"(?=\S)(?P<opening>\[)?(?P<items>[^][{}=:]*)(?(opening)\])"
)
_HEADING = re.compile(r"\s*(?:sub)?sets:?\s*", re.IGNORECASE)
# The beginning of a collection: perhaps its name, its bracket, and the name of its first set
_COLLECTION = re.compile(
    r"^[ \t]*([^\s={}\[\]#|][^={}\[\]\n]*=\s*)?([\[{])"
    rf"(?=\s*(?:{_NAME_OF_SET})?(\[|\{{[^{{}}:=]*\}}))",
    re.MULTILINE,
)
# At the beginning, perhaps in a collection
_UNNAMED = re.compile(r"\s*(?:[\[{]\s*)?\{([^{}:\"'=]*)\}")
_TOKEN = re.compile(r"\{([^{}]*)\}|([][{}])|[^][\s,;{}]+")

_Set = tuple[int, str, list[str]]  # its line, its name, and its elements


def parse_sets(text: str, source: str = "<text>") -> Statement:
    r"""Parse a problem with options on each line: their names, and the sets of their items.

    The universe, if it is stated, is the set of all items. It is introduced by that word, or it is
    the first set, has the name ``U`` or ``X``, and contains all others; with the name ``S``, it may
    be an option, so this is an error. A set of the names of all other sets is their collection, and
    no option. The sets may stand in the braces or brackets of a collection, as in Python, perhaps
    after the universe. If the universe is the first line, the sets need no braces. Names with
    commas or several words may be quoted. Lines that start with ``#`` or ``|`` are comments; empty
    lines are ignored.

    Raises FormatError, which names the source and the line, if the text is not valid, or if a set
    may be the universe or an option.

    Examples
    --------
    >>> parse_sets("S1 = {A}\nS2 = {A, B}\n").options
    {'S1': ['A'], 'S2': ['A', 'B']}
    >>> parse_sets("U = {A, B, C}\nS1 = {A}\nS2 = {A, B}\n").items
    ['A', 'B', 'C']
    """
    options: dict[Hashable, Any] = {}
    n_above = None  # the lines above a collection
    if (found := _find_collection(text)) is not None:
        n_above = text.count("\n", 0, found.end())
        inner = text[found.end() :].rstrip(" \t\r\n,;")[:-1]
        text = text[: found.start()] + inner.translate(_BRACES)
    is_after_universe = _starts_with_universe(text)
    with Lines(text, source, COMMENT_MARKS) as lines:
        universe, sets, is_bare = _read_sets(lines, n_above, is_after_universe)
        sets = _without_collection(sets)
        place = find_universe([each[1:] for each in sets]) if universe is None else None
        if place is not None:
            lines.number, name, universe = sets.pop(place)
            if place > 0 or not sets or name == "S":
                reason = f"is {name} the universe or an option? Write 'universe = {{...}}' for the"
                raise AmbiguousError(f"{reason} set of all items, as the first line")
        if universe is None and is_bare:
            lines.number, name, _ = sets[0]
            raise ValueError(f"{name} does not contain all items, so it is no universe")
        for lines.number, name, items in sets:
            add_option(options, name, items)
    return Statement(options, universe)


def _read_sets(
    lines: Lines, n_above: int | None, is_after_universe: bool
) -> tuple[list[str] | None, list[_Set], bool]:
    """Return the universe, if it is introduced, the sets, and whether some have no braces.

    Sets in a collection need no names, and those after a universe no braces. A set above a
    collection, on the first `n_above` lines, is the universe. Raises ValueError for other lines.
    """
    universe: list[str] | None = None
    sets, is_bare = list[_Set](), False
    for line in lines:
        if is_after_universe and _HEADING.fullmatch(line):
            continue
        braced = _with_braces(line) if is_after_universe else line
        is_bare |= braced != line
        matches = _match_sets(braced)
        is_named = all(match[1] or match[3] for match in matches)
        if not matches or not (is_named or (n_above is not None and lines.number > n_above)):
            raise ValueError("expected a set such as S1 = {A, B}")
        for word, _, name, elements in (match.groups() for match in matches):
            items = _split_elements(elements) if elements.strip() else []
            if word is None:
                is_quoted = name is not None and name.startswith("'")
                name = f'"{name[1:-1]}"' if is_quoted else name or ""
                sets.append((lines.number, name, items))
            elif universe is not None:
                raise ValueError("a second universe")
            else:
                universe = items
    if above := [each for each in sets if n_above is not None and each[0] <= n_above]:
        lines.number = above[-1][0]
        if len(above) > 1 or universe is not None:
            raise ValueError("only one set, the universe, may stand above a collection")
        universe = sets.pop(0)[2]
    return universe, sets, is_bare


def _split_elements(text: str) -> list[str]:
    """Return the elements of a set, or raise ValueError. Commas in brackets or quotes are names."""
    elements: list[str] = []
    parts: list[str] = []
    depth = 0
    for part in map(str.strip, text.split(",")):
        parts.append(part)
        depth += part.count("(") - part.count(")")
        quote = parts[0][:1]
        is_quoted = quote in ("'", '"')
        if depth > 0 or (is_quoted and not (part.endswith(quote) and parts != [quote])):
            continue
        element = ",".join(parts)
        if is_quoted:
            element = unquote_name(f'"{element[1:-1]}"')
        elif _ELLIPSIS.fullmatch(element):
            raise ValueError(f"{element!r} abbreviates a list: write all of its items")
        elif ";" in element or _WORDS.fullmatch(element):
            raise ValueError(f"separate the items in {element!r} with commas, or quote the name")
        if not element:
            raise ValueError("the name of an item is missing")
        elements.append(element)
        parts, depth = [], 0
    if parts:
        raise ValueError(f"a bracket or a quote is not closed: {shorten(','.join(parts))!r}")
    return elements


def _without_collection(sets: list[_Set]) -> list[_Set]:
    """Return the sets without that of the names of all others, such as S = {A, B}."""
    n_uses = Counter(item for _, _, items in sets for item in items)
    names = {name for _, name, _ in sets if not is_universe(name)}
    for k, (_, name, items) in enumerate(sets):
        is_new = len(items) + 1 >= len(names) > 1 and max(map(n_uses.__getitem__, items)) == 1
        if is_new and {*items} == names - {name}:
            return sets[:k] + sets[k + 1 :]
    return sets


def looks_like_sets(text: str) -> bool:
    """Return whether the first line of a text consists of sets with names, or a collection does.

    >>> texts = "A = {1}\\n", "- A: {1}\\n", "{1, 2}\\n", "{'A': {1, 2}}", "Y = [{1}, {2, 3}]"
    >>> [looks_like_sets(text) for text in texts]
    [True, True, False, True, True]
    """
    head = "".join(first_lines(text, 1, COMMENT_MARKS))
    matches = _match_sets(head)
    is_named = matches != [] and all(match[1] or match[3] for match in matches)
    return is_named or _starts_with_universe(text) or _find_collection(text) is not None


def _starts_with_universe(text: str) -> bool:
    """Return whether the first line is the universe, perhaps without braces.

    `U: Mon Tue` may also be a person and days, so such a name needs braces or an equals sign.

    >>> lines = "Universe: 1 2", "U = [1, 2]", "U: {1, 2}", "U: 1 2", "A = 1 2"
    >>> [_starts_with_universe(f"{line}\\n") for line in lines]
    [True, True, True, False, False]
    """
    head = "".join(first_lines(text, 1, COMMENT_MARKS))
    for word, _, name, _ in (match.groups() for match in _match_sets(_with_braces(head))[:1]):
        is_own = is_universe(name or "") and re.search("[={]", head) is not None
        return word is not None or is_own
    return False


def _with_braces(line: str) -> str:
    """Return a line with braces around a set without them, such as `A: 1 2` or `A = [1, 2]`."""
    if (found := _BARE.fullmatch(line.rstrip(" \t\r\n,;."))) is None:
        return line
    items = found["items"]
    return f"{found['name']}{{{items if ',' in items else ','.join(items.split())}}}"


def _find_collection(text: str) -> re.Match[str] | None:
    """Return the beginning of a collection of sets; None if it could be JSON, or a board.

    It has a name, or what JSON has not: a number as the name of a set, or a set in braces. Lists
    without names only follow a first set.
    """
    has_brackets = "{" in text or "[" in text  # a fast path
    found = _COLLECTION.search(text, 0, HEAD_LENGTH) if has_brackets else None
    if found is None:
        return None
    name, bracket, key, opening = found.groups()
    if above := first_lines(text[: found.start()], 1, COMMENT_MARKS):
        is_own = _match_sets(above[0]) != []
    elif key is None:
        is_own = bracket == "[" != opening and name is not None
    else:
        is_own = opening != "[" or name is not None or key.isdigit()
    return found if is_own else None


def _match_sets(line: str) -> list[re.Match[str]]:
    """Return the sets on a line; none if it contains anything else."""
    matches, end = list[re.Match[str]](), 0
    if "\\{" in line:  # in LaTeX
        line = re.sub(r"\\(?=[{}])|\$", "", line)
    while match := _SET.match(line, end):
        matches.append(match)
        end = match.end()
    return matches if end == len(line) else []


def parse_unnamed_sets(text: str, source: str = "<text>") -> Statement:
    r"""Parse a problem whose options are sets without names, perhaps in the braces of a collection.

    A set before the collection is the universe, the set of all items. Elements are separated by
    commas or by spaces. Lines that start with ``#`` or ``|`` are comments.

    Raises FormatError, which names the source and the line, if the text is not valid, or if the
    first set may be the universe or an option.

    Examples
    --------
    >>> parse_unnamed_sets("{1, 2}\n{3}\n").options
    [['1', '2'], ['3']]
    >>> parse_unnamed_sets("{ 1 2 3 }\n{\n  { 1 2 }\n  { 3 }\n}\n")[:2]
    ([['1', '2'], ['3']], ['1', '2', '3'])
    """
    universe: list[str] | None = None
    options = list[list[str]]()
    is_open: bool | None = None  # the collection; None if there is none so far
    with Lines(text, source, COMMENT_MARKS) as lines:
        for line in lines:
            for token in _TOKEN.finditer(line):
                elements, brace = token.groups()
                if elements is not None and is_open is not False:
                    split = _split_elements if "," in elements else str.split
                    options.append(split(elements) if elements.strip() else [])
                elif brace in ("{", "[") and is_open is None and len(options) < 2:
                    universe, is_open = options.pop() if options else None, True
                elif brace in ("}", "]") and is_open:
                    is_open = False
                else:
                    raise ValueError(f"expected a set such as {{A, B}}, not {shorten(token[0])!r}")
        if is_open:
            raise ValueError("the braces of the collection are not closed")
        if universe is None and starts_with_all(options):
            reason = "is the first set the universe or an option? Write 'universe ='"
            advice = "before the set of all items, and a name before each option"
            raise AmbiguousError(f"{reason} {advice}")
    return Statement(options, universe)


def looks_like_unnamed_sets(text: str) -> bool:
    """Return whether a text starts with a set that is not a row of a matrix.

    >>> texts = "{1, 4}\\n", "{{1, 2, 1}, {0, 1, 1}}", "{1: 2}"
    >>> [looks_like_unnamed_sets(text) for text in texts]
    [True, False, False]
    """
    head = "".join(first_lines(text, 8, COMMENT_MARKS))
    words = {*re.split(r"[\s,{}]+", head.lower())}
    return _UNNAMED.match(head) is not None and not words <= {"", *"012", "true", "false"}
