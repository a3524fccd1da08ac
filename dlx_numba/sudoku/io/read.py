"""Files of boards, in whatever style, as chunks of records."""

import os
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO

import numpy as np

from ...runtime.errors import UnreadableError
from ...runtime.source import Source
from ..box import Box
from .chunk import Chunk
from .lines import LineReader, line_at
from .records import Records
from .scan import FULL, OTHER, POSITION, scan
from .sniff import HEAD, sniff
from .symbols import Alphabet, choose_alphabet


def read_boards(
    source: str | os.PathLike[str] | BinaryIO,
    *,
    box: Box | None = None,
    alphabet: str = "auto",
    chunk_boards: int = 8192,
    block_bytes: int = 1 << 18,
) -> Iterator[Records]:
    """Read `source`: a path, `-` for standard input, or a binary file; compressed by gzip or not.

    Every board and every text that stands where a board should is told of, in order; all that is
    known of how a text may look is in `scan` and `lines`. Memory does not grow with the file. All
    boards of a source have one size: that of `box`, or else of its first board.

    Raises UnreadableError where the source cannot be read or is no text, and ValueError where
    `chunk_boards` is not positive, or `alphabet` is neither `auto` nor one for boards of that size.

    >>> import io
    >>> [chunk] = read_boards(io.BytesIO(b"12...34..2..4..1\\n"))
    >>> chunk.boards.shape, str(chunk.box), chunk.alphabet.name
    ((1, 16), '2x2', '1-4')
    """
    if chunk_boards < 1:
        raise ValueError(f"chunk_boards must be 1 or more, not {chunk_boards}")
    with Source(source, block_bytes) as opened:
        texts = opened.whole_lines(HEAD)
        head = next(texts, b"")
        side, seen = sniff(head, box.n if box else None)
        box = box or Box.of_side(side)
        symbols, notices = _choose(alphabet, side, seen)
        for chunk in _read_chunks(chain([head], texts), LineReader(symbols, chunk_boards)):
            yield Records(
                source=opened.name,
                box=box,
                alphabet=symbols,
                boards=chunk.boards[: chunk.count],
                lines=chunk.lines[: chunk.count],
                solutions=chunk.told_solutions(),
                counts=chunk.told_counts(),
                difficulties=chunk.told_difficulties(),
                bad=tuple(chunk.bad),
                notices=notices,
                bytes_read=opened.bytes_read,
                total_bytes=opened.total_bytes,
            )
            notices = ()


def _choose(name: str, side: int, seen: bytes) -> tuple[Alphabet, tuple[str, ...]]:
    if name != "auto":
        return Alphabet.named(name, side), ()
    alphabet, ambiguous = choose_alphabet(side, seen)
    notice = f"the alphabet is ambiguous: read as {alphabet.name}"
    return alphabet, (notice,) if ambiguous else ()


def _read_chunks(texts: Iterable[bytes], reader: LineReader) -> Iterator[Chunk]:
    """Read texts of whole lines, by the kernel while it can and else line by line."""
    error: UnreadableError | None = None
    pieces = iter(texts)
    while True:
        try:
            text = next(pieces, None)
        except UnreadableError as raised:  # what came before is not lost
            error = raised
            break
        if text is None:
            break
        data = np.frombuffer(text, np.uint8)
        reader.chunk.state[POSITION] = 0
        while (position := int(reader.chunk.state[POSITION])) < len(text):
            chunk, count = reader.chunk, reader.chunk.count
            stopped = OTHER
            if reader.leaves_to_kernel(text[position]):
                stopped = scan(
                    data,
                    chunk.state,
                    reader.alphabet.decode,
                    reader.alphabet.n,
                    chunk.boards,
                    chunk.solutions,
                    chunk.lines,
                    chunk.starts,
                )
                reader.rate(text, count)
            if stopped == FULL:
                reader.start_chunk()
            elif stopped == OTHER:
                line = line_at(text, int(chunk.state[POSITION]))
                reader.read(line[1])
                reader.chunk.state[POSITION] = line.end()
            yield from reader.take_full()
    reader.end_drawing()
    reader.start_chunk()
    yield from reader.take_full()
    if error is not None:
        raise error
