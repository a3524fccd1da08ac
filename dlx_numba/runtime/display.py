"""The progress display on a terminal."""

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from .files import is_terminal
from .text import format_duration

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

MAX_BAR_WIDTH = 20
COLUMNS_PER_BAR_COLUMN = 5  # the bar takes a fifth of a narrow terminal
INTERRUPT_WIDTH = 3  # columns for ^C, which a full line would push to the next one
SECONDS_UNTIL_DISPLAY = 0.5
REFRESHES_PER_SECOND = 10


class ProgressDisplay:
    """A status line on the terminal: the time elapsed, a bar, the time left, and a text.

    Nothing is displayed unless standard error is a terminal. The display appears after `delay`
    seconds, so short runs do not flicker. `report` removes it before it prints;
    call `clear_for_stdout` before writing to standard output. It returns at the next update.

    Parameters
    ----------
    total
        The value of `completed` at the end; None if it is not known, which leaves out the bar.
    start
        The value of `completed` at the start.
    is_shown
        Whether to display anything.
    delay
        The seconds after which the display appears.
    """

    _current: ClassVar["ProgressDisplay | None"] = None
    lock: ClassVar = threading.RLock()  # while held, no other thread changes what is displayed

    def __init__(
        self,
        total: float | None = None,
        *,
        start: float = 0,
        is_shown: bool = True,
        delay: float = SECONDS_UNTIL_DISPLAY,
    ) -> None:
        self._total = total
        self._start = start
        self._delay = delay
        self._is_shown = is_shown and is_terminal(sys.stderr)
        self._shares_terminal = is_terminal(sys.stdout)
        # What `update` sets, and the thread of `_refresh` shows
        self._text = ""
        self._completed: float | None = None
        self._live: Live | None = None  # created when it first appears
        self._is_paused = False  # until the next update
        self._appears_at = 0.0
        self._begin = 0.0
        self._end = threading.Event()  # ends the thread

    @classmethod
    def is_in_use(cls) -> bool:
        """Return whether there is a display."""
        return cls._current is not None

    def __enter__(self) -> "ProgressDisplay":
        if self._is_shown:
            ProgressDisplay._current = self
            self._begin = time.monotonic()
            self._appears_at = self._begin + self._delay
            threading.Thread(target=self._refresh, daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._is_shown = False
        if ProgressDisplay._current is self:
            ProgressDisplay._current = None
        self._end.set()
        self._hide()

    @classmethod
    def clear_for_message(cls) -> None:
        """Remove the display before a message, for a while; hold `lock` until it is printed."""
        if (display := cls._current) is not None:
            display._hide()
            until = time.monotonic() + SECONDS_UNTIL_DISPLAY
            display._appears_at = max(display._appears_at, until)

    def update(self, text: str, completed: float | None = None) -> None:
        """Display a text, cut to the width of the terminal, and the work completed if known."""
        with self.lock:
            self._text = text
            self._completed = completed
            self._is_paused = False

    def clear_for_stdout(self) -> None:
        """Remove the display until its next update if standard output is a terminal, too."""
        if self._shares_terminal:
            self.close()

    def close(self) -> None:
        """Remove the display until its next update."""
        with self.lock:
            self._is_paused = True
            self._hide()

    def _hide(self) -> None:
        with self.lock:
            if self._live is not None:
                self._live.stop()
                _erase_line(self._live)  # Ctrl-C leaves ^C there if the display is not shown

    def _refresh(self) -> None:
        """Show the current status until the end, in a thread."""
        while not self._end.wait(1 / REFRESHES_PER_SECOND):
            with self.lock:
                is_due = self._is_shown and time.monotonic() >= self._appears_at
                if not is_due or self._is_paused:
                    continue
                if self._live is None:
                    self._live = _rich_live(self._line)
                if self._live is None:
                    return
                self._live.start()
                self._live.refresh()

    def _line(self) -> "Text":
        """Return the status line, with a bar if the total and the work completed are known."""
        seconds = time.monotonic() - self._begin
        fraction = None
        start = 0.0
        width = self._live.console.width if self._live else 0  # Rich asks for a line at once
        if self._total and self._completed is not None:
            fraction = self._completed / self._total
            start = self._start / self._total
        return status_line(seconds, self._text, width, fraction, start)


if hasattr(os, "register_at_fork"):  # a child has no copy of the thread that holds the lock
    os.register_at_fork(after_in_child=lambda: setattr(ProgressDisplay, "lock", threading.RLock()))


def status_line(
    seconds: float, text: str, width: int, fraction: float | None, start: float = 0
) -> "Text":
    """Return the time elapsed, a bar, the time left, and a text.

    A line of `width` columns cuts off only its end. The bar grew from the fraction `start`; there
    is none if the fraction is unknown.
    """
    from rich.text import Text

    line = Text(format_duration(seconds), no_wrap=True, overflow="ellipsis")
    if fraction is not None:
        columns = min(MAX_BAR_WIDTH, width // COLUMNS_PER_BAR_COLUMN)
        shown = min(fraction, 1.0)
        n_full = round(columns * shown)
        line.append(" ").append("━" * n_full, "bar.complete")
        line.append("─" * (columns - n_full), "bright_black")
        line.append(f" {100 * shown:.{2 if shown < 0.1 else 1}f} %")
        if fraction > start:
            left = seconds * (1 - fraction) / (fraction - start)
            line.append(f", {format_duration(left)} left")
    return line.append(f", {text}" if text else "")


def _erase_line(live: "Live") -> None:
    """Erase the line of the cursor."""
    from rich.control import Control
    from rich.segment import ControlType

    live.console.control(Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2)))


def _rich_live(render: "Callable[[], Text]") -> "Live | None":
    """Return a display on standard error, or None if that terminal cannot move its cursor."""
    # Imported here because importing Rich is slow.
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    if not console.is_interactive:
        return None
    console.width -= INTERRUPT_WIDTH
    # Rich would otherwise send standard output to the console, which is on standard error.
    return Live(
        get_renderable=render,
        console=console,
        transient=True,
        auto_refresh=False,
        redirect_stdout=False,
    )
