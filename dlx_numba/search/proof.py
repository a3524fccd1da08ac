"""Prove that a problem has no cover while it is searched."""

from typing import Any

from ..runtime.arguments import UNLIMITED
from ..runtime.errors import Stopped
from ..runtime.interrupts import Steps, Stop, complete
from .prepared import PreparedProblem

# A search without covers seeks a proof that there are none after PROOF_UPDATES, and once more after
# LAST_PROOF_UPDATES. A coloring may take some work for each of them, in entries of a lattice, which
# are faster; weights, which are sought once, take a fraction of a second.
PROOF_UPDATES = 1 << 23
LAST_PROOF_UPDATES = 1 << 27
WORK_PER_UPDATE = 4
MAX_WEIGHTS_WORK = 1 << 24


class Proof:
    """The attempts of a search to prove by a coloring or by weights that there is no cover.

    Parameters
    ----------
    spec : PreparedProblem
        The problem, which keeps the outcomes.

    Attributes
    ----------
    updates : int
        The updates of the search after which the next attempt begins.
    """

    def __init__(self, spec: PreparedProblem) -> None:
        self._spec = spec
        # A literal search visits all of its nodes, so it is never ended by a proof.
        self.updates = UNLIMITED if spec.rule.is_literal else PROOF_UPDATES
        self._attempt: Steps[bool] | None = None  # which was stopped

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_attempt": None}

    def succeeds(self, stop: Stop) -> bool:
        """Return whether the next attempt succeeds. If it is stopped, another call continues it."""
        # It is kept only if it is stopped: an exception ends it, and the next call begins another.
        attempt, self._attempt = self._attempt or self._seek(), None
        try:
            is_found = complete(attempt, stop)
        except Stopped:
            self._attempt = attempt
            return False
        is_last = is_found or self.updates == LAST_PROOF_UPDATES
        self.updates = UNLIMITED if is_last else LAST_PROOF_UPDATES
        return is_found

    def _seek(self) -> Steps[bool]:
        """Seek a proof unless one was sought with the same limit, and keep the result."""
        problem = self._spec.problem
        proofs = self._spec.proofs
        updates = self.updates
        if updates not in proofs:
            from ..kernels.cheapest.weights import seek_weights  # only long searches need a proof
            from ..kernels.lattice import seek_coloring

            proof: object = yield from seek_coloring(problem, WORK_PER_UPDATE * updates)
            if proof is None and updates == PROOF_UPDATES:
                proof = yield from seek_weights(problem, MAX_WEIGHTS_WORK)
            proofs[updates] = proof is not None
        return proofs[updates]
