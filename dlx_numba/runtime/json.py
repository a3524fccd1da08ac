"""Strict JSON: no object has a key twice."""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Collection
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import Any

MAX_DIGITS = 50  # of a number that is read exactly
HUGE = 1e300  # numbers beyond it, and those below its inverse, are read as floats
MAX_PLACES = 2000  # of a number that is written exactly

_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def load_json(text: str | bytes, parse_float: Callable[[str], object] | None = None) -> Any:
    """Return a JSON value, in which no object has a key twice.

    Parameters
    ----------
    text
        The text; bytes are UTF-8.
    parse_float
        Converts the texts of numbers with a fraction or an exponent.

    Raises
    ------
    json.JSONDecodeError
        If the text is not valid JSON; the attributes `msg` and `lineno` give the reason.
    ValueError
        If it is not UTF-8, or the value is nested too deeply or cannot be written again.
    """
    try:
        text = text if isinstance(text, str) else text.decode("utf-8-sig")
        value = json.loads(text, object_pairs_hook=unique_keys, parse_float=parse_float)
        if _ESCAPED_SURROGATE.search(text):  # half of a pair raises UnicodeEncodeError
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except json.JSONDecodeError as error:
        raise json.JSONDecodeError(f"not valid JSON: {error.msg}", error.doc, error.pos) from None
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except UnicodeEncodeError:
        raise ValueError("a string contains half of a surrogate pair") from None
    except RecursionError:
        raise ValueError("the JSON value is nested too deeply") from None


def exact_number(text: str) -> float | Decimal:
    """Return the number that a text writes, as a Decimal if a float would be another one.

    >>> exact_number("0.1"), exact_number("0.12345678901234567")
    (0.1, Decimal('0.12345678901234567'))
    """
    number = float(text)
    can_be_exact = len(text) <= MAX_DIGITS and 1 / HUGE < abs(number) < HUGE
    # What Python prints for the float differs if it is not the number in the text.
    if can_be_exact and (exact := Decimal(text)) != Decimal(repr(number)):
        return exact
    return number


def dump_json(value: object, *, ensure_ascii: bool = True) -> str:
    """Return a value as JSON, in which a `Fraction` is a number with all of its digits.

    A fraction that has no end, such as 1/3, is rounded like a float.

    >>> dump_json({"cost": Fraction("0.12345678901234567"), "share": Fraction(1, 3)})
    '{"cost": 0.12345678901234567, "share": 0.3333333333333333}'
    """
    # The module json cannot write fractions. A mark, which no text contains, stands for each.
    mark = os.urandom(16).hex()
    numbers: list[str] = []

    def keep(fraction: Fraction) -> str:
        numbers.append(_digits(fraction))
        return mark

    text = json.dumps(value, ensure_ascii=ensure_ascii, default=keep)
    parts = text.split(f'"{mark}"')
    return "".join(chain.from_iterable(zip(parts, [*numbers, ""], strict=True)))


def exact_text(number: Fraction) -> Fraction | str:
    """Return a number as a value for `dump_json`: itself, or its ratio as a text.

    It is the ratio if `exact_number` would read another number than the one that is written.

    >>> exact_text(Fraction(1, 4)), exact_text(Fraction(1, 3))
    (Fraction(1, 4), '1/3')
    """
    digits = _digits(number)
    is_exact = len(digits) <= MAX_DIGITS and number == Fraction(str(exact_number(digits)))
    return number if number.denominator == 1 or is_exact else str(number)


def _digits(number: Fraction) -> str:
    """Return the digits of a number, or those of a float if they have no end."""
    if number.denominator == 1:
        return str(number.numerator)
    n_places = number.denominator.bit_length()  # at least as many as it has factors 2 or 5
    # The digits end within these places if the denominator divides this power of 10; otherwise,
    # they never end.
    if n_places > MAX_PLACES or pow(10, n_places, number.denominator) != 0:
        return repr(float(number))
    digits = str(number.numerator * 10**n_places // number.denominator)
    stripped = digits.rstrip("0")
    return str(Decimal(f"{stripped}E{len(digits) - len(stripped) - n_places}"))


def looks_like_json(text: str) -> bool:
    """Return whether a text starts like an object or a list."""
    return text.lstrip().startswith(("{", "["))


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict, or raise ValueError if a key appears twice."""
    value = dict(pairs)
    if len(value) < len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key {key!r} appears twice in a JSON object")
    return value


def fits(value: Any, shape: Any) -> bool:
    """Return whether a JSON value has a shape.

    This is a type, a tuple of alternatives, a list with the shape of all elements, or with those of
    two elements or more, or a dict with the shape of all values, whose key is "".

    >>> fits([["a", 1]], [[str, int]]), fits({"a": True}, {"": int})
    (True, False)
    """
    if isinstance(shape, tuple):
        return any(fits(value, each) for each in shape)
    if isinstance(shape, dict):
        is_object = isinstance(value, dict)
        return is_object and all(fits(each, shape[""]) for each in _examples(value.values()))
    if isinstance(shape, list) and len(shape) == 1:
        return isinstance(value, list) and all(fits(each, shape[0]) for each in _examples(value))
    if isinstance(shape, list):
        is_list = isinstance(value, list) and len(value) == len(shape)
        return is_list and all(map(fits, value, shape))
    return isinstance(value, shape) and not isinstance(value, bool)


def _examples(values: Collection[object]) -> Collection[Any]:
    """Return the elements whose shapes may differ: one of each type, unless some are nested."""
    example_of = dict(zip(map(type, values), values, strict=True))
    return values if example_of.keys() & {list, dict} else example_of.values()
