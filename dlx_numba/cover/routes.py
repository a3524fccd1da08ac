"""Decide which way a question about the covers of a problem takes.

`docs/architecture.md` has the ways as a table. Whatever is asked, the first way that can answer it
is taken.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..kernels.dlx.state import UNLIMITED
from ..kernels.subtree import Subtree
from ..runtime.choices import AUTO, FirstEngine, Method, OptimizerEngine, Order
from ..runtime.interrupts import Stop
from .named_problem import NamedProblem

if TYPE_CHECKING:
    from .symmetry import SymmetryGroup

MAX_SMALL = 500  # options; of these, a slice of a search may find all solutions
FEW = 10  # solutions, which several methods seek by default

Result = Literal["covers", "count", "cheapest"]
Way = Literal["distinct", "orbits", "small", "race", "search", "product", "count", "optimizer"]


class Wanted(NamedTuple):
    """A question about the covers of a problem, and when it is no longer of interest."""

    result: Result
    stop: Stop
    number: int = UNLIMITED
    up_to_symmetry: bool | SymmetryGroup = False
    distinct: Iterable[Hashable] | None = None
    order: Order | None = None
    engine: FirstEngine = "auto"  # of covers in any order
    method: Method = "auto"  # of a count
    folder: str | os.PathLike[str] | None = None  # of a count
    optimizer: OptimizerEngine = "auto"  # of the cheapest covers
    start: Sequence[int] = ()  # options near which the cheapest covers are sought

    is_large: bool = False  # whether a slice of a search has not answered it

    @property
    def may_search(self) -> bool:
        """Whether the cheapest covers may be those that a search finds."""
        return not self.start and self.optimizer != "highs"

    def is_answered(self, tree: Subtree) -> bool:
        """Return whether a slice of a search answers the question."""
        is_cheapest = self.result == "cheapest"
        return tree.is_done or not (is_cheapest or tree.counters[0] < self.number)

    def check(self) -> None:
        """Raise ValueError if what is asked is contradictory."""
        is_symmetric = self.up_to_symmetry is not False
        if self.distinct is not None and is_symmetric:
            raise ValueError(
                "distinct cannot be combined with up_to_symmetry: "
                "a symmetry may exchange items that matter with others"
            )
        if self.folder is not None and (self.method != "memo" or is_symmetric):
            raise ValueError("a folder needs the method 'memo', and no symmetries")
        if self.distinct is not None and self.method in ("memo", "planar"):
            raise ValueError(f"the method {self.method!r} does not count distinct solutions")


def route(problem: NamedProblem, wanted: Wanted) -> Way:
    """Return the way that a question takes: the first that can answer it.

    It depends on the problem, its settings and the question, so that it is the same in each call.
    If a slice of a search does not answer a "small" question, that is asked again as a large one.
    """
    if wanted.distinct is not None:
        return "distinct"
    if wanted.up_to_symmetry is not False:
        return "orbits"
    if not wanted.is_large and _may_be_small(problem, wanted):
        return "small"
    if wanted.result == "cheapest":
        costs, *_ = problem.problem.costs_and_bounds
        is_free = not costs.any() and problem.names.penalties is None
        return "race" if is_free and wanted.may_search else "optimizer"
    has_executor = problem.settings.executor is not None
    is_few = 0 < wanted.number <= FEW
    if wanted.result == "count" and (wanted.method != "auto" or has_executor or not is_few):
        return "count"
    prepared = problem.prepare(wanted.stop)
    is_whole = wanted.engine == "sat" or len(prepared.components) == 1
    is_any = wanted.order == "any" or (wanted.order is None and is_few and is_whole)
    is_limited = 0 < wanted.number < UNLIMITED
    if is_any and is_limited and not (has_executor or prepared.rule.is_literal):
        return "race"
    return "search" if is_whole else "product"


def _may_be_small(problem: NamedProblem, wanted: Wanted) -> bool:
    """Return whether a slice of a search may answer a question."""
    if not problem.is_plain or wanted.number == 0 or wanted.stop():
        return False
    if wanted.result != "cheapest":
        return wanted.engine != "sat" and wanted.method in ("auto", "search")
    n_options = problem.prepare(wanted.stop).problem.n_options
    is_small = n_options <= MAX_SMALL and problem.settings.algorithm == AUTO
    return is_small and wanted.may_search
