"""Algorithm X (or C) on a dense array as a resumable search, compiled or as plain Python."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel, plain_python
from .branching import BranchingRule, is_tie
from .dense import (
    DenseState,
    Matrix,
    choose_dense_item,
    cover_item,
    dense_matrix,
    item_step,
    next_option,
    retreat_dense,
    search_dense,
    split_off,
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
    step X4 has hidden. Options that were split off count as tried if untried options follow.
    """
    hidden_by = state.hidden_by
    for level in range(len(taken)):
        choice = state.choice[level]
        branches[level] = n_options = 0
        for option in range(len(hidden_by)):
            step = hidden_by[option]
            if option == choice:
                taken[level] = n_options
            elif option > choice and step == item_step(level):
                if branches[level] == 0:
                    taken[level] = n_options - 1
                branches[level] = n_options + 1
            n_options += step == item_step(level) or step == split_off(level)
        if branches[level] == 0:
            branches[level] = taken[level] + 1


@kernel
def descend_dense(matrix, colors, state, items, options, draws, sums):
    """Follow a path from the root down as `descend` does; `options` has the options to choose."""
    register, size = state.register, state.size
    head, tail = register[Register.HEAD], register[Register.TAIL]
    level, weight = 0, 1.0
    is_given = len(draws) == 0
    is_possible = True
    while is_possible and not (is_given and level == len(options)):
        item, head = choose_dense_item(state, head, tail)
        if item == len(size):
            break
        sums[1] += weight
        if is_given and items[level] != item:
            is_possible = is_tie(register, size, items[level], item) and size[item] > 1
            if is_possible and state.is_active[items[level]]:
                item = items[level]
            else:
                is_possible = False
                break
        n_branches = size[item]
        if n_branches == 0:
            is_possible = False
            break
        tail, n_examined = cover_item(matrix, colors, state, level, item, head, tail)
        sums[2] += weight * n_examined
        weight *= n_branches
        option = next_option(state, level, 0)
        n_skipped = len(state.hidden_by) if is_given else int(draws[level] * n_branches)
        while n_skipped > 0 and not (is_given and option == options[level]):
            option = next_option(state, level, option + 1)
            n_skipped -= 1
        if option >= len(state.hidden_by):
            is_possible = False
            break
        tail, n_examined, smallest = try_dense_option(matrix, colors, state, level, option, tail)
        sums[2] += weight * n_examined
        is_possible = smallest > 0
        level += 1
    if is_possible:
        sums[0] += weight
    register[Register.LEVEL] = level
    if is_given:
        register[Register.HEAD], register[Register.TAIL] = head, tail
    return is_possible and (level == len(options) or not is_given)


class ResumableDense(KernelSearch):
    """Algorithm X on a dense array."""

    groups: tuple[Matrix, NDArray[np.uint32] | None, DenseState]

    @classmethod
    def start(cls, problem: Problem, rule: BranchingRule) -> "Self":
        """Return a search that has not yet taken a step. Raises as `dense_matrix` does.

        The options of the problem must be valid: `link_problem` checks them.
        """
        matrix, colors = dense_matrix(problem)
        return cls((matrix, colors, start_dense(problem, matrix, rule)))

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

    def advance(self, budget: int) -> int:
        return int(self._call(search_dense, budget))

    def _collect(self, budget: int, max_covers: int, buffer: CoverBuffer) -> tuple[int, int]:
        status, n_covers = self._call(
            collect_covers_dense, budget, max_covers, buffer.nodes, buffer.ends
        )
        return status, n_covers

    def _options_of(self, choices: NDArray[np.integer]) -> NDArray[np.integer]:
        return choices

    def _list_branches(self, taken: NDArray[np.int64], branches: NDArray[np.int64]) -> None:
        self._call(list_branches_dense, taken, branches)

    def _retreat(self, level: int) -> None:
        self._call(retreat_dense, level)

    def _descend(self, *arrays: NDArray[Any]) -> bool:
        return bool(self._call(descend_dense, *arrays))

    def _steps(self) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        levels = slice(self.register[Register.LEVEL])
        return self.groups[-1].item[levels], self.groups[-1].choice[levels]

    def _untried(self, level: int) -> NDArray[np.integer]:
        state = self.groups[-1]
        [options] = np.nonzero(state.hidden_by == item_step(level))
        untried: NDArray[np.integer] = options[options > state.choice[level]]
        return untried

    def _keep_untried(self, level: int, begin: int, end: int) -> None:
        """Keep a part of the untried options of a level.

        A search does not backtrack beyond this level to another option, so it does not matter that
        the other options are not restored.
        """
        hidden_by, untried = self.groups[-1].hidden_by, self._untried(level)
        hidden_by[untried] = split_off(level)
        hidden_by[untried[begin:end]] = item_step(level)

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
