"""Monitoring of kernels: when they are compiled, and how much time that takes."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .clock import Clock
from .display import ProgressDisplay
from .log import logger

SECONDS_UNTIL_DISPLAY = 2.0  # of compiling, in total


loading_clock = Clock()  # of loading machine code, or compiling it
compile_clock = Clock()


def working_time() -> float:
    """Return the time of a clock in seconds that stands still while kernels are being loaded."""
    return time.perf_counter() - loading_clock.seconds


_watchers: list[Callable[[str], None]] = []


@contextmanager
def watch_compilation(started: Callable[[str], None]) -> Iterator[None]:
    """Call `started(name)` before each kernel that is compiled within the block.

    Kernels that are loaded from a library are not reported.
    """
    _watchers.append(started)
    try:
        yield
    finally:
        _watchers.remove(started)


@contextmanager
def compilation(name: str, is_stored: bool) -> Iterator[None]:
    """Report that a kernel is being compiled within the block, and perhaps stored.

    On a terminal, a line is displayed if compiling takes long, also for programs that use the
    library.
    """
    for started in _watchers:
        started(name)
    text = f"compiling {name}, on first use only" if is_stored else f"compiling {name}"
    if not _watchers:
        logger.info(text)
    delay = max(0.0, SECONDS_UNTIL_DISPLAY - compile_clock.seconds)  # kernels before it count, too
    display = ProgressDisplay(is_shown=not ProgressDisplay.is_in_use(), delay=delay)
    with compile_clock, display:
        display.update(text)
        yield
