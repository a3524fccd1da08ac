"""Convert the iterables that users pass to lists, and reject strings."""

import reprlib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from numbers import Integral, Number
from typing import Any

import numpy as np

from .names import Numbers, find_duplicate, option_label

_TEXT_TYPES = (str, bytes, bytearray)
_NO_LISTS = (*_TEXT_TYPES, np.number, np.bool_)  # although some have `__getitem__`


def as_list(values: Any, name: str, elements: str) -> list[Any]:
    """Return an iterable other than a string as a list.

    Parameters
    ----------
    values
        The iterable.
    name
        What to call it in the error message, such as the name of an argument.
    elements
        What to call its elements.

    Raises
    ------
    TypeError
        If it is a string, whose elements would be its characters, or not iterable.

    Examples
    --------
    >>> as_list("ab", "secondary", "items")
    Traceback (most recent call last):
        ...
    TypeError: secondary must be a list of items, not the string 'ab'; use ['ab'] for a single one
    """
    kind = type(values)
    if issubclass(kind, Numbers):
        return Numbers(values)
    if kind is tuple or kind is list or _is_list_like(kind):
        return list(values)
    text = reprlib.repr(values)
    if not isinstance(values, _TEXT_TYPES):
        raise TypeError(f"{name} must be a list of {elements}, not {text}")
    advice = f"use [{text}] for a single one"
    if name == "options":
        advice = "use ExactCover.read for the text of a file"
    raise TypeError(f"{name} must be a list of {elements}, not the string {text}; {advice}")


def as_mapping(values: Any, name: str, elements: str) -> Mapping[Any, Any]:
    """Return a mapping; a Series of pandas is one from its labels.

    Raises TypeError if it is neither, and ValueError if two labels are equal. `elements` is what
    to call its values.

    Examples
    --------
    >>> as_mapping(2, "penalty", "numbers")
    Traceback (most recent call last):
        ...
    TypeError: penalty must be a mapping from items to numbers, not 2
    """
    if isinstance(values, Mapping):
        return values
    if not (hasattr(values, "index") and hasattr(values, "items")):
        raise TypeError(
            f"{name} must be a mapping from items to {elements}, not {reprlib.repr(values)}"
        )
    labels = list(values.index)
    if (repeated := find_duplicate(labels)) is not None:
        raise ValueError(f"{name}: item {labels[repeated]!r} appears twice")
    return dict(values.items())


def _is_list_like(kind: type) -> bool:
    """Return whether objects of a type are iterable, and not strings."""
    return not issubclass(kind, _NO_LISTS) and (
        hasattr(kind, "__iter__") or hasattr(kind, "__getitem__")
    )


def read_rows(
    options: Sequence[Any], option_names: Sequence[Hashable] = ()
) -> Sequence[Sequence[Any]]:
    """Return the entries of each option. Raises TypeError as `as_list` does."""
    kinds = set(map(type, options))
    if kinds <= {list, tuple}:
        return options
    if all(map(_is_list_like, kinds)):
        return [*map(list, options)]
    return [
        as_list(option, f"option {option_label(option_names, k)}", "items")
        for k, option in enumerate(options)
    ]


def as_names(values: Any, name: str) -> dict[Hashable, None]:
    """Return the distinct items of an iterable in order, as the keys of a dictionary.

    Raises TypeError if one cannot be hashed.
    """
    names = as_list(values, name, "items")
    try:
        return dict.fromkeys(names)
    except TypeError:
        item = next(item for item in names if not is_hashable(item))
        raise TypeError(f"{name}: an item must be hashable, not {reprlib.repr(item)}") from None


def check_hashable(rows: Sequence[Sequence[Any]], option_names: Sequence[Hashable] = ()) -> None:
    """Raise TypeError if an entry of an option cannot be hashed."""
    for k, row in enumerate(rows):
        for entry in row:
            if not is_hashable(entry):
                is_pair = isinstance(entry, list) and len(entry) == 2
                hint = "; an item with a color is a tuple" if is_pair else ""
                label = option_label(option_names, k)
                text = reprlib.repr(entry)
                raise TypeError(f"option {label}: an item must be hashable, not {text}{hint}")


def reject_nan(names: Iterable[Any]) -> None:
    """Raise ValueError if a name is NaN, or a tuple with NaN."""
    kinds = {*map(type, names)}
    if kinds <= {str, int}:  # as most names are
        return
    tuples = filter(tuple.__instancecheck__, names)
    kinds.update(map(type, {*chain.from_iterable(tuples)}))
    kinds -= {str, int, tuple}
    if any(issubclass(kind, Number) and not issubclass(kind, Integral) for kind in kinds):
        for name in names:
            for value in name if isinstance(name, tuple) else (name,):
                if isinstance(value, Number) and value != value:
                    raise ValueError(f"{name!r} cannot be a name, because NaN equals nothing")


def is_hashable(value: Any) -> bool:
    """Return whether a value can be hashed; a tuple can only if its elements can."""
    try:
        hash(value)
    except TypeError:
        return False
    return True
