"""Detect the size and the symbols of the boards of a source from its first lines."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from ..box import SIDE_OF_CELLS, SIDES, Box
from .cells import count_groups, divisions, drawn_box, is_rule, plain_line, read_cells, split_cells
from .lines import LineReader
from .records import Records
from .symbols import BLANKS, INVALID, MAX_SYMBOLS, NUMBER, STYLES, Alphabet
from .table import TextPiece

HEAD_BYTES = 1 << 16  # the bytes that are examined, independent of the block size
HEAD_PIECES = 64  # those that determine the size, and the symbols unless letters may follow
MAX_SIZES = 6  # that are tried


class Layout(NamedTuple):
    """The boards of a source.

    Attributes
    ----------
    box : Box
        The box of the boards.
    symbols : bytes
        The symbols of the first boards, in order; see `Alphabet.decode` for numbers.
    """

    box: Box
    symbols: bytes


class _AnySymbols(Alphabet):
    """The symbols of all alphabets of boards of a side. The value of a symbol is the symbol."""

    @cached_property
    def decode_table(self) -> bytes:
        """Each symbol that occurs in some alphabet, INVALID for all others."""
        symbols = b"".join(style[: self.n] for style in STYLES.values())
        numbers = bytes(range(NUMBER, NUMBER + self.n + 1))
        known = self.blanks + b"-?0" + symbols + symbols.lower() + numbers
        return bytes(code if code in known else INVALID for code in range(256))


@lru_cache
def any_symbols(side: int, blanks: bytes = BLANKS) -> Alphabet:
    """Return an alphabet with the symbols of all alphabets of boards of a side, as their values."""
    return _AnySymbols("1-9A-" if side <= MAX_SYMBOLS else "numbers", side, blanks)


def sniff(pieces: Sequence[TextPiece], box: Box | None = None, blanks: bytes = BLANKS) -> Layout:
    """Return the layout of the boards in the first pieces of a source.

    Unless the box is given, the six boxes that most objects have, the six sizes that most of the
    first lines fit, and the boxes that their bars show are tried. The layout with boards and the
    fewest errors is chosen; 9×9 if no line fits. Of two such sizes, it is the smaller one: a line
    of 16 symbols is a 4×4 board, unless a line has a symbol that is invalid on 4×4 boards.
    Likewise, a line of 36 numbers is a 6×6 board, unless a line has a larger number.
    """
    lines = [plain_line(piece.text or b"", blanks) for piece in pieces]
    sides = Counter(side for line in lines[:HEAD_PIECES] for side in sides_of(line, blanks))
    shapes = Counter(piece.box for piece in pieces if piece.box)  # of objects
    common = [shape for shape, _ in shapes.most_common(MAX_SIZES)]
    likely = [side for side, _ in sides.most_common(MAX_SIZES)]
    common += map(Box.of_side, likely)
    groups = {*map(count_groups, lines[:HEAD_PIECES])}  # of cells between bars, on a line
    common += filter(None, (drawn_box([k], side) for side in likely for k in groups))
    boxes = [box] if box else [*dict.fromkeys(common)]
    best = _fewest_errors(pieces, sorted(boxes, key=lambda box: box.n), blanks)
    best = best or Layout((boxes or [Box(3, 3)])[0], b"")
    if best.box.n > 9:  # letters may follow, which determine the alphabet
        best = best._replace(symbols=_symbols(_read(pieces, best.box, blanks)))
    return best


def sides_of(line: bytes, blanks: bytes = BLANKS) -> list[int]:
    """Return the sides of boards of which a line may be a row, or all, or all and the solution."""
    if line.lstrip().startswith(b"#") or is_rule(line):
        return []
    for cells, _ in divisions(line):
        size = len(cells)
        whole = {SIDE_OF_CELLS.get(size), SIDE_OF_CELLS.get(size // 2)}
        fitting = [
            side
            for side in SIDES
            if (side == size or side in whole)
            and read_cells(line, any_symbols(side, blanks), side, side * side) is not None
        ]
        if fitting:
            return fitting
    side = SIDE_OF_CELLS.get(len(split_cells(line)), 0)
    return [side] if side > 9 else []  # with invalid cells, which are reported


def _fewest_errors(
    pieces: Sequence[TextPiece], boxes: Iterable[Box], blanks: bytes
) -> Layout | None:
    """Return the first layout with the fewest errors; None if no layout has boards."""
    best = None
    fewest = math.inf
    for box in boxes:
        # The last board that begins in the head may be a drawing of n lines.
        chunks = _read(pieces[: HEAD_PIECES + box.n], box, blanks)
        n_bad = sum(len(chunk.bad) for chunk in chunks)
        if n_bad < fewest and any(map(len, chunks)):
            best = Layout(box, _symbols(chunks))
            fewest = n_bad
    return best


def _symbols(chunks: list[Records]) -> bytes:
    return b"".join(chunk.boards.tobytes() for chunk in chunks)


def _read(pieces: Sequence[TextPiece], box: Box, blanks: bytes) -> list[Records]:
    """Read pieces as boards of a size, with the symbols as values."""
    reader = LineReader(any_symbols(box.n, blanks), HEAD_PIECES, box)
    for piece in pieces:
        reader.read_piece(piece)
    return list(reader.end())
