"""Turns of methods in several threads."""

import pytest

from dlx_numba.runtime.batches import WorkerThreads
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.search.race import Race, Turn


def find(covers, is_complete):
    """Take a turn for each list of covers; the last one may have found all that there are."""
    for k, found in enumerate(covers):
        yield Turn(found, k, is_complete and k + 1 == len(covers))


class Threads(WorkerThreads):
    """All turns of a round happen, as with many threads, whatever an earlier one finds."""

    def run_parts(self, work_on, parts):
        for part in reversed(parts):
            work_on(part)


@pytest.mark.parametrize("kind", [WorkerThreads, Threads])
def test_covers_of_a_turn_that_was_not_needed_are_kept(kind):
    methods = {"a": find([[], [[0]], [], []], False), "b": find([[[1]], [], []], True)}
    race = Race(methods, 1)
    with kind(1, Stop()) as threads:
        race.begin(1)
        race.play(1, threads)
        assert [*race.covers] == [(0,)]
        while not race.is_won(3):
            race.play(3, threads)
    assert race.is_complete
    assert {*race.covers} == {(0,), (1,)}


def test_covers_are_read_once_while_more_are_wanted():
    n_reads = 0

    class Covers(list):
        def __iter__(self):
            nonlocal n_reads
            n_reads += 1
            return super().__iter__()

    methods = {name: find([[], Covers([[k]])], False) for k, name in enumerate("abc")}
    race = Race(methods, 1)
    with WorkerThreads(1, Stop()) as threads:
        race.begin(9)
        race.play(9, threads)
        race.play(9, threads)
    assert (len(race.covers), n_reads) == (3, 3)
