"""Problem files that are damaged, or made to overload the reader."""

import re
from contextlib import suppress

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.exact.read import FORMATS, parse_file
from dlx_numba.runtime.errors import UnreadableError
from tests.helpers.processes import invoke


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"options": ' + b"[" * 20_000 + b"]" * 20_000 + b"}", "nested too deeply"),
        (b'{"options": [["a"]], "costs": [%d]}' % 10**30, "the sum of the costs must be less"),
        (b'{"options": [["a"]], "costs": [%s]}' % (b"9" * 5000), "4300"),
        (b'{"options": [["a"]], "costs": [1e400]}', "costs must be finite"),
        (b'{"options": [["a"]], "multiplicity": {"a": %d}}' % 10**30, r"less than 2\*\*31"),
        (rb'{"options": [["\ud800"]]}', "half of a surrogate pair"),
        (b"0:%s|a\na\n" % (b"9" * 30), r"less than 2\*\*31"),
        (b"0:%s|a\na\n" % (b"9" * 5000), "4300"),
        (b"a\na |%s\n" % (b"9" * 30), "the sum of the costs must be less"),
        (b"a b\0c\na\n", "binary data"),
        ("a b\na b\n".encode("utf-16"), "UTF-16 text; save it as UTF-8"),
        (b"\0" * 1000, "binary data"),
        (b"\x01\xff", "binary data, not text"),
        ("один два\nтри\n".encode("cp1251"), "byte 0xee on line 1; save the file as UTF-8"),
    ],
)
def test_hostile_texts_are_rejected_with_their_name(tmp_path, content, reason):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises((ValueError, UnreadableError), match=reason):
        dlx.ExactCover.read(path)
    for command in (["cover"], ["show"], ["explain", "-o", "-"]):
        out, err = invoke(*command, path, status=2)
        assert out == ""
        assert re.search(rf"^error: {re.escape(str(path))}:", err, re.MULTILINE)


def test_solve_reports_an_invalid_problem_and_solves_the_others(tmp_path):
    invalid, valid = tmp_path / "invalid.json", tmp_path / "valid.json"
    invalid.write_text('{"options": [["a", ["t", 1000000000000]]], "totals": {"t": [0, 5]}}')
    valid.write_text('{"options": {"x": ["a"]}}')
    out, err = invoke("solve", invalid, valid, status=4)
    assert out == f"x\n# {valid}: unique\n"
    assert f"error: {invalid}: weight of option 0" in err


# Each text has a part that takes quadratic time if a reader scans its rest again at each place.
LONG = 1_000_000
ITEMS = LONG // 10
ROW = "1 " * ITEMS
LINES = [f" E {k}" for k in range(ITEMS)]
REPETITIVE = {
    "bars": "|" * LONG,
    "bars and spaces": "| " * LONG,
    "a rule": "a|b\n" + "|-" * LONG + "x",
    "a section": "ROWS\n" * ITEMS,
    "blank lines after a section": "ROWS" + "\n" * LONG + "x",
    "rows of a column": "\n".join(["ROWS", *LINES, "COLUMNS", *(f"{s} 1" for s in LINES)]),
    "digits": "0" * LONG,
    "cells before a word": "0 " * LONG + "a",
    "a universe": "universe" + " " * LONG + "x",
    "a universe without braces": "U =" + " " * LONG + "{",
    "a title": "a" * LONG + ": b",
    "a set": "S1 = {}" + " " * LONG + "x",
    "words in a set": "S1 = {" + "1 " * ITEMS + "a-b, c}",
    "a sum": "min x\nst\n" + "\n".join(f"+ x{k}" for k in range(ITEMS)) + "\n= 1\nend",
    "bounds": "min x\nst\nx = 1\nbounds\n" + "x >= 0\n" * ITEMS + "binary\nx\nend",
    "a route": "1:1\n1:1" + " " * LONG + "x",
    "a choice of routes": "1:1\n1:1\n1" + " " * LONG + "x",
    "brackets": "[" * LONG,
    "quotes": 'x = {"' + "'" * LONG,
    "declarations": "a[]" * LONG,
}


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:.* a single row")
@pytest.mark.parametrize("text", REPETITIVE.values(), ids=list(REPETITIVE))
def test_the_time_of_reading_is_linear(text):
    with suppress(ValueError):
        parse_file(text.encode(), "file")
    for kind in FORMATS:
        with suppress(ValueError):
            parse_file(text.encode(), "file", kind=kind)


def test_large_multiplicities_have_no_effect_beyond_the_number_of_options():
    options = [["a", "b"], ["a"], ["b"]]
    for high in (2, 2**31 - 1):
        cover = dlx.ExactCover(options, multiplicity={"a": (0, high), "b": (0, high)})
        assert cover.count() == 8
