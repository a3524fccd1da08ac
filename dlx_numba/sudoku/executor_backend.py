"""Boards solved by the tasks of an executor: processes, or a cluster."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from ..runtime.interrupts import Stop
from .backends import Team
from .box import Box
from .result import BatchResult


class TaskError(RuntimeError):
    """What became of a task that brought no result."""


class TaskTeam:
    """Solves batch after batch as a `Team` does, each as a task of an executor.

    `threads` tells how many tasks the executor runs at once.
    """

    def __init__(
        self, engine: str, limit: int, threads: int, stop: Stop, executor: Executor
    ) -> None:
        self.engine, self.limit, self.stop, self.threads = engine, limit, stop, threads
        self.executor = executor
        self.tasks: set[Future[BatchResult]] = set()

    def __enter__(self) -> "TaskTeam":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for task in self.tasks:
            task.cancel()

    def submit(self, boards: NDArray[np.uint8], box: Box) -> Callable[[], BatchResult]:
        """Send `boards` (N, cells). The answer waits for the result when it is called."""
        how = (self.engine, self.limit, self.stop.seconds_left())
        task = self.executor.submit(solve_boards, boards, box, *how)
        self.tasks.add(task)

        def wait() -> BatchResult:
            self.tasks.discard(task)
            try:
                return task.result()
            except (ValueError, OSError):
                raise
            except Exception as error:  # whatever an executor raises when its workers are gone
                raise TaskError(f"a task brought no result: {error!r}") from error

        return wait


def solve_boards(
    boards: NDArray[np.uint8], box: Box, engine: str, limit: int, seconds: float
) -> BatchResult:
    """What a task does."""
    with Team(engine, limit, 1, Stop(seconds)) as team:
        return team.solve(np.require(boards, np.uint8, ["C", "W"]), box)
