"""The 0/1 matrix of an exact cover problem."""

from collections.abc import Collection, Sequence
from typing import Any

from ..runtime.text import plural
from .document import Svg, label, picture, tag

MAX_ENTRIES = 20_000
MAX_NAMED = 64  # items or options; larger matrices are drawn without names
MARGIN = 8
CHARACTER_WIDTH = 8
BASELINE_SHIFT = 4.5  # from the middle of a line of text to its baseline


def matrix_picture(
    title: str,
    items: Sequence[str],
    n_primary: int,
    rows: Sequence[Sequence[tuple[int, str]]],
    chosen: Collection[int] = (),
    labels: Sequence[str] | None = None,
    *,
    covered: Collection[int] = (),
    removed: Collection[int] = (),
    focus: tuple[Collection[int], Collection[int], Collection[int]] = ((), (), ()),
) -> Svg:
    """Return a picture of a matrix: one row for each option, one column for each item.

    Parameters
    ----------
    title
        Plain text for screen readers.
    items
        The names of the items.
    n_primary
        The number of primary items, which come first. A gap separates the secondary ones.
    rows
        The entries of each option, as (item number, character). The character is drawn if the
        matrix is small.
    chosen
        The numbers of the options to mark.
    labels
        The name of each option; None for its number.
    covered, removed
        The numbers of items with a shaded column, and of options that are drawn faintly.
    focus
        The numbers of options and items to outline, and of related options, with dashed outlines.

    Returns
    -------
    Picture
        An SVG document.

    Raises
    ------
    ValueError
        If there are more than `MAX_ENTRIES` entries.
    """
    n_entries = sum(map(len, rows))
    if n_entries > MAX_ENTRIES:
        raise ValueError(
            f"{n_entries:,} entries are too many for a picture (up to {MAX_ENTRIES:,})"
        )
    labels = [str(number) for number in range(len(rows))] if labels is None else labels
    named = len(items) <= MAX_NAMED and len(rows) <= MAX_NAMED
    name_width = CHARACTER_WIDTH * max(map(len, items), default=0)
    side = (26 if len(items) <= 16 else 14) if named else 6
    rotated = name_width + CHARACTER_WIDTH / 2 > side  # names must not touch
    left = MARGIN + (CHARACTER_WIDTH * max(map(len, labels), default=1) + 20 if named else 0)
    top = MARGIN + ((name_width if rotated else 16) + 4 if named else 0)
    gap = side / 2 if 0 < n_primary < len(items) else 0.0

    def x_of(item: int) -> float:
        return left + item * side + (gap if item >= n_primary else 0)

    width = left + len(items) * side + gap + MARGIN
    height = top + len(rows) * side + MARGIN
    inner_width, inner_height = width - left - MARGIN, height - top - MARGIN
    elements = [
        _rectangle(left, top + number * side, inner_width, side, "shade", opacity=0.6)
        for number in range(0, len(rows), 2)
    ]
    elements += [
        _rectangle(x_of(item), top, side, inner_height, "shade") for item in sorted(covered)
    ]
    if named:
        elements += [
            _item_name(name, x_of(item) + side / 2, top - 5, rotated)
            for item, name in enumerate(items)
        ]
    for number, row in enumerate(rows):
        y = top + number * side
        baseline = y + side / 2 + BASELINE_SHIFT
        is_chosen = number in chosen
        if named:
            mark = "✓ " if is_chosen else "× " if number in removed else ""
            text = mark + labels[number]
            elements.append(label(text, left - 6, baseline, "small", text_anchor="end"))
        if side > 20:
            empty = set(range(len(items))).difference(item for item, _ in row)
            centers = (x_of(item) + side / 2 for item in sorted(empty))
            elements += [label("0", x, baseline, "soft", opacity=0.6) for x in centers]
        for item, character in row:
            faint = {"opacity": 0.3} if number in removed else {}
            shape: dict[str, Any] = ({"rx": side / 2} if is_chosen else {}) | faint
            class_ = "mark" if is_chosen else "one"
            place = x_of(item) + 1, y + 1, side - 2, side - 2
            elements.append(_rectangle(*place, class_, **shape))
            if side > 20:
                class_ = "over strong" if is_chosen else "" if faint else "on"
                elements.append(label(character, x_of(item) + side / 2, baseline, class_))
    for outlined, dashes in ((focus[0], "none"), (focus[2], "4 3")):
        for row_number in outlined:
            shape = {"fill": "none", "stroke_dasharray": dashes}
            y = top + row_number * side
            elements.append(_rectangle(left, y, inner_width, side, "rule", **shape))
    for item in focus[1]:
        elements.append(_rectangle(x_of(item), top, side, inner_height, "rule", fill="none"))
    description = (
        f"{plural(len(rows), 'option')}, {plural(len(items), 'item')}, "
        f"{plural(n_entries, 'entry', 'entries')}."
    )
    if chosen:
        description += f" Marked options: {', '.join(map(str, sorted(chosen)))}."
    return picture(width, height, title, description, elements)


def _rectangle(x: float, y: float, width: float, height: float, class_: str, **more: Any) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, class_=class_, **more)


def _item_name(name: str, x: float, y: float, rotated: bool) -> str:
    if rotated:
        rotation = f"rotate(-90 {x + 4:g} {y:g})"
        return label(name, x + 4, y, "small", text_anchor="start", transform=rotation)
    return label(name, x, y)
