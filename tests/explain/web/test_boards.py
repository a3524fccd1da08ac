"""Boards: Sudoku, grids of cells, and timetables."""

import re

import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_board, view_search
from dlx_numba.gallery import Hotel, Knight, MacMahon, Polyominoes, Queens
from dlx_numba.sudoku.io.strings import parse_board
from dlx_numba.svg.palette import COLORS
from tests.helpers.pages import go_to_fragment, press, shown_step, take_snapshot

pytestmark = [pytest.mark.processes, pytest.mark.thorough]


def test_board_highlights_what_the_sentence_names(open_page):
    values, alphabet, box = parse_board("1.....3..4.....2")
    view = view_board(values, box, alphabet, "4×4 board")
    record = record_search(view)
    browser = open_page(record)

    def marked(selector):
        cells = browser.find_elements("css selector", f"#board {selector}")
        return [int(cell.get_attribute("data-cell")) for cell in cells]

    for index, step in enumerate(record.steps):
        go_to_fragment(browser, f"#step={index}")
        assert shown_step(browser) == index
        items = {step.item} if step.item else set()
        if step.option >= 0:
            start, end = view.option_starts[step.option : step.option + 2]
            items |= set(record.arrays["column"][start:end])
            assert view.grid.option_cells[step.option][0][0] in marked(".own")
        items |= {change.item for change in step.changes if change.item}
        lacking = re.search(r"Item (\w+) .*has no options left", step.text)
        if lacking:
            items.add(view.items.index(lacking[1]) + 1)
        if step.text.startswith("Return to level"):
            assert view.grid.option_cells[step.chosen[-1]][0][0] in marked(".own")
        named = {cell for item in items for cell in view.grid.item_cells[item - 1]}
        assert marked(".named") == sorted(named)
        if step.name == "X5":
            hides = re.search(r"This hides options? ([^.]+)", step.text)
            named = re.findall(r"r\dc\d=\d", hides[1]) if hides else []
            options = map(view.option_labels().index, named)
            places = (view.grid.option_cells[option][0] for option in options)
            texts = browser.find_elements("css selector", "#board .candidate.gone")
            struck = sorted(text.text for text in texts if text.text)
            own = view.grid.option_cells[step.option][0][0]
            assert struck == sorted(str(value) for cell, value in places if cell != own)


def test_last_step_shows_a_solved_board(open_page):
    """Also if the search ends with a dead end after the last cover."""
    puzzle = "1.......2....1.."
    values, alphabet, box = parse_board(puzzle)
    view = view_board(values, box, alphabet, "several covers")
    record = record_search(view)
    last = len(record.steps) - 1
    browser = open_page(record, f"#step={last}")
    cells = browser.find_elements("css selector", "#board .cell")
    shown = "".join(cell.text.strip() for cell in cells)
    n_covers = len(record.covers)
    assert n_covers > 1
    assert shown in dlx.iter_solutions(puzzle)
    note = browser.find_element("id", "board-note")
    assert note.text.startswith(f"Cover {n_covers} of {n_covers}, found in step ")
    assert browser.find_elements("css selector", "#covers li")[-1].text == shown
    press(browser, "p", "p")
    assert note.text.startswith(f"Cover {n_covers - 1} of {n_covers}, ")


def test_grid_of_pieces(open_page):
    """Chosen options are areas with their labels, and what the sentence names is outlined."""
    cover = Polyominoes(size=4, region="4x5").cover()
    view = view_search(cover, "tetrominoes")
    record = record_search(view, steps=200)
    browser = open_page(record)
    for index in (0, 5, 40, 41, 42, len(record.steps) - 1):
        go_to_fragment(browser, f"#step={index}")
        assert shown_step(browser) == index
        step = record.steps[index]
        expected = {}
        for option in step.chosen:
            expected |= dict(view.grid.option_cells[option])
        cells = browser.find_elements("css selector", "#board .filled")
        assert {int(cell.get_attribute("data-cell")): cell.text for cell in cells} == expected
        named = (
            {cell for cell, _ in view.grid.option_cells[step.option]} if step.option >= 0 else set()
        )
        if step.option < 0 and step.item:
            named = set(view.grid.item_cells[step.item - 1])
        marked = browser.find_elements("css selector", "#board .named")
        assert {int(cell.get_attribute("data-cell")) for cell in marked} >= named
        assert bool(marked) == bool(
            browser.find_element("css selector", ".outline").get_attribute("d")
        )


