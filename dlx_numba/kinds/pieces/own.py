"""A board and pieces that somebody has drawn as text."""

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count, cycle, islice
from operator import sub
from string import ascii_lowercase
from typing import Any, Literal, NamedTuple, cast

from ...cover.encode import Statement
from ...pictures.grid import Grid, Mark
from ...runtime.errors import FormatError
from ..lattice.regions import components, parse_cubes, parse_squares
from ..lattice.shapes import CUBES, REFLECTION, SQUARES, Isometry, Lattice, LatticePoint, Shape
from ..puzzle import Puzzle
from .packing import LETTERS, WORDS, place_pieces
from .polyominoes import STANDARD_LETTERS

formats = "a board (5x8, or drawn) and drawn pieces, or letters of tetrominoes and pentominoes"

Motion = Literal["all", "rotations", "fixed"]

EMPTY, FILLED = " .0_-", "#*█■"
SIGNS = "<>^v∧∨"  # of Futoshiki
TETROMINOES, PENTOMINOES = "IOTLJSZ", "FILNPTUVWXYZ"
_SIZE = re.compile(r"\s*\d+\s*[xX×]\s*\d+(?:\s*[xX×]\s*\d+)?\s*")
_PLAIN_SIZE = re.compile(r"\A\s*(\d{1,3})[ \t]+(\d{1,3})[ \t]*(?=\n)")  # of many other puzzles
_LABEL = re.compile(r"\s*(board|region|pieces)\s*(?::|$|(?<=\s)(?=\d))\s*", re.IGNORECASE)
_MOTION = re.compile(
    r"\s*(?:(?P<rotations>rotations only|one-sided|no (?:flips|mirroring|reflections))"
    r"|(?P<fixed>no (?:turning|turns|rotations)))\s*(?:\.\s*)?",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\s*(?:(\d{1,6})(?:\s*[x×])?(?:\s*([A-Za-z]))?|([A-Za-z])\s*(?:[:=]\s*)?(\d{1,6}))\s*(?::\s*)?"
)
_NAMED = re.compile(r"([A-Z])[:=]?(\d*)")  # a piece, and how often it is used
_NAMES = re.compile(r"\s*[A-Z](?:[:=]?\d{1,6})?(?:[\s,]+[A-Z](?:[:=]?\d{1,6})?)*\s*")
_JOINED = re.compile(f"[{TETROMINOES}]{{2,}}|[{PENTOMINOES}]{{2,}}")  # names, or a drawn row
_ROW = re.compile(r"[A-Za-z#*█■.|_\s-]+")
# Rows, columns, and the numbers of the one-sided tetrominoes
_SEVEN = re.compile(r"\s*(?:\d{1,4}[ \t]+){8}\d{1,4}\s*")


class Piece(NamedTuple):
    """A piece, how often it is used, and how it may be moved."""

    name: str
    shape: Shape
    low: int = 1
    high: int | None = 1
    motion: Motion = "all"

    def placements(self, lattice: Lattice, region: Shape) -> list[Shape]:
        """Return the placements in a region."""
        found = lattice.placements(self.shape, region, self.is_sided(lattice))
        return [p for p in found if self.motion != "fixed" or _moved(p) == _moved(self.shape)]

    def is_sided(self, lattice: Lattice) -> bool:
        """Return whether the piece may not be turned over. In space, turns do so."""
        return self.motion != "all" or lattice is CUBES

    def form(self, lattice: Lattice) -> Shape:
        """Return what is equal for equal pieces."""
        if self.motion == "fixed":
            return _moved(self.shape)
        return lattice.canonical_form(self.shape, self.is_sided(lattice))


@dataclass
class _Block:
    """Lines without a blank line between them."""

    line: int  # of the first one
    label: str = ""
    count: int = 1
    name: str = ""  # of the piece that is drawn, or of a standard piece without a drawing
    rows: list[str] = field(default_factory=list)


