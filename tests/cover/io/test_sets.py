"""Sets by name, such as `S1 = {A, B}`."""

import pytest

import dlx_numba as dlx
from dlx_numba.cover.io.read import find_parser
from dlx_numba.cover.io.table import parse_sets
from tests.helpers.problems import named_problem
from tests.helpers.seeds import seeds

# Of Wikipedia's article on exact covers
SETS = (
    "A = {1, 4, 7}\nB = {1, 4};\n\n# a comment\nC = {4,5,7},\r\nD={ 3, 5 , 6 }\n"
    "E = {2, 3, 6, 7}\nF = {2, 7}"
)


@pytest.mark.parametrize(
    "name", ["U", "X", "𝒰", "universe", "Universe U", "universe:", "Universe: S"]
)
def test_the_universe_is_no_option(name):
    equals = "" if name.endswith(":") else "="
    statement = parse_sets(f"{name} {equals} {{A, B, C}}\nS1 = {{A}}\nU2 = {{B, C}}\n")
    cover = dlx.ExactCover(**statement._asdict())
    assert [cover.names(solution) for solution in cover] == [["S1", "U2"]]
    uncovered = parse_sets(f"{name} {equals} {{A, B, C}}\nS1 = {{A}}\nS2 = {{B}}\n")
    assert dlx.ExactCover(**uncovered._asdict()).solve() == []


def test_a_set_named_like_the_universe_is_an_option_if_it_does_not_contain_all_others():
    assert list(parse_sets("U = {A, B}\nV = {C}\n").options) == ["U", "V"]
    statement = parse_sets("universe = {A, B}\nU = {A, B}\nV = {A}\n")
    assert list(statement.options) == ["U", "V"]


def test_sets_are_options(tmp_path):
    path = tmp_path / "sets.txt"
    path.write_text(SETS)
    cover = dlx.ExactCover.from_file(path)
    assert list(cover.items) == ["1", "4", "7", "5", "3", "6", "2"]
    assert [cover.option_names[option] for option in cover.solve()[0]] == ["B", "D", "F"]


def test_sets_of_random_problems_are_read_again():
    for seed in seeds(200):
        options = [
            [e for e in option if isinstance(e, str)] for option in named_problem(seed).options
        ]
        texts = [[item for item in o if item.isalnum()] for o in options]
        text = "".join(f"S{k} = {{{', '.join(items)}}}\n" for k, items in enumerate(texts))
        if texts:
            assert find_parser(text) is parse_sets
            assert dlx.ExactCover(**parse_sets(text)._asdict()).options == texts
