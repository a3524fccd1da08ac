"""End a search that finds no cover if a coloring or weights prove that there is none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..runtime.interrupts import Stop
from .limits import RunLimits

if TYPE_CHECKING:
    from .search import Search

PROOF_UPDATES = 1 << 23  # after which a search without covers tries to prove that there are none


def phases(search: Search, limits: RunLimits) -> Iterator[None]:
    """Yield for each phase of a run: before the search asks for a proof, and afterward."""
    first = max(0, PROOF_UPDATES - search.counters()[2])
    if first < limits.updates and search.spec.may_be_impossible:
        withheld, limits.updates = limits.updates - first, first
        yield
        limits.updates += withheld
        if search.counters()[2] >= PROOF_UPDATES:
            end_if_impossible(search, limits.stop)
    yield


def end_if_impossible(search: Search, stop: Stop) -> None:
    """End a search that has found no cover if it is proven that there is none."""
    has_covers = search.solutions or search._n_found() or search._ready
    if not (search.done or has_covers or stop()) and search.spec.is_impossible(stop):
        search._cancel_tasks()
        with search._use.state_lock:
            for subtree in search.subtrees:
                search._past = search._past + subtree.counters
            search.subtrees.clear()
            search._past_explored = 1.0
