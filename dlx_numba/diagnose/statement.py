"""Find items that too few options contain, and name items in sentences."""

from collections.abc import Hashable, Iterable

import numpy as np

from ..cover.exact_cover import ExactCover
from ..cover.names import as_line
from ..cover.spelling import simplify_names, suggest
from ..kernels.problem import Problem
from ..runtime.text import plural

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


def count_options(problem: Problem) -> list[int]:
    """Return how many options contain each primary item."""
    counts: list[int] = np.bincount(problem.items, minlength=problem.n_items).tolist()
    return counts[: problem.n_primary]


def find_shortages(cover: ExactCover, max_items: int | None = None) -> dict[Name, str]:
    """Return the items that cannot be covered often enough, each with a sentence that says why.

    With `max_items`, only so many are returned.
    """
    problem, left = cover.problem, cover._selected.problem
    _, needed, _ = left.costs_and_bounds
    n_left = np.array(count_options(left), np.int64)
    short = np.flatnonzero(n_left < needed)[:max_items]
    if not len(short):
        return {}
    n_stated = dict(zip(cover.items, count_options(problem), strict=False))
    items = [cover._item_names[k] for k in short.tolist()]
    others = [name for name, n in n_stated.items() if n] + [*cover.items[len(n_stated) :]]
    known, same_label = simplify_names(others), dict[str, Name]()
    if {*map(type, others), *map(type, items)} not in ({int}, {str}):  # whose labels are distinct
        same_label = {label(other): other for other in others}
    shortages = dict[Name, str]()
    for item, n_options, n_needed in zip(
        items, n_left[short].tolist(), needed[short].tolist(), strict=True
    ):
        if n_options < n_stated[item]:
            cause = "the given and forbidden options exclude the others"
            left_over = f"has {plural(n_options, 'option')} left: {cause}."
            sentence = f"{label(item)} must be covered {n_needed:,} times more, but {left_over}"
            if not n_options:
                cause = "the only one" if n_stated[item] == 1 else f"all {n_stated[item]:,}"
                sentence = f"{label(item)} has no option left: the conditions exclude {cause}."
        elif n_options:
            only = f"only {plural(n_options, 'option')} contain{'s' * (n_options == 1)} it"
            sentence = f"{label(item)} must be covered {n_needed:,} times, but {only}."
        else:
            meant = suggest(item, known) or "."
            if (other := same_label.get(label(item))) is not None:
                meant = f"; did you mean the {type(other).__name__} {label(other)}?"
            sentence = f"{label(item)} has no option{meant}"
        shortages[item] = sentence
    return shortages
