"""Exact cover problems as text."""

import numpy as np
import pytest

from dlx_numba.cover.io.knuth import parse_knuth
from dlx_numba.cover.io.matrix import looks_like_matrix, parse_matrix
from dlx_numba.runtime.errors import FormatError

KNUTH = "| a toy\n\na b c | d e\n| options\na d\nb c\n\n  c e \na b\n"


def test_knuth() -> None:
    problem = parse_knuth(KNUTH)
    assert problem.primary == ["a", "b", "c"]
    assert problem.secondary == ["d", "e"]
    assert problem.options == [["a", "d"], ["b", "c"], ["c", "e"], ["a", "b"]]
    assert problem.lines == [5, 6, 8, 9]
    assert parse_knuth(KNUTH.replace("\n", "\r\n")) == problem


def test_knuth_in_full() -> None:
    problem = parse_knuth("  | a comment\na 2:3|b 4|c |s t\na s:x t |3\nb |1 s:y |2 c\nc\n")
    assert problem.primary == ["a", "b", "c"]
    assert problem.secondary == ["s", "t"]
    assert problem.multiplicity == {"b": (2, 3), "c": (4, 4)}
    assert problem.options == [["a", ("s", "x"), "t"], ["b", ("s", "y"), "c"], ["c"]]
    assert problem.costs == [3, 3, 0]
    assert parse_knuth("a\na |0").costs == [0]
    assert parse_knuth("a\na").costs is None


def test_no_matrix_is_soon_told() -> None:
    assert not looks_like_matrix("0 " * 200_000 + "a")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "no line of items"),
        ("| comment\n", 1, "no line of items"),
        ("a b a", 1, "item 'a' is named twice"),
        ("a b | a", 1, "item 'a' is named twice"),
        ("a | b | c", 1, "more than one '|' among the items"),
        ("a b\na c", 2, "unknown item 'c'"),
        ("a b\n\na b a", 3, "item 'a' is twice in the option"),
        ("a:1 b", 1, "an item's name must not be empty nor have ':' in it: 'a:1'"),
        ("a 2| b", 1, "an item's name must not be empty nor have ':' in it: '2|'"),
        ("a | 2|b", 1, "a secondary item has no multiplicity: '2|b'"),
        ("x|a b", 1, "a multiplicity is low:high|item or high|item, not 'x|a'"),
        ("1:|a b", 1, "a multiplicity is low:high|item or high|item, not '1:|a'"),
        ("0|a b", 1, "the upper bound is 0: '0|a'"),
        ("3:2|a b", 1, "the lower bound is above the upper: '3:2|a'"),
        ("a | b\na:1 b", 2, "item 'a' is primary, so it cannot have a colour: 'a:1'"),
        ("a | b\na b:", 2, "no colour behind the colon: 'b:'"),
        ("a | b\na b:1 b:2", 2, "item 'b' is twice in the option"),
        ("a | b\na c:1", 2, "unknown item 'c'"),
        ("a b\na | b", 2, "a cost is '|' and a number, not '|'"),
        ("a b\na |-1", 2, "a cost is '|' and a number, not '|-1'"),
    ],
)
def test_knuth_faults(text: str, line: int, reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_knuth(text, "toy.dlx")
    assert str(caught.value) == f"toy.dlx:{line}: {reason}"
    assert (caught.value.line, caught.value.reason) == (line, reason)


def test_many_options() -> None:
    items = [f"i{k}" for k in range(2000)]
    lines = [" ".join(items)] + [f"{items[k % 2000]} {items[(k + 1) % 2000]}" for k in range(10**5)]
    assert len(parse_knuth("\n".join(lines)).options) == 10**5


MATRIX = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1]], np.uint8)


@pytest.mark.parametrize(
    "text",
    [
        "101\n010\n111\n",
        "# a matrix\n1 0 1\n\n0 1 0\r\n| the last\n 1 1 1",
        "1,0,1\n0, 1, 0\n1;1;1,",
    ],
)
def test_matrix(text: str) -> None:
    matrix = parse_matrix(text)
    assert matrix.dtype == np.uint8
    assert (matrix == MATRIX).all()
    assert looks_like_matrix(text)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "no row of 0 and 1"),
        ("101\n10\n", 2, "a row of 2 columns; the first has 3"),
        ("101\n\n1 0 2\n", 3, "'2' in column 5; a matrix consists of 0 and 1"),
    ],
)
def test_matrix_faults(text: str, line: int, reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_matrix(text, "toy")
    assert str(caught.value) == f"toy:{line}: {reason}"


@pytest.mark.parametrize("text", ["", "# 1 0\n", "a b\n1 0\n", "1 0 2\n", KNUTH])
def test_other_text_does_not_look_like_a_matrix(text: str) -> None:
    assert not looks_like_matrix(text)
