"""Measure calls from Python: `solve_batch` with each type of input, and `solve_sudoku`.

    python -m scripts.measure calls [--boards 200000] [--runs 7]

The boards of the batches are those of the mixed set, repeated; the single boards are those of each
set of data/. All types of input alternate.
"""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

from dlx_numba import solve_batch, solve_sudoku

from ..puzzles import DATA, SETS, encode_boards, mixed_boards, read_boards, repeat_boards
from ..tables import Row
from .harness import best_times

N_BOARDS = 200_000
RUNS = 7
ARRAY = "array of uint8"

Times = dict[str, float]  # seconds per board, by the type of input


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--boards", type=int, default=N_BOARDS, help="number of boards per batch")


def measure(options: argparse.Namespace) -> list[Times]:
    return [measure_batches(options.boards, options.runs), measure_single(options.runs)]


def tables(times: list[Times]) -> list[list[Row]]:
    return [batch_table(times[0]), single_table(times[1])]


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
