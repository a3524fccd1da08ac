"""The records of a text: puzzles of one kind, one after the other."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

from ..runtime.errors import FormatError, UnreadableError
from ..runtime.json import fits, load_json, looks_like_json
from ..runtime.source import decode_text
from ..runtime.text import shorten
from ..sudoku.io.json import LIST_KEYS
from .codes import decode, has_codes, lines_of
from .puzzle import Puzzle
from .registry import KINDS

PartT = TypeVar("PartT")

MALFORMED = ValueError, KeyError, TypeError, IndexError, AttributeError  # for values in JSON
RULE = "---"  # a line between two texts
_XML = re.compile(r"\s*<[?!A-Za-z]")
# A line with a word, because `#` is a cell in drawings, and a row of a piece has equal letters
COMMENT = r"[ \t]*(?://.*|(?:#[ \t]|[%;]).*(?P<letter>[^\W\d_])(?!(?P=letter))[^\W\d_].*)(?![^\n])"
# After blank lines, and lines with only the sign of a comment
_FIRST_COMMENT = re.compile(rf"(?:[ \t]*(?:[#%;][ \t]*)?\r?\n)*{COMMENT}\n?")
_LAST_COMMENT = re.compile(r"(?<=\n)[ \t]*#[ \t]*end\s*\Z", re.IGNORECASE)


class Record(NamedTuple):
    """The text of a puzzle, or its value in JSON.

    Attributes
    ----------
    place : str
        The name of the source, and of the record in it, for messages.
    text : str
        The text, without blank lines around it; "" if there is a value.
    line : int
        The number of the first line of the text in the source.
    value : object
        The value of the puzzle in JSON; None for a text.
    answer : str
        The solution that the record gives.
    """

    place: str
    text: str
    line: int = 1
    value: Any = None
    answer: str = ""

    @property
    def source(self) -> str:
        """The name of the source, and of the record in a value in JSON."""
        return self.place.removesuffix(f":{self.line}")

    def error(self, line: int, reason: str) -> FormatError:
        """Return the error in a line of the text, counted from 1."""
        return FormatError(self.source, self.line + line - 1, reason)

    def lines(self) -> list[str]:
        """Return the lines of the text. Raises ValueError if the record is a value in JSON."""
        if self.value is not None:
            given = shorten(json.dumps(self.value, ensure_ascii=False), 40)
            raise ValueError(f'expected a text, perhaps as {{"problem": "..."}}, not {given}')
        return self.text.split("\n")

    def as_text(self, format_value: Callable[[Any], str]) -> "Record":
        """Return the record with a text for its value, if it has one."""
        if self.value is None:
            return self
        return self._replace(text=format_value(self.value), value=None)

    def xml(self) -> Any:
        """Return the root of an XML document.

        Raises FormatError if the text is none, and ValueError if the record is a value in JSON.
        """
        from xml.etree.ElementTree import ParseError, fromstring  # few files are XML

        try:
            return fromstring("\n".join(self.lines()))
        except ParseError as error:
            raise self.error(error.position[0], f"not valid XML: {error}") from None

    def parse_parts(
        self, parts: Iterable[tuple[str, PartT]], parse: Callable[[str, PartT], Puzzle]
    ) -> Iterator[Puzzle | FormatError]:
        """Yield the puzzle of each part, by its name, or an exception if it is malformed."""
        for name, part in parts:
            try:
                yield replace(parse(name, part), place=f"{self.place}, {name}")
            except MALFORMED as error:
                yield self.error(1, f"{name}: {error}")


def parse_all(kind: Any, text: str, source: str) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles of a kind in a text, and an exception in place of one that is malformed.

    Parameters
    ----------
    kind
        The module of the kind.
    text
        The text, with line feeds at the ends of its lines.
    source
        The name of the text in messages.
    """
    name = next(name for name, path in KINDS.items() if kind.__name__.endswith(f".{path}"))
    plain = blank_comments(text)
    line = getattr(kind, "LINE", None)
    if not looks_like_json(plain):
        if line is not None and line.match(plain.lstrip()):
            yield from _parse_lines(kind, str, plain.split("\n"), source)
            return
        if has_codes(plain, name):
            yield from _parse_lines(kind, partial(decode, kind=name), lines_of(plain), source)
            return
    for record in split_records(text, source, getattr(kind, "HAS_BLANK_LINES", False)):
        yield from [record] if isinstance(record, FormatError) else _parse(kind, record)


