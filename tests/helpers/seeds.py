"""Seeds of random tests: `--seed` replaces them, and the report of a failure names the last one.

A test draws its seeds from `seeded` or `seeds`; a failed test is then reported together with the
command that repeats the failure at once.
"""

from collections.abc import Iterator

requested: int | None = None  # the option --seed
last_used: int | None = None  # by the test that is running


def seeded(default: int) -> int:
    """Return the seed to use: `--seed` if it is given, `default` otherwise."""
    global last_used
    last_used = default if requested is None else requested
    return last_used


def seeds(count: int) -> Iterator[int]:
    """Yield `count` consecutive seeds, starting at `--seed`, or at 0."""
    global last_used
    first = seeded(0)
    for seed in range(first, first + count):
        last_used = seed
        yield seed
