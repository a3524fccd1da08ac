"""Build diagrams of problems with multiplicities or totals, level by level."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.memo.diagram import REACHED, copy_nodes
from ..kernels.memo.explore import FALSE, TRUE, Diagram
from ..kernels.memo.frontier import encode_frontier
from ..kernels.memo.item_order import ItemOrder
from ..kernels.memo.levels import CHILDREN, ROWS_PER_SLICE, SUBPROBLEMS, HashTable, first_row
from ..kernels.memo.search import LOOKUP_UPDATES, NOTHING_OBSERVED, Observation, memory_error
from ..kernels.problem import Problem
from ..runtime.arguments import UNLIMITED
from ..runtime.batches import split_rows
from ..runtime.interrupts import Steps
from ..runtime.job import Work
from .subproblems import Memo, MemoPortfolio, first_order

EDGE_BYTES = 24  # of an edge of a level and of the diagram, and a share of their nodes


class Built(NamedTuple):
    """A diagram, with the members of a `MemoSearch` that has one."""

    value: int  # the root
    edges: Diagram | None
    order: ItemOrder  # of the items
    option_numbers: NDArray[np.int64]


NO_DIAGRAM = Built(FALSE, None, np.zeros(0, np.int64), np.zeros(0, np.int64))


class LevelDiagram(Memo):
    """A resumable construction of a diagram: all levels, then the nodes from the last level up.

    Parameters
    ----------
    problem : Problem
    memory : int
        The number of bytes that the levels and the diagram may use.
    rule : str
        As `order` of `MemoPortfolio`. The items have a fixed order: "smallest" stands for "auto".
    """

    done = False  # whether the diagram is complete
    observation = NOTHING_OBSERVED  # what is explored is unknown

    def __init__(self, problem: Problem, memory: int, rule: str) -> None:
        self._problem = problem
        self._memory = memory
        self._rule = rule
        self.order = ""  # its name
        self.best = NO_DIAGRAM
        self._past = np.zeros(2, np.int64)  # the subproblems and lookups of complete levels

    @property
    def work(self) -> int:
        """The work so far, in updates of a search with links."""
        return LOOKUP_UPDATES * self.observation.lookups

    def step(self, work: Work) -> None:
        """Build a part. Raises MemoryLimitError if the diagram needs more memory than allowed."""
        self.done = self._take_step()

    def _observe(self, table: HashTable, n_edges: int) -> None:
        """Replace the observation. Raises MemoryLimitError if there are too many edges."""
        subproblems, lookups = (self._past + table.register[[SUBPROBLEMS, CHILDREN]]).tolist()
        nbytes = EDGE_BYTES * n_edges + table.nbytes
        self.observation = Observation(0.0, 0, subproblems, lookups, nbytes, False)
        if nbytes > self._memory:
            raise memory_error(self._memory, subproblems)

    def _prepare(self) -> Steps[None]:
        """Build the diagram in small steps, and set `best`.

        From the root down, find the edges of each level, whose nodes are the rows of a step; then
        combine the levels.
        """
        self._past[:] = 0
        self.order, items = yield from first_order(self._problem, self._rule)
        frontier = yield from encode_frontier(self._problem, items)
        if frontier is None:
            return
        levels = list[Diagram]()
        rows = first_row(frontier)
        n_edges = 0
        max_branches = frontier.max_branches
        for step in range(frontier.n_steps):
            table = HashTable(frontier.n_words, UNLIMITED, [rows], max_branches)
            begin = 0
            # Edges of slices of rows; the first slice is empty, so that `ends` begins with 0.
            slices = [Diagram(np.zeros(1, np.int64), *np.zeros((2, 0), np.uint32))]
            while begin < len(rows):
                begin, edges = table.link(rows, begin, frontier, step)
                slices.append(edges)
                self._observe(table, n_edges + sum(each.n_edges for each in slices))
                yield
            ends = np.cumsum([each.n_edges for each in slices])
            # Where the edges of each row end, counted from the first edge of the level
            starts = [each.start[1:] + end for each, end in zip(slices[1:], ends, strict=False)]
            option = np.concatenate([each.option for each in slices])
            child = np.concatenate([each.child for each in slices])
            levels.append(Diagram(np.concatenate([[0], *starts]), option, child))
            n_edges += int(ends[-1])
            self._past += table.register[[SUBPROBLEMS, CHILDREN]]
            rows = table.numbered_rows()
        root, diagram = yield from combine_levels(levels, len(rows), len(frontier.numbers))
        self.best = Built(root, diagram, items, frontier.numbers)


def combine_levels(
    levels: list[Diagram], n_last: int, n_options: int
) -> Steps[tuple[int, Diagram]]:
    """Return the root and the diagram of levels, from the last one up, as far as it has covers.

    An edge of a level has the number of its child among the nodes of the next level; those after
    the last level, `n_last`, are TRUE. Removes the levels from the list, which frees their memory.
    """
    nodes = np.full(n_last, TRUE, np.uint32)  # the number of each node of a level in the diagram
    n_used = np.array([TRUE + 1, 0])  # nodes, of which FALSE and TRUE exist, and edges
    none_removed = np.zeros(n_options + 1, np.bool_)
    # The length of `Diagram.start`: FALSE, TRUE, all others, and one for the last end
    n_nodes = TRUE + 2 + sum(level.n_nodes for level in levels)
    n_edges = sum(level.n_edges for level in levels)
    diagram = Diagram(np.zeros(n_nodes, np.int64), *np.zeros((2, n_edges), np.uint32))
    while levels:
        level = levels.pop()
        below = nodes
        nodes = np.full(level.n_nodes, REACHED, np.uint32)  # all are to be copied
        for part in split_rows(level.n_nodes, level.n_nodes // ROWS_PER_SLICE + 1):
            # Edges without an option have the number after those of all options.
            copy_nodes(
                level, part.start, part.stop, below, nodes, none_removed, diagram, n_used, n_options
            )
            yield
    return int(nodes[0]), diagram


def diagram_memo(
    problem: Problem, memory: int, order: str = "auto"
) -> "MemoPortfolio | LevelDiagram":
    """Return a memo that builds a diagram of a problem."""
    if problem.has_sums:
        return LevelDiagram(problem, memory, order)
    return MemoPortfolio(problem, memory, order, has_diagram=True)
