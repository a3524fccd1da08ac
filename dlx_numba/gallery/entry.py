"""An entry of the gallery: a problem stated as exact cover, and its solutions to look at."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..cover.exact_cover import ExactCover


class Statement(NamedTuple):
    """A problem in the words of `ExactCover`, whose parameters these are."""

    options: Sequence[Sequence[Any]]
    items: Sequence[Hashable] | None = None
    secondary: Sequence[Hashable] = ()
    multiplicity: Mapping[Any, int | tuple[int, int]] | None = None
    costs: Sequence[int] | None = None


@dataclass(frozen=True)
class Entry(ABC):
    """A problem of the gallery: a frozen dataclass whose fields are its parameters.

    The fields are int, str or bool, and have defaults that run in a second or two; where they
    make no sense, `__post_init__` raises ValueError, which says what is possible.
    """

    @abstractmethod
    def statement(self) -> Statement:
        """The problem as items and options."""

    @abstractmethod
    def text(self, solution: list[int]) -> str:
        """A solution to look at, as lines of text, the last one without a line end."""

    def svg(self, solution: list[int]) -> str | None:
        """A solution as an SVG document; None where the text says it all."""
        return None

    def cover(self, **how: Any) -> ExactCover:
        """The problem, ready to be solved. `how` goes to `ExactCover`: presolve, choose, ..."""
        return ExactCover(**self.statement()._asdict(), **how)
