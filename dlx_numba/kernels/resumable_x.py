"""Algorithm X (or C) as a resumable search."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from .algorithm_x import choose_item, cover, detach, retreat, search, start, try_option
from .branching import BranchingRule, is_tie
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
def descend(links, colors, state, items, nodes, draws, sums):
    """Follow a path from the root down, with the steps of `search`: a random or a given one.

    Parameters: `draws` (levels,) float64 in [0, 1) for a random path, or empty; `items` and `nodes`
    (n,) uint32, the item of each level of a given path, and the node that is chosen there; `sums`
    (3,) float64, to which the covers, nodes and updates that the path represents are added. Writes
    the path to `state`: `search` can resume at its end, and `retreat` can undo it. Returns whether
    the search can take the whole path.
    """
    register, trail, forced, size = state.register, state.trail, state.forced, links.size
    root = np.uint32(0)
    head, tail = np.uint32(register[Register.HEAD]), np.uint32(register[Register.TAIL])
    level, trail_end = np.uint32(0), np.uint32(0)
    weight = 1.0
    is_given = len(draws) == 0
    is_possible = True
    while is_possible and links.R[root] and not (is_given and level == len(nodes)):
        sums[1] += weight
        item, head, is_scanned = choose_item(links, state, head, tail)
        if is_given and items[level] != item:
            is_possible = is_scanned and is_tie(register, size, items[level], item)
            item = items[level] if is_possible else item
        n_branches = size[item]
        if n_branches == 0 or not is_possible:
            is_possible = False
            break
        state.head[level], state.item_mark[level] = head, trail_end
        detach(links, item)
        tail, trail_end, _ = cover(links, colors, item, root, 0, forced, tail, trail, trail_end)
        state.tail[level], state.option_mark[level] = tail, trail_end
        start = trail_end
        sums[2] += weight * (start - state.item_mark[level] + 1)
        weight *= n_branches
        option = links.D[item]
        if is_given:
            while option != nodes[level] and option != item:
                option = links.D[option]
            if option == item:
                is_possible = False
                break
        else:
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
    if is_given:
        register[Register.HEAD], register[Register.TAIL] = head, tail
    return is_possible and (level == len(nodes) or not is_given)


class ResumableX(LinkedSearch):
    """Algorithm X on a problem without multiplicities."""

    groups: tuple[Links, Colors | None, SearchState]

    @classmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "Self":
        """Return a search that has not yet taken a step. Raises as `link_problem` does."""
        links, colors, _ = link_problem(problem)
        return cls((links, colors, start(links, rule)), problem.indptr)

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

    def _descend(self, *arrays: NDArray[Any]) -> bool:
        return bool(descend(*self.groups, *arrays))

    def _steps(self) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        choice = self.groups[2].choice[: self.register[Register.LEVEL]]
        return self.links.column[choice] - 1, choice

    def _untried(self, level: int) -> NDArray[np.integer]:
        D = self.links.D
        node = self.groups[2].choice[level]
        nodes = []
        while (node := D[node]) >= len(self.links.size):
            nodes.append(node)
        return np.array(nodes, np.uint32)

    def _keep_untried(self, level: int, begin: int, end: int) -> None:
        """Keep a part of the untried options of a level.

        The item is covered while its options are tried, so nothing else reads its list.
        """
        links, choice, register = self.links, self.groups[2].choice, self.register
        nodes = [choice[level]]
        for _ in range(end):
            nodes.append(links.D[nodes[-1]])
        tried, kept = nodes[1 : begin + 1], nodes[begin + 1 :]
        nodes = [links.U[nodes[0]], *tried, nodes[0], *kept, links.column[nodes[0]]]
        links.D[nodes[:-1]], links.U[nodes[1:]] = nodes[1:], nodes[:-1]
        following = links.D[choice[: register[Register.LEVEL]]]
        register[Register.OPEN_LEVELS] = np.count_nonzero(following >= len(links.size))
