"""Words for items whose names are tuples: `Lindh on Tue`, not `teacher+slot,Lindh,Tue`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from .cells import name_cell
from .names import Names, as_line, as_text

_DAY = re.compile(r"(mon|tue|wed|thu|fri|sat|sun|day )|\d{4}-\d\d-\d\d", re.IGNORECASE)
_CLOCK = re.compile(r"\d?\d:\d\d")


def item_words(names: Names) -> dict[str, str]:
    """Return words for the items of a table, and for tuples of a role and a name, or with a time.

    Items with the same words have the names of their columns, too.

    >>> items = [("teacher+slot", "Ng", "Mon"), ("room", 3), ("cell", 1, 2), "x"]
    >>> item_words(Names(items, [], []))
    {'teacher+slot,Ng,Mon': 'Ng on Mon', 'room,3': 'room 3'}
    """
    roles = names.table.roles if names.table else {}
    words: dict[str, str] = {}
    for item in names.items:
        if isinstance(item, tuple) and len(item) > 1 and isinstance(item[0], str):
            text = _join(roles.get(item[0], ()), *item)
            if text:
                words[as_line(item)] = text
    counts = Counter([*words.values(), *map(as_line, names.items)])
    return {
        name: name.replace(",", " ") if counts[text] > 1 else text for name, text in words.items()
    }


def call_items(names: Names, items: Iterable[Hashable]) -> list[str]:
    """Return what to call items: those of a table by the values of its columns."""
    words = item_words(names) if names.table else {}
    return [words.get(as_line(item), as_text(item)) for item in items]


def kind_words(names: Names, items: Sequence[Any]) -> str:
    """Return what to call several items of a table by their columns; "" if these differ.

    >>> from .rows import LongTable
    >>> table = LongTable({}, {"class": ("class",), "room+slot": ("room", "slot")})
    >>> names = Names([], [], [])._replace(table=table)
    >>> kind_words(names, [("class", "5a"), ("class", "5b")])
    'classes'
    >>> kind_words(names, [("room+slot", "A", 1), ("room+slot", "B", 2)])
    'pairs of room and slot'
    """
    roles = {item[0] for item in items if isinstance(item, tuple)}
    if names.table is None or len(roles) != 1 or not all(isinstance(item, tuple) for item in items):
        return ""
    cells_of_items = zip(*(item[1:] for item in items), strict=True)
    columns = zip(names.table.roles[roles.pop()], cells_of_items, strict=True)
    titles = [as_text(title) for title, cells in columns if len({*cells}) > 1]
    if len(titles) == 1:
        return _plural(titles[0])
    return f"{'pairs' if len(titles) == 2 else 'combinations'} of {' and '.join(titles)}"


def _plural(noun: str) -> str:
    """Return the plural of a noun that is the title of a column."""
    if re.search("[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return noun + ("es" if re.search("(s|x|ch|sh)$", noun) else "s")


def _join(titles: tuple[Any, ...], role: str, *values: Hashable) -> str:
    """Return the cells of an item, or the parts of its name, as words; "" if these say little.

    `titles` are those of its columns in a table; without a table, there are none. Then the role is
    the first word if there is one value, and several values say little unless the last is a time.
    """
    cells = [as_text(value) for value in values]
    if titles:
        cells = [name_cell(title, value) for title, value in zip(titles, values, strict=True)]
    elif len(cells) == 1:
        cells.insert(0, role)
    *first, last = cells
    link = "on " if _DAY.match(last) else "at " if _CLOCK.match(last) else ""
    if len(values) > 1 and not (titles or link):
        return ""
    return " ".join([*first, link + last]) if first else last
