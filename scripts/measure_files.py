"""How fast `solve` is from file to file, beside the same boards in memory, `wc -l` and `cat`.

    .venv/bin/python scripts/measure_files.py PUZZLES [--boards 10000000] [--engine auto] [--check]

PUZZLES, a file of one-line puzzles, is repeated until there are so many boards.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dlx_numba import solve_batch
from dlx_numba.sudoku.io.read import read_boards


class FileFigures(NamedTuple):
    """Seconds for all boards, but for the last."""

    in_memory: float
    solve: float
    wc: float
    cat: float
    peak_mb: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("puzzles")
    parser.add_argument("--boards", type=int, default=10_000_000)
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    figures = measure_files(options.puzzles, options.boards, options.engine, options.check)
    print(describe(figures, options.boards))


def describe(figures: FileFigures, boards: int) -> str:
    """The figures in a sentence or two."""
    return (
        f"{boards:,} puzzles in memory: {boards / figures.in_memory:,.0f} per second; "
        f"by `solve`, from file to file: {boards / figures.solve:,.0f} per second "
        f"({figures.solve:.2f} s, start of Python included; {figures.peak_mb:.0f} MB at the peak). "
        f"`wc -l` takes {figures.wc:.2f} s for that file, `cat` to a file {figures.cat:.2f} s."
    )


def measure_files(
    puzzles: str, boards: int, engine: str, check: bool, rounds: int = 3
) -> FileFigures:
    """The best of some rounds, on all processors."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "puzzles.txt", Path(folder) / "solved.txt"
        lines = [line for line in Path(puzzles).read_bytes().splitlines() if line]
        many = (lines * -(-boards // len(lines)))[:boards]
        source.write_bytes(b"\n".join(many) + b"\n")
        command = [sys.executable, "-m", "dlx_numba", "solve", "--quiet", "--engine", engine]
        command += ["-o", str(target), str(source), *(["--check"] if check else [])]
        solve, peak = zip(*(_run(command, target) for _ in range(rounds)), strict=True)
        wc, _ = zip(*(_run(["wc", "-l", str(source)], None) for _ in range(rounds)), strict=True)
        copy = ["sh", "-c", f"cat '{source}' > '{target}'"]
        cat, _ = zip(*(_run(copy, target) for _ in range(rounds)), strict=True)
        in_memory = [_in_memory(source, engine, 2 if check else 1) for _ in range(rounds)]
    return FileFigures(min(in_memory), min(solve), min(wc), min(cat), max(peak) / 1000)


def _run(command: list[str], target: Path | None) -> tuple[float, float]:
    """Seconds, and the most memory in kB, of a process; the file it writes is not there before."""
    if target is not None:
        target.unlink(missing_ok=True)
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, _peak_memory(process.pid))
        time.sleep(0.005)
    elapsed = time.perf_counter() - begin
    if process.returncode:
        raise RuntimeError(f"{command} ended with status {process.returncode}")
    return elapsed, peak


def _peak_memory(pid: int) -> float:
    """What getrusage tells of a child includes its parent's memory at the fork; this does not."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:  # it has just ended, or there is no /proc
        return 0.0
    lines = [line.split() for line in status.splitlines()]
    return next((float(words[1]) for words in lines if words[0] == "VmHWM:"), 0.0)


def _in_memory(source: Path, engine: str, limit: int) -> float:
    boards = np.concatenate([chunk.boards for chunk in read_boards(source)])
    solve_batch(boards[:1000], limit=limit, engine=engine)
    begin = time.perf_counter()
    solve_batch(boards, limit=limit, engine=engine)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
