"""The progress display on a terminal."""

import sys
import threading
import time
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from rich.progress import Progress

BAR_WIDTH = 20  # columns
INTERRUPT_WIDTH = 3  # columns for ^C, which a full line would push to the next one
SECONDS_UNTIL_DISPLAY = 0.5


class ProgressDisplay:
    """A status line on the terminal, with a progress bar if `has_bar`.

    Nothing is displayed unless standard error is a terminal. The display appears after `delay`
    seconds, so short runs do not flicker. `report` removes it before it prints;
    call `clear_for_stdout` before writing to standard output. It returns at the next update.

    Parameters
    ----------
    total
        The value of `completed` at the end; None if it is not known.
    has_bar
        Whether to display a bar, the percentage and the remaining time.
    is_shown
        Whether to display anything.
    delay
        The seconds after which the display appears.
    """

    _current: ClassVar["ProgressDisplay | None"] = None

    def __init__(
        self,
        total: float | None = None,
        *,
        has_bar: bool = True,
        is_shown: bool = True,
        delay: float = SECONDS_UNTIL_DISPLAY,
    ) -> None:
        self._total, self._has_bar, self._delay = total, has_bar, delay
        self._is_shown = is_shown and sys.stderr is not None and sys.stderr.isatty()
        self._shares_terminal = sys.stdout is not None and sys.stdout.isatty()
        self._lock = threading.RLock()
        self._text, self._completed = "", 0.0
        self._live: Progress | None = None  # created when it first appears
        self._is_paused, self._appears_at = False, 0.0
        self._timer: threading.Timer | None = None

    @classmethod
    def is_in_use(cls) -> bool:
        """Return whether there is a display."""
        return cls._current is not None

    def __enter__(self) -> "ProgressDisplay":
        if self._is_shown:
            ProgressDisplay._current = self
            self._appears_at = time.monotonic() + self._delay
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
            if self._live is not None:
                self._live.stop()

    def _start_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        seconds = max(SECONDS_UNTIL_DISPLAY, self._appears_at - time.monotonic())
        self._timer = threading.Timer(seconds, self._show)
        self._timer.daemon = True
        self._timer.start()

    def _show(self) -> None:
        with self._lock:
            if not self._is_shown or self._is_paused:
                return
            if self._live is None:
                self._live = _rich_progress(self._has_bar, self._total)
            if self._live is None:
                self._is_shown = False
                return
            self._live.update(
                self._live.task_ids[0], completed=self._completed, description=self._text
            )
            self._live.start()


def _rich_progress(has_bar: bool, total: float | None) -> "Progress | None":
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
    progress = Progress(*columns, console=console, transient=True, redirect_stdout=False)
    progress.add_task("", total=total)
    return progress
