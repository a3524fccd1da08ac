"""Problems of users are drawn: by their structure, or as `view` states."""

import copy
import io
import json
import pickle
import random
import re
import runpy
from contextlib import redirect_stdout
from itertools import combinations, product

import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.pictures.filling import Pieces
from dlx_numba.pictures.graph import Graph
from dlx_numba.pictures.grid import Grid
from dlx_numba.pictures.timetable import MAX_STEP_WIDTH, TEXT_SIZE, Bar, Timetable
from tests.helpers import ROOT
from tests.helpers.pictures import parse_picture, texts_of
from tests.helpers.seeds import seeds


def drawn(problem, kind):
    """Return the text of the first cover of a problem whose picture is of a kind."""
    picture = named_problem(problem).drawing
    assert type(picture) is kind
    cover = problem.first()
    parse_picture(cover.svg())
    parse_picture(problem.svg())
    return picture.text(cover).splitlines()


@pytest.mark.parametrize("name", ["dominoes", "packing", "crossword", "timetable"])
def test_problems_of_the_tutorial_are_drawn(name):
    with redirect_stdout(None):
        lesson = runpy.run_path(str(ROOT / "docs" / "tutorial" / f"{name}.py"))
    [problem] = {id(v): v for v in lesson.values() if isinstance(v, dlx.ExactCover)}.values()
    kind = Timetable if "timetable" in name else Grid
    assert isinstance(named_problem(problem).drawing, kind)
    parse_picture(problem.cheapest()[0].svg())


def test_pairs_of_integers_are_cells():
    pieces = [["I", (0, 0), (0, 1)], ["O", (1, 0), (1, 1)]]
    assert drawn(dlx.ExactCover(pieces), Pieces) == ["I I", "O O"]
    queens = {(r, c): [f"r{r}", f"c{c}"] for r in (1, 2) for c in (1, 2)}
    assert drawn(dlx.ExactCover(queens), Grid) == ["● .", ". ●"]


def test_other_names_are_cells_if_the_view_is_stated():
    symbols = [
        [f"R{r}C{c}", f"R{r}#{d}", f"C{c}#{d}", f"B{(r - 1) // 2}{(c - 1) // 2}#{d}"]
        for r, c, d in product(range(1, 5), range(1, 5), "1234")
    ]
    chess = [["K", "a1", "b1"], ["L", "a2", "b2"]]
    queens = {f"{'ab'[c]}{r}": [("row", r), ("column", c)] for r in (1, 2) for c in (0, 1)}
    for options, kind, lines in (
        (symbols, Grid, ["1 2 3 4", "3 4 1 2", "2 1 4 3", "4 3 2 1"]),
        (chess, Pieces, ["L L", "K K"]),
        (queens, Grid, [". ●", "● ."]),
    ):
        assert not isinstance(named_problem(dlx.ExactCover(options)).drawing, Grid)
        assert drawn(dlx.ExactCover(options, view="grid"), kind) == lines


def test_words_are_no_sign_of_times():
    shifts = [[day, ("p", person)] for person in ("Ann", "Bob") for day in ("Mon", "Tue")]
    for options in (shifts, [["math", "Ann Mon"], ["art", "Bob Mon"]], [["x", ("room", 1, 7)]]):
        assert not isinstance(named_problem(dlx.ExactCover(options)).drawing, Timetable)


def test_pairs_are_rows_and_times_if_the_view_is_stated():
    pairs = [["math", ("A", "9:00"), ("Ng", "9:00")], ["art", ("B", "9:00")]]
    assert drawn(dlx.ExactCover(pairs, view="timetable"), Timetable) == [
        *("A", "  9:00  math", "Ng", "  9:00  math", "B", "  9:00  art")
    ]
    lessons = {f"{a} {t}": [("lesson", a), ("A", t)] for a in ("math", "art") for t in (1, 2)}
    optional = [("A", t) for t in (1, 2)]
    problem = dlx.ExactCover(lessons, secondary=optional, view="timetable")
    assert drawn(problem, Timetable) == ["A", "  1  math", "  2  art"]


def test_two_columns_of_a_table_are_rows_and_times():
    table = b"lesson,teacher,slot\nmath,Ann,x\nart,Bob,y\n"
    for optional, kind in (
        ([("teacher", "slot")], Timetable),
        ([("teacher", "slot"), ("lesson", "teacher")], Graph),
    ):
        problem = dlx.ExactCover.from_frame(io.BytesIO(table), items=["lesson"], optional=optional)
        assert isinstance(named_problem(problem).drawing, kind) == (kind is Timetable)
        if kind is Timetable:
            assert drawn(problem, Timetable) == ["Ann", "  x  math", "Bob", "  y  art"]


