"""Relaxed problems, compared with all choices of options."""

import itertools
import math
import pickle
import random
from collections import Counter
from contextlib import suppress
from fractions import Fraction

import pytest

import dlx_numba as dlx
from dlx_numba.cover import relax
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.cover.relax import relax_problem
from dlx_numba.runtime.errors import Stopped
from tests.helpers import oracles
from tests.helpers.diagnoses import random_conditions
from tests.helpers.hosts import SetAfter
from tests.helpers.problems import without_short_proof
from tests.helpers.seeds import seeds

KINDS = "uncovered", "capacity", "total", "given", "forbidden"


def violations(options, bounds, given, forbidden, totals, chosen):
    """The requirements that a choice of options violates, and by how much."""
    found, used = Counter(), Counter()
    entries = [entry for k in chosen for entry in options[k]]
    colored = {e for e in entries if isinstance(e, tuple) and e not in bounds}
    used.update([e for e in entries if e not in colored], *[])
    used.update(item for item, _ in colored)
    for item in {*bounds, *used}:
        low, high = bounds.get(item, (0, 1))
        found["uncovered", item] = low - used[item]
        found["capacity", item] = used[item] - high
    for name, (weights, low, high) in totals.items():
        total = sum(weights[k] for k in chosen)
        found["total", name] = max(low - total, total - high)
    found.update(("given", k) for k in given if k not in chosen)
    found.update(("forbidden", k) for k in forbidden if k in chosen)
    return {key: n for key, n in found.items() if n > 0}


def cheapest(options, bounds, given, forbidden, totals, weight, cost):
    """The lowest cost of the requirements that a choice violates, and then of the choice itself."""
    usable = [k for k, option in enumerate(options) if any(e in bounds for e in option)]
    stated = options, bounds, given, forbidden, totals
    return min(
        (sum(weight(*key) * n for key, n in violations(*stated, {*chosen}).items()), cost(chosen))
        for size in range(len(usable) + 1)
        for chosen in itertools.combinations(usable, size)
    )


@pytest.mark.slow
def test_random_problems_have_the_cheapest_plan_among_the_cheapest_relaxations():
    for seed in seeds(1000):
        rng = random.Random(seed)
        options, bounds, secondary = oracles.random_general_problem(rng.randrange(2**32))
        options = options[: rng.choice([5, 8, 10])]
        cover = random_conditions(rng, options, bounds, secondary)
        if cover is None:
            continue
        totals = {}
        for name in ["T", "U"][: rng.choice([0, 0, 1, 2])]:
            low = rng.randint(-2, 6)
            weights = [rng.randint(-2, 5) for _ in options]
            totals[name] = weights, low, low + rng.randint(0, 4)
        given, forbidden = named_problem(cover).selected.given, named_problem(cover).forbidden
        conditions = {"given": given, "forbidden": forbidden, "multiplicity": bounds}
        sign = rng.choice([0, 1, 1, -1])
        costs = [rng.choice([rng.randint(-3, 9), 0.5, 0]) for _ in options]
        penalty = {}
        if sign:
            conditions["costs" if sign > 0 else "maximize"] = costs
            some = rng.sample([*bounds], rng.randint(0, min(2, len(bounds))))
            penalty = {item: rng.randint(0, 5) for item in some if bounds[item][0]}
        costs = [sign * sign * cost for cost in costs]
        conditions["penalty"] = penalty or None
        cover = dlx.ExactCover(options, list(bounds), secondary, totals=totals, **conditions)
        single = [item for item in penalty if bounds[item] == (1, 1)]  # has an option instead
        options = [*options, *([item] for item in single)]
        costs += [sign * penalty[item] for item in single]
        totals = {name: ([*w, *(0 for _ in single)], *ends) for name, (w, *ends) in totals.items()}
        needed = {item: bounds[item][0] for item in penalty if item not in single}
        bounds = {item: (0 if item in needed else low, n) for item, (low, n) in bounds.items()}
        weights = {}
        for kind in rng.sample(KINDS, rng.randint(0, 3)):
            weights[kind] = rng.choice([0, 1, 2, 0.5, Fraction(5, 2), math.inf])
        for item in rng.sample([*bounds], rng.randint(0, min(2, len(bounds)))):
            weights[rng.choice(["uncovered", "capacity"]), item] = rng.choice([0, 3, math.inf])
        if totals:
            weights["T"] = rng.choice([1, 0.1])

        def weight(kind, name, weights=weights):
            found = [weights[key] for key in ((kind, name), name, kind) if key in weights]
            return Fraction(str(found[0])) if found and found[0] != math.inf else (found or [1])[0]

        def cost(chosen, options=options, costs=costs, penalty=penalty, needed=needed, sign=sign):
            used = Counter(entry for k in chosen for entry in options[k])
            missing = sum(penalty[i] * max(0, n - used[i]) for i, n in needed.items())
            return sign * sum(costs[k] for k in chosen) + missing

        stated = options, bounds, given, forbidden, totals
        price, lowest = cheapest(*stated, weight, cost)
        found = cover.relax(weights)
        if price == math.inf:
            assert found is None
            continue
        assert found.relaxed == violations(*stated, {*found})
        assert sum(weight(*key) * n for key, n in found.relaxed.items()) == price
        assert cost(found) == lowest
        assert found.cost == (-lowest if sign < 0 else lowest)
        assert str(found).count("Given up: ") == len(found.relaxed)
        if not penalty:
            assert found.uncovered == [name for kind, name in found.relaxed if kind == "uncovered"]
            assert bool(cover.check(found)) == (not found.relaxed)
        again = pickle.loads(pickle.dumps(found))
        assert (again, again.relaxed, str(again)) == (found, found.relaxed, str(found))


