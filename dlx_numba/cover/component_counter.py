"""Count the covers of a component: search, memo, determinants, or isomorphism classes.

What to do next depends on the work so far and on explored fractions, never on the time. So each run
takes the same steps, on any machine and however often it is interrupted. The unit of work is the
time of an update in a long search.
"""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from functools import cached_property

from ..kernels.dlx.branching import Branching
from ..kernels.memo.search import Observation
from ..kernels.planar.matrix import has_choices, has_pairs
from ..kernels.problem import Problem
from ..kernels.subtree import Subtree
from ..kernels.symmetry.isomorphs import IsomorphClasses
from ..runtime.arguments import UNLIMITED
from ..runtime.interrupts import Stop
from ..runtime.job import Counters, Job, Work
from ..runtime.resources import memory_limit
from ..runtime.text import plural
from ..search.exploration import Exploration
from ..search.level_counter import LevelCounter
from ..search.planar import PlanarCounter, start_planar
from ..search.prepared import PreparedProblem
from ..search.race import (
    COUNT_UPDATES,
    MANY_SUBPROBLEMS,
    MAX_HITS,
    MAX_ISOMORPH_NODES,
    MAX_MEMO_WORK,
    MIN_EARLY_HITS,
    MIN_EXPLORED,
    MIN_HITS,
    MIN_LOOKUPS,
    MIN_REST,
    MIN_SPEEDUP,
    MIN_WHOLE_WORK,
    NODE_UPDATES,
    SAMPLE_UPDATES,
    SHARE,
    TRIAL_WORK,
)
from ..search.subproblems import MemoPortfolio, describe_memo, has_set_keys, preparation_work
from ..search.thread_runner import ALONE, Workers
from .class_counter import ClassCounter

CLASSES = "isomorphism classes"
PLANAR = "planar"


