"""Functions that a program's own Numba functions may call in a loop, without Python objects.

Numba compiles them into the calling function at its first call; with `cache=True`, the machine code
is kept with that of the caller. They run without the GIL if the caller does, and in parallel loops.
Called from Python, they are plain Python functions that call the kernels.

`link_options` and `search` are the kernels of Dancing Links themselves.
"""

import numpy as np

from .jit import compiled_by_callers
from .kernels.dlx.algorithm_x import initialize, link_block, search
from .kernels.dlx.branching import Branching
from .kernels.dlx.links import INACTIVE, INVALID_LAYOUT, MAX_NODES, find_invalid, link_options
from .kernels.dlx.memory import block_size, carve_in_python
from .kernels.dlx.state import EXHAUSTED, N_REGISTERS, OUT_OF_BUDGET, TARGET_REACHED, Register
from .sudoku.engines.guess import N_GUESS_ROWS
from .sudoku.engines.lanes import MAX_DEPTH, LaneWorkspace, solve_lanes
from .sudoku.engines.parts import N_LANE_FIELDS
from .sudoku.engines.propagate import N_SCRATCH_ROWS, ONES

__all__ = ["count_covers", "first_cover", "link_options", "search", "solve9x9"]

_N_LANES = 32
_SMALLEST = int(Branching.SMALLEST)
_block_size, _carve_block = map(compiled_by_callers, (block_size, carve_in_python))


@compiled_by_callers
def solve9x9(board, solution, limit):
    """Solve a 9×9 Sudoku.

    Parameters
    ----------
    board : ndarray of integers, shape (81,)
        The values of the cells, row by row; 0 is an empty cell.
    solution : ndarray of integers, shape (81,)
        The first solution. Written if there is one.
    limit : int
        The number of solutions, at least 1, at which to stop.

    Returns
    -------
    int
        The number of solutions, at most `limit`.

    Raises
    ------
    ValueError
        If an array has another length, a value is not in the range 0 to 9, or `limit` is less
        than 1.

    Examples
    --------
    >>> import numpy as np
    >>> board, solution = np.zeros(81, np.uint8), np.zeros(81, np.uint8)
    >>> board[:9] = range(1, 10)
    >>> solve9x9(board, solution, 2)
    2
    >>> int(solution.sum())
    405
    """
    if len(board) != 81 or len(solution) != 81 or limit < 1:
        raise ValueError("a board and its solution have 81 cells, and the limit is at least 1")
    puzzles = np.empty((1, 81), np.uint8)
    for cell in range(81):
        if not 0 <= board[cell] <= 9:
            raise ValueError("a value of the board is not in the range 0 to 9")
        puzzles[0, cell] = board[cell]
    # The workspace of `allocate_workspace`, which compiled code cannot call
    scratch = np.zeros((N_SCRATCH_ROWS, _N_LANES), np.uint16)
    scratch[ONES] = 1
    workspace = LaneWorkspace(
        np.zeros((81, _N_LANES), np.uint16),  # cells
        scratch,
        np.zeros((N_GUESS_ROWS, _N_LANES), np.uint16),  # guesses
        np.empty((_N_LANES, MAX_DEPTH, 3 * _N_LANES), np.uint16),  # saved
        np.zeros((_N_LANES, N_LANE_FIELDS), np.int64),  # lanes
        np.zeros(3, np.int64),  # register
    )
    solutions = np.zeros((1, 81), np.uint8)
    counts = np.zeros(1, np.int64)
    nodes = np.zeros(1, np.int64)
    is_done = False
    while not is_done:
        is_done = solve_lanes(workspace, 1 << 16, puzzles, limit, solutions, counts, nodes)
    if counts[0] > 0:
        for cell in range(81):
            solution[cell] = solutions[0, cell]
    return int(counts[0])


