"""Count and enumerate covers up to symmetry."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..kernels.components import label_components
from ..kernels.cover_array import CoverArray, as_array
from ..kernels.csr import any_in_rows
from ..kernels.problem import Problem, ProblemPart, select_items, select_options
from ..kernels.reduce import ConflictError, reduce_problem
from ..kernels.symmetry.automorphisms import find_automorphisms
from ..kernels.symmetry.chain import MAX_CLASSIFIED, Chain
from ..kernels.symmetry.incidence import Incidence, Restriction, build_incidence
from ..kernels.symmetry.quotient import quotient_problem
from ..kernels.symmetry.smallest import SmallestFilter, never_in_smallest
from ..runtime.choices import Method
from ..runtime.errors import Stopped
from ..runtime.interrupts import Steps, Stop
from ..runtime.job import Counters, StepsOf, Work
from ..runtime.text import plural
from ..runtime.workers import call_until
from ..search.exploration import Exploration
from ..search.finder import TreeFinder, n_wanted
from ..search.prepared import PreparedProblem
from ..search.resumable import Computation
from ..search.search import MAX_ITERATED
from ..search.thread_runner import Workers
from .counting import CoverCounter
from .covers import Best
from .named_problem import NamedProblem
from .names import Numbers
from .prepare import DEFAULTS, MAX_ORDER, Settings, simplify
from .symmetry import SymmetryGroup, check_order, find_group

MAX_COLLECTED = 1 << 16  # covers between two selections of representatives
MAX_IMAGES = 16  # of a cover that are expected among the cheapest covers
# Covers without smaller images are sought while that takes less work than the conjugacy classes, or
# less than MIN_WORK. After FIRST_UPDATES, the search goes on unless it is far from that.
MIN_WORK = 1 << 22
FIRST_UPDATES = 1 << 15
LEEWAY = 8
ELEMENT_WORK = 128  # updates that take as long as classifying an element by a generator
LARGE = 1 << 14  # a thread finds the quotients of problems with so many options
WORK_PER_STEP = 1 << 20  # updates, about as long as a comparison of covers with some images


class OrbitCounter(Computation):
    """A resumable count of the covers of a problem up to symmetry, by Burnside's lemma.

    The number of orbits is the mean number of covers that an element of the group fixes. These
    correspond to the covers of a quotient problem. Conjugate elements fix equally many. But covers
    without smaller images take less time to find if they are few, or the group is large.

    All symmetries together exchange isomorphic components. If each of n such components has k
    orbits, the orbits of their covers are the multisets of n of these k. So only one component of
    each class is counted.

    Parameters
    ----------
    problem : Problem
        The problem with its names.
    restriction : Restriction
        Its given and forbidden options.
    group : SymmetryGroup or None
        None for all symmetries; the count then begins by finding them.
    settings : Settings, optional
        How to search, and whether the quotient problems are presolved.
    method : str
        As for `ExactCover.count`.
    divides : bool, default: True
        Whether to count component by component under a group of all symmetries. A run raises
        ValueError if a component has more symmetries than the group, and more than MAX_ORDER.

    Attributes
    ----------
    done : bool
        Whether the orbits have been counted.
    method : {"search", "memo"}
        The method that has counted most recently.
    n_covers : int
        The number of covers, not up to symmetry, of the component that is being counted, as soon as
        it is known. The method "memo" always counts them.
    """

    done = False

    def __init__(
        self,
        problem: Problem,
        restriction: Restriction,
        group: SymmetryGroup | None,
        settings: Settings = DEFAULTS,
        method: Method = "auto",
        *,
        divides: bool = True,
    ) -> None:
        super().__init__("counter")
        self._wanted = method
        self._settings = settings
        self._steps = self._count(problem, restriction, group, divides)
        next(self._steps)
        self._text = "the symmetries are not known yet"
        # Of the classes of components that are done, and of their covers up to symmetry
        self._n_left = 1
        self._product = 1
        # Of the current class
        self._n_equal = 1  # components
        self._order = 1  # of the group
        self._total = 0  # of the covers that each element fixes
        self._known: dict[str, int] = {}  # the number of covers of each quotient problem
        self._counter: CoverCounter | None = None  # of a quotient problem
        self._size = 0  # of its conjugacy class
        self._work = np.zeros(2, np.int64)
        self.method = "search"
        self.n_covers = 0

    @property
    def result(self) -> int:
        """The number of orbits; before the end, a lower bound."""
        if self.done:
            return self._product
        total = self._total + (self._size * self._counter.result if self._counter else 0)
        return self._product_with(-(-total // self._order)) if self._n_left == 1 else 0

    def _product_with(self, n_orbits: int) -> int:
        """Return the product of the classes so far with the multisets of the next one's orbits."""
        return self._product * math.comb(n_orbits + self._n_equal - 1, self._n_equal)

    def counters(self) -> Counters:
        """Return the number of orbits and the work, as `CoverCounter.counters` does."""
        nodes, updates = self._work.tolist()
        return Counters(self.result, nodes, updates)

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        return self._text if self._counter is None else f"{self._text}, {self._counter}"

    def step(self, work: Work) -> None:
        self._steps.send(work)

    def _count(
        self, problem: Problem, restriction: Restriction, group: SymmetryGroup | None, divides: bool
    ) -> StepsOf[None]:
        """Count the orbits of all covers, or of the covers of each class of equal components.

        The second case is that of all symmetries, also if there is no `group` yet, for which
        `divides` must be true. The number is then a product: members of a class are in any order,
        so its covers are multisets. Each `yield` receives the work of the next step, beginning with
        the first one, at which the constructor stops.
        """
        yield
        if group is not None and not (divides and group.is_complete):
            self._product = yield from self._count_orbits(
                problem, restriction, group.graph, group.chain
            )
        elif problem.lacks_options:  # an item without options is in no component
            self._product = 0
        else:
            classes = [(problem, restriction, 1)]
            if problem.total_low is None:
                classes = yield from _component_classes(problem, restriction)
            self._n_left = len(classes)
            for component, own, n_equal in classes:
                self._n_equal = n_equal
                graph = yield from build_incidence(component, own, exchanges_twins=False)
                chain = yield from find_automorphisms(graph)
                check_order(chain, max(MAX_ORDER, group.order if group else 0))
                n_orbits = yield from self._count_orbits(component, own, graph, chain)
                self._product = self._product_with(n_orbits)
                self._total = 0
                self._n_left -= 1
                if n_orbits == 0:
                    break
        self.done = True
        yield  # the last step ends here

    def _count_orbits(
        self, problem: Problem, restriction: Restriction, graph: Incidence, chain: Chain
    ) -> StepsOf[int]:
        """Count the orbits of the covers of a problem under a group.

        Covers without smaller images are counted if that takes less work. Otherwise, by Burnside's
        lemma, one element of each conjugacy class is examined; `_size` is that of the class.
        """
        n_orbits = yield from self._count_smallest(problem, restriction, graph, chain)
        if n_orbits is not None:
            return n_orbits
        first, sizes = yield from chain.conjugacy_classes()
        self._order = chain.order
        for n_done, (index, self._size) in enumerate(
            zip(first.tolist(), sizes.tolist(), strict=True)
        ):
            classes = plural(len(first), "conjugacy class", "conjugacy classes")
            self._text = f"{n_done:,} of {classes} counted"
            work = yield
            image = graph.without_colors(chain.element(index))
            n_fixed = 0
            find = partial(quotient_problem, problem, [image], restriction)
            if problem.n_options < LARGE:
                quotient = find()
            else:  # which takes up to seconds
                task = call_until(find, work.stop)
                while not task.has_ended:
                    work = yield
                    task.wait(work.stop)
                quotient = task.result()
            if quotient is not None:
                n_fixed = yield from self._count_covers(quotient)
            self._total += self._size * n_fixed
            if n_done == 0:  # the identity
                self.n_covers = n_fixed
        return self._total // self._order

    def _count_smallest(
        self, problem: Problem, restriction: Restriction, graph: Incidence, chain: Chain
    ) -> StepsOf[int | None]:
        """Count the covers without smaller images; None if conjugacy classes may take less work."""
        # The work of finding the conjugacy classes, or MIN_WORK; infinite if the group is too large
        most: float = max(MIN_WORK, ELEMENT_WORK * chain.order * len(chain.generators))
        if chain.order > MAX_CLASSIFIED:
            most = math.inf
        if self._wanted == "memo" or chain.order == 1:
            return None
        never = never_in_smallest(problem, chain.orbit[graph.options] - graph.options.start)
        left = _reduce(problem, restriction, never)
        if left is None:
            return 0
        problem, options, _ = left
        search = yield from self._start_search(problem)
        select = SmallestFilter(chain, graph.options)
        self._text = "seeking covers without smaller images"
        n_orbits = 0
        while not search.done:
            is_first = search.work < FIRST_UPDATES
            updates = FIRST_UPDATES - search.work if is_first else WORK_PER_STEP
            work = yield
            covers, _ = search.find_covers(work.stop, MAX_COLLECTED, updates)
            is_over = is_first and search.work >= FIRST_UPDATES
            # The whole search is expected to take work / explored.
            if is_over and search.work > LEEWAY * search.explored * most:
                return None
            left_work = most - search.work  # negative if the conjugacy classes would take less
            chosen = CoverArray(options[covers.options].astype(np.int32), covers.indptr)
            # Comparing covers with their images is work, too: WORK_PER_STEP for each call.
            n_found = yield from select.count(chosen, left_work / WORK_PER_STEP)
            if n_found is None or (left_work < 0 and not search.done):
                return None
            n_orbits += n_found
        self._work = self._work + search.counters()[1:]
        return n_orbits

    def _start_search(self, problem: Problem) -> StepsOf[Exploration]:
        """Return the search for the covers of a problem, which a step of work simplifies."""
        spec = PreparedProblem(problem, algorithm=self._settings.algorithm)
        work = yield
        return Exploration(simplify(spec, self._settings.presolve or None, work.stop))

    def _count_covers(self, problem: Problem) -> StepsOf[int]:
        """Count the covers of a quotient problem; equal ones only once.

        While it counts, `result` reads `_counter`.
        """
        spec = PreparedProblem(problem, algorithm=self._settings.algorithm)
        key = spec.fingerprint()
        if key not in self._known:
            work = yield
            prepared = simplify(spec, self._settings.presolve, work.stop)
            self._counter = CoverCounter(prepared, self._wanted, self._settings)
            while not self._counter.done:
                self._counter.step(work)
                self.method = self._counter.method
                work = yield
            self._known[key], *n_done = self._counter.counters()
            self._work = self._work + n_done
            self._counter = None
        return self._known[key]


