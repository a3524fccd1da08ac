"""Given and forbidden options: the problem that remains when they are chosen or removed."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .problem import Problem, restrict


class ConflictError(ValueError):
    """Given options cannot be in one cover, because of an item that they share.

    Attributes
    ----------
    options : sequence of int
    item : int
    """

    def __init__(self, options: Sequence[int], item: int) -> None:
        super().__init__(f"options {options} share item {item}")
        self.options, self.item = options, item


def reduce_problem(
    problem: Problem, given: NDArray[np.int64], forbidden: NDArray[np.int64]
) -> tuple[Problem, NDArray[np.int64], NDArray[np.int64]]:
    """Choose some options of a problem and remove others.

    Items that reach their upper bound are removed, and so is each option that conflicts with a
    given one.

    Parameters
    ----------
    problem : Problem
    given, forbidden : ndarray of int64
        Option numbers without duplicates. Each given option has a primary item.

    Returns
    -------
    reduced : Problem
        The problem of completing the given options to a cover.
    option_numbers, item_numbers : ndarray of int64
        The numbers that the remaining options and items had in `problem`.

    Raises
    ------
    ConflictError
        If given options exclude each other.
    """
    n_options, n_primary, n_items = problem.n_options, problem.n_primary, problem.n_items
    option_of, items = problem.option_of_node(), problem.items
    color = np.zeros(len(items), np.int32) if problem.color is None else problem.color
    high = np.ones(n_items, np.int64)
    if problem.high is not None:
        high[:n_primary] = problem.high
    is_given = np.zeros(n_options, np.bool_)
    is_given[given] = True
    given_nodes = np.flatnonzero(is_given[option_of])
    n_uses = np.bincount(items[given_nodes], minlength=n_items)
    # A secondary item may be used any number of times if all options give it the same color.
    item_color = np.zeros(n_items, np.int32)
    item_color[items[given_nodes]] = color[given_nodes]
    same_color = np.ones(n_items, np.bool_)
    same_color[items[given_nodes][color[given_nodes] != item_color[items[given_nodes]]]] = False
    in_conflict = (n_uses > high) & ~(same_color & (item_color > 0))
    if np.any(in_conflict):
        item = int(np.argmax(in_conflict))
        raise ConflictError(option_of[given_nodes[items[given_nodes] == item]].tolist(), item)

    is_primary = np.arange(n_items) < n_primary
    is_full = (n_uses > 0) & (item_color == 0) & (~is_primary | (n_uses == high))
    keep_options = ~is_given
    keep_options[forbidden] = False
    keep_options[option_of[is_full[items]]] = False
    keep_options[option_of[(item_color[items] > 0) & (color != item_color[items])]] = False
    if problem.low is not None and problem.high is not None:
        problem = problem._replace(
            low=np.maximum(problem.low - n_uses[:n_primary], 0),
            high=problem.high - n_uses[:n_primary],
        )
    keep_items = ~is_full & (item_color == 0)
    return restrict(problem, keep_options, keep_items[items], keep_items)
