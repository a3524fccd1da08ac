"""Links and texts of puzz.link, converted to the notations of kinds."""

import re
from collections.abc import Callable
from typing import NamedTuple

from ...sudoku.io.puzzlink import HOST, decode_numbers
from .rows import Rows, board_text, divide, join_cells

SIZE = "([1-9][0-9]{0,2})"
LINK = re.compile(rf"{HOST}(\w+)/{SIZE}/{SIZE}/(\S*?)/?")
TEXT = re.compile(r"pzprv3(?:\.[0-9])?/(\w+)/(.*)")
SUMS = "0123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ"  # the digits of sums from 0 to 45


class Genre(NamedTuple):
    """A genre of puzz.link with the rules of a kind.

    Attributes
    ----------
    kind : str
        The name of the kind.
    decode : callable
        Returns the text of a link, from its columns, rows and codes.
    translate : callable
        Returns the text of a file, from its columns, its rows and the words of its lines.
    """

    kind: str
    decode: Callable[[int, int, str], str]
    translate: Callable[[int, int, Rows], str]


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
    if (link := LINK.fullmatch(line)) is not None:
        n_columns = int(link[2])
        n_rows = int(link[3])
        return GENRES[link[1]].decode(n_columns, n_rows, link[4])
    text = TEXT.fullmatch(line)
    if text is None:
        raise ValueError("not a link or a text of puzz.link")
    lines = [part.split() for part in text[2].split("/")]
    (rows,), (columns,) = _take(lines, 2, 1)
    return GENRES[text[1]].translate(_number(columns), _number(rows), lines)


def _take(lines: Rows, n_rows: int, n_columns: int) -> Rows:
    """Return the first rows of words, and remove them from the lines."""
    rows = lines[:n_rows]
    del lines[:n_rows]
    if len(rows) < n_rows or {*map(len, rows)} != {n_columns}:
        raise ValueError(f"the text has no {n_rows} rows of {n_columns} words")
    return rows


def _decode_numbers(n_columns: int, n_rows: int, body: str) -> str:
    words, rest = decode_numbers(body, n_columns * n_rows)
    _check_end(rest)
    return board_text(divide(words, n_columns, n_rows))


def _check_end(rest: str) -> None:
    if rest:
        raise ValueError(f"the link has {rest[:20]!r} after the last cell")


def _translate_numbers(n_columns: int, n_rows: int, lines: Rows) -> str:
    names = {".": "-", "-": "?"}
    rows = _take(lines, n_rows, n_columns)
    return board_text([[names.get(word, word) for word in row] for row in rows])


def _decode_kakuro(n_columns: int, n_rows: int, body: str) -> str:
    """Return a Kakuro, whose link has the sums beside the board at its end."""
    codes = iter(body)
    words: list[str] = []
    while len(words) < n_columns * n_rows:
        code = next(codes, "")
        if "k" <= code <= "z":
            words += ["0"] * (int(code, 36) - 19)
        elif code == ".":
            words.append("-")
        else:
            words.append(_sums(_sum_of(code), _sum_of(next(codes, ""))))
    rows = divide(words, n_columns, n_rows)
    above = [_sums(_sum_of(next(codes, "")), 0) if word == "0" else "-" for word in rows[0]]
    left = [_sums(0, _sum_of(next(codes, ""))) if row[0] == "0" else "-" for row in rows]
    _check_end("".join(codes))
    below = [[first, *row] for first, row in zip(left, rows, strict=True)]
    return board_text([["-", *above], *below])


def _sum_of(code: str) -> int:
    if len(code) != 1 or code not in SUMS:
        raise ValueError(f"the link has {code!r} instead of a sum")
    return SUMS.index(code)


def _sums(down: int, right: int) -> str:
    return f"{down or ''},{right or ''}" if down or right else "-"


def _translate_kakuro(n_columns: int, n_rows: int, lines: Rows) -> str:
    """Return a Kakuro, whose text has sums to the right before those below."""
    above, *rows = _take(lines, n_rows + 1, n_columns + 1)
    board = [["-", *(_sums(_number(word), 0) for word in above[1:])]]
    for first, *row in rows:
        words = [_sums(0, _number(first))]
        for word in row:
            right, _, down = word.partition(",")
            words.append("0" if word == "." else _sums(_number(down), _number(right)))
        board.append(words)
    return board_text(board)


