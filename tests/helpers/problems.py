"""Problems for tests of searches."""

import functools

import dlx_numba as dlx
from tests.helpers import INSTANCES, oracles
from tests.helpers.seeds import seeds


def instance(name, **arguments):
    """Read a problem from the folder of instances."""
    return dlx.ExactCover.from_file(INSTANCES / f"{name}.dlx", **arguments)


@functools.cache
def problem(seed, algorithm="links"):
    """Return a random problem and its covers by brute force."""
    choose = ("smallest", "leftmost", "random", "sharp")[seed % 4]
    return oracles.stated_problem(seed, choose, algorithm, has_bounds=algorithm == "links")


def problems(count):
    """Yield seeds, random problems that use every feature, and their covers by brute force.

    Every third problem is followed by one on a dense array.
    """
    for seed in seeds(count):
        yield seed, *problem(seed)
        if seed % 3 == 0:
            yield seed, *problem(seed, "dense" if seed % 2 else "dense-python")
