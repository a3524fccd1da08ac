"""Distributions of times as a picture, on a logarithmic axis."""

from collections.abc import Callable, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .document import label, picture, tag

LEFT, RIGHT, MARGIN = 160, 110, 16
ROW, PLOT = 34, 640  # the height of a distribution, the width of the axis
BINS_PER_DECADE = 20
SHORTEST = 1e-7  # seconds; what a clock tells below that is nothing


class Distribution(NamedTuple):
    """The times of one row."""

    name: str
    seconds: NDArray[np.float64]
    note: str = ""  # said beside it; in its place, where there are no times


def times_picture(title: str, groups: Sequence[tuple[str, Sequence[Distribution]]]) -> str:
    """The groups, each with its rows, as SVG: how often which time occurs, and the median.

    All rows have one axis. Raises ValueError where there is no time at all.
    """
    times = [each.seconds for _, rows in groups for each in rows if len(each.seconds)]
    if not times:
        raise ValueError("there are no times to be drawn")
    every = np.maximum(np.concatenate(times), SHORTEST)
    low = floor(log10(float(every.min())))
    high = max(low + 1, ceil(log10(float(every.max()))))

    def x_of(seconds: float) -> float:
        share = (log10(max(seconds, SHORTEST)) - low) / (high - low)
        return LEFT + PLOT * share

    y = 30.0
    body = [label("median", LEFT + PLOT + 12, y + 18, "soft", text_anchor="start")]
    said: list[str] = []
    top = y + 14
    for heading, rows in groups:
        y += 26
        body.append(label(heading, MARGIN, y, "strong", text_anchor="start"))
        y += 8
        for row in rows:
            body += _row(row, y, x_of)
            middle = _time(float(np.median(row.seconds))) if len(row.seconds) else row.note
            said.append(f"{heading}, {row.name}: {middle}")
            y += ROW
    bottom = y + 6
    axis = [label(title, MARGIN, 26, "strong", text_anchor="start", font_size=16)]
    for power in range(low, high + 1):
        x = x_of(10.0**power)
        axis.append(tag("line", x1=x, y1=top, x2=x, y2=bottom, class_="thin"))
        axis.append(label(_time(10.0**power), x, bottom + 18))
    axis.append(
        label("time for a board, logarithmic; the bar is the median", LEFT, bottom + 38, "soft",
              text_anchor="start")
    )  # fmt: skip
    description = f"Median times: {'; '.join(said)}."
    return picture(LEFT + PLOT + RIGHT, bottom + 52, title, description, [*axis, *body])


def _row(row: Distribution, y: float, x_of: Callable[[float], float]) -> list[str]:
    middle = y + ROW / 2
    parts = [label(row.name, LEFT - 10, middle + 4.5, text_anchor="end")]
    if not len(row.seconds):
        return [*parts, label(row.note, LEFT + 4, middle + 4.5, "soft small", text_anchor="start")]
    parts.append(tag("polygon", points=_outline(row.seconds, middle, x_of), class_="one"))
    median = float(np.median(row.seconds))
    x = x_of(median)
    parts.append(tag("line", x1=x, y1=y + 3, x2=x, y2=y + ROW - 3, class_="rule"))
    text = _time(median) + (" *" if row.note else "")
    parts.append(label(text, LEFT + PLOT + 12, middle + 4.5, text_anchor="start"))
    if row.note:
        parts.append(label(f"* {row.note}", LEFT + 4, y + ROW, "soft small", text_anchor="start"))
    return parts


def _outline(seconds: NDArray[np.float64], middle: float, x_of: Callable[[float], float]) -> str:
    """The corners of a shape as high as times are frequent, the same above and below `middle`."""
    logs = np.log10(np.maximum(seconds, SHORTEST))
    first, last = np.floor(logs.min() * BINS_PER_DECADE), np.ceil(logs.max() * BINS_PER_DECADE)
    edges = np.arange(first - 1, max(last, first + 1) + 2) / BINS_PER_DECADE
    counts = np.histogram(logs, edges)[0].astype(np.float64)
    smooth = np.convolve(counts, [0.25, 0.5, 0.25], mode="same")
    heights = np.maximum(smooth / smooth.max() * (ROW / 2 - 3), 0.7)
    xs = [x_of(10**value) for value in ((edges[1:] + edges[:-1]) / 2).tolist()]
    upper = [f"{x:.1f},{middle - h:.1f}" for x, h in zip(xs, heights.tolist(), strict=True)]
    lower = [f"{x:.1f},{middle + h:.1f}" for x, h in zip(xs, heights.tolist(), strict=True)]
    return " ".join([*upper, *reversed(lower)])


def _time(seconds: float) -> str:
    """A time with its unit, in three digits.

    >>> _time(1e-6), _time(0.0123), _time(2.5)
    ('1 µs', '12.3 ms', '2.5 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size * 0.9995:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
