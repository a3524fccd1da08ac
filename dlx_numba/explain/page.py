"""A recorded search as a single self-contained HTML file."""

import html
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.links import COVERED
from ..svg.palette import COLORS, css_variables
from .problem_view import ProblemView
from .record import Record, StopReason

MAX_NODES = 40_000  # the page has the links of all nodes; a step then takes a browser 0.5 s
MAX_ASSIGNMENTS = 900_000  # which take a few megabytes in the page

SCRIPTS = (
    "state", "phases", "phase_text", "svg", "matrix", "links", "arrays", "tree",
    "covers", "board", "grid", "timetable", "controls",
)  # fmt: skip

COUNTERS = ("size", "need", "capacity")  # arrays that change by differences

PAGE_MARK = b'id="record"'  # the element with the data

ENDINGS = {
    StopReason.COMPLETE: "The recording contains the complete search.",
    StopReason.LIMIT: "The search stopped when it had found the requested number of covers.",
    StopReason.MAX_STEPS: "The recording stopped early, after {steps:,} steps.",
    StopReason.MAX_ASSIGNMENTS: (
        "The recording stopped early, after {steps:,} steps, because it became too large."
    ),
}


def check_size(view: ProblemView) -> None:
    """Raise ValueError if the problem is too large for a page."""
    nodes = view.n_nodes
    if nodes > MAX_NODES:
        raise ValueError(
            f"{nodes:,} nodes are too many for a page; the maximum is {MAX_NODES:,}: "
            "use --format text or csv"
        )


def is_page(path: str) -> bool:
    """Return whether a file is a page that `make_page` has written."""
    with open(path, "rb") as file:
        return PAGE_MARK in file.read()


def describe_ending(view: ProblemView, record: Record) -> str:
    """Return sentences that state why the recording ended and whether costs are ignored."""
    text = ENDINGS[record.stop_reason].format(steps=len(record.steps))
    return f"{text} Costs are ignored." if view.problem.cost is not None else text


def make_page(view: ProblemView, record: Record) -> str:
    """Return the text of the HTML file."""
    data = json.dumps(_page_data(view, record), separators=(",", ":"), ensure_ascii=False)
    scripts = "\n".join(_read_asset(f"{name}.js") for name in SCRIPTS)
    algorithm = "x" if view.problem.low is None else "m"
    parts = {
        "title": html.escape(view.title),
        "style": css_variables() + _read_asset("page.css"),
        "introduction": _read_asset(f"introduction_{algorithm}.html"),
        "about": _read_asset(f"about_{algorithm}.html"),
        "record": data.replace("<", "\\u003c"),  # no name can end the script element
        "script": f'"use strict";\n(() => {{\n{scripts}\n}})();',
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda field: parts[field[1]], _read_asset("page.html"))


def _read_asset(name: str) -> str:
    return (files(__package__) / "web" / name).read_text(encoding="utf-8")


def _page_data(view: ProblemView, record: Record) -> dict[str, Any]:
    """Return the data that the scripts of the page read."""
    color, cost = view.problem.color, view.problem.cost
    if color is not None:
        color = np.concatenate([np.zeros(1 + view.problem.n_items, np.int32), color])
    return {
        "summary": view.summary,
        "ending": describe_ending(view, record),
        "is_complete": record.stop_reason is StopReason.COMPLETE,
        "covered_offset": int(COVERED),
        "n_primary": view.n_primary,
        "items": view.items,
        "item_meanings": view.item_meanings,
        "options": view.options,
        "option_references": view.option_references(),
        "first_option": view.start,
        "option_starts": view.option_starts,
        "colors": view.colors,
        "color_marks": list(view.color_marks()),
        "node_colors": None if color is None else color.tolist(),
        "costs": None if cost is None else cost.tolist(),
        "arrays": record.arrays,
        "counters": COUNTERS,
        "actions": record.actions,
        "steps": list(_step_data(record)),
        "tree": [vars(node) for node in record.tree],
        "board": None if view.board is None else view.board._asdict(),
        "grid": None if view.grid is None else view.grid._asdict(),
        "timetable": None if view.timetable is None else view.timetable._asdict(),
        "palette": COLORS,
    }


def _step_data(record: Record) -> Iterator[dict[str, Any]]:
    """Yield the data of each step; a change is an item and its encoded assignments."""
    arrays = {name: list(cells) for name, cells in record.arrays.items()}
    for step in record.steps:
        changes = [
            (change.item, _encode(record.assignments[change.start : change.end], arrays))
            for change in step.changes
        ]
        data = step._asdict() | {"changes": changes}
        del data["action"]
        yield data


def _encode(assignments: NDArray[np.int64], arrays: dict[str, list[int]]) -> str:
    """Encode assignments as text that `decodeAssignments` in state.js decodes, and perform them.

    An assignment is a letter for the array, the index and, after a comma, the new value, in base
    36. For an array of COUNTERS, the value is the difference from the old one. It is omitted if it
    is the same as before; both numbers are omitted if a link is the reverse of the last one, as in
    ``D[a], U[b] = b, a``.
    """
    names, text = list(arrays), []
    link, last = (-1, -1), [-1, 0]  # the last assignment to a link; the last value and difference
    for number, index, value in assignments.tolist():
        cells, is_counter = arrays[names[number]], names[number] in COUNTERS
        written = value - cells[index] if is_counter else value
        text.append(chr(ord("A") + number))
        if is_counter or (value, index) != link:
            text.append(_base36(index))
            if written != last[is_counter]:
                text.append(f",{_base36(written)}")
        last[is_counter] = written
        if not is_counter:
            link = index, value
        cells[index] = value
    return "".join(text)


@cache
def _base36(number: int) -> str:
    return np.base_repr(number, 36).lower()
