"""Batches of variations of an exact cover problem: `cover --batch` and `count --batch`."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, NoReturn, cast

from ..cover.batch import CoverBatch
from ..cover.counting import Order
from ..cover.exact_cover import ExactCover
from ..cover.stated import stated_of
from ..cover.text import format_cover
from ..kernels.dlx.state import UNLIMITED
from ..puzzles.exact.variations import LineBlock, LineReader
from ..runtime.text import plural
from . import options
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
    """Print a cover, or the number of covers, for each line of a file of variations.

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
    has_covers = order is not None
    options.reject("--batch", "--checkpoint", "--presolve")
    options.require("--output", "--resume")
    if path == problem.file == "-":
        raise fail("the problem and the batch cannot both be read from standard input")
    # The run writes the output, not the block that reads the problem.
    output = problem.output
    problem.output = "-"
    with search.reading(problem, is_explained=False) as (cover, _):
        limit: int | None = None if search.limit == UNLIMITED else search.limit
        if has_covers:
            limit = limit or 1
        writes_to_terminal = is_shown(output)
        total_bytes = None if path == "-" else file_size(path)
        run = Run(problem.stop, output, total=total_bytes, is_shown=not writes_to_terminal)
        run.files = path, problem.file
        run.origin = origin_of(path, problem.file)
        run.resume = search.resume
        reader = LineReader(cover.problem, stated_of(cover).names, problem.start)
        numbers: Counter[str] = Counter()  # of lines without a cover, and of covers
        with run.writing(), failing():
            numbers.update(run.saved.get("numbers", {}))
            n_done = run.saved.get("done", 0)
            if style == "csv" and not run.saved:
                run.write(b"line,status,count,cover\n" if has_covers else b"line,status,count\n", 0)
            for lines in _unwritten(reader.read(path), run, n_done):
                readable = [each for each in lines.variations if not isinstance(each, str)]
                for line, variation in enumerate(lines.variations, lines.first):
                    if isinstance(variation, str):
                        run.report_problem(f"{source_name(path)}:{line}: {variation}")
                # After a signal, what is complete is written, too.
                with deferred_signals(run.stop.cancel):
                    batch = cover.solve_batch(
                        given=[each.given for each in readable],
                        forbidden=[each.forbidden for each in readable],
                        covered=[each.covered for each in readable],
                        limit=limit,
                        order=cast(Order, order or "search"),
                        seconds=None if problem.seconds is None else run.stop.seconds_left(),
                        stop=run.stop,
                    )
                    records = list(_records(cover, lines, batch, style, problem.start, has_covers))
                    statuses = [record.status for record in records]
                    if UNFINISHED in statuses:
                        run.is_complete = False
                        if run.part is not None:  # another run continues with this line
                            del records[statuses.index(UNFINISHED) :]
                    counted = Counter(record.status for record in records)
                    n_complete = len(records) - counted[UNFINISHED]
                    run.write("".join(record.text for record in records).encode(), n_complete)
                    run.status_counts.update(counted)
                    counts = [record.n_covers for record in records]
                    numbers[WITHOUT] += counts.count(0)
                    numbers["covers"] += sum(count for count in counts if count > 0)
                    n_done += len(records)
                    run.mark(done=n_done, numbers=dict(numbers))
                run.display.update(plural(n_done, "line"), lines.bytes_read)
                if not run.is_complete:
                    break
        numbers |= run.status_counts
        shown = (WITHOUT, UNREADABLE, UNFINISHED)
        parts = [f"{numbers[status]:,} {status}" for status in shown if numbers[status]]
        total = f"{plural(n_done, 'line')}, {plural(numbers['covers'], 'solution')}"
        report(", ".join([total, *parts]) + f" ({run.duration(n_done)})")
        if not run.is_complete:
            report("time limit reached: the remaining lines were not read")
        raise ending(
            is_complete=run.is_complete,
            is_readable=not numbers[UNREADABLE],
            is_solved=not numbers[WITHOUT],
        )


class _Record(NamedTuple):
    """The record of a line, its status, and the number of covers, -1 if it is unknown."""

    text: str
    status: str
    n_covers: int


def _unwritten(blocks: Iterator[LineBlock], run: Run, n_done: int) -> Iterator[LineBlock]:
    """Yield the lines that are not written yet, and note those that cannot be read."""
    for block in blocks:
        for line, variation in enumerate(block.variations, block.first):
            if isinstance(variation, str):
                run.unreadable.append(BadPlace(source_name(run.files[0]), line, variation))
        yield from block.after(n_done, BLOCK_LINES)


def _records(
    cover: ExactCover, lines: LineBlock, batch: CoverBatch, style: str, start: int, has_covers: bool
) -> Iterator[_Record]:
    """Yield the record of each line; `batch` has the readable ones."""
    cover_style = "numbers" if style == "csv" else style
    named_problem = cover.problem, stated_of(cover).names
    results = iter(zip(batch.counts.tolist(), batch.covers, strict=True))
    stated = zip(lines.variations, lines.ids, strict=True)
    for line, (variation, own_id) in enumerate(stated, lines.first):
        error = variation if isinstance(variation, str) else ""
        count, found = (-1, None) if error else next(results)
        status = COMPLETE
        if error:
            status = UNREADABLE
        elif count < 0:  # the search is unfinished
            status = UNFINISHED
        counted = None if count < 0 else count
        text = "" if found is None else format_cover(*named_problem, found, cover_style, start)
        if style == "json":
            record = {**own_id, "line": line, "status": status, "count": counted}
            record |= {"cover": json.loads(text) if text else None} if has_covers else {}
            record |= {"error": error} if error else {}
            text = json.dumps(record)
        elif style == "csv":  # the numbers of a cover are separated by spaces
            number = "" if counted is None else counted
            text = f"{line},{status},{number}{f',{text}' if has_covers else ''}"
        elif status != COMPLETE:
            text = status
        elif not has_covers:
            text = str(count)
        else:
            text = NO_COVER if found is None else text
        yield _Record(text + "\n", status, count)
