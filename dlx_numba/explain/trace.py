"""The trace of a recorded search: for each step, the items and options that it changed."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.dlx.links import INACTIVE
from .record import Record, Step

# Names of effects on items, in the order of the search, and on options; each with its opposite
EFFECTS = (
    ("covered", "uncovered"),
    ("purified", "unpurified"),  # items that got or lost a color
    ("used", "released"),  # items that took or returned an option, and can take more (Algorithm M)
    ("removed", "restored"),  # options that can no longer, or again, be chosen
)


class TraceStep(NamedTuple):
    """A step of the search and its effects. Items are numbered from 1, options from 0."""

    number: int
    step: Step
    item: int  # the current item, or the one that is restored; 0 if there is none
    size: int | None  # the options, or in Algorithm M the branches, of the item that is chosen
    effects: dict[str, list[int]]  # items or options, by the names of `EFFECTS`
    outcome: str  # the outcome of the tree node that the step closed, or ""


class Replay:
    """The arrays of a record after some of its steps: up to step `last`, and those applied."""

    def __init__(self, record: Record, last: int = -1) -> None:
        view, self.assignments = record.view, record.assignments
        self.problem = view.problem
        self.arrays = {name: np.array(cells, np.int64) for name, cells in record.arrays.items()}
        self.option_of_node = view.problem.option_of_node()
        self.color = np.zeros(view.n_nodes, np.int64)
        if view.problem.color is not None:
            self.color[1 + view.problem.n_items :] = view.problem.color
        for step in record.steps[: last + 1]:
            self.apply(step)

    def apply(self, step: Step) -> None:
        """Perform the assignments of a step."""
        if step.changes:
            start, end = step.changes[0].start, step.changes[-1].end
            numbers, cells, values = self.assignments[start:end].T
            for number, array in enumerate(self.arrays.values()):
                array[cells[numbers == number]] = values[numbers == number]

    def state(self) -> tuple[NDArray[np.int64], ...]:
        """Return what each pair of `EFFECTS` increases and decreases, for each item or option."""
        arrays, n_primary, n_items = self.arrays, self.problem.n_primary, self.problem.n_items
        # The size of a secondary item starts at INACTIVE, because it is not in the item list.
        is_secondary = np.arange(1 + n_items) > n_primary
        size = arrays["size"]  # small negative numbers, modulo 2**32, if options are lacking
        covered = (size >= (1 + is_secondary) * int(INACTIVE)) & (size < 3 * int(INACTIVE))
        color = self.color[arrays["purifier"]] if "purifier" in arrays else 0 * arrays["size"]
        used = 0 * arrays["size"]
        if "capacity" in arrays:
            used[: 1 + n_primary] = -arrays["capacity"]
        nodes = np.arange(1 + n_items, len(self.color))
        item, color_of_item = arrays["column"][nodes], color[arrays["column"][nodes]]
        gone = (arrays["D"][arrays["U"][nodes]] != nodes) | covered[item]
        gone |= (color_of_item != 0) & (color_of_item != self.color[nodes])
        removed = np.zeros(self.problem.n_options, np.int64)
        removed[self.option_of_node[gone]] = 1
        return covered.astype(np.int64), np.sign(color), used, removed


def trace_search(record: Record) -> Iterator[TraceStep]:
    """Yield the steps of a recorded search with their effects on items and options.

    Parameters
    ----------
    record : Record

    Yields
    ------
    TraceStep

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> from dlx_numba.explain import record_search
    >>> from dlx_numba.explain.problem_view import view_search
    >>> view = view_search(ExactCover([["A"], ["A", "B"], ["B", "C"]]), "example")
    >>> for step in trace_search(record_search(view)):
    ...     print(*step.step[:2], step.effects["covered"], step.effects["removed"])
    X1 start [] []
    X3 choose [] []
    X4 cover [3] [2]
    X5 try [2] [1]
    X3 choose [] []
    X4 cover [1] [0]
    X5 try [] []
    X2 visit [] []
    X8 end [] []
    """
    outcomes = {node.closed_step: node.outcome for node in record.tree if node.outcome}
    replay = Replay(record)
    state = replay.state()
    for number, step in enumerate(record.steps):
        replay.apply(step)
        before, state = state, replay.state()
        order = [change.item for change in step.changes if change.item]
        effects = {}
        for names, old, new in zip(EFFECTS, before, state, strict=True):
            for name, mask in zip(names, (new > old, new < old), strict=True):
                effects[name] = _in_order(mask, [] if name in EFFECTS[-1] else order)
        # An item that reaches its capacity is covered.
        for name, other in zip(EFFECTS[2], EFFECTS[0], strict=True):
            effects[name] = [item for item in effects[name] if item not in effects[other]]
        item = order[0] if step.action == "backtrack" else step.item
        yield TraceStep(
            number=number,
            step=step,
            item=item,
            size=record.tree[step.tree_node].size if step.action == "choose" else None,
            effects=effects,
            outcome=outcomes.get(number, ""),
        )


def _in_order(mask: NDArray[np.bool_], order: list[int]) -> list[int]:
    """Return the items of a mask: first those in `order`, then all others by number."""
    found: list[int] = np.flatnonzero(mask).tolist()
    ranks = {item: rank for rank, item in enumerate(order)}
    return sorted(found, key=lambda item: ranks.get(item, len(order)))
