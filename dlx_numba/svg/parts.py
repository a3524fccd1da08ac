"""What all pictures of parts with letters have in common: colours, and where the letters stand."""

from collections.abc import Collection, Hashable, Sequence

from .palette import COLOURS
from .plane import Corner, mean

OUTLINE = 0.06


def colour_parts(marks: Sequence[Collection[Hashable]]) -> list[str]:
    """A colour for each part, another one than those before it with which it shares a mark.

    >>> len(set(colour_parts([{1, 2}, {2, 3}, {3, 4}])))
    3
    """
    chosen: list[str] = []
    for number, own in enumerate(marks):
        first = number % len(COLOURS)
        wished = COLOURS[first:] + COLOURS[:first]
        before = zip(chosen, marks, strict=False)
        taken = {colour for colour, other in before if any(mark in other for mark in own)}
        chosen.append(next((colour for colour in wished if colour not in taken), wished[0]))
    return chosen


def list_letters(letters: Sequence[str]) -> str:
    """How many parts there are, and their letters, for people who cannot see them.

    >>> list_letters(["Y", "X"])
    '2 pieces: X, Y.'
    """
    noun = "piece" if len(letters) == 1 else "pieces"
    return f"{len(letters)} {noun}: {', '.join(sorted(letters))}."


def nearest_to_middle(points: Sequence[Corner]) -> Corner:
    """The one of these points that is nearest to the middle of all."""
    x, y = mean(points)
    return min(points, key=lambda point: (point[0] - x) ** 2 + (point[1] - y) ** 2)
