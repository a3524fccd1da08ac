"""Sets by name, such as `S1 = {A, B}`."""

import random

import pytest

import dlx_numba as dlx
from dlx_numba.kinds.exact.sets import parse_sets, parse_unnamed_sets
from tests.helpers.problems import check_written, find_parser, named_problem, parsed
from tests.helpers.seeds import seeds

# Both of Wikipedia's article on exact covers
COLLECTION = "X = {1, 2, 3, 4}\nS = {N, O, P, E}\nN = {}\nO = {1, 3}\nP = {2, 3}\nE = {2, 4}\n"
SETS = (
    "A = {1, 4, 7}\nB = {1, 4};\n\n# a comment\nC = {4,5,7},\r\nD={ 3, 5 , 6 }\n"
    "E = {2, 3, 6, 7}\nF = {2, 7}"
)


@pytest.mark.parametrize(
    "name", ["U", "X", "𝒰", "universe", "Universe U", "universe:", "Universe: S"]
)
def test_the_universe_is_no_option(name):
    equals = "" if name.endswith(":") else "="
    for other in ("{B, C}", "{B}"):
        cover = parsed(parse_sets, f"{name} {equals} {{A, B, C}}\nS1 = {{A}}\nU2 = {other}\n")
        assert cover.option_names == ["S1", "U2"]
        assert cover.items == ["A", "B", "C"]
    line = f"{name} {equals} {{A, B, C}}; S1 = {{A}}, U2={{B}}"
    assert parsed(find_parser(line), line).option_names == ["S1", "U2"]


def test_a_set_named_like_the_universe_is_an_option_if_it_does_not_contain_all_others():
    assert list(parse_sets("U = {A, B}\nV = {C}\n").options) == ["U", "V"]
    statement = parse_sets("universe = {A, B}\nU = {A, B}\nV = {A}\n")
    assert list(statement.options) == ["U", "V"]


@pytest.mark.parametrize("name", ["U", "𝒰", "Universe"])
def test_the_universe_in_json_is_no_option(name):
    cover = dlx.ExactCover.read(f'{{"{name}": ["A", "B", 3], "S1": ["A"], "U2": ["B"]}}', "json")
    assert (cover.option_names, cover.items, cover.count()) == (["S1", "U2"], ["A", "B", 3], 0)
    with pytest.raises(ValueError, match=f"is {name} the universe or an option"):
        dlx.ExactCover.read(f'{{"S1": ["A"], "{name}": ["A"]}}', "json")


def test_sets_are_options():
    assert find_parser(SETS) is parse_sets
    cover = parsed(parse_sets, SETS)
    assert list(cover.items) == ["1", "4", "7", "5", "3", "6", "2"]
    assert [cover.option_names[option] for option in cover.solve()[0]] == ["B", "D", "F"]


@pytest.mark.parametrize(
    "text",
    [
        "{'P': {1, 2}, 'Q': {2}, 'R': {3}}",
        "Y = {\n    'P': [1, 2],\n    'Q': [2],\n    'R': [3]}\n",
        "X = {1, 2, 3}\nY = {\n    'P': [1, 2],\n    'Q': [2],\n    'R': [3]}\n",
        "Omega: {1, 2, 3}\nC = {P: {1, 2}, Q: {2}, R: {3}};\n",
        "P: {1, 2}\nQ: {2}\nR: {3}\n",
        "# sets\n* P = {1, 2};\n* Q := {2}; and\n* R = {3}.\n",
        "$U = \\{1, 2, 3\\}$\n\n$P = \\{1, 2\\}$, $Q = \\{2\\}$\n$$R = \\{3\\}$$\n",
        # After the universe, sets need no braces
        "Universe: 1 2 3\nSubsets:\nP: 1 2\nQ: 2\nR: 3\n",
        "U = [1, 2, 3]\nP = [1, 2]\nQ = [2]\nR = [3]\n",
        "Universe U = 1, 2, 3\n- P: 1, 2\n- Q: [2]\n- R: {3}\n",
        "X = {1, 2, 3}\n\nsets\nP = 1 2;\nQ = 2;\nR = 3.\n",
    ],
)
def test_sets_are_also_read_as_people_and_python_write_them(text):
    assert find_parser(text) is parse_sets
    cover = parsed(parse_sets, text)
    assert (cover.option_names, [*cover.items]) == (["P", "Q", "R"], ["1", "2", "3"])
    assert cover.solve() == [[0, 2]]


