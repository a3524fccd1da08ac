"""`placements`: the cells of all positions of a drawn shape, against brute force."""

from itertools import permutations, product
from random import Random

import numpy as np
import pytest

import dlx_numba as dlx


def rotations(n):
    """Return the rotations of the plane or of space as matrices: those with determinant 1."""
    for order in permutations(range(n)):
        for signs in product((1, -1), repeat=n):
            matrix = np.zeros((n, n), int)
            for row, (column, sign) in enumerate(zip(order, signs, strict=True)):
                matrix[row, column] = sign
            if round(np.linalg.det(matrix)) == 1:
                yield matrix


def brute_force(shape, region, turn, flip):
    """Move the shape by all motions, and keep what lies within the region."""
    n = len(shape[0])
    matrices = [*rotations(n)] if turn else [np.eye(n, dtype=int)]
    if flip and n == 2:
        matrices += [matrix @ np.diag([1, -1]) for matrix in matrices]
    found = set()
    for matrix in matrices:
        moved = np.array(shape) @ matrix.T
        for cell in region:  # to which the first cell of the shape is moved
            cells = {tuple(map(int, each)) for each in moved + (np.array(cell) - moved[0])}
            if cells <= region:
                found.add(tuple(sorted(cells)))
    return sorted(map(list, found))


def drawn(cells, size):
    *layers, rows, columns = (range(1, n + 1) for n in size)
    return "|".join(
        "/".join("".join(".#"[(*z, r, c) in cells] for c in columns) for r in rows)
        for z in product(*layers)
    )


@pytest.mark.parametrize("seed", range(30))
def test_placements_agree_with_brute_force(seed):
    random = Random(seed)
    size, small = ((5, 4), (3, 3)) if seed % 3 else ((3, 3, 3), (2, 2, 2))
    cells, places = ([*product(*(range(1, n + 1) for n in each))] for each in (small, size))
    shape = random.sample(cells, random.randint(1, 4))
    region = {cell for cell in places if random.random() < 0.9}
    for turn, flip in product((True, False), repeat=2):
        expected = brute_force(shape, region, turn, flip)
        assert dlx.placements(drawn(shape, small), drawn(region, size), turn, flip) == expected
        assert dlx.placements(shape, region, turn=turn, flip=flip) == expected


def test_a_flat_shape_is_placed_in_space():
    flat, solid = dlx.placements("##/#.", "2x3x4"), dlx.placements("##/#.|../..", "2x3x4")
    assert flat == solid
    assert dlx.placements("\n##\n#.\n", "2x2") == dlx.placements("##/#.", "2x2")


def test_placements_state_the_problems_of_the_gallery():
    words = "F .##/##./.#. I 1x5 L ####/#... N ###./..## P ##/##/#. T ###/.#./.#. U #.#/### "
    words += "V ###/#../#.. W .##/##./#.. X .#./###/.#. Y ####/.#.. Z ##./.#./.##"
    options = [
        [name, *cells]
        for name, drawing in zip(*[iter(words.split())] * 2, strict=True)
        for cells in dlx.placements(drawing, "3x20")
    ]
    assert dlx.ExactCover(options).count() == 8


@pytest.mark.parametrize(
    ("shape", "board", "reason"),
    [
        ("##|##", "5x5", "layer, row, column"),
        ("ab", "5x5", "shape must be RxC, .* not 'ab'"),
        ("#", "ab", "board must be RxC, .* not 'ab'"),
        ("#|b", "3x3x3", "shape must be AxBxC, .* not '#.b'"),
        ("99x99", "5x5", "shape '99x99' must have from 1 to 1,000 cells"),
        ([], "5x5", "layer, row, column"),
        ("#", [(1, 1), (1, 1, 1)], "layer, row, column"),
    ],
)
def test_wrong_shapes_are_rejected(shape, board, reason):
    with pytest.raises(ValueError, match=reason):
        dlx.placements(shape, board)
