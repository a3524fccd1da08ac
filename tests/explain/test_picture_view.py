"""Pictures are stated, or suggested by the names of items; pages, covers and counts draw them."""

import random
import re

import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_search
from dlx_numba.kinds.kind import examples
from dlx_numba.kinds.plans.airport import Random, assign, generate
from dlx_numba.pictures.grid import Grid
from dlx_numba.pictures.recognize import COST_COLORS, cells_of_items
from dlx_numba.pictures.timetable import Bar, Timetable
from tests.helpers.seeds import seeds

NUMBERED = [("a", k) for k in range(50)]


def unstated(puzzle):
    """Return a problem without its picture, which names of items suggest."""
    return dlx.ExactCover(**puzzle.statement._replace(picture=None)._asdict())


def grid_of(cover):
    return view_search(cover._stated, "grid").grid


def timetable_of(cover):
    return view_search(cover._stated, "timetable").timetable


def test_steps_of_a_knight():
    puzzle = dlx.example("knight", rows=3, columns=4)
    cover = puzzle.first()
    path = [int(label.split("-")[-1].partition(":")[0]) for label in puzzle.text(cover).split()]
    for first, problem in ((1, puzzle.cover()), (0, unstated(puzzle))):
        grid = grid_of(problem)
        assert (grid.rows, grid.columns, grid.first_row) == (3, 4, 1)
        labels = dict(cell for option in cover for cell in grid.option_cells[option])
        assert [int(labels[cell]) for cell in range(12)] == [step - 1 + first for step in path]
        assert sorted(grid.path[option] for option in cover) == list(range(12))
    assert grid_of(dlx.example("latin", n=3).cover()).path is None


def test_letters_of_words_are_colors():
    puzzle = dlx.example("words")
    grid = grid_of(unstated(puzzle))
    options = puzzle.statement.options.values()
    for cells, (word, *_) in zip(grid.option_cells, options, strict=True):
        assert "".join(letter for _, letter in cells) == word


def test_layers_of_cubes_are_side_by_side():
    options = [["A", (2, 5, 1), (2, 5, 2), (2, 6, 1)], ["B", (3, 5, 1), (3, 6, 2)]]
    grid = grid_of(dlx.ExactCover(options))
    assert (grid.rows, grid.first_row, grid.column_labels) == (2, 5, ["1", "2", "", "1", "2"])
    assert grid.option_cells == [[(0, "A"), (1, "A"), (5, "A")], [(3, "B"), (9, "B")]]


def test_sides_of_squares_have_colors():
    puzzle = dlx.example("macmahon")
    for problem in (puzzle.cover(), unstated(puzzle)):
        grid = grid_of(problem)
        for [(cell, _)], sides, name in zip(
            grid.option_cells, grid.option_sides, problem.option_names, strict=True
        ):
            colors, row, column = re.fullmatch(r"(....) at (\d),(\d)", name).groups()
            assert cell == 6 * int(row) + int(column) - 7
            assert sides == [(cell, k, "abc".index(color)) for k, color in enumerate(colors)]


@pytest.mark.parametrize(("row", "column"), [("r", "c"), ("row,", "column,"), ("r", "col")])
@pytest.mark.parametrize("multiplicity", [None, (1, 2)])
def test_rows_and_columns(row, column, multiplicity):
    options = [[f"{row}{i}", f"{column}{j}"] for i in (1, 2) for j in (1, 2, 3)]
    items = [*(f"{row}{i}" for i in (1, 2)), *(f"{column}{j}" for j in (1, 2, 3))]
    grid = grid_of(dlx.ExactCover(options, items, multiplicity=multiplicity))
    assert (grid.rows, grid.columns) == (2, 3)
    assert grid.option_cells == [[(cell, "♛")] for cell in range(6)]
    assert grid.item_cells == [[0, 1, 2], [3, 4, 5], [0, 3], [1, 4], [2, 5]]


@pytest.mark.parametrize("place", ["place,", "position", "s"])
def test_places_in_a_row(place):
    """The label of a place is what an option puts there; an item may stand for the same place."""
    options = [[f"n{k}", f"{place}{i}", f"{place}{i + k}"] for k, i in ((1, 1), (1, 2), (2, 1))]
    grid = grid_of(dlx.ExactCover(options, ["n1", "n2", *(f"{place}{i}" for i in (1, 2, 3))]))
    assert (grid.rows, grid.first_row, grid.column_labels) == (1, None, [*"123"])
    cells = [[(0, "n1"), (1, "n1")], [(1, "n1"), (2, "n1")], [(0, "n2"), (2, "n2")]]
    assert (grid.option_cells, grid.item_cells) == (cells, [[1], [0, 2], [0], [1], [2]])


