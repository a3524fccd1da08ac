"""Problems that searches are tried on."""

import functools

import dlx_numba as dlx
from tests.helpers import INSTANCES, oracles


def instance(name, **how):
    return dlx.ExactCover.from_file(INSTANCES / f"{name}.dlx", **how)


@functools.cache
def problem(seed):
    return oracles.stated_problem(seed, ("smallest", "leftmost", "random", "sharp")[seed % 4])


def problems(count):
    """Random problems with all that can be stated of them, and their covers by brute force."""
    return map(problem, range(count))
