"""The Sudoku engines by name."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...kernels.branching import Branching
from ..box import Box
from ..result import BatchResult

# How many boards are worth a call of an engine.
ENGINES = {
    "lanes": 16384,
    "dlx": 1024,
    "dlx-leftmost": 16,
    "naive": 16,
    "very-naive": 1,
    "naive-python": 1,
    "very-naive-python": 1,
}
LANES_BOX = Box(3, 3)  # the only one that the engine lanes takes


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


def engine_name(name: str, box: Box) -> str:
    """`name`, or for `auto` the fastest engine for the box.

    Raises ValueError where there is no such engine, or it does not take such boards.

    >>> engine_name("auto", Box(3, 3)), engine_name("auto", Box(4, 4))
    ('lanes', 'dlx')
    """
    if name == "auto":
        name = "lanes" if box == LANES_BOX else "dlx"
    if name not in ENGINES:
        raise ValueError(f"no engine {name!r}; there are: auto, {', '.join(ENGINES)}")
    if name == "lanes" and box != LANES_BOX:
        raise ValueError(f"the engine lanes is for boards of box {LANES_BOX}, not {box}")
    return name


def make_engine(name: str, box: Box) -> Engine:
    """A new engine. Raises ValueError as `engine_name`.

    Its module is imported here: a program needs one or two, and kernels take a while to declare.
    """
    name = engine_name(name, box)
    very = name.startswith("very-naive")
    if name == "lanes":
        from .lanes import LanesEngine

        return LanesEngine(box)
    if name.endswith("-python"):
        from .backtracking import PythonEngine, naive, very_naive

        return PythonEngine(box, very_naive if very else naive)
    if name.endswith("naive"):
        from .backtracking_kernels import NaiveKernelEngine, search_naive, search_very_naive

        return NaiveKernelEngine(box, search_very_naive if very else search_naive)
    from .dlx import DancingEngine

    return DancingEngine(box, Branching.LEFTMOST if name == "dlx-leftmost" else Branching.SMALLEST)


_idle: dict[tuple[str, Box], list[Engine]] = defaultdict(list)


@contextmanager
def borrowed_engine(name: str, box: Box) -> Iterator[Engine]:
    """An engine for this thread alone, until the context ends: one at hand, or else a new one.

    To make one takes longer than to solve a board; they are kept for the next caller.
    """
    idle = _idle[engine_name(name, box), box]
    try:
        engine = idle.pop()
    except IndexError:
        engine = make_engine(name, box)
    try:
        yield engine
    finally:
        idle.append(engine)
