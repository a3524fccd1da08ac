"""The algorithms that search for covers, by name."""

from .problem import Problem
from .resumable import LinkedSearch
from .resumable_x import ResumableX

ALGORITHMS = ("links",)


def resumable_class(algorithm: str, problem: Problem) -> type[LinkedSearch]:
    """Return the class of resumable searches for an algorithm and a problem.

    Parameters
    ----------
    algorithm : str
        One of ALGORITHMS. "links" is Algorithm X, or Algorithm M if the problem has multiplicities.
    problem : Problem

    Raises
    ------
    ValueError
        If there is no such algorithm.
    """
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm must be one of {', '.join(ALGORITHMS)}, not {algorithm!r}")
    if problem.low is None:
        return ResumableX
    from .resumable_m import ResumableM  # most problems have no multiplicities

    return ResumableM
