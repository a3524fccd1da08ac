"""`rate`: rate the difficulty of files of Sudoku puzzles."""

from collections.abc import Callable

import numpy as np

from ..puzzles.variants.read import find_reader
from ..runtime.batches import WorkerThreads
from ..runtime.choices import DIFFICULTIES, INVALID, RATING_STYLES
from ..sudoku.io.columns import UNREADABLE
from ..sudoku.io.read import Reader
from ..sudoku.io.records import Records
from ..sudoku.io.write import Writer
from ..sudoku.io.write_ratings import format_ratings, select
from ..sudoku.rating import Ratings, check_box, rate_boards
from .board_run import BoardRun, RecordOptions
from .cluster import open_tasks
from .output import last_record
from .terminal import fail, failing

RATED_BOARDS = 2048  # of a chunk, which take a second
BOARDS_WITH_STEPS = 64
STATUSES = (*DIFFICULTIES, INVALID, UNREADABLE)


def rate(
    *,
    style: str,
    difficulty: str | None,
    with_steps: bool,
    records: RecordOptions,
) -> None:
    """Rate the difficulty of 9x9 puzzles, in the classes of qqwing."""
    if with_steps and style == RATING_STYLES[0]:
        raise fail("--with-steps needs --format json or csv, or -o FILE.parquet")
    is_selected = difficulty is not None
    is_bare = is_selected and style == "line"  # the puzzles, without remarks
    finder = None
    if with_steps:
        from ..explain.deduction.ratings import StepFinder  # slow

        finder = StepFinder()
    writer = Writer(style)
    run = BoardRun(records, STATUSES, [INVALID])
    run.writer = writer
    run.find_reader = _find_reader
    run.reports_bad |= is_selected  # they are not in the output
    with (
        run.writing(),
        WorkerThreads(records.n_threads, run.stop) as threads,
        open_tasks(records.dask) as tasks,
    ):
        workers = tasks or threads

        def start(chunk: Records) -> Callable[[], Ratings]:
            """Start rating a chunk, and return a function that waits for the ratings."""
            if chunk.rules is not None:
                from ..explain.deduction.ratings import rate_variants

                given = chunk.boards, chunk.box, chunk.rules, with_steps
                return workers.start(rate_variants, *given, run.stop.seconds_left())
            with failing(f"{chunk.source}: "):
                check_box(chunk.box)
            return workers.start(rate_boards, chunk.boards, not is_bare)

        chunks = run.read(lambda _: BOARDS_WITH_STEPS if with_steps else RATED_BOARDS)
        for whole, ratings in run.map(start, workers.n_workers, chunks):
            if finder is not None and whole.rules is None:
                ratings.add_steps(finder.find, run.stop)
                # A stop leaves the last boards without steps.
                ratings = ratings.take(np.arange(len(ratings.steps or ())))
            chunk = run.cut(whole, np.arange(len(whole)) < len(ratings))
            selected, their_ratings = select(chunk, ratings, difficulty)
            if is_bare:
                text = writer.format_boards(selected, selected.boards, "puzzle")
            else:
                text = format_ratings(writer, selected, their_ratings)
            run.write(text, selected.n_records)
            run.status_counts.update(ratings.count_classes())
            run.status_counts[UNREADABLE] += len(chunk.bad)
        if style == "json":
            classes = {name: run.status_counts[name] for name in STATUSES}
            run.write(f"{last_record(run.is_complete, classes=classes)}\n".encode(), 0)
    run.exit()


def _find_reader(head: bytes) -> Reader | None:
    """Return a reader of puzzles with rules, or None if a file that begins so has none.

    Whatever the size of chunks, its chunks have one puzzle, which is written when it is rated.
    """
    read = find_reader(head)
    if read is None:
        return None
    return lambda source, texts, box, alphabet, _: read(source, texts, box, alphabet, lambda _: 1)
