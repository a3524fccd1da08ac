"""Searches and the commands on a Dask cluster of several processes."""

import os
import signal

import pytest

import dlx_numba as dlx
from dlx_numba.cli import cluster as dask
from dlx_numba.search import executor_runner
from tests.helpers import DATA, INSTANCES, ROOT
from tests.helpers.processes import invoke, run

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def distributed():
    """The package, whose import takes long."""
    return pytest.importorskip("distributed", reason="pip install 'dlx-numba[dask]'")


@pytest.fixture(scope="module")
def cluster(distributed):
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


@pytest.mark.thorough
def test_killed_worker_loses_nothing(cluster, distributed, monkeypatch):
    monkeypatch.setattr(executor_runner, "MIN_TASK_SECONDS", 0.02)
    monkeypatch.setattr(executor_runner, "MAX_TASK_SECONDS", 0.05)
    cover = dlx.ExactCover.read(INSTANCES / "pent6x10r.dlx")
    cover.count()
    alone = cover.statistics
    with distributed.Client(cluster) as client:
        search = cover.replace(executor=client.get_executor()).search()
        search.count(seconds=0.1)
        assert not search.done
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        search.count()
    assert search.counters() == alone


@pytest.mark.thorough
def test_commands_use_the_cluster(cluster):
    address = cluster.scheduler_address
    assert run("count", "--dask", address, INSTANCES / "queens12.dlx")[0] == "14200\n"
    arguments = ("solve", "--check", DATA / "expert.txt")
    assert run(*arguments, "--dask", address)[0] == invoke(*arguments)[0]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "arguments",
    [
        ("rate", "-f", "csv", DATA / "expert.txt"),
        ("rate", "--difficulty", "expert", DATA / "expert.txt"),
        ("canonical", "--unique", DATA / "easy.txt"),
        ("minimize", "--seed", "1", DATA / "easy.txt"),
        ("generate", "40", "--seed", "1", "--difficulty", "easy"),
        ("cheapest", "-n", "2", ROOT / "docs" / "examples" / "shifts.dlx"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_the_cluster_changes_no_result(cluster, arguments):
    assert invoke(*arguments, "--dask", cluster.scheduler_address)[0] == invoke(*arguments)[0]
    message = "--dask cannot be combined with --threads"
    assert message in invoke(*arguments, "--dask", "x", "--threads", "2", status=2)[1]


@pytest.mark.thorough
@pytest.mark.usefixtures("distributed")
def test_unreachable_scheduler_is_reported(monkeypatch, capfd):
    monkeypatch.setattr(dask, "CONNECT_SECONDS", 0.3)
    for arguments in (("cover", INSTANCES / "queens8.dlx"), ("solve", DATA / "easy.txt")):
        _, err = invoke(*arguments, "--dask", "tcp://127.0.0.1:9", status=2)
        assert "no Dask scheduler at tcp://127.0.0.1:9" in err
        assert "Traceback" not in err + capfd.readouterr().err