def weigh(weights, kind, name):
    """Return a weight as the decimal that Python prints."""
    return Fraction(str(weights.get(name, weights.get(kind, 1))))


@pytest.mark.parametrize(
    ("largest", "numbers"),
    [
        (relax.MAX_WEIGHT, [1, 0, 1 / 3, 2 / 3, 0.1 + 0.2, 2.5]),
        (relax.MAX_WEIGHT, [1, 0, 1e5, 1e-5, 3e9, 2**31 - 1]),
        (200, [1, 0, 2.5, 97, 333, 1000]),  # which are divided by a small base, with carries
    ],
)
def test_costs_decide_among_plans_of_equal_weight(monkeypatch, largest, numbers):
    monkeypatch.setattr(relax, "MAX_WEIGHT", largest)
    for seed in seeds(400, 25):
        rng = random.Random(seed)
        items = [*"abcd"[: rng.randint(2, 4)]]
        options = [rng.sample(items, rng.choice([1, 1, 2])) for _ in range(rng.randint(3, 7))]
        bounds = {item: rng.choice([(1, 1), (1, 1), (2, 2), (1, 2), (3, 4)]) for item in items}
        forbidden = rng.sample(range(len(options)), rng.choice([0, 1]))
        totals = {"T": ([rng.randint(0, 3) for _ in options], 4, 5)} if rng.random() < 0.4 else {}
        costs = [rng.choice([0, 1, 2, 5, 0.5, 2**50 + rng.randint(0, 3)]) for _ in options]
        weights = {key: rng.choice(numbers) for key in [*KINDS, *rng.sample(items, 2)]}
        cover = dlx.ExactCover(
            options, items, multiplicity=bounds, forbidden=forbidden, totals=totals, costs=costs
        )
        stated = options, bounds, [], forbidden, totals
        price, lowest = cheapest(
            *stated,
            lambda kind, name, weights=weights: weigh(weights, kind, name),
            lambda chosen, costs=costs: sum(Fraction(costs[k]) for k in chosen),
        )
        found = cover.relax(weights)
        assert sum(weigh(weights, *key) * n for key, n in found.relaxed.items()) == price
        assert sum(Fraction(costs[k]) for k in found) == lowest
        assert found.done


