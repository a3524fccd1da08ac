"""Pictures as data: what each option of a problem writes, and where."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any, ClassVar

from .document import Svg
from .plane import Polygon

FORMS = {  # the module and the class of each form
    "grid": ("grid", "Grid"),
    "lines": ("lines", "Lines"),
    "timetable": ("timetable", "Timetable"),
    "graph": ("graph", "Graph"),
}


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
    def text(self, chosen: Iterable[int]) -> str:
        """Return a cover, given by the numbers of its options, as lines of text."""

    @abstractmethod
    def svg(self, chosen: Iterable[int]) -> Svg:
        """Return a cover, given by the numbers of its options, as an SVG document."""

    def places(self, option: int) -> list[tuple[str, Polygon]]:
        """Return the labels and the outlines of the cells that an option marks, if any."""
        return []

    def to_json(self) -> dict[str, Any]:
        """Return the picture as an object of JSON, from which `from_json` restores it."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        defaults = {each.name: each.default for each in fields(self)}
        return {"form": self.form} | {k: v for k, v in values.items() if v != defaults[k]}


def picture_from_json(stated: Mapping[str, Any]) -> Picture:
    """Return the picture that an object of JSON describes.

    Raises
    ------
    ValueError
        If the object does not describe a picture.

    Examples
    --------
    >>> picture = picture_from_json({"form": "grid", "title": "One", "marks": [[[[0, 0], "a"]]]})
    >>> print(picture.text([0]))
    a
    """
    values = dict(stated)
    form = values.pop("form", None)
    if form not in FORMS:
        raise ValueError(f"picture: form must be one of {', '.join(FORMS)}, not {form!r}")
    module, name = FORMS[form]
    try:
        picture = getattr(import_module(f".{module}", __package__), name)(
            **{key: as_tuples(value) for key, value in values.items()}
        )
        picture.svg([])
        return picture  # type: ignore[no-any-return]
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise ValueError(f"picture: {error}") from None


def as_tuples(value: Any) -> Any:
    """Return a value with all lists in it as tuples."""
    return tuple(map(as_tuples, value)) if isinstance(value, list | tuple) else value
