"""The base class of recorders, which run the kernel of a search and note its steps.

A recorder runs the kernel of a search as plain Python. The arrays of the links log each assignment.
Methods of the recorder replace the functions that the kernel calls: each calls the original
function, and records the step that it performs.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..jit.namespaces import plain_python, plain_python_with
from ..kernels.dlx.branching import Branching
from ..kernels.dlx.links import INACTIVE, Links
from ..kernels.dlx.moves import attach, commit, detach, hide_options, restore, try_option
from ..kernels.dlx.state import COUNTERS, EXHAUSTED, OUT_OF_BUDGET, TARGET_REACHED, Register
from ..runtime.job import Counters, Job, Work, run
from ..runtime.text import plural
from .arrays import Budget, Choices
from .lookahead import FirstCover, Limits, start_search
from .phrases import ALL_BUT_GIVEN, GIVEN_TRIED, REASONS
from .problem_view import ProblemView
from .record import SearchRecord, StopReason
from .recording import Recording

Trail = NDArray[np.uint32]


class Recorder(Recording, Job):
    """A running search, whose steps are recorded.

    Arguments number options from 0 and items from 1, as the arrays of the links do.

    Parameters
    ----------
    view : ProblemView
        The problem to solve.
    limits : Limits
    first : FirstCover, optional
        If this is given, branches off its path are skipped before the limits are reached.
    """

    few: ClassVar[str]  # the options that are left at a dead end
    all_covered: ClassVar[str]  # why the chosen options form a cover
    all_tried: ClassVar[str]  # why the search backtracks from the item {}
    at_end: ClassVar[str]  # why the search ends

    def __init__(self, view: ProblemView, limits: Limits, first: FirstCover | None = None) -> None:
        super().__init__(view, limits)
        self.reason = REASONS[Branching(view.rule.branching)]
        search = start_search(view)
        self.first = first
        self.first_steps: int | None = None  # how many precede the first branch that is skipped
        # Options of this level that were skipped, and are not recorded yet; -1: the choice of none
        self.skipped: list[int] = []
        self.is_skipped = False  # whether the kernel skips the option that it tries
        # Groups of arrays, as the kernel takes them. Algorithm M has two further ones: the bounds,
        # and the costs, which are None here.
        links, colors, *further, self.state = search.groups
        self.links = self._logged(links, links._fields)
        self.letter = "M" if further else "C" if colors else "X"
        if colors:
            colors = colors._replace(purifier=self._log("purifier", colors.purifier))
        choices = Choices(self.state.choice, self.enter_level, self.return_to_level)
        # The arguments of the kernel before the budget
        self.groups = (
            self.links,
            colors,
            *(group and self._logged(group, ("need", "capacity")) for group in further),
            self.state._replace(choice=choices),
        )
        self.initial = {name: cells.tolist() for name, cells in self.arrays.items()}
        self.covers: list[list[int]] = []
        self._search = self._kernel()
        self.stop_reason = None if limits.max_covers else StopReason.LIMIT
        self._step(
            "start",
            f"Set up the links: {view.summary}. No option has been chosen yet. "
            f"{view.note}".rstrip(),
        )

    @abstractmethod
    def _kernel(self) -> Callable[..., int]:
        """Return the kernel with methods of the recorder in place of functions that it calls."""

    def _recorded(self, kernel: Any, **replacements: Callable[..., Any]) -> Callable[..., int]:
        """Return a kernel as plain Python, in which methods replace the functions that it calls.

        Keywords are the names of these functions; what all recorders replace is added.
        """
        replacements |= {
            "cover": self._cover,
            "uncover": self._uncover,
            "restore": self._restore,
            "attach": self._attach,
        }
        return plain_python_with(kernel, **replacements)

    @property
    def done(self) -> bool:
        """Whether the search has ended, or the record is full."""
        return self.stop_reason is not None

    def counters(self) -> Counters:
        """Return the numbers of covers, nodes and updates so far."""
        return Counters(*self.state.register[COUNTERS].tolist())

    def __str__(self) -> str:
        return plural(len(self.steps), "step")

    def step(self, work: Work) -> None:
        """Record the search for the next cover. Raises Stopped if the limits end it."""
        register = self.state.register
        register[Register.TARGET] = register[Register.SOLUTIONS] + 1
        with np.errstate(over="ignore"):  # kernels compute with uint32 modulo 2**32
            status = self._search(*self.groups, Budget(self._has_space))
        self.limits.check()
        if status == TARGET_REACHED:
            self._visit()
            # A record that skips branches ends with the first cover.
            n_wanted = self.limits.max_covers if self.first_steps is None else 1
            if len(self.covers) == n_wanted:
                self.stop_reason = StopReason.LIMIT
        elif status == EXHAUSTED:
            if not self.covers:
                self._count_skipped()
            self.stop_reason = StopReason.COMPLETE
            n = len(self.covers)
            covers_were = {0: "no cover was", 1: "1 cover was"}.get(n, f"{n:,} covers were")
            why = ALL_BUT_GIVEN if self.view.given else self.at_end
            self._step("end", f"{why}, so the search ends: {covers_were} found.")
        else:  # a limit, which is that of assignments unless there are too many steps
            self.stop_reason = StopReason.MAX_ASSIGNMENTS
        # An iteration of the kernel can take several steps, so it may exceed the maximum.
        excess = len(self.steps) - self.limits.max_steps
        if excess > 0 or (status == OUT_OF_BUDGET and excess == 0):
            self.stop_reason = StopReason.MAX_STEPS
            del self.steps[self.limits.max_steps :]
            del self.covers[sum(step.action == "visit" for step in self.steps) :]

    def record(self) -> SearchRecord:
        """Run the search, and return its record. Raises Stopped if the limits end it."""
        run(self, self.limits.stop)
        self.limits.check()
        _, nodes, updates = self.counters()
        assert self.stop_reason is not None
        return SearchRecord(
            view=self.view,
            arrays=self.initial,
            assignments=np.array(self.log).reshape(-1, 3),
            steps=self.steps,
            tree=self.tree,
            covers=self.covers,
            nodes=nodes,
            updates=updates,
            stop_reason=self.stop_reason,
            first_steps=self.first_steps,
        )

    def _has_space(self) -> bool:
        """Return whether the record is within its limits."""
        return (
            not self.limits.stop()
            and len(self.steps) < self.limits.max_steps
            and len(self.log) < 3 * self.limits.max_assignments
        )

    def _skips(self, option: int) -> bool:
        """Return whether the kernel skips an option: it is not given, or not in the first cover.

        Option -1 is the choice of none. Branches off the path to the first cover are skipped from
        when the rest of the record is needed for the path. Sets `is_skipped`, and adds the option
        to `skipped`, except where givens are shown: what they exclude is not recorded.
        """
        given = self.view.given
        first = self.first
        self.is_skipped = False
        if self.level < len(given):
            self.is_skipped = option != given[self.level]
        elif first is not None and not self.covers:
            if self.first_steps is None:
                n_steps = len(self.steps)
                is_full = n_steps + first.path_steps(self.level) > self.limits.max_steps
                # The log has three entries for each assignment: half of them are left for the path.
                if is_full or 2 * len(self.log) > 3 * self.limits.max_assignments:
                    self.first_steps = n_steps
            if self.first_steps is not None:
                chosen = {*self.chosen, option} - {-1}
                self.is_skipped = first.cover is None or not chosen <= first.cover
        if self.is_skipped and not given:
            self.skipped.append(option)
        return self.is_skipped

    def _count_skipped(self) -> None:
        """Count what was skipped, too, at the first cover or the end, as a compiled search does."""
        if self.first is not None and self.first_steps is not None:
            self.state.register[COUNTERS] = self.first.counters

    def _end_skip(self) -> None:
        """Record the options that were skipped, if any, as one step and one node of the tree."""
        if not self.skipped:
            return
        options = self.skipped
        self.skipped = []
        is_none = options == [-1]  # which has a node of the tree already
        if not is_none:
            self._enter_node(-1)
        self.node.skipped = options
        self._close_node("skipped")
        if not is_none:
            self._leave_node()
        named = "no further option" if is_none else self.options(options)
        text = f"Skip {named}: the path to the first cover does not lead there."
        self._step("skip", text, self.node.item, options[-1])

    def enter_level(self, level: int, node: int) -> None:
        """Enter the level after `level`, at which the option of a node (0 for none) is chosen.

        An option was recorded when it was tried; the choice of none is recorded here.
        """
        if node == 0:
            self._end_skip()
            item = self.node.item
            is_skipped = self._skips(-1)
            self._enter_node(-1)
            if is_skipped:
                self._end_skip()
            else:
                self._step(
                    "try",
                    f"Try none: {self.item(item)} needs no more options, and takes no further one.",
                    item,
                )
        self.level = level + 1

    def return_to_level(self, level: int, node: int) -> None:
        """Return to a level, at which the option of a node (0 for none) was chosen."""
        self.level = level
        chosen = f"{self.item(self.tree[self.node.parent].item)} took no further option"
        if node:
            chosen = f"option {self.references[self.chosen[-1]]} was chosen"
        self._step("return", f"Return to level {level}, where {chosen}.")
        if node == 0:
            self._leave_node()

    def _visit(self) -> None:
        """Record the cover that has been found: the options chosen now."""
        chosen = sorted(self.chosen)
        text = "No item needs an option: the empty set of options is a cover"
        if chosen:
            verb = "forms" if len(chosen) == 1 else "form"
            text = f"{self.all_covered}: {self.options(chosen)} {verb} a cover"
        if (cost := self.view.cost(chosen)) is not None:
            text += f" of cost {cost:,}"
        self.covers.append(chosen)
        if len(self.covers) == 1:
            self._count_skipped()
        self._close_node("cover")
        self._step("visit", f"{text}.")

    def _branch(self, item: int, is_dead_end: bool, text: str) -> None:
        """Record the choice of an item, described by `text`, at the current node of the tree."""
        node = self.node
        node.item = item
        node.item_step = len(self.steps)
        node.size = int(self.links.size[item].astype(np.int32))
        if is_dead_end:
            self._close_node("dead-end")
        self._step("choose", text, item, lacking=item if is_dead_end else 0)

    def _cover(self, links: Links, colors: Any, item: int, *rest: Any) -> Any:
        """Cover the chosen item: remove it from the item list, then hide its options."""
        plain_python(detach)(links, item)
        self._change()
        tail, end, _ = plain_python(hide_options)(links, colors, item, np.uint32(0), 0, *rest)
        self._change(int(item))
        # `rest` ends with the end of the trail before.
        text = self._describe_covering(int(item), self._hidden(rest[-1], end))
        self._step(self.actions[3], text, int(item))  # X4 or M4
        return tail, end

    def _describe_covering(self, item: int, hidden: list[int]) -> str:
        """Describe that an item is covered, which hides some options."""
        text = f"Cover {self.item(item)}: remove it from the item list"
        if not hidden:
            return f"{text}. No other item loses an option."
        owner = "its" if len(hidden) == 1 else "their"
        return f"{text}, and hide {self.options(hidden)} from the lists of {owner} other items."

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
            plain_python(restore)(links, trail, start, end)
            end = start
            self._change(int(links.column[node]))

    def _uncover(self, links: Links, item: int, trail: Trail, start: int, end: int) -> None:
        """Uncover the item of this level."""
        self._restore(links, trail, start, end)
        self._attach(links, item)

    def _restore(self, links: Links, trail: Trail, start: int, end: int) -> None:
        """Restore the options of the item of this level."""
        self._end_skip()
        plain_python(restore)(links, trail, start, end)
        item = self.node.item
        self._change(item)
        if links.size[item] < INACTIVE:  # the item stayed in the item list
            self._backtrack(item)

    def _attach(self, links: Links, item: int) -> None:
        """Return the item of this level to the item list."""
        plain_python(attach)(links, item)
        self._backtrack(int(item))

    def _backtrack(self, item: int) -> None:
        """Record that an item is uncovered, after which the search returns to the level before."""
        if self.node.outcome != "dead-end":
            self._close_node("exhausted")
        text = GIVEN_TRIED if self.level < len(self.view.given) else self.all_tried
        self._step("backtrack", text.format(self.item(item)))

    def _try(self, links: Links, colors: Any, bounds: Any, option: int, *rest: Any) -> Any:
        """Try an option, unless it is skipped."""
        item = int(links.column[option])
        number = self.view.option_of(int(option))
        # `rest` has the arguments of the kernel's `try_option` after the option.
        if self._skips(number):
            *_, tail, _, trail_end = rest
            return tail, trail_end, 0, 0, 0  # as if an item had no option left
        self._end_skip()
        self._enter_node(number)
        function = plain_python_with(try_option, commit=self._commit)
        # The new end of the trail, and the smallest size of an active item: 0 is a dead end
        _, end, _, _, smallest = result = function(links, colors, bounds, option, *rest)
        text = f"Try {self.option(number)}"
        if effects := self._describe_effects(item, number):
            text += f": {effects}"
        if hidden := self._hidden(rest[-1], end):
            text += f". This hides {self.options(hidden)}"
        lacking = 0
        if not smallest:
            lacking = next(item for item in self._active_items() if self.links.size[item] == 0)
            text += f". Item {self.names[lacking - 1]} has {self.few}, so the attempt fails"
            self._close_node("dead-end")
        self._step("try", f"{text}.", item, number, lacking)
        return result

    def _describe_effects(self, item: int, option: int) -> str:
        """Describe what the option that is tried does to the other items."""
        return " and ".join(self._effects())

    def _effects(self, note: str = "") -> list[str]:
        """Describe the items that the last option has covered, with a note, and purified."""
        _, colors, *_ = self.groups
        covered: list[int] = []
        purified: list[int] = []  # to which the option gives a color
        for node, _ in self.committed[-1]:
            is_colored = colors is not None and colors.color[node]
            (purified if is_colored else covered).append(int(self.links.column[node]))
        effects = [f"cover {self.items(covered)}{note}"] if covered else []
        if purified:
            effects.append(f"purify {self.items(purified)} (keep only options of the same color)")
        return effects

    def _active_items(self) -> Iterator[int]:
        """Yield the items of the item list, in its order."""
        item = self.links.R[0]
        while item:
            yield int(item)
            item = self.links.R[item]

    def _following(self, item: int, node: int) -> str:
        """Describe the option to try next: that of the node after an undone one in the list of an
        item, or none if this node is the item itself, at which the list ends.
        """
        if self.level < len(self.view.given):
            return f"It is given, so no other option of {self.item(item)} is tried."
        if node == item:
            return f"It was the last option of {self.item(item)}."
        return f"The next option of {self.item(item)} is {self.option(self.view.option_of(node))}."

    def _hidden(self, start: int, end: int) -> list[int]:
        """Return the options with nodes on a part of the trail, which lists the hidden nodes."""
        return sorted(set(map(self.view.option_of, self.state.trail[start:end].tolist())))
