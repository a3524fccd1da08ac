"""Boards and links that are given instead of files."""

import os
import re
from typing import BinaryIO

from ..puzzles.variants.fpuzzles import is_link
from ..runtime.source import named_stream
from ..runtime.text import plural
from ..sudoku.box import BOARD_SIZES, SIDE_OF_CELLS
from ..sudoku.io.apps import complete_link, is_board_link
from ..sudoku.io.read import read_records

BOARD_SOURCE = "<board>"  # the name of a board that is given instead of a file
MIN_BOARD_LENGTH = 16


def board_from_argument(argument: str, blank: str = "") -> BinaryIO | None:
    """Return a board or link that is given instead of a file, as a file; None if it is neither."""
    link = complete_link(argument)
    if is_link(link or argument) or is_board_link(link):
        return named_stream((link or argument).encode(), BOARD_SOURCE)
    if os.path.exists(argument) or len(argument) < MIN_BOARD_LENGTH or "/" in argument:
        return None
    content = named_stream(argument.encode(errors="replace"), BOARD_SOURCE)
    if re.fullmatch(r"[0-9.*_]+", argument) is None:  # letters may be those of a file name
        try:
            [records] = read_records(content, blank=blank)  # in one chunk
        except ValueError:
            return None
        if len(records) != 1 or records.bad:
            return None
        content.seek(0)  # for the caller
    return content


def advise_size(argument: str) -> str:
    """Return what to add to a message about an argument that may be a board of a wrong size."""
    # Digits and at least one empty cell, which is no number
    is_board = re.fullmatch(r"(?=.*[.*_])[0-9.*_]+", argument) and not os.path.exists(argument)
    if not is_board or len(argument) in SIDE_OF_CELLS:
        return ""
    return f"; these are {plural(len(argument), 'symbol')}, and a board has {BOARD_SIZES}"
