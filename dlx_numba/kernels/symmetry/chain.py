"""Permutation groups as stabilizer chains.

The group at each level consists of the elements of the group above that fix its base point. The
*transversal* of a level contains, for each image of the base point, one element that maps the base
point to it. Each element of the group is a product of one element from each transversal, in a
unique way.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import log10, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ...runtime.interrupts import Steps, Stop, complete, raise_if_stopped
from ..components import join_sets
from ..csr import positions_in
from .refine import Vertices

ROWS_PER_BLOCK = 1 << 10
BLOCK_SIZE = 1 << 20  # images in the products that are compared at once
MAX_TRANSVERSALS = 1 << 26  # images in all transversals
MAX_CLASSIFIED = 1 << 24  # elements of a group whose conjugacy classes are determined
MAX_DIGITS = 30

Classes = tuple[NDArray[np.int64], NDArray[np.int64]]


class Permutation(NamedTuple):
    """A permutation of vertices."""

    moved: Vertices  # the vertices that are not fixed, ascending
    images: Vertices  # of these vertices

    @classmethod
    def of(cls, image: NDArray[np.integer]) -> "Permutation":
        """Return the permutation that maps each vertex to its image in an array."""
        moved = np.flatnonzero(image != np.arange(len(image))).astype(np.uint32)
        return cls(moved, image[moved].astype(np.uint32))

    def array(self, n: int) -> Vertices:
        """Return the image of each of n vertices."""
        image = np.arange(n, dtype=np.uint32)
        image[self.moved] = self.images
        return image


class Chain:
    """A group of permutations of n vertices.

    Parameters
    ----------
    n : int

    Attributes
    ----------
    base, sizes : list of int
        The base point of each level, and the number of its images.
    generators : list of Permutation
    orbit : ndarray of int64, shape (n,)
        The first vertex of the orbit of each vertex.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.base: list[int] = []
        self.sizes: list[int] = []
        self.generators: list[Permutation] = []
        self.orbit = np.arange(n)
        self._n_generators: list[int] = []  # of the group at each level
        self._levels: list[Vertices] | None = None

    @property
    def order(self) -> int:
        """The number of elements."""
        return prod(self.sizes)

    @property
    def levels(self) -> list[Vertices]:
        """The result of `transversals`."""
        return complete(self.transversals(), lambda: False)

    def require_small(self) -> None:
        """Raise ValueError if the transversals need too much memory."""
        if sum(self.sizes) * self.n > MAX_TRANSVERSALS:
            raise ValueError(f"the group of order {format_order(self.order)} is too large")

    def transversals(self) -> Steps[list[Vertices]]:
        """Return the transversal of each level (images, n), which begins with the identity.

        They are computed once. Raises ValueError if they need too much memory.
        """
        if self._levels is None:
            self.require_small()
            generators = [each.array(self.n) for each in self.generators]
            levels = list[Vertices]()
            for base, n_generators in zip(self.base, self._n_generators, strict=True):
                levels.append((yield from transversal(base, generators[:n_generators], self.n)))
            self._levels = levels
        return self._levels

    def add_generator(self, generator: Permutation) -> None:
        """Add a generator to the group, but to none of the levels."""
        self.generators.append(generator)
        merge_orbits(self.orbit, *generator)

    def add_top(self, base: int, size: int) -> None:
        """Add a level above all others, for the group of all generators so far."""
        self.base.insert(0, base)
        self.sizes.insert(0, size)
        self._n_generators.insert(0, len(self.generators))

    @classmethod
    def generate(cls, generators: Iterable[Vertices], n: int, n_points: int, stop: Stop) -> "Chain":
        """Return the group that permutations of `n` vertices generate: the Schreier–Sims algorithm.

        The images of the first `n_points` vertices determine those of all others.

        Raises Stopped if it is stopped, and ValueError if the group needs too much memory.
        """
        chain = cls(n)
        strong = list[list[Vertices]]()  # the generators of each level
        levels = chain._levels = list[Vertices]()

        def sift(element: Vertices, depth: int) -> Vertices | None:
            """Divide an element of the group at a level by those of the transversals from there on.

            Returns what remains, which extends the group, or None for the identity. Raises Stopped.
            """
            raise_if_stopped(stop, "the group was complete")
            for base, images in zip(chain.base[depth:], levels[depth:], strict=True):
                [row] = np.nonzero(images[:, base] == element[base])
                if len(row) == 0:
                    return element
                element = invert(images[row[0]])[element]
            return None if np.array_equal(element, np.arange(n)) else element

        def extend(element: Vertices, depth: int) -> None:
            """Add an element that fixes the base points above a level; complete those below."""
            if depth == len(levels):  # the base point of a new level is the first vertex it moves
                chain.base.append(int(np.argmax(element != np.arange(n))))
                chain.sizes.append(1)
                levels.append(np.arange(n, dtype=np.uint32)[None])
                strong.append([])
            strong[depth].append(element)
            if sum(chain.sizes) * n > MAX_TRANSVERSALS:
                raise ValueError("the group that the functions generate is too large")
            base = chain.base[depth]
            images = levels[depth] = complete(
                transversal(base, strong[depth], n), stop, "the group was complete"
            )
            chain.sizes[depth] = len(images)
            row_of = positions_in(images[:, base], n)
            of_level = np.array(strong[depth])
            # A Schreier generator is a product of a generator and an element of the transversal,
            # divided by the transversal's element for the same image of the base point. It is
            # trivial if the product equals this element. Only the others are sifted.
            points = images[:, :n_points].astype(np.int64)  # faster as indices
            step = max(1, BLOCK_SIZE // (len(of_level) * n_points))
            for begin in range(0, len(images), step):
                products = of_level[:, points[begin : begin + step]]
                expected = points[row_of[products[..., base]]]
                for row, number in np.argwhere((products != expected).any(2).T).tolist():
                    product = of_level[number][images[begin + row]]
                    stabilizing = invert(images[row_of[product[base]]])[product]
                    if (residue := sift(stabilizing, depth + 1)) is not None:
                        extend(residue, depth + 1)

        for generator in generators:
            chain.add_generator(Permutation.of(generator))
            if (residue := sift(generator, 0)) is not None:
                extend(residue, 0)
        return chain

    def elements(self, vertices: NDArray[np.integer]) -> Iterator[Vertices]:
        """Yield blocks of elements, in the order of their indices: the images of some vertices.

        The arrays have the shape (rows, vertices). All products of the elements of the last levels
        are one block, to which each product of those of the other levels is applied.
        """
        block = np.arange(self.n, dtype=np.uint32)[vertices][None]
        depth = len(self.levels)
        while depth and len(block) * len(self.levels[depth - 1]) <= ROWS_PER_BLOCK:
            depth -= 1
            level = self.levels[depth]
            block = level[:, block].reshape(len(level) * len(block), block.shape[1])
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
        """Return the indices of elements by the images of the base points, shape (rows, levels).

        The image of a base point tells the factor of its level, by which the images of the others
        are then divided. The index is a number whose digits are the rows of the factors.
        """
        images, indices = images.copy(), np.zeros(len(images), np.int64)
        for depth, (base, level) in enumerate(zip(self.base, self.levels, strict=True)):
            rows = positions_in(level[:, base], self.n)[images[:, depth]]
            for row in np.unique(rows):
                is_row = rows == row
                images[is_row] = invert(level[row])[images[is_row]]
            indices = indices * len(level) + rows
        return indices

    def conjugacy_classes(self) -> Steps[Classes]:
        """Return the index of the first element of each conjugacy class, and the sizes.

        Yields None whenever the caller may want to end the search. Raises ValueError if there are
        too many elements.
        """
        if self.order > MAX_CLASSIFIED:
            raise ValueError(
                f"the group has {format_order(self.order)} elements, more than can be classified; "
                "select a smaller one by functions"
            )
        yield from self.transversals()
        label = np.arange(self.order)
        conjugates = []  # for each generator g, the index of g x g⁻¹ for each element x
        for generator in (each.array(self.n) for each in self.generators):
            preimages = invert(generator)[self.base]
            conjugate = np.zeros(self.order, np.uint32)
            begin = 0
            for block in self.elements(preimages):
                conjugate[begin : begin + len(block)] = self.index(generator[block])
                begin += len(block)
                yield
            conjugates.append(conjugate)
        while True:  # until all elements of a class have the index of its first one
            lowest = label
            for conjugate in conjugates:
                lowest = np.minimum(lowest, lowest[conjugate])
                yield
            lowest = lowest[lowest]
            if np.array_equal(lowest, label):
                return np.unique(label, return_counts=True)
            label = lowest


def format_order(order: int) -> str:
    """Return the order of a group as text, or its magnitude if it has many digits."""
    digits = int(log10(order))
    return f"{order:,}" if digits < MAX_DIGITS else f"about 10^{digits}"


def invert(image: Vertices) -> Vertices:
    """Return the inverse of a permutation."""
    inverse = np.empty_like(image)
    inverse[image] = np.arange(len(image))
    return inverse


def transversal(base: int, generators: Sequence[Vertices], n: int) -> Steps[Vertices]:
    """Return for each vertex in the orbit of a vertex an element that maps it there, by rows."""
    orbit = [base]
    origins = list[tuple[int, Vertices]]()
    seen = {base}
    for row, vertex in enumerate(orbit):  # which grows meanwhile
        for generator in generators:
            image = int(generator[vertex])
            if image not in seen:
                seen.add(image)
                orbit.append(image)
                origins.append((row, generator))
        yield
    images = np.empty((len(orbit), n), np.uint32)
    images[0] = np.arange(n)
    for k, (row, generator) in enumerate(origins, 1):
        images[k] = generator[images[row].astype(np.int64)]  # faster as indices
        yield
    return images


@njit
def merge_orbits(first, moved, images):
    """Merge the orbits of vertices and their images, as a generator is added to a group.

    Modifies `first` (n,) int64, the first vertex of the orbit of each vertex: for the trivial
    group, the vertices themselves. Other parameters: the arrays of a `Permutation`.
    """
    for k in range(len(moved)):
        join_sets(first, np.int64(moved[k]), np.int64(images[k]))
    for vertex in range(len(first)):  # the label is a smaller vertex, whose label is final
        first[vertex] = first[first[vertex]]
