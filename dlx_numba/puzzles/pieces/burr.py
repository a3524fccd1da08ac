"""Puzzles of Burr Tools: pieces in space that form a shape, on any of its five grids."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from ...cover.encode import Formulation
from ...cover.named_problem import named_problem
from ...cover.names import as_text
from ...cover.option_table import OptionTable
from ...cover.symmetry import SymmetryGroup, find_symmetries
from ...kernels.csr import sum_rows
from ...kernels.problem import Problem
from ...pictures.filling import Pieces
from ...runtime.errors import FormatError, Stopped
from ...runtime.files import replace_file
from ...runtime.interrupts import Stop, raise_if_stopped
from ...runtime.lazy import LazySequence
from ...runtime.text import plural
from ...runtime.workers import call_until
from ..lattice.placements import SolidPlacements
from ..lattice.solid_moves import find_symmetry, tell_apart
from ..lattice.solids import GRIDS, MAX_COLORS, Points, Solid
from ..puzzle import Puzzle
from ..records import Record
from .burr_elements import (
    Part,
    fitting_colors,
    index_of_shape,
    only_child,
    read_number,
    read_parts,
    read_shape,
)
from .packing import WORDS

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from ...runtime.interrupts import StopEvent

formats = ".xmpuzzle of Burr Tools: pieces in space that form a shape"

HAS_BLANK_LINES = True
OTHER_ENCODING = "latin-1"  # of names and comments in files without UTF-8
MAX_DEPTH = 500  # of elements in others, as copies and texts of them are recursive
_PLACE = re.compile(r"x|(?:-?\d{1,9}\s+){3}\d{1,3}")  # of a piece: x, y, z and the turn


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Burr(Puzzle):
    """A puzzle of Burr Tools, whose solutions are counted up to symmetry of the result."""

    moves: Sequence[Points]  # the image of each item, by rotations of the result
    mirrored: Sequence[Points]  # by reflections
    common: Mapping[int, tuple[int, int]]  # limits of assemblies whose mirror images are some
    document: Any  # the elements of the file
    number: int  # of the problem in the file
    shapes: Sequence[Solid]  # of the file
    parts: Sequence[Part]
    motions: Points  # of each option: its part, its turn, and the translation
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
        ends = Stop(seconds, stop)
        self._contradicts_itself(ends)  # makes the problem
        if mirror_images or not self.common:
            return self._count(mirror_images, ends)
        try:
            found = self._count(True, ends)
            # To formulate a large puzzle takes seconds.
            task = call_until(lambda: self._reflectable if found else None, ends)
            raise_if_stopped(ends)
            # Of those whose mirror images are assemblies, too, both were counted: their number is
            # replaced by that up to reflection.
            if (both := task.result()) is not None:
                found += both._count(False, ends) - both._count(True, ends)
            return found
        except Stopped:
            raise Stopped("stopped before all assemblies and mirror images were counted") from None

    def _count(self, mirror_images: bool, stop: Stop) -> int:
        """Return the number of covers up to rotation and, without mirror images, reflection."""
        group = self._group(mirror_images, stop)
        return self.problem.count(up_to_symmetry=group or False, stop=stop)

    def _group(self, mirror_images: bool, stop: Stop | None = None) -> SymmetryGroup | None:
        """Return the symmetries of the result that move it; None if there are none.

        They are rotations and, unless `mirror_images` are different solutions, reflections.
        """
        moves = self.moves if mirror_images else [*self.moves, *self.mirrored]
        return find_symmetries(named_problem(self.problem), moves, stop=stop) if moves else None

    @cached_property
    def _reflectable(self) -> Burr | None:
        """The puzzle of the assemblies whose mirror images are assemblies, too.

        None if all assemblies are such, or none.
        """
        if not self.common:
            return None
        problem = deepcopy(self._problem_element)
        elements = problem.findall("shapes/shape")
        for part, (low, high) in self.common.items():
            elements[part].attrib.pop("count", None)
            elements[part].attrib |= {"min": str(low), "max": str(high)}
        limits_holes = self.statement.totals is not None
        formulated = self.number, problem
        try:
            return _formulate(self.document, self.shapes, self.title, formulated, limits_holes)
        except ValueError:  # so few pieces do not fill the result
            return None

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

    def write(
        self, target: str | os.PathLike[str] | IO[bytes], solutions: Iterable[Iterable[int]] = ()
    ) -> None:
        """Write the file of the puzzle with solutions, which Burr Tools can take apart.

        Parameters
        ----------
        target : str, path-like or binary file
            A path, whose file is replaced, or an open file.
        solutions : iterable of iterable of int
            Covers, or the numbers of their options. They replace the solutions in the file; of
            those that are images of each other, the first one is written. The file says that
            there may be others.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        write_solutions(target, [(self, solutions, False)])

    @property
    def _problem_element(self) -> Element:
        return self.document.findall("problems/problem")[self.number]

    @property
    def answers(self) -> Sequence[str | Sequence[int]]:
        formulated = self._problem_element.findall("solutions/solution/assembly")
        if self.answer or not formulated:
            return super().answers
        return LazySequence(
            len(formulated), lambda k: self._read_assembly(formulated[k].text or "")
        )

    @cached_property
    def _option_of(self) -> dict[tuple[int, ...], int]:
        return {tuple(each): option for option, each in enumerate(self.motions.tolist())}

    def _read_assembly(self, text: str) -> list[int]:
        """Return the options of a solution as Burr Tools writes it."""
        places = _PLACE.findall(text)
        solution: list[int] = []
        if " ".join(places).split() != text.split():
            raise ValueError("the solution does not consist of places")
        if len(places) != (n_copies := sum(part.high for part in self.parts)):
            raise ValueError(
                f"the solution has {plural(len(places), 'place')} instead of {n_copies:,}"
            )
        # A file has a place for each possible copy of a part.
        part_of_place = [k for k, part in enumerate(self.parts) for _ in range(part.high)]
        for part_number, place in zip(part_of_place, places, strict=True):
            if place == "x":  # it is not used
                continue
            x, y, z, turn = map(int, place.split())
            piece = self.parts[part_number].solid
            option = None
            if turn in piece.file_turns:
                own_turn, shift = piece.file_turns[turn]
                shift = shift + piece.grid.points(np.array([[z, y, x]]))[0]
                option = self._option_of.get((part_number, own_turn, *shift.tolist()))
            if option is None:
                raise ValueError(
                    f"the piece {piece.name or part_number + 1} does not fit at {place}"
                )
            solution.append(option)
        return solution

    def _distinct(self, solutions: Iterable[Iterable[int]]) -> Iterator[list[int]]:
        """Yield the first one of each class of solutions that are images of each other."""
        # Each puzzle with its rotations and reflections: mirror images are the same, too.
        groups = [(self, [*(self._group(mirror_images=False) or ())])]
        # A reflection may need other numbers of pieces, which only this puzzle permits.
        if (reflectable := self._reflectable) is not None:
            groups.append((reflectable, [*(reflectable._group(mirror_images=False) or ())]))
        seen: set[Any] = set()  # the solutions that were yielded, and their images
        for solution in solutions:
            places = self._places([*solution])
            if places not in seen:
                yield [*solution]
                seen.add(places)
                seen.update(*(each._images(places, group) for each, group in groups))

    def _places(self, options: Sequence[int] | Points) -> frozenset[Any]:
        return frozenset(map(tuple, self.motions[options].tolist()))

    def _images(self, places: frozenset[Any], group: Sequence[Points]) -> Iterator[Any]:
        """Yield the images of a solution, as `_places` returns it; none if it is no solution."""
        options = [self._option_of[each] for each in places if each in self._option_of]
        if len(options) == len(places) and self.problem.check(options):
            yield from (self._places(each[options]) for each in group)

    def _assembly(self, solution: Iterable[int]) -> str:
        """Return a solution as Burr Tools writes it: the place of each piece, x for none."""
        places: list[list[str]] = [[] for _ in self.parts]
        for part, own_turn, *shift in self.motions[[*solution]]:
            piece = self.parts[part].solid
            turns = piece.file_turns.items()
            number, turn = next(pair for pair in turns if pair[1].own_turn == own_turn)
            [position] = piece.grid.coordinates(np.array([shift - turn.shift])).tolist()
            places[part].append(" ".join(map(str, [*position[::-1], number])))  # x, y, z, turn
        for part, own in zip(self.parts, places, strict=True):
            own += ["x"] * (part.high - len(own))
        return " ".join(chain.from_iterable(places))