def decode_records(kind: Any, data: bytes, name: str) -> str:
    """Return the text in the content of a file of a kind, with line feeds at the ends of lines.

    Raises UnreadableError if it is none.
    """
    try:
        text = decode_text(data, name)
    except UnreadableError:
        if not hasattr(kind, "OTHER_ENCODING"):
            raise
        text = data.decode(kind.OTHER_ENCODING)
    return text.replace("\r\n", "\n")


def _parse_lines(
    kind: Any, decode_line: Callable[[str], str], lines: list[str], source: str
) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzle on each line, whose text `decode_line` returns."""
    for number, line in enumerate(lines, 1):
        if line.strip() in ("", RULE):
            continue
        try:
            record = Record(f"{source}:{number}", decode_line(line.strip()), number)
        except ValueError as error:
            yield FormatError(source, number, str(error))
            continue
        for puzzle in _parse(kind, record):
            if isinstance(puzzle, FormatError):  # whose line is that of the decoded text
                puzzle = FormatError(source, number, puzzle.reason)
            yield puzzle


def _parse(kind: Any, record: Record) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles of a record, and an exception in place of one that is malformed."""
    try:
        found = kind.parse(record)
        for puzzle in [found] if isinstance(found, Puzzle) else found:
            if isinstance(puzzle, Puzzle):  # which may have a place and an answer of its own
                place = puzzle.place or record.place
                puzzle = replace(puzzle, place=place, answer=puzzle.answer or record.answer)
            yield puzzle
    except FormatError as error:  # the line of a text that a value became means nothing
        yield error if record.value is None else record.error(1, error.reason)
    except MALFORMED as error:
        if record.value is None and not isinstance(error, ValueError):
            raise
        yield record.error(1, str(error).removeprefix(f"{record.place}: "))


def split_records(
    text: str, source: str, has_blank_lines: bool = False
) -> Iterator[Record | FormatError]:
    r"""Yield the records of a text, and an exception in place of one that is malformed.

    Lines `---` and blank lines separate texts. A text in JSON is an object, a list of objects, an
    object that has each record by its name, or one with a list, such as `puzzles`, or lines with a
    value each. A record may be an object with a text: its `problem`, and perhaps its `solution`.

    Parameters
    ----------
    text
        The text.
    source
        Its name.
    has_blank_lines
        Whether blank lines are parts of a puzzle; only lines `---` then separate texts.

    Raises
    ------
    FormatError
        If the text starts as JSON, and is neither a value nor has one on each line.

    Examples
    --------
    >>> [(record.text, record.line) for record in split_records("1 2\n\n3\n---\n4 5\n", "file")]
    [('1 2', 1), ('3', 3), ('4 5', 5)]
    >>> [record.answer for record in split_records('{"problem": "1 2", "solution": "3"}', "file")]
    ['3']
    """
    if looks_like_json(text):
        yield from _split_json(text, source)
        return
    plain = blank_comments(text)
    if _XML.match(plain):  # a line `---` is in a comment
        yield Record(source, plain.strip(), 1 + plain.partition("<")[0].count("\n"))
        return
    texts = _split_text(plain, has_blank_lines)
    first = [*islice(texts, 2)]  # two tell whether there is only one
    if not first:
        yield FormatError(source, None, "no puzzle found: the text is empty, or has only comments")
    is_single = len(first) == 1
    for line, each in chain(first, texts):
        yield Record(source if is_single else f"{source}:{line}", each, line)


