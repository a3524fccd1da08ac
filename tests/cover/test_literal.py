"""Literal searches take the steps of the recursive program in the literature."""

import json
import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_search
from scripts.fuzzing.covers import search_literally
from tests.helpers.oracles import multiple_covers, recursive_search
from tests.helpers.pages import arrays_by_step
from tests.helpers.problems import random_options
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

RULES = ["literal-leftmost", "literal-smallest"]
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def random_problem(seed, rule):
    """Return a random problem, its covers and the nodes of each level."""
    options, n_items, n_primary = random_options(random.Random(seed))
    primary, secondary = range(n_primary), range(n_primary, n_items)
    cover = dlx.ExactCover(options, list(primary), list(secondary), choose=rule)
    covers, levels = recursive_search(options, primary, rule == "literal-leftmost")
    while levels and levels[-1] == 0:
        levels.pop()
    return cover, covers, levels


def test_all_methods_visit_the_nodes_of_a_recursive_program(tmp_path):
    for seed in seeds(2000, 60):
        search_literally(random.Random(seed), tmp_path)


@pytest.mark.parametrize("rule", RULES)
def test_searches_pause_anywhere(rule):
    for seed in seeds(500, 30):
        rng = random.Random(seed)
        cover, covers, levels = random_problem(seed, rule)
        search = cover.search()
        found = []
        last_fraction = 0.0
        while not search.done:
            found += search.run(updates=rng.randint(1, 5), solutions=rng.randint(1, 3))
            assert last_fraction - 1e-9 <= search.progress.fraction <= 1
            last_fraction = search.progress.fraction
        assert found == covers
        assert (search.progress.fraction, search.progress.nodes) == (1, sum(levels))
        assert search.levels == levels


@pytest.mark.parametrize("rule", RULES)
def test_given_and_forbidden_options_are_obeyed(rule):
    for seed in seeds(500, 30):
        rng = random.Random(seed)
        cover, covers, _ = random_problem(seed, rule)
        if covers and covers[0]:
            given = rng.sample(covers[0], 1)
            others = sorted({*range(cover.n_options)} - {*given})
            forbidden = rng.sample(others, min(len(others), rng.randint(0, 2)))
            left = [each for each in covers if {*given} <= {*each} and not {*forbidden} & {*each}]
            found = cover.replace(given=given, forbidden=forbidden).solve()
            assert sorted(found) == sorted(left)


@pytest.mark.parametrize("rule", RULES)
def test_records_are_those_of_dancing_links(rule):
    for seed in seeds(300, 30):
        cover, covers, levels = random_problem(seed, rule)
        record = record_search(view_search(named_problem(cover), "random"), steps=10_000)
        assert [sorted(s.chosen) for s in record.steps if s.action == "visit"] == covers
        assert record.nodes == sum(levels)
        cover.solve()
        assert record.updates == cover.statistics.updates
        assert not any(step.lacking for step in record.steps if step.action == "try")
        assert arrays_by_step(record)[-1] == record.arrays
        chosen = [step for step in record.steps if step.action == "choose"]
        assert [sum(step.level == k for step in chosen) for k in range(len(levels))] == levels


@pytest.mark.parametrize("rule", RULES)
def test_records_can_show_givens_and_the_path_to_a_cover(rule):
    cover = dlx.example("queens", n=8).cover().replace(choose=rule)
    first = cover.first()
    record = record_search(view_search(named_problem(cover), "queens"), steps=150)
    assert record.covers == [first]
    assert (record.nodes, record.updates) == cover.statistics[1:]
    assert any(step.action == "skip" for step in record.steps)
    given = cover.replace(given=first[:2])
    record = record_search(
        view_search(named_problem(given), "queens", show_givens=True), steps=10_000
    )
    assert [sorted(each) for each in record.covers] == given.solve()
    assert [step.option for step in record.steps if step.action == "try"][:2] == first[:2]


