"""Costs of any kind, packings and coverings, and variations of a problem, against brute force."""

import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.cover.names import OptionSelectionError
from tests.helpers import oracles
from tests.helpers.penalties import check_plans
from tests.helpers.plans import FORM, gate_table
from tests.helpers.problems import formatted, problem, with_costs
from tests.helpers.seeds import seeds

COSTS = [0, 3, -4, 10, 0.1, -2.5, Fraction(1, 3), Decimal("0.07"), 10**15]


def exact(costs, options):
    """The sum of costs, of which floats are decimal fractions."""
    return sum(Fraction(str(costs[k])) for k in options)


def check(covers, expected, total, sign=1, k=1):
    """Check the best covers of a problem, given all covers and the cost of each."""
    totals = sorted(map(total, expected), reverse=sign < 0)
    assert (covers.done, covers.tolerance) == (True, 0)
    assert [*map(total, covers)] == totals[:k]
    assert all(options in expected for options in covers)
    assert covers.bound == (float(totals[len(covers) - 1]) if covers else None)
    assert covers.gap == (0 if k == 1 and covers else None)


def test_costs_may_be_negative_and_fractions_and_values_are_maximized():
    for seed in seeds(400):
        rng, (cover, expected) = random.Random(seed), problem(seed)
        costs = [rng.choice(COSTS[: rng.choice([2, 4, 9])]) for _ in range(cover.n_options)]
        for keyword, sign in (("costs", 1), ("maximize", -1)):
            stated, k = cover.replace(**{keyword: costs}), rng.choice([1, 1, 3])
            covers = stated.replace(threads=1, algorithm=rng.choice(["auto", "links"])).cheapest(k)
            check(covers, expected, partial(exact, costs), sign, k)
            if covers:
                assert (
                    named_problem(stated).cost(covers[0])
                    == covers[0].cost
                    == float(exact(costs, covers[0]))
                )
            if cover.problem.low is None:
                assert [each.cost for each in stated.diagram().cheapest(k)] == [
                    each.cost for each in covers
                ]
            optimizer = pickle.loads(pickle.dumps(stated.optimizer(k)))
            assert optimizer.run()
            lowest = covers[0].cost if covers else None
            assert (with_costs(optimizer.result)[:1] or [(None,)])[0][0] == lowest
            bound = optimizer.best().lowest
            assert (None if bound is None else optimizer._number(bound)) == lowest


def test_variations_equal_new_problems():
    for seed in seeds(300):
        rng, (cover, expected) = random.Random(seed), problem(seed)
        options = range(cover.n_options)
        sizes = [min(rng.choice([0, 0, 1, 2]), len(options)) for _ in range(2)]
        given, forbidden = (rng.sample(options, size) for size in sizes)
        costs = [rng.choice(COSTS[:8]) for _ in options]
        left = sorted(c for c in expected if {*given} <= {*c} and not {*forbidden} & {*c})
        likely = expected if rng.random() < 0.5 else []
        start = rng.choice(likely or [rng.sample(options, rng.randint(0, len(options)))])
        conditions = {"given": given, "forbidden": forbidden}
        rows = {name: [numbers] * 2 for name, numbers in conditions.items()}
        stated = [named_problem(cover).cost([k]) for k in options]
        batch = cover.cheapest_batch(**rows, costs=[costs, stated], start=start)
        same = cover.cheapest_batch(**rows, start=start[:2])
        for result, k, values in ((batch, 0, costs), (batch, 1, stated), (same, 0, stated)):
            lowest = min((float(exact(values, each)) for each in left), default=None)
            found = result.covers[k]
            assert (result.counts[k], result.bounds[k]) == (bool(left), lowest)
            assert (
                found is None if lowest is None else (found.cost, found in left) == (lowest, True)
            )
        try:
            found = cover.cheapest(2, **conditions, costs=costs, start=start)
        except OptionSelectionError:
            assert left == []
            continue
        check(found, left, partial(exact, costs), k=2)
        check(cover.cheapest(**conditions, start=start, seed=seed), left, named_problem(cover).cost)
        assert sorted(cover.solve(**conditions, seed=seed)) == left
        first = cover.first(given=np.array(given, int), forbidden=np.array(forbidden, int))
        assert first in left if left else first is None


def test_variations_of_a_problem_with_an_executor():
    with ThreadPoolExecutor(1) as executor:
        cover = dlx.ExactCover([["a"], ["a"]], costs=[2, 1], executor=executor)
        assert cover.cheapest_batch(forbidden=[[], [1]]).bounds == [1, 2]


