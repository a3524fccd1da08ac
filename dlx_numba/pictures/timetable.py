"""Timetables: bars in rows along a time axis."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..runtime.text import shorten
from .palette import COLORS
from .plane import area, line, plane_picture, square, word

# Relative to the height of a row
TEXT_SIZE = 0.35
CHARACTER_WIDTH = 0.22
BAR_CHARACTER_WIDTH = 0.2
MAX_STEP_WIDTH = 4.0


class Bar(NamedTuple):
    """A bar of a timetable."""

    row: int
    start: float  # on the time axis, like `end`
    end: float
    text: str
    color: int  # index into `COLORS`


def timetable_picture(
    title: str,
    rows: Sequence[str],
    times: Sequence[str],
    bars: Sequence[Bar],
    *,
    legend: Mapping[int, str] | None = None,
    axes: tuple[str, str] = ("", ""),
) -> str:
    """Return a picture of a timetable.

    Parameters
    ----------
    title
        Plain text for screen readers.
    rows
        The names of the rows, drawn at the left.
    times
        The labels of the times 0, 1, 2, ..., drawn above. Columns are wide enough for all texts, up
        to a maximum width.
    bars
        The bars, in any order. Texts that are too long are shortened.
    legend
        The meaning of each color, drawn below the rows.
    axes
        What the rows and the times are, drawn above their labels.

    Returns
    -------
    str
        An SVG document.

    Examples
    --------
    >>> day = timetable_picture("A day", ["1"], ["6:00", "7:00"], [Bar(0, 0, 0.5, "there", 0)])
    >>> "In order: 1: there." in day
    True
    """
    n_rows = len(rows)
    lengths = [*map(len, times), *(len(bar.text) / (bar.end - bar.start) for bar in bars)]
    step_width = min(max(1.0, BAR_CHARACTER_WIDTH * (max(lengths) + 1)), MAX_STEP_WIDTH)
    left = -CHARACTER_WIDTH * max(map(len, [*rows, axes[0]])) - 0.4
    right = (len(times) - 1) * step_width + 0.4
    positions = [step_width * time for time in range(len(times))]
    elements = [line([[(x, 0), (x, n_rows)] for x in positions], class_="thin")]
    elements += [
        word(text, (x, -0.35), TEXT_SIZE) for x, text in zip(positions, times, strict=True)
    ]
    elements += [word(name, (left / 2, row + 0.5), TEXT_SIZE) for row, name in enumerate(rows)]
    top_of_axes = -0.85
    for name, x in zip(axes, (left / 2, positions[-1] / 2), strict=True):
        if name:
            elements.append(word(name, (x, top_of_axes), TEXT_SIZE))
    for row, start_time, end_time, text, color in bars:
        start, end = step_width * start_time, step_width * end_time
        top, bottom = row + 0.08, row + 0.92
        corners = [(start, top), (end, top), (end, bottom), (start, bottom)]
        elements.append(area([corners], fill=COLORS[color], class_="edge"))
        capacity = int((end - start) / BAR_CHARACTER_WIDTH + 1e-9)
        center = (start + end) / 2, row + 0.5
        elements.append(word(shorten(text, capacity), center, TEXT_SIZE, "over"))
    texts_by_row = [[bar.text for bar in sorted(bars) if bar.row == row] for row in range(n_rows)]
    described = zip(rows, texts_by_row, strict=True)
    summary = "; ".join(f"{name}: {', '.join(texts)}" for name, texts in described)
    legend_elements, corner = _draw_legend(legend or {}, n_rows, right)
    corners = [(left, -0.7 if axes == ("", "") else top_of_axes - 0.35), (right, n_rows), corner]
    return plane_picture(title, f"In order: {summary}.", corners, elements + legend_elements)


def _draw_legend(
    legend: Mapping[int, str], top: float, right: float
) -> tuple[list[str], tuple[float, float]]:
    """Return the elements of a legend in rows below `top`, and its lower right corner."""
    elements = []
    x, bottom, widest = 0.0, top, 0.0
    for color, meaning in legend.items():
        text_width = CHARACTER_WIDTH * len(meaning)
        if bottom == top or x + 0.7 + text_width > right:
            x, bottom = 0.0, bottom + 0.8
        corners = [(x + 0.5 * dx, bottom - 0.55 + 0.5 * dy) for dx, dy in square(0, 0)]
        elements.append(area([corners], fill=COLORS[color], class_="edge"))
        elements.append(word(meaning, (x + 0.7 + text_width / 2, bottom - 0.3), TEXT_SIZE))
        widest = max(widest, x + 0.7 + text_width)
        x += text_width + 1.4
    return elements, (widest, bottom)
