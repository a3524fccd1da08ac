"""Problems as arrays, with names for their items, options and colors."""

from bisect import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..cover.named_problem import NamedProblem
from ..cover.names import (
    Cost,
    Names,
    as_text,
    mark_colors,
    marked_rows,
    names_of,
    option_label,
)
from ..cover.text import summarize
from ..cover.words import call_items
from ..kernels.dlx.branching import BranchingRule
from ..kernels.problem import Problem
from ..pictures.grid import Grid
from ..pictures.timetable import Timetable
from ..runtime.text import plural, shorten
from .picture_view import PictureView, view_picture

MAX_ITEMS_LENGTH = 30  # characters of the items of an option in a sentence
MAX_GIVEN_NAMES = 4  # in a sentence


@dataclass(frozen=True, eq=False)
class ProblemView:
    """A problem as it is searched, and the names to display for it, which are found when needed.

    `view_search` creates views.
    """

    title: str
    problem: Problem
    names: Names  # as they are in the file, or in coordinates
    numbers: Sequence[int]  # of the options in the original problem, from 0
    rule: BranchingRule
    picture: Grid | Timetable | None  # whose options are those of the original problem
    original_givens: Sequence[int]  # the given options, by their numbers in the original problem
    shows_givens: bool  # whether the search chooses them; otherwise, they are applied before
    start: int  # the number of the first option
    given_names: Sequence[str] = ()  # unless there are many
    named: NamedProblem | None = None  # if penalties depend on the whole cover

    @property
    def summary(self) -> str:
        """The size of the problem."""
        return summarize(self.problem)

    @cached_property
    def option_starts(self) -> list[int]:
        """The first node of each option, and the end of the last one."""
        return (self.problem.indptr + 1 + self.problem.n_items).tolist()

    @property
    def n_primary(self) -> int:
        """The number of primary items."""
        return self.problem.n_primary

    @cached_property
    def items(self) -> list[str]:
        """The name of each item."""
        return [as_text(name) for name in self.names.items]

    @cached_property
    def options(self) -> list[str]:
        """The name of each option, or its items."""
        options = range(len(self.numbers))
        # Without names of options, `names_of` returns their items.
        texts = map(as_text, names_of(self.problem, self.names._replace(options=options), options))
        # The "name" of an option without one is its number in the original problem.
        described = zip(self.numbers, self.names.options, texts, strict=True)
        return [items if name == k else self.names.join([name]) for k, name, items in described]

    @cached_property
    def colors(self) -> list[str]:
        """The names of the colors, from color 1 on."""
        return [as_text(name) for name in self.names.colors]

    @cached_property
    def color_marks(self) -> list[str]:
        """The character that represents each color in the matrix."""
        return mark_colors(self.colors)

    @cached_property
    def given(self) -> list[int]:
        """The options that the search is to choose first, one after another."""
        return [self.numbers.index(number) for number in self.original_givens if self.shows_givens]

    @property
    def note(self) -> str:
        """A sentence about options that were chosen before the search, or ""."""
        n = len(self.original_givens)
        if self.shows_givens or n == 0:
            return ""
        verb = "was" if n == 1 else "were"
        named = f", {' and '.join(self.given_names)}," if self.given_names else ""
        return f"{plural(n, 'given option')}{named} {verb} applied before the search."

    @cached_property
    def drawn(self) -> PictureView | None:
        """The picture of the page, if its form has places."""
        return view_picture(
            self.picture, self.problem, self.numbers, self.original_givens, self.shows_givens
        )

    @property
    def n_nodes(self) -> int:
        """The number of nodes: the root, the items and the nodes of the options."""
        return 1 + self.problem.n_items + len(self.problem.items)

    def option_of(self, node: int) -> int:
        """Return the option that contains the node."""
        return bisect(self.option_starts, node) - 1

    def cost(self, chosen: Iterable[int]) -> Cost | None:
        """Return the cost of a cover; None if the problem has no costs."""
        if self.named is not None:
            before = () if self.shows_givens else self.original_givens
            return self.named.cost([*before, *(self.numbers[option] for option in chosen)])
        cost = self.problem.cost
        return None if cost is None else self.names.scale.unscale(int(cost[list(chosen)].sum()))

    def item_names(self) -> list[str]:
        """Return how people refer to each item; to those of a table by the values of columns."""
        return call_items(self.names, self.names.items)

    def option_labels(self) -> list[str]:
        """Return how programs refer to each option: by its name, or by its number."""
        options = zip(self.numbers, self.names.options, strict=True)
        return [as_text(self.start + k if name == k else name) for k, name in options]

    def references(self) -> list[str]:
        """Return how people refer to each option: by its name, or else by its items.

        If these are many, they are shortened and follow its number. Rows of a matrix, whose items
        are numbers, are referred to by their numbers.
        """
        if all(isinstance(item, int) for item in self.names.items):
            return self.option_labels()
        references = []
        options = zip(self.numbers, self.names.options, self.options, strict=True)
        for number, name, items in options:
            if name != number:  # the "name" of an option without one is its number
                references.append(as_text(name))
            elif 0 < len(items) <= MAX_ITEMS_LENGTH:
                references.append(items)
            else:
                shortened = [shorten(items, MAX_ITEMS_LENGTH)]
                references.append(option_label((), number, self.start, shortened))
        return references

    def marked_rows(self) -> list[list[tuple[int, str]]]:
        """Return the item numbers of each option, from 0, with "1" or the mark of the color."""
        return marked_rows(self.problem, self.color_marks)


