"""The fast path of reading: a kernel that scans the bytes of whole lines.

It reads the contents of nearly every file: boards on one line, alone or followed by a solution or
other text. It stops at any other line.
"""

from typing import Any

import numpy as np

from ...jit import njit
from .symbols import INVALID

# Fields of `state`
POSITION = 0  # the index of the next byte
LINE = 1  # the number of its line
COUNT = 2  # the number of boards read
SOLVED = 3  # the number of solutions read
FULL = 4  # 1 if the arrays are full, and the next board is another puzzle
TABLE = 5  # 1 in a table, whose second column has the solutions; otherwise 0

_TAB, _NEWLINE, _RETURN, _SPACE, _HASH, _COMMA, _SEMICOLON = 9, 10, 13, 32, 35, 44, 59
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


@njit
def _read_field(text: Any, at: int, decode: Any, n: int, board: Any) -> bool:
    """Read a board that fills the field at `at`; return whether there is one.

    If there is none, `board` has arbitrary contents. If `n` is not 0, symbols are read by
    arithmetic, which is vectorized, instead of by table lookup.
    """
    cells = len(board)
    if at + cells >= len(text) or not _ends_field(text[at + cells]):
        return False
    field, highest = text[at : at + cells], np.uint8(n)
    invalid = False
    if n > 0:
        for cell in range(cells):
            symbol = field[cell]
            digit = np.uint8((np.int64(symbol) - _ZERO) & 255)
            is_digit = digit <= highest
            is_x = symbol | 32 == _X
            is_blank = (symbol == _DOT) | (symbol == _STAR) | (symbol == _UNDERSCORE) | is_x
            board[cell] = digit if is_digit else np.uint8(0)
            invalid |= (symbol > 127) | (not (is_digit | is_blank))
    else:
        for cell in range(cells):
            symbol = field[cell]
            board[cell] = decode[symbol & 127]
            invalid |= (symbol > 127) | (board[cell] == INVALID)
    return not invalid


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
    state : ndarray of int64, shape (6,)
        The fields `POSITION` to `TABLE`. All but `TABLE` are written.
    decode : ndarray of uint8, shape (256,)
        The value of each byte: see `Alphabet.decode`.
    n : int
        The side of the boards if their symbols are the digits from 1 and `BLANKS`, otherwise 0.
    boards : ndarray of uint8, shape (capacity + 1, n²)
        The boards. Written. The last row is for a board that may be a solution.
    solutions : ndarray of uint8, shape (capacity + 1, n²)
        The solutions of the boards, zeros if unknown. Written.
    lines : ndarray of int64, shape (capacity + 1,)
        The line of each board. Written.
    """
    last = state[COUNT] - 1
    follows_puzzle = last >= 0 and solutions[last, 0] == 0 and not _is_complete(boards[last])
    while state[POSITION] < len(text):
        count = state[COUNT]
        board, solution = boards[count], solutions[count]
        at = _skip_spaces(text, state[POSITION])
        if not _read_field(text, at, decode, n, board):
            return
        is_complete = _is_complete(board)
        if is_complete and follows_puzzle:
            return
        if count == len(boards) - 1:
            state[FULL] = 1
            return
        at = _skip_spaces(text, at + len(board))
        if text[at] in (_COMMA, _SEMICOLON):
            at = _skip_spaces(text, at + 1)
        if not _ends_line(text[at]):
            solved = _read_field(text, at, decode, n, solution) and _is_complete(solution)
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
