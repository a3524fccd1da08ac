"""The base class of recorders: arrays that log, steps, the search tree and covers.

A recorder runs the kernel of a search as plain Python. The arrays of the links log each assignment.
Methods of the recorder replace the functions that the kernel calls: each calls the original
function, and records the step that it performs.
"""

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..jit.namespaces import plain_python, plain_python_with
from ..kernels.algorithm_x import attach, commit, cover, uncover
from ..kernels.algorithms import subtree_class
from ..kernels.branching import Branching, BranchingRule
from ..kernels.links import COVERED, Links
from ..kernels.state import BUDGET, EXHAUSTED, SOLUTION, Register
from ..runtime.text import plural
from .problem_view import ProblemView
from .record import Change, Record, Step, StopReason, TreeNode

Trail = NDArray[np.uint32]

MAX_LISTED = 8  # options or items in one sentence


class LoggedArray(np.ndarray[Any, Any]):
    """An array that logs each assignment to a cell: its own number, the index and the value."""

    number: int
    log: "array[int]"

    def __setitem__(self, index: Any, value: Any) -> None:
        np.ndarray.__setitem__(self, index, value)
        self.log.extend((self.number, index, value))


class _Choices:
    """The nodes of the chosen options, by level, which tell a recorder the level of the search.

    A kernel writes a node when it enters the next level, and reads it when it returns.
    """

    def __init__(self, recorder: "Recorder", nodes: NDArray[np.uint32]) -> None:
        self.recorder, self.nodes = recorder, nodes

    def __setitem__(self, level: int, node: int) -> None:
        self.nodes[level] = node
        self.recorder.enter_level(int(level), int(node))

    def __getitem__(self, level: int) -> np.uint32:
        node: np.uint32 = self.nodes[level]
        self.recorder.return_to_level(int(level), int(node))
        return node


class _Budget:
    """A budget that is spent when the record is full."""

    __array_ufunc__ = None  # so that NumPy leaves `updates < budget` to this class

    def __init__(self, has_space: Callable[[], bool]) -> None:
        self.has_space = has_space

    def __gt__(self, updates: object) -> bool:
        return self.has_space()


