"""Problems as they are stated: their options, data frames, matrices, names and pictures."""

import itertools
import json
import math
import random

import numpy as np
import pandas
import pytest

import dlx_numba as dlx
from tests.helpers import oracles
from tests.helpers.problems import with_costs
from tests.helpers.seeds import seeds

SUBSETS = {"S1": ["A"], "S2": ["A", "B"], "S3": ["B", "C"]}


def test_data_frames():
    frame = pandas.DataFrame(
        [[1, 0, 0], [1, 1, 0], [0, 1, 1]], index=["S1", "S2", "S3"], columns=["A", "B", "C"]
    )
    for values in (frame, frame.astype(bool), frame.astype(float)):
        assert dlx.ExactCover(values) == dlx.ExactCover(SUBSETS)
    numbered = dlx.ExactCover(frame.set_index(pandas.Index([5, 2, 9])), secondary=["A"])
    assert numbered.option_names == range(3)
    assert numbered.items == ["B", "C", "A"]
    assert dlx.ExactCover(frame.assign(D=0)).first() is None  # no option covers the item


def test_the_costs_of_named_options_in_a_series_are_given_by_its_labels():
    frame = pandas.DataFrame({"A": [1, 1, 1]}, index=["x", "y", "z"])
    costs = pandas.Series([1, 2, 3], index=["z", "y", "x"])
    assert with_costs(dlx.ExactCover(frame, costs=costs).cheapest(3)) == [
        (1, [2]),
        (2, [1]),
        (3, [0]),
    ]
    assert dlx.ExactCover(frame, costs=costs.to_numpy()).problem.cost.tolist() == [1, 2, 3]
    assert dlx.ExactCover([["A"]] * 3, costs=costs).problem.cost.tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="two costs"):
        dlx.ExactCover(frame, costs=pandas.Series([1, 2, 3], index=["z", "z", "x"]))
    with pytest.raises(ValueError, match="costs: there is no option named 'w'"):
        dlx.ExactCover(frame, costs=pandas.Series([1], index=["w"]))


def test_bounds_and_penalties_of_items_in_a_series_are_given_by_its_labels():
    options, numbers = [["a"], ["a", "b"], ["b"], ["b"]], {"a": 1, "b": 2}
    series = pandas.Series(numbers)
    for argument in ("multiplicity", "exactly", "at_most", "at_least", "penalty"):
        cover = dlx.ExactCover(options, **{argument: series})
        assert cover == dlx.ExactCover(options, **{argument: numbers})
        with pytest.raises(ValueError, match=f"{argument}: item 'a' appears twice"):
            dlx.ExactCover(options, **{argument: series.rename({"b": "a"})})
        with pytest.raises(TypeError, match=f"{argument} must be a mapping from items to .* not 0"):
            dlx.ExactCover(options, **{argument: 0})


class Sparse:
    """A matrix that its method `tocsr` copies as those of SciPy do."""

    def __init__(self, matrix):
        self.matrix = np.asarray(matrix)
        self.shape = self.matrix.shape

    def tocsr(self, copy=False):
        assert copy
        return Sparse(self.matrix)

    def sum_duplicates(self):
        pass

    def eliminate_zeros(self):
        rows, self.indices = np.nonzero(self.matrix)
        self.indptr = np.searchsorted(rows, np.arange(len(self.matrix) + 1))
        self.data = self.matrix[rows, self.indices]


def test_sparse_matrices():
    matrix = [[1, 0, 1], [0, 1, 0], [1, 1, 0]]
    for dtype in (int, float, bool):
        cover = dlx.ExactCover(Sparse(np.array(matrix, dtype)), secondary=[2])
        assert cover == dlx.ExactCover.from_matrix(matrix, secondary=[2])
        assert cover == dlx.ExactCover.from_matrix(Sparse(matrix), secondary=[2])
    with pytest.raises(ValueError, match="a sparse matrix must contain only 0 and 1"):
        dlx.ExactCover(Sparse([[1, 2]]))


class ArrowTable:
    """A table as PyArrow provides it: NumPy converts it, and its columns have no names."""

    column_names, columns = ("A", "B"), ([1, 0], [0, 1])

    def __array__(self, dtype=None, copy=None):
        return np.array(self.columns).T


def test_other_tables_and_arrays():
    assert dlx.ExactCover(ArrowTable()).options == [["A"], ["B"]]
    assert dlx.ExactCover(np.array([[0, 3], [1, 2]])).options == [[0, 3], [1, 2]]
    assert dlx.ExactCover.from_matrix(([0, 2], [0, 1], 2)).options == [[0, 1]]  # no row of a matrix


@pytest.mark.slow
def test_pictures():
    cover = dlx.ExactCover(SUBSETS)
    assert cover.svg().strip() in cover._repr_html_()
    matrix = dlx.ExactCover([[k, -k] for k in range(1, 10_002)], view="matrix")
    assert "<svg" not in matrix._repr_html_()
    with pytest.raises(ValueError, match="entries are too many"):
        matrix.svg()
    for seed in seeds(10):
        options, bounds, secondary = oracles.random_general_problem(seed)
        text = dlx.ExactCover(options, bounds, secondary, multiplicity=bounds)._repr_html_()
        assert ("multiplicities" in text) == any(each != (1, 1) for each in bounds.values())


