"""The Sudoku engines by name."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..box import Box
from ..choice import LEFTMOST
from .dancing import DancingEngine
from .lanes import SHAPE, LanesEngine
from .naive import PythonEngine, naive, very_naive
from .naive_kernels import NaiveKernelEngine, search_naive, search_very_naive
from .result import BatchResult


class Engine(Protocol):
    """Solves blocks of boards of one shape, in one thread.

    `solve` fills row k of `result` for row k of `boards` (N, cells): the first solution, the
    number of solutions up to `limit`, and the nodes of its search. Where `stop()` ends it early,
    it leaves the counts of the boards that are not done as they were.
    """

    def solve(
        self,
        boards: NDArray[np.uint8],
        limit: int,
        result: BatchResult,
        stop: Callable[[], bool],
    ) -> None: ...


class EngineKind(NamedTuple):
    """How an engine is made, and how many boards are worth a call to it."""

    make: Callable[[Box], Engine]
    block: int


ENGINES = {
    "lanes": EngineKind(LanesEngine, 16384),
    "dlx": EngineKind(DancingEngine, 1024),
    "dlx-leftmost": EngineKind(lambda box: DancingEngine(box, LEFTMOST), 16),
    "naive": EngineKind(lambda box: NaiveKernelEngine(box, search_naive), 16),
    "very-naive": EngineKind(lambda box: NaiveKernelEngine(box, search_very_naive), 1),
    "naive-python": EngineKind(lambda box: PythonEngine(box, naive), 1),
    "very-naive-python": EngineKind(lambda box: PythonEngine(box, very_naive), 1),
}


def engine_kind(name: str, box: Box) -> EngineKind:
    """The engine of that name; `auto` is the fastest for the box. Raises ValueError."""
    name = _named(name, box)
    if name not in ENGINES:
        raise ValueError(f"no engine {name!r}; there are: auto, {', '.join(ENGINES)}")
    if name == "lanes" and box != SHAPE:
        raise ValueError(f"the engine lanes is for boards of box {SHAPE}, not {box}")
    return ENGINES[name]


def _named(name: str, box: Box) -> str:
    if name == "auto":
        return "lanes" if box == SHAPE else "dlx"
    return name


_idle: dict[tuple[str, Box], list[Engine]] = defaultdict(list)


@contextmanager
def borrowed_engine(name: str, box: Box) -> Iterator[Engine]:
    """An engine for this thread alone, until the context ends: one at hand, or else a new one.

    To make one takes longer than to solve a board; they are kept for the next caller.
    """
    idle = _idle[_named(name, box), box]
    try:
        engine = idle.pop()
    except IndexError:
        engine = engine_kind(name, box).make(box)
    try:
        yield engine
    finally:
        idle.append(engine)
