"""Problems as arrays, with names for their items, options and colors."""

from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ..cover.io.drawing import mark_colors
from ..cover.io.text import format_cover, summarize
from ..cover.names import Cost, Names, as_text, marked_rows, option_label
from ..cover.stated import Stated
from ..kernels.dlx.branching import BranchingRule
from ..kernels.problem import Problem
from ..pictures.grid import Grid
from ..pictures.picture import Picture
from ..pictures.recognize import name_times
from ..pictures.timetable import Timetable
from ..runtime.text import plural, shorten
from .picture_view import GridView, TimetableView, view_grid, view_timetable

MAX_ITEMS_LENGTH = 30  # characters of the items of an option in a sentence


class ProblemView(NamedTuple):
    """A problem as arrays, and the names to display for it."""

    title: str
    summary: str  # its size
    problem: Problem
    names: Names  # as they are in the file, or in coordinates
    option_starts: list[int]  # (options + 1,) the first node of each option
    n_primary: int
    items: list[str]
    options: list[str]  # the name of each option, or its items
    colors: list[str]  # starts with color 1
    color_marks: list[str]  # the character that represents each color in the matrix
    numbers: Sequence[int]  # of the options in the stated problem, from 0
    picture: Picture | None = None  # whose options are those of the stated problem
    grid: GridView | None = None
    timetable: TimetableView | None = None
    start: int = 0  # the number of the first option
    rule: BranchingRule = BranchingRule()
    given: Sequence[int] = ()  # options to choose first, one after another
    note: str = ""  # about options that were chosen before the search

    @property
    def n_nodes(self) -> int:
        """The number of nodes: the root, the items and the nodes of the options."""
        return 1 + self.problem.n_items + len(self.problem.items)

    def option_of(self, node: int) -> int:
        """Return the option that contains the node."""
        return bisect(self.option_starts, node) - 1

    def cost(self, chosen: Iterable[int]) -> Cost | None:
        """Return the cost of a cover; None if the problem has no costs."""
        cost = self.problem.cost
        return None if cost is None else self.names.scale.stated(int(cost[list(chosen)].sum()))

    def item_names(self) -> list[str]:
        """Return how people refer to each item."""
        has_minutes = isinstance(self.picture, Timetable) and not self.picture.labels
        return name_times(self.items, self.n_primary) if has_minutes else self.items

    def option_labels(self) -> list[str]:
        """Return how programs refer to each option: by its name, or by its number."""
        options = zip(self.numbers, self.names.options, strict=True)
        return [as_text(self.start + k if name == k else name) for k, name in options]

    def references(self) -> list[str]:
        """Return how people refer to each option: by its name or its items; also by its number if
        these are many.
        """
        options = zip(self.numbers, self.names.options, self.options, strict=True)
        return [
            as_text(name)
            if name != number
            else items
            if 0 < len(items) <= MAX_ITEMS_LENGTH
            else option_label((), number, self.start, [shorten(items, MAX_ITEMS_LENGTH)])
            for number, name, items in options
        ]

    def marked_rows(self) -> list[list[tuple[int, str]]]:
        """Return the item numbers of each option, from 0, with "1" or the mark of the color."""
        return marked_rows(self.problem, self.color_marks)


def view_search(
    stated: Stated,
    title: str,
    show_givens: bool = False,
    check: Callable[[Problem], None] | None = None,
) -> ProblemView:
    """Return the view of a problem as it is searched: by its branching rule, with its givens.

    With `show_givens`, the search chooses the given options first; otherwise, the view has the
    problem that remains after them. Raises ValueError if multiplicities prevent this. `check` is
    called with the problem before its options are written, which can take long.

    >>> from dlx_numba import ExactCover
    >>> cover = ExactCover([["a", ("s", "x")], ["b"]], secondary=["s"])
    >>> view = view_search(cover._stated, "two")
    >>> view.items, view.options, view.marked_rows()
    (['a', 'b', 's'], ['a s:x', 'b'], [[(0, '1'), (2, 'x')], [(1, '1')]])
    """
    given = stated.selected.given
    stated.problem.reject_totals("a matrix or a recorded search")
    if show_givens and given and stated.problem.low is not None:
        raise ValueError("givens cannot be shown in a problem with multiplicities")
    changed = stated.changed(given=()) if show_givens else stated
    spec = changed.prepare(simplifies=False)  # a reader expects the items and options stated
    names = stated.names._replace(items=changed.items_left, n_uncovered=0)
    problem = spec.problem
    if check is not None:
        check(problem)
    numbers: Sequence[int] = range(stated.problem.n_options)
    if spec.option_numbers is not None:
        numbers = spec.option_numbers.tolist()
        names = names._replace(options=[stated.names.options[number] for number in numbers])
    unpriced, unnamed = problem._replace(cost=None), names._replace(options=range(len(numbers)))
    named = zip(numbers, names.options, strict=True)
    described = (unnamed if name == number else names for number, name in named)
    options = [format_cover(unpriced, each, [k], "names") for k, each in enumerate(described)]
    view = _view(problem, names, numbers, title, options)
    picture = stated.picture
    if not isinstance(picture, Grid | Timetable):
        picture = stated.suggested
    grid = timetable = None
    if isinstance(picture, Grid):
        grid = view_grid(picture, problem, numbers, given, show_givens)
    elif isinstance(picture, Timetable):
        timetable = view_timetable(picture, problem, numbers)
    return view._replace(
        rule=spec.rule._replace(is_consistent=False),
        picture=picture,
        grid=grid,
        timetable=timetable,
        given=[numbers.index(number) for number in given] if show_givens else (),
        note="" if show_givens else _describe_givens(len(given), "given option"),
    )


def _describe_givens(n: int, noun: str) -> str:
    """Return a sentence that states that some givens do not appear in the search, if there are."""
    verb = "was" if n == 1 else "were"
    return f"{plural(n, noun)} {verb} applied before the search." if n else ""


def _view(
    problem: Problem, names: Names, numbers: Sequence[int], title: str, options: list[str]
) -> ProblemView:
    """Return the view of a problem, without a picture."""
    colors = [as_text(name) for name in names.colors]
    return ProblemView(
        title=title,
        summary=summarize(problem),
        problem=problem,
        names=names,
        option_starts=(problem.indptr + 1 + problem.n_items).tolist(),
        n_primary=problem.n_primary,
        items=[as_text(name) for name in names.items],
        options=options,
        colors=colors,
        color_marks=mark_colors(colors),
        numbers=numbers,
    )