def start_orbit_counter(
    named: NamedProblem, method: Method, up_to_symmetry: bool | SymmetryGroup, stop: Stop
) -> OrbitCounter:
    """Return a counter of the orbits of covers, as `ExactCover.count` finds them.

    Penalties of items with multiplicities belong to the group, and not to the components.
    """
    named.unfixed("up_to_symmetry").selected.reject_literal("count up to symmetry")
    divides = named.names.penalties is None
    group = None
    if up_to_symmetry is not True or not divides:
        group = find_group(named, up_to_symmetry, stop, 0)
    settings = named.settings
    return OrbitCounter(named.problem, named.restriction, group, settings, method, divides=divides)


def _reduce(
    problem: Problem, restriction: Restriction, excluded: NDArray[np.bool_] | np.bool_
) -> ProblemPart | None:
    """Return a problem reduced by its given, forbidden and forced options.

    Options that are `excluded` are left out, too: no cover to find contains them, unless they are
    given or forced. Returns None if given or forced options exclude each other.
    """
    forbidden = restriction.forbidden | ~problem.has_primary
    given = restriction.given | problem.is_forced(~forbidden)  # or forced, with all images
    left_out = forbidden | (excluded & ~given)
    try:
        return reduce_problem(problem, np.flatnonzero(given), np.flatnonzero(left_out))
    except ConflictError:
        return None


