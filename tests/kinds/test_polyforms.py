"""Files of PolySolver and of Polycube."""

import cmath
import itertools

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.kinds.pieces.polyforms import recognize
from dlx_numba.pictures.grid import Grid
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

TANS = """Tangram
Tan
Board ((3,3:3))
# 5 pieces
tile flip((0,0:0)(0,1:0)(1,1:0)(0,0:1)(0,1:1)(1,1:1)(0,1:2)(0,1:3))
tile flip 2((1,1:0)(2,0:0)(2,1:0)(3,1:0)(0,1:1)(1,0:1)(1,1:1)(2,0:1)(2,1:1)(3,1:1)(0,1:2)
(1,0:2)(1,1:2)(2,1:2)(1,1:3)(2,1:3))
tile flip 2((1,0:0)(0,0:1)(1,0:1)(0,0:2))
tile flip((1,0:0)(1,1:0)(0,0:1)(1,0:1)(0,0:2)(0,1:2)(0,1:3)(1,1:3))
tile flip((0,0:0)(0,1:0)(0,0:1)(0,1:1)(0,1:2)(0,2:2)(0,1:3)(0,2:3)) (255, 0, 0)
mode FillAll
"""


def read(text):
    [puzzle] = dlx.read(text)
    return puzzle


def test_the_tangram_of_polysolver():
    tangram = read(TANS)
    assert (tangram.title, tangram.cover().count()) == ("Tangram", 8)  # the turned square
    assert len(tangram.text(tangram.first()).splitlines()) == 12
    pieces = "2 (0,0|2), 3 (0,0|3), 4 (1,2|0), 5 (3,0|1), 6 (2,1|0), 7 (0,3|1)"
    solution = f"solution (1 (2,2|1), {pieces})\n"
    placed = read(f"{TANS}place (2 (0,0|2), 7 (0,3|1))\n{solution}")
    assert (placed.count(), sorted(placed.answer)) == (1, placed.first())
    assert placed.text(placed.first()).splitlines()[:3] == [
        " B   B   B   B",
        "B B B B B B B E",
        " B   B   B   E",
    ]


def test_hexagons_are_drawn():
    text = "Two\nHexagon\nBoard ((3,2)(1,0)(2,0)(3,0)(3,2))\ntile ((0,2)(1,0)(1,1)(1,2))\n"
    puzzle = read(text + "tile flip((0,0)(1,0)(1,1)(2,0))\nmode FillAll")
    assert puzzle.count() == 1
    assert puzzle.text(puzzle.first()) == "  A\n B A A A\nB B B"
    center, *around = (
        {*Grid("", lattice="hexagons").outline(cell)}
        for cell in [(1, 1), (1, 2), (1, 0), (2, 1), (2, 2), (0, 0), (0, 1)]
    )
    assert [len(center & each) for each in around] == [2] * 6  # corners are equal, without errors


@pytest.mark.parametrize(
    ("text", "n_solutions"),
    [
        ("T\nBoard ((3,1))\ntile 4 ((0,0)(1,0))", 5),  # dominoes, of which all four are used
        ("T\nsquare\nBoard ((3,1))\ntile fixed 4 ((0,0)(1,0))\n", 1),
        ("Board ((2,0))\ntile 1 1 ((0,0)(1,0))\ntile ((0,0))\ntile ((0,0))", 2),  # are equal
        ("\nBoard ((2,0))\ntile ((0,0)(1,0))\nmode UseAll", 2),
        ("T\nCube\nBoard ((1,1,1)(0,0,0))\ntile ((0,0,0)(0,0,1)(0,1,0))\ntile 4 ((0,0,0))\n", 15),
        ("T\nBoard ((1,1))\ntile fixed 2 ((0,0)(1,0) + (0,0)(0,1))\n", 2),  # in two forms
        ("D:xDim=4:yDim=2\nL\na a\n\nb b\n\nc c\n\nd d\n~L\n~D", 5),
        ("D:xDim=4:yDim=2:zDim=1:oneSide\nL\na a a\n. . a\n\nb b b\n. . b\n~L\n~D\n", 1),
        ("D:xDim=4:yDim=2\nL\na a a\n. . a\n\nb b b\n. . b\n~L\n~D\n", 2),
        ("D:xDim=2:yDim=2\nL:stationary=*\n* .\n. .\n~L\nC:name=a:layout=0 0 0,1 0 0,1 1 0\n~D", 1),
        ("D:xDim=2:yDim=2\nC:name=*:type=S:layout=0 1 0\nL\na .\na a\n~L\n~D # the end", 1),
        ("D:xDim=2:yDim=2:zDim=2\nL\na a, a a\n. ., . .\n\nb b\nb b\n~L\n~D", 3),
    ],
)
def test_small_files_have_known_numbers_of_solutions(text, n_solutions):
    assert recognize(text)
    assert read(text).count() == n_solutions


