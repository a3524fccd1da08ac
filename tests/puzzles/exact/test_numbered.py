"""Problems with numbered items: `p ec`, counted options, and the formats of the OR-Library."""

import random

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.exact.numbered import parse_ec, parse_orlib
from dlx_numba.puzzles.exact.read import plain_format
from dlx_numba.runtime.errors import FormatError
from dlx_numba.runtime.source import named_stream
from tests.helpers import INSTANCES
from tests.helpers.problems import check_written
from tests.helpers.seeds import seeds

EC = "c pairs of three\r\nc\n\np ec 4\n s 1 2\nc in between\ns 3 4\ns\ns 4 2 1\n"
COUNTED = "4 4\n2 1 2\n\n2 3  4\r\n0\n 3 4 2 1\n"


@pytest.mark.parametrize(("parse", "text"), [(parse_ec, EC), (parse_orlib, COUNTED)])
def test_items_are_numbers(parse, text):
    problem = dlx.ExactCover([[1, 2], [3, 4], [], [4, 2, 1]], [1, 2, 3, 4])
    check_written(text, parse, problem)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3 2\n1 1\n2 0 2\n", "item 0 is unknown"),
        ("2 3\n2 1 2\n1 2\n", "2 options found"),
        ("2 3\n2 1 3\n1 2\n", "item 3 is unknown"),
        ("4 2\n2 1 2\n", "1 option found"),
    ],
)
def test_the_sizes_are_those_of_items_and_options(text, reason):
    with pytest.raises(FormatError, match=reason):
        parse_orlib(text)


def test_numbers_are_not_plain():
    for text in ("2 3\n2\n3\n", "3 2\n2 1 3\n1 2\n", "3 1\n0 1 1\n"):
        assert plain_format(text) is None
        with pytest.raises(ValueError, match=r"toy: the text does not say what it is .* --kind"):
            dlx.ExactCover.read(named_stream(text.encode(), "toy"))


@pytest.mark.parametrize(
    ("name", "kind", "count"),
    [
        ("matchings10.ec", None, 945),
        ("dominoes6x6.txt", "orlib", 6728),
        ("partitions6.ec.gz", None, 203),
    ],
)
def test_instances_have_their_published_counts(name, kind, count):
    problem = dlx.ExactCover.read(INSTANCES / name, kind)
    assert problem.items[0] == 1
    assert problem.count() == count


@pytest.mark.parametrize("bounds", [None, (1, None)])
def test_what_costs_and_numbers_of_items_may_be_is_read_as_it_was_written(bounds):
    """Small costs, which could be the numbers of items that follow them."""
    for seed in seeds(2000, at_least=300):
        rng = random.Random(seed)
        items = range(1, rng.randint(2, 5))
        options = [
            sorted(rng.sample(items, rng.randint(0, len(items)))) for _ in range(rng.randint(1, 5))
        ]
        costs = rng.choices(range(5), k=len(options))
        stated = dlx.ExactCover(options, items, multiplicity=bounds, costs=costs)
        assert dlx.ExactCover.read(stated.write(kind="orlib"), kind="orlib") == stated


@pytest.mark.parametrize("bounds", [None, (1, None)])
def test_problems_with_costs_are_written_for_the_or_library_and_read(bounds, tmp_path):
    path, items = tmp_path / "problem.txt", range(1, 13)
    for seed in seeds(200):
        rng = random.Random(seed)
        options = [sorted(rng.sample(items, rng.randint(1, 5))) for _ in range(rng.randint(12, 30))]
        costs = [rng.randint(0, 500) for _ in options]
        stated = dlx.ExactCover(options, items, multiplicity=bounds, costs=costs)
        stated.write(path, "orlib")
        head, _, words = path.read_text().partition("\n")
        assert dlx.ExactCover.read(path, "orlib") == stated
        if bounds:  # the lines have any length
            words = [word + rng.choice(" \n") for word in words.split()]
            path.write_text("".join([head, "\n", *words]))
            assert dlx.ExactCover.read(path, "orlib") == stated


def test_lines_that_may_have_costs_or_none_are_read_with_costs_and_a_notice():
    with pytest.warns(UserWarning, match="<text>: each line is read as a cost, a number of items"):
        problem = parse_orlib("2 1\n2 1 2\n")
    assert (problem.options, problem.costs) == ([[2]], [2])
