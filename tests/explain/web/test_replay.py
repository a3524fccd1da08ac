"""The page replays a search: arrays, links, matrix and tree after each step, and within steps."""

import itertools
import re

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.explain.picture import phases_of
from dlx_numba.kernels.dlx.links import INACTIVE
from tests.helpers.examples import color_example, knuth_example, multiplicity_example
from tests.helpers.pages import (
    arrays_by_change,
    arrays_by_step,
    cells_that_differ,
    covered_items,
    options_left,
)
from tests.helpers.problems import general_problem
from tests.helpers.seeds import seeds

pytestmark = pytest.mark.processes


# An item lacks more than one option, so that its size is negative.
TOO_FEW = dlx.ExactCover([["x", "c"]] * 3, multiplicity={"c": (2, 3)}, choose="leftmost")
LITERAL = dlx.ExactCover(
    [["a", "s"], ["a", "b"], ["b", "c"], ["c", "s"], ["c"]],
    secondary=["s"],
    choose="literal-leftmost",
)
EXAMPLES = {
    "literal": LITERAL,
    "multiplicities": multiplicity_example(),
    "colors": color_example(),
    "negative sizes": TOO_FEW,
}


def link_names(arrays, pending):
    """Return the names of the lines for links: both directions of a mutual link are one line."""
    names = set()
    for name, node in pending:
        if name in "LRUD":
            opposite, target = "RLDU"["LRUD".index(name)], arrays[name][node]
            is_mutual = arrays[opposite][target] == node
            if not is_mutual or target != node:
                is_named_back = is_mutual and name in "LU"
                names.add(f"{opposite}{target}" if is_named_back else f"{name}{node}")
    return names


def check_step(shown, index, view, record, arrays):
    """Compare what the page shows after a step with the record and with the arrays."""
    step, problem = record.steps[index], view.problem
    assert shown["text"] == step.text or "partial solution grows" in shown["text"]
    assert shown["name"].startswith(f"{step.name} [")
    assert shown["line"].startswith(shown["name"])
    assert (shown["selected"], shown["related"], shown["touched"]) == ([], [], [])
    D, U = np.array(arrays["D"]), np.array(arrays["U"])
    hidden = np.flatnonzero(D[U] != np.arange(len(D))).tolist()
    assert shown["unlinked"] == [node for node in hidden if node > problem.n_items]
    covered = covered_items(problem, arrays)
    assert shown["covered"] == covered
    for name in arrays.keys() & {"need", "capacity"}:
        values = enumerate(arrays[name][1:], 1)
        expected = ["–" if item in covered else str(max(0, value)) for item, value in values]
        assert shown[name] == expected + [""] * problem.n_secondary
    options = [node.option for node in record.tree[1:] if node.created_step <= index]
    labels = [view.references()[option] if option >= 0 else "none" for option in options]
    assert shown["tree"] == ["root", *labels]


@pytest.mark.thorough
@pytest.mark.parametrize("name", EXAMPLES)
def test_sub_steps_and_steps_forward_and_back(browser, show, name):
    record = show(EXAMPLES[name], "#step=0&substeps")
    view = record.view
    copies = arrays_by_change(record)
    first_change = np.cumsum([0, *(len(step.changes) for step in record.steps)]).tolist()
    positions = [
        (index, phase, first_change[index] + n_changes)
        for index, step in enumerate(record.steps)
        for phase, n_changes in enumerate(phases_of(step), 1)
    ]
    sizes = [np.array(arrays["size"], np.uint32).view(np.int32) for arrays in copies]
    assert np.min(sizes) < 0 or name in ("literal", "multiplicities")
    snapshots, completed = browser.walk_forward(), []
    following = [*positions[1:], positions[-1]]
    for shown, position, (*_, next_applied) in zip(snapshots, positions, following, strict=True):
        index, phase, applied = position
        step, arrays = record.steps[index], copies[applied]
        is_complete = phase == len(phases_of(step))
        assert shown["step"] == index
        assert shown["arrays"] == arrays
        # Options are chosen when the step is complete.
        chosen = (step if is_complete else record.steps[index - 1]).chosen
        assert shown["states"].get("chosen", []) == sorted(chosen)
        assert all(view.options[option] in shown["partial"] for option in chosen)
        # Exactly the links that the next sub-step changes are bold.
        then = copies[applied + (next_applied > applied)]
        pending = {cell[:2] for cell in cells_that_differ(arrays, then)}
        assert {tuple(cell) for cell in shown["pending"]} == pending
        assert set(shown["bold"]) == link_names(arrays, pending)
        if is_complete:
            check_step(shown, index, view, record, arrays)
            completed.append(shown)
            continue
        is_attempt = step.action == "try" and step.option >= 0
        assert shown["selected"] == ([step.option] if step.option >= 0 else [])
        if is_attempt and phase in (2, 3):
            start, end = view.option_starts[step.option : step.option + 2]
            assert shown["touched"] == sorted(arrays["column"][start:end])
        if not is_attempt or phase > 2:
            ends = (copies[first_change[k]] for k in (index, index + 1))
            left, then = ({*options_left(view.problem, each)} for each in ends)
            assert {*shown["related"]} == (left ^ then) - {step.option}
    assert browser.walk_back() == snapshots[::-1]
    browser.go_to_fragment("#step=0")
    for shown, step, expected in zip(browser.walk_forward(), record.steps, completed, strict=True):
        assert shown["text"] == step.text
        differing = {key for key in shown if shown[key] != expected[key]}
        assert differing <= {"count", "text", "partial", "pending", "bold"}


