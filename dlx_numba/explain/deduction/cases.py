"""Options that lead to dead ends in all cases, and what follows from a choice."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.deduce.cases import (
    CANDIDATE,
    LIMIT,
    N_CHOICES,
    N_NODES,
    NONE,
    OPEN,
    REFUTED,
    allocate_cases,
    find_refuted,
)
from ...kernels.deduce.part import Excerpt, remaining_part, take_part
from ...kernels.deduce.remaining import ProblemBitmaps, Remaining, follow, undo
from ...kernels.deduce.steps import MAX_ROUNDS
from ...kernels.memo.explore import Words
from ...kernels.memo.item_order import set_bits
from ...kernels.memo.option_sets import pack_bits
from ...runtime.interrupts import Stop

MAX_CHOICES = 1 << 17  # of a search; the hardest boards of 9×9 take thousands
FEW_ENDS = 4  # options with as few dead ends are sought for the next steps, too


class DeadEnd(NamedTuple):
    """A choice that leaves an item with too few options, or with those of the cases only."""

    option: int
    item: int
    cases: list[DeadEnd]  # one for each option that the item has left
    n_ends: int = 1  # the number of dead ends without cases in this one


class Link(NamedTuple):
    """A choice that follows in a chain: its round, and the option that is left for an item."""

    round: int  # from 1; a choice follows from those of earlier rounds
    item: int
    option: int  # its number in the original problem


class Case(NamedTuple):
    """A dead end with the choices that follow, as far as it depends on them."""

    option: int  # its number in the original problem
    links: list[Link]
    item: int  # has too few options, or distinguishes the cases
    cases: list[Case]

    def all_links(self) -> list[Link]:
        """Return the links of the case and of all cases in it."""
        return sum((case.all_links() for case in self.cases), self.links)

    def all_items(self) -> list[int]:
        """Return the items of the links, the item, and those of the cases."""
        own = [*(link.item for link in self.links), self.item]
        return sum((case.all_items() for case in self.cases), own)


class PartSearch:
    """The search for options of a part of a problem all of whose cases are dead ends.

    Parameters
    ----------
    part
        The part.
    remaining
        What remains of it.
    limit
        The most dead ends of an option. It can be lowered between two of them.

    Attributes
    ----------
    possible
        The options in covers that were found.
    is_cut
        Whether it took too long.
    """

    def __init__(self, part: Excerpt, remaining: Remaining, limit: int) -> None:
        self.part = part
        self.remaining = remaining
        self.limit = limit
        self.possible = np.zeros_like(remaining.available)
        self.is_cut = False
        self._n_choices = 0

    def refuted(self, candidates: Words, stop: Stop) -> Iterator[DeadEnd]:
        """Yield the dead ends of options of a bitmap, in the numbers of the whole problem.

        It ends early, and sets `is_cut`, if it takes too long, or `stop` is true.
        """
        cases = allocate_cases(self.limit, self.possible)
        progress = cases.progress
        status = OPEN
        n_before = self._n_choices
        while status != NONE:
            if stop() or self._n_choices > MAX_CHOICES:
                self.is_cut = True
                return
            status = find_refuted(candidates, self.part.tables, self.remaining, cases)
            self._n_choices = n_before + int(progress[N_CHOICES])
            if status == REFUTED:  # the next call continues with the option after this one
                option = progress[CANDIDATE]
                yield _read_tree(iter(self._name(cases.nodes[: progress[N_NODES]])))
                progress[:N_CHOICES] = 0  # all registers of the examination of the option
                progress[CANDIDATE] = option + 1
                progress[LIMIT] = self.limit  # which the caller may have lowered

    def _name(self, nodes: NDArray[np.int64]) -> list[list[int]]:
        """Return nodes of a tree, each an option, an item and its number of cases, with the numbers
        of the whole problem.
        """
        options, items, n_cases = nodes.T
        return np.stack([self.part.options[options], self.part.rows[items], n_cases], 1).tolist()


class CaseSearch:
    """The search for an option all of whose cases are dead ends, the fewest of all options.

    The limit of dead ends is doubled until there is such an option, or each option is in a cover
    that the search has found.
    """

    def __init__(self, tables: ProblemBitmaps, remaining: Remaining) -> None:
        self._tables = tables
        self._remaining = remaining
        self._is_possible = np.zeros(len(tables.compatible), np.bool_)  # options in covers
        self.is_cut = False  # whether it took too long
        # Options all of whose cases were dead ends for an earlier step, and how many they were
        self._refuted: dict[int, int] = {}

    def find(self, stop: Stop) -> DeadEnd | None:
        """Return the dead end; None if there is none, it takes too long, or `stop` is true."""
        options = np.array(set_bits(self._remaining.available), np.int64)
        items = np.flatnonzero((self._remaining.need > 0) | self._tables.is_multiple)
        totals = np.arange(len(self._remaining.low))
        compatible = self._tables.compatible[options]
        part = take_part(options, items, totals, compatible, self._tables)
        search = PartSearch(part, remaining_part(part, self._remaining), 2)  # as `_search` begins
        [search.possible] = pack_bits(self._is_possible[np.newaxis, options])
        dead_end = self._search(search, stop)
        self.is_cut = search.is_cut
        self._is_possible[options[set_bits(search.possible)]] = True
        return dead_end

    def _search(self, search: PartSearch, stop: Stop) -> DeadEnd | None:
        """Return the dead end of the fewest cases in what remains, if any.

        An option that was refuted for an earlier step comes first.
        """
        options = search.part.options
        for option, n_ends in sorted(self._refuted.items(), key=itemgetter(1)):
            del self._refuted[option]
            search.limit = n_ends
            [candidates] = pack_bits((options == option)[np.newaxis])
            for dead_end in search.refuted(candidates, stop):
                return dead_end
        smallest = None
        limit = 2
        while smallest is None and np.any(search.remaining.available & ~search.possible):
            search.limit = limit
            for dead_end in search.refuted(search.remaining.available, stop):
                self._refuted[dead_end.option] = dead_end.n_ends  # which the next step tries first
                if smallest is None or dead_end.n_ends < smallest.n_ends:
                    smallest = dead_end
                    # From now on, only options with fewer dead ends are of use; if these are few,
                    # also those with as many, which the next steps need.
                    search.limit = dead_end.n_ends - (dead_end.n_ends > FEW_ENDS)
            if search.is_cut:
                return None
            limit *= 2
        return smallest


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
    """

    def __init__(self, tables: ProblemBitmaps, remaining: Remaining, numbers: list[int]) -> None:
        self.tables = tables
        self.remaining = remaining
        self.numbers = numbers
        self.max_rounds = np.int64(MAX_ROUNDS)
        self.removed_by: dict[int, int] = {}  # the choice that removed an option
        self.item_of: dict[int, int] = {}  # that a choice covers, unless it is an assumption
        self._options_of: dict[int, list[int]] = {}  # of items

    def trace(self, dead_end: DeadEnd, max_rounds: int = MAX_ROUNDS) -> Case:
        """Return the case of a dead end, with chains of some number of rounds at most."""
        self.max_rounds = np.int64(max_rounds)
        return self._trace(dead_end, 0)[0]

    def _trace(self, dead_end: DeadEnd, n_trail: int) -> tuple[Case, set[int]]:
        """Return the case of a dead end, and the choices on which it depends.

        `n_trail` is the length of the trail before its choice, to which the call restores it.
        """
        option = np.uint32(dead_end.option)
        problem = self.tables, self.remaining
        # The choice, and what follows from it, are on the trail up to `end`.
        _, lacking, end = follow(option, self.max_rounds, np.int64(n_trail), *problem)
        # Without cases, the chain finds the item: `Reasoner._describe` does not know it.
        item = dead_end.item if dead_end.cases else int(lacking)
        chosen, removed = self._read_trail(n_trail, int(end))
        rounds = {dead_end.option: 0}  # a choice follows in the round after its last cause
        for choice in chosen:
            causes = self._causes_of(self.item_of[choice])
            rounds[choice] = 1 + max((rounds[k] for k in causes if k in rounds), default=0)
        needed = self._needed_for(item)
        cases: list[Case] = []
        for dead_case in dead_end.cases:
            case, needed_by_case = self._trace(dead_case, int(end))
            cases.append(case)
            needed |= needed_by_case
        links = [Link(rounds[k], self.item_of[k], self.numbers[k]) for k in chosen if k in needed]
        for choice in chosen:  # as before the call
            del self.item_of[choice]
        for removed_option in removed:
            del self.removed_by[removed_option]
        undo(np.int64(n_trail), end, *problem)
        return Case(self.numbers[dead_end.option], sorted(links), item, cases), needed

    def _read_trail(self, begin: int, end: int) -> tuple[list[int], list[int]]:
        """Return the options that were chosen after an assumption, and those that were removed.

        They are read from this part of the trail, whose first entry is the assumption. An entry is
        twice an option, plus 1 if it was chosen. Adds the item that needed each chosen option to
        `item_of`, and the choice that removed each other one to `removed_by`.
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
        if item not in self._options_of:
            self._options_of[item] = set_bits(self.tables.containing[item])
        own = self._options_of[item]
        return {self.removed_by[option] for option in own if option in self.removed_by}

    def _needed_for(self, item: int) -> set[int]:
        """Return the choices that have removed options of an item, directly or by others.

        Assumptions, which no item needed, are left out.
        """
        needed: set[int] = set()
        items = [item]
        while items:
            for choice in self._causes_of(items.pop()) - needed:
                if choice in self.item_of:
                    needed.add(choice)
                    items.append(self.item_of[choice])
        return needed
