"""The cells of tables, and their titles."""

from collections.abc import Iterable
from copy import copy
from typing import Any

from .names import as_text

MISSING = "", "nan", "NaT", "<NA>", "None"  # values as texts


def title_text(title: object) -> str:
    """Return the title of a column, which may have several levels.

    >>> title_text("cost"), title_text(("staff", "name")), title_text(("cost", ""))
    ('cost', 'staff/name', 'cost')
    """
    levels = title if isinstance(title, tuple) else (title,)
    return "/".join(str(level) for level in levels if level != "")


def name_cell(title: object, cell: object) -> str:
    """Return a cell as a part of a name: a number says little without the title of its column."""
    text = cell_text(cell)
    return f"{title_text(title)} {text}" if text.isdecimal() else text


def cell_text(cell: object) -> str:
    """Return a cell as text, which is empty if nothing is in the cell."""
    if isinstance(cell, str) or type(cell) is int:  # as most cells are
        return str(cell)
    return "+".join(as_text(item) for item in list_cell(cell) if not is_missing(item))


def list_cell(cell: Any, separator: str | None = None) -> list[Any]:
    """Return the items in a cell, which may be a list."""
    if isinstance(cell, str) and separator:
        return [part for part in map(str.strip, cell.split(separator)) if part]
    return [*cell] if is_list(cell) else [cell]


def is_missing(value: object) -> bool:
    """Return whether a cell of a table is empty."""
    return (value == "") if isinstance(value, str) else str(value) in MISSING


def is_list(cell: object) -> bool:
    """Return whether a cell is a list of items, such as a set or an array."""
    is_single = isinstance(cell, str | int | float | bytes | tuple)  # much faster than the other
    return not is_single and isinstance(cell, Iterable)


def copy_lists(column: Iterable[Any]) -> list[Any]:
    """Return cells, with copies of lists, so that later changes of these have no effect."""
    cells = [*column]
    examples = {type(cell): cell for cell in cells}  # examined much faster than a million cells
    if not any(map(is_list, examples.values())):
        return cells
    return [copy(cell) if is_list(cell) else cell for cell in cells]
