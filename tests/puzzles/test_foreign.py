"""Texts that no kind reads, and texts that look like boards."""

import re
from itertools import product

import pytest

from dlx_numba.puzzles.exact.read import FORMATS
from dlx_numba.puzzles.question import KindError
from dlx_numba.puzzles.reading import read_any
from dlx_numba.puzzles.registry import COVER_FORMATS, KINDS
from dlx_numba.runtime.source import named_stream
from tests.helpers.processes import invoke


def reading(text, kind=None):
    data = text if isinstance(text, bytes) else text.encode()
    return read_any(named_stream(data, "file"), kind)


@pytest.mark.parametrize(
    ("text", "described"),
    [
        (b"\x89PNG\r\n\x1a\n\0", "an image"),
        (b"PK\x03\x04" + bytes(30), "a ZIP archive or a spreadsheet"),
        (b"%PDF-1.7\n", "a PDF document"),
        ("<game>1(2_v_^</game>", "an XML document"),
        ("<?xml version='1.0'?><svg></svg>", "an SVG picture"),
        ("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1\n", "a matrix in Matrix"),
        ("c sets\np hs 3 2\n1 2\n2 3\n", "a problem in a DIMACS format"),
        ("BEGIN:VCALENDAR\n", "a calendar"),
        ("import os, sys\n\nprint(1)\n", "a program in Python"),
        ("import java.util.*;\npublic class A {\n}\n", "a program in Java"),
        ("/* a solver */\n#include <stdio.h>\nint main(void) {\n}\n", "a program in C or C"),
        ("https://example.org/", "a link without a puzzle"),
    ],
)
def test_files_that_no_kind_reads_are_called_what_they_look_like(text, described):
    with pytest.raises(KindError, match=f"file: this is {described}"):
        reading(text)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("6 6\n- - 1 2 x\n", "this has 2 rows, of which the first is `6 6`"),
        (
            "name,Mon 9:00,Mon 10:00\nAnn,yes,no\nBob,,(yes)\n",
            "this has 3 rows, of which the first is `name,Mon 9:00,Mon 10:00`",
        ),
        ("Ann: Mon Tue\nBob: Tue\n", "this has "),
        ("a\n", "this is one line, `a`"),
        ("\n", "this is empty"),
        ("# made by hand\n#\n\n% nothing yet\n", "this has nothing to read, only comments"),
        ("\n# a comment\n| one of Knuth's\n", "this has nothing to read, only comments"),
        ("#\n#\n", "this has 2 rows"),
        ("# #\n# #\n", "this has 2 rows"),
    ],
)
def test_other_texts_are_described_by_their_shape(text, shape):
    with pytest.raises(KindError, match=f"file: {shape}"):
        reading(text)


@pytest.mark.parametrize(
    "text",
    [
        "error: cannot open file: missing\n" * 50,
        "a: " + "b: " * 500,
        "/**/" * 4000 + "\na\n",
        "a\nx." + " \n" * 8000,
        *(unit * (1_000_000 // len(unit)) for unit in ("\n", " ", "http://", "a b c", '{"a":')),
    ],
    ids=lambda text: repr(text)[:20],
)
def test_hostile_texts_are_not_matched_in_many_ways(text):
    """A pattern that could divide them in many ways would not end."""
    with pytest.raises(KindError, match="file: "):
        reading("x y\nz" + text + "c}\n")


@pytest.mark.parametrize("separator", ["", " ", ","])
@pytest.mark.parametrize("width", [2, 3])
def test_small_matrices_are_no_puzzles(width, separator):
    for bits in product("01", repeat=2 * width):
        rows = [separator.join(bits[k : k + width]) for k in range(0, len(bits), width)]
        for lines in (rows, [*rows, rows[0]]):
            found = reading("\n".join([*lines, ""]))
            assert (found.kind, found.format) == ("cover", "a matrix"), lines


def test_small_boards_are_dominoes_and_nonograms_by_their_kind():
    assert reading("2 3\n1 0 0\n0 1 1\n", "dominosa").kind == "dominosa"
    assert reading("1 1\n1\n1\n", "nonogram").kind == "nonogram"


def test_a_program_that_is_refused_is_refused_with_its_line():
    with pytest.raises(ValueError, match=r"file:3: the coefficient of 'x' is 0\.5, not an integer"):
        reading("min x\nst\n0.5 x = 1\nbinary\nx\nend\n")


def test_names_of_formats_are_listed_for_the_commands():
    assert dict.fromkeys(COVER_FORMATS) == dict.fromkeys(FORMATS)
    assert not {*COVER_FORMATS} & {*KINDS}


def test_a_file_that_only_contains_a_board_is_not_one_of_boards():
    rows = "0 0 0 0\n" * 4
    text = f"a grid of 4 rows\n{rows}\n" + "a piece that may turn\n" * 4
    with pytest.raises(KindError):
        reading(text)
    assert reading(text, "sudoku").kind == "sudoku"
    out, err = invoke("solve", "-", stdin=text, status=2)
    assert (out, "--kind" in err) == ("", True)


@pytest.mark.parametrize(
    "text",
    [
        "1|0|0|1\n0|1|1|0\n0|1|0|0\n0|0|1|0\n",
        "X..X\n.XX.\n.X..\n..X.\n",
        "6 6\n..1...\n001...\n......\n..0...\n......\n......\n",
        "4 1 2 2\n1 1 3 4\n3 3 1 2\n2 1 4 3\n",
        "ABCD\n1001\n0110\n1000\n0001\n",
        "Name,Mon,Tue,Wed\nAnn,x,,x\nBob,,x,\n",
    ],
)
def test_rows_of_few_symbols_are_no_boards(text):
    with pytest.raises(KindError, match="file: "):
        reading(text)
    assert "--kind" in invoke("solve", "-", stdin=text, status=2)[1]


def test_boards_on_single_lines_are_never_asked_for():
    for text in ("2" * 81 + "\n", f"puzzle,rating\n1{80 * '.'},10\n"):
        assert reading(text).kind == "sudoku"


def test_kinds_with_examples_only_read_no_files():
    with pytest.raises(ValueError, match="the kind 'queens' reads no files"):
        reading("a b\na b\n", "queens")
    out, err = invoke("solve", "--kind", "queens", "-", stdin="a b\na b\n", status=2)
    assert (out, "the kind 'queens' reads no files" in err) == ("", True)


def test_codes_of_games_that_are_not_solved_are_named():
    for code, name in (
        ("https://puzz.link/p?lits/3/3/1234", "a link of LITS"),
        ("Loopy: 3x3t0:a1b2", "a game ID of Loopy"),
    ):
        with pytest.raises(ValueError, match=re.escape(name)):
            reading(code)
