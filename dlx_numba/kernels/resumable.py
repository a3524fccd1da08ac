"""Resumable searches: what the algorithms have in common.

A resumable search consists of the arrays of one search and runs a kernel on them. It can be
advanced by a budget, inspected, copied, split in two, and stored as its path. The package `search`
uses only these operations, which are declared in `search.protocol.ResumableSearch`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..runtime.archive import check_integers
from .branching import PRIME, BranchingRule
from .links import MAX_NODES, Ints, Links
from .problem import Problem
from .state import COUNTERS, ENTER, EXHAUSTED, LEAVE, UNLIMITED, Register

if TYPE_CHECKING:
    from typing_extensions import Self

Translation = Callable[[list[int]], list[int]]

MAX_BUFFERED_COVERS = 1024  # covers in a buffer, unless their nodes exceed the next limit
MAX_BUFFERED_NODES = 1 << 22


class CoverBuffer:
    """A buffer for the covers that one call collects. Each thread needs a separate one.

    Parameters
    ----------
    n_levels : int
        An upper bound on the number of options in a cover, at least 1.
    translate : callable, default: sorted
        How the caller makes a solution of a cover, soon after it is collected.

    Attributes
    ----------
    max_covers : int
        The number of covers for which the buffer has space.
    nodes : ndarray of uint32, shape (max_covers * n_levels,)
        The choices of the covers, nodes or options, one cover after another.
    ends : ndarray of int64, shape (max_covers,)
        The end of each cover in `nodes`.
    """

    def __init__(self, n_levels: int, translate: Translation = sorted) -> None:
        self.translate = translate
        self.max_covers = max(1, min(MAX_BUFFERED_COVERS, MAX_BUFFERED_NODES // n_levels))
        self.nodes = np.empty(self.max_covers * n_levels, np.uint32)
        self.ends = np.empty(self.max_covers, np.int64)


class KernelSearch(ABC):
    """A search by kernels that keep their whole state in arrays.

    Parameters
    ----------
    groups : tuple
        The arguments of the kernels, in their order. The last one is the state, a named tuple of
        arrays with the fields `choice` and `register`.
    """

    kept_by_split: ClassVar = 0.5  # the part of the untried options of a level that `split` keeps

    def __init__(self, groups: tuple[Any, ...]) -> None:
        self.groups = groups

    @classmethod
    @abstractmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "Self":
        """Return a search that has not yet taken a step. Raises ValueError if it is too large."""

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
    def counters(self) -> NDArray[np.int64]:
        """The numbers of covers found, nodes and updates, as a new array (3,)."""
        return self.register[COUNTERS]

    @counters.setter
    def counters(self, values: NDArray[np.int64]) -> None:
        self.register[COUNTERS] = values

    def count(self, updates: int, max_covers: int) -> bool:
        """Advance by about `updates`, or until `max_covers` further covers have been counted.

        Returns whether the search is exhausted.
        """
        register = self.register
        register[Register.TARGET] = min(register[Register.SOLUTIONS] + max_covers, UNLIMITED)
        return self.advance(register[Register.UPDATES] + updates) == EXHAUSTED

    def collect(
        self, updates: int, max_covers: int, buffer: CoverBuffer
    ) -> tuple[bool, list[list[int]]]:
        """Advance as `count` does, and return the covers found as lists of option numbers.

        No more covers are collected than fit into the buffer. Returns whether the search is
        exhausted, and the covers.
        """
        budget = self.register[Register.UPDATES] + updates
        max_covers = min(max_covers, buffer.max_covers)
        status, n_covers = self._collect(budget, max_covers, buffer)
        covers = []
        if n_covers:
            options = self._options_of(buffer.nodes[: buffer.ends[n_covers - 1]]).tolist()
            begin = 0
            for end in buffer.ends[:n_covers].tolist():
                covers.append(options[begin:end])
                begin = end
        return status == EXHAUSTED, covers

    def current_path(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the branch taken at each level (from 0), and the number of branches there.

        Two arrays of shape (n,), where n is the number of levels that have a choice.
        """
        taken, branches = np.zeros((2, self.register[Register.LEVEL]), np.int64)
        self._list_branches(taken, branches)
        return taken, branches

    def explored(self) -> float:
        """Return Knuth's estimate of the fraction of the tree that has been explored.

        The estimate assumes that all branches of a node lead to subtrees of equal size.
        """
        taken, branches = self.current_path()
        weights = np.cumprod(1 / branches)
        fraction = float(taken @ weights)
        if self.register[Register.RESUME] == ENTER:
            return fraction
        return min(1.0, fraction + (float(weights[-1]) if len(weights) else 1.0))

    def split(self) -> "tuple[Self, float] | None":
        """Split off untried options at the shallowest open level into another search.

        They come after all that remains here, in the order of the search. Together, both searches
        find the covers and count the nodes and updates that this one would have found and counted.

        Returns
        -------
        other : KernelSearch
        weight : float
            The fraction of the tree of this search that `other` has taken over. If nothing can be
            split off now, None is returned instead of the pair.
        """
        found = self._shallowest_open_level()
        if found is None:
            return None
        level, n_untried, weight = found
        n_kept = int(n_untried * self.kept_by_split)
        register = self.register
        leaves_level = register[Register.RESUME] == LEAVE and register[Register.LEVEL] == level + 1
        if leaves_level and n_kept == 0:
            return None  # nothing would remain here
        other = self.copy()
        other._retreat(level + 1)
        other.counters = np.zeros(3, np.int64)
        self._keep_untried(level, 0, n_kept)
        other._keep_untried(level, n_kept, n_untried)
        return other, weight * (n_untried - n_kept)

    @abstractmethod
    def copy(self) -> "Self":
        """Return an independent copy. Arrays that no search modifies are shared."""

    @abstractmethod
    def release(self) -> None:
        """Free the arrays of an exhausted search, except for its registers."""

    def path(self) -> dict[str, Any]:
        """Return the position of the search, as JSON values; `follow` restores it.

        The path has the item that each level branches on and the option chosen there, -1 for none,
        by their numbers in the problem. No options remain to be tried at levels before
        `open_level`. At this level, those from the first to the last of `untried` remain; at the
        levels after it, all remain.
        """
        items, choices = self._steps()
        found = self._shallowest_open_level()
        untried = [] if found is None else self._options_of(self._untried(found[0])).tolist()
        return {
            "items": items.tolist(),
            "options": self._options_of(choices).tolist(),
            "open_level": len(items) if found is None else found[0],
            "untried": [untried[0], untried[-1]] if untried else [],
            "is_entering": bool(self.register[Register.RESUME] == ENTER),
            "random_state": int(self.register[Register.RANDOM_STATE]),
        }

    def follow(self, path: dict[str, Any]) -> None:
        """Take the steps of a path of another search of the same problem, to resume at its end.

        This search must not yet have taken a step. The counters are unchanged.

        Parameters
        ----------
        path : dict
            What `path` returned.

        Raises
        ------
        ValueError
            If this search cannot take the path; it is not usable after that.
        """
        items = check_integers(path["items"], 0, MAX_NODES)
        options = check_integers(path["options"], -1, MAX_NODES)
        untried = check_integers(path["untried"], -1, MAX_NODES).tolist()
        [open_level] = check_integers([path["open_level"]], 0, len(items)).tolist()
        [random_state] = check_integers([path["random_state"]], 1, PRIME - 1).tolist()
        if not len(items) == len(options) <= self.n_levels:
            raise ValueError("the path has too many levels")
        if not self._descend(*self._choices(items, options), np.zeros(0), np.zeros(3)):
            raise ValueError("the search cannot take this path")
        for level in range(open_level):
            self._keep_untried(level, 0, 0)
        if open_level < len(items):
            first, last = untried
            remaining = self._options_of(self._untried(open_level)).tolist()
            begin, end = remaining.index(first), remaining.index(last) + 1
            if begin >= end:
                raise ValueError("the untried options are not in order")
            self._keep_untried(open_level, begin, end)
        self.register[Register.RESUME] = ENTER if path["is_entering"] else LEAVE
        self.register[Register.RANDOM_STATE] = random_state

    def probe(self, draws: NDArray[np.float64], sums: NDArray[np.float64]) -> None:
        """Follow a random path from the root, for Knuth's estimate, and undo its choices.

        Parameters
        ----------
        draws : ndarray of float64, shape (n_levels,)
            Uniform random numbers from [0, 1), one for each level.
        sums : ndarray of float64, shape (3,)
            The estimated numbers of covers, nodes and updates are added to it.
        """
        no_path = np.zeros(0, np.uint32)
        self._descend(no_path, no_path, draws, sums)
        self._retreat(0)

    @abstractmethod
    def advance(self, budget: int) -> int:
        """Run the search kernel until Register.UPDATES reaches `budget`. Return its status."""

    @abstractmethod
    def _collect(self, budget: int, max_covers: int, buffer: CoverBuffer) -> tuple[int, int]:
        """Run the kernel that collects covers. Return its status and the number of covers."""

    @abstractmethod
    def _options_of(self, choices: NDArray[np.integer]) -> NDArray[np.integer]:
        """Return the options that were chosen by the choices in a buffer."""

    @abstractmethod
    def _list_branches(self, taken: NDArray[np.int64], branches: NDArray[np.int64]) -> None:
        """Fill the arrays of `current_path`."""

    @abstractmethod
    def _retreat(self, level: int) -> None:
        """Undo the choices of all levels from `level` on."""

    @abstractmethod
    def _descend(self, *arrays: NDArray[Any]) -> bool:
        """Run the kernel that follows a path. Return whether the search can take all of it.

        The arrays are the items and choices of a given path, the draws of a random one, and sums.
        """

    @abstractmethod
    def _steps(self) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        """Return the items branched on and the choices at all levels."""

    def _choices(
        self, items: NDArray[np.int64], options: NDArray[np.int64]
    ) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        """Return the items and choices of a given path as its kernel expects them."""
        return items.astype(np.uint32), options.astype(np.uint32)

    @abstractmethod
    def _untried(self, level: int) -> NDArray[np.integer]:
        """Return the choices that remain to be tried at a level, in order."""

    @abstractmethod
    def _keep_untried(self, level: int, begin: int, end: int) -> None:
        """Keep only the part from `begin` to `end` of the choices that remain at a level.

        The choices before this part then count as tried, and those after it are removed. Nothing
        may remain at the levels before.
        """

    def _shallowest_open_level(self) -> tuple[int, int, float] | None:
        """Return the first level with untried options, their number, and the weight of one."""
        taken, branches = self.current_path()
        base = int(self.register[Register.BASE_LEVEL])
        open_levels = np.flatnonzero(taken[base:] + 1 < branches[base:])
        if not len(open_levels):
            return None
        level = base + int(open_levels[0])
        weight = 1 / float(np.prod(branches[: level + 1], dtype=float))
        return level, int(branches[level] - taken[level] - 1), weight


