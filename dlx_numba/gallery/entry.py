"""The base class of the gallery's problems."""

from __future__ import annotations

import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from ..cover.covers import Drawing
from ..cover.encode import Statement as Statement
from ..cover.exact_cover import ExactCover
from ..cover.prepare import SearchKeywords
from ..kinds.lattice.shapes import LatticePoint
from ..kinds.puzzle import Puzzle
from ..runtime.errors import Stopped
from ..runtime.interrupts import StopEvent
from ..runtime.text import plural

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class Solution:
    """A solution of a gallery entry, which prints as text, and which notebooks show as a picture.

    `Entry.solutions` and `Entry.first` create solutions.

    Parameters
    ----------
    entry : Entry
        The problem.
    options : list of int
        The numbers of the chosen options.

    Examples
    --------
    >>> from dlx_numba.gallery import Queens
    >>> solution = Queens(4).first()
    >>> print(solution)
    . Q . .
    . . . Q
    Q . . .
    . . Q .
    >>> solution
    <Solution of Queens(n=4): 4 options>
    """

    entry: Entry
    options: list[int]

    @property
    def cost(self) -> int | None:
        """The cost of the solution, or None if the options of the problem have no costs."""
        costs: Any = self.entry._statement.costs
        return None if costs is None else sum(costs[option] for option in self.options)

    def svg(self) -> str | None:
        """Return the solution as an SVG document, or None if the problem has no picture.

        Returns
        -------
        str or None
        """
        return self.entry.svg(self.options)

    def __hash__(self) -> int:
        return hash((self.entry, tuple(self.options)))

    def __str__(self) -> str:
        return self.entry.text(self.options)

    def __repr__(self) -> str:
        return f"<Solution of {self.entry!r}: {plural(len(self.options), 'option')}>"

    def _repr_svg_(self) -> str | None:
        return self.svg()


