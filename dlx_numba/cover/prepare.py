"""Check settings, select options and simplify: the steps from a formulation to a search."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, Literal, NamedTuple, Protocol, TypedDict, get_args

import numpy as np
from numpy.typing import NDArray

from ..kernels.dlx.branching import Branching, BranchingRule
from ..kernels.problem import Problem, select_items, select_options
from ..kernels.reduce import ConflictError, reduce_problem, relax_items
from ..pictures.picture import Picture
from ..runtime.arguments import check_choice, check_integer
from ..runtime.batches import check_workers
from ..runtime.choices import ALGORITHMS, AUTO, Algorithm, BranchingName, Consistency
from ..runtime.interrupts import Stop
from ..runtime.resources import memory_limit
from ..runtime.showing import Display, check_display
from ..search.prepared import PreparedProblem
from .costs import OptionValues
from .encode import Multiplicity, Numbers
from .iterables import as_list, is_hashable
from .names import ContradictionError, Names, as_line, name_missing, option_numbers
from .spelling import simplify_names, suggest
from .totals import Totals
from .words import item_words

MAX_ORDER = 100_000  # of the group of symmetries, by default
CHOICES = {name: Branching[name.upper().replace("-", "_")] for name in get_args(BranchingName)}


class ItemSequence(Protocol):
    """A sequence of items: any sequence other than a string, whose elements are characters."""

    def __contains__(self, item: object, /) -> bool: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...


Choose = BranchingName | ItemSequence
View = Literal["grid", "timetable", "graph", "table", "matrix"] | Picture | Callable[[Any], Any]


OptionNumbers = Iterable[Hashable]  # or their names


class SearchKeywords(TypedDict, total=False):
    """The keywords of `ExactCover` that select options and say how to search."""

    choose: Choose
    seed: int | None
    presolve: bool
    given: OptionNumbers
    forbidden: OptionNumbers
    algorithm: Algorithm
    consistency: Consistency | None
    threads: int | None
    executor: Executor | None
    memory: int | None
    progress: Display


class VariedKeywords(SearchKeywords, total=False):
    """The keywords of `ExactCover.replace`."""

    multiplicity: Multiplicity | None
    exactly: Numbers | None
    at_most: Numbers | None
    at_least: Numbers | None
    costs: OptionValues | None
    maximize: OptionValues | None
    penalty: Mapping[Any, Any] | None
    view: View | None


class TableKeywords(VariedKeywords, total=False):
    """The keywords of `ExactCover` that do not list items."""

    totals: Totals | None


class Keywords(TableKeywords, total=False):
    """The keywords that all constructors of `ExactCover` share; the class describes them."""

    optional: Iterable[Hashable] | None


class Settings(NamedTuple):
    """The values of the `SearchKeywords`."""

    choose: Choose = "smallest"
    seed: int | None = None
    presolve: bool = False
    given: OptionNumbers = ()
    forbidden: OptionNumbers = ()
    algorithm: Algorithm = AUTO
    consistency: Consistency | None = None
    threads: int | None = None
    executor: Executor | None = None
    memory: int | None = None
    progress: Display = False

    def checked(self) -> "Settings":
        """Return the settings with lists for iterables. Raises an exception if one is invalid.

        If choices are random, and there is no seed, it is drawn here.
        """
        choose = self.choose
        seed = self.seed
        if self.algorithm != AUTO:
            check_choice("algorithm", self.algorithm, (AUTO, *ALGORITHMS))
        if self.consistency is not None:
            check_choice("consistency", self.consistency, ("colors",))
        if self.threads is not None or self.executor is not None:
            check_workers(self.threads, self.executor)
        check_display(self.progress)
        if self.memory is not None:
            memory_limit(self.memory)
        if not isinstance(choose, str):
            choose = as_list(choose, "choose", "items") or "leftmost"  # an empty list, too
        if seed is not None:
            seed = check_integer(seed, "seed")
        elif choose == "random":
            from secrets import randbits  # loading it takes milliseconds

            seed = randbits(31)
        return self._replace(
            choose=choose,
            seed=seed,
            presolve=bool(self.presolve),
            given=as_list(self.given, "given", "options"),
            forbidden=as_list(self.forbidden, "forbidden", "options"),
        )

    def renamed(self, problem: Problem, names: Names) -> "Settings":
        """Return the settings whose conditions hold with other penalties; see `name_missing`."""
        return self._replace(
            given=name_missing(self.given, problem, names),
            forbidden=name_missing(self.forbidden, problem, names),
        )

    @property
    def resources(self) -> SearchKeywords:
        """The settings that affect no result."""
        return {
            "threads": self.threads,
            "executor": self.executor,
            "memory": self.memory,
            "progress": self.progress,
        }


DEFAULTS = Settings()


class Presolved(NamedTuple):
    """The options and items that presolving removed from a problem.

    Attributes
    ----------
    options : list of int
        Options that are in no cover.
    forced : list of int
        Options that are in each cover.
    items : list of hashable
        Items that are covered whenever some other item is. Items of forced options are not listed.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> cover = ExactCover([["a", "b"], ["b"], ["b", "c"], ["c"]], presolve=True)
    >>> cover._named.find_presolved()
    Presolved(options=[1, 2], forced=[0, 3], items=['b'])
    """

    options: list[int]
    forced: list[int]
    items: list[Hashable]


def _order_items(
    problem: Problem, names: Names, choose: Choose, seed: int, argument: str
) -> tuple[Problem, Names, BranchingRule]:
    """Reorder the primary items as the branching rule requires, and return the rule, too.

    Items that the rule prefers come first. Raises ValueError, which begins with the name of the
    argument, if `choose` is neither one of CHOICES nor a list of distinct primary items.
    """
    if isinstance(choose, str):
        check_choice(argument, choose, CHOICES, ", or a list of items")
        rule = BranchingRule(CHOICES[choose], 0, seed if choose == "random" else 0)
        refused = {
            "multiplicities": problem.low,
            "totals": problem.total_low,
            "colors": problem.color,
        }
        for name, array in refused.items():
            if rule.is_literal and array is not None:
                raise ValueError(f"{argument}: a literal search cannot have {name}")
        if choose != "sharp":
            return problem, names, rule
    n_primary = problem.n_primary
    primary_names = names.items[:n_primary]
    # `first` are the items that come first: BranchingRule has their number as `last_sharp`.
    if choose == "sharp":
        first = [
            k for k, name in enumerate(primary_names) if isinstance(name, str) and name[:1] == "#"
        ]
        rule = BranchingRule(Branching.SHARP, len(first))
    else:
        first = _number_items(choose, primary_names, argument)
        rule = BranchingRule(Branching.LEFTMOST, len(first))
    is_other = np.ones(problem.n_items, np.bool_)
    is_other[first] = False
    order = np.concatenate([np.array(first, np.int64), np.flatnonzero(is_other)])
    items = [names.items[k] for k in order]
    return select_items(problem, order), names._replace(items=items), rule


def _number_items(choose: ItemSequence, names: Sequence[Hashable], argument: str) -> list[int]:
    """Return the numbers of the items of a list, given the names of the primary items.

    Raises ValueError if one is not a primary item, or is listed twice.
    """
    number_of = {name: k for k, name in enumerate(names)}  # of those that are not listed yet
    numbers = []
    for name in choose:
        if not is_hashable(name) or name not in number_of:
            reason = f"is not a primary item{suggest(name, simplify_names(number_of))}"
            if is_hashable(name) and name in names:
                reason = "appears twice"
            raise ValueError(f"{argument}: {name!r} {reason}")
        numbers.append(number_of.pop(name))
    return numbers


class Selection(NamedTuple):
    """The problem that given and forbidden options leave."""

    problem: PreparedProblem
    forbidden: list[int]  # the numbers of the forbidden options
    items: Sequence[Hashable]  # the names of the items that remain


def select(
    problem: Problem, names: Names, settings: Settings, argument: str = "choose"
) -> Selection:
    """Order the items as the branching rule requires, and apply given and forbidden options.

    Parameters
    ----------
    problem, names
        The problem before the selection.
    settings : Settings
        Those that have been checked.
    argument : str
        What error messages call `choose`.

    Raises
    ------
    ContradictionError
        If options contradict each other.
    ValueError
        If there is no option with a number or a name, or `choose` is neither one of CHOICES nor a
        list of distinct primary items.
    """
    choose = settings.choose
    seed = settings.seed or 0
    problem, names, rule = _order_items(problem, names, choose, seed, argument)
    items = names.items
    numbers = None  # of the options that are left; None if all are
    # An item whose upper bound is 0 excludes its options.
    excludes_items = problem.high is not None and not problem.high.all()
    if settings.given or settings.forbidden or excludes_items:
        given = sorted({*option_numbers(settings.given, problem, names, "given: ")})
        listed = option_numbers(settings.forbidden, problem, names, "forbidden: ")
        forbidden = sorted({*listed})
        problem, numbers, items = _apply_conditions(problem, names, given, forbidden)
    else:
        given = []
        forbidden = []
    # Only links support the following.
    algorithm = settings.algorithm
    if rule.is_literal:
        check_choice("algorithm of a literal search", algorithm, (AUTO, "links"))
        algorithm = "links"
    if problem.total_low is not None:
        check_choice("algorithm of a problem with totals", algorithm, (AUTO, "links"))
        if settings.presolve:
            raise ValueError("presolve does not support totals")
        algorithm = "links"
    if settings.consistency and problem.color is not None:
        check_choice("algorithm of a search with consistency", algorithm, (AUTO, "links"))
        rule = rule._replace(is_consistent=True)
        algorithm = "links"
    prepared = PreparedProblem(problem, numbers, given, rule, algorithm)
    return Selection(prepared, forbidden, items)


def _apply_conditions(
    problem: Problem, names: Names, given: list[int], forbidden: list[int]
) -> tuple[Problem, NDArray[np.int64], list[Hashable]]:
    """Return the problem that given and forbidden options leave, as `select` does.

    Also returns the numbers that its options had, and the names of its items.
    """
    given_options = np.array(given, np.int64)
    forbidden_options = np.array(forbidden, np.int64)
    if both := sorted({*given} & {*forbidden}):
        reason = "option {} is both given and forbidden"
        raise ContradictionError(reason, both[:1], names, problem)
    if given and (useless := given_options[~problem.has_primary[given_options]].tolist()):
        reason = "given option {} has no primary item, so no cover contains it"
        raise ContradictionError(reason, useless[:1], names, problem)
    try:
        reduced, numbers, kept = reduce_problem(problem, given_options, forbidden_options)
    except ConflictError as conflict:
        item = names.items[conflict.item]
        words = item_words(names).get(as_line(item), f"item {item!r}")
        quantity = "both" if len(conflict.options) == 2 else "all"
        reason = f"given options {{}} cannot be in one cover: {quantity} contain {words}"
        if len(conflict.options) == 1:
            reason = f"given option {{}} contains {words}, which no cover contains"
        error = ContradictionError(reason, conflict.options, names, problem)
        error.item = item
        raise error from None
    return reduced, numbers, [names.items[item] for item in kept]


def simplify(selected: PreparedProblem, presolves: bool | None, stop: Stop) -> PreparedProblem:
    """Simplify a problem, and shuffle its options if choices are random.

    If `presolves` is true, presolve the problem until `stop`; if it is false, only leave out
    options whose colors exclude them; if it is None, keep all items and options. A call that `stop`
    ends keeps more options than are needed.
    """
    rule = selected.rule
    arguments = selected.problem, selected.option_numbers, selected.given, rule, selected.algorithm
    prepared = PreparedProblem(*arguments, selected.n_components)
    if presolves is not None and selected.problem.low is not None:
        # The items that the rule names, which come first, remain as they are.
        prepared.problem, prepared.kept_items = relax_items(selected.problem, rule.last_sharp)
    problem = prepared.problem
    if presolves and not stop():
        from ..kernels.presolve import presolve_problem  # only a few problems are presolved

        prepared = prepared.presolved(presolve_problem(problem, stop))
    elif presolves is False and problem.color is not None:
        from ..kernels.consistency import consistent_options  # only colors need it

        consistent = consistent_options(problem, stop)
        if len(consistent) < problem.n_options:
            prepared.option_numbers = prepared.numbers[consistent]
            prepared.problem = select_options(problem, consistent)
    if rule.branching == Branching.RANDOM:
        rng = np.random.default_rng(abs(rule.seed))  # NumPy has no negative seeds
        order = rng.permutation(prepared.problem.n_options)
        prepared.option_numbers = prepared.numbers[order]
        prepared.problem = select_options(prepared.problem, order)
    return prepared
