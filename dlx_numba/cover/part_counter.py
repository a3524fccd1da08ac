"""Count the covers of a part: by search, with a memo, or isomorphic subproblems once.

What to do next depends on the work so far and on explored fractions, never on the time. So each run
takes the same steps, on any machine and however often it is interrupted. The unit of work is the
time of an update in a long search.
"""

import math
import sys
from concurrent.futures import Executor

from ..kernels.dlx.branching import Branching
from ..kernels.dlx.state import UNLIMITED
from ..kernels.memo.search import Observation
from ..kernels.problem import Problem
from ..kernels.symmetry.isomorphs import IsomorphClasses
from ..runtime.interrupts import Stop
from ..runtime.resources import memory_limit
from ..runtime.text import plural
from ..search.prepared import PreparedProblem
from ..search.search import Search, run_unshared
from .subproblems import MemoPortfolio, describe_memo, preparation_work

COMPARED_ALGORITHMS = ("auto", "links", "bitset")  # with which the method "auto" compares the memo

# The search pauses after FIRST_UPDATES, and then whenever its work has doubled. One thread makes
# the first SAMPLE_UPDATES, so that the fraction explored by them, and thus the work that the search
# is expected to take, does not depend on the number of threads.
FIRST_UPDATES, SAMPLE_UPDATES = 1 << 19, 1 << 21
# A node takes as long as its updates and NODE_UPDATES more: per update, MEAN_WORK if not yet known.
NODE_UPDATES, MEAN_WORK = 6, 1.5
# The memo is tried for TRIAL_WORK if the search is expected to take MIN_REST times more. It
# continues while it is expected to take MIN_SPEEDUP times less than the search. Otherwise, it gets
# SHARE of the work of the search, and it is given up if it is still behind after MAX_MEMO_WORK.
TRIAL_WORK, MIN_REST, MIN_SPEEDUP, SHARE, MAX_MEMO_WORK = 1 << 19, 4, 2, 1 / 16, 1 << 26
# Isomorphic subproblems are looked for after MIN_WHOLE_WORK if twice as much is expected to follow.
# They are looked for again if a trial finds any. In problems with more nodes, a step would take too
# long.
MIN_WHOLE_WORK, MAX_ISOMORPH_NODES, MIN_GAIN = 1 << 26, 1 << 15, 1.01
# A level is divided if that takes less than DIVISION_SHARE of the work to count its classes, which
# is estimated from at least MIN_SAMPLE classes.
DIVISION_SHARE, MIN_SAMPLE = 0.1, 4


