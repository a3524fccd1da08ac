"""The conditions of variations of a problem, and the numbers of options that they use.

A variation has given options, forbidden options, and items that it regards as covered.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined
from ..csr import row_of

# In place of the node of an option that is in each cover, or in none. They are no literals, for
# each of which Numba would compile the kernels that take nodes.
CHOSEN = np.int64(-1)
EXCLUDED = np.int64(0)


class OptionNumbering(NamedTuple):
    """The user's numbers of options, and their numbers in the search.

    The node of an option is a node of a primary item; with bitmaps, 1 + its position in the first
    table. Options that are in each cover or in none have CHOSEN or EXCLUDED instead.
    """

    node: NDArray[np.int64]  # (options,)
    option: NDArray[np.int32]  # the option of each choice of the state, or -1


class Variations(NamedTuple):
    """The conditions of N variations, as three sparse matrices in the CSR layout.

    `given_start`, `forbidden_start` and `covered_start` are (N + 1,). Options have the user's
    numbers; negative numbers are skipped. Items are counted from 1, without duplicates in a
    variation; 0 is an item of an option that each cover contains.
    """

    given_start: NDArray[np.int64]
    given: NDArray[np.int32]
    forbidden_start: NDArray[np.int64]
    forbidden: NDArray[np.int32]
    covered_start: NDArray[np.int64]
    covered: NDArray[np.int32]

    @property
    def n_variations(self) -> int:
        """The number of variations."""
        return len(self.given_start) - 1

    def part(self, rows: slice) -> "Variations":
        """Return some of the variations."""
        arrays: list[NDArray[Any]] = []
        for start, numbers in zip(self[::2], self[1::2], strict=True):
            bounds = start[rows.start : rows.stop + 1]
            arrays += [bounds - bounds[0], numbers[bounds[0] : bounds[-1]]]
        return Variations(*arrays)

    def options(self, k: int) -> tuple[list[int], list[int]]:
        """Return the given and the forbidden options of one of the variations."""
        given, forbidden, _ = (
            [number for number in row_of(numbers, start, k).tolist() if number >= 0]
            for start, numbers in zip(self[::2], self[1::2], strict=True)
        )
        return given, forbidden


@inlined
def node_of(numbering, option, none):
    """Return the node of an option, int64 like its number; `none` if its number is negative."""
    return none if option < 0 else numbering.node[option]