@pytest.mark.parametrize(
    "text",
    [
        "[{1, 2}, {2}, {3}]",
        "C = [\n  {1, 2}, {2},\n  {3}\n];\n",
        "A = {1, 2, 3}\nC = [[1, 2], [2], [3]]\n",
        "U = {1, 2, 3}\nC = {{1, 2}, {2}, {3}}\n",
        "U = {1, 2, 3}\nC = {\n0: {1, 2},\n1: {2},\n2: {3}\n}\n",
    ],
)
def test_sets_in_a_collection_need_no_names(text):
    cover = parsed(find_parser(text), text)
    assert (cover.solve(), cover.option_names) == ([[0, 2]], range(3))
    assert [*cover.items] == ["1", "2", "3"]


@pytest.mark.parametrize("text", ["U: Mon Tue\nV: Mon\n", "P: [1, 2]\nQ: [3]\n", "R = 1\nP = 2\n"])
def test_lists_without_braces_need_a_universe(text):
    assert find_parser(text) is not parse_sets


def test_lists_under_a_name_are_boards_or_matrices():
    for text in ("a = [[1, 0], [0, 1]]\n", "// sets\na = {{1, 0}, {0, 1}};\n", "x\na = {{1}, {2}}"):
        assert find_parser(text) is not parse_sets


def test_the_collection_of_all_sets_is_no_option():
    cover = parsed(parse_sets, COLLECTION)
    assert (cover.option_names, cover.items) == (["N", "O", "P", "E"], ["1", "2", "3", "4"])
    used = "S = {N, O}\nN = {1}\nO = {N, O}\n"
    assert list(parse_sets(used).options) == ["S", "N", "O"]


def test_sets_need_no_names():
    for seed in seeds(50):
        rng = random.Random(seed)
        items = [str(k) for k in range(1, rng.randint(4, 9))]
        rows = [rng.sample(items, rng.randint(1, 3)) for _ in range(8)]
        separator = rng.choice([", ", " "])
        space = rng.choice(["", " "])
        stated = [f"{{{space}{separator.join(row)}{space}}}" for row in rows]
        universe = rng.choice(["", f"{{ {' '.join(items)} }}\n"])
        text = rng.choice(["\n", ", "]).join(stated)
        text = f"{universe}{{\n{text}\n}}\n" if universe else rng.choice([text, f"{{{text}}}"])
        if not universe and all(map(set(rows[0]).issuperset, rows[1:])):
            continue
        assert find_parser(text) is parse_unnamed_sets
        expected = dlx.ExactCover(rows, items if universe else None)
        assert parsed(parse_unnamed_sets, text).solve() == expected.solve()


def test_commas_in_brackets_and_quotes_belong_to_names():
    options = parse_sets("A = {(1, 2), 'a, b'}\nB = {\"a, b\", New York}\n").options
    assert options == {"A": ["(1,2)", "a,b"], "B": ["a,b", "New York"]}


def test_sets_of_random_problems_are_read_again():
    for seed in seeds(200):
        options = [
            [item for item in option if isinstance(item, str) and item.isalnum()]
            for option in named_problem(seed).options
        ]
        if options:
            sets = {f"S{k}": items for k, items in enumerate(options)}
            text = "".join(f"{name} = {{{', '.join(items)}}}\n" for name, items in sets.items())
            check_written(text, parse_sets, dlx.ExactCover(sets))
