"""Exact cover problems as JSON objects, and names as text."""

import json
import random
from decimal import Decimal
from fractions import Fraction

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.exact.json import parse_json
from tests.helpers.problems import check_written, formatted, with_costs
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


@pytest.mark.parametrize("number", [1, '"1"'])
def test_given_and_forbidden_options_may_be_keys_that_are_numbers(number) -> None:
    for options in '{"0": ["a"], "1": ["a"]}', '[["a"], ["a"]]':
        for key, option in ("given", 1), ("forbidden", 0):
            problem = dlx.ExactCover.read(f'{{"options": {options}, "{key}": [{number}]}}', "json")
            assert [[*cover] for cover in problem] == [[option]]


def test_keys_are_not_the_text_of_two_items() -> None:
    for bounds in '"at_most": {"1": 2}', '"penalty": {"1": 4}':
        with pytest.raises(dlx.FormatError, match="items 1 and '1' are both written '1'"):
            dlx.ExactCover.read(f'{{"options": [[1], ["1"]], {bounds}}}', "json")


def test_names_of_options_are_the_keys_of_an_object() -> None:
    options = '{"S1": ["A"], "1": ["A", "B"], "S3": ["B"]}'
    assert parse_json(options) == parse_json(f'{{"options": {options}}}')
    text = f'{{"options": {options}, "costs": {{"S3": 5, "1": 2}}}}'
    with pytest.warns(UserWarning, match="costs: 1 option without a number counts as 0"):
        cover = dlx.ExactCover.read(text, "json")
    assert cover.option_names == ["S1", 1, "S3"]
    assert with_costs(cover.cheapest(2)) == [(2, [1]), (5, [0, 2])]
    assert dlx.ExactCover.read(cover.write(kind="json"), "json").option_names == ["S1", 1, "S3"]
    with pytest.raises(ValueError, match="options '1' and 1 are both written '1'"):
        dlx.ExactCover({"1": ["A"], 1: ["A"]}).write(kind="json")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"options": [["a"]', "1: not valid JSON: "),
        ('{"options"\n: [["a"], }', "2: not valid JSON: "),
        ("{}", ' expected a JSON object with the key "options"'),
        ("[]", ' expected a JSON object with the key "options"'),
        ('[["A", "B"], ["B"]]', ' expected a JSON object with the key "options"'),
        ('["A", ["B"]]', ' expected a JSON object with the key "options"'),
        ("{'A': [(1, 2)], }", "1: not valid JSON: "),
        ('{"items": []}', ' expected a JSON object with the key "options"'),
        ('{"options": 1}', " options must be a list or an object, not 1"),
        ('{"a": 1}', ' expected a JSON object with the key "options"'),
        ('{"options": {"S1": 1}}', " option 'S1' must be a list of strings, integers and"),
        ('{"options": {"S": [], "S": []}}', " the key 'S' appears twice in a JSON object"),
        ('{"options": [], "items": 5}', " items must be a list of strings and integers, not 5"),
        ('{"options": [], "costs": 1}', " costs must be a list or an object of numbers, not 1"),
        ('{"options": [{"items": 5}]}', " option 0 must be a list of strings, integers and pairs"),
        ('{"options": [{"A": 1}]}', " option 0 must be a list; options with names are an object"),
        ('{"rows": [{"items": ["A"], "size": 1}]}', " option 0 has an unknown key 'size'"),
        (
            '{"rows": [{"items": ["A"], "row_id": []}]}',
            " the name of option 0 must be a string or an",
        ),
        (
            '{"rows": [{"items": [], "row_id": 1}, {"items": [], "row_id": 1}]}',
            " the option name 1 appears",
        ),
        (
            '{"rows": [{"items": ["A"], "row_id": "1"}, {"items": ["B"]}]}',
            " the option name 1 appears",
        ),
        ('{"options": {"x": [["b", "red"]]}}', " option 'x': item 'b' has a color, so it must be"),
        ('{"options": [[null]]}', " option 0 must be a list of strings, integers and"),
        ('{"options": [], "items": [true]}', " items must be a list of strings and integers"),
        ('{"options": [], "cost": []}', " unknown key 'cost'; the known keys are items, secondary"),
    ],
)
def test_invalid_json_is_rejected_by_name(text: str, reason: str) -> None:
    """JSON without options is not read as a line of items."""
    with pytest.raises(dlx.FormatError, match="^toy:" + reason):
        parse_json(text, "toy")


