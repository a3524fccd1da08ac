"""Problems of the covers that symmetries leave as they are."""

import pickle
import random
from contextlib import suppress
from itertools import product

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from tests.helpers import orbits
from tests.helpers.counting import tilings
from tests.helpers.seeds import seeds

BOARD_SYMMETRIES = "rotate90", "rotate180", "rotate270", "reflect", "flip", "transpose"
BOARD_SYMMETRIES += ("antitranspose",)


def is_fixed(options, images):
    """Whether the images of options, under each of some permutations, are these options."""
    return all({int(image[k]) for k in options} == {*options} for image in images)


def random_case(rng: random.Random):
    """Return a random problem, symmetries of it, and the images of the options under these.

    Its costs, weights and penalties need not be symmetric unless the symmetries are a group.
    """
    cover = orbits.symmetric_problem(rng.randrange(2**32))
    plain = cover.replace(costs={}, given=[], forbidden=[], presolve=False)
    known = [*orbits.symmetries(plain)]
    if cover.problem.color is not None or rng.random() < 0.3:
        group = cover.symmetries()
        return cover, group, group.options
    chosen = rng.sample(known, min(len(known), rng.randint(1, 2)))
    functions = [image for image, _ in chosen]
    images = plain.symmetries(functions).options
    cover = changed(cover, rng)
    return cover, functions if rng.random() < 0.8 else functions[:1] * 2 + functions[1:], images


def changed(cover: dlx.ExactCover, rng: random.Random) -> dlx.ExactCover:
    """Return a problem with other costs, totals or penalties."""
    n = cover.n_options
    if rng.random() < 0.5:
        cover = cover.replace(costs=[rng.randint(-2, 3) for _ in range(n)])
    if rng.random() < 0.3:
        primary = cover.items[: cover.problem.n_primary]
        cover = cover.replace(penalty=dict.fromkeys(primary, rng.randint(1, 3)))
    return cover


@pytest.mark.slow
@pytest.mark.kernels
def test_covers_of_random_problems_are_those_that_brute_force_leaves():
    for seed in seeds(1000, 60):
        rng = random.Random(seed)
        cover, symmetry, images = random_case(rng)
        own = named_problem(cover)
        n = cover.n_options
        if len(cover.option_names) > n or own.names.n_uncovered:
            images = cover.replace(costs={}, given=[], forbidden=[]).symmetries(symmetry).options
        expected = [[*c] for c in cover.solve() if is_fixed(c, images)]
        if own.selected.given and not expected:
            with suppress(ValueError):  # no cover contains the images of what is given
                assert not cover.fixed_by(symmetry).count(), seed
            continue
        fixed = cover.fixed_by(symmetry)
        assert sorted(fixed.solve()) == sorted(expected), seed
        assert sorted(fixed) == sorted(expected), seed
        assert fixed.count() == len(expected), seed
        first = fixed.first()
        assert first in expected if expected else first is None, seed
        is_possible = [any(k in c for c in expected) for k in range(n)]
        assert fixed.possible_options().tolist() == is_possible, seed
        costs = sorted(cover.check(c).cost for c in expected)
        cheapest = fixed.cheapest(3)
        if own.problem.cost is None and own.names.penalties is None:
            sizes = sorted(map(len, expected), reverse=own.names.is_packing)
            assert [len(c) for c in cheapest] == sizes[:3], seed
        else:
            assert [c.cost for c in cheapest] == costs[:3], seed
        if cover.problem.total_low is None:
            diagram = fixed.diagram(order=rng.choice(["auto", "given", "smallest"]))
            assert sorted(diagram) == sorted(expected), seed
            assert diagram.count() == len(expected), seed
            frequencies = [sum(k in c for c in expected) for k in range(n)]
            assert diagram.frequencies() == frequencies, seed
            assert all(c in diagram for c in expected), seed
            if expected:
                assert diagram.sample(1)[0] in expected, seed
        if n:
            option = rng.randrange(n)
            for argument, is_wanted in (("given", True), ("forbidden", False)):
                try:
                    found = sorted(fixed.solve(**{argument: [option]}))
                except ValueError:  # conditions that exclude each other
                    found = []
                wanted = sorted(c for c in expected if (option in c) == is_wanted)
                assert found == wanted, seed
        assert pickle.loads(pickle.dumps(fixed)) == fixed, seed


