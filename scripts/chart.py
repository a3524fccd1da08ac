"""The chart of the benchmarks: horizontal bars on logarithmic axes."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from dlx_numba.svg.document import label, picture, tag

MARGIN, LABEL_WIDTH, AXIS_WIDTH, VALUE_WIDTH = 16, 212, 460, 92
BAR_HEIGHT, BAR_STEP, GROUP_GAP, TITLE_HEIGHT, AXIS_HEIGHT = 14, 20, 28, 46, 44
WIDTH = MARGIN + LABEL_WIDTH + AXIS_WIDTH + VALUE_WIDTH

OURS, BASELINE, OTHER = "one", "mark", "soft"  # classes of the style sheet of all pictures


@dataclass(frozen=True)
class Bar:
    """One bar: `style` is OURS, BASELINE or OTHER."""

    name: str
    value: float
    style: str


@dataclass(frozen=True)
class Panel:
    """Groups of bars with one axis. A group has a heading, which may be empty."""

    title: str
    unit: str
    groups: Sequence[tuple[str, Sequence[Bar]]]


def draw_chart(title: str, panels: Sequence[Panel]) -> str:
    """Return the panels, one below the other, as an SVG document."""
    elements: list[str] = []
    y = 0.0
    for panel in panels:
        elements += _panel(panel, y)
        y += _panel_height(panel)
    return picture(WIDTH, y + 4, title, _description(panels), elements)


def _panel_height(panel: Panel) -> float:
    n_bars = sum(len(bars) for _, bars in panel.groups)
    n_headings = sum(bool(heading) for heading, _ in panel.groups)
    return TITLE_HEIGHT + n_bars * BAR_STEP + n_headings * GROUP_GAP + AXIS_HEIGHT


def _panel(panel: Panel, top: float) -> list[str]:
    values = [bar.value for _, bars in panel.groups for bar in bars]
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    if low == log10(min(values)):  # the shortest bar would have no length
        low -= 1
    left = MARGIN + LABEL_WIDTH

    def x_of(value: float) -> float:
        return left + AXIS_WIDTH * (log10(value) - low) / (high - low)

    y = top + TITLE_HEIGHT
    bottom = top + _panel_height(panel) - AXIS_HEIGHT
    elements = [label(panel.title, MARGIN, top + 28, "strong", text_anchor="start", font_size=15)]
    for power in range(low, high + 1):
        x = x_of(10.0**power)
        elements.append(tag("line", x1=x, y1=y - 4, x2=x, y2=bottom + 2, class_="thin"))
        elements.append(label(f"{10.0**power:,.10g}", x, bottom + 16, "soft small"))
    axis_title = f"{panel.unit}, logarithmic scale"
    elements.append(label(axis_title, left + AXIS_WIDTH / 2, bottom + 32, "soft small"))
    for heading, bars in panel.groups:
        if heading:
            elements.append(label(heading, MARGIN, y + GROUP_GAP - 10, text_anchor="start"))
            y += GROUP_GAP
        for bar in bars:
            elements += _bar(bar, left, x_of(bar.value), y)
            y += BAR_STEP
    return elements


def _bar(bar: Bar, left: float, right: float, top: float) -> list[str]:
    baseline = top + BAR_HEIGHT - 2.5
    emphasis = "strong" if bar.style == OURS else ""
    opacity = {"fill_opacity": 0.6} if bar.style == OTHER else {}
    width = right - left
    return [
        label(bar.name, left - 8, baseline, emphasis, text_anchor="end"),
        tag("rect", x=left, y=top, width=width, height=BAR_HEIGHT, class_=bar.style, **opacity),
        label(_format_value(bar.value), right + 6, baseline, emphasis, text_anchor="start"),
    ]


def _format_value(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _description(panels: Sequence[Panel]) -> str:
    """Return all values as a sentence for each panel."""
    sentences = []
    for panel in panels:
        values = [
            f"{heading + ', ' if heading else ''}{bar.name} {_format_value(bar.value)}"
            for heading, bars in panel.groups
            for bar in bars
        ]
        sentences.append(f"{panel.title}, {panel.unit}: {'; '.join(values)}.")
    return " ".join(sentences)
