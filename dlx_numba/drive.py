"""Driving kernels in slices, so that Ctrl-C, a time limit and other threads get their turn.

A kernel holds neither the GIL nor a clock: it runs until its budget is used up, and Python looks
around before it calls it again.
"""

import threading
import time

# Updates of a slice: 10 to 80 ms, by the size of the problem. A call costs some µs.
SLICE = 1 << 22


class Stop:
    """Whether a run is to end before it is done: called off, or out of time.

    >>> Stop()(), Stop(seconds=0)()
    (False, True)
    """

    def __init__(self, seconds: float | None = None) -> None:
        self.deadline = None if seconds is None else time.monotonic() + seconds
        self.called_off = threading.Event()

    def __call__(self) -> bool:
        if self.deadline is not None and time.monotonic() >= self.deadline:
            return True
        return self.called_off.is_set()
