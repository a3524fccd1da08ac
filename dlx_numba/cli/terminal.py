"""Messages on standard error, exit statuses, and the progress display."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING

import typer

from ..jit.compile import watch_compilation
from ..runtime.text import plural

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

    from ..cover.exact_cover import Statistics

BAR_WIDTH = 20  # columns


class ExitStatus(IntEnum):
    """The exit statuses of the commands."""

    SUCCESS = 0
    NOT_SOLVED = 1  # no solution, or not every puzzle is solved
    USAGE = 2  # usage error, or unreadable input
    STOPPED = 3  # a search was stopped before its end
    INTERRUPTED = 130


def report(text: str) -> None:
    """Print a line to standard error."""
    typer.echo(text, err=True)


def report_statistics(statistics: "Statistics", seconds: float) -> None:
    """Print the totals of a search, in the words of Knuth's programs."""
    solutions = plural(statistics.solutions, "solution")
    work = f"{statistics.updates:,} updates, {statistics.nodes:,} nodes"
    report(f"Altogether {solutions}, {work} ({seconds:.2f} s).")


def fail(text: str) -> typer.Exit:
    """Report an error, and return the exception that ends the command with status 2."""
    report(f"error: {text}")
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
        report("interrupted")
        raise typer.Exit(ExitStatus.INTERRUPTED) from None


def compile_notice() -> AbstractContextManager[None]:
    """Report, at most once per process, that kernels are being compiled."""
    return watch_compilation(lambda name: _report_compilation())


@cache
def _report_compilation() -> None:
    report("Compiling the kernels (on first use only; this takes a few seconds) ...")


class ProgressDisplay:
    """A status line on the terminal, with a progress bar if `has_bar`.

    Nothing is displayed unless standard error is a terminal. Lines written to standard error
    appear above the display; call `clear_for_stdout` before writing to standard output.

    Parameters
    ----------
    total
        The value of `completed` at the end; None if it is not known.
    has_bar
        Whether to display a bar, the percentage and the remaining time.
    """

    def __init__(self, total: float | None = None, *, has_bar: bool = True) -> None:
        self._progress = _rich_progress(has_bar) if sys.stderr.isatty() else None
        if self._progress is not None:
            self._task = self._progress.add_task("", total=total)
        self._shares_terminal = sys.stdout is not None and sys.stdout.isatty()

    def __enter__(self) -> "ProgressDisplay":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def update(self, text: str, completed: float = 0) -> None:
        """Display a text, cut to the width of the terminal, and the work completed so far."""
        if self._progress is not None:
            self._progress.update(self._task, completed=completed, description=text)
            self._progress.start()

    def clear_for_stdout(self) -> None:
        """Remove the display until its next update if standard output is a terminal, too."""
        if self._shares_terminal:
            self.close()

    def close(self) -> None:
        """Remove the display until its next update."""
        if self._progress is not None:
            self._progress.stop()


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
    columns: list[ProgressColumn] = [TextColumn("{task.description}", markup=False)]
    if has_bar:
        columns = [BarColumn(BAR_WIDTH), TaskProgressColumn(), *columns, TimeRemainingColumn()]
    # Rich would otherwise send standard output to the console, which is on standard error.
    return Progress(*columns, console=console, transient=True, redirect_stdout=False)
