"""Pictures of cells without texts: colored ones, or black ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from ..runtime.text import Paint, plural, unpainted
from .document import Svg
from .grid import Grid
from .outlines import format_blocks
from .palette import COLORS
from .plane import area, plane_picture


@dataclass(frozen=True)
class Mosaic(Grid):
    """Cells with a color for each text, which only texts show."""

    is_board: ClassVar[bool] = False

    def svg(self, chosen: Iterable[int]) -> Svg:
        drawn = [
            area([self.outline(cell)], fill=COLORS[self.color_of[text]], class_="edge")
            for cell, text in self.written(chosen).items()
            if text in self.color_of
        ]
        return self._plane(drawn, plural(len(drawn), "cell"))

    def _plane(self, drawn: list[str], description: str) -> Svg:
        """Return a picture of elements, and of the numbers in the margins of the board."""
        numbers, left, top = self._draw_margins()
        corners = [corner for cell in self.positions for corner in self.outline(cell)]
        if left or top:  # the space that the numbers need
            corners.append((-left, -top))
        return plane_picture(self.title, f"{description}.", corners, drawn + numbers)


@dataclass(frozen=True)
class Blocks(Mosaic):
    """Black cells, two of which are a character in texts.

    Examples
    --------
    >>> print(Blocks("Three", ([((0, 0), ""), ((0, 1), ""), ((1, 1), "")],)).text([0]))
    ▀█
    """

    def text(self, chosen: Iterable[int], paint: Paint = unpainted) -> str:
        black = {self.positions[cell] for cell in self.written(chosen)}
        return format_blocks(black, *self.shape)

    def svg(self, chosen: Iterable[int]) -> Svg:
        written = self.written(chosen)
        outlines = area([*map(self.outline, self.positions)], class_="thin", fill="none")
        black = area([*map(self.outline, written)])
        return self._plane([outlines, black], plural(len(written), "black cell"))
