"""Langford pairs."""

from ...cover.encode import Formulation
from ...pictures.grid import Grid
from ..parameters import check_range
from ..puzzle import Puzzle


def example(n: int = 8, symmetry: bool = True) -> Puzzle:
    """Arrange 1, 1, 2, 2, ..., n, n so that k numbers separate the two k's.

    Items: each number from 1 to n; each of the 2n places.
    Options: a number k at two places that are k + 1 apart.

    Parameters
    ----------
    n
        The largest number, from 1 to 40.
    symmetry
        Whether to find both a solution and its reversal. If false, the largest odd number, whose
        two places are never symmetric, starts in the left half, which leaves one of the two.

    Notes
    -----
    OEIS A014552 counts the solutions up to reversal. There are none unless n or n + 1 is a
    multiple of 4. See TAOCP 7.2.2.1.

    >>> example(3).count(), example(3, symmetry=False).count()
    (2, 1)
    """
    check_range("n", n, 1, 40)
    numbers = range(1, n + 1)
    places = range(1, 2 * n + 1)
    largest_odd = n - (n + 1) % 2
    # There are 2n - k - 1 pairs of places for number k. Without symmetry, the largest odd number
    # has the first half of them, whose reversals are the others.
    placed = [
        (k, i, i + k + 1)
        for k in numbers
        for i in places[: (2 * n - k - 1) // (1 if k != largest_odd or symmetry else 2)]
    ]
    options = {
        f"{k} at {i} and {j}": [("number", k), ("place", i), ("place", j)] for k, i, j in placed
    }
    items = [*(("number", k) for k in numbers), *(("place", i) for i in places)]
    marks = [(((1, i), str(k)), ((1, j), str(k))) for k, i, j in placed]
    picture = Grid("Langford pairs", marks, cells=[(1, i) for i in places])
    return Puzzle("Langford pairs", Formulation(options, items, view=picture))
