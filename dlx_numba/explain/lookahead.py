"""Compiled searches ahead of a recorder: the first cover, and the size of branches without one."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.dlx.state import Register
from ..kernels.subtree import Subtree
from ..runtime.errors import Stopped
from ..runtime.interrupts import UPDATES_PER_SLICE, Stop

MAX_UPDATES = 1 << 30  # before the first cover; they take a few seconds


class FirstCover(NamedTuple):
    """The first cover of a search, and the work to find it."""

    cover: frozenset[int] | None  # None if the search ends without one
    depth: int  # levels of the search at the cover
    counters: NDArray[np.int64]  # covers, nodes and updates


class Limits(NamedTuple):
    """When a recording ends; the number of assignments is approximate."""

    max_covers: int
    max_steps: int
    max_assignments: int
    stop: Stop = Stop()

    def check(self) -> None:
        """Raise Stopped if the time limit or a request ends the recording."""
        if self.stop():
            raise Stopped("stopped before the record was complete")


def find_first_cover(unstarted: Subtree, limits: Limits) -> FirstCover | None:
    """Search for the first cover. Return None if that takes more than MAX_UPDATES."""
    subtree = unstarted.copy()
    while not subtree.is_done and not subtree.found:
        limits.check()
        subtree.explore(UPDATES_PER_SLICE, 1, translate=list)
        if subtree.counters[2] > MAX_UPDATES and not subtree.found:
            return None
    cover = frozenset(subtree.found[0]) if subtree.found else None
    depth = 0 if cover is None else int(subtree.register[Register.LEVEL])
    return FirstCover(cover, depth, subtree.counters)


def explore_branch(
    unstarted: Subtree,
    items: Sequence[int],
    options: Sequence[int],
    random_state: int,
    limits: Limits,
) -> tuple[int, int]:
    """Explore the subtree below a path without covers.

    Parameters
    ----------
    unstarted : Subtree
        The whole tree.
    items, options : sequence of int
        The item and the option at each level of the path, from 0; -1 for no option.
    random_state : int
        The state of the random choices at the end of the path.
    limits : Limits

    Returns
    -------
    nodes : int
        0 if the last option of the path fails at once.
    random_state : int
        The state after the subtree.
    """
    subtree = unstarted.copy()
    path = {"items": items, "options": options, "open_level": len(items), "untried": []}
    try:
        subtree.follow(path | {"is_entering": True, "random_state": random_state})
    except ValueError:
        return 0, random_state
    while not subtree.is_done:
        limits.check()
        subtree.explore(UPDATES_PER_SLICE, 1)
    return int(subtree.counters[1]), int(subtree.register[Register.RANDOM_STATE])
