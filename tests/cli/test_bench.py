"""`bench`: tables, JSON and plots."""

import json

import pytest

from tests.helpers import DATA
from tests.helpers.processes import NONE, UNIQUE, invoke, run

pytestmark = pytest.mark.compiled


@pytest.mark.processes
def test_bundled_sets():
    arguments = ("--solver", "dlx", "--solver", "naive", "--boards", 5, "--repeat", 1)
    out, _ = run("bench", *arguments)
    assert out.count("Java 2014, Dancing Links") == 4
    assert "numba" in out


def test_dense_engines():
    names = ("dlx", "dense", "dense-python")
    solvers = [argument for name in names for argument in ("--solver", name)]
    out, _ = invoke("bench", *solvers, "--boards", 3, "--repeat", 1, "--json", DATA / "easy.txt")
    measurements = json.loads(out)["measurements"]
    assert [(each["solver"], each["solved"]) for each in measurements] == [(n, 3) for n in names]


def test_json_and_markdown():
    arguments = ("--json", "--boards", 5, "--repeat", 1)
    out, _ = invoke("bench", "-s", "dlx", "--set", DATA / "easy.txt", *arguments)
    [measurement] = json.loads(out)["measurements"]
    assert measurement["solved"] == len(measurement["seconds"]) == 5
    arguments = ("--boards", 2, "--markdown", DATA / "easy.txt")
    out, _ = invoke("bench", "-s", "very-naive", *arguments)
    assert "| solver |" in out
    assert "too many for the very naive solver" in out


def test_errors(tmp_path):
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    err = invoke("bench", "--solver", "quick", status=2)[1]
    assert "--solver must be one of lanes, dlx, " in err
    assert "absent.txt: No such file" in invoke("bench", "absent.txt", status=2)[1]
    assert "no puzzle found" in invoke("bench", empty, status=2)[1]


def test_cutoff_is_noted():
    out, _ = invoke("bench", "-s", "naive-python", "--cutoff", 0.01, DATA / "expert.txt")
    assert "of 200 boards: cut off after 0.01 s" in out


def test_puzzles_without_a_solution_are_measured(tmp_path):
    path = tmp_path / "unsolvable.txt"
    path.write_text(f"{NONE}\n{UNIQUE}\n")
    out, _ = invoke("bench", "-s", "dlx", "--json", "--repeat", 1, path)
    assert json.loads(out)["measurements"][0]["solved"] == 2


def test_plot(tmp_path):
    path = tmp_path / "times.svg"
    boards = ("--boards", 3, "--repeat", 1, "--solver", "dlx")
    out, _ = invoke("bench", *boards, "--set", DATA / "easy.txt", "--plot", path)
    assert "easy: 3 boards" in out
    assert "easy: 3 boards, dlx: " in path.read_text(encoding="utf-8")
    missing = tmp_path / "no" / "where.svg"
    out, err = invoke("bench", *boards, "--plot", missing, DATA / "easy.txt", status=2)
    assert "No such file" in err
    assert "easy: 3 boards" in out  # the measurements are not lost
