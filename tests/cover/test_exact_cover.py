"""`ExactCover` compared with brute force and known counts, and the input that it rejects."""

import warnings
from itertools import islice

import numpy as np
import pytest

import dlx_numba as dlx
from tests.helpers import INSTANCES
from tests.helpers.seeds import instances, seeded

COMPILED = pytest.mark.compiled
KNOWN = {
    "queens8": 92,
    "queens10": 724,
    "queens12": 14200,
    "langford7": 52,
    "langford8": 300,
    "langford11": 35584,
    "pent3x20": 8,
    "pent6x10r": 2339,
    "random40": 635,
    "sudoku17": 1,
    "sudoku17m1": 507806,
    "macmahon4x6f": 11736,
    "queendom7.mcc": 86,
    "queendom8.mcc": 4860,
    "queens8.cost": 92,
}


SMALL = ("queens8", "langford7", "sudoku17")
LARGE = ("queendom8.mcc",)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name, marks=[COMPILED] * (name not in SMALL) + [pytest.mark.thorough] * (name in LARGE)
        )
        for name in KNOWN
    ],
)
def test_known_counts(name):
    cover = dlx.ExactCover.from_knuth((INSTANCES / f"{name}.dlx").read_text())
    assert cover.count() == KNOWN[name]
    assert cover.statistics.solutions == KNOWN[name]
    assert cover.count(limit=5) == min(5, KNOWN[name])


def test_matrix_csr_and_names_are_one_problem():
    rng = np.random.default_rng(seeded(1))
    for _ in range(instances(200)):
        matrix = (rng.random((12, 6)) < 0.3).astype(np.uint8)
        rows, columns = np.nonzero(matrix)
        indptr = np.searchsorted(rows, np.arange(13))
        named = dlx.ExactCover([np.flatnonzero(row).tolist() for row in matrix], items=range(6))
        expected = sorted(named.solve())
        assert sorted(dlx.ExactCover.from_matrix(matrix).solve()) == expected
        assert sorted(dlx.ExactCover.from_csr(indptr, columns, 6).solve()) == expected
        secondary = dlx.ExactCover.from_csr(indptr, columns, 6, secondary=[1, 4])
        by_name = dlx.ExactCover(
            [np.flatnonzero(row).tolist() for row in matrix], [0, 2, 3, 5], secondary=[1, 4]
        )
        assert sorted(secondary.solve()) == sorted(by_name.solve())


@COMPILED
def test_iterators_are_lazy_and_independent():
    cover = dlx.ExactCover.from_knuth((INSTANCES / "queens12.dlx").read_text())
    first, second = iter(cover), iter(cover)
    ten = list(islice(first, 10))
    assert ten == list(islice(second, 10)) == cover.solve(limit=10)
    assert cover.count() == 14200
    assert len(list(first)) == 14200 - 10


def test_empty_and_trivial_problems():
    assert dlx.ExactCover([]).solve() == [[]]
    assert dlx.ExactCover([], items=["a"]).solve() == []
    assert dlx.ExactCover([["a"]], items=["a", "b"]).count() == 0
    assert dlx.ExactCover([["a"]]).first() == [0]
    assert dlx.ExactCover([[], ["a"]]).solve() == [[1]]
    assert dlx.ExactCover([["s"], ["a"]], secondary=["s"]).solve() == [[1]]
    assert dlx.ExactCover([["s"]], secondary=["s"]).solve() == [[]]
    assert dlx.ExactCover([["a"], ["a"]]).solve(limit=0) == []
    assert dlx.ExactCover([["a"], ["a"]]).count(limit=0) == 0
    assert dlx.ExactCover.from_matrix(np.zeros((3, 0), int)).solve() == [[]]
    assert dlx.ExactCover.from_matrix(np.zeros((0, 3), int)).solve() == []


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: dlx.ExactCover([["a", "b"], ["b", "c", "b"]]), "option 1: item 'b' .* twice"),
        (lambda: dlx.ExactCover([["a"], ["x"]], items=["a"]), "option 1: item 'x' is unknown"),
        (
            lambda: dlx.ExactCover([["a", ("b", 1)]], items=["a", "b"]),
            "option 0: item 'b' is primary, so it cannot have the color 1",
        ),
        (
            lambda: dlx.ExactCover([["a", ("s", 1), ("s", 2)]], secondary=["s"]),
            "option 0: item 's' appears twice",
        ),
        (lambda: dlx.ExactCover([["a"]], items=["a", "a"]), "item 'a' is listed twice"),
        (lambda: dlx.ExactCover([["a"]], ["a"], ["a"]), "'a' is listed in items and in secondary"),
        (
            lambda: dlx.ExactCover([["a", ("s", 1)]], ["a"], ["s", ("s", 1)]),
            r"secondary: \('s', 1\) is the item 's' with a color",
        ),
        (lambda: dlx.ExactCover([["a"]], choose="largest"), "choose must be one of"),
        (
            lambda: dlx.ExactCover([["a"]], algorithm="bits"),
            "algorithm must be one of auto, links, bitset, not 'bits'",
        ),
        (lambda: dlx.ExactCover([["a"]]).solve(limit=-1), "limit must be 0 or more"),
        (lambda: dlx.ExactCover.from_matrix([[0, 2]]), r"\[0, 1\] is 2"),
        (lambda: dlx.ExactCover.from_matrix([0, 1]), "2 dimensions, not 1"),
        (lambda: dlx.ExactCover.from_csr([0, 2], [0, 5], 3), "option 0: item 5 does not exist"),
        (lambda: dlx.ExactCover.from_csr([0, 2], [0, -1], 3), "option 0: item -1 does not exist"),
        (lambda: dlx.ExactCover.from_csr([0, 2, 1], [0], 3), "indptr must increase"),
        (lambda: dlx.ExactCover.from_csr([0, 1], [0], 2**40), "items are more than int32"),
        (lambda: dlx.ExactCover.from_csr([0, 1], [0.5], 3), "indices must contain integers"),
        (lambda: dlx.ExactCover.from_csr([0, 1], [0], 3, secondary=[3]), "must be from 0 to 2"),
    ],
)
def test_invalid_problems_are_rejected(make, reason):
    with pytest.raises(ValueError, match=reason):
        make()


