"""The gallery's pieces that fill a region: known counts, solutions that fit, symmetry, pictures."""

import cmath
from dataclasses import replace
from functools import partial
from xml.etree import ElementTree

import pytest

from dlx_numba.gallery import Polyiamonds, Polyominoes, Tetrasticks
from dlx_numba.gallery.lattice.regions import squares, triangles

SVG = "{http://www.w3.org/2000/svg}"
BRANCHING = "FfHhRrTXYy"

# As told by TAOCP 7.2.2.1, Knuth's "Dancing Links" and D. Goodger's Polyform Puzzler.
COUNTS = [
    (Polyominoes(region="3x20"), 4 * 2),
    (Polyominoes(region="3x20", symmetry=False), 2),
    (Polyominoes(region="20x3", symmetry=False), 2),
    (Polyominoes(region="4x15", symmetry=False), 368),
    (Polyominoes(region="5x12", symmetry=False), 1010),
    (Polyominoes(symmetry=False), 2339),
    (Polyominoes(region="8x8-2x2"), 8 * 65),
    (Polyominoes(region="8x8-2x2", symmetry=False), 65),
    (Polyominoes(region="3x30", sided=True, symmetry=False), 46),
    (Polyominoes(size=4, region="4x5"), 0),  # ten black cells and ten white ones, but T is odd
    (Polyominoes(size=4, region="2x10"), 0),
    (Polyominoes(size=4, region="4x7", sided=True), 0),
    (Polyominoes(size=2, region="2x1", symmetry=False), 1),
    (Polyominoes(size=1, region="1x1", symmetry=False), 1),
    (Polyiamonds(), 4 * 156),
    (Polyiamonds(symmetry=False), 156),
    (Polyiamonds(region="4x9", symmetry=False), 74),
    (Polyiamonds(region="3x12"), 0),
    (Polyiamonds(region="4x11-4", symmetry=False), 76),
    (Polyiamonds(region="11x11-11-7", symmetry=False), 76),  # the same trapezoid, turned
    (Polyiamonds(region="6x6-3-3", pieces="-GHJ", symmetry=False), 1),  # the "Hexicator"
    (Polyiamonds(region="6x6-3-3", pieces="-EHV", symmetry=False), 9),
    (Tetrasticks(), 72),
    (Tetrasticks(pieces="-Y"), 204),
    (Tetrasticks(pieces="-F"), 0),
    (Tetrasticks("4x4", sided=True, pieces=BRANCHING, symmetry=True), 8 + 4 + 4),
]


@pytest.mark.compiled
@pytest.mark.parametrize(("entry", "count"), COUNTS, ids=lambda value: repr(value)[:60])
def test_known_counts(entry, count):
    assert entry.cover().count() == count


# Solutions looked at in another way: where the cells of each piece lie in the plane.


def _in_plane(entry, cell):
    y, x = cell
    if isinstance(entry, Polyiamonds):
        return x / 3 + y / 3 * cmath.rect(1, cmath.pi / 3)
    return complex(x, y)


def _pictured(entry, solution):
    pieces = _pieces(entry, solution)
    return {letter: [_in_plane(entry, cell) for cell in cells] for letter, cells in pieces.items()}


def _pieces(entry, solution):
    options = entry.statement().options
    return {options[number][0]: _cells(entry, options[number]) for number in solution}


def _cells(entry, option):
    cells = option[1:]
    if isinstance(entry, Tetrasticks):
        return [(y, x) for y, x in cells if (y + x) % 2]
    return cells


def _isometries(entry, points):
    """The isometries that map the points onto themselves, found by trying."""
    middle = sum(points) / len(points)
    order = 6 if isinstance(entry, Polyiamonds) else 4
    smallest = 2 * cmath.pi / order
    for turn in range(order):
        for mirrored in (False, True):
            move = partial(_moved, middle, mirrored, cmath.rect(1, turn * smallest))
            if _rounded(map(move, points)) == _rounded(points):
                yield mirrored, move


def _moved(middle, mirrored, rotation, point):
    point -= middle
    return (point.conjugate() if mirrored else point) * rotation + middle


def _rounded(points):
    return frozenset((round(point.real, 3) + 0.0, round(point.imag, 3) + 0.0) for point in points)


def _count_orbits(entry):
    """The number of solutions that are not alike, by comparing all."""
    pictures = [_pictured(entry, solution) for solution in entry.cover().solve()]
    if not pictures:
        return 0
    letters = set(pictures[0])
    points = [point for cells in pictures[0].values() for point in cells]
    isometries = list(_isometries(entry, points))
    orbits = set()
    for picture in pictures:
        orbit = set()
        for mirrored, move in isometries:
            swap = mirrored and entry.sided
            moved = frozenset(
                (_mirrored(letter, letters) if swap else letter, _rounded(map(move, cells)))
                for letter, cells in picture.items()
            )
            orbit.add(moved)
        orbits.add(frozenset(orbit))
    return len(orbits)


