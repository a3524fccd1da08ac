"""Limits of processors and memory, also in containers, and the capacity of executors."""

import os
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

import dlx_numba as dlx
from dlx_numba.runtime import resources
from tests.helpers.processes import invoke


@pytest.fixture
def system(monkeypatch, tmp_path):
    """A function that writes the files of a system with 64 processors and 1 GB of free memory."""

    def write(files):
        for name, text in {"proc/meminfo": "MemAvailable: 1000000 kB\n", **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    monkeypatch.setattr(resources, "root", tmp_path)
    monkeypatch.setattr(resources, "n_processors", lambda: 64)
    resources.default_threads.cache_clear()
    yield write
    resources.default_threads.cache_clear()


@pytest.mark.parametrize(("text", "expected"), [("3", 3), ("", 64), ("100000", 256)])
def test_a_variable_states_the_threads(system, monkeypatch, text, expected):
    system({})
    monkeypatch.setenv("DLX_NUMBA_THREADS", text)
    assert resources.default_threads() == expected


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", "٣"])
def test_an_invalid_number_of_threads_names_the_variable(system, monkeypatch, text):
    system({})
    monkeypatch.setenv("DLX_NUMBA_THREADS", text)
    message = f"DLX_NUMBA_THREADS must be a whole number of at least 1, not '{text}'"
    with pytest.raises(ValueError, match=message):
        dlx.solve_batch(["." * 16])
    assert message in invoke("gallery", status=2)[1]


NESTED = "0::/service/worker\n"  # version 2, outside of a container
INNER, OUTER = "sys/fs/cgroup/service/worker", "sys/fs/cgroup/service"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, 64),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"}, 64),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "150000 100000\n"}, 2),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "9900000 100000\n"}, 64),
        # The path of a container is that of its host, but its files are those of the container.
        ({"proc/self/cgroup": NESTED, "sys/fs/cgroup/cpu.max": "300000 100000"}, 3),
        (
            {
                "proc/self/cgroup": NESTED,
                f"{INNER}/cpu.max": "50000 10000",
                f"{OUTER}/cpu.max": "40000 10000",
            },
            4,
        ),
        ({"proc/self/cgroup": "0::/../sibling\n", "sys/fs/cgroup/cpu.max": "20000 10000"}, 2),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "unreadable"}, 64),
    ],
)
def test_threads_respect_the_quota_of_the_control_groups(system, files, expected):
    system(files)
    assert resources.default_threads() == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, 1_024_000_000),
        (
            {
                "proc/self/cgroup": NESTED,
                f"{INNER}/memory.max": "max\n",
                f"{INNER}/memory.current": "400\n",
                f"{OUTER}/memory.max": "1000\n",
                f"{OUTER}/memory.current": "600\n",
            },
            400,
        ),
        (
            {
                "proc/self/cgroup": "0::/\n",
                "sys/fs/cgroup/memory.max": "1000\n",
                "sys/fs/cgroup/memory.current": "1200\n",
            },
            0,
        ),
    ],
)
def test_free_memory_respects_the_limits_of_the_control_groups(system, files, expected):
    system(files)
    assert resources.free_memory() == expected


class FakeClient:
    """A stand-in for a Dask client whose workers have the given numbers of threads."""

    def __init__(self, *threads):
        self.threads = threads

    def nthreads(self):
        return dict(enumerate(self.threads))


class FakeDaskExecutor(Executor):
    def __init__(self, *threads):
        self._client = FakeClient(*threads)


def test_standard_executors():
    with ThreadPoolExecutor(3) as threads, ProcessPoolExecutor(2) as processes:
        assert resources.executor_slots(threads) == 3
        assert resources.executor_slots(processes) == 2


def test_dask_executor_has_the_threads_of_all_workers():
    assert resources.executor_slots(FakeDaskExecutor(2, 4)) == 6


def test_unknown_capacity_is_the_number_of_processors():
    assert resources.executor_slots(Executor()) == os.cpu_count()
    assert resources.executor_slots(FakeDaskExecutor()) == os.cpu_count()
