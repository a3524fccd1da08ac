"""Algorithm X (and C, with colors), resumable at any node.

The step labels are those of Knuth's Algorithm X (TAOCP 7.2.2.1). The steps differ from the book in
five ways, none of which changes the covers that they find:

- An item whose number of options drops to one is appended to a queue, so that step X3 scans the
  active items only if there is a real choice.
- Covering the items of an option (X5) stops as soon as an active item has no option left.
- Hidden nodes are recorded on a trail, so that undoing a step follows the trail backward instead of
  finding the nodes again, option by option.
- If a single item is left and covers are only counted, its options are counted, not tried.
- A search without untried options ends immediately instead of backtracking (X7, X8) to the root.

Nodes, items and options are uint32, because each access by a signed index is tested for
wraparound; sums of uint32 are cast back, because Numba widens them to uint64.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...runtime.arguments import UNLIMITED
from ..components import label_components
from ..cover_array import NONE, CoverArray, Translation, write_cover
from ..problem import Problem, color_nodes
from .branching import (
    Branching,
    BranchingRule,
    blame,
    choose_item,
    count_last,
    scan_bits,
    set_rule,
)
from .linked_subtree import LinkedSubtree, copy_colors
from .links import Colors, Links, link_options
from .memory import N_LEVELS, N_SIZES, allocate_block, carve, carve_in_python, set_sizes
from .moves import cover, try_option, uncover, undo_option
from .state import (
    DIVISIBLE,
    ENTER,
    EXHAUSTED,
    LEAVE,
    N_REGISTERS,
    NO_COVERS,
    OUT_OF_BUDGET,
    TARGET_REACHED,
    Register,
    SearchState,
    keep_counters,
    keep_level,
    resumed_level,
    store_cover,
)


@njit
def initialize(links, state, branching):
    """X1 [Initialize.] Reset the registers, and queue the items that have at most one option.

    Reads `links`; writes `state.register` (int64) and `state.forced` (uint32). `branching` is a
    `Branching`.
    """
    register = state.register
    register[:N_REGISTERS] = 0
    register[Register.BRANCHING] = branching
    register[Register.TARGET] = UNLIMITED
    queue_forced(links, state)


@njit
def queue_forced(links, state):
    """Queue the active items that have at most one option. The queue was empty.

    Reads `links`; writes `state.forced` (primary items + 1,) uint32, Register.HEAD and
    Register.TAIL.
    """
    forced = state.forced
    size = links.size
    tail = np.uint32(0)
    item = links.R[np.uint32(0)]
    while item:
        forced[tail] = item
        tail = np.uint32(tail + (size[item] <= 1))
        item = links.R[item]
    state.register[Register.HEAD] = 0
    state.register[Register.TAIL] = tail


@inlined
def _try_again(links, colors, state, level, option, trail_end):
    """Undo an option. Return the next one, the ends of the queue, and the end of the trail."""
    mark = state.option_mark[level]
    undo_option(links, colors, None, option, state.trail, mark, trail_end)
    return links.D[option], state.head[level], state.tail[level], mark


@njit
def search(links, colors, state, budget):
    """Search until the budget is spent, the target is reached, or the tree is exhausted.

    All arrays keep the state of the search: call again to resume, or call `retreat` to restore the
    links. None is a type of its own for Numba, so a search without colors is compiled without them.

    Parameters
    ----------
    links : Links
        Read and written: `L R U D column`, uint32 of shape (nodes,), and `size`, uint32 of shape
        (1 + items,), as `link_options` fills them.
    colors : Colors or None
        Read: `color`, uint32 of shape (nodes,). Written: `purifier`, uint32 of shape (1 + items,).
        None if the problem has no colors.
    state : SearchState
        Read and written. The arrays of levels are uint32 of shape (levels,), with one more level
        than primary items; `forced` is uint32 of shape (primary items + 1,), `trail` of shape
        (nodes,), `found` of shape (covers, 1 + levels), and `register` int64 of shape
        (N_REGISTERS,), indexed by `Register`. `initialize` resets it before the first call.
    budget : int64
        The search stops when Register.UPDATES, plus the work of this call that removes no links,
        reaches it. It counts from the beginning of the search, not of the call.

    Returns
    -------
    int
        EXHAUSTED, TARGET_REACHED (Register.SOLUTIONS has reached Register.TARGET), or
        OUT_OF_BUDGET.
    """
    _, R, U, D, _, size = links
    choice, _, _, heads, tails, item_marks, option_marks, forced, trail, found, register = state
    root = np.uint32(0)
    n_items = np.uint32(len(size) - 1)
    level, head, tail, trail_end = resumed_level(register)
    resume = register[Register.RESUME]
    open_levels = register[Register.OPEN_LEVELS]
    solutions = register[Register.SOLUTIONS]
    nodes = register[Register.NODES]
    updates = register[Register.UPDATES]
    status = OUT_OF_BUDGET
    # The work besides updates, of which it takes as long as one: a cover; following the list of 8
    # items or options; scanning a block of 64 items, or 4 of many items for a random choice
    work = 0
    while updates + work < budget:
        if register[Register.INTERRUPT] != 0:
            budget = 0  # ends the search after this step
        if resume == ENTER:
            # X2 [Enter level l.]
            resume = LEAVE  # remains if this is a cover or a dead end
            if R[root] == root:
                store_cover(found, register[Register.TARGET] - solutions, choice, level, root)
                solutions += 1
                work += 1
                if solutions >= register[Register.TARGET]:
                    status = TARGET_REACHED
                    break
                continue
            nodes += 1
            # X3 [Choose i.]
            item, head, is_scanned = choose_item(links, state, head, tail)
            if is_scanned:
                work += int(n_items) >> scan_bits(links, register)
            if size[item] == 0:
                continue
            n_covers = count_last(links, state, item, size[item], solutions)
            if n_covers > 0:
                solutions += n_covers
                updates += 1
                continue
            open_levels += size[item] > 1
            work += int(size[item]) >> 3
            # X4 [Cover i.]
            heads[level] = head
            item_marks[level] = trail_end
            tail, trail_end = cover(links, colors, item, forced, tail, trail, trail_end)
            tails[level] = tail
            option_marks[level] = trail_end
            updates += trail_end - item_marks[level] + 1
            option = D[item]
        else:
            # X8 [Leave level l.]
            if open_levels == 0:
                status = EXHAUSTED
                break
            level = np.uint32(level - 1)
            # X6 [Try again.]
            option, head, tail, trail_end = _try_again(
                links, colors, state, level, choice[level], trail_end
            )
        while option > n_items:
            # The level has no untried option left if this is its last option but not its only one.
            open_levels -= D[option] <= n_items and U[option] > n_items
            # X5 [Try x_l.]
            tail, trail_end, n_committed, n_visited, smallest = try_option(
                links, colors, None, option, forced, tail, trail, trail_end
            )
            updates += n_committed + (trail_end - option_marks[level])
            work += int(n_visited) >> 3
            # A dead end is a level only if the budget is spent: the next call leaves it.
            if smallest > 0 or updates + work >= budget:
                choice[level] = option
                level = np.uint32(level + 1)
                resume = ENTER if smallest > 0 else LEAVE
                break
            work += blame(links, register) >> 3
            # X6 [Try again.]
            option, head, tail, trail_end = _try_again(
                links, colors, state, level, option, trail_end
            )
        if option <= n_items:
            # X7 [Backtrack.] Here `option` is the item itself: its list of options is exhausted.
            uncover(links, option, trail, item_marks[level], trail_end)
            trail_end = item_marks[level]
    keep_level(register, level, resume, tail, trail_end)
    register[Register.HEAD] = head
    register[Register.OPEN_LEVELS] = open_levels
    keep_counters(register, solutions, nodes, updates)
    return status


def allocate_register(n_primary: int, rule: BranchingRule) -> NDArray[np.int64]:
    """Return the registers of a search, with weights of the items if the rule needs them."""
    if rule.branching == Branching.WEIGHTED:
        register = np.ones(N_REGISTERS + 1 + n_primary, np.int64)
        register[:N_REGISTERS] = 0
    else:
        register = np.zeros(N_REGISTERS, np.int64)
    register[Register.TARGET] = UNLIMITED
    set_rule(register, rule)
    return register


@njit
def link_block(block, found, register, indptr, items, n_primary, n_items):
    """Link a problem in a block of memory, which `allocate_block` returns, unless that is done.

    Parameters: `block`; `found` and `register` as in `SearchState`; `indptr`, `items`, `n_primary`
    and `n_items` (int64) as in `Problem`.
    """
    if block[N_LEVELS] == 0:
        set_sizes(block, n_primary, n_items, len(items))
        links, state = carve(block, found, register)
        link_options(links, indptr, items, n_primary)
        queue_forced(links, state)


@njit
def search_in_block(
    block,
    colors,
    register,
    indptr,
    items,
    n_primary,
    n_items,
    found,
    budget,
    seeks_parts,
    numbers,
    given,
    options,
    ends,
):
    """Link a problem in a block of memory at the first call, and search as `search` does.

    Parameters: `block`, `register`, `indptr`, `items`, `n_primary`, `n_items` and `found` are those
    of `link_block`; `colors` and `budget` are those of `search`. In `found`, options replace the
    nodes. `numbers`, `given`, `options` and `ends`, to which the covers are written,
    are those of `write_covers`. If `seeks_parts` is not 0 (int64), and the problem has several
    components, the first call returns DIVISIBLE, and does nothing else.
    """
    if seeks_parts and block[N_LEVELS] == 0:  # the first call: nothing is linked yet
        label = block[N_SIZES : N_SIZES + n_items]  # is overwritten by the links
        if label_components(indptr, items, n_primary, label) > 1:
            return DIVISIBLE
    link_block(block, found, register, indptr, items, n_primary, n_items)
    links, state = carve(block, found, register)
    before = register[Register.SOLUTIONS]
    status = search(links, colors, state, budget)
    ends[0] = 0
    for row in range(min(len(found), register[Register.SOLUTIONS] - before)):
        for k in range(1, found[row, 0] + 1):
            found[row, k] = find_option(indptr, np.int64(found[row, k]) - n_items - 1)
        chosen = found[row, 1 : 1 + found[row, 0]]
        ends[row + 1] = write_cover(chosen, numbers, given, options, ends[row])
    return status


@inlined
def find_option(indptr, position):
    """Return the option of the element at a position of `items` (both int64), as in `Problem`."""
    low = np.int64(0)
    high = len(indptr) - 1
    while high - low > 1:
        middle = (low + high) >> 1
        if indptr[middle] <= position:
            low = middle
        else:
            high = middle
    return np.uint32(low)


class SubtreeX(LinkedSubtree):
    """Algorithm X on a problem without multiplicities.

    Its arrays are the first arguments of `search_in_block`, whose first call links the problem.
    """

    arrays: tuple[Any, ...]

    @classmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "SubtreeX":
        """Return the whole tree, unexplored."""
        block = allocate_block(problem.n_primary, problem.n_items, len(problem.items))
        return cls.resume(problem, block, allocate_register(problem.n_primary, rule))

    @classmethod
    def resume(
        cls, problem: Problem, block: NDArray[np.uint32], register: NDArray[np.int64]
    ) -> "SubtreeX":
        """Return the whole tree, with a block and a register in which its search may have begun."""
        indptr, items, n_primary, n_secondary = problem[:4]
        memory = block, color_nodes(problem), register
        return cls((*memory, indptr, items, n_primary, n_primary + n_secondary), problem)

    @property
    def groups(self) -> tuple[Links, Colors | None, SearchState]:
        """The links, the colors or None, and the state."""
        block, colors, register, *constants = self.arrays
        link_block(block, NO_COVERS, register, *constants)
        links, state = carve_in_python(block, NO_COVERS, register)
        return links, colors, state

    @property
    def register(self) -> NDArray[np.int64]:
        register: NDArray[np.int64] = self.arrays[2]
        return register

    @property
    def n_levels(self) -> int:
        return 1 + int(self.arrays[5])

    def _find(
        self, found: NDArray[np.uint32], translation: Translation, budget: int
    ) -> tuple[int, CoverArray]:
        """Run the kernel, which translates the covers itself; return its status and the covers."""
        register = self.arrays[2]
        n_most, row_size = found.shape  # no cover has as many options as a row has elements
        options = NONE.options
        ends = NONE.indptr
        if n_most:
            options = np.empty(n_most * (row_size + len(translation.given)), np.int32)
            ends = np.empty(n_most + 1, np.int64)
        before = register[Register.SOLUTIONS]
        status: int = search_in_block(
            *self.arrays, found, budget, self.seeks_parts, *translation, options, ends
        )
        self.is_divisible = status == DIVISIBLE
        n_covers = int(register[Register.SOLUTIONS] - before) if n_most else 0
        if not n_covers:
            return status, NONE
        ends = ends[: n_covers + 1]
        return status, CoverArray(options[: ends[-1]].copy(), ends)

    def finish(self) -> None:
        self.is_done = True
        # Keep the register and the sizes, which `n_levels` reads.
        self.arrays = None, None, self.register, None, None, *self.arrays[5:]

    def _copy_arrays(self) -> tuple[Any, ...]:
        block, colors, register, *constants = self.arrays
        copied = block.view(np.int32).copy().view(np.uint32)
        return copied, copy_colors(colors), register.copy(), *constants

    def steps(self) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        choice = self.groups[2].choice[: self.register[Register.LEVEL]]
        return self.links.column[choice] - 1, choice

    def _untried(self, level: int) -> NDArray[np.integer]:
        return self._following(self.groups[2].choice[level], len(self.links.D))

    def _keep_untried(self, level: int, begin: int, end: int) -> None:
        """Keep a part of the untried options of a level.

        Those before it are moved before the chosen one, as if they had been tried. The item is
        covered while its options are tried, so nothing else reads its list.
        """
        links = self.links
        chosen = self.groups[2].choice[level]
        untried = self._following(chosen, end)
        before = [links.U[chosen]], untried[:begin]
        nodes = np.concatenate([*before, [chosen], untried[begin:], [links.column[chosen]]])
        links.D[nodes[:-1]] = nodes[1:]
        links.U[nodes[1:]] = nodes[:-1]
        self._count_open_levels()

    def undo_from(self, level: int) -> None:
        super().undo_from(level)
        self._count_open_levels()

    def _count_open_levels(self) -> None:
        """Count the levels that have an untried option: a node after the chosen one.

        The nodes less than `len(links.size)` are the root and the items, where the lists begin.
        """
        links = self.links
        register = self.register
        following = links.D[self.groups[2].choice[: register[Register.LEVEL]]]
        register[Register.OPEN_LEVELS] = np.count_nonzero(following >= len(links.size))