def free_tetrominoes():
    """Two of each free tetromino in 4×10; the pieces turn over, and may be equal."""
    shapes = {
        "I": [(0, 0), (0, 1), (0, 2), (0, 3)],
        "O": [(0, 0), (0, 1), (1, 0), (1, 1)],
        "T": [(0, 0), (0, 1), (0, 2), (1, 1)],
        "S": [(0, 1), (0, 2), (1, 0), (1, 1)],
        "L": [(0, 0), (1, 0), (2, 0), (2, 1)],
    }
    options = set()
    for name, cells in shapes.items():
        for flip, turn in product(range(2), range(4)):
            turned = [(r, -c) if flip else (r, c) for r, c in cells]
            for _ in range(turn):
                turned = [(c, -r) for r, c in turned]
            top, left = (min(each) for each in zip(*turned, strict=True))
            for down, right in product(range(4), range(10)):
                placed = sorted((r - top + down, c - left + right) for r, c in turned)
                if all(r < 4 and c < 10 for r, c in placed):
                    options.add((name, *placed))
    board = [*product(range(4), range(10))]
    return dlx.ExactCover(sorted(options), [*shapes, *board], exactly=dict.fromkeys(shapes, 2))


def count_fixed(cover, name):
    """Count the covers that a symmetry of the board leaves as they are, one by one."""
    [images] = cover.symmetries(name).options
    return sum(is_fixed(each, [images]) for each in cover.solve())


@pytest.mark.slow
@pytest.mark.compiled
def test_each_symmetry_of_a_board_leaves_as_many_covers_as_counting_one_by_one():
    dominoes = tilings(6, 6, 2)
    tetrominoes = free_tetrominoes()
    assert dominoes.count() == 6728
    for cover, names in (
        (dominoes, BOARD_SYMMETRIES),
        (tetrominoes, ("rotate180", "reflect", "flip")),
    ):
        for name in names:
            fixed = cover.fixed_by(name)
            n_fixed = count_fixed(cover, name)
            assert (fixed.count(), len(fixed.solve())) == (n_fixed, n_fixed), name
            assert fixed.diagram().count() == n_fixed, name


@pytest.mark.compiled
def test_the_mean_over_a_group_is_the_number_of_orbits():
    for cover in tilings(6, 6, 2), tilings(4, 4, 2), free_tetrominoes():
        group = cover.symmetries()
        n_items = cover.n_items
        images = [
            *orbits.closure(
                [[*map(cover.items.index, g.values())] for g in group.generators], [*range(n_items)]
            )
        ]
        assert len(images) == group.order
        total = sum(cover.fixed_by(np.array(image)).count() for image in images)
        assert total == group.order * cover.count(up_to_symmetry=True)


def test_steiner_triple_systems_with_a_cyclic_group():
    """There are 30 systems S(2,3,7); two of them are cyclic under a given shift."""
    points = range(7)
    triples = [t for t in product(points, repeat=3) if t[0] < t[1] < t[2]]
    system = dlx.ExactCover({t: [(t[0], t[1]), (t[0], t[2]), (t[1], t[2])] for t in triples})

    def shift(pair):
        return tuple(sorted((p + 1) % 7 for p in pair))

    cyclic = system.fixed_by(shift)
    assert (system.count(), cyclic.count()) == (30, 2)
    assert (0, 1, 3) in cyclic.first().names
    assert sorted(cyclic) == sorted(system.fixed_by(system.symmetries(shift)))


def test_totals_and_costs_of_an_orbit_are_sums():
    rng = random.Random(1)
    bars = [[("r", r), ("c", c)] for r in range(4) for c in range(4)]
    weights = [rng.randint(0, 9) for _ in bars]
    cover = dlx.ExactCover(bars, costs=weights, totals={"even": ([w % 2 for w in weights], 1, 3)})
    turn = {("r", r): ("c", r) for r in range(4)} | {("c", c): ("r", c) for c in range(4)}
    [images] = dlx.ExactCover(bars).symmetries(turn).options
    expected = [each for each in cover.solve() if is_fixed(each, [images])]
    fixed = cover.fixed_by(turn)
    assert sorted(fixed.solve()) == sorted(expected) != []
    assert fixed.cheapest()[0].cost == min(each.cost for each in cover if each in expected)
    assert {each.totals["even"] for each in fixed} <= {1, 2, 3}


def test_covers_without_costs_are_expanded_once():
    cells = [*product(range(4), repeat=2)]
    pairs = [[(r, c), (r + d, c + 1 - d)] for r, c in cells for d in (0, 1)]
    dominoes = [pair for pair in pairs if set(pair) <= set(cells)]
    for keywords in ({}, {"progress": lambda fraction, text: None}):  # the latter has no short way
        cover = dlx.ExactCover(dominoes, costs=[0] * len(dominoes), **keywords)
        fixed = cover.fixed_by("rotate180")
        assert sorted(fixed.cheapest(1000)) == sorted(fixed.solve()) != []


NAMED = dlx.ExactCover({"x": ["a"], "y": ["b"], "z": ["a", "b"]})
SWAP = {"a": "b", "b": "a"}


