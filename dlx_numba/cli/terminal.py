"""Messages on standard error, exit statuses, and the progress display."""

import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import typer

from ..jit.monitoring import kernel_times, watch_compilation
from ..runtime.text import plural

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

BAR_WIDTH = 20  # columns
INTERRUPT_WIDTH = 3  # columns for ^C, which a full line would push to the next one
SECONDS_UNTIL_DISPLAY = 0.5
MIN_RATE_SECONDS, MIN_RATE_COUNT = 0.1, 10  # smaller figures do not give a meaningful rate


class ExitStatus(IntEnum):
    """The exit statuses of the commands."""

    SUCCESS = 0
    NOT_SOLVED = 1  # no solution, or not every puzzle is solved
    USAGE = 2  # usage error, or unreadable input
    STOPPED = 3  # a search was stopped before its end
    INTERRUPTED = 130


_is_quiet = False


def set_quiet(is_quiet: bool) -> bool:
    """Set whether `report` discards its messages; the callback of `--quiet`."""
    global _is_quiet
    _is_quiet = is_quiet
    return is_quiet


def report(text: str) -> None:
    """Print a line to standard error in place of the progress display, unless `--quiet` is set."""
    if not _is_quiet:
        _print_message(text)


def report_error(text: str) -> None:
    """Print an error to standard error."""
    _print_message(f"error: {text}")


def _print_message(text: str) -> None:
    ProgressDisplay.clear_for_message()
    typer.echo(text, err=True)


class Stopwatch:
    """The time since its creation, without the time for loading and compiling kernels."""

    def __init__(self) -> None:
        self._start, self._start_times = time.perf_counter(), kernel_times()

    @property
    def seconds(self) -> float:
        """The time so far."""
        loading = kernel_times().loading - self._start_times.loading
        return max(0.0, time.perf_counter() - self._start - loading)

    def describe(self, count: int = 0) -> str:
        """Return the time, the rate for `count` if meaningful, and the time of compilation."""
        seconds = self.seconds
        text = f"{seconds:.2f} s"
        if seconds >= MIN_RATE_SECONDS and count >= MIN_RATE_COUNT:
            rate = count / seconds
            text += f", {rate:,.0f} per second" if rate >= 10 else f", {rate:.1f} per second"
        compiling = kernel_times().compiling - self._start_times.compiling
        return f"{text}, and {compiling:.1f} s to compile" if compiling else text


def describe_work(nodes: int, updates: int) -> str:
    """Return the work of a search, in the words of Knuth's programs."""
    return f"{updates:,} updates, {nodes:,} nodes"


def report_total(n_solutions: int, work: str, stopwatch: Stopwatch) -> ExitStatus:
    """Print the number of solutions and the work, and return the exit status."""
    report(f"Altogether {plural(n_solutions, 'solution')}, {work} ({stopwatch.describe()}).")
    return ExitStatus.SUCCESS if n_solutions else ExitStatus.NOT_SOLVED


def fail(text: str) -> typer.Exit:
    """Report an error, and return the exception that ends the command with status 2."""
    report_error(text)
    return typer.Exit(ExitStatus.USAGE)


def report_warnings() -> None:
    """Report all further warnings as messages of one line."""
    warnings.showwarning = lambda message, *details: report(f"warning: {message}")


@contextmanager
def interruptible() -> Iterator[None]:
    """End the command with status 130 on Ctrl-C or SIGTERM."""
    try:
        yield
    except KeyboardInterrupt:
        _print_message("interrupted")
        raise typer.Exit(ExitStatus.INTERRUPTED) from None


def compile_notice() -> AbstractContextManager[None]:
    """Report, at most once per process, that kernels are being compiled."""
    return watch_compilation(lambda name: _report_compilation())


@cache
def _report_compilation() -> None:
    report("Compiling the kernels (on first use only; this takes a few seconds) ...")


