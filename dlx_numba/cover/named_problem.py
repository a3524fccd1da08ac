"""Problems with names and settings, on which all operations work."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import InitVar, dataclass, field
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..kernels.cheapest.multipliers import find_prices
from ..kernels.problem import MAX_TOTAL_COST, Problem, select_options
from ..kernels.symmetry.incidence import Restriction
from ..pictures.picture import VIEWS, Picture
from ..runtime.arguments import check_choice
from ..runtime.interrupts import ResultT, Stop
from ..runtime.log import logger
from ..runtime.showing import showing
from ..runtime.text import plural
from ..search.prepared import PreparedProblem
from ..search.thread_runner import Workers, choose_workers
from .costs import OptionValues, as_price, count_options
from .encode import Formulation, change_formulation
from .fixed import Fixed
from .iterables import as_list
from .names import (
    Cost,
    Names,
    Numbers,
    as_text,
    list_option,
    number_names,
    option_numbers,
)
from .numbering import PlainProblem
from .penalties import add_units, user_cost
from .prepare import (
    DEFAULTS,
    OptionNumbers,
    Presolved,
    SearchKeywords,
    Settings,
    select,
    simplify,
)
from .words import item_words

if TYPE_CHECKING:
    from typing_extensions import Unpack

NOTHING: Mapping[str, Any] = {}


@dataclass(eq=False, repr=False)
class NamedProblem:
    """A problem in numbers, its names and settings, and what is computed from them once.

    Any number of threads may use it: nothing modifies it. Copies and pickles contain only
    the parameters.

    Parameters
    ----------
    problem, names
        The problem.
    settings
        Those that have been checked.
    view
        How to draw a cover: a picture, or one of `VIEWS`.
    original
        The problem of which this is a variation. They share the prices of items.
    argument
        What error messages call the setting `choose`.
    unrewarded, offset
        The problem without the rewards for options of an earlier plan, and the sum of these, in the
        unit of the costs: see `reward`.
    fixed
        If covers are those that a group fixes: what the options stand for.

    Attributes
    ----------
    plain : PlainProblem or None
        The problem in few bytes, if it is plain.
    selected : PreparedProblem
        The problem that the given and forbidden options leave.
    forbidden : list of int
        The numbers of the forbidden options; `selected.given` has those of the given ones.
    items_left : sequence of hashable
        The names of the items of `selected`.

    Raises
    ------
    ValueError
        As `select` does.
    """

    problem: Problem
    names: Names
    settings: Settings = DEFAULTS
    view: Any = None
    original: NamedProblem | None = None
    argument: InitVar[str] = "choose"
    unrewarded: NamedProblem | None = None
    offset: int = 0
    fixed: Fixed | None = None
    selected: PreparedProblem = field(init=False)
    forbidden: list[int] = field(init=False)
    items_left: Sequence[Hashable] = field(init=False)
    plain: PlainProblem | None = field(default=None, init=False)
    _kept: dict[Any, Any] = field(default_factory=dict, init=False)

    @classmethod
    def of_plain(cls, plain: PlainProblem, view: object = None) -> NamedProblem:
        """Return a problem without settings, whose arrays are made when they are first needed."""
        named = object.__new__(cls)
        named.plain = plain
        named.view = view
        return named

    def __getattr__(self, name: str) -> Any:
        """Compute attributes at their first use: most small problems need none of them."""
        if name in ("selected", "forbidden", "items_left"):
            self.__post_init__("choose")
        elif name == "_kept":
            self._kept = {}
        elif name in ("problem", "names") and self.plain is not None:
            vars(self)[name] = getattr(self.plain, name)
        else:
            raise AttributeError(name)
        return vars(self)[name]

    def __post_init__(self, argument: str) -> None:
        selection = select(self.problem, self.names, self.settings, argument)
        self.selected, self.forbidden, self.items_left = selection

    def __reduce__(self) -> tuple[Any, ...]:
        """Return values that are the same for equal problems, so that programs can hash pickles.

        Lists replace lazy names, and settings that affect no result have their default values.
        """
        names = self.names
        changes: dict[str, Any] = {
            "seed": self.selected.rule.seed if self.settings.choose == "random" else None,
            "given": Numbers(self.selected.given),
            "forbidden": Numbers(self.forbidden),
        }
        settings = self.settings._replace(**changes, **DEFAULTS.resources)
        options = [*names.options] if names.has_options else names.options
        names = names._replace(items=[*names.items], colors=[*names.colors], options=options)
        fields = self.view, None, "choose", self.unrewarded, self.offset, self.fixed
        return NamedProblem, (self.problem, names, settings, *fields)

    def __deepcopy__(self, memo: object) -> NamedProblem:
        return self  # it is immutable

    def content(self) -> tuple[Any, ...]:
        """Return what determines the results: the problem, its names and how it is searched.

        Two problems are equal if their contents are.
        """
        named = dataclasses.replace(self.selected, problem=self.problem)
        names = self.names
        lists = names.items, names.colors, names.options, names.totals
        listed_names = [*map(list, lists), names.scale.factor, names.n_uncovered]
        listed_names.append(names.is_packing and self.problem.cost is None)
        listed_names += [[array.tolist() for array in names.penalties or ()], names.exact_costs]
        covers = self.settings.presolve, self.fixed and self.fixed.content()
        return self.selected.fingerprint(), named.fingerprint(), listed_names, covers

    def cost(self, options: Sequence[int]) -> Cost:
        """Return the cost of a plan with all penalties; 0 if the problem has no costs."""
        return user_cost(self.problem, self.names, options)

    @property
    def distinguished(self) -> Problem:
        """The problem, only for its symmetries, which respect all costs."""
        penalties = self.names.penalties
        return self.problem if penalties is None else penalties.distinguish(self.problem)

    def priced(self) -> NamedProblem:
        """Return the problem with options, the last ones, whose costs are all penalties.

        It is the problem to search for the cheapest cover, whose cost is then a sum of costs.
        """
        if self.names.penalties is None:
            return self
        priced = self.recall(
            "priced", lambda: NamedProblem(*add_units(self.problem, self.names), self.settings)
        )
        return priced.with_attributes(settings=self.settings)

    @property
    def has_costs(self) -> bool:
        """Whether options have costs, or count."""
        return self.problem.cost is not None if self.plain is None else self.plain.is_counted

    @property
    def what_counts(self) -> str:
        """A notice that says what determines the cheapest cover if no costs are given."""
        if self.has_costs:
            return "no costs: only penalties count"
        return f"no costs: the {'most' if self.names.is_packing else 'fewest'} options"

    def counted(self, *, logs: bool = True) -> NamedProblem:
        """Return the problem in which an option costs 1 unless costs are given, with a notice.

        With fixed symmetries, a row costs its number of options. In a packing, costs are values.
        """
        if logs and self.names.lacks_costs:  # also if penalties are the only costs
            logger.info(self.what_counts)
        if self.has_costs:
            return self
        counted: NamedProblem | None = self._kept.get("counted")
        if counted is None or counted.view is not self.view:  # copies with other views share it
            if self.plain is None:
                sizes = 1 if self.fixed is None else self.fixed.sizes
                problem, names = count_options(self.problem, self.names, sizes)
                counted = NamedProblem(problem, names, self.settings, self.view, fixed=self.fixed)
            else:
                counted = self.of_plain(dataclasses.replace(self.plain, is_counted=True), self.view)
            self._kept["counted"] = counted
        return counted.with_attributes(settings=self.settings)

    @property
    def shared(self) -> NamedProblem:
        """The problem that covers refer to: of a variation, its original, unless the costs differ.

        So the covers of many variations keep a single problem with its names.
        """
        if self.unrewarded is not None:
            return self.unrewarded.shared
        original = self.original
        if original is None or original.problem is not self.problem:
            return self
        return original if original.view is self.view else self

    def numbers_of(self, options: OptionNumbers, argument: str) -> list[int]:
        """Return the numbers of options, each of them once; messages name the argument."""
        return sorted({*self._numbers(as_list(options, argument, "options"), argument)})

    def _numbers(self, options: list[Hashable], argument: str) -> list[int]:
        if self.fixed is not None:
            return self.fixed.rows(options, argument)
        return option_numbers(options, self.problem, self.names, f"{argument}: ")

    @property
    def cover_problem(self) -> NamedProblem:
        """The problem whose covers are found."""
        return self if self.fixed is None else self.fixed.original

    def unfixed(self, feature: str) -> NamedProblem:
        """Return the problem. Raises ValueError if its covers are those that a group fixes."""
        if self.fixed is not None:
            raise ValueError(f"{feature} does not support fixed covers: use the original problem")
        return self

    @property
    def restriction(self) -> Restriction:
        """The given and forbidden options as masks, as the functions of symmetries need them."""
        given, forbidden = np.zeros((2, self.problem.n_options), np.bool_)
        given[self.selected.given] = forbidden[self.forbidden] = True
        return Restriction(given, forbidden)

    @property
    def workers(self) -> Workers:
        """The threads or the executor of searches."""
        return choose_workers(self.settings.threads, self.settings.executor, self.selected)

    @property
    def is_plain(self) -> bool:
        """Whether searches run in this process, and show no progress."""
        return self.settings.executor is None and self.settings.progress is False

    def showing(
        self, describe: Callable[[], tuple[float | None, str]]
    ) -> AbstractContextManager[None]:
        """Show the progress of a block of code as the settings say."""
        return showing(self.settings.progress, describe)

    @property
    def drawing(self) -> Picture | None:
        """The user's picture, or else one that the structure suggests; None without one."""
        return self.view if isinstance(self.view, Picture) else self.suggested

    def in_words(self, text: str) -> str:
        """Return a text in which words of the user's picture, or of items, replace quoted names."""
        if isinstance(self.view, Picture):
            text = self.view.in_words(text)
        return re.sub("`([^`]*)`", lambda match: self._words.get(match[1], match[0]), text)

    @cached_property
    def _words(self) -> dict[str, str]:
        return item_words(self.names)

    @cached_property
    def suggested(self) -> Picture | None:
        """The picture that the structure suggests, or None.

        Raises ValueError if the problem has none of the requested form.
        """
        from ..pictures.find import find_picture  # most problems are not drawn

        names = self.names
        view = self.view if isinstance(self.view, str) else ""
        items, colors, options = (list(map(as_text, listed)) for listed in names[:3])
        labels = options if names.has_options else ()
        return find_picture(
            self.problem, items, colors, names.n_uncovered, names.scale.unscale, labels, view
        )

    def viewed(self, view: object) -> NamedProblem:
        """Return the problem with another picture. The two share what is prepared.

        Raises ValueError or TypeError if it is no picture of the problem; see `ExactCover`. One of
        `VIEWS` is made at once, so that this is known.
        """
        n_listed = len(self.names.options) - self.names.n_uncovered
        if callable(view):
            from ..pictures.by_function import draw_by

            options = [list_option(self.problem, self.names, k) for k in range(n_listed)]
            texts = [list(map(as_text, option)) for option in options]
            if self.names.has_options:
                labels = zip(texts, self.names.options, strict=False)
                texts = [[*words, as_text(name)] for words, name in labels]
            view = draw_by(view, options, texts)
        elif not isinstance(view, Picture | None):
            check_choice("view", view, VIEWS, ", a picture or a function")
        elif 0 < (n_marked := len(getattr(view, "marks", ()))) < n_listed:
            raise ValueError(
                f"the picture has marks for {plural(n_marked, 'option')}, "
                f"and the problem has {n_listed:,}"
            )
        changed = self.with_attributes(view=view)
        vars(changed).pop("suggested", None)
        _ = changed.drawing if isinstance(view, str) else None
        return changed

    def with_attributes(self, **attributes: Any) -> NamedProblem:
        """Return the problem with other attributes, on which no prepared form depends."""
        changed = object.__new__(NamedProblem)
        vars(changed).update(vars(self), **attributes)
        return changed

    def prepare(self, stop: Stop | None = None, *, simplifies: bool = True) -> PreparedProblem:
        """Return the problem as it is searched, computed once unless `stop` ends the call early.

        If several threads need what is not kept yet, each of them computes the same. Unless the
        call `simplifies` the problem, it has all items and options.
        """
        presolves = self.settings.presolve if simplifies else None
        end = stop or Stop()
        return self.recall(simplifies, lambda: simplify(self.selected, presolves, end), stop)

    def recall(self, key: Any, make: Callable[[], ResultT], stop: Stop | None = None) -> ResultT:
        """Return what is made once for the problem, unless `stop` ends the call that makes it."""
        made: ResultT = self._kept[key] if key in self._kept else make()
        if key not in self._kept and not (stop and stop()):
            self._kept[key] = made
        return made

    def keep(self, prepared: PreparedProblem) -> None:
        """Let `prepare` return what an earlier call has prepared until its time limit.

        That call was to simplify the problem: True is this key of `prepare`.
        """
        self._kept[True] = prepared

    def find_presolved(self) -> Presolved | None:
        """Return what presolving removes; None unless the problem is presolved."""
        if (presolving := self.prepare().presolving) is None:
            return None
        options, forced, items = presolving
        return Presolved(options, forced, [self.items_left[item] for item in items])

    def find_prices(self, stop: Stop) -> NDArray[np.float64] | None:
        """Return prices of the items that are left; None if they are unknown.

        Variations share the prices of their original, which are computed once, and multiplied by
        the ratio of the units of costs.
        """
        source = self.original or self
        price = source.recall("prices", lambda: find_prices(source.problem, stop))
        if price is None:
            return None
        price_of = dict(zip(source.names.items, price.tolist(), strict=True))
        ratio = self.names.scale.factor / source.names.scale.factor
        items = self.prepare(stop).item_numbers
        return np.array([price_of[self.items_left[item]] * ratio for item in items])

    def changed(self, argument: str = "choose", **settings: Unpack[SearchKeywords]) -> NamedProblem:
        """Return the same problem with other settings; messages call `choose` by `argument`."""
        changed = self.settings._replace(**settings)
        return dataclasses.replace(self, settings=changed, argument=argument)

    def replace(
        self, changes: Mapping[str, Any] = NOTHING, **keywords: Unpack[SearchKeywords]
    ) -> NamedProblem:
        """Return the problem with other settings, and multiplicities, penalties or costs.

        `changes` has the latter, by their names in a `Formulation`; see `ExactCover.replace`. Only
        resources, such as threads, leave everything prepared; other settings make a variation.
        """
        if keywords.get("seed") is None:
            keywords["seed"] = self.settings.seed
        settings = self.settings._replace(**keywords).checked()
        if not changes:
            only_resources = keywords.keys() <= {*DEFAULTS.resources, "seed"}
            if only_resources and settings.seed == self.settings.seed:
                return self.with_attributes(settings=settings)
            return dataclasses.replace(self, settings=settings, original=self.original or self)
        self.unfixed(f"{next(iter(changes))}=")
        changed = change_formulation(self.problem, self.names, Formulation((), **changes))
        settings = settings.renamed(self.problem, self.names)
        return NamedProblem(*changed, settings, self.view)

    def vary(
        self,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        seed: int | None = None,
        costs: OptionValues | None = None,
        *,
        counts: bool = False,
    ) -> NamedProblem:
        """Return the problem with more conditions, and with random choices if there is a seed.

        If `counts` is true, and neither the call nor the problem has costs, each option costs 1.
        `costs` are values if the problem is maximized, or is a packing without costs.
        """
        if given is forbidden is DEFAULTS.given and costs is seed is None and not counts:
            return self
        if isinstance(costs, Mapping) and not costs:  # an empty mapping removes the costs
            return self.replace({"costs": costs}).vary(given, forbidden, seed, counts=counts)
        if counts and costs is None:
            return self.counted().vary(given, forbidden, seed)
        added = as_list(given, "given", "options"), as_list(forbidden, "forbidden", "options")
        if costs is None and seed is None and not any(added):
            return self
        chosen, excluded = (
            self._numbers(options, name)
            for name, options in zip(("given", "forbidden"), added, strict=True)
        )
        settings = SearchKeywords(
            given=Numbers(self.selected.given + chosen),
            forbidden=Numbers(self.forbidden + excluded),
        )
        if seed is not None:
            settings |= {"choose": "random", "seed": seed}
        is_counted = self.names.is_packing and not self.has_costs
        kind = "maximize" if is_counted or self.names.scale.factor < 0 else "costs"
        changed = self.replace({kind: costs} if costs is not None else {}, **settings)
        changed.original = self.original or self  # also if costs differ
        return changed

    def reward(self, start: OptionNumbers | None, changes: Cost) -> NamedProblem:
        """Return the problem in which each option of an earlier plan costs less by `changes`.

        So another plan costs more for each change. All costs get a common factor if this makes an
        integer of the reward. Raises ValueError if `changes` is no cost, or without a `start`.
        """
        is_none = type(changes) is int and changes == 0  # the usual case; `as_price` is slower
        if is_none or not (amount := as_price(changes, "changes")):
            return self
        self.unfixed("changes")
        if start is None:
            raise ValueError("changes needs start, the options of an earlier plan")
        options = [k for k in self.numbers_of(start, "start") if k < self.names.n_listed]
        scale = self.names.scale
        cost = self.problem.costs
        factor = lcm(scale.factor, amount.denominator)  # by which integers stand for costs now
        reward = int(amount * factor)
        ratio = factor // abs(scale.factor)
        penalties = self.names.penalties
        total = sum(map(abs, cost.tolist()))
        if penalties is not None:
            total += int(penalties.prices @ penalties.needed)
            penalties = penalties._replace(prices=penalties.prices * ratio)
        if max(total, 1) * ratio + reward * len(options) >= MAX_TOTAL_COST:
            raise ValueError("the sum of the costs and changes must be less than 2**62")
        rewarded = cost * ratio
        rewarded[options] -= reward
        problem = self.problem._replace(cost=rewarded)
        scale = scale._replace(factor=scale.factor * ratio)
        names = self.names._replace(scale=scale, penalties=penalties)
        original = self.original or self
        how: dict[str, Any] = {"unrewarded": self, "offset": reward * len(options)}
        return dataclasses.replace(self, problem=problem, names=names, original=original, **how)


def without_names(spec: PreparedProblem, base_cost: int) -> NamedProblem:
    """Return the problem of a checkpoint of a search, which has no names: numbers name everything.

    The options that the file does not contain are empty, except that one given option costs what
    all of them do, which is `base_cost`.
    """
    problem = spec.problem
    numbers = spec.numbers
    order = np.argsort(numbers)
    n_options = max([*numbers.tolist(), *spec.given], default=-1) + 1
    sizes, costs = np.zeros((2, n_options), np.int64)
    sizes[numbers] = np.diff(problem.indptr)
    costs[numbers] = problem.costs
    costs[spec.given[:1]] = base_cost
    indptr = np.concatenate([[0], np.cumsum(sizes)])
    named = select_options(problem, order)._replace(indptr=indptr, cost=costs)
    return NamedProblem(named, number_names(named))


class _HasNamed(Protocol):
    @property
    def _named(self) -> NamedProblem: ...


def named_problem(owner: _HasNamed) -> NamedProblem:
    """Return the content of a problem or of a cover, which is no part of the public interface."""
    return owner._named
