"""Symmetries of problems, and counts and solutions up to symmetry."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from math import comb, factorial
from unittest import mock

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover import orbits as orbit_counter
from dlx_numba.kernels.symmetry.quotient import quotient_problem
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.search import prepared
from scripts.fuzzing.symmetries import find_orbits
from tests.helpers import orbits
from tests.helpers.counting import affine_plane, latin_squares, tilings
from tests.helpers.hosts import SetAfter
from tests.helpers.seeds import seeds


def dominoes(n_rows, n_columns=None):
    return tilings(n_rows, n_columns or n_rows, 2)


@pytest.mark.slow
@pytest.mark.kernels
def test_random_problems_have_the_symmetries_and_orbits_of_brute_force(tmp_path):
    for seed in seeds(1000, 40):
        find_orbits(random.Random(seed), tmp_path)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("cover", "order"),
    [
        (latin_squares(4), 6 * factorial(4) ** 3),
        (dlx.ExactCover([]), 1),
        (dlx.ExactCover([["a"]], secondary=["b", "c", "d"]), 6),
        (dlx.ExactCover([["a", "b"]] * 2), 2),
        (dlx.ExactCover([], items=["a", "b"]), 2),
    ],
    ids=repr,
)
def test_orders_of_known_groups(cover, order):
    assert cover.symmetries().order == order


QUEENS = [1, 0, 0, 1, 2, 1, 6, 12, 46, 92]  # OEIS A002562
DOMINOES = {2: 1, 4: 9, 8: 1629189, 16: 305611096281378760240051639364}
PENTOMINOES = {"4x15": 368, "3x20": 2}
LANGFORD = {3: 1, 7: 26, 11: 17792}


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("entry", "count"),
    [
        *((dlx.example("queens", n=n), count) for n, count in enumerate(QUEENS, 1)),
        pytest.param(dlx.example("queens", n=14), 45752, marks=pytest.mark.thorough),
        *((dlx.example("tilings", region=f"{n}x{n}"), count) for n, count in DOMINOES.items()),
        *(
            (dlx.example("polyominoes", region=region), count)
            for region, count in PENTOMINOES.items()
        ),
        *((dlx.example("langford", n=n), count) for n, count in LANGFORD.items()),
    ],
    ids=repr,
)
def test_known_counts(entry, count):
    cover = entry.cover()
    assert cover.count(up_to_symmetry=True) == count
    if count <= 2339:
        with ThreadPoolExecutor(1) as executor:
            cover = cover.replace(executor=executor)
            assert cover.count(up_to_symmetry=True) == count
            assert len(cover.solve(up_to_symmetry=True)) == count


@pytest.mark.compiled
def test_names_of_board_symmetries():
    cover = dominoes(4)
    orders = {"rotate90": 4, "rotate180": 2, "rotate270": 4}
    orders |= dict.fromkeys(("reflect", "flip", "transpose", "antitranspose"), 2)
    assert {name: cover.symmetries(name).order for name in orders} == orders
    assert cover.symmetries(["reflect", "antitranspose"]).order == 8
    assert cover.symmetries([]).order == 1
    pentominoes = dlx.example("polyominoes", region="3x20").cover()  # letters stay fixed
    assert pentominoes.count(up_to_symmetry=pentominoes.symmetries(["reflect", "flip"])) == 2
    shifted = dlx.ExactCover([[(5, -1), "a"], [(5, 1), "a"]], secondary=[(5, 0)])
    assert shifted.symmetries("reflect").generators[0][5, -1] == (5, 1)


NAMED = {"S1": ["a", "b"], "S2": ["b", "c"], 2: ["c"]}
EXCHANGE = {"a": "b", "b": "a"}
COLORED = [[item, ("s", color)] for color, item in [(1, "a"), (2, "b"), (2, "a"), (1, "b")]]


@pytest.mark.parametrize(
    ("cover", "functions", "message"),
    [
        (dlx.ExactCover(NAMED), {"a": "c", "c": "a"}, r"function 0 does not map option 2 \(c\) to"),
        (dlx.ExactCover(NAMED), [{}, EXCHANGE], "function 1 does not map option 'S2' to an option"),
        (dlx.ExactCover(NAMED), lambda item: "x", "function 0 maps 'a' to 'x', which is no item"),
        (dlx.ExactCover(NAMED), lambda item: "a", "function 0 maps both 'a' and 'b' to 'a'"),
        (dlx.ExactCover(NAMED), {"a": ["b"]}, r"maps 'a' to \['b'\], which is no item"),
        (dlx.ExactCover(NAMED), {"z": "b"}, "function 0 maps 'z', which is no item"),
        (dlx.ExactCover(NAMED), "rotate", "symmetries: a symmetry must be one of rotate90,"),
        (dlx.ExactCover(NAMED), 5, "functions must be a list of functions, not 5"),
        (dominoes(2, 1), "rotate90", r"'rotate90' maps \(1, 1\) to \(1, 2\), which is"),
        (dlx.ExactCover([["a", "b"]], secondary=["b"]), EXCHANGE, "to 'b', which is another kind"),
        (dlx.ExactCover(COLORED[:2], secondary=["s"]), EXCHANGE, r"not map option 0 \(a s\) to an"),
        (dlx.ExactCover([["a"], ["b"]], costs=[1, 2]), EXCHANGE, r"not map option 0 \(a\) to an"),
        (dlx.ExactCover([["a"], ["b"]], forbidden=[1]), EXCHANGE, r"not map option 0 \(a\) to an"),
    ],
)
def test_functions_that_are_not_symmetries(cover, functions, message):
    with pytest.raises((TypeError, ValueError), match=message):
        cover.symmetries(functions)


def test_functions_keep_colors():
    cover = dlx.ExactCover(COLORED, secondary=["s"])
    assert cover.symmetries(EXCHANGE).options[0].tolist() == [3, 2, 1, 0]
    assert cover.symmetries().order == 4


def test_limits_and_groups_of_other_problems():
    cover, plain = dominoes(4), dlx.ExactCover([["a"], ["b"]])
    group, conditioned = cover.symmetries(), dlx.ExactCover(cover.options, forbidden=[0])
    with_secondary = dlx.ExactCover([["a", "s"], ["b", "s"]], ["a", "b"], ["s"]).symmetries()
    other = "the group belongs to another problem"
    for call, arguments, message in (
        (cover.symmetries, {"limit": 7}, "the group has 8 elements, more than the limit of 7"),
        (cover.count, {"limit": 5, "up_to_symmetry": True}, "up to symmetry cannot have a limit"),
        (cover.count, {"up_to_symmetry": dominoes(5).symmetries()}, other),
        (conditioned.solve, {"up_to_symmetry": group}, other),
        (cover.count, {"up_to_symmetry": "rotate90"}, "must be a bool or a SymmetryGroup"),
        (cover.diagram().count, {"up_to_symmetry": dominoes(3, 4).symmetries()}, other),
        (cover.diagram().count, {"up_to_symmetry": True}, "must be a SymmetryGroup, not True"),
        (cover.diagram().condition([0]).count, {"up_to_symmetry": group}, "the conditions"),
        (plain.diagram().count, {"up_to_symmetry": with_secondary}, other),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            call(**arguments)
    assert cover.count(up_to_symmetry=dominoes(4).symmetries()) == 9


def test_all_symmetries_of_a_problem_with_costs_are_some_of_those_without():
    matchings = dlx.ExactCover([[*pair] for pair in ("ab", "cd", "ac", "bd", "ad", "bc")])
    group = matchings.replace(costs=range(6)).symmetries()
    assert group.order == 1
    assert matchings.count(up_to_symmetry=group) == len(matchings.solve(up_to_symmetry=group)) == 3
    assert matchings.count(up_to_symmetry=True) == 1


# How orbits are counted: by the smallest covers, by fixed covers, or by these after a first step
WAYS = (
    {"ELEMENT_WORK": 1 << 60},
    {"MIN_WORK": 0, "ELEMENT_WORK": 0},
    {"LEEWAY": 0},
)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("n", "order"), [(4, 82_944), (5, 10_368_000)])
def test_latin_squares_are_counted_under_groups_whose_classes_take_longer_than_the_search(n, order):
    """Squares of orders 4 and 5 have two main classes each."""
    cells = [*product(range(n), repeat=3)]
    latin = dlx.ExactCover([[("rc", r, c), ("rv", r, v), ("cv", c, v)] for r, c, v in cells])
    group = latin.symmetries(limit=None)
    assert group.order == order
    assert latin.count(up_to_symmetry=group) == 2
    assert latin.statistics.updates < 1 << 23


@pytest.mark.slow
@pytest.mark.kernels
def test_isomorphic_components_are_counted_once():
    """Random problems consist of several copies of small ones, in random order."""
    for seed in seeds(1000):
        rng = random.Random(seed)
        parts = [orbits.symmetric_problem(seed + k) for k in range(rng.choice([1, 1, 2]))]
        copies = [part for part in parts for _ in range(rng.randint(1, 3))]
        cover = orbits.union(copies, rng)
        group = cover.symmetries(limit=None)
        if group.order > 300 or cover.count(limit=301) > 300:
            continue
        identity = list(range(cover.n_options))
        images = orbits.closure([each.tolist() for each in group.options], identity)
        assert {tuple(each.tolist()) for each in group} == images
        classes = orbits.orbits(cover.solve(), [list(each) for each in images])
        for ways in WAYS:
            with mock.patch.multiple(orbit_counter, **ways):
                assert cover.count(up_to_symmetry=True) == len(classes)
                assert cover.count(up_to_symmetry=group) == len(classes)


@pytest.mark.slow
@pytest.mark.kernels
@pytest.mark.compiled
@pytest.mark.parametrize("first", [1 << 15, 1])
def test_orbits_found_one_by_one_are_as_many_as_those_counted(first):
    """Bars fill a square, in which some cells are given; a bar of each size may be used often."""
    cells = [(r, c) for r in range(4) for c in range(4)]
    bars = [
        [n, *(((k, i) if is_row else (i, k)) for i in range(start, start + n))]
        for n in (1, 2, 3)
        for k, start, is_row in product(range(4), range(5 - n), (True, False)[: 1 + (n > 1)])
    ]
    wide = [int(len({r for r, _ in cells}) == 1) for _, *cells in bars]
    inner = [sum(0 < r < 3 and 0 < c < 3 for r, c in cells) > 1 for _, *cells in bars]
    corner = [bars.index([1, (0, 0)])]
    for bounds, given, totals in (
        ({1: (0, 4), 2: (2, 8), 3: (1, 3)}, [], None),
        ({1: (0, 4), 2: (2, 8), 3: (1, 3)}, corner, None),
        ({1: (1, 1), 2: (3, 6), 3: (3, 3)}, [], {"wide": (wide, 2, 3)}),
        ({1: (1, 2), 2: (3, 6), 3: (2, 3)}, corner, {"inner": (list(map(int, inner)), 0, 1)}),
    ):
        cover = dlx.ExactCover(
            bars, [1, 2, 3, *cells], multiplicity=bounds, given=given, totals=totals
        )
        group = cover.symmetries()
        expected = len(orbits.orbits(cover.solve(), [each.tolist() for each in group]))
        assert group.order > 1 < expected
        for ways in WAYS:
            with mock.patch.multiple(orbit_counter, **ways, FIRST_UPDATES=first):
                assert cover.count(up_to_symmetry=group) == expected
                assert cover.count(up_to_symmetry=True) <= expected


@pytest.mark.compiled
def test_orbits_are_counted_within_the_limits_of_totals(monkeypatch):
    """Long searches choose bitmaps, which ignore totals."""
    for name in ("TRIAL_UPDATES", "MIN_TRIAL_UPDATES"):
        monkeypatch.setattr(prepared, name, 1 << 8)
    rows = [
        [n, *((r, c + k) for k in range(n))] for n in (1, 2) for r in range(4) for c in range(5 - n)
    ]
    bars = rows + [[n, *((c, r) for r, c in cells)] for n, *cells in rows if n > 1]
    cells = [*product(range(4), range(4))]
    is_row = [int(len({r for r, _ in cells}) == 1) for _, *cells in bars]
    bounds, totals = {1: (0, 6), 2: (0, 8)}, {"in rows": (is_row, 8, 8)}
    cover = dlx.ExactCover(bars, [1, 2, *cells], multiplicity=bounds, totals=totals)
    group = cover.symmetries()
    expected = len(orbits.orbits(cover.solve(), [each.tolist() for each in group]))
    assert cover.count(up_to_symmetry=group, method="search") == expected < cover.count()


def cycles(n):
    """Return independent cycles of four edges, two of which are chosen."""
    return [[(k, i), (k, (i + 1) % 4)] for k in range(n) for i in range(4)]


TRIPLES = [[k // 3] for k in range(180)]


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("cover", "order", "n_orbits"),
    [
        (dlx.ExactCover(TRIPLES, secondary=["a", "b"]), 2 * factorial(60), comb(62, 60)),
        (dlx.ExactCover([*cycles(20), ["s"]], secondary=["s"]), 8**20 * factorial(20), 1),
        (
            dlx.ExactCover(cycles(20), [*product(range(20), range(4)), "x"]),
            8**20 * factorial(20),
            0,
        ),
    ],
    ids=range(3),
)
def test_groups_of_huge_order(cover, order, n_orbits):
    group = cover.symmetries(limit=None)
    assert group.order == order
    assert "order about 10^" in repr(group)
    for up_to_symmetry in (True, group):
        assert cover.count(up_to_symmetry=up_to_symmetry) == n_orbits
    with pytest.raises(ValueError, match=r"has about 10\^\d+ elements, more than the limit"):
        cover.symmetries()


@pytest.mark.compiled
def test_a_group_that_cannot_be_enumerated():
    twins = dlx.ExactCover([["a"], ["b"]], secondary=range(60))  # do not enlarge it
    assert (twins.count(up_to_symmetry=True), len(twins.solve(up_to_symmetry=True))) == (1, 1)
    cover = dlx.ExactCover([[k, k + 400] for k in range(400)])
    group = cover.symmetries({0: 1, 1: 0, 400: 401, 401: 400})
    assert group.order == 2
    group = cover.symmetries(limit=None)
    with pytest.raises(ValueError, match=r"the group of order about 10\^\d+ is too large"):
        next(iter(group))
    with pytest.raises(ValueError, match="is too large"):
        cover.solve(up_to_symmetry=group)


def check_stopped(cover, group, limits):
    """Check that calls which are stopped before all symmetries are known use none of them."""
    for method, keywords, partial in (
        (cover.symmetries, {}, None),
        (cover.count, {"up_to_symmetry": group}, 0),
        (cover.solve, {"up_to_symmetry": group}, []),
    ):
        with pytest.raises(dlx.Stopped) as caught:
            method(**keywords, **limits())
        assert caught.value.partial == partial


@pytest.mark.compiled
@pytest.mark.parametrize(
    "limits",
    [lambda: {"seconds": 0}, lambda: {"stop": SetAfter(1)}, lambda: {"stop": SetAfter(30)}],
    ids=["seconds", "at-once", "later"],
)
def test_no_part_of_a_group_is_used(limits):
    """Finding the symmetries of the plane takes minutes."""
    plane = affine_plane(43)
    check_stopped(plane, True, limits)
    covers = plane.cheapest(up_to_symmetry=True, **limits())
    assert (covers, covers.done, covers.bound) == ([], False, None)


@pytest.mark.parametrize("n_polls", range(6))
def test_the_graph_of_many_options_is_built_in_steps(n_polls):
    cover, equal = (dlx.ExactCover([["a"]] * 100) for _ in range(2))
    check_stopped(cover, equal.symmetries(), lambda: {"stop": SetAfter(n_polls)})


def test_arrays_of_numbers_are_functions():
    cover, image = dlx.ExactCover([["a", "b"], ["b", "c"], ["b"]]), np.array([2, 1, 0])
    expected = cover.symmetries({"a": "c", "c": "a"})
    assert cover.symmetries(image) == cover.symmetries([image]) == expected
    with pytest.raises(ValueError, match="function 0 does not map option"):
        cover.symmetries(np.array([1, 0, 2]))
    for invalid in [0, 0, 1], [0, 1], [0.0, 1.0, 2.0], [[0, 1, 2]], ["a", "b", "c"]:
        with pytest.raises(ValueError, match="function 0 is no permutation"):
            cover.symmetries(np.array(invalid))


def test_functions_are_not_read_after_the_request_to_stop():
    read = []
    with pytest.raises(dlx.Stopped):
        dlx.ExactCover([["a"]]).symmetries([read.append] * 50, stop=SetAfter(30))
    assert 0 < len(read) < 50


def test_images_are_collected_until_the_request_to_stop():
    cover = dlx.ExactCover([[k, (k + 1) % 40] for k in range(40)])
    group, covers = cover.symmetries(), cover.solve()
    select = group.smallest_filter()
    assert group.order == 80
    for n_polls in (20, 100):  # in the transversals, and then
        selected, n_compared = select.select(covers, SetAfter(n_polls).is_set)
        assert (len(selected), n_compared) == (0, 0)
    selected, n_compared = select.select(covers, Stop())
    assert (selected.tolist(), n_compared) == ([[*range(0, 40, 2)]], 2)


def test_diagrams():
    cover = dominoes(4)
    diagram, rotations = cover.diagram(), cover.symmetries("rotate180")
    conditioned = diagram.condition(given=[0, int(rotations.options[0][0])])
    classes = orbits.orbits(list(conditioned), [each.tolist() for each in rotations])
    assert conditioned.count(up_to_symmetry=rotations) == len(classes)
    empty = dlx.ExactCover([["a"], ["b"]], ["a", "b", "c"])
    assert empty.diagram().count(up_to_symmetry=empty.symmetries()) == 0


def test_a_stop_ends_a_count_while_the_quotient_of_a_large_problem_is_found(monkeypatch):
    stop, released, ended = (threading.Event() for _ in range(3))

    def find(*arguments):
        stop.set()
        released.wait(10)
        ended.set()
        return quotient_problem(*arguments)

    monkeypatch.setattr(orbit_counter, "LARGE", 0)
    monkeypatch.setattr(orbit_counter, "quotient_problem", find)
    with pytest.raises(dlx.Stopped):
        dominoes(4).count(up_to_symmetry=True, method="memo", stop=stop)
    assert not ended.is_set()
    released.set()
    assert dominoes(4).count(up_to_symmetry=True, method="memo") == 9
