"""Problems with penalties, compared with all plans: sets of options, of which some leave gaps."""

import pickle
import random
from fractions import Fraction

from dlx_numba import ExactCover
from dlx_numba.runtime.extras import can_import

from . import oracles


def random_bounds(rng, bounds):
    """Return bounds of which some exceed the number of options."""
    wide = rng.random() < 0.3
    return {
        item: (low + rng.choice([0, 0, 1, 3]), high + rng.choice([3, 5]))
        if wide and rng.random() < 0.4
        else (low, high)
        for item, (low, high) in bounds.items()
    }


def check_plans(seed):
    """Compare all that finds, counts and prices plans of a random problem with brute force."""
    rng = random.Random(seed)
    options, bounds, secondary = oracles.random_general_problem(seed)
    bounds = random_bounds(rng, bounds)
    penalty = {item: rng.choice([0, 2, 0.75, 5]) for item in bounds if rng.random() < 0.7}
    costs = [rng.choice([0, 1, 2.5, -3, 4]) for _ in options]
    keyword, sign = rng.choice([("costs", 1), ("maximize", -1)])
    free = {item: (low * (item not in penalty), high) for item, (low, high) in bounds.items()}
    expected = sorted(oracles.multiple_covers(options, free))

    def missing(plan):
        uses = [item for k in plan for item in options[k]]
        return {item: max(0, bounds[item][0] - uses.count(item)) for item in penalty}

    def total(plan):
        prices = (n * Fraction(str(penalty[item])) for item, n in missing(plan).items())
        return sum(Fraction(str(costs[k])) for k in plan) + sign * sum(prices)

    def chosen(plans):
        return sorted([k for k in plan if k < len(options)] for plan in plans)

    def check_cheapest(covers, k, wanted=expected):
        best = sorted(map(total, wanted), reverse=sign < 0)[:k]
        assert (covers.done, [each.cost for each in covers]) == (True, [*map(float, best)])
        plans = chosen(covers)
        assert len({*map(tuple, plans)}) == len(plans)
        for cover in covers:
            [plan] = chosen([cover])
            assert (plan in wanted, total(plan)) == (True, Fraction(str(cover.cost)))
            gaps = [item for item, n in missing(plan).items() for _ in range(n)]
            assert sorted(cover.uncovered) == sorted(gaps)
            assert len(cover.to_frame()) == len(plan) + len(gaps)

    named = {f"option {k}": option for k, option in enumerate(options)}
    stated = rng.choice([options, named])
    arguments = {"multiplicity": bounds, "penalty": penalty, keyword: costs}
    cover = ExactCover(stated, [*bounds], secondary, **arguments)
    assert cover.count() == len(expected)
    assert chosen(cover.solve()) == chosen(cover.diagram()) == expected
    number = rng.choice([1, 3, len(expected) + 1])
    check_cheapest(cover.cheapest(number), number)
    if can_import("highspy"):
        linked = cover.replace(algorithm="links", threads=1)
        n_most = min(number, 100)  # each is a search of its own
        check_cheapest(linked.cheapest(n_most, engine="highs"), n_most)
    optimizer = cover.optimizer(number)
    optimizer.run()
    check_cheapest(pickle.loads(pickle.dumps(optimizer)).result, number)
    varied = cover.replace(presolve=rng.random() < 0.5, threads=rng.choice([1, 2]))
    check_cheapest(varied.cheapest(1), 1)
    for _ in range(3):
        plan = sorted(rng.sample(range(len(options)), rng.randint(0, min(4, len(options)))))
        check = cover.check(plan)
        assert bool(check) == (plan in expected)
        assert not check or Fraction(str(check.cost)) == total(plan)
    if options and expected:
        start, forbidden = rng.choice(expected), [rng.randrange(len(options))]
        check_cheapest(cover.cheapest(start=start), 1)
        [near] = chosen(cover.cheapest(start=start, changes=2))
        n_changes = {tuple(plan): len({*start} - {*plan}) for plan in expected}
        amounts = [sign * total(plan) + 2 * n_changes[tuple(plan)] for plan in expected]
        assert sign * total(near) + 2 * n_changes[tuple(near)] == min(amounts)
        left = [plan for plan in expected if forbidden[0] not in plan]
        check_cheapest(cover.cheapest(1, forbidden=forbidden), 1, left)
        [first, _] = cover.cheapest_batch(forbidden=[forbidden, []]).covers
        best = sorted(map(total, left), reverse=sign < 0)[:1]
        assert [each.cost for each in [first] if each is not None] == [*map(float, best)]
    read = ExactCover.read(cover.write(kind="json"), "json")
    assert chosen(read.solve()) == expected
    check_cheapest(read.cheapest(2), 2)
    assert cover.replace(**{keyword: costs}) == cover
    covers = len([*oracles.multiple_covers(options, bounds)])
    assert cover.replace(penalty={}).count() == covers
    if len(expected) < 100:
        check_symmetries(cover, total, chosen)


def check_symmetries(cover, total, chosen):
    """Compare a count up to symmetry with the orbits of all plans, whose costs are equal."""
    plans, n_orbits = {*map(tuple, cover.solve())}, 0
    group = cover.symmetries()
    while plans:
        first = next(iter(plans))
        orbit = {tuple(sorted(image[list(first)].tolist())) for image in group}
        assert orbit <= plans
        assert len({total(plan) for plan in chosen(orbit)}) == 1
        plans -= orbit
        n_orbits += 1
    assert cover.count(up_to_symmetry=True) == cover.count(up_to_symmetry=group) == n_orbits
