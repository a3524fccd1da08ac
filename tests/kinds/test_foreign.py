"""The detection of what people bring, and what is said of files that no kind reads."""

import re
from itertools import product

import pytest

from dlx_numba.kinds.exact.read import FORMATS
from dlx_numba.kinds.reading import read, read_any
from dlx_numba.kinds.registry import COVER_FORMATS, KINDS
from dlx_numba.runtime.errors import AmbiguousError
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
        ("<?xml version='1.0'?><puzzle><piece/></puzzle>", "an XML document"),
        ("<game>1(2_v_^</game>", "an XML document"),
        ("<?xml version='1.0'?><svg></svg>", "an SVG picture"),
        ("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1\n", "a matrix in Matrix"),
        ("# sets\n< a b >\n[ c ]\na c;\nb;\n", "a problem for miniexact"),
        ("p cnf 1 1\n1 0\n", "a problem in DIMACS CNF format"),
        ("c sets\np hs 3 2\n1 2\n2 3\n", "a problem in a DIMACS format"),
        ("name,Mon 9:00,Mon 10:00\nAnn,yes,no\nBob,,(yes)\n", "a list of availabilities"),
        ('{"width": 3, "map": []}', 'JSON with the keys "width" and "map"'),
        ('[{"level": 3}]', 'JSON in a list with the key "level"'),
        ("BEGIN:VCALENDAR\n", "a calendar"),
        ("# sets\n[options]\nA = [1, 4]\n", "a TOML document; write it as JSON"),
        (
            "/* a goal */\n\nmax: 3 x1 + 2 x2;\nR1: x1 + x2 <= 1;\nint x1,x2;\n",
            "an integer program for lp",
        ),
        ("% rules\nx(1..9).\n{s(X,Y) : x(Y)} = 1 :- x(X).\n", "an answer set program, for clingo"),
        ("Ann: Mon Tue\nBob: Tue\n", "a list for each name"),
        ("(1, 3), (2, 4), (2,)\n", "a line that no kind reads"),
        ("% data\nn = 4;\nS = [{1, 4},\n  {2}];\n", "data of a model in MiniZinc"),
    ],
)
def test_files_that_no_kind_reads_are_called_what_they_look_like(text, described):
    with pytest.raises(ValueError, match=f"file: this is {described}"):
        reading(text)


@pytest.mark.parametrize(
    "text",
    [
        "error: cannot open file: missing\n" * 50,
        "a: " + "b: " * 500,
        "/**/" * 4000 + "\na\n",
        "a\nx." + " \n" * 8000,
    ],
)
def test_hostile_texts_are_not_matched_in_many_ways(text):
    """A pattern that could divide them in many ways would not end."""
    with pytest.raises(ValueError, match=r"file:[0-9]+: (invalid|unknown) item"):
        reading(text + "c}\n")


def test_the_format_of_an_exact_cover_problem_is_named():
    assert reading("a b\na\nb\n").format == "Knuth's format"
    assert reading("4\n0 3\n1 2\n").format == "a matrix after its width"
    with pytest.raises(AmbiguousError, match="file: the text could be a matrix after its width or"):
        reading("3 1\n0 1 1\n")
    assert reading("3 1\n0 1 1\n", "orlib").format == "numbered options (OR-Library)"
    [puzzle] = read("3 1\n0 1 1\n", "matrix")
    assert puzzle.count() == 1


def test_costs_that_could_be_an_item_are_ambiguous():
    text = ",A,cost\nS1,1,1\nS2,1,0\n"
    with pytest.raises(AmbiguousError, match="'cost' could be an item, or the title of the costs"):
        reading(text)
    assert reading(text, "table").statement.items == ["A", "cost"]


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
    assert reading("1 1\n0 1\n1 0\n", "nonogram").kind == "nonogram"
    with pytest.raises(ValueError, match="the row has 3 fields, not 2"):
        reading("3 2\n1 0 0\n0 1 1\n")