class ProblemCounter:
    """A resumable count of the covers of a problem, by a search or with a memo.

    Parameters
    ----------
    problem : PreparedProblem
    method, memory, n_threads, executor, limit
        As for `PartCounter`.

    Attributes
    ----------
    method : {"search", "memo"}
        The method that produced the result, or that is preferred so far.
    can_compare : bool
        Whether the memo may turn out to be faster than the search.
    """

    def __init__(
        self,
        problem: PreparedProblem,
        method: str,
        memory: int | None,
        n_threads: int | None,
        executor: Executor | None,
        limit: int,
    ) -> None:
        self._spec, self._memory, self._limit = problem, memory, limit
        self._n_threads, self._executor = n_threads, executor
        self._search = Search(self._spec)
        self._memo: MemoPortfolio | None = None
        self._past_work = 0.0  # of what is given up
        self._pause = FIRST_UPDATES  # the updates at which the search pauses
        self._memo_pause = math.inf  # the work at which the memo pauses
        self._work_per_update = MEAN_WORK  # of the search
        self._expected_work = math.inf  # of the whole search
        self.search_rest = math.inf  # the work that the search is expected to take until the end
        has_bounds = self._spec.problem.low is not None
        is_compared = method == "auto" and self._spec.algorithm in COMPARED_ALGORITHMS
        self.method, self.can_compare = "search", is_compared and not has_bounds
        if method == "memo":
            if has_bounds:
                raise ValueError("a problem with multiplicities cannot be counted by a memo")
            self.method = method
            self._start_memo()

    @property
    def done(self) -> bool:
        """Whether the covers have been counted."""
        if self._memo is not None and self._memo.is_done:
            return True
        return self._search.done or self._search.solutions >= self._limit

    @property
    def count(self) -> int:
        """The number of covers; before the end, the largest number found so far."""
        memo, found = self._memo, min(self._search.solutions, self._limit)
        if memo is not None:
            found = memo.best.value if memo.is_done else max(found, memo.observation.covers)
        return found

    @property
    def counters(self) -> tuple[int, int]:
        """The numbers of nodes and updates; with a memo, of distinct subproblems and lookups."""
        state = self._preferred()
        if isinstance(state, Search):
            return state.counters()[1:]
        return state.subproblems, state.lookups

    @property
    def order(self) -> str:
        """The rule by which the memo chooses items; "" without a memo."""
        return "" if self._memo is None else self._memo.order

    @property
    def fraction(self) -> float:
        """The explored fraction, assuming that all branches of a node are equally large."""
        state = self._preferred()
        return state.progress.fraction if isinstance(state, Search) else state.explored

    @property
    def work(self) -> float:
        """The work of the search and of the memo so far."""
        return self._other_work + self._work_per_update * self._search.counters()[2]

    @property
    def _other_work(self) -> float:
        """The work of the memo, and of what is given up."""
        return self._past_work + (0 if self._memo is None else self._memo.work)

    @property
    def rest(self) -> float:
        """The work that the faster method is expected to take until the end."""
        return min(self.search_rest, math.inf if self._memo is None else self._memo.expected_work)

    def describe(self, n_covers: int, fraction: float) -> str:
        """Return the progress as a line of text, with what is known about it from elsewhere."""
        state = self._preferred()
        if isinstance(state, Search):
            return str(state.progress._replace(solutions=n_covers, fraction=fraction))
        return describe_memo(state._replace(explored=fraction), n_covers)

    def _preferred(self) -> Search | Observation:
        """Return the search or the state of the memo, whichever is better so far."""
        memo = self._memo
        return self._search if memo is None or self.method == "search" else memo.observation

    def run(self, stop: Stop, max_work: float = math.inf) -> None:
        """Count until the end, until `stop` is set, or up to an amount of work."""
        while not (self.done or stop()) and (rest := max_work - self.work) > 0:
            search, memo = self._search, self._memo
            if memo is not None and memo.work < self._memo_pause:
                memo.run(stop, min(self._memo_pause, memo.work + rest))
                if memo.is_done:
                    self.method = "memo"
                elif memo.work >= self._memo_pause:
                    self._compare(memo)
                continue
            updates = search.counters()[2]
            if self.can_compare and updates >= self._pause:
                self._pause_search(search)
                continue
            is_shared = not self.can_compare or self._pause > SAMPLE_UPDATES
            pause = self._pause if self.can_compare else UNLIMITED
            if max_work < math.inf:
                limit = (max_work - self._other_work) / self._work_per_update
                pause = min(pause, math.ceil(limit))
            run_unshared(
                search,
                stop,
                self._limit - search.solutions,
                collects=False,
                updates=pause - updates,
                n_threads=self._n_threads if is_shared else 1,
                executor=self._executor if is_shared else None,
            )

    def _pause_search(self, search: Search) -> None:
        """Decide whether the search continues, or the memo is tried."""
        if self._pause <= SAMPLE_UPDATES:
            _, nodes, updates = search.counters()
            self._work_per_update = 1 + NODE_UPDATES * nodes / updates
            work, fraction = self._work_per_update * updates, search.progress.fraction
            self._expected_work = work / max(fraction, sys.float_info.min)
        # It may take longer than expected: as long as before, at least.
        nominal_work = self._work_per_update * self._pause
        self.search_rest = max(self._expected_work - nominal_work, nominal_work)
        if self._memo is not None:
            self._memo_pause = SHARE * self._pause
            if self._memo.work < self._memo_pause:
                return
        else:
            problem = self._spec.problem
            trial_work = TRIAL_WORK + preparation_work(problem, problem.n_secondary > 0)
            if self.search_rest >= MIN_REST * trial_work:
                try:
                    self._start_memo()
                    self._memo_pause = TRIAL_WORK
                except ValueError:  # too large
                    self.can_compare = False
                return
        self._pause *= 2

    def _compare(self, memo: MemoPortfolio) -> None:
        """Decide whether the memo continues after a pause."""
        rest, expected = self.search_rest, memo.expected_work
        self.method = "search"
        if MIN_SPEEDUP * expected < rest:
            self.method = "memo"
            self._memo_pause = memo.work + max(TRIAL_WORK, min(memo.work, rest / 4))
        elif expected >= rest and memo.work > MAX_MEMO_WORK:
            self._past_work += memo.work
            self.can_compare, self._memo = False, None
        else:
            self._pause *= 2

    def _start_memo(self) -> None:
        self._memo = MemoPortfolio(self._spec.problem, "auto", memory_limit(self._memory))


