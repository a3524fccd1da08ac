"""A recorder of literal searches: of the module `dancing_links`."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dancing_links import choose_item, cover, search, try_option, uncover, undo_option
from ..jit.namespaces import plain_python, plain_python_with
from ..kernels.dlx.links import INACTIVE
from ..kernels.literal import search_literally
from .algorithm_x import RecorderX
from .arrays import Following
from .lookahead import FirstCover, Limits
from .problem_view import ProblemView


class RecorderLiteral(RecorderX):
    """A recorder of the steps of `dancing_links.search`, with the labels of Algorithm X.

    The record adds INACTIVE to the sizes of secondary and of covered items, as the links of other
    searches do: readers of the record recognize these items by it, and the search never reads it.
    """

    at_end = "All options of the first item have been tried"

    def __init__(self, view: ProblemView, limits: Limits, first: FirstCover | None = None) -> None:
        super().__init__(view, limits, first)
        sizes: NDArray[Any] = np.asarray(self.links.size)
        sizes[1 + view.n_primary :] += INACTIVE
        self.initial["size"] = sizes.tolist()

    def _kernel(self) -> Callable[..., int]:
        """Return the kernel, which calls the methods below in place of its own functions."""
        recorded = plain_python_with(
            search,
            choose_item=self._choose_next,
            cover=self._cover_chosen,
            uncover=self._uncover_chosen,
            try_option=self._try_next,
            undo_option=self._undo_last,
        )
        kernel = plain_python_with(search_literally, search=recorded)
        links = self.links._replace(D=Following(self._next_option))
        return lambda _links, _colors, state, budget: kernel(links, state, budget)

    def enter_level(self, level: int, node: int) -> None:
        """Do nothing: the option of the level has yet to be tried."""

    def _next_option(self, node: int) -> Any:
        """Return the node after a node of the current item, without skipped options."""
        following = self.links.D[node]
        # The nodes of options are numbered after the items; the list ends at its item.
        while following >= len(self.links.size) and self._skips(self.view.option_of(following)):
            following = self.links.D[following]
        return following

    def _choose_next(self, R: Any, size: Any, is_leftmost: bool) -> Any:
        """Choose an item as the kernel does, or one of a given option, and record why."""
        if self.level < len(self.view.given):
            return self._choose_given()
        item = plain_python(choose_item)(R, size, is_leftmost)
        self._record_choice(int(item), self.reason)
        return item

    def _cover_chosen(self, *arguments: Any) -> int:
        """Cover the chosen item, the last of the kernel's arguments, and record it."""
        item = int(arguments[-1])
        updates = self._hide_item(*arguments)
        self._step("cover", self._describe_covering(item, self._hidden_by([item])), item)
        return updates

    def _uncover_chosen(self, *arguments: Any) -> None:
        """Uncover the item of this level, the last of the kernel's arguments, and record it."""
        item = int(arguments[-1])
        self._end_skip()
        self._restore_item(*arguments)
        self._backtrack(item)

    def _try_next(self, *arguments: Any) -> int:
        """Try an option as the kernel does, record what it covers and hides, and enter a level."""
        option = int(arguments[-1])  # its node of the chosen item
        item = int(self.links.column[option])
        number = self.view.option_of(option)
        self._end_skip()
        self._enter_node(number)
        updates: int = plain_python_with(try_option, cover=self._hide_item)(*self.links, option)
        nodes = slice(*self.view.option_starts[number : number + 2])
        others = [other for other in self.links.column[nodes].tolist() if other != item]
        text = f"Try {self.option(number)}"
        if others:
            text += f": cover {self.items(others)}"
        if hidden := sorted({*self._hidden_by(others)} - {number}):
            text += f". This hides {self.options(hidden)}"
        self._step("try", f"{text}.", item, number)
        self.level += 1
        return updates

    def _undo_last(self, *arguments: Any) -> None:
        """Undo an option as the kernel does, and record it."""
        option = int(arguments[-1])  # its node of the chosen item
        number = self._leave_node()
        item = int(self.links.column[option])
        plain_python_with(undo_option, uncover=self._restore_item)(*self.links, option)
        self._step("undo", self._describe_undoing(number, option), item, number)

    def _hide_item(self, *arguments: Any) -> int:
        """Cover an item: a change of the item list, and one of the lists of other items.

        Return the number of updates, as the kernel's function does.
        """
        item = arguments[-1]
        self._change()
        self.links.size[item] += INACTIVE
        updates: int = plain_python(cover)(*self.links, item)
        self._change(0, self.n_changed + 3)  # the size of the item, and two links of the item list
        self._change(int(item))
        return updates

    def _restore_item(self, *arguments: Any) -> None:
        """Uncover an item: a change of the lists of other items, and one of the item list."""
        item = arguments[-1]
        self._change()
        plain_python(uncover)(*self.links, item)
        # The last two assignments are to the links of the item list, and belong to its change.
        self._change(int(item), len(self.log) // 3 - 2)
        self.links.size[item] -= INACTIVE
        self._change()

    def _hidden_by(self, items: list[int]) -> list[int]:
        """Return the options that covering some items has hidden, which are left in their lists.

        An option of two of the items is in the list of the first one that was covered only.
        """
        hidden = set()
        for item in items:
            node = self.links.D[item]
            while node != item:
                if self.links.R[node] != node:  # it has other items, and is hidden from their lists
                    hidden.add(self.view.option_of(int(node)))
                node = self.links.D[node]
        return sorted(hidden)
