"""Texts that are damaged, foreign, or of no kind: each ends in an error that helps."""

import gzip
import os
import sys
from io import BufferedReader, BytesIO
from threading import Thread
from types import SimpleNamespace

import pytest

from dlx_numba.puzzles.question import KindError
from dlx_numba.puzzles.reading import read_any
from dlx_numba.runtime.errors import UnreadableError
from dlx_numba.runtime.source import named_stream
from tests.helpers.processes import invoke

PROBLEM = b"a b\na\nb\n"
BOARD = b"1......3..4.....\n"


def reading(content, kind=None):
    data = content if isinstance(content, bytes) else content.encode()
    return read_any(named_stream(data, "file"), kind)


def question(content):
    with pytest.raises(KindError) as caught:
        reading(content)
    return caught.value


@pytest.mark.parametrize(
    ("head", "described"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", "this is an image"),
        (b"PK\x03\x04" + bytes(30), "this is a ZIP archive or a spreadsheet"),
        (b"\xd0\xcf\x11\xe0" + bytes(30), "this is an old spreadsheet"),
    ],
)
def test_binary_files_are_named(head, described):
    error = question(head)
    assert error.reason.startswith(described)
    assert not error.kinds


@pytest.mark.parametrize("content", [b"BZh91AY&SY\xff\x01\n1", b"7z\xbc\xaf'\x1c\x01", bytes(99)])
def test_other_binary_data_is_no_text(content):
    with pytest.raises(UnreadableError, match="binary data, not text"):
        reading(content)


def test_another_encoding_is_reported_with_its_line():
    with pytest.raises(UnreadableError, match="0xfc on line 2; save the file as UTF-8"):
        reading("3 4\nFür\n".encode("latin-1"))


def test_only_kinds_that_read_the_bytes_are_offered():
    content = b"\xfc\n" + b"4 4\n. . . .\n. 1 . .\n. . 2 .\n. . . .\n2 1 3 4\n2 3 4 1\n"
    with pytest.raises((KindError, UnreadableError)) as caught:
        reading(content)
    for kind in getattr(caught.value, "kinds", ()):
        assert [*reading(content, kind).puzzles]


def test_the_keys_of_a_large_object_are_found_anywhere():
    names = ", ".join(f'"{k}": 1' for k in range(20_000))
    text = f'{{"multiplicity": {{{names}}}, "options": {{}}}}'
    assert len(text) > 1 << 17
    assert reading(text).format == "JSON"


def test_blank_lines_are_an_empty_text():
    assert question("\n" * 1000).reason == "this is empty"
    assert question("").reason == "this is empty"


def test_messages_have_no_control_characters():
    error = question("\x1b[31mred\tand\x07\n")
    assert str(error).isprintable()
    assert "\\u001b[31mred and\\u0007" in error.reason


def test_a_number_of_16_digits_is_no_board():
    assert "could be a Sudoku with two 1s" in question("4111111111111111\n").reason
    assert reading("12...34..1..4..2\n").kind == "sudoku"


@pytest.mark.slow
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("rule", ["", "---"])
def test_a_long_text_is_asked_for_by_its_first_puzzles(line_end, rule):
    shikaku = ["4 4", "- 4 - -", "- - - 3", "3 - 2 -", "- - - 4", rule]
    text = line_end.join(shikaku * 20_000)
    error = question(f"{text}{line_end}and so on{line_end}")
    assert {"shikaku", "hashiwokakero"} <= {*error.kinds}


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["[" + "1," * 100_000 + "1]\n", "a" * 200_000, "a b\nc\n" * 50_000]
)
def test_the_end_of_the_beginning_of_a_long_text_is_no_error(text):
    assert "The closest kind" not in question(text).reason


CLOSEST = [
    ("1 0 1\n0 1 0\n1 1\n", "matrix, but line 3: row 3 has 2 columns"),
    ("10....\n..1...\n.0....\n0.....\n......\n.....a\n", "takuzu, but line 6: symbol 6, 'a'"),
    ("3..2.a\n.2..3.\n.13...\n2...3.\n", ""),  # Slitherlink, with a letter
    (". w . b\nw . . .\n. . b .\n. w . .\n", ""),
    ("6 6\n" + "1 1 2 2 3 3\n" * 6 + "2 - 1\n", ""),
    ("Once upon a time\nthere was a king\nwho had a daughter\n", ""),
]


@pytest.mark.parametrize(("text", "closest"), CLOSEST)
def test_a_kind_is_called_closest_only_if_it_alone_is_close(text, closest):
    reason = question(text).reason
    assert f"The closest kind is {closest}" in reason if closest else "closest" not in reason


def test_a_heading_is_no_nonogram():
    assert question("Title of my matrix\n1 0 1\n0 1 0\n").reason
    assert reading('title "T"\nwidth 1\nheight 1\nrows\n1\ncolumns\n1\n').kind == "nonogram"


def test_a_word_search_needs_a_grid():
    with pytest.raises(KindError):
        reading(",\n\n*\n")
    [error] = reading(",\n\nAB\n", "words").puzzles
    assert str(error) == "file:1: there is no grid before the words"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_is_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(PROBLEM,))
    writer.start()
    assert read_any(pipe).format == "Knuth's format"
    writer.join()


@pytest.mark.parametrize(("content", "kind"), [(PROBLEM, "cover"), (BOARD, "sudoku")])
def test_compressed_standard_input_is_no_board_unless_its_content_is(content, kind, monkeypatch):
    buffer = BufferedReader(BytesIO(gzip.compress(content)))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=buffer))
    assert read_any("-").kind == kind


def test_other_files_are_solved_if_one_is_a_question(tmp_path):
    question, problem, board = (tmp_path / name for name in ("question", "problem", "board"))
    question.write_bytes(b"1 2\n2 3\n")
    problem.write_bytes(PROBLEM)
    board.write_bytes(BOARD)
    for other, solution in ((problem, "0 1"), (board, "1324241331424231")):
        out, err = invoke("solve", question, other, tmp_path / "absent", status=2)
        assert solution in out or "a; b" in out
        assert f"error: {question}: this has 2 rows" in err
        assert "--kind" in err
        assert "No such file" in err
    _, err = invoke("solve", question, tmp_path / "absent", status=2)
    assert err.count("error: ") == 2
    _, err = invoke("solve", "--strict", question, problem, status=2)
    assert "stopped at the first file that cannot be read" in err
