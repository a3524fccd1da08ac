"""Compare an earlier version, this one and other programs, where another program was faster.

    python -m scripts.measure races --base FOLDER [--only NAME] [--write]

FOLDER is a checkout of the earlier version. Each task runs in a process of its own, on all
processors, once to load the kernels and then up to three times; the shortest elapsed time counts.
Install highspy, python-sat, ortools, pyganak and passagemath-combinat, which has Sage's DLX, for
the others.
"""

import argparse
import csv
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from itertools import combinations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

import dlx_numba as dlx
from dlx_numba import ExactCover

from ..blocks import table_path
from ..peers.first import colors, quasigroup
from ..peers.many_small import N_PROBLEMS, as_matrix, numbered, random_problem, sage
from ..tables import Row
from .coverings import RANDOM, random_covering
from .first_call import PROGRAMS, processor_time

BLOCK = "races"
ROOT = Path(__file__).resolve().parents[2]
LIMIT = 20.0  # seconds of a call
RUNS = 3
OPTIMIZING = 60.0  # seconds
N_PAIRINGS = 1_000_000
DIAGONALS = {"diagonals": True}
N_BOARDS = 2000


class Race(NamedTuple):
    """A task, and what another program takes for it. The functions return the text of a cell."""

    own: Callable[[], str]
    program: str = ""  # the other one
    other: Callable[[], str] | None = None


def best_of(call: Callable[[], object], runs: int = RUNS) -> float:
    """Return the shortest elapsed time in seconds, infinite beyond the limit."""
    best = float("inf")
    for _ in range(1 + runs):
        begin = time.perf_counter()
        try:
            call()
        except dlx.Stopped:
            return best
        elapsed = time.perf_counter() - begin
        best = min(best, elapsed)
        if elapsed > LIMIT / 2:
            break
    return best


def format_seconds(seconds: float) -> str:
    return f"over {LIMIT:g} s" if seconds == float("inf") else f"{seconds:.2g} s"


def timed(call: Callable[[], object]) -> str:
    return format_seconds(best_of(call))


def strip(n_rows: int, n_columns: int, size: int) -> ExactCover:
    """Return the tilings with all polyominoes of a size, each as often as necessary."""
    region = f"{n_rows}x{n_columns}"
    return dlx.example("tilings", sizes=str(size), region=region).cover()


@cache
def minesweeper(seed: int = 1, share: float = 0.2) -> ExactCover:
    """Return the fewest mines on a board that has numbers in isolated places."""
    rng = random.Random(seed)
    cells = [*product(range(15), repeat=2)]
    mines = {cell for cell in cells if rng.random() < share}
    numbers = dict[tuple[int, int], int]()
    for cell in cells:
        n_near = len(mines.intersection(neighbors(cell)))
        if cell not in mines and n_near and rng.random() < 0.4:
            numbers[cell] = n_near
    options = [
        [each for each in neighbors(hidden) if each in numbers]
        for hidden in cells
        if hidden not in numbers
    ]
    options = [option for option in options if option]
    fewest = ExactCover(options, exactly=numbers, costs=[1] * len(options)).cheapest()[0].cost
    return ExactCover(
        [[*option, "mines"] for option in options], exactly={**numbers, "mines": int(fewest)}
    )


def neighbors(cell: tuple[int, int]) -> list[tuple[int, int]]:
    x, y = cell
    return [(x + dx, y + dy) for dx, dy in product((-1, 0, 1), repeat=2)]


@cache
def dominoes_nonogram(n: int = 10) -> ExactCover:
    """Return the nonogram `dom_10` of MiniZinc's benchmarks, of 2 n + 1 rows and columns."""
    rows = [[3], [1], *[[3, 1], [1]] * (n - 1), [1]]
    columns = [[1], [1], *[[1, 3], [1]] * (n - 1), [3]]
    size = len(rows)
    options = list[list[Any]]()
    for name, lines in (("row", rows), ("column", columns)):
        for k, runs in enumerate(lines):
            n_gaps = size - sum(runs) + 1
            for gaps in combinations(range(n_gaps), len(runs)):
                black = set[int]()
                used = 0
                for gap, run in zip(gaps, runs, strict=True):
                    black.update(range(gap + used, gap + used + run))
                    used += run
                cells = [(k, j) if name == "row" else (j, k) for j in range(size)]
                colors = [int(j in black) for j in range(size)]
                options.append([f"{name} {k}", *zip(map(str, cells), colors, strict=True)])
    lines = [f"{name} {k}" for name in ("row", "column") for k in range(size)]
    return ExactCover(options, lines, [str(cell) for cell in product(range(size), repeat=2)])