class PartCounter:
    """A resumable count of the covers of one part of a problem.

    A count that takes long is divided into isomorphism classes of subproblems if they seem to save
    work. The classes are counted one by one, or divided, level by level, if that takes less work.

    Parameters
    ----------
    part : PreparedProblem
    method, memory, executor, limit
        As for `CoverCounter`.
    n_threads : int or None
        As `choose_threads` returns it.
    """

    def __init__(
        self,
        part: PreparedProblem,
        method: str,
        memory: int | None,
        n_threads: int | None,
        executor: Executor | None,
        limit: int,
    ) -> None:
        self._memory, self._n_threads = memory_limit(memory), n_threads
        self._spec = part
        whole = ProblemCounter(part, method, memory, n_threads, executor, limit)
        # What is being counted, and how often its covers count; replaced as a whole, because other
        # threads read it
        self._current: tuple[ProblemCounter, Problem, int] | None = whole, part.problem, 1
        self._classes: IsomorphClasses | None = None
        self._is_whole, self._is_done = True, False  # whether the whole part is being counted
        self._is_dividing, self._level = False, 0
        self._division_limit = 0.0  # the work after which a trial ends
        is_ordered = part.rule.branching != Branching.SMALLEST
        is_small = len(part.problem.items) <= MAX_ISOMORPH_NODES
        can_divide = whole.can_compare and not is_ordered and is_small
        # The work of the counter after which the classes are divided; of several classes together
        self._budget: float = MIN_WHOLE_WORK if can_divide else math.inf
        self._n_counted, self._past = 0, (0, 0)
        self._least, self._least_fraction = 0, 0.0  # of earlier steps

    @property
    def _whole(self) -> ProblemCounter | None:
        """The counter of the whole part; None if isomorphism classes are counted."""
        is_whole, current = self._is_whole, self._current
        return current[0] if is_whole and current is not None else None

    @property
    def done(self) -> bool:
        """Whether the covers have been counted."""
        whole = self._whole
        return self._is_done if whole is None else whole.done

    @property
    def count(self) -> int:
        """The number of covers; before the end, the largest number found so far."""
        classes = None if self._is_whole else self._classes
        # In this order, because the covers of a class move from one to the other
        found, current = 0 if classes is None else classes.n_covers, self._current
        if current is not None:
            found += current[0].count * current[2]
        self._least = max(self._least, found)
        return self._least

    @property
    def technique(self) -> str:
        """The method of the next step: "search", "memo", or "isomorphism classes"."""
        whole = self._whole
        return "isomorphism classes" if whole is None else whole.method

    @property
    def method(self) -> str:
        """The method that produced the result, or that is preferred so far: "search" or "memo"."""
        return "memo" if self.technique == "memo" else "search"

    @property
    def work(self) -> tuple[int, int]:
        """The numbers of nodes and updates; with a memo, of distinct subproblems and lookups.

        A class that was divided is a node.
        """
        current, (nodes, updates) = self._current, self._past
        if not self._is_whole and self._classes is not None:
            nodes += self._classes.n_divided
        own = (0, 0) if current is None else current[0].counters
        return nodes + own[0], updates + own[1]

    @property
    def order(self) -> str:
        """The rule by which the memo chooses items; "" without a memo."""
        whole = self._whole
        return "" if whole is None else whole.order

    @property
    def fraction(self) -> float:
        """The explored fraction, assuming that all branches of a node are equally large.

        With isomorphism classes, it is the fraction of those known so far. It never decreases.
        """
        whole = self._whole
        if self.done:
            fraction = 1.0
        else:
            fraction = self._n_counted / self._n_known if whole is None else whole.fraction
        self._least_fraction = max(self._least_fraction, fraction)
        return self._least_fraction

    @property
    def _n_known(self) -> int:
        n_classes = 0 if self._classes is None else self._classes.n_classes
        return max(1, self._n_counted + n_classes + (self._current is not None))

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        if (whole := self._whole) is not None:
            return whole.describe(self.count, self.fraction)
        classes = f"{self._n_counted:,} of {self._n_known:,} classes of isomorphic subproblems"
        return f"{100 * self.fraction:.2f} % explored, {plural(self.count, 'cover')}, {classes}"

    def run(self, stop: Stop) -> None:
        """Count until the end, or until `stop` is set."""
        while not (self.done or stop()):
            if self._is_dividing:
                self._divide()
            elif (whole := self._whole) is not None:
                whole.run(stop, self._budget)
                if not (whole.done or whole.work < self._budget):
                    self._start_trial(whole)
            else:
                self._count_class(stop)
            _ = self.count, self.fraction  # what is shown later is no less

    def _count_class(self, stop: Stop) -> None:
        """Count the covers of a class; divide its level if that exceeds the budget."""
        classes = self._classes
        assert classes is not None
        if self._current is None:
            problem, multiplicity = classes.pop()
            # Threads would exceed the budget by their slices.
            n_threads = 1 if self._budget < math.inf else self._n_threads
            prepared = self._spec.replaced(problem=problem)
            arguments = "auto", self._memory, n_threads, None, UNLIMITED
            self._current = ProblemCounter(prepared, *arguments), problem, multiplicity
        counter, problem, multiplicity = self._current
        counter.run(stop, self._budget)
        if not counter.done and counter.work < self._budget:
            return
        nodes, updates = counter.counters
        n_covers = counter.count * multiplicity
        self._least = self.count
        self._past = self._past[0] + nodes, self._past[1] + updates
        self._current = None  # first, so that no thread counts its covers twice
        if counter.done:
            classes.n_covers += n_covers
            self._n_counted += 1
            self._budget += self._class_budget - counter.work
            self._is_done = classes.is_done
        else:
            classes.add(problem, multiplicity)
            self._start_dividing(classes)

    def _start_trial(self, counter: ProblemCounter) -> None:
        """Look for isomorphic subproblems if the count is expected to take long."""
        if counter.rest < 2 * MIN_WHOLE_WORK:
            self._budget *= 2
        else:
            self._classes = self._classes or IsomorphClasses(self._spec.problem)
            work = min(SHARE * counter.rest, MIN_WHOLE_WORK)
            self._division_limit = self._classes.work + work
            self._start_dividing(self._classes)

    def count_classes(self) -> None:
        """Count isomorphism classes from now on."""
        self._classes = self._classes or IsomorphClasses(self._spec.problem)
        self._is_whole, self._current = False, None
        self._is_done = self._classes.is_done
        self._start_dividing(self._classes)

    def _start_dividing(self, classes: IsomorphClasses) -> None:
        self._is_dividing, self._level = True, classes.n_items

    @property
    def _class_budget(self) -> float:
        """The mean work of counting a class above which dividing is better."""
        classes = self._classes
        assert classes is not None
        if classes.nbytes > self._memory:
            return math.inf
        return classes.work / max(1, classes.n_divided) / DIVISION_SHARE

    def _divide(self) -> None:
        """Divide one of the largest classes, or a part of it; end that after a level."""
        classes, whole = self._classes, self._whole
        assert classes is not None
        is_level_divided = classes.divide() and classes.n_items < self._level
        is_full = classes.nbytes > self._memory
        is_over = is_full or (whole is not None and classes.work >= self._division_limit)
        if whole is not None and (is_level_divided or is_over):
            if classes.is_done or classes.gain >= MIN_SPEEDUP * whole.search_rest / whole.rest:
                self.count_classes()
            elif is_over:
                self._is_dividing = False
                self._budget = 2 * self._budget if classes.gain >= MIN_GAIN else math.inf
                return
            else:
                self._start_dividing(classes)
        if self._whole is None:
            self._is_done = classes.is_done
            if is_level_divided or is_full:
                self._is_dividing = False
                self._budget = MIN_SAMPLE * self._class_budget