def test_a_program_that_is_refused_is_refused_with_its_line():
    with pytest.raises(ValueError, match="file:3: the coefficient of 'x' is 0, not a positive"):
        reading("min x\nst\n0 x = 1\nbinary\nx\nend\n")


def test_names_of_formats_are_listed_for_the_commands():
    assert dict.fromkeys(COVER_FORMATS) == dict.fromkeys(each.name for each in FORMATS)
    assert not {*COVER_FORMATS} & {*KINDS}


@pytest.mark.parametrize("command", ["solve", "count"])
def test_commands_say_why_a_problem_is_not_read(command, tmp_path):
    path = tmp_path / "problem.txt"
    for text, reason in (
        ("3 1\n0 1 1\n", "the text could be a matrix after its width or"),
        ("min x\nst\n-1 x = 1\nbinary\nx\nend\n", "the coefficient of 'x' is -1"),
        ("S = {A, B}\nS1 = {A}\nS2 = {B}\n", "problem.txt:1: is S the universe or an option?"),
        ('{"S": ["A", "B"], "S1": ["A"]}', "problem.txt: is S the universe or an option?"),
        ('[["A", "B"], ["B"]]', "problem.txt: is the first list that of all items, or an option?"),
    ):
        path.write_text(text)
        assert reason in invoke(command, path, status=2)[1]


@pytest.mark.parametrize(
    "unit", ["\n", " ", "a\n", "0 1\n", "http://", "a b c", "1,", "- \n", '{"a":']
)
def test_long_texts_of_no_kind_are_rejected_by_their_beginning(unit):
    """Patterns take no quadratic time, and lines without boards are not examined one by one."""
    with pytest.raises(ValueError, match="file"):
        reading("x y\nz" + unit * (1_000_000 // len(unit)))


@pytest.mark.parametrize("text", ["shift,Mon,Tue\nEarly,Ann,Bob\n", "name,day\nAnn,Mon\n"])
def test_tables_of_words_are_called_so(text):
    with pytest.raises(
        ValueError, match=r"file:2: unknown item .* \(this may be a table; .*--items"
    ):
        reading(text)


def test_tables_are_rejected_by_their_first_lines():
    rows = "".join(f"p{k},{k},town\n" for k in range(200_000))
    with pytest.raises(ValueError, match=r"file:2: item .City.: expected 1, 0 or :color"):
        reading("Name,Age,City\n" + rows)


def test_a_file_that_only_contains_a_board_is_not_one_of_boards():
    rows = "0 0 0 0\n" * 4
    text = f"a grid of 4 rows\n{rows}\n" + "a piece that may turn\n" * 4
    reason = r"file: only 1 of \d+ lines or drawings can be read as boards \(line 1: neither"
    with pytest.raises(AmbiguousError, match=reason):
        reading(text)
    assert reading(text, "sudoku").kind == "sudoku"
    out, err = invoke("solve", "-", stdin=text, status=2)
    assert (out, "use --kind sudoku to read the boards" in err) == ("", True)
    assert reading(f"a grid of 4 rows\n{rows}\n{rows}").kind == "sudoku"


@pytest.mark.parametrize("names", ["ABCD", "a b c d", "x y z t", "one,two,three,four", "1 2 3 4"])
def test_rows_of_0_and_1_below_names_are_no_boards(names):
    found = reading(f"{names}\n1001\n0110\n1000\n0001\n")
    assert (found.kind, found.format, len(found.statement.items)) == ("cover", "a table", 4)
    assert next(found.puzzles).count() == 2


def test_rows_of_0_and_1_with_comments_or_names_are_no_boards():
    for text in ("1001 # A\n0110 # B\n0100 # C\n0010 # D\n", "A 1001\nB 0110\nC 0100\nD 0010\n"):
        found = reading(text)
        assert (found.kind, next(found.puzzles).count()) == ("cover", 2)


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        ("Matrix", "2: the row has 4 fields, not 6"),
        ("xxxx", "1: item 'x' appears twice"),
        ("A B C", "2: the row has 4 fields, not 3"),
    ],
)
def test_names_of_other_columns_than_those_of_0_and_1_are_refused(names, reason):
    with pytest.raises(ValueError, match=reason):
        reading(f"{names}\n1001\n0110\n1000\n0001\n")
    out, err = invoke("solve", "-", stdin=f"{names}\n1001\n0110\n1000\n0001\n", status=2)
    assert (out, reason in err) == ("", True)


