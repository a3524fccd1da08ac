"""Sequences whose elements are created when they are first requested."""

from collections.abc import Callable, Iterator, Sequence
from operator import eq
from typing import Any, TypeVar

ElementT = TypeVar("ElementT")


class LazySequence(Sequence[ElementT]):
    """A sequence that creates each element when it is first requested: there may be many.

    It equals a list, a tuple or another such sequence of equal elements.

    Parameters
    ----------
    length : int
    create : callable
        Returns the element with a number.

    Examples
    --------
    >>> squares = LazySequence(4, lambda k: k * k)
    >>> squares[2], squares[1:], squares
    (4, [1, 4, 9], [0, 1, 4, 9])
    >>> squares == (0, 1, 4, 9), squares == range(4)
    (True, False)
    """

    def __init__(self, length: int, create: Callable[[int], ElementT]) -> None:
        self._elements: list[ElementT | None] = [None] * length
        self._create = create

    def __len__(self) -> int:
        return len(self._elements)

    def __getitem__(self, number: Any) -> Any:
        wanted = range(len(self))[number]  # a number from 0, or the range of a slice
        if isinstance(wanted, range):
            return [self[k] for k in wanted]
        if self._elements[wanted] is None:
            self._elements[wanted] = self._create(wanted)
        return self._elements[wanted]

    def __iter__(self) -> Iterator[ElementT]:
        return map(self.__getitem__, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list | tuple | LazySequence):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr([*self])
