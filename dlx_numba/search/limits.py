"""When a run of a search is to end."""

from dataclasses import dataclass
from operator import index

from ..kernels.algorithm_x import UNLIMITED
from ..kernels.links import Ints
from ..runtime.interrupts import Stop
from .subtree import Part


@dataclass
class Terms:
    """What a run is asked for: until it has the covers `wanted`, or is stopped, or runs out.

    With `keep`, covers are gathered; else they are only counted.
    """

    stop: Stop
    keep: bool
    wanted: int  # covers
    updates: int  # that may still be made
    counted: int = 0  # covers that the run has found

    def note(self, counters: Ints) -> None:
        """Take note of covers, nodes and updates (3,)."""
        self.counted += int(counters[0])
        self.updates -= int(counters[2])

    def lacks(self, part: Part) -> bool:
        """Whether there is work left in a part that may be asked for."""
        return not part.is_done and len(part.found) < self.wanted

    def are_met(self, parts: list[Part]) -> bool:
        """Whether there are the covers wanted: of the parts in order, up to one that goes on."""
        if not self.keep:
            return self.counted >= self.wanted
        found = 0
        for part in parts:
            found += len(part.found)
            if found >= self.wanted:
                return True
            if not part.is_done:
                return False
        return False

    def are_over(self) -> bool:
        return self.updates <= 0 or self.stop()


def checked(number: int | None, name: str) -> int:
    """A bound as a number; UNLIMITED where there is none. Raises ValueError below 0."""
    if number is None:
        return UNLIMITED
    if index(number) < 0:
        raise ValueError(f"{name} must be 0 or more, or None for no bound, not {number}")
    return min(index(number), UNLIMITED)
