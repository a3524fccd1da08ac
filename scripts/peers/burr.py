"""Compare the assemblies of Burr Tools' puzzles, and their time, with its program burrTxt.

    bash scripts/compare_peers burr --program PATH/burrTxt [--seconds 60] [--runs 5] [--write] FILES

All problems of the files are assembled, not taken apart. Times are processor time, the median of
some runs, which alternate: of the whole process, and of reading the file and counting, without the
start of Python and the loading of kernels. The numbers of assemblies up to symmetry have to be
equal. Problems that take the program less than 10 ms are compared, but have no row. The last
columns have the elapsed time of a count of all covers, not up to symmetry, with one thread and with
two, which alternate: the best of the runs. `--write` writes the table into docs/benchmark-data.md.
"""

import argparse
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from dlx_numba.bench.report import machine
from dlx_numba.puzzles.collection import read
from dlx_numba.puzzles.puzzle import Puzzle

from ..blocks import measured_with, write_table
from ..tables import Row, format_speedup, text_table

HEADER = ["problem", "assemblies", "nodes of burrTxt", "burrTxt, ms", "dlx_numba: read, ms"]
HEADER += ["count, ms", "speedup", "all covers, ms", "two threads, ms"]
LEAST = 0.01  # seconds


def run_program(program: Path, file: Path, number: int, seconds: float) -> tuple[float, int, int]:
    """Return the processor time of the program, and the numbers of assemblies and nodes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, "-q", "-o", str(number), file]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = re.search(r"(\d+) assemblies .* with (\d+) iterations", ended.stdout)
    n_assemblies, n_nodes = map(int, found.groups()) if found else (0, 0)
    elapsed = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return elapsed, n_assemblies, n_nodes


def timed_read(file: Path) -> tuple[float, list[Puzzle]]:
    """Return the time to read a file, and its problems."""
    start = time.process_time()
    puzzles = list(read(file, "burr"))
    return time.process_time() - start, puzzles


def compare(
    program: Path, file: Path, number: int, n_runs: int, seconds: float
) -> tuple[float, Row]:
    """Return the time of the program for a problem of a file, and a row of the table."""
    theirs, reading, counting, count = list[float](), list[float](), list[float](), 0
    timed_read(file)[1][number].count()  # loads or compiles the kernels
    for _ in range(n_runs):
        elapsed, n_assemblies, n_nodes = run_program(program, file, number, seconds)
        theirs.append(elapsed)
        elapsed, puzzles = timed_read(file)
        reading.append(elapsed / len(puzzles))
        start = time.process_time()
        count = puzzles[number].count(seconds=seconds)
        counting.append(time.process_time() - start)
    name = f"{file.stem}, {number + 1}" if len(puzzles) > 1 else file.stem
    if count != n_assemblies:
        sys.exit(f"{name}: {count} assemblies, but {n_assemblies} by {program}")
    slow, read_time, count_time = map(median, (theirs, reading, counting))
    times = (f"{1000 * seconds:,.1f}" for seconds in (slow, read_time, count_time))
    ratio = slow / (read_time + count_time)
    row = [name, f"{count:,}", f"{n_nodes:,}", *times, format_speedup(ratio)]
    return slow, row


def time_threads(file: Path, number: int, n_runs: int) -> Row:
    """Return the milliseconds of a count of all covers of a problem, with one thread and two."""
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(n_runs):
        for n_threads, elapsed in times.items():
            problem = timed_read(file)[1][number].cover(threads=n_threads)
            start = time.perf_counter()
            problem.count()
            elapsed.append(time.perf_counter() - start)
    return [f"{1000 * min(elapsed):,.1f}" for elapsed in times.values()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="files .xmpuzzle")
    parser.add_argument("--program", type=Path, required=True, help="burrTxt, built from sources")
    parser.add_argument("--seconds", type=float, default=60, help="time limit of a run")
    parser.add_argument("--runs", type=int, default=5, help="of each problem")
    parser.add_argument("--write", action="store_true", help="write the table into the page")
    arguments = parser.parse_args()
    table, n_problems = [HEADER], 0
    for file in arguments.files:
        for number in range(len(timed_read(file)[1])):
            n_problems += 1
            theirs, row = compare(
                arguments.program, file, number, arguments.runs, arguments.seconds
            )
            if theirs >= LEAST:
                row += time_threads(file, number, arguments.runs)
                print(*row, sep=" | ", file=sys.stderr)
                table.append(row)
    print(text_table(table))
    print(f"{n_problems} problems have the same numbers of assemblies")
    if arguments.write:
        runs = f", median of {arguments.runs} runs"
        write_table("burr", table, measured_with(machine(), runs))


if __name__ == "__main__":
    main()
