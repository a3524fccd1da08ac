"""`cheapest`: time limits, signals, checkpoints and messages."""

import json
import os
import signal

import pytest

import dlx_numba as dlx
from tests.cover.test_optimizer import trominoes
from tests.helpers import INSTANCES
from tests.helpers.processes import invoke, start

QUEENS = INSTANCES / "queens8.cost.dlx"


@pytest.fixture(scope="module")
def hard(tmp_path_factory):
    path = tmp_path_factory.mktemp("cheapest") / "hard.dlx"
    path.write_text(trominoes(24, 24).to_knuth())
    return path


def costs(out):
    return [int(line.rpartition("|")[2]) for line in out.splitlines()]


def test_several_covers():
    out, err = invoke("cheapest", "-n", 3, "--threads", 1, QUEENS)
    assert costs(out) == [60, 60, 60]
    assert "Limited to 3 solutions, " in err
    assert invoke("cheapest", "-", stdin="a b\na\n", status=1)[0] == ""


def test_the_last_json_record_states_the_status_and_the_bound():
    out, _ = invoke("cheapest", "-n", 2, "-f", "json", QUEENS)
    *covers, last = map(json.loads, out.splitlines())
    assert [cover["cost"] for cover in covers] == [60, 60]
    assert last == {"status": "done", "count": "2", "bound": 60}
    out, _ = invoke("cheapest", "-f", "json", "--seconds", 0, QUEENS, status=3)
    assert json.loads(out) == {"status": "stopped", "count": "0", "bound": None}


@pytest.mark.compiled
@pytest.mark.processes
@pytest.mark.skipif(os.name != "posix", reason="sends Unix signals")
def test_signals_keep_what_was_found(hard, tmp_path):
    saved = tmp_path / "saved"
    arguments = ("cheapest", "--verbose", "--checkpoint", saved, "--resume", "--every", 0.5, hard)
    best, cover = [], dlx.ExactCover.from_file(hard)
    for number in (signal.SIGINT, signal.SIGTERM):
        process = start(*arguments)
        while "(cost " not in process.stderr.readline():
            pass
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        best += costs(out)
        options = [int(word) for word in out.partition("|")[0].split()]
        cover.problem.check_covers([options])
        assert cover.cost(options) == best[-1]
        assert process.returncode == 3
        assert err.splitlines()[-1].startswith(f"Stopped before the end: cost {best[-1]:,}, bound ")
    assert best == sorted(best, reverse=True)
    _, err = invoke("cheapest", "--checkpoint", saved, hard, status=2)
    assert "contains an unfinished search" in err
    _, err = invoke("cheapest", "--checkpoint", saved, "--resume", "-n", 2, hard, status=2)
    assert f"{saved}: an optimizer of another problem, or for another number of covers" in err
    _, err = invoke("cover", "--checkpoint", saved, "--resume", hard, status=2)
    assert f"{saved}: not a saved search" in err


@pytest.mark.compiled
def test_resumed_until_the_cheapest_is_known(tmp_path):
    problem, saved = tmp_path / "problem.dlx", tmp_path / "saved"
    cover = trominoes(9, 9)
    problem.write_text(cover.to_knuth())
    arguments = ("cheapest", "--checkpoint", saved, "--resume")
    invoke(*arguments, "--seconds", 0, problem, status=3)
    out, err = invoke(*arguments, problem)
    assert costs(out) == [cover.diagram().cheapest()[0][0]]
    assert "(resuming: " in err
    assert invoke(*arguments, problem)[0] == out
