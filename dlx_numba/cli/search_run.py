"""Runs of searches, counts and constructions: progress, signals, time limits and checkpoints."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

import typer

from ..cover.counting import CoverCounter
from ..cover.diagram import CoverDiagram
from ..cover.diagram_builder import DiagramBuilder
from ..cover.exact_cover import ExactCover
from ..cover.optimizer import CoverOptimizer
from ..cover.orbits import OrbitCounter
from ..cover.product import CoverProduct
from ..kernels.cover_array import as_array
from ..kernels.symmetry.smallest import SmallestFilter
from ..puzzles.puzzle import Puzzle
from ..runtime import signals
from ..runtime.arguments import UNLIMITED
from ..runtime.choices import AUTO
from ..runtime.display import ProgressDisplay
from ..runtime.files import locking
from ..runtime.partial_file import PartialFile
from ..runtime.text import all_digits, plural
from ..search.checkpoint import CheckpointError, read_note, write_note
from ..search.search import Search
from .call import Call
from .cluster import open_cluster
from .commands.groups import DEFAULT_EVERY, RunFields, SearchFields
from .inputs import ProblemOptions
from .limit import TimeLimit
from .output import last_record
from .run import Run
from .terminal import (
    deferred_signals,
    describe_work,
    ending,
    fail,
    failing,
    report,
    report_error,
)

# The display, the time limit and the checkpoint are updated or checked after each call.
SECONDS_PER_CALL = 0.2
MIN_SECONDS_PER_CALL = 0.01
SECONDS_PER_SAVE = 1.0  # of a count in a folder
COVERS_PER_CALL = 1 << 13  # the search can be stopped after they are written

SavedT = TypeVar("SavedT", Search, CoverOptimizer)


@dataclass(kw_only=True)
class RunOptions(RunFields):
    """The options of commands whose work can be divided among threads, saved and resumed."""

    def load(self, saved: type[SavedT]) -> SavedT | None:
        """Return the search to resume, if any, which is of the class `saved`.

        Fails if a new checkpoint would overwrite another file, or an unfinished search.
        """
        path = self.checkpoint
        if path is None:
            self.call.require("--checkpoint or --batch", "--resume")
            self.call.require("--checkpoint", "--every")
            return None
        try:
            self.call.at_end.enter_context(locking(path))
        except ValueError as error:
            raise fail(str(error)) from None
        directory = os.path.dirname(path) or "."
        if os.path.exists(path):
            if self.resume:
                return self._read(saved)
            if not os.path.isfile(path):
                raise fail(f"{path}: not a regular file")
            if not self._read(saved, remark="; the file is not overwritten").done:
                raise fail(
                    f"{path} contains an unfinished search: use --resume, or remove the file"
                )
        elif not os.path.isdir(directory):
            raise fail(f"{path}: directory {directory} does not exist")
        elif self.resume:
            report(f"({path}: no such file; starting a new search)")
        return None

    def resumed(self, search: SavedT) -> SavedT:
        """Return the search in the checkpoint, which must have started as `search` does."""
        saved = self._read(type(search), search)
        report(f"(resuming: {saved})")
        return saved

    def _read(self, saved: type[SavedT], search: SavedT | None = None, remark: str = "") -> SavedT:
        """Return the search in the checkpoint. Fails if the checkpoint is not valid.

        If `search` is given, fails unless both are of the same problem. If the failure is not one
        of the system, its message ends with the remark.
        """
        assert self.checkpoint is not None
        try:
            return saved.load(self.checkpoint, search)
        except (CheckpointError, OSError) as error:
            reason = getattr(error, "strerror", None)
            raise fail(f"{self.checkpoint}: {reason}" if reason else f"{error}{remark}") from None


@dataclass(kw_only=True)
class SearchOptions(SearchFields, RunOptions):
    """The options of commands that search for all covers."""

    @property
    def limit(self) -> int:
        """The largest number of covers."""
        return UNLIMITED if self.requested_limit is None else self.requested_limit

    def used(self) -> list[str]:
        """Return the options that are used and imply a search.

        `--limit all` and `--threads 1` do not imply one.
        """
        implies = {"--limit": self.limit != UNLIMITED, "--threads": self.threads not in (None, 1)}
        names = (*implies, "--checkpoint", "--dask", "--resume", "--every")
        return [name for name in names if self.call.is_used(name) and implies.get(name, True)]

    @contextmanager
    def reading(
        self, problem: ProblemOptions, puzzle: Puzzle | None = None, *, is_explained: bool = True
    ) -> Iterator[tuple[ExactCover, Search | None]]:
        """Read a problem. Yield it, and its search if there is a checkpoint, otherwise None.

        The search is the saved one, or a new one that will be saved. `count` gives the puzzle that
        it has selected; without one, `cover` and batches read the input, and print a list. Fails if
        the options are not valid.
        """
        self.call.reject("--dask", "--threads")
        saved = self.load(Search)
        if saved is not None:
            if saved.n_counted and puzzle is None:  # `count` has selected a puzzle
                counted = plural(saved.n_counted, "cover")
                raise fail(
                    f"{self.checkpoint}: an earlier run counted {counted} without printing: "
                    "continue with `count`, or remove the file to start again"
                )
            problem.algorithm = saved.algorithm if problem.algorithm == AUTO else problem.algorithm
            problem.seed = saved.seed if problem.seed is None else problem.seed
        origin = None
        if self.checkpoint is not None and puzzle is None:  # `cover` prints a list
            values = self.call.used
            origin = {name: str(values.get(name)) for name in ("--format", "--one-based")}
            origin["checkpoint"] = os.path.realpath(self.checkpoint)
        resume = origin is not None and saved is not None
        is_answer = puzzle is not None
        with (
            open_cluster(self.dask) as executor,
            problem.reading(
                puzzle, origin=origin, resume=resume, is_answer=is_answer, is_explained=is_explained
            ) as cover,
        ):
            cover = cover.replace(threads=None if executor else self.threads, executor=executor)
            search = None if self.checkpoint is None else cover.search()
            if search is not None and saved is not None:
                search = self.resumed(search)
            yield cover, search


class SearchRun(Run):
    """A run of a search, a count or a construction, until it is complete or stopped.

    Parameters
    ----------
    call
        The call of the command.
    work
        The resumable computation; `str(work)` describes its progress.
    stop
        The time limit.
    given
        The checkpoint, and how often it is saved; by default, there is none.
    limit
        The largest number of covers, with those of earlier runs.

    Attributes
    ----------
    smallest
        Selects the covers to print; by default, all of them.
    """

    checkpoint: str | None = None
    every = DEFAULT_EVERY
    smallest: SmallestFilter | None = None

    def __init__(
        self,
        call: Call,
        work: Search | CoverProduct | CoverCounter | OrbitCounter | CoverOptimizer | DiagramBuilder,
        stop: TimeLimit,
        given: RunOptions | None = None,
        limit: int = UNLIMITED,
    ) -> None:
        self.work: Any = work
        super().__init__(call, stop, total=1, start=work.progress.fraction or 0)
        self.limit = limit
        self.is_complete = False
        self._last_mark = (0, 0)  # covers and bytes at the last checkpoint
        if given is not None:
            self.checkpoint = given.checkpoint
            self.every = given.every
        self.is_distributed = given is not None and given.dask is not None
        self._technique = "search"  # as it was last displayed
        self.folder: str | None = getattr(work, "folder", None)  # of a count, with its levels
        self.n_smallest = 0  # covers that `smallest` has selected

    def execute(self, advance: Callable[[float], bool]) -> None:
        """Call a function until it returns True, or the run is stopped.

        Ctrl-C and SIGTERM stop it in the same way as the time limit does, and so does a task of the
        executor that fails.

        Parameters
        ----------
        advance
            Runs the work for some seconds, and returns whether it is complete.
        """
        call_seconds = min(SECONDS_PER_CALL, max(self.every, MIN_SECONDS_PER_CALL))
        if self.folder is not None:  # a counter saves its folder at the end of each call
            call_seconds = SECONDS_PER_SAVE
        try:
            with self.display, deferred_signals(self._end_soon):
                self._save(is_required=True)
                save_time = time.monotonic()
                self.is_complete = self.work.done
                while not (self.is_complete or self.stop()):
                    try:
                        self.is_complete = advance(min(call_seconds, self.stop.seconds_left()))
                    except Exception as error:  # of any type if workers of the executor are gone
                        if not self.is_distributed or isinstance(error, BrokenPipeError):
                            raise
                        report_error(f"a task failed: {error!r}")
                        self.stop.cancel()
                    self._show_progress()
                    if time.monotonic() - save_time >= self.every:
                        self._save()
                        save_time = time.monotonic()
                self.display.close()
                self._save(is_required=True)
        except KeyboardInterrupt as interrupt:  # of `deferred_signals`, at the end of the block
            if isinstance(interrupt.__context__, Exception):  # what could not be saved is lost
                raise interrupt.__context__ from None

    def _show_progress(self) -> None:
        """Display the progress, with a bar if the fraction is known. Report a change of method."""
        technique = getattr(self.work, "technique", "search")
        if technique != self._technique and ProgressDisplay.is_in_use() and not self.is_complete:
            report(f"(the count continues with: {technique})")
        self._technique = technique
        explored, text, *_ = self.work.progress
        self.display.update(text, explored)

    def exit(
        self, n_solutions: int, work: str, bound: str = "", advice: str = "", remark: str = ""
    ) -> NoReturn:
        """Report the result, or that the run was stopped with a bound and advice, and exit.

        The bound is reported with `--quiet`, too; the remark if the search ends at its limit.
        """
        signals.finish()  # only the report remains to be printed
        self.status_counts["covers"] = n_solutions
        if self.is_complete:
            is_limited = self._is_limited
            self.end_search(n_solutions, work, is_limited=is_limited, remark=remark)
        report(f"Stopped before the end: {self.work} ({self.duration()}).")
        if bound:
            report(bound + advice, brief=bound)
        raise ending(is_complete=False)

    def _end_soon(self) -> None:
        self.stop.cancel()
        self.work.request_stop()

    def _save(self, is_required: bool = False) -> None:
        """Save the search after everything that it has found so far has been written."""
        if (path := self.checkpoint) is None:
            return
        sys.stdout.flush()
        try:
            with signals.saving_lock:
                self._mark()
                self.work.save(path)
                if self.part is not None:
                    if self.is_complete:  # by the note, `continue_output` recognizes the output
                        write_note(path, _describe_output(self.part, self.part.size))
                    self._last_mark = self.part.progress["written"], self.part.marked
        except (OSError, ValueError) as error:
            reason = f"{path}: {getattr(error, 'strerror', None) or error}"
            if is_required:
                raise fail(reason) from None
            report_error(f"{reason}; the search continues")  # a full disk may have space later

    def _mark(self) -> None:
        """Note how long the output is with the covers that the search has found.

        The output with those of the last checkpoint is known, too, because a kill may come before
        the search is saved.
        """
        if self.part is not None:
            written = self.work.counters().solutions
            self.part.mark({"written": written, "earlier": self._last_mark}, is_saved=True)

    def continue_output(self, part: PartialFile | None, titles: str) -> None:
        """Continue an output with the covers that the saved search has found.

        Its progress is that of `_mark`. What was written after the search was saved is cut off.
        Without an unfinished output, the output begins with that of a complete run, or with the
        titles of a table. Fails if a file is not the output of the run that saved the search.
        """
        self.part = part
        if part is None:
            return
        n_found = self.work.counters().solutions
        if n_found and not part.progress:  # an earlier run was complete, or has written elsewhere
            self._begin_output(part, plural(n_found, "cover"), titles)
        elif part.progress.get("written", 0) != n_found:
            # A kill has come after the mark of the output and before the search was saved: the
            # earlier mark is that of the search.
            n_written, size = part.progress["earlier"]
            if n_written != n_found:
                raise fail(
                    f"{part.part} is not of this search: the search has found "
                    f"{plural(n_found, 'cover')}"
                )
            part.truncate(size, {"written": n_found, "earlier": [n_found, size]})
        self._last_mark = n_found, part.size

    def _begin_output(self, part: PartialFile, covers_found: str, titles: str) -> None:
        """Begin an output with that of the complete run that saved the search, or with titles.

        Fails if the file may be another one: it would be replaced by the further covers alone.
        """
        if part.is_parquet:
            raise fail(
                f"{part.path}: the search has found {covers_found} before, and a Parquet file "
                f"cannot be continued: write the others as CSV, or remove {self.checkpoint} to "
                "start again"
            )
        size = os.path.getsize(part.path) if os.path.exists(part.path) else None
        if self.checkpoint and read_note(self.checkpoint) == _describe_output(part, size):
            part.copy_existing()
        elif size:
            raise fail(
                f"{part.path} is not known as the output of the saved search, which has found "
                f"{covers_found}: write the others to another file"
            )
        else:
            sys.stdout.write(titles)
            sys.stdout.flush()

    def print_covers(
        self, format_cover: Callable[[list[int]], str], remark: str = "", style: str | None = None
    ) -> NoReturn:
        """Print each cover of a search, as soon as all covers before it are known.

        Report a remark if the search ends at its limit. In the style "json", a record with the
        nodes of each level of a literal search follows.
        """

        def advance(seconds: float) -> bool:
            """Print the next covers; return whether these were the last ones.

            `smallest` compares each with its images. Covers that it has not compared before a stop
            are given back to the search.
            """
            n_wanted = min(COVERS_PER_CALL, self.limit - self._n_covers)
            covers = self.work.run(seconds, solutions=n_wanted)
            if self.smallest is not None:
                smallest, n_compared = self.smallest.select(as_array(covers), self.stop)
                self.work.push_back(covers[n_compared:])
                covers = smallest
                self.n_smallest += len(covers)
            if covers:
                self.display.clear_for_stdout()
            sys.stdout.writelines(format_cover(cover) + "\n" for cover in covers)
            sys.stdout.flush()
            return self._is_done

        self.execute(advance)
        if style == "json" and self._levels:
            typer.echo(last_record(self.is_complete, **self._status, **self._levels))
        self.exit(self._n_covers, describe_work(self.work.counters()), remark=remark)

    def print_count(self, style: str | None = None) -> NoReturn:
        """Print the number of covers; if the count is stopped, report a lower bound.

        In the style "json", the output is a record, which has either of these.
        """
        work = self.work
        is_search = isinstance(work, Search)

        def advance(seconds: float) -> bool:
            if is_search:
                n_left = None if self.limit == UNLIMITED else self.limit - self._n_covers
                work.count(seconds, solutions=n_left)
                return self._is_done
            return bool(work.run(seconds))

        with failing(errors=(CheckpointError,)):
            self.execute(advance)
        counters = work.counters()
        n_covers = counters.solutions
        if self.limit != UNLIMITED:
            n_covers = min(n_covers, self.limit)
        if style == "json":
            fields = self._status | self._levels
            fields["count" if self.is_complete else "bound"] = all_digits(n_covers)
            typer.echo(last_record(self.is_complete, **fields))
        elif self.is_complete:
            typer.echo(all_digits(n_covers))
        verb = "is" if n_covers == 1 else "are"
        bound = f"There {verb} at least {plural(n_covers, 'cover')}."
        description = describe_work(counters)
        if not is_search and work.method == "memo":  # whose counters are those of its memo
            subproblems = plural(counters.nodes, "distinct subproblem")
            description = f"{subproblems}, {plural(counters.updates, 'lookup')}"
        self.exit(n_covers, description, bound, self._continuing_advice())

    def _continuing_advice(self) -> str:
        """Return how to continue a count that was stopped, in a sentence after a space, or ""."""
        if self.checkpoint is not None:
            return " To continue the count, add --resume."
        if self.folder is not None:
            return " The next call with this folder continues the count."
        if self.call.is_used("--method memo"):
            return " To continue a count later, use --folder."
        if isinstance(self.work, OrbitCounter) or self.call.is_used("--fixed-by") or self._levels:
            return ""  # these have no checkpoints
        return " To continue a count later, use --checkpoint."

    @property
    def _n_covers(self) -> int:
        """The number of covers, up to the limit; several threads may count more."""
        if self.smallest is not None:
            return self.n_smallest
        return int(min(self.work.counters().solutions, self.limit))

    @property
    def _is_limited(self) -> bool:
        """Whether the search has found as many covers as were requested, and there may be more."""
        if isinstance(self.work, CoverCounter):
            return self.limit != UNLIMITED and self.work.result == self.limit
        if isinstance(self.work, CoverOptimizer):
            return self.limit == len(self.work.result)
        return not self.work.done and self._n_covers == self.limit

    @property
    def _status(self) -> dict[str, Any]:
        """The status of a record, if it is neither "done" nor "stopped"."""
        return {"status": "limit"} if self._is_limited else {}

    @property
    def _levels(self) -> dict[str, Any]:
        """The fields of a record about a literal search: the nodes of each level."""
        levels = getattr(self.work, "levels", None)
        return {} if levels is None else {"levels": levels}

    @property
    def _is_done(self) -> bool:
        return bool(self.work.done) or self._is_limited


def _describe_output(part: PartialFile, size: int | None) -> str:
    """Return what a checkpoint says about a file that is complete."""
    return f"{size} bytes in {os.path.basename(part.path)}"


@contextmanager
def diagram_of(call: Call, cover: ExactCover, stop: TimeLimit) -> Iterator[CoverDiagram]:
    """Build the diagram of a problem for a block that prints what is derived from it, and exit.

    Raises ValueError if the problem or its diagram is too large.
    """
    builder = cover.diagram_builder()
    run = SearchRun(call, builder, stop)
    try:
        run.execute(builder.run)
        if not run.is_complete:
            if call.is_used("--frequencies") and call.is_used("--format json"):
                typer.echo(last_record(False, bound="0"))
            run.exit(0, "")
        diagram = builder.result
    except MemoryError as error:
        raise ValueError(str(error)) from None
    yield diagram
    size = f"{plural(diagram.n_nodes, 'node')}, {plural(diagram.n_edges, 'edge')}"
    run.exit(diagram.count(), f"a diagram of {size}")
