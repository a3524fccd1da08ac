"""A run of a command: what it writes, its progress, its time limit, and its end."""

import shutil
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import typer

from ..runtime.display import ProgressDisplay
from ..runtime.errors import ExecutorError
from ..runtime.files import RecordWriter
from ..runtime.monitoring import compile_clock, working_time
from ..runtime.partial_file import PartialFile
from ..runtime.text import plural
from .call import Call
from .limit import TimeLimit
from .output import is_shown, safe_output
from .part import leave_part, open_part, printing_to
from .terminal import (
    BadPlace,
    deferred_signals,
    ending,
    failing,
    painter,
    report,
    report_one_of,
)

# Smaller figures do not give a meaningful rate
MIN_RATE_SECONDS = 0.1
MIN_RATE_COUNT = 10


class Run:
    """A run of a command.

    A file grows beside its name until the run is complete: see `PartialFile`. Fails if the output
    is one of the input files.

    Parameters
    ----------
    call
        The call of the command.
    stop
        The time limit.
    output
        The output file; `-` is standard output.
    **display
        The parameters of `ProgressDisplay`.

    Attributes
    ----------
    files
        The input files.
    noun, remark
        What the message after an interrupt calls a record, and the end of this message.
    status_counts
        The numbers of records by status.
    unreadable
        The place of each record that could not be read, and the reason.
    is_usable
        Whether all input files can be read.
    is_complete
        Whether the output has all records of the input.
    origin, resume
        The parameters of `open_part`.
    texts
        The titles of columns that have texts, also in a file of Parquet.
    saved
        The progress of the run that is continued; empty if there is none.
    """

    files: Sequence[str] = ()
    noun = "record"
    remark = ""
    is_usable = True
    is_complete = True
    origin: dict[str, str] | None = None
    resume = False
    texts: Collection[str] = ()

    def __init__(self, call: Call, stop: TimeLimit, output: str = "-", **display: Any) -> None:
        call.outcome = self
        self.call = call
        self.stop = stop
        self.output = output
        self.status_counts: Counter[str] = Counter()
        self.unreadable: list[BadPlace] = []
        self.saved: dict[str, Any] = {}
        self.part: PartialFile | None = None
        self.display = ProgressDisplay(**display)
        self._start = working_time()
        self._compile_start = compile_clock.seconds
        self.n_records = 0  # written
        self.n_problems = 0  # of records, also those that are too many to report
        self.is_drawn = False  # whether the records are boards that are drawn on a terminal
        self._file: Any = None  # without a buffer, which would be flushed again after an error

    def select_style(self, style: str | None) -> str:
        """Return the format of boards: by default, grids on a terminal, and lines elsewhere."""
        self.is_drawn = style is None and is_shown(self.output)
        return style or ("grid" if self.is_drawn else "line")

    def _open(self) -> None:
        """Open the output, and restore the progress of the run that is continued, if any."""
        self.part = open_part(self.output, self.origin, self.resume, *self.files)
        if self.part is not None:
            self.saved = self.part.progress
            self.n_records = self.saved.get("written", 0)
            self.status_counts.update(self.saved.get("counts", {}))
            self.part.texts = self.texts
            self._file = RecordWriter(self.part.raw)

    def _close(self, is_complete: bool, is_stopped: bool) -> None:
        """Close the output, which gets its name if it is complete; see also `leave_part`."""
        if self.part is not None and is_complete:
            self.part.complete()
        elif self.part is not None:
            # A part with nothing but records that could not be read is deleted. A command may
            # count more records than it writes, or fewer.
            n_records = max(self.n_records, self.status_counts.total())
            has_records = n_records > self.status_counts["unreadable"]
            leave_part(self.part, is_stopped and self.is_usable, has_records)
        elif self._file is not None and self.output != "-":  # a device or a pipe
            self._file.raw.close()

    @contextmanager
    def printing(self) -> Iterator[None]:
        """Send standard output to the file within a block in `writing`, if there is one."""
        if self.output == "-":
            yield
            return
        if self._file is None:
            self.write(b"", 0)
        with printing_to(self._file, self.output):
            yield

    def mark(self, **progress: Any) -> None:
        """Note that what is written is complete, and how the run continues from here."""
        if self.part is not None:
            counts = {"written": self.n_records, "counts": dict(self.status_counts)}
            self.part.mark({**counts, "seconds": self.seconds, **progress})

    def end_record(self, **progress: Any) -> None:
        """Count a record that was printed, and note that the run continues after it."""
        self.n_records += 1
        sys.stdout.flush()
        self.mark(**progress)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Open the output. End the command with a message if the block fails or is interrupted."""
        self._open()
        if self.output == "-":
            self._file = RecordWriter(getattr(sys.stdout.buffer, "raw", sys.stdout.buffer))
        errors = ValueError, ExecutorError  # for example, an unsupported size
        with self.display, safe_output(self.output), failing(errors=errors):
            has_ended = False
            is_stopped = True  # unless an error ends the block
            try:
                yield
                has_ended = True
            except (ValueError, typer.Exit):
                is_stopped = False
                raise
            except KeyboardInterrupt:
                self.display.close()
                written = plural(self.n_records, f"complete {self.noun}")
                report(f"interrupted: {written} written{self.remark}")
                raise ending(is_interrupted=True) from None
            finally:
                self._close(has_ended and self.is_complete, is_stopped)

    def write(self, text: bytes, n_records: int) -> None:
        """Write and count records. An interrupted run says how many are written."""
        if self.is_drawn:
            from ..sudoku.io.layout import lay_out  # covers need nothing of Sudoku

            width = shutil.get_terminal_size().columns
            text = lay_out(bytes(text).decode(), width, painter()).encode()
        with deferred_signals(lambda: None):  # what is written is counted, too
            if self._file is None:
                self._file = RecordWriter(open(self.output, "wb", buffering=0))  # noqa: SIM115
            self._file.write(text)
            self.n_records += n_records

    @property
    def _own_seconds(self) -> float:
        """The time of this run, without loading and compiling kernels."""
        return max(0.0, working_time() - self._start)

    @property
    def seconds(self) -> float:
        """The time, with that of the runs that are continued."""
        return self._own_seconds + float(self.saved.get("seconds", 0))

    def duration(self, count: int = 0) -> str:
        """Return the time, the rate for `count` if meaningful, and the time of compilation."""
        compiling = compile_clock.seconds - self._compile_start
        seconds = self._own_seconds
        text = f"{seconds:.2f} s"
        if seconds >= MIN_RATE_SECONDS and count >= MIN_RATE_COUNT:
            rate = count / seconds
            text += f", {rate:,.0f} per second" if rate >= 10 else f", {rate:.1f} per second"
        return f"{text}, and {compiling:.1f} s to compile" if compiling else text

    @contextmanager
    def stopping(self) -> Iterator[None]:
        """End a block early after a signal; what is known then is kept."""
        with suppress(KeyboardInterrupt), deferred_signals(self.stop.cancel):
            yield

    def report_problem(self, text: str) -> None:
        """Report a problem of a record, unless there are too many."""
        self.n_problems += 1
        report_one_of(self.n_problems, text)

    def end_search(
        self, n_solutions: int, work: str, *, is_limited: bool = False, remark: str = ""
    ) -> NoReturn:
        """Report the number of solutions and the work of a search, and end the command.

        The search is complete, or has as many solutions as were requested. The remark is for those
        who have not requested this number.
        """
        extent = "Limited to" if is_limited else "Altogether"
        solutions = plural(n_solutions, "solution")
        ending_text = f"{extent} {solutions}, {work} ({self.duration()})."
        report(remark if remark and is_limited else ending_text)
        # A signal that arrived meanwhile has interrupted nothing.
        raise ending(is_interrupted=False, is_solved=n_solutions > 0)
