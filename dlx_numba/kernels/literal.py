"""Literal searches: those of the module `dancing_links`, as a class of subtrees."""

from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ..dancing_links import COVERS, DONE, LEVEL, STEP, UPDATES, search
from ..jit import njit
from .dlx.branching import Branching, BranchingRule, set_rule
from .dlx.linked_subtree import LinkedSubtree
from .dlx.links import INACTIVE
from .dlx.state import (
    EXHAUSTED,
    N_REGISTERS,
    NO_COVERS,
    OUT_OF_BUDGET,
    TARGET_REACHED,
    Register,
    store_cover,
)
from .problem import Problem, link_problem


class LiteralState(NamedTuple):
    """The state of a literal search, except for the links."""

    choice: NDArray[np.uint32]  # (levels,) the stack `chosen` of `dancing_links.search`
    nodes: NDArray[np.int64]  # (levels,) the nodes of each level
    progress: NDArray[np.int64]  # (4,) the `state` of `dancing_links.search`
    found: NDArray[np.uint32]  # (covers, 1 + levels) see `store_cover`
    register: NDArray[np.int64]  # (N_REGISTERS,) what subtrees read


@njit
def search_literally(links, state, budget):
    """Search node by node until the budget is spent, the target is reached, or the tree is done.

    Each call of `dancing_links.search` visits one node, or finds one cover, which is then stored.

    Parameters: `links` and `state`, a `LiteralState`, written; `budget` int64, as for the `search`
    of Algorithm X. Returns what that `search` returns.
    """
    L, R, U, D, column, size = links
    choice, nodes, progress, found, register = state
    target = register[Register.TARGET]
    is_leftmost = register[Register.BRANCHING] == Branching.LITERAL_LEFTMOST
    n_found = progress[COVERS]
    while progress[STEP] != DONE and n_found < target and progress[UPDATES] < budget:
        n_left = target - n_found
        n_found += 1  # the limit of this call; taken back if it finds no cover
        search(L, R, U, D, column, size, choice, nodes, progress, n_found, 1, is_leftmost)
        if progress[COVERS] < n_found:
            n_found -= 1
        else:
            store_cover(found, n_left, choice, progress[LEVEL], np.uint32(0))
    register[Register.LEVEL] = progress[LEVEL]
    register[Register.RESUME] = progress[STEP]
    register[Register.SOLUTIONS] = n_found
    register[Register.NODES] = nodes.sum()
    register[Register.UPDATES] = progress[UPDATES]
    if progress[STEP] == DONE:
        return EXHAUSTED
    return TARGET_REACHED if n_found == target else OUT_OF_BUDGET


def _refuse(*_: Any) -> Any:
    raise ValueError("a literal search cannot be estimated, split or saved")


class LiteralSubtree(LinkedSubtree):
    """The tree of a literal search, which is always the whole tree."""

    kernel = staticmethod(search_literally)
    _copy_arrays = steps = _untried = _keep_untried = _descend = undo_from = cast(Any, _refuse)

    @classmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "LiteralSubtree":
        """Return the whole tree, unexplored."""
        links, _ = link_problem(problem)
        links.size[1 + problem.n_primary :] -= INACTIVE  # `dancing_links.search` has no such sizes
        n_levels = 1 + problem.n_primary
        register = np.zeros(N_REGISTERS, np.int64)
        set_rule(register, rule)
        choice = np.zeros(n_levels, np.uint32)
        nodes = np.zeros(n_levels, np.int64)
        state = LiteralState(choice, nodes, np.zeros(4, np.int64), NO_COVERS, register)
        return cls((links, state), problem)

    @property
    def groups(self) -> tuple[Any, ...]:
        """The links, None in place of colors, and the state."""
        links, state = self.arrays
        return links, None, state

    @property
    def levels(self) -> list[int]:
        """The number of nodes of each level."""
        nodes: NDArray[np.int64] = self.arrays[1].nodes
        levels: list[int] = np.trim_zeros(nodes, "b").tolist()
        return levels

    def finish(self) -> None:
        self.is_done = True
        self._call = None
        self.arrays = None, self.arrays[1]