def test_options_are_those_of_the_original_problem():
    fixed = NAMED.fixed_by(SWAP)
    assert fixed.solve() == [[0, 1], [2]]
    assert [each.names for each in fixed] == [["x", "y"], ["z"]]
    assert fixed.solve(given=["y"]) == fixed.solve(given=[1]) == [[0, 1]]
    assert fixed.first(forbidden=NAMED.first()) == [2]
    assert fixed.cheapest()[0].names == ["z"]
    assert fixed.diagram().covers() == NAMED.diagram().covers()
    assert fixed.diagram().condition(given=["x"]).covers() == [[0, 1]]
    assert next(fixed.iterate(limit=1)) == [0, 1]
    assert fixed.optimizer().run(seconds=9)
    assert "<svg" in fixed.svg(fixed.first())
    assert NAMED.replace(choose=["b"]).fixed_by(SWAP).solve() == [[0, 1], [2]]
    assert NAMED.replace(given=["y"]).fixed_by(SWAP).solve() == [[0, 1]]
    assert (fixed.options, fixed.option_names) == (NAMED.options, NAMED.option_names)
    assert (fixed.items, fixed.colors) == (NAMED.items, NAMED.colors)
    assert repr(fixed) == "<ExactCover: 2 items, 3 options, fixed by symmetries>"
    assert fixed._repr_html_() == NAMED._repr_html_()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: NAMED.fixed_by("rotate90"), "'rotate90' needs items that are a row and a column"),
        (lambda: NAMED.fixed_by({"a": "b"}), "maps both"),
        (lambda: NAMED.fixed_by(tilings(2, 2, 2).symmetries()), "belongs to another problem"),
        (lambda: NAMED.fixed_by(SWAP).fixed_by(SWAP), "fixed_by does not support"),
        (lambda: NAMED.fixed_by(SWAP).search(), "search does not support fixed covers: use"),
        (lambda: NAMED.fixed_by(SWAP).symmetries(), "symmetries does not support"),
        (lambda: NAMED.fixed_by(SWAP).solve_batch(given=[[0]]), "solve_batch does not"),
        (lambda: NAMED.fixed_by(SWAP).cheapest_batch(given=[[0]]), "cheapest_batch does not"),
        (lambda: NAMED.fixed_by(SWAP).relax(), "relax does not support"),
        (lambda: NAMED.fixed_by(SWAP).check([2]), "check does not support"),
        (lambda: NAMED.fixed_by(SWAP).puzzles(), "puzzles does not support"),
        (lambda: NAMED.fixed_by(SWAP).certify("x"), "a certificate does not support"),
        (lambda: NAMED.fixed_by(SWAP).replace(costs=[1, 2]), "costs= does not"),
        (lambda: NAMED.fixed_by(SWAP).replace(given=[1]), "replace does not support"),
        (lambda: NAMED.fixed_by(SWAP).replace(choose=["b"]), "replace does not support"),
        (lambda: NAMED.fixed_by(SWAP).replace(view="table"), "replace does not support"),
        (lambda: NAMED.fixed_by(SWAP).diagram(order=["b"]), "a list as the order does not"),
        (lambda: NAMED.fixed_by(SWAP).write(kind="json"), "write does not support"),
        (lambda: NAMED.fixed_by(SWAP).to_cpsat(), "to_cpsat does not support"),
        (lambda: NAMED.fixed_by(SWAP).explain(), "explain does not support"),
        (lambda: NAMED.fixed_by(SWAP).diagnose(), "diagnose does not support"),
        (lambda: NAMED.fixed_by(SWAP).deduce(), "deduce does not support"),
        (lambda: NAMED.fixed_by(SWAP).count(distinct=["a"]), "distinct does not support"),
        (lambda: NAMED.fixed_by(SWAP).count(up_to_symmetry=True), "up_to_symmetry does not"),
        (lambda: NAMED.fixed_by(SWAP).cheapest(costs=[1, 2]), "costs= does not support"),
        (lambda: NAMED.fixed_by(SWAP).cheapest(start=[2], changes=1), "changes does not support"),
        (
            lambda: (
                dlx.ExactCover([["a", "s"], ["b", "s"]], ["a", "b"], ["s"])
                .fixed_by(SWAP)
                .first(given=[1])
            ),
            r"given: no cover that the symmetries fix contains option 1 \(b s\)",
        ),
    ],
)
def test_what_fixed_covers_do_not_support_is_an_error(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_the_request_to_stop_ends_the_call():
    with pytest.raises(dlx.Stopped):
        NAMED.fixed_by(SWAP, seconds=0)


def test_penalties_belong_to_their_items_in_any_order():
    options = [["a", "b"], ["a", "c"], ["a"], ["b"], ["c"], ["b", "c"], ["d"], ["d"]]
    exactly = {"a": 2, "d": 2}
    costs = [5, 5, 1, 1, 1, 1, 9, 30]
    for penalty in ({"a": 100, "d": 2}, {"d": 2, "a": 100}):
        cover = dlx.ExactCover(options, exactly=exactly, penalty=penalty, costs=costs)
        best = cover.fixed_by({"b": "c", "c": "b"}).cheapest()
        assert (best[0], best[0].cost, best.bound) == ([0, 1], 14, 14)