def colorings(n_edges: int) -> ExactCover:
    """Color a random graph with 3 colors: each edge has an item for each color."""
    n = 2 * n_edges // 3
    edges = random.Random(1).sample([*combinations(range(n), 2)], n_edges)
    options = [
        [v, *((edge, color) for edge in edges if v in edge)] for v in range(n) for color in range(3)
    ]
    return ExactCover(options, secondary=product(edges, range(3)))


def sums_of_cells() -> ExactCover:
    """Return a Kakurasu: which cells of a square count, given the sums of its rows and columns.

    Cells count 1, 2, … from left to right in the sums of rows, and downward in those of columns.
    """
    side = 27, 6, 1, 12, 37, 37, 11, 4, 29, 23, 66, 55
    bottom = 22, 1, 25, 36, 10, 22, 25, 35, 32, 28, 45, 45
    places = range(12)
    cells = {cell: ["cell"] for cell in product(places, repeat=2)}
    totals = {("row", k): ({(k, j): j + 1 for j in places}, side[k], side[k]) for k in places}
    for k in places:
        totals["column", k] = {(j, k): j + 1 for j in places}, bottom[k], bottom[k]
    return ExactCover(cells, multiplicity={"cell": (0, len(cells))}, totals=totals)


@cache
def quasigroup_with_holes() -> ExactCover:
    return quasigroup(random.Random(2), 40, 0.38).cover()


@cache
def contradictory_colors() -> ExactCover:
    return colors(random.Random(1), 100, 40, 80).cover()


@cache
def block_design(n_points: int, size: int, times: int) -> ExactCover:
    """Return the problem to choose blocks such that each pair of points is in `times` of them."""
    blocks = [[*combinations(block, 2)] for block in combinations(range(n_points), size)]
    pairs = [*combinations(range(n_points), 2)]
    return ExactCover(blocks, exactly=dict.fromkeys(pairs, times))


@cache
def pairings(n_options: int = N_PAIRINGS) -> tuple[list[list[int]], list[int]]:
    """Return pairings of 3 to 6 of 600 flights, and their costs."""
    rng = random.Random(1)
    options = [rng.sample(range(600), rng.randint(3, 6)) for _ in range(n_options)]
    return options, [100 * len(option) + rng.randrange(400) for option in options]


@cache
def small_problems() -> list[list[list[str]]]:
    rng = random.Random(1)
    return [random_problem(rng) for _ in range(N_PROBLEMS)]


def count(cover: ExactCover, limit: int | None = None) -> str:
    return timed(lambda: cover.count(limit, seconds=LIMIT))


def first(cover: ExactCover, **engine: Any) -> str:
    return timed(lambda: cover.first(**engine, seconds=LIMIT))


def cheapest(cover: ExactCover, seconds: float, **engine: Any) -> str:
    """Return the lowest cost, and either the time of its proof or the bound."""
    begin = time.perf_counter()
    found = cover.cheapest(seconds=seconds, **engine)
    elapsed = time.perf_counter() - begin
    if not found:
        return "no cover"
    cost = f"{found[0].cost:,}"
    is_proven = found.bound is not None and found.bound >= found[0].cost
    return f"{cost} in {elapsed:.2g} s" if is_proven else f"{cost}, bound {found.bound:,}"


def memory(n_options: int) -> str:
    """Return the memory that `cheapest` takes in addition to the problem."""
    cover = crew(n_options)
    status = Path("/proc/self/status")
    Path("/proc/self/clear_refs").write_text("5", "ascii")  # the peak begins again
    before = _kilobytes(status, "VmRSS:")
    cover.cheapest(seconds=LIMIT)
    return f"{1024 * (_kilobytes(status, 'VmHWM:') - before) / n_options:.0f} bytes an option"


def _kilobytes(status: Path, title: str) -> int:
    lines = status.read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(title))


