"""Pieces that fill a region: symmetry breaking, texts, pictures and errors."""

import random
from itertools import product

import pytest

from dlx_numba.pictures.outlines import format_outlines
from dlx_numba.puzzles.answer import check_answer
from dlx_numba.puzzles.kind import example
from dlx_numba.puzzles.lattice.regions import parse_cubes, parse_squares, parse_triangles
from dlx_numba.puzzles.lattice.shapes import CUBES
from dlx_numba.puzzles.pieces.calendar import DAYS, MONTHS
from dlx_numba.puzzles.pieces.genius_star import DICE
from tests.helpers.pictures import elements, parse_picture, texts_of


def split_cells(text):
    return [line.split() for line in text.splitlines()]


DRAWN = [
    ("polyominoes", {"region": "8x8-2x2"}),
    ("polyominoes", {"size": 6, "region": "3x8", "pieces": "AHLΣ"}),
    ("polyominoes", {"region": "3x30", "sided": True}),
    ("polyiamonds", {"region": "6x6-3-3", "pieces": "-EHV"}),
    ("tetrasticks", {"region": "4x4", "sided": True, "pieces": "FfHhRrTXYy", "symmetry": True}),
]


@pytest.mark.compiled
@pytest.mark.parametrize(("name", "parameters"), DRAWN)
def test_text_and_picture_show_each_piece(name, parameters):
    puzzle = example(name, **parameters)
    solution = puzzle.first()
    text = puzzle.text(solution)
    drawn = [puzzle.picture.marks[option] for option in solution]
    pieces = [(marks[0][1], [cell for cell, _ in marks]) for marks in drawn]
    assert all(text.count(letter) == len(cells) for letter, cells in pieces)
    if name == "polyominoes":
        rows = [line.split() for line in text.splitlines()]
        assert all({rows[r - 1][c - 1] for r, c in cells} == {x} for x, cells in pieces)
    letters = texts_of(parse_picture(puzzle.svg(solution)))
    assert sorted(letters) == sorted(letter for letter, _ in pieces)


def test_outlines_of_separate_pieces():
    square, corner = frozenset([(0, 0)]), frozenset([(1, 1), (1, 2), (2, 1)])
    assert format_outlines([square, corner]).splitlines() == [
        "┌───┐",
        "│   │",
        "└───┼───────┐",
        "    │       │",
        "    │   ┌───┘",
        "    │   │",
        "    └───┘",
    ]


@pytest.mark.compiled
@pytest.mark.parametrize(
    "name", ["polyominoes", "polyiamonds", "calendar", "genius-star", "tilings"]
)
def test_unfinished_pictures_show_the_empty_cells(name):
    puzzle = example(name)
    solution = puzzle.first()
    cells = {cell for option in solution for cell, _ in puzzle.picture.marks[option]}
    assert cells == puzzle.picture.positions.keys()
    *others, last = solution
    drawn = [elements(parse_picture(puzzle.svg(k)), "path", "thin") for k in (solution, others)]
    assert [path.get("d").count("z") for paths in drawn for path in paths] == [
        len(puzzle.picture.marks[last])
    ]


@pytest.mark.compiled
def test_soma_cube_up_to_rotations():
    cubes, cover = parse_cubes("3x3x3"), example("polycubes").cover()
    rotations = {(z, y, x): (z, x, 4 - y) for z, y, x in cubes}
    cycle = {(z, y, x): (y, x, z) for z, y, x in cubes}
    group = cover.symmetries([rotations, cycle])
    assert (group.order, cover.count(up_to_symmetry=group)) == (24, 480)


@pytest.mark.compiled
def test_bedlams_cube():
    bedlam = example("polycubes", region="4x4x4", pieces="bedlam")
    options = list(bedlam.statement.options.values())
    pieces = [options[option] for option in bedlam.first()]
    assert sorted(name for name, *_ in pieces) == sorted("ABCDEFGHVWXYZ")
    assert frozenset().union(*(cubes for _, *cubes in pieces)) == parse_cubes("4x4x4")
    assert bedlam.cover().symmetries().order == 24  # some pieces have no mirror image


def test_named_pieces_may_be_drawn_and_cubes_are_shown_in_layers():
    puzzle = example("polycubes", region="2x1x2", pieces="A #|# B ##")
    assert puzzle.cover().solve() == [[0, 7], [1, 6], [2, 5], [3, 4]]
    assert [puzzle.text(each) for each in ([0, 7], [1, 6])] == ["A A   B B", "A B   A B"]
    assert "2 pieces: A, B." in puzzle.svg([0, 7])


def test_layers_with_holes_are_shown_apart():
    puzzle = example("polycubes", region="#./##|#.", pieces="A ##/#. B #")
    assert puzzle.text(puzzle.first()) in ("A .   B\nA A   .", "A .   A\nA B   .")


