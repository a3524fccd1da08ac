"""Algorithm X (or C) on a dense array as a resumable search, compiled or as plain Python."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel, plain_python
from .branching import BranchingRule
from .dense import (
    SPLIT_OFF,
    DenseState,
    Matrix,
    choose_dense_item,
    cover_item,
    dense_matrix,
    item_step,
    next_option,
    retreat_dense,
    search_dense,
    start_dense,
    try_dense_option,
)
from .problem import Problem
from .resumable import CoverBuffer, KernelSearch
from .state import SOLUTION, Register

if TYPE_CHECKING:
    from typing_extensions import Self


@kernel
def collect_covers_dense(matrix, colors, state, budget, max_covers, options, ends):
    """Search for covers as `collect_covers` does; `options` receives their options."""
    register, choice = state.register, state.choice
    end = 0
    for k in range(max_covers):
        register[Register.TARGET] = register[Register.SOLUTIONS] + 1
        status = search_dense(matrix, colors, state, budget)
        if status != SOLUTION:
            return status, k
        for level in range(register[Register.LEVEL]):
            options[end] = choice[level]
            end += 1
        ends[k] = end
    return SOLUTION, max_covers


@kernel
def list_branches_dense(matrix, colors, state, taken, branches):
    """Write the branch taken at each level (from 0) and the number of branches.

    `taken` and `branches` are (Register.LEVEL,) int64. The options of a level are those that its
    step X4 has hidden.
    """
    for level in range(len(taken)):
        branches[level] = 0
        option = next_option(state, level, 0)
        while option < len(state.hidden_by):
            if option == state.choice[level]:
                taken[level] = branches[level]
            branches[level] += 1
            option = next_option(state, level, option + 1)


@kernel
def probe_dense(matrix, colors, state, draws, sums):
    """Follow a random path from the root as `probe` does, with the steps of `search_dense`."""
    register, size = state.register, state.size
    head, tail = register[Register.HEAD], register[Register.TAIL]
    level, weight = 0, 1.0
    is_possible = True
    item, head = choose_dense_item(state, head, tail)
    while is_possible and item < len(size):
        sums[1] += weight
        n_branches = size[item]
        if n_branches == 0:
            is_possible = False
            break
        tail, n_examined = cover_item(matrix, colors, state, level, item, head, tail)
        sums[2] += weight * n_examined
        weight *= n_branches
        option = next_option(state, level, 0)
        for _ in range(int(draws[level] * n_branches)):
            option = next_option(state, level, option + 1)
        tail, n_examined, smallest = try_dense_option(matrix, colors, state, level, option, tail)
        sums[2] += weight * n_examined
        is_possible = smallest > 0
        level += 1
        if is_possible:
            item, head = choose_dense_item(state, head, tail)
    if is_possible:
        sums[0] += weight
    register[Register.LEVEL] = level


class ResumableDense(KernelSearch):
    """Algorithm X on a dense array."""

    group_types: ClassVar = {"state": DenseState}
    groups: tuple[Matrix, NDArray[np.uint32] | None, DenseState]

    @classmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "Self":
        """Return a search that has not yet taken a step. Raises as `dense_matrix` does.

        The options of the problem must be valid: `link_problem` checks them.
        """
        matrix, colors = dense_matrix(problem)
        return cls((matrix, colors, start_dense(problem, matrix, rule)))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], problem: Problem) -> "Self":
        """Restore a search of a problem from the arrays that `arrays()` returned."""
        return cls((*dense_matrix(problem), *cls.restore_groups(arrays)))

    def copy(self) -> "Self":
        """Return an independent copy, which shares the array of the problem."""
        matrix, colors, state = self.groups
        return type(self)((matrix, colors, DenseState(*(array.copy() for array in state))))

    def release(self) -> None:
        """Free the arrays of an exhausted search, except for its registers."""
        _, _, state = self.groups
        matrix = Matrix(np.zeros((0, 0), np.bool_), np.zeros(0, np.int64), np.zeros(0, np.uint32))
        freed = DenseState(*(array[:0].copy() for array in state))
        self.groups = (matrix, None, freed._replace(register=state.register))

    def split(self) -> "tuple[Self, float] | None":
        """Split off about half of the untried options at the shallowest open level.

        Neither search backtracks beyond this level to another option, so it does not matter that
        the options that are split off are not restored.
        """
        found = self._halve_open_level()
        if found is None:
            return None
        level, n_kept, weight = found
        other = self._split_copy(level)
        state, other_state = self.groups[-1], other.groups[-1]
        [options] = np.nonzero(state.hidden_by == item_step(level))
        untried = options[options > state.choice[level]]
        state.hidden_by[untried[n_kept:]] = SPLIT_OFF
        other_state.hidden_by[untried[:n_kept]] = SPLIT_OFF
        return other, weight

    def advance(self, budget: int) -> int:
        return int(self._call(search_dense, budget))

    def _collect(self, budget: int, max_covers: int, buffer: CoverBuffer) -> tuple[int, int]:
        status, n_covers = self._call(
            collect_covers_dense, budget, max_covers, buffer.nodes, buffer.ends
        )
        return status, n_covers

    def _options_of(self, choices: NDArray[np.uint32]) -> NDArray[np.integer]:
        return choices

    def _list_branches(self, taken: NDArray[np.int64], branches: NDArray[np.int64]) -> None:
        self._call(list_branches_dense, taken, branches)

    def _retreat(self, level: int) -> None:
        self._call(retreat_dense, level)

    def _probe(self, draws: NDArray[np.float64], sums: NDArray[np.float64]) -> None:
        self._call(probe_dense, draws, sums)

    def _call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a kernel on the arrays of the search."""
        return function(*self.groups, *arguments)


class ResumablePython(ResumableDense):
    """The same algorithm, but the kernels are called as plain Python."""

    def _call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the plain Python function of a kernel.

        Its arguments are views that return Python numbers, which are faster than NumPy scalars.
        """
        return plain_python(function)(*map(_view, (*self.groups, *arguments)))


def _view(argument: Any) -> Any:
    """Return a memoryview of an array, a named tuple of them, or another argument unchanged."""
    if isinstance(argument, np.ndarray):
        return argument.data
    if isinstance(argument, tuple):
        return type(argument)(*map(_view, argument))
    return argument
