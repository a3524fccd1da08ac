"""How far a search is."""

from typing import NamedTuple


class Progress(NamedTuple):
    """How far a search is, and what it did so far.

    `fraction` is Knuth's estimate of how much of the tree is explored: at each node, each way to
    go on counts the same. `seconds` is the time spent in runs. `choices` tells, for each level of
    the part of the search that comes first, which way is taken (from 1) of how many; `depth` is
    their number. `parts` is into how many parts what is left to do is split.

    >>> print(Progress(0.25, 2, 10, 4_000_000, 2.0, ((1, 2), (1, 3)), 1, False))
    25.00 % explored, 2 covers, 2.0 M updates/s, 1/2 1/3
    """

    fraction: float
    solutions: int
    nodes: int
    updates: int
    seconds: float
    choices: tuple[tuple[int, int], ...]
    parts: int
    done: bool

    @property
    def updates_per_second(self) -> float:
        return self.updates / self.seconds if self.seconds > 0 else 0.0

    @property
    def depth(self) -> int:
        return len(self.choices)

    @property
    def path(self) -> str:
        """The choices as Knuth's programs show them: "1/2 1/3"."""
        return " ".join(f"{way}/{ways}" for way, ways in self.choices)

    def __str__(self) -> str:
        return (
            f"{100 * self.fraction:.2f} % explored, {self.solutions:,} "
            f"cover{'s' if self.solutions != 1 else ''}, "
            f"{self.updates_per_second / 1e6:.1f} M updates/s, {self.path}"
        ).rstrip(", ")
