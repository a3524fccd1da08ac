"""Options that are given or forbidden, and what they leave of a problem."""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from .problem import Problem, restrict


class Conflict(ValueError):
    """Given options that no cover can have together, because of an item they share."""

    def __init__(self, options: Sequence[int], item: Hashable) -> None:
        numbers = " and ".join(map(str, options))
        super().__init__(f"given options {numbers} cannot be in one cover: both have item {item!r}")


def reduce_problem(
    problem: Problem,
    given: NDArray[np.int64],
    forbidden: NDArray[np.int64],
    names: Sequence[Hashable],
) -> tuple[Problem, NDArray[np.int64], NDArray[np.int64]]:
    """What is left to be covered, and the numbers that its options and its items had.

    `given` and `forbidden` are option numbers, each once; `names` are those of the items. Items
    that the given options fill are gone, and so is each option that is at odds with one of them.

    Raises Conflict where two given options are at odds with each other, ValueError where a given
    option has no primary item.
    """
    n_options, n_primary = problem.n_options, problem.n_primary
    n_items = n_primary + problem.n_secondary
    option_of, items = problem.option_of_node(), problem.items
    color = np.zeros(len(items), np.int32) if problem.color is None else problem.color
    high = np.ones(n_items, np.int64)
    if problem.high is not None:
        high[:n_primary] = problem.high
    is_given = np.zeros(n_options, np.bool_)
    is_given[given] = True
    chosen = np.flatnonzero(is_given[option_of])  # the nodes of the given options
    has_primary = np.zeros(n_options, np.bool_)
    has_primary[option_of[items < n_primary]] = True
    idle = np.flatnonzero(is_given & ~has_primary)
    if len(idle):
        raise ValueError(f"given option {idle[0]} has no primary item, so no cover has it")

    used = np.bincount(items[chosen], minlength=n_items)
    # Secondary items may be used often, where all give them one colour.
    shade = np.zeros(n_items, np.int32)
    shade[items[chosen]] = color[chosen]
    agree = np.ones(n_items, np.bool_)
    agree[items[chosen][color[chosen] != shade[items[chosen]]]] = False
    at_odds = (used > high) & ~(agree & (shade > 0))
    if np.any(at_odds):
        item = int(np.argmax(at_odds))
        raise Conflict(option_of[chosen[items[chosen] == item]].tolist(), names[item])

    primary = np.arange(n_items) < n_primary
    full = (used > 0) & (shade == 0) & (~primary | (used == high))
    keep_options = ~is_given
    keep_options[forbidden] = False
    keep_options[option_of[full[items]]] = False
    keep_options[option_of[(shade[items] > 0) & (color != shade[items])]] = False
    if problem.low is not None and problem.high is not None:
        problem = problem._replace(
            low=np.maximum(problem.low - used[:n_primary], 0), high=problem.high - used[:n_primary]
        )
    keep_items = ~full & (shade == 0)
    return restrict(problem, keep_options, keep_items[items], keep_items)
