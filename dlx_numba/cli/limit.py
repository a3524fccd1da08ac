"""The time limits of commands."""

import time
from collections.abc import Callable

from ..runtime import signals
from ..runtime.errors import Stopped
from ..runtime.interrupts import ResultT, Stop
from ..runtime.monitoring import loading_clock, working_time
from ..runtime.workers import call_until

# After a time limit, something small can still be read, encoded or drawn. The time is longer if the
# process is idle, or gets little time under load.
EXTRA_SECONDS = 0.1
MAX_EXTRA_SECONDS = 1.0

INPUT_END = "the input was read"
OUTPUT_END = "the output was complete"


class TimeLimit(Stop):
    """The time limit of a command, also for work that does not ask whether to stop."""

    def __init__(self, seconds: float | None = None) -> None:
        super().__init__(seconds)
        self.text = "" if seconds is None else f"{seconds:g} s"

    def call(self, function: Callable[[], ResultT], end: str = "the problem was ready") -> ResultT:
        """Return the result of a function that reads, encodes or draws something.

        Raises Stopped if the time limit ends the call, with a message that the call was stopped
        before `end`; its thread goes on until the process ends. The time to load and compile
        kernels does not count, neither here nor for later calls.
        """
        if self.deadline is None:
            return function()
        end_time = working_time() + self.seconds_left()
        start_work = time.process_time()

        def is_late() -> bool:
            is_idle = time.process_time() - start_work < EXTRA_SECONDS
            extra_seconds = MAX_EXTRA_SECONDS if is_idle else EXTRA_SECONDS
            return working_time() > end_time + extra_seconds

        loading_seconds = loading_clock.seconds
        task = call_until(function, is_late)
        if not task.has_ended:
            signals.abandon()
            raise Stopped(f"stopped before {end}")
        self.deadline += loading_clock.seconds - loading_seconds
        return task.result()