def cp_sat(cover: ExactCover, seconds: float, has_costs: bool = False) -> str:
    """Return the time of the first cover or, with costs, the lowest cost and the bound."""
    from ortools.sat.python import cp_model  # HiGHS and OR-Tools cannot be loaded together

    model = cover.to_cpsat()
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    begin = time.perf_counter()
    status = solver.solve(model)
    elapsed = time.perf_counter() - begin
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return f"over {seconds:g} s"
    if not has_costs:
        return f"{elapsed:.2g} s"
    cost = f"{solver.objective_value:,.0f}"
    if status == cp_model.OPTIMAL:
        return f"{cost} in {elapsed:.2g} s"
    return f"{cost}, bound {solver.best_objective_bound:,.0f}"


def ganak(cover: ExactCover) -> str:
    """Return the time that Ganak takes to count the solutions of the clauses."""
    from pyganak import Counter

    lines = str(cover.write(kind="cnf")).splitlines()
    clauses = [[*map(int, line.split()[:-1])] for line in lines if line[0] not in "cp"]

    def count_solutions() -> None:
        counter = Counter()
        for clause in clauses:
            counter.add_clause(clause)
        counter.count()

    return timed(count_solutions)


def each(call: Callable[[Any], object], problems: list[Any]) -> str:
    """Return the mean time of a problem."""
    seconds = best_of(lambda: [call(problem) for problem in problems])
    return f"{1e6 * seconds / len(problems):.0f} µs"


def first_call(program: str) -> str:
    folder = Path(dlx.__file__).parents[1]
    return f"{1000 * min(processor_time(PROGRAMS[program], folder) for _ in range(11)):.0f} ms"


