"""Covers: lists of numbers with names, items, costs and pictures."""

import json
import pickle
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import pandas
import pyarrow
import pytest

import dlx_numba as dlx
from tests.helpers.plans import gates
from tests.helpers.problems import formatted, problems

NAMED = {"ann, Monday": ["mon"], "bob": ["mon", "tue"], "cy": ["tue"]}
ROUTES = {  # each returns covers of a problem
    "first": lambda cover: [cover.first()],
    "solve": lambda cover: cover.solve(),
    "parts": lambda cover: cover.replace(threads=2).solve(),
    "iteration": list,
    "representatives": lambda cover: cover.solve(up_to_symmetry=True),
    "cheapest": lambda cover: cover.cheapest(2),
    "cheapest representatives": lambda cover: cover.cheapest(2, up_to_symmetry=True),
    "optimizer": lambda cover: (work := cover.optimizer(2)).run() and work.result,
    "sample": lambda cover: cover.diagram().sample(3, seed=1),
    "diagram": lambda cover: list(cover.diagram().condition(forbidden=[1])),
    "cheapest of a diagram": lambda cover: cover.diagram().cheapest(2),
    "batch": lambda cover: list(cover.solve_batch(given=[[0], [1]]).covers),
}


@pytest.mark.parametrize("find", ROUTES.values(), ids=ROUTES)
def test_all_that_find_covers_return_their_names(find):
    costs = {"ann, Monday": 2, "bob": 6, "cy": 3}
    found = find(dlx.ExactCover(NAMED, costs=costs))
    assert found
    for cover in found:
        assert isinstance(cover, dlx.Cover)
        names = {(1,): ["bob"], (0, 2): ["ann, Monday", "cy"]}[tuple(cover)]
        assert cover.names == names
        assert cover.items == [NAMED[name] for name in names]
        assert cover.cost == sum(costs[name] for name in names)
        assert str(cover) == f"{'; '.join(names)} (cost {cover.cost})"


def test_lists_of_covers_have_names_and_say_whether_they_are_proven():
    problem = dlx.ExactCover([["mon"], ["mon"]], costs=[2, 1])
    assert str(problem.solve()) == "mon (cost 2)\nmon (2) (cost 1)"
    assert str(problem.cheapest(2)) == "mon (2) (cost 1)\nmon (cost 2)"
    assert str(dlx.ExactCover([], ["mon"]).solve()) == "no covers"
    assert str(dlx.ExactCover([]).solve()) == ""
    assert str(dlx.Covers([problem.first()], done=False, bound=1)) == (
        "mon (cost 2)\n1 cover, the best known; bound of the others: 1"
    )
    assert str(problem.cheapest(seconds=0)) == "0 covers so far"
    assert (
        "0 covers so far; bound of the others: 7" in dlx.Covers(done=False, bound=7)._repr_html_()
    )
    assert str(dlx.Covers(done=True)) == "no covers"


def test_covers_are_sequences_of_lists():
    covers = dlx.ExactCover([["a"], ["b"], ["a"], ["a", "b"]]).solve()
    expected = [[0, 1], [1, 2], [3]]
    assert covers == expected == covers.tolist()
    assert [*reversed(covers)] == expected[::-1]
    assert sorted(covers, reverse=True) == [[3], [1, 2], [0, 1]]
    assert json.dumps(covers.tolist()) == json.dumps([*covers]) == repr(covers)
    assert (covers[0][1], covers[0][:1], [3, *covers[1]]) == (1, [0], [3, 1, 2])
    for k in (slice(1), slice(1, None), slice(2, 1), slice(None, None, -1), slice(-9, 9, 2)):
        assert covers[k] == expected[k]
        assert all(each.names for each in covers[k])
        assert (covers[k].indptr[0], covers[k].indptr[-1]) == (0, len(covers[k].options))
    assert (covers[-1], [1, 2] in covers, covers.index([3])) == ([3], True, 2)
    assert covers != expected[:2]
    assert covers != tuple(expected)
    assert covers[:0] == []
    with pytest.raises(IndexError, match="is not the index of one of 3 covers"):
        covers[3]


