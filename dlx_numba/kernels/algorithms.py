"""The algorithms that search for covers, by name, and the choice between them."""

from ..runtime.choices import Algorithm
from ..runtime.interrupts import UPDATES_PER_SLICE
from .cover_array import Translation
from .dlx.algorithm_x import SubtreeX
from .dlx.branching import BranchingRule
from .problem import Problem
from .subtree import Subtree

# `suggest_algorithm` never suggests bitmaps for smaller problems without multiplicities, larger
# tables, or shorter searches, because tables take time to build.
MIN_OPTIONS = 128
MAX_TABLE_BYTES = 1 << 23
TRIAL_UPDATES = 1 << 17  # takes links about 0.3 ms
MIN_TRIAL_UPDATES = 1 << 13  # if there are many components, each of which has a trial
# A trial ends after this share of its updates if less than MIN_EXPLORED of the tree is explored.
EARLY_SHARE = 1 / 4
MIN_EXPLORED = 1 / 8
SLICE_UPDATES_PER_NODE = 32  # by which a larger slice grows
TOTALS_SLICE = 1 << 19  # with hundreds of totals, some 70 ms
# The expected cost of a node on bitmaps, in updates of links: its fixed part, and the number of
# vectors of 512 bits of the first table that count as an update. Most nodes have smaller tables.
UPDATES_PER_NODE = 4
VECTORS_PER_UPDATE = 28


def linked_class(problem: Problem, rule: BranchingRule) -> type[Subtree]:
    """Return the class of the subtrees that a search with links explores.

    This is Algorithm X, or Algorithm M if the problem has multiplicities or totals, or its colors
    are kept consistent. Literal searches have a class of their own.
    """
    if rule.is_literal:
        from .literal import LiteralSubtree  # few searches are literal

        return LiteralSubtree
    if problem.low is None and problem.total_low is None and not rule.is_consistent:
        return SubtreeX
    from .dlx.algorithm_m import SubtreeM  # most problems have no multiplicities

    return SubtreeM


def may_use_bitmaps(problem: Problem) -> bool:
    """Return whether bitmaps may be faster for a problem, so that a search with links is tried."""
    n_options = problem.n_options
    if problem.cost is not None or problem.total_low is not None:  # which bitmaps ignore
        return False
    # With multiplicities, searches of small problems are long, too, as those of dominating queens.
    if problem.low is None and n_options < MIN_OPTIONS:
        return False
    return _fit_into_tables(n_options, problem.n_items)


def _fit_into_tables(n_options: int, n_items: int) -> bool:
    """Return whether a table of bitmaps would not be too large.

    It has a bit for each pair of options, and a search as many for each pair of items.
    """
    return max(n_options, n_items) ** 2 <= 8 * MAX_TABLE_BYTES


def updates_of_slice(n_nodes: int, has_totals: bool = False) -> int:
    """Return the budget of the first slice of a search: for many nodes, the time to link them."""
    if n_nodes <= TRIAL_UPDATES // SLICE_UPDATES_PER_NODE:
        return TRIAL_UPDATES
    most = TOTALS_SLICE if has_totals else UPDATES_PER_SLICE
    return min(SLICE_UPDATES_PER_NODE * n_nodes, most)


def first_updates(n_options: int, n_items: int, n_nodes: int) -> int:
    """Return the budget of the beginning of the first slice, after which bitmaps may be tried."""
    if n_options >= MIN_OPTIONS and _fit_into_tables(n_options, n_items):
        return int(EARLY_SHARE * TRIAL_UPDATES)
    return updates_of_slice(n_nodes)


def try_links(
    tree: Subtree, updates: int, max_covers: int, translate: Translation | None = None
) -> None:
    """Explore a tree with links, whose search may have begun, to see whether it is short.

    The parameters are those of `Subtree.explore`. A tree with several components is not explored.
    After EARLY_SHARE of the updates, a tree of which little is explored is left as it is.
    """
    if not tree.counters[2]:
        tree.explore(int(EARLY_SHARE * updates), max_covers, translate)
    n_found, _, n_done = tree.counters.tolist()  # 0 updates are done if there are components
    if not n_done or tree.is_done or n_found >= max_covers or tree.explored() < MIN_EXPLORED:
        return
    tree.explore(updates - n_done, max_covers - n_found, translate)


def suggest_algorithm(problem: Problem, trial: Subtree) -> Algorithm:
    """Return the algorithm that is expected to find all covers in the shortest time.

    A search with links is tried for a fraction of a millisecond. If it ends by then, links are the
    better choice. Otherwise, its number of updates per node shows whether bitmaps are faster. Their
    work at a node depends on the size of the tables, that of links on the options removed.

    Parameters
    ----------
    problem : Problem
        A problem that may use bitmaps.
    trial : Subtree
        The tree after `try_links` for TRIAL_UPDATES, or fewer if there are many components.
    """
    _, nodes, updates = trial.counters.tolist()
    vectors = problem.n_options * problem.n_primary / 512
    is_faster = updates > nodes * (UPDATES_PER_NODE + vectors / VECTORS_PER_UPDATE)
    return "bitset" if is_faster and not trial.is_done else "links"
