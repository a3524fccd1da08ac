"""Algorithm M as a resumable search."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from .algorithm_m import (
    Bounds,
    MultiplicityState,
    choose_bounded_item,
    count_branches,
    is_bounded_tie,
    retreat_mcc,
    search_mcc,
    take,
    tweak,
    use,
)
from .algorithm_x import cover, detach, start
from .branching import BranchingRule
from .links import Colors, Links
from .problem import Problem, link_problem
from .resumable import CoverBuffer, LinkedSearch
from .state import SOLUTION, UNLIMITED, Register

if TYPE_CHECKING:
    from typing_extensions import Self


@kernel
def collect_covers_mcc(links, colors, bounds, state, budget, max_covers, nodes, ends):
    """Search for covers as `collect_covers` does, by Algorithm M."""
    register, choice = state.register, state.choice
    end = 0
    for k in range(max_covers):
        register[Register.TARGET] = register[Register.SOLUTIONS] + 1
        status = search_mcc(links, colors, bounds, state, budget)
        if status != SOLUTION:
            return status, k
        for level in range(register[Register.LEVEL]):
            node = choice[np.uint32(level)]
            if node != 0:  # a level may choose no option
                nodes[end] = node
                end += 1
        ends[k] = end
    return SOLUTION, max_covers


@kernel
def list_branches_mcc(links, state, taken, branches):
    """Write the branch taken at each level (from 0) and the number of branches.

    `taken` and `branches` are (Register.LEVEL,) int64.
    """
    D, column, trail = links.D, links.column, state.trail
    for k in range(len(taken)):
        level = np.uint32(k)
        option, item = state.choice[level], state.item[level]
        branches[k] = state.branches[level]
        n_tweaked = 0  # options already tried are removed from an item with capacity for several
        for at in range(state.item_mark[level], state.option_mark[level]):
            n_tweaked += column[trail[np.uint32(at)]] == item
        if option == 0:  # choosing no option is the last branch
            taken[k] = branches[k] - 1
        elif n_tweaked > 0:
            taken[k] = n_tweaked - 1
        else:
            taken[k] = 0
            node = D[item]
            while node not in (item, option):
                taken[k] += 1
                node = D[node]


@kernel
def descend_mcc(links, colors, bounds, state, items, nodes, draws, sums):
    """Follow a path from the root down as `descend` does, by Algorithm M. A node may be 0: none."""
    register, forced, trail, D = state.register, state.forced, state.trail, links.D
    trail_end, level, root = np.uint32(0), np.uint32(0), np.uint32(0)
    weight = 1.0
    is_given = len(draws) == 0
    is_possible = True
    while is_possible and not (is_given and level == len(nodes)):
        item = choose_bounded_item(links, bounds, register)
        if item == root:
            break
        sums[1] += weight
        sums[2] += weight
        if is_given and items[level] != item:
            is_possible = is_bounded_tie(links, bounds, register, items[level], item)
            item = items[level] if is_possible else item
        n_branches = count_branches(links, item)
        if n_branches <= 0 or not is_possible:
            is_possible = False
            break
        is_covered = bounds.capacity[item] == 1
        state.item[level], state.branches[level] = item, n_branches
        state.item_mark[level] = trail_end
        if is_covered:
            detach(links, item)
            _, trail_end, _ = cover(links, colors, item, root, 0, forced, root, trail, trail_end)
            if trail_end > state.item_mark[level]:
                sums[2] += weight * (trail_end - state.item_mark[level])
        weight *= n_branches
        n_skipped = UNLIMITED if is_given else int(draws[level] * n_branches)
        option = D[item]
        while option != item and n_skipped > 0 and not (is_given and option == nodes[level]):
            if is_covered:
                option = D[option]
            else:
                trail_end = tweak(links, colors, option, trail, trail_end)
                option = D[item] if links.size[item] > 0 else item
            n_skipped -= 1
        chosen = root if option == item else option
        if (is_given and chosen != nodes[level]) or (chosen == root and bounds.need[item] > 0):
            is_possible = False
            break
        if chosen == root:
            state.choice[level], state.option_mark[level] = root, trail_end
        else:
            if not is_covered:
                trail_end = tweak(links, colors, option, trail, trail_end)
                use(links, bounds, item)
            state.choice[level], state.option_mark[level] = option, trail_end
            trail_end, is_possible = take(links, colors, bounds, option, forced, trail, trail_end)
            sums[2] += weight * (trail_end - state.option_mark[level] + 1)
        level = np.uint32(level + 1)
    if is_possible:
        sums[0] += weight
    register[Register.LEVEL], register[Register.TRAIL_END] = level, trail_end
    return is_possible and (level == len(nodes) or not is_given)


class ResumableM(LinkedSearch):
    """Algorithm M on a problem with multiplicities."""

    groups: tuple[Links, Colors | None, Bounds, MultiplicityState]
    kept_by_split: ClassVar = 0.0

    @classmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "Self":
        """Return a search that has not yet taken a step. Raises as `link_problem` does."""
        links, colors, bounds = link_problem(problem)
        assert bounds is not None
        plain = start(links, rule)
        # At each level, either an option is chosen, or an item gets no further options.
        capacity = int(bounds.capacity.sum(dtype=np.int64))
        n_levels = min(problem.n_options, capacity) + len(bounds.capacity)
        choice, item, branches, item_mark, option_mark = np.zeros((5, n_levels), np.uint32)
        state = MultiplicityState(
            choice,
            item,
            branches,
            item_mark,
            option_mark,
            plain.forced,
            plain.trail,
            plain.register,
        )
        return cls((links, colors, bounds, state), problem.indptr)

    def advance(self, budget: int) -> int:
        return int(search_mcc(*self.groups, budget))

    def _collect(self, budget: int, max_covers: int, buffer: CoverBuffer) -> tuple[int, int]:
        status, n_covers = collect_covers_mcc(
            *self.groups, budget, max_covers, buffer.nodes, buffer.ends
        )
        return status, n_covers

    def _list_branches(self, taken: NDArray[np.int64], branches: NDArray[np.int64]) -> None:
        list_branches_mcc(self.groups[0], self.groups[3], taken, branches)

    def _retreat(self, level: int) -> None:
        retreat_mcc(*self.groups, level)

    def _descend(self, *arrays: NDArray[Any]) -> bool:
        return bool(descend_mcc(*self.groups, *arrays))

    def _steps(self) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        levels = slice(self.register[Register.LEVEL])
        return self.groups[3].item[levels] - 1, self.groups[3].choice[levels]

    def _untried(self, level: int) -> NDArray[np.integer]:
        """Return "none" for all choices that remain, because they must stay together.

        The subtree of an option depends on the options tried before it.
        """
        return np.zeros(1, np.uint32)

    def _keep_untried(self, level: int, begin: int, end: int) -> None:
        self.register[Register.BASE_LEVEL] = level if begin < end else level + 1
