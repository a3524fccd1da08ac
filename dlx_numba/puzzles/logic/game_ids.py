"""Game IDs of Simon Tatham's Portable Puzzle Collection, links with them, and saved games.

They are converted to the notations of their kinds, by functions that know no records.
"""

import re
from collections.abc import Callable
from itertools import pairwise
from string import ascii_lowercase
from typing import NamedTuple
from urllib.parse import unquote

from .rows import board_text, divide

LINE = re.compile(r"(?:https?://\S*/([a-z]+)\.\w+#|([A-Za-z]+(?: [A-Za-z]+)?): *)(\S+)")
NAMED = re.compile(r"(?=\w*[0-9])[\w.]+:\S{4,}")
SEED = re.compile(r"[0-9]{1,3}(?:x[0-9]{1,3}\w*|[a-z]*)#[0-9]+")
NAMES = (
    *("Black Box", "Bridges", "Cube", "Dominosa", "Fifteen", "Filling", "Flip", "Flood"),
    *("Galaxies", "Guess", "Inertia", "Keen", "Light Up", "Loopy", "Magnets", "Map", "Mines"),
    *("Mosaic", "Net", "Netslide", "Palisade", "Pattern", "Pearl", "Pegs", "Range", "Rectangles"),
    *("Same Game", "Signpost", "Singles", "Sixteen", "Slant", "Solo", "Tents", "Towers", "Tracks"),
    *("Twiddle", "Undead", "Unequal", "Unruly", "Untangle"),
)
# By the names of their pages
NAME_OF = {name.replace(" ", "").lower(): name for name in NAMES} | {"rect": "Rectangles"}


class Game(NamedTuple):
    """A game with the rules of a kind.

    Attributes
    ----------
    kind : str
        The name of the kind.
    sample : str
        What an ID looks like, for messages.
    pattern : str
        The form of an ID.
    convert : callable
        Returns the text of the puzzle in the notation of its kind, from the groups of the pattern.
    """

    kind: str
    sample: str
    pattern: str
    convert: Callable[..., str]


def find_id(line: str) -> str | None:
    """Return the kind of an ID after the name of its game or in a link; None for another line.

    Raises
    ------
    ValueError
        If the game is not one of a kind.

    Examples
    --------
    >>> find_id("Rectangles: 3x3:3_3_3f"), find_id("3x3:3_3_3f")
    ('shikaku', None)
    """
    if not (found := _find_game(line)):
        return None
    name, _ = found
    if name not in GAMES:
        raise ValueError(f"this is a game ID of {name}, which is not solved")
    return GAMES[name].kind


def is_id(line: str, kind: str) -> bool:
    """Return whether a line is the ID of a game with the rules of a kind, without its name."""
    return any(game.kind == kind and re.fullmatch(game.pattern, line) for game in GAMES.values())


def saved_game(text: str) -> str:
    """Return the name of the game and the ID in a saved game.

    Raises ValueError if it contains no puzzle.
    """
    fields = dict(re.findall(r"(?m)^(\w+) *:[0-9]+:(.*?)\r?$", text))
    if not {"GAME", "PARAMS", "DESC"} <= fields.keys():
        raise ValueError("this is a saved game of Simon Tatham's collection without a puzzle")
    return f"{fields['GAME']}: {fields['PARAMS']}:{fields['DESC']}"


def _find_game(line: str) -> tuple[str, str] | None:
    """Return the name of a game and its ID, or None if a line has no name."""
    matched = LINE.fullmatch(line.strip())
    if matched is None:
        return None
    text = unquote(matched[3])
    name = NAME_OF.get((matched[1] or matched[2]).lower().replace(" ", ""))
    is_known = NAMED.fullmatch(text) or SEED.fullmatch(text)
    return (name, text) if name is not None and is_known else None


def convert_id(line: str, kind: str) -> str:
    """Return the text of a puzzle in the notation of a kind. Raises ValueError for other lines.

    >>> convert_id("3x3:3_3_3f", "shikaku")
    '3 3\\n3 3 3\\n. . .\\n. . .'
    """
    own = next((name for name, game in GAMES.items() if game.kind == kind), "")
    name, text = _find_game(line) or (own, line)
    if SEED.fullmatch(text):
        raise ValueError(
            f"{text} is a random seed; only the game ID with a colon contains the puzzle"
        )
    if not name:
        raise ValueError(f"not a game ID; there is no game of the kind {kind}")
    if name != own:
        raise ValueError(f"this is a game ID of {name}, not of the kind {kind}")
    game = GAMES[name]
    matched = re.fullmatch(game.pattern, text)
    if matched is None:
        raise ValueError(f"not a game ID of {name} such as {game.sample}")
    return game.convert(*matched.groups())


def expand(text: str, n_cells: int) -> list[str]:
    """Return the number in each cell of a game ID, or `.`: letters are runs of empty cells.

    >>> expand("10_6b", 4)
    ['10', '6', '.', '.']
    """
    cells = []
    for word in re.findall(r"[0-9]+|[a-z]|_", text):
        cells += [word] if word.isdigit() else ["."] * (ascii_lowercase.find(word) + 1)
    if len(cells) != n_cells:
        raise ValueError(f"{len(cells)} cells instead of {n_cells} in {text[:20]!r}")
    return cells


def _cells(letters: str, alphabet: str, symbols: str, n_cells: int) -> list[str]:
    """Return the symbol in each cell; the last letter is just after the last cell.

    The first letter of the alphabet stands for a cell with the next symbol, the second one for an
    empty cell before it, and so on; z stands for 25 empty cells only.
    """
    cells: list[str] = []
    for letter, symbol in zip(letters, symbols, strict=True):
        if letter in "zZ":
            cells += ["."] * 25
        else:
            cells += [*["."] * alphabet.index(letter.lower()), symbol]
    if len(cells) != n_cells + 1:
        raise ValueError(f"letters for {len(cells) - 1} cells instead of {n_cells}")
    return cells[:-1]


