"""`solve_stream`: results of any number of puzzles, in parts."""

from itertools import count, islice, repeat

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.runtime.interrupts import Stop
from tests.helpers.hosts import SetAfter

PUZZLES = [
    *("1.....3..4.....2", "1...1...........", "." * 16),
    *("1.2...3..4.....2", "12..34..2..4..1."),
]


@pytest.mark.parametrize("chunk", [1, 2, 5, 9])
@pytest.mark.parametrize("limit", [1, 2, None])
def test_streams_have_the_results_of_batches(chunk, limit):
    expected = dlx.solve_batch(PUZZLES, limit=limit)
    for puzzles in (iter(PUZZLES), map(dlx.Board, PUZZLES), map(str.encode, PUZZLES)):
        results = [*dlx.solve_stream(puzzles, chunk, limit=limit)]
        assert [len(result) for result in results[:-1]] == [chunk] * (len(results) - 1)
        for name in ("solutions", "counts"):
            parts = [getattr(result, name) for result in results]
            assert np.array_equal(np.concatenate(parts), getattr(expected, name))


def test_a_stream_takes_puzzles_when_their_results_are_requested():
    taken = count()
    results = dlx.solve_stream((PUZZLES[next(taken) % 5] for _ in repeat(None)), chunk=5)
    assert [result.counts.tolist() for result in islice(results, 2)] == [[1, 0, 1, 1, 1]] * 2
    assert next(taken) == 10


def test_a_stream_marks_or_names_what_is_no_puzzle():
    puzzles = [*PUZZLES, None, "12"]
    results = dlx.solve_stream(puzzles, 4, errors="mark")
    assert [[*result.errors] for result in results] == [[], [1, 2]]
    results = dlx.solve_stream(puzzles, 4)
    assert len(next(results)) == 4
    with pytest.raises(ValueError, match=r"^after 4 puzzles: puzzle 1: expected"):
        next(results)
    with pytest.raises(ValueError, match=r"^puzzle 0: "):
        next(dlx.solve_stream(["12"]))


def test_the_first_puzzles_of_a_stream_decide_the_size_of_its_boards():
    results = dlx.solve_stream(["." * 81, "." * 16], 1)
    assert next(results).box == (3, 3)
    with pytest.raises(ValueError, match="after 1 puzzles"):
        next(results)


def test_a_stream_ends_when_it_is_asked_to():
    results = dlx.solve_stream(repeat(PUZZLES[0]), 10, stop=SetAfter(3))
    with pytest.raises(dlx.Stopped, match=r"stopped before puzzle \d+"):
        sum(map(len, results))
    results = dlx.solve_stream(repeat(PUZZLES[0]), 10, seconds=0)
    with pytest.raises(dlx.Stopped):
        next(results)


def test_a_stop_ends_the_taking_of_puzzles():
    """Those that were taken before have a result."""
    taken, stop = [], Stop()

    def make():
        for k in count():
            taken.append(k)
            if k == 99:
                stop.cancel()
            yield PUZZLES[0]

    results = dlx.solve_stream(make(), 1000, stop=stop)
    assert 100 <= len(next(results)) == len(taken) < 120
    with pytest.raises(dlx.Stopped, match=f"stopped before puzzle {len(taken)}"):
        next(results)


def test_a_stream_is_no_text():
    with pytest.raises(ValueError, match="solve_batch takes text"):
        dlx.solve_stream(PUZZLES[0])


def test_unreadable_puzzles_do_not_determine_the_size_of_later_ones():
    puzzles = [None, "x", "1.....3..4.....2", 9 * "1"]
    whole = dlx.solve_batch(puzzles, errors="mark")
    for chunk in range(1, 5):
        parts = [*dlx.solve_stream(puzzles, chunk, errors="mark")]
        assert [count for part in parts for count in part.counts.tolist()] == whole.counts.tolist()
