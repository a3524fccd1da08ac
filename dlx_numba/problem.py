"""An exact cover problem as arrays, and what of it a search needs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .links import Colors, Ints, Links, build_colors, build_links
from .multiple import Bounds, bound_links


class Problem(NamedTuple):
    """A cover problem in SciPy's CSR layout: a row an option, a column an item.

    Item numbers are from 0, the primary items first. Where there are no colours, multiplicities
    or costs, None stands for them.
    """

    indptr: Ints  # (options + 1,) where the options begin in `items`
    items: Ints  # (nodes,) the item of each node
    n_primary: int
    n_secondary: int
    color: NDArray[np.int32] | None = None  # (nodes,) from 1; 0 is no colour
    low: NDArray[np.int64] | None = None  # (n_primary,) how often an item is covered, at least,
    high: NDArray[np.int64] | None = None  # (n_primary,) and at most

    @property
    def n_options(self) -> int:
        return len(self.indptr) - 1


class Instance(NamedTuple):
    """A problem as the searches want it; each works on a copy."""

    links: Links
    colors: Colors | None
    bounds: Bounds | None
    n_options: int


def build_instance(problem: Problem) -> Instance:
    """Raises OptionError and ValueError, as `build_links` does."""
    links = build_links(problem.indptr, problem.items, problem.n_primary, problem.n_secondary)
    colors = None if problem.color is None else build_colors(links, problem.color)
    bounds = None
    if problem.low is not None and problem.high is not None:
        bounds = bound_links(links, problem.low, problem.high)
    return Instance(links, colors, bounds, problem.n_options)
