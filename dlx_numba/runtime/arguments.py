"""Checks of arguments that many public functions have: integers, choices and time limits."""

import math
from collections.abc import Collection, Iterable
from contextlib import suppress
from numbers import Real
from operator import index
from typing import Any

UNLIMITED = 2**62  # a limit that is never reached; sums with counters still fit in int64


def check_integer(value: Any, name: str, or_none: str = "", *, minimum: float = -math.inf) -> int:
    """Return an argument as an integer.

    Parameters
    ----------
    value
        The argument; any integer type, but not bool.
    name
        Its name in the error message.
    or_none
        The meaning of None in the error message, if the function also accepts None.
    minimum
        The smallest valid number.

    Raises
    ------
    TypeError
        If the argument is not an integer.
    ValueError
        If it is too small.

    Examples
    --------
    >>> check_integer(1.5, "limit", "to count all solutions")
    Traceback (most recent call last):
        ...
    TypeError: limit must be an integer, or None to count all solutions, not 1.5
    """
    if type(value) is int and value >= minimum:  # the usual case
        return value
    alternative = f", or None {or_none}," if or_none else ","
    number = None
    if not isinstance(value, bool):
        with suppress(TypeError):
            number = index(value)
    if number is None:
        raise TypeError(f"{name} must be an integer{alternative} not {value!r}")
    if number < minimum:
        raise ValueError(f"{name} must be {minimum} or more{alternative} not {value}")
    return number


def check_choice(name: str, value: object, choices: Collection[str], alternative: str = "") -> None:
    """Raise an exception if the value of an argument is not one of its choices.

    Parameters
    ----------
    name
        The name of the argument in the error message.
    value
        The argument.
    choices
        The valid values.
    alternative
        Text after the choices in the error message.

    Raises
    ------
    ValueError
        If the argument is not a choice.

    Examples
    --------
    >>> check_choice("method", "fast", ["auto", "memo"])
    Traceback (most recent call last):
        ...
    ValueError: method must be one of auto, memo, not 'fast'
    """
    if not isinstance(value, str) or value not in choices:
        raise invalid_choice(name, value, choices, alternative)


def invalid_choice(
    name: str, value: object, choices: Iterable[str], alternative: str = ""
) -> ValueError:
    """Return the exception that `check_choice` raises."""
    values = tuple(choices)
    expected = f"one of {', '.join(values)}" if len(values) > 1 else "".join(values)
    return ValueError(f"{name} must be {expected}{alternative}, not {value!r}")


def check_seconds(seconds: object) -> float | None:
    """Return a time limit in seconds, or None if there is none.

    Raises
    ------
    TypeError
        If the time limit is not a number.
    ValueError
        If it is negative or not a number (NaN).

    Examples
    --------
    >>> check_seconds(1), check_seconds(float("inf")), check_seconds(None)
    (1.0, None, None)
    """
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, Real):
        raise TypeError(f"seconds must be a number, or None for no limit, not {seconds!r}")
    number: Any = seconds
    if not number >= 0:  # also NaN
        raise ValueError(f"seconds must be 0 or more, or None for no limit, not {number}")
    try:
        finite = float(number)
    except OverflowError:  # a large integer
        return None
    return None if math.isinf(finite) else finite
