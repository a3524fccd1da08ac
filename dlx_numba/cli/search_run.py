"""Runs of searches, counts and constructions: progress, signals, time limits and checkpoints."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, TypeVar

import typer

from ..cover.counting import CoverCounter
from ..cover.diagram import CoverDiagram
from ..cover.exact_cover import ExactCover
from ..cover.subproblems import DiagramBuilder
from ..kernels.algorithms import AUTO
from ..kernels.state import UNLIMITED
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from ..search.checkpoint import CheckpointError
from ..search.search import Search
from .cover_problem import ProblemOptions
from .options import DaskAddress, Threads, limit_option, open_cluster, seconds_option
from .output import redirected_output, safe_output
from .signals import deferred_signals
from .terminal import (
    ExitStatus,
    ProgressDisplay,
    Stopwatch,
    compile_notice,
    describe_work,
    fail,
    report,
    report_error,
    report_total,
)

# The display, the time limit and the checkpoint are updated or checked after each call.
SECONDS_PER_CALL, MIN_SECONDS_PER_CALL = 0.2, 0.01
COVERS_PER_CALL = 1 << 16  # limits the memory for covers that threads find ahead of others
COVERS_PER_WRITE = 500  # the search can be stopped after each write

ResultT = TypeVar("ResultT")


class ResumableRun:
    """A run of work that can be resumed, until it is complete or stopped.

    Parameters
    ----------
    work
        What runs; as text, it is its progress.
    seconds
        Stop after this many seconds.
    checkpoint, every
        The file to which a search is saved, and the time between two saves.
    """

    def __init__(
        self,
        work: Search | CoverCounter | DiagramBuilder,
        seconds: float | None,
        checkpoint: str | None = None,
        every: float = 30.0,
    ) -> None:
        self.work, self.stop = work, Stop(seconds)
        self.checkpoint, self.every = checkpoint, every
        self.stopwatch, self.display = Stopwatch(), ProgressDisplay(has_bar=False)
        self.is_complete = False

    def execute(self, advance: Callable[[float], bool]) -> None:
        """Call a function until it returns True, or the run is stopped.

        Ctrl-C and SIGTERM stop it in the same way as the time limit does.

        Parameters
        ----------
        advance
            Runs the work for some seconds, and returns whether it is complete.
        """
        call_seconds = SECONDS_PER_CALL
        if self.checkpoint is not None:
            call_seconds = min(call_seconds, max(self.every, MIN_SECONDS_PER_CALL))
        try:
            with (
                self.display,
                deferred_signals(self._end_soon),
                safe_output(),
            ):
                self._save(is_required=True)
                save_time = time.monotonic()
                self.is_complete = self.work.done
                while not (self.is_complete or self.stop()):
                    self.is_complete = advance(min(call_seconds, self.stop.seconds_left()))
                    self.display.update(str(self.work))
                    if time.monotonic() - save_time >= self.every:
                        self._save()
                        save_time = time.monotonic()
                self.display.close()
                self._save(is_required=True)
        except KeyboardInterrupt as interrupt:
            if isinstance(interrupt.__context__, typer.Exit):  # the search could not be saved
                raise interrupt.__context__ from None

    def conclude(self, n_solutions: int, description: str) -> ExitStatus:
        """Report the result, or that the run was stopped, and return the exit status."""
        for number in (signal.SIGINT, signal.SIGTERM):  # only the report remains to be printed
            signal.signal(number, signal.SIG_IGN)
        if not self.is_complete:
            report(f"Stopped before the end: {self.work} ({self.stopwatch.describe()}).")
            return ExitStatus.STOPPED
        return report_total(n_solutions, description, self.stopwatch)

    def _end_soon(self) -> None:
        self.stop.cancel()
        self.work.stop()

    def _save(self, is_required: bool = False) -> None:
        """Save the search after everything that it has found so far has been written."""
        if self.checkpoint is None:
            return
        assert isinstance(self.work, Search)
        sys.stdout.flush()
        try:
            self.work.save(self.checkpoint)
        except (CheckpointError, OSError) as error:
            reason = f"{self.checkpoint}: {getattr(error, 'strerror', None) or error}"
            if is_required:
                raise fail(reason) from None
            report_error(f"{reason}; the search continues")  # a full disk may have space later


@dataclass(kw_only=True)
class SearchOptions:
    """The options of commands that search for all covers."""

    limit: Annotated[
        int, limit_option("Find at most N covers, including those of runs that are resumed.")
    ] = UNLIMITED
    threads: Threads = None
    dask: DaskAddress = None
    checkpoint: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Save the search at intervals, and when it is stopped."),
    ] = None
    every: Annotated[float, seconds_option("--every", help="Time between checkpoints.")] = 30.0
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume the search in the checkpoint, if it exists.")
    ] = False

    def used(self) -> dict[str, bool]:
        """Return which options that imply a search are used."""
        return {
            "--limit": self.limit != UNLIMITED,
            "--checkpoint": self.checkpoint is not None,
            "--threads": self.threads not in (None, 1),
            "--dask": self.dask is not None,
            "--resume": self.resume,
        }

    @contextmanager
    def searching(self, options: ProblemOptions) -> Iterator[tuple[ExactCover, "SearchRun"]]:
        """Read a problem, and prepare the search of it, whose output may be in a file.

        Fails if the options are not valid.
        """
        if self.resume and self.checkpoint is None:
            raise fail("--resume needs --checkpoint")
        if self.dask is not None and self.threads is not None and self.threads > 1:
            raise fail("--dask cannot be combined with --threads")
        saved = None
        if self.checkpoint is not None:
            if self.resume:
                saved = load_checkpoint(self.checkpoint)
            else:
                check_checkpoint_target(self.checkpoint)
        if saved is not None:
            options.algorithm = saved.algorithm if options.algorithm == AUTO else options.algorithm
            options.seed = saved.seed if options.seed is None else options.seed
        cover = options.read()
        search = cover.search()
        if saved is not None and self.checkpoint is not None:
            search = load_checkpoint(self.checkpoint, search) or search
            report(f"(resuming: {search})")
        with (
            open_cluster(self.dask) as cluster,
            compile_notice(),
            redirected_output(options.output, options.file, is_appended=saved is not None),
        ):
            executor = None if cluster is None else cluster.executor
            yield cover, SearchRun(search, self, options.seconds, executor)


class SearchRun(ResumableRun):
    """A run of a search, whose covers are printed or counted.

    Parameters
    ----------
    search
        A new search, or one that was saved earlier.
    options
        The limit includes the covers of earlier runs.
    seconds
        Stop after this many seconds.
    executor
        Used instead of threads, if there is one.
    """

    def __init__(
        self,
        search: Search,
        options: SearchOptions,
        seconds: float | None = None,
        executor: Executor | None = None,
    ) -> None:
        super().__init__(search, seconds, options.checkpoint, options.every)
        self.search, self.limit = search, options.limit
        self.threads, self.executor = options.threads, executor

    def print_covers(self, format_cover: Callable[[list[int]], str]) -> ExitStatus:
        """Print each cover, as soon as all covers before it are known."""

        def advance(seconds: float) -> bool:
            n_wanted = COVERS_PER_CALL if self._n_left is None else self._n_left
            covers = self._run(self.search.run, seconds, min(n_wanted, COVERS_PER_CALL))
            if covers:
                self.display.clear_for_stdout()
                self._print(covers, format_cover)
            return self._is_done

        self.execute(advance)
        return self._conclude()

    def print_count(self) -> ExitStatus:
        """Print the number of covers."""

        def advance(seconds: float) -> bool:
            self._run(self.search.count, seconds, self._n_left)
            return self._is_done

        self.execute(advance)
        with safe_output():
            typer.echo(self._n_covers)
        return self._conclude()

    @property
    def _n_covers(self) -> int:
        """The number of covers, up to the limit; several threads may count more."""
        return min(self.search.solutions, self.limit)

    @property
    def _n_left(self) -> int | None:
        return None if self.limit == UNLIMITED else self.limit - self._n_covers

    @property
    def _is_done(self) -> bool:
        return self.search.done or self._n_left == 0

    def _run(
        self, method: Callable[..., ResultT], seconds: float, limit: int | None
    ) -> ResultT | None:
        """Call a method of the search. Stops the run if a task of the executor fails."""
        try:
            return method(seconds, solutions=limit, threads=self.threads, executor=self.executor)
        except Exception as error:
            if self.executor is None:
                raise
            # Executors raise various exceptions if their workers are gone.
            report_error(f"a task failed: {error!r}")
            self.stop.cancel()
            return None

    def _print(self, covers: list[list[int]], format_cover: Callable[[list[int]], str]) -> None:
        """Print covers. If the run is stopped, push those not yet printed back to the search."""
        for start in range(0, len(covers), COVERS_PER_WRITE):
            if self.stop():
                self.search.push_back(covers[start:])
                break
            batch = covers[start : start + COVERS_PER_WRITE]
            sys.stdout.writelines(format_cover(options) + "\n" for options in batch)
        sys.stdout.flush()

    def _conclude(self) -> ExitStatus:
        _, nodes, updates = self.search.counters()
        return self.conclude(self._n_covers, describe_work(nodes, updates))


def print_count(counter: CoverCounter, seconds: float | None = None) -> ExitStatus:
    """Count the covers and print their number; if that is stopped, the number found so far."""
    run = ResumableRun(counter, seconds)
    run.execute(counter.run)
    with safe_output():
        typer.echo(counter.count)
    n_covers, nodes, updates = counter.counters()
    if counter.method == "memo":
        return run.conclude(n_covers, f"{nodes:,} distinct subproblems, {updates:,} lookups")
    return run.conclude(n_covers, describe_work(nodes, updates))


def print_from_diagram(
    cover: ExactCover,
    print_result: Callable[[CoverDiagram], None],
    *,
    memory: int | None = None,
    seconds: float | None = None,
) -> ExitStatus:
    """Build the diagram of a problem, and print what is derived from it.

    Raises ValueError if the problem has no diagram, or it needs too much memory.
    """
    builder = cover.diagram_builder(memory=memory)
    run = ResumableRun(builder, seconds)
    try:
        run.execute(builder.run)
        if not run.is_complete:
            return run.conclude(0, "")
        diagram = builder.diagram()
    except MemoryError as error:
        raise ValueError(str(error)) from None
    with safe_output():
        print_result(diagram)
    size = f"{plural(diagram.n_nodes, 'node')}, {plural(diagram.n_edges, 'edge')}"
    return run.conclude(diagram.count(), f"a diagram of {size}")


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
