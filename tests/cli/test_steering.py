"""Long searches at the command line: stopped, saved, killed, gone on with, sent to a cluster."""

import os
import random
import re
import signal
import subprocess
import sys
import time

import pytest

import dlx_numba as dlx
from dlx_numba.search import executor_runner as spread
from tests.helpers import INSTANCES, ROOT

pytestmark = pytest.mark.processes

COVER = [sys.executable, "-m", "dlx_numba", "cover"]


def start(*arguments, **how):
    command = [*COVER, *map(str, arguments)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, **how
    )


def run(*arguments, status=0):
    process = start(*arguments)
    out, err = process.communicate(timeout=120)
    assert process.returncode == status, err
    return out, err


def wait_for(path):
    deadline = time.monotonic() + 60
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.01)


def test_the_end_of_the_time_is_told(tmp_path):
    out, err = run("--count", "--seconds", 0.01, INSTANCES / "queendom8.mcc.dlx", status=3)
    assert err.splitlines()[-1].startswith("Stopped before the end: ")
    assert int(out) < 4860
    # What was asked for was found.
    run("--limit", 1, "--seconds", 60, INSTANCES / "queens8.dlx")
    run("--seconds", 60, INSTANCES / "queens8.dlx")


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as Unix does")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_the_search(number, tmp_path):
    saved = tmp_path / "saved"
    arguments = ("--checkpoint", saved, INSTANCES / "queendom8.mcc.dlx")
    process = start(*arguments)
    wait_for(saved)
    time.sleep(0.3)
    process.send_signal(number)
    first, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert err.splitlines()[-1].startswith("Stopped before the end: ")
    rest, err = run("--resume", *arguments)
    assert "going on" in err
    covers = (first + rest).splitlines()
    assert len(set(covers)) == len(covers) == 4860
    assert "Altogether 4,860 solutions" in err


def test_killed_at_random_moments(tmp_path):
    saved = tmp_path / "saved"
    rng = random.Random(6)
    arguments = ("--count", "--checkpoint", saved, "--every", 0.02, "--resume")
    arguments = (*arguments, "--threads", 2, INSTANCES / "queendom8.mcc.dlx")
    kills = 0
    while kills < 8:
        process = start(*arguments)
        time.sleep(rng.uniform(0, 1.2))
        process.kill()
        process.communicate()
        kills += 1
    out, err = run(*arguments)
    assert int(out) == 4860
    # Where a search has come to its end, there is nothing more to do.
    again, err = run(*arguments)
    assert again == out
    assert re.search(r"Altogether 4,860 solutions, 800,245,194 updates, 462,166 nodes", err)


def test_what_cannot_be_gone_on_with(tmp_path):
    saved, queens = tmp_path / "saved", INSTANCES / "queens8.dlx"
    assert "--resume goes on from the file" in run("--resume", queens, status=2)[1]
    saved.write_text("no search")
    arguments = ("--checkpoint", saved, "--resume")
    assert f"{saved}: no search that was saved" in run(*arguments, queens, status=2)[1]
    saved.unlink()
    run("--checkpoint", saved, queens)
    err = run(*arguments, INSTANCES / "queens10.dlx", status=2)[1]
    assert f"{saved}: a search of another problem" in err
    missing = tmp_path / "missing" / "saved"
    assert "there is no folder" in run("--checkpoint", missing, queens, status=2)[1]
    assert "goes with none of" in run("--cheapest", 1, "--threads", 2, queens, status=2)[1]


def test_nothing_that_is_no_finished_search_is_overwritten(tmp_path):
    saved = tmp_path / "saved"
    saved.write_text("a problem, say")
    queens = INSTANCES / "queens8.dlx"
    assert "it is not overwritten" in run("--checkpoint", saved, queens, status=2)[1]
    assert saved.read_text() == "a problem, say"
    assert "no regular file" in run("--checkpoint", tmp_path, queens, status=2)[1]
    saved.unlink()
    run("--checkpoint", saved, "--limit", 3, queens)
    assert "go on with it by --resume" in run("--checkpoint", saved, queens, status=2)[1]
    run("--checkpoint", saved, "--resume", "--every", 0, queens)
    run("--checkpoint", saved, queens)  # which is done


