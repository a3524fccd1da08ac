"""Pages with steps, filled from the files of the folder `web`."""

import html
import re
from collections.abc import Mapping
from importlib.resources import files

from ..pictures.palette import page_style
from .record import SearchRecord


def fill(name: str, parts: Mapping[str, str]) -> str:
    """Return a file of the folder `web`, in which each `{{name}}` is replaced: by the part with
    this name or, if there is none, by the file, which is filled in the same way.
    """

    def replaced(field: re.Match[str]) -> str:
        return parts[field[1]] if field[1] in parts else fill(field[1], parts)

    text = (files(__package__) / "web" / name).read_text(encoding="utf-8")
    return re.sub(r"\{\{([\w.]+)\}\}", replaced, text)


def algorithm_texts(record: SearchRecord) -> dict[str, str]:
    """Return what a page says about the algorithm of a search, by the names of the parts."""
    view = record.view
    algorithm = "x" if view.problem.low is None else "m"
    variant = "literal" if view.rule.is_literal else algorithm
    letter = {"letter": record.steps[0].name[0]}
    return {
        "introduction": fill(f"introduction_{algorithm}.html", {}),
        "about": fill(f"about_{variant}.html", {}),
        "listing": fill(f"listing_{variant}.html", letter),
    }


def fill_page(name: str, title: str, **parts: str) -> str:
    """Return a page, whose title is plain text and whose other parts are HTML."""
    return fill(name, {"title": html.escape(title), "style": page_style(), **parts})
