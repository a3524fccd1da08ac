"""Isomorph rejection: multiplicities, normal forms, and counts of random and known problems."""

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.kernels.problem import Problem
from dlx_numba.kernels.symmetry.isomorphs import IsomorphClasses, normal_form
from tests.helpers import oracles
from tests.helpers.counting import latin_squares, matchings, partitions
from tests.helpers.seeds import seeds


def divide(problem):
    classes = IsomorphClasses(problem)
    while not classes.is_done:
        classes.divide()
    return classes


def renamed(problem, seed):
    """Return a problem with its items and options in another order."""
    rng = np.random.default_rng(seed)
    primary, options = rng.permutation(problem.n_primary), rng.permutation(problem.n_options)
    secondary = problem.n_primary + rng.permutation(problem.n_secondary)
    names = np.concatenate([primary, secondary])
    rows = [slice(problem.indptr[k], problem.indptr[k + 1]) for k in options]
    color = problem.color
    return problem._replace(
        indptr=np.cumsum([0, *(row.stop - row.start for row in rows)]),
        items=np.concatenate([names[problem.items[row]] for row in rows]),
        color=None if color is None else np.concatenate([color[row] for row in rows]),
    )


@pytest.mark.parametrize(
    ("cover", "expected", "n_divided"),
    [
        (matchings(20), 654_729_075, 10),
        (partitions(6), 203, 6),
        (latin_squares(4), 576, None),
        (latin_squares(5), 161_280, None),
        (latin_squares(6), 812_851_200, None),
    ],
    ids=["matchings", "partitions", "latin4", "latin5", "latin6"],
)
def test_known_counts(cover, expected, n_divided):
    classes = divide(cover.problem)
    assert classes.n_covers == expected
    assert n_divided is None or classes.n_divided == n_divided


def test_classes_have_all_covers_at_any_time():
    for seed in seeds(30):
        cover, expected = oracles.stated_problem(seed, "smallest", has_bounds=False)
        classes = IsomorphClasses(cover.search().spec.problem)
        n_counted = 0
        while not classes.is_done:
            if classes.divide() and not classes.is_done:
                problem, multiplicity = classes.pop()
                n_counted += multiplicity * divide(problem).n_covers
        assert classes.n_covers + n_counted == len(expected)


def test_normal_forms_of_renamed_problems_with_many_symmetries_are_equal():
    for cover in (matchings(6), partitions(4), latin_squares(3), dlx.gallery.Queens(5).cover()):
        form = normal_form(cover.problem)
        assert all(normal_form(renamed(cover.problem, seed)) == form for seed in range(10))


def test_problems_with_other_colors_or_items_have_other_normal_forms():
    start, items = np.array([0, 2, 4]), np.array([0, 2, 1, 2])
    problems = [
        Problem(start, items, 2, 1, np.array([0, 1, 0, 1], np.int32)),
        Problem(start, items, 2, 1, np.array([0, 1, 0, 2], np.int32)),
        Problem(start, items, 2, 1),
        Problem(start, items, 3, 0),
    ]
    assert len(set(map(normal_form, problems))) == 4
