"""Executors of other packages, and what their futures cannot do."""

import random
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.kernels.problem import usable_by_kernels
from tests.helpers import DATA
from tests.helpers.problems import instance


class WithoutCancel(Future):
    """A future as ParslPoolExecutor of Parsl 2026.10.26 returns it."""

    def cancel(self):
        raise NotImplementedError("Cancel not implemented")


class ExecutorWithoutCancel(ThreadPoolExecutor):
    """An executor whose futures cannot be canceled."""

    def submit(self, function, /, *arguments, **keywords):
        future = WithoutCancel()

        def finish(done):
            future.set_running_or_notify_cancel()
            if done.exception() is None:
                future.set_result(done.result())
            else:
                future.set_exception(done.exception())

        super().submit(function, *arguments, **keywords).add_done_callback(finish)
        return future


@pytest.fixture
def executor():
    with ExecutorWithoutCancel(2) as executor:
        yield executor


@pytest.mark.compiled
def test_a_future_that_cannot_be_canceled_loses_no_result(executor):
    cover = instance("queens12").replace(executor=executor)
    assert cover.count(method="search") == 14200
    assert len(cover.solve(2000)) == 2000
    stop = random.Random(1)
    stop.is_set = lambda: stop.random() < 0.1
    search = cover.search()
    n_found = 0
    while not search.done:
        n_found += search.count(stop=stop)
    assert n_found == 14200
    boards = (DATA / "easy.txt").read_text().split()
    assert dlx.rate(boards, executor=executor) == dlx.rate(boards)
    assert dlx.generate(3, seed=1, executor=executor) == dlx.generate(3, seed=1)


def test_arrays_that_joblib_1_6_0_maps_into_memory_are_plain_arrays_to_kernels(tmp_path):
    mapped = np.memmap(tmp_path / "array", np.int32, "w+", shape=8)
    mapped[:] = range(8)
    for array in (mapped, np.memmap(tmp_path / "array", np.int32, "r", shape=8)):
        usable = usable_by_kernels((array,))[0]
        assert type(usable) is np.ndarray
        assert usable.tolist() == [*range(8)]
