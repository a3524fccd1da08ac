"""Run a search that nobody else uses."""

from __future__ import annotations

from ..kernels.cover_array import NONE, CoverArray, join_covers
from ..kernels.dlx.state import UNLIMITED
from ..runtime.interrupts import Stop
from .search import Search
from .thread_runner import ALONE, RunLimits, Workers


def run_unshared(
    search: Search,
    stop: Stop,
    wanted: int,
    *,
    collects: bool,
    updates: int = UNLIMITED,
    workers: Workers = ALONE,
    takes_all: bool = False,
) -> tuple[CoverArray, int, bool]:
    """Run a private search, without locking.

    An exception discards such a search, so no separate thread has to protect the work of one
    thread.

    Parameters
    ----------
    search : Search
    stop : Stop
    wanted : int
        The number of solutions to find.
    collects : bool
        Whether to return the solutions. Otherwise, they are only counted.
    updates : int, optional
        The budget of updates.
    workers : Workers, optional
        By default, the calling thread.
    takes_all : bool, default: False
        Whether a run that is stopped also returns solutions found after unexplored parts.

    Returns
    -------
    solutions : CoverArray
    n_found : int
        The number of solutions found, up to `wanted`, by this run and those before.
    is_complete : bool
        Whether these are all solutions, or as many as are wanted.
    """

    translate = search._spec.translation if collects else None
    limits = RunLimits(stop, translate, wanted, updates, is_last=True)
    try:
        search._explore(limits, workers)
    except BaseException:
        stop.cancel()
        raise
    is_exhausted = all(subtree.is_done for subtree in search.subtrees)
    solutions = NONE
    if collects:
        solutions = search._take(wanted)
        n_found = len(solutions)
        if takes_all:
            others = search._take(wanted - n_found, skips_gaps=True)
            solutions = join_covers([solutions, others])
        search._n_returned += len(solutions)
    else:
        search._discard_found()
        search._n_reported = search.n_counted
        n_found = min(search.counters()[0], wanted)
    return solutions, n_found, is_exhausted or n_found == wanted
