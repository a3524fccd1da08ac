"""Problems with numbered items: `p ec`, counted options, and the formats of the OR-Library."""

import random

import pytest

import dlx_numba as dlx
from dlx_numba.cover.io.detect import find_parser
from dlx_numba.cover.io.numbered import (
    parse_counted,
    parse_ec,
    parse_orlib,
)
from dlx_numba.cover.io.read import read_problem
from dlx_numba.runtime.errors import FormatError
from tests.helpers import INSTANCES
from tests.helpers.seeds import seeds

EC = "c pairs of three\r\nc\n\np ec 4\n s 1 2\nc in between\ns 3 4\ns\ns 4 2 1\n"
COUNTED = "4 4\n2 1 2\n\n2 3  4\r\n0\n 3 4 2 1\n"


@pytest.mark.parametrize(
    ("parse", "text"),
    [(parse_ec, EC), (parse_counted, COUNTED)],
)
def test_items_are_numbers(parse, text):
    assert find_parser(text) is parse
    problem = parse(text)
    assert list(problem.items) == [1, 2, 3, 4]
    assert problem.options == [[1, 2], [3, 4], [], [4, 2, 1]]
    assert dlx.ExactCover(**problem._asdict()).solve() == [[0, 1]]


def test_counted_items_are_numbered_from_0_if_there_is_an_item_0():
    assert list(parse_counted("3 2\n1 1\n2 0 2\n").items) == [0, 1, 2]
    assert list(parse_counted("3 2\n1 1\n2 1 2\n").items) == [1, 2, 3]


@pytest.mark.parametrize("suffix", [".ec", ".txt", ".ec.gz"])
def test_instances_have_their_published_counts(suffix):
    counts = {"matchings10.ec": 945, "dominoes6x6.txt": 6728, "partitions6.ec.gz": 203}
    [(name, count)] = [pair for pair in counts.items() if pair[0].partition(".")[2] == suffix[1:]]
    problem = dlx.ExactCover.from_file(INSTANCES / name)
    assert problem.items[0] == 1
    assert problem.count() == count


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "expected 'p ec' and the number of items"),
        ("c\n\np ec\n", 3, "expected 'p ec' and the number of items"),
        ("p ec 3 2\n", 1, "expected 'p ec' and the number of items"),
        ("p ec three\n", 1, "expected a nonnegative integer, not 'three'"),
        ("p ec -3\n", 1, "expected a nonnegative integer, not '-3'"),
        ("p ec 10000001\n", 1, "10,000,001 items are more than the maximum of 10,000,000"),
        ("p ec " + "9" * 5000, 1, "the number 999999999999999999... is too large"),
        ("p ec 3\n1 2\n", 2, "expected 's' and the items of an option, not '1'"),
        ("p ec 3\np ec 3\n", 2, "expected 's' and the items of an option, not 'p'"),
        ("p ec 3\n\ns 1 4\n", 3, "item 4 is out of range: there are 3 items, numbered from 1"),
        ("p ec 3\ns 0\n", 2, "item 0 is out of range: there are 3 items, numbered from 1"),
        ("p ec 0\ns 1\n", 2, "item 1 is out of range: there are 0 items, numbered from 1"),
        ("p ec 3\ns -1\n", 2, "expected a nonnegative integer, not '-1'"),
        ("p ec 3\ns ²\n", 2, "expected a nonnegative integer, not '²'"),
        ("p ec 3\ns 1 2 1\n", 2, "item 1 appears twice in the option"),
    ],
)
def test_invalid_ec_is_rejected_with_its_line(text, line, reason):
    with pytest.raises(FormatError) as caught:
        parse_ec(text, "toy.ec")
    assert str(caught.value) == f"toy.ec:{line}: {reason}"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "expected the number of items and the number of options"),
        ("3\n", 1, "expected the number of items and the number of options"),
        ("-3 1\n1 1\n", 1, "expected a nonnegative integer, not '-3'"),
        ("3 -1\n1 1\n", 1, "expected a nonnegative integer, not '-1'"),
        ("99999999 1\n1 1\n", 1, "99,999,999 items are more than the maximum of 10,000,000"),
        ("3 2\n1 1\n\n", 2, "1 option found, but the first line states 2"),
        ("3 2\n", 1, "0 options found, but the first line states 2"),
        ("3 1\n1 1\n\n1 2\n", 4, "2 options found, but the first line states 1"),
        ("3 1\n3 1 2\n", 2, "the option states 3 items, but has 2"),
        ("3 1\n1 1 2\n", 2, "the option states 1 item, but has 2"),
        ("3 1\n1 4\n", 2, "item 4 is out of range: there are 3 items, numbered from 1"),
        ("3 2\n1 0\n1 4\n", 3, "item 4 is out of range: there are 3 items, numbered from 0"),
        ("3 2\n1 3\n1 0\n", 2, "item 3 is out of range: there are 3 items, numbered from 0"),
        ("3 1\n2 1 -1\n", 2, "expected a nonnegative integer, not '-1'"),
        ("3 1\n2 1 b\n", 2, "expected a nonnegative integer, not 'b'"),
        ("3 1\n1.0 1\n", 2, "expected a nonnegative integer, not '1.0'"),
        ("3 1\n2 2 2\n", 2, "item 2 appears twice in the option"),
    ],
)
def test_invalid_counted_options_are_rejected_with_their_line(text, line, reason):
    with pytest.raises(FormatError) as caught:
        parse_counted(text, "toy.txt")
    assert str(caught.value) == f"toy.txt:{line}: {reason}"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("3 2\n7 1 1\n7 1 4\n", 3, "item 4 is out of range: there are 3 items, numbered from 1"),
        ("3 2\n7 1 1\n7 2 2 3\n7\n", 4, "expected a cost, the number of items, and these items"),
        ("3 2\n7 1 1\n-7 1 1\n", 3, "expected a nonnegative integer, not '-7'"),
        ("3 2\n7 1 1\n", 2, "1 option found, but the first line states 2"),
        ("2 2\n7\n", 2, "the text ends before the options of item 1"),
        ("2 2\n7 8\n1 1\n2 1\n", 4, "the text ends before the options of item 2"),
        ("2 2\n7 8 1\n1 2 1 1\n", 3, "option 1 appears twice in item 2"),
        ("2 2\n7 8\n\n1 3 1 1\n", 4, "item 1 has an option that is not from 1 to 2"),
        ("1 2\n7 8 1\n2\n9", 4, "more numbers than the first line states"),
    ],
)
def test_invalid_problems_of_the_library_are_rejected_with_their_line(text, line, reason):
    with pytest.raises(FormatError) as caught:
        parse_orlib(text, "toy.txt")
    assert str(caught.value) == f"toy.txt:{line}: {reason}"


