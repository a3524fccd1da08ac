"""Invalid arguments of `ExactCover`, and the iterables that it accepts."""

import csv
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

import numpy as np
import pandas
import pytest

import dlx_numba as dlx
from dlx_numba.kernels.dlx.links import allocate_links
from tests.helpers.problems import with_costs

OPTIONS = [["a", "diag"], ["b", "diag"]]
SHARED = [["a"], ["a", ("s", 1)], ["b", ("s", 2)], ["s"]]
BOUNDED, TWICE = [["a", "b"], ["a"], ["b"]], [["a"], ["a"]]
LITERAL = {"choose": "literal-leftmost"}
SUBSETS = {"S1": ["A"], "S2": ["A", "B"], "S3": ["B", "C"]}
MASKED = np.ma.array([5, -99], mask=[False, True])
DAYS = np.array([5, 7], "m8[ns]")
HUGE = Fraction(10**400, 3)
AT_ONE = {"totals": {"Ann": (0, 3)}}
PAIRS = [["math", ("Ann", 1)], ["art", ("Ann", 1)], ["art", ("Bob", 1)]]


INVALID = {
    TypeError: [
        (OPTIONS, {"secondary": [["s"]]}, r"secondary: an item must be hashable, not \['s'\]"),
        (OPTIONS, {"items": "ab"}, "items must be a list of items, not the string 'ab'"),
        (OPTIONS, {"forbidden": bytearray(b"a")}, "forbidden must be a list of options, not the"),
        (OPTIONS, {"choose": 5}, "choose must be a list of items, not 5"),
        (OPTIONS, {"seed": 1.5}, "seed must be an integer, not 1.5"),
        (OPTIONS, {"costs": [True, False]}, "costs must be numbers; that of option 0 .* is True"),
        (OPTIONS, {"costs": "12"}, "costs must be a list of numbers, not the string '12'"),
        ({"S": ["a"]}, {"costs": {"S": ()}}, r"costs must be numbers; that of option 'S' is \(\)"),
        ("a b\na\nb\n", {}, "options must be .* string 'a b.*'; use ExactCover.read for"),
        (dlx.ExactCover([["a"]]), {}, "options must be .*ExactCover.*; use its attribute options"),
        (
            dlx.example("queens", n=4).statement,
            {},
            "options must be .*; use its attribute options",
        ),
        ([["a"], "bc"], {}, r"option 1 must be a list of items, .* 'bc'; use \['bc'\] for a"),
        ([["a"], 5], {}, "option 1 must be a list of items, not 5"),
        ([["a"], ["a", {"b"}]], {}, "option 1: an item must be hashable, not {'b'}"),
        ({"S": ["a", ["s", 1]]}, {"secondary": ["s"]}, r"option 'S'.*; an item .* is a tuple"),
        (BOUNDED, {"multiplicity": [2], "at_most": {"a": 1}}, "multiplicity must be a mapping"),
        (BOUNDED, {"at_least": {"a": 1.5}}, "at_least of item 'a' must be an integer .*, not 1.5"),
        (TWICE, {"totals": [("x", 1, 2)]}, "totals must be a mapping"),
        (TWICE, {"totals": {"x": 5}}, r"must be a tuple \(weights, low, high\) or \(low, high\)"),
        (TWICE, {"totals": {"x": ([1, 0.5], 0, 3)}}, "weight of option 1 .* an integer, not 0.5"),
        (TWICE, {"totals": {"x": ([1, True], 0, 3)}}, "must be an integer, not True"),
        (TWICE, {"totals": {"x": ([1, 2], 0.5, 3)}}, "total 'x': low must be an integer"),
        (TWICE, {"costs": MASKED}, "costs: an array must not have a mask"),
        (TWICE, {"maximize": MASKED}, "maximize: an array must not have a mask"),
        (TWICE, {"totals": {"x": (MASKED, 0, 9)}}, "totals 'x': an array must not have a mask"),
        (TWICE, {"costs": DAYS}, "costs must be numbers; that of option 0 .* is .*timedelta64"),
        (TWICE, {"costs": [*DAYS]}, "costs must be numbers; that of option 0 .* is .*timedelta64"),
        (TWICE, {"costs": DAYS.view("M8[ns]")}, "costs must be numbers; .*datetime64"),
        (TWICE, {"totals": {"x": (DAYS, 0, 9)}}, "weight of option 0 .* must be an integer"),
        (TWICE, {"penalty": {"a": DAYS[0]}}, "penalty of item 'a' must be a finite number"),
    ],
    ValueError: [
        ({1: ["a"], 2: ["b"]}, {"given": [0]}, "given: there is no option named 0"),
        ({"S1": ["a", "a"]}, {}, "option 'S1': item 'a' appears twice"),
        ({"S1": ["a", ("a", 1)]}, {"items": ["a"]}, "option 'S1': item 'a' is primary, so it"),
        (SUBSETS, {"given": ["S4"]}, "given: there is no option named 'S4'"),
        (SUBSETS, {"given": [["S1"]]}, r"given: there is no option named \['S1'\]"),
        (SUBSETS, {"forbidden": [1.0]}, "forbidden: there is no option named 1.0"),
        (SUBSETS, {"forbidden": [3]}, "forbidden: option 3 does not exist; there are 3"),
        (SUBSETS, {"given": ["S2", 0]}, "given options 'S1' and 'S2' cannot be in one cover"),
        (SUBSETS, {"given": [0], "forbidden": ["S1"]}, "option 'S1' is both given and forbidden"),
        (SUBSETS, {"costs": {"S4": 1}}, "costs: there is no option named 'S4'"),
        (SUBSETS, {"costs": {"S1": 1, 0: 1}}, "costs: option 'S1' has two costs"),
        (SUBSETS, {"maximize": {"S1": 1, 0: 1}}, "maximize: option 'S1' has two values"),
        (pandas.DataFrame([[1], [0]], ["S1", "S1"]), {}, "two options have the name 'S1'"),
        (BOUNDED, {"at_most": {"a": 2}, "exactly": {"a": 1}}, "'a' is in both exactly and at_most"),
        (BOUNDED, {"at_least": {"a": 3}, "at_most": {"a": 2}}, "at_least .*'a' must .*, not 3"),
        (BOUNDED, {"exactly": {"a": -1}}, "exactly of item 'a' must satisfy .*, not -1"),
        (BOUNDED, {"at_least": {"x": 2}}, "item 'x' is unknown"),
        ([], {"at_least": {"x": 1}}, "item 'x' is unknown"),
        ([["lunch"]], {"at_most": {"Lunch": 2}}, "'Lunch' is unknown.*; did you mean 'lunch'"),
        (
            BOUNDED,
            {"exactly": {"a": 0}, "given": [0]},
            "item 'a', which no cover contains",
        ),
        (BOUNDED, {"at_most": {"a": 2}, "optional": ["a"]}, "item 'a' is optional"),
        (BOUNDED, {"multiplicity": {"a": (2, 1)}}, r"must satisfy .* high, not \(2, 1\)"),
        (BOUNDED, {"choose": ["a", "a"]}, "choose: 'a' appears twice"),
        (SHARED, {"optional": ["s"], "given": [1, 2]}, "1 .* and 2 .*: both contain item 's'"),
        (SHARED, {"optional": ["s"], "given": [3]}, r"given option 3 \(s\) has no primary item"),
        (np.eye(3, dtype=int), {}, "use ExactCover.from_matrix"),
        ([[1, 0, 0], [0, 1, 0]], {}, "item 0 appears twice; .* use ExactCover.from_matrix"),
        (pandas.DataFrame([["x"]]), {}, "only 0 and 1"),
        (pandas.DataFrame([[1, 0], [1, pandas.NA]], dtype=object), {}, "no missing values"),
        ([["a", float("nan")], ["b"]], {}, "nan cannot be a name"),
        ([[("s", float("nan"))]], {"secondary": ["s"]}, "nan cannot be a name"),
        ({("S", np.float32("nan")): ["a"]}, {}, "cannot be a name"),
        (TWICE, {"totals": {float("nan"): ([1, 2], 0, 3)}}, "nan cannot be a name"),
        (np.array([["NaT", "2026-11-29"]], "M8[D]"), {}, "NaT.* because it does not equal itself"),
        (pandas.DataFrame([[1, 1]], columns=["a", "a"]), {}, "item 'a' is listed twice"),
        (TWICE, {"totals": {"a": ([1, 2], 0, 3)}}, "total 'a' is an item, too"),
        (TWICE, {"totals": {"x": ([1, 2], 4, 3)}}, "low, 4, exceeds high, 3"),
        (TWICE, {"totals": {"x": ([1], 0, 3)}}, r"must have shape \(2,\), not \(1,\)"),
        (TWICE, {"totals": {"x": ([1, 2**31], 0, 3)}}, "must be from -2147483647 to 2147483647"),
        (TWICE, {"totals": {"x": ({5: 1}, 0, 3)}}, "option 5 does not exist"),
        (TWICE, {"penalty": {"b": 1}}, "penalty: 'b' is not a primary item"),
        (TWICE, LITERAL | {"at_most": {"a": 2}}, "choose: a literal .* cannot have multiplicities"),
        (TWICE, LITERAL | {"algorithm": "bitset"}, "algorithm of a literal .*one of auto, links"),
        (TWICE, {"penalty": {"a": -1}}, "penalty of item 'a' must be 0 or more, not -1"),
        (TWICE, {"costs": [HUGE, 1]}, r"the sum of the costs must be less than 2\*\*62"),
        (TWICE, {"penalty": {"a": HUGE}}, r"the sum of the penalties must be less than 2\*\*62"),
        (
            TWICE,
            {"costs": [1, 2], "penalty": {"a": HUGE}},
            r"the sum of the costs and the penalties must be less than 2\*\*62",
        ),
        (PAIRS, AT_ONE | {"secondary": [("Ann", 1), ("Bob", 1)]}, "an item and a weight of total"),
        (PAIRS, AT_ONE | {"at_most": {("Ann", 1): 1}}, "an item and a weight of total 'Ann'"),
        (
            [["a", ("Ann", "x")]],
            AT_ONE | {"items": ["a", ("Ann", "x")]},
            r"\('Ann', 'x'\) is an item and a weight of total 'Ann'",
        ),
    ],
}