@pytest.mark.thorough
def test_each_assignment_is_what_its_sentence_states(browser, show):
    covers = [(EXAMPLES[name], 10**6) for name in ("multiplicities", "colors", "literal")]
    covers += [(general_problem(seed, has_bounds=seed % 2 == 1), 30) for seed in seeds(6)]
    for cover, steps in covers:
        record = show(cover, "#step=0&links", steps=steps)
        snapshots = browser.walk_forward()
        remaining = iter([snapshot["arrays"] for snapshot in snapshots])
        distinct = [arrays for arrays, _ in itertools.groupby(arrays_by_change(record))]
        assert all(arrays in remaining for arrays in distinct)  # in this order
        for previous, shown in itertools.pairwise(snapshots):
            index, text = shown["step"], shown["text"]
            differences = cells_that_differ(previous["arrays"], shown["arrays"])
            formula = r": (\w+)\[(.*)\] ← (.*) for x = (\d+)\. \1\[(\d+)\] (changes|stays)"
            stated = re.search(formula, text)
            assert len(differences) == (stated is not None and stated[6] == "changes")
            if text == record.steps[index].text:
                assert shown["arrays"] == arrays_by_step(record)[index]
            if stated is None:
                continue
            array, cell, value, x = stated.groups()[:4]
            names = {name: np.array(cells) for name, cells in previous["arrays"].items()}
            names |= {"x": int(x), "C": int(INACTIVE)}
            at = eval(cell, names)
            assert previous["pending"] == [[array, at]] == [[array, int(stated[5])]]
            assert all(difference[:2] == (array, at) for difference in differences)
            changed = shown["arrays"][array][at]
            if value == "node":  # from which the item gets its color
                assert shown["arrays"]["column"][changed] == at
            else:
                assert changed % 2**32 == eval(value.replace("−", "-"), names) % 2**32
        assert steps == 30 or browser.walk_back() == snapshots[::-1]


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["colors", "multiplicities"])
def test_condensed_matrix(browser, show, name):
    """Complete steps show what is left, and the options to try next; without it, everything."""
    record = show(EXAMPLES[name], "#step=0&condensed")
    problem = record.view.problem
    snapshots = browser.walk_forward()
    for step, arrays, shown in zip(record.steps, arrays_by_step(record), snapshots, strict=True):
        rows = {*options_left(problem, arrays)}
        columns = {*range(1, 1 + problem.n_items)} - {*covered_items(problem, arrays)}
        if step.name[1:] == "4":
            rows |= set(shown["states"]["untried"])
            columns.add(step.item)
        assert (set(shown["rows"]), set(shown["columns"])) == (rows, columns)
    browser.go_to_fragment("#step=0")
    assert not browser.find_element("id", "left-note").is_displayed()
    shown = browser.take_snapshot()
    assert (len(shown["rows"]), len(shown["columns"])) == (problem.n_options, problem.n_items)


@pytest.mark.thorough
def test_substeps_of_knuths_example(browser, show):
    """The sub-steps of the first attempt: row, columns, related rows, items, partial solution."""
    show(knuth_example(), "#step=2&substeps")
    shown = []
    for _ in range(7):
        browser.act("ARROW_RIGHT")
        shown.append(browser.take_snapshot())
    assert [part["text"] for part in shown] == [
        "Select the row of option 1.",
        "Select its columns: items 0, 3, and 6.",
        "Select the rows that conflict with it, and will be removed: options 4 and 5.",
        "Remove items 3 and 6 from the item list.",
        "Cover item 3: hide option 5.",
        "Cover item 6: hide option 4.",
        "The partial solution grows: option 1 is added.",
    ]
    assert {part["name"] for part in shown} == {"X5 [Try xₗ.]"}
    # Rows are removed item by item, although all items leave the item list first.
    removed = [part["states"].get("removed", []) for part in shown[3:6]]
    assert removed == [[], [5], [4, 5]]
    partial = [part["partial"] for part in shown[5:]]
    assert partial == ["Partial solution: no options", "Partial solution: + 1"]
    browser.act("ARROW_LEFT")
    browser.act("ARROW_LEFT")
    plain, bold = browser.execute_script(
        "return ['.link:not(.pending)', '.link.pending'].map((kind) => "
        "parseFloat(getComputedStyle(document.querySelector(`#links ${kind}`)).strokeWidth))"
    )
    assert bold >= 2 * plain  # not by color alone


@pytest.mark.thorough
def test_large_problems_are_cut(browser, show):
    record = show("." * 81, "#step=last", steps=60)
    assert "stopped early, after 60 steps" in browser.text_of("#ending")
    assert not browser.find_element("id", "links-panel").is_displayed()
    assert "too many links to draw" in browser.text_of("#arrays-note")
    assert len(browser.all_of("#matrix .entry")) == 4 * 729
    changed = {name for name, *_ in cells_that_differ(*arrays_by_step(record)[58:])}
    marked = browser.all_of("#arrays td.changed")
    assert {cell.get_attribute("data-array") for cell in marked} == changed
