"""Traces: the steps of a recorded search, with what they change, as JSON, CSV and text."""

import csv
import json
from collections.abc import Iterator
from io import StringIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.dlx.links import INACTIVE
from ..runtime.text import as_cell
from .record import RecordedStep, SearchRecord

# Names of effects on items, in the order of the search, and on options; each with its opposite
EFFECTS = (
    ("covered", "uncovered"),
    ("purified", "unpurified"),  # items that got or lost a color
    ("used", "released"),  # items that took or returned an option, and can take more (Algorithm M)
    ("removed", "restored"),  # options that can no longer, or again, be chosen
)

MAX_INDENT = 16  # levels


class Snapshot(NamedTuple):
    """The effects of steps so far: an array for each pair of `EFFECTS`.

    The first effect of a pair increases an element, the second one decreases it. The elements of
    items begin with one for the header.
    """

    covered: NDArray[np.int64]  # (1 + items,)
    color: NDArray[np.int64]  # (1 + items,)
    used: NDArray[np.int64]  # (1 + items,)
    removed: NDArray[np.int64]  # (options,)


class Replay:
    """The arrays of a record after some of its steps: up to step `last`, and those applied."""

    def __init__(self, record: SearchRecord, last: int = -1) -> None:
        view = record.view
        self.assignments = record.assignments
        self.problem = view.problem
        self.arrays = {name: np.array(cells, np.int64) for name, cells in record.arrays.items()}
        self.option_of_node = view.problem.option_of_node()
        self.color = np.zeros(view.n_nodes, np.int64)  # of each node, 0 for none
        self.color[1 + view.problem.n_items :] = view.problem.node_colors
        for step in record.steps[: last + 1]:
            self.apply(step)

    def apply(self, step: RecordedStep, first: int = 0, end: int | None = None) -> None:
        """Perform the assignments of a step, or of its changes from `first` to `end`."""
        for change in step.changes[first:end]:
            numbers, cells, values = self.assignments[change.start : change.end].T
            for number, array in enumerate(self.arrays.values()):
                array[cells[numbers == number]] = values[numbers == number]

    def cells(self, step: RecordedStep, first: int, end: int) -> set[tuple[str, int]]:
        """Return the arrays and the indices that some changes of a step assign to."""
        names = list(self.arrays)
        changes = step.changes[first:end]
        logs = [self.assignments[change.start : change.end] for change in changes]
        return {(names[number], cell) for log in logs for number, cell, _ in log.tolist()}

    def snapshot(self) -> Snapshot:
        """Return the effects of the steps applied."""
        arrays = self.arrays
        n_primary = self.problem.n_primary
        n_items = self.problem.n_items
        # Covering an item adds INACTIVE to its size. That of a secondary item has it from the
        # start, because it is not in the item list. Sizes below 0 are almost 2**32, far above the
        # second limit, so these items are not covered.
        is_secondary = np.arange(1 + n_items) > n_primary
        size = arrays["size"]
        covered = (size >= (1 + is_secondary) * int(INACTIVE)) & (size < 3 * int(INACTIVE))
        color = np.zeros_like(size)
        if "purifier" in arrays:
            color = self.color[arrays["purifier"]]
        used = np.zeros_like(size)
        if "capacity" in arrays:  # only differences matter, so the options used are what it lost
            used[: 1 + n_primary] = -arrays["capacity"]
        nodes = np.arange(1 + n_items, len(self.color))
        item = arrays["column"][nodes]
        color_of_item = color[arrays["column"][nodes]]
        # An option is gone if a node is not in its list, or its item is covered or has another
        # color.
        gone = (arrays["D"][arrays["U"][nodes]] != nodes) | covered[item]
        gone |= (color_of_item != 0) & (color_of_item != self.color[nodes])
        removed = np.zeros(self.problem.n_options, np.int64)
        removed[self.option_of_node[gone]] = 1
        return Snapshot(covered.astype(np.int64), np.sign(color), used, removed)


def format_json(record: SearchRecord) -> str:
    """Return the steps as lines of JSON, without what is empty."""
    rows = (
        {key: value for key, value in row.items() if value not in (None, "", [])}
        for row in _described(record)
    )
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def format_csv(record: SearchRecord) -> str:
    """Return the steps as a table of CSV; semicolons separate names."""
    with StringIO(newline="") as file:
        rows = list(_described(record))
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        for row in rows:
            lists = {k: "; ".join(map(str, v)) for k, v in row.items() if isinstance(v, list)}
            writer.writerow({k: as_cell(v) for k, v in (row | lists).items()})
        return file.getvalue()


