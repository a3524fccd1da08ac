"""Runs of searches from the command line: output, progress, signals and checkpoints."""

import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor

import typer

from ..cover.exact_cover import Statistics
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from ..search.checkpoint import CheckpointError
from ..search.search import Search
from .output import safe_output
from .signals import deferred_signals
from .terminal import (
    ExitStatus,
    ProgressDisplay,
    Stopwatch,
    fail,
    report,
    report_error,
    report_statistics,
)

# The display, the time limit and the checkpoint are updated or checked after each call.
SECONDS_PER_CALL, MIN_SECONDS_PER_CALL = 0.2, 0.01
COVERS_PER_WRITE = 500  # the search can be stopped after each write


class SearchRun:
    """A run of a search; `execute` prints the covers until the search ends or is stopped.

    Parameters
    ----------
    search
        A new search, or one that was saved earlier.
    limit
        Stop when the search has found this many covers, including those of earlier runs.
    seconds
        Stop after this many seconds.
    threads, executor
        The number of threads, and an executor that is used instead of threads.
    checkpoint, checkpoint_seconds
        The file to which the search is saved, and the time between two saves.
    """

    def __init__(
        self,
        search: Search,
        *,
        limit: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        executor: Executor | None = None,
        checkpoint: str | None = None,
        checkpoint_seconds: float = 30.0,
    ) -> None:
        self.search, self.limit, self.stop = search, limit, Stop(seconds)
        self.threads, self.executor = threads, executor
        self.checkpoint, self.checkpoint_seconds = checkpoint, checkpoint_seconds

    def execute(self, format_cover: Callable[[list[int]], str] | None) -> ExitStatus:
        """Run the search and print each cover; without `format_cover`, print only their number.

        Ctrl-C and SIGTERM stop the search in the same way as the time limit does.
        """
        search = self.search
        stopwatch = Stopwatch()
        try:
            with (
                ProgressDisplay(has_bar=False) as display,
                deferred_signals(self._end_soon),
                safe_output(),
            ):
                self._save(is_required=True)
                self._run(format_cover, display)
                display.close()
                self._save(is_required=True)
                if format_cover is None:
                    typer.echo(self._n_covers())
        except KeyboardInterrupt as interrupt:
            if isinstance(interrupt.__context__, typer.Exit):  # the search could not be saved
                raise interrupt.__context__ from None
        for number in (signal.SIGINT, signal.SIGTERM):  # only the report remains to be printed
            signal.signal(number, signal.SIG_IGN)
        progress = search.progress
        if not progress.done and not self._limit_reached():
            report(f"Stopped before the end: {progress} ({stopwatch.describe()}).")
            return ExitStatus.STOPPED
        _, nodes, updates = search.counters()
        report_statistics(Statistics(self._n_covers(), nodes, updates), stopwatch)
        return ExitStatus.SUCCESS if progress.solutions else ExitStatus.NOT_SOLVED

    def _end_soon(self) -> None:
        self.stop.cancel()
        self.search.stop()

    def _run(
        self, format_cover: Callable[[list[int]], str] | None, display: ProgressDisplay
    ) -> None:
        search = self.search
        call_seconds = SECONDS_PER_CALL
        if self.checkpoint is not None:
            call_seconds = min(call_seconds, max(self.checkpoint_seconds, MIN_SECONDS_PER_CALL))
        save_time = time.monotonic()
        while not (search.done or self.stop() or self._limit_reached()):
            seconds = min(call_seconds, self.stop.seconds_left())
            covers = self._advance(seconds, collect=format_cover is not None)
            if covers and format_cover is not None:
                display.clear_for_stdout()
                self._print(covers, format_cover)
            display.update(str(search.progress))
            if time.monotonic() - save_time >= self.checkpoint_seconds:
                self._save()
                save_time = time.monotonic()

    def _advance(self, seconds: float, collect: bool) -> list[list[int]]:
        """Run the search for some seconds. Return the covers found; none unless `collect`."""
        limit = None if self.limit is None else self.limit - self.search.solutions
        try:
            if collect:
                return self.search.run(
                    seconds, solutions=limit, threads=self.threads, executor=self.executor
                )
            self.search.count(
                seconds, solutions=limit, threads=self.threads, executor=self.executor
            )
        except Exception as error:
            if self.executor is None:
                raise
            # Executors raise various exceptions if their workers are gone.
            report_error(f"a task failed: {error!r}")
            self.stop.cancel()
        return []

    def _print(self, covers: list[list[int]], format_cover: Callable[[list[int]], str]) -> None:
        """Print covers. If the run is stopped, push those not yet printed back to the search."""
        for start in range(0, len(covers), COVERS_PER_WRITE):
            if self.stop():
                self.search.push_back(covers[start:])
                break
            batch = covers[start : start + COVERS_PER_WRITE]
            sys.stdout.writelines(format_cover(options) + "\n" for options in batch)
        sys.stdout.flush()

    def _n_covers(self) -> int:
        """Return the number of covers, up to the limit; several threads may count more."""
        n_found = self.search.solutions
        return n_found if self.limit is None else min(n_found, self.limit)

    def _limit_reached(self) -> bool:
        return self.limit is not None and self.search.solutions >= self.limit

    def _save(self, is_required: bool = False) -> None:
        """Save the search after everything that it has found so far has been written."""
        if self.checkpoint is None:
            return
        sys.stdout.flush()
        try:
            self.search.save(self.checkpoint)
        except (CheckpointError, OSError) as error:
            reason = f"{self.checkpoint}: {getattr(error, 'strerror', None) or error}"
            if is_required:
                raise fail(reason) from None
            report_error(f"{reason}; the search continues")  # a full disk may have space later


