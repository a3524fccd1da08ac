"""The algorithms that search for covers, by name."""

from .problem import Problem
from .resumable import KernelSearch, LinkedSearch
from .resumable_x import ResumableX

# With dancing links, and on a dense array: compiled, or as plain Python.
ALGORITHMS = ("links", "bitset", "dense", "dense-python")


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
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm must be one of {', '.join(ALGORITHMS)}, not {algorithm!r}")
    if algorithm != "links":
        if problem.low is not None:
            raise ValueError(f"algorithm {algorithm!r} does not support multiplicities; use links")
        if algorithm == "bitset":
            from .resumable_bitset import ResumableBitset

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