def _component_classes(
    problem: Problem, restriction: Restriction
) -> Steps[list[tuple[Problem, Restriction, int]]]:
    """Return a component of each isomorphism class, and the number of components in it.

    Items that are in no option are left out.
    """
    graph = yield from build_incidence(problem, restriction, exchanges_twins=False)
    chain = yield from find_automorphisms(graph)
    label = np.empty(problem.n_items, np.int64)  # of each item: the first one of its component
    label_components(problem.indptr, problem.items, problem.n_items, label)
    # Components are isomorphic if they have items of the same orbit: a symmetry that maps one of
    # these items to the other maps their components, too. The class is the lowest of the orbits.
    class_of = np.full(problem.n_items, problem.n_items)
    np.minimum.at(class_of, label, chain.orbit[: problem.n_items])
    is_used = problem.sizes > 0
    starts = np.flatnonzero(is_used & (label == np.arange(problem.n_items)))
    _, numbers, sizes = np.unique(class_of[starts], return_index=True, return_counts=True)
    classes = []
    for begin, size in zip(starts[numbers].tolist(), sizes.tolist(), strict=True):
        is_own = label == begin
        options = np.flatnonzero(any_in_rows(problem.indptr, is_own[problem.items]))
        component = select_items(select_options(problem, options), np.flatnonzero(is_own))
        classes.append((component, Restriction(*(mask[options] for mask in restriction)), size))
        yield
    return classes


