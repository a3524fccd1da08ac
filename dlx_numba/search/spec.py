"""The specification of a search for exact covers."""

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.algorithms import resumable_class
from ..kernels.branching import Branching, BranchingRule
from ..kernels.problem import Problem
from .protocol import ResumableSearch

if TYPE_CHECKING:
    from typing_extensions import Self


class ExactCoverSpec(NamedTuple):
    """The problem to search, how to search it, and how its covers map to the user's problem.

    Implements `search.protocol.SearchSpec`.
    """

    problem: Problem
    option_numbers: NDArray[np.int64] | None  # the user's number of each option; None if equal
    given: list[int]  # options that belong to each cover in addition to those found
    rule: BranchingRule
    algorithm: str = "links"  # one of `kernels.algorithms.ALGORITHMS`

    def start(self) -> ResumableSearch:
        """Return a search that has not yet taken a step."""
        return resumable_class(self.algorithm, self.problem).start(self.problem, self.rule)

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> ResumableSearch:
        """Return the search that was stored as arrays."""
        search_class = resumable_class(self.algorithm, self.problem)
        return search_class.from_arrays(arrays, self.problem)

    def solution(self, cover: list[int]) -> list[int]:
        """Translate a cover to a solution: sorted option numbers of the user's problem."""
        if self.option_numbers is not None:
            cover = self.option_numbers[cover].tolist() + self.given
        return sorted(cover)

    def fingerprint(self) -> str:
        """Return a digest that differs for other problems and for other ways to search them."""
        digest = hashlib.sha256()
        problem, numbers, given, rule, algorithm = self
        if rule.branching != Branching.RANDOM:
            rule = rule._replace(seed=0)
        for each in (*problem, numbers, given, *map(int, rule), algorithm):
            if isinstance(each, np.ndarray):
                digest.update(f"{each.shape}".encode())
                digest.update(np.ascontiguousarray(each, np.int64).tobytes())
            else:
                digest.update(f"{each};".encode())
        return digest.hexdigest()

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the specification as arrays; "facts" is JSON with all that is not an array."""
        fields = {**self.problem._asdict(), "option_numbers": self.option_numbers}
        facts = {
            "given": self.given,
            "rule": [int(value) for value in self.rule],
            "algorithm": self.algorithm,
            "n_primary": self.problem.n_primary,
            "n_secondary": self.problem.n_secondary,
        }
        arrays = {name: array for name, array in fields.items() if isinstance(array, np.ndarray)}
        return arrays | {"facts": np.frombuffer(json.dumps(facts).encode(), np.uint8)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Self":
        """Restore a specification from its arrays."""
        facts = json.loads(arrays["facts"].tobytes())
        sizes = {name: facts[name] for name in ("n_primary", "n_secondary")}
        return cls(
            Problem(**{name: arrays.get(name) for name in Problem._fields} | sizes),
            arrays.get("option_numbers"),
            facts["given"],
            BranchingRule(*facts["rule"]),
            facts["algorithm"],
        )
