"""Rules of numbers outside the frame, about the cells of a row or a column from there on.

That the values of a line differ is another rule, so here, a place may have any value of a set.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import combinations
from math import comb
from typing import Any, TypeAlias

from ...kernels.sums import sets_with_sum
from .lines import Requirements
from .requirements import Cells, Mask, RuleBoard, alternatives

Clue: TypeAlias = tuple[int, Cells]
Places: TypeAlias = dict[int, Any]  # the values that are possible in some places of a line
# The choices of places for the values that are visible, and as many of these values. There are
# fewer lines than pairs of both.
MAX_SKYLINES = 220


def _sandwiches(n: int, total: int) -> Iterator[Places]:
    """Yield the lines in which the values between 1 and n have a sum."""
    for first, last in combinations(range(n), 2):
        for inside in sets_with_sum(n, last - first - 1, total):
            if 1 not in inside and n not in inside:
                outside = {*range(2, n)}.difference(inside)
                places: Places = {k: inside if first < k < last else outside for k in range(n)}
                yield places | {first: [1, n], last: [1, n]}


def _x_sums(n: int, total: int) -> Iterator[Places]:
    """Yield the lines in which as many values as the first one says have a sum."""
    for size in range(1, n + 1):
        for values in sets_with_sum(n, size, total):
            if size in values:
                inside = {*values} - {size}
                others = {*range(1, n + 1)}.difference(values)
                yield {0: [size], **{k: inside if k < size else others for k in range(1, n)}}


def _skyscrapers(n: int, number: int) -> Iterator[Places]:
    """Yield the lines in which a number of values exceed all values before them.

    `tops` has these values by their places: the first place has one, and the last of them is n.
    """
    if comb(n - 1, number - 1) > MAX_SKYLINES:
        raise ValueError(f"skyscrapers: too many lines of {n} cells show {number} values")
    for places in combinations(range(1, n), number - 1):
        for values in combinations(range(1, n), number - 1):
            tops = dict(zip((0, *places), (*values, n), strict=True))
            top = 0
            line = Places()
            for k in range(n):
                if k in tops and top < k:
                    break  # too few values for the cells before
                top = tops.get(k, top)
                line[k] = [top] if k in tops else {*range(1, top)}.difference(tops.values())
            else:
                yield line


def _numbered_rooms(n: int, value: int) -> Iterator[Places]:
    """Yield the lines whose first value is the place of a value."""
    for room in range(1, n + 1):
        if room > 1 or value == 1:
            yield {0: [room], room - 1: [value]}


@lru_cache
def _lines(clue: Callable[[int, int], Iterator[Places]], n: int, number: int) -> Mask:
    return alternatives(n, n, clue(n, number))


def _clue(
    clue: Clue, board: RuleBoard, lines: Callable[[int, int], Iterator[Places]]
) -> Requirements:
    """Formulate a clue that a line satisfies if it is one of `lines(n, number)`."""
    number, cells = clue
    yield board.choice(cells, _lines(lines, board.n, number))


sandwiches = partial(_clue, lines=_sandwiches)
x_sums = partial(_clue, lines=_x_sums)
skyscrapers = partial(_clue, lines=_skyscrapers)
numbered_rooms = partial(_clue, lines=_numbered_rooms)
