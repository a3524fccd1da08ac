"""A search run from the command line: its covers printed, its progress shown, its state saved."""

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from typing import Any

import typer

from ..drive import Stop, held_signals
from ..exact_cover import Statistics
from ..search.checkpoint import CheckpointError
from ..search.steered import Search
from .output import safe_output
from .terminal import fail, say, say_statistics

STOPPED = 3  # exit status: stopped before the end
TURN = 0.2  # seconds from one look around to the next


class Steering:
    """How a search is run: `steer` does it."""

    def __init__(
        self,
        search: Search,
        limit: int | None,
        seconds: float | None,
        threads: int,
        executor: Executor | None,
        checkpoint: str | None,
        every: float,
    ) -> None:
        self.search, self.limit, self.stop = search, limit, Stop(seconds)
        self.threads, self.executor = threads, executor
        self.checkpoint, self.every = checkpoint, every
        self.is_terminal = sys.stderr.isatty()

    def steer(self, write: Callable[[list[int]], str] | None) -> int:
        """Run the search, print each cover as `write` has it, or else their number at the end.

        Returns the exit status. Ctrl-C and SIGTERM stop it as the end of its time does.
        """
        search = self.search
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        begin = time.perf_counter()
        try:
            with held_signals(self.stop.called_off.set), safe_output():
                self._save()
                self._run(write)
                self._show(None)
                self._save()
                if write is None:
                    typer.echo(search.solutions)
        except KeyboardInterrupt:
            pass  # it has been heeded
        done = search.progress
        elapsed = time.perf_counter() - begin
        if not done.done and not self._has_enough():
            say(f"Stopped before the end: {done} ({elapsed:.2f} s).")
            return STOPPED
        say_statistics(Statistics(*search.counters()), elapsed)
        return 0 if done.solutions else 1

    def _run(self, write: Callable[[list[int]], str] | None) -> None:
        search = self.search
        saved = time.monotonic()
        while not (search.done or self.stop() or self._has_enough()):
            left = None if self.limit is None else self.limit - search.solutions
            turn = min(TURN, self.stop.left(), self.every if self.checkpoint else TURN)
            how = partial(search.run if write else search.count, turn, solutions=left)
            found: Any = how(threads=self.threads) if self.executor is None else self._send(how)
            if write is not None:
                self._show(None)
                sys.stdout.writelines(write(options) + "\n" for options in found)
            if self.is_terminal:
                self._show(str(search.progress))
            if time.monotonic() - saved >= self.every:
                self._save()
                saved = time.monotonic()

    def _send(self, how: Callable[..., Any]) -> Any:
        """Run on the executor. Where that breaks down, what was reached is saved."""
        try:
            return how(executor=self.executor)
        except Exception as error:  # whatever an executor raises when its workers are gone
            self._save()
            raise fail(f"a task brought no result: {error!r}") from error

    def _has_enough(self) -> bool:
        return self.limit is not None and self.search.solutions >= self.limit

    def _save(self) -> None:
        """Save the search, after all that it has told was written."""
        if self.checkpoint is not None:
            sys.stdout.flush()
            try:
                self.search.save(self.checkpoint)
            except OSError as error:
                raise fail(f"{self.checkpoint}: {error.strerror}") from None

    def _show(self, text: str | None) -> None:
        """Let the text stand on the last line of a terminal, in place of what stood there."""
        if self.is_terminal:
            width = shutil.get_terminal_size().columns - 1
            sys.stderr.write(f"\r\x1b[2K{(text or '')[:width]}")
            sys.stderr.flush()


def load_saved(path: str, search: Search | None = None) -> Search | None:
    """The search saved there, None where there is none; fails where it is not that `search`."""
    if not os.path.exists(path):
        say(f"({path}: nothing is saved yet; the search begins)")
        return None
    try:
        return Search.load(path, search)
    except CheckpointError as error:
        raise fail(str(error)) from None
    except OSError as error:
        raise fail(f"{path}: {error.strerror}") from None


def describe_estimate(search: Search, samples: int) -> str:
    """How large the search is likely to be, and how long it would take at the present speed."""
    estimate = search.estimate(samples)
    search.count(TURN)
    lines = [f"Estimated from {samples:,} random paths, with the standard error:"]
    for name in ("solutions", "nodes", "updates"):
        mean, error = getattr(estimate, name), getattr(estimate, f"{name}_error")
        lines.append(f"{name:>9} {mean:15,.0f} ± {error:,.0f}")
    speed = search.progress.updates_per_second
    if speed:
        lines.append(f"at {speed / 1e6:,.0f} M updates a second, {estimate.updates / speed:,.1f} s")
    return "\n".join(lines)