class Recorder(ABC):
    """A running search and its record so far.

    Parameters
    ----------
    view : ProblemView
        The problem to solve.
    choose : Branching
        The branching rule, SMALLEST or LEFTMOST.
    max_covers, max_steps, max_assignments : int
        Stop after these numbers; the last one is approximate.
    """

    actions: ClassVar[tuple[str, ...]]  # of the steps 1, 2, ... of the algorithm
    few: ClassVar[str]  # how many options are left at a dead end
    all_tried: ClassVar[str]
    at_end: ClassVar[str]

    def __init__(
        self,
        view: ProblemView,
        choose: Branching,
        max_covers: int,
        max_steps: int,
        max_assignments: int,
    ) -> None:
        self.view = view
        self.references = view.option_references()
        self.is_leftmost = choose == Branching.LEFTMOST
        self.max_covers, self.max_steps = max_covers, max_steps
        self.max_assignments = max_assignments
        self.log = array("q")
        self.arrays: dict[str, LoggedArray] = {}
        search = subtree_class("links", view.problem).start(view.problem, BranchingRule(choose))
        links, colors, *bounds, self.state = search.groups
        self.links = self._logged(links)
        self.letter = "M" if bounds else "C" if colors else "X"
        if colors:
            colors = colors._replace(purifier=self._log("purifier", colors.purifier))
        choices = _Choices(self, self.state.choice)
        self.groups = (
            self.links,
            colors,
            *map(self._logged, bounds),
            self.state._replace(choice=choices),
        )
        self.initial = {name: cells.tolist() for name, cells in self.arrays.items()}
        self.level = 0
        self.steps: list[Step] = []
        self.changes: list[Change] = []  # the changes of the current step
        self.n_changed = 0  # assignments in recorded changes
        # For each chosen option, the nodes of the items that it covered or purified, each with the
        # end of the trail before.
        self.committed: list[list[tuple[int, int]]] = []
        self.tree = [TreeNode(-1, -1, 0)]
        self.tree_node = 0
        self.chosen: list[int] = []
        self.covers: list[list[int]] = []

    # Phrases with the names of a problem. Arguments number options from 0 and items from 1, as the
    # arrays of the links do.

    def item(self, item: int) -> str:
        name, meaning = self.view.items[item - 1], self.view.item_meanings[item - 1]
        return f"item {name} ({meaning})" if meaning else f"item {name}"

    def items(self, items: Sequence[int]) -> str:
        return _enumerate("item", [self.view.items[item - 1] for item in items])

    def option(self, number: int) -> str:
        reference = self.references[number]
        is_named = reference != str(self.view.start + number)
        description = "" if is_named else f" ({self.view.options[number]})"
        return f"option {reference}{description}"

    def options(self, numbers: Sequence[int]) -> str:
        return _enumerate("option", [self.references[number] for number in numbers])

    def _log(self, name: str, cells: NDArray[Any]) -> LoggedArray:
        logged = self.arrays[name] = cells.view(LoggedArray)
        logged.number, logged.log = len(self.arrays) - 1, self.log
        return logged

    def _logged(self, group: Any) -> Any:
        return group._make(map(self._log, group._fields, group))

    @abstractmethod
    def _kernel(self) -> Callable[..., int]:
        """Return the kernel with methods of the recorder in place of functions that it calls."""

    def _recorded(self, kernel: Any, **methods: Callable[..., Any]) -> Callable[..., int]:
        """Return a kernel with these methods, and those that all recorders share."""
        methods |= {"cover": self._cover, "uncover": self._uncover, "attach": self._attach}
        return plain_python_with(kernel, **methods)

    def run(self) -> Record:
        """Run the search until it ends or the record is full."""
        kernel, register, budget = self._kernel(), self.state.register, _Budget(self._has_space)
        summary = self.view.summary
        self._step("start", f"Set up the links: {summary}. No option has been chosen yet.")
        status = SOLUTION
        with np.errstate(over="ignore"):  # kernels compute with uint32 modulo 2**32
            while status == SOLUTION and len(self.covers) < self.max_covers:
                register[Register.TARGET] = register[Register.SOLUTIONS] + 1
                status = kernel(*self.groups, budget)
                if status == SOLUTION:
                    self._visit()
        reason = StopReason.MAX_ASSIGNMENTS if status == BUDGET else StopReason.LIMIT
        if status == EXHAUSTED:
            reason = StopReason.COMPLETE
            n = len(self.covers)
            found = {0: "no cover was", 1: "1 cover was"}.get(n, f"{n:,} covers were")
            self._step("end", f"{self.at_end}, so the search ends: {found} found.")
        # An iteration of the kernel can take several steps, so it may exceed the maximum.
        excess = len(self.steps) - self.max_steps
        if excess > 0 or (status == BUDGET and excess == 0):
            reason = StopReason.MAX_STEPS
            del self.steps[self.max_steps :]
        return Record(
            arrays=self.initial,
            assignments=np.array(self.log).reshape(-1, 3),
            actions=self.actions,
            steps=self.steps,
            tree=self.tree,
            covers=self.covers,
            nodes=int(register[Register.NODES]),
            updates=int(register[Register.UPDATES]),
            stop_reason=reason,
        )

    def _has_space(self) -> bool:
        return len(self.steps) < self.max_steps and len(self.log) < 3 * self.max_assignments

    def enter_level(self, level: int, node: int) -> None:
        """Enter the level after `level`, at which the option of a node (0 for none) is chosen."""
        if node == 0:
            item = self.tree[self.tree_node].item
            self._enter_node(-1)
            name = self.item(item)
            text = f"Try none: {name} needs no more options, and takes no further one."
            self._step("try", text, item)
        self.level = level + 1

    def return_to_level(self, level: int, node: int) -> None:
        """Return to a level, at which the option of a node (0 for none) was chosen."""
        self.level = level
        if node:
            chosen = f"option {self.references[self.chosen[-1]]} was chosen"
        else:
            parent = self.tree[self.tree_node].parent
            chosen = f"{self.item(self.tree[parent].item)} took no further option"
        self._step("return", f"Return to level {level}, where {chosen}.")
        if node == 0:
            self._leave_node()

    def _visit(self) -> None:
        """Record the cover that has been found."""
        chosen = sorted(self.chosen)
        forms = "the empty set of options is a cover"
        if chosen:
            verb = "forms" if len(chosen) == 1 else "form"
            forms = f"{self.options(chosen)} {verb} a cover"
        self.covers.append(chosen)
        self._close_node("cover")
        self._step("visit", f"{self._all_covered()}: {forms}.")

    @abstractmethod
    def _all_covered(self) -> str:
        """Return why the chosen options form a cover."""

    def _branch(self, item: int, is_dead_end: bool, text: str) -> None:
        """Record the choice of an item."""
        node = self.tree[self.tree_node]
        node.item, node.item_step = item, len(self.steps)
        if is_dead_end:
            self._close_node("dead-end")
        self._step("choose", text, item)

    def _cover(self, links: Links, colors: Any, item: int, *rest: Any) -> Any:
        """Cover the chosen item, which the kernel has removed from the item list."""
        self._change()
        _, end, _ = result = plain_python(cover)(links, colors, item, *rest)
        self._change(int(item))
        text = f"Cover {self.item(int(item))}: remove it from the item list"
        hidden = self._hidden(rest[-1], end)
        if hidden:
            owner = "its" if len(hidden) == 1 else "their"
            options = self.options(hidden)
            text += f", and hide {options} from the lists of {owner} other items."
        else:
            text += ". No other item loses an option."
        self._step(self.actions[3], text, int(item))
        return result

    def _commit(self, links: Links, colors: Any, node: int, *rest: Any) -> Any:
        """Cover or purify an item of the option that is tried."""
        self._change()
        result = plain_python(commit)(links, colors, node, *rest)
        self.committed[-1].append((node, rest[-1]))
        self._change(int(links.column[node]))
        return result

    def _uncommit(self, links: Links, trail: Trail, start: int, end: int) -> None:
        """Restore, item by item, the nodes that the option of this level has hidden."""
        for node, start in reversed(self.committed.pop()):
            plain_python(uncover)(links, trail, start, end)
            end = start
            self._change(int(links.column[node]))

    def _uncover(self, links: Links, trail: Trail, start: int, end: int) -> None:
        """Restore the options of the item of this level."""
        plain_python(uncover)(links, trail, start, end)
        item = self.tree[self.tree_node].item
        self._change(item)
        if links.size[item] < COVERED:  # the item stayed in the item list
            self._backtrack(item)

    def _attach(self, links: Links, item: int) -> None:
        """Return the item of this level to the item list."""
        plain_python(attach)(links, item)
        self._backtrack(int(item))

    def _backtrack(self, item: int) -> None:
        self._close_node("exhausted")
        self._step("backtrack", self.all_tried.format(self.item(item)))

    def _tried(self, item: int, option: int, effects: str, hidden: list[int], fails: bool) -> None:
        """Record that an option has been tried, with its effects on items and options."""
        text = f"Try {self.option(option)}"
        if effects:
            text += f": {effects}"
        if hidden:
            text += f". This hides {self.options(hidden)}"
        if fails:
            lacking = next(item for item in self._active_items() if self.links.size[item] == 0)
            name = capitalize(self.item(lacking))
            text += f". {name} has {self.few} options left, so the attempt fails"
            self._close_node("dead-end")
        self._step("try", f"{text}.", item, option)

    def _purify(self, items: Sequence[int]) -> str:
        return f"purify {self.items(items)} (keep only options of the same color)"

    def _active_items(self) -> Iterator[int]:
        """Yield the items of the item list, in its order."""
        item = self.links.R[0]
        while item:
            yield int(item)
            item = self.links.R[item]

    def _following(self, item: int, node: int) -> str:
        """Describe the next option, that of a node, or that there is none if it is the item."""
        name = self.item(item)
        if node == item:
            return f"It was the last option of {name}."
        reference = self.references[self.view.option_of(node)]
        return f"The next option of {name} is option {reference}."

    def _enter_node(self, option: int) -> None:
        """Add a child for the option, or for none (-1), and make it the current tree node."""
        if option >= 0:
            self.chosen.append(option)
            self.committed.append([])
        self.tree.append(TreeNode(self.tree_node, option, len(self.steps)))
        self.tree_node = len(self.tree) - 1

    def _leave_node(self) -> int:
        """Return to the parent of the current tree node. Return the option of the node."""
        node = self.tree[self.tree_node]
        self.tree_node = node.parent
        if node.option >= 0:
            self.chosen.pop()
        return node.option

    def _close_node(self, outcome: str) -> None:
        """Record the outcome of the current tree node."""
        node = self.tree[self.tree_node]
        node.outcome, node.closed_step = outcome, len(self.steps)

    def _hidden(self, start: int, end: int) -> list[int]:
        """Return the options with nodes on a part of the trail."""
        return sorted(set(map(self.view.option_of, self.state.trail[start:end].tolist())))

    def _change(self, item: int = 0) -> None:
        """Record the assignments since the last change as a change of the current step."""
        start, end = self.n_changed, len(self.log) // 3
        if item or start < end:
            self.changes.append(Change(item, start, end))
            self.n_changed = end

    def _step(self, action: str, text: str, item: int = 0, option: int = -1) -> None:
        """Record a step and its changes."""
        self._change()
        label = "return" if action == "end" else action
        name = f"{self.letter}{1 + self.actions.index(label)}"
        chosen, changes, self.changes = tuple(self.chosen), self.changes, []
        self.steps.append(
            Step(name, action, self.level, text, item, option, chosen, self.tree_node, changes)
        )


def _enumerate(noun: str, names: list[str]) -> str:
    if len(names) == 1:
        return f"{noun} {names[0]}"
    if len(names) > MAX_LISTED:
        names = [*names[:MAX_LISTED], f"{len(names) - MAX_LISTED:,} more"]
    comma = "," if len(names) > 2 else ""
    return f"{noun}s {', '.join(names[:-1])}{comma} and {names[-1]}"


def capitalize(text: str) -> str:
    """Return the text with a capital first letter, and the others unchanged."""
    return text[:1].upper() + text[1:]


def count_options(number: int) -> str:
    """Return the number with its noun, such as "1 option" or "no options"."""
    return plural(number, "option") if number else "no options"