def test_plans_differ_little_from_the_start():
    for seed in seeds(300):
        rng, (cover, expected) = random.Random(seed), problem(seed)
        costs = [rng.choice(COSTS[:8]) for _ in range(cover.n_options)]
        kind, sign = rng.choice([("costs", 1), ("maximize", -1)])
        stated, weight = cover.replace(**{kind: costs}), rng.choice([1, 2.5, Decimal("0.3"), 20])
        start = rng.choice(expected) if expected else []
        more = range(cover.n_options if rng.random() < 0.3 else 0)
        start = [*start, *rng.sample(more, min(2, len(more)))]

        def total(options, costs=costs, start=start, weight=weight, sign=sign):
            return exact(costs, options) + sign * Fraction(str(weight)) * len({*start} - {*options})

        k = rng.choice([1, 3])
        covers = stated.cheapest(k, start=start, changes=weight)
        check(covers, expected, total, sign, k)
        assert [each.cost for each in covers] == [
            named_problem(stated).cost(each) for each in covers
        ]
        first = [each for each in expected if start and start[0] in each]
        try:
            covers = stated.cheapest(given=start[:1], start=start, changes=weight)
        except OptionSelectionError:
            assert first == []
        else:
            check(covers, first if start else expected, total, sign)
    roster = dlx.ExactCover({"Ann": ["mon"], "Bob": ["mon"]}, ["mon"], penalty={"mon": 9})
    uncovered = roster.cheapest(forbidden=["Ann", "Bob"])[0]
    assert uncovered.uncovered == ["mon"]
    assert with_costs(roster.cheapest(start=[*uncovered, "Bob"], changes=1)) == [(0, [1])]


def test_packings_and_coverings():
    for seed in seeds(400):
        rng, (options, *_) = random.Random(seed), oracles.random_general_problem(seed)
        options = [row for each in options if (row := [i for i in each if isinstance(i, int)])]
        weights = [rng.choice([1, 2, 2.5, 0, -1]) for _ in options]
        used = sorted({item for option in options for item in option})
        limit = dict.fromkeys(used[:1], 2)
        most = {item: (0, limit.get(item, 1)) for item in used}
        least = {item: (high, len(options)) for item, (_, high) in most.items()}
        packing = dlx.ExactCover.packing(options, weights, at_most=limit)
        covering = dlx.ExactCover.covering(options, weights, at_least=limit)
        for cover, bounds, sign in ((packing, most, -1), (covering, least, 1)):
            expected = list(oracles.multiple_covers(options, bounds))
            assert sorted(cover.solve()) == sorted(expected)
            k = rng.choice([1, 4])
            check(cover.cheapest(k), expected, partial(exact, weights), sign, k)
        one = dlx.ExactCover.packing(options, at_least=dict.fromkeys(used[:1], 1))
        bounds = dict.fromkeys(used, (0, 1)) | dict.fromkeys(used[:1], (1, 1))
        assert sorted(one.solve()) == sorted(oracles.multiple_covers(options, bounds))


def test_costs_with_too_many_digits_are_rounded():
    costs = [2.0**61, 1 / 3, Fraction(1, 7)]
    cover = dlx.ExactCover([["a"], ["a"], ["b"]], costs=costs)
    covers = cover.cheapest(2)
    assert covers.tolerance == 1.5
    assert all(each.cost == float(exact(costs, each)) for each in covers)
    assert dlx.ExactCover([["a"]], costs=[1 / 3]).cheapest()[0].cost == 1 / 3


def test_rounded_costs_are_not_written_as_whole_ones(tmp_path):
    costs = [2**60, 1.25, 1.375, 2**60 + 1]
    cover = dlx.ExactCover([["a"], ["b"], ["b"], ["a", "b"]], costs=costs)
    for kind in ("knuth", "orlib", "cnf"):
        with pytest.raises(ValueError, match=r"JSON (has|and MPS have)"):
            cover.write(kind=kind)
    with pytest.raises(ValueError, match="nonnegative integers"):
        cover.certify(tmp_path / "proof", "cost")
    diagram = cover.diagram()
    diagram.save(tmp_path / "diagram")
    loaded = dlx.CoverDiagram.load(tmp_path / "diagram")
    assert loaded.cheapest(2).tolerance == diagram.cheapest(2).tolerance > 0


def test_rows_of_plans_have_exact_penalties():
    how = {"exactly": {"a": 2}, "penalty": {"a": 0.25}, "costs": [2**61, 1.125]}
    best = dlx.ExactCover([["a"], ["a"]], **how).cheapest()[0]
    assert (best.cost, best.columns()["cost"]) == (0.5, [0.25, 0.25])


def test_covers_are_in_the_order_of_their_exact_costs():
    options, costs = [["a"], ["a", "b"], ["b"]], [2**61, -0.001, -0.002]
    for values in ({"costs": costs}, {"maximize": costs}):
        cover = dlx.ExactCover(options, multiplicity=(0, 1), **values)
        for covers in (cover.cheapest(5), cover.diagram().cheapest(5)):
            found = [each.cost for each in covers]
            assert found == sorted(found, reverse="maximize" in values)
            assert {0, -0.001, -0.002} <= {*found}


