"""Read files of boards in any known format as chunks of records."""

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import IO, Any

from ...runtime.arrays import looks_like_arrays
from ...runtime.errors import UnreadableError
from ...runtime.source import Source
from ..box import Box
from .apps import Comments, as_lines
from .folded import unfold
from .json import ArraySplitter, ObjectSplitter, looks_like_objects
from .lines import LineReader
from .records import Records
from .sniff import HEAD_BYTES, sniff
from .symbols import parse_blanks, select_alphabet
from .table import LineSplitter

ChunkSize = Callable[[Box], int]  # the maximum number of boards in a chunk
# Reads lines of a source into chunks of boards with a box, in an alphabet.
Reader = Callable[[Source, Iterable[memoryview], Box | None, str, ChunkSize], Iterator[Records]]
ReaderFinder = Callable[[bytes], Reader | None]

MAX_CHUNK_CELLS = 1 << 23  # limits the memory for chunks of large boards


def read_records(
    source: str | os.PathLike[str] | IO[Any],
    *,
    box: Box | None = None,
    alphabet: str = "auto",
    blank: str = "",
    chunk_boards: int | ChunkSize = 8192,
    block_bytes: int = 1 << 18,
    find_reader: ReaderFinder | None = None,
) -> Iterator[Records]:
    r"""Read the boards of a source.

    The formats are detected line by line; the modules `scan`, `lines` and `table` define them,
    `json` those of lists and objects, and `apps` those of files and links of apps. The memory in
    use does not depend on the size of the source, unless it consists of lists or of JSON objects on
    several lines, or is XML. A comment after a board, such as ` # 7`, is its `id`.

    Parameters
    ----------
    source
        A path, `-` for standard input, or an open file; it may be compressed with gzip.
    box
        The box of all boards; None for the one that the first drawings show, or else the standard
        box of the size that most first boards have.
    alphabet
        The symbols: "auto", or the name of an alphabet for boards of this size.
    blank
        Further symbols of empty cells.
    chunk_boards
        The maximum number of boards in a chunk, or a function that returns it for a box.
    block_bytes
        The maximum number of bytes that are read at once.
    find_reader
        A function that returns a reader for a text that starts with the given bytes, or None for
        the readers of this package.

    Yields
    ------
    Records
        Chunks of boards, and of the text that could not be read as a board, in order. A table
        without rows is an empty chunk.

    Raises
    ------
    UnreadableError
        If the source cannot be read or is not text, or its boards are too large.
    ValueError
        If there is no such alphabet for boards of this size, or `blank` has a symbol that is a
        value.

    Examples
    --------
    >>> import io
    >>> [chunk] = read_records(io.BytesIO(b"12...34..2..4..1\n"))
    >>> chunk.boards.shape, str(chunk.box), chunk.alphabet.name
    ((1, 16), '2x2', '1-4')
    """
    max_boards = chunk_boards if callable(chunk_boards) else lambda _: chunk_boards
    with Source(source, block_bytes) as opened:
        start, texts = _peek(opened.whole_lines(HEAD_BYTES))
        if find_reader is not None and (read := find_reader(start)) is not None:
            yield from read(opened, texts, box, alphabet, max_boards)
            return
        blanks = parse_blanks(blank)
        # Each stage reads the blocks of the one before, and keeps the numbers of the lines: the
        # formats of apps become lines (`as_lines`), a folded board becomes one line (`unfold`),
        # comments are noted (`Comments.note`), and the reader makes records.
        start, texts = _peek(unfold(as_lines(texts, start, opened.name), blanks))
        comments = Comments()
        splitter = ArraySplitter if looks_like_arrays(start) else LineSplitter
        if looks_like_objects(start):
            splitter = ObjectSplitter
        head = splitter()
        pieces = head.split_all(start)
        if head.table is not None and (name := head.table.find_repeated()) is not None:
            raise UnreadableError(opened.name, f"two columns are called {name!r}")
        box, seen = sniff(pieces, box, blanks)
        symbols, is_ambiguous = select_alphabet(alphabet, box.n, seen, blanks)
        chunk_boards = min(max_boards(box), max(1, MAX_CHUNK_CELLS // box.cells))
        notices = (f"the alphabet is ambiguous: read as {symbols.name}",) if is_ambiguous else ()
        reader = LineReader(symbols, chunk_boards, box, splitter())
        first_number = 1
        if "#" not in blank:
            texts = comments.note(texts, lambda: reader.next_line)
        for chunk in _read_chunks(texts, reader, opened):
            yield (chunk if chunk.columns else comments.added_to(chunk)).replace(
                source=opened.name,
                notices=notices,
                first_number=first_number,
                bytes_read=opened.bytes_read,
                total_bytes=opened.total_bytes,
                is_followed=not opened.is_idle,
            )
            notices = ()  # the first chunk has them
            first_number += len(chunk)
            # Further blocks are as large as chunks, which then need not be divided.
            opened.block_bytes = max(block_bytes, chunk_boards * (box.cells + 1))


def _peek(texts: Iterator[memoryview]) -> tuple[bytes, Iterator[memoryview]]:
    """Return the first bytes of a text, and its blocks, of which none is missing."""
    head = next(texts, memoryview(b""))
    return bytes(head[:HEAD_BYTES]), chain([head], texts)


def _read_chunks(
    texts: Iterable[memoryview], reader: LineReader, source: Source
) -> Iterator[Records]:
    """Read texts of whole lines.

    Complete records do not wait for text that the source does not have yet: then `source.is_idle`
    is set, which the caller reads with each chunk.
    """
    late_error: UnreadableError | None = None
    try:
        for text in texts:
            yield from reader.read(text)
            # No later text belongs to a bad record, or is awaited below a title.
            needs_no_more = reader.ends_with_bad or bool(reader.titles)
            source.is_idle |= source.is_waiting and needs_no_more
            if source.is_idle:
                reader.end_board()
                reader.end_chunk(is_answered=not source.is_terminal)
                yield from reader.take_chunks()
    except UnreadableError as raised:  # the boards read before the error are not lost
        late_error = raised
    yield from reader.end()
    if reader.is_empty_table:
        yield reader.records
    if late_error is not None:
        raise late_error


def may_have_names(source: Any) -> bool:
    """Return whether a file has signs of other fields: of objects, comments, or remarks.

    The file is searched faster than it is read.
    """
    with Source(source) as opened:
        texts = map(bytes, opened.whole_lines(HEAD_BYTES))
        return any(sign in text for text in texts for sign in (b"{", b"#", b" "))
