"""Colorings that prove that there is no cover, in problems of any size."""

import pytest

import dlx_numba as dlx
from dlx_numba.verify_certificate import main as verify_files

pytestmark = [pytest.mark.compiled, pytest.mark.slow]


def turned(cells):
    """A shape in all of its orientations."""
    found = set()
    for _ in range(2):
        for _ in range(4):
            cells = frozenset((j, -i) for i, j in cells)
            found.add(shifted(cells))
        cells = frozenset((i, -j) for i, j in cells)
    return found


def shifted(cells):
    top, left = (min(each) for each in zip(*cells, strict=True))
    return frozenset((i - top, j - left) for i, j in cells)


def hexominoes(n_rows, n_columns):
    """Place each of the 35 free hexominoes once on a board."""
    shapes = {frozenset([(0, 0)])}
    for _ in range(5):
        shapes = {
            shifted({*shape, (i + a, j + b)})
            for shape in shapes
            for i, j in shape
            for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if (i + a, j + b) not in shape
        }
    free = sorted({min(tuple(sorted(each)) for each in turned(shape)) for shape in shapes})
    assert len(free) == 35
    options = []
    for number, shape in enumerate(free):
        for cells in map(sorted, turned(frozenset(shape))):
            height, width = (max(each) for each in zip(*cells, strict=True))
            options += [
                [("piece", number), *((i + a, j + b) for a, b in cells)]
                for i in range(n_rows - height)
                for j in range(n_columns - width)
            ]
    return dlx.ExactCover(options)


def test_35_hexominoes_in_a_rectangle_are_impossible(tmp_path):
    """Prove it by a checkerboard: an odd number of pieces have an even number of black cells."""
    problem = hexominoes(14, 15)
    assert problem.n_options == 31_934
    assert problem.count(seconds=200) == 0
    proof = tmp_path / "proof"
    written = tmp_path / "problem.json"
    problem.write(written)
    assert problem.certify(proof, seconds=200) == 0
    assert proof.read_text().splitlines()[3] == "coloring"
    assert verify_files([str(written), str(proof)]) == 0
