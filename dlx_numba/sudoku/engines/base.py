"""The interface of the Sudoku engines: boards in, an `EngineResult` out."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..box import Box

ItemT = TypeVar("ItemT")

Boards = NDArray[np.uint8]  # the values of cells, shape (N, cells), 0 for an empty cell
StopCheck = Callable[[], bool]  # called at intervals; if it returns True, the work ends


class EngineResult(NamedTuple):
    """The arrays that an engine fills for N puzzles; row k belongs to puzzle k.

    The public functions return the same arrays as a `BatchResult`, which describes them.
    """

    solutions: Boards
    counts: NDArray[np.int64]
    nodes: NDArray[np.int64]

    @classmethod
    def allocate(cls, boards: Boards) -> "EngineResult":
        """Return a result in which no board is solved yet.

        Parameters
        ----------
        boards : ndarray of uint8, shape (N, cells)
            The boards that are to be solved.

        Returns
        -------
        EngineResult
        """
        size = len(boards)
        counts = np.empty(size, np.int64)
        counts.fill(-1)  # takes a third of the time of `np.full` for a single board
        return cls(np.zeros(boards.shape, np.uint8), counts, np.zeros(size, np.int64))

    def rows(self, rows: slice) -> "EngineResult":
        """Return a view of some rows.

        Parameters
        ----------
        rows : slice

        Returns
        -------
        EngineResult
        """
        return EngineResult(self.solutions[rows], self.counts[rows], self.nodes[rows])


class Engine(Protocol):
    """A solver for boards of one shape, which runs in one thread.

    An engine has working memory, so each thread needs a separate engine.
    """

    def solve(self, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
        """Solve `boards` into `result`.

        Parameters
        ----------
        boards
            Boards of shape (N, cells), 0 for an empty cell.
        limit
            The number of solutions at which the search for a board ends.
        result
            An allocated result for N boards. Its rows are written.
        stop
            A function that is called at intervals. Once it returns True, the engine returns; the
            counts of unfinished boards remain unchanged.
        """


class RulesEngine(Engine, Protocol):
    """An engine for boards with further rules, which also enumerates solutions and samples grids.

    Threads can share it. A value v + n on a board of n × n excludes the value v from an empty cell.
    """

    def prepare(self, stop: StopCheck) -> bool:
        """Do what all calls need, unless it is done. Returns False if `stop` ends the call."""

    def iterate_blocks(self, board: Boards, stop: StopCheck, max_size: int) -> Iterator[Boards]:
        """Yield the solutions of a board; see `dlx.iterate_blocks`."""

    def random_grid(self, seed: int, stop: StopCheck) -> Boards | None:
        """Return a random complete grid (cells,), or None if `stop` returns True.

        Raises ValueError if there is none.
        """


@runtime_checkable
class Rules(Protocol):
    """The rules of a variant. They bring their engine, so this package need not know them."""

    @property
    def placed_counts(self) -> dict[str, int]:
        """The numbers of entries that `place` adds, by rule."""

    def engine(self, box: Box) -> RulesEngine:
        """Return the engine for a box. Raises ValueError if the rules do not apply to it."""

    def place(self, box: Box, seed: int, stop: StopCheck) -> "tuple[Rules, Boards] | None":
        """Return rules with random entries in place of numbers, and a grid (cells,) for them.

        Returns None if `stop` returns True. Raises ValueError if there is no grid, or no room.
        """

    def find_contradiction(self, board: Boards, box: Box) -> str | None:
        """Return what one or two givens of a board (cells,) violate, in words; None if nothing."""

    def stated(self) -> dict[str, Any]:
        """Return the parameters that give the rules, as values of JSON."""

    def sentences(self) -> list[str]:
        """Return the rules in words, for a board that shows them."""


class Pool(Generic[ItemT]):
    """Idle objects for reuse, because creating an engine takes longer than solving a board.

    Each thread takes a separate object. One that an exception has interrupted is not put back.

    Parameters
    ----------
    make : callable
        Creates an object from its key.
    """

    def __init__(self, make: Callable[..., ItemT]) -> None:
        self._make = make
        self._idle: dict[tuple[Any, ...], list[ItemT]] = defaultdict(list)

    def take(self, *key: object) -> ItemT:
        """Return an idle object, or a new one."""
        try:
            return self._idle[key].pop()
        except IndexError:
            return self._make(*key)

    def put(self, item: ItemT, *key: object) -> None:
        """Make an object available again."""
        self._idle[key].append(item)
