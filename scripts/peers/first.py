"""Compare the time to the first cover, or to the proof that there is none, with CP-SAT.

    bash scripts/compare_peers first [--seconds 20] [--threads 2] [--instances 10] [--only NAME]
        [--write]

Each family of problems has instances with the seeds 0, 1, and so on. A batch is an instance all of
whose variations have to be solved. Both programs get the same options, time limit and number of
threads, one after the other. Times include the statement of the problem. Every cover is checked.
`--write` writes the table into docs/benchmark-data.md.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from itertools import combinations, product
from statistics import median
from typing import Any, NamedTuple

from dlx_numba import ExactCover, Stopped
from dlx_numba.bench.report import machine

from ..blocks import measured_with, write_table
from ..tables import Row, text_table

HEADER = ["problem", "options", "dlx_numba: median", "slowest", "solved", "by"]
HEADER += ["CP-SAT: median", "slowest", "solved"]

Item = tuple[Any, ...]
Entry = Item | tuple[Item, Any]  # an item, or an item and its color


class Instance(NamedTuple):
    """Options, and the bounds of their primary items."""

    options: list[list[Any]]
    bounds: dict[Item, tuple[int, int]]
    forbidden: Sequence[Sequence[int]] = ()  # options of each variation of a batch

    def cover(self) -> ExactCover:
        entries = [entry for option in self.options for entry in option]
        items = {entry[0] if isinstance(entry[0], tuple) else entry for entry in entries}
        many = {item: pair for item, pair in self.bounds.items() if pair != (1, 1)}
        secondary = sorted(items - self.bounds.keys())
        return ExactCover(self.options, list(self.bounds), secondary, multiplicity=many)


def once(items: Sequence[Item]) -> dict[Item, tuple[int, int]]:
    return dict.fromkeys(items, (1, 1))


def stars(rng: random.Random, n: int = 20, k: int = 4) -> Instance:
    """Place k stars in each row and column such that none touch; some cells are excluded."""
    cells = [cell for cell in product(range(n), repeat=2) if rng.random() > 0.05]
    options = [
        [("row", i), ("column", j), *(("block", a, b) for a in (i - 1, i) for b in (j - 1, j))]
        for i, j in cells
    ]
    lines = [(name, i) for name in ("row", "column") for i in range(n)]
    return Instance(options, dict.fromkeys(lines, (k, k)))


def quasigroup(rng: random.Random, n: int, share: float) -> Instance:
    """Complete a Latin square with a given share of empty cells."""
    rows, columns, values = (rng.sample(range(n), n) for _ in range(3))
    square = {(i, j): values[(rows[i] + columns[j]) % n] for i, j in product(range(n), repeat=2)}
    holes = rng.sample(sorted(square), round(share * n * n))
    missing = [("cell", *hole) for hole in holes]
    missing += [("row", i, square[i, j]) for i, j in holes]
    missing += [("column", j, square[i, j]) for i, j in holes]
    needed = set(missing)
    options = [
        [("cell", i, j), ("row", i, v), ("column", j, v)]
        for (i, j), v in product(sorted(holes), range(n))
    ]
    return Instance([each for each in options if needed.issuperset(each)], once(missing))


def nonogram(rng: random.Random, n: int = 25, noise: float = 0.03) -> Instance:
    """Draw a picture, a few blobs, from the runs in its rows and columns."""
    blobs = [(rng.uniform(0, n), rng.uniform(0, n), rng.uniform(2, n / 4)) for _ in range(12)]
    near = [((i - x) ** 2 + (j - y) ** 2 <= r * r for x, y, r in blobs)
            for i, j in product(range(n), repeat=2)]  # fmt: skip
    black = [any(each) != (rng.random() < noise) for each in near]
    options = []
    for name, k in product(("row", "column"), range(n)):
        line = black[k * n : k * n + n] if name == "row" else black[k::n]
        runs = [len(run) for run in "".join(" #"[cell] for cell in line).split()]
        for gaps in combinations(range(n - sum(runs) + 1), len(runs)):
            placed, used = [0] * n, 0
            for gap, run in zip(gaps, runs, strict=True):
                placed[gap + used : gap + used + run] = [1] * run
                used += run
            cells = [(k, j) if name == "row" else (j, k) for j in range(n)]
            options.append([(name, k), *zip((("cell", *c) for c in cells), placed, strict=True)])
    return Instance(options, once([(name, k) for name in ("row", "column") for k in range(n)]))


def colors(rng: random.Random, n_pieces: int, n_options: int, n_cells: int) -> Instance:
    """Choose an option of each piece, which colors four cells at random; most have no cover."""
    options = []
    for piece in range(n_pieces):
        cells = rng.sample(range(n_cells), 4)
        for _ in range(n_options):
            colored = [(("cell", cell), rng.randrange(3)) for cell in cells]
            options.append([("piece", piece), *colored])
    return Instance(options, once([("piece", piece) for piece in range(n_pieces)]))


def school(rng: random.Random, n_classes: int, n_subjects: int = 12, n_hours: int = 2) -> Instance:
    """Teach each subject for some hours on distinct days; teachers have several classes."""
    slots = list(product(range(5), range(6)))
    options, bounds = [], dict[Item, tuple[int, int]]()
    for group in range(n_classes):
        hours = [n_hours] * n_subjects
        for k in rng.sample(range(n_subjects), 4):
            hours[k] += 1
        for subject, h in enumerate(hours):
            teacher = subject, group // 5
            bounds["lessons", group, subject] = h, h
            for day, hour in slots:
                options.append([("lessons", group, subject), ("day", group, subject, day)])
                options[-1] += [("class", group, day, hour), ("teacher", *teacher, day, hour)]
                bounds["day", group, subject, day] = 0, 1
    return Instance(options, bounds)


def nurses(rng: random.Random, n: int, n_days: int = 14) -> Instance:
    """Staff three shifts a day; nobody works on the morning after a night, or on days off."""
    options, bounds = [], dict[Item, tuple[int, int]]()
    need = [n // 4, n // 5, n // 6]
    total = sum(need) * n_days / n
    off = {(nurse, rng.randrange(n_days)) for nurse in range(n) for _ in range(2)}
    for nurse in range(n):
        bounds["nurse", nurse] = int(total), int(total) + 1
        for day, shift in product(range(n_days), range(3)):
            option = [("nurse", nurse), ("shift", day, shift), ("day", nurse, day)]
            if shift in (0, 2):
                option.append(("rest", nurse, day + (shift == 2)))
            if (nurse, day) not in off:
                options.append(option)
    for day, shift in product(range(n_days), range(3)):
        bounds["shift", day, shift] = need[shift], need[shift] + 1
    return Instance(options, bounds)


def rosters(rng: random.Random, n: int = 12, n_variations: int = 20) -> Instance:
    """Complete a roster when some nurses cannot take some shifts, in many ways."""
    instance = nurses(rng, n)
    shifts = range(len(instance.options))
    return instance._replace(forbidden=[rng.sample(shifts, 8) for _ in range(n_variations)])


def mutilated(rng: random.Random, n: int = 10) -> Instance:
    """Cover a board with dominoes after two cells of the same color are removed."""
    cells = set(product(range(n), repeat=2))
    dark = sorted((i, j) for i, j in cells if (i + j) % 2)
    cells -= set(rng.sample(dark, 2))
    pairs = [((i, j), (i + a, j + 1 - a)) for i, j in sorted(cells) for a in (0, 1)]
    options = [[("cell", *one), ("cell", *two)] for one, two in pairs if two in cells]
    return Instance(options, once([("cell", *cell) for cell in sorted(cells)]))


def pigeons(rng: random.Random, n: int = 12) -> Instance:
    """Place n + 1 pigeons into n holes, in a random order."""
    options = [[("pigeon", p), ("hole", h)] for p, h in product(range(n + 1), range(n))]
    return Instance(rng.sample(options, len(options)), once([("pigeon", p) for p in range(n + 1)]))


def coloring(rng: random.Random, n_colors: int, order: int = 5) -> Instance:
    """Color a Mycielski graph, whose vertices have random numbers."""
    edges, n = [(0, 1)], 2
    for _ in range(order - 1):
        edges += [(a, n + b) for a, b in edges] + [(b, n + a) for a, b in edges]
        edges += [(n + k, 2 * n) for k in range(n)]
        n = 2 * n + 1
    order_of = rng.sample(range(n), n)
    options = [
        [
            ("vertex", order_of[v]),
            *(("edge", e, color) for e, pair in enumerate(edges) if v in pair),
        ]
        for v, color in product(range(n), range(n_colors))
    ]
    return Instance(options, once([("vertex", k) for k in range(n)]))


def killer(rng: random.Random, n_cages: int = 26) -> Instance:
    """Fill a Sudoku board without clues, whose cages have known sums of distinct digits."""
    digits, bands = rng.sample(range(1, 10), 9), [rng.sample(range(3), 3) for _ in range(4)]
    rows = [3 * i + k for i in bands[0] for k in bands[1]]
    columns = [3 * i + k for i in bands[2] for k in bands[3]]
    cells = list(product(range(9), repeat=2))
    value = {(i, j): digits[(3 * rows[i] + rows[i] // 3 + columns[j]) % 9] for i, j in cells}
    cages = [{cell} for cell in cells]
    while len(cages) > n_cages:
        cage = min(rng.sample(cages, 2), key=len)
        near = [
            other
            for other in cages
            if other is not cage
            and any(abs(i - a) + abs(j - b) == 1 for i, j in cage for a, b in other)
            and len(cage) + len(other) <= 5
            and len({value[cell] for cell in cage | other}) == len(cage | other)
        ]
        if near:
            other = rng.choice(near)
            cages = [each for each in cages if each not in (cage, other)] + [cage | other]
    options = []
    for k, cage in enumerate(map(sorted, cages)):
        total = sum(value[cell] for cell in cage)
        for chosen in product(range(1, 10), repeat=len(cage)):
            if sum(chosen) != total or len(set(chosen)) < len(cage):
                continue
            option: list[Any] = [("cage", k)]
            for (i, j), v in zip(cage, chosen, strict=True):
                option += [("row", i, v), ("column", j, v), ("box", i // 3, j // 3, v)]
            if len(set(option)) == len(option):
                options.append(option)
    units = [(name, i, v) for name in ("row", "column") for i, v in product(range(9), range(1, 10))]
    units += [("box", i, j, v) for i, j, v in product(range(3), range(3), range(1, 10))]
    return Instance(options, once([*units, *(("cage", k) for k in range(len(cages)))]))


FAMILIES: dict[str, Callable[[random.Random], Instance]] = {
    "stars 20/4": stars,
    "quasigroup 30, 42 % empty": lambda rng: quasigroup(rng, 30, 0.42),
    "quasigroup 40, half empty": lambda rng: quasigroup(rng, 40, 0.5),
    "quasigroup 40, 38 % empty": lambda rng: quasigroup(rng, 40, 0.38),
    "nonogram 25×25": nonogram,
    "nonogram 25×25, irregular": lambda rng: nonogram(rng, noise=0.05),
    "colors, 100 pieces": lambda rng: colors(rng, 100, 40, 80),
    "colors, 200 pieces": lambda rng: colors(rng, 200, 20, 200),
    "school, 30 classes": lambda rng: school(rng, 30, 22, 1),
    "nurses, 25": lambda rng: nurses(rng, 25),
    "nurses, 100": lambda rng: nurses(rng, 100),
    "nurses, 12, 20 variations": rosters,
    "mutilated board 10×10": mutilated,
    "13 pigeons": pigeons,
    "myciel5, 5 colors": lambda rng: coloring(rng, 5),
    "killer, 26 cages": killer,
}


class Run(NamedTuple):
    """The time until a cover was found or excluded, inf after the time limit, and the method."""

    seconds: float
    method: str = ""
    has_cover: bool | None = None


def run_dlx_numba(instance: Instance, seconds: float, threads: int) -> Run:
    start = time.perf_counter()
    cover = instance.cover().replace(threads=threads)
    if instance.forbidden:
        conditions: dict[str, Any] = {"forbidden": instance.forbidden, "order": "any"}
        batch = cover.solve_batch(**conditions, seconds=seconds)
        elapsed = time.perf_counter() - start
        cover.problem.check_covers([each for each in batch.covers if each is not None])
        is_complete = bool((batch.counts >= 0).all())
        return Run(elapsed, "batch", bool(batch.counts.all())) if is_complete else Run(float("inf"))
    try:
        found = cover.solve(1, order="any", seconds=seconds)
    except Stopped:
        return Run(float("inf"))
    elapsed = time.perf_counter() - start
    cover.problem.check_covers(found)
    return Run(elapsed, cover.statistics.method, bool(found))


def run_cp_sat(instance: Instance, seconds: float, threads: int) -> Run:
    if instance.forbidden:
        total, has_covers = 0.0, True
        for row in instance.forbidden:
            options = [each for k, each in enumerate(instance.options) if k not in row]
            run = run_cp_sat(Instance(options, instance.bounds), seconds - total, threads)
            total, has_covers = total + run.seconds, has_covers and bool(run.has_cover)
            if total >= seconds:
                return Run(float("inf"))
        return Run(total, "", has_covers)
    from ortools.sat.python import cp_model  # the engines do without it

    cover = instance.cover()
    start = time.perf_counter()
    model, solver = cover.to_cpsat(), cp_model.CpSolver()
    solver.parameters.max_time_in_seconds, solver.parameters.num_workers = seconds, threads
    status = solver.solve(model)
    if status == cp_model.UNKNOWN:
        return Run(float("inf"))
    return Run(time.perf_counter() - start, "", status != cp_model.INFEASIBLE)


def cells(runs: Sequence[Run]) -> list[str]:
    """Return the median, the slowest and the number of the runs that ended."""
    times = [run.seconds for run in runs]
    texts = [
        f"{each:.3f} s" if each < float("inf") else "–" for each in (median(times), max(times))
    ]
    return [*texts, str(sum(each < float("inf") for each in times))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20, help="time limit of a run")
    parser.add_argument("--threads", type=int, default=2, help="of a run")
    parser.add_argument("--instances", type=int, default=10, help="of each family")
    parser.add_argument("--only", default="", help="families whose names contain this text")
    parser.add_argument("--write", action="store_true", help="write the table into the page")
    arguments = parser.parse_args()
    threads = arguments.threads
    table: list[Row] = [HEADER]
    for name, make in FAMILIES.items():
        if arguments.only not in name:
            continue
        run_dlx_numba(make(random.Random(0)), 60, threads)  # loads or compiles the kernels
        ours, theirs, n_options = list[Run](), list[Run](), list[int]()
        for seed in range(arguments.instances):
            instance = make(random.Random(seed))
            n_options.append(len(instance.options))
            ours.append(run_dlx_numba(instance, arguments.seconds, threads))
            theirs.append(run_cp_sat(instance, arguments.seconds, threads))
            if {None, ours[-1].has_cover, theirs[-1].has_cover} > {True, False}:
                sys.exit(f"{name}, seed {seed}: {ours[-1]}, but {theirs[-1]}")
        methods = sorted({run.method for run in ours} - {""})
        row = [name, f"{median(n_options):,.0f}", *cells(ours), ", ".join(methods), *cells(theirs)]
        print(*row, sep=" | ", file=sys.stderr)
        table.append(row)
    print(text_table(table))
    if arguments.write:
        limits = f", ortools {version('ortools')}, time limit {arguments.seconds:g} s"
        write_table("first", table, measured_with(machine(), limits))


if __name__ == "__main__":
    main()
