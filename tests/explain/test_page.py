"""The page of `explain` in a browser shows the arrays of the search."""

import itertools
import re
import shutil

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.page import make_page
from dlx_numba.explain.problem_view import view_board, view_cover
from dlx_numba.explain.recorder import Recorder
from dlx_numba.gallery import Polyominoes, Queens
from dlx_numba.kernels.branching import Branching
from dlx_numba.kernels.links import COVERED
from dlx_numba.sudoku.io.board import parse_board
from tests.helpers.examples import knuth_example, multiplicity_example
from tests.helpers.oracles import random_general_problem
from tests.helpers.seeds import seeds

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(
        BROWSER is None or DRIVER is None,
        reason="requires Chromium and its driver: apt-get install chromium chromium-driver",
    ),
]

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)
POLL_SECONDS = 0.02

# All of its moves are forced.
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

# Everything that a page shows at a step, read in a single call.
SNAPSHOT = """
const all = (selector) => [...document.querySelectorAll(selector)];
const texts = (selector) => all(selector).map((element) => element.textContent);
const numbers = (selector, name) => all(selector).map((element) => Number(element.dataset[name]));
const arrays = {};
for (const cell of all("#arrays td")) {
  const text = (cell.querySelector("ins") ?? cell).innerText;
  if (text) (arrays[cell.dataset.array] ??= []).push(text);
}
const states = {};
for (const row of all("#matrix .row")) {
  (states[row.classList[1]] ??= []).push(Number(row.dataset.option));
}
const visibleTree = "#tree .tree-node[visibility=visible]";
return {
  count: document.getElementById("count").innerText,
  name: document.getElementById("name").innerText,
  text: document.getElementById("text").innerText,
  arrays,
  states,
  unlinked: numbers("#links .node.unlinked", "node"),
  covered: numbers("#matrix .column.covered", "item"),
  need: texts("#matrix .heading .need"),
  capacity: texts("#matrix .heading .capacity"),
  tree: texts(`${visibleTree} > text:not([class])`),
  coverNodes: all("#tree .tree-node.cover").length,
  partial: document.getElementById("partial").innerText,
  pending: all("#arrays td.pending").map((cell) => [cell.dataset.array, Number(cell.dataset.node)]),
  bold: [...new Set(all("#links .pending").map((line) => line.dataset.link))],
  selected: numbers("#matrix .row.selected", "option"),
  related: numbers("#matrix .row.related", "option"),
  touched: numbers("#matrix .column.touched", "item"),
  rows: numbers("#matrix .row:not([display=none])", "option"),
  columns: numbers("#matrix .column:not([display=none])", "item"),
};
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    profile = tmp_path_factory.mktemp("profile")
    for flag in (*FLAGS.split(), f"--user-data-dir={profile}", "--window-size=1200,1000"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def open_page(browser, tmp_path):
    """Open the page of a record. After the test, the console must be empty."""

    def open_(view, record, fragment=""):
        path = tmp_path / "page.html"
        path.write_text(make_page(view, record), encoding="utf-8")
        browser.get("about:blank")  # a new fragment alone would not reload the page
        browser.get(path.as_uri() + fragment)
        return browser

    yield open_
    assert browser.get_log("browser") == []


@pytest.fixture
def arrays_by_step(monkeypatch):
    """Copies of the recorder's arrays after each step."""
    copies = []
    step = Recorder._step

    def spy(self, *arguments):
        step(self, *arguments)
        copies.append({name: array.tolist() for name, array in self.arrays.items()})

    monkeypatch.setattr(Recorder, "_step", spy)
    return copies


@pytest.fixture
def arrays_by_change(monkeypatch):
    """Copies of the recorder's arrays before the first change and after each change."""
    copies = []
    change = Recorder._change

    def spy(self, item=0):
        if not copies:
            copies.append({name: list(cells) for name, cells in self.initial.items()})
        n_changes = len(self.changes)
        change(self, item)
        if len(self.changes) > n_changes:
            copies.append({name: array.tolist() for name, array in self.arrays.items()})

    monkeypatch.setattr(Recorder, "_change", spy)
    return copies


def press(browser, *keys):
    from selenium.webdriver import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


def wait_until(browser, condition, seconds=5):
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, seconds, POLL_SECONDS).until(lambda _: condition())


def parse_step(text):
    return int(re.fullmatch(r"step (\d+) of \d+(?:, (?:sub-step|assignment) \d+ of \d+)?", text)[1])


def shown_step(browser):
    return parse_step(browser.find_element("id", "count").text)


def parse_value(text):
    return int(COVERED) * text.count("C+") + int(text.replace("C+", ""))


def take_snapshot(browser):
    """Return what the page shows, with the values of the arrays as integers."""
    shown = browser.execute_script(SNAPSHOT)
    arrays = {
        name: [parse_value(text) for text in texts] for name, texts in shown["arrays"].items()
    }
    arrays["size"] = [size % 2**32 for size in arrays.get("size", [])]  # the array is unsigned
    return {**shown, "arrays": arrays}


def hidden_nodes(arrays, n_items):
    D, U = np.array(arrays["D"]), np.array(arrays["U"])
    nodes = np.arange(len(D))
    return nodes[(D[U] != nodes) & (nodes > n_items)].tolist()


