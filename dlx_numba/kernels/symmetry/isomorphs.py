"""Isomorph rejection: subproblems that differ only in names have equally many covers.

Subproblems are compared by normal forms, in which vertices are renumbered by individualization and
refinement. A normal form describes a problem completely, so subproblems of equal forms are
isomorphic. The converse is not always true, because the renumbering follows only one path of the
search for automorphisms.
"""

import numpy as np

from ...runtime.interrupts import Stop, complete
from ..problem import Problem, select_items
from ..reduce import reduce_problem
from .automorphisms import first_path
from .incidence import build_incidence
from .refine import RefinementWorkspace

# The work to divide a class into one child: for each child, and for each of its nodes
CHILD_UPDATES = 1 << 15
NODE_UPDATES = 1 << 7
BYTES_PER_FORM_BYTE = 3  # memory of a class, whose subproblem is larger than its normal form


class IsomorphClasses:
    """Subproblems up to isomorphism, with multiplicities, which together have all covers.

    The search tree is explored breadth first. Subproblems with more primary items come first, so
    that the multiplicity of a class is final before the class is replaced by its children.

    Parameters
    ----------
    problem : Problem
        A problem without multiplicities.

    Attributes
    ----------
    n_covers : int
        The number of covers found so far.
    n_classes : int
        The number of classes that remain.
    nbytes : int
        The approximate memory of the classes.
    n_divided : int
        The number of classes that were replaced by smaller ones.
    work : int
        The work of dividing them, in updates of a search.
    """

    def __init__(self, problem: Problem) -> None:
        # For each number of primary items, the classes by their normal forms
        self._levels: dict[int, dict[bytes, tuple[Problem, int]]] = {}
        self._parent = problem
        self._multiplicity = 1
        self._untried: list[int] = []  # the options of the parent whose children are missing
        self.n_covers = self.n_classes = self.nbytes = self.n_divided = self.work = 0
        self.add(problem._replace(cost=None), 1)

    @property
    def is_done(self) -> bool:
        """Whether no class remains."""
        return not (self._levels or self._untried)

    @property
    def is_dividing(self) -> bool:
        """Whether some children of a class are still missing."""
        return bool(self._untried)

    @property
    def n_items(self) -> int:
        """The largest number of primary items of a class that remains, or 0."""
        return max(self._levels, default=0)

    @property
    def gain(self) -> float:
        """The mean multiplicity of the classes that remain: the factor that they save."""
        total = sum(n for level in self._levels.values() for _, n in level.values())
        return total / max(1, self.n_classes)

    def pop(self) -> tuple[Problem, int]:
        """Remove one of the largest classes, and return its subproblem and its multiplicity."""
        level = self._levels[self.n_items]
        form = next(iter(level))
        problem, multiplicity = level.pop(form)
        self.n_classes -= 1
        self.nbytes -= BYTES_PER_FORM_BYTE * len(form)
        if not level:
            del self._levels[problem.n_primary]
        return problem, multiplicity

    def add(self, problem: Problem, multiplicity: int) -> None:
        """Add a subproblem with a multiplicity, unless an item has no options."""
        sizes = problem.sizes
        is_primary = np.arange(problem.n_items) < problem.n_primary
        if problem.n_primary == 0:
            self.n_covers += multiplicity
        elif sizes[is_primary].all():
            is_kept = is_primary | (sizes > 1)  # other secondary items exclude nothing
            problem = select_items(problem, np.flatnonzero(is_kept))
            form = normal_form(problem)
            level = self._levels.setdefault(problem.n_primary, {})
            _, previous = level.get(form, (problem, 0))
            if not previous:
                self.n_classes += 1
                self.nbytes += BYTES_PER_FORM_BYTE * len(form)
            level[form] = problem, previous + multiplicity

    def divide(self) -> bool:
        """Add a child of one of the largest classes. Returns whether the class has no others."""
        if not self._untried:
            problem, self._multiplicity = self.pop()
            sizes = problem.primary_sizes  # the children: each option of the smallest item
            self._untried = problem.option_of_node()[problem.items == np.argmin(sizes)].tolist()
            self._parent = problem
            self.n_divided += 1
        option = np.array(self._untried[-1:])
        child = reduce_problem(self._parent, option, option[:0]).problem
        self.add(child, self._multiplicity)
        self.work += CHILD_UPDATES + NODE_UPDATES * len(child.items)
        self._untried.pop()
        return not self._untried


def normal_form(problem: Problem) -> bytes:
    """Return the graph of a problem after its vertices are renumbered."""
    graph = complete(build_incidence(problem, None), Stop())
    leaf, _ = complete(first_path(graph, RefinementWorkspace.allocate(graph.n_vertices)), Stop())
    sizes = problem.n_primary, problem.n_secondary, len(graph.color), problem.n_options
    return np.array(sizes).tobytes() + graph.edges(leaf.position, leaf.order).tobytes()
