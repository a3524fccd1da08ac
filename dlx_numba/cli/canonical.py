"""`canonical`: write canonical forms of boards."""

from collections.abc import Callable

import numpy as np

from ..runtime.batches import WorkerThreads
from ..runtime.errors import Stopped
from ..sudoku.canonical.api import TOO_SYMMETRIC, Forms, find_forms, start_forms
from ..sudoku.io.columns import UNREADABLE
from ..sudoku.io.records import Records
from ..sudoku.io.symbols import Values
from ..sudoku.io.write import Writer
from .board_run import BoardRun, RecordOptions
from .cluster import open_tasks
from .terminal import fail

EQUIVALENT = "equivalent to earlier ones"


def canonical(
    *,
    style: str,
    unique: bool,
    records: RecordOptions,
) -> None:
    """Write canonical forms of boards, or find the boards that are not equivalent."""
    writer = Writer(style)
    written = "different" if unique else "canonical"
    run = BoardRun(records, (written, EQUIVALENT, UNREADABLE), [])
    run.board_noun = "board"
    run.writer = writer
    run.has_solutions = False
    seen: set[bytes] | None = set() if unique else None
    with (
        run.writing(),
        WorkerThreads(records.n_threads, run.stop) as threads,
        open_tasks(records.dask) as tasks,
    ):

        def start(chunk: Records) -> Callable[[], Forms]:
            if tasks is not None:
                return tasks.start(find_forms, chunk.boards, chunk.box)
            return start_forms(threads, chunk.boards, chunk.box)

        def note(chunk: Records) -> None:
            """Note the forms of boards that an earlier run has written."""
            forms = start(chunk)()
            if run.stop():
                raise Stopped("the forms are not known")
            _select(chunk, forms, seen)

        if unique:
            run.skipped = note
        for whole, forms in run.map(start, (tasks or threads).n_workers):
            chunk = run.cut(whole, forms.is_known)
            n_known = len(chunk)
            forms = Forms(forms.boards[:n_known], forms.automorphisms[:n_known])
            selected, boards = _select(chunk, forms, seen)
            if unique and style in ("line", "grid"):
                boards = selected.boards  # as they were collected
            run.write(writer.format_boards(selected, boards, "canonical"), selected.n_records)
            run.status_counts[written] += len(selected)
            run.status_counts[EQUIVALENT] += len(chunk) - len(selected)
            run.status_counts[UNREADABLE] += len(selected.bad)
    run.exit()


def _select(chunk: Records, forms: Forms, seen: set[bytes] | None) -> tuple[Records, Values]:
    """Return the records of a chunk to write, and their forms. Fails if a form is unknown.

    With a set `seen`, these are the boards whose form is not in it, and their forms are added.
    """
    if not forms.is_known.all():
        line = chunk.lines[np.argmin(forms.is_known)]
        raise fail(f"{chunk.source}:{line}: {TOO_SYMMETRIC}")
    if seen is None:
        return chunk, forms.boards
    rows = []
    for row, form in enumerate(forms.boards):
        if (key := bytes(chunk.box) + form.tobytes()) not in seen:
            seen.add(key)
            rows.append(row)
    return chunk.take(np.array(rows, np.int64), chunk.bad), forms.boards[rows]
