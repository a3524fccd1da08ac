"""Reading of paths, gzip files, standard input and streams, and rejection of other data."""

import errno
import gzip
import io
import os
import signal
import sys
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

import dlx_numba
from dlx_numba.puzzles.exact.notation import TextLines
from dlx_numba.runtime import source
from dlx_numba.runtime.errors import TooLargeError, UnreadableError
from dlx_numba.runtime.source import Source
from dlx_numba.sudoku.io.board import format_board
from dlx_numba.sudoku.io.read import read_records
from tests.helpers.formats import PUZZLE
from tests.helpers.hosts import alarms

TEXT = f"{PUZZLE}\n".encode() * 3


def read_chunks(source, **options):
    """Read a source of copies of PUZZLE."""
    chunks = list(read_records(source, **options))
    for chunk in chunks:
        assert all(format_board(board, chunk.alphabet) == PUZZLE for board in chunk.boards)
    return chunks


class SlowPipe(io.BytesIO):
    def read1(self, size=-1):
        return super().read1(1)


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("kind", ["path", "name", "stdin", "stream", "slow", "without read1"])
def test_all_kinds_of_sources_are_read(compress, bom, kind, tmp_path, monkeypatch):
    data = compress(bom + TEXT)
    path = tmp_path / "puzzles"
    path.write_bytes(data)
    stream = io.BytesIO(data)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    source, name = {
        "path": (path, str(path)),
        "name": (str(path), str(path)),
        "stdin": ("-", "<stdin>"),
        "stream": (stream, "<stream>"),
        "slow": (SlowPipe(data), "<stream>"),
        "without read1": (SimpleNamespace(name="pipe", read=stream.read), "pipe"),
    }[kind]
    [chunk] = read_chunks(source)
    assert (len(chunk), chunk.bad, chunk.source) == (3, (), name)
    assert chunk.bytes_read == len(data)
    assert chunk.total_bytes == (len(data) if name == str(path) else None)
    assert not stream.closed


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_bytes_read_increases_to_the_size_of_the_file(compress, tmp_path):
    path = tmp_path / "puzzles"
    path.write_bytes(compress(TEXT * 2_000))
    chunks = read_chunks(path, block_bytes=1 << 14, chunk_boards=512)
    progress = [chunk.bytes_read for chunk in chunks]
    assert progress == sorted(progress)
    assert 0 < progress[0] <= progress[-1] == path.stat().st_size
    assert sum(map(len, chunks)) == 6_000


def test_nothing_is_read_after_the_end():
    class Terminal(io.BytesIO):
        """A terminal on which a line and Ctrl-D are typed; it would wait for further text."""

        n_ends = 0

        def read1(self, size=-1):
            text = super().read1(size)
            self.n_ends += not text
            return text

    terminal = Terminal(b"a line\n")
    assert b"".join(Source(terminal).whole_lines(100)) == b"a line\n"
    assert terminal.n_ends == 1


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (PUZZLE.encode("utf-16"), "UTF-16 text; save it as UTF-8"),
        (b"\xfe\xff" + PUZZLE.encode("utf-16-be"), "UTF-16 text; save it as UTF-8"),
        (b"\0\1" * 10 + TEXT, "binary data, not text"),
        (gzip.compress(TEXT, mtime=0)[:-10], "the compressed file ends too early"),
        (gzip.compress(TEXT * 1000, mtime=0)[:60] + b"\xff" * 60, None),
        (gzip.compress(TEXT, mtime=0)[:-8] + b"\1" * 8, None),
        (b"1" * 70_000, "a line is longer than 65,536 bytes"),
    ],
)
def test_unreadable_data_is_rejected_by_name(data, reason, tmp_path, monkeypatch):
    monkeypatch.setattr(source, "MAX_LINE_BYTES", 1 << 16)
    path = tmp_path / "puzzles.txt"
    path.write_bytes(data)
    with pytest.raises(UnreadableError) as caught:
        read_chunks(path)
    assert caught.value.source == str(path)
    assert str(caught.value) == f"{path}: {caught.value.reason}"
    assert reason in (None, caught.value.reason)


def test_file_that_cannot_be_opened_is_rejected(tmp_path):
    path = str(tmp_path / "absent")
    with pytest.raises(FileNotFoundError) as caught:
        read_chunks(path)
    assert isinstance(caught.value, UnreadableError)
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, path)
    assert str(caught.value) == f"{path}: No such file or directory"
    with pytest.raises(UnreadableError, match="directory"):
        read_chunks(tmp_path)


