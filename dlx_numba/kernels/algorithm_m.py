"""Algorithm M: each primary item is covered between `low` and `high` times (MCC).

The step labels are those of Knuth's Algorithm M (TAOCP 7.2.2.1). The size of an item has a wider
meaning here: it is the number of its options, plus 1, minus the number of options that the item
still needs. This is the number of branches for the item (Knuth's theta): at 0 the item cannot be
satisfied, at 1 there is no choice. An item that needs one option has its plain size, so `cover`
and `commit` of Algorithm X serve both algorithms.

Each set of options counts as a separate cover, even if sets differ only in options that may be
chosen or omitted freely. (Knuth's DLX3 reports such sets together.)
"""

from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from .algorithm_x import attach, commit, cover, detach, start, uncover
from .branching import BranchingRule
from .branching_m import (
    BOUND,
    MAX_COST,
    MAX_REDUCED,
    ONLY_CHEAPEST,
    SCALE,
    Costs,
    choose_affordable_item,
    choose_bounded_item,
    count_branches,
    is_bounded_tie,
)
from .links import COVERED, Colors, Links
from .problem import Problem, link_problem
from .state import BUDGET, ENTER, EXHAUSTED, LEAVE, SOLUTION, UNLIMITED, Register, store_cover
from .subtree import LinkedSubtree

if TYPE_CHECKING:
    from typing_extensions import Self


class Bounds(NamedTuple):
    """The remaining bounds of the primary items, both of shape (1 + primary items,)."""

    need: NDArray[np.int32]  # the number of options an item still needs; negative for a surplus
    capacity: NDArray[np.int32]  # the number of options an item can still have


class MultiplicityState(NamedTuple):
    """The state of Algorithm M except for the links and bounds; see `SearchState`."""

    choice: NDArray[np.uint32]  # (levels,) the node of the chosen option; 0 for none
    item: NDArray[np.uint32]  # (levels,) the item branched on
    branches: NDArray[np.uint32]  # (levels,) its number of branches
    item_mark: NDArray[np.uint32]  # (levels,) the end of the trail before step M4
    option_mark: NDArray[np.uint32]  # (levels,) the end of the trail before step M6
    forced: NDArray[np.uint32]  # scratch memory for `cover`
    trail: NDArray[np.uint32]  # (nodes,) the hidden nodes, in the order of hiding
    found: NDArray[np.uint32]  # (covers, 1 + levels) see `store_cover`
    register: NDArray[np.int64]  # (N_REGISTERS,) indexed by `Register`


def bound_links(links: Links, low: NDArray[np.int64], high: NDArray[np.int64]) -> Bounds:
    """Return the bounds of a problem and adjust the sizes of its links accordingly.

    Parameters
    ----------
    links : Links
        The links of the problem. `links.size` is modified.
    low, high : ndarray of int64, shape (primary items,)
        The bounds on how often each primary item is covered.

    Returns
    -------
    Bounds
        New arrays.
    """
    size = links.size[1 : len(low) + 1]
    # An item with too few options from the start has size 0, regardless of the number missing.
    size[:] = np.maximum(size.astype(np.int64) + 1 - low, 0)
    need, capacity = np.zeros((2, len(low) + 1), np.int32)
    unbounded = 1 << 30  # more options than any item has
    need[1:], capacity[1:] = np.minimum(low, unbounded), np.minimum(high, unbounded)
    return Bounds(need, capacity)


@kernel
def tweak(links, colors, option, trail, trail_end):
    """Hide the option of a node from all of its items. Returns the new end of the trail."""
    _, R, U, D, column, size = links
    node = option
    while True:
        if colors is None or colors.purifier[column[node]] == 0:
            D[U[node]], U[D[node]] = D[node], U[node]
            size[column[node]] -= np.uint32(1)
            trail[trail_end] = node
            trail_end = np.uint32(trail_end + 1)
        node = R[node]
        if node == option:
            return trail_end


@kernel
def use(links, bounds, item):
    """Count an option of a primary item. Returns whether the item has capacity for another."""
    need, capacity = bounds
    if need[item] > 0:
        links.size[item] += np.uint32(1)
    need[item] -= 1
    capacity[item] -= 1
    return capacity[item] > 0


@kernel
def unuse(links, bounds, item):
    """Undo `use`."""
    need, capacity = bounds
    need[item] += 1
    capacity[item] += 1
    if need[item] > 0:
        links.size[item] -= np.uint32(1)


