"""Boards: Sudoku, grids of cells, and timetables."""

import re

import pytest

import dlx_numba as dlx
from dlx_numba.pictures.palette import COLORS
from tests.helpers.pages import rgb

pytestmark = [pytest.mark.processes, pytest.mark.thorough]

BOARD = "1.....3..4.....2"


def fill_of(element):
    return element.value_of_css_property("fill")


def test_board_highlights_what_the_sentence_names(browser, show):
    record = show(BOARD)
    view = record.view
    cell_of = [cells[0][0] for cells in view.grid.option_cells]
    for index, step in enumerate(record.steps):
        browser.show_step(index)
        own = browser.numbers_of("#board .own", "cell")
        items = {step.item, *(change.item for change in step.changes)} - {0}
        if step.option >= 0:
            start, end = view.option_starts[step.option : step.option + 2]
            items |= set(record.arrays["column"][start:end])
            assert cell_of[step.option] in own
        if step.lacking:
            items.add(step.lacking)
        if step.text.startswith("Return to level"):
            assert cell_of[step.chosen[-1]] in own
        named = {cell for item in items for cell in view.grid.item_cells[item - 1]}
        assert browser.numbers_of("#board .named", "cell") == sorted(named)
        if step.name == "X5":
            place = view.option_labels()[step.option][:4]  # such as r1c4
            hidden = re.findall(r"(r\dc\d)=(\d)", step.text.partition("This hides")[2])
            struck = sorted(filter(None, browser.texts_of("#board .candidate.gone")))
            assert struck == sorted(value for name, value in hidden if name != place)
    # The panels are beside each other on a wide screen.
    names = ("board", "tree", "matrix")
    panels = [browser.find_element("id", f"{name}-panel").rect for name in names]
    assert all(panel["y"] < 600 for panel in panels)
    lefts = [panel["x"] for panel in panels]
    assert lefts == sorted(set(lefts))


def test_last_step_shows_a_solved_board(browser, show):
    """Also if the search ends with a dead end after the last cover."""
    puzzle = "1.......2....1.."
    n_covers = len(show(puzzle, "#step=last").covers)
    shown = "".join(text.strip() for text in browser.texts_of("#board .cell"))
    assert n_covers > 1
    assert shown in dlx.iter_solutions(puzzle)
    note = f"Cover {n_covers} of {n_covers}, found in step "
    assert browser.text_of("#board-note").startswith(note)
    assert browser.texts_of("#covers li")[-1] == shown
    browser.press("p", "p")
    assert browser.text_of("#board-note").startswith(f"Cover {n_covers - 1} of {n_covers}, ")


def test_grid_of_pieces(browser, show):
    """Chosen options are areas with their labels, and what the sentence names is outlined."""
    record = show(dlx.example("polyominoes", size=4, region="4x5").cover(), steps=200)
    grid = record.view.grid
    for index in (0, 5, 40, 41, 42, len(record.steps) - 1):
        browser.show_step(index)
        step = record.steps[index]
        expected = dict(pair for option in step.chosen for pair in grid.option_cells[option])
        cells = browser.numbers_of("#board .filled", "cell")
        assert dict(zip(cells, browser.texts_of("#board .filled"), strict=True)) == expected
        named = set()
        if step.option >= 0:
            named = {cell for cell, _ in grid.option_cells[step.option]}
        elif step.item:
            named = set(grid.item_cells[step.item - 1])
        marked = browser.numbers_of("#board .named", "cell")
        assert named <= set(marked)
        outline = browser.all_of(".outline")[0].get_attribute("d")
        assert bool(outline) == bool(marked)


def test_grid_of_a_path(browser, show):
    """The start and the end of a knight's tour have colors, and lines join the cells."""
    show(dlx.example("knight", rows=3, columns=4).cover(), "#step=last", limit=1, steps=100_000)
    shades = map(fill_of, browser.all_of("#board .filled .shade"))
    colors = dict(zip(browser.texts_of("#board .filled"), shades, strict=True))
    start, end = map(fill_of, browser.all_of("#board-panel .legend rect"))
    assert browser.texts_of("#board-panel .legend li") == ["start", "end"]
    middle = {colors[str(step)] for step in range(2, 12)}
    assert (colors["1"], colors["12"]) == (start, end)
    assert len(middle) == 1
    assert len({start, end} | middle) == 3
    line = browser.all_of(".path-line")[0].get_attribute("d")
    assert (line.count("M"), line.count("L")) == (11, 11)


