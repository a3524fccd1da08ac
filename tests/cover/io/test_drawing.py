"""Problems that are drawn as text, and read from drawings."""

import random

import pytest

import dlx_numba as dlx
from dlx_numba.cover.io.drawing import draw_matrix, parse_drawing
from dlx_numba.runtime.errors import FormatError
from tests.helpers.problems import arrays_and_names, check_written, find_parser, named_problem
from tests.helpers.seeds import seeds

ROSTER = """\
          0 1 |
          : : |
      2   1 2 |
      |   | | |
      m t a b | d
      o u n o | e
      n e n b | s
              | k
      2 2 2 2 | 1
----------------------
Ann | 1 . 1 . | A |3
  1 | . 1 1 . | . |0
Bob | 1 . . 1 | . |12
  3 | . 1 . 1 | . |4
A: in the corner
"""


PROBLEM = dlx.ExactCover(
    {
        "Ann": ["mon", "ann", ("desk", "in the corner")],
        1: ["tue", "ann"],
        "Bob": ["mon", "bob"],
        3: ["tue", "bob"],
    },
    items=["mon", "tue", "ann", "bob"],
    secondary=["desk"],
    multiplicity={"mon": 2, "ann": (0, 1), "bob": (1, 2)},
    costs=[3, 0, 12, 4],
)


def draw(problem, width=None):
    return draw_matrix(*arrays_and_names(problem), width=width)


def test_drawing_has_names_multiplicities_colors_and_costs() -> None:
    assert draw(PROBLEM) + "\n" == ROSTER
    for text in (ROSTER, ROSTER.replace("\n", "\r\n")):
        check_written(text, parse_drawing, PROBLEM)


def test_drawn_problem_is_read_as_the_same_problem() -> None:
    for seed in seeds(300):
        problem = named_problem(seed)
        drawing = draw(problem, random.Random(seed).choice([None, 200]))
        if "…" not in drawing:
            check_written(drawing, parse_drawing, problem)


def test_narrow_drawing_is_read() -> None:
    items = [f"item{k}" for k in range(30)]
    problem = dlx.ExactCover([items[k::7] for k in range(7)], items[:20], items[20:])
    drawing = draw(problem, 40)
    assert "1......1" in drawing
    check_written(drawing, parse_drawing, problem)


@pytest.mark.parametrize(
    "problem",
    [
        dlx.ExactCover([["0"]], costs=[0]),
        dlx.ExactCover([]),
        dlx.ExactCover([[], []]),
        dlx.ExactCover([["s"], []], [], ["s"]),
        dlx.ExactCover([], ["a"]),
        dlx.ExactCover([], ["a"], ["s"]),
    ],
)
def test_small_problems_are_drawn_and_read(problem) -> None:
    check_written(draw(problem), parse_drawing, problem)


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("  3 | . 1 . 1 | . |4", "… 1 more option", 14, "the drawing is abridged; `show --full`"),
        ("1 1 . | . |0", "1 1 . |0", 12, "the row has other columns than the first one"),
        ("1 . . 1 | . |12", "1 . . 1 | .", 13, "the row has other columns than the first one"),
        ("Bob | 1", "Bob | 2", 13, "item 'mon': expected 1, 0 or :color in a cell, not '2'"),
        ("  3 |", "Ann |", 14, "a second option has the name 'Ann'"),
        ("A: in the corner", "in the corner", 15, "expected an option or a color, not 'in the c"),
        ("A: in the corner", 'A: "in', 11, 'invalid quotes in the name "in'),
        ("  1 | . 1", "  1 | 1 1", 9, r"item '2\|mon': the drawing does not state that 3 "),
        ("2   1 2 |\n", "2   1 2 |\n      x   | | |\n", 1, "invalid multiplicity '2x"),
    ],
)
def test_damaged_drawing_is_rejected_with_its_line(old, new, line, reason) -> None:
    text = ROSTER.replace(old, new)
    assert text != ROSTER
    assert find_parser(text) is parse_drawing
    with pytest.raises(FormatError, match=f"^toy:{line}: {reason}"):
        parse_drawing(text, "toy")
