"""Measure whether harder puzzles are solved faster, on the four sets of data/.

    python -m scripts.measure difficulty [--runs 5]

qqwing assigns its puzzles to four classes of difficulty. The table states the givens of each class,
the nodes and guesses of the searches, which do not depend on the machine, and the mean times, next
to the figures published in 2014. Each puzzle is solved in a separate call, as in `bench`; the
fastest of the runs counts.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dlx_numba.bench.measure import BoardSet
from dlx_numba.bench.measure import measure as measure_solver
from dlx_numba.bench.report import PUBLISHED, PUBLISHED_NAIVE, Published, format_speedup, machine
from dlx_numba.sudoku.box import Box

from ..puzzles import DATA, SETS, read_boards
from ..tables import Row

RUNS = 5
CUTOFF_SECONDS = 600.0  # no solver needs that long
PUBLISHED_DLX = PUBLISHED["Java 2014, Dancing Links"]


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
    naive_nodes: float  # mean
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
    """Measure `lanes`, `dlx` and `naive` on each set of data/."""
    return Difficulty(machine(), [_measure_set(name, options.runs) for name in SETS])


def _measure_set(name: str, repeat: int) -> SetDifficulty:
    boards = BoardSet(name, read_boards(DATA / f"{name}.txt"), Box(3, 3))
    lanes, dlx, naive = (
        measure_solver(solver, boards, limit=1, repeat=repeat, cutoff=CUTOFF_SECONDS)
        for solver in ("lanes", "dlx", "naive")
    )
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
        mean_ms={each.solver: 1000 * float(each.seconds.mean()) for each in (lanes, dlx, naive)},
        deviation_ms={
            each.solver: 1000 * float(each.seconds.std()) for each in (lanes, dlx, naive)
        },
    )


def table(difficulty: Difficulty) -> list[Row]:
    """Return the table of givens, nodes, guesses, times and speedups, one column for each set."""
    sets = difficulty.sets

    def row(label: str, cell: Callable[[SetDifficulty], str]) -> Row:
        return [label, *map(cell, sets)]

    def dlx_speedup(each: SetDifficulty) -> str:
        return format_speedup(each.mean_ms["naive"] / each.mean_ms["dlx"])

    def published_speedup(each: SetDifficulty) -> str:
        name = each.set_name
        return format_speedup(PUBLISHED_NAIVE[name].average / PUBLISHED_DLX[name].average)

    return [
        ["", *(each.set_name for each in sets)],
        row("givens", lambda each: f"{each.mean_givens:.1f}"),
        row("`dlx`: nodes", lambda each: f"{each.dlx_nodes:.1f}"),
        row("`dlx`: puzzles without a dead end", lambda each: str(each.dlx_without_dead_end)),
        row("`lanes`: guesses", lambda each: f"{each.lanes_guesses:.2f}"),
        row("`lanes`: puzzles without a guess", lambda each: str(each.lanes_without_guess)),
        row("`naive`: nodes", lambda each: f"{each.naive_nodes:,.0f}"),
        row("`lanes`: µs", lambda each: _mean_time(each, "lanes", 1000)),
        row("`dlx`: µs", lambda each: _mean_time(each, "dlx", 1000)),
        row("`naive`: ms", lambda each: _mean_time(each, "naive", 1)),
        row("speedup of `dlx` over `naive`", dlx_speedup),
        row("Java 2014, Dancing Links: ms", lambda each: _published_time(PUBLISHED_DLX, each)),
        row("Java 2014, naive: ms", lambda each: _published_time(PUBLISHED_NAIVE, each)),
        row("speedup of Dancing Links over naive, Java 2014", published_speedup),
    ]


def _mean_time(each: SetDifficulty, solver: str, factor: float) -> str:
    mean, deviation = each.mean_ms[solver], each.deviation_ms[solver]
    return _format_mean(factor * mean, factor * deviation, each.n_boards)


def _published_time(source: dict[str, Published], each: SetDifficulty) -> str:
    published = source[each.set_name]
    return _format_mean(published.average, published.deviation, each.n_boards)


def _format_mean(mean: float, deviation: float, n_values: int) -> str:
    """Return a mean with its standard error.

    >>> _format_mean(48.9, 174.3, 200)
    '48.90 ± 12.32'
    """
    return f"{mean:.2f} ± {deviation / n_values**0.5:.2f}"
