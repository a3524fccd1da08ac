"""Presolving: remove options and items before the search (Knuth's DLX-PRE, Algorithm P).

Two rules are applied until neither changes the problem. An option is removed if choosing it would
leave some primary item without enough options. An item is removed if every option of some primary
item contains it: covering that item also covers this one, and the other options of this item are
removed. Finally, the options of items that need all of their options are forced into each cover.

The kernels share these parameters: `links`, `colors` or None, `bounds` and
`work`, a `PresolveWork`, all of which may be written; `node`, `option` (a node) and `item`,
uint32.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit import njit
from ..runtime.interrupts import UPDATES_PER_SLICE
from .consistency import consistent_options
from .dlx.algorithm_m import link_bounded
from .dlx.links import INACTIVE
from .dlx.moves import (
    attach,
    detach,
    hide_options,
    is_needed,
    restore,
    try_option,
    tweak,
    undo_option,
    unuse,
    use,
)
from .dlx.state import EXHAUSTED, OUT_OF_BUDGET
from .problem import Problem, select_items, select_options
from .reduce import ConflictError, reduce_problem

# An update takes longer than in a search, because nodes are far apart in memory.
PRESOLVE_SLICE = UPDATES_PER_SLICE >> 3


# Indices into the array `register` of `simplify`: the next item or option (each round visits the
# items, then the options), whether this round has removed anything, the updates, and whether some
# item cannot be covered
POSITION, CHANGED, UPDATES, IMPOSSIBLE = range(4)


class PresolveWork(NamedTuple):
    """The arrays of `simplify` in addition to links, colors and bounds."""

    entry: NDArray[np.uint32]  # (options,) a primary node of each option; 0 if it is removed
    owner: NDArray[np.int64]  # (nodes,) the option of a node
    item_removed: NDArray[np.bool_]  # (1 + items,)
    tally: NDArray[np.int64]  # (1 + items,) scratch memory, zeros between two uses
    forced: NDArray[np.uint32]  # (1 + primary items,) the queue that `cover` fills
    trail: NDArray[np.uint32]  # (nodes,) the trail likewise
    register: NDArray[np.int64]  # (4,) indexed by POSITION, CHANGED, UPDATES and IMPOSSIBLE


@njit
def remove_option(links, colors, work, node):
    """Remove the option of a node permanently."""
    work.entry[work.owner[node]] = 0
    work.register[CHANGED] = 1
    work.register[IMPOSSIBLE] |= is_needed(links, node)
    tweak(links, colors, node, work.trail, np.uint32(0))


@njit
def is_possible(links, colors, bounds, work, option):
    """Return whether each primary item keeps enough options if an option is chosen.

    `option` is a primary node. Its item is used and, at its capacity, covered, as the search does;
    but its own options are hidden last, unless those of the other items show a dead end. Links,
    colors and bounds are restored afterward.
    """
    forced = work.forced
    trail = work.trail
    item = links.column[option]
    root = np.uint32(0)
    work.register[UPDATES] += links.size[item]  # options of one item are not in the trail
    node = links.R[option]
    while node != option:
        work.register[UPDATES] += links.size[links.column[node]] % INACTIVE
        node = links.R[node]
    start = tweak(links, colors, option, trail, root)
    has_capacity = use(links, bounds, item)
    if not has_capacity:
        detach(links, item)
    _, trail_end, _, _, smallest = try_option(
        links, colors, bounds, option, forced, root, trail, start
    )
    if smallest > 0 and not has_capacity:
        _, trail_end, smallest = hide_options(
            links, colors, item, root, 1, forced, root, trail, trail_end
        )
    work.register[UPDATES] += trail_end
    undo_option(links, colors, bounds, option, trail, start, trail_end)
    if not has_capacity:
        attach(links, item)
    unuse(links, bounds, item)
    restore(links, trail, root, start)
    return smallest > 0


@njit
def implying_item(links, colors, bounds, work, item):
    """Return a primary item all of whose options contain `item` without a color, or 0.

    Only items that are covered exactly once are considered. The tally of another item is the number
    of its options that contain `item`; if that is its size, these are all.
    """
    R = links.R
    D = links.D
    column = links.column
    size = links.size
    need = bounds.need
    capacity = bounds.capacity
    tally = work.tally
    n_primary = len(need) - 1
    implying = np.uint32(0)
    option = D[item]
    while option != item:
        if colors is None or colors.color[option] == 0:
            node = R[option]
            while node != option:
                other_item = column[node]
                tally[other_item] += 1
                is_once = (
                    other_item <= n_primary and need[other_item] == 1 and capacity[other_item] == 1
                )
                if is_once and tally[other_item] == size[other_item]:
                    implying = other_item
                node = R[node]
        option = D[option]
    option = D[item]
    while option != item:  # clear the tally again
        node = R[option]
        work.register[UPDATES] += 1
        while node != option:
            tally[column[node]] = 0
            work.register[UPDATES] += 1
            node = R[node]
        option = D[option]
    return implying


@njit
def remove_item(links, colors, work, item, implying):
    """Remove an item permanently, and its options that do not contain `implying`."""
    L = links.L
    R = links.R
    D = links.D
    column = links.column
    work.register[CHANGED] = 1
    work.item_removed[item] = True
    option = D[item]
    while option != item:
        below = D[option]
        node = R[option]
        while node != option and column[node] != implying:
            node = R[node]
        if node == option:  # without `implying`
            remove_option(links, colors, work, option)
        else:  # keep the option, but without this item
            work.entry[work.owner[option]] = node  # a primary node that the option keeps
            R[L[option]] = R[option]
            L[R[option]] = L[option]
        option = below
    detach(links, item)


@njit
def simplify(links, colors, bounds, work, budget):
    """Apply the rules until neither applies, or UPDATES reaches `budget`.

    A round visits each item, and then each option; the last round changes nothing.

    Parameters: `links`; `colors` or None; `bounds`; `work`; `budget` int64. Modifies `links` and
    `work`. Returns EXHAUSTED or OUT_OF_BUDGET; call again to resume.
    """
    register = work.register
    n_items = len(links.size) - 1
    n_options = len(work.entry)
    n_primary = len(bounds.capacity) - 1
    while register[UPDATES] < budget and not register[IMPOSSIBLE]:
        if register[POSITION] == n_items + n_options:
            if not register[CHANGED]:
                return EXHAUSTED
            register[POSITION] = register[CHANGED] = 0
        position = register[POSITION]
        if position < n_items:
            item = np.uint32(position + 1)
            at_most_once = item > n_primary or bounds.capacity[item] == 1
            if at_most_once and not work.item_removed[item]:
                implying = implying_item(links, colors, bounds, work, item)
                if implying:
                    remove_item(links, colors, work, item, implying)
        else:
            option = work.entry[position - n_items]
            if option and not is_possible(links, colors, bounds, work, option):
                remove_option(links, colors, work, option)
        register[POSITION] += 1
        register[UPDATES] += 1
    return EXHAUSTED if register[IMPOSSIBLE] else OUT_OF_BUDGET


class PresolveResult(NamedTuple):
    """A presolved problem. With the forced options, its covers are those of the given problem.

    All numbers are those of the given problem.
    """

    problem: Problem
    option_numbers: NDArray[np.int64]  # (options,) the number that each option had
    removed_options: list[int]  # options that are in no cover
    forced_options: list[int]  # options that are in each cover; not part of `problem`
    removed_items: list[int]  # items that are covered whenever some other item is
    item_numbers: NDArray[np.int64]  # (items,) the number that each item had


class Presolver:
    """Simplifies a problem without changing its covers, in parts.

    Parameters
    ----------
    problem : Problem

    Attributes
    ----------
    is_done : bool
        Whether no rule applies any more.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._links, self._colors, self._bounds = link_bounded(problem)
        links = self._links
        first_node = len(links.size)
        n_nodes = len(links.column)
        option_of = problem.option_of_node()
        entry = np.zeros(problem.n_options, np.uint32)
        # The first primary node of each option: assigned last, as they are in descending order
        primary = np.flatnonzero(problem.items < problem.n_primary)[::-1]
        entry[option_of[primary]] = primary + first_node
        self._work = PresolveWork(
            entry,
            np.concatenate([np.zeros(first_node, np.int64), option_of]),  # owner
            np.zeros(first_node, np.bool_),  # item_removed
            np.zeros(first_node, np.int64),  # tally
            np.zeros(len(self._bounds.capacity), np.uint32),  # forced
            np.zeros(n_nodes, np.uint32),  # trail
            np.zeros(4, np.int64),  # register
        )
        self._work.register[IMPOSSIBLE] = np.any(links.size[1 : problem.n_primary + 1] == 0)
        self.is_done = False

    def run(self, updates: float, stop: Callable[[], bool]) -> bool:
        """Apply the rules until an amount of work, or until `stop`. Return whether it is done."""
        register = self._work.register
        while not self.is_done and register[UPDATES] < updates and not stop():
            budget = min(register[UPDATES] + PRESOLVE_SLICE, updates)
            status = simplify(self._links, self._colors, self._bounds, self._work, int(budget))
            self.is_done = status != OUT_OF_BUDGET
        return self.is_done

    def result(self) -> PresolveResult:
        """Return what is left of the problem: no option if it is known to have no cover.

        If an item needs all of its options, these are chosen here.
        """
        problem = self._problem
        work = self._work
        is_removed = work.item_removed[1:]
        numbers = np.flatnonzero((work.entry != 0) & (work.register[IMPOSSIBLE] == 0))
        items = np.flatnonzero(~is_removed)
        restricted = select_items(select_options(problem, numbers), items)
        forced = np.flatnonzero(restricted.is_forced(np.ones(restricted.n_options, np.bool_)))
        try:
            reduced, remaining, left = reduce_problem(restricted, forced, forced[:0])
            items = items[left]
        except ConflictError:  # too many options are forced for an item
            numbers = forced = remaining = numbers[:0]
            reduced = select_options(restricted, remaining)
        return PresolveResult(
            reduced,
            numbers[remaining],
            np.delete(np.arange(problem.n_options), numbers).tolist(),
            numbers[forced].tolist(),
            np.flatnonzero(is_removed).tolist(),
            items,
        )


def presolve_problem(problem: Problem, stop: Callable[[], bool]) -> PresolveResult:
    """Simplify a problem without changing its covers, until no rule applies or `stop` is true."""
    consistent = consistent_options(problem, stop)
    presolver = Presolver(select_options(problem, consistent))
    presolver.run(math.inf, stop)
    result = presolver.result()
    inconsistent = np.delete(np.arange(problem.n_options), consistent).tolist()
    return result._replace(
        option_numbers=consistent[result.option_numbers],
        removed_options=sorted([*inconsistent, *consistent[result.removed_options].tolist()]),
        forced_options=consistent[result.forced_options].tolist(),
    )
