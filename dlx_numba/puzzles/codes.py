"""Puzzles in one word: game IDs of Simon Tatham's collection, and links and texts of puzz.link."""

import re

from .logic.game_ids import convert_id, find_id, is_id, saved_game
from .logic.links import convert_link, find_link


def find_code(text: str) -> str | None:
    """Return the kind of the first puzzle in a text of codes with the names of their games.

    Raises
    ------
    ValueError
        If the text starts with the code of a game that is not solved.

    Examples
    --------
    >>> find_code("\\nTents: 2x2:ba,1,0,1,0"), find_code("https://puzz.link/p?kakuro/1/1/l00")
    ('tents', 'kakuro')
    """
    first = lines_of(text.lstrip())[0].strip()
    return find_link(first) or find_id(first)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, on each of which may be a code; blank ones may precede it.

    A saved game, or a file of puzz.link, is one code.
    """
    if re.match(r"\s*pzprv3(?:\.[0-9])?\n", text):
        return [text.strip().replace("\n", "/")]
    return [saved_game(text)] if text.lstrip().startswith("SAVEFILE") else text.split("\n")


def has_codes(text: str, kind: str) -> bool:
    """Return whether a text starts with a code, or with a game ID of a kind without its name."""
    first = next((line.strip() for line in lines_of(text) if line.strip()), "")
    return find_code(first) is not None or is_id(first, kind)


def decode(code: str, kind: str) -> str:
    """Return the text of a puzzle in the notation of a kind.

    Raises
    ------
    ValueError
        If the code is malformed, or one of another kind.

    Examples
    --------
    >>> decode("2x2:ba,1,0,1,0", "tents")
    '2 2\\n1 0\\n1 0\\n. .\\nx .'
    """
    found = find_link(code)
    if found is None:
        return convert_id(code, kind)
    if found != kind:
        raise ValueError(f"this is a link of the kind {found}")
    return convert_link(code)