def check_snapshot(shown, index, step, arrays, n_items, n_secondary=0):
    """Compare everything that the page shows with the record and with the arrays."""
    assert parse_step(shown["count"]) == index
    assert shown["text"] == step.text
    assert shown["name"].startswith(f"{step.name} [")
    assert shown["arrays"] == arrays
    assert shown["states"].get("chosen", []) == sorted(step.chosen)
    assert shown["unlinked"] == hidden_nodes(arrays, n_items)
    sizes = arrays["size"]
    covered_size = [COVERED] * (n_items - n_secondary) + [2 * COVERED] * n_secondary
    assert shown["covered"] == [
        item
        for item in range(1, n_items + 1)
        if covered_size[item - 1] <= sizes[item] < 3 * COVERED
    ]


def check_forward_and_back(browser, record, check):
    """Step through the whole record and back, and call `check(snapshot, index)` at each step."""
    from selenium.webdriver.common.keys import Keys

    last = len(record.steps) - 1
    for index in range(last + 1):
        check(take_snapshot(browser), index)
        press(browser, Keys.ARROW_RIGHT)
    assert shown_step(browser) == last
    for index in reversed(range(last + 1)):
        check(take_snapshot(browser), index)
        press(browser, Keys.ARROW_LEFT)
    assert shown_step(browser) == 0


def test_knuths_example_forward_and_back(open_page, arrays_by_step):
    view = view_cover(knuth_example(), "Knuth's example")
    record = record_search(view)
    assert len(arrays_by_step) == len(record.steps)

    def check(shown, index):
        step = record.steps[index]
        check_snapshot(shown, index, step, arrays_by_step[index], 7)
        if step.name == "X2":
            assert [1 + option for option in shown["states"]["chosen"]] == [1, 4, 5]
            assert shown["coverNodes"] == 1

    check_forward_and_back(open_page(view, record), record, check)


def test_colors_and_secondary_items(open_page, arrays_by_step):
    view = view_cover(color_example(), "colors")
    record = record_search(view)
    assert record.covers == [[1, 3]]

    def check(shown, index):
        step = record.steps[index]
        check_snapshot(shown, index, step, arrays_by_step[index], 5, 2)
        assert "purifier" in shown["arrays"]
        if step.name == "C2":
            assert shown["states"]["chosen"] == [1, 3]

    check_forward_and_back(open_page(view, record), record, check)


def test_multiplicities_forward_and_back(open_page, arrays_by_step):
    view = view_cover(multiplicity_example(), "multiplicities")
    record = record_search(view)
    assert record.covers == multiplicity_example().solve()

    def check(shown, index):
        """Also check the bounds in the head of the matrix, and the search tree."""
        arrays = arrays_by_step[index]
        check_snapshot(shown, index, record.steps[index], arrays, 4, 1)
        for name in ("need", "capacity"):
            expected = [
                "–" if size >= COVERED else str(max(0, value))
                for size, value in zip(arrays["size"][1:4], arrays[name][1:], strict=True)
            ]
            assert shown[name] == [*expected, ""]  # the last item is secondary
        options = [node.option for node in record.tree[1:] if node.created_step <= index]
        labels = [str(option) if option >= 0 else "none" for option in options]
        assert shown["tree"] == ["root", *labels]

    check_forward_and_back(open_page(view, record), record, check)


def expected_positions(record):
    """Return the step, the number of changes of this step and the kind of each sub-step."""
    positions = []
    for index, step in enumerate(record.steps):
        n = len(step.changes)
        is_attempt = step.name in ("X5", "C5", "M6") and step.option >= 0
        kinds = ["row", "columns", "related"] if is_attempt else ["before"] * bool(n)
        positions += [(index, 0, kind) for kind in kinds]
        positions += [(index, k, "change") for k in range(1, n + is_attempt)]
        positions.append((index, n, "complete"))
    return positions


def link_names(arrays, pending):
    """Return the names of the lines for links: both directions of a mutual link are one line."""
    names = set()
    for name, node in pending:
        if name not in "LRUD":
            continue
        target = arrays[name][node]
        opposite = {"L": "R", "R": "L", "U": "D", "D": "U"}[name]
        if arrays[opposite][target] == node:
            if target != node:
                names.add(f"{name}{node}" if name in "RD" else f"{opposite}{target}")
        else:
            names.add(f"{name}{node}")
    return names


def options_left(problem, arrays):
    """Return the options without removed nodes."""
    n_items, indptr = problem.n_items, problem.indptr.tolist()
    color = [0] * (1 + n_items) + (
        [0] * len(problem.items) if problem.color is None else problem.color.tolist()
    )
    size = np.array(arrays["size"], np.uint32).astype(np.int64)
    size[size >= 3 * int(COVERED)] -= 1 << 32
    left = []
    for option in range(problem.n_options):
        removed = False
        for node in range(1 + n_items + indptr[option], 1 + n_items + indptr[option + 1]):
            item = arrays["column"][node]
            covered = size[item] >= int(COVERED) * (1 if item <= problem.n_primary else 2)
            purifier = arrays["purifier"][item] if "purifier" in arrays else 0
            wrong = purifier != 0 and color[purifier] != color[node]
            removed |= arrays["D"][arrays["U"][node]] != node
            removed |= covered or wrong
        if not removed:
            left.append(option)
    return left