@pytest.mark.parametrize(
    ("error", "options", "arguments", "reason"),
    [(error, *row) for error, rows in INVALID.items() for row in rows],
)
def test_invalid_arguments_are_named(error, options, arguments, reason):
    with pytest.raises(error, match=reason):
        dlx.ExactCover(options, **arguments)


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset, iter, dict.fromkeys, np.array])
def test_iterables_are_accepted(kind):
    def of(elements):
        return kind(list(elements))

    for kind_of_options in (list, iter, pandas.Series):
        options = kind_of_options([of("a"), of("b"), of("ab")])
        settings = {"choose": of("a"), "given": of([0]), "forbidden": of([2])}
        cover = dlx.ExactCover(options, items=of("ab"), secondary=of("s"), **settings)
        assert cover.solve() == [[0, 1]]
    assert with_costs(dlx.ExactCover(iter([["a"], ["b"]]), costs=iter([3, 4])).cheapest()) == [
        (7, [0, 1])
    ]
    assert dlx.ExactCover.from_matrix([[1, 1], [1, 0]], secondary=of([1])).solve() == [[0], [1]]


NO_NAMES = [
    *(float("nan"), Decimal("NaN"), complex("nan"), np.float32("nan")),
    *(np.datetime64("NaT"), np.timedelta64("NaT"), pandas.NaT, pandas.NA),
]


