"""Normalize user input to boards, and results back."""

import math
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from functools import lru_cache, partial
from typing import IO, Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..runtime.arguments import check_choice
from ..runtime.errors import FormatError
from ..runtime.frames import fill_missing, reject_query
from ..runtime.source import named_stream
from .board import Board
from .box import MIN_SIDE, SIDE_OF_CELLS, SIDES, Box, BoxLike, as_box
from .io.board import format_board
from .io.read import read_records
from .io.records import Records, noted
from .io.strings import encode_text, parse_board, parse_boards, type_name
from .io.symbols import INVALID, Alphabet, Values
from .results import GenerateResult

# Entries that are None or NaN are errors, see `convert_entries`.
Puzzles = (
    ArrayLike
    | Iterable[str | bytes | Board | float | None]
    | Board
    | GenerateResult
    | Records
    | os.PathLike[str]
    | IO[Any]
)
ErrorHandling = Literal["raise", "mark"]
_ERROR_HANDLING = get_args(ErrorHandling)

MIN_CELLS = MIN_SIDE**2
_STRING = "<string>"  # the name of a string, as in Python's tracebacks
_NOT_A_PATH = "; a string is text, for a file pass a pathlib.Path"
_USE_SOLVE_BATCH = "; use solve_batch for many strings"

# One puzzle: the values of its cells, 0 for an empty cell; its box; and a function that converts a
# solution to its form
Puzzle = tuple[bytes, Box, Callable[[bytes], Any]]


def convert_puzzle(puzzle: object, box: BoxLike, alphabet: str) -> Puzzle:
    """Return the puzzle that a caller passes to `solve_sudoku`. Raises ValueError if invalid."""
    if isinstance(puzzle, str) and box is None and alphabet == "auto":
        plain = _plain_puzzle(puzzle)
        if plain is not None:
            return plain
    checked_box = as_box(box)
    check_alphabet(alphabet)
    # What turns a solution into the type of the puzzle
    restore: Callable[[Values], Any]
    if isinstance(puzzle, Board):
        if checked_box not in (None, puzzle.box):
            raise ValueError(f"the box of the board is {puzzle.box}, not {checked_box}")
        if alphabet != "auto":
            raise ValueError("alphabet cannot be given with a Board")
        board = puzzle.values
        checked_box = puzzle.box
        restore = puzzle.completed
    elif isinstance(puzzle, str):
        board, symbols, checked_box = parse_board(puzzle, checked_box, alphabet)
        restore = partial(format_board, alphabet=symbols)
    elif isinstance(puzzle, bytes | bytearray | Mapping | Set) or puzzle is None:
        raise ValueError(f"puzzle must be a string or integers, not {type_name(puzzle)}")
    else:
        reject_query(puzzle)
        array = _as_array(fill_missing(puzzle), "puzzle")
        if array.ndim == 0 or array.dtype.kind == "O":
            raise ValueError(f"puzzle must be a string or integers, not {type_name(puzzle)}")
        if array.dtype.kind in "UST":
            raise ValueError(f"puzzle must be a string or integers{_USE_SOLVE_BATCH}")
        board, checked_box = _check_boards(array.reshape(1, -1), checked_box, alphabet, "puzzle")
        shape = array.shape[1:] if len(array) == 1 else array.shape  # a batch of one is accepted
        if shape not in ((array.size,), (checked_box.n, checked_box.n)):  # several boards
            raise ValueError(f"puzzle must have the shape (cells,) or (n, n), not {array.shape}")

        def restore_array(solution: Values) -> Any:
            restored = solution.reshape(array.shape).astype(array.dtype)
            return restored if isinstance(puzzle, np.ndarray) else restored.tolist()

        restore = restore_array
    return board.tobytes(), checked_box, lambda cells: restore(np.frombuffer(cells, np.uint8))


@lru_cache
def _plain_form(cells: int) -> tuple[Box, bytes, bytes] | None:
    """Return the box of boards of up to 9×9, and tables to decode and encode their digits.

    The tables are those of `bytes.translate`. None if boards are larger, or there are none of this
    number of cells.
    """
    n = SIDE_OF_CELLS.get(cells, 10)  # 10: there is no such board
    if n > 9:
        return None
    alphabet = Alphabet("1-9A-", n)
    encode = alphabet.encode.tobytes().ljust(256, b"?")
    return Box.of_side(n), alphabet.decode_table, encode


def _plain_puzzle(puzzle: str) -> Puzzle | None:
    """Return a puzzle of digits on one line; None if it has another form or is invalid."""
    if (form := _plain_form(len(puzzle))) is None:
        return None
    box, decode, encode = form
    values = puzzle.encode("ascii", "replace").translate(decode)  # "?" is invalid
    # Zeros beside other empty cells may be digits, and a board of crosses only has no empty cells:
    # `parse_board` decides.
    if INVALID in values or ("0" in puzzle and not puzzle.isdigit()) or not puzzle.strip("xX"):
        return None
    return values, box, lambda solution: solution.translate(encode).decode("ascii")


