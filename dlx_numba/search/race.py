"""Races: methods that take turns by the work that they have done, until one of them wins.

No method is the fastest for all problems, and none is given up, so there is always an answer. Turns
depend on the work, never on the time, so the same method wins for any number of threads.
"""

from collections.abc import Generator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..kernels.subtree import CounterArray
from ..runtime.batches import WorkerThreads

# The thresholds of all races. Work is measured in updates of a search with links.
#
# For first covers, measured on the families of problems of `scripts/peers/first.py`.
#
# The search is alone for FIRST_UPDATES, which suffice for most problems. Then, in each round, each
# method does SLICE_UPDATES of work, except that it pauses while it is ahead. The budgets of
# restarts are multiples of a slice, by Luby's sequence.
FIRST_UPDATES = 1 << 21
SLICE_UPDATES = 1 << 18
RESTART_UPDATES = 4  # the work of a restart itself, for each node of the problem
SHORT_STEPS = 8  # pauses of an examination in a turn of "prices"; 1 if a problem has LARGE nodes
MAX_COST = 99  # of the random costs, without which prices would not guide a search
# Rosters: with multiplicities, prices are better than a search, so they begin earlier, and get
# eight times as much work.
BOUNDED_BITS = 3
MEMO_BYTES = 1 << 28
# Colorings of graphs: symmetries are sought when the other methods have done SYMMETRY_DELAY of
# work, unless the problem has so many nodes that it takes long. A search without symmetries gets
# four times as much work.
SYMMETRY_DELAY = 1 << 20
SYMMETRY_BITS = 2
MAX_SYMMETRY_NODES = 1 << 16
SYMMETRY_UPDATES = 8  # the work of a step that breaks symmetries, for each node of the problem
CONSISTENCY_BITS = 2  # edges with colors: that many times as much work for consistent colors

# For the plan from which a search for the cheapest covers begins, measured on the problems of
# `scripts/peers/plans.py`.
#
# In problems of MIN_NODES, a short search precedes the engines: SHORT_UPDATES find a plan of most
# problems. With totals, an update takes eight times as long. The plan may cost many times more than
# the first one of a branch and bound, which it would only hold up. So it is a plan to be improved
# if PLAN_NODES nodes have yielded none; if there is no plan then, all methods seek one.
MIN_NODES = 1 << 10
SHORT_UPDATES = 1 << 16
SLOW_BITS = 3
PLAN_NODES = 1 << 8

# For counts, measured on the problems of `scripts/measure/counters.py`.
#
# The search pauses after COUNT_UPDATES, and then whenever its work has doubled. A single thread
# does the first SAMPLE_UPDATES, so that the fraction explored by them, and thus the work that the
# search is expected to take, does not depend on the number of threads.
COUNT_UPDATES = 1 << 15
SAMPLE_UPDATES = 1 << 21
# A node takes as long as its updates and NODE_UPDATES more.
NODE_UPDATES = 6
# The memo is tried for as much work as the search has done, or the preparation of the memo takes,
# but at most TRIAL_WORK, if the search is expected to take MIN_REST times more. It continues while
# it is expected to take MIN_SPEEDUP times less than the search. Otherwise, its share of the work of
# the search is the square of its rate of hits, but at least SHARE, and all until TRIAL_WORK if the
# rate is MIN_EARLY_HITS; it is given up if it is still behind after MAX_MEMO_WORK.
TRIAL_WORK = 1 << 19
MIN_REST = 20
MIN_EARLY_HITS = 0.2
MIN_SPEEDUP = 2
SHARE = 1 / 16
MAX_MEMO_WORK = 1 << 26
# While both have explored less than MIN_EXPLORED, the fractions say nothing, because most of the
# tree is found again. The memo continues if its rate of hits is MIN_HITS.
MIN_EXPLORED = 1e-5
MIN_HITS = 1 / 3
# Tilings: a memo with MANY_SUBPROBLEMS in a fixed order is replaced by levels, which take less time
# and memory, unless there are so many branches that its rate of hits is MAX_HITS.
MANY_SUBPROBLEMS = 1 << 20
MAX_HITS = 0.75
# A memo with fewer lookups for each distinct subproblem finds hardly any of them again, whatever
# fraction it seems to have explored: in trees with short and long branches, that is too large.
MIN_LOOKUPS = 1.1
# Latin squares: isomorphic subproblems are sought after MIN_WHOLE_WORK if twice as much is expected
# to follow, and again if a trial finds any. In problems with more than MAX_ISOMORPH_NODES, a step
# would take too long. A level is divided if one of its classes takes MAX_RATIO times the work of
# dividing a class.
MIN_WHOLE_WORK = 3 << 24
MAX_ISOMORPH_NODES = 1 << 15
MAX_RATIO = 5