def color_example():
    options = [
        ["p", "q", "x", ("y", "A")],
        ["p", "r", ("x", "A"), "y"],
        ["p", ("x", "B")],
        ["q", ("x", "A")],
        ["r", ("y", "B")],
    ]
    return dlx.ExactCover(options, secondary=["x", "y"])


@pytest.mark.parametrize("example", [knuth_example, color_example, multiplicity_example])
def test_substeps_forward_and_back(open_page, arrays_by_change, example):
    from selenium.webdriver.common.keys import Keys

    view = view_cover(example(), "sub-steps")
    record = record_search(view)
    changes = [change for step in record.steps for change in step.changes]
    assert len(arrays_by_change) == 1 + len(changes)
    first_change = np.cumsum([0, *(len(step.changes) for step in record.steps)]).tolist()
    positions = expected_positions(record)

    def check(shown, number):
        index, n_changes, kind = positions[number]
        step = record.steps[index]
        applied = first_change[index] + n_changes
        arrays = arrays_by_change[applied]
        assert parse_step(shown["count"]) == index
        assert shown["arrays"] == arrays
        # Options are chosen when the step is complete.
        completed = step if kind == "complete" else record.steps[index - 1]
        assert shown["states"].get("chosen", []) == sorted(completed.chosen)
        for option in completed.chosen:
            assert f"{option} ({view.options[option]})" in shown["partial"]
        # Exactly the links that the next sub-step changes are bold.
        pending = set()
        following = positions[number + 1] if number + 1 < len(positions) else positions[number]
        if first_change[following[0]] + following[1] > applied:
            cells = changes[applied].cells
            pending = {(name, node) for name in cells for node in cells[name][::2]}
        assert {tuple(cell) for cell in shown["pending"]} == pending
        assert set(shown["bold"]) == link_names(arrays, pending)
        if kind == "complete":
            assert (shown["selected"], shown["related"], shown["touched"]) == ([], [], [])
        elif step.option >= 0:
            assert shown["selected"] == [step.option]
        if kind in ("columns", "related"):
            start, end = view.option_starts[step.option : step.option + 2]
            assert shown["touched"] == sorted(arrays["column"][start:end])
        if kind in ("related", "before", "change"):
            before = arrays_by_change[first_change[index]]
            after = arrays_by_change[first_change[index + 1]]
            left = set(options_left(view.problem, before))
            related = left ^ set(options_left(view.problem, after))
            assert set(shown["related"]) == related - {step.option}

    browser = open_page(view, record, "#step=0&substeps")
    for number in range(len(positions)):
        check(take_snapshot(browser), number)
        press(browser, Keys.ARROW_RIGHT)
    for number in reversed(range(len(positions))):
        check(take_snapshot(browser), number)
        press(browser, Keys.ARROW_LEFT)
    assert shown_step(browser) == 0