@pytest.mark.parametrize(
    "text",
    [
        "Name,Mon,Tue,Wed\nAnn,x,,x\nBob,,x,\n",
        "Montag;Dienstag;Mittwoch\nAnn;1;0;1\nBob;0;1;0\n",
        "| | 2026-01-05 | 2026-01-06 |\n|---|---|---|\n| Ann | x | |\n| Bob | | x |\n",
        "Name 9:00 10:00\nAnn 1 0\nBob 0 1\n",
    ],
)
def test_days_of_people_are_not_silently_options(text):
    with pytest.raises(AmbiguousError, match="an option in each row, or the days of people; use"):
        reading(text)
    assert "use --kind table, or write" in invoke("count", "-", stdin=text, status=2)[1]
    [puzzle] = read(text, "table")
    assert puzzle.count() == 1
    assert reading("Name,A,Mon\nAnn,1,0\nBob,0,1\n").kind == "cover"
    assert reading("Mon,Tue\n1,0\n0,1\n").kind == "cover"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("import os, sys\n\nprint(1)\n", " in Python"),
        ("import App from './app';\n\nconst x = 1;\n", " in JavaScript"),
        ("// a solver\nexport default function solve(board) {\n}\n", " in JavaScript"),
        ("package x;\nimport java.util.*;\npublic class A {\n}\n", " in Java"),
        ("/* a solver */\n#include <stdio.h>\nint main(void) {\n}\n", " in C or C++"),
        ('package main\n\nimport "fmt"\n\nfunc main() {\n}\n', ""),
    ],
)
def test_programs_are_named(text, language):
    with pytest.raises(ValueError, match=f"^file: this is a program{re.escape(language)}$"):
        reading(text)


@pytest.mark.parametrize(
    "text",
    [
        "1|0|0|1\n0|1|1|0\n0|1|0|0\n0|0|1|0\n",
        "ABCD\n1..1\n.11.\n.1..\n..1.\n",
        "X..X\n.XX.\n.X..\n..X.\n",
        "6 6\n..1...\n001...\n......\n..0...\n......\n......\n#last\n",
    ],
)
def test_rows_of_two_symbols_are_no_boards(text):
    with pytest.raises(AmbiguousError, match="rows of two symbols are no Sudoku"):
        reading(text)
    assert "state the kind with --kind" in invoke("solve", "-", stdin=text, status=2)[1]
    assert reading("X...\n....\n....\n....\n".replace(".", "X")).kind == "sudoku"
    assert reading(f"puzzle,rating\n1{80 * '.'},10\n").kind == "sudoku"


def test_rows_that_repeat_symbols_are_no_boards():
    text = "4 1 2 2\n1 1 3 4\n3 3 1 2\n2 1 4 3\n"
    with pytest.raises(AmbiguousError, match="most rows repeat a symbol"):
        reading(text)
    assert reading(text, "sudoku").kind == reading(text.replace("3 3", "4 3")).kind == "sudoku"


def test_kinds_with_examples_only_read_no_files():
    with pytest.raises(ValueError, match="the kind 'queens' reads no files"):
        reading("a b\na b\n", "queens")
    out, err = invoke("solve", "--kind", "queens", "-", stdin="a b\na b\n", status=2)
    assert (out, "the kind 'queens' reads no files" in err) == ("", True)
