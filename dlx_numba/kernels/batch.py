"""Batches: variations of one problem, thousands of which are searched by one call of a kernel.

A variation has given options, forbidden options, and items that it regards as covered. Its
conditions are moves on the links of the problem, which are undone after its search: forbidden
options and the options of covered items are hidden, and each given option is a level at which no
other option remains. The search is that of Algorithm X or M, started at the last of these levels.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from ..runtime.interrupts import UPDATES_PER_SLICE
from .algorithm_m import count_branches, retreat_mcc, search_mcc, take, tweak, use
from .algorithm_x import attach, cover, detach, queue_forced, retreat, search, try_option, uncover
from .links import COVERED
from .problem import Problem
from .state import BUDGET, ENTER, EXHAUSTED, N_REGISTERS, SOLUTION, Register
from .subtree import LinkedSubtree

CHOSEN, EXCLUDED = -1, 0  # in place of the node of an option that is in each cover, or in none
MIN_STORED_OPTIONS = 1 << 16  # of the covers that one call of a kernel finds

# Fields of `progress`
VARIATION = 0  # the variation that is being searched
IS_STARTED = 1  # whether its conditions are applied
N_STORED = 2  # for `search_variations`: the number of options that are stored in `found`
QUESTION = 2  # for `mark_possible`: 1 + the option that is given in addition, or 0
BASE = 3  # for `mark_possible`: the level at which the search without questions starts


class Numbering(NamedTuple):
    """The user's numbers of options, and the nodes of the links."""

    node: NDArray[np.int64]  # (options,) a node of a primary item, or CHOSEN or EXCLUDED
    option: NDArray[np.int32]  # (nodes,) the option of each node


class Variations(NamedTuple):
    """The conditions of N variations, as three sparse matrices in the CSR layout.

    `given_start`, `forbidden_start` and `covered_start` are (N + 1,). Options have the user's
    numbers; negative numbers are skipped. Items are counted from 1, without duplicates in a
    variation; 0 is an item of an option that each cover contains.
    """

    given_start: NDArray[np.int64]
    given: NDArray[np.int32]
    forbidden_start: NDArray[np.int64]
    forbidden: NDArray[np.int32]
    covered_start: NDArray[np.int64]
    covered: NDArray[np.int32]


class BatchCounts(NamedTuple):
    """The results of N variations."""

    counts: NDArray[np.int64]  # (N,) covers, up to the limit; -1 if the search is unfinished
    nodes: NDArray[np.int64]  # (N,) nodes of the search tree
    lengths: NDArray[np.int64]  # (N,) options found of the first cover


@kernel
def is_detached(links, item):
    """Return whether an item is covered. Secondary items are in no list of items."""
    if links.L[item] == item:
        return links.size[item] >= 2 * COVERED
    return links.R[links.L[item]] != item


@kernel
def is_available(links, colors, bounds, option):
    """Return whether the option of a node is compatible with all moves so far."""
    _, R, U, D, column, _ = links
    node = option
    is_possible = D[U[option]] == option
    while is_possible:
        item = column[node]
        is_possible = not is_detached(links, item)
        if colors is not None and colors.purifier[item] != 0:
            color = colors.color[colors.purifier[item]]
            is_possible = is_possible and colors.color[node] == color
        node = R[node]
        if node == option:
            break
    return is_possible


