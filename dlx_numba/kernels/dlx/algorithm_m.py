"""Algorithm M: each primary item is covered between `low` and `high` times (MCC).

The step labels are those of Knuth's Algorithm M (TAOCP 7.2.2.1). The size of an item has a wider
meaning here: it is the number of its options, plus 1, minus the number of options that the item
still needs. This is the number of branches for the item (Knuth's theta): at 0 the item cannot be
satisfied, at 1 there is no choice. An item that needs one option has its plain size, so the moves
of Algorithm X serve both algorithms.

Each set of options counts as a separate cover, even if sets differ only in options that may be
chosen or omitted freely. (Knuth's DLX3 reports such sets together.)
"""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ..problem import Problem, link_problem
from .algorithm_x import allocate_register, queue_forced
from .bounds import Bounds
from .branching import (
    Branching,
    BranchingRule,
    blame,
    count_branches,
    count_last,
    has_many,
    lowest_ranked_item,
)
from .branching_m import (
    DUAL_BOUND,
    MAX_COST,
    MAX_REDUCED,
    ONLY_CHEAPEST,
    SCALE,
    Costs,
    choose_affordable_item,
    exclusive_items,
    look_ahead,
    scarcest_option,
)
from .linked_subtree import LinkedSubtree
from .links import INACTIVE, Colors, Links
from .moves import attach, cover, restore, retract, try_option, tweak, use
from .propagation import (
    forget_choice,
    has_propagation,
    propagate,
    start_propagation,
    undo_marks,
)
from .state import (
    ENTER,
    EXHAUSTED,
    LEAVE,
    OUT_OF_BUDGET,
    TARGET_REACHED,
    Register,
    SearchState,
    allocate_state,
    keep_counters,
    keep_level,
    resumed_level,
    store_cover,
)
from .supports import with_supports
from .totals import link_totals, meets_totals


def link_bounded(problem: Problem) -> tuple[Links, Colors | None, Bounds]:
    """Return the links of a problem, its colors and its bounds, as new arrays.

    The sizes of the items are those of Algorithm M.
    """
    links, colors = link_problem(problem)
    low = problem.lows
    size = links.size[1 : len(low) + 1]
    # An item with too few options from the start has size 0, regardless of the number missing.
    size[:] = np.maximum(size.astype(np.int64) + 1 - low, 0)
    need, capacity = np.zeros((2, len(low) + 1), np.int32)
    unbounded = 1 << 30  # more options than any item has
    need[1:] = np.minimum(low, unbounded)
    capacity[1:] = np.minimum(problem.highs, unbounded)
    return links, colors, Bounds(need, capacity)


@inlined
def takes_one(bounds, item):
    """Return whether an item is in one option of a cover at most, as each secondary item is."""
    return item >= len(bounds.capacity) or bounds.capacity[item] == 1


@inlined
def needs_none(bounds, item):
    """Return whether a primary item may get no further option."""
    return item < len(bounds.need) and bounds.need[item] <= 0


@inlined
def _choose(links, bounds, costs, state, level, tail):
    """Return the item to branch on, whether there may be a cover, and the work, as in Algorithm X.

    The item is 0 if none is left. Given costs, `tail` is the number of items that
    `choose_affordable_item` finds in `state.forced`.
    """
    if costs is None:
        register = state.register
        item, n_read = lowest_ranked_item(links, bounds, register)
        is_possible = True
        if len(bounds.owners.item):
            item, is_possible = look_ahead(links, bounds, register, item)
        work = len(state.forced) >> 3  # the list of items was followed: 8 take as long as an update
        if has_many(links):
            work = (len(links.size) >> 6) + (n_read >> 2)  # a rank takes as long as 2 sizes
        return item, is_possible, work + (len(bounds.owners.exclusive) >> 3)
    limit = costs.limits[MAX_REDUCED] - costs.reduced_sum[level]
    item, is_possible, n_read = choose_affordable_item(
        links, bounds, costs, limit, state.forced, tail
    )
    return item, is_possible, n_read >> 3


@inlined
def _store(bounds, costs, state, level, n_wanted):
    """Store the cover of this level, if it is within the budget, and return whether it is.

    Given costs, it must also meet the totals, and may lower the limits: then the next cover must
    cost less. `n_wanted` is the number of covers until the target.
    """
    if costs is not None:
        limits = costs.limits
        if costs.cost_sum[level] > limits[MAX_COST] or not meets_totals(bounds):
            return False
        if limits[ONLY_CHEAPEST]:
            limits[MAX_COST] = costs.cost_sum[level] - 1
            limits[MAX_REDUCED] = limits[MAX_COST] * limits[SCALE] - limits[DUAL_BOUND]
    store_cover(state.found, n_wanted, state.choice, level, np.uint32(0))
    return True