@compiled_by_callers
def count_covers(indptr, items, n_primary, n_secondary, limit, budget):
    """Count the covers of an exact cover problem.

    Parameters
    ----------
    indptr : ndarray of integers, shape (options + 1,)
        Option `k` consists of `items[indptr[k] : indptr[k + 1]]`, as in SciPy's CSR format.
    items : ndarray of integers
        Item numbers from 0. Primary items are numbered before secondary items.
    n_primary, n_secondary : int
        The numbers of primary and secondary items. Each option needs a primary item.
    limit : int
        The number of covers at which to stop.
    budget : int
        The number of updates, Knuth's measure of work, after which to stop.

    Returns
    -------
    int
        The number of covers, at most `limit`; or `-1 - n` if the budget was spent after `n` covers.

    Raises
    ------
    ValueError
        If `indptr` does not increase from 0 to the number of items, or an option is invalid: it
        has no primary item, an item twice, or an item that does not exist.

    Examples
    --------
    >>> import numpy as np
    >>> indptr, items = np.array([0, 1, 2, 4]), np.array([0, 1, 0, 1])
    >>> count_covers(indptr, items, 2, 0, 10, 1000)
    2
    """
    links, state = _start(indptr, items, n_primary, n_secondary)
    state.register[Register.TARGET] = limit
    status = EXHAUSTED if limit < 1 else search(links, None, state, budget)
    found = int(state.register[Register.SOLUTIONS])
    return -1 - found if status == OUT_OF_BUDGET else found


@compiled_by_callers
def first_cover(indptr, items, n_primary, n_secondary, cover, budget):
    """Find the first cover of an exact cover problem.

    Parameters
    ----------
    indptr, items, n_primary, n_secondary, budget
        As for `count_covers`.
    cover : ndarray of integers, shape (n_primary,) or longer
        The options of the cover, in the order in which the search chooses them. Written.

    Returns
    -------
    int
        The number of options of the cover; -1 if there is none, or -2 if the budget was spent.

    Raises
    ------
    ValueError
        As for `count_covers`; or if `cover` has fewer than `n_primary` elements.

    Examples
    --------
    >>> import numpy as np
    >>> indptr, items, cover = np.array([0, 1, 2, 4]), np.array([0, 1, 0, 1]), np.zeros(2, int)
    >>> first_cover(indptr, items, 2, 0, cover, 1000)
    2
    >>> cover.tolist()
    [0, 1]
    """
    if len(cover) < n_primary:
        raise ValueError("`cover` must have an element for each primary item")
    links, state = _start(indptr, items, n_primary, n_secondary)
    state.register[Register.TARGET] = 1
    status = search(links, None, state, budget)
    if status != TARGET_REACHED:
        return -1 if status == EXHAUSTED else -2
    n_chosen = int(state.register[Register.LEVEL])
    first_node = len(links.size)
    for level in range(n_chosen):
        node = np.int64(state.choice[level]) - first_node  # the index of its item in `items`
        cover[level] = np.searchsorted(indptr, node, side="right") - 1
    return n_chosen


@compiled_by_callers
def _start(indptr, items, n_primary, n_secondary):
    """Return the links of a problem, and the state of a search that has not yet taken a step.

    Raises ValueError if the problem is invalid, as `count_covers` does.
    """
    n_items = n_primary + n_secondary
    n_options = len(indptr) - 1
    n_nodes = 1 + n_items + len(items)
    if n_options < 0:
        raise ValueError("`indptr` must increase from 0 to the number of items")
    if n_primary < 0 or n_secondary < 0:
        raise ValueError("the numbers of items must not be negative")
    if n_nodes > MAX_NODES or len(items) >= INACTIVE:
        raise ValueError("the problem has more nodes than int32 can index")
    begins = indptr.astype(np.int64)
    entries = items.astype(np.int64)
    # A position in `items`, INVALID_LAYOUT, or -1 if all of them are valid
    invalid = find_invalid(begins, entries, np.zeros(n_items, np.uint32))
    if invalid == INVALID_LAYOUT:
        raise ValueError("`indptr` must increase from 0 to the number of items")
    if invalid >= 0 and 0 <= entries[invalid] < n_items:
        raise ValueError("an item appears twice in an option")
    if invalid >= 0:
        raise ValueError("an item of an option does not exist")
    for option in range(n_options):
        has_primary = False
        for k in range(begins[option], begins[option + 1]):
            has_primary |= entries[k] < n_primary
        if not has_primary:
            raise ValueError("an option has no primary item")
    block = np.zeros(_block_size(n_primary, n_items, n_nodes), np.int32).view(np.uint32)
    found = np.zeros((0, 1), np.uint32)
    register = np.zeros(N_REGISTERS, np.int64)
    link_block(block, found, register, begins, entries, n_primary, n_items)
    links, state = _carve_block(block, found, register)
    initialize(links, state, _SMALLEST)
    return links, state
