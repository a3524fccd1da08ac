"""What can be said about a problem before it is searched (Knuth's DLX-PRE, Algorithm P).

Three rules, until none applies. An option is removed if some primary item could not be had any
more once it is chosen. An item is removed if each option of some primary item has it: then it is
covered with that one, and its other options are removed. Options that an item cannot do without
are in each cover.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from ..runtime.interrupts import SLICE
from .algorithm_m import bound_links, take, tweak, untake, unuse, use, ways
from .algorithm_x import BUDGET, EXHAUSTED, attach, cover, detach, uncover
from .problem import Presolved, Problem, build_instance, restrict
from .reduce import Conflict, reduce_problem

# What `simplify` keeps from slice to slice.
AT = 0  # the item or option to be looked at next: a round looks at the items, then at the options
CHANGED = 1  # whether this round has removed anything
UPDATES = 2
IMPOSSIBLE = 3  # whether some item cannot be covered
REGISTERS = 4


class Marks(NamedTuple):
    """What `simplify` works on beside the links, colours and bounds."""

    entry: NDArray[np.uint32]  # (options,) a primary node of an option; 0 if it is removed
    owner: NDArray[np.int64]  # (nodes,) the option of a node
    gone: NDArray[np.bool_]  # (1 + items,)
    dropped: NDArray[np.bool_]  # (nodes,) whether the item of a node is gone
    tally: NDArray[np.int64]  # (1 + items,) zeros, between two uses
    forced: NDArray[np.uint32]  # (1 + primary,) the queue that `cover` fills
    trail: NDArray[np.uint32]  # (nodes,) the trail likewise


@kernel
def remove_option(links, colors, bounds, marks, node, register):
    """Take the option of that node out for good."""
    column = links.column
    marks.entry[marks.owner[node]] = 0
    register[CHANGED] = 1
    tweak(links, colors, node, marks.trail, np.uint32(0))
    at = node
    while True:
        if column[at] < len(bounds.room) and ways(links, column[at]) <= 0:
            register[IMPOSSIBLE] = 1
        at = links.R[at]
        if at == node:
            break


@kernel
def is_possible(links, colors, bounds, marks, option, register):
    """Whether each primary item can still be had once the option of that primary node is chosen."""
    forced, trail = marks.forced, marks.trail
    item, root = links.column[option], np.uint32(0)
    start = tweak(links, colors, option, trail, root)
    has_room = use(links, bounds, item)
    if not has_room:
        detach(links, item)
    hidden, possible = take(links, colors, bounds, option, forced, trail, start)
    if possible and not has_room:
        _, hidden, smallest = cover(links, colors, item, root, 1, forced, root, trail, hidden)
        possible = smallest != 0
    register[UPDATES] += hidden
    untake(links, colors, bounds, option, trail, start, hidden)
    if not has_room:
        attach(links, item)
    unuse(links, bounds, item)
    uncover(links, trail, root, start)
    return possible


@kernel
def implying_item(links, colors, bounds, tally, item, register):
    """A primary item, to be covered once, all of whose options have `item`, uncoloured; or 0."""
    R, D, column, size = links.R, links.D, links.column, links.size
    need, room = bounds
    n_primary = len(need) - 1
    implying = np.uint32(0)
    row = D[item]
    while row != item:
        if colors is None or colors.of[row] == 0:
            node = R[row]
            while node != row:
                other = column[node]
                tally[other] += 1
                once = other <= n_primary and need[other] == 1 and room[other] == 1
                if once and tally[other] == size[other]:
                    implying = other
                node = R[node]
        row = D[row]
    row = D[item]
    while row != item:
        node = R[row]
        while node != row:
            tally[column[node]] = 0
            register[UPDATES] += 1
            node = R[node]
        row = D[row]
    return implying


@kernel
def remove_item(links, colors, bounds, marks, item, implying, register):
    """Take an item out for good, and with it the options that have it without `implying`."""
    L, R, D, column = links.L, links.R, links.D, links.column
    register[CHANGED] = 1
    marks.gone[item] = True
    row = D[item]
    while row != item:
        below = D[row]
        node = R[row]
        while node != row and column[node] != implying:
            node = R[node]
        if node == row:
            remove_option(links, colors, bounds, marks, row, register)
        else:
            marks.entry[marks.owner[row]] = node
            marks.dropped[row] = True
            R[L[row]], L[R[row]] = R[row], L[row]
        row = below
    detach(links, item)


@kernel
def simplify(links, colors, bounds, marks, register, budget):
    """Go on removing, until UPDATES reaches `budget`. Returns EXHAUSTED or BUDGET."""
    n_items, n_options = len(links.size) - 1, len(marks.entry)
    n_primary = len(bounds.room) - 1
    while register[UPDATES] < budget and not register[IMPOSSIBLE]:
        if register[AT] == n_items + n_options:
            if not register[CHANGED]:
                return EXHAUSTED
            register[AT] = register[CHANGED] = 0
        at = register[AT]
        if at < n_items:
            item = np.uint32(at + 1)
            single = item > n_primary or bounds.room[item] == 1
            if single and not marks.gone[item]:
                implying = implying_item(links, colors, bounds, marks.tally, item, register)
                if implying:
                    remove_item(links, colors, bounds, marks, item, implying, register)
        else:
            option = marks.entry[at - n_items]
            if option and not is_possible(links, colors, bounds, marks, option, register):
                remove_option(links, colors, bounds, marks, option, register)
        register[AT] += 1
        register[UPDATES] += 1
    return EXHAUSTED if register[IMPOSSIBLE] else BUDGET


def presolve_problem(
    problem: Problem, numbers: NDArray[np.int64], names: Sequence[Hashable]
) -> tuple[Problem, NDArray[np.int64], Presolved]:
    """A problem with the same covers but for the forced options, the numbers of its options, and
    what was removed. `numbers` are those of the options of `problem`, `names` those of its items.
    """
    links, colors, bounds, n_options = build_instance(problem).copy()
    if bounds is None:
        bounds = bound_links(links, *np.ones((2, problem.n_primary), np.int64))
    first_node, n_nodes = len(links.size), len(links.column)
    option_of = problem.option_of_node()
    entry = np.zeros(n_options, np.uint32)
    primary = np.flatnonzero(problem.items < problem.n_primary)[::-1]
    entry[option_of[primary]] = primary + first_node  # of several, the first one stays
    marks = Marks(
        entry,
        np.concatenate([np.zeros(first_node, np.int64), option_of]),
        np.zeros(first_node, np.bool_),
        np.zeros(n_nodes, np.bool_),
        np.zeros(first_node, np.int64),
        np.zeros(len(bounds.room), np.uint32),
        np.zeros(n_nodes, np.uint32),
    )
    register = np.zeros(REGISTERS, np.int64)
    register[IMPOSSIBLE] = np.any(links.size[1 : problem.n_primary + 1] == 0)
    while simplify(links, colors, bounds, marks, register, register[UPDATES] + SLICE) == BUDGET:
        pass
    gone = marks.gone[1:]
    items = [names[item] for item in np.flatnonzero(gone).tolist()]
    keep = (entry != 0) & (register[IMPOSSIBLE] == 0)
    small, left, _ = restrict(problem, keep, ~marks.dropped[first_node:], ~gone)
    forced = _forced_options(small)
    nothing = np.zeros(0, np.int64)
    try:
        smaller, still_left, _ = reduce_problem(small, forced, nothing, range(len(gone)))
    except Conflict:  # more options are forced than an item has room for: there is no cover
        keep[:], forced, still_left = False, nothing, nothing
        smaller, left, _ = restrict(problem, keep, ~marks.dropped[first_node:], ~gone)
    presolved = Presolved(numbers[~keep].tolist(), numbers[left[forced]].tolist(), items)
    return smaller, numbers[left[still_left]], presolved


def _forced_options(problem: Problem) -> NDArray[np.int64]:
    """The options of the items that need all that they have."""
    n_primary = problem.n_primary
    n_items = n_primary + problem.n_secondary
    low = np.ones(n_primary, np.int64) if problem.low is None else problem.low
    options = np.bincount(problem.items, minlength=n_items)[:n_primary]
    needs_all = np.zeros(n_items, np.bool_)
    needs_all[:n_primary] = (options == low) & (low > 0)
    return np.unique(problem.option_of_node()[needs_all[problem.items]])
