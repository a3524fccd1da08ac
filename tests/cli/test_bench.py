"""`bench`: tables, JSON and plots."""

import re

import pytest

from dlx_numba.bench import covers
from tests.helpers import DATA
from tests.helpers.processes import invoke, invoke_json

pytestmark = pytest.mark.compiled


def test_json_and_markdown():
    arguments = ("--boards", 5, "--repeat", 1, DATA / "easy.txt")
    [measurement, _], _ = invoke_json("bench", "--engine", "dlx", *arguments)
    assert measurement["solved"] == len(measurement["seconds"]) == len(measurement["nodes"]) == 5
    arguments = ("--boards", 2, "-f", "markdown", DATA / "easy.txt")
    out, _ = invoke("bench", *arguments)
    assert "| solver " in out
    assert {"lanes", "dlx", "nodes", "guesses"} <= set(out.split())


@pytest.mark.thorough
def test_default_has_the_bundled_sets():
    out, _ = invoke("bench", "--boards", 2, "--repeat", 1, "--cutoff", 0.05)
    lines = out.splitlines()
    assert [line.split()[:2] for line in lines[2:10]] == [
        [solver, name]
        for name in ("simple", "easy", "intermediate", "expert")
        for solver in ("lanes", "dlx")
    ]
    assert max(map(len, lines)) <= 80


def test_exact_cover(monkeypatch):
    for problem in [*covers.PROBLEMS][1:]:
        monkeypatch.delitem(covers.PROBLEMS, problem)
    arguments = ("--engine", "bitset", "--repeat", 1)
    out, _ = invoke("bench", *arguments)
    assert out.startswith("Exact cover: ")
    assert re.search(r"12 queens +144 +14,200 +\d+\.\d\d\n", out)
    [*counts, last], _ = invoke_json("bench", *arguments)
    assert (last["status"], last["measurements"], last["exact_cover"]) == ("done", 0, 1)
    assert counts[0].keys() == {"problem", "options", "covers", "algorithm", "seconds"}
    assert {each["algorithm"] for each in counts} == {"bitset"}
