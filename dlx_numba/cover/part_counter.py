"""Count the covers of a part: by search, with a memo, or with whichever seems faster."""

import math
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from ..jit.monitoring import working_time
from ..kernels.dlx.branching import Branching
from ..kernels.dlx.state import UNLIMITED
from ..kernels.memo.search import Observation
from ..kernels.problem import Problem
from ..kernels.symmetry.isomorphs import IsomorphClasses
from ..runtime.interrupts import Stop
from ..runtime.resources import memory_limit
from ..runtime.text import plural
from ..search.search import Search, run_unshared
from ..search.spec import ExactCoverSpec
from .prepare import Started, start
from .subproblems import MemoPortfolio, describe_memo

COMPARED_ALGORITHMS = ("auto", "links", "bitset")  # with which the method "auto" compares the memo

# How long the search runs before the memo is considered, and how long a trial of the memo takes
SEARCH_SECONDS, TRIAL_SECONDS = 0.02, 0.025
SETUP_SECONDS = 3e-6  # for each element of the problem: the time before the memo starts
MAX_EXTRA_SECONDS = 0.045  # a trial this short is made even if it takes a larger share, ...
MIN_REST = 4  # ... if the search is expected to take longer by this factor
MAX_SHARE = 0.05  # the part of the search time that the memo may take until it pays off
MIN_SPEEDUP = 2.0  # the memo is preferred if its expected time is smaller by this factor
# The memo is abandoned if it is still slower than the search after this time. The search must have
# explored this fraction, so that its expected time is reliable. A trial does not suffice, because
# growing a large table takes much longer.
MEMO_ABANDON_SECONDS, MIN_RELIABLE_FRACTION = 0.5, 0.01
MIN_SECONDS = 1e-9  # the shortest run of a memo, which explores one slice
MIN_UPDATES = 1 << 18  # in the first slice of the search
MIN_SLICE_SHARE = 0.1  # of the time of the search so far that a slice takes

# Isomorphic subproblems are looked for if a count is expected to take MIN_ISOMORPH_SECONDS more and
# has taken half of that. The trial is short, and ends even earlier if most of the first classes
# contain a single subproblem. In problems with more nodes, a step would take too long between two
# checks of `stop`.
MIN_ISOMORPH_SECONDS, MAX_ISOMORPH_NODES = 1.0, 1 << 15
ISOMORPH_TRIAL_SECONDS, MIN_TRIAL_CLASSES, MIN_GAIN = 0.5, 64, 1.01
# A level is divided if that takes less than DIVISION_SHARE of the time to count its classes, which
# is estimated from at least MIN_SAMPLE classes.
DIVISION_SHARE, MIN_SAMPLE = 0.1, 4


