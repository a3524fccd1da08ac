"""Enforce consistency of colors: find options that no option of some primary item supports.

The kernels are those with which Algorithm M keeps colors consistent; see `dlx.supports`.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .dlx.algorithm_m import link_bounded
from .dlx.supports import apply_supports, count_again, count_support_rows, with_supports
from .problem import Problem

MAX_STEPS = 1 << 27  # along the options of secondary items, once for each color: 0.2 seconds


def consistent_options(
    problem: Problem, stop: Callable[[], bool] = lambda: False
) -> NDArray[np.int64]:
    """Return the options that remain when those without support are removed.

    If that shows that there is no cover, none remains. All options remain if there are no colors,
    if this would take long, or if `stop` ends the call.
    """
    all_options = np.arange(problem.n_options)
    if not count_support_rows(problem) or _count_steps(problem) > MAX_STEPS or stop():
        return all_options
    links, colors, bounds = link_bounded(problem)
    try:
        bounds = with_supports(bounds, problem)
    except ValueError:  # there are too many
        return all_options
    if stop():
        return all_options
    trail = np.zeros(len(links.column), np.uint32)
    start = np.uint32(0)
    count_again(bounds, trail, start)
    end, is_possible, _ = apply_supports(links, colors, bounds, trail, start, True)
    is_kept = np.full(problem.n_options, is_possible)  # none if there is no cover
    # The hidden nodes, as positions in `items`: options follow the nodes of the root and the items.
    is_kept[problem.option_of_node()[trail[:end] - len(links.size)]] = False
    kept: NDArray[np.int64] = all_options[is_kept]
    return kept


def _count_steps(problem: Problem) -> int:
    """Return the sum of the numbers of options of the secondary items, times those of colors."""
    assert problem.color is not None
    items = problem.items.astype(np.int64)
    n_colors = int(problem.color.max()) + 1
    groups = np.unique(items * n_colors + problem.color) // n_colors
    n_options, n_groups = (np.bincount(each, minlength=problem.n_items) for each in (items, groups))
    return int(n_options[problem.n_primary :] @ n_groups[problem.n_primary :])
