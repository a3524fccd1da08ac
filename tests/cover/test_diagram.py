"""Diagrams of all covers, compared with enumeration."""

import contextlib
import math
import random
from collections import Counter

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba import CoverDiagram
from dlx_numba.cover.subproblems import ORDERS
from tests.helpers import oracles
from tests.helpers.counting import matchings, pairs, partitions, tilings
from tests.helpers.hosts import SetAfter
from tests.helpers.problems import instance
from tests.helpers.seeds import instances, seeds

COMPILED = pytest.mark.compiled


def diagrams(count, has_bounds=True):
    """Yield random problems, their covers, and diagrams with different orders of items."""
    for seed in seeds(count):
        cover, expected = oracles.stated_problem(seed, "smallest", has_bounds=has_bounds)
        rng = random.Random(seed)
        items = list(cover.items[: cover.problem.n_primary])
        own = rng.sample(items, rng.randint(0, len(items)))
        for order in (*ORDERS, own):
            yield cover, expected, cover.diagram(order=order), rng


def test_diagrams_contain_all_covers():
    for _, expected, diagram, _ in diagrams(60):
        assert diagram.count() == len(diagram) == len(expected)
        assert sorted(diagram) == expected
        assert bool(diagram) == bool(expected)


def test_covers_are_in_the_order_of_the_search():
    for cover, _, diagram, _ in diagrams(60, has_bounds=False):
        if diagram.order == "smallest":
            assert list(diagram) == cover.solve()


@pytest.mark.parametrize("choose", ["leftmost", "random", "sharp"])
def test_branching_rules_do_not_matter(choose):
    for seed in seeds(20):
        cover, expected = oracles.stated_problem(seed, choose)
        assert sorted(cover.diagram()) == expected


def test_frequencies():
    for cover, expected, diagram, _ in diagrams(60):
        counted = Counter(option for options in expected for option in options)
        assert diagram.frequencies() == [counted[option] for option in range(cover.n_options)]


def test_cheapest():
    for cover, expected, diagram, rng in diagrams(60):
        k = rng.randint(1, 6)
        cheapest = diagram.cheapest(k)
        assert [cost for cost, _ in cheapest] == sorted(map(cover.cost, expected))[:k]
        assert all(
            options in expected and cover.cost(options) == cost for cost, options in cheapest
        )
        assert len({tuple(options) for _, options in cheapest}) == len(cheapest)


def test_membership():
    for cover, expected, diagram, rng in diagrams(40):
        for options in expected[:5]:
            assert options in diagram
            assert options[::-1] in diagram
            assert [*options, cover.n_options] not in diagram
            assert [*options, *options[:1]] not in diagram or not options
        for _ in range(5):
            options = sorted(rng.sample(range(cover.n_options), min(3, cover.n_options)))
            assert (options in diagram) == (options in expected)
        assert 3 not in diagram
        assert [[1]] not in diagram


def test_conditions():
    for cover, _, diagram, rng in diagrams(60):
        given, forbidden = (
            [option for option in range(cover.n_options) if rng.random() < 0.15] for _ in range(2)
        )
        covers = list(diagram)
        met = [
            options
            for options in covers
            if set(given) <= set(options) and not set(forbidden) & set(options)
        ]
        condition = diagram.condition(given, forbidden)
        assert list(condition) == met
        assert condition.n_nodes <= diagram.n_nodes
        assert condition.count() == sum(options in condition for options in covers) == len(met)
        assert sum(condition.frequencies()) == sum(map(len, met))
        assert list(diagram.condition()) == covers


def test_saved_diagrams_are_loaded(tmp_path):
    for cover, _, diagram, rng in diagrams(15):
        path = tmp_path / "diagram"
        diagram.save(path)
        loaded = CoverDiagram.load(path)
        assert list(loaded) == list(diagram)
        assert loaded.cheapest(3) == diagram.cheapest(3)
        forbidden = rng.sample(range(cover.n_options), min(1, cover.n_options))
        assert list(loaded.condition((), forbidden)) == list(diagram.condition((), forbidden))
        assert repr(loaded) == repr(diagram)
        if diagram.order != "smallest":
            assert loaded.to_zdd() == diagram.to_zdd()


def test_damaged_files_are_rejected(tmp_path):
    path = tmp_path / "diagram"
    instance("langford7").diagram().save(path)
    content = path.read_bytes()
    rng = random.Random(0)
    for _ in range(instances(200)):
        damaged = bytearray(content)
        for _ in range(rng.randint(1, 3)):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged[: rng.choice([len(content), rng.randrange(len(content))])])
        with contextlib.suppress(ValueError):  # unless the damaged part has no meaning
            assert CoverDiagram.load(path).count() == 52
    path.write_bytes(content[:-100])
    with pytest.raises(ValueError, match="diagram: not a saved diagram, or the file is damaged"):
        CoverDiagram.load(path)


