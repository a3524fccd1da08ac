"""The benchmark scripts: puzzles, verification of solutions, and stored counts."""

import json
import re
import sys

import numpy as np
import pytest

from dlx_numba import solve_batch
from dlx_numba.cover.named_problem import named_problem
from scripts import puzzles, update_figures
from scripts.measure.difficulty import Difficulty
from scripts.peers import compare, instances, plans, timing
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
    with pytest.raises(MeasurementFailed, match=r"^over 0.1 s$"):
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


def test_each_figure_of_the_summary_names_its_engine():
    """Dancing Links itself comes first."""
    data = update_figures.read_json(update_figures.RESULTS)
    _, *rows = update_figures.summary_rows(update_figures.Results.from_json(data))
    engines = [re.match(r"`(\w+)`(: |$)", own)[1] for _, own, _, _ in rows]
    assert [*dict.fromkeys(engines)] == ["links", "dlx", "bitset", "lanes", "solve_batch"]
    assert all(re.match(r"[\w ,]+(: [\d.,]+)?$", peer) for _, _, peer, _ in rows)


def test_programs_that_are_not_installed_have_no_rows():
    data = update_figures.read_json(update_figures.RESULTS)
    for each in data["peers"]["exact_cover"]:
        each["seconds"].pop("DLX2", None)
    _, *rows = update_figures.summary_rows(update_figures.Results.from_json(data))
    assert rows
    assert not any("DLX2" in peer for _, _, peer, _ in rows)


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
        costs = [named_problem(plan).cost(cover) for cover in plan]
        assert len(costs) > 1
        assert plan.cheapest()[0].cost == min(costs)


def test_an_exchange_has_the_most_transplants_of_all():
    plan = plans.exchange(8, 0.3)
    assert plan.cheapest()[0].cost == max(named_problem(plan).cost(cover) for cover in plan)


INSTANCES = {  # small files in the formats of public libraries, with their best values
    "scp41.txt": ("3 4\n5 2 4\n9\n 2\n1 4\n 1\n2\n2\n2 3\n", 7),
    "rail507": ("3 4\n5 1 1\n2 2 2 3\n4 1 3\n9 2 1 2\n", 7),
    "auction.txt": ("% bids\ngoods 3\nbids 3\n0\t5\t0\t1\t#\n1\t4\t1\t2\t#\n2\t3.5\t2\t#\n", 8.5),
    "binpack1.txt": ("1\n t3\n 10 5 2\n6\n5\n4\n3\n2\n", 2),
}


@pytest.mark.parametrize("name", INSTANCES)
def test_instances_are_read_by_their_names(name, tmp_path):
    text, best = INSTANCES[name]
    (tmp_path / name).write_text(text)
    assert instances.read_instance(tmp_path / name).cheapest()[0].cost == best


def test_patterns_are_the_sets_that_no_thing_can_join():
    assert sorted(plans.patterns([2, 3, 4, 5, 6], 10)) == [
        [0, 1, 2], [0, 1, 3], [0, 4], [1, 4], [2, 3], [2, 4]
    ]  # fmt: skip
