"""Read files, gzip files and standard input: as a whole, in blocks, or in whole lines."""

import os
import re
import select
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, BytesIO, RawIOBase
from typing import IO, Any, BinaryIO, cast

import numpy as np

from .errors import MissingFileError, TooLargeError, UnreadableError
from .files import is_terminal
from .interrupts import is_from_handler

BLOCK_BYTES = 1 << 18
MAX_LINE_BYTES = 1 << 24
SECONDS_UNTIL_ANSWER = 0.02  # after a line; the lines of a pasted text follow sooner
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
        self.file, self.count, self.is_at_end = file, 0, False
        self._start = b""  # has been read by `starts_with`, or exceeded a buffer
        self._readinto = file.readinto if isinstance(file, RawIOBase) else self._read1_into
        # read1 returns what an interactive pipe has, instead of waiting for a whole block.
        self._read1 = getattr(file, "read1", file.read)

    def starts_with(self, magic: bytes) -> bool:
        """Return whether the file starts with some bytes. They are read again afterward."""
        start = b""
        # A pipe may return a single byte at first, and wait for an answer to a shorter line.
        while start != magic and magic.startswith(start) and (byte := self.read(1)):
            start += byte
        self._start = start + self._start
        return start == magic

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
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
        data = self._read1(len(buffer))
        if isinstance(data, str):
            encoded = data.encode("utf-8", "surrogatepass")
            data, self._start = encoded[: len(buffer)], encoded[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


class _TextBuffer:
    """Text that is read at the end and taken from the start."""

    def __init__(self, capacity: int) -> None:
        self.data, self.size = _allocate(capacity), 0

    @property
    def ends_line(self) -> bool:
        """Whether the text ends with a line end."""
        return self.size > 0 and self.data[self.size - 1] in b"\n\r"

    def last_line_end(self, start: int) -> int:
        """Return the end of the last line that ends after `start`, or 0."""
        lines = _WHOLE_LINES.match(self.data, start, self.size)
        return 0 if lines is None else lines.end()

    def has_null(self, start: int) -> bool:
        """Return whether there is a null byte at or after `start`."""
        return bool(np.asarray(self.data)[start : self.size].min(initial=1) == 0)

    def take(self, cut: int, capacity: int) -> memoryview:
        """Remove the first `cut` bytes. The rest moves to memory of `capacity` bytes or more."""
        taken, rest = self.data[:cut], self.data[cut : self.size]
        self.data, self.size = _allocate(max(capacity, len(rest))), len(rest)
        self.data[: self.size] = rest
        return taken

    def append(self, text: bytes) -> None:
        """Append some bytes."""
        self._free_space(len(text))[: len(text)] = text
        self.size += len(text)

    def fill(self, content: Any, max_bytes: int | None) -> int:
        """Append what one read of the content returns. Return its size, which is 0 at the end."""
        size: int = content.readinto1(self._free_space(1)[:max_bytes])
        self.size += size
        return size

    def _free_space(self, min_bytes: int) -> memoryview:
        if len(self.data) - self.size < min_bytes:
            self.take(0, self.size + max(self.size, min_bytes))
        return self.data[self.size :]


def _are_puzzles(text: bytes) -> bool:
    """Return whether no solution or remark can belong to the last two lines.

    They are 9×9 puzzles or JSON objects.

    A program that waits for an answer writes such lines. The format does not depend on the others.
    """
    return all(map(_PUZZLE.fullmatch, text.splitlines()[-2:]))


def _allocate(size: int) -> memoryview:
    """Return memory that is not cleared: clearing it would take half the time of reading."""
    return memoryview(np.empty(size, np.uint8))  # type: ignore[arg-type]


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
        self.is_terminal, self.is_waiting, self.is_idle = is_terminal(file), False, False
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
            The maximum number of bytes. By default there is no limit. A gzip file of 1 MB can
            contain 1 GB.

        Raises
        ------
        TooLargeError
            If there are more than `max_bytes` bytes.
        UnreadableError
            If the source cannot be read.
        """
        blocks, size = [], 0
        with readable(self.name):
            content: Any = self.open_content()
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
            If the source cannot be read, if it is UTF-16 or contains null bytes, or if a line is
            longer than `MAX_LINE_BYTES`.
        """
        text = _TextBuffer(self.block_bytes)
        min_bytes = 2 if self.is_terminal else max(1, min_first_bytes)  # more than an empty line
        # A larger read waits for further text even if the buffer contains a line.
        max_read: int | None = _SMALL_BUFFER
        try:
            with readable(self.name):
                content = self.open_content()
                start = content.read(1)
                if start > b"\x7f":  # the first line is not shorter than a byte order mark
                    start += content.read(len(_UTF8_BOM) - 1)
                check_text(start, self.name)
                text.append(start.removeprefix(_UTF8_BOM))
                n_seen, cut, n_read, before = 0, 0, len(start), b""
                while n_read:
                    if text.has_null(n_seen):
                        text.size = n_seen
                        raise UnreadableError(self.name, "binary data, not text")
                    cut = text.last_line_end(n_seen) or cut
                    recent = before + bytes(text.data[max(0, cut - _RECENT_BYTES) : cut])
                    follows = self._further_input()
                    self.is_waiting = follows is False
                    self.is_idle = self.is_waiting and (self.is_terminal or _are_puzzles(recent))
                    is_enough = cut >= min_bytes or self.is_idle
                    if not is_enough and text.size > MAX_LINE_BYTES:
                        limit = f"a line is longer than {MAX_LINE_BYTES:,} bytes"
                        raise UnreadableError(self.name, limit)
                    if cut and is_enough and (text.size >= self.block_bytes or not follows):
                        yield text.take(cut, self.block_bytes)
                        # Lines that are answered do not affect the following ones.
                        min_bytes, cut = 1, 0
                        before = b"" if self.is_idle else recent[-_RECENT_BYTES:]
                    n_seen = text.size
                    n_read, max_read = text.fill(content, max_read), None
        except UnreadableError:
            if cut := max(text.last_line_end(0), text.size * text.ends_line):
                yield text.data[:cut]
            raise
        if text.size:
            if not text.ends_line:
                text.append(b"\n")
            yield text.data[: text.size]

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
        if self._stored.starts_with(_GZIP_MAGIC):
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
        raise UnreadableError(name, "binary data, not text")


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
        if isinstance(error, OSError | UnicodeDecodeError) or type(error).__module__ == "zlib":
            raise UnreadableError(name, getattr(error, "strerror", None) or str(error)) from error
        raise


def regular_file_size(file: Any) -> int | None:
    """Return the size of a regular file; None for pipes and streams without a descriptor."""
    try:
        status = os.fstat(file.fileno())
    except (OSError, AttributeError, ValueError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
