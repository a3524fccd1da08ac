"""A problem prepared for searches, which share what does not change."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.algorithms import (
    MIN_TRIAL_UPDATES,
    TRIAL_UPDATES,
    linked_class,
    may_use_bitmaps,
    suggest_algorithm,
    try_links,
    updates_of_slice,
)
from ..kernels.components import may_be_divisible, split_problem
from ..kernels.cover_array import NO_NUMBERS, UNCHANGED, Translation
from ..kernels.dlx.algorithm_x import SubtreeX
from ..kernels.dlx.branching import Branching, BranchingRule
from ..kernels.dlx.links import MAX_NODES
from ..kernels.narrow import FIRST_COVERS
from ..kernels.problem import Problem, ProblemPart
from ..kernels.subtree import Subtree
from ..runtime.archive import check_integers
from ..runtime.arguments import UNLIMITED, check_choice
from ..runtime.choices import ALGORITHMS, AUTO
from ..runtime.lazy import LazySequence

if TYPE_CHECKING:
    from typing_extensions import Self

    from ..kernels.batch.search import BatchSearch
    from ..kernels.bitset.bitmaps import RootBuilder
    from ..kernels.presolve import PresolveResult


MAX_COLOR = 2**31 - 1
SIGNED = ("cost", "total_low", "total_high", "weight")  # arrays with negative numbers
DEFAULT_RULE = BranchingRule()


@dataclass(eq=False, repr=False)
class PreparedProblem:
    """A problem to search, how to search it, and how its covers map to the user's problem.

    The algorithm, the tables and the components are computed when they are first needed, and
    cached. If several threads need them at the same time, each of them computes the same.

    Parameters
    ----------
    problem : Problem
    option_numbers : ndarray of int64, shape (options,), optional
        The user's number of each option, by default the same.
    given : list of int
        Options that belong to each cover in addition to those found.
    rule : BranchingRule
    algorithm : str
        One of `kernels.algorithms.ALGORITHMS`, or "auto" until the first search chooses one.
    n_components : int, default: 1
        The number of components of the user's problem, if this is one of them.

    Attributes
    ----------
    presolving : tuple of list of int, or None
        If the problem is presolved: the options that are in no cover, those in each cover (by the
        user's numbers), and the items removed (by those before the problem was simplified).
    kept_items : ndarray of int64, shape (items,), or None
        The numbers that the items had before the problem was simplified, if some have changed.
    proofs : dict
        Whether it is proven that there is no cover, by the updates before the proof was sought.
    """

    problem: Problem
    option_numbers: NDArray[np.int64] | None = None
    given: list[int] = field(default_factory=list)
    rule: BranchingRule = DEFAULT_RULE
    algorithm: str = "links"
    n_components: int = 1
    presolving: tuple[list[int], list[int], list[int]] | None = field(default=None, init=False)
    kept_items: NDArray[np.int64] | None = field(default=None, init=False)
    proofs: dict[int, bool] = field(default_factory=dict, init=False)
    _parts: "Sequence[PreparedProblem] | None" = field(default=None, init=False)  # if several
    _builder: "RootBuilder | None" = field(default=None, init=False)  # of tables of bitmaps
    _batch_search: "BatchSearch | None" = field(default=None, init=False)

    def __reduce__(self) -> tuple[Any, ...]:
        values = (getattr(self, each.name) for each in fields(self) if each.init)
        found = {name: getattr(self, name) for name in ("presolving", "kept_items", "proofs")}
        return PreparedProblem, tuple(values), found

    def start(self) -> Subtree:
        """Return the whole tree, unexplored. Chooses the algorithm if it is "auto".

        Raises ValueError if the algorithm needs too much memory.
        """
        if self.algorithm == AUTO:
            self.algorithm = self._choose_algorithm()
        return self.start_with(self.algorithm)

    def _choose_algorithm(self) -> str:
        """Return the algorithm after a trial, which is short for a component."""
        if not may_use_bitmaps(self.problem):
            return "links"
        tree = self.start_with("links")
        try_links(tree, max(TRIAL_UPDATES // self.n_components, MIN_TRIAL_UPDATES), UNLIMITED)
        return suggest_algorithm(self.problem, tree)

    def begin(
        self,
        max_covers: int,
        translate: Translation | None = None,
        begun: Subtree | None = None,
    ) -> Subtree | None:
        """Return the whole tree after a slice of its search, which suffices for a small problem.

        For others, it chooses the algorithm as `start` does, and the tree may be unexplored. Return
        None if the problem has several components: Algorithm X notices that when it is about to
        begin, which is faster than to divide the problem first.

        Parameters
        ----------
        max_covers : int
            At least 1: the number of covers after which the slice ends.
        translate : Translation, optional
            As for `Subtree.explore`.
        begun : Subtree, optional
            The tree, of a single component, after the beginning of the slice.
        """
        algorithm = "links" if self.algorithm == AUTO else self.algorithm
        tree = begun
        if tree is None:
            # Whether the tree seeks the components: only that of Algorithm X can
            is_unknown = self._parts is None and self._may_be_divisible
            seeks_parts = is_unknown and algorithm == "links" and self._linked_class is SubtreeX
            if not seeks_parts and len(self.components) > 1:
                return None
            tree = self.start_with(algorithm)
            tree.seeks_parts = int(seeks_parts)
        n_most = max_covers if translate is None else min(max_covers, FIRST_COVERS)
        is_trial = self.algorithm == AUTO and may_use_bitmaps(self.problem)
        if is_trial:
            try_links(tree, TRIAL_UPDATES, n_most, translate)
        else:
            n_found, _, n_done = (0, 0, 0) if begun is None else tree.counters.tolist()
            has_totals = self.problem.total_low is not None
            updates = updates_of_slice(len(self.problem.items), has_totals) - n_done
            if updates > 0 and n_found < n_most:
                tree.explore(updates, n_most - n_found, translate)
        if tree.is_divisible:  # the search has not begun, and does if there is only one component
            return None if len(self.components) > 1 else self.begin(max_covers, translate)
        self._parts = ()  # there is a single component
        if tree.is_done or tree.counters[0] >= max_covers or self.algorithm != AUTO:
            return tree
        self.algorithm = suggest_algorithm(self.problem, tree) if is_trial else "links"
        if self.algorithm != algorithm:  # bitmaps begin again: the trial with links is dropped
            tree = self.start_with(self.algorithm)
            tree.explore(TRIAL_UPDATES, n_most, translate)
        return tree

    def start_with(self, algorithm: str) -> Subtree:
        """Return the whole tree for an algorithm, unexplored."""
        if algorithm == "bitset":  # whose tables take longer to build than to search
            from ..kernels.bitset.subtree import SubtreeBitset  # loading it takes milliseconds

            tree = SubtreeBitset.start(self.problem, self.rule, self._builder)
            self._builder = tree.builder
            return tree
        return self._linked_class.start(self.problem, self.rule)

    @property
    def _linked_class(self) -> type[Subtree]:
        return linked_class(self.problem, self.rule)

    def reject_literal(self, action: str) -> None:
        """Raise ValueError if a search for which an action is requested is literal."""
        if self.rule.is_literal:
            raise ValueError(f"a literal search cannot {action}")

    def batch_search(self, n_options: int) -> "BatchSearch":
        """Return the search of variations of the problem, of which `n_options` are the user's."""
        self.reject_literal("have variations")
        if self._batch_search is None:
            from ..kernels.batch.search import BatchSearch  # loading it takes some milliseconds

            self._batch_search = BatchSearch(
                self.problem, self.start(), n_options, self.option_numbers, self.given
            )
        return self._batch_search

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The user's number (options,) of each option."""
        numbers = self.option_numbers
        return np.arange(self.problem.n_options) if numbers is None else numbers

    @property
    def item_numbers(self) -> NDArray[np.int64]:
        """The numbers (items,) that the items had in the problem before it was simplified."""
        return np.arange(self.problem.n_items) if self.kept_items is None else self.kept_items

    @property
    def _may_be_divisible(self) -> bool:
        is_large = may_be_divisible(self.problem.n_options, self.problem.n_items)
        return bool(is_large) and not self.rule.is_literal

    @property
    def components(self) -> "Sequence[PreparedProblem]":
        """The components, the first with `given`; only the problem if it has no others."""
        if self._parts is None:
            self._parts = ()
            if self._may_be_divisible:
                parts = split_problem(self.problem)
                if len(parts) > 1:
                    self._parts = LazySequence(len(parts), partial(self._component, parts))
        return self._parts or (self,)

    def _component(self, components: LazySequence[ProblemPart], k: int) -> "PreparedProblem":
        """Return component `k`, from 0, prepared as this problem is."""
        problem, options, items = components[k]  # with their numbers in this problem, ascending
        # The first `last_sharp` items are sharp: those of them that the component has are its first
        rule = self.rule._replace(last_sharp=int(np.searchsorted(items, self.rule.last_sharp)))
        given = [] if k else self.given
        numbers = self.numbers[options]
        return PreparedProblem(problem, numbers, given, rule, self.algorithm, len(components))

    def presolved(self, result: "PresolveResult") -> "PreparedProblem":
        """Return what presolving leaves of the problem, which refers to the user's numbers."""
        numbers = self.numbers
        # The options that are in no cover, and those that are in each
        removed, forced = (numbers[options].tolist() for options in result[2:4])
        given = sorted([*self.given, *forced])
        kept = numbers[result.option_numbers]
        reduced = PreparedProblem(result.problem, kept, given, self.rule, self.algorithm)
        reduced.kept_items = self.item_numbers[result.item_numbers]
        reduced.presolving = removed, forced, self.item_numbers[result.removed_items].tolist()
        return reduced

    @property
    def translation(self) -> Translation:
        """The numbers that make solutions of the covers that a search finds."""
        if self.option_numbers is None and not self.given:
            return UNCHANGED
        numbers = NO_NUMBERS if self.option_numbers is None else self.option_numbers
        return Translation(numbers, np.array(self.given, np.int64) if self.given else NO_NUMBERS)

    def solution(self, cover: list[int]) -> list[int]:
        """Translate a cover to a solution: sorted option numbers of the user's problem."""
        if self.option_numbers is not None:
            cover = self.option_numbers[cover].tolist() + self.given
        return sorted(cover)

    def fingerprint(self) -> str:
        """Return a digest that differs for other problems and for other ways to search them."""
        facts, arrays = self.content()
        if self.rule.branching != Branching.RANDOM:  # no other rule uses the seed
            facts["rule"] = [*map(int, self.rule._replace(seed=0))]
        digest = hashlib.sha256(repr(facts).encode())
        for name, array in arrays.items():
            digest.update(f"{name}{array.shape}".encode() + array.astype(np.int64).tobytes())
        return digest.hexdigest()

    def content(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the problem and how to search it as JSON values and arrays.

        The number of items is stored as an array, so that the size of a file limits it.
        """
        problem = self.problem
        is_primary = np.arange(problem.n_items) < problem.n_primary
        fields = {**problem._asdict(), "option_numbers": self.option_numbers}
        arrays = {name: array for name, array in fields.items() if isinstance(array, np.ndarray)}
        rule = [int(value) for value in self.rule]
        facts = {"given": self.given, "rule": rule, "algorithm": self.algorithm}
        return facts, {**arrays, "is_primary": is_primary.astype(np.uint8)}

    @classmethod
    def from_content(cls, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> "Self":
        """Restore a prepared problem from its `content()`. Raises an exception if it is invalid.

        A file may have been modified, so everything is checked.
        """
        largest = {"color": MAX_COLOR, "option_numbers": MAX_NODES}  # which fit into int32
        integers: dict[str, NDArray[Any]] = {
            name: check_integers(array, -(2**62) if name in SIGNED else 0, largest.get(name, 2**62))
            for name, array in arrays.items()
        }
        is_primary = integers.pop("is_primary")
        numbers = integers.pop("option_numbers", None)
        n_primary = int(np.count_nonzero(is_primary))
        if np.any(is_primary != (np.arange(len(is_primary)) < n_primary)):
            raise ValueError("a primary item follows a secondary item")
        problem = Problem(**integers, n_primary=n_primary, n_secondary=len(is_primary) - n_primary)
        problem.check()
        branching, last_sharp, seed, *is_consistent = facts["rule"]  # older files lack the last one
        check_integers([branching], 0, Branching.SHARP)
        check_integers([last_sharp], 0, MAX_NODES)
        given = check_integers(facts["given"], 0, MAX_NODES).tolist()
        own = range(problem.n_options) if numbers is None else numbers.tolist()
        if given and numbers is None:
            raise ValueError("given options imply numbers of the others")
        # One number for each option, and no number twice
        if len(own) != problem.n_options or len({*own, *given}) != len(own) + len(given):
            raise ValueError("the numbers of the options are inconsistent")
        rule = BranchingRule(branching, last_sharp, index(seed), any(is_consistent))
        check_choice("algorithm", facts["algorithm"], ALGORITHMS)
        return cls(problem, numbers, given, rule, facts["algorithm"])

    def check(self, solutions: list[list[int]]) -> None:
        """Raise ValueError unless these are solutions of the user's problem, sorted."""
        option_of = {number: option for option, number in enumerate(self.numbers.tolist())}
        covers = [
            [option_of[number] for number in solution if number in option_of]
            for solution in solutions
        ]
        self.problem.check_covers(covers)
        if list(map(self.solution, covers)) != solutions:
            raise ValueError("the solutions differ from the covers")
