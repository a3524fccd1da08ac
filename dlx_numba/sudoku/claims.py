"""What a file claims of its puzzles, held against what was found."""

import numpy as np

from .io.records import Records
from .result import BatchResult
from .verify import are_solutions


def contradictions(records: Records, result: BatchResult, limit: int) -> list[tuple[int, str]]:
    """Where the source tells of a board what is not so: its line, and what is wrong."""
    wrong: list[tuple[int, str]] = []
    if records.solutions is not None:
        told = records.solutions.any(axis=1)
        doubtful = np.flatnonzero(told & (records.solutions != result.solutions).any(axis=1))
        right = are_solutions(records.solutions[doubtful], records.boards[doubtful], records.box)
        wrong += [
            (int(records.lines[at]), "the solution given in the file does not solve the puzzle")
            for at in doubtful[~right]
        ]
    if records.counts is not None and limit > 1:
        # Of a complete board a file tells how many solutions its puzzle had, which is not there.
        is_puzzle = ~records.boards.all(axis=1)
        counts = np.where(is_puzzle, np.minimum(records.counts, limit), -1)
        for at in np.flatnonzero((counts >= 0) & (result.counts >= 0) & (counts != result.counts)):
            told_count, found = records.counts[at], result.counts[at]
            more = "at least " if found == limit else ""
            reason = f"the file tells of {told_count} solutions, there are {more}{found}"
            wrong.append((int(records.lines[at]), reason))
    return wrong
