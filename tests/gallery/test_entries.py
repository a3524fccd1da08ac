"""Entries of the gallery: documentation, pictures, parameters and notebooks."""

import inspect
import re
from dataclasses import fields

import pytest

import dlx_numba
from dlx_numba import ExactCover
from dlx_numba.cover.prepare import SearchKeywords
from dlx_numba.gallery import GALLERY, Queens, Statement
from dlx_numba.gallery.parameters import parameters, with_parameters
from tests.helpers.pictures import parse_picture

pytestmark = pytest.mark.compiled  # the sizes are too large for kernels in plain Python


@pytest.mark.parametrize("name", GALLERY)
def test_each_problem_is_documented(name):
    docstring = inspect.getdoc(GALLERY[name])
    assert re.match(r".{,73}\.\n", docstring)
    assert all(part in docstring for part in ("Items: ", "Options: ", ">>> "))
    documented = re.findall(r"^(\w+(?:, \w+)*)\n    ", docstring, re.MULTILINE)
    names = [name for group in documented for name in group.split(", ")]
    assert names == [field.name for field in fields(GALLERY[name])]


@pytest.mark.parametrize("name", GALLERY)
def test_each_problem_is_solved_and_drawn(name):
    entry = with_parameters(GALLERY[name], parameters(GALLERY[name]))
    assert all(getattr(entry, field.name) == field.default for field in fields(entry))
    problem = entry.cover()
    solution = problem.first()
    assert entry.text(solution)
    assert not entry.text(solution).endswith("\n")
    picture = entry.svg(solution)
    if picture is not None:
        parse_picture(picture)
    parsed = ExactCover.from_knuth(problem.to_knuth())
    assert parsed.summary() == problem.summary()


def test_gallery_is_imported_on_first_access():
    assert dlx_numba.gallery.GALLERY is GALLERY
    with pytest.raises(AttributeError, match="no attribute 'galery'"):
        _ = dlx_numba.galery


def test_cover_accepts_the_parameters_of_exact_cover():
    names = inspect.signature(ExactCover).parameters.keys() - {*Statement._fields, "optional"}
    names -= {"exactly", "at_most", "at_least"}  # a statement has multiplicities
    assert SearchKeywords.__annotations__.keys() == names
    queens = Queens(6)
    stated = ExactCover(**queens.statement()._asdict(), given=[1], choose="leftmost")
    assert queens.cover(given=[1], choose="leftmost").solve() == stated.solve() != []
    with pytest.raises(TypeError, match="speed"):
        queens.cover(speed=2)


def test_entries_and_solutions_in_a_notebook():
    entry = Queens(6)
    text = entry._repr_html_()
    assert all(part in text for part in ("<p>Options: a queen", ">6</td>", "An empty board."))
    solutions = list(entry.solutions())
    assert [solution.options for solution in solutions] == entry.cover().solve()
    assert solutions[0]._repr_svg_() == entry.svg(solutions[0].options)
    assert solutions[0].cost is None
    assert Queens(3).first() is None


def test_entries_without_costs_have_no_cheapest_solution():
    with pytest.raises(ValueError, match="no costs"):
        Queens(4).cheapest()
