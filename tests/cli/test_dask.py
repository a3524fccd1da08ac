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


@pytest.fixture
def versions(distributed, monkeypatch):
    """Replace the versions that a cluster reports by those of a function."""

    def report(change):
        get_versions = distributed.Client.get_versions

        def changed(client, **arguments):
            found = get_versions(client, **arguments)
            change(found)
            return found

        monkeypatch.setattr(distributed.Client, "get_versions", changed)

    return report


@pytest.mark.thorough
@pytest.mark.parametrize("found", [None, "0.0.9"])
@pytest.mark.parametrize("process", ["scheduler", "worker"])
def test_a_cluster_without_this_version_of_the_package_is_refused(
    cluster, versions, found, process
):
    def change(answer):
        workers = answer["workers"].values()
        for each in [answer["scheduler"]] if process == "scheduler" else workers:
            each["packages"]["dlx_numba"] = found

    versions(change)
    arguments = ("count", "--dask", cluster.scheduler_address, INSTANCES / "queens8.dlx")
    has = f"has dlx_numba {found}" if found else "lacks dlx_numba"
    _, err = invoke(*arguments, status=2)
    assert f"error: the Dask {process} tcp://" in err
    assert f"{has}, and needs {dlx.__version__}, as here" in err


def test_a_scheduler_of_distributed_2024_8_is_refused_by_distributed_2026_8(
    distributed, monkeypatch
):
    def identity(*arguments, **keywords):
        raise TypeError("Scheduler.identity() got an unexpected keyword argument 'n_workers'")

    monkeypatch.setattr(distributed.Client, "__init__", identity)
    _, err = invoke("count", "--dask", "tcp://there:8786", INSTANCES / "queens8.dlx", status=2)
    version = distributed.__version__
    assert err == (
        f"error: the Dask scheduler at tcp://there:8786 is not of distributed {version}, as here: "
        "Scheduler.identity() got an unexpected keyword argument 'n_workers'\n"
    )
