"""Isomorph rejection: multiplicities, normal forms, and counts of random and known problems."""

import random

import pytest

import dlx_numba as dlx
from dlx_numba.kernels.symmetry.isomorphs import IsomorphClasses, normal_form
from tests.helpers.counting import latin_squares, matchings, partitions
from tests.helpers.problems import stated_problem
from tests.helpers.seeds import seeds


def divide(problem):
    classes = IsomorphClasses(problem)
    while not classes.is_done:
        classes.divide()
    return classes


def shuffled(cover, rng):
    """Return a problem with its items and options in another order."""
    n_primary = cover.problem.n_primary
    lists = cover.options, cover.items[:n_primary], cover.items[n_primary:]
    return dlx.ExactCover(*(rng.sample(each, len(each)) for each in lists)).problem


@pytest.mark.parametrize(
    ("cover", "expected", "n_divided"),
    [
        (matchings(20), 654_729_075, 10),
        (partitions(6), 203, 6),
        (latin_squares(5), 161_280, None),
    ],
    ids=["matchings", "partitions", "latin5"],
)
def test_known_counts(cover, expected, n_divided):
    classes = divide(cover.problem)
    assert classes.n_covers == expected
    assert n_divided is None or classes.n_divided == n_divided


def test_classes_have_all_covers_at_any_time():
    for seed in seeds(30):
        cover, expected = stated_problem(seed, "smallest", has_bounds=False)
        classes = IsomorphClasses(cover.search()._spec.problem)
        n_counted = 0
        while not classes.is_done:
            if classes.divide() and not classes.is_done:
                problem, multiplicity = classes.pop()
                n_counted += multiplicity * divide(problem).n_covers
        assert classes.n_covers + n_counted == len(expected)


def test_normal_forms_of_shuffled_problems_with_many_symmetries_are_equal():
    rng = random.Random(1)
    queens = dlx.example("queens", n=5).cover()
    for cover in (matchings(6), partitions(4), latin_squares(3), queens):
        form = normal_form(cover.problem)
        assert all(normal_form(shuffled(cover, rng)) == form for _ in range(10))


def test_problems_with_other_colors_or_items_have_other_normal_forms():
    pairs = [[("s", 1), ("s", 1)], [("s", 1), ("s", 2)], ["s", "s"]]
    covers = [dlx.ExactCover([["a", x], ["b", y]], secondary=["s"]) for x, y in pairs]
    covers.append(dlx.ExactCover([["a", "s"], ["b", "s"]]))
    assert len({normal_form(cover.problem) for cover in covers}) == 4
