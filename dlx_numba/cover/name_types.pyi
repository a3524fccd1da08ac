from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Generic, Protocol, overload

from typing_extensions import Self, TypeVar

from ..kernels.problem import Problem
from .encode import DataFrame

NameT = TypeVar("NameT", covariant=True, default=Any)

class ByName(Protocol[NameT]):
    """A mapping from the names of options to their items."""

    def keys(self) -> Iterable[NameT]: ...
    def __getitem__(self, name: Any, /) -> Iterable[Hashable]: ...

class _AsText(Protocol[NameT]):
    def __str__(self) -> NameT: ...  # type: ignore[override]

class HashableItem(Protocol[NameT]):
    """Something hashable. `NameT` is str, because options without names have texts as names.

    The path from an item to str is a hash, which is an integer, as text. A mapping of texts to
    items also is an iterable of iterables, so that both must have the same `NameT`.
    """

    def __hash__(self) -> _AsText[NameT]: ...  # type: ignore[override]

# What problems are made of: sets of items, which are the options
Sets = ByName[NameT] | Iterable[Iterable[HashableItem[NameT]]] | DataFrame | Problem

class NamedByOptions(Generic[NameT]):
    @overload
    def __new__(
        cls, options: Mapping[NameT, Iterable[Hashable]], *args: Any, **keywords: Any
    ) -> Self: ...
    @overload
    def __new__(
        cls, options: Iterable[Iterable[HashableItem[NameT]]], *args: Any, **keywords: Any
    ) -> Self: ...
    @overload
    def __new__(cls, options: object, *args: Any, **keywords: Any) -> Self: ...