def recognize(head: str) -> bool:
    r"""Return whether a text consists of a board, first or last, and pieces.

    >>> [recognize(text) for text in ("2x4\nI2\n", "###\n#.#\n\n##\n", "5x8\n1 2 3\n", "#a\n\nb\n")]
    [True, True, False, False]
    >>> [recognize(text) for text in ("@ BB\n@\n\n....\n", "1 22\n1\n\n....\n", ". . .\n\n. < .\n")]
    [True, False, False]
    """
    board, pieces, _ = _blocks(_with_size(head))
    if not pieces or board is None:
        return _SEVEN.fullmatch(head) is not None
    rows = [row for block in pieces for row in block.rows if not _NAMES.fullmatch(row)]
    if board.label:
        return all(map(_ROW.fullmatch, rows))
    words = [{*word}.difference(EMPTY) for row in rows for word in row.split()]
    is_plain = all(len(word) <= 1 and not "".join(word).isdigit() for word in words)
    drawn = "".join(board.rows)
    has_other_symbols = bool({*chain(*words)}.difference(FILLED, SIGNS))
    is_named = all(map(_JOINED.fullmatch, rows))
    is_plain = is_plain or is_named or _touch(pieces, drawn)
    filled = "#X" if is_named else "#"  # X is no part of a drawn piece
    is_board = not set(drawn) - {*filled, *". |"}
    return is_plain and is_board and (not {*filled}.isdisjoint(drawn) or has_other_symbols)


def parse(text: str, source: str) -> Iterator[Puzzle]:
    """Yield the puzzle: fill the board with all pieces.

    Items: each piece, by its letter, as often as it is stated; each cell of the board.
    Options: a piece in one of its placements. Pieces of the same shape are one item, so solutions
    that only exchange them are the same.
    """
    if _SEVEN.fullmatch(text):
        rows, columns, *numbers = text.split()
        counts = " ".join(map("".join, zip(TETROMINOES, numbers, strict=True)))
        text = f"{rows}x{columns}\n{counts}\n"
    board, blocks, motion = _blocks(_with_size(text))
    if board is None or not blocks:
        raise ValueError(f"{source}: expected one board, and pieces")
    puzzles, errors = list[Puzzle](), list[FormatError]()
    try:
        for region, givens in sorted(_read_board(board), key=lambda read: -len(read[0])):
            try:
                statement = _fill(region, givens, blocks, motion, source, board.line)
                if len(region) + len(givens) == len(_cells(board.rows)):
                    view = replace(cast(Grid, statement.view), outside=" ")  # as it is drawn
                    statement = statement._replace(view=view)
                puzzles.append(Puzzle("Pieces", statement, place=source))
            except FormatError as error:
                errors.append(error)
    except ValueError as error:
        raise FormatError(source, board.line, str(error)) from None
    if len(puzzles) > 1:
        reason = "the pieces fit the cells '#' and the cells '.'; draw those outside as spaces"
        raise FormatError(source, board.line, reason)
    yield from puzzles
    if not puzzles:
        raise errors[0]


def _fill(
    region: Shape,
    givens: tuple[Mark, ...],
    blocks: list[_Block],
    motion: Motion,
    source: str,
    line: int,
) -> Statement:
    """State how the pieces of some blocks fill a region. `line` is that of the board."""
    if not region:
        raise FormatError(source, line, "the board has no cells to fill")
    lattice = CUBES if len(next(iter(region))) == 3 else SQUARES
    pieces: dict[Shape, Piece] = {}
    numbers = Counter[Shape]()  # of equal pieces
    taken = dict[str, Shape]()  # the form of each name
    listed = _list_names(blocks)
    is_list = _n_cells(blocks) != len(region) and _fill_as_names(listed, len(region))
    if is_named := is_list or all(map(_is_named, blocks)):  # letters state what the pieces are
        stated = " ".join(f"{name}{n}" for name, n in listed)
        blocks = [_Block(blocks[0].line, rows=[stated])]
    for block in blocks:
        try:
            drawn = _read_pieces(block, is_named, len(region), lattice, motion)
        except ValueError as error:
            raise FormatError(source, block.line, str(error)) from None
        for piece in drawn:
            form = piece.form(lattice)
            if taken.get(piece.name, form) != form or not piece.name.isalpha():
                letters = chain(LETTERS, ascii_lowercase, map("P{}".format, count(1)))
                piece = piece._replace(name=next(x for x in letters if x not in taken))
            taken[piece.name] = form
            numbers[form] += piece.low
            pieces.setdefault(form, piece)
    copies, given = list[tuple[str, tuple[str, ...]]](), [letter for _, letter in givens]
    unused = (letter for letter in LETTERS + ascii_lowercase if letter not in {*taken, *given})
    for form, piece in pieces.items():
        names = [name for name, each in taken.items() if each == form]
        names += islice(unused, max(0, numbers[form] - len(names)))  # to tell copies apart
        n = numbers[form] - sum(letter in names for letter in given) // len(piece.shape)
        first, *others = [name for name in names if name not in given] or names
        pieces[form] = piece._replace(name=first, low=n, high=n)
        copies.append((first, tuple(others)))
    left = [piece for piece in pieces.values() if piece.low > 0]
    if (n_cells := sum(piece.low * len(piece.shape) for piece in left)) != len(region):
        reason = f"the pieces have {n_cells} cells, the board has {len(region)}"
        raise FormatError(source, line, reason)
    return state_pieces("Pieces", left, region, givens, copies)


