"""`minimize`: remove redundant clues from files of Sudoku puzzles."""

from collections.abc import Callable
from functools import partial

import numpy as np

from ..runtime.interrupts import Stop
from ..runtime.text import plural
from ..sudoku.box import Box
from ..sudoku.generator.api import MinimizedBoards, minimize_boards
from ..sudoku.io.records import Records
from ..sudoku.io.write import Writer
from . import options
from .board_run import CHUNK_BOARDS, RecordOptions, solving_run
from .cluster import open_tasks

# The number of boards of a side that one thread minimizes in less than a second, if possible.
BOARDS_BY_SIDE = ((9, CHUNK_BOARDS), (12, 64), (16, 4))


def minimize(
    *,
    style: str,
    solution: bool,
    seed: int | None,
    rules: options.RulesOption,
    records: RecordOptions,
) -> None:
    """Remove redundant clues from files of Sudoku puzzles."""
    boards = "both" if solution else "puzzles"
    run = solving_run(records, 2, True, rules)
    run.writer = writer = Writer(style, limit=2, boards=boards)
    totals = run.totals
    with run.writing(), open_tasks(records.dask) as tasks:
        n_threads = records.n_threads if tasks is None else 1
        n_started = totals["puzzles"]  # with the seed, decides the random order of the clues

        def start(chunk: Records) -> Callable[[], MinimizedBoards]:
            """Return a function that minimizes a chunk, with all threads, or waits for a task."""
            nonlocal n_started
            stop = run.stop if tasks is None else Stop()  # a task is done to its end
            arguments = chunk.boards, chunk.box, seed, n_threads, stop, n_started, chunk.rules
            n_started += len(chunk)
            if tasks is not None:
                return tasks.start(minimize_boards, *arguments)
            return partial(minimize_boards, *arguments)

        chunks = run.read(partial(_max_boards, n_threads))
        n_ahead = 0 if tasks is None else tasks.n_workers
        for whole, (minimized, result, n_done) in run.map(start, n_ahead, chunks):
            chunk = run.cut(whole, np.arange(len(whole)) < n_done)
            minimized = minimized[: len(chunk)]
            result = result.rows(slice(0, len(chunk)))
            totals["puzzles"] += len(chunk)
            text = writer.format(chunk.replace(boards=minimized), result.solutions, result.counts)
            run.write(text, chunk.n_records)
            run.count(chunk, result)
            n_clues = int(np.count_nonzero(chunk.boards))
            totals["clues"] += n_clues
            totals["removed"] += n_clues - int(np.count_nonzero(minimized))
    run.exit(f"{totals['removed']:,} of {plural(totals['clues'], 'clue')} removed")


def _max_boards(n_threads: int, box: Box) -> int:
    """Return the number of boards to minimize at once: few if they are large, for the progress."""
    return n_threads * next((n_boards for side, n_boards in BOARDS_BY_SIDE if box.n <= side), 1)
