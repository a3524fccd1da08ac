"""Problems in few bytes, and the first slice of their search, in one call.

A small problem is linked and searched by one call, in memory that the next one uses again, so that
hardly anything surrounds the search. It is the search of `SubtreeX`, which can continue it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..jit import njit
from ..jit.calling import PreparedCall
from ..jit.compile import prepare_call
from .algorithms import first_updates
from .components import may_be_divisible
from .cover_array import CoverArray, as_array
from .dlx.algorithm_x import SubtreeX, search_in_block
from .dlx.links import INACTIVE, find_invalid
from .dlx.memory import N_LEVELS, block_size
from .dlx.state import COUNTERS, DIVISIBLE, EXHAUSTED, N_REGISTERS, NO_COVERS, Register
from .problem import Problem
from .subtree import Subtree

MAX_CODES = (1 << 16) - 1  # items of `NarrowProblem`
FIRST_COVERS = 1024  # at most, in the first slice of a search
# The size of each array of a workspace that small problems share
SHARED_SIZE = 1 << 17


@njit
def add_lengths(indptr, lengths):
    """Write the bounds (options + 1,) int64 of options with some lengths (options,) uint32."""
    end = np.int64(0)
    for k in range(len(lengths)):
        indptr[k] = end
        end += lengths[k]
    indptr[len(lengths)] = end


@njit
def count_used(indptr, last_option, lengths, codes, n_items):
    """Return the number of items in options, or -1 if an option contains an item twice.

    Parameters: `indptr` (options + 1,) int64 and `last_option` (items,) uint32, or longer, which
    are overwritten; `lengths`, `codes` and `n_items` (int64) as in `NarrowProblem`.
    """
    add_lengths(indptr, lengths)
    used = last_option[:n_items]
    used[:] = 0
    if find_invalid(indptr[: len(lengths) + 1], codes, used) >= 0:
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
    n_primary,
    n_items,
    seeks_parts,
    target,
    budget,
):
    """Link options and search them as `search_in_block` does, up to `target` covers (int64).

    Parameters: `block`, `register`, `options`, `ends`, `found`, `seeks_parts` and `budget` as for
    `search_in_block`, and `indptr` (options + 1,) int64; those that are overwritten may be longer;
    `lengths`, `codes`, `n_primary` and `n_items` (int64) as in `NarrowProblem`.
    """
    add_lengths(indptr, lengths)
    for i in range(N_REGISTERS):
        register[i] = 0
    register[Register.TARGET] = target
    block[N_LEVELS] = 0
    return search_in_block(
        block,
        None,
        register,
        indptr[: len(lengths) + 1],
        codes,
        n_primary,
        n_items,
        found,
        budget,
        seeks_parts,
        codes[:0],
        codes[:0],
        options,
        ends,
    )


class _Workspace:
    """Memory for one search at a time, and the calls of kernels on it, which are packed once."""

    def __init__(self, size: int, n_options: int, found_size: int) -> None:
        self.block = np.zeros(size, np.int32).view(np.uint32)
        self.register = np.zeros(N_REGISTERS, np.int64)
        self.counters = self.register[COUNTERS]
        self.is_shared = size == n_options == SHARED_SIZE
        self.row = np.zeros((1, found_size), np.int32).view(np.uint32)
        self.options = np.zeros(found_size, np.int32)
        self.ends = np.zeros(1 + FIRST_COVERS, np.int64)
        self._calls: dict[Any, PreparedCall] = {}
        indptr = np.zeros(1 + n_options, np.int64)
        self._memory = {
            count_used: (indptr, self.block),
            search_narrow: (indptr, self.block, self.register, self.options, self.ends),
        }

    def run(self, kernel: Any, arrays: tuple[Any, ...], numbers: tuple[int, ...]) -> int:
        """Run a kernel on the workspace, arrays, and numbers, in this order."""
        if (call := self._calls.get(kernel)) is None:
            arguments = *self._memory[kernel], *arrays, *numbers
            if (prepared := prepare_call(kernel, *arguments)) is None:
                return int(kernel(*arguments))
            call = self._calls[kernel] = prepared
        else:
            call.replace_last(arrays, numbers)
        status: int = call()
        return status


_shared: list[_Workspace] = []  # which no thread uses now


def _workspace(size: int, n_options: int, found_size: int) -> _Workspace:
    """Return memory for a block of some size, some options, and covers."""
    if size > SHARED_SIZE or n_options > SHARED_SIZE or found_size > SHARED_SIZE:
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


class FirstSlice(NamedTuple):
    """The first slice of a search: its covers, and a tree if it does not suffice."""

    counters: Sequence[int]  # covers found, nodes and updates
    covers: Sequence[list[int]] = ()
    tree: Subtree | None = None  # if it does not suffice: continues the search
    levels: list[int] | None = None  # the number of nodes of each, if the search is literal


class NarrowProblem(NamedTuple):
    """A problem without colors, multiplicities, costs and totals, in narrow integers."""

    lengths: NDArray[np.uint32]  # (options,)
    codes: NDArray[np.uint16]  # (nodes,) the items of all options
    n_primary: int
    n_items: int

    @property
    def problem(self) -> Problem:
        """The same problem in the arrays of all searches."""
        indptr = np.zeros(len(self.lengths) + 1, np.int64)
        np.cumsum(self.lengths, out=indptr[1:])
        items = self.codes.astype(np.int64)
        return Problem(indptr, items, self.n_primary, self.n_items - self.n_primary)

    def count_used(self) -> int:
        """Return the number of items in options, or -1 if some are invalid.

        An option must not contain an item twice, and links must be able to index the nodes.
        """
        lengths, codes, _, n_items = self
        if len(codes) >= INACTIVE:
            return -1
        space = _workspace(n_items, len(lengths), 0)
        n_used = space.run(count_used, (lengths, codes), (n_items,))
        _release(space)
        return n_used

    def search(self, number: int, lists: bool, owner: HasProblem) -> FirstSlice | None:
        """Search for a while, or until a number of covers, at least 1, is found.

        Unless it suffices, a tree of the same problem, which the `owner` has, continues the
        search. Return None, before the search, if there may be several components.
        """
        lengths, codes, n_primary, n_items = self
        n_options = len(lengths)
        size = block_size(n_primary, n_items, 1 + n_items + len(codes))
        width = n_primary + 2
        n_rows = 0
        if lists:
            n_rows = min(number, FIRST_COVERS, 1 + SHARED_SIZE // (2 * width)) if number > 1 else 1
        space = _workspace(size, n_options, n_rows * width)
        rows = space.row
        if n_rows != 1:
            rows = rows[0, : n_rows * width].reshape(n_rows, width) if n_rows else NO_COVERS
        try:
            status = space.run(
                search_narrow,
                (lengths, codes, rows),
                (
                    n_primary,
                    n_items,
                    may_be_divisible(n_options, n_items),
                    n_rows or number,
                    first_updates(n_options, n_items, len(codes)),
                ),
            )
            counters = space.counters.tolist()
            n_found = counters[0]
            covers: Sequence[list[int]] = ()
            if n_rows == n_found == 1:
                covers = (space.options[: space.ends[1]].tolist(),)
            elif n_rows and n_found:
                ends = space.ends[: 1 + n_found]
                covers = CoverArray(space.options[: ends[-1]].copy(), ends.copy())
            if status == EXHAUSTED or n_found >= number:
                return FirstSlice(counters, covers)
            if status == DIVISIBLE:
                return None
            block = space.block[:size]
            register = space.register
            if space.is_shared:
                block = block.view(np.int32).copy().view(np.uint32)
                register = register.copy()
        finally:
            _release(space)
        tree = SubtreeX.resume(owner.problem, block, register)
        tree.found.append(as_array(covers))
        return FirstSlice(counters, covers, tree)
