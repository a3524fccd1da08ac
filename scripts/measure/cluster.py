"""Measure executors with two workers on one machine: threads, processes, Dask, and Ray.

    python -m scripts.measure cluster [--runs 3]

The columns are the times to count the covers of the 16 queens, and to solve a million boards: the
mixed set, repeated. In one row, a worker of Dask is killed after two seconds. What is not installed
is left out. Each executor has loaded the kernels before. Runs alternate.
"""

import argparse
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from multiprocessing import get_context
from typing import Any

from dlx_numba import example, solve_batch

from ..puzzles import mixed_boards, repeat_boards
from ..tables import Row
from .harness import best_times

BLOCK = "cluster"
RUNS = 3
N_WORKERS = 2
N_BOARDS = 1_000_000
N_COVERS = 14_772_512
SECONDS_TO_KILL = 2.0


@contextmanager
def open_threads() -> Iterator[None]:
    """Yield no executor: the threads of this process are used."""
    yield None


@contextmanager
def open_dask() -> Iterator[Any]:
    """Yield the executor of a Dask cluster on this machine."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(N_WORKERS, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client.get_executor()


@contextmanager
def open_ray() -> Iterator[Executor]:
    """Yield the executor for Ray of docs/cluster.md."""
    import ray

    @ray.remote
    def call(function: Any, arguments: Any, keywords: Any) -> Any:
        return function(*arguments, **keywords)

    class RayExecutor(Executor):
        _max_workers = N_WORKERS

        def submit(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
            return call.remote(function, arguments, keywords).future()

    ray.init(num_cpus=N_WORKERS, include_dashboard=False, log_to_driver=False)
    yield RayExecutor()
    ray.shutdown()


EXECUTORS: dict[str, Callable[[], Any]] = {
    "threads": open_threads,
    "processes": partial(ProcessPoolExecutor, N_WORKERS, get_context("spawn")),
    "Dask": open_dask,
    "Ray": open_ray,
}


def count(executor: Any, n: int = 16) -> None:
    """Count the covers of the n queens."""
    problem = example("queens", n=n).cover(threads=None if executor else N_WORKERS)
    counted = problem.replace(executor=executor).count(method="search")
    if n == 16 and counted != N_COVERS:
        raise RuntimeError(f"counted {counted:,} covers instead of {N_COVERS:,}")


def count_and_kill(executor: Any) -> None:
    """Count the covers, and kill a worker of Dask meanwhile."""
    process = min(executor._client.run(os.getpid).values())
    timer = threading.Timer(SECONDS_TO_KILL, os.kill, [process, signal.SIGKILL])
    timer.start()
    count(executor)
    timer.join()
    executor._client.wait_for_workers(N_WORKERS)


def solve(boards: Any, executor: Any) -> None:
    """Solve boards, which have one solution."""
    how = {"executor": executor} if executor else {"threads": N_WORKERS}
    if not (solve_batch(boards, 2, **how).counts == 1).all():
        raise RuntimeError("a board has not one solution")


def measure(options: argparse.Namespace) -> list[Row]:
    boards = repeat_boards(mixed_boards(), N_BOARDS)
    calls = dict[tuple[str, str], Callable[[], object]]()
    with ExitStack() as stack:
        names = list[str]()
        for name, start in EXECUTORS.items():
            with suppress(ImportError):
                executor = stack.enter_context(start())
                names.append(name)
                calls[name, "queens"] = partial(count, executor)
                calls[name, "boards"] = partial(solve, boards, executor)
                for _ in range(2):  # loads the kernels
                    count(executor, 14)
                    solve(boards[: N_BOARDS // 10], executor)
                if name == "Dask":
                    names.append(killed := "Dask, a worker killed")
                    calls[killed, "queens"] = partial(count_and_kill, executor)
        best = best_times(calls, options.runs)
    rows: list[Row] = [["two workers", "queens 16, s", "a million boards, s"]]
    for name in names:
        times = (best.get((name, what)) for what in ("queens", "boards"))
        rows.append([name, *("" if each is None else f"{each:.2f}" for each in times)])
    return rows
