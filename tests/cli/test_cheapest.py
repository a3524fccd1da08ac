"""`cheapest`: time limits, signals, checkpoints and messages."""

import os
import signal

import pytest

import dlx_numba as dlx
from dlx_numba.cli import proof
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.runtime.errors import Stopped
from tests.cover.test_optimizer import trominoes
from tests.helpers import INSTANCES
from tests.helpers.processes import invoke, invoke_json, start

QUEENS = INSTANCES / "queens8.cost.dlx"


def costs(out):
    return [int(line.rpartition("|")[2]) for line in out.splitlines()]


def test_the_last_json_record_states_the_status_and_the_bound():
    [*covers, last], err = invoke_json("cheapest", "-n", 3, "--threads", 1, QUEENS)
    assert [cover["cost"] for cover in covers] == [60, 60, 60]
    assert "Limited to 3 solutions, " in err
    assert last == {"status": "done", "count": "3", "bound": 60}
    records, _ = invoke_json("cheapest", "--seconds", 0, QUEENS, status=3)
    assert records == [{"status": "stopped", "count": "0", "bound": None}]


@pytest.mark.compiled
@pytest.mark.processes
@pytest.mark.skipif(os.name != "posix", reason="sends Unix signals")
def test_signals_keep_what_was_found(tmp_path):
    hard, saved = tmp_path / "hard.dlx", tmp_path / "saved"
    hard.write_text(trominoes(24, 24).write(kind="knuth"))
    arguments = ("cheapest", "--verbose", "--checkpoint", saved, "--resume", "--every", 0.5, hard)
    best, cover = [], dlx.ExactCover.read(hard)
    for number in (signal.SIGINT, signal.SIGTERM):
        process = start(*arguments)
        while "(cost " not in process.stderr.readline():
            pass
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        best += costs(out)
        options = [int(word) for word in out.partition("|")[0].split()]
        cover.problem.check_covers([options])
        assert named_problem(cover).cost(options) == best[-1]
        assert process.returncode == 130
        assert err.splitlines()[-1].startswith(f"Stopped before the end: cost {best[-1]:,}, bound ")
    assert best == sorted(best, reverse=True)
    _, err = invoke("cheapest", "--checkpoint", saved, "--resume", "-n", 2, hard, status=2)
    assert f"{saved}: an optimizer of another problem, or for another number of covers" in err


@pytest.mark.compiled
def test_resumed_until_the_cheapest_is_known(tmp_path):
    problem, saved = tmp_path / "problem.dlx", tmp_path / "saved"
    cover = trominoes(9, 9)
    problem.write_text(cover.write(kind="knuth"))
    arguments = ("cheapest", "--checkpoint", saved, "--resume")
    invoke(*arguments, "--seconds", 0, problem, status=3)
    out, err = invoke(*arguments, problem)
    assert (costs(out), "(resuming: " in err) == ([cover.diagram().cheapest()[0].cost], True)
    assert invoke(*arguments, problem)[0] == out


@pytest.mark.parametrize(("is_interrupted", "status"), [(False, 3), (True, 130)])
def test_the_answer_is_written_if_its_certificate_is_stopped(
    tmp_path, monkeypatch, is_interrupted, status
):
    def stop_proof(*arguments):
        if is_interrupted:
            signal.raise_signal(signal.SIGINT)
        raise Stopped("stopped before the certificate was complete")

    monkeypatch.setattr(proof, "write_certificate", stop_proof)
    path = tmp_path / "out"
    words = "cheapest", "--certificate", tmp_path / "proof", "-o", path, QUEENS
    _, err = invoke(*words, status=status)
    assert "Stopped before the certificate was complete." in err
    assert costs(path.read_text()) == [60]
    assert [*tmp_path.iterdir()] == [path]
