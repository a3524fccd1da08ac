"""Batches of variations of an exact cover problem: `cover --batch` and `count --batch`."""

import csv
import io
import json
import sys
from typing import NoReturn, cast

import typer

from ..cover.batch import CoverBatch
from ..cover.exact_cover import ExactCover
from ..cover.io.text import SolutionStyle
from ..cover.io.variations import LineReader, Lines
from ..kernels.state import UNLIMITED
from ..runtime.display import ProgressDisplay
from ..runtime.errors import UnreadableError
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from .board_run import MAX_REPORTED_PROBLEMS, RecordRun, file_size
from .cover_problem import ProblemOptions, source_name
from .options import open_cluster, reject_options
from .output import check_output
from .search_run import SearchOptions
from .terminal import ExitStatus, fail, report

COMPLETE, UNFINISHED, UNREADABLE = "complete", "unfinished", "unreadable"
NO_COVER = "no cover"


def run_batch(
    path: str, problem: ProblemOptions, search: SearchOptions, style: str, *, has_covers: bool
) -> NoReturn:
    """Print a cover, or the number of covers, for each line of a file of variations.

    Parameters
    ----------
    path
        The file; `-` is standard input.
    problem, search
        The options of the command.
    style
        Its format: "numbers", "names", "json" or "csv".
    has_covers
        Whether to print covers, otherwise counts.
    """
    unusable = {
        "--checkpoint": search.checkpoint is not None,
        "--resume": search.resume,
        "--presolve": problem.presolve,
    }
    reject_options("--batch", unusable)
    if path == problem.file == "-":
        raise fail("the problem and the batch cannot both be read from standard input")
    check_output(problem.output, path)
    with open_cluster(search.dask) as executor, problem.reading() as cover:
        limit: int | None = None if search.limit == UNLIMITED else search.limit
        if has_covers:
            limit = limit or 1
        writes_to_terminal = problem.output == "-" and sys.stdout.isatty()
        total_bytes = None if path == "-" else file_size(path)
        display = ProgressDisplay(total_bytes, is_shown=not writes_to_terminal)
        run = RecordRun("-", [], display)  # the output is redirected
        reader, stop = (
            LineReader(cover.items, cover.option_names, problem.start),
            Stop(problem.seconds),
        )
        formatter = BatchFormatter(cover, style, problem.start, has_covers=has_covers)
        n_lines = n_unreadable = n_without = n_unfinished = n_covers = 0
        with run.writing():
            run.write(formatter.header(), 0)
            try:
                for lines in reader.read(path):
                    readable = []
                    for line, variation in enumerate(lines.variations, lines.first):
                        if not isinstance(variation, str):
                            readable.append(variation)
                            continue
                        n_unreadable += 1
                        if n_unreadable <= MAX_REPORTED_PROBLEMS:
                            report(f"{source_name(path)}:{line}: {variation}")
                        elif n_unreadable == MAX_REPORTED_PROBLEMS + 1:
                            report("... further problems are not reported")
                    batch = cover.solve_batch(
                        given=[each.given for each in readable],
                        forbidden=[each.forbidden for each in readable],
                        covered=[each.covered for each in readable],
                        limit=limit,
                        threads=search.threads,
                        executor=executor,
                        seconds=None if problem.seconds is None else stop.seconds_left(),
                    )
                    run.write(formatter.text(lines, batch), len(lines.variations))
                    n_lines += len(lines.variations)
                    n_without += int((batch.counts == 0).sum())
                    n_unfinished += int((batch.counts < 0).sum())
                    n_covers += sum(count for count in batch.counts.tolist() if count > 0)
                    display.update(plural(n_lines, "line"), lines.bytes_read)
                    if n_unfinished:
                        break
            except UnreadableError as error:
                raise fail(str(error)) from None
        numbers = {"without a cover": n_without, UNREADABLE: n_unreadable, UNFINISHED: n_unfinished}
        parts = [f"{number:,} {name}" for name, number in numbers.items() if number]
        total = f"{plural(n_lines, 'line')}, {plural(n_covers, 'solution')}"
        report(", ".join([total, *parts]) + f" ({run.stopwatch.describe(n_lines)})")
        if n_unfinished:
            report("time limit reached: the remaining lines were not read")
            raise typer.Exit(ExitStatus.STOPPED)
        is_solved = n_without + n_unreadable == 0
        raise typer.Exit(ExitStatus.SUCCESS if is_solved else ExitStatus.NOT_SOLVED)


class BatchFormatter:
    """Formats the results of a batch, one record for each line of the input.

    Parameters
    ----------
    cover
        The problem.
    style
        "numbers", "names", "json" or "csv".
    start
        The number of the first option.
    has_covers
        Whether records have covers; otherwise, they have counts only.
    """

    def __init__(self, cover: ExactCover, style: str, start: int, *, has_covers: bool) -> None:
        self.cover, self.style, self.start, self.has_covers = cover, style, start, has_covers

    def header(self) -> bytes:
        """Return the text before the first record."""
        columns = ["line", "status", "count", *["cover"] * self.has_covers]
        return (",".join(columns) + "\n").encode() if self.style == "csv" else b""

    def text(self, lines: Lines, batch: CoverBatch) -> bytes:
        """Return the records of some lines; `batch` has those that are readable."""
        texts = []
        results = iter(zip(batch.counts.tolist(), batch.covers, strict=True))
        for line, variation in enumerate(lines.variations, lines.first):
            if isinstance(variation, str):
                texts.append(self._record(line, UNREADABLE, None, None, variation))
                continue
            count, found = next(results)
            if count < 0:
                texts.append(self._record(line, UNFINISHED, None, None))
            else:
                texts.append(self._record(line, COMPLETE, count, found))
        return "".join(texts).encode()

    def _record(
        self, line: int, status: str, count: int | None, cover: list[int] | None, error: str = ""
    ) -> str:
        style = cast(SolutionStyle, "numbers" if self.style == "csv" else self.style)
        text = "" if cover is None else self.cover.format(cover, style, start=self.start)
        if self.style == "json":
            record: dict[str, object] = {"line": line, "status": status, "count": count}
            if self.has_covers:
                record["cover"] = json.loads(text) if text else None
            if error:
                record["error"] = error
            return json.dumps(record) + "\n"
        if self.style == "csv":
            file = io.StringIO()
            row = [line, status, "" if count is None else count, *[text] * self.has_covers]
            csv.writer(file, lineterminator="\n").writerow(row)
            return file.getvalue()
        if status != COMPLETE:
            return status + "\n"
        if not self.has_covers:
            return f"{count}\n"
        return (NO_COVER if cover is None else text) + "\n"
