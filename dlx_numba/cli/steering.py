"""A search run from the command line: its covers printed, its progress shown, its state saved."""

import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from typing import Any

import typer

from ..cover.exact_cover import Statistics
from ..runtime.interrupts import Stop, deferred_signals
from ..search.checkpoint import CheckpointError
from ..search.search import Search
from .output import safe_output
from .terminal import fail, say, say_statistics

STOPPED = 3  # exit status: stopped before the end
TURN, SHORTEST = 0.2, 0.01  # seconds from one look around to the next; at least
HANDFUL = 500  # covers that are printed from one look to the next


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
            with deferred_signals(self.stop.cancel), safe_output():
                self._save(is_sure=True)
                self._run(write)
                self._show(None)
                self._save(is_sure=True)
                if write is None:
                    typer.echo(self._solutions())
        except KeyboardInterrupt:
            pass  # it has been heeded
        for each in (signal.SIGINT, signal.SIGTERM):  # all that is left to do is to tell
            signal.signal(each, signal.SIG_IGN)
        done = search.progress
        elapsed = time.perf_counter() - begin
        if not done.done and not self._has_enough():
            say(f"Stopped before the end: {done} ({elapsed:.2f} s).")
            return STOPPED
        _, nodes, updates = search.counters()
        say_statistics(Statistics(self._solutions(), nodes, updates), elapsed)
        return 0 if done.solutions else 1

    def _run(self, write: Callable[[list[int]], str] | None) -> None:
        search = self.search
        saved = time.monotonic()
        while not (search.done or self.stop() or self._has_enough()):
            left = None if self.limit is None else self.limit - search.solutions
            turn = min(TURN, max(self.every, SHORTEST) if self.checkpoint else TURN)
            how = partial(search.run if write else search.count, solutions=left)
            found = self._advance(how, min(turn, self.stop.seconds_left()))
            if write is not None:
                self._print(found, write)
            if self.is_terminal:
                self._show(str(search.progress))
            if time.monotonic() - saved >= self.every:
                self._save()
                saved = time.monotonic()

    def _advance(self, how: Callable[..., Any], seconds: float) -> Any:
        """Run for so long. Where an executor breaks down, the search is stopped."""
        if self.executor is None:
            return how(seconds, threads=self.threads)
        try:
            return how(seconds, executor=self.executor)
        except Exception as error:  # whatever an executor raises when its workers are gone
            say(f"error: a task brought no result: {error!r}")
            self.stop.cancel()
            return []

    def _print(self, found: list[list[int]], write: Callable[[list[int]], str]) -> None:
        """Print covers. What is not printed when the search is stopped is there to be saved."""
        self._show(None)
        for begin in range(0, len(found), HANDFUL):
            if self.stop():
                self.search.push_back(found[begin:])
                return
            handful = found[begin : begin + HANDFUL]
            sys.stdout.writelines(write(options) + "\n" for options in handful)

    def _solutions(self) -> int:
        """How many there are; several threads may have counted some more than were asked for."""
        found = self.search.solutions
        return found if self.limit is None else min(found, self.limit)

    def _has_enough(self) -> bool:
        return self.limit is not None and self.search.solutions >= self.limit

    def _save(self, is_sure: bool = False) -> None:
        """Save the search, after all that it has told was written."""
        if self.checkpoint is None:
            return
        sys.stdout.flush()
        try:
            self.search.save(self.checkpoint)
        except (CheckpointError, OSError) as error:
            reason = f"{self.checkpoint}: {getattr(error, 'strerror', None) or error}"
            if is_sure:
                raise fail(reason) from None
            say(f"error: {reason}; the search goes on")  # there may be room again later

    def _show(self, text: str | None) -> None:
        """Let the text stand on the last line of a terminal, in place of what stood there."""
        if self.is_terminal:
            width = os.get_terminal_size(sys.stderr.fileno()).columns - 1
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


def check_target(path: str) -> None:
    """Fail where saving a new search would overwrite something else, or a search not yet done."""
    if not os.path.exists(path):
        folder = os.path.dirname(path) or "."
        if not os.path.isdir(folder):
            raise fail(f"{path}: there is no folder {folder}")
        return
    if not os.path.isfile(path):
        raise fail(f"{path}: no regular file")
    try:
        saved = Search.load(path)
    except CheckpointError as error:
        raise fail(f"{error}; it is not overwritten") from None
    except OSError as error:
        raise fail(f"{path}: {error.strerror}") from None
    if not saved.done:
        raise fail(f"{path}: a search is saved there: go on with it by --resume, or remove it")


def describe_estimate(search: Search, samples: int) -> str:
    """How large the search is likely to be, and how long it would take at the present speed."""
    estimate = search.estimate(samples)
    search.count(updates=1)  # which compiles, where that is still to be done
    begun = search.progress
    search.count(TURN)
    lines = [f"Estimated from {samples:,} random paths, with the standard error:"]
    for name in ("solutions", "nodes", "updates"):
        mean, error = getattr(estimate, name), getattr(estimate, f"{name}_error")
        lines.append(f"{name:>9} {mean:15,.0f} ± {error:,.0f}")
    updates, seconds = search.progress.updates, search.progress.seconds
    if updates > begun.updates:
        speed = (updates - begun.updates) / (seconds - begun.seconds)
        lines.append(f"at {speed / 1e6:,.0f} M updates a second, {estimate.updates / speed:,.1f} s")
    return "\n".join(lines)
