"""Exact cover problems as JSON objects, and names as text."""

import json
import random

import pytest

import dlx_numba as dlx
from dlx_numba.kinds.exact.json import parse_json
from dlx_numba.kinds.reading import read_any
from dlx_numba.runtime.errors import FormatError
from dlx_numba.runtime.source import named_stream
from tests.helpers.problems import check_written, find_parser, formatted, with_costs
from tests.helpers.seeds import seeds

JSON = """{"items": ["a", 7], "secondary": ["s"], "multiplicity": {"7": [1, 2]}, "costs": [1, 2, 3],
 "options": [["a", ["s", "x"]], [7, ["s", "x"]],
 [7]]}"""


def test_written_problem_is_the_same_object() -> None:
    cover = dlx.ExactCover.read(JSON, "json")
    check_written(cover.write(kind="json"), parse_json, cover)
    assert with_costs(cover.cheapest(9)) == [(3, [0, 1]), (4, [0, 2]), (6, [0, 1, 2])]
    assert json.loads(cover.write(kind="json")) == json.loads(JSON)
    empty = dlx.ExactCover.read('{"options": []}', "json")
    assert empty.write(kind="json") == '{"items": [],\n "options": []}\n'


def test_integers_and_their_text_are_different_names() -> None:
    options = [[1, ("s", 1)], ["1", ("s", "1")]]
    cover = dlx.ExactCover(options, secondary=["s"])
    assert dlx.ExactCover.read(cover.write(kind="json"), "json").count() == cover.count() == 0


def test_names_of_options_are_the_keys_of_an_object() -> None:
    options = '{"S1": ["A"], "1": ["A", "B"], "S3": ["B"]}'
    assert parse_json(options) == parse_json(f'{{"options": {options}}}')
    cover = dlx.ExactCover.read(f'{{"options": {options}, "costs": {{"S3": 5, "1": 2}}}}', "json")
    assert cover.option_names == ["S1", 1, "S3"]
    assert with_costs(cover.cheapest(2)) == [(2, [1]), (5, [0, 2])]
    assert dlx.ExactCover.read(cover.write(kind="json"), "json").option_names == ["S1", 1, "S3"]
    with pytest.raises(ValueError, match="options '1' and 1 are both written '1'"):
        dlx.ExactCover({"1": ["A"], 1: ["A"]}).write(kind="json")


def test_a_named_list_of_rows_of_0_and_1_is_a_matrix() -> None:
    matrix = dlx.ExactCover.read('{"matrix": [[1, 0], [0, 1], [1, 1]]}', "json")
    assert matrix == dlx.ExactCover.read("10\n01\n11\n", "matrix")
    options = dlx.ExactCover.read('{"options": [[1, 0], [0, 1]]}', "json")
    assert options.count() == 2
    with pytest.raises(ValueError, match="the problem has 3 options, and max_options is 2"):
        dlx.ExactCover.read('{"matrix": [[1, 0], [0, 1], [1, 1]]}', "json", max_options=2)
    with pytest.raises(ValueError, match="the problem has 4 entries, and max_entries is 3"):
        dlx.ExactCover.read('{"matrix": [[1, 0], [0, 1], [1, 1]]}', "json", max_entries=3)


