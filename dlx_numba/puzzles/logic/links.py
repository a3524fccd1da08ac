"""Links and texts of puzz.link, converted to the notations of kinds."""

import re
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import NamedTuple

from ...sudoku.io.puzzlink import HOST, check_end, check_words, decode_numbers, fill
from .rows import Rows, board_text, divide, find_areas

SIZE = "([1-9][0-9]{0,2})"
LINK = re.compile(rf"{HOST}(\w+)/{SIZE}/{SIZE}/(\S*?)/?")
TEXT = re.compile(r"pzprv3(?:\.[0-9])?/(\w+)/(.*)")
SIZED_TEXT = re.compile(rf"{SIZE}/{SIZE}/(.*)")
SUMS = "0123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ"  # the digits of sums from 0 to 45
NAMES = {".": "-", "-": "?"}  # of empty cells and unknown numbers in texts


class Genre(NamedTuple):
    """A genre of puzz.link with the rules of a kind.

    Attributes
    ----------
    kind : str
        The name of the kind.
    decode : callable
        Returns the text of a link, from its columns, rows and codes.
    translate : callable, optional
        Returns the text of a file, from its columns, its rows and the words of its lines.
    """

    kind: str
    decode: Callable[[int, int, str], str]
    translate: Callable[[int, int, Rows], str] | None = None


def find_link(line: str) -> str | None:
    """Return the kind of a link or a text of puzz.link, or None for another line.

    Raises
    ------
    ValueError
        If the genre is not one of a kind.

    Examples
    --------
    >>> find_link("https://puzz.link/p?shikaku/3/1/3h"), find_link("https://example.org")
    ('shikaku', None)
    """
    found = LINK.fullmatch(line) or TEXT.fullmatch(line)
    if found is None:
        return None
    genre = found[1]
    if genre == "sudoku":
        return "sudoku"
    if genre not in GENRES:
        name = "LITS" if genre == "lits" else genre.capitalize()
        noun = "link" if line.startswith("http") else "text of puzz.link"
        raise ValueError(f"this is a {noun} of {name}, which is not solved")
    return GENRES[genre].kind


def convert_link(line: str) -> str:
    """Return the text of a puzzle in the notation of its kind. Raises ValueError for others.

    >>> convert_link("https://puzz.link/p?shikaku/3/1/3h")
    '1 3\\n3 - -'
    """
    link = LINK.fullmatch(line)
    if link is not None:
        return GENRES[link[1]].decode(int(link[2]), int(link[3]), link[4])
    text = TEXT.fullmatch(line)
    translate = text and GENRES[text[1]].translate
    if text is None or translate is None:
        raise ValueError("this is read as a link of puzz.link only")
    sized = SIZED_TEXT.fullmatch(text[2])
    if sized is None:
        raise ValueError("the text of puzz.link has no size")
    lines = [part.split() for part in sized[3].split("/")]
    return translate(int(sized[2]), int(sized[1]), lines)


def _take(lines: Rows, n_rows: int, n_columns: int) -> Rows:
    """Return the first rows of words, whose lengths are checked."""
    rows = lines[:n_rows]
    if len(rows) < n_rows or {*map(len, rows)} != {n_columns}:
        raise ValueError(f"the text has no {n_rows} rows of {n_columns} words")
    return rows


def _decode_words(body: str, n_words: int) -> list[str]:
    """Return the words of a link, after which nothing follows."""
    words, rest = decode_numbers(body, n_words)
    check_end(rest)
    return words


def _decode_numbers(pattern: str, expected: str, n_columns: int, n_rows: int, body: str) -> str:
    """Return the words of a link, each of which matches a pattern, or is empty."""
    words = _decode_words(body, n_columns * n_rows)
    check_words(words, n_columns, re.compile(f"-|{pattern}").fullmatch, expected)
    return board_text(divide(words, n_columns, n_rows))


def _translate_numbers(n_columns: int, n_rows: int, lines: Rows) -> str:
    rows = _take(lines, n_rows, n_columns)
    return board_text([[NAMES.get(word, word) for word in row] for row in rows])


def _decode_kakuro(n_columns: int, n_rows: int, body: str) -> str:
    """Return a Kakuro, whose link has the sums beside the board at its end."""
    codes = iter(body)
    words: list[str] = []
    n_cells = n_columns * n_rows
    while len(words) < n_cells and (code := next(codes, "")):
        if "k" <= code <= "z":  # from 1 to 16 empty cells
            words += ["0"] * (int(code, 36) - 19)  # k, the digit 20, is one empty cell
        elif code == ".":
            words.append("-")
        else:
            words.append(_sums(_sum_of(code), _sum_of(next(codes, ""))))
    rows = divide(fill(words, n_cells, "0"), n_columns, n_rows)
    n_above = rows[0].count("0")
    n_left = sum(row[0] == "0" for row in rows)
    beside = fill(
        [*islice(codes, n_above + n_left)], n_above + n_left, "0", "sums beside the board"
    )
    # First the sums above the board, then those on its left
    sums = iter([_sum_of(code) for code in beside])
    check_end("".join(codes))
    above = [_sums(next(sums), "") if word == "0" else "-" for word in rows[0]]
    left = [_sums("", next(sums)) if row[0] == "0" else "-" for row in rows]
    below = [[first, *row] for first, row in zip(left, rows, strict=True)]
    return board_text([["-", *above], *below])


