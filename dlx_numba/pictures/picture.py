"""Pictures as data: what each option of a problem writes, and where."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from ..runtime.text import Paint, unpainted
from .document import Svg
from .plane import Polygon

VIEWS = "grid", "timetable", "graph", "table", "matrix"  # what a picture is found or drawn as


@dataclass(frozen=True)
class Picture(ABC):
    """A picture as data: what each option of a problem writes, and where.

    A picture is plain data: numbers, texts, and tuples of them. Subclasses are frozen dataclasses,
    one for each form of picture. The first field with marks has an entry for each option, in the
    order of the options.

    Parameters
    ----------
    title : str
        Plain text for screen readers.
    """

    form: ClassVar[str]

    title: str

    @abstractmethod
    def text(self, chosen: Iterable[int], paint: Paint = unpainted) -> str:
        """Return a cover, given by the numbers of its options, as lines of text.

        `paint` returns a text in a color of the palette, by its index, or as "given", "mark" or
        "dark".
        """

    @abstractmethod
    def svg(self, chosen: Iterable[int]) -> Svg:
        """Return a cover, given by the numbers of its options, as an SVG document."""

    def places(self, option: int) -> list[tuple[str, Polygon]]:
        """Return the labels and the outlines of the cells that an option marks, if any."""
        return []

    def to_json(self) -> dict[str, Any]:
        """Return the picture as an object of JSON, from which `picture_from_json` restores it."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        defaults = {each.name: each.default for each in fields(self)}
        return {"form": self.form} | {k: v for k, v in values.items() if v != defaults[k]}
