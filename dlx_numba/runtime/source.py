"""Files, compressed files and standard input as blocks of whole lines."""

import os
import stat
import sys
from collections.abc import Iterator
from io import BufferedReader, RawIOBase
from typing import Any, BinaryIO, cast

from .errors import UnreadableError

LONGEST_LINE = 1 << 24

_GZIP_MAGIC = b"\x1f\x8b"
_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class _Counted(RawIOBase):
    """The stored bytes of a file, counted: a decompressor tells nothing of its own progress."""

    def __init__(self, file: Any) -> None:
        self.file, self.count = file, 0
        # An interactive pipe must not wait for a whole block.
        self.read_some = getattr(file, "read1", file.read)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.read_some(len(buffer))
        buffer[: len(data)] = data
        self.count += len(data)
        return len(data)


class Source:
    """A source opened for reading: a path, `-` for standard input, or a binary file.

    A gzip file is known by its first bytes, wherever it comes from. Raises UnreadableError, also
    from `blocks`, where the source cannot be read or is no text. What it opened, it closes.
    """

    def __init__(self, source: str | os.PathLike[str] | BinaryIO, block_bytes: int) -> None:
        self.block_bytes = block_bytes
        self.opened: BinaryIO | None = None
        if isinstance(source, str | os.PathLike):
            self.name = os.fspath(source)
            if self.name == "-":
                self.name = "<stdin>"
                if sys.stdin is None:
                    raise UnreadableError(self.name, "it is closed")
                file = cast(BinaryIO, sys.stdin.buffer)
            else:
                try:
                    file = self.opened = cast(BinaryIO, open(source, "rb", buffering=0))  # noqa: SIM115
                except OSError as error:
                    raise UnreadableError(self.name, error.strerror or str(error)) from error
        else:
            file = source
            self.name = str(getattr(source, "name", "<stream>"))
        self.total_bytes = _size(file)
        self._stored = _Counted(file)

    def __enter__(self) -> "Source":
        return self

    def __exit__(self, *exception: object) -> None:
        if self.opened is not None:
            self.opened.close()

    @property
    def bytes_read(self) -> int:
        return self._stored.count

    def blocks(self) -> Iterator[bytes]:
        """Its text in blocks of at most `block_bytes`, without a byte order mark."""
        try:
            stored = BufferedReader(self._stored, self.block_bytes)
            text: Any = stored
            if stored.peek(2).startswith(_GZIP_MAGIC):
                import gzip  # most files need none, and it takes a while to import

                text = gzip.GzipFile(fileobj=stored)
            start = text.peek(3)[:3]
            if start.startswith(_UTF16_MARKS):
                raise UnreadableError(self.name, "UTF-16 text; save it as UTF-8")
            if start == _UTF8_MARK:
                text.read(len(_UTF8_MARK))
            while block := text.read1(self.block_bytes):
                if b"\0" in block:
                    raise UnreadableError(self.name, "binary data, not text")
                yield block
        except UnreadableError:
            raise
        except EOFError as error:
            raise UnreadableError(self.name, "the compressed file ends too early") from error
        except Exception as error:
            # zlib.error has no other base than Exception; every other error passes.
            if isinstance(error, OSError) or type(error).__module__ == "zlib":
                raise UnreadableError(self.name, str(error)) from error
            raise

    def whole_lines(self, least: int) -> Iterator[bytes]:
        """Its text in pieces that end in a line end, the first of `least` bytes if it has them.

        A file that ends within a line is given a line end.
        """
        held: list[bytes] = []
        size = 0
        blocks = self.blocks()
        while True:
            try:
                block = next(blocks, b"")
            except UnreadableError:
                if rest := b"".join(held):  # whole lines before the damage are not lost
                    yield rest[: 1 + max(rest.rfind(b"\n"), rest.rfind(b"\r"))]
                raise
            if not block:
                break
            held.append(block)
            size += len(block)
            # A carriage return at the end may be the first half of a line end.
            cut = 1 + max(block.rfind(b"\n"), block.rfind(b"\r", 0, -1))
            if cut and size >= least:
                text = b"".join(held)
                cut += size - len(block)
                yield text[:cut]
                held, size, least = [text[cut:]], size - cut, 0
            elif size > LONGEST_LINE:
                raise UnreadableError(self.name, f"a line of more than {LONGEST_LINE} bytes")
        if rest := b"".join(held):
            yield rest if rest.endswith((b"\r", b"\n")) else rest + b"\n"


def _size(file: BinaryIO) -> int | None:
    try:
        status = os.fstat(file.fileno())
    except (OSError, AttributeError, ValueError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
