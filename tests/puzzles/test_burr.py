"""Puzzles of Burr Tools."""

import gzip
import io
import itertools
import json
import pickle
import random
import threading

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.pictures.forms import picture_from_json
from dlx_numba.puzzles.lattice.regions import parse_cubes
from dlx_numba.puzzles.lattice.solid_moves import mirror_images
from dlx_numba.puzzles.lattice.solids import GRIDS, Solid
from dlx_numba.puzzles.pieces import burr
from dlx_numba.puzzles.pieces.polycubes import PIECE_SETS
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds


def voxel(cells, name="", optional=()):
    """Return the XML of a shape, given the color of each of its cells (z, y, x), 0 for none."""
    size = [1 + max(cell[k] for cell in cells) for k in range(3)]
    text = "".join(
        ("+" if (z, y, x) in optional else "#") + (str(cells[z, y, x]) if cells[z, y, x] else "")
        if (z, y, x) in cells
        else "_"
        for z in range(size[0])
        for y in range(size[1])
        for x in range(size[2])
    )
    z, y, x = size
    return f'<voxel x="{x}" y="{y}" z="{z}" name="{name}" type="0">{text}</voxel>'


def puzzle(voxels, counts, grid=0, pairs=(), **attributes):
    """Return the XML of a puzzle; the last shape is the result."""
    shapes = "".join(f'<shape id="{k}" {count}/>' for k, count in enumerate(counts))
    pairs = "".join(f'<pair piece="{a}" result="{b}"/>' for a, b in pairs)
    stated = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return (
        f'<?xml version="1.0"?>\n<puzzle version="2"><gridType type="{grid}"/><colors/>'
        f"<shapes>{''.join(voxels)}</shapes><problems><problem{stated}><shapes>{shapes}</shapes>"
        f'<result id="{len(counts)}"/><bitmap>{pairs}</bitmap></problem></problems></puzzle>'
    )


def solid(drawing):
    cells = parse_cubes(drawing)
    least = [min(cell[k] for cell in cells) for k in range(3)]
    return {tuple(x - y for x, y in zip(cell, least, strict=True)): 0 for cell in cells}


def test_the_soma_cube_has_240_assemblies_without_mirror_images(tmp_path):
    words = PIECE_SETS["soma"].split()
    voxels = [voxel(solid(d), n) for n, d in zip(words[::2], words[1::2], strict=True)]
    text = puzzle([*voxels, voxel(solid("3x3x3"))], ['count="1"'] * 7, name="Soma")
    [soma] = dlx.read(text)
    assert (soma.title, soma.count(), soma.assemblies(mirror_images=True)) == ("Soma", 240, 480)
    assert soma.cover().count() == 11520
    assert len(soma.text(soma.first()).splitlines()) == 3
    path = tmp_path / "soma.xmpuzzle"
    path.write_bytes(gzip.compress(text.encode()))
    assert invoke("count", path)[0] == "240\n"
    assert invoke("count", path, "--mirror-images")[0] == "480\n"
    for option in ("--up-to-symmetry", "--frequencies", "--threads=2", "--folder=x", "--presolve"):
        _, err = invoke("count", option, path, status=2)
        assert f"this puzzle cannot be combined with {option.split('=')[0]}" in err
    assert "images of a cover are other covers" in invoke("cover", "--limit", 1, path)[1]
    _, err = invoke("count", "queens:n=4", "--mirror-images", status=2)
    assert "not counted up to symmetry" in err