def refused_calls():
    options = [["a"], ["a", "b"], ["b"]]
    cover = dlx.ExactCover(options, choose="literal-leftmost")

    def with_executor(method):
        with ThreadPoolExecutor(1) as executor:
            getattr(cover.replace(executor=executor), method)()

    def state(options=(["a"],), **keywords):
        dlx.ExactCover(options, secondary=["s"], choose="literal-leftmost", **keywords)

    return {
        "have colors": lambda: state([["a", ("s", "x")]]),
        "have multiplicities": lambda: state(at_least={"a": 0}),
        "have totals": lambda: state(totals={"t": ([1], 0, 1)}),
        "have an executor": lambda: with_executor("solve"),
        "have an executor$": lambda: with_executor("count"),
        "be split": lambda: cover.search().split(2),
        "be saved": lambda: cover.search().save("saved"),
        "be estimated": lambda: cover.search().estimate(),
        "have variations": lambda: cover.solve_batch(given=[[0]]),
        "find distinct solutions": lambda: cover.solve(distinct=["a"]),
        "count with a memo": lambda: cover.count(method="memo"),
        "count up to symmetry": lambda: cover.count(up_to_symmetry=True),
    }


@pytest.mark.parametrize("action", refused_calls())
def test_what_literal_searches_cannot_do_is_refused(action):
    with pytest.raises(ValueError, match=f"a literal search cannot {action}"):
        refused_calls()[action]()


def test_counts_obey_the_branching_rule():
    options = dlx.example("queens", n=8).cover()
    for rule in ("leftmost", *RULES):
        cover = options.replace(choose=rule)
        assert (cover.count(), len(cover.solve())) == (92, 92)
        n_nodes = cover.statistics.nodes
        assert cover.count(method="auto") == 92
        assert cover.statistics.nodes == n_nodes


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_commands_print_the_node_counts_of_the_program_in_c(tmp_path, threads):
    (tmp_path / "board").write_text(HARD + "\n")
    command = ["cover", "--choose", "literal-leftmost", "--limit", "1", "-j", str(threads)]
    output, report = invoke(*command, "-f", "json", tmp_path / "board")
    assert "49,558 nodes" in report
    *_, last = map(json.loads, output.splitlines())
    assert (last["status"], sum(last["levels"])) == ("limit", 49_558)


def test_commands_count_by_literal_searches(tmp_path):
    (tmp_path / "board").write_text(HARD + "\n")
    command = "count", "--choose", "literal-smallest", "-f", "json"
    output, report = invoke(*command, tmp_path / "board")
    record = json.loads(output)
    assert (record["count"], sum(record["levels"])) == ("1", 2719)
    assert "2,719 nodes" in report
    for option in ("--method=memo", "--up-to-symmetry", "--distinct=cell*"):
        _, report = invoke("count", "--choose", "leftmost", option, tmp_path / "board", status=2)
        assert report.endswith("cannot be combined with --choose\n")


def test_commands_refuse_what_literal_searches_cannot_do(tmp_path):
    literal = "--choose", "literal-leftmost", "queens:n=6"
    for command, action in {
        ("cover", "--checkpoint", tmp_path / "saved"): "be saved",
        ("estimate",): "be estimated",
        ("cover", "--distinct", "row*"): "find distinct solutions",
    }.items():
        _, report = invoke(*command, *literal, status=2)
        assert f"a literal search cannot {action}" in report
    _, report = invoke(
        "count", "--seconds", "0.3", "--choose", "literal-leftmost", "queens:n=20", status=3
    )
    assert "Stopped before the end" in report
    assert "--checkpoint" not in report


def test_pages_describe_the_search_of_the_literature():
    page = dlx.ExactCover([["a"]], choose="literal-leftmost").explain()
    assert "<code>dancing_links</code>" in page.html
    assert "<code>dancing_links</code>" not in dlx.ExactCover([["a"]]).explain().html


def test_searches_obey_their_limits():
    cover = dlx.example("queens", n=20).cover().replace(choose="literal-smallest")
    event = threading.Event()
    event.set()
    for limits in ({"seconds": 0.02}, {"stop": event}):
        with pytest.raises(dlx.Stopped):
            cover.solve(**limits)
        assert sum(cover.statistics.levels) == cover.statistics.nodes
    assert len(cover.solve(limit=3)) == 3


def test_covers_of_literal_searches_are_those_of_brute_force():
    for seed in seeds(300, 30):
        options, n_items, n_primary = random_options(random.Random(seed))
        bounds = dict.fromkeys(range(n_primary), (1, 1))
        cover = dlx.ExactCover(options, list(bounds), list(range(n_primary, n_items)))
        for rule in RULES:
            found = cover.replace(choose=rule).solve()
            assert sorted(found) == sorted(multiple_covers(options, bounds))
