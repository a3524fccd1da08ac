"""Pictures are stated, or suggested by the structure; pages, covers and counts draw them."""

import random
import re
from itertools import product

import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_search
from dlx_numba.pictures.find_timetable import COST_COLORS
from dlx_numba.pictures.grid import Grid
from dlx_numba.pictures.item_cells import cells_of_items
from dlx_numba.pictures.timetable import Bar, Timetable
from dlx_numba.puzzles.kind import examples
from tests.helpers.pictures import elements, parse_picture
from tests.helpers.plans import gates
from tests.helpers.seeds import seeds

NUMBERED = [("a", k) for k in range(50)]


def unstated(puzzle):
    """Return a problem without its picture, which its items suggest."""
    return dlx.ExactCover(**puzzle.statement._replace(view=None)._asdict())


def view_of(cover):
    return view_search(named_problem(cover), "page").drawn


def axes_of(view):
    """Return the texts beside a board: below its columns, and to the left of its rows."""
    named = [
        text for text in elements(parse_picture(view.svg), "text") if text.get("class") == "soft"
    ]
    down = [text for text in named if float(text.get("x")) < 0]
    across = [text for text in named if text not in down]
    return [[text.text for text in each if text.text] for each in (across, down)]


def marks_of(view):
    """Return the places of each option with their texts."""
    return [[(place, text) for place, text, _ in marks] for marks in view.options]


def timetable_of(cover):
    return view_search(named_problem(cover), "page").picture


def test_steps_of_a_knight():
    puzzle = dlx.example("knight", rows=3, columns=4)
    cover = puzzle.first()
    path = [int(label.split("-")[-1].partition(":")[0]) for label in puzzle.text(cover).split()]
    for first, problem in ((1, puzzle.cover()), (0, unstated(puzzle))):
        view = view_of(problem)
        assert axes_of(view) == [[*"1234"], [*"123"]]
        labels = dict(mark for option in cover for mark in marks_of(view)[option])
        assert [int(labels[cell]) for cell in range(12)] == [step - 1 + first for step in path]
    [line] = view_of(puzzle.cover()).lines[cover[1]]
    assert len(line) == 2
    assert not view_of(puzzle.cover()).symbols


def test_letters_of_words_are_colors():
    puzzle = dlx.example("words")
    options = puzzle.statement.options.values()
    for cells, (word, *_) in zip(
        marks_of(view_of(unstated(puzzle).replace(view="grid"))), options, strict=True
    ):
        assert "".join(letter for _, letter in cells) == word


def test_layers_of_cubes_are_side_by_side():
    options = [["A", (2, 5, 1), (2, 5, 2), (2, 6, 1)], ["B", (3, 5, 1), (3, 6, 2)]]
    view = view_of(dlx.ExactCover(options))
    assert axes_of(view) == [[*"1212"], [*"56"]]
    assert marks_of(view) == [[(0, "A"), (1, "A"), (3, "A")], [(2, "B"), (4, "B")]]


def test_sides_of_squares_have_colors():
    problem = dlx.example("macmahon").cover()
    view = view_of(problem)
    for marks, name in zip(view.options, problem.option_names, strict=True):
        colors, row, column = re.fullmatch(r"(....) at (\d),(\d)", name).groups()
        assert [(text, color) for _, text, color in marks] == [
            ("", "abc".index(color)) for color in colors
        ]
        corners = {point for place, *_ in marks for point in view.places[place]}
        y, x = 40 * int(row), 40 * int(column)
        assert corners >= {(x, y), (x + 40, y), (x, y + 40), (x + 40, y + 40)}


@pytest.mark.parametrize("multiplicity", [None, (1, 2)])
def test_rows_and_columns(multiplicity):
    options = {(i, j): [f"r{i}", f"c{j}"] for i in (1, 2) for j in (1, 2, 3)}
    items = ["r1", "r2", "c1", "c2", "c3"]
    view = view_of(dlx.ExactCover(options, items, multiplicity=multiplicity))
    assert axes_of(view) == [[*"123"], [*"12"]]
    assert marks_of(view) == [[(cell, "●")] for cell in range(6)]
    assert view.items == [[0, 1, 2], [3, 4, 5], [0, 3], [1, 4], [2, 5]]


def test_places_in_a_row():
    """The label of a place is what an option puts there; an item may stand for the same place."""
    options = [[f"n{k}", (0, i), (0, i + k)] for k, i in ((1, 1), (1, 2), (2, 1))]
    view = view_of(dlx.ExactCover(options, ["n1", "n2", *((0, i) for i in (1, 2, 3))]))
    assert axes_of(view) == [[*"123"], []]
    cells = [[(0, "n1"), (1, "n1")], [(1, "n1"), (2, "n1")], [(0, "n2"), (2, "n2")]]
    assert (marks_of(view), view.items) == (cells, [[1], [0, 2], [0], [1], [2]])


