"""Game IDs of Simon Tatham's Portable Puzzle Collection, links with them, and saved games."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import accumulate, pairwise
from string import ascii_lowercase
from typing import NamedTuple
from urllib.parse import unquote

from ...runtime.errors import FormatError
from ..foreign import SAVED_GAME, TATHAM, UNKNOWN_GAME
from ..kind import load_kind
from ..puzzle import Puzzle
from .boards import expand, parse_lines

LINE = re.compile(r"(?:https?://\S*/([a-z]+)\.\w+#|([A-Za-z]+(?: [A-Za-z]+)?): *)?(\S+)")
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
        Returns the text of the puzzle in the form of its kind, from the groups of the pattern.
    similar : str
        The form of an ID with a mistake that no other text has.
    """

    kind: str
    sample: str
    pattern: str
    convert: Callable[..., str]
    similar: str = "(?!)"


def starts_with_id(head: str) -> bool:
    """Return whether a text starts with a game ID or is a saved game.

    Each line of such a text is an ID, perhaps in a link or after the name of its game. An ID
    without a name needs a clear form; those of Solo are recognized as killers.
    """
    lines = [line.strip() for line in head.splitlines() if line.strip()]
    is_seed = bool(lines) and all(map(SEED.fullmatch, lines))
    return is_seed or bool(re.match(SAVED_GAME, head)) or bool(lines and _find_game(lines[0]))


def parse(text: str, source: str) -> tuple[str, Iterator[Puzzle | FormatError]]:
    """Return the kind of the first puzzle in a text that starts with a game ID, and the puzzles.

    Raises ValueError if the first game is not read, or if its ID does not contain the puzzle.
    """
    if re.match(SAVED_GAME, text):
        fields = dict(re.findall(r"(?m)^(\w+) *:[0-9]+:(.*?)\r?$", text))
        if not {"GAME", "PARAMS", "DESC"} <= fields.keys():
            raise ValueError(f"{source}: this is a saved game of {TATHAM} without a puzzle")
        text = f"{fields['GAME']}: {fields['PARAMS']}:{fields['DESC']}"
    first = next(line.strip() for line in text.splitlines() if line.strip())
    name, stated = _find_game(first) or (first.partition(":")[0], first)
    if SEED.fullmatch(stated):
        reason = "is a random seed; only the game ID with a colon contains the puzzle"
        raise ValueError(f"{source}: {stated} {reason}")
    if name not in GAMES:
        raise ValueError(f"{source}: this is a game ID of {name}, which is not read")
    return GAMES[name].kind, parse_lines(text, source, _read)


def _find_game(line: str) -> tuple[str, str] | None:
    """Return the name of a game and its ID, or None if a line is neither named nor clear."""
    if (matched := LINE.fullmatch(line)) is None:
        return None
    page, title, text = matched[1], matched[2], unquote(matched[3])
    if not (page or title):
        name = next((each for each in GAMES if each != "Solo" and _is_clear(each, text)), None)
    elif NAMED.fullmatch(text) or SEED.fullmatch(text):
        name = NAME_OF.get((page or title).lower().replace(" ", ""))
    else:
        name = None
    return (name, text) if name else None


def _is_clear(name: str, text: str) -> bool:
    """Return whether an ID without the name of its game is an ID of this game, and of no other."""
    if re.fullmatch(GAMES[name].similar, text):
        return True
    try:
        _state(name, text)
    except ValueError:
        return False
    return True


def _read(line: str, place: str) -> Puzzle:
    """Return the puzzle of a line. Raises ValueError if it is malformed."""
    if (found := _find_game(line.strip())) is None or found[0] not in GAMES:
        raise ValueError(f"{UNKNOWN_GAME}, or one without the name of its game, as in Solo: 3x3:…")
    return replace(_state(*found), place=place)


def _state(name: str, text: str) -> Puzzle:
    """Return the puzzle of an ID. Raises ValueError if it is malformed."""
    game = GAMES[name]
    if (matched := re.fullmatch(game.pattern, text)) is None:
        raise ValueError(f"not a game ID of {name} such as {game.sample}")
    puzzle: Puzzle | FormatError
    [puzzle] = load_kind(game.kind).parse(game.convert(*matched.groups()), name)
    if isinstance(puzzle, FormatError):
        raise ValueError(puzzle.reason)
    return puzzle


def _rows(words: list[str], width: int, height: int, separator: str = " ") -> str:
    """Return words as rows. Raises ValueError if they do not fit the size of the board."""
    if len(words) != width * height:
        raise ValueError(f"{len(words)} cells instead of {width}×{height}")
    return "\n".join(separator.join(words[k : k + width]) for k in range(0, len(words), width))


def _cells(letters: str, alphabet: str, symbols: str, n_cells: int) -> list[str]:
    """Return the symbol in each cell; the last letter is just after the last cell.

    A letter is as many cells after the one before it as it has letters of the alphabet up to it; z
    skips 25 cells.
    """
    steps = (25 if letter in "zZ" else alphabet.index(letter.lower()) + 1 for letter in letters)
    cells = ["."] * (n_cells + 1)
    for letter, symbol, end in zip(letters, symbols, accumulate(steps), strict=True):
        if letter not in "zZ" and end <= n_cells:
            cells[end - 1] = symbol
    if end != n_cells + 1:
        raise ValueError(f"letters for {end - 1} cells instead of {n_cells}")
    return cells[:-1]


