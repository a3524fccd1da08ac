"""Presolve a problem while it is searched, if its search takes long."""

from typing import TYPE_CHECKING, Any

from ..kernels.dlx.branching import Branching
from ..runtime.arguments import UNLIMITED
from ..runtime.interrupts import Stop
from .prepared import PreparedProblem

if TYPE_CHECKING:
    from ..kernels.presolve import Presolver

# A search pauses after MIN_UPDATES, or NODE_UPDATES for each node of the problem, and then whenever
# its work has doubled. Until then, presolving may have taken a WORK_SHARE of its work. The search
# begins again if a REMOVED_SHARE of the options is removed: with fewer, it hardly becomes shorter.
MIN_UPDATES = 1 << 22
NODE_UPDATES = 128
WORK_SHARE = 1 / 32
REMOVED_SHARE = 1 / 4


class Presolving:
    """The attempts of a search to presolve its problem.

    Parameters
    ----------
    spec : PreparedProblem

    Attributes
    ----------
    updates : int
        The updates of the search after which the next attempt begins.
    """

    def __init__(self, spec: PreparedProblem) -> None:
        problem = spec.problem
        # Other rules depend on items that presolving removes. It does not support totals.
        may_presolve = spec.rule.branching in (Branching.SMALLEST, Branching.RANDOM)
        may_presolve &= problem.total_low is None and spec.presolving is None  # not done before
        self._spec = spec
        self.updates = max(MIN_UPDATES, NODE_UPDATES * len(problem.items))
        if not may_presolve or spec.rule.is_literal:
            self.updates = UNLIMITED  # never
        self._presolver: Presolver | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_presolver": None}

    def attempt(self, stop: Stop) -> PreparedProblem:
        """Return the problem to search from now on: the same one unless many options are removed.

        An attempt that is stopped is continued by the next one.
        """
        from ..kernels.presolve import Presolver  # only long searches are presolved

        spec = self._spec
        n_options = spec.problem.n_options
        presolver = self._presolver = self._presolver or Presolver(spec.problem)
        if presolver.run(WORK_SHARE * self.updates, stop):
            self.updates = UNLIMITED
            self._presolver = None
            result = presolver.result()
            if result.problem.n_options <= (1 - REMOVED_SHARE) * n_options:
                return spec.presolved(result)
        elif not stop():  # the work is spent
            self.updates *= 2
        return spec