@pytest.mark.parametrize("text", ['{"options": [', '{"options": 5}', '{"options": {"a": [["x"]]}}'])
def test_syntax_and_structure_raise_errors_of_one_family(text: str) -> None:
    for read in (dlx.read, dlx.ExactCover.read):
        with pytest.raises(dlx.DlxError, match=r"^<text>:"):
            read(text)


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


def test_null_is_no_upper_bound() -> None:
    text = '{"options": [["a"], ["a"], ["b"]], "multiplicity": {"a": [1, null]}}'
    assert dlx.ExactCover.read(text, "json").count() == 3
    with pytest.raises(ValueError, match=r"multiplicity must be .* pairs \[low, high\], not"):
        dlx.ExactCover.read(text.replace("[1, null]", "[null, 1]"), "json")


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


@pytest.mark.parametrize(
    "numbers",
    [
        ["0.12345678901234567", "123456789012.12345678901", "-0.1"],
        ["1.23456789012345678E-7", "5", "0.30000000000000000000000000001"],
    ],
)
@pytest.mark.parametrize("key", ["costs", "maximize"])
def test_fractions_are_read_and_written_with_all_digits(key, numbers):
    exact = [*map(Fraction, numbers)]
    cover = dlx.ExactCover([["a"], ["b"], ["c"]], **{key: exact})
    text = f'{{"options": [["a"], ["b"], ["c"]], "{key}": [{", ".join(numbers)}]}}'
    read = dlx.ExactCover.read(text, "json")
    assert read == cover
    assert dlx.ExactCover.read(cover.write(kind="json")) == cover
    listed = json.loads(cover.write(kind="json"), parse_float=Fraction)[key]
    assert [*map(Fraction, listed)] == exact
    found = json.loads(formatted(cover, [0, 1, 2], "json"), parse_float=Fraction)
    assert found["cost"] == sum(exact)


def test_fractions_are_read_as_the_same_numbers():
    third = Fraction(1, 3)
    cover = dlx.ExactCover([["a"], ["b"], ["c"]], costs=[third] * 3)
    assert json.loads(cover.write(kind="json"))["costs"] == ["1/3"] * 3
    assert dlx.ExactCover.read(cover.write(kind="json")).cheapest()[0].cost == 1
    cover = dlx.ExactCover([["a"], ["b"]], costs=[third, 1e-9], penalty={"a": third / 7})
    stated = json.loads(cover.write(kind="json"))
    assert (stated["costs"], stated["penalty"]) == (["1/3", 1e-9], {"a": "1/21"})
    assert dlx.ExactCover.read(cover.write(kind="json")) == cover
    for seed in seeds(40):
        rng = random.Random(seed)
        kinds = [
            lambda rng=rng: Fraction(rng.randint(-99, 99), rng.randint(1, 99)),
            rng.random,
            lambda rng=rng: Decimal(rng.randint(0, 10**20)).scaleb(-15),
            lambda rng=rng: rng.randint(-9, 9),
        ]
        values = [rng.choice(kinds)() for _ in range(5)]
        key = rng.choice(["costs", "maximize"])
        cover = dlx.ExactCover([[k] for k in range(5)], **{key: values})
        assert dlx.ExactCover.read(cover.write(kind="json")) == cover
    for text in ('["1/0"]', f'["1/{"7" * 4301}"]', '["x"]', '["1/3 "]', '[["1/3"]]'):
        with pytest.raises(ValueError, match="costs must be a list or an object of numbers"):
            dlx.ExactCover.read(f'{{"options": [["a"]], "costs": {text}}}')


def test_numbers_beyond_floats_are_no_costs():
    text = '{"options": [["a"]], "costs": [%s]}'
    with pytest.raises(ValueError, match="finite"):
        dlx.ExactCover.read(text % "1e999999999")
    assert dlx.ExactCover.read(text % "1e-999999999").first().cost == 0


def test_a_picture_may_have_a_number_with_many_digits():
    grid = (
        '{"form": "grid", "title": "", "marks": [[[[0, 0], "a"]]], "size": 0.30000000000000012345}'
    )
    cover = dlx.ExactCover.read(f'{{"options": [["a"]], "view": {grid}}}')
    assert cover.first().svg()
