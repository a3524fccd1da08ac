"""`cover` and `count`: long searches that are stopped, saved, killed and resumed."""

import os
import resource
import signal

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.search.checkpoint import CheckpointError
from dlx_numba.search.level_counter import LevelCounter
from dlx_numba.search.search import Search
from tests.helpers import INSTANCES
from tests.helpers.hosts import wait_until
from tests.helpers.processes import invoke, start

pytestmark = pytest.mark.compiled

QUEENS = INSTANCES / "queens8.dlx"
QUEENDOM = "--algorithm", "links", INSTANCES / "queendom8.mcc.dlx"  # takes seconds


@pytest.mark.slow
def test_time_limit_holds_while_a_problem_is_presolved_or_explained(tmp_path):
    """Each of these takes minutes without a limit."""
    rows = np.random.default_rng(1).random((3000, 3000)) < 0.1
    np.save(tmp_path / "wide.npy", rows)
    err, seconds = "", 0.1
    while "(presolved until the time limit: " not in err:  # the file is read, too
        limits = ("--presolve", "--seconds", seconds)
        _, err = invoke("count", *limits, tmp_path / "wide.npy", status=3)
        seconds *= 2
    assert "Stopped before the end: " in err
    pairs = [f"{a} {b}" for a in range(61) for b in range(a)]
    (tmp_path / "pairs.dlx").write_text("\n".join([" ".join(map(str, range(61))), *pairs]))
    arguments = ("explain", "-f", "text", "--seconds", 0.1, tmp_path / "pairs.dlx")
    out, err = invoke(*arguments, status=3)
    assert (out, "topped" in err) == ("", True)


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.skipif(os.name != "posix", reason="sends Unix signals")
def test_signals_save_the_search(tmp_path):
    saved = tmp_path / "saved"
    problem = ("--algorithm", "links", INSTANCES / "pent6x10r.dlx")  # takes a second
    arguments = ("cover", "--checkpoint", saved, "--every", 0.1, "--resume", *problem)
    invoke("cover", "--limit", 1, *problem)  # compiles the kernels
    covers, content = [], b""
    for number, notice in ((signal.SIGINT, "no such file"), (signal.SIGTERM, "(resuming: ")):
        process = start(*arguments)
        while notice not in process.stderr.readline():
            pass
        wait_until(lambda: saved.exists() and saved.read_bytes() != content)  # noqa: B023
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        content = saved.read_bytes()
        covers += out.splitlines()
        assert process.returncode == 130
        assert err.splitlines()[-1].startswith("Stopped before the end: ")
    out, err = invoke(*arguments, "--every", 60)
    covers += out.splitlines()
    assert "(resuming: " in err
    assert len(set(covers)) == len(covers) == 2339
    assert "Altogether 2,339 solutions" in err


@pytest.mark.thorough
@pytest.mark.processes
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs prlimit, which Linux has")
def test_search_continues_while_the_disk_is_full(tmp_path):
    saved = tmp_path / "saved"
    arguments = ("count", "--checkpoint", saved, "--every", 0.02, "--resume", *QUEENDOM)
    process = start(*arguments)
    wait_until(saved.exists)
    _, hard_limit = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (100, hard_limit))
    contents = set()
    for _ in range(2):
        while "File too large; the search continues" not in process.stderr.readline():
            pass
        contents.add(saved.read_bytes())
    [content] = contents  # the last complete checkpoint
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (hard_limit, hard_limit))
    wait_until(lambda: saved.read_bytes() != content)
    process.kill()
    process.communicate()
    assert int(invoke(*arguments)[0]) == 4860


@pytest.mark.processes
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs prlimit, which Linux has")
def test_last_checkpoint_on_a_full_disk_is_an_error(tmp_path):
    saved = tmp_path / "saved"
    process = start("count", "--checkpoint", saved, "--every", 60, *QUEENDOM)
    wait_until(saved.exists)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (100, 100))
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert f"error: {saved}: File too large" in err
    assert "Traceback" not in err
    assert not Search.load(saved).done  # the previous checkpoint


def test_levels_that_cannot_be_saved_after_an_interrupt_are_an_error(tmp_path, monkeypatch):
    def fail(counter):
        signal.raise_signal(signal.SIGINT)
        raise CheckpointError("levels", "No space left on device")

    monkeypatch.setattr(LevelCounter, "_save", fail)
    _, err = invoke("count", "--folder", tmp_path, "tilings:region=6x6", status=2)
    assert "error: levels: No space left on device" in err
    assert "continues the count" not in err


def test_independent_parts_are_searched_separately(tmp_path):
    path = tmp_path / "many.dlx"
    many = dlx.ExactCover([[f"{kind}{k}"] for k in range(30) for kind in "aab"])
    path.write_text(many.write(kind="knuth"))
    assert invoke("count", "--limit", 10**6, "--threads", 2, path)[0] == "1000000\n"
    arguments = ("cover", "--checkpoint", tmp_path / "saved", "--resume", path, "--limit")
    assert [invoke(*arguments, limit)[0].count("\n") for limit in (5, 8)] == [5, 3]
    out, seconds = "", 0.1
    while out.count("\n") <= 10:  # too short a limit, if processors are busy
        out, err = invoke("cover", "--seconds", seconds, path, status=3)
        seconds *= 2
    assert "components have a cover" in err


def test_only_a_search_of_the_same_problem_is_resumed(tmp_path):
    saved = tmp_path / "saved"
    arguments = ("cover", "--checkpoint", saved, "--resume")
    assert "no such file; starting a new search" in invoke(*arguments, QUEENS)[1]
    err = invoke(*arguments, INSTANCES / "queens10.dlx", status=2)[1]
    assert f"{saved}: a search of another problem" in err


def test_unfinished_searches_are_not_overwritten(tmp_path):
    saved = tmp_path / "saved"
    arguments = ("cover", "--checkpoint", saved, QUEENS)
    invoke(*arguments, "--limit", 3)
    _, err = invoke(*arguments, status=2)
    assert f"{saved} contains an unfinished search: use --resume, or remove the file" in err
    invoke(*arguments, "--resume", "--every", 0)
    invoke(*arguments)  # the saved search is finished


def test_covers_that_were_counted_cannot_be_printed(tmp_path):
    saved = tmp_path / "saved"
    invoke("count", "--checkpoint", saved, "--limit", 3, QUEENS)
    arguments = ("--checkpoint", saved, "--resume", QUEENS)
    out, err = invoke("cover", *arguments, "--limit", 3, status=2)
    reason = "an earlier run counted 3 covers without printing: continue with `count`"
    assert (out, err.startswith(f"error: {saved}: {reason}")) == ("", True)
    assert invoke("count", *arguments)[0] == "92\n"


@pytest.mark.parametrize("algorithm", ["links", "bitset"])
def test_the_algorithm_of_a_saved_search_is_used_by_default(tmp_path, algorithm):
    arguments = ("--checkpoint", tmp_path / "saved", QUEENS)
    first = invoke("cover", "--limit", 40, "--algorithm", algorithm, *arguments)[0]
    rest = invoke("cover", "--resume", *arguments)[0]
    covers = (first + rest).splitlines()
    assert len(set(covers)) == len(covers) == 92
