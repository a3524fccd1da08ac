"""Steps in sentences."""

from collections.abc import Iterable
from itertools import groupby

from ..cover.names import MAX_LISTED, label
from .reason import Found, Source


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


def describe(source: Source, step: Found) -> str:
    """Return a step in a sentence or two."""

    def item(number: int) -> str:
        return label(source.item_name(number))

    def option(number: int) -> str:
        return label(source.option_name(number))

    items, lacks, n_needed = [*map(item, step.items)], source.lacks, step.n_needed
    removed = join(map(option, step.removed)) if step.removed else ""
    excludes = f" This excludes {removed}." if removed else ""
    if step.chosen is not None:
        count = "one option" if n_needed == 1 else f"only the {n_needed:,} options that it needs"
        return f"{items[0]} has {count} left: {option(step.chosen)}.{excludes}"
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
        choices = join(f"{option(k)} for {item(own)}" for _, own, k in links)
        parts.append(f"{'then' if k > 1 else 'that leaves'} {choices}")
    path = "; ".join(parts)
    return f"Suppose {removed}: {path}; but then {items[-1]} has {lacks}. So {removed} is excluded."