def test_substeps_of_knuths_example(open_page):
    """The sub-steps of the first attempt: row, columns, related rows, items, partial solution."""
    from selenium.webdriver.common.keys import Keys

    view = view_cover(knuth_example(), "Knuth's example")
    browser = open_page(view, record_search(view), "#step=2&substeps")
    shown = []
    for _ in range(7):
        press(browser, Keys.ARROW_RIGHT)
        shown.append(take_snapshot(browser))
    assert [part["text"] for part in shown] == [
        "Select the row of option 1 (0 3 6).",
        "Its columns are items 0, 3, and 6. Item 0 is covered already.",
        "Options 4 and 5 conflict with option 1, and will be removed.",
        "Items 3 and 6 leave the item list.",
        "Cover item 3: hide option 5.",
        "Cover item 6: hide option 4.",
        "The partial solution grows: option 1 is added.",
    ]
    assert {part["name"] for part in shown} == {"X5 [Try xₗ.]"}
    # Rows are removed item by item, although all items leave the item list first.
    removed = [part["states"].get("removed", []) for part in shown[3:6]]
    assert removed == [[], [5], [4, 5]]
    assert shown[5]["partial"] == "Partial solution: no options"
    assert shown[6]["partial"] == "Partial solution: + 1 (0 3 6)"
    press(browser, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    plain, bold = browser.execute_script(
        "return ['.link:not(.pending)', '.link.pending'].map((kind) => "
        "parseFloat(getComputedStyle(document.querySelector(`#links ${kind}`)).strokeWidth))"
    )
    assert bold >= 2 * plain  # not by color alone


@pytest.mark.parametrize("example", [knuth_example, color_example, multiplicity_example])
def test_condensed_matrix(open_page, arrays_by_step, example):
    """Complete steps show what is left, and the options to try next; without it, everything."""
    view = view_cover(example(), "condensed")
    record = record_search(view)
    browser = open_page(view, record, "#step=0&condensed")
    n_items, n_primary = view.problem.n_items, view.problem.n_primary
    for index, (step, arrays) in enumerate(zip(record.steps, arrays_by_step, strict=True)):
        browser.execute_script(f"location.hash = '#step={index}&condensed'")
        wait_until(browser, lambda index=index: shown_step(browser) == index)
        shown = take_snapshot(browser)
        rows, columns = set(options_left(view.problem, arrays)), set(range(1, 1 + n_items))
        for item, size in enumerate(arrays["size"]):
            if item and COVERED * (1 if item <= n_primary else 2) <= size < 3 * int(COVERED):
                columns.discard(item)
        if step.name[1:] == "4":
            rows |= set(shown["states"]["untried"])
            columns.add(step.item)
        assert (set(shown["rows"]), set(shown["columns"])) == (rows, columns)
    note = browser.find_element("id", "left-note")
    browser.execute_script("location.hash = '#step=0'")
    wait_until(browser, lambda: not note.is_displayed())
    shown = take_snapshot(browser)
    assert (len(shown["rows"]), len(shown["columns"])) == (view.problem.n_options, n_items)


def test_condensed_matrix_of_a_cover(open_page):
    view = view_cover(knuth_example(), "Knuth's example")
    record = record_search(view)
    browser = open_page(view, record, "#step=18&condensed")
    assert record.steps[18].name == "X2"
    note = browser.find_element("id", "left-note").text
    assert note == "Nothing is left: all items are covered."


def test_switching_substeps_and_the_condensed_matrix(open_page):
    """Buttons, keys and the URL: the URL contains the view, and the step stays the same."""
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select

    view = view_cover(knuth_example(), "Knuth's example")
    record = record_search(view)
    n_positions = len(expected_positions(record))
    browser = open_page(view, record, "#step=3")

    def count():
        return browser.find_element("id", "count").text

    def wait_for_url(fragment):
        wait_until(browser, lambda: browser.current_url.endswith(fragment))

    assert not browser.find_element("id", "partial").is_displayed()
    press(browser, "s")
    assert count() == "step 3 of 19, sub-step 7 of 7"
    wait_for_url("#step=3&substeps")
    assert browser.find_element("id", "partial").is_displayed()
    press(browser, Keys.ARROW_LEFT)
    assert count() == "step 3 of 19, sub-step 6 of 7"
    wait_for_url("#step=3&phase=6&substeps")
    press(browser, "c")
    wait_for_url("#step=3&phase=6&substeps&condensed")
    granularity = Select(browser.find_element("id", "granularity"))
    granularity.select_by_value("steps")
    assert count() == "step 3 of 19"
    wait_for_url("#step=3&condensed")
    condensed = browser.find_element("id", "condensed")
    assert condensed.is_selected()
    condensed.click()
    wait_for_url("#step=3")
    press(browser, " ")  # the check box has the focus: Space switches it, and does not play
    wait_for_url("#step=3&condensed")
    assert browser.find_element("id", "play").text == "Play"
    condensed.click()
    granularity.select_by_value("substeps")
    press(browser, Keys.ARROW_LEFT, Keys.ARROW_RIGHT)  # the selection does not take these keys
    assert count() == "step 3 of 19, sub-step 7 of 7"
    wait_for_url("#step=3&substeps")
    browser.execute_script("location.hash = '#step=3&phase=2&substeps'")
    wait_until(browser, lambda: count() == "step 3 of 19, sub-step 2 of 7")
    slider = browser.find_element("id", "slider")
    assert slider.get_attribute("max") == str(n_positions - 1)
    assert slider.get_attribute("aria-valuetext").startswith("step 3, sub-step 2 of 7: Its columns")
    browser.execute_script("document.activeElement.blur()")
    for key, text in [
        ("n", "step 18 of 19"),
        (Keys.END, "step 19 of 19"),
        (Keys.HOME, "step 0 of 19"),
        (Keys.PAGE_DOWN, "step 3 of 19, sub-step 6 of 7"),
    ]:
        press(browser, key)
        assert count() == text
    browser.execute_script("document.activeElement.blur()")
    press(browser, *"+++++++", " ")
    play = browser.find_element("id", "play")
    assert play.text == "Pause"
    wait_until(browser, lambda: count() == "step 19 of 19", seconds=30)
    wait_until(browser, lambda: play.text == "Play")


def test_untried_options_of_an_item_in_the_list(open_page):
    view = view_cover(multiplicity_example(), "multiplicities")
    record = record_search(view)
    browser = open_page(view, record, "#step=4")
    names = [step.name for step in record.steps]
    none = next(k for k, step in enumerate(record.steps) if step.text.startswith("Try none"))
    for index, name, chosen, untried in [
        (5, "M4", [1], [0, 2, 3]),
        (6, "M5", [1], [0, 2, 3]),
        (7, "M6", [0, 1], [2, 3]),
        (none, "M6", [0, 1], []),
    ]:
        browser.execute_script(f"location.hash = '#step={index}'")
        wait_until(browser, lambda index=index: shown_step(browser) == index)
        assert names[index] == name
        states = take_snapshot(browser)["states"]
        assert (states["chosen"], states.get("untried", [])) == (chosen, untried)


def test_negative_sizes(open_page, arrays_by_step):
    """The size of an item that lacks more than one option is negative."""
    cover = dlx.ExactCover([["x", "c"]] * 3, multiplicity={"c": (2, 3)})
    view = view_cover(cover, "too few options")
    record = record_search(view, choose=Branching.LEFTMOST)
    assert record.covers == []
    sizes = [np.array(arrays["size"], np.uint32).view(np.int32) for arrays in arrays_by_step]
    assert np.min(sizes) < 0
    for index, arrays in enumerate(arrays_by_step):
        browser = open_page(view, record, f"#step={index}")
        check_snapshot(take_snapshot(browser), index, record.steps[index], arrays, 2)


def cells_that_differ(before, after):
    """Return the array, the index and both values of each cell that differs."""
    return [
        (name, index, old, new)
        for name in before
        for index, (old, new) in enumerate(zip(before[name], after[name], strict=True))
        if old != new
    ]


def walk_links(browser):
    """Return the snapshots at all positions, link by link, from the first step to the last."""
    from selenium.webdriver.common.keys import Keys

    forward = browser.find_element("id", "forward")
    snapshots = [take_snapshot(browser)]
    while forward.is_enabled():
        press(browser, Keys.ARROW_RIGHT)
        snapshots.append(take_snapshot(browser))
    return snapshots


@pytest.mark.parametrize("example", [knuth_example, color_example, multiplicity_example])
def test_link_by_link(open_page, arrays_by_step, arrays_by_change, example):
    """Each position changes one cell, as its sentence states; steps and changes end as recorded."""
    from selenium.webdriver.common.keys import Keys

    view = view_cover(example(), "links")
    record = record_search(view)
    browser = open_page(view, record, "#step=0&links")
    snapshots = walk_links(browser)
    remaining = iter([snapshot["arrays"] for snapshot in snapshots])
    distinct = [arrays for arrays, _ in itertools.groupby(arrays_by_change)]
    assert all(arrays in remaining for arrays in distinct)  # in this order
    done = {}  # the assignments of the attempts that can still be undone
    assignments = []
    previous = snapshots[0]
    for snapshot in snapshots:
        index = parse_step(snapshot["count"])
        step = record.steps[index]
        is_complete = snapshot["text"] == step.text or "partial solution grows" in snapshot["text"]
        differences = cells_that_differ(previous["arrays"], snapshot["arrays"])
        stated = re.search(r"←.* for x = \d+\. (\w+)\[(\d+)\] (changes|stays)", snapshot["text"])
        assert len(differences) == (stated is not None and stated[3] == "changes")
        if stated is not None:
            name, cell = stated[1], int(stated[2])
            assert all(each[:2] == (name, cell) for each in differences)
            assert previous["pending"] == [[name, cell]]
            assignments += differences
        if is_complete:
            assert snapshot["arrays"] == arrays_by_step[index]
            if step.name == "X5":
                done[step.option] = assignments
            if step.name == "X6":
                undone = [(name, cell, new, old) for name, cell, old, new in assignments]
                assert undone[::-1] == done.pop(step.option)
            assignments = []
        previous = snapshot
    for snapshot in reversed(snapshots):
        assert take_snapshot(browser) == snapshot
        press(browser, Keys.ARROW_LEFT)


def test_links_of_knuths_example(open_page):
    view = view_cover(knuth_example(), "Knuth's example")
    browser = open_page(view, record_search(view), "#step=2&links&phase=1")
    snapshots = walk_links(browser)
    assert [snapshot["text"] for snapshot in snapshots[:6]] == [
        "Select the column of item 0, with rows 1 and 3.",
        "Remove item 0 from the item list: R[L[x]] ← R[x] for x = 1. R[0] changes from 1 to 2.",
        "Remove item 0 from the item list: L[R[x]] ← L[x] for x = 1. L[2] changes from 1 to 0.",
        "Remove item 0 from the item list: size[x] ← size[x] + C for x = 1. "
        "size[1] changes from 2 to C+2.",
        "Hide node 12 (option 1, item 3): D[U[x]] ← D[x] for x = 12. D[4] changes from 12 to 18.",
        "Hide node 12 (option 1, item 3): U[D[x]] ← U[x] for x = 12. U[18] changes from 12 to 4.",
    ]
    assert snapshots[1]["count"] == "step 2 of 19, assignment 1 of 12"


def test_links_of_random_problems(browser, open_page):
    """The page compares the assignments with the record, and reports differences as errors."""
    for seed in seeds(24):
        options, bounds, secondary = random_general_problem(seed)
        more = {"multiplicity": bounds} if seed % 2 else {}
        view = view_cover(dlx.ExactCover(options, list(bounds), secondary, **more), "random")
        record = record_search(view, steps=200)
        open_page(view, record, "#step=0&links")
        assert browser.find_element("id", "granularity").get_attribute("value") == "links"
    record = record_search(view_cover(knuth_example(), "damaged"))
    record.steps[3].changes[1].cells["D"][1] += 1
    open_page(view_cover(knuth_example(), "damaged"), record, "#step=0&links")
    [error] = browser.get_log("browser")
    assert re.search(r"Uncaught Error: D\[\d+\] differs", error["message"])


def test_covers(open_page):
    """The buttons, keys, marks and the list lead to the steps that find a cover."""
    view = view_cover(multiplicity_example(), "covers")
    record = record_search(view)
    found = [k for k, step in enumerate(record.steps) if step.name == "M2"]
    assert len(found) == len(record.covers) == 6
    browser = open_page(view, record)
    previous, following = (
        browser.find_element("id", f"{name}-cover") for name in ("previous", "next")
    )
    assert not previous.is_enabled()
    note = browser.find_element("id", "covers-note")
    assert note.text == "No covers found so far."
    for count, index in enumerate(found, 1):
        following.click()
        assert shown_step(browser) == index
        assert note.text == f"{count} cover{'s' * (count > 1)} found so far."
        shown = browser.find_elements("css selector", "#covers .found")
        assert [entry.text for entry in shown] == [
            " · ".join(map(str, cover)) for cover in record.covers[:count]
        ]
    assert not following.is_enabled()
    press(browser, "p")
    assert shown_step(browser) == found[-2]
    press(browser, "n")
    assert shown_step(browser) == found[-1]
    browser.find_element("id", "last").click()
    assert note.text == "6 covers found."
    buttons = browser.find_elements("css selector", "#covers button")
    buttons[1].click()
    assert shown_step(browser) == found[1]
    assert buttons[4].text == f"in step {found[4]}"
    buttons[4].click()
    assert shown_step(browser) == found[4]
    for fragment in ("", "&substeps", "&links"):
        browser.execute_script(f"location.hash = '#step={found[2]}{fragment}'")
        slider = browser.find_element("id", "slider")
        wait_until(browser, lambda: shown_step(browser) == found[2])
        share = int(slider.get_property("value")) / int(slider.get_attribute("max"))
        marks = browser.find_elements("css selector", "#marks line")
        assert len(marks) == 6
        assert float(marks[2].get_attribute("x1").rstrip("%")) == pytest.approx(100 * share)


def test_folding_forced_moves(open_page):
    values, alphabet, box = parse_board(EASY)
    view = view_board(values, box, alphabet, "forced moves")
    record = record_search(view)
    browser = open_page(view, record, f"#step={len(record.steps) - 1}")
    nodes = "#tree .tree-node[visibility=visible]"

    def labels():
        found = browser.find_elements("css selector", f"{nodes} > text:not([class])")
        return [label.text for label in found]

    assert labels() == ["root", "51 forced"]  # deep trees are folded at first
    press(browser, "f")
    assert len(labels()) == 52
    assert not browser.find_element("id", "fold").is_selected()
    browser.find_element("id", "fold").click()
    browser.find_element("css selector", "#tree .run").click()
    assert len(labels()) == 52
    browser.find_element("css selector", "#tree .current").click()
    assert labels() == ["root", "51 forced"]
    browser.execute_script("location.hash = '#step=9'")
    wait_until(browser, lambda: labels() == ["root", "3 forced"])


def test_zoom(open_page):
    """A matrix without legible names becomes legible, by the button or by a click."""
    values, alphabet, box = parse_board(EASY)
    view = view_board(values, box, alphabet, "zoom")
    browser = open_page(view, record_search(view))
    name = browser.find_element("css selector", "#matrix .heading .name")
    matrix = browser.find_element("css selector", "#matrix svg:not(.matrix-head)")
    assert not name.is_displayed()
    for _ in range(5):
        browser.find_element("id", "zoom-in").click()
    assert name.is_displayed()
    assert not browser.find_element("id", "zoom-in").is_enabled()
    for _ in range(5):
        browser.find_element("id", "zoom-out").click()
    assert not name.is_displayed()
    width = matrix.size["width"]
    matrix.click()
    assert matrix.size["width"] > 3 * width


def test_board_highlights_what_the_sentence_names(open_page):
    values, alphabet, box = parse_board("1.....3..4.....2")
    view = view_board(values, box, alphabet, "4×4 board")
    record = record_search(view)
    browser = open_page(view, record)

    def marked(selector):
        cells = browser.find_elements("css selector", f"#board {selector}")
        return [int(cell.get_attribute("data-cell")) for cell in cells]

    for index, step in enumerate(record.steps):
        browser.execute_script(f"location.hash = '#step={index}'")
        wait_until(browser, lambda index=index: shown_step(browser) == index)
        items = {step.item} if step.item else set()
        if step.option >= 0:
            start, end = view.option_starts[step.option : step.option + 2]
            items |= set(record.arrays["column"][start:end])
            assert view.board.placements[step.option][0] in marked(".own")
        items |= {change.item for change in step.changes if change.item}
        named = {cell for item in items for cell in view.board.item_cells[item - 1]}
        assert marked(".named") == sorted(named)
        if step.name == "X5":
            hides = re.search(r"This hides options? ([^.]+)", step.text)
            options = map(int, re.findall(r"\d+", hides[1])) if hides else []
            places = (view.board.placements[option] for option in options)
            texts = browser.find_elements("css selector", "#board .candidate.gone")
            struck = sorted(text.text for text in texts if text.text)
            own = view.board.placements[step.option][0]
            assert struck == sorted(str(value) for cell, value in places if cell != own)


def test_last_step_shows_a_solved_board(open_page):
    """Also if the search ends with a dead end after the last cover."""
    puzzle = "1.......2....1.."
    values, alphabet, box = parse_board(puzzle)
    view = view_board(values, box, alphabet, "several covers")
    record = record_search(view)
    last = len(record.steps) - 1
    browser = open_page(view, record, f"#step={last}")
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
    view = view_cover(cover, "tetrominoes")
    record = record_search(view, steps=200)
    browser = open_page(view, record)
    for index in (0, 5, 40, 41, 42, 199):
        browser.execute_script(f"location.hash = '#step={index}'")
        wait_until(browser, lambda index=index: shown_step(browser) == index)
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


def test_grid_of_queens(open_page):
    view = view_cover(Queens(6).cover(), "queens")
    record = record_search(view, limit=1)
    browser = open_page(view, record, f"#step={len(record.steps) - 1}")
    queens = browser.find_elements("css selector", "#board .filled")
    cells = [divmod(int(cell.get_attribute("data-cell")), 6) for cell in queens]
    assert {cell.text for cell in queens} == {"●"}
    for values in zip(*((r, c, r + c, r - c) for r, c in cells), strict=True):
        assert len(set(values)) == 6
    assert len(browser.find_elements("css selector", "#board .blocked")) == 30
    assert browser.find_element("id", "board-note").text.startswith("Cover 1 of 1")


def test_introduction_is_open(open_page):
    view = view_cover(knuth_example(), "Knuth's example")
    browser = open_page(view, record_search(view))
    introduction = browser.find_element("css selector", "#introduction p")
    assert introduction.is_displayed()
    assert len(re.findall(r"\.(?= |$)", introduction.text)) == 2
    assert "secondary" not in introduction.text
    browser.find_element("css selector", "#introduction summary").click()
    assert not introduction.is_displayed()
    browser = open_page(view_cover(color_example(), "colors"), record_search(view))
    introduction = browser.find_element("css selector", "#introduction p")
    assert "secondary" in introduction.text


def test_phones(open_page):
    """The whole board is visible above the controls, which take a tenth of the screen."""
    values, alphabet, box = parse_board(EASY)
    view = view_board(values, box, alphabet, "phone")
    browser = open_page(view, record_search(view), "#step=3")
    screen = {"width": 390, "height": 844, "deviceScaleFactor": 3, "mobile": True}
    try:
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})

        def rectangle(selector):
            return browser.execute_script(
                "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()",
                selector,
            )

        for key in "sls":  # sub-steps, links, complete steps
            board, controls = rectangle("#board svg"), rectangle("#controls")
            assert controls["height"] <= 84.4
            assert controls["bottom"] == 844
            assert 0 <= board["left"] < board["right"] <= 390
            assert 0 <= board["top"] < board["bottom"] <= controls["top"]
            assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
            press(browser, key)
        press(browser, "s")

        def tap(selector):
            target = rectangle(selector)
            x, y = (
                (target[low] + target[high]) / 2
                for low, high in (("left", "right"), ("top", "bottom"))
            )
            points = [{"x": x, "y": y}]
            for kind, touches in (("touchStart", points), ("touchEnd", [])):
                event = {"type": kind, "touchPoints": touches}
                browser.execute_cdp_cmd("Input.dispatchTouchEvent", event)

        for button, index in [("forward", 4), ("back", 3), ("next-cover", 154), ("first", 0)]:
            tap(f"#{button}")
            wait_until(browser, lambda index=index: shown_step(browser) == index)
        tap("#slider")
        wait_until(browser, lambda: 60 < shown_step(browser) < 95)
    finally:
        browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_controls(open_page):
    from selenium.webdriver.common.keys import Keys

    view = view_cover(knuth_example(), "Knuth's example")
    record = record_search(view)
    last = len(record.steps) - 1
    browser = open_page(view, record, "#step=5")
    assert shown_step(browser) == 5
    for key, index in [
        (Keys.END, last),
        (Keys.PAGE_UP, last - 10),
        (Keys.HOME, 0),
        (Keys.PAGE_DOWN, 10),
        ("n", 18),
        (Keys.ARROW_LEFT, 17),
    ]:
        press(browser, key)
        assert shown_step(browser) == index
        fragment = f"#step={index}"
        wait_until(browser, lambda end=fragment: browser.current_url.endswith(end))
    for name, index in [("first", 0), ("forward", 1), ("back", 0), ("last", last)]:
        browser.find_element("id", name).click()
        assert shown_step(browser) == index
    browser.execute_script(
        "const slider = document.getElementById('slider'); slider.value = 7;"
        "slider.dispatchEvent(new Event('input'));"
    )
    assert shown_step(browser) == 7
    browser.execute_script("location.hash = '#step=3'")
    wait_until(browser, lambda: shown_step(browser) == 3)
    play = browser.find_element("id", "play")
    browser.execute_script("document.activeElement.blur()")
    press(browser, *"+++++++", " ")
    assert play.text == "Pause"
    wait_until(browser, lambda: shown_step(browser) == last, seconds=20)
    assert play.text == "Play"


