"""Puzzles and problems, between reading a file and drawing a solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from ..cover.covers import Cover, as_cover
from ..cover.encode import Formulation
from ..cover.exact_cover import ExactCover
from ..cover.iterables import as_list
from ..cover.named_problem import named_problem
from ..cover.names import ContradictionError, check_numbers
from ..cover.option_table import Rows
from ..cover.picture import draw
from ..cover.prepare import SearchKeywords
from ..pictures.picture import Picture
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop, StopEvent
from ..runtime.text import plural
from ..runtime.workers import call_until

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..pictures.document import Svg

EXACT_COVER = "Exact cover"  # the title of the problems in general formats


@dataclass(frozen=True, repr=False)
class Puzzle:
    """A puzzle or problem as an exact cover problem, and how its solutions are drawn.

    `read` and `example` create puzzles.

    Parameters
    ----------
    title : str
        The name of the puzzle or of its kind, for people.
    statement : Formulation
        The items and options, and the picture of its solutions.
    condition : callable, optional
        Returns whether a cover satisfies the conditions that items do not express.
    place : str, optional
        The file and the line from which the puzzle was read.
    answer : str or tuple of int, optional
        The solution that the file gives: the texts of the cells in rows, see `find_answer`; or the
        numbers of the options.
    settings : mapping, optional
        Settings of the search other than the defaults: `presolve`, `consistency` and others.
    order_seed : int, optional
        The seed of the random order of `solutions`, if the first ones look too regular.
    whole : callable, optional
        For kinds that leave out options that are in no solution: returns the puzzle with all
        options, so that steps give a reason for each of them.

    Examples
    --------
    >>> import dlx_numba as dlx
    >>> [puzzle] = dlx.read("a b c\\na b\\nc\\na\\nb c\\n")
    >>> puzzle.count(), puzzle.first()
    (2, [0, 1])
    """

    title: str
    statement: Formulation
    condition: Callable[[list[int]], bool] | None = None
    place: str = ""
    answer: str | tuple[int, ...] = field(default="", kw_only=True)
    settings: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    order_seed: int | None = field(default=None, kw_only=True)
    whole: Callable[[], Puzzle] | None = field(default=None, kw_only=True)
    counts_classes: ClassVar[bool] = False  # whether `count` counts up to symmetry

    def cover(self, **keywords: Unpack[SearchKeywords]) -> ExactCover:
        """Return the problem as an `ExactCover`, ready to be solved.

        Parameters
        ----------
        **keywords
            The keywords of `ExactCover` that do not define the problem, such as `given`, `presolve`
            and `threads`.

        Returns
        -------
        ExactCover
            Its covers need not satisfy the `condition` of the puzzle; those of `solutions` do.

        Raises
        ------
        ValueError
            If `ExactCover` rejects the problem or one of the parameters.
        """
        return ExactCover(**{**self.statement._asdict(), **self.settings, **keywords})

    def with_settings(self, **settings: Any) -> Puzzle:
        """Return the puzzle with other settings of the search.

        Parameters
        ----------
        **settings
            Settings as in `settings`. Those that are None stay as they are.

        Returns
        -------
        Puzzle
        """
        given = {name: value for name, value in settings.items() if value is not None}
        return replace(self, settings={**self.settings, **given}) if given else self

    @property
    def answers(self) -> Sequence[str | Sequence[int]]:
        """The solutions that the file gives. An element that is none raises ValueError."""
        return [] if self.answer == "" else [self.answer]

    def has_right_answer(self) -> bool:
        """Return whether a kind knows, without a search, that the answer in the file is right.

        Returns
        -------
        bool
        """
        return False

    def with_all_options(self) -> Puzzle:
        """Return the puzzle without leaving out options that are in no solution.

        Returns
        -------
        Puzzle
        """
        return self if self.whole is None else self.whole()

    def solutions(
        self, *, seconds: float | None = None, stop: StopEvent | None = None
    ) -> Iterator[Cover]:
        """Iterate over the solutions as they are found, regardless of their costs.

        Parameters
        ----------
        seconds, stop
            As for `ExactCover.iterate`.

        Yields
        ------
        Cover

        Raises
        ------
        Stopped
            After the last solution found, if the time limit or `stop` ends the iteration.
        """
        condition = Stop(seconds, stop)
        if self._contradicts_itself(condition):
            return
        seed = self.order_seed
        problem = self.problem
        if seed is not None:
            problem = problem.replace(choose="random", seed=seed)
        covers: Any = problem.iterate(stop=condition)
        yield from covers if self.condition is None else filter(self.condition, covers)

    def first(self, *, seconds: float | None = None, stop: StopEvent | None = None) -> Cover | None:
        """Return a solution, the cheapest one if options have costs, or None if there is none.

        Parameters
        ----------
        seconds, stop
            As for `ExactCover.solve`.

        Returns
        -------
        Cover or None

        Raises
        ------
        Stopped
            If the call ends before its result is known.
        """
        condition = Stop(seconds, stop)
        if self._contradicts_itself(condition):
            return None
        # No kind with a condition has costs.
        if self.condition is not None or (self.order_seed is not None and not self._has_costs):
            return next(self.solutions(stop=condition), None)
        if not self._has_costs:  # faster than the first one in the order of the search
            return self.problem.first(stop=condition)
        covers = self.problem.cheapest(stop=condition)
        best = next(iter(covers), None)
        if not covers.done:
            raise Stopped("stopped before the cheapest solution was known", best)
        return best

    def count(
        self,
        limit: int | None = None,
        *,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> int:
        """Return the number of solutions.

        Parameters
        ----------
        limit : int, optional
            Stop after this number of solutions.
        seconds, stop
            As for `ExactCover.count`.

        Returns
        -------
        int

        Raises
        ------
        Stopped
            If the time limit or `stop` ends the count; `partial` is a lower bound.
        """
        n_found = 0
        condition = Stop(seconds, stop)
        # Boards are found without a problem; without a limit, the problem counts solutions faster.
        boards = None if limit is None else self.boards(condition)
        # 0: the partial result if the problem is not made in time
        if boards is None and self._contradicts_itself(condition, 0):
            return 0
        if boards is None and self.condition is None:
            return self.problem.count(limit, stop=condition)
        try:
            for _ in islice(boards or self.solutions(stop=condition), limit):
                n_found += 1
        except Stopped:
            raise Stopped(f"stopped after {plural(n_found, 'solution')}", n_found) from None
        return n_found

    @property
    def has_boards(self) -> bool:
        """Whether `boards` finds the solutions, before the problem is formulated."""
        return False

    def boards(self, stop: Stop) -> Iterator[Any] | None:
        """Return the solutions as boards, if they are found before the problem is formulated.

        Parameters
        ----------
        stop : Stop
            Ends the search, as for `ExactCover.iterate`.

        Returns
        -------
        iterator of ndarray or None
        """
        return None

    @property
    def picture(self) -> Picture | None:
        """The picture of the solutions; None if options are drawn by their names."""
        view = self.statement.view
        # A view by its name, or of the rows of a table, becomes a picture with the problem.
        is_own = isinstance(view, Picture | None) and not isinstance(self.statement.options, Rows)
        return view if is_own else named_problem(self.problem).drawing

    @cached_property
    def problem(self) -> ExactCover:
        """The problem with the settings of the puzzle, made once; see `cover`."""
        return self.cover()

    @property
    def is_formulated(self) -> bool:
        """Whether the problem has been made, which may take long."""
        return "problem" in vars(self)

    @cached_property
    def is_contradictory(self) -> bool:
        """Whether givens exclude each other, so that there is no solution."""
        try:
            _ = self.problem
        except ContradictionError:
            return True
        return False

    def _contradicts_itself(self, stop: Stop, partial: int | None = None) -> bool:
        """Return whether givens exclude each other. Making the problem may take long.

        Raises Stopped, with the partial result, if `stop` ends the call.
        """
        if "is_contradictory" in vars(self) or not stop.can_occur:
            return self.is_contradictory
        task = call_until(lambda: self.is_contradictory, stop)
        if not task.has_ended:
            raise Stopped("stopped before the problem was ready", partial)
        return task.result()

    @property
    def _has_costs(self) -> bool:
        """Whether `first` seeks the cheapest solution."""
        return self.problem.problem.cost is not None

    def text(self, solution: Iterable[int] = ()) -> str:
        """Return a solution as lines of text: drawn, or the names of its options.

        Parameters
        ----------
        solution : iterable of int, optional
            The numbers of the chosen options. By default, the puzzle itself is drawn; a problem
            without a picture is written in Knuth's format.

        Returns
        -------
        str
            The text, without a final newline.

        Raises
        ------
        ValueError
            If the number of an option does not exist.
        """
        chosen = self._numbers(solution)
        if self.picture is not None:
            return self.picture.text(chosen)
        if not chosen:
            return self.problem.write(kind="knuth").rstrip("\n")
        return str(as_cover(named_problem(self.problem), chosen))

    def svg(self, solution: Iterable[int] = ()) -> Svg:
        """Return a solution as an SVG document.

        Parameters
        ----------
        solution : iterable of int, optional
            The numbers of the chosen options. By default, the puzzle itself is drawn.

        Returns
        -------
        Svg
            A string, which notebooks show as a picture.

        Raises
        ------
        ValueError
            If the number of an option does not exist.
        """
        if self.is_contradictory and self.picture is not None:
            return self.picture.svg([])
        numbers = self._numbers(solution)
        is_solved = bool(numbers) or isinstance(solution, Cover)  # which may be empty
        return draw(named_problem(self.problem), numbers if is_solved else None)

    def _numbers(self, solution: Iterable[int]) -> list[int]:
        """Return the numbers of options. Raises ValueError if one does not exist."""
        chosen = as_list(solution, "a solution", "option numbers")
        return check_numbers(chosen, named_problem(self.problem).names) if chosen else []

    def _repr_html_(self) -> str | None:
        from ..pictures.html import figures  # only notebooks need HTML

        if self.picture is None:
            return None
        return figures([(self.picture.svg([]), self.title)], 240)

    def __repr__(self) -> str:
        try:
            size = f", {plural(self.problem.n_options, 'option')}"
        except ValueError:  # the problem contradicts itself
            size = ""
        return f"<Puzzle: {self.title}{size}>"
