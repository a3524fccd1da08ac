"""A board and pieces that somebody has drawn as text."""

import re
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, count, islice
from string import ascii_lowercase
from typing import NamedTuple

from ...cover.encode import Formulation
from ...pictures.filling import Pieces
from ...runtime.errors import FormatError
from ..lattice.regions import MAX_CELLS, components, parse_cubes, parse_squares
from ..lattice.shapes import CUBES, REFLECTION, SQUARES, Isometry, Lattice, LatticePoint, Shape
from ..puzzle import Puzzle
from ..records import Record
from .packing import LETTERS, WORDS, parse_pieces, place_pieces
from .polyominoes import STANDARD_LETTERS

formats = "a board (5x8, or drawn) and drawn pieces, or letters of tetrominoes and pentominoes"

HAS_BLANK_LINES = True  # between the pieces
FILLED = "#*█■"  # the signs of a cell, beside letters
EMPTY = " ."
TETROMINOES = "IOTLJSZ"
PENTOMINOES = "FILNPTUVWXYZ"
# Lines that are no rows of drawings; blank ones are between drawings
_LINE = re.compile(
    r"(?P<title>board|pieces)|(?P<motion>rotations only|no turning)|empty:? *(?P<empty>\d{1,4})"
    r"|(?P<size>\d{1,4}(?:x\d{1,4}){1,2})|(?P<count>\d{1,6}) x|"
)
_NAMES = re.compile(r"[A-Z]\d{0,6}(?: +[A-Z]\d{0,6})*")
_SPACED = re.compile(r"([A-EGHKMQR]) \1\b")  # cells of a drawing, as no such letter is a name
# The size, the number of pieces, and whether the board is drawn, too
_HEADER = re.compile(r"(\d{1,3}) (\d{1,3}) (\d{1,3})[ \t]*\n(DEFAULT|CUSTOM)[ \t]*\n")
# Rows, columns, and the numbers of the one-sided tetrominoes
_SEVEN = re.compile(r"\s*(\d{1,4})\s+(\d{1,4})((?:\s+\d{1,4}){7})\s*")


@dataclass
class _Paragraph:
    """Lines without a blank line between them."""

    record: Record
    line: int  # of the first one
    title: str = ""
    count: int = 1
    rows: list[str] = field(default_factory=list)

    @property
    def n_signs(self) -> int:
        """The number of letters and other signs of cells."""
        return sum(len(row) - sum(map(row.count, EMPTY + "|")) for row in self.rows)

    def error(self, reason: str) -> FormatError:
        """Return an exception with the place and the reason."""
        return self.record.error(self.line, reason)


@dataclass
class _EqualPieces:
    """Equal pieces."""

    shape: Shape
    names: list[str] = field(default_factory=list)
    count: int = 0


class _Stock:
    """The pieces of a text, of which equal ones are one, and how they may be moved."""

    def __init__(self, lattice: Lattice, motion: str) -> None:
        self.lattice = lattice
        # The parameters `sided` and `turned` of `Lattice.placements`: whether pieces may not be
        # turned over, and whether they may be turned. In space, turns also turn them over.
        self.allowed = bool(motion) or lattice is CUBES, motion != "no turning"
        self.form_of: dict[str, Shape] = {}  # of each name
        self._pieces: dict[Shape, _EqualPieces] = {}  # by their forms

    def form(self, shape: Shape) -> Shape:
        """Return what is equal for equal pieces."""
        return self.lattice.canonical_form(shape, *self.allowed)

    def add(self, block: _Paragraph, name: str, shape: Shape) -> None:
        """Add a piece as often as its block says; signs other than letters are no names."""
        n_missing = len(self.lattice.first_cell) - len(next(iter(shape)))
        if n_missing < 0:
            raise block.error("a piece has layers, and the board has none")
        solid = frozenset((1,) * n_missing + cell for cell in shape)  # a flat piece is in layer 1
        form = self.form(solid)
        piece = self._pieces.setdefault(form, _EqualPieces(solid))
        piece.count += block.count
        if name.isalpha() and name not in self.form_of:
            self.form_of[name] = form
            piece.names.append(name)

    def take(self, shape: Shape, name: str) -> bool:
        """Remove a piece by its name. Return whether it has the shape, and one is left."""
        piece = self._pieces[self.form_of[name]]
        piece.count -= 1
        return piece.count >= 0 and self.form(shape) == self.form_of[name]

    def name(self, taken: set[str]) -> list[_EqualPieces]:
        """Return the pieces with names, also of copies as far as letters suffice.

        The letters in `taken` are those of pieces that are placed on the board.
        """
        pieces = [*self._pieces.values()]
        used = {*self.form_of, *taken}
        letters = (letter for letter in LETTERS + ascii_lowercase if letter not in used)
        numbered = map("P{}".format, count(1))
        for piece in pieces:
            piece.names = [name for name in piece.names if name not in taken]
            piece.names = piece.names or [next(chain(letters, numbered))]
        for piece in pieces:
            piece.names += islice(letters, max(0, piece.count - len(piece.names)))
        return pieces


