"""Read files, gzip files and standard input: as a whole, in blocks, or in whole lines."""

import os
import re
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader, BytesIO, FileIO, RawIOBase
from typing import IO, Any, BinaryIO, cast

from .errors import MissingFileError, TooLargeError, UnreadableError
from .files import is_terminal, regular_file_size
from .interrupts import is_from_handler

BLOCK_BYTES = 1 << 18
HEAD_BYTES = 1 << 16  # of `open_head`
MAX_CONTENT_BYTES = 1 << 28  # of a compressed file that is read as a whole
MAX_LINE_BYTES = 1 << 24
SECONDS_UNTIL_ANSWER = 0.02  # after a line; the lines of a pasted text follow sooner
MAX_NULL_FRACTION = 0.001  # of the first bytes of a text, beside a single one
BINARY = "binary data, not text"
_SMALL_BUFFER = 1 << 12

_GZIP_MAGIC = b"\x1f\x8b"
_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
# A carriage return at the end may be the first half of a line end.
_WHOLE_LINES = re.compile(rb".*(?:\n|\r(?=.))", re.DOTALL)
_PUZZLE = re.compile(rb"(?=[1-9]*[0.])[0-9.]{81}|\{.*\}\s*")
_RECENT_BYTES = 1 << 12  # two lines with puzzles or objects


class _StoredFile(RawIOBase):
    """Raw stream that counts the bytes read from a binary file, before decompression.

    It does not read beyond the end, because a terminal would then wait for further text.
    """

    def __init__(self, file: Any) -> None:
        self.file = file
        self.count = 0
        self.is_at_end = False
        self._start = b""  # has been read by `is_compressed`, or exceeded a buffer
        self._readinto = file.readinto if isinstance(file, RawIOBase) else self._read1_into
        # read1 returns what an interactive pipe has, instead of waiting for a whole block.
        self._read1 = getattr(file, "read1", file.read)

    def is_compressed(self) -> bool:
        """Return whether this is a gzip file. Its first bytes are read again afterward."""
        start = b""
        # A pipe may return a single byte at first, and wait for an answer to a shorter line.
        while start != _GZIP_MAGIC and _GZIP_MAGIC.startswith(start) and (byte := self.read(1)):
            start += byte
        self._start = start + self._start
        return start == _GZIP_MAGIC

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer: first what was read before, then the source. Return the size."""
        if self._start:
            size = min(len(buffer), len(self._start))
            buffer[:size], self._start = self._start[:size], self._start[size:]
            return size
        if self.is_at_end:
            return 0
        size = self._readinto(buffer) or 0
        self.count += size
        self.is_at_end = size == 0
        return size

    def _read1_into(self, buffer: Any) -> int:
        """Read into a buffer from a file object of a caller, which may yield texts.

        What a text has more than fits is read the next time.
        """
        data = self._read1(len(buffer))
        if isinstance(data, str):
            encoded = data.encode("utf-8", "surrogatepass")
            data = encoded[: len(buffer)]
            self._start = encoded[len(buffer) :]
            self.count += len(self._start)  # what is read again is not counted
        buffer[: len(data)] = data
        return len(data)


def _are_puzzles(text: bytes) -> bool:
    """Return whether the last two lines are 9×9 puzzles or JSON objects.

    No solution or remark on a further line can belong to these, so they can be answered at once: a
    program that waits for an answer writes such lines.
    """
    return all(map(_PUZZLE.fullmatch, text.splitlines()[-2:]))


def _allocate(size: int, text: memoryview) -> memoryview:
    """Return memory that starts with a text. Clearing the rest would take as long as reading."""
    import numpy as np  # slow, and the help of commands reads nothing

    memory = memoryview(np.empty(size, np.uint8))  # type: ignore[arg-type]
    memory[: len(text)] = text
    return memory


class HeadedFile(FileIO):
    """A file whose beginning was read. A `Source` reads all of it, and closes it unless kept."""

    is_kept = False

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep the file open within a block, in which a `Source` reads the beginning."""
        self.is_kept = True
        try:
            yield
        finally:
            self.is_kept = False

    def __del__(self) -> None:
        self.close()