def _number(word: str) -> int:
    if word == ".":
        return 0
    if not re.fullmatch("[0-9]{1,3}", word):
        raise ValueError(f"the text has {word[:20]!r} instead of a number")
    return int(word)


def _decode_stars(n_columns: int, n_rows: int, body: str) -> str:
    """Return a star battle, whose link has five borders in each digit, first of each row."""
    found = re.fullmatch("([0-9]{1,2})/([0-9a-v]+)", body)
    n_sides = (n_columns - 1) * n_rows, n_columns * (n_rows - 1)
    lengths = [-(-n // 5) for n in n_sides]
    if found is None or len(found[2]) != sum(lengths):
        raise ValueError("the link has no borders of regions")
    bits = [f"{int(digit, 32):05b}" for digit in found[2]]
    across = "".join(bits[: lengths[0]])
    down = "".join(bits[lengths[0] :])
    pairs = [
        (k + k // (n_columns - 1), k + k // (n_columns - 1) + 1)
        for k in range(n_sides[0])
        if across[k] == "0"
    ]
    pairs += [(k, k + n_columns) for k in range(n_sides[1]) if down[k] == "0"]
    regions = join_cells(n_columns * n_rows, pairs)
    return board_text(divide(regions, n_columns, n_rows), n_rows, n_columns, int(found[1]))


def _translate_stars(n_columns: int, n_rows: int, lines: Rows) -> str:
    [stars], _ = _take(lines, 2, 1)
    return board_text(_take(lines, n_rows, n_columns), n_rows, n_columns, _number(stars))


def _decode_tents(n_columns: int, n_rows: int, body: str) -> str:
    """Return tents, whose link has trees and empty cells in runs after the numbers of tents."""
    counts, codes = decode_numbers(body, n_columns + n_rows)
    cells: list[str] = []
    for code in codes:
        number = int(code, 36)
        cells += ["x", *["-"] * number] if number < 18 else ["-"] * (number - 17)
    rows = divide(cells, n_columns, n_rows)
    return board_text([counts[:n_columns], counts[n_columns:], *rows], n_rows, n_columns)


def _translate_tents(n_columns: int, n_rows: int, lines: Rows) -> str:
    rows = _take(lines, n_rows + 1, n_columns + 1)
    counts = [[word.lstrip("c").replace(".", "-") for word in each] for each in _sides(rows)]
    trees = [["x" if word == "1" else "-" for word in row[1:]] for row in rows[1:]]
    return board_text([*counts, *trees], n_rows, n_columns)


def _sides(rows: Rows) -> Rows:
    """Return the words above a board and to its left."""
    return [rows[0][1:], [row[0] for row in rows[1:]]]


def _decode_nonogram(n_columns: int, n_rows: int, body: str) -> str:
    """Return a nonogram; the link has columns first, and runs next to the board first."""
    heights = [(n_rows + 1) // 2] * n_columns + [(n_columns + 1) // 2] * n_rows
    words, rest = decode_numbers(body, sum(heights))
    _check_end(rest)
    lines: list[list[str]] = []
    for height in heights:
        lines.append([run for run in words[:height][::-1] if run != "-"] or ["0"])
        del words[:height]
    return board_text(lines, n_rows, n_columns)


def _translate_nonogram(n_columns: int, n_rows: int, lines: Rows) -> str:
    left = (n_columns + 1) // 2
    rows = _take(lines, (n_rows + 1) // 2 + n_rows, left + n_columns)
    above = rows[: len(rows) - n_rows]
    runs = [[row[left + k] for row in above] for k in range(n_columns)]
    runs += [row[:left] for row in rows[len(above) :]]
    stated = [[run for run in line if run != "."] or ["0"] for line in runs]
    return board_text(stated, n_rows, n_columns)


GENRES = {
    "hashikake": Genre("hashiwokakero", _decode_numbers, _translate_numbers),
    "kakuro": Genre("kakuro", _decode_kakuro, _translate_kakuro),
    "nonogram": Genre("nonogram", _decode_nonogram, _translate_nonogram),
    "shikaku": Genre("shikaku", _decode_numbers, _translate_numbers),
    "starbattle": Genre("star-battle", _decode_stars, _translate_stars),
    "tents": Genre("tents", _decode_tents, _translate_tents),
}
