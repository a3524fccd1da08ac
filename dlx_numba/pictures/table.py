"""Tables of names."""

from collections.abc import Sequence
from itertools import accumulate

from .document import Svg, label, picture, tag

# Lengths in pixels
CHARACTER_WIDTH = 8
GAP = 20
ROW_HEIGHT = 22
MARGIN = 12


def table_picture(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], note: str = ""
) -> Svg:
    """Return a picture of a table: a header, rows, and a note below them.

    >>> "Bob" in table_picture("Two", ["name"], [["Ann"], ["Bob"]])
    True
    """
    lengths = (max(map(len, column)) for column in zip(header, *rows, strict=True))
    widths = (CHARACTER_WIDTH * length + GAP for length in lengths)
    lefts = [*accumulate(widths, initial=MARGIN)]
    width = max(lefts[-1] - GAP, MARGIN + CHARACTER_WIDTH * len(note)) + MARGIN
    elements = []
    lines = [header, *rows]
    if note:
        lines.append([note])
    for number, row in enumerate(lines):
        y = MARGIN + ROW_HEIGHT * number
        class_ = "soft"  # of the header and the note
        if 0 < number <= len(rows):
            elements.append(tag("line", x1=MARGIN, y1=y, x2=width - MARGIN, y2=y, class_="thin"))
            class_ = ""
        elements += [
            label(text, x, y + 15, class_, text_anchor="start")
            for text, x in zip(row, lefts, strict=False)
        ]
    height = 2 * MARGIN + ROW_HEIGHT * (1 + len(rows) + bool(note))
    described = "; ".join(" ".join(row) for row in rows)
    return picture(width, height, title, f"{described}. {note}".strip(), elements)
