"""Worker processes with a time limit, so that one crash or timeout affects a single package."""

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

MAX_START_SECONDS = 120.0  # importing a package, and compiling it with Numba


class MeasurementFailed(Exception):
    """A package returned no result or a wrong one; the message is a short reason."""


def serve(pipe: Connection) -> None:
    """Call the functions received from the pipe and send back their results, until it closes."""
    try:
        while True:
            function, arguments = pipe.recv()
            try:
                pipe.send(function(*arguments))
            except MeasurementFailed as failure:
                pipe.send(failure)
            except Exception as error:
                pipe.send(MeasurementFailed(type(error).__name__))
    except (EOFError, KeyboardInterrupt):
        pass


class WorkerProcess:
    """A process that starts at the first call, and again after a failure.

    Each process calls `warm_up` first. A call takes at most `max_seconds`.
    """

    def __init__(self, warm_up: Callable[[], object], max_seconds: float) -> None:
        self.warm_up, self.max_seconds = warm_up, max_seconds
        self.pipe: Connection | None = None

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return function(*arguments), evaluated in the process. Raises MeasurementFailed."""
        if self.pipe is None:
            self._start()
        return self._call(self.max_seconds, function, *arguments)

    def stop(self) -> None:
        if self.pipe:
            self.pipe.close()
            self.process.kill()
            self.process.join()
            self.pipe = None

    def _start(self) -> None:
        context = get_context("spawn")
        self.pipe, remote_end = context.Pipe()
        self.process = context.Process(target=serve, args=(remote_end,), daemon=True)
        self.process.start()
        remote_end.close()  # otherwise a crash of the process would not be noticed
        try:
            self._call(MAX_START_SECONDS, self.warm_up)
        except MeasurementFailed:
            self.stop()
            raise

    def _call(self, max_seconds: float, function: Callable[..., Any], *arguments: Any) -> Any:
        assert self.pipe
        try:
            self.pipe.send((function, arguments))
            if not self.pipe.poll(max_seconds):
                self.stop()
                raise MeasurementFailed(f"over {max_seconds:g} s")
            result = self.pipe.recv()
        except (EOFError, OSError):
            self.stop()
            raise MeasurementFailed("crashed") from None
        if isinstance(result, MeasurementFailed):
            raise result
        return result
