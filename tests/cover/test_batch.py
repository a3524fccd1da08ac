"""Batches of variations of a problem: `ExactCover.solve_batch`, compared with brute force."""

import random
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.kernels.batch import search as batch_search
from dlx_numba.search import portfolio
from scripts.fuzzing.batches import solve_batches
from tests.helpers.hosts import SetAfter
from tests.helpers.seeds import seeds

NAMED = {"S1": ["A"], "S2": ["A", "B"], "S3": ["B"], ("x", 1): ["B"]}


def test_random_batches_have_the_covers_of_brute_force(tmp_path):
    for seed in seeds(75):  # of 20 problems each
        solve_batches(random.Random(seed), tmp_path)


def test_an_item_that_must_not_be_covered_may_be_regarded_as_covered():
    cover = dlx.ExactCover([["a"], ["a", "b"], ["c"]], exactly={"b": 0}, given=[2])
    batch = cover.solve_batch(covered=[["b"], ["b", "a"], ["c"]], limit=None)
    assert batch.counts.tolist() == [1, 1, 0]
    with pytest.raises(ValueError, match="variation 1: covered: there is no item named 'B'"):
        cover.solve_batch(covered=[["b"], ["B"]])


def test_variations_in_any_order_begin_with_a_cover_of_the_problem(monkeypatch):
    monkeypatch.setattr(portfolio, "FIRST_UPDATES", 64)
    cover = dlx.example("queens", n=8).cover()
    model, batch = cover.first(), cover.solve_batch(forbidden=[[k] for k in range(64)], order="any")
    cover.problem.check_covers(list(batch.covers))
    for k, found in enumerate(batch.covers):
        assert k not in found
        assert k in model or (found, batch.nodes[k]) == (model, 0)
    changed = [list(set(model) - set(batch.covers[k])) for k in model]
    assert max(map(len, changed)) < 8


def test_options_have_names_and_an_array_has_numbers():
    cover = dlx.ExactCover(NAMED)
    result = cover.solve_batch(given=[[("x", 1), 0], (1,), np.array([0, 3])])
    assert list(result.covers) == [[0, 3], [1], [0, 3]]
    result = cover.solve_batch(given=np.array([[0], [1], [-1]]), covered=[[], ["B"], ["A"]])
    assert list(result.covers) == [[0, 2], None, [2]]


@pytest.mark.parametrize("kind", ["int8", "uint8", ">u2", "uint32", "uint64", ">i8"])
def test_arrays_of_numbers_have_any_integer_type(kind):
    numbers = np.array([[0], [1], [3]], kind)
    result = dlx.ExactCover(NAMED).solve_batch(given=numbers)
    assert list(result.covers) == [[0, 2], [1], [0, 3]]
    assert len(dlx.ExactCover(NAMED).solve_batch(forbidden=numbers[:0])) == 0
    assert dlx.ExactCover([]).solve_batch(given=numbers[:2, :0]).counts.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs given, forbidden or covered"),
        ({"given": [[0], ["S9"]]}, "variation 1: given: there is no option named 'S9'"),
        ({"forbidden": [[0], [], [4]]}, "variation 2: forbidden: option 4 does not exist"),
        ({"given": np.array([[0, 1], [2, 9]])}, "variation 1: given: option 9 does not exist"),
        ({"given": np.array([[2**63]], np.uint64)}, "variation 0: given: option 9223372036854775"),
        ({"covered": [["A"], ["C"]]}, "variation 1: covered: there is no item named 'C'"),
        ({"given": [[0]], "covered": []}, "given has 1, covered has 0"),
        ({"given": np.array([0, 1])}, r"the shape \(variations, options\), not \(2,\)"),
        ({"given": np.zeros((2, 3), bool)}, r"the shape \(variations, 4\), not \(2, 3\)"),
        ({"given": [[0]], "limit": 0}, "limit must be 1 or more"),
        ({"given": "S1"}, "given must be a list of variations, not the string"),
        ({"given": ["S1"]}, "variation 0: given must be a list of options, not the string"),
        ({"given": np.array([[0.0]])}, "an array must have integers or Booleans, not float64"),
        ({"given": np.ma.array([[0, 1]], mask=[[0, 1]])}, "given: an array must not have a mask"),
    ],
)
def test_invalid_arguments_are_errors(arguments, message):
    with pytest.raises((TypeError, ValueError), match=message):
        dlx.ExactCover(NAMED).solve_batch(**arguments)


@pytest.mark.compiled
def test_threads_executors_and_little_memory_for_covers_return_the_same_result(monkeypatch):
    cover = dlx.example("queens", n=8).cover()
    given = np.arange(64)[:, np.newaxis]
    result = cover.replace(threads=1).solve_batch(given=given, limit=None)
    assert cover.replace(threads=3).solve_batch(given=given, limit=None) == result
    with ThreadPoolExecutor(2) as executor:
        assert cover.replace(executor=executor).solve_batch(given=given, limit=None) == result
    with pytest.raises(ValueError, match="cannot be combined"):
        cover.replace(threads=2, executor=executor).solve_batch(given=given)
    monkeypatch.setattr(batch_search, "MIN_STORED_OPTIONS", 1)  # a cover fills it
    assert cover.replace(threads=1).solve_batch(given=given, limit=None) == result


@pytest.mark.compiled
def test_unfinished_variations_have_negative_counts():
    cover = dlx.example("queens", n=20).cover()
    for threads, stop in ((1, None), (2, None), (None, SetAfter(0))):
        parallel = cover.replace(threads=threads)
        result = parallel.solve_batch(given=[[0], [0, 1]], limit=None, seconds=0.05, stop=stop)
        assert (result.counts[0], result.covers[0]) == (-1, None)
        assert " unfinished" in repr(result)


def test_questions_that_begin_with_dead_ends_are_work(monkeypatch):
    monkeypatch.setattr(batch_search, "UPDATES_PER_SLICE", 1)
    n, stop = 50, SetAfter(10**6)
    cover = dlx.ExactCover([["b", "d"], ["a"], ["a"], *[["b", "a"]] * n])
    assert cover.possible_options(stop=stop).tolist() == [True] * 3 + [False] * n
    assert 10**6 - stop.n_left > n


@pytest.mark.compiled
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_interrupts_a_batch(threads):
    class Interrupting(threading.Event):
        def is_set(self):
            if not super().is_set():
                self.set()
                signal.raise_signal(signal.SIGINT)
            return False

    cover, stop = dlx.example("queens", n=20).cover(), Interrupting()
    with pytest.raises(KeyboardInterrupt):
        cover.replace(threads=threads).solve_batch(given=[[0]] * 4, limit=None, stop=stop)
