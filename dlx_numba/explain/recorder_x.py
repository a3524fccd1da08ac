"""Record Algorithms X and C: the main loop of the kernel `search`, with the kernel's names."""

import numpy as np

from ..kernels.algorithm_x import (
    BUDGET,
    ENTER,
    HEAD,
    LEAVE,
    OPEN,
    TAIL,
    attach,
    attach_option,
    commit,
    cover,
    detach,
    detach_option,
    smallest_item,
)
from ..kernels.branching import LEFTMOST
from .narrator_x import NarratorX
from .problem_view import ProblemView
from .recorder import Recorder


class RecorderX(Recorder):
    """Record the steps X1 to X8, or C1 to C8 if the problem has colors."""

    narrator: NarratorX
    last_step = "8"

    def __init__(self, view: ProblemView, choose: int, limit: int, max_steps: int) -> None:
        letter = "X" if view.instance.colors is None else "C"
        super().__init__(view, NarratorX(view), letter, choose, limit, max_steps)
        self.head, self.tail = np.uint32(0), np.uint32(self.dance.register[TAIL])
        self.untried = 0

    def _registers(self) -> dict[int, int]:
        mine = {HEAD: int(self.head), TAIL: int(self.tail), OPEN: self.untried}
        return {**super()._registers(), **mine}

    def _iterate(self) -> int:
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
            self._step("8", self.narrator.leave(at, self.chosen[-1]))
            option = self._undo(option)
        self.resume = LEAVE
        while option > n_items:
            self.untried -= int(D[option] <= n_items and U[option] > n_items)
            if self._try(option):
                self.dance.choice[at] = option
                self.level, self.resume = at + 1, ENTER
                return BUDGET
            option = self._undo(option)
        self._uncover(self.dance.before[at])
        attach(links, option)
        self._close_node("exhausted")
        self._step("7", self.narrator.backtrack(int(option)))
        return BUDGET

    def _choose(self) -> np.uint32:
        """Choose an item (X3)."""
        links, forced, item = self.links, self.dance.forced, 0
        was_forced = False
        if self.choose == LEFTMOST:
            item = int(links.R[0])
        else:
            while self.head < self.tail and item == 0:
                if links.size[forced[self.head]] <= 1:
                    item, was_forced = int(forced[self.head]), True
                self.head = np.uint32(self.head + 1)
        if item == 0:
            item = int(smallest_item(links))
        size = int(links.size[item])
        self._set_item(item)
        if size == 0:
            self._close_node("dead-end")
        self._step("3", self.narrator.choose(item, size, was_forced, self.choose == LEFTMOST), item)
        chosen: np.uint32 = np.uint32(item)
        return chosen

    def _cover(self, item: np.uint32) -> None:
        """Cover the chosen item (X4)."""
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
        hidden_options = self._hidden_since(dance.before[at])
        self._step("4", self.narrator.cover(int(item), hidden_options), int(item))

    def _try(self, option: np.uint32) -> bool:
        """Try an option (X5). Return whether every item has options left."""
        links, dance, at = self.links, self.dance, self.level
        number = self.view.option_of(int(option))
        self._enter_node(number)
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
            self._close_node("dead-end")
        hidden_options = self._hidden_since(dance.after[at])
        text = self.narrator.attempt(number, covered, purified, hidden_options, empty)
        self._step("5", text, int(links.column[option]), number)
        return bool(smallest)

    def _undo(self, option: np.uint32) -> np.uint32:
        """Undo an option (X6). Return the next option, or the item itself after its last option."""
        dance, at = self.dance, self.level
        number = self._leave_node()
        self._uncover(dance.after[at])
        attach_option(self.links, self.colors, option)
        self.head, self.tail = dance.head[at], dance.tail[at]
        below: np.uint32 = np.uint32(self.links.D[option])
        item = int(self.links.column[option])
        following = -1 if below == item else self.view.option_of(int(below))
        self._step("6", self.narrator.undo(number, item, following), item, number)
        return below
