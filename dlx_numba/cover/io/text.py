"""Covers as text: by the numbers of their options, by the names of their items, or as JSON."""

import json
from collections.abc import Sequence
from typing import Literal, get_args

from .json import json_entry, json_name
from .named import as_text

SolutionStyle = Literal["numbers", "names", "json"]
COVER_STYLES: tuple[SolutionStyle, ...] = get_args(SolutionStyle)


def format_cover(
    style: str,
    options: Sequence[int],
    named_options: Sequence[Sequence[tuple[object, object | None]]],
    cost: int | None,
    option_names: Sequence[object] | None = None,
) -> str:
    """Return a cover as one line of text, without a line end.

    Parameters
    ----------
    style : {"numbers", "names", "json"}
        Whether to write the numbers of the options; their names, or the names of their items if
        options have no names; or all of these as JSON.
    options : sequence of int
        Numbers of the options.
    named_options : sequence of sequences of pairs
        For each option, its items as pairs of a name and a color; the color is None if the item
        has none.
    cost : int or None
        Total cost of the cover; None if the problem has no costs.
    option_names : sequence, optional
        Name of each option, or its number if it has none; None if no option of the problem has one.

    Examples
    --------
    >>> named_options = [[("a", None), ("s", "red")], [("b", None)]]
    >>> for style in COVER_STYLES:
    ...     print(format_cover(style, [0, 3], named_options, 7))
    0 3 |7
    a s:red; b |7
    {"options": [0, 3], "items": [["a", ["s", "red"]], ["b"]], "cost": 7}
    >>> format_cover("names", [0, 3], named_options, 7, ["S1", 3])
    'S1, 3 |7'
    >>> format_cover("names", [0, 3], named_options, None, ["Reykjavík, 64° N", "S3"])
    '"Reykjavík, 64° N", S3'
    """
    if style == "json":
        record: dict[str, object] = {"options": list(options)}
        if option_names is not None:
            record["names"] = [json_name(name) for name in option_names]
        record["items"] = [
            [json_entry(item, color) for item, color in option] for option in named_options
        ]
        if cost is not None:
            record["cost"] = cost
        return json.dumps(record)
    if style == "names" and option_names is not None:
        text = ", ".join(map(_list_field, option_names))
    elif style == "names":
        text = "; ".join(
            " ".join(_text_entry(item, color) for item, color in option) for option in named_options
        )
    else:
        text = " ".join(map(str, options))
    return text if cost is None else f"{text} |{cost}"


def _list_field(name: object) -> str:
    """Return the name of an option, in quotes as in CSV if it would look like part of the list."""
    text = as_text(name)
    if not text.isprintable():
        return json.dumps(text)
    if text == text.strip() != "" and not set(text) & set(',"|'):
        return text
    quoted = text.replace('"', '""')
    return f'"{quoted}"'


def _text_entry(item: object, color: object | None) -> str:
    """Return an item, and its color if it has one, as in Knuth's format."""
    return _printable(item) if color is None else f"{_printable(item)}:{_printable(color)}"


def _printable(name: object) -> str:
    """Return a name as text; a name with line breaks and the like, as a JSON string."""
    text = as_text(name)
    return text if text.isprintable() else json.dumps(text)