def test_ranges_optional_cells_and_colors():
    bar = {(0, 0, k): 0 for k in range(2)}
    square = {(0, y, x): 0 for y in range(2) for x in range(2)}
    text = puzzle([voxel(bar), voxel(square, optional={(0, 1, 1)})], ['min="0" max="2"'])
    [found] = dlx.read(text)
    # Two bars that fill the square; one bar does not fill three cells.
    assert (found.cover().count(), found.count()) == (2, 1)
    assert dlx.read(puzzle([voxel(bar)] * 2, [""]))[0].count() == 1  # a piece without a number
    # The limit of holes is one of ranges; the counts with these are those of Burr Tools.
    holes = puzzle([voxel(bar), voxel(square, optional=square)], ['count="1"'], maxHoles="1")
    assert dlx.read(holes)[0].cover().count() == 4
    board = {(0, y, x): 0 for y in range(3) for x in range(3)}
    for n_holes, n_covers, n_assemblies in ((1, 18, 3), (3, 74, 11)):
        voxels = [voxel(bar), voxel(board, optional=board)]
        [holes] = dlx.read(puzzle(voxels, ['min="0" max="4"'], maxHoles=n_holes))
        assert (holes.cover().count(), holes.count()) == (n_covers, n_assemblies)
    red_bar, ends = {(0, 0, 0): 1, (0, 0, 1): 0}, {(0, 0, 0): 2, (0, 0, 1): 1}
    for pairs, n_covers in (([(0, 0)], 1), ([(0, 1)], 1), ([(0, 0), (0, 1)], 2), ([], 0)):
        stated = puzzle([voxel(red_bar), voxel(ends)], ['count="1"'], pairs=pairs)
        assert dlx.read(stated)[0].cover().count() == n_covers


def test_puzzles_are_plain_data_although_they_are_stated_as_arrays(tmp_path):
    cells = dict.fromkeys(itertools.product(range(2), repeat=3), 0)
    pair = {(0, 0, 0): 0, (0, 0, 1): 0}
    [own] = dlx.read(puzzle([voxel(pair, "pair"), voxel(cells)], ['count="4"']))
    [other] = dlx.read(puzzle([voxel(pair, "pair"), voxel(cells)], ['count="4"']))
    copies = [other, pickle.loads(pickle.dumps(own))]
    assert all(own == each and own.cover() == each.cover() for each in copies)
    assert picture_from_json(json.loads(json.dumps(own.picture.to_json()))) == own.picture
    own.cover().write(tmp_path / "own.json")
    assert dlx.ExactCover.read(tmp_path / "own.json").count() == own.cover().count() == 9
    assert own.count() == 2


def test_equal_pieces_keep_their_numbers():
    corner = dict.fromkeys([(0, 0, 0), (0, 0, 1), (0, 1, 0)], 0)
    pair = {(0, 0, 0): 0, (0, 0, 1): 0}
    box = dict.fromkeys(itertools.product(range(2), repeat=3), 0)
    [cube] = dlx.read(puzzle([*map(voxel, (corner, pair, box))], ['count="2"', 'count="1"']))
    assert (cube.count(), cube.cover().count()) == (2, 36)
    assert [(part.high, len(part.solid)) for part in cube.parts] == [(2, 3), (1, 2)]


def test_shapes_and_their_places_are_stated_once():
    cells = {(0, 0, 0): 0, (0, 0, 1): 0}
    text = puzzle([voxel(cells, "bar"), voxel(cells)], ['count="1"'], name="Bar")
    assert dlx.read(text)[0].count() == 1
    for old, new, reason in (
        ('">##<', '">##-<', "'-' is not a cell of a shape"),
        ('">##<', '">#_5<', "'5' is not a cell of a shape"),
        ('">##<', '">#<', "a shape of 2×1×1 has 1 cells"),
        (
            '<result id="1"/>',
            '<result id="1"/>' * 2,
            "Bar: <problem> must have one <result>, not 2",
        ),
        ('<result id="1"/>', "", "Bar: <problem> must have one <result>, not 0"),
        ('<result id="1"/>', '<result id="2"/>', "Bar: there is no shape with the id 2"),
        ('<result id="1"/>', '<result id="-1"/>', "Bar: <result>: id is '-1', not a number"),
        ('<gridType type="0"/>', "", "<puzzle> must have one <gridType>, not 0"),
        ("</puzzle>", "", "no element found"),
    ):
        with pytest.raises(dlx.FormatError, match=reason):
            [*dlx.read(text.replace(old, new, 1), kind="burr")]


def is_cell(grid, z, y, x):
    """Return whether there is a cell with these coordinates."""
    if grid == 2:
        return (z + y + x) % 2 == 0
    if grid == 3:
        classes = {min(c % 5, 4 - c % 5) for c in (z, y, x)}
        return classes == {0, 1, 2}
    if grid == 4:
        (zc, zs), (yc, ys), (xc, xs) = (divmod(c, 3) for c in (z, y, x))
        corner = (zs + ys + xs) // 2 % 2 == (0 if (zc + yc + xc) % 2 else 1)
        return (zs, ys, xs) == (1, 1, 1) or (not {zs, ys, xs} & {1} and corner)
    return True