@kernel
def give_option(links, colors, bounds, state, option):
    """Choose the option of a node at a new level. Return whether a cover may contain it.

    The level is added even if the option leaves an item without options, but not if the option is
    incompatible with other moves. Writes all arrays but `column` and `color`.
    """
    register, forced, trail = state.register, state.forced, state.trail
    root, item = np.uint32(0), links.column[option]
    level, trail_end = np.uint32(register[Register.LEVEL]), np.uint32(register[Register.TRAIL_END])
    if not is_available(links, colors, bounds, option):
        is_given = False
        for other in range(level):
            is_given |= state.choice[np.uint32(other)] == option
        return is_given
    state.choice[level], state.item_mark[level] = option, trail_end
    if bounds is None:
        detach(links, item)
        _, trail_end, _ = cover(links, colors, item, root, 0, forced, root, trail, trail_end)
        state.option_mark[level] = trail_end
        _, trail_end, _, smallest = try_option(
            links, colors, option, forced, root, trail, trail_end
        )
        is_possible = smallest > 0
    else:
        if count_branches(links, item) <= 0:
            return False
        state.item[level] = item
        if bounds.capacity[item] == 1:
            detach(links, item)
            _, trail_end, _ = cover(links, colors, item, root, 0, forced, root, trail, trail_end)
        else:
            trail_end = tweak(links, colors, option, trail, trail_end)
            use(links, bounds, item)
        state.option_mark[level] = trail_end
        trail_end, is_possible = take(links, colors, bounds, option, forced, trail, trail_end)
    register[Register.LEVEL], register[Register.TRAIL_END] = level + 1, trail_end
    return is_possible


@kernel
def begin_search(links, bounds, state):
    """Let a search start at the current level, whose options are not counted as choices."""
    register = state.register
    if bounds is None:
        queue_forced(links, state)
    register[Register.BASE_LEVEL] = register[Register.LEVEL]
    register[Register.RESUME] = ENTER
    register[Register.OPEN_LEVELS] = register[Register.SOLUTIONS] = 0
    register[Register.TARGET] = 1


@kernel
def start_variation(links, colors, bounds, state, initial, numbering, variations, k):
    """Apply the conditions of variation `k` to the links. Return whether a cover may satisfy them.

    Parameters: `initial` (N_REGISTERS,) int64, the registers of a search that has not started;
    `numbering` and `variations`, which are read. All other arrays are written.
    """
    _, _, U, D, _, _ = links
    register, trail, forced = state.register, state.trail, state.forced
    for i in range(N_REGISTERS):
        register[i] = initial[i]
    root = trail_end = np.uint32(0)
    is_possible = True
    for i in range(variations.forbidden_start[k], variations.forbidden_start[k + 1]):
        option = np.int64(variations.forbidden[i])
        node = EXCLUDED if option < 0 else numbering.node[option]
        if node == CHOSEN:
            is_possible = False
        elif node != EXCLUDED and D[U[np.uint32(node)]] == node:
            trail_end = tweak(links, colors, np.uint32(node), trail, trail_end)
    for i in range(variations.covered_start[k], variations.covered_start[k + 1]):
        item = np.uint32(variations.covered[i])
        if item == 0:
            is_possible = False
        else:
            detach(links, item)
            _, trail_end, _ = cover(links, colors, item, root, 0, forced, root, trail, trail_end)
    register[Register.TRAIL_END] = trail_end
    for i in range(variations.given_start[k], variations.given_start[k + 1]):
        option = np.int64(variations.given[i])
        node = CHOSEN if option < 0 else numbering.node[option]
        if is_possible and node != CHOSEN:
            is_possible = node != EXCLUDED and give_option(
                links, colors, bounds, state, np.uint32(node)
            )
    begin_search(links, bounds, state)
    return is_possible


@kernel
def retreat_to(links, colors, bounds, state, level):
    """Undo the choices of all levels from `level` on, by the algorithm that made them."""
    if bounds is None:
        retreat(links, colors, state, level)
    else:
        retreat_mcc(links, colors, bounds, state, level)


@kernel
def end_variation(links, colors, bounds, state, variations, k):
    """Undo the search of variation `k` and the moves of `start_variation`."""
    retreat_to(links, colors, bounds, state, 0)
    uncover(links, state.trail, np.uint32(0), np.uint32(state.register[Register.TRAIL_END]))
    first, end = variations.covered_start[k], variations.covered_start[k + 1]
    for i in range(end - first):
        item = np.uint32(variations.covered[end - 1 - i])
        if item != 0:
            attach(links, item)


@kernel
def explore(links, colors, bounds, state, budget):
    """Search by Algorithm M if there are `bounds`, or else by Algorithm X."""
    if bounds is None:
        return search(links, colors, state, budget)
    return search_mcc(links, colors, bounds, state, budget)


