"""Problems that are drawn as text."""

import random

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.exact.drawing import draw_matrix
from tests.helpers.problems import arrays_and_names

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


@pytest.mark.parametrize("width", [17, 20, 29, 30, 31, 40])
def test_no_line_is_wider_than_the_width(width):
    items = [*map(str, range(12))]
    rng = random.Random(width)
    for n_secondary in (0, 1, 3):
        first = len(items) - n_secondary
        color = "a color with a long name"
        options = [
            [
                item if k < first else (item, color)
                for k, item in enumerate(items)
                if rng.random() < 0.6
            ]
            for _ in range(5)
        ]
        problem = dlx.ExactCover(options, items[:first], items[first:])
        assert max(map(len, draw(problem, width).splitlines())) <= width


def test_narrow_drawing() -> None:
    items = [f"item{k}" for k in range(30)]
    problem = dlx.ExactCover([items[k::7] for k in range(7)], items[:20], items[20:])
    drawing = draw(problem, 40)
    assert "1......1" in drawing
