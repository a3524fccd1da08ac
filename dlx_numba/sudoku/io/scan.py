"""The fast path of reading: a kernel that scans the bytes of whole lines.

It reads the contents of nearly every file: boards on one line, alone or followed by a solution or
other text. It stops at any other line.
"""

from typing import Any

import numpy as np

from ...jit import inlined, njit
from .symbols import BLANKS, INVALID

# Fields of `state`
POSITION = 0  # the index of the next byte
LINE = 1  # the number of its line
COUNT = 2  # the number of boards read
SOLVED = 3  # the number of solutions read
TABLE = 4  # 1 in a table, whose second column has the solutions; otherwise 0

_TAB, _NEWLINE, _RETURN, _SPACE, _HASH, _COMMA, _SEMICOLON = 9, 10, 13, 32, 35, 44, 59
_N_BLANKS = len(BLANKS)
_ZERO, _DOT, _STAR, _UNDERSCORE, _X = 48, 46, 42, 95, 120


@njit
def _ends_line(byte: int) -> bool:
    return byte in (_NEWLINE, _RETURN)


@njit
def _ends_field(byte: int) -> bool:
    return _ends_line(byte) or byte in (_SPACE, _TAB, _COMMA, _SEMICOLON, _HASH)


@njit
def _skip_spaces(text: Any, at: int) -> int:
    while text[at] in (_SPACE, _TAB):
        at += 1
    return at


@njit
def _next_line(text: Any, at: int) -> int:
    while not _ends_line(text[at]):
        at += 1
    if text[at] == _RETURN and at + 1 < len(text) and text[at + 1] == _NEWLINE:
        at += 1
    return at + 1


@inlined
def read_symbols(field: Any, decode: Any, n: int, digits: bool, board: Any) -> bool:
    """Read the symbols of a board; return whether all are valid.

    Parameters
    ----------
    field : ndarray of uint8 or uint32, shape (n² or more,)
        The symbols.
    decode : ndarray of uint8, shape (256,)
        The value of each symbol: see `Alphabet.decode`.
    n : int
        The side of the board.
    digits : bool
        Whether `decode` is that of the alphabet 1 to n with its usual blank symbols. Then symbols
        are read by arithmetic, which is vectorized, instead of by table lookup.
    board : ndarray of uint8, shape (n²,)
        The values of the cells. Written; arbitrary if a symbol is invalid.
    """
    highest = np.uint8(n)
    invalid = False
    if digits:
        for cell in range(len(board)):
            symbol = field[cell]
            digit = np.uint8((np.int64(symbol) - _ZERO) & 255)
            is_digit = digit <= highest
            is_x = symbol | 32 == _X
            is_blank = (symbol == _DOT) | (symbol == _STAR) | (symbol == _UNDERSCORE) | is_x
            board[cell] = digit if is_digit else np.uint8(0)
            invalid |= (symbol > 127) | (not (is_digit | is_blank))
    else:
        for cell in range(len(board)):
            symbol = field[cell]
            board[cell] = decode[symbol & 127]
            invalid |= (symbol > 127) | (board[cell] == INVALID)
    return not invalid


@njit
def has_digits(decode: Any, n: int) -> bool:
    """Return whether the alphabet is 1 to n with its usual blank symbols."""
    n_blanks = 0
    for symbol in range(128):
        n_blanks += decode[symbol] == 0
    return bool(n <= 9 and decode[_ZERO + n] == n and decode[_DOT] == 0 and n_blanks == _N_BLANKS)


@njit
def _read_field(text: Any, at: int, decode: Any, n: int, digits: bool, board: Any) -> bool:
    """Read a board that fills the field at `at`; return whether there is one.

    If there is none, `board` has arbitrary contents.
    """
    cells = len(board)
    if at + cells >= len(text) or not _ends_field(text[at + cells]):
        return False
    field = text[at : at + cells]
    return bool(read_symbols(field, decode, n, digits, board))


@njit
def _is_complete(board: Any) -> bool:
    empty = False
    for cell in range(len(board)):
        empty |= board[cell] == 0
    return not empty


@njit
def scan(text, state, decode, n, boards, solutions, lines):
    """Read boards from a text until it ends, the arrays are full, or a line cannot be read.

    That may be because a complete board could be the solution of the puzzle before it.

    Parameters
    ----------
    text : ndarray of uint8, shape (length,)
        Bytes of whole lines.
    state : ndarray of int64, shape (5,)
        The fields `POSITION` to `TABLE`. All but `TABLE` are written.
    decode : ndarray of uint8, shape (256,)
        The value of each byte: see `Alphabet.decode`.
    n : int
        The side of the boards.
    boards : ndarray of uint8, shape (capacity, n²)
        The boards. Written.
    solutions : ndarray of uint8, shape (capacity, n²)
        The solutions of the boards, zeros if unknown. Written.
    lines : ndarray of int64, shape (capacity,)
        The line of each board. Written.
    """
    digits, last = has_digits(decode, n), state[COUNT] - 1
    follows_puzzle = last >= 0 and solutions[last, 0] == 0 and not _is_complete(boards[last])
    while state[POSITION] < len(text) and state[COUNT] < len(boards):
        count = state[COUNT]
        board, solution = boards[count], solutions[count]
        at = _skip_spaces(text, state[POSITION])
        if not _read_field(text, at, decode, n, digits, board):
            return
        is_complete = _is_complete(board)
        if is_complete and follows_puzzle:
            return
        at = _skip_spaces(text, at + len(board))
        if text[at] in (_COMMA, _SEMICOLON):
            at = _skip_spaces(text, at + 1)
        if not _ends_line(text[at]):
            solved = _read_field(text, at, decode, n, digits, solution) and _is_complete(solution)
            if is_complete or not solved:
                solution[:] = 0  # it may be partly written
            if state[TABLE] and not (solved or _ends_field(text[at])):
                return
            state[SOLVED] += solved and not is_complete
        lines[count] = state[LINE]
        state[POSITION] = _next_line(text, at)
        state[LINE] += 1
        state[COUNT] += 1
        follows_puzzle = not is_complete and solution[0] == 0
