"""Files of puzzles with rules: JSON objects and links."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...runtime.source import Source
from ...sudoku.box import Box
from ...sudoku.io.json import CLOSE, OBJECT, OPEN, split_json
from ...sudoku.io.read import ChunkSize, Reader
from ...sudoku.io.records import BadRecord, Records
from ...sudoku.io.symbols import Alphabet
from ...sudoku.io.table import PUZZLES, RULES, is_remark, other_fields, parse_object
from .fpuzzles import is_link

if TYPE_CHECKING:
    from .rules import SudokuRules

Board: TypeAlias = NDArray[np.uint8]
Fields: TypeAlias = dict[str, Any]
# The rules and the box, the line, other fields, the board and its solution, or what is wrong
Entry: TypeAlias = tuple[
    tuple["SudokuRules | None", Box], int, Fields, tuple[Board, Board | None] | None, str
]

MAX_PARSED = 64  # objects of a file that are kept, because puzzles may be repeated

_OBJECT = re.compile(rb"[\[\s]*\{")
_KEY = re.compile(rb'"(\w+)"\s*:')
_OF_APP = re.compile(rb'"(?:grid"\s*:\s*\[|cells"\s*:\s*\[\s*\[)')


def find_reader(head: bytes) -> Reader | None:
    """Return the reader for a text that starts with objects or links with rules, otherwise None.

    Examples
    --------
    >>> find_reader(b'{"puzzle": "1..."}') is None, find_reader(b'{"anti_king": true}') is None
    (True, False)
    """
    first_line = head.lstrip().split(b"\n", 1)[0]
    is_puzzle = _OBJECT.match(head) and (_has_rules(head) or _OF_APP.search(head))
    return _read if is_puzzle or is_link(first_line.decode("utf-8", "replace")) else None


def _has_rules(head: bytes) -> bool:
    """Return whether objects have rules of Sudoku; other kinds have regions, but no board."""
    keys = {key.decode() for key in _KEY.findall(head)}
    rules = keys.intersection(RULES)
    return bool(rules - {"regions"} or (rules and keys.intersection(PUZZLES)))


def _read(
    source: Source,
    texts: Iterable[memoryview],
    box: Box | None,
    alphabet: str,
    max_boards: ChunkSize,
) -> Iterator[Records]:
    """Yield the puzzles of a text in chunks, each with puzzles of the same size and rules."""
    symbols = "1-9A-" if alphabet == "auto" else alphabet
    first_number = 1
    for (rules, shape), group in groupby(_parse(texts, box, alphabet), itemgetter(0)):
        while chunk := [*islice(group, max_boards(shape))]:
            # Of each board: a solution (zeros if none is given), its line and its other fields
            boards: list[Board] = []
            solutions: list[Board] = []
            bad: list[BadRecord] = []
            lines: list[int] = []
            others: list[Fields] = []
            for _, line, fields, found, reason in chunk:
                if found is None:
                    bad.append(BadRecord(len(boards), line, reason, fields))
                    continue
                board, solution = found
                boards.append(board)
                solutions.append(np.zeros_like(board) if solution is None else solution)
                lines.append(line)
                others.append(fields)
            yield Records(
                source.name,
                shape,
                Alphabet.named(symbols, shape.n),
                np.array(boards, np.uint8).reshape(-1, shape.cells),
                np.array(lines, np.int64),
                np.array(solutions, np.uint8).reshape(-1, shape.cells),
                bad=tuple(bad),
                rules=rules,
                first_number=first_number,
                bytes_read=source.bytes_read,
                total_bytes=source.total_bytes,
                others=others if any(others) else None,
            )
            first_number += len(boards)


def _parse(texts: Iterable[memoryview], box: Box | None, alphabet: str) -> Iterator[Entry]:
    """Yield what each link and object describes; a bad record is in a chunk with those before."""
    from .puzzle import IGNORED, parse_puzzle  # most files have no rules
    from .rules import SudokuRules
    from .units import check_units

    @lru_cache(MAX_PARSED)
    def parse(text: str) -> tuple[tuple[SudokuRules, Box], tuple[Board, Board | None]]:
        constraints, shape, board, solution = parse_puzzle(text, box, alphabet)
        rules = SudokuRules(**constraints)
        if board is None or shape is None:
            raise ValueError("no board in the JSON object")
        check_units(rules, shape)
        return (rules, shape), (board, solution)

    # The rules and the box by which chunks are divided: of the last record that could be read
    key: tuple[SudokuRules | None, Box] = (None, box or Box(3, 3))
    for line, entry, reason in _entries(texts):
        fields = {
            name: value
            for name, value in other_fields(parse_object(entry) or {}).items()
            if name != "size" and (name in IGNORED or is_remark(value))
        }
        try:
            if reason:
                raise ValueError(reason)
            key, found = parse(entry)
        except (ValueError, TypeError) as error:
            yield key, line, fields, None, str(error)
        else:
            yield key, line, fields, found, ""


def _entries(texts: Iterable[memoryview]) -> Iterator[tuple[int, str, str]]:
    """Yield the line and the text of each link and object, and "" or what is wrong with it."""
    content = b"".join(map(bytes, texts))
    links = [line.decode("utf-8", "replace").strip() for line in content.splitlines()]
    if any(map(is_link, links)):
        yield from ((number, link, "") for number, link in enumerate(links, 1) if link)
    else:
        for line, kind, text, error in split_json(content):
            if kind not in (OPEN, CLOSE):
                yield line, text, error or ("expected a JSON object" if kind != OBJECT else "")