def state_pieces(
    title: str,
    pieces: Sequence[Piece],
    region: Shape,
    givens: tuple[Mark, ...] = (),
    copies: Sequence[tuple[str, tuple[str, ...]]] = (),
) -> Statement:
    """State how pieces with different names fill a region; one without limits is no item.

    Pieces are drawn with the first words of their names, or with letters if these are long; one
    whose name is in parentheses leaves cells empty. `copies` has the further names of equal pieces;
    by default, those that may be used several times share the letters that are left.
    """
    lattice, cells = CUBES if len(next(iter(region))) == 3 else SQUARES, sorted(region)
    placements = {piece.name: piece.placements(lattice, region) for piece in pieces}
    placed = place_pieces(lattice, placements, dict(zip(cells, cells, strict=True)))
    limits = {piece.name: (piece.low, piece.high) for piece in pieces}
    return state_placements(title, lattice.cells, limits, *placed, cells, givens, copies)


def state_placements(
    title: str,
    lattice: Any,
    limits: Mapping[str, tuple[int, int | None]],
    options: dict[Hashable, list[Hashable]],
    marks: Sequence[tuple[Mark, ...]],
    cells: Sequence[LatticePoint],
    givens: tuple[Mark, ...] = (),
    copies: Sequence[tuple[str, tuple[str, ...]]] = (),
    *,
    is_filled: bool = True,
    **drawing: Any,
) -> Statement:
    """State how placed pieces fill cells, or cover some of them; see `state_pieces`.

    `lattice` and `drawing` are parameters of `Grid`; `limits` are by the names of all pieces,
    `options` and `marks` as `place_pieces` returns them.
    """
    letter_of = {name: Grid.blank if name[0] == "(" else name.split()[0] for name in limits}
    if max(map(len, letter_of.values()), default=0) > 2:
        letter_of = dict(zip(limits, cycle(LETTERS), strict=False))
    marks = tuple(tuple((cell, letter_of[name]) for cell, name in each) for each in marks)
    several = [letter_of[name] for name, (_, n) in limits.items() if n != 1 and name[0] != "("]
    unused = [letter for letter in LETTERS + ascii_lowercase if letter not in letter_of.values()]
    copies = copies or [(x, (*unused[k :: len(several)],)) for k, x in enumerate(several)]
    limits = {name: each for name, each in limits.items() if each != (0, None)}
    options = {name: row if row[0] in limits else row[1:] for name, row in options.items()}
    every = *cells, *(cell for cell, _ in givens)
    drawing |= {"style": "pieces", "lattice": lattice, "copies": (*copies,), "words": WORDS}
    if Grid.blank in letter_of.values():
        drawing["outside"] = " "  # since a dot is a cell that stays empty
    picture = Grid(title, marks, every, givens, **drawing)
    primary, secondary = ([*limits, *cells], ()) if is_filled else ([*limits], [*cells])
    return Statement(options, primary, secondary, limits, view=picture)


