"""Measure whether harder puzzles are solved faster, on the four sets of data/.

    python -m scripts.measure difficulty [--runs 5]

qqwing assigns its puzzles to four classes of difficulty. The table has the givens of each class,
the nodes and guesses of the searches, which do not depend on the machine, and the mean times, next
to the figures published in 2014. Naive search looks for a second solution, too, as it did then.
Each puzzle is solved in a separate call, as in `bench`; the fastest of the runs counts.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dlx_numba.bench.measure import BoardSet
from dlx_numba.bench.measure import measure as measure_solver
from dlx_numba.bench.report import machine
from dlx_numba.runtime.choices import NAIVE
from dlx_numba.sudoku.box import Box

from ..puzzles import DATA, SETS, read_boards
from ..tables import Row

RUNS = 5
CUTOFF_SECONDS = 600.0  # no solver needs that long
# Mean and standard deviation of the milliseconds per puzzle of Dancing Links in Java, for four sets
# of 200 puzzles made by qqwing
PUBLISHED = {
    "simple": (1.35, 1.07),
    "easy": (1.20, 0.40),
    "intermediate": (1.04, 0.30),
    "expert": (1.00, 0.25),
}


@dataclass(frozen=True)
class SetDifficulty:
    """The effort of the solvers on one set of puzzles; means are per puzzle."""

    set_name: str
    n_boards: int
    mean_givens: float
    dlx_nodes: float  # mean
    dlx_without_dead_end: int  # puzzles with one node for each empty cell
    lanes_guesses: float  # mean
    lanes_without_guess: int  # puzzles
    naive_nodes: float  # mean, until there is no second solution
    mean_ms: dict[str, float]  # by solver
    deviation_ms: dict[str, float]  # by solver, standard deviation


@dataclass(frozen=True)
class Difficulty:
    """The comparison of all sets, with the machine on which the times were measured."""

    machine: dict[str, str]
    sets: list[SetDifficulty]

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Difficulty":
        return cls(data["machine"], [SetDifficulty(**each) for each in data["sets"]])


def measure(options: argparse.Namespace) -> Difficulty:
    """Measure the solvers on each set of data/."""
    return Difficulty(machine(), [_measure_set(name, options.runs) for name in SETS])


def _measure_set(name: str, repeat: int) -> SetDifficulty:
    boards = BoardSet(name, read_boards(DATA / f"{name}.txt"), Box(3, 3))
    lanes, dlx = (
        measure_solver(solver, boards, limit=1, repeat=repeat, cutoff=CUTOFF_SECONDS)
        for solver in ("lanes", "dlx")
    )
    naive = measure_solver(NAIVE, boards, limit=2, repeat=1, cutoff=CUTOFF_SECONDS)
    for each in (lanes, dlx, naive):
        if not each.solved.all():
            raise RuntimeError(f"{name}, {each.solver}: {each.note}")
    blanks = np.count_nonzero(boards.boards == 0, axis=1)
    return SetDifficulty(
        set_name=name,
        n_boards=len(boards.boards),
        mean_givens=boards.mean_givens,
        dlx_nodes=float(dlx.nodes.mean()),
        dlx_without_dead_end=int((dlx.nodes == blanks).sum()),
        lanes_guesses=float(lanes.nodes.mean()),
        lanes_without_guess=int((lanes.nodes == 0).sum()),
        naive_nodes=float(naive.nodes.mean()),
        mean_ms={each.solver: 1000 * float(each.seconds.mean()) for each in (lanes, dlx)},
        deviation_ms={each.solver: 1000 * float(each.seconds.std()) for each in (lanes, dlx)},
    )


def table(difficulty: Difficulty) -> list[Row]:
    """Return the table of givens, nodes, guesses and times, one column for each set."""
    sets = difficulty.sets

    def row(label: str, cell: Callable[[SetDifficulty], str]) -> Row:
        return [label, *map(cell, sets)]

    return [
        ["", *(each.set_name for each in sets)],
        row("givens", lambda each: f"{each.mean_givens:.1f}"),
        row("`dlx`: nodes", lambda each: f"{each.dlx_nodes:.1f}"),
        row("`dlx`: puzzles without a dead end", lambda each: str(each.dlx_without_dead_end)),
        row("`lanes`: guesses", lambda each: f"{each.lanes_guesses:.2f}"),
        row("`lanes`: puzzles without a guess", lambda each: str(each.lanes_without_guess)),
        row("`naive`: nodes", lambda each: f"{each.naive_nodes:,.0f}"),
        row("`lanes`: µs", lambda each: _mean_time(each, "lanes")),
        row("`dlx`: µs", lambda each: _mean_time(each, "dlx")),
        row("Java 2014, Dancing Links: ms", _published_time),
    ]


def _mean_time(each: SetDifficulty, solver: str) -> str:
    mean, deviation = each.mean_ms[solver], each.deviation_ms[solver]
    return _format_mean(1000 * mean, 1000 * deviation, each.n_boards)


def _published_time(each: SetDifficulty) -> str:
    return _format_mean(*PUBLISHED[each.set_name], each.n_boards)


def _format_mean(mean: float, deviation: float, n_values: int) -> str:
    """Return a mean with its standard error.

    >>> _format_mean(48.9, 174.3, 200)
    '48.90 ± 12.32'
    """
    return f"{mean:.2f} ± {deviation / n_values**0.5:.2f}"