def test_keyboard_navigation(open_page):
    """Tab reaches every control, and Space activates the focused one."""
    from selenium.webdriver.common.keys import Keys

    view = view_cover(knuth_example(), "Knuth's example")
    browser = open_page(view, record_search(view), "#step=4")
    focused = []
    for _ in range(24):
        press(browser, Keys.TAB)
        focused.append(browser.switch_to.active_element.get_attribute("id"))
        if focused[-1] == "forward" and shown_step(browser) == 4:
            press(browser, " ")
            assert shown_step(browser) == 5
    for name in ("first", "back", "play", "forward", "last", "slider", "matrix", "arrays"):
        assert name in focused
    assert {"next-cover", "granularity", "condensed", "fold", "zoom-in"} <= set(focused)


def test_labels(open_page):
    view = view_cover(knuth_example(), "Knuth's example")
    browser = open_page(view, record_search(view), "#step=3")
    assert browser.find_element("id", "sentence").get_attribute("aria-live") == "polite"
    for element in browser.find_elements(
        "css selector", "button, input, [role=img], [role=region], svg:not([aria-hidden])"
    ):
        # The board is not displayed, since the problem is not a Sudoku.
        if element.is_displayed():
            assert element.accessible_name, element.get_attribute("outerHTML")[:80]
    matrix = browser.find_element("css selector", "#matrix svg:not(.matrix-head)")
    assert matrix.get_attribute("aria-label") == (
        "Matrix. Options chosen: 1; to be tried: 3; active: 0, 2; removed: 4, 5. "
        "Covered items: 0, 3, 6."
    )
    slider = browser.find_element("id", "slider")
    assert slider.get_attribute("aria-valuetext").startswith("step 3: Try option 1")


