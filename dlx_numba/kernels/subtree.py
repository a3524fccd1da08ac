"""Subtrees: the unit of work of a search.

A subtree consists of the arrays of one algorithm, and runs a kernel on them. It can be explored for
some time, inspected, copied, split in two, and stored as its path. The package `search` uses only
these operations. Each algorithm has a class that implements them.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.calling import PreparedCall
from ..jit.compile import prepare_call
from ..runtime.archive import MAX_COUNTER, check_integers, check_number
from ..runtime.arguments import UNLIMITED
from .cover_array import (
    NONE,
    UNCHANGED,
    CoverArray,
    CoverQueue,
    Translation,
    as_array,
    sort_covers,
)
from .dlx.branching import PRIME, BranchingRule
from .dlx.links import MAX_NODES
from .dlx.state import COUNTERS, ENTER, EXHAUSTED, LEAVE, N_SUMS, NO_COVERS, PATHS, QUEUE, Register
from .problem import Problem, usable_by_kernels

CounterArray = NDArray[np.int64]  # covers found, nodes and updates
Choices = tuple[tuple[int, int], ...]

MAX_STORED_CHOICES = 1 << 18  # in covers that are sorted at a time, in some 50 ms
PROBE_UPDATES = 1 << 20  # of a random path between two questions whether to stop: some 20 ms
OBSERVATION_SECONDS = 0.05  # the time between two observations of a busy subtree
MIN_REMAINING = 1e-9  # of the fraction of a subtree


class Released(NamedTuple):
    """The state of a subtree that is done: only its registers."""

    register: NDArray[np.int64]


class _OpenLevel(NamedTuple):
    """A level with untried options."""

    level: int
    n_untried: int
    branch_share: float  # of an option, in the tree


class Subtree(ABC):
    """A part of the search tree, with the state of the search that explores it.

    The subtree has a share of the whole tree, a fraction. The estimate of the explored part may
    include branches that were explored before the subtree was split off; `explored_offset` is
    subtracted. Each algorithm defines its updates (with links, Knuth's measure of work: links
    removed) such that they are proportional to the time.

    Parameters
    ----------
    arrays : tuple
        The first arguments of the kernel, in their order. The last one is the state, a named tuple
        of arrays with the field `choice`, and `found` and `register` as its last fields.
    """

    kernel: ClassVar[Callable[..., int]]  # which searches: its last argument is a budget of updates
    kept_by_split: ClassVar = 0.5  # the share of the untried options of a level that `split` keeps
    seeks_parts = 0  # 1 if Algorithm X begins only if the problem has a single component
    is_divisible = False  # whether it has not begun because there are several
    _call: PreparedCall | None = None  # of the kernel
    tree_share = 1.0  # the fraction of the whole tree that the state accounts for
    explored_offset = 0.0  # the fraction of the whole tree that was explored elsewhere
    is_done = False
    is_busy = False  # whether a kernel is exploring it
    claim_time = 0.0  # when that began
    # What `explored` and `choices` return while the subtree is busy
    last_explored = 0.0
    last_choices: Choices = ()

    def __init__(self, arrays: tuple[Any, ...]) -> None:
        self.arrays = arrays
        self.found = CoverQueue()  # solutions not yet returned to the user
        self.observation_time = time.perf_counter()  # of what is returned while it is busy

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_call": None}

    def __setstate__(self, content: dict[str, Any]) -> None:
        self.__dict__.update(content)
        self.arrays = usable_by_kernels(self.arrays)

    @classmethod
    @abstractmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "Subtree":
        """Return the whole tree, unexplored. Raises ValueError if it is too large."""

    @property
    def groups(self) -> tuple[Any, ...]:
        """The links or bitmaps, the state, and what is between them, as named tuples."""
        return self.arrays

    @property
    def register(self) -> NDArray[np.int64]:
        """The scalars of the state (N_REGISTERS,), indexed by `Register`."""
        register: NDArray[np.int64] = self.groups[-1].register
        return register

    @property
    def n_levels(self) -> int:
        """An upper bound on the number of options in a cover."""
        return len(self.groups[-1].choice)

    @property
    def counters(self) -> CounterArray:
        """The numbers of covers found, nodes and updates, as a new array (3,)."""
        counters: CounterArray = self.register[COUNTERS].copy()
        return counters

    @counters.setter
    def counters(self, values: CounterArray) -> None:
        self.register[COUNTERS] = values

    @property
    def n_updates(self) -> int:
        """The number of updates."""
        return int(self.register[Register.UPDATES])

    @property
    def levels(self) -> list[int] | None:
        """The number of nodes of each level, if the search is literal."""
        return None

    def build(self) -> bool:
        """Do a slice of what precedes the search, which may take long. Return whether some is left.

        Each call of `explore` does one slice first, and no more if some is left.
        """
        return False

    def explore(
        self, updates: int, max_covers: int, translate: Translation | None = None
    ) -> tuple[int, int]:
        """Explore for about `updates`, or until `max_covers` further covers are found.

        Parameters
        ----------
        updates : int
            A budget, which is exceeded by the work of one option at most.
        max_covers : int
            At least 1. Covers of many options end the exploration earlier.
        translate : Translation, optional
            Makes solutions of the covers, which are appended to `found`. By default, covers are
            only counted.

        Returns
        -------
        n_covers, updates : int
            The covers found by this call, and its updates.
        """
        if self.build():
            return 0, 0
        register = self.register
        buffer = NO_COVERS
        counters = self.register[COUNTERS]  # a view, which the kernel changes
        n_before, _, updates_before = counters.tolist()
        max_covers = max(1, max_covers)  # another thread may have found enough meanwhile
        if translate is not None:
            n_levels = self.n_levels
            n_most = MAX_STORED_CHOICES // (n_levels + len(translate.given))
            max_covers = min(max_covers, max(1, n_most))
            buffer = np.empty((max_covers, 1 + n_levels), np.uint32)
        register[Register.TARGET] = min(n_before + max_covers, UNLIMITED)
        status, covers = self._find(buffer, translate or UNCHANGED, updates_before + updates)
        n_covers, _, updates_after = counters.tolist()
        if covers is not NONE:  # NONE: no cover was found, or covers are only counted
            self.found.append(covers)
        if status == EXHAUSTED:
            self.finish()
        return n_covers - n_before, updates_after - updates_before

    def _find(
        self, found: NDArray[np.uint32], translation: Translation, budget: int
    ) -> tuple[int, CoverArray]:
        """Run the kernel until a total of `budget` updates. It stores covers in `found`.

        Returns its status, and these covers, or NONE. `found` has no rows if they are only counted.
        """
        n_before = int(self.register[Register.SOLUTIONS])
        call = self._call
        if call is None:
            call = self._call = prepare_call(self.kernel, *self.arrays, budget)
        if call is None:
            *arrays, state = self.arrays
            status: int = self.kernel(*arrays, state._replace(found=found), budget)
        else:
            call.replace(-1, budget)
            call.replace(-3, found)  # followed by the register and the budget
            status = call()
        stored = found[: int(self.register[Register.SOLUTIONS]) - n_before]
        if not len(stored):
            return status, NONE
        # A row has the number of choices, and then these: join the choices of all rows.
        indptr = np.append(0, np.cumsum(stored[:, 0], dtype=np.int64))
        choices = stored[:, 1 : 1 + int(stored[:, 0].max())]
        choices = choices[np.arange(choices.shape[1]) < stored[:, :1]]
        options = self._options_of(choices).astype(np.uint32)
        return status, sort_covers(options, indptr, translation)

    def claim(self, now: float) -> None:
        """Mark the subtree as busy."""
        self.is_busy = True
        self.claim_time = now
        self.register[Register.INTERRUPT] = 0

    def interrupt(self) -> None:
        """Let `explore`, which another thread is running or about to run, end after a node."""
        self.register[Register.INTERRUPT] = 1

    def finish(self) -> None:
        """Mark the subtree as done, and free its memory, except for its registers."""
        self.is_done = True
        self.arrays = (Released(self.register),)
        self._call = None

    def observe(self, now: float) -> None:
        """Store what other threads see while the subtree is busy, unless that was done recently."""
        if now - self.observation_time >= OBSERVATION_SECONDS and not self.is_done:
            self.last_explored = self.explored()
            self.last_choices = self.choices()
            self.observation_time = now

    def choices(self) -> Choices:
        """Return the branch taken at each level, from 1, and the number of branches there."""
        if self.is_busy:
            return self.last_choices
        taken, branches = self._current_path()
        return tuple(zip((taken + 1).tolist(), branches.tolist(), strict=True))

    def explored(self) -> float:
        """Return the fraction of the whole tree that was explored here (Knuth's estimate).

        The estimate assumes that all branches of a node lead to subtrees of equal size.
        """
        if self.is_busy:
            return self.last_explored
        fraction = 1.0 if self.is_done else self._explored_fraction()
        return self.tree_share * fraction - self.explored_offset

    def remaining(self) -> float:
        """Return the fraction of the whole tree that remains to be explored here."""
        return self.tree_share - self.explored_offset - self.explored()

    def split(self) -> "Subtree | None":
        """Split off untried options at the shallowest open level, or return None if impossible.

        The new subtree follows this one in the order of the search. Together, both find the covers
        and count the nodes and updates that this one would have found and counted.
        """
        open_level = None if self.is_done else self._shallowest_open_level()
        if open_level is None:
            return None
        level, n_untried, branch_share = open_level
        n_kept = int(n_untried * self.kept_by_split)
        register = self.register
        leaves_level = register[Register.RESUME] == LEAVE and register[Register.LEVEL] == level + 1
        if leaves_level and n_kept == 0:
            return None  # nothing would remain here
        explored = self.explored()
        remaining = self.tree_share - self.explored_offset - explored
        moved = self.tree_share * branch_share * (n_untried - n_kept)
        other = self.copy()
        other.undo_from(level + 1)
        other.counters = np.zeros(3, np.int64)
        self._keep_untried(level, 0, n_kept)
        other._keep_untried(level, n_kept, n_untried)
        self._set_share(remaining - moved, explored)
        other._set_share(moved, 0.0)
        return other

    def _set_share(self, remaining: float, explored: float) -> None:
        """Set the share such that these fractions of the whole tree remain and are explored.

        The explored fraction is `tree_share` times that of the state, minus `explored_offset`.
        """
        fraction = self._explored_fraction()
        self.tree_share = remaining / (1 - fraction) if fraction < 1 else remaining
        self.explored_offset = self.tree_share * fraction - explored
        self.last_explored = explored

    def reset_share(self, share: float) -> None:
        """Set the share such that the remaining work is a part of a tree, unexplored so far.

        If hardly anything remains, quotients would be inexact, and the part counts as explored.
        """
        if self.is_done or 1 - self._explored_fraction() < MIN_REMAINING:
            self.tree_share = share
            self.explored_offset = 0.0
        else:
            self._set_share(share, 0.0)

    def copy(self) -> "Subtree":
        """Return an independent copy without solutions. Arrays that are not modified are shared."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__, arrays=self._copy_arrays(), is_busy=False, _call=None)
        other.found = CoverQueue()
        other.observation_time = time.perf_counter()
        return other

    def content(self) -> dict[str, Any]:
        """Return the position, the counters and the covers found as JSON values."""
        return {
            "path": None if self.is_done else self.path(),
            "counters": self.counters.tolist(),
            "weight": self.tree_share,
            "explored_offset": self.explored_offset,
            "found": self.found.tolist(),
        }

    def restore(self, content: Mapping[str, Any]) -> None:
        """Restore `content()` in an unexplored tree of the same problem, or raise an exception."""
        self.tree_share = check_number(content["weight"])
        self.explored_offset = check_number(content["explored_offset"])
        found = [check_integers(cover, 0, MAX_NODES).tolist() for cover in content["found"]]
        self.found.append(as_array(found))
        if content["path"] is None:
            self.finish()
        else:
            self.follow(content["path"])
        self.counters = check_counters(content["counters"], len(self.found))

    def path(self) -> dict[str, Any]:
        """Return the position of the search, as JSON values; `follow` restores it.

        The path has the item that each level branches on and the option chosen there, -1 for none,
        by their numbers in the problem. No options remain to be tried at levels before
        `open_level`. At this level, those from the first to the last of `untried` remain; at the
        levels after it, all remain. If `is_entering`, a new node is next, otherwise an option of
        the last one.
        """
        items, choices = self.steps()
        shallowest = self._shallowest_open_level()
        open_level = len(items)
        untried: list[int] = []
        if shallowest is not None:
            open_level = shallowest.level
            untried = self._options_of(self._untried(open_level)).tolist()
        return {
            "items": items.tolist(),
            "options": self._options_of(choices).tolist(),
            "open_level": open_level,
            "untried": [untried[0], untried[-1]] if untried else [],
            "is_entering": bool(self.register[Register.RESUME] == ENTER),
            "random_state": int(self.register[Register.RANDOM_NUMBER]),
        }

    def follow(self, path: dict[str, Any]) -> None:
        """Take the steps of a path in an unexplored tree of the same problem, to resume at its end.

        The counters are unchanged.

        Parameters
        ----------
        path : dict
            What `path` returned. It may come from a modified file.

        Raises
        ------
        LookupError, TypeError, ValueError
            If the search cannot take the path; the subtree is not usable after that.
        """
        items = check_integers(path["items"], 0, MAX_NODES)
        options = check_integers(path["options"], -1, MAX_NODES)
        untried = check_integers(path["untried"], -1, MAX_NODES).tolist()
        [open_level] = check_integers([path["open_level"]], 0, len(items)).tolist()
        [random_number] = check_integers([path["random_state"]], 1, PRIME - 1).tolist()
        if not len(items) == len(options) <= self.n_levels:
            raise ValueError("the path has too many levels")
        self.register[Register.RESUME] = ENTER if path["is_entering"] else LEAVE
        if not self._descend(
            *self._choices(items, options), np.zeros(0), np.zeros(N_SUMS), UNLIMITED
        ):
            raise ValueError("the search cannot take this path")
        for level in range(open_level):
            self._keep_untried(level, 0, 0)
        if open_level < len(items):
            first, last = untried
            remaining = self._options_of(self._untried(open_level)).tolist()
            begin = remaining.index(first)
            end = remaining.index(last) + 1
            if begin >= end:
                raise ValueError("the untried options are not in order")
            self._keep_untried(open_level, begin, end)
        self.register[Register.RANDOM_NUMBER] = random_number

    def probe(
        self, draws: NDArray[np.float64], sums: NDArray[np.float64], stop: Callable[[], bool]
    ) -> bool:
        """Follow a random path in an unexplored tree, for Knuth's estimate, and undo its choices.

        Return whether the path has ended. A tree whose path was stopped is not usable after that.

        Parameters
        ----------
        draws : ndarray of float64, shape (n_levels,)
            Uniform random numbers from [0, 1), one for each level.
        sums : ndarray of float64, shape (N_SUMS,)
            The covers, nodes and updates that the path represents are added to it. PATHS is
            overwritten.
        stop
            Ends a long path.
        """
        register = self.groups[-1].register
        no_path = np.zeros(0, np.uint32)
        queue = register[QUEUE].copy()
        sums[PATHS] = 1
        while not self._descend(no_path, no_path, draws, sums, PROBE_UPDATES):
            if stop():
                return False
        self.undo_from(0)
        register[QUEUE] = queue  # of the root
        return True

    @abstractmethod
    def _copy_arrays(self) -> tuple[Any, ...]:
        """Return copies of the arrays, which share the arrays that no search modifies."""

    @abstractmethod
    def _options_of(self, choices: NDArray[np.integer]) -> NDArray[np.integer]:
        """Return the options that were chosen by choices, -1 for none."""

    # The following methods serve splitting, checkpoints and estimates.

    @abstractmethod
    def _list_branches(self, taken: NDArray[np.int64], branches: NDArray[np.int64]) -> None:
        """Write the branch taken at each level (from 0), and the number of branches there."""

    @abstractmethod
    def undo_from(self, level: int) -> None:
        """Undo the choices of all levels from `level` on."""

    @abstractmethod
    def _descend(self, *arguments: NDArray[Any] | int) -> bool:
        """Run the kernel that follows a path. Return whether the search can take all of it.

        The arguments are the items and choices of a given path, the draws of a random one, sums,
        and a budget of updates. Returns for a random path whether it has ended.
        """

    @abstractmethod
    def steps(self) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        """Return the items branched on and the choices at all levels."""

    @abstractmethod
    def _untried(self, level: int) -> NDArray[np.integer]:
        """Return the choices that remain to be tried at a level, in order."""

    @abstractmethod
    def _keep_untried(self, level: int, begin: int, end: int) -> None:
        """Keep only the part from `begin` to `end` of the choices that remain at a level.

        The choices before this part then count as tried, and those after it are removed. Nothing
        may remain at the levels before.
        """

    def _choices(
        self, items: NDArray[np.int64], options: NDArray[np.int64]
    ) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        """Return the items and choices of a given path as its kernel expects them."""
        return items.astype(np.uint32), options.astype(np.uint32)

    def _current_path(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the branch taken at each level (from 0), and the number of branches there."""
        taken, branches = np.zeros((2, self.register[Register.LEVEL]), np.int64)
        self._list_branches(taken, branches)
        return taken, branches

    def _explored_fraction(self) -> float:
        """Return the estimated fraction of the tree of the state that has been explored.

        A branch at a level has its share of the tree: 1, divided by the numbers of branches of the
        levels up to there. Explored are the branches before those taken and, if the search is about
        to leave the last level, also the one taken there.
        """
        taken, branches = self._current_path()
        shares = np.cumprod(1 / branches)
        fraction = float(taken @ shares)
        if self.register[Register.RESUME] == ENTER:
            return fraction
        return min(1.0, fraction + (float(shares[-1]) if len(shares) else 1.0))

    def _shallowest_open_level(self) -> _OpenLevel | None:
        """Return the first level with untried options."""
        taken, branches = self._current_path()
        base = int(self.register[Register.BASE_LEVEL])
        open_levels = np.flatnonzero(taken[base:] + 1 < branches[base:])
        if not len(open_levels):
            return None
        level = base + int(open_levels[0])
        share = 1 / float(np.prod(branches[: level + 1], dtype=float))
        return _OpenLevel(level, int(branches[level] - taken[level] - 1), share)


def check_counters(values: Any, n_found: int = 0) -> CounterArray:
    """Return counters from a file. Raises ValueError if they are invalid."""
    counters = check_integers(values, 0, MAX_COUNTER)
    if len(counters) != 3 or counters[0] < n_found:
        raise ValueError("expected three counters")
    return counters
