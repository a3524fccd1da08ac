"""Covers by the handful: a kernel that keeps what the search finds."""

import numpy as np

from ..jit.compile import kernel
from .algorithm_x import LEVEL, SOLUTION, SOLUTIONS, WANTED
from .searching import advance


@kernel
def gather(links, colors, bounds, dance, budget, most, nodes, ends):
    """Search for up to `most` further covers; note the nodes chosen for each behind the last.

    `ends` takes where each cover ends in `nodes`. Returns the last status of `advance`, and how
    many covers were found.
    """
    register, choice = dance.register, dance.choice
    end = 0
    for k in range(most):
        register[WANTED] = register[SOLUTIONS] + 1
        status = advance(links, colors, bounds, dance, budget)
        if status != SOLUTION:
            return status, k
        for level in range(register[LEVEL]):
            node = choice[np.uint32(level)]
            if node != 0:  # some option, not none
                nodes[end] = node
                end += 1
        ends[k] = end
    return SOLUTION, most
