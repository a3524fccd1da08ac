"""A hint to the processor: load an element of an array into the cache before it is needed."""

from typing import Any


def prefetch(array: Any, position: Any) -> None:
    """Start loading `array[position]`, an element of a contiguous array; changes nothing.

    >>> prefetch([1, 2], 0)
    """
