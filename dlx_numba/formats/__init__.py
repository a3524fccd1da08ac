"""Text to arrays and arrays to text; nothing here knows how anything is solved."""

from .board import decode_board, encode_board
from .drawing import grid
from .errors import FormatError, UnreadableError
from .knuth import KnuthProblem, parse_knuth
from .matrix import looks_like_matrix, parse_matrix
from .read import read_boards
from .records import BadRecord, Records
from .status import STATUSES, status_codes
from .symbols import Alphabet, choose_alphabet
from .write import STYLES, Writer, format_records

__all__ = [
    "STATUSES",
    "STYLES",
    "Alphabet",
    "BadRecord",
    "FormatError",
    "KnuthProblem",
    "Records",
    "UnreadableError",
    "Writer",
    "choose_alphabet",
    "decode_board",
    "encode_board",
    "format_records",
    "grid",
    "looks_like_matrix",
    "parse_knuth",
    "parse_matrix",
    "read_boards",
    "status_codes",
]