class ProgressDisplay:
    """A status line on the terminal, with a progress bar if `has_bar`.

    Nothing is displayed unless standard error is a terminal. The display appears after
    `SECONDS_UNTIL_DISPLAY`, so short runs do not flicker. `report` removes it before it prints;
    call `clear_for_stdout` before writing to standard output. It returns at the next update.

    Parameters
    ----------
    total
        The value of `completed` at the end; None if it is not known.
    has_bar
        Whether to display a bar, the percentage and the remaining time.
    is_shown
        Whether to display anything.
    """

    _current: ClassVar["ProgressDisplay | None"] = None

    def __init__(
        self, total: float | None = None, *, has_bar: bool = True, is_shown: bool = True
    ) -> None:
        self._total, self._has_bar = total, has_bar
        self._is_shown = is_shown and sys.stderr.isatty()
        self._shares_terminal = sys.stdout is not None and sys.stdout.isatty()
        self._lock = threading.RLock()
        self._text, self._completed = "", 0.0
        self._live: tuple[RichProgress, TaskID] | None = None  # created when it first appears
        self._is_visible = self._is_paused = False
        self._appears_at = 0.0
        self._timer: threading.Timer | None = None

    def __enter__(self) -> "ProgressDisplay":
        if self._is_shown:
            ProgressDisplay._current = self
            self._appears_at = time.monotonic() + SECONDS_UNTIL_DISPLAY
            self._start_timer()
        return self

    def __exit__(self, *exception: object) -> None:
        self._is_shown = False
        if ProgressDisplay._current is self:
            ProgressDisplay._current = None
        if self._timer is not None:
            self._timer.cancel()
        self._hide()

    @classmethod
    def clear_for_message(cls, seconds: float = 0) -> None:
        """Remove the display before a message, and for at least some seconds.

        It returns when no message follows.
        """
        if cls._current is not None:
            with cls._current._lock:
                cls._current._hide()
                appears_at = max(cls._current._appears_at, time.monotonic() + seconds)
                cls._current._appears_at = appears_at
                cls._current._start_timer()  # unless an update comes earlier

    def update(self, text: str, completed: float = 0) -> None:
        """Display a text, cut to the width of the terminal, and the work completed so far."""
        if not self._is_shown:
            return
        with self._lock:
            self._text, self._completed = text, completed
            self._is_paused = False
            if time.monotonic() >= self._appears_at:
                self._show()

    def clear_for_stdout(self) -> None:
        """Remove the display until its next update if standard output is a terminal, too."""
        if self._shares_terminal:
            self.close()

    def close(self) -> None:
        """Remove the display until its next update."""
        with self._lock:
            self._is_paused = True
            self._hide()

    def _hide(self) -> None:
        with self._lock:
            if self._live is not None and self._is_visible:
                self._is_visible = False
                self._live[0].stop()

    def _start_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(SECONDS_UNTIL_DISPLAY, self._show)
        self._timer.daemon = True
        self._timer.start()

    def _show(self) -> None:
        with self._lock:
            if not self._is_shown or self._is_paused:
                return
            if self._live is None:
                progress = _rich_progress(self._has_bar)
                if progress is None:
                    self._is_shown = False
                    return
                self._live = progress, progress.add_task("", total=self._total)
            progress, task = self._live
            progress.update(task, completed=self._completed, description=self._text)
            if not self._is_visible:
                self._is_visible = True
                progress.start()


def _rich_progress(has_bar: bool) -> "RichProgress | None":
    """Return the display on standard error, or None if that terminal cannot move its cursor."""
    # Imported here because importing Rich is slow.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    if not console.is_interactive:
        return None
    console.width -= INTERRUPT_WIDTH
    columns: list[ProgressColumn] = [TextColumn("{task.description}", markup=False)]
    if has_bar:
        columns = [BarColumn(BAR_WIDTH), TaskProgressColumn(), *columns, TimeRemainingColumn()]
    # Rich would otherwise send standard output to the console, which is on standard error.
    return Progress(*columns, console=console, transient=True, redirect_stdout=False)
