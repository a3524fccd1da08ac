"""Algorithm X (or C) on bitmaps as a resumable search."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from ..jit.simd import N_LANES, align_stack, allocate_rows, read_lane
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
from .branching import Branching, BranchingRule
from .problem import Problem
from .resumable import CoverBuffer, KernelSearch
from .state import LEAVE, SOLUTION, UNLIMITED, Register

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
def descend_bitset(root, state, items, options, draws, sums):
    """Follow a path from the root down as `descend` does, with the steps of `search_bitset`.

    `options` has the options to choose. A random path is undone at the end.
    """
    align_stack()
    register, shape, stride = state.register, table_shape(state, 0), row_vectors(state)
    level, row = 0, 0
    weight = 1.0
    is_given = len(draws) == 0
    outcome = OPEN
    while outcome == OPEN and not (is_given and level == len(options)):
        outcome, _, n_forced, n_updates = propagate(root, shape, state, level, row)
        sums[1] += weight * n_forced
        sums[2] += weight * n_updates
        if outcome != OPEN:
            break
        sums[1] += weight
        item, n_branches = choose_item(root, shape, state)
        if is_given and items[level] != item:
            lane = np.int64(items[level])
            if register[Register.BRANCHING] != Branching.RANDOM or lane >= shape.n_items:
                return False
            if read_lane(state.n_options, lane // N_LANES, lane % N_LANES) != n_branches:
                return False
            item = lane
        find_untried(root, shape, state, row, item)
        option = next_option(state, row, shape.n_vectors)
        n_tried, n_to_try = 1, UNLIMITED if is_given else 1 + int(draws[level] * n_branches)
        while n_tried < n_to_try and not (is_given and root.option[option] == options[level]):
            option = next_option(state, row, shape.n_vectors)
            n_tried += 1
            if option < 0:
                return False
        state.item[level], state.n_branches[level] = item, n_branches
        state.n_tried[level], state.first_count[level] = n_tried, register[Register.HEAD]
        choose_option(root, shape, state, option, level, row, level + 1, row + stride)
        weight *= n_branches
        level, row = level + 1, row + stride
    if outcome == COVERED:
        sums[0] += weight
    if is_given:
        register[Register.LEVEL] = level
        return level == len(options)
    state.n_chosen[0] = 0
    fill_level(state, shape)
    return True


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

    def advance(self, budget: int) -> int:
        return int(search_bitset(*self.groups, budget))

    def _collect(self, budget: int, max_covers: int, buffer: CoverBuffer) -> tuple[int, int]:
        status, n_covers = collect_covers_bitset(
            *self.groups, budget, max_covers, buffer.nodes, buffer.ends
        )
        return status, n_covers

    def _options_of(self, choices: NDArray[np.integer]) -> NDArray[np.integer]:
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

    def _descend(self, *arrays: NDArray[Any]) -> bool:
        return bool(descend_bitset(self.groups[1], self.groups[4], *arrays))

    def _steps(self) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        state = self.groups[-1]
        levels = slice(self.register[Register.LEVEL])
        return state.item[levels], state.choice[state.n_chosen[levels]]

    def _untried(self, level: int) -> NDArray[np.integer]:
        options, bitmap = self._untried_bitmap(level)
        return options[np.flatnonzero(_unpack(bitmap))]

    def _keep_untried(self, level: int, begin: int, end: int) -> None:
        state = self.groups[-1]
        _, bitmap = self._untried_bitmap(level)
        bits = _unpack(bitmap)
        positions = np.flatnonzero(bits)
        bits[positions[:begin]] = bits[positions[end:]] = 0
        bitmap[:] = (bits.reshape(*bitmap.shape, LANE_BITS) << np.arange(LANE_BITS)).sum(axis=-1)
        state.n_tried[level] += begin
        state.n_branches[level] = state.n_tried[level] + len(positions[begin:end])

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

    def _untried_bitmap(self, level: int) -> tuple[NDArray[np.uint32], Vectors]:
        """Return the options of the table of a level, and a view of those that are untried."""
        _, root, smaller, _, state = self.groups
        shapes = [Shape(*row) for row in state.shapes[: self.register[Register.TAIL] + 1].tolist()]
        table = max(k for k, shape in enumerate(shapes) if shape.level <= level)
        shape = shapes[table]
        first = level * (len(state.untried) // len(state.choice))
        options = (smaller if table else root).option[shape.option :]
        return options, state.untried[first : first + shape.n_vectors]


def _unpack(bitmap: Vectors) -> NDArray[np.integer]:
    """Return the bits of a bitmap as a new array, one element for each option of its table."""
    return ((bitmap[..., np.newaxis] >> np.arange(LANE_BITS)) & 1).ravel()


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
