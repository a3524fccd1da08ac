"""Timetables: bars in rows along a time axis."""

from collections.abc import Sequence
from typing import NamedTuple

from .palette import COLORS
from .plane import area, line, plane_picture, word


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
    step_width: float = 1.0,
) -> str:
    """Return a picture of a timetable.

    Parameters
    ----------
    title
        Plain text for screen readers.
    rows
        The names of the rows, drawn at the left.
    times
        The labels of the times 0, 1, 2, ..., drawn above.
    bars
        The bars, in any order.
    step_width
        The distance between two of these times, relative to the height of a row.

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
    left = -0.22 * max(map(len, rows)) - 0.4
    right = (len(times) - 1) * step_width + 0.4
    positions = [step_width * time for time in range(len(times))]
    elements = [line([[(x, 0), (x, n_rows)] for x in positions], class_="thin")]
    elements += [word(text, (x, -0.35), 0.35) for x, text in zip(positions, times, strict=True)]
    elements += [word(name, (left / 2, row + 0.5), 0.35) for row, name in enumerate(rows)]
    for row, start_time, end_time, text, color in bars:
        start, end = step_width * start_time, step_width * end_time
        top, bottom = row + 0.08, row + 0.92
        corners = [(start, top), (end, top), (end, bottom), (start, bottom)]
        elements.append(area([corners], fill=COLORS[color], class_="edge"))
        elements.append(word(text, ((start + end) / 2, row + 0.5), 0.35, "over"))
    texts_by_row = [[bar.text for bar in sorted(bars) if bar.row == row] for row in range(n_rows)]
    described = zip(rows, texts_by_row, strict=True)
    summary = "; ".join(f"{name}: {', '.join(texts)}" for name, texts in described)
    return plane_picture(title, f"In order: {summary}.", [(left, -0.7), (right, n_rows)], elements)
