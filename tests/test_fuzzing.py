"""scripts/fuzz: some cases of each campaign, and how findings are reported."""

import inspect
import os
import re
import signal

import pytest

import dlx_numba as dlx
from tests.helpers.seeds import instances

if os.name != "posix":
    pytest.skip("needs POSIX processes and limits", allow_module_level=True)

from scripts.fuzzing import __main__ as program
from scripts.fuzzing import runner, strictness
from scripts.fuzzing.calls import public_calls
from scripts.fuzzing.campaigns import CAMPAIGNS
from scripts.fuzzing.runner import Campaign, Run

pytestmark = pytest.mark.compiled
processes, thorough = pytest.mark.processes, pytest.mark.thorough

# tests/cli and tests/jit have such cases, too.
SLOW = {"killed-searches", "interrupted-solve", "repeated-calls", "signals", "stored-kernels"}
TIMED = {"time-limits"}  # tests assert no times
IN_PROCESSES = {"processes", "streams", *SLOW}
SEED = 20_000


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "case"
    path.mkdir()
    return path


def marked(name):
    marks = [processes] * (name in IN_PROCESSES) + [thorough] * (name in SLOW)
    return pytest.param(name, marks=marks)


@pytest.mark.parametrize("name", [marked(name) for name in CAMPAIGNS if name not in TIMED])
def test_some_cases_of_each_campaign(name, folder, tmp_path):
    for seed in range(SEED, SEED + (1 if name in IN_PROCESSES else instances(10, 1))):
        finding = runner.run_case(CAMPAIGNS[name], seed, folder, tmp_path / "findings")
        assert finding is None, f"{finding.report}\n{finding.command}"
        assert list(folder.iterdir()) == []


def test_the_texts_that_are_changed_are_puzzles_of_their_kinds():
    samples = strictness.SAMPLES
    assert [each for each in samples if strictness.parse(each.kind, each.text) is None] == []


def test_every_public_function_is_called_twice(tmp_path):
    called = {name.split()[0].rstrip(",") for name in public_calls(SEED, tmp_path)}
    functions = {name for name in dlx.__all__ if name.islower() and name[0] != "_"}
    public = inspect.getmembers(dlx.ExactCover, callable)
    methods = {f"ExactCover.{name}" for name, _ in public if name[0] != "_"}
    assert called >= functions | methods


def fail_sometimes(rng, folder):
    """Leave a file with a random number, and fail if it is even."""
    number = rng.randrange(100)
    (folder / "number.txt").write_text(str(number))
    if number % 2 == 0:
        raise ValueError(f"planted: {number} is even")


def crash(rng, folder):
    os.kill(os.getpid(), signal.SIGSEGV)


def hang(rng, folder):
    signal.pause()


def planted_run(tmp_path, function, **arguments):
    arguments = {"seed": 1, "seconds": 60, "n_cases": 2, "jobs": 1, **arguments}
    return Run([Campaign("planted", function, 1)], findings=tmp_path / "findings", **arguments)


def found(run):
    return [finding for finding in run if finding is not None]


@thorough
@processes
def test_planted_failures_are_reported_once_and_can_be_repeated(tmp_path, capsys):
    run = planted_run(tmp_path, fail_sometimes, n_cases=8)
    n_findings = program.report_run(run)
    out = capsys.readouterr().out
    assert 1 < n_findings < 8
    assert out.count("FINDING in planted") == 1  # all have the same cause
    assert re.search(rf"^8 cases in \d+ s, {n_findings} findings, 1 different$", out, re.MULTILINE)
    directory, *others = sorted((tmp_path / "findings").iterdir())
    assert len(others) == n_findings - 1
    seed = directory.name.removeprefix("planted-")
    report, number = ((directory / f"{name}.txt").read_text() for name in ("report", "number"))
    assert report.startswith(f"bash scripts/fuzz --only planted --seed {seed} --cases 1\n")
    assert report.endswith(f"ValueError: planted: {number} is even\n")
    [again] = found(planted_run(tmp_path, fail_sometimes, seed=int(seed), n_cases=1))
    assert again.report.endswith(f"ValueError: planted: {number} is even\n")


@thorough
@processes
@pytest.mark.parametrize(
    ("function", "problem"),
    [(crash, "ended with status -11"), (hang, "takes more than 1 seconds")],
)
def test_crashes_and_endless_cases_are_findings(tmp_path, monkeypatch, function, problem):
    monkeypatch.setattr(runner, "MAX_CASE_SECONDS", 1)
    findings = found(planted_run(tmp_path, function))
    assert sorted(finding.seed for finding in findings) == [1, 2]
    assert all(problem in finding.report for finding in findings)


@thorough
@processes
def test_time_limit_ends_running_cases(tmp_path):
    run = planted_run(tmp_path, hang, seconds=1)
    assert found(run) == []
    assert run.n_ended() == [0]


@pytest.mark.slow
def test_wrong_results_of_the_package_are_found(monkeypatch, folder, tmp_path):
    """Each of these errors is found within a few cases."""
    solve, solve_batch = dlx.ExactCover.solve, dlx.solve_batch

    def lose_the_last_cover(cover, *arguments, **options):
        return solve(cover, *arguments, **options)[:-1]

    def change_a_digit(*arguments, **options):
        result = solve_batch(*arguments, **options)
        result.solutions[-1:, :1] = 1 + result.solutions[-1:, :1] % 4
        return result

    def n_findings(name):
        seeds = range(SEED, SEED + 10)
        cases = (runner.run_case(CAMPAIGNS[name], seed, folder, tmp_path) for seed in seeds)
        return sum(finding is not None for finding in cases)

    with monkeypatch.context() as patch:
        patch.setattr(dlx.ExactCover, "solve", lose_the_last_cover)
        assert n_findings("small-problems") > 0
        assert n_findings("deep-problems") > 0
    with monkeypatch.context() as patch:
        patch.setattr(dlx, "solve_batch", change_a_digit)
        assert n_findings("boards") > 0
        assert n_findings("engines") > 0
    assert n_findings("small-problems") == n_findings("engines") == 0
