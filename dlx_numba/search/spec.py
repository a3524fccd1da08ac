"""What a search is for."""

import hashlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.algorithm_x import Dance, start
from ..kernels.branching import RANDOM
from ..kernels.links import Links
from ..kernels.problem import Problem


class Task(NamedTuple):
    """What is searched, and what its covers mean for the problem as it was stated."""

    problem: Problem
    numbers: NDArray[np.int64] | None  # the number that each option had; None if it still has it
    given: list[int]  # options that are in each cover beside those found
    choose: int
    sharps: int
    seed: int

    def begin(self, links: Links) -> Dance:
        return start(links, self.choose, self.sharps, self.seed)

    def numbered(self, options: list[int]) -> list[int]:
        """A cover of what is searched as a solution of the problem as it was stated."""
        if self.numbers is not None:
            options = self.numbers[options].tolist() + self.given
        return sorted(options)

    def fingerprint(self) -> str:
        """What tells searches of other problems apart, or those that begin in another way."""
        digest = hashlib.sha256()
        problem, numbers, *how, seed = self
        how += [seed] if self.choose == RANDOM else []
        for each in (*problem, numbers, *how):
            if isinstance(each, np.ndarray):
                digest.update(f"{each.shape}".encode())
                digest.update(np.ascontiguousarray(each, np.int64).tobytes())
            else:
                digest.update(f"{each};".encode())
        return digest.hexdigest()
