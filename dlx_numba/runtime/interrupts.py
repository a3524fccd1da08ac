"""Driving kernels in slices, so that Ctrl-C, a time limit and other threads get their turn.

A kernel holds neither the GIL nor a clock: it runs until its budget is used up, and Python looks
around before it calls it again.
"""

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

# Updates of a slice: 10 to 80 ms, by the size of the problem. A call costs some µs.
SLICE = 1 << 22

MOST_THREADS = 256  # more than there are processors only take turns


class Stop:
    """Whether a run is to end before it is done: called off, or out of time.

    >>> Stop()(), Stop(seconds=0)()
    (False, True)
    """

    def __init__(self, seconds: float | None = None) -> None:
        self.deadline = None if seconds is None else time.monotonic() + seconds
        self.is_called_off = False

    def call_off(self) -> None:
        self.is_called_off = True

    def left(self) -> float:
        """The seconds that are left."""
        return math.inf if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def __call__(self) -> bool:
        if self.deadline is not None and time.monotonic() >= self.deadline:
            return True
        return self.is_called_off


@contextmanager
def held_signals(noticed: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C, and SIGTERM where Python handles it, wait for the end of the block.

    Else one that comes while a kernel runs would be raised before what the kernel found is taken.
    `noticed` is called at once: the block should end soon after. A second signal is not held, for
    the block may wait for something that does not come. In another thread than the main one,
    which alone gets signals, nothing is held.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    held: list[tuple[int, Any]] = []

    def note(number: int, frame: Any) -> None:
        held.append((number, frame))
        if len(held) > 1:
            handle(number, frame)
        noticed()

    def handle(number: int, frame: Any) -> None:
        handler = handlers[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    try:
        for each, handler in handlers.items():
            if callable(handler):
                signal.signal(each, note)
        yield
    finally:
        for each, handler in handlers.items():
            if callable(handler):
                signal.signal(each, handler)
        if len(held) == 1:
            handle(*held[0])
