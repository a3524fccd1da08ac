"""Compare dlx_numba with other packages from PyPI: Sudoku, and counting exact covers.

Run it with scripts/compare_peers, which installs the packages. Each package runs in its own
process, so a crash or timeout does not affect others. Runs alternate, and the best of each counts.

Other programs that count covers take part with --program, such as Knuth's DLX2: any that read his
format from the standard input, and print "N solutions".
"""

import argparse
import json
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from dlx_numba.bench.report import machine

from ..puzzles import DATA, SETS
from ..tables import Row, format_machine, format_speedup, markdown_table, text_table
from . import timing
from .adapters import (
    COUNTERS,
    OURS,
    OURS_AUTO,
    OURS_BITSET,
    OURS_DLX,
    OURS_LINKS,
    SOLVERS,
    installed_versions,
    not_installed,
    package_of,
)
from .problems import GENERAL, INSTANCES, N_COVERS, PLAIN
from .timing import SMALL_COVERS, SMALL_FILE, best_times
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
Timer = Callable[[Path, int], float]  # the seconds for counting the covers of a file


@dataclass(frozen=True)
class SudokuComparison:
    """The speeds of all solvers on one set, or the reasons for their failures."""

    set_name: str
    n_boards: int
    boards_per_second: dict[str, float]
    failures: dict[str, str]


@dataclass(frozen=True)
class ExactCoverComparison:
    """The seconds of all programs for one instance, or the reasons for their failures."""

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
    programs: dict[str, float]  # the seconds of each for a small problem

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "PeerResults":
        """Return the results in the output of `asdict`."""
        return cls(
            versions=data["versions"],
            not_installed=data["not_installed"],
            sudoku=[SudokuComparison(**each) for each in data["sudoku"]],
            exact_cover=[ExactCoverComparison(**each) for each in data["exact_cover"]],
            programs=data["programs"],
        )


def main() -> None:
    options = arguments()
    programs = dict(options.program)
    results = measure_peers(options.boards, options.seconds, options.timeout, programs)
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
    parser = argparse.ArgumentParser(prog="compare_peers", description=__doc__.splitlines()[0])
    add = parser.add_argument
    few = "the branch predictor learns much smaller sets, which favors dlx_numba"
    add("--boards", type=int, default=200, help=f"boards of each set (default: 200; {few})")
    add("--seconds", type=float, default=3.0, help="runs of a package on a set (default: 3)")
    add("--timeout", type=float, default=20.0, help="seconds for one run (default: 20)")
    programs: Any = {"type": named_command, "action": "append", "default": []}
    reads = 'reads a problem in Knuth\'s format, and prints "N solutions" (repeatable)'
    add("--program", **programs, metavar="NAME=COMMAND", help=f"a program that {reads}")
    add("--markdown", action="store_true", help="print Markdown tables")
    add("--json", action="store_true", help="print the results as JSON")
    return parser.parse_args()


def named_command(argument: str) -> tuple[str, list[str]]:
    """Return the parts of NAME=COMMAND.

    >>> named_command("python=python3 -c 'print(1)'")
    ('python', ['python3', '-c', 'print(1)'])
    """
    name, _, text = argument.partition("=")
    command = shlex.split(text)
    if not (name and command and shutil.which(command[0])):
        raise argparse.ArgumentTypeError(f"{argument}: expected NAME=COMMAND with an executable")
    return name, command


def measure_peers(
    n_boards: int,
    seconds: float,
    timeout: float,
    programs: Mapping[str, Sequence[str]],
) -> PeerResults:
    """Measure all installed packages and the programs."""
    others: dict[str, Timer] = {
        name: partial(timing.time_program, each, timeout) for name, each in programs.items()
    }
    small = {name: partial(timer, SMALL_FILE, SMALL_COVERS) for name, timer in others.items()}
    small_times, failures = best_times(small, seconds)
    require(others, failures)
    versions = installed_versions()
    workers = {name: WorkerProcess(partial(timing.warm_up, name), timeout) for name in versions}
    try:
        sudoku = [compare_sudoku(workers, name, n_boards, seconds) for name in SETS]
        instances = {name: (n_covers, PLAIN) for name, n_covers in N_COVERS.items()} | GENERAL
        exact_cover = [
            compare_exact_cover(counters(workers, kind) | others, name, n_covers, seconds)
            for name, (n_covers, kind) in instances.items()
        ]
    finally:
        for worker in workers.values():
            worker.stop()
    return PeerResults(versions, not_installed(), sudoku, exact_cover, small_times)


