"""Numbers in links of puzz.link, and its links and texts of Sudoku boards."""

import re
import warnings
from collections.abc import Callable

from ...runtime.text import plural
from ..box import SIDES

HOST = r"https?://[\w.-]*(?:puzz\.link|pzv\.jp|pzplus\.tck\.mn|pzprxs\.vercel\.app)/[^\s?]*\?"
# A number of one, two or three digits, a number of empty cells, or an unknown number
_CODE = re.compile(r"([0-9a-f])|-([0-9a-f]{2})|\+([0-9a-f]{3})|([g-z])|(\.)")
_LINK = re.compile(rf"{HOST}sudoku/([0-9]{{1,2}})/\1/(\S*?)/?(?!\S)")
_TEXT = re.compile(r"pzprv3(?:\.[0-9])?[/\n]sudoku[/\n]([0-9]{1,2})[/\n]([0-9. /\n-]*[0-9. /-])")


def decode_numbers(body: str, n_cells: int) -> tuple[list[str], str]:
    """Return the number in each cell, `-` if it is empty, or `?` if it is unknown, and the rest.

    Cells after the end of the link are empty. Raises ValueError if the link is malformed.

    >>> decode_numbers("1h-10.23", 5)
    (['1', '-', '-', '16', '?'], '23')
    """
    words: list[str] = []
    place = 0
    while len(words) < n_cells and place < len(body):
        code = _CODE.match(body, place)
        if code is None:
            raise ValueError(
                f"the link has {body[place : place + 20]!r} after {plural(len(words), 'cell')}"
            )
        place = code.end()
        digits = code[1] or code[2] or code[3]  # of a number, in one of its three forms
        if digits:
            words.append(str(int(digits, 16)))
        elif code[4]:
            words += ["-"] * (int(code[4], 36) - 15)  # g, the digit 16, is one empty cell
        else:
            words.append("?")
    return fill(words, n_cells), body[place:]


def fill(words: list[str], n_words: int, blank: str = "-", noun: str = "cells") -> list[str]:
    """Return words, and blanks in place of those that are missing at the end, with a warning.

    Raises ValueError if there are too many.
    """
    n_missing = n_words - len(words)
    if n_missing < 0:
        raise ValueError(f"the link has {len(words)} {noun} instead of {n_words}")
    if n_missing > 0:
        notice = f"the link ends after {len(words)} of {n_words} {noun}; the others are empty"
        warnings.warn(notice, stacklevel=2)
    return words + [blank] * n_missing


def find_link_error(line: str) -> str | None:
    """Return why a line is a link of puzz.link without a Sudoku board, or None for another line.

    >>> find_link_error("https://puzz.link/p?sudoku/4/4/g1k23k9g")
    'the link has 9 in row 4, column 3 of a board of 4×4'
    """
    match = _LINK.fullmatch(line.strip())
    try:
        if match is not None:
            _decode_link(match)
    except ValueError as error:
        return str(error)
    return None


def boards_as_lines(text: str) -> str:
    """Return a text with each board of a link or a text of puzz.link on one line.

    >>> boards_as_lines("https://puzz.link/p?sudoku/4/4/g1k23k3g\\n")
    '0100000230000030\\n'
    >>> boards_as_lines("pzprv3/sudoku/4/. 1 . . /. . . 2 /3 . . . /. . 3 . /. . . . /1 . . . /")
    '0100000230000030'
    """
    return _TEXT.sub(_text_as_line, _LINK.sub(_link_as_line, text))


def _link_as_line(match: re.Match[str]) -> str:
    try:
        return _as_line(_decode_link(match), int(match[1]))
    except ValueError:  # see find_link_error
        return match[0]


def _decode_link(match: re.Match[str]) -> list[str]:
    """Return the words of a board. Raises ValueError if they are none."""
    n = int(match[1])
    if n not in SIDES:
        raise ValueError(f"the link has a board of {n}×{n}, which Sudoku does not have")
    words, rest = decode_numbers(match[2], n * n)
    check_end(rest)
    numbers = {"-", *map(str, range(1, n + 1))}
    check_words(words, n, numbers.__contains__, f"of a board of {n}×{n}")
    return words


def check_end(rest: str) -> None:
    """Raise ValueError if there is a rest of a link after its last cell."""
    if rest:
        raise ValueError(f"the link has {rest[:20]!r} after the last cell")


def check_words(
    words: list[str], n_columns: int, is_valid: Callable[[str], object], expected: str
) -> None:
    """Raise ValueError, which says what is expected, if a cell of a link has an invalid word."""
    for k, word in enumerate(words):
        if not is_valid(word):
            place = f"row {k // n_columns + 1}, column {k % n_columns + 1}"
            raise ValueError(f"the link has {word} in {place} {expected}")


def _text_as_line(match: re.Match[str]) -> str:
    """Return the board in a text of puzz.link as a line, or the text itself if it has none."""
    n = int(match[1])
    words = match[2].replace("/", " ").split()[: n * n]  # the others are the player's progress
    numbers = {".", *map(str, range(1, n + 1))}  # - is a number that is unknown
    is_board = len(words) == n * n and {*words} <= numbers
    return _as_line(words, n) if is_board else match[0]


def _as_line(words: list[str], n: int) -> str:
    """Return the board of n rows on a line, as symbols or numbers."""
    numbers = [word if word.isdecimal() else "0" for word in words]
    return " ".join(numbers) if n > 9 else "".join(numbers)