@pytest.mark.parametrize("source", [None, 5, b"path"])
def test_other_objects_are_rejected(source):
    with pytest.raises(TypeError, match="expected a path or an open file, not"):
        Source(source)


def test_exceptions_of_the_stream_are_not_converted():
    with pytest.raises(KeyError):
        read_chunks(SimpleNamespace(read=Mock(side_effect=KeyError)))


@pytest.mark.parametrize("content", [b"", b"\x1f", b"\0\xff\xfe", TEXT * 100])
@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_read_all_returns_any_content_up_to_a_size(compress, content, tmp_path):
    path = tmp_path / "data"
    stored = compress(content)
    path.write_bytes(stored)
    with Source(path) as source:
        assert source.read_all() == content
        assert source.bytes_read == source.total_bytes == len(stored)
    with Source(io.BytesIO(stored), block_bytes=3) as source:
        assert source.read_all(max_bytes=len(content)) == content
    reason = f"<stream>: larger than the limit of {len(content):,} bytes"
    source = Source(io.BytesIO(compress(content + b"\n")), block_bytes=1000)
    with source, pytest.raises(TooLargeError, match=reason):
        source.read_all(max_bytes=len(content))


def test_compressed_content_has_a_limit_by_default(monkeypatch):
    monkeypatch.setattr(source, "MAX_CONTENT_BYTES", 100)
    assert Source(io.BytesIO(b"x" * 101)).read_all() == b"x" * 101
    assert len(Source(io.BytesIO(gzip.compress(b"x" * 100))).read_all()) == 100
    packed = gzip.compress(b"a b\na b\n" + b"\n" * 100)
    for read in (dlx_numba.ExactCover.read, lambda *names: [*dlx_numba.read(*names)]):
        with pytest.raises(TooLargeError, match="larger than the limit of 100 bytes"):
            read(io.BytesIO(packed))
    boards = io.BytesIO(gzip.compress(TEXT))
    assert len([*dlx_numba.read(boards, "sudoku")]) == 3  # they are read in chunks


def test_closed_standard_input_is_rejected(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UnreadableError, match="<stdin>: standard input is closed"):
        Source("-")


@pytest.mark.parametrize("block_bytes", [1, 7, 1 << 18])
def test_whole_lines_of_any_length_fit_the_buffer(block_bytes):
    content = b"\xef\xbb\xbf" + b"short\r\n" + b"x" * 1000 + b"\n\rend"
    with Source(io.BytesIO(content), block_bytes=block_bytes) as source:
        blocks = [bytes(block) for block in source.whole_lines(0)]
    assert b"".join(blocks) == content[3:] + b"\n"
    assert all(block.endswith((b"\n", b"\r")) for block in blocks)


def test_first_block_of_whole_lines_has_the_minimum_size():
    """It consists of lines: an incomplete line that has been read does not count."""
    lines = [b"[\n", b"x" * 1000 + b"\n", b"end\n"]
    for block_bytes in (64, 900, 5000):
        blocks = Source(io.BytesIO(b"".join(lines)), block_bytes).whole_lines(100)
        assert bytes(next(blocks)).startswith(lines[0] + lines[1])


def test_exported_exceptions_share_a_base_class():
    exported = [getattr(dlx_numba, name) for name in dlx_numba.__all__]
    classes = [each for each in exported if isinstance(each, type) and issubclass(each, Exception)]
    others = [each for each in classes if not issubclass(each, dlx_numba.DlxError)]
    assert dlx_numba.KindError in classes
    assert not others


@pytest.mark.parametrize("error", [TimeoutError, EOFError, ValueError])
def test_exceptions_of_signal_handlers_are_not_those_of_the_source(error, tmp_path):
    fail, path = Mock(side_effect=error("a handler")), tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(error, match="a handler"), alarms(0.05, fail):
        Source(path)  # waits for a writer
    reading, writing = os.pipe()
    with (
        open(reading, "rb") as pipe,
        open(writing, "wb"),
        pytest.raises(error, match="a handler"),
        alarms(0.05, fail),
    ):
        next(Source(pipe).whole_lines(1))
    with pytest.raises(error, match="a handler"), alarms(0, fail), TextLines("", "file"):
        signal.raise_signal(signal.SIGALRM)
