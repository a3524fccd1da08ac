"""The fast path of reading: a kernel that scans the bytes of whole lines.

It reads the contents of nearly every file: boards on one line, alone or followed by a solution or
other text, also in tables; boards drawn as rows, with rules between them; solutions on lines of
their own; blank lines. It stops at any other line, which the tokenizer reads.

The helpers share these parameters: `text` (length,) uint8, which ends with the end of a line; `at`,
an index in it, int64; `decode` (256,) uint8, the value of each byte; `board`, `puzzle` and
`solution` (cells,) uint8, of which `board` may be written.
"""

from typing import Any

import numpy as np

from ...jit import njit
from .symbols import INVALID

# Fields of `register`
POSITION = 0  # the index of the next byte
LINE = 1  # the number of its line
COUNT = 2  # the number of boards read
SOLVED = 3  # the number of solutions read
FULL = 4  # 1 if the arrays are full, and the next board is another puzzle
AWAITS_SOLUTION = 5  # 1 if the last record is a puzzle whose solution is unknown, otherwise 0
DELIMITER = 6  # the byte between the fields of a table; 0 if the text is not a table
PUZZLE = 7  # the number of fields before the puzzle
SOLUTION = 8  # the number of fields from the puzzle to its solution; 0 if a table has none
N_LEFT = 9  # the number of fields of a row from the puzzle on
END = 10  # the line below the last board; 0 if the tokenizer has read it on one line
GROUPS = 11  # the number of boxes beside each other
N_FIELDS = 12

_TAB = 9
_NEWLINE = 10
_LINE_TAB = 11
_PAGE = 12
_RETURN = 13
_SPACE = 32
_QUOTE = 34
_HASH = 35
_PLUS = 43
_COMMA = 44
_MINUS = 45
_SEMICOLON = 59
_EQUALS = 61
_BAR = 124
_ZERO = 48
_DOT = 46
_STAR = 42
_UNDERSCORE = 95
_X = 120
_DECORATION = _SPACE, _TAB, _BAR
_SEPARATORS = _SPACE, _TAB, _LINE_TAB, _PAGE, _COMMA, _SEMICOLON


@njit
def _ends_line(byte: int) -> bool:
    return byte in (_NEWLINE, _RETURN)


@njit
def _skip(text: Any, at: int, symbols: Any) -> int:
    while text[at] in symbols:
        at += 1
    return at


@njit
def _skip_rule(text: Any, at: int, decode: Any) -> int:
    """Skip a rule, or the blanks and bars at the start of a line.

    A line that has bars and only blanks between them may be a row of empty cells.
    """
    start = at
    has_bars = has_dashes = False
    while text[at] in (_SPACE, _TAB, _BAR, _PLUS, _MINUS, _EQUALS) and decode[text[at]] == INVALID:
        has_bars |= text[at] == _BAR
        has_dashes |= text[at] in (_PLUS, _MINUS, _EQUALS)
        at += 1
    return start if has_bars and not has_dashes and _ends_line(text[at]) else at


@njit
def _find_field(text: Any, at: int, delimiter: int, fields: int) -> int:
    """Skip fields, and the spaces before the next one. Stop at a quotation mark.

    Quoted fields are left to the tokenizer.
    """
    while fields > 0 and not (_ends_line(text[at]) or text[at] == _QUOTE):
        fields -= text[at] == delimiter
        at += 1
    while text[at] in (_SPACE, _TAB) and text[at] != delimiter:
        at += 1
    return at


@njit
def _line_end(text: Any, at: int) -> int:
    while not _ends_line(text[at]):
        at += 1
    return at


@njit
def _next_line(text: Any, at: int) -> int:
    at = _line_end(text, at)
    if text[at] == _RETURN and at + 1 < len(text) and text[at + 1] == _NEWLINE:
        at += 1
    return at + 1


@njit
def _read_field(text: Any, at: int, decode: Any, highest: int, board: Any) -> bool:
    """Read a board that fills the field at `at`; return whether there is one.

    If there is none, `board` has arbitrary contents. If `highest` is not 0, symbols are read by
    arithmetic, which is vectorized, instead of by table lookup. Bytes above 127 are invalid: the
    entries of `decode` for them are numbers of two digits, which only the tokenizer reads.
    """
    cells = len(board)
    if at + cells >= len(text):
        return False
    end = text[at + cells]
    is_end = _ends_line(end) or end == _HASH or end in _SEPARATORS
    if not is_end or decode[end] != INVALID:  # `#` may be an empty cell
        return False
    field = text[at : at + cells]
    max_digit = np.uint8(highest)
    invalid = False
    if highest > 0:
        for cell in range(cells):
            symbol = field[cell]
            digit = np.uint8((np.int64(symbol) - _ZERO) & 255)
            is_digit = digit <= max_digit
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
def _read_drawing(
    text: Any, at: int, decode: Any, n: int, groups: int, board: Any
) -> tuple[int, int]:
    """Read a board drawn as n rows of n symbols; return its end, and the number of its lines.

    The number is 0 if there is none, or its bars divide the rows neither into `groups` nor into
    single cells; then `board` has arbitrary contents.
    """
    cell = 0
    n_bars = 0
    lines = 0
    while cell < len(board) and at < len(text):
        start, at = at, _skip_rule(text, at, decode)
        if not _ends_line(text[at]):  # the line is not a rule: it has a row
            at = start
            row_end = cell + n
            first = _skip(text, at, _DECORATION)  # bars at either end of a row are not counted
            while cell < row_end:
                at = _skip(text, at, _DECORATION)
                board[cell] = decode[text[at] & 127]
                if text[at] > 127 or board[cell] == INVALID:
                    return at, 0
                at += 1
                cell += 1
            for k in range(first, at):
                n_bars += text[k] == _BAR
            at = _skip(text, at, _DECORATION)
        is_blank = _ends_line(text[_skip(text, start, _DECORATION)])
        # Spaces may be empty cells in a line that is as long as a board.
        if is_blank or not _ends_line(text[at]) or at - start == len(board):
            return at, 0
        at = _next_line(text, at)
        lines += 1
    is_usual = n_bars in (0, n * (groups - 1), n * (n - 1))
    return at, lines if cell == len(board) and is_usual else 0


