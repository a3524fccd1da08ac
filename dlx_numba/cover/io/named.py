"""Exact cover problems whose options list items by name, and names as text."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

OptionEntry = Any  # the name of an item, or a pair (name of a secondary item, color)


class NamedProblem(NamedTuple):
    """An exact cover problem with options by name."""

    primary: Sequence[Hashable] | None  # None: all items in the options that are not secondary
    secondary: Sequence[Hashable]
    options: Sequence[Sequence[OptionEntry]]
    multiplicity: Mapping[Hashable, tuple[int, int]]  # (low, high) of items, other than (1, 1)
    costs: Sequence[int] | None  # (options,); None if no option has a cost
    lines: Sequence[int] | None = None  # (options,) line numbers, from 1, in Knuth's format


def as_text(name: object) -> str:
    """Return a name as text; the elements of a tuple are joined by commas.

    Examples
    --------
    >>> as_text("a"), as_text(("row", 3))
    ('a', 'row,3')
    """
    return ",".join(map(as_text, name)) if isinstance(name, tuple) else str(name)
