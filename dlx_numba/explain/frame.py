"""Pages with steps, filled from the files of the folder `web`."""

import html
import re
from collections.abc import Mapping
from importlib.resources import files

from ..pictures.palette import page_style


def fill(name: str, parts: Mapping[str, str]) -> str:
    """Return a file of the folder, in which each `{{name}}` is replaced by a part or a file."""

    def replaced(field: re.Match[str]) -> str:
        return parts[field[1]] if field[1] in parts else fill(field[1], parts)

    text = (files(__package__) / "web" / name).read_text(encoding="utf-8")
    return re.sub(r"\{\{([\w.]+)\}\}", replaced, text)


def fill_page(name: str, title: str, **parts: str) -> str:
    """Return a page, whose title is plain text and whose other parts are HTML."""
    return fill(name, {"title": html.escape(title), "style": page_style(), **parts})