@njit
def _extends(solution: Any, puzzle: Any) -> bool:
    wrong = False
    for cell in range(len(puzzle)):  # without branches, which would be unpredictable
        wrong |= (puzzle[cell] != 0) & (puzzle[cell] != solution[cell])
    return not wrong


@njit
def _is_complete(board: Any) -> bool:
    empty = False
    for cell in range(len(board)):
        empty |= board[cell] == 0
    return not empty


@njit
def scan(text, register, decode, n, highest, boards, solutions, lines):
    """Read boards from a text until it ends, the arrays are full, or a line cannot be read.

    A complete board that agrees with the puzzle before it is its solution, not another puzzle. A
    line that cannot be read, before which this returns, is left to the tokenizer.

    Parameters
    ----------
    text : ndarray of uint8, shape (length,)
        Bytes of whole lines.
    register : ndarray of int64, shape (12,)
        The fields `POSITION` to `GROUPS`. Those up to `FULL`, and `END`, are written.
    decode : ndarray of uint8, shape (256,)
        The value of each byte: see `Alphabet.decode`.
    n : int
        The side of the boards.
    highest : int
        `n` if their symbols are the digits from 1 and `BLANKS`, otherwise 0.
    boards : ndarray of uint8, shape (capacity + 1, n²)
        The boards. Written. The last row is for a board that may be a solution.
    solutions : ndarray of uint8, shape (capacity + 1, n²)
        The solutions of the boards, zeros if unknown. Written.
    lines : ndarray of int64, shape (capacity + 1,)
        The line of each board. Written.
    """
    delimiter = register[DELIMITER]
    follows_puzzle = register[AWAITS_SOLUTION] != 0
    while register[POSITION] < len(text):
        start = register[POSITION]
        count = register[COUNT]
        board = boards[count]
        solution = solutions[count]
        if delimiter == 0:  # no table: rules and blank lines are skipped
            at = _skip_rule(text, start, decode)
            if _ends_line(text[at]):
                register[POSITION] = _next_line(text, at)
                register[LINE] += 1
                continue
        at = _find_field(text, start, delimiter, register[PUZZLE])
        height = 1  # the number of lines of the record
        solved = False  # whether its line has the solution, too
        is_line = _read_field(text, at, decode, highest, board)
        if not is_line:
            at, height = _read_drawing(text, start, decode, n, register[GROUPS], board)
            if height == 0 or delimiter != 0:
                return
        is_complete = _is_complete(board)
        is_solution = is_complete and follows_puzzle and _extends(board, boards[count - 1])
        # The last row only holds a board until it is known whether that is a solution.
        if count == len(boards) - 1 and not is_solution:
            register[FULL] = 1
            return
        if is_line:
            at += len(board)
            if delimiter == 0:
                end = _line_end(text, at)
            else:
                end = _find_field(text, at, delimiter, register[N_LEFT])
            if not _ends_line(text[end]):  # quotes, or fields without a column
                return
            if delimiter == 0:
                at = _skip(text, at, _SEPARATORS)
            # The field has more than the board; or a row of qqwing ends with a sentence, and may
            # continue on the next line: `qqwing.ROW_BREAK`.
            elif at < end and (text[at] != delimiter or text[end - 1] == _DOT):
                return
            else:
                at = _find_field(text, at, delimiter, register[SOLUTION])
            if at < end:  # a second board, or the field of the solution
                is_board = _read_field(text, at, decode, highest, solution)
                solved = is_board and _is_complete(solution)
                if is_complete or not solved:
                    solution[:] = 0  # it may be partly written
                if delimiter != 0 and not solved and text[at] != delimiter:
                    return  # the field of the solution is neither one nor empty
                if delimiter == 0 and is_board and not (solved or is_complete):
                    return  # the tokenizer keeps a second board that is no solution
            at = _next_line(text, end)
        if is_solution:
            for cell in range(len(board)):
                solutions[count - 1, cell] = board[cell]
            register[SOLVED] += 1
        else:
            lines[count] = register[LINE]
            register[SOLVED] += solved and not is_complete
            register[COUNT] += 1
        register[POSITION] = at
        register[LINE] += height
        register[END] = register[LINE]
        follows_puzzle = not (is_complete or solved)
