"""Algorithm X (or C) on bitmaps as a resumable search."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from ..jit.simd import align_stack, allocate_rows
from .bitmaps import (
    LANE_BITS,
    Entries,
    Scratch,
    Shape,
    Tables,
    Vectors,
    allocate_scratch,
    allocate_tables,
    array_sizes,
    build_root,
    encode_entries,
    stack_shapes,
)
from .bitset import (
    COVERED,
    OPEN,
    choose_item,
    choose_option,
    find_untried,
    next_option,
    propagate,
    search_bitset,
)
from .bitset_state import BitsetState, fill_level, row_vectors, start_bitset, table_shape
from .branching import BranchingRule
from .problem import Problem
from .resumable import CoverBuffer, KernelSearch
from .state import LEAVE, SOLUTION, Register

if TYPE_CHECKING:
    from typing_extensions import Self


@kernel
def collect_covers_bitset(
    entries, root, smaller, scratch, state, budget, max_covers, options, ends
):
    """Search for covers as `collect_covers` does; `options` receives their options."""
    register, choice = state.register, state.choice
    end = 0
    for k in range(max_covers):
        register[Register.TARGET] = register[Register.SOLUTIONS] + 1
        status = search_bitset(entries, root, smaller, scratch, state, budget)
        if status != SOLUTION:
            return status, k
        for n in range(state.n_chosen[register[Register.LEVEL]]):
            options[end] = choice[n]
            end += 1
        ends[k] = end
    return SOLUTION, max_covers


@kernel
def probe_bitset(root, state, draws, sums):
    """Follow a random path from the root as `probe` does, with the steps of `search_bitset`."""
    align_stack()
    shape, stride = table_shape(state, 0), row_vectors(state)
    level, row = 0, 0
    weight = 1.0
    outcome = OPEN
    while outcome == OPEN:
        outcome, _, n_forced, n_updates = propagate(root, shape, state, level, row)
        sums[1] += weight * n_forced
        sums[2] += weight * n_updates
        if outcome == OPEN:
            sums[1] += weight
            item, n_branches = choose_item(root, shape, state)
            find_untried(root, shape, state, row, item)
            option = next_option(state, row, shape.n_vectors)
            for _ in range(int(draws[level] * n_branches)):
                option = next_option(state, row, shape.n_vectors)
            choose_option(root, shape, state, option, level, row, level + 1, row + stride)
            weight *= n_branches
            level, row = level + 1, row + stride
    if outcome == COVERED:
        sums[0] += weight
    state.n_chosen[0] = 0
    fill_level(state, shape)


class Shared(NamedTuple):
    """The tables of a problem, which all its searches share and none of them modifies."""

    entries: Entries
    root: Tables
    shape: Shape  # of the tables in `root`
    n_rows: int  # of `Scratch.bitmaps`, for each vector of a bitmap

    @classmethod
    def of(cls, problem: Problem) -> "Shared":
        """Build the tables of a problem. Raises ValueError as `build_root` does."""
        entries, n_rows = encode_entries(problem)
        return cls(entries, *build_root(problem, entries, n_rows), n_rows)

    def smaller_sizes(self) -> list[tuple[int, int]]:
        """Return the largest numbers of options and items of the tables that a search stacks.

        Each table has at most half as many options as the one below.
        """
        n_options = self.shape.n_options
        return [(n_options >> k, self.shape.n_items) for k in range(1, n_options.bit_length())]


class ResumableBitset(KernelSearch):
    """Algorithm X on bitmaps.

    Parameters
    ----------
    shared : Shared
        The tables of the problem.
    used : Tables or None
        The part of the stack of smaller tables that is in use.
    state : BitsetState
    """

    group_types: ClassVar = {"smaller": Tables, "state": BitsetState}
    groups: tuple[Entries, Tables, Tables, Scratch, BitsetState]

    def __init__(self, shared: Shared, used: Tables | None, state: BitsetState) -> None:
        self.shared = shared
        sizes = shared.smaller_sizes()
        smaller = allocate_tables(sizes)
        if used is not None:
            for field in Tables._fields:
                begin = getattr(used, field)
                getattr(smaller, field)[: len(begin)] = begin
        [largest] = stack_shapes(sizes[:1] or [(0, 0)])
        scratch = allocate_scratch(shared.n_rows, largest)
        super().__init__((shared.entries, shared.root, smaller, scratch, state))

    @classmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "Self":
        """Return a search that has not yet taken a step. Raises as `build_root` does.

        The options of the problem must be valid: `link_problem` checks them.
        """
        shared = Shared.of(problem)
        n_tables = 1 + len(shared.smaller_sizes())
        return cls(shared, None, start_bitset(shared.shape, n_tables, rule))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], problem: Problem) -> "Self":
        """Restore a search of a problem from the arrays that `arrays()` returned."""
        used, state = cls.restore_groups(arrays)
        return cls(Shared.of(problem), used, aligned_copy(state))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of the search as "<group>.<field>", to be stored."""
        stored: dict[str, Any] = {"smaller": self._used_tables(), "state": self.groups[-1]}
        return {
            f"{name}.{field}": getattr(group, field)
            for name, group in stored.items()
            for field in group._fields
        }

    def copy(self) -> "Self":
        """Return an independent copy, which shares the tables of the problem."""
        *_, state = self.groups
        return type(self)(self.shared, self._used_tables(), aligned_copy(state))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the tables that are in use."""
        return _unpickle, (type(self), self.shared, self._used_tables(), self.groups[-1])

    def release(self) -> None:
        """Free the arrays of an exhausted search, except for its registers."""
        entries, root, smaller, scratch, state = (_emptied(group) for group in self.groups)
        self.groups = (entries, root, smaller, scratch, state._replace(register=self.register))

    def split(self) -> "tuple[Self, float] | None":
        """Split off about half of the untried options at the shallowest open level."""
        found = self._halve_open_level()
        if found is None:
            return None
        level, n_kept, weight = found
        other = self._split_copy(level)
        for search, part in ((self, slice(n_kept)), (other, slice(n_kept, None))):
            state = search.groups[-1]
            untried = search._untried(level)
            bits = (untried[..., np.newaxis] >> np.arange(LANE_BITS)) & 1
            kept = np.argwhere(bits)[part]
            untried[:] = 0
            np.bitwise_or.at(untried, tuple(kept.T[:2]), (1 << kept[:, 2]).astype(np.uint16))
            state.n_branches[level] = state.n_tried[level] + len(kept)
        return other, weight

    def advance(self, budget: int) -> int:
        return int(search_bitset(*self.groups, budget))

    def _collect(self, budget: int, max_covers: int, buffer: CoverBuffer) -> tuple[int, int]:
        status, n_covers = collect_covers_bitset(
            *self.groups, budget, max_covers, buffer.nodes, buffer.ends
        )
        return status, n_covers

    def _options_of(self, choices: NDArray[np.uint32]) -> NDArray[np.integer]:
        return choices

    def _list_branches(self, taken: NDArray[np.int64], branches: NDArray[np.int64]) -> None:
        state = self.groups[-1]
        taken[:] = state.n_tried[: len(taken)] - 1
        branches[:] = state.n_branches[: len(branches)]

    def _retreat(self, level: int) -> None:
        register, shapes = self.register, self.groups[-1].shapes
        register[Register.LEVEL] = min(level, register[Register.LEVEL])
        register[Register.RESUME] = LEAVE
        while Shape(*shapes[register[Register.TAIL]]).level > level:
            register[Register.TAIL] -= 1

    def _probe(self, draws: NDArray[np.float64], sums: NDArray[np.float64]) -> None:
        _, root, _, _, state = self.groups
        probe_bitset(root, state, draws, sums)

    def _used_tables(self) -> Tables:
        """Return the part of the stack of smaller tables that is in use, as views."""
        _, _, smaller, _, state = self.groups
        top = self.register[Register.TAIL]
        if top == 0 or not len(state.shapes):
            return Tables(*(getattr(smaller, field)[:0] for field in Tables._fields))
        sizes = array_sizes(Shape(*state.shapes[top].tolist()))
        arrays = (
            getattr(smaller, field)[:n] for field, n in zip(Tables._fields, sizes, strict=True)
        )
        return Tables(*arrays)

    def _untried(self, level: int) -> Vectors:
        """Return the bitmap of the untried options of a level, as a view."""
        state = self.groups[-1]
        shapes = [Shape(*row) for row in state.shapes[: self.register[Register.TAIL] + 1].tolist()]
        n_vectors = [shape.n_vectors for shape in shapes if shape.level <= level][-1]
        first = level * (len(state.untried) // len(state.choice))
        return state.untried[first : first + n_vectors]


def aligned_copy(state: BitsetState) -> BitsetState:
    """Return a copy of a state whose vectors are aligned to cache lines."""
    arrays = {}
    for field, array in state._asdict().items():
        is_vectors = field in ("available", "untried", "n_options")
        arrays[field] = allocate_rows(len(array)) if is_vectors else np.empty_like(array)
        arrays[field][:] = array
    return BitsetState(**arrays)


def _emptied(group: Any) -> Any:
    """Return a named tuple of arrays without elements."""
    return type(group)(*(array[:0].copy() for array in group))


def _unpickle(
    search_class: type[ResumableBitset], shared: Shared, used: Tables, state: BitsetState
) -> ResumableBitset:
    """Restore a pickled search."""
    return search_class(shared, used, aligned_copy(state))