@pytest.mark.parametrize("grid", range(5))
def test_motions_map_the_grid_to_itself(grid):
    """Every image of a cell of the grid is a cell of the grid."""
    lattice = GRIDS[grid]

    def points(start, stop):
        every = itertools.product(range(start, stop), repeat=3)
        return lattice.points(np.array([cell for cell in every if is_cell(grid, *cell)]))

    cells, inner = {tuple(point) for point in points(-6, 12).tolist()}, points(0, 5)
    assert len(lattice.rotations) == (12 if grid == 1 else 24)
    for matrix in lattice.rotations:
        turned = (inner @ matrix.T).tolist()
        assert sum(tuple(cell) in cells for cell in turned) > len(inner) / 8
        near = [cell for cell in turned if all(-4 <= c <= 4 for c in cell)]
        assert all(tuple(cell) in cells for cell in near)
    assert (lattice.points(lattice.coordinates(inner)) == inner).all()


@pytest.mark.parametrize("grid", range(5))
def test_placements_are_those_that_trying_all_translations_finds(grid):
    lattice, random = GRIDS[grid], np.random.default_rng(grid)
    box = itertools.product(*map(range, (6, 7, 8) if grid > 1 else (3, 4, 5)))
    cells = np.array([cell for cell in box if is_cell(grid, *cell)])

    def solid(where):
        n = len(where)
        return Solid(lattice, "", where, np.zeros(n, np.int64), np.zeros(n, np.bool_), (0, 0, 0))

    n_found = 0
    for size in (1, 2, 3, 4):
        result = solid(cells[random.random(len(cells)) < 0.8])
        piece = solid(cells[np.sort(random.permutation(4 * size)[:size])])
        number = {tuple(point): k for k, point in enumerate(result.points.tolist())}
        expected = set()
        for turned in piece.points @ piece.turns.transpose(0, 2, 1):
            for shift in result.points - turned[0]:
                moved = [number.get(tuple(point)) for point in (turned + shift).tolist()]
                is_same = lattice.classes(turned) == lattice.classes(turned + shift)
                if None not in moved and is_same.all():
                    expected.add(tuple(sorted(moved)))
        found, motions = result.placements(piece, np.ones((1, 1), np.bool_))
        assert [*map(tuple, found.tolist())] == sorted(expected)
        for own, (turn, *shift) in zip(found.tolist(), motions.tolist(), strict=True):
            moved = piece.points @ piece.turns[turn].T + shift
            assert sorted(number[tuple(point)] for point in moved.tolist()) == own
        n_found += len(found)
    assert n_found > 50


def motions_of_cubes():
    """Return the 24 rotations of coordinates and the 24 motions with a reflection."""
    found = [], []
    for axes in itertools.permutations(range(3)):
        for signs in itertools.product([1, -1], repeat=3):
            matrix = np.zeros((3, 3), int)
            matrix[range(3), axes] = signs
            found[int(np.linalg.det(matrix) < 0)].append(matrix)
    return found


ROTATIONS, REFLECTIONS = motions_of_cubes()


def move(cells, matrix, shift=None):
    """Return colored cells after a motion; by default, at the origin."""
    points = np.array([*cells]) @ matrix.T
    points = points - points.min(0) if shift is None else points + shift
    return frozenset(zip(map(tuple, points.tolist()), cells.values(), strict=True))


def find_placements(piece, result, fits):
    """Return all placements of a piece in a result, as colored cells."""
    forms = {move(piece, each) for each in ROTATIONS}
    found = set()
    for form in forms:
        for shift in itertools.product(range(1 + max(max(cell) for cell in result)), repeat=3):
            cells = move(dict(form), np.eye(3, dtype=int), shift)
            if all(cell in result and fits(color, result[cell]) for cell, color in cells):
                found.add(cells)
    return found