def test_inconsistent_files_are_rejected(tmp_path):
    path = tmp_path / "diagram"
    instance("langford7").diagram().save(path)
    with np.load(path) as file:
        arrays = dict(file)
    for name, change in (
        ("child", lambda a: a + 1),
        ("option", lambda a: a + 1000),
        ("start", lambda a: a[::-1]),
        ("start", lambda a: a[:0]),
        ("child", lambda a: a.astype(np.int64)),
        ("items", lambda a: a[:-1]),
        ("indptr", lambda a: a[:-1]),
    ):
        with path.open("wb") as file:
            np.savez(file, **arrays | {name: change(arrays[name])})
        with pytest.raises(ValueError, match="the diagram in the file is inconsistent"):
            CoverDiagram.load(path)
    with path.open("wb") as file:
        header = bytes(arrays["header"]).replace(b'"version": 1', b'"version": 9')
        np.savez(file, **arrays | {"header": np.frombuffer(header, np.uint8)})
    with pytest.raises(ValueError, match="saved by another version: format 9, but this version"):
        CoverDiagram.load(path)


def test_files_of_another_kind_are_rejected(tmp_path):
    path = tmp_path / "search"
    instance("queens8").search().save(path)
    with pytest.raises(ValueError, match="search: not a saved diagram, or the file is damaged"):
        CoverDiagram.load(path)
    with pytest.raises(FileNotFoundError):
        CoverDiagram.load(tmp_path / "missing")


def chi_square(diagram, n_samples, seed):
    """The statistic of a sample, in standard deviations from its mean."""
    drawn = Counter(map(tuple, diagram.sample(n_samples, seed)))
    n_covers = diagram.count()
    mean = n_samples / n_covers
    missing = n_covers - len(drawn)
    statistic = sum((n - mean) ** 2 / mean for n in drawn.values()) + missing * mean
    return (statistic - (n_covers - 1)) / math.sqrt(2 * (n_covers - 1))


@COMPILED
@pytest.mark.parametrize(
    ("name", "n_covers"),
    [
        pytest.param("dominoes 6x6", 6728, marks=pytest.mark.thorough),
        pytest.param("partitions of 8", 4140, marks=pytest.mark.thorough),
        ("queens9", 352),
    ],
)
def test_samples_are_uniform(name, n_covers):
    if name == "queens9":
        diagonals = [(kind, d) for kind in "ud" for d in range(-8, 17)]
        options = [
            [("r", r), ("c", c), ("u", r + c), ("d", r - c)] for r in range(9) for c in range(9)
        ]
        cover = dlx.ExactCover(options, secondary=diagonals)
    else:
        cover = tilings(6, 6, 2) if name.startswith("dominoes") else partitions(8)
    diagram = cover.diagram()
    assert diagram.count() == n_covers
    assert abs(chi_square(diagram, 20 * n_covers, seed=1)) < 4


def test_samples_of_more_than_64_bits_are_covers():
    diagram = pairs(130).diagram()
    assert diagram.count() == 2**130
    samples = diagram.sample(400, seed=3)
    assert all(options in diagram for options in samples)
    first = sum(0 in options for options in samples)
    assert 150 < first < 250
    assert diagram.frequencies() == [2**129] * 260


def test_samples_are_reproducible():
    diagram = matchings(10).diagram()
    assert diagram.sample(20, seed=5) == matchings(10).diagram().sample(20, seed=5)
    assert diagram.sample(20, seed=5) != diagram.sample(20, seed=6)
    assert diagram.sample(0) == []


def zdd_sets(diagram):
    """The sets that a ZDD in Graphillion's text format represents."""
    *lines, end, last = diagram.to_zdd().split("\n")
    assert (end, last) == (".", "")
    options = diagram.zdd_options()
    assert sorted(options) == list(range(diagram.n_options))
    level = {"B": len(options) + 1, "T": len(options) + 1}
    sets = {"B": [], "T": [[]]}
    for line in lines:
        name, *fields = line.split()
        if fields:
            number, low, high = int(fields[0]), *fields[1:]
            assert number < min(level[low], level[high])
            level[name] = number
            assert high != "B"
            sets[name] = sets[low] + [sorted([options[number - 1], *each]) for each in sets[high]]
    return sorted(sets[name])


def test_zdd():
    for _, expected, diagram, _ in diagrams(60):
        if diagram.order == "smallest":
            with pytest.raises(ValueError, match="the items have no fixed order"):
                diagram.to_zdd()
        else:
            assert zdd_sets(diagram) == expected


def test_zdd_of_conditions():
    diagram = instance("langford7").diagram(order="given")
    condition = diagram.condition(forbidden=[0])
    assert zdd_sets(condition) == sorted(condition)


