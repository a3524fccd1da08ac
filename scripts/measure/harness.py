"""The timing that the measurements share."""

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

KeyT = TypeVar("KeyT")


def best_times(
    calls: Mapping[KeyT, Callable[[], object]],
    runs: int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[KeyT, float]:
    """Return the shortest time of each call in seconds.

    The calls alternate, because other load on the machine can only slow a run down.
    """
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(runs):
        for name, call in calls.items():
            begin = clock()
            call()
            best[name] = min(best[name], clock() - begin)
    return best