def test_grid_of_a_path(open_page):
    """The start and the end of a knight's tour have colors, and lines join the cells."""
    entry = Knight(3, 4)
    view = view_search(entry.cover(), "knight")
    record = record_search(view, limit=1, steps=100_000)
    browser = open_page(record, f"#step={len(record.steps) - 1}")
    colors = {
        cell.text: cell.find_element("css selector", ".shade").value_of_css_property("fill")
        for cell in browser.find_elements("css selector", "#board .filled")
    }
    samples = browser.find_elements("css selector", "#board-panel .legend rect")
    start, end = (sample.value_of_css_property("fill") for sample in samples)
    legend = browser.find_elements("css selector", "#board-panel .legend li")
    assert [each.text for each in legend] == ["start", "end"]
    middle = {colors[str(step)] for step in range(1, 11)}
    assert (colors["0"], colors["11"]) == (start, end)
    assert len(middle) == 1
    assert len({start, end} | middle) == 3
    line = browser.find_element("css selector", ".path-line").get_attribute("d")
    assert (line.count("M"), line.count("L")) == (11, 11)


BARS = """
return [...document.querySelectorAll("#board .bar[data-option]")].map((bar) =>
  [bar.classList[1], Number(bar.dataset.option), bar.classList.contains("named")]);
"""


def check_bars(browser, record, index):
    """Check which options a timetable shows at a step, and return the elements of its bars."""
    go_to_fragment(browser, f"#step={index}")
    assert shown_step(browser) == index
    step = record.steps[index]
    states = take_snapshot(browser)["states"]
    options = {"chosen": set(), "candidate": set(), "gone": set()}
    for kind, option, is_named in browser.execute_script(BARS):
        options[kind].add(option)
        is_return = step.text.startswith("Return to level")
        assert is_named == (option == (step.chosen[-1] if is_return else step.option))
    assert options["chosen"] == set(step.chosen) == set(states.get("chosen", []))
    if not step.name.endswith("3"):
        assert options["candidate"] == set(states.get("untried", []))
    shown = options["chosen"] | options["candidate"]
    assert options["gone"] == ({step.option} - shown - {-1})
    return browser.find_elements("css selector", "#board .bar.chosen[data-option]")


def test_timetable_of_a_hotel(open_page):
    """Chosen options are bars with the color of their cost, others that can be tried are dashed."""
    view = view_search(Hotel(rooms=4, nights=7, bookings=9).cover(), "hotel")
    record = record_search(view)
    browser = open_page(record)
    legend = browser.find_elements("css selector", "#board-panel .legend li")
    meanings = [meaning for _, meaning in view.timetable.legend]
    assert [entry.text for entry in legend] == [*meanings, "option that can be tried"]
    assert meanings[0] == "cost 0"
    choice = next(k for k, step in enumerate(record.steps) if step.name == "X3")
    for index in range(choice, choice + 30, 2):
        for bar in check_bars(browser, record, index):
            [expected] = view.timetable.option_bars[int(bar.get_attribute("data-option"))]
            color = bar.find_element("tag name", "rect").value_of_css_property("fill")
            rgb = COLORS[expected.color].lstrip("#")
            channels = ", ".join(str(int(rgb[k : k + 2], 16)) for k in (0, 2, 4))
            assert color == f"rgb({channels})"
            assert bar.text == expected.text
    from selenium.webdriver.common.keys import Keys

    press(browser, Keys.HOME, "n")
    cover = record.covers[0]
    cost = sum(view.problem.cost[option] for option in cover)
    note = browser.find_element("id", "board-note").text
    assert note.endswith(f"Its cost is {cost}.")
    assert f"form a cover of cost {cost}." in browser.find_element("id", "text").text
    assert browser.find_element("css selector", "#covers .found").text.startswith(f"Cost {cost}: ")


def test_options_of_the_chosen_item_stay_visible(open_page):
    """Cells of the item that no option covers are hatched; the others are shaded."""
    record = record_search(view_search(Queens(6).cover(), "queens"))
    index = next(k for k, step in enumerate(record.steps) if len(step.chosen) == 2)
    index = next(k for k, step in enumerate(record.steps) if k > index and step.action == "choose")
    browser = open_page(record, f"#step={index}")
    fills = {}
    for kind in ("open", "blocked"):
        shades = browser.find_elements("css selector", f"#board .{kind}.named .shade")
        fills[kind] = {shade.value_of_css_property("fill") for shade in shades}
    assert fills["blocked"] == {"none"}
    assert fills["open"].isdisjoint({"none"})
    assert len(fills["open"]) == 1


def test_sides_of_placed_squares_are_colored(open_page):
    page = MacMahon().cover(choose="random", seed=1).explain(limit=1, steps=400)
    record = page.record
    browser = open_page(record, f"#step={len(record.steps) - 1}")
    script = "return [...document.querySelectorAll('#board .side')].map((e) => e.style.fill)"
    expected = {
        (cell, side): "rgb({}, {}, {})".format(*bytes.fromhex(COLORS[color][1:]))
        for option in record.steps[-1].chosen
        for cell, side, color in page.view.grid.option_sides[option]
    }
    assert browser.execute_script(script) == [expected[key] for key in sorted(expected)]
    assert len(expected) == 96