@kernel
def search_variations(
    links,
    colors,
    bounds,
    state,
    initial,
    numbering,
    variations,
    limit,
    budget,
    progress,
    result,
    found,
):
    """Search variations, from the position in `progress`, until the budget is spent.

    Parameters
    ----------
    links, colors, bounds, state
        The problem, without moves or with those of the current variation; `colors` and `bounds` may
        be None. Written.
    initial : ndarray of int64, shape (N_REGISTERS,)
        The registers of a search that has not started.
    numbering : Numbering
    variations : Variations
        The conditions of N variations.
    limit : int
        The number of covers, at least 1, at which the search of a variation ends.
    budget : int
        The number of updates after which to return.
    progress : ndarray of int64, shape (4,)
        VARIATION, IS_STARTED and N_STORED; zeros at the start. Written.
    result : BatchCounts
        Rows are written when the search of their variation ends, except for `lengths`.
    found : ndarray of int32, shape (options,)
        The first cover of each variation, one after the other. If a cover might not fit, the kernel
        returns. Written.

    Returns
    -------
    bool
        Whether all variations are searched.
    """
    register = state.register
    k = progress[VARIATION]
    while k < len(result.counts) and budget > 0:
        is_possible = True
        if not progress[IS_STARTED]:
            if progress[N_STORED] + len(state.choice) > len(found):
                break
            is_possible = start_variation(
                links, colors, bounds, state, initial, numbering, variations, k
            )
            progress[IS_STARTED] = 1
            budget -= register[Register.TRAIL_END] + 1
        if is_possible:
            before = register[Register.UPDATES]
            status = explore(links, colors, bounds, state, before + budget)
            budget -= register[Register.UPDATES] - before
            if status == BUDGET:
                break
            if status == SOLUTION and register[Register.SOLUTIONS] == 1:
                n_stored = progress[N_STORED]
                for level in range(register[Register.LEVEL]):
                    node = state.choice[np.uint32(level)]
                    if node != 0:
                        found[n_stored] = numbering.option[node]
                        n_stored += 1
                result.lengths[k] = n_stored - progress[N_STORED]
                progress[N_STORED] = n_stored
                register[Register.TARGET] = limit
                if limit > 1:
                    continue
        result.counts[k] = register[Register.SOLUTIONS]
        result.nodes[k] = register[Register.NODES]
        end_variation(links, colors, bounds, state, variations, k)
        progress[IS_STARTED] = 0
        k += 1
    progress[VARIATION] = k
    return k == len(result.counts)


@kernel
def mark_possible(
    links, colors, bounds, state, initial, numbering, variations, budget, progress, possible
):
    """Mark the options that occur in covers of variations, as `search_variations` searches them.

    Each search asks for a cover with an option that no cover so far contains. `possible`
    (N, options) uint8 is written; zeros at the start. `progress` (4,) int64 has the fields
    VARIATION, IS_STARTED, QUESTION and BASE. Returns whether all variations are finished.
    """
    register = state.register
    n_variations, n_options = possible.shape
    k = progress[VARIATION]
    while k < n_variations and budget > 0:
        status = EXHAUSTED
        is_possible = True
        if not progress[IS_STARTED]:
            is_possible = start_variation(
                links, colors, bounds, state, initial, numbering, variations, k
            )
            progress[IS_STARTED], progress[QUESTION] = 1, 0
            progress[BASE] = register[Register.LEVEL]
            budget -= register[Register.TRAIL_END] + 1
        if is_possible:
            before = register[Register.UPDATES]
            status = explore(links, colors, bounds, state, before + budget)
            budget -= register[Register.UPDATES] - before
            if status == BUDGET:
                break
        if status == SOLUTION:
            for level in range(register[Register.LEVEL]):
                node = state.choice[np.uint32(level)]
                if node != 0:
                    possible[k, numbering.option[node]] = 1
            if progress[QUESTION] == 0 and register[Register.SOLUTIONS] == 1:
                for option in range(n_options):
                    possible[k, option] |= numbering.node[option] == CHOSEN
                register[Register.TARGET] = 2  # if there is only one cover, no question remains
                continue
        option = progress[QUESTION]
        if option == 0 and status == EXHAUSTED:
            option = n_options
        is_possible = False
        while option < n_options and not is_possible:
            node = numbering.node[option]
            if possible[k, option] == 0 and node != CHOSEN and node != EXCLUDED:
                retreat_to(links, colors, bounds, state, progress[BASE])
                is_possible = give_option(links, colors, bounds, state, np.uint32(node))
                budget -= 1
            option += 1
        progress[QUESTION] = option
        if is_possible:
            begin_search(links, bounds, state)
            continue
        end_variation(links, colors, bounds, state, variations, k)
        progress[IS_STARTED] = 0
        k += 1
    progress[VARIATION] = k
    return k == n_variations