@inlined
def _try_options(
    links, colors, bounds, costs, state, level, option, tail, trail_end, updates, work, budget
):
    """Try the options from `option` on, until one may lead to a cover, or the budget is spent.

    If the item needs none, the last attempt is to choose none of them.

    Parameters: `links`, `colors`, `bounds`, `costs` and `state` as for `search_multiplicities`;
    `level` and `option` uint32; `tail` and `trail_end` uint32, the ends of the queue of forced
    items and of the trail; `updates` and `work`, those so far; `budget`, their maximum. Returns the
    option, whether it is tried, whether it is a dead end, and the new values of `tail`,
    `trail_end`, `updates` and `work`.
    """
    register = state.register
    trail = state.trail
    none = np.uint32(0)  # the option of a level that chooses none; also the end of an empty queue
    item = state.item[level]
    n_items = np.uint32(len(links.size) - 1)
    limit = 0
    if costs is not None:
        limit = costs.limits[MAX_REDUCED] - costs.reduced_sum[level]
    # A size of 0 says that the options that are left, without those tried, are too few.
    while option > n_items and links.size[item] > 0:
        # The options are linked in the order of their reduced costs: those that follow exceed the
        # limit, too.
        if costs is not None and costs.reduced[option] > limit:
            break
        # M5 [Possibly tweak x_l.]
        if links.size[item] < INACTIVE:
            if register[Register.BRANCHING] == Branching.WEIGHTED:
                option, n_read = scarcest_option(links, bounds, item)
                work += n_read >> 3
            before = trail_end
            trail_end = tweak(links, colors, option, trail, trail_end)
            work += trail_end - before
            state.option_mark[level] = trail_end
            use(links, bounds, item)
        # M6 [Try x_l.]
        mark = state.option_mark[level]
        tail, trail_end, _, n_visited, smallest = try_option(
            links, colors, bounds, option, state.forced, none, trail, trail_end
        )
        updates += trail_end - mark + 1
        work += int(n_visited) >> 3
        # As in Algorithm X, a dead end is a level only if the budget is spent.
        if smallest != 0 or updates + work >= budget:
            return option, True, smallest == 0, tail, trail_end, updates, work
        work += blame(links, register) >> 3
        option = retract(links, colors, bounds, item, option, trail, mark, trail_end)
        trail_end = mark
    # `option` is `none` if the search has just left that branch, the last one of the level.
    is_tried = option != none and needs_none(bounds, item)
    if is_tried:  # all options were tried and the item needs none: try to choose none of them
        option = tail = none
    return option, is_tried, False, tail, trail_end, updates, work


@inlined
def _add_costs(costs, level, option):
    """Set the sums of the next level, where an option is chosen, or 0 for none."""
    following = np.uint32(level + 1)
    costs.reduced_sum[following] = costs.reduced_sum[level]
    costs.cost_sum[following] = costs.cost_sum[level]
    if option != 0:
        costs.reduced_sum[following] += costs.reduced[option]
        costs.cost_sum[following] += costs.cost[option]


@inlined
def _leave_item(links, bounds, state, level, item, trail_end):
    """Restore what was hidden since step M4 of a level. Return the end of the trail then."""
    mark = state.item_mark[level]
    if has_propagation(bounds):
        undo_marks(links, bounds, state.trail, mark)
    restore(links, state.trail, mark, trail_end)
    if links.size[item] >= INACTIVE:
        attach(links, item)
    return mark


