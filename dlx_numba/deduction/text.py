"""Steps in sentences."""

from collections.abc import Callable, Iterable
from itertools import groupby

from ..cover.names import MAX_LISTED, label
from .reason import Found, Link

Name = Callable[[int], object]  # of the item or the option with this number


def join(labels: Iterable[str]) -> str:
    """Return a list in a sentence, whose end is left out if it is long.

    >>> join(["`a`", "`b`", "`c`"])
    '`a`, `b` and `c`'
    """
    words = list(labels)
    if len(words) > MAX_LISTED:
        words[MAX_LISTED:] = [f"{len(words) - MAX_LISTED:,} more"]
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def describe(step: Found, item: Name, option: Name, lacks: str, n_needed: int = 1) -> str:
    """Return a step in a sentence or two.

    Parameters
    ----------
    step
        The step.
    item, option
        Return the names of items and of options.
    lacks
        What an item that cannot be covered has, such as "no option left".
    n_needed
        The number of options that the item of a choice needs.
    """
    items = [label(item(k)) for k in step.items]
    removed = join(label(option(k)) for k in step.removed) if step.removed else ""
    excludes = f" This excludes {removed}." if removed else ""
    if step.chosen is not None:
        count = "one option" if n_needed == 1 else f"only the {n_needed:,} options that it needs"
        return f"{items[0]} has {count} left: {label(option(step.chosen))}.{excludes}"
    if step.kind == "conflict" and step.is_direct:
        return f"Each option of {items[0]} excludes {removed}."
    if step.kind == "conflict":
        return f"With {removed}, {items[-1]} has {lacks}. So {removed} is excluded."
    if step.kind == "set":
        bases, covers = join(items[: step.size]), join(items[step.size :])
        reason = "each option of the former contains one of the latter"
        return f"{bases} use up {covers}: {reason}.{excludes}"
    parts = []
    for k, links in groupby(step.links, lambda link: link.round):
        choices = join(_state(link, item, option) for link in links)
        parts.append(f"{'then' if k > 1 else 'that leaves'} {choices}")
    path = "; ".join(parts)
    return f"Suppose {removed}: {path}; but then {items[-1]} has {lacks}. So {removed} is excluded."


def _state(link: Link, item: Name, option: Name) -> str:
    return f"{label(option(link.option))} for {label(item(link.item))}"