# For the order of the items in a memo, measured on the problems of `scripts/measure/counting.py`.
#
# In each round, every candidate enters subproblems up to this number, so that each run chooses the
# same order.
ROUNDS = (1 << 15, 1 << 17, 1 << 19)
MAX_ORDER_RATIO = 10  # a candidate that has explored 10 times less than the best one is dropped
SMALLEST_FACTOR = 0.5  # branching on the smallest item takes about twice as long per subproblem
MAX_BITS_APART = 4.0  # a fixed order is not tried if it seems to have 16 times more subproblems
MAX_BITS_FIRST = 20.0  # fixed orders are tried first unless the given one seems to have more


class Turn(NamedTuple):
    """The outcome of a turn."""

    covers: Sequence[list[int]]
    work: int
    is_complete: bool = False  # whether there are no other covers than those of all turns
    counters: CounterArray | int = 0  # unless the method has its own


# Of one method; it ends when the method cannot find more covers
Turns = Generator[Turn, None, None]


class Race:
    """A race of methods that find covers of a connected problem.

    Parameters
    ----------
    turns : mapping of str to generator
        The methods, by their names, in the order in which the covers of a round are taken.
    slice_work : int
        The work of each method in a round.

    Attributes
    ----------
    wanted : int
        The number of covers that the turns of this round seek.
    covers : dict
        The covers found so far, as tuples, in the order of their discovery.
    is_complete : bool
        Whether there are no others.
    method : str
        The method that found the last cover, or the proof that there is none.
    past : ndarray of int64, shape (3,)
        The counters of all turns.
    """

    def __init__(self, turns: Mapping[str, Turns], slice_work: int) -> None:
        self.turns = dict(turns)
        self.wanted = 1
        self.covers: dict[tuple[int, ...], None] = {}
        self.is_complete = False
        self.method = next(iter(turns))
        self.past: CounterArray = np.zeros(3, np.int64)
        self._work = dict.fromkeys(turns, 0)
        self._slice_work = slice_work
        self._budget = 0
        self._round: list[str] = []  # the methods whose turns are not merged
        self._outcomes: dict[str, Turn | None] = {}  # of those that have had their turns

    @property
    def is_impossible(self) -> bool:
        """Whether it is proven that there is no cover."""
        return self.is_complete and not self.covers

    def is_won(self, wanted: int) -> bool:
        """Return whether there are as many covers as are wanted, or no others."""
        return self.is_complete or len(self.covers) >= wanted

    def begin(self, wanted: int) -> None:
        """Give the first method a turn to find covers."""
        self.wanted = wanted
        first = next(iter(self.turns))
        self._merge(first, next(self.turns[first], None))

    def play(self, wanted: int, threads: WorkerThreads) -> None:
        """Give each method a turn to find covers that is not ahead of the others.

        Turns happen in threads, but are merged in the order of the methods until the race is won.
        If it goes on later, because more covers are wanted, the other turns of the round are first.
        A method is ahead if it has done more work than a slice for each round before.
        """
        if not self._round:
            self._round = [method for method in self.turns if self._work[method] <= self._budget]
            self._budget += self._slice_work
            self.wanted = wanted
        methods = tuple(self._round)

        def take(number: int) -> None:
            """Give a method its turn, unless it had one, or the outcomes of those before suffice.

            Methods behind it may have had theirs: `_outcomes` keeps what is not merged yet.
            """
            method = methods[number]
            if method in self._outcomes:
                return
            for outcome in filter(None, map(self._outcomes.get, methods[:number])):
                n_covers = len(self.covers) + len(outcome.covers)
                if n_covers >= wanted:  # some may be the same; sets of many would take long
                    n_covers = len({*self.covers, *map(tuple, outcome.covers)})
                if outcome.is_complete or n_covers >= wanted:  # this turn is not needed
                    return
            turns = self.turns.get(method, iter(()))  # empty after `close`
            self._outcomes[method] = next(turns, None)

        threads.run_parts(take, range(len(methods)))
        for method in methods:
            # The rest of the round waits for the next call if it was stopped or is won.
            if method not in self._outcomes or self.is_won(wanted):
                return
            self._round.remove(method)
            self._merge(method, self._outcomes.pop(method))

    def _merge(self, method: str, outcome: Turn | None) -> None:
        """Add what a turn has found; a method that has ended has no further turn."""
        if outcome is None:
            self.turns.pop(method, None)
            return
        self._work[method] += outcome.work
        self.past = self.past + outcome.counters
        n_known = len(self.covers)
        self.covers.update(dict.fromkeys(map(tuple, outcome.covers)))
        self.is_complete = outcome.is_complete
        if len(self.covers) > n_known or self.is_impossible:
            self.method = method