def _mirrored(letter, letters):
    return letter.swapcase() if letter.swapcase() in letters else letter


# Sets of pieces that fill a region.
FILLING = [
    (Polyominoes, "3x5", False, "LTY LNV LPV NPU FPU PUY PUV"),
    (Polyominoes, "5x5", False, "ILPWY ILPTV FILUY ILPVY FILUV ILNPU IPTVW LNPVY NPVWY FILPU"),
    (Polyominoes, "4x5", False, "LPWY LPTV FLUY LPVY FLUV ILNV"),
    (Polyominoes, "5x6", False, "INPVWY ILNPTW ILNPVY LNPUVY ILPWYZ"),
    (Polyominoes, ".#./###/.#./.#./.#./.#./.#./.#.", False, "IX"),
    (Polyominoes, "3x5", True, "PVp LTy LVn LPp NUp NVl PUn FPU Plp Ufp"),
    (Polyominoes, "5x5", True, "ILPWY ILPYp ILWpy ILPTV ILTVp IPTVW"),
    (Polyominoes, "7x7-3x3", True, "LPTVYlpy INPTYnpy ILPTUVln"),
    (Polyiamonds, "4x4-2-2", False, "CFPV CEHJ CEGS CHJV CGHX EGJO EGHO"),
    (Polyiamonds, "3x4", False, "FIPV FJPV CFGP FJPX EFHP"),
    (Polyiamonds, "2x6", False, "CFPV"),
    (Polyiamonds, "4x5-4", False, "CFIP FJPV FGPV FGJP"),
    (Polyiamonds, "5x5-4-4", False, "GHO GIJ"),
    (Polyiamonds, "4x4-2-2", True, "CEHj CFVp CXgh"),
    (Polyiamonds, "3x4", True, "OPip CPip CIPp Ffhj FXjp"),
    (Polyiamonds, "6x6-6", True, "FIPVgp GPVfip CFHIPp CFJPjp"),
    (Tetrasticks, "2x2", False, "FHJ FRU HJU OPU"),
    (Tetrasticks, "3x3", False, "FHJPRU FHJLRY FJPRVY FHPRTY FHLNXY FHLOVX"),
    (Tetrasticks, ".#./###/.#.", False, "FPRW HJPW FHJP PUWX"),
    (Tetrasticks, "2x2", True, "FRU Fhj HJf OUp"),
    (Tetrasticks, "3x3", True, "FHfhjl FHLNfh FHfhln"),
]
REFUSED = [  # pieces that may lie on a mirror, and pieces that are mirror images of each other
    Polyominoes(region="4x7", size=4, sided=True),
    Polyominoes(region="5x5", sided=True, pieces="IPYpy"),
    Polyiamonds(region="4x4-2-2", sided=True, pieces="CHOh"),
    Tetrasticks("4x4", sided=True, pieces=BRANCHING, symmetry=True),
]


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("kind", "region", "sided", "sets"), FILLING, ids=lambda value: str(value)[:30]
)
def test_without_symmetry_one_is_left_of_solutions_that_are_alike(kind, region, sided, sets):
    for pieces in sets.split():
        entry = kind(region=region, sided=sided, pieces=pieces, symmetry=True)
        assert 0 < replace(entry, symmetry=False).cover().count() == _count_orbits(entry), entry


@pytest.mark.parametrize("entry", REFUSED, ids=repr)
def test_symmetry_that_cannot_be_left_out_is_an_error(entry):
    with pytest.raises(ValueError, match="apart: solutions can only be found with symmetry"):
        replace(entry, symmetry=False)


SHOWN = [
    Polyominoes(),
    Polyominoes(region="8x8-2x2"),
    Polyominoes(size=6, region="3x8", pieces="AHLΣ"),
    Polyominoes(region="3x30", sided=True),
    Polyiamonds(),
    Polyiamonds(region="6x6-3-3", pieces="-EHV"),
    Tetrasticks(),
    Tetrasticks("4x4", sided=True, pieces=BRANCHING, symmetry=True),
]


@pytest.fixture(params=SHOWN, ids=repr)
def solved(request):
    return request.param, request.param.cover().first()


@pytest.mark.compiled
def test_a_solution_fills_the_region_with_different_pieces(solved):
    entry, solution = solved
    pieces = _pieces(entry, solution)
    filled = [cell for cells in pieces.values() for cell in cells]
    assert sorted(filled) == sorted(_region(entry))
    assert all(len(cells) == getattr(entry, "size", 4) for cells in pieces.values())
    assert all(_hangs_together(entry, cells) for cells in pieces.values())
    assert len({_shape(entry, cells) for cells in pieces.values()}) == len(solution)


def _region(entry):
    if isinstance(entry, Tetrasticks):
        rows, columns = map(int, entry.region.split("x"))
        points = [(y, x) for y in range(2 * rows + 1) for x in range(2 * columns + 1)]
        return [(y, x) for y, x in points if (y + x) % 2]
    return (triangles if isinstance(entry, Polyiamonds) else squares)(entry.region)


