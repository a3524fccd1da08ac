"""Records of collections of logic puzzles, and texts of words in rows and columns."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from string import ascii_lowercase
from typing import Any, NamedTuple

from ...runtime.errors import FormatError
from ...runtime.json import looks_like_json
from ...sudoku.io.json import LIST_KEYS
from ..puzzle import Puzzle

Cell = tuple[int, int]  # (row, column), from 1

NUMBER = "[0-9]{1,9}"
CELL_WORDS = (r"(\d+),(\d+)", r"r\1c\2")  # of an item that is a cell
# The beginning of a collection in JSON, which names the kind of its puzzles
COLLECTION_NAME = re.compile(r'[^\[{}]*\{[^\[{}]*"name":\s*"([^"]*)"')
# A line with a word, because `#` is a cell in drawings, and a row of a piece has equal letters
COMMENT = r"[ \t]*(?://.*|(?:#[ \t]|[%;]).*(?P<letter>[^\W\d_])(?!(?P=letter))[^\W\d_].*)(?![^\n])"
# After blank lines, and lines with only the sign of a comment
_FIRST_COMMENT = re.compile(rf"(?:[ \t]*(?:[#%;][ \t]*)?\r?\n)*{COMMENT}\n?")
_LAST_COMMENT = re.compile(r"(?<=\n)[ \t]*#[ \t]*end\s*\Z", re.IGNORECASE)


class Record(NamedTuple):
    """The text of a puzzle, where it is from, and its stated solution."""

    place: str
    text: str
    answer: str = ""


class Table:
    """The words of a text in lines, which are counted from 1, without blank lines before them.

    The methods raise FormatError, which names the line and the number of the word.
    """

    def __init__(self, record: Record) -> None:
        self.place = record.place
        lines = [*enumerate(record.text.rstrip().split("\n"), 1)]
        first = next((k for k, (_, line) in enumerate(lines) if line.strip()), 0)
        self._lines = lines[first:]  # with their numbers in the text

    def __len__(self) -> int:
        return len(self._lines)

    def drop_blank_lines(self) -> None:
        """Ignore blank lines after the first line."""
        self._lines[1:] = [(number, line) for number, line in self._lines[1:] if line.strip()]

    def error(self, line: int, reason: str) -> FormatError:
        last = min(line, len(self))
        return FormatError(self.place, self._lines[last - 1][0] + line - last, reason)

    def words(
        self, line: int, pattern: str = r"\S+", expected: str = "", length: int | None = None
    ) -> list[str]:
        """Return the words of a line, each of which matches a pattern, by default any word.

        `expected` says what a word must be; `length` is how many there must be.
        """
        if line > len(self._lines):
            raise self.error(line, f"the line is missing; the text has {len(self._lines)} lines")
        words = self._lines[line - 1][1].split()
        if length is not None and len(words) != length:
            raise self.error(line, f"{len(words)} words instead of {length}")
        is_valid = re.compile(pattern).fullmatch
        for column, word in enumerate(words, 1):
            if not is_valid(word):
                raise self.error(line, f"word {column}, {word[:20]!r}, is not {expected}")
        return words

    def numbers(self, line: int, length: int | None = None) -> list[int]:
        """Return a line of numbers."""
        return [int(word) for word in self.words(line, NUMBER, "a number", length)]

    def size(self, n_numbers: int = 2, most: int = 200) -> list[int]:
        """Return the numbers on the first line, each from 1 to `most`: the size of the board."""
        size = self.numbers(1, n_numbers)
        if not all(1 <= number <= most for number in size):
            raise self.error(1, f"the size must be from 1 to {most}")
        return size

    def cells(
        self, line: int, size: tuple[int, int], pattern: str, expected: str, is_last: bool = True
    ) -> dict[Cell, str]:
        """Return the word of each cell, in lines after which nothing follows if `is_last`."""
        n_rows, n_columns = size
        if is_last and len(self) >= line + n_rows:
            raise self.error(line + n_rows, f"there are more than {n_rows} rows")
        lines = range(line, line + n_rows)
        return cells_of(self.words(number, pattern, expected, n_columns) for number in lines)

    def board(self, pattern: str, expected: str, least: int = 2) -> dict[Cell, str]:
        """Return the word of each cell of a board after its size, which may be on two lines.

        At least `least` numbers must precede the board; a single one is the number of rows.
        """
        self.drop_blank_lines()
        rows = (k for k, (_, line) in enumerate(self._lines) if len(line.split()) > 2)
        n_before = next(rows, 1)
        stated = " ".join(line for _, line in self._lines[:n_before]).split()
        size = [str(len(self) - n_before), str(len(self._lines[-1][1].split()))]
        if least <= len(stated) < 2 and stated == size[: len(stated)]:
            stated = size
        self._lines[:n_before] = [(self._lines[0][0], " ".join(stated))]
        n_rows, n_columns = self.size()
        return self.cells(2, (n_rows, n_columns), pattern, expected)

    def square(
        self, pattern: str, expected: str, first: int = 1, n: int | None = None
    ) -> dict[Cell, str]:
        """Return the symbol of each cell of a square of n rows, by default all from the first on.

        There may be spaces between the symbols.
        """
        n, rows = len(self) + 1 - first if n is None else n, []
        for line in range(first, first + n):
            words = self.words(line, pattern, expected)
            rows.append(words if len(words) == n else list("".join(words)))
            if len(rows[-1]) != n:
                raise self.error(line, f"{len(rows[-1])} symbols in one of {n} rows")
        return cells_of(rows)


def split_records(
    text: str, source: str, as_record: Callable[[Any], dict[str, Any]] = lambda record: record
) -> Iterator[Record | FormatError]:
    """Yield the puzzles of a text: the text itself, or the records of a collection in JSON.

    A record has a `problem`, and it may have a `solution`. A collection is a list of these, or an
    object that has each of them by its name, or either as the `data` of an object, or lines with a
    record each. `as_record` returns a record with these texts for one in another form. Raises
    FormatError if the text is not valid JSON.
    """
    if not looks_like_json(text):
        yield Record(source, text)
        return
    try:
        stated = json.loads(text)
    except json.JSONDecodeError as error:
        try:
            stated = [json.loads(line) for line in text.split("\n") if line.strip()]
        except ValueError:
            raise FormatError(source, error.lineno, f"not JSON: {error.msg}") from None
    except RecursionError:
        raise FormatError(source, 1, "the JSON value is nested too deeply") from None
    data = stated
    if isinstance(stated, dict):
        is_named = bool(stated) and all(isinstance(each, dict) for each in stated.values())
        records: Any = stated if is_named else [stated]
        data = next((stated[key] for key in LIST_KEYS if key in stated), records)
    if not isinstance(data, dict | list):
        raise FormatError(source, 1, "not a list or an object of records")
    named = data.items() if isinstance(data, dict) else enumerate(data, 1)
    for name, each in named:
        record = each if isinstance(each, dict) else {}
        place = f"{source}, {record.get('id', name)}"
        try:
            record = record if "problem" in record else as_record(record)
            yield Record(place, *map(_as_text, (record["problem"], record.get("solution") or "")))
        except (KeyError, TypeError, IndexError) as error:
            yield FormatError(place, 1, f"the record states no puzzle ({error})")


def _as_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{str(value)[:20]} is not a text")
    return value


def parse_records(
    text: str, source: str, state: Callable[[Table], Puzzle], records: Any = split_records
) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzle of each record, and an exception in place of one that cannot be read."""
    for record in records(text, source):
        try:
            if isinstance(record, FormatError):
                raise record
            puzzle = state(Table(record))
            yield replace(puzzle, place=record.place, answer=record.answer)
        except FormatError as error:
            yield error
        except ValueError as error:
            yield FormatError(record.place, 1, str(error))


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