class IsomorphCounter:
    """A resumable count of the covers of a problem that counts isomorphic subproblems once.

    The classes of subproblems are divided, level by level, as long as counting takes much longer.

    Parameters
    ----------
    spec : ExactCoverSpec
        The search of the problem.
    arguments : tuple
        The arguments of `PartCounter` that follow the part.

    Attributes
    ----------
    classes : IsomorphClasses
        The classes that remain, and the number of covers of the others.
    done : bool
        Whether the covers have been counted.
    work : tuple of (int, int)
        The numbers of nodes and updates; a class that was divided is a node.
    """

    def __init__(self, spec: ExactCoverSpec, arguments: tuple[Any, ...]) -> None:
        self._spec, self._arguments = spec, arguments
        self.classes, self.done, self.work = IsomorphClasses(spec.problem), False, (0, 0)
        self._n_counted, self._is_dividing = 0, True
        self._dividing_seconds = 0.0
        self._budget = 0.0  # the seconds left to count classes before they are divided
        self._memory = memory_limit(arguments[1])
        self._part: tuple[PartCounter, Problem, int] | None = None  # that is being counted
        self._least = 0  # the lower bound of `count` so far

    @property
    def count(self) -> int:
        """The number of covers; before the end, a lower bound."""
        found, part = self.classes.n_covers, self._part
        return max(self._least, found if part is None else found + part[0].count * part[2])

    @property
    def fraction(self) -> float:
        """The fraction of the classes known so far that have been counted."""
        n_known = self._n_counted + self.classes.n_classes
        return 1.0 if self.done else self._n_counted / max(1, n_known)

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        found = plural(self.count, "cover")
        classes = f"{self._n_counted:,} of {self._n_counted + self.classes.n_classes:,} classes"
        return f"{100 * self.fraction:.2f} % explored, {found}, {classes} of isomorphic subproblems"

    def run(self, stop: Stop) -> None:
        """Count until the end, or until `stop` is set."""
        while not (self.done or stop()):
            if self._is_dividing:
                self._divide(stop)
            else:
                self._count(stop)

    def try_dividing(self, stop: Stop, seconds: float, min_gain: float) -> bool:
        """Divide classes for some seconds. Returns whether this leads to a gain."""
        deadline = Stop(seconds)
        while not (self.done or stop() or deadline()) and self.classes.gain < min_gain:
            if self.classes.n_divided >= MIN_TRIAL_CLASSES and self.classes.gain < MIN_GAIN:
                break
            self._is_dividing = True
            self._divide(lambda: stop() or deadline())
        return self.done or self.classes.gain >= min_gain

    def _divide(self, stop: Callable[[], bool]) -> None:
        """Divide the classes of a level."""
        classes, begin, n_items = self.classes, working_time(), self.classes.n_items
        while self._is_dividing and not stop():
            if classes.divide():
                self.done = classes.is_done
                fits = classes.nbytes <= self._memory
                self._is_dividing = classes.n_items == n_items and fits
                nodes, updates = self.work
                self.work = nodes + 1, updates
        self._dividing_seconds += working_time() - begin
        self._budget = MIN_SAMPLE * self._class_budget

    @property
    def _class_budget(self) -> float:
        """The mean time of counting a class above which dividing is better, in seconds."""
        if self.classes.nbytes > self._memory:
            return math.inf
        return self._dividing_seconds / max(1, self.classes.n_divided) / DIVISION_SHARE

    def _count(self, stop: Stop) -> None:
        """Count the covers of a class; divide its level if that takes too long."""
        if self._part is None:
            problem, multiplicity = self.classes.pop()
            part = PartCounter(start(self._spec._replace(problem=problem)), *self._arguments)
            part.can_divide = False
            self._part = part, problem, multiplicity
        part, problem, multiplicity = self._part
        begin = working_time()
        part.run(Stop(max(0.0, self._budget), stop))
        self._budget -= working_time() - begin
        if not part.done and stop():
            return
        self._least = self.count
        self._part = None  # first, so that no thread counts its covers twice
        if part.done:
            self.classes.n_covers += part.count * multiplicity
            self._n_counted += 1
            self._budget += self._class_budget
            self.done = self.classes.is_done
        else:
            self.classes.add(problem, multiplicity)
            self._is_dividing = True
        self.work = self.work[0] + part.work[0], self.work[1] + part.work[1]