def write_solutions(
    target: str | os.PathLike[str] | IO[bytes],
    answers: Sequence[tuple[Burr, Iterable[Iterable[int]], bool]],
) -> None:
    """Write a file with the solutions of several of its problems, and whether these are all.

    See `Burr.write`. Raises ValueError if the puzzles are not of one file of Burr Tools.
    """
    from xml.etree.ElementTree import SubElement, tostring  # few puzzles are written

    documents = {id(getattr(puzzle, "document", None)) for puzzle, *_ in answers}
    if len(documents) != 1 or not all(isinstance(puzzle, Burr) for puzzle, *_ in answers):
        raise ValueError("an .xmpuzzle file needs the problems of a single .xmpuzzle file")
    document = deepcopy(answers[0][0].document)
    problems = document.findall("problems/problem")
    for puzzle, solutions, are_all in answers:
        problem = problems[puzzle.number]
        for old in (*problem.findall("solutions"), *problem.findall("assembler")):
            problem.remove(old)
        formulated = SubElement(problem, "solutions")
        for number, solution in enumerate(puzzle._distinct(solutions)):
            each = SubElement(formulated, "solution", {"asmNum": str(number)} if number else {})
            SubElement(each, "assembly").text = puzzle._assembly(solution)
        # What Burr Tools writes for a finished search, part of one, or none; no assembly is taken
        # apart.
        state = "2" if are_all else "3" if len(formulated) else "0"
        known = {"state": state, "assemblies": str(len(formulated)), "solutions": "0", "time": "0"}
        problem.attrib.update(known)
    content = gzip.compress(tostring(document, encoding="utf-8", xml_declaration=True), mtime=0)
    if isinstance(target, str | os.PathLike):
        replace_file(target, content)
    else:
        target.write(content)