@pytest.mark.parametrize("weight", [1 / 3, 0.1 + 0.2, 3e9, Fraction(1, 10**9)])
def test_weights_may_have_many_digits(weight):
    options = [[item] for item in range(24) for _ in range(2)]
    costs = [*range(24), *range(24)]
    full = dlx.ExactCover(options, exactly=dict.fromkeys(range(24), 3), costs=costs)
    found = full.relax({"uncovered": weight})
    assert (len(found), found.cost, found.done) == (48, sum(costs), True)
    one = dlx.ExactCover(
        [["a", k] for k in range(9)], ["a", *range(9)], range(0), costs=[*range(9, 0, -1)]
    )
    found = one.relax({"uncovered": weight, "capacity": 10 * weight})
    assert (found, found.cost, len(found.relaxed), found.done) == ([8], 1, 8, True)


def test_large_costs_do_not_overflow():
    costs = [2**60, 2**60 - 1]
    found = dlx.ExactCover([["a", "b"], ["b", "c"]], costs=costs).relax()
    assert (found, found.cost, found.done) == ([1], 2**60 - 1, True)


def test_a_plan_is_not_proven_to_be_the_cheapest_if_rounding_may_hide_another_one():
    found = dlx.ExactCover([["a", "b"], ["b", "c"]]).relax({"a": 1e-30})
    assert (found.relaxed, found.done) == ({("uncovered", "a"): 1}, False)


def test_a_solution_drops_nothing_and_costs_what_it_costs():
    roster = dlx.ExactCover({"Ann": ["mon"]}, ["mon", "tue"], penalty={"tue": 7})
    found = roster.relax()
    assert (found.relaxed, found.cost, found.uncovered) == ({}, 7, ["tue"])


def test_a_call_that_is_stopped_has_what_is_known():
    cover = named_problem(without_short_proof())
    found = None
    with suppress(Stopped):  # if nothing is known yet
        found = relax_problem(cover, None, SetAfter(1).is_set)
    assert found is None or (bool(found.relaxed), found.done) == (True, False)


def test_a_relaxation_that_is_stopped_is_the_best_one_known(monkeypatch):
    school = dlx.ExactCover([["Ann", "mon"], ["Ann", "tue"], ["Bob", "tue"]], forbidden=[2])
    assert school.relax().done
    solve = relax._RelaxedProblem.solve
    monkeypatch.setattr(
        relax._RelaxedProblem, "solve", lambda *each: (solve(*each)[0], False, True)
    )
    found = school.relax(seconds=10)
    copied = pickle.loads(pickle.dumps(found))
    assert (found.done, len(found.relaxed), copied.done) == (False, 1, False)
    monkeypatch.setattr(relax._RelaxedProblem, "solve", lambda *each: (None, False, True))
    with pytest.raises(Stopped, match="before a relaxation was known"):
        school.relax(seconds=10)


@pytest.mark.parametrize(
    ("weights", "reason"),
    [
        ({"Anna": 1}, "no requirement 'Anna'; did you mean 'Ann'"),
        ({("total", "Ann"): 1}, r"no requirement \('total', 'Ann'\)"),
        ({("capacity", "Anna"): 1}, r"no requirement \('capacity', 'Anna'\); did you mean"),
        ({"Ann": -1}, "weight of 'Ann' must be 0 or more"),
    ],
)
def test_invalid_weights(weights, reason):
    with pytest.raises(ValueError, match=reason):
        dlx.ExactCover([["Ann", "mon"]]).relax(weights)