def _with_size(text: str) -> str:
    """Return a text with `3x4` for `3 4` on its first line, if drawings or names have its cells."""
    if (size := _PLAIN_SIZE.match(text)) is None:
        return text
    stated = size[0].replace(size[1], f"{size[1]}x", 1) + text[size.end() :]
    _, blocks, _ = _blocks(stated)
    n_cells = int(size[1]) * int(size[2])
    is_drawn = len(blocks) > 1 and _n_cells(blocks) == n_cells
    return stated if is_drawn or _fill_as_names(_list_names(blocks), n_cells) else text


def _n_cells(blocks: list[_Block]) -> int:
    """Return the number of cells of all pieces, if they are drawn."""
    drawn = ((block.count, symbol) for block in blocks for symbol in _cells(block.rows).values())
    return sum(number for number, symbol in drawn if symbol not in EMPTY)


def _list_names(blocks: list[_Block]) -> list[tuple[str, int]]:
    """Return the names of pieces and their numbers, if all lines consist of names."""
    listed = list[tuple[str, int]]()
    for block in blocks:
        rows, number = block.rows, block.count
        if block.name and rows != [block.name]:  # a number and a name, and then other names
            listed.append((block.name, number))
            number = 1
        for row in rows:
            names = " ".join(row.strip()) if _JOINED.fullmatch(row.strip()) else row
            if _NAMES.fullmatch(names) is None:
                return []
            listed += [(name, int(n or 1) * number) for name, n in _NAMED.findall(names)]
    return listed


def _fill_as_names(listed: list[tuple[str, int]], n_cells: int) -> bool:
    """Return whether the tetrominoes or pentominoes in a list have as many cells as a board."""
    n_pieces = sum(number for _, number in listed)
    return n_pieces > 0 and n_cells in (4 * n_pieces, 5 * n_pieces)


def _blocks(text: str) -> tuple[_Block | None, list[_Block], Motion]:
    """Return the board, the other blocks, and how pieces may be moved."""
    blocks, label = list[_Block](), ""
    motion: Motion = "all"
    current: _Block | None = None
    for number, line in enumerate(text.expandtabs().splitlines(), 1):
        if (found := _LABEL.match(line)) is not None:
            current, label = None, found[1].lower().replace("region", "board")
            line = line[found.end() :]
        if not line.strip():
            current = None
        elif (found := _MOTION.fullmatch(line)) is not None:
            current, motion = None, "fixed" if found["fixed"] else "rotations"
        elif _SIZE.fullmatch(line):
            blocks.append(_Block(number, "board", rows=["".join(line.split())]))
            current, label = None, ""
        elif (found := _COUNT.fullmatch(line)) is not None:
            name = found[2] or found[3] or ""
            current = _Block(number, "", int(found[1] or found[4]), name)
            blocks.append(current)
        else:
            if current is None:
                current, label = _Block(number, label), ""
                blocks.append(current)
            current.rows.append(line)
    for block in blocks:
        block.rows = block.rows or [block.name]
        first, *rows = block.rows
        drawing = "".join(rows)
        if re.fullmatch(r"[A-Za-z]:?", first) and "#" in drawing and first[0] not in drawing:
            block.name, block.rows = first[0], rows  # the first line is the name of a piece
    boards = [block for block in blocks if block.label == "board"]
    if blocks and not boards:
        boards = [max(blocks[0], blocks[-1], key=_board_size)] if len(blocks) > 1 else blocks
    board = boards[0] if len(boards) == 1 else None
    return board, [block for block in blocks if block is not board], motion


def _board_size(block: _Block) -> tuple[bool, int, bool]:
    """Return whether a block is connected, its number of cells, and whether they are alike.

    The cells of pieces are as many, and connected as well if their drawings touch.
    """
    drawn = _cells(block.rows)
    cells = dict.fromkeys(drawn, "#")
    is_connected = 0 < len(cells) == len(next(components(cells), ()))
    return is_connected, len(cells), len({*drawn.values()}) == 1


