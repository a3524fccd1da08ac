"""A recorder of Algorithms X and C, with the sentences that describe their steps."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..jit.namespaces import plain_python, plain_python_with
from ..kernels.dlx.algorithm_x import search
from ..kernels.dlx.branching import Branching, choose_item
from ..kernels.dlx.links import Links
from ..kernels.dlx.moves import undo_option
from .phrases import capitalize, count_options
from .recorder import Recorder


class RecorderX(Recorder):
    """A recorder of the steps X1 to X8, or C1 to C8 if the problem has colors."""

    actions = ("start", "visit", "choose", "cover", "try", "undo", "backtrack", "return")
    few = "no options left"
    all_covered = "All items are covered"
    all_tried = "All options of {} have been tried: uncover it."
    at_end = "No level has an untried option"

    def _kernel(self) -> Callable[..., int]:
        return self._recorded(
            search, choose_item=self._choose, try_option=self._try, undo_option=self._undo
        )

    def _choose_given(self) -> Any:
        """Choose an item of the given option of this level, which the recorder tries alone."""
        given = self.view.given[self.level]
        nodes = slice(*self.view.option_starts[given : given + 2])
        items = self.links.column[nodes].tolist()
        item = next(item for item in items if item <= self.view.n_primary)
        text = f"Choose {self.item(item)}, an item of the given {self.option(given)}."
        self._branch(item, False, text)
        return np.uint32(item)

    def _choose(self, links: Links, state: Any, head: int, tail: int) -> Any:
        """Choose an item as the kernel does, or one of a given option, and record why.

        Return what `choose_item` returns: the item, the start of the queue of forced items, and
        whether items were scanned.
        """
        if self.level < len(self.view.given):
            return self._choose_given(), head, False
        item, _, is_scanned = result = plain_python(choose_item)(links, state, head, tail)
        # An item of the queue has one option or none.
        is_forced = not is_scanned and self.view.rule.branching != Branching.LEFTMOST
        self._record_choice(int(item), "the choice is forced" if is_forced else self.reason)
        return result

    def _record_choice(self, item: int, reason: str) -> None:
        """Record the choice of an item, and its reason, or that it is a dead end."""
        size = int(self.links.size[item])
        name = self.item(item)
        text = f"Choose {name}, which has {count_options(size)} left: {reason}."
        if size == 0:
            text = f"{capitalize(name)} has no options left: a dead end."
        self._branch(item, size == 0, text)

    def _undo(self, links: Links, colors: Any, bounds: None, option: int, *rest: Any) -> None:
        """Undo an option as the kernel does, and record it, unless it was never tried."""
        if self.is_skipped:
            self.is_skipped = False
            return
        number = self._leave_node()
        function = plain_python_with(undo_option, restore=self._uncommit)
        function(links, colors, bounds, option, *rest)
        text = self._describe_undoing(number, option)
        self._step("undo", text, int(links.column[option]), number)

    def _describe_undoing(self, number: int, option: int) -> str:
        """Describe that an option is undone: that with a number and with the node `option`."""
        item = int(self.links.column[option])
        following = int(self.links.D[option])
        return (
            f"Undo option {self.references[number]}: restore what it covered and hid, "
            f"in reverse order. {self._following(item, following)}"
        )
