"""One board as a string."""

import numpy as np

from ..box import Box
from .rows import SIDE_OF_CELLS, is_rule, read_numbers, symbol_fault
from .symbols import INVALID, Alphabet, Values, choose_alphabet


def decode_board(
    text: str, box: Box | None = None, alphabet: Alphabet | None = None
) -> tuple[Values, Alphabet, Box]:
    r"""The values (cells,) uint8 of the board in `text`, with its alphabet and its box.

    The board is on one line, or drawn on several. Its cells are symbols, the empty ones perhaps
    spaces, or numbers between spaces. Raises ValueError that says what is wrong with the text.

    >>> values, alphabet, box = decode_board("12|..\n..|..\n--+--\n..|..\n..|.4")
    >>> values[:3], alphabet.name, str(box)
    (array([1, 2, 0], dtype=uint8), '1-4', '2x2')
    """
    lines = [line for line in text.encode().splitlines() if line.isspace() or not is_rule(line)]
    tokens = b" ".join(lines).replace(b"|", b" ").split()
    symbols, spaced = b"".join(tokens), b"".join(lines)
    if not set(spaced).isdisjoint(b".*_|"):
        spaced = b""
    side_of = SIDE_OF_CELLS if box is None else {box.cells: box.n}
    cells = next((c for c in map(len, (spaced, symbols, tokens)) if c in side_of), 0)
    if not cells:
        wanted = f"a board has {box.cells}" if box else "no board has as many"
        raise ValueError(f"{len(symbols)} symbols, {wanted}")
    seen = spaced.replace(b" ", b".") if len(spaced) == cells else symbols
    in_numbers = len(seen) != cells
    if alphabet is None:
        # Dots beside the digit 0 would speak for 0-9A-, but here 0 is part of a number.
        alphabet, _ = choose_alphabet(side_of[cells], b"" if in_numbers else seen)
    elif alphabet.n != side_of[cells]:
        raise ValueError(f"alphabet {alphabet.name} is not for a board of {cells} cells")
    values = seen.translate(alphabet.decode_table)
    if in_numbers:
        values = read_numbers(tokens, alphabet) or bytes([INVALID])
    if INVALID in values:
        faults = (symbol_fault(line, alphabet) for line in lines)
        raise ValueError(next((fault for fault in faults if fault), "a number is too high"))
    return np.array(bytearray(values), np.uint8), alphabet, box or Box.of_side(alphabet.n)


def encode_board(values: Values, alphabet: Alphabet) -> str:
    """The board on one line, empty cells as `.`.

    >>> encode_board(np.array([1, 0, 16], np.uint8), Alphabet("1-9A-", 16))
    '1.G'
    """
    return alphabet.symbols_of(values).tobytes().decode()
