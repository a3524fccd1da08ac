"""Find covers that differ in what matters: one of all those that contain the same of some items.

Several methods take turns, because none is always the fastest, and whichever ends first ends all.
One finds all covers, and keeps the first one of each class: by a search or, if that takes long,
from a diagram, which takes less time if many covers have the same subproblems. The other has for
each item that matters a *selector*, an item whose options say how it is covered: with which
color, and how often. It branches on selectors first, and then seeks only one cover, because all
others below this node are of the same class.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ..kernels.cover_array import (
    NONE,
    CoverArray,
    as_array,
    join_covers,
    select_covers,
)
from ..kernels.csr import group, row_of
from ..kernels.memo.search import MemoryLimitError
from ..kernels.problem import select_items
from ..kernels.reduce import exclude_each_other
from ..kernels.subtree import Subtree
from ..runtime.arguments import UNLIMITED
from ..runtime.interrupts import Steps, Stop, unless_stopped
from ..runtime.job import Counters, Work, run
from ..runtime.resources import default_threads, memory_limit
from ..runtime.text import plural
from ..search.finder import CoverFinder
from ..search.splitting import split_subtrees
from .classes import ClassFilter, find_pairs, find_uses
from .diagram_builder import DiagramBuilder
from .iterables import as_names
from .named_problem import NamedProblem
from .selectors import add_selectors

# The updates of a turn: at first, and at most, which takes some 5 ms
FIRST_UPDATES = 1 << 14
SLICE_UPDATES = 1 << 20
CLASS_UPDATES = 1 << 11  # that take as long as the end of a class
MAX_COVERS = 1 << 14  # that are found at a time
# The items that matter in the options of these covers, at most, and how many updates take as long
# as comparing one of them with those of other covers
MAX_VALUES = 1 << 18
VALUE_UPDATES = 8
MAX_USES = 1 << 19  # for which there are selectors: adding them takes half a second
N_PARTS = 8  # of a long search for all covers
DIAGRAM_WORK = 1 << 22  # of a turn of the diagram, which takes as long as those of all parts
DIAGRAM_BYTES = 1 << 28
MIN_EXPLORED = 1e-9  # the fraction of a tree


class DistinctSearch(CoverFinder):
    """The search for one solution of each class.

    Parameters
    ----------
    named : NamedProblem
        The problem.
    distinct : iterable of hashable
        The items, or pairs of an item and a color, in which solutions must differ.

    Raises
    ------
    ValueError
        If an item or a color is unknown.
    """

    def __init__(self, named: NamedProblem, distinct: Iterable[Hashable]) -> None:
        super().__init__()
        self._entries = as_names(distinct, "distinct")
        self._pairs = find_pairs(named.unfixed("distinct").names, self._entries)
        named.selected.reject_literal("find distinct solutions")
        self._named = named
        self._parts: list[Subtree] = []  # of the search for all covers
        self._tree: Subtree | None = None  # of the search for classes
        # Whether the diagram is complete, and whether all of its covers have been listed
        self._has_diagram = self._is_listed = False
        self._turn_updates = FIRST_UPDATES
        self._listing: Iterator[CoverArray]  # of the diagram

    @property
    def done(self) -> bool:
        """Whether one of the methods has found all solutions."""
        if self._is_listed or (self._tree is not None and self._tree.is_done):
            return True
        return bool(self._parts) and all(part.is_done and not part.found for part in self._parts)

    def _prepare(self, stop: Stop) -> Steps[None]:
        """Find what distinguishes solutions, and prepare the methods: a diagram and a search."""
        named = self._named
        self._uses = yield from find_uses(named.problem, named.names.n_listed, self._pairs)
        yield
        self._classes = ClassFilter(self._uses, named.problem.n_options)
        yield
        simplified = _without_marks(named, self._entries, stop)
        yield
        self._spec = simplified.prepare(stop)
        yield
        self._listing = self._list_covers(stop)
        self._parts.append(self._spec.start())

    def counters(self) -> Counters:
        """Return the numbers of solutions, nodes and updates so far."""
        trees = [*self._parts, *([self._tree] if self._tree else [])]
        _, nodes, updates = sum((tree.counters for tree in trees), np.zeros(3, np.int64)).tolist()
        return Counters(self.n_found, nodes, updates)

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        return plural(self.n_found, "distinct solution")

    @property
    def method(self) -> str:
        return "distinct"

    @property
    def n_threads(self) -> int:
        return self._named.workers.n_threads or default_threads()

    def step(self, work: Work) -> None:
        """Prepare the search, or give each method a turn.

        A long search for all covers is divided, so that each part has a turn, until the diagram is
        complete, which then lists the covers. What a turn does depends on the work before it, so
        all numbers of threads find the same solutions.
        """
        stop = work.stop
        parts = self._parts
        if not parts:
            unless_stopped(self._prepare(stop), stop)
            return
        is_long = self._turn_updates == SLICE_UPDATES  # after some turns, each twice the last
        if is_long and len(parts) == 1:
            split_subtrees(parts, parts[:], N_PARTS, self._spec.translation, stop)
        turns = [partial(self._explore_classes, self._class_updates(), stop)]
        if not self._has_diagram:
            explore = partial(self._explore_part, updates=self._turn_updates, stop=stop)
            turns = [*(partial(explore, part) for part in parts), *turns]
        if is_long:
            turns.append(partial(next, self._listing, NONE))  # build the diagram, or list covers
        # Threads take long turns at the same time; of short ones, the first may find enough.
        for parallel_turns in [turns] if is_long else [turns[:1], turns[1:]]:
            for covers in work.threads.results_of(parallel_turns):
                first = self._classes.first(covers or NONE)
                self.add(select_covers(covers or NONE, first), work)
            if self.n_found >= work.until or self.done or stop():
                return
        self._turn_updates = min(2 * self._turn_updates, SLICE_UPDATES)

    def _list_covers(self, stop: Stop) -> Iterator[CoverArray]:
        """Build a diagram, and list its covers. Yields after each turn."""
        memory = min(DIAGRAM_BYTES, memory_limit(self._named.settings.memory))
        try:
            builder = DiagramBuilder(self._spec, self._named, "auto", memory)
            while not builder.done:
                run(builder, Stop(event=stop), builder.work + DIAGRAM_WORK)
                yield NONE
        except (MemoryLimitError, ValueError):
            return  # too large
        self._has_diagram = True
        yield from builder.result._parts(UNLIMITED, stop)
        self._is_listed = not stop()

    def _class_updates(self) -> int:
        """Return the updates of a turn for classes: more if they seem to be found earlier."""
        updates = self._turn_updates
        if self._tree is None or self._has_diagram:
            return updates
        # At least a part's share of a turn, and at most as much as all parts together
        share = _remaining_work(self._parts) / max(1, _remaining_work([self._tree]))
        return int(updates * min(max(share, 1 / N_PARTS), len(self._parts)))

    def _explore_part(self, tree: Subtree, updates: int, stop: Stop) -> CoverArray:
        """Return the covers that some updates find in a part of the search for all covers.

        Comparing them, which the caller does, is work, too, so few are found at a time.
        """
        n_found = 1
        n_values = 1 + self._classes.n_values
        parts: list[CoverArray] = []
        while updates > 0 and n_found and not (tree.is_done or stop()):
            n_covers = min(MAX_COVERS, 1 + MAX_VALUES // (n_values * tree.n_levels))
            n_found, n_used = tree.explore(updates, n_covers, self._spec.translation)
            parts.append(tree.found.take(n_found))
            updates -= n_used + VALUE_UPDATES * n_values * len(parts[-1].options)
        # Those that are left were found when the search was split.
        return join_covers([*parts, tree.found.take(len(tree.found))])

    def _explore_classes(self, updates: int, stop: Stop) -> CoverArray:
        """Return covers that some updates find, one of each class, by a search with selectors.

        Returns none if there are too many uses for selectors, or a call that adds them is stopped.
        """
        if len(self._uses.option) > MAX_USES:
            return NONE
        if self._tree is None:  # the first turn
            selecting = add_selectors(self._named, self._uses, stop)
            if selecting is None:
                return NONE
            self._selecting = selecting
            self._tree = selecting.start_with("links")
        tree = self._tree
        covers: list[list[int]] = []
        n_options = self._named.problem.n_options
        n_selectors = self._uses.n_aspects
        while updates > 0 and not (tree.is_done or stop()):
            n_found, n_used = tree.explore(
                min(updates, SLICE_UPDATES), 1, self._selecting.translation
            )
            updates -= n_used + CLASS_UPDATES
            if n_found and not tree.is_done:
                # The selectors are the first items. Below the last level that branches on one, all
                # covers are of this class.
                levels = np.flatnonzero(tree.steps()[0] < n_selectors)
                tree.undo_from(int(levels[-1]) + 1 if len(levels) else 0)
            # Without the options of selectors, which come last
            covers += [[k for k in cover if k < n_options] for cover in tree.found.take(n_found)]
        return as_array(covers)


def _remaining_work(trees: Sequence[Subtree]) -> float:
    """Return an estimate of the updates of a search until its end."""
    updates = sum(int(tree.counters[2]) for tree in trees)
    explored = min(1.0, sum(tree.explored() for tree in trees))
    return updates * (1 - explored) / max(explored, MIN_EXPLORED)


def _without_marks(named: NamedProblem, entries: Iterable[Hashable], stop: Stop) -> NamedProblem:
    """Return the problem without items that only distinguish its covers.

    These are the secondary items among `entries` that exclude nothing, because all options of such
    an item exclude each other by primary items. The other items keep their numbers. A call that
    `stop` ends keeps more items.
    """
    problem = named.problem
    items: list[int] = []
    # Of a secondary item, 0: it does not count as one that makes options exclude each other.
    limits = np.where(np.arange(problem.n_items) < problem.n_primary, problem.item_high, 0)
    option_of_node = problem.option_of_node()
    by_item, start = group(problem.items, problem.n_items)
    # A pair of an item and a color is no name. Item 0 stands for it, which stays if it is primary,
    # as it mostly is; if it is secondary, it is left out only if it excludes nothing either.
    for item in {named.names.item_numbers.get(entry, 0) for entry in entries}:
        if stop():
            break
        options = option_of_node[row_of(by_item, start, item)]
        if item >= problem.n_primary and exclude_each_other(problem, limits, options):
            items.append(item)
    if not items:
        return named
    kept = np.delete(np.arange(problem.n_items), items)
    left = select_items(problem, kept)
    # `select_items` has renumbered the items: restore the numbers. The rest stay, without options.
    left = left._replace(items=kept[left.items], n_secondary=problem.n_secondary)
    return replace(named, problem=left)
