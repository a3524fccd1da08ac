"""Exact cover problems in Knuth's text format."""

import random

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.exact.knuth import parse_knuth
from dlx_numba.puzzles.exact.read import plain_format
from dlx_numba.runtime.errors import FormatError
from tests.helpers import INSTANCES
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
    assert dlx.ExactCover.read("a #\na\n# \n").options == [["a"], ["#"]]
    assert parse_knuth("a b #[1:2]\n# a\na b #\n").options == [
        [("#", 1), "a"],
        ["a", "b", ("#", 1)],
    ]
    with pytest.raises(ValueError, match="item '#' would start a comment"):
        dlx.ExactCover([["#"]]).write(kind="knuth")


def test_colors_multiplicities_and_costs() -> None:
    problem = parse_knuth("  | a comment\na 2:3|b 4|c |s t\na s:x t |3\nb |1 s:y |2 c\nc\n")
    assert problem.items == ["a", "b", "c"]
    assert problem.secondary == ["s", "t"]
    assert problem.multiplicity == {"b": (2, 3), "c": (4, 4)}
    assert problem.options == [["a", ("s", "x"), "t"], ["b", ("s", "y"), "c"], ["c"]]
    assert problem.costs == [3, 3, 0]
    assert parse_knuth("a\na |0").costs == [0]
    assert parse_knuth("a\na").costs is None


def test_instances_are_plainly_in_the_format() -> None:
    for path in sorted(INSTANCES.glob("*.dlx")):
        assert plain_format(path.read_text()) == "knuth", path


@pytest.mark.parametrize(
    "text",
    [
        "a b\na\nb\n",
        "a\na\n",
        "# two\na b\nb\n",
        "1 a\n1\na 1\n",
        "0:2|a b | s\na s:x\nb s:y |3\n",
        "a[2:2] b\na=2\nb\n",
        "a b c\na b\nx\nc\n",
    ],
)
def test_distinct_names_above_options_are_plain(text) -> None:
    assert plain_format(text) == "knuth"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a b\n",
        "1 2 3\n1 2\n3\n",
        "a b c\nb c a\nc a b\n",
        "a a b\na b\n",
        "- - 3\n- 1 -\n",
        "w2 - b3\n- w2 -\n",
        "one two\nthree\nfour\n",
        "A: 1 2\nB: 1\n",
        "a b | c d\nc d | a b\n",
    ],
)
def test_grids_and_other_words_are_not_plain(text) -> None:
    assert plain_format(text) is None


@pytest.mark.parametrize("name", ["course.ec", "course.txt"])
def test_two_sizes_may_precede_the_items(name, tmp_path) -> None:
    """Courses on parallel programming have such files, with the ending `.ec`."""
    path = tmp_path / name
    path.write_text("4 3\na b | c d\na c\nb d\nb\n")
    assert dlx.ExactCover.read(path).solve() == [[0, 1], [0, 2]]
    path.write_text("4 2\na b | c d\na c\nb d\nb\n")
    with pytest.raises(FormatError, match=":2: unknown item 'a'"):
        dlx.ExactCover.read(path, kind="knuth")
    assert parse_knuth("2 1\n2 1\n2 1\n").items == ["2", "1"]


def test_problems_whose_names_are_numbers_are_read_as_written() -> None:
    """Two items could be taken for sizes, and costs for items."""
    cover = dlx.ExactCover([[2, 3], [2], [3]], items=[3, 2], costs=[5, 3, 1])
    read = parse_knuth(cover.write(kind="knuth"))
    assert (read.items, read.costs) == (["3", "2"], [5, 3, 1])
    for seed in seeds(1000, at_least=100):
        rng = random.Random(seed)
        names = rng.sample("12345", rng.randint(2, 4))
        options = [rng.sample(names, rng.randint(1, len(names))) for _ in range(rng.randint(1, 5))]
        n_primary = rng.choice([1, 2, 2, len(names)])
        limits = {name: (1, rng.randint(1, 2)) for name in names[:n_primary]}
        costs = [rng.randint(0, 5) for _ in options]
        cover = dlx.ExactCover(
            options,
            names[:n_primary],
            names[n_primary:],
            multiplicity=rng.choice([None, limits]),
            costs=rng.choice([None, costs]),
        )
        assert dlx.ExactCover.read(cover.write(kind="knuth"), "knuth") == cover