@pytest.mark.parametrize("value", NO_NAMES, ids=lambda value: f"{type(value).__name__} {value}")
def test_what_does_not_equal_itself_is_no_name(value):
    for options, settings in (
        ([[value, 1], [2, value]], {}),
        ([[value, 1]], {"items": [1]}),
        ([[("a", ("b", value))]], {}),
        ([[frozenset([value])]], {}),
        ([[("s", value)]], {"secondary": ["s"]}),
        ([[1]], {"secondary": [value]}),
        ({value: [1]}, {}),
        (pandas.DataFrame([[1, 0]], columns=["a", value]), {}),
        (pandas.DataFrame([[1], [1]], index=[value, "S"]), {}),
    ):
        with pytest.raises(ValueError, match=r"cannot be a name .* it does not equal itself"):
            dlx.ExactCover(options, **settings)


ROWS = [{"a": 1, "b": 0}, {"a": 0, "b": 1}]


@pytest.mark.parametrize(
    "options",
    [
        *(ROWS, iter(ROWS), tuple(ROWS), {"S": ROWS[0]}, [["a"], ROWS[0]], pandas.Series(ROWS)),
        *(csv.DictReader(["a,b", "1,0"]), [Counter("ab")], [MappingProxyType(ROWS[0])]),
        pandas.DataFrame(ROWS).to_dict("records"),
    ],
    ids=lambda options: type(options).__name__,
)
def test_options_that_are_mappings_are_rows_of_a_table(options):
    with pytest.raises(TypeError, match=r"not the mapping .* ExactCover.from_frame.* from_matrix"):
        dlx.ExactCover(options)
    with pytest.raises(TypeError, match="not the mapping"):
        dlx.ExactCover.packing(ROWS)


