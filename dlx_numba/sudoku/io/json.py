r"""Boards in JSON over any number of lines, and in array initializers of C, Java or Python.

A board is a list of n lists of n cells, a list of n² cells, or a list of n strings; a string may
also contain a whole board. Lists of boards may be nested in any way. An object is a record.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from ...runtime.arrays import plain_line, without_declaration
from .table import LineSplitter, TextPiece, list_texts, read_object

_START = re.compile(rb'[\[\s]*\{\s*"(?:[^"\\\n]|\\.)*"\s*:')
_OPEN_LINE = (b"{", b"[", b",", b":")
LIST_KEYS = "data", "levels", "puzzles", "boards", "problems"  # of an object with records
_COLLECTION = re.compile(rf'"(?:{"|".join(LIST_KEYS)})"\s*:\s*(?=\[\s*(?:\{{|"[0-9.*_]{{36,}}"))')
_NEXT_OBJECT = re.compile(r"\n(?:[^\S\n]|\[)*(?=\{)|\Z")
_decoder = json.JSONDecoder()

MAX_ERRORS = 100  # after which the rest is not read, because each takes time in proportion to it

Part: TypeAlias = tuple[int, str, str, str]  # its line, its kind, its text, and what is wrong
OBJECT = "object"
ROW = "row"
OPEN = "open"
CLOSE = "close"
OTHER = "other"
# Braces and brackets are equivalent, and so are the two kinds of quotes.
_PART = re.compile(
    r"""
    (?P<object> \{\s*"(?:[^"\\\n]|\\.)*"\s*: )
    | (?P<row> [\[{] (?: [^\[\]{}"'] | "[^"\n]*" | '[^'\n]*' )* [\]}] | "[^"\n]*" | '[^'\n]*' )
    | (?P<open> [\[{] )
    | (?P<close> [\]}] )
    | (?P<other> [^\s,;\[\]{}]+ )
    """,
    re.VERBOSE,
)


def looks_like_objects(head: bytes) -> bool:
    """Return whether a text starts like a list of objects, or like an object with puzzles in it.

    The latter has several lines, or a list of puzzles under one of `LIST_KEYS`.

    Examples
    --------
    >>> looks_like_objects(b'[{"puzzle": "1..."},'), looks_like_objects(b'{"puzzle":\\n"1..."}')
    (True, True)
    >>> looks_like_objects(b'{"levels": [{"puzzle": "1..."}]}')
    True
    >>> looks_like_objects(b'{"puzzle": "1..."}\\n'), looks_like_objects(b"[[1, 2], [3, 4]]")
    (False, False)
    """
    if _START.match(head) is None:
        return False
    first_line = head.lstrip().split(b"\n", 1)[0].rstrip()
    # The first line ends where more must follow.
    is_open = first_line.startswith(b"[") or first_line.endswith(_OPEN_LINE)
    is_collection = _COLLECTION.search(head.decode("utf-8", "replace"))
    return bool(is_open or is_collection)


class ObjectSplitter(LineSplitter):
    """A splitter that keeps a text, and divides it into objects and rows at its end.

    Examples
    --------
    >>> [piece.text for piece in ObjectSplitter().split_all(b'[[1, null, ".", 3], ["12..", "34"]]')]
    [b'1, , ., 3', b'12..', None]
    """

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def split(self, line: bytes, number: int) -> Iterator[TextPiece]:
        """Keep the line."""
        self.lines.append(line)
        return iter(())

    def end(self) -> Iterator[TextPiece]:
        """Yield the pieces: rows, ends of lists of rows, the records of objects, and errors."""
        opened: list[int] = []  # the lines on which the open lists start
        error = ""
        for line, kind, part, error in _open_collections(split_json(b"\n".join(self.lines))):
            reason = error or "no board in the JSON object"
            if kind == ROW:
                texts = list_texts(part)
                yield from (TextPiece(line, text.encode()) for text in texts)
                if len(texts) > 1:  # a list of strings, which are rows or boards, ends here
                    yield TextPiece(line, None)
            elif kind == OPEN:
                opened.append(line)
            elif kind == CLOSE and opened:
                opened.pop()
                yield TextPiece(line, None)
            elif kind == OBJECT and not error and (record := read_object(part, line)) is not None:
                yield record
            else:
                yield TextPiece(line, b"", ("", ""), reason)
        if opened and not error:
            yield TextPiece(opened[0], b"", ("", ""), "the list is not closed")


class ArraySplitter(ObjectSplitter):
    """A splitter of lists, which omits the declarations and comments of programs."""

    def split(self, line: bytes, number: int) -> Iterator[TextPiece]:
        """Keep the line."""
        line = without_declaration(plain_line(line))
        return super().split(b"" if line.startswith(b"#") else line, number)


def _open_collections(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield parts, with those of a collection of objects in place of the object that has it.

    An object with an error is yielded, too, behind them.
    """
    for line, kind, part, error in parts:
        collection = _COLLECTION.search(part) if kind == OBJECT else None
        if collection is not None:
            start = collection.end()
            first_line = line + part.count("\n", 0, start)
            for number, inner_kind, inner, reason in split_json(part[start:].encode()):
                yield first_line + number - 1, inner_kind, inner, reason
                if inner_kind in (CLOSE, ROW):  # the end of a list of objects; a list of strings
                    break
        if collection is None or error:
            yield line, kind, part, error


def split_json(content: bytes) -> Iterator[Part]:
    """Yield the line, the kind and the text of each part of a text, and "" or what is wrong.

    A part is an object, a list without lists, a string, a bracket of another list, or other text.

    Examples
    --------
    >>> for part in split_json(b'[{"a": 1},\\n[1, 2]\\n, 3'):
    ...     print(part)
    (1, 'open', '[', '')
    (1, 'object', '{"a": 1}', '')
    (2, 'row', '[1, 2]', '')
    (3, 'other', '3', "expected a list or a JSON object, found '3'")
    """
    text = content.decode("utf-8", "replace")
    line = 1
    end = 0
    n_errors = 0
    while match := _PART.search(text, end):
        start, stop = match.span()
        kind = match.lastgroup or ""
        error = ""
        line += text.count("\n", end, start)
        if kind == OBJECT:
            try:
                _, stop = _decoder.raw_decode(text, start)
            except (ValueError, RecursionError) as raised:
                # Continue with the next object, unless this one goes on to the end of the text.
                position = getattr(raised, "pos", len(text))
                is_cut = position >= len(text.rstrip()) or str(raised).startswith("Unterminated")
                next_object = _NEXT_OBJECT.search(text, start + 1)
                stop = next_object.end() if next_object and not is_cut else len(text)
                error = "the JSON object is not closed" if is_cut else "invalid JSON object"
                if (n_errors := n_errors + 1) == MAX_ERRORS:
                    error = "too many errors; the rest is not read"
                    stop = len(text)
        elif kind in (OTHER, CLOSE):
            error = f"expected a list or a JSON object, found {match[0][:40]!r}"
        yield line, kind, text[start:stop], error
        line += text.count("\n", start, stop)
        end = stop
