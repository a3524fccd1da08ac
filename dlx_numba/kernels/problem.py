"""An exact cover problem as arrays, and what of it a search needs."""

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .algorithm_m import Bounds, bound_links
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
    low: NDArray[np.int64] | None = None  # (n_primary,) how often an item is covered, at least,
    high: NDArray[np.int64] | None = None  # (n_primary,) and at most
    cost: NDArray[np.int64] | None = None  # (options,)

    @property
    def n_options(self) -> int:
        return len(self.indptr) - 1

    def option_of_node(self) -> NDArray[np.int64]:
        """The option (nodes,) that each element of `items` belongs to."""
        return np.repeat(np.arange(self.n_options), np.diff(self.indptr))


def select_options(problem: Problem, options: NDArray[np.int64]) -> Problem:
    """The problem with only those of its options, in that order."""
    lengths = np.diff(problem.indptr)[options]
    indptr = np.zeros(len(options) + 1, np.int64)
    np.cumsum(lengths, out=indptr[1:])
    at = np.repeat(problem.indptr[options] - indptr[:-1], lengths) + np.arange(indptr[-1])
    return problem._replace(
        indptr=indptr,
        items=problem.items[at],
        color=None if problem.color is None else problem.color[at],
        cost=None if problem.cost is None else problem.cost[options],
    )


def restrict(
    problem: Problem,
    options: NDArray[np.bool_],
    nodes: NDArray[np.bool_],
    items: NDArray[np.bool_],
) -> tuple[Problem, NDArray[np.int64], NDArray[np.int64]]:
    """Only what is marked of the options, of their nodes, and of the items, numbered anew.

    Returns also the numbers that the options and the items had. No node that stays may be one of
    an item that does not.
    """
    numbers, kept = np.flatnonzero(options), np.flatnonzero(items)
    option_of = problem.option_of_node()
    at = np.flatnonzero(nodes & options[option_of])
    lengths = np.bincount(option_of[at], minlength=problem.n_options)[numbers]
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    n_primary = int(np.count_nonzero(items[: problem.n_primary]))
    primary = items[: problem.n_primary]
    small = Problem(
        indptr,
        (np.cumsum(items) - 1)[problem.items[at]],
        n_primary,
        len(kept) - n_primary,
        None if problem.color is None else problem.color[at],
        None if problem.low is None else problem.low[primary],
        None if problem.high is None else problem.high[primary],
        None if problem.cost is None else problem.cost[numbers],
    )
    return small, numbers, kept


class Instance(NamedTuple):
    """A problem as the searches want it; each works on a copy."""

    links: Links
    colors: Colors | None
    bounds: Bounds | None
    n_options: int

    def copy(self) -> "Instance":
        """Copies of the arrays, those of links and colours as unsigned views, to be danced on."""
        return self._replace(
            links=self.links.copy().unsigned(),
            colors=None if self.colors is None else self.colors.copy().unsigned(),
            bounds=None if self.bounds is None else self.bounds.copy(),
        )


def build_instance(problem: Problem) -> Instance:
    """Raises OptionError and ValueError, as `build_links` does."""
    links = build_links(problem.indptr, problem.items, problem.n_primary, problem.n_secondary)
    colors = None if problem.color is None else build_colors(links, problem.color)
    bounds = None
    if problem.low is not None and problem.high is not None:
        bounds = bound_links(links, problem.low, problem.high)
    return Instance(links, colors, bounds, problem.n_options)


class Presolved(NamedTuple):
    """What presolving removed: numbers of options, and items.

    `options` are in no cover, `forced` are in each. What forced options cover is not counted.
    """

    options: list[int]
    forced: list[int]
    items: list[Hashable]