class PartCounter:
    """A resumable count of the covers of one part of a problem.

    Parameters
    ----------
    part : Started
        The search of the part.
    method, memory, executor, limit
        As for `CoverCounter`.
    n_threads : int or None
        As `choose_threads` returns it.

    Attributes
    ----------
    method : {"search", "memo"}
        The method that produced the result, or that is preferred so far.
    can_divide : bool
        Whether to look for isomorphic subproblems.
    """

    def __init__(
        self,
        part: Started,
        method: str,
        memory: int | None,
        n_threads: int | None,
        executor: Executor | None,
        limit: int,
    ) -> None:
        spec = self._spec = part.spec
        self._arguments = method, memory, n_threads, executor, limit
        if memory is not None:
            memory_limit(memory)  # raises an exception if it is invalid
        self._memory, self._n_threads = memory, n_threads
        self._executor, self._limit = executor, limit
        self._search: Search | None = None
        self._memo: MemoPortfolio | None = None
        self._isomorphs: IsomorphCounter | None = None
        self._counts_isomorphs = False  # whether they are preferred; then they complete the count
        self._n_found_before = 0  # covers found before the isomorphism classes were preferred
        is_ordered = spec.rule.branching != Branching.SMALLEST
        self.can_divide = not is_ordered and len(spec.problem.items) <= MAX_ISOMORPH_NODES
        self._seconds_searched = 0.0  # without loading or compiling kernels
        if spec.problem.low is not None:
            if method == "memo":
                raise ValueError("a problem with multiplicities cannot be counted by a memo")
            method = "search"
        if method == "memo":
            self._start_memo()
        else:
            self._search = Search(spec, [part.unstarted.copy()])
        self._can_compare = method == "auto" and spec.algorithm in COMPARED_ALGORITHMS
        self._updates = MIN_UPDATES
        self._next_trial = 0.0  # the time of the search at which the memo is tried again
        self.method = "memo" if method == "memo" else "search"

    @property
    def done(self) -> bool:
        """Whether the covers have been counted."""
        search, memo, isomorphs = self._search, self._memo, self._isomorphs
        if isomorphs is not None and isomorphs.done:
            return True
        if memo is not None and memo.is_done:
            return True
        return search is not None and (search.done or search.solutions >= self._limit)

    @property
    def count(self) -> int:
        """The number of covers; before the end, the largest number found so far."""
        search, memo, isomorphs = self._search, self._memo, self._isomorphs
        if memo is not None and memo.is_done:
            return memo.best.value
        found = [self._n_found_before, 0 if search is None else min(search.solutions, self._limit)]
        found.append(0 if isomorphs is None else isomorphs.count)
        return max(*found, 0 if memo is None else memo.best.observation.covers)

    @property
    def work(self) -> tuple[int, int]:
        """The numbers of nodes and updates; with a memo, of distinct subproblems and lookups."""
        state = self._preferred()
        if isinstance(state, Search):
            return state.counters()[1:]
        if isinstance(state, IsomorphCounter):
            return state.work
        return state.subproblems, state.lookups

    @property
    def order(self) -> str:
        """The rule by which the memo chooses items; "" without a memo."""
        return "" if self._memo is None else self._memo.order

    @property
    def fraction(self) -> float:
        """The explored fraction, assuming that all branches of a node are equally large."""
        state = self._preferred()
        if isinstance(state, IsomorphCounter):
            return state.fraction
        return state.progress.fraction if isinstance(state, Search) else state.explored

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        state = self._preferred()
        if isinstance(state, Observation):
            return describe_memo(state, self.count)
        return str(state.progress if isinstance(state, Search) else state)

    def _preferred(self) -> Search | Observation | IsomorphCounter:
        """Return the search, the state of the memo or the isomorphism classes: the best so far."""
        search, memo = self._search, self._memo  # at least one of them, in this order
        if self._isomorphs is not None and self._counts_isomorphs:
            return self._isomorphs
        if memo is not None and (search is None or self.method == "memo"):
            return memo.best.observation
        assert search is not None
        return search

    def run(self, stop: Stop) -> None:
        """Count until the end, or until `stop` is set."""
        while not (self.done or stop()):
            if self._isomorphs is not None and self._counts_isomorphs:
                self._isomorphs.run(stop)
            elif self._search is None:
                assert self._memo is not None
                self._memo.run(stop)
            elif self._can_compare and self._should_try_memo():
                self.try_memo(stop)
            else:
                begin = working_time()
                run_unshared(
                    self._search,
                    stop,
                    self._limit - self._search.solutions,
                    collects=False,
                    updates=self._updates if self._can_compare else UNLIMITED,
                    n_threads=self._n_threads,
                    executor=self._executor,
                )
                elapsed = working_time() - begin
                self._seconds_searched += elapsed
                # Slices grow with the search, because each starts threads.
                if elapsed < max(SEARCH_SECONDS / 2, MIN_SLICE_SHARE * self._seconds_searched):
                    self._updates *= 2

    def _should_try_memo(self) -> bool:
        """Return whether the time that a trial of the memo takes is small enough."""
        assert self._search is not None
        if self._seconds_searched < max(SEARCH_SECONDS, self._next_trial):
            return False
        if self._memo is not None:
            return True
        problem = self._spec.problem
        cost = TRIAL_SECONDS + SETUP_SECONDS * len(problem.items)
        remaining = seconds_to_end(self._seconds_searched, self._search.progress.fraction)
        is_short = cost < MAX_EXTRA_SECONDS and remaining >= MIN_REST * cost
        return is_short or remaining * MAX_SHARE >= cost

    def try_memo(self, stop: Stop) -> None:
        """Run the memo for as long as it seems to pay off."""
        search = self._search
        assert search is not None
        progress = search.progress
        if self._memo is None:
            try:
                self._start_memo()
            except ValueError:  # too large
                self._can_compare = False
                return
            assert self._memo is not None
            self._memo.run(stop, MIN_SECONDS)  # may load kernels, which is not part of the trial
            allowed = TRIAL_SECONDS
        else:
            allowed = max(TRIAL_SECONDS, MAX_SHARE * self._seconds_searched - self._memo.seconds)
        memo, expected = self._memo, math.inf
        searched = self._seconds_searched
        remaining = seconds_to_end(searched, progress.fraction)
        while not (memo.is_done or stop()):
            memo.run(stop, allowed)
            expected = seconds_to_end(memo.best.seconds, memo.best.explored())
            if not memo.is_done and self._try_isomorphs(remaining, min(remaining, expected), stop):
                self._prefer_isomorphs()
                return
            if expected * MIN_SPEEDUP >= remaining:
                break
            self.method = "memo"
            allowed = min(memo.seconds, remaining / 4)
        if memo.is_done:
            self.method = "memo"
            self._search = None
        elif not stop():
            self.method = "search"
            is_reliable = progress.fraction >= MIN_RELIABLE_FRACTION
            if is_reliable and expected >= remaining and memo.seconds > MEMO_ABANDON_SECONDS:
                self._can_compare, self._memo = False, None
                if self._isomorphs is not None and self._isomorphs.classes.gain >= MIN_SPEEDUP:
                    self._prefer_isomorphs()
            # Until then, the memo takes at most its share of the time.
            self._next_trial = max(2 * searched, memo.seconds / MAX_SHARE)

    def _try_isomorphs(self, search_seconds: float, seconds: float, stop: Stop) -> bool:
        """Try isomorphism classes, and return whether counting them seems to be fastest.

        `search_seconds` is the expected time of the search, and `seconds` that of the search or of
        the memo, whichever is faster.
        """
        assert self._memo is not None
        elapsed = self._seconds_searched + self._memo.seconds
        if not self.can_divide or min(2 * elapsed, seconds) < MIN_ISOMORPH_SECONDS:
            return False
        if self._isomorphs is None:
            self._isomorphs = IsomorphCounter(self._spec, self._arguments)
        max_seconds = min(MAX_SHARE * seconds, ISOMORPH_TRIAL_SECONDS)
        min_gain = MIN_SPEEDUP * search_seconds / seconds
        is_faster = self._isomorphs.try_dividing(stop, max_seconds, min_gain)
        # This may be tried again after an interrupt, or if there are isomorphic subproblems at all.
        self.can_divide = stop() or self._isomorphs.classes.gain >= MIN_GAIN
        return is_faster

    def _prefer_isomorphs(self) -> None:
        self._n_found_before = self.count
        self.method, self._counts_isomorphs, self._memo = "search", True, None

    def _start_memo(self) -> None:
        self._memo = MemoPortfolio(self._spec.problem, "auto", memory_limit(self._memory))


def seconds_to_end(seconds: float, fraction: float) -> float:
    """Return the expected time that remains if a fraction has been explored in some seconds."""
    return seconds * (1 - fraction) / fraction if fraction > 0 else float("inf")
