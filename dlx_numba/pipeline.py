"""Chunks of records in, chunks with their results out, in order, solved as they are read."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from .formats import Records
from .sudoku.check import are_solutions
from .sudoku.result import BatchResult
from .sudoku.team import Team


def solve_stream(chunks: Iterable[Records], team: Team) -> Iterator[tuple[Records, BatchResult]]:
    """Solve chunks with a team, some ahead of the one that is yielded."""
    waiting: deque[tuple[Records, Callable[[], BatchResult]]] = deque()
    for records in chunks:
        waiting.append((records, team.submit(records.boards, records.box)))
        if len(waiting) > 2 * team.threads:
            done, result = waiting.popleft()
            yield done, result()
    while waiting:
        done, result = waiting.popleft()
        yield done, result()


def contradictions(records: Records, result: BatchResult, limit: int) -> list[tuple[int, str]]:
    """Where the source tells of a board what is not so: its line, and what is wrong."""
    wrong: list[tuple[int, str]] = []
    if records.solutions is not None:
        told = records.solutions.any(axis=1)
        doubtful = np.flatnonzero(told & (records.solutions != result.solutions).any(axis=1))
        right = are_solutions(records.solutions[doubtful], records.boards[doubtful], records.box)
        wrong += [
            (int(records.lines[at]), "the solution given in the file is none")
            for at in doubtful[~right]
        ]
    if records.counts is not None and limit > 1:
        counts = np.minimum(records.counts, limit)
        for at in np.flatnonzero((counts >= 0) & (result.counts >= 0) & (counts != result.counts)):
            told_count, found = records.counts[at], result.counts[at]
            more = "at least " if found == limit else ""
            reason = f"the file tells of {told_count} solutions, there are {more}{found}"
            wrong.append((int(records.lines[at]), reason))
    return wrong
