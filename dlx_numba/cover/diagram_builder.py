"""Build diagrams of all covers with a memoized search."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from ..kernels.memo.explore import FALSE, Diagram
from ..kernels.reduce import relax_items
from ..runtime.arguments import check_choice
from ..runtime.interrupts import Stop
from ..runtime.job import Counters, Work
from ..runtime.resources import memory_limit
from ..search.level_diagram import diagram_memo
from ..search.prepared import PreparedProblem
from ..search.resumable import Computation
from ..search.subproblems import ORDERS
from .diagram import EMPTY, CoverDiagram
from .diagram_file import DiagramFacts, items_covered_once
from .iterables import as_list
from .name_types import NameT
from .named_problem import NamedProblem
from .subsets import easier


class DiagramBuilder(Computation, Generic[NameT]):
    """A resumable builder of a diagram, created by `ExactCover.diagram_builder`.

    One thread at a time can run a builder; `done` and `progress` may be used from any thread.

    Parameters
    ----------
    spec : PreparedProblem
        The problem as it is searched.
    named : NamedProblem
        The problem, with the user's option numbers and names.
    order : str
        As for `MemoPortfolio`.
    memory : int
        The number of bytes that the diagram and the memo may use.

    Raises
    ------
    ValueError
        If the problem is too large.
    """

    def __init__(self, spec: PreparedProblem, named: NamedProblem, order: str, memory: int) -> None:
        super().__init__("diagram builder")
        self._spec = spec
        self._named = named
        self._memo = diagram_memo(spec.problem, memory, order)

    @property
    def done(self) -> bool:
        """Whether the diagram is complete."""
        return self._memo.done

    def __str__(self) -> str:
        return str(self._memo)

    @property
    def work(self) -> int:
        """The work so far, in updates of a search with links."""
        return self._memo.work

    def step(self, work: Work) -> None:
        self._memo.step(work)

    def counters(self) -> Counters:
        """Return 0 covers, and the numbers of distinct subproblems and of lookups."""
        return self._memo.counters()._replace(solutions=0)

    @property
    def result(self) -> CoverDiagram[NameT]:
        """The diagram. Raises ValueError if it is not complete."""
        if not self.done:
            raise ValueError("the diagram is not complete: call run")
        best = self._memo.best
        numbers = self._spec.numbers[best.option_numbers]
        given = [*self._spec.given]  # options in all covers
        first = [*given, *numbers.tolist()]  # and those of the diagram, in its order
        fixed = self._named.fixed
        if fixed is not None:  # then these are rows, each of which stands for several options
            given, first = (
                [option for row in rows for option in fixed.members[row]] for rows in (given, first)
            )
        owner = self._named.cover_problem
        levels = None
        if best.order is not None:
            # A ZDD has a level for each option: those that the search lacks follow.
            others = np.delete(np.arange(owner.problem.n_options), first)
            levels = np.array([*first, *others], np.int64)
        graph = EMPTY
        edges = best.edges
        if edges is not None and best.value != FALSE:
            graph = Diagram(*edges).truncated(best.value + 1)
            # The last number, that of no option, is the number of options also in the result.
            user_numbers = np.append(numbers, self._named.problem.n_options).astype(np.uint32)
            graph = graph._replace(option=user_numbers[graph.option])
            if fixed is not None:
                graph = fixed.expand_diagram(graph)
        return CoverDiagram(graph, _facts(owner, given, self._memo.order, levels), owner)


def _facts(
    owner: NamedProblem, given: list[int], order: str, levels: NDArray[np.int64] | None
) -> DiagramFacts:
    """Return what a file says of a diagram beside its graph.

    `given` are the options in all covers, and `levels` all options in the order of a ZDD.
    """
    # Only the costs say in a file that the most options of a packing are its best.
    priced = owner.counted(logs=False) if owner.names.is_packing else owner
    # The graph has no options for penalties, so that it cannot give costs.
    lacks_penalties = owner.names.penalties is not None
    cost = None if lacks_penalties else priced.problem.cost
    indptr, items = items_covered_once(owner.problem)
    factor, error = priced.names.scale
    return DiagramFacts(given, order, levels, indptr, items, cost, factor, lacks_penalties, error)


def start_builder(
    named: NamedProblem, order: str | Sequence[Hashable], stop: Stop
) -> DiagramBuilder:
    """Create a builder. Raises exceptions as `ExactCover.diagram_builder` does."""
    if isinstance(order, str):
        check_choice("order", order, ORDERS, ", or a list of items")
    else:
        listed = as_list(order, "order", "items")
        named.unfixed("a list as the order")
        named = named.changed("order", choose=listed, seed=0)
        order = "items"
    if order == "auto":
        named = easier(named, stop)
    prepared = named.prepare(stop)
    problem, _ = relax_items(prepared.problem, 0)  # including items that `choose` or `order` lists
    prepared = replace(prepared, problem=problem)
    return DiagramBuilder(prepared, named, order, memory_limit(named.settings.memory))
