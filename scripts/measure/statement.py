"""Measure the memory that making a large problem takes, and its first cover, in bytes an option.

    python -m scripts.measure statement [--options 1000000]

Options have 2 to 7 of 500 names. The bytes are those that Python and NumPy allocate.
"""

import argparse
import random
import tracemalloc

from dlx_numba import ExactCover

from ..tables import Row

ITEMS = [f"i{k}" for k in range(500)]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--options", type=int, default=10**6)


def measure(arguments: argparse.Namespace) -> list[Row]:
    n_options: int = arguments.options
    rng = random.Random(1)
    options = [rng.sample(ITEMS, rng.randint(2, 7)) for _ in range(n_options)]
    ExactCover(options[:9]).first()  # loads the kernels
    rows = [["bytes an option", "peak", "afterward"]]
    tracemalloc.start()
    cover = ExactCover(options)
    rows.append(["the problem", *per_option(n_options)])
    tracemalloc.reset_peak()
    cover.first()
    rows.append(["its first cover", *per_option(n_options)])
    tracemalloc.stop()
    return rows


def per_option(n_options: int) -> list[str]:
    """Return the peak and the present number of bytes for each option."""
    present, peak = tracemalloc.get_traced_memory()
    return [f"{n_bytes / n_options:.1f}" for n_bytes in (peak, present)]