def check_alphabet(alphabet: object) -> None:
    """Raise ValueError if an alphabet is not a string."""
    if not isinstance(alphabet, str):
        raise ValueError(f"alphabet must be a string, not {alphabet!r}")


class ConvertedPuzzles(NamedTuple):
    """Puzzles as an array, and those that are unreadable."""

    boards: Values  # (N, cells) zeros for unreadable puzzles
    box: Box
    errors: dict[int, str]  # why puzzles are unreadable, by their indices
    source: str = ""  # the name of the text that contains the puzzles, if it is one
    lines: Any = ()  # (N,) the lines on which the puzzles of a text start
    alphabet: Alphabet | None = None  # of a string

    def as_given(self, boards: Values) -> Any:
        """Return boards as the puzzles are given: lines for a string, otherwise an array."""
        if self.alphabet is None:
            return boards
        return "\n".join(format_board(board, self.alphabet) for board in boards)

    @property
    def readable(self) -> Any:
        """The rows of the readable puzzles, as an index of arrays."""
        if not self.errors:
            return slice(None)
        is_readable = np.ones(len(self.boards), np.bool_)
        is_readable[list(self.errors)] = False
        return is_readable

    def expand(self, found: NDArray[Any], missing: int = 0) -> NDArray[Any]:
        """Return a row for each puzzle, from one for each readable puzzle."""
        if not self.errors:
            return found
        expanded = np.full((len(self.boards), *found.shape[1:]), missing, found.dtype)
        expanded[self.readable] = found
        return expanded

    def error(self, number: int, reason: str) -> ValueError:
        """Return the exception for a puzzle that does not meet the conditions of a function."""
        if self.source:
            return FormatError(self.source, int(self.lines[number]), reason)
        return ValueError(f"puzzle {number}: {reason}")


def convert_entries(
    puzzles: object, box: BoxLike, alphabet: str, errors: ErrorHandling = "raise"
) -> ConvertedPuzzles:
    """Return the puzzles that a caller passes to a function for many puzzles.

    The result has an array (N, cells) of uint8 as kernels expect it. A string is read like the
    content of a file. Raises ValueError if the puzzles are invalid. If `errors` is "mark", the
    result lists the unreadable entries; only other errors raise ValueError.
    """
    check_choice("errors", errors, _ERROR_HANDLING)
    known_box = as_box(box)
    check_alphabet(alphabet)
    reasons: dict[int, str] | None = {} if errors == "mark" else None
    # Valid arrays that kernels can read are taken as they are.
    if type(puzzles) is np.ndarray and puzzles.dtype == np.uint8 and puzzles.ndim == 2:
        side = SIDE_OF_CELLS.get(puzzles.shape[1]) if known_box is None else None
        is_usual = side is not None and alphabet == "auto" and puzzles.flags.carray
        if is_usual and len(puzzles) and puzzles.item(puzzles.argmax()) <= side:
            return ConvertedPuzzles(puzzles, Box.of_side(side), {})
    if isinstance(puzzles, str):
        text = named_stream(encode_text(puzzles), _STRING)
        return _read_all(text, known_box, alphabet, errors)
    if isinstance(puzzles, os.PathLike) or callable(getattr(puzzles, "read", None)):
        return _read_all(puzzles, known_box, alphabet, errors)
    if isinstance(puzzles, GenerateResult | Records):
        own_box = puzzles.box
        if known_box not in (None, own_box):
            raise ValueError(f"the puzzles have the box {own_box}, not {known_box}")
        if puzzles.rules:
            raise ValueError("each puzzle has rules of its own: pass puzzles[k], with rules[k]")
        puzzles = puzzles.boards if isinstance(puzzles, Records) else puzzles.puzzles
        known_box = own_box
    puzzles = as_sequence(puzzles)
    boards, found_box = _convert_all(puzzles, known_box, alphabet, reasons)
    if reasons and len(reasons) == len(boards):
        Alphabet.named(alphabet, found_box.n)  # raises ValueError if this is what is wrong
    return ConvertedPuzzles(boards, found_box, dict(sorted((reasons or {}).items())))


