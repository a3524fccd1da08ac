"""The searches of a problem: prepared when they are first needed, and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels.algorithms import ALGORITHMS, AUTO
from ..kernels.problem import Problem
from ..kernels.symmetry.incidence import Restriction
from ..kernels.symmetry.smallest import never_in_smallest
from ..runtime.arguments import check_choice
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop
from ..search.prepared import PreparedProblem
from ..search.search import Search
from .names import Names, option_numbers
from .orbits import OrbitCounter
from .prepare import Presolved, Settings, prepare, select
from .symmetry import SymmetryGroup, check_group, find_symmetries

if TYPE_CHECKING:
    from ..kernels.batch.search import BatchSearch


class Searches:
    """Creates the searches of a problem, which share what does not change.

    Any number of threads may use it. If several need something that is not kept yet, each of them
    computes the same.

    Parameters
    ----------
    problem, names
        The problem, as stated.
    settings : Settings
        How it is searched.
    argument : str, default: "choose"
        What error messages call `settings.choose`.

    Attributes
    ----------
    selected : PreparedProblem
        The problem with given and forbidden options applied, before it is presolved.
    items : list of hashable
        The names of its items.

    Raises
    ------
    ValueError
        If there is no such algorithm, and as `select` does.
    """

    def __init__(
        self, problem: Problem, names: Names, settings: Settings, argument: str = "choose"
    ) -> None:
        check_choice("algorithm", settings.algorithm, (AUTO, *ALGORITHMS))
        self.problem, self.names, self.settings = problem, names, settings
        self.selected, self.items = select(problem, names, settings, argument)
        self._kept: dict[str, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to be pickled, without what can be computed again."""
        return {**vars(self), "_kept": {}}

    def changed(self, argument: str = "choose", **settings: Any) -> Searches:
        """Return the searches of the same problem with other settings."""
        return Searches(self.problem, self.names, self.settings._replace(**settings), argument)

    def prepare(self, stop: Stop | None = None) -> PreparedProblem:
        """Return the problem after presolving, which `stop` ends early."""
        return self._prepare(self.settings.presolve, stop)[0]

    @property
    def presolved(self) -> Presolved | None:
        """The options and items that presolving has removed; None without `presolve`."""
        return self._prepare(self.settings.presolve)[1]

    def _prepare(
        self, presolve: bool, stop: Stop | None = None
    ) -> tuple[PreparedProblem, Presolved | None, bool]:
        """Return what `prepare` does. It is kept if it is complete."""
        kept: tuple[PreparedProblem, Presolved | None, bool] | None
        kept = self._kept.get(f"{presolve=}")
        if kept is None:
            kept = prepare(self.selected, self.items, presolve, stop or Stop())
            if kept[2]:
                self._kept[f"{presolve=}"] = kept
        return kept

    def search(self, stop: Stop | None = None) -> Search:
        """Create a search of the whole problem."""
        return Search(self.prepare(stop))

    def search_batches(self, stop: Stop, *, has_covered: bool) -> BatchSearch:
        """Return what searches variations of the problem, with covered items or without.

        Items that may be covered from the start prevent presolving.
        """
        from ..kernels.batch.search import BatchSearch  # loading it takes some milliseconds

        presolve = self.settings.presolve and not has_covered
        name = f"batches, {presolve=}"
        kept: BatchSearch | None = self._kept.get(name)
        if kept is None:
            prepared, _, is_complete = self._prepare(presolve, stop)
            numbers = self.problem.n_options, prepared.option_numbers, prepared.given
            kept = BatchSearch(prepared.problem, prepared.start(), *numbers)
            if is_complete:
                self._kept[name] = kept
        return kept

    def content(self) -> tuple[Any, ...]:
        """Return what determines the results: the problem, its names and how it is searched."""
        selected, names = self.selected, [list(each) for each in self.names]
        stated = selected.replaced(problem=self.problem)
        digests = selected.fingerprint(), stated.fingerprint()
        return *digests, names, self.settings.presolve

    @property
    def restriction(self) -> Restriction:
        """The given and forbidden options as arrays."""
        masks = np.zeros((2, self.problem.n_options), np.bool_)
        conditions = self.settings.given, self.settings.forbidden
        for mask, options in zip(masks, conditions, strict=True):
            mask[option_numbers(options, self.names)] = True
        return Restriction(*masks)

    def symmetries(self, stop: Stop | None = None) -> SymmetryGroup:
        """Return all symmetries, except those that only exchange items of the same options."""
        stated = self.problem, self.names, self.restriction
        return find_symmetries(*stated, exchanges_twins=False, stop=stop)

    def group(self, up_to_symmetry: bool | SymmetryGroup, stop: Stop) -> SymmetryGroup | None:
        """Return the group that an argument stands for, or None.

        Raises ValueError if it is invalid, and Stopped if it is not found before it is stopped.
        """
        if up_to_symmetry is False:
            return None
        if up_to_symmetry is True:
            try:
                return self.symmetries(stop)
            except Stopped as stopped:
                raise Stopped(str(stopped), []) from None
        return check_group(up_to_symmetry, self.problem, self.restriction)

    def search_smallest(self, group: SymmetryGroup) -> Search:
        """Create a search whose covers contain the smallest cover of each orbit."""
        never = never_in_smallest(self.problem, group.options)
        never[self.selected.given] = False
        options = [*self.settings.forbidden, *np.flatnonzero(never).tolist()]
        return self.changed(forbidden=options).search()

    def count_orbits(self, up_to_symmetry: bool | SymmetryGroup, *arguments: Any) -> OrbitCounter:
        """Return a counter of the solutions up to symmetry; see `OrbitCounter`.

        Raises ValueError if the group is invalid.
        """
        group = None
        if not isinstance(up_to_symmetry, bool):
            group = check_group(up_to_symmetry, self.problem, self.restriction)
        return OrbitCounter(self.problem, self.restriction, group, self.settings, *arguments)
