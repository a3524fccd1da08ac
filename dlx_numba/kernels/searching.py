"""A search for covers of whichever kind the problem calls for."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..jit.compile import kernel
from .algorithm_m import Bounds, retreat_multiple, search_multiple
from .algorithm_x import Dance, retreat, search, start
from .links import Colors, Links
from .problem import Instance


class State(NamedTuple):
    """All that a search works on, in the order in which `advance` takes it."""

    links: Links
    colors: Colors | None
    bounds: Bounds | None
    dance: Dance

    def copy(self) -> "State":
        """A state to go on with apart from this one. What no search changes is shared."""
        links, colors, bounds, dance = self
        L, R, U, D, column, size = links
        return State(
            Links(L.copy(), R.copy(), U.copy(), D.copy(), column, size.copy()),
            None if colors is None else colors._replace(purifier=colors.purifier.copy()),
            None if bounds is None else bounds.copy(),
            Dance._make(array.copy() for array in dance),
        )

    def emptied(self) -> "State":
        """The state of a search that is done: its registers, and no other array."""
        nothing = np.zeros(0, np.uint32)
        dance = [nothing] * (len(self.dance) - 1)
        return State(Links(*[nothing] * 6), None, None, Dance._make([*dance, self.dance.register]))


def start_search(instance: Instance, begin: Callable[[Links], Dance] = start) -> State:
    """A search over copies of the instance's arrays, whose dance `begin` starts."""
    links, colors, bounds, n_options = instance.copy()
    dance = begin(links)
    if bounds is not None:
        # A level takes an option, or decides to take no more of an item.
        levels = min(n_options, int(bounds.room.sum(dtype=np.int64))) + len(bounds.room)
        choice, head, tail, before, after = np.zeros((5, levels), np.uint32)
        dance = dance._replace(choice=choice, head=head, tail=tail, before=before, after=after)
    return State(links, colors, bounds, dance)


@kernel
def advance(links, colors, bounds, dance, budget):
    """`search`, or `search_multiple` where there are bounds."""
    if bounds is None:
        return search(links, colors, dance, budget)
    return search_multiple(links, colors, bounds, dance, budget)


@kernel
def retreat_to(links, colors, bounds, dance, base):
    """`retreat`, or `retreat_multiple` where there are bounds."""
    if bounds is None:
        retreat(links, colors, dance, base)
    else:
        retreat_multiple(links, colors, bounds, dance, base)
