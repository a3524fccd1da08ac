"""Algorithm X (or C) as a resumable search."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from .algorithm_x import choose_item, cover, detach, retreat, search, start, try_option
from .branching import BranchingRule
from .links import Colors, Links
from .problem import Problem, link_problem
from .resumable import CoverBuffer, LinkedSearch
from .state import SOLUTION, Register, SearchState

if TYPE_CHECKING:
    from typing_extensions import Self


@kernel
def collect_covers(links, colors, state, budget, max_covers, nodes, ends):
    """Search for up to `max_covers` covers and store the chosen nodes of each.

    Parameters: as for `search`; `nodes`, uint32, which receives the nodes of the covers, one cover
    after another; `ends` (max_covers,) int64, which receives the end of each cover in `nodes`.
    Returns the last status of `search`, and the number of covers found.
    """
    register, choice = state.register, state.choice
    end = 0
    for k in range(max_covers):
        register[Register.TARGET] = register[Register.SOLUTIONS] + 1
        status = search(links, colors, state, budget)
        if status != SOLUTION:
            return status, k
        for level in range(register[Register.LEVEL]):
            nodes[end] = choice[np.uint32(level)]
            end += 1
        ends[k] = end
    return SOLUTION, max_covers


@kernel
def list_branches(links, state, taken, branches):
    """Write the branch taken at each level (from 0) and the number of branches.

    `taken` and `branches` are (Register.LEVEL,) int64. An item is covered while its options are
    tried, so its list still contains all of them.
    """
    D, column = links.D, links.column
    for k in range(len(taken)):
        option = state.choice[np.uint32(k)]
        item = column[option]
        branches[k] = 0
        node = D[item]
        while node != item:
            if node == option:
                taken[k] = branches[k]
            branches[k] += 1
            node = D[node]


@kernel
def probe(links, colors, state, draws, sums):
    """Follow a random path from the root down, with the steps of `search`.

    Parameters: `draws` (levels,) float64 in [0, 1); `sums` (3,) float64, to which the covers, nodes
    and updates that the path represents are added. Writes the choices of the path to `state`, so
    that `retreat` can undo them.
    """
    register, trail, forced = state.register, state.trail, state.forced
    root = np.uint32(0)
    head, tail = np.uint32(register[Register.HEAD]), np.uint32(register[Register.TAIL])
    level, trail_end = np.uint32(0), np.uint32(0)
    weight = 1.0
    is_possible = True
    while is_possible and links.R[root]:
        sums[1] += weight
        item, head, _ = choose_item(links, state, head, tail)
        n_branches = links.size[item]
        if n_branches == 0:
            is_possible = False
            break
        state.item_mark[level] = trail_end
        detach(links, item)
        tail, trail_end, _ = cover(links, colors, item, root, 0, forced, tail, trail, trail_end)
        start = trail_end
        sums[2] += weight * (start - state.item_mark[level] + 1)
        weight *= n_branches
        option = links.D[item]
        for _ in range(int(draws[level] * n_branches)):
            option = links.D[option]
        tail, trail_end, n_committed, smallest = try_option(
            links, colors, option, forced, tail, trail, trail_end
        )
        is_possible = smallest > 0
        sums[2] += weight * n_committed
        if trail_end > start:
            sums[2] += weight * (trail_end - start)
        state.choice[level] = option
        level = np.uint32(level + 1)
    if is_possible:
        sums[0] += weight
    register[Register.LEVEL], register[Register.TRAIL_END] = level, trail_end


class ResumableX(LinkedSearch):
    """Algorithm X on a problem without multiplicities."""

    group_types: ClassVar = {"links": Links, "colors": Colors, "state": SearchState}
    groups: tuple[Links, Colors | None, SearchState]

    @classmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "Self":
        """Return a search that has not yet taken a step. Raises as `link_problem` does."""
        links, colors, _ = link_problem(problem)
        return cls((links, colors, start(links, rule)), problem.indptr)

    def split(self) -> "tuple[Self, float] | None":
        """Split off about half of the untried options at the shallowest open level."""
        found = self._halve_open_level()
        if found is None:
            return None
        level, n_kept, weight = found
        other = self._split_copy(level)
        self._cut(other, level, n_kept)
        other.register[Register.OPEN_LEVELS] = 1
        self.register[Register.OPEN_LEVELS] -= n_kept == 0
        return other, weight

    def _cut(self, other: "Self", level: int, n_kept: int) -> None:
        """Cut the list of options at a level: this search keeps the next `n_kept` untried ones.

        `other` gets the rest. The item is covered while its options are tried, so nothing else
        reads its list, and neither search backtracks beyond this level.
        """
        links, other_links = self.links, other.links
        choice = self.groups[2].choice[level]
        last = choice
        for _ in range(n_kept):
            last = links.D[last]
        first, item = links.D[last], links.column[choice]
        links.D[last], links.U[item] = item, last
        other_links.D[choice], other_links.U[first] = first, choice

    def advance(self, budget: int) -> int:
        return int(search(*self.groups, budget))

    def _collect(self, budget: int, max_covers: int, buffer: CoverBuffer) -> tuple[int, int]:
        status, n_covers = collect_covers(
            *self.groups, budget, max_covers, buffer.nodes, buffer.ends
        )
        return status, n_covers

    def _list_branches(self, taken: NDArray[np.int64], branches: NDArray[np.int64]) -> None:
        list_branches(self.groups[0], self.groups[2], taken, branches)

    def _retreat(self, level: int) -> None:
        retreat(*self.groups, level)

    def _probe(self, draws: NDArray[np.float64], sums: NDArray[np.float64]) -> None:
        probe(*self.groups, draws, sums)
