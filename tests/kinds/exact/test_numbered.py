"""Problems with numbered items: `p ec`, counted options, and the formats of the OR-Library."""

import random

import pytest

import dlx_numba as dlx
from dlx_numba.kinds.exact.numbered import parse_counted, parse_ec
from dlx_numba.kinds.exact.read import parse_file
from dlx_numba.runtime.errors import FormatError
from tests.helpers import INSTANCES
from tests.helpers.problems import check_written
from tests.helpers.seeds import seeds

EC = "c pairs of three\r\nc\n\np ec 4\n s 1 2\nc in between\ns 3 4\ns\ns 4 2 1\n"
COUNTED = "4 4\n2 1 2\n\n2 3  4\r\n0\n 3 4 2 1\n"


@pytest.mark.parametrize(("parse", "text"), [(parse_ec, EC), (parse_counted, COUNTED)])
def test_items_are_numbers(parse, text):
    problem = dlx.ExactCover([[1, 2], [3, 4], [], [4, 2, 1]], [1, 2, 3, 4])
    check_written(text, parse, problem)


def test_counted_items_are_numbered_from_0_if_there_is_an_item_0():
    assert list(parse_counted("3 2\n1 1\n2 0 2\n").items) == [0, 1, 2]
    assert list(parse_counted("3 2\n1 1\n2 1 2\n").items) == [1, 2, 3]


def test_comments_may_precede_the_numbers():
    assert dlx.ExactCover.read("# pairs\n2 2\n1 1\n1 2\n").items == dlx.ExactCover([[1], [2]]).items


def test_the_number_of_options_may_be_first_if_only_this_fits():
    for options, items in (([[1, 3], [2]], 3), ([[1], [2, 1], [2]], 2)):
        lines = [f"{len(options)} {items}", *(f"{len(o)} {' '.join(map(str, o))}" for o in options)]
        stated = parse_counted("\n".join(lines))
        assert (list(stated.items), stated.options) == ([*range(1, items + 1)], options)
    for text in ("2 3\n2 1 2\n1 2\n", "2 3\n7 2 1 3\n7 1 2\n"):
        with pytest.raises(FormatError, match=r"options found|is unknown"):
            parse_counted(text)


@pytest.mark.parametrize(
    ("name", "count"),
    [("matchings10.ec", 945), ("dominoes6x6.txt", 6728), ("partitions6.ec.gz", 203)],
)
def test_instances_have_their_published_counts(name, count):
    problem = dlx.ExactCover.read(INSTANCES / name)
    assert problem.items[0] == 1
    assert problem.count() == count


@pytest.mark.parametrize(
    ("text", "items"),
    [
        # Knuth's format has precedence if the text is valid in it and has options.
        ("2 3\n2\n3\n", ["2", "3"]),
        ("1 3\n1 3\n1\n3\n", ["1", "3"]),
        ("p ec\np\nec\n", ["p", "ec"]),
        ("s 1 2\ns 1\n2\n", ["s", "1", "2"]),
        # Tables with two items, whose lines are not valid as counted options
        ("2 3\n1 1\n1 0\n0 1\n", ["2", "3"]),
        ("10 20\na 1 0\nb 0 1\n", ["10", "20"]),
        # Costs of 0 and 1 are no cells if there are more than two on a line.
        ("2 4\n1 1 1 1\n2 1 2\n3 2 3 4\n", [1, 2]),
        # The numbers agree: counted options
        ("2 3\n1 1\n1 2\n2 1 2\n", [1, 2]),
        ("5 0\n", [1, 2, 3, 4, 5]),
        # `p ec`, with and without options
        ("p ec 3\n", [1, 2, 3]),
        ("c s\np ec 3\ns 1\n", [1, 2, 3]),
    ],
)
def test_ambiguous_texts(text, items):
    assert list(parse_file(text.encode(), "toy").statement.items) == items


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("2 1\n1 2\n", r"Knuth's format or numbered options"),
        ("3 2\n1 0\n0 1\n", "a matrix after its width or a table"),
        ("2 3\n1 1\n1 0\n1 1\n", "numbered options .* or a table"),
        ("3 1\n0 1 1\n", "a matrix after its width or numbered options"),
    ],
)
def test_a_text_in_two_formats_is_an_error_that_names_both(text, formats):
    with pytest.raises(ValueError, match=f"toy: the text could be {formats}.*; state which with"):
        parse_file(text.encode(), "toy")


def test_the_name_of_a_format_decides():
    counts = {"matrix": 1, "orlib": 0}
    for name, count in counts.items():
        stated = parse_file(b"3 1\n0 1 1\n", "toy", kind=name).statement
        assert dlx.ExactCover(**stated._asdict()).count() == count


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
        assert dlx.ExactCover.read(path) == stated
        if bounds:  # the lines have any length
            words = [word + rng.choice(" \n") for word in words.split()]
            path.write_text("".join([head, "\n", *words]))
            assert dlx.ExactCover.read(path) == stated
