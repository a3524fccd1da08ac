"""Threads that solve boards together."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from ..runtime.interrupts import MAX_THREADS, Stop
from .box import Box
from .engines.registry import ENGINES, borrowed_engine, engine_name
from .result import BatchResult
from .verify import check_values


class Team:
    """Solves batch after batch, several at once if asked to, each in pieces by several threads.

    A piece is solved by one engine, and an engine's answer for a board does not depend on the
    boards around it: the result is the same for any number of threads.
    """

    def __init__(self, engine: str, limit: int, threads: int, stop: Stop) -> None:
        self.engine, self.limit, self.stop = engine, limit, stop
        self.threads = min(threads, MAX_THREADS)
        self.pool = ThreadPoolExecutor(self.threads)

    def __enter__(self) -> "Team":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.stop.cancel()
        self.pool.shutdown(cancel_futures=kind is not None)

    def submit(self, boards: NDArray[np.uint8], box: Box) -> Callable[[], BatchResult]:
        """Start on `boards` (N, cells). The answer waits for the result when it is called."""
        result = BatchResult.room_for(boards)
        block = ENGINES[engine_name(self.engine, box)]
        rounds = max(1, -(-len(boards) // (block * self.threads)))  # all threads are busy in each
        piece = max(1, -(-len(boards) // (rounds * self.threads)))
        pieces = [
            self.pool.submit(self._solve, boards, box, result, slice(start, start + piece))
            for start in range(0, len(boards), piece)
        ]

        def wait() -> BatchResult:
            for future in pieces:
                future.result()
            return result

        return wait

    def solve(self, boards: NDArray[np.uint8], box: Box) -> BatchResult:
        """Solve `boards` (N, cells) in the calling thread alone, where the team has no other."""
        if self.threads > 1:
            return self.submit(boards, box)()
        engine_name(self.engine, box)  # which raises where there is none
        result = BatchResult.room_for(boards)
        self._solve(boards, box, result, slice(0, len(boards)))
        return result

    def _solve(self, boards: NDArray[np.uint8], box: Box, result: BatchResult, rows: slice) -> None:
        answers = result.rows(rows)
        if self.stop():
            return
        check_values(boards[rows], box.n, rows.start)
        with borrowed_engine(self.engine, box) as engine:
            engine.solve(boards[rows], self.limit, answers, self.stop)
