"""A search, recorded step by step: what each step says, and which cells of the arrays it changed.

The recorder does in Python what `dance.search` does, over the same arrays, by the same kernels;
only the loop around them is its own. So that the record is one of the real search, the real one
runs beside it over arrays of its own, and both must agree after each choice.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..choice import LEFTMOST, SMALLEST
from ..dance import (
    BUDGET,
    ENTER,
    EXHAUSTED,
    HEAD,
    HIDDEN,
    LEAVE,
    LEVEL,
    NODES,
    OPEN,
    RESUME,
    SOLUTION,
    SOLUTIONS,
    TAIL,
    UNLIMITED,
    UPDATES,
    WANTED,
    Dance,
    attach,
    attach_option,
    commit,
    cover,
    detach,
    detach_option,
    search,
    smallest_item,
    start,
    uncover,
)
from ..links import Colors, Links
from .subject import Subject
from .telling import Teller

MOST_CHANGES = 500_000  # cells: some megabytes of a page

# Why a record ends.
DONE, LIMIT, STEPS, FULL = "done", "limit", "steps", "full"


class Step(NamedTuple):
    """What a step did, and where the search stands after it."""

    name: str  # Knuth's, as "X4"
    text: str  # a sentence or two
    item: int  # the item in hand, from 1; 0 if there is none
    chosen: tuple[int, ...]  # the option of each level
    place: int  # in the tree
    changes: dict[str, list[int]]  # by array: an index, its new value, the next index, …


class Place:
    """A node of the search tree: what is left once an option is tried."""

    def __init__(self, parent: int, option: int, born: int) -> None:
        self.parent, self.option, self.born = parent, option, born  # `born`: the step
        self.item, self.asked = 0, 0  # the item that is chosen there, and the step
        self.fate, self.sealed = "", 0  # "cover", "dead" or "through", and the step


class Record(NamedTuple):
    """A recorded search."""

    arrays: dict[str, list[int]]  # as they were before the first step
    steps: list[Step]  # the first of them is X1, which changes nothing
    tree: list[Place]  # its root is the first
    covers: list[list[int]]
    nodes: int
    updates: int
    ended: str  # DONE, LIMIT, STEPS or FULL


class RecordError(AssertionError):
    """The record is not what the kernel did."""


def record_search(
    subject: Subject, *, steps: int = 1000, limit: int | None = None, choose: int = SMALLEST
) -> Record:
    """Record the search for covers until it ends, has found `limit`, or has taken `steps`.

    `choose` is SMALLEST or LEFTMOST. Raises ValueError where an item may be covered more than
    once, and RecordError where the kernel does otherwise.
    """
    if subject.instance.bounds is not None:
        raise ValueError(
            "explain follows Algorithms X and C; items with multiplicities, as here, call for "
            "Algorithm M"
        )
    if choose not in (SMALLEST, LEFTMOST):
        raise ValueError("a record knows the choices smallest and leftmost")
    return _Recorder(subject, choose, UNLIMITED if limit is None else limit, steps).run()


def _arrays(links: Links, colors: Colors | None) -> dict[str, NDArray[np.integer]]:
    """All that a search changes or follows, by name."""
    named = dict(links._asdict())
    if colors is not None:
        named["purifier"] = colors.purifier
    return named


class _Recorder:
    """The loop of `dance.search`; its names are those of there."""

    def __init__(self, subject: Subject, choose: int, limit: int, steps: int) -> None:
        self.subject, self.choose, self.limit, self.most_steps = subject, choose, limit, steps
        self.links, self.colors, *_ = subject.instance.copy()
        self.dance = start(self.links, choose)
        self.named = _arrays(self.links, self.colors)
        self.real_links, self.real_colors, *_ = subject.instance.copy()
        self.real = start(self.real_links, choose)
        self.real.register[WANTED] = limit
        self.head, self.tail = np.uint32(0), np.uint32(self.dance.register[TAIL])
        self.hidden = np.uint32(0)
        self.level, self.resume, self.untried = 0, ENTER, 0
        self.solutions = self.nodes = self.updates = 0
        self.initial = {name: array.tolist() for name, array in self.named.items()}
        self.seen = {name: array.copy() for name, array in self.named.items()}
        self.say = Teller(subject)
        self.steps: list[Step] = []
        self.tree = [Place(-1, -1, 0)]
        self.place = 0
        self.chosen: list[int] = []
        self.covers: list[list[int]] = []
        self.n_changes = 0

    def run(self) -> Record:
        self._step("1", self.say.begin())
        status = BUDGET
        while status == BUDGET and not self._is_full():
            before = self.updates
            status = self._turn()
            if status != BUDGET or self.updates > before:
                self._compare(status)
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

    def _turn(self) -> int:
        """One turn of the loop. Returns what `search` would."""
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
                self._step("8", self.say.end(len(self.covers)))
                return EXHAUSTED
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

    def _visit(self) -> int:
        """X2, where all items are covered."""
        self.resume = LEAVE
        self.solutions += 1
        self.covers.append(sorted(self.chosen))
        self._seal("cover")
        self._step("2", self.say.visit(self.covers[-1]))
        return SOLUTION if self.solutions >= self.limit else BUDGET

    def _choose(self) -> np.uint32:
        """X3."""
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
        here = self.tree[self.place]
        here.item, here.asked = item, len(self.steps)
        if size == 0:
            self._seal("dead")
        self._step("3", self.say.choose(item, size, was_forced, self.choose == LEFTMOST), item)
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
        self.chosen.append(number)
        self.tree.append(Place(self.place, number, len(self.steps)))
        self.place = len(self.tree) - 1
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
        self._step("5", text, int(links.column[option]))
        return bool(smallest)

    def _take_back(self, option: np.uint32) -> np.uint32:
        """X6. Returns the next option of the item, or the item itself behind the last."""
        dance, at = self.dance, self.level
        number = self.chosen.pop()
        self.place = self.tree[self.place].parent
        self._uncover(dance.after[at])
        attach_option(self.links, self.colors, option)
        self.head, self.tail = dance.head[at], dance.tail[at]
        below: np.uint32 = np.uint32(self.links.D[option])
        item = int(self.links.column[option])
        following = -1 if below == item else self.subject.option_of(int(below))
        self._step("6", self.say.take_back(number, item, following), item)
        return below

    def _uncover(self, start: np.uint32) -> None:
        uncover(self.links, self.dance.trail, start, self.hidden)
        self.hidden = start

    def _hidden_since(self, start: np.uint32) -> list[int]:
        """The options that have nodes which were hidden since."""
        nodes = self.dance.trail[int(start) : int(self.hidden)].tolist()
        return sorted({self.subject.option_of(node) for node in nodes})

    def _seal(self, fate: str) -> None:
        self.tree[self.place].fate, self.tree[self.place].sealed = fate, len(self.steps)

    def _step(self, number: str, text: str, item: int = 0) -> None:
        name = ("X" if self.colors is None else "C") + number
        changes = {}
        for array_name, array in self.named.items():
            seen = self.seen[array_name]
            at = np.flatnonzero(array != seen)
            if len(at):
                changes[array_name] = np.stack([at, array[at]], axis=1).ravel().tolist()
                seen[at] = array[at]
                self.n_changes += len(at)
        self.steps.append(Step(name, text, item, tuple(self.chosen), self.place, changes))

    def _compare(self, status: int) -> None:
        """Let the real search go as far, and see that it came to the same."""
        real = self.real.register
        told = search(self.real_links, self.real_colors, self.real, real[UPDATES] + 1)
        mine = {
            LEVEL: self.level,
            RESUME: self.resume,
            HEAD: int(self.head),
            TAIL: int(self.tail),
            HIDDEN: int(self.hidden),
            OPEN: self.untried,
            SOLUTIONS: self.solutions,
            NODES: self.nodes,
            UPDATES: self.updates,
        }
        agree = told == status and all(real[name] == value for name, value in mine.items())
        for name, array in _arrays(self.real_links, self.real_colors).items():
            agree = agree and bool(np.array_equal(array, self.named[name]))
        if not agree or _choices(self.real, self.level) != _choices(self.dance, self.level):
            raise RecordError(f"after {len(self.steps)} steps the kernel stands elsewhere")


def _choices(dance: Dance, level: int) -> list[int]:
    choices: list[int] = dance.choice[:level].tolist()
    return choices