def count_classes(pieces, limits, result, fits):
    """Count the assemblies up to rotations, and up to all symmetries that exchange pieces."""
    placed = [find_placements(piece, result, fits) for piece in pieces]
    pairs = [(k, cells) for k, all_cells in enumerate(placed) for cells in all_cells]
    at = {cell: [pair for pair in pairs if cell in dict(pair[1])] for cell in result}

    def fill(left, used):
        if not left:
            counts = [sum(k == number for k, _ in used) for number in range(len(pieces))]
            if all(low <= n <= high for n, (low, high) in zip(counts, limits, strict=True)):
                yield frozenset(used)
            return
        for k, cells in at[min(left)]:
            if dict(cells).keys() <= left:
                yield from fill(left - dict(cells).keys(), [*used, (k, cells)])

    assemblies = set(fill(frozenset(result), []))
    size = np.array([max(cell[k] for cell in result) for k in range(3)])
    classes = [{each: each for each in assemblies} for _ in range(2)]

    def find(parents, each):
        while parents[each] != each:
            each = parents[each]
        return each

    for matrix in [*ROTATIONS, *REFLECTIONS]:
        if move(result, matrix) != move(result, np.eye(3, dtype=int)):
            continue
        shift = np.maximum(-(matrix @ size), 0)
        for each in assemblies:
            moved = [(k, move(dict(cells), matrix, shift)) for k, cells in each]
            image = frozenset(
                (next((k for k, own in enumerate(placed) if cells in own), None), cells)
                for _, cells in moved
            )
            for parents in classes[0 if np.linalg.det(matrix) > 0 else 1 :]:
                if image in assemblies:
                    parents[find(parents, each)] = find(parents, image)
    return [len({find(parents, each) for each in assemblies}) for parents in classes]


def state_random(rng):
    """Return random colored pieces without equal ones, some of them mirror images, and a result."""
    box = [*itertools.product(range(2), range(2), range(rng.choice([2, 3])))]
    chosen = [cell for cell in box if rng.random() < 0.9] or box
    result = {cell: rng.choice([0, 0, 0, 1]) for cell in chosen}
    pieces, forms = [], set()
    for _ in range(rng.randint(2, 4)):
        cells = rng.sample(chosen, min(len(chosen), rng.randint(1, 4)))
        piece = {cell: rng.choice([0, 0, 1, 2]) for cell in cells}
        for each in (ROTATIONS, REFLECTIONS)[: rng.choice([1, 1, 2])]:
            own = {move(piece, motion) for motion in each}
            if not forms & own:
                forms |= own
                pieces.append(dict(move(piece, each[0])))
    return pieces, dict(move(result, np.eye(3, dtype=int)))


@pytest.mark.slow
def test_assemblies_of_random_pieces_are_those_of_trying_all_motions():
    """Ranges let only some assemblies have mirror images; colors tell placements apart."""

    def fits(color, own):
        return color * own == 0 or color == own == 1

    n_found = 0
    for seed in seeds(60, at_least=15):
        rng = random.Random(seed)
        pieces, result = state_random(rng)
        limits = [(0, rng.randint(1, 3)) for _ in pieces]
        if sum(len(p) * high for p, (_, high) in zip(pieces, limits, strict=True)) < len(result):
            continue
        counts = [f'min="{low}" max="{high}"' for low, high in limits]
        text = puzzle([*map(voxel, pieces), voxel(result)], counts, pairs=[(0, 0)])
        [found] = dlx.read(text)
        expected = count_classes(pieces, limits, result, fits)
        assert [found.assemblies(mirror_images=True), found.assemblies()] == expected
        assert len([*found._distinct(found.solutions())]) == expected[1]
        n_found += expected[0] > expected[1]
    assert n_found


def test_holes_are_limited_also_where_ranges_leave_one_number_of_mirror_images():
    """Three chiral pieces, but only two with mirror images, which leave too many holes."""
    box = dict.fromkeys(itertools.product(range(2), range(2), range(4)), 0)
    left = dict.fromkeys([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)], 0)
    right = {(z, 1 - y, x): 0 for z, y, x in left}
    voxels = [voxel(left), voxel(right), voxel(box, optional=box)]
    [found] = dlx.read(puzzle(voxels, ['min="0" max="2"', 'min="1" max="1"'], maxHoles=4))
    assert found.cover().count() == 396
    assert found.assemblies(mirror_images=True) == found.count() == 51


