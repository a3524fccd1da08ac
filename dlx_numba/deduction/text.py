"""Steps in sentences."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from ..cover.names import MAX_LISTED, label
from .reason import Found, Link, Source


def join(labels: Iterable[str], last_word: str = "and") -> str:
    """Return a list in a sentence, whose end is left out if it is long.

    >>> join(["`a`", "`b`", "`c`"]), join("ab", "or")
    ('`a`, `b` and `c`', 'a or b')
    """
    words = list(labels)
    if len(words) > MAX_LISTED:
        words[MAX_LISTED:] = [f"{len(words) - MAX_LISTED:,} more"]
    *most, last = words
    return f"{', '.join(most)} {last_word} {last}" if most else last


def rounds(step: Found) -> Iterator[list[Link]]:
    """Yield the choices of each round of a chain."""
    for _, links in groupby(step.links, lambda link: link.round):
        yield [*links]


def describe(source: Source, step: Found) -> str:
    """Return a step in a sentence or two."""

    def item(number: int) -> str:
        match source.item_name(number):
            case ("cell", int(row), int(column)):
                return label(f"r{row}c{column}")
            case name:
                return label(name)

    def option(number: int) -> str:
        return label(source.option_name(number))

    items, lacks, n_needed = [*map(item, step.items)], source.lacks, step.n_needed
    removed = join(map(option, step.removed)) if step.removed else ""
    excludes = f" This excludes {removed}." if removed else ""
    if step.chosen is not None:
        count = "one option" if n_needed == 1 else f"only the {n_needed:,} options that it needs"
        when = "from the start" if source.n_stated(step.items[0]) == n_needed else "left"
        return f"{items[0]} has {count} {when}: {option(step.chosen)}.{excludes}"
    if step.kind == "conflict" and step.is_direct:
        shared = [item(number) for number in source.shared_items(step)]
        reason = f"contains {shared[0]}.{excludes}" if shared else f"excludes {removed}."
        return f"Each option that {items[0]} has left {reason}"
    if step.kind == "conflict":
        return f"With {removed}, {items[-1]} has {lacks}. So {removed} is excluded."
    if step.kind == "set":
        bases, covers = join(items[: step.size]), join(items[step.size :], "or")
        reason = f"Each option that {bases} have left contains {covers}, one each"
        return f"{reason}, so no other option can contain these.{excludes}"
    parts = []
    for k, links in enumerate(rounds(step)):
        choices = join(f"{option(link.option)} for {item(link.item)}" for link in links)
        parts.append(f"{'then' if k else 'that leaves'} {choices}")
    path = "; ".join(parts)
    return f"Suppose {removed}: {path}; but then {items[-1]} has {lacks}. So {removed} is excluded."
