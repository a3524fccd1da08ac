"""A recorder of Algorithm M: the main loop of the kernel `search_mcc`, with its names."""

import numpy as np

from ..kernels.algorithm_m import (
    Bounds,
    choose_bounded_item,
    count_branches,
    retract,
    tweak,
    use,
)
from ..kernels.algorithm_x import attach, commit, cover, detach
from ..kernels.branching import Branching
from ..kernels.links import COVERED
from ..kernels.state import BUDGET, ENTER, LEAVE
from .narrator_m import Attempt, ItemStatus, NarratorM
from .problem_view import ProblemView
from .record import RecordLimits
from .recorder import Recorder

ROOT = np.uint32(0)  # as an item: nothing to branch on; as an option: no option is tried


class RecorderM(Recorder):
    """A recorder of the steps M1 to M9."""

    narrator: NarratorM
    last_step = "9"

    def __init__(self, view: ProblemView, choose: Branching, limits: RecordLimits) -> None:
        super().__init__(view, NarratorM(view), "M", choose, limits)

    def _iterate(self) -> int:
        links, bounds, state = self.links, self.bounds, self.state
        n_items = len(links.size) - 1
        if self.resume == ENTER:
            item = np.uint32(choose_bounded_item(links, bounds, state.register))
            self.scan_updates += len(links.size) >> 3
            if item == ROOT:
                return self._visit()
            self.nodes += 1
            self.updates += 1
            if not self._choose(item):
                self.resume = LEAVE
                return BUDGET
            option = self._prepare(item)
        else:
            if self.level == 0:
                return self._finish()
            self.level -= 1
            item, option = state.item[self.level], state.choice[self.level]
            option = self._leave(item, option)
        self.resume = LEAVE
        while option > n_items and links.size[item] > 0:
            if links.size[item] < COVERED:
                self._tweak(item, option)
            if self._try(item, option):
                self.resume = ENTER
                break
            option = self._undo(item, option)
        if option == item and bounds.need[item] <= 0:
            option = ROOT
            self._try_none(item)
            self.resume = ENTER
        if self.resume == ENTER:
            state.choice[self.level] = option
            self.level += 1
        else:
            self._restore(item)
        return BUDGET

    @property
    def bounds(self) -> Bounds:
        bounds: Bounds = self.search.groups[2]
        return bounds

    def _status(self, item: int) -> ItemStatus:
        D, need, capacity = self.links.D, self.bounds.need, self.bounds.capacity
        options, node = 0, D[item]
        while node != item:
            options, node = options + 1, D[node]
        branches = int(count_branches(self.links, np.uint32(item)))
        return ItemStatus(item, int(need[item]), int(capacity[item]), options, branches)

    def _active_items(self) -> list[int]:
        """Return the items of the item list, in its order."""
        items, item = [], int(self.links.R[0])
        while item:
            items.append(item)
            item = int(self.links.R[item])
        return items

    def _choose(self, item: np.uint32) -> bool:
        """Branch on the item (M3). Return whether it has any branches."""
        status = self._status(int(item))
        # The kernel chooses an unconstrained item only if no other items are left.
        only_unconstrained = status.is_unconstrained()
        some_unconstrained = not only_unconstrained and any(
            self._status(other).is_unconstrained() for other in self._active_items()
        )
        self._set_item(int(item))
        if status.branches <= 0:
            self._close_node("dead-end")
        leftmost = self.choose == Branching.LEFTMOST
        text = self.narrator.choose(status, leftmost, only_unconstrained, some_unconstrained)
        self._step("3", text, int(item))
        return status.branches > 0

    def _prepare(self, item: np.uint32) -> np.uint32:
        """Prepare to branch on the item (M4). Return its first option."""
        links, state, at = self.links, self.state, self.level
        status = self._status(int(item))
        state.item[at], state.branches[at], state.item_mark[at] = (
            item,
            status.branches,
            self.trail_end,
        )
        if status.capacity == 1:
            detach(links, item)
            self._change()
            _, hidden, _ = cover(
                links, self.colors, item, ROOT, 0, state.forced, ROOT, state.trail, self.trail_end
            )
            self.trail_end = np.uint32(hidden)
            self._change(int(item))
            self.updates += int(self.trail_end) - int(state.item_mark[at])
        state.option_mark[at] = self.trail_end
        text = self.narrator.prepare(status, self._hidden_since(state.item_mark[at]))
        self._step("4", text, int(item))
        first: np.uint32 = links.D[item]
        return first

    def _tweak(self, item: np.uint32, option: np.uint32) -> None:
        """Tweak an option (M5)."""
        number = self.view.option_of(int(option))
        hidden = tweak(self.links, self.colors, option, self.state.trail, self.trail_end)
        self.state.option_mark[self.level] = self.trail_end = np.uint32(hidden)
        use(self.links, self.bounds, item)
        text = self.narrator.tweak(number, self._status(int(item)))
        self._step("5", text, int(item), number)

    def _try(self, item: np.uint32, option: np.uint32) -> bool:
        """Try an option (M6). Return whether every item has enough options left."""
        number = self.view.option_of(int(option))
        self._enter_node(number)
        start = self.state.option_mark[self.level]
        possible = self._take(option)
        self.updates += int(self.trail_end) - int(start) + 1
        if not possible:
            self._close_node("dead-end")
        text = self.narrator.attempt(number, self._attempt(option, start, possible))
        self._step("6", text, int(item), number)
        return possible

    def _take(self, option: np.uint32) -> bool:
        """Choose an option as the kernel `take` does, and record the change for each item."""
        links, colors, bounds, state = self.links, self.colors, self.bounds, self.state
        n_primary = len(bounds.capacity) - 1
        others = []
        node = links.R[option]
        while node != option:
            others.append((node, links.column[node]))
            node = links.R[node]
        for node, item in others:
            if item <= n_primary:
                if not use(links, bounds, item):
                    detach(links, item)
            elif colors is None or colors.color[node] == 0:
                detach(links, item)
        self._change()
        self.committed[self.level] = []
        for node, item in others:
            if item > n_primary or bounds.capacity[item] == 0:
                _, hidden, smallest = commit(
                    links, colors, node, state.forced, ROOT, state.trail, self.trail_end
                )
                self.trail_end = np.uint32(hidden)
                self._commit(int(item))
                if smallest == 0:
                    return False
        return True

    def _attempt(self, option: np.uint32, start: np.uint32, possible: bool) -> Attempt:
        """Return the effects of `take`, which are read from the arrays."""
        links, colors, capacity = self.links, self.colors, self.bounds.capacity
        used: list[int] = []
        filled: list[int] = []
        purified: list[int] = []
        node = links.R[option]
        while node != option:
            item = int(links.column[node])
            if item < len(capacity):
                (used if capacity[item] > 0 else filled).append(item)
            elif colors is None or colors.color[node] == 0:
                filled.append(item)
            elif colors.purifier[item] == node:
                purified.append(item)
            node = links.R[node]
        lacking = 0
        if not possible:
            lacking = next(item for item in self._active_items() if links.size[item] == 0)
        return Attempt(used, filled, purified, self._hidden_since(start), lacking)

    def _try_none(self, item: np.uint32) -> None:
        """Try no further option (M6)."""
        self._enter_node(-1)
        self._step("6", self.narrator.try_none(int(item)), int(item))

    def _undo(self, item: np.uint32, option: np.uint32) -> np.uint32:
        """Undo an option (M7). Return the next option, or the item itself after its last option."""
        number, start = self._leave_node(), self.state.option_mark[self.level]
        links, colors, trail = self.links, self.colors, self.state.trail
        self._uncommit(start)
        below: np.uint32 = np.uint32(
            retract(links, colors, self.bounds, item, option, trail, start, start)
        )
        following = -1 if below == item else self.view.option_of(int(below))
        tweaked = bool(links.size[item] < COVERED)
        text = self.narrator.undo(number, self._status(int(item)), following, tweaked)
        self._step("7", text, int(item), number)
        return below

    def _restore(self, item: np.uint32) -> None:
        """Restore the item (M8)."""
        self._uncover(self.state.item_mark[self.level])
        self._change(int(item))
        if self.links.size[item] >= COVERED:
            attach(self.links, item)
        self._close_node("exhausted")
        self._step("8", self.narrator.restore(int(item)))

    def _leave(self, item: np.uint32, option: np.uint32) -> np.uint32:
        """Return to the level (M9), and undo its option if it has one (M7).

        Return the next option, or the root if there was none.
        """
        if option == ROOT:
            self._step("9", self.narrator.leave_none(self.level, int(item)))
            self._leave_node()
            return option
        self._step("9", self.narrator.leave(self.level, self.chosen[-1]))
        return self._undo(item, option)