def test_a_stop_ends_a_count_while_assemblies_with_mirror_images_are_formulated(monkeypatch):
    stop, released = threading.Event(), threading.Event()
    left = dict.fromkeys([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)], 0)
    box = dict.fromkeys(itertools.product(range(2), range(2), range(4)), 0)
    [found] = dlx.read(puzzle([voxel(left), voxel(box, optional=box)], ['min="0" max="2"']))

    def formulate(*_):
        stop.set()
        released.wait(10)

    monkeypatch.setattr(burr, "_formulate", formulate)
    with pytest.raises(dlx.Stopped, match="mirror images were counted"):
        found.count(stop=stop)
    released.set()


def test_equal_pieces_are_paired_with_as_many_mirror_images():
    left = dict.fromkeys([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)], 0)
    right = {(z, 1 - y, x): 0 for z, y, x in left}
    bar = dict.fromkeys([(0, 0, 0), (0, 0, 1)], 0)
    [found] = dlx.read(puzzle([*map(voxel, (left, right, bar, bar))], ['min="0" max="1"'] * 3))
    chiral, image, flat = (part.solid for part in found.parts)
    partners = mirror_images([chiral, chiral, image, flat, chiral], [(0, 2), *[(0, 1)] * 4])
    assert partners == [None, 2, 1, 3, None]
    [single] = dlx.read(puzzle([voxel(left)] * 2, [""]))  # without symmetries
    assert [*single._distinct([[0], [0]])] == [[0]]
    n = 10_000  # which takes minutes if all pairs are compared
    assert mirror_images([chiral, image] * n, [(0, 1)] * 2 * n)[-2:] == [2 * n - 1, 2 * n - 2]


def test_nested_elements_are_copied_and_written():
    comment = f"{'<a>' * 490}{'</a>' * 490}</puzzle>"
    text = puzzle([voxel({(0, 0, 0): 0})] * 2, [""]).replace("</puzzle>", comment)
    target = io.BytesIO()
    dlx.read(text)[0].write(target, [[0]])
    assert gzip.decompress(target.getvalue()).count(b"<a>") == 489  # and the innermost, <a />


def state_solutions(text, *assemblies):
    """Return the XML of a puzzle with solutions."""
    stated = "".join(f"<solution><assembly>{each}</assembly></solution>" for each in assemblies)
    return text.replace("</problem>", f"<solutions>{stated}</solutions></problem>")


def test_layers_of_spheres_may_be_turned_by_60_degrees(tmp_path):
    triangle = {(0, 0, 0): 0, (0, 1, 1): 0, (1, 0, 1): 0}
    text = puzzle([voxel(triangle), voxel(triangle)], ['count="1"'], grid=2)
    assert dlx.read(text)[0].cover().count() == 1
    layer = dict.fromkeys([(0, 0, 0), (0, 1, 1), (0, 2, 2), (1, 2, 1)], 0)
    turned = dict.fromkeys([(0, 0, 2), (0, 1, 1), (0, 2, 0), (1, 2, 1)], 0)  # as in BallRoom
    text = puzzle([voxel(layer, "J"), voxel(turned)], ['count="1"'], grid=2)
    path = tmp_path / "layer.xmpuzzle"
    dlx.read(text)[0].write(path, [[0]])
    assert invoke("verify", path)[0] == "a cover\n"
    path.write_text(state_solutions(text, "2 0 0 28", "2 0 0 29", "2 0 0 120"))
    out, err = invoke("verify", path, status=1)
    assert [line.split(", ", 2)[2] for line in out.splitlines()] == [
        "solution 1: a cover",
        "solution 2: the piece J does not fit at 2 0 0 29",
        "solution 3: the piece J does not fit at 2 0 0 120",
    ]
    assert "3 answers: 1 right, 2 wrong" in err


