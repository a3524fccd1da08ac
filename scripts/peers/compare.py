"""Compare dlx_numba with other packages from PyPI: Sudoku, and counting exact covers.

Run it with scripts/compare_peers, which installs the packages. Each package runs in its own
process, so a crash or timeout does not affect others. Runs alternate, and the best of each counts.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from dlx_numba.bench.report import format_speedup, machine

from ..puzzles import DATA, SETS
from ..tables import Row, format_machine, markdown_table, text_table
from .adapters import (
    COUNTERS,
    OURS,
    OURS_AUTO,
    OURS_DLX,
    SOLVERS,
    installed_versions,
    not_installed,
    package_of,
)
from .problems import INSTANCES, N_COVERS, ExactCoverProblem
from .timing import best_times, time_boards, time_count, warm_up
from .workers import WorkerProcess

BOARDS_PER_CALL = 10_000  # of dlx_numba

SUDOKU_CAPTION = f"""
Sudoku: boards per second, first solution, one thread, setup of each puzzle included, every
solution checked. In parentheses: speedup of `{OURS_DLX}` over the package. dlx_numba solves
{BOARDS_PER_CALL:,} boards per call (the set, repeated); the other packages one board per call.
"""
EXACT_COVER_CAPTION = """
Exact cover: milliseconds for counting all covers (their number is in parentheses), one thread,
every count checked.
"""

Workers = Mapping[str, WorkerProcess]  # by package


@dataclass(frozen=True)
class SudokuComparison:
    """The speeds of all solvers on one set, or the reasons for their failures."""

    set_name: str
    n_boards: int
    boards_per_second: dict[str, float]
    failures: dict[str, str]


@dataclass(frozen=True)
class ExactCoverComparison:
    """The seconds of all packages for one instance, or the reasons for their failures."""

    instance: str
    n_covers: int
    seconds: dict[str, float]
    failures: dict[str, str]


@dataclass(frozen=True)
class PeerResults:
    """Everything that a comparison measures."""

    versions: dict[str, str]
    not_installed: dict[str, str]
    sudoku: list[SudokuComparison]
    exact_cover: list[ExactCoverComparison]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "PeerResults":
        """Return the results in the output of `asdict`."""
        return cls(
            versions=data["versions"],
            not_installed=data["not_installed"],
            sudoku=[SudokuComparison(**each) for each in data["sudoku"]],
            exact_cover=[ExactCoverComparison(**each) for each in data["exact_cover"]],
        )


def main() -> None:
    options = arguments()
    results = measure_peers(options.boards, options.seconds, options.timeout)
    if options.json:
        json.dump(asdict(results), sys.stdout, indent=1)
        return
    format_table = markdown_table if options.markdown else text_table
    print(format_machine(machine()))
    print(f"Packages: {', '.join(map(' '.join, results.versions.items()))}")
    print(SUDOKU_CAPTION)
    print(format_table(sudoku_table(results)), end="")
    print(EXACT_COVER_CAPTION)
    print(format_table(exact_cover_table(results)))
    print("\n".join(counting_notes(results)))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="compare_peers", description=__doc__)
    add = parser.add_argument
    few = "the branch predictor learns much smaller sets, which favors dlx_numba"
    add("--boards", type=int, default=200, help=f"boards of each set (default: 200; {few})")
    add("--seconds", type=float, default=3.0, help="runs of a package on a set (default: 3)")
    add("--timeout", type=float, default=20.0, help="seconds for one run (default: 20)")
    add("--markdown", action="store_true", help="print Markdown tables")
    add("--json", action="store_true", help="print the results as JSON")
    return parser.parse_args()


def measure_peers(n_boards: int, seconds: float, timeout: float) -> PeerResults:
    """Measure all installed packages."""
    versions = installed_versions()
    workers = {name: WorkerProcess(partial(warm_up, name), timeout) for name in versions}
    try:
        sudoku = [compare_sudoku(workers, name, n_boards, seconds) for name in SETS]
        exact_cover = [
            compare_exact_cover(workers, name, n_covers, seconds)
            for name, n_covers in N_COVERS.items()
        ]
    finally:
        for worker in workers.values():
            worker.stop()
    return PeerResults(versions, not_installed(), sudoku, exact_cover)


def compare_sudoku(
    workers: Workers, set_name: str, n_boards: int, seconds: float
) -> SudokuComparison:
    puzzles = (DATA / f"{set_name}.txt").read_text(encoding="ascii").split()[:n_boards]
    boards = {name: puzzles for name in SOLVERS if package_of(name) in workers}
    boards[OURS_DLX] = boards[OURS_AUTO] = puzzles * -(-BOARDS_PER_CALL // len(puzzles))
    runs = {
        name: partial(workers[package_of(name)].call, time_boards, name, solver_boards)
        for name, solver_boards in boards.items()
    }
    times, failures = best_times(runs, seconds)
    require_ours(failures)
    rates = {name: len(boards[name]) / best for name, best in times.items()}
    return SudokuComparison(set_name, len(puzzles), rates, failures)


def compare_exact_cover(
    workers: Workers, instance: str, n_covers: int, seconds: float
) -> ExactCoverComparison:
    problem = ExactCoverProblem(INSTANCES / f"{instance}.dlx")
    runs = {
        name: partial(workers[package_of(name)].call, time_count, name, problem, n_covers)
        for name in COUNTERS
        if package_of(name) in workers
    }
    times, failures = best_times(runs, seconds)
    require_ours(failures)
    return ExactCoverComparison(instance, n_covers, times, failures)


def require_ours(failures: Mapping[str, str]) -> None:
    """Exit if dlx_numba itself failed."""
    for name, reason in failures.items():
        if package_of(name) == OURS:
            raise SystemExit(f"{name}: {reason}")


def sudoku_table(results: PeerResults) -> list[Row]:
    """Return the table of boards per second."""
    columns = {}
    for each in results.sudoku:
        rates = each.boards_per_second
        cells = {
            name: f"{rate:,.0f} ({format_speedup(rates[OURS_DLX] / rate)})"
            for name, rate in rates.items()
        }
        ours = {name: f"{rates[name]:,.0f}" for name in (OURS_DLX, OURS_AUTO)}
        columns[f"{each.set_name} ({each.n_boards})"] = cells | ours | each.failures
    return _table("boards/s", SOLVERS, columns, results.not_installed)


def exact_cover_table(results: PeerResults) -> list[Row]:
    """Return the table of milliseconds, with the speedup of the faster of our algorithms."""
    speedup = "speedup over the fastest other package"
    columns = {}
    for each in results.exact_cover:
        cells = {name: f"{1000 * seconds:,.1f}" for name, seconds in each.seconds.items()}
        others = [seconds for name, seconds in each.seconds.items() if package_of(name) != OURS]
        if others:
            cells[speedup] = format_speedup(min(others) / fastest_of_ours(each)[1])
        columns[f"{each.instance} ({each.n_covers:,})"] = cells | each.failures
    return _table("ms", [*COUNTERS, speedup], columns, results.not_installed)


def fastest_of_ours(comparison: ExactCoverComparison) -> tuple[str, float]:
    """Return the faster algorithm of dlx_numba and its seconds."""
    ours = {k: v for k, v in comparison.seconds.items() if package_of(k) == OURS}
    return min(ours.items(), key=lambda item: item[1])


def _table(
    corner: str,
    names: Iterable[str],
    columns: Mapping[str, Mapping[str, str]],
    missing: Mapping[str, str],
) -> list[Row]:
    """Return a row for each name, with a remark for packages that are not installed."""
    rows = [
        [name, f"not installed: {missing[name]}"]
        if name in missing
        else [name, *(column.get(name, "–") for column in columns.values())]
        for name in names
    ]
    return [[corner, *columns], *rows]


def counting_notes(results: PeerResults) -> Sequence[str]:
    """Return a list item for each package: what its times for exact covers include."""
    return [
        f"- {name}: {counter.note}"
        for name, counter in COUNTERS.items()
        if package_of(name) in results.versions
    ]


if __name__ == "__main__":
    main()