def test_covers_are_arrays():
    covers = dlx.ExactCover([["a"], ["b"], ["a", "b"]]).solve()
    assert (covers.options.tolist(), covers.indptr.tolist()) == ([0, 1, 2], [0, 2, 3])
    assert covers.to_numpy().tolist() == [[0, 1], [2, -1]]
    assert dlx.Covers().to_numpy().shape == (0, 0)


@pytest.mark.usefixtures("small_slices")
def test_threads_and_executors_find_the_same_arrays():
    with ThreadPoolExecutor(2) as pool:
        for _, cover, expected in problems(300):
            found = cover.replace(threads=1).solve()
            assert sorted(found) == sorted(expected)
            for how in ({"threads": 3}, {"threads": None, "executor": pool}):
                others = cover.replace(**how).solve()
                if cover.choose == "random":
                    assert sorted(others) == sorted(expected)
                else:
                    assert others.options.tolist() == found.options.tolist()
                    assert others.indptr.tolist() == found.indptr.tolist()


def test_a_cover_that_is_made_by_hand_is_a_list_of_numbers():
    cover = dlx.Cover([0, 2])
    assert (str(cover), cover._repr_html_()) == ("[0, 2]", None)
    assert type(pickle.loads(pickle.dumps(cover))) is dlx.Cover
    for member in ("names", "items", "cost"):
        with pytest.raises(ValueError, match="a cover that is made by hand has no problem"):
            getattr(cover, member)
    with pytest.raises(ValueError, match="no problem"):
        cover.svg()


def test_options_with_the_same_items_are_distinct():
    problem = dlx.ExactCover(
        [["a", ("s", 1)], [("s", 1), "a"], ["a", "s"], ["a", "b"], ["a", "s"]],
        secondary=["s"],
        items=["a"],
        optional=["b"],
    )
    expected = ["a s:1", "s:1 a (2)", "a s", "a b", "a s (2)"]
    assert [cover.names for cover in problem] == [[name] for name in expected]
    assert [formatted(problem, [k], "names") for k in range(5)] == expected


def test_notebooks_show_names_and_costs_or_pictures():
    covers = dlx.ExactCover({"<S1>": ["a"], "S2": ["a"]}, costs=[1, 2]).solve()
    for value in (covers, covers[0], dlx.ExactCover(NAMED, costs=[1, 3, 1]).cheapest(2)):
        assert "<th>cost</th>" in value._repr_html_()
    assert "<td>&lt;S1&gt;</td>" in covers._repr_html_()
    queens = dlx.example("queens", n=6).cover()
    for value in (queens.first(), queens.solve(), queens.cheapest()):
        assert "Q: b6" in value._repr_html_()


def test_wide_pictures_stay_legible():
    """A single one has its own width, and none is wider than the page."""
    covers = gates().solve(limit=2)
    width = float(re.search(r'width="([\d.]+)"', covers[0].svg())[1])
    for result, expected in ((covers[0], round(width)), (covers, round(0.6 * width))):
        assert f'width="{expected}" style="max-width:100%"' in result._repr_html_()


def test_the_picture_of_a_cover_is_that_of_the_problem():
    queens = dlx.example("queens", n=6)
    assert queens.svg([*queens.first()]) == queens.cover(choose="leftmost").first().svg()
    cover = dlx.ExactCover(NAMED)
    assert cover.first().svg() == cover.svg(cover.first())