def test_a_file_of_polycube_has_several_puzzles(tmp_path):
    first = "D:xDim=2:yDim=1\nL\na a\n~L\n~D\n"
    path = tmp_path / "several.txt"
    path.write_text(f"# two\n{first}D:xDim=2:yDim=2\nL\na a\n~L\n~D\n{first}")
    out, err = invoke("count", path, status=2)
    assert out.split() == ["1", "1"]
    assert "several.txt:7: the pieces have 2 squares, the board has 4" in err
    drawn = read("D:xDim=2:yDim=2\nL:stationary=X\nX .\n. .\n\na a\na .\n~L\n~D")
    assert drawn.text(drawn.first()) == "X a\na a"


def test_the_stated_solution_is_verified():
    text = "T\nBoard ((3,0))\ntile 2 2 ((0,0)(1,0))\nsolution (1 (0,0|0), 2 ({x},0|0))\nnotes ab"
    assert invoke("verify", "-", stdin=text.format(x=2))[0] == "a cover\n"
    out, _ = invoke("verify", "-", stdin=text.format(x=1), status=1)
    assert out.startswith("not a cover: cell 1,2 is covered 2 times, by A at 1,2 and A at 1,1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("T\nOctagon\nBoard ((1,1))\ntile ((0,0))", ":2: the grid 'Octagon' is not supported"),
        ("T\nBoard ((1,1:1))\ntile ((0,0))", ":2: a point has too many coordinates"),
        ("T\nBoard ((1,-2))\ntile ((0,0))", ":2: the board needs 1 to 10,000 cells"),
        ("T\nBoard ((1,1))\ntile\n((0;0))", ":3: expected points such as"),
        ("T\nBoard ((1,1))\ntile (0,0)", ":3: expected the numbers and the cells of a tile"),
        ("T\nBoard ((1,1))\ntile ((0,0))", ":2: the pieces have 0 to 1 squares, the board has 4"),
        ("T\nBoard ((1,1))\ntile 4 ((0,0))\nmode Most", ":4: the mode 'most' is not supported"),
        ("T\nBoard ((1,1))\ntile 4 ((0,0))\nplace (5 (0,0|0))", ":4: there is no tile 5"),
        ("T\nBoard ((1,1))\ntile 4 ((0,0))\nplace (1 (0,0|1))", ":4: tile 1 has no orientation 1"),
        ("T\nBoard ((1,1))\ntile 4 ((0,0))\nplace (1 (2,0|0))", ":2: the piece A does not fit"),
        ("T\nBoard ((1,0))\ntile 2 ((0,0))\nsolution (1 (2,0|0))", ":2: a piece of the stated"),
        ("T\nBoard ((1,0))\nplace (1 (2,0|0))", ":3: there is no tile 1"),
        ("D:xDim=2:yDim=x\n~D", ":1: invalid literal"),
        ("D:xDim=1:yDim=1\nC:name=a\n~D", ":2: the setting 'layout' is missing"),
        ("D:xDim=1:yDim=1\nX\n~D", ":2: the directive 'X' is unknown"),
        ("D:xDim=1:yDim=1\nL\na\n~L", ":1: the puzzle is not closed by ~D"),
        ("L\nD:xDim=1:yDim=1\n~D", ":1: expected D and the size of a puzzle"),
    ],
)
def test_errors_name_the_line(text, message):
    with pytest.raises(ValueError, match=message):
        [puzzle.count() for puzzle in dlx.read(text, kind="polyforms") if puzzle]


