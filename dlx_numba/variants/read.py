"""Files of puzzles with rules: JSON objects and links."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..runtime.source import Source
from ..sudoku.box import Box
from ..sudoku.io.json import CLOSE, OBJECT, OPEN, split_json
from ..sudoku.io.read import ChunkSize, Reader
from ..sudoku.io.records import BadRecord, Records
from ..sudoku.io.symbols import Alphabet
from ..sudoku.io.table import RULES, id_of, parse_object
from .fpuzzles import is_link

if TYPE_CHECKING:
    from .rules import SudokuRules

_OBJECT = re.compile(rb"[\[\s]*\{")
_MARK = re.compile(rb'"(?:grid"\s*:\s*\[|(?:%s)"\s*:)' % "|".join(RULES).encode())


def find_reader(head: bytes) -> Reader | None:
    """Return the reader for a text that starts with objects or links with rules, otherwise None.

    Examples
    --------
    >>> find_reader(b'{"puzzle": "1..."}') is None, find_reader(b'{"anti_king": true}') is None
    (True, False)
    """
    first_line = head.lstrip().split(b"\n", 1)[0]
    has_rules = _OBJECT.match(head) and _MARK.search(head)
    return _read if has_rules or is_link(first_line.decode("utf-8", "replace")) else None


def _read(
    source: Source,
    texts: Iterable[memoryview],
    box: Box | None,
    alphabet: str,
    max_boards: ChunkSize,
) -> Iterator[Records]:
    """Yield the puzzles of a text in chunks, each with puzzles of the same size and rules."""
    name = "1-9A-" if alphabet == "auto" else alphabet
    first_number = 1
    boards: list[NDArray[np.uint8]] = []
    lines: list[int] = []
    ids: list[str] = []
    bad: list[BadRecord] = []
    shape = box or Box(3, 3)
    rules: SudokuRules | None = None

    def chunk() -> Records:
        return Records(
            source.name,
            shape,
            Alphabet.named(name, shape.n),
            np.array(boards, np.uint8).reshape(-1, shape.cells),
            np.array(lines, np.int64),
            bad=tuple(bad),
            rules=rules,
            first_number=first_number,
            bytes_read=source.bytes_read,
            total_bytes=source.total_bytes,
            ids=ids if any(ids) else None,
        )

    for line, entry, reason in _entries(texts):
        record_id = id_of(parse_object(entry))
        try:
            if reason:
                raise ValueError(reason)
            found, found_shape, board = _parse(entry, box, alphabet)
        except (ValueError, TypeError) as error:
            bad.append(BadRecord(len(boards), line, str(error), record_id))
            continue
        if (found, found_shape) != (rules, shape) or len(boards) == max_boards(shape):
            if boards or bad:
                yield chunk()
            first_number += len(boards)
            boards, lines, ids, bad = [], [], [], []
            shape, rules = found_shape, found
        boards.append(board)
        lines.append(line)
        ids.append(record_id)
    if boards or bad:
        yield chunk()


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


def _parse(
    entry: str, box: Box | None, alphabet: str
) -> tuple["SudokuRules", Box, NDArray[np.uint8]]:
    """Return the rules, the box and the board of an object or a link."""
    from .puzzle import parse_puzzle  # most files have no rules
    from .rules import SudokuRules
    from .units import check_units

    constraints, shape, board = parse_puzzle(entry, box, alphabet)
    rules = SudokuRules(**constraints)
    if board is None or shape is None:
        raise ValueError("no board in the JSON object")
    check_units(rules, shape)
    return rules, shape, board
