"""The parameters of the gallery's entries: checked, and read from words like `n=8`."""

from collections.abc import Iterable
from dataclasses import Field, fields
from typing import Any

from .entry import Entry

YES, NO = ("yes", "true", "1"), ("no", "false", "0")


def check_range(name: str, value: int, low: int, high: int) -> None:
    """Raise ValueError where the parameter `name` is not from `low` to `high`.

    >>> check_range("n", 0, 1, 9)
    Traceback (most recent call last):
    ...
    ValueError: n must be from 1 to 9, not 0
    """
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value}")


def parameters(kind: type[Entry]) -> list[str]:
    """The parameters of an entry with their defaults, as they are written.

    >>> from .queens import Queens
    >>> parameters(Queens)
    ['n=8']
    """
    return [f"{field.name}={_written(field.default)}" for field in fields(kind)]


def with_parameters(kind: type[Entry], words: Iterable[str]) -> Entry:
    """The entry with the parameters that words like `n=8` tell.

    Raises ValueError for a word of another form, an unknown parameter, a value of another type,
    and where the entry does.

    >>> from .queens import Queens
    >>> with_parameters(Queens, ["n=5"])
    Queens(n=5)
    """
    known = {field.name: field for field in fields(kind)}
    values: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or name not in known:
            possible = ", ".join(parameters(kind)) or "none"
            what = f"no parameter {name!r}" if equals else f"{word!r} is not PARAMETER=VALUE"
            raise ValueError(f"{what}; there are: {possible}")
        if name in values:
            raise ValueError(f"{name} is given twice")
        values[name] = _value(known[name], text)
    return kind(**values)


def _value(field: "Field[Any]", text: str) -> int | str | bool:
    """The text as a value of the type that the field's default has."""
    if isinstance(field.default, bool):
        if text.lower() not in YES + NO:
            raise ValueError(f"{field.name} must be yes or no, not {text!r}")
        return text.lower() in YES
    if isinstance(field.default, int):
        try:
            return int(text)
        except ValueError:
            raise ValueError(f"{field.name} must be a whole number, not {text!r}") from None
    return text


def _written(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