@njit
def search_multiplicities(links, colors, bounds, costs, state, budget):
    """Search as `algorithm_x.search` does, with multiplicities and, given costs, within a budget.

    An item with capacity for one option is covered first, as in Algorithm X. If it has more, each
    option is removed from the lists (tweaked) when it is tried, and stays removed at this level, so
    that no set of options is found twice.

    Parameters: `links`; `colors` or None; `bounds`; `costs` or None; `state`; `budget` int64, the
    value of Register.UPDATES at which to stop. The covers are within `costs.limits`, which may
    decrease between two calls, or with each cover. Modifies all arrays of `costs` but those of
    nodes. Returns EXHAUSTED, TARGET_REACHED or OUT_OF_BUDGET.
    """
    choice, items, branches, _, _, item_marks, option_marks, forced, trail, _, register = state
    none = np.uint32(0)
    level, _, tail, trail_end = resumed_level(register)
    resume = register[Register.RESUME]
    solutions = register[Register.SOLUTIONS]
    nodes = register[Register.NODES]
    updates = register[Register.UPDATES]
    status = OUT_OF_BUDGET
    work = 0  # besides updates, as in Algorithm X
    propagates = has_propagation(bounds)
    if propagates:
        start_propagation(bounds, trail, trail_end)
    is_plain = costs is None and not propagates  # nothing else excludes options of the last item
    while updates + work < budget:
        if register[Register.INTERRUPT]:
            budget = 0  # ends the search after this step
        if resume == ENTER:
            # M2 [Enter level l.]
            resume = LEAVE
            if propagates:
                before = trail_end
                trail_end, is_possible, n_read = propagate(
                    links, colors, bounds, state, level, trail_end
                )
                updates += (trail_end - before) * is_possible
                work += n_read >> 3
                if not is_possible:
                    nodes += 1
                    continue
            # M3 [Choose i.]
            item, is_possible, choice_work = _choose(links, bounds, costs, state, level, tail)
            work += choice_work
            if is_possible and item == none:
                if _store(bounds, costs, state, level, register[Register.TARGET] - solutions):
                    solutions += 1
                    work += 1
                    if solutions >= register[Register.TARGET]:
                        status = TARGET_REACHED
                        break
                continue
            nodes += 1
            updates += 1
            n_branches = count_branches(links, item)
            if not is_possible or n_branches <= 0:
                continue
            # The size of a secondary item, which `look_ahead` may choose, includes INACTIVE.
            branches[level] = n_branches % np.int64(INACTIVE)
            n_covers = count_last(links, state, item, branches[level], solutions)
            if (
                is_plain
                and n_covers > 0
                and takes_one(bounds, item)
                and not needs_none(bounds, item)
            ):
                solutions += n_covers
                continue
            # M4 [Prepare to branch on i.]
            items[level] = item
            item_marks[level] = trail_end
            if takes_one(bounds, item):
                work += branches[level] >> 3
                _, trail_end = cover(links, colors, item, forced, none, trail, trail_end)
                updates += trail_end - item_marks[level]
            option_marks[level] = trail_end
            option = links.D[item]
        else:
            # M9 [Leave level l.]
            if level == register[Register.BASE_LEVEL]:
                status = EXHAUSTED
                break
            level = np.uint32(level - 1)
            # M7 [Try again.]
            item = items[level]
            option = choice[level]
            if propagates:
                forget_choice(links, bounds, state, level)
            if option != none:
                mark = option_marks[level]
                option = retract(links, colors, bounds, item, option, trail, mark, trail_end)
                trail_end = mark
        # M5 and M6
        option, is_tried, is_dead_end, tail, trail_end, updates, work = _try_options(
            links, colors, bounds, costs, state, level, option, tail, trail_end,
            updates, work, budget,
        )  # fmt: skip
        if is_tried:
            if costs is not None:
                _add_costs(costs, level, option)
            choice[level] = option
            level = np.uint32(level + 1)
            resume = LEAVE if is_dead_end else ENTER
            continue
        # M8 [Restore i.]
        resume = LEAVE
        trail_end = _leave_item(links, bounds, state, level, item, trail_end)
    keep_level(register, level, resume, tail, trail_end)
    keep_counters(register, solutions, nodes, updates)
    return status


class SubtreeM(LinkedSubtree):
    """Algorithm M on a problem with multiplicities."""

    arrays: tuple[Links, Colors | None, Bounds, Costs | None, SearchState]
    kernel = staticmethod(search_multiplicities)
    kept_by_split: ClassVar = 0.0  # see `_untried`

    @classmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "SubtreeM":
        """Return the whole tree, unexplored."""
        links, colors, bounds = link_bounded(problem)
        if rule.branching == Branching.WEIGHTED:
            bounds = bounds._replace(owners=exclusive_items(problem))
        if problem.total_low is not None:
            bounds = bounds._replace(totals=link_totals(problem), known=np.zeros(3, np.uint32))
        if rule.is_consistent:
            bounds = with_supports(bounds, problem)
        # At each level, either an option is chosen, or an item gets no further options.
        capacity = int(bounds.capacity.sum(dtype=np.int64))
        n_levels = min(problem.n_options, capacity) + len(bounds.capacity)
        state = allocate_state(problem.n_primary, len(links.L), n_levels)
        state = state._replace(register=allocate_register(problem.n_primary, rule))
        queue_forced(links, state)
        return cls((links, colors, bounds, None, state), problem)

    def steps(self) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        levels = slice(self.register[Register.LEVEL])
        return self.groups[-1].item[levels] - 1, self.groups[-1].choice[levels]

    def _untried(self, level: int) -> NDArray[np.integer]:
        """Return "none" for all choices that remain, because they must stay together.

        The subtree of an option depends on the options tried before it.
        """
        return np.zeros(1, np.uint32)

    def _keep_untried(self, level: int, begin: int, end: int) -> None:
        self.register[Register.BASE_LEVEL] = level if begin < end else level + 1