def stating(n_options: int) -> str:
    """Return the time to state problems with three names in an option, for each option."""
    rng = random.Random(1)
    names = [f"item {k}" for k in range(n_options // 10)]
    options = [rng.sample(names, 3) for _ in range(n_options)]
    return f"{1e6 * best_of(lambda: ExactCover(options)) / n_options:.2f} µs"


def reading(read: Callable[[Path], object]) -> str:
    options, costs = pairings()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pairings.json"
        names = [[f"flight {number}" for number in option] for option in options]
        content = {
            "options": {f"p{k}": option for k, option in enumerate(names)},
            "costs": {f"p{k}": cost for k, cost in enumerate(costs)},
        }
        path.write_text(json.dumps(content), "utf-8")
        return timed(lambda: read(path))


def load_json(path: Path) -> None:
    with path.open(encoding="utf-8") as file:
        json.load(file)


def diagonal_boards() -> str:
    rules = dlx.SudokuRules(**DIAGONALS)
    boards = dlx.generate(200, rules=rules, seed=1, clues=26, minimal=False).puzzles
    batch = np.resize(boards, (N_BOARDS, *boards.shape[1:]))
    seconds = best_of(lambda: dlx.solve_batch(batch, 2, rules=rules))
    return f"{1e6 * seconds / len(batch):.1f} µs"


def with_cp_sat(cover: Callable[[], ExactCover]) -> Callable[[], str]:
    return lambda: cp_sat(cover(), LIMIT)


def covering() -> ExactCover:
    return random_covering(*RANDOM["6"])


def crew(n_options: int = N_PAIRINGS) -> ExactCover:
    options, costs = pairings(n_options)
    return ExactCover(options, costs=costs)


RACES: dict[str, Race] = {
    "pentominoes 5×15, `count`": Race(lambda: count(strip(5, 15, 5))),
    "pentominoes 5×40, `count`": Race(lambda: count(strip(5, 40, 5))),
    "dominoes 20×20, `count`": Race(lambda: count(strip(20, 20, 2))),
    "mines, `count(2)`": Race(lambda: count(minesweeper(), 2)),
    "mines, `solve(2)`": Race(lambda: timed(lambda: minesweeper().solve(2, seconds=LIMIT))),
    "144 cells with 24 sums, `count(2)`": Race(
        lambda: timed(lambda: sums_of_cells().count(2, seconds=LIMIT)),
        "CP-SAT, the first",
        with_cp_sat(sums_of_cells),
    ),
    **{
        f"3-colorings of {2 * n // 3} vertices, {n} edges, `count`": Race(
            partial(lambda n: count(colorings(n)), n),
            "Ganak",
            partial(lambda n: ganak(colorings(n)), n),
        )
        for n in (105, 120)
    },
    "nonogram `dom_10`, `first`": Race(
        lambda: first(dominoes_nonogram()),
        "CaDiCaL",
        lambda: first(dominoes_nonogram(), engine="sat"),
    ),
    "quasigroup 40, 38 % empty, `first`": Race(
        lambda: first(quasigroup_with_holes()),
        "CaDiCaL",
        lambda: first(quasigroup_with_holes(), engine="sat"),
    ),
    'the same, `engine="both"`': Race(lambda: first(quasigroup_with_holes(), engine="both")),
    "100 pieces with colors, `first`": Race(
        lambda: first(contradictory_colors()),
        "CaDiCaL",
        lambda: first(contradictory_colors(), engine="sat"),
    ),
    "covering, as set 6, 4 s": Race(
        lambda: cheapest(covering(), 4),
        "HiGHS",
        lambda: cheapest(covering(), 4, engine="highs"),
    ),
    "block design (15, 7, 3), `first`": Race(
        lambda: first(block_design(15, 7, 3)), "CP-SAT", with_cp_sat(lambda: block_design(15, 7, 3))
    ),
    "block design (28, 4, 1), `first`": Race(
        lambda: first(block_design(28, 4, 1)), "CP-SAT", with_cp_sat(lambda: block_design(28, 4, 1))
    ),
    "small problems with names, `first`": Race(
        lambda: each(lambda options: ExactCover(options).first(), small_problems()),
        "Sage",
        lambda: each(lambda options: sage(numbered(options)), small_problems()),
    ),
    "small problems as matrices, `first`": Race(
        lambda: each(
            lambda matrix: ExactCover.from_matrix(matrix).first(),
            [*map(as_matrix, small_problems())],
        ),
        "Sage",
        lambda: each(sage, [*map(numbered, small_problems())]),
    ),
    "the first call of a process": Race(
        lambda: first_call("an exact cover: `first`"),
        "`import numpy`",
        lambda: first_call("`import numpy`"),
    ),
    "100,000 pairings, 60 s": Race(
        lambda: cheapest(crew(100_000), OPTIMIZING),
        "CP-SAT",
        lambda: cp_sat(crew(100_000), OPTIMIZING, has_costs=True),
    ),
    "a million pairings, 60 s": Race(
        lambda: cheapest(crew(), OPTIMIZING),
        "CP-SAT",
        lambda: cp_sat(crew(), OPTIMIZING, has_costs=True),
    ),
    "memory of a million pairings, 20 s": Race(lambda: memory(N_PAIRINGS)),
    "reading them from JSON": Race(
        lambda: reading(ExactCover.read), "`json.load`", lambda: reading(load_json)
    ),
    "stating 10,000 options, each": Race(lambda: stating(10_000)),
    "stating 1,000,000 options, each": Race(lambda: stating(1_000_000)),
    "Sudoku with diagonals, a board": Race(diagonal_boards),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--base", type=Path, required=True, metavar="FOLDER", help="a checkout")
    parser.add_argument("--only", default="", help="tasks whose names contain this; others stay")


def measure(options: argparse.Namespace) -> list[Row]:
    rows: list[Row] = [["task", "before", "now", "other program"]]
    with table_path(BLOCK).open(encoding="utf-8", newline="") as file:
        known = {row[0]: row for row in csv.reader(file)}
    for name, race in RACES.items():
        if options.only not in name:
            rows += [known[name]] if name in known else []
        else:
            row = [name, *(run(name, folder) for folder in (options.base, ROOT))]
            other = race.other and f"{race.program}: {run(name, ROOT, is_other=True)}"
            rows.append([*row, other or ""])
            print(*rows[-1], sep=" | ", file=sys.stderr)
    return rows


def run(name: str, folder: Path, is_other: bool = False) -> str:
    """Return the text of a cell, from a process that imports the package from a checkout."""
    with TemporaryDirectory() as place:
        (Path(place) / "dlx_numba").symlink_to(folder.resolve() / "dlx_numba")
        program = f"from {__name__} import show; show({name!r}, {is_other})"
        path = os.pathsep.join([place, str(ROOT)])
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=place,
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            check=False,
        )
    return done.stdout.decode().strip() or "failed"


def show(name: str, is_other: bool) -> None:
    """Print the text of a cell."""
    race = RACES[name]
    assert race.other is not None or not is_other
    print(race.other() if is_other and race.other is not None else race.own())
