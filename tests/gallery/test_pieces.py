"""Pieces that fill a region: symmetry breaking, texts, pictures and errors."""

from itertools import chain

import pytest

from dlx_numba.gallery import (
    Matchings,
    Partitions,
    Polycubes,
    Polyiamonds,
    Polyominoes,
    Tetrasticks,
    Tilings,
)
from dlx_numba.gallery.lattice.regions import (
    format_outlines,
    parse_cubes,
    parse_squares,
    parse_triangles,
)
from dlx_numba.gallery.lattice.shapes import CUBES
from tests.helpers.pictures import parse_picture, texts_of

DRAWN = [
    (Polyominoes, {"region": "8x8-2x2"}),
    (Polyominoes, {"size": 6, "region": "3x8", "pieces": "AHLΣ"}),
    (Polyominoes, {"region": "3x30", "sided": True}),
    (Polyiamonds, {"region": "6x6-3-3", "pieces": "-EHV"}),
    (Tetrasticks, {"region": "4x4", "sided": True, "pieces": "FfHhRrTXYy", "symmetry": True}),
]


@pytest.mark.compiled
@pytest.mark.parametrize(("entry_type", "parameters"), DRAWN)
def test_text_and_picture_show_each_piece(entry_type, parameters):
    entry = entry_type(**parameters)
    solution = entry.cover().first()
    text, pieces = entry.text(solution), entry.shapes(solution)
    assert all(text.count(letter) == len(cells) for letter, cells in pieces)
    if isinstance(entry, Polyominoes):
        rows = [line.split() for line in text.splitlines()]
        assert all({rows[r - 1][c - 1] for r, c in cells} == {x} for x, cells in pieces)
    letters = texts_of(parse_picture(entry.svg(solution)))
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
def test_soma_cube_up_to_rotations():
    cubes, cover = Polycubes().cubes, Polycubes().cover()
    rotations = {(z, y, x): (z, x, 4 - y) for z, y, x in cubes}
    cycle = {(z, y, x): (y, x, z) for z, y, x in cubes}
    group = cover.symmetries([rotations, cycle])
    assert (group.order, cover.count(up_to_symmetry=group)) == (24, 480)


@pytest.mark.compiled
def test_bedlams_cube():
    entry = Polycubes("4x4x4", "bedlam")
    solution = entry.cover().first()
    options = list(entry.statement().options.values())
    pieces = [options[option] for option in solution]
    assert sorted(name for name, *_ in pieces) == sorted("ABCDEFGHVWXYZ")
    assert frozenset().union(*(cubes for _, *cubes in pieces)) == entry.cubes
    assert entry.cover().symmetries().order == 24  # some pieces have no mirror image


def test_named_pieces_may_be_drawn_and_cubes_are_shown_in_layers():
    entry = Polycubes("2x1x2", "A #|# B ##")
    assert entry.cover().solve() == [[0, 7], [1, 6], [2, 5], [3, 4]]
    assert [entry.text(each) for each in ([0, 7], [1, 6])] == ["A A   B B", "A B   A B"]
    assert "2 pieces: A, B." in entry.svg([0, 7])


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
    assert parse_triangles("2x2-2") == {(2, 5), (5, 2), (5, 5), (4, 4)}


@pytest.mark.compiled
@pytest.mark.parametrize("graph", ["K8", "K3,3", "3x4", "up-down,down-left,left-right"])
def test_matching_has_each_vertex_once(graph):
    matchings = Matchings(graph)
    solution = matchings.cover(choose="random", seed=2).first()
    pairs = [pair.split("-") for pair in matchings.text(solution).split()]
    assert sorted(chain.from_iterable(pairs)) == sorted(matchings.statement().items)
    assert matchings.svg(solution).count("<circle") == 2 * len(pairs)


@pytest.mark.compiled
@pytest.mark.parametrize("entry", [Partitions(1), Matchings("K2"), Tilings("1", "1x1")], ids=repr)
def test_smallest_problems_are_drawn(entry):
    assert "nan" not in entry.svg([0])
    assert entry.text([0])