def parse(record: Record) -> Iterator[Puzzle | FormatError]:
    """Return the problems of a file.

    Items: each piece, as often as it is used; each cell of the result, or of several cells that
    are only filled together the first one.
    Secondary items: the cells of the result that may stay empty.
    Options: a piece in one of its placements, which may be turned in space.
    """
    if "<!" in record.text:
        raise ValueError("declarations such as entities are not supported")
    root = record.xml()
    level = [root]
    for _ in range(MAX_DEPTH):  # the children of all elements of the level before
        level = [*chain.from_iterable(level)]
    if level:
        raise ValueError(f"elements are nested more than {MAX_DEPTH} deep")
    try:
        grid = GRIDS[read_number(only_child(root, "gridType"), "type")]
        shapes = [read_shape(each, grid) for each in root.iterfind("shapes/voxel")]
    except LookupError as error:
        raise ValueError(f"not a puzzle of Burr Tools ({error!r})") from None
    problems = root.findall("problems/problem")
    if not problems:
        raise ValueError("there are shapes, but no problem")
    named = [(each.get("name") or f"Problem {k + 1}", (k, each)) for k, each in enumerate(problems)]
    return record.parse_parts(named, partial(_formulate, root, shapes))


def _formulate(
    document: Element,
    shapes: Sequence[Solid],
    title: str,
    numbered: tuple[int, Element],
    limits_holes: bool = False,
) -> Burr:
    """Formulate how pieces form the result of a problem, given with its number; see `parse`.

    Burr Tools limits the number of holes if it depends on the ranges of pieces; `limits_holes`
    applies the limit in any case.
    """
    number, problem = numbered
    result = shapes[index_of_shape(only_child(problem, "result"), shapes)]
    parts = read_parts(problem, shapes)
    _check_sizes(parts, result)
    fits = fitting_colors(problem, [result, *(part.solid for part in parts)])
    used = [k for k, part in enumerate(parts) if part.high > 0]
    solids = [parts[k].solid for k in used]
    limits = {parts[k].name: (parts[k].low, parts[k].high) for k in used}
    # Options are the placements of pieces. Items are the pieces, the cells, and colors, which tell
    # placements in the same cells apart.
    found = [result.placements(solid, fits) for solid in solids]  # the cells and the motions
    names = LazySequence(len(result), result.place)
    placed = SolidPlacements([*limits], names, [cells for cells, _ in found])
    kept, item_of, indptr, numbers = placed.number_cells(result.is_optional)
    symmetry = find_symmetry(result, solids, [*limits.values()])
    looks = _looks(result, solids, found)
    n_placed = len(used) + len(kept)
    # `known` has the items that are colors: MAX_COLORS times a cell plus its color.
    numbers, indptr, known = tell_apart(numbers, indptr, n_placed, looks, symmetry)
    items: list[Any] = [*limits, *map(result.place, kept.tolist())]
    n_primary = len(items) - np.count_nonzero(result.is_optional[kept])
    pairs = (divmod(each, MAX_COLORS) for each in known.tolist())
    items += [f"color {color} at {as_text(names[cell])}" for cell, color in pairs]
    n_options = len(indptr) - 1
    matrix = Problem(indptr, numbers, n_primary, len(items) - n_primary)
    options = OptionTable(matrix, items, LazySequence(n_options, placed.name))
    totals = None
    if limits_holes or any(part.low < part.high for part in parts):
        totals = _filled_cells(problem, result, placed, options)
    marks = LazySequence(n_options, placed.marks)
    view = Pieces(title, marks, names, lattice="cubes", words=WORDS)
    places = [np.empty((0, 4), np.int64), *(motions for _, motions in found)]
    part_of = np.array(used, np.int64)[placed.piece]
    return Burr(
        title,
        Formulation(
            options, items[:n_primary], items[n_primary:], limits, totals=totals, view=view
        ),
        moves=symmetry.moves(item_of, kept, known),
        mirrored=symmetry.mirrored(item_of, kept, known),
        common=dict(zip(used, symmetry.common, strict=False)),
        document=document,
        number=number,
        shapes=shapes,
        parts=parts,
        motions=np.column_stack([part_of, np.concatenate(places)]),
    )


