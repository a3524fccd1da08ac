"""Subtrees that Algorithm X or M searches with links, and the kernels that follow their paths."""

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...runtime.arguments import UNLIMITED
from ..problem import Problem
from ..subtree import Subtree
from .bounds import Bounds, copy_bounds
from .branching import choose_item, count_branches, lowest_ranked_item
from .branching_m import is_tie
from .links import INACTIVE, Colors, Links
from .moves import attach, cover, restore, retract, try_option, tweak, undo_option, use
from .propagation import has_propagation, propagate, start_propagation
from .state import COVERS, LEAVE, NODES, PATHS, UPDATES, Register, resumed_level


@njit
def retreat(links, colors, bounds, state, level):
    """Undo the choices of all levels from `level` (int64) on.

    The search resumes by leaving that level. Modifies all groups.
    """
    choice = state.choice
    register = state.register
    trail = state.trail
    top = register[Register.LEVEL]
    trail_end = np.uint32(register[Register.TRAIL_END])
    while top > level:
        top -= 1
        left_level = np.uint32(top)
        option = choice[left_level]
        start = state.option_mark[left_level]
        # Algorithm X stores no items; its options are given by their nodes in them.
        item = links.column[option] if bounds is None else state.item[left_level]
        if option != 0:  # X6 or M7: undo the option; the choice of none has hidden nothing
            if bounds is None:
                undo_option(links, colors, None, option, trail, start, trail_end)
            else:
                retract(links, colors, bounds, item, option, trail, start, trail_end)
            trail_end = start
        # X4, or what Algorithm M has removed from the list of the item
        restore(links, trail, state.item_mark[left_level], trail_end)
        trail_end = state.item_mark[left_level]
        if links.size[item] >= INACTIVE:
            attach(links, item)
    register[Register.LEVEL] = top
    register[Register.RESUME] = LEAVE
    register[Register.TRAIL_END] = trail_end


@inlined
def retreat_to_root(links, colors, bounds, state):
    """Undo all choices, and what is hidden at the root; the parameters are those of `retreat`."""
    retreat(links, colors, bounds, state, 0)
    register = state.register
    restore(links, state.trail, np.uint32(0), np.uint32(register[Register.TRAIL_END]))
    register[Register.TRAIL_END] = 0


@njit
def list_branches(links, bounds, state, taken, branches):
    """Write the branch taken at each level (from 0) and the number of branches.

    `taken` and `branches` are (Register.LEVEL,) int64. An item is covered while its options are
    tried, so its list still contains all of them, unless it has capacity for several. Only lists of
    covered items are followed, so the work is proportional to the nodes.
    """
    D = links.D
    column = links.column
    for level in range(len(taken)):
        option = state.choice[level]
        item = column[option] if bounds is None else state.item[level]
        # With capacity for several, the options tried are tweaked: their nodes in the item's list
        # are on the trail, and that of `option` is the last of them.
        n_tweaked = 0
        if bounds is not None:
            for i in range(state.item_mark[level], state.option_mark[level]):
                n_tweaked += column[state.trail[i]] == item
        if bounds is None:
            branches[level] = count_between(D, item, item)
        else:
            branches[level] = state.branches[level]
        if option == 0:  # choosing no option is the last branch
            taken[level] = branches[level] - 1
        elif n_tweaked > 0:
            taken[level] = n_tweaked - 1
        else:
            taken[level] = count_between(D, item, option)


@inlined
def count_between(D, item, end):
    """Return the number of nodes in the list of an item before `end`: a node, or the item."""
    n_nodes = 0
    node = D[item]
    while node != end:
        n_nodes += 1
        node = D[node]
    return n_nodes


@njit
def list_following(D, node, last_item, nodes):
    """Write the nodes that follow `node`, uint32, in its list to `nodes`, as many as there are.

    Items have numbers up to `last_item`. Returns the number of these nodes.
    """
    for n in range(len(nodes)):
        node = D[node]
        if node <= last_item:
            return n
        nodes[n] = node
    return len(nodes)


@inlined
def choose(links, bounds, state, head, tail):
    """Return the item, 0 for none, the new start of the queue, and whether items were scanned.

    Parameters: `links`, `bounds` or None, and `state`, which are read, except for the register;
    `head` and `tail` uint32, the ends of the queue `state.forced`.
    """
    if bounds is not None:
        return lowest_ranked_item(links, bounds, state.register)[0], head, True
    if links.R[np.uint32(0)] == 0:
        return np.uint32(0), head, False
    return choose_item(links, state, head, tail)


