"""The chart of the benchmarks: horizontal bars on logarithmic axes."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from dlx_numba.pictures.document import label, picture, tag

MARGIN, LABEL_WIDTH, AXIS_WIDTH, VALUE_WIDTH = 16, 212, 460, 92
BAR_HEIGHT, BAR_STEP, TITLE_HEIGHT, AXIS_HEIGHT = 14, 20, 46, 44
WIDTH = MARGIN + LABEL_WIDTH + AXIS_WIDTH + VALUE_WIDTH

OURS, OTHER = "one", "soft"  # classes of the style sheet of all pictures


@dataclass(frozen=True)
class Bar:
    """One bar: `style` is OURS or OTHER."""

    name: str
    value: float
    style: str


@dataclass(frozen=True)
class Panel:
    """The bars of one task, with an axis."""

    title: str
    unit: str
    bars: Sequence[Bar]


def draw_chart(title: str, panels: Sequence[Panel]) -> str:
    """Return the panels, one below the other, as an SVG document."""
    elements: list[str] = []
    y = 0.0
    for panel in panels:
        elements += _panel(panel, y)
        y += _panel_height(panel)
    return picture(WIDTH, y + 4, title, _description(panels), elements)


def _panel_height(panel: Panel) -> float:
    return TITLE_HEIGHT + len(panel.bars) * BAR_STEP + AXIS_HEIGHT


def _panel(panel: Panel, top: float) -> list[str]:
    values = [bar.value for bar in panel.bars]
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
    for bar in panel.bars:
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
        values = [f"{bar.name} {_format_value(bar.value)}" for bar in panel.bars]
        sentences.append(f"{panel.title}, {panel.unit}: {'; '.join(values)}.")
    return " ".join(sentences)
