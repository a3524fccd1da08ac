"""Diagrams of all covers, compared with enumeration."""

import contextlib
import copy
import math
import random
from collections import Counter

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba import CoverDiagram
from dlx_numba.cover import diagram as diagrams
from dlx_numba.cover import diagram_covers
from scripts.fuzzing.diagrams import build_diagrams
from scripts.fuzzing.saved import load_changed_diagrams
from tests.helpers.counting import matchings, pairs, tilings
from tests.helpers.hosts import SetAfter
from tests.helpers.problems import instance, stated_problem
from tests.helpers.seeds import seeds

COMPILED = pytest.mark.compiled


def test_random_diagrams_have_the_covers_of_brute_force(tmp_path):
    for seed in seeds(300, 20):
        build_diagrams(random.Random(seed), tmp_path)


def test_covers_are_in_the_order_of_the_search():
    for seed in seeds(60):
        cover, _ = stated_problem(seed, "smallest", has_bounds=False)
        diagram = cover.diagram(order="smallest")
        assert (list(diagram), diagram.order) == (cover.solve(), "smallest")


def test_damaged_files_are_rejected(tmp_path):
    for seed in seeds(100):
        load_changed_diagrams(random.Random(seed), tmp_path)
    path = tmp_path / "diagram"
    instance("langford7").diagram().save(path)
    with np.load(path) as file:
        arrays = dict(file)
    later = np.frombuffer(bytes(arrays["header"]).replace(b'"version": 1', b'"version": 9'), "u1")
    for change, message in (
        ({"child": arrays["child"] + 1}, "the diagram in the file is inconsistent"),
        ({"header": later}, r"saved by dlx_numba [0-9.]+ in format 9, but [0-9.]+ reads format 1"),
    ):
        with path.open("wb") as file:
            np.savez(file, **arrays | change)
        with pytest.raises(ValueError, match=message):
            CoverDiagram.load(path)
    for saved in (path.read_bytes()[:-100], b"dlx_numba search \n"):
        path.write_bytes(saved)
        with pytest.raises(ValueError, match="diagram: not a saved diagram, or the file is damag"):
            CoverDiagram.load(path)
    with pytest.raises(FileNotFoundError):
        CoverDiagram.load(tmp_path / "missing")


@COMPILED
def test_samples_are_uniform():
    diagram = dlx.example("queens", n=9).cover().diagram()
    n_covers = diagram.count()
    assert n_covers == 352
    drawn = Counter(map(tuple, diagram.sample(20 * n_covers, seed=1)))
    statistic = sum((n - 20) ** 2 / 20 for n in drawn.values()) + 20 * (n_covers - len(drawn))
    assert abs(statistic - (n_covers - 1)) < 4 * math.sqrt(2 * (n_covers - 1))


def test_lists_of_covers_end_at_their_limits(monkeypatch):
    monkeypatch.setattr(diagram_covers, "OPTIONS_PER_BATCH", 64)
    diagram = tilings(4, 6, 2).diagram()
    listed = diagram.covers()
    assert (len(listed), listed.done) == (281, True)
    assert [*diagram] == listed == sorted(listed, key=listed.index)
    assert diagram.covers(0) == []
    with pytest.raises(dlx.Stopped) as stopped:
        diagram.covers(stop=SetAfter(9))
    found = stopped.value.partial
    assert 0 < len(found) < 281
    assert (found, found.done) == (listed[: len(found)], False)
    monkeypatch.setattr(diagrams, "free_memory", lambda: 1000)
    assert diagram.covers(9) == listed[:9]
    with pytest.raises(MemoryError, match="281 covers need some "):
        diagram.covers()


def test_samples_of_more_than_64_bits_are_covers():
    diagram = pairs(130).diagram()
    samples = diagram.sample(400, seed=3)
    assert samples == pairs(130).diagram().sample(400, seed=3) != diagram.sample(400, seed=4)
    assert all(options in diagram for options in samples)
    assert not any(other in diagram for other in ([0, 0], [0, 260], 3, [[1]]))
    first = sum(0 in options for options in samples)
    assert 150 < first < 250
    assert diagram.frequencies() == [2**129] * 260


