"""Grids are recognized by the names of items."""

import re

import pytest

import dlx_numba as dlx
from dlx_numba.explain.problem_view import view_search
from dlx_numba.gallery import GALLERY, Knight, Latin, Words
from dlx_numba.kinds.kind import examples


def grid_of(cover):
    return view_search(cover._stated, "grid").grid


def test_steps_of_a_knight():
    entry = Knight(3, 4)
    grid = grid_of(entry.cover())
    assert (grid.rows, grid.columns) == (3, 4)
    [cover] = entry.cover().solve(1)
    labels = dict(cell for option in cover for cell in grid.option_cells[option])
    path = [(row - 1) * 4 + column - 1 for row, column in entry.path(cover)]
    assert labels == {cell: str(step) for step, cell in enumerate(path)}
    assert sorted(grid.path[option] for option in cover) == list(range(12))
    assert grid_of(Latin(3).cover()).path is None


def test_letters_of_words_are_colors():
    entry = Words()
    grid = grid_of(entry.cover())
    options = entry.statement().options.values()
    for cells, (word, *_) in zip(grid.option_cells, options, strict=True):
        assert "".join(letter for _, letter in cells) == word


def test_layers_of_cubes_are_side_by_side():
    options = [["A", (2, 5, 1), (2, 5, 2), (2, 6, 1)], ["B", (3, 5, 1), (3, 6, 2)]]
    grid = grid_of(dlx.ExactCover(options))
    assert (grid.rows, grid.first_row, grid.column_labels) == (2, 5, ["1", "2", "", "1", "2"])
    assert grid.option_cells == [[(0, "A"), (1, "A"), (5, "A")], [(3, "B"), (9, "B")]]


def test_sides_of_squares_have_colors():
    entry = dlx.example("macmahon")
    grid = grid_of(entry.cover())
    for [(cell, _)], sides, name in zip(
        grid.option_cells, grid.option_sides, entry.cover().option_names, strict=True
    ):
        colors, row, column = re.fullmatch(r"(....) at (\d),(\d)", name).groups()
        assert cell == 6 * int(row) + int(column) - 7
        assert sides == [(cell, k, "abc".index(color)) for k, color in enumerate(colors)]


@pytest.mark.parametrize(("row", "column"), [("r", "c"), ("row,", "column,"), ("r", "col")])
def test_rows_and_columns(row, column):
    options = [[f"{row}{i}", f"{column}{j}"] for i in (1, 2) for j in (1, 2, 3)]
    items = [*(f"{row}{i}" for i in (1, 2)), *(f"{column}{j}" for j in (1, 2, 3))]
    grid = grid_of(dlx.ExactCover(options, items))
    assert (grid.rows, grid.columns) == (2, 3)
    assert grid.option_cells == [[(cell, "♛")] for cell in range(6)]
    assert grid.item_cells == [[0, 1, 2], [3, 4, 5], [0, 3], [1, 4], [2, 5]]


@pytest.mark.parametrize("place", ["place,", "position", "s"])
def test_places_in_a_row(place):
    """The label of a place is the number that an option puts there."""
    options = [[f"n{k}", f"{place}{i}", f"{place}{i + k}"] for k, i in ((1, 1), (1, 2), (2, 1))]
    grid = grid_of(dlx.ExactCover(options, ["n1", "n2", *(f"{place}{i}" for i in (1, 2, 3))]))
    assert (grid.rows, grid.first_row, grid.column_labels) == (1, None, [*"123"])
    cells = [[(0, "n1"), (1, "n1")], [(1, "n1"), (2, "n1")], [(0, "n2"), (2, "n2")]]
    assert (grid.option_cells, grid.item_cells) == (cells, [[], [], [0], [1], [2]])


@pytest.mark.parametrize(
    "cover",
    [
        dlx.ExactCover([["a", "b"], ["c"]]),
        dlx.ExactCover([["r1", "r2", "c1", "c2"]]),  # no single cell
        dlx.ExactCover([[(0, 0)], [(9, 9)]]),  # almost empty
        dlx.ExactCover([[(0, 0), (0, 99)]]),
        dlx.ExactCover([["s1", "a"], ["s30"]]),
        dlx.ExactCover([[(0, 0)], [(0, 0)], [(0, 1)]], multiplicity={(0, 0): (1, 2)}),
    ],
    ids=["letters", "lines", "sparse", "large", "sparse-row", "multiplicities"],
)
def test_other_problems_have_no_grid(cover):
    assert grid_of(cover) is None


def test_problems_of_the_gallery():
    every = {**GALLERY, **examples()}
    found = {name for name in every if grid_of(every[name]().cover()) is not None}
    assert found == {
        "knight", "langford", "latin", "macmahon", "mates", "polycubes", "polyominoes", "queens",
        "sudoku", "tetrasticks", "tilings", "words",
    }  # fmt: skip
