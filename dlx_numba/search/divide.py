"""Dividing what is left of a search into many parts."""

from ..links import Ints
from .part import Hand, Part


def divide(parts: list[Part], wanted: int, indptr: Ints, levels: int) -> list[Part]:
    """The parts, the largest split again and again until there are `wanted`, if there can be.

    They stay in the order of the search. Where a part has but one way to go on, it is searched
    until there are more; what is found meanwhile is in `found`.
    """
    hand = Hand(levels)
    parts = list(parts)
    left = {id(part): part.left() for part in parts if not part.is_done}
    while left and len(parts) < wanted:
        place = max(range(len(parts)), key=lambda k: left.get(id(parts[k]), -1.0))
        part = parts[place]
        other = part.split()
        if other is not None:
            parts.insert(place + 1, other)
            left[id(other)] = other.left()
        else:
            part.gather(1, 1, hand, indptr)
        if part.is_done:
            del left[id(part)]
        else:
            left[id(part)] = part.left()
    return parts
