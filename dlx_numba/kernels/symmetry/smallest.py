"""Representatives of covers: the lexicographically smallest one of each orbit."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..problem import Problem
from .chain import Chain, merge_orbits

IMAGES_PER_CALL = 1 << 22  # of options; a few milliseconds


@njit
def mark_smallest(options, ends, images, level_start, next_row, image, stamp, is_smallest):
    """Determine which covers have no smaller image under a group.

    The image of a cover is smaller if it contains the smallest option that is in only one of the
    two. Parameters: `options` (n,) uint32, the covers one after another, each ascending; `ends`
    (covers,) int64, where they end; `images` (rows, options of the problem) uint32, the
    transversals of a stabilizer chain; `level_start` (levels + 1,) int64, the rows of each; scratch
    memory `next_row` (levels + 1,) int64, `image` (levels + 1, options of a cover) uint32 and
    `stamp` (options of the problem,) int64, zeros; `is_smallest` (covers,) bool. Modifies the last
    four.
    """
    n_levels, begin, time = len(level_start) - 1, 0, 0
    for cover in range(len(ends)):
        n = ends[cover] - begin
        time += 1
        cover_time = time
        for k in range(n):
            image[0, k] = options[begin + k]
        depth, is_smallest[cover] = 0, True
        next_row[0] = level_start[max(n_levels - 1, 0)]
        while depth >= 0 and is_smallest[cover]:
            level = n_levels - 1 - depth  # elements of the last transversal are applied first
            if level >= 0:
                row = next_row[depth]
                if row == level_start[level + 1]:
                    depth -= 1
                    continue
                next_row[depth] += 1
                for k in range(n):
                    image[depth + 1, k] = images[row, image[depth, k]]
                depth += 1
                if level > 0:
                    next_row[depth] = level_start[level - 1]
                continue
            time += 1
            for k in range(n):
                stamp[image[depth, k]] = time
            missing = np.int64(len(stamp))
            for k in range(n):
                if stamp[options[begin + k]] != time:
                    missing = np.int64(options[begin + k])
                    break
                stamp[options[begin + k]] = cover_time
            for k in range(n):
                option = np.int64(image[depth, k])
                if stamp[option] == time and option < missing:
                    is_smallest[cover] = False
            depth -= 1
        begin = ends[cover]


class SmallestFilter:
    """Selects the covers that have no smaller image under a group.

    Parameters
    ----------
    chain : Chain
        The group.
    options : slice
        The vertices of the chain that are options.
    """

    def __init__(self, chain: Chain, options: slice) -> None:
        images = [level[:, options] - options.start for level in chain.levels]
        none = np.zeros((0, options.stop - options.start), np.uint32)
        self._images = np.ascontiguousarray(np.concatenate([none, *images]), np.uint32)
        self._level_start = np.cumsum([0, *chain.sizes])
        self.order = chain.order

    def select(self, covers: Sequence[list[int]]) -> list[list[int]]:
        """Return the covers without smaller images. They are sorted lists of options."""
        longest = max(map(len, covers), default=0)
        n_levels = len(self._level_start)
        next_row, image = np.zeros(n_levels, np.int64), np.zeros((n_levels, longest), np.uint32)
        stamp = np.zeros(self._images.shape[1], np.int64)
        step = 1 + IMAGES_PER_CALL // (self.order * max(1, longest))
        selected = []
        for begin in range(0, len(covers), step):
            batch = covers[begin : begin + step]
            options = np.array([k for cover in batch for k in cover], np.uint32)
            ends, is_smallest = np.cumsum(list(map(len, batch))), np.zeros(len(batch), np.bool_)
            arrays = self._images, self._level_start, next_row, image, stamp
            mark_smallest(options, ends, *arrays, is_smallest)
            stamp[:] = 0
            selected += [
                cover for cover, is_kept in zip(batch, is_smallest, strict=True) if is_kept
            ]
        return selected


def never_in_smallest(
    problem: Problem, generators: Sequence[NDArray[np.int64]]
) -> NDArray[np.bool_]:
    """Return which options are in no cover that is smaller than its images.

    The first option of such a cover is the first one of its orbit, and does not come after the
    first one of any other orbit that the cover meets. So an option cannot be in it if each option
    that may come first excludes it.

    Parameters
    ----------
    problem : Problem
    generators : sequence of ndarray of int64, shape (options,)
        The images of the options under symmetries.
    """
    orbit = np.arange(problem.n_options)
    for image in generators:
        orbit = merge_orbits(orbit, image)
    option_of, items = problem.option_of_node(), problem.items
    is_exclusive = np.ones(len(items), np.bool_)
    if problem.color is not None:
        is_exclusive = problem.color == 0
    if problem.high is not None:
        is_shared = np.append(problem.high > 1, np.zeros(problem.n_secondary, np.bool_))
        is_exclusive &= ~is_shared[items]
    is_excluded: NDArray[np.bool_] = orbit != np.arange(problem.n_options)
    for first in np.flatnonzero(~is_excluded).tolist():
        is_undecided = is_excluded & (orbit >= first)
        if not is_undecided.any():
            break
        nodes = slice(problem.indptr[first], problem.indptr[first + 1])
        is_blocked = np.zeros(problem.n_items, np.bool_)
        is_blocked[items[nodes][is_exclusive[nodes]]] = True
        is_undecided[option_of[is_blocked[items]]] = False
        is_excluded[is_undecided] = False
    return is_excluded
