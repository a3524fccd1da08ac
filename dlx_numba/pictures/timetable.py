"""Timetables: bars in rows along an axis of times."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, pairwise, starmap
from math import ceil
from typing import NamedTuple

from ..runtime.text import Paint, shorten, unpainted
from .document import Svg
from .palette import COLORS
from .picture import Picture
from .plane import Polygon, area, line, mean, outlined, plane_picture, rectangle, word

# Relative to the height of a row
TEXT_SIZE = 0.35
CHARACTER_WIDTH = 0.22
BAR_CHARACTER_WIDTH = 0.2
MAX_STEP_WIDTH = 4.0
MAX_STEPS = 100_000  # of the axis: hours of eleven years

_YEAR = re.compile(r"^\d{4}-(?=\d\d-\d\d$)")


class Bar(NamedTuple):
    """A bar of a timetable."""

    row: int
    start: float  # on the axis of times, like `end`
    end: float
    text: str
    color: int = -1  # index into `COLORS`; -1 for the color of its option
    is_marked: bool = False


class Axis(NamedTuple):
    """The axis of times in pictures, which consists of steps: hours, or units of the times."""

    first: float  # the time where it begins
    unit: float  # the duration of a step
    n_steps: int
    labels: tuple[tuple[float, str], ...]  # positions in steps, and the texts there


@dataclass(frozen=True)
class Timetable(Picture):
    """Bars in rows along an axis of times.

    Parameters
    ----------
    title : str
        Plain text for screen readers.
    bars : tuple of tuple of Bar
        The bars of each option: a row, a start, an end, a text and, optionally, a color.
    rows : tuple of str, optional
        The names of the rows. If there are none, each chosen option has a row of its own, in the
        order of their first bars.
    labels : tuple of (float, str), optional
        Times, and their names. If there are none, times are minutes after midnight.
    legend : tuple of (int, str), optional
        Colors, and their meanings.
    axes : (str, str), optional
        What the rows and the times are.

    Examples
    --------
    >>> trips = Bar(0, 360, 405, "there"), Bar(0, 420, 465, "back")
    >>> print(Timetable("A day", (trips,), ("1",)).text([0]))
    1
      06:00 to 06:45  there
      07:00 to 07:45  back
    """

    bars: Sequence[tuple[Bar, ...]] = ()
    rows: Sequence[str] = ()
    labels: Sequence[tuple[float, str]] = ()
    legend: Sequence[tuple[int, str]] = ()
    axes: tuple[str, str] = ("", "")

    @cached_property
    def axis(self) -> Axis:
        """The axis of times, which is the same for all covers."""
        # The second and third values of a bar, which need not be a `Bar`: its start and its end
        times = [time for bars in self.bars for bar in bars for time in bar[1:3]]
        if self.labels:
            n_steps = _checked(ceil(max([*times, *(time for time, _ in self.labels)])))
            labels = tuple((time, _YEAR.sub("", name)) for time, name in self.labels)
            return Axis(0, 1, n_steps, labels)
        first = min(times, default=0) // 60  # times are minutes, and steps hours
        last = ceil(max(times, default=0) / 60)
        n_steps = _checked(last - int(first))
        hours = tuple((hour - first, f"{hour:.0f}") for hour in range(int(first), last + 1))
        return Axis(60 * first, 60, n_steps, hours)

    @cached_property
    def step(self) -> float:
        """The width of a step of the axis in pictures: all texts fit, up to a maximum width."""
        # In characters for each step, of labels and bars
        widths: list[float] = [len(text) for _, text in self.axis.labels]
        for bar in starmap(Bar, chain.from_iterable(self.bars)):
            if bar.color >= len(COLORS) or (self.rows and not 0 <= bar.row < len(self.rows)):
                raise ValueError(f"there is no such row or color: {tuple(bar)}")
            widths.append(self.axis.unit * len(bar.text) / (bar.end - bar.start))
        return min(max(1.0, BAR_CHARACTER_WIDTH * (max(widths, default=0) + 2)), MAX_STEP_WIDTH)

    def outline(self, bar: Bar) -> Polygon:
        """Return the corners of a bar in pictures, as (x, y)."""
        first, unit, *_ = self.axis
        left = self.step * ((bar.start - first) / unit)
        right = self.step * ((bar.end - first) / unit)
        return rectangle(left, bar.row + 0.08, right, bar.row + 0.92)

    def written(self, chosen: Iterable[int]) -> list[tuple[str, list[Bar]]]:
        """Return the rows of a cover: their names and their bars, in order.

        All bars have their colors then. Without names, rows have numbers from 1.
        """
        options = [
            [Bar(*bar)._replace(is_marked=k in self.marked) for bar in self.bars[k]]
            for k in chosen
            if k < len(self.bars)  # others stand for items left uncovered
        ]
        if not self.rows:  # a row for each option that has bars
            options = sorted(filter(None, options))
        colored = [
            [bar._replace(color=k % len(COLORS)) if bar.color < 0 else bar for bar in bars]
            for k, bars in enumerate(options)
        ]
        if not self.rows:
            return [(str(k), bars) for k, bars in enumerate(colored, 1)]
        every = sorted(chain.from_iterable(colored))
        return [(name, [bar for bar in every if bar.row == k]) for k, name in enumerate(self.rows)]

    def text(self, chosen: Iterable[int], paint: Paint = unpainted) -> str:
        """Return the bars of each row as lines of text, with their times."""
        if not self.rows:
            return "\n".join(
                f"{self._period(bars[0].start, bars[-1].end)}  {' '.join(bar.text for bar in bars)}"
                for _, bars in self.written(chosen)
            )
        lines = []
        for name, bars in self.written(chosen):
            lines.append(name)
            for bar in bars:
                period = self._period(bar.start, bar.end)
                lines.append(f"  {period}  {paint(bar.text, bar.color)}".rstrip())
        return "\n".join(lines)

    def _period(self, start: float, end: float) -> str:
        """Return the first and the last name of a period: labels in it, or times of day."""
        if self.labels:
            names = [name for time, name in self.labels if start <= time <= end] or [""]
        else:
            names = [f"{time // 60:02.0f}:{time % 60:02.0f}" for time in (start, end)]
        return " to ".join(dict.fromkeys([names[0], names[-1]]))

    def svg(self, chosen: Iterable[int]) -> Svg:
        """Return a picture, in which texts that are too long are shortened."""
        axis = self.axis
        step = self.step
        rows = self.written(chosen)
        # A row is as high as the number of lanes that its overlapping bars need.
        lanes = [_stack(bars) for _, bars in rows]  # of each row
        tops = [0, *accumulate(len(own) for own in lanes)]
        drawn = [
            bar._replace(row=top + k)
            for top, own in zip(tops, lanes, strict=False)
            for k, lane in enumerate(own)
            for bar in lane
        ]
        names = [name for name, _ in rows]
        left = -CHARACTER_WIDTH * max(map(len, [*names, self.axes[0]])) - 0.4
        right = axis.n_steps * step + 0.4
        height = tops[-1]
        lines = [[(step * k, 0), (step * k, height)] for k in range(axis.n_steps + 1)]
        lines += [[(left, top), (step * axis.n_steps, top)] for top in tops]
        elements = [line(lines, class_="thin")]
        elements += [word(text, (step * time, -0.35), TEXT_SIZE) for time, text in axis.labels]
        elements += [
            word(name, (left / 2, (top + bottom) / 2), TEXT_SIZE)
            for name, (top, bottom) in zip(names, pairwise(tops), strict=True)
        ]
        top_of_axes = -0.85
        for name, x in zip(self.axes, (left / 2, axis.n_steps * step / 2), strict=True):
            if name:
                elements.append(word(name, (x, top_of_axes), TEXT_SIZE))
        for bar in drawn:
            outline = self.outline(bar)
            elements.append(area([outline], fill=COLORS[bar.color], class_="edge"))
            (start, _), (end, _), *_ = outline
            capacity = int((end - start) / CHARACTER_WIDTH)  # in characters
            elements.append(word(shorten(bar.text, capacity), mean(outline), TEXT_SIZE, "over"))
        elements += outlined(self.outline(bar) for bar in drawn if bar.is_marked)
        summary = "; ".join(
            f"{name}: {', '.join(bar.text for bar in bars) or 'free'}" for name, bars in rows
        )
        legend, corner = _draw_legend(self.legend, height, right)
        top = -0.7 if self.axes == ("", "") else top_of_axes - 0.35
        corners = [(left, top), (right, height), corner]
        return plane_picture(self.title, f"In order: {summary}.", corners, elements + legend)


def _checked(n_steps: int) -> int:
    """Return the number of steps of an axis. Raises ValueError if they are too many to be drawn."""
    if n_steps > MAX_STEPS:
        raise ValueError(f"an axis of more than {MAX_STEPS:,} steps cannot be drawn")
    return n_steps


def _stack(bars: Iterable[Bar]) -> list[list[Bar]]:
    """Return the bars of a row, in order, in lanes, in each of which they do not overlap.

    >>> [[bar.text for bar in lane] for lane in _stack([Bar(0, 0, 2, "a"), Bar(0, 1, 2, "b")])]
    [['a'], ['b']]
    """
    lanes: list[list[Bar]] = []
    for bar in bars:
        free = next((lane for lane in lanes if lane[-1].end <= bar.start), None)
        if free is None:
            lanes.append(free := [])
        free.append(bar)
    return lanes or [[]]


def _draw_legend(
    legend: Iterable[tuple[int, str]], top: float, right: float
) -> tuple[list[str], tuple[float, float]]:
    """Return the elements of a legend in rows below `top`, and its lower right corner.

    A color and its meaning that would reach beyond `right` begin a row.
    """
    elements = []
    x = 0.0
    bottom = top
    widest = 0.0
    for color, meaning in legend:
        text_width = CHARACTER_WIDTH * len(meaning)
        if bottom == top or x + 0.7 + text_width > right:
            x = 0.0
            bottom += 0.8
        sample = rectangle(x, bottom - 0.55, x + 0.5, bottom - 0.05)
        elements.append(area([sample], fill=COLORS[color], class_="edge"))
        elements.append(word(meaning, (x + 0.7 + text_width / 2, bottom - 0.3), TEXT_SIZE))
        widest = max(widest, x + 0.7 + text_width)
        x += text_width + 1.4
    return elements, (widest, bottom)
