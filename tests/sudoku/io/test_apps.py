"""Boards in the files and links of apps."""

import io

import pytest

from dlx_numba.kinds.reading import read
from dlx_numba.runtime.errors import FormatError
from dlx_numba.sudoku.io.board import format_board
from dlx_numba.sudoku.io.read import read_records
from tests.helpers import DATA
from tests.helpers.processes import invoke

LINES = (DATA / "simple.txt").read_text().split()[:3]
XML = """\ufeff<?xml version="1.0" encoding="UTF-8"?>
<opensudoku>
  <name>&lt;Three&gt;</name>
  <game data="{}"/> <game
    data="{}" />
  <game time="0" data="{}"></game>
</opensudoku>
"""


def boards(text):
    chunks = list(read_records(io.BytesIO(text.encode())))
    return [format_board(row, chunk.alphabet) for chunk in chunks for row in chunk.boards], chunks


def test_files_of_opensudoku_are_read():
    zeros = [line.replace(".", "0") for line in LINES]
    for end in ("\n", "\r\n"):
        found, chunks = boards(XML.format(*zeros).replace("\n", end))
        assert found == LINES
        assert chunks[0].lines.tolist() == [4, 5, 6]
    assert boards(XML.format("12", *zeros[1:]))[1][0].bad[0].line == 4


def test_boards_in_large_files_of_opensudoku_are_counted(tmp_path):
    path = tmp_path / "large.opensudoku"
    large = XML.format(*LINES).replace("</opensudoku>", "<!-- {} -->\n" * 2000 + "</opensudoku>")
    path.write_text(large.replace("{}", "x" * 40))
    assert invoke("count", path)[0] == "1\n" * 3
    path.write_text(large.replace("</opensudoku>", ""))
    assert "not valid XML" in invoke("count", path, status=2)[1]


def test_other_xml_is_not_read_as_boards():
    text = XML.format(*LINES).replace(
        "<opensudoku>", "<!DOCTYPE a [<!ENTITY b 'c'>]>\n<opensudoku>"
    )
    with pytest.raises(FormatError, match="<stream>:2: declarations of types are not read"):
        boards(text)
    with pytest.raises(FormatError, match="<stream>:1: unknown encoding: UTF-9"):
        boards(XML.format(*LINES).replace("UTF-8", "UTF-9"))
    with pytest.raises(FormatError, match="<stream>:7: not valid XML: mismatched tag"):
        boards(XML.format(*LINES).replace("</opensudoku>", "</sudoku>"))


@pytest.mark.parametrize("form", ["https://a.org/play/?s={}", "http://a.org/b?c=d&bd={}&e#f"])
def test_links_with_boards_are_read(form):
    links = [form.format(line) for line in LINES]
    assert boards("\n".join(links))[0] == LINES
    [puzzle] = read(links[0])
    assert puzzle.count() == 1
    assert invoke("solve", links[0])[0] == invoke("solve", LINES[0])[0]


def test_comments_after_boards_are_kept():
    text = f"{LINES[0]} #Easy\n# a list\n{LINES[1]}\n{LINES[2]}  # hard (2)\r\n"
    found, [chunk] = boards(text)
    assert found == LINES
    assert chunk.difficulties == ["Easy", "", "hard (2)"]
    assert boards("\n".join(LINES))[1][0].difficulties is None


def test_files_of_opensudoku_are_written(tmp_path):
    source, written = tmp_path / "a & b.txt", tmp_path / "ab.opensudoku"
    source.write_text("\n".join(LINES) + "\n")
    invoke("show", "--format", "opensudoku", "--output", written, source)
    assert "<name>a &amp; b.txt</name>" in written.read_text()
    assert boards(written.read_text())[0] == LINES
    small = tmp_path / "small.txt"
    small.write_text("1......3..4.....\n")
    _, err = invoke("show", "--format", "opensudoku", small, status=2)
    assert "OpenSudoku has plain 9×9 boards only" in err
    small.write_text("a b\na\nb\n")
    assert "writes boards" in invoke("show", "--format", "opensudoku", small, status=2)[1]