def test_drawn_solutions_are_verified(tmp_path):
    domino, path = voxel(dict.fromkeys([(0, 0, 0), (0, 0, 1)], 0)), tmp_path / "dominoes.xmpuzzle"
    bar = voxel(dict.fromkeys(itertools.product([0], [0, 1], range(2)), 0))
    result = voxel(dict.fromkeys(itertools.product(range(2), range(2), range(2)), 0))
    path.write_text(puzzle([domino, bar, result], ['count="2"', 'count="1"']))
    drawing = tmp_path / "drawing"
    drawing.write_text(invoke("solve", path)[0])
    assert invoke("verify", path, drawing)[0] == "a cover\n"
    drawing.write_text("a b   a b\nc c   c c\n")
    assert invoke("verify", path, drawing)[0] == "a cover\n"
    drawing.write_text("a b   a b         \nc c   c c\n")
    assert invoke("verify", path, drawing)[0] == "a cover\n"
    drawing.write_text("a b   a b\nc c   c a\n")
    assert "the solution in the file is wrong" in invoke("verify", path, drawing, status=1)[0]
    drawing.write_text("a b   a b\nc c\n")
    assert "the solution in the file is wrong" in invoke("verify", path, drawing, status=1)[0]


def test_solutions_in_a_file_are_verified(tmp_path):
    domino, path = voxel(dict.fromkeys([(0, 0, 0), (0, 0, 1)], 0)), tmp_path / "dominoes.xmpuzzle"
    result = voxel(dict.fromkeys(itertools.product([0], range(2), range(2)), 0))
    text = puzzle([domino, result], ['min="1" max="3"'])
    for assembly, expected in (
        ("0 0 0 0 0 1 0 0 x", "a cover"),
        ("x 1 0 0 10 1 1 0 10", "a cover"),  # half turns about z
        ("0 0 0 0 x x", "not a cover: "),
        ("0 0 0 0 0 0 0 0 x", "not a cover: "),
        ("0 0 0 0 0 2 0 0 x", "the piece 1 does not fit at 0 2 0 0"),
        ("0 0 0 0 0 1 0 24 x", "the piece 1 does not fit at 0 1 0 24"),
        ("0 0 0 0 0 1 0 0", "the solution has 2 places instead of 3"),
        ("0 0 0 0 a 0 1 0 0 x", "the solution does not consist of places"),
        ("", "the solution has 0 places instead of 3"),
    ):
        path.write_text(state_solutions(text, assembly))
        assert invoke("verify", path, status=expected != "a cover")[0].startswith(expected)


