"""A recorder of Algorithms X and C: the main loop of the kernel `search`, with its names."""

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
from .narrator_x import NarratorX
from .problem_view import ProblemView
from .record import RecordLimits
from .recorder import Recorder


class RecorderX(Recorder):
    """A recorder of the steps X1 to X8, or C1 to C8 if the problem has colors."""

    narrator: NarratorX
    last_step = "8"

    def __init__(self, view: ProblemView, choose: Branching, limits: RecordLimits) -> None:
        letter = "X" if view.problem.color is None else "C"
        super().__init__(view, NarratorX(view), letter, choose, limits)
        self.head, self.tail = np.uint32(0), np.uint32(self.state.register[Register.TAIL])
        self.open_levels = 0

    def _registers(self) -> dict[int, int]:
        return {
            **super()._registers(),
            Register.HEAD: int(self.head),
            Register.TAIL: int(self.tail),
            Register.OPEN_LEVELS: self.open_levels,
        }

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
            self.open_levels += int(links.size[item] > 1)
            self._cover(item)
            option = np.uint32(D[item])
        else:
            if self.open_levels == 0:
                return self._finish()
            self.level = at = at - 1
            option = np.uint32(self.state.choice[at])
            self._step("8", self.narrator.leave(at, self.chosen[-1]))
            option = self._undo(option)
        self.resume = LEAVE
        while option > n_items:
            self.open_levels -= int(D[option] <= n_items and U[option] > n_items)
            if self._try(option):
                self.state.choice[at] = option
                self.level, self.resume = at + 1, ENTER
                return BUDGET
            option = self._undo(option)
        self._uncover(self.state.item_mark[at])
        self._change(int(option))
        attach(links, option)
        self._close_node("exhausted")
        self._step("7", self.narrator.backtrack(int(option)))
        return BUDGET

    def _choose(self) -> np.uint32:
        """Choose an item (X3)."""
        links, forced, item = self.links, self.state.forced, 0
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
        self._set_item(item)
        if size == 0:
            self._close_node("dead-end")
        self._step(
            "3",
            self.narrator.choose(item, size, was_forced, self.choose == Branching.LEFTMOST),
            item,
        )
        chosen: np.uint32 = np.uint32(item)
        return chosen

    def _cover(self, item: np.uint32) -> None:
        """Cover the chosen item (X4)."""
        state, at = self.state, self.level
        state.head[at], state.item_mark[at] = self.head, self.trail_end
        detach(self.links, item)
        self._change()
        tail, hidden, _ = cover(
            self.links, self.colors, item, np.uint32(0), 0, state.forced, self.tail, state.trail,
            self.trail_end,
        )  # fmt: skip
        self.tail, self.trail_end = np.uint32(tail), np.uint32(hidden)
        state.tail[at], state.option_mark[at] = self.tail, self.trail_end
        self._change(int(item))
        self.updates += int(self.trail_end) - int(state.item_mark[at]) + 1
        hidden_options = self._hidden_since(state.item_mark[at])
        self._step("4", self.narrator.cover(int(item), hidden_options), int(item))

    def _try(self, option: np.uint32) -> bool:
        """Try an option (X5). Return whether every item has options left."""
        links, state, at = self.links, self.state, self.level
        number = self.view.option_of(int(option))
        self._enter_node(number)
        detach_option(links, self.colors, option)
        self._change()
        smallest = 1
        node = np.uint32(links.R[option])
        covered: list[int] = []
        purified: list[int] = []
        self.committed[at] = []
        while node != option and smallest:
            self.updates += 1
            colored = self.colors is not None and self.colors.color[node] != 0
            (purified if colored else covered).append(int(links.column[node]))
            tail, hidden, smallest = commit(
                links, self.colors, node, state.forced, self.tail, state.trail, self.trail_end
            )
            self.tail, self.trail_end = np.uint32(tail), np.uint32(hidden)
            self._commit(int(links.column[node]))
            node = np.uint32(links.R[node])
        self.updates += int(self.trail_end) - int(state.option_mark[at])
        empty = 0
        if not smallest:
            empty = int(links.R[0])
            while links.size[empty]:
                empty = int(links.R[empty])
            self._close_node("dead-end")
        hidden_options = self._hidden_since(state.option_mark[at])
        text = self.narrator.attempt(number, covered, purified, hidden_options, empty)
        self._step("5", text, int(links.column[option]), number)
        return bool(smallest)

    def _undo(self, option: np.uint32) -> np.uint32:
        """Undo an option (X6). Return the next option, or the item itself after its last option."""
        state, at = self.state, self.level
        number = self._leave_node()
        self._uncommit(state.option_mark[at])
        attach_option(self.links, self.colors, option)
        self.head, self.tail = state.head[at], state.tail[at]
        below: np.uint32 = np.uint32(self.links.D[option])
        item = int(self.links.column[option])
        following = -1 if below == item else self.view.option_of(int(below))
        self._step("6", self.narrator.undo(number, item, following), item, number)
        return below