def _touch(blocks: list[_Block], board: str) -> bool:
    """Return whether the letters of blocks are pieces that touch: connected, and fill a board."""
    drawn = [_cells(block.rows) for block in blocks]
    n_pieces = sum(len([*components(cells)]) for cells in drawn)
    n_letters = sum(len({*cells.values()}) for cells in drawn)
    return n_pieces == n_letters and sum(map(len, drawn)) in map(board.count, "#.")


def _read_board(block: _Block) -> list[tuple[Shape, tuple[Mark, ...]]]:
    """Return readings of a board: the cells to fill, and those of pieces that are placed."""
    size = block.rows[0].replace("×", "x").replace("X", "x")
    if _SIZE.fullmatch(size):
        return [(parse_cubes(size) if size.count("x") == 2 else parse_squares(size), ())]
    cells = _cells(block.rows)
    symbols = {*cells.values()}
    readings = []
    for filled in [some for some in (symbols & {*FILLED}, symbols & {"."}) if some] or [symbols]:
        region = frozenset(cell for cell, symbol in cells.items() if symbol in filled)
        placed = (each for each in cells.items() if each[1].isalpha() and each[1] not in filled)
        readings.append((region, tuple(placed)))
    return readings


def _read_pieces(
    block: _Block, is_named: bool, n_cells: int, lattice: Lattice, motion: Motion
) -> list[Piece]:
    """Return the pieces that a block draws or names."""
    names = _NAMED.findall(block.rows[0])
    if is_named or (any(n for _, n in names) and _is_named(block)):
        n_pieces = sum(int(n or 1) for _, n in names) * block.count
        letters = {name for name, _ in names}
        is_four = letters <= {*TETROMINOES} and not (
            letters <= {*PENTOMINOES} and 5 * n_pieces == n_cells
        )
        if not is_four and not letters <= {*PENTOMINOES}:
            reason = f"pieces without drawings are {TETROMINOES} or {PENTOMINOES}"
            raise ValueError(f"{reason}, not {', '.join(sorted(letters))}")
        words = STANDARD_LETTERS[4 if is_four else 5].split()
        shapes = {name: parse_squares(word) for name, word in zip(*[iter(words)] * 2, strict=True)}
        flip = Isometry(REFLECTION, (0, 0))
        shapes |= {"J": flip(shapes["L"]), "Z": shapes["Z"] if not is_four else flip(shapes["S"])}
        if is_four and motion == "all" and ("J" in letters or {"S", "Z"} <= letters):
            motion = "rotations"  # all seven one-sided pieces are named
        drawn = [(name, shapes[name], int(n or 1)) for name, n in names]
    else:
        cells = {cell: s for cell, s in _cells(block.rows).items() if s not in EMPTY}
        drawn = [(block.name or cells[min(shape)], shape, 1) for shape in components(cells)]
    dimension = len(lattice.first_cell)
    if any(len(cell) > dimension for _, shape, _ in drawn for cell in shape):
        raise ValueError("a piece has layers, and the board has none")
    pieces = []
    for name, shape, number in drawn:
        solid = frozenset((1,) * (dimension - len(cell)) + cell for cell in shape)
        n = number * block.count
        pieces.append(Piece(name, solid, n, n, motion))
    return pieces


def _is_named(block: _Block) -> bool:
    return len(block.rows) == 1 and _NAMES.fullmatch(block.rows[0]) is not None


def _cells(rows: list[str]) -> dict[tuple[int, ...], str]:
    """Return the symbol of each cell; there is a layer before its row only if rows have bars."""
    has_layers = any("|" in row for row in rows)
    if not has_layers and not "".join(row[1::2] for row in rows).strip():
        rows = [row[::2] for row in rows]  # spaces between cells
    return {
        (z, r, c) if has_layers else (r, c): symbol
        for r, row in enumerate(rows, 1)
        for z, layer in enumerate(re.split(r" ?\| ?", row), 1)
        for c, symbol in enumerate(layer, 1)
        if symbol != " "
    }


def _moved(shape: Shape) -> Shape:
    """Return a shape at a place that its form determines."""
    return frozenset(tuple(map(sub, cell, min(shape))) for cell in shape)
