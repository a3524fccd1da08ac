"""The symmetries of a result in space, as permutations of the items of a puzzle."""

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .solids import MAX_COLORS, Points, Solid, reflected

Limits = Sequence[tuple[int, int]]  # of each piece, the fewest and the most copies


class Symmetry(NamedTuple):
    """The symmetries of a result.

    Attributes
    ----------
    turned, reflected : ndarray of int64, shape (motions, cells)
        The cells to which rotations and reflections move the cells; no reflections if no mirror
        image of an assembly is one.
    partners : list of int or None
        As `mirror_images` returns them.
    common : sequence of (int, int)
        The limits of assemblies whose mirror images are assemblies, too; empty if all or none are.
    """

    turned: Points
    reflected: Points
    partners: Sequence[int | None]
    common: Limits

    def moves(self, item_of: Points, kept: Points, looks: Points) -> list[Points]:
        """Return the images of the items by rotations that move some; see `_move_items`."""
        return _move_items(self.turned, range(len(self.partners)), item_of, kept, looks)

    def mirrored(self, item_of: Points, kept: Points, looks: Points) -> list[Points]:
        """Return the images of the items by reflections, if these map assemblies to assemblies."""
        if self.common or not len(self.reflected):
            return []
        return _move_items(self.reflected, self.partners, item_of, kept, looks)


def find_symmetry(result: Solid, pieces: Sequence[Solid], limits: Limits) -> Symmetry:
    """Return the symmetries of a result of pieces.

    A reflection exchanges each piece with its mirror image, its partner, so it maps only solutions
    within the limits of both, the common limits.
    """
    turns = result.grid.rotations
    turned = result.symmetries(turns)
    partners = mirror_images(pieces, limits)
    common = _common_limits(limits, partners)
    if common is None:  # no mirror image of an assembly is one
        return Symmetry(turned, result.symmetries(turns[:0]), partners, [])
    images = result.symmetries(reflected(turns))
    # Without a reflection, or if all assemblies are within the common limits, these are not needed.
    return Symmetry(turned, images, partners, common if len(images) and common != limits else [])


def mirror_images(pieces: Sequence[Solid], limits: Limits) -> list[int | None]:
    """Return the mirror image of each piece among the pieces, the piece itself if possible.

    Pieces with equal limits come first. None is for a piece without mirror image, or whose mirror
    images belong to other pieces.
    """
    class_of: dict[bytes, int] = {}  # of pieces that are equal after a turn, by their forms
    for number, piece in enumerate(pieces):
        if next(iter(piece.forms)) not in class_of:
            class_of |= dict.fromkeys(piece.forms, number)
    # The class of each piece, and that of its mirror image, None if no piece is in it
    own = [class_of[next(iter(piece.forms))] for piece in pieces]
    reflected = [class_of.get(piece.reflected_form) for piece in pieces]
    partners = [k if own[k] == reflected[k] else None for k in range(len(pieces))]
    # The second time, without regard to the limits
    for keys in (limits, [None] * len(pieces)):
        waiting: defaultdict[Any, deque[int]] = defaultdict(deque)  # by the class and the limits
        for number, key in enumerate(keys):
            if partners[number] is not None:
                continue
            if images := waiting[reflected[number], key]:  # without a partner yet
                image = images.popleft()
                partners[number] = image
                partners[image] = number
            else:
                waiting[own[number], key].append(number)
    return partners


def _common_limits(limits: Limits, partners: Sequence[int | None]) -> Limits | None:
    """Return the limits of assemblies whose mirror images are assemblies, too; None for none."""
    # A piece without a partner cannot be used in an assembly and its mirror image.
    mirrored = [(0, 0) if each is None else limits[each] for each in partners]
    common = [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(limits, mirrored, strict=True)]
    return common if all(low <= high for low, high in common) else None


def _move_looks(images: Points, looks: Points) -> Points:
    """Return the images of colors of cells, as `Solid.looks` has them, a row for each motion.

    `images` has the cells to which motions move the cells.
    """
    return images[:, looks // MAX_COLORS] * MAX_COLORS + looks % MAX_COLORS


def _move_items(
    images: Points, pieces: Sequence[int | None], item_of: Points, kept: Points, looks: Points
) -> list[Points]:
    """Return the images of the items by motions that move some.

    Parameters
    ----------
    images : ndarray of int64, shape (motions, cells)
        The cells to which motions move the cells.
    pieces : sequence of int
        The images of the pieces, which are the first items.
    item_of, kept : ndarray of int64
        The item of each cell, and the cell of each of these items, which follow the pieces.
    looks : ndarray of int64
        The colors of cells that are the last items, increasing, as `Solid.looks` has them.
    """
    # The images of the pieces, of the cells and of the colors, in a row for each motion
    first = len(pieces) + len(kept)
    moved = np.column_stack(
        [
            np.tile(np.array(pieces, np.int64), (len(images), 1)),
            item_of[images[:, kept]],
            first + np.searchsorted(looks, _move_looks(images, looks)),
        ]
    )
    return [*moved[(moved != np.arange(moved.shape[1])).any(1)]]


def tell_apart(
    numbers: Points, indptr: Points, n_items: int, looks: Points, symmetry: Symmetry
) -> tuple[Points, Points, Points]:
    """Add the colors of cells as items to placements in the same cells.

    Parameters
    ----------
    numbers, indptr, n_items
        The items of the options, as in `Problem`, and their number.
    looks
        As `Solid.looks` returns them.
    symmetry
        The symmetries of the result.

    Returns
    -------
    numbers, indptr
        With the colors of cells as items from number `n_items` on.
    known
        What these items are, increasing: the colors in cells, as `Solid.looks` numbers them, and
        their images.
    """
    doubles, colored = looks.T  # the placement and the color of each row
    images = np.concatenate([symmetry.turned, symmetry.reflected])
    known = np.unique(_move_looks(images, np.unique(colored)))
    look = n_items + np.searchsorted(known, colored)
    numbers = np.insert(numbers, indptr[1 + doubles], look)  # after the other items of each
    n_added = np.bincount(doubles, minlength=len(indptr) - 1)
    return numbers, indptr + np.append(0, np.cumsum(n_added)), known
