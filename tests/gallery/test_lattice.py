"""Pieces that fill a region: known counts, independent checks, symmetry breaking, pictures."""

import cmath
from itertools import product
from xml.etree import ElementTree

import pytest

from dlx_numba.gallery import Polyiamonds, Polyominoes, Tetrasticks
from dlx_numba.gallery.lattice.regions import parse_squares, parse_triangles

SVG = "{http://www.w3.org/2000/svg}"
BRANCHING = "FfHhRrTXYy"

# From TAOCP 7.2.2.1, Knuth's "Dancing Links" and D. Goodger's Polyform Puzzler.
COUNTS = [
    (Polyominoes, {"region": "3x20"}, 4 * 2),
    (Polyominoes, {"region": "20x3", "symmetry": False}, 2),
    (Polyominoes, {"region": "4x15", "symmetry": False}, 368),
    (Polyominoes, {"symmetry": False}, 2339),
    (Polyominoes, {"region": "8x8-2x2", "symmetry": False}, 65),
    (Polyominoes, {"region": "3x30", "sided": True, "symmetry": False}, 46),
    (Polyominoes, {"region": "4x5", "size": 4}, 0),  # ten black cells and ten white ones: T is odd
    (Polyominoes, {"region": "4x7", "size": 4, "sided": True}, 0),
    (Polyominoes, {"region": "2x1", "size": 2, "symmetry": False}, 1),
    (Polyominoes, {"region": "1x1", "size": 1, "symmetry": False}, 1),
    (Polyiamonds, {}, 4 * 156),
    (Polyiamonds, {"symmetry": False}, 156),
    (Polyiamonds, {"region": "4x9", "symmetry": False}, 74),
    (Polyiamonds, {"region": "4x11-4", "symmetry": False}, 76),
    (Polyiamonds, {"region": "11x11-11-7", "symmetry": False}, 76),  # the same, turned
    (Polyiamonds, {"region": "6x6-3-3", "pieces": "-GHJ", "symmetry": False}, 1),  # "Hexicator"
    (Polyiamonds, {"region": "6x6-3-3", "pieces": "-EHV", "symmetry": False}, 9),
    (Tetrasticks, {}, 72),
    (Tetrasticks, {"region": "4x4", "sided": True, "pieces": BRANCHING, "symmetry": True}, 16),
]


@pytest.mark.compiled
@pytest.mark.parametrize(("entry_type", "parameters", "count"), COUNTS)
def test_known_counts(entry_type, parameters, count):
    assert entry_type(**parameters).cover().count() == count


# Independent checks of solutions, by the positions of the cells in the plane


def _in_plane(entry, cell):
    y, x = cell
    if isinstance(entry, Polyiamonds):
        return x / 3 + y / 3 * cmath.rect(1, cmath.pi / 3)
    return complex(x, y)


def _pieces(entry, solution):
    options = entry.statement().options
    return {options[number][0]: _cells(entry, options[number]) for number in solution}


def _cells(entry, option):
    cells = option[1:]
    if isinstance(entry, Tetrasticks):
        return [(y, x) for y, x in cells if (y + x) % 2]
    return cells


def _rounded(points):
    return frozenset((round(point.real, 3) + 0.0, round(point.imag, 3) + 0.0) for point in points)


@pytest.mark.parametrize(
    ("entry_type", "parameters"),
    [  # pieces may lie on an axis of reflection, or are mirror images of each other
        (Polyominoes, {"region": "4x7", "size": 4, "sided": True}),
        (Polyominoes, {"region": "5x5", "sided": True, "pieces": "IPYpy"}),
        (Polyiamonds, {"region": "4x4-2-2", "sided": True, "pieces": "CHOh"}),
        (Tetrasticks, {"region": "4x4", "sided": True, "pieces": BRANCHING}),
    ],
)
def test_symmetry_that_cannot_be_broken_is_an_error(entry_type, parameters):
    with pytest.raises(ValueError, match="the region: solutions can only be found with symmetry"):
        entry_type(**parameters, symmetry=False)


DRAWN = [
    (Polyominoes, {"region": "8x8-2x2"}),
    (Polyominoes, {"size": 6, "region": "3x8", "pieces": "AHLΣ"}),
    (Polyominoes, {"region": "3x30", "sided": True}),
    (Polyiamonds, {"region": "6x6-3-3", "pieces": "-EHV"}),
    (Tetrasticks, {}),
]


@pytest.fixture(params=DRAWN, scope="module")
def solved(request):
    entry_type, parameters = request.param
    entry = entry_type(**parameters)
    return entry, entry.cover().first()


@pytest.mark.compiled
def test_solution_fills_the_region_with_different_pieces(solved):
    entry, solution = solved
    pieces = _pieces(entry, solution)
    filled = [cell for cells in pieces.values() for cell in cells]
    assert sorted(filled) == sorted(_region(entry))
    assert all(len(cells) == getattr(entry, "size", 4) for cells in pieces.values())
    assert all(_is_connected(entry, cells) for cells in pieces.values())
    assert len({_shape(entry, cells) for cells in pieces.values()}) == len(solution)


def _region(entry):
    if isinstance(entry, Tetrasticks):
        rows, columns = map(int, entry.region.split("x"))
        points = list(product(range(2, 2 * rows + 3), range(2, 2 * columns + 3)))
        return [(y, x) for y, x in points if (y + x) % 2]
    return (parse_triangles if isinstance(entry, Polyiamonds) else parse_squares)(entry.region)


