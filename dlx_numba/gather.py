"""Covers by the handful: a kernel that keeps what the search finds, and the way back to options."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .dance import BUDGET, LEVEL, SOLUTION, SOLUTIONS, UPDATES, WANTED, Dance, search
from .drive import SLICE, Stop
from .policy import kernel
from .problem import Instance

MOST = 1024  # covers that are gathered by one call


@kernel
def gather(links, colors, dance, budget, most, nodes, ends):
    """Search for up to `most` further covers; note the nodes chosen for each behind the last.

    `ends` takes where each cover ends in `nodes`. Returns the last status of `search`, and how
    many covers were found.
    """
    register, choice = dance.register, dance.choice
    end = 0
    for k in range(most):
        register[WANTED] = register[SOLUTIONS] + 1
        status = search(links, colors, dance, budget)
        if status != SOLUTION:
            return status, k
        for level in range(register[LEVEL]):
            nodes[end + level] = choice[np.uint32(level)]
        end += register[LEVEL]
        ends[k] = end
    return SOLUTION, most


def covers(
    instance: Instance, dance: Dance, indptr: NDArray[Any], limit: int, stop: Stop
) -> Iterator[list[int]]:
    """Yield up to `limit` covers as sorted lists of options, until `stop()`.

    `instance` is a copy to work on; `indptr` is that of its problem. The first cover is looked for
    alone, later ones in ever larger handfuls: neither one nor a million costs more than it must.
    """
    first_node = len(instance.links.size)
    nodes = np.empty(MOST * len(dance.choice), np.int32).view(np.uint32)
    ends = np.empty(MOST, np.int64)
    most, status = 1, BUDGET
    while limit > 0 and (status == SOLUTION or (status == BUDGET and not stop())):
        most = min(most, limit)
        budget = dance.register[UPDATES] + SLICE
        status, found = gather(*instance, dance, budget, most, nodes, ends)
        limit -= found
        most = min(2 * most, MOST)
        if found:
            at = nodes[: ends[found - 1]].astype(np.int64) - first_node
            options = (np.searchsorted(indptr, at, side="right") - 1).tolist()
            begin = 0
            for end in ends[:found].tolist():
                yield sorted(options[begin:end])
                begin = end
