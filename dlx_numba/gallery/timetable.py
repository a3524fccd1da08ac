"""Pictures of what happens when: bars in rows, along a line of time."""

from collections.abc import Sequence
from typing import NamedTuple

from .marks import area, word
from .picture import COLOURS, PAPER, document


class Bar(NamedTuple):
    row: int
    start: float
    end: float
    text: str
    colour: int  # of `picture.COLOURS`


def timetable(title: str, rows: Sequence[str], times: Sequence[str], bars: Sequence[Bar]) -> str:
    """Bars, with the names of the rows at the left and those of the times, from 0 on, above.

    >>> timetable("A day", ["1"], ["6:00", "7:00"], [Bar(0, 0, 0.5, "there", 0)]).count("<text")
    4
    """
    left, right, height = -0.22 * max(map(len, rows)) - 0.4, len(times) - 0.6, len(rows)
    elements = [area([(left, -0.7), (right, -0.7), (right, height), (left, height)], PAPER)]
    elements += [word(time, (start, -0.35), 0.35) for start, time in enumerate(times)]
    elements += [word(name, (left / 2, row + 0.5), 0.35) for row, name in enumerate(rows)]
    for row, start, end, text, colour in bars:
        top, bottom = row + 0.08, row + 0.92
        corners = [(start, top), (end, top), (end, bottom), (start, bottom)]
        elements.append(area(corners, COLOURS[colour]))
        elements.append(word(text, ((start + end) / 2, row + 0.5), 0.35))
    return document(title, [(left, -0.7), (right, height)], elements)
