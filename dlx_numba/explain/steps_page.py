"""A page to click through the steps of a deduction."""

import json
from collections.abc import Collection, Iterator
from html import escape
from itertools import chain, repeat, takewhile

from ..pictures.document import Svg
from ..pictures.filling import Pieces
from ..pictures.html import paragraph
from ..pictures.palette import COLORS, INK_ON_COLORS
from ..pictures.picture import Picture
from ..pictures.plane import area, plane_picture
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from .deduction import Deduction
from .deduction.picture import CHOICE, REASON, REMOVED, draw_chosen
from .frame import fill_page

MARKS = (REASON, "reason"), (CHOICE, "conclusion"), (REMOVED, "excluded")


def steps_page(title: str, deduction: Deduction, stop: Stop) -> str:
    """Return an HTML file with a section for each step, and one for what is known after them.

    If `stop` ends the drawing, the other steps have no pictures, which the last section says.
    """
    source = deduction.source
    drawing = None if source is None else source.named.drawing
    pictures = [step.svg() for step in takewhile(lambda _: not stop(), deduction)]
    sections = [  # those of steps that were not drawn have an empty picture
        _section(step.text, picture, drawing, step.before)
        for step, picture in zip(deduction, chain(pictures, repeat(Svg())), strict=False)
    ]
    end = deduction.end or "After these steps:"
    if len(pictures) < len(deduction):
        end += f" The time limit was reached after {plural(len(pictures), 'picture')}."
    chosen = sorted(deduction.chosen)
    last = "" if source is None else draw_chosen(source, chosen)
    sections.append(_section(end, Svg(last), drawing, chosen))
    parts = {"sections": "".join(sections), "legend": "\n".join(_legend(drawing))}
    return fill_page("steps.html", title, **parts)


def _section(text: str, picture: Svg, drawing: Picture | None, chosen: Collection[int]) -> str:
    """Return a section with a picture, and with the names of the pieces that are placed in it."""
    placed = json.dumps(sorted(_pieces(drawing, chosen)))
    drawn = f"{paragraph(text)}\n{picture.embedded()}"
    return f'<section data-placed="{escape(placed)}">\n{drawn}</section>\n'


def _pieces(drawing: Picture | None, options: Collection[int]) -> dict[str, int]:
    """Return the last option of each piece that some options place, by the name of the piece.

    The text in the cells of an option is the name of its piece, unless there is only one cell.
    """
    if not isinstance(drawing, Pieces) or drawing.givens:  # givens, which replace the names
        return {}
    pieces = {}
    for option in options:
        marks = drawing.marks[option] if option < len(drawing.marks) else ()
        texts = [text for _, text in marks[:1]]
        if len(marks) > 1 and texts[0] not in ("", drawing.blank):
            pieces[texts[0]] = option
    return pieces


def _legend(drawing: Picture | None) -> Iterator[str]:
    """Yield what the colors of marks mean, and the pieces with their names."""
    for color, meaning in MARKS:
        yield f'<li><span class="sample" style="background: {color}"></span> {meaning}</li>'
    if not isinstance(drawing, Pieces):
        return
    for name, option in sorted(_pieces(drawing, range(len(drawing.marks))).items()):
        cells = [corners for _, corners in drawing.places(option)]
        color = COLORS[drawing.color_of[name]] if name in drawing.color_of else INK_ON_COLORS
        corners = [corner for cell in cells for corner in cell]
        shape = plane_picture(name, "", corners, [area(cells, fill=color, class_="edge")])
        drawn = shape.embedded(has_size=True)
        yield f'<li data-piece="{escape(name)}">{drawn} {escape(name)}</li>'
