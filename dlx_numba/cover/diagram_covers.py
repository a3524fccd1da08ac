"""Return covers of a diagram as arrays: all of them, or random ones."""

from collections.abc import Iterator
from random import Random

import numpy as np
from numpy.typing import NDArray

from ..kernels.cover_array import CoverArray, Translation, as_array, sort_covers
from ..kernels.memo.diagram import LENGTH, Limbs, Path, find_covers, list_covers
from ..kernels.memo.explore import TRUE, Diagram
from ..runtime.interrupts import Stop
from .diagram_file import DiagramFacts

OPTIONS_PER_BATCH = 1 << 18  # that covers consist of: a megabyte, and a millisecond


def list_parts(graph: Diagram, facts: DiagramFacts, limit: int, stop: Stop) -> Iterator[CoverArray]:
    """Yield up to `limit` covers in the order of the search, until `stop` is set.

    The next covers overwrite the memory of those that are yielded.
    """
    fixed = facts.fixed
    n_options = facts.n_options
    # A graph of FALSE alone has no cover, and one with TRUE as the last node only that of the fixed
    # options.
    if graph.n_nodes <= TRUE + 1:
        yield as_array([sorted(fixed)] * (graph.n_nodes - TRUE))[:limit]
        return
    edge, end, place = np.empty((3, graph.n_nodes), np.int64)
    row = np.empty(n_options + 1, np.uint32)
    row[: len(fixed)] = sorted(fixed)
    edge[0], end[0] = graph.start[-2:]  # of the root, which is the last node
    state = np.zeros(2, np.int64)  # LEVEL, the root, and LENGTH
    state[LENGTH] = len(fixed)
    path = Path(edge, end, place, row, state)
    options = np.empty(max(OPTIONS_PER_BATCH, n_options + 1), np.uint32)
    indptr = np.zeros(2, np.int64)
    n_listed = 1  # of the last call; 0 after all covers
    while limit > 0 and n_listed and not stop():
        n_listed = list_covers(graph, path, n_options, options, indptr[1 : limit + 1])
        yield CoverArray(options[: indptr[n_listed]].view(np.int32), indptr[: n_listed + 1])
        limit -= n_listed
        indptr = np.zeros(min(2 * len(indptr), OPTIONS_PER_BATCH), np.int64)


def to_integer(limbs: NDArray[np.uint32]) -> int:
    """Return the number with some limbs (n,), digits in base 2**32, the lowest first."""
    return int.from_bytes(limbs.astype("<u4").tobytes(), "little")


def draw_covers(
    graph: Diagram, facts: DiagramFacts, below: Limbs, n: int, random: Random, stop: Stop
) -> Iterator[CoverArray]:
    """Yield `n` random covers, until `stop` is set, by their positions in the order of the search.

    A position consists of random bits, as many as the number of covers needs, and is drawn again if
    it is too large, so all of them are equally likely. `below` is the number of covers of each
    node, whose limbs are digits in base 2**32, the lowest first.
    """
    n_limbs = below.shape[1]
    longest = max(1, min(facts.n_options, graph.n_nodes))
    translation = Translation(given=np.array(facts.fixed, np.int64))
    bits = (1 << (to_integer(below[-1]) - 1).bit_length()) - 1
    mask = np.frombuffer(bits.to_bytes(4 * n_limbs, "little"), "<u4")
    while n > 0 and not stop():
        n_drawn = min(2 * n, 1 + OPTIONS_PER_BATCH // longest)  # half or more are kept, on average
        drawn = np.frombuffer(random.randbytes(4 * n_limbs * n_drawn), "<u4")
        positions = drawn.reshape(n_drawn, n_limbs) & mask
        # Whether a position is less than the number of covers: first by the lowest limb alone, and
        # then with one more limb at a time, which decides unless it is equal
        is_less = np.zeros(n_drawn, np.bool_)
        for k in range(n_limbs):
            is_less &= positions[:, k] == below[-1, k]
            is_less |= positions[:, k] < below[-1, k]
        positions = positions[is_less][:n].astype(np.uint32)
        indptr = np.zeros(len(positions) + 1, np.int64)
        options = np.empty(len(positions) * longest + 1, np.uint32)
        find_covers(graph, below, positions, facts.n_options, options, indptr[1:])
        yield sort_covers(options[: indptr[-1]], indptr, translation)
        n -= len(positions)
