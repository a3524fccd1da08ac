"""End a search that finds no cover if a coloring or weights prove that there is none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..runtime.interrupts import Stop
from .limits import RunLimits

if TYPE_CHECKING:
    from .search import Search


def phases(search: Search, limits: RunLimits) -> Iterator[None]:
    """Yield for each phase of a run: before the search asks for a proof, and afterward."""
    spec = search.spec
    while (first := max(0, spec.proof_updates - search.counters()[2])) < limits.updates:
        withheld, limits.updates = limits.updates - first, first
        yield
        limits.updates += withheld
        proof_updates = spec.proof_updates
        if search.counters()[2] >= proof_updates:
            end_if_impossible(search, limits.stop)
        if spec.proof_updates == proof_updates:
            break
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