def test_a_list_of_rows_with_names_is_a_problem() -> None:
    rows = '[{"row_id": "x", "items": ["a"]}, {"row_id": "y", "items": ["b"]}]'
    assert parse_json(rows) == parse_json(f'{{"rows": {rows}}}')


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"options": [["a"]', "1: not valid JSON: "),
        ('{"options"\n: [["a"], }', "2: not valid JSON: "),
        ("{}", ' expected a JSON object with the key "options"'),
        ("[]", ' expected a JSON object with the key "options"'),
        ('[["A", "B"], ["B"]]', " is the first list that of all items, or an option?"),
        ('["A", ["B"]]', ' expected a JSON object with the key "options"'),
        ("{'A': [(1, 2)], }", "1: not valid JSON: "),
        ('{"items": []}', ' expected a JSON object with the key "options"'),
        ('{"options": 1}', " options must be a list or an object, not 1"),
        ('{"a": 1}', r" option 'a' must be a list of .*, not 1"),
        ('{"options": {"S1": 1}}', " option 'S1' must be a list of strings, integers and"),
        ('{"options": {"S": [], "S": []}}', " the key 'S' appears twice in a JSON object"),
        ('{"options": [], "items": 5}', " items must be a list of strings and integers, not 5"),
        ('{"options": [], "costs": 1}', " costs must be a list or an object of numbers, not 1"),
        ('{"options": [{"items": 5}]}', " option 0 must be a list of strings, integers and pairs"),
        ('{"options": [{"A": 1}]}', " option 0 must be a list; options with names are an object"),
        ('{"rows": [{"items": ["A"], "size": 1}]}', " option 0 has an unknown key 'size'"),
        ('{"rows": [{"items": ["A"], "id": []}]}', " the name of option 0 must be a string or an"),
        (
            '{"rows": [{"items": [], "id": 1}, {"items": [], "id": 1}]}',
            " the option name 1 appears",
        ),
        ('{"options": [[null]]}', " option 0 must be a list of strings, integers and"),
        ('{"options": [], "items": [true]}', " items must be a list of strings and integers"),
        ('{"options": [], "cost": []}', " unknown key 'cost'; the known keys are items, secondary"),
    ],
)
def test_invalid_json_is_rejected_by_name(text: str, reason: str) -> None:
    """JSON without options is not read as a line of items."""
    with pytest.raises(ValueError, match="^toy:" + reason):
        find_parser(text)(text, "toy")


def test_costs_of_options_without_names_are_found_by_their_descriptions() -> None:
    text = '{"options": [["mon", "ann"], ["mon", "bob"]], "optional": ["ann", "bob"]'
    cover = dlx.ExactCover.read(text + ', "costs": {"mon ann": 2, "1": 1}}', "json")
    assert [found.cost for found in cover] == [2, 1]
    with pytest.raises(ValueError, match="costs: there is no option named 'mon cy'"):
        dlx.ExactCover.read(text + ', "costs": {"mon cy": 1}}', "json")


def test_bytes_of_an_unknown_sender_are_limited() -> None:
    data = '\ufeff{"S1": ["ä"], "S2": ["ä", "b"]}'.encode()
    assert dlx.ExactCover.read(data, "json", max_options=2, max_entries=3).items == ["ä", "b"]
    with pytest.raises(
        ValueError, match=r"^<text>: the problem has 2 options, and max_options is 1$"
    ):
        dlx.ExactCover.read(data, "json", max_options=1)
    with pytest.raises(ValueError, match="the problem has 3 entries, and max_entries is 2"):
        dlx.ExactCover.read(data, "json", max_entries=2)
    with pytest.raises(TypeError, match=r"max_options must be an integer, .* not 1.5"):
        dlx.ExactCover.read(data, "json", max_options=1.5)  # type: ignore[arg-type]
    for limits in ({}, {"max_options": 9}):
        with pytest.raises((ValueError, OSError), match=r"^<text>: .*(not| as) UTF-8$"):
            dlx.ExactCover.read(b"\xff{}", "json", **limits)


@pytest.mark.parametrize(
    "text",
    [
        '{"universe": [1, 2, 3], "subsets": [[1], [2]]}',
        '{"U": [1, 2, 3], "S": {"0": [1], "1": [2]}}',
        "{'sets': [[1], [2]], 'universe': [1, 2, 3]}",
    ],
)
def test_a_universe_and_its_subsets_are_items_and_options(text) -> None:
    cover = dlx.ExactCover.read(text, "json")
    assert (cover.items, cover.options, cover.count()) == ([1, 2, 3], [[1], [2]], 0)


