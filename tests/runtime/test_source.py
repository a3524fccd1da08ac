"""Where text comes from: paths, compressed files, standard input, and what is no text."""

import gzip
import io
import sys
from pathlib import Path
from typing import Any

import pytest

from dlx_numba.runtime.errors import UnreadableError
from dlx_numba.sudoku.io.board import format_board
from dlx_numba.sudoku.io.read import read_boards
from dlx_numba.sudoku.io.records import Records

PUZZLE = "..9.5.1.3.4...1.....6.4.92..6.8...1.3.4...8.9.5..1.236....6...28..........3......"
TEXT = f"{PUZZLE}\n".encode() * 3


def read(source: Any, **options: Any) -> list[Records]:
    chunks = list(read_boards(source, **options))
    for chunk in chunks:
        assert all(format_board(board, chunk.alphabet) == PUZZLE for board in chunk.boards)
    return chunks


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("kind", ["path", "name", "stdin", "stream"])
def test_sources(
    pack: Any, mark: bytes, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = pack(mark + TEXT)
    path = tmp_path / "puzzles"
    path.write_bytes(data)
    if kind == "stdin":
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    source = {"path": path, "name": str(path), "stdin": "-", "stream": io.BytesIO(data)}[kind]
    [chunk] = read(source)
    assert len(chunk) == 3
    assert chunk.bytes_read == len(data)
    assert chunk.total_bytes == (len(data) if kind in ("path", "name") else None)
    names = {"path": str(path), "name": str(path), "stdin": "<stdin>", "stream": "<stream>"}
    assert chunk.source == names[kind]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_progress(pack: Any, tmp_path: Path) -> None:
    path = tmp_path / "puzzles"
    path.write_bytes(pack(TEXT * 10_000))
    chunks = read(path, block_bytes=1 << 14, chunk_boards=512)
    progress = [chunk.bytes_read for chunk in chunks]
    assert progress == sorted(progress)
    assert 0 < progress[0] <= progress[-1] == path.stat().st_size
    assert sum(map(len, chunks)) == 30_000


def test_a_stream_stays_open() -> None:
    stream = io.BytesIO(TEXT)
    read(stream)
    assert not stream.closed


def test_a_stream_without_read1() -> None:
    class Stream:
        name = "pipe"

        def __init__(self) -> None:
            self.read = io.BytesIO(TEXT).read

    [chunk] = read(Stream())
    assert (chunk.source, len(chunk)) == ("pipe", 3)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (PUZZLE.encode("utf-16"), "UTF-16 text; save it as UTF-8"),
        (b"\xfe\xff" + PUZZLE.encode("utf-16-be"), "UTF-16 text; save it as UTF-8"),
        (TEXT + b"\0" + TEXT, "binary data, not text"),
        (gzip.compress(TEXT)[:-10], "the compressed file ends too early"),
        (gzip.compress(TEXT * 1000)[:60] + b"\xff" * 60, None),
        (gzip.compress(TEXT)[:-8] + b"\1" * 8, None),
        (b"1" * ((1 << 24) + 1), "a line of more than 16777216 bytes"),
    ],
)
def test_unreadable(data: bytes, reason: str | None, tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_bytes(data)
    with pytest.raises(UnreadableError) as caught:
        read(path)
    assert caught.value.source == str(path)
    assert str(caught.value) == f"{path}: {caught.value.reason}"
    assert reason in (None, caught.value.reason)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="No such file or directory"):
        read(tmp_path / "missing")
    with pytest.raises(UnreadableError, match="directory"):
        read(tmp_path)


def test_errors_of_the_caller_pass() -> None:
    def fail(size: int) -> bytes:
        raise KeyError(size)

    class Stream:
        read = staticmethod(fail)

    with pytest.raises(KeyError):
        read(Stream())