class _Text(NamedTuple):
    """The parts of a text."""

    board: _Paragraph
    pieces: list[_Paragraph]
    motion: str = ""  # "rotations only" or "no turning", if pieces are not moved in all ways
    n_empty: int = 0  # cells


def parse(record: Record) -> Puzzle:
    """Return the puzzle: fill the board with all pieces.

    Items: each piece, by its letter, as often as it is listed; each cell of the board.
    Secondary items: the cells, if some of them stay empty.
    Options: a piece in one of its placements. Pieces of the same shape are one item, so solutions
    that only exchange them are the same.
    """
    text = "\n".join(record.lines())
    if (header := _HEADER.match(text)) is not None:
        written = _read_numbered(record, *header.groups())
    elif (numbers := _SEVEN.fullmatch(text)) is not None:
        letters = " ".join(map("".join, zip(TETROMINOES, numbers[3].split(), strict=True)))
        board = _Paragraph(record, 1, rows=[f"{numbers[1]}x{numbers[2]}"])
        written = _Text(board, [_Paragraph(record, 1, rows=[letters])])
    else:
        written = _split(record)
    return Puzzle("Pieces", _fill(written))


def _split(record: Record) -> _Text:
    """Return the board, the other blocks, and how pieces may be moved.

    A block begins with a size, with a number of copies above a drawing, or with the first row of a
    drawing. The title before it, if any, says what it is.
    """
    blocks: list[_Paragraph] = []
    title = motion = ""
    n_empty = 0
    is_open = False  # whether the next row belongs to the last block
    for number, line in enumerate(record.lines(), 1):
        word = line.strip().lower().removesuffix(":")
        match = _LINE.fullmatch(word)
        line_kind = "row" if match is None else match.lastgroup
        if line_kind == "row" and not _NAMES.fullmatch(line.strip()):
            _check_signs(record, number, line)
        if line_kind in ("size", "count") or (line_kind == "row" and not is_open):
            n_copies = int(word.split()[0]) if line_kind == "count" else 1
            default_title = {"size": "board", "count": "pieces"}.get(line_kind or "", "")
            blocks.append(_Paragraph(record, number, title or default_title, n_copies))
            title = ""
        if line_kind in ("size", "row"):
            blocks[-1].rows.append(line.rstrip() if line_kind == "row" else word)
        elif line_kind == "title":
            if title:
                raise record.error(number, f"nothing follows the title {title!r}")
            title = word
        elif line_kind == "motion":
            if motion:
                raise record.error(number, f"pieces are moved as said before: {motion}")
            motion = word
        elif line_kind == "empty":
            if n_empty:
                raise record.error(number, f"{n_empty} cells stay empty, as said before")
            n_empty = int(word.split("empty")[1].strip(": "))
        is_open = line_kind in ("row", "count")
    for block in blocks:
        if not block.rows:
            raise block.error("a number stands above the drawing of a piece")
    boards = [block for block in blocks if block.title == "board"] or blocks[:1]
    if len(blocks) < 2 or len(boards) != 1 or title or boards[0].title == "pieces":
        raise ValueError("expected one board, 5x8 or of #, and pieces, with blank lines between")
    return _Text(boards[0], [each for each in blocks if each is not boards[0]], motion, n_empty)


def _read_numbered(record: Record, height: str, width: str, n_pieces: str, mode: str) -> _Text:
    """Return what a text with the size of the board and the number of pieces says."""
    rows = record.lines()
    n_before = 2  # lines above the pieces
    board = _Paragraph(record, 1, rows=[f"{height}x{width}"])
    if mode == "CUSTOM":
        n_before += int(height)
        board = _Paragraph(record, 3, rows=[row.strip() for row in rows[2:n_before]])
        if any(re.fullmatch(f"[X.]{{{width}}}", row) is None for row in board.rows):
            raise board.error(f"{height} rows of {width} cells, X or ., are expected")
        board.rows = [row.replace("X", "#") for row in board.rows]
    pieces = _Paragraph(record, n_before + 1, rows=rows[n_before:])
    cells = _piece_cells(pieces)
    names = [cells[min(part)] for part in components(cells)]
    if len(names) != int(n_pieces) or len({*names}) < len(names):
        raise pieces.error(f"{n_pieces} pieces, each a letter of its own, are expected")
    return _Text(board, [pieces])