class LinkedSearch(KernelSearch):
    """A search over links.

    Parameters
    ----------
    groups : tuple of named tuples of arrays
        The links, the colors or None, further groups if the algorithm needs them, and the state.
    indptr : ndarray of integers, shape (options + 1,)
        The option boundaries of the problem, which map nodes to options.
    """

    def __init__(self, groups: tuple[Any, ...], indptr: Ints) -> None:
        super().__init__(groups)
        self.indptr = indptr

    @property
    def links(self) -> Links:
        """The links, as uint32 views."""
        links: Links = self.groups[0]
        return links

    def copy(self) -> "Self":
        """Return an independent copy. Arrays that no search modifies are shared."""
        links, colors, *rest = self.groups
        L, R, U, D, column, size = links
        groups = (
            Links(L.copy(), R.copy(), U.copy(), D.copy(), column, size.copy()),
            None if colors is None else colors._replace(purifier=colors.purifier.copy()),
            *(group._make(array.copy() for array in group) for group in rest),
        )
        return type(self)(groups, self.indptr)

    def release(self) -> None:
        """Free the arrays of an exhausted search, except for its registers."""
        empty = np.zeros(0, np.uint32)
        state = self.groups[-1]
        freed = dict.fromkeys(state._fields, empty) | {"register": state.register}
        self.groups = (Links(*[empty] * 6), None, *self.groups[2:-1], type(state)(**freed))

    def _choices(
        self, items: NDArray[np.int64], options: NDArray[np.int64]
    ) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        """Return items as the links count them, and nodes, 0 for no option."""
        n_items = len(self.links.size) - 1
        nodes = np.zeros(len(items), np.uint32)
        for level in np.flatnonzero(options >= 0).tolist():
            begin, end = 1 + n_items + self.indptr[options[level] : options[level] + 2]
            [position] = np.flatnonzero(self.links.column[begin:end] == items[level] + 1)
            nodes[level] = begin + position
        return (items + 1).astype(np.uint32), nodes

    def _options_of(self, choices: NDArray[np.integer]) -> NDArray[np.integer]:
        """Return the options of nodes, -1 for node 0."""
        at = choices.astype(np.int64) - len(self.links.size)
        return np.searchsorted(self.indptr, at, side="right") - 1