@kernel
def take(links, colors, bounds, option, forced, trail, trail_end):
    """Use the other items of the option of a node, and cover those that reach their capacity.

    As in `try_option` of Algorithm X, all items are detached before the first is covered. Returns
    the new end of the trail, and whether each active item still has enough options.
    """
    R, column = links.R, links.column
    n_primary = len(bounds.capacity) - 1
    node = R[option]
    while node != option:
        item = column[node]
        if item <= n_primary:
            if not use(links, bounds, item):
                detach(links, item)
        elif colors is None or colors.color[node] == 0:
            detach(links, item)
        node = R[node]
    least = COVERED
    root = np.uint32(0)
    node = R[option]
    while node != option and least:
        if column[node] > n_primary or bounds.capacity[column[node]] == 0:
            _, trail_end, least = commit(links, colors, node, None, forced, root, trail, trail_end)
        node = R[node]
    return trail_end, least != 0


@kernel
def untake(links, colors, bounds, option, trail, start, trail_end):
    """Undo `take`, before which the trail ended at `start`."""
    L, column = links.L, links.column
    n_primary = len(bounds.capacity) - 1
    uncover(links, trail, start, trail_end)
    node = L[option]
    while node != option:
        item = column[node]
        if item <= n_primary:
            if bounds.capacity[item] == 0:
                attach(links, item)
            unuse(links, bounds, item)
        elif colors is None or colors.color[node] == 0:
            attach(links, item)
        elif colors.purifier[item] == node:
            colors.purifier[item] = 0
        node = L[node]


@kernel
def retract(links, colors, bounds, item, option, trail, start, trail_end):
    """M7 [Try again.] Undo `take` at the level of an item. Returns the node to try next."""
    untake(links, colors, bounds, option, trail, start, trail_end)
    if links.size[item] >= COVERED:
        return links.D[option]
    unuse(links, bounds, item)
    return links.D[item]  # because `option` was tweaked


@kernel
def search_mcc(links, colors, bounds, costs, state, budget):
    """Search as `algorithm_x.search` does, with multiplicities, and with `costs` in a budget.

    An item with capacity for one option is covered first, as in Algorithm X. If it has more, each
    option is removed from the lists (tweaked) when it is tried, and stays removed at this level, so
    that no set of options is found twice.

    Parameters: `links`; `colors` or None; `bounds`; `costs` or None; `state`; `budget` int64, the
    value of Register.UPDATES at which to stop. The covers are within `costs.limits`, which may
    decrease between two calls, or with each cover. Modifies all arrays of `costs` but those of
    nodes. Returns EXHAUSTED, SOLUTION or BUDGET.
    """
    D, size = links.D, links.size
    need, capacity = bounds
    if costs is not None:
        reduced, cost, spent, paid, limits = costs
    choice, items, branches, item_marks, option_marks, forced, trail, found, register = state
    root = np.uint32(0)
    n_items = np.uint32(len(size) - 1)
    level = np.uint32(register[Register.LEVEL])
    trail_end = np.uint32(register[Register.TRAIL_END])
    resume = register[Register.RESUME]
    solutions, nodes = register[Register.SOLUTIONS], register[Register.NODES]
    updates = register[Register.UPDATES]
    status = BUDGET
    scanned = 0  # an eighth of the items that M3 scanned: scanning takes time, too
    while updates + scanned < budget:
        if register[Register.INTERRUPT] != 0:
            budget = 0  # ends the search after this step
        if resume == ENTER:
            # M2 [Enter level l.]
            resume = LEAVE
            is_possible = True
            if costs is None:
                item = choose_bounded_item(links, bounds, register)
            else:
                limit = limits[MAX_REDUCED] - spent[level]
                item, is_possible = choose_affordable_item(links, bounds, costs, limit)
            scanned += len(links.size) >> 3
            if is_possible and item == root:
                if costs is None or paid[level] <= limits[MAX_COST]:
                    store_cover(found, register[Register.TARGET] - solutions, choice, level, root)
                    solutions += 1
                    if costs is not None and limits[ONLY_CHEAPEST]:
                        limits[MAX_COST] = paid[level] - 1
                        limits[MAX_REDUCED] = limits[MAX_COST] * limits[SCALE] - limits[BOUND]
                    if solutions >= register[Register.TARGET]:
                        status = SOLUTION
                        break
                continue
            nodes += 1
            updates += 1
            if not is_possible or count_branches(links, item) <= 0:
                continue
            branches[level] = count_branches(links, item)
            # M4 [Prepare to branch on i.]
            items[level], item_marks[level] = item, trail_end
            if capacity[item] == 1:
                detach(links, item)
                _, trail_end, _ = cover(
                    links, colors, item, root, 0, forced, root, trail, trail_end
                )
                updates += trail_end - item_marks[level]
            option_marks[level] = trail_end
            option = D[item]
        else:
            # M9 [Leave level l.]
            if level == register[Register.BASE_LEVEL]:
                status = EXHAUSTED
                break
            level = np.uint32(level - 1)
            # M7 [Try again.]
            item, option = items[level], choice[level]
            if costs is not None:
                limit = limits[MAX_REDUCED] - spent[level]
            if option != root:
                start = option_marks[level]
                option = retract(links, colors, bounds, item, option, trail, start, trail_end)
                trail_end = start
        resume = LEAVE
        while option > n_items and size[item] > 0 and (costs is None or reduced[option] <= limit):
            # M5 [Possibly tweak x_l.]
            if size[item] < COVERED:
                trail_end = tweak(links, colors, option, trail, trail_end)
                option_marks[level] = trail_end
                use(links, bounds, item)
            # M6 [Try x_l.]
            start = option_marks[level]
            trail_end, is_possible = take(links, colors, bounds, option, forced, trail, trail_end)
            updates += trail_end - start + 1
            if is_possible:
                resume = ENTER
                break
            option = retract(links, colors, bounds, item, option, trail, start, trail_end)
            trail_end = start
        following = np.uint32(level + 1)
        if costs is not None:
            spent[following], paid[following] = spent[level], paid[level]
            if resume == ENTER:
                spent[following] += reduced[option]
                paid[following] += cost[option]
        if resume == LEAVE and option != root and need[item] <= 0:
            # All options were tried and the item needs none: try to choose none of them.
            option = root
            resume = ENTER
        if resume == ENTER:
            choice[level] = option
            level = following
            continue
        # M8 [Restore i.]
        uncover(links, trail, item_marks[level], trail_end)
        trail_end = item_marks[level]
        if size[item] >= COVERED:
            attach(links, item)
    register[Register.LEVEL], register[Register.RESUME] = level, resume
    register[Register.TRAIL_END] = trail_end
    register[Register.SOLUTIONS], register[Register.NODES] = solutions, nodes
    register[Register.UPDATES] = updates
    return status


