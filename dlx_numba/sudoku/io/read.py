"""Reading files of boards in any known format as chunks of records."""

import os
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from ...jit.compile import without_delay
from ...runtime.errors import UnreadableError
from ...runtime.source import Source
from ..box import Box
from .arrays import ArrayReader, lines_of_arrays, looks_like_arrays
from .lines import LineReader, line_at
from .objects import ObjectReader, lines_of_objects, looks_like_objects
from .record_buffer import RecordBuffer, RecordCollector
from .records import PlainRecords, Records
from .scan import FULL, LINE, OTHER, POSITION, is_plain, scan, scan_plain
from .sniff import HEAD_BYTES, sniff
from .symbols import Values, select_alphabet

MAX_CHUNK_CELLS = 1 << 23  # limits the memory for chunks of large boards
MAX_PLAIN_BYTES = 1 << 12  # texts for which the kernels are not compiled; this takes 10 ms
MIN_BLOCK_BYTES = 1 << 16  # a text whose lines are not decoded at once if all of them are plain


def read_boards(
    source: str | os.PathLike[str] | BinaryIO,
    *,
    box: Box | None = None,
    alphabet: str = "auto",
    chunk_boards: int = 8192,
    block_bytes: int = 1 << 18,
) -> Iterator[Records]:
    r"""Read the boards of a source.

    The formats are detected line by line; the modules `scan` and `lines` define them, `arrays` and
    `objects` those of lists. The memory in use does not depend on the size of the source.

    Parameters
    ----------
    source
        A path, `-` for standard input, or a binary file; it may be compressed with gzip.
    box
        The box of all boards; None for the standard box of the size that most first boards have.
    alphabet
        The symbols: "auto", or the name of an alphabet for boards of this size.
    chunk_boards
        The maximum number of boards in a chunk.
    block_bytes
        The maximum number of bytes that are read at once.

    Yields
    ------
    Records
        Chunks of boards, and of the text that could not be read as a board, in order.

    Raises
    ------
    UnreadableError
        If the source cannot be read or is not text.
    ValueError
        If `chunk_boards` is not positive, or there is no such alphabet for boards of this size.

    Examples
    --------
    >>> import io
    >>> [chunk] = read_boards(io.BytesIO(b"12...34..2..4..1\n"))
    >>> chunk.boards.shape, str(chunk.box), chunk.alphabet.name
    ((1, 16), '2x2', '1-4')
    """
    if chunk_boards < 1:
        raise ValueError(f"chunk_boards must be 1 or more, not {chunk_boards}")
    with Source(source, block_bytes) as opened:
        texts = opened.whole_lines(HEAD_BYTES)
        head = next(texts, memoryview(b""))
        lines = bytes(head)
        are_objects, are_arrays = looks_like_objects(lines), looks_like_arrays(lines)
        if are_objects:
            lines = lines_of_objects(lines)
        elif are_arrays:
            lines = lines_of_arrays(lines)
        side, seen, blanks = sniff(lines, box.n if box else None)
        box = box or Box.of_side(side)
        symbols, is_ambiguous = select_alphabet(alphabet, side, seen, blanks)
        chunk_boards = min(chunk_boards, max(1, MAX_CHUNK_CELLS // box.cells))
        notices = (f"the alphabet is ambiguous: read as {symbols.name}",) if is_ambiguous else ()
        first_number = 1
        reader: RecordCollector = LineReader(symbols, chunk_boards, box.rows)
        if are_objects:
            reader = ObjectReader(symbols, chunk_boards, box.rows)
        elif are_arrays:
            reader = ArrayReader(symbols, chunk_boards)
        bytes_read = 0
        for chunk in _read_chunks(chain([head], texts), reader, is_typed=opened.is_terminal):
            # The ratio of compression varies, so the estimate for a compressed file may decrease.
            bytes_read = max(bytes_read, round(opened.bytes_read * reader.read_fraction))
            attributes = {
                "source": opened.name,
                "box": box,
                "alphabet": symbols,
                "notices": notices,
                "first_number": first_number,
                "bytes_read": bytes_read,
                "total_bytes": opened.total_bytes,
            }
            records = _records(chunk, attributes)
            yield records
            notices = ()
            first_number += len(records)
            # Blocks that are as large as chunks are not divided.
            opened.block_bytes = max(block_bytes, chunk_boards * (box.cells + 1))


class _PlainLines(NamedTuple):
    """Lines that contain nothing but a puzzle, and the number of the first one in the source."""

    text: Values
    first_line: int


def _records(chunk: RecordBuffer | _PlainLines, attributes: dict[str, Any]) -> Records:
    """Return the records of a chunk, with the attributes that are those of the source."""
    if isinstance(chunk, _PlainLines):
        return PlainRecords(*chunk, **attributes)
    return Records(
        boards=chunk.boards[: chunk.count],
        lines=chunk.lines[: chunk.count],
        solutions=chunk.stated_solutions(),
        counts=chunk.stated_counts(),
        difficulties=chunk.stated_difficulties(),
        bad=tuple(chunk.bad),
        **attributes,
    )


def _read_chunks(
    texts: Iterable[memoryview], reader: RecordCollector, is_typed: bool
) -> Iterator[RecordBuffer | _PlainLines]:
    """Read texts of whole lines: plain lines at once, others with the kernels or line by line.

    If the texts are typed, their complete records do not wait for the following texts.
    """
    error: UnreadableError | None = None
    pieces = iter(texts)
    held = memoryview(b"")  # plain lines; what follows may belong to the last puzzle
    while True:
        try:
            text = next(pieces, None)
        except UnreadableError as raised:  # the boards read before the error are not lost
            error = raised
            break
        if text is None:
            break
        reader.n_loaded += len(text)
        if _are_plain(text, reader):
            reader.start_buffer()
            yield from reader.take_full()
            yield from _take_plain(held, reader)
            held = text
        else:
            for piece in (held, text):
                yield from _read_text(piece, reader)
            held = memoryview(b"")
        if is_typed:
            reader.start_buffer()
            yield from reader.take_full()
    yield from _take_plain(held, reader)
    reader.end_drawing()
    reader.start_buffer()
    yield from reader.take_full()
    if error is not None:
        raise error


def _are_plain(text: memoryview, reader: RecordCollector) -> bool:
    """Return whether all lines of a text contain nothing but a puzzle, and are worth the test."""
    return (
        len(text) >= MIN_BLOCK_BYTES
        and reader.expects_plain_lines
        and reader.kernel_can_read(text[0])
        and is_plain(np.frombuffer(text, np.uint8), reader.alphabet.n, reader.cells)
    )


def _take_plain(text: memoryview, reader: RecordCollector) -> Iterator[_PlainLines]:
    """Yield plain lines in chunks, and move the reader past them."""
    lines = np.frombuffer(text, np.uint8).reshape(-1, reader.cells + 1)
    for start in range(0, len(lines), reader.chunk_boards):
        chunk = lines[start : start + reader.chunk_boards]
        yield _PlainLines(chunk, reader.buffer.line)
        reader.buffer.state[LINE] += len(chunk)


def _read_text(text: memoryview, reader: RecordCollector) -> Iterator[RecordBuffer]:
    """Read a text with the kernels where they can read it, otherwise line by line."""
    data = np.frombuffer(text, np.uint8)
    is_small = len(text) <= MAX_PLAIN_BYTES
    read_plain_lines = without_delay(scan_plain) if is_small else scan_plain
    read_lines = without_delay(scan) if is_small else scan
    reader.buffer.state[POSITION] = 0
    while (position := int(reader.buffer.state[POSITION])) < len(text):
        buffer, count = reader.buffer, reader.buffer.count
        status = OTHER
        if reader.kernel_can_read(text[position]):
            if reader.expects_plain_lines:
                status = read_plain_lines(
                    data,
                    buffer.state,
                    reader.alphabet.n,
                    buffer.boards,
                    buffer.lines,
                    buffer.starts,
                )
            if status == OTHER:
                status = read_lines(
                    data,
                    buffer.state,
                    reader.alphabet.decode,
                    reader.alphabet.n,
                    buffer.boards,
                    buffer.solutions,
                    buffer.lines,
                    buffer.starts,
                )
            reader.read_ratings(text, count)
        if status == FULL:
            reader.start_buffer()
        elif status == OTHER:
            line = line_at(text, int(buffer.state[POSITION]))
            reader.read(line[1])
            reader.buffer.state[POSITION] = line.end()
        reader.n_unread = len(text) - int(reader.buffer.state[POSITION])
        yield from reader.take_full()
