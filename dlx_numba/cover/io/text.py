"""Covers as text: by the numbers of their options, by the names of their items, or as JSON."""

import json
from collections.abc import Sequence

from .named import as_text

COVER_STYLES = ("numbers", "names", "json")


def format_cover(
    style: str,
    options: Sequence[int],
    named: Sequence[Sequence[tuple[object, object | None]]],
    cost: int | None,
) -> str:
    """One line for a cover: the numbers of its options, and the items of each with their colours.

    `style` is one of COVER_STYLES; `cost` is written if there is one.

    >>> named = [[("a", None), ("s", "red")], [("b", None)]]
    >>> for style in COVER_STYLES:
    ...     print(format_cover(style, [0, 3], named, 7))
    0 3 |7
    a s:red; b |7
    {"options": [0, 3], "items": [["a", ["s", "red"]], ["b"]], "cost": 7}
    """
    if style == "json":
        record: dict[str, object] = {"options": list(options)}
        record["items"] = [[_stated(item, color) for item, color in one] for one in named]
        if cost is not None:
            record["cost"] = cost
        return json.dumps(record)
    if style == "names":
        text = "; ".join(" ".join(_worded(item, color) for item, color in one) for one in named)
    else:
        text = " ".join(map(str, options))
    return text if cost is None else f"{text} |{cost}"


def _stated(item: object, color: object | None) -> object:
    return _plain(item) if color is None else [_plain(item), _plain(color)]


def _plain(name: object) -> object:
    return name if isinstance(name, str | int) else as_text(name)


def _worded(item: object, color: object | None) -> str:
    return as_text(item) if color is None else f"{as_text(item)}:{as_text(color)}"