@pytest.mark.parametrize(
    "cover",
    [
        dlx.ExactCover([["a", "b"], ["c"]]),
        dlx.ExactCover([["r1", "r2", "c1", "c2"]]),  # no single cell
        dlx.ExactCover([[(0, 0)], [(9, 9)]]),  # almost empty
        dlx.ExactCover([[(0, 0), (0, 99)]]),
        dlx.ExactCover([["s1", "a"], ["s30"]]),
        dlx.ExactCover([[(0, 0)], [(0, 0)], [(0, 1)]], multiplicity={(0, 0): (1, 2)}),
        dlx.ExactCover([[(z, r, c)] for z, r, c in product(range(8), repeat=3)]),
        dlx.ExactCover([[(k, 2 * k, c)] for k in range(2) for c in range(26)]),  # below each other
        dlx.ExactCover([[("room", 1, 1), ("desk", 1, 1)]]),  # two kinds
        dlx.ExactCover([[("room", k, k)] for k in range(5)]),  # almost empty
        dlx.ExactCover([[("room", 1, k)] for k in range(61)]),  # too wide
        dlx.ExactCover([["x", s] for s in NUMBERED], ["x"], NUMBERED),  # hardly minutes
    ],
    ids=[
        *("letters", "lines", "sparse", "large", "sparse-row", "multiplicities", "layers"),
        *("bands", "kinds", "sparse-rooms", "wide", "numbers"),
    ],
)
def test_other_problems_have_no_picture(cover):
    assert named_problem(cover).suggested is None
    assert cover.first() is None or "number" in cover.first().svg()  # of a table


def test_pictures_of_the_kinds_on_pages():
    views = {
        name: view_search(named_problem(create().cover()), name)
        for name, create in EXAMPLES.items()
    }
    undrawn = {name for name, view in views.items() if view.drawn is None}
    assert undrawn == {"matchings", "partitions"}
    assert all(view.drawn is None or view.drawn.is_board for view in views.values())
    assert not view_search(named_problem(gates()), "gates").drawn.is_board


EXAMPLES = examples()


@pytest.mark.parametrize("name", ["latin", "queens", "polyominoes", "calendar", "hashiwokakero"])
def test_stated_boards_are_drawn_as_they_are_stated(name):
    puzzle = EXAMPLES[name]()
    view, picture = view_of(puzzle.cover()), puzzle.picture
    place = {cell: k for k, cell in enumerate(sorted(picture.positions))}
    shown = dict(picture.glyphs)
    for cells, marks in zip(marks_of(view), picture.marks, strict=True):
        assert cells == [(place[cell], shown.get(text, text)) for cell, text in marks]
    assert view.givens == [(place[cell], text) for cell, text in picture.givens]
    assert view.svg.count(">♛<") == 0


def test_an_item_is_the_cells_with_its_options_or_all_cells_of_its_options():
    """Random problems, by the definition."""
    for seed in seeds(100):
        rng = random.Random(seed)
        cells = [(r, c) for r in range(3) for c in range(3)]
        options = [[f"i{k}" for k in range(6) if rng.random() < 0.4] for _ in range(8)]
        marks = [[cell for cell in cells if rng.random() < 0.3] for _ in options]
        items = [f"i{k}" for k in range(6)]
        marked = tuple(tuple((cell, "x") for cell in each) for each in marks)
        problem = dlx.ExactCover(options, items, view=Grid("a", marked, tuple(cells)))
        exact = cells_of_items(problem.problem, marks, cells)
        for item, own in zip(items, exact, strict=True):
            its = {k for k, option in enumerate(options) if item in option}
            same = [c for c in cells if its == {k for k, each in enumerate(marks) if c in each}]
            assert set(own) <= set(same)
            assert bool(own) == bool(same)
            every = {cell for k in its for cell in marks[k]}
            numbers = view_of(problem).items[items.index(item)]
            assert {divmod(k, 3) for k in numbers} == set(own or every)


def test_items_with_the_same_options_as_cells_correspond_to_them():
    problem = dlx.ExactCover([["a", "b"], ["c"]]).problem
    assert cells_of_items(problem, [[(0, 0), (0, 1)], []], [(0, 0), (0, 1), (5, 5)]) == [
        *([(0, 0)], [(0, 1)], []),
    ]


def test_given_options_are_givens_unless_the_search_chooses_them():
    puzzle = dlx.example("latin", n=3)
    cover = puzzle.cover(given=["r1c1=2"])
    assert view_of(cover).givens == [(0, "2")]
    [board] = dlx.read("1......3..4.....")
    assert view_of(board.cover()).givens == [(0, "1"), (7, "3"), (10, "4")]
    for problem, n_texts in ((cover, 1), (board.cover(), 3)):
        shown = view_search(named_problem(problem), "shown", show_givens=True).drawn
        assert shown.givens == []
        assert view_of(problem).svg.count("<text") == shown.svg.count("<text") + n_texts


