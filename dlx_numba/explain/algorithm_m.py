"""A recorder of Algorithm M, with the sentences that describe its steps."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..jit.namespaces import plain_python, plain_python_with
from ..kernels.dlx.algorithm_m import search_multiplicities
from ..kernels.dlx.bounds import Bounds
from ..kernels.dlx.branching import count_branches, lowest_ranked_item
from ..kernels.dlx.links import INACTIVE, Links
from ..kernels.dlx.moves import retract, undo_option
from .phrases import capitalize, count_options
from .recorder import Recorder


class RecorderM(Recorder):
    """A recorder of the steps M1 to M9."""

    actions = (
        "start", "visit", "choose", "prepare", "tweak", "try", "undo", "backtrack", "return",
    )  # fmt: skip
    few = "too few options left"
    all_covered = "All items have the options that they need, and no options are left"
    all_tried = "No branches of {} are left: restore it and its options."
    at_end = "There is no level to return to"

    def _kernel(self) -> Callable[..., int]:
        """Return the kernel, which calls the methods below in place of its own functions."""
        return self._recorded(
            search_multiplicities,
            # The kernel also expects how many items were read, which is not recorded.
            lowest_ranked_item=lambda *arguments: (self._choose(*arguments), 0),
            count_branches=self._count_branches,
            try_option=self._try,
            retract=self._undo,
        )

    def _choose(self, links: Links, bounds: Bounds, register: Any) -> Any:
        """Choose an item as the kernel does, and record why, and whether it leads to a dead end."""
        if self.is_skipped:
            # The kernel has entered the level after "no further option", which is to be skipped.
            # Any item will do: `_count_branches` says that it has no branches, so the kernel leaves
            # the level.
            return links.R[np.uint32(0)]
        item, _ = plain_python(lowest_ranked_item)(links, bounds, register)
        if item == 0:  # no items are left: a cover
            return item
        name = self.item(int(item))
        capacity = int(bounds.capacity[item])
        branches = self._branches(item)
        if branches <= 0:
            self._branch(int(item), True, f"{capitalize(self._shortage(item))}: a dead end.")
            return item
        needs = f"needs {count_options(max(0, int(bounds.need[item])))}"
        if capacity > self.view.problem.n_options:  # no upper bound
            needs += " and can take any number"
        elif capacity > bounds.need[item]:
            needs += f" and can take up to {capacity:,}"
        gives = "1 branch" if branches == 1 else f"{branches:,} branches"
        text = f"Branch on {name}, which {needs}; {self._left(item)}, which gives {gives}"
        # The kernel chooses an unconstrained item only if no other items are left.
        if self._is_unconstrained(item):
            text += ". All remaining items can take any subset of their options"
        else:
            text += f": {self.reason}"
            if any(map(self._is_unconstrained, self._active_items())):
                text += ", except items that can take any subset of their options"
        self._branch(int(item), False, f"{text}.")
        if capacity != 1:
            self._step(
                "prepare",
                f"{capitalize(name)} can take more than one option, so it stays in the item list.",
                int(item),
            )
        return item

    def _count_branches(self, links: Links, item: Any) -> Any:
        """Count the branches as the kernel does; none at a level that is skipped, see `_choose`."""
        if self.is_skipped:
            self.is_skipped = False
            return 0
        return plain_python(count_branches)(links, item)

    def _describe_effects(self, item: int, option: int) -> str:
        """Say what an option uses up besides the item of the branch."""
        capacity = self.bounds.capacity  # of the header and the primary items
        nodes = slice(*self.view.option_starts[option : option + 2])
        others = set(self.links.column[nodes].tolist()) - {item}
        # Items that take the option and can take more; the others are covered.
        used = [k for k in sorted(others) if k < len(capacity) and capacity[k] > 0]
        verb = "takes" if len(used) == 1 else "take"
        effects = [f"{self.items(used)} {verb} it"] if used else []
        return "; ".join(effects + self._effects(", which can take no more options"))

    def _enter_node(self, option: int) -> None:
        """Record that an option is tweaked, unless its item is covered, and enter a node."""
        item = self.node.item
        if option >= 0 and self.links.size[item] < INACTIVE:  # the item stays in the item list
            need = self.bounds.need[item]
            needs = f"{need:,} more" if need > 0 else "no more"
            text = (
                f"Tweak {self.option(option)}: {self.item(item)} takes it and needs {needs}. The "
                "option is removed from all its lists until this level is left, so that no set of "
                "options is generated twice."
            )
            self._step("tweak", text, item, option)
        super()._enter_node(option)

    def _undo(self, links: Links, colors: Any, bounds: Bounds, item: int, *rest: Any) -> Any:
        """Undo an option as the kernel does, record it, and return the next option.

        An option that was skipped was tweaked but never tried: `retract` only moves on to the next.
        """
        if self.is_skipped:
            self.is_skipped = False
            without = plain_python_with(retract, undo_option=lambda *_: None)
            return without(links, colors, bounds, item, *rest)
        number = self._leave_node()
        function = plain_python_with(
            retract, undo_option=plain_python_with(undo_option, restore=self._uncommit)
        )
        following = function(links, colors, bounds, item, *rest)
        text = (
            f"Undo option {self.references[number]}: restore what it used and hid, in reverse order"
        )
        is_tweaked = links.size[item] < INACTIVE
        text += ", except the option itself, which stays removed. " if is_tweaked else ". "
        if self._branches(item) <= 0:
            text += f"Without it, {self._shortage(item)}."
        else:
            text += self._following(int(item), int(following))
        self._step("undo", text, int(item), number)
        return following

    @property
    def bounds(self) -> Bounds:
        """The bounds, which are the third group of the kernel's arguments."""
        return self.groups[2]

    def _branches(self, item: int) -> int:
        return int(plain_python(count_branches)(self.links, item))

    def _n_left(self, item: int) -> int:
        """Return the number of options in the list of an item."""
        n_left = 0
        node = self.links.D[item]
        while node != item:
            n_left += 1
            node = self.links.D[node]
        return n_left

    def _left(self, item: int) -> str:
        n_left = self._n_left(item)
        return {0: "none are left", 1: "1 is left"}.get(n_left, f"{n_left:,} are left")

    def _shortage(self, item: int) -> str:
        """Describe an item that needs more options than are left."""
        only = "only " if self._n_left(item) else ""
        needs = count_options(max(0, int(self.bounds.need[item])))
        return f"{self.item(int(item))} needs {needs}, but {only}{self._left(item)}"

    def _is_unconstrained(self, item: int) -> bool:
        """Return whether an item can take any subset of its options."""
        need, capacity, *_ = self.bounds
        return bool(need[item] <= 0 and 0 < self._n_left(item) <= capacity[item])
