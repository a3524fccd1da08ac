"""Boards: Sudoku, grids of cells, and timetables."""

import re

import pytest

import dlx_numba as dlx
from dlx_numba.pictures.palette import COLORS
from tests.helpers.pages import rgb
from tests.helpers.plans import gates

pytestmark = [pytest.mark.processes, pytest.mark.thorough]

BOARD = "1.....3..4.....2"


def fill_of(element):
    return element.value_of_css_property("fill")


def test_board_highlights_what_the_sentence_names(browser, show):
    record = show(BOARD)
    view = record.view
    cell_of = [marks[0][0] for marks in view.drawn.options]
    for index, step in enumerate(record.steps):
        browser.show_step(index)
        own = browser.numbers_of("#board .own", "place")
        items = {step.item, *(change.item for change in step.changes)} - {0}
        if step.option >= 0:
            start, end = view.option_starts[step.option : step.option + 2]
            items |= set(record.arrays["column"][start:end])
            assert cell_of[step.option] in own
        if step.lacking:
            items.add(step.lacking)
        if step.text.startswith("Return to level"):
            assert cell_of[step.chosen[-1]] in own
        named = {cell for item in items for cell in view.drawn.items[item - 1]}
        assert browser.numbers_of("#board .named", "place") == sorted(named)
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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_newest_digit_is_readable(browser, show, theme):
    """Its contrast with its cell is that of text, also if the sentence names it."""
    record = show(BOARD)
    index = next(k for k, step in enumerate(record.steps) if step.action == "try")
    browser.show_step(index)
    browser.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
    [cell] = browser.all_of("#board .newest.named")
    colors = [
        fill_of(cell.find_element("css selector", name))
        for name in ("path", "text:not(.candidate)")
    ]
    parts = [[int(part) / 255 for part in re.findall(r"\d+", color)[:3]] for color in colors]
    linear = [[v / 12.92 if v < 0.04 else ((v + 0.055) / 1.055) ** 2.4 for v in c] for c in parts]
    dark, light = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in linear)
    assert (light + 0.05) / (dark + 0.05) > 4.5


def test_last_step_shows_a_solved_board(browser, show):
    """Also if the search ends with a dead end after the last cover."""
    puzzle = "1.......2....1.."
    n_covers = len(show(puzzle, "#step=last").covers)
    placed = browser.texts_of("#board .placed > text:not(.candidate)")
    cells = browser.numbers_of("#board .placed", "place")
    values = dict(enumerate(puzzle)) | dict(zip(cells, placed, strict=True))
    shown = "".join(values.values())
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
    view = record.view.drawn
    for index in (0, 5, 40, 41, 42, len(record.steps) - 1):
        browser.show_step(index)
        step = record.steps[index]
        expected = {
            place: text for option in step.chosen for place, text, _ in view.options[option]
        }
        cells = browser.numbers_of("#board .filled", "place")
        assert dict(zip(cells, browser.texts_of("#board .filled"), strict=True)) == expected
        named = set()
        if step.option >= 0:
            named = {place for place, *_ in view.options[step.option]}
        elif step.item:
            named = set(view.items[step.item - 1])
        marked = browser.numbers_of("#board .named", "place")
        assert named <= set(marked)
        outline = browser.all_of(".outline")[0].get_attribute("d")
        assert bool(outline) == bool(marked)


def test_path(browser, show):
    """Lines join the cells of a knight's tour."""
    show(dlx.example("knight", rows=3, columns=4).cover(), "#step=last", limit=1, steps=100_000)
    assert sorted(map(int, browser.texts_of("#board .filled"))) == [*range(1, 13)]
    line = browser.all_of(".drawn")[0].get_attribute("d")
    assert (line.count("M"), line.count("L")) == (11, 11)


BARS = """
return [...document.querySelectorAll("#board .cell")].map((bar) => [bar.classList[1],
  Number(bar.dataset.place), bar.classList.contains("named"), bar.textContent,
  bar.firstChild.style.fill]);
"""


def test_timetable_of_gates(browser, show):
    """Chosen options are bars with the color of their cost, others that can be tried are dashed."""
    record = show(gates())
    places = [{place for place, *_ in marks} for marks in record.view.drawn.options]
    legend = [meaning for _, meaning in record.view.picture.legend]
    assert set(legend) <= set(browser.texts_of("#board svg text"))
    choice = next(k for k, step in enumerate(record.steps) if step.name == "X3")
    for index in range(choice, choice + 30, 2):
        browser.show_step(index)
        step, states = record.steps[index], browser.take_snapshot()["states"]
        is_return = step.text.startswith("Return to level")
        kinds = {"filled": set(), "tried": set(), "bar": set()}
        written = {}
        for kind, place, is_named, text, fill in browser.execute_script(BARS):
            kinds[kind].add(place)
            option = step.chosen[-1] if is_return else step.option
            if option >= 0:
                assert is_named == (place in places[option])
            if kind == "filled":
                written[place] = text, fill
        assert kinds["filled"] == set().union(*(places[k] for k in step.chosen))
        if step.action != "choose":
            untried = set().union(*(places[k] for k in states.get("untried", [])))
            assert kinds["tried"] == untried - kinds["filled"]
        for option in step.chosen:
            for place, text, color in record.view.drawn.options[option]:
                assert written[place] == (text, rgb(COLORS[color]))
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
        kind: set(map(fill_of, browser.all_of(f"#board .{kind}.named path")))
        for kind in ("open", "blocked")
    }
    assert len(fills["blocked"]) == len(fills["open"] - {"none"} - fills["blocked"]) == 1
    nodes = {node.outcome: node for node in reversed(record.tree)}
    browser.show_step(nodes["dead-end"].closed_step)
    assert browser.all_of("#board .cell.failing")
    skipped = nodes["skipped"]
    browser.show_step(skipped.closed_step)
    assert not browser.all_of("#board .cell.failing")
    assert "skipped" in browser.texts_of("#tree .skipped > text:not([class])")


def test_sides_of_placed_squares_are_colored(browser, show):
    record = show(
        dlx.example("macmahon").cover(choose="random", seed=1), "#step=last", limit=1, steps=400
    )
    expected = {
        place: rgb(COLORS[color])
        for option in record.steps[-1].chosen[:-1]
        for place, _, color in record.view.drawn.options[option]
    }
    script = "return [...document.querySelectorAll('#board .cell path')].map((e) => e.style.fill)"
    fills = browser.execute_script(script)
    assert {place: fills[place] for place in expected} == expected
    assert len(expected) == 92
