"""How fast the Sudoku engines are beside a yardstick in C, in the same run.

    .venv/bin/python scripts/measure_yardstick.py sudoku_dlx.c [FILE...] [--engine dlx] [--markdown]

The C program is compiled with `cc -O3 -march=native` and run as `sudoku_dlx FILE LIMIT REPEATS`; it
prints `… boards … solutions … per second` for each repeat. Runs of both take turns, and the best of
each counts: machines that others use, too, are slower at times, but never faster.
"""

import argparse
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from dlx_numba.bench.report import machine
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.sudoku.backends import ThreadBackend
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.read import read_boards

DATA = Path(__file__).parents[1] / "data"
SETS = ("simple", "easy", "intermediate", "expert")
SECONDS = 0.3  # a round of either program takes about so long


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("yardstick", help="the C source")
    parser.add_argument("files", nargs="*", help="one-line puzzles; else those of data/")
    parser.add_argument("--engine", default="dlx")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    files = options.files or [str(DATA / f"{name}.txt") for name in SETS]
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(options.yardstick, folder)
        rows = [
            compare(program, file, limit, options.engine, options.rounds)
            for file in files
            for limit in (1, 2)
        ]
    show(rows, options.engine, options.markdown)


def compiled(source: str, folder: str) -> str:
    """The program, as a careful C programmer would compile it."""
    program = str(Path(folder) / "yardstick")
    subprocess.run(["cc", "-O3", "-march=native", "-o", program, source], check=True)
    return program


def compare(program: str, file: str, limit: int, engine: str, rounds: int) -> tuple[str, ...]:
    """One line of the table."""
    boards = np.concatenate([chunk.boards for chunk in read_boards(file)])
    repeats = max(1, round(SECONDS * of_yardstick(program, file, limit, 1) / len(boards)))
    yardstick = one = pair = 0.0
    copies = round(SECONDS * of_engine(boards, limit, engine, 1) / len(boards))
    many = np.tile(boards, (max(1, copies), 1))
    for _ in range(rounds):
        yardstick = max(yardstick, of_yardstick(program, file, limit, repeats))
        one = max(one, *(of_engine(boards, limit, engine, 1) for _ in range(repeats)))
        speed_up = of_engine(many, limit, engine, 2) / of_engine(many, limit, engine, 1)
        pair = max(pair, speed_up)
    return (
        Path(file).stem,
        str(limit),
        f"{yardstick:,.0f}",
        f"{one:,.0f}",
        f"{one / yardstick:.2f}",
        f"{pair:.2f}",
    )


def of_yardstick(program: str, file: str, limit: int, repeats: int) -> float:
    """Boards per second, as the program itself tells: set-up and reading are not counted."""
    out = subprocess.run(
        [program, file, str(limit), str(repeats)], check=True, capture_output=True, text=True
    ).stdout
    return max(float(line.split()[4]) for line in out.splitlines())


def of_engine(boards: np.ndarray, limit: int, engine: str, threads: int) -> float:
    """Boards per second, set-up of each board included."""
    with ThreadBackend(engine, limit, threads, Stop()) as backend:
        backend.solve(boards[:1], Box.of_cells(boards.shape[1]))
        begin = time.perf_counter()
        backend.solve(boards, Box.of_cells(boards.shape[1]))
        return len(boards) / (time.perf_counter() - begin)


def show(rows: list[tuple[str, ...]], engine: str, markdown: bool) -> None:
    header = ("set", "limit", "yardstick /s", f"{engine} /s", "ratio", "2 threads : 1")
    if markdown:
        print(f"| {' | '.join(header)} |\n| --- {'| ---: ' * (len(header) - 1)}|")
        for row in rows:
            print(f"| {' | '.join(row)} |")
    else:
        widths = [max(len(row[k]) for row in [header, *rows]) for k in range(len(header))]
        for row in [header, *rows]:
            print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))
    print(f"\nMeasured with {', '.join(f'{key} {value}' for key, value in machine().items())}.")


if __name__ == "__main__":
    main()