def _bridges(width: str, height: str, body: str) -> str:
    words = expand(re.sub("(?<=[0-9])(?=[0-9])", "_", body), int(width) * int(height))
    return _rows(words, int(width), int(height), "")


def _rectangles(width: str, height: str, body: str) -> str:
    words = expand(body, int(width) * int(height))
    return f"{height} {width}\n" + _rows(words, int(width), int(height))


def _tents(width: str, height: str, trees: str, counts: str) -> str:
    n_columns, n_rows, numbers = int(width), int(height), counts.split(",")
    if len(numbers) != n_columns + n_rows:
        raise ValueError(f"{len(numbers)} numbers of tents instead of {n_columns} + {n_rows}")
    cells = _cells(trees, "_" + ascii_lowercase, "x" * len(trees), n_columns * n_rows)
    lines = [f"{height} {width}", " ".join(numbers[:n_columns]), " ".join(numbers[n_columns:])]
    return "\n".join([*lines, _rows(cells, n_columns, n_rows)])


def _unruly(width: str, height: str, is_distinct: str, body: str) -> str:
    symbols = "".join("1" if letter.islower() else "0" for letter in body)  # black is 1
    cells = _cells(body, ascii_lowercase, symbols, int(width) * int(height))
    size = "" if is_distinct else f"{height} {width} unruly\n"
    return size + _rows(cells, int(width), int(height))


def _unequal(order: str, body: str) -> str:
    n, cells = int(order), body.rstrip(",").split(",")
    _rows(cells, n, n)
    rows = [cells[k : k + n] for k in range(0, n * n, n)]
    lines = []
    for row, below in zip(rows, [*rows[1:], [""] * n], strict=True):
        across = [">" * ("R" in a) + "<" * ("L" in b) or " " for a, b in pairwise([*row, ""])]
        down = ["v" * ("D" in a) + "^" * ("U" in b) or " " for a, b in zip(row, below, strict=True)]
        digits = (cell[0].replace("0", ".") for cell in row)
        lines += ["".join(map("".join, zip(digits, across, strict=True))), " ".join(down)]
    return "\n".join(lines)


def _pattern(width: str, height: str, body: str) -> str:
    lines = [runs.replace(".", " ") or "0" for runs in body.split("/")]
    if len(lines) != int(width) + int(height):
        raise ValueError(f"{len(lines)} lines of runs instead of {width} + {height}")
    rows, columns = lines[int(width) :], lines[: int(width)]
    return "\n".join([f"height {height} width {width}", *rows, *columns])


def _dominosa(order: str, body: str) -> str:
    width, height = int(order) + 2, int(order) + 1
    words = [word.strip("[]") for word in re.findall(r"[0-9]|\[[0-9]+\]", body)]
    return f"{height} {width}\n" + _rows(words, width, height)


SIZES = "([1-9][0-9]?)x([1-9][0-9]?)"
DIFFICULTY = "(?:d[a-z])?"
GAMES = {
    "Bridges": Game(
        "hashiwokakero",
        "7x7m2:a3b2…, with loops, and with at most 2 bridges between islands",
        rf"{SIZES}(?:i[0-9]+)?(?:e[0-9]+)?m2(?:d[0-9])?:([1-8a-z]+)",
        _bridges,
    ),
    "Dominosa": Game(
        "dominosa",
        "6:0143…",
        rf"([1-9][0-9]?)a?{DIFFICULTY}:((?:[0-9]|\[[0-9]+\])+)",
        _dominosa,
        rf"[1-9][0-9]?a?{DIFFICULTY}:(?=\S*[0-9]{{16}})[][0-9,]+",
    ),
    "Pattern": Game(
        "nonogram",
        "10x10:2/1.4/…, without cells that are known",
        rf"{SIZES}:([0-9./]+)",
        _pattern,
        rf"{SIZES}:[0-9.]*/[0-9./]+(,[a-zA-Z]+)?",
    ),
    "Rectangles": Game(
        "shikaku", "7x7:a3b2_4…", rf"{SIZES}(?:e[0-9.]+)?a?:([0-9a-z_]+)", _rectangles
    ),
    "Solo": Game("killer", "3x3:a2e9…", "(.*)", str),
    "Tents": Game(
        "tents",
        "8x8:a_bcd…,1,0,2…, without cells that are known",
        rf"{SIZES}{DIFFICULTY}:([_a-z]+),([0-9,]+)",
        _tents,
        rf"{SIZES}{DIFFICULTY}:[_a-z!-]+(?:,[0-9]+){{4,}}",
    ),
    "Unequal": Game(
        "futoshiki",
        "5:0,0,2,4D,…, of at most 9 rows, and not of adjacent numbers (5a:…)",
        rf"([2-9]){DIFFICULTY}:((?:[0-9][UDLR]*,?)+)",
        _unequal,
        rf"[1-9][0-9]?a?{DIFFICULTY}:(?=\S*[UDLR])(?:[0-9]+[UDLR]*,){{8,}}\S*",  # no routes
    ),
    "Unruly": Game("takuzu", "8x8:aBcD…", rf"{SIZES}(u?){DIFFICULTY}:([A-Za-z]+)", _unruly),
}
