"""Records with derived boards in all styles, read again."""

import io

import numpy as np
import pytest

from dlx_numba.sudoku.io.read import read_records
from dlx_numba.sudoku.io.write import STYLES, Writer
from tests.helpers.boards import read

TEXT = b'1.3.34..2..3..2.\n"a, b"\n................\n4...\n'


def records_of(text):
    [records] = read_records(io.BytesIO(text))
    return records


@pytest.mark.parametrize("style", ["line", "grid"])
def test_derived_boards_are_read_again(style):
    records = records_of(TEXT)
    boards = np.roll(records.boards, 1, axis=1)
    again = read(Writer(style).format_boards(records, boards, "rolled"))
    assert again.boards == [".1.3.34..2..3..2", "................"]
    assert again.bad == []


@pytest.mark.parametrize("style", ["csv", "json"])
def test_tables_contain_both_boards(style):
    records = records_of(TEXT)
    boards = np.roll(records.boards, 1, axis=1)
    text = Writer(style).format_boards(records, boards, "rolled").decode()
    assert "1.3.34..2..3..2." in text
    assert ".1.3.34..2..3..2" in text
    assert text.count("unreadable") == len(records.bad) == 2
    assert read(text).boards == ["1.3.34..2..3..2.", "................"]


@pytest.mark.parametrize("style", STYLES)
def test_chunks_without_boards(style):
    records = records_of(TEXT).part(1, 2)
    assert len(records) == 0
    text = Writer(style).format_boards(records, records.boards, "rolled").decode()
    assert text.count("unreadable") == 1


def test_header_is_written_once():
    records = records_of(TEXT)
    writer = Writer("csv")
    texts = [writer.format_boards(records, records.boards, "rolled") for _ in range(2)]
    assert [text.count(b"puzzle,rolled,status,line") for text in texts] == [1, 0]
