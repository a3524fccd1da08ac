"""The algorithms that search for covers, by name, and the choice between them."""

from functools import cache
from typing import Literal, get_args

from ..jit.compile import is_ready
from .branching import BranchingRule
from .problem import Problem
from .resumable import KernelSearch, LinkedSearch
from .resumable_x import ResumableX
from .state import UNLIMITED

# The choice of `start_suggested`; dancing links, bitmaps, and a dense array: compiled, or as plain
# Python.
Algorithm = Literal["auto", "links", "bitset", "dense", "dense-python"]
AUTO: Literal["auto"] = "auto"
ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)[1:]

# `start_suggested` never suggests bitmaps for smaller problems, larger tables, or shorter
# searches. Their kernels take longer to compile than those of links, and tables take time to build.
MIN_OPTIONS = 128
MAX_TABLE_BYTES = 1 << 23
MIN_UPDATES = 1 << 17  # takes links about 0.3 ms
# The expected cost of a node on bitmaps, in updates of links: its fixed part, and the number of
# vectors of 512 bits of the first table that count as an update. Most nodes have smaller tables.
UPDATES_PER_NODE = 4
VECTORS_PER_UPDATE = 28
MIN_UPDATES_TO_COMPILE = 1 << 31  # takes links about 5 s, as long as the compiler needs for bitmaps


def check_algorithm(algorithm: str, problem: Problem) -> None:
    """Raise ValueError if there is no such algorithm, or it does not support the problem."""
    if algorithm not in (AUTO, *ALGORITHMS):
        known = ", ".join((AUTO, *ALGORITHMS))
        raise ValueError(f"algorithm must be one of {known}, not {algorithm!r}")
    if algorithm not in (AUTO, "links") and problem.low is not None:
        raise ValueError(f"algorithm {algorithm!r} does not support multiplicities; use links")


def resumable_class(algorithm: str, problem: Problem) -> type[KernelSearch]:
    """Return the class of resumable searches for an algorithm and a problem.

    Parameters
    ----------
    algorithm : str
        One of ALGORITHMS. "links" is Algorithm X, or Algorithm M if the problem has multiplicities.
    problem : Problem

    Raises
    ------
    ValueError
        If there is no such algorithm, or it does not support multiplicities and the problem has
        some.
    """
    check_algorithm(algorithm, problem)
    if algorithm != "links":
        if algorithm == "bitset":
            from .resumable_bitset import ResumableBitset  # loading it takes some milliseconds

            return ResumableBitset
        from .resumable_dense import ResumableDense, ResumablePython  # most searches use links

        return ResumableDense if algorithm == "dense" else ResumablePython
    return linked_class(problem)


def linked_class(problem: Problem) -> type[LinkedSearch]:
    """Return the class of resumable searches with dancing links for a problem."""
    if problem.low is None:
        return ResumableX
    from .resumable_m import ResumableM  # most problems have no multiplicities

    return ResumableM


def start_suggested(problem: Problem, rule: BranchingRule) -> tuple[Algorithm, KernelSearch]:
    """Choose the algorithm that is expected to find all covers of a problem in the shortest time.

    A search with links is tried for a fraction of a millisecond. If it ends by then, links are the
    better choice. Otherwise, its number of updates per node shows whether bitmaps are faster. Their
    work at a node depends on the size of the tables, that of links on the options removed. If the
    kernels for bitmaps must be compiled first, only long searches use them.

    Returns the name of the algorithm, and a search that has not yet taken a step. Raises
    OptionError and ValueError as `build_links` does.
    """
    linked = linked_class(problem).start(problem, rule)
    if _is_bitset_faster(problem, linked):
        return "bitset", resumable_class("bitset", problem).start(problem, rule)
    return "links", linked


def _is_bitset_faster(problem: Problem, linked: KernelSearch) -> bool:
    """Return whether a search on bitmaps is expected to be faster than one with links."""
    n_options = problem.n_options
    if problem.low is not None or problem.cost is not None or n_options < MIN_OPTIONS:
        return False
    if n_options * n_options > 8 * MAX_TABLE_BYTES:
        return False
    trial = linked.copy()
    if trial.count(MIN_UPDATES, UNLIMITED):
        return False
    _, nodes, updates = trial.counters.tolist()
    vectors = n_options * problem.n_primary / 512
    if updates <= nodes * (UPDATES_PER_NODE + vectors / VECTORS_PER_UPDATE):
        return False
    return _has_bitset_kernels() or updates > MIN_UPDATES_TO_COMPILE * trial.explored()


@cache
def _has_bitset_kernels() -> bool:
    """Return whether the kernels for bitmaps need not be compiled; the disk is checked once."""
    from .bitset import search_bitset

    return is_ready(search_bitset)
