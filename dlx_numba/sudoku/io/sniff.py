"""Detect the size and the symbols of the boards of a source from its first lines."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, islice
from typing import NamedTuple

import numpy as np

from ..box import MAX_SIDE, SIDE_OF_CELLS, SIDES, Box
from ..verify import find_conflicts
from .cells import divisions, is_rule, plain_line, read_cells, split_cells
from .lines import LineReader
from .records import Records
from .symbols import BLANKS, INVALID, MAX_SYMBOLS, NUMBER, STYLES, Alphabet
from .table import Piece

HEAD_BYTES = 1 << 16  # the bytes that are examined, independent of the block size
HEAD_PIECES = 64  # those that determine the size, and the symbols unless letters may follow
MAX_SIZES = 6  # that are tried
MAX_ROWS = 8  # of a board that is too large

_Size = tuple[Box, int | None]  # the box and the width of a layout

_SEPARATE = re.compile(rb"\s*|[^\s|](?: [^\s|])*")  # blank, or symbols between single spaces


class Layout(NamedTuple):
    """The boards of a source.

    Attributes
    ----------
    box : Box
        The box of the boards.
    width : int or None
        The number of cells on a line if boards are folded, otherwise None.
    symbols : bytes
        The symbols of the first boards, in order; see `Alphabet.decode` for numbers.
    """

    box: Box
    width: int | None
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


def sniff(pieces: Sequence[Piece], box: Box | None = None, blanks: bytes = BLANKS) -> Layout:
    """Return the layout of the boards in the first pieces of a source.

    Unless the box is given, the six boxes that most objects state, and the six sizes that most of
    the first lines fit, are tried. The layout with boards and the fewest errors is chosen; 9×9 if
    no line fits. Of two such sizes, it is the smaller one: a line of 16 symbols is a 4×4 board,
    unless a line has a symbol that is invalid on 4×4 boards. Likewise, a line of 36 numbers is a
    6×6 board, unless a line has a larger number. If there is more than one error for two boards,
    folded boards are tried as well.
    """
    lines = [plain_line(piece.text or b"", blanks) for piece in pieces]
    # Spaces between all symbols are not empty cells.
    if all(_SEPARATE.fullmatch(line) for line in lines if not line.startswith(b"#")):
        lines = [line if line.isspace() else line.replace(b" ", b"") for line in lines]
    sides = Counter(side for line in lines[:HEAD_PIECES] for side in sides_of(line, blanks))
    stated = Counter(piece.box for piece in pieces if piece.box)
    common = [shape for shape, _ in stated.most_common(MAX_SIZES)]
    common += [Box._of_side(side) for side, _ in sides.most_common(MAX_SIZES)]
    boxes = [box] if box else [*dict.fromkeys(common)]
    sizes = [(shape, None) for shape in sorted(boxes, key=lambda box: box.n)]
    best, n_bad, is_contradictory = _fewest_errors(pieces, sizes, blanks)
    n_boards = len(best.symbols) // best.box.cells if best else 0
    folded, n_fold_bad = None, n_bad
    if 2 * n_bad > n_boards:  # rare errors do not cast doubt on the size
        folded, n_fold_bad, _ = _fewest_errors(pieces, _folds(lines, box), blanks)
    if n_fold_bad < n_bad:
        best = folded
    # Large boards of symbols whose givens contradict each other are parts of joined boards.
    elif not box and is_contradictory and best and best.box.n > 9 and best.symbols.isascii():
        best = Layout(Box(3, 3), None, b"")
    best = best or Layout((boxes or [Box(3, 3)])[0], None, b"")
    if best.box.n > 9:  # letters may follow, which determine the alphabet
        chunks = _read(pieces, best.box, best.width, blanks)
        best = best._replace(symbols=_symbols(chunks))
    return best


def sides_of(line: bytes, blanks: bytes = BLANKS) -> list[int]:
    """Return the sides of boards of which a line may be a row, or all."""
    if line.lstrip().startswith(b"#") or is_rule(line):
        return []
    for cells, _ in divisions(line):
        size = len(cells)
        whole = {SIDE_OF_CELLS.get(size), SIDE_OF_CELLS.get(size // 2)}
        found = [
            side
            for side in SIDES
            if (side == size or side in whole)
            and read_cells(line, any_symbols(side, blanks), side, side * side) is not None
        ]
        if found:
            return found
    side = SIDE_OF_CELLS.get(len(split_cells(line)), 0)
    return [side] if side > 9 else []  # with invalid cells, which are reported


def oversized_side(lines: Iterable[bytes]) -> int:
    """Return the side of the boards of which lines are rows if it is too large, otherwise 0.

    >>> oversized_side([b"70 2 69 . " * 25] * 2), oversized_side([b"10 2 9 . " * 25] * 2)
    (100, 0)
    """
    texts = (line for line in lines if line.strip() and not line.startswith(b"#"))
    rows = [split_cells(text) for text in islice(texts, MAX_ROWS)]
    side = len(rows[0]) if len(rows) > 1 else 0
    if side <= MAX_SIDE or any(len(row) != side for row in rows):
        return 0
    numbers = [int(cell) for row in rows for cell in row if re.fullmatch(rb"[0-9]{1,3}", cell)]
    # On boards of one line, such numbers are rare errors.
    is_large = sum(number > MAX_SIDE for number in numbers) >= len(rows)
    return side if is_large and max(numbers) <= side else 0


def _folds(lines: list[bytes], box: Box | None) -> Iterator[_Size]:
    """Yield the sizes of boards that may be folded into the first lines."""
    lines = [line for line in lines if line and not line.startswith(b"#")]
    for parts in ([line.strip() for line in lines if not line.isspace()], lines):
        lengths = [len(part) for part in parts]
        for k, total in enumerate(accumulate(lengths)):
            is_shorter = lengths[k] != lengths[0]
            side = SIDE_OF_CELLS.get(total, 0)
            is_fold = lengths[0] not in (side, total)
            if side and is_fold and (box is None or box.n == side):
                yield box or Box._of_side(side), lengths[0]
            if is_shorter:
                break


def _fewest_errors(
    pieces: Sequence[Piece], sizes: Iterable[_Size], blanks: bytes
) -> tuple[Layout | None, float, bool]:
    """Return the first layout with the fewest errors, and their number.

    Also returns whether there are errors and the givens of most boards contradict each other: their
    lines may be parts of boards of another size. Boards are folded only if most of what is read has
    no errors and no contradictions, or into 9×9 boards without errors.
    """
    best, fewest, is_contradictory = None, math.inf, False
    for box, width in sizes:
        n_pieces = HEAD_PIECES + box.cells // (width or box.n)
        chunks = _read(pieces[:n_pieces], box, width, blanks)
        n_boards = sum(map(len, chunks))
        n_bad = sum(len(chunk.bad) for chunk in chunks)
        is_examined = width or n_bad
        n_conflicts = sum(_count_conflicts(chunk, blanks) for chunk in chunks if is_examined)
        is_clear = n_bad + 2 * n_conflicts <= n_boards or (box.n == 9 and not n_bad)
        if n_bad < fewest and n_boards and (is_clear or not width):
            best = Layout(box, width, _symbols(chunks))
            fewest, is_contradictory = n_bad, 2 * n_conflicts > n_boards
    return best, fewest, is_contradictory


def _count_conflicts(chunk: Records, blanks: bytes) -> int:
    """Return how many boards contain a symbol twice in a row, a column or a box."""
    empty = np.isin(chunk.boards, [*blanks, *b" -?0"])
    return sum(1 for _ in find_conflicts(np.where(empty, 0, chunk.boards), chunk.box))


def _symbols(chunks: list[Records]) -> bytes:
    return b"".join(chunk.boards.tobytes() for chunk in chunks)


def _read(pieces: Sequence[Piece], box: Box, width: int | None, blanks: bytes) -> list[Records]:
    """Read pieces as boards of a size, with the symbols as values."""
    reader = LineReader(any_symbols(box.n, blanks), HEAD_PIECES, box, width)
    for piece in pieces:
        reader.read_piece(piece)
    return list(reader.end())
