"""Numbers in links of puzz.link, and its links and texts of Sudoku boards."""

import re

HOST = r"https?://[\w.-]*(?:puzz\.link|pzv\.jp|pzplus\.tck\.mn|pzprxs\.vercel\.app)/[^\s?]*\?"
# A number of one, two or three digits, a number of empty cells, or an unknown number
_CODE = re.compile(r"([0-9a-f])|-([0-9a-f]{2})|\+([0-9a-f]{3})|([g-z])|(\.)")
_LINK = re.compile(rf"{HOST}sudoku/([0-9]{{1,2}})/\1/([\w.-]+?)/?(?!\S)")
_TEXT = re.compile(r"pzprv3(?:\.[0-9])?[/\n]sudoku[/\n]([0-9]{1,2})[/\n]([0-9. /\n-]*[0-9. /-])")


def decode_numbers(body: str, n_cells: int) -> tuple[list[str], str]:
    """Return the number in each cell, `-` if it is empty, or `?` if it is unknown, and the rest.

    Raises ValueError if there are not as many cells.

    >>> decode_numbers("1h-10.23", 5)
    (['1', '-', '-', '16', '?'], '23')
    """
    words: list[str] = []
    place = 0
    while len(words) < n_cells:
        code = _CODE.match(body, place)
        if code is None:
            raise ValueError(f"the link has {len(words)} cells instead of {n_cells}")
        place = code.end()
        digits = code[1] or code[2] or code[3]
        if digits:
            words.append(str(int(digits, 16)))
        elif code[4]:
            words += ["-"] * (int(code[4], 36) - 15)
        else:
            words.append("?")
    if len(words) > n_cells:
        raise ValueError(f"the link has {len(words)} cells instead of {n_cells}")
    return words, body[place:]


def boards_as_lines(text: str) -> str:
    """Return a text with each board of a link or a text of puzz.link on one line.

    >>> boards_as_lines("https://puzz.link/p?sudoku/4/4/g1k23k3g\\n")
    '0100000230000030\\n'
    >>> boards_as_lines("pzprv3/sudoku/4/. 1 . . /. . . 2 /3 . . . /. . 3 . /. . . . /1 . . . /")
    '0100000230000030'
    """
    return _TEXT.sub(_text_as_line, _LINK.sub(_link_as_line, text))


def _link_as_line(match: re.Match[str]) -> str:
    n = int(match[1])
    try:
        words, rest = decode_numbers(match[2], n * n)
    except ValueError:
        return match[0]
    return match[0] if rest else _as_line(words, n) or match[0]


def _text_as_line(match: re.Match[str]) -> str:
    n = int(match[1])
    words = match[2].replace("/", " ").split()[: n * n]  # the others are the state of the player
    if "-" in words:  # a number that is unknown
        return match[0]
    return _as_line(words, n) or match[0]


def _as_line(words: list[str], n: int) -> str:
    """Return the board of n rows on a line, as symbols or numbers; "" if it has other words."""
    numbers = [word if word.isdecimal() else "0" for word in words]
    is_board = len(words) == n * n and all(int(number) <= n for number in numbers)
    if not is_board or "?" in words:
        return ""
    return " ".join(numbers) if n > 9 else "".join(numbers)