def test_dot():
    diagram = instance("langford7").diagram()
    text = diagram.to_dot()
    assert text.count(" -> ") == diagram.n_edges
    assert text.startswith("digraph covers {")
    assert "no cover" in dlx.ExactCover([], items=["a"]).diagram().to_dot()
    with pytest.raises(ValueError, match="nodes is not readable; the limit is 1,000"):
        pairs(1001).diagram().to_dot()


def test_conditions_on_options_of_all_covers():
    options = [["a", "b"], ["a", "b", "d"], ["b", "c"], ["c"], ["d", "e"], ["e"]]
    given = dlx.ExactCover(options, given=[0]).diagram()
    presolved = dlx.ExactCover(options, presolve=True).diagram()
    assert list(given.condition([0])) == [[0, 3, 4]]
    assert list(presolved.condition([3, 5])) == [[1, 3, 5]]
    assert list(given.condition([], [0])) == list(presolved.condition([], [3])) == []


def test_empty_diagrams():
    empty = dlx.ExactCover([], items=["a"]).diagram(order="given")
    assert (bool(empty), [] in empty) == (False, False)
    assert (empty.count(), list(empty), empty.frequencies(), empty.cheapest()) == (0, [], [], [])
    assert (empty.to_zdd(), list(empty.condition())) == ("B\n.\n", [])
    with pytest.raises(ValueError, match="the problem has no covers to sample"):
        empty.sample()
    assert empty.sample(0) == []
    trivial = dlx.ExactCover([]).diagram(order="given")
    assert (trivial.count(), list(trivial), trivial.to_zdd()) == (1, [[]], "T\n.\n")
    assert (trivial.cheapest(2), trivial.sample(2)) == ([[]], [[], []])
    assert ([] in trivial, list(trivial.condition())) == (True, [[]])


@COMPILED
def test_too_little_memory_is_an_error():
    with pytest.raises(MemoryError, match="the diagram needs more than 200,000 bytes"):
        matchings(26).replace(memory=200_000).diagram()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("count", {}),
        ("count", {"up_to_symmetry": tilings(4, 6, 2).symmetries()}),
        ("frequencies", {}),
        ("cheapest", {}),
        ("sample", {"seed": 1}),
        ("condition", {"given": [0], "forbidden": [2]}),
        ("to_zdd", {}),
    ],
    ids=str,
)
def test_passes_over_diagrams_are_stopped(name, arguments, monkeypatch):
    diagram = tilings(4, 6, 2).diagram(order="given")
    expected, n_checks = getattr(diagram, name)(**arguments), 0
    monkeypatch.setattr(diagrams, "WORK_PER_RANGE", 100)
    while True:
        fresh = copy.copy(diagram)
        fresh._below = None  # the counts
        with contextlib.suppress(dlx.Stopped):
            assert getattr(fresh, name)(**arguments, stop=SetAfter(n_checks)) == expected
            break
        n_checks += 1
    assert n_checks > 3


def test_samples_of_long_covers_are_drawn_in_small_batches(monkeypatch):
    diagram = tilings(4, 6, 2).diagram(order="given")
    expected = diagram.sample(20, seed=1)
    monkeypatch.setattr(diagram_covers, "OPTIONS_PER_BATCH", 1)
    assert diagram.sample(20, seed=1, stop=SetAfter(100)) == expected
    with pytest.raises(dlx.Stopped):
        diagram.sample(20, seed=1, stop=SetAfter(15))


def test_each_run_of_a_builder_needs_the_memory():
    cover = dlx.ExactCover([["a"], ["a", "b"], ["b"]], multiplicity=(0, 2), memory=1)
    builder = cover.diagram_builder()
    for _ in range(2):
        with pytest.raises(MemoryError, match="the diagram needs more than 1 bytes"):
            builder.run(seconds=60)
