"""Signals at the command line: SIGINT and SIGTERM are deferred while results are stored."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def deferred_signals(on_signal: Callable[[], None]) -> Iterator[None]:
    """Defer SIGINT, and SIGTERM if Python handles it, until the block ends.

    Otherwise, the exception for a signal that arrives while a kernel runs would be raised before
    the results of the kernel are stored. A second signal is not deferred, because the block may be
    waiting for an event that never happens. Commands run in the main thread, which receives all
    signals; in any other thread, this does nothing.

    Parameters
    ----------
    on_signal : callable
        Called immediately when a signal arrives, so that the block can end soon.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    deferred: list[tuple[int, Any]] = []

    def defer(number: int, frame: Any) -> None:
        deferred.append((number, frame))
        if len(deferred) > 1:
            handle(number, frame)
        on_signal()

    def handle(number: int, frame: Any) -> None:
        handler = handlers[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    try:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, defer)
        yield
    finally:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, handler)
        if len(deferred) == 1:
            handle(*deferred[0])