def _described(record: SearchRecord) -> Iterator[dict[str, Any]]:
    """Yield the fields of each step; what is missing is empty.

    If the record is not complete, the description of the last step says why.
    """
    view = record.view
    names = ["", *record.view.items]
    labels = view.option_labels()
    closed_by = {node.closed_step: node for node in record.tree}
    for number, (step, effects) in enumerate(zip(record.steps, trace_effects(record), strict=True)):
        size = record.tree[step.tree_node].size if step.action == "choose" else None
        # A step that backtracks has no current item: the first one that it restores is shown.
        items = [change.item for change in step.changes if change.item]
        if step.item:
            items = [step.item]
        is_last = number == len(record.steps) - 1 and step.action != "end"
        yield {
            "step": number,
            "level": step.level,
            "name": step.name,
            "action": step.action,
            "item": names[items[0]] if step.item or step.action == "backtrack" else "",
            "size": size and max(0, size),  # a negative one counts the options that are lacking
            "option": labels[step.option] if step.option >= 0 else None,
            "option_description": view.options[step.option] if step.option >= 0 else None,
            **{
                name: [(labels if name in ("removed", "restored") else names)[k] for k in numbers]
                for name, numbers in effects.items()
            },
            "partial_solution": [labels[option] for option in step.chosen],
            "cost": view.cost(step.chosen) if step.action == "visit" else None,
            "outcome": closed_by[number].outcome if number in closed_by else "",
            "lacking": names[step.lacking],
            "description": step.text + (f" {record.ending}" if is_last else ""),
        }


def format_text(record: SearchRecord) -> str:
    """Return the descriptions of the steps as lines, indented by level.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> from dlx_numba.explain import record_search
    >>> from dlx_numba.explain.problem_view import view_search
    >>> view = view_search(ExactCover([["a", "b"], ["a"]])._named, "example")
    >>> print(format_text(record_search(view)), end="")  # doctest: +ELLIPSIS
    example: 2 options, 2 items, 3 entries
    <BLANKLINE>
    step level      description
       0     0 X1  Set up the links: 2 options, 2 items, 3 entries. No option has been chosen yet.
       1     0 X3  Choose item b, which has 1 option left: the choice is forced.
    ...
       3     0 X5  Try option a b: cover item a.
       4     1 X2  │ All items are covered: option a b forms a cover.
       5     1 X8  │ No level has an untried option, so the search ends: 1 cover was found.
    <BLANKLINE>
    The recording contains the complete search.
    """
    lines = [f"{record.view.title}: {record.view.summary}", "", "step level      description"]
    for number, step in enumerate(record.steps):
        indent = "│ " * min(step.level, MAX_INDENT)
        lines.append(f"{number:>4} {step.level:>5} {step.name}  {indent}{step.text}")
    return "\n".join([*map(_printable, lines), "", record.ending, ""])


def _printable(line: str) -> str:
    """Return a line in which escape sequences of JSON stand for characters without a shape."""
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in line)


def trace_effects(record: SearchRecord) -> Iterator[dict[str, list[int]]]:
    """Yield the effects of each step: items from 1, or options from 0, by the names of `EFFECTS`.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> from dlx_numba.explain import record_search
    >>> from dlx_numba.explain.problem_view import view_search
    >>> view = view_search(ExactCover([["A"], ["A", "B"], ["B", "C"]])._named, "example")
    >>> record = record_search(view)
    >>> for step, effects in zip(record.steps, trace_effects(record)):
    ...     print(*step[:2], effects["covered"], effects["removed"])
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
    replay = Replay(record)
    snapshot = replay.snapshot()
    for step in record.steps:
        replay.apply(step)
        before, snapshot = snapshot, replay.snapshot()
        order = [change.item for change in step.changes if change.item]
        effects = {}
        for (effect, opposite), old, new in zip(EFFECTS, before, snapshot, strict=True):
            own_order = [] if effect == "removed" else order  # options are in their own order
            effects[effect] = _in_order(new > old, own_order)
            effects[opposite] = _in_order(new < old, own_order)
        # An item that reaches its capacity is covered, so it is not listed as used, too.
        for used, covered in (("used", "covered"), ("released", "uncovered")):
            effects[used] = [item for item in effects[used] if item not in effects[covered]]
        yield effects


def _in_order(mask: NDArray[np.bool_], order: list[int]) -> list[int]:
    """Return the items of a mask: first those in `order`, then all others by number."""
    items: list[int] = np.flatnonzero(mask).tolist()
    ranks = {item: rank for rank, item in enumerate(order)}
    return sorted(items, key=lambda item: ranks.get(item, len(order)))