def _check_sizes(parts: Sequence[Part], result: Solid) -> None:
    """Raise ValueError if a shape lacks cells, or pieces have optional, too few or too many."""
    used = [(f"the piece {part.name}", part.solid) for part in parts if part.high > 0]
    for name, solid in [("the result", result), *used]:
        if not len(solid):
            raise ValueError(f"{name} has no cells")
    for name, solid in used:
        if solid.is_optional.any():
            raise ValueError(f"{name} has cells that may stay empty, +, which only a result may")
    least = sum(part.low * len(part.solid) for part in parts)
    most = sum(part.high * len(part.solid) for part in parts)
    if least > len(result) or most < len(result) - np.count_nonzero(result.is_optional):
        raise ValueError(
            f"the pieces have {least} to {most} {result.grid.cells}, the result {len(result)}"
        )


def _filled_cells(
    problem: Element, result: Solid, placed: SolidPlacements, options: OptionTable
) -> dict[str, Any] | None:
    """Return the total of the cells that need not be filled, if the number of holes is limited."""
    if "maxHoles" not in problem.attrib:
        return None
    most = read_number(problem, "maxHoles")
    n_filled = sum_rows(placed.start, result.is_optional[placed.cells])
    weights = dict(zip(options, n_filled.tolist(), strict=True))
    return {"filled": (weights, np.count_nonzero(result.is_optional) - most, None)}


def _looks(
    result: Solid, solids: Sequence[Solid], found: Sequence[tuple[Points, Points]]
) -> Points:
    """Return what `Solid.looks` returns for each piece, numbered through the placements of all.

    Placements of different pieces need not be told apart, as their items differ. `found` has the
    cells and the motions of the placements of each piece.
    """
    looks = [np.empty((0, 2), np.int64)]
    first = 0  # the number of the first placement of a piece
    for solid, (cells, motions) in zip(solids, found, strict=True):
        # Its placements are counted from 0; the second column has cells and colors.
        looks.append(result.looks(solid, cells, motions) + np.array([first, 0]))
        first += len(cells)
    return np.concatenate(looks)