@pytest.mark.parametrize(
    ("name", "parameters", "n_pieces"),
    [
        ("polyominoes", {"pieces": "LPV", "region": "4x4", "empty": 1}, 3),
        ("polyiamonds", {"size": 4, "region": "2x4", "empty": 4}, 3),
        ("polycubes", {"pieces": "A ##/#. B ##", "region": "2x2x2", "empty": 3}, 2),
    ],
)
def test_some_cells_of_a_region_stay_empty(name, parameters, n_pieces):
    puzzle = example(name, **parameters)
    solutions = [*puzzle.solutions()]
    assert {len(solution) for solution in solutions} == {n_pieces}
    assert len({*map(puzzle.text, solutions)}) == len(solutions) == puzzle.count()
    assert {puzzle.text(each).count(".") for each in solutions} == {parameters["empty"]}
    stated = {key: value for key, value in parameters.items() if key != "empty"}
    with pytest.raises(ValueError, match=f"; empty={parameters['empty']} leaves the others empty"):
        example(name, **stated)


def test_orientations():
    sizes = {"#": 1, "##": 3, "##/#.": 12, "###/.#.": 12, "##/.#|../.#": 12, "##/.#|.#/..": 8}
    solids = {text: parse_cubes(text) for text in sizes}
    assert {text: len(CUBES.orientations(solids[text], sided=True)) for text in sizes} == sizes
    region = parse_cubes("3x3x3")
    assert len(CUBES.placements(solids["##/#."], region, sided=True)) == 144
    assert len(CUBES.placements(parse_cubes("##/##"), region, sided=True)) == 36


def test_regions_from_drawings():
    drawing = "########/" * 3 + "###..###/" * 2 + "########/" * 3
    assert parse_squares("8x8-2x2") == parse_squares(drawing)
    assert parse_squares("#.\n##\n") == parse_squares("#/##")
    assert len(parse_triangles("9x9-9")) == 81
    assert len(parse_squares("40x40-38x38")) == 40**2 - 38**2  # at most 1,000 are left
    assert len(parse_triangles("30x30-30")) == 30**2
    assert parse_triangles("2x2-2") == {(2, 5), (5, 2), (5, 5), (4, 4)}


@pytest.mark.compiled
def test_each_date_of_the_calendar_has_a_solution():
    cover = example("calendar").cover()
    dates = [[month, day] for month in MONTHS for day in DAYS]
    batch = cover.solve_batch(given=dates, limit=None)
    assert (batch.counts.sum(), batch.counts.min()) == (25061, 7)


@pytest.mark.compiled
def test_each_roll_of_the_genius_star_has_a_solution():
    rng = random.Random(1)
    rolls = [[f"B{rng.choice(die)}" for die in DICE] for _ in range(1000)]
    assert example("genius-star", roll="").cover().solve_batch(given=rolls).counts.all()


@pytest.mark.compiled
def test_keywords_of_cover_replace_the_costs_of_the_example():
    problem = example("tilings", region="2x2").cover(costs=[1, 2, 2, 1])
    assert [each.cost for each in problem.cheapest(2)] == [2, 4]


@pytest.mark.compiled
def test_macmahon_uses_each_square_once():
    squares = example("macmahon")
    lines = squares.text(squares.cover(choose="random", seed=1).first()).splitlines()
    across, down = [line.split() for line in lines[::2]], [line.split() for line in lines[1::2]]
    assert {*across[0], *across[-1], *(row[0] for row in down), *(row[-1] for row in down)} == {"a"}
    found = set()
    for r, c in product(range(4), range(6)):
        sides = across[r][c] + down[r][c + 1] + across[r + 1][c] + down[r][c]
        found.add(min(sides[k:] + sides[:k] for k in range(4)))
    assert len(found) == 24


@pytest.mark.parametrize(
    ("name", "parameters", "reason"),
    [
        ("polyominoes", {"region": "1x5", "pieces": "II"}, "'II' lists a piece twice"),
        ("tetrasticks", {"pieces": "-HH"}, "'-HH' lists a piece twice"),
        (
            "polyominoes",
            {"region": "3x3", "pieces": "FI", "empty": -1},
            "empty must be from 0 to 9",
        ),
        ("polycubes", {"region": "1x1x1", "pieces": "A ##", "empty": -1}, "empty must be from 0"),
    ],
)
def test_parameters_without_a_meaning_are_errors(name, parameters, reason):
    with pytest.raises(ValueError, match=reason):
        example(name, **parameters)


def test_pieces_with_names_in_one_line_of_cubes_are_told_apart():
    puzzle = example("polycubes", region="1x1x6", pieces="Left ## Right ### Q #")
    for solution in puzzle.solutions():
        assert check_answer(puzzle, [puzzle.text(solution)])["is_right"]
    assert puzzle.text(puzzle.first()) == " Left  Left Right Right Right     Q"
