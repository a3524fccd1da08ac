"""Slices of a sequence."""

from collections.abc import Sequence
from typing import Any, TypeVar

SequenceT = TypeVar("SequenceT", bound=Sequence[Any])


def batched(sequence: SequenceT, n: int) -> list[SequenceT]:
    """Return the slices of n elements of a sequence; the last one may be shorter.

    Unlike those of `itertools.batched`, which Python has from 3.12 on, slices of a string are
    strings.

    >>> batched("abcde", 2), batched([1, 2, 3, 4], 2)
    (['ab', 'cd', 'e'], [[1, 2], [3, 4]])
    """
    return [sequence[k : k + n] for k in range(0, len(sequence), n)]  # type: ignore[misc]
