"""Solutions that differ in what matters."""

import random
from collections import Counter

import pytest

import dlx_numba as dlx
from dlx_numba.cover import distinct
from dlx_numba.cover.named_problem import named_problem
from tests.helpers.hosts import SetAfter
from tests.helpers.problems import problem, total_problem
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds


def class_of(cover, options, entries):
    """Return how often the options contain each entry, with which colors."""
    items, n_listed = set(cover.items), cover.n_options - named_problem(cover).names.n_uncovered
    counts = [Counter() for _ in entries]
    for node in (node for k in options if k < n_listed for node in cover.options[k]):
        item, color = (node, None) if node in items else node
        for entry, count in zip(entries, counts, strict=True):
            if entry == item:
                count[color] += 1
            elif entry == (item, color):
                count["this color"] += 1
    return tuple(frozenset(count.items()) for count in counts)


@pytest.mark.slow
def test_one_solution_of_each_class_is_found(monkeypatch):
    for seed in seeds(3000, 60):
        rng, (cover, expected, *_) = random.Random(seed), (problem, total_problem)[seed % 2](seed)
        # Many turns of both searches, or one that finds all covers
        monkeypatch.setattr(distinct, "FIRST_UPDATES", rng.choice([1, 1, 10, 1 << 14]))
        monkeypatch.setattr(distinct, "SLICE_UPDATES", rng.choice([1, 8, 1 << 20]))
        monkeypatch.setattr(distinct, "MAX_COVERS", rng.choice([1, 3]))
        monkeypatch.setattr(distinct, "DIAGRAM_WORK", rng.choice([1, 100, 1 << 22]))
        monkeypatch.setattr(distinct, "DIAGRAM_BYTES", rng.choice([0, 1 << 28, 1 << 28]))
        pairs = [node for option in cover.options for node in option if node not in cover.items]
        pool = [*cover.items, *pairs]
        entries = rng.sample(pool, min(len(pool), rng.randint(0, 4)))
        classes = {class_of(cover, options, entries) for options in expected}
        cover = cover.replace(threads=1)  # starting threads takes most of the time
        found = cover.solve(distinct=entries)
        assert all(options in expected for options in found)
        assert len(found) == len(classes) == cover.count(distinct=entries)
        assert {class_of(cover, options, entries) for options in found} == classes
        assert [*cover.iterate(2, distinct=iter(entries))] == found[:2]
        assert cover.count(1, distinct=entries) == min(1, len(classes))
        if cover.choose != "random" and seed % 3:
            assert cover.replace(threads=1 + seed % 3).solve(distinct=entries) == found


def test_the_search_with_selectors_ends_first_if_classes_are_few(monkeypatch):
    """All rows of two cells are filled by two letters, of which only the first one matters."""
    monkeypatch.setattr(distinct, "FIRST_UPDATES", 1)
    options = [[row, (("letter", row), color)] for row in range(40) for color in "ab"]
    cover = dlx.ExactCover(options, secondary=[("letter", row) for row in range(40)])
    assert cover.count(distinct=[("letter", 0), ("letter", 1)]) == 4


def test_a_diagram_lists_the_covers_first_if_they_share_subproblems(monkeypatch):
    """Each of 12 cells has one of two letters, and only the letters of the first six matter."""
    for name in ("FIRST_UPDATES", "SLICE_UPDATES"):
        monkeypatch.setattr(distinct, name, 1)
    ends, listing = list[bool](), distinct.DistinctSearch._list_covers

    def observe(search, stop):
        yield from listing(search, stop)
        ends.append(search._is_listed)

    monkeypatch.setattr(distinct.DistinctSearch, "_list_covers", observe)
    letters = [("letter", cell) for cell in range(6)]
    options = [[cell, (("letter", cell % 6), color)] for cell in range(6) for color in "ab"]
    options += [[cell] for cell in range(6, 12) for _ in range(2)]
    cover = dlx.ExactCover(options, range(12), letters)
    assert cover.count(distinct=letters) == 2**6
    assert ends == [True]


def test_what_cannot_be_combined_is_rejected():
    cover = dlx.ExactCover([["Math"], ["Math", "Art"]], optional=["Art"])
    with pytest.raises(ValueError, match=r"distinct: 'math' is not an item; did you mean 'Math'"):
        cover.solve(distinct=["math"])
    for call in (cover.solve, cover.count):
        with pytest.raises(ValueError, match="distinct cannot be combined with up_to_symmetry"):
            call(distinct=["Art"], up_to_symmetry=True)
    with pytest.raises(ValueError, match="the method 'memo' does not count distinct solutions"):
        cover.count(distinct=["Art"], method="memo")


def test_a_stopped_search_tells_how_far_it_came():
    queens = dlx.example("queens", n=12).cover()
    rows = [item for item in queens.items if queens.items.index(item) >= queens.problem.n_primary]
    with pytest.raises(dlx.Stopped) as stopped:
        queens.count(distinct=rows, stop=SetAfter(3))
    assert stopped.value.partial < 14200
    with pytest.raises(dlx.Stopped):
        queens.solve(distinct=rows, seconds=0)


def test_samples_are_uniform_over_the_classes():
    options = [["a", "x"], ["a", "x", "u"], ["a", "x", "v"], ["a", "y"]]
    diagram = dlx.ExactCover(options, items=["a"], optional=["x", "y", "u", "v"]).diagram()
    covers = diagram.sample(400, 1, distinct=["x", "y"])
    counts = Counter(cover == [3] for cover in covers)
    assert {*map(tuple, covers)} == {(0,), (3,)}
    assert abs(counts[True] - 200) < 60


def test_the_commands_select_items_by_patterns():
    text = '{"options": [["a", "x 1"], ["a", "y 1"], ["a", "y 2"]], "items": ["a"], '
    text += '"optional": ["x 1", "y 1", "y 2"]}'
    assert invoke("count", "-", "--distinct", "x*", stdin=text)[0] == "2\n"
    assert invoke("cover", "-", "--distinct", "y*", stdin=text)[0] == "0\n1\n2\n"
    assert len(invoke("sample", "-", "-n", 5, "--distinct", "x 1", stdin=text)[0].split()) == 5
    _, err = invoke("count", "-", "--distinct", "z", stdin=text, status=2)
    assert "no item is called z" in err
