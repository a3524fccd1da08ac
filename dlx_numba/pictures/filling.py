"""Pictures of pieces that fill a region."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, cycle, starmap
from string import ascii_letters
from typing import ClassVar, NamedTuple

from ..runtime.text import Paint, unpainted
from .cells import Cell
from .document import Svg
from .grid import Grid, Mark
from .isometric import divide_layers, solid_elements
from .outlines import format_outlines
from .palette import COLORS
from .pieces import (
    STOCK_LETTER,
    border,
    color_pieces,
    describe_pieces,
    enclosed,
    line_up,
    piece_elements,
    sides_of,
)
from .plane import Polygon, area, mean, plane_picture, square, word


@dataclass(frozen=True)
class Pieces(Grid):
    """Pieces that fill a region; each of them is an option.

    The name of a piece, its text, determines its color. An option that only writes `blank` leaves
    its cells empty.

    Parameters
    ----------
    placed : tuple of tuple of (cell, text), optional
        The pieces that are placed anyway.
    copies : tuple of (text, tuple of str), optional
        The texts of further pieces that are equal to one with a text.
    dark : tuple of str, optional
        The texts of pieces that are drawn dark, such as blockers.

    Examples
    --------
    >>> pieces = [((0, 0), "I"), ((0, 1), "I")], [((0, 2), "L"), ((1, 2), "L"), ((1, 1), "L")]
    >>> print(Pieces("Two pieces", pieces).text([0, 1]))
    I I L
    . L L
    """

    placed: Sequence[tuple[Mark, ...]] = ()
    copies: Sequence[tuple[str, tuple[str, ...]]] = ()
    dark: tuple[str, ...] = ()

    is_board: ClassVar[bool] = False

    def written(self, chosen: Iterable[int]) -> dict[Cell, str]:
        written = dict(self.givens)
        for own in (*self.placed, *self._named(sorted(self._listed(chosen)))):
            written.update(own)
        return written

    def sizes(self) -> dict[str, int]:
        sizes = super().sizes()
        sizes |= {text: len(own) for own in self.placed for _, text in own}
        sizes |= {name: sizes[text] for text, names in self.copies for name in names}
        return {text: size for text, size in sizes.items() if text not in self.dark}

    def _named(self, options: Iterable[int]) -> Iterator[tuple[Mark, ...]]:
        """Yield the marks of options; equal pieces get their own texts in this order.

        The first one keeps its text, and the others get those that `copies` lists for it.
        """
        texts = {text: cycle((*names, text)) for text, names in self.copies}
        seen: set[str] = set()
        for own in map(self.marks.__getitem__, options):
            text = _text_of(own)
            if text in texts and text in seen:
                name = next(texts[text])
                own = tuple((cell, name) for cell, _ in own)
            seen.add(text)
            yield own

    def text_of_part(self, chosen: Iterable[int]) -> str:
        """Return the text of a part of a cover.

        If givens and the names of pieces are numbers, pieces have letters, which differ from these.

        >>> pieces = [((0, 0), "0"), ((0, 1), "0")], [((0, 2), "1")]
        >>> picture = Pieces("Numbers", pieces, givens=[((0, k), "1") for k in range(3)])
        >>> print(picture.text_of_part([0]))
        A A 1
        """
        options = self._listed(chosen)
        # A dict, which keeps the order: letters are given in that of the options.
        names = dict.fromkeys(_text_of(self.marks[k]) for k in options if self.marks[k])
        if not self.givens or not all(map(str.isdigit, names)):
            return self.text(options)
        letter = dict(zip(names, cycle(ascii_letters.swapcase()), strict=False))  # A to Z, a to z
        marks = [tuple((cell, letter.get(name, name)) for cell, name in own) for own in self.marks]
        return replace(self, marks=marks).text(options)

    def _text_outside(self, texts: Collection[str]) -> str:
        # Beside empty cells, dots would look like cells.
        return " " if self.blank in texts else super()._text_outside(texts)

    def _colors(self, options: Sequence[int]) -> dict[Cell, int | str]:
        """Return the color of each cell of pieces, by its index, or "dark"."""
        # Sorted, so that equal pieces have the names and colors that `written` and `svg` give them
        pieces = self._pieces([*self.placed, *self._named(sorted(options))])
        return {
            cell: "dark" if text in self.dark else color
            for own, color in zip(pieces, piece_colors(self, pieces), strict=True)
            for cell, text in own
        }

    def svg(self, chosen: Iterable[int]) -> Svg:
        options = sorted(self._listed(chosen))
        return self._draw_pieces(dict(zip(options, self._named(options), strict=True)))

    def challenge(self, chosen: Collection[int], solution: Iterable[int]) -> Svg:
        """Return a part of a solution as an SVG document, with the pieces that are not yet placed.

        These are below it, in half the size, and turned as in the first option of the problem that
        places them, which tells nothing of the solution. Those without names are not drawn.
        """
        options = sorted({*self._listed(solution), *self._listed(chosen)})
        if self.givens or not self.color_of:  # texts are numbers or signs, not names of pieces
            return self.svg(chosen)
        shape_of: dict[str, tuple[Mark, ...]] = {}  # the first option of each piece
        for own in self.marks:
            shape_of.setdefault(_text_of(own), own)
        named = dict(zip(options, self._named(options), strict=True))
        left: list[tuple[Mark, ...]] = []
        for option, own in named.items():
            name = _text_of(own)  # one of several equal pieces has a name of its own
            if option not in chosen and name in self.color_of:
                shape = shape_of[_text_of(self.marks[option])]
                left.append(tuple((cell, name) for cell, _ in shape))
        placed = {option: own for option, own in named.items() if option in chosen}
        return self._draw_pieces(placed, left)

    def _draw_pieces(
        self, options: Mapping[int, tuple[Mark, ...]], left: Sequence[tuple[Mark, ...]] = ()
    ) -> Svg:
        """Draw the marks of options, and below them the pieces that are left.

        Cubes are drawn layer by layer; `solid_elements` adds the solid, and the pieces below.
        """
        marks = self._pieces([*self.placed, *options.values()])
        pieces = self._looks([*marks, *left])
        placed = pieces[: len(marks)]
        waiting = pieces[len(marks) :]
        marked = {cell for piece in placed for cell in piece.cells}
        ground = [self.outline(cell) for cell in self.positions if cell not in marked]
        is_solid = self.lattice == "cubes"
        # The cells of each part of a piece, the piece, and the size of its letter
        shapes: list[tuple[list[Polygon], _DrawnPiece, float]] = []
        for piece in placed:  # the cubes of a layer are a part
            parts = divide_layers(piece.cells) if is_solid else [piece.cells]
            shapes += [([*map(self.outline, part)], piece, self.size) for part in parts]
        drawn = chain(ground, *(outlines for outlines, _, _ in shapes))
        corners = [*chain.from_iterable(drawn)]
        if waiting and not is_solid:
            # Each piece by itself, which begins at the first row and column of its own grid
            grids = (Grid("", (own,), lattice=self.lattice) for own in left)
            below = line_up([[*map(grid.outline, grid.positions)] for grid in grids], corners)
            size = self.size * STOCK_LETTER
            shapes += [(cells, piece, size) for cells, piece in zip(below, waiting, strict=True)]
            corners += [corner for cells in below for cell in cells for corner in cell]
        elements = self._ground_elements(ground)
        for outlines, piece, size in shapes:
            fill = "" if piece.name in self.dark else piece.color
            elements += piece_elements(outlines, piece.letter, fill, size)
        for cell, text in self.givens:  # which replace the letters
            class_ = "over" if cell in marked else ""
            elements.append(word(text, mean(self.outline(cell)), self.size, class_))
        if is_solid and corners:
            cubes = [(piece.cells, piece.color, piece.letter) for piece in pieces]
            solid, its_corners = solid_elements(self.positions, cubes, len(placed), corners)
            elements += solid
            corners += its_corners
        bottom = max((y for _, y in corners), default=0)
        elements += self._draw_axes(bottom)
        if any(self.axes):
            corners.append((-self._edge, bottom + 0.4))
        description = describe_pieces([piece.name for piece in placed])
        if not pieces or any(piece.name for piece in pieces):  # the texts in cells say something
            description += f" {self._describe([*options])}"
        if waiting:
            names = [piece.name for piece in waiting]
            description += f" To be placed: {describe_pieces(names)}"
        return plane_picture(self.title, description, corners, elements)

    def _ground_elements(self, empty: Sequence[Polygon]) -> list[str]:
        """Return the board below the pieces: its holes, and empty cells, given by their corners."""
        elements: list[str] = []
        squares = self.positions.values() if self.lattice == "squares" else []
        if holes := enclosed(squares):
            elements.append(area(list(starmap(square, holes)), class_="shade"))
        if not empty:
            return elements
        border_of_board = border([*map(self.outline, self.positions)], "rule")
        return [*elements, area(empty, class_="thin", fill="none"), border_of_board]

    def _looks(self, marks: Sequence[tuple[Mark, ...]]) -> list[_DrawnPiece]:
        """Return how pieces look; givens replace their letters."""
        shown = dict(self.glyphs)
        looks = []
        for own, color in zip(marks, piece_colors(self, marks), strict=True):
            text = _text_of(own)
            name = shown.get(text, text)
            letter = "" if self.givens or name in self.dark else name
            looks.append(_DrawnPiece([cell for cell, _ in own], name, letter, COLORS[color]))
        return looks

    def _pieces(self, marks: Iterable[tuple[Mark, ...]]) -> list[tuple[Mark, ...]]:
        """Return the marks of pieces, without those that only say that cells stay empty."""
        return [own for own in marks if any(text != self.blank for _, text in own)]


class _DrawnPiece(NamedTuple):
    """A piece in a picture."""

    cells: list[Cell]
    name: str
    letter: str  # that is written on it, if any
    color: str


@dataclass(frozen=True)
class Outlines(Pieces):
    """Pieces that are drawn as outlines in texts, too.

    Examples
    --------
    >>> print(Outlines("Two dominoes", [[((k, 0), ""), ((k, 1), "")] for k in (0, 1)]).text([0, 1]))
    ┌───────┐
    │       │
    ├───────┤
    │       │
    └───────┘
    """

    def text(self, chosen: Iterable[int], paint: Paint = unpainted) -> str:
        options = self._listed(chosen)
        colors = {} if paint is unpainted else self._colors(options)
        pieces = [[cell for cell, _ in self.marks[k]] for k in options]
        return format_outlines(pieces, lambda text, cell: paint(text, colors.get(cell, "")))


def _text_of(marks: Sequence[Mark]) -> str:
    """Return the text in the cells of an option; "" if it has none."""
    return marks[0][1] if marks else ""


def piece_colors(picture: Grid, pieces: Sequence[tuple[Mark, ...]]) -> list[int]:
    """Return the color of each piece, by its name unless givens are shown instead of it.

    A piece is the marks of an option; colors are indices into the palette.
    """
    sides = [
        {side for cell, _ in own for side in sides_of(picture.outline(cell))} for own in pieces
    ]
    names = ["" if picture.givens else _text_of(own) for own in pieces]
    return color_pieces(sides, names, picture.color_of)  # pieces that share a side differ