def _fill(written: _Text) -> Formulation:
    """Formulate how the pieces fill the board."""
    board = written.board
    region, letters = _read_board(board)
    if not 0 < len(region) <= MAX_CELLS:
        reason = f"a board has from 1 to {MAX_CELLS:,} cells to fill, # or ., not {len(region):,}"
        raise board.error(reason)
    n_filled = len(region) - written.n_empty
    lattice = CUBES if len(next(iter(region))) == 3 else SQUARES
    motion = written.motion
    # Pieces that are placed on the board may be drawn again among the pieces, which then have more
    # cells than there are to fill. If their signs do not fit the board, these may be names.
    n_drawn = sum(block.count * block.n_signs for block in written.pieces)
    is_enough = n_filled <= n_drawn <= n_filled + len(letters)
    if not is_enough and _are_names(written.pieces):
        drawn, motion = _read_names(written.pieces, n_filled, motion)
    else:
        if not is_enough:
            raise board.error(_unequal_sizes(n_drawn, region, written.n_empty))
        drawn = [(block, *each) for block in written.pieces for each in _drawn_pieces(block)]
    stock = _Stock(lattice, motion)
    for block, name, shape in drawn:
        stock.add(block, name, shape)
    placed = [*_placed_pieces(letters, stock)]
    for shape, letter in placed:
        if letter in stock.form_of and not stock.take(shape, letter):
            raise board.error(f"the letters {letter} on the board are not the piece {letter}")
    pieces = stock.name({letter for _, letter in placed})
    n_cells = sum(piece.count * len(piece.shape) for piece in pieces)
    if n_cells != n_filled:
        raise board.error(_unequal_sizes(n_cells, region, written.n_empty))
    left = {piece.names[0]: piece for piece in pieces if piece.count > 0}
    formulation = _formulate(left, stock, region, placed)
    if written.n_empty:
        return formulation._replace(items=[*left], secondary=sorted(region))
    return formulation


def _unequal_sizes(n_cells: int, region: Shape, n_empty: int) -> str:
    """Return that the pieces do not have as many cells as there are to fill."""
    sizes = f"the pieces have {n_cells:,} cells, the board has {len(region):,}"
    if n_empty:
        sizes += f", of which {n_empty:,} stay empty"
    if n_cells < len(region):
        sizes += f"; `empty: {len(region) - n_cells}` leaves the others empty"
    return sizes


def _formulate(
    pieces: dict[str, _EqualPieces], stock: _Stock, region: Shape, placed: list[tuple[Shape, str]]
) -> Formulation:
    """Formulate the placements of pieces, by their names, in a region beside placed pieces."""
    lattice = stock.lattice
    placements = {
        name: lattice.placements(piece.shape, region, *stock.allowed)
        for name, piece in pieces.items()
    }
    cells = sorted(region)
    item_of = dict(zip(cells, cells, strict=True))
    options, marks = place_pieces(lattice, placements, item_of, *stock.allowed)
    given = [tuple((cell, letter) for cell in sorted(own)) for own, letter in placed]
    # Pictures give further equal pieces names of their own.
    copies = [(name, tuple(each.names[1:])) for name, each in pieces.items()]
    every = [*cells, *(cell for own, _ in placed for cell in own)]
    view = Pieces(
        "Pieces",
        marks,
        every,
        placed=given,
        copies=copies,
        lattice=lattice.cells,
        outside=" ",
        words=WORDS,
    )
    limits = {name: (each.count, each.count) for name, each in pieces.items()}
    return Formulation(options, [*limits, *cells], (), limits, view=view)


def _read_board(block: _Paragraph) -> tuple[Shape, dict[LatticePoint, str]]:
    """Return the cells to fill, and the letters of pieces that are placed."""
    size = block.rows[0]
    if size[0].isdecimal():
        try:
            return (parse_cubes(size) if size.count("x") == 2 else parse_squares(size)), {}
        except ValueError as error:
            raise block.error(str(error)) from None
    cells = _cells(block)
    # Without signs such as `#`, dots are the cells to fill; otherwise, they are beside the board.
    signs = FILLED if any(symbol in FILLED for symbol in cells.values()) else "."
    region = frozenset(cell for cell, symbol in cells.items() if symbol in signs)
    return region, {cell: symbol for cell, symbol in cells.items() if symbol.isalpha()}


def _placed_pieces(letters: dict[LatticePoint, str], stock: _Stock) -> Iterator[tuple[Shape, str]]:
    """Yield the cells and the letter of each piece on the board."""
    for letter, parts in _parts(letters).items():
        whole = frozenset().union(*parts)
        is_one = letter in stock.form_of and stock.form(whole) == stock.form_of[letter]
        yield from ((shape, letter) for shape in ([whole] if is_one else parts))


