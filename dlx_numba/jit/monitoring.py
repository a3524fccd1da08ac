"""Monitoring of kernels: when they are compiled, and how much time that takes."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ..runtime.display import ProgressDisplay

SECONDS_UNTIL_DISPLAY = 2.0  # of compiling, in total


class Clock:
    """The wall time during which at least one thread is within a block of code."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._n_running, self._start_time, self._total = 0, 0.0, 0.0

    def start(self) -> None:
        """Report that a thread enters the block."""
        with self._lock:
            if self._n_running == 0:
                self._start_time = time.perf_counter()
            self._n_running += 1

    def stop(self) -> None:
        """Report that a thread leaves the block."""
        with self._lock:
            self._n_running -= 1
            if self._n_running == 0:
                self._total += time.perf_counter() - self._start_time

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time of a `with` block."""
        self.start()
        try:
            yield
        finally:
            self.stop()

    @property
    def seconds(self) -> float:
        """The total time so far."""
        with self._lock:
            running = time.perf_counter() - self._start_time if self._n_running else 0.0
            return self._total + running


class KernelTimes(NamedTuple):
    """The time that a process has spent on preparing kernels, in seconds."""

    loading: float  # loading machine code from the cache, or compiling
    compiling: float


loading_clock, compile_clock = Clock(), Clock()


def kernel_times() -> KernelTimes:
    """Return the time that this process has spent on loading and compiling kernels so far."""
    return KernelTimes(loading_clock.seconds, compile_clock.seconds)


def working_time() -> float:
    """Return the time of a clock in seconds that stands still while kernels are being loaded."""
    return time.perf_counter() - loading_clock.seconds


class _Watcher(NamedTuple):
    """The functions of a `watch_compilation`."""

    started: Callable[[str], None]
    ended: Callable[[str, float], None]


_watchers: list[_Watcher] = []


@contextmanager
def watch_compilation(
    started: Callable[[str], None], ended: Callable[[str, float], None] = lambda name, seconds: None
) -> Iterator[None]:
    """Report each kernel that is compiled within the block. Cached kernels are not reported.

    Parameters
    ----------
    started : callable
        Called as `started(name)` before a kernel is compiled.
    ended : callable, optional
        Called as `ended(name, seconds)` afterwards.
    """
    watcher = _Watcher(started, ended)
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


@contextmanager
def compilation(name: str) -> Iterator[None]:
    """Report that a kernel is being compiled within the block.

    On a terminal, a line is displayed if compiling takes long, also for programs that use the
    library.
    """
    watchers, start_time = list(_watchers), time.perf_counter()
    for watcher in watchers:
        watcher.started(name)
    delay = max(0.0, SECONDS_UNTIL_DISPLAY - compile_clock.seconds)
    display = ProgressDisplay(is_shown=not ProgressDisplay.is_in_use(), delay=delay)
    with compile_clock.running(), display:
        display.update(f"compiling {name}, on first use only")
        yield
    for watcher in watchers:
        watcher.ended(name, time.perf_counter() - start_time)