@inlined
def branch_on(links, colors, bounds, state, level, item, head, tail, trail_end):
    """Branch on an item at a level: cover it, unless it has capacity for several options.

    Parameters: `links`, `colors` or None, and `bounds` or None; `state`; `level` and `item` uint32;
    `head`, `tail` and `trail_end` uint32, the ends of the queue and of the trail. Writes all but
    the colors and bounds. Returns the new ends.
    """
    state.item_mark[level] = trail_end
    state.head[level] = head
    state.item[level] = item
    if bounds is not None:
        tail = np.uint32(0)  # Algorithm M has no queue
    if bounds is None or bounds.capacity[item] == 1:
        tail, trail_end = cover(links, colors, item, state.forced, tail, state.trail, trail_end)
    state.tail[level] = tail
    return tail, trail_end


@inlined
def pass_over(links, colors, item, node, n_skipped, trail, trail_end):
    """Pass over branches of an item, up to a node (0 for none) or a number of them.

    The options of an item that has capacity for several are removed when they are passed over.

    Parameters: `links`, written; `colors` or None, read; `item` and `node` uint32; `n_skipped`
    int64; `trail` (nodes,) uint32, written from its end `trail_end` on, uint32. Returns the node of
    the branch, 0 at the end of the list of the item, and the new end of the trail.
    """
    D = links.D
    is_covered = links.size[item] >= INACTIVE
    option = D[item]
    while option != item and option != node and n_skipped > 0:
        if is_covered:
            option = D[option]
        else:
            trail_end = tweak(links, colors, option, trail, trail_end)
            # A size of 0 says that the options not passed over are too few: no branch is left.
            option = D[item] if links.size[item] > 0 else item
        n_skipped -= 1
    return option if option != item else np.uint32(0), trail_end


@inlined
def take(links, colors, bounds, state, level, item, option, tail, trail_end):
    """Choose the option of a node at a level; node 0 stands for no further option.

    Parameters: `links`, `colors` or None, and `bounds` or None, which are written; `state`, of
    which the level, the queue and the trail are written; `level`, `item` and `option` uint32;
    `tail` and `trail_end` uint32, the ends of the queue and of the trail. Returns the new ends, the
    updates, and whether each active item still has an option.
    """
    trail = state.trail
    state.choice[level] = option
    if option == 0:
        state.option_mark[level] = trail_end
        return tail, trail_end, 0, True
    if bounds is not None:
        tail = np.uint32(0)  # Algorithm M has no queue
        if links.size[item] < INACTIVE:  # not covered, as it has capacity for several options
            trail_end = tweak(links, colors, option, trail, trail_end)
            use(links, bounds, item)
    start = trail_end
    state.option_mark[level] = start
    tail, trail_end, n_updates, _, smallest = try_option(
        links, colors, bounds, option, state.forced, tail, trail, trail_end
    )
    if bounds is not None:  # Algorithm M counts the option, not the items committed to
        n_updates = 1
    return tail, trail_end, n_updates + np.int64(trail_end - start), smallest > 0


@njit
def descend(links, colors, bounds, state, items, nodes, draws, sums, budget):
    """Follow a random or a given path from the root, or resume it, with the steps of the search.

    Parameters: `links`, `colors` or None, and `bounds` or None, which are written; `state`, whose
    stack and registers are written; `draws` (levels,) float64 in [0, 1) for a random path, or
    empty; `items` and `nodes` (n,) uint32, the item of each level of a given path, and the node
    that is chosen there, 0 for none; `sums` (N_SUMS,) float64, to which the COVERS, NODES and
    UPDATES that the path represents are added, and PATHS, the number of paths that its part so far
    represents; `budget` int64, the updates after which a random path pauses. Writes the path to
    `state`: the search can resume at the end of a given one, if it is possible. A random path is
    undone at the end. Returns whether the search can take the whole path, or whether a random path
    has ended.
    """
    register = state.register
    level, head, tail, trail_end = resumed_level(register)
    root = np.uint32(0)
    weight = sums[PATHS]
    is_given = not len(draws)
    is_possible = True
    while is_possible and budget > 0 and not (is_given and level == len(nodes)):
        trail_start = trail_end
        if bounds is not None and has_propagation(bounds):
            if level == 0:
                start_propagation(bounds, state.trail, trail_end)
            trail_end, is_possible, _ = propagate(links, colors, bounds, state, level, trail_end)
            if not is_possible:
                sums[NODES] += weight
                break
            sums[UPDATES] += weight * (trail_end - trail_start)
        item, head, is_scanned = choose(links, bounds, state, head, tail)
        if item == root:  # a cover
            break
        sums[NODES] += weight
        # A given path may have another item than this search chooses only in a random tie.
        if is_given and items[level] != item:
            is_possible = is_scanned and is_tie(links, bounds, register, items[level], item)
            item = items[level] if is_possible else item
        n_branches = count_branches(links, item)
        if n_branches > 0 or bounds is not None:  # Algorithm M counts items without branches, too
            sums[UPDATES] += weight
        if n_branches <= 0 or not is_possible:
            is_possible = False
            break
        state.branches[level] = n_branches
        tail, trail_end = branch_on(
            links, colors, bounds, state, level, item, head, tail, trail_end
        )
        sums[UPDATES] += weight * (trail_end - state.item_mark[level])
        weight *= n_branches  # the path stands for one through each of the branches
        wanted = nodes[level] if is_given else root
        n_skipped = UNLIMITED if is_given else int(draws[level] * n_branches)
        chosen, trail_end = pass_over(
            links, colors, item, wanted, n_skipped, state.trail, trail_end
        )
        is_unfinished = chosen == root and (bounds is None or bounds.need[item] > 0)
        if is_unfinished or (is_given and chosen != wanted):
            is_possible = False
            break
        tail, trail_end, n_updates, is_open = take(
            links, colors, bounds, state, level, item, chosen, tail, trail_end
        )
        sums[UPDATES] += weight * n_updates
        # The last choice may be a dead end: a search whose budget is spent keeps it as a level, to
        # leave it in the next call (see `algorithm_x.search`). Then `Subtree.follow` sets LEAVE.
        is_left = is_given and register[Register.RESUME] == LEAVE and level + 1 == len(nodes)
        is_possible = is_open or is_left
        level = np.uint32(level + 1)
        budget -= 1 + (len(links.size) >> 3) * is_scanned + np.int64(trail_end - trail_start)
    is_paused = is_possible and budget <= 0
    if is_possible and not is_paused:
        sums[COVERS] += weight
    sums[PATHS] = weight
    register[Register.LEVEL] = level
    register[Register.TRAIL_END] = trail_end
    if bounds is None:
        register[Register.HEAD] = head
        register[Register.TAIL] = tail
    if is_given:
        return is_possible and level == len(nodes)
    if not is_paused:
        retreat_to_root(links, colors, bounds, state)
    return not is_paused


