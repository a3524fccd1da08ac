"""Algorithm X (and C, with colors) without links, on a dense Boolean array.

The problem is the array `contains`: a row for each option, a column for each item. Nothing in it is
ever removed. Instead, `hidden_by` has an element for each option: 0 while the option is active, and
otherwise the number of the step that hid it. `size` counts the active options of each primary item,
and `is_active` states which primary items are not yet covered.

    algorithm           links                                   dense array
    options of an item  follow the list: O(its active options)  scan the column: O(options)
    hide an option      follow its circle: O(its items)         scan the row: O(items)
    choose an item      follow the list: O(active items)        scan all items: O(items)
    undo a step         follow the trail: O(hidden nodes)       scan `hidden_by`: O(options), and
                                                                the row of each option it restores

Dancing links save the scanning: the lists contain only what is left, so that a step takes less and
less time as the problem shrinks, whereas an array stays as large as it was. An option of a Sudoku
has 4 items of 324. An update is an element of `contains` that is examined in steps X4 and X5.

The program makes the same decisions as `algorithm_x`, in the same order, so that it visits the
same nodes: items with one option are queued, and X5 stops as soon as an active item has no option
left. The order in which an option lists its items decides which of two items is queued first. The
array does not contain this order, so `items` stores it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from .branching import PRIME, Branching, BranchingRule, item_rank, wins_tie
from .problem import Problem
from .state import (
    BUDGET,
    ENTER,
    EXHAUSTED,
    LEAVE,
    N_REGISTERS,
    SOLUTION,
    UNLIMITED,
    Register,
)

MAX_BYTES = 10**9  # the maximum size of the dense arrays of a problem
COLOR_BYTES = 4


class Matrix(NamedTuple):
    """A problem as a dense array. No search modifies it, so all searches share it.

    With colors, there is another array, (options, items) uint32: the color that an option gives to
    an item, from 1, or 0 if it gives it none. It is None for problems without colors.
    """

    contains: NDArray[np.bool_]  # (options, items) whether an option contains an item
    indptr: NDArray[np.int64]  # (options + 1,) the start of each option in `items`, and the end
    items: NDArray[np.uint32]  # (nodes,) the items of each option, in the order of the problem


class DenseState(NamedTuple):
    """The state of the search. The number of levels is that of primary items, plus 1."""

    choice: NDArray[np.uint32]  # (levels,) the chosen option
    item: NDArray[np.uint32]  # (levels,) the item that is branched on
    head: NDArray[np.uint32]  # (levels,) the start of the queue after step X3
    tail: NDArray[np.uint32]  # (levels,) the end of the queue after step X4
    forced: NDArray[np.uint32]  # (primary items + 1,) the queue of forced items
    hidden_by: NDArray[np.uint32]  # (options,) the step that hid an option; 0 if it is active
    size: NDArray[np.uint32]  # (primary items,) the number of active options of an item
    is_active: NDArray[np.bool_]  # (primary items,) whether an item is not covered
    purified_by: NDArray[np.uint32]  # (items,) the step that gave an item a color, or 0
    register: NDArray[np.int64]  # (N_REGISTERS,) indexed by `Register`


def dense_matrix(problem: Problem) -> tuple[Matrix, NDArray[np.uint32] | None]:
    """Return a problem as a dense array, and the array of colors or None.

    Raises ValueError if the arrays would take more than MAX_BYTES.
    """
    shape = problem.n_options, problem.n_items
    n_bytes = shape[0] * shape[1] * (1 if problem.color is None else 1 + COLOR_BYTES)
    if n_bytes > MAX_BYTES:
        raise ValueError(
            f"a dense array of {shape[0]:,} options and {shape[1]:,} items takes "
            f"{n_bytes / 1e9:,.1f} GB, more than {MAX_BYTES / 1e9:g} GB; use links"
        )
    entries = problem.option_of_node(), problem.items
    contains = np.zeros(shape, np.bool_)
    contains[entries] = True
    colors = None
    if problem.color is not None:
        colors = np.zeros(shape, np.uint32)
        colors[entries] = problem.color
    indptr, items = problem.indptr.astype(np.int64), problem.items.astype(np.uint32)
    return Matrix(contains, indptr, items), colors


def start_dense(problem: Problem, matrix: Matrix, rule: BranchingRule) -> DenseState:
    """X1 [Initialize.] Return a state without any choice; queue the items with at most one option.

    `matrix` is the dense array of `problem`.
    """
    n_primary = problem.n_primary
    choice, item, head, tail = np.zeros((4, n_primary + 1), np.uint32)
    size = matrix.contains[:, :n_primary].sum(axis=0, dtype=np.uint32)
    forced = np.zeros(n_primary + 1, np.uint32)
    queued = np.flatnonzero(size <= 1)
    forced[: len(queued)] = queued
    register = np.zeros(N_REGISTERS, np.int64)
    register[Register.TAIL] = len(queued)
    register[Register.BRANCHING] = rule.branching
    register[Register.TARGET] = UNLIMITED
    register[Register.LAST_SHARP] = rule.last_sharp
    register[Register.RANDOM_STATE] = 1 + rule.seed % (PRIME - 1)
    hidden_by, purified_by = (np.zeros(n, np.uint32) for n in (problem.n_options, problem.n_items))
    is_active = np.ones(n_primary, np.bool_)
    return DenseState(
        choice, item, head, tail, forced, hidden_by, size, is_active, purified_by, register
    )


@kernel
def item_step(level):
    """Return the number of step X4 at a level."""
    return 2 * level + 1


@kernel
def option_step(level):
    """Return the number of step X5 at a level."""
    return 2 * level + 2


@kernel
def split_off(level):
    """Return the number that stands for step X4 at a level if another search tries the option."""
    return 2**32 - 1 - level


@kernel
def position_in_option(matrix, option, item):
    """Return the position of an item in the list of an option that contains it."""
    position = matrix.indptr[option]
    while matrix.items[position] != item:
        position += 1
    return position


@kernel
def hide_option(matrix, state, option, item, tail):
    """Hide an option, because it contains `item`: reduce the sizes of its items.

    Active items whose size drops to one are queued, in the order in which the option lists them,
    from `item` on and around. Returns the new end of the queue, and the smallest size that an
    active item dropped to, or UNLIMITED if there is no such item.
    """
    contains, size, is_active = matrix.contains, state.size, state.is_active
    smallest, n_forced = UNLIMITED, 0
    for other in range(len(size)):
        if contains[option, other]:
            size[other] -= 1
            if is_active[other]:
                smallest = min(smallest, size[other])
                n_forced += size[other] == 1
    if n_forced:
        begin, end = matrix.indptr[option], matrix.indptr[option + 1]
        position = position_in_option(matrix, option, item)
        for _ in range(end - begin - 1):
            position = position + 1 if position + 1 < end else begin
            other = matrix.items[position]
            if other < len(size) and is_active[other] and size[other] == 1:
                state.forced[tail] = other
                tail += 1
    return tail, smallest


@kernel
def cover_dense(matrix, colors, state, item, color, step, min_size, tail):
    """Hide the active options of an item, except for those that give it the color `color`, if any.

    Returns the new end of the queue, the number of elements that were examined, and the smallest
    size that an active item dropped to. Stops after an option that makes it less than `min_size`.
    """
    contains, hidden_by = matrix.contains, state.hidden_by
    smallest, n_examined = UNLIMITED, 0
    for option in range(len(hidden_by)):
        if smallest < min_size:
            break
        n_examined += 1
        if hidden_by[option] == 0 and contains[option, item]:
            if colors is not None and color != 0 and colors[option, item] == color:
                continue
            hidden_by[option] = step
            tail, dropped_to = hide_option(matrix, state, option, item, tail)
            smallest = min(smallest, dropped_to)
            n_examined += len(state.size)
    return tail, n_examined, smallest


@kernel
def uncover_dense(matrix, state, step):
    """Restore the options that a step has hidden. Their order does not matter."""
    contains, hidden_by, size = matrix.contains, state.hidden_by, state.size
    for option in range(len(hidden_by)):
        if hidden_by[option] == step:
            hidden_by[option] = 0
            for item in range(len(size)):
                if contains[option, item]:
                    size[item] += 1


@kernel
def cover_item(matrix, colors, state, level, item, head, tail):
    """X4 [Cover i.] Return the new end of the queue, and the number of elements examined.

    From now on, the options that are tried at this level are those that this step has hidden.
    """
    state.item[level], state.head[level] = item, head
    state.is_active[item] = False
    tail, n_examined, _ = cover_dense(matrix, colors, state, item, 0, item_step(level), 0, tail)
    state.tail[level] = tail
    return tail, n_examined


@kernel
def uncover_item(matrix, state, level):
    """X7 [Backtrack.] Undo `cover_item`."""
    uncover_dense(matrix, state, item_step(level))
    state.is_active[state.item[level]] = True


@kernel
def next_option(state, level, option):
    """Return the first option from `option` on to try at a level, or the number of options."""
    hidden_by = state.hidden_by
    while option < len(hidden_by) and hidden_by[option] != item_step(level):
        option += 1
    return option


@kernel
def try_dense_option(matrix, colors, state, level, option, tail):
    """X5 [Try x_l.] Choose an option: cover or purify its other items.

    All of them are deactivated before the first is covered, so that no item of the option itself is
    mistaken for an active item without options. Returns the same as `cover_dense`; a smallest size
    of 0 is a dead end.
    """
    items, n_primary = matrix.items, len(state.size)
    begin, end = matrix.indptr[option], matrix.indptr[option + 1]
    state.choice[level] = option
    for position in range(begin, end):
        if items[position] < n_primary:
            state.is_active[items[position]] = False
    smallest, n_examined = UNLIMITED, 0
    position = position_in_option(matrix, option, state.item[level])
    for _ in range(end - begin - 1):
        if smallest == 0:
            break
        position = position + 1 if position + 1 < end else begin
        item = items[position]
        color = 0 if colors is None else colors[option, item]
        if color != 0 and state.purified_by[item] != 0:
            continue  # the item has this color already: other options with it are hidden
        tail, n, smallest = cover_dense(
            matrix, colors, state, item, color, option_step(level), 1, tail
        )
        n_examined += n
        if color != 0:
            state.purified_by[item] = option_step(level)
    return tail, n_examined, smallest


@kernel
def undo_dense_option(matrix, state, level):
    """X6 [Try again.] Undo `try_dense_option`."""
    items, n_primary = matrix.items, len(state.size)
    step, option = option_step(level), state.choice[level]
    uncover_dense(matrix, state, step)
    for position in range(matrix.indptr[option], matrix.indptr[option + 1]):
        item = items[position]
        if item < n_primary:
            state.is_active[item] = item != state.item[level]
        elif state.purified_by[item] == step:
            state.purified_by[item] = 0


@kernel
def choose_dense_item(state, head, tail):
    """X3 [Choose i.] Return an active item, or the number of items if none is active.

    Also returns the new start of the queue.
    """
    register, is_active, size = state.register, state.is_active, state.size
    best = len(size)
    if register[Register.BRANCHING] != Branching.LEFTMOST:
        while head < tail and best == len(size):
            if is_active[state.forced[head]]:
                best = state.forced[head]
            head += 1
    if best == len(size):
        best_rank, n_ties = UNLIMITED, 0
        for item in range(len(size)):
            if is_active[item]:
                rank = item_rank(register, item + 1, size[item])
                if rank <= best_rank:
                    n_ties = n_ties + 1 if rank == best_rank else 1
                    if wins_tie(register, n_ties):
                        best = item
                    best_rank = rank
    return best, head


@kernel
def search_dense(matrix, colors, state, budget):
    """Search until the budget is spent, the target is reached, or the tree is exhausted.

    Parameters: `matrix`; `colors`, (options, items) uint32 or None; `state`; `budget` int64, the
    value of Register.UPDATES at which to stop. Returns EXHAUSTED, SOLUTION or BUDGET. All arrays
    keep the state of the search: call again to resume.
    """
    register, size = state.register, state.size
    n_options = len(state.hidden_by)
    level, resume = register[Register.LEVEL], register[Register.RESUME]
    head, tail = register[Register.HEAD], register[Register.TAIL]
    status = BUDGET
    while register[Register.UPDATES] < budget:
        if resume == ENTER:
            # X2 [Enter level l.] and X3 [Choose i.]
            resume = LEAVE
            item, head = choose_dense_item(state, head, tail)
            if item == len(size):
                register[Register.SOLUTIONS] += 1
                if register[Register.SOLUTIONS] >= register[Register.TARGET]:
                    status = SOLUTION
                    break
                continue
            register[Register.NODES] += 1
            if size[item] == 0:
                continue
            # X4 [Cover i.]
            tail, n_examined = cover_item(matrix, colors, state, level, item, head, tail)
            register[Register.UPDATES] += n_examined
            option = next_option(state, level, 0)
        else:
            # X8 [Leave level l.]
            if level == 0:
                status = EXHAUSTED
                break
            level -= 1
            # X6 [Try again.]
            undo_dense_option(matrix, state, level)
            head, tail = state.head[level], state.tail[level]
            option = next_option(state, level, state.choice[level] + 1)
        while option < n_options:
            # X5 [Try x_l.]
            tail, n_examined, smallest = try_dense_option(
                matrix, colors, state, level, option, tail
            )
            register[Register.UPDATES] += n_examined
            if smallest:
                level += 1
                resume = ENTER
                break
            # X6 [Try again.]
            undo_dense_option(matrix, state, level)
            tail = state.tail[level]
            option = next_option(state, level, option + 1)
        if resume == LEAVE:
            # X7 [Backtrack.]
            uncover_item(matrix, state, level)
    register[Register.LEVEL], register[Register.RESUME] = level, resume
    register[Register.HEAD], register[Register.TAIL] = head, tail
    return status


@kernel
def retreat_dense(matrix, colors, state, level):
    """Undo the choices of all levels from `level` on. The search resumes by leaving that level."""
    register = state.register
    while register[Register.LEVEL] > level:
        register[Register.LEVEL] -= 1
        undo_dense_option(matrix, state, register[Register.LEVEL])
        uncover_item(matrix, state, register[Register.LEVEL])
    register[Register.RESUME] = LEAVE
