"""The memory that a computation may use."""

import os
from contextlib import suppress

from .arguments import check_integer

DEFAULT_FREE_BYTES = 1 << 31  # if the system does not state the free memory


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
        return free_memory() // 2
    if check_integer(memory, "memory", "for half of the free memory") < 0:
        raise ValueError(f"memory must be 0 or more, or None, not {memory}")
    return int(memory)


def free_memory() -> int:
    """Return the number of bytes that are free, as far as the system states it."""
    sizes = []
    with suppress(OSError, ValueError, StopIteration), open("/proc/meminfo") as file:
        line = next(line for line in file if line.startswith("MemAvailable:"))
        sizes.append(int(line.split()[1]) << 10)
    with (
        suppress(OSError, ValueError),  # a container may have less
        open("/sys/fs/cgroup/memory.max") as limit,
        open("/sys/fs/cgroup/memory.current") as current,
    ):
        sizes.append(max(0, int(limit.read()) - int(current.read())))
    if not sizes:
        with suppress(AttributeError, OSError, ValueError):  # not on Windows
            sizes.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)
    return min(sizes, default=DEFAULT_FREE_BYTES)
