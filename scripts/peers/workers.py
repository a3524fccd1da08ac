"""Processes that can be cut off, should what they run crash or take too long."""

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

START_SECONDS = 120.0  # to import a package, and for Numba to compile it


class Failed(Exception):
    """There is no answer, or a wrong one; says why in a few words."""


def serve(pipe: Connection) -> None:
    """Run what comes through the pipe, until it is closed, and send back the results."""
    try:
        while True:
            function, arguments = pipe.recv()
            try:
                pipe.send(function(*arguments))
            except Failed as failed:
                pipe.send(failed)
            except Exception as error:
                pipe.send(Failed(type(error).__name__))
    except (EOFError, KeyboardInterrupt):
        pass


class Worker:
    """A process that starts when it is first asked, and anew after a stop, by `warm_up()`."""

    def __init__(self, warm_up: Callable[[], object], limit: float) -> None:
        self.warm_up, self.limit = warm_up, limit
        self.pipe: Connection | None = None

    def ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The result of function(*arguments) there, within the limit of seconds. Raises Failed."""
        if self.pipe is None:
            self._start()
        return self._ask(self.limit, function, *arguments)

    def stop(self) -> None:
        if self.pipe:
            self.pipe.close()
            self.process.kill()
            self.process.join()
            self.pipe = None

    def _start(self) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()  # else the end of the process would not be seen
        try:
            self._ask(START_SECONDS, self.warm_up)
        except Failed:
            self.stop()
            raise

    def _ask(self, limit: float, function: Callable[..., Any], *arguments: Any) -> Any:
        assert self.pipe
        try:
            self.pipe.send((function, arguments))
            if not self.pipe.poll(limit):
                self.stop()
                raise Failed(f">{limit:g} s")
            answer = self.pipe.recv()
        except (EOFError, OSError):
            self.stop()
            raise Failed("crashed") from None
        if isinstance(answer, Failed):
            raise answer
        return answer
