"""The 0/1 matrix of an exact cover problem."""

from collections.abc import Collection, Iterable, Mapping, Sequence
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
    labels: Sequence[str] | Mapping[int, str] | None = None,
    *,
    covered: Collection[int] = (),
    removed: Collection[int] = (),
    focus: tuple[Collection[int], Collection[int], Collection[int]] = ((), (), ()),
    kept: tuple[Sequence[int], Sequence[int]] | None = None,
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
        The name of each option that is drawn; None for its number.
    covered, removed
        The numbers of items with a shaded column, and of options that are drawn faintly.
    focus
        The numbers of options and items to outline, and of related options, with dashed outlines.
    kept
        The numbers of the options and items to draw, primary items first; None for all.

    Returns
    -------
    Picture
        An SVG document.

    Raises
    ------
    ValueError
        If there are more than `MAX_ENTRIES` entries.
    """
    kept_rows, kept_items = kept or (range(len(rows)), range(len(items)))
    names = [items[item] for item in kept_items]
    labels = [str(number) for number in range(len(rows))] if labels is None else labels
    is_named = max(len(names), len(kept_rows)) <= MAX_NAMED
    name_width = CHARACTER_WIDTH * max(map(len, names), default=0)
    side = (26 if len(names) <= 16 else 14) if is_named else 6
    is_rotated = name_width + CHARACTER_WIDTH / 2 > side  # names must not touch
    left = float(MARGIN)
    top = MARGIN
    if is_named:
        left += CHARACTER_WIDTH * max((len(labels[k]) for k in kept_rows), default=1) + 20
        top += (name_width if is_rotated else 16) + 4
    n_first = sum(item < n_primary for item in kept_items)
    gap = side / 2 if 0 < n_first < len(names) else 0.0
    x_of = {k: left + n * side + gap * (n >= n_first) for n, k in enumerate(kept_items)}
    y_of = {number: top + k * side for k, number in enumerate(kept_rows)}
    entries = {k: [pair for pair in rows[k] if pair[0] in x_of] for k in kept_rows}
    if (n_entries := sum(map(len, entries.values()))) > MAX_ENTRIES:
        raise ValueError(
            f"{n_entries:,} entries are too many for a picture (up to {MAX_ENTRIES:,})"
        )
    width = len(names) * side + gap
    height = len(kept_rows) * side

    def draw_rows(numbers: Iterable[int], class_: str, **look: Any) -> list[str]:
        places = [y_of[number] for number in numbers if number in y_of]
        return [_rectangle(left, y, width, side, class_, **look) for y in places]

    def draw_columns(numbers: Iterable[int], class_: str, **look: Any) -> list[str]:
        places = [x_of[number] for number in numbers if number in x_of]
        return [_rectangle(x, top, side, height, class_, **look) for x in places]

    elements = draw_rows(kept_rows[::2], "shade", opacity=0.6)
    elements += draw_columns(sorted(covered), "shade")
    for name, x in zip(names if is_named else (), x_of.values(), strict=False):
        x, y = x + side / 2, top - 5
        turn = {"text_anchor": "start", "transform": f"rotate(-90 {x + 4:g} {y:g})"}
        elements.append(label(name, x + 4, y, "small", **turn) if is_rotated else label(name, x, y))
    for number, y in y_of.items():
        baseline = y + side / 2 + BASELINE_SHIFT
        is_chosen = number in chosen
        is_removed = number in removed
        if is_named:
            text = ("✓ " if is_chosen else ("× " if is_removed else "")) + labels[number]
            elements.append(label(text, left - 6, baseline, "small", text_anchor="end"))
        if side > 20:
            empty = sorted(x_of.keys() - {item for item, _ in entries[number]})
            xs = [x_of[item] + side / 2 for item in empty]
            elements += [label("0", x, baseline, "soft", opacity=0.6) for x in xs]
        shape: dict[str, Any] = ({"rx": side / 2} if is_chosen else {}) | (
            {"opacity": 0.3} if is_removed else {}
        )
        for item, character in entries[number]:
            place = (x_of[item] + 1, y + 1)
            class_ = "mark" if is_chosen else "one"
            elements.append(_rectangle(*place, side - 2, side - 2, class_, **shape))
            if side > 20:
                class_ = "over strong" if is_chosen else "" if is_removed else "on"
                elements.append(label(character, x_of[item] + side / 2, baseline, class_))
    for outlined, dashes in ((focus[0], "none"), (focus[2], "4 3")):
        elements += draw_rows(outlined, "rule", fill="none", stroke_dasharray=dashes)
    elements += draw_columns(focus[1], "rule", fill="none")
    sizes = (
        (len(kept_rows), "option", ""),
        (len(names), "item", ""),
        (n_entries, "entry", "entries"),
    )
    description = f"{', '.join(plural(*each) for each in sizes)}."
    if marked := [k for k, number in enumerate(kept_rows) if number in chosen]:
        description += f" Marked options: {', '.join(map(str, marked))}."
    size = left + width + MARGIN, top + height + MARGIN
    return picture(*size, title, description, elements)


def _rectangle(x: float, y: float, width: float, height: float, class_: str, **more: Any) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, class_=class_, **more)
