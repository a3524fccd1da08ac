"""The class `CoverDiagram`: all covers of a problem as a directed acyclic graph."""

from __future__ import annotations

import os
import random
from collections.abc import Hashable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from ..kernels.cover_array import NONE, CoverArray, collect_covers, join_covers, select_covers
from ..kernels.csr import row_of
from ..kernels.memo import diagram as kernels
from ..kernels.memo.diagram import NO_COST, REACHED, Limbs
from ..kernels.memo.explore import TRUE, Diagram
from ..kernels.problem import usable_by_kernels
from ..kernels.symmetry.incidence import Restriction
from ..runtime.arguments import UNLIMITED, check_integer
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop, StopEvent, complete, raise_if_stopped
from ..runtime.job import run
from ..runtime.resources import free_memory
from ..runtime.text import format_count, plural
from ..runtime.workers import call_in_thread
from ..search.checkpoint import load_file, save_file
from ..search.thread_runner import check_limit
from .classes import ClassFilter, find_pairs, find_uses
from .covers import Best, Cover, Covers, Frequencies, as_cheapest, as_covers, number_items
from .diagram_covers import draw_covers, list_parts, to_integer
from .diagram_file import KIND, VERSION, DiagramFacts, items_covered_once, restore_diagram
from .diagram_text import format_dot, format_zdd
from .iterables import as_names
from .name_types import NameT
from .named_problem import NamedProblem
from .orbits import OrbitCounter
from .symmetry import SymmetryGroup

WORK_PER_RANGE = 1 << 22  # products of an edge and a limb or a cover, between two checks of `stop`
WORK_PER_TEXT_EDGE = 128
MAX_DOT_NODES = 1000


