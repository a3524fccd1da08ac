"""Measure the compilation of kernels: the time and the size of each entry point.

    python -m scripts.measure compile

All kernels are compiled in one process, into a temporary directory, and like the processes of
`warmup` without collecting garbage. Times are processor times; the time of a kernel includes that
of the kernels that it calls. The last lines have the totals, and the functions that Numba compiles
for the most combinations of argument types.
"""

import argparse
import gc
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dlx_numba import precompile
from dlx_numba.jit import build
from dlx_numba.jit import compile as jit_compile
from dlx_numba.jit.library import SUFFIX, Library, Store

from ..tables import Row

N_FUNCTIONS = 20  # with the most overloads


def measure(options: argparse.Namespace) -> list[list[Row]]:
    times: dict[str, list[float]] = defaultdict(list)

    @contextmanager
    def timed(name: str) -> Iterator[None]:
        begin = time.process_time()
        yield
        times[name].append(time.process_time() - begin)

    gc.disable()
    with tempfile.TemporaryDirectory() as directory:
        jit_compile.store = Store(Path(directory))
        jit_compile.compilation = timed
        for task in precompile.TASKS:
            task()
        sizes: dict[str, int] = defaultdict(int)
        for file in Path(directory).glob(f"*{SUFFIX}"):
            for key, entry in Library(file).entries().items():
                sizes[key.partition("(")[0].rpartition(".")[2]] += len(entry.code)
    rows = [["kernel", "entry points", "time (s)", "size (KiB)"]]
    for name, each in sorted(times.items(), key=lambda item: -sum(item[1])):
        rows.append([name, str(len(each)), f"{sum(each):.2f}", f"{sizes[name] / 1024:.1f}"])
    n_compiled, seconds = sum(map(len, times.values())), sum(map(sum, times.values()))
    rows.append(["all", str(n_compiled), f"{seconds:.2f}", f"{sum(sizes.values()) / 1024:.1f}"])
    kernels = rows
    overloads = {
        f"{function.__module__}.{function.__qualname__}": dispatcher.signatures
        for function, dispatcher in build.dispatchers.copies.items()
    }
    total = sum(map(len, overloads.values()))
    rows = [["function", "overloads"], [f"all {len(overloads)}", str(total)]]
    for name, signatures in sorted(overloads.items(), key=lambda item: -len(item[1]))[:N_FUNCTIONS]:
        rows.append([name, str(len(signatures))])
    return [kernels, rows]


def tables(rows: list[list[Row]]) -> list[list[Row]]:
    return rows