def test_names_of_options(open_page):
    """Rows, nodes of the tree and sentences have the names of options; long ones are shortened."""
    long_name = "a name with many letters"
    subsets = {"S1": ["A"], long_name: ["A", "B"], "S3": ["B", "C"], 3: ["B"]}
    view = view_cover(dlx.ExactCover(subsets), "subsets")
    record = record_search(view)
    browser = open_page(view, record, f"#step={len(record.steps) - 2}")
    assert browser.find_element("id", "text").text == (
        "All items are covered: options S1 and S3 form a cover."
    )
    labels = browser.find_elements("css selector", "#matrix .row text")
    assert [label.text.split(" ", 1)[-1] for label in labels] == ["S1", "a name with…", "S3", "3"]
    nodes = browser.find_elements("css selector", "#tree .path > text:nth-of-type(2)")
    assert [node.text for node in nodes] == ["root", "S3", "S1"]
    browser = open_page(view, record, "#step=2&phase=1&substeps")
    assert "with row S3" in browser.find_element("id", "text").text
    browser = open_page(view, record, "#step=3&phase=3&substeps")
    assert f"Options {long_name} and 3 conflict with option S3" in (
        browser.find_element("id", "text").text
    )
    browser = open_page(view, record, "#step=4&substeps")
    assert browser.find_element("id", "partial").text == "Partial solution: S3"


