"""The base class of the gallery's problems."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..cover.exact_cover import ExactCover


class Statement(NamedTuple):
    """An exact cover problem as parameters of `ExactCover`.

    Attributes
    ----------
    options, items, secondary, multiplicity, costs
        The parameters of `ExactCover` with these names.
    """

    options: Sequence[Sequence[Any]]
    items: Sequence[Hashable] | None = None
    secondary: Sequence[Hashable] = ()
    multiplicity: Mapping[Any, int | tuple[int, int]] | None = None
    costs: Sequence[int] | None = None


@dataclass(frozen=True)
class Entry(ABC):
    """A problem of the gallery, stated as an exact cover problem.

    Subclasses are frozen dataclasses whose fields are the parameters of the problem, of type int,
    str or bool. The defaults define a problem that is solved within a second or two. Invalid
    values raise ValueError in `__post_init__`.
    """

    @abstractmethod
    def statement(self) -> Statement:
        """Return the items and options of the problem.

        Returns
        -------
        Statement
        """

    @abstractmethod
    def text(self, solution: list[int]) -> str:
        """Return a solution as lines of text, without a final newline.

        Parameters
        ----------
        solution : list of int
            The numbers of the chosen options.

        Returns
        -------
        str
        """

    def svg(self, solution: list[int]) -> str | None:
        """Return a solution as an SVG document, or None if the problem has no picture.

        Parameters
        ----------
        solution : list of int
            The numbers of the chosen options.

        Returns
        -------
        str or None
        """
        return None

    def cover(
        self,
        *,
        choose: str | Sequence[Hashable] = "smallest",
        seed: int | None = None,
        presolve: bool = False,
        given: Iterable[int] = (),
        forbidden: Iterable[int] = (),
        algorithm: str = "links",
    ) -> ExactCover:
        """Return the problem as an `ExactCover`, ready to be solved.

        Parameters
        ----------
        choose, seed, presolve, given, forbidden, algorithm
            The parameters of `ExactCover` with these names.

        Returns
        -------
        ExactCover

        Raises
        ------
        ValueError
            If `ExactCover` rejects one of the parameters.
        """
        return ExactCover(
            **self.statement()._asdict(),
            choose=choose,
            seed=seed,
            presolve=presolve,
            given=given,
            forbidden=forbidden,
            algorithm=algorithm,
        )
