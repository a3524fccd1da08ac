"""A part of a search: a state of its own, which can be split again."""

from collections import deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..kernels.algorithm_x import (
    EXHAUSTED,
    FLOOR,
    LEAVE,
    LEVEL,
    NODES,
    OPEN,
    RESUME,
    SOLUTIONS,
    UNLIMITED,
    UPDATES,
    WANTED,
)
from ..kernels.collect import gather
from ..kernels.links import Ints
from ..kernels.searching import State, advance, retreat_to
from .paths import explored, ways_taken

Counters = NDArray[np.int64]

HANDFUL = 1024  # covers that are gathered by one call,
HANDFUL_NODES = 1 << 22  # where their nodes fit into so many


class Hand:
    """Room for the covers that one call gathers: one for each thread."""

    def __init__(self, levels: int) -> None:
        self.most = max(1, min(HANDFUL, HANDFUL_NODES // levels))
        self.nodes = np.empty(self.most * levels, np.int32).view(np.uint32)
        self.ends = np.empty(self.most, np.int64)


@dataclass
class Part:
    """What is left to do of a search, or of a part of it.

    `share` is how much of the whole tree it stands for, `before` how much of that to take off
    since it was not explored here. `found` holds covers that nobody has taken yet.
    """

    state: State
    share: float = 1.0
    before: float = 0.0
    is_done: bool = False
    is_busy: bool = False  # some thread, or task, is at it
    found: deque[list[int]] = field(default_factory=deque)

    def counter(self, register: int) -> int:
        return int(self.state.dance.register[register])

    @property
    def counters(self) -> Counters:
        """The covers found, the nodes and the updates (3,)."""
        return self.state.dance.register[[SOLUTIONS, NODES, UPDATES]]

    def count(self, updates: int, most: int) -> None:
        """Go on for about so many updates, or until so many further covers are counted."""
        register = self.state.dance.register
        register[WANTED] = min(register[SOLUTIONS] + most, UNLIMITED)
        self._note(advance(*self.state, register[UPDATES] + updates))

    def gather(self, updates: int, most: int, hand: Hand, indptr: Ints) -> None:
        """Go on for about so many updates, or until so many further covers are in `found`.

        `indptr` is that of the problem searched: covers are lists of its options.
        """
        first_node = len(self.state.links.size)
        budget = self.state.dance.register[UPDATES] + updates
        most = min(most, hand.most)
        status, covers = gather(*self.state, budget, most, hand.nodes, hand.ends)
        self._note(status)
        if covers:
            at = hand.nodes[: hand.ends[covers - 1]].astype(np.int64) - first_node
            options = (np.searchsorted(indptr, at, side="right") - 1).tolist()
            begin = 0
            for end in hand.ends[:covers].tolist():
                self.found.append(options[begin:end])
                begin = end

    def _note(self, status: int) -> None:
        if status == EXHAUSTED:
            self.is_done, self.state = True, self.state.emptied()

    def explored(self) -> float:
        """How much of the whole tree was explored here."""
        fraction = 1.0 if self.is_done else explored(self.state, ways_taken(self.state))
        return self.share * fraction - self.before

    def left(self) -> float:
        """How much of the whole tree is left to do here."""
        return self.share - self.before - self.explored()

    def split(self) -> "Part | None":
        """Give about half of what is untried at the uppermost level away; None where there is none.

        What is given away comes behind all that stays, in the order of the search; together, both
        do what the part would have done, and count it the same.
        """
        if self.is_done:
            return None
        state = self.state
        taken, of = ways_taken(state)
        floor = self.counter(FLOOR)
        open_levels = np.flatnonzero(taken[floor:] + 1 < of[floor:])
        if not len(open_levels):
            return None
        level = floor + int(open_levels[0])
        untried = int(of[level] - taken[level] - 1)
        is_idle = self.counter(RESUME) == LEAVE and self.counter(LEVEL) == level + 1
        if is_idle and (untried == 1 or state.bounds is not None):
            return None  # that is all there is
        before, left = self.explored(), self.left()
        other = State.copy(state)
        retreat_to(*other, level + 1)
        register = other.dance.register
        register[[SOLUTIONS, NODES, UPDATES]] = 0
        if state.bounds is None:
            given = untried - untried // 2
            _cut(state, other, level, untried - given)
            register[OPEN] = 1
            state.dance.register[OPEN] -= given == untried
        else:  # what is tried depends on what was tried before: all goes
            given = untried
            register[FLOOR] = level
            state.dance.register[FLOOR] = level + 1
        part = Part(other)
        lost = self.share * given / float(np.prod(of[: level + 1], dtype=float))
        self._stand_for(left - lost, before)
        part._stand_for(lost, 0.0)
        return part

    def _stand_for(self, left: float, done: float) -> None:
        """Let what is left to do be so much of the whole tree, and what is explored be `done`."""
        fraction = explored(self.state, ways_taken(self.state))
        self.share = left / (1 - fraction) if fraction < 1 else left
        self.before = self.share * fraction - done

    def make_whole(self) -> None:
        """Let what is left to do be a whole tree, of which nothing is explored."""
        if self.is_done:
            self.share, self.before = 1.0, 0.0
        else:
            self._stand_for(1.0, 0.0)


def _cut(state: State, other: State, level: int, kept: int) -> None:
    """Cut the list of options that a level goes through.

    Of those behind the present one, `state` keeps so many, and `other` gets those behind them.
    An item is covered while its options are tried, so that nothing else goes through the list;
    and neither search ever undoes that level.
    """
    choice = state.dance.choice[level]
    last = choice
    for _ in range(kept):
        last = state.links.D[last]
    first, item = state.links.D[last], state.links.column[choice]
    state.links.D[last], state.links.U[item] = item, last
    other.links.D[choice], other.links.U[first] = first, choice
