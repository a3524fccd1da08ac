"""A clock of the time that the threads of a process spend on one kind of work."""

import threading
import time


class Clock:
    """The wall time during which at least one thread is within a `with` block of the clock.

    Parameters
    ----------
    seconds
        The time before.

    Examples
    --------
    >>> clock = Clock()
    >>> with clock, clock:
    ...     pass
    >>> 0 < clock.seconds == clock.seconds
    True
    """

    def __init__(self, seconds: float = 0.0) -> None:
        self._lock = threading.Lock()
        self._n_running = 0
        self._start_time = 0.0
        self._total = seconds

    def __reduce__(self) -> tuple[type["Clock"], tuple[float]]:
        return Clock, (self.seconds,)

    def __enter__(self) -> None:
        with self._lock:
            if self._n_running == 0:
                self._start_time = time.perf_counter()
            self._n_running += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._n_running -= 1
            if self._n_running == 0:
                self._total += time.perf_counter() - self._start_time

    @property
    def seconds(self) -> float:
        """The total time so far."""
        with self._lock:
            running = time.perf_counter() - self._start_time if self._n_running else 0.0
            return self._total + running