BARS = """
return [...document.querySelectorAll("#board .bar[data-option]")].map((bar) =>
  [bar.classList[1], Number(bar.dataset.option), bar.classList.contains("named")]);
"""


def test_timetable_of_a_hotel(browser, show):
    """Chosen options are bars with the color of their cost, others that can be tried are dashed."""
    record = show(dlx.example("hotel", rooms=4, nights=7, bookings=9).cover())
    timetable = record.view.timetable
    meanings = [meaning for _, meaning in timetable.legend]
    legend = browser.texts_of("#board-panel .legend li")
    assert legend == [*meanings, "option that can be tried"]
    choice = next(k for k, step in enumerate(record.steps) if step.name == "X3")
    for index in range(choice, choice + 30, 2):
        browser.show_step(index)
        step, states = record.steps[index], browser.take_snapshot()["states"]
        is_return = step.text.startswith("Return to level")
        options = {"chosen": set(), "candidate": set(), "gone": set()}
        for kind, option, is_named in browser.execute_script(BARS):
            options[kind].add(option)
            assert is_named == (option == (step.chosen[-1] if is_return else step.option))
        assert options["chosen"] == set(step.chosen) == set(states.get("chosen", []))
        if step.action != "choose":
            assert options["candidate"] == set(states.get("untried", []))
        shown = options["chosen"] | options["candidate"]
        assert options["gone"] == ({step.option} - shown - {-1})
        for bar in browser.all_of("#board .bar.chosen[data-option]"):
            [expected] = timetable.option_bars[int(bar.get_attribute("data-option"))]
            assert fill_of(bar.find_element("tag name", "rect")) == rgb(COLORS[expected.color])
            assert bar.text == expected.text
    browser.show_step(0)
    browser.press("n")
    cost = sum(record.view.problem.cost[option] for option in record.covers[0])
    assert browser.text_of("#board-note").endswith(f"Its cost is {cost}.")
    assert f"form a cover of cost {cost}." in browser.text_of("#text")
    assert browser.text_of("#covers button").startswith(f"Cost {cost}: ")


def test_queens(browser, show):
    """Cells of the chosen item that no option covers are hatched; the others are shaded."""
    record = show(dlx.example("queens", n=8).cover(), steps=200, limit=1)
    chosen = next(k for k, step in enumerate(record.steps) if len(step.chosen) == 2)
    actions = [step.action for step in record.steps]
    browser.show_step(actions.index("choose", chosen))
    fills = {
        kind: set(map(fill_of, browser.all_of(f"#board .{kind}.named .shade")))
        for kind in ("open", "blocked")
    }
    assert fills["blocked"] == {"none"}
    assert len(fills["open"] - {"none"}) == len(fills["open"]) == 1
    nodes = {node.outcome: node for node in reversed(record.tree)}
    browser.show_step(nodes["dead-end"].closed_step)
    assert browser.all_of("#board .cell.failing")
    skipped = nodes["skipped"]
    browser.show_step(skipped.closed_step)
    assert not browser.all_of("#board .cell.failing")
    label = f"{skipped.n_nodes} node{'s' * (skipped.n_nodes != 1)}"
    assert label in browser.texts_of("#tree .skipped > text:not([class])")


def test_sides_of_placed_squares_are_colored(browser, show):
    record = show(
        dlx.example("macmahon").cover(choose="random", seed=1), "#step=last", limit=1, steps=400
    )
    expected = {
        (cell, side): rgb(COLORS[color])
        for option in record.steps[-1].chosen
        for cell, side, color in record.view.grid.option_sides[option]
    }
    script = "return [...document.querySelectorAll('#board .side')].map((e) => e.style.fill)"
    assert browser.execute_script(script) == [expected[key] for key in sorted(expected)]
    assert len(expected) == 96
