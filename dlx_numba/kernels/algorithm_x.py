"""Algorithm X (and C, with colors): `cover`, `uncover` and `search`, resumable at any node.

The step labels are those of Knuth's Algorithm X (TAOCP 7.2.2.1). The program differs from the book
in four ways, none of which changes the covers that it finds:

- An item whose number of options drops to one is appended to a queue, so that step X3 scans the
  active items only if there is a real choice.
- Covering the items of an option (X5) stops as soon as an active item has no option left. A literal
  search omits this.
- Hidden nodes are recorded on a trail, so that undoing a step follows the trail backward instead of
  finding the nodes again, row by row.
- A search without untried options ends immediately instead of backtracking (X6) to the root.

Nodes, items and options are uint32, because each access by a signed index is tested for
wraparound; sums of uint32 are cast back, because Numba widens them to uint64.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import inlined, kernel
from .branching import MANY, BranchingRule, choose_item, is_tie, set_rule
from .links import COVERED, Colors, Links
from .problem import Problem, link_problem
from .state import (
    BUDGET,
    ENTER,
    EXHAUSTED,
    LEAVE,
    N_REGISTERS,
    SOLUTION,
    UNLIMITED,
    Register,
    SearchState,
    allocate_state,
    store_cover,
)
from .subtree import LinkedSubtree

if TYPE_CHECKING:
    from typing_extensions import Self


@kernel
def initialize(links, state, branching):
    """X1 [Initialize.] Reset the registers, and queue the items that have at most one option.

    Reads `links`; writes `state.register` and `state.forced`. `branching` is a `Branching`.
    """
    register = state.register
    for i in range(N_REGISTERS):
        register[i] = 0
    register[Register.BRANCHING] = branching
    register[Register.TARGET] = UNLIMITED
    queue_forced(links, state)


@kernel
def queue_forced(links, state):
    """Queue the active items that have at most one option. The queue was empty.

    Reads `links`; writes `state.forced`, Register.HEAD and Register.TAIL.
    """
    forced, size = state.forced, links.size
    tail = np.uint32(0)
    item = links.R[np.uint32(0)]
    while item:
        forced[tail] = item
        tail = np.uint32(tail + (size[item] <= 1))
        item = links.R[item]
    state.register[Register.HEAD], state.register[Register.TAIL] = 0, tail


@kernel
def detach(links, item):
    """Remove an item from the list of active items, and mark its size as COVERED."""
    L, R = links.L, links.R
    left, right = L[item], R[item]
    R[left], L[right] = right, left
    links.size[item] += COVERED


@kernel
def attach(links, item):
    """Undo `detach`."""
    L, R = links.L, links.R
    R[L[item]] = L[R[item]] = item
    links.size[item] -= COVERED


@kernel
def detach_option(links, colors, option):
    """Detach the uncolored items of an option, except for the item of the node `option`."""
    R, column = links.R, links.column
    node = R[option]
    while node != option:
        if colors is None or colors.color[node] == 0:
            detach(links, column[node])
        node = R[node]


@kernel
def attach_option(links, colors, option):
    """Undo `detach_option`, and clear the colors that items got from this option."""
    L, column = links.L, links.column
    node = L[option]
    while node != option:
        item = column[node]
        if colors is None or colors.color[node] == 0:
            attach(links, item)
        elif colors.purifier[item] == node:
            colors.purifier[item] = 0
        node = L[node]


@kernel
def cover(links, colors, item, color, min_size, forced, tail, trail, trail_end):
    """Hide the options of a detached item from the lists of their other items.

    Options that give the item the color `color` stay; 0 is no color. An item whose size drops to
    one is appended to `forced`, and hidden nodes are appended to `trail`. Returns the new ends of
    the queue and of the trail, and the smallest size that an active item dropped to, or COVERED if
    there is no such item. Stops after an option that makes this size less than `min_size`.
    """
    _, R, U, D, column, size = links
    smallest = COVERED
    row = D[item]
    while row != item and smallest >= min_size:
        node = R[row]
        if colors is not None and color != 0 and colors.color[row] == color:
            node = row
        while node != row:
            up, down, c = U[node], D[node], column[node]
            # The remaining options of a purified item all have its color: skip it.
            if colors is not None and colors.purifier[c] != 0:
                node = R[node]
                continue
            D[up], U[down] = down, up
            new_size = np.uint32(size[c] - 1)
            size[c] = new_size
            # Append without a branch, which could not be predicted: always write, but advance the
            # end of the queue only if the item is forced.
            forced[tail] = c
            tail = np.uint32(tail + (new_size == 1))
            smallest = min(smallest, new_size)
            trail[trail_end] = node
            trail_end = np.uint32(trail_end + 1)
            node = R[node]
        row = D[row]
    return tail, trail_end, smallest


@kernel
def commit(links, colors, node, literal, forced, tail, trail, trail_end):
    """Cover the detached item of a node of the chosen option; purify it if the node has a color.

    Returns the same as `cover`, and like it stops when an active item has no option left, unless
    `literal` is given.
    """
    item = links.column[node]
    min_size = 1 if literal is None else 0
    if colors is None:
        return cover(links, None, item, np.uint32(0), min_size, forced, tail, trail, trail_end)
    color = colors.color[node]
    if color != 0 and colors.purifier[item] != 0:  # the item has this color already
        return tail, trail_end, COVERED
    ends = cover(links, colors, item, color, min_size, forced, tail, trail, trail_end)
    if color != 0:
        colors.purifier[item] = node
    return ends


@kernel
def uncover(links, trail, start, trail_end):
    """Undo `cover` and `commit`: restore the nodes that were appended to the trail from `start`.

    Following the trail takes half as long as finding the nodes again, option by option.
    """
    _, _, U, D, column, size = links
    while trail_end > start:
        trail_end = np.uint32(trail_end - 1)
        node = trail[trail_end]
        D[U[node]] = U[D[node]] = node
        size[column[node]] += np.uint32(1)


@inlined
def try_option(links, colors, option, literal, forced, tail, trail, trail_end):
    """X5 [Try x_l.] Commit to the other items of an option; the item of `option` is covered.

    All of them are detached before the first is covered, so that no item of the option itself is
    mistaken for an active item without options. Returns the new ends of the queue and of the trail,
    the number of items committed to, and the smallest size that an active item dropped to: 0 is a
    dead end.
    """
    R = links.R
    detach_option(links, colors, option)
    n_committed = 0
    smallest = COVERED
    node = R[option]
    while node != option and (smallest or literal is not None):
        n_committed += 1
        tail, trail_end, smallest = commit(
            links, colors, node, literal, forced, tail, trail, trail_end
        )
        node = R[node]
    return tail, trail_end, n_committed, smallest


@inlined
def undo_option(links, colors, option, trail, start, trail_end):
    """X6 [Try again.] Undo `try_option`, before which the trail ended at `start`."""
    uncover(links, trail, start, trail_end)
    attach_option(links, colors, option)


@kernel
def search(links, colors, state, budget, literal=None):
    """Search until the budget is spent, the target is reached, or the tree is exhausted.

    Parameters: `links`; `colors` or None; `state`; `budget` int64, the value of Register.UPDATES at
    which to stop; `literal`, True if only a chosen item without options is a dead end, or None.
    Returns EXHAUSTED, SOLUTION or BUDGET. All arrays keep the state of the search: call again to
    resume, or call `retreat` to restore the links.
    None is a type of its own for Numba, so a search without colors is compiled without them.
    """
    _, R, U, D, _, size = links
    choice, heads, tails, item_marks, option_marks, forced, trail, found, register = state
    root = np.uint32(0)
    n_items = np.uint32(len(size) - 1)
    level = np.uint32(register[Register.LEVEL])
    head, tail = np.uint32(register[Register.HEAD]), np.uint32(register[Register.TAIL])
    trail_end = np.uint32(register[Register.TRAIL_END])
    resume = register[Register.RESUME]
    open_levels = register[Register.OPEN_LEVELS]
    solutions, nodes = register[Register.SOLUTIONS], register[Register.NODES]
    updates = register[Register.UPDATES]
    status = BUDGET
    scanned = 0  # updates that take as long as scanning items in X3
    while updates + scanned < budget:
        if register[Register.INTERRUPT] != 0:
            budget = 0  # ends the search after this step
        if resume == ENTER:
            # X2 [Enter level l.]
            if R[root] == root:
                resume = LEAVE
                store_cover(found, register[Register.TARGET] - solutions, choice, level, root)
                solutions += 1
                if solutions >= register[Register.TARGET]:
                    status = SOLUTION
                    break
                continue
            nodes += 1
            # X3 [Choose i.]
            item, head, is_scanned = choose_item(links, state, head, tail)
            if is_scanned:
                scanned += int(n_items) >> (3 if n_items < MANY else 6)
            if size[item] == 0:
                resume = LEAVE
                continue
            open_levels += size[item] > 1
            # X4 [Cover i.]
            heads[level], item_marks[level] = head, trail_end
            detach(links, item)
            tail, trail_end, _ = cover(links, colors, item, root, 0, forced, tail, trail, trail_end)
            tails[level], option_marks[level] = tail, trail_end
            updates += trail_end - item_marks[level] + 1
            option = D[item]
        else:
            # X8 [Leave level l.]
            if open_levels == 0:
                status = EXHAUSTED
                break
            level = np.uint32(level - 1)
            # X6 [Try again.]
            option = choice[level]
            undo_option(links, colors, option, trail, option_marks[level], trail_end)
            head, tail, trail_end = heads[level], tails[level], option_marks[level]
            option = D[option]
        resume = LEAVE
        while option > n_items:
            # The level has no untried option left if this is its last option but not its only one.
            open_levels -= D[option] <= n_items and U[option] > n_items
            # X5 [Try x_l.]
            tail, trail_end, n_committed, smallest = try_option(
                links, colors, option, literal, forced, tail, trail, trail_end
            )
            updates += n_committed + (trail_end - option_marks[level])
            if smallest or literal is not None:
                choice[level] = option
                level = np.uint32(level + 1)
                resume = ENTER
                break
            # X6 [Try again.]
            undo_option(links, colors, option, trail, option_marks[level], trail_end)
            head, tail, trail_end = heads[level], tails[level], option_marks[level]
            option = D[option]
        if resume == LEAVE:
            # X7 [Backtrack.] Here `option` is the item itself: its list of options is exhausted.
            uncover(links, trail, item_marks[level], trail_end)
            trail_end = item_marks[level]
            attach(links, option)
    register[Register.LEVEL], register[Register.RESUME] = level, resume
    register[Register.HEAD], register[Register.TAIL] = head, tail
    register[Register.TRAIL_END], register[Register.OPEN_LEVELS] = trail_end, open_levels
    register[Register.SOLUTIONS], register[Register.NODES] = solutions, nodes
    register[Register.UPDATES] = updates
    return status


@kernel
def retreat(links, colors, state, level):
    """Undo the choices of all levels from `level` on. The search resumes by leaving that level."""
    column, choice, register = links.column, state.choice, state.register
    top, trail_end = register[Register.LEVEL], np.uint32(register[Register.TRAIL_END])
    while top > level:
        top -= 1
        at = np.uint32(top)
        uncover(links, state.trail, state.item_mark[at], trail_end)
        trail_end = state.item_mark[at]
        attach_option(links, colors, choice[at])
        attach(links, column[choice[at]])
    register[Register.LEVEL], register[Register.RESUME] = top, LEAVE
    register[Register.TRAIL_END] = trail_end


def start(links: Links, rule: BranchingRule) -> SearchState:
    """Return the state of a search that has not yet taken a step.

    Parameters
    ----------
    links : Links
        The links of the problem.
    rule : BranchingRule

    Returns
    -------
    SearchState
    """
    n_primary = int(np.count_nonzero(links.size[1:] < COVERED))
    state = allocate_state(n_primary, len(links.L))
    initialize(links, state, int(rule.branching))
    set_rule(state.register, rule)
    return state


@kernel
def list_branches(links, colors, state, taken, branches):
    """Write the branch taken at each level (from 0) and the number of branches.

    `taken` and `branches` are (Register.LEVEL,) int64. An item is covered while its options are
    tried, so its list still contains all of them.
    """
    D, column = links.D, links.column
    for k in range(len(taken)):
        option = state.choice[np.uint32(k)]
        item = column[option]
        branches[k] = 0
        node = D[item]
        while node != item:
            if node == option:
                taken[k] = branches[k]
            branches[k] += 1
            node = D[node]


@kernel
def descend(links, colors, state, items, nodes, draws, sums):
    """Follow a path from the root down, with the steps of `search`: a random or a given one.

    Parameters: `draws` (levels,) float64 in [0, 1) for a random path, or empty; `items` and `nodes`
    (n,) uint32, the item of each level of a given path, and the node that is chosen there; `sums`
    (3,) float64, to which the covers, nodes and updates that the path represents are added. Writes
    the path to `state`: `search` can resume at its end, and `retreat` can undo it. Returns whether
    the search can take the whole path.
    """
    register, trail, forced, size = state.register, state.trail, state.forced, links.size
    root = np.uint32(0)
    head, tail = np.uint32(register[Register.HEAD]), np.uint32(register[Register.TAIL])
    level, trail_end = np.uint32(0), np.uint32(0)
    weight = 1.0
    is_given = len(draws) == 0
    is_possible = True
    while is_possible and links.R[root] and not (is_given and level == len(nodes)):
        sums[1] += weight
        item, head, is_scanned = choose_item(links, state, head, tail)
        if is_given and items[level] != item:
            is_possible = is_scanned and is_tie(register, size, items[level], item)
            item = items[level] if is_possible else item
        n_branches = size[item]
        if n_branches == 0 or not is_possible:
            is_possible = False
            break
        state.head[level], state.item_mark[level] = head, trail_end
        detach(links, item)
        tail, trail_end, _ = cover(links, colors, item, root, 0, forced, tail, trail, trail_end)
        state.tail[level], state.option_mark[level] = tail, trail_end
        start = trail_end
        sums[2] += weight * (start - state.item_mark[level] + 1)
        weight *= n_branches
        option = links.D[item]
        if is_given:
            while option != nodes[level] and option != item:
                option = links.D[option]
            if option == item:
                is_possible = False
                break
        else:
            for _ in range(int(draws[level] * n_branches)):
                option = links.D[option]
        tail, trail_end, n_committed, smallest = try_option(
            links, colors, option, None, forced, tail, trail, trail_end
        )
        is_possible = smallest > 0
        sums[2] += weight * (n_committed + (trail_end - start))
        state.choice[level] = option
        level = np.uint32(level + 1)
    if is_possible:
        sums[0] += weight
    register[Register.LEVEL], register[Register.TRAIL_END] = level, trail_end
    if is_given:
        register[Register.HEAD], register[Register.TAIL] = head, tail
    return is_possible and (level == len(nodes) or not is_given)


class SubtreeX(LinkedSubtree):
    """Algorithm X on a problem without multiplicities."""

    groups: tuple[Links, Colors | None, SearchState]
    kernel = staticmethod(search)
    list_branches = staticmethod(list_branches)
    retreat = staticmethod(retreat)
    descend = staticmethod(descend)

    @classmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "Self":
        """Return the whole tree, unexplored. Raises as `link_problem` does."""
        links, colors = link_problem(problem)
        return cls((links, colors, start(links, rule)), problem.indptr)

    def _steps(self) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        choice = self.groups[2].choice[: self.register[Register.LEVEL]]
        return self.links.column[choice] - 1, choice

    def _untried(self, level: int) -> NDArray[np.integer]:
        D = self.links.D
        node = self.groups[2].choice[level]
        nodes = []
        while (node := D[node]) >= len(self.links.size):
            nodes.append(node)
        return np.array(nodes, np.uint32)

    def _keep_untried(self, level: int, begin: int, end: int) -> None:
        """Keep a part of the untried options of a level.

        The item is covered while its options are tried, so nothing else reads its list.
        """
        links, choice, register = self.links, self.groups[2].choice, self.register
        nodes = [choice[level]]
        for _ in range(end):
            nodes.append(links.D[nodes[-1]])
        tried, kept = nodes[1 : begin + 1], nodes[begin + 1 :]
        nodes = [links.U[nodes[0]], *tried, nodes[0], *kept, links.column[nodes[0]]]
        links.D[nodes[:-1]], links.U[nodes[1:]] = nodes[1:], nodes[:-1]
        following = links.D[choice[: register[Register.LEVEL]]]
        register[Register.OPEN_LEVELS] = np.count_nonzero(following >= len(links.size))
