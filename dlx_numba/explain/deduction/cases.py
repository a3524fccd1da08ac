"""Options that lead to dead ends in all cases, and what follows from a choice."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from ...kernels.deduce.cases import (
    N_CHOICES,
    N_TRAIL,
    OPEN,
    OPTION,
    REFUTED,
    allocate_cases,
    examine,
)
from ...kernels.deduce.remaining import ProblemBitmaps, Remaining, follow, undo
from ...kernels.memo.item_order import set_bits
from ...runtime.interrupts import Stop

MAX_CHOICES = 1 << 17  # of a search; the hardest boards of 9×9 take thousands
FEW_ENDS = 4  # options with as few dead ends are sought for the next steps, too


class DeadEnd(NamedTuple):
    """A choice that leaves an item with too few options, or with those of the cases only."""

    option: int
    item: int
    cases: list[DeadEnd]
    n_ends: int = 1


class Link(NamedTuple):
    """A choice that follows in a chain: its round, and the option that is left for an item."""

    round: int
    item: int
    option: int


class Case(NamedTuple):
    """A dead end with the choices that follow, as far as it depends on them."""

    option: int
    links: list[Link]
    item: int
    cases: list[Case]

    def all_links(self) -> list[Link]:
        """Return the links of the case and of all cases in it."""
        return sum((case.all_links() for case in self.cases), self.links)

    def all_items(self) -> list[int]:
        """Return the items of the links, the item, and those of the cases."""
        own = [*(link.item for link in self.links), self.item]
        return sum((case.all_items() for case in self.cases), own)


class CaseSearch:
    """The search for an option all of whose cases are dead ends, the fewest of all options.

    The limit of dead ends is doubled until there is such an option, or each option is in a cover
    that the search has found.
    """

    def __init__(self, tables: ProblemBitmaps, remaining: Remaining) -> None:
        self.tables = tables
        self.remaining = remaining
        self.possible = np.zeros_like(remaining.available)  # options in covers
        self.is_cut = False  # whether it took too long
        self._refuted: dict[int, int] = {}  # options that lead to some number of dead ends at most
        self._n_choices = 0

    def find(self, stop: Stop) -> DeadEnd | None:
        """Return the dead end; None if there is none, it takes too long, or `stop` is true."""
        limit = 2
        self._n_choices = 0
        self.is_cut = False
        found = None
        undecided = {*self._undecided()}
        for option, n_ends in sorted(self._refuted.items(), key=itemgetter(1)):
            del self._refuted[option]
            if option in undecided and (known := self._examine(option, n_ends, stop)):
                return known
        while found is None and (options := self._undecided()):
            for option in options:
                dead_end = self._examine(option, limit, stop)
                if self.is_cut:
                    return None
                if dead_end is None:
                    continue
                self._refuted[option] = dead_end.n_ends  # which saves the search for the next step
                if found is None or dead_end.n_ends < found.n_ends:
                    found = dead_end
                    limit = dead_end.n_ends - (dead_end.n_ends > FEW_ENDS)
            limit *= 2
        return found

    def is_refuted(self, option: int, limit: int, stop: Stop) -> bool:
        """Return whether a choice leads to dead ends in all cases, up to some number of them."""
        word, bit = divmod(option, 64)
        is_possible = int(self.possible[word]) >> bit & 1
        return not is_possible and self._examine(option, limit, stop) is not None

    def _undecided(self) -> list[int]:
        return set_bits(self.remaining.available & ~self.possible)

    def _examine(self, option: int, limit: int, stop: Stop) -> DeadEnd | None:
        """Return the dead end of a choice, or None if it has more than `limit`, or a cover."""
        cases = allocate_cases(limit, self.possible)
        progress = cases.progress
        progress[OPTION] = option
        status = OPEN
        while status == OPEN:
            if stop() or self._n_choices > MAX_CHOICES:
                self.is_cut = True
                undo(np.int64(0), progress[N_TRAIL], self.tables, self.remaining)
                return None
            before = progress[N_CHOICES]
            status = examine(limit, self.tables, self.remaining, cases)
            self._n_choices += int(progress[N_CHOICES] - before)
        return _read_tree(iter(cases.nodes.tolist())) if status == REFUTED else None


def _read_tree(nodes: Iterator[list[int]]) -> DeadEnd:
    """Return the dead end that begins at the next node of a tree in preorder."""
    option, item, n_cases = next(nodes)
    cases = [_read_tree(nodes) for _ in range(n_cases)]
    return DeadEnd(option, item, cases, sum(case.n_ends for case in cases) or 1)


class Tracer:
    """The reasons of a dead end: the choices on which it depends.

    Parameters
    ----------
    tables, remaining
        The problem before the first choice.
    numbers
        The number of each option in the original problem.
    max_rounds
        The largest number of rounds of the chain after each choice.
    """

    def __init__(
        self, tables: ProblemBitmaps, remaining: Remaining, numbers: list[int], max_rounds: int
    ) -> None:
        self.tables = tables
        self.remaining = remaining
        self.numbers = numbers
        self.max_rounds = np.int64(max_rounds)
        self.removed_by: dict[int, int] = {}  # the choice that removed an option
        self.item_of: dict[int, int] = {}  # that a choice covers, unless it is an assumption

    def trace(self, dead_end: DeadEnd) -> Case:
        """Return the case of a dead end."""
        return self._trace(dead_end, 0)[0]

    def _trace(self, dead_end: DeadEnd, n_trail: int) -> tuple[Case, set[int]]:
        """Return the case of a dead end, and the choices on which it depends."""
        option = np.uint32(dead_end.option)
        given = self.tables, self.remaining
        _, lacking, end = follow(option, self.max_rounds, np.int64(n_trail), *given)
        item = dead_end.item if dead_end.cases else int(lacking)
        chosen, removed = self._read_trail(n_trail, int(end))
        rounds = {dead_end.option: 0}
        for choice in chosen:
            causes = self._causes_of(self.item_of[choice])
            rounds[choice] = 1 + max((rounds[k] for k in causes if k in rounds), default=0)
        needed = self._needed_for(item)
        cases: list[Case] = []
        for each in dead_end.cases:
            case, others = self._trace(each, int(end))
            cases.append(case)
            needed |= others
        links = [Link(rounds[k], self.item_of[k], self.numbers[k]) for k in chosen if k in needed]
        for choice in chosen:
            del self.item_of[choice]
        for other in removed:
            del self.removed_by[other]
        undo(np.int64(n_trail), end, *given)
        return Case(self.numbers[dead_end.option], sorted(links), item, cases), needed

    def _read_trail(self, begin: int, end: int) -> tuple[list[int], list[int]]:
        """Read what was chosen after an assumption, the first entry, and what was removed.

        An entry is twice an option, plus 1 if it was chosen. Notes the item that needed each chosen
        option, and the choice that removed each other one.
        """
        trail = self.remaining.trail[begin:end].tolist()
        causes = self.remaining.cause[begin:end].tolist()
        last = trail[0] // 2
        removed: list[int] = []
        chosen: list[int] = []
        for entry, cause in zip(trail[1:], causes[1:], strict=True):
            option, is_chosen = divmod(entry, 2)
            if is_chosen:
                last = option
                self.item_of[option] = cause
                chosen.append(option)
            else:
                self.removed_by[option] = last
                removed.append(option)
        return chosen, removed

    def _causes_of(self, item: int) -> set[int]:
        """Return the choices that have removed options of an item."""
        own = set_bits(self.tables.containing[item])
        return {self.removed_by[option] for option in own if option in self.removed_by}

    def _needed_for(self, item: int) -> set[int]:
        """Return the choices that have removed options of an item, directly or by others."""
        needed: set[int] = set()
        items = [item]
        while items:
            for choice in self._causes_of(items.pop()) - needed:
                if choice in self.item_of:
                    needed.add(choice)
                    items.append(self.item_of[choice])
        return needed
