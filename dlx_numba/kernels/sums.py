"""Sums of distinct values: the cages of killers, and the runs of Kakuro."""

from functools import cache, lru_cache
from itertools import combinations


@cache
def sets_with_sum(n: int, size: int, total: int | None) -> tuple[tuple[int, ...], ...]:
    """Return the sets of `size` of the values 1 to n whose sum is `total`; all of them if None.

    >>> sets_with_sum(9, 2, 6)
    ((1, 5), (2, 4))
    """
    if total is None:
        return tuple(combinations(range(1, n + 1), size))
    return tuple(_sets_by_sum(n, size).get(total, ()))


@cache
def _sets_by_sum(n: int, size: int) -> dict[int, list[tuple[int, ...]]]:
    """Return the sets of `size` of the values 1 to n, by their sums."""
    found: dict[int, list[tuple[int, ...]]] = {}
    for values in combinations(range(1, n + 1), size):
        found.setdefault(sum(values), []).append(values)
    return found


@lru_cache(1 << 12)
def masks_of(sets: tuple[tuple[int, ...], ...]) -> list[int]:
    """Return sets of values as bits: value v is bit v - 1.

    Without sets, return the empty one: no cells have its values, so it has no solution.
    """
    return [sum(1 << (value - 1) for value in values) for values in sets] or [0]
