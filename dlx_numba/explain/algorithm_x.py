"""A recorder of Algorithms X and C, with the sentences that describe their steps."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..jit.namespaces import plain_python, plain_python_with
from ..kernels.dlx.algorithm_x import search
from ..kernels.dlx.branching import Branching, choose_item
from ..kernels.dlx.links import Links
from ..kernels.dlx.moves import undo_option
from .phrases import capitalize, count_options
from .recorder import Recorder

LEFTMOST = (Branching.LEFTMOST, Branching.LITERAL_LEFTMOST)  # rules that compare no sizes


class RecorderX(Recorder):
    """A recorder of the steps X1 to X8, or C1 to C8 if the problem has colors."""

    actions = ("start", "visit", "choose", "cover", "try", "undo", "backtrack", "return")
    few = "no"
    all_covered = "All items are covered"
    all_tried = "All options of {} have been tried: uncover it."
    at_end = "No level has an untried option"

    def _kernel(self) -> Callable[..., int]:
        kernel = self._recorded(
            search, choose_item=self._choose, try_option=self._try, undo_option=self._undo
        )
        return partial(kernel, literal=True) if self.view.rule.is_literal else kernel

    def _choose(self, links: Links, state: Any, head: int, tail: int) -> Any:
        if self.level < len(self.view.given):
            given = self.view.given[self.level]
            nodes = slice(*self.view.option_starts[given : given + 2])
            item = next(k for k in links.column[nodes].tolist() if k <= self.view.n_primary)
            text = f"Choose {self.item(item)}, an item of the given {self.option(given)}."
            self._branch(item, False, text)
            return np.uint32(item), head, False
        item, _, is_scanned = result = plain_python(choose_item)(links, state, head, tail)
        size, name = int(links.size[item]), self.item(int(item))
        is_forced = not is_scanned and self.view.rule.branching not in LEFTMOST
        reason = "the choice is forced" if is_forced else self.reason
        text = f"Choose {name}, which has {count_options(size)} left: {reason}."
        if size == 0:
            text = f"{capitalize(name)} has no options left: a dead end."
        self._branch(int(item), size == 0, text)
        return result

    def _undo(self, links: Links, colors: Any, bounds: None, option: int, *rest: Any) -> None:
        if self.is_skipped:
            self.is_skipped = False
            return
        number = self._leave_node()
        function = plain_python_with(undo_option, restore=self._uncommit)
        function(links, colors, bounds, option, *rest)
        item = int(links.column[option])
        text = f"Undo option {self.references[number]}: restore what it covered and hid, "
        text += f"in reverse order. {self._following(item, int(links.D[option]))}"
        self._step("undo", text, item, number)
