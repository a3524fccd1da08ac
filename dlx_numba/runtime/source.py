"""Read files, gzip files and standard input: as a whole, in blocks, or in whole lines."""

import os
import select
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from typing import Any, BinaryIO, cast

import numpy as np

from .errors import MissingFileError, TooLargeError, UnreadableError

BLOCK_BYTES = 1 << 18
MAX_LINE_BYTES = 1 << 24
SECONDS_UNTIL_ANSWER = 0.02  # after a typed line; the lines of a pasted text follow sooner
_SMALL_BUFFER = 1 << 12

_GZIP_MAGIC = b"\x1f\x8b"
_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


class _CountingReader(RawIOBase):
    """Raw stream that counts the bytes read from a binary file, before decompression.

    It does not read beyond the end, because a terminal would then wait for further text.
    """

    def __init__(self, file: Any) -> None:
        self.file, self.count, self.is_at_end = file, 0, False
        self._readinto = file.readinto if isinstance(file, RawIOBase) else self._read1_into
        # read1 returns what an interactive pipe has, instead of waiting for a whole block.
        self._read1 = getattr(file, "read1", file.read)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.is_at_end:
            return 0
        size: int = self._readinto(buffer) or 0
        self.count += size
        self.is_at_end = size == 0
        return size

    def _read1_into(self, buffer: Any) -> int:
        data = self._read1(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class _Joined(RawIOBase):
    """Raw stream of some bytes, followed by the rest of another raw stream."""

    def __init__(self, start: bytes, rest: RawIOBase) -> None:
        self.start, self.rest = start, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        if not self.start:
            return self.rest.readinto(buffer)
        size = min(len(buffer), len(self.start))
        buffer[:size], self.start = self.start[:size], self.start[size:]
        return size


class _TextBuffer:
    """Text that is appended at the end and removed from the start."""

    def __init__(self, capacity: int) -> None:
        self.data, self.size = _allocate(capacity), 0

    @property
    def ends_line(self) -> bool:
        """Whether the text ends with a line end."""
        return self.size > 0 and self.data[self.size - 1] in b"\n\r"

    def last_line_end(self, start: int) -> int:
        """Return the end of the last line that ends after `start`, or 0.

        A carriage return at the end may be the first half of a line end.
        """
        cut = self._find_last(b"\n", start, self.size) + 1
        return max(cut, self._find_last(b"\r", max(cut, start), max(self.size - 1, 0)) + 1)

    def _find_last(self, byte: bytes, start: int, stop: int) -> int:
        """Return the last position of a byte from `start` to `stop`, or -1."""
        while start < stop:
            middle = max(start, stop - _SMALL_BUFFER)  # most lines are short, so little is copied
            position = bytes(self.data[middle:stop]).rfind(byte)
            if position >= 0:
                return middle + position
            stop = middle
        return -1

    def has_null(self, start: int) -> bool:
        """Return whether there is a null byte at or after `start`."""
        return start < self.size and bool(np.asarray(self.data)[start : self.size].min() == 0)

    def lines(self, cut: int) -> memoryview:
        """Return the first `cut` bytes."""
        return self.data[:cut]

    def remove(self, cut: int, capacity: int) -> None:
        """Remove the first `cut` bytes, and move the rest to memory of `capacity` bytes or more."""
        rest = self.data[cut : self.size]
        self.data, self.size = _allocate(max(capacity, len(rest))), len(rest)
        self.data[: self.size] = rest

    def append(self, text: bytes) -> None:
        """Append some bytes."""
        self.free_space(len(text))[: len(text)] = text
        self.size += len(text)

    def free_space(self, min_bytes: int = 1) -> memoryview:
        """Return the memory after the text, to be written before `size` is increased."""
        if len(self.data) - self.size < min_bytes:
            self.remove(0, self.size + max(self.size, min_bytes))
        return self.data[self.size :]


def _allocate(size: int) -> memoryview:
    """Return memory that is not cleared: clearing it would take half the time of reading."""
    return memoryview(np.empty(size, np.uint8))  # type: ignore[arg-type]


class Source:
    """A file or stream opened for reading; gzip files are recognized by their first bytes.

    As a context manager, it closes the file at the end of the block if it opened the file.

    Parameters
    ----------
    source : str, path-like or binary file
        A path, `-` for standard input, or a file object with a `read` method that returns bytes.
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

    Raises
    ------
    MissingFileError
        If there is no such file. It is an UnreadableError and a FileNotFoundError.
    UnreadableError
        If the source cannot be opened. The methods that read raise it, too, if reading fails or a
        gzip file is damaged.
    """

    def __init__(
        self, source: str | os.PathLike[str] | BinaryIO, block_bytes: int = BLOCK_BYTES
    ) -> None:
        self.block_bytes = block_bytes
        self._opened: BinaryIO | None = None
        if isinstance(source, str | os.PathLike):
            self.name = os.fspath(source)
            if self.name == "-":
                self.name = "<stdin>"
                if sys.stdin is None:
                    raise UnreadableError(self.name, "standard input is closed")
                file = cast(BinaryIO, sys.stdin.buffer)
            else:
                try:
                    file = self._opened = cast(BinaryIO, open(source, "rb", buffering=0))  # noqa: SIM115
                except FileNotFoundError as error:
                    raise MissingFileError(self.name, error.strerror or str(error)) from error
                except OSError as error:
                    raise UnreadableError(self.name, error.strerror or str(error)) from error
        else:
            file = source
            self.name = str(getattr(source, "name", "<stream>"))
        self.total_bytes = _regular_file_size(file)
        self.is_terminal = _is_terminal(file)
        self._stored = _CountingReader(file)

    def __enter__(self) -> "Source":
        return self

    def __exit__(self, *exception: object) -> None:
        if self._opened is not None:
            self._opened.close()

    @property
    def bytes_read(self) -> int:
        """Number of stored bytes, before decompression, that have been read."""
        return self._stored.count

    def blocks(self, *, binary_prefixes: tuple[bytes, ...] | None = None) -> Iterator[bytes]:
        """Yield the content in blocks of at most `block_bytes` bytes, after decompression.

        Parameters
        ----------
        binary_prefixes : tuple of bytes, optional
            If given, content that does not start with one of these must be text.

        Raises
        ------
        UnreadableError
            If the source cannot be read; or if the first block contains null bytes and does not
            start with one of `binary_prefixes`.
        """
        with self._content() as content:
            block = content.read(self.block_bytes)
            if (
                binary_prefixes is not None
                and not block.startswith(binary_prefixes)
                and b"\0" in block
            ):
                raise UnreadableError(self.name, "binary data, not text")
            while block:
                yield block
                block = content.read1(self.block_bytes)

    def read_all(
        self,
        *,
        max_bytes: int | None = None,
        binary_prefixes: tuple[bytes, ...] | None = None,
    ) -> bytes:
        """Read the rest of the source, after decompression.

        Parameters
        ----------
        max_bytes : int, optional
            The maximum number of bytes. By default there is no limit. A gzip file of 1 MB can
            contain 1 GB.
        binary_prefixes : tuple of bytes, optional
            As for `blocks`.

        Raises
        ------
        TooLargeError
            If there are more than `max_bytes` bytes.
        UnreadableError
            As for `blocks`.
        """
        return join_blocks(self.blocks(binary_prefixes=binary_prefixes), self.name, max_bytes)

    def whole_lines(self, min_first_bytes: int) -> Iterator[memoryview]:
        """Yield the text in blocks of whole lines, without a byte order mark.

        If the last line is not terminated, a line feed is added. If reading fails, the whole lines
        before the damage are yielded before the exception is raised. A typed line is yielded at
        once, and pasted text as one block.

        Parameters
        ----------
        min_first_bytes : int
            Minimum size of the first block, if the text is that long and not typed.

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
        min_bytes = 2 if self.is_terminal else min_first_bytes  # more than an empty line
        fills = self._fill(text)
        while True:
            start = text.size
            try:
                next(fills)
            except StopIteration:
                break
            except UnreadableError:
                if cut := max(text.last_line_end(0), text.size * text.ends_line):
                    yield text.lines(cut)
                raise
            # The lines before `start` have been taken, unless the first block is too small.
            cut = text.last_line_end(start)
            if cut >= max(min_bytes, 1):
                if text.size < self.block_bytes and self._has_further_input():
                    continue
                yield text.lines(cut)
                text.remove(cut, self.block_bytes)
                min_bytes = 0
            elif text.size > MAX_LINE_BYTES:
                raise UnreadableError(self.name, f"a line is longer than {MAX_LINE_BYTES:,} bytes")
        if text.size:
            if not text.ends_line:
                text.append(b"\n")
            yield text.lines(text.size)

    def _has_further_input(self) -> bool:
        """Return whether further lines, or the end of the input, follow at once on a terminal."""
        if not self.is_terminal:
            return False
        try:
            return bool(select.select([self._stored.file], [], [], SECONDS_UNTIL_ANSWER)[0])
        except (OSError, ValueError):  # on Windows, only sockets can be selected
            return False

    def _fill(self, text: "_TextBuffer") -> Iterator[None]:
        """Append the content to a buffer; yield after each part."""
        with self._content() as content:
            start = content.read(len(_UTF8_BOM))
            if start.startswith(_UTF16_BOMS):
                raise UnreadableError(self.name, "UTF-16 text; save it as UTF-8")
            if start != _UTF8_BOM:
                text.append(start)
            n_checked = 0
            # A larger read waits for the next line even if the buffer contains a line.
            limit = _SMALL_BUFFER if self.is_terminal else None
            while (size := content.readinto1(text.free_space()[:limit])) or n_checked < text.size:
                text.size += size
                if text.has_null(n_checked):
                    text.size = n_checked
                    raise UnreadableError(self.name, "binary data, not text")
                yield
                n_checked = text.size

    @contextmanager
    def _content(self) -> Iterator[Any]:
        """Open the content as a buffered stream; convert read errors to UnreadableError."""
        try:
            # A pipe may return a single byte at first, so this needs more than one read.
            start = b""
            while len(start) < len(_GZIP_MAGIC) and (byte := self._stored.read(1)):
                start += byte
            stored = _Joined(start, self._stored)
            if start == _GZIP_MAGIC:
                import gzip  # deferred: most files are not compressed, and the import is slow

                yield gzip.GzipFile(fileobj=BufferedReader(stored, self.block_bytes))
            else:
                yield BufferedReader(stored, _SMALL_BUFFER)  # larger reads have no copy
        except UnreadableError:
            raise
        except EOFError as error:
            raise UnreadableError(self.name, "the compressed file ends too early") from error
        except OSError as error:
            raise UnreadableError(self.name, error.strerror or str(error)) from error
        except Exception as error:
            # Caught by name, because zlib is imported only with gzip.
            if type(error).__module__ == "zlib":
                raise UnreadableError(self.name, str(error)) from error
            raise


def join_blocks(blocks: Iterable[bytes], name: str, max_bytes: int | None) -> bytes:
    """Return the blocks of a source as one. Raises TooLargeError beyond `max_bytes`."""
    joined = []
    size = 0
    for block in blocks:
        size += len(block)
        if max_bytes is not None and size > max_bytes:
            raise TooLargeError(name, f"larger than the limit of {max_bytes:,} bytes")
        joined.append(block)
    return b"".join(joined)


def _is_terminal(file: BinaryIO) -> bool:
    try:
        return file.isatty()
    except (AttributeError, ValueError):
        return False


def _regular_file_size(file: BinaryIO) -> int | None:
    """Return the size of a regular file; None for pipes and streams without a descriptor."""
    try:
        status = os.fstat(file.fileno())
    except (OSError, AttributeError, ValueError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
