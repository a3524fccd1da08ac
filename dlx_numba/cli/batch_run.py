"""Batches of variations of an exact cover problem: `cover --batch` and `count --batch`."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import NoReturn, cast

from ..cover.batch import CoverBatch
from ..cover.counting import Order
from ..cover.exact_cover import ExactCover
from ..cover.text import format_cover
from ..kernels.dlx.state import UNLIMITED
from ..kinds.exact.variations import LineBlock, LineReader
from ..runtime.text import plural
from . import options
from .board_run import file_size
from .inputs import ProblemOptions
from .output import check_output, is_shown, source_name
from .run import Run
from .search_run import SearchOptions
from .terminal import deferred_signals, ending, fail, failing, report

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
    options.reject("--batch", "--checkpoint", "--resume", "--presolve")
    if path == problem.file == "-":
        raise fail("the problem and the batch cannot both be read from standard input")
    check_output(problem.output, path)
    with search.reading(problem, is_explained=False) as (cover, _):
        limit: int | None = None if search.limit == UNLIMITED else search.limit
        if has_covers:
            limit = limit or 1
        writes_to_terminal = is_shown(problem.output)
        total_bytes = None if path == "-" else file_size(path)
        # The run writes to standard output, which `reading` has redirected.
        run = Run(problem.stop, total=total_bytes, is_shown=not writes_to_terminal)
        reader = LineReader(cover.problem, cover._stated.names, problem.start)
        numbers = Counter[str]()  # of lines by status, of those without a cover, and of covers
        with run.writing(), failing():
            if style == "csv":
                run.write(b"line,status,count,cover\n" if has_covers else b"line,status,count\n", 0)
            for lines in reader.read(path):
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
                    statuses = [status for _, status in records]
                    n_complete = len(records) - statuses.count(UNFINISHED)
                    run.write("".join(text for text, _ in records).encode(), n_complete)
                numbers.update(statuses)
                numbers[WITHOUT] += int((batch.counts == 0).sum())
                numbers["covers"] += int(batch.counts[batch.counts > 0].sum())
                n_lines = run.n_records + numbers[UNFINISHED]
                run.display.update(plural(n_lines, "line"), lines.bytes_read)
                if numbers[UNFINISHED]:
                    break
        shown = (WITHOUT, UNREADABLE, UNFINISHED)
        parts = [f"{numbers[status]:,} {status}" for status in shown if numbers[status]]
        n_lines = run.n_records + numbers[UNFINISHED]
        total = f"{plural(n_lines, 'line')}, {plural(numbers['covers'], 'solution')}"
        report(", ".join([total, *parts]) + f" ({run.duration(n_lines)})")
        if numbers[UNFINISHED]:
            report("time limit reached: the remaining lines were not read")
        raise ending(is_complete=not numbers[UNFINISHED], is_solved=not parts)


def _records(
    cover: ExactCover, lines: LineBlock, batch: CoverBatch, style: str, start: int, has_covers: bool
) -> Iterator[tuple[str, str]]:
    """Yield the record and the status of each line; `batch` has the readable ones."""
    cover_style = "numbers" if style == "csv" else style
    named_problem = cover.problem, cover._stated.names
    results = iter(zip(batch.counts.tolist(), batch.covers, strict=True))
    named = zip(lines.variations, lines.ids, strict=True)
    for line, (variation, id) in enumerate(named, lines.first):
        error = variation if isinstance(variation, str) else ""
        count, found = (-1, None) if error else next(results)
        status = UNREADABLE if error else UNFINISHED if count < 0 else COMPLETE
        counted = None if count < 0 else count
        text = "" if found is None else format_cover(*named_problem, found, cover_style, start)
        if style == "json":
            record = {**id, "line": line, "status": status, "count": counted}
            record |= {"cover": json.loads(text) if text else None} if has_covers else {}
            record |= {"error": error} if error else {}
            text = json.dumps(record)
        elif style == "csv":  # the numbers of a cover are separated by spaces
            stated = "" if counted is None else counted
            text = f"{line},{status},{stated}{f',{text}' if has_covers else ''}"
        elif status != COMPLETE:
            text = status
        elif not has_covers:
            text = str(count)
        else:
            text = NO_COVER if found is None else text
        yield text + "\n", status
