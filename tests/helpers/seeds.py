"""The number of random instances, and their seeds: the options `--instances` and `--seed`.

A test draws its seeds from `seeded` or `seeds`; a failed test is then reported together with the
command that repeats the failure at once.
"""

import math
from collections.abc import Iterator

requested: int | None = None  # the option --seed
fraction = 0.02  # the option --instances
last_used: int | None = None  # by the test that is running


def instances(count: int, at_least: int = 3) -> int:
    """Return how many of `count` random instances to test: the fraction `--instances`."""
    return min(count, max(math.ceil(count * fraction), at_least))


def seeded(default: int) -> int:
    """Return the seed to use: `--seed` if it is given, `default` otherwise."""
    global last_used
    last_used = default if requested is None else requested
    return last_used


def seeds(count: int, at_least: int = 3) -> Iterator[int]:
    """Yield consecutive seeds of `instances(count, at_least)` instances, from `--seed` or 0."""
    global last_used
    first = seeded(0)
    for seed in range(first, first + instances(count, at_least)):
        last_used = seed
        yield seed
