"""The removal of the clues that a requirement does not need, from a block of puzzles."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..box import Box
from ..engines.base import EngineResult
from ..engines.classify import allocate_workspace, classify_lanes
from ..engines.lanes import EXCLUDED
from ..engines.registry import make_engine, resolve_engine
from .grids import allocate_grid_search
from .removal import allocate_removal, next_tests
from .start import Orbits, find_orbits, start_minimizing, start_puzzles
from .uniform import allocate_uniform_search

GRIDS_PER_SLICE = 64  # between two calls of `stop`: up to 30 ms


class Requirement(Protocol):
    """A monotone requirement of puzzles, tested for many boards at once."""

    @property
    def excluded(self) -> int:
        """The parameter of `next_tests`."""

    def test(
        self,
        boards: NDArray[np.uint8],
        grids: NDArray[np.uint8],
        result: EngineResult,
        stop: Callable[[], bool],
    ) -> None:
        """Test boards with the given solutions.

        Writes the count 0 for a board that meets the requirement, otherwise 1 and values that
        differ from the solution in an unavoidable set (see `removal`).
        """


class UniqueSolution:
    """The requirement that a puzzle has a single solution."""

    def __init__(self, box: Box) -> None:
        self.engine = make_engine("auto", box)
        self.excluded = EXCLUDED if resolve_engine("auto", box).name == "lanes" else 0

    def test(
        self,
        boards: NDArray[np.uint8],
        grids: NDArray[np.uint8],
        result: EngineResult,
        stop: Callable[[], bool],
    ) -> None:
        """See `Requirement.test`: search for a second solution."""
        self.engine.find_second_solution(boards, grids, result, stop)  # type: ignore[attr-defined]


class SolvedByTechniques:
    """The requirement that the techniques of a class solve a puzzle.

    The cells that they do not decide are an unavoidable set: with values for all others, the
    techniques would not decide them, either.
    """

    def __init__(self, hardest: int) -> None:
        self.hardest = hardest
        self.excluded = 0
        self.workspace = allocate_workspace()

    def test(
        self,
        boards: NDArray[np.uint8],
        grids: NDArray[np.uint8],
        result: EngineResult,
        stop: Callable[[], bool],
    ) -> None:
        """See `Requirement.test`."""
        classes = np.empty(len(boards), np.uint8)
        classify_lanes(boards, self.hardest, *self.workspace, classes, result.solutions)
        result.counts[:] = classes > self.hardest


class Reducer:
    """A block of puzzles and the arrays to reduce them, for one thread.

    Parameters
    ----------
    box
        The box of the puzzles.
    size
        The maximum number of puzzles.
    """

    def __init__(self, box: Box, size: int) -> None:
        self.box, self.size = box, size
        self.removal = allocate_removal(box, size)
        self.search = allocate_grid_search(box)
        self.uniform = allocate_uniform_search()
        self.orbits: Orbits = find_orbits(box)
        self.shuffled = np.zeros(box.cells, np.uint32)
        self.active = np.zeros(size, np.int64)
        self.tests = np.zeros((size, box.cells), np.uint8)
        self.known = np.zeros((size, box.cells), np.uint8)
        self.result = EngineResult.allocate(self.tests)

    def generate(
        self,
        random: NDArray[np.uint64],
        symmetry: int,
        least: int,
        most: int,
        requirement: Requirement,
        stop: Callable[[], bool],
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8]] | None:
        """Return puzzles and their grids, made from random numbers (N, 2).

        The removal of clues ends at a random number of clues from `least` to `most`. Returns None
        if it is incomplete, because `stop` returned True.
        """
        size = len(random)
        for start in range(0, size, GRIDS_PER_SLICE):
            start_puzzles(
                random,
                start,
                min(start + GRIDS_PER_SLICE, size),
                self.search,
                self.uniform,
                self.removal,
                self.orbits,
                symmetry,
                *self.box,
                least,
                most,
                self.shuffled,
            )
            if stop():
                return None
        if not self._reduce(size, requirement, stop):
            return None
        return self.removal.boards[:size], self.removal.grids[:size]

    def minimize(
        self,
        boards: NDArray[np.uint8],
        solutions: NDArray[np.uint8],
        random: NDArray[np.uint64],
        requirement: Requirement,
        stop: Callable[[], bool],
    ) -> NDArray[np.uint8] | None:
        """Return puzzles with the given solutions without their redundant clues.

        Returns None if redundant clues may be left, because `stop` returned True.
        """
        start_minimizing(boards, solutions, random, self.search, self.removal, *self.box)
        if not self._reduce(len(boards), requirement, stop):
            return None
        return self.removal.boards[: len(boards)]

    def _reduce(self, size: int, requirement: Requirement, stop: Callable[[], bool]) -> bool:
        """Remove clues until all orbits are decided. Return False if `stop` returns True before."""
        self.active[:size] = range(size)
        self.result.counts[:size] = -1
        n_active = size
        while not stop():
            n_active = next_tests(
                self.removal,
                self.active,
                n_active,
                requirement.excluded,
                self.result.counts,
                self.result.solutions,
                self.tests,
                self.known,
            )
            if n_active == 0:
                return True
            rows = slice(0, n_active)
            requirement.test(self.tests[rows], self.known[rows], self.result.rows(rows), stop)
        return False
