"""Remove the clues that a requirement does not need from a block of puzzles."""

import numpy as np
from numpy.typing import NDArray

from ..box import Box
from ..engines.base import Boards, Engine, EngineResult, Rules, RulesEngine, StopCheck
from ..engines.classify import INTERMEDIATE, allocate_workspace, classify_lanes
from ..engines.registry import make_engine, resolve_engine
from .grids import allocate_grid_search
from .removal import N_CLUES, N_ORBITS, allocate_removal, next_tests
from .start import Orbits, find_orbits, shuffle_clues, start_puzzles
from .uniform import allocate_uniform_search


class Reducer:
    """A block of puzzles and the arrays to reduce them, for one thread.

    The reduced puzzles have a single solution or, if a class is given, its techniques solve them.

    Parameters
    ----------
    box
        The box of the puzzles.
    size
        The maximum number of puzzles.
    hardest
        The class, an index of `CLASSES`, where `EXPERT` stands for X-wings; 0 for none.
    rules
        The rules of a variant; None for plain Sudoku.
    """

    def __init__(self, box: Box, size: int, hardest: int = 0, rules: Rules | None = None) -> None:
        self.box = box
        self.hardest = hardest
        self.rules_engine: RulesEngine | None = None if rules is None else rules.engine(box)
        self.engine: Engine = self.rules_engine or make_engine("auto", box)
        # Some engines, and those of rules, read a value that is excluded from a cell; `dlx` and the
        # techniques do not.
        excludes = not hardest and resolve_engine("auto", box).name in ("lanes", "portfolio")
        self.can_exclude = rules is not None or excludes
        self.workspace = allocate_workspace()  # of `classify_lanes`
        self.removal = allocate_removal(box, size)
        # What `start_puzzles` needs to fill grids, by a search or on 9×9 boards, and to order clues
        self.search = allocate_grid_search(box)
        self.uniform = allocate_uniform_search()
        self.orbits: Orbits = find_orbits(box)
        self.active = np.zeros(size, np.int64)  # the puzzles of which orbits are undecided
        self.tests = np.zeros((size, box.cells), np.uint8)  # a board for each active puzzle
        self.result = EngineResult.allocate(self.tests)  # of the tests

    def generate(
        self,
        random: NDArray[np.uint64],
        symmetry: int,
        least: int,
        most: int,
        stop: StopCheck,
        grid: Boards | None = None,
    ) -> tuple[Boards, Boards] | None:
        """Return puzzles and their grids, made from random numbers (N, 2).

        `symmetry` is an index of `SYMMETRIES`. The removal of clues ends at a random number of
        clues from `least` to `most`. With rules, a single puzzle may be made from a given `grid`.
        Returns None if the removal is incomplete, because `stop` returned True.
        """
        size = len(random)
        if self.rules_engine is not None:
            for puzzle in range(size):
                filled = grid
                if filled is None:
                    filled = self.rules_engine.random_grid(int(random[puzzle, 0]), stop)
                if filled is None:
                    return None
                self.removal.grids[puzzle] = filled
        memory = self.search, self.uniform, self.removal, self.orbits
        is_filled = self.rules_engine is not None  # otherwise, `start_puzzles` fills the grids
        start_puzzles(random, *memory, symmetry, *self.box, least, most, is_filled)
        # A test can exclude the value of one cell only if clues are removed one at a time.
        if not self._reduce(size, self.can_exclude and symmetry == 0, stop):
            return None
        return self.removal.boards[:size], self.removal.grids[:size]

    def minimize(
        self, boards: Boards, solutions: Boards, random: NDArray[np.uint64], stop: StopCheck
    ) -> Boards | None:
        """Return puzzles with the given solutions without their redundant clues.

        Returns None if redundant clues may be left, because `stop` returned True.
        """
        size = len(boards)
        removal = self.removal
        removal.grids[:size] = solutions
        removal.boards[:size] = boards
        cells = np.arange(self.box.cells)
        n_clues = np.count_nonzero(boards, axis=1)[:, np.newaxis]
        # The order of each puzzle begins with the cells of its clues.
        removal.order[:size][cells < n_clues] = np.nonzero(boards)[1]
        removal.ends[:size] = cells + 1  # each clue is an orbit
        removal.fields[:size] = 0
        removal.fields[:size, [N_ORBITS, N_CLUES]] = n_clues
        shuffle_clues(random, removal)
        return removal.boards[:size] if self._reduce(size, self.can_exclude, stop) else None

    def _reduce(self, size: int, excludes_value: bool, stop: StopCheck) -> bool:
        """Remove clues until all orbits are decided. Return False if `stop` returns True before.

        A puzzle has a single solution if it has none with another value in the cell of a clue that
        is removed. If a test does not exclude the value, it must find a single solution.
        """
        # A test succeeds if there are fewer solutions, or if the techniques solve the board.
        limit = 1 if excludes_value or self.hardest else 2
        excluded = self.box.n if excludes_value else 0  # v + n excludes v, see `next_tests`
        counts = self.result.counts
        self.active[:size] = range(size)
        counts[:size] = -1
        n_active = size
        while not stop():
            n_active = next_tests(
                self.removal, self.active, n_active, excluded, limit, counts, self.tests
            )
            if n_active == 0:
                return True
            boards = self.tests[:n_active]
            result = self.result.rows(slice(0, n_active))
            if self.hardest:
                classes = np.empty(n_active, np.uint8)
                classify_lanes(boards, self.hardest, *self.workspace, classes)
                # 1 if the techniques do not solve it, which fails the test
                result.counts[:] = classes > min(self.hardest, INTERMEDIATE)
            else:
                self.engine.solve(boards, limit, result, stop)
        return False