class Source:
    """A file or stream opened for reading; gzip files are recognized by their first bytes.

    As a context manager, it closes the file at the end of the block if it opened the file.

    Parameters
    ----------
    source : str, path-like or file
        A path, `-` for standard input, or a file object with a `read` method.
    block_bytes : int, optional
        Maximum number of bytes to read at a time.

    Attributes
    ----------
    name : str
        Name for messages: the path, ``<stdin>``, or the name of the file object.
    total_bytes : int or None
        Size of the file as stored; None if the source is not a regular file.
    is_terminal : bool
        Whether the text is typed.
    is_waiting : bool
        Whether no further input was waiting when a block was yielded, on a terminal or in a pipe.
    is_idle : bool
        Whether moreover, the block can be answered: it is typed, or ends with 9×9 puzzles. Readers
        set it if nothing that follows can belong to the last record.

    Raises
    ------
    MissingFileError
        If there is no such file. It is an UnreadableError and a FileNotFoundError.
    UnreadableError
        If the source cannot be opened. The methods that read raise it, too, if reading fails or a
        gzip file is damaged.
    """

    def __init__(
        self, source: str | os.PathLike[str] | IO[Any], block_bytes: int = BLOCK_BYTES
    ) -> None:
        self.block_bytes = block_bytes
        self._opened: BinaryIO | None = None
        if not isinstance(source, str | os.PathLike):
            if not hasattr(source, "read"):
                raise TypeError(f"expected a path or an open file, not {source!r}")
            file = cast(BinaryIO, source)
            self.name = str(getattr(source, "name", "<stream>"))
            if getattr(source, "closed", False):
                raise UnreadableError(self.name, "the file is closed")
            if isinstance(source, HeadedFile):  # of files of a caller, only this one is closed
                source.seek(0)
                self._opened = None if source.is_kept else file
        elif (path := os.fspath(source)) == "-":
            self.name = "<stdin>"
            if sys.stdin is None:
                raise UnreadableError(self.name, "standard input is closed")
            file = cast(BinaryIO, sys.stdin.buffer)
        else:
            self.name = path
            with readable(path):
                file = self._opened = cast(BinaryIO, open(path, "rb", buffering=0))  # noqa: SIM115
        self.total_bytes = regular_file_size(file)
        self.is_terminal = is_terminal(file)
        self.is_waiting = False
        self.is_idle = False
        self._stored = _StoredFile(file)

    def __enter__(self) -> "Source":
        return self

    def __exit__(self, *exception: object) -> None:
        if self._opened is not None:
            self._opened.close()

    @property
    def bytes_read(self) -> int:
        """Number of stored bytes, before decompression, that have been read."""
        return self._stored.count

    def read_all(self, *, max_bytes: int | None = None) -> bytes:
        """Read the rest of the source, after decompression.

        Parameters
        ----------
        max_bytes : int, optional
            The maximum number of bytes. By default, only that of compressed content is limited,
            to `MAX_CONTENT_BYTES`: a gzip file of 1 MB can contain 1 GB.

        Raises
        ------
        TooLargeError
            If there are more than `max_bytes` bytes.
        UnreadableError
            If the source cannot be read.
        """
        blocks = []
        size = 0
        with readable(self.name):
            content: Any = self.open_content()
            if max_bytes is None and not isinstance(content, BufferedReader):
                max_bytes = MAX_CONTENT_BYTES
            while block := content.read1(self.block_bytes):
                blocks.append(block)
                size += len(block)
                if max_bytes is not None and size > max_bytes:
                    raise TooLargeError(self.name, f"larger than the limit of {max_bytes:,} bytes")
        return b"".join(blocks)

    def whole_lines(self, min_first_bytes: int) -> Iterator[memoryview]:
        """Yield the text in blocks of whole lines, without a byte order mark.

        If the last line is not terminated, a line feed is added. If reading fails, the whole lines
        before the damage are yielded before the exception is raised. If no further input waits on a
        terminal or in a pipe, whole lines are yielded at once.

        Parameters
        ----------
        min_first_bytes : int
            Minimum size of the first block, if the text is that long, and neither typed nor a 9×9
            puzzle on a line.

        Yields
        ------
        memoryview
            A block, which the caller may overwrite.

        Raises
        ------
        UnreadableError
            If the source cannot be read, if it is UTF-16 or begins with binary data, or if a line
            is longer than `MAX_LINE_BYTES`.
        """
        cut = 0  # the end of the last whole line in `text`
        previous_end = b""  # of the block before, unless it was answered
        min_bytes = 2 if self.is_terminal else max(1, min_first_bytes)  # more than an empty line
        # A larger read waits for further text even if the buffer contains a line.
        max_read: int | None = _SMALL_BUFFER
        text = memoryview(b"")  # what is not yielded yet, in its first `size` bytes
        size = 0
        try:
            with readable(self.name):
                content: Any = self.open_content()
                start = self._read_start(content)
                size = len(start)
                text = _allocate(self.block_bytes + size, memoryview(start))
                while n_read := content.readinto1(text[size:][:max_read]):
                    lines = _WHOLE_LINES.match(text, size, size + n_read)  # in what is new
                    cut = lines.end() if lines else cut
                    size += n_read
                    max_read = None
                    # The end of the whole lines so far, from which `_are_puzzles` sees the last two
                    recent = previous_end + bytes(text[max(0, cut - _RECENT_BYTES) : cut])
                    more_follows = self._further_input()  # None if that is unknown
                    self.is_waiting = more_follows is False
                    self.is_idle = self.is_waiting and (self.is_terminal or _are_puzzles(recent))
                    # Readers find the format in the first block: it is long unless someone waits.
                    is_enough = cut >= min_bytes or self.is_idle
                    if not is_enough and size > MAX_LINE_BYTES:
                        raise UnreadableError(
                            self.name, f"a line is longer than {MAX_LINE_BYTES:,} bytes"
                        )
                    # A block is yielded when it is full, or when no text follows at once (or this
                    # is unknown), so that nobody who types a line, or pipes one, waits for others.
                    if cut and is_enough and (size >= self.block_bytes or not more_follows):
                        block, text = text[:cut], text[cut:size]
                        size = len(text)
                        text = _allocate(max(self.block_bytes, 2 * size), text)
                        yield block
                        # Lines that are answered do not affect the following ones.
                        min_bytes = 1
                        cut = 0
                        previous_end = b"" if self.is_idle else recent[-_RECENT_BYTES:]
                    elif size == len(text):  # the memory is full, but nothing was yielded
                        text = _allocate(2 * size, text)
        except UnreadableError:  # yield the whole lines first
            lines = _WHOLE_LINES.match(text, 0, size)
            cut = lines.end() if lines else 0
            if size and text[size - 1] in b"\n\r":  # here, a carriage return ends a line, too
                cut = size
            if cut:
                yield text[:cut]
            raise
        if size:
            end = b"" if text[size - 1] in b"\n\r" else b"\n"
            yield memoryview(bytearray(text[:size]) + end)

    def _read_start(self, content: Any) -> bytes:
        """Return the first bytes of a text, without a byte order mark. Raises UnreadableError."""
        start: bytes = content.read(1)
        # A line with a character that is not ASCII is not shorter than a byte order mark.
        if start > b"\x7f":
            start += content.read(len(_UTF8_BOM) - 1)
        check_text(start, self.name)
        head = start + content.peek(_SMALL_BUFFER)  # what is buffered
        if head.count(0) > 1 + len(head) * MAX_NULL_FRACTION:  # null bytes
            raise UnreadableError(self.name, BINARY)
        return start.removeprefix(_UTF8_BOM)

    def _further_input(self) -> bool | None:
        """Return whether further text, or the end, follows at once; None if that is unknown."""
        if self.total_bytes is not None:
            return True
        try:
            return bool(select.select([self._stored.file], [], [], SECONDS_UNTIL_ANSWER)[0])
        except (OSError, TypeError, ValueError) as error:  # Windows selects only sockets
            if is_from_handler(error):
                raise
            return False if self.is_terminal else None

    def open_content(self) -> BinaryIO:
        """Return the content, after decompression, as a binary file.

        To read it, use `readable`.
        """
        if self._stored.is_compressed():
            import gzip  # deferred: most files are not compressed, and the import is slow

            return cast(
                BinaryIO, gzip.GzipFile(fileobj=BufferedReader(self._stored, self.block_bytes))
            )
        return BufferedReader(self._stored, _SMALL_BUFFER)  # larger reads have no copy