def _drawn_pieces(block: _Paragraph) -> Iterator[tuple[str, Shape]]:
    """Yield the name or the sign of each piece, and its cells.

    A letter is one piece in a drawing, although it may have several parts. Other signs are no
    names, so their parts are pieces.
    """
    for sign, parts in _parts(_piece_cells(block)).items():
        is_one = sign.isalpha()
        if len(parts) > 1:
            number = len(parts)
            reading = "one piece" if is_one else f"{number} pieces; a letter makes them one"
            place = f"{block.record.source}:{block.record.line + block.line - 1}"
            notice = f"{place}: a drawing of {sign} in {number} parts is {reading}"
            warnings.warn(notice, stacklevel=2)
        yield from ((sign, shape) for shape in ([frozenset().union(*parts)] if is_one else parts))


def _piece_cells(block: _Paragraph) -> dict[LatticePoint, str]:
    """Return the sign of each cell of pieces."""
    cells = {cell: symbol for cell, symbol in _cells(block).items() if symbol != "."}
    if not cells:
        raise block.error("a piece has no cells")
    return cells


def _parts(cells: dict[LatticePoint, str]) -> dict[str, list[Shape]]:
    """Return the connected parts of the cells of each sign."""
    parts: dict[str, list[Shape]] = {}
    for shape in components(cells):
        parts.setdefault(cells[min(shape)], []).append(shape)
    return parts


def _are_names(blocks: list[_Paragraph]) -> bool:
    """Return whether the letters in some blocks are names of pieces, and no drawings of them."""
    rows = [row.strip() for block in blocks for row in block.rows]
    known = {*PENTOMINOES, *TETROMINOES}
    is_column = all(len(row) == 1 for row in rows) and not known.issuperset(rows)
    is_spaced = any(map(_SPACED.search, rows))
    return all(map(_NAMES.fullmatch, rows)) and not is_spaced and not is_column


def _read_names(
    blocks: list[_Paragraph], n_cells: int, motion: str
) -> tuple[list[tuple[_Paragraph, str, Shape]], str]:
    """Return the pieces that letters name, and how they may be moved."""
    named: Counter[str] = Counter()
    for block in blocks:
        for word in " ".join(block.rows).split():
            named[word[0]] += int(word[1:] or 1) * block.count
    letters = {*named}
    # Some letters name both a tetromino and a pentomino: the number of cells to fill decides.
    is_five = letters <= {*PENTOMINOES} and 5 * named.total() == n_cells
    is_four = letters <= {*TETROMINOES} and not is_five
    if not is_four and not letters <= {*PENTOMINOES}:
        unknown = ", ".join(sorted(letters))
        raise blocks[0].error(
            f"pieces without drawings are {TETROMINOES} or {PENTOMINOES}, not {unknown}"
        )
    shapes = parse_pieces(STANDARD_LETTERS[4 if is_four else 5], parse_squares)
    if is_four:
        flip = Isometry(REFLECTION, (0, 0))
        shapes |= {"J": flip(shapes["L"]), "Z": flip(shapes["S"])}
        if "J" in letters or {"S", "Z"} <= letters:  # all seven one-sided pieces are named
            motion = motion or "rotations only"
    pieces = [(replace(blocks[0], count=n), name, shapes[name]) for name, n in named.items()]
    return pieces, motion


def _check_signs(record: Record, line: int, row: str) -> None:
    """Raise an error that names the line if a row of a drawing has other signs than cells have."""
    for sign in row:
        if not (sign.isalpha() or sign in EMPTY + FILLED + "|"):
            reason = f"{sign!r} is not a cell: these are letters, #, dots and spaces"
            if re.match(r" *[A-Za-z]{3}", row):
                reason = f"{row.strip()[:20]!r} is neither a row of a drawing nor a known line"
            raise record.error(line, reason)


def _cells(block: _Paragraph) -> dict[LatticePoint, str]:
    """Return the symbol of each cell; there is a layer before its row only if rows have bars."""
    rows = block.rows
    drawn = "".join(rows)
    for row in rows:
        _check_signs(block.record, block.line, row)
    has_layers = "|" in drawn
    layers = [re.split(r" ?\| ?", row) for row in rows]
    # If each second character is blank, it only separates cells.
    if not "".join(layer[1::2] for row in layers for layer in row).strip():
        layers = [[layer[::2] for layer in row] for row in layers]
    if len({*map(len, layers)}) > 1:
        raise block.error("each row of a drawing must have as many layers")
    return {
        (z, r, c) if has_layers else (r, c): symbol
        for r, row in enumerate(layers, 1)
        for z, layer in enumerate(row, 1)
        for c, symbol in enumerate(layer, 1)
        if symbol != " "
    }