class BatchSearch:
    """Searches variations of a problem with links, which are built once.

    Parameters
    ----------
    problem : Problem
        The problem that all variations share.
    unstarted : LinkedSubtree
        Its search tree, unexplored, which is not modified.
    n_options : int
        The number of options of the user's problem.
    option_numbers : ndarray of int64, shape (problem.n_options,), optional
        The user's number of each option, by default the same.
    given : sequence of int
        The user's options that are in each cover, in addition to those of `problem`.
    """

    def __init__(
        self,
        problem: Problem,
        unstarted: LinkedSubtree,
        n_options: int,
        option_numbers: NDArray[np.int64] | None = None,
        given: Sequence[int] = (),
    ) -> None:
        self.unstarted, self.given = unstarted, [*given]
        option_of = problem.option_of_node()
        if option_numbers is not None:
            option_of = option_numbers[option_of]
        first_node = 1 + problem.n_items
        is_primary = problem.items < problem.n_primary
        node = np.full(n_options, EXCLUDED, np.int64)
        node[option_of[is_primary]] = first_node + np.flatnonzero(is_primary)
        node[self.given] = CHOSEN
        option = np.zeros(first_node + len(option_of), np.int32)
        option[first_node:] = option_of
        self.numbering = Numbering(node, option)

    def search(
        self, limit: int, variations: Variations, stop: Callable[[], bool]
    ) -> tuple[BatchCounts, NDArray[np.int32]]:
        """Search variations until `stop` returns True.

        Returns the results, and the options found of all first covers, one after the other.
        """
        n_variations = len(variations.given_start) - 1
        counts, nodes, lengths = np.zeros((3, n_variations), np.int64)
        counts[:] = -1
        result, progress = BatchCounts(counts, nodes, lengths), np.zeros(4, np.int64)
        arrays = self._arguments(variations)
        found = np.empty(MIN_STORED_OPTIONS + self.unstarted.n_levels, np.int32)
        stored = []
        is_done = False
        while not is_done:
            is_done = search_variations(*arrays, limit, UPDATES_PER_SLICE, progress, result, found)
            stored.append(found[: progress[N_STORED]].copy())
            progress[N_STORED] = 0
            if stop():
                break
        lengths[counts < 0] = 0
        return result, np.concatenate(stored)[: lengths.sum()]

    def mark_possible(
        self, variations: Variations, stop: Callable[[], bool]
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Mark the options that occur in covers of variations, until `stop` returns True.

        Returns arrays (N, options) with the marks and (N,) with whether a variation is finished.
        """
        n_variations = len(variations.given_start) - 1
        possible = np.zeros((n_variations, len(self.numbering.node)), np.uint8)
        arrays, progress = self._arguments(variations), np.zeros(4, np.int64)
        while not mark_possible(*arrays, UPDATES_PER_SLICE, progress, possible) and not stop():
            pass
        is_finished = np.arange(n_variations) < progress[VARIATION]
        possible[~is_finished] = 0
        return possible.view(np.bool_), is_finished

    def _arguments(self, variations: Variations) -> tuple[Any, ...]:
        """Return the first arguments of both kernels: copies of all arrays that they write."""
        links, colors, *rest, state = self.unstarted.copy().groups
        bounds = rest[0] if rest else None
        return links, colors, bounds, state, state.register.copy(), self.numbering, variations
