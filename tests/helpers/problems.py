"""Problems for tests of searches."""

import functools

import dlx_numba as dlx
from tests.helpers import INSTANCES, oracles
from tests.helpers.seeds import seeds


def instance(name, **arguments):
    """Read a problem from the folder of instances."""
    return dlx.ExactCover.from_file(INSTANCES / f"{name}.dlx", **arguments)


@functools.cache
def problem(seed):
    """Return a random problem and its covers by brute force."""
    return oracles.stated_problem(seed, ("smallest", "leftmost", "random", "sharp")[seed % 4])


def problems(count):
    """Yield seeds, random problems that use every feature, and their covers by brute force."""
    for seed in seeds(count):
        yield seed, *problem(seed)
