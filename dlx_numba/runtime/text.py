"""Phrases for messages, and signatures for `help`."""

import re
from collections.abc import Callable
from typing import Any, TypeVar

ClassT = TypeVar("ClassT", bound=type[Any])
_FORMULA = re.compile(r"[=@\t\r]|[+-](?!\s*[0-9.,]*$)")  # a number has a sign, too
Paint = Callable[[str, int | str], str]  # returns a text in a color


def unpainted(text: str, color: int | str) -> str:
    """Return a text without color."""
    return text


def plural(number: int, noun: str, several: str = "") -> str:
    """Return a number with its noun, which is in the plural unless the number is 1.

    >>> plural(1, "cover"), plural(2000, "cover"), plural(2, "entry", "entries")
    ('1 cover', '2,000 covers', '2 entries')
    """
    return f"{format_count(number)} {noun if number == 1 else several or f'{noun}s'}"


def format_count(number: int, style: str = ",") -> str:
    """Return a number as text, or its magnitude if it has more digits than Python converts.

    >>> format_count(2000), format_count(2000, ""), format_count(10**5000)
    ('2,000', '2000', 'at least 2**16609')
    """
    try:
        return f"{number:{style}}"
    except ValueError:
        return f"at least 2**{number.bit_length() - 1}"


def is_formula(text: str) -> bool:
    """Return whether spreadsheets take a text in a file for a formula, unless it is quoted.

    >>> [*map(is_formula, ("=cmd()", "+1+1", "@SUM(1)", "-2", "a=1"))]
    [True, True, True, False, False]
    """
    return _FORMULA.match(text) is not None


def as_cell(value: object) -> object:
    """Return a value for a table of CSV, where an apostrophe marks a text that is no formula."""
    return f"'{value}" if isinstance(value, str) and is_formula(value) else value


def all_digits(number: int) -> str:
    """Return the digits of a number that is not negative, also if Python limits conversions.

    >>> all_digits(2000), len(all_digits(10**5000))
    ('2000', 5001)
    """
    digits = ""
    while number >= 10**640:  # the lowest limit that Python accepts
        number, low_part = divmod(number, 10**640)
        digits = f"{low_part:0640}{digits}"
    return f"{number}{digits}"


def shorten(text: str, length: int = 60) -> str:
    """Return a text that is not longer than `length` characters.

    >>> shorten("one two", 7), shorten("one two three", 7)
    ('one two', 'one tw…')
    """
    return text if len(text) <= length else f"{text[: length - 1]}…"


SECONDS_PER_DAY = 86_400
DAYS_PER_YEAR = 365.2425
MAX_YEARS = 1_000_000


def format_duration(seconds: float) -> str:
    """Return a time in hours, minutes and seconds, or in days or years if it is long.

    >>> format_duration(75.2), format_duration(7505), format_duration(1e6), format_duration(1e99)
    ('1:15', '2:05:05', '12 days', 'over 1,000,000 years')
    """
    years = seconds / SECONDS_PER_DAY / DAYS_PER_YEAR
    if years > MAX_YEARS:
        return f"over {MAX_YEARS:,} years"
    if years >= 2:
        return plural(round(years), "year")
    if seconds >= 2 * SECONDS_PER_DAY:
        return plural(round(seconds / SECONDS_PER_DAY), "day")
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def format_range(low: float, high: float) -> str:
    """Return a range of times with two digits, in the unit of the longer one.

    >>> format_range(7000, 18500), format_range(0, 90), format_range(59, 59), format_range(0, 0.2)
    ('about 1.9 to 5.1 hours', 'up to 1.5 minutes', 'about 59 seconds', 'less than a second')
    """
    units = {
        "year": SECONDS_PER_DAY * DAYS_PER_YEAR,
        "day": SECONDS_PER_DAY,
        "hour": 3600,
        "minute": 60,
        "second": 1,
    }
    if high < 1:
        return "less than a second"
    unit, size = next((unit, size) for unit, size in units.items() if high >= size)
    if high / size > MAX_YEARS:
        return format_duration(high)
    # Rounded to two digits, which are then written without an exponent
    start, end = (f"{float(f'{max(0.0, time) / size:.2g}'):,g}" for time in (low, high))
    noun = unit if end == "1" else f"{unit}s"
    if start == "0":
        return f"up to {end} {noun}"
    return f"about {end} {noun}" if start == end else f"about {start} to {end} {noun}"


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