@pytest.mark.parametrize(
    "cover",
    [
        dlx.ExactCover([["a", "b"], ["c"]]),
        dlx.ExactCover([["r1", "r2", "c1", "c2"]]),  # no single cell
        dlx.ExactCover([[(0, 0)], [(9, 9)]]),  # almost empty
        dlx.ExactCover([[(0, 0), (0, 99)]]),
        dlx.ExactCover([["s1", "a"], ["s30"]]),
        dlx.ExactCover([[(0, 0)], [(0, 0)], [(0, 1)]], multiplicity={(0, 0): (1, 2)}),
        dlx.ExactCover([[("room", 1, 1), ("desk", 1, 1)]]),  # two kinds
        dlx.ExactCover([[("room", k, k)] for k in range(5)]),  # almost empty
        dlx.ExactCover([[("room", 1, k)] for k in range(61)]),  # too wide
        dlx.ExactCover([["x", s] for s in NUMBERED], ["x"], NUMBERED),  # hardly minutes
        dlx.ExactCover([[("room", 1, 1)]] * 2, multiplicity={("room", 1, 1): 2}),
    ],
    ids=[
        *("letters", "lines", "sparse", "large", "sparse-row", "multiplicities", "kinds"),
        *("sparse-rooms", "wide", "numbers", "shared-rooms"),
    ],
)
def test_other_problems_have_no_picture(cover):
    assert cover._stated.suggested is None
    assert cover.first() is None or "<rect" in cover.first().svg()  # of a matrix


def test_pictures_of_the_kinds_on_pages():
    views = {name: view_search(create().cover()._stated, name) for name, create in EXAMPLES.items()}
    undrawn = {name for name, view in views.items() if view.grid is view.timetable is None}
    assert undrawn == {"flights", "genius-star", "matchings", "partitions", "polyiamonds"}
    timetables = {name for name, view in views.items() if view.timetable is not None}
    assert timetables == {"airport", "hotel"}


EXAMPLES = examples()


@pytest.mark.parametrize("name", ["latin", "queens", "polyominoes", "calendar", "hashiwokakero"])
def test_stated_boards_are_drawn_as_they_are_stated(name):
    puzzle = EXAMPLES[name]()
    grid, picture = grid_of(puzzle.cover()), puzzle.picture
    place = {cell: r * grid.columns + c for cell, (r, c) in picture.positions.items()}
    shown = dict(picture.glyphs)
    for cells, marks in zip(grid.option_cells, picture.marks, strict=True):
        assert cells == [(place[cell], shown.get(text, text)) for cell, text in marks]
    assert grid.givens == [(place[cell], text) for cell, text in picture.givens]


def test_an_item_is_the_cells_with_its_options_or_all_cells_of_its_options():
    """Random problems, by the definition."""
    for seed in seeds(100):
        rng = random.Random(seed)
        cells = [(r, c) for r in range(3) for c in range(3)]
        options = [[f"i{k}" for k in range(6) if rng.random() < 0.4] for _ in range(8)]
        marks = [[cell for cell in cells if rng.random() < 0.3] for _ in options]
        items = [f"i{k}" for k in range(6)]
        marked = tuple(tuple((cell, "x") for cell in each) for each in marks)
        problem = dlx.ExactCover(options, items, picture=Grid("a", marked, tuple(cells)))
        exact = cells_of_items(problem.problem, marks, cells)
        for item, own in zip(items, exact, strict=True):
            its = {k for k, option in enumerate(options) if item in option}
            same = [c for c in cells if its == {k for k, each in enumerate(marks) if c in each}]
            assert set(own) <= set(same)
            assert bool(own) == bool(same)
            every = {cell for k in its for cell in marks[k]}
            numbers = grid_of(problem).item_cells[items.index(item)]
            assert {divmod(k, 3) for k in numbers} == set(own or every)


def test_items_with_the_same_options_as_cells_correspond_to_them():
    problem = dlx.ExactCover([["a", "b"], ["c"]]).problem
    assert cells_of_items(problem, [[(0, 0), (0, 1)], []], [(0, 0), (0, 1), (5, 5)]) == [
        *([(0, 0)], [(0, 1)], []),
    ]


def test_given_options_are_givens_unless_the_search_chooses_them():
    puzzle = dlx.example("latin", n=3)
    cover = puzzle.cover(given=["r1c1=2"])
    assert grid_of(cover).givens == [(0, "2")]
    assert view_search(cover._stated, "shown", show_givens=True).grid.givens == []
    [board] = dlx.read("1......3..4.....")
    assert grid_of(board.cover()).givens == [(0, "1"), (7, "3"), (10, "4")]
    assert view_search(board.cover()._stated, "shown", show_givens=True).grid.givens == []


