"""Algorithms X and C, followed: the loop of `dance.search`, whose names are those of there."""

import numpy as np

from ..kernels.algorithm_x import (
    attach,
    attach_option,
    commit,
    cover,
    detach,
    detach_option,
    smallest_item,
)
from ..kernels.branching import Branching
from ..kernels.state import BUDGET, ENTER, LEAVE, Register
from .narrator_x import TellerX
from .problem_view import Subject
from .recorder import Recorder


class RecorderX(Recorder):
    """Steps are X1 to X8; with colours, C1 to C8."""

    say: TellerX
    last_step = "8"

    def __init__(self, subject: Subject, choose: int, limit: int, steps: int) -> None:
        letter = "X" if subject.instance.colors is None else "C"
        super().__init__(subject, TellerX(subject), letter, choose, limit, steps)
        self.head, self.tail = np.uint32(0), np.uint32(self.dance.register[Register.TAIL])
        self.untried = 0

    def _registers(self) -> dict[int, int]:
        mine = {
            Register.HEAD: int(self.head),
            Register.TAIL: int(self.tail),
            Register.OPEN_LEVELS: self.untried,
        }
        return {**super()._registers(), **mine}

    def _turn(self) -> int:
        links, D, U = self.links, self.links.D, self.links.U
        at = self.level
        n_items = len(links.size) - 1
        if self.resume == ENTER:
            if links.R[0] == 0:
                return self._visit()
            self.nodes += 1
            item = self._choose()
            if links.size[item] == 0:
                self.resume = LEAVE
                return BUDGET
            self.untried += int(links.size[item] > 1)
            self._cover(item)
            option = np.uint32(D[item])
        else:
            if self.untried == 0:
                return self._finish()
            self.level = at = at - 1
            option = np.uint32(self.dance.choice[at])
            self._step("8", self.say.leave(at, self.chosen[-1]))
            option = self._take_back(option)
        self.resume = LEAVE
        while option > n_items:
            self.untried -= int(D[option] <= n_items and U[option] > n_items)
            if self._try(option):
                self.dance.choice[at] = option
                self.level, self.resume = at + 1, ENTER
                return BUDGET
            option = self._take_back(option)
        self._uncover(self.dance.before[at])
        attach(links, option)
        self._seal("through")
        self._step("7", self.say.backtrack(int(option)))
        return BUDGET

    def _choose(self) -> np.uint32:
        """X3."""
        links, forced, item = self.links, self.dance.forced, 0
        was_forced = False
        if self.choose == Branching.LEFTMOST:
            item = int(links.R[0])
        else:
            while self.head < self.tail and item == 0:
                if links.size[forced[self.head]] <= 1:
                    item, was_forced = int(forced[self.head]), True
                self.head = np.uint32(self.head + 1)
        if item == 0:
            item = int(smallest_item(links))
        size = int(links.size[item])
        self._ask(item)
        if size == 0:
            self._seal("dead")
        self._step(
            "3", self.say.choose(item, size, was_forced, self.choose == Branching.LEFTMOST), item
        )
        chosen: np.uint32 = np.uint32(item)
        return chosen

    def _cover(self, item: np.uint32) -> None:
        """X4."""
        dance, at = self.dance, self.level
        dance.head[at], dance.before[at] = self.head, self.hidden
        detach(self.links, item)
        tail, hidden, _ = cover(
            self.links, self.colors, item, np.uint32(0), 0, dance.forced, self.tail, dance.trail,
            self.hidden,
        )  # fmt: skip
        self.tail, self.hidden = np.uint32(tail), np.uint32(hidden)
        dance.tail[at], dance.after[at] = self.tail, self.hidden
        self.updates += int(self.hidden) - int(dance.before[at]) + 1
        since = self._hidden_since(dance.before[at])
        self._step("4", self.say.cover(int(item), since), int(item))

    def _try(self, option: np.uint32) -> bool:
        """X5. Returns whether no item ran empty."""
        links, dance, at = self.links, self.dance, self.level
        number = self.subject.option_of(int(option))
        self._grow(number)
        detach_option(links, self.colors, option)
        smallest = 1
        node = np.uint32(links.R[option])
        covered: list[int] = []
        purified: list[int] = []
        while node != option and smallest:
            self.updates += 1
            colored = self.colors is not None and self.colors.of[node] != 0
            (purified if colored else covered).append(int(links.column[node]))
            tail, hidden, smallest = commit(
                links, self.colors, node, dance.forced, self.tail, dance.trail, self.hidden
            )
            self.tail, self.hidden = np.uint32(tail), np.uint32(hidden)
            node = np.uint32(links.R[node])
        self.updates += int(self.hidden) - int(dance.after[at])
        empty = 0
        if not smallest:
            empty = int(links.R[0])
            while links.size[empty]:
                empty = int(links.R[empty])
            self._seal("dead")
        since = self._hidden_since(dance.after[at])
        text = self.say.attempt(number, covered, purified, since, empty)
        self._step("5", text, int(links.column[option]), number)
        return bool(smallest)

    def _take_back(self, option: np.uint32) -> np.uint32:
        """X6. Returns the next option of the item, or the item itself behind the last."""
        dance, at = self.dance, self.level
        number = self._shrink()
        self._uncover(dance.after[at])
        attach_option(self.links, self.colors, option)
        self.head, self.tail = dance.head[at], dance.tail[at]
        below: np.uint32 = np.uint32(self.links.D[option])
        item = int(self.links.column[option])
        following = -1 if below == item else self.subject.option_of(int(below))
        self._step("6", self.say.take_back(number, item, following), item, number)
        return below
