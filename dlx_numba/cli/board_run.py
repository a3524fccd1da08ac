"""The runs of commands that read files of boards: input, counts and errors."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import Any, BinaryIO, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..puzzles.variants.fpuzzles import is_link
from ..puzzles.variants.read import find_reader
from ..runtime.errors import Stopped, UnreadableError
from ..runtime.files import is_terminal
from ..runtime.resources import default_threads
from ..runtime.source import HeadedFile, open_head
from ..runtime.text import plural, shorten
from ..sudoku.backends import map_chunks
from ..sudoku.engines.base import EngineResult, Rules
from ..sudoku.io.apps import complete_link, describe_link, is_board_link
from ..sudoku.io.columns import UNREADABLE
from ..sudoku.io.read import ChunkSize, ReaderFinder, may_have_names, read_records
from ..sudoku.io.records import BadRecord, Records
from ..sudoku.io.table import OTHER
from ..sudoku.io.write import STATUSES, UNFINISHED, Writer, count_statuses
from ..sudoku.verify import find_conflicts, verify_claims
from .board_argument import BOARD_SOURCE, advise_size, board_from_argument
from .commands.groups import RecordFields
from .limit import INPUT_END, TimeLimit
from .output import is_shown, source_name
from .part import origin_of
from .run import Run
from .terminal import (
    MAX_REPORTED_PROBLEMS,
    BadPlace,
    describe_statuses,
    ending,
    fail,
    report,
    report_error,
)

MAX_BAD = 300  # unreadable records before the first board
CHUNK_BOARDS = 16384
MAX_OPEN_FILES = 100  # of which only the beginning was read

ResultT = TypeVar("ResultT")


@dataclass(kw_only=True)
class RecordOptions(RecordFields):
    """The options of all commands that read boards and write records."""

    n_rejected = 0  # files that no run reads

    @cached_property
    def sources(self) -> dict[str, Any]:
        """The open files, and the streams, of files that were examined before they are read."""
        return {}

    def head(self, file: str) -> bytes:
        """Return the beginning of a file, which stays open for `take` unless there are many."""
        head, source = open_head(self.sources.get(file, file))
        if len(self.sources) < MAX_OPEN_FILES:
            self.sources[file] = source
        return head

    def take(self, file: str) -> Any:
        """Return what a file is read from: the source that `head` or the caller kept, or its name.

        An open file is handed over: whoever reads it closes it.
        """
        source = self.sources.get(file, file)
        if isinstance(source, HeadedFile):
            del self.sources[file]
        return source

    @cached_property
    def stop(self) -> TimeLimit:
        """The time limit, which begins when it is first used."""
        return TimeLimit(self.seconds)

    @property
    def n_threads(self) -> int:
        """The number of threads."""
        return self.threads or default_threads()


class BoardRun(Run):
    """A run of a command that reads boards, and the number of records so far.

    Parameters
    ----------
    given
        The options of the command.
    statuses
        All statuses of records, in the order of the summary.
    failures
        The statuses of records for which the command ends with status 1.

    Attributes
    ----------
    find_reader
        The parameter of `read_records`.
    rules
        The rules of all puzzles; None for those of the files.
    limit
        The number of solutions at which the search for a puzzle ends.
    board_noun
        What the summary calls a record.
    reports_bad
        Whether to report the records that cannot be read.
    totals
        Further sums of a command, which another run continues.
    writer
        Formats the records; another run continues its table.
    has_solutions
        Whether the records have solutions; otherwise, those of a file are other fields.
    skipped
        Called with records of the input that are already in the output.
    """

    texts = "puzzle", "solution", "canonical", "file"

    find_reader: ReaderFinder | None = None
    rules: Rules | None = None
    limit = 1
    board_noun = "Sudoku"
    writer: Writer | None = None
    has_solutions = True
    skipped: Callable[[Records], object] = staticmethod(lambda records: None)

    def __init__(
        self, given: RecordOptions, statuses: Collection[str], failures: Collection[str]
    ) -> None:
        given.call.reject("--dask", "--threads")
        self.n_solutions: int | None = None  # written by `solve --all`; otherwise None
        self.n_inconsistent = 0
        self.problems: list[tuple[int, str]] = []  # of a chunk: the line, and the message
        self.n_done = 0  # records of the input
        self._n_to_skip = 0  # of them, those that the continued run has written
        self.totals: Counter[str] = Counter()
        self.n_unreadable_sources = given.n_rejected
        self.stop_reason = ""  # if the run ended early
        self.is_stopped = False  # by the time limit
        self.is_rejected = False  # `--strict` has ended the run
        self.n_left = 0  # records of the last chunk, which another run continues
        self.bytes_read = 0  # of all sources
        self.is_typed = "-" in given.files and is_terminal(sys.stdin)
        writes_to_terminal = is_shown(given.output)
        # On a terminal, the records themselves show what is unreadable.
        self.reports_bad = not (writes_to_terminal and is_terminal(sys.stderr))
        total_bytes = None if "-" in given.files else sum(map(file_size, given.files))
        has_display = not (writes_to_terminal or self.is_typed)
        super().__init__(
            given.call, given.stop, given.output, total=total_bytes, is_shown=has_display
        )
        self.options = given
        self.files = given.files
        self.origin = origin_of(given.call, *given.files)
        self.resume = given.resume
        self.statuses = statuses
        self.failures = failures

    def _open(self) -> None:
        """Open the output, and if it is continued, restore what the run had counted."""
        super()._open()
        if self.saved:
            self.n_solutions = self.saved["n_solutions"]
            self.n_inconsistent = self.saved["n_inconsistent"]
            self.n_done = self._n_to_skip = self.saved["done"]  # which `read` passes over
            self.totals.update(self.saved["totals"])
            if self.writer is not None:
                self.writer.header = self.saved["header"]

    @property
    def is_usable(self) -> bool:  # type: ignore[override]
        """Whether all files can be read."""
        return not self.n_unreadable_sources

    @property
    def is_complete(self) -> bool:  # type: ignore[override]
        """Whether the output has all records of the input."""
        return self.is_usable and not self.stop_reason

    def map(
        self,
        start: Callable[[Records], Callable[[], ResultT]],
        n_workers: int,
        chunks: Iterator[Records] | None = None,
    ) -> Iterator[tuple[Records, ResultT]]:
        """Yield chunks of the input with their results, until the time limit; see `map_chunks`.

        After each of them, its problems are reported by their lines, and the progress is displayed.
        If the caller has set `n_left`, with `cut` or `leave`, this chunk is the last one, and only
        the records before the `n_left` last ones are done.
        """
        # Nothing is read ahead of puzzles that are typed.
        n_ahead = 0 if self.is_typed else n_workers
        for records, result in map_chunks(chunks or self.read(), start, n_ahead):
            try:
                yield records, result
            finally:  # also if the caller fails
                n_kept = records.n_records - self.n_left
                bad = first_bad(records, n_kept)
                if self.reports_bad:
                    self.problems += [(each.line, each.at(records.source)) for each in bad]
                for _, problem in sorted(self.problems):
                    self.report_problem(problem)
                self.problems.clear()
            self._note_bad(records.source, bad)
            if self.n_left and not n_kept:  # nothing is done that the last mark lacks
                return
            self.n_done += n_kept
            self.mark(
                done=self.n_done,
                n_solutions=self.n_solutions,
                n_inconsistent=self.n_inconsistent,
                totals=dict(self.totals),
                header=[] if self.writer is None else self.writer.header,
            )
            self.show_progress()
            if self.n_left:
                return

    def cut(self, records: Records, is_known: NDArray[np.bool_]) -> Records:
        """Return the records of a chunk before the first board that a stop has left without result.

        `is_known` says which boards have a result. The run ends with these records, also with bad
        ones before that board; if the output is a file, another run continues it.
        """
        if is_known.all() or not self.stop():
            return records
        n_known = int(np.argmin(is_known))  # the number of the first board without result
        bad = tuple(each for each in records.bad if each.index <= n_known)
        kept = records.take(np.arange(n_known), bad)
        self.n_left = records.n_records - kept.n_records
        self._set_stopped()
        return kept

    def leave(self, records: Records) -> None:
        """Leave the last chunk to another run, which continues the file before it."""
        if self.part is not None and self.stop():
            self.n_left = records.n_records
            self._set_stopped()

    def _set_stopped(self) -> None:
        self.is_stopped = True
        self.stop_reason = "time limit reached: the remaining input was not read"

    def _note_bad(self, source: str, bad: Iterable[BadRecord]) -> None:
        self.unreadable += (BadPlace(source, each.line, each.reason) for each in bad)

    def _without_done(self, records: Records) -> Records:
        """Return the records of a chunk that the run which is continued has not written."""
        if not self._n_to_skip:
            return records
        n_done = min(self._n_to_skip, records.n_records)
        self._n_to_skip -= n_done
        n_bad = len(first_bad(records, n_done))
        done_rows, new_rows = np.split(np.arange(len(records)), [n_done - n_bad])
        done = records.take(done_rows, records.bad[:n_bad])
        self._note_bad(done.source, done.bad)
        self.skipped(done)
        new = records.take(new_rows, records.bad[n_bad:])
        return new.replace(first_number=records.first_number + len(done_rows))

    def show_progress(self) -> None:
        """Display the number of records and the part of the input that is done."""
        self.display.update(self.progress(), self.bytes_read)

    def read(self, max_boards: ChunkSize = lambda _: CHUNK_BOARDS) -> Iterator[Records]:
        """Yield the records of all files, or boards, but those that the resumed run has written.

        A file that cannot be read is reported and skipped. The run keeps the number of bytes read,
        the bad places, and the reason of an early end.
        """
        self._name_columns()
        start_bytes = 0
        for file in self.files:
            board = board_from_argument(file, self.options.blank)
            name = source_name(file) if board is None else BOARD_SOURCE
            try:
                for records in self._read_file(file, name, board, max_boards):
                    self.bytes_read = start_bytes + records.bytes_read
                    new = self._without_done(records)
                    # A table without rows is yielded, too: its titles are written.
                    if new.n_records or not records.n_records:
                        yield new
            except Stopped:
                self._set_stopped()
            except UnreadableError as error:
                self.n_unreadable_sources += 1
                advice = "" if board is not None else advise_size(file)
                self.unreadable.append(BadPlace(error.source, None, error.reason))
                report_error(f"{error}{advice}")
                if self.options.strict:
                    self.is_rejected = True
                    self.stop_reason = "stopped at the first file that cannot be read"
            except ValueError as error:  # the alphabet does not fit the size of the boards
                self.unreadable.append(BadPlace(name, None, str(error)))
                raise fail(f"{name}: {error}") from None
            if self.stop_reason:  # `_read_file` may set it, too
                return
            start_bytes += file_size(file)

    def _read_file(
        self, file: str, name: str, board: BinaryIO | None, max_boards: ChunkSize
    ) -> Iterator[Records]:
        """Yield the records of a file, or of a board that is given instead of it.

        `name` is that of either in messages. Raises UnreadableError if there is no puzzle, and
        Stopped at the time limit.
        """
        if self._is_other_link(file):
            raise UnreadableError(shorten(file), describe_link(file))
        if self.find_reader is None and find_reader(self.options.head(file)) is not None:
            raise UnreadableError(
                name, "this is a puzzle with rules, which this command does not take"
            )
        chunks = self._read(board or self.options.take(file), max_boards)
        has_content = False
        remark = "; it is empty, or has only comments"  # unless unreadable records are yielded
        while (chunk := self.stop.call(partial(next, chunks, None), INPUT_END)) is not None:
            records = with_rules(chunk, self.rules)
            if len(records) or not records.bad:  # a table may have no rows
                has_content = True
            elif not has_content:
                bad = records.bad[0]
                remark = ""
                if board is not None:
                    raise UnreadableError(name, bad.reason)
                if len(records.bad) > MAX_BAD:  # so this is no file of boards
                    raise UnreadableError(name, f"no puzzle found; line {bad.line}: {bad.reason}")
            if self.stop():
                raise Stopped("time limit reached")
            if self.options.strict and records.bad:
                self.is_rejected = True
                self.stop_reason = "stopped at the first record that cannot be read"
                first = records.bad[0]
                yield records.take(np.arange(first.index), (first,))
                return
            yield records
        if not has_content:
            raise UnreadableError(name, f"no puzzle found{remark}")

    def _read(self, source: Any, max_boards: ChunkSize) -> Iterator[Records]:
        """Read the records of a file or a stream as the options of the command say."""
        return read_records(
            source,
            box=self.options.box,
            alphabet=self.options.alphabet,
            blank=self.options.blank,
            chunk_boards=max_boards,
            find_reader=self.find_reader,
        )

    def _name_columns(self) -> None:
        """Tell the writer of CSV the fields of all files, unless a continued file has the titles.

        The titles are the first line, before the boards of any file.
        """
        if self.writer is not None and self.writer.style == "csv" and not self.saved:
            with suppress(Stopped):  # no chunk is yielded after the time limit
                self.writer.names = self.stop.call(self._find_names, INPUT_END)

    def _find_names(self) -> list[str]:
        """Return the names of the other fields of all files.

        `OTHER` follows if there is a stream: as it is read only once, later, its fields are not
        known yet. A file is read until its names are: plain lines without any have none, and a
        table has its titles. In any other file, each record may have further ones.
        """
        names: dict[str, None] = {}
        has_streams = False
        for file in self.options.files:
            if not os.path.isfile(file):
                has_streams |= board_from_argument(file, self.options.blank) is None
                continue
            self.options.head(file)
            source = self.options.sources.get(file, file)
            keeping = source.kept() if isinstance(source, HeadedFile) else nullcontext()
            with suppress(UnreadableError, ValueError), keeping:  # which are reported later
                is_plain = self.has_solutions and not may_have_names(source)
                for chunk in self._read(source, lambda _: CHUNK_BOARDS):
                    names |= chunk.names
                    if (is_plain and not chunk.names) or chunk.columns or self.stop():
                        break
        return [*names, *([OTHER] if has_streams else [])]

    def _is_other_link(self, argument: str) -> bool:
        """Return whether an argument is a link, but not one to what the command reads."""
        if is_link(argument):  # to a puzzle with rules, for which few commands have a reader
            return self.find_reader is None
        link = complete_link(argument)
        return bool(link) and not (is_board_link(link) or os.path.exists(argument))

    def count(self, records: Records, result: EngineResult) -> None:
        """Count the results of a chunk, and note those that are inconsistent with the file."""
        self.status_counts.update(count_statuses(result.counts, self.limit))
        self.status_counts[UNREADABLE] += len(records.bad)
        if records.rules is None:
            rows = np.flatnonzero(result.counts == 0)
            # One more than are reported makes `report_one_of` say that there are others.
            n_left = max(0, MAX_REPORTED_PROBLEMS + 1 - self.n_problems)
            conflicts = find_conflicts(records.boards[rows], records.box, records.alphabet)
            for row, conflict in islice(conflicts, n_left):
                line = int(records.lines[rows[row]])
                self.problems.append((line, f"{records.source}:{line}: {conflict}"))
        for line, reason in verify_claims(records, result, self.limit):
            self.n_inconsistent += 1
            self.problems.append((line, f"{records.source}:{line}: {reason}"))

    @property
    def n_puzzles(self) -> int:
        """The number of records, also of those that are unreadable."""
        return self.status_counts.total()

    def progress(self) -> str:
        """Return the number of records as text, and of solutions if all are written."""
        text = plural(self.n_puzzles, self.board_noun)
        if self.n_solutions is not None:
            text += f", {plural(self.n_solutions, 'solution')}"
        return text

    def exit(self, remark: str = "") -> NoReturn:
        """Report the results, why the run ended early, and a remark, and end the command.

        If nothing was read because of errors, the errors suffice.
        """
        has_read_something = self.n_unreadable_sources == 0 or self.n_records or self.n_puzzles
        if has_read_something:
            counts = {name: self.status_counts[name] for name in self.statuses}
            counts["inconsistent with the file"] = self.n_inconsistent
            results = describe_statuses(counts)
            speed = "" if self.is_typed else f" ({self.duration(self.n_puzzles)})"
            report(f"{self.progress()}: {results or 'nothing to do'}{speed}")
        if self.stop_reason:
            report(self.stop_reason)
        if remark and has_read_something:
            report(remark)
        is_failed = any(map(self.status_counts.get, self.failures))
        is_unfinished = self.stop() and self.status_counts[UNFINISHED] > 0
        raise ending(
            is_usable=self.is_usable and not self.is_rejected,
            is_complete=not (self.is_stopped or is_unfinished),
            is_readable=not self.status_counts[UNREADABLE],
            is_solved=not (self.n_inconsistent or is_failed),
        )


def solving_run(given: RecordOptions, limit: int, check: bool, rules: Rules | None) -> BoardRun:
    """Return a run that counts up to `limit` solutions of each puzzle; `check` expects one."""
    successes = {"solved", "unique", UNREADABLE}  # the last has an exit status of its own
    if limit > 1 and not check:
        successes.add("multiple")
    run = BoardRun(given, STATUSES, {*STATUSES} - successes)
    run.find_reader = find_reader
    run.rules = rules
    run.limit = limit
    return run


def with_rules(records: Records, rules: Rules | None) -> Records:
    """Report what is unusual about records, and return them with the rules of `--rules`, if any."""
    for notice in records.notices:
        report(f"{records.source}: {notice}; use --alphabet to select another")
    if rules is None:
        return records
    if records.rules is not None:
        raise fail(f"{records.source}: --rules cannot be combined with puzzles that have rules")
    return records.replace(rules=rules)


def first_bad(records: Records, n_records: int) -> tuple[BadRecord, ...]:
    """Return those of the first `n_records` records of a chunk that could not be read."""
    # `bad.index` boards and k bad records precede a bad record.
    return tuple(bad for k, bad in enumerate(records.bad) if bad.index + k < n_records)


def file_size(file: str) -> int:
    """Return the size of a file in bytes, or 0 if it is standard input or does not exist."""
    try:
        return os.stat(file).st_size
    except OSError:
        return 0
