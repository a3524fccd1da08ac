"""The progress of a search."""

from typing import NamedTuple

from ..runtime.text import plural


class Progress(NamedTuple):
    """The progress of a search.

    Attributes
    ----------
    fraction : float
        Knuth's estimate of the fraction of the tree that has been explored, which assumes that
        all branches of a node lead to subtrees of equal size.
    solutions, nodes, updates : int
        The numbers of covers found, nodes entered and updates so far.
    seconds : float
        The time spent in runs, in seconds.
    choices : tuple of (int, int)
        For each level of the first unfinished subtree, the branch taken (from 1) and the number
        of branches.
    parts : int
        The number of subtrees that remain.
    done : bool
        Whether all solutions have been found and returned.

    Examples
    --------
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
        """The mean speed of the runs so far."""
        return self.updates / self.seconds if self.seconds > 0 else 0.0

    @property
    def depth(self) -> int:
        """The number of levels in `choices`."""
        return len(self.choices)

    @property
    def path(self) -> str:
        """The choices in the notation of Knuth's programs, such as "1/2 1/3"."""
        return " ".join(f"{branch}/{branches}" for branch, branches in self.choices)

    def __str__(self) -> str:
        parts = [f"{100 * self.fraction:.2f} % explored", plural(self.solutions, "cover")]
        if (speed := self.updates_per_second) >= 1e6:
            parts.append(f"{speed / 1e6:.1f} M updates/s")
        elif speed > 0:
            parts.append(f"{speed:,.0f} updates/s")
        return ", ".join([*parts, *[self.path] * bool(self.path)])

    def _repr_html_(self) -> str:
        from ..svg.html import progress_bar  # only notebooks need HTML

        return progress_bar(self.fraction, str(self))