def test_representations_of_searches_counts_and_diagrams():
    cover = dlx.ExactCover([["a"], ["a"], ["b"]])
    search = cover.search()
    assert repr(search).startswith("<Search: 0.00 % explored, 0 covers")
    search.run(solutions=1)
    assert 'role="progressbar" aria-valuemin="0"' in search._repr_html_()
    search.run()
    assert repr(search).startswith("<Search: done, 100.00 % explored, 2 covers")
    assert ">2</td>" in cover.diagram()._repr_html_()
    counter, memo = cover.counter(), cover.counter("memo")
    assert repr(counter) == "<CoverCounter: 0.00 % explored, 0 covers>"
    assert counter._repr_html_() == f"<p>{counter}</p>"
    assert repr(memo).startswith("<CoverCounter: 0 % explored, 0 covers, 0 subproblems, ")
    assert counter.run()
    assert repr(counter) == "<CoverCounter: 2 covers>"
    assert repr(cover.diagram_builder()).startswith("<DiagramBuilder: 0 % explored, ")
    optimizer = dlx.ExactCover({"<S>": ["a"], "T": ["a"]}, costs=[3, 1]).optimizer()
    assert optimizer._repr_html_() == "<p>no cover yet, 0.0 s</p>"
    optimizer.run()
    assert "<td>T</td>" in optimizer._repr_html_()
    assert "done, cost 1, bound 1" in repr(optimizer)
    impossible = dlx.ExactCover([["a", "b"], ["b", "c"]]).optimizer()
    assert impossible.run()
    assert "done, no cover, " in repr(impossible)


def test_optional_items_are_secondary_items():
    options = [["a", ("b", 1)], ["a", "c"]]
    stated = dlx.ExactCover(options, secondary=["b", "c"])
    for same in ({"optional": ["b", "c"]}, {"secondary": ["b"], "optional": ["c"]}):
        assert dlx.ExactCover(options, **same) == stated
        assert dlx.ExactCover.read(json.dumps({"options": options, **same}), "json") == stated


@pytest.mark.parametrize("seed", [*seeds(150)])
def test_bounds_of_zero_forbid_the_options_of_an_item(seed):
    rng = random.Random(seed)
    options, bounds, secondary = oracles.random_general_problem(seed)
    wanted = {item: (0, 0) if rng.random() < 0.3 else pair for item, pair in bounds.items()}
    covers = sorted(oracles.multiple_covers(options, wanted))
    costs = [rng.randint(-3, 9) for _ in options]
    cover = dlx.ExactCover(options, [*bounds], secondary, multiplicity=wanted, costs=costs)
    without = dlx.ExactCover(options, [*bounds], secondary, multiplicity=bounds, costs=costs)
    assert without.replace(multiplicity=wanted) == cover
    assert sorted(cover.replace(multiplicity=bounds).solve()) == sorted(without.solve())
    for algorithm, presolve in (("links", False), ("bitset", False), ("links", True)):
        varied = cover.replace(algorithm=algorithm, presolve=presolve)
        assert sorted(varied.solve()) == covers
    assert cover.count() == len(covers)
    assert sorted(cover.diagram()) == covers
    costs_of_covers = sorted(sum(costs[k] for k in found) for found in covers)
    assert [found.cost for found in cover.cheapest(3)] == costs_of_covers[:3]
    assert all(map(cover.check, covers))
    possible = [any(k in found for found in covers) for k in range(len(options))]
    assert cover.possible_options().tolist() == possible
    assert (cover.diagnose().kind == "solvable") == bool(covers)
    read = dlx.ExactCover.read(cover.write(kind="json"))
    assert sorted(read.solve()) == covers


def test_items_in_no_option_may_have_bounds_that_allow_none():
    for bounds in ({"exactly": {"x": 0}}, {"at_most": {"x": 3}}, {"at_least": {"x": 0}}):
        assert dlx.ExactCover({"a": ["y"]}, **bounds).solve() == [[0]]
    row = dlx.ExactCover({"a": ["r1", "y"], "b": ["y"]}, exactly={"r1": 0, "r2": 0})
    assert row.solve() == [[1]]
    assert row.check([0]).problems == ["`r1` is covered 1 time, by a"]


@pytest.mark.parametrize(
    "create", [dlx.ExactCover, dlx.ExactCover.covering, dlx.ExactCover.packing]
)
@pytest.mark.parametrize(
    "bounds",
    [{"exactly": {"x": 0}}, {"at_least": {"x": 0}, "at_most": {"x": 0}}],
)
def test_bounds_of_0_forbid_the_options_of_an_item(create, bounds):
    cover = create({"a": ["x", "y"], "b": ["x"], "c": ["y"], "d": ["z"]}, **bounds)
    assert [2, 3] in cover.solve()
    assert not any({0, 1} & {*found} for found in cover.solve())
    assert not cover.check([1, 2, 3])


def test_at_least_and_at_most_are_both_bounds_of_an_item_of_a_covering():
    options = [["x"], ["x"], ["x"], ["y"]]
    for low, high in itertools.combinations_with_replacement(range(4), 2):
        cover = dlx.ExactCover.covering(options, at_least={"x": low}, at_most={"x": high})
        assert cover.count() == sum(math.comb(3, k) for k in range(low, high + 1))
