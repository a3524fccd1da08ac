"""A recorded search as one HTML file that needs nothing else."""

import html
import json
import re
from importlib.resources import files
from typing import Any

from ..kernels.links import COVERED
from .problem_view import Board, Subject
from .record import DONE, FULL, LIMIT, STEPS, Record

MOST_NODES = 10_000  # of what a page draws

SCRIPTS = ("state", "svg", "matrix", "links", "arrays", "tree", "board", "controls")

ENDS = {
    DONE: "The whole search.",
    LIMIT: "The search up to the last cover that was asked for.",
    STEPS: "The record stopped early, after {steps:,} steps: the search goes on.",
    FULL: "The record stopped early, after {steps:,} steps, for it became too large.",
}


def check_size(subject: Subject) -> None:
    """Raise ValueError where a problem is too large for a page."""
    nodes = len(subject.instance.links.L)
    if nodes > MOST_NODES:
        raise ValueError(
            f"{nodes:,} nodes are too many for a page, which draws up to {MOST_NODES:,}"
        )


def ending(subject: Subject, record: Record) -> str:
    """Whether the record holds the whole search, and what plays no part in it."""
    text = ENDS[record.ended].format(steps=len(record.steps))
    return f"{text} It is a search for all covers: costs play no part." if subject.costs else text


def make_page(subject: Subject, record: Record) -> str:
    """The text of the HTML file."""
    data = json.dumps(_stated(subject, record), separators=(",", ":"), ensure_ascii=False)
    scripts = "\n".join(_part(f"{name}.js") for name in SCRIPTS)
    parts = {
        "title": html.escape(subject.title),
        "style": _part("page.css"),
        "about": _part("about_x.html" if subject.instance.bounds is None else "about_m.html"),
        "record": data.replace("<", "\\u003c"),  # nothing in it may end the script element
        "script": f'"use strict";\n(() => {{\n{scripts}\n}})();',
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda hole: parts[hole[1]], _part("page.html"))


def _part(name: str) -> str:
    return (files(__package__) / "web" / name).read_text(encoding="utf-8")


def _stated(subject: Subject, record: Record) -> dict[str, Any]:
    """All that the page's script is to know."""
    colors = subject.instance.colors
    return {
        "summary": subject.summary,
        "ending": ending(subject, record),
        "covered": int(COVERED),
        "primary": subject.n_primary,
        "items": subject.items,
        "meanings": subject.meanings,
        "options": subject.options,
        "starts": subject.starts,
        "colors": subject.colors,
        "marks": list(subject.color_marks()),
        "colorOf": None if colors is None else colors.of.tolist(),
        "arrays": record.arrays,
        "steps": [step._asdict() for step in record.steps],
        "tree": [vars(place) for place in record.tree],
        "board": None if subject.board is None else _board(subject.board),
    }


def _board(board: Board) -> dict[str, Any]:
    return {
        "side": board.box.n,
        "rows": board.box.rows,
        "columns": board.box.columns,
        "symbols": ["", *(board.symbol(value) for value in range(1, board.box.n + 1))],
        "givens": board.values.tolist(),
        "placement": board.placement,
    }
