"""Phrases for messages, and signatures for `help`."""

from typing import Any, TypeVar

ClassT = TypeVar("ClassT", bound=type[Any])


def plural(number: int, noun: str) -> str:
    """Return a number with its noun, which is in the plural unless the number is 1.

    >>> plural(1, "cover"), plural(2000, "cover")
    ('1 cover', '2,000 covers')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def readable_signature(named_tuple: ClassT) -> ClassT:
    """Let `help` show the annotations of a named tuple as they are written.

    In a module with `from __future__ import annotations`, it would show `ForwardRef('int')`.
    """
    new: Any = named_tuple.__new__
    new.__annotations__ = {
        name: getattr(annotation, "__forward_arg__", annotation)
        for name, annotation in new.__annotations__.items()
    }
    return named_tuple
