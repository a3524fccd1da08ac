"""Sheets: many pictures on one page, as SVG or HTML."""

from collections.abc import Sequence
from html import escape
from math import ceil, sqrt
from textwrap import wrap

from ..runtime.text import plural
from .document import Svg, label, picture, tag
from .html import page

GAP = 16
LINE_HEIGHT = 18
CHARACTER_WIDTH = 8  # in pixels
MIN_WIDTH = 280  # of long captions, in pixels
PRINTED_WIDTH = 700  # of a page on paper, in pixels
SECONDS_PER_FRAME = 1.5  # of an animation
_STYLE = """
body { margin: 1rem; background: var(--paper); color: var(--ink); font: 11pt/1.3 system-ui,
  sans-serif; display: flex; flex-wrap: wrap; gap: 1rem; justify-content: center; }
h1 { width: 100%; margin: 0; font-size: 14pt; text-align: center; }
figure { margin: 0; text-align: center; break-inside: avoid; }
figure svg { display: block; max-width: 100%; height: auto; margin: 0 auto; }
@media print {
  body { margin: 0; display: grid; grid-template-columns: repeat(var(--columns), 1fr); }
  h1 { grid-column: 1 / -1; }
}
"""


def html_sheet(title: str, drawn: Sequence[tuple[str, Svg]]) -> str:
    """Return a page of pictures with captions, in rows that fit into its window.

    >>> from .table import table_picture
    >>> page = html_sheet("Tables", [("one", table_picture("A table", ["a"], [["b"]]))])
    >>> "<figcaption>one</figcaption>" in page
    True
    """
    figures = (
        f"<figure>{svg.embedded(has_size=True)}<figcaption>{escape(caption)}</figcaption></figure>"
        for caption, svg in drawn
    )
    widest = max(width for width, _ in (svg.size for _, svg in drawn))
    n_columns = max(2, int(PRINTED_WIDTH // (widest + GAP)))
    style = f"{_STYLE}@media print {{ body {{ --columns: {n_columns}; }} }}\n"
    return page(title, style, f"<h1>{escape(title)}</h1>\n" + "\n".join(figures))


def svg_sheet(title: str, drawn: Sequence[tuple[str, Svg]], *, animated: bool = False) -> Svg:
    """Return a picture of pictures with captions below them, in about as many rows as columns.

    With `animated`, they are shown one after another.

    >>> from .table import table_picture
    >>> tables = [(name, table_picture(name, ["a"], [[name]])) for name in "xyz"]
    >>> [svg_sheet("Tables", tables, animated=b).count("<animate ") for b in (False, True)]
    [0, 3]
    """
    n = len(drawn)
    sizes = [svg.size for _, svg in drawn]
    longest = CHARACTER_WIDTH * max(len(caption) for caption, _ in drawn)
    # All frames are as wide and high as the largest picture, or wider for long captions.
    width = max(min(longest, MIN_WIDTH), *(own for own, _ in sizes))
    height = max(own for _, own in sizes)
    n_characters = int(width / CHARACTER_WIDTH)
    captions = [
        [part for line in caption.splitlines() for part in wrap(line, n_characters)]
        for caption, _ in drawn
    ]
    across = width + GAP  # from a frame to the next one, and below to the next row
    down = height + 2 * GAP + LINE_HEIGHT * max(map(len, captions))
    # As many columns as make the sheet about as wide as high
    n_columns = 1 if animated else min(n, max(1, round(sqrt(n * down / across))))
    frames = []
    for number, (lines, (_, svg)) in enumerate(zip(captions, drawn, strict=True)):
        row, column = (0, 0) if animated else divmod(number, n_columns)
        x = GAP + column * across
        y = GAP + row * down
        own_width, _ = svg.size
        place = f'<svg x="{x + (width - own_width) / 2:g}" y="{y:g}" '
        frame = svg.embedded(has_size=True).strip().replace("<svg ", place, 1)
        for k, text in enumerate(lines, 1):
            frame += label(text, x + width / 2, y + height + LINE_HEIGHT * k)
        frames.append(_animate(frame, number, n) if animated and n > 1 else frame)
    return picture(
        GAP + n_columns * across,
        GAP + (1 if animated else ceil(n / n_columns)) * down,
        title,
        f"{plural(n, 'picture')}.",
        frames,
    )


def _animate(frame: str, number: int, n: int) -> str:
    """Return a frame, by its number from 0, that is visible in its own n-th part of a round."""
    times = f"0;{number / n:.6f};{(number + 1) / n:.6f}"
    look = {"attributeName": "display", "values": "none;inline;none", "keyTimes": times}
    look |= {"calcMode": "discrete", "repeatCount": "indefinite"}
    motion = tag("animate", dur=f"{SECONDS_PER_FRAME * n:g}s", **look)
    return tag("g", motion + frame, display="none" if number else "inline")