def test_input_arrays_are_copied():
    indptr, indices = np.array([0, 1, 2]), np.array([0, 1])
    cover = dlx.ExactCover.from_csr(indptr, indices, 2)
    indptr[:] = indices[:] = 0
    assert cover.solve() == [[0, 1]]


@pytest.mark.parametrize("algorithm", ["links", "bitset"])
def test_every_constructor_accepts_an_algorithm(algorithm, tmp_path):
    cover = dlx.ExactCover([["a", "b"], ["a"], ["b"]], algorithm=algorithm)
    path = tmp_path / "problem.json"
    path.write_text(cover.to_json())
    indptr, indices, n_items, secondary = cover.to_csr()
    for same in (
        cover,
        dlx.ExactCover.from_matrix([[1, 1], [1, 0], [0, 1]], algorithm=algorithm),
        dlx.ExactCover.from_csr(indptr, indices, n_items, secondary, algorithm=algorithm),
        dlx.ExactCover.from_knuth(cover.to_knuth(), algorithm=algorithm),
        dlx.ExactCover.from_json(cover.to_json(), algorithm=algorithm),
        dlx.ExactCover.from_file(path, algorithm=algorithm),
    ):
        assert same.algorithm == algorithm
        assert same.solve() == [[0], [1, 2]]
        assert same.statistics[:2] == (2, 2)


@COMPILED
def test_first_solution_of_a_problem_with_many_items():
    n = 2_000
    cover = dlx.ExactCover.from_csr(np.arange(3 * n + 1), np.repeat(np.arange(n), 3), n)
    assert next(iter(cover)) == list(range(0, 3 * n, 3))


def test_too_many_nodes_are_rejected():
    from dlx_numba.kernels.dlx.links import allocate_links

    with pytest.raises(ValueError, match="more than int32 can index"):
        allocate_links(10, 2**31 - 10)


@pytest.mark.parametrize(
    ("optional", "meant"),
    [("ANN", "Ann"), ("Anna", "Ann"), ("Jhon Doe", "John Doe"), ("room-1", "room 1")],
)
def test_misspelled_optional_items_are_reported(optional: str, meant: str) -> None:
    options = [["mon", "Ann"], ["tue", "John Doe"], ["mon", ("room 1", "red")], ["tue", "Bob"]]
    with pytest.raises(ValueError, match=f"{optional!r} is in no option; did you mean {meant!r}?"):
        dlx.ExactCover(options, optional=["Bob", optional])


def test_unknown_items_are_reported_with_a_similar_one() -> None:
    with pytest.raises(ValueError, match="item 'Ann' is unknown; did you mean 'ann'"):
        dlx.ExactCover([["mon", "Ann"]], ["mon"], optional=["ann"])
    with pytest.raises(ValueError, match="cannot have bounds; did you mean 'Ann'"):
        dlx.ExactCover([["mon", "Ann"]], at_most={"Anna": 2})


def test_optional_items_without_options_may_have_names_of_one_series() -> None:
    options = [["r1", "room A", "shift a", "Tuesday"], ["r2", "room 10"]]
    optional = ["r3", "R1", "room B", "roomB", "shift b", "Thursday", "room 100", "room"]
    assert dlx.ExactCover(options, optional=optional).count() == 1
    assert dlx.ExactCover([["Ann"]], ["Ann"], optional=["Anna"]).count() == 1


def test_pair_that_is_probably_a_color_is_reported() -> None:
    with pytest.warns(UserWarning, match="if 'red' is a color, 'b' must be secondary"):
        cover = dlx.ExactCover([["a", ("b", "red")], ["b"]])
    assert list(cover.items) == ["a", ("b", "red"), "b"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dlx.ExactCover([["a", ("b", "red")], ["b"]], secondary=["b"])
        dlx.ExactCover([["a", ("b", "red")], ["b"]], ["a", "b", ("b", "red")])
        dlx.ExactCover([[(0, 1), (1, 0)], [(1, 1)]])
