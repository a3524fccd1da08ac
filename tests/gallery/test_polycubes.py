"""Polycubes: counts, the validity of solutions, texts, pictures and errors."""

import pytest

from dlx_numba.gallery import Polycubes
from dlx_numba.gallery.lattice.regions import parse_cubes
from dlx_numba.gallery.lattice.shapes import CUBES


@pytest.mark.compiled
def test_soma_cube():
    cover = Polycubes().cover()
    assert (cover.n_options, cover.count()) == (688, 11520)
    assert cover.symmetries().order == 48
    assert cover.count(up_to_symmetry=True) == 240
    assert len(cover.solve(up_to_symmetry=True)) == 240
    rotations = {cube: (cube[0], cube[2], 4 - cube[1]) for cube in Polycubes().cubes}
    cycle = {cube: (cube[1], cube[2], cube[0]) for cube in Polycubes().cubes}
    group = cover.symmetries([rotations, cycle])
    assert (group.order, cover.count(up_to_symmetry=group)) == (24, 480)


@pytest.mark.compiled
def test_bedlams_cube():
    entry = Polycubes("4x4x4", "bedlam")
    solution = entry.cover().first()
    options = entry.statement().options
    pieces = [options[option] for option in solution]
    assert sorted(name for name, *_ in pieces) == sorted("ABCDEFGHVWXYZ")
    assert frozenset().union(*(cubes for _, *cubes in pieces)) == entry.cubes
    assert sum(len(cubes) for _, *cubes in pieces) == 64
    assert entry.cover().symmetries().order == 24  # some pieces have no mirror image


def test_small_regions():
    pieces = "A ##/#. B #"
    assert Polycubes("1x2x2", pieces).cover().count() == 4
    assert Polycubes("#./##|#.", pieces).cover().count() == 2
    assert Polycubes("2x2x2", "A ##/##|##/##").cover().count() == 1
    entry = Polycubes("2x1x2", "A #|# B ##")
    assert entry.cover().solve() == [[0, 7], [1, 6], [2, 5], [3, 4]]
    assert entry.text([0, 7]) == "A A   B B"
    assert entry.text([1, 6]) == "A B   A B"
    assert "2 pieces: A, B." in entry.svg([0, 7])


def test_orientations():
    sizes = {"#": 1, "##": 3, "##/#.": 12, "###/.#.": 12, "##/.#|../.#": 12, "##/.#|.#/..": 8}
    solids = {text: parse_cubes(text) for text in sizes}
    assert {text: len(CUBES.orientations(solids[text], sided=True)) for text in sizes} == sizes
    region = parse_cubes("3x3x3")
    assert len(CUBES.placements(solids["##/#."], region, sided=True)) == 144
    assert len(CUBES.placements(parse_cubes("##/##"), region, sided=True)) == 36


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"region": "3x3"}, "cubes must be AxBxC"),
        ({"region": "...|..."}, "cubes must be AxBxC"),
        ({"region": "99x99x99"}, "must have from 1 to 1,000 cells, not 970,299"),
        ({"region": "2x2x2"}, "the region has 8 cubes, but the pieces have 27"),
        ({"pieces": "some"}, "pieces must be soma, bedlam, or alternating distinct names"),
        ({"pieces": ""}, "pieces must be soma, bedlam"),
        ({"pieces": "A ## A #"}, "pieces must be soma, bedlam, or alternating distinct names"),
        ({"pieces": "A ##0"}, "cubes must be AxBxC"),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ValueError, match=message):
        Polycubes(**arguments)
