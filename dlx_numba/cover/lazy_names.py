"""Names of options that are made when one is first needed."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import overload


class LazyNames(Sequence[str]):
    """Distinct names, which are made when one is first needed.

    Examples
    --------
    >>> names = LazyNames(2, lambda: ["x", "y"])
    >>> len(names), names[1], names == ["x", "y"]
    (2, 'y', True)
    """

    def __init__(self, length: int, make: Callable[[], list[str]]) -> None:
        self._length = length
        self._make = make

    @cached_property
    def listed(self) -> list[str]:
        return self._make()

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[str]:
        return iter(self.listed)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        return self.listed[place]

    def __eq__(self, other: object) -> bool:
        return self.listed == (other.listed if isinstance(other, LazyNames) else other)

    __hash__ = None  # type: ignore[assignment]  # as of lists