def test_tables_of_covers():
    problem = dlx.ExactCover(NAMED, costs=[1, 3, 1])
    frame = problem.cheapest(2).to_pandas()
    assert frame.to_dict("list") == {
        "cost": [2, 3],
        "cover": [[0, 2], [1]],
        "names": [["ann, Monday", "cy"], ["bob"]],
    }
    assert list(dlx.ExactCover([["a"]]).solve().to_pandas()) == ["cover", "names"]
    assert dlx.Covers([[1, 2]]).to_pandas()["cover"].tolist() == [[1, 2]]
    assert pandas.DataFrame(problem.solve(limit=1)).values.tolist() == [[0, 2]]


def test_tables_of_batches_and_statistics():
    problem = dlx.ExactCover(NAMED)
    batch = problem.solve_batch(given=[["bob"], ["bob", "cy"]])
    assert pyarrow.table(batch)["names"].to_pylist() == batch.to_pandas()["names"].tolist()
    for frame in (batch.to_pandas(), pandas.DataFrame(batch)):
        assert frame["count"].tolist() == [1, 0]
        assert frame["names"].tolist() == [["bob"], None]
    assert "<td>1</td><td>0</td><td></td>" in batch._repr_html_()
    assert "<td>bob</td>" in batch._repr_html_()
    assert problem.count() == problem.statistics.to_pandas()["solutions"][0]
    for table in (batch, problem.statistics, problem.solve(), problem.diagram().frequencies()):
        assert table.to_arrow().column_names == list(table.to_pandas())
        assert pyarrow.table(table.to_arrow()).num_rows == len(table.to_pandas())
    assert ">2</td>" in problem.statistics._repr_html_()
    assert ">2 ± 0</td>" in problem.search().estimate(paths=5)._repr_html_()
    assert ">order</th><td>2</td>" in problem.symmetries()._repr_html_()


def test_frequencies_have_names_and_a_heat_map():
    frequencies = dlx.ExactCover(NAMED).diagram().frequencies()
    assert frequencies.to_pandas().values.tolist() == [["ann, Monday", 1], ["bob", 1], ["cy", 1]]
    queens = [
        dlx.example("queens", n=n).cover().diagram().frequencies()._repr_html_() for n in (3, 5)
    ]
    assert "<td>bob</td><td>1</td>" in frequencies._repr_html_()
    assert "<td>a3</td><td>0</td>" in queens[0]
    assert queens[1].count("fill-opacity") == 25


@pytest.mark.parametrize(
    "entry",
    [
        dlx.example("polyominoes", region="3x20", symmetry=False),
        dlx.example("polyiamonds", size=4, region="2x3-2", pieces="AB"),
        dlx.example("polycubes", region="2x2x2", pieces="A ##/#. B ##/#.|#. C #"),
    ],
    ids=["squares", "triangles", "cubes"],
)
def test_heat_maps_count_the_covers_with_a_piece_on_each_cell(entry):
    problem = entry.cover()
    totals = Counter(
        (piece, cell) for c in problem.solve() for piece, *cells in c.items for cell in cells
    )
    pieces, n_covers = [name for name in problem.items if isinstance(name, str)], problem.count()
    maps = problem.diagram().frequencies()._repr_html_().split("<figcaption")
    assert [re.match(r"[^>]*>(\w)<", caption)[1] for caption in maps[1:]] == pieces
    for piece, picture in zip(pieces, maps, strict=False):
        shares = (100 * totals[piece, c] / n_covers for c in problem.items if c not in pieces)
        expected = sorted("<1%" if 0 < x < 1 else f"{x:.0f}%" if x else "0" for x in shares)
        assert sorted(map(unescape, re.findall(r">([^<]+)</text>", picture))) == expected


def test_heat_maps_of_pieces_without_names_are_divided_by_shape():
    html = dlx.example("tilings", region="2x3").cover().diagram().frequencies()._repr_html_()
    shares = [sorted(re.findall(r">(\d+)%</text>", p)) for p in html.split("<figcaption")[:2]]
    assert sorted(shares) == [["33"] * 4 + ["67"] * 2, ["33"] * 2 + ["67"] * 4]
