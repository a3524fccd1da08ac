"""The list of the forms of pictures, which objects of JSON name."""

import re
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from ..runtime.arguments import check_choice
from .picture import MAX_LENGTH, Picture

MAX_ATTEMPTS = 1_000_000  # to match a name with all patterns of a picture: 10 ms
CHOICE = r"[*+?|]|\{[0-9]*,?[0-9]*\}"  # what a pattern may match in several ways

FORMS = {  # the module of each, which has a class of the same name
    "grid": "grid",
    "pieces": "filling",
    "outlines": "filling",
    "mosaic": "areas",
    "blocks": "areas",
    "lines": "lines",
    "timetable": "timetable",
    "graph": "graph",
}


def picture_from_json(content: Mapping[str, Any]) -> Picture:
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
    values = dict(content)
    form: Any = values.pop("form", None)
    check_choice("view: form", form, FORMS)
    try:
        create = getattr(import_module(f".{FORMS[form]}", __package__), form.capitalize())
        picture = create(**{key: as_tuples(value) for key, value in values.items()})
        picture.svg([])
        _check_patterns(picture.words)
        return picture
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, re.error) as error:
        raise ValueError(f"view: {error}") from None
    except RecursionError:
        raise ValueError("view: it is nested too deeply") from None


def _check_patterns(words: Iterable[tuple[str, ...]]) -> None:
    """Raise an error if patterns or their texts are invalid, or matching names may take long.

    Groups must not repeat, because the number of attempts may double with each character.
    """
    n_attempts = 0
    for pattern, *texts in words:
        # Escaped characters and classes such as [a-z] become letters: what is left is syntax.
        plain = re.sub(r"\\.|\[\^?\]?(?:\\.|[^]\\])*\]", "x", pattern, flags=re.DOTALL)
        # A repetition after a group, or a group with a flag, which changes the syntax
        if re.search(r"\)[*+{]|\(\?[^:=!<P]", plain):
            raise ValueError(f"the pattern {pattern!r} repeats a group, or has a flag")
        n_own = 1  # attempts to match a name with this pattern
        # The ? at the beginning of a group is no repetition.
        for choice in re.findall(CHOICE, plain.replace("(?", "(")):
            n_own *= _count_lengths(choice)
            if n_own > MAX_ATTEMPTS:  # products of many numbers take long
                break
        n_attempts += n_own
        if n_attempts > MAX_ATTEMPTS:
            raise ValueError("the patterns of the words repeat too many characters")
        for text in texts or ("",):
            re.compile(pattern).sub(text, "")  # raises re.error if either is invalid


def _count_lengths(choice: str) -> int:
    """Return how many lengths a part of a pattern may have, or how many alternatives.

    Without an upper limit, all lengths from 0 to that of the longest name are counted.

    >>> [_count_lengths(choice) for choice in ("?", "|", "{3}", "{1,3}", "{2,}", "+")]
    [2, 2, 1, 3, 101, 101]
    """
    low, comma, high = choice.strip("{}").partition(",")
    if choice in "?|":
        return 2
    if high or (low.isdigit() and not comma):
        return int(high or low) - int(low or 0) + 1
    return MAX_LENGTH + 1


def as_tuples(value: Any) -> Any:
    """Return a value with all lists in it as tuples."""
    return tuple(map(as_tuples, value)) if isinstance(value, list | tuple) else value
