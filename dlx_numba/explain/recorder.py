"""What the recorders of all algorithms do alike: keep steps, tree and covers, and check them.

A recorder does in Python what a kernel of the search does, over the same arrays, by the same
kernels as that; only the loop around them is its own. So that the record is one of the real
search, the real one runs beside it over arrays of its own, and both must agree after each choice.
"""

from abc import ABC, abstractmethod
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..kernels.algorithm_x import start, uncover
from ..kernels.searching import State, advance, start_search
from ..kernels.state import BUDGET, ENTER, EXHAUSTED, LEAVE, SOLUTION, Register
from .narrator import Teller
from .problem_view import Subject
from .record import DONE, FULL, LIMIT, STEPS, Place, Record, RecordError, Step

MOST_CHANGES = 500_000  # cells: some megabytes of a page


def _arrays(state: State) -> dict[str, NDArray[np.integer]]:
    """All that a search changes or follows, by name."""
    named = dict(state.links._asdict())
    if state.colors is not None:
        named["purifier"] = state.colors.purifier
    if state.bounds is not None:
        named.update(state.bounds._asdict())
    return named


class Recorder(ABC):
    """A search in hand, and the record of it so far. The names of registers are the kernels'."""

    last_step: ClassVar[str]  # the number of the step that leaves a level, and may end the search

    def __init__(
        self, subject: Subject, say: Teller, letter: str, choose: int, limit: int, steps: int
    ) -> None:
        self.subject, self.say, self.letter = subject, say, letter
        self.choose, self.limit, self.most_steps = choose, limit, steps
        begin = partial(start, choose=choose)
        self.state = start_search(subject.instance, begin)
        self.links, self.colors, _, self.dance = self.state
        self.named = _arrays(self.state)
        self.real = start_search(subject.instance, begin)
        self.real.dance.register[Register.TARGET] = limit
        self.hidden = np.uint32(0)
        self.level, self.resume = 0, ENTER
        self.solutions = self.nodes = self.updates = 0
        self.looked = 0  # what looking for items counts, where that may end a slice by itself
        self.initial = {name: array.tolist() for name, array in self.named.items()}
        self.seen = {name: array.copy() for name, array in self.named.items()}
        self.steps: list[Step] = []
        self.tree = [Place(-1, -1, 0)]
        self.place = 0
        self.chosen: list[int] = []
        self.covers: list[list[int]] = []
        self.n_changes = 0

    def run(self) -> Record:
        self._step("1", self.say.begin())
        status = BUDGET
        compared = self.updates
        while status == BUDGET and not self._is_full():
            status = self._turn()
            if status != BUDGET or self.updates + self.looked > compared:
                self._compare(status)
                compared, self.looked = self.updates, 0
        ended = {EXHAUSTED: DONE, SOLUTION: LIMIT}.get(status, FULL)
        if len(self.steps) > self.most_steps or (
            status == BUDGET and len(self.steps) == self.most_steps
        ):
            ended = STEPS
            del self.steps[self.most_steps :]
        return Record(
            self.initial,
            self.steps,
            self.tree,
            self.covers,
            self.nodes,
            self.updates,
            ended,
        )

    def _is_full(self) -> bool:
        return len(self.steps) >= self.most_steps or self.n_changes >= MOST_CHANGES

    @abstractmethod
    def _turn(self) -> int:
        """One turn of the kernel's loop. Returns what the kernel would."""

    def _registers(self) -> dict[int, int]:
        """What the registers of the real search must hold."""
        return {
            Register.LEVEL: self.level,
            Register.RESUME: self.resume,
            Register.TRAIL_END: int(self.hidden),
            Register.SOLUTIONS: self.solutions,
            Register.NODES: self.nodes,
            Register.UPDATES: self.updates,
        }

    def _visit(self) -> int:
        """A cover is found."""
        self.resume = LEAVE
        self.solutions += 1
        self.covers.append(sorted(self.chosen))
        self._seal("cover")
        self._step("2", self.say.visit(self.covers[-1]))
        return SOLUTION if self.solutions >= self.limit else BUDGET

    def _finish(self) -> int:
        """There is no level to go back to."""
        self._step(self.last_step, self.say.end(len(self.covers)))
        return EXHAUSTED

    def _grow(self, option: int) -> None:
        """Try an option, or none (-1), at the place where the search stands."""
        if option >= 0:
            self.chosen.append(option)
        self.tree.append(Place(self.place, option, len(self.steps)))
        self.place = len(self.tree) - 1

    def _shrink(self) -> int:
        """Undo `_grow`. Returns the option."""
        option, self.place = self.tree[self.place].option, self.tree[self.place].parent
        if option >= 0:
            self.chosen.pop()
        return option

    def _ask(self, item: int) -> None:
        """Note the item that is chosen where the search stands."""
        here = self.tree[self.place]
        here.item, here.asked = item, len(self.steps)

    def _seal(self, fate: str) -> None:
        self.tree[self.place].fate, self.tree[self.place].sealed = fate, len(self.steps)

    def _uncover(self, start: np.uint32) -> None:
        uncover(self.links, self.dance.trail, start, self.hidden)
        self.hidden = start

    def _hidden_since(self, start: np.uint32) -> list[int]:
        """The options that have nodes which were hidden since."""
        nodes = self.dance.trail[int(start) : int(self.hidden)].tolist()
        return sorted({self.subject.option_of(node) for node in nodes})

    def _step(self, number: str, text: str, item: int = 0, option: int = -1) -> None:
        changes = {}
        for array_name, array in self.named.items():
            seen = self.seen[array_name]
            at = np.flatnonzero(array != seen)
            if len(at):
                changes[array_name] = np.stack([at, array[at]], axis=1).ravel().tolist()
                seen[at] = array[at]
                self.n_changes += len(at)
        chosen = tuple(self.chosen)
        step = Step(self.letter + number, text, item, option, chosen, self.place, changes)
        self.steps.append(step)

    def _compare(self, status: int) -> None:
        """Let the real search go as far, and see that it came to the same."""
        real, mine = self.real.dance, self.dance
        told = advance(*self.real, real.register[Register.UPDATES] + 1)
        agree = told == status
        agree &= all(real.register[name] == value for name, value in self._registers().items())
        for name, array in _arrays(self.real).items():
            agree &= np.array_equal(array, self.named[name])
        for stack in ("choice", "head", "tail", "before", "after"):
            at = slice(self.level)
            agree &= np.array_equal(getattr(real, stack)[at], getattr(mine, stack)[at])
        if not agree:
            raise RecordError(f"after {len(self.steps)} steps the kernel stands elsewhere")
