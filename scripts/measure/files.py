"""Measure `solve` from file to file, and the same boards in memory, `wc -l` and `cat`.

    python -m scripts.measure files [FILE] [--boards 10000000] [--engine auto] [--check]

FILE has one 9×9 puzzle per line; by default, it is the mixed set. The puzzles are repeated up to
the given number of boards. Times are the best of several runs, on all processors, and include the
start of the program.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dlx_numba import solve_batch

from ..puzzles import encode_boards, mixed_boards, read_boards, repeat_boards
from ..tables import Row

N_BOARDS = 10_000_000
RUNS = 3
SECONDS_PER_POLL = 0.005


@dataclass(frozen=True)
class FileTimes:
    """Times in seconds for all boards, and the peak memory of `solve` in megabytes."""

    engine: str
    check: bool  # whether `solve` tests uniqueness
    n_boards: int
    in_memory: float
    solve: float
    wc: float
    cat: float
    peak_megabytes: float


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", type=Path, help="puzzles; default: the mixed set")
    parser.add_argument("--boards", type=int, default=N_BOARDS, help="number of boards")
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--check", action="store_true", help="test uniqueness")


def measure(options: argparse.Namespace) -> list[FileTimes]:
    puzzles = read_boards(options.file) if options.file else mixed_boards()
    n_boards, engine, check = options.boards, options.engine, options.check
    rounds, limit = range(options.runs), 2 if check else 1
    solve_batch(puzzles[:1000], limit=limit, engine=engine)  # compiles the kernels
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "puzzles.txt", Path(folder) / "solved.txt"
        _write_repeated(source, puzzles, n_boards)
        command = [sys.executable, "-m", "dlx_numba", "solve", "--quiet", "--engine", engine]
        command += ["-o", str(target), str(source), *["--check"] * check]
        copy = ["sh", "-c", f"cat '{source}' > '{target}'"]
        solve, peak = zip(*(_run(command, target) for _ in rounds), strict=True)
        wc, _ = zip(*(_run(["wc", "-l", str(source)]) for _ in rounds), strict=True)
        cat, _ = zip(*(_run(copy, target) for _ in rounds), strict=True)
    boards = repeat_boards(puzzles, n_boards)
    in_memory = min(_solve_in_memory(boards, limit, engine) for _ in rounds)
    return [
        FileTimes(
            engine=engine,
            check=check,
            n_boards=n_boards,
            in_memory=in_memory,
            solve=min(solve),
            wc=min(wc),
            cat=min(cat),
            peak_megabytes=max(peak) / 1000,
        )
    ]


def _write_repeated(path: Path, puzzles: NDArray[np.uint8], n_boards: int) -> None:
    """Write `n_boards` boards without storing all of them in memory."""
    n_copies, n_rest = divmod(n_boards, len(puzzles))
    text = encode_boards(puzzles)
    with path.open("wb") as file:
        for _ in range(n_copies):
            file.write(text)
        file.write(encode_boards(puzzles[:n_rest]))


def _run(command: list[str], target: Path | None = None) -> tuple[float, float]:
    """Run a process after removing `target`; return its seconds and its peak memory in kB."""
    if target is not None:
        target.unlink(missing_ok=True)
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, _peak_memory(process.pid))
        time.sleep(SECONDS_PER_POLL)
    elapsed = time.perf_counter() - begin
    if process.returncode:
        raise RuntimeError(f"{command} failed with status {process.returncode}")
    return elapsed, peak


def _peak_memory(pid: int) -> float:
    """Return the peak memory of a process in kB, or 0 if it has ended or /proc is missing.

    The value of getrusage would include the memory that its parent had at the fork.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    lines = [line.split() for line in status.splitlines()]
    return next((float(words[1]) for words in lines if words[0] == "VmHWM:"), 0.0)


def _solve_in_memory(boards: NDArray[np.uint8], limit: int, engine: str) -> float:
    begin = time.perf_counter()
    result = solve_batch(boards, limit=limit, engine=engine)
    elapsed = time.perf_counter() - begin
    del result  # freeing the memory is not part of solving
    return elapsed


def table(measurements: Sequence[FileTimes]) -> list[Row]:
    """Return the table: boards per second, and the times of `solve`, `wc -l` and `cat`."""
    header = ["`solve`", "boards", "in memory, boards/s", "file to file, boards/s"]
    header += ["file to file, s", "peak memory, MB", "`wc -l`, s", "`cat` to a file, s"]
    rows = [header]
    for each in measurements:
        row = [f"`--engine {each.engine}{' --check' if each.check else ''}`"]
        row += [f"{each.n_boards:,}", f"{each.n_boards / each.in_memory:,.0f}"]
        row += [f"{each.n_boards / each.solve:,.0f}", f"{each.solve:.2f}"]
        row += [f"{each.peak_megabytes:.0f}", f"{each.wc:.2f}", f"{each.cat:.2f}"]
        rows.append(row)
    return rows
