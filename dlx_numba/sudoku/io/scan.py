"""The fast path of reading: a kernel that scans the bytes of whole lines.

It reads the contents of nearly every file: boards on one line, alone or followed by a solution or
other text; boards drawn on n lines; blank lines and comments. It stops at any other line.
"""

from typing import Any

import numpy as np

from ...jit import inlined, njit
from .symbols import BLANKS, INVALID

# Return values of `scan`
DONE = 0  # the text is read
FULL = 1  # the arrays are full
OTHER = 2  # the kernel cannot read the next line

# Fields of `state`
POSITION = 0  # the index of the next byte
LINE = 1  # the number of its line
COUNT = 2  # the number of boards read
CLOSED = 3  # the number of boards before the last bad record: no later solution belongs to them
SOLVED = 4  # the number of solutions read
DELIMITER = 5  # in a table, the byte that separates fields; otherwise 0
PUZZLE_COLUMN = 6  # in a table, the column of the puzzles; otherwise 0
SOLUTION_COLUMN = 7  # in a table with solutions, their column; otherwise -1

_TAB, _NEWLINE, _RETURN, _SPACE, _HASH = 9, 10, 13, 32, 35
_PLUS, _COMMA, _MINUS, _SEMICOLON, _EQUALS, _BAR = 43, 44, 45, 59, 61, 124
_N_BLANKS = len(BLANKS)
_ZERO, _DOT, _STAR, _UNDERSCORE, _X = 48, 46, 42, 95, 120


@njit
def _skip_spaces(text: Any, at: int) -> int:
    while text[at] in (_SPACE, _TAB):
        at += 1
    return at


@njit
def _skip_separator(text: Any, at: int) -> int:
    at = _skip_spaces(text, at)
    return _skip_spaces(text, at + 1) if text[at] in (_COMMA, _SEMICOLON) else at


@njit
def _ends_line(byte: int) -> bool:
    return byte in (_NEWLINE, _RETURN)


@njit
def _ends_field(byte: int) -> bool:
    return _ends_line(byte) or byte in (_SPACE, _TAB, _COMMA, _SEMICOLON, _HASH)


@njit
def _skip_fields(text: Any, at: int, delimiter: int, fields: int) -> int:
    while fields > 0 and not _ends_line(text[at]):
        fields -= text[at] == delimiter
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
def _read_drawing(text: Any, at: int, decode: Any, n: int, board: Any, state: Any) -> bool:
    """Read a board drawn on the lines from `at`; return whether there is one.

    A drawn board has n rows of n symbols, with rules between them. `state` is moved past the board.
    If there is none, `board` has arbitrary contents.
    """
    cells = len(board)
    lines = 0
    cell = 0
    while cell < cells and at < len(text):
        row_end = cell + n
        ruled = False
        while not _ends_line(text[at]):
            byte = text[at]
            at += 1
            if byte in (_MINUS, _PLUS, _EQUALS) and decode[byte] == INVALID:
                ruled = True
            elif byte not in (_SPACE, _TAB, _BAR):
                if cell == row_end or decode[byte] == INVALID:
                    return False
                board[cell] = decode[byte]
                cell += 1
        if cell != (row_end - n if ruled else row_end) or cell == 0:
            return False
        at = _next_line(text, at)
        lines += 1
    if cell < cells:
        return False
    state[POSITION] = at
    state[LINE] += lines
    return True


@njit
def _is_complete(board: Any) -> bool:
    empty = False
    for cell in range(len(board)):
        empty |= board[cell] == 0
    return not empty


@njit
def _extends(solution: Any, puzzle: Any) -> bool:
    """Return whether the complete board `solution` agrees with `puzzle`, which has empty cells."""
    empty, wrong = False, False
    for cell in range(len(puzzle)):  # without branches, which would be unpredictable
        given = puzzle[cell]
        empty |= given == 0
        wrong |= (given != 0) & (given != solution[cell])
    return empty and not wrong


@njit
def _copy(board: Any, target: Any) -> None:
    for cell in range(len(board)):
        target[cell] = board[cell]


@njit
def solves_last(board: Any, boards: Any, solutions: Any, state: Any) -> bool:
    """Return whether `board` (n²,) is the solution of the last board, which has none yet.

    `boards`, `solutions` and `state` are those of `scan`. Only agreement with the givens is
    checked, not whether the solution is valid.
    """
    last = state[COUNT] - 1
    if last < state[CLOSED] or solutions[last, 0] != 0:
        return False
    return bool(_is_complete(board) and _extends(board, boards[last]))


@njit
def scan(text, state, decode, n, boards, solutions, lines, starts):
    """Read boards from a text until it ends, the arrays are full, or a line cannot be read.

    A complete board that agrees with the puzzle before it is its solution, not another puzzle.

    Parameters
    ----------
    text : ndarray of uint8, shape (length,)
        Bytes of whole lines.
    state : ndarray of int64, shape (8,)
        The fields `POSITION` to `SOLUTION_COLUMN`. All but `CLOSED` and the last three are written.
    decode : ndarray of uint8, shape (256,)
        The value of each byte: see `Alphabet.decode`.
    n : int
        The side of the boards.
    boards : ndarray of uint8, shape (capacity + 1, n²)
        The boards. Written. The last row is for a board that may be the solution of the one
        before it.
    solutions : ndarray of uint8, shape (capacity + 1, n²)
        The solutions of the boards, zeros if unknown. Written.
    lines, starts : ndarray of int64, shape (capacity + 1,)
        The line of each board, and the first byte of that line. Written.

    Returns
    -------
    int
        DONE, FULL or OTHER.
    """
    delimiter, puzzle = state[DELIMITER], state[PUZZLE_COLUMN]
    paired = state[SOLUTION_COLUMN] >= 0
    digits, has_comments = has_digits(decode, n), decode[_HASH] == INVALID
    while state[POSITION] < len(text):
        start, line, count = state[POSITION], state[LINE], state[COUNT]
        board, solution = boards[count], solutions[count]
        at = _skip_spaces(text, start)
        solved = False
        if _ends_line(text[at]) or (has_comments and text[at] == _HASH):
            state[POSITION] = _next_line(text, at)
            state[LINE] = line + 1
            continue
        at = _skip_fields(text, at, delimiter, puzzle)
        if _read_field(text, at, decode, n, digits, board):
            at += len(board)
            if paired:
                at = _skip_fields(text, at, delimiter, state[SOLUTION_COLUMN] - puzzle)
            elif delimiter == 0:
                at = _skip_separator(text, at)
            if (paired or delimiter == 0) and not _ends_line(text[at]):
                solved = (
                    _read_field(text, at, decode, n, digits, solution)
                    and _is_complete(solution)
                    and not _is_complete(board)
                )
                if not solved:
                    solution[:] = 0  # it may be partly written
            if paired and not solved and text[at] != delimiter and not _ends_line(text[at]):
                return OTHER
            state[POSITION] = _next_line(text, at)
            state[LINE] = line + 1
        elif not _read_drawing(text, start, decode, n, board, state):
            return OTHER
        if not solved and solves_last(board, boards, solutions, state):
            _copy(board, solutions[count - 1])
            state[SOLVED] += 1
        elif count == len(boards) - 1:
            state[POSITION], state[LINE] = start, line
            return FULL
        else:
            lines[count], starts[count] = line, start
            state[COUNT] = count + 1
            state[SOLVED] += solved
    return DONE
