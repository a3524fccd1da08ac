"""Sets by name, such as `S1 = {A, B}`."""

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.exact.read import plain_format
from dlx_numba.puzzles.exact.sets import parse_sets
from dlx_numba.runtime.errors import FormatError
from tests.helpers.problems import check_written, oddly_named_problem, parsed
from tests.helpers.seeds import seeds

# Both of Wikipedia's article on exact covers
COLLECTION = "S = {N, O, P, E}\nN = {}\nO = {1, 3}\nP = {2, 3}\nE = {2, 4}\n"
SETS = (
    "A = {1, 4, 7}\nB = {1, 4};\n\n# a comment\nC = {4,5,7},\r\nD={ 3, 5 , 6 }\n"
    "E = {2, 3, 6, 7}\nF = {2, 7}"
)


@pytest.mark.parametrize("name", ["universe", "Universe U"])
def test_the_universe_is_no_option(name):
    for other in ("{B, C}", "{B}"):
        cover = parsed(parse_sets, f"{name} = {{A, B, C}}\nS1 = {{A}}\nU2 = {other}\n")
        assert cover.option_names == ["S1", "U2"]
        assert cover.items == ["A", "B", "C"]
    line = f"{name} = {{A, B, C}}; S1 = {{A}}, U2={{B}}"
    assert parsed(parse_sets, line).option_names == ["S1", "U2"]


@pytest.mark.parametrize("name", ["U", "X", "𝒰", "S"])
def test_a_set_that_may_be_the_universe_is_asked_for(name):
    lines = [f"{name} = {{A, B, C}}", "S1 = {A}", "U2 = {B, C}"]
    for place in range(name != "S", 3):
        ordered = [*lines[1 : place + 1], lines[0], *lines[place + 1 :]]
        reason = f"toy:{place + 1}: is {name} the universe or an option"
        with pytest.raises(FormatError, match=reason):
            parse_sets("\n".join(ordered), "toy")


def test_a_set_named_like_the_universe_is_an_option_if_it_does_not_contain_all_others():
    assert list(parse_sets("U = {A, B}\nV = {C}\n").options) == ["U", "V"]
    statement = parse_sets("universe = {A, B}\nU = {A, B}\nV = {A}\n")
    assert list(statement.options) == ["U", "V"]


@pytest.mark.parametrize("name", ["U", "𝒰", "Universe"])
def test_the_universe_in_json_is_no_option(name):
    for text in (f'{{"{name}": ["A", "B", 3], "S1": ["A"]}}', f'{{"S1": ["A"], "{name}": ["A"]}}'):
        with pytest.raises(ValueError, match=f"is {name} the universe or an option"):
            dlx.ExactCover.read(text, "json")


def test_sets_are_options():
    assert plain_format(SETS) == "sets"
    cover = parsed(parse_sets, SETS)
    assert list(cover.items) == ["1", "4", "7", "5", "3", "6", "2"]
    assert [cover.option_names[option] for option in cover.solve()[0]] == ["B", "D", "F"]


@pytest.mark.parametrize(
    "text",
    ["P: {1}\nQ: {2}\n", "P = [1]\nQ = [2]\n", "{1}\n{2}\n", "Universe: 1 2\nP: 1\n", "P = {\n1}"],
)
def test_other_notations_of_sets_are_rejected(text):
    assert plain_format(text) is None
    with pytest.raises(FormatError, match="toy:1: expected a set such as"):
        parse_sets(text, "toy")


def test_the_collection_of_all_sets_is_no_option():
    for text in (COLLECTION, f"universe = {{1, 2, 3, 4}}\n{COLLECTION}"):
        with pytest.raises(FormatError, match="S has names of sets: leave it out if it is their"):
            parse_sets(text)
    used = "S = {N, O}\nN = {1}\nO = {N, O}\n"
    assert list(parse_sets(used).options) == ["S", "N", "O"]
    stated = "universe = {N, O, 1}\nS = {N, O}\nN = {1}\nO = {1}\n"
    assert list(parse_sets(stated).options) == ["S", "N", "O"]


def test_commas_in_brackets_and_quotes_belong_to_names():
    options = parse_sets("A = {(1, 2), 'a, b'}\nB = {\"a, b\", New York}\n").options
    assert options == {"A": ["(1,2)", "a, b"], "B": ["a, b", "New York"]}
    assert parse_sets('A = {"a,b", "a, b"}').options == {"A": ["a,b", "a, b"]}


def test_sets_of_random_problems_are_read_again():
    for seed in seeds(200):
        options = [
            [item for item in option if isinstance(item, str) and item.isalnum()]
            for option in oddly_named_problem(seed).options
        ]
        if options:
            sets = {f"S{k}": items for k, items in enumerate(options)}
            text = "".join(f"{name} = {{{', '.join(items)}}}\n" for name, items in sets.items())
            check_written(text, parse_sets, dlx.ExactCover(sets))


@pytest.mark.parametrize("name", ["U", "X", "𝒰"])
def test_a_first_set_that_contains_all_others_is_the_universe(name):
    text = f"# a text book\n{name} = {{A, B, C}}\nS1 = {{A}}\nS2 = {{A, B}}\nS3 = {{B, C}}\n"
    with pytest.warns(
        UserWarning, match=f"<text>: {name} contains all others, so it is the universe"
    ):
        cover = parsed(parse_sets, text)
    assert (cover.option_names, [*cover.items]) == (["S1", "S2", "S3"], ["A", "B", "C"])
    assert cover.first().names == ["S1", "S3"]
    with pytest.warns(UserWarning, match="universe"):
        assert parsed(parse_sets, f"{name} = {{A, B, C}}\nS1 = {{A}}\nS2 = {{B}}\n").count() == 0


@pytest.mark.parametrize("title", ["My sets", "My sets:", "A B"])
def test_a_title_above_sets_is_skipped(title):
    for space in ("\n", "\n\n"):
        text = f"{title}{space}A = {{1, 2}}\nB = {{3}}\n"
        assert plain_format(text) == "sets"
        assert parse_sets(text).options == {"A": ["1", "2"], "B": ["3"]}


def test_a_line_of_items_above_sets_is_no_title():
    with pytest.raises(ValueError, match="<text>:2: is the line 'a b' above the sets a title"):
        parse_sets("a b\nA = {a}\nB = {b}\n")