def load_checkpoint(path: str, search: Search | None = None) -> Search | None:
    """Return the search saved in a file, or None if there is no such file.

    Fails if the file does not contain a search of the same problem as `search`.
    """
    if not os.path.exists(path):
        report(f"({path}: no such file; starting a new search)")
        return None
    try:
        return Search.load(path, search)
    except CheckpointError as error:
        raise fail(str(error)) from None
    except OSError as error:
        raise fail(f"{path}: {error.strerror}") from None


def check_checkpoint_target(path: str) -> None:
    """Fail if a new checkpoint would overwrite another file, or an unfinished search."""
    if not os.path.exists(path):
        directory = os.path.dirname(path) or "."
        if not os.path.isdir(directory):
            raise fail(f"{path}: directory {directory} does not exist")
        return
    if not os.path.isfile(path):
        raise fail(f"{path}: not a regular file")
    try:
        saved = Search.load(path)
    except CheckpointError as error:
        raise fail(f"{error}; the file is not overwritten") from None
    except OSError as error:
        raise fail(f"{path}: {error.strerror}") from None
    if not saved.done:
        raise fail(f"{path} contains an unfinished search: use --resume, or remove the file")


def describe_estimate(search: Search, n_paths: int) -> str:
    """Return the estimated size of a search, and its duration at the measured speed."""
    estimate = search.estimate(n_paths)
    search.count(updates=1)  # compiles the kernels
    start = search.progress
    search.count(SECONDS_PER_CALL)
    lines = [f"Estimated from {plural(n_paths, 'random path')}, with the standard error:"]
    for name in ("solutions", "nodes", "updates"):
        mean, error = getattr(estimate, name), getattr(estimate, f"{name}_error")
        lines.append(f"{name:>9} {mean:15,.0f} ± {error:,.0f}")
    end = search.progress
    if end.updates > start.updates:
        speed = (end.updates - start.updates) / (end.seconds - start.seconds)
        lines.append(
            f"at {speed / 1e6:,.0f} M updates per second, {estimate.updates / speed:,.1f} s"
        )
    return "\n".join(lines)
