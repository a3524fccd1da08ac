"""Options, markers and fixtures that several test modules use."""

import functools
import gc
import json
import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from dlx_numba.cli import limit
from dlx_numba.jit import compile
from dlx_numba.jit.namespaces import Copies
from dlx_numba.kernels import narrow
from dlx_numba.search import executor_runner, prepared, thread_runner
from tests.helpers import seeds

HERE = Path(__file__).parent

# The tests that exercise kernels: they run also as plain Python and with bounds checks.
KERNEL_TESTS = """
    cover/test_batch.py cover/test_counting.py cover/test_diagram.py cover/test_exact_cover.py
    explain/test_record.py jit kernels search sudoku/canonical sudoku/engines sudoku/generator
    sudoku/io/test_chunks.py sudoku/io/test_qqwing.py sudoku/io/test_read.py
    sudoku/io/test_strings.py sudoku/test_api.py sudoku/test_arguments.py sudoku/test_backends.py
"""

# The fraction of the random instances from which on the tests with a marker run
LEVELS = {"slow": 0.05, "thorough": 1}


def pytest_addoption(parser):
    parser.addoption("--seed", type=int, help="seed for random tests, instead of the defaults")
    parser.addoption(
        "--instances",
        type=float,
        default=seeds.fraction,
        metavar="FRACTION",
        help="fraction of the random instances to test, which also selects tests by `LEVELS`",
    )


def pytest_configure(config):
    seeds.requested = config.getoption("--seed")
    seeds.fraction = config.getoption("--instances")
    # The same examples in every run, like the other random instances, unless a seed is given.
    settings.register_profile(
        "instances",
        deadline=None,
        derandomize=seeds.requested is None,
        max_examples=seeds.instances(200),
    )
    settings.load_profile("instances")
    if os.environ.get("NUMBA_BOUNDSCHECK") and "NUMBA_CACHE_DIR" in os.environ:
        compile._dispatchers = functools.cache(_cached_dispatchers)


def _cached_dispatchers():
    """Return kernels with bounds checks, which the processes of one run share in a new folder.

    Numba does not notice that the source of a callee has changed, so the package stores none.
    """
    import numba

    from dlx_numba.jit import lowering  # noqa: F401

    def decorate(function, kernel):
        is_stored = os.path.isfile(function.__code__.co_filename)
        return numba.njit(nogil=True, cache=is_stored)(function)

    return Copies(decorate)


@pytest.hookimpl(tryfirst=True)  # before `-m` selects
def pytest_collection_modifyitems(config, items):
    kernel_tests = {HERE / name for name in KERNEL_TESTS.split()}
    for item in items:
        if not kernel_tests.isdisjoint((item.path, *item.path.parents)):
            item.add_marker(pytest.mark.kernels)
            # Unsigned sizes may temporarily wrap around; NumPy warns of it in plain Python.
            item.add_marker(
                pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
            )
    for name, fraction in LEVELS.items():
        if seeds.fraction < fraction:
            left_out = [item for item in items if item.get_closest_marker(name)]
            config.hook.pytest_deselected(items=left_out)
            items[:] = [item for item in items if not item.get_closest_marker(name)]


def pytest_collection_finish():
    gc.freeze()  # what was imported and collected is not examined again and again


def pytest_runtest_setup(item):
    seeds.last_used = item.callspec.params.get("seed") if hasattr(item, "callspec") else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.failed and seeds.last_used is not None:
        command = f"python -m pytest '{item.nodeid}' --seed {seeds.last_used}"
        report.sections.append(("Random seed", f"reproduce with: {command}"))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable():
    """Replace surrogates, which names of files may contain, and which xdist cannot transmit."""
    data = yield
    return json.loads(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))


@pytest.fixture(scope="session", autouse=True)
def default_sigint_handler():
    """Let SIGINT raise KeyboardInterrupt, also if the tests run in a background job.

    A shell script starts background jobs with SIGINT ignored, and Python leaves it ignored.
    """
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous or signal.SIG_DFL)


@pytest.fixture(autouse=True)
def patient_limits(monkeypatch):
    """Let commands read and state something after a time limit, on a busy machine as well."""
    for name in ("EXTRA_SECONDS", "MAX_EXTRA_SECONDS"):
        monkeypatch.setattr(limit, name, 60.0)


@pytest.fixture
def small_slices(monkeypatch):
    """Slices of a few updates, so that small problems are split, too."""
    for name in ("MIN_UPDATES_PER_SLICE", "UPDATES_PER_SLICE"):
        monkeypatch.setattr(thread_runner, name, 8)
    monkeypatch.setattr(prepared, "TRIAL_UPDATES", 8)
    monkeypatch.setattr(prepared, "updates_of_slice", lambda *_: 8)
    monkeypatch.setattr(narrow, "first_updates", lambda *sizes: 8)
    monkeypatch.setattr(thread_runner, "ALONE_UPDATES", 0)
    monkeypatch.setattr(executor_runner, "LOCAL_SECONDS", 0)
