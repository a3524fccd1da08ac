"""Compare dlx_numba with other packages from PyPI: Sudoku, and counting exact covers.

Run it by scripts/compare_peers, which sets up the packages. Each one works in a process of its
own, so that one that crashes or takes too long is cut off alone. Runs take turns, so that all
packages see the same noise, and the best run of each counts.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from dlx_numba.bench.report import machine
from dlx_numba.cover.io.knuth import parse_knuth

from .adapters import COUNTERS, OUR_AUTO, OUR_DLX, OURS, SOLVERS, package_of
from .installed import installed_versions, not_installed
from .problems import Cover
from .tables import Row, markdown_table, text_table
from .timing import best_times, timed_boards, timed_count, warm_up
from .workers import Worker

ROOT = Path(__file__).resolve().parents[2]
SETS = ("simple", "easy", "intermediate", "expert")
COVERS = {  # the true counts: tests/instances/README.md
    "queens12": 14200,
    "langford11": 35584,
    "pent3x20": 8,
    "pent6x10r": 2339,
    "random40": 635,
    "sudoku17m1": 507806,
}
BATCH = 10_000  # boards for each call of dlx_numba: the set, again and again

Workers = Mapping[str, Worker]  # by package
Column = Mapping[str, str]  # cells by the name of the row

ABOUT_SUDOKU = f"""
Sudoku: boards per second, first solution, one thread, set-up of each puzzle included, each
solution checked. In brackets: `{OUR_DLX}` is so many times as fast. dlx_numba takes {BATCH:,}
boards in a call (the set, again and again), the others one.
"""
ABOUT_COVERS = """
Exact cover: milliseconds for counting all covers (so many as the brackets say), one thread, each
count checked. Below, how many times as fast dlx_numba is.
"""


def sudoku_table(workers: Workers, data: Path, n_boards: int, seconds: float) -> list[Row]:
    columns = {}
    for name in SETS:
        puzzles = (data / f"{name}.txt").read_text().split()[:n_boards]
        columns[f"{name} ({len(puzzles)})"] = sudoku_column(workers, puzzles, seconds)
    return table("boards/s", SOLVERS, columns)


def sudoku_column(workers: Workers, puzzles: Sequence[str], seconds: float) -> Column:
    boards = {name: puzzles for name in SOLVERS if package_of(name) in workers}
    boards[OUR_DLX] = boards[OUR_AUTO] = [*puzzles] * -(-BATCH // len(puzzles))
    runs = {
        name: partial(workers[package_of(name)].ask, timed_boards, name, its_boards)
        for name, its_boards in boards.items()
    }
    times, failed = best_times(runs, seconds)
    check_ours(failed)
    rates = {name: len(boards[name]) / best for name, best in times.items()}
    cells = {
        name: f"{rate:,.0f} ({times_as_fast(rates[OUR_DLX] / rate)})"
        for name, rate in rates.items()
    }
    ours = {name: f"{rates[name]:,.0f}" for name in (OUR_DLX, OUR_AUTO)}
    return cells | ours | failed


def cover_table(workers: Workers, seconds: float) -> list[Row]:
    columns = {}
    for name, expected in COVERS.items():
        file = ROOT / "tests" / "instances" / f"{name}.dlx"
        problem = Cover(parse_knuth(file.read_text(), str(file)))
        columns[f"{name} ({expected:,})"] = cover_column(workers, problem, expected, seconds)
    return table("ms", [*COUNTERS, "miniexact / dlx_numba", "best other / dlx_numba"], columns)


def cover_column(workers: Workers, problem: Cover, expected: int, seconds: float) -> Column:
    runs = {
        name: partial(workers[name].ask, timed_count, name, problem, expected)
        for name in COUNTERS
        if name in workers
    }
    times, failed = best_times(runs, seconds)
    check_ours(failed)
    cells = {name: f"{1000 * best:,.1f}" for name, best in times.items()}
    ours = times.pop(OURS)
    ratios = {}
    if times:
        ratios["best other / dlx_numba"] = times_as_fast(min(times.values()) / ours)
    if "miniexact" in times:
        ratios["miniexact / dlx_numba"] = times_as_fast(times["miniexact"] / ours)
    return cells | failed | ratios


def check_ours(failed: Mapping[str, str]) -> None:
    """Without our own times there is nothing to compare the others with."""
    for name, reason in failed.items():
        if package_of(name) == OURS:
            raise SystemExit(f"{name}: {reason}")


def times_as_fast(ratio: float) -> str:
    return f"{ratio:,.0f}×" if ratio >= 9.95 else f"{ratio:.1f}×"


def table(head: str, names: Iterable[str], columns: Mapping[str, Column]) -> list[Row]:
    """A row for each name, and what there is to say of a package that is not installed."""
    missing = not_installed()
    rows = [
        [name, missing[name]]
        if name in missing
        else [name, *(column.get(name, "–") for column in columns.values())]
        for name in names
    ]
    return [[head, *columns], *rows]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="compare_peers", description=__doc__)
    add = parser.add_argument
    add("--data", type=Path, default=ROOT / "data", help="folder of the boards")
    few = "of far fewer, repeated, the processor learns the branches, and dlx_numba gains"
    add("--boards", type=int, default=200, help=f"so many of each set (default: 200; {few})")
    add("--seconds", type=float, default=3.0, help="for a package's runs on a set (default: 3)")
    add("--limit", type=float, default=20.0, help="seconds, then a run ends (default: 20)")
    add("--markdown", action="store_true", help="print tables in Markdown")
    return parser.parse_args()


def main() -> None:
    chosen = arguments()
    formatted = markdown_table if chosen.markdown else text_table
    versions = installed_versions()
    workers = {name: Worker(partial(warm_up, name), chosen.limit) for name in versions}
    print("; ".join(f"{key}: {value}" for key, value in machine().items()))
    print(f"Packages: {', '.join(map(' '.join, versions.items()))}")
    print(ABOUT_SUDOKU)
    rows = sudoku_table(workers, chosen.data, chosen.boards, chosen.seconds)
    print(formatted(rows), flush=True)
    print(ABOUT_COVERS)
    print(formatted(cover_table(workers, chosen.seconds)) + "\n")
    for name, (_, note) in COUNTERS.items():
        if name in workers:
            print(f"- {name}: {note}")
    for worker in workers.values():
        worker.stop()


if __name__ == "__main__":
    main()
