"""An exact cover problem as arrays, and what of it a search needs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .links import Colors, Ints, Links, build_colors, build_links


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

    @property
    def n_options(self) -> int:
        return len(self.indptr) - 1


class Instance(NamedTuple):
    """A problem as the searches want it; each works on a copy."""

    links: Links
    colors: Colors | None

    def copy(self) -> "Instance":
        """Unsigned copies, for a search to dance on."""
        links, colors = self
        return Instance(
            links.copy().unsigned(), None if colors is None else colors.copy().unsigned()
        )


def build_instance(problem: Problem) -> Instance:
    """Raises OptionError and ValueError, as `build_links` does."""
    links = build_links(problem.indptr, problem.items, problem.n_primary, problem.n_secondary)
    colors = None if problem.color is None else build_colors(links, problem.color)
    return Instance(links, colors)
