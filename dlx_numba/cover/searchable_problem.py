"""The class `SearchableProblem`: a problem, how it is searched, and its symmetries."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..kernels.algorithms import Algorithm, check_algorithm
from ..kernels.links import Links
from ..kernels.problem import link_problem
from ..kernels.subtree import Subtree
from ..kernels.symmetry.incidence import Restriction
from ..kernels.symmetry.smallest import SmallestFilter, never_in_smallest
from ..runtime.arguments import check_integer
from ..search.search import Search
from ..search.spec import ExactCoverSpec
from .formats import ProblemFormats
from .item_functions import ItemFunction
from .iterables import as_list
from .orbits import OrbitCounter
from .prepare import (
    Choose,
    OptionNumbers,
    Prepared,
    Presolved,
    Started,
    prepare,
    resolve_options,
    select,
    start,
)
from .symmetry import MAX_ORDER, SymmetryGroup, check_group, find_symmetries


class SearchableProblem(ProblemFormats):
    """The base class of `ExactCover`: how the problem is searched, and its symmetries.

    Attributes
    ----------
    choose, seed, algorithm
        As for `ExactCover`.
    """

    def _store_search(
        self,
        choose: Choose,
        seed: int | None,
        presolve: bool,
        given: OptionNumbers,
        forbidden: OptionNumbers,
        algorithm: Algorithm,
    ) -> None:
        """Store how the problem is searched. Raises exceptions as `ExactCover` does."""
        problem, names = self.problem, self._names
        check_algorithm(algorithm, problem)
        self.choose = choose
        self.algorithm: Algorithm = algorithm
        self.seed = secrets.randbits(31) if seed is None else check_integer(seed, "seed")
        self._presolve = bool(presolve)
        given = as_list(given, "given", "options")
        self._conditions = given, as_list(forbidden, "forbidden", "options")
        order = choose, self.seed
        self._selected, self._remaining_items = select(problem, names, *order, *self._conditions)
        self._prepared: Prepared | None = None
        self._whole: Started | None = None
        self._parts: list[Started] | None = None

    def _prepare(self) -> Prepared:
        """Return the prepared problem, which is computed when it is first needed.

        If several threads need it at the same time, each computes the same one. So it is with the
        searches that have not started.
        """
        if self._prepared is None:
            selected = self._selected, self._remaining_items
            self._prepared = prepare(*selected, self.algorithm, self._presolve)
        return self._prepared

    def _start(self) -> Started:
        """Return the search of the whole problem and its unexplored tree."""
        if self._whole is None:
            self._whole = start(self._prepare().spec)
        return self._whole

    def _start_parts(self) -> list[Started]:
        """Return the search of each independent part of the problem and its unexplored tree."""
        parts = self._prepare().parts
        if len(parts) == 1:
            return [self._start()]
        if self._parts is None:
            self._parts = [start(part, len(parts)) for part in parts]
        return self._parts

    @property
    def presolved(self) -> Presolved | None:
        """The options and items that presolving has removed; None without `presolve`.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a", "b"], ["b"], ["b", "c"], ["c"]], presolve=True).presolved
        Presolved(options=[1, 2], forced=[0, 3], items=['b'])
        """
        return self._prepare().presolved

    @property
    def _spec(self) -> ExactCoverSpec:
        return self._start().spec

    @property
    def _unstarted(self) -> Subtree:
        return self._start().unstarted

    def _content(self) -> tuple[Any, ...]:
        """Return what determines the results: the problem, its names and how it is searched."""
        spec, names = self._selected, [list(each) for each in self._names]
        digests = (spec.fingerprint(), spec._replace(problem=self.problem).fingerprint())
        return *digests, names, self._presolve, self.algorithm

    def __eq__(self, other: object) -> bool:
        """Return whether two objects state the same problem, and search it in the same way.

        The seed matters only if choices are random.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover([["a"], ["b"]])
        >>> cover == ExactCover([["a"], ["b"]]), cover == ExactCover([["a"], ["c"]])
        (True, False)
        """
        if not isinstance(other, SearchableProblem):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content()[:2])

    @property
    def links(self) -> Links:
        """The links of the problem that is searched: new arrays of int32.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a", "b"], ["b"]]).links.size.tolist()
        [0, 1, 2]
        """
        return link_problem(self._spec.problem)[0].signed()

    def search(self) -> Search:
        """Create a search, which can be run for some time, inspected, saved, split and resumed.

        Returns
        -------
        Search

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> search = ExactCover([["a"], ["a"], ["b"]]).search()
        >>> search.run(solutions=1), search.done
        ([[0, 2]], False)
        """
        return Search(self._spec, [self._unstarted.copy()])

    def symmetries(
        self,
        functions: ItemFunction | Iterable[ItemFunction] | None = None,
        *,
        limit: int | None = MAX_ORDER,
    ) -> SymmetryGroup:
        """Return all symmetries of the problem, or those that some functions generate.

        A symmetry is a permutation of the items that maps the set of options to itself. It maps
        primary items to primary items with the same multiplicity, secondary items to secondary
        items, the colors of a secondary item one-to-one to those of its image, and options to
        options of the same cost. It maps given options to given ones, and forbidden options to
        forbidden ones; presolving does not affect it. Options with the same items, colors and costs
        are distinct, and no symmetry exchanges them.

        Parameters
        ----------
        functions : callable, mapping or str, or iterable of them, optional
            Functions from items to items. Items that a mapping omits, or for which a function
            returns None, stay fixed, and colors do. The names "rotate90", "rotate180",
            "rotate270", "reflect" (left and right are exchanged), "flip" (top and bottom are
            exchanged), "transpose" and "antitranspose" apply to items that are pairs of integers, a
            row and a column, within their bounding box.
        limit : int or None, default: 100000
            The largest order of the group; None for any.

        Returns
        -------
        SymmetryGroup

        Raises
        ------
        ValueError
            If a function is not a symmetry; the message names the first option that is not mapped
            to an option. If the group is larger than `limit`; the message states its order.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cells = [(row, column) for row in range(4) for column in range(4)]
        >>> pairs = [[(r, c), (r + d, c + 1 - d)] for r, c in cells for d in (0, 1)]
        >>> dominoes = ExactCover([pair for pair in pairs if set(pair) <= set(cells)])
        >>> dominoes.symmetries()
        <SymmetryGroup: order 8, 2 generators>
        >>> rotations = dominoes.symmetries(lambda cell: (cell[1], 3 - cell[0]))
        >>> rotations.order, dominoes.symmetries("rotate90") == rotations
        (4, True)
        >>> dominoes.count(), dominoes.count(up_to_symmetry=True)
        (36, 9)
        """
        stated = self.problem, self._names, self._restriction()
        return find_symmetries(*stated, functions, limit)

    def _restriction(self) -> Restriction:
        """Return the given and forbidden options as arrays."""
        masks = np.zeros((2, self.n_options), np.bool_)
        for mask, options in zip(masks, self._conditions, strict=True):
            mask[resolve_options(options, self.problem, self._names, "option")] = True
        return Restriction(*masks)

    def _symmetries(self) -> SymmetryGroup:
        """Return all symmetries, except those that only exchange items of the same options."""
        stated = self.problem, self._names, self._restriction()
        return find_symmetries(*stated, exchanges_twins=False)

    def _group(self, up_to_symmetry: bool | SymmetryGroup) -> SymmetryGroup | None:
        """Return the group that an argument stands for, or None. Raises ValueError if invalid."""
        if isinstance(up_to_symmetry, bool):
            return self._symmetries() if up_to_symmetry else None
        return check_group(up_to_symmetry, self.problem, self._restriction())

    def _search_orbits(self, group: SymmetryGroup) -> tuple[Search, SmallestFilter]:
        """Return a search that finds the smallest cover of each orbit, and a filter of these."""
        given, forbidden = self._conditions
        never = never_in_smallest(self.problem, group.options)
        never[self._selected.given] = False
        options = [*forbidden, *np.flatnonzero(never).tolist()]
        order = self.choose, self.seed
        selected = select(self.problem, self._names, *order, given, options)
        spec, unstarted = start(prepare(*selected, self.algorithm, self._presolve).spec)
        return Search(spec, [unstarted]), self._smallest_filter(group)

    def _smallest_filter(self, group: SymmetryGroup) -> SmallestFilter:
        return SmallestFilter(group._chain, group._graph.options)

    def _count_orbits(self, group: SymmetryGroup, *arguments: Any) -> OrbitCounter:
        """Return a counter of the solutions up to symmetry; see `OrbitCounter`."""
        preparation = self.algorithm, self._presolve
        return OrbitCounter(self.problem, self._restriction(), group, *preparation, *arguments)
