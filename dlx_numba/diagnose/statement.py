"""Find items that too few options contain."""

from collections.abc import Sequence
from difflib import get_close_matches

import numpy as np

from ..cover.exact_cover import ExactCover
from ..kernels.problem import Problem
from ..runtime.text import plural
from .phrases import Name, label

SIMILARITY = 0.8


def count_options(problem: Problem) -> list[int]:
    """Return how many options contain each primary item."""
    counts: list[int] = np.bincount(problem.items, minlength=problem.n_items).tolist()
    return counts[: problem.n_primary]


def find_shortages(cover: ExactCover) -> dict[Name, str]:
    """Return the items that cannot be covered often enough, each with a sentence that says why."""
    problem, left = cover.problem, cover._selected.problem
    n_stated = dict(zip(cover.items, count_options(problem), strict=False))
    _, needed, _ = left.costs_and_bounds
    shortages = {}
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
            others = [name for name, n in n_stated.items() if n] + [*cover.items[len(n_stated) :]]
            sentence = f"{label(item)} has no option{_suggest(item, others)}"
        shortages[item] = sentence
    return shortages


def _suggest(item: Name, others: Sequence[Name]) -> str:
    """Return the end of a sentence: a similar item, which may have been meant, if there is one."""
    of_text = {label(name).casefold().replace(" ", ""): name for name in others}
    text = label(item).casefold().replace(" ", "")
    similar = get_close_matches(text, of_text, 1, SIMILARITY)
    if not similar:
        return "."
    other = of_text[similar[0]]
    kind = f"the {type(other).__name__} " if label(other) == label(item) else ""
    return f"; did you mean {kind}{label(other)}?"
