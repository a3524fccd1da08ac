"""Kernels run whatever happens to interfaces of Numba that are not public."""

import os
import signal
import subprocess
import sys
import warnings

import pytest

from dlx_numba.jit import internals
from dlx_numba.jit.internals import numba_internals
from tests.helpers import ROOT
from tests.helpers.hosts import HandlerError, raise_error

pytestmark = pytest.mark.compiled

# Breaks an interface, then calls a kernel of each kind, which calls another one. Prints the results
# and the warnings.
PROGRAM = """
import sys, warnings
import numpy as np
import numba, numba.core.caching, numba.core.cgutils, numba.core.cpu, numba.core.event
from numba.core.dispatcher import Dispatcher

def broken(*arguments, **named):
    raise TypeError("broken")

def remove_module(package, name):
    delattr(package, name)
    sys.modules[f"{{package.__name__}}.{{name}}"] = None

def refuse_listeners(kind, listener, register=numba.core.event.register):
    return broken() if "dlx_numba" in type(listener).__module__ else register(kind, listener)

def refuse_nrt(flags, options, parse=numba.core.cpu.CPUTargetOptions.parse_as_flags):
    return broken() if "_nrt" in options else parse(flags, options)

def refuse_caches(dispatcher, cache):
    if not isinstance(cache, numba.core.caching.NullCache):
        broken()

numba.njit(lambda number: number)(1)  # Numba imports what it needs

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    {sabotage}
    from dlx_numba.jit.compile import kernel
    from dlx_numba.jit.deferred import DeferredKernel
    from dlx_numba.jit.intrinsics import count_bits

    @kernel
    def count(numbers):
        total = 0
        for number in numbers:
            total += count_bits(number)
        return total

    @kernel
    def count_twice(numbers):
        return 2 * count(numbers)

    def count_once(numbers):
        return count(numbers)

    for function in (count_twice, DeferredKernel(count_once, is_inlined=False)):
        print(function(np.array([1, 3, 7], np.uint32)))
for each in caught:
    print(each.category.__name__, each.message)
"""

SABOTAGE = {
    "nothing": "",
    "no caching": "remove_module(numba.core, 'caching')",
    "no FunctionCache": "del numba.core.caching.FunctionCache",
    "no _data_path": "del numba.core.caching.IndexDataCacheFile._data_path",
    "no _dump": "del numba.core.caching.IndexDataCacheFile._dump",
    "FunctionCache": "numba.core.caching.FunctionCache.__init__ = broken",
    "_index_key": "numba.core.caching.FunctionCache._index_key = broken",
    "_load_overload": "numba.core.caching.FunctionCache._load_overload = broken",
    "save_overload": "numba.core.caching.FunctionCache.save_overload = broken",
    "_PackageCache": "from dlx_numba.jit import cache; cache._PackageCache = broken",
    "_load_index": "from dlx_numba.jit import cache; cache._CheckedFiles._load_index = broken",
    "_save_index": "from dlx_numba.jit import cache; cache._CheckedFiles._save_index = broken",
    "_cache": "no_cache = numba.core.caching.NullCache(); "
    "Dispatcher._cache = property(lambda dispatcher: no_cache, refuse_caches)",
    "no event": "remove_module(numba.core, 'event')",
    "register": "numba.core.event.register = refuse_listeners",
    "event data": "numba.core.event.Event.data = property(broken)",
    "no _nrt": "[delattr(base, '_nrt') for base in numba.core.cpu.CPUTargetOptions.__mro__ "
    "if '_nrt' in vars(base)]",
    "parse_as_flags": "numba.core.cpu.CPUTargetOptions.parse_as_flags = refuse_nrt",
    "no cgutils": "remove_module(numba.core, 'cgutils')",
    "populate_array": "from dlx_numba.jit import entry_builder; "
    "entry_builder.arrayobj.populate_array = broken",
}
SABOTAGE["several"] = "; ".join(SABOTAGE[name] for name in ("register", "no _data_path", "no _nrt"))


def run_program(directory, sabotage):
    """Run the program, with the caches in `directory`, and return the lines that it prints."""
    (directory / "program.py").write_text(PROGRAM.format(sabotage=sabotage))
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(directory)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.processes
@pytest.mark.parametrize("sabotage", SABOTAGE.values(), ids=SABOTAGE)
def test_failures_of_internal_interfaces_only_cost_time(tmp_path, sabotage):
    first, second, *caught = run_program(tmp_path, sabotage)
    assert (first, second) == ("12", "6")
    assert len(caught) == (sabotage != "")
    for warning in caught:
        assert warning.startswith("RuntimeWarning an internal interface of Numba")
        assert "broken" not in sabotage or "(TypeError: broken)" in warning


def fail_with(error):
    with numba_internals():
        raise error


@pytest.mark.parametrize("error", [TypeError, AttributeError, ImportError, KeyError])
def test_the_first_failure_raises_a_warning(monkeypatch, error):
    monkeypatch.setattr(internals, "_has_warned", False)
    with pytest.warns(RuntimeWarning, match=rf"Numba .* \({error.__name__}: "):
        fail_with(error("an interface"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fail_with(error("another one"))


def test_files_are_not_the_fault_of_numba(monkeypatch, recwarn):
    monkeypatch.setattr(internals, "_has_warned", False)
    fail_with(PermissionError())
    assert not recwarn


@pytest.mark.parametrize(
    "handler",
    [
        lambda number, frame: raise_error(),
        lambda *arguments: raise_error(),
        lambda number, frame=None: raise_error(),
    ],
)
def test_exceptions_of_signal_handlers_propagate(handler):
    previous = signal.signal(signal.SIGALRM, handler)
    try:
        with pytest.raises(HandlerError), numba_internals():
            signal.raise_signal(signal.SIGALRM)
    finally:
        signal.signal(signal.SIGALRM, previous)