def test_what_is_no_puzzle_is_said():
    empty = '<voxel x="1" y="1" z="1" type="0">_</voxel>'
    single = voxel({(0, 0, 0): 0}, optional=[(0, 0, 0)])
    red = voxel({(0, 0, 0): 1})
    for text, reason in (
        ("<puzzle>", "no element found"),
        ("<puzzle><gridType/></puzzle>", "not a puzzle of Burr Tools"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><puzzle></puzzle>', "entities"),
        (f"<puzzle><gridType/>{'<a>' * 500}{'</a>' * 500}</puzzle>", "more than 500 deep"),
        (puzzle([voxel({(0, 0, 0): 0})] * 2, ['count="2"']), "the pieces have 2"),
        (puzzle([voxel({(0, 0, 0): 0})] * 2, ['count="1"'], grid=7), "not a puzzle"),
        (
            puzzle([voxel({(0, 0, 0): 0})] * 2, ['min="-1" max="2"']),
            "<shape>: min is '-1', not a number",
        ),
        (puzzle([voxel({(0, 0, 0): 0})] * 2, ['count="1_0"']), "<shape>: count is '1_0', not a"),
        (puzzle([voxel({(0, 0, 0): 0})] * 2, ['min="3" max="2"']), "cannot be 3 to 2 pieces S1"),
        (puzzle([red.replace("x=", 'hx="1_0" x='), red], [""]), "not three integers"),
        (puzzle([empty, voxel({(0, 0, 0): 0})], ['count="1"']), "the piece S1 has no cells"),
        (puzzle([voxel({(0, 0, 0): 0}), empty], ['min="0" max="1"']), "the result has no cells"),
        (
            puzzle([single, single], ['count="1"']),
            r"the piece S1 has cells .* empty, \+, which only",
        ),
        (puzzle([red, red], [""]).replace("problem>", "other>"), "shapes, but no problem"),
        (puzzle([red, single], [""], grid=-1), "<gridType>: type is '-1', not a number from 0"),
        (puzzle([red, red], [""], pairs=[(-2, -2)]), "<pair>: piece is '-2', not a number"),
        (puzzle([red, red], ['max="2" min="0"'], maxHoles=10**30), "<problem>: maxHoles is '100"),
        (puzzle([red.replace("#1", f"#{10**30}"), red], [""]), "a shape has the color 1000"),
        (puzzle([red.replace("x=", f'hx="{10**8}" x='), red], [""]), "a hotspot is too far away"),
    ):
        with pytest.raises(ValueError, match=reason):
            [*dlx.read(f"{text}\n", "burr")]


def place_pieces(found, text):
    """Return the cells of each piece in a stated assembly; None if it is not placed."""
    words, cells = text.split(), []
    for piece in [part.solid for part in found.parts for _ in range(part.high)]:
        if words[0] == "x":
            words = words[1:]
            cells.append(None)
            continue
        x, y, z, turn = map(int, words[:4])
        words = words[4:]
        points = np.concatenate([piece.coordinates, [piece.hotspot]])
        turned = piece.grid.points(points) @ piece.grid.rotations[turn].T
        moved = turned - turned[-1] + piece.grid.points(np.array([[z, y, x]]))
        placed = (piece.grid.coordinates(moved[:-1]) + 1).tolist()
        cells.append({tuple(cell) for cell in placed})
    assert not words
    return cells


@pytest.mark.parametrize("grid", range(5))
def test_written_solutions_have_the_pieces_where_they_are_drawn(grid, tmp_path):
    """A place is that of the hotspot, by x, y and z; the turn is a number."""
    cells = {
        1: [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 1, 1)],
        2: [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)],
        3: [(0, 1, 2), (0, 2, 1), (1, 0, 2), (2, 0, 1)],
        4: [(0, 0, 0), (0, 2, 2), (1, 1, 1)],
    }.get(grid, [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)])
    solid_voxel = voxel(dict.fromkeys(cells, 0))
    single = voxel({cells[0]: 0}).replace("voxel ", 'voxel hx="2" hy="0" hz="0" ')
    text = puzzle([single, solid_voxel, solid_voxel], ['min="0" max="1"', 'count="1"'], grid=grid)
    [found] = dlx.read(text)
    path = tmp_path / "solved.xmpuzzle"
    found.write(path, [found.first()] * 2)
    [again] = dlx.read(path)
    [stated] = again.document.iterfind("problems/problem/solutions/solution/assembly")
    placed = place_pieces(again, stated.text)
    assert placed[0] is None
    assert placed[1] == {tuple(c + 1 for c in cell) for cell in cells}
    assert again.count() == found.count()


def test_solve_writes_one_of_each_class_of_assemblies(tmp_path):
    words = PIECE_SETS["soma"].split()
    voxels = [voxel(solid(d), n) for n, d in zip(words[::2], words[1::2], strict=True)]
    path, solved = tmp_path / "soma.xmpuzzle", tmp_path / "solved.xmpuzzle"
    path.write_text(puzzle([*voxels, voxel(solid("3x3x3"))], ['count="1"'] * 7))
    invoke("solve", path, "--limit", 50, "-o", solved)
    [found] = dlx.read(solved)
    stated = list(found.document.iterfind("problems/problem/solutions/solution/assembly"))
    assert 1 < len(stated) <= 50
    options = {}
    for k, marks in enumerate(found.picture.marks):
        options[frozenset(cell for cell, _ in marks)] = k
    group = found.cover().symmetries()
    seen = set()
    for each in stated:
        cover = [options[frozenset(cells)] for cells in place_pieces(found, each.text)]
        assert not found.cover().check(cover).problems
        images = {frozenset(image[cover].tolist()) for image in group}
        assert not images & seen
        seen.add(frozenset(cover))
    _, err = invoke("solve", "queens:n=4", "-o", solved, status=2)
    assert "a single .xmpuzzle file" in err