def copy_colors(colors: Colors | None) -> Colors | None:
    """Return colors that share what no search modifies."""
    return None if colors is None else colors._replace(purifier=colors.purifier.copy())


def _copy_group(group: Any) -> Any:
    """Return a copy of bounds, costs, or the state of a search."""
    return copy_bounds(group) if isinstance(group, Bounds) else group._make(map(copy, group))


class LinkedSubtree(Subtree):
    """A subtree that is searched with links.

    Parameters
    ----------
    arrays : tuple
        For Algorithm M, the links, the colors or None, the bounds, the costs or None, and the
        state.
    problem : Problem
    """

    def __init__(self, arrays: tuple[Any, ...], problem: Problem) -> None:
        super().__init__(arrays)
        self._indptr = problem.indptr
        self._first_node = 1 + problem.n_items

    @property
    def links(self) -> Links:
        """The links."""
        links: Links = self.groups[0]
        return links

    def _copy_arrays(self) -> tuple[Any, ...]:
        """Copy the links and the state; the items of the nodes never change, and are shared."""
        links, colors, *rest = self.groups
        copies = Links(*(array.view(np.int32).copy() for array in links))
        return (
            copies.unsigned._replace(column=links.column),
            copy_colors(colors),
            *(group and _copy_group(group) for group in rest),
        )

    def _choices(
        self, items: NDArray[np.int64], options: NDArray[np.int64]
    ) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        """Return items as the links count them, and nodes, 0 for no option."""
        nodes = np.zeros(len(items), np.uint32)
        for level in np.flatnonzero(options >= 0).tolist():
            begin, end = self._indptr[options[level] : options[level] + 2] + self._first_node
            # Raises ValueError if a path from a file has an option without the item.
            [position] = np.flatnonzero(self.links.column[begin:end] == items[level] + 1)
            nodes[level] = begin + position
        return (items + 1).astype(np.uint32), nodes

    def _options_of(self, choices: NDArray[np.integer]) -> NDArray[np.integer]:
        """Return the options of nodes, -1 for node 0."""
        positions = choices.astype(np.int64) - self._first_node
        return self._indptr.searchsorted(positions, "right") - 1

    @property
    def path_groups(self) -> tuple[Any, ...]:
        """The groups of a path: the links, the colors or None, the bounds or None, the state."""
        links, colors, *rest, state = self.groups
        return links, colors, rest[0] if rest else None, state

    def _list_branches(self, taken: NDArray[np.int64], branches: NDArray[np.int64]) -> None:
        links, _, bounds, state = self.path_groups
        list_branches(links, bounds, state, taken, branches)

    def _following(self, node: np.integer, n_most: int) -> NDArray[np.uint32]:
        """Return up to `n_most` nodes that follow a node in the list of its item."""
        nodes = np.empty(n_most, np.uint32)
        n_nodes = list_following(self.links.D, node, len(self.links.size) - 1, nodes)
        return nodes[:n_nodes]

    def undo_from(self, level: int) -> None:
        retreat(*self.path_groups, level)

    def _descend(self, *arguments: NDArray[Any] | int) -> bool:
        return bool(descend(*self.path_groups, *arguments))
