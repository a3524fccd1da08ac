"""Comparisons that raise an exception, which states the values, if there is a finding."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

MAX_SHOWN = 2000  # characters of a value


class Mismatch(AssertionError):
    """A result differs from the expected one."""


def check(condition: object, problem: str) -> None:
    """Raise Mismatch unless the condition is true."""
    if not condition:
        raise Mismatch(problem)


def check_equal(name: str, found: Any, expected: Any) -> None:
    """Raise Mismatch unless two values, which may be arrays, are equal."""
    if isinstance(expected, np.ndarray):
        is_equal = np.array_equal(found, expected)
    else:
        is_equal = bool(found == expected)
    if not is_equal:
        raise Mismatch(f"{name}:\nfound    {_shown(found)}\nexpected {_shown(expected)}")


def _shown(value: Any) -> str:
    text = repr(value.tolist() if isinstance(value, np.ndarray) else value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}... ({len(text)} characters)"


@contextmanager
def kept_on_failure(path: Path, text: Callable[[], str]) -> Iterator[None]:
    """Write a text, usually the problem being tested, to a file if the block raises."""
    try:
        yield
    except BaseException:
        path.write_text(text(), encoding="utf-8", errors="backslashreplace")
        raise
