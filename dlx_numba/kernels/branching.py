"""How step X3 chooses the item to branch on, where it is not simply the smallest."""

import numpy as np

from ..jit.compile import kernel

SMALLEST = 0  # the fewest options left; of several such, the first
LEFTMOST = 1  # the first one active
RANDOM = 2  # the fewest options left; of several such, one at random
SHARP = 3  # an item with one option; else the smallest of the sharp ones; else the smallest

# The registers that belong to it, in `Dance.register`.
CHOOSE = 10  # one of the above
SHARPS = 11  # items up to this one are sharp (Knuth: their names begin with '#')
DRAW = 12  # the last random number, from 1 to PRIME - 1

# Lehmer's generator, with the multiplier of Park and Miller: no product leaves int64.
PRIME, MULTIPLIER = 2**31 - 1, 48271

LAST = 1 << 40  # added to the rank of items that are to be chosen after all others


@kernel
def rank(register, item, size):
    """What X3 minimizes over the active items."""
    if register[CHOOSE] == LEFTMOST:
        return np.int64(item)
    if register[CHOOSE] == SHARP and item > register[SHARPS] and size > 1:
        return LAST + np.int64(size)
    return np.int64(size)


@kernel
def prefers(register, ties):
    """Whether the last of that many items of the same rank is to be chosen."""
    if ties == 1:
        return True
    if register[CHOOSE] != RANDOM:
        return False
    register[DRAW] = register[DRAW] * MULTIPLIER % PRIME
    return register[DRAW] % ties == 0


@kernel
def preferred_item(links, register):
    """The active item of lowest rank; there is one."""
    R, size = links.R, links.size
    best, ties = R[np.uint32(0)], 1
    least = rank(register, best, size[best])
    item = R[best]
    while item:
        its_rank = rank(register, item, size[item])
        if its_rank <= least:
            ties = ties + 1 if its_rank == least else 1
            if prefers(register, ties):
                best = item
            least = its_rank
        item = R[item]
    return best