def _split_text(text: str, has_blank_lines: bool) -> Iterator[tuple[int, str]]:
    """Yield the number of the first line of each text, and the text.

    Lines `---` separate texts, and so do blank lines unless `has_blank_lines`: then these are part
    of a text, but not at its start or end.
    """
    rows: list[str] = []
    first = 0
    for number, row in enumerate(chain(text.split("\n"), [RULE]), 1):
        is_rule = row.strip() == RULE
        if row.strip() and not is_rule:
            first = first if rows else number
            rows.append(row)
        elif rows and (is_rule or not has_blank_lines):  # the text ends, before its blank lines
            while not rows[-1].strip():
                rows.pop()
            yield first, "\n".join(rows)
            rows = []
        elif rows:  # a blank line inside the text, or at its end
            rows.append(row)


def _split_json(text: str, source: str) -> Iterator[Record | FormatError]:
    """Yield the records of a text in JSON."""
    try:
        value = load_json(text)
    except json.JSONDecodeError as error:
        if "\n" not in text.strip() or not _is_json_line(text.strip().split("\n", 1)[0]):
            raise FormatError(source, error.lineno, error.msg) from None
        yield from _split_json_lines(text, source)
        return
    except ValueError as error:
        raise FormatError(source, 1, str(error)) from None
    for name, each in _records_of(value):
        yield _record(each, f"{source}, {name}" if name else source, 1)


def _is_json_line(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _split_json_lines(text: str, source: str) -> Iterator[Record | FormatError]:
    """Yield the record on each line."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield _record(load_json(line), f"{source}:{number}", number)
        except ValueError as error:
            yield FormatError(source, number, getattr(error, "msg", str(error)))


def _records_of(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the name and the value of each record; the name of a single one is empty."""
    if isinstance(value, dict):
        listed = next((value[key] for key in LIST_KEYS if key in value), None)
        if isinstance(listed, list | dict):  # {"puzzles": ...}
            value = listed
    if value and fits(value, {"": dict}):  # {"name": {"problem": ...}, ...}
        yield from value.items()
    # [{"id": 7, "problem": ...}, ...], but not a list of cages, which is one puzzle
    elif value and fits(value, [dict]) and not any("cells" in each for each in value):
        for number, each in enumerate(value, 1):
            yield str(each.get("id", number)), each
    elif value and fits(value, [[dict]]) and all(value):  # a puzzle is a list of objects
        for number, each in enumerate(value, 1):
            yield str(number), each
    else:
        yield "", value


def _record(value: Any, place: str, line: int) -> Record | FormatError:
    """Return the record of a value, whose text may be its `problem`."""
    if not isinstance(value, dict) or "problem" not in value:
        return Record(place, "", line, value)
    problem = value["problem"]
    answer = value.get("solution") or ""
    for text in (problem, answer):
        if not isinstance(text, str):
            return FormatError(place, line, f"{shorten(str(text), 20)} is not a text")
    if looks_like_json(problem):
        try:
            return Record(place, "", line, load_json(problem), answer)
        except ValueError as error:
            return FormatError(place, line, str(error))
    return Record(place, blank_comments(problem.replace("\r\n", "\n")).strip("\n"), 1, None, answer)


def blank_comments(text: str) -> str:
    """Return a text without `#End`, and blank lines for the comments before its first other line.

    >>> blank_comments("# Tents\\n#\\n% easy\\n2 2\\n# rest\\n"), blank_comments("# .#\\n#End\\n")
    ('\\n\\n\\n2 2\\n# rest\\n', '# .#\\n')
    """
    text = _LAST_COMMENT.sub("", text)
    start = 0
    while (comment := _FIRST_COMMENT.match(text, start)) is not None:
        start = comment.end()
    return re.sub(r"[^\r\n]+", "", text[:start]) + text[start:]
