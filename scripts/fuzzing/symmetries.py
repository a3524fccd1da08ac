"""A campaign for symmetries, and for counts and covers up to symmetry, against brute force."""

import random
from pathlib import Path

from dlx_numba import ExactCover
from tests.helpers import orbits

from .checks import check, check_equal, kept_on_failure

MAX_COVERS = 20_000


def find_orbits(rng: random.Random, folder: Path) -> None:
    """Compare the symmetries and orbits of a problem with those that brute force finds."""
    cover, *conditions = orbits.symmetric_problem(rng.randrange(2**32))
    with kept_on_failure(folder / "problem.json", cover.to_json):
        expected = list(orbits.symmetries(cover, *conditions))
        group = cover.symmetries()
        images = [each.tolist() for each in group]
        check_equal("order", group.order, len(expected))
        check_equal("symmetries", sorted(images), sorted(options for _, options in expected))
        known = [image for image, _ in expected]
        check(all(each in known for each in group.generators), "a generator is no symmetry")
        if cover.problem.color is None:  # a function does not change colors
            group = cover.symmetries(rng.sample(known, min(len(known), 2)))
            images = [each.tolist() for each in group]
        if cover.count(limit=MAX_COVERS) < MAX_COVERS:
            compare(rng, cover, orbits.orbits(cover.solve(), images), group)


def compare(rng: random.Random, cover: ExactCover, classes: list, group) -> None:
    """Compare all functions that accept a group with the orbits."""
    threads = rng.choice([1, 1, 2])
    counted = cover.count(up_to_symmetry=group, threads=threads)
    check_equal("count", counted, len(classes))
    smallest = sorted(orbit[0] for orbit in classes)
    found = cover.solve(up_to_symmetry=group, threads=threads)
    check_equal("solve", sorted(found), smallest)
    limit = rng.randint(0, len(classes) + 1)
    check_equal("limit", cover.solve(limit, up_to_symmetry=group), found[:limit])
    costs = sorted(map(cover.cost, smallest))
    k = rng.randint(1, len(classes) + 1)
    cheapest = [cost for cost, _ in cover.cheapest(k, up_to_symmetry=group)]
    check_equal("cheapest", cheapest, costs[:k])
    if cover.problem.low is None:
        check_equal("memo", cover.count(up_to_symmetry=group, method="memo"), len(classes))
        check_equal("diagram", cover.diagram().count(up_to_symmetry=group), len(classes))
