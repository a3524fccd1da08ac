"""Convert the iterables that users pass to lists, and reject strings."""

import reprlib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
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


def as_mapping(values: object, name: str, elements: str) -> Mapping[Any, Any]:
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


def reject_mask(values: object, name: str) -> None:
    """Raise TypeError if an array, or one in a list, may have masked values.

    >>> reject_mask(np.ma.array([1, 2]), "costs")
    Traceback (most recent call last):
        ...
    TypeError: costs: an array must not have a mask
    """
    rows = values if isinstance(values, list | tuple) else ()
    if any(isinstance(array, np.ma.MaskedArray) for array in (values, *rows)):
        raise TypeError(f"{name}: an array must not have a mask")


def _is_list_like(kind: type) -> bool:
    """Return whether objects of a type are iterable, and not strings."""
    return not issubclass(kind, _NO_LISTS) and (
        hasattr(kind, "__iter__") or hasattr(kind, "__getitem__")
    )


def read_rows(
    options: Sequence[Any], option_names: Sequence[Hashable] = ()
) -> Sequence[Sequence[Any]]:
    """Return the entries of each option.

    Raises TypeError as `as_list` does, and if an option is a mapping: a row of a table, of which
    only the titles would be read. Without values, as of `dict.fromkeys`, it is an ordered set.
    """
    kinds = set(map(type, options))
    if kinds <= {list, tuple}:
        return options
    has_mappings = any(issubclass(kind, Mapping) for kind in kinds)
    for k, option in enumerate(options if has_mappings else ()):
        if isinstance(option, Mapping) and any(value is not None for value in option.values()):
            raise TypeError(
                f"option {option_label(option_names, k)} must be a list of items, not the mapping "
                f"{reprlib.repr(option)}; make a data frame of such rows for ExactCover.from_frame,"
                " or lists of 0 and 1 for from_matrix"
            )
    if all(map(_is_list_like, kinds)):
        return [*map(list, options)]
    return [
        as_list(option, f"option {option_label(option_names, k)}", "items")
        for k, option in enumerate(options)
    ]


def as_names(values: object, name: str) -> dict[Hashable, None]:
    """Return the distinct items of an iterable in order, as the keys of a dictionary.

    Raises TypeError if one cannot be hashed.
    """
    names = as_list(values, name, "items")
    try:
        return dict.fromkeys(names)
    except TypeError:
        item = next(item for item in names if not is_hashable(item))
        raise TypeError(f"{name}: an item must be hashable, not {reprlib.repr(item)}") from None


def check_hashable(rows: Sequence[Sequence[object]], option_names: Sequence[Hashable] = ()) -> None:
    """Raise TypeError if an entry of an option cannot be hashed."""
    for k, row in enumerate(rows):
        for entry in row:
            if not is_hashable(entry):
                is_pair = isinstance(entry, list) and len(entry) == 2
                hint = "; an item with a color is a tuple" if is_pair else ""
                label = option_label(option_names, k)
                text = reprlib.repr(entry)
                raise TypeError(f"option {label}: an item must be hashable, not {text}{hint}")


def reject_nan(names: Iterable[object]) -> None:
    """Raise ValueError if a name, or an element of it, does not equal itself, such as NaN or NaT.

    >>> reject_nan([("a", 1), ("b", float("inf"))])
    """
    values: Iterable[Any] = names
    while not {*map(type, values)} <= {str, int}:  # as most names are
        nested = []
        for value in values:
            if isinstance(value, tuple | frozenset):
                nested.append(value)
            elif not _equals_itself(value):
                raise ValueError(
                    f"{value!r} cannot be a name or a part of one, because it does not equal itself"
                )
        values = {*chain.from_iterable(nested)}


def _equals_itself(value: object) -> bool:
    try:
        return bool(value == value)
    except TypeError:  # of the missing value of pandas, which is neither true nor false
        return False


def is_hashable(value: object) -> bool:
    """Return whether a value can be hashed; a tuple can only if its elements can."""
    try:
        hash(value)
    except TypeError:
        return False
    return True