@kernel
def retreat_mcc(links, colors, bounds, costs, state, level):
    """Undo the choices of all levels from `level` on, as `algorithm_x.retreat` does."""
    choice, items, register, trail = state.choice, state.item, state.register, state.trail
    top, trail_end = register[Register.LEVEL], np.uint32(register[Register.TRAIL_END])
    while top > level:
        top -= 1
        at = np.uint32(top)
        item, option, start = items[at], choice[at], state.option_mark[at]
        if option != 0:
            retract(links, colors, bounds, item, option, trail, start, trail_end)
            trail_end = start
        uncover(links, trail, state.item_mark[at], trail_end)
        trail_end = state.item_mark[at]
        if links.size[item] >= COVERED:
            attach(links, item)
    register[Register.LEVEL], register[Register.RESUME] = top, LEAVE
    register[Register.TRAIL_END] = trail_end


@kernel
def list_branches_mcc(links, colors, bounds, costs, state, taken, branches):
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
def descend_mcc(links, colors, bounds, costs, state, items, nodes, draws, sums):
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


class SubtreeM(LinkedSubtree):
    """Algorithm M on a problem with multiplicities."""

    groups: tuple[Links, Colors | None, Bounds, Costs | None, MultiplicityState]
    kernel = staticmethod(search_mcc)
    list_branches = staticmethod(list_branches_mcc)
    retreat = staticmethod(retreat_mcc)
    descend = staticmethod(descend_mcc)
    kept_by_split: ClassVar = 0.0

    @classmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "Self":
        """Return the whole tree, unexplored. Raises as `link_problem` does."""
        links, colors = link_problem(problem)
        assert problem.low is not None
        assert problem.high is not None
        bounds = bound_links(links, problem.low, problem.high)
        plain = start(links, rule)
        # At each level, either an option is chosen, or an item gets no further options.
        capacity = int(bounds.capacity.sum(dtype=np.int64))
        n_levels = min(problem.n_options, capacity) + len(bounds.capacity)
        choice, item, branches, item_mark, option_mark = np.zeros((5, n_levels), np.uint32)
        levels = choice, item, branches, item_mark, option_mark
        arrays = plain.forced, plain.trail, plain.found, plain.register
        state = MultiplicityState(*levels, *arrays)
        return cls((links, colors, bounds, None, state), problem.indptr)

    def _steps(self) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        levels = slice(self.register[Register.LEVEL])
        return self.groups[-1].item[levels] - 1, self.groups[-1].choice[levels]

    def _untried(self, level: int) -> NDArray[np.integer]:
        """Return "none" for all choices that remain, because they must stay together.

        The subtree of an option depends on the options tried before it.
        """
        return np.zeros(1, np.uint32)

    def _keep_untried(self, level: int, begin: int, end: int) -> None:
        self.register[Register.BASE_LEVEL] = level if begin < end else level + 1
