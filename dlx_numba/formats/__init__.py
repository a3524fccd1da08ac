"""Text to arrays and arrays to text; nothing here knows how anything is solved."""

from .board import decode_board, encode_board
from .covers import COVER_STYLES, format_cover
from .drawing import grid
from .errors import FormatError, UnreadableError
from .instance_file import Boards, read_instance
from .knuth import KnuthProblem, format_knuth, parse_knuth
from .matrix import format_matrix, looks_like_matrix, parse_matrix
from .matrix_drawing import draw_matrix
from .named import NamedProblem, SparseProblem
from .options_json import format_json, parse_json
from .problem_file import AnyProblem, read_problem
from .read import read_boards
from .records import BadRecord, Records
from .status import STATUSES, status_codes
from .symbols import Alphabet, choose_alphabet
from .write import STYLES, Writer, format_records

__all__ = [
    "COVER_STYLES",
    "STATUSES",
    "STYLES",
    "Alphabet",
    "AnyProblem",
    "BadRecord",
    "Boards",
    "FormatError",
    "KnuthProblem",
    "NamedProblem",
    "Records",
    "SparseProblem",
    "UnreadableError",
    "Writer",
    "choose_alphabet",
    "decode_board",
    "draw_matrix",
    "encode_board",
    "format_cover",
    "format_json",
    "format_knuth",
    "format_matrix",
    "format_records",
    "grid",
    "looks_like_matrix",
    "parse_json",
    "parse_knuth",
    "parse_matrix",
    "read_boards",
    "read_instance",
    "read_problem",
    "status_codes",
]
