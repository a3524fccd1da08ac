"""Representatives of covers: the lexicographically smallest one of each orbit."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ...runtime.interrupts import Steps
from ..cover_array import CoverArray, join_covers, select_covers
from ..problem import Problem
from .chain import Chain
from .refine import Vertices

# Indices of the register of `mark_smallest`
COVER = 0  # the number of the current cover
BEGIN = 1  # where it begins
DEPTH = 2  # the number of transversals applied to it; NOT_STARTED before
TIME = 3  # increases with each comparison
COVER_TIME = 4  # the time at which the current cover was begun
N_REGISTERS = 5
NOT_STARTED = -1

IMAGES_PER_CALL = 1 << 22  # of options; a few milliseconds
MAX_WORK = 1 << 24  # nodes to look at while options are excluded


@njit
def mark_smallest(
    options, ends, images, level_start, next_row, image, stamp, is_smallest, register, budget
):
    """Determine which covers have no smaller image under a group, until the budget is spent.

    The image of a cover is smaller if it contains the smallest option that is in only one of the
    two.

    Parameters
    ----------
    options : ndarray of uint32, shape (n,)
        The covers one after another, each ascending.
    ends : ndarray of int64, shape (covers,)
        Where they end.
    images : ndarray of uint32, shape (rows, options of the problem)
        The transversals of a stabilizer chain.
    level_start : ndarray of int64, shape (levels + 1,)
        The rows of each transversal.
    next_row : ndarray of int64, shape (levels + 1,)
        Written: the rows to apply next.
    image : ndarray of uint32, shape (levels + 1, options of the longest cover)
        Written: the images of the current cover.
    stamp : ndarray of int64, shape (options of the problem,)
        Written: when an option was met. Zeros at the first call.
    is_smallest : ndarray of bool, shape (covers,)
        Written: the result.
    register : ndarray of int64, shape (N_REGISTERS,)
        Written, and continued; see `_start_register`.
    budget : int64
        The number of options to map.
    """
    cover = register[COVER]
    begin = register[BEGIN]
    depth = register[DEPTH]
    time = register[TIME]
    cover_time = register[COVER_TIME]
    n_levels = len(level_start) - 1
    # Each element of the group is a product of one element of each transversal. `image[depth]` is
    # the image of the cover under the elements of the last `depth` transversals.
    while cover < len(ends) and budget > 0:
        n_options = ends[cover] - begin
        budget -= n_options + 1
        if depth < 0:  # a new cover
            time += 1
            cover_time = time
            for position in range(n_options):
                image[0, position] = options[begin + position]
            depth = 0
            is_smallest[cover] = True
            next_row[0] = level_start[max(n_levels - 1, 0)]
        level = n_levels - 1 - depth  # elements of the last transversal are applied first
        if level < 0:  # the image of the cover under an element is complete: compare it
            time += 1
            for position in range(n_options):
                stamp[image[depth, position]] = time
            # The smallest option of the cover that the image lacks. Smaller ones, which both have,
            # lose the new stamp, so that a smaller option with it is in the image only.
            missing = np.int64(len(stamp))
            for position in range(n_options):
                if stamp[options[begin + position]] != time:
                    missing = np.int64(options[begin + position])
                    break
                stamp[options[begin + position]] = cover_time
            for position in range(n_options):
                option = np.int64(image[depth, position])
                if stamp[option] == time and option < missing:
                    is_smallest[cover] = False
            depth -= 1
        elif next_row[depth] == level_start[level + 1]:  # all elements of the level are applied
            depth -= 1
        else:
            for position in range(n_options):
                image[depth + 1, position] = images[next_row[depth], image[depth, position]]
            next_row[depth] += 1
            depth += 1
            if level > 0:
                next_row[depth] = level_start[level - 1]
        if depth < 0 or not is_smallest[cover]:
            begin = ends[cover]
            cover += 1
            depth = np.int64(NOT_STARTED)
    register[COVER] = cover
    register[BEGIN] = begin
    register[DEPTH] = depth
    register[TIME] = time
    register[COVER_TIME] = cover_time


def _start_register() -> NDArray[np.int64]:
    """Return the register of `mark_smallest` before its first call."""
    register = np.zeros(N_REGISTERS, np.int64)
    register[DEPTH] = NOT_STARTED
    return register


class SmallestFilter:
    """A filter for the covers without a smaller image under a group.

    Parameters
    ----------
    chain : Chain
        The group.
    options : slice
        The vertices of the chain that are options.

    Raises
    ------
    ValueError
        If the group needs too much memory.
    """

    def __init__(self, chain: Chain, options: slice) -> None:
        chain.require_small()
        self._chain = chain
        self._options = options
        self.order = chain.order
        self._level_start = np.cumsum([0, *chain.sizes])
        self._images: Vertices | None = None
        self.n_calls = 0  # of the kernel

    def _collect_images(self) -> Steps[Vertices]:
        """Return the images of the options under all elements of the transversals, by rows."""
        levels = yield from self._chain.transversals()
        options = self._options
        images = np.empty((self._level_start[-1], options.stop - options.start), np.uint32)
        rows = iter(images)
        for level in levels:
            for element, row in zip(level, rows, strict=False):
                np.subtract(element[options], options.start, out=row, dtype=np.uint32)
                yield
        return images

    def select(self, covers: CoverArray, stop: Callable[[], bool]) -> tuple[CoverArray, int]:
        """Return the covers without smaller images, and how many covers were compared.

        All of them are compared, unless `stop` returns True.
        """
        is_smallest = np.zeros(len(covers), np.bool_)
        register = _start_register()
        for _ in self._compare(covers, is_smallest, register):
            if stop():
                break
        n_compared = int(register[COVER])
        return select_covers(covers, np.flatnonzero(is_smallest[:n_compared])), n_compared

    def count(self, covers: CoverArray, max_calls: float) -> Steps[int | None]:
        """Return the number of covers without smaller images.

        Return None if the kernel is called more often than `max_calls`, since the first cover.
        """
        is_smallest = np.zeros(len(covers), np.bool_)
        for _ in self._compare(covers, is_smallest, _start_register()):
            if self.n_calls > max_calls:
                return None
            yield
        return int(np.count_nonzero(is_smallest))

    def _compare(
        self, covers: CoverArray, is_smallest: NDArray[np.bool_], register: NDArray[np.int64]
    ) -> Steps[None]:
        """Call `mark_smallest`, which writes the last two, until all covers are compared.

        Pauses before each call, so that the caller can end the comparison.
        """
        if self._images is None:
            self._images = yield from self._collect_images()
        covers = join_covers([covers])  # whose options begin at 0, as the kernel expects
        options = covers.options.view(np.uint32)
        n_levels = len(self._level_start)
        image = np.zeros((n_levels, np.diff(covers.indptr).max(initial=0)), np.uint32)
        next_row = np.zeros(n_levels, np.int64)
        stamp = np.zeros(self._images.shape[1], np.int64)
        arrays = self._images, self._level_start, next_row, image, stamp, is_smallest, register
        while register[COVER] < len(covers):
            yield
            self.n_calls += 1
            mark_smallest(options, covers.indptr[1:], *arrays, IMAGES_PER_CALL)


def never_in_smallest(problem: Problem, orbit: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which options are in no cover that is smaller than its images.

    The first option of such a cover is the first one of its orbit, and does not come after the
    first one of any other orbit that the cover meets. So an option cannot be in it if each option
    that may come first excludes it. In large problems, only some of these options are found.

    Parameters
    ----------
    problem : Problem
    orbit : ndarray of int64, shape (options,)
        The first option of the orbit of each option.
    """
    option_of = problem.option_of_node()
    items = problem.items
    is_exclusive = (problem.node_colors == 0) & (problem.item_high[items] == 1)
    is_excluded: NDArray[np.bool_] = orbit != np.arange(problem.n_options)
    n_left = MAX_WORK // max(1, len(items))
    for first_option in np.flatnonzero(~is_excluded).tolist():
        is_undecided = is_excluded & (orbit >= first_option)
        n_left -= 1
        if n_left < 0:  # what might not be excluded is kept
            is_excluded[is_undecided] = False
        if n_left < 0 or not is_undecided.any():
            break
        # An option that shares no exclusive item with this first one may be in a cover with it.
        nodes = slice(problem.indptr[first_option], problem.indptr[first_option + 1])
        is_blocked = np.zeros(problem.n_items, np.bool_)
        is_blocked[items[nodes][is_exclusive[nodes]]] = True
        is_undecided[option_of[is_blocked[items]]] = False
        is_excluded[is_undecided] = False
    return is_excluded
