"""A campaign for symmetries, and for counts and covers up to symmetry, against brute force."""

import random
from functools import partial
from pathlib import Path
from typing import Any

from dlx_numba import ExactCover
from tests.helpers import orbits
from tests.helpers.problems import ranked

from .checks import check, check_equal, kept_on_failure

MAX_COVERS = 20_000


def find_orbits(rng: random.Random, folder: Path) -> None:
    """Compare the symmetries and orbits of a problem with those that brute force finds."""
    cover = orbits.symmetric_problem(rng.randrange(2**32))
    with kept_on_failure(folder / "problem.json", partial(cover.write, kind="json")):
        expected = list(orbits.symmetries(cover))
        group = cover.symmetries()
        images = [each.tolist() for each in group]
        check_equal("order", group.order, len(expected))
        check_equal("symmetries", sorted(images), sorted(options for _, options in expected))
        known = [image for image, _ in expected]
        check(all(each in known for each in group.generators), "a generator is no symmetry")
        is_whole = cover.problem.color is not None or rng.random() < 0.5
        if not is_whole:  # a function does not change colors
            functions = rng.sample(known, min(len(known), 2))
            group = cover.symmetries(functions)
            check_equal("generators", group.generators, functions)
            images = [each.tolist() for each in group]
            closed = orbits.closure([each.tolist() for each in group.options], images[0])
            check_equal("subgroup", set(map(tuple, images)), closed)
        if cover.count(limit=MAX_COVERS) < MAX_COVERS:
            classes = orbits.orbits(cover.solve(), images)
            compare(rng, cover, classes, group, rng.choice([True, group]) if is_whole else group)


def compare(
    rng: random.Random, cover: ExactCover, classes: list[Any], group: Any, stated: Any
) -> None:
    """Compare all functions that accept a group, or find it, with the orbits."""
    threads = rng.choice([1, 1, 2])
    counted = cover.replace(threads=threads).count(up_to_symmetry=stated)
    check_equal("count", counted, len(classes))
    smallest = sorted(orbit[0] for orbit in classes)
    found = cover.replace(threads=threads).solve(up_to_symmetry=stated)
    check_equal("solve", sorted(found), smallest)
    limit = rng.randint(0, len(classes) + 1)
    check_equal("limit", cover.solve(limit, up_to_symmetry=stated), found[:limit])
    pairs = ranked(cover, smallest)
    k = rng.randint(1, len(classes) + 1)
    cheapest = cover.cheapest(k, up_to_symmetry=stated)
    check_equal("cheapest", [each.cost for each in cheapest], [cost for cost, _ in pairs][:k])
    are_first = all((each.cost, list(each)) in pairs for each in cheapest)
    check(are_first, "cheapest: not the first of an orbit")
    if cover.problem.low is None:
        check_equal("memo", cover.count(up_to_symmetry=stated, method="memo"), len(classes))
        check_equal("diagram", cover.diagram().count(up_to_symmetry=group), len(classes))
