"""Find items that too few options contain."""

from itertools import compress

import numpy as np
from numpy.typing import NDArray

from ..cover.names import MAX_LISTED, Name, label
from ..cover.spelling import simplify_names, suggest
from ..cover.stated import Stated
from ..kernels.problem import Problem
from ..runtime.text import plural


def count_options(problem: Problem) -> NDArray[np.int64]:
    """Return how many options contain each primary item."""
    return np.bincount(problem.items, minlength=problem.n_items)[: problem.n_primary]


def find_shortages(stated: Stated, max_items: int | None = None) -> tuple[list[Name], str]:
    """Return the items that cannot be covered often enough, and sentences that say why.

    With `max_items`, only so many are returned.
    """
    problem, left = stated.problem, stated.selected.problem
    _, needed, _ = left.costs_and_bounds
    n_left = count_options(left)
    short = np.flatnonzero(n_left < needed)[:max_items]
    if not len(short):
        return [], ""
    names, n_stated = stated.names.items, count_options(problem)
    items = [stated.items_left[k] for k in short.tolist()]
    is_used = np.append(n_stated > 0, np.ones(problem.n_secondary, np.bool_))
    others = [] if isinstance(names, range) else list(compress(names, is_used.tolist()))
    known, same_label = simplify_names(others), dict[str, Name]()
    if {*map(type, others), *map(type, items)} not in ({int}, {str}):  # whose labels are distinct
        same_label = {label(other): other for other in others}
    sentences = []
    for item, k in zip(items[:MAX_LISTED], short.tolist(), strict=False):
        n_options, n_before = int(n_left[k]), int(n_stated[names.index(item)])
        if n_options < n_before:
            cause = "the given and forbidden options exclude the others"
            left_over = f"has {plural(n_options, 'option')} left: {cause}."
            sentence = f"{label(item)} must be covered {needed[k]:,} times more, but {left_over}"
            if not n_options:
                cause = "the only one" if n_before == 1 else f"all {n_before:,}"
                sentence = f"{label(item)} has no option left: the conditions exclude {cause}."
        elif n_options:
            only = f"only {plural(n_options, 'option')} contain{'s' * (n_options == 1)} it"
            sentence = f"{label(item)} must be covered {needed[k]:,} times, but {only}."
        else:
            meant = suggest(item, known) or "."
            if (other := same_label.get(label(item))) is not None:
                meant = f"; did you mean the {type(other).__name__} {label(other)}?"
            sentence = f"{label(item)} has no option{meant}"
        sentences.append(sentence)
    if n_more := len(items) - len(sentences):
        sentences.append(f"Too few options contain {plural(n_more, 'more item')}.")
    return items, "\n".join(sentences)