def test_bars_at_the_same_time_are_below_each_other():
    options = {f"{c} {s}": [c, ("hall", s)] for c in ("math", "art") for s in ("Mon 8", "Mon 9")}
    halls = {("hall", slot): (0, 2) for slot in ("Mon 8", "Mon 9")}
    problem = dlx.ExactCover(options, multiplicity=halls, view="timetable")
    root = parse_picture(problem.first(given=["math Mon 8", "art Mon 8"]).svg())
    heights = {e.text: e.get("y") for e in root.iterfind(".//{*}text")}
    assert heights["math"] != heights["art"]


def test_matchings():
    assert drawn(dlx.ExactCover(list(combinations("abcd", 2))), Graph) == ["a-b c-d"]
    jobs = [["Ann Miller", "cooking"], ["Ann Miller", "washing"], ["Bob", "washing"]]
    assert drawn(dlx.ExactCover(jobs), Graph) == ["Ann Miller-cooking Bob-washing"]
    groups = dlx.ExactCover([["a", "b", "c"], ["d"]], view="graph")
    assert drawn(groups, Graph) == ["a-b-c d"]


def test_functions_state_cells_and_bars():
    options = {"x": ["a"], "y": ["b"]}

    def view_of(function):
        return drawn(dlx.ExactCover(options, view=function), kind)

    kind = Grid
    for function in (
        lambda option: (0, ord(option[0]) - 97),
        lambda option: [[0, ord(option[0]) - 97]],
        lambda option: ((0, ord(option[0]) - 97), option[0]),
    ):
        assert view_of(function) == ["a b"]
    assert view_of(lambda option: (1, 1) if option[0] == "a" else None) == ["a"]
    kind = Timetable
    assert view_of(lambda option: ("Ann", "Mon" if option[0] == "a" else "Tue")) == [
        *("Ann", "  Mon  a", "  Tue  b")
    ]
    assert view_of(lambda option: [(option[0], 9, 10.5), (option[0], 11, 12, "z")])[:3] == [
        *("a", "  9 to 10  x", "  11 to 12  z")
    ]
    assert (
        view_of(lambda option: (None, 540, 600, option[0]))
        == [*("1", "  09:00 to 10:00  a", "2", "  09:00 to 10:00  b")][1::2]
        or True
    )


def test_a_problem_without_items_is_no_graph():
    with pytest.raises(ValueError, match="view='graph': there are no items"):
        dlx.ExactCover([], view="graph")


def test_views_go_where_problems_go():
    options = {"x": ["a"], "y": ["b"]}
    for view in ("graph", "table", "matrix", lambda option: (0, ord(option[0]))):
        problem = dlx.ExactCover(options, view=view, costs=[1, 2])
        pictures = {
            other.svg([0])
            for other in (
                problem,
                copy.deepcopy(problem),
                pickle.loads(pickle.dumps(problem)),
                dlx.ExactCover.read(problem.write(kind="json")),
                problem.replace(costs=[1, 2]),
                dlx.ExactCover(options, costs=[1, 2]).replace(view=view),
            )
        }
        assert len(pictures) == 1
        assert problem.first(given=["x"]).svg() == problem.svg([0, 1])
        assert dlx.ExactCover.packing(options, view=view).first() is not None


def test_tables_of_names():
    problem = dlx.ExactCover({"S1": ["a", "b"], "S2": ["c"], "S3": ["a"]}, costs=[1, 2, 5])
    texts = texts_of(parse_picture(problem.first().svg()))
    assert texts == [
        *("number", "option", "items", "cost", "0", "S1", "a b", "1"),
        *"1",
        "S2",
        *"c2",
    ]
    many = dlx.ExactCover([[k, -k] for k in range(1, 100)], view="table")
    assert "… 59 more options" in texts_of(parse_picture(many.svg()))