def test_dot():
    for _, _, diagram, _ in diagrams(10):
        text = diagram.to_dot()
        assert text.count(" -> ") == diagram.n_edges
        assert text.startswith("digraph covers {")
    with pytest.raises(ValueError, match="nodes is not readable; the limit is 1,000"):
        pairs(1001).diagram().to_dot()


def test_given_and_forbidden_options_and_presolving():
    options = [["a", "b"], ["a", "b", "d"], ["b", "c"], ["c"], ["d", "e"], ["e"]]
    assert list(dlx.ExactCover(options, given=[0]).diagram()) == [[0, 3, 4]]
    assert list(dlx.ExactCover(options, forbidden=[4]).diagram()) == [[1, 3, 5]]
    presolved = dlx.ExactCover(options, presolve=True).diagram()
    assert list(presolved) == [[0, 3, 4], [1, 3, 5]]
    assert presolved.frequencies() == [1, 1, 0, 2, 1, 1]
    assert list(presolved.condition(given=[3, 5])) == [[1, 3, 5]]
    assert list(presolved.condition(forbidden=[3])) == []


def test_orders_are_stated():
    cover = instance("queens8")
    assert cover.diagram(order=["r4"]).order == "items"
    assert cover.diagram(order="given").order == "given"
    assert cover.diagram().order in ("smallest", "given", "bandwidth")


def test_empty_diagrams():
    empty = dlx.ExactCover([], items=["a"]).diagram(order="given")
    assert not empty
    assert (empty.count(), list(empty), empty.frequencies(), empty.cheapest()) == (0, [], [], [])
    assert empty.to_zdd() == "B\n.\n"
    assert [] not in empty
    assert list(empty.condition()) == []
    with pytest.raises(ValueError, match="the problem has no covers to sample"):
        empty.sample()
    assert empty.sample(0) == []
    trivial = dlx.ExactCover([]).diagram(order="given")
    assert (trivial.count(), list(trivial), trivial.to_zdd()) == (1, [[]], "T\n.\n")
    assert (trivial.cheapest(2), trivial.sample(2)) == ([(0, [])], [[], []])
    assert [] in trivial
    assert list(trivial.condition()) == [[]]


@COMPILED
@pytest.mark.parametrize("memory", [1000, 200_000])
def test_too_little_memory_is_an_error(memory):
    with pytest.raises(MemoryError, match="the diagram needs more than"):
        matchings(26).diagram(memory=memory)


def test_invalid_arguments_are_rejected():
    cover = matchings(4)
    diagram = cover.diagram()
    for call, message in (
        (lambda: diagram.sample(-1), "n must be 0 or more, not -1"),
        (lambda: diagram.cheapest(0), "k must be 1 or more, not 0"),
        (lambda: diagram.condition([6]), "given option 6 does not exist; there are 6"),
        (lambda: diagram.condition([], [-1]), "forbidden option -1 does not exist; there are 6"),
        (lambda: cover.diagram(order="x"), "order must be one of auto, smallest, given, bandwid"),
        (lambda: cover.diagram(order=[9]), "order: 9 is not a primary item"),
        (lambda: cover.diagram(memory=-1), "memory must be 0 or more, or None, not -1"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(ValueError, match="the multiplicities are too large for a memo"):
        dlx.ExactCover([["a"]] * 300, exactly={"a": 299}).diagram()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("count", {}),
        ("frequencies", {}),
        ("cheapest", {}),
        ("sample", {"seed": 1}),
        ("condition", {"given": [0], "forbidden": [2]}),
        ("to_zdd", {}),
    ],
)
def test_passes_over_diagrams_are_stopped(name, arguments, monkeypatch):
    expected = getattr(tilings(4, 6, 2).diagram(order="given"), name)(**arguments)
    monkeypatch.setattr("dlx_numba.cover.diagram.WORK_PER_RANGE", 30)
    n_checks = 0
    while True:
        diagram = tilings(4, 6, 2).diagram(order="given")
        try:
            found = getattr(diagram, name)(**arguments, stop=SetAfter(n_checks))
        except dlx.Stopped:
            n_checks += 1
            continue
        if name == "condition":
            found, expected = list(found), list(expected)
        assert found == expected
        break
    assert n_checks > 10


def test_counts_of_diagrams_up_to_symmetry_are_stopped():
    cover = matchings(8)
    group = cover.symmetries()
    with pytest.raises(dlx.Stopped):
        cover.diagram().count(up_to_symmetry=group, seconds=0)
    assert cover.diagram().count(up_to_symmetry=group, seconds=1000) == 1


def test_builders_are_resumed():
    builder = matchings(12).diagram_builder()
    assert not builder.run(seconds=0)
    assert "explored" in str(builder)
    assert builder.run()
    assert builder.diagram().count() == 10395
