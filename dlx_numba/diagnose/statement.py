"""Find items that too few options contain, and name items in sentences."""

from collections.abc import Hashable, Iterable, Sequence
from difflib import get_close_matches

import numpy as np

from ..cover.exact_cover import ExactCover
from ..cover.names import as_line
from ..kernels.problem import Problem
from ..runtime.interrupts import Stop
from ..runtime.text import plural

Name = Hashable
MAX_LISTED = 10  # names in a sentence
SIMILARITY = 0.8
NAMES_PER_SLICE = 512  # compared between two checks of `stop`
MAX_NAMES = 1 << 14  # compared for all items together, but all names for the first item


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


def find_shortages(cover: ExactCover, stop: Stop) -> dict[Name, str]:
    """Return the items that cannot be covered often enough, each with a sentence that says why.

    Only the first sentences suggest another name, as a comparison with all names takes long.
    """
    problem, left = cover.problem, cover._selected.problem
    n_stated = dict(zip(cover.items, count_options(problem), strict=False))
    _, needed, _ = left.costs_and_bounds
    others = [name for name, n in n_stated.items() if n] + [*cover.items[len(n_stated) :]]
    n_suggestions = max(1, min(MAX_LISTED, MAX_NAMES // (len(others) + 1)))
    shortages = dict[Name, str]()
    for item, n_options, n_needed in zip(
        cover._item_names, count_options(left), needed.tolist(), strict=False
    ):
        if n_options >= n_needed:
            continue
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
            known = others if n_suggestions > 0 else []
            n_suggestions -= 1
            sentence = f"{label(item)} has no option{_suggest(item, known, stop)}"
        shortages[item] = sentence
    return shortages


def _suggest(item: Name, others: Sequence[Name], stop: Stop) -> str:
    """Return the end of a sentence: a similar item, which may have been meant, if there is one."""
    of_text = {_simplify(name): name for name in others}
    text, texts, similar = _simplify(item), [*of_text], list[str]()
    for begin in range(0, len(texts), NAMES_PER_SLICE):
        if stop():
            break
        names = [*similar, *texts[begin : begin + NAMES_PER_SLICE]]
        similar = get_close_matches(text, names, 1, SIMILARITY)
    if not similar:
        return "."
    other = of_text[similar[0]]
    kind = f"the {type(other).__name__} " if label(other) == label(item) else ""
    return f"; did you mean {kind}{label(other)}?"


def _simplify(name: Name) -> str:
    """Return a name without what names often differ by."""
    return label(name).casefold().replace(" ", "")
