"""The specification of a search: the problem, and how to search it."""

import hashlib
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.algorithms import resumable_class
from ..kernels.branching import Branching, BranchingRule
from ..kernels.problem import Problem
from .protocol import ResumableSearch


class SearchSpec(NamedTuple):
    """What is searched, and how its covers translate to the problem as stated by the user."""

    problem: Problem
    option_numbers: NDArray[np.int64] | None  # the original number of each option; None if equal
    given: list[int]  # options that belong to each cover in addition to those found
    rule: BranchingRule
    algorithm: str = "links"

    def start(self) -> ResumableSearch:
        """Return a search that has not yet taken a step."""
        return resumable_class(self.algorithm, self.problem).start(self.problem, self.rule)

    def restore(self, arrays: dict[str, NDArray[Any]]) -> ResumableSearch:
        """Return the search that was stored as arrays."""
        kind = resumable_class(self.algorithm, self.problem)
        return kind.from_arrays(arrays, self.problem.indptr)

    def solution(self, cover: list[int]) -> list[int]:
        """Translate a cover of the searched problem to sorted option numbers of the stated one."""
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
