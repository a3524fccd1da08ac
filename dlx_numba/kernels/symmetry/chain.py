"""Permutation groups as stabilizer chains.

The group at each level consists of the elements of the group above that fix its base point. The
*transversal* of a level contains, for each image of the base point, one element that maps the base
point to it. Each element of the group is a product of one element from each transversal, in a
unique way.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from .refine import Vertices

ROWS_PER_BLOCK = 1 << 10


class Chain:
    """A group of permutations of n vertices.

    Parameters
    ----------
    n : int

    Attributes
    ----------
    base, sizes : list of int
        The base point of each level, and the number of its images.
    generators : list of ndarray of uint32, shape (n,)
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.base: list[int] = []
        self.sizes: list[int] = []
        self.generators: list[Vertices] = []
        self._strong: list[list[Vertices]] = []  # generators of the group at each level

    @property
    def order(self) -> int:
        """The number of elements."""
        return prod(self.sizes)

    @cached_property
    def levels(self) -> list[Vertices]:
        """The transversal of each level (images, n), which begins with the identity."""
        pairs = zip(self.base, self._strong, strict=True)
        return [transversal(base, strong, self.n) for base, strong in pairs]

    def add_top(self, base: int, size: int) -> None:
        """Add a level above all others, for the group of all generators so far."""
        self.base.insert(0, base)
        self.sizes.insert(0, size)
        self._strong.insert(0, self.generators[:])

    @classmethod
    def generate(cls, generators: Iterable[Vertices], n: int) -> "Chain":
        """Return the group that some permutations generate, by the Schreier–Sims algorithm."""
        chain = cls(n)
        chain.levels = []
        for generator in generators:
            chain.generators.append(generator)
            if (residue := chain._sift(generator, 0)) is not None:
                chain._extend(residue, 0)
        return chain

    def _sift(self, element: Vertices, depth: int) -> Vertices | None:
        """Divide an element by those of the transversals; None if nothing remains."""
        for base, images in zip(self.base[depth:], self.levels[depth:], strict=True):
            [row] = np.nonzero(images[:, base] == element[base])
            if len(row) == 0:
                return element
            element = np.argsort(images[row[0]]).astype(np.uint32)[element]
        return None if np.array_equal(element, np.arange(self.n)) else element

    def _extend(self, element: Vertices, depth: int) -> None:
        """Add an element that fixes the base points above a level; complete the levels below."""
        if depth == len(self.levels):
            self.base.append(int(np.argmax(element != np.arange(self.n))))
            self.sizes.append(1)
            self.levels.append(np.arange(self.n, dtype=np.uint32)[None])
            self._strong.append([])
        strong, base = self._strong[depth], self.base[depth]
        strong.append(element)
        images = self.levels[depth] = transversal(base, strong, self.n)
        self.sizes[depth] = len(images)
        inverse = {int(row[base]): np.argsort(row).astype(np.uint32) for row in images}
        for representative in images:
            for generator in strong:
                product = generator[representative]
                stabilizing = inverse[int(product[base])][product]
                if (residue := self._sift(stabilizing, depth + 1)) is not None:
                    self._extend(residue, depth + 1)

    def elements(self, columns: NDArray[np.integer] | None = None) -> Iterator[Vertices]:
        """Yield blocks of elements, in the order of their indices: arrays of shape (rows, columns).

        All images are in the arrays by default, or else those of some vertices.
        """
        vertices = np.arange(self.n, dtype=np.uint32)
        block = (vertices if columns is None else vertices[columns])[None]
        depth = len(self.levels)
        while depth and len(block) * len(self.levels[depth - 1]) <= ROWS_PER_BLOCK:
            depth -= 1
            block = self.levels[depth][:, block].reshape(-1, block.shape[1])
        for rows in np.ndindex(*self.sizes[:depth]):
            product = block
            for level, row in zip(self.levels[:depth][::-1], rows[::-1], strict=True):
                product = level[row][product]
            yield product

    def element(self, index: int) -> Vertices:
        """Return the element with an index."""
        rows = np.unravel_index(index, self.sizes) if self.sizes else ()
        image = np.arange(self.n, dtype=np.uint32)
        for level, row in zip(self.levels[::-1], rows[::-1], strict=True):
            image = level[row][image]
        return image

    def index(self, images: Vertices) -> NDArray[np.int64]:
        """Return the indices of elements by the images of the base points, shape (rows, levels)."""
        images, indices = images.copy(), np.zeros(len(images), np.int64)
        for depth, (base, level) in enumerate(zip(self.base, self.levels, strict=True)):
            row_of = np.zeros(self.n, np.int64)
            row_of[level[:, base]] = np.arange(len(level))
            rows = row_of[images[:, depth]]
            inverses = np.argsort(level, axis=1).astype(np.uint32)
            images = inverses[rows[:, None], images]
            indices = indices * len(level) + rows
        return indices

    def conjugacy_classes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the index of the first element of each conjugacy class, and the sizes."""
        label = np.arange(self.order)
        conjugates = []
        for generator in self.generators:
            preimages = np.argsort(generator)[self.base]
            blocks = [generator[block] for block in self.elements(preimages)]
            conjugates.append(self.index(np.concatenate(blocks)))
        while True:
            lowest = label
            for conjugate in conjugates:
                lowest = np.minimum(lowest, lowest[conjugate])
            lowest = lowest[lowest]
            if np.array_equal(lowest, label):
                return np.unique(label, return_counts=True)
            label = lowest


def transversal(base: int, generators: Sequence[Vertices], n: int) -> Vertices:
    """Return for each vertex in the orbit of a vertex an element that maps it there, by rows."""
    rows, seen = [np.arange(n, dtype=np.uint32)], {base}
    for element in rows:
        for generator in generators:
            image = int(generator[element[base]])
            if image not in seen:
                seen.add(image)
                rows.append(generator[element])
    return np.stack(rows)


def merge_orbits(first: NDArray[np.int64], image: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return the first vertex of the orbit of each vertex, after a generator is added to a group.

    `first` is the same for the group without it: for the trivial group, the vertices themselves.
    """
    while True:
        lowest = first.copy()
        np.minimum.at(lowest, first, first[image])
        np.minimum.at(lowest, first[image], first)
        lowest = lowest[first]
        if np.array_equal(lowest, first):
            return first
        first = lowest