def check_text(content: bytes, name: str) -> None:
    """Raise UnreadableError if a content, or its first bytes, are not text."""
    if content.startswith(_UTF16_BOMS):
        raise UnreadableError(name, "UTF-16 text; save it as UTF-8")
    if b"\0" in content:
        raise UnreadableError(name, BINARY)


def decode_text(content: bytes, name: str) -> str:
    """Decode UTF-8, or raise UnreadableError.

    Without control characters, this is text in another encoding, so the error names the line.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if re.search(rb"[\0-\x08\x0e-\x1f]", content):
            raise UnreadableError(name, BINARY) from None
        reason = f"'utf-8' codec can't decode byte 0x{content[error.start]:02x}"
        line = content.count(b"\n", 0, error.start) + 1
        raise UnreadableError(name, f"{reason} on line {line}; save the file as UTF-8") from None


def named_stream(data: bytes, name: str) -> BinaryIO:
    """Return data as a binary file with a name for error messages."""
    stream = BytesIO(data)
    stream.name = name
    return stream


@contextmanager
def readable(name: str) -> Iterator[None]:
    """Convert the errors of opening or reading a source to UnreadableError, within a block.

    Those of signal handlers are not errors of the source.
    """
    try:
        yield
    except UnreadableError:
        raise
    except Exception as error:
        if is_from_handler(error):
            raise
        if isinstance(error, FileNotFoundError):
            raise MissingFileError(name, error.strerror or str(error)) from error
        if isinstance(error, EOFError):
            raise UnreadableError(name, "the compressed file ends too early") from error
        # zlib, which is imported only with gzip, has its own class of errors.
        is_damaged = type(error).__module__ == "zlib"
        is_no_name = isinstance(error, ValueError) and "embedded null" in str(error)
        if isinstance(error, OSError | UnicodeDecodeError) or is_damaged or is_no_name:
            raise UnreadableError(name, getattr(error, "strerror", None) or str(error)) from error
        raise


def _start_of_content(head: bytes) -> bytes:
    """Return a head of standard input after decompression, or b"" if it is damaged."""
    if not head.startswith(_GZIP_MAGIC):
        return head
    import zlib  # deferred, as gzip is

    try:
        return zlib.decompressobj(wbits=16 + zlib.MAX_WBITS).decompress(head, HEAD_BYTES)
    except zlib.error:
        return b""


def open_head(source: str | HeadedFile) -> tuple[bytes, str | HeadedFile]:
    """Return the beginning of a file, after decompression, or what standard input has.

    It is b"" if it is unknown, as that of a named pipe, or of what is typed, which is not awaited.
    Also return what the file is then read from, from its beginning: the open file, or else
    `source`.
    """
    if source == "-":
        buffer: Any = getattr(sys.stdin, "buffer", None)
        if buffer is None or is_terminal(buffer):
            return b"", source
        if hasattr(buffer, "peek"):
            return _start_of_content(bytes(buffer.peek(1))), source
        begin = buffer.tell()  # of a stream in memory that takes the place of standard input
        head = buffer.read(HEAD_BYTES)
        buffer.seek(begin)
        return _start_of_content(bytes(head)), source
    if isinstance(source, str) and not os.path.isfile(source):  # a named pipe is read once
        return b"", source
    try:
        file = HeadedFile(source) if isinstance(source, str) else source
    except OSError:
        return b"", source
    with suppress(OSError), file.kept(), readable(str(file.name)), Source(file) as opened:
        content: Any = opened.open_content()
        return bytes(content.read(HEAD_BYTES)), file
    return b"", file
