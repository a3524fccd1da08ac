"""Texts that readers reject, and problems that writers reject."""

import re

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.exact.knuth import parse_knuth
from dlx_numba.puzzles.exact.matrix import parse_matrix
from dlx_numba.puzzles.exact.numbered import parse_ec, parse_orlib
from dlx_numba.puzzles.exact.sets import parse_sets
from dlx_numba.puzzles.exact.table import parse_table
from dlx_numba.runtime.errors import FormatError
from tests.helpers.problems import write_table

ADVICE = "Write 'universe = {...}' for the set of all items, as the first line"

# A text, the number of the invalid line, and the reason or its start
INVALID = {
    parse_knuth: [
        ("", 1, "the line of items is missing"),
        ("a b | a", 1, "item 'a' appears twice"),
        ("a | b | c", 1, "more than one '|' in the line of items"),
        ("a b\na c", 2, "unknown item 'c': the first line lists all items"),
        ("a:1 b", 1, "invalid item 'a:1': the name is empty or contains ':'"),
        ("a | 2|b", 1, "a secondary item cannot have a multiplicity: '2|b'"),
        ("1:|a b", 1, "invalid multiplicity '1:|a': expected low:high|item or high|item"),
        ("3:2|a b", 1, "invalid multiplicity '3:2|a': must satisfy low <= high"),
        ("a | b\na:1 b", 2, "item 'a' is primary, so it cannot have a color: 'a:1'"),
        ("a | b\na b:", 2, "the color after ':' is missing: 'b:'"),
        ("a | b\na b:1 b:2", 2, "item 'b' appears twice in the option"),
        ("a b\na |-1", 2, "invalid cost '|-1': expected '|' and a nonnegative integer"),
    ],
    parse_matrix: [
        ("", 1, "the matrix is empty"),
        ("101\n10\n", 2, "row 2 has 2 columns, but the first row has 3"),
        ("101\n\n1 0 a\n", 3, "expected 0 or 1, not 'a'"),
        ("[[[1, 0], [0, 1]],\n[[1, 1]]]", 2, "row 1 must be a list of 0 and 1"),
        ("[[1, 0], [1]]", 1, "row 2 has 1 columns, but the first row has 2"),
        ("[[1, 0],\n[1, null]]", 2, "row 2 must be a list of 0 and 1"),
        ('[[1, 0],\n["1", "a"]]', 2, "row 2 must be a list of 0 and 1"),
        ("[[1, 0],\n[1, 0]", 2, "not valid JSON: "),
        ("[[1, 0]]\n]", 2, "not valid JSON: Extra data"),
        ("[1, [0, 1]]", 1, "row 1 must be a list of 0 and 1"),
        ("[[1, 0]]\nthe end", 2, "not valid JSON: Extra data"),
        ("int[] c = {1};\nint[][] c = {", 1, "not valid JSON: Extra data"),
    ],
    parse_table: [
        (",A,A\nS1,1,0\n", 1, "item 'A' appears twice"),
        (",A,\nS1,1,0\n", 1, "the name of the item is missing"),
        (",,A\nS1,1,0\n", 1, "the name of the item is missing"),
        (",A,B\n\nS1,1,0\nS1,0,1\n", 4, "a second option has the name 'S1'"),
        (",A,B\nS1,1\n", 2, "the row has 2 fields, not 3"),
        ("A,B\n1,0\n1,0\ny,0\n", 4, "item 'A': expected 1, 0 or :color in a cell, not 'y'"),
        (",A,|s\nS1,1,:\n", 2, "item 's': expected 1, 0 or :color in a cell, not ':'"),
        (",x|A,B\nS1,1,0\n", 1, "invalid multiplicity 'x|A'"),
        (",A,|2|B\nS1,1,0\n", 1, "a secondary item cannot have a multiplicity: '|2|B'"),
        (",A,|\nS1,1,-3\n", 2, "invalid cost '-3': expected a nonnegative integer"),
        ("| A | B |\n|---|---|\n| 1 | 0 |\n", 1, "expected names with commas, semicolons or tabs"),
        (',A,B\nS1,1,0\n"S2,0,1\n', 3, "not valid CSV: unexpected end of data"),
    ],
    parse_sets: [
        ("S1 = {A}\nS2 = B\n", 2, "expected a set such as S1 = {A, B}"),
        ("S1 = {A}\n\nS2 = {A,, B}\n", 3, "the name of an item is missing"),
        ("S1 = {A}\nS1 = {B}\n", 2, "a second option has the name 'S1'"),
        ("S = {A, B}\nS1 = {A}\nS2 = {B}\n", 1, f"is S the universe or an option? {ADVICE}"),
        ("universe = {A}\nUniverse = {B}\nS1 = {A}\n", 2, "a second universe"),
        ("S1 = {A}\nX = {A, B}\n", 2, f"is X the universe or an option? {ADVICE}"),
        ("U = {A}\n", 1, f"is U the universe or an option? {ADVICE}"),
        ("A = {1}\nB = {2, ..., 6}\n", 2, "'...' abbreviates a list: write all of its items"),
        ("A = {1..3}\n", 1, "'1..3' abbreviates a list: write all of its items"),
        ("A = {1 2}\n", 1, "separate the items in '1 2' with commas, or quote the name"),
        ("A = {a; b}\n", 1, "separate the items in 'a; b' with commas, or quote the name"),
        ("A = {(1, 2}\n", 1, "a bracket or a quote is not closed: '(1,2'"),
    ],
    parse_ec: [
        ("p ec 3\n\ns 1 4\n", 3, "item 4 is unknown: expected 3 items, numbered from 1"),
        ("p ec 3\ns 2 0 1\n", 2, "item 0 is unknown: expected 3 items, numbered from 1"),
        ("p ec 3\ns 1 2 1\n", 2, "item 1 appears twice"),
        ("", 1, "expected 'p ec' and the number of items"),
        ("p ec 3 2\n", 1, "expected 'p ec' and the number of items"),
        ("p ec -3\n", 1, "expected a nonnegative integer, not '-3'"),
        ("p ec 10000001\n", 1, "10,000,001 items are more than the maximum of 10,000,000"),
        ("p ec " + "9" * 5000, 1, "the number 999999999999999999... is too large"),
        ("p ec 3\n1 2\n", 2, "expected 's' and the items of an option, not '1'"),
        ("p ec 3\ns ²\n", 2, "expected a nonnegative integer, not '²'"),
    ],
    parse_orlib: [
        ("", 1, "expected the number of items and the number of options"),
        ("3 -1\n1 1\n", 1, "expected a nonnegative integer, not '-1'"),
        ("3 4\n7 1 1\n7 2 2 3\n7 1 1\n7\n", 5, "the option should have 1 item, but has 0"),
        ("3 2\n7 1 1\n-7 1 1\n", 3, "expected a nonnegative integer, not '-7'"),
        ("3 2\n7 1 1\n", 2, "1 option found, but the first line says 2"),
        ("3 1\n1 1\n\n1 2\n", 4, "2 options found, but the first line says 1"),
        ("3 2\n7 1 1\n7 1 4\n", 3, "item 4 is unknown: expected 3 items, numbered from 1"),
        ("3 2\n7 1 1\n7 1 0\n", 3, "item 0 is unknown: expected 3 items, numbered from 1"),
        ("3 2\n1 3\n1 0\n", 3, "item 0 is unknown: expected 3 items, numbered from 1"),
        ("3 1\n2 2 2\n", 2, "item 2 appears twice"),
        ("3 2\n1 1\n3 1 2\n", 3, "the text ends before the options of item 1"),
        ("3 1\n1.0 1\n", 2, "expected a nonnegative integer, not '1.0'"),
        # Set covering problems
        ("2 2\n7 8\n1 1\n2 1\n", 4, "the text ends before the options of item 2"),
        ("2 2\n7 8\n\n1 3 1 1\n", 4, "item 1 has an option that is not from 1 to 2"),
        ("1 2\n7 8 2\n2 2\n", 3, "item 1: option 2 appears twice"),
        ("1 2\n7 8 1\n2\n9", 4, "more numbers than the first line says"),
    ],
}
# Texts that readers accept, and `ExactCover` rejects
INCONSISTENT = [
    (",A,B\nS1,1,:x\n", "option 'S1': item 'B' is primary, so it cannot have the color 'x'"),
    ("universe = {A}\nS1 = {A}\nS2 = {B}\n", "option 'S2': item 'B' is unknown"),
    ('{"options": [["a"]], "costs": [1, 2]}', r"costs must have shape \(1,\), not \(2,\)"),
]
# Items and colors that are equal as text
COLORED = dlx.ExactCover([["a", ("s", 1)], ["b", ("s", "1")]], secondary=["s"])
CONFUSED = (
    (dlx.ExactCover([["1"], [1]]), "items '1' and 1 are both written '1'"),
    (COLORED, "colors 1 and '1' are both written '1'"),
)
PAIR = [["a"], ["a", "b"]]
UNWRITABLE = {
    "knuth": [
        (dlx.ExactCover(PAIR, given=[0]), "has no given or forbidden options"),
        *CONFUSED,
        (dlx.ExactCover([["a b"]]), "item 'a b' cannot be written"),
        (dlx.ExactCover([["a|b"]]), "item 'a|b' cannot be written"),
        (dlx.ExactCover([[""]]), "item '' cannot be written"),
        (dlx.ExactCover([["a"], []]), "option 1 is empty"),
        (dlx.ExactCover([["s"]], secondary=["s"]), "without primary items"),
        (dlx.ExactCover([["a", ("s", "x y")]], secondary=["s"]), "color 'x y' cannot be written"),
    ],
    write_table: [*CONFUSED, (dlx.ExactCover([]), "without items or options cannot be written")],
    "json": [
        (
            dlx.ExactCover([["a", ("s", (1, 2))], ["b", ("s", "1,2")]], secondary=["s"]),
            "colors (1, 2) and '1,2' are both written '1,2'",
        ),
        (dlx.ExactCover([[(1, 2)], ["1,2"]]), "items (1, 2) and '1,2' are both written '1,2'"),
        (dlx.ExactCover([[1], [1], ["1"]], exactly={1: 2}), "items 1 and '1' are both written '1'"),
        (
            dlx.ExactCover([[(1, 2)]], totals={"1,2": ([1], 0, 1)}),
            "an item and a total are both written '1,2'",
        ),
    ],
}


@pytest.mark.parametrize(
    ("parse", "text", "line", "reason"),
    [(parse, *case) for parse, cases in INVALID.items() for case in cases],
)
def test_invalid_texts_are_rejected_with_their_line(parse, text, line, reason):
    with pytest.raises(FormatError, match="^" + re.escape(f"toy:{line}: {reason}")):
        parse(text, "toy")


@pytest.mark.parametrize(("text", "reason"), INCONSISTENT)
def test_inconsistent_problems_are_rejected_with_their_file(text, reason, tmp_path):
    path = tmp_path / "toy"
    path.write_text(text)
    with pytest.raises(ValueError, match=f"^{path}: {reason}"):
        dlx.ExactCover.read(path, "table" if text.startswith(",") else None)


@pytest.mark.parametrize(
    ("write", "cover", "reason"),
    [(write, *case) for write, cases in UNWRITABLE.items() for case in cases],
)
def test_problems_that_a_format_cannot_represent_are_not_written(write, cover, reason):
    with pytest.raises(ValueError, match=re.escape(reason)):
        write(cover) if callable(write) else cover.write(kind=write)
