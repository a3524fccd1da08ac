"""The attributes of `ExactCover` that show the problem."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from ..kernels.problem import Problem
from ..runtime.choices import Algorithm
from .counting import ThreadStatistics
from .lazy_names import LazyNames
from .name_types import NamedByOptions, NameT
from .named_problem import NamedProblem
from .prepare import Choose

_NAMES = "problem", "items", "colors", "n_items", "n_options", "choose", "seed", "algorithm"


class ShownProblem(NamedByOptions[NameT]):
    """The base class of `ExactCover`: what it shows, which many a problem is never asked for."""

    _named: NamedProblem
    problem: Problem
    items: Sequence[Hashable]
    colors: Sequence[Hashable]
    n_items: int
    n_options: int
    choose: Choose
    seed: int
    algorithm: Algorithm

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Set the attributes when one of them is first needed."""
            if name not in _NAMES:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            named = self._named
            shown = named.cover_problem  # also if orbits of its options are searched
            problem = shown.problem
            vars(self).update(
                problem=problem,
                items=shown.names.items,
                colors=shown.names.colors,
                n_items=problem.n_items,
                n_options=problem.n_options,
                choose=named.settings.choose,
                seed=named.selected.rule.seed,
                algorithm=named.settings.algorithm,
            )
            return vars(self)[name]

    @property
    def option_names(self) -> Sequence[Hashable]:
        names = self._named.cover_problem.names.options
        return names.listed if isinstance(names, LazyNames) else names

    def __getstate__(self) -> dict[str, Any]:
        """Return content that is the same for equal problems, so that programs can hash pickles."""
        hidden = {*_NAMES, "__orig_class__"}
        own = {name: value for name, value in vars(self).items() if name not in hidden}
        return {**own, "_statistics": ThreadStatistics()}
