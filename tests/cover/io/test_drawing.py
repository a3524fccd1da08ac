"""Problems that are drawn as text, and read from drawings."""

import random

import pytest

import dlx_numba as dlx
from dlx_numba.cover.io.drawing import draw_matrix, parse_drawing
from dlx_numba.cover.io.read import find_parser
from dlx_numba.runtime.errors import FormatError
from tests.helpers.problems import arrays_and_names, named_problem
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


def roster() -> dlx.ExactCover:
    options = {
        "Ann": ["mon", "ann", ("desk", "in the corner")],
        1: ["tue", "ann"],
        "Bob": ["mon", "bob"],
        3: ["tue", "bob"],
    }
    bounds = {"mon": 2, "ann": (0, 1), "bob": (1, 2)}
    items = ["mon", "tue", "ann", "bob"]
    costs = [3, 0, 12, 4]
    return dlx.ExactCover(options, items, ["desk"], multiplicity=bounds, costs=costs)


def test_drawing_has_names_multiplicities_colors_and_costs() -> None:
    assert draw_matrix(*arrays_and_names(roster())) + "\n" == ROSTER
    for text in (ROSTER, ROSTER.replace("\n", "\r\n")):
        assert dlx.ExactCover(**parse_drawing(text)._asdict()) == roster()


def test_names_of_digits() -> None:
    problem = dlx.ExactCover([["0"]], costs=[0])
    drawing = draw_matrix(*arrays_and_names(problem))
    assert find_parser(drawing) is parse_drawing
    assert dlx.ExactCover(**parse_drawing(drawing)._asdict()) == problem


def test_drawn_problem_is_read_as_the_same_problem() -> None:
    for seed in seeds(300):
        problem = named_problem(seed)
        width = random.Random(seed).choice([None, 200])
        drawing = draw_matrix(*arrays_and_names(problem), width=width)
        if "…" in drawing:
            continue
        assert find_parser(drawing) is parse_drawing, drawing
        assert dlx.ExactCover(**parse_drawing(drawing)._asdict()) == problem, drawing


def test_narrow_drawing_is_read() -> None:
    items = [f"item{k}" for k in range(30)]
    problem = dlx.ExactCover([items[k::7] for k in range(7)], items[:20], items[20:])
    drawing = draw_matrix(*arrays_and_names(problem), width=40)
    assert "1......1" in drawing
    assert dlx.ExactCover(**parse_drawing(drawing)._asdict()) == problem


def test_empty_problems_are_drawn_and_read() -> None:
    for primary, secondary, options in (
        ([], [], []),
        ([], [], [[], []]),
        ([], ["s"], [["s"], []]),
        (["a"], [], []),
        (["a"], ["s"], []),
    ):
        problem = dlx.ExactCover(options, primary, secondary)
        drawing = draw_matrix(*arrays_and_names(problem))
        assert find_parser(drawing) is parse_drawing, drawing
        read = dlx.ExactCover(**parse_drawing(drawing)._asdict())
        assert read == problem
        assert read.solve() == problem.solve()


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        (
            "  3 | . 1 . 1 | . |4",
            "… 1 more option",
            14,
            "the drawing is abridged; `show --full` draws",
        ),
        (
            "1 1 . | . |0",
            "1 1 . |0",
            12,
            "the row has other columns than the first one",
        ),
        (
            "1 . . 1 | . |12",
            "2 . . 1 | . |12",
            13,
            "item 'mon': expected 1, 0 or :color in a cell, not '2'",
        ),
        ("1 . . 1 | . |12", "1 . . 1 | .", 13, "the row has other columns than the first one"),
        ("  3 |", "Ann |", 14, "a second option has the name 'Ann'"),
        ("A: in the corner", "in the corner", 15, "expected an option or a color, not 'in the c"),
        ("A: in the corner", 'A: "in', 11, 'invalid quotes in the name "in'),
        ("  1 | . 1", "  1 | 1 1", 9, r"item '2\|mon': the drawing does not state that 3 "),
        ("m t a b", "t t a b", 1, "invalid multiplicity '2x"),
    ],
)
def test_damaged_drawing_is_rejected_with_its_line(old, new, line, reason) -> None:
    text = ROSTER.replace(old, new)
    if old.startswith("m t"):
        text = ROSTER.replace("      |   | | |\n", "      x   | | |\n      |   | | |\n")
    assert text != ROSTER
    assert find_parser(text) is parse_drawing
    with pytest.raises(FormatError, match=f"^toy:{line}: {reason}"):
        parse_drawing(text, "toy")
