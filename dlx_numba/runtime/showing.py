"""Show the progress of a call as a bar on a terminal or in a notebook, or by a function."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from typing import Any

from .display import ProgressDisplay, status_line
from .text import plural

# Whether to show a bar, or a function of the completed fraction (None if unknown) and a text
Display = bool | Callable[[float | None, str], object]
SECONDS_PER_REPORT = 0.1
NOTEBOOK_WIDTH = 100  # columns


def check_display(progress: Display) -> None:
    """Raise TypeError unless progress can be shown so."""
    if not isinstance(progress, bool) and not callable(progress):
        raise TypeError(f"progress must be True, False or a function, not {progress!r}")


_HIDING = nullcontext()


def showing(
    progress: Display, describe: Callable[[], tuple[float | None, str]]
) -> AbstractContextManager[None]:
    """Show the progress that `describe` returns, from another thread, and once after the block.

    If `progress` is a function that raises an exception, the thread stops calling it. The last call
    comes from the calling thread, so it raises the exception there.
    """
    return _HIDING if progress is False else _showing(progress, describe)


@contextmanager
def _showing(progress: Any, describe: Callable[[], tuple[float | None, str]]) -> Iterator[None]:
    """Show the progress during a block, about which a thread asks `describe` regularly."""
    check_display(progress)
    display = ProgressDisplay(1)
    update: Callable[[float | None, str], object]
    if progress is not True:
        update = progress
    elif "ipykernel" in sys.modules:
        update = _notebook_bar()
    else:
        update = lambda fraction, text: display.update(text, fraction)  # noqa: E731
    is_over = threading.Event()

    def report() -> None:
        while not is_over.wait(SECONDS_PER_REPORT):
            try:
                update(*describe())
            except Exception:  # the call after the block raises it
                return

    with display:
        thread = threading.Thread(target=report, daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()
            update(*describe())


def counting(
    progress: Display, count_done: Callable[[], int], n_all: int, noun: str
) -> AbstractContextManager[None]:
    """Show how many of `n_all` tasks are done, as `showing` does."""

    def describe() -> tuple[float, str]:
        n_done = count_done()
        return n_done / max(n_all, 1), f"{n_done:,} of {plural(n_all, noun)}"

    return showing(progress, describe)


def _notebook_bar() -> Callable[[float | None, str], object]:
    """Display a bar in a notebook, and return the function that updates it.

    Notebooks show a line of Rich as HTML. Its own displays would need ipywidgets.
    """
    ipython: Any = import_module("IPython.display")  # which notebooks have

    begin = time.monotonic()

    def line(fraction: float | None, text: str) -> object:
        return status_line(time.monotonic() - begin, text, NOTEBOOK_WIDTH, fraction)

    handle = ipython.display(line(None, ""), display_id=True)
    return lambda fraction, text: handle.update(line(fraction, text))