def test_the_time_limit_applies_to_the_solutions_of_one_puzzle(tmp_path):
    domino, path = voxel(dict.fromkeys([(0, 0, 0), (0, 0, 1)], 0)), tmp_path / "domino.xmpuzzle"
    path.write_text(state_solutions(puzzle([domino] * 2, [""]), *["0 0 0 0"] * 100_000))
    out, err = invoke("verify", path, "--seconds", 0.3, status=3)
    assert len(out.splitlines()) < 100_000
    assert "Stopped before the output was complete." in err


def test_files_say_whether_they_have_all_assemblies(tmp_path):
    """State 2 is a finished search, 3 has some of the assemblies, and 0 has none."""
    domino, path = voxel(dict.fromkeys([(0, 0, 0), (0, 0, 1)], 0)), tmp_path / "dominoes.xmpuzzle"
    result = voxel(dict.fromkeys(itertools.product([0], [0, 1], range(3)), 0))
    text = puzzle([domino, result], ['count="3"'])  # three covers, of two classes
    path.write_text(text)
    solved = tmp_path / "solved.xmpuzzle"

    def stated():
        [problem] = dlx.read(solved)[0].document.iterfind("problems/problem")
        return problem.get("state"), problem.get("assemblies")

    for options, expected in (
        (["--all"], ("2", "2")),
        (["--limit", 4], ("2", "2")),
        (["--limit", 3], ("3", "2")),
        (["--limit", 1], ("3", "1")),
        ([], ("3", "1")),
        (["--all", "--up-to-symmetry"], ("3", "2")),
    ):
        invoke("solve", path, *options, "-o", solved)
        assert stated() == expected
    [found] = dlx.read(text)
    for solutions, expected in (([], ("0", "0")), ([found.first()], ("3", "1"))):
        found.write(solved, solutions)
        assert stated() == expected


def test_puzzles_that_would_exhaust_memory_are_errors():
    """Prisms in a line lie in a square of points, and placements repeat the cells of a piece."""
    line = f'<voxel x="1" y="20000" z="1" type="0">#{"_" * 19_998}#</voxel>'
    with pytest.raises(dlx.FormatError, match=r"a result, .* 1,799,970,000 places, more than"):
        [*dlx.read(puzzle([line, line], [""], grid=1))]
    bars = [f'<voxel x="{n}" y="1" z="1" type="0">{"#" * n}</voxel>' for n in (20_000, 40_000)]
    with pytest.raises(dlx.FormatError, match=r"placements of a piece .* 400,020,000 places"):
        [*dlx.read(puzzle(bars, ['count="2"']))]


def test_comments_and_names_are_kept_as_they_are(tmp_path):
    """A line of a comment may be that between two texts, and old files are not in UTF-8."""
    bar = voxel({(0, 0, 0): 0}, "Röver")
    text = puzzle([bar, bar], [""]).replace("<shapes>", "<comment>é\n---\n\nß</comment><shapes>", 1)
    path = tmp_path / "old.xmpuzzle"
    with pytest.raises(dlx.FormatError, match="<text>:7: not valid XML"):
        dlx.read(f"\n\n{text.partition('</')[0]}", kind="burr")[0]
    for encoding in ("utf-8", "latin-1"):
        path.write_bytes(b"\n" + text.encode(encoding).partition(b"\n")[2])
        [found] = dlx.read(path)
        assert [part.name for part in found.parts] == ["Röver"]
        found.write(path, [[0]])
        assert dlx.read(path)[0].document.find("comment").text == "é\n---\n\nß"


def test_images_are_those_of_one_solution_of_each_class(monkeypatch):
    """Writing all solutions of a file would take longer than finding them."""
    n_calls = 0
    images = burr.Burr._images

    def counted(*arguments):
        nonlocal n_calls
        n_calls += 1
        return images(*arguments)

    monkeypatch.setattr(burr.Burr, "_images", counted)
    domino = voxel(dict.fromkeys([(0, 0, 0), (0, 0, 1)], 0))
    board = voxel(dict.fromkeys(itertools.product([0], range(4), range(4)), 0))
    [found] = dlx.read(puzzle([domino, board], ['count="8"']))
    assert (found.cover().count(), len([*found._distinct(found.solutions())])) == (36, 9)
    assert n_calls == 9