def parse_lines(
    text: str, source: str, state: Callable[[str, str], Any]
) -> Iterator[Any | FormatError]:
    """Yield what `state` returns for each line and its place, and an exception for a bad one."""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if line.strip():
                yield state(line, f"{source}:{number}")
        except ValueError as error:
            yield FormatError(source, number, str(error))


def is_stated(head: str, names: tuple[str, ...], check: Callable[[Table], object]) -> bool:
    """Return whether a text starts with puzzles of one kind.

    `names` are what the collection calls the kind; `check` raises ValueError if a text has another
    form.
    """
    problem = None
    if looks_like_json(head):
        if named := COLLECTION_NAME.match(head):
            return named[1] in names
        problem = re.search(r'"problem":\s*("(?:[^"\\]|\\.)*")', head)
        if problem is None:
            return False
    try:
        check(Table(Record("", json.loads(problem[1]) if problem else head)))
    except ValueError:
        return False
    return True


def records_of(
    *names: str, check: Callable[[Table], object], state: Callable[[Table], Puzzle]
) -> tuple[Callable[[str], bool], Callable[[str, str], Iterator[Puzzle | FormatError]]]:
    """Return the functions `recognize` and `parse` of a kind, by its names in the collection."""
    return partial(is_stated, names=names, check=check), partial(parse_records, state=state)


def beside(cell: Cell) -> list[Cell]:
    """Return the cells above and below, to the left and to the right."""
    r, c = cell
    return [(r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)]


def cells_of(rows: Iterable[Iterable[str]]) -> dict[Cell, str]:
    """Return the word of each cell, by row and column, which are counted from 1."""
    return {(r, c): word for r, row in enumerate(rows, 1) for c, word in enumerate(row, 1)}


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