def test_what_is_given_up_is_said_and_shown():
    lessons = "class,teacher,slot,cost\n5a,Ng,Mon 9:00,3\n5a,Ng,Tue 9:00,1\n5b,Ng,Mon 9:00,0\n"
    columns = ["class"], [("teacher", "slot")], "cost"
    school = dlx.ExactCover.from_frame(lessons, *columns, view="timetable")
    crowded = school.relax({"uncovered": 2, "forbidden": 9, "capacity": 1})
    assert (crowded, crowded.relaxed) == ([1, 2], {})
    closed = school.replace(forbidden=[1])
    crowded = closed.relax({"uncovered": 2, "forbidden": 9})
    twice = "Given up: Ng on Mon 9:00 is used twice"
    assert str(crowded) == f"5a, Mon 9:00; 5b, Mon 9:00 (cost 3)\n{twice}"
    assert crowded.svg().count("#d55e00") == 1
    assert ">Given up: Ng on Mon 9:00 is used" in crowded.svg()
    assert "Given up: Ng on Mon 9:00" in crowded._repr_html_()
    shorter = closed.relax({"capacity": 2, "forbidden": 9})
    assert (shorter.relaxed, shorter.cost) == ({("uncovered", ("class", "5a")): 1}, 0)
    assert "#d55e00" not in shorter.svg()
    exception = closed.relax({"forbidden": 0.5})
    assert str(exception).endswith("Given up: `5a, Tue 9:00` is chosen, but forbidden")
    assert exception.svg().count("#d55e00") == 1
    people = {"A": ["x"], "B": ["x"]}
    roster = dlx.ExactCover(people, at_least={"x": 3}, view=lambda option: (*option, "m", "n"))
    assert "Given up: `x` is covered 1" in roster.relax().svg()


def test_many_missing_units_take_no_options():
    cover = dlx.ExactCover({"Ann": ["mon"]}, exactly={"mon": 3_000_000})
    found = cover.relax()
    assert (found, found.relaxed) == ([0], {("uncovered", "mon"): 2_999_999})
    assert cover.relax({("uncovered", "mon"): math.inf}) is None


def test_giving_everything_up_is_a_plan():
    cover = dlx.ExactCover([["a"], ["a", "x"]], ["a", "x"], penalty={"a": 5}, costs=[7, 9])
    found = cover.relax({"uncovered": 0})
    assert (found, found.cost) == ([], 0)


def test_totals_are_exceeded_by_as_much_as_the_prices_permit():
    cover = dlx.ExactCover({"x": ["a"], "y": ["b"]}, totals={"t": ({"x": 2**30}, None, 0)})
    for price in (10**10, float("inf")):
        assert cover.relax({"uncovered": price}).relaxed == {("total", "t"): 2**30}
    options = {"x": ["a"], "v": ["d"], "e": ["d"], "z": ["b"]}
    totals = {"t": ({"x": 1, "v": 3}, None, 0), "u": ({"z": 1}, None, 0)}
    cover = dlx.ExactCover(options, ["a", "b", "d"], totals=totals)
    for price in (10**6, 5 * 2**59):  # beyond which no option has a cost
        relaxed = cover.relax({"t": price, "uncovered": 5, "u": 1}).relaxed
        assert relaxed == {("uncovered", "a"): 1, ("total", "u"): 1}


def test_a_relaxation_may_cost_more_than_any_weight():
    relaxed = dlx.ExactCover({"x": ["a"]}, [*"abcdef"]).relax({"uncovered": 10**18})
    assert relaxed.relaxed == {("uncovered", item): 1 for item in "bcdef"}
    with pytest.raises(ValueError, match="must be less than 2\\*\\*62, or infinite"):
        relaxed = dlx.ExactCover([["a"]]).relax({"uncovered": 2**62})


def test_a_penalty_is_paid_at_once_for_what_no_options_cover():
    options = [["p", "a"], ["p", "b"], ["p", "a", "b"]]
    problem = dlx.ExactCover(
        options, at_least={"p": 10**9}, costs=[1, 2, 4], penalty={"p": 2}, forbidden=[1]
    )
    plan = problem.relax(seconds=60)
    assert (plan, plan.relaxed, plan.done) == ([2], {}, True)
    lonely = dlx.ExactCover([["a"]], ["a", "p"], at_least={"p": 10**9}, penalty={"p": 2})
    plan = lonely.relax()
    assert (plan, plan.relaxed, plan.done) == ([0], {}, True)
