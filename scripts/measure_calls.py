"""Measure calls from Python: `solve_batch` with each type of input, and `solve_sudoku`.

    python -m scripts.measure_calls [--boards 200000] [--rounds 7] [--against DIRECTORY]

The boards of the batches are those of the mixed set, repeated; the single boards are those of each
set of data/. All types of input alternate in each round, and the best round of each counts, because
other load on the machine can only slow it down. With `--against`, another copy of the repository is
measured in alternating processes, for a comparison before and after a change.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dlx_numba import solve_batch, solve_sudoku

from .puzzles import DATA, SETS, encode_boards, mixed_boards, read_boards, repeat_boards
from .tables import Row, markdown_table, text_table

N_BOARDS = 200_000
ROUNDS = 7
PROCESSES = 3  # of each copy
ARRAY = "array of uint8"

Times = dict[str, float]  # seconds per board, by the type of input


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=N_BOARDS, help="number of boards per batch")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--against", type=Path, help="another copy of the repository")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--json", action="store_true", help="print the times only")
    options = parser.parse_args()
    if options.json:
        times = [measure_batches(options.boards, options.rounds), measure_single(options.rounds)]
        json.dump(times, sys.stdout)
        return
    names = ["this copy"]
    copies = [Path(__file__).parents[1]]
    if options.against:
        names.append(str(options.against))
        copies.append(options.against)
    best = measure_copies(copies, options.boards, options.rounds)
    print_table = markdown_table if options.markdown else text_table
    for name, (batches, single) in zip(names, best, strict=True):
        print(f"{name}\n\n{print_table(batch_table(batches))}\n{print_table(single_table(single))}")


def measure_copies(copies: list[Path], n_boards: int, rounds: int) -> list[list[Times]]:
    """Measure copies of the repository with this script; return the best times of each copy."""
    best: list[list[Times]] = [[{}, {}] for _ in copies]
    for _ in range(PROCESSES):
        for number, copy in enumerate(copies):
            command = [sys.executable, "-m", "scripts.measure_calls", "--json"]
            command += ["--boards", str(n_boards), "--rounds", str(rounds)]
            path = f"{copy}{os.pathsep}{Path(__file__).parents[1]}"
            output = subprocess.run(
                command,
                check=True,
                stdout=subprocess.PIPE,
                cwd=Path(__file__).parents[1],
                env=os.environ | {"PYTHONPATH": path, "PYTHONSAFEPATH": "1"},
            ).stdout
            for found, times in zip(best[number], json.loads(output), strict=True):
                for name, seconds in times.items():
                    found[name] = min(found.get(name, seconds), seconds)
    return best


def batch_inputs(n_boards: int) -> dict[str, Any]:
    """Return the same boards in each type of input that `solve_batch` accepts, by name."""
    boards = repeat_boards(mixed_boards(), n_boards)
    text = encode_boards(boards)
    lines = text.decode().splitlines()
    return {
        ARRAY: boards,
        "list of str": lines,
        "tuple of str": tuple(lines),
        "list of str with line ends": text.decode().splitlines(keepends=True),
        "array U81": np.array(lines),
        "array S81": np.array(text.splitlines()),
        "array of objects": np.array(lines, object),  # a pandas column
        "list of bytes": text.splitlines(),
        "bytes": text,
    }


def measure_batches(n_boards: int, rounds: int) -> Times:
    """Return the seconds per board of `solve_batch` for each type of input that it accepts."""
    calls: dict[str, Callable[[], object]] = {}
    for name, puzzles in batch_inputs(n_boards).items():
        try:
            solve_batch(puzzles[:82] if name == "bytes" else puzzles[:1])
        except ValueError:  # an earlier version
            continue
        calls[name] = lambda puzzles=puzzles: solve_batch(puzzles)
    best = best_times(calls, rounds)
    return {name: seconds / n_boards for name, seconds in best.items()}


def measure_single(rounds: int) -> Times:
    """Return the seconds per call of `solve_sudoku` for strings and arrays of each set."""
    calls: dict[str, Callable[[], object]] = {}
    n_boards = 0
    for name in SETS:
        boards = read_boards(DATA / f"{name}.txt")
        n_boards = len(boards)
        strings = encode_boards(boards).decode().split()
        integers = list(boards.astype(int).reshape(-1, 9, 9))
        kinds: dict[str, list[Any]] = {"str": strings, "uint8": list(boards), "int64": integers}
        for kind, puzzles in kinds.items():
            calls[f"{name}, {kind}"] = lambda puzzles=puzzles: [*map(solve_sudoku, puzzles)]
    return {name: seconds / n_boards for name, seconds in best_times(calls, rounds * 5).items()}


def best_times(calls: dict[str, Callable[[], object]], rounds: int) -> Times:
    """Return the shortest time of each call. The calls alternate."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            begin = time.perf_counter()
            call()
            best[name] = min(best[name], time.perf_counter() - begin)
    return best


def batch_table(times: Times) -> list[Row]:
    """Return the table of boards per second, and of the ratios to the rate for an array."""
    rows = [["`solve_batch`", "boards/s", "ns per board", "ratio"]]
    for name, seconds in times.items():
        ratio = times[ARRAY] / seconds
        rows.append([name, f"{1 / seconds:,.0f}", f"{seconds * 1e9:,.0f}", f"{ratio:.2f}"])
    return rows


def single_table(times: Times) -> list[Row]:
    """Return the table of µs per call by set and type."""
    kinds = list(dict.fromkeys(name.split(", ")[1] for name in times))
    rows = [["`solve_sudoku`, µs per call", *kinds]]
    return rows + [
        [name, *(f"{times[f'{name}, {kind}'] * 1e6:.1f}" for kind in kinds)] for name in SETS
    ]


if __name__ == "__main__":
    main()
