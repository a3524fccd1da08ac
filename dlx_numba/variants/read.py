"""Files of puzzles with rules: JSON objects and links."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..runtime.source import Source
from ..sudoku.box import Box
from ..sudoku.io.objects import ObjectSplitter
from ..sudoku.io.read import ChunkSize, Reader
from ..sudoku.io.records import BadRecord, Records
from ..sudoku.io.symbols import Alphabet
from ..sudoku.io.table import RULES
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
    from .puzzle import parse_puzzle  # most files have no rules
    from .rules import SudokuRules
    from .units import check_units

    splitter, line = ObjectSplitter(), 0
    chunk = _Chunk(None, box or Box(3, 3), 1)
    for text in texts:
        for content in bytes(text).splitlines():
            line += 1
            link = content.decode("utf-8", "replace").strip()
            entries = [(line, content)] if is_link(link) else splitter.split(content, line)
            for start, entry in entries:
                try:
                    constraints, shape, board = parse_puzzle(entry.decode(), box, alphabet)
                    rules = SudokuRules(**constraints)
                    if board is None or shape is None:
                        raise ValueError("no board in the JSON object")
                    check_units(rules, shape)
                except (ValueError, TypeError) as error:
                    chunk.bad.append(BadRecord(len(chunk.boards), start, str(error)))
                    continue
                is_full = len(chunk.boards) == max_boards(shape)
                if (rules, shape) != (chunk.rules, chunk.box) or is_full:
                    yield from chunk.records(source, alphabet)
                    chunk = _Chunk(rules, shape, chunk.first_number + len(chunk.boards))
                chunk.boards.append(board)
                chunk.lines.append(start)
    if splitter.depth:
        reason = "the JSON object is not closed"
        chunk.bad.append(BadRecord(len(chunk.boards), splitter.start, reason))
    yield from chunk.records(source, alphabet)


class _Chunk:
    """Puzzles of the same size and rules, which are collected."""

    def __init__(self, rules: "SudokuRules | None", box: Box, first_number: int) -> None:
        self.rules, self.box, self.first_number = rules, box, first_number
        self.boards: list[NDArray[np.uint8]] = []
        self.lines: list[int] = []
        self.bad: list[BadRecord] = []

    def records(self, source: Source, alphabet: str) -> Iterator[Records]:
        """Yield the chunk, unless it is empty."""
        if self.boards or self.bad:
            boards = np.array(self.boards, np.uint8).reshape(-1, self.box.cells)
            name = "1-9A-" if alphabet == "auto" else alphabet
            yield Records(
                source.name,
                self.box,
                Alphabet.named(name, self.box.n),
                boards,
                np.array(self.lines, np.int64),
                bad=tuple(self.bad),
                rules=self.rules,
                first_number=self.first_number,
                bytes_read=source.bytes_read,
                total_bytes=source.total_bytes,
            )