def test_sudoku_board(open_page):
    puzzle = "1.....3..4.....2"
    values, alphabet, box = parse_board(puzzle)
    view = view_board(values, box, alphabet, "4×4 board")
    record = record_search(view)
    cover = next(k for k, step in enumerate(record.steps) if step.name == "X2")
    browser = open_page(view, record, f"#step={cover}")
    cells = browser.find_elements("css selector", "#board .cell")
    solution = "".join(cell.text.strip() for cell in cells)
    assert solution == dlx.solve_sudoku(puzzle)
    assert len(browser.find_elements("css selector", "#board .given")) == 4


def test_large_problems_are_cut(open_page):
    values, alphabet, box = parse_board("." * 81)
    view = view_board(values, box, alphabet, "empty board")
    record = record_search(view, steps=60)
    browser = open_page(view, record, "#step=59")
    assert "stopped early, after 60 steps" in browser.find_element("id", "ending").text
    assert "too many links to draw" in browser.find_element("id", "links-note").text
    assert len(browser.find_elements("css selector", "#matrix .entry")) == 4 * 729
    changed = {name for change in record.steps[59].changes for name in change.cells}
    marked = browser.find_elements("css selector", "#arrays td.changed")
    assert {cell.get_attribute("data-array") for cell in marked} == changed


def test_names_are_escaped(open_page):
    name = "</script><script>alert(1)</script>"
    view = view_cover(dlx.ExactCover([[name], ["<b>b</b>", "&amp;"]]), f"<i>{name}")
    browser = open_page(view, record_search(view, choose=Branching.SMALLEST), "#step=1")
    assert name in browser.find_element("id", "text").text
    assert browser.find_element("tag name", "h1").text == f"<i>{name}"


def test_narrow_screens_and_dark_mode(open_page):
    view = view_cover(knuth_example(), "Knuth's example")
    browser = open_page(view, record_search(view), "#step=4")
    try:
        for scheme, dark in (("light", False), ("dark", True)):
            media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
            color = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
            levels = [int(level) for level in re.findall(r"\d+", color)[:3]]
            assert (max(levels) < 128) == dark
        metrics = {"width": 340, "height": 700, "deviceScaleFactor": 1, "mobile": True}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        width = browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= 340
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_page_loads_no_resources(open_page):
    view = view_cover(knuth_example(), "Knuth's example")
    browser = open_page(view, record_search(view))
    loaded = browser.execute_script("return performance.getEntriesByType('resource').length")
    assert loaded == 0