def test_files_keep_all_digits_of_integer_costs():
    options, costs = [["a"], ["b"], ["a", "b"]], [96341204545430461, 0.1, Fraction(-3, 4)]
    for values in (costs, [2**61 + 1, 0.123456789012345, 10**17 + 1]):
        cover = dlx.ExactCover(options, costs=values)
        assert [cover.check([k]).cost for k in range(3)] == values
        for kind in ("json", "mps"):
            again = dlx.ExactCover.read(cover.write(kind=kind), kind)
            assert [again.check([k]).cost for k in range(3)] == values


def test_files_state_costs_of_any_kind_or_refuse_them(tmp_path):
    for keyword in ("costs", "maximize"):
        cover = dlx.ExactCover([["a"], ["b"], ["a", "b"]], **{keyword: [0.1, -2, 1.25]})
        assert f'"{keyword}": [0.1, -2, 1.25]' in cover.write(kind="json")
        again = dlx.ExactCover.read(cover.write(kind="json"), "json")
        assert again == cover != again.replace(costs=[1, 2, 3])
        cover.diagram().save(tmp_path / "diagram")
        assert dlx.CoverDiagram.load(tmp_path / "diagram").cheapest(2) == again.cheapest(2)
        assert formatted(cover, [0, 1], "names") == "a; b |-1.9"
        with pytest.raises(
            ValueError, match="only JSON and MPS have values to maximize, fractions and"
        ):
            cover.write(kind="knuth")
    replaced = dlx.ExactCover.read(cover.write(kind="json"), "json", costs=[1, 2, 4])
    assert with_costs(replaced.cheapest()) == [(3, [0, 1])]


def test_replaced_multiplicities_penalties_and_costs_state_the_same_problem():
    for seed in seeds(300):
        rng, (options, bounds, secondary) = (
            random.Random(seed),
            oracles.random_general_problem(seed),
        )
        costs = [rng.choice([0, 1, 2.5, -3, Fraction(1, 7)]) for _ in options]
        penalty = {item: rng.choice([0, 2, 0.75]) for item in bounds if rng.random() < 0.5}
        kind = rng.choice(["costs", "maximize"])
        new = {"multiplicity": bounds, "penalty": penalty, kind: costs}
        loose = {"multiplicity": dict.fromkeys(bounds, (0, 3)), "penalty": dict.fromkeys(bounds, 5)}
        kept = {name: new[name] for name in rng.sample([*new], rng.randint(0, 3))}
        if "multiplicity" not in kept:  # a penalty has no effect while an item need not be covered
            kept.pop("penalty", None)
        before = dlx.ExactCover(options, bounds, secondary, **{**loose, **kept})
        changes = {name: value for name, value in new.items() if name not in kept}
        stated = dlx.ExactCover(options, bounds, secondary, **new)
        assert before.replace(**changes) == stated
        assert before.replace(exactly={}, at_most={}, **new) == stated


@pytest.mark.parametrize("options", [[[*"ac"], [*"bd"]], {"S": [*"ac"], "T": [*"bd"]}])
def test_conditions_on_missing_items_are_kept_when_penalties_have_another_order(options):
    penalty = {"a": 1, "b": 2}
    cover = dlx.ExactCover(options, [*"ab"], [*"cd"], penalty=penalty, forbidden=["uncovered b"])
    copied = pickle.loads(pickle.dumps(cover)).replace(penalty={"b": 2, "a": 1})
    assert [plan.uncovered for plan in copied.solve()] == [[], ["a"]]
    plan = cover.solve()[1]
    changed = cover.replace(penalty={"b": 2, "a": 1}, forbidden=(), given=plan)
    assert changed.first().uncovered == plan.uncovered == ["a"]


CALLS_WITH_CONDITIONS = {
    "count": lambda cover, **how: cover.count(**how),
    "counter": lambda cover, **how: (each := cover.counter(**how)).run() and each.result,
    "iterate": lambda cover, **how: list(cover.iterate(**how)),
    "search": lambda cover, **how: cover.search(**how).run(),
    "possible_options": lambda cover, **how: cover.possible_options(**how).tolist(),
    "diagram": lambda cover, **how: sorted(cover.diagram(**how)),
    "optimizer": lambda cover, **how: (each := cover.optimizer(**how)).run() and each.result,
    "symmetries": lambda cover, **how: cover.symmetries(**how).order,
    "explain": lambda cover, **how: cover.explain(**how).html,
    "diagnose": lambda cover, **how: str(cover.diagnose(**how)),
}


