"""Boards in the files and links of apps, converted to lines that other modules read."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from html import escape
from typing import Any

from ...runtime.errors import FormatError
from ..box import Box
from .puzzlink import boards_as_lines, find_link_error
from .records import Records

_LINK = re.compile(rb"(?<!\S)https?://\S*?[?#/&=]([0-9.]{81})(?![0-9.])\S*")
_WEB_LINK = re.compile(r"(https?://|(?=www\.|[\w-]+\.[\w.-]+/\S*\?))(\S+)")
_COMMENT = re.compile(rb'[ \t]*[^\s#"{]{16,}[ \t]+#[ \t]*(.*\S)')
# A difficulty, as qqwing and `rate` write it; and what our commands write, which is no id
_DIFFICULTY = re.compile(
    r"(?:(simple|easy|intermediate|expert)(?::.*)?|difficulty (.*))", re.IGNORECASE
)
_OWN = re.compile(
    r"(?:puzzle \d+(?:, |$))?(?:solution \d+|no solution|unfinished|\d+ (?:or more )?solutions)?"
    r"|invalid(?:: .*)?"
)

_RATED = re.compile(rb"(?m)^[0-9a-f]{12} ([0-9.]{81}) +([0-9.]+)(?=\s|\Z)")
# The command of nudoku, and the remarks beside a board on its screen
_NUDOKU = re.compile(
    rb"(?m)^[ \t]*nudoku -s ([0-9.]{81})(?=\s|\Z)"
    rb"|^(.*(?:%s))[ \t]{2,}[!-~][ -~]*(?=\r?$)" % "│|┤|┐|┘".encode()
)
_HODOKU = re.compile(
    rb"(?m)^(?::[^:\r\n]*:[^:\r\n]*:((?:\+?[0-9.]){81}):[^\r\n]*"  # in its library
    rb"|(?=[0-9.]*\+)((?:\+?[0-9.]){81})(?::[^\r\n]*|(?=\s|\Z))"
    rb"|([ \t]*\|[ |.0-9]*\+[1-9][ |.0-9+]*))"  # in a drawing
)


def is_board_link(text: str) -> bool:
    """Return whether a text is a link that contains a board of 81 symbols.

    >>> is_board_link("https://example.org/play?bd=" + 81 * "0"), is_board_link("https://a.org/0")
    (True, False)
    """
    link = text.strip()
    is_board = _LINK.fullmatch(link.encode(errors="replace")) is not None
    return is_board or boards_as_lines(link) != link


def is_of_app(start: bytes) -> bool:
    """Return whether a text starts with a link to a board, or as some app writes its boards."""
    has_link = _LINK.match(start) or _RATED.match(start)
    return bool(has_link or _NUDOKU.search(start) or _HODOKU.search(start))


def complete_link(text: str) -> str:
    """Return a link to a web site with its protocol, or "" if a text is no link.

    >>> [*map(complete_link, ("https://a.org/b", "a.org/?bd=1", "folder.d/file.txt"))]
    ['https://a.org/b', 'https://a.org/?bd=1', '']
    """
    match = _WEB_LINK.fullmatch(text.strip())
    return f"{match[1] or 'https://'}{match[2]}" if match else ""


def describe_link(text: str) -> str:
    """Return why a link has no board.

    >>> describe_link("puzz.link/p?sudoku/5/5/")
    'the link has a board of 5×5, which Sudoku does not have'
    """
    return find_link_error(complete_link(text)) or "the link contains no plain Sudoku board"


def as_lines(texts: Iterable[memoryview], start: bytes, source: str) -> Iterator[memoryview]:
    """Return the blocks of a text that starts with `start`, with each board on a line.

    The numbers of the lines remain.

    Raises
    ------
    FormatError
        If a file of OpenSudoku is not valid, or declares entities; names the source and the line.
    """
    start = start.lstrip()
    if start.startswith(b"<") and b"<opensudoku" in start:
        return iter([memoryview(bytearray(_xml_lines(b"".join(texts), source)))])
    if start.startswith(b"http"):
        texts = map(partial(_replace, _LINK, rb"\1"), map(_with_boards, texts))
    elif start.startswith(b"pzprv3"):
        texts = map(_with_boards, texts)
    elif _RATED.match(start):  # the puzzle bank of Sudoku Exchange: a hash, a puzzle, its rating
        texts = map(partial(_replace, _RATED, rb"\1 # difficulty \2"), texts)
    elif b"nudoku " in start:
        texts = map(partial(_replace, _NUDOKU, rb"\1\2"), texts)
    elif (b":" in start or b"+" in start) and _HODOKU.search(start):
        texts = map(partial(_replace, _HODOKU, _without_placed), texts)
    return iter(texts)


def _replace(pattern: re.Pattern[bytes], replacement: Any, text: memoryview) -> memoryview:
    return memoryview(bytearray(pattern.sub(replacement, bytes(text))))


def _with_boards(text: memoryview) -> memoryview:
    """Return a text with the boards of puzz.link on lines."""
    lines = boards_as_lines(bytes(text).decode("utf-8", "surrogateescape"))
    return memoryview(bytearray(lines.encode("utf-8", "surrogateescape")))


def _without_placed(match: re.Match[bytes]) -> bytes:
    """Return the givens of a board of HoDoKu, in which `+` precedes the digits that are placed."""
    return re.sub(rb"\+[1-9]", b".", match[match.lastindex or 0])


def _xml_lines(data: bytes, source: str) -> bytes:
    """Return the boards in an XML document of OpenSudoku, each on its line."""
    from xml.parsers import expat  # few files are XML

    lines: list[str] = []
    parser = expat.ParserCreate()

    def add_board(name: str, attributes: dict[str, str]) -> None:
        if name == "game":
            # Empty lines before it give the board the number of its line in the file.
            lines.extend([""] * (parser.CurrentLineNumber - 1 - len(lines)))
            lines.append(_givens(attributes.get("data", "")) or "?")

    def reject(*_: object) -> None:
        raise FormatError(source, parser.CurrentLineNumber, "declarations of types are not read")

    parser.StartElementHandler = add_board
    parser.StartDoctypeDeclHandler = reject  # entities could expand without limit
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise FormatError(
            source, error.lineno, f"not valid XML: {expat.ErrorString(error.code)}"
        ) from None
    except LookupError as error:
        raise FormatError(source, 1, str(error)) from None
    return "".join(f"{line}\n" for line in lines).encode()


def _givens(data: str) -> str:
    """Return the board of a game, without what is played.

    Since version 1 of the data, each cell has fields: a digit, notes, and 1 unless it is given.
    """
    *_, board = data.split() or [""]
    fields = board.rstrip("|").split("|")
    n_fields, rest = divmod(len(fields), 81)
    if n_fields < 3 or rest:
        return data.strip()
    # The first and the last field of each cell
    cells = zip(fields[::n_fields], fields[n_fields - 1 :: n_fields], strict=True)
    return "".join(digit if is_editable == "0" else "." for digit, is_editable in cells)


def format_opensudoku(chunks: Iterable[Records], name: str) -> Iterator[str]:
    """Yield the text of a file of OpenSudoku with 9×9 boards. Raises ValueError for others.

    Text that could not be read as a board is an error, too.
    """
    title = escape(name, quote=False)
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n  <name>{title}</name>\n'
    for records in chunks:
        if records.bad:
            raise ValueError(records.bad[0].at(records.source))
        if records.box != Box(3, 3) or records.rules is not None:
            raise ValueError(f"{records.source}: OpenSudoku has plain 9×9 boards only")
        digits = ("".join(map(str, board)) for board in records.boards.tolist())
        yield from (f'  <game data="{board}" />\n' for board in digits)
    yield "</opensudoku>\n"


class Comments:
    """The comments after boards, from `#` to the end of the line, as in the lists of HoDoKu."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}

    def note(
        self, texts: Iterable[memoryview], next_line: Callable[[], int]
    ) -> Iterator[memoryview]:
        """Yield blocks of lines, and note their comments.

        `next_line` returns the number of the first line of a block when the block is requested.
        """
        for text in texts:
            if b"#" in (content := bytes(text)):
                for number, line in enumerate(content.splitlines(), next_line()):
                    if match := _COMMENT.match(line):
                        self._texts[number] = match[1].decode("utf-8", "replace")
            yield text

    def added_to(self, records: Records) -> Records:
        """Return records with the fields that the comments on their lines have, behind others."""
        if not self._texts:
            return records
        others = records.others or [{}] * len(records)
        parts = zip(records.lines.tolist(), others, strict=True)
        fields = [self._take(line) | own for line, own in parts]
        bad = (replace(each, others=self._take(each.line) | each.others) for each in records.bad)
        return records.replace(others=fields if any(fields) else None, bad=tuple(bad))

    def _take(self, line: int) -> dict[str, Any]:
        return _fields_of(self._texts.pop(line, ""))


def _fields_of(comment: str) -> dict[str, Any]:
    """Return what a comment says: the difficulty or the `id` of a puzzle, or nothing.

    >>> [*map(_fields_of, ("easy: hidden single", "NB-7", "no solution"))]
    [{'difficulty': 'easy'}, {'id': 'NB-7'}, {}]
    """
    if match := _DIFFICULTY.fullmatch(comment):
        return {"difficulty": match[1] or match[2]}
    return {} if _OWN.fullmatch(comment) else {"id": comment}
