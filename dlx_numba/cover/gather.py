"""Covers by the handful: a kernel that keeps what the search finds, and the way back to options."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dance import BUDGET, EXHAUSTED, LEVEL, SOLUTION, SOLUTIONS, UPDATES, WANTED
from ..drive import SLICE
from ..policy import kernel
from .searching import Search, advance

MOST = 1024  # covers that are gathered by one call,
MOST_NODES = 1 << 22  # where their nodes fit into so many


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


def covers(search: Search, indptr: NDArray[Any], limit: int) -> Iterator[list[int]]:
    """Yield up to `limit` covers as lists of options.

    `indptr` is that of the problem searched. The first cover is looked for alone, later ones in
    ever larger handfuls: neither one nor a million costs more than it must.
    """
    first_node, register = len(search.links.size), search.dance.register
    levels = len(search.dance.choice)
    handful = max(1, min(MOST, MOST_NODES // levels))
    nodes = np.empty(handful * levels, np.int32).view(np.uint32)
    ends = np.empty(handful, np.int64)
    most, status = 1, BUDGET
    while limit > 0 and status != EXHAUSTED:
        most = min(most, limit)
        status, found = gather(*search, register[UPDATES] + SLICE, most, nodes, ends)
        limit -= found
        most = min(2 * most, handful)
        if found:
            at = nodes[: ends[found - 1]].astype(np.int64) - first_node
            options = (np.searchsorted(indptr, at, side="right") - 1).tolist()
            begin = 0
            for end in ends[:found].tolist():
                yield options[begin:end]
                begin = end