@pytest.mark.parametrize("call", CALLS_WITH_CONDITIONS.values(), ids=CALLS_WITH_CONDITIONS)
def test_conditions_of_a_call_are_those_of_a_problem(call):
    cover = dlx.ExactCover({"S": ["a", "b"], "T": ["a"], "U": ["b"], "V": ["c"], "W": ["c"]})
    for conditions in ({"given": ["V"]}, {"forbidden": [0, "W"]}, {"given": [1], "forbidden": [3]}):
        assert call(cover, **conditions) == call(cover.replace(**conditions))


@pytest.mark.parametrize("seed", [*seeds(300, 20)])
def test_items_stay_uncovered_at_a_price(seed):
    check_plans(seed)


def test_a_plan_is_a_set_of_options_and_what_is_uncovered_follows_from_it():
    options = {"x": ["a"], "y": ["a"], "z": ["a"]}
    cover = dlx.ExactCover(options, multiplicity={"a": (2, 3)}, penalty={"a": 4})
    plans = cover.cheapest(20)
    assert cover.count() == len(plans) == 8
    assert [len(plan) for plan in plans] == [2, 3, 2, 2, 1, 1, 1, 0]
    assert [plan.uncovered for plan in plans[-2:]] == [["a"], ["a", "a"]]
    assert str(plans[-1]) == " (cost 8, a missing 2 times)"
    assert formatted(cover, [0], "json").endswith('"uncovered": [["a", 1]], "cost": 4}')
    roster = dlx.ExactCover({"x": ["a"]}, exactly={"a": 10**7}, penalty={"a": 3})
    assert [(plan, plan.cost) for plan in roster.cheapest(2)] == [([0], 29999997), ([], 30000000)]
    assert len(pickle.dumps(roster)) < 10_000
    assert len(roster.write(kind="mps")) < 1000
    assert dlx.ExactCover.read(roster.write(kind="mps"), "mps").cheapest()[0].cost == 29999997


@pytest.mark.parametrize("seed", [*seeds(200, 10)])
def test_costs_and_penalties_of_many_digits_add_up_exactly(seed):
    rng = random.Random(seed)
    options, bounds, secondary = oracles.random_general_problem(seed)
    penalty = {item: rng.choice([0.1, 1 / 3, Fraction(1, 7)]) for item in bounds}
    how = {"multiplicity": bounds, "penalty": penalty}
    costs = [[rng.random() * 10 ** rng.randint(0, 9) for _ in options] for _ in range(2)]
    cover = dlx.ExactCover(options, [*bounds], secondary, costs=costs[0], **how)
    free = {item: (0, high) for item, (_, high) in bounds.items()}

    def total(own, plan):
        uses = [item for k in plan for item in options[k]]
        missing = {item: max(0, bounds[item][0] - uses.count(item)) for item in penalty}
        prices = (n * Fraction(str(penalty[item])) for item, n in missing.items())
        return exact(own, plan) + sum(prices)

    plans = [*oracles.multiple_covers(options, free)]
    for own, stated in zip(costs, (cover, cover.replace(costs=costs[1])), strict=True):
        found = stated.cheapest(2)
        lowest = sorted(total(own, plan) for plan in plans)
        for each, best in zip(found, lowest, strict=False):
            plan = [k for k in each if k < len(options)]
            assert each.cost == float(total(own, plan))
            assert abs(total(own, plan) - best) <= found.tolerance
        assert len(found) == min(2, len(plans))
    assert dlx.ExactCover.read(cover.write(kind="json"), "json").cheapest()[0].cost == (
        pytest.approx(cover.cheapest()[0].cost, rel=1e-12)
    )


def lowest_walk(stays, walks, taken):
    """Return the shortest walk, by trying all gates for one flight after the other."""
    if not stays:
        return 0
    (start, end), *others = stays
    costs = [float("inf")]
    for gate, walk in walks.items():
        if all(end <= a or b <= start for a, b in taken[gate]):
            later = {**taken, gate: [*taken[gate], (start, end)]}
            costs.append(walk + lowest_walk(others, walks, later))
    return min(costs)


def test_aircraft_at_gates_are_a_table_without_a_grid_of_minutes():
    """Two stays overlap if one contains the beginning of the other."""
    for seed in seeds(100, 6):
        rng = random.Random(seed)
        walks = {f"{k}": rng.randrange(20) for k in range(3)}
        starts = sorted(rng.sample(range(0, 600, 5), 9))
        stays = [(start, start + rng.randrange(20, 100)) for start in starts]
        plans = dlx.ExactCover.from_frame(gate_table(walks, stays), **FORM).cheapest()
        lowest = lowest_walk(stays, walks, dict.fromkeys(walks, ()))
        assert lowest == (plans[0].cost if plans else float("inf"))
