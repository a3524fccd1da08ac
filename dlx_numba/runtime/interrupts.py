"""Time limits and requests to stop, for kernels that run in slices.

A kernel releases the GIL and does not read the clock. It runs until its budget is spent; before
Python calls it again, it checks the time limit and whether the run was asked to stop. The library
installs no signal handlers: an exception of the host's handler ends a run like any other.
"""

import math
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from typing import Protocol, TypeVar

from .arguments import check_seconds
from .errors import Stopped

ResultT = TypeVar("ResultT")
Steps = Generator[None, None, ResultT]  # a computation that yields every few milliseconds

# A slice of this size takes 10 to 80 ms, depending on the problem; a call costs some µs.
UPDATES_PER_SLICE = 1 << 22

MAX_THREADS = 256  # larger numbers are reduced to this limit


class StopEvent(Protocol):
    """The interface of the parameter `stop` of public functions, such as `threading.Event`."""

    def is_set(self) -> bool:
        """Return whether the call should end."""


class Stop:
    """A condition that ends a run early: a time limit, a request of the caller, or a cancellation.

    Parameters
    ----------
    seconds : float, optional
        The time limit, counted from now. By default there is none.
    event : StopEvent, optional
        The request of the caller: any object with a method `is_set`.
    request : Stop, optional
        Another condition, whose cancellation also ends the run. Its time limit and its event are
        not checked.

    Raises
    ------
    TypeError, ValueError
        If the time limit is not a number, or is negative, or the event has no method `is_set`.

    Examples
    --------
    >>> Stop()(), Stop(seconds=0)()
    (False, True)
    """

    def __init__(
        self,
        seconds: float | None = None,
        event: StopEvent | None = None,
        request: "Stop | None" = None,
    ) -> None:
        if event is not None and not callable(getattr(event, "is_set", None)):
            raise TypeError(
                f"stop must have a method is_set, such as threading.Event, not {event!r}"
            )
        self.deadline: float | None = None
        if seconds is not None:
            self.set_limit(seconds)
        self.event = event
        self.request = request
        self.is_canceled = False

    def set_limit(self, seconds: float | None) -> None:
        """Set the time limit, counted from now; None for no limit. Raises ValueError if invalid."""
        seconds = check_seconds(seconds)
        self.deadline = None if seconds is None else time.monotonic() + seconds

    def cancel(self) -> None:
        """End the run as soon as possible."""
        self.is_canceled = True

    def is_set(self) -> bool:
        """Return whether the run must end, so that another run can use this object as its event."""
        return self()

    @property
    def can_occur(self) -> bool:
        """Whether anything may end the run."""
        causes = self.deadline, self.event, self.request
        return self.is_canceled or any(cause is not None for cause in causes)

    def seconds_left(self) -> float:
        """Return the time until the time limit in seconds; infinity if there is no limit."""
        return math.inf if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def __call__(self) -> bool:
        """Return whether the run must end. Once this is True, it stays True."""
        if not self.is_canceled and (
            (self.event is not None and self.event.is_set())
            or (self.request is not None and self.request.is_canceled)
            or (self.deadline is not None and time.monotonic() >= self.deadline)
        ):
            self.is_canceled = True
        return self.is_canceled


def complete(
    steps: Steps[ResultT], stop: Callable[[], bool], end: str = "the result was complete"
) -> ResultT:
    """Return the result of a computation. Raises Stopped if it is stopped.

    Then another call continues it. The message says before which `end` it was stopped.
    """
    while not stop():
        try:
            next(steps)
        except StopIteration as last:
            return last.value
    raise Stopped(f"stopped before {end}")


def unless_stopped(steps: Steps[ResultT], stop: Callable[[], bool]) -> ResultT | None:
    """Return the result of a computation as `complete` does, or None if it is stopped."""
    with suppress(Stopped):
        return complete(steps, stop)
    return None


def raise_if_stopped(stop: Callable[[], bool], end: str = "the result was complete") -> None:
    """Raise Stopped if a computation must end; the message says before which `end`."""
    if stop():
        raise Stopped(f"stopped before {end}")


def is_from_handler(error: BaseException) -> bool:
    """Return whether a signal handler has raised an error.

    Python passes to a handler the frame that it interrupts, which is also the frame of its caller.
    So a handler is a function of the traceback that has the frame of its caller in a local
    variable, or in a tuple if it takes any arguments.
    """
    trace = error.__traceback__
    while trace is not None:
        caller = trace.tb_frame.f_back
        for value in trace.tb_frame.f_locals.values():
            values = value if isinstance(value, tuple) else (value,)
            if caller is not None and any(each is caller for each in values):
                return True
        trace = trace.tb_next
    return False