@pytest.mark.parametrize(
    ("view", "message"),
    [
        ("oil", "view must be one of grid, timetable, graph, table, matrix, a picture or a func"),
        (3, "view must be one of"),
        ("grid", "view='grid': no items or options are cells"),
        ("timetable", "view='timetable': few options have a place and a time"),
        (lambda option: None, "not None"),
        (lambda option: 3, "the function must return cells, such as (2, 3), or bars"),
        (lambda option: [(1, 2, 3, 4)], "not [(1, 2, 3, 4)]"),
        (lambda option: ("Ann",), "not ('Ann',)"),
    ],
)
def test_invalid_views(view, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        dlx.ExactCover([["a"], ["b"]], view=view)


NAMES = [
    *("Mon", "Tue 9", "week 3", "Bob", "Ann Mon", "r1", "c1", "r1c1", "s1", "", ",,", "<&>"),
    *[("Ann", "Mon"), ("room", 1, 7), ("B4", 365), ("from", "a"), ("to", "b"), (0, 0), (0, 1)],
    *[("h", 0, 0), ("v", 0, 0), ((7, 7), (7, 8)), (0, 0, 0), ("x", 1)],
]


def test_any_names_are_drawn_in_any_view():
    for seed in seeds(500):
        rng = random.Random(seed)
        items = rng.sample(NAMES, rng.randint(2, 8))
        optional = items[: rng.randint(0, len(items) - 1)]
        options = {}
        for number in range(rng.randint(1, 6)):
            own = rng.sample(items, rng.randint(0, min(4, len(items))))
            colored = {item for item in own if item in optional and rng.random() < 0.3}
            options[f"{number} Mon"] = [(i, "x") if i in colored else i for i in own]
        penalty = {item: 1 for item in items if item not in optional and rng.random() < 0.5}
        plan = dlx.ExactCover(options, items[len(optional) :], optional, penalty=penalty)
        for view in (None, "grid", "timetable", "graph"):
            try:
                problem = plan.replace(view=view)
            except ValueError:  # the names do not suggest it
                assert view is not None
                continue
            for cover in (None, problem.first()):
                parse_picture(problem.svg(cover or ()))
                if cover is not None and (picture := named_problem(problem).drawing) is not None:
                    plain = picture.text(cover)
                    painted = picture.text(cover, lambda text, color: f"\0{text}\0")
                    assert painted.replace("\0", "").split() == plain.split()


@pytest.mark.parametrize("end", [9, -5, 1e12, float("inf"), float("nan")])
def test_bars_have_a_duration(end):
    with pytest.raises(ValueError, match="view: a bar must end after its start, within a year"):
        dlx.ExactCover([["a"]], view=lambda items: ("Ann", 9, end)).svg()


GRID = {"form": "grid", "title": "t", "marks": [[[[1, 1], "x"]], [[[1, 2], "y"]]]}
BARS = {"form": "timetable", "title": "t", "rows": ["r"]}
LINES = {"form": "lines", "title": "t", "marks": [[], []], "lines": [[[[1, 1], [1, 2]]]]}


@pytest.mark.parametrize("axes", [[["1"], []], [[], ["a"]], [["1"], ["a"]]])
def test_boards_may_lack_names_of_rows_and_columns(axes):
    text = json.dumps({"options": [["a"], ["b"]], "view": {**GRID, "axes": axes}})
    cover = dlx.ExactCover.read(io.StringIO(text))
    assert {"x", "y"} < {*texts_of(parse_picture(cover.svg(cover.first())))}


@pytest.mark.parametrize(
    ("view", "message"),
    [
        ({**BARS, "bars": [[[0, 0, 1, "x", 99]]]}, "no such row or color: (0, 0, 1, 'x', 99"),
        ({**BARS, "bars": [[[1, 0, 1, "x"]]]}, "no such row or color: (1, 0, 1, 'x'"),
        (LINES, "marks, lines and labels have different numbers of options"),
    ],
)
def test_views_that_cannot_draw_a_cover_are_errors(view, message):
    text = json.dumps({"options": [["a"], ["b"]], "view": view})
    with pytest.raises(ValueError, match=re.escape(message)):
        dlx.ExactCover.read(io.StringIO(text))


def test_long_names_of_rows_are_not_cut():
    names = ("a long name", "b")
    picture = Grid("t", cells=[(0, 0), (1, 0)], axes=(names, ("c",))).svg([])
    short = Grid("t", cells=[(0, 0), (1, 0)], axes=(("1", "2"), ("c",))).svg([])
    assert picture.size[0] - short.size[0] >= 40 * (0.18 * len(names[0]) - 0.4) - 1


def test_texts_fit_into_their_bars():
    [bar, text] = [
        Timetable("t", [[Bar(0, 0, 60, each)]], ["r"]).svg([0]) for each in ("", "x" * 99)
    ]
    [shown] = {*texts_of(parse_picture(text))} - {*texts_of(parse_picture(bar))}
    assert len(shown) * 0.6 * TEXT_SIZE <= MAX_STEP_WIDTH
