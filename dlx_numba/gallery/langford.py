"""Langford pairs."""

from dataclasses import dataclass

from .entry import Entry, Statement
from .parameters import check_range


@dataclass(frozen=True)
class Langford(Entry):
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

    >>> Langford(3).cover().count(), Langford(3, symmetry=False).cover().count()
    (2, 1)
    """

    n: int = 8
    symmetry: bool = True

    def __post_init__(self) -> None:
        check_range("n", self.n, 1, 40)

    def statement(self) -> Statement:
        numbers = range(1, self.n + 1)
        options = {
            f"{k} at {i} and {i + k + 1}": [("number", k), ("place", i), ("place", i + k + 1)]
            for k in numbers
            for i in range(1, self._last_start(k) + 1)
        }
        places = [("place", i) for i in range(1, 2 * self.n + 1)]
        return Statement(options, items=[*(("number", k) for k in numbers), *places])

    def _last_start(self, k: int) -> int:
        """Return the last possible place of the first k."""
        last = 2 * self.n - k - 1
        largest_odd = self.n - (self.n + 1) % 2
        return last // 2 if k == largest_odd and not self.symmetry else last

    def text(self, solution: list[int]) -> str:
        number_at: dict[tuple[str, int], int] = {}
        for (_, k), *places in self._chosen(solution):
            number_at |= dict.fromkeys(places, k)
        return " ".join(str(number_at["place", i]) for i in range(1, 2 * self.n + 1))
