"""Link by link, each assignment to an array is a step."""

import itertools
import re

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_search
from dlx_numba.kernels.dlx.links import INACTIVE
from tests.helpers.examples import color_example, multiplicity_example
from tests.helpers.oracles import random_general_problem
from tests.helpers.pages import (
    arrays_by_change,
    arrays_by_step,
    cells_that_differ,
    parse_step,
    walk_back,
    walk_forward,
)
from tests.helpers.seeds import seeds

pytestmark = [pytest.mark.processes, pytest.mark.thorough]


@pytest.mark.parametrize("example", [color_example, multiplicity_example])
def test_link_by_link(open_page, example):
    """Each position changes one cell, as its sentence states; steps and changes end as recorded."""
    view = view_search(example(), "links")
    record = record_search(view)
    browser = open_page(record, "#step=0&links")
    snapshots = walk_forward(browser)
    remaining = iter([snapshot["arrays"] for snapshot in snapshots])
    distinct = [arrays for arrays, _ in itertools.groupby(arrays_by_change(record))]
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
            assert snapshot["arrays"] == arrays_by_step(record)[index]
            if step.name == "X5":
                done[step.option] = assignments
            if step.name == "X6":  # operation by operation, of three assignments each
                undone = [(name, cell, new, old) for name, cell, old, new in assignments[::-1]]
                for k, assignment in enumerate(done.pop(step.option)):
                    assert assignment in undone[k // 3 * 3 : k // 3 * 3 + 3]
            assignments = []
        previous = snapshot
    assert walk_back(browser) == snapshots[::-1]


def test_links_of_random_problems(browser, open_page):
    """The formula of each assignment holds for the arrays before it."""
    for seed in seeds(6):
        options, bounds, secondary = random_general_problem(seed)
        more = {"multiplicity": bounds} if seed % 2 else {}
        view = view_search(dlx.ExactCover(options, list(bounds), secondary, **more), "random")
        open_page(record_search(view, steps=14), "#step=0&links")
        for previous, snapshot in itertools.pairwise(walk_forward(browser)):
            stated = re.search(r": (\w+)\[(.*)\] ← (.*) for x = (\d+)\.", snapshot["text"])
            if stated is None:
                continue
            array, cell, value, x = stated.groups()
            names = {name: np.array(cells) for name, cells in previous["arrays"].items()}
            names |= {"x": int(x), "C": int(INACTIVE)}
            index = eval(cell, names)
            shown = snapshot["arrays"][array][index]
            if value == "node":  # from which the item gets its color
                assert snapshot["arrays"]["column"][shown] == index
            else:
                assert shown % 2**32 == eval(value.replace("−", "-"), names) % 2**32
