"""The base class of `ExactCover`: its statement, plans, and conversions for other programs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from copy import copy
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from ..kernels.algorithms import Algorithm
from ..runtime.interrupts import Stop, StopEvent
from ..runtime.showing import Display
from .costs import OptionValues
from .counting import ThreadStatistics
from .covers import Covers
from .encode import Multiplicity, Numbers, Options, Statement, encode_problem
from .lazy_names import LazyNames
from .models import build_cpsat, build_model
from .names import Cost
from .prepare import (
    Choose,
    Keywords,
    OptionNumbers,
    SearchKeywords,
    Settings,
    VariedKeywords,
    View,
)
from .solutions import find_cheapest
from .stated import Stated
from .symmetry import SymmetryGroup
from .totals import Totals

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .batch import BatchOptions, CoverBatch
    from .optimizer import CoverOptimizer, Engine


# The attributes of a problem that follow from its statement
STATED_ATTRIBUTES = {
    *("problem", "items", "colors", "n_items", "n_options"),
    *("choose", "seed", "algorithm"),
}


CoverT = TypeVar("CoverT", bound="ExactCoverBase")


class ExactCoverBase:
    """The constructor of `ExactCover`, packings, coverings, cheapest covers and conversions."""

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
        threads: int | None = None,
        executor: Executor | None = None,
        memory: int | None = None,
        progress: Display = False,
        view: View | None = None,
    ) -> None:
        encoded = encode_problem(
            Statement(
                options,
                items,
                secondary,
                multiplicity,
                costs,
                maximize,
                penalty,
                totals,
                at_most,
                at_least,
                exactly,
            ),
            optional,
        )
        settings = Settings(
            choose,
            seed,
            presolve,
            given,
            forbidden,
            algorithm,
            consistency,
            threads,
            executor,
            memory,
            progress,
        )
        self._statistics = ThreadStatistics()
        stated = Stated(*encoded, settings.checked())
        self._state(stated if view is None else stated.viewed(view))

    __init__.__qualname__ = "ExactCover.__init__"  # in messages about arguments

    def _state(self, stated: Stated) -> None:
        """Set the statement, and the attributes that show it."""
        self._stated = stated
        self.problem = stated.problem
        self.items, self.colors = stated.names[:2]
        self.n_items = self.problem.n_items
        self.n_options = self.problem.n_options
        settings = stated.settings
        self.choose = settings.choose
        self.algorithm: Algorithm = settings.algorithm
        self.seed = stated.selected.rule.seed

    @property
    def option_names(self) -> Sequence[Hashable]:
        names = self._stated.names.options
        return names.listed if isinstance(names, LazyNames) else names

    def _with(self, stated: Stated) -> Self:
        """Return a problem of the same class with another statement."""
        changed = copy(self)
        changed._state(stated)
        return changed

    def __getstate__(self) -> dict[str, Any]:
        """Return a state that is the same for equal problems, so that programs can hash pickles."""
        own = {name: value for name, value in vars(self).items() if name not in STATED_ATTRIBUTES}
        return {**own, "_statistics": ThreadStatistics()}

    def __setstate__(self, content: dict[str, Any]) -> None:
        vars(self).update(content)
        self._state(self._stated)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return type(self).__qualname__, *self._stated.content()

    def __eq__(self, other: object) -> bool:
        """Return whether two objects are the same problem, and search it in the same way.

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
        return self._stated.content() == other._stated.content()

    def __hash__(self) -> int:
        return hash(self._stated.content()[:2])

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
            The weight of each option, as `maximize` of `ExactCover`. Without weights, no packing is
            better than the empty one; for the largest number of options, all weights are 1.
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
        >>> packing = exchange.cheapest()[0]
        >>> packing.cost, packing.names
        (4, ['Ann, Bob', 'Di, Eve'])
        """
        values: dict[str, Any] = {"multiplicity": (0, 1), "maximize": weights}
        return cls(options, **values, **keywords)

    @classmethod
    def covering(  # type: ignore[misc]  # costs are a keyword, too
        cls, options: Options, costs: OptionValues | None = None, **keywords: Unpack[Keywords]
    ) -> Self:
        """Create a problem that covers each item at least once, with the lowest total cost.

        `cheapest` returns a covering of the lowest cost. The other methods find, count and list all
        coverings, also those with options that could be omitted.

        Parameters
        ----------
        options, costs
            As for `ExactCover`.
        **keywords
            The keywords of `ExactCover`. `at_least` raises the number of options
            for some items, `at_most` limits it, and `exactly` fixes it.

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
        >>> fire = ExactCover.covering(stations, {"north": 2.5, "center": 1.5, "south": 2})
        >>> fire.cheapest(), fire.cheapest()[0].cost
        ([[0, 2]], 4.5)
        """
        values: dict[str, Any] = {"multiplicity": (1, None), "costs": costs}
        return cls(options, **values, **keywords)

    def replace(self, **keywords: Unpack[VariedKeywords]) -> Self:
        """Return the same problem with other costs, conditions or settings.

        The two share what has not changed, so this is much faster than a new `ExactCover`.

        Parameters
        ----------
        **keywords
            `costs` or `maximize`, `multiplicity`, `exactly`, `at_most` and `at_least`, `penalty`,
            `given`, `forbidden`, `choose`, `seed`, `presolve`, `algorithm`, `consistency`,
            `threads`, `executor`, `memory`, `progress` and `view` as for `ExactCover`, instead of
            those of this problem. New multiplicities replace all of them, and so do costs and
            penalties; an empty mapping removes them, and None keeps them, as it keeps the seed and
            the view. A penalty of an item that need not be covered has no effect, and is not kept.

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
        ([[0, 2]], [[1]])
        """
        known = VariedKeywords.__annotations__.keys()
        if unknown := sorted(keywords.keys() - known):
            raise TypeError(f"replace() got an unexpected keyword argument {unknown[0]!r}")
        own = Settings._fields
        settings = {key: value for key, value in keywords.items() if key in own}
        changes = {k: v for k, v in keywords.items() if k not in own and v is not None}
        view = changes.pop("view", None)
        stated = self._stated.replace(changes, **cast(SearchKeywords, settings))
        return self._with(stated if view is None else stated.viewed(view))

    def to_cpsat(self) -> Any:
        """Return the problem as a model of CP-SAT, the constraint solver of OR-Tools.

        Variable `k` is option `k`: `model.get_bool_var_from_proto_index(k)` returns it, so that the
        model can be extended. After a solve, `solver.response_proto.solution[k]` is its value.

        Returns
        -------
        ortools.sat.python.cp_model.CpModel

        Raises
        ------
        ImportError
            If OR-Tools is not installed.

        Notes
        -----
        Given options are 1, and forbidden ones are 0. The objective is the cost, or the value that
        is maximized; a solver minimizes it in integers, so fractions are exact.
        """
        stated = self._stated.priced()
        return build_cpsat(
            build_model(stated.problem, stated.names, stated.selected.given, stated.forbidden)
        )

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
        stop: StopEvent | None = None,
        up_to_symmetry: bool | SymmetryGroup = False,
        engine: Engine = "auto",
    ) -> Covers:
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
            plan differs little from `start`. It counts for the order of the solutions, for `bound`
            and `gap`. `Cover.cost` is the cost of the plan alone, without the changes.
        seed : int, optional
            As for `first`.
        seconds : float, optional
            The time limit. The call then returns what is known, without an exception.
        stop : StopEvent, optional
            Ends the call as the time limit does; see `solve`.
        up_to_symmetry : bool or SymmetryGroup, default: False
            As for `solve`.
        engine : {"auto", "own", "highs", "both"}, default: "auto"
            What seeks the solutions: the branch and bound of this package, which takes the same
            steps everywhere; HiGHS, a solver of integer programs, which must be installed; or both
            side by side, which exchange the best solution and the bound. The first one that proves
            its result ends the call; `statistics.method` is "highs" if it was HiGHS. "auto" is
            "both" for coverings and packings of 200 or more items if HiGHS is installed and
            `threads` is not 1, or else "own".

        Returns
        -------
        Covers
            The solutions in ascending order of their costs; see `Cover.cost`. The attribute `done`
            says whether they are known to be the cheapest, and `bound` is a lower bound on the
            cost of all others.

        Raises
        ------
        ValueError
            If `k` is less than 1, the algorithm is neither "auto" nor "links", the
            options or costs are invalid, as for `ExactCover`, or `changes` is negative or lacks
            `start`.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover([["a"], ["a", "b"], ["b"], ["b"]], costs=[1, 5, 2, 7])
        >>> [(found, found.cost) for found in cover.cheapest(2)]
        [([0, 2], 3), ([1], 5)]
        >>> covers = cover.cheapest(seconds=10)
        >>> covers, covers.bound, covers.done
        ([[0, 2]], 3, True)

        Option 2 is no longer available:

        >>> cover.cheapest(forbidden=[2], start=[0, 2])
        [[1]]

        A plan that keeps option 0 costs 8, and 4 for one change. The other one costs 5, and 8 for
        two changes:

        >>> cover.cheapest(2, forbidden=[2], start=[0, 2], changes=4)
        [[0, 3], [1]]
        """
        varied = self._stated.vary(given, forbidden, seed, costs)
        first = self._stated.numbers_of(() if start is None else start, "start")
        rewarded = varied.reward(start, changes)
        return find_cheapest(
            rewarded, self._statistics, k, up_to_symmetry, Stop(seconds, stop), first, engine
        )

    def cheapest_batch(
        self,
        *,
        given: BatchOptions | None = None,
        forbidden: BatchOptions | None = None,
        costs: Iterable[OptionValues] | None = None,
        start: OptionNumbers = (),
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> CoverBatch:
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
        seconds, stop
            As for `cheapest`.

        Returns
        -------
        CoverBatch
            The cheapest cover of each variation, and the bound on its cost. The count is 1, or 0 if
            there is no cover, or -1 if the search is unfinished.

        Raises
        ------
        ValueError, TypeError
            As `solve_batch` does, and if costs are invalid.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover([["a"], ["a", "b"], ["b"], ["b"]], costs=[1, 5, 2, 7])
        >>> batch = cover.cheapest_batch(forbidden=[[0], [2], [0, 1]])
        >>> batch.covers, batch.counts
        ([[1], [1], None], array([1, 1, 0]))
        """
        from .batch import solve_variations  # loading kernels takes some milliseconds

        conditions = given, forbidden, costs
        first = self._stated.numbers_of(start, "start")
        return solve_variations(self._stated, conditions, first, Stop(seconds, stop))

    def optimizer(
        self,
        k: int = 1,
        *,
        given: OptionNumbers = (),
        forbidden: OptionNumbers = (),
        start: OptionNumbers | None = None,
        changes: Cost = 0,
        seconds: float | None = None,
        stop: StopEvent | None = None,
        engine: Engine = "auto",
    ) -> CoverOptimizer:
        """Create a search for the cheapest solutions, which can be run for some time and resumed.

        Parameters
        ----------
        k, given, forbidden, start, changes
            As for `cheapest`.
        seconds, stop
            As for `search`.
        engine
            As for `cheapest`. HiGHS pauses between two runs.

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
        >>> optimizer.run(seconds=10), optimizer.result, optimizer.result.bound
        (True, [[1, 2]], 2)
        """
        from .optimizer import create_optimizer  # slow

        first = self._stated.numbers_of(() if start is None else start, "start")
        varied = self._stated.vary(given, forbidden).reward(start, changes)
        condition = Stop(seconds, stop)
        return create_optimizer(varied, k, condition, first, engine=engine)


def restated(cover: CoverT, stated: Stated) -> CoverT:
    """Return a problem of the same class with another statement."""
    return cover._with(stated)