def _read_all(
    source: Any, box: Box | None, alphabet: str, errors: ErrorHandling
) -> ConvertedPuzzles:
    """Read a file for `convert_entries`. Its unreadable records are entries, too."""
    boards = []
    lines = []
    reasons = {}
    n_entries = 0
    symbols = None
    for records in map(noted, read_records(source, box=box, alphabet=alphabet)):
        source_name = records.source
        box = records.box
        bad = records.bad
        if source_name == _STRING:
            symbols = records.alphabet
        # `record.index` is the number of readable boards before it in its chunk; `k`, the number of
        # bad records before it, and of all entries of the chunks before.
        for k, record in enumerate(bad, n_entries):
            if errors == "raise":
                is_only_text = source_name == _STRING and not n_entries and not len(records)
                hint = _NOT_A_PATH if is_only_text else ""
                raise FormatError(source_name, record.line, record.reason + hint)
            reasons[record.index + k] = record.at(source_name)
        indices = [record.index for record in bad]
        boards.append(np.insert(records.boards, indices, 0, axis=0))
        lines.append(np.insert(records.lines, indices, [record.line for record in bad]))
        n_entries += len(boards[-1])
    if box is None or not boards:
        box = box or Box(3, 3)
        symbols = Alphabet.named("auto", box.n) if getattr(source, "name", "") == _STRING else None
        return ConvertedPuzzles(np.zeros((0, box.cells), np.uint8), box, {}, alphabet=symbols)
    all_boards = np.concatenate(boards)
    return ConvertedPuzzles(all_boards, box, reasons, source_name, np.concatenate(lines), symbols)


def _is_one_board(array: NDArray[Any], box: Box | None) -> bool:
    """Return whether integers of shape (cells,) or (n, n) are one board, and cannot be several.

    The shape (16, 16) means 16 boards of 4×4, unless `box` is that of a 16×16 board.
    """
    size = len(array)
    if array.ndim == 1:
        return size in SIDE_OF_CELLS if box is None else size == box.cells
    if box is not None:
        return array.shape == (box.n, box.n)
    # Without a box, the rows must not be boards of their own.
    return size in SIDES and size not in SIDE_OF_CELLS and array.shape == (size, size)


def _convert_all(
    puzzles: Any, box: Box | None, alphabet: str, errors: dict[int, str] | None
) -> tuple[Values, Box]:
    """Return puzzles as an array (N, cells), and their box, which is that of the first puzzle.

    If `errors` is given, entries that are not puzzles become zeros, and their reasons are stored
    there by their indices.
    """
    is_array = isinstance(puzzles, np.ndarray)
    first = puzzles[0] if len(puzzles) else None  # decides whether all are strings, or boards
    is_text = isinstance(first, str | bytes)
    if errors is not None and not is_array:  # the first entry may be one that is no puzzle
        is_text = any(isinstance(entry, str | bytes) for entry in puzzles)
    if is_text:
        return parse_boards(puzzles, box, alphabet, errors)
    try:
        if isinstance(first, Board):
            box = box or first.box
            for number, board in enumerate(puzzles):
                if isinstance(board, Board) and board.box != box:
                    raise ValueError(f"puzzle {number}: its box is {board.box}, not {box}")
        array = _as_array(puzzles, "puzzles")
        if array.dtype.kind in "OUS" and array.ndim == 1 and len(array):
            raise ValueError(f"puzzle 0: expected a string or integers, not {type_name(first)}")
        if array.dtype.kind in "iu" and _is_one_board(array, box):
            array = array[np.newaxis]
        return _check_boards(array, box, alphabet, "puzzles", errors)
    except ValueError:
        # An array of numbers is wrong as a whole: its type or its shape.
        if errors is None or (is_array and puzzles.dtype.kind != "O"):
            raise
    return _convert_each(puzzles.tolist() if is_array else puzzles, box, alphabet, errors)


def _convert_each(
    puzzles: Collection[Any], box: Box | None, alphabet: str, errors: dict[int, str]
) -> tuple[Values, Box]:
    """Convert entries one by one, as far as they are puzzles; see `_convert_all`.

    The first puzzle determines the box, if none is given.
    """
    values: dict[int, bytes] = {}
    for k, puzzle in enumerate(puzzles):
        try:
            values[k], box, _ = convert_puzzle(puzzle, box, alphabet)
        except ValueError as error:
            errors[k] = str(error).removeprefix("puzzle 0, ").removesuffix(_USE_SOLVE_BATCH)
    box = box or Box(3, 3)
    boards = np.zeros((len(puzzles), box.cells), np.uint8)
    for k, board in values.items():
        boards[k] = np.frombuffer(board, np.uint8)
    return boards, box