def test_structs_of_arrow_are_rows_of_a_table():
    pyarrow = pytest.importorskip("pyarrow")
    for options in (pyarrow.array(ROWS), pyarrow.Table.from_pylist(ROWS).to_pylist()):
        with pytest.raises(TypeError, match="not the mapping"):
            dlx.ExactCover(options)
    table = pyarrow.table({"who": ["Ng", "Ito"], "slot": ROWS})
    for frame in (table, table.to_pandas()):
        for arguments in ({"items": ["who", "slot"]}, {"items": ["who"], "optional": ["slot"]}):
            with pytest.raises(ValueError, match="row 0 has a struct in slot"):
                dlx.ExactCover.from_frame(frame, **arguments)


def test_secondary_items_may_be_listed_twice():
    cover = dlx.ExactCover(OPTIONS, secondary=["diag", "x", "diag"])
    assert cover.items == ["a", "b", "diag", "x"]
    assert cover.solve() == []
    assert dlx.ExactCover.from_matrix(([0, 1, 2], [0, 0], 3), secondary=[1, 2, 1]).count() == 2
    assert dlx.ExactCover.read('{"options": [["a"]], "secondary": ["s", "s"]}', "json").count() == 1


def test_numbers_of_samples_are_integers_of_any_type():
    diagram = dlx.ExactCover([["a"], ["a"], ["b"], ["b"]]).diagram()
    n = np.array(3)
    for number in (n, np.int8(100), np.uint8(200)):
        assert len(diagram.sample(number)) == len(diagram.sample(number, distinct=["a"])) == number
    assert n == 3


def test_numbers_of_options_are_integers_that_exist():
    cover = dlx.ExactCover({"S": ["a"], "T": ["a"]}, costs=[1, 2])
    for number in (-1, 2, np.int64(2), 2**63, 2**70):
        with pytest.raises(ValueError, match=rf"^option {number} does not exist; there are 2$"):
            cover.svg([0, number])
    for number in (0.0, "S", None, True):
        with pytest.raises(TypeError, match="the number of an option must be an integer, not"):
            cover.svg([number])


