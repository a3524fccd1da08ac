"""The Sudoku engines `dense` and `dense-python`: Algorithm X without links, for comparison.

They search the same exact cover problem of a board as the engine `dlx`, and visit the same nodes.
"""

from ...kernels.algorithms import subtree_class
from ...kernels.dlx.branching import BranchingRule
from ..box import Box
from .base import Boards, EngineResult, StopCheck
from .board_links import allocate_board_links, link_board, linked_problem

UPDATES_PER_SLICE = 1 << 18  # takes less than 50 ms also in plain Python


class DenseEngine:
    """The engine `dense` and, with `algorithm="dense-python"`, the engine `dense-python`."""

    def __init__(self, box: Box, algorithm: str = "dense") -> None:
        self.algorithm, self.n = algorithm, box.n
        self.board_links = allocate_board_links(box)

    def solve(self, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`."""
        for row, board in enumerate(boards):
            if stop():
                return
            if not link_board(board, self.board_links):
                result.counts[row] = result.nodes[row] = 0
                continue
            problem, _ = linked_problem(self.board_links)
            tree = subtree_class(self.algorithm, problem).start(problem, BranchingRule())
            while not tree.is_done and tree.counters[0] < limit:
                n_wanted = limit - int(tree.counters[0])
                if tree.counters[0]:
                    tree.explore(UPDATES_PER_SLICE, n_wanted)
                else:
                    tree.explore(UPDATES_PER_SLICE, 1, sorted)
                if stop() and not tree.is_done and tree.counters[0] < limit:
                    return
            if tree.found:
                placed = self.board_links.placement[tree.found[0]]
                result.solutions[row] = board
                result.solutions[row, placed // self.n] = placed % self.n + 1
            result.counts[row], result.nodes[row], _ = tree.counters