def test_partitioning_and_covering_problems_have_costs(tmp_path):
    for seed in seeds(200):
        rng, n_items = random.Random(seed), 12
        items = range(1, n_items + 1)
        options = [sorted(rng.sample(items, rng.randint(1, 5))) for _ in range(rng.randint(3, 30))]
        costs = [rng.randint(0, 500) for _ in options]
        pairs = list(zip(costs, options, strict=True))
        head = f"{n_items} {len(options)}\n"
        partition = head + "".join(f"{c} {len(o)} {' '.join(map(str, o))} \n" for c, o in pairs)
        columns = [[k for k, option in enumerate(options, 1) if item in option] for item in items]
        words = [*costs, *(number for column in columns for number in [len(column), *column])]
        covering = head + "".join(f" {word}" + rng.choice(" \n") for word in words)
        for text, low, high in ((partition, 1, 1), (covering, 1, None)):
            path = tmp_path / "problem.txt"
            path.write_text(text)
            bounds = dict.fromkeys(items, (low, high))
            stated = dlx.ExactCover(options, items, multiplicity=bounds, costs=costs)
            assert dlx.ExactCover.from_file(path) == stated


@pytest.mark.parametrize(
    ("text", "items"),
    [
        # Knuth's format has precedence if the text is valid in it and has options.
        ("2 3\n2\n3\n", ["2", "3"]),
        ("2 1\n1 2\n", ["2", "1"]),
        ("1 3\n1 3\n1\n3\n", ["1", "3"]),
        ("p ec\np\nec\n", ["p", "ec"]),
        ("s 1 2\ns 1\n2\n", ["s", "1", "2"]),
        # Tables with two items, whose lines are not valid as counted options
        ("2 3\n1 1\n1 0\n0 1\n", ["2", "3"]),
        ("3 2\n1 0\n0 1\n", ["3", "2"]),
        ("10 20\na 1 0\nb 0 1\n", ["10", "20"]),
        # The numbers agree: counted options
        ("2 3\n1 1\n1 2\n2 1 2\n", [1, 2]),
        ("2 3\n1 1\n1 0\n1 1\n", [0, 1]),
        ("5 0\n", [1, 2, 3, 4, 5]),
        # `p ec`, with and without options
        ("p ec 3\n", [1, 2, 3]),
        ("c s\np ec 3\ns 1\n", [1, 2, 3]),
    ],
)
def test_ambiguous_texts(tmp_path, text, items):
    path = tmp_path / "problem"
    path.write_text(text)
    assert list(read_problem(path).items) == items


@pytest.mark.parametrize("bounds", [None, (1, None)])
def test_problems_with_costs_are_written_for_the_or_library(bounds, tmp_path):
    for seed in range(1, 40):
        rng = random.Random(seed)
        n_items, n_options = rng.randint(3, 6), rng.randint(4, 9)
        options = [
            sorted(rng.sample(range(1, n_items + 1), rng.randint(1, n_items)))
            for _ in range(n_options)
        ]
        costs = [rng.randint(0, 20) for _ in options]
        stated = dlx.ExactCover(options, range(1, n_items + 1), costs=costs, multiplicity=bounds)
        path = tmp_path / "problem.txt"
        read = parse_orlib(stated.to_orlib(path))
        assert (read.options, read.costs) == (options, costs)
        assert dlx.ExactCover(**read._asdict()).solve() == stated.solve()
        assert dlx.ExactCover.from_file(path).cheapest() == stated.cheapest()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "states a cost of each option"),
        ({"costs": [1, 0.5]}, "only JSON has"),
        ({"costs": [1, 2], "multiplicity": {"a": 2}}, "each item must be covered exactly once, or"),
        ({"costs": [1, 2], "secondary": ["b"]}, "each item must be covered exactly once, or"),
        ({"costs": [1, 2], "given": [0]}, "has no given or forbidden options"),
    ],
)
def test_other_problems_are_not_written_for_the_or_library(arguments, message):
    with pytest.raises(ValueError, match=message):
        dlx.ExactCover([["a"], ["a", "b"]], **arguments).to_orlib()
