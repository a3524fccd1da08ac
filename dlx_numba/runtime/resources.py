"""The processors, the capacity of executors and the memory that a computation may use."""

import gc
import os
import re
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from .arguments import check_integer
from .interrupts import MAX_THREADS
from .workers import call_in_thread

THREADS_VARIABLE = "DLX_NUMBA_THREADS"
DEFAULT_FREE_BYTES = 1 << 31  # if the system does not say the free memory

root = Path("/")  # of the file system


@cache
def default_threads() -> int:
    """Return the default number of threads: that of the processors that this process may use.

    The environment variable DLX_NUMBA_THREADS replaces it. It is determined once, which takes a
    good part of a millisecond. A container may have a share of the processors: a quota of processor
    time per period.

    Raises
    ------
    ValueError
        If the variable is not a whole number of at least 1.

    Examples
    --------
    >>> default_threads() >= 1
    True
    """
    # In a thread, which runs no signal handlers: what reads the files ignores OSError and
    # ValueError, also those that a handler raises.
    return requested_threads() or call_in_thread(_count_processors)


def requested_threads() -> int | None:
    """Return the number in the variable, see `default_threads`; None if it is not set."""
    text = os.environ.get(THREADS_VARIABLE)
    if not text:
        return None
    if re.fullmatch("0*[1-9][0-9]{0,9}", text) is None:
        raise ValueError(
            f"the environment variable {THREADS_VARIABLE} must be a whole number of "
            f"at least 1, not {text!r}"
        )
    return min(int(text), MAX_THREADS)


def _count_processors() -> int:
    """Return the number of processors, as `default_threads` does."""
    shares = [-(-quota // period) for quota, period in _group_limits("cpu.max")]  # rounded up
    return min([n_processors(), *shares])


def n_processors() -> int:
    """Return the number of processors on which the system may run this process."""
    if hasattr(os, "process_cpu_count"):  # since Python 3.13; PYTHON_CPU_COUNT sets it
        return os.process_cpu_count() or 1
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1


def executor_slots(executor: Executor) -> int:
    """Return the number of tasks that an executor runs at the same time.

    For a Dask cluster without workers, and for executors other than those of Dask and of the
    standard library, this is the number of processors of the machine.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> executor_slots(ThreadPoolExecutor(3))
    3
    """
    if workers := getattr(executor, "_max_workers", None):
        return int(workers)
    client = getattr(executor, "_client", None)  # an attribute of Dask's executor
    if client is not None and (threads := sum(client.nthreads().values())):
        return int(threads)
    return os.cpu_count() or 1


def memory_limit(memory: int | None) -> int:
    """Return the number of bytes that may be used: a given one, or half of what is free.

    Raises
    ------
    TypeError
        If `memory` is not an integer.
    ValueError
        If it is negative.

    Examples
    --------
    >>> memory_limit(1000), memory_limit(None) > 0
    (1000, True)
    """
    if memory is None:
        return call_in_thread(free_memory) // 2
    return check_integer(memory, "memory", "for half of the free memory", minimum=0)


def free_memory() -> int:
    """Return the number of bytes that are free, as far as the system says it."""
    sizes = []
    with suppress(OSError, ValueError, StopIteration), open(root / "proc/meminfo") as file:
        line = next(line for line in file if line.startswith("MemAvailable:"))
        sizes.append(int(line.split()[1]) << 10)  # from kB
    limits = _group_limits("memory.max", "memory.current")
    sizes += [max(0, limit - used) for limit, used in limits]
    if not sizes:
        with suppress(AttributeError, OSError, ValueError):  # not on Windows
            sizes.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)
    return min(sizes, default=DEFAULT_FREE_BYTES)


def _group_limits(*names: str) -> Iterator[tuple[int, int]]:
    """Yield the two numbers in the named files, for each control group that has a limit.

    These are the control group of this process, in version 2 of Linux control groups, and its
    ancestors. One file may have both numbers, a limit and its period, or each of two files one.
    """
    try:
        group = re.search("^0::/(.*)$", (root / "proc/self/cgroup").read_text(), re.MULTILINE)
    except (OSError, ValueError):
        return
    mount = root / "sys/fs/cgroup"
    innermost = mount / (group[1] if group else "")
    for directory in (innermost, *innermost.parents):
        if directory.is_relative_to(mount):
            with suppress(OSError, ValueError):  # no such file, or the limit is "max"
                first, second = " ".join((directory / name).read_text() for name in names).split()
                yield int(first), int(second)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the garbage collector while many objects without cycles are made.

    It would traverse them again and again: half of the time of reading a million options.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
