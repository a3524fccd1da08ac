"""Read files of boards in any known format as chunks of records."""

import os
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from ...jit.compile import without_delay
from ...runtime.arrays import looks_like_arrays
from ...runtime.errors import UnreadableError
from ...runtime.source import Source
from ..box import Box
from .arrays import ArrayReader, lines_of_arrays
from .lines import LineReader, line_at
from .objects import ObjectReader, lines_of_objects, looks_like_objects
from .record_buffer import RecordBuffer, RecordCollector
from .records import PlainRecords, Records
from .scan import FULL, LINE, OTHER, POSITION, is_plain, scan, scan_plain
from .sniff import HEAD_BYTES, sniff
from .symbols import Values, select_alphabet

MAX_CHUNK_CELLS = 1 << 23  # limits the memory for chunks of large boards
MAX_PYTHON_BYTES = 1 << 12  # which plain Python reads in 10 ms, so the kernels are not compiled
MIN_PLAIN_BYTES = 1 << 16  # smaller texts are decoded at once, also if all lines are plain


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
        reader_class, lines = _detect_reader(bytes(head))
        side, seen, blanks = sniff(lines, box.n if box else None)
        box = box or Box.of_side(side)
        symbols, is_ambiguous = select_alphabet(alphabet, side, seen, blanks)
        chunk_boards = min(chunk_boards, max(1, MAX_CHUNK_CELLS // box.cells))
        notices = (f"the alphabet is ambiguous: read as {symbols.name}",) if is_ambiguous else ()
        reader = reader_class(symbols, chunk_boards, box)
        first_number, bytes_read = 1, 0
        for chunk in _read_chunks(chain([head], texts), reader, is_typed=opened.is_terminal):
            # The ratio of compression varies, so the estimate for a compressed file may decrease.
            bytes_read = max(bytes_read, round(opened.bytes_read * reader.read_fraction))
            records = chunk.records(
                source=opened.name,
                box=box,
                alphabet=symbols,
                notices=notices,
                first_number=first_number,
                bytes_read=bytes_read,
                total_bytes=opened.total_bytes,
            )
            yield records
            notices = ()
            first_number += len(records)
            # Blocks that are as large as chunks are not divided.
            opened.block_bytes = max(block_bytes, chunk_boards * (box.cells + 1))


def _detect_reader(head: bytes) -> tuple[type[RecordCollector], bytes]:
    """Return the reader for a text that starts with `head`, and the puzzles of `head` as lines."""
    if looks_like_objects(head):
        return ObjectReader, lines_of_objects(head)
    if looks_like_arrays(head):
        return ArrayReader, lines_of_arrays(head)
    return LineReader, head


class _PlainLines(NamedTuple):
    """Lines that contain nothing but a puzzle, and the number of the first one in the source."""

    text: Values
    first_line: int

    def records(self, **attributes: Any) -> PlainRecords:
        """Return the records, with the attributes that are those of the source."""
        return PlainRecords(*self, **attributes)


def _read_chunks(
    texts: Iterable[memoryview], reader: RecordCollector, is_typed: bool
) -> Iterator[RecordBuffer | _PlainLines]:
    """Read texts of whole lines: plain lines at once, others with the kernels or line by line.

    If the texts are typed, their complete records do not wait for the following texts.
    """
    error: UnreadableError | None = None
    plain_text = memoryview(b"")  # not yet read, because the next line may solve its last puzzle
    try:
        for text in texts:
            reader.n_loaded += len(text)
            if not is_typed and _are_plain(text, reader):
                yield from reader.take_all()
                yield from _plain_chunks(plain_text, reader)
                plain_text = text
            else:
                yield from _read_text(plain_text, reader)
                yield from _read_text(text, reader)
                plain_text = memoryview(b"")
            if is_typed:
                yield from reader.take_all()
    except UnreadableError as raised:  # the boards read before the error are not lost
        error = raised
    yield from _plain_chunks(plain_text, reader)
    reader.end_drawing()
    yield from reader.take_all()
    if error is not None:
        raise error


def _are_plain(text: memoryview, reader: RecordCollector) -> bool:
    """Return whether all lines of a text contain nothing but a puzzle, and are worth the test."""
    return (
        len(text) >= MIN_PLAIN_BYTES
        and reader.expects_plain_lines
        and reader.kernel_can_read(text[0])
        and is_plain(np.frombuffer(text, np.uint8), reader.alphabet.n, reader.cells)
    )


def _plain_chunks(text: memoryview, reader: RecordCollector) -> Iterator[_PlainLines]:
    """Yield plain lines in chunks, and move the reader past them."""
    lines = np.frombuffer(text, np.uint8).reshape(-1, reader.cells + 1)
    for start in range(0, len(lines), reader.chunk_boards):
        chunk = lines[start : start + reader.chunk_boards]
        yield _PlainLines(chunk, reader.buffer.line)
        reader.buffer.state[LINE] += len(chunk)


def _read_text(text: memoryview, reader: RecordCollector) -> Iterator[RecordBuffer]:
    """Read a text with the kernels where they can read it, otherwise line by line."""
    data = np.frombuffer(text, np.uint8)
    is_small = len(text) <= MAX_PYTHON_BYTES
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
