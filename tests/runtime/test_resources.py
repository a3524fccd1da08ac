"""Limits of processors and memory, also in containers, and the capacity of executors."""

import gc
import os
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from types import SimpleNamespace

import pytest

import dlx_numba as dlx
from dlx_numba.runtime import resources
from dlx_numba.runtime.resources import collector_paused
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


NESTED = {"a/b/memory.max": "max\n", "a/b/memory.current": "400\n"}
NESTED |= {"a/memory.max": "1000\n", "a/memory.current": "600\n"}


@pytest.mark.parametrize(
    ("function", "group", "files", "expected"),
    [
        ("default_threads", None, {}, 64),
        ("default_threads", "/", {"cpu.max": "max 100000\n"}, 64),
        ("default_threads", "/", {"cpu.max": "150000 100000\n"}, 2),
        ("default_threads", "/", {"cpu.max": "9900000 100000\n"}, 64),
        ("default_threads", "/", {"cpu.max": "unreadable"}, 64),
        # The path of a container is that of its host, but its files are those of the container.
        ("default_threads", "/a/b", {"cpu.max": "300000 100000"}, 3),
        ("default_threads", "/a/b", {"a/b/cpu.max": "50000 10000", "a/cpu.max": "40000 10000"}, 4),
        ("default_threads", "/../sibling", {"cpu.max": "20000 10000"}, 2),
        ("free_memory", None, {}, 1_024_000_000),
        ("free_memory", "/", {"memory.max": "1000\n", "memory.current": "1200\n"}, 0),
        ("free_memory", "/a/b", NESTED, 400),
    ],
)
def test_limits_of_the_control_groups_are_respected(system, function, group, files, expected):
    system({f"sys/fs/cgroup/{name}": text for name, text in files.items()})
    if group is not None:
        system({"proc/self/cgroup": f"0::{group}\n"})
    assert getattr(resources, function)() == expected


class FakeDaskExecutor(Executor):
    """A stand-in for an executor of Dask whose workers have the given numbers of threads."""

    def __init__(self, *threads):
        self._client = SimpleNamespace(nthreads=lambda: dict(enumerate(threads)))


@pytest.mark.parametrize(
    ("create", "slots"),
    [
        (partial(ThreadPoolExecutor, 3), 3),
        (partial(ProcessPoolExecutor, 2), 2),
        (partial(FakeDaskExecutor, 2, 4), 6),
        (FakeDaskExecutor, os.cpu_count()),
        (Executor, os.cpu_count()),
    ],
)
def test_capacity_of_executors(create, slots):
    with create() as executor:
        assert resources.executor_slots(executor) == slots


@pytest.mark.parametrize("is_enabled", [True, False])
def test_the_collector_is_as_before(is_enabled: bool, request: pytest.FixtureRequest) -> None:
    """Reading pauses the garbage collector, and restores it, also after an error."""
    request.addfinalizer(gc.enable if gc.isenabled() else gc.disable)
    (gc.enable if is_enabled else gc.disable)()
    with collector_paused(), collector_paused():
        assert not gc.isenabled()
    with pytest.raises(dlx.FormatError):
        dlx.ExactCover.read('{"options": 5}')
    assert gc.isenabled() == is_enabled
