"""Phrases of diagnoses."""

from collections.abc import Hashable, Iterable

from ..cover.names import as_line

Name = Hashable
MAX_LISTED = 10  # names in a sentence


def label(name: Name) -> str:
    """Return the name of an item or option in a sentence.

    >>> label("Tue"), label((2, 3))
    ('`Tue`', '`2,3`')
    """
    return f"`{as_line(name)}`"


def listing(names: Iterable[Name], max_listed: int = MAX_LISTED) -> str:
    """Return names as a list, whose end is left out if it is long.

    >>> listing("ab"), listing("abc", 2)
    ('`a`, `b`', '`a`, `b` and 1 more')
    """
    labels = [label(name) for name in names]
    n_more = len(labels) - max_listed
    return ", ".join(labels[:max_listed]) + (f" and {n_more:,} more" if n_more > 0 else "")
