"""Puzzles of Burr Tools: pieces in space that form a shape, on any of its five grids."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product
from operator import add, neg, sub
from typing import TYPE_CHECKING, Any

import numpy as np

from ...cover.encode import Statement
from ...pictures.grid import Grid
from ...runtime.errors import FormatError
from ..lattice.shapes import CUBES, TRIANGLES, Isometry, Lattice, LatticePoint, Matrix, Shape
from ..puzzle import Puzzle
from .packing import place_pieces

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from ...cover.symmetry import SymmetryGroup
    from ...runtime.interrupts import StopEvent

formats = ".xmpuzzle of Burr Tools: pieces in space that form a shape"

MAX_CELLS = 1 << 20  # of a shape
_CELL = re.compile(r"([#+_])(\d*)")
_PRISM_TURNS: tuple[Matrix, ...] = (
    ((1, 0, 0), (0, 0, -1), (0, 1, 1)),  # by 60° about the axis of the prisms
    ((-1, 0, 0), (0, 0, 1), (0, 1, 0)),  # upside down
)
# The grids, and the cell of Burr Tools' coordinates z, y, x; the origin is the center of a rotation
GRIDS = (
    CUBES,
    TRIANGLES._replace(cells="prisms", first_cell=(0, 1, 1), turns=_PRISM_TURNS),
    CUBES._replace(cells="spheres", is_face_centered=True),
    CUBES._replace(cells="tetrahedra", period=5),
    CUBES._replace(cells="tetrahedra and octahedra", period=6, is_face_centered=True),
)


def _point(grid: int, z: int, y: int, x: int) -> LatticePoint:
    """Return a cell as a point of its lattice."""
    if grid == 1:
        row, column = 3 * y, 3 * ((x - y) // 2)
        return (3 * z, row + 1, column + 1) if (x + y) % 2 == 0 else (3 * z, row + 2, column + 2)
    if grid == 3:
        return z - 2, y - 2, x - 2
    if grid == 4:
        return 2 * z + 1, 2 * y + 1, 2 * x - 5
    return z, y, x


@dataclass(frozen=True, repr=False)
class Burr(Puzzle):
    """A puzzle of Burr Tools, whose solutions are counted up to symmetry of the result."""

    moves: tuple[Mapping[Any, Any], ...] = ()  # of items, by rotations of the result
    mirrored: tuple[Mapping[Any, Any], ...] = field(default=())  # by reflections
    counts_classes = True

    def assemblies(
        self,
        mirror_images: bool = False,
        *,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> int:
        """Return the number of assemblies up to symmetry of the result.

        Parameters
        ----------
        mirror_images : bool, default: False
            Whether an assembly and its mirror image are different. They are the same by default, as
            in Burr Tools, if the pieces allow both.
        seconds, stop
            As for `ExactCover.count`.

        Returns
        -------
        int

        Raises
        ------
        Stopped
            If the call ends before its result is known.
        """
        group = self._group(mirror_images)
        return self._problem.count(up_to_symmetry=group or False, seconds=seconds, stop=stop)

    def _group(self, mirror_images: bool) -> SymmetryGroup | None:
        """Return the symmetries of the result that map placements to placements."""
        problem, found = self._problem, list[Any]()
        choices = [self.moves] if mirror_images else [self.moves + self.mirrored, self.moves]
        for moves in filter(None, choices):
            with suppress(ValueError):  # a piece has no mirror image, or another color
                return problem.symmetries(_generators(moves))
        for move in choices[0]:
            with suppress(ValueError):
                problem.symmetries(move)
                found.append(move)
        return problem.symmetries(found) if found else None

    def count(
        self,
        limit: int | None = None,
        *,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> int:
        """Return the number of assemblies up to symmetry; see `assemblies`."""
        found = self.assemblies(seconds=seconds, stop=stop)
        return found if limit is None else min(found, limit)


def _generators(moves: tuple[Mapping[Any, Any], ...]) -> list[Mapping[Any, Any]]:
    """Return some of the elements of a group, whose products are all elements."""
    items, chosen = [*moves[0]], list[Mapping[Any, Any]]()
    known = {(*items,)}
    for move in moves:
        if tuple(map(move.__getitem__, items)) not in known:
            chosen.append(move)
            found = [*known]
            for element in found:  # the list grows during the iteration
                for each in chosen:
                    image = tuple(map(each.__getitem__, element))
                    if image not in known:
                        known.add(image)
                        found.append(image)
    return chosen


def recognize(head: str) -> bool:
    """Return whether a text is the XML of Burr Tools."""
    return re.match(r"\s*(<\?xml[^>]*>\s*)?<puzzle\b", head) is not None and "<gridType" in head


def parse(text: str, source: str) -> Iterator[Puzzle | FormatError]:
    """Yield the problems of a file.

    Items: each piece, as often as it is used; each cell of the result.
    Secondary items: the cells of the result that may stay empty.
    Options: a piece in one of its placements, which may be turned in space.
    """
    from xml.etree.ElementTree import ParseError, fromstring  # few files are XML

    try:
        if "<!" in text:
            raise ValueError("declarations such as entities are not supported")
        root = fromstring(text)
        grid = int(root.find("gridType").get("type"))  # type: ignore[union-attr, arg-type]
        lattice = GRIDS[grid]
        shapes = [_read_shape(each, grid) for each in root.iterfind("shapes/voxel")]
    except ParseError as error:
        raise FormatError(source, error.position[0], str(error)) from None
    except (AttributeError, TypeError, IndexError) as error:
        raise ValueError(f"{source}: not a puzzle of Burr Tools ({error!r})") from None
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None
    for number, problem in enumerate(root.iterfind("problems/problem"), 1):
        name = problem.get("name") or f"Problem {number}"
        try:
            yield _state(name, problem, shapes, lattice, f"{source}: {name}")
        except (ValueError, TypeError, AttributeError, IndexError) as error:
            yield FormatError(source, 1, f"{name}: {error}")


@dataclass
class _Solid:
    """A shape: the color of each cell, 0 for none, and the cells that may stay empty."""

    name: str
    colors: dict[LatticePoint, int]
    optional: set[LatticePoint]
    places: dict[LatticePoint, tuple[int, int, int]]  # layer, row and column


def _read_shape(voxel: Element, grid: int) -> _Solid:
    """Return a shape."""
    width, height, depth = (int(voxel.attrib[name]) for name in "xyz")
    cells = _CELL.findall(voxel.text or "")
    if not 0 < width * height * depth == len(cells) <= MAX_CELLS:
        size = f"{width}×{height}×{depth}"
        raise ValueError(f"a shape of {size} has {len(cells)} cells")
    solid = _Solid(voxel.get("name", ""), {}, set(), {})
    positions = product(range(depth), range(height), range(width))
    for (z, y, x), (symbol, color) in zip(positions, cells, strict=True):
        if symbol != "_":
            point = _point(grid, z, y, x)
            solid.colors[point] = int(color or 0)
            solid.places[point] = (z + 1, y + 1, x + 1)
            if symbol == "+":
                solid.optional.add(point)
    return solid


def _state(
    title: str, problem: Element, shapes: list[_Solid], lattice: Lattice, place: str
) -> Puzzle:
    """State how pieces form the result of a problem."""
    result = shapes[int(problem.find("result").attrib["id"])]  # type: ignore[union-attr]
    region = frozenset(result.colors)
    allowed = {
        (int(pair.attrib["piece"]), int(pair.attrib["result"]))
        for pair in problem.iterfind("bitmap/pair")
    }
    placements: dict[str, list[Shape]] = {}
    limits: dict[str, tuple[int, int]] = {}
    sizes: dict[str, int] = {}
    solids: dict[str, _Solid] = {}
    for shape in problem.iterfind("shapes/shape"):
        number = int(shape.attrib["id"])
        piece, name = shapes[number], shapes[number].name or f"S{number + 1}"
        name = f"{name} ({number + 1})" if name in placements else name
        count = shape.get("count")
        low, high = (int(shape.get(bound, count) or 0) for bound in ("min", "max"))
        if high > 0:
            limits[name], sizes[name], solids[name] = (low, high), len(piece.colors), piece
            placements[name] = _placements(lattice, piece, result, allowed)
    cells = sorted(region, key=result.places.__getitem__)
    items = {cell: result.places[cell] for cell in cells}
    options, marks = place_pieces(lattice, placements, items, True)
    secondary = [items[cell] for cell in cells if cell in result.optional]
    marks = tuple(tuple((items[c], name) for c, name in each) for each in marks)
    n_least = sum(limits[name][0] * size for name, size in sizes.items())
    n_most = sum(limits[name][1] * size for name, size in sizes.items())
    if not n_least <= len(region) or n_most < len(region) - len(secondary):
        reason = f"the pieces have {n_least} to {n_most} {lattice.cells}, the result {len(region)}"
        raise ValueError(reason)
    totals = None
    if (holes := problem.get("maxHoles")) is not None and secondary:
        empty = {*secondary}
        weights = {name: len(empty.intersection(row)) for name, row in options.items()}
        totals = {"filled": (weights, len(empty) - int(holes), None)}
    letters = dict(zip(limits, _letters(), strict=False))
    marks = tuple(tuple((cell, letters[name]) for cell, name in each) for each in marks)
    view = Grid(title, marks, tuple(items.values()), style="pieces", lattice="cubes")
    required = [items[cell] for cell in cells if cell not in result.optional]
    statement = Statement(
        options, [*limits, *required], secondary, limits, totals=totals, view=view
    )
    moves = _item_moves(lattice, result, items, lattice.rotations(), {p: p for p in limits})
    partners = _mirror_images(lattice, solids, limits)
    mirrored = _item_moves(lattice, result, items, _reflections(lattice), partners)
    return Burr(title, statement, place=place, moves=moves, mirrored=mirrored)


def _reflections(lattice: Lattice) -> list[Matrix]:
    """Return the rotations about the origin, followed by a reflection."""
    return [(tuple(map(neg, first)), *rest) for first, *rest in lattice.rotations()]


def _letters() -> Iterator[str]:
    """Yield letters for any number of pieces."""
    from string import ascii_letters

    yield from ascii_letters
    yield from (f"{letter}{k}" for k in range(1, 100) for letter in ascii_letters)


def _turns(
    lattice: Lattice, colors: Mapping[LatticePoint, int]
) -> Iterator[dict[LatticePoint, int]]:
    """Yield the images of cells with colors under motions about the origin.

    Flat pieces of spheres also have the images of reflections: they can be turned over.
    """
    matrices = lattice.rotations()
    if lattice.cells == "spheres":
        differences = [tuple(map(sub, cell, min(colors))) for cell in colors]
        if np.linalg.matrix_rank(np.array(differences)) < 3:
            matrices += _reflections(lattice)
    for matrix in matrices:
        turn = Isometry(matrix, (0, 0, 0))
        yield {next(iter(turn([cell]))): color for cell, color in colors.items()}


def _placements(
    lattice: Lattice, piece: _Solid, result: _Solid, allowed: set[tuple[int, int]]
) -> list[Shape]:
    """Return the placements of a piece in which the result allows its colors; 0 fits anywhere.

    Placements that differ in colors only are different.
    """
    fits = {(p + 1, r + 1) for p, r in allowed}
    found: dict[frozenset[tuple[LatticePoint, int]], Shape] = {}
    for colors in _turns(lattice, piece.colors):
        first = min(colors)
        for cell in result.colors:
            shift = tuple(map(sub, cell, first))
            if lattice._is_period(shift):
                placed = {tuple(map(add, c, shift)): color for c, color in colors.items()}
                if all(
                    (there := result.colors.get(c)) is not None
                    and (not color or not there or (color, there) in fits)
                    for c, color in placed.items()
                ):
                    found[frozenset(placed.items())] = frozenset(placed)
    return sorted(found.values(), key=sorted)


def _mirror_images(
    lattice: Lattice, solids: Mapping[str, _Solid], limits: Mapping[str, tuple[int, int]]
) -> dict[str, str]:
    """Return the mirror image of each piece among the pieces; itself if there is none."""

    def form(piece: _Solid, sign: int) -> tuple[Any, ...]:
        forms = []
        for turned in _turns(
            lattice, {(sign * z, y, x): c for (z, y, x), c in piece.colors.items()}
        ):
            first = min(lattice._to_origin(frozenset(turned)))
            shift = tuple(map(sub, first, min(turned)))
            forms.append(sorted((tuple(map(add, c, shift)), color) for c, color in turned.items()))
        return tuple(min(forms))

    left = {name: form(piece, 1) for name, piece in solids.items()}
    partners = {}
    for name, piece in solids.items():
        wanted = form(piece, -1)
        same = [
            each for each, known in left.items() if known == wanted and limits[each] == limits[name]
        ]
        partners[name] = name if name in same else next(iter(same), name)
        left.pop(partners[name], None)
    return partners


def _item_moves(
    lattice: Lattice,
    result: _Solid,
    items: Mapping[LatticePoint, Any],
    matrices: list[Any],
    pieces: Mapping[Any, Any],
) -> tuple[Mapping[Any, Any], ...]:
    """Return what each symmetry of the result does with its cells and with pieces."""
    moves = []
    for isometry in lattice.symmetries(frozenset(result.colors), matrices):
        image = {cell: next(iter(isometry([cell]))) for cell in items}
        is_same = all(
            result.colors[c] == result.colors[i]
            and (c in result.optional) == (i in result.optional)
            for c, i in image.items()
        )
        if is_same and any(c != i for c, i in image.items()):
            moves.append({**pieces, **{items[c]: items[i] for c, i in image.items()}})
    return tuple(moves)