def as_sequence(puzzles: object) -> Any:
    """Return puzzles as a list, a tuple or an array; strings as one that `parse_boards` reads."""
    if isinstance(puzzles, Board):
        return [puzzles]
    if isinstance(puzzles, bytes | bytearray):
        return bytes(puzzles).splitlines()
    if isinstance(puzzles, list | tuple):
        return puzzles
    reject_query(puzzles)
    # NumPy can convert pandas columns and arrays of other packages; some have their own method.
    is_foreign = not isinstance(puzzles, np.ndarray)
    if not hasattr(puzzles, "__array__") and hasattr(puzzles, "to_numpy"):
        puzzles = puzzles.to_numpy()
    if hasattr(puzzles, "__array__") or isinstance(puzzles, memoryview):
        array = np.asanyarray(fill_missing(puzzles))
        if array.ndim == 0:
            raise ValueError("puzzles must have the shape (N, cells) or (N, n, n), not ()")
        if is_foreign and array.shape[1:] == (1,):  # a table with one column
            array = array[:, 0]
        if is_foreign and array.ndim == 2 and isinstance(next(array.flat, None), str | bytes):
            raise ValueError(f"a table of puzzles must have 1 column, not {array.shape[1]}")
        is_masked = isinstance(array, np.ma.MaskedArray)
        # Kinds of types: objects (O), and strings (T, U) or bytes (S)
        is_list = array.dtype.kind in "OT" or (is_masked and array.dtype.kind in "US")
        return array.tolist() if array.ndim == 1 and is_list else array
    if isinstance(puzzles, Iterable) and not isinstance(puzzles, Mapping | set | frozenset):
        return list(puzzles)
    raise ValueError(f"puzzles must be an array or a sequence, not {type_name(puzzles)}")


def _as_array(value: object, name: str) -> NDArray[Any]:
    """Return an array; masked cells are empty."""
    try:
        return np.asarray(_fill_masked(value))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name} must have the shape of an array: {error}") from None


def _fill_masked(value: Any) -> Any:
    """Return an array without its mask, or nested lists of such arrays. Masked cells are empty.

    Other values, such as lists of numbers, are returned as they are.
    """
    if isinstance(value, np.ma.MaskedArray):
        return value.filled(0) if value.dtype.kind in "iu" else value
    if isinstance(value, np.ndarray):
        has_rows = value.dtype.kind == "O" and value.size and isinstance(value.flat[0], np.ndarray)
        return _fill_masked(value.tolist()) if has_rows else value  # columns of lists of lists
    is_list = isinstance(value, list | tuple) and len(value) > 0
    if is_list and isinstance(value[0], list | tuple | np.ndarray):
        return [_fill_masked(part) for part in value]
    return value


def _check_boards(
    array: NDArray[Any],
    box: Box | None,
    alphabet: str,
    name: str,
    errors: dict[int, str] | None = None,
) -> tuple[Values, Box]:
    """Return an array of boards as (N, cells) of uint8, and their box.

    `name` is what messages call them: "puzzles", or "puzzle" for a single one, which is a row. If
    `errors` is given, boards with values out of range become zeros, and are noted there.
    """
    if array.ndim == 1 and not len(array):  # no puzzles, of unknown size
        box = box or Box(3, 3)
        array = np.zeros((0, box.cells), np.uint8)
    if array.dtype.kind in "US" and array.ndim > 1:
        raise ValueError(f"{name} that are strings must have the shape (N,), not {array.shape}")
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers or strings, not {array.dtype}")
    if array.size and alphabet != "auto":
        raise ValueError(f"alphabet {alphabet!r} applies to strings, not to integers")
    is_square = array.ndim == 3 and array.shape[1] == array.shape[2]
    # A short row of a matrix may be one of a single board.
    is_long = box is not None or name == "puzzle" or array.shape[-1] >= MIN_CELLS
    is_list = array.ndim == 2 and (is_long or not array.size)
    if not is_square and not is_list:
        raise ValueError(f"{name} must have the shape (N, cells) or (N, n, n), not {array.shape}")
    if array.ndim == 3:
        array = array.reshape(len(array), math.prod(array.shape[1:]))
    box = box or Box.of_cells(array.shape[1])
    if array.shape[1] != box.cells:
        raise ValueError(f"a board with box {box} has {box.cells} cells, not {array.shape[1]}")
    if array.max(initial=0) > box.n or (array.dtype.kind == "i" and array.min(initial=0) < 0):
        is_wrong = (array < 0) | (array > box.n)
        for row in np.flatnonzero(is_wrong.any(axis=1)).tolist():
            cell = int(is_wrong[row].argmax())
            reason = f"cell {cell}: {array[row, cell]} is not in the range 0 to {box.n}"
            if errors is None:
                raise ValueError(f"puzzle {row}, {reason}")
            errors[row] = reason
        array = np.where(is_wrong.any(axis=1, keepdims=True), 0, array)
    array = np.ascontiguousarray(array, np.uint8)  # kernels are compiled for such arrays
    return array if array.flags.writeable else array.copy(), box