def view_search(
    named: NamedProblem, title: str, show_givens: bool = False, start: int = 0
) -> ProblemView:
    """Return the view of a problem as it is searched: by its branching rule, with its givens.

    With `show_givens`, the search chooses the given options first; otherwise, the view has the
    problem that remains after them. Raises ValueError if multiplicities prevent this. `start` is
    the number of the first option.

    >>> from dlx_numba import ExactCover
    >>> cover = ExactCover([["a", ("s", "x")], ["b"]], secondary=["s"])
    >>> view = view_search(cover._named, "two")
    >>> view.items, view.options, view.marked_rows()
    (['a', 'b', 's'], ['a s:x', 'b'], [[(0, '1'), (2, 'x')], [(1, '1')]])
    """
    given = named.selected.given
    named.problem.reject_totals("a matrix or a recorded search")
    if show_givens and given and named.problem.low is not None:
        raise ValueError("givens cannot be shown in a problem with multiplicities")
    changed = named.changed(given=()) if show_givens else named
    spec = changed.prepare(simplifies=False)  # a reader expects the original items and options
    names = named.names._replace(items=changed.items_left, n_uncovered=0, penalties=None)
    numbers: Sequence[int] = range(named.problem.n_options)
    if spec.option_numbers is not None:
        numbers = spec.option_numbers.tolist()
        names = names._replace(options=[named.names.options[number] for number in numbers])
    # The problem's own picture if it has places, or else one that its names suggest
    drawings = named.drawing, named.suggested
    pictures = (drawing for drawing in drawings if isinstance(drawing, Grid | Timetable))
    return ProblemView(
        title=title,
        problem=spec.problem,
        names=names,
        numbers=numbers,
        rule=spec.rule._replace(is_consistent=False),  # recorded searches only use the links
        picture=next(pictures, None),
        original_givens=given,
        shows_givens=show_givens,
        start=start,
        given_names=_name_givens(named, start) if len(given) <= MAX_GIVEN_NAMES else (),
        named=None if named.names.penalties is None else named,
    )


def _name_givens(named: NamedProblem, start: int) -> list[str]:
    """Return the name of each given option, or its number and its items."""
    given = named.selected.given
    texts = [as_text(name) for name in names_of(named.problem, named.names, given)]
    if named.names.has_options:
        return texts
    labels = [[shorten(text, MAX_ITEMS_LENGTH)] for text in texts]
    numbered = zip(given, labels, strict=True)
    return [option_label((), number, start, label) for number, label in numbered]
