"""Algorithm M as a resumable search."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from .algorithm_m import (
    Bounds,
    MultiplicityState,
    choose_bounded_item,
    count_branches,
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
from .state import LEAVE, SOLUTION, Register

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
def probe_mcc(links, colors, bounds, state, draws, sums):
    """Follow a random path from the root as `probe` does, by Algorithm M."""
    register, forced, trail = state.register, state.forced, state.trail
    trail_end, level, root = np.uint32(0), np.uint32(0), np.uint32(0)
    weight = 1.0
    is_possible = True
    item = choose_bounded_item(links, bounds, register)
    while is_possible and item:
        sums[1] += weight
        sums[2] += weight
        n_branches = count_branches(links, item)
        if n_branches <= 0:
            is_possible = False
            break
        is_covered = bounds.capacity[item] == 1
        state.item[level], state.item_mark[level] = item, trail_end
        if is_covered:
            detach(links, item)
            _, trail_end, _ = cover(links, colors, item, root, 0, forced, root, trail, trail_end)
            if trail_end > state.item_mark[level]:
                sums[2] += weight * (trail_end - state.item_mark[level])
        weight *= n_branches
        option = links.D[item]
        for _ in range(int(draws[level] * n_branches)):
            if is_covered:
                option = links.D[option]
            else:
                trail_end = tweak(links, colors, option, trail, trail_end)
                option = links.D[item]
        if option == item:  # none
            state.choice[level], state.option_mark[level] = root, trail_end
        else:
            if not is_covered:
                trail_end = tweak(links, colors, option, trail, trail_end)
                use(links, bounds, item)
            state.choice[level], state.option_mark[level] = option, trail_end
            trail_end, is_possible = take(links, colors, bounds, option, forced, trail, trail_end)
            sums[2] += weight * (trail_end - state.option_mark[level] + 1)
        level = np.uint32(level + 1)
        item = choose_bounded_item(links, bounds, register)
    if is_possible:
        sums[0] += weight
    register[Register.LEVEL], register[Register.TRAIL_END] = level, trail_end


class ResumableM(LinkedSearch):
    """Algorithm M on a problem with multiplicities."""

    group_types: ClassVar = {
        "links": Links,
        "colors": Colors,
        "bounds": Bounds,
        "state": MultiplicityState,
    }
    groups: tuple[Links, Colors | None, Bounds, MultiplicityState]

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

    def split(self) -> "tuple[Self, float] | None":
        """Split off all untried options at the shallowest open level.

        They must stay together, because the subtree of an option depends on those tried before it.
        """
        found = self._shallowest_open_level()
        if found is None:
            return None
        level, n_untried, weight = found
        register = self.register
        if register[Register.RESUME] == LEAVE and register[Register.LEVEL] == level + 1:
            return None  # nothing else remains to be searched
        other = self._split_copy(level)
        other.register[Register.BASE_LEVEL] = level
        register[Register.BASE_LEVEL] = level + 1
        return other, weight * n_untried

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

    def _probe(self, draws: NDArray[np.float64], sums: NDArray[np.float64]) -> None:
        probe_mcc(*self.groups, draws, sums)
