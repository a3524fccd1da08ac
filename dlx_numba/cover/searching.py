"""A search for covers of whichever kind the problem calls for."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..dance import Dance, search, start
from ..links import Colors, Links
from ..policy import kernel
from .multiple import Bounds, search_multiple
from .problem import Instance


class Search(NamedTuple):
    """All that a search works on, in the order in which `advance` takes it."""

    links: Links
    colors: Colors | None
    bounds: Bounds | None
    dance: Dance


def start_search(instance: Instance, begin: Callable[[Links], Dance] = start) -> Search:
    """A search over copies of the instance's arrays, whose dance `begin` starts."""
    links, colors, bounds, n_options = instance.copy()
    dance = begin(links)
    if bounds is not None:
        # A level takes an option, or decides to take no more of an item.
        levels = min(n_options, int(bounds.room.sum(dtype=np.int64))) + len(bounds.room)
        choice, head, before, after = np.zeros((4, levels), np.uint32)
        dance = dance._replace(choice=choice, head=head, before=before, after=after)
    return Search(links, colors, bounds, dance)


@kernel
def advance(links, colors, bounds, dance, budget):
    """`search`, or `search_multiple` where there are bounds."""
    if bounds is None:
        return search(links, colors, dance, budget)
    return search_multiple(links, colors, bounds, dance, budget)
