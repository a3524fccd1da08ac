"""The levels of a count: their rows, and the parts that are advanced."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.memo.levels import Part
from ..runtime.batches import split_rows
from .stored_rows import Rows

Parts = Sequence[tuple[int, Part]]  # the step that is next, and the sections of a part


class SortedRun(NamedTuple):
    """Different rows, ordered by divisions: ranges of hash codes, the same for all runs.

    Equal rows of several runs are thus in the same division; see `kernels.memo.levels`.
    """

    rows: Rows
    ends: NDArray[np.int64]  # the end of each division, after 0


class Level(NamedTuple):
    """The rows of a level, on their way to a later step."""

    last: int  # the step
    parts: Parts  # that have not reached it
    runs: list[SortedRun]  # that have
    nbytes: int = 0  # the size of the rows at the beginning


class CountState(NamedTuple):
    """The state of a count, which is replaced as a whole."""

    levels: list[Level]  # the last one is next; the others wait for memory
    value: int = 0
    n_rows: int = 0  # advanced by a step
    n_subproblems: int = 0  # those that had options
    n_children: int = 0
    seconds: float = 0.0


def divide_runs(runs: list[SortedRun], n_parts: int) -> list[Part]:
    """Return about `n_parts` parts of a level, of which several workers can advance one each.

    Equal rows of different runs are in the same part, so that it can merge them.
    """
    if len(runs) == 1:  # its rows are different, so they can be divided anywhere
        rows = runs[0].rows
        return [[rows[part]] for part in split_rows(len(rows), n_parts)]
    ends = np.array([run.ends for run in runs])
    totals = ends.sum(axis=0)
    # Between these divisions, the parts have about equally many rows.
    bounds = np.searchsorted(totals, np.linspace(0, totals[-1], n_parts + 1))
    parts = [
        [run.rows[run.ends[first] : run.ends[last]] for run in runs]
        for first, last in pairwise(np.unique(bounds))
    ]
    return [[rows for rows in part if len(rows)] for part in parts]


def sources_of(level: Level) -> list[Rows]:
    """Return all rows of a level."""
    return [rows for _, part in level.parts for rows in part] + [run.rows for run in level.runs]