WRONG_TYPES = [
    (lambda cover: cover.first(given=np.int64(1)), "given must be a list of options, not "),
    (lambda cover: cover.diagram(order=5), "order must be a list of items, not 5"),
    (lambda cover: cover.diagram().condition("0"), "given must be a list of options, not the str"),
    (lambda _: dlx.ExactCover.from_matrix([[1, 0]], secondary="1"), "secondary must be a list"),
    (
        lambda _: dlx.ExactCover.from_matrix(([0, 1], [0], 1.5)),
        "n_items must be an integer, not 1.5",
    ),
    (lambda _: dlx.ExactCover.from_matrix(MASKED[:, np.newaxis] == 5), "must not have a mask"),
    (lambda _: dlx.ExactCover.from_matrix([MASKED == 5] * 2), "matrix: .* must not have a mask"),
    (lambda _: dlx.ExactCover.from_matrix(([0, 2], MASKED, 9)), "indices: .* not have a mask"),
    (lambda _: dlx.ExactCover.read("a\na", "knuth", given="0"), "given must be a list of options"),
    (
        lambda _: dlx.ExactCover.read('{"options": [["a"]]}', "json", costs=[None]),
        "costs .* is None",
    ),
    (lambda cover: cover.replace(options=[["a"]]), r"replace\(\) got .* argument 'options'"),
    (lambda cover: cover.search().split(None), "parts must be an integer, not None"),
    (lambda cover: cover.search().estimate(None), "paths must be an integer, not None"),
    (lambda cover: cover.replace(threads=1.5), "threads must be an integer"),
    (lambda cover: cover.search().run(updates=1.5), "updates must be an integer"),
    (lambda cover: cover.search().run(solutions=1.5), "solutions must be an integer"),
    (lambda cover: cover.search().count("1"), "seconds must be a number, .* not '1'"),
    (lambda cover: cover.count(1.5), "limit must be an integer, or None"),
    (
        lambda cover: cover.replace(memory=1.5),
        r"memory must be an integer, or None .*, not 1\.5",
    ),
    (lambda cover: cover.cheapest(start=[0], changes="1"), "changes must be a finite number"),
    (lambda cover: cover.optimizer("2"), "k must be an integer, not '2'"),
    (lambda _: dlx.example("queens", n="x"), "n must be an integer, not 'x'"),
    (lambda cover: cover.explain(steps="9"), "steps must be an integer, not '9'"),
]
WRONG_VALUES = [
    (lambda _: dlx.ExactCover([["a", "b"], ["b", "c", "b"]]), "option 1: item 'b' .* twice"),
    (lambda _: dlx.ExactCover([["a"], ["x"]], items=["a"]), "option 1: item 'x' is unknown"),
    (lambda _: dlx.ExactCover([["a", "Ann"]], ["a"], ["ann"]), "'Ann' is unknown.*mean 'ann'"),
    (lambda _: dlx.ExactCover([["Ann"]], at_most={"ANN": 2}), "bounds; did you mean 'Ann'"),
    (lambda _: dlx.ExactCover([["a", ("b", 1)]], ["a", "b"]), "'b' .* cannot have the color 1"),
    (lambda _: dlx.ExactCover([[("s", 1), ("s", 2)]], [], ["s"]), "item 's' appears twice"),
    (lambda _: dlx.ExactCover([["a"]], items=["a", "a"]), "item 'a' is listed twice"),
    (lambda _: dlx.ExactCover([["a"]], ["a"], ["a"]), "'a' is listed in items and in secondary"),
    (lambda _: dlx.ExactCover([], [], ["s", ("s", 1)]), r"\('s', 1\) is the item 's' with a"),
    (lambda _: dlx.ExactCover([], algorithm="bits"), "one of auto, links, bitset, not 'bits'"),
    (lambda _: dlx.ExactCover([["a"]]).solve(limit=-1), "limit must be 0 or more"),
    (lambda _: dlx.ExactCover.from_matrix([[0, 2]]), r"\[0, 1\] is 2"),
    (lambda _: dlx.ExactCover({"Math 5a": ["x"]}, given=["Maths 5a"]), "mean 'Math 5a'"),
    (lambda _: dlx.ExactCover({"Math 5a": ["x"]}, forbidden=["Math 6a"]), "named 'Math 6a'$"),
    (lambda _: dlx.ExactCover({"Math": ["x"]}, costs={"Moth": 1}), "costs: .* mean 'Math'"),
    (lambda _: dlx.ExactCover([["Anna"]], penalty={"Ana": 1}), "primary item; did .* 'Anna'"),
    (lambda _: dlx.ExactCover([["Anna"], ["Anne"]], choose=["Ann"]), "mean 'Anne' or 'Anna'"),
    (
        lambda _: dlx.ExactCover([[("day", "Mon")]], at_most={("day", "Man"): 1}),
        r"mean \('day', 'Mon'\)",
    ),
    (lambda _: dlx.ExactCover.from_matrix([[1, 0], [1]]), "row 1 .* has 1 column, not 2"),
    (lambda _: dlx.ExactCover.from_matrix([0, 1]), "2 dimensions, not 1"),
    (lambda _: dlx.ExactCover.from_matrix(([0, 2], [0, 5], 3)), "option 0: item 5 does not exist"),
    (lambda _: dlx.ExactCover.from_matrix(([0, 2, 1], [0], 3)), "indptr must increase"),
    (lambda _: dlx.ExactCover.from_matrix(([0, 1], [0], 2**40)), "nodes are more than int32"),
    (lambda _: dlx.ExactCover.from_matrix(([0, 1], [0.5], 3)), "indices must contain integers"),
    (lambda _: dlx.ExactCover.from_matrix(([0, 1], [0], 3), secondary=[3]), "must be from 0 to 2"),
    (lambda _: allocate_links(10, 2**31 - 10), "more than int32 can index"),
    (lambda _: dlx.ExactCover.read('{"options": [["a"]], "costs": ["a"]}', "json"), "must be"),
    (lambda cover: cover.solve(order="fast"), "order must be one of search, any, not 'fast'"),
    (lambda cover: cover.search().estimate(seed=-1), "seed must be 0 or more, not -1"),
    (lambda cover: cover.search().estimate(seconds=-1), "seconds must be 0 or more"),
    (lambda cover: cover.search().run(solutions=-1), "solutions must be 0 or more"),
    (lambda cover: cover.replace(threads=0), "threads must be 1 or more"),
    (lambda cover: cover.search().count(float("nan")), "seconds must be 0 or more, .* not nan"),
    (
        lambda cover: cover.count(method="x", limit=1),
        "must be one of auto, search, memo, planar, not 'x'",
    ),
    (lambda cover: cover.replace(memory=-1), "memory must be 0 or more, or None"),
    (lambda cover: cover.cheapest(0), "k must be 1 or more, not 0"),
    (lambda cover: cover.replace(threads=0).optimizer(), "threads must be 1 or more"),
    (lambda _: dlx.example("queens", n=3).svg([9]), "option 9 does not exist"),
    (lambda cover: cover.diagram(order="smallest").to_zdd(), "the items have no fixed order"),
    (lambda cover: cover.diagram().sample(-1), "n must be 0 or more, not -1"),
    (lambda cover: cover.diagram().cheapest(0), "k must be 1 or more, not 0"),
    (lambda cover: cover.diagram().condition([6]), "given: option 6 does not exist; there are 2"),
    (lambda cover: cover.diagram(order="x"), "one of auto, smallest, given, bandwidth, .*not 'x'"),
    (lambda cover: cover.diagram(order=[9]), "order: 9 is not a primary item"),
    (lambda cover: cover.certify("never-written", "size"), "claim must be one of count, cost"),
    (lambda cover: cover.replace(memory=-1).diagram(), "memory must be 0 or more, or None"),
    (lambda cover: cover.replace(costs=[1, float("nan")]), r"finite; that of option 1 .* is nan"),
    (lambda cover: cover.replace(costs=[1, Decimal("sNaN")]), r"finite; that of option 1 .*sNaN"),
    (lambda cover: cover.replace(costs=[2.0**61] * 2), r"the costs must be less than 2\*\*62"),
    (lambda cover: cover.replace(costs={0: 1, 2: 1}), "costs: option 2 does not exist"),
    (lambda cover: cover.replace(costs=[1, 2], maximize=[1, 2]), "cannot be combined"),
    (lambda cover: cover.solve(forbidden=[True, False]), "no option named True"),
    (lambda cover: cover.solve(given=[0, 1]), "given options .* cannot be in one cover"),
    (lambda cover: cover.cheapest(given=[0, 1]), "given options .* cannot be in one cover"),
    (lambda cover: cover.cheapest(start=[2]), "start: option 2 does not exist"),
    (lambda cover: cover.cheapest(start=[0], changes=-1), "changes must be 0 or more, not -1"),
    (lambda cover: cover.cheapest(start=[0], changes=float("nan")), "changes must be a finite"),
    (lambda cover: cover.cheapest(changes=1), "changes needs start"),
    (lambda cover: cover.cheapest_batch(), "a batch needs given, forbidden or costs"),
    (lambda cover: cover.cheapest_batch(given=[[], []], costs=[[1, 2]]), "has 2, costs has 1"),
    (lambda cover: cover.cheapest_batch(costs=[{}, {2: 1}]), "variation 1: costs: option 2 does"),
]


@pytest.mark.parametrize(
    ("error", "call", "reason"),
    [(TypeError, *row) for row in WRONG_TYPES] + [(ValueError, *row) for row in WRONG_VALUES],
)
def test_constructors_and_methods_name_invalid_arguments(error, call, reason):
    with pytest.raises(error, match=reason):
        call(dlx.ExactCover(OPTIONS))


def test_numbers_may_be_huge():
    cover = dlx.ExactCover([["a"], ["a"]], costs=[3, 1])
    for limit in (np.int32(5), 2**31, 2**63, 2**70):
        assert cover.count(limit) == 2
        assert with_costs(cover.cheapest(limit)) == [(1, [1]), (3, [0])]
        assert cover.solve(limit=limit) == [[0], [1]]
        assert len(cover.search().split(limit)) == 2


def test_messages_about_arguments_name_the_public_class():
    with pytest.raises(TypeError, match=r"^ExactCover\.__init__\(\) got an unexpected .* 'cost'"):
        dlx.ExactCover([["a"]], cost=[1])
