"""Splitting subtrees until there are enough of them."""

import heapq
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count

from ..kernels.cover_array import Translation
from ..kernels.subtree import Subtree
from ..runtime.interrupts import UPDATES_PER_SLICE


def split_subtrees(
    subtrees: list[Subtree],
    candidates: Sequence[Subtree],
    n_wanted: int,
    translate: Translation,
    stop: Callable[[], object],
) -> None:
    """Split the largest candidate repeatedly until there are `n_wanted`, if that is possible.

    A subtree with a single open branch is explored until it has more; the solutions found meanwhile
    are in `found`.

    Parameters
    ----------
    subtrees : list of Subtree
        In the order of the search. New subtrees are inserted in order.
    candidates : sequence of Subtree
        Those that may be split. They are modified.
    n_wanted : int
        The number of candidates to reach.
    translate : Translation
        As for `Subtree.explore`.
    stop : callable
        Splitting ends early if `stop()` is true.
    """
    number = count()  # decides between equally large subtrees, which cannot be compared
    n_parts = len(candidates)
    split_off: defaultdict[Subtree, list[Subtree]] = defaultdict(list)
    # A heap of the subtrees that can be split, the largest first. The third entry is the budget for
    # exploring the subtree if it has a single open branch.
    queue = [
        (-subtree.remaining(), next(number), 1, subtree)
        for subtree in candidates
        if not subtree.is_done
    ]
    heapq.heapify(queue)
    try:
        while queue and n_parts < n_wanted and not stop():
            _, _, updates, subtree = heapq.heappop(queue)
            new_part = subtree.split()
            if new_part is None:
                subtree.explore(updates, 1, translate)
                updates = min(2 * updates, UPDATES_PER_SLICE)  # the next choice may be far away
            else:
                updates = 1
                split_off[subtree].append(new_part)
                n_parts += 1
                heapq.heappush(queue, (-new_part.remaining(), next(number), 1, new_part))
            if not subtree.is_done:
                heapq.heappush(queue, (-subtree.remaining(), next(number), updates, subtree))
    finally:  # insert each part after the subtree from which it was split off
        pending = subtrees[::-1]  # a stack: the first one is taken first
        ordered: list[Subtree] = []
        while pending:
            subtree = pending.pop()
            ordered.append(subtree)
            pending += split_off[subtree]  # the one split off last comes first
        subtrees[:] = ordered
