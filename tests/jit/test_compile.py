"""The policy of compilation: plain Python, stored machine code, and Numba."""

import os
import pickle
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import numpy as np
import pytest

from dlx_numba.jit import compile as jit_compile
from dlx_numba.jit.compile import Kernel, uses_libraries
from dlx_numba.jit.namespaces import plain_python, plain_python_with
from tests.helpers.hosts import HandlerError, raise_error, running, succeeds_in_fork, wait_until
from tests.helpers.kernels import length, stored_kernel

pytestmark = pytest.mark.compiled


@jit_compile.njit
def double(numbers):
    """Double the numbers in place and return how many there are."""
    for k in range(len(numbers)):
        numbers[k] *= 2
    return len(numbers)


@jit_compile.njit
def double_twice(numbers):
    """Double the numbers twice; calls another kernel."""
    return double(numbers) + double(numbers)


def test_plain_python_calls_no_compiled_kernel(monkeypatch):
    plain = plain_python(double_twice)
    assert plain is plain_python(double_twice)
    monkeypatch.setattr(type(double), "__call__", None)
    numbers = [1, "a"]  # the compiled kernel would reject a list of different types
    assert plain(numbers) == 4
    assert numbers == [4, "aaaa"]


def test_calls_of_a_kernel_are_observed():
    calls = []

    def observed(numbers):
        calls.append(list(numbers))
        return plain_python(double)(numbers)

    plain = plain_python_with(double_twice, double=observed)
    assert plain([1, 2]) == 4
    assert calls == [[1, 2], [2, 4]]
    assert plain_python(double_twice)([1]) == 2
    assert len(calls) == 2


def test_arguments_may_have_defaults(directory):
    def scaled(number, factor=2):
        return factor * number

    for kernel in (Kernel(scaled), plain_python(scaled)):
        assert (kernel(3), kernel(3, 3)) == (6, 9)
        for arguments in ((), (1, 2, 3)):
            with pytest.raises(TypeError):
                kernel(*arguments)


needs_libraries = pytest.mark.skipif(not uses_libraries(), reason="a variable is set")


@needs_libraries
def test_stored_kernels_are_not_compiled_again(directory, compiled):
    kernel = stored_kernel(length, np.zeros(3))
    assert kernel(np.zeros(4)) == 4
    assert compiled == ["length"]
    assert kernel(np.zeros(3, np.uint8)) == 3
    assert compiled == ["length", "length"]
    assert len([*directory.iterdir()]) == 2


def test_kernels_call_each_other(directory):
    numbers = np.ones(3)
    assert stored_kernel(double_twice.py_func, numbers)(numbers) == 6
    assert numbers.tolist() == [16] * 3


def test_kernels_can_be_pickled():
    assert pickle.loads(pickle.dumps(double)) is double


def test_closures_and_functions_without_a_file_are_not_stored(directory):
    for factor in (2, 3):

        def scaled(number):
            return factor * number  # noqa: B023  (called within the loop)

        assert Kernel(scaled)(5) == 5 * factor
    namespace = {"__name__": "module"}
    exec("def length(array): return len(array)", namespace)
    assert Kernel(namespace["length"])(np.zeros(3)) == 3
    assert not [*directory.iterdir()]


@needs_libraries
def test_threads_may_call_a_new_kernel_at_the_same_time(directory, compiled):
    kernel = Kernel(length)
    with ThreadPoolExecutor(5) as pool:
        assert [*pool.map(lambda n: kernel(np.zeros(n)), range(5))] == [0, 1, 2, 3, 4]
    assert compiled == ["length"]


def test_numba_does_not_wait_for_kernels_that_are_being_compiled():
    thread = threading.Thread(target=lambda: double._numba_type_, daemon=True)
    with jit_compile._lock:
        thread.start()
        thread.join(60)
        assert not thread.is_alive()


@pytest.mark.parametrize("variable", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_OPT"])
def test_variables_of_numba_have_their_effects(variable, monkeypatch):
    monkeypatch.setenv(variable, "1")
    assert not uses_libraries.__wrapped__()


@needs_libraries
def test_configuration_file_of_numba_has_its_effects(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert uses_libraries.__wrapped__()
    (tmp_path / ".numba_config.yaml").write_text("boundscheck: 1\n")
    assert not uses_libraries.__wrapped__()


@needs_libraries
@pytest.mark.parametrize("error", [TypeError, AttributeError, ImportError, OSError])
def test_the_first_failure_raises_a_warning(monkeypatch, directory, error):
    monkeypatch.setattr(jit_compile, "_has_warned", False)
    monkeypatch.setattr(jit_compile, "_build", Mock(side_effect=error("an interface")))
    with pytest.warns(RuntimeWarning, match=rf"stored \({error.__name__}: .* Numba ") as seen:
        assert [Kernel(length)(np.zeros(3)) for _ in range(2)] == [3, 3]
    assert len(seen) == 1


@needs_libraries
@pytest.mark.parametrize(
    "handler",
    [
        lambda number, frame: raise_error(),
        lambda *arguments: raise_error(),
        lambda number, frame=None: raise_error(),
    ],
)
def test_exceptions_of_signal_handlers_propagate(monkeypatch, directory, handler):
    previous = signal.signal(signal.SIGALRM, handler)
    monkeypatch.setattr(jit_compile, "call_in_thread", lambda call: call())
    monkeypatch.setattr(jit_compile, "_build", lambda *_: signal.raise_signal(signal.SIGALRM))
    try:
        with pytest.raises(HandlerError):
            Kernel(length)(np.zeros(3))
    finally:
        signal.signal(signal.SIGALRM, previous)


@needs_libraries
def test_no_handler_can_interrupt_the_loading_of_kernels(monkeypatch, directory):
    """The lock of llvmlite could remain locked."""
    threads, link = list[threading.Thread](), jit_compile.link

    def observed(*arguments):
        threads.append(threading.current_thread())
        return link(*arguments)

    monkeypatch.setattr(jit_compile, "link", observed)
    assert Kernel(length)(np.zeros(3)) == 3
    assert threading.main_thread() not in threads != []


@pytest.mark.processes
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_waits_for_kernels_that_are_being_prepared():
    has_begun = threading.Event()

    def prepare():
        with jit_compile._lock:
            has_begun.set()
            main = threading.main_thread().ident
            wait_until(lambda: sys._current_frames()[main].f_code is succeeds_in_fork.__code__)

    with running(prepare):
        has_begun.wait()
        assert succeeds_in_fork(lambda: jit_compile._lock.acquire(blocking=False))