def test_colors_of_costs():
    """Up to five costs have separate colors; otherwise, neighboring costs share one."""
    options = [["x", ("room", 1, night)] for night in range(7)]
    for costs, colors, meanings in [
        ([0, 3, 0, 3, 0, 3, 0], [0, 1, 0, 1, 0, 1, 0], ["cost 0", "cost 3"]),
        (
            [5, 6, 7, 8, 9, 10, 2000],
            [0, 1, 2, 2, 3, 4, 4],
            ["cost 5", "cost 6", "cost 7 to 8", "cost 9", "cost 10 to 2,000"],
        ),
    ]:
        timetable = timetable_of(dlx.ExactCover(options, costs=costs, view="timetable"))
        assert [bar.color for [bar] in timetable.bars] == [COST_COLORS[k] for k in colors]
        assert timetable.legend == tuple(zip(COST_COLORS, meanings, strict=False))
    timetable = timetable_of(dlx.ExactCover(options, view="timetable"))
    assert {bar.color for [bar] in timetable.bars} == {-1}
    assert timetable.legend == ()


def test_places_with_gaps():
    """Each place or interval is a bar."""
    days = ["2026-07-30", "2026-07-31", "2026-08-01"]
    options = [
        [("job", "A"), *(("desk", 1, day) for day in (days[0], days[1])), ("desk", 2, days[2])],
        [("job", "B"), ("desk", 2, days[0]), ("desk", 2, days[2])],
        [("job", "C")],
    ]
    items = [("desk", desk, day) for desk in (1, 2) for day in days]
    jobs = [("job", name) for name in "ABC"]
    timetable = timetable_of(dlx.ExactCover(options, jobs, secondary=items, view="timetable"))
    assert timetable.axis.labels == tuple((k + 0.5, day[5:]) for k, day in enumerate(days))
    assert timetable.rows == ("1", "2")
    assert [[bar[:4] for bar in bars] for bars in timetable.bars] == [
        [(0, 0, 2, "A"), (1, 2, 3, "A")],
        [(1, 0, 1, "B"), (1, 2, 3, "B")],
        [],
    ]


@pytest.mark.parametrize("penalty", [None, {"a": 5, "b": 3}])
def test_an_item_stands_for_the_times_that_all_its_options_occupy(penalty):
    bars = ((Bar(0, 1, 5, "x"),), (Bar(0, 3, 8, "y"), Bar(1, 0, 9, "y")), (Bar(1, 2, 4, "z"),))
    options = [["a", "b"], ["a", "c"], ["c", "d"]]
    labels = ((0, "begin"), (9, "end"))
    picture = Timetable("times", bars, ("1", "2"), labels)
    view = view_of(dlx.ExactCover(options, [*"abcde"], view=picture, penalty=penalty))
    expected = [[(0, 3, 5)], [(0, 1, 5)], [(1, 2, 4)], [(1, 2, 4)], []]
    for places, times in zip(view.items, expected, strict=True):
        assert [view.places[place] for place in places] == [
            [(round(40 * x, 1), round(40 * y, 1)) for x, y in picture.outline(Bar(*time, ""))]
            for time in times
        ]


def test_timetables_with_multiplicities_penalties_and_totals():
    """Items that stay uncovered are not drawn."""
    options = {
        "a": ["A", ("desk", 1, "Mon"), ("desk", 1, "Tue")],
        "b": ["A", ("desk", 2, "Tue")],
        "c": ["B", ("desk", 2, "Tue")],
    }
    desks = [("desk", desk, day) for desk in (1, 2) for day in ("Mon", "Tue")]
    problem = dlx.ExactCover(
        options,
        ["A", "B"],
        desks,
        multiplicity={"A": (1, 2)},
        penalty={"B": 1},
        costs=[1, 1, 9],
        totals={"hours": ([2, 1, 1], 3, None)},
        view="timetable",
    )
    [cover] = problem.cheapest()
    cost = cover.cost
    assert (cost, cover.names) == (3, ["a", "b", "uncovered B"])
    assert "In order: 1: A; 2: A." in cover.svg()


def test_sentences_name_a_gate_and_a_time_as_on_a_clock():
    view = view_search(named_problem(gates()), "gates")
    attempt = next(step for step in record_search(view).steps if step.action == "try")
    assert re.search(r"cover items? gate [1-6] at \d+:\d\d\b", attempt.text)
    assert view.items[-1] == "gate+time,6,16:30"  # data refer to the names as stated


def test_covers_of_cells_and_places_are_drawn():
    cells = [(r, c) for r in range(2) for c in range(3)]
    pairs = [[a, b] for a in cells for b in ((a[0] + 1, a[1]), (a[0], a[1] + 1)) if b in cells]
    cover = dlx.ExactCover(pairs).first()
    assert "3 pieces" in cover.svg()
    assert "3 pieces" in cover._repr_html_()
    rooms = dlx.ExactCover([["x", ("room", 1, 7), ("room", 1, 8)], ["y", ("room", 2, 8)]])
    rooms = rooms.replace(view="timetable")
    assert "In order: 1: x; 2: y." in rooms.first().svg()
