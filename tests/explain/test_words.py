"""Sentences about tables name people and days as the user called them."""

import random
import re

import pandas as pd
import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_search
from tests.helpers.seeds import seeds

INTERNAL = re.compile(r"\b(who|day|task|room)(\+\w+)?,|\('|\bitem \d")


def random_table(rng):
    n = rng.randint(2, 10)
    values = {
        "who": ["Ann", "Bob", "Cy"],
        "day": ["Mon", "Tue 9:00"],
        "room": [1, 2],
        "task": "xyz",
    }
    frame = pd.DataFrame({title: rng.choices(cells, k=n) for title, cells in values.items()})
    frame["cost"] = rng.choices(range(5), k=n)
    items = rng.choice([["task"], [("task", "day")], ["task", "who"], ["day", ("task", "room")]])
    optional = rng.choice([[("who", "day")], [("room", "day")], []])
    problem = dlx.ExactCover.from_frame(frame, items, optional, cost="cost")
    primary = problem.items[: problem.problem.n_primary]
    some = [item for item in primary if rng.random() < 0.4]
    how = {"multiplicity": {item: rng.choice([2, (1, None), (1, 3)]) for item in some}}
    if rng.random() < 0.4:
        how["penalty"] = dict.fromkeys(primary[::2], 9)
    if rng.random() < 0.4:
        how["forbidden"] = [rng.randrange(n)]
    return dlx.ExactCover.from_frame(frame, items, optional, cost="cost", **how)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_reasons_and_steps_of_tables_contain_no_names_of_items():
    for seed in seeds(60):
        problem = random_table(random.Random(seed))
        texts = [problem.diagnose().text, str(problem.relax()), *map(str, problem.cheapest())]
        texts += [step.text for step in problem.deduce()]
        record = record_search(view_search(named_problem(problem), "plan"), steps=60)
        texts += [step.text for step in record.steps]
        for text in texts:
            assert INTERNAL.search(text) is None, (seed, text)
