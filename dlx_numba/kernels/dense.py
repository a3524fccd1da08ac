"""Algorithm X (and C, with colors) without links, on a dense array, for comparison.

The problem is an array with a row for each option and a column for each item. Nothing in it is ever
removed. Instead, each step of the search has its own copy of two arrays: `available` states which
options can still be chosen, and `size` is the number of available options of each item.

    algorithm           links                                   dense array
    options of an item  follow the list: O(its active options)  scan the column: O(options)
    hide an option      follow its circle: O(its items)         scan the row: O(items)
    choose an item      follow the list: O(active items)        scan all items: O(items)
    undo a step         follow the trail: O(hidden nodes)       copy before: O(options + items)

Dancing links save the scanning: the lists contain only what is left, so that a step takes less and
less time as the problem shrinks, whereas an array stays as large as it was. An option of a Sudoku
has 4 items of 324. An update is an element of the array that is examined in steps X4 and X5.

The program makes the same decisions as `algorithm_x`, so it finds the same covers in the same
order. It also visits the same nodes if options list their items in order: a row is scanned from the
covered item on and around, as links follow the circle of an option.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit import njit
from ..jit.namespaces import plain_python
from .dlx.branching import Branching, BranchingRule, item_rank, set_rule, wins_tie
from .dlx.state import (
    BUDGET,
    ENTER,
    EXHAUSTED,
    LEAVE,
    N_REGISTERS,
    NO_COVERS,
    SOLUTION,
    UNLIMITED,
    Register,
    store_cover,
)
from .problem import Problem
from .subtree import Subtree

if TYPE_CHECKING:
    from typing_extensions import Self

MAX_BYTES = 10**9  # the maximum size of the dense arrays of a problem
COVERED = 1 << 30  # added to the size of an item that is covered
UNCOLORED = 1  # in the array of the problem; colors follow
NO_OPTION = np.uint32(2**32 - 1)


class DenseState(NamedTuple):
    """The state of the search. The number of levels is that of primary items, plus 1.

    Level l has the steps 2 l (X2), and 2 l + 1 (X4), at which its item is covered.
    """

    choice: NDArray[np.uint32]  # (levels,) the chosen option
    item: NDArray[np.uint32]  # (levels,) the item that is branched on
    head: NDArray[np.uint32]  # (levels,) the start of the queue after step X3
    tail: NDArray[np.uint32]  # (levels,) the end of the queue after step X4
    forced: NDArray[np.uint32]  # (primary items + 1,) the queue of forced items
    available: NDArray[np.bool_]  # (steps, options)
    size: NDArray[np.uint32]  # (steps, primary items) plus COVERED if an item is not active
    found: NDArray[np.uint32]  # (covers, 1 + levels) see `store_cover`
    register: NDArray[np.int64]  # (N_REGISTERS,) indexed by `Register`


@njit
def choose_dense_item(state, step, head, tail):
    """X3 [Choose i.] Return an active item, or the number of items if none is active.

    Also returns the new start of the queue.
    """
    register, size = state.register, state.size
    if register[Register.BRANCHING] != Branching.LEFTMOST:
        while head < tail:
            item = state.forced[head]
            head += 1
            if size[step, item] <= 1:
                return item, head
    n_items = size.shape[1]
    best, best_rank, n_ties = n_items, UNLIMITED, 0
    for item in range(n_items):
        if size[step, item] < COVERED:
            rank = item_rank(register, item + 1, size[step, item])
            if rank <= best_rank:
                n_ties = n_ties + 1 if rank == best_rank else 1
                if wins_tie(register, n_ties):
                    best = item
                best_rank = rank
    return best, head


@njit
def copy_step(state, step):
    """Copy the arrays of a step to the next one."""
    for option in range(state.available.shape[1]):
        state.available[step + 1, option] = state.available[step, option]
    for item in range(state.size.shape[1]):
        state.size[step + 1, item] = state.size[step, item]


@njit
def cover_dense(matrix, state, step, item, color, min_size, tail):
    """Hide the available options of an item, except for those that give it the color `color`.

    Returns the new end of the queue, and the smallest size that an active item dropped to, or
    COVERED. Stops after an option that makes this size less than `min_size`.
    """
    available, size, register = state.available, state.size, state.register
    n_primary = size.shape[1]
    smallest = COVERED
    for option in range(matrix.shape[0]):
        if smallest < min_size:
            break
        register[Register.UPDATES] += 1
        value = matrix[option, item]
        if value != 0 and available[step, option] and (color == UNCOLORED or value != color):
            available[step, option] = False
            register[Register.UPDATES] += n_primary
            other = item + 1
            for _ in range(n_primary):
                other = other if other < n_primary else 0
                if other != item and matrix[option, other] != 0:
                    size[step, other] -= 1
                    if size[step, other] < COVERED:
                        smallest = min(smallest, size[step, other])
                        if size[step, other] == 1:
                            state.forced[tail] = other
                            tail += 1
                other += 1
    return tail, smallest


@njit
def try_dense_option(matrix, state, step, option, item, tail):
    """X5 [Try x_l.] Cover or purify the other items of an option of `item`, as `try_option` does.

    Returns the same as `cover_dense`; a smallest size of 0 is a dead end.
    """
    n_items, n_primary = matrix.shape[1], state.size.shape[1]
    for other in range(n_primary):
        if other != item and matrix[option, other] != 0:
            state.size[step, other] += COVERED
    smallest, other = COVERED, item
    for _ in range(n_items - 1):
        other = other + 1 if other + 1 < n_items else 0
        if smallest > 0 and matrix[option, other] != 0:
            color = np.int64(matrix[option, other])
            tail, smallest = cover_dense(matrix, state, step, other, color, 1, tail)
    return tail, smallest


@njit
def search_dense(matrix, state, budget):
    """Search until the budget is spent, the target is reached, or the tree is exhausted.

    Parameters: `matrix` (options, items), 0 if an option does not contain an item, UNCOLORED if it
    does, and otherwise UNCOLORED plus its color, from 1; `state`; `budget` int64, the value of
    Register.UPDATES at which to stop. Returns EXHAUSTED, SOLUTION or BUDGET.
    """
    register, choice, available = state.register, state.choice, state.available
    n_options, n_primary = matrix.shape[0], state.size.shape[1]
    level, resume = register[Register.LEVEL], register[Register.RESUME]
    head, tail = register[Register.HEAD], register[Register.TAIL]
    status = BUDGET
    while register[Register.UPDATES] < budget:
        if resume == ENTER:
            # X2 [Enter level l.] and X3 [Choose i.]
            resume = LEAVE
            item, head = choose_dense_item(state, 2 * level, head, tail)
            if item == n_primary:
                n_left = register[Register.TARGET] - register[Register.SOLUTIONS]
                store_cover(state.found, n_left, choice, level, NO_OPTION)
                register[Register.SOLUTIONS] += 1
                if n_left <= 1:
                    status = SOLUTION
                    break
                continue
            register[Register.NODES] += 1
            if state.size[2 * level, item] == 0:
                continue
            # X4 [Cover i.]
            step = 2 * level + 1
            copy_step(state, step - 1)
            state.size[step, item] += COVERED
            tail, _ = cover_dense(matrix, state, step, item, UNCOLORED, 0, tail)
            state.item[level], state.head[level], state.tail[level] = item, head, tail
            option = 0
        else:
            # X8 [Leave level l.] and X6 [Try again.]
            if level == 0:
                status = EXHAUSTED
                break
            level -= 1
            item, option = state.item[level], choice[level] + 1
        resume = LEAVE
        while option < n_options and resume == LEAVE:
            if available[2 * level, option] and matrix[option, item] != 0:
                # X5 [Try x_l.]
                step, head = 2 * level + 2, state.head[level]
                copy_step(state, step - 1)
                tail = state.tail[level]
                tail, smallest = try_dense_option(matrix, state, step, option, item, tail)
                if smallest > 0:
                    choice[level] = option
                    level += 1
                    resume = ENTER
            option += 1
    register[Register.LEVEL], register[Register.RESUME] = level, resume
    register[Register.HEAD], register[Register.TAIL] = head, tail
    return status


def dense_matrix(problem: Problem) -> NDArray[np.unsignedinteger]:
    """Return a problem as a dense array, and check that the arrays of the search fit into memory.

    Raises ValueError if they would take more than MAX_BYTES.
    """
    n_options, n_items = problem.n_options, problem.n_items
    element = np.dtype(np.uint8 if problem.color is None else np.uint32)
    n_bytes = n_options * n_items * element.itemsize
    n_bytes += 2 * problem.n_primary * (n_options + 4 * problem.n_primary)
    if n_bytes > MAX_BYTES:
        raise ValueError(
            f"a dense array of {n_options:,} options and {n_items:,} items takes "
            f"{n_bytes / 1e9:,.1f} GB, more than {MAX_BYTES / 1e9:g} GB; use links"
        )
    matrix = np.zeros((n_options, n_items), element)
    color = 0 if problem.color is None else problem.color
    matrix[problem.option_of_node(), problem.items] = UNCOLORED + color
    return matrix


class SubtreeDense(Subtree):
    """Algorithm X on a dense array. It cannot be split, stored or estimated."""

    groups: tuple[NDArray[np.unsignedinteger], DenseState]
    kernel = staticmethod(search_dense)

    @classmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "Self":
        """X1 [Initialize.] Return the whole tree, unexplored. Raises as `dense_matrix` does.

        The options of the problem must be valid: `link_problem` checks them.
        """
        matrix, n_primary = dense_matrix(problem), problem.n_primary
        n_levels = n_primary + 1
        available = np.ones((2 * n_levels, problem.n_options), np.bool_)
        size = np.zeros((2 * n_levels, n_primary), np.uint32)
        size[0] = np.count_nonzero(matrix[:, :n_primary], axis=0)
        queued = np.flatnonzero(size[0] <= 1)
        forced = np.zeros(n_levels, np.uint32)
        forced[: len(queued)] = queued
        register = np.zeros(N_REGISTERS, np.int64)
        register[Register.TAIL] = len(queued)
        set_rule(register, rule)
        choice, item, head, tail = np.zeros((4, n_levels), np.uint32)
        levels = choice, item, head, tail
        return cls((matrix, DenseState(*levels, forced, available, size, NO_COVERS, register)))

    def _copy_groups(self) -> tuple[Any, ...]:
        matrix, state = self.groups
        return matrix, DenseState(*(array.copy() for array in state))

    def _options_of(self, choices: NDArray[np.integer]) -> NDArray[np.integer]:
        return choices

    def _current_path(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return no branches, because they are not counted."""
        return np.zeros(0, np.int64), np.zeros(0, np.int64)

    def _explored_fraction(self) -> float:
        return 0.0


class SubtreePython(SubtreeDense):
    """The same algorithm, but the kernel is called as plain Python."""

    @staticmethod
    def kernel(matrix: NDArray[np.unsignedinteger], state: DenseState, budget: int) -> int:
        """Search on views of the arrays, which return Python numbers: faster than NumPy scalars."""
        views = DenseState(*(array.data for array in state))  # type: ignore[arg-type]
        return int(plain_python(search_dense)(matrix.data, views, budget))
