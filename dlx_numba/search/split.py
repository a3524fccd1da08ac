"""Dividing what is left of a search into many parts."""

import heapq
from collections.abc import Callable
from itertools import count

from ..kernels.links import Ints
from ..runtime.interrupts import SLICE
from .subtree import Hand, Part


def divide(
    parts: list[Part], wanted: int, indptr: Ints, levels: int, stop: Callable[[], bool]
) -> list[Part]:
    """The parts, the largest split again and again until there are `wanted`, if there can be.

    They stay in the order of the search. Where a part has but one way to go on, it is searched
    until there are more; what is found meanwhile is in `found`. It ends early if `stop` says so.
    """
    hand = Hand(levels)
    number = count()
    behind: dict[int, list[Part]] = {id(part): [] for part in parts}  # what was split off of each
    left = [(-part.left(), next(number), 1, part) for part in parts if not part.is_done]
    heapq.heapify(left)
    while left and len(behind) < wanted and not stop():
        _, _, updates, part = heapq.heappop(left)
        other = part.split()
        if other is None:
            part.gather(updates, 1, hand, indptr)
            updates = min(2 * updates, SLICE)  # there may be a long way to the next choice
        else:
            updates = 1
            behind[id(part)].append(other)
            behind[id(other)] = []
            heapq.heappush(left, (-other.left(), next(number), 1, other))
        if not part.is_done:
            heapq.heappush(left, (-part.left(), next(number), updates, part))
    ordered: list[Part] = []
    to_go = parts[::-1]
    while to_go:  # what was split off last stands next to the part
        part = to_go.pop()
        ordered.append(part)
        to_go += behind[id(part)]
    return ordered