def test_keywords_replace_all_bounds_of_the_text() -> None:
    text = '{"options": [["a"], ["a"], ["b"]], "at_most": {"a": 1}, "at_least": {"b": 0}}'
    assert dlx.ExactCover.read(text, "json").count() == 6
    assert dlx.ExactCover.read(text, "json", multiplicity=(0, None)).count() == 8
    assert dlx.ExactCover.read(text, "json", exactly={"a": 2}).solve() == [[0, 1, 2]]


def test_names_that_are_not_strings_are_written_as_text() -> None:
    cover = dlx.ExactCover([[("row", 1), ("s", 2)], [3]], items=[("row", 1), 3], secondary=["s"])
    assert cover.write(kind="knuth") == "row,1 3 | s\nrow,1 s:2\n3\n"
    assert json.loads(cover.write(kind="json"))["options"] == [["row,1", ["s", 2]], [3]]
    assert cover.options[0] == [("row", 1), ("s", 2)]
    assert formatted(cover, [0, 1], "names") == "row,1 s:2; 3"
    assert json.loads(formatted(cover, [0, 1], "json"))["items"] == [["row,1", ["s", 2]], [3]]


def test_cost_is_written_after_an_empty_cover() -> None:
    assert formatted(dlx.ExactCover([], costs=[]), [], "names") == " |0"


def test_rows_may_be_objects_with_names():
    text = """{"primary_items": ["a", "b"], "secondary_items": ["c"],
    "rows": [{"row_id": "first", "items": ["a", "c"]}, {"row_id": "second", "items": ["b"]}]}"""
    stated = parse_json(text)
    assert stated[:3] == ({"first": ["a", "c"], "second": ["b"]}, ["a", "b"], ["c"])


def test_lists_of_items_are_options():
    for seed in seeds(50):
        rng = random.Random(seed)
        items = rng.sample([*"abcdef", *range(3, 9)], 5)
        rows = [rng.sample(items, rng.randint(1, 3)) for _ in range(6)]
        if all(map({*rows[0]}.issuperset, rows[1:])):
            continue
        expected = dlx.ExactCover(rows)
        texts = [
            json.dumps(rows),
            repr(rows),
            repr([*map(tuple, rows)]),
            repr((*map(tuple, rows),)),
        ]
        for text in texts:
            assert dlx.ExactCover.read(text + "\n") == expected
            assert read_any(named_stream(text.encode(), "file")).kind == "cover"
        named = {f"S{k}": (*row,) for k, row in enumerate(rows)}
        assert dlx.ExactCover.read(repr(named) + "\n") == dlx.ExactCover(named)


def test_lists_in_a_program_are_options_by_their_name():
    expected = dlx.ExactCover([["a", "c"], ["b"]])
    for text in ("subsets = [['a', 'c'], ['b']]\n", "const options = [\n['a', 'c'],\n['b'],\n];\n"):
        assert dlx.ExactCover.read(text) == expected
    for text in ("graph = [[1, 3], [2]]\n", "rows = [[1, 3], [2, 4]]\n"):
        with pytest.raises(ValueError, match="expected 0 or 1"):
            dlx.ExactCover.read(text)


def test_lists_that_are_boards_are_boards():
    board = [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]
    for board[0][0] in (1, 0):
        assert read_any(named_stream(json.dumps(board).encode(), "file")).kind == "sudoku"


@pytest.mark.parametrize(
    "text",
    [
        *("None", "{[1]: 2}", "{1, 2}", "[1_0]", "['a' 'b']", "[('a', ('b', 'c'))]", "['\\\\d']"),
        "[" + "+".join("1" * 170_000) + "]",  # these crash the parser of Python 3.10
        "[1" + "()" * 300_000 + "]",
        "(" * 1_000_000,
        "['" * 300_000,
    ],
    ids=range(11),
)
def test_other_values_of_python_are_rejected(text):
    for given in (text, text.encode()):
        with pytest.raises(FormatError, match=r"^toy:1: not valid JSON: "):
            parse_json(given, "toy")
