"""The base class of `ExactCover`: the constructor, the settings, and the methods for plans.

It is a class of its own because the class `ExactCover` would otherwise be too long to read.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterable, Mapping
from copy import copy
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..kernels.algorithms import Algorithm
from ..kernels.cheapest.multipliers import find_prices
from ..kernels.problem import MAX_TOTAL_COST, Problem
from ..runtime.batches import check_workers
from ..runtime.interrupts import Stop, StopEvent
from ..runtime.showing import Display
from ..search.prepared import PreparedProblem
from .costs import OptionValues, as_price, encode_costs, list_penalties
from .counting import ThreadStatistics
from .covers import CheapestCovers, Stated
from .encode import Multiplicity, Numbers, Options, Statement, encode_problem
from .iterables import as_list
from .names import Cost, Names, option_numbers
from .optimizer import CoverOptimizer, create_optimizer
from .prepare import (
    Choose,
    Keywords,
    OptionNumbers,
    SearchKeywords,
    check_settings,
    prepare,
    select,
)
from .solutions import find_cheapest
from .symmetry import SymmetryGroup
from .totals import Totals

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .batch import BatchOptions


class PriceMemory:
    """The prices of the items of a problem, which are computed once, when they are first needed.

    Any number of threads may ask for them. They depend on the problem alone.

    Parameters
    ----------
    problem, names
        The problem.
    """

    def __init__(self, problem: Problem, names: Names) -> None:
        self._problem, self._names = problem, names
        self._prices: NDArray[np.float64] | None = None

    def find(self, cover: ExactCoverBase, stop: Stop) -> NDArray[np.float64] | None:
        """Return prices for the items that a variation still has; None if they are unknown."""
        if self._prices is None and self._problem.cost is not None:
            self._prices = find_prices(self._problem, stop)
        if self._prices is None:
            return None
        price_of = dict(zip(self._names.items, self._prices.tolist(), strict=True))
        ratio = cover._names.scale.factor / self._names.scale.factor
        items = prepare(cover, stop).item_numbers
        return np.array([price_of[cover._item_names[item]] * ratio for item in items])


class ExactCoverBase:
    """The constructor and the settings of `ExactCover`, packings, coverings and cheapest covers."""

    def __init__(
        self,
        options: Options,
        items: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] = (),
        *,
        optional: Iterable[Hashable] | None = None,
        multiplicity: Multiplicity | None = None,
        exactly: Numbers | None = None,
        at_most: Numbers | None = None,
        at_least: Numbers | None = None,
        costs: OptionValues | None = None,
        maximize: OptionValues | None = None,
        penalty: Mapping[Any, Any] | None = None,
        totals: Totals | None = None,
        choose: Choose = "smallest",
        seed: int | None = None,
        presolve: bool = False,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        algorithm: Algorithm = "auto",
        consistency: Literal["colors"] | None = None,
        picture: Any = None,
    ) -> None:
        values = multiplicity, costs, maximize, penalty, totals, at_most, at_least, exactly
        encoded = encode_problem(Statement(options, items, secondary, *values), optional)
        (self.problem, self._names), self._statistics = encoded, ThreadStatistics()
        self._stated, self._prices, self._is_varied = Stated(*encoded), PriceMemory(*encoded), False
        if picture is not None:
            self._stated = self._stated._replace(draw=picture.svg)
        self.items, self.colors, self.option_names = self._names[:3]
        self.n_items, self.n_options = self.problem.n_items, self.problem.n_options
        conditions = SearchKeywords(given=given, forbidden=forbidden, presolve=presolve, seed=seed)
        rule = SearchKeywords(choose=choose, consistency=consistency, algorithm=algorithm)
        self._set(check_settings({**conditions, **rule}))

    def _set(self, settings: SearchKeywords, argument: str = "choose") -> None:
        """Select options and order items as settings say; messages call `choose` by `argument`."""
        self._prepared: dict[bool, PreparedProblem] = {}
        self._settings = settings
        self.choose = settings["choose"]
        self.seed = (self.choose == "random" and settings["seed"]) or 0
        self.algorithm: Algorithm = settings["algorithm"]
        selected = select(self.problem, self._names, settings, argument)
        self._selected, self._forbidden, self._item_names = selected

    def _changed(self, argument: str = "choose", **settings: Unpack[SearchKeywords]) -> Self:
        """Return the same problem with other settings."""
        changed = copy(self)
        changed._set({**self._settings, **settings}, argument)
        return changed

    def __copy__(self) -> Self:
        same = object.__new__(type(self))
        vars(same).update(vars(self), _prepared={}, _statistics=ThreadStatistics())
        return same

    def __getstate__(self) -> dict[str, Any]:
        """Return a state that is the same for equal problems, so that programs can hash pickles."""
        names = self._names._replace(items=[*self.items], colors=[*self.colors])
        algorithm = self._selected.algorithm
        settings: dict[str, Any] = {
            **self._settings,
            "seed": self.seed if self.choose == "random" else None,
            "given": self._selected.given,
            "forbidden": self._forbidden,
            "algorithm": algorithm,
        }
        return {
            **vars(copy(self)),
            "_stated": self._stated._replace(names=names),
            "_names": names,
            "_settings": settings,
            "_prices": PriceMemory(self.problem, names),
            "_is_varied": False,
            "items": names.items,
            "colors": names.colors,
            "algorithm": algorithm,
        }

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return type(self).__qualname__, *self._content()

    def __eq__(self, other: object) -> bool:
        """Return whether two objects state the same problem, and search it in the same way.

        The seed matters only if choices are random.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover([["a"], ["b"]])
        >>> cover == ExactCover([["a"], ["b"]]), cover == ExactCover([["a"], ["c"]])
        (True, False)
        """
        if not isinstance(other, ExactCoverBase):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content()[:2])

    def _content(self) -> tuple[Any, ...]:
        """Return what determines the results: the problem, its names and how it is searched."""
        prepared, stated = self._selected, dataclasses.replace(self._selected, problem=self.problem)
        *names, scale, n_uncovered, totals = self._names
        stated_names = [*map(list, (*names, totals)), scale.factor, n_uncovered]
        presolves = self._settings["presolve"]
        return prepared.fingerprint(), stated.fingerprint(), stated_names, presolves

    @classmethod
    def packing(
        cls, options: Options, weights: OptionValues | None = None, **keywords: Unpack[Keywords]
    ) -> Self:
        """Create a problem that covers each item at most once, with the largest total weight.

        `cheapest` returns a packing of the largest weight. The other methods find, count and list
        all packings, to which the empty one belongs: `first` may well return it.

        Parameters
        ----------
        options
            As for `ExactCover`.
        weights : array_like or mapping, optional
            The weight of each option, as `maximize` of `ExactCover`.
        **keywords
            The keywords of `ExactCover`. `at_most` raises the limit of items, and `exactly` and
            `at_least` require some.

        Returns
        -------
        ExactCover

        Raises
        ------
        ValueError, TypeError
            As `ExactCover` does.

        Examples
        --------
        Pairs of a patient and a donor exchange kidneys in cycles:

        >>> from dlx_numba import ExactCover
        >>> cycles = {"Ann, Bob": ["Ann", "Bob"], "Bob, Cy, Di": ["Bob", "Cy", "Di"],
        ...           "Di, Eve": ["Di", "Eve"]}
        >>> exchange = ExactCover.packing(cycles, weights=[2, 3, 2])
        >>> value, packing = exchange.cheapest()[0]
        >>> value, packing.names
        (4, ['Ann, Bob', 'Di, Eve'])
        """
        values: dict[str, Any] = {"multiplicity": (0, 1), "maximize": weights}
        return cls(options, **values, **keywords)

    @classmethod
    def covering(cls, options: Options, **keywords: Unpack[Keywords]) -> Self:
        """Create a problem that covers each item at least once, with the lowest total cost.

        `cheapest` returns a covering of the lowest cost. The other methods find, count and list all
        coverings, also those with options that could be omitted.

        Parameters
        ----------
        options
            As for `ExactCover`.
        **keywords
            The keywords of `ExactCover`, such as `costs`. `at_least` raises the number of options
            for some items, `at_most` limits it, and `exactly` states it.

        Returns
        -------
        ExactCover

        Raises
        ------
        ValueError, TypeError
            As `ExactCover` does.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> stations = {"north": ["a", "b"], "center": ["b", "c", "d"], "south": ["c", "d", "e"]}
        >>> fire = ExactCover.covering(stations, costs={"north": 2.5, "center": 1.5, "south": 2})
        >>> fire.cheapest()
        [(4.5, [0, 2])]
        """
        values: dict[str, Any] = {"multiplicity": (1, None)}
        return cls(options, **values, **keywords)

    def replace(
        self,
        *,
        costs: OptionValues | None = None,
        maximize: OptionValues | None = None,
        **keywords: Unpack[SearchKeywords],
    ) -> Self:
        """Return the same problem with other costs, conditions or settings.

        The two share what has not changed, so this is much faster than a new `ExactCover`.

        Parameters
        ----------
        costs, maximize : array_like or mapping, optional
            New costs, or values to maximize, of all options.
        **keywords
            `given`, `forbidden`, `choose`, `seed`, `presolve`, `algorithm` and `consistency` as for
            `ExactCover`, instead of those of this problem.

        Returns
        -------
        ExactCover

        Raises
        ------
        ValueError, TypeError
            As `ExactCover` does.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> plan = ExactCover([["a"], ["a", "b"], ["b"]], costs=[1, 3, 1])
        >>> plan.cheapest(), plan.replace(costs=[1, 1, 1], given=[1]).cheapest()
        ([(2, [0, 2])], [(1, [1])])
        """
        if unknown := sorted(keywords.keys() - self._settings.keys()):
            raise TypeError(f"replace() got an unexpected keyword argument {unknown[0]!r}")
        changed = copy(self)
        if changes_costs := costs is not None or maximize is not None:
            penalties = list_penalties(self.problem, self._names)
            stated = encode_costs(self.problem, self._names, costs, maximize, penalties)
            changed.problem, changed._names = stated
            changed._stated = self._stated._replace(problem=stated[0], names=stated[1])
            changed._prices = PriceMemory(*stated)
        changed._is_varied = not changes_costs
        if keywords.get("seed") is None:
            keywords["seed"] = self._settings["seed"]
        return changed._changed(**check_settings({**self._settings, **keywords}))

    def _varied(
        self,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        seed: int | None = None,
        costs: OptionValues | None = None,
    ) -> Self:
        """Return the problem with more conditions, and with random choices if there is a seed."""
        added = as_list(given, "given", "options"), as_list(forbidden, "forbidden", "options")
        if costs is None and seed is None and not any(added):
            return self
        settings = SearchKeywords(
            given=[*self._selected.given, *added[0]],
            forbidden=[*self._forbidden, *added[1]],
        )
        if seed is not None:
            settings["choose"], settings["seed"] = "random", seed
        has_costs = self._names.scale.factor > 0
        values = (costs, None) if has_costs else (None, costs)
        changed = self.replace(costs=values[0], maximize=values[1], **settings)
        changed._prices, changed._is_varied = self._prices, True
        return changed

    def _numbers_of(self, start: OptionNumbers) -> list[int]:
        """Return the numbers of the options of an earlier plan, each of them once."""
        options = as_list(start, "start", "options")
        return sorted({*option_numbers(options, self.problem, self._names, "start: ")})

    def _rewarding(self, options: list[int], amount: Fraction) -> tuple[Self, int]:
        """Return the problem in which each of these options costs `amount` less, and what all save.

        The integer is in the unit of the new costs.
        """
        scale, (cost, *_) = self._names.scale, self.problem.costs_and_bounds
        factor = lcm(scale.factor, amount.denominator)
        reward, ratio = int(amount * factor), factor // abs(scale.factor)
        if sum(map(abs, cost.tolist())) * ratio + reward * len(options) >= MAX_TOTAL_COST:
            raise ValueError("the sum of the costs and changes must be less than 2**62")
        rewarded = cost * ratio
        rewarded[options] -= reward
        changed = copy(self)
        changed.problem = self.problem._replace(cost=rewarded)
        changed._names = self._names._replace(scale=scale._replace(factor=scale.factor * ratio))
        changed._is_varied = True
        return changed._changed(), reward * len(options)

    def cheapest(
        self,
        k: int = 1,
        *,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        costs: OptionValues | None = None,
        start: OptionNumbers | None = None,
        changes: Cost = 0,
        seed: int | None = None,
        seconds: float | None = None,
        threads: int | None = None,
        stop: StopEvent | None = None,
        up_to_symmetry: bool | SymmetryGroup = False,
        progress: Display = False,
    ) -> CheapestCovers:
        """Return the `k` solutions of lowest cost, or the best known when time runs out.

        If several solutions have the same cost, those found first are returned. Without costs, they
        are any solutions, as `first` finds them. With `maximize`, the solutions are those of the
        highest value.

        Parameters
        ----------
        k : int, default: 1
            The largest number of solutions.
        given, forbidden
            As for `first`.
        costs : array_like or mapping, optional
            Other costs of all options for this call, or other values if these are maximized.
        start : iterable of hashable, optional
            The options of a solution, such as an earlier plan, or of a part of one, by number or
            name. They need not satisfy the conditions of the problem. The search begins near them,
            so it has a good solution early, which excludes most of the worse ones.
        changes : number, default: 0
            The cost of each option of `start` that the solution does not contain, so that a new
            plan differs little from `start`. The pairs include this cost; `Cover.cost` does not.
        seed : int, optional
            As for `first`.
        seconds : float, optional
            The time limit. The call then returns what is known, without an exception.
        threads : int, optional
            The number of threads, by default that of the processors.
        stop : StopEvent, optional
            Ends the call as the time limit does; see `solve`.
        up_to_symmetry : bool or SymmetryGroup, default: False
            As for `solve`.
        progress
            As for `solve`.

        Returns
        -------
        CheapestCovers
            A list of pairs of a cost and a solution, in ascending order. Its attribute `done` tells
            whether they are known to be the cheapest, and `bound` is a lower bound on the cost of
            all others.

        Raises
        ------
        ValueError
            If `k` or `threads` is less than 1, the algorithm is neither "auto" nor "links", the
            options or costs are invalid, as for `ExactCover`, or `changes` is negative or lacks
            `start`.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover([["a"], ["a", "b"], ["b"], ["b"]], costs=[1, 5, 2, 7])
        >>> cover.cheapest(2)
        [(3, [0, 2]), (5, [1])]
        >>> covers = cover.cheapest(seconds=10)
        >>> covers, covers.bound, covers.done
        ([(3, [0, 2])], 3, True)

        Option 2 is no longer available:

        >>> cover.cheapest(forbidden=[2], start=[0, 2])
        [(5, [1])]

        A plan that keeps option 0 costs 8. The other one costs 5, and 4 for each of two changes:

        >>> cover.cheapest(2, forbidden=[2], start=[0, 2], changes=4)
        [(12, [0, 3]), (13, [1])]
        """
        varied, offset = self._varied(given, forbidden, seed, costs), 0
        first = self._numbers_of(() if start is None else start)
        if amount := as_price(changes, "changes"):
            if start is None:
                raise ValueError("changes needs start, the options of an earlier plan")
            n_stated = self.n_options - self._names.n_uncovered
            varied, offset = varied._rewarding([k for k in first if k < n_stated], amount)
        limits = threads, up_to_symmetry, progress, Stop(seconds, stop)
        return find_cheapest(varied, k, *limits, first, offset)

    def cheapest_batch(
        self,
        *,
        given: BatchOptions | None = None,
        forbidden: BatchOptions | None = None,
        costs: Iterable[OptionValues] | None = None,
        start: OptionNumbers = (),
        threads: int | None = None,
        seconds: float | None = None,
        stop: StopEvent | None = None,
        progress: Display = False,
    ) -> list[CheapestCovers]:
        """Return the cheapest solution of each of many variations of the problem.

        Parameters
        ----------
        given, forbidden
            As for `solve_batch`.
        costs : iterable of (array_like or mapping), optional
            The costs of all options for each variation.
        start
            As for `cheapest`: options near which all variations seek their solutions, such as those
            of the cheapest solution of the problem itself.
        threads, progress
            As for `solve_batch`.
        seconds, stop
            As for `cheapest`.

        Returns
        -------
        list of CheapestCovers
            The result of `cheapest` for each variation. If its conditions contradict each other or
            those of the problem, it is empty and `done`.

        Raises
        ------
        ValueError, TypeError
            As `solve_batch` does, and if costs are invalid.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover([["a"], ["a", "b"], ["b"], ["b"]], costs=[1, 5, 2, 7])
        >>> cover.cheapest_batch(forbidden=[[0], [2], [0, 1]])
        [[(5, [1])], [(5, [1])], []]
        """
        from .cheapest_batch import solve_variations  # loading kernels takes some milliseconds

        conditions = given, forbidden, costs
        first = self._numbers_of(start)
        n_threads = check_workers(threads, None)
        return solve_variations(self, conditions, first, n_threads, progress, Stop(seconds, stop))

    def optimizer(
        self,
        k: int = 1,
        *,
        start: OptionNumbers = (),
        threads: int | None = None,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> CoverOptimizer:
        """Create a search for the cheapest solutions, which can be run for some time and resumed.

        Parameters
        ----------
        k, start, threads
            As for `cheapest`.
        seconds, stop
            As for `search`.

        Returns
        -------
        CoverOptimizer

        Raises
        ------
        ValueError
            As `cheapest` does.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> optimizer = ExactCover([["a"], ["a"], ["b"]], costs=[3, 1, 1]).optimizer()
        >>> optimizer.run(seconds=10), optimizer.best, optimizer.bound
        (True, [(2, [1, 2])], 2)
        """
        return create_optimizer(self, k, threads, Stop(seconds, stop), self._numbers_of(start))
