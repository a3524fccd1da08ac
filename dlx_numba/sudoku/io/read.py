"""Reading files of boards in any known format as chunks of records."""

import os
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO

import numpy as np

from ...jit.compile import without_delay
from ...runtime.errors import UnreadableError
from ...runtime.source import Source
from ..box import Box
from .arrays import ArrayReader, lines_of_arrays, looks_like_arrays
from .lines import LineReader, line_at
from .objects import ObjectReader, lines_of_objects, looks_like_objects
from .record_buffer import RecordBuffer, RecordCollector
from .records import Records
from .scan import FULL, OTHER, POSITION, scan, scan_plain
from .sniff import HEAD_BYTES, sniff
from .symbols import select_alphabet

MAX_CHUNK_CELLS = 1 << 23  # limits the memory for chunks of large boards
MAX_PLAIN_BYTES = 1 << 12  # texts for which the kernels are not compiled; this takes 10 ms


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
        head = bytes(next(texts, b""))
        are_objects, are_arrays = looks_like_objects(head), looks_like_arrays(head)
        lines = lines_of_arrays(head) if are_arrays else head
        if are_objects:
            lines = lines_of_objects(head)
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
        for buffer in _read_chunks(chain([head], texts), reader, is_typed=opened.is_terminal):
            # The ratio of compression varies, so the estimate for a compressed file may decrease.
            bytes_read = max(bytes_read, round(opened.bytes_read * reader.scanned_fraction))
            yield Records(
                source=opened.name,
                box=box,
                alphabet=symbols,
                boards=buffer.boards[: buffer.count],
                lines=buffer.lines[: buffer.count],
                solutions=buffer.stated_solutions(),
                counts=buffer.stated_counts(),
                difficulties=buffer.stated_difficulties(),
                bad=tuple(buffer.bad),
                notices=notices,
                first_number=first_number,
                bytes_read=bytes_read,
                total_bytes=opened.total_bytes,
            )
            notices = ()
            first_number += buffer.count


def _read_chunks(
    texts: Iterable[bytes | memoryview], reader: RecordCollector, is_typed: bool
) -> Iterator[RecordBuffer]:
    """Read texts of whole lines, with the kernel if it can read them, otherwise line by line.

    If the texts are typed, their complete records do not wait for the following texts.
    """
    error: UnreadableError | None = None
    pieces = iter(texts)
    text_bytes = 0
    while True:
        try:
            text = next(pieces, None)
        except UnreadableError as raised:  # the boards read before the error are not lost
            error = raised
            break
        if text is None:
            break
        text_bytes += len(text)
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
            unread = len(text) - int(reader.buffer.state[POSITION])
            reader.scanned_fraction = 1 - unread / text_bytes
            yield from reader.take_full()
        if is_typed:
            reader.start_buffer()
            yield from reader.take_full()
    reader.end_drawing()
    reader.start_buffer()
    yield from reader.take_full()
    if error is not None:
        raise error
