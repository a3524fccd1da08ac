"""The 0/1 matrix of an exact cover problem."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import starmap
from typing import Any

from ..runtime.text import plural
from .document import Svg, label, picture, tag

MAX_ENTRIES = 20_000
MAX_NAMED = 64  # items or options; larger matrices are drawn without names
# Lengths in pixels
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
    if labels is None:
        labels = [str(number) for number in range(len(rows))]
    options = {number: labels[number] for number in kept_rows}
    layout = _MatrixLayout(options, {item: items[item] for item in kept_items}, n_primary)
    # The entries in the columns that are drawn
    entries = {k: [entry for entry in rows[k] if entry[0] in layout.x_of] for k in kept_rows}
    if (n_entries := sum(map(len, entries.values()))) > MAX_ENTRIES:
        raise ValueError(
            f"{n_entries:,} entries are too many for a picture (up to {MAX_ENTRIES:,})"
        )
    elements = layout.draw_rows(kept_rows[::2], "shade", opacity=0.6)
    elements += layout.draw_columns(sorted(covered), "shade")
    elements += layout.draw_names()
    for number in kept_rows:
        elements += layout.draw_option(
            number, entries[number], is_chosen=number in chosen, is_removed=number in removed
        )
    outlined_options, outlined_items, related = focus
    for numbers, dashes in ((outlined_options, "none"), (related, "4 3")):
        elements += layout.draw_rows(numbers, "rule", fill="none", stroke_dasharray=dashes)
    elements += layout.draw_columns(outlined_items, "rule", fill="none")
    sizes = (
        (len(kept_rows), "option", ""),
        (len(kept_items), "item", ""),
        (n_entries, "entry", "entries"),
    )
    description = f"{', '.join(starmap(plural, sizes))}."
    if marked := [k for k, number in enumerate(kept_rows) if number in chosen]:
        description += f" Marked options: {', '.join(map(str, marked))}."
    right = layout.left + layout.width + MARGIN
    bottom = layout.top + layout.height + MARGIN
    return picture(right, bottom, title, description, elements)


class _MatrixLayout:
    """The places of rows and columns in a picture, and what is drawn there.

    Parameters
    ----------
    options, items : mapping
        The names of the options and items that are drawn, by their numbers.
    n_primary : int
        Items with lower numbers are primary.
    """

    def __init__(
        self, options: Mapping[int, str], items: Mapping[int, str], n_primary: int
    ) -> None:
        self.options = options
        self.items = items
        self.is_named = max(len(items), len(options)) <= MAX_NAMED
        if self.is_named:
            self.side = 26 if len(items) <= 16 else 14
        else:
            self.side = 6
        self.has_characters = self.side > 20  # which a smaller square has no space for
        name_width = CHARACTER_WIDTH * max(map(len, items.values()), default=0)
        self.is_rotated = name_width + CHARACTER_WIDTH / 2 > self.side  # names must not touch
        # The corner of the matrix, in pixels: the names are to its left and above it.
        self.left = float(MARGIN)
        self.top = MARGIN
        if self.is_named:
            self.left += CHARACTER_WIDTH * max(map(len, options.values()), default=1) + 20
            self.top += (name_width if self.is_rotated else 16) + 4
        # A gap precedes the first secondary item.
        n_first = sum(item < n_primary for item in items)
        gap = self.side / 2 if 0 < n_first < len(items) else 0.0
        self.width = len(items) * self.side + gap
        self.height = len(options) * self.side
        self.x_of = {
            item: self.left + n * self.side + gap * (n >= n_first) for n, item in enumerate(items)
        }
        self.y_of = {number: self.top + n * self.side for n, number in enumerate(options)}

    def draw_rows(self, numbers: Iterable[int], class_: str, **look: Any) -> list[str]:
        """Draw rectangles over the rows of options."""
        places = [self.y_of[number] for number in numbers if number in self.y_of]
        return [_rectangle(self.left, y, self.width, self.side, class_, **look) for y in places]

    def draw_columns(self, numbers: Iterable[int], class_: str, **look: Any) -> list[str]:
        """Draw rectangles over the columns of items."""
        places = [self.x_of[number] for number in numbers if number in self.x_of]
        return [_rectangle(x, self.top, self.side, self.height, class_, **look) for x in places]

    def draw_names(self) -> list[str]:
        """Draw the names of the items above their columns, if there is space for them."""
        if not self.is_named:
            return []
        y = self.top - 5
        centers = ((name, self.x_of[item] + self.side / 2) for item, name in self.items.items())
        if not self.is_rotated:
            return [label(name, x, y) for name, x in centers]
        rotated = []
        for name, x in centers:
            x += 4  # from the center to the baseline of a name that is read upward
            turn = f"rotate(-90 {x:g} {y:g})"
            rotated.append(label(name, x, y, "small", text_anchor="start", transform=turn))
        return rotated

    def draw_option(
        self, number: int, entries: Sequence[tuple[int, str]], *, is_chosen: bool, is_removed: bool
    ) -> list[str]:
        """Draw the name of an option, and its row of zeros and ones.

        `entries` are its items, and the characters for them. Those of a chosen option are round,
        and those of a removed one faint. Zeros are drawn only where there is space for characters.
        """
        y = self.y_of[number]
        middle = self.side / 2
        baseline = y + middle + BASELINE_SHIFT
        shape: dict[str, Any] = {}
        mark = ""
        text_class = "on"
        if is_chosen:
            shape["rx"] = middle
            mark = "✓ "
            text_class = "over strong"
        elif is_removed:
            mark = "× "
            text_class = ""
        if is_removed:
            shape["opacity"] = 0.3
        elements = []
        if self.is_named:
            text = mark + self.options[number]
            elements.append(label(text, self.left - 6, baseline, "small", text_anchor="end"))
        if self.has_characters:
            for item in sorted(self.x_of.keys() - {item for item, _ in entries}):
                x = self.x_of[item] + middle
                elements.append(label("0", x, baseline, "soft", opacity=0.6))
        for item, character in entries:
            x = self.x_of[item]
            class_ = "mark" if is_chosen else "one"
            size = self.side - 2
            elements.append(_rectangle(x + 1, y + 1, size, size, class_, **shape))
            if self.has_characters:
                elements.append(label(character, x + middle, baseline, text_class))
        return elements


def _rectangle(x: float, y: float, width: float, height: float, class_: str, **more: Any) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, class_=class_, **more)
