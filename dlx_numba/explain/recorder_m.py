"""Algorithm M, followed: the loop of `search_multiple`, whose names are those of there."""

import numpy as np

from ..kernels.algorithm_m import Bounds, choose_item, retract, take, tweak, use, ways
from ..kernels.algorithm_x import attach, cover, detach
from ..kernels.branching import Branching
from ..kernels.links import COVERED
from ..kernels.state import BUDGET, ENTER, LEAVE
from .narrator_m import Attempt, Standing, TellerM
from .problem_view import Subject
from .recorder import Recorder

ROOT = np.uint32(0)  # no item to branch on; as an option, the choice to take none


class RecorderM(Recorder):
    """Steps are M1 to M9."""

    say: TellerM
    last_step = "9"

    def __init__(self, subject: Subject, choose: int, limit: int, steps: int) -> None:
        super().__init__(subject, TellerM(subject), "M", choose, limit, steps)

    def _turn(self) -> int:
        links, bounds, dance = self.links, self.bounds, self.dance
        n_items = len(links.size) - 1
        if self.resume == ENTER:
            item = np.uint32(choose_item(links, bounds, dance.register))
            self.looked += len(links.size) >> 3
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
            item, option = dance.head[self.level], dance.choice[self.level]
            option = self._leave(item, option)
        self.resume = LEAVE
        while option > n_items and links.size[item] > 0:
            if links.size[item] < COVERED:
                self._tweak(item, option)
            if self._try(item, option):
                self.resume = ENTER
                break
            option = self._take_back(item, option)
        if option == item and bounds.need[item] <= 0:
            option = ROOT
            self._take_none(item)
            self.resume = ENTER
        if self.resume == ENTER:
            dance.choice[self.level] = option
            self.level += 1
        else:
            self._restore(item)
        return BUDGET

    @property
    def bounds(self) -> Bounds:
        bounds = self.state.bounds
        assert bounds is not None  # else another algorithm would follow the search
        return bounds

    def _standing(self, item: int) -> Standing:
        D, need, room = self.links.D, self.bounds.need, self.bounds.room
        options, node = 0, D[item]
        while node != item:
            options, node = options + 1, D[node]
        its_ways = int(ways(self.links, np.uint32(item)))
        return Standing(item, int(need[item]), int(room[item]), options, its_ways)

    def _active(self) -> list[int]:
        """The items of the list, in its order."""
        found, item = [], int(self.links.R[0])
        while item:
            found.append(item)
            item = int(self.links.R[item])
        return found

    def _choose(self, item: np.uint32) -> bool:
        """M3. Returns whether there is a way to go on with the item."""
        standing = self._standing(int(item))
        at_will = standing.is_at_will()
        others = not at_will and any(self._standing(i).is_at_will() for i in self._active())
        self._ask(int(item))
        if standing.ways <= 0:
            self._seal("dead")
        text = self.say.choose(standing, self.choose == Branching.LEFTMOST, at_will, others)
        self._step("3", text, int(item))
        return standing.ways > 0

    def _prepare(self, item: np.uint32) -> np.uint32:
        """M4. Returns the first option of the item."""
        links, dance, at = self.links, self.dance, self.level
        standing = self._standing(int(item))
        dance.head[at], dance.tail[at], dance.before[at] = item, standing.ways, self.hidden
        if standing.room == 1:
            detach(links, item)
            _, hidden, _ = cover(
                links, self.colors, item, ROOT, 0, dance.forced, ROOT, dance.trail, self.hidden
            )
            self.hidden = np.uint32(hidden)
            self.updates += int(self.hidden) - int(dance.before[at])
        dance.after[at] = self.hidden
        text = self.say.prepare(standing, self._hidden_since(dance.before[at]))
        self._step("4", text, int(item))
        first: np.uint32 = links.D[item]
        return first

    def _tweak(self, item: np.uint32, option: np.uint32) -> None:
        """M5."""
        number = self.subject.option_of(int(option))
        hidden = tweak(self.links, self.colors, option, self.dance.trail, self.hidden)
        self.dance.after[self.level] = self.hidden = np.uint32(hidden)
        use(self.links, self.bounds, item)
        text = self.say.tweak(number, self._standing(int(item)))
        self._step("5", text, int(item), number)

    def _try(self, item: np.uint32, option: np.uint32) -> bool:
        """M6. Returns whether each item is left with as many options as it needs."""
        links, colors, dance = self.links, self.colors, self.dance
        number = self.subject.option_of(int(option))
        self._grow(number)
        start = dance.after[self.level]
        hidden, possible = take(
            links, colors, self.bounds, option, dance.forced, dance.trail, self.hidden
        )
        self.hidden = np.uint32(hidden)
        self.updates += int(self.hidden) - int(start) + 1
        if not possible:
            self._seal("dead")
        text = self.say.attempt(number, self._attempt(option, start, bool(possible)))
        self._step("6", text, int(item), number)
        return bool(possible)

    def _attempt(self, option: np.uint32, start: np.uint32, possible: bool) -> Attempt:
        """What `take` did, told from what it left behind."""
        links, colors, room = self.links, self.colors, self.bounds.room
        used: list[int] = []
        filled: list[int] = []
        purified: list[int] = []
        node = links.R[option]
        while node != option:
            its = int(links.column[node])
            if its < len(room):
                (used if room[its] > 0 else filled).append(its)
            elif colors is None or colors.of[node] == 0:
                filled.append(its)
            elif colors.purifier[its] == node:
                purified.append(its)
            node = links.R[node]
        lacking = 0 if possible else next(i for i in self._active() if links.size[i] == 0)
        return Attempt(used, filled, purified, self._hidden_since(start), lacking)

    def _take_none(self, item: np.uint32) -> None:
        """M6, with no option."""
        self._grow(-1)
        self._step("6", self.say.take_none(int(item)), int(item))

    def _take_back(self, item: np.uint32, option: np.uint32) -> np.uint32:
        """M7. Returns the next option of the item, or the item itself behind the last."""
        number, start = self._shrink(), self.dance.after[self.level]
        links, colors, trail = self.links, self.colors, self.dance.trail
        below: np.uint32 = np.uint32(
            retract(links, colors, self.bounds, item, option, trail, start, self.hidden)
        )
        self.hidden = start
        following = -1 if below == item else self.subject.option_of(int(below))
        tweaked = bool(links.size[item] < COVERED)
        text = self.say.take_back(number, self._standing(int(item)), following, tweaked)
        self._step("7", text, int(item), number)
        return below

    def _restore(self, item: np.uint32) -> None:
        """M8."""
        self._uncover(self.dance.before[self.level])
        if self.links.size[item] >= COVERED:
            attach(self.links, item)
        self._seal("through")
        self._step("8", self.say.restore(int(item)))

    def _leave(self, item: np.uint32, option: np.uint32) -> np.uint32:
        """M9, and M7 where an option was taken. Returns the next one, or the root."""
        if option == ROOT:
            self._step("9", self.say.leave_none(self.level, int(item)))
            self._shrink()
            return option
        self._step("9", self.say.leave(self.level, self.chosen[-1]))
        return self._take_back(item, option)
