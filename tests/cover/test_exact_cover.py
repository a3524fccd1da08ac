"""`ExactCover` compared with brute force and known counts, and the input that it rejects."""

import warnings
from itertools import islice

import numpy as np
import pytest

import dlx_numba as dlx
from tests.helpers.problems import instance
from tests.helpers.seeds import instances, seeded

COMPILED = pytest.mark.compiled
KNOWN = {"queens8": 92, "langford7": 52, "sudoku17": 1}
LARGER = {"queens12": 14200, "langford11": 35584, "pent3x20": 8, "pent6x10r": 2339}
LARGER |= {"random40": 635, "sudoku17m1": 507806, "macmahon4x6f": 11736, "queens8.cost": 92}
LARGEST = {"queendom7.mcc": 86, "queendom8.mcc": 4860}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *KNOWN.items(),
        *(pytest.param(*row, marks=COMPILED) for row in LARGER.items()),
        *(pytest.param(*row, marks=[COMPILED, pytest.mark.thorough]) for row in LARGEST.items()),
    ],
)
def test_known_counts(name, expected):
    cover = instance(name)
    assert (cover.count(), cover.statistics.solutions) == (expected, expected)
    assert cover.count(limit=5) == min(5, expected)


def test_matrix_csr_and_names_are_one_problem():
    rng = np.random.default_rng(seeded(1))
    for _ in range(instances(200)):
        matrix = (rng.random((12, 6)) < 0.3).astype(np.uint8)
        rows, columns = np.nonzero(matrix)
        csr = np.searchsorted(rows, np.arange(13)), columns, 6
        options = [np.flatnonzero(row).tolist() for row in matrix]
        named = dlx.ExactCover(options, items=range(6))
        assert dlx.ExactCover.from_matrix(matrix) == dlx.ExactCover.from_matrix(tuple(csr)) == named
        numbered = dlx.ExactCover.from_matrix(tuple(csr), secondary=[1, 4])
        assert numbered == dlx.ExactCover.from_matrix(matrix, [1, 4])
        secondary = dlx.ExactCover(options, [0, 2, 3, 5], secondary=[1, 4])
        assert sorted(numbered.solve()) == sorted(secondary.solve())


def test_iterators_are_lazy_and_independent():
    cover = instance("queens8")
    first, second = iter(cover), iter(cover)
    ten = list(islice(first, 10))
    assert ten == list(islice(second, 10)) == cover.solve(limit=10)
    assert cover.count() == 92
    assert len(list(first)) == 82


@pytest.mark.parametrize(
    ("cover", "expected"),
    [
        (dlx.ExactCover([]), [[]]),
        (dlx.ExactCover([], items=["a"]), []),
        (dlx.ExactCover([["a"]], items=["a", "b"]), []),
        (dlx.ExactCover([["a"]]), [[0]]),
        (dlx.ExactCover([[], ["a"]]), [[1]]),
        (dlx.ExactCover([["s"], ["a"]], secondary=["s"]), [[1]]),
        (dlx.ExactCover([[], ["s"]], secondary=["s"]), [[]]),
        (dlx.ExactCover.from_matrix(np.zeros((3, 0), int)), [[]]),
        (dlx.ExactCover.from_matrix(np.zeros((0, 3), int)), []),
    ],
)
def test_empty_and_trivial_problems(cover, expected):
    assert cover.solve() == cover.replace(algorithm="bitset").solve() == expected
    assert (cover.solve(limit=0), cover.count(limit=0)) == ([], 0)
    assert cover.count() == cover.count(method="memo") == len(expected)
    assert cover.first() == (expected or [None])[0]


def test_input_arrays_are_copied():
    indptr, indices = np.array([0, 1, 2]), np.array([0, 1])
    cover = dlx.ExactCover.from_matrix((indptr, indices, 2))
    indptr[:] = indices[:] = 0
    assert cover.solve() == [[0, 1]]


@COMPILED
def test_first_solution_of_a_problem_with_many_items():
    n = 1_000
    cover = dlx.ExactCover.from_matrix((np.arange(3 * n + 1), np.repeat(np.arange(n), 3), n))
    assert next(iter(cover)) == list(range(0, 3 * n, 3))


@pytest.mark.parametrize(
    ("optional", "meant"),
    [("ANN", "Ann"), ("john_doe", "John Doe"), ("room-1", "room 1")],
)
def test_misspelled_optional_items_are_reported(optional: str, meant: str) -> None:
    options = [["mon", "Ann"], ["tue", "John Doe"], ["mon", ("room 1", "red")], ["tue", "Bob"]]
    with pytest.raises(ValueError, match=f"{optional!r} is in no option; did you mean {meant!r}?"):
        dlx.ExactCover(options, optional=["Bob", optional])


def test_optional_items_without_options_may_have_names_of_one_series() -> None:
    options = [["r1", "room A", "shift a", "Tuesday"], ["r2", "room 10"]]
    optional = ["r3", "R1", "room B", "roomB", "shift b", "Thursday", "room 100", "room"]
    assert dlx.ExactCover(options, optional=optional).count() == 1
    assert dlx.ExactCover([["Ann"]], ["Ann"], optional=["Anna"]).count() == 1


def test_pair_that_is_probably_a_color_is_reported() -> None:
    with pytest.warns(UserWarning, match="if 'red' is a color, 'b' must be secondary"):
        cover = dlx.ExactCover([["a", ("b", "red")], ["b"]])
    assert list(cover.items) == ["a", ("b", "red"), "b"]
    for secondary in ([], ["s"], ["s", "s"]):
        with pytest.warns(UserWarning, match="must be secondary") as caught:
            dlx.ExactCover([["a", ("b", "red")], ["b"]], secondary=secondary)
        assert [each.filename for each in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dlx.ExactCover([["a", ("b", "red")], ["b"]], secondary=["b"])
        dlx.ExactCover([["a", ("b", "red")], ["b"]], ["a", "b", ("b", "red")])
        dlx.ExactCover([[(0, 1), (1, 0)], [(1, 1)]])
