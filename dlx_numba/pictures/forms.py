"""The list of the forms of pictures, which objects of JSON name."""

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from .picture import Picture

FORMS = {  # the module and the class of each form
    "grid": ("grid", "Grid"),
    "lines": ("lines", "Lines"),
    "timetable": ("timetable", "Timetable"),
    "graph": ("graph", "Graph"),
}


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
        raise ValueError(f"view: form must be one of {', '.join(FORMS)}, not {form!r}")
    module, name = FORMS[form]
    try:
        picture = getattr(import_module(f".{module}", __package__), name)(
            **{key: as_tuples(value) for key, value in values.items()}
        )
        picture.svg([])
        for pattern, *texts in picture.words:
            for text in texts or ("",):
                re.compile(pattern).sub(text, "")  # raises re.error if either is invalid
        return picture  # type: ignore[no-any-return]
    except (TypeError, ValueError, LookupError, AttributeError, re.error) as error:
        raise ValueError(f"view: {error}") from None


def as_tuples(value: Any) -> Any:
    """Return a value with all lists in it as tuples."""
    return tuple(map(as_tuples, value)) if isinstance(value, list | tuple) else value
