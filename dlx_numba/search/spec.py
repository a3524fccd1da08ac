"""The specification of a search for exact covers."""

import hashlib
from collections.abc import Mapping
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.algorithms import subtree_class
from ..kernels.dlx.branching import Branching, BranchingRule
from ..kernels.dlx.links import MAX_NODES
from ..kernels.problem import Problem
from ..kernels.subtree import Subtree
from ..runtime.archive import check_integers

if TYPE_CHECKING:
    from typing_extensions import Self


MAX_COLOR = 2**31 - 1
REFERENCE_ALGORITHMS = ("dense", "dense-python")  # which only search, in one thread


class ExactCoverSpec(NamedTuple):
    """The problem to search, how to search it, and how its covers map to the user's problem."""

    problem: Problem
    option_numbers: NDArray[np.int64] | None  # the user's number of each option; None if equal
    given: list[int]  # options that belong to each cover in addition to those found
    rule: BranchingRule
    algorithm: str = "links"  # one of `kernels.algorithms.ALGORITHMS`

    def start(self) -> Subtree:
        """Return the whole tree, unexplored."""
        return subtree_class(self.algorithm, self.problem).start(self.problem, self.rule)

    def require_support(self, feature: str) -> None:
        """Raise ValueError if the algorithm only serves as a reference, without this feature."""
        if self.algorithm in REFERENCE_ALGORITHMS:
            raise ValueError(f"algorithm {self.algorithm!r} does not support {feature}; use links")

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

    def content(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the specification as JSON values and arrays.

        The number of items is stored as an array, so that the size of a file limits it.
        """
        problem = self.problem
        is_primary = np.arange(problem.n_items) < problem.n_primary
        fields = {**problem._asdict(), "option_numbers": self.option_numbers}
        arrays = {name: array for name, array in fields.items() if isinstance(array, np.ndarray)}
        rule = [int(value) for value in self.rule]
        facts = {"given": self.given, "rule": rule, "algorithm": self.algorithm}
        return facts, {**arrays, "is_primary": is_primary.astype(np.uint8)}

    @classmethod
    def from_content(cls, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> "Self":
        """Restore a specification from its `content()`. Raises an exception if it is invalid."""
        integers: dict[str, NDArray[Any]] = {
            name: check_integers(array, 0, MAX_COLOR if name == "color" else 2**62)
            for name, array in arrays.items()
        }
        is_primary, numbers = integers.pop("is_primary"), integers.pop("option_numbers", None)
        n_primary = int(np.count_nonzero(is_primary))
        if np.any(is_primary != (np.arange(len(is_primary)) < n_primary)):
            raise ValueError("a primary item follows a secondary item")
        problem = Problem(**integers, n_primary=n_primary, n_secondary=len(is_primary) - n_primary)
        problem.check()
        branching, last_sharp, seed = facts["rule"]
        check_integers([branching], 0, max(Branching))
        check_integers([last_sharp], 0, MAX_NODES)
        given = check_integers(facts["given"], 0, 2**62).tolist()
        n_numbers = problem.n_options if numbers is None else len(numbers)
        all_numbers = [] if numbers is None else [*numbers.tolist(), *given]
        if n_numbers != problem.n_options or len(set(all_numbers)) != len(all_numbers):
            raise ValueError("the numbers of the options are inconsistent")
        rule = BranchingRule(branching, last_sharp, index(seed))
        spec = cls(problem, numbers, given, rule, facts["algorithm"])
        spec.require_support("checkpoints")
        return spec

    def check(self, solutions: list[list[int]]) -> None:
        """Raise ValueError unless these are solutions of the user's problem."""
        numbers = self.option_numbers
        options = range(self.problem.n_options) if numbers is None else numbers.tolist()
        option_of = {number: option for option, number in enumerate(options)}
        selected = [[option_of[k] for k in solution if k in option_of] for solution in solutions]
        self.problem.check_covers(selected)
        if list(map(self.solution, selected)) != solutions:
            raise ValueError("the solutions differ from the covers")