class CoverDiagram(Generic[NameT]):
    """All covers of an exact cover problem, as a directed acyclic graph in flat arrays.

    `ExactCover.diagram` creates diagrams. A node is a subproblem that the search meets, and an edge
    is an option that it tries there and that leads to a cover. With multiplicities, the last edge
    of a node may stand for no option. Each path from the root to the end is a cover. The number of
    covers may be astronomically larger than the graph, so most methods take time in proportion to
    the graph, regardless of the number of covers.

    A diagram is immutable. Covers are sorted lists of option numbers.

    Parameters
    ----------
    graph : Diagram
        The arrays of the graph.
    facts : DiagramFacts
        What the methods need to know about the problem.
    named : NamedProblem, optional
        The problem. By default, its items are numbers, and its options have no names.

    Attributes
    ----------
    n_options : int
        The number of options of the problem.
    n_nodes, n_edges : int
        The size of the graph, including its two ends.
    order : str
        The rule that chose the items: "smallest", "given", "bandwidth", or "items" if a list of
        items was given.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> cells = range(8)
    >>> dominoes = [[f"{row}{column}" for row, column in ((r, c), (r + down, c + 1 - down))]
    ...             for down in (0, 1) for r in range(8 - down) for c in range(7 + down)]
    >>> diagram = ExactCover(dominoes).diagram()
    >>> diagram.count()
    12988816
    >>> diagram.frequencies()[0]
    6494408
    >>> len(diagram.sample(seed=1)[0])
    32
    """

    def __init__(
        self, graph: Diagram, facts: DiagramFacts, named: NamedProblem | None = None
    ) -> None:
        self._graph = graph
        self._facts = facts
        self._named = named or number_items(facts)
        self._below: Limbs | None = None
        self.n_options = facts.n_options
        self.order = facts.order
        self.n_nodes = graph.n_nodes
        self.n_edges = graph.n_edges

    def __setstate__(self, content: dict[str, Any]) -> None:
        vars(self).update(usable_by_kernels(tuple(content.items())))

    def __repr__(self) -> str:
        nodes = plural(self.n_nodes, "node")
        edges = plural(self.n_edges, "edge")
        return f"<CoverDiagram: {plural(self.count(), 'cover')}, {nodes}, {edges}>"

    def _repr_html_(self) -> str:
        """Return the sizes of the diagram as a table."""
        from ..pictures.html import facts  # only notebooks need HTML

        sizes = {"covers": self.count(), "nodes": self.n_nodes, "edges": self.n_edges}
        nbytes = sum(array.nbytes for array in self._graph)
        memory = {"memory": f"{nbytes:,} bytes", "order of the items": self.order}
        return facts(
            [*((name, format_count(size)) for name, size in sizes.items()), *memory.items()]
        )

    def __bool__(self) -> bool:
        """Return whether there is a cover."""
        return self.n_nodes > TRUE

    def __eq__(self, other: object) -> bool:
        """Return whether two diagrams have the same graph, and belong to the same options.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover([["a"], ["a"]])
        >>> cover.diagram() == cover.diagram()
        True
        """
        if not isinstance(other, CoverDiagram):
            return NotImplemented
        pairs = zip((*self._graph, *self._facts), (*other._graph, *other._facts), strict=True)
        return all(np.array_equal(*pair) for pair in pairs)  # type: ignore[arg-type]

    def __hash__(self) -> int:
        return hash((self.n_options, self._graph.child.tobytes()))

    def __len__(self) -> int:
        """Return the number of covers. Python limits lengths to `sys.maxsize`; see `count`.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> len(ExactCover([["a"], ["a"]]).diagram())
        2
        """
        return self.count()

    def count(
        self,
        *,
        up_to_symmetry: SymmetryGroup | None = None,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> int:
        """Return the exact number of covers. Takes time in proportion to the edges, once.

        Parameters
        ----------
        up_to_symmetry : SymmetryGroup, optional
            A group of symmetries of the problem. Covers that are images of each other count once.
            The covers that an element fixes cannot be read from the graph, so this takes as long as
            `ExactCover.count` does, with a memo.
        seconds : float, optional
            The time limit.
        stop : StopEvent, optional
            An object with a method `is_set`, such as `threading.Event`. The call ends soon after it
            is set.

        Returns
        -------
        int

        Raises
        ------
        Stopped
            If the time limit or `stop` ends the call; up to symmetry, `partial` is a lower bound.
        ValueError
            If the group belongs to another problem, or does not preserve the conditions of
            `condition`.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> pairs = [[item, f"{item}{k}"] for item in range(100) for k in "ab"]
        >>> problem = ExactCover([*pairs, *([name] for _, name in pairs)])
        >>> problem.diagram().count() == 2**100
        True
        """
        condition = Stop(seconds, stop)
        n_covers = to_integer(self._counts(condition)[-1]) if self else 0
        if up_to_symmetry is None:
            return n_covers
        return self._count_orbits(up_to_symmetry, n_covers, condition)

    def _count_orbits(self, group: SymmetryGroup, n_covers: int, stop: Stop) -> int:
        """Return the number of orbits of the covers. Raises exceptions as `count` does."""
        if not isinstance(group, SymmetryGroup):
            raise TypeError(f"up_to_symmetry must be a SymmetryGroup, not {group!r}")
        facts = self._facts
        start, items = items_covered_once(group._named.problem)
        if not (np.array_equal(facts.indptr, start) and np.array_equal(facts.items, items)):
            raise ValueError("up_to_symmetry: the group belongs to another problem")
        # The options of all covers, and those of none, determine the covers, whatever options were
        # given or forbidden.
        frequencies = self.frequencies(stop=stop)
        masks = [[n == number for n in frequencies] for number in (n_covers, 0)]
        restriction = Restriction(*np.array(masks, np.bool_))
        if any((mask[image] != mask).any() for mask in restriction for image in group.options):
            raise ValueError("up_to_symmetry: the group does not preserve the conditions")
        if not self:
            return 0
        counter = OrbitCounter(
            group._named.problem, restriction, group, method="memo", divides=False
        )
        run(counter, stop)
        if not counter.done:
            raise Stopped(f"stopped after {plural(counter.result, 'solution')}", counter.result)
        if counter.n_covers != n_covers:  # other multiplicities or colors
            raise ValueError("up_to_symmetry: the group belongs to another problem")
        return counter.result

    def sample(
        self,
        n: int = 1,
        seed: int | None = None,
        *,
        seconds: float | None = None,
        stop: StopEvent | None = None,
        distinct: Iterable[Hashable] | None = None,
    ) -> Covers[NameT]:
        """Return random covers, each of them drawn uniformly and independently from all covers.

        Takes time in proportion to the options tried on the paths of the covers, after `count`.

        Parameters
        ----------
        n : int, default: 1
            The number of covers; a cover may occur several times.
        seed : int, optional
            The seed for the random choices. By default, it is drawn at random.
        seconds, stop
            As for `count`.
        distinct : iterable of hashable, optional
            As for `ExactCover.solve`: draw uniformly from the covers that differ in these items,
            which takes time in proportion to the number of all covers.

        Returns
        -------
        Covers

        Raises
        ------
        Stopped
            If the call is stopped.
        ValueError
            If `n` is negative, or is positive and the diagram is empty.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> diagram = ExactCover([["a"], ["b"], ["a", "b"]]).diagram()
        >>> all(cover in ([0, 1], [2]) for cover in diagram.sample(5))
        True
        """
        n = check_integer(n, "n", minimum=0)
        if n and not self:
            raise ValueError("the problem has no covers to sample")
        condition = Stop(seconds, stop)
        named = self._named
        if not n:
            return as_covers(named, ())
        generator = random.Random(None if seed is None else check_integer(seed, "seed"))
        if distinct is None:
            below = self._counts(condition)
            parts = draw_covers(self._graph, self._facts, below, n, generator, condition)
            found = collect_covers(parts, n)
            raise_if_stopped(condition)
            return as_covers(named, found)
        pairs = find_pairs(named.names, as_names(distinct, "distinct"))
        uses = complete(find_uses(named.problem, named.names.n_listed, pairs), condition)
        classes = ClassFilter(uses, self.n_options)
        parts = self._parts(UNLIMITED, condition)
        found = join_covers([select_covers(covers, classes.first(covers)) for covers in parts])
        raise_if_stopped(condition)
        chosen = [generator.randrange(len(found)) for _ in range(n)]
        return as_covers(named, select_covers(found, np.array(chosen, np.int64)))

    def covers(
        self,
        limit: int | None = None,
        *,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> Covers[NameT]:
        """Return all covers, or up to `limit`, in the order of the search.

        With the order "smallest", these are the covers of `ExactCover.solve` in the same order,
        unless there are multiplicities.

        Parameters
        ----------
        limit : int, optional
            The largest number of covers.
        seconds, stop
            As for `count`.

        Returns
        -------
        Covers

        Raises
        ------
        Stopped
            If the call is stopped; `partial` has the covers so far.
        MemoryError
            If the covers need more memory than there is.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a"], ["b"], ["a", "b"]]).diagram().covers()
        [[0, 1], [2]]
        """
        condition = Stop(seconds, stop)
        wanted = check_limit(limit, "limit")
        n_covers = min(wanted, self.count(stop=condition))
        first = next(self._parts(1, condition), NONE)
        n_bytes = n_covers * (first.options.nbytes + first.indptr.itemsize)
        if n_bytes > free_memory():
            size = f"{plural(n_covers, 'cover')} need some {format_count(n_bytes)} bytes"
            raise MemoryError(f"{size}; iterate over the diagram, or give a limit")
        found = collect_covers(self._parts(n_covers, condition), n_covers)
        covers = as_covers(self._named, found, len(found) == n_covers)
        if not covers.done:
            raise Stopped(f"stopped after {plural(len(covers), 'cover')}", covers)
        return covers

    def __iter__(self) -> Iterator[Cover[NameT]]:
        """Iterate over all covers, as `covers` returns them.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> list(ExactCover([["a"], ["b"], ["a", "b"]]).diagram())
        [[0, 1], [2]]
        """
        for covers in self._parts(UNLIMITED, Stop()):
            yield from as_covers(self._named, covers)

    def __contains__(self, options: object) -> bool:
        """Return whether a collection of option numbers, in any order, is a cover.

        Takes time in proportion to the edges on one path.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> diagram = ExactCover([["a"], ["b"], ["a", "b"]]).diagram()
        >>> [1, 0] in diagram, [0, 2] in diagram
        (True, False)
        """
        if not isinstance(options, Iterable) or not self:
            return False
        given = list(options)
        try:
            left = set(given)
        except TypeError:  # not numbers
            return False
        if len(left) != len(given) or self.n_options in left or not left >= {*self._facts.fixed}:
            return False
        left.difference_update(self._facts.fixed)
        start, option, child = self._graph
        node = self.n_nodes - 1
        while node != TRUE:
            edges = range(start[node], start[node + 1])
            # The first one is right: below an edge, the options of those before it are excluded.
            # The last edge may choose no option.
            matching = (k for k in edges if option[k] in left or option[k] == self.n_options)
            edge = next(matching, None)
            if edge is None:
                return False
            left.discard(option[edge])
            node = child[edge]
        return not left

    def frequencies(
        self, *, seconds: float | None = None, stop: StopEvent | None = None
    ) -> Frequencies:
        """Return the exact number of covers that contain each option.

        Takes time in proportion to the edges.

        Parameters
        ----------
        seconds, stop
            As for `count`.

        Returns
        -------
        Frequencies
            A list with an integer for each option of the problem, by its number.

        Raises
        ------
        Stopped
            If the call is stopped.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a"], ["b"], ["b"], ["a", "b"]]).diagram().frequencies()
        [2, 1, 1, 1]
        """
        frequencies = Frequencies([0] * self.n_options)
        frequencies._named = self._named
        if not self:
            return frequencies
        condition = Stop(seconds, stop)
        below = self._counts(condition)
        n_limbs = below.shape[1]
        above = np.zeros_like(below)
        sums = np.zeros((self.n_options + 1, n_limbs), np.uint32)
        above[-1, 0] = 1
        # An edge is in as many covers as paths lead to it from the root, times covers below it.
        for nodes in self._ranges(condition, n_limbs, descends=True):
            kernels.count_above(self._graph, *nodes, above)
        for nodes in self._ranges(condition, n_limbs**2):
            kernels.count_options(self._graph, *nodes, above, below, sums)
        for option in np.flatnonzero(sums[:-1].any(axis=1)).tolist():
            frequencies[option] = to_integer(sums[option])
        frequencies._n_covers = self.count()
        for option in self._facts.fixed:
            frequencies[option] = frequencies._n_covers
        return frequencies

    def cheapest(
        self, k: int = 1, *, seconds: float | None = None, stop: StopEvent | None = None
    ) -> Covers[NameT]:
        """Return the `k` covers of lowest cost; of equal costs, those that the search finds first.

        Takes time and memory in proportion to `k` times the size of the graph. If no costs are
        given, options count, as for `ExactCover.cheapest`.

        Parameters
        ----------
        k : int, default: 1
            The largest number of covers.
        seconds, stop
            As for `count`.

        Returns
        -------
        Covers
            A sequence of covers in ascending order of their costs.

        Raises
        ------
        Stopped
            If the call is stopped.
        ValueError
            If `k` is less than 1, or an item that may be covered several times has a penalty.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> problem = ExactCover([["a"], ["a", "b"], ["b"], ["b"]], costs=[1, 5, 2, 7])
        >>> [(cover, cover.cost) for cover in problem.diagram().cheapest(2)]
        [([0, 2], 3), ([1], 5)]
        """
        k = check_integer(k, "k", minimum=1)
        if self._facts.lacks_penalties:
            raise ValueError("a diagram lacks penalties of items with multiplicities")
        facts = self._facts
        graph = self._graph
        condition = Stop(seconds, stop)
        if not self:
            return Covers(done=True)
        cost = np.zeros(self.n_options + 1, np.int64)  # the last one is that of no option
        named = self._named.counted()
        if named.problem.cost is not None:
            cost[:-1] = named.problem.cost
        k = min(k, self.count(stop=condition))
        # For each node, the costs of the k cheapest ways to the end; the pass fills the large rows
        best = np.empty((self.n_nodes, k), np.int64)
        best[: TRUE + 1] = NO_COST
        best[TRUE, 0] = 0
        # For cover r of a node, its first edge, and which cover of the node below follows
        edge_of = np.zeros((self.n_nodes, k), np.int64)
        rank_of = np.zeros(best.shape, np.int32)
        rank = np.zeros(int(np.diff(graph.start).max()) + 1, np.int32)
        for nodes in self._ranges(condition, k):
            kernels.find_cheapest(graph, *nodes, cost, best, edge_of, rank_of, rank)
        fixed_cost = int(cost[facts.fixed].sum())
        covers = []
        for r in range(k):
            raise_if_stopped(condition)
            node = self.n_nodes - 1
            options = list(facts.fixed)
            its_rank = r  # of what remains of the cover, among the best of the node
            while node != TRUE:
                edge = edge_of[node, its_rank]
                its_rank = rank_of[node, its_rank]
                node = int(graph.child[edge])
                options.append(int(graph.option[edge]))
            cover = sorted({*options} - {self.n_options})
            covers.append((int(best[-1, r]) + fixed_cost, cover))
        # Row -1 is the root; its last cost, the highest of these k, bounds those of all others.
        cheapest = Best(sorted(covers), int(best[-1, -1]) + fixed_cost, True)
        return as_cheapest(named, cheapest, k)

    def condition(
        self,
        given: Iterable[Hashable] = (),
        forbidden: Iterable[Hashable] = (),
        *,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> CoverDiagram[NameT]:
        """Return a diagram of the covers that contain some options and do not contain others.

        Takes time in proportion to the size of the graph; there is no new search. The order of the
        covers remains. If no cover meets the condition, the diagram is empty.

        Parameters
        ----------
        given, forbidden : iterable of hashable
            Options by number or name; those of a diagram from a file have numbers only.
        seconds, stop
            As for `count`.

        Returns
        -------
        CoverDiagram

        Raises
        ------
        Stopped
            If the call is stopped.
        ValueError
            If an option does not exist.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> diagram = ExactCover([["a"], ["b"], ["b"], ["a", "b"]]).diagram()
        >>> list(diagram.condition(given=[0], forbidden=[1]))
        [[0, 2]]
        """
        facts = self._facts
        diagram = self
        limits = Stop(seconds, stop)
        is_removed = np.zeros(self.n_options + 1, np.bool_)  # the last one is no option
        option_of = np.repeat(np.arange(self.n_options), np.diff(facts.indptr))
        for option in self._named.numbers_of(given, "given"):
            items = row_of(facts.items, facts.indptr, option)
            if len(items):
                # Each cover contains one of the options of the first item: this one if it is not
                # another.
                others = option_of[np.isin(facts.items, items[:1])]
                is_removed[others[others != option]] = True
            elif option not in facts.fixed:  # none of its items is covered only once
                has_nodes = diagram.n_nodes > TRUE + 1
                graph = kernels.require_option(diagram._graph, option) if has_nodes else EMPTY
                diagram = CoverDiagram(graph, facts, self._named)
                # Nodes that no cover passes now are removed.
                diagram = diagram._without(np.zeros_like(is_removed), limits)
        is_removed[self._named.numbers_of(forbidden, "forbidden")] = True
        return diagram._without(is_removed, limits)

    def _without(self, is_removed: NDArray[np.bool_], stop: Stop) -> CoverDiagram[NameT]:
        """Return a diagram of the covers without some options."""
        facts = self._facts
        graph = self._graph
        if not self or is_removed[facts.fixed].any():
            return CoverDiagram(EMPTY, facts, self._named)
        if self.n_nodes == TRUE + 1:
            return self
        number = np.zeros(self.n_nodes, np.uint32)  # marks of nodes, then their new numbers
        number[TRUE] = 1
        for nodes in self._ranges(stop, 1):
            kernels.mark_possible(graph, *nodes, is_removed, number)
        if not number[-1]:
            return CoverDiagram(EMPTY, facts, self._named)
        number[-1] = REACHED
        for nodes in self._ranges(stop, 1, descends=True):
            kernels.mark_reached(graph, *nodes, is_removed, number)
        restricted = Diagram(*map(np.zeros_like, graph))
        sizes = np.array([TRUE + 1, 0])  # of a diagram of FALSE and TRUE
        # -1: nodes whose only edge has no option are kept.
        for nodes in self._ranges(stop, 1):
            kernels.copy_nodes(graph, *nodes, number, number, is_removed, restricted, sizes, -1)
        return CoverDiagram(restricted.truncated(int(sizes[kernels.N_NODES])), facts, self._named)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the diagram to a file in NumPy's `.npz` format, completely or not at all.

        Names of items and options are not stored.

        Parameters
        ----------
        path : str or path-like

        Raises
        ------
        OSError
            If the file cannot be written.

        Examples
        --------
        >>> import os, tempfile
        >>> from dlx_numba import ExactCover
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "diagram.npz")
        ...     ExactCover([["a"], ["a"]]).diagram().save(path)
        ...     CoverDiagram.load(path).count()
        2
        """
        save_file(path, KIND, VERSION, {**self._graph._asdict(), **self._facts._asdict()})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> CoverDiagram:
        """Read a diagram that `save` wrote. This runs no code from the file.

        Parameters
        ----------
        path : str or path-like

        Returns
        -------
        CoverDiagram

        Raises
        ------
        ValueError
            If the file is not a diagram, is damaged, or has another version. The message names the
            file.
        OSError
            If the file cannot be read.
        """
        return cls(*call_in_thread(partial(load_file, path, KIND, VERSION, restore_diagram)))

    def to_dot(self) -> str:
        """Return the graph in the DOT language of Graphviz; edges have the numbers of options.

        With multiplicities, an option is not chosen along a dashed edge.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            If the graph has more than 1,000 nodes.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> print(ExactCover([["a"], ["a"]]).diagram().to_dot())
        digraph covers {
          node [shape=circle, label=""];
          1 [shape=box, label="1 cover"];
          2 [label="2"];
          2 -> 1 [label="0"];
          2 -> 1 [label="1"];
        }
        """
        if self.n_nodes > MAX_DOT_NODES:
            raise ValueError(
                f"a drawing of {self.n_nodes:,} nodes is not readable; the limit is "
                f"{MAX_DOT_NODES:,}"
            )
        counts = list(map(to_integer, self._counts(Stop()))) if self else []
        return format_dot(self._graph, counts, self.n_options)

    def zdd_options(self) -> list[int]:
        """Return all options of the problem in the order of the levels of `to_zdd`.

        Returns
        -------
        list of int

        Raises
        ------
        ValueError
            If the items have no fixed order.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["b"], ["a", "b"], ["a"]]).diagram(order=["a"]).zdd_options()
        [1, 2, 0]
        """
        levels = self._facts.levels
        if levels is None:
            raise ValueError(
                "the items have no fixed order, so the diagram is not a ZDD; use an order other "
                'than "smallest"'
            )
        return levels.tolist()

    def to_zdd(self, *, seconds: float | None = None, stop: StopEvent | None = None) -> str:
        """Return a zero-suppressed decision diagram in the text format of Graphillion.

        The variables are the options; level k is option `zdd_options()[k - 1]`. Graphillion reads
        the text with `setset.loads` after `setset.set_universe(diagram.zdd_options())`. Takes time
        in proportion to the edges.

        Parameters
        ----------
        seconds, stop
            As for `count`.

        Returns
        -------
        str

        Raises
        ------
        Stopped
            If the call is stopped.
        ValueError
            If the items have no fixed order.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> print(ExactCover([["a"], ["b"], ["a", "b"]]).diagram(order="given").to_zdd(), end="")
        2 3 B T
        4 2 B T
        6 1 4 2
        .
        """
        ranges = self._ranges(Stop(seconds, stop), WORK_PER_TEXT_EDGE)
        return format_zdd(self._graph, self.zdd_options(), self._facts.fixed, ranges)

    def _ranges(
        self, stop: Stop, work_per_edge: int, *, descends: bool = False
    ) -> Iterator[tuple[int, int]]:
        """Yield ranges of nodes for the parts of a pass. Raises Stopped if `stop` is set.

        Together, they have all nodes but FALSE and TRUE. A range has about as many edges as take
        WORK_PER_RANGE, or is a single node.
        """
        step = max(1, WORK_PER_RANGE // work_per_edge)
        cuts = np.searchsorted(self._graph.start, np.arange(step, self.n_edges, step))
        bounds = np.unique([TRUE + 1, *cuts, max(TRUE + 1, self.n_nodes)]).tolist()
        ranges = list(pairwise(bounds))
        for nodes in reversed(ranges) if descends else ranges:
            raise_if_stopped(stop)
            yield nodes

    def _parts(self, limit: int, stop: Stop) -> Iterator[CoverArray]:
        """Yield up to `limit` covers in the order of the search, as `list_parts` does."""
        return list_parts(self._graph, self._facts, limit, stop)

    def _counts(self, stop: Stop) -> Limbs:
        """Return the number of covers of each node (nodes, limbs).

        A limb is a digit in base 2**32, the lowest first. If a number has more limbs than are
        provided, so that `count_below` returns False, the pass is repeated with twice as many.
        """
        if self._below is None:
            n_limbs = 2
            while True:
                below = np.zeros((self.n_nodes, n_limbs), np.uint32)
                below[TRUE, 0] = 1
                ranges = self._ranges(stop, n_limbs)
                if all(kernels.count_below(self._graph, *nodes, below) for nodes in ranges):
                    break
                n_limbs *= 2
            self._below = below
        return self._below


EMPTY = Diagram(np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.uint32))
