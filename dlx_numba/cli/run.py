"""A run of a command: what it writes, its progress, its time limit, and its end."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from ..runtime.display import ProgressDisplay
from ..runtime.errors import ExecutorError
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from .output import RecordWriter, is_shown, safe_output
from .terminal import Stopwatch, deferred_signals, ending, fail, report

MAX_REPORTED_PROBLEMS = 20  # on standard error; the output marks all of them


class Run:
    """A run of a command.

    Parameters
    ----------
    output
        The output file; `-` is standard output.
    files
        The input files.
    total, start
        The value of the progress at the end and at the start, see `ProgressDisplay`.
    is_shown
        Whether to display the progress.
    seconds
        Stop after this many seconds.
    noun, remark
        What the message after an interrupt calls a record, and the end of this message.
    """

    def __init__(
        self,
        output: str = "-",
        files: Iterable[str] = (),
        *,
        total: float | None = None,
        start: float = 0,
        is_shown: bool = True,
        seconds: float | None = None,
        noun: str = "record",
        remark: str = "",
    ) -> None:
        self.output, self.files = output, list(files)
        self.display = ProgressDisplay(total, start=start, is_shown=is_shown)
        self.stop, self.stopwatch = Stop(seconds), Stopwatch()
        self.noun, self.remark = noun, remark
        self.n_records = 0  # written
        self.n_problems = 0  # of records
        self.advice = ""  # after an interrupt
        self.is_drawn = False  # whether the records are boards that are drawn on a terminal

    def select_style(self, style: str | None) -> str:
        """Return the format of boards: by default, grids on a terminal, and lines elsewhere."""
        self.is_drawn = style is None and is_shown(self.output)
        return style or ("grid" if self.is_drawn else "line")

    @contextmanager
    def writing(self) -> Iterator[RecordWriter]:
        """Open the output. End the command with a message if the block fails or is interrupted."""
        with (
            RecordWriter(self.output, self.files) as self.sink,
            self.display,
            safe_output(self.sink.fail),
        ):
            try:
                yield self.sink
            except (ValueError, ExecutorError) as error:  # for example, an unsupported size
                raise fail(str(error)) from None
            except KeyboardInterrupt:
                self.display.close()
                if self.advice:
                    report(self.advice)
                written = plural(self.n_records, f"complete {self.noun}")
                report(f"interrupted: {written} written{self.remark}")
                raise ending(is_interrupted=True) from None

    def write(self, text: bytes | bytearray, n_records: int) -> None:
        """Write and count records. An interrupted run states how many are written."""
        if self.is_drawn:
            from ..sudoku.io.layout import lay_out  # covers need nothing of Sudoku

            text = lay_out(bytes(text).decode(), shutil.get_terminal_size().columns).encode()
        with deferred_signals(lambda: None):
            self.sink.write(text)
            self.n_records += n_records

    def report_problem(self, text: str) -> None:
        """Report a problem of a record, unless there are too many."""
        self.n_problems += 1
        if self.n_problems <= MAX_REPORTED_PROBLEMS:
            report(text)
        elif self.n_problems == MAX_REPORTED_PROBLEMS + 1:
            report("... further problems are not reported")

    def end_search(self, n_solutions: int, work: str) -> NoReturn:
        """Report the number of solutions and the work of a complete search, and end the command."""
        solutions = plural(n_solutions, "solution")
        report(f"Altogether {solutions}, {work} ({self.stopwatch.describe()}).")
        raise ending(is_solved=n_solutions > 0)