def test_aircraft_at_gates():
    """A bar begins at an arrival, and ends at the next one after which the gate is free."""
    gates, turns = generate(3, 12, Random(1))
    puzzle = assign(gates, turns)
    timetable, stated = timetable_of(unstated(puzzle)), timetable_of(puzzle.cover())
    times = sorted({turn.arrival for turn in turns})
    assert timetable.rows == tuple(gate.name for gate in gates)
    first = times[0] // 60
    assert timetable.labels[:2] == stated.labels[:2] == ((0, str(first)), (1, str(first + 1)))
    ends = [*times[1:], times[-1] + 30]
    pairs = [(turn, gate) for turn in turns for gate in gates if turn.size <= gate.size]
    for option, (turn, gate) in enumerate(pairs):
        [bar], [as_stated] = timetable.option_bars[option], stated.option_bars[option]
        occupied = [k for k, time in enumerate(times) if turn.occupies(time)]
        assert bar.row == as_stated.row == gates.index(gate)
        assert 60 * (first + bar.start) == pytest.approx(turn.arrival)
        assert 60 * (first + as_stated.start) == pytest.approx(turn.arrival)
        assert 60 * (first + bar.end) == pytest.approx(ends[occupied[-1]])
        assert 60 * (first + as_stated.end) == pytest.approx(turn.departure)
        assert bar.text == as_stated.text == turn.name


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
        timetable = timetable_of(dlx.ExactCover(options, costs=costs))
        assert [bar.color for [bar] in timetable.option_bars] == [COST_COLORS[k] for k in colors]
        assert timetable.legend == tuple(zip(COST_COLORS, meanings, strict=False))
    timetable = timetable_of(dlx.ExactCover(options))
    assert {bar.color for [bar] in timetable.option_bars} == {-1}
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
    timetable = timetable_of(dlx.ExactCover(options, jobs, secondary=items))
    assert timetable.labels == tuple((k + 0.5, day[5:]) for k, day in enumerate(days))
    assert timetable.rows == ("1", "2")
    assert [[bar[:4] for bar in bars] for bars in timetable.option_bars] == [
        [(0, 0, 2, "A"), (1, 2, 3, "A")],
        [(1, 0, 1, "B"), (1, 2, 3, "B")],
        [],
    ]


def test_an_item_stands_for_the_times_that_all_its_options_occupy():
    bars = ((Bar(0, 1, 5, "x"),), (Bar(0, 3, 8, "y"), Bar(1, 0, 9, "y")), (Bar(1, 2, 4, "z"),))
    options = [["a", "b"], ["a", "c"], ["c", "d"]]
    labels = ((0, "begin"), (9, "end"))
    picture = Timetable("times", bars, ("1", "2"), labels)
    timetable = timetable_of(dlx.ExactCover(options, [*"abcde"], picture=picture))
    assert [[bar[:4] for bar in bars] for bars in timetable.item_bars] == [
        [(0, 3, 5, "")],
        [(0, 1, 5, "")],
        [(1, 2, 4, "")],
        [(1, 2, 4, "")],
        [],
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
    )
    [cover] = problem.cheapest()
    cost = cover.cost
    assert (cost, cover.names) == (3, ["a", "b", "uncovered B"])
    assert "In order: 1: A; 2: A." in cover.svg()


def test_sentences_name_a_gate_and_a_time_as_on_a_clock():
    puzzle = dlx.example("airport", gates=2, flights=3)
    for problem in (puzzle.cover(), unstated(puzzle)):
        view = view_search(problem._stated, "airport")
        attempt = next(step for step in record_search(view).steps if step.action == "try")
        assert re.search(r"cover items? [12] at \d+:\d\d\b", attempt.text)
        assert view.items[-1] == f"2,{view.names.items[-1][1]}"  # data refer to the names as stated


def test_covers_of_cells_and_places_are_drawn_without_a_stated_picture():
    cells = [(r, c) for r in range(2) for c in range(3)]
    pairs = [[a, b] for a in cells for b in ((a[0] + 1, a[1]), (a[0], a[1] + 1)) if b in cells]
    cover = dlx.ExactCover(pairs).first()
    assert "3 pieces" in cover.svg()
    assert "3 pieces" in cover._repr_html_()
    rooms = dlx.ExactCover([["x", ("room", 1, 7), ("room", 1, 8)], ["y", ("room", 2, 8)]])
    assert "In order: 1: x; 2: y." in rooms.first().svg()