def _sum_of(code: str) -> str:
    """Return the sum that a code of a link stands for, 0 for none."""
    if code == "-":
        return "0"
    if len(code) != 1 or code not in SUMS:
        raise ValueError(f"the link has {code!r} instead of a sum")
    return str(SUMS.index(code))


def _sums(down: str, right: str) -> str:
    """Return the word of two sums, of which 0, -1 and . are none."""
    word = ",".join("" if each in ("0", "-1", ".") else each for each in (down, right))
    return "-" if word == "," else word


def _translate_kakuro(n_columns: int, n_rows: int, lines: Rows) -> str:
    """Return a Kakuro, whose text has sums to the right before those below."""
    above, *rows = _take(lines, n_rows + 1, n_columns + 1)
    board = [["-", *(_sums(word, "") for word in above[1:])]]
    for first, *row in rows:
        pairs = (word.partition(",") for word in row)
        words = ["0" if right == "." else _sums(down, right) for right, _, down in pairs]
        board.append([_sums("", first), *words])
    return board_text(board)


def _decode_stars(n_columns: int, n_rows: int, body: str) -> str:
    """Return a star battle, whose link has five borders in each digit, first of each row."""
    found = re.fullmatch("([0-9]{1,2})/([0-9a-v]*)", body)
    n_across = (n_columns - 1) * n_rows
    n_down = n_columns * (n_rows - 1)
    start = -(-n_across // 5)  # of the digits of the borders below cells
    n_all = start - (-n_down // 5)
    if found is None:
        raise ValueError("the link has no borders of regions")
    check_end(found[2][n_all:])
    digits = fill([*found[2]], n_all, "0", "digits of borders")
    borders = "".join(f"{int(digit, 32):05b}" for digit in digits)
    down = borders[5 * start :]
    regions = find_areas(n_columns, borders[:n_across], down[:n_down])
    return board_text(divide(regions, n_columns, n_rows), n_rows, n_columns, int(found[1]))


def _translate_stars(n_columns: int, n_rows: int, lines: Rows) -> str:
    [[stars], *_] = _take(lines, 1, 1)
    return board_text(_take(lines[2:], n_rows, n_columns), n_rows, n_columns, stars)


def _decode_tents(n_columns: int, n_rows: int, body: str) -> str:
    """Return tents, whose link has trees and empty cells in runs after the numbers of tents.

    A digit of base 36 is a tree and up to 17 empty cells after it or, from 18 on, only empty cells.
    """
    counts, codes = decode_numbers(body, n_columns + n_rows)
    cells: list[str] = []
    for code in codes:
        number = int(code, 36)
        cells += ["x", *["-"] * number] if number < 18 else ["-"] * (number - 17)
    rows = divide(fill(cells, n_columns * n_rows), n_columns, n_rows)
    return board_text([counts[:n_columns], counts[n_columns:], *rows], n_rows, n_columns)


def _translate_tents(n_columns: int, n_rows: int, lines: Rows) -> str:
    """Return tents, whose numbers are in the first line and before the cells of each line."""
    above, *rows = _take(lines, n_rows + 1, n_columns + 1)
    sides = [above[1:], [row[0] for row in rows]]
    counts = [[word.lstrip("c").replace(".", "-") for word in side] for side in sides]
    trees = [["x" if word == "1" else "-" for word in row[1:]] for row in rows]
    return board_text([*counts, *trees], n_rows, n_columns)


def _decode_nonogram(n_columns: int, n_rows: int, body: str) -> str:
    """Return a nonogram; the link has columns first, and runs next to the board first."""
    heights = [(n_rows + 1) // 2] * n_columns + [(n_columns + 1) // 2] * n_rows
    words = iter(_decode_words(body, sum(heights)))
    lines = [[*islice(words, height)][::-1] for height in heights]
    runs = [[run for run in line if run != "-"] or ["0"] for line in lines]
    return board_text(runs, n_rows, n_columns)


_BRIDGES = Genre(
    "hashiwokakero",
    partial(_decode_numbers, "[1-8]", "instead of a number of bridges from 1 to 8"),
    _translate_numbers,
)
GENRES = {
    "bridges": _BRIDGES,  # an alias, as hashikake, which files have
    "hashi": _BRIDGES,
    "hashikake": _BRIDGES,
    "kakuro": Genre("kakuro", _decode_kakuro, _translate_kakuro),
    "nonogram": Genre("nonogram", _decode_nonogram),
    "shikaku": Genre(
        "shikaku",
        partial(_decode_numbers, r"\?|[1-9][0-9]*", "instead of an area"),
        _translate_numbers,
    ),
    "starbattle": Genre("star-battle", _decode_stars, _translate_stars),
    "tents": Genre("tents", _decode_tents, _translate_tents),
}
