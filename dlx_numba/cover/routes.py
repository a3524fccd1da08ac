"""Decide which way a question about the covers of a problem takes.

`docs/architecture.md` has the ways as a table. Whatever is asked, the first way that can answer it
is taken.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..kernels.algorithms import TRIAL_UPDATES
from ..kernels.narrow import FIRST_COVERS, FirstSlice
from ..kernels.subtree import Subtree
from ..runtime.arguments import UNLIMITED
from ..runtime.choices import AUTO, FirstEngine, Method, OptimizerEngine, Order
from ..runtime.interrupts import Stop
from .named_problem import NamedProblem
from .subsets import easier

if TYPE_CHECKING:
    from .symmetry import SymmetryGroup

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

    @property
    def may_search(self) -> bool:
        """Whether the cheapest covers may be those that a search finds."""
        return not self.start and self.optimizer != "highs"

    @property
    def is_searched(self) -> bool:
        """Whether a search may find what is asked."""
        is_usual = self.engine != "sat" and self.method in ("auto", "search")
        return is_usual and self.number > 0 and not self.stop()

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


class Route(NamedTuple):
    """The way that a question takes, and the beginning of a search if there is one."""

    way: Way
    problem: NamedProblem  # which may be an easier one than that of the question
    begun: FirstSlice | None = None

    @property
    def tree(self) -> Subtree | None:
        """The tree of the search that has begun, if it has not answered the question."""
        return None if self.begun is None else self.begun.tree


def route(problem: NamedProblem, wanted: Wanted, begun: FirstSlice | None = None) -> Route:
    """Return the way that a question takes: the first that can answer it.

    It depends on the problem, its settings and the question, so that it is the same in each call.
    A question that may be small is one if the first slice of a search answers it, which may have
    `begun`.
    """
    if wanted.distinct is not None:
        return Route("distinct", problem)
    if wanted.up_to_symmetry is not False:
        return Route("orbits", problem)
    if _may_be_small(problem, wanted):
        number = wanted.number
        lists = True  # covers, instead of only counting them
        if wanted.result == "cheapest":  # a slice that has found all covers answers it
            number = FIRST_COVERS + 1
        elif wanted.result == "count":
            lists = wanted.method == "auto" and number <= FEW
        begun = _begin(problem, number, lists, wanted.stop, begun)
        if begun is not None and begun.tree is None:
            return Route("small", problem, begun)
    if wanted.result != "cheapest" and wanted.is_searched:
        easier_one = easier(problem, wanted.stop, None if begun is None else begun.tree)
        if easier_one is not problem:
            return route(easier_one, wanted)
    return Route(_long_way(problem, wanted), problem, begun)


def _begin(
    problem: NamedProblem, number: int, lists: bool, stop: Stop, begun: FirstSlice | None
) -> FirstSlice | None:
    """Search for a while, or until a number of covers, at least 1, is found.

    The covers are stored if it `lists` them, and otherwise only counted. The slice may have
    `begun`. Return None if the problem has several components.
    """
    if problem.plain is not None:
        begun = begun or problem.plain.narrow.search(number, lists, problem)
        if begun is not None and begun.tree is None:
            return begun
    prepared = problem.prepare(stop)
    translation = prepared.translation if lists else None
    tree = prepared.begin(number, translation, None if begun is None else begun.tree)
    if tree is None:
        return None
    counters = tree.counters.tolist()
    if tree.is_done or counters[0] >= number:
        return FirstSlice(counters, tree.found.take(number), levels=tree.levels)
    return FirstSlice(counters, tree=tree)


def _long_way(problem: NamedProblem, wanted: Wanted) -> Way:
    """Return the way of a question that the first slice of a search does not answer."""
    if wanted.result == "cheapest":
        is_free = not problem.problem.costs.any() and problem.names.penalties is None
        return "race" if is_free and wanted.may_search else "optimizer"
    has_executor = problem.settings.executor is not None
    is_few = 0 < wanted.number <= FEW
    if wanted.result == "count" and (wanted.method != "auto" or has_executor or not is_few):
        return "count"
    prepared = problem.prepare(wanted.stop)
    # CaDiCaL gets the problem as a whole; see `_start_finder`.
    is_whole = wanted.engine == "sat" or len(prepared.components) == 1
    is_any = wanted.order == "any" or (wanted.order is None and is_few and is_whole)
    is_limited = 0 < wanted.number < UNLIMITED
    if is_any and is_limited and not (has_executor or prepared.rule.is_literal):
        return "race"
    return "search" if is_whole else "product"


def _may_be_small(problem: NamedProblem, wanted: Wanted) -> bool:
    """Return whether a slice of a search may answer a question."""
    if not problem.is_plain or not wanted.is_searched:
        return False
    if wanted.result != "cheapest":
        return True
    if problem.settings.algorithm != AUTO or not wanted.may_search:
        return False
    if problem.plain is not None:
        n_nodes = len(problem.plain.narrow.codes)
    else:
        n_nodes = len(problem.problem.items)
    return n_nodes <= TRIAL_UPDATES  # so that it takes longer to search than to link them