@dataclass(frozen=True)
class Entry(ABC):
    """A problem of the gallery, stated as an exact cover problem.

    Subclasses are frozen dataclasses whose fields are the parameters of the problem, of type int,
    str or bool. The defaults define a problem that is solved within a second or two. Invalid
    values raise ValueError in `__post_init__`. Items of the gallery count rows and columns from 1.

    Attributes
    ----------
    order_seed : int or None
        The seed of the random order in which `solutions` are found, if the first ones in the order
        of the options look too regular.
    """

    order_seed: ClassVar[int | None] = None

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

    @cached_property
    def _statement(self) -> Statement:
        return self.statement()

    def _chosen(self, solution: list[int]) -> list[Sequence[Any]]:
        """Return the chosen options."""
        stated: Any = self._statement.options
        options = list(stated.values()) if isinstance(stated, Mapping) else stated
        if not all(0 <= option < len(options) for option in solution):
            raise ValueError(f"options have numbers from 0 to {len(options) - 1:,}: {solution!r}")
        return [options[option] for option in solution]

    def is_solution(self, cover: list[int]) -> bool:
        """Return whether a cover satisfies the conditions that the items do not express, if any.

        Parameters
        ----------
        cover : list of int
            The numbers of the chosen options.

        Returns
        -------
        bool
        """
        return True

    def first(
        self, *, seconds: float | None = None, stop: StopEvent | None = None
    ) -> Solution | None:
        """Return a solution, the cheapest one if options have costs, or None if there is none.

        Parameters
        ----------
        seconds, stop
            As for `ExactCover.solve`.

        Returns
        -------
        Solution or None

        Raises
        ------
        Stopped
            If the call ends before its result is known.
        """
        if self._statement.costs is not None:
            return next(iter(self.cheapest(seconds=seconds, stop=stop)), None)
        return next(self.solutions(seconds=seconds, stop=stop), None)

    def cheapest(
        self, k: int = 1, *, seconds: float | None = None, stop: StopEvent | None = None
    ) -> list[Solution]:
        """Return the `k` solutions of lowest cost.

        Parameters
        ----------
        k : int, default: 1
            The largest number of solutions.
        seconds, stop
            As for `ExactCover.solve`.

        Returns
        -------
        list of Solution
            In ascending order of their costs.

        Raises
        ------
        ValueError
            If `k` is less than 1, or the options of the problem have no costs.
        Stopped
            If the call ends before these are known; `partial` has the best solutions found.
        """
        if self._statement.costs is None:
            raise ValueError("the options of this problem have no costs")
        covers = self.cover().cheapest(k, seconds=seconds, stop=stop)
        solutions = [Solution(self, options) for _, options in covers]
        if not covers.done:
            raise Stopped("stopped before the cheapest solutions were known", solutions)
        return solutions

    def solutions(
        self, *, seconds: float | None = None, stop: StopEvent | None = None
    ) -> Iterator[Solution]:
        """Iterate over the solutions as they are found, regardless of their costs.

        Parameters
        ----------
        seconds, stop
            As for `ExactCover.iterate`.

        Yields
        ------
        Solution

        Raises
        ------
        Stopped
            After the last solution found, if the time limit or `stop` ends the iteration.
        """
        covers = self.ordered_cover().iterate(seconds=seconds, stop=stop)
        for options in filter(self.is_solution, covers):
            yield Solution(self, options)

    def _repr_html_(self) -> str:
        from ..pictures.html import facts, paragraph  # only notebooks need HTML

        text = (inspect.getdoc(type(self)) or "").partition("\nParameters\n")[0]
        # Paragraphs, and lines such as "Options: a queen on a cell ...", which may continue.
        paragraphs = [
            " ".join(lines.split()) for lines in re.split(r"\n\n|\n(?=[A-Z][a-z ]*:)", text)
        ]
        parameters = [(field.name, getattr(self, field.name)) for field in fields(self)]
        texts = "".join(paragraph(text) for text in paragraphs if text)
        return texts + (facts(parameters) if parameters else "")

    def ordered_cover(self, seed: int | None = None) -> ExactCover:
        """Return the problem with the order of `solutions`.

        Parameters
        ----------
        seed
            The seed of a random order; by default `order_seed`.

        Returns
        -------
        ExactCover
        """
        seed = self.order_seed if seed is None else seed
        return self.cover() if seed is None else self.cover(choose="random", seed=seed)

    def cover(self, **keywords: Unpack[SearchKeywords]) -> ExactCover:
        """Return the problem as an `ExactCover`, ready to be solved.

        Parameters
        ----------
        **keywords
            The keywords of `ExactCover` that do not state the problem: `choose`, `seed`,
            `presolve`, `given`, `forbidden` and `algorithm`.

        Returns
        -------
        ExactCover

        Raises
        ------
        ValueError
            If `ExactCover` rejects one of the parameters.
        """
        return ExactCover(**{**self.as_puzzle().statement._asdict(), **keywords})

    def as_puzzle(self) -> Puzzle:
        """Return the problem as a puzzle.

        Returns
        -------
        Puzzle
        """
        picture = Drawing(self.text, self.svg)
        is_plain = type(self).is_solution is Entry.is_solution  # each cover is a solution
        return Puzzle(
            type(self).__name__,
            self._statement._replace(picture=picture),
            None if is_plain else self.is_solution,
            self.order_seed,
        )


def format_squares(letters: Mapping[LatticePoint, str]) -> str:
    """Return the letters of the cells as lines of text, with dots for other cells.

    >>> print(format_squares({(0, 1): "a", (1, 1): "b", (1, 2): "b"}))
    a .
    b b
    """
    rows, columns = [r for r, _ in letters], [c for _, c in letters]
    return "\n".join(
        " ".join(letters.get((r, c), ".") for c in range(min(columns), max(columns) + 1)).rstrip()
        for r in range(min(rows), max(rows) + 1)
    )
