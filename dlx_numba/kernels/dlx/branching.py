"""Branching rules: how step X3 (or M3) chooses the item to branch on.

The functions share these parameters:

- `links`: `Links`; `R`, `D` and `size` are read. `item` is uint32.
- `register`: (N_REGISTERS,) int64 or, if items have weights, (N_REGISTERS + 1 + primary items,).
  Random rules advance Register.RANDOM_NUMBER, and weights follow the registers.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from .links import INACTIVE
from .state import N_REGISTERS, Register


class Branching(IntEnum):
    """The branching rules.

    All but LEFTMOST and those of literal searches take an item with one option before any other. A
    literal search notices that an item has no option left only when it chooses that item, as
    programs in the literature do.
    """

    SMALLEST = 0  # the item with the fewest options; the first one in case of a tie
    LEFTMOST = 1  # the first active item
    RANDOM = 2  # the item with the fewest options; a random one in case of a tie
    SHARP = 3  # the sharp item with the fewest options; as SMALLEST if no sharp item is active
    LITERAL_LEFTMOST = 4  # as LEFTMOST, in a literal search
    LITERAL_SMALLEST = 5  # the first item with the fewest options, in a literal search
    WEIGHTED = 6  # the item with the fewest options per failure; only with links, for restarts


_LITERAL = Branching.LITERAL_LEFTMOST, Branching.LITERAL_SMALLEST


class BranchingRule(NamedTuple):
    """A branching rule with its parameters."""

    branching: int = Branching.SMALLEST
    last_sharp: int = 0  # items up to this one, counted from 1, are sharp, or listed by the user
    seed: int = 0  # for RANDOM
    is_consistent: bool = False  # whether colors are kept consistent; see the module `supports`

    @property
    def is_literal(self) -> bool:
        """Whether the search is literal."""
        return self.branching in _LITERAL


# Lehmer's random number generator with the multiplier of Park and Miller: no product exceeds int64.
PRIME = 2**31 - 1
MULTIPLIER = 48271


def set_rule(register: NDArray[np.int64], rule: BranchingRule) -> None:
    """Set the branching rule of a search that has not begun, and its first random number."""
    register[Register.BRANCHING] = rule.branching
    register[Register.LAST_SHARP] = rule.last_sharp
    register[Register.RANDOM_NUMBER] = 1 + rule.seed % (PRIME - 1)


MANY = 1024  # from this number of items on, step X3 compares sizes by blocks, not along the list
BLOCK = 256  # sizes that it compares at a time
# The size of an item is scaled before it is divided by its weight, which is less than the scale.
WEIGHT_BITS = 20
MAX_ITEM_WEIGHT = 1 << 19
LOW_PRIORITY = 1 << 40  # added to the rank of items that are chosen after all others
NO_RANK = 4 * LOW_PRIORITY  # more than any rank


@njit
def item_rank(register, item, size):
    """Return the rank of an active item; step X3 minimizes it.

    `size` is its number of branches, uint32 or int64. Reads Register.BRANCHING and
    Register.LAST_SHARP, and the weight of the item if there are any. An item without a choice has
    its size as its rank, whatever its weight, and whether or not it is sharp.
    """
    if register[Register.BRANCHING] == Branching.WEIGHTED and size > 1:
        most = np.int64(LOW_PRIORITY >> WEIGHT_BITS) - 1  # so that the rank is below LOW_PRIORITY
        return (min(np.int64(size), most) << WEIGHT_BITS) // register[N_REGISTERS + item]
    if register[Register.BRANCHING] == Branching.LEFTMOST:
        return np.int64(item)
    is_sharp = item <= register[Register.LAST_SHARP]
    if register[Register.BRANCHING] == Branching.SHARP and not is_sharp and size > 1:
        return LOW_PRIORITY + np.int64(size)
    return np.int64(size)


@njit
def draw(register, n):
    """Return a random number less than `n`, both int64. Advances Register.RANDOM_NUMBER."""
    number = register[Register.RANDOM_NUMBER] * MULTIPLIER % PRIME
    register[Register.RANDOM_NUMBER] = number
    return number % n


@njit
def wins_tie(register, n_ties):
    """Return whether the item found last replaces the best one of `n_ties` items of equal rank.

    With Branching.RANDOM and WEIGHTED, each of them is chosen with the same probability (reservoir
    sampling); this advances Register.RANDOM_NUMBER. Otherwise the first item wins.
    """
    if n_ties == 1:
        return True
    branching = register[Register.BRANCHING]
    if branching != Branching.RANDOM and branching != Branching.WEIGHTED:
        return False
    return draw(register, n_ties) == 0


@njit
def blame(links, register):
    """Add 1 to the weight of the first active item that has no branches left, if there are weights.

    Writes `register`. Returns the number of items that precede it. The size of such an item is 0 or
    negative, which is more than INACTIVE as uint32. If there is none, the weight of the root
    increases, which nothing reads.
    """
    n_passed = 0
    if register[Register.BRANCHING] != Branching.WEIGHTED:
        return n_passed
    item = links.R[np.uint32(0)]
    while item and 0 < links.size[item] < INACTIVE:
        n_passed += 1
        item = links.R[item]
    if register[N_REGISTERS + item] < MAX_ITEM_WEIGHT:
        register[N_REGISTERS + item] += 1
    return n_passed


@njit
def next_item(links, item, highest):
    """Return the active item after `item` in the list, or 0.

    If there are many items, those of more than `highest` (int64) branches are skipped, and the
    sizes are scanned block by block, because the list is in ascending order. The loop over a block
    is vectorized, so that takes a small fraction of the time of following the list.
    """
    size = links.size
    item = links.R[item]
    if item == 0 or not has_many(links):
        return item
    # Sizes from -INACTIVE, as in Algorithm M, to those of covered secondary items, 2 * INACTIVE and
    # more, are compared after INACTIVE is added: then the unsigned order is the right one.
    limit = np.uint32(min(np.int64(highest), np.int64(INACTIVE) - 1) + INACTIVE)
    while item < len(size):
        if np.uint32(size[item] + INACTIVE) <= limit:
            return item
        block = size[item : item + BLOCK]
        smallest = np.uint32(block[0] + INACTIVE)
        for k in range(len(block)):  # a loop over elements would not be vectorized
            smallest = min(smallest, np.uint32(block[k] + INACTIVE))
        if smallest <= limit:
            while np.uint32(size[item] + INACTIVE) > limit:
                item = np.uint32(item + 1)
            return item
        item = np.uint32(item + len(block))
    return np.uint32(0)


@inlined
def has_many(links):
    """Return whether there are so many items that their sizes are compared by blocks."""
    return len(links.size) > MANY


@inlined
def scan_bits(links, register):
    """Return the binary logarithm of the number of items that are scanned in an update's time.

    Reads Register.BRANCHING: random rules read each of the items that may be the best ones.
    """
    if not has_many(links):
        return 3
    branching = register[Register.BRANCHING]
    return 2 if branching == Branching.RANDOM or branching == Branching.WEIGHTED else 6


@njit
def count_branches(links, item):
    """Return the size of an active item as int64; it is negative if options are missing."""
    size = np.int64(links.size[item])
    return size if size < 1 << 31 else size - (1 << 32)


@inlined
def count_last(links, state, item, n_branches, solutions):
    """Return `n_branches` of an item if each of them is known to be a cover, and 0 otherwise.

    They are if no other item is left. They must be tried if covers are stored, or if the target
    would be reached. Reads `links`, `state.found` and Register.TARGET; `solutions` int64 are the
    covers so far.
    """
    n_left = state.register[Register.TARGET] - solutions
    is_last = links.L[item] == 0 and links.R[item] == 0
    if is_last and len(state.found) == 0 and n_branches < n_left:
        return np.int64(n_branches)
    return np.int64(0)


@njit
def bounded_rank(links, bounds, register, item):
    """Return the rank of an active item, int64; step M3 minimizes it.

    Items whose options can be chosen or omitted freely are chosen last. Reads `bounds`.
    """
    n_branches = count_branches(links, item)
    rank = item_rank(register, item, n_branches)
    # Nothing is needed, so one of the branches chooses no option, and the others are the options
    # left. If the capacity suffices for all of them, each can be chosen or not.
    if bounds.need[item] <= 0 and n_branches - 1 <= bounds.capacity[item]:
        rank += 2 * LOW_PRIORITY  # `item_rank` adds it once to items that are not sharp
    return rank


@njit
def lowest_ranked_item(links, bounds, register):
    """Return the active item of lowest rank, or the root if there is none, and how many were read.

    With `bounds`, which are read, this is step M3, and items that are satisfied and have no option
    are ignored. Advances Register.RANDOM_NUMBER only if there is a choice between branches.
    """
    best = np.uint32(0)
    random_number = register[Register.RANDOM_NUMBER]
    is_random = register[Register.BRANCHING] == Branching.RANDOM
    best_rank = np.int64(NO_RANK)
    n_ties = 0
    n_read = 0
    item = next_item(links, best, best_rank)
    while item:
        n_read += 1
        if bounds is None or links.D[item] != item or bounds.need[item] > 0:
            if bounds is None:
                rank = item_rank(register, item, links.size[item])
            else:
                rank = bounded_rank(links, bounds, register, item)
            if rank <= best_rank:
                n_ties = n_ties + 1 if rank == best_rank else 1
                if wins_tie(register, n_ties):
                    best = item
                best_rank = rank
        highest = best_rank
        if bounds is None:
            # To win, an item must have fewer branches than `best_rank` or, in a random tie, as
            # many: no rank is less than the number of branches. Sharp items come first, so if the
            # best rank includes LOW_PRIORITY, so do those of all later items that have a choice.
            highest = best_rank % LOW_PRIORITY - (not is_random)
        elif register[Register.BRANCHING] == Branching.SMALLEST:
            highest = best_rank - 1  # the others do not win
        item = next_item(links, item, highest)
    if best_rank <= 1:
        register[Register.RANDOM_NUMBER] = random_number
    return best, n_read


@njit
def smallest_item(links):
    """Return the first active item with the fewest options, given that each has at least two."""
    R = links.R
    size = links.size
    best = item = R[np.uint32(0)]
    while item and size[best] > 2:
        if size[item] < size[best]:
            best = item
        item = R[item]
    return best


@njit
def smallest_of_many(links):
    """Return the same item as `smallest_item`.

    As in `next_item`, a loop over the sizes of a block is vectorized. It finds the smallest one, so
    each block is compared only once. The sizes of items that are not active are INACTIVE at least,
    so they never win.
    """
    size = links.size
    best = start = links.R[np.uint32(0)]
    while start < len(size) and size[best] > 2:  # as in `smallest_item`, none has fewer than two
        block = size[start : start + BLOCK]
        smallest = INACTIVE
        for k in range(len(block)):
            smallest = min(smallest, block[k])
        if smallest < size[best]:
            best = start
            while size[best] != smallest:
                best = np.uint32(best + 1)
        start = np.uint32(start + len(block))
    return best


@inlined
def choose_item(links, state, head, tail):
    """X3 [Choose i.] Return the item, the new start of the queue, and whether items were scanned.

    This is the "choose column" of descriptions that speak of a matrix. Items that were
    covered after they were queued are recognized by their size, and skipped. The queue is
    `state.forced` (primary items + 1,) from `head` to `tail`, all uint32.
    """
    size = links.size
    forced = state.forced
    register = state.register
    branching = register[Register.BRANCHING]
    if branching == Branching.LEFTMOST:
        return links.R[np.uint32(0)], head, False
    while head < tail:
        item = forced[head]
        head = np.uint32(head + 1)
        if size[item] <= 1:
            return item, head, False
    if branching == Branching.SMALLEST:
        if has_many(links):
            return smallest_of_many(links), head, True
        return smallest_item(links), head, True
    return lowest_ranked_item(links, None, register)[0], head, True
