"""The parameters of examples: checks, and the text form `n=8`."""

import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any

from ..runtime.arguments import check_integer
from .puzzle import Puzzle

YES = ("yes", "true", "1")
NO = ("no", "false", "0")

Example = Callable[..., Puzzle]


def check_range(name: str, value: int, low: int, high: int) -> None:
    """Raise ValueError unless the parameter `name` is from `low` to `high`, or TypeError.

    >>> check_range("n", 0, 1, 9)
    Traceback (most recent call last):
    ...
    ValueError: n must be from 1 to 9, not 0
    """
    if not low <= check_integer(value, name) <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value}")


def parse_sizes(text: str, high: int) -> list[int]:
    """Return the sizes in a list such as `1,2,3`, in increasing order.

    Raises ValueError unless they are distinct numbers from 1 to `high`.

    >>> parse_sizes("4,2", 6)
    [2, 4]
    """
    sizes = [int(word) if re.fullmatch("[0-9]{1,9}", word) else 0 for word in text.split(",")]
    if len(set(sizes)) < len(sizes) or not all(1 <= size <= high for size in sizes):
        raise ValueError(
            f"sizes must be distinct numbers from 1 to {high} with commas between them, "
            f"not {text[:40]!r}"
        )
    return sorted(sizes)


def parameters(example: Example) -> list[str]:
    """Return the parameters of an example with their defaults, in the form `n=8`.

    >>> from .logic.queens import example
    >>> parameters(example)
    ['n=8']
    """
    return [
        f"{name}={('no', 'yes')[value] if isinstance(value, bool) else value}"
        for name, value in _defaults(example).items()
    ]


def with_parameters(example: Example, assignments: Iterable[str]) -> Puzzle:
    """Create an example from parameters in the form `n=8`.

    Parameters
    ----------
    example
        The function that creates it.
    assignments
        One text for each parameter to set; all others keep their defaults.

    Raises
    ------
    ValueError
        If an assignment is malformed, names an unknown parameter, sets a parameter twice, or has
        an invalid value.

    Examples
    --------
    >>> from .logic.queens import example
    >>> with_parameters(example, ["n=5"])
    <Puzzle: 5 queens, 25 options>
    """
    known = _defaults(example)
    values: dict[str, Any] = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals or name not in known:
            valid = ", ".join(parameters(example)) or "none"
            reason = f"unknown parameter {name!r}" if equals else f"{name!r} is not PARAMETER=VALUE"
            raise ValueError(f"{reason}; valid parameters: {valid}")
        if name in values:
            raise ValueError(f"{name} is given twice")
        values[name] = _parse_value(name, known[name], text)
    return example(**values)


def _defaults(example: Example) -> dict[str, Any]:
    """Return the defaults of the parameters of an example, by their names."""
    return {name: each.default for name, each in inspect.signature(example).parameters.items()}


def _parse_value(name: str, default: Any, text: str) -> int | str | bool:
    """Convert a text to the type of the default."""
    if isinstance(default, bool):
        if text.lower() not in YES + NO:
            raise ValueError(f"{name} must be yes or no, not {text!r}")
        return text.lower() in YES
    if isinstance(default, int):
        try:
            return int(text)
        except ValueError:
            raise ValueError(f"{name} must be an integer, not {text!r}") from None
    return text
