"""Batches of variations of an exact cover problem: `cover --batch` and `count --batch`."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import starmap
from typing import Any, NamedTuple, NoReturn, cast

from ..cover.batch import CoverBatch
from ..cover.exact_cover import ExactCover
from ..cover.named_problem import named_problem
from ..cover.text import format_cover
from ..puzzles.exact.variations import LineBlock, VariationReader
from ..runtime.arguments import UNLIMITED
from ..runtime.choices import Order
from ..runtime.text import plural
from .board_run import file_size
from .inputs import ProblemOptions
from .output import is_shown, source_name
from .part import origin_of
from .run import Run
from .search_run import SearchOptions
from .terminal import BadPlace, deferred_signals, ending, fail, failing, report

BLOCK_LINES = 1024  # the work that a kill can cost
COMPLETE = "complete"
UNFINISHED = "unfinished"
UNREADABLE = "unreadable"
NO_COVER = "no cover"
WITHOUT = "without a cover"


def run_batch(
    path: str, problem: ProblemOptions, search: SearchOptions, style: str, order: str | None = None
) -> NoReturn:
    """Write a cover, or the number of covers, for each line of a file of variations.

    Parameters
    ----------
    path
        The file; `-` is standard input.
    problem, search
        The options of the command.
    style
        Its format: "numbers", "names", "json" or "csv".
    order
        The order of the covers, see `ExactCover.solve_batch`; None to print counts.
    """
    problem.call.reject("--batch", "--checkpoint", "--presolve")
    problem.call.require("--output", "--resume")
    if path == problem.file == "-":
        raise fail("the problem and the batch cannot both be read from standard input")
    # The run writes the output, not the block that reads the problem.
    output = problem.output
    problem.output = "-"
    with search.reading(problem, is_explained=False) as (cover, _):
        run = _BatchRun(path, problem, output, cover, style, order)
        if search.requested_limit is not None:
            run.limit = None if search.limit == UNLIMITED else search.limit
        run.resume = search.resume
        with run.writing(), failing():
            run.write_lines()
        run.exit()


class _LineRecord(NamedTuple):
    """The record of a line, its status, and the number of covers.

    The number is negative if it is unknown: the search is unfinished, or the line is unreadable.
    """

    text: str
    status: str
    n_covers: int


class _BatchRun(Run):
    """A run that writes a record for each line of a file of variations.

    Parameters
    ----------
    path, problem, style, order
        The parameters of `run_batch`.
    output
        The output file.
    cover
        The problem.

    Attributes
    ----------
    limit
        The number of covers at which the search for a variation ends; None for no limit. By
        default, 1 if covers are written, and None if only counts are.
    """

    texts = ("cover",)

    def __init__(
        self,
        path: str,
        problem: ProblemOptions,
        output: str,
        cover: ExactCover,
        style: str,
        order: str | None,
    ) -> None:
        total_bytes = None if path == "-" else file_size(path)
        super().__init__(
            problem.call, problem.stop, output, total=total_bytes, is_shown=not is_shown(output)
        )
        self.files = path, problem.file
        self.origin = origin_of(problem.call, *self.files)
        self.path = path
        self.start = problem.start
        self.cover = cover
        self.style = style
        self.order = order
        self.limit = None if order is None else 1
        self.numbers: Counter[str] = Counter()  # of lines `WITHOUT` a cover, and of all "covers"
        self.n_done = 0  # lines

    def write_lines(self) -> None:
        """Write the records of the lines that no earlier run has written, until the time limit."""
        self.numbers.update(self.saved.get("numbers", {}))
        self.n_done = self.saved.get("done", 0)
        self.unreadable += starmap(BadPlace, self.saved.get("unreadable", ()))
        if self.style == "csv" and not self.saved:
            self.write(
                b"line,status,count\n" if self.order is None else b"line,status,count,cover\n", 0
            )
        reader = VariationReader(self.cover.problem, named_problem(self.cover).names, self.start)
        for lines in reader.read(self.path, self.n_done, BLOCK_LINES, self.stop):
            self._write_block(lines)
            self.display.update(plural(self.n_done, "line"), lines.bytes_read)
            self.is_complete &= not lines.is_cut
            if not self.is_complete:
                return

    def _write_block(self, lines: LineBlock) -> None:
        """Write the records of some lines, in a file only up to the first unfinished one.

        On a stream, which no other run continues, unfinished lines are marked.
        """
        with deferred_signals(self.stop.cancel):  # after which what is complete is written, too
            records = list(self._records(lines, self._solve(lines)))
            statuses = [record.status for record in records]
            if UNFINISHED in statuses:
                self.is_complete = False
                if self.part is not None:  # another run continues with this line
                    del records[statuses.index(UNFINISHED) :]
            counted = Counter(record.status for record in records)
            n_complete = len(records) - counted[UNFINISHED]
            self.write("".join(record.text for record in records).encode(), n_complete)
            self.status_counts.update(counted)
            counts = [record.n_covers for record in records]
            self.numbers[WITHOUT] += counts.count(0)
            self.numbers["covers"] += sum(count for count in counts if count > 0)
            self.n_done += len(records)
            name = source_name(self.path)
            for line, variation in enumerate(lines.variations[: len(records)], lines.first):
                if isinstance(variation, str):  # the reason why the line is unreadable
                    self.unreadable.append(BadPlace(name, line, variation))
                    self.report_problem(f"{name}:{line}: {variation}")
            numbers = dict(self.numbers)
            self.mark(done=self.n_done, numbers=numbers, unreadable=[*self.unreadable])

    def _solve(self, lines: LineBlock) -> CoverBatch:
        """Return the covers of the variations on the lines that can be read."""
        # A text is the reason why a line is unreadable.
        readable = [each for each in lines.variations if not isinstance(each, str)]
        return self.cover.solve_batch(
            given=[each.given for each in readable],
            forbidden=[each.forbidden for each in readable],
            covered=[each.covered for each in readable],
            limit=self.limit,
            order=cast(Order, self.order or "search"),
            seconds=self.stop.seconds_left(),
            stop=self.stop,
        )

    def _records(self, lines: LineBlock, batch: CoverBatch) -> Iterator[_LineRecord]:
        """Yield the record of each line; `batch` has the results of the readable ones."""
        results = iter(zip(batch.counts.tolist(), batch.covers, strict=True))
        numbered = zip(lines.variations, lines.ids, strict=True)
        for line, (variation, own_id) in enumerate(numbered, lines.first):
            # An unreadable line has the reason in place of its variation.
            error = variation if isinstance(variation, str) else ""
            count, chosen = (-1, None) if error else next(results)
            status = COMPLETE
            if error:
                status = UNREADABLE
            elif count < 0:
                status = UNFINISHED
            if self.style == "json":
                text = self._format_json(own_id, line, status, count, chosen, error)
            elif self.style == "csv":
                text = self._format_csv(line, status, count, chosen)
            elif status != COMPLETE:
                text = status
            elif self.order is None:
                text = str(count)
            else:
                text = NO_COVER if chosen is None else self._format_cover(chosen)
            yield _LineRecord(text + "\n", status, count)

    def _format_json(
        self,
        own_id: dict[str, Any],
        line: int,
        status: str,
        count: int,
        chosen: list[int] | None,
        error: str,
    ) -> str:
        """Return the record of a line as JSON, with the id that its variation has of its own.

        `chosen` are the options of a cover; None without one. A negative count is unknown.
        """
        known_count = None if count < 0 else count
        record = {**own_id, "line": line, "status": status, "count": known_count}
        if self.order is not None:
            text = self._format_cover(chosen)
            record["cover"] = json.loads(text) if text else None
        if error:
            record["error"] = error
        return json.dumps(record)

    def _format_csv(self, line: int, status: str, count: int, chosen: list[int] | None) -> str:
        """Return the record of a line as CSV. The numbers of a cover are separated by spaces."""
        fields = [line, status, "" if count < 0 else count]
        if self.order is not None:
            fields.append(self._format_cover(chosen))
        return ",".join(map(str, fields))

    def _format_cover(self, chosen: list[int] | None) -> str:
        """Return the options of a cover as text, or "" if there is none."""
        if chosen is None:
            return ""
        style = "numbers" if self.style == "csv" else self.style
        names = named_problem(self.cover).names
        return format_cover(self.cover.problem, names, chosen, style, self.start)

    def exit(self) -> NoReturn:
        """Report the numbers of lines and covers, and end the command."""
        numbers = self.numbers | self.status_counts
        shown = (WITHOUT, UNREADABLE, UNFINISHED)
        parts = [f"{numbers[status]:,} {status}" for status in shown if numbers[status]]
        total = f"{plural(self.n_done, 'line')}, {plural(numbers['covers'], 'solution')}"
        report(", ".join([total, *parts]) + f" ({self.duration(self.n_done)})")
        if not self.is_complete:
            report("time limit reached: the remaining lines were not read")
        raise ending(
            is_complete=self.is_complete,
            is_readable=not numbers[UNREADABLE],
            is_solved=not numbers[WITHOUT],
        )
