"""The trace of a recorded search: for each step, the items and options that it changed."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.links import COVERED
from .problem_view import ProblemView
from .record import Record, Step


class TraceStep(NamedTuple):
    """A step of the search and its effects. Items are numbered from 1, options from 0."""

    number: int
    level: int
    name: str  # Knuth's label
    action: str
    item: int  # 0 if there is none
    size: int | None  # the options, or in Algorithm M the branches, of the item that is chosen
    option: int  # -1 if there is none
    covered: list[int]  # items, in the order of the search
    uncovered: list[int]
    purified: list[int]  # items that got a color
    unpurified: list[int]
    used: list[int]  # items that took an option and can take more (Algorithm M)
    released: list[int]  # items that returned such an option
    removed: list[int]  # options that can no longer be chosen
    restored: list[int]
    lacking: int  # at a dead end, the item with too few options left; otherwise 0
    partial: tuple[int, ...]  # the chosen options, by level
    outcome: str  # the outcome of the tree node that the step closed, or ""
    text: str  # the description in the record


class _State:
    """The state of items and options, read from the arrays of a record as they change."""

    def __init__(self, view: ProblemView, record: Record) -> None:
        problem = view.problem
        n_items = problem.n_items
        self.arrays = {name: np.array(cells, np.int64) for name, cells in record.arrays.items()}
        self.assignments = record.assignments
        self.nodes = np.arange(1 + n_items, view.n_nodes)
        self.column = self.arrays["column"][1 + n_items :]
        self.option = np.repeat(np.arange(problem.n_options), np.diff(problem.indptr))
        self.color = np.zeros(view.n_nodes, np.int64)
        if problem.color is not None:
            self.color[1 + n_items :] = problem.color
        # The size of a secondary item starts at COVERED, because it is not in the item list.
        self.covered_size = np.full(1 + n_items, int(COVERED))
        self.covered_size[1 + view.n_primary :] *= 2
        self.n_primary, self.n_options = view.n_primary, problem.n_options
        self.update()

    def apply(self, step: Step) -> None:
        """Apply the changes of a step to the arrays."""
        for change in step.changes:
            numbers, cells, values = self.assignments[change.start : change.end].T
            for number, array in enumerate(self.arrays.values()):
                array[cells[numbers == number]] = values[numbers == number]
        self.update()

    def update(self) -> None:
        """Determine which items are covered, their colors, and which options can be chosen."""
        arrays, nodes = self.arrays, self.nodes
        size = arrays["size"]
        # The sizes are unsigned in the arrays, but negative if several options are lacking.
        self.size = np.where(size < 3 * int(COVERED), size, size - (1 << 32))
        self.is_covered: NDArray[np.bool_] = self.size >= self.covered_size
        self.capacity = np.ones(len(size), np.int64)  # constant except in Algorithm M
        if "capacity" in arrays:
            self.capacity[: 1 + self.n_primary] = arrays["capacity"]
        self.purity = np.zeros(len(size), np.int64)
        if "purifier" in arrays:
            self.purity = self.color[arrays["purifier"]]
        purity = self.purity[self.column]
        removed = arrays["D"][arrays["U"][nodes]] != nodes
        removed |= self.is_covered[self.column]
        removed |= (purity != 0) & (purity != self.color[nodes])
        self.is_left = np.bincount(self.option[removed], minlength=self.n_options) == 0

    def first_empty_item(self) -> int:
        """Return the first active item without options (or branches), or 0."""
        active = ~self.is_covered[1 : 1 + self.n_primary]
        empty = np.flatnonzero(active & (self.size[1 : 1 + self.n_primary] <= 0))
        return int(empty[0]) + 1 if len(empty) else 0


def trace_search(view: ProblemView, record: Record) -> Iterator[TraceStep]:
    """Yield the steps of a recorded search with their effects on items and options.

    Parameters
    ----------
    view : ProblemView
        The problem.
    record : Record
        A record of its search.

    Yields
    ------
    TraceStep

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> from dlx_numba.explain import record_search
    >>> from dlx_numba.explain.problem_view import view_cover
    >>> view = view_cover(ExactCover([["A"], ["A", "B"], ["B", "C"]]), "example")
    >>> for step in trace_search(view, record_search(view)):
    ...     print(step.name, step.action, step.covered, step.removed, step.partial)
    X1 start [] [] ()
    X3 choose [] [] ()
    X4 cover [3] [2] ()
    X5 try [2] [1] (2,)
    X3 choose [] [] (2,)
    X4 cover [1] [0] (2,)
    X5 try [] [] (2, 0)
    X2 visit [] [] (2, 0)
    X8 end [] [] (2, 0)
    """
    outcomes = {node.closed_step: node.outcome for node in record.tree if node.outcome}
    state = _State(view, record)
    for number, step in enumerate(record.steps):
        was_covered, purity, was_left = state.is_covered, state.purity, state.is_left
        capacity = state.capacity
        state.apply(step)
        taken = np.where(was_covered | state.is_covered, 0, capacity - state.capacity)
        order = [change.item for change in step.changes if change.item]
        item = order[0] if step.action == "backtrack" else step.item
        outcome = outcomes.get(number, "")
        yield TraceStep(
            number=number,
            level=step.level,
            name=step.name,
            action=step.action,
            item=item,
            size=int(state.size[item]) if step.action == "choose" else None,
            option=step.option,
            covered=_in_order(state.is_covered & ~was_covered, order),
            uncovered=_in_order(was_covered & ~state.is_covered, order),
            purified=_in_order((purity == 0) & (state.purity != 0), order),
            unpurified=_in_order((purity != 0) & (state.purity == 0), order),
            used=_in_order(taken > 0, order),
            released=_in_order(taken < 0, order),
            removed=np.flatnonzero(was_left & ~state.is_left).tolist(),
            restored=np.flatnonzero(~was_left & state.is_left).tolist(),
            lacking=state.first_empty_item() if outcome == "dead-end" else 0,
            partial=step.chosen,
            outcome=outcome,
            text=step.text,
        )


def _in_order(mask: NDArray[np.bool_], order: list[int]) -> list[int]:
    """Return the items of a mask: first those in `order`, then all others by number."""
    found: list[int] = np.flatnonzero(mask).tolist()
    ranks = {item: rank for rank, item in enumerate(order)}
    return sorted(found, key=lambda item: ranks.get(item, len(order)))
