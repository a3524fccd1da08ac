"""Measure batches of variations, and a separate problem for each variation.

    python -m scripts.measure batches
    .venv-peers/bin/python -m scripts.measure batches

The second form, after `bash scripts/compare_peers --help`, also measures xcover and exact-cover in
a loop. Their reduced problems are built before, as lists of the remaining options, and the time
includes their conversion to arrays. Times are processor times of one thread, the best of several
runs. All counts are compared. Of the variations, every k-th one is solved in a loop, and the time
of the others is extrapolated.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from itertools import product
from typing import Any

from dlx_numba import ExactCover, example
from dlx_numba.puzzles.pieces.calendar import DAYS, MONTHS
from dlx_numba.puzzles.pieces.genius_star import DICE

from ..peers.adapters import count_by_matrix, count_xcover, first_by_matrix, first_xcover
from ..peers.problems import ExactCoverProblem
from ..tables import Row
from .harness import best_times

OURS = "`solve_batch`"
RUNS = 3
N_ROLLS = 1000
MAX_LOOPED = 60  # about the number of variations that are solved in a loop

Variations = Sequence[Sequence[str]]


@dataclass(frozen=True)
class BatchTime:
    """The time to solve all variations of a batch in one way."""

    batch: str
    n_variations: int
    solved_by: str
    milliseconds: float


def reduced(cover: ExactCover, given: Sequence[str]) -> ExactCoverProblem:
    """Return a variation as other packages accept it: its given options are chosen."""
    names, stated = list(cover.option_names), cover.options
    chosen = {item for name in given for item in stated[names.index(name)]}
    items = [item for item in cover.items if item not in chosen]
    number_of = {item: number for number, item in enumerate(items)}
    options = [[number_of[i] for i in row] for row in stated if chosen.isdisjoint(row)]
    return ExactCoverProblem(options, len(items), len(items))


def best_time(call: Callable[[], int], expected: int, runs: int) -> float:
    """Return the smallest time of several calls in milliseconds, and check their result."""

    def checked() -> None:
        found = call()
        assert found == expected, (found, expected)

    return 1000 * best_times({"": checked}, runs, time.process_time)[""]


def measure_batch(
    title: str,
    cover: ExactCover,
    state: Callable[[Sequence[str]], ExactCover],
    given: Variations,
    limit: int | None,
    runs: int,
) -> list[BatchTime]:
    """Return the time of each way to solve all variations."""
    batch = cover.solve_batch(given=given, limit=limit)  # compiles the kernels
    total = int(batch.counts.sum())
    looped = given[:: max(1, len(given) // MAX_LOOPED)]
    counts = batch.counts[:: max(1, len(given) // MAX_LOOPED)]
    scale = len(given) / len(looped)
    times = []

    def add(name: str, milliseconds: float) -> None:
        times.append(BatchTime(title, len(given), name, milliseconds))

    def solve() -> int:
        return int(cover.replace(threads=1).solve_batch(given=given, limit=limit).counts.sum())

    add(OURS, best_time(solve, total, runs))

    def add_loop(name: str, count: Callable[[int], int]) -> None:
        expected = int(counts.sum())
        add(name, scale * best_time(lambda: sum(map(count, range(len(looped)))), expected, runs))

    def first(find: Callable[[ExactCoverProblem], Any]) -> Callable[[int], int]:
        return lambda k: len(find(problems[k])) > 0

    def count(prepare: Callable[[ExactCoverProblem], Callable[[], int]]) -> Callable[[int], int]:
        return lambda k: prepare(problems[k])()

    problems = [reduced(cover, each) for each in looped]
    add_loop(
        "an `ExactCover` for each",
        lambda k: state(looped[k]).replace(threads=1).count(limit, method="search"),
    )
    if find_spec("xcover"):
        call = first(first_xcover) if limit == 1 else count(count_xcover)
        add_loop("xcover in a loop", call)
    if find_spec("exact_cover"):
        exact_cover = {"module": "exact_cover"}
        find, prepare = (
            partial(each, **exact_cover) for each in (first_by_matrix, count_by_matrix)
        )
        call = first(find) if limit == 1 else count(prepare)
        add_loop("exact-cover in a loop", call)
    return times


def table(times: Sequence[BatchTime]) -> list[Row]:
    """Return the table: one row for each way to solve a batch."""
    rows = [["batch", "solved by", "ms", "µs per variation"]]
    for each in times:
        name = "" if any(row[0] == each.batch for row in rows) else each.batch
        per_variation = 1000 * each.milliseconds / each.n_variations
        rows.append([name, each.solved_by, f"{each.milliseconds:,.0f}", f"{per_variation:,.0f}"])
    return rows


def measure(options: argparse.Namespace) -> list[BatchTime]:
    """Measure all batches, with those of the other packages that are installed."""
    dates = [[month, day] for month in MONTHS for day in DAYS]
    calendar, star = example("calendar").cover(), example("genius-star", roll="").cover()
    rolls = [[f"B{face}" for face in roll] for roll in product(*DICE)]
    rolls = random.Random(1).sample(rolls, N_ROLLS)
    calendar_options = dict(zip(calendar.option_names, calendar.options, strict=True))
    star_options = dict(zip(star.option_names, star.options, strict=True))
    times = measure_batch(
        "calendar, 372 dates, all covers",
        calendar,
        lambda given: ExactCover(calendar_options, calendar.items, given=given),
        dates,
        None,
        options.runs,
    )
    times += measure_batch(
        f"Genius Star, {N_ROLLS:,} rolls, first cover",
        star,
        lambda given: ExactCover(star_options, star.items, given=given),
        rolls,
        1,
        options.runs,
    )
    return times
