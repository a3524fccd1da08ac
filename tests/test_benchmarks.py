"""The benchmark scripts: puzzles, verification of solutions, and stored counts."""

import json
import sys

import numpy as np
import pytest

from dlx_numba import solve_batch
from scripts import puzzles, update_figures
from scripts.measure.difficulty import Difficulty
from scripts.peers import compare, plans, timing
from scripts.peers.timing import SMALL_COVERS, SMALL_FILE
from scripts.peers.workers import MeasurementFailed


@pytest.mark.compiled
def test_mixed_boards_have_one_solution_and_depend_on_the_seed_only():
    mixed = puzzles.mixed_boards(2000)
    assert len(np.unique(mixed, axis=0)) == 2000
    assert (solve_batch(mixed, limit=2).counts == 1).all()
    assert (puzzles.mixed_boards(100) == mixed[:100]).all()
    assert (puzzles.mixed_boards(100, seed=1) != mixed[:100]).any(axis=1).all()


@pytest.mark.processes
def test_programs_are_timed_and_checked():
    def run(code, max_seconds=20):
        name, command = compare.named_command(f'python={sys.executable} -c "{code}"')
        assert name == "python"
        return timing.time_program(command, max_seconds, SMALL_FILE, SMALL_COVERS)

    n_lines = len(SMALL_FILE.read_text(encoding="utf-8").splitlines())
    counting = "import sys; print(len(sys.stdin.readlines()) + {}, 'solutions', file=sys.stderr)"
    assert run(counting.format(SMALL_COVERS - n_lines)) > 0
    with pytest.raises(MeasurementFailed, match=r"^wrong: 93$"):
        run(counting.format(SMALL_COVERS + 1 - n_lines))
    with pytest.raises(MeasurementFailed, match=r"^no result$"):
        run("print(SMALL_COVERS)")
    with pytest.raises(MeasurementFailed, match=r"^>0.1 s$"):
        run("import signal; signal.pause()", 0.1)


@pytest.mark.thorough
@pytest.mark.compiled
def test_stored_counts_of_the_difficulty_are_exact():
    """The counts do not depend on the machine, in contrast to the times."""
    data = json.loads(update_figures.RESULTS.read_text(encoding="utf-8"))
    sets = Difficulty.from_json(data["difficulty"]).sets
    assert [each.set_name for each in sets] == list(puzzles.SETS)
    for each in sets:
        boards = puzzles.read_boards(puzzles.DATA / f"{each.set_name}.txt")
        nodes = {name: solve_batch(boards, engine=name).nodes for name in ("dlx", "lanes")}
        blanks = (boards == 0).sum(axis=1)
        assert each.n_boards == len(boards)
        assert each.mean_givens == (81 - blanks).mean()
        assert each.dlx_nodes == nodes["dlx"].mean()
        assert each.dlx_without_dead_end == (nodes["dlx"] == blanks).sum()
        assert each.lanes_guesses == nodes["lanes"].mean()
        assert each.lanes_without_guess == (nodes["lanes"] == 0).sum()
    assert [round(each.mean_givens, 1) for each in sets] == [25.7, 25.2, 25.1, 25.3]
    assert [round(each.dlx_nodes) for each in sets] == [55, 56, 66, 82]
    assert [each.lanes_without_guess for each in sets] == [200, 200, 160, 1]


def test_a_generated_plan_has_the_lowest_cost_of_all_its_covers():
    for plan in [
        plans.roster(6, 2),
        plans.projects(5, 3, 3),
        plans.nurses(6, 2),
        plans.swiss(8, 2),
        plans.league(4),
        plans.set_covering(6, 8, 0.4),
        plans.exams(8, 4, 4),
        plans.facilities(2, 4),
    ]:
        costs = [plan._stated.cost(cover) for cover in plan]
        assert len(costs) > 1
        assert plan.cheapest()[0].cost == min(costs)


def test_an_exchange_has_the_most_transplants_of_all():
    plan = plans.exchange(8, 0.3)
    assert plan.cheapest()[0].cost == max(plan._stated.cost(cover) for cover in plan)
