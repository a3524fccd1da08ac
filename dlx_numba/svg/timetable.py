"""What happens when: bars in rows, along a line of time."""

from collections.abc import Sequence
from typing import NamedTuple

from .palette import COLOURS
from .plane import area, line, plane_picture, word


class Bar(NamedTuple):
    row: int
    start: float
    end: float
    text: str
    colour: int  # of `COLOURS`


def timetable_picture(
    title: str, rows: Sequence[str], times: Sequence[str], bars: Sequence[Bar]
) -> str:
    """Bars, with the names of the rows at the left and those of the times, from 0 on, above.

    >>> day = timetable_picture("A day", ["1"], ["6:00", "7:00"], [Bar(0, 0, 0.5, "there", 0)])
    >>> "In order: 1: there." in day
    True
    """
    left, right, height = -0.22 * max(map(len, rows)) - 0.4, len(times) - 0.6, len(rows)
    elements = [line([[(start, 0), (start, height)] for start in range(len(times))], class_="thin")]
    elements += [word(time, (start, -0.35), 0.35) for start, time in enumerate(times)]
    elements += [word(name, (left / 2, row + 0.5), 0.35) for row, name in enumerate(rows)]
    for row, start, end, text, colour in bars:
        top, bottom = row + 0.08, row + 0.92
        corners = [(start, top), (end, top), (end, bottom), (start, bottom)]
        elements.append(area([corners], fill=COLOURS[colour], class_="edge"))
        elements.append(word(text, ((start + end) / 2, row + 0.5), 0.35, "over"))
    listed = [[bar.text for bar in sorted(bars) if bar.row == row] for row in range(height)]
    own = (f"{name}: {', '.join(texts)}" for name, texts in zip(rows, listed, strict=True))
    said = f"In order: {'; '.join(own)}."
    return plane_picture(title, said, [(left, -0.7), (right, height)], elements)
