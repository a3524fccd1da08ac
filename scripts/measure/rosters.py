"""Compare the program that HiGHS gets with one written by hand, for rosters with rest rules.

    python -m scripts.measure rosters [--seconds 5] [--write]

Each of 30 nurses works by one of 20 patterns in each of four weeks. A missing nurse costs 60, and a
late shift is not followed by an earlier one, also between weeks. The bound is that of the linear
relaxation. Times are processor times, in one thread.
"""

import argparse
import random
import time
from collections import defaultdict
from itertools import pairwise, product
from typing import Any

import numpy as np

from dlx_numba import ExactCover
from dlx_numba.cover.highs import HighsThread
from dlx_numba.cover.models import build_model
from dlx_numba.cover.names import number_names

from ..tables import Row

BLOCK = "rosters"
SECONDS = 5.0
SEEDS = range(1, 6)
N_NURSES = 30
N_WEEKS = 4
N_PATTERNS = 20
NEEDED = {"E": 7, "L": 6, "N": 4}  # early, late and night shifts a day
FORBIDDEN = ("NE", "NL", "LE")
PENALTY = 60

Roster = tuple[list[list[tuple[Any, ...]]], list[int]]  # options and costs


def is_allowed(week: tuple[str, ...]) -> bool:
    follows = (first + second for first, second in pairwise(week))
    return 2 <= week.count("-") <= 3 and not any(pair in FORBIDDEN for pair in follows)


def roster(seed: int) -> Roster:
    """Return the patterns of all nurses as options, and their costs."""
    rng = random.Random(seed)
    patterns = [week for week in product("ELN-", repeat=7) if is_allowed(week)]
    options: list[list[tuple[Any, ...]]] = []
    for nurse, week in product(range(N_NURSES), range(N_WEEKS)):
        for pattern in rng.sample(patterns, N_PATTERNS):
            days = [(7 * week + day, shift) for day, shift in enumerate(pattern) if shift != "-"]
            rests = []
            for last in "NL":
                if pattern[-1] == last:
                    rests.append(("rest", nurse, week + 1, last))
                if last + pattern[0] in FORBIDDEN:
                    rests.append(("rest", nurse, week, last))
            options.append([("nurse", nurse, week), *days, *rests])
    return options, [rng.randint(0, 9) for _ in options]


def state(roster: Roster) -> ExactCover:
    """Return a roster as a planner states it."""
    options, costs = roster
    rests = {item for option in options for item in option if item[0] == "rest"}
    demand = list(product(range(7 * N_WEEKS), NEEDED))
    return ExactCover(
        options,
        costs=costs,
        secondary=sorted(rests),
        multiplicity={(day, shift): (NEEDED[shift], None) for day, shift in demand},
        penalty=dict.fromkeys(demand, PENALTY),
        threads=1,
    )


def write_by_hand(roster: Roster) -> Any:
    """Return a roster as a program of HiGHS: a column for each pattern, and for what is missing."""
    import highspy

    options, costs = roster
    columns: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for number, option in enumerate(options):
        for item in option:
            columns[item].append(number)
    highs = highspy.Highs()
    highs.silent()
    for cost in costs:
        highs.addCol(cost, 0, 1, 0, np.array([], np.int32), np.array([]))
        highs.changeColIntegrality(highs.getNumCol() - 1, highspy.HighsVarType.kInteger)
    for item, members in columns.items():
        low = 1.0
        high = 1.0
        if item[0] == "rest":
            low = -highspy.kHighsInf
        elif item[0] != "nurse":
            low = NEEDED[item[1]]
            high = highspy.kHighsInf
            highs.addCol(PENALTY, 0, low, 0, np.array([], np.int32), np.array([]))
            members = [*members, highs.getNumCol() - 1]
        highs.addRow(low, high, len(members), np.array(members), np.ones(len(members)))
    return highs


def passed_model(cover: ExactCover) -> Any:
    """Return the program that HiGHS gets, without the callbacks of the engine."""
    import highspy

    optimizer = cover.optimizer(engine="highs")  # whose end would close the thread
    thread: HighsThread = optimizer._start_highs()
    problem = thread._problem if thread._plans is None else thread._plans.problem
    passed = thread._pass_model(build_model(problem, number_names(problem)))
    highs = highspy.Highs()
    highs.silent()
    highs.passModel(passed.getLp())
    return highs


def solve(highs: Any, seconds: float) -> str:
    """Return the value that HiGHS finds."""
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("time_limit", seconds)
    highs.run()
    return f"{highs.getInfo().objective_function_value:.0f}"


def describe(highs: Any) -> str:
    """Return the size of a program, and the bound of its relaxation."""
    highs.setOptionValue("solve_relaxation", True)
    highs.setOptionValue("threads", 1)
    highs.run()
    bound = highs.getInfo().objective_function_value
    return f"{highs.getNumRow():,} × {highs.getNumCol():,}, bound {bound:.1f}"


def best_of(cover: ExactCover, engine: Any, seconds: float) -> str:
    """Return the lowest cost after some processor time."""
    optimizer = cover.optimizer(engine=engine)
    begin = time.process_time()
    while not optimizer.done and time.process_time() < begin + seconds:
        optimizer.run(seconds=seconds)
    return str(optimizer.result[0].cost) if optimizer.result else "none"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each search")


def measure(options: argparse.Namespace) -> list[Row]:
    seconds = options.seconds
    rows: list[Row] = [
        ["roster", "ours", "by hand", f"own, {seconds:g} s", "with HiGHS", "HiGHS by hand"]
    ]
    for seed in SEEDS:
        stated = roster(seed)
        cover = state(stated)
        sizes = [describe(passed_model(cover)), describe(write_by_hand(stated))]
        found = [best_of(cover, engine, seconds) for engine in ("own", "highs")]
        rows.append([str(seed), *sizes, *found, solve(write_by_hand(stated), seconds)])
    return rows