def center(grid, x, y, w):
    """Return the center of a cell in the plane."""
    if grid in ("Triangle", "Hexagon"):
        shift = ((1 / 3, 2 / 3), (2 / 3, 1 / 3))[w] if grid == "Triangle" else (0, 0)
        return x + shift[0] + (y + shift[1]) * cmath.exp(2j * cmath.pi / 3)
    return x + 1j * y + ((-0.3, 0.3j, 0.3, -0.3j)[w] if grid == "Tan" else 0)


def moved_kind(grid, w, n_turns, is_flipped):
    """Return w after turns by the smallest angle that follow a reflection in the real axis."""
    if grid == "Triangle":
        return w ^ (n_turns & 1) ^ is_flipped
    return ((-w if is_flipped else w) - n_turns) % 4 if grid == "Tan" else w


def find_placements(grid, board, motion, cells):
    """Return the placements of a tile, by turning and reflecting the centers of its cells."""
    at = {(round(p.real, 3), round(p.imag, 3)): c for c in board for p in [center(grid, *c)]}
    n_turns = 6 if grid in ("Triangle", "Hexagon") else 4
    found, points = set(), [center(grid, *cell) for cell in cells]
    for flip in range(1 + (motion == "flip")):
        for k in range(1 if motion == "fixed" else n_turns):
            turn = cmath.exp(2j * cmath.pi * k / n_turns)
            image = [(p.conjugate() if flip else p) * turn for p in points]
            for cell in board:
                if cell[2] == moved_kind(grid, cells[0][2], k, flip):
                    moved = [p - image[0] + center(grid, *cell) + 1e-9 * (1 + 1j) for p in image]
                    keys = [(round(p.real, 3), round(p.imag, 3)) for p in moved]
                    if all(key in at for key in keys):
                        found.add(frozenset(map(at.__getitem__, keys)))
    return frozenset(found)


def count_tilings(left, placements, limits):
    """Count the ways to fill cells with tiles, given the limits of the number of each."""
    if not left:
        return all(low <= 0 for low, _ in limits)
    cell, n = min(left), 0
    for k, (found, (low, high)) in enumerate(zip(placements, limits, strict=True)):
        rest = [*limits[:k], (low - 1, high - 1), *limits[k + 1 :]]
        fits = [each for each in found if cell in each and each <= left] if high else []
        n += sum(count_tilings(left - each, placements, rest) for each in fits)
    return n


@pytest.mark.parametrize("grid", ["Square", "Triangle", "Hexagon", "Tan"])
def test_random_boards_equal_brute_force(grid):
    n_kinds = {"Triangle": 2, "Tan": 4}.get(grid, 1)
    plane = [*itertools.product(range(8), range(8), range(n_kinds))]
    for rng in map(np.random.default_rng, seeds(200, 5)):
        width, height = (int(rng.integers(1, 4 if n_kinds > 1 else 5)) for _ in range(2))
        box = itertools.product(range(width), range(height), range(n_kinds))
        board = [cell for cell in box if rng.random() < 0.9][:14]
        dropped = set(itertools.product(range(width), range(height), range(n_kinds))) - {*board}
        limits, tiles, left = {}, [], {*board}
        while left:
            first = min(left)
            near = sorted(
                left, key=lambda c: sum(abs(i - j) for i, j in zip(c, first, strict=True))
            )
            cells = near[: rng.integers(1, 5)]
            left -= {*cells}
            motion = ["flip", "", "fixed"][rng.integers(3)]
            low, high = int(rng.integers(0, 2)), int(rng.integers(1, 3))
            tiles.append(f"tile {motion} {high} {low} ({points(cells, n_kinds)})")
            form = find_placements(grid, plane, motion, cells)  # equal tiles are one
            known = limits.get(form, (0, 0))
            limits[form] = (known[0] + low, known[1] + high)
        corner = points([(width - 1, height - 1, n_kinds - 1)], n_kinds)
        text = f"Random\n{grid}\nBoard ({corner}{points(dropped, n_kinds)})\n"
        placements = [[each for each in form if each <= {*board}] for form in limits]
        expected = count_tilings(frozenset(board), placements, [*limits.values()])
        assert expected > 0
        assert read("\n".join([text, *tiles, "mode FillAll"])).count() == expected


def points(cells, n_kinds):
    return "".join(f"({x},{y}:{w})" if n_kinds > 1 else f"({x},{y})" for x, y, w in cells)