def compare_sudoku(
    workers: Workers, set_name: str, n_boards: int, seconds: float
) -> SudokuComparison:
    puzzles = (DATA / f"{set_name}.txt").read_text(encoding="ascii").split()[:n_boards]
    boards = {name: puzzles for name in SOLVERS if package_of(name) in workers}
    boards[OURS_DLX] = boards[OURS_AUTO] = puzzles * -(-BOARDS_PER_CALL // len(puzzles))
    runs = {
        name: partial(workers[package_of(name)].call, timing.time_boards, name, solver_boards)
        for name, solver_boards in boards.items()
    }
    times, failures = best_times(runs, seconds)
    require((OURS_DLX, OURS_AUTO), failures)
    rates = {name: len(boards[name]) / best for name, best in times.items()}
    return SudokuComparison(set_name, len(puzzles), rates, failures)


def counters(workers: Workers, kind: int) -> dict[str, Timer]:
    """Return the counters of all packages that are measured with a kind of problems."""
    return {
        name: partial(workers[package_of(name)].call, timing.time_count, name)
        for name, counter in COUNTERS.items()
        if package_of(name) in workers and kind <= counter.kind
    }


def compare_exact_cover(
    timers: Mapping[str, Timer], instance: str, n_covers: int, seconds: float
) -> ExactCoverComparison:
    file = INSTANCES / f"{instance}.dlx"
    runs = {name: partial(timer, file, n_covers) for name, timer in timers.items()}
    times, failures = best_times(runs, seconds)
    require(filter(is_ours, timers), failures)
    return ExactCoverComparison(instance, n_covers, times, failures)


def require(names: Iterable[str], failures: Mapping[str, str]) -> None:
    """Exit if one of the programs failed."""
    for name in names:
        if name in failures:
            raise SystemExit(f"{name}: {failures[name]}")


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
    speedup = "speedup over the fastest other program"
    columns = {}
    for each in results.exact_cover:
        cells = {name: f"{1000 * seconds:,.1f}" for name, seconds in each.seconds.items()}
        others = [seconds for name, seconds in each.seconds.items() if not is_ours(name)]
        if others:
            cells[speedup] = format_speedup(min(others) / fastest_of_ours(each)[1])
        columns[f"{each.instance} ({each.n_covers:,})"] = cells | each.failures
    names = [*COUNTERS, *results.programs, speedup]
    return _table("ms", names, columns, results.not_installed)


def is_ours(name: str) -> bool:
    """Return whether a solver or counter belongs to dlx_numba."""
    return package_of(name) == OURS


def fastest_of_ours(comparison: ExactCoverComparison) -> tuple[str, float]:
    """Return the faster algorithm of dlx_numba and its seconds."""
    algorithms = OURS_LINKS, OURS_BITSET
    ours = {k: comparison.seconds[k] for k in algorithms if k in comparison.seconds}
    return min(ours.items(), key=lambda item: item[1])


def _table(
    corner: str,
    names: Iterable[str],
    columns: Mapping[str, Mapping[str, str]],
    missing: Mapping[str, str],
) -> list[Row]:
    """Return a row for each name in a column, and a remark for packages that are not installed."""
    measured = {name for column in columns.values() for name in column}
    rows = [
        [name, f"not installed: {missing[name]}"]
        if name in missing
        else [name, *(column.get(name, "–") for column in columns.values())]
        for name in names
        if name in missing or name in measured
    ]
    return [[corner, *columns], *rows]


def counting_notes(results: PeerResults) -> Sequence[str]:
    """Return a list item for each program: what its times for exact covers include."""
    notes = [
        f"- {name}: {counter.note}"
        for name, counter in COUNTERS.items()
        if package_of(name) in results.versions
    ]
    times = [1000 * seconds for seconds in results.programs.values()]
    if times:
        span = f"{min(times):.1f} to {max(times):.1f} ms"
        programs = ", ".join(results.programs)
        note = f"the whole process, {span} for the {SMALL_COVERS} covers of 8 queens"
        notes.append(f"- {programs}: {note}")
    return notes


if __name__ == "__main__":
    main()
