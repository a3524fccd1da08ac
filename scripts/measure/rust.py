"""Compare with the package exact-covers of Rust, by counting all covers.

    cargo build --release --manifest-path scripts/peers/exact_covers/Cargo.toml
    python -m scripts.measure rust --program scripts/peers/exact_covers/target/release/count

The times of the program are those of its process, which reads the problem.
"""

import argparse
from functools import partial
from pathlib import Path

from dlx_numba import ExactCover

from ..peers.problems import COLORS, GENERAL, INSTANCES, N_COVERS
from ..peers.timing import time_program
from ..tables import Row
from .harness import best_times

BLOCK = "rust"
RUNS = 3
LIMIT = 120.0  # seconds of a process


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--program", required=True, help="of scripts/peers/exact_covers, built")


def measure(options: argparse.Namespace) -> list[Row]:
    rows: list[Row] = [["milliseconds", "covers", "exact-covers 0.3.0", "`links`", "`auto`"]]
    colored = {name: number for name, (number, kind) in GENERAL.items() if kind == COLORS}
    for name, n_covers in (N_COVERS | colored).items():
        file = Path(INSTANCES / f"{name}.dlx")
        links = ExactCover.read(file, threads=1, algorithm="links")
        auto = ExactCover.read(file, threads=1)
        assert links.count(method="search") == auto.count() == n_covers  # compiles the kernels
        calls = {
            "program": partial(time_program, [options.program], LIMIT, file, n_covers),
            "links": partial(links.count, method="search"),
            "auto": auto.count,
        }
        best = best_times(calls, options.runs)
        rows.append(
            [name, f"{n_covers:,}", *(f"{1e3 * seconds:,.1f}" for seconds in best.values())]
        )
    return rows
