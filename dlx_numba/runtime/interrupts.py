"""Time limits, cancellation and signals for kernels that run in slices.

A kernel releases the GIL and does not read the clock. It runs until its budget is spent; before
Python calls it again, it checks for Ctrl-C, the time limit and other threads.
"""

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .arguments import check_seconds

# A slice of this size takes 10 to 80 ms, depending on the problem; a call costs some µs.
UPDATES_PER_SLICE = 1 << 22

MAX_THREADS = 256  # larger numbers are reduced to this limit


class Stop:
    """A condition that ends a run early: a cancellation or a time limit.

    Parameters
    ----------
    seconds : float, optional
        The time limit, counted from now. By default there is none.

    Raises
    ------
    TypeError, ValueError
        If the time limit is not a number, or is negative.

    Examples
    --------
    >>> Stop()(), Stop(seconds=0)()
    (False, True)
    """

    def __init__(self, seconds: float | None = None) -> None:
        self.set_limit(seconds)
        self.is_canceled = False

    def set_limit(self, seconds: float | None) -> None:
        """Set the time limit, counted from now; None for no limit. Raises ValueError if invalid."""
        seconds = check_seconds(seconds)
        self.deadline = None if seconds is None else time.monotonic() + seconds

    def cancel(self) -> None:
        """End the run as soon as possible."""
        self.is_canceled = True

    def seconds_left(self) -> float:
        """Return the time until the time limit in seconds; infinity if there is no limit."""
        return math.inf if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def __call__(self) -> bool:
        """Return whether the run must end."""
        if self.deadline is not None and time.monotonic() >= self.deadline:
            return True
        return self.is_canceled


@contextmanager
def deferred_signals(on_signal: Callable[[], None]) -> Iterator[None]:
    """Defer SIGINT, and SIGTERM if Python handles it, until the block ends.

    Otherwise, the exception for a signal that arrives while a kernel runs would be raised before
    the results of the kernel are stored. A second signal is not deferred, because the block may be
    waiting for an event that never happens. Only the main thread receives signals; in any other
    thread, this does nothing.

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
