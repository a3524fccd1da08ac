"""Functions that control a page of `explain` in a browser, and read what it shows."""

import base64
import itertools
import json
import re
import zlib

import numpy as np

from dlx_numba.kernels.dlx.links import INACTIVE

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
  line: document.querySelector("#listing [aria-current=step]").innerText,
  text: document.getElementById("text").innerText,
  arrays,
  states,
  unlinked: numbers("#links .node.unlinked", "node"),
  covered: numbers("#matrix .column.covered", "item"),
  need: texts("#matrix .heading .need"),
  capacity: texts("#matrix .heading .capacity"),
  tree: texts(`${visibleTree} > text:not([class])`),
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

# Presses a key as long as a button is enabled, and returns a snapshot of each position.
WALK = f"""
const [key, button] = arguments;
const takeSnapshot = () => {{{SNAPSHOT}}};
const snapshots = [takeSnapshot()];
while (!document.getElementById(button).disabled) {{
  document.body.dispatchEvent(new KeyboardEvent("keydown", {{ key, bubbles: true }}));
  snapshots.push(takeSnapshot());
}}
return snapshots;
"""


def read_record(page):
    """Return the data in the text of a page."""
    packed = re.search(r'id="record">([^<]*)<', page)[1]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def arrays_by_change(record):
    """Return the arrays before the first change of a record, and after each change."""
    arrays = {name: list(cells) for name, cells in record.arrays.items()}
    copies = [record.arrays]
    for step in record.steps:
        for change in step.changes:
            for number, index, value in record.assignments[change.start : change.end].tolist():
                arrays[list(arrays)[number]][index] = value
            copies.append({name: list(cells) for name, cells in arrays.items()})
    return copies


def arrays_by_step(record):
    """Return the arrays after each step of a record."""
    copies = arrays_by_change(record)
    ends = itertools.accumulate(len(step.changes) for step in record.steps)
    return [copies[end] for end in ends]


def cells_that_differ(before, after):
    """Return the array, the index and both values of each cell that differs."""
    return [
        (name, index, old, new)
        for name in before
        for index, (old, new) in enumerate(zip(before[name], after[name], strict=True))
        if old != new
    ]


def all_of(browser, selector):
    return browser.find_elements("css selector", selector)


def text_of(browser, selector):
    return browser.find_element("css selector", selector).text


def texts_of(browser, selector):
    return [element.text for element in all_of(browser, selector)]


def numbers_of(browser, selector, name):
    """Return an attribute of elements, such as their cell or their option, as integers."""
    return [int(element.get_attribute(f"data-{name}")) for element in all_of(browser, selector)]


def press(browser, *keys):
    from selenium.webdriver import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


def act(browser, action):
    """Go to a fragment, such as "#step=3", click an element, such as "#first", or press a key."""
    from selenium.webdriver.common.keys import Keys

    if action.startswith("#step"):
        go_to_fragment(browser, action)
    elif action.startswith("#"):
        browser.find_element("css selector", action).click()
    else:
        press(browser, getattr(Keys, action, action))


def wait_until(browser, condition, seconds=60):
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, seconds, poll_frequency=0.02).until(lambda _: condition())


def go_to_fragment(browser, fragment):
    """Change the fragment of the URL as a link does, and wait until the page has shown it.

    The page writes its URL with a delay. A fragment that the URL has already would do nothing.
    """
    browser.execute_async_script(
        """
        const [fragment, done] = arguments;
        addEventListener("hashchange", () => done(), { once: true });
        history.replaceState(null, "", "#");
        location.hash = fragment;
        """,
        fragment,
    )


def show_step(browser, index):
    go_to_fragment(browser, f"#step={index}")
    assert shown_step(browser) == index


def parse_step(text):
    return int(re.fullmatch(r"step (\d+) of \d+(?:, (?:sub-step|assignment) \d+ of \d+)?", text)[1])


def shown_step(browser):
    return parse_step(browser.find_element("id", "count").text)


def take_snapshot(browser):
    """Return what the page shows, with the values of the arrays as integers."""
    return _with_integers(browser.execute_script(SNAPSHOT))


def walk_forward(browser):
    """Step to the end of the record, and return what the page shows at all positions."""
    return [*map(_with_integers, browser.execute_script(WALK, "ArrowRight", "forward"))]


def walk_back(browser):
    """Step to the start of the record, and return what the page shows at all positions."""
    return [*map(_with_integers, browser.execute_script(WALK, "ArrowLeft", "back"))]


def _with_integers(shown):
    arrays = {
        name: [int(INACTIVE) * text.count("C+") + int(text.replace("C+", "")) for text in texts]
        for name, texts in shown["arrays"].items()
    }
    arrays["size"] = [size % 2**32 for size in arrays.get("size", [])]  # the array is unsigned
    return {**shown, "arrays": arrays}


def options_left(problem, arrays):
    """Return the options without removed nodes."""
    n_items, indptr = problem.n_items, problem.indptr.tolist()
    colors = 0 * problem.items if problem.color is None else problem.color
    color = [0] * (1 + n_items) + colors.tolist()
    size = np.array(arrays["size"], np.uint32).astype(np.int64)
    size[size >= 3 * int(INACTIVE)] -= 1 << 32

    def is_removed(node):
        item = arrays["column"][node]
        covered = size[item] >= int(INACTIVE) * (1 if item <= problem.n_primary else 2)
        purifier = arrays["purifier"][item] if "purifier" in arrays else 0
        wrong = purifier != 0 and color[purifier] != color[node]
        return covered or wrong or arrays["D"][arrays["U"][node]] != node

    return [
        option
        for option, (start, end) in enumerate(itertools.pairwise(indptr))
        if not any(map(is_removed, range(1 + n_items + start, 1 + n_items + end)))
    ]
