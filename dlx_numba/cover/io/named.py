"""Exact cover problems whose options list items by name."""

from collections.abc import Container, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

OptionEntry = Any  # the name of an item, or a pair (name of a secondary item, color)


class NamedProblem(NamedTuple):
    """An exact cover problem with options by name."""

    primary: Sequence[Hashable] | None  # None: all items in the options that are not secondary
    secondary: Sequence[Hashable]
    options: Sequence[Sequence[OptionEntry]]
    multiplicity: Mapping[Hashable, tuple[int, int]]  # (low, high) of items, other than (1, 1)
    costs: Sequence[int] | None  # (options,); None if no option has a cost
    lines: Sequence[int] | None = None  # (options,) line numbers, from 1, in lines of text
    # (options,) the number of the option if it has no name; None if no option has a name
    option_names: Sequence[Hashable] | None = None


def split_entry(entry: OptionEntry, items: Container[Hashable]) -> tuple[Hashable, Hashable | None]:
    """Return the item and the color of an entry of a valid option; None means no color.

    An entry that is an item is not split, even if it is a pair.

    Examples
    --------
    >>> split_entry("a", {"a", "s"}), split_entry(("s", "red"), {"a", "s"})
    (('a', None), ('s', 'red'))
    """
    return (entry, None) if entry in items else entry


def as_text(name: object) -> str:
    """Return a name as text; the elements of a tuple are joined by commas.

    Examples
    --------
    >>> as_text("a"), as_text(("row", 3))
    ('a', 'row,3')
    """
    return ",".join(map(as_text, name)) if isinstance(name, tuple) else str(name)


def option_label(names: Sequence[Hashable] | None, option: int, start: int = 0) -> str:
    """Return the name of an option in quotes, or its number, counted from `start`, without a name.

    Examples
    --------
    >>> option_label(["S1", 1], 0), option_label(["S1", 1], 1), option_label(None, 7, start=1)
    ("'S1'", '1', '8')
    """
    if names is not None and 0 <= option < len(names) and names[option] != option:
        return repr(names[option])
    return str(option + start)


def find_duplicate(names: Sequence[Hashable]) -> int | None:
    """Return the index of the first name that appears a second time, or None."""
    seen: set[Hashable] = set()
    for k, name in enumerate(names):
        if name in seen:
            return k
        seen.add(name)
    return None
