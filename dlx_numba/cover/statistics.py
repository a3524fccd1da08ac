"""The amount of work of a search or a count."""

import threading
from typing import Any, NamedTuple

from ..runtime.text import readable_signature


@readable_signature
class Statistics(NamedTuple):
    """The amount of work of a search.

    Attributes
    ----------
    solutions : int
        The number of covers found.
    nodes : int
        The number of nodes of the search tree entered: the number of times that the search has
        selected an item to cover. With bitmaps or a dense array, it may differ slightly from that
        of links, which can notice a dead end a few forced choices earlier or later.
    updates : int
        The number of links removed (Knuth's measure of work); with bitmaps, the number of items
        whose options were counted; on a dense array, the number of elements that were examined.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> cover = ExactCover([["a"], ["a"]])
    >>> cover.count()
    2
    >>> cover.statistics
    Statistics(solutions=2, nodes=1, updates=1)
    """

    solutions: int
    nodes: int
    updates: int


class ThreadStatistics(threading.local):
    """The work of the last call in each thread. Copies and pickles contain none."""

    value = Statistics(0, 0, 0)

    def __reduce__(self) -> tuple[Any, ...]:
        return ThreadStatistics, ()
