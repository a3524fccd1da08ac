"""The file format of diagrams: an archive (`runtime.archive`) with the arrays of the graph."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.memo.explore import FALSE, TRUE, Diagram
from ..kernels.problem import MAX_TOTAL_COST, Problem
from ..runtime.archive import check_integers

KIND = "dlx_numba diagram"
VERSION = 1


class DiagramFacts(NamedTuple):
    """Facts about a problem that a diagram has in addition to its graph."""

    fixed: list[int]  # options of each cover that are not part of the graph
    order: str  # how items were chosen: "smallest", "given", "bandwidth" or "items"
    levels: NDArray[np.int64] | None  # all options, as a ZDD orders them; None if it cannot
    indptr: NDArray[np.int64]  # the items of each option that are covered once, in the CSR layout
    items: NDArray[np.int64]
    cost: NDArray[np.int64] | None
    factor: int = 1  # of the costs and the integers that stand for them
    lacks_penalties: bool = False  # of items with multiplicities, so that costs are unknown
    error: float = 0.0  # what the rounding of all costs adds up to, at most, as in `CostScale`

    @property
    def n_options(self) -> int:
        """The number of options of the problem."""
        return len(self.indptr) - 1


def items_covered_once(problem: Problem) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return `DiagramFacts.indptr` and `DiagramFacts.items` of a problem."""
    is_once = problem.is_once[problem.items]
    start = np.searchsorted(problem.option_of_node()[is_once], np.arange(problem.n_options + 1))
    return start, problem.items[is_once].astype(np.int64)


def restore_diagram(
    header: dict[str, Any], arrays: dict[str, NDArray[Any]]
) -> tuple[Diagram, DiagramFacts]:
    """Return a diagram from the content of its file. Raises ValueError if it is inconsistent."""
    graph = Diagram(*(arrays.pop(field) for field in Diagram._fields))
    # The defaults are for files of earlier versions, which lack these values.
    values = {"factor": 1, "lacks_penalties": False, "error": 0.0, **header, **arrays}
    facts = DiagramFacts(*(values[field] for field in DiagramFacts._fields))
    _check(graph, facts)
    return graph, facts


def _check(graph: Diagram, facts: DiagramFacts) -> None:
    """Raise ValueError unless the arrays of a file are a diagram.

    Kernels rely on this: they read arrays without checks of indices.
    """
    start, option, child = graph
    n_options = facts.n_options
    fixed = check_integers(facts.fixed, 0, n_options - 1)
    _require(isinstance(facts.factor, int) and facts.factor != 0)
    _require(isinstance(facts.lacks_penalties, bool))
    _require(isinstance(facts.error, float) and 0 <= facts.error < math.inf)
    arrays: list[tuple[NDArray[Any], type]] = [(start, np.int64)]
    arrays += [(option, np.uint32), (child, np.uint32)]
    integers = (facts.indptr, facts.items, facts.levels, facts.cost)
    arrays += [(array, np.int64) for array in integers if array is not None]
    _require(all(array.ndim == 1 and array.dtype == dtype for array, dtype in arrays))
    _require(isinstance(facts.order, str))
    # FALSE and TRUE, of which the latter may be missing, have no edges.
    _require(len(start) >= 2 and start[0] == start[: TRUE + 2].max() == 0)
    _require(start[-1] == len(option) == len(child))
    # Every other node has an edge, all of which lead to lower numbers, but not to FALSE.
    _require(np.all(np.diff(start[TRUE + 1 :]) > 0))
    node_of = np.repeat(np.arange(len(start) - 1), np.diff(start))
    _require(np.all((child > FALSE) & (child < node_of)))
    _require(np.all(option <= n_options))  # the last number stands for no option
    _require(len(np.unique(fixed)) == len(fixed) and not np.any(np.isin(option, fixed)))
    _require(n_options >= 0 and facts.indptr[0] == 0 and facts.indptr[-1] == len(facts.items))
    _require(np.all(np.diff(facts.indptr) >= 0) and np.all(facts.items >= 0))
    if facts.cost is not None:
        _require(len(facts.cost) == n_options)
        _require(np.abs(facts.cost).sum(dtype=float) < MAX_TOTAL_COST)
    if facts.levels is not None:
        _require(np.array_equal(np.sort(facts.levels), np.arange(n_options)))


def _require(condition: object) -> None:
    """Raise ValueError unless a condition is true."""
    if not condition:
        raise ValueError("inconsistent arrays")
