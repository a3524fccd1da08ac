"""The subtrees of a search on bitmaps."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dlx.branching import BranchingRule
from ..dlx.state import LEAVE, Register
from ..problem import Problem, usable_by_kernels
from ..subtree import Subtree
from .algorithm import descend_bitset, search_bitset
from .bitmaps import (
    NO_TABLE,
    Entries,
    RootBuilder,
    Scratch,
    Shape,
    Tables,
    Vectors,
    allocate_scratch,
    allocate_tables,
    array_sizes,
    smaller_sizes,
    stack_shapes,
)
from .state import (
    NO_OPTION,
    TABLE,
    BitsetState,
    LaneBounds,
    aligned_copy,
    start_bitset,
    start_bounds,
)

SLICES_AT_START = 64  # a few milliseconds: the tables of most problems need no more


class SubtreeBitset(Subtree):
    """Algorithm X or M on bitmaps.

    Its searches share the first tables, those of the problem, which `build` builds in slices; none
    of them modifies these.

    Parameters
    ----------
    n_rows : int
        The number of rows of bitmaps that the entries refer to.
    groups : tuple of (Entries, Tables, Tables or None, LaneBounds or None, BitsetState)
        As for `_with_memory`.
    """

    arrays: tuple[Entries, Tables, Tables, Scratch, LaneBounds | None, BitsetState]
    kernel = staticmethod(search_bitset)
    builder: RootBuilder | None = None  # of the first tables; pickles have complete ones

    def __init__(self, n_rows: int, groups: tuple[Any, ...]) -> None:
        self.n_rows = n_rows
        super().__init__(self._with_memory(groups))

    @classmethod
    def start(
        cls, problem: Problem, rule: BranchingRule, builder: RootBuilder | None = None
    ) -> "SubtreeBitset":
        """Return the whole tree, unexplored. Raises as `RootBuilder` does.

        The options of the problem must be valid: see `check_options`. `builder` is that of another
        tree of the problem, which shares its tables.
        """
        if builder is None:
            builder = RootBuilder(problem)
            for _ in range(SLICES_AT_START):  # the caller continues, if necessary
                if not builder.build():
                    break
        bounds = start_bounds(problem, builder.shape)
        no_smaller_tables = None
        state = start_bitset(builder.shape, bounds, rule)
        tree = cls(
            builder.n_rows, (builder.entries, builder.tables, no_smaller_tables, bounds, state)
        )
        tree.builder = builder
        return tree

    def build(self) -> bool:
        return self.builder is not None and self.builder.build()

    def finish(self) -> None:
        super().finish()
        self.builder = None

    def _with_memory(self, groups: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return groups with memory for smaller tables, of which they have those in use, if any."""
        entries, root, used, bounds, state = groups
        shape = Shape(*state.shapes[0].tolist())
        sizes = smaller_sizes(shape)
        smaller = allocate_tables(sizes)
        if used is not None:
            for field in Tables._fields:
                begin = getattr(used, field)
                getattr(smaller, field)[: len(begin)] = begin
        # Scratch memory for any of them: the first one is the largest.
        [largest] = stack_shapes(sizes[:1] or [(0, 0)])
        return entries, root, smaller, allocate_scratch(self.n_rows, largest), bounds, state

    def _kept(self) -> tuple[Any, ...]:
        """Return what a copy consists of: the tables in use, and copies of what is written."""
        entries, root, _, _, bounds, state = self.groups
        used = self._used_tables()
        return entries, root, used, bounds and aligned_copy(bounds), aligned_copy(state)

    def _copy_arrays(self) -> tuple[Any, ...]:
        return self._with_memory(self._kept())

    def __getstate__(self) -> dict[str, Any]:
        """Pickle only the tables that are in use."""
        if self.is_done:
            return super().__getstate__()
        while self.build():
            pass
        return super().__getstate__() | {"arrays": self._kept(), "builder": None}

    def __setstate__(self, content: dict[str, Any]) -> None:
        self.__dict__.update(content)
        if not self.is_done:
            self.arrays = self._with_memory(usable_by_kernels(content["arrays"]))
            # Pickles keep no alignment to cache lines, and each access to a vector of the state
            # would touch two of them. The first tables stay, because other searches share them.
            self.arrays = self._copy_arrays()

    def _options_of(self, choices: NDArray[np.integer]) -> NDArray[np.integer]:
        return choices.astype(np.int32)  # -1 for NO_OPTION

    def _list_branches(self, taken: NDArray[np.int64], branches: NDArray[np.int64]) -> None:
        state = self.groups[-1]
        taken[:] = state.n_tried[: len(taken)] - 1
        branches[:] = state.n_branches[: len(branches)]

    def undo_from(self, level: int) -> None:
        register = self.register
        shapes = self.groups[-1].shapes
        register[Register.LEVEL] = min(level, register[Register.LEVEL])
        register[Register.RESUME] = LEAVE
        # Each level has rows of its own, so only the tables that were built below are given up.
        while Shape(*shapes[register[TABLE]]).level > level:
            register[TABLE] -= 1

    def _descend(self, *arguments: NDArray[Any] | int) -> bool:
        while self.build():
            pass
        _, root, _, _, *written = self.groups
        return bool(descend_bitset(root, *written, *arguments))

    def steps(self) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        state = self.groups[-1]
        levels = slice(self.register[Register.LEVEL])
        return state.item[levels], state.choice[state.n_chosen[levels]]

    def _untried(self, level: int) -> NDArray[np.integer]:
        state = self.groups[-1]
        options, bitmap, _ = self._open_bitmaps(level)
        # Options beyond the branches that are left belong to other subtrees. If they are fewer, the
        # last branch has no option.
        n_left = int(state.n_branches[level] - state.n_tried[level])
        untried = options[np.flatnonzero(_unpack(bitmap))][:n_left]
        return np.append(untried, [NO_OPTION] * (n_left - len(untried))).astype(np.uint32)

    def _keep_untried(self, level: int, begin: int, end: int) -> None:
        """Keep the untried branches from `begin` to `end` of a level.

        The options after them are branches of other subtrees, but covers below this one may contain
        them, so they stay available; those before them count as tried. A branch without an option
        is only counted.
        """
        state = self.groups[-1]
        _, untried, available = self._open_bitmaps(level)
        positions = np.flatnonzero(_unpack(untried))
        for bitmap, cleared in (
            (untried, [*positions[:begin], *positions[end:]]),
            (available, positions[:begin]),
        ):
            bits = _unpack(bitmap)
            bits[cleared] = 0
            bitmap[:] = np.packbits(bits, bitorder="little").view("<u2").reshape(bitmap.shape)
        state.n_tried[level] += begin
        state.n_branches[level] = state.n_tried[level] + end - begin

    def _used_tables(self) -> Tables:
        """Return the part of the stack of smaller tables that is in use, as views."""
        _, _, smaller, _, _, state = self.groups
        top = self.register[TABLE]
        lengths = array_sizes(Shape(*state.shapes[top].tolist()) if top else NO_TABLE)
        fields = zip(Tables._fields, lengths, strict=True)
        return Tables(*(getattr(smaller, field)[:length] for field, length in fields))

    def _open_bitmaps(self, level: int) -> tuple[NDArray[np.uint32], Vectors, Vectors]:
        """Return the options of the table of a level, and views of `untried` and `available`.

        The table is the last one that was built at this level or above. The options are by their
        positions in the table, and those of further tables may follow.
        """
        _, root, smaller, _, _, state = self.groups
        table = int(self.register[TABLE])
        while (shape := Shape(*state.shapes[table].tolist())).level > level:
            table -= 1
        first = level * (len(state.untried) // len(state.choice))
        rows = slice(first, first + shape.n_vectors)
        options = (smaller if table else root).option[shape.option :]
        return options, state.untried[rows], state.available[rows]


def _unpack(bitmap: Vectors) -> NDArray[np.integer]:
    """Return the bits of a bitmap as a new array, one element for each option of its table."""
    return np.unpackbits(bitmap.astype("<u2").view(np.uint8), axis=None, bitorder="little")