class ComponentCounter(Job):
    """A resumable count of the covers of one component of a problem.

    The covers are counted by a search or with a memo; pairs on a plane, by determinants. A count
    that takes long is divided into isomorphism classes of subproblems if they seem to save work.
    The classes are counted one by one, or divided, level by level, if one of them takes too long.

    `step` says in which order these parts are done. When the search and the memo have both reached
    their pauses, `_decide` compares them, and sets the next ones. `_start_trial` begins a trial of
    classes, which `_divide` continues, and ends.

    Parameters
    ----------
    component : PreparedProblem
    method, memory, limit
        As for `CoverCounter`.
    workers : Workers
    can_divide : bool, default: True
        Whether isomorphic subproblems may be sought.
    begun : Subtree, optional
        The tree of a search that has counted some covers.
    folder : str, optional
        As for `LevelCounter`; the method is "memo".
    """

    def __init__(
        self,
        component: PreparedProblem,
        method: str,
        memory: int | None,
        workers: Workers,
        limit: int = UNLIMITED,
        can_divide: bool = True,
        begun: Subtree | None = None,
        folder: str | None = None,
    ) -> None:
        self._spec = component
        self._limit = limit
        self._given_memory = None if memory is None else memory_limit(memory)
        self._workers = workers
        self.search = Exploration(component, [begun] if begun else None)
        self.memo: MemoPortfolio | LevelCounter | None = None
        # What levels have replaced, until they are prepared, because they may be too large
        self._replaced: MemoPortfolio | None = None
        self._past_work = 0.0  # of what has been replaced
        # A branching rule other than the default asks for a search
        is_compared = method == "auto" and component.rule.branching == Branching.SMALLEST
        # The search runs up to a number of updates, then the memo up to an amount of work. If it is
        # UNLIMITED, the search is not, or no longer, compared with another method.
        self._pause = COUNT_UPDATES if is_compared else UNLIMITED
        self._memo_pause = 0.0
        self._sampled = 0  # the updates of the search from which the following are computed
        self._work_per_update = 1.0  # of the search
        self._expected_work = math.inf  # of the whole search
        self._search_rest = math.inf  # the work that the search is expected to take until the end
        # "search", "memo", "planar" or "isomorphism classes": that of the next or the last step
        self.technique = "search"
        # What counts instead of the search and the memo
        self._replacement: PlanarCounter | ClassCounter | None = None
        self._may_be_planar = is_compared
        if method == PLANAR and has_choices(component.problem) and not self._start_planar():
            raise ValueError("the method 'planar' is for options of two items on a plane")
        if method == "memo":
            self.technique = method
            self._pause = 0
            self._memo_pause = math.inf
            self.memo = self._start_memo(workers, folder)
        is_small = len(component.problem.items) <= MAX_ISOMORPH_NODES
        can_divide &= is_compared and is_small and not component.problem.has_sums
        # The work after which the next trial of classes begins; infinite if there is none
        self._budget: float = MIN_WHOLE_WORK if can_divide else math.inf
        # While a trial runs: the work of the classes at which it ends, otherwise 0; and the level
        # that it divides, by the number of primary items of its classes
        self._trial_end = 0.0
        self._level = 0
        # The last values of `count` and `fraction`, which never decrease
        self._least = 0
        self._least_fraction = 0.0

    def _start_memo(
        self, workers: Workers = ALONE, folder: str | None = None
    ) -> MemoPortfolio | LevelCounter:
        """Return a memo. Raises ValueError if the problem is too large."""
        problem = self._spec.problem
        if workers.executor is not None or folder is not None or problem.has_sums:
            return LevelCounter(problem, self._memory, workers, folder)
        memo = MemoPortfolio(problem, self._memory)
        memo.max_subproblems = MANY_SUBPROBLEMS
        return memo

    def _start_planar(self) -> bool:
        """Count by determinants from now on, if the problem is one of pairs on a plane."""
        self._may_be_planar = False
        if has_pairs(self._spec.problem):
            self._replacement = start_planar(self._spec.problem, self._memory)
        self.technique = "search" if self._replacement is None else PLANAR
        return self._replacement is not None

    def leave_folder(self) -> None:
        """Let other counters use the folder."""
        if isinstance(self.memo, LevelCounter):
            self.memo.close()

    @cached_property
    def _memory(self) -> int:
        """The number of bytes that may be used. Asking the system takes a millisecond."""
        return memory_limit(self._given_memory)

    @cached_property
    def _classes(self) -> IsomorphClasses:
        """The isomorphic subproblems, which trials seek."""
        return IsomorphClasses(self._spec.problem)

    @property
    def done(self) -> bool:
        """Whether the covers have been counted."""
        if self._replacement is not None:
            return self._replacement.done
        if self.memo is not None and self.memo.done:
            return True
        is_limited = self._limit < UNLIMITED  # otherwise, counters need no lock
        return self.search.done or (is_limited and self.search.counters().solutions >= self._limit)

    @property
    def count(self) -> int:
        """The number of covers; before the end, the largest number found so far."""
        if self._replacement is not None:
            found = self._replacement.result
        else:
            found = min(self.search.counters().solutions, self._limit)
            if self.memo is not None:
                found = max(found, self.memo.observation.covers)
        self._least = max(self._least, found)
        return self._least

    @property
    def method(self) -> str:
        """The method of the result, or that is preferred so far: "search", "memo" or "planar"."""
        return "search" if self.technique == CLASSES else self.technique

    def counters(self) -> Counters:
        """Return the count, nodes and updates; with a memo, distinct subproblems and lookups.

        A class that was divided is a node; a pivot of a determinant, too.
        """
        observed = self._preferred()
        return Counters(self.count, observed.subproblems, observed.lookups)

    @property
    def fraction(self) -> float:
        """The explored fraction, assuming that all branches of a node are equally large.

        With isomorphism classes, it is the fraction of those known so far. It never decreases.
        """
        fraction = 1.0 if self.done else self._preferred().explored
        self._least_fraction = max(self._least_fraction, fraction)
        return self._least_fraction

    @property
    def work(self) -> float:
        """The work of the search and of the memo so far."""
        others = sum(job.work for job in (self.memo, self._replacement) if job is not None)
        return self._past_work + others + self._work_per_update * self.search.work

    def _preferred(self) -> Observation:
        """Return the progress of the method that is preferred so far, whose numbers are reported.

        The 0 and False stand for hits and a full memory, which only a memo has.
        """
        if (replacement := self._replacement) is not None:
            return Observation(replacement.fraction, *replacement.counters(), 0, False)
        if (memo := self.memo) is not None and self.technique == "memo":
            return memo.observation
        return Observation(self.search.explored, *self.search.counters(), 0, False)

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        if isinstance(replacement := self._replacement, ClassCounter):
            explored = f"{100 * self.fraction:.2f} % explored"
            return f"{explored}, {plural(self.count, 'cover')}, {replacement}"
        if replacement is not None:
            return str(replacement)
        if self.memo is None or self.technique != "memo":
            return str(self.search.progress_with(self.fraction, self.count))
        if isinstance(self.memo, LevelCounter):
            return str(self.memo)
        observed = self.memo.observation._replace(explored=self.fraction)
        return describe_memo(observed, self.count)

    def step(self, work: Work) -> None:
        """Take the step that is next.

        In this order: what counts alone, a proof without search that there is no cover, a trial of
        classes that is running or due, the search and the memo until they pause, and the choice of
        what follows. The work of a trial is not limited by `work`.
        """
        search = self.search
        memo = self.memo
        n_covers = self.count  # reading it keeps later values from decreasing
        past = self.work
        left = min(work.until, self._budget) - past  # until the end of the run, or until a trial
        if self._replacement is not None:
            self._count_replacement(self._replacement, work)
        elif past >= search.proof.updates and not n_covers:  # the next attempt of a proof is due
            search.end_if_impossible(work.stop)
        elif self._trial_end and self._classes.work < self._trial_end:
            self._divide()
        elif left <= 0:
            self._start_trial()
        elif search.work < self._pause:
            self._run_search(work.stop, left)
        elif memo is not None and memo.work < self._memo_pause:
            self._run_memo(memo, work.up_to(min(self._memo_pause, memo.work + left)))
        else:
            self._decide()

    def _run_search(self, stop: Stop, left: float) -> None:
        """Search until the next pause, with at most the work that is `left`.

        Presolving, a part of `count_covers`, may find a smaller problem, whose covers the search
        counts from the beginning. If it is compared with a memo, that begins again, too.
        """
        search = self.search
        workers = self._workers if self._pause > SAMPLE_UPDATES else ALONE  # a short sample
        updates = math.ceil(min(self._pause - search.work, left / self._work_per_update))
        wanted = self._limit - search.counters().solutions
        spec = search.spec
        search.count_covers(stop, wanted, updates, workers)
        self._spec = search.spec
        if self._spec is not spec and self._pause < UNLIMITED and not search.done:
            self._past_work += self._work_per_update * search.work
            self.search = Exploration(self._spec)
            self._sampled = 0
            self.memo = self._replaced = None
            self._pause = COUNT_UPDATES

    def _count_replacement(self, replacement: PlanarCounter | ClassCounter, work: Work) -> None:
        """Count by one method, or if the memory does not suffice, by the search and the memo."""
        try:
            replacement.step(work)
        except ValueError:  # it needs too much memory, which is known after some steps
            if self._pause == UNLIMITED:  # no other method may count
                raise
            self._replacement = None
            self.technique = "search"

    def _run_memo(self, memo: MemoPortfolio | LevelCounter, work: Work) -> None:
        """Run the memo as long as `work` permits; replace it by levels if it has many subproblems.

        If the levels are too large, the memo comes back. If the memo is, the search counts alone,
        except that ValueError is raised if the memo is preferred so far, or is the only method.
        """
        try:
            if isinstance(memo, LevelCounter):
                memo.advance(work)
            else:
                memo.step(work)
        except ValueError:  # too large, which is known after some steps
            if self._replaced is not None:
                self.memo = self._replaced
                self._past_work -= self._replaced.work
                self._replaced = None
            elif self.technique == "memo":
                raise
            else:
                self.memo = None
                self._pause = UNLIMITED
            return
        if memo.done:
            self.technique = "memo"
        elif isinstance(memo, LevelCounter):
            if memo.work:  # the levels are prepared, and thus not too large
                self._replaced = None
        elif memo.is_chosen and memo.best.subproblems >= memo.max_subproblems:
            memo.max_subproblems = UNLIMITED  # it can go on, and levels are tried once
            order = memo.fixed_order
            if order is not None and memo.observation.hits < MAX_HITS:
                self._past_work += memo.work
                self._replaced = memo
                self.memo = LevelCounter(self._spec.problem, self._memory, order=order)

    def _decide(self) -> None:
        """Decide how far the search and the memo run next, after both have paused.

        The constants in `search.race` say which conditions this depends on, and why.
        """
        if self._may_be_planar and self._start_planar():
            return
        memo = self.memo
        self._estimate_rest()
        rest = self._search_rest
        if memo is None:  # not tried yet: try it if the search takes much longer than a trial
            problem = self._spec.problem
            preparation = preparation_work(problem, has_set_keys(problem))
            trial_work = min(max(self._pause, preparation), TRIAL_WORK)
            if rest >= MIN_REST * (trial_work + preparation):
                try:
                    self.memo = self._start_memo()
                    self._memo_pause = trial_work
                except ValueError:  # too large
                    self._pause = UNLIMITED
                return
        elif self._is_promising or (
            memo.observation.lookups > MIN_LOOKUPS * memo.observation.subproblems
            and MIN_SPEEDUP * memo.expected_work < rest
        ):
            self.technique = "memo"  # the search pauses
            # Its work doubles, or grows by a quarter of `rest` if that is less, and then pauses.
            self._memo_pause = memo.work + max(TRIAL_WORK, min(memo.work, rest / 4))
            return
        elif memo.expected_work >= rest and memo.work > MAX_MEMO_WORK:  # given up
            self.memo = None
            self._pause = UNLIMITED
        # The search goes on until its work has doubled, and then the memo, for a share of this.
        self.technique = "search"
        self._pause = min(2 * self._pause, UNLIMITED)
        hits = 0.0 if self.memo is None else self.memo.observation.hits
        is_early = self._pause <= TRIAL_WORK and hits >= MIN_EARLY_HITS
        self._memo_pause = self._pause * (1.0 if is_early else max(SHARE, hits**2))

    def _estimate_rest(self) -> None:
        """Set `_search_rest`, and before it what it depends on, when the search pauses."""
        search = self.search
        # After SAMPLE_UPDATES, several threads search, and estimates would depend on their number.
        if self._pause <= SAMPLE_UPDATES and self._sampled < search.work:
            _, nodes, updates = search.counters()
            self._sampled = updates
            self._work_per_update = 1 + NODE_UPDATES * nodes / updates
            explored = max(search.explored, sys.float_info.min)  # a divisor
            self._expected_work = self._work_per_update * updates / explored
        # It may take longer than expected, so it is assumed to take as long again, at least.
        nominal_work = self._work_per_update * self._pause
        self._search_rest = max(self._expected_work - nominal_work, nominal_work)

    def _start_trial(self) -> None:
        """Begin a trial of isomorphism classes if the count is expected to take long.

        Otherwise, go on counting until twice the work is done. It is called when the work reaches
        `_budget`; from then on, `step` calls `_divide` until the trial ends.
        """
        if self._is_promising or self._rest < 2 * MIN_WHOLE_WORK:
            self._budget *= 2
        else:
            self._trial_end = self._classes.work + min(SHARE * self._rest, MIN_WHOLE_WORK)
            self._level = self._classes.n_items

    @property
    def _is_promising(self) -> bool:
        """Whether the rate of hits alone speaks for the memo.

        It does not if enough is explored for an estimate of the work, or if the memo, whose memory
        is full, stores no more subproblems.
        """
        if self.memo is None:
            return False
        observed = self.memo.observation
        is_known = max(observed.explored, self.search.explored) >= MIN_EXPLORED
        return observed.hits >= MIN_HITS and not (is_known or observed.is_frozen)

    @property
    def _rest(self) -> float:
        """The work that the faster method is expected to take until the end."""
        return min(self._search_rest, math.inf if self.memo is None else self.memo.expected_work)

    def _divide(self) -> None:
        """Divide one of the largest classes, or a part of it; decide after a level, or at the end.

        Counting the classes is expected to take the rest of the search, divided by their gain. They
        replace the other methods if this is MIN_SPEEDUP times less than the faster one needs.
        """
        classes = self._classes
        # When the last class of the level has all its children, only smaller classes are left.
        is_level_divided = classes.divide() and classes.n_items < self._level
        is_over = classes.nbytes > self._memory or classes.work >= self._trial_end
        if is_level_divided or is_over:
            self._level = classes.n_items
            if classes.is_done or classes.gain >= MIN_SPEEDUP * self._search_rest / self._rest:
                self.count_classes()
            elif is_over:
                self._trial_end = 0.0
                # Without any isomorphic subproblems, there is no other trial.
                self._budget = 2 * self._budget if classes.gain > 1 else math.inf

    def count_classes(self) -> None:
        """Count isomorphism classes from now on."""
        self.memo = self._replaced = None
        self.technique = CLASSES
        self._replacement = ClassCounter(self._classes, self._start_class, self._memory)

    def _start_class(self, problem: Problem, is_limited: bool) -> ComponentCounter:
        """Return the count of a class. Threads would exceed a limit by their slices."""
        workers = ALONE if is_limited else self._workers
        prepared = replace(self._spec, problem=problem)
        return ComponentCounter(prepared, "auto", self._memory, workers, can_divide=False)