def _hangs_together(entry, cells):
    reached, left = [cells[0]], set(cells[1:])
    for cell in reached:
        near = {other for other in left if _touch(entry, cell, other)}
        reached += near
        left -= near
    return not left


def _touch(entry, cell, other):
    if isinstance(entry, Tetrasticks):
        return bool(_ends(cell) & _ends(other))
    nearest = 3**-0.5 if isinstance(entry, Polyiamonds) else 1
    return abs(_in_plane(entry, cell) - _in_plane(entry, other)) < nearest + 0.01


def _ends(stick):
    y, x = stick
    return {(y - y % 2, x - x % 2), (y + y % 2, x + x % 2)}


def _shape(entry, cells):
    """The same for all orientations of a piece, and for its mirror image where it may be turned."""
    if isinstance(entry, Tetrasticks):
        cells = {*cells, *(end for stick in cells for end in _ends(stick))}
    points = [_in_plane(entry, cell) for cell in cells]
    middle = sum(points) / len(points)
    turns = [cmath.rect(1, cmath.pi / 6 * turn) for turn in range(12)]
    ways = [[(point - middle) * turn for point in points] for turn in turns]
    if not entry.sided:
        ways += [[point.conjugate() for point in way] for way in ways]
    return min(tuple(sorted(_rounded(way))) for way in ways)


@pytest.mark.compiled
def test_no_tetrasticks_cross():
    for entry in (
        Tetrasticks(),
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
def test_the_text_shows_each_cell_of_each_piece(solved):
    entry, solution = solved
    text = entry.text(solution)
    for letter, cells in _pieces(entry, solution).items():
        assert text.count(letter) == len(cells)
    if isinstance(entry, Polyominoes):
        rows = [line.split() for line in text.splitlines()]
        for letter, cells in _pieces(entry, solution).items():
            assert {rows[r][c] for r, c in cells} == {letter}


@pytest.mark.compiled
def test_the_picture_is_a_document_with_each_letter_once(solved):
    entry, solution = solved
    document = ElementTree.fromstring(entry.svg(solution))
    assert document.tag == f"{SVG}svg"
    assert document.find(f"{SVG}title").text.endswith(entry.region)
    letters = [text.text for text in document.iter(f"{SVG}text")]
    assert sorted(letters) == sorted(_pieces(entry, solution))


def test_regions_can_be_drawn():
    assert squares("8x8-2x2") == squares("########/" * 3 + "###..###/" * 2 + "########/" * 3)
    assert squares("#.\n##\n") == squares("#/##")
    assert len(triangles("5x7")) == 70
    assert len(triangles("9x9-9")) == 81
    assert triangles("2x2-2") == {(2, 5), (5, 2), (5, 5), (4, 4)}


@pytest.mark.parametrize(
    ("kind", "how", "message"),
    [
        (Polyominoes, {"size": 0}, "size must be from 1 to 6, not 0"),
        (Polyominoes, {"region": "6x9"}, "54 squares, the pieces FILNPTUVWXYZ have 60"),
        (Polyominoes, {"region": "six"}, "region must be RxC"),
        (Polyominoes, {"region": "8x8-3x2"}, "3x2 has no place in the middle"),
        (Polyominoes, {"region": "2x2-2x2"}, "2x2 has no place in the middle"),
        (Polyominoes, {"region": "0x60"}, "from 1 to 1,000 cells, not 0"),
        (Polyominoes, {"region": "99999x99999"}, "from 1 to 1,000 cells"),
        (Polyominoes, {"region": "..."}, "region must be"),
        (Polyominoes, {"pieces": "FQ"}, "letters of FILNPTUVWXYZ, or - and those to leave out"),
        (Polyominoes, {"pieces": "-FILNPTUVWXYZ"}, "pieces must be letters"),
        (Polyominoes, {"pieces": "X", "region": "1x5"}, "none of the pieces X fits"),
        (Polyiamonds, {"size": 8}, "size must be from 1 to 7, not 8"),
        (Polyiamonds, {"region": "6x7"}, "84 triangles, the pieces CEFGHIJOPSVX have 72"),
        (Polyiamonds, {"region": "3x9-4"}, "corners removed must be no larger than the sides"),
        (Polyiamonds, {"region": "4x4-4-4"}, "and leave some"),
        (Polyiamonds, {"region": "hexagon"}, "region must be AxB"),
        (Tetrasticks, {"region": "4x4"}, "40 sticks, the pieces FIJLNOPRTUVWXYZ have 60"),
        (Tetrasticks, {"pieces": ""}, "60 sticks, the pieces FHIJLNOPRTUVWXYZ have 64"),
    ],
)
def test_parameters_that_make_no_sense_are_told(kind, how, message):
    with pytest.raises(ValueError, match=message):
        kind(**how)
