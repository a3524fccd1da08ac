"""The class `SymmetryGroup`: symmetries of exact cover problems."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ..kernels.problem import Problem
from ..kernels.symmetry.automorphisms import find_automorphisms
from ..kernels.symmetry.chain import Chain, format_order
from ..kernels.symmetry.incidence import Incidence, Restriction, build_incidence
from ..kernels.symmetry.quotient import build_quotient
from ..kernels.symmetry.smallest import SmallestFilter
from ..runtime.arguments import check_integer
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop, complete, raise_if_stopped
from ..runtime.text import plural
from ..runtime.workers import call_until
from .fixed import Fixed
from .item_functions import ItemFunction, extend_to_options, read_functions
from .lazy_names import LazyNames
from .named_problem import NamedProblem
from .names import Numbers, as_text
from .penalties import Penalties
from .prepare import MAX_ORDER


class SymmetryGroup:
    """A group of symmetries of an exact cover problem, created by `ExactCover.symmetries`.

    A symmetry permutes the items such that each option is mapped to an option. Iteration yields an
    array of int64 for each symmetry, beginning with the identity: the image of each option.

    Parameters
    ----------
    named : NamedProblem
        The problem.
    graph : Incidence
        The graph of the problem.
    chain : Chain
        The group, as automorphisms of the graph.
    is_complete : bool
        Whether these are all symmetries of the problem.

    Attributes
    ----------
    order : int
        The number of symmetries.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> group = ExactCover([["a", "b"], ["b", "c"], ["b"]]).symmetries()
    >>> group.order, group.generators
    (2, [{'a': 'c', 'b': 'b', 'c': 'a'}])
    >>> [image.tolist() for image in group]
    [[0, 1, 2], [1, 0, 2]]
    """

    def __init__(
        self, named: NamedProblem, graph: Incidence, chain: Chain, is_complete: bool
    ) -> None:
        self._named = named
        self.graph = graph
        self.chain = chain
        self.is_complete = is_complete
        self.order = chain.order

    @property
    def _items(self) -> list[Hashable]:
        return list(self._named.names.items)

    @property
    def generators(self) -> list[dict[Hashable, Hashable]]:
        """Symmetries whose products are all symmetries, as the image of each item."""
        return [dict(zip(self._items, self._items, strict=True)) | moved for moved in self._moved()]

    def _moved(self) -> Iterator[dict[Hashable, Hashable]]:
        """Yield the images of the items that each generator moves."""
        items = self._items
        for moved, images in self.chain.generators:
            # The vertices that it moves are sorted, and those of items come first.
            n = int(np.searchsorted(moved, len(items)))
            pairs = zip(moved[:n].tolist(), images[:n].tolist(), strict=True)
            yield {items[item]: items[image] for item, image in pairs}

    @property
    def options(self) -> list[NDArray[np.int64]]:
        """The image of each option under each generator: arrays of int64, shape (options,)."""
        options = self.graph.options
        n = self.chain.n
        generators = (generator.array(n)[options] for generator in self.chain.generators)
        return [images.astype(np.int64) - options.start for images in generators]

    def __iter__(self) -> Iterator[NDArray[np.int64]]:
        """Iterate over the images of the options under each symmetry.

        Raises ValueError if the group needs too much memory.
        """
        options = self.graph.options
        for block in self.chain.elements(np.arange(options.start, options.stop)):
            yield from block.astype(np.int64) - options.start

    def __eq__(self, other: object) -> bool:
        """Return whether two groups have the same generators, and belong to the same problem."""
        if not isinstance(other, SymmetryGroup):
            return NotImplemented
        arrays = self._arrays()
        others = other._arrays()
        is_same = self._items == other._items and len(arrays) == len(others)
        return is_same and all(map(np.array_equal, arrays, others))

    def smallest_filter(self) -> SmallestFilter:
        """Return what selects the covers that are smaller than their images.

        Returns
        -------
        SmallestFilter
        """
        return SmallestFilter(self.chain, self.graph.options)

    def _arrays(self) -> list[NDArray[np.generic]]:
        return [*chain(*self.chain.generators), self.graph.start, self.graph.adjacent]

    def __hash__(self) -> int:
        return hash((self.order, tuple(self._items)))

    def __repr__(self) -> str:
        generators = plural(len(self.chain.generators), "generator")
        return f"<SymmetryGroup: order {format_order(self.order)}, {generators}>"

    def _repr_html_(self) -> str:
        from ..pictures.html import facts  # only notebooks need HTML

        generators = f"{len(self.chain.generators):,}"
        return facts([("order", format_order(self.order)), ("generators", generators)])

    def cycles(self) -> list[str]:
        """Return the generators in cycle notation; items that stay fixed are left out.

        Returns
        -------
        list of str

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a", "b"], ["b", "c"], ["b"]]).symmetries().cycles()
        ['(a c)']
        """
        return list(map(_format_cycles, self._moved()))


def _format_cycles(images: dict[Hashable, Hashable]) -> str:
    """Return a permutation in cycle notation, by the images of the items that it moves."""
    text = ""
    seen: set[Hashable] = set()
    for item in images:
        cycle: list[str] = []
        while item not in seen:
            seen.add(item)
            cycle.append(as_text(item))
            item = images[item]
        if cycle:
            text += f"({' '.join(cycle)})"
    return text or "()"  # only equal options are exchanged


def find_symmetries(
    named: NamedProblem,
    functions: ItemFunction | Iterable[ItemFunction] | None = None,
    limit: int | None = MAX_ORDER,
    *,
    exchanges_twins: bool = True,
    stop: Stop | None = None,
) -> SymmetryGroup:
    """Return the group that functions generate, or all symmetries, as `ExactCover.symmetries` does.

    Parameters
    ----------
    named : NamedProblem
        The problem, with its given and forbidden options.
    functions, limit
        As for `ExactCover.symmetries`.
    exchanges_twins : bool
        Whether the group contains symmetries that only exchange items of the same options.
    stop : Stop, optional
        If it ends the search, `Stopped` is raised.
    """
    stop = stop or Stop()
    end = "all symmetries were found"
    steps = build_incidence(named.distinguished, named.restriction, exchanges_twins=exchanges_twins)
    graph = complete(steps, stop, end)
    if functions is None:
        group = complete(find_automorphisms(graph), stop, end)
    else:
        tables = read_functions(functions, named.names.items)
        images = extend_to_options(graph, named.names, tables)
        group = Chain.generate(images, graph.n_vertices, graph.n_points, stop)
    if limit is not None:
        check_order(group, check_integer(limit, "limit", "for any order"))
    return SymmetryGroup(named, graph, group, functions is None)


def check_order(group: Chain, limit: int) -> None:
    """Raise ValueError if a group has more elements than the limit."""
    if group.order > limit:
        raise ValueError(
            f"the group has {format_order(group.order)} elements, more than the limit of "
            f"{limit:,}; select a smaller one by functions, or raise the limit of symmetries"
        )


def find_group(
    named: NamedProblem, up_to_symmetry: bool | SymmetryGroup, stop: Stop, nothing: object = ()
) -> SymmetryGroup:
    """Return the group that the argument `up_to_symmetry` stands for, which is not False.

    True stands for all symmetries, except those that only exchange items of the same options.
    Raises an exception if the group is invalid, and Stopped, whose partial result is `nothing`, if
    it is not found before it is stopped.
    """
    group = up_to_symmetry
    named.unfixed("up_to_symmetry")
    if group is not True and not isinstance(group, SymmetryGroup):
        raise TypeError(f"up_to_symmetry must be a bool or a SymmetryGroup, not {group!r}")
    try:
        if group is True:
            return find_symmetries(named, exchanges_twins=False, stop=stop)
        return _check_group(named, group, stop, "up_to_symmetry")
    except Stopped as stopped:
        raise Stopped(str(stopped), nothing) from None


def _check_group(
    named: NamedProblem, group: SymmetryGroup, stop: Stop, argument: str
) -> SymmetryGroup:
    """Return a group. Raises ValueError if it belongs to another problem."""
    if group._named is named:
        return group
    steps = build_incidence(named.distinguished, named.restriction)
    graph = complete(steps, stop, "the symmetries were checked")
    has_same_size = (graph.n_vertices, graph.options) == (group.chain.n, group.graph.options)
    if not has_same_size or not all(map(graph.is_automorphism, group.chain.generators)):
        raise ValueError(f"{argument}: the group belongs to another problem")
    # All symmetries of a problem with other costs or conditions may be only some of this one
    is_complete = group.is_complete and group._named.content() == named.content()
    return SymmetryGroup(named, graph, group.chain, is_complete)


def find_fixed(
    named: NamedProblem, symmetry: SymmetryGroup | ItemFunction | Iterable[ItemFunction], stop: Stop
) -> NamedProblem:
    """Return the problem of the covers that a group fixes, as `ExactCover.fixed_by` does."""
    names = named.unfixed("fixed_by").names
    if isinstance(symmetry, SymmetryGroup):
        graph = _check_group(named, symmetry, stop, "fixed_by").graph
        images = [generator.array(graph.n_vertices) for generator in symmetry.chain.generators]
    else:
        # Costs and weights need not be symmetric, because those of an orbit are added.
        plain = Problem(*named.distinguished[:7])  # up to the bounds: without costs and totals
        none = np.zeros(plain.n_options, np.bool_)
        steps = build_incidence(plain, Restriction(none, none))
        graph = complete(steps, stop, "the symmetries were checked")
        images = list(extend_to_options(graph, names, read_functions(symmetry, names.items)))
    generators = map(graph.without_colors, images)
    forbidden = named.restriction.forbidden
    task = call_until(lambda: build_quotient(named.problem, generators, forbidden), stop)
    raise_if_stopped(lambda: not task.has_ended, "the orbits were known")
    problem, items, first, row_of = task.result()
    fixed = Fixed(named, row_of, problem.n_options)
    # For each item of the quotient, `items` has the first item of an orbit, or if it is new, a
    # number above all items. For each item, `first` has the first item of its orbit.
    penalties = names.penalties
    if penalties is not None:
        penalties = _join_penalties(penalties, items, np.bincount(first, minlength=problem.n_items))
    settings = named.settings._replace(
        given=fixed.rows(Numbers(named.selected.given), "given"), forbidden=()
    )
    if not isinstance(settings.choose, str):
        numbers = (names.items[first[names.item_numbers[item]]] for item in settings.choose)
        settings = settings._replace(choose=[*dict.fromkeys(numbers)])
    quotient_names = names._replace(
        items=[names.items[k] if k < len(first) else ("orbit", k) for k in items.tolist()],
        colors=[*names.colors, "all", "none"],
        options=LazyNames(problem.n_options, fixed.name_rows),
        n_uncovered=0,
        table=None,
        penalties=penalties,
        exact_costs=None,
    )
    return NamedProblem(problem, quotient_names, settings, fixed=fixed)


def _join_penalties(
    penalties: Penalties, items: NDArray[np.int64], orbit_size: NDArray[np.int64]
) -> Penalties:
    """Return the penalties of a quotient problem, whose items stand for the orbits of `items`.

    `orbit_size` has the size of each orbit, by its first item. The items of an orbit have equal
    penalties; that of the item for the orbit is their sum.
    """
    kept = np.flatnonzero(np.isin(items, penalties.items))
    order = np.argsort(penalties.items)
    place = order[np.searchsorted(penalties.items[order], items[kept])]
    prices = penalties.prices[place] * orbit_size[items[kept]]
    return Penalties(kept, penalties.needed[place], prices)