def _is_connected(entry, cells):
    reached, remaining = [cells[0]], set(cells[1:])
    for cell in reached:  # the list grows during the iteration
        neighbors = {other for other in remaining if _are_neighbors(entry, cell, other)}
        reached += neighbors
        remaining -= neighbors
    return not remaining


def _are_neighbors(entry, cell, other):
    if isinstance(entry, Tetrasticks):
        return bool(_ends(cell) & _ends(other))
    distance = 3**-0.5 if isinstance(entry, Polyiamonds) else 1
    return abs(_in_plane(entry, cell) - _in_plane(entry, other)) < distance + 0.01


def _ends(stick):
    y, x = stick
    return {(y - y % 2, x - x % 2), (y + y % 2, x + x % 2)}


def _shape(entry, cells):
    """Return a canonical form of a piece, the same for all orientations that are permitted."""
    if isinstance(entry, Tetrasticks):
        cells = {*cells, *(end for stick in cells for end in _ends(stick))}
    points = [_in_plane(entry, cell) for cell in cells]
    center = sum(points) / len(points)
    rotations = [cmath.rect(1, cmath.pi / 6 * k) for k in range(12)]
    images = [[(point - center) * rotation for point in points] for rotation in rotations]
    if not entry.sided:
        images += [[point.conjugate() for point in image] for image in images]
    return min(tuple(sorted(_rounded(image))) for image in images)


@pytest.mark.compiled
def test_tetrasticks_do_not_cross():
    for entry in (
        Tetrasticks("2x2", pieces="FRU"),
        Tetrasticks("3x3", pieces="FHLOVX"),
    ):
        for solution in entry.cover().iterate(limit=50):
            pieces = _pieces(entry, solution)
            owner = {cell: letter for letter, cells in pieces.items() for cell in cells}
            for y, x in _region(entry):
                across = [owner.get((y, x + 1 + step)) for step in (-1, 1)]
                down = [owner.get((y + step, x + 1)) for step in (-1, 1)]
                both_pass = across[0] == across[1] and down[0] == down[1]
                assert y % 2 or not both_pass or across == down or None in across + down


@pytest.mark.compiled
def test_text_shows_each_cell_of_each_piece(solved):
    entry, solution = solved
    text = entry.text(solution)
    for letter, cells in _pieces(entry, solution).items():
        assert text.count(letter) == len(cells)
    if isinstance(entry, Polyominoes):
        rows = [line.split() for line in text.splitlines()]
        for letter, cells in _pieces(entry, solution).items():
            assert {rows[r - 1][c - 1] for r, c in cells} == {letter}


@pytest.mark.compiled
def test_picture_shows_each_letter_once(solved):
    entry, solution = solved
    document = ElementTree.fromstring(entry.svg(solution))
    assert document.tag == f"{SVG}svg"
    assert document.find(f"{SVG}title").text.endswith(entry.region)
    letters = [text.text for text in document.iter(f"{SVG}text")]
    assert sorted(letters) == sorted(_pieces(entry, solution))


def test_regions_from_drawings():
    drawing = "########/" * 3 + "###..###/" * 2 + "########/" * 3
    assert parse_squares("8x8-2x2") == parse_squares(drawing)
    assert parse_squares("#.\n##\n") == parse_squares("#/##")
    assert len(parse_triangles("5x7")) == 70
    assert len(parse_triangles("9x9-9")) == 81
    assert parse_triangles("2x2-2") == {(2, 5), (5, 2), (5, 5), (4, 4)}


@pytest.mark.parametrize(
    ("entry_type", "parameters", "message"),
    [
        (Polyominoes, {"size": 0}, "size must be from 1 to 6, not 0"),
        (Polyominoes, {"region": "6x9"}, "54 squares, but the pieces FILNPTUVWXYZ have 60"),
        (Polyominoes, {"region": "six"}, "region must be RxC"),
        (Polyominoes, {"region": "8x8-3x2"}, "a hole of 3x2 cannot be centered"),
        (Polyominoes, {"region": "2x2-2x2"}, "a hole of 2x2 cannot be centered"),
        (Polyominoes, {"region": "0x60"}, "from 1 to 1,000 cells, not 0"),
        (Polyominoes, {"region": "99999x99999"}, "from 1 to 1,000 cells"),
        (Polyominoes, {"region": "..."}, "region must be"),
        (Polyominoes, {"pieces": "FQ"}, "letters of FILNPTUVWXYZ, or - and the letters to omit"),
        (Polyominoes, {"pieces": "-FILNPTUVWXYZ"}, "pieces must be letters"),
        (Polyominoes, {"pieces": "X", "region": "1x5"}, "none of the pieces X fits"),
        (Polyiamonds, {"size": 8}, "size must be from 1 to 7, not 8"),
        (Polyiamonds, {"region": "6x7"}, "84 triangles, but the pieces CEFGHIJOPSVX have 72"),
        (Polyiamonds, {"region": "3x9-4"}, "removed corners must not be larger than the sides"),
        (Polyiamonds, {"region": "4x4-4-4"}, "and must leave some"),
        (Polyiamonds, {"region": "hexagon"}, "region must be AxB"),
        (Tetrasticks, {"region": "4x4"}, "40 sticks, but the pieces FIJLNOPRTUVWXYZ have 60"),
        (Tetrasticks, {"pieces": ""}, "60 sticks, but the pieces FHIJLNOPRTUVWXYZ have 64"),
    ],
)
def test_invalid_parameters_are_reported(entry_type, parameters, message):
    with pytest.raises(ValueError, match=message):
        entry_type(**parameters)
