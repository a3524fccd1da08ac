"""The class `ArrayResult`: the base class of results that consist of arrays."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True, eq=False)
class ArrayResult:
    """A result that consists of arrays with a row for each board.

    As for a table, the length is the number of rows, and iteration yields the columns. Subclasses
    are dataclasses, whose positional parameters are the arrays.
    """

    __match_args__: ClassVar[tuple[str, ...]]
    __hash__: ClassVar[None]  # type: ignore[assignment]  # arrays can change

    def __iter__(self) -> Iterator[NDArray[Any]]:
        """Iterate over the arrays."""
        return (getattr(self, name) for name in self.__match_args__)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(getattr(self, self.__match_args__[0]))

    def _replace(self, **changes: Any) -> Self:
        """Return a copy in which the given arrays replace others."""
        for name in changes:
            if name.startswith("_") or name not in vars(self):
                raise TypeError(f"{type(self).__name__} has no array {name!r}")
        replaced = copy.copy(self)
        vars(replaced).update(changes)
        return replaced

    def __eq__(self, other: object) -> bool:
        """Return whether all arrays and other fields are equal."""
        if not isinstance(other, type(self)):
            return NotImplemented
        return all(map(np.array_equal, self, other)) and all(
            np.array_equal(getattr(self, each.name), getattr(other, each.name))
            for each in fields(self)
            if each.compare and each.name not in self.__match_args__
        )
