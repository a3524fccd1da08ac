"""Divide a problem with costs, and its covers, into those of independent components."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..kernels.components import split_problem
from ..kernels.problem import Problem, ProblemPart, select_options
from ..kernels.reduce import add_slack_options, choose_slack_options
from ..runtime.lazy import LazySequence
from .node import CostedCover


def divide_problem(problem: Problem) -> tuple[LazySequence[ProblemPart], NDArray[np.int64]]:
    """Return the independent components of a problem, and the options that they number.

    If costs are negative, there is an option for each item that may stay uncovered.
    """
    if np.any(problem.costs < 0):
        problem = add_slack_options(problem)
    used = problem.usable_options()
    return split_problem(select_options(problem, used)), used


def divide_cover(
    problem: Problem, components: Sequence[NDArray[np.int64]], cover: list[int]
) -> list[CostedCover]:
    """Return the parts of a cover of a problem in the components of `divide_problem`.

    `components` are their options, as numbers of the problem with slack options.
    """
    if np.any(problem.costs < 0):
        cover = choose_slack_options(problem, cover)
        problem = add_slack_options(problem)
    owners = np.full(problem.n_options, -1)  # of options without primary items, which are unusable
    for k, options in enumerate(components):
        owners[options] = k
    parts: list[list[int]] = [[] for _ in components]
    for option in sorted(cover):
        if (owner := int(owners[option])) >= 0:
            parts[owner].append(option)
    return [(int(problem.costs[part].sum()), tuple(part)) for part in parts]