def test_covers_that_were_not_printed_in_time_are_not_lost(tmp_path):
    many = tmp_path / "many.dlx"
    items = [f"i{k}" for k in range(17)]
    # Two options with the same items are two: they differ in what they have of secondary ones.
    options = [f"{item} {kind}{item}" for kind in "ab" for item in items]
    secondary = " ".join(f"{kind}{item}" for kind in "ab" for item in items)
    many.write_text("\n".join([f"{' '.join(items)} | {secondary}", *options]))
    saved = tmp_path / "saved"
    arguments = ("--format", "names", "--checkpoint", saved, many)
    first, _ = run("--seconds", 0.4, *arguments, status=3)
    rest, _ = run("--resume", *arguments)
    covers = (first + rest).splitlines()
    assert len(covers) == len(set(covers)) == 2**17


def test_random_choices_go_on_as_they_began(tmp_path):
    saved = tmp_path / "saved"
    arguments = ("--choose", "random", "--checkpoint", saved, INSTANCES / "queens8.dlx")
    first = run("--limit", 40, *arguments)[0]
    rest = run("--resume", *arguments)[0]
    covers = (first + rest).splitlines()
    assert len(set(covers)) == len(covers) == 92


def test_the_estimate():
    out, _ = run("--estimate", "--samples", 2000, INSTANCES / "queens8.dlx")
    estimated = re.search(r"nodes +([\d,]+) ± ([\d,]+)", out)
    nodes, error = (int(number.replace(",", "")) for number in estimated.groups())
    assert abs(nodes - 845) < 5 * error


def test_threads_print_the_same_covers():
    queens = INSTANCES / "queens10.dlx"
    alone = run(queens)[0].splitlines()
    assert sorted(run("--threads", 3, queens)[0].splitlines()) == sorted(alone)
    assert run("--threads", 3, "--limit", 5, queens)[0].splitlines() == alone[:5]


# On a cluster of several processes


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed", reason="pip install 'dlx-numba[dask]'")
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


@pytest.fixture
def client(cluster):
    from distributed import Client

    with Client(cluster) as client:
        yield client


def test_a_cluster_finds_each_cover_once(client, monkeypatch):
    monkeypatch.setattr(spread, "LOCAL_SECONDS", 0)
    monkeypatch.setattr(spread, "MIN_TASK_SECONDS", 0.02)
    executor = client.get_executor()
    for name in ("queens8", "langford8", "queens8.cost"):
        cover = dlx.ExactCover.from_file(INSTANCES / f"{name}.dlx")
        assert cover.solve(executor=executor) == cover.solve()


def test_a_worker_that_is_killed_loses_nothing(client, monkeypatch):
    monkeypatch.setattr(spread, "MIN_TASK_SECONDS", 0.05)
    monkeypatch.setattr(spread, "MAX_TASK_SECONDS", 0.2)
    cover = dlx.ExactCover.from_file(INSTANCES / "queendom8.mcc.dlx")
    cover.count()
    alone = cover.statistics
    search = cover.search()
    executor = client.get_executor()
    search.count(executor=executor, seconds=0.5)
    assert not search.done
    victim = next(iter(client.run(os.getpid).values()))
    os.kill(victim, signal.SIGKILL)
    search.count(executor=executor)
    assert search.counters() == alone


def test_the_commands_use_a_cluster(cluster):
    address = cluster.scheduler_address
    out, _ = run("--count", "--dask", address, INSTANCES / "queens12.dlx")
    assert int(out) == 14200
    puzzles = ROOT / "data" / "expert.txt"
    solve = [sys.executable, "-m", "dlx_numba", "solve", "--check", str(puzzles)]
    here = subprocess.run(solve, capture_output=True, cwd=ROOT)
    there = subprocess.run([*solve, "--dask", address], capture_output=True, cwd=ROOT)
    assert there.returncode == 0, there.stderr
    assert there.stdout == here.stdout


def test_no_cluster():
    pytest.importorskip("distributed", reason="pip install 'dlx-numba[dask]'")
    for arguments in (("cover", INSTANCES / "queens8.dlx"), ("solve", ROOT / "data" / "easy.txt")):
        command = [sys.executable, "-m", "dlx_numba", *map(str, arguments)]
        done = subprocess.run([*command, "--dask", "tcp://127.0.0.1:9"], capture_output=True)
        assert done.returncode == 2
        assert b"no Dask scheduler at tcp://127.0.0.1:9" in done.stderr
        assert b"Traceback" not in done.stderr
