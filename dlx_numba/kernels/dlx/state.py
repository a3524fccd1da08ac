"""The state of a search as arrays: what a kernel reads when it resumes and writes when it stops."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit

# Return values of `search` and of the other kernels that stop when their budget is spent.
EXHAUSTED = 0  # the tree is exhausted: there is no further cover
TARGET_REACHED = 1  # the number of covers in Register.TARGET is reached
OUT_OF_BUDGET = 2  # the budget of updates is spent
DIVISIBLE = 3  # the problem has several components: see `search_in_block`

# Values of Register.RESUME: the step at which a search resumes.
ENTER = 0
LEAVE = 1


class _Registers(NamedTuple):
    """Indices into the array `register` of a search: the scalars of its state."""

    LEVEL: int = 0  # the depth: levels at which an option, or none, is chosen
    RESUME: int = 1  # the step at which the search resumes: ENTER or LEAVE
    HEAD: int = 2  # the start of the queue of forced items
    TAIL: int = 3  # the end of that queue
    TRAIL_END: int = 4  # the number of nodes that are hidden now
    OPEN_LEVELS: int = 5  # the number of levels that have an untried option
    TARGET: int = 6  # stop when this number of covers has been found
    SOLUTIONS: int = 7  # covers found
    NODES: int = 8  # nodes of the search tree entered
    UPDATES: int = 9  # links removed, Knuth's measure of work
    BRANCHING: int = 10  # the branching rule, one of `branching.Branching`
    LAST_SHARP: int = 11  # items up to this one are sharp (Knuth: their names begin with '#')
    RANDOM_NUMBER: int = 12  # the last number of the random generator
    BASE_LEVEL: int = 13  # Algorithm M: levels below this one belong to other searches
    INTERRUPT: int = 14  # 1 to stop as if the budget were spent; another thread may set it


Register = _Registers()  # no enum: Numba 0.61 to 0.67 reject its members as indices of assignments
N_REGISTERS = len(Register)
# Indices into the sums of random paths, see `Subtree.probe`
COVERS = 0  # covers, nodes and updates that the paths represent
NODES = 1
UPDATES = 2
PATHS = 3  # how many paths the last one represents: the product of its numbers of branches so far
N_SUMS = 4
QUEUE = slice(Register.HEAD, Register.TAIL + 1)
COUNTERS = slice(Register.SOLUTIONS, Register.UPDATES + 1)  # solutions, nodes and updates

# Space for covers, a row for each: the number of choices, then the choices. Without any space,
# covers are only counted.
NO_COVERS = np.zeros((0, 1), np.uint32)


class SearchState(NamedTuple):
    """The state of a search with links, except for the links; with both, it can resume at any time.

    The number of levels is an upper bound on the number of choices in a cover, plus 1. Algorithm X
    does not store items and branches. Algorithm M has no queue, but with costs it lists items in
    `forced`.
    """

    choice: NDArray[np.uint32]  # (levels,) the node whose option was chosen; 0 for none
    item: NDArray[np.uint32]  # (levels,) the item branched on
    branches: NDArray[np.uint32]  # (levels,) its number of branches
    head: NDArray[np.uint32]  # (levels,) the start of the queue after step X3
    tail: NDArray[np.uint32]  # (levels,) the end of the queue after step X4
    item_mark: NDArray[np.uint32]  # (levels,) the end of the trail before step X4 or M4
    option_mark: NDArray[np.uint32]  # (levels,) the end of the trail before step X5 or M6
    forced: NDArray[np.uint32]  # (primary items + 1,) the queue of forced items
    trail: NDArray[np.uint32]  # (nodes,) the hidden nodes, in the order of hiding
    found: NDArray[np.uint32]  # (covers, 1 + levels) see `store_cover`
    # (N_REGISTERS,) indexed by `Register`; with weights, (N_REGISTERS + 1 + primary items,)
    register: NDArray[np.int64]


def allocate_state(n_primary: int, n_nodes: int, n_levels: int) -> SearchState:
    """Allocate the state of a search, given the numbers of primary items, nodes and levels."""
    levels = np.zeros((7, n_levels), np.uint32)
    forced = np.zeros(n_primary + 1, np.uint32)
    trail = np.zeros(n_nodes, np.uint32)
    register = np.zeros(N_REGISTERS, np.int64)
    return SearchState._make([*levels, forced, trail, NO_COVERS, register])


@inlined
def resumed_level(register):
    """Return the depth, the start and the end of the queue, and the end of the trail, as uint32."""
    level = np.uint32(register[Register.LEVEL])
    head = np.uint32(register[Register.HEAD])
    tail = np.uint32(register[Register.TAIL])
    return level, head, tail, np.uint32(register[Register.TRAIL_END])


@inlined
def keep_level(register, level, resume, tail, trail_end):
    """Keep where a search pauses; the parameters are those of `Register` with these names."""
    register[Register.LEVEL] = level
    register[Register.RESUME] = resume
    register[Register.TAIL] = tail
    register[Register.TRAIL_END] = trail_end


@inlined
def keep_counters(register, solutions, nodes, updates):
    """Keep the counters of a search."""
    register[Register.SOLUTIONS] = solutions
    register[Register.NODES] = nodes
    register[Register.UPDATES] = updates


@njit
def store_cover(found, n_left, choice, n_chosen, none):
    """Store the first `n_chosen` choices as a cover, if there is space for covers.

    Parameters: `found` (covers, 1 + levels) uint32, which is modified: a row for each cover until
    the target, with the number of choices and the choices; `n_left`, the number of covers until the
    target, with this one, and so the number of rows that are free; `choice` (levels,) uint32;
    `none` uint32, a choice that is left out.
    """
    row = len(found) - n_left
    if 0 <= row < len(found):
        length = 0
        for level in range(n_chosen):
            node = choice[level]
            if node != none:
                length += 1
                found[row, length] = node
        found[row, 0] = length
