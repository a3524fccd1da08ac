"""The parts of a recorder that all algorithms share: steps, search tree, covers and checks.

A recorder runs the main loop of a search kernel in Python. It calls the same lower-level kernels as
that kernel, on the same kinds of arrays. To ensure that the record matches the compiled search, the
kernel runs in lockstep on its own arrays, and both must agree after each choice of an item.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..kernels.algorithm_x import uncover
from ..kernels.algorithms import linked_class
from ..kernels.branching import Branching, BranchingRule
from ..kernels.resumable import LinkedSearch
from ..kernels.state import BUDGET, ENTER, EXHAUSTED, LEAVE, SOLUTION, Register
from .narrator import Narrator
from .problem_view import ProblemView
from .record import Change, Record, RecordError, RecordLimits, Step, StopReason, TreeNode


def _named_arrays(search: LinkedSearch) -> dict[str, NDArray[np.integer]]:
    """Return the arrays that a search reads and changes, by name."""
    links, colors, *bounds, _ = search.groups
    named = dict(links._asdict())
    if colors is not None:
        named["purifier"] = colors.purifier
    for group in bounds:
        named |= group._asdict()
    return named


class Recorder(ABC):
    """A running search and its record so far. Attributes for registers have the kernels' names."""

    last_step: ClassVar[str]  # the number of the step that leaves a level or ends the search

    def __init__(
        self,
        view: ProblemView,
        narrator: Narrator,
        letter: str,
        choose: Branching,
        limits: RecordLimits,
    ) -> None:
        self.view, self.narrator, self.letter = view, narrator, letter
        self.choose, self.limits = choose, limits
        self.option_starts = np.array(view.option_starts)
        kind = linked_class(view.problem)
        self.search = kind.start(view.problem, BranchingRule(choose))
        self.links, self.colors, *_, self.state = self.search.groups
        self.arrays = _named_arrays(self.search)
        self.kernel = kind.start(view.problem, BranchingRule(choose))
        self.kernel.register[Register.TARGET] = limits.covers
        self.trail_end = np.uint32(0)
        self.level, self.resume = 0, ENTER
        self.solutions = self.nodes = self.updates = 0
        self.scan_updates = 0  # budget spent on choosing items, if the kernel charges for it
        self.initial = {name: array.tolist() for name, array in self.arrays.items()}
        self.recorded = {name: array.copy() for name, array in self.arrays.items()}
        self.steps: list[Step] = []
        self.changes: list[Change] = []  # the changes of the current step
        # For each level, the items that its option covered or purified, with the end of the trail.
        self.committed: dict[int, list[tuple[int, np.uint32]]] = {}
        self.tree = [TreeNode(-1, -1, 0)]
        self.tree_node = 0
        self.chosen: list[int] = []
        self.covers: list[list[int]] = []
        self.n_cells = 0

    def run(self) -> Record:
        """Run the search until it ends or the record is full."""
        self._step("1", self.narrator.begin())
        status = BUDGET
        checked = self.updates
        while status == BUDGET and not self._is_full():
            status = self._iterate()
            if status != BUDGET or self.updates + self.scan_updates > checked:
                self._check_kernel(status)
                checked, self.scan_updates = self.updates, 0
        reason = StopReason.MAX_CELLS
        if status == EXHAUSTED:
            reason = StopReason.COMPLETE
        elif status == SOLUTION:
            reason = StopReason.LIMIT
        # An iteration can take several steps, so it may exceed the maximum.
        n_steps = len(self.steps)
        max_steps = self.limits.steps
        if n_steps > max_steps or (status == BUDGET and n_steps == max_steps):
            reason = StopReason.MAX_STEPS
            del self.steps[max_steps:]
        return Record(
            arrays=self.initial,
            steps=self.steps,
            tree=self.tree,
            covers=self.covers,
            nodes=self.nodes,
            updates=self.updates,
            stop_reason=reason,
        )

    def _is_full(self) -> bool:
        return len(self.steps) >= self.limits.steps or self.n_cells >= self.limits.cells

    @abstractmethod
    def _iterate(self) -> int:
        """Run one iteration of the kernel's main loop, and return the status of the search."""

    def _registers(self) -> dict[int, int]:
        """Return the values that the registers of the kernel must have."""
        return {
            Register.LEVEL: self.level,
            Register.RESUME: self.resume,
            Register.TRAIL_END: int(self.trail_end),
            Register.SOLUTIONS: self.solutions,
            Register.NODES: self.nodes,
            Register.UPDATES: self.updates,
        }

    def _visit(self) -> int:
        """Record the cover that has been found."""
        self.resume = LEAVE
        self.solutions += 1
        self.covers.append(sorted(self.chosen))
        self._close_node("cover")
        self._step("2", self.narrator.visit(self.covers[-1]))
        return SOLUTION if self.solutions >= self.limits.covers else BUDGET

    def _finish(self) -> int:
        """Record the end of the search: there is no level to return to."""
        self._step(self.last_step, self.narrator.end(len(self.covers)))
        return EXHAUSTED

    def _enter_node(self, option: int) -> None:
        """Add a child for the option, or for none (-1), and make it the current tree node."""
        if option >= 0:
            self.chosen.append(option)
        self.tree.append(TreeNode(self.tree_node, option, len(self.steps)))
        self.tree_node = len(self.tree) - 1

    def _leave_node(self) -> int:
        """Return to the parent of the current tree node. Return the option of the node."""
        node = self.tree[self.tree_node]
        self.tree_node = node.parent
        if node.option >= 0:
            self.chosen.pop()
        return node.option

    def _set_item(self, item: int) -> None:
        """Record the item that is chosen at the current tree node."""
        node = self.tree[self.tree_node]
        node.item, node.item_step = item, len(self.steps)

    def _close_node(self, outcome: str) -> None:
        """Record the outcome of the current tree node."""
        node = self.tree[self.tree_node]
        node.outcome, node.closed_step = outcome, len(self.steps)

    def _uncover(self, start: np.uint32) -> None:
        """Restore the nodes on the trail from `start` on."""
        uncover(self.links, self.state.trail, start, self.trail_end)
        self.trail_end = start

    def _commit(self, item: int) -> None:
        """Record that the option of this level has covered or purified the item."""
        self.committed[self.level].append((item, self.trail_end))
        self._change(item)

    def _uncommit(self, start: np.uint32) -> None:
        """Restore, item by item, the nodes that the option of this level has hidden.

        `start` is the end of the trail before the option was tried.
        """
        committed = self.committed.pop(self.level)
        starts = [start, *(end for _, end in committed)]
        for item, _ in reversed(committed):
            starts.pop()
            self._uncover(starts[-1])
            self._change(item)

    def _hidden_since(self, start: np.uint32) -> list[int]:
        """Return the options with nodes on the trail from `start` on."""
        nodes = self.state.trail[int(start) : int(self.trail_end)]
        options = np.searchsorted(self.option_starts, nodes, side="right") - 1
        hidden: list[int] = np.unique(options).tolist()
        return hidden

    def _change(self, item: int = 0) -> None:
        """Record the array cells that differ from the record as a change of the current step."""
        changed = {}
        for array_name, array in self.arrays.items():
            recorded = self.recorded[array_name]
            cells = np.flatnonzero(array != recorded)
            if len(cells):
                changed[array_name] = np.stack([cells, array[cells]], axis=1).ravel().tolist()
                recorded[cells] = array[cells]
                self.n_cells += len(cells)
        if changed or item:
            self.changes.append(Change(item, changed))

    def _step(self, number: str, text: str, item: int = 0, option: int = -1) -> None:
        """Record a step and its changes."""
        self._change()
        name, chosen = self.letter + number, tuple(self.chosen)
        step = Step(name, self.level, text, item, option, chosen, self.tree_node, self.changes)
        self.steps.append(step)
        self.changes = []

    def _check_kernel(self, status: int) -> None:
        """Advance the kernel to the same point, and raise RecordError if its state differs."""
        kernel = self.kernel
        agree = kernel.advance(kernel.register[Register.UPDATES] + 1) == status
        agree &= all(kernel.register[key] == value for key, value in self._registers().items())
        for name, array in _named_arrays(kernel).items():
            agree &= np.array_equal(array, self.arrays[name])
        *stacks, _, _, _ = self.state._fields  # the arrays over levels
        for stack in stacks:
            expected, found = getattr(kernel.groups[-1], stack), getattr(self.state, stack)
            agree &= np.array_equal(expected[: self.level], found[: self.level])
        if not agree:
            raise RecordError(f"the kernel's state differs after {len(self.steps)} steps")