def smallest_problem(named: NamedProblem, group: SymmetryGroup, stop: Stop) -> PreparedProblem:
    """Return a problem whose covers contain the smallest cover of each orbit."""
    options = group.graph.options
    orbit = group.chain.orbit[options] - options.start
    never = never_in_smallest(named.problem, orbit)
    never[named.selected.given] = False
    forbidden = Numbers(named.forbidden + np.flatnonzero(never).tolist())
    return named.changed(forbidden=forbidden).prepare(stop)


class SmallestFinder(TreeFinder):
    """A search for the covers that are smaller than their images.

    Parameters
    ----------
    spec : PreparedProblem
        A problem whose covers contain the smallest cover of each orbit.
    workers : Workers
    group : SymmetryGroup
    """

    done = False

    def __init__(self, spec: PreparedProblem, workers: Workers, group: SymmetryGroup) -> None:
        super().__init__(spec, None, workers)
        self._select = group.smallest_filter()
        self._n_most = 0  # covers of the next step

    @property
    def method(self) -> str:
        return "orbits"

    def step(self, work: Work) -> None:
        """Find the next covers, more in each step, and keep those smaller than their images."""
        n_most = self._n_most or min(max(1, n_wanted(work)), MAX_ITERATED)
        covers, is_complete = self.find_covers(work.stop, n_most)
        smallest, n_compared = self._select.select(covers, work.stop)
        self.add(smallest, work)
        # The search has ended only if it found fewer covers than it sought. After a stop in the
        # comparison it is not done, and is not continued: covers that were not compared are lost.
        self.done = is_complete and n_compared == len(covers) < n_most
        self._n_most = min(2 * n_most, MAX_COLLECTED)

    def counters(self) -> Counters:
        """Return the numbers of covers, nodes and updates so far."""
        return super().counters()._replace(solutions=self.n_found)


def find_cheapest_representatives(
    find: Callable[[int], Best],
    named: NamedProblem,
    up_to_symmetry: bool | SymmetryGroup,
    stop: Stop,
    k: int,
) -> Best:
    """Return the k cheapest covers that are smaller than their images, or the best known.

    `find` returns a number of cheapest covers with their costs. Many may be images of each other,
    and it may leave out some of those with the highest cost, so it is asked for more and more.
    """
    try:
        group = find_group(named, up_to_symmetry, stop)
    except Stopped:
        return Best()
    select = group.smallest_filter()
    n = k * min(select.order, MAX_IMAGES)  # so many covers may be the images of `k` of them
    while True:
        covers, bound, is_done, error = find(n)
        listed = as_array([options for _, options in covers])
        selected, n_compared = select.select(listed, stop)
        smallest = set(map(tuple, selected))
        is_done = is_done and n_compared == len(covers)
        chosen = [(cost, options) for cost, options in covers if tuple(options) in smallest]
        if len(chosen) >= k or len(covers) < n or not is_done:
            chosen = chosen[:k]
            if is_done:
                bound = chosen[-1][0] if chosen else None  # no other representative costs less
            elif bound is not None:  # the smallest image of a cover may not be known
                bound = min([bound, *(pair[0] for pair in covers if pair not in chosen)])
            return Best(chosen, bound, is_done, error)
        n *= 2
