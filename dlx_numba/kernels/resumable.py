"""Resumable searches: what the algorithms have in common.

A resumable search consists of the arrays of one search and runs a kernel on them. It can be
advanced by a budget, inspected, copied, split in two, and stored as arrays. The package `search`
uses only these operations, which are declared in `search.protocol.ResumableSearch`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .branching import BranchingRule
from .links import Ints, Links
from .problem import Problem
from .state import COUNTERS, ENTER, EXHAUSTED, LEAVE, UNLIMITED, Register

if TYPE_CHECKING:
    from typing_extensions import Self

Path = tuple[NDArray[np.int64], NDArray[np.int64]]

MAX_BUFFERED_COVERS = 1024  # covers in a buffer, unless their nodes exceed the next limit
MAX_BUFFERED_NODES = 1 << 22


class CoverBuffer:
    """A buffer for the covers that one call collects. Each thread needs a separate one.

    Parameters
    ----------
    n_levels : int
        An upper bound on the number of options in a cover, at least 1.

    Attributes
    ----------
    max_covers : int
        The number of covers for which the buffer has space.
    nodes : ndarray of uint32, shape (max_covers * n_levels,)
        The choices of the covers, nodes or options, one cover after another.
    ends : ndarray of int64, shape (max_covers,)
        The end of each cover in `nodes`.
    """

    def __init__(self, n_levels: int) -> None:
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

    group_types: ClassVar[dict[str, Any]]  # the names and classes of the groups that are stored

    def __init__(self, groups: tuple[Any, ...]) -> None:
        self.groups = groups

    @classmethod
    @abstractmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "Self":
        """Return a search that has not yet taken a step. Raises ValueError if it is too large."""

    @classmethod
    @abstractmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], problem: Problem) -> "Self":
        """Restore a search of a problem from the arrays that `arrays()` returned."""

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

    def current_path(self) -> Path:
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

    @abstractmethod
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

    @abstractmethod
    def copy(self) -> "Self":
        """Return an independent copy. Arrays that no search modifies are shared."""

    @abstractmethod
    def release(self) -> None:
        """Free the arrays of an exhausted search, except for its registers."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of the search as "<group>.<field>", to be stored."""
        stored = self.groups[-len(self.group_types) :]
        return {
            f"{name}.{field}": array
            for name, group in zip(self.group_types, stored, strict=True)
            if group is not None
            for field, array in group._asdict().items()
        }

    @classmethod
    def restore_groups(cls, arrays: Mapping[str, NDArray[Any]]) -> tuple[Any, ...]:
        """Return the stored groups; a group without arrays is None."""
        groups = []
        for name, group_type in cls.group_types.items():
            fields = [arrays.get(f"{name}.{field}") for field in group_type._fields]
            is_complete = all(array is not None for array in fields)
            groups.append(
                group_type(*(np.require(a, None, ["C", "W"]) for a in fields))
                if is_complete
                else None
            )
        return tuple(groups)

    def probe(self, draws: NDArray[np.float64], sums: NDArray[np.float64]) -> None:
        """Follow a random path from the root, for Knuth's estimate, and undo its choices.

        Parameters
        ----------
        draws : ndarray of float64, shape (n_levels,)
            Uniform random numbers from [0, 1), one for each level.
        sums : ndarray of float64, shape (3,)
            The estimated numbers of covers, nodes and updates are added to it.
        """
        self._probe(draws, sums)
        self._retreat(0)

    @abstractmethod
    def advance(self, budget: int) -> int:
        """Run the search kernel until Register.UPDATES reaches `budget`. Return its status."""

    @abstractmethod
    def _collect(self, budget: int, max_covers: int, buffer: CoverBuffer) -> tuple[int, int]:
        """Run the kernel that collects covers. Return its status and the number of covers."""

    @abstractmethod
    def _options_of(self, choices: NDArray[np.uint32]) -> NDArray[np.integer]:
        """Return the options that were chosen by the choices in a buffer."""

    @abstractmethod
    def _list_branches(self, taken: NDArray[np.int64], branches: NDArray[np.int64]) -> None:
        """Fill the arrays of `current_path`."""

    @abstractmethod
    def _retreat(self, level: int) -> None:
        """Undo the choices of all levels from `level` on."""

    @abstractmethod
    def _probe(self, draws: NDArray[np.float64], sums: NDArray[np.float64]) -> None:
        """Follow a random path from the root."""

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

    def _halve_open_level(self) -> tuple[int, int, float] | None:
        """Return how to halve the first level with untried options.

        Returns the level, how many of these options to keep, and the weight of the others; or None
        if there is no such level, or nothing would remain here.
        """
        found = self._shallowest_open_level()
        if found is None:
            return None
        level, n_untried, weight = found
        register = self.register
        leaves_level = register[Register.RESUME] == LEAVE and register[Register.LEVEL] == level + 1
        if leaves_level and n_untried == 1:
            return None
        n_kept = n_untried // 2
        return level, n_kept, weight * (n_untried - n_kept)

    def _split_copy(self, level: int) -> "Self":
        """Return a copy that resumes by trying again at `level`, with counters set to zero."""
        other = self.copy()
        other._retreat(level + 1)
        other.counters = np.zeros(3, np.int64)
        return other


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

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], problem: Problem) -> "Self":
        """Restore a search of a problem from the arrays that `arrays()` returned."""
        return cls(cls.restore_groups(arrays), problem.indptr)

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

    def _options_of(self, choices: NDArray[np.uint32]) -> NDArray[np.integer]:
        """Return the options of nodes."""
        at = choices.astype(np.int64) - len(self.links.size)
        return np.searchsorted(self.indptr, at, side="right") - 1
