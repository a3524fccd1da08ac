"""Problems in few bytes, and the first slice of their search, in one call.

A small problem is linked and searched by one call, in memory that the next one uses again, so that
hardly anything surrounds the search. It is the search of `SubtreeX`, which can continue it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..jit import njit
from ..jit.calling import PreparedCall
from ..jit.compile import prepare_call
from .algorithms import MIN_OPTIONS, first_updates
from .components import may_be_divisible, split_problem
from .cover_array import CoverArray, as_array
from .dlx.algorithm_x import SubtreeX, search_in_block
from .dlx.links import INACTIVE, find_invalid
from .dlx.memory import N_LEVELS, block_size
from .dlx.state import COUNTERS, DIVISIBLE, EXHAUSTED, N_REGISTERS, NO_COVERS, Register
from .problem import Problem
from .subtree import Subtree

MAX_CODES = (1 << 16) - 1  # items of `NarrowProblem`
# Of a problem in bytes, whose search fits into a workspace that small problems share; the largest
# number is also that of entries of an option
MAX_BYTES = 20_000  # options, and entries of all of them
MAX_BYTE = 255  # items
# Components are searched in the first slice with up to so many updates in total, and only if there
# are fewer than MAX_PARTS * MIN_OPTIONS options in all of them.
PART_UPDATES = 1 << 14
MAX_PARTS = 2
FIRST_COVERS = 1024  # at most, in the first slice of a search
# The size of each array of a workspace that small problems share
SHARED_SIZE = 1 << 17


@njit
def add_lengths(indptr, lengths):
    """Write the bounds (options + 1,) int64 of options with some lengths (options,)."""
    end = np.int64(0)
    for k in range(len(lengths)):
        indptr[k] = end
        end += lengths[k]
    indptr[len(lengths)] = end


@njit
def count_used(indptr, last_option, lengths, codes, n_options, n_entries, n_items):
    """Return the number of items in options.

    Returns -1 if an option contains an item twice, or an unknown one.

    Parameters: `indptr` (options + 1,) int64 and `last_option` (items,) uint32, which are
    overwritten; `lengths` and `codes` as in `NarrowProblem`; the sizes `n_options`, `n_entries` and
    `n_items` int64. All arrays may be longer.
    """
    add_lengths(indptr, lengths[:n_options])
    used = last_option[:n_items]
    used[:] = 0
    if find_invalid(indptr[: n_options + 1], codes[:n_entries], used) != -1:
        return -1
    n_used = 0
    for option in used:
        n_used += option > 0
    return n_used


@njit
def search_narrow(
    indptr,
    block,
    register,
    options,
    ends,
    lengths,
    codes,
    found,
    n_options,
    n_entries,
    n_primary,
    n_items,
    seeks_parts,
    target,
    budget,
):
    """Link options and search them as `search_in_block` does, up to `target` covers (int64).

    Parameters: `block`, `register`, `options`, `ends`, `found`, `seeks_parts` and `budget` as for
    `search_in_block`; `indptr`, `lengths`, `codes` and the sizes `n_options`, `n_entries`,
    `n_primary` and `n_items` as for `count_used`. All arrays but `found` may be longer. Returns the
    status of the search.
    """
    add_lengths(indptr, lengths[:n_options])
    for i in range(N_REGISTERS):
        register[i] = 0
    register[Register.TARGET] = target
    block[N_LEVELS] = 0  # nothing is linked yet
    no_codes = codes[:0]
    return search_in_block(
        block,
        None,
        register,
        indptr[: n_options + 1],
        codes[:n_entries],
        n_primary,
        n_items,
        found,
        budget,
        seeks_parts,
        no_codes,
        no_codes,
        options,
        ends,
    )


class _Workspace:
    """Memory for one search at a time, and the calls of kernels on it, which are packed once.

    Slices of views, whose names end so, take less time than those of arrays. `size` is that of the
    block in which problems of up to `n_options` options are linked, and `found_size` the number of
    options of all covers that a call returns.
    """

    def __init__(self, size: int, n_options: int, found_size: int) -> None:
        self.block = np.zeros(size, np.int32).view(np.uint32)
        self.register = np.zeros(N_REGISTERS, np.int64)
        self.counters_view = self.register.data[COUNTERS]
        self.is_shared = size == n_options == SHARED_SIZE
        # Covers as the search stores them; then their options, and where each begins and ends
        self.row = np.zeros((1, found_size), np.int32).view(np.uint32)
        self.options = np.zeros(found_size, np.int32)
        self.options_view = self.options.data
        self.ends = np.zeros(1 + FIRST_COVERS, np.int64)
        self.ends_view = self.ends.data
        self._bytes = np.zeros(MAX_BYTES, np.uint8), np.zeros(MAX_BYTES, np.uint8)
        self._bytes_views = [array.data for array in self._bytes]
        self._calls: dict[Any, PreparedCall] = {}  # by kernel, for problems in arrays
        self._calls_for_bytes: dict[Any, PreparedCall] = {}
        indptr = np.zeros(1 + n_options, np.int64)
        self._memory = {  # the first arguments of each kernel
            count_used: (indptr, self.block),
            search_narrow: (indptr, self.block, self.register, self.options, self.ends),
        }

    def run(self, kernel: Any, lengths: Any, codes: Any, others: Any, *numbers: int) -> int:
        """Run a kernel on the workspace, a problem, another array or none, and numbers.

        After the first call, only what may differ is packed: the addresses of the arrays that are
        not in the workspace, and the numbers. Bytes are copied to arrays of the workspace.
        """
        words = numbers if others is None else (id(others), *numbers)
        calls = self._calls
        if type(codes) is bytes:
            lengths_view, codes_view = self._bytes_views
            lengths_view[: len(lengths)] = lengths
            codes_view[: len(codes)] = codes
            calls = self._calls_for_bytes
            if (call := calls.get(kernel)) is not None:
                return int(call.repeat(*words))
            lengths, codes = self._bytes
        elif (call := calls.get(kernel)) is not None:
            return int(call.repeat(id(lengths), id(codes), *words))
        arrays = *self._memory[kernel], lengths, codes, *(() if others is None else (others,))
        if (prepared := prepare_call(kernel, *arrays, *numbers)) is None:
            return int(kernel(*arrays, *numbers))
        calls[kernel] = prepared
        return int(prepared())


_shared: list[_Workspace] = []  # which no thread uses now


def _workspace(codes: Any, size: int, n_options: int, found_size: int) -> _Workspace:
    """Return memory for a block of some size, some options, and covers: shared if it suffices.

    Problems whose `codes` are bytes are small enough for that.
    """
    if type(codes) is not bytes and max(size, n_options, found_size) > SHARED_SIZE:
        return _Workspace(size, n_options, found_size)
    try:
        return _shared.pop()
    except IndexError:
        return _Workspace(SHARED_SIZE, SHARED_SIZE, SHARED_SIZE)


def _release(space: _Workspace) -> None:
    """Let others use a workspace if it has the size for that."""
    if space.is_shared:
        _shared.append(space)


class HasProblem(Protocol):
    """Has a problem in the arrays of all searches, which may be made when it is first needed."""

    @property
    def problem(self) -> Problem: ...


@dataclass(eq=False, repr=False, slots=True)
class FirstSlice:
    """The first slice of a search: its covers, and a tree if it does not suffice."""

    counters: Sequence[int]  # covers found, nodes and updates
    covers: Sequence[list[int]] = ()
    tree: Subtree | None = None  # if it does not suffice: continues the search
    levels: list[int] | None = None  # the number of nodes of each, if the search is literal


@dataclass(eq=False, repr=False, slots=True)
class NarrowProblem:
    """A problem without colors, multiplicities, costs and totals, in narrow integers.

    Parameters
    ----------
    lengths : bytes, or ndarray of uint32, shape (options,)
        The number of entries of each option.
    codes : bytes, or ndarray of uint16, shape (entries,)
        The items of all options; bytes if the lengths are.
    n_primary, n_items : int

    Attributes
    ----------
    has_large_parts : bool
        Whether components may take longer than a first slice, which is known after the first.
    """

    lengths: Any
    codes: Any
    n_primary: int
    n_items: int
    has_large_parts: bool = False

    @property
    def problem(self) -> Problem:
        """The same problem in the arrays of all searches."""
        indptr = np.zeros(len(self.lengths) + 1, np.int64)
        np.cumsum(as_numbers(self.lengths), out=indptr[1:])
        items = as_numbers(self.codes).astype(np.int64)
        return Problem(indptr, items, self.n_primary, self.n_items - self.n_primary)

    def count_used(self) -> int:
        """Return the number of items in options, or -1 if some are invalid.

        An option must not contain an item twice, and links must be able to index the nodes.
        """
        lengths = self.lengths
        codes = self.codes
        if len(codes) >= INACTIVE:
            return -1
        # The block is used as `last_option`, which has an element for each item.
        space = _workspace(codes, self.n_items, len(lengths), 0)
        n_used = space.run(count_used, lengths, codes, None, len(lengths), len(codes), self.n_items)
        _release(space)
        return n_used

    def search(
        self, number: int, lists: bool, owner: HasProblem, n_updates: int | None = None
    ) -> FirstSlice | None:
        """Search for a while, or until `number` covers, at least 1, are found.

        The covers are only counted unless `lists` is true. The result has a tree, which continues
        the search, only if the slice does not suffice; the tree is one of the problem of the
        `owner`, which is the same problem. With `n_updates`, the problem is a component itself, and
        they are its budget. Without them, it may have several components, which are searched one by
        one, or the result is None: see `_search_parts`.
        """
        lengths = self.lengths
        codes = self.codes
        n_primary = self.n_primary
        n_items = self.n_items
        n_options = len(lengths)
        n_entries = len(codes)
        width = n_primary + 2  # of a row: see `store_cover`; there are n_primary + 1 levels
        n_rows = 0  # of covers; without any, they are only counted
        if lists:  # several rows take about half of a shared workspace at most
            n_rows = min(number, FIRST_COVERS, 1 + SHARED_SIZE // (2 * width)) if number > 1 else 1
        size = 0
        if type(codes) is not bytes:
            size = block_size(n_primary, n_items, 1 + n_items + n_entries)
        space = _workspace(codes, size, n_options, n_rows * width)
        # The kernel finds covers in `rows`, as nodes, and writes their options to `space.options`.
        # A row may be longer than a cover, so one row need not be sliced, which takes time.
        rows = space.row
        if n_rows != 1:
            rows = rows[0, : n_rows * width].reshape(n_rows, width) if n_rows else NO_COVERS
        try:
            status = space.run(
                search_narrow,
                lengths,
                codes,
                rows,
                n_options,
                n_entries,
                n_primary,
                n_items,
                may_be_divisible(n_options, n_items) if n_updates is None else 0,  # seeks_parts
                n_rows or number,  # the target
                n_updates or first_updates(n_options, n_items, n_entries),  # the budget
            )
            counters = space.counters_view.tolist()
            n_found = counters[0]
            covers: Sequence[list[int]] = ()
            if n_rows == n_found == 1:
                covers = (space.options_view[: space.ends_view[1]].tolist(),)
            elif n_rows and n_found:
                ends = space.ends[: 1 + n_found]
                covers = CoverArray(space.options[: ends[-1]].copy(), ends.copy())
            if status == EXHAUSTED or n_found >= number:
                return FirstSlice(counters, covers)
            # The search goes on in the same memory, or in a copy if the next call uses it again.
            block = space.block
            register = space.register
            if space.is_shared and status != DIVISIBLE:
                size = block_size(n_primary, n_items, 1 + n_items + n_entries)
                block = block[:size].view(np.int32).copy().view(np.uint32)
                register = register.copy()
        finally:
            _release(space)
        if status == DIVISIBLE:
            return self._search_parts(number, lists)
        tree = SubtreeX.resume(owner.problem, block, register)
        tree.found.append(covers if isinstance(covers, CoverArray) else as_array(covers))
        return FirstSlice(counters, covers, tree)

    def _search_parts(self, number: int, lists: bool) -> FirstSlice | None:
        """Search small components one after another as `search` does.

        Return None if they are larger or take longer, or several covers are wanted.
        """
        if self.has_large_parts or (lists and number > 1):
            return None
        self.has_large_parts = True  # unless the end is reached
        if len(self.lengths) >= MAX_PARTS * MIN_OPTIONS:
            return None
        work = np.zeros(3, np.int64)  # covers (not used), nodes and updates
        n_found = 1
        cover: list[int] = []
        for problem, options, _ in split_problem(self.problem):
            left = PART_UPDATES - int(work[2])
            if left <= 0 or len(options) >= MIN_OPTIONS:
                return None
            part = narrow_problem(problem)
            begun = part.search(number, lists, part, left)
            if begun is None or begun.tree is not None:
                return None
            work += begun.counters
            n_found = min(number, n_found * begun.counters[0])  # covers of the parts are combined
            if n_found == 0:
                break
            if lists:
                cover += options[begun.covers[0]].tolist()
        self.has_large_parts = False
        counters = n_found, *work[1:].tolist()
        return FirstSlice(counters, [sorted(cover)] if lists and n_found else ())


def narrow_problem(problem: Problem) -> NarrowProblem:
    """Return a valid problem with options and up to MAX_CODES items only in few bytes."""
    lengths: Any = np.diff(problem.indptr)
    codes: Any = problem.items
    n_items = problem.n_items
    if n_items <= MAX_BYTE and max(len(lengths), len(codes)) <= MAX_BYTES:
        lengths = lengths.astype(np.uint8).tobytes()
        codes = codes.astype(np.uint8).tobytes()
    else:
        lengths = lengths.astype(np.uint32)
        codes = codes.astype(np.uint16)
    return NarrowProblem(lengths, codes, problem.n_primary, n_items)


def as_numbers(values: Any) -> NDArray[np.integer]:
    """Return numbers, which may be in bytes, as an array."""
    return np.frombuffer(values, np.uint8) if type(values) is bytes else values