def _bridges(width: str, height: str, most: str, body: str) -> str:
    rows = _rectangles(width, height, re.sub("(?<=[0-9])(?=[0-9])", "_", body))
    return rows.replace("\n", f" {most}\n", 1)


def _rectangles(width: str, height: str, body: str) -> str:
    """Return a board whose cells have numbers, or none."""
    return board_text(divide(expand(body, int(width) * int(height)), int(width), int(height)))


def _tents(width: str, height: str, trees: str, counts: str) -> str:
    """Return tents as a text, in which x is a tree.

    Letters are the gaps before trees; _ is none. The counts are those of columns, then of rows.
    """
    n_columns = int(width)
    n_rows = int(height)
    numbers = counts.split(",")
    if len(numbers) != n_columns + n_rows:
        raise ValueError(f"{len(numbers)} numbers of tents instead of {n_columns} + {n_rows}")
    cells = _cells(trees, "_" + ascii_lowercase, "x" * len(trees), n_columns * n_rows)
    rows = divide(cells, n_columns, n_rows)
    return board_text([numbers[:n_columns], numbers[n_columns:], *rows], n_rows, n_columns)


def _unruly(width: str, height: str, is_distinct: str, body: str) -> str:
    """Return a board of Unruly: letters are a cell, 0 if lowercase and else 1, after empty ones.

    Unless `is_distinct` is "u", the symbols are 1 and 2, which say that lines may be equal.
    """
    zero, one = "01" if is_distinct else "12"
    symbols = "".join(zero if letter.islower() else one for letter in body)
    cells = _cells(body, ascii_lowercase, symbols, int(width) * int(height))
    rows = divide(cells, int(width), int(height))
    return "\n".join(map("".join, rows)) if is_distinct else board_text(rows)


def _unequal(order: str, body: str) -> str:
    """Return the board of a game of Unequal, with the signs between its cells.

    A cell is its number, 0 if it is empty, and a letter for each side on which it is greater.
    """
    n = int(order)
    rows = divide(body.rstrip(",").split(","), n, n)
    lines = []
    length = len(order)
    for row, below in zip(rows, [*rows[1:], [""] * n], strict=True):
        across = [_signs((a, "R", ">"), (b, "L", "<")) for a, b in pairwise([*row, ""])]
        down = [_signs((a, "D", "v"), (b, "U", "^")) for a, b in zip(row, below, strict=True)]
        digits = (cell.rstrip("UDLR") for cell in row)
        numbers = ((digit if digit != "0" else ".").rjust(length) for digit in digits)
        signs = (sign.rjust(length) for sign in down)
        lines += ["".join(map("".join, zip(numbers, across, strict=True))), " ".join(signs)]
    return "\n".join(lines)


def _signs(*sides: tuple[str, str, str]) -> str:
    """Return what is between cells: the sign of each cell that has its letter, or a blank."""
    return "".join(sign for cell, letter, sign in sides if letter in cell) or " "


def _pattern(width: str, height: str, body: str) -> str:
    lines = [runs.replace(".", " ") or "0" for runs in body.split("/")]
    if len(lines) != int(width) + int(height):
        raise ValueError(f"{len(lines)} lines of runs instead of {width} + {height}")
    return "\n".join([f"{height} {width}", *lines])


def _dominosa(order: str, body: str) -> str:
    words = [word.strip("[]") for word in re.findall(r"[0-9]|\[[0-9]+\]", body)]
    return board_text(divide(words, int(order) + 2, int(order) + 1))


SIZES = "([1-9][0-9]?)x([1-9][0-9]?)"
DIFFICULTY = "(?:d[a-z])?"
GAMES = {
    "Bridges": Game(
        "hashiwokakero",
        "7x7m2:a3b2…, with loops, and with at most 2 bridges between islands",
        rf"{SIZES}(?:i[0-9]+)?(?:e[0-9]+)?m([12])(?:d[0-9])?:([1-8a-z]+)",
        _bridges,
    ),
    "Dominosa": Game(
        "dominosa", "6:0143…", rf"([1-9][0-9]?)a?{DIFFICULTY}:((?:[0-9]|\[[0-9]+\])+)", _dominosa
    ),
    "Pattern": Game(
        "nonogram",
        "10x10:2/1.4/…, without cells that are known",
        rf"{SIZES}:([0-9./]+)",
        _pattern,
    ),
    "Rectangles": Game(
        "shikaku", "7x7:a3b2_4…", rf"{SIZES}(?:e[0-9.]+)?a?:([0-9a-z_]+)", _rectangles
    ),
    "Solo": Game(
        "killer", "3x3:a2e9…", r"((?:[1-9][0-9]?x[1-9][0-9]?|[0-9]+j)\w*:[0-9a-z_,]+)", str
    ),
    "Tents": Game(
        "tents",
        "8x8:a_bcd…,1,0,2…, without cells that are known",
        rf"{SIZES}{DIFFICULTY}:([_a-z]+),([0-9,]+)",
        _tents,
    ),
    "Unequal": Game(
        "futoshiki",
        "5:0,0,2,4D,…, and not of adjacent numbers (5a:…)",
        rf"([2-9]|[12][0-9]){DIFFICULTY}:((?:[0-9]{{1,2}}[UDLR]*,)+(?:[0-9]{{1,2}}[UDLR]*)?)",
        _unequal,
    ),
    "Unruly": Game("takuzu", "8x8:aBcD…", rf"{SIZES}(u?){DIFFICULTY}:([A-Za-z]+)", _unruly),
}
