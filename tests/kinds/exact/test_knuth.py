"""Exact cover problems in Knuth's text format."""

import pytest

import dlx_numba as dlx
from dlx_numba.kinds.exact.knuth import parse_knuth, parse_sized
from dlx_numba.runtime.errors import FormatError
from tests.helpers.problems import find_parser, general_problem, parsed
from tests.helpers.seeds import seeds

KNUTH = "| a toy\n\na b c | d e\n| options\na d\nb c\n\n  c e \na b\n"


def test_comments_empty_lines_and_line_ends_are_ignored() -> None:
    problem = parse_knuth(KNUTH)
    assert problem.items == ["a", "b", "c"]
    assert problem.secondary == ["d", "e"]
    assert problem.options == [["a", "d"], ["b", "c"], ["c", "e"], ["a", "b"]]
    assert parse_knuth(KNUTH.replace("\n", "\r\n")) == problem


def test_comments_of_other_programs_are_ignored() -> None:
    expected = dlx.ExactCover.read("a b\na\nb\n")
    for mark in ("#", "//", "%"):
        text = f"{mark} a toy\na b\n{mark} options\na\nb\n"
        assert dlx.ExactCover.read(text) == expected
        with pytest.raises(FormatError, match=":4: unknown item 'c'"):
            dlx.ExactCover.read(text.replace("\na\n", "\nc\n"))
    assert dlx.ExactCover.read("# a\n#\n# a\n").items == ["#", "a"]
    with pytest.raises(FormatError, match=":3: unknown item 'zz'"):
        dlx.ExactCover.read("# aa b\naa b\n# zz\naa\n")


def test_colors_multiplicities_and_costs() -> None:
    problem = parse_knuth("  | a comment\na 2:3|b 4|c |s t\na s:x t |3\nb |1 s:y |2 c\nc\n")
    assert problem.items == ["a", "b", "c"]
    assert problem.secondary == ["s", "t"]
    assert problem.multiplicity == {"b": (2, 3), "c": (4, 4)}
    assert problem.options == [["a", ("s", "x"), "t"], ["b", ("s", "y"), "c"], ["c"]]
    assert problem.costs == [3, 3, 0]
    assert parse_knuth("a\na |0").costs == [0]
    assert parse_knuth("a\na").costs is None


def test_sizes_may_precede_the_items():
    for seed in seeds(50):
        problem = general_problem(seed)
        if not all(problem.options):
            continue
        text = problem.write(kind="knuth")
        n_items = len(parse_knuth(text).items) + len(parse_knuth(text).secondary)
        sized = f"{n_items} {problem.n_options}\n{text}"
        if problem.n_options:
            assert parsed(parse_sized, sized).solve() == parsed(parse_knuth, text).solve()
    text = "| sizes: 4 3\n4 3\n| a comment\na b | c d\na c:x\nb c:x\nb d\n"
    assert find_parser(text) is parse_sized
    assert parsed(parse_sized, text).count() == 2
