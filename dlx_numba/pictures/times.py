"""Distributions of run times on a logarithmic axis."""

from collections.abc import Callable, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .document import label, picture, tag

# Lengths in pixels
LEFT, RIGHT, MARGIN = 160, 110, 16
ROW_HEIGHT, AXIS_WIDTH = 34, 640
BINS_PER_DECADE = 20
MIN_SECONDS = 1e-7  # shorter times are below the resolution of the clock


class Distribution(NamedTuple):
    """The times in one row of the picture."""

    name: str
    seconds: NDArray[np.float64]
    note: str = ""  # a footnote; drawn in place of the distribution if there are no times


def times_picture(title: str, groups: Sequence[tuple[str, Sequence[Distribution]]]) -> str:
    """Return a picture of distributions of times, with their medians, on a common axis.

    Parameters
    ----------
    title
        The heading of the picture.
    groups
        The heading and the distributions of each group.

    Returns
    -------
    str
        An SVG document.

    Raises
    ------
    ValueError
        If no distribution has a time.
    """
    nonempty = [row.seconds for _, rows in groups for row in rows if len(row.seconds)]
    if not nonempty:
        raise ValueError("there are no times to draw")
    times = np.maximum(np.concatenate(nonempty), MIN_SECONDS)
    low = floor(log10(float(times.min())))
    high = max(low + 1, ceil(log10(float(times.max()))))

    def x_of(seconds: float) -> float:
        fraction = (log10(max(seconds, MIN_SECONDS)) - low) / (high - low)
        return LEFT + AXIS_WIDTH * fraction

    y = 30.0
    body = [label("median", LEFT + AXIS_WIDTH + 12, y + 18, "soft", text_anchor="start")]
    summaries: list[str] = []
    top = y + 14
    for heading, rows in groups:
        y += 26
        body.append(label(heading, MARGIN, y, "strong", text_anchor="start"))
        y += 8
        for row in rows:
            body += _row_elements(row, y, x_of)
            median = _format_time(float(np.median(row.seconds))) if len(row.seconds) else row.note
            summaries.append(f"{heading}, {row.name}: {median}")
            y += ROW_HEIGHT
    bottom = y + 6
    axis = [label(title, MARGIN, 26, "strong", text_anchor="start", font_size=16)]
    for power in range(low, high + 1):
        x = x_of(10.0**power)
        axis.append(tag("line", x1=x, y1=top, x2=x, y2=bottom, class_="thin"))
        axis.append(label(_format_time(10.0**power), x, bottom + 18))
    caption = "time per board, logarithmic; the bar marks the median"
    axis.append(label(caption, LEFT, bottom + 38, "soft", text_anchor="start"))
    description = f"Median times: {'; '.join(summaries)}."
    width, height = LEFT + AXIS_WIDTH + RIGHT, bottom + 52
    return picture(width, height, title, description, [*axis, *body])


def _row_elements(row: Distribution, y: float, x_of: Callable[[float], float]) -> list[str]:
    middle = y + ROW_HEIGHT / 2
    elements = [label(row.name, LEFT - 10, middle + 4.5, text_anchor="end")]
    if not len(row.seconds):
        note = label(row.note, LEFT + 4, middle + 4.5, "soft small", text_anchor="start")
        return [*elements, note]
    elements.append(tag("polygon", points=_outline(row.seconds, middle, x_of), class_="one"))
    median = float(np.median(row.seconds))
    x = x_of(median)
    elements.append(tag("line", x1=x, y1=y + 3, x2=x, y2=y + ROW_HEIGHT - 3, class_="rule"))
    text = _format_time(median) + (" *" if row.note else "")
    elements.append(label(text, LEFT + AXIS_WIDTH + 12, middle + 4.5, text_anchor="start"))
    if row.note:
        footnote = f"* {row.note}"
        elements.append(
            label(footnote, LEFT + 4, y + ROW_HEIGHT, "soft small", text_anchor="start")
        )
    return elements


def _outline(seconds: NDArray[np.float64], middle: float, x_of: Callable[[float], float]) -> str:
    """Return the corners of a smoothed histogram that is mirrored at the line y = `middle`."""
    logs = np.log10(np.maximum(seconds, MIN_SECONDS))
    first, last = np.floor(logs.min() * BINS_PER_DECADE), np.ceil(logs.max() * BINS_PER_DECADE)
    edges = np.arange(first - 1, max(last, first + 1) + 2) / BINS_PER_DECADE
    counts = np.histogram(logs, edges)[0].astype(np.float64)
    smooth = np.convolve(counts, [0.25, 0.5, 0.25], mode="same")
    heights = np.maximum(smooth / smooth.max() * (ROW_HEIGHT / 2 - 3), 0.7)
    xs = [x_of(10**value) for value in ((edges[1:] + edges[:-1]) / 2).tolist()]
    upper = [f"{x:.1f},{middle - h:.1f}" for x, h in zip(xs, heights.tolist(), strict=True)]
    lower = [f"{x:.1f},{middle + h:.1f}" for x, h in zip(xs, heights.tolist(), strict=True)]
    return " ".join([*upper, *reversed(lower)])


def _format_time(seconds: float) -> str:
    """Return a time with its unit, to three significant digits.

    >>> _format_time(1e-6), _format_time(0.0123), _format_time(2.5)
    ('1 µs', '12.3 ms', '2.5 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size * 0.9995:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
