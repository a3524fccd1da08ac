"""The record of a search while it grows: the search tree, the steps, and their assignments."""

from array import array
from collections.abc import Iterable
from typing import Any, ClassVar

from numpy.typing import NDArray

from .arrays import LoggedArray
from .lookahead import Limits
from .phrases import listing
from .problem_view import ProblemView
from .record import Change, RecordedStep, TreeNode


class Recording:
    """The record so far, to which `Recorder` adds what the search does.

    Parameters
    ----------
    view : ProblemView
        The problem to solve.
    limits : Limits
    """

    actions: ClassVar[tuple[str, ...]]  # of the steps 1, 2, ... of the algorithm
    letter: str  # of the algorithm

    def __init__(self, view: ProblemView, limits: Limits) -> None:
        self.view = view
        self.limits = limits
        self.names = view.item_names()
        self.references = view.references()
        # Three entries for each assignment: the number of its array, the index, and the new value
        self.log = array("q")
        self.arrays: dict[str, LoggedArray] = {}  # that the kernel writes, by name
        self.level = 0
        self.steps: list[RecordedStep] = []
        self.changes: list[Change] = []  # the changes of the current step
        self.n_changed = 0  # assignments in recorded changes
        # For each chosen option, the nodes of the items that it covered or purified, each with the
        # end of the trail before.
        self.committed: list[list[tuple[int, int]]] = []
        self.tree = [TreeNode(-1, -1, 0)]
        self.path = [0]  # the current node of the tree, after all nodes above it

    def _log(self, name: str, cells: NDArray[Any]) -> LoggedArray:
        """Return a view of an array that logs assignments to its cells, by the next number."""
        logged = self.arrays[name] = cells.view(LoggedArray)
        logged.number = len(self.arrays) - 1
        logged.log = self.log
        logged.check = self.limits.check
        return logged

    def _logged(self, group: Any, fields: Iterable[str]) -> Any:
        return group._replace(**{name: self._log(name, getattr(group, name)) for name in fields})

    def item(self, item: int) -> str:
        return f"item {self.names[item - 1]}"

    def items(self, items: Iterable[int]) -> str:
        return listing("item", (self.names[item - 1] for item in items))

    def option(self, number: int) -> str:
        return f"option {self.references[number]}"

    def options(self, numbers: Iterable[int]) -> str:
        return listing("option", (self.references[number] for number in numbers))

    @property
    def node(self) -> TreeNode:
        """The current node of the tree."""
        return self.tree[self.path[-1]]

    @property
    def chosen(self) -> list[int]:
        """The chosen options, by level."""
        options = (self.tree[number].option for number in self.path)
        return [option for option in options if option >= 0]

    def _enter_node(self, option: int) -> None:
        """Add a child for the option, or for none (-1), and make it the current tree node."""
        if option >= 0:
            self.committed.append([])
        self.tree.append(TreeNode(self.path[-1], option, len(self.steps)))
        self.path.append(len(self.tree) - 1)

    def _leave_node(self) -> int:
        """Return to the parent of the current tree node. Return the option of the node."""
        return self.tree[self.path.pop()].option

    def _close_node(self, outcome: str) -> None:
        """Record the outcome of the current tree node."""
        self.node.outcome = outcome
        self.node.closed_step = len(self.steps)

    def _change(self, item: int = 0, end: int | None = None) -> None:
        """Record the assignments since the last change, up to `end`, as a change of this step."""
        start = self.n_changed
        end = len(self.log) // 3 if end is None else end
        if item or start < end:
            self.changes.append(Change(item, start, end))
            self.n_changed = end

    def _step(
        self, action: str, text: str, item: int = 0, option: int = -1, lacking: int = 0
    ) -> None:
        """Record a step and its changes, with Knuth's label of its action."""
        self._change()
        label = {"end": "return", "skip": "try"}.get(action, action)  # without labels of their own
        name = f"{self.letter}{1 + self.actions.index(label)}"
        self.steps.append(
            RecordedStep(
                name,
                action,
                self.level,
                text,
                item,
                option,
                tuple(self.chosen),
                self.path[-1],
                self.changes,
                lacking,
            )
        )
        self.changes = []
