"""How large a search will be, from random paths through its tree.

Knuth, "Estimating the efficiency of backtrack programs" (1975): a path that takes one of d ways at
random stands for d such paths. The mean of many paths is right on average, however few they are,
but where a tree is uneven it takes many to come near.
"""

from typing import NamedTuple

import numpy as np

from ..jit.compile import kernel
from ..kernels.algorithm_m import choose_item as choose_multiple
from ..kernels.algorithm_m import take, tweak, use, ways
from ..kernels.algorithm_x import (
    HEAD,
    HIDDEN,
    LEVEL,
    TAIL,
    choose_item,
    commit,
    cover,
    detach,
    detach_option,
)
from ..kernels.searching import State, retreat_to


class Estimate(NamedTuple):
    """The size of a whole search: means over random paths, and the standard errors of those."""

    samples: int
    solutions: float
    nodes: float
    updates: float
    solutions_error: float
    nodes_error: float
    updates_error: float


@kernel
def probe(links, colors, dance, draws, sums):
    """Follow a random path from the root, as `search` would: `draws` are numbers from 0 to 1.

    Adds the covers, nodes and updates that the path stands for to `sums` (3,).
    """
    register, choice, trail, forced = dance.register, dance.choice, dance.trail, dance.forced
    head, tail, hidden = np.uint32(register[HEAD]), np.uint32(register[TAIL]), np.uint32(0)
    level = np.uint32(0)
    weight = 1.0
    is_possible = True
    while is_possible and links.R[np.uint32(0)]:
        sums[1] += weight
        item, head, _ = choose_item(links, dance, head, tail)
        its_ways = links.size[item]
        if its_ways == 0:
            is_possible = False
            break
        dance.before[level] = hidden
        detach(links, item)
        tail, hidden, _ = cover(links, colors, item, np.uint32(0), 0, forced, tail, trail, hidden)
        start = hidden
        sums[2] += weight * (start - dance.before[level] + 1)
        weight *= its_ways
        option = links.D[item]
        for _ in range(int(draws[level] * its_ways)):
            option = links.D[option]
        detach_option(links, colors, option)
        node = links.R[option]
        while node != option and is_possible:
            sums[2] += weight
            tail, hidden, smallest = commit(links, colors, node, forced, tail, trail, hidden)
            is_possible = smallest > 0
            node = links.R[node]
        if hidden > start:
            sums[2] += weight * (hidden - start)
        choice[level] = option
        level = np.uint32(level + 1)
    if is_possible:
        sums[0] += weight
    register[LEVEL], register[HIDDEN] = level, hidden


@kernel
def probe_multiple(links, colors, bounds, dance, draws, sums):
    """`probe`, as `search_multiple` would."""
    register, forced, trail = dance.register, dance.forced, dance.trail
    hidden, level, root = np.uint32(0), np.uint32(0), np.uint32(0)
    weight = 1.0
    is_possible = True
    item = choose_multiple(links, bounds, register)
    while is_possible and item:
        sums[1] += weight
        sums[2] += weight
        if ways(links, item) <= 0:
            is_possible = False
            break
        its_ways = ways(links, item)
        is_covered = bounds.room[item] == 1
        dance.head[level], dance.before[level] = item, hidden
        if is_covered:
            detach(links, item)
            _, hidden, _ = cover(links, colors, item, root, 0, forced, root, trail, hidden)
            if hidden > dance.before[level]:
                sums[2] += weight * (hidden - dance.before[level])
        weight *= its_ways
        option = links.D[item]
        for _ in range(int(draws[level] * its_ways)):
            if is_covered:
                option = links.D[option]
            else:
                hidden = tweak(links, colors, option, trail, hidden)
                option = links.D[item]
        if option == item:  # none
            dance.choice[level], dance.after[level] = root, hidden
        else:
            if not is_covered:
                hidden = tweak(links, colors, option, trail, hidden)
                use(links, bounds, item)
            dance.choice[level], dance.after[level] = option, hidden
            hidden, is_possible = take(links, colors, bounds, option, forced, trail, hidden)
            sums[2] += weight * (hidden - dance.after[level] + 1)
        level = np.uint32(level + 1)
        item = choose_multiple(links, bounds, register)
    if is_possible:
        sums[0] += weight
    register[LEVEL], register[HIDDEN] = level, hidden


@kernel
def follow(links, colors, bounds, dance, draws, sums):
    """A random path, and back."""
    if bounds is None:
        probe(links, colors, dance, draws, sums)
    else:
        probe_multiple(links, colors, bounds, dance, draws, sums)
    retreat_to(links, colors, bounds, dance, 0)


def estimate_size(state: State, samples: int, seed: int) -> Estimate:
    """The estimate from so many paths of a search that has not yet taken a step."""
    random = np.random.default_rng(seed)
    found = np.zeros((samples, 3))
    for sums in found:
        follow(*state, random.random(len(state.dance.choice)), sums)
    errors = np.full(3, np.inf)
    with np.errstate(all="ignore"):  # a deep tree may have more nodes than a float can tell
        means = found.mean(axis=0)
        if samples > 1 and np.isfinite(means).all():
            errors = found.std(axis=0, ddof=1) / samples**0.5
    return Estimate(samples, *means.tolist(), *errors.tolist())
