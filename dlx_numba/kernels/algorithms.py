"""The algorithms that search for covers, by name, and the choice between them."""

from collections.abc import Callable
from typing import Literal, get_args

from .dlx.algorithm_x import SubtreeX
from .problem import Problem
from .subtree import Subtree

# The choice of `suggest_algorithm`; dancing links, bitmaps
Algorithm = Literal["auto", "links", "bitset"]
AUTO: Literal["auto"] = "auto"
ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)[1:]

# `suggest_algorithm` never suggests bitmaps for smaller problems, larger tables, or shorter
# searches, because tables take time to build.
MIN_OPTIONS = 128
MAX_TABLE_BYTES = 1 << 23
TRIAL_UPDATES = 1 << 17  # takes links about 0.3 ms
MIN_TRIAL_UPDATES = 1 << 13  # if there are many components, each of which has a trial
# The expected cost of a node on bitmaps, in updates of links: its fixed part, and the number of
# vectors of 512 bits of the first table that count as an update. Most nodes have smaller tables.
UPDATES_PER_NODE = 4
VECTORS_PER_UPDATE = 28


def linked_class(problem: Problem, *, is_consistent: bool = False) -> type[Subtree]:
    """Return the class of the subtrees that a search with links explores.

    This is Algorithm X, or Algorithm M if the problem has multiplicities or totals, or its colors
    are kept consistent.

    Parameters
    ----------
    problem : Problem
    is_consistent : bool, default: False
        Whether the branching rule keeps colors consistent.
    """
    if problem.low is None and problem.total_low is None and not is_consistent:
        return SubtreeX
    from .dlx.algorithm_m import SubtreeM  # most problems have no multiplicities

    return SubtreeM


def suggest_algorithm(problem: Problem, try_links: Callable[[], Subtree]) -> Algorithm:
    """Return the algorithm that is expected to find all covers in the shortest time.

    A search with links is tried for a fraction of a millisecond. If it ends by then, links are the
    better choice. Otherwise, its number of updates per node shows whether bitmaps are faster. Their
    work at a node depends on the size of the tables, that of links on the options removed.

    Parameters
    ----------
    problem : Problem
    try_links : callable
        Returns the tree of a search with links after TRIAL_UPDATES, or fewer if there are many
        components. Not called for problems for which bitmaps are never faster.
    """
    n_options = problem.n_options
    if problem.cost is not None or (problem.low is None and n_options < MIN_OPTIONS):
        return "links"
    # A table has a bit for each pair of options, and a state as many for each pair of items.
    if max(n_options, problem.n_items) ** 2 > 8 * MAX_TABLE_BYTES:
        return "links"
    trial = try_links()
    _, nodes, updates = trial.counters.tolist()
    vectors = n_options * problem.n_primary / 512
    is_faster = updates > nodes * (UPDATES_PER_NODE + vectors / VECTORS_PER_UPDATE)
    return "bitset" if is_faster and not trial.is_done else "links"
